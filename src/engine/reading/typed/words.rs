//! The words of a typed order, and the places that they name.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::rules::gazetteer::Gazetteer;
use upheaval_map::ids::{CoastId, ProvinceId};
use upheaval_map::topology::NamedMap;
use upheaval_map::wording;

/// The longest text that is read.
const LONGEST: usize = 400;
/// The greatest number of words in the name of a place.
const WORDS_OF_NAME: usize = 5;
/// The fewest letters of the beginning of a name.
const FEWEST_LETTERS: usize = 3;

pub(super) const MOVES: &[&str] = &["M", "MOVE", "MOVES", "MOVING", "GO", "GOES", "ATTACKS"];

/// A word, in capitals without accents, or a sign between words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Word(String),
    /// Any arrow: `-`, `→`, `->`, `–`, `>`.
    Arrow,
    Slash,
    Open,
    Close,
    /// A sign that no order has, such as a reversed arrow.
    Other,
}

/// The words and signs of a text, without its number (`1.`) and punctuation.
fn tokens(text: &str) -> Vec<Token> {
    // `deunicode` makes a plain dash of some arrows to the left.
    let text = text.replace(['←', '⇐', '↔', '⇔', '≠'], "<");
    let plain = capitals(&text);
    let letters: Vec<char> = plain.chars().collect();
    let mut found: Vec<Token> = Vec::new();
    let mut word = String::new();
    for (i, &letter) in letters.iter().enumerate() {
        let is_digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
        // Halves of a province are `BUR.1`, the second of equal units is `A MUN#2`.
        let is_inside = !word.is_empty() && is_digit(i + 1) && (letter == '#' || letter == '.');
        if letter.is_ascii_alphanumeric() || is_inside {
            word.push(letter);
            continue;
        }
        if letter == '\'' {
            continue;
        }
        if !word.is_empty() {
            found.push(Token::Word(std::mem::take(&mut word)));
        }
        match letter {
            '-' | '>' if found.last() != Some(&Token::Arrow) => found.push(Token::Arrow),
            '<' | '!' | '=' if letters.get(i + 1) != Some(&'>') => found.push(Token::Other),
            '/' | '\\' => found.push(Token::Slash),
            '(' | '[' => found.push(Token::Open),
            ')' | ']' => found.push(Token::Close),
            _ => {}
        }
    }
    if !word.is_empty() {
        found.push(Token::Word(word));
    }
    // The number or the dash before an item of a list.
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if matches!(&found[..], [Token::Word(number), _, ..] if is_number(number)) {
        found.remove(0);
    }
    while matches!(found.first(), Some(Token::Arrow | Token::Close)) {
        found.remove(0);
    }
    found
}

/// A word in capitals without accents.
pub(super) fn capitals(word: &str) -> String {
    deunicode::deunicode(word).to_ascii_uppercase()
}

/// The words of a name or of a part of a text, in capitals without accents, with one blank between two.
pub(super) fn plain(tokens: &[Token]) -> Option<String> {
    let mut words = Vec::new();
    for token in tokens {
        match token {
            Token::Word(word) => words.push(word.as_str()),
            Token::Arrow => {}
            _ => return None,
        }
    }
    Some(words.join(" "))
}

/// A place with the coast that was named with it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) province: ProvinceId,
    pub(super) coast: NamedCoast,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedCoast {
    None,
    /// A coast of the province.
    Of(CoastId),
    /// The province has no such coast.
    Unknown,
}

/// The names of the provinces on a board, besides their codes, in capitals without accents.
pub(in crate::reading) struct PlaceNames(Vec<PlaceName>);

struct PlaceName {
    province: ProvinceId,
    name: String,
    /// The same without blanks.
    joined: String,
}

impl PlaceNames {
    pub(in crate::reading) fn new(names: &Gazetteer, chart: &NamedMap) -> PlaceNames {
        let of_province = |(_, province): (&str, ProvinceId)| {
            let all =
                chart.full_name(province).into_iter().chain(chart.also(province).iter().map(String::as_str));
            let all = all.filter_map(|name| plain(&tokens(name)));
            all.map(move |name| PlaceName { province, joined: name.replace(' ', ""), name })
                .collect::<Vec<_>>()
        };
        PlaceNames(names.iter().flat_map(of_province).collect())
    }

