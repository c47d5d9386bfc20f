//! Game records, played again from the text alone.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::helpers::engine::experiment;
use serde_json::{Value, json};
use upheaval::game::Game;
use upheaval::game_record::{GameRecord, OrderLine, Origin, SavedGame, StageRecord, game_record, replay};
use upheaval::ids::PowerNames;
use upheaval::record::{EventKind, GameRows};
use upheaval::rules::position::PhaseKind;
use upheaval::rules::variant::{RetreatsSent, Variant};

/// Games of a variant with bots that give every kind of order.
fn played(variant: &str, games: u32) -> Vec<(GameRecord, GameRows)> {
    played_to(variant, games, 1912)
}

fn played_to(variant: &str, games: u32, last_year: u16) -> Vec<(GameRecord, GameRows)> {
    games_of(variant, games, last_year, 0..games)
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

fn again(game_record: &GameRecord) -> Result<Game, String> {
    let variant = game_record.variant("game.json").map_err(|error| error.to_string())?;
    replay(game_record, variant, &mut |_| {}).map_err(|mismatch| mismatch.to_string())
}

#[test]
fn every_game_is_played_again_from_its_text() {
    for id in Variant::shipped() {
        for (kept, record) in played(id, testkit::amount(7, 7) as u32) {
            let text = kept.to_json();
            let read = GameRecord::parse("game.json", &text).unwrap();
            assert_eq!(read, kept);
            let game = again(&read).unwrap_or_else(|error| panic!("{id}/{}: {error}", kept.game.game));
            assert_eq!(game.hash(), record.game.state_hash, "{id}");
            assert_eq!(kept.end.state, format!("{:016x}", record.game.state_hash));
        }
    }
}

/// A change of a stage.
type Change = fn(&mut StageRecord) -> bool;

/// Ways to tamper with a stage, and whether the stage has the changed part.
const CHANGES: [(&str, Change); 9] = [
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
    // Leaving out a WAIVE, or a list of retreats that is not needed, changes nothing.
    ("an order less", |stage| {
        let last = stage.orders.iter().rposition(|line| !line.is_spare());
        stage.stage == "movement" && last.map(|last| stage.orders.remove(last)).is_some()
    }),
    ("an event less", |stage| {
        let last = stage.events.iter().rposition(|event| event.kind != "bot_fault");
        last.map(|last| stage.events.remove(last)).is_some()
    }),
    ("an event elsewhere", |stage| {
        let somewhere = stage.events.iter_mut().find(|event| event.province.is_some());
        somewhere.map(|event| event.province = Some("OUT".to_owned())).is_some()
    }),
];

#[test]
fn whoever_tampers_with_a_stage_is_found_in_its_phase() {
    let tried = testkit::amount(5, 12) as usize;
    for id in Variant::shipped() {
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
                // A draw that is left out is not made: the position before the next stage differs.
                let stages = if what == "an event less" { 2 } else { 1 };
                let all = kept.stages.iter().map(|stage| &*stage.phase).chain([&*kept.end.phase]);
                let phases: Vec<&str> = all.skip(i).take(stages).collect();
                assert!(phases.contains(&&*mismatch.phase), "{id}, {what} in {phases:?}: {mismatch}");
                found += 1;
            }
            assert!(found > 0, "{id}: nothing to make {what} of");
        }
    }
}

