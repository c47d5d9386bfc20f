//! Changes that are decided before they happen, by name: at the start of a game, foretold, and by a vote.

use upheaval::ask::{Ask, Public};
use upheaval::game::Stage;
use upheaval::ids::Power;
use upheaval::reading::{OrderSource, OrderText};
use upheaval::rules::answers::Answers;
use upheaval::rules::changes::Verb;
use upheaval::rules::event::Event;

use super::{sound, with};
use crate::helpers::table::Table;

/// A game of the standard rules with one entry of these lines.
fn game(lines: &str) -> Table {
    Table::new_game(sound(&format!("[[changes]]\nid = \"act\"\n{lines}\n")), 1950)
}

fn is_hole(table: &Table, name: &str) -> bool {
    table.game.terrain().chart().map().holes().contains(table.id(name))
}

/// The changes that bots see ahead: `W1901 void BUR`.
fn coming(table: &Table) -> Vec<String> {
    let view = Public::of(&table.game);
    let all = view.coming().into_iter();
    all.map(|change| format!("{} {} {}", change.date, change.verb.name(), table.name(change.face))).collect()
}

// ---- the start ----

const FIRST: &str = "of = \"provinces\"\nchange = \"void\"\ncount = 2\nat = \"start\"";

#[test]
fn what_is_at_the_start_changes_once_in_the_winter_before_the_first_spring() {
    let mut table = game(FIRST).drawn("W1900", "act", "PAR").drawn("W1900", "act", "BUR");
    assert_eq!((table.phase().as_str(), table.game.stage()), ("W1900A", Stage::Adjustments));
    assert!(table.game.powers().iter().all(|power| table.game.asks(power).is_empty()), "nobody is asked");
    table.rest_of_season();
    assert_eq!(table.phase(), "S1901M");
    assert!(is_hole(&table, "PAR") && is_hole(&table, "BUR"));
    assert_eq!(table.units(Power::FRANCE), ["A MAR", "F BRE"], "a unit there is destroyed");
    for _ in 0..3 {
        table.season(&[]);
    }
    assert_eq!(table.offered("act").len(), 1);
}

#[test]
fn nobody_builds_before_the_first_phase() {
    // France has a centre more than units.
    let text = super::file_with(&format!("[[changes]]\nid = \"act\"\n{FIRST}\n")).replace(", \"A PAR\"", "");
    let variant = crate::helpers::shipped::check(text).expect("sound");
    let mut table = Table::new_game(variant, 1950).drawn("W1900", "act", "SWE");
    assert!(table.game.asks(Power::FRANCE).is_empty());
    table.rest_of_season();
    assert_eq!(table.units(Power::FRANCE), ["A MAR", "F BRE"]);
}

#[test]
fn a_change_at_the_start_may_end() {
    let mut table = game(&format!("{FIRST}\nlasts = \"1 season\"")).drawn("W1900", "act", "BUR");
    table.rest_of_season();
    assert!(is_hole(&table, "BUR"));
    assert!(!is_hole(table.season(&[]), "BUR"));
    let mut table = game(&format!("{FIRST}\nlasts = \"1 year\"")).drawn("W1900", "act", "BUR");
    table.rest_of_season().season(&[]).season(&[]);
    assert!(!is_hole(&table, "BUR"), "{}", table.phase());
}

#[test]
fn a_start_has_no_seasons_and_needs_a_first_spring() {
    let refused = |lines: &str| {
        with(&format!(
            "[[changes]]\nid = \"act\"\nof = \"land\"\nchange = \"void\"\nat = \"start\"\n{lines}\n"
        ))
        .unwrap_err()
    };
    for (key, value) in [
        ("seasons", "\"fall\""),
        ("from", "1902"),
        ("until", "1902"),
        ("every", "2"),
        ("foretold", "\"1 year\""),
    ] {
        let fault = refused(&format!("{key} = {value}"));
        assert!(fault.contains("before the first phase"), "{fault}");
    }
    assert!(refused("units = \"retreat\"").contains("before-retreats"));
    let text = super::file_with(&format!("[[changes]]\nid = \"act\"\n{FIRST}\n")).replace("S1901M", "F1901M");
    let fault = crate::helpers::shipped::check(text).unwrap_err();
    assert!(fault.contains("games begin with F1901M"), "{fault}");
}

// ---- foretold ----

