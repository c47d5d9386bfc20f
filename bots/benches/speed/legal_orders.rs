//! The legal orders of all units of a board, drawn and listed; the chains of fleets that they need are followed again
//! for each position.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::legal::{self, ConvoyChains};

use super::corpus::{self, Case};
use super::findings::Findings;
use super::seats::{SEED, variant};

/// Games behind the positions of random play.
const GAMES: u64 = 5;

pub fn bench(c: &mut Criterion, findings: &mut Findings) {
    let variant = variant("standard");
    let (board, rulebook, corpus) = (variant.terrain.board(), &variant.rulebook, corpus::random(GAMES));
    let mut group = c.benchmark_group("legal orders of all units");
    group.throughput(Throughput::Elements(corpus.len() as u64));
    let mut chains = ConvoyChains::default();
    let mut dice = Stream::keyed(SEED, Purpose::Bot, &[]);
    group.bench_function("drawn", |b| {
        b.iter(|| {
            for Case { position, .. } in &corpus {
                chains.update(board, rulebook, position);
                for at in *position.occupied() {
                    black_box(legal::draw(board, position, &chains, at, &mut dice));
                }
            }
        });
    });
    let mut listed = Vec::new();
    group.bench_function("listed", |b| {
        b.iter(|| {
            for Case { position, .. } in &corpus {
                chains.update(board, rulebook, position);
                for at in *position.occupied() {
                    listed.clear();
                    legal::legal_orders(board, position, &chains, at, &mut listed);
                    black_box(&listed);
                }
            }
        });
    });
    group.finish();
    let (mut units, mut orders) = (0, 0);
    for case in &corpus {
        chains.update(board, rulebook, &case.position);
        units += case.position.occupied().len();
        let count = |at| legal::count(board, &case.position, &chains, at);
        orders += case.position.occupied().iter().map(count).sum::<usize>();
    }
    let each = |n: usize| n as f64 / corpus.len() as f64;
    findings.note(format!(
        "Legal orders: {} positions of random play, {:.1} units and {:.0} legal orders each on average.",
        corpus.len(),
        each(units),
        each(orders)
    ));
}
