//! The JSON Schema of requests and answers, compared with actual messages.

use std::sync::LazyLock;

use serde_json::{Value, json};

/// The schema of requests, and that of answers.
pub(super) struct Schema {
    request: jsonschema::Validator,
    answer: jsonschema::Validator,
}

fn whole() -> Value {
    serde_json::from_str(&testkit::read("docs/adjudicate.schema.json")).expect("the schema is JSON")
}

fn of(schema: &Value, part: &str) -> jsonschema::Validator {
    let mut schema = schema.clone();
    schema["oneOf"] = json!([{"$ref": format!("#/$defs/{part}")}]);
    jsonschema::draft202012::new(&schema).expect("the schema is sound")
}

#[track_caller]
fn check(validator: &jsonschema::Validator, value: &Value) {
    if let Err(error) = validator.validate(value) {
        panic!("{error} at {}: {value}", error.instance_path());
    }
}

impl Schema {
    /// It is compiled once: that takes as long as several phases of a game.
    pub(super) fn read() -> &'static Schema {
        static READ: LazyLock<Schema> = LazyLock::new(|| {
            let schema = whole();
            Schema { request: of(&schema, "request"), answer: of(&schema, "answer") }
        });
        &READ
    }

    #[track_caller]
    pub(super) fn request(&self, request: &Value) {
        check(&self.request, request);
    }

    #[track_caller]
    pub(super) fn answer(&self, answer: &Value) {
        check(&self.answer, answer);
    }
}

/// An answer conforms to the schema; with a part removed or added it does not.
#[test]
fn the_schema_is_sound_and_says_something() {
    let schema = whole();
    jsonschema::meta::validate(&schema).expect("the schema is a schema");
    let (request, answer) = (of(&schema, "request"), of(&schema, "answer"));
    let asked = json!({"id": 1, "variant": "black-hole-i", "phase": "S1901M", "nature": {"seed": 1},
        "powers": {"FRANCE": {"units": ["A PAR"], "centers": ["PAR"]}, "ITALY": {"units": ["A BUR"]}},
        "orders": {"FRANCE": ["EXEMPT PAR"], "ITALY": ["A BUR - PAR"]}});
    let said =
        upheaval::adjudicate::AdjudicationService::new().answer(&asked.to_string()).expect("an answer");
    let said = serde_json::to_value(said).expect("it can be written");
    check(&request, &asked);
    check(&answer, &said);
    for (validator, value) in [(&request, &asked), (&answer, &said), (&request, &said["next"])] {
        let mut more = value.clone();
        more["surplus"] = json!(1);
        assert!(!validator.is_valid(&more), "{more}");
        let mut less = value.clone();
        less.as_object_mut().expect("an object").remove("phase");
        assert!(!validator.is_valid(&less), "{less}");
    }
    let mut next = said["next"].clone();
    assert!(!request.is_valid(&next), "the orders are still to be added");
    next["orders"] = json!({});
    check(&request, &next);
    for (key, wrong) in [
        ("phase", json!("S1901")),
        ("nature", json!({"sed": 1})),
        ("map_events", json!([[]])),
        ("state", json!({"exemt": {}})),
        ("powers", json!({"Spain": {}})),
        ("parameters", json!({"count": null})),
    ] {
        let mut other = next.clone();
        other[key] = wrong;
        assert!(!request.is_valid(&other), "{other}");
    }
    let mut both = said.clone();
    both["ending"] = json!({"draw": [], "places": {}});
    assert!(!answer.is_valid(&both));
}

/// The keys of a part of the schema.
fn keys(schema: &Value, part: &str) -> Vec<String> {
    let properties = schema["$defs"][part]["properties"].as_object().expect("properties");
    properties.keys().cloned().collect()
}

#[test]
fn the_page_has_a_row_for_each_key_of_the_schema() {
    let (schema, page) = (whole(), testkit::read("docs/adjudicate.md"));
    let rows: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next()).collect();
    let mut missing = Vec::new();
    for (part, prefix) in [
        ("position", ""),
        ("request", ""),
        ("state", "state."),
        ("retreat", "retreats."),
        ("answer", ""),
        ("ending", "ending."),
    ] {
        for key in keys(&schema, part) {
            let key = format!("{prefix}{key}");
            if !rows.iter().any(|row| row.split("`, `").any(|one| one.trim_end_matches('`') == key)) {
                missing.push(key);
            }
        }
    }
    // `powers` has a row for each of its own keys.
    missing.retain(|key| key != "powers");
    assert!(missing.is_empty(), "no row for {missing:?} in {rows:?}");
}
