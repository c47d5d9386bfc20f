//! Variant files: the shipped ones load, parameters and switches of the rulebook take what they say, and a stored file is
//! the same variant. Faults of files are in `cli/tests/sessions/variants.md` and `variant_refused.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::helpers::shipped;
use serde::Deserialize;
use upheaval::diagnostic::Source;
use upheaval::ids::Power;
use upheaval::rules::rulebook::{Fallback, ParadoxRule, Rulebook};
use upheaval::rules::variant::Variant;
use upheaval::rules::variant::parameter::is_parameter;
use upheaval::rules::variant::parameter::{self, Parameter, PermittedValues};
use upheaval::rules::variant::setting::Setting;

#[test]
fn shipped_variants_load() {
    for id in Variant::shipped() {
        let variant = shipped::variant(id);
        assert_eq!(variant.id, id);
        // Deluge and Deluge II begin with an empty board, and builds (ru10 rule 1).
        let units = if id.starts_with("deluge") { 0 } else { 22 };
        assert_eq!(variant.position.occupied().len(), units, "{id}");
        assert_eq!(variant.position.centres_of(Power::RUSSIA).len(), 4);
    }
}

fn text_of(id: &str) -> String {
    testkit::read(&format!("variants/{id}.toml"))
}

/// The variant with one parameter set to this word.
fn with(id: &str, key: &str, word: &str) -> Result<Variant, String> {
    let setting = Setting { parameter: key.to_owned(), value: word.into() };
    let found = Variant::find_with(id, Path::new(""), &[setting]);
    found.map(|variant| variant.expect("it ships")).map_err(|fault| fault.to_string())
}

