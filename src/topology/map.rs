//! The planar map: faces separated by borders that meet at corners (RULINGS 1.1). Nothing else is stored as
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
//! *loop*; it has no corner of its own and is counted as having one (RULINGS 1.7).

use std::sync::{Arc, OnceLock};

use crate::ids::{ByProvince, ProvinceId, ProvinceSet};
use crate::rng::Stream;

/// One side of a border. Its twin, the other side, is `id ^ 1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct SideId(pub(crate) u16);

/// A border: two sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct BorderId(pub(crate) u16);

impl SideId {
    /// The same border seen from the face on its other hand.
    #[inline]
    pub const fn twin(self) -> SideId {
        SideId(self.0 ^ 1)
    }

    /// The border this is a side of.
    #[inline]
    pub const fn border(self) -> BorderId {
        BorderId(self.0 >> 1)
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl BorderId {
    /// Both sides of the border.
    #[inline]
    pub const fn sides(self) -> [SideId; 2] {
        [SideId(self.0 << 1), SideId((self.0 << 1) | 1)]
    }
}

/// What a face is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FaceKind {
    /// A land province.
    Land,
    /// A sea.
    Sea,
    /// Inside the board, but nobody may enter (Switzerland).
    Impassable,
    /// Everything beyond the edge of the board.
    Outside,
}

/// Whether a face is there to be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FaceState {
    /// As its kind says.
    Open,
    /// A black hole with closure: the faces round it meet in one point (RULINGS 1.4).
    Collapsed,
    /// A black hole without closure: impassable (RULINGS 1.5).
    Void,
}

/// A face: a province, Switzerland, or the Outside.
#[derive(Clone, Debug)]
pub struct Face {
    pub(crate) name: Arc<str>,
    /// See [`Face::key`].
    pub(crate) key: u64,
    pub(crate) kind: FaceKind,
    pub(crate) state: FaceState,
    /// One side of each boundary cycle.
    pub(crate) cycles: Vec<SideId>,
}

impl Face {
    pub(crate) fn new(name: &str, kind: FaceKind, cycles: Vec<SideId>) -> Face {
        let mut key = [0; 8];
        key.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..8]);
        Face { name: Arc::from(name), key: u64::from_le_bytes(key), kind, state: FaceState::Open, cycles }
    }

    /// A hash of the name, for draws that must not hang on indices.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The code, `BUR` or `BUR.1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is made of, under any hole.
    pub fn kind(&self) -> FaceKind {
        self.kind
    }

    /// Open, collapsed or void.
    pub fn state(&self) -> FaceState {
        self.state
    }

    /// May a border that splits a neighbour end at this face (RULINGS 4.11)? Anywhere but at the Outside.
    pub(crate) fn can_hold_an_end(&self) -> bool {
        self.kind != FaceKind::Outside
    }

    /// Is it a land province units can enter?
    #[inline]
    pub fn is_open_land(&self) -> bool {
        self.kind == FaceKind::Land && self.state == FaceState::Open
    }

    /// Is it a sea that fleets can enter?
    #[inline]
    pub fn is_open_sea(&self) -> bool {
        self.kind == FaceKind::Sea && self.state == FaceState::Open
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub face: ProvinceId,
    pub next: SideId,
    pub prev: SideId,
}

/// Water that joins two coasts of one province (RULINGS 1.3).
///
/// A waterway is in force while the borders it is tied to stand where they stood; a flip that takes one away
/// puts it to sleep and the reverse flip wakes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waterway {
    /// Through a province, from one water contact to another.
    Canal {
        /// The province it runs through.
        province: ProvinceId,
        /// The borders of the province at which it ends.
        terminals: [BorderId; 2],
    },
    /// Along a land border, joining the coasts at its two ends in both provinces.
    Strait {
        /// The border it crosses.
        border: BorderId,
        /// The two provinces, in the order of the border's sides when the strait was made.
        provinces: [ProvinceId; 2],
    },
    /// Through a province, between all its coasts on either of two seas (seed 004, first part, rule 9). It is tied to
    /// no border and is in force whenever the province lies on both.
    Passage {
        /// The province.
        province: ProvinceId,
        /// The seas.
        seas: [ProvinceId; 2],
    },
}

/// What becomes of waterways when borders move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WaterwayRule {
    /// They stay tied to their borders, in force while those stand where they stood.
    #[default]
    Tied,
    /// They come, go and change as seed 004, second part, rule 9 says ([`super::isthmus`]).
    Isthmuses,
}

