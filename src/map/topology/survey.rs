//! The measures of a map, updated from those of the map before: most of what a change of the map leaves
//! intact is not measured again.
//!
//! ```text
//!   board ──▶ movement: three graphs, row by row ─┬─ army: a changed row?  ──▶ components, diameter, cut vertices
//!             (which rows have changed?)          ├─ fleet: a changed row? ──▶ the same
//!                                                 └─ any: which rows? ───────▶ islands, steps from homes ──▶ distances
//! ```
//!
//! The cached state affects only the running time: [`Survey::new`] and any chain of [`Survey::follow`] give
//! the same result.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::board::Board;
use super::named_map::NamedMap;
use crate::ids::{ByPower, MAX_PROVINCES, ProvinceId, ProvinceSet};
use crate::topology::graph::{Bits, narrow};
use crate::topology::half_edge::{FaceKind, FaceState};
use crate::topology::metrics::{HomeDistances, LANES, Metrics, Movement, NO_WAY, Shores, Ways, mean};

/// The measures of a map, and the state from which the next map is measured.
#[derive(Clone)]
pub struct Survey {
    metrics: Arc<Metrics>,
    distances: Arc<HomeDistances>,
    /// The number of provinces of the map.
    provinces: usize,
    /// The homes to which the distances refer.
    homes: Option<ByPower<ProvinceSet>>,
    kept: Kept,
}

/// The variants differ in the number of words of the sets of provinces and of places for fleets. A map of 256
/// faces, three of which meet at each corner, has no more than 3 · 256 − 6 borders, and so 1524 half-edges. A
/// place for a fleet is either the only one of its province, of which there are 256, or one of several
/// coasts. Each of several coasts has a wet half-edge, whose twin is in the water, and a dry half-edge before
/// the next coast: so there are at most 508 of those.
#[derive(Clone)]
enum Kept {
    Nothing,
    Small(Box<State<2, 2>>),
    Large(Box<State<4, 4>>),
    Largest(Box<State<4, { (256 + 508_usize).div_ceil(64) }>>),
}

impl Survey {
    /// Measures a chart and its tables.
    pub(crate) fn new(chart: &NamedMap, board: &Board, homes: &ByPower<ProvinceSet>) -> Survey {
        let (metrics, distances) = Default::default();
        let mut survey = Survey { metrics, distances, provinces: 0, homes: None, kept: Kept::Nothing };
        survey.follow(chart, board, homes);
        survey
    }

    /// Measures the chart that this one has become, or any other chart, and its tables.
    pub(crate) fn follow(&mut self, chart: &NamedMap, board: &Board, homes: &ByPower<ProvinceSet>) {
        let shores = Shores::of(board);
        // A change never removes faces from a map: a map with fewer faces is a different one.
        let is_another = board.rows.len() < self.provinces;
        match (&self.kept, board.rows.len(), shores.end) {
            (Kept::Small(_), ..=128, ..=128) if !is_another => {}
            (_, ..=128, ..=128) => self.begin(Kept::Small(State::empty())),
            (Kept::Large(_), _, ..=256) if !is_another => {}
            (_, _, ..=256) => self.begin(Kept::Large(State::empty())),
            (Kept::Largest(_), ..) if !is_another => {}
            _ => self.begin(Kept::Largest(State::empty())),
        }
        self.provinces = board.rows.len();
        let mut metrics =
            Metrics { army: self.metrics.army, fleet: self.metrics.fleet, ..counted(chart, board, &shores) };
        let known = self.homes.as_ref() == Some(homes);
        let distances = match &mut self.kept {
            Kept::Nothing => None,
            Kept::Small(state) => state.follow(board, homes, known, &shores, &mut metrics),
            Kept::Large(state) => state.follow(board, homes, known, &shores, &mut metrics),
            Kept::Largest(state) => state.follow(board, homes, known, &shores, &mut metrics),
        };
        self.metrics = Arc::new(metrics);
        if let Some(distances) = distances {
            (self.distances, self.homes) = (Arc::new(distances), Some(homes.clone()));
        }
    }

    fn begin(&mut self, kept: Kept) {
        (self.kept, self.homes, self.metrics) = (kept, None, Arc::default());
    }

    /// The measures.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// The distances between the powers' homes. Consecutive surveys share them while they are unchanged.
    pub fn distances(&self) -> &Arc<HomeDistances> {
        &self.distances
    }
}

impl fmt::Debug for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Survey")
            .field("metrics", self.metrics())
            .field("distances", self.distances())
            .finish_non_exhaustive()
    }
}

/// The survey of a map that may change, computed on first use from the previous survey.
///
/// Clone it for a map that is about to change. The clone shares the cached state until it is measured itself.
#[derive(Debug, Default)]
pub struct Surveys {
    now: OnceLock<Arc<Survey>>,
    /// The last survey before the map was changed.
    before: Mutex<Option<Arc<Survey>>>,
}

impl Surveys {
    /// The survey of the map, which must be this chart with these tables and homes. The arguments are read
    /// only if the map has changed since it was last measured.
    pub fn get(&self, chart: &NamedMap, board: &Board, homes: &ByPower<ProvinceSet>) -> &Survey {
        self.now.get_or_init(|| {
            let before = self.before.lock().unwrap_or_else(PoisonError::into_inner).take();
            match before {
                Some(mut survey) => {
                    Arc::make_mut(&mut survey).follow(chart, board, homes);
                    survey
                }
                None => Arc::new(Survey::new(chart, board, homes)),
            }
        })
    }

    /// Call when the map has changed.
    pub fn outdate(&mut self) {
        if let Some(survey) = self.now.take() {
            *self.before.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(survey);
        }
    }
}

