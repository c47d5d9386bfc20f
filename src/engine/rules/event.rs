//! The events of a game, apart from the orders, as they are reported to logs.
//!
//! An [`Event`] is the form that programs use. Its [`Description`] has the same content in the columns of a
//! table row, whatever the kind. The [`EventInfo`] of its kind is all that logs, replays, pictures and
//! figures need in order to treat it like any other.

use std::fmt;

use crate::rules::conduct::{Conduct, RefusedOrder};
use crate::rules::map_tables::MapTables;
use crate::rules::position::{Dislodged, Phase, Position, Unit};
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use crate::rules::settlement::Settlement;
use arrayvec::ArrayVec;
use upheaval_map::ids::{ByPower, Designation, Location, Power, ProvinceId, UnitKind};
use upheaval_map::topology::{HalfEdgeId, MapEvent, Quake};

pub use crate::rules::lexicon::{AccountEntry, EventColumn, EventInfo, EventKind, MapChange, Subject};

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Nature drew the province as the season's hole.
    HoleDrawn(ProvinceId),
    /// Nature drew the province for the entry with this id.
    PlaceDrawn(ProvinceId, Box<str>),
    /// The province comes first by the measure of the entry with this id.
    PlaceChosen(ProvinceId, Box<str>),
    /// The province collapsed into a point (rules.md 1.4).
    Collapsed(ProvinceId),
    /// The province became impassable (rules.md 1.5).
    Voided(ProvinceId),
    /// A hole was restored (rules.md 4.8, 4.10).
    Restored(ProvinceId),
    /// The province sank and is now a sea (rules.md 6.3).
    Submerged(ProvinceId),
    /// The sea is land now.
    Raised(ProvinceId),
    /// The sea is ice now.
    Frozen(ProvinceId),
    /// The province, ice before, is sea again.
    Thawed(ProvinceId),
    /// A canal was dug through the province between these seas (rules.md 1.3).
    Dug(ProvinceId, [ProvinceId; 2]),
    /// The canal that was dug through the province was filled.
    Filled(ProvinceId),
    /// A formerly impassable province can now be entered (rules.md 6.5).
    Opened(ProvinceId),
    /// The province became a supply centre, of this power if any (rules.md 6.4).
    CentreFounded(ProvinceId, Option<Power>, Founding),
    /// The province is no longer a supply centre.
    CentreRuined(ProvinceId),
    /// The province was marked.
    Marked(ProvinceId),
    /// A unit that could not stay became this one: an army a fleet, or a fleet an army.
    Converted(ProvinceId, Unit),
    /// The entry with this id was to change the place, and could not: its verb does not fit the place now
    /// (docs/changes.md).
    Skipped(ProvinceId, Box<str>),
    /// Nature drew the province to be split, and the cards say where the new border ends; reported before the
    /// split.
    SplitDrawn(ProvinceId, [HalfEdgeId; 2]),
    /// A province was split into these halves (rules.md 4.11).
    Split([ProvinceId; 2]),
    /// The owner of a split centre also owns its second half.
    CentreDoubled(ProvinceId, Power),
    /// A unit of a split province stays in one half; a new unit of its power appeared in the other.
    UnitDoubled {
        /// The half in which the unit stays.
        stays: ProvinceId,
        /// The half with the new unit.
        new: ProvinceId,
        /// The new unit.
        unit: Unit,
    },
    /// A restored home centre has an owner again (rules.md 4.10).
    CentreReturned(ProvinceId, Power),
    /// A unit vanished with the face that it was in or was ordered into, and will return with it (rules.md
    /// 4.8).
    Swallowed {
        /// The face.
        face: ProvinceId,
        /// The former place of the unit, if it was ordered to move into the face and is not in it.
        entering_from: Option<ProvinceId>,
        /// The unit.
        unit: Unit,
    },
    /// A unit returned with its face.
    UnitReturned(ProvinceId, Unit),
    /// A power changed its exempt centre to its last home centre (rr01, rule 6). A secret.
    ExemptChanged(Power, ProvinceId),
    /// The exemption of an eliminated power lapsed (rr01, rule 8). A secret.
    ExemptLapsed(Power, ProvinceId),
    /// A power had its exempt centre announced (rr01, rule 7).
    ExemptAnnounced(Power, ProvinceId),
    /// A power named its exempt centre. A secret (rules.md 4.5).
    ExemptNamed(Power, ProvinceId),
    /// The exempt centre of a power that did not name one was drawn. A secret.
    ExemptDrawn(Power, ProvinceId),
    /// The first two lost their common border, and the other two touch in its place (rules.md 8.1).
    Separated([ProvinceId; 2], [ProvinceId; 2]),
    /// The two were joined by a border through the third (rules.md 8.1).
    Released([ProvinceId; 2], ProvinceId),
    /// A fleet lost its last coast and is trapped (rules.md 8.8).
    Trapped(ProvinceId, Unit),
    /// An army boarded a fleet of its power (army/fleet rules 1 and 5).
    Embarked {
        /// The former place of the army.
        from: ProvinceId,
        /// The place of the fleet before anything moved.
        fleet: ProvinceId,
        /// Their owner.
        power: Power,
    },
    /// An army landed (army/fleet rule 3).
    Landed {
        /// The place of its fleet before anything moved.
        fleet: ProvinceId,
        /// The place of the army now.
        to: ProvinceId,
        /// Its owner.
        power: Power,
    },
    /// An army became this fleet (ru10 rule 2).
    BecameFleet(ProvinceId, Unit),
    /// An army was aboard for too long and is lost (army/fleet rule 7); the province is that of its fleet.
    LostAtSea(ProvinceId, Power),
    /// A unit was forced out of its province.
    Dislodged(Dislodged),
    /// A dislodged unit retreated.
    Retreated(Dislodged, Location),
    /// A dislodged unit left the board.
    Disbanded(Dislodged),
    /// A unit vanished with its province.
    Destroyed(ProvinceId, Unit),
    /// A fleet's coast has vanished, and the province has no other: the fleet is lost (rules.md 2.4).
    CoastLost(ProvinceId, Unit),
    /// A fleet's coast split or vanished; the fleet is now on this one (rules.md 2.1, 2.3).
    CoastMoved(ProvinceId, Unit),
    /// A centre changed hands.
    Captured {
        /// The centre.
        centre: ProvinceId,
        /// The new owner.
        by: Power,
        /// The former owner.
        from: Option<Power>,
    },
    /// A centre that a power owned vanished.
    CentreLost(ProvinceId, Power),
    /// A power built a unit.
    Built(Power, ProvinceId, Unit),
    /// A power disbanded a unit.
    Removed(Power, ProvinceId, Unit),
    /// A power waived a build.
    Waived(Power),
    /// A power has no units or centres left.
    Eliminated(Power),
    /// An eliminated power has a unit or centre again, and resumes play (rules.md 7).
    Revived(Power),
    /// This number of orders of the power's bot was refused in this phase.
    Refused(Power, u32),
    /// The power's bot had another fault.
    Faulted(Power, Conduct),
    /// A power won.
    Won(Power),
    /// The last year is over, or no power is left: a draw of these powers.
    Drawn(Vec<Power>),
}

