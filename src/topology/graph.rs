//! Measures of a graph: pieces, diameter, cut vertices, distances.
//!
//! Distances from many nodes at once: each node has a set of bits, one for each source that has reached it. A step is
//! one pass over all edges, in which every node takes over what its neighbours have; so a word carries 64 breadth-first
//! searches.

/// The most nodes: a map of 256 faces, of which three meet at each corner, has at most 3 · 256 − 6 borders, and no more
/// coasts than sides of borders.
const MOST_NODES: usize = 2048;

/// A graph without direction whose nodes are numbers from 0.
#[derive(Debug)]
pub(super) struct Graph {
    /// Where the neighbours of each node begin in `ends`; those of the last end with it.
    starts: Vec<u32>,
    /// The neighbours of all nodes, node by node. Each edge is there twice.
    ends: Vec<u16>,
}

/// The measures of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphMetrics {
    /// How many edges it has.
    pub edges: u16,
    /// The pieces: groups of nodes with no way from one to another.
    pub components: u16,
    /// The steps between the two nodes that are furthest apart, of all that are in one piece.
    pub diameter: u16,
    /// Nodes without which their piece would be several.
    pub cut_vertices: u16,
}

/// What a search in depth keeps of a node.
#[derive(Clone, Copy)]
struct Visit {
    /// When it was first seen, from 1; 0: not yet.
    order: u16,
    /// The earliest node that can be reached from it and those behind it by one edge back.
    low: u16,
    /// From where it was first seen.
    parent: u16,
    /// How many of its neighbours have been looked at.
    looked: u16,
    is_cut: bool,
}

impl Graph {
    /// A graph with room for so many nodes and ends of edges.
    pub fn with_capacity(nodes: usize, ends: usize) -> Graph {
        Graph { starts: Vec::with_capacity(nodes), ends: Vec::with_capacity(ends) }
    }

    /// Adds the next node with all its neighbours, those that are still to come among them.
    pub fn push(&mut self, neighbours: impl Iterator<Item = u16>) {
        self.starts.push(self.ends.len() as u32);
        self.ends.extend(neighbours);
    }

    fn nodes(&self) -> usize {
        self.starts.len()
    }

    #[inline]
    fn neighbours(&self, node: usize) -> &[u16] {
        let end = self.starts.get(node + 1).map_or(self.ends.len(), |&end| end as usize);
        &self.ends[self.starts[node] as usize..end]
    }

    /// All measures.
    pub fn metrics(&self) -> GraphMetrics {
        let (components, cut_vertices) = self.components_and_cut_vertices();
        let (edges, diameter) = (narrow(self.ends.len() / 2), narrow(self.diameter()));
        GraphMetrics { edges, components: narrow(components), diameter, cut_vertices: narrow(cut_vertices) }
    }

    /// How many pieces there are, and how many nodes hold a piece together: one search in depth of each piece.
    ///
    /// A node does so if, of those that were first seen from it, one can reach nothing earlier but through it; the node
    /// where the search began, if more than one was first seen from it.
    fn components_and_cut_vertices(&self) -> (usize, usize) {
        const NONE: u16 = u16::MAX;
        let new = Visit { order: 0, low: 0, parent: NONE, looked: 0, is_cut: false };
        let mut visits = vec![new; self.nodes()];
        let (mut components, mut seen) = (0, 0);
        for root in 0..self.nodes() {
            if visits[root].order != 0 {
                continue;
            }
            components += 1;
            seen += 1;
            (visits[root].order, visits[root].low) = (seen, seen);
            let (mut at, mut first_seen_from_root) = (root, 0);
            loop {
                let visit = &mut visits[at];
                if let Some(&to) = self.neighbours(at).get(usize::from(visit.looked)) {
                    visit.looked += 1;
                    let to = usize::from(to);
                    if visits[to].order == 0 {
                        seen += 1;
                        visits[to] = Visit { order: seen, low: seen, parent: at as u16, ..new };
                        first_seen_from_root += usize::from(at == root);
                        at = to;
                    } else {
                        visits[at].low = visits[at].low.min(visits[to].order);
                    }
                } else {
                    let Visit { low, parent, .. } = *visit;
                    if parent == NONE {
                        visit.is_cut = first_seen_from_root > 1;
                        break;
                    }
                    at = usize::from(parent);
                    let before = &mut visits[at];
                    before.low = before.low.min(low);
                    before.is_cut |= low >= before.order;
                }
            }
        }
        (components, visits.iter().filter(|visit| visit.is_cut).count())
    }

