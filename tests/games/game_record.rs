//! Game records, played again from the text alone.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::helpers::engine::experiment;
use upheaval::game_record::{GameRecord, Origin, SavedGame, StageRecord, game_record, replay};
use upheaval::ids::PowerNames;
use upheaval::record::{EventKind, GameRows};
use upheaval::rules::position::PhaseKind;
use upheaval::rules::variant::{RetreatsSent, Variant};

/// Games of a variant with bots that give every kind of order.
fn played(variant: &str, games: u32) -> Vec<(GameRecord, GameRows)> {
    games_of(variant, games, 1912, 0..games)
}

/// One of the games of [`played`], without the others.
fn one_of(variant: &str, game: u32) -> (GameRecord, GameRows) {
    games_of(variant, 7, 1912, [game]).remove(0)
}

/// Some of the games of an experiment.
fn games_of(
    variant: &str,
    games: u32,
    last_year: u16,
    these: impl IntoIterator<Item = u32>,
) -> Vec<(GameRecord, GameRows)> {
    let text = format!(
        "name = \"kept\"\nvariants = [\"{variant}\"]\ngames = {games}\nseed = 9\nlast_year = {last_year}\n[seats]\n\
         lineup = [\"greedy\", \"random\", \"dumbbot\", \"hold\", \"random\", \"greedy\", \"random\"]"
    );
    let experiment = experiment(&text, Path::new("."));
    let (schedule, player) = (experiment.schedule(), experiment.player());
    let origin = Origin::from(&experiment);
    these.into_iter().map(|game| game_record(&origin, &player, &schedule.game(0, game))).collect()
}

#[test]
fn every_game_is_played_again_from_its_text() {
    let last_year = if testkit::tries_all() { 1912 } else { 1908 };
    for id in testkit::thinned(Variant::shipped(), 2) {
        for (kept, record) in games_of(id, 7, last_year, 0..testkit::amount(2, 7) as u32) {
            let text = kept.to_json();
            let read = GameRecord::parse("game.json", &text).unwrap();
            assert_eq!(read, kept);
            let game = replay(&read, read.variant("game.json").unwrap(), &mut |_| {})
                .unwrap_or_else(|error| panic!("{id}/{}: {error}", kept.game.game));
            assert_eq!(game.hash(), record.game.state_hash, "{id}");
            assert_eq!(kept.end.state, format!("{:016x}", record.game.state_hash));
        }
    }
}

/// A change of a stage.
type Change = fn(&mut StageRecord) -> bool;

/// Ways to tamper with a stage, and whether the stage has the changed part.
const CHANGES: [(&str, Change); 7] = [
    ("another hash", |stage| {
        stage.state = format!("{:016x}", u64::from_str_radix(&stage.state, 16).unwrap() ^ 1);
        true
    }),
    ("another map", |stage| {
        stage.map = format!("{:016x}", u64::from_str_radix(&stage.map, 16).unwrap() ^ 1);
        true
    }),
    ("a unit more", |stage| {
        stage.units.entry("ITALY".to_owned()).or_default().push("A PAR".to_owned());
        true
    }),
    ("a centre less", |stage| stage.centres.values_mut().next().is_some_and(|list| list.pop().is_some())),
    ("another result", |stage| {
        let line = stage.orders.iter_mut().find(|line| line.succeeded() && line.reason.is_none());
        line.map(|line| line.result = "bounce".to_owned()).is_some()
    }),
    ("an order that is none", |stage| {
        stage.orders.first_mut().map(|line| line.order = "A PAR FLIES".to_owned()).is_some()
    }),
    ("an event elsewhere", |stage| {
        let somewhere = stage.events.iter_mut().find(|event| event.province.is_some());
        somewhere.map(|event| event.province = Some("OUT".to_owned())).is_some()
    }),
];

#[test]
fn whoever_tampers_with_a_stage_is_found_in_its_phase() {
    let tried = testkit::amount(3, 8) as usize;
    for id in testkit::thinned(Variant::shipped(), 3) {
        let (kept, _) = one_of(id, 0);
        let variant = kept.variant("game.json").unwrap();
        for (what, change) in CHANGES {
            let mut found = 0;
            for i in (0..kept.stages.len()).step_by(kept.stages.len() / tried + 1) {
                let mut other = kept.clone();
                if !change(&mut other.stages[i]) {
                    continue;
                }
                let mismatch = replay(&other, Arc::clone(&variant), &mut |_| {}).expect_err(what);
                assert_eq!(mismatch.phase, kept.stages[i].phase, "{id}, {what}: {mismatch}");
                found += 1;
            }
            assert!(found > 0, "{id}: nothing to make {what} of");
        }
    }
}

#[test]
fn no_command_of_a_game_file_reaches_a_terminal() {
    let (mut foreign, _) = one_of("black-hole", 0);
    foreign.game.bots.insert("AUSTRIA".to_owned(), "\u{1b}[2Jbot\n".to_owned());
    assert_eq!(foreign.to_text().lines().nth(1), Some("  Austria: \u{fffd}[2Jbot"));
}

