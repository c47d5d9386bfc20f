//! The promises of an import. Boards of a few provinces, statements, hints and refusals are in the pages
//! `cli/tests/sessions/map_import_lists.md` and `map_import_drawings.md`.

mod adjacencies;
mod drawings;
mod embedding_growth;
mod export;
mod growth;
mod planarity;
mod reference;
mod swept;
mod triangulations;

use serde_json::{Value, json};
use upheaval::import::{Hints, ImportError, ImportNote, ImportSource, Imported, import};

/// Imports a text with hints, as a file that uses no other.
fn imported(file: &str, text: &str, hints: &str) -> Result<Imported, ImportError> {
    let hints = Hints::parse("hints.toml", hints)?;
    let includes = |name: &str| Err(format!("there is no {name}"));
    import(&ImportSource {
        file,
        text,
        format: None,
        includes: &includes,
        hints: &hints,
        hint_file: "hints.toml",
    })
}

/// The moves that the source has and the map does not, or the other way round.
fn differences(back: &Imported) -> Vec<String> {
    back.notes.iter().filter(|note| matches!(note, ImportNote::Differs(_))).map(ToString::to_string).collect()
}

/// A land in a drawing, by its rings.
fn polygon(code: &str, rings: Value) -> Value {
    json!({"type": "Feature", "properties": {"code": code, "kind": "land"},
        "geometry": {"type": "Polygon", "coordinates": rings}})
}

fn collection(features: Vec<Value>) -> String {
    json!({"type": "FeatureCollection", "features": features}).to_string()
}
