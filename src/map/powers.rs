//! The powers of a board: how many there are, and their names.
//!
//! A board has from 2 to 34 powers, in the order of their names, which is the order of every table. A
//! [`Power`] is a number, as a province is; its name is in the list of the board, [`PowerNames`]:
//!
//! ```text
//!    Power ── index ──▶ PowerNames   0  AUSTRIA  Austria  Austrian  A  #d55e00
//!                                    1  ENGLAND  England  English   E  #0072b2   …
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use arrayvec::ArrayVec;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The largest number of powers of a board: the number of centres on the standard board.
pub const MAX_POWERS: usize = 34;

/// A power of a board: its index among the powers of the board, whose [`PowerNames`] have its name.
///
/// ```
/// use upheaval_map::ids::{Power, PowerNames};
/// let names = PowerNames::standard();
/// assert_eq!(names.find("FRANCE"), Some(Power::FRANCE));
/// assert_eq!((names.name(Power::FRANCE), Power::FRANCE.index()), ("FRANCE", 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Power(u8);

/// The number of powers of a board, from 2 to 34.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Powers(u8);

/// The names of a board's powers, with everything else that the board says about them. Clones share the list.
///
/// ```
/// use upheaval_map::ids::PowerNames;
/// let names = PowerNames::of_names(["RED", "BLUE"])?;
/// assert_eq!(names.to_string(), "BLUE RED");
/// assert_eq!(names.find("RED").map(|power| power.index()), Some(1));
/// # Ok::<(), upheaval_map::ids::PowersError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PowerNames(Arc<[PowerInfo]>);

/// What a board says about a power.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct PowerInfo {
    /// In capitals, as files and orders write it: `FRANCE`.
    pub name: String,
    /// As written in prose: `France`.
    pub proper_name: String,
    /// `French`.
    pub adjective: String,
    /// The single letter or digit that represents the power where there is little room.
    pub mark: char,
    /// Red, green and blue.
    pub colour: [u8; 3],
}

/// What a map file says about a power. Anything that it leaves out is generated so that the powers can be
/// told apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct PowerDraft {
    pub name: String,
    /// `France`; by default the name in lower case with a capital first letter.
    pub proper_name: Option<String>,
    /// `French`; by default the proper name.
    pub adjective: Option<String>,
    /// By default the first letter of the name that no other power uses.
    pub mark: Option<char>,
    /// By default a colour that no other power uses.
    pub colour: Option<[u8; 3]>,
}

/// Why a list of powers cannot be used for a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum PowersError {
    #[error("a board has from 2 to {MAX_POWERS} powers, not {0}")]
    Number(usize),
    #[error(
        "`{0}` is not a name of a power: a capital letter, and then capital letters, digits, `_` or `-`, 32 at most"
    )]
    Name(String),
    #[error("two powers are called {0}")]
    Twice(String),
    #[error("`{0}` and `{1}` differ only in case; list a power once, in capital letters")]
    Alike(String, String),
    #[error("{0}: `{1}` is not a mark (expected a capital letter or a digit)")]
    Mark(String, char),
    #[error("{0} and {1} have the same mark, {2}")]
    MarkTwice(String, String, char),
}

impl Power {
    /// The index among the powers of its board, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The powers of the standard board.
#[allow(missing_docs)]
impl Power {
    pub const AUSTRIA: Power = Power(0);
    pub const ENGLAND: Power = Power(1);
    pub const FRANCE: Power = Power(2);
    pub const GERMANY: Power = Power(3);
    pub const ITALY: Power = Power(4);
    pub const RUSSIA: Power = Power(5);
    pub const TURKEY: Power = Power(6);

    /// All powers of the standard board in order.
    pub const STANDARD: [Power; 7] = [
        Power::AUSTRIA,
        Power::ENGLAND,
        Power::FRANCE,
        Power::GERMANY,
        Power::ITALY,
        Power::RUSSIA,
        Power::TURKEY,
    ];
}

impl Powers {
    /// The powers of the standard board.
    pub const STANDARD: Powers = Powers::first(Power::STANDARD.len());