/// Borders a named coast was made of (`STP/NC`); the name stays with the coast that keeps most of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CoastLabel {
    pub province: ProvinceId,
    pub name: super::CoastName,
    pub borders: Vec<BorderId>,
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

/// The planar map of a game: topology and nothing else. Knows no units, owners, rules or coordinates.
#[derive(Clone, Debug)]
pub struct PlanarMap {
    /// See [`PlanarMap::structure`]; emptied by every operation that moves a border.
    pub(crate) structure: OnceLock<Structure>,
    pub(crate) faces: Vec<Option<Face>>,
    /// See [`PlanarMap::archipelagos`].
    pub(crate) archipelagos: ProvinceSet,
    pub(crate) sides: Vec<Option<Side>>,
    pub(crate) free_borders: Vec<BorderId>,
    pub(crate) waterways: Vec<Waterway>,
    /// What becomes of waterways when borders move.
    pub(crate) waterway_rule: WaterwayRule,
    pub(crate) labels: Vec<CoastLabel>,
    /// What became of borders since the change began, in order; see [`PlanarMap::follow`].
    pub(crate) trail: Vec<Trace>,
}

/// The sizes of a map: how many faces, borders, corners and connected border graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Counts {
    pub faces: usize,
    pub borders: usize,
    pub corners: usize,
    pub components: usize,
}

/// The sizes of one connected border graph.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BorderGraph {
    pub corners: usize,
    pub borders: usize,
    pub cycles: usize,
}

/// What hangs on where the borders run and not on what the faces are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Structure {
    hash: u64,
    counts: Counts,
}

impl PlanarMap {
    /// All faces with their indices, in ascending order.
    pub fn faces(&self) -> impl Iterator<Item = (ProvinceId, &Face)> {
        self.faces.iter().enumerate().filter_map(|(i, face)| Some((ProvinceId(i as u8), face.as_ref()?)))
    }

    /// The face with this index, if there is one.
    #[inline]
    pub fn face(&self, id: ProvinceId) -> Option<&Face> {
        self.faces.get(id.index())?.as_ref()
    }

    /// The faces that are holes, collapsed or void.
    pub fn holes(&self) -> ProvinceSet {
        self.faces().filter(|(_, face)| face.state != FaceState::Open).map(|(id, _)| id).collect()
    }

    /// The face with this code.
    pub fn find(&self, name: &str) -> Option<ProvinceId> {
        self.faces().find(|(_, face)| &*face.name == name).map(|(id, _)| id)
    }

    /// The code of a face; `?` for an index without one.
    pub fn name(&self, id: ProvinceId) -> &str {
        self.face(id).map_or("?", |face| &face.name)
    }

    /// The archipelagos ([`super::Chart::set_archipelagos`]): faces that count as touching water whatever lies round
    /// them (RULINGS 4.9). The mark means something only while its face is open land.
    pub fn archipelagos(&self) -> &ProvinceSet {
        &self.archipelagos
    }

    #[inline]
    pub(crate) fn at(&self, id: ProvinceId) -> &Face {
        self.faces[id.index()].as_ref().expect("a side belongs to a face that exists (checked invariant)")
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, id: ProvinceId) -> &mut Face {
        self.faces[id.index()].as_mut().expect("a side belongs to a face that exists (checked invariant)")
    }

    #[inline]
    pub(crate) fn side(&self, id: SideId) -> &Side {
        self.sides[id.index()].as_ref().expect("sides are linked to sides that exist (checked invariant)")
    }

    #[inline]
    pub(crate) fn side_mut(&mut self, id: SideId) -> &mut Side {
        self.sides[id.index()].as_mut().expect("sides are linked to sides that exist (checked invariant)")
    }

    /// The face this side belongs to.
    #[inline]
    pub fn owner(&self, side: SideId) -> ProvinceId {
        self.side(side).face
    }

    /// The face on the other hand.
    #[inline]
    pub fn across(&self, side: SideId) -> ProvinceId {
        self.side(side.twin()).face
    }

    /// The next side counter-clockwise round the same face.
    #[inline]
    pub fn next(&self, side: SideId) -> SideId {
        self.side(side).next
    }

    /// The side before, counter-clockwise round the same face.
    #[inline]
    pub fn prev(&self, side: SideId) -> SideId {
        self.side(side).prev
    }

