//! Edges, pieces, diameter and cut vertices of graphs of any shape: the moves of armies and fleets on boards made by
//! hand, compared with known values and with slow searches.

use std::collections::BTreeMap;

use crate::map::measured;
use testkit::amount;
use upheaval::ids::{ByPower, ByProvince, CoastId, Location, ProvinceId, ProvinceSet};
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{Board, ByHand, GraphMetrics, Metrics, NamedMap, Surveys, atlas};

/// The board on which fleets have these ways between this number of places, two coasts of each province, and armies the
/// same ways between as many provinces, unless a board cannot have as many.
fn board(nodes: usize, edges: &[(usize, usize)]) -> Board {
    let harbours = nodes.div_ceil(2);
    let province = |node: usize| ProvinceId(node as u8);
    let place = |node: usize| Location {
        province: province(node % harbours),
        coast: CoastId((node / harbours) as u8),
    };
    let provinces = if nodes <= 256 { nodes } else { harbours };
    let mut coasts = ByProvince::filled(0);
    (0..nodes).for_each(|node| coasts[place(node).province] += 1);
    let mut army = ByProvince::filled(ProvinceSet::EMPTY);
    let mut moves: BTreeMap<Location, Vec<Location>> = BTreeMap::new();
    for (from, to) in edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]) {
        moves.entry(place(from)).or_default().push(place(to));
        if nodes <= 256 {
            army[province(from)].insert(province(to));
        }
    }
    tables((0..provinces).map(province).collect(), coasts, army, moves)
}

/// The board on which a province with two coasts is all there is: the search on the next board begins there.
fn single(node: usize) -> Board {
    let province = ProvinceId(node as u8);
    let mut coasts = ByProvince::filled(0);
    coasts[province] = 2;
    tables(ProvinceSet::single(province), coasts, ByProvince::filled(ProvinceSet::EMPTY), BTreeMap::new())
}

fn tables(
    land: ProvinceSet,
    coasts: ByProvince<u8>,
    army: ByProvince<ProvinceSet>,
    moves: BTreeMap<Location, Vec<Location>>,
) -> Board {
    let seas_next_to = ByProvince::filled(ProvinceSet::EMPTY);
    Board::by_hand(ByHand { land, sea: ProvinceSet::EMPTY, army, seas_next_to, coasts, moves })
}

/// Boards measured one after the other: the search on each begins near the centres of the one before it.
struct Series {
    chart: NamedMap,
    surveys: Surveys,
}

impl Series {
    fn new() -> Series {
        Series { chart: atlas::standard(), surveys: Surveys::default() }
    }

    /// The measures of the next board.
    fn next(&mut self, board: &Board) -> &Metrics {
        let nobody = ByPower::from_fn(self.chart.powers(), |_| ProvinceSet::EMPTY);
        self.surveys.outdate();
        self.surveys.get(&self.chart, board, &nobody).metrics()
    }

    /// The measures of the graph with these edges between this number of nodes, as the first of a new series.
    fn measured(&mut self, nodes: usize, edges: &[(usize, usize)]) -> [usize; 4] {
        self.surveys = Surveys::default();
        let board = board(nodes, edges);
        let Metrics { army, fleet, .. } = *self.next(&board);
        if nodes <= 256 {
            assert_eq!(army, fleet, "as many words as are used, or more");
            self.next(&single(nodes / 2 % 256));
            let begun_anywhere = self.next(&board);
            assert_eq!([begun_anywhere.army, begun_anywhere.fleet], [army, fleet]);
        }
        numbers(fleet)
    }
}

fn numbers(measures: GraphMetrics) -> [usize; 4] {
    let GraphMetrics { edges, components, diameter, cut_vertices } = measures;
    [edges, components, diameter, cut_vertices].map(usize::from)
}

/// The measures computed naively.
fn slowly(nodes: usize, edges: &[(usize, usize)]) -> [usize; 4] {
    numbers(measured::Graph::of_edges(nodes, edges).measured())
}

#[test]
fn shapes_whose_measures_are_plain_to_see() {
    let mut series = Series::new();
    assert_eq!(series.measured(0, &[]), [0, 0, 0, 0]);
    assert_eq!(series.measured(3, &[]), [0, 3, 0, 0], "nodes without edges are pieces without width");
    assert_eq!(series.measured(2, &[(0, 1)]), [1, 1, 1, 0]);
    // Two triangles that share a node, and a separate pair.
    let bow_tie = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (5, 6)];
    assert_eq!(series.measured(7, &bow_tie), [7, 2, 2, 1]);
    // The same graph, numbered so that the search begins at the shared node.
    let begun_there = bow_tie.map(|(a, b)| ((a + 5) % 7, (b + 5) % 7));
    assert_eq!(series.measured(7, &begun_there), [7, 2, 2, 1]);
}

#[test]
fn chains_and_rings_of_every_length_up_to_several_words() {
    let mut series = Series::new();
    for n in [3, 63, 64, 65, 127, 128, 129, 256, 300, 508] {
        let chain: Vec<(usize, usize)> = (1..n).map(|i| (i - 1, i)).collect();
        assert_eq!(series.measured(n, &chain), [n - 1, 1, n - 1, n - 2], "{n}");
        let ring: Vec<(usize, usize)> = chain.iter().copied().chain([(n - 1, 0)]).collect();
        assert_eq!(series.measured(n, &ring), [n, 1, n / 2, 0], "{n}");
    }
}

#[test]
fn graphs_drawn_at_random_measure_what_slow_searches_find() {
    let mut series = Series::new();
    let mut dice = Stream::keyed(1, Purpose::Nature("graphs"), &[]);
    let mut seen = [0; 3];
    for _ in 0..amount(150, 600) {
        let nodes = 1 + dice.below(40);
        let mut edges = Vec::new();
        // Most edges join nodes with close numbers, which gives long paths and cut vertices.
        for _ in 0..dice.below(2 * nodes) {
            let a = dice.below(nodes);
            let b = if dice.below(8) == 0 { dice.below(nodes) } else { (a + 1 + dice.below(3)) % nodes };
            let edge = (a.min(b) as usize, a.max(b) as usize);
            if a != b && !edges.contains(&edge) {
                edges.push(edge);
            }
        }
        let found = series.measured(nodes as usize, &edges);
        assert_eq!(found, slowly(nodes as usize, &edges), "{nodes} nodes, {edges:?}");
        seen[0] += usize::from(found[1] > 1);
        seen[1] += usize::from(found[2] > 6);
        seen[2] += usize::from(found[3] > 2);
    }
    assert!(
        seen.iter().all(|&count| count as u64 > amount(12, 50)),
        "pieces, long ways, cut vertices: {seen:?}"
    );
}

#[test]
fn where_the_search_begins_does_not_matter() {
    let mut series = Series::new();
    let singles: Vec<Board> = (0..60).map(single).collect();
    let mut dice = Stream::keyed(2, Purpose::Nature("graphs"), &[]);
    for _ in 0..amount(12, 100) {
        let edges: Vec<(usize, usize)> =
            (1..60).map(|b| (b - 1 - dice.below((b as u32).min(4)) as usize, b)).collect();
        let (board, expected) = (board(60, &edges), slowly(60, &edges));
        for (middle, single) in singles.iter().enumerate() {
            series.next(single);
            let metrics = series.next(&board);
            assert_eq!(numbers(metrics.army), expected, "from {middle}: {edges:?}");
            assert_eq!(numbers(metrics.fleet), expected, "from {middle}: {edges:?}");
        }
    }
}
