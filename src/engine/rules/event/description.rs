//! An event in the columns of a table row: the only place that takes events apart.

use std::fmt;

use arrayvec::ArrayVec;

use super::{Event, EventKind};
use crate::rules::conduct::Conduct;
use crate::rules::map_tables::MapTables;
use crate::rules::position::{Dislodged, Unit};
use upheaval_map::ids::{Designation, Location, Power, ProvinceId, UnitKind};
use upheaval_map::topology::{HalfEdgeId, MapEvent};

/// The largest number of parts of a detail's text.
pub(super) const MOST_PARTS: usize = 8;

/// The content of an event of any kind.
#[derive(Clone, Copy, Debug)]
pub struct Description<'e> {
    /// The kind of event.
    pub kind: EventKind,
    /// The province, if any.
    pub province: Option<ProvinceId>,
    /// The power that is affected or that acts.
    pub power: Option<Power>,
    /// The other power involved.
    pub other: Option<Power>,
    /// The kind of unit involved.
    pub unit: Option<Designation>,
    /// Everything that does not fit into the other columns.
    pub detail: Detail<'e>,
}

/// The content of an event beyond its columns.
#[derive(Clone, Copy, Debug)]
pub enum Detail<'e> {
    /// Nothing.
    None,
    /// A province, preceded by these words.
    Province(&'static str, ProvinceId),
    /// The place of a unit of this kind.
    Place(Location, UnitKind),
    /// The ends of the border of a split.
    Ends([HalfEdgeId; 2]),
    /// The pair that lost its border, and the pair that touches in its place.
    Separation([ProvinceId; 2], [ProvinceId; 2]),
    /// The pair that touches, and the face in between.
    Release([ProvinceId; 2], ProvinceId),
    /// The number of refused orders.
    Refused(u32),
    /// The fault of a bot.
    Fault(Conduct),
    /// Powers.
    Powers(&'e [Power]),
    /// A text.
    Text(&'e str),
}

impl Event {
    /// The content of the event in columns.
    #[inline]
    pub fn description(&self) -> Description<'_> {
        use EventKind as Kind;
        match self {
            Event::HoleDrawn(p) => at(Kind::HoleDrawn, *p),
            Event::Collapsed(p) => at(Kind::Collapsed, *p),
            Event::Voided(p) => at(Kind::Voided, *p),
            Event::Restored(p) => at(Kind::Restored, *p),
            Event::Submerged(p) => at(Kind::Submerged, *p),
            Event::Opened(p) => at(Kind::Opened, *p),
            Event::CentreFounded(p, power) => Description { power: *power, ..at(Kind::CentreFounded, *p) },
            Event::SplitDrawn(p, ends) => at(Kind::SplitDrawn, *p).with(Detail::Ends(*ends)),
            Event::Split([first, second]) => at(Kind::Split, *first).with(Detail::Province("", *second)),
            Event::CentreDoubled(p, power) => of(Kind::CentreDoubled, *power, *p),
            Event::UnitDoubled { stays, new, unit } => {
                unit_at(Kind::UnitDoubled, unit, *new).with(Detail::Province("", *stays))
            }
            Event::CentreReturned(p, power) => of(Kind::CentreReturned, *power, *p),
            Event::Swallowed { face, entering_from, unit } => {
                let from = entering_from.map_or(Detail::None, |from| Detail::Province("", from));
                unit_at(Kind::Swallowed, unit, *face).with(from)
            }
            Event::UnitReturned(p, unit) => unit_at(Kind::UnitReturned, unit, *p),
            Event::ExemptChanged(power, p) => of(Kind::ExemptChanged, *power, *p),
            Event::ExemptLapsed(power, p) => of(Kind::ExemptLapsed, *power, *p),
            Event::ExemptAnnounced(power, p) => of(Kind::ExemptAnnounced, *power, *p),
            Event::ExemptNamed(power, p) => of(Kind::ExemptNamed, *power, *p),
            Event::ExemptDrawn(power, p) => of(Kind::ExemptDrawn, *power, *p),
            Event::Separated(apart, together) => {
                at(Kind::Separated, apart[0]).with(Detail::Separation(*apart, *together))
            }
            Event::Released(together, through) => {
                at(Kind::Connected, together[0]).with(Detail::Release(*together, *through))
            }
            Event::Trapped(p, unit) => unit_at(Kind::Trapped, unit, *p),
            Event::Embarked { from, fleet, power } => {
                army(Kind::Embarked, *power, *from).with(Detail::Province("aboard A/F ", *fleet))
            }
            Event::Landed { fleet, to, power } => {
                army(Kind::Landed, *power, *to).with(Detail::Province("from A/F ", *fleet))
            }
            Event::BecameFleet(p, unit) => unit_at(Kind::BecameFleet, unit, *p),
            Event::LostAtSea(p, power) => army(Kind::LostAtSea, *power, *p),
            Event::Dislodged(Dislodged { unit, at, attacker, .. }) => {
                let from = attacker.map_or(Detail::None, |from| Detail::Province("from ", from));
                unit_at(Kind::Dislodged, unit, *at).with(from)
            }
            Event::Retreated(Dislodged { unit, at, .. }, to) => {
                unit_at(Kind::Retreated, unit, *at).with(Detail::Place(*to, unit.kind))
            }
            Event::Disbanded(Dislodged { unit, at, .. }) => unit_at(Kind::Disbanded, unit, *at),
            Event::Destroyed(p, unit) => unit_at(Kind::Destroyed, unit, *p),
            Event::CoastLost(p, unit) => unit_at(Kind::CoastLost, unit, *p),
            Event::CoastMoved(province, unit) => {
                let place = Location { province: *province, coast: unit.coast };
                unit_at(Kind::CoastMoved, unit, *province).with(Detail::Place(place, unit.kind))
            }
            Event::Captured { centre, by, from } => {
                Description { other: *from, ..of(Kind::Captured, *by, *centre) }
            }
            Event::CentreLost(p, power) => of(Kind::CentreLost, *power, *p),
            Event::Built(_, p, unit) => unit_at(Kind::Built, unit, *p),
            Event::Removed(_, p, unit) => unit_at(Kind::Removed, unit, *p),
            Event::Waived(power) => to(Kind::Waived, *power),
            Event::Eliminated(power) => to(Kind::Eliminated, *power),
            Event::Revived(power) => to(Kind::Revived, *power),
            Event::Refused(power, count) => to(Kind::BotFault, *power).with(Detail::Refused(*count)),
            Event::Faulted(power, fault) => to(Kind::BotFault, *power).with(Detail::Fault(*fault)),
            Event::Won(power) => to(Kind::Won, *power),
            Event::Drawn(powers) => nothing(Kind::Drawn).with(Detail::Powers(powers)),
            Event::Custom(custom) => Description {
                province: custom.province,
                power: custom.power,
                ..nothing(custom.kind).with(custom.detail.as_deref().map_or(Detail::None, Detail::Text))
            },
        }
    }
}

const fn nothing(kind: EventKind) -> Description<'static> {
    Description { kind, province: None, power: None, other: None, unit: None, detail: Detail::None }
}

