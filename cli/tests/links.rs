//! A folder of runs with links, pipes and devices in it: nothing outside of the run's own files is read, emptied or
//! removed, and nothing blocks forever.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::program::{Done, run_in, upheaval};
use tempfile::TempDir;

const FILE: &str =
    "name = \"e\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1901\nseats.all = \"hold\"\n";

/// A folder with an experiment, and files of the user's beside it.
fn desk() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("mine/chapters")).unwrap();
    fs::create_dir(dir.path().join("results")).unwrap();
    for name in ["mine/thesis.tex", "mine/chapters/one.tex"] {
        fs::write(dir.path().join(name), "years of work\n").unwrap();
    }
    fs::write(dir.path().join("e.toml"), FILE).unwrap();
    dir
}

fn the_users_files_are_whole(dir: &Path) {
    for name in ["mine/thesis.tex", "mine/chapters/one.tex"] {
        assert_eq!(fs::read_to_string(dir.join(name)).unwrap(), "years of work\n", "{name}");
    }
    assert_eq!(fs::read_dir(dir.join("mine")).unwrap().count(), 2, "and nothing was put beside them");
}

fn run(dir: &Path, arguments: &[&str]) -> Done {
    run_in(dir, &[&["run", "e.toml"], arguments].concat(), b"")
}

