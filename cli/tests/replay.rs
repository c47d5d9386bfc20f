//! `upheaval replay`: a game of a run is the same when it is played again, and changes are found.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Done, manifest, run_in};
use serde_json::Value;
use tempfile::TempDir;

const FILE: &str = r#"
name = "again"
variants = ["standard", "black-hole", "own.toml"]
games = 14
seed = 3
last_year = 1904
log.orders = true

[seats]
lineup = ["greedy", "dumbbot", "random", "random", "deep", "hold", "random"]

[bots.deep]
kind = "search"
rollouts = 8
years = 1

[[sweep]]
parameter = "holes.per_season"
values = [1, 3]
variants = ["black-hole"]
"#;

/// A folder with a run in it, one of whose variants comes from a file with its own map, and the run's path.
fn desk() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::write(path("e.toml"), FILE).unwrap();
    fs::copy(root.join("maps/standard.json"), path("board.json")).unwrap();
    let own = fs::read_to_string(root.join("variants/black-hole.toml")).unwrap();
    let own = own
        .replace("id = \"black-hole\"", "id = \"own\"")
        .replace("map = \"standard\"", "map = \"board.json\"");
    fs::write(path("own.toml"), own).unwrap();
    let done = run_in(dir.path(), &["run", "e.toml"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    // The files that the run was made from are not needed any more.
    ["e.toml", "own.toml", "board.json"].iter().for_each(|name| fs::remove_file(path(name)).unwrap());
    let run = fs::read_dir(path("results")).unwrap().next().unwrap().unwrap().path();
    (dir, run)
}

fn replay(run: &Path, arguments: &[&str]) -> Done {
    let name = run.to_str().unwrap();
    run_in(run.parent().unwrap(), &[&["replay", name], arguments].concat(), b"")
}

#[test]
fn games_of_a_run_are_played_again_from_its_folder_alone() {
    let (_dir, run) = desk();
    for game in ["standard/0", "black-hole.per_season-1/5", "black-hole.per_season-3/13", "own/7"] {
        let done = replay(&run, &[game]);
        assert_eq!(done.code, 0, "{game}: {}", done.error);
        assert!(done.out.starts_with(&format!("{game} replays as recorded: ")), "{}", done.out);
    }
    let done = replay(&run, &["--verify", "--all"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.error);
    assert!(done.out.ends_with(": 56 of 56 games played again, all rows equal\n"), "{}", done.out);
    let done = replay(&run, &["--verify", "--sample", "8"]);
    // Every sixth rather than every seventh, which would be only one rotation.
    assert!(done.out.contains(": 10 of 56 games played again"), "{}", done.out);
}

#[test]
fn an_exported_game_is_played_again_anywhere_and_refused_where_it_was_changed() {
    let (_dir, run) = desk();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("game.json");
    let name = file.to_str().unwrap();
    assert_eq!(replay(&run, &["own/3", "--export", name]).code, 0);
    fs::remove_dir_all(&run).unwrap();
    let again = || run_in(elsewhere.path(), &["replay", "game.json"], b"");
    assert_eq!(again().code, 0, "{}", again().error);
    let text = run_in(elsewhere.path(), &["replay", "game.json", "--text"], b"").out;
    assert!(text.starts_with("own/3, experiment again, seed 3\n"), "{text}");
    assert!(text.contains("    S1901: "), "{text}");

    let kept = fs::read_to_string(&file).unwrap();
    let mut value: Value = serde_json::from_str(&kept).unwrap();
    let phase = value["stages"][4]["phase"].as_str().unwrap().to_owned();
    value["stages"][4]["state"] = "0123456789abcdef".into();
    fs::write(&file, value.to_string()).unwrap();
    let done = again();
    assert_eq!(done.code, 1);
    assert!(
        done.only_error().contains(&format!("own/3, {phase}: the hash of the game is 0123456789abcdef")),
        "{}",
        done.error
    );
    fs::write(&file, &kept[..kept.len() / 2]).unwrap();
    assert!(again().refusal().contains("game.json:"), "{}", again().error);
    fs::write(&file, "{\"format\": \"chess\", \"format_version\": 1}").unwrap();
    assert!(again().refusal().contains("is a `chess` file, not `upheaval-game`"), "{}", again().error);
}

#[test]
fn a_run_whose_rows_were_changed_is_told_apart_by_game_and_column() {
    let (_dir, run) = desk();
    // The rows of another arm in place of these: games of the same seeds with other holes.
    let part = |arm: &str| run.join(format!("turns/variant={arm}/part-00000.parquet"));
    fs::copy(part("black-hole.per_season-3"), part("black-hole.per_season-1")).unwrap();
    let done = replay(&run, &["--verify", "--all"]);
    assert_eq!(done.code, 1, "{}", done.out);
    let first = done.out.lines().next().unwrap();
    assert!(first.starts_with("black-hole.per_season-1/0: turns "), "{first}");
    assert!(first.contains(" in the run, but "), "{first}");
    assert!(done.out.ends_with("games played again differ\n"), "{}", done.out);
}

#[test]
fn a_game_is_compared_with_the_run_before_anything_is_written() {
    let (_dir, run) = desk();
    let part = |table: &str, arm: &str| run.join(format!("{table}/variant={arm}/part-00000.parquet"));
    let (one, three) = ("black-hole.per_season-1", "black-hole.per_season-3");
    let page = run.with_file_name("game.json");
    let export = ["black-hole.per_season-1/5", "--export", page.to_str().unwrap()];
    for (table, told) in [("orders", "orders "), ("events", "events "), ("turns", "turns ")] {
        let kept = fs::read(part(table, one)).unwrap();
        fs::copy(part(table, three), part(table, one)).unwrap();
        let done = replay(&run, &export);
        assert_eq!((done.code, &*done.out), (1, ""), "{table}: {}", done.error);
        let error = done.only_error();
        assert!(error.contains(&format!("black-hole.per_season-1/5: {told}")), "{table}: {error}");
        assert!(
            error.contains(" in the run, but ") || error.contains(" rows are stored"),
            "{table}: {error}"
        );
        assert!(!page.exists(), "{table}: nothing is written of a game that is another");
        fs::write(part(table, one), kept).unwrap();
    }
    fs::remove_file(part("turns", one)).unwrap();
    let error = replay(&run, &export).refusal().to_owned();
    assert!(
        error.contains("turns/variant=black-hole.per_season-1/part-00000.parquet` cannot be read"),
        "{error}"
    );
    assert_eq!(replay(&run, &["black-hole.per_season-3/5"]).code, 0, "the others are whole");

    // Tables of another version may have other contents, or the same in another form.
    let resolved = run.join("experiment.resolved.json");
    let text = fs::read_to_string(&resolved).unwrap();
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex().to_string();
    let other = text.replace("\"schema_version\": 7", "\"schema_version\": 5");
    assert_ne!(text, other);
    let manifest = run.join("manifest.json");
    let listed = fs::read_to_string(&manifest).unwrap();
    fs::write(&resolved, &other).unwrap();
    let listed = listed.replace("\"schema_version\": 7", "\"schema_version\": 5");
    fs::write(&manifest, listed.replace(&hash(&text), &hash(&other))).unwrap();
    let error = replay(&run, &["standard/1"]).refusal().to_owned();
    assert!(
        error.contains(
            "has schema version 5, but this program reads 7: read it with the version that wrote it"
        ),
        "{error}"
    );
}

#[test]
fn a_shard_has_its_own_games_alone() {
    let dir = tempfile::tempdir().unwrap();
    let text = "name = \"cut\"\nvariants = [\"standard\", \"black-hole\"]\ngames = 518\nseed = 3\nlast_year = 1901\n\
                log.orders = true\nseats.all = \"hold\"\n";
    fs::write(dir.path().join("e.toml"), text).unwrap();
    assert_eq!(run_in(dir.path(), &["run", "e.toml", "--shard", "2/4"], b"").code, 0);
    let run = fs::read_dir(dir.path().join("results")).unwrap().next().unwrap().unwrap().path();
    for game in ["standard/256", "standard/511", "black-hole/517"] {
        assert_eq!(replay(&run, &[game]).code, 0, "{game}");
    }
    for (game, told) in [
        ("standard/0", "it is shard 2/4 of the run, and has 256 to 511 of `standard`"),
        ("standard/512", "and has 256 to 511 of `standard`"),
        ("black-hole/511", "and has 512 to 517 of `black-hole`"),
        ("black-hole/518", "games are numbered from 0 to 517"),
    ] {
        let done = replay(&run, &[game]);
        assert!(done.refusal().contains(told), "{game}: {}", done.error);
    }
}

#[test]
fn what_cannot_be_played_again_says_why() {
    let (dir, run) = desk();
    let refused = |arguments: &[&str]| replay(&run, arguments).refusal().to_owned();
    let said = refused(&[]);
    assert!(
        said.contains("name one of its games, as in `upheaval replay ") && said.contains(" standard/0`"),
        "{said}"
    );
    assert!(refused(&["3"]).contains("name the arm, as in `standard/3`"), "{}", refused(&["3"]));
    assert!(refused(&["standart/3"]).contains("did you mean `standard`?"));
    assert!(refused(&["standard/14"]).contains("games are numbered from 0 to 13"));
    assert!(refused(&["standard/x"]).contains("games are numbered from 0 to 13"));
    assert!(refused(&["own/1", "--saved-game", "x"]).contains("they only know the standard board"));
    assert!(refused(&["standard/1", "--verify"]).contains("--verify"));
    let missing = run_in(dir.path(), &["replay", "nowhere", "1"], b"");
    assert!(
        missing.refusal().contains("`nowhere` is not a run folder: cannot read `manifest.json`"),
        "{}",
        missing.error
    );

    let manifest = run.join("manifest.json");
    let kept = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, kept.replace("per_season = 3", "per_season = 2")).unwrap();
    let damaged = replay(&run, &["standard/1"]);
    let told = "`manifest.json` does not contain the rules of `black-hole.per_season-3` that were played";
    assert!(damaged.code == 1 && damaged.error.contains(told), "{}", damaged.error);
    fs::write(&manifest, &kept).unwrap();
    let resolved = run.join("experiment.resolved.json");
    let text = fs::read_to_string(&resolved).unwrap();
    fs::write(&resolved, text.replace("\"seed\": 3", "\"seed\": 4")).unwrap();
    assert!(refused(&["standard/1"]).contains("its hash is not the one in `manifest.json`"));
}

#[test]
fn files_are_named_when_they_are_written_and_never_overwrite_each_other() {
    let (dir, run) = desk();
    let folder = dir.path();
    let replay = |arguments: &[&str]| {
        run_in(folder, &[&["replay", run.to_str().unwrap(), "standard/2"], arguments].concat(), b"")
    };
    let done = replay(&["--export", "x.json", "--html", "x.html", "--saved-game", "x.jsonl"]);
    let said: Vec<&str> = done.out.lines().skip(1).collect();
    assert_eq!(said, ["game: x.json", "saved game: x.jsonl", "page: x.html"], "{}", done.error);
    assert!(said.iter().all(|line| folder.join(line.rsplit(' ').next().unwrap()).exists()));
    for two in [
        ["--export", "y", "--html", "y"],
        ["--saved-game", "y", "--html", "./y"],
        ["--export", "y", "--saved-game", "y"],
    ] {
        let done = replay(&two);
        assert!(done.refusal().contains(&format!("{} would overwrite {}", two[2], two[0])), "{}", done.error);
        assert!(!folder.join("y").exists(), "{two:?}");
    }
    let within = run.join("x.html");
    assert!(replay(&["--html", within.to_str().unwrap()]).refusal().contains("is in the run folder"));
    let error = replay(&["--html", "nowhere/x.html"]);
    assert_eq!(
        error.only_error(),
        "error: cannot write `nowhere/x.html`: No such file or directory (os error 2)"
    );

    let of_file = |arguments: &[&str]| run_in(folder, &[&["replay", "x.json"], arguments].concat(), b"");
    assert!(of_file(&["5"]).refusal().contains("`x.json` is a file with one game: remove `5`"));
    assert!(
        of_file(&["--verify"]).refusal().contains("`--verify` needs a run folder, but `x.json` is a file")
    );
    assert!(of_file(&["--html", "x.json"]).refusal().contains("--html would overwrite the game itself"));
    for with_verify in
        [&["standard/1", "--verify"][..], &["--verify", "--text"], &["--verify", "--html", "z"]]
    {
        let run = run_in(folder, &[&["replay", run.to_str().unwrap()], with_verify].concat(), b"");
        assert!(run.refusal().contains("--verify"), "{}", run.error);
    }
}

#[test]
fn a_game_of_regular_diplomacy_is_saved_for_other_programs() {
    let (_dir, run) = desk();
    let file = run.with_file_name("saved.jsonl");
    assert_eq!(replay(&run, &["standard/2", "--saved-game", file.to_str().unwrap()]).code, 0);
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 1, "a line for each game");
    let saved: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (saved["map"].as_str(), saved["phases"][0]["name"].as_str()),
        (Some("standard"), Some("S1901M"))
    );
}

