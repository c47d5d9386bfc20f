//! Variant files on custom boards: the form of stored maps, and the units and homes of every power.

use super::*;

/// Two powers on one island each, in one sea.
const MAP: &str = r#"
    faces.WEST = { name = "West", kind = "land", supply_centre = true, home = "RED", neighbours_ccw = ["SEA"] }
    faces.EAST = { name = "East", kind = "land", supply_centre = true, home = "BLUE", neighbours_ccw = ["SEA"] }
    faces.SEA = { name = "Sea", kind = "sea", neighbours_ccw = ["OUT"], islands_ccw = [["WEST"], ["EAST"]] }
"#;

/// The standard variant on this map, with these units at the start.
fn on(map: &str, phase: &str, units: &str) -> Result<Variant, String> {
    let standard = Variant::shipped_text("standard").expect("it ships");
    let (head, rest) = standard.split_once("[start.units]").expect("units");
    let (_, tail) = rest.split_once("\n\n").expect("what follows them");
    let text = format!("{head}[start.units]\n{units}\n\n{tail}").replace("\"S1901M\"", phase);
    let text = text.replace("map = \"standard\"", "map = \"two.toml\"");
    let map = Source::new("two.json", map);
    Variant::check_on(&Source::new("x.toml", text), &map).map_err(|error| error.to_string())
}

#[test]
fn a_text_that_was_kept_is_of_the_form_of_its_file() {
    let variant = on(MAP, "\"S1901M\"", "RED = [\"F WEST\"]\nBLUE = [\"A EAST\"]").expect("a variant");
    assert_eq!(variant.terrain.power_names().to_string(), "BLUE RED");
    let again = variant.files.check("kept").expect("the same");
    assert_eq!(again.content(), variant.content());
}

#[test]
fn each_power_has_a_unit_at_the_start_or_none_has() {
    let error = on(MAP, "\"S1901M\"", "RED = [\"F WEST\"]").expect_err("BLUE is left out");
    assert!(error.starts_with("x.toml:13:1: BLUE has no unit, but other powers do; add one"), "{error}");
    assert!(error.contains("`BLUE = [\"A EAST\"]`"), "{error}");
    assert!(on(MAP, "\"S1901M\"", "RED = [\"F WEST\"]\nBLUE = []").is_err());
    assert!(on(MAP, "\"W1900A\"", "").is_ok(), "all are built in the first Winter");
}

#[test]
fn each_power_has_a_home_on_the_board() {
    let without = MAP.replace(", home = \"RED\"", "").replace(", home = \"BLUE\"", "");
    let error = on(&without, "\"S1901M\"", "").expect_err("nobody has a home");
    assert!(error.contains("`map`: AUSTRIA has no home on this board"), "{error}");
}

#[test]
fn all_faults_of_a_file_come_at_once() {
    let text = Variant::shipped_text("black-hole").expect("it ships");
    let mut text = text.to_owned();
    for (from, to) in [
        ("summary =", "sumary ="),
        ("id = \"black-hole\"", "id = \"Black Hole\""),
        ("\"A BUD\"", "\"A BUQ\""),
        ("closure = \"collapse\"", "closure = \"shut\""),
        ("\"victory.rule\" =", "\"victory.rules\" ="),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let error = Variant::check(&Source::new("x.toml", text), Path::new("")).expect_err("faults").to_string();
    let expected = [
        "`id` may only contain lower-case letters",
        "unknown key `sumary`; did you mean `summary`?",
        "`BUQ` is not a province",
        "unknown word `shut` for `holes.closure`; known: collapse, void",
        "there is no parameter `victory.rules`; did you mean `victory.rule`?",
    ];
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{error}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(
            line.starts_with("x.toml:") && line.contains(expected),
            "expected {expected}\n     got {line}"
        );
    }
}
