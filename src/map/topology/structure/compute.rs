//! Counts the border structure of a map and hashes it.

use std::sync::Arc;

use super::{Counts, Structure};
use crate::topology::map::PlanarMap;

/// The sizes of one connected border graph.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::topology) struct BorderGraph {
    pub corners: usize,
    pub borders: usize,
    pub cycles: usize,
}

impl PlanarMap {
    /// A hash of faces, archipelagos, borders and waterways by name: equal for equal maps, however they were
    /// reached.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Stream};
    use crate::topology::{atlas, drawn};

    /// Counts borders, and loops and corners among them, one by one.
    fn counted(map: &PlanarMap) -> Counts {
        let (_, graphs) = map.border_graphs();
        let sum = |of: fn(&BorderGraph) -> usize| graphs.iter().map(of).sum();
        let (borders, corners) = (sum(|graph| graph.borders), sum(|graph| graph.corners));
        Counts { faces: map.faces.len(), borders, corners, components: graphs.len() }
    }

    #[test]
    fn borders_corners_and_graphs_are_as_many_as_are_found_one_by_one() {
        let mut looped = 0;
        for game in 0..60 {
            let mut dice = Stream::keyed(game, Purpose::Custom("counts"), &[]);
            let mut chart = atlas::standard();
            for step in 0..60 {
                let kind = if dice.below(3) == 0 { dice.below(drawn::KINDS) } else { 5 + dice.below(2) };
                drawn::change(&mut chart, kind, &mut dice);
                let map = chart.map();
                assert_eq!(map.count(), counted(map), "game {game}, step {step}");
                looped += map.borders().filter(|border| map.flanks(border.sides()[0]).is_none()).count();
            }
        }
        assert!(looped > 20, "{looped}");
    }

    #[test]
    fn what_faces_are_made_of_is_added_up_right_however_they_change() {
        let mut islands = 0;
        for game in 0..20 {
            let mut dice = Stream::keyed(game, Purpose::Custom("faces"), &[]);
            let mut chart = atlas::standard();
            for step in 0..60 {
                drawn::change(&mut chart, dice.below(drawn::KINDS), &mut dice);
                let map = chart.map();
                let mut anew = map.clone();
                anew.faces_hashed = Default::default();
                // Earlier queries must not affect the result.
                if dice.below(3) > 0 {
                    assert_eq!(map.hash_of_faces(), anew.hash_of_faces(), "game {game}, step {step}");
                }
                islands += map.archipelagos().len();
            }
        }
        assert!(islands > 20, "{islands}");
    }
}
