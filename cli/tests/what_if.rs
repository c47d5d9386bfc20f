//! `upheaval replay --at` and `upheaval effect`: what if a game had continued differently.

use std::fs;
use std::path::PathBuf;

use crate::program::{Done, run_in};
use serde_json::Value;
use tempfile::TempDir;

const FILE: &str = "name = \"what-if\"\nvariants = [\"black-hole\"]\ngames = 24\nseed = 5\nlast_year = 1904\n\
                    [seats]\nall = \"greedy\"\n";

fn desk() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("e.toml"), FILE).unwrap();
    let done = run_in(dir.path(), &["run", "e.toml"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    let run = fs::read_dir(dir.path().join("results")).unwrap().next().unwrap().unwrap().path();
    (dir, run)
}

fn ask(desk: &(TempDir, PathBuf), command: &str, arguments: &[&str]) -> Done {
    run_in(desk.0.path(), &[&[command, desk.1.to_str().unwrap()], arguments].concat(), b"")
}

#[test]
fn a_hole_in_place_of_another_is_told_with_paired_effects_and_shown_on_a_page() {
    let desk = desk();
    let asked =
        ["12", "--at", "F1902", "--instead", "collapse BUR", "--futures", "20", "--html", "page.html"];
    let done = ask(&desk, "replay", &asked);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(
        done.out.starts_with("12, F1902: BUR is drawn to become a hole; 20 futures of each side"),
        "{}",
        done.out
    );
    assert!(done.out.contains("difference (95% CI)") && done.out.contains("\nTURKEY "), "{}", done.out);
    assert_eq!(done.out, ask(&desk, "replay", &asked).out, "the same again");
    let page = fs::read_to_string(desk.0.path().join("page.html")).unwrap();
    // From the fork to the end, with what each side is and where they part.
    assert!(page.contains(">As it was: ") && page.contains(">Otherwise: "));
    assert!(page.contains("The first difference is in "));
    assert!(page.contains("id=\"F1902M\"") && page.contains("id=\"end\"") && !page.contains("id=\"S1902M\""));
}

#[test]
fn fewer_than_twenty_futures_print_no_effect() {
    let desk = desk();
    let done = ask(&desk, "replay", &["12", "--at", "F1902", "--without", "--futures", "19"]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(
        done.out.contains("19 futures are too few to show an effect") && !done.out.contains("TURKEY"),
        "{}",
        done.out
    );
}

#[test]
fn what_cannot_be_asked_is_refused_on_one_line() {
    let desk = desk();
    for (arguments, why) in [
        (&["12", "--at", "F1902"][..], "--instead"),
        (&["12", "--at", "F1902", "--instead", "burn BUR"], "hole, collapse, void"),
        (&["12", "--at", "F1902", "--instead", "collapse SWI"], "does not draw provinces of its kind"),
        (&["12", "--at", "S1901M", "--orders", "GAUL: A PAR H"], "no power `GAUL`"),
        (&["12", "--at", "S1901M", "--orders", "FRANCE: A PAR - MUN"], "cannot be reached"),
        (&["12", "--at", "S1903", "--seat", "FRANCE=grundy"], "no bot `grundy`"),
        (&["12", "--at", "noon", "--without"], "`noon` is not a phase"),
        (&["12", "--at", "F1902", "--without", "--text"], "`--at` cannot be used with `--text`"),
        (&["12", "--at", "F1902", "--without", "--verify"], "cannot be used with"),
    ] {
        let done = ask(&desk, "replay", arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.error);
        assert!(done.error.contains(why), "{arguments:?}: {}", done.error);
    }
}

#[test]
fn effects_are_told_for_every_province_and_power_beside_the_estimate_of_balance() {
    let desk = desk();
    let asked = [
        "--games",
        "24",
        "--years",
        "1",
        "--svg",
        "board.svg",
        "--power",
        "france",
        "--parquet",
        "o.parquet",
    ];
    let done = ask(&desk, "effect", &asked);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.lines().filter(|line| line.contains(" to +")).count() > 60, "{}", done.out);
    assert!(done.out.contains("observed: the estimate of `balance`"), "{}", done.out);
    let board = fs::read_to_string(desk.0.path().join("board.svg")).unwrap();
    assert!(board.contains("Cost for France") && board.contains("data-province=\"PAR\""));
    let (batches, _) = upheaval::record::parquet::read(&desk.0.path().join("o.parquet")).unwrap();
    let rows: usize = batches.iter().map(|batch| batch.num_rows()).sum();
    assert!(rows > 24 * 60 * 7 && rows.is_multiple_of(7), "{rows}");
    let json = ask(&desk, "effect", &["--games", "24", "--years", "1", "--format", "json"]).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    let paris =
        json["provinces"].as_array().unwrap().iter().find(|place| place["province"] == "PAR").unwrap();
    assert!(paris["powers"]["FRANCE"]["estimate"].as_f64().unwrap() < 0.0, "{paris}");
    let late = ask(&desk, "effect", &["--at", "F1904", "--years", "3"]);
    assert!(late.code == 2 && late.error.contains("use fewer --years"), "{}", late.error);
    let alone = ask(&desk, "effect", &["--power", "FRANCE"]);
    assert!(alone.code == 2 && alone.error.contains("--svg"), "{}", alone.error);
}
