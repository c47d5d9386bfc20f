//! Whole games: the answers of bots are always legal, the same dice give the same game, and greed pays.

use crate::helpers::quick::kind;
use crate::helpers::seats::play_out;
use crate::helpers::shipped;
use upheaval::game::{Ending, Game};
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::Seeded;
use upheaval::rules::position::Phase;
use upheaval::rules::variant::Variant;

/// Counts the answers that were refused.
#[derive(Default)]
struct Refusals(u32);

impl Log for Refusals {
    fn event(&mut self, _at: Phase, _terrain: &MapTables, event: &Event) {
        if let Event::Refused(_, count) = event {
            self.0 += count;
        }
    }
}

/// A game to 1915, with this bot for each power; its end and the refused answers.
fn game(variant: &str, seed: u64, line_up: impl Fn(Power) -> &'static str) -> (Game, u32) {
    let mut game = Game::new(shipped::variant(variant), 1915);
    let bots = ByPower::from_fn(Powers::STANDARD, |power| (kind(line_up(power)).make)());
    let mut refusals = Refusals::default();
    play_out(&mut game, bots, seed, &mut Seeded { seed, block: 0 }, &mut refusals);
    (game, refusals.0)
}

fn centres(game: &Game, power: Power) -> usize {
    game.world().position.centres_of(power).len()
}

#[test]
fn what_they_answer_always_counts() {
    for variant in Variant::shipped() {
        for name in upheaval_bots::KINDS.map(|kind| kind.name) {
            for seed in 0..if name == "search" { 1 } else { testkit::amount(2, 4) } {
                let (_, refused) = game(variant, seed, |_| name);
                assert_eq!(refused, 0, "{name} in {variant}, seed {seed}");
            }
        }
    }
}

#[test]
fn the_same_dice_give_the_same_game() {
    for name in ["random", "greedy", "feud", "dumbbot", "search"] {
        let end = |seed| game("black-hole", seed, |_| name).0.hash();
        assert_eq!(end(5), end(5));
        assert_ne!(end(5), end(6));
    }
}

#[test]
fn greed_beats_dice() {
    beats_dice("greedy");
}

#[test]
fn dumbbot_beats_dice() {
    beats_dice("dumbbot");
}

fn beats_dice(name: &'static str) {
    let mut won = 0;
    for power in Powers::STANDARD {
        let (end, _) = game("standard", 9, |p| if p == power { name } else { "random" });
        let solo = matches!(end.ending(), Some(Ending::Solo(winner)) if *winner == power);
        println!("{power:?}: {} centres", centres(&end, power));
        won += usize::from(solo || centres(&end, power) >= 12);
    }
    assert!(won >= 6, "{won} of 7");
}

#[test]
fn greed_takes_what_nobody_defends() {
    for power in Powers::STANDARD {
        let (end, _) = game("standard", 3, |p| if p == power { "greedy" } else { "hold" });
        println!("{power:?}: {} centres against bots that hold", centres(&end, power));
        assert!(centres(&end, power) >= 8, "{power:?}: {}", centres(&end, power));
    }
}
