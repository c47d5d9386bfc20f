//! Places where the earth can move: every separation and release that a map allows (rules.md 8.1), which of them
//! contradict each other (8.4), and several of them done at once (8.5).
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
use super::surgery::{Surgery, SurgeryError};
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

/// A step of a shake.
#[derive(Clone, Copy, Debug)]
pub(super) enum Doing {
    /// This border is about to go.
    Separates(BorderId),
    /// This quake has been done: there is a new border, and these two have been cut since the trail was so long.
    Released { quake: Quake, new: BorderId, stretches: [BorderId; 2], begun: usize },
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

/// A release that is still to be done: each of its sides as the borders that it has become, and their owner.
struct Ordered {
    quake: Quake,
    ends: [(Vec<BorderId>, ProvinceId); 2],
}

impl Ordered {
    fn new(map: &PlanarMap, quake: Quake) -> Option<Ordered> {
        let Quake::Release(sides) = quake else { return None };
        Some(Ordered { quake, ends: sides.map(|side| (vec![side.border()], map.owner(side))) })
    }

    /// Where it can be done now.
    fn sides(&self, map: &PlanarMap) -> Option<[SideId; 2]> {
        let side = |(borders, owner): &(Vec<BorderId>, ProvinceId)| {
            borders.iter().find_map(|&border| map.side_of(border, *owner))
        };
        Some([side(&self.ends[0])?, side(&self.ends[1])?])
    }
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

    /// Done at once: all of these, each of which the map allows and none of which contradicts another (rules.md 8.5).
    /// The order in which they are given means nothing. `told` is called before each separation, and after each release.
    ///
    /// # Errors
    /// The quakes cannot all be done together; then the map is as it was.
    pub(super) fn shake(&mut self, quakes: &[Quake], mut told: impl FnMut(&mut PlanarMap, Doing)) -> Surgery {
        let clash = |i: usize| quakes[..i].iter().any(|&other| quakes[i].contradicts(other, self));
        if (0..quakes.len()).any(|i| !self.allows(quakes[i]) || clash(i)) {
            return Err(SurgeryError::Contradiction);
        }
        let mut quakes = quakes.to_vec();
        self.sort_quakes(&mut quakes);
        quakes.dedup();
        // No two of them clash, so it takes three releases to cut a face.
        let releases = quakes.iter().filter(|quake| matches!(quake, Quake::Release(_))).count();
        let as_it_was = (releases > 2).then(|| self.clone());
        let result = self.try_to_shake(&quakes, &mut told);
        if let (Err(_), Some(before)) = (&result, as_it_was) {
            *self = before;
        }
        result
    }

    /// Puts quakes that the map allows into canonical order.
    fn sort_quakes(&self, quakes: &mut [Quake]) {
        quakes.sort_by(|&x, &y| {
            let by_index = || if x == y { Ordering::Equal } else { x.index_of(self).cmp(&y.index_of(self)) };
            x.rank(self).cmp(&y.rank(self)).then_with(by_index)
        });
    }

    /// Releases first, while the stretches they are about are told apart: a separation may merge them. A release that
    /// would cut a face before a separation has parted it comes after them.
    fn try_to_shake(&mut self, quakes: &[Quake], told: &mut dyn FnMut(&mut PlanarMap, Doing)) -> Surgery {
        let mut releases: Vec<Ordered> =
            quakes.iter().filter_map(|&quake| Ordered::new(self, quake)).collect();
        self.release_where_possible(&mut releases, told)?;
        for &quake in quakes {
            if let Quake::Separation(border) = quake {
                told(self, Doing::Separates(border));
                let begun = self.trail.len();
                self.flip(border.sides()[0])?;
                self.follow_all(begun, &mut releases);
            }
        }
        self.release_where_possible(&mut releases, told)?;
        if releases.is_empty() { Ok(()) } else { Err(SurgeryError::Contradiction) }
    }

    /// Does the releases that cut nothing, in their order, and takes them off the list.
    fn release_where_possible(
        &mut self,
        releases: &mut Vec<Ordered>,
        told: &mut dyn FnMut(&mut PlanarMap, Doing),
    ) -> Surgery {
        let mut i = 0;
        while i < releases.len() {
            let Some([x, y]) = releases[i].sides(self) else { return Err(SurgeryError::Contradiction) };
            if self.same_cycle(x.twin(), y.twin()) {
                i += 1;
                continue;
            }
            let begun = self.trail.len();
            let new = self.release(x, y)?;
            let Ordered { quake, .. } = releases.remove(i);
            self.follow_all(begun, releases);
            told(self, Doing::Released { quake, new, stretches: [x.border(), y.border()], begun });
        }
        Ok(())
    }

    fn follow_all(&self, begun: usize, releases: &mut [Ordered]) {
        for (borders, _) in releases.iter_mut().flat_map(|release| &mut release.ends) {
            self.follow_from(begun, borders);
        }
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
        let mut ordered: Vec<Ordered> =
            releases.iter().filter_map(|&i| Ordered::new(self, quakes[i])).collect();
        let shaken = (!pinches.is_empty()).then(|| {
            let mut shaken = self.clone();
            for quake in pinches {
                let Quake::Separation(border) = quake else { continue };
                let begun = shaken.trail.len();
                if shaken.flip(border.sides()[0]).is_ok() {
                    shaken.follow_all(begun, &mut ordered);
                }
            }
            shaken
        });
        let map = shaken.as_ref().unwrap_or(self);
        let mut cycles: Vec<SideId> = Vec::new();
        let mut joins: Vec<[usize; 2]> = Vec::new();
        for release in &ordered {
            let Some(sides) = release.sides(map) else { return Vec::new() };
            joins.push(sides.map(|side| {
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
