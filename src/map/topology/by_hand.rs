//! Boards that no map could produce: tables written by hand, for tests of rules.

use std::collections::BTreeMap;

use super::board::{Board, Row, Station};
use crate::ids::{ByProvince, CoastId, Location, MAX_PROVINCES, ProvinceSet};

/// The content of a board. The tables need not belong to any map, nor need they be symmetric.
#[derive(Clone, Debug)]
pub struct ByHand {
    /// The land provinces.
    pub land: ProvinceSet,
    /// The seas.
    pub sea: ProvinceSet,
    /// See [`Board::army_reach`].
    pub army: ByProvince<ProvinceSet>,
    /// See [`Board::seas_next_to`].
    pub seas_next_to: ByProvince<ProvinceSet>,
    /// See [`Board::coasts`].
    pub coasts: ByProvince<u8>,
    /// See [`Board::fleet_moves`].
    pub moves: BTreeMap<Location, Vec<Location>>,
}

impl Board {
    /// The board with these tables. Its coasts have no contacts.
    pub fn by_hand(ByHand { land, sea, army, seas_next_to, coasts, moves }: ByHand) -> Board {
        let mut board = Board::empty(MAX_PROVINCES);
        board.rows.resize(MAX_PROVINCES, Row::NOTHING);
        (board.land, board.sea) = (land, sea);
        board.several = board.passable();
        for province in land | sea {
            let row = &mut board.rows[province.index()];
            (row.army, row.seas_next_to) = (army[province], seas_next_to[province]);
            row.coasts = coasts[province];
            if coasts[province] > 0 {
                row.first_station = board.stations.len() as u16;
            }
            if coasts[province] > 0 {
                board.harbours.insert(province);
            }
            for coast in 0..coasts[province] {
                let at = Location { province, coast: CoastId(coast) };
                let mut to = moves.get(&at).cloned().unwrap_or_default();
                to.sort();
                let begin = board.destinations.len() as u32;
                let mut station = Station::new(at, (0, 0));
                station.reach = to.iter().map(|l| l.province).collect();
                row.fleet |= station.reach;
                board.destinations.extend(to);
                station.coasts = (begin, board.destinations.len() as u32);
                board.stations.push(station);
            }
        }
        board
    }
}
