//! Measures of a graph: pieces, diameter, cut vertices, distances.
//!
//! For each node a row of bits says who its neighbours are, and any other set of nodes is such a row too. A
//! breadth-first search is a front that spreads: the rows of its nodes together, less what was reached before, are the
//! next front. So a search looks at every node once and at no edge.
//!
//! ```text
//!      B───D            A B C D E F
//!     ╱     ╲        A  · B C · · ·       the front of step 1      · B C · · ·
//!    A       F       B  A · · D · ·       row B | row C            A · · D E ·
//!     ╲     ╱        C  A · · · E ·       not yet reached          · · · D E F
//!      C───E         D  · B · · · F       & of both: of step 2     · · · D E ·
//!                    E  · · C · · F
//!                    F  · · · D E ·
//! ```

use super::bits::Bits;

/// As many words as any graph of a map needs. A map of 256 faces, three of which meet at each corner, has no more than
/// 3 · 256 − 6 borders, and so 1524 sides. A place for a fleet is the only one of its province, of which there are 256;
/// or it is one of several coasts, each of which has a wet side, the twin of that in the water, and a dry side before
/// the next coast for itself: of those there are 508.
const WIDEST: usize = (256 + 508_usize).div_ceil(64);

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

/// Measures a graph of so many nodes, numbered from 0, each with these neighbours, in rows of no more words than it
/// needs.
pub(super) fn measure_graph<I: Iterator<Item = usize>>(
    nodes: usize,
    row: impl Fn(usize) -> I,
) -> GraphMetrics {
    fn measure<const WORDS: usize, I: Iterator<Item = usize>>(
        nodes: usize,
        row: impl Fn(usize) -> I,
    ) -> GraphMetrics {
        Graph::<WORDS>::new((0..nodes).collect(), |node| row(node).collect()).metrics()
    }
    match nodes {
        0..=64 => measure::<1, I>(nodes, row),
        65..=128 => measure::<2, I>(nodes, row),
        129..=256 => measure::<4, I>(nodes, row),
        _ => measure::<WIDEST, I>(nodes, row),
    }
}

/// A graph without direction, in rows of so many words.
pub(super) struct Graph<const WORDS: usize> {
    nodes: Bits<WORDS>,
    /// The neighbours of every node, 64 nodes in each part.
    rows: [[Bits<WORDS>; 64]; WORDS],
}

impl<const WORDS: usize> Graph<WORDS> {
    /// The graph of these nodes, each with these neighbours.
    #[inline]
    pub fn new(nodes: Bits<WORDS>, row: impl Fn(usize) -> Bits<WORDS>) -> Self {
        let mut rows = [[Bits::EMPTY; 64]; WORDS];
        nodes.for_each(|node| rows[node / 64][node % 64] = row(node));
        Graph { nodes, rows }
    }

    #[inline]
    fn row(&self, node: usize) -> Bits<WORDS> {
        self.rows[node / 64 % WORDS][node % 64] // no node is beyond the rows, and so nothing need be checked
    }

    /// All measures.
    pub fn metrics(&self) -> GraphMetrics {
        let (mut ends, mut components, mut diameter, mut cut) = (0, 0, 0, Bits::EMPTY);
        self.nodes.for_each(|node| ends += self.row(node).len());
        let mut left = self.nodes;
        while let Some(start) = left.first() {
            components += 1;
            diameter = diameter.max(self.diameter(start));
            cut |= self.cut_vertices(start, &mut left);
        }
        let [edges, components, diameter, cut_vertices] =
            [ends / 2, components, diameter, cut.len()].map(narrow);
        GraphMetrics { edges, components, diameter, cut_vertices }
    }

    /// How many pieces it has.
    pub fn components(&self) -> usize {
        let (mut left, mut components) = (self.nodes, 0);
        while let Some(start) = left.first() {
            components += 1;
            self.fronts(start).for_each(|front| left -= front);
        }
        components
    }

