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
    assert_eq!(value("black-hole", json!({"count": 3}), "changes.holes.count"), "3");
    assert_eq!(value("schizo-ii", json!({"changes.splits.count": 2}), "changes.splits.count"), "2");
    assert_eq!(value("standard", json!({"rulebook": "1971"}), "rulebook"), "1971");
    assert_eq!(
        value("standard", json!({"rulebook": {"base": "2023", "paradox": "dptg"}}), "victory.rule"),
        "centre-majority"
    );
    assert_eq!(
        value("standard", json!({"last_winter": 1905, "rule": "last-survivor"}), "victory.last_winter"),
        "1905"
    );
    assert_eq!(value("black-hole", json!({"foretold": "no"}), "changes.holes.foretold"), "no");
}
