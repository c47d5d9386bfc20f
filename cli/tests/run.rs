//! `upheaval run` from outside: exit codes, the one line of an error, and the output at the end.

use crate::program::{desk, manifest, play, the_run, upheaval};

/// Runs with an experiment file with this text; returns the exit code and standard error.
fn run(text: &str, arguments: &[&str]) -> (i32, String) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("e.toml"), text).unwrap();
    let output = upheaval().current_dir(dir.path()).args(["run", "e.toml"]).args(arguments).output().unwrap();
    assert!(output.stdout.is_empty());
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing is left behind");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn each_fault_in_the_file_is_one_line_and_the_exit_code_is_2() {
    let (code, error) = run("name = \"x\"\ngmes = 3\n", &[]);
    let places: Vec<String> = error.lines().map(|line| line.split_inclusive('`').take(2).collect()).collect();
    let missing = ["variants", "seed", "last_year", "seats"].map(|key| format!("error: e.toml:1:1: `{key}`"));
    assert_eq!(places[..4], missing);
    assert_eq!((code, places.len()), (2, 5), "{error}");
    assert!(error.contains("\nerror: e.toml:2:1: unknown key `gmes`; did you mean `games`?"), "{error}");
    let (code, error) = run("name = [", &[]);
    assert_eq!((code, error.lines().count()), (2, 1), "{error}");
    assert!(error.starts_with("error: e.toml:1:"), "{error}");
}

#[test]
fn a_file_that_is_not_there_or_no_file_is_one_line() {
    for (path, told) in [
        ("no/such.toml", "cannot read `no/such.toml`: "),
        (".", "`.` is not a run folder: cannot read `manifest.json`: "),
    ] {
        let output = upheaval().args(["run", path]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(error.starts_with(&format!("error: {told}")), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}

#[test]
fn an_argument_that_is_no_number_is_refused() {
    let (code, error) = run("", &["--games", "many"]);
    assert_eq!(code, 2);
    assert!(error.contains("invalid value 'many' for '--games <N>'"), "{error}");
}

#[test]
fn a_run_ends_with_the_table_and_the_place() {
    let dir = desk(
        "name = \"x\"\nvariants = [\"standard\", \"black-hole\"]\ngames = 4\nseed = 1\nlast_year = 1901\nseats.all = \"hold\"",
    );
    let text = play(dir.path(), &[]).out;
    assert!(text.starts_with("standard: 4 games (4 draw)\n"), "{text}");
    let shares = "AUSTRIA        0.0 (0.0 to 60.2)  100.0 (39.8 to 100.0)  100.0 (39.8 to 100.0)";
    assert!(text.contains(shares), "{text}");
    assert!(text.contains(" 3.00\n") && !text.contains("±0.00"), "{text}");
    let run = the_run(dir.path());
    let manifest = manifest(&run);
    let files = manifest["files"].as_array().unwrap();
    let rows: u64 = files.iter().filter_map(|file| file["rows"].as_u64()).sum();
    let place = run.strip_prefix(dir.path()).unwrap();
    assert!(text.contains(&format!("files: {} ({rows} rows", place.display())), "{text}");
}

/// `upheaval bots` with its standard output redirected: the exit code and standard error.
#[cfg(unix)]
fn printed_into(to: impl Into<std::process::Stdio>) -> (Option<i32>, String) {
    let program = assert_cmd::cargo::cargo_bin("upheaval");
    let done = std::process::Command::new(program).args(["bots"]).stdout(to).output().unwrap();
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_left_is_no_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(printed_into(writer), (Some(0), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn text_that_cannot_be_printed_is_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (code, error) = printed_into(full);
    assert_eq!(code, Some(1));
    assert!(error.starts_with("error: cannot print: ") && error.lines().count() == 1, "{error}");
}
