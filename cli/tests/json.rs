//! `--json` of the commands that play games or put them together: one object, with what the text has.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use upheaval::analysis::Closing;
use upheaval::sim::StoredRun;

use crate::program::{Done, desk, manifest, play, run, run_in, runs, the_run};

/// The object that a command prints with this exit code.
fn object(done: &Done, code: i32) -> Value {
    assert_eq!(done.code, code, "{}{}", done.out, done.error);
    let object: Value = serde_json::from_str(&done.out).expect("one object and nothing else");
    assert_eq!(object["format"], 1, "{object}");
    object
}

/// Is this object of that run: its folder, hash and sizes?
fn assert_of_run(object: &Value, dir: &Path, run: &Path) {
    let (manifest, files) = (manifest(run), manifest(run)["files"].as_array().unwrap().clone());
    assert_eq!(dir.join(object["folder"].as_str().unwrap()), run);
    for key in ["experiment", "experiment_hash", "games"] {
        assert_eq!(object[key], manifest[key], "{key}");
    }
    let sum = |key: &str| files.iter().filter_map(|file| file[key].as_u64()).sum::<u64>();
    assert_eq!(object["files"], files.len());
    assert_eq!((&object["rows"], &object["bytes"]), (&sum("rows").into(), &sum("bytes").into()));
}

/// Is it an estimate, with its bounds around it?
fn assert_estimate(of: &Value) {
    let [low, estimate, high] = ["low", "estimate", "high"].map(|key| of[key].as_f64().unwrap());
    assert!(low <= estimate && estimate <= high, "{of}");
}

/// Is it an estimate without bounds, because no block differs from another?
fn assert_without_bounds(of: &Value) {
    assert!(of["estimate"].is_f64() && of["low"].is_null() && of["high"].is_null(), "{of}");
}

const RUN: &str = "name = \"x\"\nvariants = [\"standard\", \"black-hole\"]\ngames = 14\nseed = 1\nlast_year = 1901\n\
                   seats.lineups = [[\"greedy\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]]\n";

#[test]
fn run_has_its_folder_arms_and_faults() {
    let dir = desk(RUN);
    let plan = object(&play(dir.path(), &["--dry-run", "--json"]), 0);
    assert_eq!(
        (&plan["games"], &plan["games_left"], &plan["standing"]),
        (&json!(28), &json!(28), &json!("nothing"))
    );
    assert_eq!((&plan["games_a_block"], &plan["arms"][1]["id"]), (&json!(7), &json!("black-hole")));
    assert_eq!(plan["line_ups"][0].as_array().unwrap().len(), 7);
    assert!(plan["estimate"]["seconds"].as_f64().unwrap() > 0.0);
    assert!(!dir.path().join("results").exists(), "a plan writes nothing");

    let done = play(dir.path(), &["--json"]);
    assert!(done.error.contains("games/s"), "progress is on standard error: {}", done.error);
    let of = object(&done, 0);
    let run = the_run(dir.path());
    assert_of_run(&of, dir.path(), &run);
    assert_eq!(of["folder"], plan["folder"]);
    let arms = of["arms"].as_array().unwrap();
    assert_eq!(
        arms.iter().map(|arm| arm["variant"].as_str().unwrap()).collect::<Vec<_>>(),
        ["standard", "black-hole"]
    );
    assert_eq!((&arms[0]["games"], &arms[0]["blocks"]), (&json!(14), &json!(2)));
    assert_without_bounds(&arms[0]["powers"]["FRANCE"]["centres"]);
    assert_estimate(&arms[0]["powers"]["FRANCE"]["draws"]);
    assert_eq!((&arms[0]["winters"], &arms[1]["winters"][0]["year"]), (&json!([]), &json!(null)));
    assert_eq!(of["faults"]["bots"]["hold"]["ok"], 2 * 14 * 6);
    assert_eq!((&of["faults"]["voided"], &of["faults"]["incidents"]), (&json!(0), &json!([])));

    // What is read of a run that was played elsewhere is the same.
    let stored = StoredRun::open(&run).unwrap();
    let read = Closing::of(&stored).unwrap().summary.to_json(stored.experiment.power_names()).to_string();
    assert_eq!(serde_json::from_str::<Value>(&read).unwrap(), of["arms"]);

    // The run again, from its folder: row by row, and file by file.
    let folder = of["folder"].as_str().unwrap();
    let again = object(&run_in(dir.path(), &["run", folder, "--json"], b""), 0);
    assert_eq!(
        (&again["games"], &again["same"], &again["written"]),
        (&json!(28), &json!(true), &json!(null))
    );
    let again = object(&run_in(dir.path(), &["run", folder, "--out", "again", "--json"], b""), 0);
    assert_eq!((&again["same"], &again["differences"]), (&json!(true), &json!([])));
    assert!(dir.path().join(again["written"].as_str().unwrap()).join("manifest.json").is_file());
}

