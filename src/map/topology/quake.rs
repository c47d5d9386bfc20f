//! Places where the earth can move: every separation and release that a map allows (rules.md 8.1), and which of them
//! contradict each other (8.4). Doing several of them at once is [`super::shake`].
//!
//! ```text
//!   separation of A and B                release of A, in an island in B, to C
//!        C                                ──── C ────
//!     ╲ ╱                                  ~~~~│~~~~~      joins the cycle round the island and the one
//!  A   │   B      the five borders at      ~~╭─A─╮~~~      along C: two releases that join the same two
//!     ╱ ╲         its ends and itself      ~~╰───╯~~~      cycles would cut B into pieces
//!        D        are what it is done to
//! ```

use std::cmp::Ordering;

use super::half_edge::{BorderId, SideId};
use super::map::PlanarMap;
use crate::ids::{ProvinceId, ProvinceSet};

/// A change of borders that a map allows. Valid for the map it was taken from, until that changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quake {
    /// The border goes, and its flanks touch in its place.
    Separation(BorderId),
    /// Two stretches of one face, on different boundary cycles of it, are joined: by the sides across from it, the
    /// lower first.
    Release([SideId; 2]),
}

/// The faces of a quake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The two faces that lose each other; of a release, the face that is driven apart, twice.
    pub apart: [ProvinceId; 2],
    /// The two that touch afterwards.
    pub together: [ProvinceId; 2],
}

impl Quake {
    /// A release between these two sides, whichever is named first.
    pub fn release(x: SideId, y: SideId) -> Quake {
        Quake::Release(if x <= y { [x, y] } else { [y, x] })
    }

    /// The faces it is about.
    #[inline]
    pub fn touched(self, map: &PlanarMap) -> Touched {
        match self {
            Quake::Separation(border) => {
                let [side, twin] = border.sides();
                let ends = map.flanks(side).unwrap_or([map.owner(side); 2]);
                Touched { apart: [map.owner(side), map.owner(twin)], together: ends }
            }
            Quake::Release([x, y]) => {
                Touched { apart: [map.across(x); 2], together: [map.owner(x), map.owner(y)] }
            }
        }
    }

    /// Which of the places it is that fit its faces in this order, from 1; `None` if it is the only one.
    pub(super) fn index(
        self,
        map: &PlanarMap,
        apart: [ProvinceId; 2],
        together: [ProvinceId; 2],
    ) -> Option<usize> {
        let (place, count) = match self {
            Quake::Separation(border) => {
                let fitting = map.separations_of(apart, together);
                (fitting.iter().position(|side| side.border() == border), fitting.len())
            }
            Quake::Release(_) => {
                let fitting = map.releases_of(together[0], together[1], apart[0]);
                (fitting.iter().position(|&[x, y]| Quake::release(x, y) == self), fitting.len())
            }
        };
        place.filter(|_| count > 1).map(|place| place + 1)
    }

    /// Can only one of the two be done (rules.md 8.4)? A quake does not contradict itself.
    pub fn contradicts(self, other: Quake, map: &PlanarMap) -> bool {
        match (self, other) {
            _ if self == other => false,
            (Quake::Separation(x), Quake::Separation(y)) => corners_of(map, x).contains(&y),
            (Quake::Separation(border), Quake::Release(sides))
            | (Quake::Release(sides), Quake::Separation(border)) => {
                sides.iter().any(|side| side.border() == border)
            }
            (Quake::Release([a, c]), Quake::Release([e, g])) => {
                let same = |x: SideId, y: SideId| map.same_cycle(x.twin(), y.twin());
                map.across(a) == map.across(e)
                    && if same(a, e) { same(c, g) } else { same(a, g) && same(c, e) }
            }
        }
    }

    /// What the canonical order goes by, except for the index.
    fn rank(self, map: &PlanarMap) -> u64 {
        self.touched(map).rank(map, matches!(self, Quake::Release(_)))
    }

    /// What quakes alike in their faces go by. It is dear.
    fn index_of(self, map: &PlanarMap) -> Option<usize> {
        let Touched { apart, together } = self.touched(map);
        self.index(map, map.by_name(apart), map.by_name(together))
    }
}

impl Touched {
    /// See [`Quake::rank`].
    #[inline]
    fn rank(self, map: &PlanarMap, is_release: bool) -> u64 {
        let ([a, b], [c, d]) = (map.ranks(self.apart), map.ranks(self.together));
        u64::from_be_bytes([0, 0, 0, u8::from(is_release), a, b, c, d])
    }
}

/// The borders that share a corner with this one: none for a loop.
fn corners_of(map: &PlanarMap, border: BorderId) -> [BorderId; 4] {
    let [h, t] = border.sides();
    [map.next(h), map.prev(h), map.next(t), map.prev(t)].map(SideId::border)
}

/// Do these pairs, each of which joins two things, join some that hang together already?
fn make_a_ring(pairs: impl Iterator<Item = [usize; 2]>, things: usize) -> bool {
    let mut group: Vec<usize> = (0..things).collect();
    for pair in pairs {
        let [x, y] = pair.map(|thing| group[thing]);
        if x == y {
            return true;
        }
        group.iter_mut().filter(|group| **group == y).for_each(|group| *group = x);
    }
    false
}

