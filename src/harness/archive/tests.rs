use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::record::{GameEnd, GameRow, GameRows, SeatOutcome, TopologyRow};
use crate::sim::{Collect, RunLog, RunReport, VariantEntry};
use upheaval_engine::rules::event::EventKind;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::Power;

/// The games of an import, as they are written.
#[derive(Default)]
struct Games(Vec<GameRows>);

impl Collect for Games {
    fn kept(&mut self, _: &str, _: &GameRow, _: &[TopologyRow]) {}
    fn played(&mut self, _: &str, game: &GameRows) {
        self.0.push(game.clone());
    }
}

fn request(dir: &Path, texts: &[&str]) -> ImportRequest {
    let files = texts.iter().enumerate().map(|(i, text)| {
        let path = dir.join(format!("games-{i}.jsonl"));
        fs::write(&path, text).expect("a file");
        path
    });
    let standard = Variant::find("standard", Path::new("")).expect("sound").expect("shipped");
    ImportRequest {
        files: files.collect(),
        name: "people".to_owned(),
        variant: VariantEntry::new(standard),
        boards: Boards::Standard,
        try_rules: TryRules::No,
        mismatches: OnMismatch::LeftOut,
        log: RunLog::ORDERS,
        threads: 1,
        out: dir.join("results"),
    }
}

/// The survey of a file with this text.
fn survey(text: &str) -> (TempDir, Result<ImportSurvey, ArchiveError>) {
    let dir = tempfile::tempdir().expect("a folder");
    let survey = ImportSurvey::of(request(dir.path(), &[text]));
    (dir, survey)
}

/// The message of a refused file.
fn refusal(text: &str) -> String {
    let (dir, survey) = survey(text);
    let said = survey.map(|_| ()).expect_err(text).to_string();
    assert!(!said.contains('\n'), "{said}");
    said.replace(&format!("{}/", dir.path().display()), "")
}

/// The import of a file with this text.
pub(super) fn imported(text: &str) -> (Vec<GameRows>, RunReport, TempDir) {
    let (dir, survey) = survey(text);
    let mut games = Games::default();
    let report = survey.expect("sound games").write(&mut games).expect("a folder");
    (games.0, report, dir)
}

/// Why the only game of a file is left out.
pub(super) fn left_out(game: &Value) -> String {
    let said = refusal(&game.to_string());
    said.strip_prefix("none of 1 games can be imported; games-0.jsonl:1: ").expect(&said).to_owned()
}

/// A game that ended after a year, in which France moved to Burgundy and the Ruhr, with this note.
fn over(note: &str) -> Value {
    let mut game: Value = serde_json::from_str(&testkit::read("tests/data/people/paris.json")).expect("JSON");
    game["phases"][2]["state"]["note"] = note.into();
    game
}

fn powers(record: &GameRows, outcome: SeatOutcome) -> Vec<Power> {
    record.game.seats.iter().filter(|(_, seat)| seat.outcome == outcome).map(|(power, _)| power).collect()
}

#[test]
fn a_game_ends_as_its_file_says() {
    // The game continues with a phase that has these orders and results.
    let more = |orders: Value, results: Value| {
        let mut game = over("");
        let last = &mut game["phases"][2];
        (last["name"], last["orders"], last["results"]) = ("S1902M".into(), orders, results);
        game
    };
    let order = || json!({ "FRANCE": ["A RUH - HOL"] });
    let waiting = more(order(), json!({}));
    let played = more(order(), json!({ "A PAR": [] }));
    // The package keeps the phase in which the draw was agreed, without orders and results.
    let mut agreed = more(json!({}), json!({}));
    let end = over("Victory by: FRA, GER")["phases"][2].clone();
    agreed["phases"].as_array_mut().expect("a list").push(end);
    let (france, all) = (Power::FRANCE, Power::STANDARD.to_vec());
    for (what, game, end, winner, drew, last) in [
        ("named", over("Victory by: FRA, TUR"), GameEnd::Draw, None, vec![france, Power::TURKEY], "W1901A"),
        ("nothing is said", over(""), GameEnd::Draw, None, all, "W1901A"),
        ("a concession", over("Victory by: FRA"), GameEnd::Solo, Some(france), vec![], "W1901A"),
        ("the last phase is awaited", waiting, GameEnd::Unfinished, None, vec![], "W1901A"),
        ("it has results", played, GameEnd::Unfinished, None, vec![], "S1902M"),
        ("agreed", agreed, GameEnd::Draw, None, vec![france, Power::GERMANY], "W1901A"),
    ] {
        let (games, report, _dir) = imported(&game.to_string());
        let row = &games[0].game;
        assert_eq!(
            (row.end, row.winner, powers(&games[0], SeatOutcome::Drew)),
            (end, winner, drew.clone()),
            "{what}"
        );
        let survived = 7 - drew.len() - usize::from(winner.is_some());
        assert_eq!(powers(&games[0], SeatOutcome::Survived).len(), survived, "{what}");
        assert_eq!(
            (row.draw_size as usize, row.last_phase.to_string().as_str()),
            (drew.len(), last),
            "{what}"
        );
        assert_eq!((report.manifest.games, row.seats[france].centres), (1, 3), "{what}");
        assert!(row.seats.iter().all(|(_, seat)| &*seat.bot == "people"), "{what}");
        assert!(winner.is_none_or(|winner| row.seats[winner].place == 1), "{what}");
        let drawn: Vec<_> = games[0].events.iter().filter(|event| event.kind == EventKind::Drawn).collect();
        assert_eq!(drawn.len(), usize::from(end == GameEnd::Draw), "{what}");
        if end == GameEnd::Unfinished && last == "W1901A" {
            assert_eq!((row.years, games[0].turns.len()), (1, 28));
        }
        if what == "named" {
            assert_eq!(drawn[0].detail.as_deref(), Some("FRANCE TURKEY"));
        }
        let moved = games[0].orders.iter().filter(|order| &*order.order == "A RUH - HOL").count();
        assert_eq!(moved, usize::from(last == "S1902M"), "{what}");
    }
}