    /// The steps between the two nodes that are furthest apart, of all that are in one piece.
    fn diameter(&self) -> usize {
        match self.nodes() {
            0..=64 => self.diameter_by::<1, 64>(),
            65..=256 => self.diameter_by::<2, 256>(),
            _ => self.diameter_by::<2, MOST_NODES>(),
        }
    }

    /// The same with so many words of sources at a time.
    fn diameter_by<const WORDS: usize, const NODES: usize>(&self) -> usize {
        let at_once = 64 * WORDS;
        let mut diameter = 0;
        for first in (0..self.nodes()).step_by(at_once) {
            let start = |node: usize| {
                let source = node.wrapping_sub(first);
                std::array::from_fn(|word| {
                    if source / 64 == word && source < at_once { 1 << (source % 64) } else { 0 }
                })
            };
            self.flood::<WORDS, NODES>(start, |_, step, _| diameter = diameter.max(step));
        }
        diameter
    }

    /// Lets what each node has at the start spread over the edges, step by step, and says which node gets what in which
    /// step for the first time. There may be so many nodes, a power of two: so no place in the table has to be checked.
    #[inline]
    pub fn flood<const WORDS: usize, const NODES: usize>(
        &self,
        start: impl Fn(usize) -> [u64; WORDS],
        mut reached: impl FnMut(usize, usize, [u64; WORDS]),
    ) {
        debug_assert!(NODES.is_power_of_two() && self.nodes() <= NODES);
        let mut before = [[0; WORDS]; NODES];
        before.iter_mut().zip(0..self.nodes()).for_each(|(before, node)| *before = start(node));
        let mut after = before;
        for step in 1.. {
            let mut has_changed = false;
            for node in 0..self.nodes() {
                let had = before[node % NODES];
                let mut all = had;
                for &neighbour in self.neighbours(node) {
                    let theirs = &before[usize::from(neighbour) % NODES];
                    all.iter_mut().zip(theirs).for_each(|(all, theirs)| *all |= theirs);
                }
                after[node % NODES] = all;
                if all != had {
                    has_changed = true;
                    reached(node, step, std::array::from_fn(|word| all[word] & !had[word]));
                }
            }
            if !has_changed {
                return;
            }
            before = after;
        }
    }
}

/// A count as tables have it: no map comes near the greatest number.
pub(super) fn narrow(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The graph of these edges between so many nodes.
    fn graph(nodes: u16, edges: &[(u16, u16)]) -> Graph {
        let mut graph = Graph::with_capacity(0, 0);
        for node in 0..nodes {
            let other = |&(a, b): &(u16, u16)| match node {
                _ if a == node => Some(b),
                _ if b == node => Some(a),
                _ => None,
            };
            graph.push(edges.iter().filter_map(other));
        }
        graph
    }

    fn measured(nodes: u16, edges: &[(u16, u16)]) -> [u16; 4] {
        let GraphMetrics { edges, components, diameter, cut_vertices } = graph(nodes, edges).metrics();
        [edges, components, diameter, cut_vertices]
    }

    #[test]
    fn shapes_whose_measures_are_plain_to_see() {
        assert_eq!(measured(0, &[]), [0, 0, 0, 0]);
        assert_eq!(measured(3, &[]), [0, 3, 0, 0], "nodes alone are pieces without width");
        assert_eq!(measured(2, &[(0, 1)]), [1, 1, 1, 0]);
        // Two triangles that share a node, and a pair besides.
        let bow_tie = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (5, 6)];
        assert_eq!(measured(7, &bow_tie), [7, 2, 2, 1]);
        // The same begun at the node that is shared.
        let begun_there = bow_tie.map(|(a, b)| ((a + 5) % 7, (b + 5) % 7));
        assert_eq!(measured(7, &begun_there), [7, 2, 2, 1]);
    }

    #[test]
    fn chains_and_rings_of_every_length_up_to_several_words() {
        for n in [3, 63, 64, 65, 127, 128, 129, 300] {
            let chain: Vec<(u16, u16)> = (1..n).map(|i| (i - 1, i)).collect();
            assert_eq!(measured(n, &chain), [n - 1, 1, n - 1, n - 2], "{n}");
            let ring: Vec<(u16, u16)> = chain.iter().copied().chain([(n - 1, 0)]).collect();
            assert_eq!(measured(n, &ring), [n, 1, n / 2, 0], "{n}");
        }
    }
}
