//! Changes of the map with all tables derived again, and seismic seasons.

use std::hint::black_box;

use criterion::{BatchSize, Criterion};
use upheaval::rules::map_tables::MapTables;
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
                    (MapTables::clone(terrain), *change)
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
                    let mut terrain = MapTables::clone(terrain);
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
