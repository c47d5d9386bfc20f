//! Games played again from their transcripts: the same game, told in the same words; and no other transcript passes.

use crate::games::watch::{Fixture, MUTE};
use crate::helpers::shipped::variant;
use upheaval::game::{Game, Stage};
use upheaval::ids::ProvinceId;
use upheaval::replay::{Departure, Entry, Replay, Transcript, replay};
use upheaval::rules::event::Event;
use upheaval::rules::order::{AdjustmentOrder, Order, RetreatOrder};
use upheaval::rules::position::Phase;
use upheaval::rules::variant::Variant;

const LINE_UP: [&str; 7] = ["greedy", "random", "greedy", "hold", "greedy", MUTE, "random"];

fn kept(id: &str) -> (Game, Transcript) {
    Fixture { variant: variant(id), line_up: LINE_UP, seed: 12, last_year: 1908 }.play()
}

fn again(id: &str, transcript: &Transcript) -> Result<Game, Departure> {
    replay(variant(id), 1908, transcript)
}

/// Same season: the phase of what was tampered with, or a later one in which it came to light.
fn same_season(a: Phase, b: Phase) -> bool {
    (a.year, a.season) == (b.year, b.season)
}

#[test]
fn what_is_told_of_the_replay_is_the_transcript_again() {
    for id in Variant::shipped() {
        let (game, transcript) = kept(id);
        let mut told = Transcript::new();
        let start = Game::new(variant(id), 1908);
        let replayed = Replay::new(start, &transcript).finish(&mut told).expect("the same game");
        told.close(&replayed);
        assert_eq!(told, transcript, "{id}");
        assert_eq!((replayed.hash(), replayed.ending()), (game.hash(), game.ending()), "{id}");
    }
}

/// Bots' faults are no part of the game, wherever they stand; they are passed on.
#[test]
fn faults_of_bots_are_passed_over_and_passed_on() {
    let (_, mut transcript) = kept("schizo-ii");
    let fault = |entry: &Entry| Entry::Event {
        at: entry.at(),
        event: Event::Refused(upheaval::ids::Power::Italy, 3),
    };
    transcript.entries = transcript.entries.iter().flat_map(|entry| [fault(entry), entry.clone()]).collect();
    transcript.entries.push(fault(&transcript.entries[0]));
    let mut told = Transcript::new();
    let game = Replay::new(Game::new(variant("schizo-ii"), 1908), &transcript).finish(&mut told).unwrap();
    told.close(&game);
    assert_eq!(told, transcript);
}

/// What is left out shows in its own season; but for secrets that came to nothing, which the hash of the end covers.
#[test]
fn a_transcript_without_one_of_its_entries_is_refused_with_the_phase() {
    for id in Variant::shipped() {
        let (_, transcript) = kept(id);
        let secret = |event: &Event| {
            matches!(event, Event::ExemptNamed(..) | Event::ExemptDrawn(..) | Event::ExemptAnnounced(..))
        };
        let every = transcript.entries.len() / 150 + 1;
        for i in (0..transcript.entries.len()).step_by(every) {
            let mut without = transcript.clone();
            let missing = without.entries.remove(i);
            let departure = again(id, &without).expect_err(&format!("{id} without {missing:?}"));
            let found = same_season(departure.at(), missing.at()) || missing.event().is_some_and(secret);
            assert!(found, "{id} without {missing:?}: {departure}");
        }
    }
}

/// The departure of this game, with the first entry changed that `change` changes.
fn tampered(id: &str, change: impl FnMut(&mut Entry) -> bool) -> (Phase, Departure) {
    let (_, mut transcript) = kept(id);
    let mut change = change;
    let at = transcript.entries.iter_mut().find_map(|entry| change(entry).then(|| entry.at()));
    (at.expect("something to change"), again(id, &transcript).expect_err("another game"))
}

#[test]
fn a_changed_order_is_refused_with_the_phase() {
    // A unit that moved stays where it was.
    let mut moved = None;
    let (_, transcript) = kept("standard");
    for pair in transcript.entries.windows(2) {
        if let [Entry::Movement { orders, at, .. }, Entry::Season { position, .. }] = pair {
            let gone = |&&(unit, order): &&(ProvinceId, Order)| {
                matches!(order, Order::Move { .. }) && position.unit(unit).is_none()
            };
            moved = moved.or(orders.iter().find(gone).map(|&(unit, _)| (*at, unit)));
        }
    }
    let (at, who) = moved.expect("a unit moves away");
    let (_, departure) = tampered("standard", |entry| match entry {
        Entry::Movement { at: then, orders, .. } if *then == at => {
            orders.iter_mut().filter(|(unit, _)| *unit == who).for_each(|(_, order)| *order = Order::Hold);
            true
        }
        _ => false,
    });
    assert_eq!(departure.at(), at, "{departure}");
    assert!(matches!(departure, Departure::Position { .. }), "{departure}");

    // No unit can support itself.
    let (at, departure) = tampered("standard", |entry| match entry {
        Entry::Movement { orders, .. } => {
            orders[0].1 = Order::SupportHold { unit: orders[0].0 };
            true
        }
        _ => false,
    });
    assert_eq!((departure.at(), matches!(departure, Departure::Illegal { .. })), (at, true), "{departure}");
}

