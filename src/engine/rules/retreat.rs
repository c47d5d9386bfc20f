//! The retreat phase: the options of a dislodged unit, and the results of the orders.

use std::cmp::Ordering;
use std::fmt;

use arrayvec::ArrayVec;

use crate::rules::movement::listed;
use crate::rules::order::{Listing, RetreatOrder};
use crate::rules::position::{Dislodged, Position, Retreats, Unit};
use crate::rules::rulebook::{ConvoyedStart, Rulebook};
use upheaval_map::ids::{CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::{Bearing, Board, FleetMoves};

/// The places that the `i`-th dislodged unit can retreat to, including coasts, in ascending order; empty if
/// there is no such unit.
///
/// `position` is the one after the movement, and `doomed` the provinces that are about to vanish (rules.md
/// 4.3). Occupied provinces, those left empty by a stand-off, and the origin of the attacker are excluded;
/// the rulebook may permit the origin of an attacker that came by convoy (4.A.5).
pub fn options<'a>(
    board: &'a Board,
    rulebook: &Rulebook,
    position: &Position,
    retreats: &'a Retreats,
    i: usize,
    doomed: &ProvinceSet,
) -> impl Iterator<Item = Location> + use<'a> {
    let mut closed = *position.occupied() | retreats.contested | *doomed;
    let unit = retreats.dislodged.get(i);
    if let Some(&Dislodged { attacker: Some(start), attacker_convoyed, .. }) = unit {
        let excepted = attacker_convoyed && rulebook.convoyed_start == ConvoyedStart::Allowed;
        if !excepted {
            closed.insert(start);
        }
    }
    let given = given_ways(retreats, i);
    let own = unit.filter(|_| given.is_none());
    all_ways(board, unit, given.unwrap_or_default(), own).filter(move |to| !closed.contains(to.province))
}

/// The ways of the `i`-th dislodged unit that are given from outside of the board.
fn given_ways(retreats: &Retreats, i: usize) -> Option<&[Location]> {
    retreats.ways.iter().find(|(unit, _)| *unit == i).map(|(_, ways)| &ways[..])
}

/// The given ways, followed by the board's if the unit uses those.
fn all_ways<'a>(
    board: &'a Board,
    unit: Option<&Dislodged>,
    given: &'a [Location],
    own: Option<&'a Dislodged>,
) -> impl Iterator<Item = Location> + use<'a> {
    // An army/fleet can go only to a sea (army/fleet rule 6).
    let at_sea = unit.is_some_and(|dislodged| dislodged.unit.is_laden());
    let own = own.into_iter();
    let own = own.flat_map(move |&Dislodged { at, unit, .. }| ways(board, at, unit.kind, unit.coast));
    given.iter().copied().chain(own).filter(move |to| !at_sea || board.sea().contains(to.province))
}

/// The places that a unit here could reach without a convoy on this board, including coasts, in ascending
/// order.
pub fn ways(
    board: &Board,
    at: ProvinceId,
    kind: UnitKind,
    coast: CoastId,
) -> impl Iterator<Item = Location> + '_ {
    let from = Location { province: at, coast };
    let (by_land, by_water) = match kind {
        UnitKind::Army => (*board.army_reach(at), FleetMoves::NONE),
        UnitKind::Fleet => (ProvinceSet::EMPTY, board.fleet_moves(from)),
    };
    by_land.into_iter().map(Location::from).chain(by_water)
}

/// May a list of retreats of the unit in this place contain that place (rules.md 4.12)?
pub fn may_be_listed(board: &Board, listing: Listing, from: Location, kind: UnitKind, to: Location) -> bool {
    match (listing, kind) {
        (Listing::None, _) => false,
        (Listing::InReach, UnitKind::Army) => {
            to.coast == CoastId::FIRST && board.army_reach(from.province).contains(to.province)
        }
        (Listing::InReach, UnitKind::Fleet) => board.fleet_moves(from).contains(to),
        (Listing::Anywhere, _) => to.province != from.province,
    }
}

