//! The planar map: faces separated by borders that meet at corners (rules.md 1.1). Nothing else is stored as
//! truth; who may move where is derived from it ([`super::derive`]).
//!
//! Each border has two *sides*, one for the face on either hand; the two are twins, `twin = id ^ 1`. A side is
//! walked with its own face on the left, so the boundary of a face runs counter-clockwise:
//!
//! ```text
//!            corner                       A: the face of side h
//!           ╱      ╲                      B: the face of its twin
//!       C  ╱   A    ╲                     C, D: the flanks, which meet A and B
//!         ╱  ← h     ╲  D                       at the two corners of h
//!   ─────●────────────●─────
//!         ╲  twin →  ╱        next(h): the side of A against C
//!          ╲   B    ╱         prev(h): the side of A against D
//! ```
//!
//! Every corner joins exactly three faces. A face has one boundary cycle for each connected border graph that
//! touches it: an island and the sea round it share a cycle of their own. A border that closes on itself is a
//! *loop*; it has no corner of its own and is counted as having one (rules.md 1.7).

use std::sync::{Arc, OnceLock};

use super::face::{Face, FaceData, FaceKind, FaceState, Names};
use super::half_edge::{BorderId, BorderSet, HalfEdge, HalfEdgeId};
use super::structure::Structures;
use super::waterway::{Waterway, WaterwayRule};
use crate::ids::{ProvinceId, ProvinceSet};
use crate::rng::Stream;

/// A border that a named coast was made of (`STP/NC`); the name stays with the coast that keeps most of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CoastLabel {
    pub province: ProvinceId,
    pub name: super::CoastName,
    pub border: BorderId,
}

/// What became of a border in a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trace {
    /// It was cut; the piece is a border of its own.
    Cut { whole: BorderId, piece: BorderId },
    /// It was merged into another.
    Merged { kept: BorderId, gone: BorderId },
    /// It is gone, and its id may stand for another border from now on.
    Freed(BorderId),
}

impl Trace {
    /// Does it say anything of this border?
    pub fn is_of(self, border: BorderId) -> bool {
        match self {
            Trace::Cut { whole: x, piece: y } | Trace::Merged { kept: x, gone: y } => {
                x == border || y == border
            }
            Trace::Freed(gone) => gone == border,
        }
    }
}

/// The faces by kind and by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SortedFaces {
    /// In the order of [`FaceKind`].
    kinds: [ProvinceSet; FaceKind::Point as usize + 1],
    pub collapsed: ProvinceSet,
    pub void: ProvinceSet,
}

impl SortedFaces {
    /// The faces of this kind, in whatever state.
    #[inline]
    pub fn of_kind(&self, kind: FaceKind) -> ProvinceSet {
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

/// The faces that a change has touched. What was derived from the others stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touch {
    /// Faces that are of another kind or in another state now, are new, or have become centres.
    pub made: ProvinceSet,
    /// Faces whose boundary is another one: its sides, their order or the faces across, or a waterway at it.
    pub bounded: ProvinceSet,
    /// Borders that are new, gone, or of whose sides one has another face now or follows another or is followed by
    /// another. Of any other border the faces on both hands and at both ends are what they were, unless one is split.
    pub borders: BorderSet,
}

/// The planar map of a game: topology and nothing else. Knows no units, owners, rules or coordinates.
///
/// A game clones the map it shares with others before it changes it. So it is made of few flat lists.
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
#[derive(Clone, Debug)]
pub struct PlanarMap {
    /// See [`PlanarMap::structure`]; outdated by every operation that moves a border.
    pub(crate) structure: Structures,
    /// See [`PlanarMap::hash_of_faces`]; kept right by every operation that makes a face another one.
    pub(crate) faces_hashed: OnceLock<u64>,
    pub(crate) names: Arc<Names>,
    /// By province index.
    pub(crate) faces: Vec<FaceData>,
    /// The same as sets.
    pub(crate) sorted: SortedFaces,
    /// A side of every boundary cycle that is not the first of its face. Most faces have one cycle.
    pub(crate) further_cycles: Vec<(ProvinceId, HalfEdgeId)>,
    /// See [`PlanarMap::archipelagos`].
    pub(crate) archipelagos: ProvinceSet,
    pub(crate) sides: Vec<Option<HalfEdge>>,
    pub(crate) free_borders: Vec<BorderId>,
    pub(crate) waterways: Vec<Waterway>,
    /// What becomes of waterways when borders move.
    pub(crate) waterway_rule: WaterwayRule,
    pub(crate) labels: Vec<CoastLabel>,
    /// What became of borders since the change began, in order; see [`PlanarMap::follow`].
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

