//! Long random sequences of all operations on the standard map and on small maps with degenerate shapes. After
//! every step the invariants of rules.md 1.7 hold, an error has changed nothing, each operation can be undone, the
//! cached tables equal those of a fresh derivation and of a second one by the words of the rulings, and the measures of
//! the map equal those of a slow second computation.
//!
//! `UPHEAVAL_SLOW_TESTS=1` tries all sequences, a larger number this many times as many.

use crate::helpers::drawn_events::draw_event;
use crate::helpers::small_maps;
use crate::map::by_words::Movement;
use crate::map::measured;
use testkit::{amount, tries_all};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::map_tables::MapTables;
use upheaval::topology::report::{MapReport, WaterwayReport};
use upheaval::topology::{MapEvent, NamedMap, SurgeryError, atlas, derive};

/// How often the slow second derivation of the standard map is computed: every this many steps, and less often if slow
/// tests are not run.
const SLOW_EVERY: usize = 3;

fn cached(terrain: &MapTables) -> MapReport {
    MapReport::new(terrain.chart(), terrain.board())
}

fn apply(terrain: &mut MapTables, event: &str) -> Result<(), SurgeryError> {
    let event: MapEvent = event.parse().unwrap_or_else(|e| panic!("{e}"));
    terrain.change(|chart| event.apply(chart))
}

/// The events of which one reverses this one on a map with this report; empty if none can.
fn inverses(event: &str, before: &MapReport) -> Vec<String> {
    let words: Vec<&str> = event.split_whitespace().collect();
    match words[..] {
        ["collapse" | "void", name] => vec![format!("restore {name}")],
        ["freeze", name] => vec![format!("restore {name}")],
        ["reform", name, _] => {
            ["land", "sea", "ice", "impassable"].map(|kind| format!("reform {name} {kind}")).into()
        }
        // A sea that was raised and then sinks loses its centre.
        ["raise", name] => vec![format!("reform {name} sea")],
        ["dig", name, ..] => {
            let is_first = |way: &WaterwayReport| way.within != [name] || way.origin.is_natural();
            let filled = before.waterways.iter().all(is_first).then(|| format!("fill {name}"));
            filled.into_iter().collect()
        }
        ["separate", a, b, "connect", c, d, ..] if c == d => {
            (1..=6).map(|n| format!("connect {a} {b} through {c} #{n}")).collect()
        }
        ["separate", a, b, "connect", c, d, ..] => {
            (1..=4).map(|n| format!("separate {c} {d} connect {a} {b} #{n}")).collect()
        }
        ["connect", a, c, "through", b, ..] => {
            (1..=4).map(|n| format!("separate {a} {c} connect {b} {b} #{n}")).collect()
        }
        _ => Vec::new(),
    }
}

/// Waterways and coast names belong to borders: the border of a separation with one face at both ends is removed
/// together with them, and they do not return with the release.
fn without_what_is_tied_to_borders(mut report: MapReport) -> MapReport {
    report.waterways.clear();
    for face in report.faces.values_mut() {
        face.coasts.clear();
        face.fleet.clear();
    }
    report
}

struct Walk {
    terrain: MapTables,
    done: Vec<String>,
}

