//! Boards from drawings.

use serde_json::{Value, json};
use upheaval::picture::Layout;
use upheaval::topology::{FaceKind, MapFile};

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
    let features = file.faces.iter().filter(|(_, face)| face.kind != FaceKind::Outside).map(|(code, face)| {
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
    assert_eq!(back.map.faces["X1"].kind, FaceKind::Impassable);
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
    assert_eq!(told(covered), "bad.geojson: BB and AA overlap at (2, 2)");
    let at_a_corner = vec![
        feature("AA", "land", json!([square(0.0, 0.0, 8.0)])),
        feature("BB", "land", json!([[[0, 0], [4, 1], [4, 4], [0, 0]]])),
    ];
    assert_eq!(told(at_a_corner), "bad.geojson: AA and BB overlap at (0, 0)");
    let nested = vec![feature(
        "AA",
        "land",
        json!([square(0.0, 0.0, 8.0), square(1.0, 1.0, 6.0), square(2.0, 2.0, 4.0)]),
    )];
    assert_eq!(told(nested), "bad.geojson: a hole of AA lies outside its polygon at (2, 2)");
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

#[test]
fn a_ring_that_runs_out_and_back_along_an_edge_is_the_ring_without_it() {
    let plain = vec![
        feature("AA", "land", json!([square(0.0, 0.0, 8.0), square(3.0, 3.0, 2.0)])),
        feature("BB", "land", json!([square(3.0, 3.0, 2.0)])),
        feature("CC", "land", json!([square(8.0, 0.0, 8.0)])),
    ];
    let plain = imported("plain.geojson", &collection(plain), "").expect("a board").map;
    // The arcs: around AA without its border to CC, that border, the way to the hole, the hole, and around CC.
    let arcs = json!([
        [[8, 8], [0, 8], [0, 0], [8, 0]],
        [[8, 0], [8, 8]],
        [[0, 0], [3, 3]],
        [[3, 3], [3, 5], [5, 5], [5, 3], [3, 3]],
        [[8, 0], [16, 0], [16, 8], [8, 8]],
        [[0, 8], [0, 0]],
        [[0, 0], [8, 0]],
        [[8, 8], [0, 8]],
        [[8, 8], [3, 12]],
    ]);
    let shape = |code: &str, arcs: Value| json!({"type": "Polygon", "properties": {"code": code, "kind": "land"}, "arcs": arcs});
    let (hole, right) = (shape("BB", json!([[-4]])), shape("CC", json!([[4, -2]])));
    for first in [
        // To the hole and back, with the hole between: the province has one ring.
        json!([[2, 3, -3, 6, 1, 7, 5]]),
        // Out of the province and back, and along its own border again.
        json!([[5, 6, 1, 8, -9, 7], [3]]),
        json!([[5, 6, 1, -2, 1, 7], [3]]),
        // A ring that is nothing else.
        json!([[0, 1], [3], [2, -3]]),
    ] {
        let topology = json!({"type": "Topology", "arcs": arcs, "objects": {"board": {
            "type": "GeometryCollection", "geometries": [shape("AA", first.clone()), hole, right]}}});
        let back = imported("spur.topojson", &topology.to_string(), "");
        let map = back.unwrap_or_else(|error| panic!("{first}: {error}")).map;
        assert_eq!(boundaries(&map, false), boundaries(&plain, false), "{first}");
    }
}

#[test]
fn polygons_of_one_province_that_share_an_edge_are_one() {
    let mut halves = feature("AA", "land", json!([]));
    halves["geometry"] = json!({"type": "MultiPolygon",
        "coordinates": [[square(0.0, 0.0, 1.0)], [[[1, 0], [3, 0], [3, 2], [1, 2], [1, 0]]]]});
    let features = vec![halves, feature("BB", "land", json!([square(3.0, 0.0, 2.0)]))];
    let back = imported("halves.geojson", &collection(features), "").expect("a board").map;
    assert_eq!(back.faces["AA"].neighbours(), ["BB", "OUT"]);
}

#[test]
fn a_hole_in_one_province_is_an_impassable_face_however_small_and_it_is_said_where() {
    for size in [3.0, 1e-3] {
        let features = vec![
            feature("AA", "land", json!([square(0.0, 0.0, 8.0), square(2.0, 2.0, size)])),
            feature("BB", "land", json!([square(8.0, 0.0, 8.0)])),
        ];
        let back = imported("hole.geojson", &collection(features), "").expect("a board");
        assert_eq!(back.map.faces["AA"].islands_ccw, [["X1"]]);
        let notes: Vec<String> = back.notes.iter().map(ToString::to_string).collect();
        let [x, y] = back.map.faces["X1"].centre.expect("a centre");
        assert!([x, y].iter().all(|at| (2.0..2.0 + size).contains(at)), "{x} {y}");
        let told = format!(
            "the polygon of AA has a hole at ({x}, {y}) that no polygon fills: the impassable face X1"
        );
        assert!(notes.contains(&told), "{notes:?}");
        assert!(
            !notes.iter().any(|note| note.contains("sliver") || note.contains("between AA")),
            "{notes:?}"
        );
    }
}
