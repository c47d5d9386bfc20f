//! Games that are played again from their records: the same game, with the same reports; and omissions are detected,
//! like the changes of `cli/tests/sessions/replay_changed.md`.

use std::sync::Arc;

use crate::games::watch::{Fixture, MUTE};
use crate::helpers::seats::spec;
use crate::helpers::shipped::variant;
use upheaval::game::Stage;
use upheaval::game_record::{EventLine, GameRecord, Replay, StageRecord, replay};
use upheaval::record::GameRows;
use upheaval::rules::position::Phase;
use upheaval::rules::variant::Variant;
use upheaval::sim::Recorder;

const LINE_UP: [&str; 7] = ["greedy", "random", "greedy", "hold", "greedy", MUTE, "random"];

const LAST_YEAR: u16 = 1908;

fn played(id: &str) -> (GameRecord, GameRows) {
    Fixture { variant: variant(id), line_up: LINE_UP, seed: 12, last_year: LAST_YEAR }.play()
}

#[test]
fn whoever_listens_to_the_replay_hears_what_was_told_of_the_game() {
    for id in Variant::shipped() {
        let (kept, record) = played(id);
        let mut replay = Replay::new(&kept, variant(id)).unwrap();
        let mut listener = Recorder::new(&spec(LINE_UP, 12, LAST_YEAR), replay.game());
        while replay.step(&mut listener).expect("the same game") {}
        let game = replay.finish().expect("the same game");
        let again = listener.finish(&game);
        assert!(again.events == record.events && again.orders == record.orders, "{id}");
        assert!(again.turns == record.turns && again.topology == record.topology, "{id}");
        assert_eq!(again.game, record.game, "{id}");
    }
}

#[test]
fn a_replay_stops_at_every_stage() {
    let (kept, _) = played("schizo-ii");
    let mut replay = Replay::new(&kept, variant("schizo-ii")).unwrap();
    for stage in &kept.stages {
        assert_eq!(replay.game().phase().to_string(), stage.phase);
        assert!(replay.step(&mut ()).expect("the same game"));
    }
    assert!(kept.stages.len() > 20 && replay.game().stage() == Stage::Over);
    assert_eq!(replay.step(&mut ()), Ok(false));
    replay.finish().expect("the same end");
}

/// In the same season: the phase of the change, or a later one in which it was found.
fn same_season(found: &str, at: &str) -> bool {
    let [found, at]: [Phase; 2] = [found, at].map(|phase| phase.parse().expect("a phase"));
    (found.year, found.season) == (at.year, at.season)
}

/// An omission is found in its own season, or before the next stage; except for entries without effect (secrets, waived
/// builds, unneeded lists of retreats), which the digest of the file covers.
#[test]
fn a_file_without_one_of_its_entries_is_refused_with_the_phase() {
    for id in Variant::shipped() {
        let (kept, _) = played(id);
        let entries = |stage: &StageRecord| stage.orders.len() + stage.events.len();
        let all: Vec<(usize, usize)> = kept
            .stages
            .iter()
            .enumerate()
            .flat_map(|(place, stage)| (0..entries(stage)).map(move |entry| (place, entry)))
            .collect();
        let variant = variant(id);
        let tried = testkit::amount(5, 40) as usize;
        for &(place, entry) in all.iter().step_by(all.len() / tried + 1) {
            let mut without = kept.clone();
            let stage = &mut without.stages[place];
            let (missing, trace) = match entry.checked_sub(stage.orders.len()) {
                None => {
                    let order = stage.orders.remove(entry);
                    // Civil disorder may make the same removal in its place.
                    let by_default = stage.phase.ends_with('A') && order.order.ends_with(" D");
                    // An army whose landing fails stays aboard, as it would without the order.
                    let failed_to_land = order.order.contains(" D ") && !order.succeeded();
                    let came_to_nothing =
                        order.order.ends_with("WAIVE") || order.is_spare() || failed_to_land;
                    // Two powers may order one seismic event, which also happens without one of the two orders.
                    let once_more = stage.orders.iter().any(|other| other.order == order.order);
                    (order.order.clone(), !came_to_nothing && !by_default && !once_more)
                }
                Some(entry) => {
                    let event = stage.events.remove(entry);
                    (event.display(&kept.power_names).to_string(), !event.kind.starts_with("exempt_"))
                }
            };
            let mismatch = replay(&without, Arc::clone(&variant), &mut |_| {})
                .expect_err(&format!("{id} without {missing}"));
            let here = &kept.stages[place].phase;
            let next = kept.stages.get(place + 1).map_or(&kept.end.phase, |stage| &stage.phase);
            let found = same_season(&mismatch.phase, here) || mismatch.phase == *next || !trace;
            assert!(found, "{id} without {missing} in {here}: {mismatch}");
        }
    }
}

/// An announcement is not secret: a file without it describes another game, which is found before the next stage,
/// whatever its digest. But if a power is eliminated in the very season of its announcement, the two games cannot be
/// distinguished.
#[test]
fn an_announcement_that_is_left_out_is_refused_with_the_phase() {
    let mut found = 0;
    for (id, seed) in [("black-hole-i", 3), ("black-hole-i", 4), ("black-hole-ii", 5), ("black-hole-ii", 6)] {
        let line_up = ["random"; 7];
        let (kept, _) = Fixture { variant: variant(id), line_up, seed, last_year: LAST_YEAR }.play();
        for (place, stage) in kept.stages.iter().enumerate() {
            for (entry, event) in stage.events.iter().enumerate() {
                let lapses = |other: &EventLine| other.kind == "exempt_lapsed" && other.power == event.power;
                let season = kept.stages.iter().filter(|other| same_season(&other.phase, &stage.phase));
                if event.kind != "exempt_announced" || season.flat_map(|other| &other.events).any(lapses) {
                    continue;
                }
                let mut without = kept.clone();
                without.stages[place].events.remove(entry);
                without.digest = without.digest_of_rest();
                let event = event.display(&kept.power_names).to_string();
                let mismatch = replay(&without, variant(id), &mut |_| {})
                    .expect_err(&format!("{id} {seed} without {event}"));
                let next = kept.stages.get(place + 1).map_or(&kept.end.phase, |next| &next.phase);
                assert!(
                    [&stage.phase, next].contains(&&mismatch.phase),
                    "{event} in {}: {mismatch}",
                    stage.phase
                );
                assert_eq!(mismatch.what.split(" is ").next(), Some("the hash of the game"), "{mismatch}");
                found += 1;
            }
        }
    }
    assert!(found >= 8, "{found}");
}

/// The first unit that a split doubles is the fleet in Trieste, which stays in the half that has a coast.
#[test]
fn a_fleet_in_the_half_of_a_split_without_a_coast_is_refused_with_the_phase() {
    let (mut kept, _) = played("schizo-ii");
    let is_doubled = |event: &&mut EventLine| event.kind == "unit_doubled";
    let doubled = kept.stages.iter_mut().find_map(|stage| {
        let event = stage.events.iter_mut().find(is_doubled)?;
        std::mem::swap(&mut event.province, &mut event.detail);
        Some(stage.phase.clone())
    });
    kept.digest = kept.digest_of_rest();
    let mismatch = replay(&kept, variant("schizo-ii"), &mut |_| {}).expect_err("another game");
    assert_eq!(Some(&mismatch.phase), doubled.as_ref(), "{mismatch}");
}
