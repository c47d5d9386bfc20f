//! A fixed board in the tokens of the language.
//!
//! The standard board has the tokens that the protocol assigns to it. On any other board, provinces are
//! numbered by category and then by name, as the protocol requires, and each has a name of three letters or
//! digits. Units and orders of the board are translated to and from the text notation of `upheaval`: `A PAR - BUR`,
//! `F MAO - SPA/SC`.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::frame::{Name, NamedToken};
use crate::lexicon::Lexicon;
use crate::order::{Act, Coast, DaideOrder, DaidePlace, DaideUnit, PowerToken, ProvinceToken, UnitClass};
use crate::request::{BoardFace, NewGame};
use crate::token::words::{AMY, FLT, MDF, NAMED, UNO};
use crate::token::{ProvinceCategory, Sentence, Token, UnitAccess};

/// The largest number of provinces: the lower byte of their tokens numbers them.
const MOST_PROVINCES: usize = 256;

/// The largest number of powers.
const MOST_POWERS: usize = 256;

/// The hash of the definition of the standard board ([`DaideBoard::hash`]), by which it is recognised so that
/// it gets its published name.
const STANDARD_HASH: u64 = 0xc17a_7ff5_9be3_704a;

/// Why a game cannot be played in DAIDE, or cannot continue.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct DaideError(pub(crate) String);

impl DaideError {
    /// The language cannot express the board of a variant.
    pub(crate) fn of_board(game: &NewGame, why: &str) -> DaideError {
        DaideError(format!("the board of `{}` cannot be expressed in DAIDE: {why}", game.variant))
    }
}

/// A province and the moves from it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ways {
    code: String,
    army: BTreeSet<ProvinceToken>,
    fleet: BTreeMap<Option<Coast>, BTreeSet<DaidePlace>>,
}

/// The board.
#[derive(Clone, Debug)]
pub struct DaideBoard {
    powers: BTreeMap<PowerToken, String>,
    power_of: BTreeMap<String, PowerToken>,
    provinces: BTreeMap<ProvinceToken, Ways>,
    province_of: BTreeMap<String, ProvinceToken>,
    /// The powers of which each centre is a home.
    homes: BTreeMap<ProvinceToken, BTreeSet<PowerToken>>,
    /// The entries of the representation message.
    entries: Vec<NamedToken>,
    name: String,
}

impl DaideBoard {
    /// The board of a game.
    ///
    /// # Errors
    /// The language cannot express the variant or its board.
    pub(crate) fn new(game: &NewGame) -> Result<DaideBoard, DaideError> {
        check_rules(game)?;
        let fault = |why: String| DaideError::of_board(game, &why);
        let faces: Vec<(&String, &BoardFace)> = game
            .map
            .faces
            .iter()
            .filter(|(_, face)| matches!(face.kind.as_str(), "land" | "sea" | "ice"))
            .collect();
        let powers: Vec<&String> = game.rules.units.keys().collect();
        if faces.len() > MOST_PROVINCES || powers.len() > MOST_POWERS {
            return Err(fault(format!(
                "it has {} provinces and {} powers; DAIDE has tokens for at most {MOST_PROVINCES} and {MOST_POWERS}",
                faces.len(),
                powers.len()
            )));
        }
        let grounds: Vec<(&str, ProvinceCategory)> =
            faces.iter().map(|(code, face)| (code.as_str(), ground(face))).collect();
        let named = standard_tokens(&powers, &grounds).unwrap_or_else(|| own_tokens(&powers, &grounds));
        let mut board = DaideBoard {
            powers: named.powers.iter().map(|(code, power)| (*power, code.clone())).collect(),
            power_of: named.powers,
            provinces: BTreeMap::new(),
            province_of: named.provinces,
            homes: BTreeMap::new(),
            entries: named.entries,
            name: String::new(),
        };
        for (code, face) in &faces {
            let ways = board.ways(code, face).map_err(fault)?;
            let province = board.province(code).ok_or_else(|| fault(format!("`{code}` has no token")))?;
            board.provinces.insert(province, ways);
        }
        for (power, homes) in &game.rules.homes {
            for home in homes {
                let home = board.province(home);
                let (Some(power), Some(home)) = (board.power(power), home) else { continue };
                board.homes.entry(home).or_default().insert(power);
            }
        }
        board.name = match board.hash() {
            STANDARD_HASH => "standard".to_owned(),
            hash => format!("upheaval_{hash:016x}"),
        };
        Ok(board)
    }

