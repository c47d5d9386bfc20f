//! Sentences: the tokens of a diplomacy message, with balanced brackets.

use crate::token::words::ERR;
use crate::token::{BRA, KET, Token, TokenNumber};

/// The deepest nesting of brackets. No message of level 0 comes near it.
pub const DEEPEST: usize = 64;

/// A message being written, bracket by bracket.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sentence(Vec<Token>);

impl Sentence {
    /// A message that begins with this word.
    pub(crate) fn new(word: Token) -> Sentence {
        Sentence::default().word(word)
    }

    /// Appends a word. Brackets are created only by [`Sentence::group`].
    #[must_use]
    pub(crate) fn word(mut self, word: Token) -> Sentence {
        debug_assert!(word != BRA && word != KET);
        self.0.push(word);
        self
    }

    /// Appends several words.
    #[must_use]
    pub(crate) fn words(self, words: impl IntoIterator<Item = Token>) -> Sentence {
        words.into_iter().fold(self, Sentence::word)
    }

    /// Appends a number.
    #[must_use]
    pub(crate) fn number(self, number: TokenNumber) -> Sentence {
        self.word(number.into())
    }

    /// Appends a text in brackets: its letters, one by one.
    #[must_use]
    pub(crate) fn text(self, text: &str) -> Sentence {
        self.group(|within| within.words(text.bytes().map(Token::letter)))
    }

    /// Appends a pair of brackets with this content.
    #[must_use]
    pub(crate) fn group(mut self, fill: impl FnOnce(Sentence) -> Sentence) -> Sentence {
        self.0.push(BRA);
        let mut filled = fill(self);
        filled.0.push(KET);
        filled
    }

    /// Appends a received message, whatever its brackets: for answers that repeat it.
    #[must_use]
    pub(crate) fn repeat(mut self, tokens: &[Token]) -> Sentence {
        self.0.push(BRA);
        self.0.extend(tokens);
        self.0.push(KET);
        self
    }

    /// Appends a received message, with `ERR` before the token that was not understood.
    #[must_use]
    pub(crate) fn repeat_with_error(self, tokens: &[Token], at: usize) -> Sentence {
        let (before, after) = tokens.split_at(at.min(tokens.len()));
        self.repeat(&[before, &[ERR], after].concat())
    }

    /// Appends another sentence.
    #[must_use]
    pub fn then(mut self, other: &Sentence) -> Sentence {
        self.0.extend(&other.0);
        self
    }

    /// Its tokens.
    pub fn tokens(&self) -> &[Token] {
        &self.0
    }

    /// Its tokens.
    pub fn into_tokens(self) -> Vec<Token> {
        self.0
    }
}

/// Are the brackets balanced, and not nested too deeply?
pub(crate) fn is_balanced(tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    for &token in tokens {
        depth = match token {
            BRA if depth == DEEPEST => return false,
            BRA => depth + 1,
            KET if depth == 0 => return false,
            KET => depth - 1,
            _ => depth,
        };
    }
    depth == 0
}

/// The index of the first token that was not understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotUnderstood(pub usize);

