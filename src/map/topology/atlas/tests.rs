//! What a valid map file may leave out, and lists that are reversed. Other faults are in `cli/tests/sessions/map.md`.

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
        // A list of two entries equals its own reverse.
        if list(&mut shipped_file(), face).len() > 2 {
            let found = faults(|file| list(file, face).reverse());
            let [fault] = &found[..] else { panic!("{face}: {found:?}") };
            assert!(fault.starts_with(&format!("{face} seems to be reversed; ")), "{fault}");
        }
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

#[test]
fn small_letters_of_a_code_are_read() {
    let mut file = shipped_file();
    let paris = file["faces"].as_object_mut().expect("faces").remove("PAR").expect("Paris");
    file["faces"]["Par"] = paris;
    let chart = parse("x.json", &file.to_string()).expect("the standard board");
    assert_eq!(boundaries(&chart), boundaries(&standard()));
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
fn coordinates_are_those_of_the_file() {
    for x in [0.0, -0.0, 1e9, -1e9, 1e-17, 1e-100] {
        let mut file = shipped_file();
        file["faces"]["PAR"]["centre"] = json!([x, 1.0]);
        let chart = parse("x.json", &file.to_string()).unwrap();
        let middle = chart.info(chart.map().find("PAR").unwrap()).unwrap().position.unwrap();
        assert_eq!(middle, [x, 1.0]);
    }
}
