//! The flat tables that the rules read: who may move where. Compiled from the planar map by
//! [`super::derive`], never written by hand, and kept until the map changes.

mod fleet_moves;
mod former;
mod ground;

use std::ops::Range;

pub use fleet_moves::FleetMoves;
pub use former::Former;
pub(super) use ground::{Ground, Point};

use super::half_edge::HalfEdgeId;
use crate::ids::{CoastId, Location, ProvinceId, ProvinceSet};

/// A *station* is a place where a fleet can be: a sea, or one coast of a land province. Stations are numbered
/// through the whole board; those of one province are consecutive.
///
/// Station 0 is a placeholder: no province has it, and no place can be reached from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    /// The province and coast of the station.
    pub at: Location,
    /// Provinces to which a fleet here can move over half-edges and round corners, excluding moves through
    /// points.
    pub beside: ProvinceSet,
    /// The points that this coast touches, each given by the first of its holes; only for provinces with
    /// several coasts.
    pub points: ProvinceSet,
    /// Provinces to which a fleet here can move, whatever the coast.
    pub reach: ProvinceSet,
    /// The range of [`Board::destinations`] with its destinations in provinces with several coasts.
    pub coasts: (u32, u32),
    /// The range of [`Board::contacts`] with the half-edges that make up this coast; empty for a sea.
    pub contacts: (u32, u32),
}

/// The tables' entry for one province.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// See [`Board::army_reach`].
    pub army: ProvinceSet,
    /// See [`Board::fleet_reach_any`].
    pub fleet: ProvinceSet,
    /// See [`Board::seas_next_to`].
    pub seas_next_to: ProvinceSet,
    /// The number of its first station; undefined if it has none.
    pub first_station: u16,
    /// The number of its stations.
    pub coasts: u8,
}

/// Adjacency and coasts of a whole map, as tables.
///
/// Only provinces that are open (neither collapsed nor void) and passable appear in it.
///
/// The rows of the provinces refer to the lists of stations, destinations and contacts, which are in no
/// particular order. Changes of the map only append to the lists; entries that are no longer referenced stay
/// for a while ([`Board::former`]).
#[derive(Debug)]
pub struct Board {
    pub(crate) land: ProvinceSet,
    pub(crate) sea: ProvinceSet,
    /// One row for each province index of the map; see [`Board::row`].
    pub(crate) rows: Vec<Row>,
    pub(crate) stations: Vec<Station>,
    pub(crate) destinations: Vec<Location>,
    pub(crate) contacts: Vec<HalfEdgeId>,
    /// See [`Board::harbours`].
    pub(super) harbours: ProvinceSet,
    /// The provinces with several coasts; in tables made by hand, all provinces.
    pub(super) several: ProvinceSet,
    /// The seas before the last change.
    sea_before: ProvinceSet,
    /// The former stations of the provinces whose stations were rebuilt in the last change.
    pub(super) was: Vec<Was>,
    /// The number of stations when they were last packed.
    packed: usize,
    pub(super) ground: Ground,
}

/// The stations of a province before a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Was {
    pub province: ProvinceId,
    pub first_station: u16,
    pub coasts: u8,
}

impl Board {
    /// The row of a province; an empty row for an index beyond the map.
    #[inline]
    pub(super) fn row(&self, id: ProvinceId) -> &Row {
        self.rows.get(id.index()).unwrap_or(&Row::NOTHING)
    }

    /// The land provinces that a unit can be in.
    #[inline]
    pub fn land(&self) -> &ProvinceSet {
        &self.land
    }

    /// The seas.
    #[inline]
    pub fn sea(&self) -> &ProvinceSet {
        &self.sea
    }

    /// All provinces that a unit can be in.
    #[inline]
    pub fn passable(&self) -> ProvinceSet {
        self.land | self.sea
    }

    /// The land provinces next to a land province (rules.md 1.2); empty for a sea.
    #[inline]
    pub fn army_reach(&self, from: ProvinceId) -> &ProvinceSet {
        &self.row(from).army
    }

    /// The provinces to which a fleet at this coast or sea can move, whatever the coast on which it lands
    /// (rules.md 1.2); empty for a province without a coast (a trapped fleet).
    #[inline]
    pub fn fleet_reach(&self, from: Location) -> &ProvinceSet {
        &self.stations[self.station(from)].reach
    }

    /// The provinces to which a fleet could move from any coast of this province.
    #[inline]
    pub fn fleet_reach_any(&self, from: ProvinceId) -> &ProvinceSet {
        &self.row(from).fleet
    }

