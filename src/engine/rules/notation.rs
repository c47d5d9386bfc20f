//! Orders in text form, in two layers.
//!
//! ```text
//!                WrittenOrder::parse                  WrittenOrder::resolve …
//!   "f gas - spa" ─────────────────▶  WrittenOrder ─────────────────────────▶ Order, or IllegalOrder
//!                ◀─────────────────                ◀─────────────────────────
//!                      display                       WrittenOrder::from_order …
//! ```
//!
//! The first layer knows only the codes: a text that it rejects is not an order on any board. The second
//! layer knows board and position, and resolves omissions and mistakes as in DATC 4.B
//! (`notation/resolve.rs`).

mod parse;
mod resolve;

use std::convert::Infallible;
use std::fmt;

use crate::rules::gazetteer::Gazetteer;
use crate::rules::order::{AdjustmentOrder, Landing, Order, Orders, RetreatOrder, Route};
use crate::rules::position::{Dislodged, Position, Retreats};
use crate::rules::seismic::{SeismicOrder, WaterwayChoice};
use upheaval_map::ids::{CoastId, Designation, Location, ProvinceId, UnitKind};
use upheaval_map::topology::isthmus::WaterwayOption;
use upheaval_map::topology::{MapEvent, PlanarMap, Quake, SurgeryError};

pub use crate::rules::notation::parse::{ParseOrderError, PlacementError, parse_unit};
pub use crate::rules::notation::resolve::{IllegalOrder, Listed, Situation};

/// A province with the coast written after it, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct WrittenPlace {
    /// The province.
    pub province: ProvinceId,
    /// The coast as written.
    pub coast: Option<CoastId>,
}

/// A unit as an order names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct WrittenUnit {
    /// Army, fleet or army/fleet.
    pub kind: Designation,
    /// The place where the order says it is.
    pub place: WrittenPlace,
    /// Distinguishes several equal units, counted from 1: `A MUN#2` (only for dislodged units).
    pub ordinal: u8,
}

/// An order as written: its words have been understood, but nothing has been checked against a board.
///
/// ```
/// use upheaval_engine::rules::gazetteer::Gazetteer;
/// use upheaval_engine::rules::notation::WrittenOrder;
/// use upheaval_engine::topology::{atlas, derive};
/// let chart = atlas::standard();
/// let names = Gazetteer::of(&chart, &derive(chart.map()));
/// let order = WrittenOrder::parse("f gas - spa/nc", &names)?;
/// assert_eq!(order.display(&names).to_string(), "F GAS - SPA/NC");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum WrittenOrder {
    /// `A PAR H`
    Hold { unit: WrittenUnit },
    /// `A PAR - BUR`, `A LON - BEL VIA`
    Move { unit: WrittenUnit, to: WrittenPlace, route: Route },
    /// `A MAR S A PAR`, `A MAR S A PAR H`
    SupportHold { unit: WrittenUnit, supported: WrittenUnit },
    /// `A MAR S A PAR - BUR`
    SupportMove { unit: WrittenUnit, supported: WrittenUnit, to: WrittenPlace },
    /// `F ENG C A LON - BRE`
    Convoy { unit: WrittenUnit, army: WrittenUnit, to: WrittenPlace },
    /// `A LON E F ENG`
    Embark { unit: WrittenUnit, fleet: WrittenUnit },
    /// `A MAO D POR`: the army aboard the fleet that is, or will be, in the named sea.
    Disembark { unit: WrittenUnit, to: WrittenPlace },
    /// `F SPA/SC S A MAO D POR`
    SupportLanding { unit: WrittenUnit, supported: WrittenUnit, to: WrittenPlace },
    /// `A LON T F`, `A STP T F/NC`
    Transform { unit: WrittenUnit, coast: Option<CoastId> },
    /// `A PAR R PIC`
    Retreat { unit: WrittenUnit, to: WrittenPlace },
    /// `A PAR D`: a dislodged unit disbands, or a unit is removed.
    Disband { unit: WrittenUnit },
    /// `F STP/NC B`
    Build { unit: WrittenUnit },
    /// `WAIVE`
    Waive,
    /// `EXEMPT PAR` (rules.md 4.5)
    Exempt { centre: ProvinceId },
    /// `ANNOUNCE` (rules.md 4.5)
    Announce,
    /// `F GAS COAST WC`: the coast a fleet takes when its own splits or vanishes (rules.md 2).
    ChooseCoast { unit: WrittenUnit, coast: CoastId },
}

