//! Counts the border structure of a map and hashes it.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::ids::{MAX_PROVINCES, ProvinceId, ProvinceSet};
use crate::topology::half_edge::{BorderId, BorderSet, HalfEdgeId, Names};
use crate::topology::map::PlanarMap;
use crate::topology::structure::{BorderText, Counts, Structure};
use crate::topology::waterway::{CanalEnd, Waterway};

/// The sizes of one connected border graph.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::topology) struct BorderGraph {
    pub(crate) corners: usize,
    pub(crate) borders: usize,
    pub(crate) cycles: usize,
}

impl PlanarMap {
    /// A hash of faces, archipelagos, borders and waterways by name: equal for equal maps, however they were
    /// reached. A canal counts alike whether it was dug or not, because the moves of units are the same.
    pub fn hash(&self) -> u64 {
        // The kinds of faces may change every season, but their borders rarely do: the two parts are cached
        // separately.
        self.structure().hash.wrapping_add(self.hash_of_faces())
    }

    /// The part that depends on borders alone, computed on first use after they changed.
    fn structure(&self) -> &Structure {
        self.structure.now.get_or_init(|| {
            let text = self.border_text();
            Structure { hash: text.hash(), counts: self.count(), text: Arc::new(text) }
        })
    }

    /// The numbers of faces, borders, corners and connected border graphs of the map.
    pub fn counts(&self) -> Counts {
        self.structure().counts
    }

    /// Counts from the invariants: three borders end at each corner, a loop counts as having one, and `V − E
    /// + F = 1 + components` (rules.md 1.7). [`PlanarMap::faults`] counts one by one.
    fn count(&self) -> Counts {
        let faces = self.faces.len();
        let (mut borders, mut loops) = (0, 0);
        for (at, side) in self.sides.iter().enumerate().step_by(2) {
            borders += usize::from(side.is_some());
            loops += usize::from(side.is_some_and(|side| side.next.index() == at));
        }
        let corners = 2 * (borders - loops) / 3 + loops;
        Counts { faces, borders, corners, components: (corners + faces).saturating_sub(borders + 1) }
    }

