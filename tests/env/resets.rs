//! The slot of a finished game, rewards, and impossible choices.

use upheaval::analysis::Score;
use upheaval::env::{Autoreset, Batch, BatchConfig, ConfigError};

use super::{Filled, all_of, choices, first_seat};

fn short(autoreset: Autoreset) -> BatchConfig {
    let config = all_of("standard");
    BatchConfig { games: 3, last_year: 1901, autoreset, reward: Some(Score::SumOfSquares), ..config }
}

fn numbers(batch: &Batch) -> Vec<i32> {
    Filled::of(batch).games.iter().map(|game| game[0]).collect()
}

/// Steps until a game ends; returns the observation before the last step.
fn until_an_end(batch: &mut Batch) -> Filled {
    loop {
        let filled = Filled::of(batch);
        batch.step(&choices(&filled)).unwrap();
        if !batch.ended().is_empty() {
            return filled;
        }
    }
}

#[test]
fn in_the_same_step_the_next_game_is_there_and_the_last_board_beside_it() {
    let mut batch = Batch::new(short(Autoreset::SameStep)).unwrap();
    until_an_end(&mut batch);
    let slots: Vec<usize> = batch.ended().iter().map(|ended| ended.slot).collect();
    for (i, &slot) in slots.iter().enumerate() {
        assert!(batch.truncated()[slot] && !batch.terminated()[slot]);
        assert_eq!(numbers(&batch)[slot], 3 + i as i32);
        assert_eq!(Filled::of(&batch).games[slot][1], 1901);
    }
    let last = Filled::last_of(&batch);
    assert_eq!(last.games.len(), slots.len());
    assert!(last.seats.is_empty() && last.asks.is_empty() && last.orders.is_empty());
    for (game, ended) in last.games.iter().zip(batch.ended()) {
        assert_eq!((game[0], game[3]), (ended.result.game as i32, 5), "over");
        let nodes = &last.nodes[game[6] as usize..];
        let nodes = &nodes[..nodes.len().min(75)];
        let owned = nodes.iter().filter(|node| node[4] == 0).count();
        let austria = ended.result.seats.iter().next().unwrap().1;
        assert_eq!(owned, usize::from(austria.centres));
    }
    // The results of a step are gone after the next.
    let filled = Filled::of(&batch);
    batch.step(&choices(&filled)).unwrap();
    assert!(batch.ended().is_empty() && batch.rewards().iter().all(|&reward| reward == 0.0));
    assert_eq!(batch.final_sizes().games, 0);
}

#[test]
fn in_the_next_step_the_next_game_begins_without_a_reward() {
    let mut batch = Batch::new(BatchConfig { games: 1, ..short(Autoreset::NextStep) }).unwrap();
    until_an_end(&mut batch);
    assert_eq!((numbers(&batch), batch.sizes().asks, batch.truncated()), (vec![0], 0, &[true][..]));
    let points: f32 = batch.rewards().iter().sum();
    assert!((points - 100.0).abs() < 1e-3, "the squares' shares are of 100: {points}");
    batch.step(&[]).unwrap();
    assert_eq!((numbers(&batch), batch.truncated()), (vec![1], &[false][..]));
    assert!(batch.sizes().asks > 0 && batch.rewards().iter().all(|&reward| reward == 0.0));
}

#[test]
fn without_a_reset_a_slot_stays_until_it_is_reset() {
    let mut batch = Batch::new(short(Autoreset::Disabled)).unwrap();
    while batch.sizes().asks > 0 {
        until_an_end(&mut batch);
    }
    assert_eq!(numbers(&batch), [0, 1, 2]);
    batch.step(&[]).unwrap();
    assert!(batch.ended().is_empty());
    batch.reset_slots(&[2, 0]).unwrap();
    assert_eq!(numbers(&batch), [4, 1, 3]);
    let refused = |result: Result<(), ConfigError>| result.unwrap_err().to_string();
    assert_eq!(refused(batch.reset_slots(&[3])), "there is no slot 3; the batch has 3 games");
    assert_eq!(refused(batch.reset_slots(&[1, 0, 1])), "slot 1 is listed twice");
    batch.reset(None);
    assert_eq!(numbers(&batch), [0, 1, 2]);
}

#[test]
fn a_reset_with_the_same_seed_is_the_same_and_with_another_is_not() {
    let mut batch = Batch::new(first_seat(all_of("black-hole"), "random")).unwrap();
    let mut play = |seed| {
        batch.reset(Some(seed));
        while batch.sizes().asks > 0 {
            let filled = Filled::of(&batch);
            batch.step(&choices(&filled)).unwrap();
        }
        batch.hashes()
    };
    let first = play(5);
    assert_ne!(first, play(6));
    assert_eq!(first, play(5));
}

#[test]
fn choices_that_cannot_be_made_change_nothing() {
    let mut batch = Batch::new(short(Autoreset::Disabled)).unwrap();
    let before = batch.hashes();
    let asks = batch.sizes().asks;
    assert_eq!(asks, 66);
    assert_eq!(
        batch.step(&[0; 3]).unwrap_err().to_string(),
        "expected 66 choices, one for each ask, found 3"
    );
    let mut choices = vec![0; asks];
    choices[5] = 99;
    let error = batch.step(&choices).unwrap_err();
    assert!(
        error.to_string().starts_with("expected a choice from 0 to 9, or -1 for none, for ask 5"),
        "{error}"
    );
    choices[5] = -2;
    assert!(batch.step(&choices).is_err());
    assert_eq!(batch.hashes(), before);
    choices[5] = -1;
    batch.step(&choices).unwrap();
    assert_ne!(batch.hashes(), before);
}

#[test]
fn a_configuration_that_cannot_be_played_is_refused() {
    let refused = |config| Batch::new(config).err().unwrap().to_string();
    let of = || all_of("deluge-ii");
    assert!(refused(BatchConfig { games: 0, ..of() }).starts_with("expected from 1 to 65536 games"));
    assert!(
        refused(BatchConfig { last_year: 1899, ..of() }).starts_with("last_year 1899 is before `deluge-ii`")
    );
    let nobody = first_seat(of(), "hold");
    let hold = nobody.seats.iter().last().unwrap().1.clone();
    let seats = upheaval::ids::ByPower::from_fn(nobody.seats.powers(), |_| hold.clone());
    assert!(refused(BatchConfig { seats, ..nobody }).starts_with("no seat belongs to the caller"));
}
