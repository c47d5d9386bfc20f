//! Boards from drawings.

use serde_json::{Value, json};
use upheaval::picture::Layout;
use upheaval::topology::{KindEntry, MapFile};

use super::export::{boundaries, shipped};
use super::imported;
use upheaval::import::ImportNote;

fn feature(code: &str, kind: &str, rings: Value) -> Value {
    json!({"type": "Feature", "properties": {"code": code, "kind": kind}, "geometry": {"type": "Polygon", "coordinates": rings}})
}

fn collection(features: Vec<Value>) -> String {
    json!({"type": "FeatureCollection", "features": features}).to_string()
}

/// The square with its lower left corner here.
fn square(x: f64, y: f64, size: f64) -> Value {
    json!([[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]])
}

/// The features of a board as it is drawn.
fn drawn(name: &str) -> (MapFile, Vec<Value>) {
    let (chart, file) = shipped(name);
    let layout = Layout::of(&chart);
    let features = file.faces.iter().filter(|(_, face)| face.kind != KindEntry::Outside).map(|(code, face)| {
        let id = chart.map().find(code).expect("a face");
        let ring = |ring: &Vec<upheaval::picture::geometry::Point>| {
            ring.iter().map(|at| json!([at.x, at.y])).collect::<Vec<Value>>()
        };
        let rings: Vec<Vec<Value>> = layout.outline(id).iter().map(ring).collect();
        json!({
            "type": "Feature", "id": code,
            "properties": {"name": face.name, "kind": face.kind, "supply_centre": face.supply_centre, "home": face.home},
            "geometry": {"type": "Polygon", "coordinates": rings},
        })
    });
    (file.clone(), features.collect())
}

#[test]
fn the_picture_of_the_standard_board_gives_the_board() {
    let (file, features) = drawn("standard");
    let back = imported("standard.geojson", &collection(features), "").expect("a board");
    assert_eq!(boundaries(&back.map, false), boundaries(&file, false));
    assert!(!back.notes.iter().any(|note| matches!(note, ImportNote::Corner { .. })), "{:?}", back.notes);
}

#[test]
fn four_squares_that_meet_at_a_corner_meet_at_two_corners_of_three_and_it_is_said_where() {
    let squares = [
        ("AA", "land", 0.0, 0.0),
        ("BB", "sea", 1.0, 0.0),
        ("CC", "land", 0.0, 1.0),
        ("DD", "sea", 1.0, 1.0),
    ];
    let features = squares.map(|(code, kind, x, y)| feature(code, kind, json!([square(x, y, 1.0)])));
    let back = imported("squares.geojson", &collection(features.to_vec()), "").expect("a board");
    let corners: Vec<String> = back
        .notes
        .iter()
        .filter(|note| matches!(note, ImportNote::Corner { .. }))
        .map(ToString::to_string)
        .collect();
    assert_eq!(corners, ["more than three faces meet at (1, 1): BB and CC share a border there"]);
    assert_eq!(back.map.faces["BB"].neighbours().len(), 4, "AA, CC, DD and the Outside");
}

#[test]
fn a_hole_with_an_island_is_a_boundary_of_its_own_and_an_empty_hole_is_impassable() {
    let sea = json!([square(0.0, 0.0, 10.0), square(1.0, 1.0, 2.0), square(5.0, 5.0, 3.0)]);
    let features = vec![
        feature("SEA", "sea", sea),
        feature("ISLE", "land", json!([square(1.0, 1.0, 2.0)])),
        feature("COAST", "land", json!([square(10.0, 0.0, 10.0)])),
    ];
    let back = imported("isle.geojson", &collection(features), "").expect("a board");
    assert_eq!(back.map.faces["SEA"].islands_ccw, [["ISLE"], ["X1"]]);
    assert_eq!(back.map.faces["X1"].kind, KindEntry::Impassable);
    assert_eq!(back.map.faces["ISLE"].neighbours(), ["SEA"]);
}

#[test]
fn a_corner_on_an_edge_of_a_neighbour_is_one_of_both() {
    let features = vec![
        feature("AA", "land", json!([square(0.0, 0.0, 2.0)])),
        feature("BB", "land", json!([square(2.0, 0.0, 1.0)])),
        feature("CC", "sea", json!([square(2.0, 1.0, 1.0)])),
    ];
    let back = imported("edge.geojson", &collection(features), "").expect("a board");
    assert_eq!(back.map.faces["AA"].neighbours().len(), 3, "{:?}", back.map.faces["AA"]);
}

#[test]
fn slivers_and_overlaps_are_told_with_their_places() {
    let told =
        |features: Vec<Value>| imported("bad.geojson", &collection(features), "").unwrap_err().to_string();
    let overlapping = vec![
        feature("AA", "land", json!([square(0.0, 0.0, 2.0)])),
        feature("BB", "land", json!([square(1.0, 1.0, 2.0)])),
    ];
    assert_eq!(told(overlapping), "bad.geojson: AA and BB overlap at (1, 2)");
    let covered = vec![
        feature("AA", "land", json!([square(0.0, 0.0, 8.0)])),
        feature("BB", "land", json!([square(2.0, 2.0, 1.0)])),
    ];
    assert!(told(covered).starts_with("bad.geojson: BB and AA overlap at (2.5, "));
    let sliver = vec![
        feature("AA", "land", json!([[[0, 0], [4, 0], [4, 4], [2, 3.99], [0, 4], [0, 0]]])),
        feature("BB", "land", json!([[[0, 4], [4, 4], [4, 8], [0, 8], [0, 4]]])),
    ];
    assert!(told(sliver).starts_with("bad.geojson: a sliver lies between"));
}

#[test]
fn a_topology_gives_the_same_board_as_its_polygons() {
    let topology = json!({
        "type": "Topology",
        "transform": {"scale": [0.5, 0.5], "translate": [10.0, 20.0]},
        "arcs": [[[2, 0], [0, 4]], [[2, 4], [-2, 0], [0, -4], [2, 0]], [[2, 0], [2, 0], [0, 4], [-2, 0]]],
        "objects": {"board": {"type": "GeometryCollection", "geometries": [
            {"type": "Polygon", "arcs": [[0, 1]], "properties": {"code": "WEST", "kind": "land", "supply_centre": true, "home": "RED"}},
            {"type": "Polygon", "arcs": [[2, -1]], "id": "EAST", "properties": {"kind": "land", "supply_centre": true, "home": "BLUE"}},
        ]}},
        "powers": [{"name": "RED"}, {"name": "BLUE"}],
    });
    let back = imported("board.topojson", &topology.to_string(), "").expect("a board");
    let features = vec![
        feature("WEST", "land", json!([[[0, 0], [1, 0], [1, 2], [0, 2], [0, 0]]])),
        feature("EAST", "land", json!([[[1, 0], [2, 0], [2, 2], [1, 2], [1, 0]]])),
    ];
    let same = imported("board.geojson", &collection(features), "").expect("a board");
    assert_eq!(boundaries(&back.map, false), boundaries(&same.map, false));
    assert_eq!(back.map.powers.map(|powers| powers.len()), Some(2));
    let centre = back.map.faces["WEST"].centre.expect("a centre");
    assert!((10.0..11.0).contains(&centre[0]) && (20.0..22.0).contains(&centre[1]), "{centre:?}");
}
