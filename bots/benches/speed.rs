//! What things cost, one thread: adjudication and legal orders on positions from random play, whole games, a change of
//! the map, logging. Beside the adjudication, the published crate `diplomacy` on the same positions and orders.
//!
//! `cargo bench` runs all; `cargo bench -- adjudicate` one group.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use diplomacy::geo::standard_map;
use diplomacy::judge::{MappedMainOrder, Rulebook as TheirRulebook, Submission};
use upheaval::bot::Bot;
use upheaval::game::{Game, Referee, Seats, Stage, play, play_stage};
use upheaval::ids::{ByPower, Power};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::event::Log;
use upheaval::rules::gazetteer::Gazetteer;
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::movement::{Adjudicator, Resolution};
use upheaval::rules::nature::{Given, Seeded};
use upheaval::rules::order::{Order, Orders, Route};
use upheaval::rules::position::{Phase, Position};
use upheaval::rules::rulebook::Rulebook;
use upheaval::rules::terrain::Terrain;
use upheaval::rules::variant::Variant;
use upheaval::sim::Recorder;
use upheaval::sim::{GameSpec, Logging};
use upheaval::topology::{Quake, WaterwayRule, derive};

const LAST_YEAR: u16 = 1910;
const SEED: u64 = 1;

fn variant(id: &str) -> Arc<Variant> {
    Arc::new(Variant::find(id, Path::new("")).expect("sound").expect("shipped"))
}

fn make(bot: &str) -> fn() -> Box<dyn Bot> {
    upheaval_bots::KINDS.into_iter().find(|kind| kind.name == bot).expect("a bot that ships").make
}

/// Plays one game, seven of the same bot, and returns how many movement phases it had.
fn game(variant: &Arc<Variant>, bot: &str, block: u64, referee: &mut Referee, log: &mut dyn Log) -> u64 {
    let mut game = Game::new(Arc::clone(variant), LAST_YEAR);
    let mut bots = ByPower::from_fn(|_| make(bot)());
    let mut dice = ByPower::from_fn(|p: Power| Stream::keyed(SEED, Purpose::Bot, &[block, p.index() as u64]));
    let seats = Seats { bots: &mut bots, dice: &mut dice };
    play(&mut game, referee, seats, &mut Seeded { seed: SEED, block }, log);
    u64::from(game.phase().year - 1900) * 2
}

/// Keeps the positions and orders of every movement phase.
#[derive(Default)]
struct Corpus(Vec<(Position, Orders)>);

impl Log for Corpus {
    fn movement(&mut self, _: Phase, _: &Terrain, position: &Position, orders: &Orders, _: &Resolution) {
        self.0.push((position.clone(), orders.clone()));
    }
}

/// Movement phases of random play on `standard`, 1901 to 1910.
fn corpus() -> Vec<(Position, Orders)> {
    let (variant, mut referee, mut corpus) = (variant("standard"), Referee::new(), Corpus::default());
    for block in 0..20 {
        game(&variant, "random", block, &mut referee, &mut corpus);
    }
    corpus.0
}

/// The same order in the notation of the crate `diplomacy`.
fn theirs(
    names: &Gazetteer,
    position: &Position,
    power: Power,
    at: upheaval::ids::ProvinceId,
    order: Order,
) -> String {
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
    format!("{}: {} {command}", &power.name()[..3], unit(at))
}

fn adjudicate(c: &mut Criterion) {
    let variant = variant("standard");
    let (board, names, corpus) = (variant.terrain.board(), variant.terrain.names(), corpus());
    let mut group = c.benchmark_group("adjudicate");
    let mut adjudicator = Adjudicator::new();
    let mut next = corpus.iter().cycle();
    group.bench_function("upheaval", |b| {
        b.iter(|| {
            let (position, orders) = next.next().expect("it goes round");
            black_box(adjudicator.resolve(board, &variant.rulebook, position, orders));
        });
    });
    let map = standard_map();
    let submissions: Vec<Submission<'_>> = corpus
        .iter()
        .take(200)
        .map(|(position, orders)| {
            let written = Power::ALL.into_iter().flat_map(|power| {
                position.units_of(power).iter().map(move |at| {
                    let text = theirs(names, position, power, at, orders[at]);
                    text.parse::<MappedMainOrder>().unwrap_or_else(|_| panic!("they cannot read `{text}`"))
                })
            });
            Submission::with_inferred_state(map, written.collect())
        })
        .collect();
    let mut next = submissions.iter().cycle();
    group.bench_function("crate diplomacy", |b| {
        b.iter(|| {
            black_box(next.next().expect("it goes round").adjudicate(TheirRulebook::default()))
                .all_orders()
                .count()
        });
    });
    group.finish();
}