    /// The exact destinations of a fleet at this coast or sea, sorted by province, then coast.
    #[inline]
    pub fn fleet_moves(&self, from: Location) -> FleetMoves<'_> {
        let station = &self.stations[self.station(from)];
        FleetMoves { plain: station.reach - self.several, coasts: station.coasts(&self.destinations) }
    }

    /// May a fleet move from one place to the other, including coasts?
    #[inline]
    pub fn fleet_can_move(&self, from: Location, to: Location) -> bool {
        self.fleet_moves(from).contains(to)
    }

    /// The seas in contact with the province: for land, those from which a fleet can convoy an army out of it
    /// or into it; for a sea, the neighbouring seas.
    #[inline]
    pub fn seas_next_to(&self, province: ProvinceId) -> &ProvinceSet {
        &self.row(province).seas_next_to
    }

    /// The number of places for a fleet in the province: 1 for a sea, the number of coasts for land, 0
    /// inland.
    #[inline]
    pub fn coasts(&self, province: ProvinceId) -> u8 {
        self.row(province).coasts
    }

    /// The provinces with a place for a fleet.
    #[inline]
    pub fn harbours(&self) -> &ProvinceSet {
        &self.harbours
    }

    /// The places for a fleet in the province.
    pub fn stations_of(&self, province: ProvinceId) -> impl Iterator<Item = Location> + use<> {
        (0..self.coasts(province)).map(move |coast| Location { province, coast: CoastId(coast) })
    }

    /// The half-edges of the province that make up this coast: its sea contacts, or all half-edges of an
    /// archipelago. A sea has none.
    pub fn contacts(&self, coast: Location) -> &[HalfEdgeId] {
        self.stations[self.station(coast)].contacts(&self.contacts)
    }

    /// The number of this place in [`Board::stations`]; 0, from which no place can be reached, for a place
    /// that is not on the board (such as that of a trapped fleet, or an invalid one).
    #[inline]
    pub(crate) fn station(&self, at: Location) -> usize {
        let row = self.row(at.province);
        if at.coast.0 < row.coasts { row.first_station as usize + at.coast.0 as usize } else { 0 }
    }
}

/// Storage of the lists.
impl Board {
    /// Empty tables with room for those of a map with this number of faces.
    pub(super) fn empty(faces: usize) -> Board {
        let mut stations = Vec::with_capacity(2 * faces);
        stations.push(Station::NOWHERE);
        Board {
            land: ProvinceSet::EMPTY,
            sea: ProvinceSet::EMPTY,
            harbours: ProvinceSet::EMPTY,
            several: ProvinceSet::EMPTY,
            rows: Vec::with_capacity(faces),
            stations,
            destinations: Vec::with_capacity(faces),
            contacts: Vec::with_capacity(4 * faces),
            sea_before: ProvinceSet::EMPTY,
            was: Vec::new(),
            packed: 1,
            ground: Ground::default(),
        }
    }

    /// Marks everything in the tables as belonging to the current map alone.
    pub(super) fn seal(&mut self) {
        self.packed = self.stations.len();
        self.forget();
    }

    /// Discards the state before the last change.
    pub(super) fn forget(&mut self) {
        self.was.clear();
        self.sea_before = self.sea;
        if self.stations.len() > 4 * self.packed + 64 {
            self.pack();
        }
    }

    /// Drops entries that are no longer referenced.
    fn pack(&mut self) {
        let (mut stations, mut contacts) = (vec![Station::NOWHERE], Vec::new());
        let mut destinations = Vec::new();
        for row in &mut self.rows {
            let first = stations.len() as u16;
            for &station in &self.stations[row.stations()] {
                let begins = [contacts.len() as u32, destinations.len() as u32];
                contacts.extend(station.contacts(&self.contacts));
                destinations.extend(station.coasts(&self.destinations));
                let [contacts, coasts] =
                    [(begins[0], contacts.len() as u32), (begins[1], destinations.len() as u32)];
                stations.push(Station { contacts, coasts, ..station });
            }
            row.first_station = first;
        }
        self.packed = stations.len();
        (self.stations, self.contacts, self.destinations) = (stations, contacts, destinations);
    }
}

impl Clone for Board {
    /// A clone usually follows a changing map, so its lists have room for some changes.
    fn clone(&self) -> Board {
        fn with_room<T: Copy>(list: &[T]) -> Vec<T> {
            let mut copy = Vec::with_capacity(4 * list.len() + 64);
            copy.extend_from_slice(list);
            copy
        }
        Board {
            rows: self.rows.clone(),
            stations: with_room(&self.stations),
            destinations: with_room(&self.destinations),
            contacts: with_room(&self.contacts),
            was: with_room(&self.was),
            ground: self.ground.clone(),
            ..*self
        }
    }
}

/// Tables are equal if they have the same content, in whatever order it is stored.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        let same_stations = |at: Location| {
            let [x, y] = [self, other].map(|board| &board.stations[board.station(at)]);
            (x.at, x.reach) == (y.at, y.reach)
                && self.fleet_moves(at) == other.fleet_moves(at)
                && self.contacts(at) == other.contacts(at)
        };
        let same_row = |(id, (x, y)): (ProvinceId, (&Row, &Row))| {
            (x.army, x.fleet, x.seas_next_to, x.coasts) == (y.army, y.fleet, y.seas_next_to, y.coasts)
                && self.stations_of(id).all(same_stations)
        };
        let rows = self.rows.iter().zip(&other.rows);
        (self.land, self.sea, self.rows.len()) == (other.land, other.sea, other.rows.len())
            && (0..=u8::MAX).map(ProvinceId).zip(rows).all(same_row)
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
        const NONE: ProvinceSet = ProvinceSet::EMPTY;
        Station { at, beside: NONE, points: NONE, reach: NONE, coasts: (0, 0), contacts }
    }

    /// Its range among the contacts of the board.
    #[inline]
    pub(crate) fn contacts<'a>(&self, all: &'a [HalfEdgeId]) -> &'a [HalfEdgeId] {
        &all[self.contacts.0 as usize..self.contacts.1 as usize]
    }

    /// Its range among the board's destinations in provinces with several coasts.
    #[inline]
    pub(crate) fn coasts<'a>(&self, all: &'a [Location]) -> &'a [Location] {
        &all[self.coasts.0 as usize..self.coasts.1 as usize]
    }
}
