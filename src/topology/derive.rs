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

use super::board::{Board, Station};
use super::map::{FaceState, PlanarMap, SideId, Waterway};
use crate::ids::{ByProvince, CoastId, Location, ProvinceId, ProvinceSet};

/// More places for fleets than any map can have: with every corner of degree three a map of 256 faces has at most
/// 3 · 254 borders, a coast holds at least one, and there are at most 256 seas.
const MAX_STATIONS: usize = 1024;
const DRY: u16 = u16::MAX;
const NO_GROUP: u8 = u8::MAX;

/// A group of collapsed faces that share borders: one point (RULINGS 1.4).
#[derive(Clone, Debug, Default)]
struct Point {
    land: ProvinceSet,
    sea: ProvinceSet,
    /// Fleet stations that touch the point; filled only where a sea does.
    stations: Vec<u16>,
}

/// The tables of a map. A pure function of the map: the same map gives the same tables, however it came about.
pub fn derive(map: &PlanarMap) -> Board {
    Derivation::new(map).run()
}

struct Derivation<'a> {
    map: &'a PlanarMap,
    board: Board,
    /// For each collapsed face the number of its point.
    point_of: ByProvince<u8>,
    points: Vec<Point>,
    /// For each side of a land face that is water the station of its coast; [`DRY`] otherwise.
    station_of: Vec<u16>,
    /// Adjacency of stations, as bits over stations.
    links: Vec<[u64; MAX_STATIONS / 64]>,
}

impl<'a> Derivation<'a> {
    fn new(map: &'a PlanarMap) -> Self {
        Derivation {
            map,
            board: Board {
                land: ProvinceSet::EMPTY,
                sea: ProvinceSet::EMPTY,
                army: ByProvince::filled(ProvinceSet::EMPTY),
                fleet: ByProvince::filled(ProvinceSet::EMPTY),
                seas_next_to: ByProvince::filled(ProvinceSet::EMPTY),
                first_station: ByProvince::filled(0),
                coasts: ByProvince::filled(0),
                stations: vec![Station::NOWHERE],
                destinations: Vec::new(),
                contacts: Vec::new(),
            },
            point_of: ByProvince::filled(NO_GROUP),
            points: Vec::new(),
            station_of: vec![DRY; map.sides.len()],
            links: Vec::new(),
        }
    }

    fn run(mut self) -> Board {
        for (id, face) in self.map.faces() {
            if face.is_open_land() {
                self.board.land.insert(id);
            } else if face.is_open_sea() {
                self.board.sea.insert(id);
            }
        }
        self.find_points();
        for (id, _) in self.map.faces() {
            self.number_stations(id);
        }
        self.links = vec![[0; MAX_STATIONS / 64]; self.board.stations.len()];
        for border in self.map.borders() {
            self.link_across(border.sides()[0]);
        }
        for point in 0..self.points.len() {
            self.link_through_point(point);
        }
        self.fill_destinations();
        self.board
    }

    /// Gathers the collapsed faces into points and notes what open faces touch each.
    fn find_points(&mut self) {
        let collapsed = |id| self.map.face(id).is_some_and(|f| f.state() == FaceState::Collapsed);
        let mut stack = Vec::new();
        for (id, _) in self.map.faces().filter(|&(id, _)| collapsed(id)) {
            if self.point_of[id] != NO_GROUP || self.points.len() == NO_GROUP as usize {
                continue;
            }
            let number = self.points.len() as u8;
            let mut point = Point::default();
            self.point_of[id] = number;
            stack.push(id);
            while let Some(hole) = stack.pop() {
                for across in self.map.sides_of(hole).map(|side| self.map.across(side)) {
                    if self.board.land.contains(across) {
                        point.land.insert(across);
                    } else if self.board.sea.contains(across) {
                        point.sea.insert(across);
                    } else if collapsed(across) && self.point_of[across] == NO_GROUP {
                        self.point_of[across] = number;
                        stack.push(across);
                    }
                }
            }
            self.points.push(point);
        }
    }

    /// Is the side a sea contact of its land face?
    fn is_water(&self, side: SideId) -> bool {
        let across = self.map.across(side);
        self.board.sea.contains(across)
            || (self.point_of[across] != NO_GROUP
                && !self.points[self.point_of[across] as usize].sea.is_empty())
    }

    /// Gives a sea one station and a land face one for each of its coasts.
    fn number_stations(&mut self, id: ProvinceId) {
        let first = self.board.stations.len();
        if self.board.sea.contains(id) {
            self.add_station(id, 0, &[]);
        } else if self.board.land.contains(id) {
            for (coast, contacts) in self.coasts_of_land(id).iter().enumerate() {
                self.add_station(id, coast as u8, contacts);
            }
        }
        self.board.first_station[id] = first as u16;
        self.board.coasts[id] = (self.board.stations.len() - first) as u8;
    }

    fn add_station(&mut self, province: ProvinceId, coast: u8, contacts: &[SideId]) {
        let station = self.board.stations.len() as u16;
        for &side in contacts {
            self.station_of[side.index()] = station;
        }
        let begin = self.board.contacts.len() as u32;
        self.board.contacts.extend(contacts);
        let at = Location { province, coast: CoastId(coast) };
        self.board.stations.push(Station::new(at, (begin, self.board.contacts.len() as u32)));
    }