const fn at(kind: EventKind, province: ProvinceId) -> Description<'static> {
    Description { province: Some(province), ..nothing(kind) }
}

const fn to(kind: EventKind, power: Power) -> Description<'static> {
    Description { power: Some(power), ..nothing(kind) }
}

const fn of(kind: EventKind, power: Power, province: ProvinceId) -> Description<'static> {
    Description { power: Some(power), ..at(kind, province) }
}

const fn army(kind: EventKind, power: Power, province: ProvinceId) -> Description<'static> {
    Description { unit: Some(Designation::Army), ..of(kind, power, province) }
}

const fn unit_at(kind: EventKind, unit: &Unit, province: ProvinceId) -> Description<'static> {
    Description { unit: Some(unit.designation()), ..of(kind, unit.power, province) }
}

impl<'e> Description<'e> {
    fn with(self, detail: Detail<'e>) -> Description<'e> {
        Description { detail, ..self }
    }

    /// The number of units involved: an army/fleet counts as two.
    pub fn units(&self) -> usize {
        match self.unit {
            None => 0,
            Some(Designation::Army | Designation::Fleet) => 1,
            Some(Designation::ArmyFleet) => 2,
        }
    }
}

impl<'e> Detail<'e> {
    /// The parts of this detail's text in sequence, with the names of this ground; `None` for the few details
    /// that need formatting.
    pub fn parts(self, terrain: &'e MapTables) -> Option<ArrayVec<&'e str, MOST_PARTS>> {
        let map = terrain.chart().map();
        let mut parts = ArrayVec::new();
        match self {
            Detail::None => {}
            Detail::Province(before, id) => parts.extend([before, map.name(id)]),
            Detail::Separation([a, b], [c, d]) => {
                let [a, b, c, d] = [a, b, c, d].map(|id| map.name(id));
                parts.extend(["separate ", a, " ", b, " connect ", c, " ", d]);
            }
            Detail::Release([a, c], through) => {
                let [from, to, through] = [a, c, through].map(|id| map.name(id));
                parts.extend(["connect ", from, " ", to, " through ", through]);
            }
            Detail::Fault(fault) => parts.push(fault.name()),
            Detail::Text(text) => parts.push(text),
            Detail::Place(..) | Detail::Ends(_) | Detail::Refused(_) | Detail::Powers(_) => return None,
        }
        Some(parts)
    }

    /// The detail as text, with the names of this ground. [`Detail::None`] gives an empty text.
    pub fn display(self, terrain: &'e MapTables) -> impl fmt::Display + 'e {
        fmt::from_fn(move |f| match self {
            Detail::Place(at, kind) => f.write_str(&terrain.place(at, kind)),
            Detail::Ends(ends) => write!(f, "{}", MapEvent::split_between(terrain.chart().map(), ends)),
            Detail::Refused(count) => write!(f, "{count} order(s) that were not legal"),
            Detail::Powers(powers) => {
                for (i, power) in powers.iter().enumerate() {
                    let before = if i == 0 { "" } else { " " };
                    write!(f, "{before}{}", terrain.power_names().name(*power))?;
                }
                Ok(())
            }
            other => other.parts(terrain).into_iter().flatten().try_for_each(|part| f.write_str(part)),
        })
    }
}
