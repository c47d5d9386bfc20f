//! The one function that turns the planar map into the tables of play: who may move where, and what coasts
//! there are (rules.md 1.2 to 1.5). Nothing of it is tabulated anywhere.
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
//! An archipelago (rules.md 4.9) is land for armies and convoys, and a sea wherever a rule of fleets asks whether
//! one is there: across a side, at the end of a border, at a point. Round itself every side is water:
//!
//! ```text
//!                       SKA NTH HEL  KIE  BAL  SWE
//! Denmark               ~~~~~~~~~~~   ·   ~~~   ·        two runs, one coast while the strait joins them
//! as an archipelago     ~~~~~~~~~~~~~~~~~~~~~~~~~        one coast, whatever lies across
//! ```

use std::cell::LazyCell;

use super::board::{Board, Row, Station};
use super::face::{FaceKind, FaceState};
use super::half_edge::SideId;
use super::map::PlanarMap;
use super::waterway::Waterway;
use crate::ids::{CoastId, Location, ProvinceId, ProvinceSet};

/// A group of collapsed faces that share borders: one point (rules.md 1.4).
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    holes: ProvinceSet,
    land: ProvinceSet,
    sea: ProvinceSet,
    /// Does any water touch it?
    wet: bool,
}

/// The tables of a map. A pure function of the map: the same map gives the same tables, however it came about.
///
/// ```
/// use upheaval_map::topology::{atlas, derive};
/// let mut chart = atlas::standard();
/// let map = chart.map();
/// let [spain, piedmont, marseilles] = ["SPA", "PIE", "MAR"].map(|name| map.find(name).unwrap());
/// assert!(!derive(map).army_reach(spain).contains(piedmont));
/// // A collapsed province is one point, at which all its neighbours meet.
/// chart.collapse(marseilles)?;
/// assert!(derive(chart.map()).army_reach(spain).contains(piedmont));
/// # Ok::<(), upheaval_map::topology::SurgeryError>(())
/// ```
pub fn derive(map: &PlanarMap) -> Board {
    let mut derivation = Derivation::new(map);
    derivation.find_points();
    derivation.number_stations();
    derivation.link_stations();
    derivation.fill_destinations();
    derivation.board
}

/// A run of water sides round the face at hand: a stretch of [`Board::contacts`].
#[derive(Clone, Copy)]
struct Run {
    begin: u32,
    end: u32,
    /// What the runs of one coast have in common.
    coast: usize,
}

impl Run {
    fn of(self, sides: &[SideId]) -> &[SideId] {
        &sides[self.begin as usize..self.end as usize]
    }
}

struct Derivation<'a> {
    map: &'a PlanarMap,
    board: Board,
    /// Who lies next to each face, whatever it is.
    neighbours: Vec<ProvinceSet>,
    holes: ProvinceSet,
    points: Vec<Point>,
    archipelagos: ProvinceSet,
    /// What lets fleets past: seas and archipelagos.
    water: ProvinceSet,
    /// What counts as water for a land face that borders it: that, and the holes of points that it touches.
    wet: ProvinceSet,
    /// The provinces with several coasts.
    several: ProvinceSet,
    /// The runs of water round the face at hand, coast by coast.
    runs: Vec<Run>,
    /// Where its contacts lie while they are put in order.
    aside: Vec<SideId>,
    /// The contacts at whose beginnings water ends a border of two lands.
    corners: Vec<SideId>,
    /// Stations that are linked though both their provinces have several coasts, either way round. Of all others the
    /// reach sets tell who is linked.
    pairs: Vec<[u16; 2]>,
}

