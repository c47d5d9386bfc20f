//! Game *i* of a batch is game *i* of a run with the same seed, seats and decisions, whatever the variant.

use std::sync::Arc;

use upheaval::bot::BotMaker;
use upheaval::env::{AskKind, Autoreset, Batch, BatchConfig, OrderKind, Seat};
use upheaval::ids::ByPower;
use upheaval::record::{GameRow, LeadHistory};
use upheaval::rules::variant::Variant;
use upheaval::sim::{GameSpec, Play, Player, RunLog};

use super::chooser::Chooser;
use crate::helpers::engine::spec;

use super::{Filled, Kinds, all_of, choices, first_seat, never, undeclared};

/// The game of this number as a run plays it, the caller's seats by [`Chooser`].
fn played(config: &BatchConfig, number: u32) -> GameRow {
    let powers = config.seats.powers();
    let names = ByPower::from_fn(powers, |power| match &config.seats[power] {
        Seat::Caller => Arc::from("caller"),
        Seat::Bot { name, .. } => Arc::clone(name),
    });
    let bots: Vec<BotMaker> = powers
        .iter()
        .map(|power| match &config.seats[power] {
            Seat::Caller => BotMaker::new(|| Box::new(Chooser::default())),
            Seat::Bot { maker, .. } => maker.clone(),
        })
        .collect();
    let spec = GameSpec {
        seats: ByPower::from_fn(powers, |power| power.index()),
        names: Arc::new(names),
        seed: config.seed,
        last_year: config.last_year,
        log: RunLog::default(),
        ..spec(powers, number)
    };
    Player::new(vec![Arc::clone(&config.variant)], bots).play(&spec).game
}

/// Plays a batch and the run's games, without declarations, and compares their ends.
fn is_the_run(config: BatchConfig, kinds: &mut Kinds) {
    let mut batch = Batch::new(config.clone()).unwrap();
    while batch.sizes().asks > 0 {
        batch.step(&undeclared(&Filled::of(&batch), -1, kinds)).unwrap();
    }
    for (number, hash) in batch.hashes().into_iter().enumerate() {
        let row = played(&config, number as u32);
        assert_eq!(hash, row.state_hash, "{}, game {number}", config.variant.id);
    }
}

#[test]
fn of_all_seats_in_every_variant() {
    let mut kinds = Kinds::default();
    Variant::shipped().for_each(|id| is_the_run(all_of(id), &mut kinds));
    assert_eq!(never(kinds), ["poll"], "no variant that ships has a vote");
}

#[test]
fn of_one_seat_among_bots() {
    for id in Variant::shipped() {
        is_the_run(first_seat(all_of(id), "random"), &mut Kinds::default());
    }
    let config = BatchConfig { games: 2, ..first_seat(all_of("double-reversible"), "dumbbot") };
    is_the_run(config, &mut Kinds::default());
}

#[test]
fn a_retreat_that_is_not_answered_leaves_the_next_its_own() {
    let mut batch =
        Batch::new(BatchConfig { games: 16, autoreset: Autoreset::SameStep, ..all_of("standard") }).unwrap();
    let retreat = |ask: &[i32; 8]| ask[1] == AskKind::Retreat as i32;
    let (filled, second) = loop {
        let filled = Filled::of(&batch);
        let pair =
            filled.asks.windows(2).position(|pair| pair[0][0] == pair[1][0] && pair.iter().all(retreat));
        if let Some(first) = pair {
            break (filled, first + 1);
        }
        batch.step(&choices(&filled)).unwrap();
    };
    let mut chosen = vec![-1; filled.asks.len()];
    chosen[second] = 0;
    let ask = filled.asks[second];
    let [slot, power, ..] = filled.seats[ask[0] as usize];
    let order = filled.orders[ask[6] as usize];
    assert_eq!(order[0], OrderKind::Retreat as i32);
    let province = filled.nodes[order[2] as usize][0];
    batch.step(&chosen).unwrap();
    let after = Filled::of(&batch);
    let nodes = after.nodes[after.games[slot as usize][6] as usize..].iter();
    let target = nodes.clone().find(|node| node[0] == province).unwrap();
    assert_eq!((target[6], target[7]), (ask[3], power), "the unit has retreated");
}

#[test]
fn the_result_of_a_game_is_the_runs_row() {
    let config = first_seat(all_of("deluge-ii"), "random");
    let mut batch = Batch::new(config.clone()).unwrap();
    let mut seen = 0;
    while batch.sizes().asks > 0 {
        let filled = Filled::of(&batch);
        batch.step(&choices(&filled)).unwrap();
        for ended in batch.ended() {
            let row = played(&config, ended.result.game);
            assert_eq!(ended.result, GameRow { holes: 0, course: LeadHistory::default(), ..row });
            assert!(ended.truncated);
            seen += 1;
        }
    }
    assert_eq!(seen, 6);
}
