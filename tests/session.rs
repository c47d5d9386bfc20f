//! The session interface: games played by orders as text.

use std::sync::Arc;

use upheaval::game::{Game, Referee};
use upheaval::ids::Powers;
use upheaval::prelude::*;
use upheaval::rules::answers::Answers;
use upheaval::rules::nature::Seeded;
use upheaval::rules::variant::Files;

use crate::helpers::shipped::STANDARD;

/// Plays a game to its end; each power draws its orders from the listed ones. `check` receives each refused order.
fn play_at_random(
    variant: &str,
    seed: u64,
    last_year: u16,
    mut refused: impl FnMut(&Session, Power, &LegalOrder, &Refusal),
) -> Session {
    let mut game = Session::new(variant, seed).expect("it ships").ending_in(last_year);
    let mut dice = Stream::keyed(seed, Purpose::Bot, &[7]);
    while !game.is_over() {
        for power in game.awaited() {
            let choices = game.legal_orders(power);
            assert!(
                !choices.is_empty(),
                "{variant} {}: {power:?} is awaited and has no choice",
                game.phase()
            );
            for choice in choices {
                let order = dice.choose(&choice.orders).expect("a choice has orders");
                match game.order(power, order) {
                    Ok(decision) => {
                        assert_eq!(decision, order.decision, "{variant} {}: {order}", game.phase())
                    }
                    Err(refusal) => refused(&game, power, order, &refusal),
                }
            }
        }
        game.advance();
    }
    game
}

#[test]
fn every_order_that_is_listed_is_understood_as_what_it_says_in_every_variant() {
    for variant in Variant::shipped() {
        for seed in 0..3 {
            play_at_random(variant, seed, 1904, |game, power, order, refusal| {
                // Only the other orders show which army a landing applies to.
                let lands = matches!(order.decision, Decision::Landing(_));
                // A site or unit has its own choice, and there may be fewer builds or removals than these.
                use upheaval::rules::adjustment::AdjustmentRefusal::{NoBuildLeft, NoRemovalLeft};
                let is_enough = matches!(refusal, Refusal::Adjustment(NoBuildLeft | NoRemovalLeft));
                assert!(lands || is_enough, "{variant} {}: {power:?} {order}: {refusal}", game.phase());
            });
        }
    }
}

#[test]
fn a_session_that_is_restored_stands_where_it_stood_and_goes_on_alike() {
    for variant in Variant::shipped() {
        let game = play_at_random(variant, 11, 1903, |_, _, _, _| {});
        let again = Session::restore(&game.save().unwrap()).expect("it was saved by this program");
        assert_eq!((again.game().hash(), again.ending()), (game.game().hash(), game.ending()), "{variant}");
    }
    let mut game = Session::new("black-hole", 3).unwrap();
    game.order(Power::ENGLAND, "F LON - NTH").unwrap();
    game.advance();
    let (mut clone, mut restored) = (game.clone(), Session::restore(&game.save().unwrap()).unwrap());
    assert_eq!(game.advance(), clone.advance());
    restored.advance();
    assert_eq!(restored.game().hash(), game.game().hash());
}

#[test]
fn a_saved_session_that_was_changed_is_refused_with_the_phase() {
    let mut game = Session::new("standard", 3).unwrap();
    game.order(Power::ENGLAND, "F LON - NTH").unwrap();
    game.advance();
    let saved = game.save().unwrap();
    let error = |text: &str| Session::restore(text).map(|_| ()).unwrap_err().to_string();
    let changed = error(&saved.replace("F LON - NTH", "F LON - ENG"));
    assert!(changed.starts_with("F1901M: the game goes differently than when it was saved"), "{changed}");
    let rules = error(
        &saved
            .replacen("1902", "1903", 1)
            .replace(r#"unordered = \"disband\""#, r#"unordered = \"north-then-anticlockwise\""#),
    );
    assert!(rules.contains("with other rules"), "{rules}");
    assert!(error("{}").starts_with("not a saved session: `format` is missing"));
}

#[test]
fn a_session_without_orders_is_the_game_in_which_everybody_holds() {
    for variant in ["standard", "black-hole", "black-hole-ii"] {
        let rules = Arc::new(Variant::find(variant, "".as_ref()).unwrap().unwrap());
        let mut session = Session::of(Arc::clone(&rules), 5).ending_in(1902);
        let mut game = Game::new(rules, 1902);
        let (mut referee, mut nature) = (Referee::new(), Seeded { seed: 5, block: 0 });
        while !session.is_over() && session.stage() == Stage::Movement {
            game.settle(&mut referee, &Answers::none(Powers::STANDARD), &mut nature, &mut ());
            session.advance();
            assert_eq!(session.game().hash(), game.hash(), "{variant} {}", session.phase());
        }
    }
}

#[test]
fn what_came_of_each_order_is_told_with_its_reason() {
    let mut game = Session::new("standard", 1).unwrap();
    for (power, order) in [
        (Power::FRANCE, "A PAR - BUR"),
        (Power::GERMANY, "A MUN - BUR"),
        (Power::GERMANY, "A BER - KIE"),
        (Power::GERMANY, "F KIE - DEN"),
    ] {
        game.order(power, order).unwrap();
    }
    let turn = game.advance();
    let lines: Vec<String> = turn.results.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "FRANCE A PAR - BUR: bounce (bounce with A MUN)",
            "GERMANY A MUN - BUR: bounce (bounce with A PAR)",
            "GERMANY A BER - KIE: ok",
            "GERMANY F KIE - DEN: ok",
        ]
    );
    assert_eq!(turn.results.iter().filter(|result| result.succeeded()).count(), 2);
    assert_eq!(game.units()["GERMANY"], ["A KIE", "A MUN", "F DEN"]);
}

