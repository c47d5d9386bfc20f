//! A batch driven like by a learning program: random choices in all seats, all tables written, finished games
//! restarted.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use upheaval::env::{Autoreset, Batch, BatchConfig, Seat, Sizes, Tables};
use upheaval::ids::ByPower;
use upheaval::rng::{Purpose, Stream};

use super::findings::Findings;
use super::seats::{LAST_YEAR, variant};

const GAMES: usize = 256;

/// The code of the stage `movement` in the table of games.
const MOVEMENT: i32 = 0;

/// A batch with room for its tables: games, nodes, edges, seats, asks and orders.
pub struct Learner {
    batch: Batch,
    dice: Stream,
    tables: [Vec<i32>; 6],
    choices: Vec<i32>,
}

impl Learner {
    /// A batch of games of this variant at their start.
    pub fn new(id: &str) -> Learner {
        let variant = variant(id);
        let config = BatchConfig {
            seats: ByPower::from_fn(variant.terrain.powers(), |_| Seat::Caller),
            variant,
            games: GAMES,
            seed: 1,
            last_year: LAST_YEAR,
            threads: 1,
            autoreset: Autoreset::SameStep,
            reward: None,
        };
        let batch = Batch::new(config).unwrap_or_else(|error| panic!("{error}"));
        let dice = Stream::keyed(1, Purpose::Bot, &[]);
        Learner { batch, dice, tables: Default::default(), choices: Vec::new() }
    }

    /// Reads the tables and steps once. Returns how many of the stages settled were movement phases.
    pub fn step(&mut self) -> u64 {
        let Sizes { games, nodes, edges, seats, asks, orders } = self.batch.sizes();
        let cells = [games * 10, nodes * 14, edges * 5, seats * 5, asks * 8, orders * 6];
        self.tables.iter_mut().zip(cells).for_each(|(table, cells)| table.resize(cells, 0));
        let [games, nodes, edges, seats, asks, orders] = &mut self.tables;
        let tables = Tables { games, nodes, edges, seats, asks, orders };
        self.batch.fill(tables).unwrap_or_else(|error| panic!("{error}"));
        let [games, .., asks, orders] = &self.tables;
        let dice = &mut self.dice;
        self.choices.clear();
        let asked = asks.as_chunks::<8>().0.iter();
        self.choices.extend(asked.map(|ask| dice.below((ask[7] - ask[6]) as u32) as i32));
        self.batch.step(&self.choices).unwrap_or_else(|error| panic!("{error}"));
        black_box(orders);
        games.as_chunks::<10>().0.iter().filter(|game| game[3] == MOVEMENT).count() as u64
    }
}

pub fn bench(c: &mut Criterion, _: &mut Findings) {
    let mut group = c.benchmark_group("a batch of 256 games, a movement phase");
    group.sample_size(20);
    for id in ["standard", "black-hole", "schizo-ii", "seismic-1971"] {
        let mut learner = Learner::new(id);
        group.bench_function(id, |b| {
            b.iter_custom(|phases| {
                let (mut done, mut time) = (0, Duration::ZERO);
                while done < phases {
                    let begun = Instant::now();
                    done += learner.step();
                    time += begun.elapsed();
                }
                // A step settles many phases.
                time.mul_f64(phases as f64 / done as f64)
            });
        });
    }
    group.finish();
}
