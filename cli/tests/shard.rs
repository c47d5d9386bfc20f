//! `upheaval run --shard` and `upheaval join`: the shards of a run together are the run, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program;
use crate::program::{Done, desk, run_in, runs};
use serde_json::Value;
use testkit::files_below;

/// Two arms and a variant without a sweep; chunks of 256 games, because orders are logged: two for each arm, six in
/// all.
const FILE: &str = r#"
name = "shards"
variants = ["standard", "black-hole"]
games = 301
seed = 1
last_year = 1901
log.orders = true

[seats]
lineups = [
  ["random", "hold", "hold", "hold", "hold", "hold", "hold"],
]

[[sweep]]
parameter = "holes.per_season"
values = [1, 2]
"#;

fn play(dir: &Path, arguments: &[&str]) -> Done {
    let done = program::play(dir, arguments);
    assert_eq!(done.code, 0, "{}", done.error);
    done
}

/// Shards that are started at the same moment create their folders at the same time.
#[test]
fn shards_that_are_started_together_do_not_stand_in_each_others_way() {
    for _ in 0..4 {
        let dir = desk(FILE);
        let shard = |i: u32| {
            std::process::Command::new(env!("CARGO_BIN_EXE_upheaval"))
                .current_dir(dir.path())
                .args(["run", "e.toml", "--out", "some/new/place", "--shard", &format!("{i}/6")])
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        };
        let started: Vec<_> = (1..=6).map(shard).collect();
        for shard in started {
            let done = shard.wait_with_output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        }
    }
}

/// The paths of a run's folder as arguments, relative to the folder in which the commands are run.
fn names(runs: &[PathBuf]) -> Vec<String> {
    runs.iter().map(|run| format!("results/{}", run.file_name().unwrap().to_str().unwrap())).collect()
}

/// The files without the manifest, and the manifest without the parts that differ from machine to machine and from time
/// to time.
fn comparable(run: &Path) -> (BTreeMap<PathBuf, Vec<u8>>, Value) {
    let mut files = files_below(run);
    let mut manifest: Value =
        serde_json::from_slice(&files.remove(Path::new("manifest.json")).unwrap()).unwrap();
    for key in ["started", "ended", "host", "threads"] {
        assert!(manifest.as_object_mut().unwrap().remove(key).is_some());
    }
    (files, manifest)
}

fn join(dir: &Path, folders: &[String], more: &[&str]) -> Done {
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    run_in(dir, &[&["join"], &folders[..], more].concat(), b"")
}

#[test]
fn two_or_three_shards_together_are_the_whole_run_byte_for_byte() {
    let whole = desk(FILE);
    play(whole.path(), &[]);
    let expected = comparable(&runs(&whole.path().join("results"))[0]);
    assert_eq!(expected.0.len(), 2 + 7 * 6);
    for of in [2, 3] {
        let dir = desk(FILE);
        for number in (1..=of).rev() {
            let done =
                play(dir.path(), &["--shard", &format!("{number}/{of}"), "--threads", &number.to_string()]);
            assert!(done.out.contains(&format!(".shard-{number}-of-{of} (")), "{}", done.out);
        }
        let shards = runs(&dir.path().join("results"));
        assert_eq!(shards.len(), of);
        for shard in &shards {
            // Every part has the same name and bytes as in the whole run.
            let parts = files_below(shard)
                .into_iter()
                .filter(|(path, _)| path.extension().is_some_and(|e| e == "parquet"));
            let parts: Vec<_> = parts.collect();
            assert!(
                !parts.is_empty() && parts.iter().all(|(path, bytes)| expected.0.get(path) == Some(bytes))
            );
        }
        let done = join(dir.path(), &names(&shards), &[]);
        assert_eq!(done.code, 0, "{}", done.error);
        assert!(done.out.starts_with("903 games\nfiles: results/shards-"), "{}", done.out);
        let joined = runs(&dir.path().join("results")).remove(0);
        assert_eq!(joined.file_name(), runs(&whole.path().join("results"))[0].file_name());
        assert!(comparable(&joined) == expected, "{of} shards");
        let checked = run_in(dir.path(), &["verify", &names(&[joined])[0]], b"");
        assert_eq!(checked.code, 0, "{}", checked.out);
        assert_eq!(runs(&dir.path().join("results")).len(), of + 1, "nothing is left over");
    }
}

