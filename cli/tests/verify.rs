//! `upheaval verify`: a result folder is complete and undamaged, or all its faults are reported.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Done, run_in};
use serde_json::Value;
use tempfile::TempDir;
use upheaval::sim::StoredRun;

const FILE: &str = r#"
name = "sound"
variants = ["standard", "black-hole"]
games = 266
seed = 1
last_year = 1901
log.orders = true

[seats]
lineup = ["random", "hold", "hold", "hold", "hold", "hold", "hold"]
"#;

/// A folder with a run in it, and the run's path.
fn desk() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("e.toml"), FILE).unwrap();
    let done = run_in(dir.path(), &["run", "e.toml"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    let run = fs::read_dir(dir.path().join("results")).unwrap().next().unwrap().unwrap().path();
    (dir, run)
}

fn verify(run: &Path) -> Done {
    run_in(run.parent().unwrap(), &["verify", run.file_name().unwrap().to_str().unwrap()], b"")
}

#[test]
fn a_sound_run_is_told_in_a_line() {
    let (_dir, run) = desk();
    let done = verify(&run);
    assert_eq!((done.code, done.out.lines().count()), (0, 1), "{}", done.out);
    assert!(done.out.contains(": sound (532 games in 30 files, "), "{}", done.out);
    assert!(done.out.contains("sizes, hashes, rows, games in order, no other files"), "{}", done.out);
    // From inside, and with a slash at the end.
    assert_eq!(run_in(&run, &["verify", "."], b"").code, 0);
    let slash = format!("{}/", run.display());
    assert_eq!(run_in(&run, &["verify", &slash, "."], b"").out.lines().count(), 2, "several folders");
}

/// The report of one kind of damage: each of these texts, and the number of faults in all.
type Harm = (fn(&Path), &'static [&'static str], usize);

const PART: &str = "turns/variant=black-hole/part-00001.parquet";

