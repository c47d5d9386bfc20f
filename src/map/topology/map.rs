//! The planar map: faces separated by borders that meet at corners (rules.md 1.1). It is the only source of
//! truth; who may move where is derived from it ([`super::derive`]).
//!
//! Each border has two *half-edges*, one for the face on either side; the two are twins, `twin = id ^ 1`. A
//! half-edge is walked with its own face on the left, so the boundary of a face runs counter-clockwise:
//!
//! ```text
//!            corner                       A: the face of half-edge h
//!           ╱      ╲                      B: the face of its twin
//!       C  ╱   A    ╲                     C, D: the flanks, which meet A and B
//!         ╱  ← h     ╲  D                       at the two corners of h
//!   ─────●────────────●─────
//!         ╲  twin →  ╱        next(h): the half-edge of A against C
//!          ╲   B    ╱         prev(h): the half-edge of A against D
//! ```
//!
//! Every corner joins exactly three faces. A face has one boundary cycle for each connected border graph that
//! touches it: an island shares a cycle of its own with the sea round it. A border that closes on itself is a
//! *loop*; it has no corner, but is counted as having one (rules.md 1.7).

use std::sync::{Arc, OnceLock};

use super::structure::Structures;
use super::waterway::{Waterway, WaterwayRule};
use crate::ids::{ProvinceId, ProvinceSet};
use crate::rng::Stream;
use crate::topology::half_edge::{
    BorderId, BorderSet, Face, FaceData, FaceKind, FaceState, HalfEdge, HalfEdgeId, Names,
};

/// A border that was part of a named coast (`STP/NC`); the name stays with the coast that keeps most of these
/// borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CoastLabel {
    pub(crate) province: ProvinceId,
    pub(crate) name: super::CoastName,
    pub(crate) border: BorderId,
}

/// A change of one border.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trace {
    /// It was cut; the piece is a separate border.
    Cut { whole: BorderId, piece: BorderId },
    /// It was merged into another.
    Merged { kept: BorderId, gone: BorderId },
    /// It is gone, and its id may be used for another border from now on.
    Freed(BorderId),
}

impl Trace {
    /// Does this change concern the border?
    pub(crate) fn is_of(self, border: BorderId) -> bool {
        match self {
            Trace::Cut { whole: x, piece: y } | Trace::Merged { kept: x, gone: y } => {
                x == border || y == border
            }
            Trace::Freed(gone) => gone == border,
        }
    }
}

/// The faces sorted by kind and by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SortedFaces {
    /// Indexed by [`FaceKind`].
    kinds: [ProvinceSet; FaceKind::Ice as usize + 1],
    pub(crate) collapsed: ProvinceSet,
    pub(crate) void: ProvinceSet,
}

impl SortedFaces {
    /// The faces of this kind, in any state.
    #[inline]
    pub(crate) fn of_kind(&self, kind: FaceKind) -> ProvinceSet {
        self.kinds[kind as usize]
    }

    fn take(&mut self, id: ProvinceId, body: FaceData) {
        self.kinds[body.kind as usize].remove(id);
        self.collapsed.remove(id);
        self.void.remove(id);
    }

    fn put(&mut self, id: ProvinceId, body: FaceData) {
        self.kinds[body.kind as usize].insert(id);
        match body.state {
            FaceState::Open => {}
            FaceState::Collapsed => self.collapsed.insert(id),
            FaceState::Void => self.void.insert(id),
        }
    }
}

/// The faces that a change has touched. Anything derived from other faces remains valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touch {
    /// Faces that are new, have changed their kind or state, or have become centres.
    pub made: ProvinceSet,
    /// Faces whose boundary has changed: its half-edges, their order, the faces across, or a waterway.
    pub bounded: ProvinceSet,
    /// Borders that are new or gone, or of which a half-edge has changed its face, its predecessor or its
    /// successor. For any other border the faces on both sides and at both ends are unchanged, unless one of
    /// them is split.
    pub borders: BorderSet,
}