    /// The nodes at each number of steps from one, which is itself the first front.
    #[inline]
    pub fn fronts(&self, start: usize) -> Fronts<'_, WORDS> {
        Fronts { graph: self, start: Bits::single(start), front: Bits::EMPTY, left: self.nodes }
    }

    /// The steps between the two nodes that are furthest apart in the piece of this one.
    ///
    /// A search from every node would tell, but few do. Nodes that are both within `n` steps of a middle are no more
    /// than `2n` apart: so with the middle of some long way, the fronts round it are gone through from the outermost
    /// in, until no two of the nodes that are left can be further apart than two that were found.
    fn diameter(&self, start: usize) -> usize {
        let furthest = |node| self.fronts(node).enumerate().last().unwrap_or((0, Bits::single(node)));
        let end = furthest(start).1.first().unwrap_or(start);
        let (mut found, others) = furthest(end);
        let other = others.first().unwrap_or(end);
        let half = |node, steps| self.fronts(node).nth(steps).unwrap_or(Bits::EMPTY);
        let middle = (half(end, found / 2) & half(other, found.div_ceil(2))).first().unwrap_or(start);
        let mut round = Vec::with_capacity(32);
        round.extend(self.fronts(middle));
        for (steps, front) in round.into_iter().enumerate().rev() {
            if found >= 2 * steps {
                break;
            }
            front.for_each(|node| found = found.max(furthest(node).0));
        }
        found
    }

    /// The nodes that hold the piece of this one together: one search in depth, which takes what it meets from `left`.
    ///
    /// Every edge joins a node with one before it on the way from the start. So one holds the piece together if, of
    /// those first met from it, some have no neighbours with all behind them that are before it on the way; the start,
    /// if it has neighbours that are not met from the first of them.
    fn cut_vertices(&self, start: usize, left: &mut Bits<WORDS>) -> Bits<WORDS> {
        let (mut cut, mut before) = (Bits::EMPTY, Bits::EMPTY);
        let mut way = Vec::with_capacity(left.len());
        // The node at hand, and the neighbours of it and of all behind it that have been there.
        let (mut at, mut around) = (start, self.row(start));
        *left -= Bits::single(start);
        loop {
            if let Some(next) = (self.row(at) & *left).first() {
                *left -= Bits::single(next);
                way.push((at, around, before));
                before |= Bits::single(at);
                (at, around) = (next, self.row(next));
            } else if let Some((back, its, before_it)) = way.pop() {
                let holds = if back == start {
                    self.row(back).intersects(*left)
                } else {
                    !around.intersects(before_it)
                };
                if holds {
                    cut |= Bits::single(back);
                }
                (at, around, before) = (back, around | its, before_it);
            } else {
                return cut;
            }
        }
    }
}

/// A breadth-first search, front by front.
pub(super) struct Fronts<'a, const WORDS: usize> {
    graph: &'a Graph<WORDS>,
    start: Bits<WORDS>,
    /// The last front; at first nothing.
    front: Bits<WORDS>,
    /// What has not been reached.
    left: Bits<WORDS>,
}

impl<const WORDS: usize> Iterator for Fronts<'_, WORDS> {
    type Item = Bits<WORDS>;

    #[inline]
    fn next(&mut self) -> Option<Bits<WORDS>> {
        let mut reached = self.start;
        self.front.for_each(|node| reached |= self.graph.row(node));
        self.front = reached & self.left;
        self.left -= self.front;
        (!self.front.is_empty()).then_some(self.front)
    }
}

/// A count as tables have it: no map comes near the greatest number.
pub(super) fn narrow(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The measures of the graph of these edges between so many nodes.
    fn measured(nodes: u16, edges: &[(u16, u16)]) -> [u16; 4] {
        let row = |node: usize| {
            let others = edges.iter().map(|&(a, b)| [usize::from(a), usize::from(b)]);
            others.filter(move |pair| pair.contains(&node)).map(move |[a, b]| a + b - node)
        };
        let metrics = measure_graph(usize::from(nodes), row);
        let wide = Graph::<WIDEST>::new((0..usize::from(nodes)).collect(), |n| row(n).collect()).metrics();
        assert_eq!(metrics, wide, "as many words as are used, or more");
        let GraphMetrics { edges, components, diameter, cut_vertices } = metrics;
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
