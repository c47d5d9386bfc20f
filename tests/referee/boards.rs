//! Whatever an answer prints as `next` is taken as a request: games of random legal orders on every board that ships
//! and on random boards with points, under the rules of every variant. The same orders are given to a [`Session`], and
//! both are the same game after each phase.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use testkit::amount;
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::variant::Variant;
use upheaval::session::Session;

use super::{Loop, Seen, first};
use crate::helpers::boards::{self, Board};

/// A game of the variant at this path, or with this id, through requests and in a session at once.
pub(crate) fn play(variant: &str, seed: u64, years: u16) -> Seen {
    let found = Variant::find(variant, Path::new(""));
    let found = found.unwrap_or_else(|error| panic!("{error}")).expect("a variant");
    let session = Session::of(Arc::new(found), seed);
    let last_year = session.phase().year + years;
    let session = session.ending_in(last_year);
    let mut request = first(session.game(), json!({"seed": seed}));
    request["variant"] = json!(variant);
    let mut dice = Stream::keyed(seed, Purpose::Bot, &[]);
    super::play(session, request, |session, seen| {
        for power in session.awaited() {
            for choice in session.legal_orders(power) {
                let order = dice.choose(&choice.orders).expect("at least one").text.clone();
                // Which army is aboard which fleet depends on earlier orders, and so does how much is left to adjust:
                // the session refuses what is not possible.
                let _ = session.order(power, with_options(order, &mut dice, seen));
            }
        }
    })
}

/// A seismic order, followed by random options for waterways.
pub(super) fn with_options(order: String, dice: &mut Stream, seen: &mut Seen) -> String {
    let words: Vec<&str> = order.split(' ').collect();
    let places: &[usize] = match words[0] {
        "SEPARATE" => &[1, 2, 4, 5],
        "CONNECT" => &[1, 2, 4],
        _ => return order,
    };
    let mut options = String::new();
    while dice.below(2) == 0 {
        let mut place = || words[places[dice.below(places.len() as u32) as usize]];
        let option = match [place(), place(), place()] {
            [x, ..] if x == words[1] => "STRAIT".to_owned(),
            [x, y, _] if y == words[1] => format!("TERMINUS {x}"),
            [x, _, z] if z == words[1] => format!("CANAL {x}"),
            [_, y, z] if y == z => "DELETE".to_owned(),
            [x, y, z] if x == y => format!("AT {x} {z} CANAL {z}"),
            _ => "KEEP".to_owned(),
        };
        seen.note(option.split(' ').next().expect("a word"));
        options = format!("{options} {option}");
    }
    order + &options
}

/// A game with the rules of a variant on a board, whose map file lies in this folder, if it does not ship.
fn play_on(board: &Board, id: &str, entries: &[(&str, &str)], folder: &Path, seed: u64, years: u16) -> Seen {
    let path = folder.join("rules.toml");
    fs::write(&path, board.rules(id, entries)).expect("a file");
    play(path.to_str().expect("a path"), seed, years)
}

/// The key of a variant on the standard board.
const STANDARD: &str = "map = \"standard\"";

#[test]
fn whatever_is_printed_is_taken_on_every_board_that_ships() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = amount(1, 3);
    let mut seen = Seen::default();
    let years = if testkit::tries_all() { [4, 5] } else { [2, 3] };
    for id in testkit::thinned(Variant::shipped(), 2) {
        for seed in 0..games {
            for board in boards::of_other_powers() {
                seen.join(play_on(&board, id, &[], folder.path(), seed, years[0]));
            }
            seen.join(play(id, seed, years[1]));
            // The board of the deluge has Iceland, a face with two neighbours.
            let text = Variant::shipped_text(id).expect("it ships");
            if text.contains(STANDARD) {
                let path = folder.path().join("deluge.toml");
                fs::write(&path, text.replacen(STANDARD, "map = \"deluge\"", 1)).expect("a file");
                seen.join(play(path.to_str().expect("a path"), seed, years[0]));
            }
        }
    }
    seen.expect(&["M", "R", "A", "E", "state.waterways", "state.swallowed", "STRAIT", "CANAL", "KEEP"]);
}

/// Changes of the map that no variant that ships has beside waterways that come and go.
const BESIDE: [&[(&str, &str)]; 4] = [
    &[],
    &[("black-hole", "holes")],
    &[("schizo-ii", "holes"), ("schizo-ii", "restores"), ("schizo-ii", "splits")],
    &[("double-reversible", "toggles")],
];

#[test]
fn whatever_is_printed_is_taken_on_two_hundred_random_boards_with_points() {
    let folder = tempfile::tempdir().expect("a folder");
    let others: Vec<&str> = Variant::shipped().collect();
    let mut seen = Seen::default();
    for number in testkit::thinned(0..200, 11) {
        let path = folder.path().join("map.json");
        let (board, map) = boards::random(number, &path);
        fs::write(&path, map.to_string()).expect("a file");
        // Every other board has waterways that come and go, alone or beside other changes.
        let at = (number / 2) as usize;
        let (id, entries) = match number % 2 {
            0 => ("seismic-acerunner", BESIDE[at % BESIDE.len()]),
            _ => (others[at % others.len()], BESIDE[0]),
        };
        seen.join(play_on(&board, id, entries, folder.path(), number, 3));
    }
    seen.expect(&[
        "M",
        "R",
        "A",
        "E",
        "state.waterways",
        "state.swallowed",
        "state.doomed",
        "state.last_owner",
    ]);
    seen.expect(&["STRAIT", "TERMINUS", "CANAL", "DELETE", "AT", "KEEP", "choices"]);
}

#[test]
fn a_strait_and_a_canal_that_end_at_a_point_are_printed_and_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let [ancient, _] = boards::of_other_powers();
    let path = folder.path().join("rules.toml");
    fs::write(&path, ancient.rules("seismic-acerunner", &[])).expect("a file");
    let mut desk = Loop::new(json!({
        "id": 1, "variant": path.to_str(), "phase": "S0001E", "powers": {"EGYPT": {"units": ["A THB"]}},
    }));
    let answer = desk.settle(&BTreeMap::new());
    let listed = &answer["next"]["state"]["waterways"];
    let strait = json!({"kind": "strait", "in": ["SIN", "THB"], "ends": ["REE", "CAS"]});
    let is_strait = |way: &&serde_json::Value| way["kind"] == "strait";
    let straits: Vec<_> = listed.as_array().expect("a list").iter().filter(is_strait).cloned().collect();
    assert_eq!(straits, [strait]);
    assert_eq!(desk.settle(&BTreeMap::new())["phase"], "F0001M");
    // A canal through Sinai from the point to the Red Sea, which the board does not have.
    let mut request = desk.request.clone();
    let canal = json!({"kind": "canal", "in": ["SIN"], "ends": ["CAS", "REE"]});
    request["state"]["waterways"] = json!([canal]);
    desk.request = request;
    desk.settle(&BTreeMap::new());
    assert_eq!(desk.request["state"]["waterways"], json!([canal]));
}
