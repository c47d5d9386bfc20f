//! The sweep over the edges of a drawing finds what a comparison of all pairs finds.

use serde_json::json;

use super::{collection, imported, polygon};

type Point = [f64; 2];

/// Numbers from 0 to 1, the same in every run.
fn dice(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn crosses_itself(ring: &[Point]) -> bool {
    let edge = |i: usize| (ring[i], ring[(i + 1) % ring.len()]);
    (0..ring.len()).any(|i| {
        (0..i).any(|j| {
            let ((a, b), (c, d)) = (edge(i), edge(j));
            turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
        })
    })
}

/// Does a ring run along one line twice, so that parts of it are left out?
fn runs_back(ring: &[Point]) -> bool {
    let edge = |i: usize| (ring[i], ring[(i + 1) % ring.len()]);
    (0..ring.len()).any(|i| {
        (0..i).any(|j| {
            let ((a, b), (c, d)) = (edge(i), edge(j));
            turn(a, b, c) == 0.0 && turn(a, b, d) == 0.0
        })
    })
}

#[test]
fn rings_that_cross_themselves_are_refused_and_no_others() {
    let mut count = [0, 0];
    for seed in testkit::thinned(0..600, 2) {
        let mut next = dice(seed);
        let corners = 3 + (next() * 6.0) as usize;
        let ring: Vec<Point> = (0..corners).map(|_| [next(), next()]).collect();
        let crosses = crosses_itself(&ring);
        count[usize::from(crosses)] += 1;
        match imported("x.geojson", &collection(vec![polygon("AAA", json!([ring]))]), "") {
            Ok(_) => assert!(!crosses, "{ring:?}"),
            Err(error) => {
                let told = error.to_string();
                let what = told.split_once(" at (").map(|(what, _)| what);
                assert_eq!((crosses, what), (true, Some("x.geojson: AAA crosses itself")), "{told}: {ring:?}")
            }
        }
        // On a grid corners lie on edges, and edges on one another.
        let grid: Vec<Point> = ring.iter().map(|corner| corner.map(|x| (5.0 * x).round())).collect();
        let read = imported("x.geojson", &collection(vec![polygon("AAA", json!([grid]))]), "");
        assert!(!(crosses_itself(&grid) && !runs_back(&grid) && read.is_ok()), "{grid:?}");
    }
    assert!(count.iter().all(|&count| count > 50), "{count:?}");
}

/// Boxes (west, south, east, north) into which a box is divided by random cuts.
fn divided(next: &mut impl FnMut() -> f64, whole: [f64; 4], depth: usize) -> Vec<[f64; 4]> {
    if depth == 0 {
        return vec![whole];
    }
    let [west, south, east, north] = whole;
    let part = 0.2 + 0.6 * next();
    let halves = if next() < 0.5 {
        let x = west + part * (east - west);
        [[west, south, x, north], [x, south, east, north]]
    } else {
        let y = south + part * (north - south);
        [[west, south, east, y], [west, y, east, north]]
    };
    halves.into_iter().flat_map(|half| divided(next, half, depth - 1)).collect()
}

#[test]
fn boxes_whose_corners_lie_on_edges_of_others_are_neighbours_along_what_they_share() {
    for seed in testkit::thinned(0..20, 5) {
        let mut next = dice(seed);
        let boxes = divided(&mut next, [0.0, 0.0, 1000.0, 700.0], 5);
        // Upright, and turned, where no corner lies exactly on an edge.
        for angle in [0.0, 0.3, 1.1, 2.5] {
            let (sin, cos) = f64::sin_cos(angle);
            let turned = |[x, y]: Point| [cos * x - sin * y, sin * x + cos * y];
            let features = boxes.iter().enumerate().map(|(i, &[west, south, east, north])| {
                let corners = [[west, south], [east, south], [east, north], [west, north]];
                polygon(&format!("B{i}"), json!([corners.map(turned)]))
            });
            let back = imported("x.geojson", &collection(features.collect()), "");
            let map = back.unwrap_or_else(|error| panic!("{seed} {angle}: {error}")).map;
            for (i, a) in boxes.iter().enumerate() {
                for (j, b) in boxes.iter().enumerate().filter(|&(j, _)| j != i) {
                    let shared = [0, 1].map(|k| a[k + 2].min(b[k + 2]) - a[k].max(b[k]));
                    let touch =
                        (shared[0] == 0.0 && shared[1] > 0.0) || (shared[1] == 0.0 && shared[0] > 0.0);
                    let are = map.faces[&format!("B{i}")].neighbours().contains(&format!("B{j}"));
                    assert_eq!(are, touch, "{seed} {angle}: B{i} and B{j}");
                }
            }
        }
    }
}

#[test]
fn islands_side_by_side_and_within_one_another_lie_in_the_faces_around_them() {
    let ring = |x: f64, y: f64, half: f64| {
        vec![[x - half, y], [x, y - half], [x + half, y], [x, y + half], [x - half, y]]
    };
    let with_hole = |code: &str, outer: Vec<Point>, holes: Vec<Vec<Point>>| {
        let rings = [vec![outer], holes].concat();
        polygon(code, json!(rings))
    };
    // A ring round a gap with two islands, of which one has a lake with an island; another island outside.
    let features = vec![
        with_hole("RIM", ring(0.0, 0.0, 100.0), vec![ring(0.0, 0.0, 80.0)]),
        with_hole("ONE", ring(-20.0, 0.0, 30.0), vec![ring(-20.0, 0.0, 20.0)]),
        with_hole("SUB", ring(-20.0, 0.0, 5.0), vec![]),
        with_hole("TWO", ring(30.0, 0.0, 10.0), vec![]),
        with_hole("FAR", ring(200.0, 0.0, 10.0), vec![]),
    ];
    let map = imported("x.geojson", &collection(features), "").expect("a board").map;
    let islands = |code: &str| {
        let mut islands = map.faces[code].islands_ccw.concat();
        islands.sort();
        islands
    };
    let gap = &map.faces["RIM"].islands_ccw[0][0];
    let lake = &map.faces["ONE"].islands_ccw[0][0];
    assert_eq!(islands(gap), ["ONE", "TWO"]);
    assert_eq!(islands(lake), ["SUB"]);
    assert_eq!(
        (map.faces["OUT"].neighbours().concat(), islands("OUT")),
        ("RIM".to_owned(), vec!["FAR".to_owned()])
    );
}
