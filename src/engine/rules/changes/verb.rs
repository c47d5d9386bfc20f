//! Verbs: the faces on which each acts, what it makes of them, and the events that report it.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;
use serde::{Serialize, Serializer};
use upheaval_map::ids::{ProvinceId, ProvinceSet};
use upheaval_map::topology::{FaceKind, FaceState, NamedMap};

use super::set::{self, Kinds};
use super::words::Verb;
use crate::rules::event::{Event, EventKind};
use crate::rules::map_tables::MapTables;
use crate::rules::words::words;

words! {
    /// A state of a place for which an entry has a verb.
    State {
        /// No hole.
        Open = "open",
        /// Open land.
        Land = "land",
        /// Open sea.
        Sea = "sea",
        /// Frozen sea.
        Ice = "ice",
        /// Impassable, and no hole.
        Impassable = "impassable",
        /// A hole.
        Hole = "hole",
    }
}

impl State {
    /// The kinds of faces in this state.
    pub const fn kinds(self) -> Kinds {
        match self {
            State::Open => Kinds::ALL.without(Kinds::HOLE),
            State::Land => Kinds::LAND,
            State::Sea => Kinds::SEA,
            State::Ice => Kinds::ICE,
            State::Impassable => Kinds::IMPASSABLE,
            State::Hole => Kinds::HOLE,
        }
    }
}

/// What an entry does with places: one verb, or one for each state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verbs {
    /// The same with all.
    One(Verb),
    /// By the state of the place. The states do not overlap.
    ByState(BTreeMap<State, Verb>),
}

impl Verbs {
    /// The verbs, each with the kinds of faces on which it acts, in the order in which they change the map: what opens
    /// holes before what closes them.
    pub fn each(&self) -> ArrayVec<(Verb, Kinds), { State::ALL.len() }> {
        let mut all: ArrayVec<(Verb, Kinds), { State::ALL.len() }> = match self {
            Verbs::One(verb) => [(*verb, Kinds::ALL)].into_iter().collect(),
            Verbs::ByState(verbs) => verbs.iter().map(|(state, verb)| (*verb, state.kinds())).collect(),
        };
        all.sort_by_key(|(verb, _)| *verb);
        all
    }

    /// Do they change both whether a place is a hole and what is below the hole?
    pub(super) fn mixes(&self) -> bool {
        let is_of_holes = |(verb, _): &(Verb, Kinds)| verb.makes_hole() || *verb == Verb::Restore;
        let verbs = self.each();
        verbs.iter().any(is_of_holes) && !verbs.iter().all(is_of_holes)
    }

    /// Is this one of them?
    pub fn has(&self, verb: Verb) -> bool {
        self.any(|one| one == verb)
    }

    /// Is this so of one of them?
    pub(super) fn any(&self, is: impl Fn(Verb) -> bool) -> bool {
        match self {
            Verbs::One(one) => is(*one),
            Verbs::ByState(verbs) => verbs.values().any(|one| is(*one)),
        }
    }
}

impl Serialize for Verbs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Verbs::One(verb) => verb.serialize(serializer),
            Verbs::ByState(verbs) => verbs.serialize(serializer),
        }
    }
}

impl Verb {
    /// The kinds of faces on which it can act.
    pub const fn kinds(self) -> Kinds {
        match self {
            Verb::Collapse => Kinds::ALL.without(Kinds::HOLE),
            Verb::Void => Kinds::PROVINCES,
            Verb::Split | Verb::Ruin => Kinds::LAND.or(Kinds::SEA),
            Verb::Restore => Kinds::HOLE.or(Kinds::ICE),
            Verb::Submerge | Verb::Found | Verb::Dig => Kinds::LAND,
            Verb::Raise | Verb::Freeze => Kinds::SEA,
            Verb::Open => Kinds::IMPASSABLE,
            Verb::Mark => Kinds::ALL,
            Verb::Quake => Kinds::NONE,
        }
    }

    /// The kinds of the faces on which it has acted.
    pub const fn result(self) -> Kinds {
        match self {
            Verb::Collapse | Verb::Void => Kinds::HOLE,
            Verb::Submerge => Kinds::SEA,
            Verb::Freeze => Kinds::ICE,
            Verb::Open | Verb::Found | Verb::Raise | Verb::Dig => Kinds::LAND,
            Verb::Split | Verb::Ruin => Kinds::LAND.or(Kinds::SEA),
            Verb::Restore => Kinds::ALL.without(Kinds::HOLE),
            Verb::Mark => Kinds::ALL,
            Verb::Quake => Kinds::NONE,
        }
    }