impl<'a> Derivation<'a> {
    fn new(map: &'a PlanarMap) -> Self {
        let (mut land, mut sea, mut holes) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        for (id, face) in map.faces() {
            match (face.state(), face.kind()) {
                (FaceState::Open, FaceKind::Land) => land.insert(id),
                (FaceState::Open, FaceKind::Sea) => sea.insert(id),
                (FaceState::Collapsed, _) => holes.insert(id),
                _ => {}
            }
        }
        let mut neighbours = vec![ProvinceSet::EMPTY; map.faces.len()];
        for [a, b] in map.neighbours() {
            neighbours[a.index()].insert(b);
            neighbours[b.index()].insert(a);
        }
        let mut stations = Vec::with_capacity(2 * map.faces.len());
        stations.push(Station::NOWHERE);
        let archipelagos = *map.archipelagos() & land;
        let board = Board {
            land,
            sea,
            rows: Vec::with_capacity(map.faces.len()),
            stations,
            destinations: Vec::with_capacity(2 * map.sides.len()),
            contacts: Vec::with_capacity(map.sides.len() / 2),
        };
        Derivation {
            map,
            board,
            neighbours,
            holes,
            points: Vec::new(),
            archipelagos,
            water: sea | archipelagos,
            wet: sea | archipelagos,
            several: ProvinceSet::EMPTY,
            runs: Vec::new(),
            aside: Vec::new(),
            corners: Vec::with_capacity(map.faces.len()),
            pairs: Vec::new(),
        }
    }

