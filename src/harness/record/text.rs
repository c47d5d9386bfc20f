//! Texts in rows.

use std::fmt::{self, Write};
use std::ops::Deref;

use arrayvec::ArrayString;

/// How long a text may be to lie in the row: `from BUR.1.2` and `A PAR - BUR` do.
const SHORT: usize = 16;

/// How long a text may be to be written only once.
const USUAL: usize = 96;

/// A text in a row. Nearly all are short and lie in the row itself: what is made for every event must not be fetched from
/// the heap.
#[derive(Clone, PartialEq, Eq)]
pub struct Text(Kept);

#[derive(Clone, PartialEq, Eq)]
enum Kept {
    /// All that are short.
    Here(ArrayString<SHORT>),
    /// The others.
    Elsewhere(Box<str>),
}

impl Text {
    /// What is written of a value.
    pub fn of(value: impl fmt::Display) -> Text {
        let mut text = ArrayString::<USUAL>::new();
        match write!(text, "{value}") {
            Ok(()) => Text::from(&*text),
            Err(fmt::Error) => Text(Kept::Elsewhere(value.to_string().into_boxed_str())),
        }
    }
}

/// Parts, one behind the other. What is written of them would be the same, at thrice the cost.
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
