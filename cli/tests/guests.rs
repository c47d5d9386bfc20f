//! Programs as guests: their environment, their limits, and their leftovers when the run is over.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use testkit::has_python;

use crate::program::{Done, desk, play, run_in, runs, the_run, upheaval};

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

/// The output of `guest.py look`, with this in its section and this set in the environment.
fn seen(more: &str, variable: (&str, &str)) -> (Value, TempDir) {
    let told = tempfile::tempdir().unwrap();
    let dir = desk_of("look", &place(&told, "told"), more);
    let output =
        upheaval().current_dir(dir.path()).args(["run", "e.toml"]).env(variable.0, variable.1).output();
    assert!(output.unwrap().status.success());
    let text = fs::read_to_string(told.path().join("told")).unwrap();
    (serde_json::from_str(&text).unwrap(), dir)
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
fn a_program_finds_a_small_environment_and_a_folder_of_its_own() {
    if !has_python() {
        return;
    }
    let secret = ("UPHEAVAL_TEST_SECRET", "hush");
    let (told, _desk) = seen("", secret);
    let folder = told["folder"].as_str().unwrap();
    assert!(told["env"][secret.0].is_null(), "{told}");
    assert!(told["env"]["PATH"].is_string() && told["env"]["TMPDIR"] == folder, "{told}");
    assert_eq!(told["files"], serde_json::json!(["left-behind"]));
    assert!(!Path::new(folder).exists(), "its folder goes with it: {folder}");

    let (told, desk) = seen(&format!("env = [\"{}\"]\nfolder = \".\"\n", secret.0), secret);
    assert_eq!(told["env"][secret.0], "hush");
    assert_eq!(Path::new(told["folder"].as_str().unwrap()), fs::canonicalize(desk.path()).unwrap());
    assert!(desk.path().join("left-behind").exists(), "a folder that is named stays");
}

#[test]
fn paths_in_a_command_begin_where_the_run_is_started() {
    if !has_python() {
        return;
    }
    let told = tempfile::tempdir().unwrap();
    let out = place(&told, "told");
    fs::write(told.path().join("mine.py"), format!(
        "import sys\nsys.argv = [sys.argv[0], \"look\", {out:?}] + sys.argv[1:]\nexec(open({:?}).read().replace(\"__file__\", {:?}))\n",
        testkit::path("tests/bots/programs/guest.py").display().to_string(),
        format!("{:?}", testkit::path("tests/bots/programs/guest.py").display().to_string()),
    ))
    .unwrap();
    fs::create_dir(told.path().join("weights")).unwrap();
    let text = "name = \"e\"\nvariants = [\"standard\"]\ngames = 1\nseed = 1\nlast_year = 1901\nthreads = 1\n[seats]\nFRANCE = \"mine\"\n\
                AUSTRIA = \"hold\"\nENGLAND = \"hold\"\nGERMANY = \"hold\"\nITALY = \"hold\"\nRUSSIA = \"hold\"\nTURKEY = \"hold\"\n\
                [bots.mine]\ncommand = [\"python3\", \"mine.py\", \"weights\", \"--w=weights\", \"no-such\", \"--x=no-such\"]\n";
    fs::write(told.path().join("e.toml"), text).unwrap();
    let done = play(told.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    let seen: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let here = fs::canonicalize(told.path()).unwrap();
    let weights = here.join("weights").display().to_string();
    assert_eq!(
        seen["arguments"].as_array().unwrap()[2..],
        [weights.clone(), format!("--w={weights}"), "no-such".to_owned(), "--x=no-such".to_owned()]
            .map(Value::from)
    );
}

/// The message of a run about a program that exceeds its limits.
fn blamed(what: &str, limit: &str) -> Done {
    let dir = desk_of(what, "x", &format!("{limit}\nstall_ms = 25000\n"));
    let done = play(dir.path(), &["--games", "7", "--recover"]);
    assert_eq!(done.code, 0, "{}", done.error);
    done
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_uses_more_than_it_may_is_ended_and_the_run_says_so() {
    if !has_python() {
        return;
    }
    for (what, limit, words) in [
        ("memory", "memory_mb = 100", "MB, but `memory_mb` is 100"),
        ("processes", "processes = 8", "processes, but `processes` is 8"),
        ("time", "cpu_s = 1", "s of processor time, but `cpu_s` is 1"),
        ("file", "file_mb = 2", "File too large"),
    ] {
        let done = blamed(what, limit);
        assert!(done.out.contains(words), "{what}: {}", done.out);
        assert!(done.out.contains("mine: crash in standard/0"), "{what}: {}", done.out);
    }
    // The same program with limits that it does not reach.
    let done = blamed("file", "file_mb = 4");
    assert!(!done.out.contains("crash in"), "{}", done.out);
}

#[test]
fn limits_decide_the_hash_only_where_they_are_set() {
    let of = |more: &str| {
        let text = format!(
            "name = \"e\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1901\n[seats]\nall = \"mine\"\n\
             [bots.mine]\ncommand = [\"no-such-program\"]\n{more}"
        );
        run_in(desk(&text).path(), &["run", "e.toml", "--print-resolved"], b"").out
    };
    let plain: Value = serde_json::from_str(&of("")).unwrap();
    let keys: Vec<&str> =
        plain["bots"][0]["content"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["command", "files", "move_ms", "protocol", "stall_ms"]);
    let set: Value = serde_json::from_str(&of("memory_mb = 7\nenv = [\"A\"]\nfolder = \".\"\n")).unwrap();
    let content = &set["bots"][0]["content"];
    assert_eq!(
        (&content["memory_mb"], &content["env"][0], &content["folder"]),
        (&7.into(), &"A".into(), &".".into())
    );

    let refused = |more: &str| {
        let text = format!(
            "name = \"e\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1901\n[seats]\nall = \"mine\"\n[bots.mine]\ncommand = [\"x\"]\n{more}"
        );
        run_in(desk(&text).path(), &["run", "e.toml"], b"").refusal().to_owned()
    };
    assert!(refused("memory_mb = 0\n").contains("memory_mb"));
    assert!(refused("env = [\"A=B\"]\n").contains("`A=B` cannot be the name of a variable"));
    assert!(refused("folder = \"\"\n").contains("`folder` is empty"));
}

#[test]
#[cfg(target_os = "linux")]
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
#[cfg(target_os = "linux")]
fn nothing_is_left_of_a_program_however_the_run_ends() {
    if !has_python() {
        return;
    }
    for signal in ["QUIT", "HUP", "INT", "TERM", "KILL", "ABRT"] {
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
#[cfg(target_os = "linux")]
fn has_cgroups() -> bool {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"));
    let mounts = mounts.lines().filter(|line| line.contains(" - cgroup2 "));
    let at = mounts.filter_map(|line| line.split(' ').nth(4)).next();
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
#[cfg(target_os = "linux")]
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
#[cfg(target_os = "linux")]
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
    assert!(bot.contains(first), "{bot}");
    fs::write(strangers.join("bot.py"), bot.replacen(first, &format!("{look}{first}"), 1)).unwrap();
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

#[test]
fn a_program_that_touches_the_runs_own_files_is_found_out() {
    if !has_python() {
        return;
    }
    for (what, words) in
        [("touch", "`experiment.toml` has different bytes"), ("add", "it has a file `games.txt`")]
    {
        let out = tempfile::tempdir().unwrap();
        let results = place(&out, "results");
        fs::create_dir(&results).unwrap();
        let dir = desk_of(what, &results, "");
        let done = play(dir.path(), &["--out", &results]);
        assert_eq!(done.code, 1, "{}", done.out);
        let error = done.error.lines().last().unwrap_or_default();
        assert!(
            error.starts_with("error: ") && error.contains("is not complete") && error.contains(words),
            "{}",
            done.error
        );
        let whole = runs(Path::new(&results)).into_iter().filter(|run| run.join("manifest.json").exists());
        assert!(whole.into_iter().all(|run| run.file_name().unwrap().to_string_lossy().starts_with('.')));
    }
    // A program without the limits is not affected.
    let told = tempfile::tempdir().unwrap();
    let dir = desk_of("nothing", &place(&told, "told"), "");
    assert_eq!(play(dir.path(), &[]).code, 0);
    assert_eq!(run_in(dir.path(), &["verify", &the_run(dir.path()).display().to_string()], b"").code, 0);
}
