//! Map files: what a valid one may leave out, lists that are reversed, codes; and faulty ones, none of which causes a
//! panic. Other errors are in `cli/tests/sessions/map.md`.

use proptest::prelude::*;
use serde_json::{Value, json};
use upheaval::topology::atlas::{self, AtlasError};
use upheaval::topology::{NamedMap, PlanarMap};

use crate::helpers::small_maps;

const STANDARD: &str = include_str!("../../maps/standard.json");

fn standard() -> Value {
    serde_json::from_str(STANDARD).expect("JSON")
}

/// The faces of a file.
fn faces(file: &mut Value) -> &mut serde_json::Map<String, Value> {
    file["faces"].as_object_mut().expect("faces")
}

/// The neighbours of a face.
fn list<'a>(file: &'a mut Value, face: &str) -> &'a mut Vec<Value> {
    file["faces"][face]["neighbours_ccw"].as_array_mut().expect("a list")
}

fn parse(file: &Value) -> Result<NamedMap, AtlasError> {
    atlas::parse("x.json", &file.to_string())
}

/// The faults of a file that describes no sound map.
fn faults(file: &Value) -> Vec<String> {
    match parse(file) {
        Ok(_) => panic!("accepted: {file}"),
        Err(AtlasError::Faults { faults, .. }) => faults,
        Err(error) => panic!("{error}"),
    }
}

/// The only fault of a file.
fn fault(file: &Value) -> String {
    let found = faults(file);
    let [fault] = &found[..] else { panic!("{file}: {found:?}") };
    fault.clone()
}

/// The borders of a map: each face with its boundaries.
fn boundaries(map: &PlanarMap) -> Vec<(String, Vec<Vec<String>>)> {
    let named = |id| {
        let cycles = map.printed_cycles(id).into_iter();
        let cycles = cycles.map(|cycle| cycle.iter().map(|&s| map.name(map.across(s)).to_owned()).collect());
        (map.name(id).to_owned(), cycles.collect())
    };
    map.faces().map(|(id, _)| named(id)).collect()
}

// ---- what may be left out, or written in another way ----

