//! Files that nobody would write by hand: each gives a variant or faults, after work that grows with its length only.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use upheaval::game::Game;
use upheaval::rules::changes::{Names, parse_set};
use upheaval::rules::variant::Variant;
use upheaval::topology::atlas;

use super::{sound, with};

/// The file has faults, at most as many as are reported of one file, and one of them says this.
#[track_caller]
fn refused(text: &str, why: &str) {
    let error = with(text).map(drop).expect_err("it has faults");
    let lines = error.lines().count();
    assert!(lines <= 51, "{lines} faults");
    assert!(error.contains(why), "{}", error.chars().take(600).collect::<String>());
}

/// An entry with this set.
fn of(set: &str) -> String {
    format!("[[changes]]\nid = \"a\"\nof = \"{set}\"\nchange = \"void\"\n")
}

#[test]
fn sets_of_a_hundred_thousand_characters_are_read_or_refused() {
    let board = atlas::standard();
    let (powers, groups) = (board.power_names(), &BTreeMap::new());
    let names = Names { map: board.map(), powers, ids: &["a"], groups, entry: Some(0) };
    let long = vec!["land"; 14_000].join(" | ");
    let set = parse_set(&long, &names).expect("a set");
    assert_eq!(set.to_string(), long);
    assert!(parse_set(&"(".repeat(10_000), &names).is_err());
    assert!(parse_set(&")".repeat(100_000), &names).is_err());
    assert!(parse_set(&"under(".repeat(10_000), &names).is_err());
    assert!(parse_set(&"land - (".repeat(10_000), &names).is_err());
    assert!(parse_set(&"\u{e9}(\u{1f30a}".repeat(10_000), &names).is_err());
    assert!(parse_set(&"new(".repeat(10_000), &names).is_err());
    assert_eq!(parse_set(&vec!["x"; 50_000].join(" | "), &names).map_err(|faults| faults.len()), Err(50_000));

    let variant = sound(&of(&long));
    assert!(variant.changes.warnings(&variant.terrain, &variant.position).is_empty());
    refused(&of(&"(".repeat(10_000)), "parentheses within each other");
    refused(&of(&vec!["xy"; 30_000].join(" & ")), "there may be more faults");
    refused(&of(&"x".repeat(100_000)), "is neither a word");
    refused(&of(&format!("land - {}", "\\u0062".repeat(20_000))), "is neither a word");
}

#[test]
fn groups_that_double_a_hundred_times_or_name_each_other_in_a_ring_are_refused() {
    let doubling: String =
        (1..100).map(|n| format!("g{n} = \"g{} | g{}\"\n", n - 1, n - 1)).collect::<Vec<_>>().concat();
    let entry = "[[changes]]\nid = \"a\"\nof = \"g99 & land\"\nchange = \"void\"\n";
    refused(&format!("{entry}[groups]\ng0 = \"land\"\n{doubling}"), "more than 10000 terms");
    let ring: String = (0..100).map(|n| format!("g{n} = \"near(g{})\"\n", (n + 1) % 100)).collect();
    refused(&format!("{entry}[groups]\n{ring}"), "a group cannot contain itself");
    let many: String = (0..10_000).map(|n| format!("g{n} = \"land\"\n")).collect();
    refused(&format!("{entry}[groups]\n{many}"), "more than 100 groups");
}

#[test]
fn the_deepest_sets_of_neighbours_are_played_at_once() {
    let deep = (0..9).fold("BUR".to_owned(), |set, _| format!("within(100, under({set} | near(holed)))"));
    let text = format!(
        "[[changes]]\nid = \"a\"\nof = \"({deep} | land) & land\"\nchange = \"collapse\"\ncount = 10\n"
    );
    let entries = |n: usize| text.replacen("\"a\"", &format!("\"a{n}\""), 1);
    play(&sound(&(0..10).map(entries).collect::<String>()));
}

