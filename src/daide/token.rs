//! Tokens, the 16-bit numbers that make up the language, whose upper byte is the category; and sentences, the tokens of
//! a diplomacy message, with balanced brackets.

use std::fmt;

use crate::token::words::ERR;

/// A token: a word, a bracket, a number, a letter of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Token(u16);

/// A number that a token can hold: -8192 to 8191.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenNumber(i16);

/// The category of a province.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProvinceCategory {
    /// The kinds of units that can be there.
    pub shape: UnitAccess,
    /// Is it a supply centre?
    pub is_centre: bool,
}

/// The kinds of units that can be in a province.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnitAccess {
    /// Armies.
    Inland = 0,
    /// Fleets.
    Sea = 2,
    /// Both.
    Coastal = 4,
    /// Both, and fleets on one of several coasts.
    Bicoastal = 6,
}

impl TokenNumber {
    /// The number, if a token can hold it.
    pub const fn new(number: i64) -> Option<TokenNumber> {
        match number {
            -8192..=8191 => Some(TokenNumber(number as i16)),
            _ => None,
        }
    }

    /// A small count; values beyond 8191 are given as 8191.
    pub fn of_count(count: usize) -> TokenNumber {
        TokenNumber(i16::try_from(count).unwrap_or(i16::MAX).min(8191))
    }

    /// The number.
    pub const fn get(self) -> i16 {
        self.0
    }

    /// The number below 0 with the same distance from 0.
    pub(crate) const fn negative(self) -> TokenNumber {
        TokenNumber(-self.0.abs())
    }
}

impl From<TokenNumber> for Token {
    /// 14 bits of two's complement; the two upper bits are clear.
    fn from(number: TokenNumber) -> Token {
        Token(number.0.cast_unsigned() & 0x3fff)
    }
}

impl ProvinceCategory {
    /// The upper byte of its provinces.
    pub(crate) const fn category(self) -> u8 {
        0x50 + self.shape as u8 + self.is_centre as u8
    }
}

impl Token {
    /// The token with this code.
    pub(crate) const fn from_code(code: u16) -> Token {
        Token(code)
    }

    /// Its code.
    pub(crate) const fn code(self) -> u16 {
        self.0
    }

    /// The letter of a text.
    pub(crate) const fn letter(byte: u8) -> Token {
        Token(0x4b00 | byte as u16)
    }