    /// The number of the connected border graph of each half-edge, and the sizes of these graphs.
    pub(in crate::topology) fn border_graphs(&self) -> (Vec<u16>, Vec<BorderGraph>) {
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

// The hashed text of the borders: the names of the faces in order, then the cycles of each face. A face's
// part begins with the number of its cycles and the number of bytes of each cycle; a cycle lists, for each
// half-edge, the rank of the face across among the names and whether a waterway ends or crosses there.
//
// ```text
//    ADR           AEG           ALB
//    1 │ 10 │ …    1 │ 14 │ …    1 │ 8 │ …      first the cycles, then the bytes of the cycle, two for each half-edge
// ```
//
// The part of a face depends on its boundary alone. A text is therefore built from the last one that was
// written: only the parts of faces whose boundary has been touched since, and of those at which a waterway
// has appeared or disappeared, are written again. If a split has added names, the ranks in the old text are
// replaced first.

impl BorderText {
    /// Begins an empty text.
    fn begin(names: &Arc<Names>, at_waterway: BorderSet, room: usize) -> BorderText {
        let (faces, names) = (names.sorted().len(), Arc::clone(names));
        BorderText { names, bytes: Vec::with_capacity(room), ends: Vec::with_capacity(faces), at_waterway }
    }

    /// The hash of the names followed by this text.
    pub(super) fn hash(&self) -> u64 {
        let mut hash = [0; 8];
        hash.copy_from_slice(&self.names.hasher().update(&self.bytes).finalize().as_bytes()[..8]);
        u64::from_le_bytes(hash)
    }

    /// The end of the parts of the faces before this rank.
    #[inline]
    fn begin_of(&self, rank: usize) -> usize {
        rank.checked_sub(1).map_or(0, |before| usize::from(self.ends[before]))
    }

    /// Copies the parts of the faces with these ranks from another text.
    fn copy(&mut self, other: &BorderText, from: usize, to: usize) {
        let (begin, end) = (other.begin_of(from), other.begin_of(to));
        let moved = self.bytes.len().wrapping_sub(begin) as u16;
        self.bytes.extend_from_slice(&other.bytes[begin..end]);
        self.ends.extend(other.ends[from..to].iter().map(|end| end.wrapping_add(moved)));
    }

    /// The same text with these names, which must have evolved from its own by splits; new faces have empty
    /// parts. `None` if the remaining faces are in a different order by name, because a cycle may then begin
    /// at another half-edge.
    fn renamed(&self, names: &Arc<Names>) -> Option<BorderText> {
        let mut ranks = [0; MAX_PROVINCES];
        let mut text = BorderText::begin(names, self.at_waterway, 0);
        let mut passed = 0;
        for (rank, &id) in (0..=u8::MAX).zip(names.sorted()) {
            if self.names.has(id) {
                if usize::from(self.names.rank(id)) != passed {
                    return None;
                }
                ranks[passed] = rank;
                passed += 1;
            }
            text.ends.push(self.begin_of(passed) as u16);
        }
        text.bytes = self.bytes.clone();
        let mut rest = text.bytes.as_mut_slice();
        while let [cycles, parts @ ..] = rest {
            rest = parts;
            for _ in 0..*cycles {
                let [low, high, sides @ ..] = rest else { break };
                let (cycle, next) = sides.split_at_mut(usize::from(u16::from_le_bytes([*low, *high])));
                cycle
                    .as_chunks_mut::<2>()
                    .0
                    .iter_mut()
                    .for_each(|[rank, _]| *rank = ranks[usize::from(*rank)]);
                rest = next;
            }
        }
        Some(text)
    }
}

impl PlanarMap {
    /// The text of the borders, based on the last text if there is one.
    pub(super) fn border_text(&self) -> BorderText {
        let same = |before: &Arc<BorderText>| Arc::ptr_eq(&before.names, &self.names);
        match &self.structure.before {
            Some(before) if same(before) => self.follow_text(before),
            Some(before) => match before.renamed(&self.names) {
                Some(before) => self.follow_text(&before),
                None => self.new_text(),
            },
            None => self.new_text(),
        }
    }

    /// The text of the borders, based on a text that has changed only at the faces touched since.
    fn follow_text(&self, before: &BorderText) -> BorderText {
        let at_waterway = self.borders_at_waterways();
        let mut stale = self.structure.stale | self.touch.bounded;
        at_waterway.differences(&before.at_waterway).for_each(|border| {
            // A border that is gone has touched its faces already.
            stale.extend(border.sides().into_iter().filter_map(|side| Some(self.sides[side.index()]?.face)));
        });
        let ranks: ProvinceSet = stale.iter().map(|id| ProvinceId(self.rank(id))).collect();
        let mut writer = Writer::new(self, at_waterway, before.bytes.len() + 64);
        let mut copied = 0;
        for ProvinceId(rank) in ranks {
            let rank = usize::from(rank);
            writer.text.copy(before, copied, rank);
            writer.write(self.names.sorted()[rank]);
            copied = rank + 1;
        }
        writer.text.copy(before, copied, before.ends.len());
        writer.text
    }

    /// The text of the borders, written from scratch.
    fn new_text(&self) -> BorderText {
        let room = 4 * self.faces.len() + 2 * self.sides.len();
        let mut writer = Writer::new(self, self.borders_at_waterways(), room);
        self.names.sorted().iter().for_each(|&id| writer.write(id));
        writer.text
    }

    /// The borders at which a waterway in force ends or that one crosses.
    fn borders_at_waterways(&self) -> BorderSet {
        let mut at_waterway = BorderSet::default();
        let mut mark = |border: BorderId| at_waterway.insert(border);
        for waterway in self.waterways() {
            match waterway {
                Waterway::Canal { province, ends, .. } => {
                    let stands = |&border: &BorderId| self.side_of(border, *province).is_some();
                    ends.iter().flat_map(CanalEnd::borders).filter(stands).for_each(&mut mark);
                }
                Waterway::Strait { border, .. } => mark(*border),
                Waterway::Passage { province, seas } => {
                    let joined = self.sides_of(*province).filter(|&side| seas.contains(&self.across(side)));
                    joined.map(HalfEdgeId::border).for_each(&mut mark);
                }
            }
        }
        at_waterway
    }
}

/// Writes the text of a map face by face.
struct Writer<'m> {
    map: &'m PlanarMap,
    text: BorderText,
    /// Faces with several cycles.
    several: ProvinceSet,
    /// The text of a cycle from its head on; kept to reuse its memory.
    round: Vec<[u8; 2]>,
}

impl<'m> Writer<'m> {
    fn new(map: &'m PlanarMap, at_waterway: BorderSet, room: usize) -> Writer<'m> {
        let several = map.further_cycles.iter().map(|&(of, _)| of).collect();
        let text = BorderText::begin(&map.names, at_waterway, room);
        Writer { map, text, several, round: Vec::with_capacity(64) }
    }

    /// Writes the part of the next face.
    fn write(&mut self, id: ProvinceId) {
        if self.several.contains(id) {
            self.write_several(id);
        } else {
            let cycle = self.map.faces.get(id.index()).and_then(|body| body.first_cycle);
            self.text.bytes.push(u8::from(cycle.is_some()));
            cycle.into_iter().for_each(|head| self.write_cycle(head));
        }
        self.text.ends.push(self.text.bytes.len() as u16);
    }

    /// Writes the cycles of a face that has several, sorted by their text.
    fn write_several(&mut self, id: ProvinceId) {
        let cycles: Vec<HalfEdgeId> = self.map.cycles_of(id).collect();
        self.text.bytes.push(cycles.len() as u8);
        let begin = self.text.bytes.len();
        let mut written: Vec<Vec<u8>> = Vec::with_capacity(cycles.len());
        for head in cycles {
            self.write_cycle(head);
            written.push(self.text.bytes.split_off(begin));
        }
        // The length in front is not compared.
        written.sort_unstable_by(|x, y| x[2..].cmp(&y[2..]));
        self.text.bytes.extend(written.into_iter().flatten());
    }

    /// Writes the length of a cycle and then the cycle, in its smallest rotation.
    fn write_cycle(&mut self, head: HalfEdgeId) {
        let Writer { map, text, round, .. } = self;
        round.clear();
        let (mut lowest, mut first, mut more) = (u8::MAX, 0, false);
        let mut at = head;
        loop {
            let rank = map.rank(map.across(at));
            more = rank == lowest || more && rank > lowest;
            if rank < lowest {
                (lowest, first) = (rank, round.len());
            }
            round.push([rank, u8::from(text.at_waterway.contains(at.border()))]);
            at = map.next(at);
            if at == head {
                break;
            }
        }
        if more {
            first = self.first_of_several(head, lowest);
        }
        let Writer { text, round, .. } = self;
        let (end, begin) = round.split_at(first);
        text.bytes.extend((2 * round.len() as u16).to_le_bytes());
        text.bytes.extend_from_slice(begin.as_flattened());
        text.bytes.extend_from_slice(end.as_flattened());
    }
    /// Of the half-edges to the face of lowest rank, finds the one at which the smallest rotation of the
    /// current cycle begins.
    fn first_of_several(&self, head: HalfEdgeId, lowest: u8) -> usize {
        let n = self.round.len();
        let from = |turn: usize| self.round[turn..].iter().chain(&self.round[..turn]).map(|&[rank, _]| rank);
        let mut turns = (0..n).filter(|&turn| self.round[turn][0] == lowest);
        let mut first = turns.next().unwrap_or(0);
        for turn in turns {
            match from(turn).cmp(from(first)) {
                Ordering::Less => first = turn,
                Ordering::Greater => {}
                Ordering::Equal => {
                    // The cycle repeats itself: the ids of its half-edges decide.
                    let mut sides: Vec<HalfEdgeId> = self.map.cycle(head).collect();
                    self.map.turn_to_print(&mut sides);
                    return self.map.cycle(head).position(|side| side == sides[0]).unwrap_or(0);
                }
            }
        }
        first
    }
}
