//! Counts the border structure of a map and hashes it.

use super::{Counts, Structure};
use crate::ids::{ProvinceId, ProvinceSet};
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

    /// The names in their order, then face by face its cycles: how many there are, and for each how many sides it has and
    /// for each of them the rank of the face across among the names, and whether a waterway ends or crosses there.
    fn hash_of_borders(&self) -> u64 {
        let at_waterway = self.borders_at_waterways();
        let several: ProvinceSet = self.further_cycles.iter().map(|&(of, _)| of).collect();
        let mut text: Vec<u8> = Vec::with_capacity(4 * self.faces.len() + 2 * self.sides.len());
        let mut round = Vec::with_capacity(64);
        for &id in self.names.sorted() {
            if several.contains(id) {
                self.write_cycles(id, &at_waterway, &mut round, &mut text);
                continue;
            }
            let cycle = self.faces.get(id.index()).and_then(|body| body.first_cycle);
            text.push(u8::from(cycle.is_some()));
            if let Some(head) = cycle {
                let begin = text.len() + 2;
                text.extend([0; 2]);
                self.write_cycle(head, &at_waterway, &mut round, &mut text);
                let length = (text.len() - begin) as u16;
                text[begin - 2..begin].copy_from_slice(&length.to_le_bytes());
            }
        }
        let mut hash = [0; 8];
        hash.copy_from_slice(&self.names.hasher().update(&text).finalize().as_bytes()[..8]);
        u64::from_le_bytes(hash)
    }

    /// Which borders a waterway in force ends at or crosses.
    fn borders_at_waterways(&self) -> Vec<bool> {
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
        at_waterway
    }

    /// Writes the cycles of a face that has several, sorted by what is written of them.
    fn write_cycles(
        &self,
        id: ProvinceId,
        at_waterway: &[bool],
        round: &mut Vec<[u8; 2]>,
        text: &mut Vec<u8>,
    ) {
        let (mut cycles, mut stretches) = (Vec::new(), Vec::new());
        for head in self.cycles_of(id) {
            let begin = cycles.len();
            self.write_cycle(head, at_waterway, round, &mut cycles);
            stretches.push((begin, cycles.len()));
        }
        stretches.sort_unstable_by_key(|&(begin, end)| &cycles[begin..end]);
        text.push(stretches.len() as u8);
        for &(begin, end) in &stretches {
            text.extend(((end - begin) as u16).to_le_bytes());
            text.extend(&cycles[begin..end]);
        }
    }

    /// Writes a cycle as it is printed, turned to its smallest rotation. `round` is room to write in.
    fn write_cycle(&self, head: SideId, at_waterway: &[bool], round: &mut Vec<[u8; 2]>, text: &mut Vec<u8>) {
        round.clear();
        let (mut lowest, mut first, mut more) = (u8::MAX, 0, false);
        let mut at = head;
        loop {
            let rank = self.rank(self.across(at));
            more = rank == lowest || more && rank > lowest;
            if rank < lowest {
                (lowest, first) = (rank, round.len());
            }
            round.push([rank, u8::from(at_waterway[at.border().index()])]);
            at = self.next(at);
            if at == head {
                break;
            }
        }
        if more {
            // Which of several places it begins at takes a closer look.
            let mut sides: Vec<SideId> = self.cycle(head).collect();
            self.turn_to_print(&mut sides);
            first = self.cycle(head).position(|side| side == sides[0]).unwrap_or(0);
        }
        let (end, begin) = round.split_at(first);
        text.extend_from_slice(begin.as_flattened());
        text.extend_from_slice(end.as_flattened());
    }

    /// How many faces, borders, corners and connected border graphs the map has.
    pub fn counts(&self) -> Counts {
        self.structure().counts
    }

    /// Counts what is where it must be: three borders end at each corner, a loop has one of its own, and
    /// `V − E + F = 1 + components` (rules.md 1.7). [`PlanarMap::faults`] counts one by one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Purpose;
    use crate::topology::waterway::WaterwayRule;
    use crate::topology::{atlas, drawn};

    /// What is hashed of the borders, written without a shortcut.
    fn plainly(map: &PlanarMap) -> u64 {
        let at_waterway = map.borders_at_waterways();
        // The names in their order; from there on a face is its rank among them.
        let faces = map.names.sorted();
        let mut text: Vec<u8> = Vec::with_capacity(8 * faces.len() + 4 * map.sides.len());
        for &id in faces {
            text.extend(map.name(id).as_bytes());
            text.push(0);
        }
        let mut sides: Vec<SideId> = Vec::new();
        // The cycles of the face at hand, one behind the other, and where each begins and ends.
        let (mut cycles, mut stretches): (Vec<u8>, Vec<(usize, usize)>) = Default::default();
        for &id in faces {
            cycles.clear();
            stretches.clear();
            for head in map.cycles_of(id) {
                let begin = cycles.len();
                sides.clear();
                sides.extend(map.cycle(head));
                map.turn_to_print(&mut sides);
                for &side in &sides {
                    // The rank of the face across, and whether a waterway ends or crosses there.
                    let waterway = at_waterway[usize::from(side.border().0)];
                    cycles.extend([map.rank(map.across(side)), u8::from(waterway)]);
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

    /// Borders, and loops and corners among them, one by one.
    fn counted(map: &PlanarMap) -> Counts {
        let (_, graphs) = map.border_graphs();
        let sum = |of: fn(&BorderGraph) -> usize| graphs.iter().map(of).sum();
        let (borders, corners) = (sum(|graph| graph.borders), sum(|graph| graph.corners));
        Counts { faces: map.faces.len(), borders, corners, components: graphs.len() }
    }

    #[test]
    fn the_hash_of_borders_is_that_of_their_text_however_they_have_moved() {
        let (mut several, mut looped) = (0, 0);
        for game in 0..60 {
            let mut dice = Stream::keyed(game, Purpose::Custom("hashes"), &[]);
            let mut chart = atlas::standard();
            if game % 2 == 0 {
                chart.set_waterway_rule(WaterwayRule::Isthmuses);
            }
            for step in 0..30 {
                for _ in 0..1 + dice.below(4) {
                    let kind = if dice.below(3) == 0 { dice.below(drawn::KINDS) } else { 5 + dice.below(2) };
                    drawn::change(&mut chart, kind, &mut dice);
                }
                let map = chart.map();
                assert_eq!(map.hash_of_borders(), plainly(map), "game {game}, step {step}");
                assert_eq!(map.count(), counted(map), "game {game}, step {step}");
                several += map.further_cycles.len();
                looped += map.borders().filter(|border| map.flanks(border.sides()[0]).is_none()).count();
            }
        }
        assert!(several > 20 && looped > 20, "islands: {several}, loops: {looped}");
    }
}
