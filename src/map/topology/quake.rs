//! Possible quakes: every separation and release that a map allows (rules.md 8.1), and which of them
//! contradict each other (8.4). [`super::shake`] does several of them at once.
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
use std::mem;

use crate::ids::ProvinceId;
use crate::topology::half_edge::{BorderId, FaceState, HalfEdgeId};
use crate::topology::map::PlanarMap;

/// A change of borders that a map allows. It is valid only for the map it was taken from, until that changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quake {
    /// The border is removed, and its flanks touch in its place.
    Separation(BorderId),
    /// Two stretches of one face, on different boundary cycles of it, are joined; given by the half-edges
    /// across from it, the lower first.
    Release([HalfEdgeId; 2]),
}

/// The faces of a quake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The two faces that lose contact; for a release, the face that is driven apart, twice.
    pub apart: [ProvinceId; 2],
    /// The two faces that touch afterwards.
    pub together: [ProvinceId; 2],
}

impl Quake {
    /// A release between these two half-edges, in either order.
    pub fn release(x: HalfEdgeId, y: HalfEdgeId) -> Quake {
        Quake::Release(if x <= y { [x, y] } else { [y, x] })
    }

    /// The faces that it affects.
    #[inline]
    pub fn touched(self, map: &PlanarMap) -> Touched {
        match self {
            Quake::Separation(border) => {
                let [side, twin] = border.sides().map(|side| map.side(side));
                let ends = if side.next == border.sides()[0] {
                    [side.face; 2]
                } else {
                    [side.next, side.prev].map(|beside| map.across(beside))
                };
                Touched { apart: [side.face, twin.face], together: ends }
            }
            Quake::Release([x, y]) => {
                Touched { apart: [map.across(x); 2], together: [map.owner(x), map.owner(y)] }
            }
        }
    }

    /// The faces on either side of the border that it removes or, if it is a release, makes.
    pub fn moved(self, map: &PlanarMap) -> [ProvinceId; 2] {
        let Touched { apart, together } = self.touched(map);
        match self {
            Quake::Separation(_) => apart,
            Quake::Release(_) => together,
        }
    }

    /// Its index among the quakes with the same faces, from 1; `None` if it is the only one.
    pub(super) fn index(self, map: &PlanarMap) -> Option<usize> {
        let fitting = self.all_alike(map);
        let place = fitting.iter().position(|&other| other == self);
        place.filter(|_| fitting.len() > 1).map(|place| place + 1)
    }

    /// The quakes with the same faces, including itself, in the order of the index. This is expensive.
    pub(super) fn all_alike(self, map: &PlanarMap) -> Vec<Quake> {
        let Touched { apart, together } = self.touched(map);
        let (apart, together) = (map.by_name(apart), map.by_name(together));
        match self {
            Quake::Separation(_) => {
                let fitting = map.separations_of(apart, together);
                fitting.into_iter().map(|side| Quake::Separation(side.border())).collect()
            }
            Quake::Release(_) => {
                let fitting = map.releases_of(together[0], together[1], apart[0]);
                fitting.into_iter().map(|[x, y]| Quake::release(x, y)).collect()
            }
        }
    }

    /// Do the two exclude each other (rules.md 8.4)? A quake does not contradict itself.
    pub fn contradicts(self, other: Quake, map: &PlanarMap) -> bool {
        match (self, other) {
            _ if self == other => false,
            (Quake::Separation(x), Quake::Separation(y)) => corners_of(map, x).contains(&y),
            (Quake::Separation(border), Quake::Release(sides))
            | (Quake::Release(sides), Quake::Separation(border)) => {
                sides.iter().any(|side| side.border() == border)
            }
            (Quake::Release([a, c]), Quake::Release([e, g])) => {
                let same = |x: HalfEdgeId, y: HalfEdgeId| map.same_cycle(x.twin(), y.twin());
                map.across(a) == map.across(e)
                    && if same(a, e) { same(c, g) } else { same(a, g) && same(c, e) }
            }
        }
    }

    /// The sort key of the canonical order, without the index.
    fn rank(self, map: &PlanarMap) -> u64 {
        let Touched { apart, together } = self.touched(map);
        let ([a, b], [c, d]) = (map.ranks(apart), map.ranks(together));
        u64::from_be_bytes([0, 0, 0, u8::from(matches!(self, Quake::Release(_))), a, b, c, d])
    }

