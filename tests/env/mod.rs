//! Batches of games for programs that learn: their games are those of a run, and their tables contain all possible
//! decisions.

mod advice;
mod chooser;
pub mod in_runs;
mod resets;
mod same_games;
mod tables;

use std::sync::Arc;

use upheaval::bot::BotMaker;
use upheaval::env::{AskKind, Autoreset, Batch, BatchConfig, Seat, Sizes, Tables};
use upheaval::ids::ByPower;
use upheaval::rules::variant::Variant;

use crate::helpers::shipped;

/// A batch of games to 1904 or three years in, in which the caller has every seat.
fn config(variant: Arc<Variant>) -> BatchConfig {
    let seats = ByPower::from_fn(variant.terrain.powers(), |_| Seat::Caller);
    BatchConfig {
        last_year: variant.first_phase.year + 3,
        variant,
        games: 6,
        seats,
        seed: 11,
        threads: 1,
        autoreset: Autoreset::Disabled,
        reward: None,
    }
}

fn all_of(id: &str) -> BatchConfig {
    config(shipped::variant(id))
}

/// The same with bots of this kind in the seats but the first.
fn first_seat(config: BatchConfig, kind: &str) -> BatchConfig {
    let kind = crate::helpers::quick::kind(kind);
    let seats = ByPower::from_fn(config.seats.powers(), |power| match power.index() {
        0 => Seat::Caller,
        _ => Seat::Bot { name: kind.name.into(), maker: BotMaker::from(kind) },
    });
    BatchConfig { seats, ..config }
}

/// The tables of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    pub games: Vec<[i32; 10]>,
    pub nodes: Vec<[i32; 14]>,
    pub edges: Vec<[i32; 5]>,
    pub seats: Vec<[i32; 5]>,
    pub asks: Vec<[i32; 8]>,
    pub orders: Vec<[i32; 6]>,
}

impl Filled {
    fn with(sizes: Sizes, fill: impl FnOnce(Tables<'_>)) -> Filled {
        let mut filled = Filled {
            games: vec![[-7; 10]; sizes.games],
            nodes: vec![[-7; 14]; sizes.nodes],
            edges: vec![[-7; 5]; sizes.edges],
            seats: vec![[-7; 5]; sizes.seats],
            asks: vec![[-7; 8]; sizes.asks],
            orders: vec![[-7; 6]; sizes.orders],
        };
        fill(Tables {
            games: filled.games.as_flattened_mut(),
            nodes: filled.nodes.as_flattened_mut(),
            edges: filled.edges.as_flattened_mut(),
            seats: filled.seats.as_flattened_mut(),
            asks: filled.asks.as_flattened_mut(),
            orders: filled.orders.as_flattened_mut(),
        });
        filled
    }

    pub fn of(batch: &Batch) -> Filled {
        Filled::with(batch.sizes(), |tables| batch.fill(tables).unwrap())
    }

    fn last_of(batch: &Batch) -> Filled {
        Filled::with(batch.final_sizes(), |tables| batch.fill_final(tables).unwrap())
    }
}

/// Choices that [`chooser::Chooser`] would make in the same places.
fn choices(filled: &Filled) -> Vec<i32> {
    let mut number = 0;
    let mut seat = -1;
    let chosen = filled.asks.iter().map(|ask| {
        number = if ask[0] == seat { number + 1 } else { 0 };
        seat = ask[0];
        let [slot, power, stage, ..] = filled.seats[seat as usize];
        let [game, year, season, ..] = filled.games[slot as usize];
        let coast = [AskKind::Coast as i32, AskKind::Trapped as i32].contains(&ask[1]);
        let number = if coast { filled.nodes[ask[2] as usize][0] } else { number };
        chooser::choice([game, power, year, season, stage, number], (ask[7] - ask[6]) as usize) as i32
    });
    chosen.collect()
}

/// How often each kind of ask occurred.
type Kinds = [usize; AskKind::ALL.len()];

/// The same choices, but for declarations, which a bot is asked for before its orders; counts the asks.
fn undeclared(filled: &Filled, declaration: i32, kinds: &mut Kinds) -> Vec<i32> {
    let mut chosen = choices(filled);
    for (ask, choice) in filled.asks.iter().zip(&mut chosen) {
        kinds[ask[1] as usize] += 1;
        if [AskKind::Exempt as i32, AskKind::Announce as i32].contains(&ask[1]) {
            *choice = declaration;
        }
    }
    chosen
}

/// The kinds that never occurred.
fn never(kinds: Kinds) -> Vec<&'static str> {
    AskKind::ALL.iter().zip(kinds).filter(|(_, count)| *count == 0).map(|(kind, _)| kind.name()).collect()
}