/// The places that a unit could reach without a convoy from any of these coasts, given as in `ground`, in
/// ascending order and numbered as in `board`. In `ground` the unit's own province is open (docs/rules.md
/// 4.8), so that the coasts around it may differ; a fleet cannot go to a province that has no coast on the
/// board.
pub(crate) fn ways_across(
    ground: &Board,
    board: &Board,
    at: ProvinceId,
    kind: UnitKind,
    coasts: &[CoastId],
) -> Vec<Location> {
    let mut found = Vec::new();
    for to in coasts.iter().flat_map(|&coast| ways(ground, at, kind, coast)) {
        match kind {
            UnitKind::Army => found.extend(board.land().contains(to.province).then_some(to)),
            UnitKind::Fleet => {
                let was = ground.contacts(to);
                let same = |here: &Location| {
                    let mut contacts = board.contacts(*here).iter();
                    was.is_empty() // at sea
                        || contacts.any(|side| was.iter().any(|other| other.border() == side.border()))
                };
                found.extend(board.stations_of(to.province).filter(same));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The treatment of a dislodged unit without a valid order.
#[derive(Clone, Copy)]
pub enum RetreatDefault<'a> {
    /// It disbands.
    Disband,
    /// It goes to the neighbour nearest to due north, or else to the first vacant one counterclockwise from
    /// due north (rules.md 4.6).
    NorthThenAnticlockwise {
        /// The bearing of the second province as seen from the first; `None` if a position is not known.
        bearing: &'a dyn Fn(ProvinceId, ProvinceId) -> Option<Bearing>,
        /// The order of places by name, including coasts: it decides which unit goes first, and which place
        /// is preferred at equal bearings.
        by_name: &'a dyn Fn(Location, Location) -> Ordering,
    },
}

/// Compares by angle from due north on either side. At equal angles, the counterclockwise side comes first; a
/// place whose position is not known comes last.
///
/// ```
/// use upheaval_engine::rules::retreat::nearer_to_north;
/// use upheaval_engine::topology::Bearing;
/// let [west, east] = [-1.0, 1.0].map(|east| Some(Bearing::of(east, 4.0)));
/// assert!(nearer_to_north(west, east).is_lt());
/// assert!(nearer_to_north(Some(Bearing::of(1.0, 5.0)), west).is_lt());
/// ```
pub fn nearer_to_north(one: Option<Bearing>, other: Option<Bearing>) -> Ordering {
    known_first(one, other, |one, other| one.from_north(other).then_with(|| one.anticlockwise(other)))
}

/// Compares by the order in which the directions are met when turning counterclockwise from due north; a place
/// whose position is not known comes last.
pub(crate) fn sooner_anticlockwise(one: Option<Bearing>, other: Option<Bearing>) -> Ordering {
    known_first(one, other, Bearing::anticlockwise)
}

fn known_first(
    one: Option<Bearing>,
    other: Option<Bearing>,
    by: impl Fn(&Bearing, &Bearing) -> Ordering,
) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => by(&one, &other),
        _ => one.is_none().cmp(&other.is_none()),
    }
}

/// The outcome for a dislodged unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RetreatOutcome {
    /// It retreated as ordered.
    Retreated {
        /// The destination.
        to: Location,
    },
    /// It had no valid order and was sent to the default's destination.
    SentTo {
        /// The destination.
        to: Location,
        /// Why its order did not count.
        fault: RetreatFault,
    },
    /// It disbanded as ordered.
    Disbanded,
    /// It disbanded because its order did not count, and the default found no place for it.
    Lost(RetreatFault),
    /// It and others were ordered to the same province, and all of them disbanded.
    Overlap {
        /// The origins of the others.
        with: ProvinceSet,
    },
}

upheaval_map::named! {
    /// Why a retreat order did not count.
    pub enum RetreatFault {
        /// There was no order.
        Missing = "no order",
        /// The unit cannot retreat there.
        Illegal = "no legal retreat",
    }
}

impl RetreatOutcome {
    /// The result word (docs/adjudicate.md).
    pub const fn word(&self) -> &'static str {
        match self {
            RetreatOutcome::Retreated { .. } | RetreatOutcome::Disbanded => "ok",
            RetreatOutcome::SentTo { fault: RetreatFault::Illegal, .. }
            | RetreatOutcome::Lost(RetreatFault::Illegal) => "illegal",
            RetreatOutcome::SentTo { fault: RetreatFault::Missing, .. } => "ok",
            RetreatOutcome::Lost(RetreatFault::Missing) => "disband",
            RetreatOutcome::Overlap { .. } => "overlap",
        }
    }

    /// The result word for the list of a unit that had to retreat. If none of the places was open: `void`.
    pub(crate) const fn word_of_list(&self) -> &'static str {
        match self {
            RetreatOutcome::SentTo { fault: RetreatFault::Illegal, .. }
            | RetreatOutcome::Lost(RetreatFault::Illegal) => "void",
            other => other.word(),
        }
    }

    /// The unit's place now, if it is still on the board.
    pub const fn stands(&self) -> Option<Location> {
        match self {
            RetreatOutcome::Retreated { to } | RetreatOutcome::SentTo { to, .. } => Some(*to),
            _ => None,
        }
    }

    /// The outcome as a sentence for a reader, given the names of provinces.
    pub fn display<N, S>(self, name: N) -> impl fmt::Display
    where
        N: Fn(ProvinceId) -> S,
        S: fmt::Display,
    {
        fmt::from_fn(move |f| match self {
            RetreatOutcome::Retreated { to } => write!(f, "retreated to {}", name(to.province)),
            RetreatOutcome::SentTo { to, fault } => {
                write!(f, "{}, sent to {}", fault.name(), name(to.province))
            }
            RetreatOutcome::Disbanded => f.write_str("disbanded"),
            RetreatOutcome::Lost(fault) => write!(f, "{}, disbanded", fault.name()),
            RetreatOutcome::Overlap { with } => {
                write!(f, "disbanded, the same retreat was ordered from {}", listed(with, &name))
            }
        })
    }
}

