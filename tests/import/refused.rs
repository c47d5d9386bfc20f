//! Bad input: one clear line each.

use serde_json::{Value, json};

use super::imported;

fn told(file: &str, text: &str, hints: &str) -> String {
    let error = imported(file, text, hints).expect_err("refused").to_string();
    assert!(
        !error.contains('\n')
            && error.starts_with(if error.starts_with("hints.toml") { "hints.toml" } else { file }),
        "{error}"
    );
    error
}

fn polygon(code: &str) -> Value {
    let rings = json!([[[0, 0], [1, 0], [1, 1], [0, 0]]]);
    json!({"type": "Feature", "properties": {"code": code, "kind": "land"}, "geometry": {"type": "Polygon", "coordinates": rings}})
}

fn collection(features: Value) -> String {
    json!({"type": "FeatureCollection", "features": features}).to_string()
}

/// Every province is adjacent to every other.
fn complete(codes: &[&str]) -> String {
    let line = |code: &&str| {
        let others: Vec<&str> = codes.iter().copied().filter(|other| other != code).collect();
        format!("LAND {code} ABUTS {}\n", others.join(" "))
    };
    format!("RED AA\nBLUE BB\n{}", codes.iter().map(line).collect::<String>())
}

#[test]
fn what_is_not_planar_names_the_provinces_in_doubt_and_what_to_do() {
    let error = told("pure.map", &complete(&["AA", "BB", "CC", "DD", "EE", "FF", "GG"]), "");
    assert!(
        error.contains("not planar") && error.contains("points") && error.contains("leave_out"),
        "{error}"
    );
    let left_out = r#"leave_out = [["AA", "BB"]]"#;
    assert!(
        imported("five.map", &complete(&["AA", "BB", "CC", "DD", "EE"]), left_out).is_ok(),
        "K5 less an edge"
    );
}

#[test]
fn an_unknown_format_is_told() {
    assert!(told("board.txt", "hello", "").contains("--format"));
    assert!(told("board.txt", "", "").contains("neither GeoJSON nor TopoJSON"));
}

#[test]
fn truncated_json_is_told_with_its_line() {
    let text = collection(json!([polygon("AA"), polygon("BB")]));
    assert!(told("cut.geojson", &text[..text.len() / 2], "").starts_with("cut.geojson:1: EOF while parsing"));
    assert!(
        told("cut.topojson", "{\"type\": \"Topology\",\n\"arcs\": [", "")
            .starts_with("cut.topojson:2: EOF while parsing")
    );
}

#[test]
fn codes_that_stand_twice_or_differ_in_case_alone_are_told() {
    let twice = collection(json!([polygon("AA"), polygon("AA")]));
    assert_eq!(told("x.geojson", &twice, ""), "x.geojson: two polygons are called AA");
    let case = collection(json!([polygon("AB"), polygon("Ab")]));
    assert!(told("x.geojson", &case, "").contains("`AB` and `Ab` differ only in case"));
    let text =
        "RED AA\nBLUE BB\nLAND AA ABUTS BB\nLAND BB ABUTS AA\nCOAST CC/NC ABUTS AA\nCOAST CC/SC ABUTS BB";
    assert!(told("x.map", text, "").contains("its inland `cc` is not listed"));
}

#[test]
fn more_than_256_provinces_are_told() {
    let lines: String = (0..300).map(|i| format!("LAND N{i} ABUTS N{}\n", (i + 1) % 300)).collect();
    assert_eq!(
        told("big.map", &format!("RED\nBLUE\n{lines}"), ""),
        "big.map: 300 provinces; a map holds up to 256 faces"
    );
    let coasts: String = (0..2000).map(|i| format!("COAST AA/C{i} ABUTS BB\n")).collect();
    assert_eq!(
        told("big.map", &format!("RED\nBLUE\n{coasts}"), ""),
        "big.map: 2000 named coasts; at most 1024 are read"
    );
    let features: Vec<Value> = (0..257).map(|i| polygon(&format!("N{i}"))).collect();
    assert!(told("big.geojson", &collection(json!(features)), "").contains("257 provinces"));
}

