//! The flat tables that the rules read: who may move where. Compiled from the planar map by
//! [`super::derive`], never written by hand, and kept until the map changes.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::ids::{ByProvince, CoastId, Location, MAX_PROVINCES, ProvinceId, ProvinceIter, ProvinceSet};
use crate::topology::half_edge::HalfEdgeId;

/// A *station* is a place where a fleet can be: a sea, or one coast of a land province. Stations are numbered
/// through the whole board; those of one province are consecutive.
///
/// Station 0 is a placeholder: no province has it, and no place can be reached from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    /// The province and coast of the station.
    pub(crate) at: Location,
    /// Provinces to which a fleet here can move over half-edges and round corners, excluding moves through
    /// points.
    pub(crate) beside: ProvinceSet,
    /// The points that this coast touches, each given by the first of its holes; only for provinces with
    /// several coasts.
    pub(crate) points: ProvinceSet,
    /// Provinces to which a fleet here can move, whatever the coast.
    pub(crate) reach: ProvinceSet,
    /// The range of [`Board::destinations`] with its destinations in provinces with several coasts.
    pub(crate) coasts: (u32, u32),
    /// The range of [`Board::contacts`] with the half-edges that make up this coast; empty for a sea.
    pub(crate) contacts: (u32, u32),
}

/// The tables' entry for one province.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// See [`Board::army_reach`].
    pub(crate) army: ProvinceSet,
    /// See [`Board::fleet_reach_any`].
    pub(crate) fleet: ProvinceSet,
    /// See [`Board::seas_next_to`].
    pub(crate) seas_next_to: ProvinceSet,
    /// The number of its first station; undefined if it has none.
    pub(crate) first_station: u16,
    /// The number of its stations.
    pub(crate) coasts: u8,
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

    /// Where an army can be: the land provinces, and the ice.
    #[inline]
    pub fn land(&self) -> &ProvinceSet {
        &self.land
    }

    /// The frozen seas among [`Board::land`].
    #[inline]
    pub fn ice(&self) -> &ProvinceSet {
        &self.ground.ice
    }

    /// The seas.
    #[inline]
    pub fn sea(&self) -> &ProvinceSet {
        &self.sea
    }

    /// Where fleets can pass: seas and archipelagos.
    pub fn water(&self) -> &ProvinceSet {
        &self.ground.water
    }

    /// The faces beside these, of any kind and state: outside of the set, and with a border with one of its faces, or at
    /// a point with one (rules.md 1.4). All faces at a point, and the holes that it consists of, are beside each other.
    ///
    /// ```
    /// use upheaval_map::ids::ProvinceSet;
    /// use upheaval_map::topology::{atlas, derive};
    /// let mut chart = atlas::standard();
    /// let [gascony, marseilles, piedmont] = ["GAS", "MAR", "PIE"].map(|name| chart.map().find(name).unwrap());
    /// let beside = |board: upheaval_map::topology::Board| board.beside(ProvinceSet::single(gascony));
    /// assert!(!beside(derive(chart.map())).contains(piedmont));
    /// chart.collapse(marseilles)?;
    /// assert!(beside(derive(chart.map())).contains(piedmont));
    /// # Ok::<(), upheaval_map::topology::SurgeryError>(())
    /// ```
    pub fn beside(&self, faces: ProvinceSet) -> ProvinceSet {
        let Ground { neighbours, points, .. } = &self.ground;
        let across = faces.iter().filter_map(|face| neighbours.get(face.index()).copied());
        let meeting = points.iter().map(|point| point.holes | point.rim).filter(|all| all.intersects(&faces));
        across.chain(meeting).collect::<ProvinceSet>() - faces
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
        (self.land, self.ice(), self.sea, self.rows.len())
            == (other.land, other.ice(), other.sea, other.rows.len())
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

// The destinations of a fleet, without a full list: most provinces have only one place for a fleet, and a
// set of provinces is enough for those. Coasts are listed only for provinces with several.

/// The exact destinations of a fleet, sorted by province, then coast; see [`Board::fleet_moves`].
///
/// ```
/// use upheaval_map::ids::Location;
/// use upheaval_map::topology::{atlas, derive};
/// let chart = atlas::standard();
/// let board = derive(chart.map());
/// let portugal = chart.map().find("POR").unwrap();
/// let moves = board.fleet_moves(Location::from(portugal));
/// let named: Vec<&str> = moves.iter().map(|to| chart.map().name(to.province)).collect();
/// assert_eq!(named, ["MAO", "SPA", "SPA"]); // both coasts
/// assert_eq!((moves.len(), moves.get(1)), (3, moves.iter().nth(1)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FleetMoves<'a> {
    /// Provinces with only one place for a fleet.
    plain: ProvinceSet,
    /// Coasts of the other provinces, sorted.
    coasts: &'a [Location],
}

