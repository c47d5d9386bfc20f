//! One number in a file, however large, does not require memory: the program under a limit of the system.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output};

use crate::program::{desk, the_run};

/// The program in a folder, with this many megabytes of address space and one thread.
fn within(megabytes: u32, folder: &Path, arguments: &[&str]) -> Output {
    let limit = "ulimit -v \"$1\"; shift; exec \"$@\"";
    let kilobytes = (megabytes * 1000).to_string();
    let binary = assert_cmd::cargo::cargo_bin("upheaval").display().to_string();
    let words = ["-c", limit, "sh", &kilobytes, &binary];
    Command::new("sh")
        .args(words)
        .args(arguments)
        .current_dir(folder)
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .unwrap()
}

fn text_of(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

const MANY: &str = "name = \"e\"\nvariants = [\"standard\"]\ngames = 4294967295\nseed = 1\nlast_year = 9999\nthreads = 1\n\
                    [stop]\nstill = 1\n[seats]\nall = \"hold\"\n";

#[test]
fn a_plan_of_four_billion_games_is_made_without_a_list_of_them() {
    let dir = desk(MANY);
    let plan = text_of(&within(1200, dir.path(), &["run", "e.toml", "--dry-run"]));
    assert!(plan.contains("games: 4294967295 of each arm, 4294967295 in all"), "{plan}");
    let memory =
        plan.lines().find(|line| line.contains(" of memory, by ")).unwrap_or_else(|| panic!("{plan}"));
    assert!(memory.contains(" MB of memory"), "{memory}");
    let plan = text_of(&within(1200, dir.path(), &["run", "e.toml", "--dry-run", "--shard", "3/4000000"]));
    assert!(plan.contains(" in this shard"), "{plan}");
}

#[test]
fn what_is_missing_of_a_run_is_told_without_a_list_of_its_chunks() {
    let dir = desk(MANY);
    text_of(&within(1200, dir.path(), &["run", "e.toml", "--shard", "2/4000000000"]));
    let shard = the_run(dir.path()).display().to_string();
    // Chunks of games that can have 8099 years have 16 games.
    let missing = text_of(&within(1200, dir.path(), &["join", &shard, "--partial"]));
    assert_eq!(missing.trim(), "0,2-268435455");
    let pieces = text_of(&within(1200, dir.path(), &["join", &shard, "--partial", "--pieces", "3"]));
    assert_eq!(pieces.lines().count(), 3, "{pieces}");
    let refused = within(1200, dir.path(), &["join", &shard]);
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{error}");
    assert!(error.contains("1/4000000000, 3/4000000000") && error.contains("more"), "{error}");
}

#[test]
fn a_file_that_a_command_names_is_hashed_piece_by_piece() {
    let text = "name = \"e\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1901\nthreads = 1\n[seats]\nall = \"mine\"\n\
                [bots.mine]\ncommand = [\"no-such-program\", \"weights\"]\n";
    let dir = desk(text);
    // The file takes no room on the disk.
    File::create(dir.path().join("weights")).unwrap().set_len(1_400_000_000).unwrap();
    let resolved = text_of(&within(1200, dir.path(), &["run", "e.toml", "--print-resolved"]));
    assert!(resolved.contains("\"weights\": \""), "{resolved}");
    fs::write(dir.path().join("weights"), "others").unwrap();
    assert_ne!(text_of(&within(1200, dir.path(), &["run", "e.toml", "--print-resolved"])), resolved);
}
