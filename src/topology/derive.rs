//! The one function that turns the planar map into the tables of play: who may move where, and what coasts
//! there are (RULINGS 1.2 to 1.5). Nothing of it is tabulated anywhere.
//!
//! Round a land face, every side is *water* or *dry*. A coast is a maximal run of water sides:
//!
//! ```text
//!              MAO ~~                  Spain's boundary, counter-clockwise:
//!        ╭───────────╮ GAS
//!     ~~ │           ├──── MAR         GAS  MAO   POR  MAO WES LYO  MAR
//!  POR ══╡    SPA    │                  ·   ~~~    ·   ~~~~~~~~~~~   ·
//!     ~~ │           │ ~~ LYO               NC              SC
//!        ╰───────────╯
//!          MAO ~~ WES
//! ```
//!
//! A side is water if a sea lies across it, or a collapsed face whose point some sea touches. A group of
//! collapsed faces that hang together is one point, where everything round it meets.
//!
//! An archipelago (RULINGS 4.9) is land for armies and convoys, and a sea wherever a rule of fleets asks whether
//! one is there: across a side, at the end of a border, at a point. Round itself every side is water:
//!
//! ```text
//!                       SKA NTH HEL  KIE  BAL  SWE
//! Denmark               ~~~~~~~~~~~   ·   ~~~   ·        two runs, one coast while the strait joins them
//! as an archipelago     ~~~~~~~~~~~~~~~~~~~~~~~~~        one coast, whatever lies across
//! ```

use super::board::{Board, Row, Station};
use super::map::{FaceState, PlanarMap, SideId, Waterway};
use crate::ids::{CoastId, Location, ProvinceId, ProvinceSet};

const DRY: u16 = u16::MAX;

/// A group of collapsed faces that share borders: one point (RULINGS 1.4).
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    holes: ProvinceSet,
    land: ProvinceSet,
    sea: ProvinceSet,
    /// Does any water touch it?
    wet: bool,
}

/// The tables of a map. A pure function of the map: the same map gives the same tables, however it came about.
pub fn derive(map: &PlanarMap) -> Board {
    let mut derivation = Derivation::new(map);
    derivation.find_points();
    derivation.number_stations();
    derivation.link_stations();
    derivation.fill_destinations();
    derivation.board
}

struct Derivation<'a> {
    map: &'a PlanarMap,
    board: Board,
    points: Vec<Point>,
    archipelagos: ProvinceSet,
    /// What lets fleets past: seas and archipelagos.
    water: ProvinceSet,
    /// What counts as water for a land face that borders it: that, and the holes of points that it touches.
    wet: ProvinceSet,
    /// For each side of a land face that is water the station of its coast; [`DRY`] otherwise.
    station_of: Vec<u16>,
    /// The runs of water round the face at hand, as stretches of [`Board::contacts`].
    runs: Vec<(u32, u32)>,
    /// Adjacency of stations: a row of bits over stations for each.
    links: Vec<u64>,
    words_in_row: usize,
}

impl<'a> Derivation<'a> {
    fn new(map: &'a PlanarMap) -> Self {
        let (mut land, mut sea) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        for (id, face) in map.faces() {
            if face.is_open_land() {
                land.insert(id);
            } else if face.is_open_sea() {
                sea.insert(id);
            }
        }
        let mut stations = Vec::with_capacity(2 * map.faces.len());
        stations.push(Station::NOWHERE);
        let archipelagos = *map.archipelagos() & land;
        let board = Board {
            land,
            sea,
            rows: vec![Row::NOTHING; map.faces.len()],
            stations,
            destinations: Vec::with_capacity(2 * map.sides.len()),
            contacts: Vec::with_capacity(map.sides.len() / 2),
        };
        Derivation {
            map,
            board,
            points: Vec::new(),
            archipelagos,
            water: sea | archipelagos,
            wet: sea | archipelagos,
            station_of: vec![DRY; map.sides.len()],
            runs: Vec::new(),
            links: Vec::new(),
            words_in_row: 0,
        }
    }

    /// Gathers the collapsed faces into points, each with what open faces touch it.
    fn find_points(&mut self) {
        let is_hole = |id| self.map.face(id).is_some_and(|face| face.state() == FaceState::Collapsed);
        let mut left: ProvinceSet = self.map.faces().map(|(id, _)| id).filter(|&id| is_hole(id)).collect();
        while let Some(first) = left.first() {
            let mut point = Point::default();
            let mut front = ProvinceSet::single(first);
            while let Some(hole) = front.first() {
                front.remove(hole);
                left.remove(hole);
                point.holes.insert(hole);
                for across in self.map.sides_of(hole).map(|side| self.map.across(side)) {
                    if left.contains(across) {
                        front.insert(across);
                    } else if self.board.land.contains(across) {
                        point.land.insert(across);
                    } else if self.board.sea.contains(across) {
                        point.sea.insert(across);
                    }
                }
            }
            point.wet = (point.land | point.sea).intersects(&self.water);
            if point.wet {
                self.wet |= point.holes;
            }
            self.points.push(point);
        }
    }

