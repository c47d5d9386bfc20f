//! The distances of every node of a graph from some source nodes, kept up to date while the graph changes.
//!
//! The distance of a node from a source is one more than that of its neighbour nearest to the source; a
//! source has distance 0 from itself. Only the true distances satisfy this. After a change, wrong distances
//! are therefore corrected in two passes, each of which starts at the nodes whose neighbours changed and
//! spreads from every node that it corrects:
//!
//! ```text
//!   steps from S       A─B goes, A─D comes      1. raise: a node without a       2. lower: no node has more than
//!                                                  neighbour nearer to S has one    one step more than a neighbour
//!   S─A─B─C─D           S─A  B─C─D                 more than the nearest
//!   0 1 2 3 4             ╰──────╯                 0 1  4 3 4  →  0 1  6 5 4        0 1  4 3 2
//! ```
//!
//! After the first pass no distance is too small, because each node has a neighbour with a smaller one, which
//! has another, and so on to the source. After the second pass no distance is too large, because none exceeds
//! a neighbour's by more than one. In a component without the source the first pass would count up forever:
//! there the distances are set to [`NO_WAY`] beforehand.
//!
//! The distances of one node from 32 sources form one row of bytes: the processor computes the minimum of two
//! rows in one instruction.

use super::bits::Bits;
use super::graph::Graph;

/// The distance from a source that cannot be reached.
pub(super) const NO_WAY: u8 = u8::MAX;

/// The number of sources that share a row.
pub(super) const LANES: usize = 32;

/// The distances of a node from each source.
pub(super) type Steps = [u8; LANES];

/// The distances of every node from up to 32 sources.
#[derive(Clone)]
pub(super) struct Ways<const WORDS: usize> {
    /// The nodes that are sources, and the source of each lane.
    nodes: Bits<WORDS>,
    sources: [Option<u8>; LANES],
    steps: [[Steps; 64]; WORDS],
}

impl<const WORDS: usize> Ways<WORDS> {
    /// For a graph without nodes, with no source.
    pub(super) const NONE: Self =
        Ways { nodes: Bits::EMPTY, sources: [None; LANES], steps: [[[NO_WAY; LANES]; 64]; WORDS] };

    /// The distances of a node from each source; [`NO_WAY`] for unused lanes.
    #[inline]
    pub(super) fn steps(&self, node: usize) -> &Steps {
        &self.steps[node / 64 % WORDS][node % 64]
    }

    #[inline]
    fn steps_mut(&mut self, node: usize) -> &mut Steps {
        &mut self.steps[node / 64 % WORDS][node % 64]
    }

    /// The sources, by lane.
    pub(super) fn sources(&self) -> &[Option<u8>; LANES] {
        &self.sources
    }

    /// Updates the distances for a changed graph. `wanted` are its sources; those that are given a lane are
    /// removed from it. `changed` are the nodes whose neighbours have changed since the last update, and
    /// `pieces` are the components of the graph. Returns the nodes whose distances may have changed.
    pub(super) fn follow(
        &mut self,
        graph: &Graph<WORDS>,
        changed: Bits<WORDS>,
        pieces: &[Bits<WORDS>],
        wanted: &mut Bits<WORDS>,
    ) -> Bits<WORDS> {
        let begun = self.change_sources(wanted);
        let parted = if pieces.len() > 1 { self.part(pieces) } else { Bits::EMPTY };
        let raised = self.raise(graph, changed);
        let lowered = self.lower(graph, changed | begun);
        begun | parted | raised | lowered
    }

