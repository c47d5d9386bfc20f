//! Lines of programs that play: in a whole game, each reply is read or refused, and the game continues in any case.

use std::sync::{Arc, Mutex};

use super::{inputs, mutate, scramble, word};
use crate::helpers::replier::{Replier, ReplyOutcome};
use crate::helpers::seats::{bots, play_out};
use crate::helpers::shipped::variant;
use serde_json::{Value, json};
use upheaval::bot::Observation;
use upheaval::game::Game;
use upheaval::ids::Power;
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::legal::legal_orders;
use upheaval::rules::nature::Seeded;
use upheaval::rules::notation::WrittenOrder;
use upheaval::rules::order::Orders;

/// Orders as a program may write them: legal ones of its units, and words.
fn orders(seen: &Observation<'_>, stream: &mut Stream) -> Vec<String> {
    let mut texts = Vec::new();
    for unit in *seen.position.units_of(seen.power) {
        let mut legal = Vec::new();
        legal_orders(seen.board, seen.position, seen.chains, unit, &mut legal);
        let Some(&order) = stream.choose(&legal) else { continue };
        let mut all = Orders::all_hold();
        all[unit] = order;
        let written = WrittenOrder::from_orders(seen.position, &all, unit);
        texts.extend(written.map(|written| written.display(seen.names()).to_string()));
    }
    for _ in 0..stream.below(4) {
        texts.push(word(stream).to_owned());
    }
    texts
}

/// A line that answers the request, or almost.
fn line(request: &Value, seen: &Observation<'_>, stream: &mut Stream) -> Vec<u8> {
    let mut reply = json!({ "type": "orders", "orders": orders(seen, stream) });
    for field in ["game", "phase", "topology_hash"] {
        reply[field] = request[field].clone();
    }
    match stream.below(8) {
        0 => {
            let mut bytes = reply.to_string().into_bytes();
            scramble(&mut bytes, stream);
            bytes
        }
        1 => {
            mutate(&mut reply, stream);
            reply.to_string().into_bytes()
        }
        // Only the orders are changed, so there is a valid reply with strange orders.
        2..=4 => {
            mutate(&mut reply["orders"], stream);
            reply.to_string().into_bytes()
        }
        _ => reply.to_string().into_bytes(),
    }
}

#[test]
fn replies_of_any_bytes_are_read_or_refused_and_the_game_ends() {
    let boards =
        ["standard", "black-hole", "deluge-ii", "schizo-ii", "seismic-1971", "black-hole-ii"].map(variant);
    let outcome = Arc::new(Mutex::new(ReplyOutcome::default()));
    let numbered = inputs("replies", 12);
    let are_many = numbered.are_many();
    for mut input in numbered {
        let seed = input.number;
        let board = Arc::clone(input.dice.choose(&boards).expect("a board"));
        let last_year = board.first_phase.year + 3;
        let mut game = Game::new(board, last_year);
        let seats = |power: Power| {
            let mut own = Stream::keyed(26, Purpose::Bot, &[seed, power.index() as u64]);
            let line = move |request: &Value, seen: &Observation<'_>| line(request, seen, &mut own);
            Replier::new(line, Arc::clone(&outcome))
        };
        play_out(&mut game, bots(seats), seed, &mut Seeded { seed, block: 0 }, &mut ());
        assert!(game.ending().is_some(), "input {seed}");
    }
    let ReplyOutcome { read, malformed, refused } = *outcome.lock().expect("no seat panicked");
    println!("{read} replies read, {malformed} malformed, {refused} orders refused");
    assert!(read > 0 && malformed > 0 && refused > 0 || !are_many);
}
