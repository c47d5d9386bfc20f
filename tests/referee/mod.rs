//! `upheaval adjudicate` as a referee. The possible contents of a request and of an answer are in
//! `cli/tests/sessions/adjudicate*.md`.
//!
//! The test of everything is a game played through requests, each of which is the `next` of the previous answer with
//! the orders added: these games are equal to direct ones, with the same states, the same draws and the same end.

pub mod boards;
mod bots;
mod dice;
mod parameters;
mod schema;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use upheaval::adjudicate::AdjudicationService;
use upheaval::ask::{Public, Retreating};
use upheaval::game::{Ending, Game, Stage};
use upheaval::session::Session;
use upheaval::topology::report::MapReport;

use schema::Schema;

/// A game that is played through requests.
struct Loop {
    service: AdjudicationService,
    /// The request for the current phase, without orders.
    request: Value,
    schema: &'static Schema,
    seen: Seen,
}

/// The features that occurred in the games played through requests.
#[derive(Default)]
pub(crate) struct Seen(BTreeMap<String, u32>);

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
        // Without slow tests there are too few games to require anything.
        for what in all.iter().filter(|_| testkit::tries_all()) {
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

/// Plays a game to its end in a session and through requests at once; the orders of each stage are given to the
/// session.
fn play(mut session: Session, request: Value, mut order: impl FnMut(&mut Session, &mut Seen)) -> Seen {
    let mut desk = Loop::new(request);
    loop {
        let phase = desk.phase().to_owned();
        let context = format!("{}, seed {}, {phase}", desk.request["variant"], desk.request["nature"]);
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut asked = false;
        // Coasts are chosen in the request that made them necessary, including by retreats that were sent with the
        // orders.
        // A session passes a Winter without adjustments, which is a request of its own.
        let is_of_season = |session: &Session| session.phase().to_string()[..5] == phase[..5];
        while !session.is_over()
            && (session.phase().to_string() == phase
                || session.stage() == Stage::Coasts && is_of_season(&session))
        {
            if !asked && session.stage() != Stage::Coasts {
                same(&mut desk, session.game(), &context);
            }
            asked = true;
            order(&mut session, &mut desk.seen);
            for power in session.game().powers() {
                let given = session.orders(power).iter().cloned();
                texts.entry(session.names().power(power).to_owned()).or_default().extend(given);
            }
            session.advance();
        }
        texts.retain(|_, given| !given.is_empty());
        assert!(asked || phase.ends_with('A'), "{context}: the session is at {}", session.phase());
        let answer = desk.settle(&texts);
        for happened in answer["next"]["map_events"].as_array().into_iter().flatten() {
            if happened.is_array() {
                desk.seen.note("at once");
            }
        }
        if let Some(ending) = answer.get("ending") {
            let names = session.names();
            let expected = match session.ending().unwrap_or_else(|| panic!("{context}: the session goes on"))
            {
                Ending::Solo(winner) => json!([names.power(*winner), null]),
                Ending::Draw(powers) => {
                    json!([null, powers.iter().map(|&power| names.power(power)).collect::<Vec<_>>()])
                }
            };
            assert_eq!(json!([ending["winner"], ending["draw"]]), expected, "{context}");
            let world = session.game().world();
            assert_eq!(answer["units_after"], json!(world.written_units()), "{context}");
            assert_eq!(answer["centers_after"], json!(world.written_centres()), "{context}");
            return desk.seen;
        }
    }
}

/// The position that the request describes is that of the game.
fn same(desk: &mut Loop, game: &Game, context: &str) {
    let asked = desk.game();
    let waterways = |game: &Game| MapReport::new(game.terrain().chart(), game.terrain().board()).waterways;
    assert_eq!(waterways(&asked), waterways(game), "{context}");
    assert_eq!(asked.terrain().hash(), game.terrain().hash(), "{context}: another map, {}", desk.request);
    assert_eq!((asked.stage(), asked.eliminated()), (game.stage(), game.eliminated()), "{context}");
    assert_eq!(asked.world().written_units(), game.world().written_units(), "{context}");
    assert_eq!(asked.world().written_centres(), game.world().written_centres(), "{context}");
    assert_eq!(dislodged(&asked), dislodged(game), "{context}");
    if game.stage() != Stage::Retreats {
        assert_eq!(asked.hash(), game.hash(), "{context}: another state, {}", desk.request);
    }
}

/// The current stage, as a word.
fn word(stage: Stage) -> String {
    format!("{stage:?}").to_lowercase()
}