    /// Does water lie across this side of a land face? (Round an archipelago nobody asks.)
    #[inline]
    fn is_water(&self, side: SideId) -> bool {
        self.wet.contains(self.map.across(side))
    }

    /// Gives a sea one station and a land face one for each of its coasts.
    fn number_stations(&mut self) {
        for id in self.board.passable() {
            let first = self.board.stations.len();
            let contacts = self.board.contacts.len() as u32;
            if self.board.sea.contains(id) {
                self.add_station(id, 0, (contacts, contacts));
            } else if self.archipelagos.contains(id) {
                self.board.contacts.extend(self.map.sides_of(id));
                self.add_station(id, 0, (contacts, self.board.contacts.len() as u32));
            } else {
                self.find_runs(id);
                match self.runs[..] {
                    [] => {}
                    [only] => self.add_station(id, 0, only),
                    _ => self.join_and_sort_runs(id, contacts),
                }
            }
            let row = &mut self.board.rows[id.index()];
            row.first_station = first as u16;
            row.coasts = (self.board.stations.len() - first) as u8;
        }
    }

    fn add_station(&mut self, province: ProvinceId, coast: u8, contacts: (u32, u32)) {
        let station = self.board.stations.len() as u16;
        for &side in &self.board.contacts[contacts.0 as usize..contacts.1 as usize] {
            self.station_of[side.index()] = station;
        }
        let at = Location { province, coast: CoastId(coast) };
        self.board.stations.push(Station::new(at, contacts));
    }

    /// Appends the water sides of a land face to the contacts, run by run.
    fn find_runs(&mut self, id: ProvinceId) {
        let map = self.map;
        self.runs.clear();
        for &head in map.face(id).map_or(&[][..], |face| &face.cycles) {
            // Start behind a dry side, so that no run is begun in its middle; if all is water, anywhere.
            let start = map.cycle(head).find(|&side| !self.is_water(side)).unwrap_or(head);
            let mut before_was_water = false;
            for side in map.cycle(start) {
                let water = self.is_water(side);
                if water {
                    let at = self.board.contacts.len() as u32;
                    self.board.contacts.push(side);
                    match self.runs.last_mut() {
                        Some((_, end)) if before_was_water => *end = at + 1,
                        _ => self.runs.push((at, at + 1)),
                    }
                }
                before_was_water = water;
            }
        }
    }

    /// Makes the runs of a land face, which stand behind `begin` in the contacts, into coasts: joined by
    /// waterways, ordered by the faces they touch.
    fn join_and_sort_runs(&mut self, id: ProvinceId, begin: u32) {
        let mut coasts: Vec<Vec<SideId>> = self
            .runs
            .iter()
            .map(|&(begin, end)| self.board.contacts[begin as usize..end as usize].to_vec())
            .collect();
        for waterway in self.map.waterways() {
            let joined = self.joined_by(waterway, id);
            for pair in joined.windows(2) {
                let at = |side| coasts.iter().position(|coast| coast.contains(&side));
                if let (Some(x), Some(y)) = (at(pair[0]), at(pair[1]))
                    && x != y
                {
                    let gone = coasts.remove(x.max(y));
                    coasts[x.min(y)].extend(gone);
                }
            }
        }
        if coasts.len() > 1 {
            let touched = |coast: &Vec<SideId>| {
                let mut faces: Vec<ProvinceId> = coast.iter().map(|&side| self.map.across(side)).collect();
                faces.sort_unstable();
                faces
            };
            // Coasts on the same seas go by their places in print: ids of borders tell how the map came about.
            let printed = std::cell::LazyCell::new(|| self.map.printed_cycles(id).concat());
            let place = |coast: &Vec<SideId>| printed.iter().position(|side| coast.contains(side));
            coasts.sort_by(|a, b| touched(a).cmp(&touched(b)).then_with(|| place(a).cmp(&place(b))));
        }
        coasts.truncate(usize::from(u8::MAX)); // what a CoastId can count
        self.board.contacts.truncate(begin as usize);
        for (coast, sides) in coasts.iter().enumerate() {
            let begin = self.board.contacts.len() as u32;
            self.board.contacts.extend(sides);
            self.add_station(id, coast as u8, (begin, begin + sides.len() as u32));
        }
    }

