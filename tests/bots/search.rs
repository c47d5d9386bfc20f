//! `search` plays better than its policy, repeats itself with the same dice, and does not affect the game in which it
//! plays.

use crate::helpers::quick::kind;
use crate::helpers::seats::play_out;
use crate::helpers::shipped;
use upheaval::bot::Bot;
use upheaval::game::Game;
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::rules::nature::Seeded;
use upheaval_bots::{Search, SearchSettings};

/// A game in which this power searches and the others play as `dumbbot`; also the next of the searcher's dice.
fn game(variant: &str, seed: u64, last_year: u16, searcher: Power, settings: SearchSettings) -> (Game, u64) {
    let bots = ByPower::from_fn(Powers::STANDARD, |power| match power == searcher {
        true => Box::new(Search::new(settings)) as Box<dyn Bot>,
        false => (kind("dumbbot").make)(),
    });
    let mut game = Game::new(shipped::variant(variant), last_year);
    let mut dice = play_out(&mut game, bots, seed, &mut Seeded { seed, block: 0 }, &mut ());
    (game, dice[searcher].next_u64())
}

const SOME: SearchSettings =
    SearchSettings { rollouts: 48, other_stage_rollouts: 8, candidates: 8, years: 2, rounds: 1 };

#[test]
fn it_beats_the_policy_that_it_searches_with() {
    if !testkit::runs_slow("games that show that it pays to search") {
        return;
    }
    let centres = |power| {
        let (end, _) = game("standard", 1, 1906, power, SOME);
        end.world().position.centres_of(power).len()
    };
    let all: Vec<usize> = Powers::STANDARD.iter().map(centres).collect();
    let sum: usize = all.iter().sum();
    // Seven equal bots would have 34 together.
    assert!(sum >= 48, "{all:?}");
}

#[test]
fn a_budget_in_rollouts_gives_the_same_game_again_and_another_budget_another() {
    let little = SearchSettings { rollouts: 16, other_stage_rollouts: 8, candidates: 4, years: 1, rounds: 1 };
    for variant in ["standard", "black-hole-i", "deluge-ii"] {
        let last_year = if testkit::tries_all() { 1904 } else { 1902 };
        let hash = |settings| game(variant, 4, last_year, Power::FRANCE, settings).0.hash();
        assert_eq!(hash(little), hash(little), "{variant}");
    }
    let hash = |settings| game("standard", 4, 1907, Power::FRANCE, settings).0.hash();
    let plain = hash(little);
    let others = [(60, 4, 1), (16, 8, 1), (16, 4, 2)]
        .map(|(rollouts, candidates, years)| hash(SearchSettings { rollouts, candidates, years, ..SOME }));
    assert!(others.iter().all(|other| *other != plain), "{others:?}");
}

#[test]
fn retreats_adjustments_and_seismic_orders_have_a_budget_of_their_own() {
    let hash = |variant, other_stage_rollouts| {
        let settings =
            SearchSettings { rollouts: 0, other_stage_rollouts, candidates: 6, years: 1, rounds: 1 };
        game(variant, 7, 1903, Power::TURKEY, settings).0.hash()
    };
    for variant in ["standard", "seismic-1971"] {
        assert_ne!(hash(variant, 0), hash(variant, 24), "{variant}");
        assert_eq!(hash(variant, 24), hash(variant, 24), "{variant}");
    }
}

#[test]
fn a_seismic_order_that_is_searched_brings_more_than_its_policys() {
    if !testkit::runs_slow("games that show that it pays to search for seismic orders") {
        return;
    }
    let centres = |other_stage_rollouts| -> usize {
        let settings =
            SearchSettings { rollouts: 0, other_stage_rollouts, candidates: 12, years: 1, rounds: 1 };
        let own = |seed: u64, power: Power| {
            let (end, _) = game("seismic-1971", seed, 1905, power, settings);
            end.world().position.centres_of(power).len()
        };
        (0..2)
            .flat_map(|seed| Powers::STANDARD.iter().map(move |power| (seed, power)))
            .map(|(s, p)| own(s, p))
            .sum()
    };
    let (searched, policy) = (centres(48), centres(0));
    assert!(searched > policy, "{searched} and {policy}");
}

#[test]
fn without_a_budget_it_still_plays() {
    let nothing = SearchSettings { rollouts: 0, other_stage_rollouts: 0, candidates: 0, years: 0, rounds: 1 };
    for power in Powers::STANDARD {
        let (end, _) = game("standard", 2, 1903, power, nothing);
        assert!(!end.world().position.centres_of(power).is_empty(), "{power:?}");
    }
}

#[test]
fn a_budget_of_fewer_rollouts_than_candidates_is_spent_all_the_same() {
    let hash = |rollouts| {
        let settings =
            SearchSettings { rollouts, other_stage_rollouts: 0, candidates: 12, years: 1, rounds: 1 };
        game("standard", 4, 1904, Power::FRANCE, settings).0.hash()
    };
    assert_ne!(hash(0), hash(8));
}

/// Rounds spend the same rollouts, on fewer and fewer candidates.
#[test]
fn rounds_drop_candidates_and_repeat_and_one_round_is_none() {
    let last_year = if testkit::tries_all() { 1907 } else { 1903 };
    let hash = |rounds, rollouts| {
        game("standard", 4, last_year, Power::FRANCE, SearchSettings { rounds, rollouts, ..SOME })
    };
    let [one, three] = [1, 3].map(|rounds| hash(rounds, 48).0.hash());
    assert_eq!(three, hash(3, 48).0.hash());
    assert_ne!(one, three);
    assert_eq!(one, hash(0, 48).0.hash(), "it cannot be spent in less than a round");
    // Fewer rollouts than rounds are none in each.
    assert_eq!(hash(3, 2).0.hash(), hash(1, 0).0.hash());
}

/// Imagined games have dice of their own, so the depth of a search does not change anybody's luck.
#[test]
fn however_much_it_searches_it_takes_as_many_of_its_dice() {
    let next = |rollouts| game("standard", 3, 1901, Power::ITALY, SearchSettings { rollouts, ..SOME });
    let (deep, shallow) = (next(48), next(16));
    assert_eq!(deep.1, shallow.1);
}