fn legal_orders(c: &mut Criterion) {
    let variant = variant("standard");
    let (board, corpus) = (variant.terrain.board(), corpus());
    let mut group = c.benchmark_group("legal orders of all units");
    let mut chains = ConvoyChains::default();
    let mut listed = Vec::new();
    let mut next = corpus.iter().cycle();
    group.bench_function("listed", |b| {
        b.iter(|| {
            let (position, _) = next.next().expect("it goes round");
            chains.update(board, &Rulebook::R2023, position);
            for at in *position.occupied() {
                listed.clear();
                legal::legal_orders(board, position, &chains, at, &mut listed);
                black_box(&listed);
            }
        });
    });
    let mut dice = Stream::keyed(SEED, Purpose::Bot, &[]);
    group.bench_function("drawn", |b| {
        b.iter(|| {
            let (position, _) = next.next().expect("it goes round");
            chains.update(board, &Rulebook::R2023, position);
            for at in *position.occupied() {
                black_box(legal::draw(board, position, &chains, at, &mut dice));
            }
        });
    });
    group.finish();
}

fn whole_games(c: &mut Criterion) {
    let mut group = c.benchmark_group("random games to 1910");
    for id in Variant::shipped() {
        let (variant, mut referee) = (variant(id), Referee::new());
        let phases: u64 = (0..50).map(|block| game(&variant, "random", block, &mut referee, &mut ())).sum();
        // Time an element is time a movement phase, with the retreats, adjustments and holes that follow.
        group.throughput(Throughput::Elements(phases / 50));
        let mut block = 0;
        group.bench_function(id, |b| {
            b.iter(|| {
                block = (block + 1) % 50;
                black_box(game(&variant, "random", block, &mut referee, &mut ()))
            });
        });
    }
    group.finish();
}

