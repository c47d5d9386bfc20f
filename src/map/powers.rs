//! The powers of a board: how many there are, and their names.
//!
//! A board has from 2 to 34 powers, in the order of their names, which is the order of every table. A
//! [`Power`] is small: the number of its set of powers and its own index in that set. A program creates only
//! a few sets and keeps them until it exits, so that a power knows its name wherever it is used:
//!
//! ```text
//!    Power ── set ──▶ Powers ── AUSTRIA  Austria  Austrian  A  #d55e00
//!          └─ index ─────────▶  ENGLAND  England  English   E  #0072b2   …
//! ```

use std::cell::Cell;
use std::fmt;
use std::num::NonZeroU16;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The largest number of powers of a board: the number of centres on the standard board.
pub const MAX_POWERS: usize = 34;

/// The largest number of sets of powers that one program can create.
const MAX_SETS: usize = 1_000;

/// The number of bits of a [`Power`] that hold its index.
const INDEX_BITS: u32 = 6;

/// The sets of powers created so far, beginning with the set of the standard board. A set is never freed.
static SETS: [OnceLock<Vec<PowerInfo>>; MAX_SETS] = [const { OnceLock::new() }; MAX_SETS];

/// The number of sets besides the first. The lock is held while a set is looked up or created.
static MADE: Mutex<usize> = Mutex::new(0);

/// A power of a board.
///
/// ```
/// use upheaval_map::ids::{Power, Powers};
/// let powers = Powers::STANDARD;
/// assert_eq!(powers.find("FRANCE"), Some(Power::FRANCE));
/// assert_eq!((Power::FRANCE.name(), Power::FRANCE.proper_name()), ("FRANCE", "France"));
/// assert_eq!(Power::FRANCE.index(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Power(NonZeroU16);

/// What a board says about a power.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
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

/// The powers of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Powers {
    /// The number of the set, from 1.
    set: NonZeroU16,
    /// How many powers the set has; stored here because every loop over the powers needs it.
    len: u8,
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
    #[error("`{0}` and `{1}` differ in capitals alone; a power's name is written in capitals, once")]
    Alike(String, String),
    #[error("{0}: `{1}` is not a mark: a capital letter or a digit")]
    Mark(String, char),
    #[error("{0} and {1} have the same mark, {2}")]
    MarkTwice(String, String, char),
    #[error("this program has seen boards with {MAX_SETS} different sets of powers, and knows no more")]
    TooManySets,
}

impl Power {
    #[inline]
    const fn new(set: NonZeroU16, index: u16) -> Power {
        match NonZeroU16::new((set.get() << INDEX_BITS) | index) {
            Some(power) => Power(power),
            None => panic!("a set has a number that is not 0"),
        }
    }

    /// The index among the powers of its board, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0.get() & ((1 << INDEX_BITS) - 1)) as usize
    }

    /// The powers of its board.
    #[inline]
    pub fn powers(self) -> Powers {
        match NonZeroU16::new(self.0.get() >> INDEX_BITS) {
            Some(set) => Powers::of_set(set),
            None => panic!("a set has a number that is not 0"),
        }
    }

    /// What its board says about it.
    pub fn info(self) -> &'static PowerInfo {
        &self.powers().infos()[self.index()]
    }

    /// The name in capitals, as files and orders write it.
    pub fn name(self) -> &'static str {
        &self.info().name
    }

    /// The name as written in prose: `Austria`.
    pub fn proper_name(self) -> &'static str {
        &self.info().proper_name
    }
}

/// The powers of the standard board.
#[allow(missing_docs)]
impl Power {
    pub const AUSTRIA: Power = Power::new(Powers::STANDARD.set, 0);
    pub const ENGLAND: Power = Power::new(Powers::STANDARD.set, 1);
    pub const FRANCE: Power = Power::new(Powers::STANDARD.set, 2);
    pub const GERMANY: Power = Power::new(Powers::STANDARD.set, 3);
    pub const ITALY: Power = Power::new(Powers::STANDARD.set, 4);
    pub const RUSSIA: Power = Power::new(Powers::STANDARD.set, 5);
    pub const TURKEY: Power = Power::new(Powers::STANDARD.set, 6);

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

thread_local! {
    /// The set in which names of powers are looked up on this thread ([`Powers::reading`]).
    static READING: Cell<Powers> = const { Cell::new(Powers::STANDARD) };
}

/// Reads the name of a power of the board that [`Powers::reading`] selects; by default, of the standard
/// board.
impl<'de> Deserialize<'de> for Power {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Power, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        READING.get().named(&name).map_err(serde::de::Error::custom)
    }
}