    /// The first pass: raises the distances of nodes that have no neighbour nearer to a source, until there
    /// are none. Nodes that gained no neighbours cannot have too large a distance afterwards. Returns the
    /// nodes that were raised.
    fn raise(&mut self, graph: &Graph<WORDS>, changed: Bits<WORDS>) -> Bits<WORDS> {
        let (mut todo, mut raised) = (changed, Bits::EMPTY);
        while !todo.is_empty() {
            let higher = todo.filter(|node| {
                let mut nearest = [NO_WAY; LANES];
                graph.row(node).for_each(|other| nearest = least(&nearest, self.steps(other)));
                let was = *self.steps(node);
                let now: Steps = std::array::from_fn(|lane| match was[lane] {
                    0 => 0, // A source has distance 0 from itself, and no other node has.
                    was => was.max(nearest[lane].saturating_add(1)),
                });
                *self.steps_mut(node) = now;
                differ(&was, &now)
            });
            raised |= higher;
            todo = graph.around(higher);
        }
        raised
    }

    /// The second pass: lowers the distances of nodes with a neighbour that is nearer to a source by more
    /// than one, beginning around these nodes. Returns the nodes that were lowered.
    fn lower(&mut self, graph: &Graph<WORDS>, begin: Bits<WORDS>) -> Bits<WORDS> {
        let (mut todo, mut lowered) = (begin, Bits::EMPTY);
        while !todo.is_empty() {
            let mut next = Bits::EMPTY;
            todo.for_each(|node| {
                let by_it = self.steps(node).map(|steps| steps.saturating_add(1));
                next |= graph.row(node).filter(|other| {
                    let was = *self.steps(other);
                    let now = least(&was, &by_it);
                    *self.steps_mut(other) = now;
                    differ(&was, &now)
                });
            });
            lowered |= next;
            todo = next;
        }
        lowered
    }

    /// Assigns lanes to wanted sources that have none, as long as lanes are available; lanes of unwanted
    /// sources are available. Returns the new sources.
    fn change_sources(&mut self, wanted: &mut Bits<WORDS>) -> Bits<WORDS> {
        if (self.nodes - *wanted).is_empty() && (*wanted - self.nodes).is_empty() {
            *wanted = Bits::EMPTY;
            return Bits::EMPTY;
        }
        let mut cleared = [0; LANES];
        for (source, cleared) in self.sources.iter_mut().zip(&mut cleared) {
            match *source {
                Some(node) if wanted.contains(usize::from(node)) => {
                    *wanted -= Bits::single(usize::from(node))
                }
                Some(_) => (*source, *cleared) = (None, NO_WAY),
                None => {}
            }
        }
        if cleared != [0; LANES] {
            for steps in self.steps.as_flattened_mut() {
                steps.iter_mut().zip(cleared).for_each(|(steps, cleared)| *steps |= cleared);
            }
        }
        self.nodes = self.sources.iter().flatten().map(|&node| usize::from(node)).collect();
        let mut begun = Bits::EMPTY;
        for lane in 0..LANES {
            if self.sources[lane].is_none()
                && let Some(node) = wanted.first()
            {
                *wanted -= Bits::single(node);
                self.sources[lane] = Some(node as u8);
                self.nodes |= Bits::single(node);
                self.steps_mut(node)[lane] = 0;
                begun |= Bits::single(node);
            }
        }
        begun
    }

    /// Marks other components as unreachable. Finding that out step by step would take as many steps as can
    /// be counted. Returns the nodes whose distances have changed.
    fn part(&mut self, pieces: &[Bits<WORDS>]) -> Bits<WORDS> {
        let mut parted = Bits::EMPTY;
        for piece in pieces {
            let apart = self.sources.map(|source| match source {
                Some(node) if piece.contains(usize::from(node)) => 0,
                _ => NO_WAY,
            });
            parted |= piece.filter(|node| {
                let was = *self.steps(node);
                let now = std::array::from_fn(|lane| was[lane] | apart[lane]);
                *self.steps_mut(node) = now;
                differ(&was, &now)
            });
        }
        parted
    }
}

/// The elementwise minimum of the distances.
#[inline]
fn least(a: &Steps, b: &Steps) -> Steps {
    std::array::from_fn(|lane| a[lane].min(b[lane]))
}

/// Do any distances differ?
#[inline]
fn differ(a: &Steps, b: &Steps) -> bool {
    (0..LANES).fold(0, |any, lane| any | (a[lane] ^ b[lane])) != 0
}
