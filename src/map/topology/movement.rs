//! The moves of units as graphs. They are read from the tables of a board and updated from those of the next
//! board, which shows which rows have changed.
//!
//! The node of a province has the province's index. The same node is its first coast for fleets, which is
//! usually the only one; further coasts are numbered after the provinces.

use super::bits::Bits;
use super::board::Board;
use super::graph::Graph;
use crate::ids::{CoastId, Location, MAX_PROVINCES, ProvinceId};

/// The coasts of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shores {
    /// The number of coasts of the land provinces.
    pub coasts: usize,
    /// Provinces with more than one coast.
    pub several: Bits<{ MAX_PROVINCES / 64 }>,
    /// Provinces with a place for a fleet: seas, and land that has a coast.
    afloat: Bits<{ MAX_PROVINCES / 64 }>,
    /// The highest node number in the graph of fleets, plus one.
    pub end: usize,
}

impl Shores {
    /// The coasts of a board.
    pub(super) fn of(board: &Board) -> Shores {
        let (mut places, mut several, mut afloat) = (0, [0; MAX_PROVINCES / 64], [0; MAX_PROVINCES / 64]);
        for ((rows, several), afloat) in board.rows.chunks(64).zip(&mut several).zip(&mut afloat) {
            for (bit, row) in rows.iter().enumerate() {
                places += usize::from(row.coasts);
                *several |= u64::from(row.coasts > 1) << bit;
                *afloat |= u64::from(row.coasts > 0) << bit;
            }
        }
        let [several, afloat] = [several, afloat].map(Bits::of_words);
        let end = board.rows.len() + places - afloat.len();
        Shores { coasts: places - board.sea.len(), several, afloat, end }
    }
}

/// The differences between the graphs of a board and those of the board before.
pub(super) struct Differences<const WORDS: usize> {
    /// Has any row of [`Movement::army`] changed, or its nodes?
    pub army: bool,
    /// Has any row of [`Movement::fleet`] changed, or its nodes?
    pub fleet: bool,
    /// The changed rows of [`Movement::any`].
    pub any: Bits<WORDS>,
}

/// The graphs of a board, with provinces in sets of `WORDS` words and places for fleets in sets of `PLACES`
/// words.
#[derive(Clone)]
pub(super) struct Movement<const WORDS: usize, const PLACES: usize> {
    /// The graph of army moves: land provinces.
    pub army: Graph<WORDS>,
    /// The graph of fleet moves: seas and single coasts.
    pub fleet: Graph<PLACES>,
    /// The graph of moves of units of either kind between provinces.
    pub any: Graph<WORDS>,
    /// The fleet moves of which at least one end is a coast of a province with several.
    by_coast: Graph<PLACES>,
    /// The number of nodes, including unused ones.
    end: usize,
}

impl<const WORDS: usize, const PLACES: usize> Movement<WORDS, PLACES> {
    /// The graphs without nodes.
    pub(super) const EMPTY: Self = Movement {
        army: Graph::EMPTY,
        fleet: Graph::EMPTY,
        any: Graph::EMPTY,
        by_coast: Graph::EMPTY,
        end: 0,
    };

    /// Reads the graphs of a board, which must fit and must not have fewer provinces than the board before.
    /// Returns the differences.
    pub(super) fn read(&mut self, board: &Board, shores: &Shores) -> Differences<WORDS> {
        let Movement { army, fleet, any, by_coast, end } = self;
        link_coasts(by_coast, board, shores);
        let mut army_differs = army.set_rows(&board.rows, |_, row| Bits::of_provinces(&row.army));
        let any_differs = any
            .set_rows(&board.rows, |_, row| Bits::of_provinces(&row.army) | Bits::of_provinces(&row.fleet));
        let several = shores.several.widened();
        let mut fleet_differs = fleet.set_rows(&board.rows, |province, row| {
            let direct = if row.coasts > 1 { Bits::EMPTY } else { Bits::of_provinces(&row.fleet) - several };
            direct | by_coast.row(province)
        });
        for further in board.rows.len()..shores.end.max(*end) {
            let old = std::mem::replace(fleet.row_mut(further), by_coast.row(further));
            fleet_differs |= old.differences(by_coast.row(further));
        }
        *end = shores.end;
        any.nodes = Bits::of_provinces(&board.passable());
        let land = Bits::of_provinces(&board.land);
        army_differs |= std::mem::replace(&mut army.nodes, land).differences(land);
        let places = shores.afloat.widened() | (Bits::below(shores.end) - Bits::below(board.rows.len()));
        fleet_differs |= std::mem::replace(&mut fleet.nodes, places).differences(places);
        Differences { army: !army_differs.is_empty(), fleet: !fleet_differs.is_empty(), any: any_differs }
    }
}

/// Finds the fleet moves of which at least one end is a coast of a province with several.
fn link_coasts<const PLACES: usize>(links: &mut Graph<PLACES>, board: &Board, shores: &Shores) {
    links.nodes.for_each(|node| *links.row_mut(node) = Bits::EMPTY);
    links.nodes = Bits::EMPTY;
    // The node of the second coast of each province.
    let (mut seconds, mut next) = ([0u16; MAX_PROVINCES], board.rows.len() as u16);
    shores.several.for_each(|province| {
        seconds[province] = next;
        next += u16::from(board.rows[province].coasts) - 1;
    });
    let node = |Location { province, coast }| match coast {
        CoastId::FIRST => province.index(),
        CoastId(further) => usize::from(seconds[province.index()]) + usize::from(further) - 1,
    };
    shores.several.for_each(|province| {
        for coast in board.stations_of(ProvinceId(province as u8)) {
            let from = node(coast);
            for to in board.fleet_moves(coast) {
                let to = node(to);
                *links.row_mut(from) |= Bits::single(to);
                *links.row_mut(to) |= Bits::single(from);
                links.nodes |= Bits::single(from) | Bits::single(to);
            }
        }
    });
}
