//! Variant files: the shipped ones load, and parameters take what they say. Faults of files are in
//! `cli/tests/sessions/variants.md`.

use std::collections::BTreeSet;

use crate::helpers::shipped;
use upheaval::ids::Power;
use upheaval::rules::variant::Variant;
use upheaval::rules::variant::parameter::{self, Parameter, PermittedValues};

#[test]
fn shipped_variants_load() {
    for id in Variant::shipped() {
        let variant = shipped::variant(id);
        assert_eq!(variant.id, id);
        // Deluge II begins with an empty board, and builds (ru10 rule 1).
        let units = if id == "deluge-ii" { 0 } else { 22 };
        assert_eq!(variant.position.occupied().len(), units, "{id}");
        assert_eq!(variant.position.centres_of(Power::RUSSIA).len(), 4);
    }
}

fn text_of(id: &str) -> String {
    testkit::read(&format!("variants/{id}.toml"))
}

/// The text with one key of one section set to another value.
fn with(text: &str, key: &str, value: &str) -> String {
    let (section, key) = key.split_once('.').unwrap_or(("", key));
    let mut current = "";
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            current = name;
        }
        let is_it = current == section && line.split(" = ").next() == Some(key);
        lines.push(if is_it { format!("{key} = {value}") } else { line.to_owned() });
    }
    lines.join("\n")
}

#[test]
fn every_key_that_decides_is_a_parameter() {
    let about = ["id", "title", "summary", "source"];
    let mut seen = BTreeSet::new();
    for id in Variant::shipped() {
        let file: toml::Table = text_of(id).parse().expect("TOML");
        let variant = shipped::variant(id);
        let parameters: Vec<&str> = variant.parameters().iter().map(|parameter| parameter.key).collect();
        for (name, value) in
            file.iter().filter(|(name, _)| !about.contains(&name.as_str()) && *name != "sources")
        {
            let keys: Vec<String> = match value.as_table() {
                Some(section) => section.keys().map(|key| format!("{name}.{key}")).collect(),
                None => vec![name.clone()],
            };
            for key in keys {
                assert!(parameters.contains(&key.as_str()), "{id}: {key}");
                seen.insert(key);
            }
        }
    }
    assert!(parameter::keys().all(|key| seen.contains(key)), "a parameter that no variant has");
}

/// A file may contain any value that a parameter is documented to take, and the variant then has it; any other value is
/// refused.
#[test]
fn a_parameter_takes_what_it_says_and_nothing_else() {
    let mut tried = 0;
    for id in testkit::thinned(Variant::shipped(), 2) {
        let text = text_of(id);
        let check = |key: &str, value: &str| shipped::check(with(&text, key, value));
        for Parameter { key, values, .. } in shipped::variant(id).parameters() {
            let takes: Vec<String> = match values {
                PermittedValues::Words(words) => words.iter().map(|word| format!("\"{word}\"")).collect(),
                PermittedValues::Numbers(first, last) => [first, last].map(|n| n.to_string()).to_vec(),
                PermittedValues::Other(_) => continue,
            };
            for value in &takes {
                let plain = value.trim_matches('"');
                match check(key, value) {
                    Ok(variant) => {
                        let now = variant.parameters().into_iter().find(|parameter| parameter.key == key);
                        assert_eq!(now.expect("it is still there").value, plain, "{id}: {key}");
                    }
                    // The words that cannot be combined with every other.
                    Err(fault) => {
                        let told = [
                            "an impassable face",
                            "requires `last_winter`",
                            "`last_winter` requires",
                            "`max_seasons_aboard` requires",
                            "`passages` requires",
                            "requires a section [seismic.passages]",
                        ]
                        .iter()
                        .any(|words| fault.contains(words));
                        assert!(told, "{id}: {fault}");
                    }
                }
                tried += 1;
            }
            let wrong = if matches!(values, PermittedValues::Words(_)) {
                ["\"sideways\"", "\"\""]
            } else {
                ["0", "11"]
            };
            for value in wrong {
                let fault = check(key, value).expect_err("no such value");
                assert!(fault.starts_with("my.toml:") && !fault.contains('\n'), "{fault}");
            }
        }
    }
    assert!(tried > testkit::amount(20, 100), "{tried}");
}
