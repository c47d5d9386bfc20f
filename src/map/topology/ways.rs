//! How far every node of a graph is from some of them, kept while the graph changes.
//!
//! A node is one step further from each source than the neighbour that is nearest to that source; a source is no step
//! from itself. Only the true steps are like that. So after a change they are put right where they are not, in two passes,
//! each of which begins at the nodes whose neighbours are others and goes on round the nodes that it has put right:
//!
//! ```text
//!   steps from S       A─B goes, A─D comes      1. raise: a node without a       2. lower: no node has more than
//!                                                  neighbour nearer to S has one    one step more than a neighbour
//!   S─A─B─C─D           S─A  B─C─D                 more than the nearest
//!   0 1 2 3 4             ╰──────╯                 0 1  4 3 4  →  0 1  6 5 4        0 1  4 3 2
//! ```
//!
//! After the first pass no node has too few steps, for it has a neighbour with fewer, which has another, and so on to
//! the source. After the second none has too many, for none has more than one step more than a neighbour. In a piece
//! without the source the first would count up for ever: there the steps are [`NO_WAY`] from the start.
//!
//! The steps of one node from 32 sources are one row of bytes: the processor takes the least of two rows in one
//! instruction.

use super::bits::Bits;
use super::graph::Graph;

/// Steps to a source to which there is no way.
pub(super) const NO_WAY: u8 = u8::MAX;

/// So many sources share a row.
pub(super) const LANES: usize = 32;

/// The steps of a node from each source.
pub(super) type Steps = [u8; LANES];

/// The steps of every node from up to 32 sources.
#[derive(Clone)]
pub(super) struct Ways<const WORDS: usize> {
    /// The nodes that are sources, and which of them each lane has.
    nodes: Bits<WORDS>,
    sources: [Option<u8>; LANES],
    steps: [[Steps; 64]; WORDS],
}

impl<const WORDS: usize> Ways<WORDS> {
    /// Of a graph without nodes, from no source.
    pub const NONE: Self =
        Ways { nodes: Bits::EMPTY, sources: [None; LANES], steps: [[[NO_WAY; LANES]; 64]; WORDS] };

    /// The steps of a node from each source; of lanes that have none, [`NO_WAY`].
    #[inline]
    pub fn steps(&self, node: usize) -> &Steps {
        &self.steps[node / 64 % WORDS][node % 64]
    }

    #[inline]
    fn steps_mut(&mut self, node: usize) -> &mut Steps {
        &mut self.steps[node / 64 % WORDS][node % 64]
    }

    /// The sources, by lane.
    pub fn sources(&self) -> &[Option<u8>; LANES] {
        &self.sources
    }

    /// Makes these steps right for a graph. `wanted` are its sources, of which are taken out those that have a lane;
    /// `changed` are the nodes whose neighbours are others than when the steps were right last, and `pieces` the pieces
    /// of the graph. Returns the nodes whose steps may be others now.
    pub fn follow(
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

    /// Raises the steps of nodes that have no neighbour nearer to a source, until there are none: the first pass. Where
    /// nodes have no new neighbours, none has too many steps either. Returns the nodes that were raised.
    fn raise(&mut self, graph: &Graph<WORDS>, changed: Bits<WORDS>) -> Bits<WORDS> {
        let (mut todo, mut raised) = (changed, Bits::EMPTY);
        while !todo.is_empty() {
            let higher = todo.filter(|node| {
                let mut nearest = [NO_WAY; LANES];
                graph.row(node).for_each(|other| nearest = least(&nearest, self.steps(other)));
                let was = *self.steps(node);
                let now: Steps = std::array::from_fn(|lane| match was[lane] {
                    0 => 0, // A source is no step from itself, and nothing else ever is.
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

    /// Lowers the steps of nodes with a neighbour that is nearer to a source by more than one, beginning round these
    /// nodes: the second pass. Returns the nodes that were lowered.
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

    /// Gives lanes to the sources that are wanted and have none, as far as there are any; lanes of others are free.
    /// Returns the new ones.
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

    /// There is no way from one piece to another. To find that out step by step would take as many steps as can be
    /// counted. Returns the nodes whose steps are others now.
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

/// The fewer of the steps from each source.
#[inline]
fn least(a: &Steps, b: &Steps) -> Steps {
    std::array::from_fn(|lane| a[lane].min(b[lane]))
}

/// Is any step another?
#[inline]
fn differ(a: &Steps, b: &Steps) -> bool {
    (0..LANES).fold(0, |any, lane| any | (a[lane] ^ b[lane])) != 0
}
