//! Games of bots, as a run plays them: recorded stage by stage, and played again through requests.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::helpers::engine::experiment;
use serde_json::{Value, json};
use testkit::amount;
use upheaval::analysis::scoring::places;
use upheaval::game::Game;
use upheaval::game_record::{EventLine, GameRecord, Origin, StageRecord, game_record};
use upheaval::record::{GameRows, SeatOutcome};
use upheaval::rules::variant::Variant;

use super::{Loop, Seen, dislodged, first};

/// Games of a variant with this bot in all seats.
fn played(variant: &str, bot: &str, games: u32, last_year: u16) -> Vec<(GameRecord, GameRows)> {
    let text = format!(
        "name = \"loop\"\nvariants = [\"{variant}\"]\ngames = {games}\nseed = 20\nlast_year = {last_year}\n\
         seats.all = \"{bot}\""
    );
    let experiment = experiment(&text, Path::new("."));
    let (schedule, player) = (experiment.schedule(), experiment.player());
    let origin = Origin::from(&experiment);
    (0..games).map(|game| game_record(&origin, &player, &schedule.game(0, game))).collect()
}

/// The orders of a stage as texts, including those that are kept as events.
fn orders(stage: &StageRecord, into: &mut BTreeMap<String, Vec<String>>) {
    let mut give = |power: &String, text: String| into.entry(power.clone()).or_default().push(text);
    for line in &stage.orders {
        // An entry that was not ordered, or had no effect, is not an order.
        let given = match stage.stage.as_str() {
            "retreats" => line.result == "overlap" || line.reason.is_none(),
            // Only lists of retreats are sent with the orders: no power has ordered a unit to disband.
            "movement" if line.disbands() => false,
            _ => !line.was_refused(),
        };
        if given {
            give(&line.power, line.order.clone());
        }
    }
    for EventLine { kind, province, power, detail, .. } in &stage.events {
        let (Some(power), place) = (power, province.as_deref().unwrap_or_default()) else { continue };
        match (stage.stage.as_str(), kind.as_str()) {
            ("movement", "exempt_named" | "exempt_changed") => give(power, format!("EXEMPT {place}")),
            ("movement", "exempt_announced") => give(power, "ANNOUNCE".to_owned()),
            ("coasts", "coast_moved") => {
                let coast = detail.as_deref().and_then(|place| place.split_once('/'));
                give(power, format!("F {place} COAST {}", coast.expect("one of several").1));
            }
            ("coasts", "removed") => give(power, format!("F {place} D")),
            _ => {}
        }
    }
}

/// The draws of nature in a stage, each by its name.
fn drawn(stage: &StageRecord, closure: &str) -> Vec<String> {
    let text = |EventLine { kind, province, power, detail, .. }: &EventLine| {
        let place = province.as_deref().unwrap_or_default();
        match kind.as_str() {
            "hole_drawn" => Some(format!("{closure} {place}")),
            "place_drawn" => Some(format!("{}: {closure} {place}", detail.as_deref()?)),
            "restored" => Some(format!("restore {place}")),
            "split_drawn" => detail.clone(),
            "unit_doubled" => Some(format!("stays {}", detail.as_deref()?)),
            "exempt_drawn" => Some(format!("exempt {} {place}", power.as_ref()?)),
            _ => None,
        }
    };
    stage.events.iter().filter_map(text).collect()
}

/// Plays a recorded game through requests, with draws by its seed or by their names.
fn follow(kept: &GameRecord, record: &GameRows, named: bool) -> Seen {
    let variant = kept.variant("game.json").expect("its rules");
    let keys = ["changes.holes.change", "changes.toggles.change", "changes.spread.change"];
    let closure = variant.parameters().into_iter().find(|p| keys.contains(&p.key.as_str()));
    let closure =
        closure.map_or("", |parameter| if parameter.value.contains("void") { "void" } else { "collapse" });
    let seeded = json!({"seed": kept.game.seed, "block": kept.game.block});
    let nature = if named { json!([]) } else { seeded };
    let mut desk = Loop::new(first(&Game::new(Arc::clone(&variant), kept.last_year), nature));
    let mut stages = kept.stages.iter().peekable();
    let context = format!("{} of {}, game {}", kept.game.variant, kept.game.bots["FRANCE"], kept.game.game);
    // A game passes a Winter without adjustments, whose draws are then among those of the Fall.
    let mut of_winter: Vec<String> = Vec::new();
    loop {
        let phase = desk.phase().to_owned();
        let mut texts = BTreeMap::new();
        let mut nature: Vec<String> = std::mem::take(&mut of_winter);
        let mut seen = Vec::new();
        // Retreats that were sent with the orders are a phase of the game but not a request; coasts that are chosen
        // after them belong to the request for the movement.
        let of_request = |stage: &&StageRecord| {
            let after_lists = stage.stage == "coasts" && variant.listing().is_allowed();
            stage.phase == phase || after_lists && stage.phase == phase.replace('M', "R")
        };
        while let Some(stage) = stages.next_if(of_request) {
            if seen.is_empty() && stage.stage != "coasts" {
                same_state(&desk.game(), stage, &format!("{context}, {phase}"));
            }
            orders(stage, &mut texts);
            nature.extend(drawn(stage, closure));
            seen.push(stage.stage.as_str());
        }
        if phase.starts_with('F') {
            (of_winter, nature) = nature.into_iter().partition(|text| text.starts_with("spread:"));
        }
        if !seen.contains(&"adjustments") && phase.ends_with('A') {
            desk.seen.note("empty winter");
        } else {
            assert!(!seen.is_empty(), "{context}: the game has no {phase}");
        }
        seen.into_iter().for_each(|stage| desk.seen.note(stage));
        if named {
            nature.iter().filter_map(|text| text.split(' ').next()).for_each(|word| desk.seen.note(word));
            desk.request["nature"] = json!(nature);
        }
        let answer = desk.settle(&texts);
        for (power, of_power) in answer["results"].as_object().expect("results") {
            for (order, words) in of_power.as_object().expect("orders") {
                assert_ne!(*words, json!(["illegal"]), "{context}, {phase}: {power} {order}");
            }
        }
        if let Some(ending) = answer.get("ending") {
            assert!(stages.next().is_none(), "{context}: the game continues after {phase}");
            same_end(ending, &answer, kept, record, &context);
            desk.seen.note(if ending.get("winner").is_some() { "solo" } else { "draw" });
            return desk.seen;
        }
    }
}

