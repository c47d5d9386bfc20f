//! Checks all invariants of the planar map (rules.md 1.7), for tests and for maps from files.

use super::half_edge::BorderId;
use super::map::PlanarMap;
use super::structure::Counts;
use super::structure::compute::BorderGraph;
use crate::ids::MAX_PROVINCES;

impl PlanarMap {
    /// Checks planarity. Each border graph must be planar on its own, and the graphs must be connected
    /// through the faces they share, without a ring; sums over the whole map alone could hide two faults that
    /// cancel.
    fn planarity_faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let (graph_of, mut graphs) = self.border_graphs();
        // Border graphs that share a face are connected.
        let mut group: Vec<usize> = (0..self.faces.len()).collect();
        for (id, _) in self.faces() {
            for head in self.cycles_of(id) {
                graphs[graph_of[head.index()] as usize].cycles += 1;
                for side in self.cycle(head) {
                    let (x, y) = (group[id.index()], group[self.across(side).index()]);
                    group.iter_mut().filter(|g| **g == y).for_each(|g| *g = x);
                }
            }
        }
        for &BorderGraph { corners, borders, cycles } in &graphs {
            if corners + cycles != borders + 2 {
                faults.push(format!(
                    "not planar: a border graph of {corners} corners, {borders} borders and {cycles} boundary \
                     cycles, where {corners} − {borders} + {cycles} should be 2"
                ));
            }
        }
        let mut groups: Vec<usize> = self.faces().map(|(id, _)| group[id.index()]).collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() > 1 {
            faults.push(format!("the map falls into {} maps without a border between them", groups.len()));
        }
        let (faces, components) = (self.faces.len(), graphs.len());
        let corners: usize = graphs.iter().map(|graph| graph.corners).sum();
        let borders: usize = graphs.iter().map(|graph| graph.borders).sum();
        if corners + faces != borders + 1 + components {
            faults.push(format!(
                "not planar: {corners} corners − {borders} borders + {faces} faces is not 1 + {components} \
                 connected border graphs"
            ));
        }
        let counts = self.counts();
        if faults.is_empty() && counts != (Counts { faces, borders, corners, components }) {
            faults.push(format!("{counts:?} is not {corners} corners, {borders} borders, {faces} faces"));
        }
        faults
    }

    /// Checks the invariants of rules.md 1.7 and of the structure itself; returns every fault found.
    ///
    /// Every border has exactly two half-edges that belong to two different faces, the boundary cycles
    /// partition the half-edges, every corner joins three faces (a loop's corner joins two), the counts of
    /// faces and borders satisfy `V − E + F = 1 + components`, each connected border graph is planar on its
    /// own, all faces are connected, and no name occurs twice.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.faces.len() > MAX_PROVINCES {
            faults.push(format!("{} faces, at most {MAX_PROVINCES} are possible", self.faces.len()));
        }
        let mut reached = vec![0u32; self.sides.len()];
        for (id, face) in self.faces() {
            if self.cycles_of(id).next().is_none() {
                faults.push(format!("{} has no boundary", face.name()));
            }
            for head in self.cycles_of(id) {
                let mut at = head;
                for _ in 0..=self.sides.len() {
                    let Some(side) = self.sides.get(at.index()).copied().flatten() else {
                        faults.push(format!(
                            "the cycle of {} leads to a half-edge that does not exist",
                            face.name()
                        ));
                        break;
                    };
                    reached[at.index()] += 1;
                    if side.face != id {
                        faults.push(format!(
                            "a half-edge on the cycle of {} belongs to another face",
                            face.name()
                        ));
                    }
                    match self.sides.get(side.next.index()).copied().flatten() {
                        Some(next) if next.prev == at => {}
                        _ => faults.push(format!("next and prev disagree on the cycle of {}", face.name())),
                    }
                    at = side.next;
                    if at == head {
                        break;
                    }
                }
            }
        }
        for (i, pair) in self.sides.chunks(2).enumerate() {
            match pair {
                [Some(a), Some(b)] if a.face == b.face => {
                    faults.push(format!("border {i} has {} on both sides", self.name(a.face)));
                }
                [Some(_), Some(_)] | [None, None] => {}
                _ => faults.push(format!("border {i} has only one half-edge")),
            }
        }
        for (i, side) in self.sides.iter().enumerate() {
            let expected = u32::from(side.is_some());
            if reached[i] != expected {
                faults.push(format!("half-edge {i} lies on {} cycles instead of {expected}", reached[i]));
            }
        }
        let mut names: Vec<&str> = self.faces().map(|(_, face)| face.name()).collect();
        names.sort_unstable();
        for pair in names.windows(2).filter(|pair| pair[0] == pair[1]) {
            faults.push(format!("the name {} occurs twice", pair[0]));
        }
        if !faults.is_empty() {
            return faults; // the following checks walk the structure and need it to be sound
        }
        for side in self.borders().flat_map(BorderId::sides) {
            let degree = std::iter::successors(Some(side), |&at| {
                let on = self.next(at.twin());
                (on != side).then_some(on)
            })
            .count();
            let wanted = if self.next(side) == side { 2 } else { 3 };
            if degree != wanted {
                let (a, b) = (self.name(self.owner(side)), self.name(self.across(side)));
                faults.push(format!(
                    "a corner of the border {a}/{b} joins {degree} borders instead of {wanted}"
                ));
            }
        }
        faults.extend(self.planarity_faults());
        faults
    }
}
