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

// What a map file leaves out is generated so that the powers can be told apart.
/// A power of the board.
#[derive(Deserialize, Serialize, Clone, Debug, Default, PartialEq)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PowerEntry {
    /// In capitals, as files and orders write it: `FRANCE`.
    pub name: String,
    /// As written in prose: `France`. By default, the name in lower case with a capital first letter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proper_name: Option<String>,
    /// `French`. By default, the proper name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjective: Option<String>,
    /// The single capital letter or digit that represents the power in pictures. By default, one is
    /// generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<char>,
    /// The colour in pictures, such as `#d55e00`. By default, a colour that no other power uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

impl PowerEntry {
    fn of_name(name: impl Into<String>) -> PowerEntry {
        PowerEntry { name: name.into(), ..PowerEntry::default() }
    }

    /// Red, green and blue, if a colour is given as `#` and six hexadecimal digits.
    pub(crate) fn rgb(&self) -> Option<[u8; 3]> {
        let digits = self.colour.as_deref()?.strip_prefix('#')?;
        let is_whole = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_whole).map(rgb)
    }
}

/// Why a list of powers cannot be used for a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PowersError(String);

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
        PowerNames::new(names.into_iter().map(PowerEntry::of_name).collect())
    }

    /// The powers that a map file describes.
    ///
    /// # Errors
    /// They cannot be the powers of a board.
    pub(crate) fn new(mut entries: Vec<PowerEntry>) -> Result<PowerNames, PowersError> {
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        check(entries.iter().map(|entry| (entry.name.as_str(), entry.mark)))?;
        Ok(PowerNames(fill_in(entries)))
    }

    /// The powers of the standard board.
    pub fn standard() -> PowerNames {
        PowerNames(fill_in(STANDARD.iter().map(|&(name, ..)| PowerEntry::of_name(name)).collect()))
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
        f.write_str(&self.iter().collect::<Vec<_>>().join(" "))
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
        let mut listed = Vec::<PowerInfo>::deserialize(deserializer)?;
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        let powers = listed.iter().map(|info| (info.name.as_str(), Some(info.mark)));
        check(powers).map_err(serde::de::Error::custom)?;
        Ok(PowerNames(listed.into()))
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
const COLOURS: [u32; MAX_POWERS] = [
    0xd55e00, 0x0072b2, 0x56b4e9, 0x3a3a3a, 0x009e73, 0xcc79a7, 0xf0e442, 0xbb00ff, 0x0000aa, 0xaa0077,
    0x44cc00, 0x556600, 0xffaa88, 0x3322ff, 0xff99ff, 0x990000, 0x00ffbb, 0x7700bb, 0xff00cc, 0x550066,
    0xee0066, 0x886677, 0x4488ff, 0x77ccaa, 0xcc9900, 0x00ff00, 0xcc77ff, 0xaa55bb, 0x444488, 0x006666,
    0x660011, 0xcc1111, 0x888800, 0xff7766,
];

/// The parts of a colour: red, green and blue.
const fn rgb(colour: u32) -> [u8; 3] {
    let [_, red, green, blue] = colour.to_be_bytes();
    [red, green, blue]
}

/// Checks the names and marks of powers, which are sorted by name.
fn check<'a>(powers: impl Iterator<Item = (&'a str, Option<char>)>) -> Result<(), PowersError> {
    let powers: Vec<(&str, Option<char>)> = powers.collect();
    let fault = |text: String| Err(PowersError(text));
    if !(2..=MAX_POWERS).contains(&powers.len()) {
        return fault(format!("a board has from 2 to {MAX_POWERS} powers, not {}", powers.len()));
    }
    for (i, &(name, _)) in powers.iter().enumerate() {
        let is_like = |&&(other, _): &&(&str, _)| other != name && other.eq_ignore_ascii_case(name);
        if let Some((other, _)) = powers[..i].iter().find(is_like) {
            return fault(format!(
                "`{other}` and `{name}` differ only in case; list a power once, in capital letters"
            ));
        }
    }
    let in_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_' || c == '-';
    for (i, &(name, mark)) in powers.iter().enumerate() {
        let begins_well = name.starts_with(|c: char| c.is_ascii_uppercase());
        if !begins_well || !name.chars().all(in_name) || name.len() > 32 {
            return fault(format!(
                "`{name}` is not a name of a power: a capital letter, and then capital letters, digits, `_` or `-`, 32 \
                 at most"
            ));
        }
        if let Some(mark) = mark.filter(|mark| !mark.is_ascii_uppercase() && !mark.is_ascii_digit()) {
            return fault(format!("{name}: `{mark}` is not a mark (expected a capital letter or a digit)"));
        }
        if powers[..i].iter().any(|&(other, _)| other == name) {
            return fault(format!("two powers are called {name}"));
        }
        let has_it = |&&(_, other): &&(&str, Option<char>)| mark.is_some() && other == mark;
        if let (Some((other, _)), Some(mark)) = (powers[..i].iter().find(has_it), mark) {
            return fault(format!("{other} and {name} have the same mark, {mark}"));
        }
    }
    Ok(())
}

/// Fills in what the sorted and checked entries leave out.
fn fill_in(entries: Vec<PowerEntry>) -> Arc<[PowerInfo]> {
    let of_standard = |name: &str| STANDARD.iter().find(|(known, ..)| *known == name);
    let mut marks: Vec<char> = entries.iter().filter_map(|entry| entry.mark).collect();
    // Powers with the names of the standard board keep their colours, whatever other powers there are.
    let kept = entries.iter().filter_map(|entry| of_standard(&entry.name)).map(|&(.., i)| rgb(COLOURS[i]));
    let mut colours: Vec<[u8; 3]> = entries.iter().filter_map(PowerEntry::rgb).chain(kept).collect();
    let fill_in = |entry: PowerEntry| {
        let colour = entry.rgb();
        let PowerEntry { name, proper_name, adjective, mark, .. } = entry;
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
        let colour = colour.or(known.map(|&(.., i)| rgb(COLOURS[i]))).unwrap_or_else(|| {
            let free = COLOURS.map(rgb).into_iter().find(|colour| !colours.contains(colour));
            let free = free.unwrap_or(rgb(COLOURS[0]));
            colours.push(free);
            free
        });
        PowerInfo { name, proper_name, adjective, mark, colour }
    };
    entries.into_iter().map(fill_in).collect()
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
