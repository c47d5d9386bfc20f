//! `upheaval import`: saved games are imported as the rows that they had.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::program::{Done, manifest, run_in, runs};
use upheaval::record::reader::{self, turns};
use upheaval::record::{GameRow, Text};
use upheaval::sim::StoredRun;

/// A run of greedy bots on a variant, in this folder.
fn run_of(variant: &str, first_year: u16) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let last_year = first_year + 7;
    let text = format!(
        "name = \"greedy\"\nvariants = [\"{variant}\"]\ngames = 6\nseed = 5\nlast_year = {last_year}\n\
         log.orders = true\nseats.all = \"greedy\"\n"
    );
    fs::write(dir.path().join("e.toml"), text).unwrap();
    let done = run_in(dir.path(), &["run", "e.toml", "--out", "played"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    let run = runs(&dir.path().join("played")).pop().unwrap();
    (dir, run)
}

/// Every row of `games`, `seats` and `turns` of a run.
fn rows(run: &Path) -> (Vec<GameRow>, Vec<(u32, String)>) {
    let run = StoredRun::open_whole(run).unwrap();
    let powers = run.experiment.power_names();
    let [part] = &run.parts(0)[..] else { panic!("one part") };
    let games = reader::games(&run.file(part, "games"), &run.file(part, "seats"), powers).unwrap();
    let mut centres = Vec::new();
    let fields = (turns::TURN, turns::YEAR, turns::SEASON, turns::POWER, turns::CENTRES, turns::UNITS);
    reader::by_game(&run.file(part, "turns"), powers, fields, |game, rows| {
        centres.extend(rows.iter().map(|row| (game, format!("{row:?}"))));
    })
    .unwrap();
    (games, centres)
}

/// The orders of a run, with their results.
fn events(run: &Path) -> Vec<(u32, Option<Text>, String)> {
    use upheaval::record::reader::events;
    let run = StoredRun::open_whole(run).unwrap();
    let [part] = &run.parts(0)[..] else { panic!("one part") };
    let mut found = Vec::new();
    let fields = (events::PROVINCE, events::KIND, events::POWER, events::DETAIL);
    reader::by_game(&run.file(part, "events"), run.experiment.power_names(), fields, |game, rows| {
        let row = |row: &(Option<Text>, _, _, Option<Text>)| (game, row.0.clone(), format!("{row:?}"));
        found.extend(rows.iter().map(row));
    })
    .unwrap();
    found
}

fn import(dir: &Path, arguments: &[&str]) -> Done {
    run_in(dir, &[&["import"], arguments].concat(), b"")
}

/// Imports files of saved games, and compares all rows with those of the run that they come from.
fn come_back(dir: &Path, run: &Path, arguments: &[&str]) -> PathBuf {
    let done = import(dir, &[arguments, &["--name", "greedy", "--orders"]].concat());
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.contains("\nimported: 6 of 6 games\n"), "{}", done.out);
    let import = runs(&dir.join("results")).pop().unwrap();
    let (played, imported) = (rows(run), rows(&import));
    assert_eq!(played.0.len(), 6);
    assert_eq!(played.0, imported.0);
    assert_eq!(played.1, imported.1);
    assert_eq!(events(run), events(&import));
    import
}

#[test]
fn games_of_a_run_that_are_saved_come_back_as_the_same_rows() {
    let (dir, run) = run_of("standard", 1901);
    let mut all = String::new();
    for game in 0..6 {
        let (run, game, file) = (run.to_str().unwrap(), game.to_string(), format!("{game}.jsonl"));
        let done = run_in(dir.path(), &["replay", run, &game, "--saved-game", &file], b"");
        assert_eq!(done.code, 0, "{}", done.error);
        all += &fs::read_to_string(dir.path().join(file)).unwrap();
    }
    fs::write(dir.path().join("all.jsonl"), all).unwrap();
    let folder = come_back(dir.path(), &run, &["all.jsonl"]);

    // Readers of runs can read it, but it cannot be played again.
    let folder = folder.to_str().unwrap();
    let verified = run_in(dir.path(), &["verify", folder], b"");
    assert_eq!(verified.code, 0, "{}", verified.out);
    assert!(
        verified.out.contains("imported games of 1 file, which are not played again"),
        "{}",
        verified.out
    );
    let balance = run_in(dir.path(), &["balance", folder], b"");
    assert!(balance.out.contains("6 games in 6 blocks"), "{}{}", balance.out, balance.error);
    let report = run_in(dir.path(), &["report", folder, "--out", "people.html"], b"");
    assert_eq!(report.code, 0, "{}", report.error);
    let page = fs::read_to_string(dir.path().join("people.html")).unwrap();
    assert!(page.contains("6 games of people, imported"), "the page says where its games are from");
    for again in [&["replay", folder, "0"][..], &["replay", "--verify", folder]] {
        let refusal = run_in(dir.path(), again, b"");
        assert!(refusal.refusal().contains("people have played its games"), "{}", refusal.error);
    }
    let import = &manifest(Path::new(folder))["import"];
    let hash = blake3::hash(&fs::read(dir.path().join("all.jsonl")).unwrap()).to_hex();
    assert_eq!(import["files"][0]["blake3"], hash.as_str());
    assert_eq!(import["files"][0]["name"], "all.jsonl");
}

