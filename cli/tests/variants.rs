//! `upheaval variants` from outside.

use crate::program::{run, run_in};

#[test]
fn every_variant_is_listed_with_a_line() {
    let done = run(&["variants"], b"");
    assert_eq!(done.code, 0);
    let ids: Vec<&str> = done.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        ids,
        [
            "standard",
            "black-hole",
            "black-hole-i",
            "black-hole-ii",
            "double-reversible",
            "schizo-ii",
            "deluge-ii",
            "seismic-1971",
            "seismic-acerunner"
        ]
    );
}

#[test]
fn a_variant_is_shown_with_its_parameters_and_where_each_comes_from() {
    let done = run(&["variants", "show", "schizo-ii"], b"");
    assert_eq!((done.code, done.error.as_str()), (0, ""));
    assert!(done.out.starts_with("schizo-ii: Schizodiplomacy II\n"), "{}", done.out);
    assert!(done.out.contains("source: Schizodiplomacy II (rr07) by Mick Bullock\n"), "{}", done.out);
    let restores = "\nrestores.home_returns_to = last-owner\n    the owner of a restored home centre (last-owner | \
                    home-power)\n    source: ";
    assert!(done.out.contains(restores), "{}", done.out);
    assert_eq!(done.out.matches("\n    source: ").count(), 24, "{}", done.out);
    for id in [
        "standard",
        "black-hole",
        "black-hole-i",
        "black-hole-ii",
        "double-reversible",
        "deluge-ii",
        "seismic-1971",
        "seismic-acerunner",
    ] {
        let shown = run(&["variants", "show", id], b"").out;
        assert!(
            shown.contains("\nvictory.rule = ") && !shown.contains("the file does not name a source"),
            "{shown}"
        );
    }
}

#[test]
fn the_tables_of_a_deluge_are_shown_in_a_line_each() {
    let shown = run(&["variants", "show", "deluge-ii"], b"").out;
    for line in [
        "start.units = none",
        "victory.last_winter = 1908",
        "deluge.schedule = ru10",
        "deluge.opens = 1901: ICE; 1904: SWI",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line} in {shown}");
    }
    for part in [
        "\ndeluge.submerges = 1901: LON HOL BEL GAS VEN LVN; 1902: YOR PIC ",
        "\ndeluge.centres = ru10 (1902: WAL RUH TYR; 1903: UKR ICE; ",
        "; 1907: NAF), early-centres (1901: WAL RUH TYR; ",
        "\ndeluge.boundaries = AUSTRIA: BOH BUD GAL TRI TYR VIE; ENGLAND: ",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
fn a_file_of_ones_own_is_shown_and_what_it_leaves_unsaid_too() {
    let dir = tempfile::tempdir().unwrap();
    let text = include_str!("../../variants/black-hole.toml");
    let (rules, _) = text.split_once("[sources]").unwrap();
    std::fs::write(dir.path().join("two.toml"), rules.replace("per_season = 1", "per_season = 2")).unwrap();
    let done = run_in(dir.path(), &["variants", "show", "two.toml"], b"");
    let two = "\nholes.per_season = 2\n    the number of holes each season (1 to 10)\n    source: the file does not name a \
               source\n";
    assert!(done.out.contains(two), "{}", done.out);
}

#[test]
fn a_variant_that_is_not_there_is_an_error_with_those_that_are() {
    let done = run(&["variants", "show", "schizo"], b"");
    assert!(
        done.refusal().contains("there is no variant `schizo`; known: standard, black-hole, "),
        "{}",
        done.error
    );
    assert!(run(&["variants", "show", "no/such.toml"], b"").refusal().contains("no/such.toml"));
}

#[test]
fn each_fault_of_a_file_is_a_line() {
    let dir = tempfile::tempdir().unwrap();
    let text = include_str!("../../variants/black-hole.toml");
    let text = text.replace("per_season = 1", "per_season = 11").replace("\"A BUD\"", "\"A BUQ\"");
    std::fs::write(dir.path().join("my.toml"), text).unwrap();
    let commands =
        [&["variants", "show", "my.toml"][..], &["map", "--variant", "my.toml"], &["ladder", "my.toml"]];
    for arguments in commands {
        let done = run_in(dir.path(), arguments, b"");
        assert_eq!(done.code, 2);
        let lines: Vec<&str> = done.error.lines().collect();
        let [unit, count] = lines[..] else { panic!("{lines:?}") };
        assert!(unit.starts_with("error: my.toml:14:12: `BUQ` is not"), "{unit}");
        assert!(count.starts_with("error: my.toml:50:14: `per_season` must be"), "{count}");
    }
}
