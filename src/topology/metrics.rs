//! What is logged of a map: measured once, when it is first wanted, and kept with the map.

use super::board::Board;
use super::chart::Chart;
use super::graph::{Graph, GraphMetrics, narrow};
use super::map::{FaceKind, FaceState};
use crate::ids::{ByPower, ByProvince, MAX_PROVINCES, Power, ProvinceId, ProvinceSet};

/// The measures of a map and of the movement on it. `src/record/schema.rs` says each in words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Metrics {
    /// Land provinces that a unit can be in.
    pub land: u16,
    /// Seas that a unit can be in.
    pub sea: u16,
    /// Impassable faces inside the board.
    pub impassable: u16,
    /// Faces beyond the edge of the board.
    pub outside: u16,
    /// Collapsed faces.
    pub holes: u16,
    /// Void faces.
    pub voids: u16,
    /// Borders of the underlying map, those of holes included.
    pub borders: u16,
    /// Corners of the underlying map.
    pub corners: u16,
    /// Connected pieces of the net of borders.
    pub components: u16,
    /// Groups of provinces between which no unit can pass, by land or water.
    pub islands: u16,
    /// Where armies walk: land provinces.
    pub army: GraphMetrics,
    /// Where fleets sail: seas and single coasts.
    pub fleet: GraphMetrics,
    /// Coasts of land provinces: places for a fleet that are no sea.
    pub coasts: u16,
    /// Land provinces with more than one coast.
    pub multi_coast: u16,
    /// How far the powers' homes are from each other.
    pub distances: HomeDistances,
}

impl Metrics {
    /// Measures a chart and its tables.
    pub fn new(chart: &Chart, board: &Board) -> Metrics {
        let mut metrics = Metrics::default();
        for (_, face) in chart.map().faces() {
            *match (face.state(), face.kind()) {
                (_, FaceKind::Outside) => &mut metrics.outside,
                (FaceState::Collapsed, _) => &mut metrics.holes,
                (FaceState::Void, _) => &mut metrics.voids,
                (FaceState::Open, FaceKind::Land) => &mut metrics.land,
                (FaceState::Open, FaceKind::Sea) => &mut metrics.sea,
                (FaceState::Open, FaceKind::Impassable) => &mut metrics.impassable,
            } += 1;
        }
        let counts = chart.map().counts();
        let nodes = Nodes::new(board.passable());
        let all = nodes.graph(|id| *board.army_reach(id) | *board.fleet_reach_any(id));
        metrics.borders = narrow(counts.borders);
        metrics.corners = narrow(counts.corners);
        metrics.components = narrow(counts.components);
        metrics.islands = narrow(all.components_and_cut_vertices().0);
        metrics.army = Nodes::new(board.land).graph(|id| *board.army_reach(id)).metrics();
        metrics.fleet = fleet_graph(board).metrics();
        metrics.coasts = narrow(board.stations.len() - 1 - board.sea.len()); // the first is nowhere
        metrics.multi_coast = narrow(board.land.iter().filter(|&id| board.coasts(id) > 1).count());
        let homes = chart.open_centres().filter(|(id, _)| nodes.provinces.contains(*id));
        let homes = homes.filter_map(|(id, home)| Some((nodes.number[id], home?)));
        metrics.distances = HomeDistances::new(&all, homes);
        metrics
    }

    /// How many provinces an army can walk to, on average over the land; nothing without land.
    pub fn army_mean_degree(&self) -> Option<f32> {
        mean(2 * u32::from(self.army.edges), u32::from(self.land))
    }

    /// How many places a fleet can sail to, on average over seas and coasts; nothing without any.
    pub fn fleet_mean_degree(&self) -> Option<f32> {
        mean(2 * u32::from(self.fleet.edges), u32::from(self.sea) + u32::from(self.coasts))
    }
}

fn mean(sum: u32, count: u32) -> Option<f32> {
    (count > 0).then(|| (f64::from(sum) / f64::from(count)) as f32)
}