    fn ways(&self, code: &str, face: &BoardFace) -> Result<Ways, String> {
        let unknown = |to: &str| format!("`{code}` leads to `{to}`, which is not a place of the board");
        let army = face.army.iter().map(|to| self.province(to).ok_or_else(|| unknown(to)));
        let mut fleet = BTreeMap::new();
        for (coast, places) in &face.fleet {
            let coast = match coast.as_str() {
                "" => None,
                name => Some(Coast::named(name).ok_or_else(|| {
                    format!(
                        "`{code}` has a coast `{name}`, but DAIDE names coasts only by the eight bearings"
                    )
                })?),
            };
            let places = places.iter().map(|to| self.place(to).ok_or_else(|| unknown(to)));
            fleet.insert(coast, places.collect::<Result<_, _>>()?);
        }
        Ok(Ways { code: code.to_owned(), army: army.collect::<Result<_, _>>()?, fleet })
    }

    /// Its name in the language: `standard`, or one that is unique to the board.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The entries of the representation message: none for the standard board.
    pub fn entries(&self) -> &[NamedToken] {
        &self.entries
    }

    /// The names of its tokens.
    pub fn lexicon(&self) -> Lexicon {
        if self.entries.is_empty() { Lexicon::standard() } else { Lexicon::with(&self.entries) }
    }

    /// The powers.
    pub(crate) fn powers(&self) -> impl Iterator<Item = PowerToken> {
        self.powers.keys().copied()
    }

    /// The power with this name in `upheaval`.
    pub(crate) fn power(&self, name: &str) -> Option<PowerToken> {
        self.power_of.get(name).copied()
    }

    /// The province with this code in `upheaval`.
    pub(crate) fn province(&self, code: &str) -> Option<ProvinceToken> {
        self.province_of.get(code).copied()
    }

    /// The place with this text in `upheaval`: `PAR`, `SPA/SC`.
    pub(crate) fn place(&self, text: &str) -> Option<DaidePlace> {
        match text.split_once('/') {
            None => self.province(text).map(DaidePlace::from),
            Some((code, coast)) => {
                Some(DaidePlace { province: self.province(code)?, coast: Some(Coast::named(coast)?) })
            }
        }
    }

    /// The code of a province in `upheaval`; `None` if it is not on the board.
    pub(crate) fn code(&self, province: ProvinceToken) -> Option<&str> {
        self.provinces.get(&province).map(|ways| ways.code.as_str())
    }

    /// The text of a place in `upheaval`; `None` if it is not on the board.
    pub(crate) fn text(&self, place: DaidePlace) -> Option<String> {
        let code = self.code(place.province)?;
        Some(match place.coast {
            None => code.to_owned(),
            Some(coast) => format!("{code}/{}", coast.name()),
        })
    }

    /// Can a unit of this kind move between the two places without a convoy? A destination without a coast
    /// means any coast.
    pub(crate) fn is_next(&self, kind: UnitClass, from: DaidePlace, to: DaidePlace) -> bool {
        let Some(ways) = self.provinces.get(&from.province) else { return false };
        match kind {
            UnitClass::Army => ways.army.contains(&to.province),
            UnitClass::Fleet => {
                ways.fleet.get(&from.coast).is_some_and(|places| places.iter().any(|place| place.fits(to)))
            }
        }
    }

    /// The coasts of a province that a fleet in this place can move to; a single coast has no name.
    pub(crate) fn coasts_reached(&self, from: DaidePlace, to: ProvinceToken) -> Vec<Option<Coast>> {
        let places = self.provinces.get(&from.province).and_then(|ways| ways.fleet.get(&from.coast));
        let coasts = places.into_iter().flatten().filter(|place| place.province == to);
        coasts.map(|place| place.coast).collect()
    }

    /// The seas and coastal provinces that fleets can move to from a province, from any of its coasts.
    pub(crate) fn by_water(&self, from: ProvinceToken) -> BTreeSet<ProvinceToken> {
        let ways = self.provinces.get(&from).into_iter();
        ways.flat_map(|ways| ways.fleet.values().flatten()).map(|place| place.province).collect()
    }

    /// The centres.
    pub(crate) fn centres(&self) -> impl Iterator<Item = ProvinceToken> {
        self.provinces.keys().copied().filter(|province| province.ground().is_centre)
    }

    /// Is the centre a home of the power?
    pub(crate) fn is_home(&self, centre: ProvinceToken, power: PowerToken) -> bool {
        self.homes.get(&centre).is_some_and(|powers| powers.contains(&power))
    }

    /// The definition of the board.
    pub(crate) fn definition(&self) -> Sentence {
        let powers = self.powers.keys().map(|power| power.token());
        Sentence::new(MDF)
            .group(|s| s.words(powers))
            .group(|s| s.group(|s| self.write_centres(s)).group(|s| s.words(self.others())))
            .group(|s| {
                self.provinces.iter().fold(s, |s, (province, ways)| s.group(|s| ways.write(*province, s)))
            })
    }

