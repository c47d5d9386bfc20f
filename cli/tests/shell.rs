//! Shell support: completions, man pages, colour, `--quiet` and `--json`.

use crate::program::{commands, run, upheaval};

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let done = run(&["completions", shell], b"");
        assert_eq!((done.code, done.error.as_str()), (0, ""), "{shell}");
        for word in commands(&[]).iter().map(String::as_str).chain(["print-resolved", "json", "quiet"]) {
            assert!(done.out.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(&["completions", "tcsh"], b"").code, 2);
}

#[test]
fn man_pages_are_written_for_every_command() {
    let page = run(&["man"], b"");
    assert_eq!(page.code, 0);
    assert!(page.out.contains(".TH upheaval 1") && page.out.contains("quickstart"), "{}", page.out);
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("man1");
    let done = run(&["man", to.to_str().unwrap()], b"");
    assert_eq!((done.code, done.error.as_str()), (0, ""));
    for command in commands(&[]) {
        let page = std::fs::read_to_string(to.join(format!("upheaval-{command}.1"))).expect(&command);
        assert!(
            page.contains(&format!(".TH upheaval-{command} 1")) && page.contains("SYNOPSIS"),
            "{command}: {page}"
        );
    }
    assert!(to.join("upheaval.1").exists() && to.join("upheaval-variants-show.1").exists());
    // A file is in the place of the folder.
    std::fs::write(folder.path().join("file"), "").unwrap();
    let refused = run(&["man", folder.path().join("file").to_str().unwrap()], b"");
    assert_eq!(refused.code, 1);
    assert!(refused.error.contains("cannot write the man pages"), "{}", refused.error);
}

#[test]
fn json_is_short_for_its_format() {
    for command in [&["bots"][..], &["variants"], &["variants", "show", "standard"], &["map", "--list"]] {
        let with = |words: &[&str]| run(&[command, words].concat(), b"");
        let (short, long) = (with(&["--json"]), with(&["--format", "json"]));
        assert_eq!((short.code, short.error.as_str()), (0, ""), "{command:?}");
        assert!(short.out == long.out, "{command:?}");
        serde_json::from_str::<serde_json::Value>(&short.out).expect("JSON");
        assert_eq!(with(&["--json", "--format", "text"]).code, 2, "both are too many");
    }
    // The page lists the commands that have it.
    let page = testkit::read("docs/command-line.md");
    let (_, json) = page.split_once("## JSON\n").expect("the section");
    let (json, _) = json.split_once("\n## ").expect("its end");
    for command in commands(&[]) {
        let has = run(&[&command, "--help"], b"").out.contains("--json");
        assert_eq!(
            json.contains(&format!("`{command}`")) && !["adjudicate", "daide"].contains(&&*command),
            has,
            "{command}"
        );
    }
    // A command without output for programs does not have it, and a program's own arguments are passed on.
    assert_eq!(run(&["completions", "bash", "--json"], b"").code, 2);
    let bots: serde_json::Value = serde_json::from_str(&run(&["bots", "--json"], b"").out).unwrap();
    let names: Vec<&str> = bots.as_array().unwrap().iter().map(|bot| bot["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"greedy") && names.contains(&"search"), "{names:?}");
    let search = bots.as_array().unwrap().iter().find(|bot| bot["name"] == "search").unwrap();
    assert!(search["settings"][0]["default"].is_number(), "{search}");
}

#[test]
fn progress_can_be_left_out_and_a_run_be_verified_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let play = |quiet: &[&str]| {
        let experiment = testkit::path("experiments/quickstart.toml");
        let words = [&["run", experiment.to_str().unwrap(), "--games", "7", "--out", out], quiet].concat();
        run(&words, b"")
    };
    let (loud, quiet) = (play(&[]), play(&["--quiet"]));
    assert_eq!((loud.code, quiet.code), (0, 0), "{}{}", loud.error, quiet.error);
    assert!(loud.error.contains("games/s"), "{}", loud.error);
    assert_eq!(quiet.error, "");
    assert_eq!(play(&["-q"]).error, "");
    let made = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let verified = run(&["verify", made.to_str().unwrap(), "--json"], b"");
    let verified: serde_json::Value = serde_json::from_str(&verified.out).expect("JSON");
    assert_eq!(verified[0]["sound"], true, "{verified}");
    assert_eq!((&verified[0]["games"], &verified[0]["faults"]), (&14.into(), &serde_json::json!([])));
    std::fs::remove_file(made.join("experiment.toml")).unwrap();
    let harmed = run(&["verify", made.to_str().unwrap(), "--json"], b"");
    let read: serde_json::Value = serde_json::from_str(&harmed.out).expect("JSON");
    assert_eq!((harmed.code, &read[0]["sound"]), (1, &false.into()), "{read}");
    assert!(read[0]["faults"][0].as_str().is_some_and(|fault| fault.contains("experiment.toml")), "{read}");
}

#[test]
fn colour_is_for_terminals_and_obeys_no_color() {
    let with = |variables: &[(&str, &str)], words: &[&str]| {
        let mut command = upheaval();
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        let output = command.args(words).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    for words in [&["run"][..], &["rum"], &["run", "--help"]] {
        assert!(!with(&[], words).contains('\u{1b}'), "{words:?}: a pipe is not a terminal");
        let both = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
        assert!(!with(&both[1..], words).contains('\u{1b}'), "{words:?}");
    }
    assert!(with(&[("CLICOLOR_FORCE", "1")], &["rum"]).starts_with("\u{1b}["), "forced");
}