/// The game that a request describes is that of the stage.
fn same_state(game: &Game, stage: &StageRecord, context: &str) {
    assert_eq!(super::word(game.stage()), stage.stage, "{context}");
    assert_eq!(game.world().written_units(), stage.units, "{context}");
    assert_eq!(game.world().written_centres(), stage.centres, "{context}");
    assert_eq!(format!("{:016x}", game.terrain().hash()), stage.map, "{context}: another map");
    assert_eq!(dislodged(game), stage.dislodged, "{context}");
    // The options of a unit describe its retreat completely; the state additionally contains how it came about.
    if stage.stage != "retreats" {
        assert_eq!(format!("{:016x}", game.hash()), stage.state, "{context}: another state");
    }
}

fn same_end(ending: &Value, answer: &Value, kept: &GameRecord, record: &GameRows, context: &str) {
    let seats = record.game.seats.iter();
    let names = &kept.power_names;
    let drew: Vec<&str> =
        seats.filter(|(_, seat)| seat.outcome == SeatOutcome::Drew).map(|(p, _)| names.name(p)).collect();
    let expected = match &kept.end.winner {
        Some(winner) => json!({"winner": winner}),
        None => json!({"draw": drew}),
    };
    for key in ["winner", "draw"] {
        assert_eq!(ending.get(key), expected.get(key), "{context}");
    }
    let places = names.by_name(places(&record.game).into_iter());
    assert_eq!(ending["places"], json!(places), "{context}");
    assert_eq!(answer["units_after"], json!(kept.end.units), "{context}");
    assert_eq!(answer["centers_after"], json!(kept.end.centres), "{context}");
    assert_eq!(answer["phase"].as_str().map(|phase| &phase[..5]), Some(&kept.end.phase[..5]), "{context}");
}

/// Games of a bot in all variants; in every other variant the draws are named.
fn follow_all(bot: &str, games: u64, last_year: u16) -> Seen {
    let mut all = Seen::default();
    for id in testkit::thinned(Variant::shipped(), 2) {
        for (i, (kept, record)) in played(id, bot, games as u32, last_year).iter().enumerate() {
            all.join(follow(kept, record, i % 2 == 1));
        }
    }
    all.expect(&["movement", "adjustments", "seismic", "draw", "collapse", "void", "split"]);
    all.expect(&["map", "state.waterways", "state.last_owner", "state.last_occupant", "state.exempt"]);
    all
}

#[test]
fn a_game_of_hold_through_requests_is_the_same_game() {
    let seen = follow_all("hold", amount(1, 9), 1907);
    seen.expect(&["empty winter", "restore", "stays", "exempt", "state.eliminated"]);
    // Exempt centres that were drawn, until few other provinces are left.
    let mut seen = Seen::default();
    for id in testkit::thinned(["black-hole-i", "black-hole", "black-hole-ii"], 3) {
        let (kept, record) = &played(id, "hold", 1, 1925)[0];
        seen.join(follow(kept, record, true));
    }
    seen.expect(&["exempt", "state.exempt"]);
}

/// The year in which the longer games end.
fn last_year() -> u16 {
    if testkit::tries_all() { 1909 } else { 1905 }
}

#[test]
fn a_game_of_random_through_requests_is_the_same_game() {
    let seen = follow_all("random", amount(2, 9), last_year());
    seen.expect(&["retreats", "coasts", "choices", "empty winter", "solo", "restore", "stays"]);
    seen.expect(&["state.swallowed", "state.doomed", "state.announced", "state.may_change"]);
}

#[test]
fn a_game_of_greedy_through_requests_is_the_same_game() {
    let seen = follow_all("greedy", amount(1, 9), last_year());
    seen.expect(&["retreats", "coasts", "solo", "restore", "stays", "state.changed", "state.eliminated"]);
}

#[test]
fn a_game_of_dumbbot_through_requests_is_the_same_game() {
    let seen = follow_all("dumbbot", amount(1, 9), last_year());
    seen.expect(&["retreats", "coasts", "solo", "restore", "stays", "state.swallowed"]);
}

#[test]
fn a_game_of_search_through_requests_is_the_same_game() {
    let seen = follow_all("search", amount(1, 2), if testkit::tries_all() { 1905 } else { 1902 });
    seen.expect(&["retreats", "coasts", "restore", "state.doomed", "state.swallowed"]);
}
