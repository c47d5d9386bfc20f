//! The tokens and names of a board's powers and provinces.

use std::collections::BTreeSet;

use super::Named;
use crate::frame::Name;
use crate::lexicon::is_word;
use crate::order::{PowerToken, ProvinceToken};
use crate::token::words::NAMED;
use crate::token::{ProvinceCategory, Token};

/// The standard provinces with a different name in `upheaval`: its code there, and the name in the language.
const RENAMED: [(&str, &str); 3] = [("BOT", "GOB"), ("ENG", "ECH"), ("LYO", "GOL")];

/// Words of the language that are not in its list here: brackets, and press.
const UNNUMBERED: [&str; 7] = ["BRA", "KET", "CCL", "FCT", "FOR", "FWD", "NAR"];

/// The tokens of the standard board, if all powers and provinces belong to it.
pub(super) fn standard(powers: &[&String], grounds: &[(&str, ProvinceCategory)]) -> Option<Named> {
    let tokens = || NAMED.iter().map(|&(name, token)| (name, token));
    let mut named = Named::new();
    for &power in powers {
        let token = tokens().filter_map(|(name, token)| Some((name, PowerToken::of(token)?)));
        let (_, token) = token.into_iter().find(|(name, _)| power.get(..3) == Some(name))?;
        named.powers.insert(power.clone(), token);
    }
    for (code, ground) in grounds {
        let name = RENAMED.iter().find(|(own, _)| own == code).map_or(*code, |(_, name)| *name);
        let mut provinces = tokens().filter_map(|(name, token)| Some((name, ProvinceToken::of(token)?)));
        let (_, token) = provinces.find(|(standard, _)| *standard == name)?;
        if token.ground() != *ground {
            return None;
        }
        named.provinces.insert((*code).to_owned(), token);
    }
    let powers_left =
        tokens().filter(|(_, token)| PowerToken::of(*token).is_some()).count() - named.powers.len();
    let left =
        tokens().filter(|(_, token)| ProvinceToken::of(*token).is_some()).count() - named.provinces.len();
    (powers_left == 0 && left == 0 && powers.len() == named.powers.len()).then_some(named)
}

/// Tokens and names for any other board.
pub(super) fn own(powers: &[&String], grounds: &[(&str, ProvinceCategory)]) -> Named {
    let mut named = Named::new();
    let mut names = Names::new();
    // Codes that are valid names are reserved first, so that no other province takes them.
    let codes = grounds.iter().map(|(code, _)| *code);
    names.keep(codes.clone());
    let mut number = 0_u16..;
    for power in powers {
        let token = Token::from_code(0x4100 + number.next().unwrap_or_default());
        if let (Some(of), Some(name)) = (PowerToken::of(token), names.name(power)) {
            named.powers.insert((*power).clone(), of);
            named.enter(token, name);
        }
    }
    // Numbered by category, then by code, as on the standard board.
    let mut sorted: Vec<(u8, &str)> =
        grounds.iter().map(|(code, ground)| (ground.category(), *code)).collect();
    sorted.sort_unstable();
    for (number, (category, code)) in (0_u16..).zip(sorted) {
        let token = Token::from_code((u16::from(category) << 8) + (number & 0xff));
        let name = names.kept(code).or_else(|| names.name(code));
        if let (Some(of), Some(name)) = (ProvinceToken::of(token), name) {
            named.provinces.insert(code.to_owned(), of);
            named.enter(token, name);
        }
    }
    named
}

/// Names that are taken, or have a meaning in the language.
struct Names {
    taken: BTreeSet<Name>,
    kept: BTreeSet<Name>,
}

impl Names {
    fn new() -> Names {
        let words = NAMED.iter().filter(|(_, token)| is_word(*token));
        let mut taken: BTreeSet<Name> = words.filter_map(|(name, _)| Name::new(name)).collect();
        taken.extend(UNNUMBERED.iter().filter_map(|name| Name::new(name)));
        Names { taken, kept: BTreeSet::new() }
    }

    /// Reserves the names of provinces whose code is a valid name.
    fn keep<'a>(&mut self, codes: impl Iterator<Item = &'a str>) {
        for name in codes.filter_map(Name::new).filter(is_no_number) {
            if self.taken.insert(name) {
                self.kept.insert(name);
            }
        }
    }

    /// The name reserved for this code.
    fn kept(&self, code: &str) -> Option<Name> {
        Name::new(code).filter(|name| self.kept.contains(name))
    }

    /// A free name that resembles the beginning of the code as far as possible.
    fn name(&mut self, code: &str) -> Option<Name> {
        const DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let letters: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
        let start = |letters_kept: usize| format!("{letters:X<3}").get(..letters_kept).map(str::to_owned);
        let one = DIGITS.chars().map(String::from);
        let two = DIGITS.chars().flat_map(|a| DIGITS.chars().map(move |b| format!("{a}{b}")));
        let tries = [(3, String::new())].into_iter();
        let tries = tries.chain(one.map(|end| (2, end))).chain(two.map(|end| (1, end)));
        let names = tries.filter_map(|(kept, end)| Name::new(&(start(kept)? + &end)));
        let free = names.into_iter().find(|name| is_no_number(name) && !self.taken.contains(name))?;
        self.taken.insert(free);
        Some(free)
    }
}

/// Would the name be read as a number? A name made only of digits would.
fn is_no_number(name: &Name) -> bool {
    name.as_str().bytes().any(|byte| byte.is_ascii_uppercase())
}