#[test]
fn ten_thousand_entries_are_refused_at_the_first_that_is_too_many() {
    let entries = |count: usize| {
        let mut text = String::new();
        for entry in 0..count {
            let _ = write!(text, "[[changes]]\nid = \"e{entry}\"\nof = \"provinces\"\nchange = \"void\"\n");
        }
        text
    };
    refused(&entries(10_000), "more than 40 entries");
    refused(&entries(41), "more than 40 entries");
    assert_eq!(sound(&entries(40)).changes.entries().len(), 40);
    refused(&"[[changes]]\nid = \"a\"\n".repeat(10_000), "is missing");
}

#[test]
fn schedules_of_ten_thousand_rows_and_lists_of_ten_thousand_names_are_read_or_refused() {
    let entry =
        |change: &str| format!("[[changes]]\nid = \"a\"\nchange = \"{change}\"\n[changes.schedule]\n");
    let rows = |names: &str| {
        let mut text = String::new();
        for year in 1901..9999 {
            let _ = write!(text, "W{year} = [{names}]\nF{year} = []\n");
        }
        text
    };
    refused(&(entry("void") + &rows("")), "the schedule is empty");
    // What is due in each of ten thousand seasons may come back between them.
    let back = "[[changes]]\nid = \"back\"\nof = \"holed\"\nchange = \"restore\"\n";
    let variant = sound(&(back.to_owned() + &entry("void") + &rows("\"BUR\"")));
    assert!(variant.changes.warnings(&variant.terrain, &variant.position).is_empty());
    refused(&(entry("void") + &rows("\"BUR\"")), "it never changes");
    refused(&(entry("submerge") + "W1901 = [" + &"\"BUR\", ".repeat(10_000) + "]\n"), "it never changes");
    refused(
        &(entry("submerge") + "W1901 = [" + &"\"XYZ\", ".repeat(10_000) + "]\n"),
        "there may be more faults",
    );
}

#[test]
fn the_farthest_years_and_shifts_are_played_or_refused() {
    let schedule = |shift: i64, rows: &str| {
        format!("[[changes]]\nid = \"a\"\nchange = \"void\"\nshift = {shift}\n[changes.schedule]\n{rows}\n")
    };
    for (shift, rows, is_sound) in [
        (32767, "W0001 = [\"BUR\"]", true),
        (32767, "W9999 = [\"BUR\"]", true),
        (-32768, "W9999 = [\"BUR\"]", false),
        (-8098, "W9999 = [\"BUR\"]", true),
        (-32768, "fall = [\"BUR\"]", false),
        (-32767, "", false),
        (32768, "W1901 = [\"BUR\"]", false),
        (0, "W99999 = [\"BUR\"]", false),
        (0, "W0000 = [\"BUR\"]", false),
    ] {
        let text = schedule(shift, rows);
        assert_eq!(with(&text).map(|variant| play(&variant)).is_ok(), is_sound, "{text}");
    }
    for keys in [
        "from = 9999",
        "from = \"W9999\"\nevery = 100",
        "until = 9999\nevery = 100",
        "from = 1\nuntil = 9999\nevery = 100",
        "from = 1\nseasons = \"winter\"",
    ] {
        play(&sound(&(of("land") + keys + "\n")));
    }
    for keys in [
        "from = 0",
        "from = 10000",
        "from = -1",
        "until = 99999999999999999999",
        "every = 101",
        "from = 1901.5",
    ] {
        assert!(with(&(of("land") + keys + "\n")).is_err(), "{keys}");
    }
}

/// Everything that is computed of a variant before a game, and two years of one in which nobody orders anything.
fn play(variant: &std::sync::Arc<Variant>) {
    let first = Game::new(variant.clone(), 1903).phase();
    for entry in variant.changes.entries() {
        assert!(!entry.sentence().to_string().is_empty());
        assert!(variant.changes.dates(entry, first, None).len() <= 5);
    }
    let _ = (
        variant.changes.warnings(&variant.terrain, &variant.position),
        variant.content(),
        variant.parameters(),
    );
    let mut table = crate::helpers::table::Table::new_game(variant.clone(), 1902);
    for _ in 0..4 {
        table.season(&[]);
    }
}