fn change(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

fn edit_manifest(run: &Path, edit: impl Fn(&mut Value)) {
    let path = run.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    edit(&mut manifest);
    fs::write(path, manifest.to_string()).unwrap();
}

/// The manifest has the rules of `standard` as those of `black-hole`, and additional ones.
fn hold_other_rules(run: &Path) {
    edit_manifest(run, |manifest| {
        let rules = &mut manifest["rules"];
        rules["black-hole"] = rules["standard"].clone();
        rules["deluge"] = rules["standard"].clone();
    });
}

/// The manifest lists a part twice.
fn list_twice(run: &Path) {
    edit_manifest(run, |manifest| {
        let files = manifest["files"].as_array_mut().unwrap();
        let part = files.iter().find(|file| file["path"] == PART).unwrap().clone();
        files.push(part);
    });
}

/// The manifest lists no table of a part, and none is there.
fn leave_a_part_out(run: &Path) {
    let is_gone = |path: &str| path.contains("variant=black-hole/part-00001");
    edit_manifest(run, |manifest| {
        let files = manifest["files"].as_array_mut().unwrap();
        let (gone, kept) = files.drain(..).partition(|file| is_gone(file["path"].as_str().unwrap()));
        *files = kept;
        let gone: Vec<Value> = gone;
        gone.iter().for_each(|file| fs::remove_file(run.join(file["path"].as_str().unwrap())).unwrap());
    });
}

/// A part is valid Parquet, but not the one of the manifest.
fn put_another_in_the_place_of(part: &str) -> impl Fn(&Path) + use<> {
    let other = part.replace("black-hole/part-00001", "standard/part-00001");
    let part = part.to_owned();
    move |run| {
        fs::copy(run.join(&other), run.join(&part)).unwrap();
    }
}

#[test]
fn no_verdict_rests_on_a_damaged_run() {
    let (dir, run) = desk();
    let in_place_of = |table: &str| put_another_in_the_place_of(&PART.replace("turns", table));
    type Damage = (&'static str, Box<dyn Fn(&Path)>, &'static str);
    let harms: [Damage; 9] = [
        ("list_twice", Box::new(list_twice), "part-00001.parquet` is listed twice in the manifest"),
        (
            "leave_a_part_out",
            Box::new(leave_a_part_out),
            "is part of the run, and the manifest does not list it",
        ),
        (
            "hold_other_rules",
            Box::new(hold_other_rules),
            "does not contain the rules of `black-hole` that were played",
        ),
        (
            "other seed",
            Box::new(|run| change(&run.join("experiment.resolved.json"), "\"seed\": 1,", "\"seed\": 2,")),
            "its hash is not the one in `manifest.json`",
        ),
        (
            "other games",
            Box::new(|run| edit_manifest(run, |manifest| manifest["games"] = 531.into())),
            "says 531 games, but the experiment has 532",
        ),
        (
            "no parts",
            Box::new(|run| edit_manifest(run, |manifest| manifest["games_a_part"] = 0.into())),
            "`games_a_part` is 0",
        ),
        ("games", Box::new(in_place_of("games")), "it is not the file of the run: "),
        ("seats", Box::new(in_place_of("seats")), "it is not the file of the run: "),
        ("turns", Box::new(in_place_of("turns")), "it is not the file of the run: "),
    ];
    for (name, harm, message) in harms {
        let copy = dir.path().join("copy").join(run.file_name().unwrap());
        copy_all(&run, &copy);
        harm(&copy);
        for command in ["balance", "report", "standings"] {
            let done = run_in(&copy, &[command, "."], b"");
            if (name, command) == ("turns", "standings") {
                assert_eq!(done.code, 0, "standings are made of games and seats: {}", done.error);
                continue;
            }
            assert!(done.code != 0 && done.out.is_empty(), "{name}, {command}: {}", done.out);
            assert!(
                done.error.contains(message) && done.error.lines().count() == 1,
                "{name}: {}",
                done.error
            );
            let read = run_in(&copy, &[command, ".", "--trust"], b"");
            // Where nothing can be read as a run, or a table has other games than another, trust does not help.
            let readable = !["other seed", "no parts", "games", "seats"].contains(&name)
                && (name, command) != ("turns", "balance");
            assert!(!readable || read.code == 0, "{name}, {command}: {}", read.error);
        }
        fs::remove_dir_all(dir.path().join("copy")).unwrap();
    }
}

/// Writes a change of the experiment into a run, with the hash that follows from it, as somebody would who wants the
/// run to pass for another one.
fn relabel(run: &Path, from: &str, to: &str) -> PathBuf {
    let resolved = run.join("experiment.resolved.json");
    let text = fs::read_to_string(&resolved).unwrap();
    assert!(text.contains(from), "{from}");
    let bytes = text.replace(from, to).into_bytes();
    fs::write(&resolved, &bytes).unwrap();
    let hash = blake3::hash(&bytes).to_hex().to_string();
    let version = serde_json::from_slice::<Value>(&bytes).unwrap()["schema_version"].clone();
    edit_manifest(run, |manifest| {
        manifest["experiment_hash"] = hash.as_str().into();
        manifest["code"]["schema_version"] = version.clone();
        let files = manifest["files"].as_array_mut().unwrap();
        let entry = files.iter_mut().find(|file| file["path"] == "experiment.resolved.json").unwrap();
        entry["blake3"] = hash.as_str().into();
        entry["bytes"] = bytes.len().into();
    });
    let new = run.with_file_name(format!("sound-{}", &hash[..12]));
    fs::rename(run, &new).unwrap();
    new
}

/// Each table says which experiment it is of; every command that opens one compares it, however consistent the rest of
/// the folder is.
#[test]
fn a_relabelled_run_is_refused_by_every_command_that_opens_a_table() {
    let (dir, run) = desk();
    let not_of_it = "it is not a table of this run: it says";
    for (from, to, refusal) in [
        ("\"last_year\": 1901", "\"last_year\": 1902", not_of_it),
        ("\"seed\": 1,", "\"seed\": 2,", not_of_it),
        ("\"random\"", "\"ransom\"", not_of_it),
        ("\"schema_version\": 7", "\"schema_version\": 4294967295", "has schema version 4294967295, but"),
        ("\"schema_version\": 7", "\"schema_version\": 5", "has schema version 5, but"),
    ] {
        let copy = dir.path().join("copy").join(run.file_name().unwrap());
        copy_all(&run, &copy);
        let copy = relabel(&copy, from, to);
        let one = copy.to_str().unwrap();
        let verified = verify(&copy);
        assert_eq!(verified.code, 1, "{to}: {}", verified.out);
        for command in [
            &["balance", one][..],
            &["balance", one, "--trust"],
            &["report", one, "--out", "page.html"],
            &["report", one, "--out", "page.html", "--trust"],
            &["standings", one],
            &["standings", one, "--trust"],
            &["replay", one, "standard/1"],
            &["replay", one, "--verify"],
            &["replay", one, "standard/1", "--html", "page.html"],
            &["effect", one, "--variant", "black-hole", "--games", "1", "--years", "0"],
        ] {
            let done = run_in(dir.path(), command, b"");
            // A bot of another name is not here, so it cannot play again.
            let absent = to.contains("ransom") && ["replay", "effect"].contains(&command[0]);
            let refusal = if absent { "there is no bot `ransom` here" } else { refusal };
            assert!(done.code != 0 && done.out.is_empty(), "{command:?}: {}", done.out);
            assert!(done.error.contains(refusal), "{to}, {command:?}: {}", done.error);
        }
        // Python reads tables as batches.
        let batches =
            |run: StoredRun| run.batches("turns", None, &[]).map(drop).map_err(|error| error.to_string());
        let read = StoredRun::open(&copy).map_err(|error| error.to_string()).and_then(batches);
        assert!(read.as_ref().is_err_and(|error| error.contains(refusal)), "{to}: {read:?}");
        fs::remove_dir_all(dir.path().join("copy")).unwrap();
    }
}

/// Every text of a manifest that is shown is of characters that are shown, and its times are times.
#[test]
fn a_manifest_with_control_characters_is_not_sound() {
    let (_dir, run) = desk();
    let sound = fs::read(run.join("manifest.json")).unwrap();
    for (key, value, told) in [
        ("/started", "2026-01-31T23:59:59Z\u{1b}[2J", "`started` is not a time"),
        ("/ended", "yesterday", "`ended` is not a time such as 2026-01-31T23:59:59Z"),
        ("/host/name", "h\u{9b}31m", "`host.name`: it contains the control character U+009B"),
        ("/code/version", "1\n2", "`code.version`: it contains the control character U+000A"),
        ("/files/3/path", "x\u{202e}y", "`files.path`: it contains the control character U+202E"),
        ("/code/rng", "\u{7}", "`code.rng`: it contains the control character U+0007"),
    ] {
        edit_manifest(&run, |manifest| *manifest.pointer_mut(key).unwrap() = value.into());
        let done = verify(&run);
        assert!(done.code == 1 && done.out.contains(told), "{key}: {}", done.out);
        assert!(run_in(&run, &["standings", "."], b"").error.contains(told), "{key}");
        fs::write(run.join("manifest.json"), &sound).unwrap();
    }
    assert_eq!(verify(&run).code, 0);
}

#[test]
fn each_harm_is_found() {
    let harms: [Harm; 18] = [
        (
            |run| fs::remove_file(run.join(PART)).unwrap(),
            &["turns/variant=black-hole/part-00001.parquet: is missing"],
            1,
        ),
        (
            |run| {
                let mut bytes = fs::read(run.join(PART)).unwrap();
                bytes[200] ^= 1;
                fs::write(run.join(PART), bytes).unwrap();
            },
            &["part-00001.parquet: has the hash "],
            0,
        ),
        (
            |run| {
                let bytes = fs::read(run.join(PART)).unwrap();
                fs::write(run.join(PART), &bytes[..bytes.len() - 9]).unwrap();
            },
            &["bytes, but the manifest says", "is not a valid Parquet file"],
            2,
        ),
        (
            |run| fs::write(run.join("games/variant=standard/notes.txt"), "x").unwrap(),
            &["games/variant=standard/notes.txt: is not part of the run: the manifest does not list it"],
            1,
        ),
        (
            |run| change(&run.join("experiment.resolved.json"), "\"seed\": 1,", "\"seed\": 2,"),
            &["experiment.resolved.json: has the hash ", "says 1 in `upheaval.seed`, not 2"],
            30,
        ),
        (|run| change(&run.join("experiment.toml"), "sound", "Sound"), &["experiment.toml: has the hash"], 1),
        (
            |run| change(&run.join("manifest.json"), "\"games\": 532", "\"games\": 533"),
            &["manifest.json: says 533 games, but the experiment has 532"],
            1,
        ),
        (
            |run| change(&run.join("manifest.json"), "\"games_a_part\": 256", "\"games_a_part\": 0"),
            &["manifest.json: is not a manifest of this program: `games_a_part` is 0"],
            1,
        ),
        (|run| fs::remove_file(run.join("manifest.json")).unwrap(), &["manifest.json: cannot be read"], 1),
        (
            |run| fs::write(run.join("manifest.json"), "{").unwrap(),
            &["manifest.json: is not a manifest of this program"],
            1,
        ),
        (
            |run| {
                change(
                    &run.join("manifest.json"),
                    "games/variant=standard/part-00000",
                    "games/variant=standard/part-00007",
                )
            },
            &[
                "games/variant=standard/part-00000.parquet: is not part of the run",
                "games/variant=standard/part-00000.parquet: is part of the run, and the manifest does not list it",
                "games/variant=standard/part-00007.parquet: is listed in the manifest, but is not part of the run",
                "games/variant=standard/part-00007.parquet: is missing",
            ],
            4,
        ),
        (
            |run| {
                // Two parts of the same games are exchanged: each by itself is unchanged.
                let [a, b] = ["part-00000", "part-00001"]
                    .map(|part| run.join(format!("events/variant=standard/{part}.parquet")));
                fs::rename(&a, run.join("x")).unwrap();
                fs::rename(&b, &a).unwrap();
                fs::rename(run.join("x"), &b).unwrap();
            },
            &["does not have the rows of games 0 to 255", "does not have the rows of games 256 to 265"],
            0,
        ),
        (
            // The file that determines the games is missing, and nothing lists it.
            |run| {
                let gone = ["experiment.resolved.json", "experiment.toml", PART];
                gone.iter().for_each(|name| fs::remove_file(run.join(name)).unwrap());
                let manifest = run.join("manifest.json");
                let mut value: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
                let listed = value["files"].as_array_mut().unwrap();
                listed.retain(|file| !gone.iter().any(|name| file["path"] == *name));
                fs::write(&manifest, value.to_string()).unwrap();
            },
            &[
                "experiment.resolved.json: is part of the run, and the manifest does not list it",
                "experiment.toml: is part of the run, and the manifest does not list it",
            ],
            2,
        ),
        (
            |run| fs::create_dir(run.join("games/more")).unwrap(),
            &["games/more/: is an empty folder that is not part of the run"],
            1,
        ),
        (
            |run| {
                fs::rename(run.join(PART), run.with_file_name("elsewhere")).unwrap();
                #[cfg(unix)]
                std::os::unix::fs::symlink(run.with_file_name("elsewhere"), run.join(PART)).unwrap();
            },
            &["turns/variant=black-hole/part-00001.parquet: is "],
            1,
        ),
        (
            |run| change(&run.join("manifest.json"), "\"games_a_part\": 256", "\"games_a_part\": 1"),
            &["manifest.json: has 532 parts of 1 games by the experiment, but lists 30 files in all"],
            1,
        ),
        (
            hold_other_rules,
            &[
                "manifest.json: does not contain the rules of `black-hole` that were played",
                "manifest.json: contains rules of `deluge`, which was not played",
            ],
            2,
        ),
        (list_twice, &["turns/variant=black-hole/part-00001.parquet: is listed twice in the manifest"], 1),
    ];
    let (dir, run) = desk();
    for (harm, expected, faults) in harms {
        let copy = dir.path().join("copy").join(run.file_name().unwrap());
        copy_all(&run, &copy);
        harm(&copy);
        let done = verify(&copy);
        assert_eq!(done.code, 1, "{}", done.out);
        for text in expected {
            assert!(done.out.contains(text), "{text}\n{}", done.out);
        }
        let told = done.out.lines().count() - 1;
        assert!(faults == 0 || told == faults, "{told} faults:\n{}", done.out);
        let count = if told == 1 { ": 1 fault".to_owned() } else { format!(": {told} faults") };
        assert!(done.out.trim_end().ends_with(&count), "{}", done.out);
        fs::remove_dir_all(dir.path().join("copy")).unwrap();
    }
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy_all(&path, &target),
            false => drop(fs::copy(&path, &target).unwrap()),
        }
    }
}

