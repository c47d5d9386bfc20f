//! Changes of a map, one after another, with the derivation as oracle: after each the map is valid, and the tables that
//! were derived step by step equal those of a derivation from the whole map.

use super::inputs;
use crate::helpers::drawn_events::draw_event;
use upheaval::rules::terrain::Terrain;
use upheaval::topology::report::MapReport;
use upheaval::topology::{MapEvent, atlas, derive};

/// Changes in a row.
const STEPS: usize = 24;

#[test]
fn surgeries_in_a_row_leave_what_a_whole_derivation_finds_and_refused_ones_change_nothing() {
    let boards = ["standard", "deluge", "ancient-mediterranean", "modern"].map(|name| {
        let text = testkit::read(&format!("maps/{name}.json"));
        Terrain::new(atlas::parse(name, &text).expect("a map that ships"))
    });
    let (mut done, mut refused) = (0_u64, 0_u64);
    let numbered = inputs("surgeries", 20, 400);
    let are_many = numbered.are_many();
    for mut input in numbered {
        let mut terrain = input.dice.choose(&boards).expect("a board").clone();
        let mut events = Vec::new();
        for _ in 0..STEPS {
            let report = MapReport::new(terrain.chart(), terrain.board());
            let event = draw_event(&report, &mut input.dice);
            let parsed: MapEvent = event.parse().unwrap_or_else(|error| panic!("{event}: {error}"));
            let before = terrain.hash();
            events.push(event);
            match terrain.change(|chart| parsed.apply(chart)) {
                Ok(_) => done += 1,
                Err(_) => {
                    refused += 1;
                    assert_eq!(terrain.hash(), before, "{events:?}");
                    let after = MapReport::new(terrain.chart(), terrain.board());
                    assert_eq!(after, report, "{events:?}");
                }
            }
            let map = terrain.chart().map();
            assert_eq!(map.faults(), Vec::<String>::new(), "{events:?}");
            let step_by_step = MapReport::new(terrain.chart(), terrain.board());
            let whole = MapReport::new(terrain.chart(), &derive(map));
            assert_eq!(step_by_step, whole, "{events:?}");
        }
    }
    println!("{done} surgeries done, {refused} refused");
    assert!(done > 0 && refused > 0 || !are_many);
}
