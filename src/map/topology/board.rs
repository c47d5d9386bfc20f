//! The flat tables that the rules read: who may move where. Compiled from the planar map by
//! [`super::derive`], never written by hand, and kept until the map changes.

use std::ops::Range;

use super::half_edge::SideId;
use crate::ids::{CoastId, Location, ProvinceId, ProvinceSet};

/// A *station* is a place where a fleet can be: a sea, or one coast of a land province. Stations are numbered
/// through the whole board, province by province, so that a fleet's moves are one slice of one table.
///
/// Station 0 is nowhere: no province has it, and nothing can be reached from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    /// The province and coast it stands for.
    pub at: Location,
    /// Provinces a fleet here can move to, whatever their coast.
    pub reach: ProvinceSet,
    /// Where this station's destinations begin and end in [`Board::destinations`].
    pub moves: (u32, u32),
    /// Where the sides that make up this coast begin and end in [`Board::contacts`]; nothing for a sea.
    pub contacts: (u32, u32),
}

/// What the tables hold of one province.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// See [`Board::army_reach`].
    pub army: ProvinceSet,
    /// See [`Board::fleet_reach_any`].
    pub fleet: ProvinceSet,
    /// See [`Board::seas_next_to`].
    pub seas_next_to: ProvinceSet,
    /// The number of its first station.
    pub first_station: u16,
    /// How many stations it has.
    pub coasts: u8,
}

/// Adjacency and coasts of a whole map, as tables.
///
/// Only provinces that are open (neither collapsed nor void) and passable appear in it.
#[derive(Clone, Debug)]
pub struct Board {
    pub(crate) land: ProvinceSet,
    pub(crate) sea: ProvinceSet,
    /// By province index, as far as the map has faces; see [`Board::row`].
    pub(crate) rows: Vec<Row>,
    pub(crate) stations: Vec<Station>,
    pub(crate) destinations: Vec<Location>,
    pub(crate) contacts: Vec<SideId>,
}

impl Board {
    /// What the tables hold of a province: nothing for an index beyond the map.
    #[inline]
    fn row(&self, id: ProvinceId) -> &Row {
        self.rows.get(id.index()).unwrap_or(&Row::NOTHING)
    }

    /// The land provinces a unit can stand in.
    #[inline]
    pub fn land(&self) -> &ProvinceSet {
        &self.land
    }

    /// The seas.
    #[inline]
    pub fn sea(&self) -> &ProvinceSet {
        &self.sea
    }

    /// All provinces a unit can stand in.
    #[inline]
    pub fn passable(&self) -> ProvinceSet {
        self.land | self.sea
    }

    /// The land provinces next to a land province (rules.md 1.2); empty for a sea.
    #[inline]
    pub fn army_reach(&self, from: ProvinceId) -> &ProvinceSet {
        &self.row(from).army
    }

    /// The provinces a fleet at this coast or sea can move to, whatever the coast it lands on (rules.md 1.2);
    /// empty for a province without a coast (a trapped fleet).
    #[inline]
    pub fn fleet_reach(&self, from: Location) -> &ProvinceSet {
        &self.stations[self.station(from)].reach
    }

    /// The provinces a fleet could move to from one or another coast of this province.
    #[inline]
    pub fn fleet_reach_any(&self, from: ProvinceId) -> &ProvinceSet {
        &self.row(from).fleet
    }

    /// The exact destinations of a fleet at this coast or sea, sorted by province, then coast.
    #[inline]
    pub fn fleet_moves(&self, from: Location) -> &[Location] {
        let (begin, end) = self.stations[self.station(from)].moves;
        &self.destinations[begin as usize..end as usize]
    }

    /// May a fleet move from the one place to the other, coasts and all?
    #[inline]
    pub fn fleet_can_move(&self, from: Location, to: Location) -> bool {
        self.fleet_reach(from).contains(to.province) && self.fleet_moves(from).contains(&to)
    }

    /// The seas in contact with a province: for land, those from which a fleet can convoy an army out of it or
    /// into it; for a sea, the neighbouring seas.
    #[inline]
    pub fn seas_next_to(&self, province: ProvinceId) -> &ProvinceSet {
        &self.row(province).seas_next_to
    }

    /// How many places for a fleet the province has: 1 for a sea, the number of coasts for land, 0 inland.
    #[inline]
    pub fn coasts(&self, province: ProvinceId) -> u8 {
        self.row(province).coasts
    }

    /// The places for a fleet in the province.
    pub fn stations_of(&self, province: ProvinceId) -> impl Iterator<Item = Location> + use<> {
        (0..self.coasts(province)).map(move |coast| Location { province, coast: CoastId(coast) })
    }

    /// The sides of the province that make up this coast: its sea contacts, or all the sides of an archipelago.
    /// Nothing for a sea.
    pub fn contacts(&self, coast: Location) -> &[SideId] {
        let (begin, end) = self.stations[self.station(coast)].contacts;
        &self.contacts[begin as usize..end as usize]
    }

    /// The number of this place in [`Board::stations`]; 0, from where nothing can be reached, for a place that
    /// is not on the board (a trapped fleet's, or rubbish).
    #[inline]
    pub(crate) fn station(&self, at: Location) -> usize {
        let row = self.row(at.province);
        if at.coast.0 < row.coasts { row.first_station as usize + at.coast.0 as usize } else { 0 }
    }
}

impl Row {
    pub(crate) const NOTHING: Row = Row {
        army: ProvinceSet::EMPTY,
        fleet: ProvinceSet::EMPTY,
        seas_next_to: ProvinceSet::EMPTY,
        first_station: 0,
        coasts: 0,
    };

    /// The numbers of its stations.
    #[inline]
    pub(crate) fn stations(&self) -> Range<usize> {
        let first = usize::from(self.first_station);
        first..first + usize::from(self.coasts)
    }
}

impl Station {
    pub(crate) const NOWHERE: Station =
        Station::new(Location { province: ProvinceId(0), coast: CoastId::FIRST }, (0, 0));

    pub(crate) const fn new(at: Location, contacts: (u32, u32)) -> Station {
        Station { at, reach: ProvinceSet::EMPTY, moves: (0, 0), contacts }
    }
}