    /// The sides of the boundary cycle that this side belongs to, from it on, counter-clockwise.
    pub fn cycle(&self, from: SideId) -> impl Iterator<Item = SideId> + '_ {
        let mut at = Some(from);
        std::iter::from_fn(move || {
            let side = at?;
            let next = self.next(side);
            at = (next != from).then_some(next);
            Some(side)
        })
    }

    /// All sides of a face, cycle after cycle.
    pub fn sides_of(&self, face: ProvinceId) -> impl Iterator<Item = SideId> + '_ {
        self.face(face).into_iter().flat_map(|f| f.cycles.iter()).flat_map(|&head| self.cycle(head))
    }

    /// All borders.
    pub fn borders(&self) -> impl Iterator<Item = BorderId> + '_ {
        (0..self.sides.len() / 2).filter(|&i| self.sides[2 * i].is_some()).map(|i| BorderId(i as u16))
    }

    /// The boundary cycles as they are printed (FORMATS 1): each in its lexicographically smallest rotation by
    /// the names of the faces across, the cycles sorted. Equal rotations are told apart by the sides' ids.
    pub fn printed_cycles(&self, face: ProvinceId) -> Vec<Vec<SideId>> {
        let mut cycles: Vec<Vec<SideId>> = self
            .face(face)
            .into_iter()
            .flat_map(|f| &f.cycles)
            .map(|&head| {
                let mut cycle: Vec<SideId> = self.cycle(head).collect();
                self.turn_to_print(&mut cycle, |id| self.name(id));
                cycle
            })
            .collect();
        let names =
            |cycle: &[SideId]| -> Vec<&str> { cycle.iter().map(|&s| self.name(self.across(s))).collect() };
        cycles.sort_by(|a, b| names(a).cmp(&names(b)).then_with(|| a.cmp(b)));
        cycles
    }

    /// Turns a cycle to its smallest rotation. `rank` orders the faces as their names do.
    fn turn_to_print<K: Ord>(&self, cycle: &mut [SideId], rank: impl Fn(ProvinceId) -> K) {
        let best = {
            let cycle = &*cycle;
            let turned = |turn: usize| cycle[turn..].iter().chain(&cycle[..turn]);
            let ranks = |turn| turned(turn).map(|&side| rank(self.across(side)));
            (0..cycle.len())
                .min_by(|&x, &y| ranks(x).cmp(ranks(y)).then_with(|| turned(x).cmp(turned(y))))
                .unwrap_or(0)
        };
        cycle.rotate_left(best);
    }

    /// Every stretch in which `a` meets `b`, as sides of `a`, in the order in which the printed cycles of the
    /// alphabetically first of the two name them (FORMATS 1: what `#n` counts).
    pub fn stretches(&self, a: ProvinceId, b: ProvinceId) -> Vec<SideId> {
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
    pub fn flanks(&self, side: SideId) -> Option<[ProvinceId; 2]> {
        let (next, prev) = (self.next(side), self.prev(side));
        (next != side).then(|| [self.across(next), self.across(prev)])
    }

    /// The waterways in force: those whose borders stand where they were made.
    pub fn waterways(&self) -> impl Iterator<Item = &Waterway> {
        self.waterways.iter().filter(|waterway| match waterway {
            Waterway::Canal { province, terminals } => {
                terminals.iter().all(|&border| self.side_of(border, *province).is_some())
            }
            Waterway::Strait { border, provinces } => {
                let [a, b] = *provinces;
                self.side_of(*border, a).is_some_and(|side| self.across(side) == b)
            }
            Waterway::Passage { province, seas } => {
                let lies_on = |sea| self.sides_of(*province).any(|side| self.across(side) == sea);
                seas.iter().all(|&sea| lies_on(sea))
            }
        })
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

    /// The side of this border that belongs to the face.
    #[inline]
    pub(crate) fn side_of(&self, border: BorderId, face: ProvinceId) -> Option<SideId> {
        border.sides().into_iter().find(|s| self.sides[s.index()].is_some_and(|side| side.face == face))
    }

    /// A hash of faces, archipelagos, borders and waterways by name: equal for equal maps, however they came about.
    pub fn hash(&self) -> u64 {
        // What the faces are made of may change every season, where they meet seldom does: that part is kept. The
        // faces are added up, for their order means nothing.
        let made_of = |(id, face): (ProvinceId, &Face)| {
            let archipelago = u64::from(self.archipelagos.contains(id));
            let state = archipelago << 16 | (face.kind as u64) << 8 | face.state as u64;
            Stream::ranked(state, face.key).next_u64()
        };
        self.faces().map(made_of).fold(self.structure().hash, u64::wrapping_add)
    }

    /// What hangs on borders alone, made when it is first asked for after they changed.
    fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| Structure { hash: self.hash_of_borders(), counts: self.count() })
    }

    fn hash_of_borders(&self) -> u64 {
        // The names once, in their order; from there on a face is its rank among them.
        let mut faces: Vec<(&str, ProvinceId)> = self.faces().map(|(id, face)| (face.name(), id)).collect();
        faces.sort_unstable();
        let mut ranks = ByProvince::filled(0u8);
        for (rank, &(_, id)) in faces.iter().enumerate() {
            ranks[id] = rank as u8;
        }
        let mut at_waterway: Vec<BorderId> = Vec::new();
        for waterway in self.waterways() {
            match waterway {
                Waterway::Canal { terminals, .. } => at_waterway.extend(terminals),
                Waterway::Strait { border, .. } => at_waterway.push(*border),
                Waterway::Passage { province, seas } => {
                    let joined = self.sides_of(*province).filter(|&side| seas.contains(&self.across(side)));
                    at_waterway.extend(joined.map(SideId::border));
                }
            }
        }
        let mut text: Vec<u8> = Vec::with_capacity(8 * faces.len() + 4 * self.sides.len());
        for &(name, _) in &faces {
            text.extend(name.as_bytes());
            text.push(0);
        }
        let mut cycles: Vec<Vec<u8>> = Vec::new();
        let mut cycle: Vec<SideId> = Vec::new();
        for &(_, id) in &faces {
            cycles.clear();
            for &head in &self.at(id).cycles {
                cycle.clear();
                cycle.extend(self.cycle(head));
                self.turn_to_print(&mut cycle, |id| ranks[id]);
                // Each side is the rank of the face across and whether a waterway ends or crosses there.
                let side = |&side: &SideId| {
                    [ranks[self.across(side)], u8::from(at_waterway.contains(&side.border()))]
                };
                cycles.push(cycle.iter().flat_map(side).collect());
            }
            cycles.sort_unstable();
            text.push(cycles.len() as u8);
            for cycle in &cycles {
                text.extend((cycle.len() as u16).to_le_bytes());
                text.extend(cycle);
            }
        }
        let mut hash = [0; 8];
        hash.copy_from_slice(&blake3::hash(&text).as_bytes()[..8]);
        u64::from_le_bytes(hash)
    }

    /// How many faces, borders, corners and connected border graphs the map has.
    pub fn counts(&self) -> Counts {
        self.structure().counts
    }

    fn count(&self) -> Counts {
        let graphs = self.border_graphs().1;
        Counts {
            faces: self.faces().count(),
            borders: graphs.iter().map(|graph| graph.borders).sum(),
            corners: graphs.iter().map(|graph| graph.corners).sum(),
            components: graphs.len(),
        }
    }

    /// The number of the connected border graph of each side, and the sizes of these graphs.
    pub(super) fn border_graphs(&self) -> (Vec<u16>, Vec<BorderGraph>) {
        const NONE: u16 = u16::MAX;
        let mut graph_of = vec![NONE; self.sides.len()];
        let mut corner_seen = vec![false; self.sides.len()];
        let mut graphs: Vec<BorderGraph> = Vec::new();
        let mut stack = Vec::new();
        for start in self.borders().map(|border| border.sides()[0]) {
            if graph_of[start.index()] != NONE {
                continue;
            }
            let number = graphs.len() as u16;
            let mut graph = BorderGraph::default();
            stack.push(start);
            while let Some(side) = stack.pop() {
                if std::mem::replace(&mut graph_of[side.index()], number) != NONE {
                    continue;
                }
                graph.borders += usize::from(graph_of[side.twin().index()] == NONE);
                if !corner_seen[side.index()] {
                    graph.corners += 1;
                    let mut at = side;
                    while !std::mem::replace(&mut corner_seen[at.index()], true) {
                        at = self.next(at.twin());
                    }
                }
                stack.extend([side.twin(), self.next(side)]);
            }
            graphs.push(graph);
        }
        (graph_of, graphs)
    }
}