#[test]
fn who_gives_no_orders_holds() {
    let (games, ..) = imported(&over("").to_string());
    let hold = |order: &&crate::record::OrderRow| order.order.ends_with(" H");
    assert_eq!(games[0].orders.iter().filter(hold).count(), 42);
}

#[test]
fn of_several_games_the_sound_ones_are_numbered_in_their_order() {
    let mut elsewhere = over("");
    elsewhere["map"] = "ancmed".into();
    let lines = [over("Victory by: FRA"), elsewhere, over("Victory by: TUR")].map(|game| game.to_string());
    let (games, ..) = imported(&lines.join("\n"));
    let winners: Vec<_> = games.iter().map(|game| (game.game.game, game.game.winner)).collect();
    assert_eq!(winners, [(0, Some(Power::FRANCE)), (1, Some(Power::TURKEY))]);
}

#[test]
fn a_game_of_webdiplomacy_is_read_with_its_coasts_convoys_retreats_and_builds() {
    let text = fs::read_to_string(testkit::path("tests/data/people/status.json")).expect("the file");
    let (games, ..) = imported(&text);
    let (row, orders) = (&games[0].game, &games[0].orders);
    assert_eq!((row.end, row.draw_size, row.last_phase.to_string().as_str()), (GameEnd::Draw, 7, "W1901A"));
    let ordered = |text: &str| orders.iter().rfind(|order| &*order.order == text).map(|order| &*order.result);
    for (order, result) in [
        ("A MAR S A PAR - BUR", "ok"),
        ("A YOR - NWY VIA", "ok"),
        ("F NTH C A YOR - NWY", "ok"),
        ("F MAO - SPA/SC", "ok"),
        ("F STP/SC - BOT", "ok"),
        ("A MUN H", "dislodged"),
        ("A MUN R SIL", "ok"),
        ("A SIL D", "ok"),
        ("F STP/NC B", "ok"),
        ("WAIVE", "ok"),
    ] {
        assert_eq!(ordered(order), Some(result), "{order}");
    }
    let centres: Vec<u16> = row.seats.iter().map(|(_, seat)| seat.centres).collect();
    assert_eq!(centres, [4, 4, 4, 2, 3, 5, 4]);
    assert!(row.seats.iter().all(|(_, seat)| seat.faults == 0));
}

/// In `home.json` Germany, which has lost Munich, gives no order in Winter. By the 2023 rules it loses its army in
/// Burgundy, which is two provinces from the centres that it owns. From its home centres the army is one province away,
/// as its fleet is, and of these the fleet is removed.
#[test]
fn a_game_that_needs_another_rule_is_imported_by_it_where_rules_are_tried() {
    let (own, other) = (over("Victory by: FRA"), testkit::read("tests/data/people/home.json"));
    let mut wrong = over("");
    wrong["phases"][1]["state"]["units"]["FRANCE"][2] = "A GAS".into();
    let text = format!("{own}\n{wrong}\n{other}\n");
    let dir = tempfile::tempdir().expect("a folder");
    let by_own = ImportSurvey::of(request(dir.path(), &[&text])).expect("a game");
    assert_eq!((by_own.games(), by_own.left_out.len()), (1, 2));
    for mismatches in [OnMismatch::LeftOut, OnMismatch::Kept] {
        let request = ImportRequest { try_rules: TryRules::Yes, mismatches, ..request(dir.path(), &[&text]) };
        let survey = ImportSurvey::of(request).expect("games");
        let needed: Vec<_> =
            survey.other_rules.iter().map(|of| (of.game.line, of.switch.to_string())).collect();
        assert_eq!(needed, [(3, "disband_distance = \"home\"".to_owned())]);
        let is_kept = mismatches == OnMismatch::Kept;
        assert_eq!((survey.games(), survey.left_out.len()), if is_kept { (3, 0) } else { (2, 1) });
        assert_eq!(survey.departed.is_empty(), !is_kept);
        let mut games = Games::default();
        let report = survey.write(&mut games).expect("a folder");
        let last = games.0.last().expect("a game");
        let removed = last.events.iter().filter(|event| event.kind == EventKind::Removed);
        let places: Vec<_> = removed.map(|event| event.province.as_deref()).collect();
        assert_eq!(places, [Some("HEL")]);
        let import = report.manifest.import.expect("it is one");
        assert_eq!(import.files[0].other_rules, [("disband_distance = \"home\"".to_owned(), vec![3])].into());
    }
}