/// Orders powers by their index. Powers of different boards can be compared too, but the result is
/// meaningless.
impl Ord for Power {
    #[inline]
    fn cmp(&self, other: &Power) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Power {
    #[inline]
    fn partial_cmp(&self, other: &Power) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Writes the name.
impl Serialize for Power {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Powers {
    /// The powers of the standard board.
    pub const STANDARD: Powers = Powers { set: NonZeroU16::MIN, len: STANDARD.len() as u8 };

    /// The set of powers with these names. The same names always give the same set.
    ///
    /// # Errors
    /// The names cannot be the powers of a board.
    ///
    /// ```
    /// use upheaval_map::ids::Powers;
    /// let powers = Powers::of_names(["RED", "BLUE"])?;
    /// assert_eq!(powers.iter().map(|power| power.name()).collect::<Vec<_>>(), ["BLUE", "RED"]);
    /// assert_eq!(powers.find("RED").map(|power| power.index()), Some(1));
    /// # Ok::<(), upheaval_map::ids::PowersError>(())
    /// ```
    pub fn of_names<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Result<Powers, PowersError> {
        let draft = |name: T| PowerDraft { name: name.into(), ..PowerDraft::default() };
        Powers::new(names.into_iter().map(draft).collect())
    }

    /// The set of powers that a map file describes.
    ///
    /// # Errors
    /// The drafts cannot be the powers of a board.
    pub fn new(mut drafts: Vec<PowerDraft>) -> Result<Powers, PowersError> {
        drafts.sort_by(|a, b| a.name.cmp(&b.name));
        check(&drafts)?;
        let infos = fill_in(drafts);
        // The first set exists from the start.
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let known = (0..=*made).find(|&i| set(i) == infos);
        let i = match known {
            Some(i) => i,
            None if *made + 1 == MAX_SETS => return Err(PowersError::TooManySets),
            None => {
                *made += 1;
                SETS[*made].get_or_init(|| infos);
                *made
            }
        };
        let number = u16::try_from(i + 1).ok().and_then(NonZeroU16::new);
        Ok(number.map_or(Powers::STANDARD, Powers::of_set))
    }

    /// The number of powers.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "there are at least two")]
    pub const fn len(self) -> usize {
        self.len as usize
    }

    /// The powers in their order.
    #[inline]
    pub fn iter(self) -> impl ExactSizeIterator<Item = Power> + DoubleEndedIterator + Clone + use<> {
        (0..u16::from(self.len)).map(move |index| Power::new(self.set, index))
    }

    /// The power with this index.
    pub fn get(self, index: usize) -> Option<Power> {
        self.iter().nth(index)
    }

    /// The power with this name.
    pub fn find(self, name: &str) -> Option<Power> {
        self.iter().find(|power| power.name() == name)
    }

    /// The power with this name.
    ///
    /// # Errors
    /// There is no such power; the error lists the powers of the board.
    pub fn named(self, name: &str) -> Result<Power, UnknownPower> {
        self.find(name).ok_or_else(|| UnknownPower { name: name.to_owned(), powers: self })
    }

    /// Runs `read` so that names of powers deserialised on this thread are looked up on this board, because a
    /// name alone does not say which board it belongs to.
    ///
    /// ```
    /// use upheaval_map::ids::{Power, Powers};
    /// let powers = Powers::of_names(["RED", "BLUE"])?;
    /// let read = || serde_json::from_str::<Vec<Power>>(r#"["RED"]"#);
    /// assert_eq!(powers.reading(read).unwrap()[0].index(), 1);
    /// assert!(read().is_err(), "the standard board has no such power");
    /// # Ok::<(), upheaval_map::ids::PowersError>(())
    /// ```
    pub fn reading<T>(self, read: impl FnOnce() -> T) -> T {
        /// Restores the previous set, even if `read` panics.
        struct Before(Powers);
        impl Drop for Before {
            fn drop(&mut self) {
                READING.set(self.0);
            }
        }
        let _before = Before(READING.replace(self));
        read()
    }

    /// The powers of an existing set; at most 34.
    fn of_set(number: NonZeroU16) -> Powers {
        Powers { set: number, len: set(usize::from(number.get()) - 1).len() as u8 }
    }

    fn infos(self) -> &'static [PowerInfo] {
        set(usize::from(self.set.get()) - 1)
    }
}

impl fmt::Debug for Powers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Their names, separated by spaces.
impl fmt::Display for Powers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, power) in self.iter().enumerate() {
            write!(f, "{}{power}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// A power of a board as JSON, with everything that a map file can say about it.
#[derive(Serialize, Deserialize)]
struct Listed {
    name: String,
    proper_name: String,
    adjective: String,
    mark: char,
    colour: [u8; 3],
}

/// A list of all that is known about each power.
impl Serialize for Powers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.infos().iter().cloned().map(
            |PowerInfo { name, proper_name, adjective, mark, colour }| Listed {
                name,
                proper_name,
                adjective,
                mark,
                colour,
            },
        ))
    }
}