#[test]
fn what_is_foretold_by_seasons_is_announced_after_the_movement_before() {
    let lines = "of = \"land\"\nchange = \"void\"\nseasons = \"fall\"\nforetold = \"1 season\"";
    let mut table = game(lines).drawn("S1901", "act", "BUR");
    table.season(&[]);
    assert!(table.when(|event| matches!(event, Event::PlaceDrawn(..))).is_some());
    assert!(!is_hole(&table, "BUR"));
    assert_eq!(coming(&table), ["F1901 void BUR"]);
    assert!(Public::of(&table.game).doomed().contains(table.id("BUR")), "bots keep out of it");
    table.season(&[]);
    assert!(is_hole(&table, "BUR") && coming(&table).is_empty());
    // Each Winter, a Spring and a Fall ahead.
    let lines = "of = \"land\"\nchange = \"void\"\nseasons = \"winter\"\nforetold = \"2 seasons\"";
    let mut table = game(lines).drawn("F1901", "act", "BUR");
    for holes in [false, false, false, true] {
        table.season(&[]);
        assert_eq!(is_hole(&table, "BUR"), holes, "{}", table.phase());
    }
}

#[test]
fn what_is_foretold_by_years_is_announced_at_the_same_point() {
    let lines = "of = \"sea\"\nchange = \"raise\"\nseasons = \"fall\"\nforetold = \"2 years\"\nuntil = 1903";
    let mut table = game(lines).drawn("F1901", "act", "ENG");
    table.season(&[]).season(&[]);
    assert_eq!(coming(&table), ["F1903 raise ENG"]);
    for _ in 0..4 {
        table.season(&[]);
    }
    assert!(table.game.terrain().board().land().contains(table.id("ENG")));
    assert_eq!(table.offered("act").len(), 1, "the next would be in 1904");
}

#[test]
fn a_place_is_not_announced_twice_for_the_same_entry() {
    let lines = "of = \"BUR | GAS\"\nchange = \"void\"\nforetold = \"2 seasons\"";
    let mut table = game(lines).drawn("S1901", "act", "BUR");
    table.season(&[]).season(&[]);
    assert_eq!(table.offered("act"), [vec!["BUR", "GAS"], vec!["GAS"]]);
}

#[test]
fn a_foretold_place_that_no_longer_fits_is_skipped() {
    let sooner = "[[changes]]\nid = \"sooner\"\nchange = \"void\"\n[changes.schedule]\nF1901 = [\"BUR\"]\n";
    let lines = format!(
        "of = \"land\"\nchange = \"submerge\"\nseasons = \"fall\"\nforetold = \"1 season\"\n{sooner}"
    );
    let mut table = game(&lines).drawn("S1901", "act", "BUR");
    table.season(&[]).season(&[]);
    assert!(is_hole(&table, "BUR"));
    assert!(
        table.when(|event| matches!(event, Event::Skipped(..))).is_none(),
        "it was there before the hole"
    );
    let last = format!(
        "{sooner}[[changes]]\nid = \"act\"\nof = \"land\"\nchange = \"submerge\"\nseasons = \"fall\"\nforetold = \"1 season\"\n"
    );
    let mut table = Table::new_game(sound(&last), 1950).drawn("S1901", "act", "BUR");
    table.season(&[]).season(&[]);
    assert!(table.when(|event| matches!(event, Event::Skipped(_, id) if &**id == "act")).is_some());
}

#[test]
fn units_cannot_retreat_into_what_becomes_a_hole_at_the_end_of_the_season() {
    let lines = "of = \"GAS\"\nchange = \"void\"\nseasons = \"fall\"\nforetold = \"1 season\"";
    let attack = ["A MUN - BUR", "A RUH S A MUN - BUR"];
    let options = |lines: &str| {
        let units = [(Power::FRANCE, &["A BUR"][..]), (Power::GERMANY, &["A MUN", "A RUH"])];
        let variant = sound(&format!("[[changes]]\nid = \"act\"\n{lines}\n"));
        let mut table = Table::set_in(variant, "S1901M", &[], &units, &[]).drawn("S1901", "act", "GAS");
        table.season(&[]).move_all(&attack);
        let options = table.game.retreat_options(0);
        let names: Vec<String> = options.iter().map(|to| table.name(to.province).to_owned()).collect();
        names.join(" ")
    };
    assert!(!options(lines).contains("GAS"));
    assert!(options(&lines.replace("fall", "spring")).contains("GAS"));
}

