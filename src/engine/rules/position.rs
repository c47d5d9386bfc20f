//! The places of the units, the owners of the centres, and the phase.

use std::fmt;
use std::str::FromStr;

use crate::rules::gazetteer::Gazetteer;
use upheaval_map::ids::{
    ByPower, ByProvince, CoastId, Designation, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind,
};

/// A unit on the board. It is stored under the province it is in.
///
/// An army aboard a fleet is not a unit of its own here: the two are one unit, the fleet with its [`Cargo`],
/// which moves, is dislodged and retreats as a whole (army/fleet rule 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Unit {
    /// Army or fleet.
    pub kind: UnitKind,
    /// The owner.
    pub power: Power,
    /// The coast it is on; [`CoastId::FIRST`] unless it is a fleet in a province with several.
    pub coast: CoastId,
    /// Its cargo: nothing, unless it is a fleet at sea.
    pub cargo: Cargo,
}

/// The cargo of a fleet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Cargo {
    /// Nothing.
    Nothing,
    /// An army of its own power.
    Army {
        /// How many movement phases the army has ended aboard.
        seasons: u8,
    },
}

impl Unit {
    /// A unit of this kind without cargo, or an army/fleet whose army has just boarded.
    pub fn new(kind: impl Into<Designation>, power: Power, coast: CoastId) -> Unit {
        let designation = kind.into();
        let cargo = match designation {
            Designation::Army | Designation::Fleet => Cargo::Nothing,
            Designation::ArmyFleet => Cargo::Army { seasons: 0 },
        };
        Unit { kind: designation.kind(), power, coast, cargo }
    }

    /// An army.
    pub fn army(power: Power) -> Unit {
        Unit::new(UnitKind::Army, power, CoastId::FIRST)
    }

    /// The same unit with this cargo.
    pub const fn with_cargo(self, cargo: Cargo) -> Unit {
        Unit { cargo, ..self }
    }

    /// Is it an army/fleet?
    #[inline]
    pub const fn is_laden(&self) -> bool {
        matches!(self.cargo, Cargo::Army { .. })
    }

    /// The number of units it counts as: an army/fleet counts as two (army/fleet rule 8).
    pub const fn count(&self) -> usize {
        if self.is_laden() { 2 } else { 1 }
    }

    /// The prefix of its name.
    pub const fn designation(&self) -> Designation {
        match (self.kind, self.cargo) {
            (UnitKind::Army, _) => Designation::Army,
            (UnitKind::Fleet, Cargo::Nothing) => Designation::Fleet,
            (UnitKind::Fleet, Cargo::Army { .. }) => Designation::ArmyFleet,
        }
    }
}

/// Units and ownership: everything that the rules of movement, retreat and adjustment depend on.
///
/// ```
/// use upheaval_engine::ids::{Power, Powers, ProvinceId};
/// use upheaval_engine::rules::position::{Position, Unit};
/// let mut position = Position::new(Powers::STANDARD);
/// position.place(ProvinceId(5), Unit::army(Power::ITALY));
/// assert_eq!(position.units_of(Power::ITALY).len(), 1);
/// position.set_owner(ProvinceId(5), Some(Power::ITALY));
/// assert!(!position.is_out(Power::ITALY) && position.is_out(Power::FRANCE));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    units: ByProvince<Option<Unit>>,
    occupied: ProvinceSet,
    fleets: ProvinceSet,
    laden: ProvinceSet,
    units_of: ByPower<ProvinceSet>,
    centres_of: ByPower<ProvinceSet>,
}

impl Position {
    /// An empty position for these powers, without units and owners.
    pub fn new(powers: Powers) -> Self {
        Position {
            units: ByProvince::filled(None),
            occupied: ProvinceSet::EMPTY,
            fleets: ProvinceSet::EMPTY,
            laden: ProvinceSet::EMPTY,
            units_of: ByPower::new(powers),
            centres_of: ByPower::new(powers),
        }
    }

    /// The powers of the board.
    #[inline]
    pub fn powers(&self) -> Powers {
        self.units_of.powers()
    }

    /// The unit in a province.
    #[inline]
    pub fn unit(&self, at: ProvinceId) -> Option<Unit> {
        self.units[at]
    }

    /// The exact place of this province's unit.
    #[inline]
    pub fn location(&self, at: ProvinceId) -> Option<Location> {
        self.units[at].map(|unit| Location { province: at, coast: unit.coast })
    }

