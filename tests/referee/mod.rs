//! `upheaval adjudicate` as a referee. The possible contents of a request and of an answer are in
//! `cli/tests/sessions/adjudicate*.md`.
//!
//! The test of everything is a game played through requests, each of which is the `next` of the previous answer with
//! the orders added: these games are equal to direct ones, with the same states, the same draws and the same end.

mod boards;
mod bots;
mod dice;
mod parameters;
mod schema;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use upheaval::adjudicate::AdjudicationService;
use upheaval::ask::{Public, Retreating};
use upheaval::game::{Game, Stage};

use schema::Schema;

/// A game that is played through requests.
struct Loop {
    service: AdjudicationService,
    /// The request for the current phase, without orders.
    request: Value,
    schema: Schema,
    seen: Seen,
}

/// The features that occurred in the games played through requests.
#[derive(Default)]
struct Seen(BTreeMap<String, u32>);

impl Seen {
    fn note(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    fn join(&mut self, other: Seen) {
        for (what, count) in other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    fn count(&self, what: &str) -> u32 {
        self.0.get(what).copied().unwrap_or(0)
    }

    #[track_caller]
    fn expect(&self, all: &[&str]) {
        for what in all {
            assert!(self.count(what) > 0, "no {what} in {:?}", self.0);
        }
    }
}

/// The first request of a game: the places of units and centres, and nothing else.
fn first(game: &Game, nature: Value) -> Value {
    let world = game.world();
    let (units, centres) = (world.written_units(), world.written_centres());
    let mut powers = serde_json::Map::new();
    for power in game.power_names().iter() {
        let entry = json!({"units": units.get(power), "centers": centres.get(power)});
        let entry = entry.as_object().expect("an object").iter().filter(|(_, list)| !list.is_null());
        powers.insert(power.to_string(), Value::Object(entry.map(|(k, v)| (k.clone(), v.clone())).collect()));
    }
    json!({
        "id": [1, "x"], "variant": game.variant().id, "phase": game.phase().to_string(),
        "last_year": game.last_year(), "nature": nature, "powers": powers,
    })
}

/// The units that must retreat.
fn dislodged(game: &Game) -> Vec<Retreating> {
    Public::of(game).retreating()
}

impl Loop {
    fn new(request: Value) -> Loop {
        Loop {
            service: AdjudicationService::within(std::env::temp_dir()),
            request,
            schema: Schema::read(),
            seen: Seen::default(),
        }
    }

    fn phase(&self) -> &str {
        self.request["phase"].as_str().expect("a phase")
    }

    /// The request that waits for orders, as a game.
    fn game(&mut self) -> Game {
        let mut request = self.request.clone();
        request["orders"] = json!({});
        self.service.game(&request.to_string()).unwrap_or_else(|error| panic!("{error}: {request}"))
    }

    /// Asks for the phase with these orders; the answer's `next` is the next request. Returns the answer.
    fn settle(&mut self, orders: &BTreeMap<String, Vec<String>>) -> Value {
        self.request["orders"] = json!(orders);
        let text = self.request.to_string();
        self.schema.request(&self.request);
        let answer = self.service.answer(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let answer = serde_json::to_value(answer).expect("an answer can be written");
        self.schema.answer(&answer);
        let kind = self.phase()[5..].to_owned();
        self.seen.note(kind);
        for key in ["choices", "state", "map"].into_iter().filter(|key| answer.get(key).is_some()) {
            self.seen.note(key);
        }
        let next = &answer["next"];
        assert_ne!(next.is_null(), answer["ending"].is_null(), "one of both: {answer}");
        if !next.is_null() {
            assert_eq!(next["id"], self.request["id"]);
            assert_eq!(next.get("orders"), None);
            let keys = next["state"].as_object().expect("a state").keys();
            keys.for_each(|key| self.seen.note(format!("state.{key}")));
            self.request = next.clone();
        }
        answer
    }
}

/// The current stage, as a word.
fn word(stage: Stage) -> String {
    format!("{stage:?}").to_lowercase()
}
