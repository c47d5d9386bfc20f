//! Several islands released to one shore at once: their order along it is that in the sea, whatever their names.

use serde_json::{Value, json};

use crate::symmetry::image::parse;
use upheaval::topology::{MapEvent, NamedMap, Quake};

/// Two islands before a long coast, which lies in the south: the one called `west` lies west of the one called `east`.
fn bay(west: &str, east: &str) -> NamedMap {
    let face = |kind: &str, neighbours: Value, islands: Value, centre: Value| {
        json!({
            "name": "", "kind": kind, "supply_centre": false, "home": null,
            "neighbours_ccw": neighbours, "islands_ccw": islands, "centre": centre,
        })
    };
    let none = json!([]);
    let file = json!({"faces": {
        "COAST": face("land", json!(["SEA", "NORTH"]), none.clone(), json!([0.0, -10.0])),
        "SEA": face("sea", json!(["COAST", "NORTH"]), json!([[west], [east]]), json!([0.0, 0.0])),
        "NORTH": face("land", json!(["SEA", "COAST"]), none.clone(), json!([0.0, 10.0])),
        west: face("land", json!(["SEA"]), none.clone(), json!([-5.0, 1.0])),
        east: face("land", json!(["SEA"]), none, json!([5.0, -1.0])),
    }});
    parse(&file)
}

fn released(mut chart: NamedMap, names: [&str; 2]) -> Vec<String> {
    let quakes = names.map(|name| {
        let event: MapEvent = format!("connect COAST {name} through SEA").parse().expect("an event");
        Quake::of_event(&event, chart.map()).expect("it fits")
    });
    chart.shake(&quakes, &mut |_| None).expect("both can be done");
    assert_eq!(chart.map().faults(), Vec::<String>::new());
    let map = chart.map();
    let coast = map.find("COAST").expect("a face");
    let north = map.find("NORTH").expect("a face");
    let head = map.sides_of(coast).find(|&side| map.across(side) == north).expect("they meet");
    map.cycle(head).map(|side| map.name(map.across(side)).to_owned()).collect()
}

#[test]
fn several_islands_released_to_one_shore_lie_along_it_as_they_lie_in_the_sea() {
    // Counter-clockwise round the coast in the south, its northern shore runs from east to west.
    for (west, east) in [("AA", "BB"), ("BB", "AA")] {
        let expected = ["NORTH", "SEA", east, "SEA", west, "SEA"];
        assert_eq!(released(bay(west, east), [west, east]), expected);
        assert_eq!(released(bay(west, east), [east, west]), expected);
    }
}
