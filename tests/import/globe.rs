//! Drawings in longitudes and latitudes, with polygons across longitude 180.

use serde_json::{Value, json};

use super::export::boundaries;
use super::imported;

fn feature(code: &str, kind: &str, polygons: Value) -> Value {
    json!({"type": "Feature", "properties": {"code": code, "kind": kind},
        "geometry": {"type": "MultiPolygon", "coordinates": polygons}})
}

/// A box by its west, south, east and north, as the ring of a polygon.
fn ring([west, south, east, north]: [f64; 4]) -> Value {
    json!([[west, south], [east, south], [east, north], [west, north], [west, south]])
}

fn collection(features: Vec<Value>) -> String {
    json!({"type": "FeatureCollection", "features": features}).to_string()
}

/// Three provinces in a row from longitude 160 to 200, of which the middle one lies across 180, as one draws them in a
/// plane.
fn flat() -> Vec<Value> {
    vec![
        feature("WES", "land", json!([[ring([160.0, 0.0, 175.0, 10.0])]])),
        feature("MID", "sea", json!([[ring([175.0, 0.0, 185.0, 10.0])]])),
        feature("EAS", "land", json!([[ring([185.0, 0.0, 200.0, 10.0])]])),
    ]
}

#[test]
fn polygons_across_longitude_180_are_in_one_piece_however_they_are_drawn() {
    let plain = imported("x.geojson", &collection(flat()), "").expect("a board").map;
    assert_eq!(plain.faces["MID"].neighbours().len(), 4, "two provinces, and the Outside between them");
    let east = feature("EAS", "land", json!([[ring([-175.0, 0.0, -160.0, 10.0])]]));
    let middles = [
        // Cut in two (RFC 7946), also with a corner of one half on an edge of the other.
        json!([[ring([175.0, 0.0, 180.0, 10.0])], [ring([-180.0, 0.0, -175.0, 10.0])]]),
        json!([
            [ring([175.0, 0.0, 180.0, 10.0])],
            [[[-180, 0], [-175, 0], [-175, 10], [-180, 10], [-180, 5], [-180, 0]]]
        ]),
        // On beyond 180, on beyond -180, and with a jump.
        json!([[ring([175.0, 0.0, 185.0, 10.0])]]),
        json!([[ring([-185.0, 0.0, -175.0, 10.0])]]),
        json!([[ring([175.0, 0.0, -175.0, 10.0])]]),
    ];
    for middle in middles {
        let features = vec![flat().remove(0), feature("MID", "sea", middle.clone()), east.clone()];
        let back = imported("x.geojson", &collection(features), "");
        let map = back.unwrap_or_else(|error| panic!("{middle}: {error}")).map;
        assert_eq!(boundaries(&map, false), boundaries(&plain, false), "{middle}");
        let centres = ["WES", "MID", "EAS"].map(|code| map.faces[code].centre.expect("a centre")[0]);
        assert!(centres.is_sorted() && centres[2] - centres[0] < 40.0, "{middle}: {centres:?}");
    }
}

#[test]
fn a_board_round_the_globe_that_is_cut_there_is_refused_with_the_reason() {
    let band =
        |code: &str, west: f64, east: f64| feature(code, "land", json!([[ring([west, 0.0, east, 10.0])]]));
    let mut features = vec![band("AAA", -170.0, -60.0), band("BBB", -60.0, 60.0), band("CCC", 60.0, 170.0)];
    assert!(imported("x.geojson", &collection(features.clone()), "").is_ok(), "it has two ends");
    features.push(feature(
        "DDD",
        "sea",
        json!([[ring([170.0, 0.0, 180.0, 10.0])], [ring([-180.0, 0.0, -170.0, 10.0])]]),
    ));
    let error = imported("x.geojson", &collection(features), "").expect_err("a ring").to_string();
    assert!(
        error.contains("the board goes round the globe") && error.contains("DDD is in 2 parts"),
        "{error}"
    );
}

#[test]
fn drawings_that_only_look_wide_stay_as_they_are() {
    // From -180 to 180 along a parallel, and coordinates of a page.
    for features in [
        vec![
            feature("SEA", "sea", json!([[ring([-180.0, -90.0, 180.0, 0.0])]])),
            feature("LAN", "land", json!([[ring([-180.0, 0.0, 180.0, 90.0])]])),
        ],
        vec![
            feature("SEA", "sea", json!([[ring([0.0, 0.0, 2000.0, 700.0])]])),
            feature("LAN", "land", json!([[ring([0.0, 700.0, 2000.0, 900.0])]])),
        ],
        vec![
            feature("SEA", "sea", json!([[ring([-150.0, 0.0, 150.0, 50.0])]])),
            feature("LAN", "land", json!([[ring([-150.0, 50.0, 0.0, 80.0])]])),
            feature("LAX", "land", json!([[ring([0.0, 50.0, 150.0, 80.0])]])),
            feature("FAR", "land", json!([[ring([150.0, 0.0, 170.0, 80.0])]])),
        ],
    ] {
        let map = imported("x.geojson", &collection(features.clone()), "").expect("a board").map;
        assert!(map.faces["SEA"].neighbours().contains(&"LAN".to_owned()), "{features:?}");
        assert_eq!(map.faces["LAN"].centre.map(|[x, _]| x.abs() < 1000.1), Some(true));
    }
}