    /// The first powers, of which there are at most 34.
    #[inline]
    pub(crate) const fn first(number: usize) -> Powers {
        Powers(number as u8)
    }

    /// The number of powers.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "there are at least two")]
    pub const fn len(self) -> usize {
        self.0 as usize
    }

    /// The powers in their order.
    #[inline]
    pub fn iter(self) -> impl ExactSizeIterator<Item = Power> + DoubleEndedIterator + Clone + use<> {
        self.into_iter()
    }

    /// The power with this index.
    pub fn get(self, index: usize) -> Option<Power> {
        self.iter().nth(index)
    }
}

impl IntoIterator for Powers {
    type Item = Power;
    type IntoIter = std::iter::Map<std::ops::Range<u8>, fn(u8) -> Power>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        (0..self.0).map(Power)
    }
}

impl PowerNames {
    /// The powers with these names.
    ///
    /// # Errors
    /// The names cannot be the powers of a board.
    pub fn of_names<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Result<PowerNames, PowersError> {
        let draft = |name: T| PowerDraft { name: name.into(), ..PowerDraft::default() };
        PowerNames::new(names.into_iter().map(draft).collect())
    }

    /// The powers that a map file describes.
    ///
    /// # Errors
    /// The drafts cannot be the powers of a board.
    pub fn new(mut drafts: Vec<PowerDraft>) -> Result<PowerNames, PowersError> {
        drafts.sort_by(|a, b| a.name.cmp(&b.name));
        check(&drafts)?;
        Ok(PowerNames(fill_in(drafts)))
    }

    /// The powers of the standard board.
    pub fn standard() -> PowerNames {
        let draft =
            |(name, ..): &(&str, &str, usize)| PowerDraft { name: (*name).to_owned(), ..Default::default() };
        PowerNames(fill_in(STANDARD.iter().map(draft).collect()))
    }

    /// The powers.
    #[inline]
    pub fn powers(&self) -> Powers {
        Powers::first(self.0.len())
    }

    /// What the board says about a power.
    pub fn info(&self, power: Power) -> &PowerInfo {
        &self.0[power.index()]
    }

    /// The name in capitals, as files and orders write it.
    pub fn name(&self, power: Power) -> &str {
        &self.info(power).name
    }

    /// The names in capitals, in the order of the powers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.0.iter().map(|info| info.name.as_str())
    }

    /// What the board says about each power, in their order.
    pub fn infos(&self) -> &[PowerInfo] {
        &self.0
    }

    /// What the board says about the power with this name.
    pub fn described(&self, name: &str) -> Option<&PowerInfo> {
        self.find(name).map(|power| self.info(power))
    }

    /// The proper name of the power with this name; any other word is unchanged.
    pub fn proper<'a>(&'a self, name: &'a str) -> &'a str {
        self.described(name).map_or(name, |info| &info.proper_name)
    }

    /// The power with this name.
    pub fn find(&self, name: &str) -> Option<Power> {
        self.powers().iter().find(|&power| self.name(power) == name)
    }

    /// The power with this name.
    ///
    /// # Errors
    /// There is no such power; the error lists the powers of the board.
    pub fn named(&self, name: &str) -> Result<Power, UnknownPower> {
        self.find(name).ok_or_else(|| UnknownPower { name: name.to_owned(), powers: self.clone() })
    }

    /// Values of powers as a map from the names, which is in the order of the powers.
    pub fn by_name<T>(&self, values: impl IntoIterator<Item = (Power, T)>) -> BTreeMap<String, T> {
        values.into_iter().map(|(power, value)| (self.name(power).to_owned(), value)).collect()
    }
}

/// The names, separated by spaces.
impl fmt::Display for PowerNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.iter().enumerate() {
            write!(f, "{}{name}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// A list of all that is known about each power.
impl Serialize for PowerNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&*self.0)
    }
}

impl<'de> Deserialize<'de> for PowerNames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PowerNames, D::Error> {
        let listed = Vec::<PowerInfo>::deserialize(deserializer)?;
        let draft = |PowerInfo { name, proper_name, adjective, mark, colour }| PowerDraft {
            name,
            proper_name: Some(proper_name),
            adjective: Some(adjective),
            mark: Some(mark),
            colour: Some(colour),
        };
        PowerNames::new(listed.into_iter().map(draft).collect()).map_err(serde::de::Error::custom)
    }
}

