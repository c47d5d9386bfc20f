//! Changes with an end: what a place is again, and when.
//!
//! ```text
//!   a place has properties:   hole · ground · centre · canal · one for each mark
//!   each has a lasting value, and at most one with an end
//!
//!   land ──────┬─ sea, until F1905 ─┐            a change that lasts sets the first and drops the second
//!              └────────────────────┴─ land      one with an end replaces only the second
//! ```

use arrayvec::ArrayVec;
use upheaval_map::ids::{Power, ProvinceId};
use upheaval_map::topology::{FaceKind, FaceState, NamedMap};

use super::entry::FaceChange;
use super::set::Kinds;
use super::when::Moment;
use super::words::Verb;

/// A change with an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passing {
    /// The place.
    pub face: ProvinceId,
    /// The index of the entry that made the change.
    pub entry: usize,
    /// The value that the property then has again.
    pub then: Lasting,
    /// When.
    pub end: Moment,
}

/// A property of a place, with its lasting value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lasting {
    /// Whether it is a hole.
    Hole(FaceState),
    /// What is there, or below the hole.
    Ground(FaceKind),
    /// Whether it is a supply centre and, if so, whose home.
    Centre(Option<Option<Power>>),
    /// Whether a canal was dug through it: none was.
    NoCanal,
    /// Whether it is marked: it is not.
    Unmarked,
}

/// A property of a place that an entry may replace after another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Property {
    /// Whether it is a hole.
    Hole,
    /// What is there, or below the hole.
    Ground,
    /// Whether it is a supply centre.
    Centre,
    /// Whether a canal was dug through it.
    Canal,
}

impl Property {
    /// The property that a verb changes at a hole, or at another place. Marks and halves replace nothing.
    pub(super) const fn of(verb: Verb, is_hole: bool) -> Option<Property> {
        match verb {
            Verb::Collapse | Verb::Void => Some(Property::Hole),
            Verb::Restore if is_hole => Some(Property::Hole),
            Verb::Restore | Verb::Submerge | Verb::Raise | Verb::Freeze | Verb::Open => {
                Some(Property::Ground)
            }
            Verb::Found | Verb::Ruin => Some(Property::Centre),
            Verb::Dig => Some(Property::Canal),
            Verb::Split | Verb::Mark | Verb::Quake => None,
        }
    }
}

impl FaceChange {
    /// The properties of places that it may change.
    pub(super) fn properties(&self) -> impl Iterator<Item = Property> {
        let of_set = self.set().and_then(|set| set.kinds(&|_| None)).unwrap_or(Kinds::ALL);
        self.verbs.each().into_iter().flat_map(move |(verb, kinds)| {
            let at_land = kinds.and(of_set).and(Kinds::LAND);
            let kinds = kinds.and(of_set).and(verb.kinds());
            let holes = !kinds.and(Kinds::HOLE).is_none() || kinds.is_none();
            let others = !kinds.without(Kinds::HOLE).is_none();
            let at = |is_so: bool, is_hole| if is_so { Property::of(verb, is_hole) } else { None };
            let fills = verb == Verb::Restore && !at_land.is_none();
            let canal = if fills { Some(Property::Canal) } else { None };
            at(holes, true).into_iter().chain(at(others, false)).chain(canal)
        })
    }
}

impl Lasting {
    /// The property that a verb changes at a place, with its value before; `None` if nothing of it can end.
    pub(super) fn before(verb: Verb, chart: &NamedMap, at: ProvinceId) -> Option<Lasting> {
        let face = chart.map().face(at)?;
        if verb == Verb::Mark {
            return Some(Lasting::Unmarked);
        }
        Some(match Property::of(verb, face.state() != FaceState::Open)? {
            Property::Hole => Lasting::Hole(face.state()),
            Property::Ground => Lasting::Ground(face.kind()),
            Property::Canal => Lasting::NoCanal,
            Property::Centre => {
                let info = chart.info(at).filter(|info| info.supply_centre);
                Lasting::Centre(info.map(|info| info.home))
            }
        })
    }

    /// Are both values of the same property?
    pub(super) fn is_of_property(self, other: Lasting) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// The verbs that give the property this value, in their order.
    pub(super) fn verbs(self, chart: &NamedMap, at: ProvinceId) -> ArrayVec<Verb, 2> {
        let Some(face) = chart.map().face(at) else { return ArrayVec::new() };
        let is_centre = chart.info(at).is_some_and(|info| info.supply_centre);
        let verbs: &[Verb] = match (self, face.state(), face.kind()) {
            (Lasting::Hole(then), now, _) if then == now => &[],
            (Lasting::Hole(FaceState::Open), ..) => &[Verb::Restore],
            (Lasting::Hole(FaceState::Collapsed), FaceState::Open, _) => &[Verb::Collapse],
            (Lasting::Hole(FaceState::Collapsed), ..) => &[Verb::Restore, Verb::Collapse],
            (Lasting::Hole(FaceState::Void), FaceState::Open, _) => &[Verb::Void],
            (Lasting::Hole(FaceState::Void), ..) => &[Verb::Restore, Verb::Void],
            (Lasting::Ground(then), _, now) if then == now => &[],
            (Lasting::Ground(FaceKind::Sea), _, FaceKind::Ice) => &[Verb::Restore],
            (Lasting::Ground(FaceKind::Sea), ..) => &[Verb::Submerge],
            (Lasting::Ground(FaceKind::Land), _, FaceKind::Ice) => &[Verb::Restore, Verb::Raise],
            (Lasting::Ground(FaceKind::Land), ..) => &[Verb::Raise],
            (Lasting::Ground(FaceKind::Ice), _, FaceKind::Land) => &[Verb::Submerge, Verb::Freeze],
            (Lasting::Ground(FaceKind::Ice), ..) => &[Verb::Freeze],
            (Lasting::Ground(_), ..) => &[], // nothing that ends has changed another kind
            (Lasting::Centre(None), ..) if is_centre => &[Verb::Ruin],
            (Lasting::Centre(Some(_)), ..) if !is_centre => &[Verb::Found],
            (Lasting::Centre(_), ..) => &[],
            (Lasting::Unmarked, ..) => &[Verb::Mark],
            (Lasting::NoCanal, ..) => &[], // it is filled, whatever the place is by now
        };
        verbs.iter().copied().collect()
    }
}
