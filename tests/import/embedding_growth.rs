//! The work of drawing a list of adjacencies grows at most as n log n, whatever the board. It is counted in steps.

use std::fmt::Write as _;

use super::imported;
use upheaval::import::planar::Effort;
use upheaval::import::planar::left_right::is_planar;
use upheaval::import::planar::left_right::obstacle;
use upheaval::import::planar::{Edge, Node, PlanarGraph};

type Pairs = Vec<[usize; 2]>;

/// Writes a graph of about the given number of nodes.
type Family = fn(usize) -> Pairs;

fn ring(n: usize) -> Pairs {
    (0..n).map(|i| [i, (i + 1) % n]).collect()
}

fn wheel(n: usize) -> Pairs {
    (1..n).flat_map(|i| [[0, i], [i, i % (n - 1) + 1]]).collect()
}

fn grid(n: usize) -> Pairs {
    let side = n.isqrt();
    let cell = |at: usize| {
        let (x, y) = (at % side, at / side);
        let right = (x + 1 < side).then_some([at, at + 1]);
        let up = (y + 1 < side).then_some([at, at + side]);
        [right, up, right.and(up).map(|_| [at, at + side + 1])]
    };
    (0..side * side).flat_map(cell).flatten().collect()
}

/// Each node is put into a triangle of those before it.
fn triangulation(n: usize) -> Pairs {
    let mut triangles = vec![[0, 1, 2]];
    let mut pairs = vec![[0, 1], [1, 2], [0, 2]];
    for node in 3..n {
        let [a, b, c] = triangles.swap_remove(node * 7919 % triangles.len());
        triangles.extend([[a, b, node], [b, c, node], [a, c, node]]);
        pairs.extend([[a, node], [b, node], [c, node]]);
    }
    pairs
}

fn tree(n: usize) -> Pairs {
    (1..n).map(|i| [i * 7919 % i, i]).collect()
}

/// Triangles that share a node with the one before: each is a block.
fn blocks(n: usize) -> Pairs {
    (0..n - 2).step_by(2).flat_map(|i| [[i, i + 1], [i + 1, i + 2], [i, i + 2]]).collect()
}

/// A strip of triangles: every edge inside separates it.
fn strip(n: usize) -> Pairs {
    (0..n - 1).map(|i| [i, i + 1]).chain((0..n - 2).map(|i| [i, i + 2])).collect()
}

/// All parts lie between the same two nodes.
fn book(n: usize) -> Pairs {
    let pages = (2..n).flat_map(|i| [[0, i], [1, i]]);
    pages.chain((2..n - 1).step_by(3).map(|i| [i, i + 1])).chain([[0, 1]]).collect()
}

/// A ring of tetrahedra, each of which can be reflected.
fn necklace(n: usize) -> Pairs {
    let beads = n / 4;
    let bead = |k: usize| {
        let at = |i: usize| 4 * k + i;
        let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(|pair| pair.map(at));
        all.into_iter().chain([[at(3), 4 * ((k + 1) % beads)]])
    };
    (0..beads).flat_map(bead).collect()
}

/// Paths that branch and meet, within one another.
fn series_parallel(n: usize) -> Pairs {
    let mut pairs = vec![[0, 1]];
    for node in 2..n {
        let [a, b] = pairs[node * 7919 % pairs.len()];
        pairs.extend([[a, node], [node, b]]);
    }
    pairs
}

fn complete(n: usize) -> Pairs {
    (0..n).flat_map(|b| (0..b).map(move |a| [a, b])).collect()
}

/// K3,3 with long edges.
fn subdivided(n: usize) -> Pairs {
    let inner = (n - 6) / 9;
    let long = |k: usize| {
        let middle = (0..inner).map(move |i| 6 + k * inner + i);
        let path: Vec<usize> = [k / 3].into_iter().chain(middle).chain([3 + k % 3]).collect();
        path.windows(2).map(|pair| [pair[0], pair[1]]).collect::<Pairs>()
    };
    (0..9).flat_map(long).collect()
}

/// A ring whose opposite nodes are adjacent.
fn moebius(n: usize) -> Pairs {
    let n = n / 2 * 2;
    ring(n).into_iter().chain((0..n / 2).map(|i| [i, i + n / 2])).collect()
}

