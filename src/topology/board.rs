//! The flat tables that the rules read: who may move where. Compiled from the planar map by
//! [`super::derive`], never written by hand, and kept until the map changes.

use super::map::SideId;
use crate::ids::{ByProvince, CoastId, Location, ProvinceId, ProvinceSet};

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

/// Adjacency and coasts of a whole map, as tables.
///
/// Only provinces that are open (neither collapsed nor void) and passable appear in it.
#[derive(Clone, Debug)]
pub struct Board {
    pub(crate) land: ProvinceSet,
    pub(crate) sea: ProvinceSet,
    pub(crate) army: ByProvince<ProvinceSet>,
    pub(crate) fleet: ByProvince<ProvinceSet>,
    pub(crate) seas_next_to: ByProvince<ProvinceSet>,
    pub(crate) first_station: ByProvince<u16>,
    pub(crate) coasts: ByProvince<u8>,
    pub(crate) stations: Vec<Station>,
    pub(crate) destinations: Vec<Location>,
    pub(crate) contacts: Vec<SideId>,
}

impl Board {
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

    /// The land provinces next to a land province (RULINGS 1.2); empty for a sea.
    #[inline]
    pub fn army_reach(&self, from: ProvinceId) -> &ProvinceSet {
        &self.army[from]
    }

    /// The provinces a fleet at this coast or sea can move to, whatever the coast it lands on (RULINGS 1.2);
    /// empty for a province without a coast (a trapped fleet).
    #[inline]
    pub fn fleet_reach(&self, from: Location) -> &ProvinceSet {
        &self.stations[self.station(from)].reach
    }

    /// The provinces a fleet could move to from one or another coast of this province.
    #[inline]
    pub fn fleet_reach_any(&self, from: ProvinceId) -> &ProvinceSet {
        &self.fleet[from]
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
        &self.seas_next_to[province]
    }

    /// How many places for a fleet the province has: 1 for a sea, the number of coasts for land, 0 inland.
    #[inline]
    pub fn coasts(&self, province: ProvinceId) -> u8 {
        self.coasts[province]
    }

    /// The places for a fleet in the province.
    pub fn stations_of(&self, province: ProvinceId) -> impl Iterator<Item = Location> + use<> {
        (0..self.coasts[province]).map(move |coast| Location { province, coast: CoastId(coast) })
    }

    /// The sides of the province that make up this coast: its sea contacts. Nothing for a sea.
    pub fn contacts(&self, coast: Location) -> &[SideId] {
        let (begin, end) = self.stations[self.station(coast)].contacts;
        &self.contacts[begin as usize..end as usize]
    }

    /// The number of this place in [`Board::stations`]; 0, from where nothing can be reached, for a place that
    /// is not on the board (a trapped fleet's, or rubbish).
    #[inline]
    pub(crate) fn station(&self, at: Location) -> usize {
        if at.coast.0 < self.coasts[at.province] {
            self.first_station[at.province] as usize + at.coast.0 as usize
        } else {
            0
        }
    }
}

impl Station {
    pub(crate) const NOWHERE: Station =
        Station::new(Location { province: ProvinceId(0), coast: CoastId::FIRST }, (0, 0));

    pub(crate) const fn new(at: Location, contacts: (u32, u32)) -> Station {
        Station { at, reach: ProvinceSet::EMPTY, moves: (0, 0), contacts }
    }
}