/// A list of retreat places, the best first, as given among the orders of a movement phase (rules.md 4.12):
/// `A PAR R PIC BRE`.
///
/// ```
/// use upheaval_engine::rules::gazetteer::Gazetteer;
/// use upheaval_engine::rules::notation::WrittenList;
/// use upheaval_engine::topology::{atlas, derive};
/// let chart = atlas::standard();
/// let names = Gazetteer::of(&chart, &derive(chart.map()));
/// let list = WrittenList::parse("f spa/sc r lyo  wes", &names)?;
/// assert_eq!(list.places.len(), 2);
/// assert_eq!(list.display(&names).to_string(), "F SPA/SC R LYO WES");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct WrittenList {
    /// The unit.
    pub unit: WrittenUnit,
    /// The places, in order of preference; never empty.
    pub places: Vec<WrittenPlace>,
}

impl WrittenList {
    /// Is the text meant as a list or as a single retreat, judging by its third word?
    pub fn is_one(text: &str) -> bool {
        text.split_whitespace().nth(2).is_some_and(|word| word.eq_ignore_ascii_case("R"))
    }

    /// The list as text.
    pub fn display<'a>(&'a self, names: &'a Gazetteer) -> impl fmt::Display + use<'a> {
        fmt::from_fn(move |f| {
            write!(f, "{} R", self.unit.display(names))?;
            self.places.iter().try_for_each(|&to| write!(f, " {}", place(names, to)))
        })
    }
}

impl From<Location> for WrittenPlace {
    fn from(at: Location) -> Self {
        WrittenPlace { province: at.province, coast: Some(at.coast) }
    }
}

impl WrittenPlace {
    const fn province(province: ProvinceId) -> Self {
        WrittenPlace { province, coast: None }
    }

    /// The destination of a unit; armies have no coast.
    fn of(to: Location, kind: Designation) -> Self {
        match kind.kind() {
            UnitKind::Army => WrittenPlace::province(to.province),
            UnitKind::Fleet => to.into(),
        }
    }
}

impl WrittenUnit {
    /// The unit with its number, unless it is the first of several equal ones.
    pub(crate) fn display(self, names: &Gazetteer) -> impl fmt::Display + use<'_> {
        fmt::from_fn(move |f| {
            write!(f, "{} {}", self.kind, place(names, self.place))?;
            if self.ordinal > 1 { write!(f, "#{}", self.ordinal) } else { Ok(()) }
        })
    }

    /// A unit that is the only one of its kind in its province.
    pub(crate) fn new(kind: impl Into<Designation>, at: Location) -> Self {
        let kind = kind.into();
        WrittenUnit { kind, place: WrittenPlace::of(at, kind), ordinal: 1 }
    }

    /// The dislodged unit with this index, numbered if it is one of several equal units.
    pub fn dislodged(waiting: &Retreats, unit: usize) -> Option<Self> {
        let Dislodged { unit: dislodged, at, .. } = *waiting.dislodged.get(unit)?;
        let at = Location { province: at, coast: dislodged.coast };
        Some(WrittenUnit { ordinal: waiting.ordinal(unit), ..WrittenUnit::new(dislodged.designation(), at) })
    }

    /// The unit in the province.
    pub fn standing(position: &Position, at: ProvinceId) -> Option<Self> {
        Some(WrittenUnit::new(position.unit(at)?.designation(), position.location(at)?))
    }

    /// An army that is aboard or will be, given by the sea of its fleet.
    fn aboard(sea: ProvinceId) -> Self {
        WrittenUnit::new(Designation::Army, sea.into())
    }

    /// The same unit after the armies ordered aboard have boarded (army/fleet rule 1).
    fn boarded(self, position: &Position, orders: &Orders) -> Self {
        let at = self.place.province;
        let power = |at| position.unit(at).map(|unit| unit.power);
        let boards =
            |army: ProvinceId| orders[army] == Order::Embark { fleet: at } && power(army) == power(at);
        match self.kind {
            Designation::Fleet if position.occupied().iter().any(boards) => {
                WrittenUnit { kind: Designation::ArmyFleet, ..self }
            }
            _ => self,
        }
    }
}

