//! The faults of files: each file of `faults.txt` is appended to the standard rules, and gives the faults below it,
//! with their lines in the file and their columns, also within sets. Warnings are below the files that have some.
//!
//! `UPDATE_EXPECT=1` writes the faults; each of them is then to be read.

use expect_test::expect_file;
use upheaval::rules::changes::{OwnerRule, Seasons, Verb};

use super::{file_with, sound, with};
use crate::helpers::shipped::{DELUGE_II, check};

/// What is written below a file: a fault with its line after the first line of the file.
fn findings(text: &str) -> String {
    let before = file_with("").lines().count();
    let of_line = |line: &str| {
        let found = line.strip_prefix("mine.toml:").and_then(|rest| rest.split_once(':'));
        let (number, rest) = found.unwrap_or_else(|| panic!("a place: {line}"));
        let number: usize = number.parse().expect("a line");
        format!("=> {}:{rest}\n", number.checked_sub(before).unwrap_or_else(|| panic!("{line} of\n{text}")))
    };
    match with(text) {
        Ok(variant) => {
            let warnings = variant.changes.warnings(&variant.terrain, &variant.position);
            warnings.iter().map(|warning| format!("-> {warning}\n")).collect()
        }
        Err(error) => error.lines().map(of_line).collect(),
    }
}

/// The files of a list with their faults.
fn checked(list: &str) -> String {
    let (head, files) = list.split_once("\n\n").expect("a head");
    let file = |file: &str| {
        let lines = file.lines().filter(|line| !line.starts_with("=> ") && !line.starts_with("-> "));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        format!("{text}{}", findings(&text))
    };
    let files: Vec<String> = files.split("\n----\n").map(|text| file(text.trim_end())).collect();
    format!("{head}\n\n{}", files.join("----\n"))
}

#[test]
fn every_fault_has_its_line_and_column_and_all_of_a_file_are_reported_at_once() {
    let list = testkit::read("tests/changes/faults.txt");
    let found = checked(&list);
    assert!(found.contains("=> ") && found.contains("-> "));
    expect_file![testkit::path("tests/changes/faults.txt")].assert_eq(&found);
}

#[test]
fn every_word_of_a_key_is_taken() {
    let all = "[[changes]]\nid = \"a\"\nof = \"provinces\"\nchange = \"void\"\n";
    for seasons in Seasons::NAMES {
        sound(&format!("{all}seasons = \"{seasons}\"\n"));
    }
    for owner in OwnerRule::NAMES {
        sound(&format!(
            "[[changes]]\nid = \"a\"\nof = \"holed\"\nchange = \"restore\"\nowner = \"{owner}\"\n[countries]\n"
        ));
    }
    for verb in Verb::NAMES {
        let keys = match *verb {
            "mark" => "",
            "quake" => "[waterways]\nrule = \"isthmuses\"\n",
            "found" => "[changes.schedule]\nW1901 = [\"GAL\"]\n",
            "restore" => "of = \"holed\"\n",
            "open" => "of = \"impassable\"\n",
            "dig" => "of = \"STP\"\nends = { STP = [\"BAR\", \"BOT\"] }\n",
            "raise" | "freeze" => "of = \"sea\"\n",
            _ => "of = \"land\"\n",
        };
        sound(&format!("[[changes]]\nid = \"a\"\nchange = \"{verb}\"\n{keys}"));
    }
}

#[test]
fn what_comes_after_the_last_winter_of_a_variant_is_refused() {
    let with = |entry: &str| {
        let entry = format!("[[changes]]\nid = \"late\"\nchange = \"void\"\n{entry}\n[sources]");
        check(DELUGE_II.text_with("[sources]", &entry)).map(drop).expect_err("games end in 1908")
    };
    let error = with("of = \"sea\"\nfrom = 1909");
    assert!(error.contains("`from` is after 1908, in which games end: the entry never acts"), "{error}");
    let error = with("[changes.schedule]\nW1908 = [\"NTH\"]\nS1909 = [\"MAO\"]");
    assert!(error.contains("S1909 is after games end: the places never change"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}
