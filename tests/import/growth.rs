//! What an import costs: the steps that it counts grow with the length of the file, and the logarithm of it.

use std::fmt::Write as _;

use serde_json::{Value, json};
use upheaval::import::steps;

use super::{collection, imported, polygon};

/// The steps of an import, whether it gives a board or a refusal.
fn cost(file: &str, text: &str) -> f64 {
    let before = steps();
    let _ = imported(file, text, "");
    (steps() - before) as f64
}

/// Fails if four times the size costs more than n log n allows, or nothing at all is counted.
fn grows_as_n_log_n(name: &str, size: usize, family: impl Fn(usize) -> String) {
    let size = if testkit::tries_all() { size } else { size / 2 };
    let file = if family(4).starts_with('{') { "x.geojson" } else { "x.map" };
    let [small, large] = [size, 4 * size].map(|n| cost(file, &family(n)));
    let logs = ((4 * size) as f64).ln() / (size as f64).ln();
    assert!(small >= size as f64 / 4.0, "{name}: {small} steps are not all that {size} cost");
    assert!(large <= 1.1 * 4.0 * logs * small, "{name}: {small} steps for {size}, {large} for {}", 4 * size);
}

fn code(i: usize) -> String {
    let letter = |i: usize| char::from(b'A' + (i % 26) as u8);
    [i / 17_576, i / 676, i / 26, i].iter().map(|&i| letter(i)).collect()
}

fn codes(n: usize) -> String {
    (0..n).map(code).collect::<Vec<_>>().join(" ")
}

const POWERS: &str = "RED () AAAA\nBLUE () AAAB\n";

#[test]
fn lists_of_adjacencies() {
    let lines = |n: usize, line: fn(usize) -> String| (0..n).map(line).collect::<String>();
    let with_long_list = |n: usize| format!("{POWERS}LAND AAAA ABUTS {}\n", codes(n));
    grows_as_n_log_n("homes", 2_000, |n| format!("RED () {}\nBLUE () AAAB\n{}", codes(n), "LAND AAAA\n"));
    grows_as_n_log_n("neighbours named again", 500, |n| {
        with_long_list(n) + &"AMEND AAAA ABUTS AAAB\n".repeat(n)
    });
    grows_as_n_log_n("neighbours taken away", 500, |n| {
        with_long_list(n) + &lines(n, |i| format!("AMEND AAAA ABUTS -{}\n", code(i)))
    });
    grows_as_n_log_n("coasts taken away", 500, |n| {
        let coasts: String = (0..n).map(|i| format!(" SPA/C{i}")).collect();
        format!("{POWERS}LAND AAAA ABUTS{coasts} {}\n", codes(n)) + &"AMEND AAAA ABUTS -SPA\n".repeat(n)
    });
    grows_as_n_log_n("places renamed", 500, |n| {
        with_long_list(n) + &"AAAA -> X = ZZZZ\nZZZZ -> Y = AAAA\n".repeat(n)
    });
    grows_as_n_log_n("places dropped", 500, |n| {
        with_long_list(n) + &lines(n, |i| format!("DROP {}\n", code(i))) + &"DROP AAAA\n".repeat(n)
    });
    grows_as_n_log_n("places listed again", 500, |n| {
        lines(n, |i| format!("LAND {} ABUTS AAAA\n", code(i))).repeat(2)
    });
    grows_as_n_log_n("powers", 500, |n| {
        lines(n, |i| format!("P{i} () AAAA\nA {}\nLAND AAAA\n", code(i)))
            + &lines(n, |i| format!("P{i}\nA AAAA\nUNITS\nDUMMY P{i}\n"))
            + &lines(n, |i| format!("UNPLAYED P{i}\n"))
    });
    grows_as_n_log_n("statements left out", 500, |n| {
        format!("{POWERS}LAND AAAB\n") + &lines(n, |i| format!("FLOW A:B\nAMEND AAAB ABUTS *{}\n", code(i)))
    });
}

fn square(x: f64, y: f64, size: f64) -> Value {
    json!([[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]])
}

#[test]
fn drawings() {
    grows_as_n_log_n("a ring that crosses itself", 500, |n| {
        let mut dice: u64 = 5;
        let mut next = || {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 40) as f64
        };
        let ring: Vec<Value> = (0..n).map(|_| json!([next(), next()])).collect();
        collection(vec![polygon("AAA", json!([ring]))])
    });
    grows_as_n_log_n("two saws", 500, |n| {
        let low = (0..n).map(|i| json!([i, i % 2]));
        let high = (0..n).rev().map(|i| json!([i, 3 + i % 2]));
        collection(vec![polygon("AAA", json!([low.chain(high).collect::<Value>()]))])
    });
    // A long edge with all corners of the other polygons on it.
    grows_as_n_log_n("corners on an edge", 500, |n| {
        let long = json!([[0, 0], [n, 0], [n, -5], [0, -5], [0, 0]]);
        let saw = (0..=n).rev().map(|i| json!([i, (i % 2) * 2]));
        collection(vec![polygon("AAA", json!([long])), polygon("BBB", json!([saw.collect::<Value>()]))])
    });
    // Long edges one above the other, all under the sweep line at once.
    grows_as_n_log_n("a comb", 500, |n| {
        let teeth = (0..n).flat_map(|i| [json!([100_000, 4 * i]), json!([0, 4 * i + 2])]);
        let back = [json!([-9, 4 * n]), json!([-9, 0])];
        collection(vec![polygon("AAA", json!([teeth.chain(back).collect::<Value>()]))])
    });
    grows_as_n_log_n("rings within rings", 300, |n| {
        let rings = (1..=n).rev().map(|k| square(-(k as f64), -(k as f64), 2.0 * k as f64));
        collection(vec![polygon("AAA", rings.collect())])
    });
    grows_as_n_log_n("holes side by side", 300, |n| {
        let holes = (0..n).map(|i| square(2.0 * i as f64 + 0.5, 0.5, 1.0));
        let all = json!([[0, 0], [2 * n, 0], [2 * n, 3], [0, 3], [0, 0]]);
        collection(vec![polygon("AAA", std::iter::once(all).chain(holes).collect())])
    });
    grows_as_n_log_n("holes that meet at a corner", 300, |n| {
        let at = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / (2 * n) as f64;
            json!([angle.cos(), angle.sin()])
        };
        let holes = (0..n).map(|i| json!([[0, 0], at(2 * i), at(2 * i + 1), [0, 0]]));
        let all = std::iter::once(square(-2.0, -2.0, 4.0));
        collection(vec![polygon("AAA", all.chain(holes).collect())])
    });
}

#[test]
fn arcs_are_counted_before_they_are_put_together() {
    let arc: Vec<Value> = (0..5_000).map(|i| json!([i, i * i])).collect();
    let shape = |code: &str| json!({"type": "Polygon", "properties": {"code": code, "kind": "land"}, "arcs": [vec![0; 120_000]]});
    let mut text = String::new();
    let topology =
        json!({"type": "Topology", "arcs": [arc], "objects": {"x": shape("AAA"), "y": shape("BBB")}});
    let _ = write!(text, "{topology}");
    let error = imported("x.topojson", &text, "").expect_err("refused").to_string();
    assert_eq!(
        error,
        "x.topojson: its polygons have 600000000 corners or more, and at most 500000 are read; simplify the drawing"
    );
    assert!(cost("x.topojson", &text) < 1e4, "nothing is built from them");
}
