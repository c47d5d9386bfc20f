//! Variant files: the shipped ones load, and faults are reported with file, line and correction.

use std::path::Path;

use upheaval::diagnostic::Source;
use upheaval::ids::Power;
use upheaval::rules::variant::Variant;
use upheaval::rules::variant::parameter::{self, Parameter, PermittedValues};

#[test]
fn shipped_variants_load() {
    for id in Variant::shipped() {
        let variant = Variant::find(id, Path::new("")).expect("sound").expect("shipped");
        assert_eq!(variant.id, id);
        // Deluge II begins with an empty board, and builds (ru10 rule 1).
        let units = if id == "deluge-ii" { 0 } else { 22 };
        assert_eq!(variant.position.occupied().len(), units, "{id}");
        assert_eq!(variant.position.centres_of(Power::RUSSIA).len(), 4);
    }
}

fn fault(change: impl Fn(&str) -> String) -> String {
    let text = include_str!("../../variants/black-hole.toml");
    let changed = change(text);
    assert_ne!(changed, text);
    let source = Source::new("my.toml", changed);
    Variant::check(&source, Path::new("")).expect_err("a fault").to_string()
}

#[test]
fn faults_are_told_with_their_line() {
    let replace = |from: &'static str, to: &'static str| fault(move |text| text.replacen(from, to, 1));
    let cases = [
        (replace("summary", "sumary"), "my.toml:4:1: unknown key `sumary`"),
        (replace("closure = \"collapse\"\n", ""), "`holes.closure` is missing; add it as in"),
        (replace("\"collapse\"\n", "\"shut\"\n"), "unknown word `shut` for `holes.closure`"),
        (replace("per_season = 1", "per_season = 0"), "`per_season` must be from 1 to 10, not 0"),
        (replace("\"S1901M\"", "\"S1901R\""), "expected a movement phase"),
        (replace("\"F STP/SC\"", "\"F STP\""), "`F STP`: the coast is missing; write STP/NC or STP/SC"),
        (replace("\"A BUD\"", "\"A BAL\""), "`A BAL`: an army cannot be at sea"),
        (replace("\"A BUD\"", "\"A VIE\""), "`A VIE`: the province already has a unit"),
        (replace("\"A BUD\"", "\"A BUQ\""), "`BUQ` is not a province on the board"),
        (replace("rulebook = \"2023\"", "rulebook = \"1999\""), "`1999` is not a rulebook"),
        (replace("map = \"standard\"", "map = \"standart\""), "there is no map `standart`"),
        (
            replace("id = \"black-hole\"", "id = \"Black Hole\""),
            "`id` must consist of lower-case letters, digits and `-`",
        ),
        (
            fault(|text| text.split("[holes]").next().unwrap_or_default().to_owned()),
            "[exemption] requires [holes]",
        ),
    ];
    for (message, expected) in cases {
        assert!(message.starts_with("my.toml:") && message.contains(expected), "{message} / {expected}");
        assert!(!message.contains('\n'), "{message}");
    }
}

fn shipped(id: &str) -> Variant {
    Variant::find(id, Path::new("")).expect("sound").expect("shipped")
}

fn text_of(id: &str) -> String {
    let path = testkit::path(&format!("variants/{id}.toml"));
    std::fs::read_to_string(path).expect("a variant file")
}

