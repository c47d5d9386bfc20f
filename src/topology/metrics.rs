//! What is logged of a map: counted once, when it is first wanted, and kept with the map.

use super::board::Board;
use super::chart::Chart;
use super::map::{Counts, FaceKind, FaceState};
use crate::ids::ProvinceSet;

/// The measures of a map and of the movement on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metrics {
    /// Sizes of the underlying map, holes included.
    pub counts: Counts,
    /// Land provinces that can be occupied.
    pub land: usize,
    /// Seas that can be occupied.
    pub sea: usize,
    /// Collapsed faces.
    pub holes: usize,
    /// Void faces.
    pub voids: usize,
    /// Groups of provinces between which no unit can pass, by land or water.
    pub islands: usize,
    /// Pairs of provinces between which an army can walk.
    pub army_edges: usize,
    /// Pairs of places (seas and coasts) between which a fleet can sail.
    pub fleet_edges: usize,
    /// Provinces with more than one coast.
    pub multi_coast: usize,
}

impl Metrics {
    /// Measures a chart and its tables.
    pub fn new(chart: &Chart, board: &Board) -> Metrics {
        let map = chart.map();
        let passable = board.passable();
        let provinces = || map.faces().filter(|(_, face)| face.kind() != FaceKind::Outside);
        let in_state = |state| provinces().filter(|(_, face)| face.state() == state).count();
        Metrics {
            counts: map.counts(),
            land: board.land().len(),
            sea: board.sea().len(),
            holes: in_state(FaceState::Collapsed),
            voids: in_state(FaceState::Void),
            islands: groups(board, passable),
            army_edges: passable.iter().map(|id| board.army_reach(id).len()).sum::<usize>() / 2,
            fleet_edges: board.destinations.len() / 2, // of all places together
            multi_coast: board.land().iter().filter(|&id| board.coasts(id) > 1).count(),
        }
    }
}

fn groups(board: &Board, mut left: ProvinceSet) -> usize {
    let mut groups = 0;
    while let Some(start) = left.first() {
        groups += 1;
        let mut front = ProvinceSet::single(start);
        while !front.is_empty() {
            left -= front;
            let reached = front.iter().fold(ProvinceSet::EMPTY, |reached, id| {
                reached | *board.army_reach(id) | *board.fleet_reach_any(id)
            });
            front = reached & left;
        }
    }
    groups
}
