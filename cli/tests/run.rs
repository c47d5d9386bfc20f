//! `upheaval run` from outside: exit codes and the one line of an error.

use assert_cmd::Command;

fn upheaval() -> Command {
    Command::cargo_bin("upheaval").unwrap()
}

/// Runs with an experiment file of this text; gives the exit code and standard error.
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
fn a_fault_in_the_file_is_one_line_and_exit_code_2() {
    let (code, error) = run("name = \"x\"\ngmes = 3\n", &[]);
    assert_eq!(code, 2);
    assert!(error.starts_with("error: e.toml:2:1: unknown key `gmes`; did you mean `games`?"), "{error}");
    assert_eq!(error.lines().count(), 1);
    let (code, error) = run("name = [", &[]);
    assert_eq!((code, error.lines().count()), (2, 1), "{error}");
    assert!(error.starts_with("error: e.toml:1:"), "{error}");
}

#[test]
fn a_file_that_is_not_there_or_no_file_is_one_line() {
    for path in ["no/such.toml", "."] {
        let output = upheaval().args(["run", path]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(error.starts_with(&format!("error: cannot read `{path}`: ")), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}

#[test]
fn an_argument_that_is_no_number_is_refused() {
    let (code, error) = run("", &["--games", "many"]);
    assert_eq!(code, 2);
    assert!(error.contains("invalid value 'many' for '--games <N>'"), "{error}");
}
