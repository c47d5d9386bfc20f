//! Random games that try every kind of order, with all additional statements of powers: coasts, exempt centres, wishes
//! for waterways, trapped fleets. They are played through a session, and through requests at the same time.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use testkit::amount;
use upheaval::game::{Ending, Stage};
use upheaval::ids::{Power, Powers};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::variant::Variant;
use upheaval::session::Session;

use super::{Loop, Seen, dislodged, first};

/// Possible wishes for waterways after a seismic order; wishes that do not fit are ignored.
fn wishes(order: &str, dice: &mut Stream) -> String {
    let words: Vec<&str> = order.split(' ').collect();
    let any = |dice: &mut Stream| *dice.choose(&[words[1], words[2], words[4]]).expect("three");
    match dice.below(8) {
        0 => " STRAIT".to_owned(),
        1 => " NONE DELETE".to_owned(),
        2 => format!(" CANAL {}", any(dice)),
        3 => format!(" KEEP CANAL {} CANAL {}", any(dice), any(dice)),
        4 => format!(" DELETE TERMINUS {}", any(dice)),
        5 => format!(" AT {} {} CANAL {}", words[1], words[2], words[1]),
        _ => String::new(),
    }
}

/// Gives every power some of its possible orders.
fn order(game: &mut Session, dice: &mut Stream) {
    let seismic = game.stage() == Stage::Seismic;
    for power in game.awaited() {
        for choice in game.legal_orders(power) {
            // Only a few of the quakes, so that several powers often order the same one.
            let among = if seismic { choice.orders.len().min(6) as u32 } else { choice.orders.len() as u32 };
            let picked = match seismic {
                true => {
                    (dice.below(40) as usize * among as usize + dice.below(among) as usize)
                        % choice.orders.len()
                }
                false => dice.below(among) as usize,
            };
            let mut text = choice.orders[picked].text.clone();
            if dice.below(8) == 0 {
                continue; // nothing is ordered
            }
            if seismic {
                text += &wishes(&text, dice);
            }
            // Some are only possible without the others: the session refuses these, and they are not given.
            let _ = game.order(power, text);
        }
    }
}

fn orders(game: &Session) -> impl Iterator<Item = (Power, Vec<String>)> {
    let of = |power| (power, game.orders(power).to_vec());
    Powers::STANDARD.iter().map(of).filter(|(_, texts)| !texts.is_empty())
}

/// Plays a game to its end, together with requests.
fn play(variant: Arc<Variant>, parameters: Value, seed: u64, last_year: u16) -> Seen {
    let mut dice = Stream::keyed(seed, Purpose::Bot, &[7]);
    let mut game = Session::of(variant, seed).ending_in(last_year);
    let mut request = first(game.game(), json!({"seed": seed}));
    request["parameters"] = parameters;
    let mut desk = Loop::new(request);
    loop {
        let phase = desk.phase().to_owned();
        let context = format!("{}, seed {seed}, {phase}", game.variant().id);
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut asked = false;
        // Coasts are chosen in the request that made them necessary, including by retreats that were sent with the
        // orders.
        while !game.is_over() && (game.phase().to_string() == phase || game.stage() == Stage::Coasts) {
            if !asked && game.stage() != Stage::Coasts {
                same_state(&mut desk, &game, &context);
            }
            asked = true;
            order(&mut game, &mut dice);
            for (power, given) in orders(&game) {
                given.iter().filter(|text| text.contains(" AT ") || text.contains("CANAL")).for_each(|_| {
                    desk.seen.note("wish");
                });
                texts.entry(game.names().power(power).to_owned()).or_default().extend(given);
            }
            game.advance();
        }
        let ending = game.ending();
        assert!(asked || phase.ends_with('A'), "{context}: the game is at {}, {ending:?}", game.phase());
        let answer = desk.settle(&texts);
        for happened in answer["next"]["map_events"].as_array().into_iter().flatten() {
            if happened.is_array() {
                desk.seen.note("at once");
            }
        }
        if let Some(ending) = answer.get("ending") {
            let expected = match game.ending().expect("it is over") {
                Ending::Solo(winner) => json!({"winner": game.names().power(*winner)}),
                Ending::Draw(powers) => {
                    json!({"draw": powers.iter().map(|&power| game.names().power(power)).collect::<Vec<_>>()})
                }
            };
            for key in ["winner", "draw"] {
                assert_eq!(ending.get(key), expected.get(key), "{context}");
            }
            assert_eq!(answer["units_after"], json!(game.game().world().written_units()), "{context}");
            assert_eq!(answer["centers_after"], json!(game.game().world().written_centres()), "{context}");
            return desk.seen;
        }
    }
}