    /// Its category: the upper byte.
    const fn category(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The number that it represents, if any.
    pub(crate) fn number(self) -> Option<TokenNumber> {
        // The sign is the 14th bit.
        (self.category() < 0x40).then_some(TokenNumber((self.0 << 2).cast_signed() >> 2))
    }

    /// Is it a power?
    pub(crate) const fn is_power(self) -> bool {
        self.category() == 0x41
    }

    /// The byte of a text that it represents, if any: a letter in ASCII, or a byte of UTF-8.
    pub(crate) fn as_letter(self) -> Option<u8> {
        (self.category() == 0x4b).then_some(self.0 as u8)
    }

    /// Is it a word of the language, with the same meaning on every board?
    pub(crate) const fn is_word(self) -> bool {
        matches!(self.category(), 0x42..=0x4a | 0x4c..=0x4f)
    }

    /// The category of the province that it represents, if any.
    pub(crate) fn ground(self) -> Option<ProvinceCategory> {
        let category = self.category();
        let shape = match category & 6 {
            0 => UnitAccess::Inland,
            2 => UnitAccess::Sea,
            4 => UnitAccess::Coastal,
            _ => UnitAccess::Bicoastal,
        };
        (category & !7 == 0x50).then_some(ProvinceCategory { shape, is_centre: category & 1 == 1 })
    }

    /// Is it reserved for the private use of programs? Such a token is never sent.
    pub const fn is_reserved(self) -> bool {
        matches!(self.category(), 0x58..=0x5f)
    }
}

impl fmt::Display for TokenNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Defines named tokens: a constant for each, and the list of all.
macro_rules! tokens {
    ($($(#[$meaning:meta])* $name:ident = $code:literal,)*) => {
        $($(#[$meaning])* pub(crate) const $name: Token = Token($code);)*

        /// Every word of the language with its name. Brackets, numbers and letters have no names; powers and
        /// provinces are those of the standard board.
        pub(crate) const NAMED: &[(&str, Token)] = &[$((stringify!($name), $name),)*];
    };
}

/// `(`.
pub(crate) const BRA: Token = Token(0x4000);
/// `)`.
pub(crate) const KET: Token = Token(0x4001);

/// The words, and the powers and provinces of the standard board.
#[allow(missing_docs)]
pub(crate) mod words {
    use super::Token;

    tokens! {
        // Powers.
        AUS = 0x4100, ENG = 0x4101, FRA = 0x4102, GER = 0x4103, ITA = 0x4104, RUS = 0x4105, TUR = 0x4106,
        // Units.
        AMY = 0x4200, FLT = 0x4201,
        // Orders.
        CTO = 0x4320, CVY = 0x4321, HLD = 0x4322, MTO = 0x4323, SUP = 0x4324, VIA = 0x4325,
        DSB = 0x4340, RTO = 0x4341, BLD = 0x4380, REM = 0x4381, WVE = 0x4382,
        // Notes on orders: MBV, the order counts; CST, a coast is missing, or the unit cannot be there; ESC, the
        // centre is occupied; FAR, the place cannot be reached; HSC, the centre is not a home of the power; NAS, the
        // fleet is not at sea, or the route leads over land; NMB and NMR, no build and no removal is left; NRN, the
        // unit need not retreat; NRS, the order belongs to another season; NSA, NSF and NSU, there is no such army,
        // fleet and unit; NSC, the province is not a centre; NSP, the board has no such province; NVR, the unit
        // cannot retreat there; NYU, the unit belongs to another power; YSC, the centre belongs to another power.
        MBV = 0x4400, BPR = 0x4401, CST = 0x4402, ESC = 0x4403, FAR = 0x4404, HSC = 0x4405, NAS = 0x4406,
        NMB = 0x4407, NMR = 0x4408, NRN = 0x4409, NRS = 0x440a, NSA = 0x440b, NSC = 0x440c, NSF = 0x440d,
        NSP = 0x440e, NSU = 0x4410, NVR = 0x4411, NYU = 0x4412, YSC = 0x4413,
        // Results.
        SUC = 0x4500, BNC = 0x4501, CUT = 0x4502, DSR = 0x4503, FLD = 0x4504, NSO = 0x4505, RET = 0x4506,
        // Coasts.
        NCS = 0x4600, NEC = 0x4602, ECS = 0x4604, SEC = 0x4606, SCS = 0x4608, SWC = 0x460a, WCS = 0x460c,
        NWC = 0x460e,
        // Phases.
        SPR = 0x4700, SUM = 0x4701, FAL = 0x4702, AUT = 0x4703, WIN = 0x4704,
        // Commands.
        CCD = 0x4800, DRW = 0x4801, FRM = 0x4802, GOF = 0x4803, HLO = 0x4804, HST = 0x4805, HUH = 0x4806,
        IAM = 0x4807, LOD = 0x4808, MAP = 0x4809, MDF = 0x480a, MIS = 0x480b, NME = 0x480c, NOT = 0x480d,
        NOW = 0x480e, OBS = 0x480f, OFF = 0x4810, ORD = 0x4811, OUT = 0x4812, PRN = 0x4813, REJ = 0x4814,
        SCO = 0x4815, SLO = 0x4816, SND = 0x4817, SUB = 0x4818, SVE = 0x4819, THX = 0x481a, TME = 0x481b,
        YES = 0x481c, ADM = 0x481d, SMR = 0x481e,
        // Parameters.
        AOA = 0x4900, BTL = 0x4901, ERR = 0x4902, LVL = 0x4903, MRT = 0x4904, MTL = 0x4905, NPB = 0x4906,
        NPR = 0x4907, PDA = 0x4908, PTL = 0x4909, RTL = 0x490a, UNO = 0x490b, DSD = 0x490d,
        // Press: known by name, but above level 0. Five words whose numbers are not the same everywhere are
        // left out.
        ALY = 0x4a00, AND = 0x4a01, BWX = 0x4a02, DMZ = 0x4a03, ELS = 0x4a04, EXP = 0x4a05, HOW = 0x4a09,
        IDK = 0x4a0a, IFF = 0x4a0b, INS = 0x4a0c, OCC = 0x4a0e, ORR = 0x4a0f, PCE = 0x4a10, POB = 0x4a11,
        PRP = 0x4a13, QRY = 0x4a14, SCD = 0x4a15, SRY = 0x4a16, SUG = 0x4a17, THK = 0x4a18, THN = 0x4a19,
        TRY = 0x4a1a, VSS = 0x4a1c, WHT = 0x4a1d, WHY = 0x4a1e, XDO = 0x4a1f, XOY = 0x4a20, YDO = 0x4a21,
        CHO = 0x4a22, BCC = 0x4a23, UNT = 0x4a24,
        // Provinces: inland, inland centres, seas, coastal, coastal centres, centres with two coasts.
        BOH = 0x5000, BUR = 0x5001, GAL = 0x5002, RUH = 0x5003, SIL = 0x5004, TYR = 0x5005, UKR = 0x5006,
        BUD = 0x5107, MOS = 0x5108, MUN = 0x5109, PAR = 0x510a, SER = 0x510b, VIE = 0x510c, WAR = 0x510d,
        ADR = 0x520e, AEG = 0x520f, BAL = 0x5210, BAR = 0x5211, BLA = 0x5212, EAS = 0x5213, ECH = 0x5214,
        GOB = 0x5215, GOL = 0x5216, HEL = 0x5217, ION = 0x5218, IRI = 0x5219, MAO = 0x521a, NAO = 0x521b,
        NTH = 0x521c, NWG = 0x521d, SKA = 0x521e, TYS = 0x521f, WES = 0x5220,
        ALB = 0x5421, APU = 0x5422, ARM = 0x5423, CLY = 0x5424, FIN = 0x5425, GAS = 0x5426, LVN = 0x5427,
        NAF = 0x5428, PIC = 0x5429, PIE = 0x542a, PRU = 0x542b, SYR = 0x542c, TUS = 0x542d, WAL = 0x542e,
        YOR = 0x542f,
        ANK = 0x5530, BEL = 0x5531, BER = 0x5532, BRE = 0x5533, CON = 0x5534, DEN = 0x5535, EDI = 0x5536,
        GRE = 0x5537, HOL = 0x5538, KIE = 0x5539, LON = 0x553a, LVP = 0x553b, MAR = 0x553c, NAP = 0x553d,
        NWY = 0x553e, POR = 0x553f, ROM = 0x5540, RUM = 0x5541, SEV = 0x5542, SMY = 0x5543, SWE = 0x5544,
        TRI = 0x5545, TUN = 0x5546, VEN = 0x5547,
        BUL = 0x5748, SPA = 0x5749, STP = 0x574a,
    }
}

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
    use proptest::prelude::*;

    use super::words::{MAP, SPR, YES};
    use super::*;

    #[test]
    fn numbers_are_14_bits_of_twos_complement() {
        for (number, code) in [(0, 0), (1, 1), (8191, 0x1fff), (-1, 0x3fff), (-8192, 0x2000)] {
            let token = Token::from(TokenNumber::new(number).unwrap());
            assert_eq!(token.code(), code, "{number}");
            assert_eq!(token.number().map(|n| i64::from(n.get())), Some(number));
        }
        assert_eq!((TokenNumber::new(8192), TokenNumber::new(-8193)), (None, None));
    }

    #[test]
    fn the_category_of_a_province_says_what_it_is() {
        for (_, token) in words::NAMED {
            if let Some(ground) = token.ground() {
                assert_eq!(u16::from(ground.category()), token.code() >> 8, "{token:?}");
            }
        }
        let sea = ProvinceCategory { shape: UnitAccess::Sea, is_centre: false };
        assert_eq!(words::NTH.ground(), Some(sea));
        let bicoastal = ProvinceCategory { shape: UnitAccess::Bicoastal, is_centre: true };
        assert_eq!(words::STP.ground(), Some(bicoastal));
        assert!(words::HLO.is_word() && !words::STP.is_word());
        assert!(Token::from_code(0x5800).is_reserved());
    }

    /// The provinces are numbered from 0 to 74, by category and then by name.
    #[test]
    fn the_standard_provinces_are_numbered_through() {
        let provinces: Vec<_> = words::NAMED.iter().filter(|(_, token)| token.ground().is_some()).collect();
        assert_eq!(provinces.len(), 75);
        for (number, (name, token)) in provinces.iter().enumerate() {
            assert_eq!(usize::from(token.code() & 0xff), number, "{name}");
        }
    }

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