    /// The coasts of a land face as lists of sides: runs of water, joined by waterways, ordered by the faces
    /// they touch.
    fn coasts_of_land(&self, id: ProvinceId) -> Vec<Vec<SideId>> {
        let mut runs: Vec<Vec<SideId>> = Vec::new();
        for &head in self.map.face(id).map_or(&[][..], |face| &face.cycles) {
            // Start behind a dry side, so that no run is begun in its middle; if all is water, anywhere.
            let start = self.map.cycle(head).find(|&side| !self.is_water(side)).unwrap_or(head);
            let mut before_was_water = false;
            for side in self.map.cycle(start) {
                let water = self.is_water(side);
                if water && before_was_water {
                    runs.last_mut().expect("a run is open").push(side);
                } else if water {
                    runs.push(vec![side]);
                }
                before_was_water = water;
            }
        }
        if runs.len() > 1 {
            for waterway in self.map.waterways() {
                if let Some([x, y]) = self.joined_by(waterway, id) {
                    let at = |side| runs.iter().position(|run| run.contains(&side));
                    if let (Some(x), Some(y)) = (at(x), at(y))
                        && x != y
                    {
                        let gone = runs.remove(x.max(y));
                        runs[x.min(y)].extend(gone);
                    }
                }
            }
            let touched = |run: &[SideId]| {
                let mut faces: Vec<ProvinceId> = run.iter().map(|&side| self.map.across(side)).collect();
                faces.sort_unstable();
                faces
            };
            runs.sort_by(|a, b| {
                touched(a).cmp(&touched(b)).then_with(|| a.iter().min().cmp(&b.iter().min()))
            });
        }
        runs.truncate(usize::from(u8::MAX)); // what a CoastId can count
        runs
    }

    /// The two water sides of this face that a waterway joins, if it touches the face and both are water.
    fn joined_by(&self, waterway: &Waterway, id: ProvinceId) -> Option<[SideId; 2]> {
        let sides = match waterway {
            Waterway::Canal { province, terminals } if *province == id => {
                [self.map.side_of(terminals[0], id)?, self.map.side_of(terminals[1], id)?]
            }
            Waterway::Strait { border, provinces } if provinces.contains(&id) => {
                let side = self.map.side_of(*border, id)?;
                [self.map.prev(side), self.map.next(side)]
            }
            _ => return None,
        };
        sides.iter().all(|&side| self.is_water(side)).then_some(sides)
    }

    /// The station at which the face of this side meets the sea across it, or the sea's own.
    fn shore(&self, side: SideId) -> Option<u16> {
        let owner = self.map.owner(side);
        if self.board.sea.contains(owner) {
            return Some(self.board.first_station[owner]);
        }
        Some(self.station_of[side.index()]).filter(|&station| station != DRY)
    }

    /// What the two faces of a border may do across it.
    fn link_across(&mut self, side: SideId) {
        let twin = side.twin();
        let (a, b) = (self.map.owner(side), self.map.owner(twin));
        let (a_land, b_land) = (self.board.land.contains(a), self.board.land.contains(b));
        if a_land && b_land {
            self.board.army[a].insert(b);
            self.board.army[b].insert(a);
            // A fleet passes where a sea ends the border, between the two coasts that contain that contact.
            for (of_a, of_b) in
                [(self.map.next(side), self.map.prev(twin)), (self.map.prev(side), self.map.next(twin))]
            {
                if self.board.sea.contains(self.map.across(of_a))
                    && let (Some(x), Some(y)) = (self.shore(of_a), self.shore(of_b))
                {
                    self.link(x, y);
                }
            }
        } else if (a_land || self.board.sea.contains(a))
            && (b_land || self.board.sea.contains(b))
            && let (Some(x), Some(y)) = (self.shore(side), self.shore(twin))
        {
            self.link(x, y);
        }
    }

    /// Everything that touches a point meets everything else there (RULINGS 1.4).
    fn link_through_point(&mut self, number: usize) {
        let mut point = std::mem::take(&mut self.points[number]);
        for id in point.land {
            self.board.army[id] |= point.land - ProvinceSet::single(id);
        }
        if point.sea.is_empty() {
            return;
        }
        for id in point.land {
            for side in self.map.sides_of(id) {
                if self.point_of[self.map.across(side)] as usize == number {
                    let station = self.station_of[side.index()];
                    if station != DRY && !point.stations.contains(&station) {
                        point.stations.push(station);
                    }
                }
            }
        }
        point.stations.extend(point.sea.iter().map(|id| self.board.first_station[id]));
        for (i, &x) in point.stations.iter().enumerate() {
            for &y in &point.stations[i + 1..] {
                self.link(x, y);
            }
        }
    }

    fn link(&mut self, x: u16, y: u16) {
        let (i, j) = (x as usize, y as usize);
        self.links[i][j / 64] |= 1 << (j % 64);
        self.links[j][i / 64] |= 1 << (i % 64);
    }

    /// Reads the links of stations out into reach sets and sorted destinations.
    fn fill_destinations(&mut self) {
        let board = &mut self.board;
        for station in 1..board.stations.len() {
            let from = board.stations[station].at;
            let begin = board.destinations.len() as u32;
            let mut reach = ProvinceSet::EMPTY;
            for (word, &bits) in self.links[station].iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    let to = board.stations[word * 64 + bits.trailing_zeros() as usize].at;
                    bits &= bits - 1;
                    // Two coasts of one province that touch one point are no way from one to the other.
                    if to.province != from.province {
                        board.destinations.push(to);
                        reach.insert(to.province);
                    }
                }
            }
            board.stations[station].moves = (begin, board.destinations.len() as u32);
            board.stations[station].reach = reach;
            board.fleet[from.province] |= reach;
            board.seas_next_to[from.province] |= reach & board.sea;
        }
    }
}