impl PlanarMap {
    /// Every quake that could be done on this map by itself, in canonical order: separations before releases, each
    /// by the names of its faces (those that lose each other first) and then by index. The order does not tell how
    /// the map came about.
    pub fn quakes(&self) -> Vec<Quake> {
        let mut keyed: Vec<(u64, Quake)> = Vec::with_capacity(self.sides.len() / 2);
        let with_borders: ProvinceSet =
            self.faces().map(|(id, _)| id).filter(|&id| self.has_borders(id)).collect();
        for border in self.borders() {
            let [side, twin] = border.sides();
            let Some(together) = self.flanks(side) else { continue };
            let apart = [self.owner(side), self.owner(twin)];
            if apart.into_iter().chain(together).all(|id| with_borders.contains(id)) {
                let rank = Touched { apart, together }.rank(self, false);
                keyed.push((rank, Quake::Separation(border)));
            }
        }
        let faces: ProvinceSet = self.further_cycles.iter().map(|&(id, _)| id).collect();
        for id in faces {
            let cycles: Vec<Vec<SideId>> =
                self.cycles_of(id).map(|head| self.cycle(head).map(SideId::twin).collect()).collect();
            for (i, of_one) in cycles.iter().enumerate() {
                for (&x, &y) in
                    cycles[i + 1..].iter().flatten().flat_map(|y| of_one.iter().map(move |x| (x, y)))
                {
                    if self.can_release(x, y, id) {
                        let quake = Quake::release(x, y);
                        keyed.push((quake.rank(self), quake));
                    }
                }
            }
        }
        keyed.sort_unstable();
        // Quakes alike in their faces go by their index, which is dear and seldom asked for.
        for alike in keyed.chunk_by_mut(|(x, _), (y, _)| x == y).filter(|alike| alike.len() > 1) {
            alike.sort_by_cached_key(|(_, quake)| quake.index_of(self));
        }
        keyed.into_iter().map(|(_, quake)| quake).collect()
    }

    /// Is the quake one of those that [`PlanarMap::quakes`] lists? Any value may be asked about.
    pub fn allows(&self, quake: Quake) -> bool {
        let exists = |side: SideId| self.has(side.border());
        match quake {
            Quake::Separation(border) => self.has(border) && self.can_separate(border),
            Quake::Release([x, y]) => {
                x < y
                    && exists(x)
                    && exists(y)
                    && self.across(x) == self.across(y)
                    && !self.same_cycle(x.twin(), y.twin())
                    && self.can_release(x, y, self.across(x))
            }
        }
    }

    fn can_separate(&self, border: BorderId) -> bool {
        let [side, twin] = border.sides();
        let Some(flanks) = self.flanks(side) else { return false };
        [self.owner(side), self.owner(twin), flanks[0], flanks[1]].into_iter().all(|id| self.has_borders(id))
    }

    fn can_release(&self, x: SideId, y: SideId, through: ProvinceId) -> bool {
        let (a, c) = (self.owner(x), self.owner(y));
        a != c && [a, c, through].into_iter().all(|id| self.has_borders(id))
    }

    /// Puts quakes that the map allows into canonical order.
    pub(super) fn sort_quakes(&self, quakes: &mut [Quake]) {
        quakes.sort_by(|&x, &y| {
            let by_index = || if x == y { Ordering::Equal } else { x.index_of(self).cmp(&y.index_of(self)) };
            x.rank(self).cmp(&y.rank(self)).then_with(by_index)
        });
    }

    /// Which of these quakes, none of which contradicts another, are in a smallest set that would cut a face even
    /// with all the separations done: each such set, by index (rules.md 8.4).
    pub fn cutting_sets(&self, quakes: &[Quake]) -> Vec<Vec<usize>> {
        let releases: Vec<usize> =
            (0..quakes.len()).filter(|&i| matches!(quakes[i], Quake::Release(_))).collect();
        if releases.len() < 3 {
            return Vec::new(); // two that cut contradict each other
        }
        // The boundary cycles on which each release ends, numbered. A separation that closes a face round something
        // makes two cycles of one, and no other changes any.
        let pinches = |&quake: &Quake| {
            matches!(quake, Quake::Separation(_)) && {
                let [c, d] = quake.touched(self).together;
                c == d
            }
        };
        let pinches: Vec<Quake> = quakes.iter().copied().filter(pinches).collect();
        let begun = self.trail.len();
        let shaken = (!pinches.is_empty()).then(|| {
            let mut shaken = self.clone();
            for pinch in pinches {
                if let Quake::Separation(border) = pinch {
                    let _ = shaken.flip(border.sides()[0]);
                }
            }
            shaken
        });
        let map = shaken.as_ref().unwrap_or(self);
        let mut cycles: Vec<SideId> = Vec::new();
        let mut joins: Vec<[usize; 2]> = Vec::new();
        for &i in &releases {
            let Quake::Release(sides) = quakes[i] else { continue };
            // A separation may merge the stretch with another.
            let now = |side: SideId| map.side_of(map.merged_into(begun, side.border()), self.owner(side));
            let [Some(x), Some(y)] = sides.map(now) else { return Vec::new() };
            joins.push([x, y].map(|side| {
                let lowest = map.cycle(side.twin()).min().unwrap_or(side);
                cycles.iter().position(|&cycle| cycle == lowest).unwrap_or_else(|| {
                    cycles.push(lowest);
                    cycles.len() - 1
                })
            }));
        }
        let members = |set: u32| (0..releases.len()).filter(move |bit| set >> bit & 1 != 0);
        let mut sets: Vec<u32> = (1..1 << releases.len()).collect();
        sets.sort_by_key(|set| (set.count_ones(), *set));
        let mut smallest: Vec<u32> = Vec::new();
        for set in sets {
            let holds_a_smaller = smallest.iter().any(|&other| other & !set == 0);
            if !holds_a_smaller && make_a_ring(members(set).map(|i| joins[i]), cycles.len()) {
                smallest.push(set);
            }
        }
        smallest.into_iter().map(|set| members(set).map(|bit| releases[bit]).collect()).collect()
    }
}
