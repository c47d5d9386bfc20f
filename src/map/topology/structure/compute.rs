//! Counts the border structure of a map and hashes it.

use super::{Counts, Structure};
use crate::ids::ProvinceId;
use crate::rng::Stream;
use crate::topology::face::Face;
use crate::topology::half_edge::{BorderId, SideId};
use crate::topology::map::PlanarMap;
use crate::topology::waterway::{CanalEnd, Waterway};

/// The sizes of one connected border graph.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::topology) struct BorderGraph {
    pub corners: usize,
    pub borders: usize,
    pub cycles: usize,
}

impl PlanarMap {
    /// A hash of faces, archipelagos, borders and waterways by name: equal for equal maps, however they came about.
    pub fn hash(&self) -> u64 {
        // What the faces are made of may change every season, where they meet seldom does: that part is kept. The
        // faces are added up, for their order means nothing.
        let made_of = |(id, face): (ProvinceId, Face<'_>)| {
            let archipelago = u64::from(self.archipelagos.contains(id));
            let state = archipelago << 16 | (face.kind() as u64) << 8 | face.state() as u64;
            Stream::ranked(state, face.key()).next_u64()
        };
        self.faces().map(made_of).fold(self.structure().hash, u64::wrapping_add)
    }

    /// What hangs on borders alone, made when it is first asked for after they changed.
    fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| Structure { hash: self.hash_of_borders(), counts: self.count() })
    }

    fn hash_of_borders(&self) -> u64 {
        let mut at_waterway = vec![false; self.sides.len() / 2];
        let mut mark = |border: BorderId| at_waterway[usize::from(border.0)] = true;
        for waterway in self.waterways() {
            match waterway {
                Waterway::Canal { province, ends } => {
                    let stands = |&border: &BorderId| self.side_of(border, *province).is_some();
                    ends.iter().flat_map(CanalEnd::borders).filter(stands).for_each(&mut mark);
                }
                Waterway::Strait { border, .. } => mark(*border),
                Waterway::Passage { province, seas } => {
                    let joined = self.sides_of(*province).filter(|&side| seas.contains(&self.across(side)));
                    joined.map(SideId::border).for_each(&mut mark);
                }
            }
        }
        // The names in their order; from there on a face is its rank among them.
        let faces = self.names.sorted();
        let mut text: Vec<u8> = Vec::with_capacity(8 * faces.len() + 4 * self.sides.len());
        for &id in faces {
            text.extend(self.name(id).as_bytes());
            text.push(0);
        }
        let mut sides: Vec<SideId> = Vec::new();
        // The cycles of the face at hand, one behind the other, and where each begins and ends.
        let (mut cycles, mut stretches): (Vec<u8>, Vec<(usize, usize)>) = Default::default();
        for &id in faces {
            cycles.clear();
            stretches.clear();
            for head in self.cycles_of(id) {
                let begin = cycles.len();
                sides.clear();
                sides.extend(self.cycle(head));
                self.turn_to_print(&mut sides);
                for &side in &sides {
                    // The rank of the face across, and whether a waterway ends or crosses there.
                    let waterway = at_waterway[usize::from(side.border().0)];
                    cycles.extend([self.rank(self.across(side)), u8::from(waterway)]);
                }
                stretches.push((begin, cycles.len()));
            }
            stretches.sort_unstable_by_key(|&(begin, end)| &cycles[begin..end]);
            text.push(stretches.len() as u8);
            for &(begin, end) in &stretches {
                text.extend(((end - begin) as u16).to_le_bytes());
                text.extend(&cycles[begin..end]);
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

    /// Counts what is where it must be: three borders end at each corner, a loop has one of its own, and
    /// `V − E + F = 1 + components` (rules.md 1.7). [`PlanarMap::faults`] counts one by one.
    fn count(&self) -> Counts {
        let faces = self.faces.len();
        let borders = self.borders().count();
        let loops =
            self.borders().map(|border| border.sides()[0]).filter(|&side| self.next(side) == side).count();
        let corners = 2 * (borders - loops) / 3 + loops;
        Counts { faces, borders, corners, components: (corners + faces).saturating_sub(borders + 1) }
    }

    /// The number of the connected border graph of each side, and the sizes of these graphs.
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