    /// The sort key of the order of texts, without the index.
    fn rank_of_text(self, map: &PlanarMap) -> u64 {
        let Touched { apart, together } = self.touched(map);
        let ([a, b], [c, d]) = (map.ranks(apart), map.ranks(together));
        match self {
            Quake::Release(_) => u64::from_be_bytes([0, 0, 0, 0, c, d, a, b]),
            Quake::Separation(_) => u64::from_be_bytes([0, 0, 0, 1, a, b, c, d]),
        }
    }
}

/// Sorts quakes by rank, breaking ties with an expensive comparison, and removes duplicates.
fn sorted_by(
    quakes: &[Quake],
    rank: impl Fn(Quake) -> u64,
    then_by: impl Fn(Quake, Quake) -> Ordering,
) -> Vec<Quake> {
    let mut ranked: Vec<(u64, Quake)> = quakes.iter().map(|&quake| (rank(quake), quake)).collect();
    ranked.sort_unstable_by(|&(x, one), &(y, other)| {
        let by_rank = x.cmp(&y);
        if by_rank.is_eq() && one != other { then_by(one, other) } else { by_rank }
    });
    ranked.dedup();
    ranked.into_iter().map(|(_, quake)| quake).collect()
}

/// The borders that share a corner with this one; none for a loop.
fn corners_of(map: &PlanarMap, border: BorderId) -> [BorderId; 4] {
    let [h, t] = border.sides();
    [map.next(h), map.prev(h), map.next(t), map.prev(t)].map(HalfEdgeId::border)
}