/// The planar map of a game: topology only. It knows nothing about units, owners, rules or coordinates.
///
/// A game clones the map that it shares with others before changing it. The map is therefore made of a few
/// flat lists.
///
/// ```
/// use upheaval_map::topology::atlas;
/// let chart = atlas::standard();
/// let map = chart.map();
/// let [portugal, spain] = ["POR", "SPA"].map(|name| map.find(name).unwrap());
/// let side = map.stretches(portugal, spain)[0];
/// assert_eq!((map.owner(side), map.across(side)), (portugal, spain));
/// assert_eq!(map.owner(side.twin()), spain);
/// // A boundary is walked with its own face on the left.
/// assert_eq!(map.cycle(side).map(|side| map.name(map.across(side))).collect::<Vec<_>>(), ["SPA", "MAO"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PlanarMap {
    /// See [`PlanarMap::structure`]; invalidated by every operation that moves a border.
    pub(crate) structure: Structures,
    /// See [`PlanarMap::hash_of_faces`]; updated by every operation that changes the kind or state of a face.
    pub(crate) faces_hashed: OnceLock<u64>,
    pub(crate) names: Arc<Names>,
    /// By province index.
    pub(crate) faces: Vec<FaceData>,
    /// The same faces as sets.
    pub(crate) sorted: SortedFaces,
    /// One half-edge of every boundary cycle other than the first of its face. Most faces have one cycle.
    pub(crate) further_cycles: Vec<(ProvinceId, HalfEdgeId)>,
    /// See [`PlanarMap::archipelagos`].
    pub(crate) archipelagos: ProvinceSet,
    pub(crate) sides: Vec<Option<HalfEdge>>,
    pub(crate) free_borders: Vec<BorderId>,
    pub(crate) waterways: Vec<Waterway>,
    /// The effect of border moves on waterways.
    pub(crate) waterway_rule: WaterwayRule,
    pub(crate) labels: Vec<CoastLabel>,
    /// The changes of borders since the change began, in order; see [`PlanarMap::follow`].
    pub(crate) trail: Vec<Trace>,
    /// The faces touched since the change began.
    pub(crate) touch: Touch,
}

impl PlanarMap {
    /// All faces with their indices, in ascending order.
    #[inline]
    pub fn faces(&self) -> impl Iterator<Item = (ProvinceId, Face<'_>)> {
        (0u8..=u8::MAX)
            .map(ProvinceId)
            .zip(&self.faces)
            .map(|(id, &body)| (id, Face::new(&self.names, id, body)))
    }

