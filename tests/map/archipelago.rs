//! Denmark as an archipelago (rules.md 4.9) on maps with random holes. Cases are in `cli/tests/sessions/map.md`.

use crate::helpers::charts::report;
use crate::map::by_words::Movement;
use upheaval::ids::{Location, ProvinceSet};
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{FaceState, MapEvent, NamedMap, atlas, derive};

pub(super) fn marked(mut chart: NamedMap) -> NamedMap {
    let denmark = chart.map().find("DEN").expect("a face");
    chart.set_archipelagos(ProvinceSet::single(denmark));
    chart
}

/// The standard board, without the mark and with Denmark marked.
fn both() -> [NamedMap; 2] {
    [atlas::standard(), marked(atlas::standard())]
}

#[test]
fn the_mark_is_part_of_the_hash_of_a_map_that_has_it() {
    let [plain, mut marked] = both();
    let denmark = marked.map().find("DEN").expect("a face");
    assert!(plain.map().archipelagos().is_empty());
    assert_eq!(*marked.map().archipelagos(), ProvinceSet::single(denmark));
    assert_ne!(marked.map().hash(), plain.map().hash());
    marked.set_archipelagos(ProvinceSet::EMPTY);
    assert_eq!(marked.map().hash(), plain.map().hash());
}

/// The faces that holes open near Denmark.
const NORTH: [&str; 16] = [
    "BAL", "BAR", "BER", "BOT", "DEN", "FIN", "HEL", "HOL", "KIE", "LVN", "NTH", "NWG", "NWY", "SKA", "STP",
    "SWE",
];

/// A hole opens or closes somewhere, usually near Denmark.
fn draw_event(chart: &NamedMap, random: &mut Stream) -> MapEvent {
    let all: Vec<&str> =
        chart.map().faces().map(|(_, face)| face.name()).filter(|name| *name != "OUT").collect();
    let pool = if random.below(4) == 0 { &all[..] } else { &NORTH };
    let name = random.choose(pool).expect("a face").to_string();
    let face = chart.map().find(&name).and_then(|id| chart.map().face(id)).expect("a face");
    match random.below(3) {
        _ if face.state() != FaceState::Open => MapEvent::Restore(name),
        0 if name != "SWI" => MapEvent::Void(name),
        _ => MapEvent::Collapse(name),
    }
}

#[test]
fn random_holes_derive_as_the_words_say_and_the_mark_moves_no_army() {
    for sequence in 0..testkit::amount(10, 75) {
        let mut random = Stream::keyed(2026, Purpose::Bot, &[49, sequence]);
        let [mut plain, mut marked] = both();
        let mut done = Vec::new();
        for step in 0..10 {
            let event = draw_event(&plain, &mut random);
            for chart in [&mut plain, &mut marked] {
                event.apply(chart).unwrap_or_else(|e| panic!("{done:?}, {event}: {e}"));
            }
            done.push(event.to_string());
            check_mark(&plain, &marked, &done);
            if step % 5 == 4 {
                let report = report(&marked);
                let reported = Movement::reported(&report);
                assert_eq!(Movement::by_words(&report, &["DEN"]), [reported], "{done:?}");
            }
        }
    }
}

/// The allowed and forbidden effects of the mark on a map.
fn check_mark(plain: &NamedMap, marked: &NamedMap, done: &[String]) {
    let map = marked.map();
    let boards = [plain, marked].map(|chart| derive(chart.map()));
    let [without, with] = &boards;
    assert_eq!((with.land(), with.sea()), (without.land(), without.sea()), "{done:?}");
    for (id, face) in map.faces() {
        let context = || format!("{} after {done:?}", face.name());
        assert_eq!(with.army_reach(id), without.army_reach(id), "{}", context());
        assert_eq!(with.seas_next_to(id), without.seas_next_to(id), "convoys: {}", context());
        assert!(without.fleet_reach_any(id).is_subset(with.fleet_reach_any(id)), "{}", context());
        assert!(without.coasts(id) == 0 || with.coasts(id) > 0, "{}", context());
    }
    let denmark = map.find("DEN").expect("a face");
    if with.land().contains(denmark) {
        let round: ProvinceSet = map.sides_of(denmark).map(|side| map.across(side)).collect();
        let reached = with.fleet_reach(Location::from(denmark));
        assert_eq!(with.coasts(denmark), 1, "{done:?}");
        assert!((round & with.passable()).is_subset(reached), "{done:?}");
        assert!(with.army_reach(denmark).is_subset(reached), "{done:?}");
    } else {
        assert_eq!(report(marked), report(plain), "{done:?}");
    }
}
