//! Programs of any language as bots; `docs/bot-protocol.md` has every message.
//!
//! ```text
//!   External (a seat) ─ request ─▶ Session ─▶ Process ═ stdin ═▶ the program
//!        ▲      reply ◀── orders ──┘  one reply each, in time      │
//!        └─ KnownMap: told whole once, then what changes ◀═════════╛ stdout
//! ```
//! Whatever the program does, a request to it ends in time. A fault is reported once, in a word for the game
//! ([`Bot::fault`]) and in a message for people ([`Pool::incidents`]); after a final one the process is ended with its
//! group, the seat holds for the rest of the game, and the next game gets a new process.
//!
//! [`upheaval_engine::play`] reports a fault to the log, and the recorder writes it into the tables. After each stage
//! the player applies the experiment's policy: it empties the seat of a bot that forfeits, or plays a voided game
//! again.
//!
//! The runner never reads or writes a pipe: threads do, so that a question ends after the program's move clock or its
//! longest silence, whatever the program does. A [`Pool`] holds the processes that wait for their next game, and ends
//! them when it is dropped or dismissed. Before a run with programs counts as complete, the programs are dismissed, and
//! the files of the run are compared with the bytes that were written. In a run from Python, the guard of a program is
//! `python/python/upheaval/_guard.py`.
//!
//! `launch` says what a program is started with, `process` what it may use and how it is ended, `tree` how its
//! processes are found and killed. A process of its own, the [`guard`], starts the program and outlives the run.

pub mod compliance;
pub mod guard;
mod launch;
mod pool;
mod process;
mod reply;
mod request;
mod session;
mod transcript;
mod tree;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use upheaval_engine::ask::{Answer, Ask, Faculty, Observation};
use upheaval_engine::bot::{
    Bot, BotFault, BotMaker, Brief, Conduct, Incident, ProgramKind, RefusedOrder, SettledStage, Verdict,
};
use upheaval_engine::ids::Power;
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::position::Phase;
use upheaval_engine::topology::MapEvent;

pub use launch::find as find_program;
pub use pool::Pool;
pub use process::end_all;
pub use reply::read_reply;
use reply::{PROTOCOL, read_decisions};
use request::{DecisionKind, KnownMap, map_hash};
use session::{ProgramError, ProgramSession};
pub use transcript::Transcript;
use transcript::{cut, short};

/// How many letters of an order that was refused are kept.
const LONGEST_ORDER: usize = 200;
/// How many letters of the reason why an order was refused are kept.
const LONGEST_REASON: usize = 300;

/// The content of a lock, which is valid even if a thread panicked with it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A seat that a program plays.
pub(crate) struct External {
    pool: Arc<Pool>,
    /// The program, while it is running.
    session: Option<ProgramSession>,
    power: String,
    game: String,
    map: KnownMap,
    fault: BotFault,
    /// The stages settled since the last message, for a program that wants to receive them.
    past: Vec<Value>,
    /// The orders that were refused since the last message, as that message has them.
    refused: Vec<Value>,
    /// The last movement phase whose orders it was asked for.
    answered: Option<Phase>,
}

/// Programs as bots, for the registry of an experiment.
pub const PROGRAMS: ProgramKind =
    ProgramKind { protocol: PROTOCOL, make: |program| maker(&Pool::new(program.clone())) };

/// A maker of seats for the program of a pool. It owns the pool, and with it the processes that wait for a game.
pub fn maker(pool: &Arc<Pool>) -> BotMaker {
    let [seats, incidents, trial, idle] = [pool, pool, pool, pool].map(Arc::clone);
    BotMaker::new(move || Box::new(External::new(Arc::clone(&seats))))
        .with_incidents(move || incidents.incidents())
        .with_trial(move || trial.try_out())
        .with_farewell(move || idle.dismiss())
}

impl External {
    /// A seat for the program of this pool.
    pub(crate) fn new(pool: Arc<Pool>) -> External {
        External {
            pool,
            session: None,
            power: String::new(),
            game: String::new(),
            map: KnownMap::default(),
            fault: BotFault::default(),
            past: Vec::new(),
            refused: Vec::new(),
            answered: None,
        }
    }

    fn begin(&mut self, brief: &Brief<'_>, seen: &Observation<'_>, seed: u64) -> Result<(), ProgramError> {
        let session = self.session.insert(self.pool.take().inspect_err(|_| self.pool.record_loss())?);
        session.is_ready(brief.game)?;
        let variant = brief.variant;
        let mut newgame = json!({
            "type": "newgame",
            "game": brief.game,
            "power": self.power,
            "variant": variant.id,
            "title": variant.title,
            "summary": variant.summary,
            "rules": variant.content(),
            "seed": seed,
            "last_year": brief.last_year,
            "phase": seen.phase.to_string(),
            "topology_hash": map_hash(seen.terrain()),
            "map": self.map.whole(seen.terrain()),
        });
        if !seen.handicap.is_none() {
            newgame["without"] = seen.handicap.iter().map(Faculty::name).collect();
        }
        session.tell(&newgame);
        if session.identity().ready_again {
            session.is_ready(brief.game)?;
        }
        Ok(())
    }