/// The second variant of `experiments/deluge.toml` is the first with another schedule.
#[test]
fn the_early_centres_of_the_experiment_differ_in_the_schedule_alone() {
    let early =
        Variant::find("experiments/deluge-early.toml", Path::new("")).expect("sound").expect("a file");
    let text = with(&text_of("deluge-ii"), "deluge.schedule", "\"early-centres\"");
    let source = Source::new("my.toml", text);
    assert_eq!(early.content(), Variant::check(&source, Path::new("")).expect("sound").content());
    assert_ne!(early.content(), shipped("deluge-ii").content());
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
fn every_parameter_of_a_shipped_variant_says_where_it_comes_from() {
    for id in Variant::shipped() {
        for Parameter { key, value, source, .. } in shipped(id).parameters() {
            assert!(source.is_some_and(|text| !text.is_empty()), "{id}: {key}");
            assert!(!value.is_empty(), "{id}: {key}");
        }
    }
}

#[test]
fn every_key_that_decides_is_a_parameter() {
    let about = ["id", "title", "summary", "source"];
    let mut seen = std::collections::BTreeSet::new();
    for id in Variant::shipped() {
        let file: toml::Table = text_of(id).parse().expect("TOML");
        let variant = shipped(id);
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
    for id in Variant::shipped() {
        let text = text_of(id);
        let check = |key: &str, value: &str| {
            Variant::check(&Source::new("my.toml", with(&text, key, value)), Path::new(""))
        };
        for Parameter { key, values, .. } in shipped(id).parameters() {
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
                        let fault = fault.to_string();
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
                let fault = check(key, value).expect_err("no such value").to_string();
                assert!(fault.starts_with("my.toml:") && !fault.contains('\n'), "{fault}");
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn what_does_not_go_together_is_told() {
    let fault = |id: &str, change: &dyn Fn(String) -> String| {
        Variant::check(&Source::new("my.toml", change(text_of(id))), Path::new(""))
            .expect_err("a fault")
            .to_string()
    };
    let voids_of_the_impassable =
        fault("black-hole-i", &|text| with(&text, "holes.faces", "\"provinces-and-impassable\""));
    assert!(voids_of_the_impassable.contains("cannot become a void"), "{voids_of_the_impassable}");
    let archipelago = fault("double-reversible", &|text| text.replace("[\"DEN\"]", "[\"NTH\"]"));
    assert!(archipelago.contains("`NTH` is not a land province of the board"), "{archipelago}");
    let from = fault("schizo-ii", &|text| with(&text, "restores.from", "\"1905\""));
    assert!(from.contains("`1905` is not a phase"), "{from}");
    let from = fault("schizo-ii", &|text| with(&text, "restores.from", "\"F1905A\""));
    assert!(from.contains("the movement phase of a season, such as `S1905M`"), "{from}");
    let alone = fault("schizo-ii", &|text| {
        let (front, rest) = text.split_once("[holes]").expect("holes");
        let (_, back) = rest.split_once("[restores]").expect("restores");
        let front = front.split_once("[exemption]").expect("an exemption").0.to_owned();
        format!("{front}[restores]{back}")
    });
    assert!(alone.contains("[restores] requires [holes]"), "{alone}");
    let both = fault("double-reversible", &|text| {
        let splits = "[splits]\nper_season = 1\nseasons = \"fall\"\nfaces = \"land\"\n\n[sources]";
        text.replace("[sources]", splits)
    });
    assert!(both.contains("[toggles] cannot be combined with"), "{both}");
    let deluge = include_str!("../../variants/deluge-ii.toml");
    let deluge_fault = |from: &str, to: &str| {
        assert!(deluge.contains(from));
        let source = Source::new("my.toml", deluge.replacen(from, to, 1));
        Variant::check(&source, Path::new("")).expect_err("a fault").to_string()
    };
    for (from, to, expected) in [
        ("\"LON\", \"HOL\"", "\"LON\", \"HOLL\"", "`HOLL` is not a province of the board"),
        ("1902 = [\"YOR\"", "soon = [\"YOR\"", "`soon` is not a year (expected e.g. 1901)"),
        ("[deluge.centres.ru10]", "[deluge.centres.ru11]", "ru11"),
        ("schedule = \"ru10\"", "schedule = \"late\"", "unknown word `late`"),
        ("last_winter = 1908\n", "", "`last-survivor` requires `last_winter`"),
        ("rule = \"last-survivor\"", "rule = \"centre-majority\"", "`last_winter` requires `rule"),
        ("\"W1900A\"", "\"W1900M\"", "or the adjustments of a Winter, such as `W1900A`"),
        ("map = \"deluge\"", "map = \"delug\"", "did you mean `deluge`?"),
    ] {
        let fault = deluge_fault(from, to);
        assert!(fault.starts_with("my.toml:") && fault.contains(expected), "{fault}");
    }
    let source = fault("standard", &|text| text.replace("\"victory.rule\" =", "\"victory.rules\" ="));
    assert!(
        source.contains("there is no parameter `victory.rules`; did you mean `victory.rule`?"),
        "{source}"
    );
}