impl WrittenOrder {
    /// The order of the unit in `at` in written form. `None` if that unit, or one that the order names, is
    /// not on the board; never for a legal order.
    pub fn from_order(position: &Position, at: ProvinceId, order: Order) -> Option<Self> {
        let unit = WrittenUnit::standing(position, at)?;
        Some(match order {
            Order::Hold => WrittenOrder::Hold { unit },
            Order::Move { to, route } => {
                WrittenOrder::Move { unit, to: WrittenPlace::of(to, unit.kind), route }
            }
            Order::SupportHold { unit: other } => {
                WrittenOrder::SupportHold { unit, supported: WrittenUnit::standing(position, other)? }
            }
            Order::SupportMove { unit: other, to, coast } => WrittenOrder::SupportMove {
                unit,
                supported: WrittenUnit::standing(position, other)?,
                to: WrittenPlace { province: to, coast },
            },
            Order::Convoy { army, to } => WrittenOrder::Convoy {
                unit,
                army: WrittenUnit::standing(position, army)?,
                to: WrittenPlace::province(to),
            },
            Order::SupportLanding { from, to } => WrittenOrder::SupportLanding {
                unit,
                supported: WrittenUnit::aboard(from),
                to: WrittenPlace::province(to),
            },
            Order::Transform { coast } => WrittenOrder::Transform { unit, coast: Some(coast) },
            Order::Embark { fleet } => {
                WrittenOrder::Embark { unit, fleet: WrittenUnit::standing(position, fleet)? }
            }
        })
    }

    /// The order of the unit in `at` in written form, in the context of all orders: a fleet that is boarded
    /// in the same season is written as an army/fleet.
    pub fn from_orders(position: &Position, orders: &Orders, at: ProvinceId) -> Option<Self> {
        let mut order = WrittenOrder::from_order(position, at, orders[at])?;
        let board = |unit: &mut WrittenUnit| *unit = unit.boarded(position, orders);
        match &mut order {
            WrittenOrder::Hold { unit }
            | WrittenOrder::Move { unit, .. }
            | WrittenOrder::SupportLanding { unit, .. } => board(unit),
            WrittenOrder::SupportHold { unit, supported }
            | WrittenOrder::SupportMove { unit, supported, .. } => {
                board(unit);
                board(supported);
            }
            _ => {}
        }
        Some(order)
    }

    /// A landing in written form.
    pub fn from_landing(landing: Landing) -> Self {
        WrittenOrder::Disembark {
            unit: WrittenUnit::aboard(landing.from),
            to: WrittenPlace::province(landing.to),
        }
    }

    /// The order of a dislodged unit in written form.
    pub(crate) fn from_retreat(unit: WrittenUnit, order: RetreatOrder) -> Self {
        match order {
            RetreatOrder::Disband => WrittenOrder::Disband { unit },
            RetreatOrder::Retreat { to } => {
                WrittenOrder::Retreat { unit, to: WrittenPlace::of(to, unit.kind) }
            }
        }
    }

