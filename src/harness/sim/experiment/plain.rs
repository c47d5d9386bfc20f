//! Names that can be part of a folder's name.

/// May the text be part of a folder's name on every system?
pub(super) fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && !text.starts_with(['.', '-'])
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}
