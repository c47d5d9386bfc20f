//! A seat whose replies are produced in this process, for tests: the effect of a program's lines, without the program.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use upheaval_engine::ask::{Answer, Ask, Observation};
use upheaval_engine::bot::{Bot, Conduct, RefusedOrder};
use upheaval_engine::rng::Stream;

use super::session::{Trouble, reply_of};
use super::{map, reply};

/// The results of the lines of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReplyOutcome {
    /// Lines that had the form of a reply.
    pub read: u64,
    /// Lines without this form.
    pub malformed: u64,
    /// Orders that could not be followed.
    pub refused: u64,
}

/// A seat that is answered by this function, which receives a request with the fields that a reply repeats.
pub struct Replier<F> {
    line: F,
    /// The results of it and of the seats beside it.
    outcome: Arc<Mutex<ReplyOutcome>>,
}

impl<F: FnMut(&Value, &Observation<'_>) -> Vec<u8> + Send> Replier<F> {
    /// A seat that counts the results of its lines here.
    pub fn new(line: F, outcome: Arc<Mutex<ReplyOutcome>>) -> Replier<F> {
        Replier { line, outcome }
    }

    fn outcome(&self) -> MutexGuard<'_, ReplyOutcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&mut self, seen: &Observation<'_>) -> Vec<String> {
        let request = json!({
            "type": "orders?",
            "game": "game",
            "phase": seen.phase.to_string(),
            "topology_hash": map::hash(seen.terrain()),
        });
        match reply_of(&request, &(self.line)(&request, seen)) {
            Ok(orders) => {
                self.outcome().read += 1;
                orders
            }
            Err(Trouble { conduct, reason, .. }) => {
                assert!(conduct == Conduct::Protocol && !reason.contains('\n'), "{reason:?}");
                self.outcome().malformed += 1;
                Vec::new()
            }
        }
    }

    fn count(&mut self, refusals: &[RefusedOrder]) {
        assert!(refusals.iter().all(|refusal| !refusal.reason.is_empty()), "{refusals:?}");
        self.outcome().refused += refusals.len() as u64;
    }
}

impl<F: FnMut(&Value, &Observation<'_>) -> Vec<u8> + Send> Bot for Replier<F> {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        let texts = self.ask(seen);
        let (decisions, refusals) = reply::read(seen, ask, &texts);
        self.count(&refusals);
        answer.give_all(ask, &decisions);
    }
}