/// A game that `--export` wrote, in the form of the package: the program itself does not write this form for boards
/// that the package does not know.
fn saved(game: &Value) -> Value {
    let phase = |name: &Value, stage: &Value| {
        let mut units: Map<String, Value> = Map::new();
        let mut retreats: Map<String, Value> = Map::new();
        for (power, standing) in stage["units"].as_object().unwrap() {
            units.insert(power.clone(), standing.clone());
        }
        for dislodged in stage["dislodged"].as_array().into_iter().flatten() {
            let power = dislodged["power"].as_str().unwrap().to_owned();
            let unit = dislodged["unit"].as_str().unwrap();
            let list = units.entry(power.clone()).or_insert_with(|| json!([]));
            list.as_array_mut().unwrap().push(format!("*{unit}").into());
            let of = retreats.entry(power).or_insert_with(|| json!({}));
            of[unit] = dislodged["options"].clone();
        }
        let mut orders: Map<String, Value> = Map::new();
        for line in stage["orders"].as_array().into_iter().flatten() {
            let list = orders.entry(line["power"].as_str().unwrap()).or_insert_with(|| json!([]));
            list.as_array_mut().unwrap().push(line["order"].clone());
        }
        let centers = &stage["centres"];
        json!({
            "name": name,
            "state": { "units": units, "retreats": retreats, "centers": centers },
            "orders": orders,
            "results": { "any": [] },
        })
    };
    let stages = game["stages"].as_array().unwrap();
    let mut phases: Vec<Value> = stages.iter().map(|stage| phase(&stage["phase"], stage)).collect();
    phases.push(phase(&json!("COMPLETED"), &game["end"]));
    json!({ "id": "own", "map": "ancmed", "phases": phases })
}

#[test]
fn games_on_another_board_come_back_by_its_variant() {
    let variant = testkit::path("experiments/boards/ancient-mediterranean.toml");
    let variant = variant.to_str().unwrap();
    let (dir, run) = run_of(variant, 1);
    let mut all = String::new();
    for game in 0..6 {
        let (run, game) = (run.to_str().unwrap(), game.to_string());
        let done = run_in(dir.path(), &["replay", run, &game, "--export", "game.json"], b"");
        assert_eq!(done.code, 0, "{}", done.error);
        let game = fs::read(dir.path().join("game.json")).unwrap();
        all += &format!("{}\n", saved(&serde_json::from_slice(&game).unwrap()));
        fs::remove_file(dir.path().join("game.json")).unwrap();
    }
    fs::write(dir.path().join("all.jsonl"), all).unwrap();
    let refused = import(dir.path(), &["all.jsonl"]);
    assert!(refused.refusal().contains("its board is `ancmed`, not `standard`"), "{}", refused.error);
    come_back(dir.path(), &run, &["all.jsonl", "--variant", variant]);
}