    /// An adjustment in written form. `None` if the unit to be removed is not on the board.
    pub fn from_adjustment(position: &Position, order: AdjustmentOrder) -> Option<Self> {
        Some(match order {
            AdjustmentOrder::Build { kind, at } => WrittenOrder::Build { unit: WrittenUnit::new(kind, at) },
            AdjustmentOrder::Remove { at } => {
                WrittenOrder::Disband { unit: WrittenUnit::standing(position, at)? }
            }
            AdjustmentOrder::RemoveArmy { fleet } => {
                WrittenOrder::Disband { unit: WrittenUnit::aboard(fleet) }
            }
            AdjustmentOrder::Waive => WrittenOrder::Waive,
        })
    }

    /// The unit that the order is given to; `None` for `WAIVE`, `EXEMPT` and `ANNOUNCE`.
    pub fn unit(&self) -> Option<WrittenUnit> {
        match *self {
            WrittenOrder::Hold { unit }
            | WrittenOrder::Move { unit, .. }
            | WrittenOrder::SupportHold { unit, .. }
            | WrittenOrder::SupportMove { unit, .. }
            | WrittenOrder::Convoy { unit, .. }
            | WrittenOrder::Embark { unit, .. }
            | WrittenOrder::Disembark { unit, .. }
            | WrittenOrder::SupportLanding { unit, .. }
            | WrittenOrder::Transform { unit, .. }
            | WrittenOrder::Retreat { unit, .. }
            | WrittenOrder::Disband { unit }
            | WrittenOrder::Build { unit }
            | WrittenOrder::ChooseCoast { unit, .. } => Some(unit),
            WrittenOrder::Waive | WrittenOrder::Exempt { .. } | WrittenOrder::Announce => None,
        }
    }

    /// Is it a move?
    pub(crate) fn is_move(&self) -> bool {
        matches!(self, WrittenOrder::Move { .. })
    }

    /// The order as text (docs/adjudicate.md). A coast is printed if the province has several.
    pub fn display<'a>(&'a self, names: &'a Gazetteer) -> impl fmt::Display + use<'a> {
        fmt::from_fn(move |f| self.write(names, f))
    }

    fn write(&self, names: &Gazetteer, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = |unit: WrittenUnit| unit.display(names);
        let place = |to: WrittenPlace| place(names, to);
        match *self {
            WrittenOrder::Hold { unit: u } => write!(f, "{} H", unit(u)),
            WrittenOrder::Move { unit: u, to, route: Route::Direct } => {
                write!(f, "{} - {}", unit(u), place(to))
            }
            WrittenOrder::Move { unit: u, to, route: Route::Convoy } => {
                write!(f, "{} - {} VIA", unit(u), place(to))
            }
            WrittenOrder::SupportHold { unit: u, supported } => {
                write!(f, "{} S {}", unit(u), unit(supported))
            }
            WrittenOrder::SupportMove { unit: u, supported, to } => {
                write!(f, "{} S {} - {}", unit(u), unit(supported), place(to))
            }
            WrittenOrder::Convoy { unit: u, army, to } => {
                write!(f, "{} C {} - {}", unit(u), unit(army), place(to))
            }
            WrittenOrder::Embark { unit: u, fleet } => write!(f, "{} E {}", unit(u), unit(fleet)),
            WrittenOrder::Disembark { unit: u, to } => write!(f, "{} D {}", unit(u), place(to)),
            WrittenOrder::SupportLanding { unit: u, supported, to } => {
                write!(f, "{} S {} D {}", unit(u), unit(supported), place(to))
            }
            WrittenOrder::Transform { unit: u, coast } => {
                let province = u.place.province;
                let coast = coast.and_then(|coast| names.coast(Location { province, coast }));
                match coast {
                    Some(coast) => write!(f, "{} T F/{coast}", unit(u)),
                    None => write!(f, "{} T F", unit(u)),
                }
            }
            WrittenOrder::Retreat { unit: u, to } => write!(f, "{} R {}", unit(u), place(to)),
            WrittenOrder::Disband { unit: u } => write!(f, "{} D", unit(u)),
            WrittenOrder::Build { unit: u } => write!(f, "{} B", unit(u)),
            WrittenOrder::Waive => f.write_str("WAIVE"),
            WrittenOrder::Exempt { centre } => write!(f, "EXEMPT {}", names.province(centre)),
            WrittenOrder::Announce => f.write_str("ANNOUNCE"),
            WrittenOrder::ChooseCoast { unit: u, coast } => {
                let at = Location { province: u.place.province, coast };
                write!(f, "{} COAST {}", unit(u), names.coast(at).unwrap_or("???"))
            }
        }
    }
}

