//! The reports about faulty map files, and what a valid file may leave out.

use super::*;
use serde_json::{Value, json};

fn shipped_file() -> Value {
    serde_json::from_str(SHIPPED[0].2).expect("JSON")
}

fn list<'a>(file: &'a mut Value, face: &str) -> &'a mut Vec<Value> {
    file["faces"][face]["neighbours_ccw"].as_array_mut().expect("a list")
}

/// The faults of the standard board after a change.
fn faults(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut file = shipped_file();
    change(&mut file);
    match parse("x.json", &file.to_string()) {
        Ok(_) => panic!("accepted"),
        Err(AtlasError::Faults { faults, .. }) => faults,
        Err(error) => panic!("{error}"),
    }
}

/// The borders of a map: each face with its boundaries.
fn boundaries(chart: &NamedMap) -> Vec<(String, Vec<Vec<String>>)> {
    let map = chart.map();
    let named = |id| {
        let cycles = map.printed_cycles(id).into_iter();
        let cycles = cycles.map(|cycle| cycle.iter().map(|&s| map.name(map.across(s)).to_owned()).collect());
        (map.name(id).to_owned(), cycles.collect())
    };
    map.faces().map(|(id, _)| named(id)).collect()
}

#[test]
fn every_reversed_list_of_the_standard_board_is_one_sentence() {
    for face in shipped_file()["faces"].as_object().expect("faces").keys() {
        let mut length = 0;
        let mut reverse = |file: &mut Value| {
            length = list(file, face).len();
            list(file, face).reverse();
        };
        let mut file = shipped_file();
        reverse(&mut file);
        // A list of two entries equals its own reverse.
        if length > 2 {
            let found = faults(|file| list(file, face).reverse());
            let [fault] = &found[..] else { panic!("{face}: {found:?}") };
            assert!(fault.starts_with(&format!("{face} seems to be reversed; ")), "{fault}");
        }
    }
}

#[test]
fn a_list_with_one_entry_wrong_is_one_sentence_with_the_list_that_would_be_right() {
    let right = "; its neighbours' lists require `PIC BRE GAS BUR`";
    let of_paris = |change: fn(&mut Vec<Value>)| faults(|file| change(list(file, "PAR")));
    assert_eq!(shipped_file()["faces"]["PAR"]["neighbours_ccw"], json!(["PIC", "BRE", "GAS", "BUR"]));
    assert_eq!(
        of_paris(|list| drop(list.remove(3))),
        [format!("PAR: BUR is missing between GAS and PIC, and BUR names PAR as a neighbour{right}")]
    );
    assert_eq!(of_paris(|list| list.push(json!("MUN"))), [format!("PAR: MUN is one too many{right}")]);
    assert_eq!(
        of_paris(|list| list.reverse()),
        [format!("PAR seems to be reversed{}", right.replace("PIC BRE GAS BUR", "BUR PIC BRE GAS"))]
    );
    assert_eq!(of_paris(|list| list.swap(2, 3)), [format!("PAR: BUR and GAS seem to be swapped{right}")]);
    assert_eq!(
        of_paris(|list| list[3] = json!("BRU")),
        [format!("PAR: its neighbour `BRU` is not a face of the map{right}")]
    );
}