/// `upheaval run` on the folder of a run.
fn rerun(run: &Path, arguments: &[&str]) -> Done {
    let name = run.to_str().unwrap();
    run_in(run.parent().unwrap(), &[&["run", name], arguments].concat(), b"")
}

#[test]
fn a_whole_run_is_played_again_from_its_folder_or_its_manifest() {
    let (_dir, run) = desk();
    let done = rerun(&run, &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.error);
    assert!(done.out.ends_with(": 56 games played again, all rows equal\n"), "{}", done.out);
    let written = run.join("manifest.json");
    let into = ["run", written.to_str().unwrap(), "--out", "again", "--threads", "1"];
    let done = run_in(run.parent().unwrap(), &into, b"");
    assert_eq!(done.code, 0, "{}{}", done.out, done.error);
    assert!(done.out.contains(": 56 games played again in again/again-"), "{}", done.out);
    assert!(done.out.ends_with(" files equal byte for byte\n"), "{}", done.out);
    let second = run.with_file_name("again").join(run.file_name().unwrap());
    let sound = run_in(run.parent().unwrap(), &["verify", second.to_str().unwrap()], b"");
    assert_eq!(sound.code, 0, "{}", sound.out);
    let (first, again) = (manifest(&run), manifest(&second));
    assert_eq!(first["files"], again["files"]);
    // The revision of the clone, if it was built in one.
    let in_clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.git").exists();
    let revision = first["code"]["revision"].as_str();
    assert_eq!(revision.is_some_and(|revision| revision.len() == 40), in_clone, "{revision:?}");
}