impl Walk {
    fn step(&mut self, event: &str, slowly: bool) -> bool {
        let before = cached(&self.terrain);
        let mut after = self.terrain.clone();
        let result = apply(&mut after, event);
        let context = || format!("after {:?} then `{event}`", self.done);
        assert_eq!(after.chart().map().faults(), Vec::<String>::new(), "{}", context());
        let report = cached(&after);
        if let Err(error) = result {
            assert_eq!(report, before, "{}: refused, {error}", context());
            assert_eq!(after.hash(), self.terrain.hash());
            return false;
        }
        let fresh = MapReport::new(after.chart(), &derive(after.chart().map()));
        assert_eq!(report, fresh, "{}: the cache", context());
        if slowly {
            let reported = Movement::reported(&report);
            let map = after.chart().map();
            let archipelagos: Vec<&str> = map.archipelagos().iter().map(|id| map.name(id)).collect();
            let by_words = Movement::by_words(&report, &archipelagos);
            if !by_words.contains(&reported) {
                assert_eq!(by_words.first(), Some(&reported), "{}: by words", context());
            }
            let found = ((**after.metrics()).clone(), (**after.home_distances()).clone());
            assert_eq!(found, measured::measured(&report), "{}: measures", context());
        }
        let inverses = inverses(event, &before);
        if !inverses.is_empty() {
            let same_ends = event.starts_with("separate") && inverses[0].starts_with("connect");
            let restored = |inverse: &String| {
                let mut back = after.clone();
                apply(&mut back, inverse).is_ok() && {
                    let back_report = cached(&back);
                    if same_ends {
                        without_what_is_tied_to_borders(back_report)
                            == without_what_is_tied_to_borders(before.clone())
                    } else {
                        back_report == before && back.hash() == self.terrain.hash()
                    }
                }
            };
            assert!(inverses.iter().any(restored), "{}: nothing takes it back", context());
        }
        self.terrain = after;
        self.done.push(event.to_owned());
        true
    }
}

/// Random walks on a map; returns how many events of each kind were carried out.
fn walks(
    chart: &NamedMap,
    map: u64,
    sequences: u64,
    steps: usize,
    slow_every: usize,
) -> Vec<(String, usize)> {
    let start = MapTables::new(chart.clone());
    let mut done = std::collections::BTreeMap::new();
    for sequence in 0..sequences {
        let mut random = Stream::keyed(2026, Purpose::Bot, &[map, sequence]);
        let mut walk = Walk { terrain: start.clone(), done: Vec::new() };
        for step in 0..steps {
            let event = draw_event(&cached(&walk.terrain), &mut random);
            if walk.step(&event, step % slow_every == 0) {
                *done.entry(event.split(' ').next().unwrap_or("").to_owned()).or_default() += 1;
            }
        }
    }
    done.into_iter().collect()
}

fn kinds(done: &[(String, usize)]) -> Vec<&str> {
    done.iter().filter(|(_, n)| *n > 5).map(|(kind, _)| kind.as_str()).collect()
}

#[test]
fn operations_on_the_standard_map() {
    let slow_every = if tries_all() { SLOW_EVERY } else { 3 * SLOW_EVERY };
    let done = walks(&atlas::standard(), 0, amount(4, 25), 25, slow_every);
    // Collapse, connect, dig, fill, freeze, open, raise, reform, restore, separate, split, submerge, void.
    assert!(kinds(&done).len() >= if tries_all() { 12 } else { 6 }, "{done:?}");
}

#[test]
fn operations_on_small_maps() {
    for (number, lines) in
        [small_maps::POND, small_maps::MELON, small_maps::NESTED, small_maps::RING].into_iter().enumerate()
    {
        let done = walks(&small_maps::chart(lines), 1 + number as u64, amount(20, 150), 12, 1);
        assert!(kinds(&done).len() >= if tries_all() { 6 } else { 4 }, "{lines}: {done:?}");
    }
}

#[test]
fn operations_on_small_maps_with_archipelagos() {
    for (number, (lines, marked)) in [
        (small_maps::POND, &["AA"][..]),
        (small_maps::MELON, &["AA"]),
        (small_maps::NESTED, &["RIM", "ISLE", "EAST"]),
        (small_maps::RING, &["NN", "SS", "PP"]),
    ]
    .into_iter()
    .enumerate()
    {
        let mut chart = small_maps::chart(lines);
        let faces = marked.iter().filter_map(|name| chart.map().find(name)).collect();
        chart.set_archipelagos(faces);
        let done = walks(&chart, 11 + number as u64, amount(12, 75), 12, 1);
        assert!(kinds(&done).len() >= if tries_all() { 6 } else { 4 }, "{lines}: {done:?}");
    }
}
