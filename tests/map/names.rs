//! The names of a board's powers, and the words that messages suggest in place of unknown ones.

use std::collections::BTreeSet;

use crate::helpers::small_maps;
use serde::Deserialize;
use serde_json::json;
use upheaval::diagnostic::wording::{of_json, of_json_at, of_toml, suggest};
use upheaval::ids::{MAX_POWERS, Power, PowerNames, Powers};
use upheaval::topology::atlas::{self, AtlasError};

#[test]
fn powers_that_nobody_described_can_be_told_apart() {
    let names: Vec<String> = (0..MAX_POWERS).map(|i| format!("RED{i}")).collect();
    let names = PowerNames::of_names(names).expect("powers");
    let infos = || names.powers().iter().map(|power| names.info(power));
    let marks: BTreeSet<char> = infos().map(|info| info.mark).collect();
    let colours: BTreeSet<[u8; 3]> = infos().map(|info| info.colour).collect();
    assert_eq!((marks.len(), colours.len()), (MAX_POWERS, MAX_POWERS));
}

#[test]
fn the_powers_of_the_standard_board_are_the_same_wherever_they_come_from() {
    let names = ["TURKEY", "AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA"];
    let standard = PowerNames::standard();
    assert_eq!(PowerNames::of_names(names), Ok(standard.clone()));
    assert_eq!((standard.powers(), Powers::STANDARD.iter().len()), (Powers::STANDARD, 7));
    assert!(Powers::STANDARD.iter().eq(Power::STANDARD));
    assert_eq!(standard.to_string(), "AUSTRIA ENGLAND FRANCE GERMANY ITALY RUSSIA TURKEY");
    let marks = Powers::STANDARD.iter().map(|power| standard.info(power).mark);
    assert_eq!(marks.collect::<String>(), "AEFGIRT");
    let turkey = standard.info(Power::TURKEY);
    assert_eq!((turkey.name.as_str(), turkey.adjective.as_str()), ("TURKEY", "Turkish"));
}

#[test]
fn the_same_names_are_the_same_list() {
    let some = || PowerNames::of_names(["RED", "BLUE", "GREEN"]).expect("powers");
    assert_eq!(some(), some());
    assert_ne!(some(), PowerNames::of_names(["RED", "BLUE", "BROWN"]).expect("powers"));
    let blue = some().named("BLUE").expect("blue");
    assert_eq!(
        (some().name(blue), blue.index(), some().info(blue).proper_name.as_str()),
        ("BLUE", 0, "Blue")
    );
    let brown = some().named("BROWN").expect_err("another board's");
    assert_eq!(brown.to_string(), "`BROWN` is not a power; the powers are BLUE GREEN RED");
    let text = serde_json::to_string(&some()).expect("JSON");
    assert_eq!(serde_json::from_str::<PowerNames>(&text).expect("read again"), some());
}

#[test]
fn what_cannot_be_a_boards_powers_is_refused() {
    let error =
        |names: &[&str]| PowerNames::of_names(names.iter().copied()).expect_err("refused").to_string();
    assert_eq!(error(&["RED"]), "a board has from 2 to 34 powers, not 1");
    assert_eq!(error(&["RED", "RED"]), "two powers are called RED");
    for name in ["", "red", "1RED", "RED BLUE", "ÄGYPTEN", "REDREDREDREDREDREDREDREDREDREDRED"] {
        assert!(error(&["BLUE", name]).starts_with(&format!("`{name}` is not a name of a power")), "{name}");
    }
    // Marks are given in map files.
    let marked = |marks: [char; 2]| {
        let mut file = small_maps::json(&small_maps::MELON.replace("sea", "land"));
        for (home, power) in [("AA", "RED"), ("BB", "BLUE")] {
            file["faces"][home]["home"] = power.into();
        }
        let powers = ["RED", "BLUE"].into_iter().zip(marks);
        file["powers"] = powers.map(|(name, mark)| json!({ "name": name, "mark": mark })).collect();
        match atlas::parse("x.json", &file.to_string()) {
            Err(AtlasError::Faults { faults, .. }) => faults,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(marked(['x', 'B']), ["powers: RED: `x` is not a mark (expected a capital letter or a digit)"]);
    assert_eq!(marked(['X', 'X']), ["powers: BLUE and RED have the same mark, X"]);
}

#[test]
fn the_nearest_word_is_suggested() {
    assert_eq!(suggest("sed", ["seed", "games"]), "did you mean `seed`? (known: seed, games)");
    assert_eq!(suggest("Standart", ["standard"]), "did you mean `standard`? (known: standard)");
    assert_eq!(suggest("zebra", ["seed", "games"]), "known: seed, games");
}

#[test]
fn a_parsers_message_is_one_line_without_its_position_and_with_the_nearest_word() {
    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "kebab-case")]
    enum Word {
        Collapse,
        Void,
    }
    let json = |text: &str| serde_json::from_str::<Vec<Word>>(text).unwrap_err();
    assert_eq!(
        of_json_at(&json("[\n\"voids\"]")),
        "unknown variant `voids`, expected `collapse` or `void`; did you mean `void`? (line 2, column 7)"
    );
    assert_eq!(of_json(&json("[3]")), "expected value");
    let long = of_json(&json(&format!("[\"{}\"]", "x".repeat(1 << 20))));
    assert_eq!(long.chars().count(), 1000);
    let toml = toml::from_str::<Vec<Word>>("a = [\n").unwrap_err();
    assert!(!of_toml(&toml).contains('\n'), "{}", of_toml(&toml));
}