#[test]
fn two_entries_may_be_foretold_before_the_retreats() {
    let second =
        "[[changes]]\nid = \"two\"\nof = \"sea\"\nchange = \"void\"\nforetold = \"before-retreats\"\n";
    let lines = format!("of = \"land\"\nchange = \"void\"\nforetold = \"before-retreats\"\n{second}");
    let mut table = game(&lines).drawn("S1901", "act", "BUR").drawn("S1901", "two", "ENG");
    table.season(&[]);
    assert!(is_hole(&table, "BUR") && is_hole(&table, "ENG"));
}

#[test]
fn both_halves_of_a_foretold_province_change() {
    let cut = "[[changes]]\nid = \"cut\"\nof = \"provinces\"\nchange = \"split\"\nseasons = \"spring\"\n";
    let lines =
        format!("of = \"land\"\nchange = \"void\"\nseasons = \"fall\"\nforetold = \"1 season\"\n{cut}");
    let mut table = game(&lines).drawn("S1901", "act", "BUR").split("S1901", "split BUR PAR MUN");
    table.season(&[]);
    assert_eq!(coming(&table), ["F1901 void BUR.1", "F1901 void BUR.2"]);
    table.season(&[]);
    assert!(is_hole(&table, "BUR.1") && is_hole(&table, "BUR.2"));
}

#[test]
fn what_is_scheduled_is_known_ahead() {
    let table = game("change = \"submerge\"\n[changes.schedule]\nW1902 = [\"HOL\"]\nspring = [\"BEL\"]");
    assert_eq!(coming(&table), ["S1901 submerge BEL", "W1902 submerge HOL"]);
}

// ---- votes ----

const VOTE: &str = "of = \"land\"\nchange = \"void\"\nby = \"vote\"";

/// Settles a movement in which these powers vote.
fn vote(table: &mut Table, votes: &[(Power, &str)]) {
    let lines: Vec<OrderText<'_>> = votes.iter().map(|&(power, text)| OrderText { power, text }).collect();
    let read = table.understand(&lines, OrderSource::Player);
    let mut answers = Answers::none(table.game.powers());
    for (&(power, text), decision) in votes.iter().zip(read) {
        answers.put(power, &decision.unwrap_or_else(|refusal| panic!("{text}: {refusal}")));
    }
    table.settle(answers).rest_of_season();
}

fn holes(table: &Table) -> String {
    table.names(table.game.terrain().chart().map().holes()).join(" ")
}

/// The holes after these votes in the first Spring, of which nature draws BUR among equals.
fn voted(keys: &str, votes: &[(Power, &str)]) -> String {
    let mut table = game(&format!("{VOTE}\n{keys}")).drawn("S1901", "act", "BUR");
    vote(&mut table, votes);
    holes(&table)
}

const TWO_TO_ONE: [(Power, &str); 3] =
    [(Power::FRANCE, "VOTE MUN"), (Power::ENGLAND, "vote mun"), (Power::GERMANY, "VOTE PAR")];
const ONE_TO_ONE: [(Power, &str); 2] = [(Power::FRANCE, "VOTE MUN"), (Power::GERMANY, "VOTE BUR")];

#[test]
fn the_place_with_the_most_votes_changes() {
    assert_eq!(voted("", &TWO_TO_ONE), "MUN");
    assert_eq!(voted("", &TWO_TO_ONE[2..]), "PAR");
    assert_eq!(voted("", &[]), "", "without a vote nothing changes");
}

#[test]
fn a_majority_is_more_than_half_of_all_votes_that_exist() {
    let four: Vec<(Power, &str)> =
        Power::STANDARD.into_iter().take(4).map(|power| (power, "VOTE MUN")).collect();
    assert_eq!(voted("wins = \"majority\"", &four), "MUN");
    assert_eq!(voted("wins = \"majority\"", &four[..3]), "", "three of seven");
    let centres = "wins = \"majority\"\nvotes = \"centres\"";
    assert_eq!(voted(centres, &four[..3]), "", "nine or ten of 22");
}

#[test]
fn a_power_has_one_vote_or_as_many_as_centres() {
    let votes = [(Power::RUSSIA, "VOTE PAR"), (Power::FRANCE, "VOTE MUN")];
    assert_eq!(voted("votes = \"centres\"", &votes), "PAR", "four to three");
    assert_eq!(voted("votes = \"one\"\nties = \"none\"", &votes), "");
}

#[test]
fn among_equals_nature_draws_or_all_change_or_none() {
    assert_eq!(voted("ties = \"nature\"", &ONE_TO_ONE), "BUR");
    assert_eq!(voted("ties = \"all\"", &ONE_TO_ONE), "BUR MUN");
    assert_eq!(voted("ties = \"none\"", &ONE_TO_ONE), "");
}