#[test]
fn faults_of_every_sort_are_told_at_once_in_the_order_of_the_alphabet() {
    let found = faults(|file| {
        list(file, "MUN").reverse();
        list(file, "SEV").reverse();
        file["faces"]["PAR"]["home"] = json!("GAUL");
        file["faces"]["MAO"]["home"] = json!("FRANCE");
        file["faces"]["BUR"]["home"] = json!("FRANCE");
        file["powers"] = json!([{"name": "FRANCE"}, {"name": "SPAIN"}, {"name": "AUSTRIA"}, {"name": "ITALY"},
            {"name": "ENGLAND"}, {"name": "GERMANY"}, {"name": "RUSSIA"}, {"name": "TURKEY"}]);
        file["canals"][0]["ends"][0] = json!("MAO");
        file["straits"] = json!([["DEN", "PAR"], ["SKA", "DEN"]]);
        file["coasts"]["SPA"] = json!({"NC": ["MAO#3"], "QC": ["MAO"]});
        file["coasts"]["XYZ"] = json!({"NC": ["MAO"]});
    });
    let begin = [
        "BUR is a home of FRANCE and must be a supply centre",
        "CON does not have a border `MAO`; its neighbours are",
        "DEN does not have a border `PAR`; its neighbours are",
        "MAO is not land and cannot be a home of FRANCE",
        "MUN seems to be reversed",
        "PAR: home: `GAUL` is not a power; the powers are AUSTRIA",
        "SEV seems to be reversed",
        "SKA is not a land province and cannot have a strait",
        "SPA does not have a border `MAO#3`",
        "`XYZ` is not a face of the map",
        "coasts of SPA: `QC` is not a coast",
        "powers: SPAIN does not have a home",
    ];
    assert_eq!(found.len(), begin.len(), "{found:#?}");
    for (fault, begin) in found.iter().zip(begin) {
        assert!(fault.starts_with(begin), "{fault}\n{begin}");
    }
}