    /// The water sides of this face that a waterway joins; none unless it touches the face and all are water.
    fn joined_by(&self, waterway: &Waterway, id: ProvinceId) -> Vec<SideId> {
        let sides: Vec<SideId> = match waterway {
            Waterway::Canal { province, terminals } if *province == id => {
                terminals.iter().filter_map(|&end| self.map.side_of(end, id)).collect()
            }
            Waterway::Strait { border, provinces } if provinces.contains(&id) => {
                let sides = self.map.side_of(*border, id).into_iter();
                sides.flat_map(|side| [self.map.prev(side), self.map.next(side)]).collect()
            }
            Waterway::Passage { province, seas } if *province == id => {
                self.map.sides_of(id).filter(|&side| seas.contains(&self.map.across(side))).collect()
            }
            _ => return Vec::new(),
        };
        if sides.iter().all(|&side| self.is_water(side)) { sides } else { Vec::new() }
    }

    /// The station at which the face of this side meets the water across it, or the sea's own.
    #[inline]
    fn shore(&self, side: SideId) -> Option<u16> {
        let owner = self.map.owner(side);
        if self.board.sea.contains(owner) {
            return Some(self.board.rows[owner.index()].first_station);
        }
        Some(self.station_of[side.index()]).filter(|&station| station != DRY)
    }

    /// Enters who may move where: across every border, then through every point.
    fn link_stations(&mut self) {
        self.words_in_row = self.board.stations.len().div_ceil(64);
        self.links = vec![0; self.board.stations.len() * self.words_in_row];
        for border in self.map.borders() {
            self.link_across(border.sides()[0]);
        }
        for point in std::mem::take(&mut self.points) {
            self.link_through(&point);
        }
    }

    /// What the two faces of a border may do across it.
    fn link_across(&mut self, side: SideId) {
        let twin = side.twin();
        let (a, b) = (self.map.owner(side), self.map.owner(twin));
        if self.board.land.contains(a) && self.board.land.contains(b) {
            self.board.rows[a.index()].army.insert(b);
            self.board.rows[b.index()].army.insert(a);
            // A fleet passes where water ends the border, between the two coasts that contain that contact.
            for (of_a, of_b) in
                [(self.map.next(side), self.map.prev(twin)), (self.map.prev(side), self.map.next(twin))]
            {
                if self.water.contains(self.map.across(of_a)) {
                    self.link_shores(of_a, of_b);
                }
            }
        }
        if self.water.contains(a) || self.water.contains(b) {
            self.link_shores(side, twin);
        }
    }

    /// Everything that touches a point meets everything else there (RULINGS 1.4).
    fn link_through(&mut self, point: &Point) {
        for id in point.land {
            self.board.rows[id.index()].army |= point.land - ProvinceSet::single(id);
        }
        if !point.wet {
            return;
        }
        let mut stations: Vec<u16> =
            point.sea.iter().map(|id| self.board.rows[id.index()].first_station).collect();
        let at_point = |side: &SideId| point.holes.contains(self.map.across(*side));
        stations.extend(
            point
                .land
                .iter()
                .flat_map(|id| self.map.sides_of(id))
                .filter(at_point)
                .filter_map(|side| self.shore(side)),
        );
        for (i, &x) in stations.iter().enumerate() {
            for &y in &stations[i + 1..] {
                self.link(x, y);
            }
        }
    }

    #[inline]
    fn link_shores(&mut self, x: SideId, y: SideId) {
        if let (Some(x), Some(y)) = (self.shore(x), self.shore(y)) {
            self.link(x, y);
        }
    }

    #[inline]
    fn link(&mut self, x: u16, y: u16) {
        let (x, y) = (x as usize, y as usize);
        self.links[x * self.words_in_row + y / 64] |= 1 << (y % 64);
        self.links[y * self.words_in_row + x / 64] |= 1 << (x % 64);
    }

    /// Reads the links of stations out into reach sets and sorted destinations.
    fn fill_destinations(&mut self) {
        let board = &mut self.board;
        for (station, links) in self.links.chunks_exact(self.words_in_row).enumerate() {
            let from = board.stations[station].at.province;
            let begin = board.destinations.len() as u32;
            let mut reach = ProvinceSet::EMPTY;
            for (word, &links) in links.iter().enumerate() {
                let mut bits = links;
                while bits != 0 {
                    let to = board.stations[word * 64 + bits.trailing_zeros() as usize].at;
                    bits &= bits - 1;
                    // Two coasts of one province that touch one point are no way from one to the other.
                    if to.province != from {
                        board.destinations.push(to);
                        reach.insert(to.province);
                    }
                }
            }
            if reach.is_empty() {
                continue; // so is nowhere, the first station
            }
            board.stations[station].moves = (begin, board.destinations.len() as u32);
            board.stations[station].reach = reach;
            let row = &mut board.rows[from.index()];
            row.fleet |= reach;
            row.seas_next_to |= reach & board.sea;
        }
    }
}
