//! Tokens in readable form: `NOW (SPR 1901) (AUS FLT TRI)`, for logs and tests.

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use crate::frame::{Name, NamedToken};
use crate::token::words::NAMED;
use crate::token::{BRA, KET, Token, TokenNumber};

/// The names of tokens on one board.
#[derive(Clone, Debug)]
pub struct Lexicon {
    names: BTreeMap<Token, Name>,
    tokens: BTreeMap<Name, Token>,
}

/// A word that is not the name of a token.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not the name of a token")]
pub struct UnknownWord(pub String);

impl Lexicon {
    /// The lexicon of the standard board.
    pub(crate) fn standard() -> Lexicon {
        Lexicon::of(NAMED.iter().filter_map(|&(name, token)| Some((token, Name::new(name)?))))
    }

    /// The lexicon of another board with these powers and provinces.
    pub(crate) fn with(entries: &[NamedToken]) -> Lexicon {
        let language = NAMED.iter().filter(|(_, token)| token.is_word());
        let language = language.filter_map(|&(name, token)| Some((token, Name::new(name)?)));
        Lexicon::of(language.chain(entries.iter().map(|entry| (entry.token, entry.name))))
    }

    fn of(named: impl Iterator<Item = (Token, Name)>) -> Lexicon {
        let mut lexicon = Lexicon { names: BTreeMap::new(), tokens: BTreeMap::new() };
        for (token, name) in named {
            // If two tokens have the same name, only the first keeps it: a name identifies one token.
            if !lexicon.tokens.contains_key(&name) && !lexicon.names.contains_key(&token) {
                lexicon.tokens.insert(name, token);
                lexicon.names.insert(token, name);
            }
        }
        lexicon
    }

    /// The tokens as text. A token without a name is written as `#` and its code.
    pub fn display<'a>(&'a self, tokens: &'a [Token]) -> impl fmt::Display + use<'a> {
        fmt::from_fn(move |f| {
            let (mut in_text, mut before) = (false, BRA);
            for (i, &token) in tokens.iter().enumerate() {
                let letter = token.as_letter().filter(|byte| (b' '..=b'~').contains(byte));
                if in_text && letter.is_none() {
                    f.write_str("'")?;
                }
                if i > 0 && before != BRA && token != KET && !(in_text && letter.is_some()) {
                    f.write_str(" ")?;
                }
                match (letter, token) {
                    (Some(letter), _) => {
                        if !in_text {
                            f.write_str("'")?;
                        }
                        // A quote within a text is written twice.
                        f.write_str(if letter == b'\'' { "'" } else { "" })?;
                        write!(f, "{}", char::from(letter))?;
                    }
                    (_, BRA) => f.write_str("(")?,
                    (_, KET) => f.write_str(")")?,
                    (_, token) => match (token.number(), self.names.get(&token)) {
                        (Some(number), _) => write!(f, "{number}")?,
                        (None, Some(name)) => write!(f, "{name}")?,
                        (None, None) => write!(f, "#{:04X}", token.code())?,
                    },
                }
                in_text = letter.is_some();
                before = token;
            }
            f.write_str(if in_text { "'" } else { "" })
        })
    }

    /// The tokens of a text.
    ///
    /// # Errors
    /// A word in it is not the name of a token.
    pub fn read(&self, text: &str) -> Result<Vec<Token>, UnknownWord> {
        let mut tokens = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let after = &rest[first.len_utf8()..];
            rest = match first {
                '(' => {
                    tokens.push(BRA);
                    after
                }
                ')' => {
                    tokens.push(KET);
                    after
                }
                '\'' => quoted(after, &mut tokens).ok_or_else(|| UnknownWord(rest.to_owned()))?,
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "()'".contains(c));
                    let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                    tokens.push(self.token(word).ok_or_else(|| UnknownWord(word.to_owned()))?);
                    after
                }
            }
            .trim_start();
        }
        Ok(tokens)
    }

    fn token(&self, word: &str) -> Option<Token> {
        if let Some(code) = word.strip_prefix('#') {
            return u16::from_str_radix(code, 16).ok().map(Token::from_code);
        }
        // A name made only of digits would be read as a number; boards have none.
        match word.parse() {
            Ok(number) => TokenNumber::new(number).map(Token::from),
            Err(_) => self.tokens.get(&Name::new(&word.to_ascii_uppercase())?).copied(),
        }
    }
}

/// Reads letters up to the closing quote, and returns the rest.
fn quoted<'a>(text: &'a str, tokens: &mut Vec<Token>) -> Option<&'a str> {
    let mut letters = text.bytes().enumerate();
    while let Some((at, byte)) = letters.next() {
        if byte == b'\'' && !text[at + 1..].starts_with('\'') {
            return Some(&text[at + 1..]);
        }
        if byte == b'\'' {
            letters.next();
        }
        tokens.push(Token::letter(byte));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_are_written_as_the_documents_write_them() {
        let lexicon = Lexicon::standard();
        for text in [
            "NOW (SPR 1901) (AUS FLT TRI) (RUS FLT (STP SCS))",
            "HLO (ENG) (1234) ((LVL 20) (MTL 1200))",
            "NME ('it''s me') ('1.0')",
            "(ENG FLT NTH MRT ())",
            "MIS (-2)",
        ] {
            let tokens = lexicon.read(text).unwrap();
            assert_eq!(lexicon.display(&tokens).to_string(), text);
        }
        assert_eq!(lexicon.read("NOW (XYZ)"), Err(UnknownWord("XYZ".to_owned())));
        assert!(lexicon.read("NME ('no end").is_err());
    }

    #[test]
    fn another_board_has_its_own_provinces() {
        let name = Name::new("AAA").unwrap();
        let lexicon = Lexicon::with(&[NamedToken { token: Token::from_code(0x5000), name }]);
        assert_eq!(lexicon.display(&[Token::from_code(0x5000)]).to_string(), "AAA");
        assert!(lexicon.read("BOH").is_err() && lexicon.read("HLO AMY SPR").is_ok());
    }

    proptest! {
        #[test]
        fn any_tokens_are_read_as_they_were_written(codes in prop::collection::vec(any::<u16>(), 0..60)) {
            let lexicon = Lexicon::standard();
            let tokens: Vec<Token> = codes.into_iter().map(Token::from_code).collect();
            let text = lexicon.display(&tokens).to_string();
            prop_assert_eq!(lexicon.read(&text).unwrap(), tokens, "{}", text);
        }

        #[test]
        fn words_and_letters_are_read_as_they_were_written(
            codes in prop::collection::vec(
                prop_oneof![0x4b1e_u16..0x4b80, 0x4000..0x4002_u16, 0x4100..0x4108_u16],
                0..60,
            )
        ) {
            let lexicon = Lexicon::standard();
            let tokens: Vec<Token> = codes.into_iter().map(Token::from_code).collect();
            let text = lexicon.display(&tokens).to_string();
            prop_assert_eq!(lexicon.read(&text).unwrap(), tokens, "{}", text);
        }

        #[test]
        fn any_text_is_tokens_or_an_error(text in ".{0,60}") {
            let _ = Lexicon::standard().read(&text);
        }
    }
}