#[test]
fn a_changed_retreat_or_build_is_refused_with_the_phase() {
    let (at, departure) = tampered("black-hole", |entry| match entry {
        Entry::Retreats { orders, .. } => {
            let went = orders.iter_mut().find(|order| matches!(order, Some(RetreatOrder::Retreat { .. })));
            went.map(|order| *order = Some(RetreatOrder::Disband)).is_some()
        }
        _ => false,
    });
    assert_eq!(departure.at(), at, "{departure}");
    let (at, departure) = tampered("black-hole", |entry| match entry {
        Entry::Adjustments { orders, .. } => {
            let built = orders.iter_mut().find(|order| matches!(order, AdjustmentOrder::Build { .. }));
            built.map(|order| *order = AdjustmentOrder::Waive).is_some()
        }
        _ => false,
    });
    assert_eq!(departure.at(), at, "{departure}");
}

#[test]
fn a_hole_or_split_drawn_elsewhere_is_refused_with_the_phase() {
    let no_holes = ["standard", "deluge-ii", "seismic-1971", "seismic-acerunner"];
    for id in Variant::shipped().filter(|id| !no_holes.contains(id)) {
        // Of four faces at least one is open, and not the season's hole.
        for other in [10, 20, 30, 40].map(ProvinceId) {
            let (at, departure) = tampered(id, |entry| match entry {
                Entry::Event { event: Event::HoleDrawn(face), .. } if *face != other => {
                    *face = other;
                    true
                }
                _ => false,
            });
            assert!(same_season(departure.at(), at), "{id}: {departure}");
        }
    }
    let (at, departure) = tampered("schizo-ii", |entry| match entry {
        Entry::Event { event: Event::SplitDrawn(_, ends), .. } => {
            ends.swap(0, 1);
            true
        }
        _ => false,
    });
    assert_eq!(departure.at(), at, "{departure}");
    let (at, departure) = tampered("schizo-ii", |entry| match entry {
        Entry::Event { event: Event::UnitDoubled { stays, new, .. }, .. } => {
            std::mem::swap(stays, new);
            true
        }
        _ => false,
    });
    assert_eq!(departure.at(), at, "{departure}");
}

#[test]
fn a_province_that_sinks_elsewhere_or_a_new_centre_of_another_is_refused_with_the_phase() {
    let (at, departure) = tampered("deluge-ii", |entry| match entry {
        Entry::Event { event: Event::Submerged(id), .. } => {
            id.0 += 1;
            true
        }
        _ => false,
    });
    assert_eq!(departure.at(), at, "{departure}");
    let (at, departure) = tampered("deluge-ii", |entry| match entry {
        Entry::Event { event: Event::CentreFounded(_, owner), .. } => {
            *owner = if owner.is_none() { Some(upheaval::ids::Power::Italy) } else { None };
            true
        }
        _ => false,
    });
    assert_eq!(departure.at(), at, "{departure}");
}

#[test]
fn another_map_owner_or_end_is_refused_with_the_phase() {
    let (at, departure) = tampered("black-hole", |entry| match entry {
        Entry::Season { map, .. } => {
            *map ^= 1;
            true
        }
        _ => false,
    });
    assert_eq!((departure.at(), matches!(departure, Departure::Map { .. })), (at, true), "{departure}");
    let (at, departure) = tampered("black-hole", |entry| match entry {
        Entry::Season { position, .. } => {
            let centre = position.centres_of(upheaval::ids::Power::Turkey).first();
            centre.map(|centre| position.set_owner(centre, None)).is_some()
        }
        _ => false,
    });
    assert_eq!((departure.at(), matches!(departure, Departure::Position { .. })), (at, true), "{departure}");
    let (game, mut transcript) = kept("black-hole");
    transcript.end = transcript.end.map(|hash| hash ^ 1);
    let departure = again("black-hole", &transcript).expect_err("another hash");
    assert_eq!((departure.at(), matches!(departure, Departure::End { .. })), (game.phase(), true));
}

#[test]
fn a_transcript_that_is_cut_or_goes_on_is_refused() {
    let (game, transcript) = kept("double-reversible");
    let mut longer = transcript.clone();
    longer.entries.push(transcript.entries[0].clone());
    let departure = again("double-reversible", &longer).expect_err("too long");
    assert_eq!((departure.at(), matches!(departure, Departure::GoesOn { .. })), (game.phase(), true));
    let mut empty = transcript;
    empty.entries.clear();
    let departure = again("double-reversible", &empty).expect_err("nothing there");
    assert_eq!(departure, Departure::Ends { at: "S1901M".parse().unwrap() });
}

#[test]
fn a_replay_stops_at_every_stage() {
    let (_, transcript) = kept("schizo-ii");
    let mut replay = Replay::new(Game::new(variant("schizo-ii"), 1908), &transcript);
    let mut stages = Vec::new();
    while replay.game().stage() != Stage::Over {
        stages.push(replay.game().phase());
        replay.step(&mut ()).expect("the same game");
    }
    assert!(stages.len() > 20 && stages.is_sorted(), "{stages:?}");
    assert_eq!(replay.step(&mut ()), Ok(Stage::Over));
}

/// A departure says in the words of the board what differs.
#[test]
fn a_departure_is_told_with_names() {
    let (at, departure) = tampered("black-hole", |entry| match entry {
        Entry::Event { event: Event::Collapsed(face), .. } => {
            *face = ProvinceId(0);
            true
        }
        _ => false,
    });
    let text = departure.to_string();
    let start = Game::new(variant("black-hole"), 1908);
    let name = start.terrain().names().province(ProvinceId(0));
    assert!(
        text.starts_with(&format!("{at}: the transcript has Collapsed({name}), the game Collapsed(")),
        "{text}"
    );
    assert!(!text.contains("ProvinceId"), "{text}");
}