/// How a founded centre is reported among the changes of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Founding {
    /// It follows from the dates of the variant, and is not reported.
    Dated,
    /// It is reported, with the power whose home it is.
    Home(Option<Power>),
}

/// A recipient of a game's events. Every method is optional.
///
/// `terrain` is the ground at that moment: for example, a collapse is reported after the change.
#[allow(unused_variables)]
pub trait Log {
    /// An event happened.
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {}

    /// The orders of a stage were settled. Where retreats are sent with the orders, they are settled after the movement.
    fn settled(&mut self, settlement: &Settlement<'_>) {}

    /// Orders of a power were refused. The log receives them before the orders of the stage are settled.
    fn refused(&mut self, at: Phase, terrain: &MapTables, power: Power, refused: &[RefusedOrder]) {}

    /// A season has ended with this position. `at` is its last phase.
    fn season(&mut self, at: Phase, terrain: &MapTables, position: &Position) {}
}

/// Ignores all events.
impl Log for () {}

/// Two logs of one game; the first one receives each event first.
pub struct Both<'a> {
    /// The first log.
    pub first: &'a mut dyn Log,
    /// The second log.
    pub second: &'a mut dyn Log,
}

impl Both<'_> {
    fn tell(&mut self, tell: impl Fn(&mut dyn Log)) {
        tell(self.first);
        tell(self.second);
    }
}

impl Log for Both<'_> {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        self.tell(|log| log.event(at, terrain, event));
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        self.tell(|log| log.settled(settlement));
    }

    fn refused(&mut self, at: Phase, terrain: &MapTables, power: Power, refused: &[RefusedOrder]) {
        self.tell(|log| log.refused(at, terrain, power, refused));
    }

    fn season(&mut self, at: Phase, terrain: &MapTables, position: &Position) {
        self.tell(|log| log.season(at, terrain, position));
    }
}

// An event in the columns of a table row: the only place that takes events apart.