    /// Does it make a hole?
    pub const fn makes_hole(self) -> bool {
        matches!(self, Verb::Collapse | Verb::Void)
    }

    /// May units be unable to stay where it has acted?
    pub(super) const fn forces_out(self) -> bool {
        matches!(
            self,
            Verb::Collapse | Verb::Void | Verb::Submerge | Verb::Freeze | Verb::Restore | Verb::Mark
        )
    }

    /// Does it give a centre an owner?
    pub(super) const fn gives_owner(self) -> bool {
        matches!(self, Verb::Found | Verb::Restore)
    }

    /// The faces on which it can act now.
    pub fn fits(self, terrain: &MapTables) -> ProvinceSet {
        let chart = terrain.chart();
        match self {
            // A hole that would be land becomes a centre that sleeps until the face comes back.
            Verb::Found => chart.map().of_kind(FaceKind::Land) - set::centres(chart),
            Verb::Ruin => set::centres(chart),
            Verb::Restore => set::of_kinds(self.kinds(), terrain) | canals(terrain),
            verb => set::of_kinds(verb.kinds(), terrain),
        }
    }

    /// The faces of these kinds on which it can act now.
    pub(super) fn fits_within(self, kinds: Kinds, terrain: &MapTables) -> ProvinceSet {
        match kinds == Kinds::ALL {
            true => self.fits(terrain),
            false => self.fits(terrain) & self.within(kinds, terrain),
        }
    }

    /// The faces of these kinds; a centre is founded or ruined below a hole, too.
    fn within(self, kinds: Kinds, terrain: &MapTables) -> ProvinceSet {
        match self {
            Verb::Found | Verb::Ruin => set::faces(terrain.chart().map()),
            _ => set::of_kinds(kinds, terrain),
        }
    }

    /// The event of a change of a face that needs no more than the face.
    pub const fn event(self, face: ProvinceId) -> Option<Event> {
        match self {
            Verb::Collapse => Some(Event::Collapsed(face)),
            Verb::Void => Some(Event::Voided(face)),
            Verb::Restore => Some(Event::Restored(face)),
            Verb::Submerge => Some(Event::Submerged(face)),
            Verb::Raise => Some(Event::Raised(face)),
            Verb::Freeze => Some(Event::Frozen(face)),
            Verb::Open => Some(Event::Opened(face)),
            Verb::Ruin => Some(Event::CentreRuined(face)),
            Verb::Mark => Some(Event::Marked(face)),
            Verb::Dig | Verb::Split | Verb::Found | Verb::Quake => None,
        }
    }

    /// The kinds of events whose province nature drew for it, unless the draw has an event of its own.
    pub const fn drawn_as(self) -> &'static [EventKind] {
        match self {
            Verb::Collapse | Verb::Void => &[EventKind::HoleDrawn],
            Verb::Restore => &[EventKind::Restored, EventKind::Thawed, EventKind::Filled],
            Verb::Submerge => &[EventKind::Submerged],
            Verb::Open => &[EventKind::Opened],
            Verb::Split => &[EventKind::SplitDrawn],
            Verb::Raise | Verb::Freeze | Verb::Dig | Verb::Found | Verb::Ruin | Verb::Mark | Verb::Quake => {
                &[]
            }
        }
    }
}

/// The open land through which a canal was dug.
pub(super) fn canals(terrain: &MapTables) -> ProvinceSet {
    match terrain.chart().map().dug() {
        dug if dug.is_empty() => dug,
        dug => dug & set::of_kinds(Kinds::LAND, terrain),
    }
}

/// The kind of a face.
pub(super) fn kind_of(chart: &NamedMap, face: ProvinceId) -> Kinds {
    match chart.map().face(face).map(|face| (face.state(), face.kind())) {
        Some((FaceState::Open, FaceKind::Land)) => Kinds::LAND,
        Some((FaceState::Open, FaceKind::Sea)) => Kinds::SEA,
        Some((FaceState::Open, FaceKind::Ice)) => Kinds::ICE,
        Some((FaceState::Open, FaceKind::Impassable)) => Kinds::IMPASSABLE,
        Some((FaceState::Open, FaceKind::Outside | FaceKind::Point)) | None => Kinds::NONE,
        Some((FaceState::Collapsed | FaceState::Void, _)) => Kinds::HOLE,
    }
}