/// Settles the retreats. `orders` has one entry for each of `retreats.dislodged`, in the same order; missing
/// entries count as `None`. Units that find a place are put into `position`. The outcomes are in the order of
/// the dislodged units.
pub fn settle(
    board: &Board,
    rulebook: &Rulebook,
    position: &mut Position,
    retreats: &Retreats,
    orders: &[Option<RetreatOrder>],
    doomed: &ProvinceSet,
    default: RetreatDefault<'_>,
) -> Vec<RetreatOutcome> {
    let count = retreats.dislodged.len();
    let can = |i, to| options(board, rulebook, position, retreats, i, doomed).any(|way| way == to);
    // First, each order on its own.
    let mut outcomes: Vec<RetreatOutcome> = (0..count)
        .map(|i| match orders.get(i).copied().flatten() {
            None => RetreatOutcome::Lost(RetreatFault::Missing),
            Some(RetreatOrder::Disband) => RetreatOutcome::Disbanded,
            Some(RetreatOrder::Retreat { to }) if can(i, to) => RetreatOutcome::Retreated { to },
            Some(RetreatOrder::Retreat { .. }) => RetreatOutcome::Lost(RetreatFault::Illegal),
        })
        .collect();
    // Then the conflicts between them.
    let (mut wanted, mut crowded) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
    for to in outcomes.iter().filter_map(RetreatOutcome::stands) {
        if wanted.contains(to.province) {
            crowded.insert(to.province);
        }
        wanted.insert(to.province);
    }
    if !crowded.is_empty() {
        let wanted = outcomes.clone();
        let goal = |i: usize| wanted[i].stands().map(|to| to.province);
        for (i, outcome) in outcomes.iter_mut().enumerate() {
            if goal(i).is_some_and(|to| crowded.contains(to)) {
                let others = (0..count).filter(|&j| j != i && goal(j) == goal(i));
                *outcome =
                    RetreatOutcome::Overlap { with: others.map(|j| retreats.dislodged[j].at).collect() };
            }
        }
    }
    for (outcome, dislodged) in outcomes.iter().zip(&retreats.dislodged) {
        if let Some(to) = outcome.stands() {
            place(position, dislodged.unit, to);
        }
    }
    if let RetreatDefault::NorthThenAnticlockwise { bearing, by_name } = default {
        send_defaults(board, rulebook, position, retreats, doomed, &mut outcomes, bearing, by_name);
    }
    outcomes
}

/// rules.md 4.6: one after another, in the order of the names of the provinces they leave.
#[allow(clippy::too_many_arguments)]
fn send_defaults(
    board: &Board,
    rulebook: &Rulebook,
    position: &mut Position,
    retreats: &Retreats,
    doomed: &ProvinceSet,
    outcomes: &mut [RetreatOutcome],
    bearing: &dyn Fn(ProvinceId, ProvinceId) -> Option<Bearing>,
    by_name: &dyn Fn(Location, Location) -> Ordering,
) {
    let mut lost: ArrayVec<usize, { upheaval_map::ids::MAX_PROVINCES }> = ArrayVec::new();
    for (i, outcome) in outcomes.iter().enumerate() {
        if matches!(outcome, RetreatOutcome::Lost(_)) && !lost.is_full() {
            lost.push(i);
        }
    }
    lost.sort_by(|&a, &b| {
        by_name(retreats.dislodged[a].at.into(), retreats.dislodged[b].at.into()).then(a.cmp(&b))
    });
    for i in lost {
        let RetreatOutcome::Lost(fault) = outcomes[i] else { continue };
        let dislodged @ &Dislodged { at, unit, .. } = &retreats.dislodged[i];
        let open = || options(board, rulebook, position, retreats, i, doomed);
        let look = |to: &Location| bearing(at, to.province);
        let first = |a: &Location, b: &Location| by_name(*a, *b).then(a.coast.cmp(&b.coast));
        // Its neighbours on the board, vacant or not, and its additional ways from outside of the board.
        let given = given_ways(retreats, i).unwrap_or_default();
        let north = all_ways(board, Some(dislodged), given, Some(dislodged))
            .min_by(|a, b| nearer_to_north(look(a), look(b)).then_with(|| first(a, b)))
            .map(|to| to.province);
        let sweep =
            |a: &Location, b: &Location| sooner_anticlockwise(look(a), look(b)).then_with(|| first(a, b));
        let to =
            open().filter(|to| Some(to.province) == north).min_by(first).or_else(|| open().min_by(sweep));
        if let Some(to) = to {
            outcomes[i] = RetreatOutcome::SentTo { to, fault };
            place(position, unit, to);
        }
    }
}

fn place(position: &mut Position, unit: Unit, to: Location) {
    position.place(to.province, Unit { coast: to.coast, ..unit });
}