    /// The unit in a province as text, or the province if there is no unit.
    pub fn unit_named<'a>(&'a self, names: &'a Gazetteer, at: ProvinceId) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| match (self.unit(at), self.location(at)) {
            (Some(unit), Some(place)) => write!(f, "{}", names.unit(place, unit.designation())),
            _ => f.write_str(names.province(at)),
        })
    }

    /// The provinces with a unit in them.
    #[inline]
    pub fn occupied(&self) -> &ProvinceSet {
        &self.occupied
    }

    /// The provinces with a fleet in them.
    #[inline]
    pub fn fleets(&self) -> &ProvinceSet {
        &self.fleets
    }

    /// The seas with a fleet that has an army aboard.
    #[inline]
    pub fn laden(&self) -> &ProvinceSet {
        &self.laden
    }

    /// The number of a power's units, including armies aboard fleets (army/fleet rule 8).
    #[inline]
    pub fn unit_count(&self, power: Power) -> usize {
        self.units_of[power].len() + (self.units_of[power] & self.laden).len()
    }

    /// The number of all units on the board, including armies aboard fleets.
    pub(crate) fn all_units(&self) -> usize {
        self.occupied.len() + self.laden.len()
    }

    /// The provinces with a unit of this power.
    #[inline]
    pub fn units_of(&self, power: Power) -> &ProvinceSet {
        &self.units_of[power]
    }

    /// The supply centres this power owns.
    #[inline]
    pub fn centres_of(&self, power: Power) -> &ProvinceSet {
        &self.centres_of[power]
    }

    /// The owner of the province as a supply centre.
    pub fn owner(&self, centre: ProvinceId) -> Option<Power> {
        self.centres_of.iter().find(|(_, centres)| centres.contains(centre)).map(|(power, _)| power)
    }

    /// Puts a unit into a province. A unit already there is replaced.
    #[inline]
    pub fn place(&mut self, at: ProvinceId, unit: Unit) {
        self.take(at);
        self.units[at] = Some(unit);
        self.occupied.insert(at);
        self.units_of[unit.power].insert(at);
        if unit.kind == UnitKind::Fleet {
            self.fleets.insert(at);
        }
        if unit.is_laden() {
            self.laden.insert(at);
        }
    }

    /// Puts an army aboard the fleet in this sea, or removes it.
    pub fn set_cargo(&mut self, fleet: ProvinceId, cargo: Cargo) {
        if let Some(unit) = self.units[fleet].filter(|unit| unit.kind == UnitKind::Fleet) {
            self.place(fleet, unit.with_cargo(cargo));
        }
    }

    /// Removes the unit of a province from the board.
    #[inline]
    pub fn take(&mut self, at: ProvinceId) -> Option<Unit> {
        let unit = self.units[at].take()?;
        self.occupied.remove(at);
        self.fleets.remove(at);
        self.laden.remove(at);
        self.units_of[unit.power].remove(at);
        Some(unit)
    }

    /// Moves the unit of a province to another coast of it.
    #[inline]
    pub(crate) fn set_coast(&mut self, at: ProvinceId, coast: CoastId) {
        if let Some(unit) = &mut self.units[at] {
            unit.coast = coast;
        }
    }

    /// Sets or clears the owner of a centre.
    pub fn set_owner(&mut self, centre: ProvinceId, owner: Option<Power>) {
        for (_, centres) in self.centres_of.iter_mut() {
            centres.remove(centre);
        }
        if let Some(power) = owner {
            self.centres_of[power].insert(centre);
        }
    }

    /// The owners as a table.
    pub fn owners(&self) -> ByProvince<Option<Power>> {
        let mut owners = ByProvince::filled(None);
        for (power, centres) in self.centres_of.iter() {
            centres.iter().for_each(|id| owners[id] = Some(power));
        }
        owners
    }

    /// Has the power been eliminated, with neither a unit nor a centre (rules.md 7)?
    pub fn is_out(&self, power: Power) -> bool {
        self.units_of[power].is_empty() && self.centres_of[power].is_empty()
    }
}

upheaval_map::named! {
    /// The part of the year.
    #[derive(PartialOrd, Ord, Hash)]
    #[allow(missing_docs)]
    pub enum Season {
        Spring = "Spring",
        Fall = "Fall",
        Winter = "Winter",
    }
}