    /// The faces that are holes, collapsed or void; the points that the board has from the start are not among them.
    pub fn holes(&self) -> ProvinceSet {
        (self.sorted.collapsed | self.sorted.void) - self.sorted.of_kind(FaceKind::Point)
    }

    /// The faces of this kind, holes among them.
    pub fn of_kind(&self, kind: FaceKind) -> ProvinceSet {
        self.sorted.of_kind(kind)
    }

    /// The faces that are of another kind or in another state since the change began, or new
    /// ([`super::Chart::begin_change`]).
    pub fn remade(&self) -> &ProvinceSet {
        &self.touch.made
    }

    /// The face with this code.
    pub fn find(&self, name: &str) -> Option<ProvinceId> {
        self.names.find(name)
    }

    /// What the faces are called.
    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    /// The code of a face; `?` for an index without one.
    pub fn name(&self, id: ProvinceId) -> &str {
        self.names.get(id).unwrap_or("?")
    }

    /// The place of a face among all by their codes.
    #[inline]
    pub fn rank(&self, id: ProvinceId) -> u8 {
        self.names.rank(id)
    }

    /// The places of two faces, the lower first.
    #[inline]
    pub(super) fn ranks(&self, pair: [ProvinceId; 2]) -> [u8; 2] {
        let [x, y] = pair.map(|id| self.rank(id));
        [x.min(y), x.max(y)]
    }

    /// The two in the order of their codes.
    pub(super) fn by_name(&self, [x, y]: [ProvinceId; 2]) -> [ProvinceId; 2] {
        if self.rank(x) <= self.rank(y) { [x, y] } else { [y, x] }
    }

    /// The archipelagos ([`super::Chart::set_archipelagos`]): faces that count as touching water whatever lies round
    /// them (rules.md 4.9). The mark means something only while its face is open land.
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

    /// Makes a face another one by this function, which does not move its boundary.
    pub(crate) fn remake(&mut self, id: ProvinceId, by: impl FnOnce(&mut FaceData)) {
        self.touch.made.insert(id);
        self.take_out_of_hash(id);
        let body = self.at_mut(id);
        let before = *body;
        by(body);
        let now = *body;
        self.sorted.take(id, before);
        self.sorted.put(id, now);
        self.put_into_hash(id);
    }

    /// What all faces are made of, as one number: those of the faces are added up, for their order means nothing. It is
    /// added up when it is first asked for.
    pub(crate) fn hash_of_faces(&self) -> u64 {
        *self
            .faces_hashed
            .get_or_init(|| self.faces().map(|(id, _)| self.hash_of_face(id)).fold(0, u64::wrapping_add))
    }

    /// What a face is made of, as a number.
    fn hash_of_face(&self, id: ProvinceId) -> u64 {
        let FaceData { kind, state, .. } = *self.at(id);
        let made_of = u64::from(self.archipelagos.contains(id)) << 16 | (kind as u64) << 8 | state as u64;
        Stream::ranked(made_of, self.names.key(id)).next_u64()
    }

    /// A face is about to be made another one, or called otherwise: it no longer counts in [`PlanarMap::hash_of_faces`].
    pub(crate) fn take_out_of_hash(&mut self, id: ProvinceId) {
        if let Some(&sum) = self.faces_hashed.get() {
            self.faces_hashed = OnceLock::from(sum.wrapping_sub(self.hash_of_face(id)));
        }
    }

    /// It counts again, as what it is now.
    pub(crate) fn put_into_hash(&mut self, id: ProvinceId) {
        if let Some(&sum) = self.faces_hashed.get() {
            self.faces_hashed = OnceLock::from(sum.wrapping_add(self.hash_of_face(id)));
        }
    }

    /// Adds a face behind the others.
    pub(crate) fn add_face(&mut self, body: FaceData) {
        let id = ProvinceId(self.faces.len() as u8);
        self.faces.push(body);
        self.sorted.put(id, body);
        self.touch.made.insert(id);
    }

    /// Notes that the coasts of these provinces may be joined in another way.
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

    /// The face this side belongs to.
    #[inline]
    pub fn owner(&self, side: HalfEdgeId) -> ProvinceId {
        self.side(side).face
    }

    /// The face on the other hand.
    #[inline]
    pub fn across(&self, side: HalfEdgeId) -> ProvinceId {
        self.side(side.twin()).face
    }

