//! Pictures: a first board, one that follows another, and the output.

use std::hint::black_box;

use criterion::Criterion;
use upheaval::picture::{Layout, Style, svg};
use upheaval::topology::{MapEvent, NamedMap};

use super::findings::Findings;
use super::seats::variant;

/// Holes side by side, which become one point.
const HOLES: [&str; 9] = ["MAR", "BUR", "PAR", "GAS", "PIC", "BEL", "RUH", "MUN", "TYR"];

pub fn bench(c: &mut Criterion, _: &mut Findings) {
    let mut group = c.benchmark_group("a picture");
    let start = variant("standard").terrain.chart().clone();
    group.bench_function("a first board", |b| b.iter(|| black_box(Layout::of(&start))));
    let first = Layout::of(&start);
    let (one, last) = (holes(&start, 1), holes(&start, HOLES.len()));
    group.bench_function("after a hole", |b| b.iter(|| black_box(first.next(&one))));
    let many = first.next(&holes(&start, HOLES.len() - 1));
    group.bench_function("after nine holes side by side", |b| b.iter(|| black_box(many.next(&last))));
    let style = Style::default();
    group.bench_function("as SVG", |b| b.iter(|| black_box(svg::board(&first, &start, &style))));
    group.finish();
}

fn holes(start: &NamedMap, many: usize) -> NamedMap {
    let mut chart = start.clone();
    for name in &HOLES[..many] {
        MapEvent::Collapse((*name).to_owned()).apply(&mut chart).expect("it is there");
    }
    chart
}