/// A word that does not name a power of the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a power; the powers are {powers}")]
pub struct UnknownPower {
    /// The word that was given.
    pub name: String,
    /// The powers of the board.
    pub powers: PowerNames,
}

/// The powers of the standard board: name, adjective, and index of the colour.
const STANDARD: [(&str, &str, usize); 7] = [
    ("AUSTRIA", "Austrian", 0),
    ("ENGLAND", "English", 1),
    ("FRANCE", "French", 2),
    ("GERMANY", "German", 3),
    ("ITALY", "Italian", 4),
    ("RUSSIA", "Russian", 5),
    ("TURKEY", "Turkish", 6),
];

/// Colours that everybody can tell apart, as far as that is possible for 34: first those of Okabe and Ito
/// (*Color Universal Design*, 2008), with dark grey in place of black; then each one as far as possible from
/// all earlier ones and from land, sea and paper in the Oklab space, both for full colour vision and for
/// colour blindness.
const COLOURS: [[u8; 3]; MAX_POWERS] = [
    [0xd5, 0x5e, 0x00],
    [0x00, 0x72, 0xb2],
    [0x56, 0xb4, 0xe9],
    [0x3a, 0x3a, 0x3a],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xf0, 0xe4, 0x42],
    [0xbb, 0x00, 0xff],
    [0x00, 0x00, 0xaa],
    [0xaa, 0x00, 0x77],
    [0x44, 0xcc, 0x00],
    [0x55, 0x66, 0x00],
    [0xff, 0xaa, 0x88],
    [0x33, 0x22, 0xff],
    [0xff, 0x99, 0xff],
    [0x99, 0x00, 0x00],
    [0x00, 0xff, 0xbb],
    [0x77, 0x00, 0xbb],
    [0xff, 0x00, 0xcc],
    [0x55, 0x00, 0x66],
    [0xee, 0x00, 0x66],
    [0x88, 0x66, 0x77],
    [0x44, 0x88, 0xff],
    [0x77, 0xcc, 0xaa],
    [0xcc, 0x99, 0x00],
    [0x00, 0xff, 0x00],
    [0xcc, 0x77, 0xff],
    [0xaa, 0x55, 0xbb],
    [0x44, 0x44, 0x88],
    [0x00, 0x66, 0x66],
    [0x66, 0x00, 0x11],
    [0xcc, 0x11, 0x11],
    [0x88, 0x88, 0x00],
    [0xff, 0x77, 0x66],
];

fn check(drafts: &[PowerDraft]) -> Result<(), PowersError> {
    if !(2..=MAX_POWERS).contains(&drafts.len()) {
        return Err(PowersError::Number(drafts.len()));
    }
    for (i, PowerDraft { name, .. }) in drafts.iter().enumerate() {
        let is_like = |other: &&PowerDraft| other.name != *name && other.name.eq_ignore_ascii_case(name);
        if let Some(other) = drafts[..i].iter().find(is_like) {
            return Err(PowersError::Alike(other.name.clone(), name.clone()));
        }
    }
    let in_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_' || c == '-';
    for (i, PowerDraft { name, mark, .. }) in drafts.iter().enumerate() {
        let begins_well = name.starts_with(|c: char| c.is_ascii_uppercase());
        if !begins_well || !name.chars().all(in_name) || name.len() > 32 {
            return Err(PowersError::Name(name.clone()));
        }
        if let Some(mark) = mark.filter(|mark| !mark.is_ascii_uppercase() && !mark.is_ascii_digit()) {
            return Err(PowersError::Mark(name.clone(), mark));
        }
        if drafts[..i].iter().any(|other| other.name == *name) {
            return Err(PowersError::Twice(name.clone()));
        }
        let same_mark = drafts[..i].iter().find(|other| mark.is_some() && other.mark == *mark);
        if let (Some(other), Some(mark)) = (same_mark, mark) {
            return Err(PowersError::MarkTwice(other.name.clone(), name.clone(), *mark));
        }
    }
    Ok(())
}