const CUP: &str = "name = \"cup\"\nvariants = [\"standard\"]\nentrants = [\"hold\", \"greedy\"]\n\
                   format = \"one-against-rest\"\nblocks = 3\nseed = 1\nlast_year = 1902\n";

#[test]
fn tournament_and_standings_have_the_same_sections() {
    let dir = desk(CUP);
    let played = run_in(dir.path(), &["tournament", "e.toml", "--json"], b"");
    let of = object(&played, 0);
    let run = the_run(dir.path());
    assert_of_run(&of, dir.path(), &run);
    let read = run_in(dir.path(), &["standings", of["folder"].as_str().unwrap(), "--json"], b"");
    assert_eq!(object(&read, 0), of);
    assert_eq!((&of["score"], &of["counted"]), (&json!("draw-size"), &json!("alone")));
    let section = &of["sections"][0];
    assert_eq!(
        (&section["variant"], &section["games"], &section["blocks"]),
        (&json!("standard"), &json!(42), &json!(3))
    );
    assert_eq!(section["bots"][0]["bot"], "greedy", "the strongest first: {section}");
    assert_estimate(&section["bots"][0]["rating"]);
    // Three blocks are too few for likelihoods.
    assert_eq!(section["superior"], json!([]));
    assert!(section["warning"].as_str().unwrap().starts_with("too few blocks (3)"));
    assert_eq!(
        (&section["alone"][0][0], &of["faults"]["bots"]["hold"]["illegal"]),
        (&json!(null), &json!(0))
    );
    assert_without_bounds(&section["alone"][0][1]);
    let other =
        run_in(dir.path(), &["standings", of["folder"].as_str().unwrap(), "--score", "solo", "--json"], b"");
    assert_eq!(object(&other, 0)["score"], "solo");
}

#[test]
fn sprt_has_its_answer_and_is_silent_about_how_it_goes() {
    let dir = desk(
        "name = \"match\"\nvariants = [\"standard\"]\nentrants = [\"greedy\", \"hold\"]\nscore = \"sum-of-squares\"\n\
         effect = 5\nmax_blocks = 60\nseed = 1\nlast_year = 1904\n",
    );
    let play = || run_in(dir.path(), &["sprt", "e.toml", "--json"], b"");
    let of = object(&play(), 0);
    let run = the_run(dir.path());
    assert_of_run(&of, dir.path(), &run);
    let answer: Value = serde_json::from_slice(&fs::read(run.join("answer.json")).unwrap()).unwrap();
    for (key, value) in answer.as_object().unwrap() {
        assert_eq!(of[key], *value, "{key}");
    }
    assert_eq!(
        (&of["verdict"], &of["stronger"], &of["variant"]),
        (&json!("H1"), &json!("greedy"), &json!("standard"))
    );
    assert_estimate(&of["difference"]);
    assert_estimate(&of["elo"]);
    assert_eq!(of["games"].as_u64().unwrap(), 14 * of["blocks"].as_u64().unwrap());
    assert_eq!(object(&play(), 0), of, "read again");
}

