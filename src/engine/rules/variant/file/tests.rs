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

/// The faults of a shipped variant after these changes, without the name of the file and their positions.
fn faults(id: &str, changes: &[(&str, &str)]) -> Vec<String> {
    let mut text = Variant::shipped_text(id).expect("it ships").to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    faults_of(&text)
}

fn faults_of(text: &str) -> Vec<String> {
    let error = Variant::check(&Source::new("x.toml", text), Path::new("")).expect_err("faults").to_string();
    let message = |line: &str| {
        assert!(line.starts_with("x.toml:"), "{line}");
        line.splitn(4, ':').last().unwrap_or_default().trim().to_owned()
    };
    error.lines().map(message).collect()
}

#[test]
fn all_faults_of_a_file_come_at_once_and_none_that_only_follows_from_another() {
    for (id, changes, expected) in [
        (
            "black-hole",
            &[
                ("summary =", "sumary ="),
                ("id = \"black-hole\"", "id = \"Black Hole\""),
                ("title = \"Black Hole Diplomacy\"", "title = \"\""),
                ("\"A BUD\"", "\"A BUQ\""),
                ("closure = \"collapse\"", "closure = \"shut\""),
                ("\"victory.rule\" =", "\"victory.rules\" ="),
                ("\"victory.deserted\" =", "\"victory.desert\" ="),
            ][..],
            &[
                "`id` must consist of lower-case letters, digits and `-`, such as `black-hole`",
                "`title` is empty",
                "unknown key `sumary`; did you mean `summary`?",
                "`BUQ` is not a province on the board",
                "unknown word `shut` for `holes.closure`; known: collapse, void",
                "there is no parameter `victory.rules`; did you mean `victory.rule`?",
                "there is no parameter `victory.desert`; did you mean `victory.deserted`?",
            ][..],
        ),
        (
            "black-hole",
            &[
                ("map = \"standard\"", "map = \"standart\""),
                ("rulebook = \"2023\"\n", ""),
                ("[holes]", "[hols]"),
                ("unnamed = \"drawn\"", "unnamed = 3"),
            ],
            &[
                "`rulebook` is missing; add it as in `variants/black-hole.toml`",
                "there is no map `standart`; did you mean `standard`?",
                "`exemption.unnamed` must be one of drawn, none, not 3",
                "unknown key `hols`; did you mean `holes`?",
            ],
        ),
        (
            "black-hole",
            &[
                ("rulebook = \"2023\"", "rulebook = 2023"),
                ("closure = \"collapse\"", "closure = \"shut\""),
                ("per_season = 1", "per_season = 11"),
            ],
            &[
                "`rulebook` must be \"2023\", \"1971\" or a table of switches",
                "`per_season` must be from 1 to 10, not 11",
                "unknown word `shut` for `holes.closure`",
            ],
        ),
        (
            "double-reversible",
            &[("[\"DEN\"]", "[\"DENN\", \"NTH\", 3]")],
            &[
                "`DENN` is not a land province of the board",
                "`NTH` is not a land province of the board",
                "each of `board.archipelagos` must be a text in quotes, not 3",
            ],
        ),
        (
            "deluge-ii",
            &[
                ("map = \"deluge\"", "map = \"delug\""),
                ("phase = \"W1900A\"", "phase = \"1900\""),
                ("rule = \"last-survivor\"", "rule = \"last\""),
                ("army_fleets = \"yes\"", "army_fleet = \"yes\""),
                ("[deluge.centres.ru10]", "[deluge.centres.ru11]"),
                ("[deluge.opens]\n1901", "[deluge.opens]\nsoon"),
            ],
            &[
                "there is no map `delug`; did you mean `deluge`?",
                "`1900` is not a phase",
                "unknown word `last` for `victory.rule`",
                "unknown key `units.army_fleet`; did you mean `army_fleets`?",
                "unknown key `deluge.centres.ru11`; did you mean `ru10`?",
                "`soon` is not a year",
            ],
        ),
        (
            "deluge-ii",
            &[("last_winter", "last_winters"), ("schedule =", "scedule =")],
            &[
                "unknown key `victory.last_winters`; did you mean `last_winter`?",
                "unknown key `deluge.scedule`; did you mean `schedule`?",
            ],
        ),
        (
            "deluge-ii",
            &[("last_winter = 1908", "last_winter = 1899")],
            &["`last_winter` must not be before 1900, the year of `start.phase`"],
        ),
        (
            "deluge-ii",
            &[
                ("\n[deluge]\n", "\n[delug]\n"),
                ("\"unlimited\"\n", "0\n"),
                ("[deluge.opens]\n1901 = [\"ICE\"", "[deluge.opens]\nsoon = [\"ICEL\""),
                ("[start]\n", "[strat]\n"),
                ("[start.units]\n", "[start.units]\nNOBODY = [\"A PAX\"]\n"),
            ],
            &[
                "unknown key `strat`; did you mean `start`?",
                "`NOBODY` is not a power",
                "`PAX` is not a province on the board",
                "`units.max_seasons_aboard`: expected \"unlimited\" or a number of seasons from 1 to 255",
                "unknown key `delug`; did you mean `deluge`?",
                "`soon` is not a year",
                "`ICEL` is not a province of the board",
            ],
        ),
        (
            "schizo-ii",
            &[("from = \"", "from = \"1"), ("per_hole = 1", "per_hole = 11")],
            &["`per_hole` must be from 1 to 10, not 11", "`from`: `1S1905M` is not a phase"],
        ),
        (
            "seismic-1971",
            &[("\n[seismic.passages]", "\n[seismic.pasages]")],
            &["unknown key `seismic.pasages`; did you mean `passages`?"],
        ),
        (
            "seismic-1971",
            &[
                ("FRANCE", "FRANCIA"),
                ("KIE = [\"BAL\"", "KIE = [\"BALL\""),
                ("\nDEN = [\"BAL\",", "\nDEN = ["),
            ],
            &[
                "`FRANCIA` is not a power",
                "`seismic.passages.DEN` must be a list of 2 values, not of 1",
                "`BALL` is not a sea of the board",
            ],
        ),
    ] {
        let found = faults(id, changes);
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "expected {expected}\n     got {found}");
        }
    }
}

