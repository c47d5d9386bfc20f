//! The session interface: games played by orders as text.

use std::sync::Arc;

use upheaval::game::{Game, Referee};
use upheaval::game_record::{GameRecord, game_record_of, replay};
use upheaval::ids::Powers;
use upheaval::prelude::*;
use upheaval::rules::answers::Answers;
use upheaval::rules::nature::Seeded;
use upheaval::rules::variant::Files;

use crate::helpers::shipped::STANDARD;

/// Each power that is awaited draws its orders from the listed ones; `given` receives each, with what it was read as.
fn order_at_random(
    game: &mut Session,
    dice: &mut Stream,
    mut given: impl FnMut(&Session, Power, &LegalOrder, Result<Decision, Refusal>),
) {
    for power in game.awaited() {
        for choice in game.legal_orders(power) {
            let order = dice.choose(&choice.orders).expect("a choice has orders");
            let read = game.order(power, order);
            given(game, power, order, read);
        }
    }
}

/// Why a session is refused.
fn refusal<E: ToString>(session: Result<Session, E>) -> String {
    session.map(drop).map_err(|error| error.to_string()).expect_err("it is refused")
}

#[test]
fn every_order_that_is_listed_is_understood_as_what_it_says_in_every_variant() {
    use upheaval::rules::adjustment::AdjustmentRefusal::{NoBuildLeft, NoRemovalLeft};
    let seeds = |variant| testkit::thinned([0, 1, 2], 3).map(move |seed| (variant, seed));
    for (variant, seed) in Variant::shipped().flat_map(seeds) {
        let mut game = Session::new(variant, seed).expect("it ships").ending_in(1904);
        let mut dice = Stream::keyed(seed, Purpose::Bot, &[7]);
        while !game.is_over() {
            let without = game.awaited().into_iter().find(|&power| game.legal_orders(power).is_empty());
            assert_eq!(without, None, "{variant} {}: it is awaited and has no choice", game.phase());
            order_at_random(&mut game, &mut dice, |game, power, order, read| match read {
                Ok(decision) => assert_eq!(decision, order.decision, "{variant} {}: {order}", game.phase()),
                Err(refusal) => {
                    // Only the other orders show which army a landing applies to.
                    let lands = matches!(order.decision, Decision::Landing(_));
                    // A site or unit has its own choice, and there may be fewer builds or removals than these.
                    let is_enough = matches!(refusal, Refusal::Adjustment(NoBuildLeft | NoRemovalLeft));
                    assert!(lands || is_enough, "{variant} {}: {power:?} {order}: {refusal}", game.phase());
                }
            });
            game.advance();
        }
        let again = Session::restore(&game.save().unwrap()).expect("it was saved by this program");
        assert_eq!((again.game().hash(), again.ending()), (game.game().hash(), game.ending()), "{variant}");
    }
}

#[test]
fn a_session_that_is_restored_stands_where_it_stood_and_goes_on_alike() {
    let mut game = Session::new("black-hole", 3).unwrap();
    game.order(Power::ENGLAND, "F LON - NTH").unwrap();
    game.advance();
    let (mut clone, mut restored) = (game.clone(), Session::restore(&game.save().unwrap()).unwrap());
    assert_eq!(game.advance(), clone.advance());
    restored.advance();
    assert_eq!(restored.game().hash(), game.game().hash());
}

/// Have the two the same state? While units must retreat, one game may know only their options, the other also their
/// ways to places that are closed.
fn same_hash(one: &Session, other: &Session, context: &str) {
    if one.stage() != Stage::Retreats {
        assert_eq!(one.game().hash(), other.game().hash(), "{context}");
    }
}

#[test]
fn a_game_resumed_from_its_state_at_any_stage_goes_on_alike() {
    let seeds = |variant| testkit::thinned([5, 6, 7], 3).map(move |seed| (variant, seed));
    let last_year = if testkit::tries_all() { 1903 } else { 1902 };
    for (variant, seed) in Variant::shipped().flat_map(seeds) {
        let mut game = Session::new(variant, seed).unwrap().in_block(2).ending_in(last_year);
        let mut dice = Stream::keyed(seed, Purpose::Bot, &[7]);
        let mut branches: Vec<Session> = Vec::new();
        while !game.is_over() {
            let context = format!("{variant} {}", game.phase());
            if let Some(state) = game.state() {
                let text = serde_json::to_string(&state).unwrap();
                let branch =
                    Session::resume(&text).unwrap_or_else(|error| panic!("{context}: {error}: {text}"));
                same_hash(&branch, &game, &context);
                assert_eq!(branch.state(), Some(state), "{context}");
                branches.push(branch);
            }
            order_at_random(&mut game, &mut dice, |_, power, order, read| {
                for branch in &mut branches {
                    assert_eq!(branch.order(power, order), read, "{context}: {order}");
                }
            });
            let turn = game.advance();
            for branch in &mut branches {
                let from = branch.start().map(|start| start.phase.clone());
                let other = branch.advance();
                assert_eq!(other.results, turn.results, "{context}, from {from:?}");
                assert_eq!(other.map_changes, turn.map_changes, "{context}, from {from:?}");
                same_hash(branch, &game, &format!("{context}, from {from:?}"));
                assert_eq!(
                    branch.state().map(|state| state.map_events),
                    game.state().map(|state| state.map_events)
                );
            }
        }
        assert!(game.state().is_none(), "a game that is over waits for nothing");
        for branch in testkit::thinned(branches, 3) {
            let again = Session::restore(&branch.save().unwrap()).expect("it was saved by this program");
            assert_eq!((again.start(), again.game().hash()), (branch.start(), game.game().hash()));
            let record = game_record_of(&branch).unwrap();
            let read = GameRecord::parse("branch.json", &record.to_json()).unwrap();
            let end = replay(&read, read.variant("branch.json").unwrap(), &mut |_| {});
            assert_eq!(end.map(|game| game.hash()), Ok(game.game().hash()), "{variant}");
        }
    }
}

