//! Turns the planar map into the tables of play: who may move where, and what coasts there are (rules.md 1.2
//! to 1.5). None of this is tabulated by hand. [`derive()`] makes the tables of a map; [`Board::follow`]
//! rebuilds only the parts that a change of the map has affected.
//!
//! Round a land face, every half-edge is *water* or *dry*. A coast is a maximal run of water half-edges:
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
//! A half-edge is water if the face across is a sea, or a collapsed face whose point some sea touches. A
//! connected group of collapsed faces is one point, at which all faces around it meet.
//!
//! An archipelago (rules.md 4.9) is land for armies and convoys, and a sea wherever a rule about fleets asks
//! for one: across a half-edge, at the end of a border, at a point. All of its own half-edges are water:
//!
//! ```text
//!                       SKA NTH HEL  KIE  BAL  SWE
//! Denmark               ~~~~~~~~~~~   ·   ~~~   ·        two runs, one coast while the strait joins them
//! as an archipelago     ~~~~~~~~~~~~~~~~~~~~~~~~~        one coast, whatever lies across
//! ```
//!
//! Ice is the opposite: land for armies, and dry on both sides of each of its half-edges. Fleets never come to
//! it, neither past the end of a border nor at a point.
//!
//! The tables' entry for a face depends on its own boundary, on the faces across it, and on the points it
//! touches. A change is therefore propagated from the faces it has touched:
//!
//! ```text
//!        ·   ·   ·   ·             H: kind or state has changed. Land and seas are sorted again
//!      ·   r   r   r   ·           n: next to H, or next to a hole whose point has become wet, or at a point
//!    ·   n   n   n   r   ·            that H is part of or touches: coasts and links are rebuilt
//!      r   n   H   n   ·           r: a fleet here can reach an n with several coasts: the coasts that it
//!    ·   n   n   n   ·                reaches are looked up again
//!      ·   r   ·   ·               ·: unchanged
//! ```
//!
//! The tables are append-only, so that the state of a province before the change remains available
//! ([`Board::former`]). Unreferenced entries are dropped once they outnumber the others.

use std::cell::LazyCell;

use crate::ids::{CoastId, Location, ProvinceId, ProvinceSet};
use crate::topology::board::{Board, Ground, Point, Row, Station, Was};
use crate::topology::half_edge::{FaceKind, HalfEdgeId};
use crate::topology::map::PlanarMap;
use crate::topology::waterway::Waterway;

/// The tables of a map. This is a pure function of the map: the same map gives the same tables, however it
/// was reached.
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
    let mut board = Board::empty(map.faces.len());
    let all = map.faces().map(|(id, _)| id).collect();
    Derivation::new(map, &mut board).follow(all, all);
    board.seal();
    board
}

impl Board {
    /// Updates the tables, which must be those of the map before its last change
    /// ([`super::NamedMap::begin_change`]), to those of the map as it is now. [`Board::former`] gives access to
    /// the state before.
    ///
    /// ```
    /// use upheaval_map::topology::{atlas, derive};
    /// let mut chart = atlas::standard();
    /// let mut board = derive(chart.map());
    /// let marseilles = chart.map().find("MAR").unwrap();
    /// chart.begin_change();
    /// chart.collapse(marseilles)?;
    /// board.follow(chart.map());
    /// assert_eq!(board, derive(chart.map()));
    /// assert_eq!((board.coasts(marseilles), board.former().coasts(marseilles)), (0, 1));
    /// # Ok::<(), upheaval_map::topology::SurgeryError>(())
    /// ```
    pub fn follow(&mut self, map: &PlanarMap) {
        self.forget();
        Derivation::new(map, self).follow(map.touch.made, map.touch.bounded);
    }
}

/// The faces for which something is rebuilt.
struct Affected {
    /// Faces whose coasts and neighbours are rebuilt.
    coasts: ProvinceSet,
    /// Faces whose destinations are rebuilt; includes those above.
    links: ProvinceSet,
}

