//! Faulty map files: each gives one clear error that lists all faults, and none causes a panic.

use crate::helpers::small_maps;
use proptest::prelude::*;
use serde_json::{Value, json};
use upheaval::topology::atlas;

const STANDARD: &str = include_str!("../../maps/standard.json");

fn standard() -> Value {
    serde_json::from_str(STANDARD).expect("JSON")
}

/// The error that a map file gives; there must be one.
fn refused(file: &Value) -> String {
    match atlas::parse("x.json", &file.to_string()) {
        Ok(_) => panic!("accepted: {file}"),
        Err(e) => e.to_string(),
    }
}

fn with(change: impl FnOnce(&mut Value)) -> String {
    let mut file = standard();
    change(&mut file);
    refused(&file)
}

fn neighbours<'a>(file: &'a mut Value, face: &str) -> &'a mut Vec<Value> {
    file["faces"][face]["neighbours_ccw"].as_array_mut().expect("a list")
}

#[test]
fn every_fault_of_a_file_is_listed() {
    let error = with(|file| {
        file["faces"]["PA R"] = file["faces"]["PAR"].clone();
        neighbours(file, "PAR").push(json!("XYZ"));
        neighbours(file, "BUR").push(json!("BUR"));
        file["faces"]["SWI"]["kind"] = json!("outside");
    });
    assert!(error.starts_with("x.json: this map cannot be played on: "), "{error}");
    for part in [
        "PAR: its neighbour `XYZ` is not a face of the map",
        "BUR is listed as its own neighbour",
        "2 faces are `outside`",
        "`PA R` is not a province code",
    ] {
        assert!(error.contains(part), "{part}\n{error}");
    }
}

#[test]
fn a_neighbour_that_does_not_answer_is_named() {
    let error = with(|file| neighbours(file, "PAR").retain(|name| name != "BUR"));
    assert!(
        error.contains("BUR is missing between GAS and PIC, and BUR names PAR as a neighbour"),
        "{error}"
    );
    let error = with(|file| {
        neighbours(file, "PAR").retain(|name| name != "BUR");
        neighbours(file, "PIC").retain(|name| name != "BUR");
    });
    assert!(error.contains("BUR names PAR as a neighbour, but PAR does not name BUR"), "{error}");
    let error = with(|file| neighbours(file, "PAR").swap(0, 1));
    assert!(error.contains("PAR: BRE and PIC seem to be swapped"), "{error}");
    let error = with(|file| neighbours(file, "PAR").reverse());
    assert!(error.contains("PAR seems to be reversed"), "{error}");
    let error = with(|file| neighbours(file, "PAR").clear());
    assert!(error.contains("PAR: a boundary lists no neighbour"), "{error}");
}

#[test]
fn what_is_written_on_a_map_must_be_there() {
    let error = with(|file| {
        file["canals"][0]["ends"][0] = json!("MAO");
        file["canals"][1]["ends"][0] = json!("HEL");
        file["straits"] = json!([["DEN", "PAR"], ["SKA", "DEN"]]);
        file["coasts"]["SPA"] = json!({"NC": ["MAO#3"], "QC": ["MAO"]});
        file["coasts"]["XYZ"] = json!({"NC": ["MAO"]});
    });
    for part in [
        "CON does not have a border `MAO`",
        "the canal through KIE has only one end",
        "DEN does not have a border `PAR`",
        "SKA is not a land province and cannot have a strait",
        "SPA does not have a border `MAO#3`",
        "coasts of SPA: `QC` is not a coast",
        "`XYZ` is not a face of the map and does not have a border `MAO`",
    ] {
        assert!(error.contains(part), "{part}\n{error}");
    }
}

#[test]
fn errors_of_form_name_the_place() {
    for (change, part) in [
        (json!({"kind": "swamp"}), "unknown variant `swamp`"),
        (json!({"kind": 7}), "expected value"),
        (json!({"supply_centre": "yes"}), "invalid type: string \"yes\", expected a boolean"),
        (json!({"home": 7}), "invalid type: integer `7`, expected a string"),
        (json!({"neighbours_ccw": "BUR"}), "invalid type: string \"BUR\", expected a sequence"),
        (json!({"centre": [1]}), "invalid length 1, expected an array of length 2"),
        (json!({"colour": "red"}), "unknown field `colour`"),
    ] {
        let error = with(|file| {
            for (key, value) in change.as_object().expect("an object") {
                file["faces"]["PAR"][key] = value.clone();
            }
        });
        assert!(error.starts_with("x.json:1:"), "{error}");
        assert!(error.contains(part), "{part}\n{error}");
    }
    for text in ["", "{", "[]", "null", "{}", "{\"faces\": 3}", "{\"faces\": {}, \"seas\": 1}"] {
        assert!(atlas::parse("x.json", text).is_err(), "{text}");
    }
    let doubled = STANDARD.replacen("\"ALB\"", "\"ADR\"", 2);
    let error = atlas::parse("x.json", &doubled).expect_err("a doubled face").to_string();
    assert!(error.contains("`ADR` is given twice"), "{error}");
    assert!(refused(&json!({"faces": {}})).contains("the map has 0 faces; expected 2 to 256"));
}