#[test]
fn a_file_that_changes_between_the_readings_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let survey = ImportSurvey::of(request(dir.path(), &[&over("").to_string()])).expect("a game");
    for text in [over("Victory by: FRA").to_string(), String::new()] {
        fs::write(dir.path().join("games-0.jsonl"), text).expect("a file");
        let said = survey.write(&mut Games::default()).expect_err("it has changed").to_string();
        let path = dir.path().join("games-0.jsonl");
        assert_eq!(said, format!("`{}` was changed while it was read: import it again", path.display()));
    }
}

#[test]
fn the_keys_of_a_game_may_come_in_any_order_and_on_any_lines() {
    let whole = over("Victory by: FRA");
    let (expected, ..) = imported(&whole.to_string());
    let mut object = whole.as_object().expect("an object").clone();
    let phases = object.remove("phases").expect("phases");
    let first: Value = [("phases".to_owned(), phases)].into_iter().chain(object).collect();
    for text in [first.to_string(), format!("\n  \n{:#}\n", whole), format!("\r\n{whole}\r\n\r\n")] {
        assert_eq!(format!("{:?}", imported(&text).0), format!("{expected:?}"), "{text}");
    }
}

#[test]
fn other_files_make_another_run() {
    let texts = [over(""), over("Victory by: FRA")].map(|game| game.to_string());
    let manifests = texts.each_ref().map(|text| imported(text).1.manifest);
    assert_ne!(manifests[0].experiment_hash, manifests[1].experiment_hash);
    for (manifest, text) in manifests.into_iter().zip(texts) {
        let import = manifest.import.expect("it is one");
        assert_eq!(import.files[0].blake3, blake3::hash(text.as_bytes()).to_hex().as_str());
    }
}

/// Replaces the content at this position of a JSON value.
fn mutated(value: &mut Value, mut place: usize, other: &Value) {
    fn count(value: &Value) -> usize {
        1 + match value {
            Value::Array(list) => list.iter().map(count).sum(),
            Value::Object(map) => map.values().map(count).sum(),
            _ => 0,
        }
    }
    place %= count(value);
    if place == 0 {
        *value = other.clone();
        return;
    }
    place -= 1;
    let inner: Vec<&mut Value> = match value {
        Value::Array(list) => list.iter_mut().collect(),
        Value::Object(map) => map.values_mut().collect(),
        _ => return,
    };
    for value in inner {
        let own = count(value);
        if place < own {
            return mutated(value, place, other);
        }
        place -= own;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(testkit::amount(48, 1024)).unwrap_or(u32::MAX)))]

    /// Whatever a file contains, each game is played or left out, or the file is refused in a line.
    #[test]
    fn a_spoilt_game_is_left_out_or_refused_and_never_a_panic(
        places in proptest::collection::vec((any::<usize>(), 0..12_usize), 1..6),
        web in any::<bool>(),
        kept in any::<bool>(),
        tried in any::<bool>(),
        cut in proptest::option::of(any::<usize>()),
    ) {
        let words = [
            json!(null), json!([]), json!({}), json!(-1), json!(1e300), json!("A PAR"), json!("*A MUN"),
            json!("F STP/SC"), json!("Victory by: "), json!(81), json!("W9999A"), json!("Yes"),
        ];
        let mut game = match web {
            true => serde_json::from_str(include_str!("../../../tests/data/people/status.json")).expect("JSON"),
            false => over("Victory by: FRA"),
        };
        for (place, word) in places {
            mutated(&mut game, place, &words[word]);
        }
        let mut text = game.to_string();
        if let Some(cut) = cut {
            text.truncate(cut % text.len().max(1));
        }
        let dir = tempfile::tempdir().expect("a folder");
        let mismatches = if kept { OnMismatch::Kept } else { OnMismatch::LeftOut };
        let try_rules = if tried { TryRules::Yes } else { TryRules::No };
        match ImportSurvey::of(ImportRequest { mismatches, try_rules, ..request(dir.path(), &[&text]) }) {
            Ok(survey) => {
                survey.write(&mut Games::default()).expect("what was played once is played again");
            }
            Err(error) => prop_assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
}