/// Fills in what the sorted and checked drafts leave out.
fn fill_in(drafts: Vec<PowerDraft>) -> Arc<[PowerInfo]> {
    let of_standard = |name: &str| STANDARD.iter().find(|(known, ..)| *known == name);
    let mut marks: Vec<char> = drafts.iter().filter_map(|draft| draft.mark).collect();
    let mut colours: Vec<[u8; 3]> = drafts.iter().filter_map(|draft| draft.colour).collect();
    // Powers with the names of the standard board keep their colours, whatever other powers there are.
    colours.extend(
        drafts.iter().filter_map(|draft| of_standard(&draft.name)).map(|&(.., colour)| COLOURS[colour]),
    );
    let fill_in = |PowerDraft { name, proper_name, adjective, mark, colour }: PowerDraft| {
        let proper_name =
            proper_name.unwrap_or_else(|| name[..1].to_owned() + &name[1..].to_ascii_lowercase());
        let known = of_standard(&name);
        let adjective = adjective.unwrap_or_else(|| {
            known.map_or_else(|| proper_name.clone(), |(_, adjective, _)| (*adjective).to_owned())
        });
        let mark = mark.unwrap_or_else(|| {
            // There are 36 marks for at most 34 powers.
            let others = ('A'..='Z').chain('0'..='9');
            let mut possible = name.chars().filter(char::is_ascii_alphanumeric).chain(others);
            let free = possible.find(|mark| !marks.contains(mark)).unwrap_or('?');
            marks.push(free);
            free
        });
        let colour = colour.or(known.map(|&(.., colour)| COLOURS[colour])).unwrap_or_else(|| {
            let free = COLOURS.into_iter().find(|colour| !colours.contains(colour)).unwrap_or(COLOURS[0]);
            colours.push(free);
            free
        });
        PowerInfo { name, proper_name, adjective, mark, colour }
    };
    drafts.into_iter().map(fill_in).collect()
}

// Tables over the powers of a board.

/// One value for each power of a board.
///
/// ```
/// use upheaval_map::ids::{ByPower, Power, Powers};
/// let squares = ByPower::from_fn(Powers::STANDARD, |power| power.index() * power.index());
/// assert_eq!(squares[Power::TURKEY], 36);
/// ```
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct ByPower<T>(ArrayVec<T, MAX_POWERS>);

