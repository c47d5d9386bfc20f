//! The form of stored maps. Faults of files are in `cli/tests/sessions/variant_refused.md`.

use super::*;

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
    let variant = Variant::check_on(&Source::new("x.toml", text), &Source::new("two.json", MAP));
    let variant = variant.expect("a variant");
    assert_eq!(variant.terrain.power_names().to_string(), "BLUE RED");
    let again = variant.files.check("kept").expect("the same");
    assert_eq!(again.content(), variant.content());
}
