//! `upheaval import`: saved games are imported as the rows that they had.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::program::{manifest, run_in, runs, the_run};
use upheaval::record::reader::{self, turns};
use upheaval::record::{GameRow, Text};
use upheaval::sim::StoredRun;

/// The games of a run.
const GAMES: u32 = 3;

/// A run of greedy bots on a variant, in this folder.
fn run_of(variant: &str, first_year: u16) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let last_year = first_year + 7;
    let text = format!(
        "name = \"greedy\"\nvariants = [\"{variant}\"]\ngames = {GAMES}\nseed = 5\nlast_year = {last_year}\n\
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

/// Imports the file of saved games, and compares all rows with those of the run that they come from.
fn come_back(dir: &Path, run: &Path, arguments: &[&str]) -> PathBuf {
    let arguments = [&["import", "all.jsonl", "--name", "greedy", "--orders"], arguments].concat();
    let done = run_in(dir, &arguments, b"");
    assert_eq!(done.code, 0, "{}", done.error);
    let import = the_run(dir);
    let (played, imported) = (rows(run), rows(&import));
    assert_eq!(played.0.len(), GAMES as usize);
    assert_eq!(played, imported);
    assert_eq!(events(run), events(&import));
    import
}

#[test]
fn games_of_a_run_that_are_saved_come_back_as_the_same_rows() {
    let (dir, run) = run_of("standard", 1901);
    let mut all = String::new();
    for game in 0..GAMES {
        let (run, game, file) = (run.to_str().unwrap(), game.to_string(), format!("{game}.jsonl"));
        let done = run_in(dir.path(), &["replay", run, &game, "--saved-game", &file], b"");
        assert_eq!(done.code, 0, "{}", done.error);
        all += &fs::read_to_string(dir.path().join(file)).unwrap();
    }
    fs::write(dir.path().join("all.jsonl"), &all).unwrap();
    let import = &manifest(&come_back(dir.path(), &run, &[]))["import"];
    assert_eq!(import["files"][0]["blake3"], blake3::hash(all.as_bytes()).to_hex().as_str());
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
    for game in 0..GAMES {
        let (run, game) = (run.to_str().unwrap(), game.to_string());
        let done = run_in(dir.path(), &["replay", run, &game, "--export", "game.json"], b"");
        assert_eq!(done.code, 0, "{}", done.error);
        let game = fs::read(dir.path().join("game.json")).unwrap();
        all += &format!("{}\n", saved(&serde_json::from_slice(&game).unwrap()));
        fs::remove_file(dir.path().join("game.json")).unwrap();
    }
    fs::write(dir.path().join("all.jsonl"), all).unwrap();
    come_back(dir.path(), &run, &["--variant", variant]);
}