struct Derivation<'a> {
    map: &'a PlanarMap,
    board: &'a mut Board,
    /// The faces that had or have several coasts, and whose coasts changed.
    recoasted: ProvinceSet,
    /// Faces from which fleets could or can reach one of these.
    reached: ProvinceSet,
}

impl<'a> Derivation<'a> {
    fn new(map: &'a PlanarMap, board: &'a mut Board) -> Self {
        Derivation { map, board, recoasted: ProvinceSet::EMPTY, reached: ProvinceSet::EMPTY }
    }

    /// Rebuilds the tables, given the faces that are new or changed their kind or state, and those whose
    /// boundary changed.
    fn follow(mut self, made: ProvinceSet, bounded: ProvinceSet) {
        self.sort_faces();
        for id in bounded {
            self.board.ground.neighbours[id.index()] = self.map.neighbours_of(id);
        }
        let Affected { coasts, links } = self.find_points(made, bounded);
        for id in coasts {
            self.place_coasts(id);
            self.link(id);
        }
        for id in links {
            self.meet(id);
        }
        for id in self.recoasted {
            self.reached |= self.board.row(id).fleet;
        }
        for id in links | self.reached {
            self.list_coasts(id);
        }
    }

    /// Sorts the faces into land, seas and holes, and makes room for new faces.
    fn sort_faces(&mut self) {
        let (map, Board { land, sea, rows, ground, .. }) = (self.map, &mut *self.board);
        rows.resize(map.faces.len(), Row::NOTHING);
        ground.neighbours.resize(map.faces.len(), ProvinceSet::EMPTY);
        let open = |kind| map.of_kind(kind) - map.sorted.collapsed - map.sorted.void;
        (ground.shores, ground.ice, *sea) = (open(FaceKind::Land), open(FaceKind::Ice), open(FaceKind::Sea));
        *land = ground.shores | ground.ice;
        ground.holes = map.sorted.collapsed;
        ground.archipelagos = *map.archipelagos() & ground.shores;
        ground.water = *sea | ground.archipelagos;
    }

    /// Groups the collapsed faces into points, each with the open faces that touch it, and determines what
    /// must be rebuilt.
    fn find_points(&mut self, made: ProvinceSet, bounded: ProvinceSet) -> Affected {
        let Board { land, sea, ground, .. } = &mut *self.board;
        let Ground { neighbours, holes, points, water, wet, .. } = ground;
        let touched = made | bounded;
        let was_wet = std::mem::replace(wet, *water);
        let (mut coasts, mut rims) = (touched, ProvinceSet::EMPTY);
        points.clear();
        let mut left = *holes;
        while let Some(first) = left.first() {
            let mut point = Point::default();
            let mut front = ProvinceSet::single(first);
            while let Some(hole) = front.first() {
                front.remove(hole);
                left.remove(hole);
                point.holes.insert(hole);
                point.rim |= neighbours[hole.index()];
                front |= neighbours[hole.index()] & left;
            }
            point.rim -= point.holes;
            (point.land, point.sea) = (point.rim & *land, point.rim & *sea);
            point.wet = point.rim.intersects(water);
            if point.wet {
                *wet |= point.holes;
            }
            if (point.holes | point.rim).intersects(&touched) {
                rims |= point.rim;
            }
            points.push(point);
        }
        for id in made | (*wet - was_wet) | (was_wet - *wet) {
            coasts |= neighbours[id.index()];
        }
        Affected { coasts, links: coasts | rims }
    }
}

// The coasts of a face: which of its half-edges are water, and which of these form one coast.

/// A run of water half-edges: a range of a list of them.
#[derive(Clone, Copy)]
struct Run {
    begin: u32,
    end: u32,
    /// Identifies the coast; runs of one coast share it.
    coast: usize,
}

impl Run {
    fn of(self, sides: &[HalfEdgeId]) -> &[HalfEdgeId] {
        &sides[self.begin as usize..self.end as usize]
    }
}