#[test]
fn the_outside_may_be_left_out() {
    for (name, file, text) in SHIPPED {
        let whole = parse(file, text).expect("it ships");
        let mut without_list: Value = serde_json::from_str(text).expect("JSON");
        without_list["faces"]["OUT"].as_object_mut().expect("the Outside").remove("neighbours_ccw");
        let mut without_face = without_list.clone();
        without_face["faces"].as_object_mut().expect("faces").remove("OUT");
        for file in [without_list, without_face] {
            let chart = parse("x.json", &file.to_string()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(boundaries(&chart), boundaries(&whole), "{name}");
        }
    }
    // Faults elsewhere are still reported, and nothing else is.
    for face in ["STP", "SYR", "BAR", "MOS"] {
        let found = faults(|file| {
            file["faces"].as_object_mut().expect("faces").remove("OUT");
            list(file, face).reverse();
        });
        let [fault] = &found[..] else { panic!("{face}: {found:?}") };
        assert!(fault.starts_with(&format!("{face} seems to be reversed")), "{fault}");
    }
}

/// A map file of lines `CODE kind NEIGHBOURS / NEIGHBOURS OF AN ISLAND …`.
fn small(lines: &str) -> String {
    let faces = lines.lines().map(|line| {
        let mut cycles = line.split('/').map(|cycle| cycle.split_whitespace().collect::<Vec<&str>>());
        let first = cycles.next().expect("a code and a kind");
        let islands: Vec<_> = cycles.collect();
        let entry =
            json!({"name": first[0], "kind": first[1], "neighbours_ccw": first[2..], "islands_ccw": islands});
        (first[0].to_owned(), entry)
    });
    json!({"faces": faces.collect::<serde_json::Map<_, _>>()}).to_string()
}

#[test]
fn the_outside_has_a_boundary_for_each_piece_and_one_gap_in_each() {
    // Two pairs of provinces that only the Outside connects.
    let chart = parse("x.json", &small("AA land BB OUT\nBB land OUT AA\nXX land YY OUT\nYY land OUT XX"));
    let chart = chart.expect("two islands");
    let outside = chart.map().find("OUT").expect("the Outside");
    assert_eq!(chart.map().printed_cycles(outside).len(), 2);
    // A ring of three provinces, without a face in the middle.
    let ring = "AA land OUT BB OUT CC\nBB land OUT CC OUT AA\nCC land OUT AA OUT BB";
    let error = parse("x.json", &small(ring)).expect_err("two gaps").to_string();
    assert!(error.contains("OUT: the lists leave two gaps in one piece of the map, one beside"), "{error}");
    // A single island, and a sea with one island.
    assert!(parse("x.json", &small("AA land OUT")).is_ok());
    assert!(parse("x.json", &small("AA land SEA\nSEA sea OUT / AA")).is_ok());
}

#[test]
fn codes_that_differ_in_capitals_alone_are_refused_and_small_letters_are_read() {
    let mut file = shipped_file();
    let paris = file["faces"].as_object_mut().expect("faces").remove("PAR").expect("Paris");
    file["faces"]["Par"] = paris.clone();
    let chart = parse("x.json", &file.to_string()).expect("the standard board");
    assert_eq!(boundaries(&chart), boundaries(&standard()));
    let found = faults(|file| file["faces"]["par"] = paris);
    assert_eq!(found, ["`PAR` and `par` differ only in case; one of them needs another code"]);
}

#[test]
fn what_is_of_another_form_is_told_with_its_place() {
    for (file, text, expected) in [
        ("x.toml", "faces.PAR = { name = 3 }", "x.toml:1:22: invalid type: integer `3`, expected a string"),
        ("x.toml", "[faces.PAR]\nkind = \"swamp\"", "x.toml:2:8: unknown variant `swamp`"),
        ("x.toml", "canals = [", "x.toml:1:"),
        ("x.json", "{\"faces\": {}, \"seas\": 1}", "x.json:1:20: unknown field `seas`"),
    ] {
        let error = parse(file, text).expect_err("another form").to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_board_in_toml_is_that_in_json() {
    let file = shipped_file();
    let mut plain = file.clone();
    for face in plain["faces"].as_object_mut().expect("faces").values_mut() {
        let face = face.as_object_mut().expect("a face");
        face.retain(|_, value| !value.is_null());
    }
    let text = toml::to_string(&plain).expect("TOML");
    let chart = parse("standard.toml", &text).expect("the standard board");
    assert_eq!(boundaries(&chart), boundaries(&standard()));
    assert!(chart.map().faces().all(|(id, _)| chart.info(id) == standard().info(id)));
}

#[test]
fn more_faces_than_a_map_can_have_are_one_line() {
    let lines: Vec<String> = (0..300).map(|i| format!("P{i} land P{}", i ^ 1)).collect();
    let error = parse("x.json", &small(&lines.join("\n"))).expect_err("too many").to_string();
    assert_eq!(
        error,
        "x.json: this map cannot be played on: the map has 300 faces; expected 2 to 256, including the Outside"
    );
}

#[test]
fn powers_that_cannot_be_are_one_line_each() {
    let many = faults(|file| {
        for (i, face) in file["faces"].as_object_mut().expect("faces").values_mut().enumerate() {
            if face["kind"] == "land" {
                face["supply_centre"] = json!(true);
                face["home"] = json!(format!("P{i}"));
            }
        }
    });
    assert_eq!(many, ["powers: a board has from 2 to 34 powers, not 56"]);
    let alike = faults(|file| file["powers"] = json!([{"name": "France"}, {"name": "FRANCE"}]));
    assert_eq!(
        alike,
        ["powers: `FRANCE` and `France` differ only in case; list a power once, in capital letters"]
    );
}

/// Coordinates are summed, multiplied and divided: those whose results would not be finite are refused, each face by
/// name.
#[test]
fn coordinates_out_of_reach_are_one_line_each() {
    let centre = |x: f64| move |file: &mut Value| file["faces"]["PAR"]["centre"] = json!([x, 1.0]);
    for x in [1e308, -1e308, f64::MAX, 1e10, 5e-324, -5e-324, 1e-200] {
        let found = faults(centre(x));
        let [fault] = &found[..] else { panic!("{x}: {found:?}") };
        assert!(
            fault.starts_with("PAR: `centre` is not a point (") && fault.contains("1e-100 to 1e9"),
            "{fault}"
        );
    }
    for x in [0.0, -0.0, 1e9, -1e9, 1e-17, 1e-100] {
        let mut file = shipped_file();
        centre(x)(&mut file);
        let chart = parse("x.json", &file.to_string()).unwrap();
        let middle = chart.info(chart.map().find("PAR").unwrap()).unwrap().position.unwrap();
        assert_eq!(middle, [x, 1.0]);
    }
}