/// Provinces numbered one by one.
struct Nodes {
    provinces: ProvinceSet,
    number: ByProvince<u16>,
}

impl Nodes {
    fn new(provinces: ProvinceSet) -> Nodes {
        let mut number = ByProvince::filled(0);
        provinces.iter().zip(0..).for_each(|(id, n)| number[id] = n);
        Nodes { provinces, number }
    }

    /// The graph of those who reach each other.
    fn graph(&self, reach: impl Fn(ProvinceId) -> ProvinceSet) -> Graph {
        let mut graph = Graph::with_capacity(self.provinces.len(), 8 * self.provinces.len());
        self.provinces.iter().for_each(|id| graph.push(reach(id).iter().map(|to| self.number[to])));
        graph
    }
}

fn fleet_graph(board: &Board) -> Graph {
    let mut graph = Graph::with_capacity(board.stations.len(), board.destinations.len());
    for station in &board.stations[1..] {
        let (begin, end) = station.moves;
        let moves = &board.destinations[begin as usize..end as usize];
        graph.push(moves.iter().map(|&to| board.station(to) as u16 - 1));
    }
    graph
}

/// How far the home centres of each pair of powers are from each other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HomeDistances([Option<f32>; HomeDistances::PAIRS]);

impl HomeDistances {
    /// How many pairs of powers there are.
    pub const PAIRS: usize = Power::COUNT * (Power::COUNT - 1) / 2;

    /// Each pair of powers once, in the order of the distances.
    pub fn pairs() -> impl Iterator<Item = [Power; 2]> {
        Power::ALL
            .into_iter()
            .flat_map(|a| Power::ALL.into_iter().filter(move |&b| a.index() < b.index()).map(move |b| [a, b]))
    }

    /// The distances in the order of [`HomeDistances::pairs`].
    pub fn from_list(list: [Option<f32>; Self::PAIRS]) -> HomeDistances {
        HomeDistances(list)
    }

    /// The distance of the pair with this number in [`HomeDistances::pairs`]: the mean over all pairs of a home centre of
    /// the one and one of the other that have a way; nothing if none has.
    #[inline]
    pub fn get(&self, pair: usize) -> Option<f32> {
        self.0.get(pair).copied().flatten()
    }

    /// Distances in a graph whose nodes are homes of powers.
    fn new(graph: &Graph, homes: impl Iterator<Item = (u16, Power)>) -> HomeDistances {
        const NOBODY: u8 = u8::MAX;
        let homes: Vec<(u16, Power)> = homes.collect();
        let mut home_of = [NOBODY; MAX_PROVINCES];
        homes.iter().for_each(|&(node, power)| home_of[usize::from(node)] = power.index() as u8);
        // Steps and ways from the homes of the first to those of the second.
        let mut sums = [[(0u32, 0u32); Power::COUNT]; Power::COUNT];
        for sources in homes.chunks(64) {
            let mut start = [0u64; MAX_PROVINCES];
            let mut of_power = ByPower::<u64>::default();
            for (i, &(node, power)) in sources.iter().enumerate() {
                start[usize::from(node)] |= 1 << i;
                of_power[power] |= 1 << i;
            }
            graph.flood::<1>(
                |node| [start[node]],
                |node, step, [new]| {
                    let Some(sums) = sums.get_mut(usize::from(home_of[node])) else { return };
                    for (from, (steps, ways)) in of_power.0.iter().zip(sums) {
                        let arrived = (new & from).count_ones();
                        *steps += arrived * step as u32;
                        *ways += arrived;
                    }
                },
            );
        }
        let mut list = [None; Self::PAIRS];
        for (distance, [a, b]) in list.iter_mut().zip(Self::pairs()) {
            let (steps, ways) = sums[a.index()][b.index()];
            *distance = mean(steps, ways);
        }
        HomeDistances(list)
    }
}
