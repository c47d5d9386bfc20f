//! Files that `map import` reads: large ones of each kind, of which most are refused at the end, and the largest lists
//! of adjacencies: a board with one drawing, one with many, and one that is not planar.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;

use criterion::Criterion;
use upheaval::import::{Hints, ImportSource, import};

use super::findings::Findings;

/// Corners of a drawing, or lines of a list.
const SIZE: usize = 20_000;

pub fn bench(c: &mut Criterion, _: &mut Findings) {
    let mut group = c.benchmark_group("a file imported");
    let hints = Hints::default();
    let strip = (0..253).flat_map(|i| [[i, i + 1], [i, i + 2]]).collect();
    let wheel = (1..254).flat_map(|i| [[0, i], [i, i % 253 + 1]]).collect();
    let complete = (0..256).flat_map(|b| (0..b).map(move |a| [a, b])).collect();
    for (name, text) in [
        ("lines that amend", amendments()),
        ("a ring that crosses itself", ring(crossing())),
        ("a ring of two saws", ring(saws())),
        ("a list: wheel", listing(wheel)),
        ("a list: strip", listing(strip)),
        ("a list: complete", listing(complete)),
    ] {
        let includes = |name: &str| Err(format!("there is no {name}"));
        let source = ImportSource {
            file: "x",
            text: &text,
            format: None,
            includes: &includes,
            hints: &hints,
            hint_file: "",
        };
        group.bench_function(name, |b| b.iter(|| black_box(import(&source).is_ok())));
    }
    group.finish();
}

/// A location with many neighbours, which many lines amend.
fn amendments() -> String {
    let mut text = "RED () AA\nBLUE () BB\nLAND AA ABUTS".to_owned();
    for i in 0..SIZE {
        // Writing into a string cannot fail.
        let _ = write!(text, " C{i}");
    }
    text + &"\nAMEND AA ABUTS BB".repeat(SIZE)
}

fn crossing() -> Vec<[usize; 2]> {
    let scattered = |i: usize| i.wrapping_mul(i).wrapping_mul(2_654_435_761) % 1_000_003;
    (0..SIZE).map(|i| [scattered(i), scattered(i + SIZE)]).collect()
}

fn saws() -> Vec<[usize; 2]> {
    let half = SIZE / 2;
    let low = (0..half).map(|i| [i, i % 2]);
    low.chain((0..half).rev().map(|i| [i, 3 + i % 2])).collect()
}

fn ring(corners: Vec<[usize; 2]>) -> String {
    format!(
        r#"{{"type": "FeatureCollection", "features": [{{"type": "Feature", "properties": {{"code": "AAA", "kind": "land"}},
        "geometry": {{"type": "Polygon", "coordinates": [{corners:?}]}}}}]}}"#
    )
}

/// The list of a graph in which every third province is a sea.
fn listing(pairs: Vec<[usize; 2]>) -> String {
    let mut text = "RED N0\nBLUE N1\n".to_owned();
    let mut around = BTreeMap::new();
    for [a, b] in pairs {
        around.entry(a).or_insert_with(Vec::new).push(format!("N{b}"));
        around.entry(b).or_insert_with(Vec::new).push(format!("N{a}"));
    }
    for (i, around) in around {
        let kind = if i % 3 == 2 { "WATER" } else { "COAST" };
        text += &format!("{kind} N{i} ABUTS {}\n", around.join(" "));
    }
    text
}