impl<'a> FleetMoves<'a> {
    /// Without a fleet there are no destinations.
    pub const NONE: FleetMoves<'static> = FleetMoves { plain: ProvinceSet::EMPTY, coasts: &[] };

    /// The number of destinations.
    #[inline]
    pub fn len(self) -> usize {
        self.plain.len() + self.coasts.len()
    }

    /// Are there none?
    #[inline]
    pub fn is_empty(self) -> bool {
        self.plain.is_empty() && self.coasts.is_empty()
    }

    /// Is this a destination?
    #[inline]
    pub fn contains(self, to: Location) -> bool {
        to.coast == CoastId::FIRST && self.plain.contains(to.province) || self.coasts.contains(&to)
    }

    /// The `n`-th destination, counted from 0.
    #[inline]
    pub fn get(self, n: usize) -> Option<Location> {
        for (coasts_before, &coast) in self.coasts.iter().enumerate() {
            let place = self.plain.below(coast.province).len() + coasts_before;
            if n < place {
                return self.plain.nth(n - coasts_before).map(Location::from);
            }
            if n == place {
                return Some(coast);
            }
        }
        self.plain.nth(n.checked_sub(self.coasts.len())?).map(Location::from)
    }

    /// All destinations, in order.
    #[inline]
    pub fn iter(self) -> FleetMovesIter<'a> {
        let mut plain = self.plain.iter();
        FleetMovesIter { next: plain.next(), plain, coasts: self.coasts }
    }
}

impl<'a> IntoIterator for FleetMoves<'a> {
    type Item = Location;
    type IntoIter = FleetMovesIter<'a>;
    #[inline]
    fn into_iter(self) -> FleetMovesIter<'a> {
        self.iter()
    }
}

impl PartialEq for FleetMoves<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// The destinations of a fleet in order.
#[derive(Clone, Debug)]
pub struct FleetMovesIter<'a> {
    /// The next province with only one place, followed by the remaining ones.
    next: Option<ProvinceId>,
    plain: ProvinceIter,
    coasts: &'a [Location],
}

impl Iterator for FleetMovesIter<'_> {
    type Item = Location;

    #[inline]
    fn next(&mut self) -> Option<Location> {
        if let Some((&coast, behind)) = self.coasts.split_first()
            && self.next.is_none_or(|plain| coast.province < plain)
        {
            self.coasts = behind;
            return Some(coast);
        }
        let plain = self.next?;
        self.next = self.plain.next();
        Some(plain.into())
    }
}

// The tables before the last change of the map, as far as the fate of fleets depends on them.

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
    /// The seas before the change; see [`Board::sea`].
    #[inline]
    pub fn sea(self) -> &'a ProvinceSet {
        self.sea
    }

    /// The number of coasts before the change; see [`Board::coasts`].
    pub fn coasts(self, province: ProvinceId) -> u8 {
        self.stations_of(province).1
    }

    /// The contacts of a coast before the change, see [`Board::contacts`]; none for a coast that did not exist. The
    /// change may have removed their borders.
    pub fn contacts(self, coast: Location) -> &'a [HalfEdgeId] {
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

// Intermediate results of the derivation, from which the tables are updated when the map changes.

/// The state from which an incremental derivation starts.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    /// The faces next to each face, of any kind.
    pub(crate) neighbours: Vec<ProvinceSet>,
    /// The collapsed faces.
    pub(crate) holes: ProvinceSet,
    pub(crate) points: Vec<Point>,
    pub(crate) archipelagos: ProvinceSet,
    /// The frozen seas: land without a coast, which fleets cannot enter.
    pub(crate) ice: ProvinceSet,
    /// The other land.
    pub(crate) shores: ProvinceSet,
    /// Where fleets can pass: seas and archipelagos.
    pub(crate) water: ProvinceSet,
    /// What counts as water for an adjacent land face: water itself, and the holes of points that touch
    /// water.
    pub(crate) wet: ProvinceSet,
}

/// A group of collapsed faces that share borders: one point (rules.md 1.4).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    pub holes: ProvinceSet,
    /// All faces around the point, of any kind.
    pub rim: ProvinceSet,
    pub land: ProvinceSet,
    pub sea: ProvinceSet,
    /// Does any water touch it?
    pub wet: bool,
}

// Boards that no map could produce: tables written by hand, for tests of rules.

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