    /// The provinces with a name that fits, ascending, each once.
    fn which(&self, fits: impl Fn(&PlaceName) -> bool) -> Vec<ProvinceId> {
        let mut found: Vec<ProvinceId> =
            self.0.iter().filter(|name| fits(name)).map(|name| name.province).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The words of a text, on a board.
pub(super) struct Words<'a> {
    pub(super) names: &'a Gazetteer,
    pub(super) tokens: Vec<Token>,
    called: &'a PlaceNames,
    /// What has been found at each token.
    places: RefCell<BTreeMap<usize, Vec<(Spot, usize)>>>,
}

impl<'a> Words<'a> {
    pub(super) fn new(names: &'a Gazetteer, called: &'a PlaceNames, text: &str) -> Words<'a> {
        let tokens = if text.len() > LONGEST { Vec::new() } else { tokens(text) };
        Words { names, tokens, called, places: RefCell::default() }
    }

    /// The token after this one, if it is one of these words.
    pub(super) fn word_of(&self, at: usize, words: &[&str]) -> Option<usize> {
        match self.tokens.get(at)? {
            Token::Word(word) => words.contains(&&**word).then_some(at + 1),
            _ => None,
        }
    }

    /// The token after an optional sign.
    pub(super) fn sign(&self, at: usize, sign: &Token) -> usize {
        at + usize::from(self.tokens.get(at) == Some(sign))
    }

    /// The token after an optional arrow: `-`, `/`, `to`, `moves to`.
    pub(super) fn arrow(&self, at: usize) -> usize {
        let at = self.word_of(at, MOVES).unwrap_or(at);
        match self.tokens.get(at) {
            Some(Token::Arrow | Token::Slash) => at + 1,
            _ => self.word_of(at, &["TO"]).unwrap_or(at),
        }
    }

    /// The places that can be read here, each with the token after it. If words are the whole name of a place, they are
    /// not read as a shorter name with other words behind it.
    pub(super) fn places(&self, at: usize) -> Vec<(Spot, usize)> {
        if let Some(found) = self.places.borrow().get(&at) {
            return found.clone();
        }
        let found = self.find_places(at);
        self.places.borrow_mut().insert(at, found.clone());
        found
    }

    fn find_places(&self, at: usize) -> Vec<(Spot, usize)> {
        let open = self.sign(at, &Token::Open);
        let mut named: Vec<(usize, Vec<ProvinceId>)> = Vec::new();
        for length in 1..=WORDS_OF_NAME {
            let Some(part) = self.tokens.get(open..open + length) else { break };
            let is_name = matches!([part.first(), part.last()], [Some(Token::Word(_)), Some(Token::Word(_))]);
            let Some(name) = plain(part).filter(|_| is_name) else { continue };
            let called = self.called_so(&name);
            if !called.is_empty() {
                named = vec![(open + length, called)];
            } else if let [only] = self.beginning(&name)[..] {
                named.push((open + length, vec![only]));
            }
        }
        let mut found = Vec::new();
        for (end, provinces) in named {
            for province in provinces {
                self.with_coasts(&mut found, province, end, open > at);
            }
        }
        found
    }

    /// Adds a province whose name ends here, without a coast and with the one that follows.
    fn with_coasts(&self, found: &mut Vec<(Spot, usize)>, province: ProvinceId, end: usize, is_open: bool) {
        for (coast, end) in self.coasts(province, end) {
            let is_closed = self.tokens.get(end) == Some(&Token::Close);
            if !is_open || is_closed {
                found.push((Spot { province, coast }, end + usize::from(is_open)));
            }
            // `F (Stp) sc`
            if is_open && is_closed && coast == NamedCoast::None {
                let outside = self.coasts(province, end + 1).into_iter();
                let outside = outside.filter(|(coast, _)| *coast != NamedCoast::None);
                found.extend(outside.map(|(coast, end)| (Spot { province, coast }, end)));
            }
        }
    }