/// Do these pairs, each of which joins two things, join any that are already connected?
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
    /// The pairs of these quakes that contradict each other, by index.
    pub fn contradictions<'a>(&'a self, quakes: &'a [Quake]) -> impl Iterator<Item = [usize; 2]> + 'a {
        quakes.iter().enumerate().flat_map(move |(i, &one)| {
            let corners = match one {
                Quake::Separation(border) => Some(corners_of(self, border)),
                Quake::Release(_) => None,
            };
            let contradicts = move |&j: &usize| match (corners, quakes[j]) {
                (Some(corners), Quake::Separation(border)) if !corners.contains(&border) => false,
                (_, other) => one.contradicts(other, self),
            };
            (i + 1..quakes.len()).filter(contradicts).map(move |j| [i, j])
        })
    }

    /// Is the quake one of those that [`PlanarMap::quakes`] lists? The value may be arbitrary.
    pub fn allows(&self, quake: Quake) -> bool {
        let exists = |side: HalfEdgeId| self.has(side.border());
        match quake {
            Quake::Separation(border) => self.separable(border).is_some(),
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

    /// The faces of a separation, if the border exists and can be separated.
    #[inline]
    pub(super) fn separable(&self, border: BorderId) -> Option<Touched> {
        let [id, twin] = border.sides();
        let (side, twin) = (self.sides.get(id.index())?.as_ref()?, self.sides.get(twin.index())?.as_ref()?);
        let touched = Touched {
            apart: [side.face, twin.face],
            together: [self.across(side.next), self.across(side.prev)],
        };
        let stands = |id: ProvinceId| self.at(id).state != FaceState::Collapsed;
        let [[a, b], [c, d]] = [touched.apart, touched.together];
        let is_loop = side.next == id;
        (!is_loop && stands(a) && stands(b) && stands(c) && stands(d)).then_some(touched)
    }

    pub(super) fn can_release(&self, x: HalfEdgeId, y: HalfEdgeId, through: ProvinceId) -> bool {
        let (a, c) = (self.owner(x), self.owner(y));
        a != c && [a, c, through].into_iter().all(|id| self.has_borders(id))
    }

    /// The given quakes, which the map must allow, without duplicates in canonical order: that of [`PlanarMap::quakes`].
    pub fn in_order(&self, quakes: &[Quake]) -> Vec<Quake> {
        sorted_by(quakes, |quake| quake.rank(self), |x, y| x.index(self).cmp(&y.index(self)))
    }

    /// The same in the order of their texts ([`Quake::event`]): `connect A C through B`, `separate A B connect C D`.
    pub fn in_order_of_texts(&self, quakes: &[Quake]) -> Vec<Quake> {
        let text = |quake: Quake| quake.event(self).to_string();
        sorted_by(quakes, |quake| quake.rank_of_text(self), |x, y| text(x).cmp(&text(y)))
    }

    /// The smallest sets of these quakes that would cut a face even with all the separations done, each by
    /// index (rules.md 8.4). No two of the quakes may contradict each other.
    pub fn cutting_sets(&self, quakes: &[Quake]) -> Vec<Vec<usize>> {
        let releases: Vec<usize> =
            (0..quakes.len()).filter(|&i| matches!(quakes[i], Quake::Release(_))).collect();
        if releases.len() < 3 {
            return Vec::new(); // two quakes that cut contradict each other
        }
        // The numbered boundary cycles on which each release ends. A separation that closes a face round
        // something turns one cycle into two; no other separation changes a cycle.
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
        let mut cycles: Vec<HalfEdgeId> = Vec::new();
        let mut joins: Vec<[usize; 2]> = Vec::new();
        for &i in &releases {
            let Quake::Release(sides) = quakes[i] else { continue };
            // A separation may merge the stretch with another one.
            let now = |side: HalfEdgeId| map.side_of(map.merged_into(begun, side.border()), self.owner(side));
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

// Every quake that a map allows, in canonical order, updated while the map changes.
//
// Separations are sorted by the faces that lose contact, the face with the earlier code first. They
// therefore fall into groups, one for each face: its separations from later faces. A group depends only on
// the boundary of its face. When borders have moved, the groups of the faces whose boundary the change has
// touched ([`crate::topology::map::Touch`]) are rebuilt, and everything in between is copied:
//
// ```text
//             ADR          AEG       ALB               YOR
//    before   ALB APU ION  BUL CON   GRE ION SER   …
//               copied      rebuilt    copied
//    after    ALB APU ION  BUL GRE   GRE ION SER   …   followed by the releases
// ```
//
// Releases are always rebuilt: even where there are islands, there are few of them. Everything is rebuilt
// when faces were created, collapsed or restored, because that may change the order of the faces by code, or
// which faces have borders at all.

/// Every quake that a map allows, as [`PlanarMap::quakes`] lists them, with the ability to follow the map.
#[derive(Clone, Debug, Default)]
pub struct QuakeList {
    quakes: Vec<Quake>,
    /// The number of separations in the group of each face, in the order of the codes.
    counts: Vec<u16>,
    /// Is any face collapsed? A collapsed face has no borders that could be separated.
    with_collapsed: bool,
    /// The previous list; kept to reuse its memory.
    before: Vec<Quake>,
    /// The group being built; kept to reuse its memory.
    group: Vec<Key>,
}

/// A quake after its sort key within the separations of one face or within the releases. Both are packed into
/// one number, with faces given by their rank by code.
///
/// ```text
///    separation          0 │ across │ one end │ other end │    0 │ border     8 bits for each face,
///    release       through │    one │   other │         0 │ side │   side     16 for a border or half-edge
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u64);

impl Key {
    #[inline]
    fn of_separation(border: BorderId, across: u8, [x, y]: [u8; 2]) -> Key {
        let faces = u32::from_be_bytes([0, across, x.min(y), x.max(y)]);
        Key(u64::from(faces) << 32 | u64::from(border.0))
    }

    fn of_release([x, y]: [HalfEdgeId; 2], through: ProvinceId, map: &PlanarMap) -> Key {
        let [a, c] = map.ranks([map.owner(x), map.owner(y)]);
        let faces = u32::from_be_bytes([map.rank(through), a, c, 0]);
        Key(u64::from(faces) << 32 | u64::from(x.min(y).0) << 16 | u64::from(x.max(y).0))
    }

    #[inline]
    fn separation(self) -> Quake {
        Quake::Separation(BorderId(self.0 as u16))
    }

    fn release(self) -> Quake {
        Quake::Release([HalfEdgeId((self.0 >> 16) as u16), HalfEdgeId(self.0 as u16)])
    }

    /// Do the two quakes have the same faces?
    #[inline]
    fn is_alike(self, other: Key) -> bool {
        (self.0 ^ other.0) >> 32 == 0
    }
}

impl QuakeList {
    /// The quakes of a map.
    pub fn new(map: &PlanarMap) -> QuakeList {
        let with_collapsed = map.faces.iter().any(|face| face.state == FaceState::Collapsed);
        let mut list = QuakeList { with_collapsed, ..QuakeList::default() };
        list.list(map, |_| true);
        list
    }

    /// The quakes, in canonical order.
    #[inline]
    pub fn as_slice(&self) -> &[Quake] {
        &self.quakes
    }

    /// Updates the list, which must be that of the map before its last change
    /// ([`crate::topology::NamedMap::begin_change`]), to that of the map as it is now.
    pub fn follow(&mut self, map: &PlanarMap) {
        if !map.remade().is_empty() {
            *self = QuakeList::new(map);
        } else {
            self.list(map, |face| map.touch.bounded.contains(face));
        }
    }

    /// Rebuilds the separations of these faces and all releases; the other separations are kept.
    fn list(&mut self, map: &PlanarMap, is_stale: impl Fn(ProvinceId) -> bool) {
        let QuakeList { quakes, counts, with_collapsed, before, group } = self;
        mem::swap(quakes, before);
        quakes.clear();
        quakes.reserve(before.len());
        let faces = map.names().sorted();
        counts.resize(faces.len(), 0);
        // The part of the previous list that is copied next.
        let (mut begin, mut end) = (0, 0);
        for (&face, count) in faces.iter().zip(counts) {
            let next = end + usize::from(*count);
            if is_stale(face) {
                quakes.extend_from_slice(&before[begin..end]);
                begin = next;
                group.clear();
                map.key_separations(face, group);
                if *with_collapsed {
                    group.retain(|key| map.allows(key.separation()));
                }
                add(quakes, group, Key::separation, map);
                *count = group.len() as u16;
            }
            end = next;
        }
        quakes.extend_from_slice(&before[begin..end]);
        group.clear();
        for (i, &(face, _)) in map.further_cycles.iter().enumerate() {
            if map.further_cycles[..i].iter().all(|&(other, _)| other != face) {
                map.key_releases(face, group);
            }
        }
        add(quakes, group, Key::release, map);
    }
}

/// Appends the quakes with these keys to a list, in canonical order.
#[inline]
fn add(quakes: &mut Vec<Quake>, keys: &mut [Key], quake: impl Fn(Key) -> Quake, map: &PlanarMap) {
    keys.sort_unstable();
    let begin = quakes.len();
    quakes.extend(keys.iter().map(|&key| quake(key)));
    if keys.windows(2).any(|pair| pair[0].is_alike(pair[1])) {
        sort_alike(&mut quakes[begin..], keys, map);
    }
}

/// Sorts quakes with the same faces by their index, which is expensive and rarely needed.
#[cold]
fn sort_alike(quakes: &mut [Quake], keys: &[Key], map: &PlanarMap) {
    let mut rest = quakes;
    for alike in keys.chunk_by(|x, y| x.is_alike(*y)) {
        let (those, behind) = rest.split_at_mut(alike.len());
        if let [first, _, ..] = *those {
            those.iter_mut().zip(first.all_alike(map)).for_each(|(place, quake)| *place = quake);
        }
        rest = behind;
    }
}

impl PlanarMap {
    /// Every quake that could be done on its own on this map, in canonical order: separations before
    /// releases, each sorted by the names of its faces (those that lose contact first) and then by index. The
    /// order does not depend on how the map was reached.
    pub fn quakes(&self) -> Vec<Quake> {
        QuakeList::new(self).quakes
    }

    /// The separations of a face from later ones, assuming that no face is collapsed. The faces at the ends
    /// of a border are those across the previous and the next half-edge.
    #[inline]
    fn key_separations(&self, face: ProvinceId, found: &mut Vec<Key>) {
        let own = self.rank(face);
        let beyond = |side: HalfEdgeId| self.rank(self.across(side));
        for head in self.cycles_of(face) {
            let (mut before, mut side, mut at) = (beyond(self.prev(head)), head, beyond(head));
            loop {
                let next = self.next(side);
                let behind = beyond(next);
                // A loop has no ends.
                if at > own && next != side {
                    found.push(Key::of_separation(side.border(), at, [before, behind]));
                }
                (before, side, at) = (at, next, behind);
                if side == head {
                    break;
                }
            }
        }
    }

    /// The releases through a face, between two stretches on different cycles of it.
    fn key_releases(&self, face: ProvinceId, found: &mut Vec<Key>) {
        let heads = || self.cycles_of(face).enumerate();
        for (i, one) in heads() {
            for (_, other) in heads().take(i) {
                for x in self.cycle(one).map(HalfEdgeId::twin) {
                    let released =
                        self.cycle(other).map(HalfEdgeId::twin).filter(|&y| self.can_release(x, y, face));
                    found.extend(released.map(|y| Key::of_release([x, y], face, self)));
                }
            }
        }
    }
}
