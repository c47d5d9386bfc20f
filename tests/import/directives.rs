//! The statements of DPjudge's map files: what a map file has no place for is named, and never becomes a power.

use super::imported;
use upheaval::import::{Hints, ImportNote, ImportSource, import, text_of};

/// Three lands and an inland round a sea, with a line more before, within and after the powers.
fn board(first: &str, after_red: &str, last: &str) -> String {
    format!(
        "{first}\nOne = one\nRED (RED) ONE\n{after_red}\nBLUE (BLUE) TWO\nUNOWNED THR\n\
         COAST ONE ABUTS TWO THR SEA\nCOAST TWO ABUTS ONE THR FOU SEA\nCOAST THR ABUTS ONE TWO FOU SEA\n\
         LAND FOU ABUTS TWO THR\nWATER SEA ABUTS ONE TWO THR\n{last}\n"
    )
}

/// The powers, and the notes that name a line.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let back = imported("x.map", text, "").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let named =
        |note: &&ImportNote| matches!(note, ImportNote::NotSupported { .. } | ImportNote::ReadAsPower { .. });
    let notes = back.notes.iter().filter(named).map(ToString::to_string).collect();
    (back.map.powers.into_iter().flatten().map(|power| power.name).collect(), notes)
}

#[test]
fn statements_without_a_place_in_a_map_file_are_named_with_their_line() {
    let lines = [
        "NOTIFY gm@example.org",
        "FLAGS standard minorpower",
        "FLAG THR",
        "flag england",
        "TEXTONLY",
        "BEGIN SPRING 1900 MOVEMENT",
        "VICTORY 3 4",
        "RULE BUILD_ANY",
        "FLOW NEWYEAR:5",
        "FLOW THR",
        "FLOW IFYEARDIV:2=1",
        "NEWHOMES 1899",
        "IN SPRING: WATER FOU",
        "FROM S1904M: SHUT FOU",
        "LEAGUE NORTH STRICT",
        "RESERVES 2",
        "MILITIA",
        "CONTROL BLUE",
        "ROTATE CONTROL",
        "TEAMS RED-BLUE",
        "DUMMY RED",
        "DIRECTIVES\nRULE BUILD_ANY\nTHR THR\nEND DIRECTIVES",
        "PAYOLA DIRECTIVE\nTHR THR\nEND DIRECTIVE",
        "IN W1939A\nSHUT FOU\nTHR THR\nFROM START",
    ];
    for line in lines {
        for (text, number) in [(board(line, "", ""), 1), (board("", line, ""), 4), (board("", "", line), 12)]
        {
            let (powers, notes) = read(&text);
            assert_eq!(powers, ["RED", "BLUE"], "{line}");
            assert_eq!(notes.len(), 1, "{line}: {notes:?}");
            let statement = match line.contains("DIRECTIVE") {
                true => "DIRECTIVES".to_owned(),
                false => line.split_whitespace().next().unwrap_or_default().to_uppercase(),
            };
            let named = format!("x.map:{number}: `{statement}` is not supported: ");
            assert!(notes[0].starts_with(&named), "{notes:?}");
        }
    }
}

#[test]
fn lines_of_a_season_and_of_directives_change_nothing_and_the_map_goes_on_after_them() {
    let plain = imported("x.map", &board("", "", ""), "").expect("a board").map;
    for lines in
        ["IN SPRING\nSHUT FOU\nDROP ONE\nFROM START", "DIRECTIVES\nDROP ONE\nIN FALL: x\nEND DIRECTIVES"]
    {
        let with = imported("x.map", &board("", lines, ""), "").expect("a board").map;
        assert_eq!(with, plain, "{lines}");
    }
    // Without an end they reach to the end of the file.
    let error = imported("x.map", &board("IN SPRING", "", ""), "").expect_err("nothing is left").to_string();
    assert!(error.contains("no location is listed"), "{error}");
}

#[test]
fn a_statement_that_stands_often_is_named_once() {
    let flows = "FLOW SPRING:MOVEMENT\n".repeat(50_000);
    let (_, notes) = read(&board("", "", &flows));
    assert_eq!(
        notes,
        [
            "x.map:12: `FLOW` is not supported: the seasons of a year belong to the rules (and in 49999 more lines)"
        ]
    );
}

#[test]
fn an_unknown_word_that_can_only_be_a_power_is_named_as_such() {
    let (powers, notes) = read(&board("", "", "FLWO THR"));
    assert_eq!(powers, ["RED", "BLUE", "FLWO"]);
    assert_eq!(notes, ["x.map:12: `FLWO` is not a statement and is read as the name of a power"]);
    let (powers, notes) = read(&board("", "", "GREEN () THR\nGREEN\nRED"));
    assert_eq!((powers.len(), notes), (3, Vec::new()), "with an adjective it is a power");
    for (line, fault) in [
        ("COAST", "x.map:12: expected the code of a location after `COAST`"),
        ("OWNS THR", "x.map:12: expected the name of a power above this line"),
        ("UNPLAYED PINK", "x.map:12: there is no power `PINK`"),
    ] {
        let error = imported("x.map", &board("", "", line), "").expect_err(line).to_string();
        assert_eq!(error, fault);
    }
}

