//! The tables before the last change of the map, as far as the fate of fleets depends on them.

use super::{Board, Was};
use crate::ids::{Location, ProvinceId, ProvinceSet};
use crate::topology::half_edge::HalfEdgeId;

/// A board before a change: its seas and coasts. It is either a whole board that has been kept ([`From`]), or
/// the part that the board of a changed map still knows about the previous state ([`Board::former`]).
#[derive(Clone, Copy, Debug)]
pub struct Former<'a> {
    board: &'a Board,
    sea: &'a ProvinceSet,
    was: &'a [Was],
}

impl<'a> From<&'a Board> for Former<'a> {
    fn from(board: &'a Board) -> Former<'a> {
        Former { board, sea: &board.sea, was: &[] }
    }
}

impl Board {
    /// The board as it was before it last followed the map ([`Board::follow`]); for a board that has never
    /// followed a map, the board itself.
    #[inline]
    pub fn former(&self) -> Former<'_> {
        Former { board: self, sea: &self.sea_before, was: &self.was }
    }

    /// The provinces whose tables, apart from destinations of fleets, were rebuilt when the board last
    /// followed the map.
    pub fn renewed(&self) -> ProvinceSet {
        self.was.iter().map(|was| was.province).collect()
    }
}

impl<'a> Former<'a> {
    /// See [`Board::sea`].
    #[inline]
    pub(crate) fn sea(self) -> &'a ProvinceSet {
        self.sea
    }

    /// See [`Board::coasts`].
    pub fn coasts(self, province: ProvinceId) -> u8 {
        self.stations_of(province).1
    }

    /// See [`Board::contacts`].
    pub(crate) fn contacts(self, coast: Location) -> &'a [HalfEdgeId] {
        let (first, coasts) = self.stations_of(coast.province);
        if coast.coast.0 >= coasts {
            return &[];
        }
        let station = &self.board.stations[usize::from(first) + usize::from(coast.coast.0)];
        station.contacts(&self.board.contacts)
    }

    /// The first station of a province, and the number of its stations.
    fn stations_of(self, province: ProvinceId) -> (u16, u8) {
        match self.was.iter().find(|was| was.province == province) {
            Some(was) => (was.first_station, was.coasts),
            None => {
                let row = self.board.row(province);
                (row.first_station, row.coasts)
            }
        }
    }
}