/// Longer games that are kept in addition, chosen among 210 of each variant for their events: centres and units that
/// come back, powers that are eliminated and return, solos, exempt centres that change and lapse, borders that are
/// created.
const LONGER: [(&str, u32); 5] = [
    ("black-hole-ii", 59),
    ("double-reversible", 71),
    ("schizo-ii", 56),
    ("deluge-ii", 26),
    ("seismic-acerunner", 199),
];

/// Games are kept in `tests/replays` of the library, and must be replayable forever: one of each variant, and longer
/// ones. A missing game is written with `UPDATE_EXPECT=1`; an existing one is never written again: a version that
/// cannot play it any more must raise the format version.
#[test]
fn games_of_each_variant_are_kept() {
    let folder = testkit::path("tests/replays");
    let keep = |name: String, game: &dyn Fn() -> GameRecord| {
        let path = folder.join(name);
        if testkit::updates() && !path.exists() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, game().to_json()).unwrap();
        }
        assert!(path.exists(), "{} is missing; UPDATE_EXPECT=1 writes it", path.display());
    };
    for id in Variant::shipped() {
        keep(format!("{id}.json"), &|| games_of(id, 7, 1904, [2]).remove(0).0);
    }
    for (id, game) in LONGER {
        keep(format!("{id}-2.json"), &|| games_of(id, 210, 1909, [game]).remove(0).0);
    }
}

#[test]
fn a_game_that_all_powers_have_forfeited_has_no_claim_left() {
    let (mut kept, _) = games_of("standard", 7, 1901, [0]).remove(0);
    kept.end.end = "deserted".to_owned();
    kept.end.forfeited = PowerNames::standard().iter().map(str::to_owned).collect();
    let expected = "The end, W1901A: no power with a claim is left; Austria, England, France, Germany, Italy, Russia and \
        Turkey have forfeited";
    assert_eq!(kept.to_text().lines().last(), Some(expected));
}

/// Where retreats are sent with the orders, the table `orders` has each list once: in the movement phase if its unit
/// was not dislodged, otherwise in the retreat phase, with its result.
#[test]
fn every_list_of_retreats_is_among_the_orders_once_with_what_came_of_it() {
    let (mut spare, mut needed) = (0, 0);
    for (kept, record) in played("schizo-ii", 7) {
        assert!(kept.stages.iter().all(|stage| stage.stage != "retreats"));
        let mut seen = BTreeSet::new();
        for (row, unit) in record.orders.iter().filter_map(|row| Some((row, row.order.split_once(" R ")?.0)))
        {
            assert_eq!(row.unit.as_deref(), Some(unit), "{}", &*row.order);
            let season = (row.phase.year, row.phase.season);
            assert!(seen.insert((season, row.power, unit.to_owned())), "{unit} twice in {}", row.phase);
            match row.phase.kind {
                PhaseKind::Movement => {
                    assert_eq!((&*row.result, row.reason.as_deref()), ("void", None));
                    spare += 1;
                }
                PhaseKind::Retreats => {
                    let result = (&*row.result, row.reason.is_some());
                    assert!(
                        [("ok", false), ("void", true), ("overlap", true)].contains(&result),
                        "{result:?}"
                    );
                    needed += 1;
                }
                kind => panic!("a list in a phase of {kind:?}"),
            }
        }
        // A dislodged unit has a row, with or without a list.
        let dislodged = record.events.iter().filter(|event| event.kind == EventKind::Dislodged).count();
        let retreats = record.orders.iter().filter(|row| row.phase.kind == PhaseKind::Retreats).count();
        assert_eq!(retreats, dislodged);
        let lines = kept.stages.iter().flat_map(|stage| &stage.orders).filter(|line| line.is_spare());
        let text = kept.to_text();
        assert_eq!(text.matches(" (not needed)\n").count(), lines.count());
        // The line of the unit says it.
        assert_eq!(text.matches("has nowhere to go").count(), 0, "{text}");
    }
    assert!(spare > 500 && needed > 20, "{spare} spare, {needed} needed");
}

/// The rules count, not their name.
#[test]
fn a_game_that_other_programs_cannot_play_is_not_saved_for_them() {
    let [standard, mut hole] = ["standard", "black-hole"].map(|id| games_of(id, 7, 1901, [0]).remove(0).0);
    let variant = standard.variant("game.json").unwrap();
    let prophetic = Variant { retreats_sent: RetreatsSent::WithOrders, ..Variant::clone(&variant) };
    hole.rules.id = "standard".to_owned();
    let saved =
        [(&standard, &*variant), (&standard, &prophetic), (&hole, &*hole.variant("game.json").unwrap())]
            .map(|(game, variant)| SavedGame::of(game, variant).is_ok());
    assert_eq!(saved, [true, false, false]);
}