/// A place with the written coast, if the province has several.
fn place(names: &Gazetteer, place: WrittenPlace) -> impl fmt::Display + use<'_> {
    let (kind, coast) = match place.coast {
        Some(coast) => (UnitKind::Fleet, coast),
        None => (UnitKind::Army, CoastId::FIRST),
    };
    names.location(Location { province: place.province, coast }, kind)
}

// Seismic orders as text (docs/adjudicate.md): `SEPARATE POR SPA CONNECT MAO MAO #2`, `CONNECT POR BRE
// THROUGH MAO`, followed by choices about waterways: `STRAIT`, `AT MAR SPA CANAL MAR`.

/// A seismic order as written: its words have been understood, but nothing has been checked against a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenSeismic {
    event: MapEvent,
    wishes: Vec<WaterwayChoice<String>>,
}

/// Why a text is not a seismic order on any map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseSeismicError {
    /// The text is neither a separation nor a release.
    #[error(
        "`{0}` is not a seismic order; expected SEPARATE POR SPA CONNECT MAO MAO or CONNECT POR BRE THROUGH MAO, \
         followed by `#2` if several places fit"
    )]
    NoOrder(String),
    /// A word is not an option.
    #[error(
        "`{0}` is not an option; expected STRAIT, CANAL MAR, NONE, DELETE, KEEP or TERMINUS NTH, with or without \
         AT MAR SPA before it"
    )]
    NoOption(String),
}

/// Why a seismic order cannot be followed on this map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeismicFault {
    /// The order does not fit, or fits several places.
    #[error(transparent)]
    Surgery(#[from] SurgeryError),
    /// A name in an option does not exist on the map.
    #[error("there is no province `{0}` on the map")]
    UnknownProvince(String),
}

impl SeismicFault {
    /// Does the order fit several places without saying which (rules.md 8.2)?
    pub fn is_ambiguous(&self) -> bool {
        matches!(self, SeismicFault::Surgery(SurgeryError::Ambiguous { .. }))
    }
}

const FIRST_WORDS_OF_OPTIONS: [&str; 7] = ["AT", "STRAIT", "CANAL", "NONE", "DELETE", "KEEP", "TERMINUS"];

impl WrittenSeismic {
    /// Is the text meant as a seismic order?
    pub fn is_one(text: &str) -> bool {
        let first = text.split_whitespace().next().unwrap_or("");
        ["SEPARATE", "CONNECT"].iter().any(|word| first.eq_ignore_ascii_case(word))
    }

    /// Can an option about waterways begin with this word, in capitals?
    pub(crate) fn begins_option(word: &str) -> bool {
        FIRST_WORDS_OF_OPTIONS.contains(&word)
    }

