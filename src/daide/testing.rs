//! Games as reported by `upheaval`, for tests.

use serde_json::json;
use upheaval_engine::rules::variant::Variant;
use upheaval_engine::topology::report::MapReport;

use crate::request::NewGame;

/// A new game of a variant, by its id or its file from the root of the repository.
pub(crate) fn new_game(variant: &str, power: &str) -> NewGame {
    let variant = Variant::find(variant, &testkit::path("")).unwrap().expect("a variant");
    let map = MapReport::new(variant.terrain.chart(), variant.terrain.board());
    let told = json!({
        "game": "test/1",
        "power": power,
        "variant": variant.id,
        "rules": variant.content(),
        "seed": 1234,
        "phase": variant.first_phase.to_string(),
        "map": map,
    });
    serde_json::from_value(told).unwrap()
}
