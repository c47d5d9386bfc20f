//! Faulty map files: none causes a panic. Their errors are in `cli/tests/sessions/map.md`.

use proptest::prelude::*;
use serde_json::{Value, json};
use upheaval::topology::atlas;

const STANDARD: &str = include_str!("../../maps/standard.json");

fn standard() -> Value {
    serde_json::from_str(STANDARD).expect("JSON")
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
