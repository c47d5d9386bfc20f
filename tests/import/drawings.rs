//! Boards from drawings.

use serde_json::{Value, json};
use upheaval::import::ImportNote;
use upheaval::picture::{Layout, Point};
use upheaval::topology::FaceKind;

use super::export::{boundaries, shipped};
use super::imported;

#[test]
fn the_picture_of_the_standard_board_gives_the_board() {
    let (chart, file) = shipped("standard");
    let layout = Layout::of(&chart);
    let drawn = file.faces.iter().filter(|(_, face)| face.kind != FaceKind::Outside).map(|(code, face)| {
        let ring = |ring: &Vec<Point>| ring.iter().map(|at| json!([at.x, at.y])).collect::<Vec<Value>>();
        let rings: Vec<Vec<Value>> =
            layout.outline(chart.map().find(code).expect("a face")).iter().map(ring).collect();
        json!({
            "type": "Feature", "id": code,
            "properties": {"name": face.name, "kind": face.kind, "supply_centre": face.supply_centre, "home": face.home},
            "geometry": {"type": "Polygon", "coordinates": rings},
        })
    });
    let drawing = json!({"type": "FeatureCollection", "features": drawn.collect::<Vec<Value>>()});
    let back = imported("standard.geojson", &drawing.to_string(), "").expect("a board");
    assert_eq!(boundaries(&back.map, false), boundaries(&file, false));
    assert!(!back.notes.iter().any(|note| matches!(note, ImportNote::Corner { .. })), "{:?}", back.notes);
}