#[test]
fn names_of_powers_may_have_points_plus_signs_and_underscores_before_them() {
    for (written, name, proper) in [
        ("R.E.D", "RED", Some("R.E.D")),
        ("B.C.", "BC", Some("B.C.")),
        ("ST+RED", "ST-RED", Some("St Red")),
        ("u+s+a", "USA", None),
        ("__RED", "RED", None),
        ("RED", "RED", None),
    ] {
        let text = board("", "", "").replace("RED (RED)", &format!("{written} (RED)"));
        let map = imported("x.map", &text, "").expect("a board").map;
        let power = map.powers.into_iter().flatten().next().expect("a power");
        assert_eq!((power.name.as_str(), power.proper_name.as_deref()), (name, proper), "{written}");
    }
    // Lines refer to a power with or without them.
    let (powers, _) = read(&board("", "GREEN+LAND () THR", "UNPLAYED Green.Land"));
    assert_eq!(powers, ["RED", "BLUE"]);
}

#[test]
fn places_and_powers_can_be_renamed() {
    let text = board("", "", "ONE -> Uno = UNO one\nRED -> ROJO (Spanish:S)\nA FOU");
    let back = imported("x.map", &text, "").expect("a board");
    assert!(!back.map.faces.contains_key("ONE"), "{:?}", back.map.faces.keys());
    let uno = &back.map.faces["UNO"];
    assert_eq!((uno.name.as_str(), uno.home.as_deref()), ("Uno", Some("ROJO")));
    assert!(back.map.faces["SEA"].neighbours().contains(&"UNO".to_owned()));
    assert!(back.notes.iter().any(|note| note.to_string() == "ROJO starts with A FOU"), "{:?}", back.notes);
    for (line, fault) in [
        ("TEN -> Dix = DIX", "x.map:12: there is no `TEN` to rename"),
        ("ONE -> Two = TWO", "x.map:12: `TWO` is a place already"),
        ("PINK -> ROSE", "x.map:12: there is no power `PINK` to rename"),
        ("RED -> BLUE", "x.map:12: duplicate power BLUE"),
    ] {
        let error = imported("x.map", &board("", "", line), "").expect_err(line).to_string();
        assert_eq!(error, fault);
    }
}

#[test]
fn coasts_are_renamed_each_and_a_province_without_coasts_loses_them() {
    let two = |code: &str| {
        let inland = code.to_lowercase();
        format!(
            "COAST {code}/NC ABUTS SEA\nCOAST {code}/SC ABUTS TWO THR\nCOAST {inland} ABUTS TWO THR SEA\n\
             COAST TWO ABUTS {code}/SC THR FOU SEA\nCOAST THR ABUTS {code}/SC TWO FOU SEA\n\
             WATER SEA ABUTS {code}/NC TWO THR"
        )
    };
    let map = |text: &str| imported("x.map", text, "").unwrap_or_else(|error| panic!("{error}\n{text}")).map;
    let renames = "ONE/NC -> Uno north = UNO/NC\nONE/SC -> Uno south = UNO/SC\nONE -> Uno = UNO";
    let renamed = map(&board("", "", &format!("{}\n{renames}", two("ONE"))));
    let named = board("", "", "").replace("One = one", "Uno = uno").replace("ONE", "UNO");
    assert_eq!(renamed, map(&format!("{named}{}", two("UNO"))));
    let again = format!("{}\nCOAST ONE ABUTS TWO THR SEA", two("ONE"));
    assert_eq!(map(&board("", "", &again)), map(&board("", "", "")));
}

#[test]
fn a_terrain_alone_keeps_the_neighbours_and_a_dropped_place_is_gone() {
    let plain = imported("x.map", &board("", "", ""), "").expect("a board").map;
    let text = board("", "", "LAND ONE\nCOAST ONE\nCOAST TEN ABUTS SEA\nAMEND SEA ABUTS TEN\nDROP TEN");
    assert_eq!(imported("x.map", &text, "").expect("a board").map, plain);
}

#[test]
fn restrictions_of_units_homes_and_centres_are_named() {
    let text = board("", "RED *FOU @THR &SC ~ONE", "AMEND ONE ABUTS -TWO\nAMEND ONE ABUTS *TWO");
    let (_, notes) = read(&text);
    let mut named: Vec<&str> = notes.iter().filter_map(|note| note.split('`').nth(1)).collect();
    named.sort_unstable();
    assert_eq!(named, ["&SC", "*FOU", "*TWO", "@THR", "~ONE"], "{notes:?}");
    let map = imported("x.map", &text, "").expect("a board").map;
    let plain = imported("x.map", &board("", "", ""), "").expect("a board").map;
    assert_eq!(map, plain, "the adjacency stays, and the homes are those of the plain line");
}

#[test]
fn texts_in_latin_1_and_with_marks_of_the_order_of_bytes_are_read() {
    let text = board("", "", "").replace("One = one", "Uné = one");
    let latin_1: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    let marked = format!("\u{feff}{text}");
    let utf_16: Vec<u16> = marked.encode_utf16().collect();
    let texts = [
        text.clone().into_bytes(),
        latin_1,
        marked.clone().into_bytes(),
        utf_16.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        utf_16.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
    ];
    for bytes in texts {
        assert_eq!(text_of(bytes), Ok(text.clone()));
    }
    assert!(text_of(b"{\"a\": \"\xe9\"}".to_vec()).unwrap_err().contains("save the file as UTF-8"));
    assert!(text_of(b"\xff\xfea".to_vec()).unwrap_err().contains("UTF-16"));
    // A library that reads the file itself, and a file that it uses, may have the mark too.
    let includes = |_: &str| Ok(marked.clone());
    let hints = Hints::default();
    let source = |text| ImportSource {
        file: "x.map",
        text,
        format: None,
        includes: &includes,
        hints: &hints,
        hint_file: "",
    };
    let plain = import(&source(&text)).expect("a board").map;
    assert_eq!(plain.faces["ONE"].name, "Uné");
    for text in [marked.as_str(), "USE y"] {
        assert_eq!(import(&source(text)).expect("a board").map, plain);
    }
}