impl<'de> Deserialize<'de> for Powers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Powers, D::Error> {
        let listed = Vec::<Listed>::deserialize(deserializer)?;
        let draft = |Listed { name, proper_name, adjective, mark, colour }| PowerDraft {
            name,
            proper_name: Some(proper_name),
            adjective: Some(adjective),
            mark: Some(mark),
            colour: Some(colour),
        };
        Powers::new(listed.into_iter().map(draft).collect()).map_err(serde::de::Error::custom)
    }
}

impl IntoIterator for Powers {
    type Item = Power;
    type IntoIter = PowersIter;

    #[inline]
    fn into_iter(self) -> PowersIter {
        PowersIter { set: self.set, next: 0, end: u16::from(self.len) }
    }
}

/// The powers of a board in their order.
#[derive(Clone, Debug)]
pub struct PowersIter {
    set: NonZeroU16,
    next: u16,
    end: u16,
}

impl Iterator for PowersIter {
    type Item = Power;

    #[inline]
    fn next(&mut self) -> Option<Power> {
        let power = (self.next < self.end).then(|| Power::new(self.set, self.next))?;
        self.next += 1;
        Some(power)
    }
}

/// A word that does not name a power of the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a power; the powers are {powers}")]
pub struct UnknownPower {
    /// The word that was given.
    pub name: String,
    /// The powers of the board.
    pub powers: Powers,
}

fn set(i: usize) -> &'static [PowerInfo] {
    SETS[i].get_or_init(|| {
        fill_in(
            STANDARD
                .iter()
                .map(|(name, ..)| PowerDraft { name: (*name).to_owned(), ..Default::default() })
                .collect(),
        )
    })
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
fn fill_in(drafts: Vec<PowerDraft>) -> Vec<PowerInfo> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_that_nobody_described_can_be_told_apart() {
        let names: Vec<String> = (0..MAX_POWERS).map(|i| format!("RED{i}")).collect();
        let powers = Powers::of_names(names).expect("powers");
        let marks: std::collections::BTreeSet<char> = powers.iter().map(|power| power.info().mark).collect();
        let colours: std::collections::BTreeSet<[u8; 3]> =
            powers.iter().map(|power| power.info().colour).collect();
        assert_eq!((marks.len(), colours.len()), (MAX_POWERS, MAX_POWERS));
    }

    #[test]
    fn the_powers_of_the_standard_board_are_its_set_wherever_they_come_from() {
        let names = ["TURKEY", "AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA"];
        assert_eq!(Powers::of_names(names), Ok(Powers::STANDARD));
        assert_eq!(Powers::STANDARD.to_string(), "AUSTRIA ENGLAND FRANCE GERMANY ITALY RUSSIA TURKEY");
        assert_eq!(Powers::STANDARD.iter().map(|power| power.info().mark).collect::<String>(), "AEFGIRT");
        assert_eq!((Power::TURKEY.name(), Power::TURKEY.info().adjective.as_str()), ("TURKEY", "Turkish"));
        assert_eq!(Power::TURKEY.powers(), Powers::STANDARD);
    }

    #[test]
    fn the_same_powers_are_the_same_set() {
        let some = || Powers::of_names(["RED", "BLUE", "GREEN"]).expect("powers");
        assert_eq!(some(), some());
        assert_ne!(some(), Powers::of_names(["RED", "BLUE", "BROWN"]).expect("powers"));
        let blue = some().named("BLUE").expect("blue");
        assert_eq!((blue.to_string().as_str(), blue.index(), blue.proper_name()), ("BLUE", 0, "Blue"));
        let brown = some().named("BROWN").expect_err("another set's");
        assert_eq!(brown.to_string(), "`BROWN` is not a power; the powers are BLUE GREEN RED");
    }

    #[test]
    fn what_cannot_be_a_boards_powers_is_refused() {
        let error =
            |names: &[&str]| Powers::of_names(names.iter().copied()).expect_err("refused").to_string();
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
            Powers::new(["RED", "BLUE"].into_iter().zip(marks).map(draft).collect())
        };
        assert!(marked(['x', 'B']).is_err_and(|error| error.to_string().contains("`x` is not a mark")));
        assert!(marked(['X', 'X']).is_err_and(|error| error.to_string().contains("the same mark, X")));
    }
}