/// As on a cluster where some tasks of an array were lost.
#[test]
fn what_is_missing_is_listed_and_played_by_its_chunks() {
    let whole = desk(FILE);
    play(whole.path(), &[]);
    let expected = comparable(&runs(&whole.path().join("results"))[0]);
    let dir = desk(FILE);
    let pieces = || names(&runs(&dir.path().join("results")));
    let missing = |more: &[&str]| {
        let done = join(dir.path(), &pieces(), &[&["--partial"], more].concat());
        assert_eq!((done.code, done.error.as_str()), (0, ""));
        done.out
    };
    play(dir.path(), &["--shard", "1/3"]);
    let done = play(dir.path(), &["--chunks", "4"]);
    assert!(done.out.contains(".chunks-4 ("), "{}", done.out);
    assert_eq!(missing(&[]), "1-2,5\n");
    assert_eq!(missing(&["--pieces", "2"]), "1\n2,5\n");
    let refused = join(dir.path(), &pieces(), &[]);
    let words = "the chunks 1-2,5 are missing; play them with `upheaval run FILE --chunks 1-2,5`";
    assert!(refused.refusal().contains(words), "{}", refused.error);
    // One chunk is played twice.
    for list in ["1", "0,2,5"] {
        play(dir.path(), &["--chunks", list]);
    }
    assert_eq!(missing(&[]), "");
    let done = join(dir.path(), &pieces(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(comparable(&runs(&dir.path().join("results")).remove(0)) == expected);
    for chunks in pieces().iter().filter(|name| name.contains(".chunks-")) {
        assert_eq!(run_in(dir.path(), &["verify", chunks], b"").code, 0);
    }
}

/// `experiments/slurm.sbatch` as Slurm starts it: the tasks of an array, one of which is lost, and a second array.
#[cfg(unix)]
#[test]
fn the_script_for_slurm_plays_shards_and_what_is_missing() {
    let whole = desk(FILE);
    play(whole.path(), &[]);
    let expected = comparable(&runs(&whole.path().join("results"))[0]);
    let dir = desk(FILE);
    let script = testkit::path("experiments/slurm.sbatch");
    let program = Path::new(env!("CARGO_BIN_EXE_upheaval")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let task = |id: usize, count: usize, more: &[&str]| {
        let mut command = std::process::Command::new("bash");
        command.arg(&script).arg("e.toml").args(more).current_dir(dir.path()).env("PATH", &path);
        command.env("SLURM_ARRAY_TASK_ID", id.to_string()).env("SLURM_ARRAY_TASK_COUNT", count.to_string());
        let done = command.env("SLURM_CPUS_PER_TASK", "2").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    [1, 3].into_iter().for_each(|id| task(id, 3, &[]));
    let missing =
        join(dir.path(), &names(&runs(&dir.path().join("results"))), &["--partial", "--pieces", "2"]);
    assert_eq!(missing.out, "1\n4\n");
    fs::write(dir.path().join("missing.txt"), missing.out).unwrap();
    [1, 2].into_iter().for_each(|id| task(id, 2, &["missing.txt"]));
    let done = join(dir.path(), &names(&runs(&dir.path().join("results"))), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(comparable(&runs(&dir.path().join("results")).remove(0)) == expected);
    // A single task that is submitted again: `SHARDS=3 sbatch --array=2 …`.
    let mut again = std::process::Command::new("bash");
    again.arg(&script).arg("e.toml").current_dir(dir.path()).env("PATH", &path).env("SHARDS", "3");
    again.env("SLURM_ARRAY_TASK_ID", "2").env("SLURM_ARRAY_TASK_COUNT", "1");
    assert!(again.status().unwrap().success());
    assert!(names(&runs(&dir.path().join("results"))).iter().any(|name| name.ends_with(".shard-2-of-3")));
}

#[test]
fn of_many_missing_shards_some_are_named() {
    let dir = desk(FILE);
    play(dir.path(), &["--shard", "1/4000000000"]);
    let done = join(dir.path(), &names(&runs(&dir.path().join("results"))), &[]);
    let refusal = done.refusal();
    assert!(refusal.contains("shards are missing: 2/4000000000, 3/4000000000, "), "{refusal}");
    assert!(refusal.contains("101/4000000000, and 3999999899 more"), "{refusal}");
}

#[test]
fn chunks_that_the_run_has_not_are_refused() {
    let dir = desk(FILE);
    let refused = |list: &str| program::play(dir.path(), &["--chunks", list]).refusal().to_owned();
    assert!(refused("4-6").contains("the run has 6 chunks, numbered from 0, but no chunk 6"));
    assert!(refused("x").contains("`x` is not a list of chunks"));
    assert!(refused("1 --shard").contains("is not a list of chunks"));
    let both = program::play(dir.path(), &["--chunks", "1", "--shard", "1/2"]);
    assert!(both.refusal().contains("cannot be used with"), "{}", both.error);
}

/// Two folders that have a chunk in common must agree about it.
#[test]
fn a_chunk_that_two_folders_have_otherwise_is_refused() {
    let dir = desk(FILE);
    play(dir.path(), &["--chunks", "0-5"]);
    play(dir.path(), &["--chunks", "0"]);
    let (one, other) =
        (&names(&runs(&dir.path().join("results")))[0], &names(&runs(&dir.path().join("results")))[1]);
    // Another part under the name of the first, and a consistent manifest: a folder that is valid by itself.
    let (folder, rest) = (dir.path().join(one), dir.path().join(other));
    let part = "topology/variant=standard/part-00000.parquet";
    let (bytes, tail) = (fs::read(folder.join(part)).unwrap(), fs::read(rest.join(part)).unwrap());
    assert_eq!(bytes, tail);
    let mut changed = bytes.clone();
    let at = changed.len() / 2;
    changed[at] ^= 1;
    fs::write(folder.join(part), &changed).unwrap();
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    let hash = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
    fs::write(folder.join("manifest.json"), manifest.replace(&hash(&bytes), &hash(&changed))).unwrap();
    let refused = join(dir.path(), &names(&runs(&dir.path().join("results"))), &[]);
    assert_eq!(refused.code, 2, "{}", refused.error);
}

#[test]
fn a_shards_manifest_says_which_it_is() {
    let dir = desk(FILE);
    play(dir.path(), &["--shard", "2/4"]);
    let run = runs(&dir.path().join("results")).remove(0);
    assert!(run.to_str().unwrap().ends_with(".shard-2-of-4"));
    let manifest: Value = serde_json::from_slice(&fs::read(run.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["shard"], serde_json::json!({ "number": 2, "of": 4 }));
    // Of six chunks the second and the sixth, which are the last of two arms.
    assert_eq!(manifest["games"], 2 * (301 - 256));
    assert_eq!(run_in(dir.path(), &["verify", &names(&[run])[0]], b"").code, 0);
}

#[test]
fn a_shard_without_a_chunk_is_a_folder_without_parts() {
    let dir = desk(FILE);
    let done = play(dir.path(), &["--shard", "9/9"]);
    assert!(done.out.contains("no games: the run has more shards than chunks"), "{}", done.out);
    let run = runs(&dir.path().join("results")).remove(0);
    assert_eq!(files_below(&run).len(), 3, "manifest and experiment");
    let checked = run_in(dir.path(), &["verify", &names(&[run])[0]], b"");
    assert!(checked.code == 0 && checked.out.contains("sound (shard 9/9, 0 games"), "{}", checked.out);
}

#[test]
fn more_shards_than_chunks_still_join_to_the_whole() {
    let [whole, dir] = [desk(FILE), desk(FILE)];
    play(whole.path(), &[]);
    for number in 1..=7 {
        play(dir.path(), &["--shard", &format!("{number}/7")]);
    }
    let done = join(dir.path(), &names(&runs(&dir.path().join("results"))), &["--out", "joined"]);
    assert_eq!(done.code, 0, "{}", done.error);
    let joined = fs::read_dir(dir.path().join("joined")).unwrap().next().unwrap().unwrap().path();
    assert!(comparable(&joined) == comparable(&runs(&whole.path().join("results"))[0]));
}

#[test]
fn what_does_not_belong_together_is_not_joined() {
    let dir = desk(FILE);
    for shard in ["1/2", "2/2", "1/3"] {
        play(dir.path(), &["--shard", shard]);
    }
    play(dir.path(), &["--shard", "2/2", "--seed", "2"]);
    let runs = runs(&dir.path().join("results"));
    let of = |ending: &str, seed_one: bool| {
        let resolved = |run: &Path| fs::read_to_string(run.join("experiment.resolved.json")).unwrap();
        let is_it = |run: &&PathBuf| {
            run.to_str().unwrap().ends_with(ending) && resolved(run).contains("\"seed\": 1,") == seed_one
        };
        names(&[runs.iter().find(is_it).unwrap().clone()]).remove(0)
    };
    let (first, second) = (of(".shard-1-of-2", true), of(".shard-2-of-2", true));
    let refused = |folders: &[&String], expected: &str| {
        let folders: Vec<String> = folders.iter().map(|folder| (*folder).clone()).collect();
        let done = join(dir.path(), &folders, &[]);
        assert!(done.refusal().contains(expected), "{}", done.error);
    };
    refused(&[&first], "shards are missing: 2/2; play them with `upheaval run FILE --shard I/N`");
    refused(&[&first, &first], "both are shard 1/2");
    refused(&[&first, &second, &second], "both are shard 2/2");
    refused(&[&first, &of(".shard-1-of-3", true)], "divided into 2 shards in one, and into 3 in the other");
    refused(
        &[&first, &of(".shard-2-of-2", false)],
        "they belong to two experiments, which differ: seed: 1 → 2",
    );
    refused(&[&"results".to_owned()], "`results` is damaged: manifest.json: cannot be read");
    refused(&[&"nowhere".to_owned()], "`nowhere` cannot be read");
    let part = dir.path().join(&second).join("games/variant=standard/part-00001.parquet");
    let mut bytes = fs::read(&part).unwrap();
    bytes[50] ^= 1;
    fs::write(&part, bytes).unwrap();
    refused(&[&first, &second], "part-00001.parquet: has the hash");
    play(dir.path(), &[]);
    let is_whole = |name: &String| !name.contains(".shard");
    let whole = names(&self::runs(&dir.path().join("results"))).into_iter().find(is_whole).unwrap();
    refused(&[&whole], "is a whole run, not a shard");
    assert_eq!(fs::read_dir(dir.path().join("results")).unwrap().count(), 5, "and nothing is left over");
}

#[test]
fn a_shard_that_is_none_is_refused() {
    let dir = desk(FILE);
    for shard in ["0/2", "3/2", "1", "x/y"] {
        let done = run_in(dir.path(), &["run", "e.toml", "--shard", shard], b"");
        assert!(done.refusal().contains(&format!("`{shard}` is not a shard: write I/N")), "{}", done.error);
    }
    assert!(!dir.path().join("results").exists());
}

/// A shard has games of only some blocks, so it cannot answer questions about the run.
#[test]
fn no_standings_balance_or_report_is_made_of_a_shard() {
    let dir = desk(FILE);
    play(dir.path(), &["--shard", "2/3"]);
    let shard = &names(&runs(&dir.path().join("results")))[0];
    for command in ["standings", "balance", "report"] {
        let done = run_in(dir.path(), &[command, shard], b"");
        assert!(
            done.refusal().contains(&format!("`{shard}` is shard 2/3 of a run")),
            "{command}: {}",
            done.error
        );
        assert!(done.refusal().contains("join all shards with `upheaval join`"), "{command}: {}", done.error);
    }
}