impl Season {
    /// `S`, `F` or `W`.
    pub const fn letter(self) -> char {
        self.name().as_bytes()[0] as char
    }
}

upheaval_map::named! {
    /// The kind of decision made in a phase.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum PhaseKind {
        /// Orders to all units.
        Movement = "M",
        /// Destinations of dislodged units.
        Retreats = "R",
        /// Builds and removals.
        Adjustments = "A",
        /// Seismic orders.
        Seismic = "E",
    }
}

/// A phase of the game; printed and parsed as `S1901M`.
///
/// ```
/// use upheaval_engine::rules::position::{Phase, Season};
/// let phase: Phase = "F1903R".parse()?;
/// assert_eq!((phase.season, phase.year), (Season::Fall, 1903));
/// assert_eq!(phase.to_string(), "F1903R");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Phase {
    /// The year, 1 to 9999.
    pub year: u16,
    /// The season.
    pub season: Season,
    /// The kind of decision.
    pub kind: PhaseKind,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:04}{}", self.season.letter(), self.year, self.kind.name())
    }
}

/// A text that is not a phase.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a phase; a phase is a season S, F or W, a year of four digits and M, R, A or E: `S1901M`"
)]
pub struct InvalidPhase(pub String);

impl FromStr for Phase {
    type Err = InvalidPhase;
    fn from_str(s: &str) -> Result<Self, InvalidPhase> {
        let invalid = || InvalidPhase(s.to_owned());
        let [season, digits @ .., kind] = s.as_bytes() else { return Err(invalid()) };
        if digits.len() != 4 || !digits.iter().all(u8::is_ascii_digit) {
            return Err(invalid());
        }
        let season = Season::ALL.into_iter().find(|known| known.letter() == char::from(*season));
        let kind = PhaseKind::ALL.into_iter().find(|known| known.name().as_bytes() == [*kind]);
        let (Some(season), Some(kind)) = (season, kind) else { return Err(invalid()) };
        let year = digits.iter().fold(0, |year, d| year * 10 + u16::from(d - b'0'));
        Ok(Phase { year, season, kind })
    }
}

/// A unit that was dislodged from its province and must retreat or disband.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dislodged {
    /// The unit, with the coast it was on.
    pub unit: Unit,
    /// The province it was dislodged from.
    pub at: ProvinceId,
    /// The origin of the attack that dislodged it; `None` if it must retreat for another reason.
    pub attacker: Option<ProvinceId>,
    /// Did the attacker come by convoy?
    pub attacker_convoyed: bool,
}

/// The data that the movement phase passes to the retreat phase.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Retreats {
    /// The dislodged units, in the order of their provinces.
    pub dislodged: Vec<Dislodged>,
    /// Provinces left empty by a stand-off, to which units cannot retreat.
    pub contested: ProvinceSet,
    /// By index in `dislodged`: the places a unit could go to if all were free, where they differ from the
    /// board. This is so for a unit whose province has just become a hole (rules.md 4.8), and where the
    /// options are given from outside.
    pub ways: Vec<(usize, Vec<Location>)>,
}

impl Retreats {
    /// Clears the dislodged units and the contested provinces.
    pub(crate) fn clear(&mut self) {
        self.dislodged.clear();
        self.contested = ProvinceSet::EMPTY;
        self.ways.clear();
    }

    /// The number of the `i`-th unit among equal units, from 1: the second is `A MUN#2` (docs/adjudicate.md).
    pub fn ordinal(&self, i: usize) -> u8 {
        let alike = |other: &&Dislodged| {
            self.dislodged.get(i).is_some_and(|unit| (other.at, other.unit) == (unit.at, unit.unit))
        };
        let before = self.dislodged.iter().take(i).filter(alike).count();
        u8::try_from(before + 1).unwrap_or(u8::MAX)
    }

    /// Sorts the dislodged units by province, and those of one province by power.
    pub fn sort_by_province(&mut self) {
        let mut order: Vec<usize> = (0..self.dislodged.len()).collect();
        let key = |unit: &Dislodged| (unit.at, unit.unit.power);
        order.sort_by_key(|&i| key(&self.dislodged[i]));
        self.dislodged.sort_by_key(key);
        for (unit, _) in &mut self.ways {
            *unit = order.iter().position(|was| was == unit).unwrap_or(*unit);
        }
    }
}
