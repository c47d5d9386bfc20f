//! Files that `map import` reads: large ones of each kind, of which most are refused at the end.

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
    for (name, text) in [
        ("lines that amend", amendments()),
        ("a ring that crosses itself", ring(crossing())),
        ("a ring of two saws", ring(saws())),
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