    /// Gathers the collapsed faces into points, each with what open faces touch it.
    fn find_points(&mut self) {
        let mut left = self.holes;
        while let Some(first) = left.first() {
            let mut point = Point::default();
            let mut front = ProvinceSet::single(first);
            while let Some(hole) = front.first() {
                front.remove(hole);
                left.remove(hole);
                point.holes.insert(hole);
                let around = self.neighbours[hole.index()];
                front |= around & left;
                point.land |= around & self.board.land;
                point.sea |= around & self.board.sea;
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
        for (id, _) in self.map.faces() {
            let first = self.board.stations.len();
            let contacts = self.board.contacts.len() as u32;
            let (is_land, is_sea) = (self.board.land.contains(id), self.board.sea.contains(id));
            if !(is_land || is_sea) {
                self.board.rows.push(Row::NOTHING);
                continue;
            }
            if is_sea {
                self.add_station(id, 0, (contacts, contacts));
            } else if self.archipelagos.contains(id) {
                self.board.contacts.extend(self.map.sides_of(id));
                self.add_station(id, 0, (contacts, self.board.contacts.len() as u32));
            } else if self.neighbours[id.index()].intersects(&self.wet) {
                self.find_runs(id);
                match self.runs[..] {
                    [Run { begin, end, .. }] => self.add_station(id, 0, (begin, end)),
                    _ => {
                        self.join_runs(id);
                        self.sort_coasts(id, contacts);
                    }
                }
            }
            let coasts = self.board.stations.len() - first;
            if coasts > 1 {
                self.several.insert(id);
            }
            let army =
                if is_land { self.neighbours[id.index()] & self.board.land } else { ProvinceSet::EMPTY };
            let (first_station, coasts) = (first as u16, coasts as u8);
            self.board.rows.push(Row { army, first_station, coasts, ..Row::NOTHING });
        }
    }

    fn add_station(&mut self, province: ProvinceId, coast: u8, contacts: (u32, u32)) {
        let at = Location { province, coast: CoastId(coast) };
        self.board.stations.push(Station::new(at, contacts));
    }

    /// Appends the water sides of a land face to the contacts, run by run, and notes where a run begins at a corner.
    fn find_runs(&mut self, id: ProvinceId) {
        let Derivation { map, board: Board { land, contacts, .. }, water, wet, runs, corners, .. } = self;
        let across = |side| map.across(side);
        runs.clear();
        for head in map.cycles_of(id) {
            // Start behind a dry side, so that no run is begun in its middle; if all is water, anywhere.
            let start = map.cycle(head).find(|&side| !wet.contains(across(side))).unwrap_or(head);
            let mut before_was_water = false;
            for side in map.cycle(start) {
                let is_water = wet.contains(across(side));
                if is_water {
                    if !before_was_water {
                        let at = contacts.len() as u32;
                        runs.push(Run { begin: at, end: at, coast: runs.len() });
                        if water.contains(across(side)) && land.contains(across(map.prev(side))) {
                            corners.push(side);
                        }
                    }
                    contacts.push(side);
                } else if before_was_water && let Some(run) = runs.last_mut() {
                    run.end = contacts.len() as u32;
                }
                before_was_water = is_water;
            }
            if before_was_water && let Some(run) = runs.last_mut() {
                run.end = contacts.len() as u32;
            }
        }
    }

    /// Makes one coast of the runs that waterways join.
    fn join_runs(&mut self, id: ProvinceId) {
        for waterway in self.map.waterways_of(id) {
            let joined = self.joined_by(waterway, id);
            for pair in joined.windows(2) {
                let at = |side| self.runs.iter().find(|run| run.of(&self.board.contacts).contains(side));
                let (Some(x), Some(y)) = (at(&pair[0]), at(&pair[1])) else { continue };
                // The runs of the later coast go behind those of the earlier.
                let (kept, gone) = (x.coast.min(y.coast), x.coast.max(y.coast));
                self.runs.iter_mut().filter(|run| run.coast == gone).for_each(|run| run.coast = kept);
                self.runs.sort_by_key(|run| run.coast);
            }
        }
    }

    /// Gives each coast of a land face a station, with its contacts behind `begin`. Coasts go by the faces they touch,
    /// of which the lowest mostly decides; those on the same by their places in print, for ids of borders tell how
    /// the map came about.
    fn sort_coasts(&mut self, id: ProvinceId, begin: u32) {
        let mut aside = std::mem::take(&mut self.aside);
        aside.clear();
        let mut coasts: Vec<Run> = Vec::with_capacity(self.runs.len());
        for &run in &self.runs {
            let at = aside.len() as u32;
            aside.extend(run.of(&self.board.contacts));
            let end = aside.len() as u32;
            match coasts.last_mut() {
                Some(last) if last.coast == run.coast => last.end = end,
                _ => coasts.push(Run { begin: at, end, ..run }),
            }
        }
        let across = |coast: &Run| coast.of(&aside).iter().map(|&side| self.map.across(side));
        let touched = |coast: &Run| {
            let mut faces: Vec<ProvinceId> = across(coast).collect();
            faces.sort_unstable();
            faces
        };
        let printed = LazyCell::new(|| self.map.printed_cycles(id).concat());
        let place = |coast: &Run| printed.iter().position(|side| coast.of(&aside).contains(side));
        coasts.sort_by(|a, b| {
            let by_lowest = across(a).min().cmp(&across(b).min());
            by_lowest.then_with(|| touched(a).cmp(&touched(b))).then_with(|| place(a).cmp(&place(b)))
        });
        self.board.contacts.truncate(begin as usize);
        coasts.truncate(usize::from(u8::MAX)); // what a CoastId can count
        for (coast, run) in coasts.into_iter().enumerate() {
            let begin = self.board.contacts.len() as u32;
            self.board.contacts.extend(run.of(&aside));
            self.add_station(id, coast as u8, (begin, self.board.contacts.len() as u32));
        }
        self.aside = aside;
    }

    /// The water sides of this face that one of its waterways joins; none unless there is water at both ends.
    fn joined_by(&self, waterway: &Waterway, id: ProvinceId) -> Vec<SideId> {
        let sides: Vec<SideId> = match waterway {
            Waterway::Canal { ends, .. } => {
                // An end that has been cut is where water is at any of its pieces.
                let wet = |border| self.map.side_of(border, id).filter(|&side| self.is_water(side));
                let [x, y] = ends.each_ref().map(|end| end.borders().filter_map(wet).collect::<Vec<_>>());
                return if x.is_empty() || y.is_empty() { Vec::new() } else { [x, y].concat() };
            }
            Waterway::Strait { border, .. } => {
                let sides = self.map.side_of(*border, id).into_iter();
                sides.flat_map(|side| [self.map.prev(side), self.map.next(side)]).collect()
            }
            Waterway::Passage { seas, .. } => {
                self.map.sides_of(id).filter(|&side| seas.contains(&self.map.across(side))).collect()
            }
        };
        if sides.iter().all(|&side| self.is_water(side)) { sides } else { Vec::new() }
    }

    /// Enters where fleets may sail: over every side where there is water, round the corners of the coasts, then
    /// through every point.
    fn link_stations(&mut self) {
        let passable = self.board.passable();
        for station in &mut self.board.stations[1..] {
            let id = station.at.province;
            let next_to = self.neighbours[id.index()];
            // Who lies next to water has a coast there. A coast that is the only one has all the water round its land.
            station.reach = if self.water.contains(id) {
                next_to & passable
            } else if !self.several.contains(id) {
                next_to & self.water
            } else {
                let contacts = &self.board.contacts[station.contacts.0 as usize..station.contacts.1 as usize];
                contacts.iter().map(|&contact| self.map.across(contact)).collect::<ProvinceSet>() & self.water
            };
        }
        for contact in std::mem::take(&mut self.corners) {
            self.link_round(contact);
        }
        for point in std::mem::take(&mut self.points) {
            self.link_through(&point);
        }
    }

    /// A fleet passes where water ends the border of two lands, between the two coasts that contain that contact.
    ///
    /// ```text
    ///         neighbour    │      owner
    ///    ──────────────────●───────────────────
    ///     prev(border) →       contact →
    ///    ~~~~~~~~~~~~~~ the water ~~~~~~~~~~~~~
    /// ```
    fn link_round(&mut self, contact: SideId) {
        let border = self.map.prev(contact).twin();
        let (Some(x), Some(y)) = (self.coast_at(contact), self.coast_at(self.map.prev(border))) else {
            return;
        };
        let stations = &mut self.board.stations;
        let (owner, neighbour) = (stations[x].at.province, stations[y].at.province);
        stations[x].reach.insert(neighbour);
        stations[y].reach.insert(owner);
        if self.several.contains(owner) && self.several.contains(neighbour) {
            self.pairs.extend([[x as u16, y as u16], [y as u16, x as u16]]);
        }
    }

    /// The station of the coast that a water side of a land face is part of.
    #[inline]
    fn coast_at(&self, side: SideId) -> Option<usize> {
        let row = &self.board.rows[self.map.owner(side).index()];
        let mut stations = row.stations();
        if row.coasts == 1 {
            stations.next()
        } else {
            stations.find(|&coast| self.contacts(coast).contains(&side))
        }
    }

    #[inline]
    fn contacts(&self, station: usize) -> &[SideId] {
        let (begin, end) = self.board.stations[station].contacts;
        &self.board.contacts[begin as usize..end as usize]
    }

    /// Everything that touches a point meets everything else there (rules.md 1.4).
    fn link_through(&mut self, point: &Point) {
        for id in point.land {
            self.board.rows[id.index()].army |= point.land - ProvinceSet::single(id);
        }
        if !point.wet {
            return;
        }
        let around = point.land | point.sea;
        let mut met: Vec<usize> = Vec::new();
        for id in around {
            let row = &self.board.rows[id.index()];
            let touches = |&station: &usize| {
                self.contacts(station).iter().any(|&side| point.holes.contains(self.map.across(side)))
            };
            met.extend(row.stations().filter(|station| row.coasts == 1 || touches(station)));
        }
        let stations = &mut self.board.stations;
        for &station in &met {
            // Two coasts of one province that touch one point are no way from one to the other.
            let Station { at, reach, .. } = &mut stations[station];
            *reach |= around - ProvinceSet::single(at.province);
        }
        let at = |station: usize| stations[station].at.province;
        met.retain(|&station| self.several.contains(at(station)));
        for &from in &met {
            let others = met.iter().filter(|&&to| at(to) != at(from));
            self.pairs.extend(others.map(|&to| [from as u16, to as u16]));
        }
    }

    /// Reads the reach sets of stations out into sorted destinations.
    fn fill_destinations(&mut self) {
        let Board { sea, rows, stations, destinations, .. } = &mut self.board;
        for station in 0..stations.len() {
            let Station { at: Location { province: from, .. }, reach, .. } = stations[station];
            if reach.is_empty() {
                continue; // so is nowhere, the first station
            }
            let begin = destinations.len();
            reach.iter().for_each(|to| {
                if !self.several.contains(to) {
                    return destinations.push(Location::from(to));
                }
                // Links go both ways: where the coasts there reach tells to which of them this station is linked.
                let linked = |there: &usize| match self.several.contains(from) {
                    false => stations[*there].reach.contains(from),
                    true => self.pairs.contains(&[station as u16, *there as u16]),
                };
                let there = rows[to.index()].stations().filter(linked);
                there.for_each(|there| destinations.push(stations[there].at));
            });
            stations[station].moves = (begin as u32, destinations.len() as u32);
            let row = &mut rows[from.index()];
            row.fleet |= reach;
            row.seas_next_to |= reach & *sea;
        }
    }
}
