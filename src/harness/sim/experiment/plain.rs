//! Names that can be part of a folder's name.

/// The requirements on a name.
pub(in crate::sim) const PLAIN: &str = "1 to 64 letters, digits, `-`, `_` or `.`, a letter or digit first";

/// Can the text be part of a folder's name on every system?
pub(crate) fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && !text.starts_with(['.', '-'])
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}