impl Clone for Surveys {
    fn clone(&self) -> Self {
        let last = match self.now.get() {
            Some(survey) => Some(Arc::clone(survey)),
            None => self.before.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        };
        Surveys { now: OnceLock::new(), before: Mutex::new(last) }
    }
}

#[derive(Clone)]
struct State<const WORDS: usize, const PLACES: usize> {
    movement: Movement<WORDS, PLACES>,
    /// The centres of the graphs' components.
    army_middles: Bits<WORDS>,
    fleet_middles: Bits<PLACES>,
    /// The steps from every home, 32 homes in each entry.
    ways: Vec<Ways<WORDS>>,
}

impl<const WORDS: usize, const PLACES: usize> State<WORDS, PLACES> {
    /// The state for a map without faces.
    fn empty() -> Box<Self> {
        let (army_middles, fleet_middles) = (Bits::EMPTY, Bits::EMPTY);
        Box::new(State { movement: Movement::EMPTY, army_middles, fleet_middles, ways: Vec::new() })
    }

    /// Updates the measures of graphs that have changed. Returns the distances between homes, unless they are `known`
    /// for these homes and have not changed.
    fn follow(
        &mut self,
        board: &Board,
        homes: &ByPower<ProvinceSet>,
        known: bool,
        shores: &Shores,
        metrics: &mut Metrics,
    ) -> Option<HomeDistances> {
        let differences = self.movement.read(board, shores);
        if differences.army {
            metrics.army = self.movement.army.measure(&mut self.army_middles);
        }
        if differences.fleet {
            metrics.fleet = self.movement.fleet.measure(&mut self.fleet_middles);
        }
        let pieces = self.movement.any.pieces();
        metrics.islands = narrow(pieces.len());
        let all = Bits::of_provinces(
            &homes.values().iter().fold(ProvinceSet::EMPTY, |all, &of_power| all | of_power),
        );
        if self.movement.any.nodes.len() > usize::from(NO_WAY) {
            // So large a number of steps cannot be counted.
            self.ways.clear();
            return Some(HomeDistances::new(&self.movement.any, homes));
        }
        let (mut wanted, mut moved) = (all, Bits::EMPTY);
        for ways in &mut self.ways {
            moved |= ways.follow(&self.movement.any, differences.any, &pieces, &mut wanted);
        }
        let begun = !wanted.is_empty();
        while !wanted.is_empty() {
            let mut ways = Ways::NONE;
            ways.follow(&self.movement.any, self.movement.any.nodes, &pieces, &mut wanted);
            self.ways.push(ways);
        }
        (begun || moved.intersects(all) || !known).then(|| self.distances(homes))
    }

    /// The distances between the homes of each pair of powers, from the steps between homes.
    fn distances(&self, homes: &ByPower<ProvinceSet>) -> HomeDistances {
        // The owner of each home, and the lanes of all entries in sequence.
        let mut lane_of = [0u16; MAX_PROVINCES];
        for (lane, source) in (0..).zip(self.ways.iter().flat_map(Ways::sources)) {
            if let Some(source) = *source {
                lane_of[usize::from(source)] = lane;
            }
        }
        let n = homes.values().len();
        let mut distances = Vec::with_capacity(n * n / 2);
        // From the homes of the first power of a pair to the home of each lane: total steps, and number of
        // connected pairs.
        let mut totals = vec![([0u16; LANES], [0u16; LANES]); self.ways.len()];
        for (first, of_first) in homes.iter() {
            for (ways, (sums, counts)) in self.ways.iter().zip(&mut totals) {
                (*sums, *counts) = ([0; LANES], [0; LANES]);
                of_first.iter().for_each(|home| {
                    let steps = ways.steps(home.index());
                    let is_way: [u16; LANES] = std::array::from_fn(|lane| u16::from(steps[lane] != NO_WAY));
                    *counts = std::array::from_fn(|lane| counts[lane] + is_way[lane]);
                    *sums = std::array::from_fn(|lane| sums[lane] + u16::from(steps[lane]) * is_way[lane]);
                });
            }
            for of_second in &homes.values()[first.index() + 1..] {
                let (mut steps, mut ways) = (0, 0);
                of_second.iter().for_each(|home| {
                    let lane = usize::from(lane_of[home.index()]);
                    let (sums, counts) = &totals[lane / LANES];
                    steps += u32::from(sums[lane % LANES]);
                    ways += u32::from(counts[lane % LANES]);
                });
                distances.push(mean(steps, ways));
            }
        }
        HomeDistances::from_list(distances)
    }
}

/// The measures that are counts rather than graph measures.
fn counted(chart: &NamedMap, board: &Board, shores: &Shores) -> Metrics {
    let mut metrics = Metrics {
        land: narrow(board.land.len()),
        sea: narrow(board.sea.len()),
        coasts: narrow(shores.coasts),
        multi_coast: narrow(shores.several.len()),
        ..Metrics::default()
    };
    // Most faces are provinces that units can be in, and are counted as such.
    let all: Bits<{ MAX_PROVINCES / 64 }> = Bits::below(board.rows.len());
    (all - Bits::of_provinces(&board.passable())).for_each(|face| {
        let Some(face) = chart.map().face(ProvinceId(face as u8)) else { return };
        *match (face.state(), face.kind()) {
            (_, FaceKind::Outside) => &mut metrics.outside,
            (_, FaceKind::Point) | (FaceState::Open, _) => &mut metrics.impassable,
            (FaceState::Collapsed, _) => &mut metrics.holes,
            (FaceState::Void, _) => &mut metrics.voids,
        } += 1;
    });
    let counts = chart.map().counts();
    metrics.borders = narrow(counts.borders);
    metrics.corners = narrow(counts.corners);
    metrics.components = narrow(counts.components);
    metrics
}