#[test]
fn ladder_has_its_rungs() {
    let done = run(
        &["ladder", "standard", "--from", "1", "--to", "2", "--blocks", "2", "--years", "1", "--json"],
        b"",
    );
    let of = object(&done, 0);
    assert!(done.error.contains(" games a second"), "times are on standard error: {}", done.error);
    assert_eq!(
        (&of["variant"], &of["bot"], &of["budget"]),
        (&json!("standard"), &json!("search"), &json!("rollouts"))
    );
    let rungs = of["rungs"].as_array().unwrap();
    for (rung, (budget, against)) in rungs.iter().zip([(2, 1), (4, 2)]) {
        assert_eq!(
            (&rung["budget"], &rung["against"], &rung["games"]),
            (&json!(budget), &json!(against), &json!(14))
        );
        assert_estimate(&rung["share"]);
        assert!(["wins", "loses", "open"].contains(&rung["outcome"].as_str().unwrap()), "{rung}");
    }
    assert_eq!(rungs.len(), 2);
    assert_estimate(&of["gain"]);
    assert!(["wins", "loses", "open"].contains(&of["outcome"].as_str().unwrap()), "{of}");
    assert_eq!(of["faults"]["bots"].as_object().unwrap().len(), 3);
}

#[test]
fn join_has_the_run_or_the_chunks_that_are_missing() {
    let dir = desk(RUN);
    assert_eq!(play(dir.path(), &["--shard", "1/2"]).code, 0);
    let first = runs(&dir.path().join("results")).remove(0);
    let first = first.to_str().unwrap();
    let missing = object(&run_in(dir.path(), &["join", first, "--partial", "--json"], b""), 0);
    assert_eq!(missing["missing"], json!(["1"]));
    assert_eq!(play(dir.path(), &["--shard", "2/2"]).code, 0);
    let shards = runs(&dir.path().join("results"));
    let [one, two] = [0, 1].map(|shard| shards[shard].to_str().unwrap());
    let none = object(&run_in(dir.path(), &["join", one, two, "--partial", "--json"], b""), 0);
    assert_eq!(none["missing"], json!([]));
    let of = object(&run_in(dir.path(), &["join", one, two, "--out", "whole", "--json"], b""), 0);
    let whole = runs(&dir.path().join("whole")).remove(0);
    assert_of_run(&of, dir.path(), &whole);
    assert_eq!(of["games"], 28);
}

#[test]
fn import_has_its_arms_and_the_games_that_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let file = testkit::path("tests/data/people/status.json");
    let text = fs::read_to_string(&file).unwrap();
    let wrong = text.replacen(
        "\"terrID\": 48, \"countryID\": 2, \"retreating\"",
        "\"terrID\": 45, \"countryID\": 2, \"retreating\"",
        1,
    );
    fs::write(dir.path().join("wrong.json"), wrong).unwrap();
    let done = run_in(dir.path(), &["import", "wrong.json", file.to_str().unwrap(), "--json"], b"");
    let of = object(&done, 0);
    assert_of_run(&of, dir.path(), &the_run(dir.path()));
    assert_eq!((&of["games"], &of["games_read"], &of["kept_mismatches"]), (&json!(1), &json!(2), &json!([])));
    assert_eq!((&of["arms"][0]["games"], &of["arms"][0]["ends"]["draw"]), (&json!(1), &json!(1)));
    let left_out = &of["left_out"][0];
    assert_eq!(
        (&left_out["file"], &left_out["line"], &left_out["id"]),
        (&json!("wrong.json"), &json!(1), &json!("7"))
    );
    assert_eq!(left_out["reason"], "mismatch");
    assert!(left_out["what"].as_str().unwrap().starts_with("F1901M, BUR: "), "{left_out}");
}

#[test]
fn compliance_has_its_parts_and_leaves_the_programs_own_flags_alone() {
    // It is not a bot: it prints its own arguments, which are not an answer.
    let done = run(&["compliance", "--json", "echo", "--json"], b"");
    let of = object(&done, 1);
    assert_eq!(of["sound"], false);
    let hello = &of["parts"][0];
    assert_eq!(hello["part"], "hello");
    let wrong = hello["wrong"].to_string();
    assert!(wrong.contains("--json") && !wrong.contains("--format"), "{wrong}");
    // Without the flag before the program, the result is text.
    let done = run(&["compliance", "echo", "--json"], b"");
    assert!(done.out.starts_with("WRONG  hello") && done.code == 1, "{}", done.out);
}