#[test]
fn a_state_without_a_seed_or_with_a_rulebook_is_refused() {
    let state = |more: &str| format!(r#"{{"id": 1, "phase": "F1902M", "powers": {{}}{more}}}"#);
    let refused = |more: &str| refusal(Session::resume(&state(more)));
    assert!(Session::resume(&state(r#", "nature": {"seed": 7}"#)).is_ok());
    assert_eq!(refused(""), r#"`nature`: a resumed game draws from a seed, as in `"nature": {"seed": 7}`"#);
    assert_eq!(
        refused(r#", "nature": {"seed": 7}, "rulebook": "1971""#),
        "`rulebook`: a resumed game follows the rulebook of its variant; remove this key"
    );
    assert_eq!(
        refused(r#", "nature": {"seed": 7}, "last_year": 1901"#),
        "`last_year`: 1901 is over in F1902M"
    );
}

#[test]
fn a_state_keeps_no_id_or_orders_and_names_the_rules_by_which_it_goes_on() {
    let state = r#"{"id": 7, "phase": "S1900M", "nature": {"seed": 7}, "powers": {}, "orders": {"FRANCE": []},
        "variant": "black-hole", "parameters": {"changes.holes.count": 2}}"#;
    let mut game = Session::resume(state).unwrap().ending_in(1899);
    let now = game.state().expect("it waits for orders");
    assert_eq!((now.id.text(), &now.orders, now.last_year), ("null", &None, Some(1900)));
    let guess = game.imagine(Power::FRANCE, 1).state().expect("it waits for orders");
    assert_eq!(guess.parameters, now.parameters);
    let again = Session::resume(&serde_json::to_string(&now).unwrap()).unwrap().advance();
    assert_eq!((again.map_changes.len(), &again), (2, &game.advance()));
    // A year before the first of the variant counts as its first in a record.
    assert_eq!(game_record_of(&game).unwrap().start.map(|start| start.phase), Some("S1900M".to_owned()));
    let standard = Arc::new(Variant::find("standard", "".as_ref()).unwrap().unwrap());
    let other = Session::resume_with(state, standard).unwrap().state().expect("it waits for orders");
    assert_eq!((other.variant.as_str(), other.parameters.len()), ("standard", 0));
}

#[test]
fn a_state_is_as_limited_as_a_request_also_in_a_saved_session() {
    let units = format!(r#"{{"FRANCE": {{"units": {:?}}}}}"#, vec!["A PAR"; 1001]);
    let state = |powers: &str| {
        format!(r#"{{"id": 1, "phase": "S1901M", "nature": {{"seed": 1}}, "powers": {powers}}}"#)
    };
    let error = "`powers.FRANCE.units`: 1001 entries; at most 1000 are allowed";
    assert_eq!(refusal(Session::resume(&state(&units))), error);
    let saved = Session::resume(&state("{}")).unwrap().save().unwrap();
    let saved = saved.replace(r#""powers":{}"#, &format!(r#""powers":{units}"#));
    assert_eq!(refusal(Session::restore(&saved)), error);
}

#[test]
fn a_saved_session_that_was_changed_is_refused_with_the_phase() {
    let mut game = Session::new("standard", 3).unwrap();
    game.order(Power::ENGLAND, "F LON - NTH").unwrap();
    game.advance();
    let saved = game.save().unwrap();
    let error = |text: &str| refusal(Session::restore(text));
    let changed = error(&saved.replace("F LON - NTH", "F LON - ENG"));
    assert!(changed.starts_with("F1901M: the game differs from the saved one"), "{changed}");
    let rules = error(
        &saved
            .replacen("1902", "1903", 1)
            .replace(r#"unordered = \"disband\""#, r#"unordered = \"north-then-anticlockwise\""#),
    );
    assert_eq!(rules, "the session was saved with different rules of the variant `standard`");
    assert!(error("{}").starts_with("not a saved session: missing field `format`"));
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
    game.order(Power::FRANCE, "A PAR - BUR").unwrap();
    for order in ["A MUN - BUR", "A BER - KIE", "F KIE - DEN"] {
        game.order(Power::GERMANY, order).unwrap();
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
            order_at_random(&mut game, &mut dice, |_, _, _, _| {});
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
fn thousands_of_boards_with_powers_of_their_own_are_adjudicated_in_one_process() {
    let standard = STANDARD.text_with("map = \"standard\"", "map = \"two.toml\"");
    let (head, rest) = standard.split_once("[start.units]").expect("units");
    let (_, tail) = rest.split_once("\n\n").expect("what follows them");
    for number in 0..testkit::amount(300, 5_000) {
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
