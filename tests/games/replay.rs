//! Games that are played again from their records: the same game, with the same reports; and omissions and changes are
//! detected.

use std::sync::Arc;

use crate::games::watch::{Fixture, MUTE};
use crate::helpers::shipped::variant;
use upheaval::game::{Game, Stage};
use upheaval::game_record::{EventLine, GameRecord, Mismatch, OrderLine, Replay, StageRecord, replay};
use upheaval::ids::{ByPower, Power, Powers, ProvinceId};
use upheaval::record::GameRows;
use upheaval::rules::position::Phase;
use upheaval::rules::variant::Variant;
use upheaval::sim::{GameSpec, Recorder, RunLog};

const LINE_UP: [&str; 7] = ["greedy", "random", "greedy", "hold", "greedy", MUTE, "random"];

const LAST_YEAR: u16 = 1908;

fn played(id: &str) -> (GameRecord, GameRows) {
    Fixture { variant: variant(id), line_up: LINE_UP, seed: 12, last_year: LAST_YEAR }.play()
}

fn kept(id: &str) -> GameRecord {
    played(id).0
}

fn again(id: &str, kept: &GameRecord) -> Result<Game, Mismatch> {
    replay(kept, variant(id), &mut |_| {})
}

/// A recorder of a game that is not in a schedule.
fn recorder(game: &Game) -> Recorder {
    let spec = GameSpec {
        variant: 0,
        game: 0,
        block: 0,
        line_up: 0,
        rotation: 0,
        seats: ByPower::from_fn(Powers::STANDARD, Power::index),
        names: Arc::new(ByPower::from_fn(Powers::STANDARD, |power: Power| LINE_UP[power.index()].into())),
        seed: 12,
        last_year: LAST_YEAR,
        log: RunLog::ORDERS,
        stop: Default::default(),
    };
    Recorder::new(&spec, game)
}

#[test]
fn whoever_listens_to_the_replay_hears_what_was_told_of_the_game() {
    for id in Variant::shipped() {
        let (kept, record) = played(id);
        let mut replay = Replay::new(&kept, variant(id)).unwrap();
        let mut listener = recorder(replay.game());
        while replay.step(&mut listener).expect("the same game") {}
        let game = replay.finish().expect("the same game");
        let again = listener.finish(&game);
        assert_eq!(again.game.state_hash, record.game.state_hash, "{id}");
        assert!(again.events == record.events && again.orders == record.orders, "{id}");
        assert!(again.turns == record.turns && again.topology == record.topology, "{id}");
        assert!(again.game == record.game, "{id}");
    }
}

#[test]
fn a_replay_stops_at_every_stage() {
    let kept = kept("schizo-ii");
    let mut replay = Replay::new(&kept, variant("schizo-ii")).unwrap();
    for stage in &kept.stages {
        assert_eq!(replay.game().phase().to_string(), stage.phase);
        assert!(replay.step(&mut ()).expect("the same game"));
    }
    assert!(kept.stages.len() > 20 && replay.game().stage() == Stage::Over);
    assert_eq!(replay.step(&mut ()), Ok(false));
    replay.finish().expect("the same end");
}

/// Faults of bots are not part of the game, wherever they are.
#[test]
fn faults_of_bots_are_passed_over() {
    let mut kept = kept("schizo-ii");
    let fault = || EventLine {
        kind: "bot_fault".to_owned(),
        power: Some("ITALY".to_owned()),
        detail: Some("illegal 3".to_owned()),
        ..EventLine::default()
    };
    let refused = || OrderLine {
        power: "ITALY".to_owned(),
        order: "A VEN FLIES".to_owned(),
        result: "illegal".to_owned(),
        reason: None,
    };
    for stage in &mut kept.stages {
        stage.events = stage.events.drain(..).flat_map(|event| [fault(), event]).chain([fault()]).collect();
        if stage.stage == "adjustments" {
            stage.orders = stage.orders.drain(..).flat_map(|order| [refused(), order]).collect();
        }
    }
    kept.digest = kept.digest_of_rest();
    again("schizo-ii", &kept).unwrap();
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
        let kept = kept(id);
        let entries = |stage: &StageRecord| stage.orders.len() + stage.events.len();
        let all: Vec<(usize, usize)> = kept
            .stages
            .iter()
            .enumerate()
            .flat_map(|(place, stage)| (0..entries(stage)).map(move |entry| (place, entry)))
            .collect();
        let variant = variant(id);
        let tried = testkit::amount(50, 150) as usize;
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
                let mismatch = again(id, &without).expect_err(&format!("{id} {seed} without {event}"));
                let next = kept.stages.get(place + 1).map_or(&kept.end.phase, |next| &next.phase);
                assert!(
                    [&stage.phase, next].contains(&&mismatch.phase),
                    "{event} in {}: {mismatch}",
                    stage.phase
                );
                assert!(mismatch.what.contains("the hash of the game is"), "{mismatch}");
                found += 1;
            }
        }
    }
    assert!(found >= 8, "{found}");
}