#[test]
fn more_than_34_powers_are_told() {
    let powers: String = (0..35).map(|i| format!("P{i}\n")).collect();
    let text = format!("{powers}LAND AA ABUTS BB\nLAND BB ABUTS AA");
    assert_eq!(told("x.map", &text, ""), "x.map: 35 powers; a board has from 2 to 34");
}

#[test]
fn a_province_in_several_pieces_is_told_with_the_reason() {
    let mut feature = polygon("AA");
    let ring = feature["geometry"]["coordinates"].clone();
    let apart = json!([[[5, 5], [6, 5], [6, 6], [5, 5]]]);
    feature["geometry"] = json!({"type": "MultiPolygon", "coordinates": [ring, apart]});
    let error = told("x.geojson", &collection(json!([feature])), "");
    assert!(error.contains("AA is in 2 parts that share no edge"), "{error}");
    assert!(error.contains("a province is one face of the map"), "{error}");
    feature["geometry"] = json!({"type": "MultiPolygon", "coordinates": [ring, ring]});
    assert!(told("x.geojson", &collection(json!([feature])), "").contains("AA crosses itself"));
}

#[test]
fn lines_that_are_at_fault_are_named() {
    let cases = [
        ("RED AA\nLAND AA ABUT BB", ":2: expected `ABUTS`, found `ABUT`"),
        ("RED AA\nBLUE BB\nLAND AA ABUTS CC\nLAND BB ABUTS AA", ":3: `AA` abuts `CC`, which is not listed"),
        ("A PAR\nLAND AA ABUTS AA", ":1: expected the name of a power above this line"),
        ("MAP nowhere\nLAND AA", ":1: cannot use `nowhere.map`: there is no nowhere.map"),
        ("RED X\nBLUE BB\nLAND AA ABUTS BB\nLAND BB ABUTS AA", "the centre X is not a province"),
        (
            "RED AA\nBLUE BB\nLAND AA ABUTS BB\nLAND BB ABUTS AA\nLAND CC ABUTS DD\nLAND DD ABUTS CC",
            "the board is in 2 parts",
        ),
    ];
    for (text, expected) in cases {
        let error = told("x.map", text, "");
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn hints_that_are_at_fault_are_named() {
    let text = complete(&["AA", "BB", "CC"]);
    assert_eq!(
        told("x.map", &text, "outside = [\"Q\"]"),
        "hints.toml: there is no province `Q` on the board"
    );
    assert!(
        told("x.map", &text, "\nouside = []").starts_with("hints.toml:2: unknown field `ouside`, expected")
    );
    assert!(told("x.map", &text, "points = [[\"AA\", \"BB\", \"CC\"]]").contains("at least four"));
}

#[test]
fn coordinates_out_of_reach_are_told_with_their_polygon() {
    for x in [1e308, -1e10, 5e-324] {
        let mut corner = polygon("AA");
        corner["geometry"]["coordinates"][0][1] = json!([x, 0]);
        let mut centre = polygon("AA");
        centre["properties"]["centre"] = json!([0, x]);
        for polygon in [corner, centre] {
            let error = told("far.geojson", &collection(json!([polygon])), "");
            assert!(error.contains("AA: a coordinate is out of range") && error.contains("1e9"), "{error}");
        }
    }
    // Points of TopoJSON are computed, and may overflow.
    let far = json!({"type": "Topology", "arcs": [[[0, 0], [4, 0], [0, 4], [-4, -4]]],
        "transform": {"scale": [1e308, 1], "translate": [0, 0]},
        "objects": {"x": {"type": "Polygon", "arcs": [[0]], "properties": {"code": "AA", "kind": "land"}}}});
    assert!(told("far.topojson", &far.to_string(), "").contains("out of range"));
}