#[test]
fn the_changes_of_the_map_make_the_same_map_elsewhere() {
    for variant in ["black-hole", "double-reversible", "schizo-ii", "seismic-acerunner"] {
        let mut game = Session::new(variant, 2).unwrap().ending_in(1904);
        let mut chart = game.variant().terrain.chart().clone();
        let mut dice = Stream::keyed(2, Purpose::Bot, &[]);
        while !game.is_over() {
            for power in game.awaited() {
                for choice in game.legal_orders(power) {
                    let _ = game.order(power, dice.choose(&choice.orders).expect("one"));
                }
            }
            for change in game.advance().map_changes {
                change.apply(&mut chart).unwrap_or_else(|error| panic!("{variant} {change}: {error}"));
            }
            let own = game.game().terrain().chart();
            assert_eq!(chart.map().holes(), own.map().holes(), "{variant} {}", game.phase());
            let count = |map: &upheaval::topology::PlanarMap| (map.faces().count(), map.borders().count());
            assert_eq!(count(chart.map()), count(own.map()), "{variant} {}", game.phase());
        }
    }
}

/// The names of powers belong to their board, so there is no limit to the boards that a process may meet.
#[test]
fn five_thousand_boards_with_powers_of_their_own_are_adjudicated_in_one_process() {
    let standard = STANDARD.text_with("map = \"standard\"", "map = \"two.toml\"");
    let (head, rest) = standard.split_once("[start.units]").expect("units");
    let (_, tail) = rest.split_once("\n\n").expect("what follows them");
    for number in 0..5_000 {
        let [red, blue] = ["RED", "BLUE"].map(|colour| format!("{colour}{number}"));
        let map = format!(
            "faces.WEST = {{ name = \"West\", kind = \"land\", supply_centre = true, home = \"{red}\", \
             neighbours_ccw = [\"SEA\", \"EAST\"] }}\n\
             faces.EAST = {{ name = \"East\", kind = \"land\", supply_centre = true, home = \"{blue}\", \
             neighbours_ccw = [\"SEA\", \"WEST\"] }}\n\
             faces.SEA = {{ name = \"Sea\", kind = \"sea\", neighbours_ccw = [\"OUT\"], \
             islands_ccw = [[\"WEST\", \"EAST\"]] }}\n\
             faces.OUT = {{ name = \"Outside\", kind = \"outside\", neighbours_ccw = [\"SEA\"] }}\n"
        );
        let units = format!("[start.units]\n{red} = [\"A WEST\"]\n{blue} = [\"A EAST\"]\n\n");
        let files = Files { variant: format!("{head}{units}{tail}"), map: Some(map) };
        let mut game = Session::of(Arc::new(files.check("two").expect("a variant")), 1);
        let [second, first] =
            [&red, &blue].map(|name| game.game().power_names().named(name).expect("a power"));
        assert_eq!((first.index(), second.index()), (0, 1));
        let refusal = game.order(second, "A EAST - WEST").expect_err("another's unit");
        assert_eq!(refusal.to_string(), format!("the unit is {blue}'s"));
        game.order(first, "A EAST - WEST").expect("legal");
        let turn = game.advance();
        let lines: Vec<String> = turn.results.iter().map(ToString::to_string).collect();
        assert_eq!(lines, [format!("{blue} A EAST - WEST: bounce (bounce with A WEST)")]);
        assert_eq!(game.units()[&red], ["A WEST"]);
    }
}
