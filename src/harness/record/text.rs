//! Texts in rows.

use std::fmt::{self, Write};
use std::ops::Deref;

use arrayvec::ArrayString;

/// The longest text that is stored in the row itself: `from BUR.1.2` and `A PAR - BUR` are.
const SHORT: usize = 16;

/// The longest text for which one formatting pass suffices.
const USUAL: usize = 96;

/// A text in a row. Nearly all texts are short and stored in the row itself: a text of every event must not require a
/// heap allocation.
#[derive(Clone, PartialEq, Eq)]
pub struct Text(Kept);

#[derive(Clone, PartialEq, Eq)]
enum Kept {
    /// A short text.
    Here(ArrayString<SHORT>),
    /// A long text.
    Elsewhere(Box<str>),
}

impl Text {
    /// The formatted value.
    pub(crate) fn of(value: impl fmt::Display) -> Text {
        let mut text = ArrayString::<USUAL>::new();
        match write!(text, "{value}") {
            Ok(()) => Text::from(&*text),
            Err(fmt::Error) => Text(Kept::Elsewhere(value.to_string().into_boxed_str())),
        }
    }
}

/// Parts, concatenated. Formatting them would give the same text at three times the cost.
impl From<&[&str]> for Text {
    fn from(parts: &[&str]) -> Text {
        if parts.iter().map(|part| part.len()).sum::<usize>() > SHORT {
            return Text(Kept::Elsewhere(parts.concat().into_boxed_str()));
        }
        let mut short = ArrayString::new();
        parts.iter().for_each(|part| short.push_str(part));
        Text(Kept::Here(short))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(ArrayString::from(text).map_or_else(|_| Kept::Elsewhere(text.into()), Kept::Here))
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        match &self.0 {
            Kept::Here(text) => text,
            Kept::Elsewhere(text) => text,
        }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_what_was_written_however_long() {
        for length in 0..2 * USUAL {
            let text = "Ä".repeat(length / 2) + &"x".repeat(length % 2);
            assert_eq!(*Text::of(&text), *text);
            assert_eq!(Text::of(&text), Text::from(&*text));
            assert_eq!(Text::of(format_args!("a {text}")), Text::from(["a ", &*text].as_slice()));
        }
        assert!(size_of::<Option<Text>>() <= 24);
    }
}
