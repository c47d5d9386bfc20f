//! Hints are followed, or it is said which are not.

use super::imported;
use upheaval::import::ImportNote;

/// TWO and THR are adjacent, FOU lies beside their border, and a fleet passes between them along SEA.
const FIVE: &str = "RED () ONE\nBLUE () TWO\nUNOWNED THR\n\
    COAST ONE ABUTS TWO THR SEA\nCOAST TWO ABUTS ONE THR FOU SEA\nCOAST THR ABUTS ONE TWO FOU SEA\n\
    LAND FOU ABUTS TWO THR\nWATER SEA ABUTS ONE TWO THR";

fn told(hints: &str) -> Vec<String> {
    let back = imported("five.map", FIVE, hints).expect("a board");
    let notes = back.notes.iter().filter(|note| !matches!(note, ImportNote::Reflection(_)));
    notes.map(ToString::to_string).collect()
}

fn refused(hints: &str) -> String {
    imported("five.map", FIVE, hints).expect_err("no board").to_string()
}

#[test]
fn the_drawing_that_loses_no_move_is_found_without_a_hint() {
    assert_eq!(told(""), ["the Outside lies beyond FOU TWO ONE THR"]);
    let back = imported("five.map", FIVE, "").expect("a board");
    let borders = |code: &str| back.map.faces[code].neighbours().len();
    assert_eq!((borders("TWO"), borders("THR"), borders("FOU")), (5, 5, 3), "no border is doubled");
}

#[test]
fn an_order_that_a_drawing_can_have_is_followed() {
    for order in [["ONE", "FOU", "THR", "SEA"], ["SEA", "THR", "FOU", "ONE"], ["FOU", "THR", "ONE", "SEA"]] {
        let list = format!("{order:?}");
        let back = imported("five.map", FIVE, &format!("[around]\nTWO = {list}")).expect("a board");
        assert!(!back.notes.iter().any(|note| matches!(note, ImportNote::NotAround(_))), "{:?}", back.notes);
        let round: Vec<&str> = back.map.faces["TWO"].neighbours().iter().map(String::as_str).collect();
        let at = round.iter().position(|code| *code == order[0]).expect("a neighbour");
        let turned: Vec<&str> = [&round[at..], &round[..at]].concat();
        let mut wanted = order.iter().peekable();
        for code in &turned {
            wanted.next_if_eq(&code);
        }
        assert_eq!(wanted.next(), None, "{order:?} in {turned:?}");
    }
    assert_eq!(
        told(r#"outside = ["ONE", "TWO", "THR", "FOU"]"#),
        ["the Outside lies beyond FOU TWO ONE THR"]
    );
    let lost =
        |from: &str, to: &str| format!("differs: fleet {from} - {to}: the source has it, the map does not");
    assert_eq!(
        told(r#"outside = ["TWO", "SEA", "ONE"]"#),
        ["the Outside lies beyond TWO SEA ONE".to_owned(), lost("ONE", "TWO"), lost("TWO", "ONE")],
        "a hint comes before a move"
    );
    assert_eq!(told("outside = []"), ["the board closes on itself: it has no Outside"]);
}

#[test]
fn what_no_drawing_has_is_told() {
    let told =
        told("outside = [\"ONE\", \"SEA\", \"FOU\"]\n[around]\nTWO = [\"ONE\", \"FOU\", \"SEA\", \"THR\"]");
    let is_told = |begin: &str| told.iter().any(|line| line.starts_with(begin));
    assert!(is_told("the hint `outside` is not followed: "), "{told:?}");
    assert!(is_told("the hint `around.TWO` is not followed: "), "{told:?}");
}

#[test]
fn hints_that_contradict_the_list_are_refused_all_at_once() {
    let both = "leave_out = [[\"ONE\", \"FOU\"]]\n[around]\nFOU = [\"TWO\", \"THR\", \"SEA\"]";
    assert_eq!(
        refused(both),
        "hints.toml: `leave_out`: ONE and FOU are not adjacent; `around.FOU`: SEA is not a neighbour of FOU"
    );
}

#[test]
fn a_hint_that_is_given_twice_is_refused_and_many_are_counted() {
    let points = "[\"ONE\", \"TWO\", \"THR\", \"SEA\"],".repeat(20_000);
    let error = refused(&format!("points = [{points}]"));
    assert!(error.starts_with("hints.toml: points[1] and points[0] are the same: "), "{error}");
    assert!(error.ends_with("; and 19989 more"), "{error}");
    assert_eq!(refused("outside = [\"ONE\", \"ONE\"]"), "hints.toml: outside: ONE is listed twice");
}

#[test]
fn a_filler_that_is_nowhere_is_told() {
    let told = told("[fillers.LAK]\nname = \"Lake\"\naround = [\"ONE\", \"FOU\"]");
    assert!(told.iter().any(|line| line.starts_with("the hint `fillers.LAK` is not used: ")), "{told:?}");
}

#[test]
fn a_drawing_says_which_hints_it_does_not_need() {
    let polygon = |code: &str, x: f64| {
        let ring = [[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0], [x, 0.0]];
        serde_json::json!({"type": "Feature", "properties": {"code": code, "kind": "land"},
            "geometry": {"type": "Polygon", "coordinates": [ring]}})
    };
    let collection = serde_json::json!({"type": "FeatureCollection",
        "features": [polygon("AA", 0.0), polygon("BB", 1.0), polygon("CC", 2.0)]});
    let back = imported("row.geojson", &collection.to_string(), "outside = [\"AA\"]").expect("a board");
    let told = back.notes.iter().filter(|note| matches!(note, ImportNote::NotForDrawings("outside")));
    assert_eq!(told.count(), 1, "{:?}", back.notes);
}

#[test]
fn of_many_notes_of_a_kind_the_rest_are_counted() {
    // Each of the lands lists a move of fleets to the next, and no sea is at their border.
    let lands: Vec<String> = (0..100).map(|i| format!("L{i}")).collect();
    let mut text = "RED L0\nBLUE L1\nWATER SS ABUTS L0\n".to_owned();
    for (i, land) in lands.iter().enumerate() {
        let sea = if i == 0 { " SS" } else { "" };
        text += &format!("COAST {land} ABUTS {} {}{sea}\n", lands[(i + 1) % 100], lands[(i + 99) % 100]);
    }
    let back = imported("ring.map", &text, "").expect("a board");
    let differs = back.notes.iter().filter(|note| matches!(note, ImportNote::Differs(_))).count();
    assert_eq!(differs, 50);
    assert_eq!(back.notes.last().map(ToString::to_string).as_deref(), Some("… and 150 more of this kind"));
}