#[test]
fn every_key_that_decides_is_a_parameter() {
    let about = ["id", "title", "summary", "source"];
    let mut seen = BTreeSet::new();
    for id in Variant::shipped() {
        let file: toml::Table = text_of(id).parse().expect("TOML");
        let variant = shipped::variant(id);
        let parameters: Vec<String> =
            variant.parameters().into_iter().map(|parameter| parameter.key).collect();
        let decides = |name: &str| !about.contains(&name) && name != "sources";
        for (name, value) in file.iter().filter(|(name, _)| decides(name)) {
            let keys: Vec<String> = match value {
                _ if name == "countries" => vec![name.clone()],
                toml::Value::Table(section) => section.keys().map(|key| format!("{name}.{key}")).collect(),
                toml::Value::Array(entries) => {
                    let keys = |entry: &toml::Value| {
                        let id = entry["id"].as_str().expect("an id").to_owned();
                        let keys = entry.as_table().expect("an entry").keys().filter(|key| *key != "id");
                        keys.map(|key| format!("{name}.{id}.{key}")).collect::<Vec<_>>()
                    };
                    entries.iter().flat_map(keys).collect()
                }
                _ => vec![name.clone()],
            };
            for key in keys {
                assert!(parameters.contains(&key), "{id}: {key}");
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
        for Parameter { key, values, .. } in shipped::variant(id).parameters() {
            let PermittedValues::Words(words) = values else { continue };
            for word in words {
                match with(id, &key, word) {
                    Ok(variant) => {
                        match variant.parameters().into_iter().find(|parameter| parameter.key == key) {
                            Some(now) => assert_eq!(now.value, *word, "{id}: {key}"),
                            // Some defaults are not printed.
                            None => {
                                assert!(["none", "destroy", "asleep"].contains(word), "{id}: {key} = {word}")
                            }
                        }
                    }
                    // The words that cannot be combined with every other.
                    Err(fault) => {
                        let told = [
                            "requires `last_winter`",
                            "`last_winter` requires",
                            "`max_seasons_aboard` requires",
                            "`passages` requires",
                            "requires a section [waterways.passages]",
                            "a Winter has no retreats",
                            "cannot be foretold",
                            "units are swallowed only with",
                            "units cannot stay there",
                            "units retreat only with",
                            "units are converted only where",
                            "only ice traps",
                            "are destroyed only by holes",
                            "makes a centre somebody's `home`",
                            "a submerged centre is lost",
                            "is for changes that end",
                            "no unit has to leave",
                            "is decided by `",
                            "change by `nature`, `all`",
                            "needs `measure`",
                            "is before a first Spring",
                            "before the first phase nothing is foretold",
                            "votes come with the orders",
                            "before the first phase nobody votes",
                            "does not go with",
                            "at the `end` of a season only",
                            "have no season in which the entry acts",
                        ]
                        .iter()
                        .any(|words| fault.contains(words));
                        assert!(told, "{id}: {key} = {word}: {fault}");
                    }
                }
                tried += 1;
            }
            for word in ["sideways", ""] {
                let fault = with(id, &key, word).expect_err("no such value");
                assert!(fault.starts_with(&format!("variants/{id}.toml:")), "{fault}");
            }
        }
    }
    assert!(tried > testkit::amount(20, 100), "{tried}");
}

#[test]
fn every_shipped_variant_takes_its_own_values() {
    for (number, name) in Variant::shipped().enumerate() {
        let text = Variant::shipped_text(name).unwrap();
        let file: toml::Value = toml::from_str(text).unwrap();
        let plain = Variant::find(name, Path::new("")).unwrap().unwrap().content();
        // Without slow tests each key in every third variant.
        for key in
            testkit::thinned(parameter::keys().skip(if testkit::tries_all() { 0 } else { number % 3 }), 3)
        {
            let value = key.split('.').try_fold(&file, |at, part| at.get(part));
            let Some(value) = value else { continue };
            let setting = Setting { parameter: key.to_owned(), value: value.clone() };
            let same = Variant::find_with(name, Path::new(""), &[setting]).unwrap().unwrap();
            assert_eq!(same.content(), plain, "{name}: {key}");
            assert!(Variant::has(name, Path::new(""), key).unwrap());
        }
    }
}

#[test]
fn parameters_are_keys_sections_and_what_lies_below_keys() {
    for key in [
        "changes.holes.count",
        "changes.holes",
        "start.units.AUSTRIA",
        "map",
        "changes.new-centres.schedule.W1902",
    ] {
        assert!(is_parameter(key), "{key}");
    }
    for key in [
        "id",
        "title",
        "holes",
        "changes.holes.coun",
        "changes.holes.counts",
        "",
        ".changes",
        "changes.",
        "sources.map",
    ] {
        assert!(!is_parameter(key), "{key}");
    }
    assert!(!Variant::has("standard", Path::new(""), "changes.holes.count").unwrap());
    assert!(Variant::has("black-hole", Path::new(""), "changes.holes").unwrap());
}

fn rulebook(text: &str) -> Result<Rulebook, String> {
    #[derive(Deserialize)]
    struct File {
        rulebook: Rulebook,
    }
    toml::from_str::<File>(text).map(|file| file.rulebook).map_err(|e| e.to_string())
}

#[test]
fn a_name_or_a_table_is_read() {
    assert_eq!(rulebook("rulebook = \"2023\""), Ok(Rulebook::R2023));
    assert_eq!(rulebook("rulebook = \"1971\""), Ok(Rulebook::R1971));
    assert_eq!(
        rulebook("rulebook = { base = \"1971\", via_without_route = \"walk\", paradox = \"1982\" }"),
        Ok(Rulebook { via_without_route: Fallback::Walk, paradox: ParadoxRule::Rule1982, ..Rulebook::R1971 })
    );
}

#[test]
fn each_other_value_of_each_switch_is_one_rulebook() {
    let (mut named, mut expected) = (Vec::new(), Vec::new());
    for (switch, with_it) in Rulebook::R2023.with_one_switch() {
        assert_eq!(rulebook(&format!("rulebook = {{ {switch} }}")), Ok(with_it), "{switch}");
        named.push((switch.name, switch.value));
    }
    // The reader's own list of the values of each key.
    let serde_json::Value::Object(own) = serde_json::to_value(Rulebook::R2023).unwrap() else {
        panic!("a table")
    };
    for (key, value) in own {
        let refused = format!("{{ \"{key}\": \"x\" }}");
        let error = serde_json::from_str::<Rulebook>(&refused).unwrap_err().to_string();
        let (_, values) = error.split_once("expected ").expect(&error);
        let others = values.split('`').skip(1).step_by(2).filter(|other| value != **other);
        expected.extend(others.map(|value| (key.clone(), value.to_owned())));
    }
    named.sort();
    expected.sort();
    assert_eq!(named, expected);
    assert_eq!(named.len(), 13);
}

#[test]
fn what_is_written_is_read_back() {
    for plain in [Rulebook::R2023, Rulebook::R1971] {
        let text = serde_json::to_string(&plain).unwrap();
        assert_eq!(serde_json::from_str::<Rulebook>(&text).unwrap(), plain);
    }
}

/// Two powers on one island each, in one sea.
const MAP: &str = r#"
    faces.WEST = { name = "West", kind = "land", supply_centre = true, home = "RED", neighbours_ccw = ["SEA"] }
    faces.EAST = { name = "East", kind = "land", supply_centre = true, home = "BLUE", neighbours_ccw = ["SEA"] }
    faces.SEA = { name = "Sea", kind = "sea", neighbours_ccw = ["OUT"], islands_ccw = [["WEST"], ["EAST"]] }
"#;

#[test]
fn a_text_that_was_kept_is_of_the_form_of_its_file() {
    let standard = Variant::shipped_text("standard").expect("it ships");
    let (head, rest) = standard.split_once("[start.units]").expect("units");
    let (_, tail) = rest.split_once("\n\n").expect("what follows them");
    let text = format!("{head}[start.units]\nRED = [\"F WEST\"]\nBLUE = [\"A EAST\"]\n\n{tail}");
    let text = text.replace("map = \"standard\"", "map = \"two.toml\"");
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("two.toml"), MAP).expect("a file");
    let variant = Variant::check(&Source::new("x.toml", text), dir.path()).expect("a variant");
    assert_eq!(variant.terrain.power_names().to_string(), "BLUE RED");
    let again = variant.files.check("kept").expect("the same");
    assert_eq!(again.content(), variant.content());
}
