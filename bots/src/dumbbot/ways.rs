//! Adjacency for armies and for fleets, as graphs that are built once for each map and shared by all bots
//! that play on it ([`upheaval_engine::rules::map_tables::MapTables::kept`]).

use upheaval_engine::ids::{ByProvince, Location, ProvinceId, ProvinceSet};
use upheaval_engine::topology::Board;

use super::graph::{AdjacencyGraph, MOST, Numbered};

/// Provinces as places of a graph.
#[derive(Debug)]
pub(super) struct Walks {
    pub graph: AdjacencyGraph,
    /// The numbers of the provinces; undefined for provinces that are not in the graph.
    pub numbers: ByProvince<u8>,
    pub members: ProvinceSet,
}

impl Walks {
    fn new(members: ProvinceSet, near: impl Fn(ProvinceId) -> ProvinceSet) -> Walks {
        let mut all = Vec::with_capacity(members.len());
        all.extend(members.iter().map(|at| (at, near(at) & members)));
        let degrees: Vec<u8> = all.iter().map(|(_, near)| near.len() as u8).collect();
        let numbered = Numbered::by_degree(&degrees).expect("there are no more provinces than places");
        let mut numbers = ByProvince::filled(0);
        for ((at, _), &number) in all.iter().zip(&numbered.numbers) {
            numbers[*at] = number;
        }
        let graph = AdjacencyGraph::new(numbered, |place, near| {
            near.extend(all[place].1.iter().map(|to| numbers[to]))
        });
        Walks { graph, numbers, members }
    }
}

/// The moves of armies by land.
#[derive(Debug)]
pub(super) struct OnFoot(pub Walks);

impl From<&Board> for OnFoot {
    fn from(board: &Board) -> Self {
        OnFoot(Walks::new(*board.land(), |at| *board.army_reach(at) - ProvinceSet::single(at)))
    }
}

/// The moves of armies by land and, where they board fleets, aboard from sea to sea.
#[derive(Debug)]
pub(super) struct Aboard(pub Walks);

impl From<&Board> for Aboard {
    fn from(board: &Board) -> Self {
        Aboard(Walks::new(board.passable(), |at| next_to_aboard(board, at)))
    }
}

/// The provinces that an army reaches from a province in one step, by land or aboard fleets.
pub(super) fn next_to_aboard(board: &Board, at: ProvinceId) -> ProvinceSet {
    let ashore = if board.sea().contains(at) { *board.fleet_reach_any(at) } else { ProvinceSet::EMPTY };
    *board.army_reach(at) | *board.seas_next_to(at) | ashore
}

/// The places for fleets. The coasts of one province count as one neighbour, of which the best counts: the graph has
/// the first of them as a neighbour, and `others` lists the places next to further coasts.
#[derive(Debug)]
pub(super) struct Sails {
    pub graph: AdjacencyGraph,
    /// The number of a province's first coast in `numbers`, and the number of its coasts.
    coasts: ByProvince<(u16, u8)>,
    numbers: Vec<u8>,
    /// A place, followed by the numbers of the first coast and another coast of a province next to it; those that differ
    /// only in the other coast are adjacent.
    pub others: Vec<[u8; 3]>,
    /// The largest number of places next to a place, counting all coasts.
    pub most_moves: usize,
}

/// The places for fleets if they fit into a graph.
#[derive(Debug)]
pub(super) struct Afloat(pub Option<Sails>);

impl From<&Board> for Afloat {
    fn from(board: &Board) -> Self {
        Afloat(Sails::new(board))
    }
}

impl Sails {
    fn new(board: &Board) -> Option<Sails> {
        let mut coasts = ByProvince::filled((0u16, 0u8));
        let mut all: Vec<Location> = Vec::with_capacity(MOST);
        for province in board.passable() {
            coasts[province] = (all.len() as u16, board.coasts(province));
            all.extend(board.stations_of(province));
        }
        let degrees: Vec<u8> = all.iter().map(|&at| board.fleet_reach(at).len() as u8).collect();
        let numbered = Numbered::by_degree(&degrees)?;
        let numbers = numbered.numbers.clone();
        let number = |at: Location| numbers[usize::from(coasts[at.province].0) + usize::from(at.coast.0)];
        let (mut others, mut most_moves) = (Vec::new(), 0);
        let graph = AdjacencyGraph::new(numbered, |place, near| {
            let moves = board.fleet_moves(all[place]);
            most_moves = moves.len().max(most_moves);
            let mut first: Option<(ProvinceId, u8)> = None;
            for to in moves {
                let this = number(to);
                match first {
                    Some((province, first)) if province == to.province => {
                        others.push([numbers[place], first, this]);
                    }
                    _ => {
                        near.push(this);
                        first = Some((to.province, this));
                    }
                }
            }
        });
        Some(Sails { graph, coasts, numbers, others, most_moves })
    }

    /// The number of a place; `None` for a fleet without a place.
    #[inline]
    pub(super) fn number(&self, at: Location) -> Option<u8> {
        let (first, coasts) = self.coasts[at.province];
        (at.coast.0 < coasts).then(|| self.numbers[usize::from(first) + usize::from(at.coast.0)])
    }

    /// The numbers of a province's coasts.
    #[inline]
    pub(super) fn numbers(&self, province: ProvinceId) -> &[u8] {
        let (first, coasts) = self.coasts[province];
        &self.numbers[usize::from(first)..][..usize::from(coasts)]
    }
}
