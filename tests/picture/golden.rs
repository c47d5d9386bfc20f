//! Golden pictures: the BLAKE3 of the SVG of some boards, so that a change is noticed. If pictures are meant to differ
//! now, look at them, and write the hashes again with `UPDATE_EXPECT=1 cargo test --test all picture::golden`.

use std::collections::BTreeMap;

use crate::picture::drawn_soundly::{full_style, shipped};
use expect_test::expect_file;
use upheaval::picture::{Style, strip, svg};
use upheaval::topology::{MapEvent, atlas};

/// Boards that ship, each after events that are drawn one after the other.
const BOARDS: [(&str, &str, &[&str]); 8] = [
    ("standard", "standard", &[]),
    ("deluge", "deluge", &[]),
    ("a hole", "standard", &["collapse MAR"]),
    ("a group of holes", "standard", &["collapse MAR", "collapse BUR", "collapse PAR", "void SER"]),
    ("what comes back", "standard", &["collapse WAR", "collapse GAL", "restore WAR"]),
    (
        "quakes",
        "standard",
        &[
            "separate VIE TRI connect TYR BUD",
            "separate POR SPA connect MAO MAO",
            "connect POR BRE through MAO",
        ],
    ),
    (
        "splits and floods",
        "deluge",
        &["split BUR PAR MUN", "split SPA MAO#1 MAR", "submerge LON", "open SWI"],
    ),
    ("ice, new land and a canal", "standard", &["dig STP BAR BOT", "raise ION", "freeze NTH"]),
];

fn hash(svg: &str) -> String {
    blake3::hash(svg.as_bytes()).to_hex().to_string()
}

/// The current hashes: of each board, bare and with owners and units, and of the effect of its last event.
fn drawn() -> BTreeMap<String, String> {
    let mut hashes = BTreeMap::new();
    for (name, board, events) in BOARDS {
        let mut chart = atlas::find(board).unwrap();
        let mut layout = shipped(board).clone();
        for (number, text) in events.iter().enumerate() {
            let event: MapEvent = text.parse().unwrap();
            let (old, before) = (chart.clone(), layout.clone());
            event.apply(&mut chart).unwrap();
            layout = before.next(&chart);
            if number + 1 == events.len() {
                let strip = strip::of_event((&before, &old), (&layout, &chart), &event, &Style::default());
                hashes.insert(format!("{name}, the last event in frames"), hash(&strip));
            }
        }
        hashes.insert(name.to_owned(), hash(&svg::board(&layout, &chart, &Style::default())));
        let full = svg::board(&layout, &chart, &full_style(&chart));
        hashes.insert(format!("{name}, owners and units"), hash(&full));
    }
    hashes
}

#[test]
fn pictures_are_as_they_were() {
    let drawn = drawn();
    let text = serde_json::to_string_pretty(&drawn).unwrap() + "\n";
    expect_file![testkit::path("tests/picture/golden.json")].assert_eq(&text);
}