    fn others(&self) -> impl Iterator<Item = Token> {
        let others = self.provinces.keys().filter(|province| !province.ground().is_centre);
        others.map(|province| province.token())
    }

    /// The centres by the powers whose homes they are, followed by those that are not homes.
    fn write_centres(&self, to: Sentence) -> Sentence {
        let mut groups: BTreeMap<Vec<PowerToken>, Vec<Token>> = BTreeMap::new();
        for centre in self.centres() {
            let owners = self.homes.get(&centre).into_iter().flatten().copied().collect();
            groups.entry(owners).or_default().push(centre.token());
        }
        let neutral = groups.remove(&Vec::new());
        let to = groups.into_iter().fold(to, |to, (powers, centres)| {
            to.group(|s| {
                let powers: Vec<Token> = powers.iter().map(|power| power.token()).collect();
                let s = match powers[..] {
                    [one] => s.word(one),
                    _ => s.group(|s| s.words(powers)),
                };
                s.words(centres)
            })
        });
        neutral.into_iter().fold(to, |to, centres| to.group(|s| s.word(UNO).words(centres)))
    }

    /// A hash of the definition (FNV-1a), which distinguishes boards.
    pub(crate) fn hash(&self) -> u64 {
        let bytes = self.definition().into_tokens().into_iter().flat_map(|token| token.code().to_be_bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

impl Ways {
    fn write(&self, province: ProvinceToken, to: Sentence) -> Sentence {
        let to = to.word(province.token());
        let armies = self.army.iter().map(|next| next.token());
        let to = match province.ground().shape {
            UnitAccess::Sea => to,
            _ => to.group(|s| s.word(AMY).words(armies)),
        };
        self.fleet.iter().fold(to, |to, (coast, places)| {
            to.group(|s| {
                let s = match coast {
                    None => s.word(FLT),
                    Some(coast) => s.group(|s| s.word(FLT).word(coast.token())),
                };
                places.iter().fold(s, |s, place| place.write(s))
            })
        })
    }
}

fn ground(face: &BoardFace) -> ProvinceCategory {
    let shape = match (face.kind.as_str(), face.fleet.contains_key(""), face.fleet.is_empty()) {
        ("sea", ..) => UnitAccess::Sea,
        (_, _, true) => UnitAccess::Inland,
        (_, true, _) => UnitAccess::Coastal,
        (_, false, _) => UnitAccess::Bicoastal,
    };
    ProvinceCategory { shape, is_centre: face.supply_centre }
}

fn check_rules(game: &NewGame) -> Result<(), DaideError> {
    let switch = ["army_fleets", "army_becomes_fleet"]
        .into_iter()
        .find(|switch| game.rules.rulebook.contains_key(*switch));
    let why = match switch {
        _ if !game.rules.changes.is_empty() => {
            "it has changes of the map, but boards in DAIDE do not change".to_owned()
        }
        _ if game.rules.retreats_sent.as_deref() == Some("with-orders") => {
            "retreats are sent with the orders, but DAIDE has no words for that".to_owned()
        }
        Some(switch) => format!("its rulebook has `{switch}`, but DAIDE has no words for that"),
        None => return Ok(()),
    };
    Err(DaideError(format!("`{}` cannot be played in DAIDE: {why}", game.variant)))
}

/// The powers, provinces and names of a board.
#[derive(Default)]
struct Named {
    powers: BTreeMap<String, PowerToken>,
    provinces: BTreeMap<String, ProvinceToken>,
    entries: Vec<NamedToken>,
}

/// The standard provinces with a different name in `upheaval`: its code there, and the name in the language.
const RENAMED: [(&str, &str); 3] = [("BOT", "GOB"), ("ENG", "ECH"), ("LYO", "GOL")];

/// Words of the language that are not in its list here: brackets, and press.
const UNNUMBERED: [&str; 7] = ["BRA", "KET", "CCL", "FCT", "FOR", "FWD", "NAR"];

/// The tokens of the standard board, if all powers and provinces belong to it.
fn standard_tokens(powers: &[&String], grounds: &[(&str, ProvinceCategory)]) -> Option<Named> {
    let tokens = || NAMED.iter().copied();
    let mut named = Named::default();
    for &power in powers {
        let mut tokens = tokens().filter_map(|(name, token)| Some((name, PowerToken::of(token)?)));
        let (_, token) = tokens.find(|(name, _)| power.get(..3) == Some(name))?;
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
    let standard = |is_one: fn(Token) -> bool| tokens().filter(|(_, token)| is_one(*token)).count();
    let distinct: BTreeSet<PowerToken> = named.powers.values().copied().collect();
    let has_all = distinct.len() == powers.len()
        && powers.len() == standard(|token| PowerToken::of(token).is_some())
        && named.provinces.len() == standard(|token| ProvinceToken::of(token).is_some());
    has_all.then_some(named)
}

/// Tokens and names for any other board.
fn own_tokens(powers: &[&String], grounds: &[(&str, ProvinceCategory)]) -> Named {
    let mut named = Named::default();
    let words = NAMED.iter().filter(|(_, token)| token.is_word()).map(|(name, _)| *name);
    let mut taken: BTreeSet<Name> = words.chain(UNNUMBERED).filter_map(Name::new).collect();
    // Codes that are valid names are reserved first, so that no other province takes them.
    let codes = grounds.iter().filter_map(|(code, _)| Name::new(code));
    let kept: BTreeSet<Name> = codes.filter(|name| is_no_number(name) && !taken.contains(name)).collect();
    taken.extend(&kept);
    for (power, code) in powers.iter().zip(0x4100..) {
        let token = Token::from_code(code);
        if let (Some(of), Some(name)) = (PowerToken::of(token), free_name(&mut taken, power)) {
            named.powers.insert((*power).clone(), of);
            named.entries.push(NamedToken { token, name });
        }
    }
    // Numbered by category, then by code, as on the standard board.
    let mut sorted: Vec<(u8, &str)> =
        grounds.iter().map(|(code, ground)| (ground.category(), *code)).collect();
    sorted.sort_unstable();
    for (number, (category, code)) in (0_u16..).zip(sorted) {
        let token = Token::from_code((u16::from(category) << 8) + (number & 0xff));
        let own = Name::new(code).filter(|name| kept.contains(name));
        let name = own.or_else(|| free_name(&mut taken, code));
        if let (Some(of), Some(name)) = (ProvinceToken::of(token), name) {
            named.provinces.insert(code.to_owned(), of);
            named.entries.push(NamedToken { token, name });
        }
    }
    named
}

/// A name that is not taken yet, which resembles the beginning of the code as far as possible.
fn free_name(taken: &mut BTreeSet<Name>, code: &str) -> Option<Name> {
    const DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let letters: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    let start = |letters_kept: usize| format!("{letters:X<3}").get(..letters_kept).map(str::to_owned);
    let one = DIGITS.chars().map(String::from);
    let two = DIGITS.chars().flat_map(|a| DIGITS.chars().map(move |b| format!("{a}{b}")));
    let tries = [(3, String::new())].into_iter();
    let tries = tries.chain(one.map(|end| (2, end))).chain(two.map(|end| (1, end)));
    let mut names = tries.filter_map(|(kept, end)| Name::new(&(start(kept)? + &end)));
    let free = names.find(|name| is_no_number(name) && !taken.contains(name))?;
    taken.insert(free);
    Some(free)
}

/// Would the name be read as a number? A name made only of digits would.
fn is_no_number(name: &Name) -> bool {
    name.as_str().bytes().any(|byte| byte.is_ascii_uppercase())
}

/// A power's unit with this text: `A PAR`, `F STP/NC`. The number of one of several equal units is ignored.
pub(crate) fn read_unit(board: &DaideBoard, power: PowerToken, text: &str) -> Option<DaideUnit> {
    let (first, place) = text.split_once(' ')?;
    let place = place.split_once('#').map_or(place, |(place, _)| place);
    Some(DaideUnit { power, kind: UnitClass::of_letter(first)?, place: board.place(place)? })
}

/// The text of a unit of this board.
pub(crate) fn unit_text(board: &DaideBoard, unit: DaideUnit) -> Option<String> {
    Some(format!("{} {}", unit.kind.letter(), board.text(unit.place)?))
}

/// The text of an order that names only places of the board. The seas of a convoy are left out.
pub(crate) fn order_text(board: &DaideBoard, order: &DaideOrder) -> Option<String> {
    let DaideOrder::To(of, act) = order else { return Some("WAIVE".to_owned()) };
    let text = |unit: &DaideUnit| unit_text(board, *unit);
    let code = |of: &ProvinceToken| board.code(*of);
    let act = match act {
        Act::Hold => "H".to_owned(),
        Act::Move(to) => format!("- {}", board.text(*to)?),
        Act::SupportHold(other) => format!("S {}", text(other)?),
        Act::SupportMove(other, to) => format!("S {} - {}", text(other)?, code(to)?),
        Act::Convoy(army, to) => format!("C {} - {}", text(army)?, code(to)?),
        Act::MoveByConvoy(to, _) => format!("- {} VIA", code(&to.province)?),
        Act::Retreat(to) => format!("R {}", board.text(*to)?),
        Act::Disband | Act::Remove => "D".to_owned(),
        Act::Build => "B".to_owned(),
    };
    Some(format!("{} {act}", text(of)?))
}

#[cfg(test)]
pub(crate) mod tests;