    /// Reads an order in the notation of docs/adjudicate.md.
    ///
    /// # Errors
    /// The text is not such an order, or the words after it are not options.
    pub fn parse(text: &str) -> Result<Self, ParseSeismicError> {
        let text = text.to_ascii_uppercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        // A province may have the name of an option: the four faces of a separation come first in any case.
        let faces = if words.first() == Some(&"SEPARATE") { 6 } else { 5 };
        let tail = words.iter().skip(faces).position(|word| WrittenSeismic::begins_option(word));
        let end = tail.map_or(words.len(), |at| faces + at);
        let order = words[..end].join(" ");
        let event: MapEvent = order.parse().map_err(|_| ParseSeismicError::NoOrder(order.clone()))?;
        if !matches!(event, MapEvent::Separate { .. } | MapEvent::Connect { .. }) {
            return Err(ParseSeismicError::NoOrder(order));
        }
        let mut wishes = Vec::new();
        let mut rest = &words[end..];
        while !rest.is_empty() {
            let no_option = || ParseSeismicError::NoOption(rest.join(" "));
            let (at, option) = match rest {
                ["AT", x, y, option @ ..] => (Some([(*x).to_owned(), (*y).to_owned()]), option),
                option => (None, option),
            };
            let (option, left) = match option {
                ["STRAIT", left @ ..] => (WaterwayOption::Strait, left),
                ["CANAL", name, left @ ..] => (WaterwayOption::Canal((*name).to_owned()), left),
                ["NONE", left @ ..] => (WaterwayOption::Nothing, left),
                ["DELETE", left @ ..] => (WaterwayOption::Delete, left),
                ["KEEP", left @ ..] => (WaterwayOption::Keep, left),
                ["TERMINUS", name, left @ ..] => (WaterwayOption::Terminus((*name).to_owned()), left),
                _ => return Err(no_option()),
            };
            wishes.push(WaterwayChoice { at, option });
            rest = left;
        }
        Ok(WrittenSeismic { event, wishes })
    }

    /// Resolves the order on this map.
    ///
    /// # Errors
    /// The order does not fit the map, or fits several places, or an option names a face that is not on the
    /// map.
    pub fn resolve(&self, map: &PlanarMap) -> Result<SeismicOrder, SeismicFault> {
        let find = |name: &String| map.find(name).ok_or_else(|| SeismicFault::UnknownProvince(name.clone()));
        let quake = Quake::of_event(&self.event, map)?;
        Ok(SeismicOrder {
            quake,
            wishes: self.wishes.iter().map(|wish| wish.map(find)).collect::<Result<_, _>>()?,
        })
    }

    /// The order in written form.
    pub fn from_order(map: &PlanarMap, order: &SeismicOrder) -> Self {
        let name = |&id: &ProvinceId| Ok(map.name(id).to_owned());
        let Ok(wishes): Result<_, Infallible> = order.wishes.iter().map(|wish| wish.map(name)).collect();
        WrittenSeismic { event: order.quake.event(map), wishes }
    }
}

impl fmt::Display for WrittenSeismic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = self.event.to_string().to_ascii_uppercase();
        write!(f, "{event}{}", self.wishes_as(str::to_owned))
    }
}

impl WrittenSeismic {
    /// The order as an event of the map (`map_events`), with its keywords in lower case: `separate GAS SPA
    /// connect MAO MAR canal MAR`.
    pub(crate) fn event_text(&self) -> String {
        format!("{}{}", self.event, self.wishes_as(str::to_ascii_lowercase))
    }

    /// The choices about waterways, with keywords in this case.
    fn wishes_as(&self, letters: fn(&str) -> String) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            for WaterwayChoice { at, option } in &self.wishes {
                if let Some([x, y]) = at {
                    write!(f, " {} {x} {y}", letters("AT"))?;
                }
                let (word, name) = match option {
                    WaterwayOption::Strait => ("STRAIT", None),
                    WaterwayOption::Canal(name) => ("CANAL", Some(name)),
                    WaterwayOption::Nothing => ("NONE", None),
                    WaterwayOption::Delete => ("DELETE", None),
                    WaterwayOption::Keep => ("KEEP", None),
                    WaterwayOption::Terminus(name) => ("TERMINUS", Some(name)),
                };
                write!(f, " {}", letters(word))?;
                if let Some(name) = name {
                    write!(f, " {name}")?;
                }
            }
            Ok(())
        })
    }
}
