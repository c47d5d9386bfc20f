//! `seats.shuffle`: line-ups whose order is drawn for each block, from outside.

use std::fs;
use std::path::Path;

use serde_json::Value;
use testkit::files_below;
use upheaval::ids::PowerNames;
use upheaval::record::GameRow;
use upheaval::record::reader;

use crate::program::{Done, desk, play, run_in, runs, the_run};

/// Chunks of 256 games, because orders are logged: two for each arm.
const FILE: &str = r#"
name = "shuffled"
variants = ["standard", "black-hole"]
games = 259
seed = 1
last_year = 1901
log.orders = true

[seats]
lineup = ["random", "dumbbot", "hold", "hold", "hold", "hold", "hold"]
shuffle = true
"#;

fn done(folder: &Path, arguments: &[&str]) -> Done {
    let done = run_in(folder, arguments, b"");
    assert_eq!(done.code, 0, "{arguments:?}: {}", done.error);
    done
}

fn games(run: &Path, arm: &str) -> Vec<GameRow> {
    let part = |table: &str, n: usize| run.join(format!("{table}/variant={arm}/part-{n:05}.parquet"));
    let rows = |n| reader::games(&part("games", n), &part("seats", n), &PowerNames::standard()).unwrap();
    [rows(0), rows(1)].concat()
}

#[test]
fn tables_say_who_sat_where_and_every_command_takes_the_run() {
    let dir = desk(FILE);
    let plan = play(dir.path(), &["--dry-run"]);
    assert!(
        plan.out.contains("line-ups: 1 in 7 rotations, shuffled by block\n"),
        "{}{}",
        plan.out,
        plan.error
    );
    assert_eq!(play(dir.path(), &[]).code, 0);
    let run = the_run(dir.path());
    let name = run.to_str().unwrap();
    let bots = |row: &GameRow| row.seats.iter().map(|(_, seat)| seat.bot.to_string()).collect::<Vec<_>>();
    let [one, other] = ["standard", "black-hole"].map(|arm| games(&run, arm));
    let mut apart = [0; 7];
    for (block, other) in one.chunks(7).zip(other.chunks(7)) {
        let order = bots(&block[0]);
        let place = |bot: &str| order.iter().position(|seated| seated == bot).unwrap();
        apart[(place("dumbbot") + 7 - place("random")) % 7] += 1;
        for (by, (row, other)) in block.iter().zip(other).enumerate() {
            let moved_on: Vec<String> = (0..7).map(|seat| order[(seat + by) % 7].clone()).collect();
            assert_eq!(bots(row), moved_on, "block {}", row.block);
            assert_eq!(bots(other), moved_on, "the arms are paired");
        }
    }
    assert!(apart[0] == 0 && apart[1..].iter().all(|blocks| *blocks > 0), "all distances occur: {apart:?}");
    done(dir.path(), &["verify", name]);
    let again = done(dir.path(), &["replay", name, "--verify", "--all"]);
    assert!(again.out.ends_with(": 518 of 518 games played again, all rows equal\n"), "{}", again.out);
    done(dir.path(), &["replay", name, "standard/30"]);
    let read: Value = serde_json::from_str(&done(dir.path(), &["balance", name, "--json"]).out).unwrap();
    assert_eq!(read["cells"][0]["seating"]["seats"], "shuffled");
    // Shards together are the whole.
    let expected: Vec<_> = files_below(&run)
        .into_iter()
        .filter(|(path, _)| path.extension().is_some_and(|of| of == "parquet"))
        .collect();
    fs::remove_dir_all(&run).unwrap();
    for shard in ["1/3", "2/3", "3/3"] {
        assert_eq!(play(dir.path(), &["--shard", shard]).code, 0);
    }
    let shards: Vec<String> =
        runs(&dir.path().join("results")).iter().map(|path| path.to_str().unwrap().to_owned()).collect();
    done(dir.path(), &[&["join"], &shards.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat());
    let joined: Vec<_> = files_below(&run)
        .into_iter()
        .filter(|(path, _)| path.extension().is_some_and(|of| of == "parquet"))
        .collect();
    assert!(joined == expected, "byte for byte");
}

#[test]
fn tournaments_matches_and_searches_are_shuffled_too() {
    let dir = desk("");
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let common =
        "name = \"s\"\nvariants = [\"standard\"]\nseed = 1\nlast_year = 1901\nseats.shuffle = true\n";
    write(
        "t.toml",
        &format!("{common}entrants = [\"hold\", \"random\"]\nformat = \"round-robin\"\nblocks = 2\n"),
    );
    done(dir.path(), &["tournament", "t.toml"]);
    let run = the_run(dir.path());
    let text = fs::read_to_string(run.join("experiment.resolved.json")).unwrap();
    assert!(text.contains("\"shuffle\": true"), "{text}");
    done(dir.path(), &["verify", run.to_str().unwrap()]);
    write("m.toml", &format!("{common}entrants = [\"hold\", \"random\"]\neffect = 0.05\nmax_blocks = 20\n"));
    done(dir.path(), &["sprt", "m.toml", "--out", "matches"]);
    let [played] = &runs(&dir.path().join("matches"))[..] else { panic!() };
    done(dir.path(), &["verify", played.to_str().unwrap()]);
    let with_more = format!(
        "{common}seats.rotate = true\nentrants = [\"hold\", \"random\"]\neffect = 0.05\nmax_blocks = 20\n"
    );
    write("m.toml", &with_more);
    let refused = run_in(dir.path(), &["sprt", "m.toml"], b"");
    assert!(refused.refusal().contains("unknown key `seats.rotate`"), "{}", refused.error);
}

#[test]
fn a_new_experiment_shuffles_its_line_ups() {
    let dir = desk("");
    done(dir.path(), &["new", "experiment", "mine"]);
    let text = fs::read_to_string(dir.path().join("mine-experiment.toml")).unwrap();
    let lineup = "lineup = [\"greedy\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"random\"]";
    fs::write(dir.path().join("mine-experiment.toml"), text.replace("all = \"greedy\"", lineup)).unwrap();
    let plan = done(dir.path(), &["run", "mine-experiment.toml", "--games", "70", "--dry-run"]);
    assert!(plan.out.contains("line-ups: 1 in 7 rotations, shuffled by block\n"), "{}", plan.out);
}
