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

/// The year in which games of this bot end: early if slow tests are not run, first of all where it searches.
fn last_year(name: &str) -> u16 {
    match (testkit::tries_all(), name) {
        (true, _) => 1915,
        (false, "search") => 1903,
        (false, _) => 1906,
    }
}

/// A game to this year, with this bot for each power; its end and the refused answers.
fn game(variant: &str, seed: u64, last_year: u16, line_up: impl Fn(Power) -> &'static str) -> (Game, u32) {
    let mut game = Game::new(shipped::variant(variant), last_year);
    let bots = ByPower::from_fn(Powers::STANDARD, |power| (kind(line_up(power)).make)());
    let mut refusals = Refusals::default();
    play_out(&mut game, bots, seed, &mut Seeded { seed, block: 0 }, &mut refusals);
    (game, refusals.0)
}

#[test]
fn what_they_answer_always_counts() {
    for variant in testkit::thinned(Variant::shipped(), 2) {
        for name in upheaval_bots::KINDS.map(|kind| kind.name) {
            for seed in 0..if name == "search" { 1 } else { testkit::amount(1, 2) } {
                let (_, refused) = game(variant, seed, last_year(name), |_| name);
                assert_eq!(refused, 0, "{name} in {variant}, seed {seed}");
            }
        }
    }
}

#[test]
fn the_same_dice_give_the_same_game() {
    for name in ["random", "greedy", "feud", "dumbbot", "search"] {
        let end = |seed| game("black-hole", seed, last_year(name), |_| name).0.hash();
        let first = end(5);
        assert_eq!(first, end(5));
        assert_ne!(first, end(6));
    }
}

/// The centres of each power after a game of this bot against six of the other, and whether it has won.
fn against(name: &'static str, other: &'static str, seed: u64) -> [(usize, bool); 7] {
    Power::STANDARD.map(|power| {
        let (end, _) = game("standard", seed, 1915, |p| if p == power { name } else { other });
        let solo = matches!(end.ending(), Some(Ending::Solo(winner)) if *winner == power);
        (end.world().position.centres_of(power).len(), solo)
    })
}

#[test]
fn greed_and_dumbbot_beat_dice() {
    for name in ["greedy", "dumbbot"] {
        let ends = against(name, "random", 9);
        let won = ends.iter().filter(|(centres, solo)| *solo || *centres >= 12).count();
        assert!(won >= 6, "{name}: {ends:?}");
    }
}

#[test]
fn greed_takes_what_nobody_defends() {
    let ends = against("greedy", "hold", 3);
    assert!(ends.iter().all(|(centres, _)| *centres >= 8), "{ends:?}");
}
