//! The parameters of a request, as the game has them. The other keys of a request are in
//! `cli/tests/sessions/adjudicate*.md`.

use serde_json::{Value, json};
use upheaval::adjudicate::AdjudicationService;

#[test]
fn any_parameter_of_any_sort_is_set_by_its_key_or_the_last_part_of_it() {
    let value = |variant: &str, parameters: Value, key: &str| {
        let request = json!({"id": 1, "variant": variant, "phase": "F1902M", "parameters": parameters, "powers": {}, "orders": {}});
        let game = AdjudicationService::new().game(&request.to_string()).expect("sound");
        let mut values = game.variant().parameters().into_iter();
        values.find(|p| p.key == key).expect("it is there").value
    };
    assert_eq!(value("black-hole", json!({"per_season": 3}), "holes.per_season"), "3");
    assert_eq!(value("schizo-ii", json!({"splits.per_season": 2}), "splits.per_season"), "2");
    assert_eq!(value("standard", json!({"rulebook": "1971"}), "rulebook"), "1971");
    assert_eq!(
        value("standard", json!({"rulebook": {"base": "2023", "paradox": "dptg"}}), "victory.rule"),
        "centre-majority"
    );
    assert_eq!(
        value("standard", json!({"last_winter": 1905, "rule": "last-survivor"}), "victory.last_winter"),
        "1905"
    );
    // `retreats` is a section, and `holes.retreats` a key of the variant.
    assert_eq!(value("black-hole", json!({"retreats": "unforetold"}), "holes.retreats"), "unforetold");
    let table = json!({"per_season": 1, "closure": "void", "retreats": "foretold", "seasons": "fall", "faces": "land"});
    assert_eq!(value("standard", json!({"holes": table}), "holes.seasons"), "fall");
}