/// Reads tokens one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first of these.
    pub(crate) fn new(tokens: &'a [Token]) -> Reader<'a> {
        Reader { tokens, at: 0 }
    }

    /// The error that the current token is not understood.
    pub(crate) fn fault(&self) -> NotUnderstood {
        NotUnderstood(self.at)
    }

    /// The current token.
    pub(crate) fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    /// Is it at the end?
    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The next token.
    ///
    /// # Errors
    /// There are no more tokens.
    pub(crate) fn take(&mut self) -> Result<Token, NotUnderstood> {
        let token = self.peek().ok_or(self.fault())?;
        self.at += 1;
        Ok(token)
    }

    /// Skips this token if it is the next.
    pub(crate) fn passes(&mut self, token: Token) -> bool {
        let is_next = self.peek() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    /// Skips this token, which must be the next.
    ///
    /// # Errors
    /// The next token is a different one.
    pub(crate) fn expect(&mut self, token: Token) -> Result<(), NotUnderstood> {
        if self.passes(token) { Ok(()) } else { Err(self.fault()) }
    }

    /// The next token, converted to the required type.
    ///
    /// # Errors
    /// The conversion fails.
    pub(crate) fn as_one<T>(&mut self, read: impl FnOnce(Token) -> Option<T>) -> Result<T, NotUnderstood> {
        let read = self.peek().and_then(read).ok_or(self.fault())?;
        self.at += 1;
        Ok(read)
    }

    /// The content of the next pair of brackets, read completely.
    ///
    /// # Errors
    /// There is no bracket, or its content cannot be read completely.
    pub(crate) fn group<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, NotUnderstood>,
    ) -> Result<T, NotUnderstood> {
        self.expect(BRA)?;
        let read = read(self)?;
        self.expect(KET)?;
        Ok(read)
    }

    /// A text in brackets. Invalid UTF-8 is replaced.
    ///
    /// # Errors
    /// There is no text.
    pub(crate) fn text(&mut self) -> Result<String, NotUnderstood> {
        self.group(|within| {
            let mut bytes = Vec::new();
            while let Ok(byte) = within.as_one(Token::as_letter) {
                bytes.push(byte);
            }
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        })
    }

    /// The tokens up to the matching bracket, which is skipped too.
    ///
    /// # Errors
    /// There is no bracket.
    pub(crate) fn whole_group(&mut self) -> Result<&'a [Token], NotUnderstood> {
        self.expect(BRA)?;
        let start = self.at;
        let mut depth = 1_usize;
        loop {
            match self.take()? {
                BRA => depth += 1,
                KET if depth == 1 => return Ok(&self.tokens[start..self.at - 1]),
                KET => depth -= 1,
                _ => {}
            }
        }
    }

    /// Requires the end of the tokens.
    ///
    /// # Errors
    /// There are more tokens.
    pub(crate) fn end(&self) -> Result<(), NotUnderstood> {
        if self.is_at_end() { Ok(()) } else { Err(self.fault()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::words::{MAP, SPR, YES};
    use proptest::prelude::*;

    #[test]
    fn a_sentence_is_brackets_words_numbers_and_letters() {
        let said = Sentence::new(YES).group(|s| s.word(MAP).text("ab")).number(TokenNumber::of_count(7));
        let codes: Vec<u16> = said.tokens().iter().map(|token| token.code()).collect();
        assert_eq!(codes, [0x481c, 0x4000, 0x4809, 0x4000, 0x4b61, 0x4b62, 0x4001, 0x4001, 7]);
        assert!(is_balanced(said.tokens()));
        let mut reader = Reader::new(said.tokens());
        reader.expect(YES).unwrap();
        assert_eq!(reader.whole_group().unwrap().len(), 5);
        assert_eq!(reader.as_one(Token::number).unwrap().get(), 7);
        assert_eq!(reader.end(), Ok(()));
    }

    #[test]
    fn brackets_must_close_and_lie_no_deeper_than_they_may() {
        let nested = |depth| [vec![BRA; depth], vec![KET; depth]].concat();
        assert!(is_balanced(&nested(DEEPEST)) && !is_balanced(&nested(DEEPEST + 1)));
        assert!(!is_balanced(&[BRA]) && !is_balanced(&[KET, BRA]) && is_balanced(&[SPR]));
    }

    proptest! {
        #[test]
        fn a_text_is_read_as_it_was_written(text in ".{0,40}") {
            let said = Sentence::default().text(&text);
            prop_assert!(is_balanced(said.tokens()));
            prop_assert_eq!(Reader::new(said.tokens()).text().unwrap(), text);
        }

        #[test]
        fn any_tokens_are_read_without_a_panic(codes in prop::collection::vec(0x3ffe_u16..0x4003, 0..40)) {
            let tokens: Vec<Token> = codes.into_iter().map(Token::from_code).collect();
            let mut reader = Reader::new(&tokens);
            let balanced = is_balanced(&tokens);
            if balanced && reader.peek() == Some(BRA) {
                prop_assert!(reader.whole_group().is_ok());
            } else {
                let _ = reader.whole_group();
            }
            let _ = Reader::new(&tokens).text();
        }
    }
}