/// A unit that moved holds instead: the order is legal, and so is its result.
#[test]
fn another_legal_order_is_found_in_the_phase_or_before_the_next() {
    for id in Variant::shipped() {
        let (kept, _) = one_of(id, 0);
        let mut other = kept.clone();
        let moves = |stage: &StageRecord| {
            let went = |line: &OrderLine| {
                line.order.contains(" - ") && line.succeeded() && !line.order.contains(" S ")
            };
            stage.orders.iter().position(went).filter(|_| stage.stage == "movement")
        };
        let (i, n) = other.stages.iter().enumerate().find_map(|(i, stage)| Some((i, moves(stage)?))).unwrap();
        let line = &mut other.stages[i].orders[n];
        line.order = format!("{} H", line.order.split(" - ").next().unwrap());
        let mismatch =
            replay(&other, kept.variant("game.json").unwrap(), &mut |_| {}).expect_err("another game");
        let phases = [&kept.stages[i].phase, &kept.stages[i + 1].phase];
        assert!(phases.contains(&&mismatch.phase), "{id}, {phases:?}: {mismatch}");
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

/// A file's end is the outcome of its game for the powers, minus what their bots have forfeited.
#[test]
fn another_end_is_found() {
    let games = played_to("black-hole", 7, 1904);
    let (kept, _) = games.iter().find(|(kept, _)| kept.end.end == "draw").expect("a draw");
    let changed = |change: &dyn Fn(&mut GameRecord)| {
        let mut other = kept.clone();
        change(&mut other);
        other.digest = other.digest_of_rest();
        again(&other)
    };
    changed(&|_| {}).unwrap();
    let refused = |change: &dyn Fn(&mut GameRecord)| changed(change).expect_err("another end");
    let solo = refused(&|game| {
        game.end.end = "solo".to_owned();
        game.end.winner = Some("ITALY".to_owned());
    });
    assert_eq!(solo, "W1904A: the end is solo of ITALY in the file, but draw in the game");
    let deserted = refused(&|game| game.end.end = "deserted".to_owned());
    assert_eq!(deserted, "W1904A: the end is deserted in the file, but draw in the game");
    let forfeited = refused(&|game| {
        game.end.end = "deserted".to_owned();
        game.end.forfeited = PowerNames::standard().iter().map(str::to_owned).collect();
    });
    assert_eq!(
        forfeited,
        "W1904A: AUSTRIA has forfeited in the file, although its bot was never at fault there"
    );

    // A power whose bot was at fault may have lost its claim.
    let deserted = |game: &mut GameRecord| {
        for power in PowerNames::standard().iter() {
            game.stages[0].events.push(upheaval::game_record::EventLine {
                kind: "bot_fault".to_owned(),
                power: Some(power.to_owned()),
                ..Default::default()
            });
        }
        game.end.end = "deserted".to_owned();
        game.end.forfeited = PowerNames::standard().iter().map(str::to_owned).collect();
    };
    changed(&deserted).unwrap();
    let mut other = kept.clone();
    deserted(&mut other);
    let text = other.to_text();
    assert_eq!(
        text.lines().last(),
        Some(
            "The end, W1904A: no power with a claim is left; Austria, England, France, Germany, Italy, Russia and \
             Turkey have forfeited"
        )
    );
    let drawn = kept.to_text().lines().last().unwrap().to_owned();
    assert!(drawn.starts_with("The end, W1904A: a draw of ") && drawn.contains(" and "), "{drawn}");

    // A solo that the file calls a draw.
    let solo = (0..210).map(|game| games_of("black-hole-ii", 210, 1909, [game]).remove(0).0);
    let mut won = solo.into_iter().find(|game| game.end.end == "solo").expect("some game is won");
    let winner = won.end.winner.take().unwrap();
    let end = won.to_text();
    won.end.end = "draw".to_owned();
    won.digest = won.digest_of_rest();
    let found = again(&won).expect_err("a solo");
    assert!(
        found.ends_with(&format!("the end is draw in the file, but solo of {winner} in the game")),
        "{found}"
    );
    assert!(!end.contains("wins alone"), "{end}");
    won.end.winner = Some(winner.clone());
    let end = won.to_text();
    assert_eq!(end.matches("wins alone").count(), 1, "{end}");
    // A power without units has nothing to list.
    let stage = won.stages.iter_mut().find(|stage| stage.units.contains_key(&winner)).unwrap();
    stage.units.insert(winner.clone(), Vec::new());
    let found = again(&won).expect_err("no units");
    assert!(found.contains(&format!("the units of {winner} are none in the file, but ")), "{found}");
}

/// Where retreats are sent with the orders, the table `orders` has each list once: in the movement phase if its unit
/// was not dislodged, otherwise in the retreat phase, with its result.
#[test]
fn every_list_of_retreats_is_among_the_orders_once_with_what_came_of_it() {
    let (mut spare, mut needed) = (0, 0);
    for (kept, record) in played("schizo-ii", 7) {
        assert!(kept.stages.iter().all(|stage| stage.stage != "retreats"));
        let mut seen = BTreeSet::new();
        for row in record.orders.iter().filter(|row| row.order.contains(" R ")) {
            let unit = row.unit.as_deref().expect("a unit");
            let season = (row.phase.year, row.phase.season);
            assert!(seen.insert((season, row.power, unit.to_owned())), "{unit} twice in {}", row.phase);
            assert!(row.order.starts_with(&format!("{unit} R ")), "{}", &*row.order);
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
        assert!(!text.contains("has nowhere to go"), "it is said by the line of the unit:\n{text}");
    }
    assert!(spare > 500 && needed > 20, "{spare} spare, {needed} needed");
}

#[test]
fn a_game_whose_retreats_are_sent_with_the_orders_is_not_saved_for_other_programs() {
    let (kept, _) = games_of("standard", 7, 1901, [0]).remove(0);
    let variant = kept.variant("game.json").unwrap();
    assert!(SavedGame::of(&kept, &variant).is_ok());
    let prophetic = Variant { retreats_sent: RetreatsSent::WithOrders, ..Variant::clone(&variant) };
    assert!(SavedGame::of(&kept, &prophetic).is_err());
}

#[test]
fn a_game_is_saved_as_the_python_package_does() {
    let (kept, _) = one_of("standard", 0);
    let variant = kept.variant("game.json").unwrap();
    let mut saved = SavedGame::of(&kept, &variant).unwrap();
    replay(&kept, variant, &mut |game| saved.record_state(game)).unwrap();
    let saved: Value = serde_json::from_str(&saved.to_json_line()).unwrap();
    let phases = saved["phases"].as_array().unwrap();
    assert_eq!(phases.len(), kept.stages.len() + 1);
    assert_eq!(phases[0]["state"]["units"]["FRANCE"], json!(["A MAR", "A PAR", "F BRE"]));
    assert_eq!(phases.last().unwrap()["name"], "COMPLETED");
    let retreat =
        phases.iter().find(|phase| phase["name"].as_str().unwrap().ends_with('R')).expect("retreats");
    let units = retreat["state"]["units"].to_string();
    assert!(units.contains("\"*A ") || units.contains("\"*F "), "{units}");
    let (mut other, _) = one_of("black-hole", 0);
    let refused = SavedGame::of(&other, &other.variant("game.json").unwrap()).err().unwrap().to_string();
    assert!(refused.starts_with("a game of `black-hole` cannot be saved for other programs"), "{refused}");
    // The rules count, not their name.
    other.rules.id = "standard".to_owned();
    assert!(SavedGame::of(&other, &other.variant("game.json").unwrap()).is_err());
}