/// The largest number of parts of a detail's text.
const MOST_PARTS: usize = 8;

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
    /// The id of an entry of `[[changes]]`.
    Entry(&'e str),
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
    /// A canal through a province between two seas.
    Canal(ProvinceId, [ProvinceId; 2]),
    /// The number of refused orders.
    Refused(u32),
    /// The fault of a bot.
    Fault(Conduct),
    /// Powers.
    Powers(&'e [Power]),
}

impl Event {
    /// The content of the event in columns.
    #[inline]
    pub fn description(&self) -> Description<'_> {
        use EventKind as Kind;
        match self {
            Event::HoleDrawn(p) => at(Kind::HoleDrawn, *p),
            Event::PlaceDrawn(p, entry) => at(Kind::PlaceDrawn, *p).with(Detail::Entry(entry)),
            Event::PlaceChosen(p, entry) => at(Kind::PlaceChosen, *p).with(Detail::Entry(entry)),
            Event::Collapsed(p) => at(Kind::Collapsed, *p),
            Event::Voided(p) => at(Kind::Voided, *p),
            Event::Restored(p) => at(Kind::Restored, *p),
            Event::Submerged(p) => at(Kind::Submerged, *p),
            Event::Raised(p) => at(Kind::Raised, *p),
            Event::Frozen(p) => at(Kind::Frozen, *p),
            Event::Thawed(p) => at(Kind::Thawed, *p),
            Event::Dug(p, seas) => at(Kind::Dug, *p).with(Detail::Canal(*p, *seas)),
            Event::Filled(p) => at(Kind::Filled, *p),
            Event::Opened(p) => at(Kind::Opened, *p),
            Event::CentreFounded(p, power, _) => Description { power: *power, ..at(Kind::CentreFounded, *p) },
            Event::CentreRuined(p) => at(Kind::CentreRuined, *p),
            Event::Marked(p) => at(Kind::Marked, *p),
            Event::Converted(p, unit) => unit_at(Kind::Converted, unit, *p),
            Event::Skipped(p, entry) => at(Kind::Skipped, *p).with(Detail::Entry(entry)),
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
            Detail::Entry(id) => parts.push(id),
            Detail::Province(before, id) => parts.extend([before, map.name(id)]),
            Detail::Separation([a, b], [c, d]) => {
                let [a, b, c, d] = [a, b, c, d].map(|id| map.name(id));
                parts.extend(["separate ", a, " ", b, " connect ", c, " ", d]);
            }
            Detail::Release([a, c], through) => {
                let [from, to, through] = [a, c, through].map(|id| map.name(id));
                parts.extend(["connect ", from, " ", to, " through ", through]);
            }
            Detail::Canal(through, [one, other]) => {
                let [through, one, other] = [through, one, other].map(|id| map.name(id));
                parts.extend(["dig ", through, " ", one, " ", other]);
            }
            Detail::Fault(fault) => parts.push(fault.name()),
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

// Extracts the changes of the map from all events, in a form that can be applied to a map kept elsewhere.

/// Extracts the changes of the map from a game's events.
///
/// ```
/// use upheaval_engine::rules::event::MapChanges;
/// use upheaval_engine::rules::event::Event;
/// use upheaval_engine::rules::map_tables::MapTables;
/// use upheaval_engine::topology::atlas;
/// let terrain = MapTables::new(atlas::standard());
/// let paris = terrain.names().find("PAR").unwrap();
/// let change = MapChanges::default().of_event(&terrain, &Event::Collapsed(paris));
/// assert_eq!(change.unwrap().to_string(), "collapse PAR");
/// ```
#[derive(Clone, Debug, Default)]
pub struct MapChanges {
    /// The split that has been drawn but not yet done.
    split: Option<MapEvent>,
}

impl MapChanges {
    /// The change that an event describes, if any. Seismic changes are derived from the orders instead
    /// ([`MapChanges::of_quakes`]), because their texts may need an index on the map before them.
    pub fn of_event(&mut self, terrain: &MapTables, event: &Event) -> Option<MapEvent> {
        match event {
            Event::SplitDrawn(_, ends) => {
                self.split = Some(MapEvent::split_between(terrain.chart().map(), *ends));
                None
            }
            Event::Split(_) => self.split.take(),
            Event::Dug(province, seas) => {
                let name = |id: ProvinceId| terrain.chart().map().name(id).to_owned();
                Some(MapEvent::Dig { province: name(*province), seas: seas.map(name) })
            }
            Event::CentreFounded(centre, _, Founding::Home(home)) => Some(MapEvent::Found {
                name: terrain.chart().map().name(*centre).to_owned(),
                home: home.map(|power| terrain.power_names().name(power).to_owned()),
            }),
            _ => {
                let described = event.description();
                let change = described.kind.info().change?;
                change.of(terrain.chart().map().name(described.province?))
            }
        }
    }

    /// The changes that seismic orders make, without duplicates, in the order of the powers. `terrain` is the
    /// ground on which the orders were given.
    pub(crate) fn of_quakes(
        terrain: &MapTables,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) -> Vec<MapEvent> {
        let mut done: Vec<Quake> = Vec::new();
        for (power, order) in orders.iter() {
            if let (Some(order), Some(SeismicOutcome::Done)) = (order, outcomes[power])
                && !done.contains(&order.quake)
            {
                done.push(order.quake);
            }
        }
        done.iter().map(|quake| quake.event(terrain.chart().map())).collect()
    }
}
