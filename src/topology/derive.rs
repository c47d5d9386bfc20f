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

use std::cell::LazyCell;

use super::board::{Board, Row, Station};
use super::map::{FaceKind, FaceState, PlanarMap, SideId, Waterway};
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
    /// For each side of a land face that is water the station of its coast; [`DRY`] otherwise.
    station_of: Vec<u16>,
    /// The runs of water round the face at hand, coast by coast.
    runs: Vec<Run>,
    /// Where its contacts lie while they are put in order.
    aside: Vec<SideId>,
    /// Adjacency of stations: a row of bits over stations for each.
    links: Vec<u64>,
    words_in_row: usize,
    /// The stations that meet at the point at hand, as such a row.
    met: Vec<u64>,
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
            rows: vec![Row::NOTHING; map.faces.len()],
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
            station_of: vec![DRY; map.sides.len()],
            runs: Vec::new(),
            aside: Vec::new(),
            links: Vec::new(),
            words_in_row: 0,
            met: Vec::new(),
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
        for id in self.board.passable() {
            let first = self.board.stations.len();
            let contacts = self.board.contacts.len() as u32;
            if self.board.sea.contains(id) {
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
            let row = &mut self.board.rows[id.index()];
            row.first_station = first as u16;
            row.coasts = (self.board.stations.len() - first) as u8;
            if self.board.land.contains(id) {
                row.army = self.neighbours[id.index()] & self.board.land;
            }
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
        for head in map.cycles_of(id) {
            // Start behind a dry side, so that no run is begun in its middle; if all is water, anywhere.
            let start = map.cycle(head).find(|&side| !self.is_water(side)).unwrap_or(head);
            let mut before_was_water = false;
            for side in map.cycle(start) {
                let water = self.is_water(side);
                if water {
                    let at = self.board.contacts.len() as u32;
                    self.board.contacts.push(side);
                    match self.runs.last_mut() {
                        Some(run) if before_was_water => run.end = at + 1,
                        _ => self.runs.push(Run { begin: at, end: at + 1, coast: self.runs.len() }),
                    }
                }
                before_was_water = water;
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

    /// The water sides of this face that one of its waterways joins; none unless all are water.
    fn joined_by(&self, waterway: &Waterway, id: ProvinceId) -> Vec<SideId> {
        let sides: Vec<SideId> = match waterway {
            Waterway::Canal { terminals, .. } => {
                terminals.iter().filter_map(|&end| self.map.side_of(end, id)).collect()
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

    /// Enters where fleets may sail: from sea to sea, from the contacts of every coast, then through every point.
    fn link_stations(&mut self) {
        self.words_in_row = self.board.stations.len().div_ceil(64);
        self.links = vec![0; self.board.stations.len() * self.words_in_row];
        for station in 1..self.board.stations.len() as u16 {
            let Station { at, contacts: (begin, end), .. } = self.board.stations[usize::from(station)];
            if self.board.sea.contains(at.province) {
                for sea in self.neighbours[at.province.index()] & self.board.sea {
                    self.enter(station, self.board.rows[sea.index()].first_station);
                }
            }
            let is_archipelago = self.archipelagos.contains(at.province);
            for contact in begin..end {
                self.link_contact(station, is_archipelago, self.board.contacts[contact as usize]);
            }
        }
        for point in std::mem::take(&mut self.points) {
            self.link_through(&point);
        }
    }

    /// What a coast is joined to at one of its contacts: the water across, and the neighbour's coast where the
    /// contact begins.
    ///
    /// ```text
    ///         neighbour    │      owner
    ///    ──────────────────●───────────────────
    ///     prev(border) →       contact →
    ///    ~~~~~~~~~~~~~~ the water ~~~~~~~~~~~~~
    /// ```
    fn link_contact(&mut self, station: u16, is_archipelago: bool, contact: SideId) {
        let across = self.map.across(contact);
        let is_water = self.water.contains(across);
        if self.board.sea.contains(across) {
            self.link(station, self.board.rows[across.index()].first_station);
        } else if is_water || is_archipelago {
            self.link_coast(station, contact.twin());
        }
        // A fleet passes where water ends the border of two lands, between the two coasts that contain that contact.
        let border = self.map.prev(contact).twin();
        if is_water && self.board.land.contains(self.map.owner(border)) {
            self.link_coast(station, self.map.prev(border));
        }
    }

    #[inline]
    fn link_coast(&mut self, station: u16, contact: SideId) {
        let coast = self.station_of[contact.index()];
        if coast != DRY {
            self.link(station, coast);
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
        // All stations at the point, as one more row of links.
        let mut met = std::mem::take(&mut self.met);
        met.clear();
        met.resize(self.words_in_row, 0u64);
        let mut meet = |station: u16| met[usize::from(station / 64)] |= 1 << (station % 64);
        for sea in point.sea {
            meet(self.board.rows[sea.index()].first_station);
        }
        for side in point.holes.iter().flat_map(|hole| self.map.sides_of(hole)) {
            let coast = self.station_of[side.twin().index()];
            if coast != DRY {
                meet(coast);
            }
        }
        for_each_bit(&met, |station| {
            let row = &mut self.links[station * self.words_in_row..][..self.words_in_row];
            row.iter_mut().zip(&met).for_each(|(links, met)| *links |= met);
        });
        self.met = met;
    }

    #[inline]
    fn link(&mut self, x: u16, y: u16) {
        self.enter(x, y);
        self.enter(y, x);
    }

    #[inline]
    fn enter(&mut self, from: u16, to: u16) {
        self.links[usize::from(from) * self.words_in_row + usize::from(to / 64)] |= 1 << (to % 64);
    }

    /// Reads the links of stations out into reach sets and sorted destinations.
    fn fill_destinations(&mut self) {
        let Board { sea, rows, stations, destinations, .. } = &mut self.board;
        for (station, links) in self.links.chunks_exact(self.words_in_row).enumerate() {
            let from = stations[station].at.province;
            let begin = destinations.len();
            let mut reach = ProvinceSet::EMPTY;
            for_each_bit(links, |to| {
                let to = stations[to].at;
                // Two coasts of one province that touch one point are no way from one to the other.
                if to.province != from {
                    destinations.push(to);
                    reach.insert(to.province);
                }
            });
            if reach.is_empty() {
                continue; // so is nowhere, the first station
            }
            stations[station].moves = (begin as u32, destinations.len() as u32);
            stations[station].reach = reach;
            let row = &mut rows[from.index()];
            row.fleet |= reach;
            row.seas_next_to |= reach & *sea;
        }
    }
}

/// Calls `f` with the place of every bit that is set in a row of words, in order.
#[inline]
fn for_each_bit(words: &[u64], mut f: impl FnMut(usize)) {
    for (word, &bits) in words.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            f(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}