#[test]
fn a_run_that_differs_when_it_is_played_again_is_reported() {
    let (_dir, run) = desk();
    let part = |arm: &str| run.join(format!("turns/variant={arm}/part-00000.parquet"));
    fs::copy(part("black-hole.per_season-3"), part("black-hole.per_season-1")).unwrap();
    let done = rerun(&run, &[]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(done.out.starts_with("black-hole.per_season-1/0: turns "), "{}", done.out);
    assert!(done.out.ends_with(" of 56 games played again differ\n"), "{}", done.out);
    // A manifest that lists another hash for a file: the written file differs.
    let text = fs::read_to_string(run.join("manifest.json")).unwrap();
    let listed: Value = serde_json::from_str(&text).unwrap();
    let files = listed["files"].as_array().unwrap();
    let file = files.iter().find(|file| file["path"].as_str().unwrap().starts_with("games/")).unwrap();
    let hash = file["blake3"].as_str().unwrap();
    fs::write(run.join("manifest.json"), text.replace(hash, &"0".repeat(64))).unwrap();
    let done = rerun(&run, &["--out", "other"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.error);
    let path = file["path"].as_str().unwrap();
    assert!(done.out.starts_with(&format!("{path}: played again, it has different bytes\n")), "{}", done.out);
    assert!(done.out.ends_with("; 1 file differs\n"), "{}", done.out);
}

#[test]
fn a_run_is_played_again_as_it_was_or_refused() {
    let (_dir, run) = desk();
    for (arguments, told) in [
        (&["--seed", "4"][..], "`--seed` needs an experiment file"),
        (&["--set", "games=7"], "`--set` needs an experiment file"),
        (&["--threads", "1"], "`--threads` needs `--out`"),
        (&["--out", run.to_str().unwrap()], "is in the run folder"),
        (&["--out", "."], "is the run itself; choose another folder with --out"),
    ] {
        let error = rerun(&run, arguments).refusal().to_owned();
        assert!(error.contains(told), "{arguments:?}: {error}");
    }
    fs::remove_file(run.join("experiment.resolved.json")).unwrap();
    let error = rerun(&run, &[]).refusal().to_owned();
    assert!(error.contains("is not a run folder: cannot read `experiment.resolved.json`"), "{error}");
    let error = rerun(run.parent().unwrap(), &[]).refusal().to_owned();
    assert!(error.contains("is not a run folder: cannot read `manifest.json`"), "{error}");
}