#[test]
fn a_vote_is_asked_in_its_seasons_for_the_places_of_its_set_and_refused_for_others() {
    let mut table = game(&format!("{VOTE}\nseasons = \"fall\"\norder = \"DROWN\""));
    let line = |text| OrderText { power: Power::FRANCE, text };
    let read = |table: &Table, text| table.understand(&[line(text)], OrderSource::Player).remove(0);
    assert!(read(&table, "DROWN BUR").is_err(), "not in Spring");
    table.season(&[]);
    assert!(read(&table, "DROWN BUR").is_ok());
    let refusal = read(&table, "DROWN ENG").unwrap_err().to_string();
    assert!(refusal.contains("option"), "{refusal}");
}

#[test]
fn a_power_that_is_out_does_not_vote() {
    let units = [(Power::FRANCE, &["A BUR"][..]), (Power::GERMANY, &["A MUN"])];
    let variant = sound(&format!("[[changes]]\nid = \"act\"\n{VOTE}\nwins = \"majority\"\n"));
    let mut table = Table::set_in(variant, "S1901M", &[], &units, &[(Power::ITALY, &["ROM"])]);
    assert!(table.game.asks(Power::TURKEY).is_empty());
    vote(&mut table, &[(Power::FRANCE, "VOTE SER"), (Power::ITALY, "VOTE SER")]);
    assert_eq!(holes(&table), "SER", "two of three");
}

#[test]
fn a_voted_hole_closes_to_retreats_and_one_before_them_is_there_already() {
    for (at, phase) in [("end", "S1901R"), ("before-retreats", "S1901R")] {
        let units = [(Power::FRANCE, &["A BUR"][..]), (Power::GERMANY, &["A MUN", "A RUH"])];
        let variant = sound(&format!("[[changes]]\nid = \"act\"\n{VOTE}\nat = \"{at}\"\n"));
        let mut table = Table::set_in(variant, "S1901M", &[], &units, &[]);
        let orders = ["A MUN - BUR", "A RUH S A MUN - BUR"];
        let mut answers = Answers { orders: table.read(&orders), ..Answers::none(table.game.powers()) };
        let line = OrderText { power: Power::GERMANY, text: "VOTE GAS" };
        answers
            .put(Power::GERMANY, &table.understand(&[line], OrderSource::Player).remove(0).expect("legal"));
        table.settle(answers);
        assert_eq!(table.phase(), phase);
        assert_eq!(is_hole(&table, "GAS"), at == "before-retreats");
        assert!(table.game.retreat_options(0).iter().all(|to| to.province != table.id("GAS")), "{at}");
    }
}

#[test]
fn what_does_not_go_with_a_vote_is_refused() {
    for (keys, words) in [
        ("wins = \"majority\"\nties = \"all\"", "remove `ties`"),
        ("seasons = \"winter\"", "a Winter has none"),
        ("order = \"vote\"", "capitals"),
        ("order = \"EXEMPT\"", "other orders begin with"),
        ("order = \"PAR\"", "other orders begin with"),
        ("count = 2", "does not go with a vote"),
        ("at = \"start\"", "nobody votes"),
        ("foretold = \"1 season\"", "does not go with a vote"),
    ] {
        let fault = with(&format!("[[changes]]\nid = \"act\"\n{VOTE}\n{keys}\n")).unwrap_err();
        assert!(fault.contains(words), "{keys}: {fault}");
    }
    let twice = format!("[[changes]]\nid = \"act\"\n{VOTE}\n[[changes]]\nid = \"two\"\n{VOTE}\n");
    assert!(with(&twice).unwrap_err().contains("write another `order`"));
}

#[test]
fn bots_know_what_the_options_of_a_vote_change() {
    let table = game("of = \"provinces\"\nchange = { land = \"submerge\", sea = \"raise\" }\nby = \"vote\"");
    let view = Public::of(&table.game);
    let asks = table.game.asks(Power::FRANCE);
    let polled = asks.iter().find_map(|ask| match ask {
        Ask::Poll(poll) => Some(view.polled(poll)),
        _ => None,
    });
    let polled = polled.expect("a poll");
    assert!(
        polled.contains(&(table.id("ENG"), Verb::Raise))
            && polled.contains(&(table.id("PAR"), Verb::Submerge))
    );
}