/// The run folder of the experiment.
fn run_folder(dir: &Path) -> PathBuf {
    let other = tempfile::tempdir_in(dir).unwrap();
    let done = run(dir, &["--out", other.path().to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.error);
    let made = fs::read_dir(other.path()).unwrap().next().unwrap().unwrap().file_name();
    dir.join("results").join(made)
}

fn hidden(run: &Path, ending: &str) -> PathBuf {
    let name = run.file_name().unwrap().to_str().unwrap();
    run.with_file_name(format!(".upheaval-partial-{name}{ending}"))
}

fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The same as `run_in`, for commands that would block forever if they opened a pipe.
fn soon(dir: &Path, arguments: &[&str]) -> Done {
    let output =
        upheaval().current_dir(dir).args(arguments).timeout(Duration::from_secs(60)).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let code = output.status.code().unwrap_or_else(|| panic!("{arguments:?}: it waits forever"));
    Done { code, out: text(&output.stdout), error: text(&output.stderr) }
}

#[test]
fn journals_of_other_runs_that_are_links_are_left_alone() {
    let dir = desk();
    let results = dir.path().join("results");
    symlink(dir.path().join("mine/thesis.tex"), results.join(".upheaval-partial-ANYTHING.journal")).unwrap();
    symlink(dir.path().join("mine/none"), results.join(".upheaval-partial-dangling.journal")).unwrap();
    symlink(dir.path().join("mine"), results.join(".upheaval-partial-ANYTHING")).unwrap();
    symlink(dir.path().join("mine"), results.join(".upheaval-partial-ANYTHING.old")).unwrap();
    fs::write(results.join(".upheaval-partial-notes.journal"), "what I wrote down\n").unwrap();
    fs::create_dir(results.join(".upheaval-partial-notes")).unwrap();
    fs::write(results.join(".upheaval-partial-notes/more"), "x").unwrap();
    pipe(&results.join(".upheaval-partial-pipe.journal"));
    symlink("/dev/null", results.join(".upheaval-partial-device.journal")).unwrap();
    let done = soon(dir.path(), &["run", "e.toml"]);
    assert_eq!(done.code, 0, "{}", done.error);
    the_users_files_are_whole(dir.path());
    assert_eq!(
        fs::read_to_string(results.join(".upheaval-partial-notes.journal")).unwrap(),
        "what I wrote down\n"
    );
    assert!(results.join(".upheaval-partial-notes/more").exists());
    assert_eq!(fs::read_dir(&results).unwrap().count(), 9, "all that was there, and the run");
}

#[test]
fn a_journal_of_a_leftover_leads_to_no_folder_but_its_own() {
    let dir = desk();
    let results = dir.path().join("results");
    let head = "{\"experiment_hash\":\"ff\",\"program\":\"x\",\"started\":\"\",\"resolved\":\"\"}\n";
    fs::write(results.join(".upheaval-partial-left.journal"), head).unwrap();
    symlink(dir.path().join("mine"), results.join(".upheaval-partial-left")).unwrap();
    symlink(dir.path().join("mine"), results.join(".upheaval-partial-left.old")).unwrap();
    assert_eq!(run(dir.path(), &[]).code, 0);
    the_users_files_are_whole(dir.path());
    assert!(!results.join("left").exists(), "a link is not put into the place of a run");
}

#[test]
fn a_hidden_folder_or_a_journal_that_is_a_link_is_refused() {
    for (ending, target, found) in [
        ("", "mine", "a symbolic link"),
        (".old", "mine", "a symbolic link"),
        (".journal", "mine/thesis.tex", "a symbolic link"),
        (".journal", "mine/none", "a symbolic link"),
        (".journal", "mine", "a symbolic link"),
    ] {
        for flags in [&[][..], &["--afresh"], &["--dry-run"]] {
            let dir = desk();
            let place = hidden(&run_folder(dir.path()), ending);
            symlink(dir.path().join(target), &place).unwrap();
            let done = run(dir.path(), flags);
            let error = done.refusal();
            assert!(error.contains(found) && error.contains(".upheaval-partial-e-"), "{ending}: {error}");
            the_users_files_are_whole(dir.path());
            assert!(place.is_symlink(), "it stays where it is");
        }
    }
    let dir = desk();
    pipe(&hidden(&run_folder(dir.path()), ".journal"));
    let done = soon(dir.path(), &["run", "e.toml"]);
    assert!(
        done.refusal().contains("is a named pipe; a run folder holds regular files only"),
        "{}",
        done.error
    );
}

#[test]
fn links_below_a_hidden_folder_are_removed_and_not_followed() {
    let dir = desk();
    let hidden = hidden(&run_folder(dir.path()), "");
    fs::create_dir_all(&hidden).unwrap();
    symlink(dir.path().join("mine"), hidden.join("games")).unwrap();
    symlink(dir.path().join("mine/thesis.tex"), hidden.join("experiment.toml")).unwrap();
    let done = run(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    the_users_files_are_whole(dir.path());
    assert_eq!(run_in(dir.path(), &["verify", run_folder(dir.path()).to_str().unwrap()], b"").code, 0);
}

/// Replaces a file or folder of the run, which is kept elsewhere.
fn exchange(run: &Path, name: &str, put: impl Fn(&Path, &Path)) {
    let (place, kept) = (run.join(name), run.with_file_name("kept"));
    fs::rename(&place, &kept).unwrap();
    put(&kept, &place);
}

#[test]
fn whoever_reads_a_run_reads_regular_files_of_that_folder_alone() {
    let link = |kept: &Path, place: &Path| symlink(kept, place).unwrap();
    let fifo = |_: &Path, place: &Path| pipe(place);
    let device = |_: &Path, place: &Path| symlink("/dev/null", place).unwrap();
    type Put<'a> = &'a dyn Fn(&Path, &Path);
    let part = "games/variant=standard/part-00000.parquet";
    let cases: [(&str, Put<'_>, String); 8] = [
        ("manifest.json", &link, "`manifest.json` is a symbolic link".into()),
        ("manifest.json", &fifo, "`manifest.json` is a named pipe".into()),
        ("manifest.json", &device, "`manifest.json` is a symbolic link".into()),
        ("experiment.resolved.json", &link, "`experiment.resolved.json` is a symbolic link".into()),
        ("experiment.resolved.json", &fifo, "`experiment.resolved.json` is a named pipe".into()),
        (part, &link, format!("`{part}` is a symbolic link")),
        (part, &fifo, format!("`{part}` is a named pipe")),
        ("games", &link, "`games` is a symbolic link".into()),
    ];
    for (name, put, told) in cases {
        let dir = desk();
        assert_eq!(run(dir.path(), &[]).code, 0);
        let folder = fs::read_dir(dir.path().join("results")).unwrap().next().unwrap().unwrap().path();
        exchange(&folder, name, put);
        let folder = folder.to_str().unwrap();
        for command in [
            &["standings", folder][..],
            &["balance", folder],
            &["report", folder, "--out", "page.html"],
            &["replay", folder, "3"],
            &["replay", folder, "--verify"],
        ] {
            let done = soon(dir.path(), command);
            assert!([1, 2].contains(&done.code), "{command:?}: {}{}", done.out, done.error);
            let error = done.only_error();
            assert!(
                error.contains(&told) && error.contains("; a run folder holds regular files only"),
                "{command:?}: {error}"
            );
        }
        let done = soon(dir.path(), &["verify", folder]);
        assert_eq!(done.code, 1, "{}", done.error);
        assert!(done.out.contains("; a run folder holds regular files only"), "{}", done.out);
        let done = soon(dir.path(), &["join", folder]);
        assert!(done.refusal().contains("is damaged"), "{}", done.error);
    }
}

/// A manifest may list any path.
#[test]
fn paths_of_a_manifest_that_lead_out_of_the_folder_are_not_opened() {
    let dir = desk();
    assert_eq!(run(dir.path(), &[]).code, 0);
    let folder = fs::read_dir(dir.path().join("results")).unwrap().next().unwrap().unwrap().path();
    let manifest = folder.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let out = "games/variant=standard/../../../../mine/thesis.tex";
    fs::write(&manifest, text.replace("games/variant=standard/part-00000.parquet", out)).unwrap();
    for command in [&["standings", "--trust"][..], &["verify"]] {
        let done = run_in(dir.path(), &[command, &[folder.to_str().unwrap()]].concat(), b"");
        let said = format!("{}{}", done.out, done.error);
        assert!(said.contains("is not the path of a file below the folder"), "{command:?}: {said}");
    }
}

#[test]
fn files_that_the_user_names_may_be_links_and_must_be_files() {
    let dir = desk();
    let path = |name: &str| dir.path().join(name);
    fs::write(path("own.toml"), fs::read_to_string("../variants/standard.toml").unwrap()).unwrap();
    for (link, target) in [("linked-e.toml", "e.toml"), ("linked.toml", "own.toml")] {
        symlink(path(target), path(link)).unwrap();
    }
    let done = run_in(dir.path(), &["run", "linked-e.toml", "--set", "variants=[\"linked.toml\"]"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    pipe(&path("pipe.toml"));
    pipe(&path("pipe.json"));
    symlink("/dev/null", path("device.toml")).unwrap();
    let board =
        fs::read_to_string(path("own.toml")).unwrap().replace("map = \"standard\"", "map = \"pipe.json\"");
    fs::write(path("board.toml"), board).unwrap();
    let told = "is a named pipe; a regular file is needed";
    let variant = |name: &str| format!("variants=[\"{name}\"]");
    for (arguments, told) in [
        (&["run", "pipe.toml"][..], told),
        (&["run", "device.toml"], "is a device; a regular file is needed"),
        (&["run", "e.toml", "--set", &variant("pipe.toml")], told),
        (&["run", "e.toml", "--set", &variant("device.toml")], "is a device; a regular file is needed"),
        (&["run", "e.toml", "--set", &variant("board.toml")], told),
        (&["tournament", "pipe.toml"], told),
        (&["sprt", "pipe.toml"], told),
        (&["replay", "pipe.json"], told),
    ] {
        let done = soon(dir.path(), arguments);
        assert!(done.refusal().contains(told), "{arguments:?}: {}", done.error);
    }
}

/// The files that a run or a kept game was made from are in it, and are not searched for on the reader's disk.
#[test]
fn the_rules_that_a_kept_game_brings_name_no_files() {
    let dir = desk();
    assert_eq!(run(dir.path(), &[]).code, 0);
    let folder = fs::read_dir(dir.path().join("results")).unwrap().next().unwrap().unwrap().path();
    let folder = folder.to_str().unwrap();
    assert_eq!(run_in(dir.path(), &["replay", folder, "3", "--export", "game.json"], b"").code, 0);
    let text = fs::read_to_string(dir.path().join("game.json")).unwrap();
    let board = dir.path().join("board.json").display().to_string();
    fs::copy("../maps/standard.json", &board).unwrap();
    let other = text.replace("map = \\\"standard\\\"", &format!("map = \\\"{board}\\\""));
    assert_ne!(text, other);
    fs::write(dir.path().join("game.json"), other).unwrap();
    let done = run_in(dir.path(), &["replay", "game.json"], b"");
    assert!(done.refusal().contains("is not a shipped map, and its text is missing"), "{}", done.error);
}