    /// The provinces with this name: that with the code, or those that are called so.
    fn called_so(&self, name: &str) -> Vec<ProvinceId> {
        let code = name.split('#').next().unwrap_or(name);
        if let Some(id) = self.names.find(code) {
            return vec![id];
        }
        // `SWE DEN` is not Sweden, but `NorthSea` is the North Sea.
        self.called.which(|own| own.name == name || own.joined == name)
    }

    /// The provinces with a name that begins so.
    pub(super) fn beginning(&self, name: &str) -> Vec<ProvinceId> {
        // In `North S`, the letter is an order.
        let is_cut =
            name.len() < FEWEST_LETTERS || name.rsplit(' ').next().is_some_and(|last| last.len() == 1);
        if is_cut { Vec::new() } else { self.called.which(|own| own.name.starts_with(name)) }
    }

    /// The coast that follows a province, or none, each with the token after it.
    pub(super) fn coasts(&self, province: ProvinceId, at: usize) -> Vec<(NamedCoast, usize)> {
        let mut found = vec![(NamedCoast::None, at)];
        let sign = self.tokens.get(at).filter(|token| !matches!(token, Token::Word(_)));
        let from = at + usize::from(sign.is_some());
        let Some(Token::Word(word)) = self.tokens.get(from) else { return found };
        let coast_word = self.word_of(from + 1, &["COAST", "C"]);
        let Some(direction) = direction(word) else { return found };
        // Without a sign, `S` is a support.
        let is_clear = sign.is_some()
            || coast_word.is_some()
            || matches!(&word.as_bytes()[1..], [b'C', number @ ..] if number.iter().all(u8::is_ascii_digit));
        let end = coast_word.unwrap_or(from + 1);
        let end = match sign {
            Some(Token::Open) if self.tokens.get(end) == Some(&Token::Close) => end + 1,
            Some(Token::Open) => return found,
            // `SPA-NC`
            Some(Token::Arrow) if word.len() != 2 || coast_word.is_some() => return found,
            // `CON/S BUL`
            Some(Token::Slash) if word.len() == 1 && matches!(self.tokens.get(end), Some(Token::Word(_))) => {
                return found;
            }
            Some(Token::Other | Token::Close) => return found,
            _ => end,
        };
        if is_clear {
            let exact = self.coast(province, word);
            let is_numbered = word.ends_with(|letter: char| letter.is_ascii_digit());
            let coast = match exact {
                NamedCoast::Unknown if !is_numbered => self.coast(province, direction),
                exact => exact,
            };
            found.push((coast, end));
        }
        found
    }

    pub(super) fn coast(&self, province: ProvinceId, name: &str) -> NamedCoast {
        self.names.find_coast(province, name).map_or(NamedCoast::Unknown, NamedCoast::Of)
    }

    /// The provinces that an unknown word may mean: by its beginning, also without blanks, or with another letter.
    pub(super) fn may_be_meant(&self, word: &str) -> Vec<ProvinceId> {
        if word.len() < FEWEST_LETTERS {
            return Vec::new();
        }
        let begin = self.called.which(|own| own.name.starts_with(word) || own.joined.starts_with(word));
        // Short words are near to many.
        if !begin.is_empty() || word.len() <= FEWEST_LETTERS + 1 {
            return begin;
        }
        let near = wording::nearest(word, self.called.0.iter().map(|own| own.name.as_str()));
        self.called.which(|own| near == Some(own.name.as_str()))
    }
}

/// The name of the coast in this direction: `S`, `SC`, `SOUTH`; of several, `NC2` has a number.
pub(super) fn direction(word: &str) -> Option<&'static str> {
    Some(match word.trim_end_matches(|letter: char| letter.is_ascii_digit()) {
        "N" | "NC" | "NORTH" | "NORTHERN" => "NC",
        "S" | "SC" | "SOUTH" | "SOUTHERN" => "SC",
        "E" | "EC" | "EAST" | "EASTERN" => "EC",
        "W" | "WC" | "WEST" | "WESTERN" => "WC",
        _ => return None,
    })
}