#[test]
fn all_missing_keys_come_at_once_with_a_file_that_has_them() {
    let of = |key: &str, like: &str| format!("`{key}` is missing; add it as in `variants/{like}.toml`");
    let keys =
        ["id", "title", "summary", "source", "map", "rulebook", "start", "victory", "retreats", "builds"];
    assert_eq!(faults_of(""), keys.map(|key| of(key, "black-hole")));
    let deluge = Variant::shipped_text("standard").expect("it ships").to_owned() + "[deluge]\n[restores]\n";
    let mut expected = ["schedule", "submerges", "centres", "opens", "boundaries"]
        .map(|key| of(&format!("deluge.{key}"), "deluge-ii"))
        .to_vec();
    expected.extend(
        ["per_hole", "from", "home_returns_to"].map(|key| of(&format!("restores.{key}"), "schizo-ii")),
    );
    assert_eq!(faults_of(&deluge), expected);
}

#[test]
fn files_with_very_many_faults_are_refused() {
    let many = |write: fn(usize) -> String| (0..50_000).map(write).collect::<String>();
    for (after, more) in [
        ("FRANCE = [", many(|_| "\"A PAR\", ".to_owned())),
        ("[start.units]\n", many(|i| format!("P{i} = [\"A PAR\"]\n"))),
        ("rulebook = \"2023\"\n", many(|i| format!("key{i} = 1\n"))),
        ("rulebook = \"2023\"\n", format!("board.archipelagos = [{}]\n", many(|_| "\"XXX\", ".to_owned()))),
        ("[sources]\n", many(|i| format!("\"key{i}\" = \"x\"\n"))),
    ] {
        let found = faults("standard", &[(after, &format!("{after}{more}"))]);
        assert!(found.ends_with(&["there may be more faults; correct these first".to_owned()]), "{found:?}");
    }
}