#[test]
fn a_map_in_pieces_or_on_another_surface_is_no_plane() {
    let two_ponds = "AA land BB\nBB sea AA\nXX land YY\nYY sea XX";
    assert!(refused(&small_maps::json(two_ponds)).contains("falls into 2 maps"));
    // Nine squares on a torus would have corners of degree four; seven hexagons close up with three.
    let hexagon = |i: usize| [1, 3, 2, 6, 4, 5].map(|by| format!(" P{}", (i + by) % 7)).concat();
    let torus = |extra: &str| {
        let lines: Vec<String> = (0..7).map(|i| format!("P{i} land{}", hexagon(i))).collect();
        lines.join("\n") + extra
    };
    let error = refused(&small_maps::json(&torus("")));
    assert!(error.contains("14 corners, 21 borders and 7 boundary cycles"), "{error}");
    // With two ponds beside it the sums over the whole map are correct.
    let balanced = torus("\nAA land BB\nBB sea AA\nXX land YY\nYY sea XX");
    let error = refused(&small_maps::json(&balanced));
    assert!(error.contains("14 corners, 21 borders and 7 boundary cycles"), "{error}");
}

#[test]
fn a_file_of_too_many_neighbours_is_refused_before_it_is_worked_on() {
    let many = |name: &str| vec![name.to_owned(); 50_000].join(" ");
    let error = refused(&small_maps::json(&format!("AA land {}\nBB sea {}", many("BB"), many("AA"))));
    assert!(error.contains("100000 neighbours are listed in total, but 2 faces allow at most 12"), "{error}");
    let lines: Vec<String> = (0..300).map(|i| format!("P{i} land P{}", i ^ 1)).collect();
    assert!(
        refused(&small_maps::json(&lines.join("\n"))).contains("the map has 300 faces; expected 2 to 256")
    );
}

#[test]
fn a_text_cut_anywhere_is_an_error() {
    for at in (0..STANDARD.trim_end().len()).step_by(7).filter(|&at| STANDARD.is_char_boundary(at)) {
        assert!(atlas::parse("x.json", &STANDARD[..at]).is_err(), "cut at {at}");
    }
}

/// Every list and every string of the file, to be changed at random.
fn leaves<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    match value {
        Value::Object(map) => map.values_mut().for_each(|value| leaves(value, found)),
        Value::Array(list) if list.iter().all(|v| !v.is_object() && !v.is_array()) => found.push(value),
        Value::Array(list) => list.iter_mut().for_each(|value| leaves(value, found)),
        _ => found.push(value),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_change_of_the_file_gives_a_sound_map_or_an_error(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..8u8, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4)
    ) {
        let mut file = standard();
        for (which, how, i, j) in changes {
            let mut found = Vec::new();
            leaves(&mut file, &mut found);
            let at = which.index(found.len());
            let leaf = &mut *found[at];
            match (how, leaf) {
                (0, leaf) => *leaf = Value::Null,
                (1, leaf) => *leaf = json!(-1.5),
                (2, leaf) => *leaf = json!("MAO"),
                (_, Value::Array(list)) if !list.is_empty() => {
                    let (i, j) = (i.index(list.len()), j.index(list.len()));
                    match how {
                        3 => drop(list.remove(i)),
                        4 => list.swap(i, j),
                        5 => { let copy = list[i].clone(); list.insert(j, copy) }
                        6 => list.rotate_left(i),
                        _ => list.reverse(),
                    }
                }
                (_, leaf) => *leaf = json!(["PAR", "BUR"]),
            }
        }
        match atlas::parse("x.json", &file.to_string()) {
            Ok(chart) => prop_assert_eq!(chart.map().faults(), Vec::<String>::new()),
            Err(error) => prop_assert!(error.to_string().starts_with("x.json:")),
        }
    }

    #[test]
    fn any_byte_may_be_another(at in 0..STANDARD.len(), byte in 32..127u8) {
        let mut text = STANDARD.as_bytes().to_vec();
        text[at] = byte;
        if let Ok(text) = String::from_utf8(text)
            && let Ok(chart) = atlas::parse("x.json", &text)
        {
            prop_assert_eq!(chart.map().faults(), Vec::<String>::new());
        }
    }
}

#[test]
fn a_point_of_a_board_joins_all_round_it_and_is_no_hole() {
    let mut chart = atlas::find("ancient-mediterranean").expect("it ships");
    let face = |name: &str| chart.map().find(name).expect("a face");
    let (point, ausonian, libyan) = (face("MEL"), face("AUS"), face("LIB"));
    let fleets_meet = |chart: &upheaval::topology::NamedMap| {
        let board = upheaval::topology::derive(chart.map());
        board.fleet_reach_any(ausonian).contains(libyan)
    };
    assert!(chart.map().stretches(ausonian, libyan).is_empty() && fleets_meet(&chart));
    assert!(chart.map().holes().is_empty());
    assert_eq!(
        chart.restore(point).unwrap_err().to_string(),
        "MEL is not a hole: there is nothing to restore"
    );
    for change in [
        upheaval::topology::NamedMap::collapse,
        upheaval::topology::NamedMap::void,
        upheaval::topology::NamedMap::open,
    ] {
        assert!(change(&mut chart, point).is_err());
    }
    let before = chart.map().hash();
    chart.void(ausonian).expect("a sea");
    assert!(!fleets_meet(&chart));
    chart.restore(ausonian).expect("a hole");
    assert_eq!(chart.map().hash(), before);
}