#[test]
fn a_game_of_webdiplomacy_is_imported_from_its_answer() {
    let dir = tempfile::tempdir().unwrap();
    let file = testkit::path("tests/data/people/status.json");
    let done = import(dir.path(), &[file.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.contains("standard: 1 games (1 draw)"), "{}", done.out);
    let [run] = &runs(&dir.path().join("results"))[..] else { panic!("one run") };
    assert!(run.file_name().unwrap().to_str().unwrap().starts_with("people-"));
    let again = import(dir.path(), &[file.to_str().unwrap()]);
    assert_eq!(again.code, 0, "the same import takes the place of the first: {}", again.error);
}

#[test]
fn what_cannot_be_imported_is_refused_in_a_line_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    fs::write(path("rubbish.json"), "rubbish").unwrap();
    fs::write(path("empty.json"), "").unwrap();
    let file = testkit::path("tests/data/people/status.json");
    let sound = file.to_str().unwrap();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(path("cut.json"), &text[..text.len() / 2]).unwrap();
    fs::write(path("order.json"), text.replacen("\"type\": \"Move\"", "\"type\": \"Fly\"", 1)).unwrap();
    fs::write(
        path("wrong.json"),
        text.replacen(
            "\"terrID\": 48, \"countryID\": 2, \"retreating\"",
            "\"terrID\": 45, \"countryID\": 2, \"retreating\"",
            1,
        ),
    )
    .unwrap();
    for (arguments, said) in [
        (&["nowhere.json"][..], "cannot read `nowhere.json`"),
        (&["."], "cannot read `.`: it is a folder"),
        (&["rubbish.json"], "rubbish.json:1:1: this is not JSON"),
        (&["cut.json"], "cut.json:"),
        (&["empty.json"], "none of 0 games can be imported"),
        (&["order.json"], "order.json:1: game `7`: `Fly` is not a type of order: turn 0, Diplomacy"),
        (
            &["wrong.json"],
            "wrong.json:1: game `7`: F1901M, BUR: the file has nothing; by the rules: FRANCE A BUR",
        ),
        (&[sound, "--name", "a/b"], "--name: `a/b` is not a valid name for a run"),
        (&[sound, "--variant", "black-hole"], "--variant: the board of `black-hole` changes during play"),
        (&[sound, "--variant", "standrad"], "there is no variant `standrad`; did you mean `standard`?"),
        (&[sound, sound], "are the same file"),
        (&[sound, "--out", ""], "a value is required for '--out <FOLDER>'"),
    ] {
        let done = import(dir.path(), arguments);
        assert!(done.refusal().contains(said), "{arguments:?}: {}", done.error);
        assert!(!path("results").exists(), "{arguments:?}");
    }
    let kept = import(dir.path(), &["wrong.json", "--keep-mismatches"]);
    assert_eq!(kept.code, 0, "{}", kept.error);
    assert!(kept.out.starts_with("kept: wrong.json:1: game `7`: F1901M, BUR: "), "{}", kept.out);
    let mixed = import(dir.path(), &["wrong.json", sound]);
    assert!(mixed.out.starts_with("skipped: wrong.json:1: game `7`: F1901M, BUR: "), "{}", mixed.out);
    assert!(mixed.out.contains("\nimported: 1 of 2 games; skipped: 1 mismatch\n"), "{}", mixed.out);
}

/// A game that needs another rule (written by the tests of the importer), and one that no rule explains.
#[test]
fn the_switch_that_a_game_needs_is_named_and_tried_on_request() {
    let dir = tempfile::tempdir().unwrap();
    let other = fs::read_to_string(testkit::path("tests/data/people/home.json")).unwrap();
    let wrong = other.replacen("A BER", "A SIL", 1).replacen("\"y\"", "\"z\"", 1);
    fs::write(dir.path().join("home.json"), &other).unwrap();
    fs::write(dir.path().join("two.jsonl"), format!("{wrong}{other}")).unwrap();
    let refused = import(dir.path(), &["home.json"]);
    let said = refused.refusal();
    assert!(said.contains("with `disband_distance = \"home\"` it agrees to its end"), "{said}");
    assert!(said.contains("; --try-rules imports 1 of them"), "{said}");
    let sound = testkit::path("tests/data/people/status.json");
    let sound = sound.to_str().unwrap();
    let done = import(dir.path(), &["two.jsonl", sound]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.contains("\nskipped: two.jsonl:2: game `y`: S1902M, BUR: "), "{}", done.out);
    let counted = "\nimported: 1 of 3 games; skipped: 2 mismatch\n--try-rules imports 1 more, ";
    assert!(done.out.contains(counted), "{}", done.out);
    let done = import(dir.path(), &["two.jsonl", sound, "--try-rules"]);
    assert_eq!(done.code, 0, "{}", done.error);
    let named = "\nother rules: two.jsonl:2: game `y`: `disband_distance = \"home\"`\n";
    assert!(done.out.contains(named), "{}", done.out);
    assert!(
        done.out.contains("\nimported: 2 of 3 games; skipped: 1 mismatch; by other rules: 1\n"),
        "{}",
        done.out
    );
    assert_eq!(runs(&dir.path().join("results")).len(), 2, "other rules make another run");
    let done = import(dir.path(), &["two.jsonl", "--try-rules", "--json", "--out", "json"]);
    let of: Value = serde_json::from_str(&done.out).unwrap();
    let expected =
        json!([{ "file": "two.jsonl", "line": 2, "id": "y", "switch": "disband_distance = \"home\"" }]);
    assert_eq!(of["other_rules"], expected);
    assert_eq!((&of["left_out"][0]["switch"], &of["left_out"][0]["id"]), (&Value::Null, &json!("z")));
    let manifest = manifest(&runs(&dir.path().join("json"))[0]);
    assert_eq!(manifest["import"]["files"][0]["other_rules"], json!({ "disband_distance = \"home\"": [2] }));
}
