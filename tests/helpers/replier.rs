//! A seat whose replies are made in this process: the effect of a program's lines, without the program.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::Bot;
use upheaval::rng::Stream;
use upheaval_bots::external::read_reply;

/// The results of the lines of a game.
#[derive(Clone, Copy, Debug, Default)]
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
}

impl<F: FnMut(&Value, &Observation<'_>) -> Vec<u8> + Send> Bot for Replier<F> {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        let request = json!({
            "type": "orders?",
            "game": "game",
            "phase": seen.phase.to_string(),
            "topology_hash": format!("{:016x}", seen.terrain().hash()),
        });
        let line = (self.line)(&request, seen);
        match read_reply(&request, &line, seen, ask) {
            Ok((decisions, refused)) => {
                assert!(refused.iter().all(|refusal| !refusal.reason.is_empty()), "{refused:?}");
                self.outcome().read += 1;
                self.outcome().refused += refused.len() as u64;
                answer.give_all(ask, &decisions);
            }
            Err(reason) => {
                assert!(!reason.is_empty() && !reason.contains('\n'), "{reason:?}");
                self.outcome().malformed += 1;
            }
        }
    }
}