impl<T: Clone> Clone for ByPower<T> {
    // Built in place, as in `from_fn`.
    #[inline]
    fn clone(&self) -> Self {
        let mut table = ByPower(ArrayVec::new_const());
        for value in &self.0 {
            table.0.push(value.clone());
        }
        table
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<T> ByPower<T> {
    /// Builds the table from a function of the power.
    #[inline]
    pub fn from_fn(powers: Powers, mut f: impl FnMut(Power) -> T) -> Self {
        // Built in place: a table that is collected is moved, together with its room for 34 values.
        let mut table = ByPower(ArrayVec::new_const());
        for power in powers {
            table.0.push(f(power));
        }
        table
    }

    /// The table with the default value for each power.
    #[inline]
    pub fn new(powers: Powers) -> Self
    where
        T: Default,
    {
        ByPower::from_fn(powers, |_| T::default())
    }

    /// The powers of the table.
    #[inline]
    pub fn powers(&self) -> Powers {
        Powers::first(self.0.len())
    }

    /// The values in the order of the powers.
    #[inline]
    pub fn values(&self) -> &[T] {
        &self.0
    }

    /// The powers with their values, in order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Power, &T)> + DoubleEndedIterator + Clone {
        self.powers().iter().zip(&self.0)
    }

    /// The powers with mutable values, in order.
    #[inline]
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (Power, &mut T)> {
        self.powers().iter().zip(&mut self.0)
    }

    /// The powers with their values, in order.
    #[allow(clippy::should_implement_trait, reason = "the type of the iterator has no name")]
    #[inline]
    pub fn into_iter(self) -> impl ExactSizeIterator<Item = (Power, T)> {
        self.powers().iter().zip(self.0)
    }
}

/// A table has no value for a power of a board with more powers.
impl<T> Index<Power> for ByPower<T> {
    type Output = T;
    #[inline]
    fn index(&self, power: Power) -> &T {
        &self.0[power.index()]
    }
}

impl<T> IndexMut<Power> for ByPower<T> {
    #[inline]
    fn index_mut(&mut self, power: Power) -> &mut T {
        &mut self.0[power.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_that_nobody_described_can_be_told_apart() {
        let names: Vec<String> = (0..MAX_POWERS).map(|i| format!("RED{i}")).collect();
        let names = PowerNames::of_names(names).expect("powers");
        let infos = || names.powers().iter().map(|power| names.info(power));
        let marks: std::collections::BTreeSet<char> = infos().map(|info| info.mark).collect();
        let colours: std::collections::BTreeSet<[u8; 3]> = infos().map(|info| info.colour).collect();
        assert_eq!((marks.len(), colours.len()), (MAX_POWERS, MAX_POWERS));
    }

    #[test]
    fn the_powers_of_the_standard_board_are_the_same_wherever_they_come_from() {
        let names = ["TURKEY", "AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA"];
        let standard = PowerNames::standard();
        assert_eq!(PowerNames::of_names(names), Ok(standard.clone()));
        assert_eq!((standard.powers(), Powers::STANDARD.iter().len()), (Powers::STANDARD, 7));
        assert!(Powers::STANDARD.iter().eq(Power::STANDARD));
        assert_eq!(standard.to_string(), "AUSTRIA ENGLAND FRANCE GERMANY ITALY RUSSIA TURKEY");
        let marks = Powers::STANDARD.iter().map(|power| standard.info(power).mark);
        assert_eq!(marks.collect::<String>(), "AEFGIRT");
        let turkey = standard.info(Power::TURKEY);
        assert_eq!((turkey.name.as_str(), turkey.adjective.as_str()), ("TURKEY", "Turkish"));
    }

    #[test]
    fn the_same_names_are_the_same_list() {
        let some = || PowerNames::of_names(["RED", "BLUE", "GREEN"]).expect("powers");
        assert_eq!(some(), some());
        assert_ne!(some(), PowerNames::of_names(["RED", "BLUE", "BROWN"]).expect("powers"));
        let blue = some().named("BLUE").expect("blue");
        assert_eq!(
            (some().name(blue), blue.index(), some().info(blue).proper_name.as_str()),
            ("BLUE", 0, "Blue")
        );
        let brown = some().named("BROWN").expect_err("another board's");
        assert_eq!(brown.to_string(), "`BROWN` is not a power; the powers are BLUE GREEN RED");
        let text = serde_json::to_string(&some()).expect("JSON");
        assert_eq!(serde_json::from_str::<PowerNames>(&text).expect("read again"), some());
    }

    #[test]
    fn what_cannot_be_a_boards_powers_is_refused() {
        let error =
            |names: &[&str]| PowerNames::of_names(names.iter().copied()).expect_err("refused").to_string();
        assert_eq!(error(&["RED"]), "a board has from 2 to 34 powers, not 1");
        assert_eq!(error(&["RED", "RED"]), "two powers are called RED");
        for name in ["", "red", "1RED", "RED BLUE", "ÄGYPTEN", "REDREDREDREDREDREDREDREDREDREDRED"] {
            assert!(
                error(&["BLUE", name]).starts_with(&format!("`{name}` is not a name of a power")),
                "{name}"
            );
        }
        let marked = |marks: [char; 2]| {
            let draft = |(name, mark): (&str, char)| PowerDraft {
                name: name.to_owned(),
                mark: Some(mark),
                ..PowerDraft::default()
            };
            PowerNames::new(["RED", "BLUE"].into_iter().zip(marks).map(draft).collect())
        };
        assert!(marked(['x', 'B']).is_err_and(|error| error.to_string().contains("`x` is not a mark")));
        assert!(marked(['X', 'X']).is_err_and(|error| error.to_string().contains("the same mark, X")));
    }
}