    /// The next side counter-clockwise round the same face.
    #[inline]
    pub fn next(&self, side: HalfEdgeId) -> HalfEdgeId {
        self.side(side).next
    }

    /// The side before, counter-clockwise round the same face.
    #[inline]
    pub fn prev(&self, side: HalfEdgeId) -> HalfEdgeId {
        self.side(side).prev
    }

    /// The sides of the boundary cycle that this side belongs to, from it on, counter-clockwise.
    pub fn cycle(&self, from: HalfEdgeId) -> impl Iterator<Item = HalfEdgeId> + '_ {
        let mut at = Some(from);
        std::iter::from_fn(move || {
            let side = at?;
            let next = self.next(side);
            at = (next != from).then_some(next);
            Some(side)
        })
    }

    /// One side of each boundary cycle of a face.
    pub fn cycles_of(&self, face: ProvinceId) -> impl Iterator<Item = HalfEdgeId> + '_ {
        let first = self.faces.get(face.index()).and_then(|body| body.first_cycle);
        let further = self.further_cycles.iter().filter(move |&&(of, _)| of == face).map(|&(_, head)| head);
        first.into_iter().chain(further)
    }

    /// All sides of a face, cycle after cycle.
    pub fn sides_of(&self, face: ProvinceId) -> impl Iterator<Item = HalfEdgeId> + '_ {
        self.cycles_of(face).flat_map(|head| self.cycle(head))
    }

    /// The faces across the sides of a face.
    pub(super) fn neighbours_of(&self, face: ProvinceId) -> ProvinceSet {
        let mut neighbours = ProvinceSet::EMPTY;
        for head in self.cycles_of(face) {
            // An iterator over the sides of all cycles costs four times as much.
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

    /// Does a border have this id?
    #[inline]
    pub(super) fn has(&self, border: BorderId) -> bool {
        self.sides.get(border.sides()[0].index()).is_some_and(Option::is_some)
    }

    /// The boundary cycles as they are printed (docs/adjudicate.md): each in its lexicographically smallest rotation by
    /// the names of the faces across, the cycles sorted. Equal rotations are told apart by the sides' ids.
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

    /// The places of the faces across these sides among all faces: they sort as the names do.
    fn ranks_across<'a>(
        &'a self,
        sides: impl IntoIterator<Item = &'a HalfEdgeId, IntoIter: 'a>,
    ) -> impl Iterator<Item = u8> + 'a {
        sides.into_iter().map(|&side| self.rank(self.across(side)))
    }

    /// Turns a cycle to its smallest rotation.
    pub(super) fn turn_to_print(&self, cycle: &mut [HalfEdgeId]) {
        let best = {
            let cycle = &*cycle;
            let turned = |turn: usize| cycle[turn..].iter().chain(&cycle[..turn]);
            let lowest = self.ranks_across(cycle).min();
            // It begins at the first name. Only where that stands more than once is there more to compare.
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

    /// Every stretch in which `a` meets `b`, as sides of `a`, in the order in which the printed cycles of the
    /// alphabetically first of the two name them (docs/adjudicate.md: what `#n` counts).
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

    /// The two faces that flank a border: at the end and at the start of this side. `None` for a loop, which
    /// has no corners.
    #[inline]
    pub fn flanks(&self, side: HalfEdgeId) -> Option<[ProvinceId; 2]> {
        let (next, prev) = (self.next(side), self.prev(side));
        (next != side).then(|| [self.across(next), self.across(prev)])
    }

    /// The waterways in force: those whose borders stand where they were made.
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
            Waterway::Canal { province, ends } => {
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

    /// The borders that these became in the change just made: pieces of cut ones are among them, merged ones are
    /// what they were merged into.
    pub(crate) fn follow(&self, borders: &mut Vec<BorderId>) {
        self.follow_from(0, borders);
    }

    /// The same for what has happened since the trail was so long.
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

    /// The border that this one is part of now, after the merges since the trail was so long.
    pub(super) fn merged_into(&self, begun: usize, mut border: BorderId) -> BorderId {
        for trace in self.trail.get(begun..).unwrap_or_default() {
            match *trace {
                Trace::Merged { kept, gone } if gone == border => border = kept,
                _ => {}
            }
        }
        border
    }

    /// The side of this border that belongs to the face.
    #[inline]
    pub(crate) fn side_of(&self, border: BorderId, face: ProvinceId) -> Option<HalfEdgeId> {
        border.sides().into_iter().find(|s| self.sides[s.index()].is_some_and(|side| side.face == face))
    }
}
