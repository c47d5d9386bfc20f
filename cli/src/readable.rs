//! Text as a terminal may have it. `cli/tests/` compiles this file too, for the tests at its end.

use std::borrow::Cow;

use upheaval::letters::is_acted_on;

/// The most characters of an error that are printed: 25 lines of 80.
const SCREENFUL: usize = 2000;

/// The number of these that are at its end, which names the correction.
const END: usize = 600;

/// The text with every character that a terminal would act on written as `\u001b`, except for tabs and ends of lines.
/// JSON and TOML have the same escapes, so the value of a text in quotes stays the same.
pub(crate) fn readable(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !is_acted_on(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 64);
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        // Windows files end their lines with two characters.
        match is_plain(c) || c == '\r' && letters.peek() == Some(&'\n') {
            true => written.push(c),
            false => written += &format!("\\u{:04x}", u32::from(c)),
        }
    }
    Cow::Owned(written)
}

/// An error of at most a screenful: the middle of a longer one is left out.
pub(crate) fn screenful(text: &str) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= SCREENFUL {
        return Cow::Borrowed(text);
    }
    let at = |letter: usize| text.char_indices().nth(letter).map_or(text.len(), |(at, _)| at);
    let (begin, end) = (at(SCREENFUL - END), at(count - END));
    Cow::Owned(format!("{} […{} characters…] {}", &text[..begin], count - SCREENFUL, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_act_on_is_written_out() {
        assert_eq!(
            readable("\u{1b}[2Jred\u{9b}\u{7f}\u{202e}x\ry"),
            "\\u001b[2Jred\\u009b\\u007f\\u202ex\\u000dy"
        );
        for plain in ["Côte d’Azur → 東\n\ta\n", "line\r\nline\r\n"] {
            assert_eq!(readable(plain), plain);
        }
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({ "na\u{202e}me": "\u{1b}[0m\u{85}\u{2066}\\" });
        let written = value.to_string();
        let shown = readable(&written);
        assert!(!shown.chars().any(is_acted_on));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

    #[test]
    fn a_long_error_keeps_its_beginning_and_its_end() {
        let long = format!("first{}last", "é".repeat(100_000));
        let cut = screenful(&long);
        assert!(cut.starts_with("first") && cut.ends_with("last") && cut.chars().count() < SCREENFUL + 40);
        assert_eq!(screenful(&long[..101]), &long[..101]);
    }
}