    /// The face with this index, if there is one.
    #[inline]
    pub fn face(&self, id: ProvinceId) -> Option<Face<'_>> {
        self.faces.get(id.index()).map(|&body| Face::new(&self.names, id, body))
    }

    /// The faces that are holes, collapsed or void; excludes the points that the board has from the start.
    pub fn holes(&self) -> ProvinceSet {
        (self.sorted.collapsed | self.sorted.void) - self.sorted.of_kind(FaceKind::Point)
    }

    /// The faces of this kind, including holes.
    pub fn of_kind(&self, kind: FaceKind) -> ProvinceSet {
        self.sorted.of_kind(kind)
    }

    /// The faces that are new or have changed their kind or state since the change began
    /// ([`super::NamedMap::begin_change`]).
    pub fn remade(&self) -> &ProvinceSet {
        &self.touch.made
    }

    /// The face with this code.
    pub fn find(&self, name: &str) -> Option<ProvinceId> {
        self.names.find(name)
    }

    /// The names of the faces.
    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    /// The code of a face; `?` for an index without a face.
    pub fn name(&self, id: ProvinceId) -> &str {
        self.names.get(id).unwrap_or("?")
    }

    /// The rank of a face among all faces by code.
    #[inline]
    pub fn rank(&self, id: ProvinceId) -> u8 {
        self.names.rank(id)
    }

    /// The ranks of two faces, the lower first.
    #[inline]
    pub(super) fn ranks(&self, pair: [ProvinceId; 2]) -> [u8; 2] {
        let [x, y] = pair.map(|id| self.rank(id));
        [x.min(y), x.max(y)]
    }

    /// The two faces in the order of their codes.
    pub(super) fn by_name(&self, [x, y]: [ProvinceId; 2]) -> [ProvinceId; 2] {
        if self.rank(x) <= self.rank(y) { [x, y] } else { [y, x] }
    }

    /// The archipelagos ([`super::NamedMap::set_archipelagos`]): faces that count as touching water whatever is
    /// around them (rules.md 4.9). The mark has an effect only while its face is open land.
    pub fn archipelagos(&self) -> &ProvinceSet {
        &self.archipelagos
    }

    #[inline]
    pub(crate) fn at(&self, id: ProvinceId) -> &FaceData {
        &self.faces[id.index()]
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, id: ProvinceId) -> &mut FaceData {
        &mut self.faces[id.index()]
    }

    /// Changes the kind or state of a face by this function, which must not change its boundary.
    pub(crate) fn remake(&mut self, id: ProvinceId, by: impl FnOnce(&mut FaceData)) {
        self.touch.made.insert(id);
        self.rehash(id, u64::wrapping_sub);
        let body = self.at_mut(id);
        let before = *body;
        by(body);
        let now = *body;
        self.sorted.take(id, before);
        self.sorted.put(id, now);
        self.rehash(id, u64::wrapping_add);
    }

    /// The kinds and states of all faces as one hash. The hashes of the faces are added up, because their
    /// order does not matter. It is computed on first use.
    pub(crate) fn hash_of_faces(&self) -> u64 {
        *self
            .faces_hashed
            .get_or_init(|| self.faces().map(|(id, _)| self.hash_of_face(id)).fold(0, u64::wrapping_add))
    }

    /// The hash of the kind and state of a face.
    fn hash_of_face(&self, id: ProvinceId) -> u64 {
        let FaceData { kind, state, .. } = *self.at(id);
        let made_of = u64::from(self.archipelagos.contains(id)) << 16 | (kind as u64) << 8 | state as u64;
        Stream::ranked(made_of, self.names.key(id)).next_u64()
    }

    /// Call with `wrapping_sub` before changing the kind, state or name of a face, and with `wrapping_add` after it:
    /// takes the face out of [`PlanarMap::hash_of_faces`], and puts it in again.
    pub(crate) fn rehash(&mut self, id: ProvinceId, by: fn(u64, u64) -> u64) {
        if let Some(&sum) = self.faces_hashed.get() {
            self.faces_hashed = OnceLock::from(by(sum, self.hash_of_face(id)));
        }
    }

    /// Appends a face.
    pub(crate) fn add_face(&mut self, body: FaceData) {
        let id = ProvinceId(self.faces.len() as u8);
        self.faces.push(body);
        self.sorted.put(id, body);
        self.touch.made.insert(id);
    }

    /// Notes that the coasts of these provinces may now be joined differently.
    pub(crate) fn touch_waterways<'w>(&mut self, waterways: impl IntoIterator<Item = &'w Waterway>) {
        for waterway in waterways {
            match waterway {
                Waterway::Canal { province, .. } | Waterway::Passage { province, .. } => {
                    self.touch.bounded.insert(*province);
                }
                Waterway::Strait { provinces, .. } => self.touch.bounded.extend(*provinces),
            }
        }
    }

    #[inline]
    pub(crate) fn side(&self, id: HalfEdgeId) -> &HalfEdge {
        self.sides[id.index()].as_ref().expect("sides are linked to sides that exist (checked invariant)")
    }

    #[inline]
    pub(crate) fn side_mut(&mut self, id: HalfEdgeId) -> &mut HalfEdge {
        self.sides[id.index()].as_mut().expect("sides are linked to sides that exist (checked invariant)")
    }

    /// The face that this half-edge belongs to.
    #[inline]
    pub fn owner(&self, side: HalfEdgeId) -> ProvinceId {
        self.side(side).face
    }

    /// The face across the border.
    #[inline]
    pub fn across(&self, side: HalfEdgeId) -> ProvinceId {
        self.side(side.twin()).face
    }

    /// The next half-edge counter-clockwise round the same face.
    #[inline]
    pub fn next(&self, side: HalfEdgeId) -> HalfEdgeId {
        self.side(side).next
    }

    /// The previous half-edge, counter-clockwise round the same face.
    #[inline]
    pub fn prev(&self, side: HalfEdgeId) -> HalfEdgeId {
        self.side(side).prev
    }

    /// The half-edges of the boundary cycle of this half-edge, beginning with it, counter-clockwise.
    pub fn cycle(&self, from: HalfEdgeId) -> impl Iterator<Item = HalfEdgeId> + '_ {
        let mut at = Some(from);
        std::iter::from_fn(move || {
            let side = at?;
            let next = self.next(side);
            at = (next != from).then_some(next);
            Some(side)
        })
    }

    /// One half-edge of each boundary cycle of a face.
    pub fn cycles_of(&self, face: ProvinceId) -> impl Iterator<Item = HalfEdgeId> + '_ {
        let first = self.faces.get(face.index()).and_then(|body| body.first_cycle);
        let further = self.further_cycles.iter().filter(move |&&(of, _)| of == face).map(|&(_, head)| head);
        first.into_iter().chain(further)
    }

    /// All half-edges of a face, cycle by cycle.
    pub fn sides_of(&self, face: ProvinceId) -> impl Iterator<Item = HalfEdgeId> + '_ {
        self.cycles_of(face).flat_map(|head| self.cycle(head))
    }

    /// The faces across the half-edges of a face.
    pub(super) fn neighbours_of(&self, face: ProvinceId) -> ProvinceSet {
        let mut neighbours = ProvinceSet::EMPTY;
        for head in self.cycles_of(face) {
            // An iterator over the half-edges of all cycles costs four times as much.
            let mut at = head;
            loop {
                neighbours.insert(self.across(at));
                at = self.next(at);
                if at == head {
                    break;
                }
            }
        }
        neighbours
    }

    /// All borders.
    pub fn borders(&self) -> impl Iterator<Item = BorderId> + '_ {
        (0..self.sides.len() / 2).filter(|&i| self.sides[2 * i].is_some()).map(|i| BorderId(i as u16))
    }

    /// Does a border with this id exist?
    #[inline]
    pub(super) fn has(&self, border: BorderId) -> bool {
        self.sides.get(border.sides()[0].index()).is_some_and(Option::is_some)
    }

    /// The boundary cycles in print order (docs/adjudicate.md): each in its lexicographically smallest
    /// rotation by the names of the faces across, and the cycles sorted. Ties between rotations are broken by
    /// the ids of the half-edges.
    pub fn printed_cycles(&self, face: ProvinceId) -> Vec<Vec<HalfEdgeId>> {
        let mut cycles: Vec<Vec<HalfEdgeId>> = self
            .cycles_of(face)
            .map(|head| {
                let mut cycle: Vec<HalfEdgeId> = self.cycle(head).collect();
                self.turn_to_print(&mut cycle);
                cycle
            })
            .collect();
        cycles.sort_by(|a, b| self.ranks_across(a).cmp(self.ranks_across(b)).then_with(|| a.cmp(b)));
        cycles
    }

    /// The ranks of the faces across these half-edges; ranks sort as names do.
    fn ranks_across<'a>(
        &'a self,
        sides: impl IntoIterator<Item = &'a HalfEdgeId, IntoIter: 'a>,
    ) -> impl Iterator<Item = u8> + 'a {
        sides.into_iter().map(|&side| self.rank(self.across(side)))
    }

    /// Rotates a cycle to its smallest rotation.
    pub(super) fn turn_to_print(&self, cycle: &mut [HalfEdgeId]) {
        let best = {
            let cycle = &*cycle;
            let turned = |turn: usize| cycle[turn..].iter().chain(&cycle[..turn]);
            let lowest = self.ranks_across(cycle).min();
            // It begins at the first name. More must be compared only if that name occurs more than once.
            (0..cycle.len())
                .filter(|&turn| lowest == Some(self.rank(self.across(cycle[turn]))))
                .min_by(|&x, &y| {
                    let (x, y) = (turned(x), turned(y));
                    self.ranks_across(x.clone()).cmp(self.ranks_across(y.clone())).then_with(|| x.cmp(y))
                })
                .unwrap_or(0)
        };
        cycle.rotate_left(best);
    }

    /// Every stretch shared by `a` and `b`, as half-edges of `a`, in the order in which the printed cycles of
    /// the alphabetically first of the two list them (docs/adjudicate.md: the order that `#n` counts).
    pub fn stretches(&self, a: ProvinceId, b: ProvinceId) -> Vec<HalfEdgeId> {
        let met: Vec<HalfEdgeId> = self.sides_of(a).filter(|&side| self.across(side) == b).collect();
        if met.len() < 2 {
            return met;
        }
        let (reader, other) = if self.name(a) <= self.name(b) { (a, b) } else { (b, a) };
        self.printed_cycles(reader)
            .concat()
            .into_iter()
            .filter(|&side| self.across(side) == other)
            .map(|side| if reader == a { side } else { side.twin() })
            .collect()
    }

    /// The two faces that flank a border: at the end and at the start of this half-edge. `None` for a loop,
    /// which has no corners.
    #[inline]
    pub fn flanks(&self, side: HalfEdgeId) -> Option<[ProvinceId; 2]> {
        let (next, prev) = (self.next(side), self.prev(side));
        (next != side).then(|| [self.across(next), self.across(prev)])
    }

    /// The waterways in force: those whose borders are where they were when the waterway was made.
    pub fn waterways(&self) -> impl Iterator<Item = &Waterway> {
        self.waterways.iter().filter(|waterway| self.is_in_force(waterway))
    }

    /// The waterways in force that join coasts of this province.
    pub(crate) fn waterways_of(&self, id: ProvinceId) -> impl Iterator<Item = &Waterway> {
        let touches = move |waterway: &&Waterway| match waterway {
            Waterway::Canal { province, .. } | Waterway::Passage { province, .. } => *province == id,
            Waterway::Strait { provinces, .. } => provinces.contains(&id),
        };
        self.waterways.iter().filter(touches).filter(|waterway| self.is_in_force(waterway))
    }

    fn is_in_force(&self, waterway: &Waterway) -> bool {
        match waterway {
            Waterway::Canal { province, ends, .. } => {
                ends.iter().all(|end| end.borders().any(|border| self.side_of(border, *province).is_some()))
            }
            Waterway::Strait { border, provinces } => {
                let [a, b] = *provinces;
                self.side_of(*border, a).is_some_and(|side| self.across(side) == b)
            }
            Waterway::Passage { province, seas } => {
                let lies_on = |sea| self.sides_of(*province).any(|side| self.across(side) == sea);
                seas.iter().all(|&sea| lies_on(sea))
            }
        }
    }

    /// The borders that these became in the last change: a cut border is replaced by all its pieces, a merged
    /// border by the one it was merged into.
    pub(crate) fn follow(&self, borders: &mut Vec<BorderId>) {
        self.follow_from(0, borders);
    }

    /// The same for the part of the trail from this length on.
    pub(crate) fn follow_from(&self, begun: usize, borders: &mut Vec<BorderId>) {
        for &trace in self.trail.get(begun..).unwrap_or_default() {
            match trace {
                Trace::Cut { whole, piece } if borders.contains(&whole) => borders.push(piece),
                Trace::Merged { kept, gone } if borders.contains(&gone) => borders.push(kept),
                Trace::Freed(gone) => borders.retain(|&border| border != gone),
                Trace::Cut { .. } | Trace::Merged { .. } => {}
            }
        }
    }

    /// The border that this one is now part of, after the merges in the trail from this length on.
    pub(super) fn merged_into(&self, begun: usize, mut border: BorderId) -> BorderId {
        for trace in self.trail.get(begun..).unwrap_or_default() {
            match *trace {
                Trace::Merged { kept, gone } if gone == border => border = kept,
                _ => {}
            }
        }
        border
    }

    /// The half-edge of this border that belongs to the face.
    #[inline]
    pub(crate) fn side_of(&self, border: BorderId, face: ProvinceId) -> Option<HalfEdgeId> {
        border.sides().into_iter().find(|s| self.sides[s.index()].is_some_and(|side| side.face == face))
    }
}
