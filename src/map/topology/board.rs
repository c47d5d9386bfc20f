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
/// through the whole board, those of one province on end.
///
/// Station 0 is nowhere: no province has it, and nothing can be reached from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    /// The province and coast it stands for.
    pub at: Location,
    /// Provinces a fleet here can move to over sides and round corners, points left out.
    pub beside: ProvinceSet,
    /// The points that this coast touches, each by the first of its holes; of provinces with several coasts.
    pub points: ProvinceSet,
    /// Provinces a fleet here can move to, whatever their coast.
    pub reach: ProvinceSet,
    /// Where its destinations in provinces with several coasts begin and end in [`Board::destinations`].
    pub coasts: (u32, u32),
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
    /// The number of its first station; anything if it has none.
    pub first_station: u16,
    /// How many stations it has.
    pub coasts: u8,
}

/// Adjacency and coasts of a whole map, as tables.
///
/// Only provinces that are open (neither collapsed nor void) and passable appear in it.
///
/// The lists of stations, destinations and contacts hold what the rows of the provinces refer to, in any order. When the
/// map changes they are appended to; what is referred to no more stays for a while ([`Board::former`]).
#[derive(Debug)]
pub struct Board {
    pub(crate) land: ProvinceSet,
    pub(crate) sea: ProvinceSet,
    /// By province index, as far as the map has faces; see [`Board::row`].
    pub(crate) rows: Vec<Row>,
    pub(crate) stations: Vec<Station>,
    pub(crate) destinations: Vec<Location>,
    pub(crate) contacts: Vec<HalfEdgeId>,
    /// See [`Board::harbours`].
    pub(super) harbours: ProvinceSet,
    /// The provinces with several coasts; of tables made by hand, all.
    pub(super) several: ProvinceSet,
    /// What was seas before the last change.
    sea_before: ProvinceSet,
    /// The stations that provinces had before the last change, where they have been made again.
    pub(super) was: Vec<Was>,
    /// How many stations there were when they were last packed.
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
    /// What the tables hold of a province: nothing for an index beyond the map.
    #[inline]
    pub(super) fn row(&self, id: ProvinceId) -> &Row {
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
    pub fn fleet_moves(&self, from: Location) -> FleetMoves<'_> {
        let station = &self.stations[self.station(from)];
        FleetMoves { plain: station.reach - self.several, coasts: station.coasts(&self.destinations) }
    }

    /// May a fleet move from the one place to the other, coasts and all?
    #[inline]
    pub fn fleet_can_move(&self, from: Location, to: Location) -> bool {
        self.fleet_moves(from).contains(to)
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

    /// The provinces with a place for a fleet.
    #[inline]
    pub fn harbours(&self) -> &ProvinceSet {
        &self.harbours
    }

    /// The places for a fleet in the province.
    pub fn stations_of(&self, province: ProvinceId) -> impl Iterator<Item = Location> + use<> {
        (0..self.coasts(province)).map(move |coast| Location { province, coast: CoastId(coast) })
    }

    /// The sides of the province that make up this coast: its sea contacts, or all the sides of an archipelago.
    /// Nothing for a sea.
    pub fn contacts(&self, coast: Location) -> &[HalfEdgeId] {
        self.stations[self.station(coast)].contacts(&self.contacts)
    }

    /// The number of this place in [`Board::stations`]; 0, from where nothing can be reached, for a place that
    /// is not on the board (a trapped fleet's, or rubbish).
    #[inline]
    pub(crate) fn station(&self, at: Location) -> usize {
        let row = self.row(at.province);
        if at.coast.0 < row.coasts { row.first_station as usize + at.coast.0 as usize } else { 0 }
    }
}

/// How the lists are kept.
impl Board {
    /// No tables, with room for those of a map of so many faces.
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

    /// Notes that all there is refers to one map alone.
    pub(super) fn seal(&mut self) {
        self.packed = self.stations.len();
        self.forget();
    }

    /// Forgets what there was before the last change.
    pub(super) fn forget(&mut self) {
        self.was.clear();
        self.sea_before = self.sea;
        if self.stations.len() > 4 * self.packed + 64 {
            self.pack();
        }
    }

    /// Drops what nothing refers to any more.
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
    /// A clone is made to follow a map: its lists have room for some changes.
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

/// Equal are tables that say the same, in whatever order they hold it.
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

    /// Its contacts among all of the board's.
    #[inline]
    pub(crate) fn contacts<'a>(&self, all: &'a [HalfEdgeId]) -> &'a [HalfEdgeId] {
        &all[self.contacts.0 as usize..self.contacts.1 as usize]
    }

    /// Its destinations in provinces with several coasts among all of the board's.
    #[inline]
    pub(crate) fn coasts<'a>(&self, all: &'a [Location]) -> &'a [Location] {
        &all[self.coasts.0 as usize..self.coasts.1 as usize]
    }
}
