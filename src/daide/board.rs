//! A fixed board in the tokens of the language.
//!
//! The standard board has the tokens that the protocol assigns to it. On any other board, provinces are
//! numbered by category and then by name, as the protocol requires, and each has a name of three letters or
//! digits.

mod naming;

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::frame::{Name, NamedToken};
use crate::lexicon::Lexicon;
use crate::order::{Coast, DaidePlace, PowerToken, ProvinceToken, UnitClass};
use crate::sentence::Sentence;
use crate::token::words::{AMY, FLT, MDF, UNO};
use crate::token::{Centre, ProvinceCategory, Token, UnitAccess};
use crate::told::{BoardFace, NewGame};

/// The largest number of provinces: the lower byte of their tokens numbers them.
const MOST_PROVINCES: usize = 256;

/// The largest number of powers.
const MOST_POWERS: usize = 256;

/// The hash of the definition of the standard board ([`DaideBoard::hash`]), by which it is recognised so that
/// it gets its published name.
const STANDARD_HASH: u64 = 0xc17a_7ff5_9be3_704a;

/// Why a game cannot be played in DAIDE.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unplayable {
    /// The rules have features that the language cannot express.
    #[error("`{variant}` cannot be played in DAIDE: {why}")]
    Rules {
        /// The variant.
        variant: String,
        /// The reason.
        why: String,
    },
    /// The language cannot describe the board.
    #[error("the board of `{variant}` cannot be expressed in DAIDE: {why}")]
    Board {
        /// The variant.
        variant: String,
        /// The reason.
        why: String,
    },
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
    pub(crate) fn new(game: &NewGame) -> Result<DaideBoard, Unplayable> {
        check_rules(game)?;
        let fault = |why: String| Unplayable::Board { variant: game.variant.clone(), why };
        let faces: Vec<(&String, &BoardFace)> =
            game.map.faces.iter().filter(|(_, face)| face.kind == "land" || face.kind == "sea").collect();
        let powers: Vec<&String> = game.rules.units.keys().collect();
        if faces.len() > MOST_PROVINCES || powers.len() > MOST_POWERS {
            return Err(fault(format!(
                "it has {} provinces and {} powers; there are tokens for {MOST_PROVINCES} and {MOST_POWERS}",
                faces.len(),
                powers.len()
            )));
        }
        let grounds: Vec<(&str, ProvinceCategory)> =
            faces.iter().map(|(code, face)| (code.as_str(), ground(face))).collect();
        let named = naming::standard(&powers, &grounds).unwrap_or_else(|| naming::own(&powers, &grounds));
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
                    format!("`{code}` has a coast `{name}`; the language has the eight bearings, each once")
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
            UnitClass::Fleet => ways.fleet.get(&from.coast).is_some_and(|places| {
                places.iter().any(|place| {
                    place.province == to.province && (to.coast.is_none() || place.coast == to.coast)
                })
            }),
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
        self.provinces.keys().copied().filter(|province| province.ground().centre == Centre::Yes)
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
        let others = self.provinces.keys().filter(|province| province.ground().centre == Centre::No);
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
    ProvinceCategory { shape, centre: if face.supply_centre { Centre::Yes } else { Centre::No } }
}

fn check_rules(game: &NewGame) -> Result<(), Unplayable> {
    let refuse = |why: String| Err(Unplayable::Rules { variant: game.variant.clone(), why });
    if !game.rules.mechanisms.is_empty() {
        return refuse(
            "it has mechanisms that change the map or add orders; the language only has boards that do not change"
                .to_owned(),
        );
    }
    if game.rules.retreats_sent.as_deref() == Some("with-orders") {
        return refuse(
            "retreats are sent with the orders, and the language does not have words for that".to_owned(),
        );
    }
    for switch in ["army_fleets", "army_becomes_fleet"] {
        if game.rules.rulebook.contains_key(switch) {
            return refuse(format!(
                "its rulebook has `{switch}`, and the language does not have words for that"
            ));
        }
    }
    Ok(())
}

/// The powers, provinces and names of a board.
struct Named {
    powers: BTreeMap<String, PowerToken>,
    provinces: BTreeMap<String, ProvinceToken>,
    entries: Vec<NamedToken>,
}

impl Named {
    fn new() -> Named {
        Named { powers: BTreeMap::new(), provinces: BTreeMap::new(), entries: Vec::new() }
    }

    fn enter(&mut self, token: Token, name: Name) {
        self.entries.push(NamedToken { token, name });
    }
}

#[cfg(test)]
pub(crate) mod tests;
