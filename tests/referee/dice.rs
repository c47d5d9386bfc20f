//! Random games that try every kind of order, with all additional statements of powers: coasts, exempt centres, wishes
//! for waterways, trapped fleets. They are played through a session, and through requests at the same time.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use testkit::amount;
use upheaval::game::Stage;
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::variant::Variant;
use upheaval::session::Session;

use super::boards::with_options;
use super::{Seen, first};

/// Plays a game in which every power gives some of its possible orders.
fn play(variant: Arc<Variant>, parameters: Value, seed: u64, last_year: u16) -> Seen {
    let mut dice = Stream::keyed(seed, Purpose::Bot, &[7]);
    let session = Session::of(variant, seed).ending_in(last_year);
    let mut request = first(session.game(), json!({"seed": seed}));
    request["parameters"] = parameters;
    super::play(session, request, |session, seen| {
        let seismic = session.stage() == Stage::Seismic;
        for power in session.awaited() {
            for choice in session.legal_orders(power) {
                // Only a few of the quakes, so that several powers often order the same one.
                let among = choice.orders.len().min(if seismic { 6 } else { usize::MAX });
                let picked = dice.below(if seismic { 40 } else { 1 }) as usize * among;
                let picked = (picked + dice.below(among as u32) as usize) % choice.orders.len();
                if dice.below(8) == 0 {
                    continue; // nothing is ordered
                }
                // Some are only possible without the others: the session refuses these, and they are not given.
                let text = choice.orders[picked].text.clone();
                let _ = session.order(power, with_options(text, &mut dice, seen));
            }
        }
    })
}

#[test]
fn a_game_of_dice_through_requests_is_the_same_game() {
    let last_year = if testkit::tries_all() { 1906 } else { 1904 };
    let mut all = Seen::default();
    for id in Variant::shipped() {
        let variant = Arc::new(Variant::find(id, Path::new("")).expect("sound").expect("shipped"));
        for seed in 0..amount(1, 6) {
            all.join(play(Arc::clone(&variant), json!({}), seed, last_year));
        }
    }
    all.expect(&[
        "choices",
        "CANAL",
        "AT",
        "at once",
        "R",
        "E",
        "state.swallowed",
        "state.doomed",
        "state.announced",
    ]);
    all.expect(&["state.exempt", "state.eliminated", "state.last_occupant", "state.waterways"]);
}

/// Rules that no variant has by itself, set as parameters: the state that these games keep is also kept in requests.
#[test]
fn a_game_under_other_parameters_through_requests_is_the_same_game() {
    let changed = [
        (
            "schizo-ii",
            json!({"changes.splits.count": 2, "changes.holes.count": 2, "changes.holes.change": "collapse"}),
        ),
        (
            "schizo-ii",
            json!({"unnamed": "nature", "foretold": "before-retreats", "changes.restores.count": 2}),
        ),
        ("black-hole", json!({"count": 3, "again": "last-home", "told": "on-request"})),
        ("black-hole-i", json!({"changes.holes.of": "centres - spared", "count": 3, "foretold": "no"})),
        (
            "double-reversible",
            json!({"changes.toggles.change.open": "void", "of": "provinces | under(provinces)", "count": 6}),
        ),
        ("double-reversible", json!({"changes.toggles.of": "centres | under(centres)", "count": 4})),
        ("deluge-ii", json!({"shift": -1, "max_seasons_aboard": 1})),
        ("seismic-acerunner", json!({"seasons": "spring-and-winter", "stranded": "trap"})),
        ("standard", json!({"rulebook": "1971", "retreats.unordered": "north-then-anticlockwise"})),
    ];
    let last_year = if testkit::tries_all() { 1907 } else { 1905 };
    let mut all = Seen::default();
    for (id, parameters) in changed {
        let request = json!({"id": 1, "variant": id, "phase": "F1901M", "parameters": parameters, "powers": {}, "orders": {}});
        let game = upheaval::adjudicate::AdjudicationService::new().game(&request.to_string());
        let variant = Arc::clone(game.unwrap_or_else(|error| panic!("{error}")).variant());
        for seed in 0..amount(1, 6) {
            all.join(play(Arc::clone(&variant), parameters.clone(), seed, last_year));
        }
    }
    all.expect(&["state.seasons_aboard", "state.may_change", "state.swallowed", "state.doomed"]);
}
