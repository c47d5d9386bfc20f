//! The coasts of a face: which of its half-edges are water, and which of these form one coast.

use std::cell::LazyCell;

use super::Derivation;
use crate::ids::{CoastId, Location, ProvinceId};
use crate::topology::board::{Row, Station, Was};
use crate::topology::half_edge::HalfEdgeId;
use crate::topology::waterway::Waterway;

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
    pub(super) fn place_coasts(&mut self, id: ProvinceId) {
        let was = *self.board.row(id);
        self.board.was.push(Was { province: id, first_station: was.first_station, coasts: was.coasts });
        let first = self.board.stations.len();
        let is_land = self.board.land.contains(id);
        if is_land {
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