impl Derivation<'_> {
    /// Replaces the stations of a face: one for a sea, one for each coast of a land province.
    fn place_coasts(&mut self, id: ProvinceId) {
        let was = *self.board.row(id);
        self.board.was.push(Was { province: id, first_station: was.first_station, coasts: was.coasts });
        let first = self.board.stations.len();
        if self.board.ground.shores.contains(id) {
            self.add_coasts(id);
        } else if self.board.sea.contains(id) {
            self.add_station(id, 0);
        }
        let coasts = self.board.stations.len() - first;
        for (set, least) in [(&mut self.board.harbours, 1), (&mut self.board.several, 2)] {
            match coasts >= least {
                true => set.insert(id),
                false => set.remove(id),
            }
        }
        let row = Row { first_station: first as u16, coasts: coasts as u8, ..Row::NOTHING };
        self.board.rows[id.index()] = row;
        let same = |(old, new)| self.contacts(old) == self.contacts(new);
        let as_before = was.stations().len() == coasts && was.stations().zip(row.stations()).all(same);
        let one_of_each = was.coasts <= 1 && coasts <= 1;
        if !(one_of_each || as_before) {
            self.recoasted.insert(id);
            self.reached |= was.fleet;
        }
    }

    /// Appends a station with the contacts that have been added since the last one.
    fn add_station(&mut self, province: ProvinceId, coast: u8) {
        let begin = self.board.stations.last().map_or(0, |last| last.contacts.1);
        let at = Location { province, coast: CoastId(coast) };
        self.board.stations.push(Station::new(at, (begin, self.board.contacts.len() as u32)));
    }

    /// Is there water across this half-edge of a land face? (Not called for archipelagos.)
    #[inline]
    fn is_water(&self, side: HalfEdgeId) -> bool {
        self.board.ground.wet.contains(self.map.across(side))
    }

    /// Adds the stations of a land face.
    fn add_coasts(&mut self, id: ProvinceId) {
        let (map, ground) = (self.map, &self.board.ground);
        if ground.archipelagos.contains(id) {
            self.board.contacts.extend(map.sides_of(id));
            return self.add_station(id, 0);
        }
        if !ground.neighbours[id.index()].intersects(&ground.wet) {
            return;
        }
        let wet = ground.wet;
        let is_water = |side: HalfEdgeId| wet.contains(map.across(side));
        let begin = self.board.contacts.len();
        let mut runs = 0;
        for head in map.cycles_of(id) {
            // Start after a dry half-edge, so that no run is split; if all half-edges are water, start
            // anywhere.
            let start = map.cycle(head).find(|&side| !is_water(side)).unwrap_or(head);
            let mut before_was_water = false;
            for side in map.cycle(start) {
                let water = is_water(side);
                runs += usize::from(water && !before_was_water);
                if water {
                    self.board.contacts.push(side);
                }
                before_was_water = water;
            }
        }
        match runs {
            1 => self.add_station(id, 0),
            _ => self.add_several(id, begin),
        }
    }

    /// Adds a station for each coast of a land face with several runs of water; its contacts replace those
    /// from `begin` on.
    fn add_several(&mut self, id: ProvinceId, begin: usize) {
        let found = self.board.contacts.split_off(begin);
        let mut runs: Vec<Run> = Vec::with_capacity(found.len());
        for (at, &side) in (0..).zip(&found) {
            match runs.last_mut() {
                // A run continues if the next half-edge of the face is water.
                Some(run) if found[at - 1] == self.map.prev(side) => run.end += 1,
                _ => runs.push(Run { begin: at as u32, end: at as u32 + 1, coast: runs.len() }),
            }
        }
        self.join_runs(id, &found, &mut runs);
        // The runs of each coast, one after another.
        let mut sides: Vec<HalfEdgeId> = Vec::with_capacity(found.len());
        let mut coasts: Vec<Run> = Vec::with_capacity(runs.len());
        for &run in &runs {
            let at = sides.len() as u32;
            sides.extend(run.of(&found));
            let end = sides.len() as u32;
            match coasts.last_mut() {
                Some(last) if last.coast == run.coast => last.end = end,
                _ => coasts.push(Run { begin: at, end, ..run }),
            }
        }
        self.sort_coasts(id, &sides, &mut coasts);
        coasts.truncate(usize::from(u8::MAX)); // the range of a CoastId
        for (coast, run) in (0..).zip(coasts) {
            self.board.contacts.extend(run.of(&sides));
            self.add_station(id, coast);
        }
    }

    /// Joins runs that waterways connect into one coast.
    fn join_runs(&self, id: ProvinceId, sides: &[HalfEdgeId], runs: &mut [Run]) {
        for waterway in self.map.waterways_of(id) {
            let joined = self.joined_by(waterway, id);
            for pair in joined.windows(2) {
                let at = |side| runs.iter().find(|run| run.of(sides).contains(side));
                let (Some(x), Some(y)) = (at(&pair[0]), at(&pair[1])) else { continue };
                // The runs of the later coast are placed after those of the earlier.
                let (kept, gone) = (x.coast.min(y.coast), x.coast.max(y.coast));
                runs.iter_mut().filter(|run| run.coast == gone).for_each(|run| run.coast = kept);
                runs.sort_by_key(|run| run.coast);
            }
        }
    }

    /// Sorts the coasts of a face. They are compared by the faces they touch, of which the lowest usually
    /// decides; coasts that touch the same faces are compared by their positions in print, because border ids
    /// depend on how the map was reached.
    fn sort_coasts(&self, id: ProvinceId, sides: &[HalfEdgeId], coasts: &mut [Run]) {
        let across = |coast: &Run| coast.of(sides).iter().map(|&side| self.map.across(side));
        let touched = |coast: &Run| {
            let mut faces: Vec<ProvinceId> = across(coast).collect();
            faces.sort_unstable();
            faces
        };
        let printed = LazyCell::new(|| self.map.printed_cycles(id).concat());
        let place = |coast: &Run| printed.iter().position(|side| coast.of(sides).contains(side));
        coasts.sort_by(|a, b| {
            let by_lowest = across(a).min().cmp(&across(b).min());
            by_lowest.then_with(|| touched(a).cmp(&touched(b))).then_with(|| place(a).cmp(&place(b)))
        });
    }

    /// The water half-edges of this face that one of its waterways joins; empty unless there is water at both
    /// ends.
    fn joined_by(&self, waterway: &Waterway, id: ProvinceId) -> Vec<HalfEdgeId> {
        let sides: Vec<HalfEdgeId> = match waterway {
            Waterway::Canal { ends, .. } => {
                // An end that has been cut is wherever one of its pieces has water.
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
}

// The moves of fleets: over every half-edge with water, round the corners of the coasts, and through points.
//
// A fleet passes where water ends the border of two land provinces, between the two coasts that contain that
// corner:
//
// ```text
//           other      │        face
//    ──────────────────●───────────────────
//     on the far coast     contact →
//    ~~~~~~~~~~~~~~ the water ~~~~~~~~~~~~~
// ```

impl Derivation<'_> {
    /// Enters the destinations of the stations of a face over its half-edges and round its corners, without
    /// coasts.
    fn link(&mut self, id: ProvinceId) {
        let Board { sea, rows, stations, contacts, ground, .. } = &mut *self.board;
        let row = rows[id.index()];
        let next_to = ground.neighbours[id.index()];
        let mainland = ground.shores - ground.archipelagos;
        for station in &mut stations[row.stations()] {
            if ground.water.contains(id) {
                station.beside = next_to & (ground.shores | *sea);
                continue;
            }
            // A single coast has all the water round its land.
            let only = row.coasts == 1;
            let mut beside = if only { next_to & ground.water } else { ProvinceSet::EMPTY };
            for &contact in station.contacts(contacts) {
                let across = self.map.across(contact);
                if !ground.water.contains(across) {
                    continue;
                }
                if !only {
                    beside.insert(across);
                }
                for end in [self.map.prev(contact), self.map.next(contact)] {
                    let other = self.map.across(end);
                    if mainland.contains(other) {
                        beside.insert(other);
                    }
                }
            }
            station.beside = beside;
        }
    }

    /// Enters the destinations of armies from this face and of fleets from its stations: over half-edges and
    /// corners, and through points. Everything that touches a point meets everything else there (rules.md
    /// 1.4); a fleet cannot pass through a point between two coasts of one province.
    fn meet(&mut self, id: ProvinceId) {
        let Board { land, sea, rows, stations, contacts, ground, .. } = &mut *self.board;
        let row = &mut rows[id.index()];
        let is_land = land.contains(id);
        row.army = if is_land { ground.neighbours[id.index()] & *land } else { ProvinceSet::EMPTY };
        let stations = &mut stations[row.stations()];
        for station in &mut *stations {
            (station.reach, station.points) = (station.beside, ProvinceSet::EMPTY);
        }
        for point in ground.points.iter().filter(|point| point.rim.contains(id)) {
            let others = (point.land | point.sea) - ProvinceSet::single(id);
            if is_land {
                row.army |= others & *land;
            }
            if !point.wet {
                continue;
            }
            let others = others - ground.ice;
            if let [station] = &mut *stations {
                station.reach |= others;
                continue;
            }
            let name = point.holes.first().map_or(ProvinceSet::EMPTY, ProvinceSet::single);
            for station in &mut *stations {
                if station.contacts(contacts).iter().any(|&side| point.holes.contains(self.map.across(side)))
                {
                    station.reach |= others;
                    station.points |= name;
                }
            }
        }
        row.fleet = stations.iter().fold(ProvinceSet::EMPTY, |all, station| all | station.reach);
        row.seas_next_to = row.fleet & *sea;
    }

    #[inline]
    fn contacts(&self, station: usize) -> &[HalfEdgeId] {
        self.board.stations[station].contacts(&self.board.contacts)
    }

    /// Lists the reachable coasts of provinces with several coasts, for the stations of a face.
    fn list_coasts(&mut self, id: ProvinceId) {
        let Board { rows, stations, destinations, contacts, several, ground, .. } = &mut *self.board;
        let from_several = several.contains(id);
        for number in rows[id.index()].stations() {
            let begin = destinations.len() as u32;
            let station = stations[number];
            (station.reach & *several).iter().for_each(|to| {
                // Links are symmetric: the coast's own reach decides, unless both provinces have several
                // coasts.
                let linked = |coast: &&Station| match from_several {
                    false => coast.reach.contains(id),
                    true => are_linked(self.map, &ground.water, contacts, [&station, coast]),
                };
                let coasts = stations[rows[to.index()].stations()].iter();
                destinations.extend(coasts.filter(linked).map(|coast| coast.at));
            });
            stations[number].coasts = (begin, destinations.len() as u32);
        }
    }
}

/// Can fleets move between the two stations, each of which is one of several coasts of its province?
fn are_linked(
    map: &PlanarMap,
    water: &ProvinceSet,
    contacts: &[HalfEdgeId],
    [here, there]: [&Station; 2],
) -> bool {
    let to = there.at.province;
    let round_a_corner = |&contact: &HalfEdgeId| {
        let (prev, next) = (map.prev(contact), map.next(contact));
        water.contains(map.across(contact))
            && (map.across(prev) == to && there.contacts(contacts).contains(&map.prev(prev.twin()))
                || map.across(next) == to && there.contacts(contacts).contains(&map.next(next.twin())))
    };
    here.points.intersects(&there.points)
        || here.beside.contains(to) && here.contacts(contacts).iter().any(round_a_corner)
}
