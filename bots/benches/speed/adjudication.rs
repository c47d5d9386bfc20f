//! Adjudication on three corpora, with the published crate `diplomacy` on the same positions and orders.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use diplomacy::geo::standard_map;
use diplomacy::judge::{MappedMainOrder, Rulebook as TheirRulebook, Submission};
use upheaval::ids::{Power, Powers, ProvinceId};
use upheaval::rules::gazetteer::Gazetteer;
use upheaval::rules::movement::Adjudicator;
use upheaval::rules::order::{Order, Route};
use upheaval::rules::position::Position;

use super::corpus::{self, Case};
use super::findings::Findings;
use super::seats::variant;

/// Games behind the positions of random play.
const GAMES: u64 = 5;

/// Positions of units packed together.
const PACKED: usize = 100;

pub fn bench(c: &mut Criterion, findings: &mut Findings) {
    let variant = variant("standard");
    let (board, names) = (variant.terrain.board(), variant.terrain.names());
    let corpora = [
        ("random", corpus::random(GAMES)),
        ("many conflicts", corpus::many_conflicts(board, GAMES)),
        ("packed", corpus::packed(board, PACKED)),
    ];
    let mut adjudicator = Adjudicator::default();
    for (name, corpus) in corpora {
        findings.note(format!("`{name}`: {}.", corpus::account(&corpus)));
        let mut group = c.benchmark_group(format!("adjudicate {name}"));
        group.throughput(Throughput::Elements(corpus.len() as u64));
        group.bench_function("upheaval", |b| {
            b.iter(|| {
                for Case { position, orders } in &corpus {
                    black_box(adjudicator.resolve(board, &variant.rulebook, position, orders));
                }
            });
        });
        let submissions: Vec<Submission<'_>> = corpus.iter().map(|case| submission(names, case)).collect();
        // One position at a time: all of them would make samples too long to be undisturbed.
        group.throughput(Throughput::Elements(1));
        let mut next = submissions.iter().cycle();
        group.bench_function("crate diplomacy", |b| {
            b.iter(|| {
                let outcome = next.next().expect("it goes round").adjudicate(TheirRulebook::default());
                black_box(outcome.all_orders().count())
            });
        });
        group.finish();
    }
}

/// The same for the crate `diplomacy`, up to the point where it begins to adjudicate.
fn submission(names: &Gazetteer, Case { position, orders }: &Case) -> Submission<'static> {
    let written = Powers::STANDARD.iter().flat_map(|power| {
        position.units_of(power).iter().map(move |at| {
            let text = theirs(names, position, power, at, orders[at]);
            text.parse::<MappedMainOrder>().unwrap_or_else(|_| panic!("they cannot read `{text}`"))
        })
    });
    Submission::with_inferred_state(standard_map(), written.collect())
}

/// An order in the notation of the crate `diplomacy`.
fn theirs(names: &Gazetteer, position: &Position, power: Power, at: ProvinceId, order: Order) -> String {
    let place = |at, kind| names.location(at, kind).to_string().to_lowercase().replace("/nc", "(nc)");
    let place = |at, kind| place(at, kind).replace("/sc", "(sc)").replace("/ec", "(ec)");
    let unit = |at| {
        let unit = position.unit(at).expect("a unit stands there");
        format!("{} {}", unit.kind, place(position.location(at).expect("it stands there"), unit.kind))
    };
    let kind = position.unit(at).expect("a unit stands there").kind;
    let province = |id| names.province(id).to_lowercase();
    let command = match order {
        Order::Hold => "holds".to_owned(),
        Order::Move { to, route: Route::Direct } => format!("-> {}", place(to, kind)),
        Order::Move { to, route: Route::Convoy } => format!("-> {} via convoy", place(to, kind)),
        Order::SupportHold { unit: other } => format!("supports {}", unit(other)),
        Order::SupportMove { unit: other, to, .. } => format!("supports {} -> {}", unit(other), province(to)),
        Order::Convoy { army, to } => format!("convoys {} -> {}", unit(army), province(to)),
        Order::SupportLanding { .. } | Order::Transform { .. } | Order::Embark { .. } => {
            unreachable!("`standard` has no such orders")
        }
    };
    format!("{}: {} {command}", &names.power(power)[..3], unit(at))
}