#[test]
fn the_outside_may_be_left_out() {
    for name in atlas::shipped() {
        let whole = atlas::find(name).expect("it ships");
        let text = testkit::read(&format!("maps/{name}.json"));
        let mut without_list: Value = serde_json::from_str(&text).expect("JSON");
        without_list["faces"]["OUT"].as_object_mut().expect("the Outside").remove("neighbours_ccw");
        let mut without_face = without_list.clone();
        faces(&mut without_face).remove("OUT");
        for file in [without_list, without_face] {
            let chart = parse(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(boundaries(chart.map()), boundaries(whole.map()), "{name}");
        }
    }
    // Faults elsewhere are still reported, and nothing else is.
    for face in ["STP", "SYR", "BAR", "MOS"] {
        let mut file = standard();
        faces(&mut file).remove("OUT");
        list(&mut file, face).reverse();
        let fault = fault(&file);
        assert!(fault.starts_with(&format!("{face} seems to be reversed")), "{fault}");
    }
}

#[test]
fn small_letters_of_a_code_are_read() {
    let mut file = standard();
    let paris = faces(&mut file).remove("PAR").expect("Paris");
    file["faces"]["Par"] = paris;
    let chart = parse(&file).expect("the standard board");
    assert_eq!(boundaries(chart.map()), boundaries(atlas::standard().map()));
}

#[test]
fn a_board_in_toml_is_that_in_json() {
    let mut plain = standard();
    for face in faces(&mut plain).values_mut() {
        face.as_object_mut().expect("a face").retain(|_, value| !value.is_null());
    }
    let text = toml::to_string(&plain).expect("TOML");
    let chart = atlas::parse("standard.toml", &text).expect("the standard board");
    assert_eq!(boundaries(chart.map()), boundaries(atlas::standard().map()));
    assert!(chart.map().faces().all(|(id, _)| chart.info(id) == atlas::standard().info(id)));
}

#[test]
fn coordinates_are_those_of_the_file() {
    for x in [0.0, -0.0, 1e9, -1e9, 1e-17, 1e-100] {
        let mut file = standard();
        file["faces"]["PAR"]["centre"] = json!([x, 1.0]);
        let chart = parse(&file).expect("the standard board");
        let paris = chart.map().find("PAR").and_then(|id| chart.info(id)).expect("Paris");
        assert_eq!(paris.position, Some([x, 1.0]));
    }
}

// ---- lists ----

#[test]
fn every_reversed_list_of_the_standard_board_is_one_sentence() {
    for face in faces(&mut standard()).keys() {
        let mut file = standard();
        list(&mut file, face).reverse();
        // A list of two entries equals its own reverse.
        if list(&mut file, face).len() > 2 {
            let fault = fault(&file);
            assert!(fault.starts_with(&format!("{face} seems to be reversed; ")), "{fault}");
        }
    }
}

/// A sea in a ring of three lands, with an island of three lands.
const RINGS: &str = "OUT outside PP RR QQ
PP land OUT QQ SEA RR
QQ land OUT RR SEA PP
RR land OUT PP SEA QQ
SEA sea PP QQ RR / AA CC BB
AA land SEA BB CC
BB land SEA CC AA
CC land SEA AA BB";

/// Whether a list is reversed does not depend on where it begins, nor on where other boundaries of the face begin; the
/// list that would be right begins where the given one does.
#[test]
fn a_boundary_is_the_same_wherever_it_begins() {
    let texts =
        |list: &Value| -> Vec<String> { serde_json::from_value(list.clone()).expect("a list of codes") };
    let lists = ["/faces/SEA/neighbours_ccw", "/faces/SEA/islands_ccw/0"];
    for (one, other) in (0..3).flat_map(|one| (0..3).map(move |other| (one, other))) {
        let mut file = small_maps::json(RINGS);
        for (list, turn) in lists.into_iter().zip([one, other]) {
            file.pointer_mut(list).and_then(Value::as_array_mut).expect("a list").rotate_left(turn);
        }
        let chart = parse(&file).expect("it is the same map");
        assert_eq!(boundaries(chart.map()), boundaries(small_maps::chart(RINGS).map()));
        for list in lists {
            let mut file = file.clone();
            let mut right = texts(file.pointer(list).expect("a list"));
            file.pointer_mut(list).and_then(Value::as_array_mut).expect("a list").reverse();
            right.rotate_right(1);
            assert_eq!(right[0], texts(file.pointer(list).expect("a list"))[0]);
            let right = right.join(" ");
            assert_eq!(
                fault(&file),
                format!("SEA seems to be reversed; its neighbours' lists require `{right}`")
            );
        }
    }
    // Boundaries of one entry and of two, and some that are not the same.
    for (island, said) in [
        ("EAST", "SEA: WEST is missing between EAST and EAST, and WEST names SEA as a neighbour"),
        ("EAST WEST WEST", "SEA: WEST is one too many"),
        ("WEST CORE EAST", "SEA: CORE is one too many"),
        ("CORE", "SEA: its neighbour list contradicts those of its neighbours"),
    ] {
        let file = small_maps::json(&small_maps::NESTED.replace("/ EAST WEST", &format!("/ {island}")));
        let fault = faults(&file).concat();
        assert!(fault.starts_with(said), "{fault}");
    }
    small_maps::chart(&small_maps::NESTED.replace("/ EAST WEST", "/ WEST EAST"));
}

// ---- codes ----

/// A land in a sea with this code.
fn sea(code: &str) -> Value {
    let face = |kind, neighbour| json!({ "name": "x", "kind": kind, "neighbours_ccw": [neighbour] });
    json!({ "faces": { "LAND": face("land", code), code: face("sea", "LAND") } })
}

#[test]
fn codes_are_two_to_eight_letters_digits_and_dots() {
    for code in ["PA", "PAR", "BURGUNDY", "C0307", "ISLE.N", "A.1.B", "N.10", "BUR.3"] {
        let chart = parse(&sea(code)).unwrap_or_else(|error| panic!("{error}"));
        assert!(chart.map().find(code).is_some(), "{code}");
    }
    for code in ["", "P", "BURGUNDY1", "1PAR", ".PAR", "PAR.", "PA R", "PAR/NC", "PAR#2", "ÄGY", "PA-R"] {
        let said = fault(&sea(code));
        assert!(said.starts_with(&format!("`{code}` is not a province code; expected 2 to 8 ")), "{said}");
    }
}

#[test]
fn a_code_that_a_half_could_have_is_refused() {
    for code in ["BUR.1", "BUR.2", "BUR.2.1", "BUR.A.1"] {
        let said = fault(&sea(code));
        assert!(said.starts_with(&format!("`{code}` looks like a half of `BUR")), "{said}");
    }
}

// ---- faults of any kind ----

#[test]
fn a_text_cut_anywhere_is_an_error() {
    for at in (0..STANDARD.trim_end().len())
        .step_by(if testkit::tries_all() { 7 } else { 29 })
        .filter(|&at| STANDARD.is_char_boundary(at))
    {
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
    #![proptest_config(ProptestConfig {
        cases: testkit::amount(100, 400) as u32,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

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