    /// Asks for a decision; no orders if the program has exited or does not answer.
    fn ask(&mut self, seen: &Observation<'_>, ask: &Ask) -> Vec<String> {
        let changes = self.session.as_ref().and_then(|_| self.map.changes(seen.terrain()));
        let Some(session) = &mut self.session else { return Vec::new() };
        let asked = DecisionKind::of(ask);
        let mut request = json!({
            "type": "orders?",
            "game": self.game,
            "phase": seen.phase.to_string(),
            "topology_hash": map_hash(seen.terrain()),
            "asks": asked.name(),
            "power": self.power,
            "powers": request::powers(seen),
        });
        if let Some(changes) = changes {
            request["changes"] = changes;
        }
        request::circumstances(seen, &mut request);
        request::refused(&mut self.refused, &mut request);
        if session.identity().history {
            request::retreating(&seen.retreating(), &mut request["powers"]);
            request["history"] = std::mem::take(&mut self.past).into();
        }
        request::choices(seen, ask, session.identity().legal, &mut request);
        self.pool.count(asked);
        match session.orders(&request) {
            Ok(orders) => orders,
            Err(error) => {
                self.record_fault(error, Some(seen.phase));
                Vec::new()
            }
        }
    }

    /// Records a fault, and ends the program if it cannot continue.
    fn record_fault(&mut self, error: ProgramError, phase: Option<Phase>) {
        self.fault.conduct = self.fault.conduct.or_graver(error.conduct);
        let is_final = error.is_final();
        let mut last_words = error.last_words;
        if is_final && let Some(session) = self.session.take() {
            last_words = session.end();
            self.pool.record_loss();
        }
        self.pool.record(self.incident(error.conduct, phase, error.reason, last_words));
    }

    fn incident(
        &self,
        conduct: Conduct,
        phase: Option<Phase>,
        reason: String,
        last_words: String,
    ) -> Incident {
        let phase = phase.map(|phase| phase.to_string());
        let (game, power) = (self.game.clone(), self.power.clone());
        Incident { conduct, game, power, phase, reason, last_words, times: 1 }
    }

    /// Reports orders that could not be read or followed. The game repeats them, with those that it refuses itself, in
    /// [`Bot::refused`].
    fn refuse(&mut self, refusals: Vec<RefusedOrder>) {
        let short = refusals.into_iter().map(|RefusedOrder { order, reason }| {
            RefusedOrder::new(cut(&order, LONGEST_ORDER), cut(&reason, LONGEST_REASON))
        });
        self.fault.refused.extend(short);
    }

    /// Reports the end of its game to the program, and releases the program for the next one.
    fn dismiss(&mut self, result: &Value) {
        if let Some(session) = self.session.take() {
            session.tell(result);
            self.pool.give_back(session);
        }
    }
}

impl Bot for External {
    fn new_game(&mut self, _: Power) {
        self.past.clear();
        self.refused.clear();
        self.answered = None;
    }

    fn briefed(&mut self, brief: &Brief<'_>, seen: &Observation<'_>, dice: &mut Stream) {
        brief.game.clone_into(&mut self.game);
        seen.names().power(seen.power).clone_into(&mut self.power);
        // A number that every language can represent exactly.
        let seed = dice.next_u64() >> 11;
        if let Err(error) = self.begin(brief, seen, seed) {
            self.record_fault(error, None);
        }
    }

    fn keeps_a_map(&mut self) -> bool {
        self.session.is_some()
    }

    fn map_changed(&mut self, change: &MapEvent) {
        self.map.happened(change);
    }

    fn keeps_a_record(&mut self) -> bool {
        self.session.as_ref().is_some_and(|session| session.identity().history)
    }

    fn settled(&mut self, past: &SettledStage) {
        self.past.push(request::past(past));
    }

    fn refused(&mut self, phase: Phase, refused: &[RefusedOrder]) {
        for RefusedOrder { order, reason } in refused {
            let told = format!("`{}`: {reason}", short(order));
            self.pool.refuse(reason, self.incident(Conduct::Illegal, Some(phase), told, String::new()));
            self.refused.push(json!({ "phase": phase.to_string(), "order": order, "reason": reason }));
        }
    }

    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        // All that is asked in a movement phase is asked in one message.
        if ask.is_of_movement() && self.answered.replace(seen.phase) == Some(seen.phase) {
            return;
        }
        let texts = self.ask(seen, ask);
        let (decisions, refusals) = read_decisions(seen, ask, &texts);
        self.refuse(refusals);
        for decision in &decisions {
            answer.give(decision);
        }
    }

    fn game_over(&mut self, seen: &Observation<'_>, verdict: Verdict<'_>) {
        let names = seen.names();
        let (end, winners) = match verdict {
            Verdict::Solo(winner) => ("solo", vec![names.power(winner)]),
            Verdict::Draw([]) => ("deserted", Vec::new()),
            Verdict::Draw(powers) => ("draw", powers.iter().map(|&power| names.power(power)).collect()),
        };
        let outcome = match (end, winners.contains(&names.power(seen.power))) {
            ("solo", true) => "won",
            (_, true) => "drew",
            ("deserted", false) => "eliminated",
            (_, false) if seen.position.is_out(seen.power) => "eliminated",
            (_, false) => "survived",
        };
        let mut result = json!({
            "type": "result",
            "game": self.game,
            "phase": seen.phase.to_string(),
            "end": end,
            "winners": winners,
            "outcome": outcome,
            "powers": request::powers(seen),
        });
        request::refused(&mut self.refused, &mut result);
        if self.keeps_a_record() {
            result["history"] = std::mem::take(&mut self.past).into();
        }
        self.dismiss(&result);
    }

    fn fault(&mut self) -> BotFault {
        std::mem::take(&mut self.fault)
    }
}

impl Drop for External {
    /// The game is broken off, because it is void or the seat is forfeited.
    fn drop(&mut self) {
        let (game, end) = (&self.game, "abandoned");
        let mut result = json!({ "type": "result", "game": game, "end": end, "winners": [], "outcome": end });
        request::refused(&mut self.refused, &mut result);
        self.dismiss(&result);
    }
}