/// Movement phases of random games as they came, each to be played again with nothing drawn: what a phase costs on
/// the variant's maps, but for their changes. Every phase counts with the retreats and adjustments that follow it. It
/// is played once unmeasured, for in a game the tables of a changed map are at hand too.
fn phases_on_changed_maps(c: &mut Criterion) {
    let mut group = c.benchmark_group("a phase, nothing drawn");
    for (id, last_year) in Variant::shipped().map(|id| (id, LAST_YEAR)).chain([("schizo-ii", 1930)]) {
        let (variant, mut referee) = (variant(id), Referee::new());
        let mut snapshots: Vec<Game> = Vec::new();
        for block in 0..20 {
            let mut game = Game::new(Arc::clone(&variant), last_year);
            let (mut bots, mut dice) = random_seats(block);
            let mut seats = Seats { bots: &mut bots, dice: &mut dice };
            while game.stage() != Stage::Over {
                if game.stage() == Stage::Movement {
                    snapshots.push(game.clone());
                }
                play_stage(&mut game, &mut referee, &mut seats, &mut Seeded { seed: SEED, block }, &mut ());
            }
        }
        let units: usize = snapshots.iter().map(|game| game.world().position.occupied().len()).sum();
        println!("{id} to {last_year}: {:.1} units a phase", units as f64 / snapshots.len() as f64);
        let (mut bots, mut dice) = random_seats(99);
        let mut seats = Seats { bots: &mut bots, dice: &mut dice };
        let (mut bots, mut dice) = random_seats(98);
        let mut warm_seats = Seats { bots: &mut bots, dice: &mut dice };
        let mut warm_referee = Referee::new();
        let mut next = snapshots.iter().cycle();
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("{id} to {last_year}"), |b| {
            b.iter_batched(
                || {
                    let snapshot = next.next().expect("it goes round");
                    play_phase(snapshot.clone(), &mut warm_referee, &mut warm_seats);
                    snapshot.clone()
                },
                |game| play_phase(game, &mut referee, &mut seats),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

/// Plays on to the next movement phase, with nothing drawn.
fn play_phase(mut game: Game, referee: &mut Referee, seats: &mut Seats<'_>) -> Game {
    let season = |game: &Game| (game.phase().year, game.phase().season);
    let begin = season(&game);
    while game.stage() != Stage::Over && (game.stage() != Stage::Movement || season(&game) == begin) {
        play_stage(&mut game, referee, seats, &mut Given::default(), &mut ());
    }
    game
}

fn random_seats(block: u64) -> (ByPower<Box<dyn Bot>>, ByPower<Stream>) {
    let bots = ByPower::from_fn(|_| make("random")());
    let dice = ByPower::from_fn(|p: Power| Stream::keyed(SEED, Purpose::Bot, &[block, p.index() as u64]));
    (bots, dice)
}

fn change_of_the_map(c: &mut Criterion) {
    let start = variant("standard").terrain.chart().clone();
    let holes: Vec<_> =
        start.map().faces().map(|(id, _)| id).filter(|&id| start.clone().collapse(id).is_ok()).collect();
    let mut terrain = Terrain::new(start);
    let mut next = holes.iter().cycle();
    c.bench_function("map/collapse and derive, restore and derive", |b| {
        b.iter(|| {
            let hole = *next.next().expect("it goes round");
            black_box(terrain.change(|chart| chart.collapse(hole)).expect("it is open"));
            black_box(terrain.change(|chart| chart.restore(hole)).expect("it is a hole"));
        });
    });
}

fn quakes(c: &mut Criterion) {
    let chart = variant("standard").terrain.chart().clone();
    let all = chart.map().quakes();
    let mut dice = Stream::keyed(SEED, Purpose::Bot, &[]);
    let seasons: Vec<Vec<Quake>> = (0..100)
        .map(|_| {
            let mut season: Vec<Quake> = Vec::new();
            while season.len() < 7 {
                let &quake = dice.choose(&all).expect("there are some");
                if !season.iter().any(|&other| other == quake || other.contradicts(quake, chart.map())) {
                    season.push(quake);
                }
            }
            season
        })
        .collect();
    let mut isthmuses = chart.clone();
    isthmuses.set_waterway_rule(WaterwayRule::Isthmuses);
    let mut group = c.benchmark_group("seven quakes");
    let mut next = seasons.iter().cycle();
    group.bench_function("do they contradict each other", |b| {
        b.iter(|| {
            let season = next.next().expect("it goes round");
            let clash = |&quake: &Quake| season.iter().any(|other| other.contradicts(quake, chart.map()));
            black_box((season.iter().any(clash), chart.map().cutting_sets(season)));
        });
    });
    group.bench_function("done at once", |b| {
        let season = || (chart.clone(), next.next().expect("it goes round"));
        b.iter_batched(
            season,
            |(mut chart, season)| {
                chart.shake(season, &mut |_| None).expect("they fit");
                chart
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("done at once, waterways at isthmuses", |b| {
        let season = || (isthmuses.clone(), next.next().expect("it goes round"));
        b.iter_batched(
            season,
            |(mut chart, season)| {
                chart.shake(season, &mut |_| None).expect("they fit");
                chart
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("settled, done, derived", |b| {
        let season = || (isthmuses.clone(), next.next().expect("it goes round"));
        b.iter_batched(
            season,
            |(mut chart, season)| {
                let clash = |&quake: &Quake| season.iter().any(|other| other.contradicts(quake, chart.map()));
                black_box((season.iter().any(clash), chart.map().cutting_sets(season)));
                chart.shake(season, &mut |_| None).expect("they fit");
                (derive(chart.map()), chart)
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("all of a map listed", |b| b.iter(|| black_box(chart.map().quakes())));
    group.finish();
}

fn logging(c: &mut Criterion) {
    let mut group = c.benchmark_group("greedy games to 1910");
    for id in Variant::shipped() {
        let (variant, mut referee) = (variant(id), Referee::new());
        let mut block = 0;
        group.bench_function(format!("{id}, not logged"), |b| {
            b.iter(|| {
                block = (block + 1) % 50;
                black_box(game(&variant, "greedy", block, &mut referee, &mut ()))
            });
        });
        let spec = GameSpec {
            variant: 0,
            game: 0,
            block: 0,
            rotation: 0,
            seats: ByPower::default(),
            names: Arc::new(ByPower::from_fn(|_| Arc::from("greedy"))),
            seed: SEED,
            last_year: LAST_YEAR,
            logging: Logging::WithoutOrders,
        };
        let mut block = 0;
        group.bench_function(format!("{id}, rows made"), |b| {
            b.iter(|| {
                block = (block + 1) % 50;
                let mut recorder = Recorder::new(&spec, &Game::new(Arc::clone(&variant), LAST_YEAR));
                black_box(game(&variant, "greedy", block, &mut referee, &mut recorder));
                black_box(recorder);
            });
        });
    }
    group.finish();
}

criterion_group!(
    benches,
    adjudicate,
    legal_orders,
    whole_games,
    phases_on_changed_maps,
    change_of_the_map,
    quakes,
    logging
);
criterion_main!(benches);
