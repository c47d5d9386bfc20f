//! Changes of the map with all tables derived again, seismic seasons, and boards that are imported.

use std::collections::BTreeMap;
use std::hint::black_box;

use criterion::{BatchSize, Criterion};
use upheaval::import::{Hints, ImportSource, import};
use upheaval::rules::terrain::Terrain;
use upheaval::topology::derive;

use super::findings::Findings;
use super::ground::{KINDS, Seasons, changes, shake};
use super::seats::variant;

/// This many terrains are prepared for changes, so that reading the clock costs nothing in comparison.
const READY: BatchSize = BatchSize::NumIterations(8);

pub fn changes_of_the_map(c: &mut Criterion, _: &mut Findings) {
    let mut group = c.benchmark_group("a change of the map");
    for kind in KINDS {
        let changes = changes(kind);
        let mut next = changes.iter().cycle();
        group.bench_function(kind, |b| {
            b.iter_batched_ref(
                || {
                    let (terrain, change) = next.next().expect("it goes round");
                    (Terrain::clone(terrain), *change)
                },
                |(terrain, change)| change.apply(terrain),
                READY,
            );
        });
    }
    let map = variant("standard").terrain.chart().map().clone();
    group.bench_function("the tables alone", |b| b.iter(|| black_box(derive(&map))));
    group.finish();
}

pub fn seismic_seasons(c: &mut Criterion, findings: &mut Findings) {
    let mut group = c.benchmark_group("a seismic season");
    for id in ["seismic-1971", "seismic-acerunner"] {
        let Seasons { terrain, orders } = Seasons::new(id);
        let standing: usize = orders.iter().map(|orders| shake(&mut terrain.clone(), orders)).sum();
        findings.note(format!(
            "A seismic season: {} sets of seven orders on `{id}`, of which {:.1} succeed on average.",
            orders.len(),
            standing as f64 / orders.len() as f64
        ));
        let mut next = orders.iter().cycle();
        group.bench_function(id, |b| {
            b.iter_batched_ref(
                || (terrain.clone(), next.next().expect("it goes round")),
                |(terrain, orders)| shake(terrain, orders),
                READY,
            );
        });
    }
    let map = variant("seismic-1971").terrain.chart().map().clone();
    group.bench_function("all orders listed", |b| b.iter(|| black_box(map.quakes())));
    group.finish();
}

/// The columns of `topology` for a map, after one change of a map that has been measured.
pub fn measured(c: &mut Criterion, _: &mut Findings) {
    let mut group = c.benchmark_group("a map measured");
    for kind in KINDS {
        let changes = changes(kind);
        for (terrain, _) in &changes {
            black_box(terrain.home_distances());
        }
        let mut next = changes.iter().cycle();
        group.bench_function(kind, |b| {
            b.iter_batched_ref(
                || {
                    let (terrain, change) = next.next().expect("it goes round");
                    let mut terrain = Terrain::clone(terrain);
                    change.apply(&mut terrain);
                    terrain
                },
                |terrain| {
                    black_box(terrain.metrics());
                    black_box(terrain.home_distances());
                },
                READY,
            );
        });
    }
    group.finish();
}

/// The largest lists of adjacencies: a board with one drawing, one with many, and one that is not planar.
pub fn imported(c: &mut Criterion, _: &mut Findings) {
    let strip = (0..253).flat_map(|i| [[i, i + 1], [i, i + 2]]).collect();
    let wheel = (1..254).flat_map(|i| [[0, i], [i, i % 253 + 1]]).collect();
    let complete = (0..256).flat_map(|b| (0..b).map(move |a| [a, b])).collect();
    let mut group = c.benchmark_group("a list of adjacencies imported");
    for (name, pairs) in [("wheel", wheel), ("strip", strip), ("complete", complete)] {
        let text = listing(&pairs);
        let source = ImportSource {
            file: "bench.map",
            text: &text,
            format: None,
            includes: &|name| Err(format!("no {name}")),
            hints: &Hints::default(),
            hint_file: "",
        };
        group.bench_function(name, |b| b.iter(|| black_box(import(&source).is_ok())));
    }
    group.finish();
}

/// The list of a graph in which every third province is a sea.
fn listing(pairs: &Vec<[usize; 2]>) -> String {
    let mut text = "RED N0\nBLUE N1\n".to_owned();
    let mut around = BTreeMap::new();
    for &[a, b] in pairs {
        around.entry(a).or_insert_with(Vec::new).push(format!("N{b}"));
        around.entry(b).or_insert_with(Vec::new).push(format!("N{a}"));
    }
    for (i, around) in around {
        let kind = if i % 3 == 2 { "WATER" } else { "COAST" };
        text += &format!("{kind} N{i} ABUTS {}\n", around.join(" "));
    }
    text
}
