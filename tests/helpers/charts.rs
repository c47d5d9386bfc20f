//! Charts after changes that are written as text.

use upheaval::ids::ProvinceId;
use upheaval::topology::report::MapReport;
use upheaval::topology::{MapEvent, NamedMap, SurgeryError, atlas, derive};

/// The event of a text.
pub fn event(text: &str) -> MapEvent {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

/// Makes a change, or returns why it is impossible. The invariants of the map hold in both cases.
pub fn apply(chart: &mut NamedMap, text: &str) -> Result<(), SurgeryError> {
    let result = event(text).apply(chart);
    assert_eq!(chart.map().faults(), Vec::<String>::new(), "after {text}");
    result
}

/// The chart after these events.
pub fn with(mut chart: NamedMap, events: &[&str]) -> NamedMap {
    for text in events {
        apply(&mut chart, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    chart
}

/// The standard board after these events.
pub fn after(events: &[&str]) -> NamedMap {
    with(atlas::standard(), events)
}

/// The board as it is printed.
pub fn report(chart: &NamedMap) -> MapReport {
    MapReport::new(chart, &derive(chart.map()))
}

/// Faces, borders, corners, components.
pub fn counts(chart: &NamedMap) -> [usize; 4] {
    let counts = chart.map().counts();
    [counts.faces, counts.borders, counts.corners, counts.components]
}

/// The face of this name.
pub fn face(chart: &NamedMap, name: &str) -> ProvinceId {
    chart.map().find(name).unwrap_or_else(|| panic!("no {name}"))
}
