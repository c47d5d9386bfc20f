//! Programs as guests: what is left of them when the run is over, and the recipe for a sandbox. Their environment and
//! their limits are in `sessions/guests.md`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use testkit::has_python;

use crate::program::{desk, play};

/// A folder with an experiment in which `guest.py WHAT PLACE` plays, with these keys in its section.
fn desk_of(what: &str, place: &str, more: &str) -> TempDir {
    let guest = testkit::path("tests/bots/programs/guest.py").display().to_string();
    desk(&format!(
        "name = \"e\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1901\nthreads = 1\n[seats]\n\
         lineup = [\"mine\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]\n\
         [bots.mine]\ncommand = [\"python3\", {guest:?}, {what:?}, {place:?}]\n{more}"
    ))
}

/// A path in a folder, in absolute form.
fn place(dir: &TempDir, name: &str) -> String {
    dir.path().join(name).display().to_string()
}

/// Is the process running, and not only an entry that its parent has not reaped yet?
fn lives(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

/// Returns when this holds; fails if it never does.
fn wait(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_child_that_has_left_the_group_ends_with_the_run() {
    if !has_python() {
        return;
    }
    let told = tempfile::tempdir().unwrap();
    let dir = desk_of("escape", &place(&told, "told"), "");
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    let text = fs::read_to_string(told.path().join("told")).unwrap();
    let words: Vec<&str> = text.split(' ').collect();
    assert!(!lives(words[0]) && !lives(words[1]), "{text}");
    assert!(!Path::new(words[2]).exists(), "{text}");
}

#[test]
fn nothing_is_left_of_a_program_however_the_run_ends() {
    if !has_python() {
        return;
    }
    for signal in testkit::thinned(["TERM", "QUIT", "HUP", "KILL", "INT", "ABRT"], 3) {
        let told = tempfile::tempdir().unwrap();
        let dir = desk_of("escape-and-hang", &place(&told, "told"), "stall_ms = 600000\n");
        let mut run = Command::new(assert_cmd::cargo::cargo_bin("upheaval"))
            .args(["run", "e.toml"])
            .current_dir(dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait("the program plays", || told.path().join("told").exists());
        let text = fs::read_to_string(told.path().join("told")).unwrap();
        let words: Vec<&str> = text.split(' ').collect();
        assert!(lives(words[0]) && lives(words[1]), "{signal}: {text}");
        let sent = Command::new("kill").args([format!("-{signal}"), run.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let status = run.wait().unwrap();
        let caught = !["KILL", "ABRT"].contains(&signal);
        assert_eq!(status.code(), caught.then_some(130), "{signal}");
        if caught {
            assert!(!lives(words[0]) && !lives(words[1]), "{signal}: they end before the run does");
        }
        wait("they are gone", || !lives(words[0]) && !lives(words[1]) && !Path::new(words[2]).exists());
    }
}

/// May this process make control groups beside its own?
fn has_cgroups() -> bool {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"));
    let mut mounts = mounts.lines().filter_map(|line| line.split_once(" - cgroup2 "));
    let at = mounts.next().and_then(|(place, _)| place.split(' ').nth(4));
    let made = own.zip(at).is_some_and(|(own, at)| {
        let group = Path::new(at).join(own).join(format!("upheaval-test-{}", std::process::id()));
        let made = fs::create_dir(&group).is_ok() && group.join("cgroup.kill").exists();
        let _ = fs::remove_dir(&group);
        made
    });
    if !made {
        testkit::skipped("no control group can be made here");
    }
    made
}

#[test]
fn a_child_that_has_left_everything_ends_with_the_run_where_there_are_control_groups() {
    if !has_python() || !has_cgroups() {
        return;
    }
    let told = tempfile::tempdir().unwrap();
    let dir = desk_of("escape-and-kill-the-guard", &place(&told, "told"), "");
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    let text = fs::read_to_string(told.path().join("told")).unwrap();
    let words: Vec<&str> = text.split(' ').collect();
    wait("they are gone", || !lives(words[0]) && !lives(words[1]) && !Path::new(words[2]).exists());
}

/// The command of a section of the page about programs.
fn recipe(section: &str) -> toml::Table {
    let page = testkit::read("docs/bot-protocol.md");
    let block = page.split("```toml\n").find(|block| block.starts_with(section)).expect("a recipe");
    block.split("```").next().unwrap().parse().expect("TOML")
}

#[test]
fn the_recipe_for_bubblewrap_plays_and_hides_the_rest_of_the_machine() {
    let boxed = ["--ro-bind", "/", "/", "--unshare-all", "true"];
    let has = Command::new("bwrap").args(boxed).status().is_ok_and(|status| status.success());
    if !has_python() || !has {
        testkit::skipped("there is no bwrap here, or it may not make namespaces");
        return;
    }
    if !Path::new("/usr/bin/python3").exists() {
        testkit::skipped("there is no python3 in /usr, which is all that the recipe shows");
        return;
    }
    let recipe = recipe("[bots.stranger]");
    let command = recipe["bots"]["stranger"]["command"].as_array().expect("a command").clone();
    let dir = desk("");
    let strangers = dir.path().join("strangers");
    fs::create_dir(&strangers).unwrap();
    for (file, name) in [("random_bot.py", "bot.py"), ("upheaval_bot.py", "upheaval_bot.py")] {
        fs::copy(testkit::path("bots/python").join(file), strangers.join(name)).unwrap();
    }
    // What it sees beyond the protocol: whether this folder is there for it, and how many processes.
    let look = format!(
        "import os, sys\nprint(os.path.exists({:?}), len([n for n in os.listdir('/proc') if n.isdigit()]) < 5, file=sys.stderr)\n",
        dir.path().display().to_string()
    );
    let bot = fs::read_to_string(strangers.join("bot.py")).unwrap();
    let first = "from typing import Any\n";
    let looks = bot.replacen(first, &format!("{look}{first}"), 1);
    assert_ne!(looks, bot);
    fs::write(strangers.join("bot.py"), looks).unwrap();
    let text = format!(
        "name = \"boxed\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1901\n[seats]\n\
         lineup = [\"stranger\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]\n[bots.stranger]\ncommand = {}\n",
        toml::Value::Array(command.clone())
    );
    fs::write(dir.path().join("e.toml"), text).unwrap();
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    let row = done.out.lines().find(|line| line.starts_with("stranger ")).expect("its row");
    assert_eq!(row.split_whitespace().skip(1).take(2).collect::<Vec<_>>(), ["7", "7"], "{}", done.out);
    // The same words alone: what they say at once goes to standard error.
    let words: Vec<String> = command.iter().filter_map(|word| Some(word.as_str()?.to_owned())).collect();
    let alone = Command::new(&words[0])
        .args(&words[1..])
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&alone.stderr).trim(), "False True");
}