#[test]
fn all_faults_are_told_and_not_only_the_first() {
    let (_dir, run) = desk();
    fs::remove_file(run.join(PART)).unwrap();
    fs::write(run.join("strange"), "x").unwrap();
    change(&run.join("experiment.toml"), "sound", "Sound");
    let done = verify(&run);
    assert_eq!((done.code, done.out.lines().count()), (1, 4), "{}", done.out);
    for text in [PART, "strange: ", "experiment.toml: "] {
        assert!(done.out.contains(text), "{}", done.out);
    }
}

#[test]
fn a_folder_by_another_name_is_not_the_run() {
    let (_dir, run) = desk();
    let renamed = run.with_file_name("mine");
    fs::rename(&run, &renamed).unwrap();
    let done = verify(&renamed);
    assert_eq!(done.code, 1);
    let right = run.file_name().unwrap().to_str().unwrap();
    assert!(done.out.contains(&format!("mine: is the folder of `{right}` by its manifest")), "{}", done.out);
}

#[test]
fn rows_that_are_well_written_but_wrong_are_found() {
    // The run of another experiment, whose parts replace those of this one, with a consistent manifest.
    let (dir, run) = desk();
    let other = FILE.replace("\"random\", \"hold\"", "\"hold\", \"random\"");
    fs::write(dir.path().join("e.toml"), other.replace("games = 266", "games = 273")).unwrap();
    let done = run_in(dir.path(), &["run", "e.toml", "--out", "other"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    let theirs = fs::read_dir(dir.path().join("other")).unwrap().next().unwrap().unwrap().path();
    let part = "games/variant=standard/part-00001.parquet";
    fs::copy(theirs.join(part), run.join(part)).unwrap();
    let entry = |run: &Path| -> Value {
        let manifest: Value = serde_json::from_slice(&fs::read(run.join("manifest.json")).unwrap()).unwrap();
        manifest["files"].as_array().unwrap().iter().find(|file| file["path"] == part).unwrap().clone()
    };
    let (own, their) = (entry(&run), entry(&theirs));
    let manifest = run.join("manifest.json");
    change(&manifest, own["blake3"].as_str().unwrap(), their["blake3"].as_str().unwrap());
    let pieces = |entry: &Value| format!("\"rows\": {},\n      \"bytes\": {}", entry["rows"], entry["bytes"]);
    change(&manifest, &pieces(&own), &pieces(&their));
    let done = verify(&run);
    assert_eq!(done.code, 1);
    assert!(done.out.contains("upheaval.experiment_hash"), "{}", done.out);
    assert!(done.out.contains("has 17 games, but the schedule says games 256 to 265"), "{}", done.out);
}

#[test]
fn tournaments_are_verified_too() {
    let dir = tempfile::tempdir().unwrap();
    let text = "name = \"t\"\nvariants = [\"standard\"]\nentrants = [\"hold\", \"random\", \"greedy\"]\nformat = \"round-robin\"\n\
                blocks = 6\nseed = 1\nlast_year = 1901\n";
    fs::write(dir.path().join("t.toml"), text).unwrap();
    assert_eq!(run_in(dir.path(), &["tournament", "t.toml"], b"").code, 0);
    let run = fs::read_dir(dir.path().join("results")).unwrap().next().unwrap().unwrap().path();
    let done = verify(&run);
    assert_eq!(done.code, 0, "{}", done.out);
}

#[test]
fn what_is_no_folder_is_refused() {
    let (dir, _) = desk();
    for path in ["nowhere", "e.toml"] {
        let done = run_in(dir.path(), &["verify", path], b"");
        assert!(done.refusal().contains(&format!("`{path}` cannot be read")), "{}", done.error);
    }
}