fn same_state(desk: &mut Loop, game: &Session, context: &str) {
    let (there, here) = (desk.game(), game.game());
    assert_eq!(there.stage(), here.stage(), "{context}");
    assert_eq!(there.world().written_units(), here.world().written_units(), "{context}");
    assert_eq!(there.world().written_centres(), here.world().written_centres(), "{context}");
    assert_eq!(there.terrain().hash(), here.terrain().hash(), "{context}: another map, {}", desk.request);
    assert_eq!(dislodged(&there), dislodged(here), "{context}");
    assert_eq!(there.eliminated(), here.eliminated(), "{context}");
    if here.stage() != Stage::Retreats {
        assert_eq!(there.hash(), here.hash(), "{context}: another state, {}", desk.request);
    }
}

#[test]
fn a_game_of_dice_through_requests_is_the_same_game() {
    let mut all = Seen::default();
    for id in Variant::shipped() {
        let variant = Arc::new(Variant::find(id, Path::new("")).expect("sound").expect("shipped"));
        for seed in 0..amount(12, 50) {
            all.join(play(Arc::clone(&variant), json!({}), seed, 1906));
        }
    }
    all.expect(&[
        "choices",
        "wish",
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
    let changed: [(&str, &[(&str, Value)]); 9] = [
        (
            "schizo-ii",
            &[
                ("splits.per_season", json!(2)),
                ("holes.per_season", json!(2)),
                ("closure", json!("collapse")),
            ],
        ),
        (
            "schizo-ii",
            &[("unnamed", json!("drawn")), ("holes.retreats", json!("foretold")), ("per_hole", json!(2))],
        ),
        (
            "black-hole",
            &[("per_season", json!(3)), ("change", json!("last-home")), ("announce", json!("on-request"))],
        ),
        (
            "black-hole-i",
            &[
                ("holes.faces", json!("centres")),
                ("per_season", json!(3)),
                ("holes.retreats", json!("unforetold")),
            ],
        ),
        (
            "double-reversible",
            &[("closure", json!("void")), ("faces", json!("provinces")), ("per_season", json!(6))],
        ),
        (
            "double-reversible",
            &[
                (
                    "exemption",
                    json!({"unnamed": "drawn", "change": "last-home", "lapse": "eliminated", "announce": "on-request"}),
                ),
                ("toggles.faces", json!("centres")),
                ("toggles.per_season", json!(4)),
            ],
        ),
        ("deluge-ii", &[("schedule", json!("early-centres")), ("max_seasons_aboard", json!(1))]),
        ("seismic-acerunner", &[("after", json!("spring-and-winter")), ("coastless", json!("trapped"))]),
        (
            "standard",
            &[("rulebook", json!("1971")), ("retreats.unordered", json!("north-then-anticlockwise"))],
        ),
    ];
    let mut all = Seen::default();
    for (id, parameters) in changed {
        let parameters: Value =
            parameters.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let request = json!({"id": 1, "variant": id, "phase": "F1901M", "parameters": parameters, "powers": {}, "orders": {}});
        let game = upheaval::adjudicate::AdjudicationService::new().game(&request.to_string());
        let variant = Arc::clone(game.unwrap_or_else(|error| panic!("{error}")).variant());
        for seed in 0..amount(6, 25) {
            all.join(play(Arc::clone(&variant), parameters.clone(), seed, 1907));
        }
    }
    all.expect(&["state.seasons_aboard", "state.may_change", "state.swallowed", "state.doomed"]);
}