/// The phase of the first stage that `change` changes, and the phase in which that is found.
fn tampered(id: &str, mut change: impl FnMut(&mut StageRecord) -> bool) -> (String, Mismatch) {
    let mut kept = kept(id);
    let at = kept.stages.iter_mut().find_map(|stage| change(stage).then(|| stage.phase.clone()));
    // The tampered file may also have a new digest.
    kept.digest = kept.digest_of_rest();
    (at.expect("something to change"), again(id, &kept).expect_err("another game"))
}

fn first<'a>(stage: &'a mut StageRecord, kind: &str) -> Option<&'a mut EventLine> {
    stage.events.iter_mut().find(|event| event.kind == kind)
}

#[test]
fn an_order_that_is_not_legal_is_refused_with_the_phase() {
    // No unit can support itself.
    let (at, mismatch) = tampered("standard", |stage| {
        let unit = stage.orders[0].order.split(' ').take(2).collect::<Vec<_>>().join(" ");
        stage.orders[0].order = format!("{unit} S {unit}");
        true
    });
    assert_eq!(mismatch.phase, at, "{mismatch}");
    assert!(mismatch.what.starts_with("the order `AUSTRIA A BUD S A BUD`: "), "{mismatch}");
}

#[test]
fn a_changed_retreat_or_build_is_refused_with_the_phase() {
    let (at, mismatch) = tampered("black-hole", |stage| {
        let went = stage.orders.iter_mut().find(|line| line.order.contains(" R ") && line.succeeded());
        let unit = |order: &str| order.split(" R ").next().unwrap_or_default().to_owned();
        went.map(|line| line.order = format!("{} D", unit(&line.order))).is_some()
    });
    assert!(same_season(&mismatch.phase, &at), "{at}: {mismatch}");
    let (at, mismatch) = tampered("black-hole", |stage| {
        let built = stage.orders.iter_mut().find(|line| line.order.ends_with(" B") && line.succeeded());
        built.map(|line| line.order = "WAIVE".to_owned()).is_some()
    });
    assert_eq!(mismatch.phase, at, "{mismatch}");
}

#[test]
fn a_hole_or_split_drawn_elsewhere_is_refused_with_the_phase() {
    let no_holes = ["standard", "deluge-ii", "seismic-1971", "seismic-acerunner"];
    for id in Variant::shipped().filter(|id| !no_holes.contains(id)) {
        let start = Game::new(variant(id), LAST_YEAR);
        // Of four faces at least one is open, and not the season's hole.
        for other in
            [10, 20, 30, 40].map(|face| start.terrain().names().province(ProvinceId(face)).to_owned())
        {
            let (at, mismatch) = tampered(id, |stage| {
                let hole = first(stage, "hole_drawn").and_then(|event| event.province.as_mut());
                hole.filter(|hole| **hole != other).map(|hole| hole.clone_from(&other)).is_some()
            });
            assert!(same_season(&mismatch.phase, &at), "{id}: {mismatch}");
        }
    }
    let (at, mismatch) = tampered("schizo-ii", |stage| {
        let split = first(stage, "split_drawn").and_then(|event| event.detail.as_mut());
        split
            .map(|split| {
                let words: Vec<&str> = split.split(' ').collect();
                let turned = [words[0], words[1], words[3], words[2]].join(" ");
                *split = turned;
            })
            .is_some()
    });
    assert_eq!(mismatch.phase, at, "{mismatch}");
    let (at, mismatch) = tampered("schizo-ii", |stage| {
        let doubled = first(stage, "unit_doubled");
        doubled.map(|event| std::mem::swap(&mut event.province, &mut event.detail)).is_some()
    });
    assert_eq!(mismatch.phase, at, "{mismatch}");
}

#[test]
fn a_province_that_sinks_elsewhere_or_a_new_centre_of_another_is_refused_with_the_phase() {
    let (at, mismatch) = tampered("deluge-ii", |stage| {
        first(stage, "submerged").map(|event| event.province = Some("MUN".to_owned())).is_some()
    });
    assert_eq!(mismatch.phase, at, "{mismatch}");
    let (at, mismatch) = tampered("deluge-ii", |stage| {
        let other = |owner: Option<String>| if owner.is_none() { Some("ITALY".to_owned()) } else { None };
        first(stage, "centre_founded").map(|event| event.power = other(event.power.take())).is_some()
    });
    assert_eq!(mismatch.phase, at, "{mismatch}");
}

/// A mismatch is described with the names of the board.
#[test]
fn a_departure_is_told_with_names() {
    let (at, mismatch) = tampered("black-hole", |stage| {
        first(stage, "collapsed").map(|event| event.province = Some("OUT".to_owned())).is_some()
    });
    let text = mismatch.to_string();
    assert!(text.starts_with(&format!("{at}: the file has `")) && text.contains("OUT"), "{text}");
}