/// A grid on a torus.
fn torus(n: usize) -> Pairs {
    let side = n.isqrt();
    let cell = |at: usize| [[at, at / side * side + (at + 1) % side], [at, (at + side) % (side * side)]];
    (0..side * side).flat_map(cell).collect()
}

/// Sizes up to the largest board, of which the Outside and a filler are faces too.
fn sizes() -> impl Iterator<Item = usize> {
    let most = if testkit::tries_all() { 240 } else { 60 };
    [15, 60, 120, 240].into_iter().filter(move |&n| n <= most)
}

/// n log n, the logarithm rounded up.
fn n_log_n(n: usize) -> u64 {
    n as u64 * u64::from(n.ilog2() + 1)
}

/// The list of adjacencies of a graph in which every third province is a sea.
fn listing(pairs: &Pairs) -> String {
    let n = pairs.iter().flatten().max().map_or(0, |last| last + 1);
    let mut neighbours = vec![Vec::new(); n];
    for &[a, b] in pairs {
        neighbours[a].push(format!("N{b}"));
        neighbours[b].push(format!("N{a}"));
    }
    let mut text = "RED N0\nBLUE N1\n".to_owned();
    for (i, neighbours) in neighbours.iter().enumerate() {
        let kind = if i % 3 == 2 { "WATER" } else { "COAST" };
        let _ = writeln!(text, "{kind} N{i} ABUTS {}", neighbours.join(" "));
    }
    text
}

fn steps(pairs: &Pairs) -> u64 {
    imported("family.map", &listing(pairs), "").expect("a board").steps
}

#[test]
fn the_steps_of_drawing_a_board_are_at_most_in_proportion_to_n_log_n() {
    let families: [(&str, Family); 10] = [
        ("ring", ring),
        ("wheel", wheel),
        ("grid", grid),
        ("triangulation", triangulation),
        ("tree", tree),
        ("blocks", blocks),
        ("strip", strip),
        ("book", book),
        ("necklace", necklace),
        ("series-parallel", series_parallel),
    ];
    for (name, family) in families {
        for n in sizes() {
            let steps = steps(&family(n));
            assert!(steps <= 220 * n_log_n(n.max(50)), "{name} of {n}: {steps} steps");
        }
    }
}

#[test]
fn boards_that_can_be_drawn_in_one_way_take_steps_in_proportion_to_their_size() {
    let families: [(&str, Family); 5] =
        [("ring", ring), ("wheel", wheel), ("grid", grid), ("triangulation", triangulation), ("tree", tree)];
    for (name, family) in families {
        let per_edge = sizes().map(|n| {
            let pairs = family(n);
            steps(&pairs) as f64 / pairs.len() as f64
        });
        let per_edge: Vec<f64> = per_edge.collect();
        assert!(per_edge.iter().all(|&steps| steps < 1.3 * per_edge[0]), "{name}: {per_edge:?}");
    }
}

#[test]
fn the_steps_of_telling_why_a_graph_is_not_planar_are_at_most_in_proportion_to_n_log_n() {
    let families: [(&str, Family); 4] =
        [("complete", complete), ("subdivided", subdivided), ("moebius", moebius), ("torus", torus)];
    for (name, family) in families {
        for n in sizes().chain(testkit::thinned([120, 256], 2)) {
            let pairs = family(n);
            let edges = pairs.iter().map(|pair| pair.map(|node| Node(node as u16)));
            let graph = PlanarGraph::of(edges);
            let effort = Effort::for_nodes(n, 600);
            let found: Vec<Edge> = obstacle(&graph, &effort).expect("not planar");
            assert!(effort.spent() <= 610 * n_log_n(n), "{name} of {n}: {} steps", effort.spent());
            assert!(!is_planar(&found, &effort));
        }
    }
}

#[test]
fn a_board_that_is_not_planar_is_refused_within_limits_of_its_own() {
    let nodes = if testkit::tries_all() { 250 } else { 90 };
    for family in [complete as Family, subdivided, moebius, torus] {
        let error = imported("family.map", &listing(&family(nodes)), "").expect_err("not planar").to_string();
        assert!(error.starts_with("family.map: the board is not planar: "), "{error}");
        assert!(error.len() < 4000, "{error}");
    }
}
