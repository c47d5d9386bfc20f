//! Programs that wait for their next game, and their incidents.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use upheaval_engine::bot::{Incident, Program};

use super::lock;
use super::process::FAREWELL;
use super::request::DecisionKind;
use super::session::{ProgramError, ProgramSession};
use super::transcript::Transcript;

/// The most faults that are kept in words: as many as these, and as many reasons for refusing orders.
const KEPT: usize = 1000;

/// The incidents of a program.
#[derive(Default)]
struct Incidents {
    faults: Vec<Incident>,
    /// The orders that were refused, by reason without names: of each reason the first.
    refused: BTreeMap<String, Incident>,
}

/// All seats of one program. When it is dropped, it ends every waiting process.
pub struct Pool {
    program: Program,
    transcript: Option<Transcript>,
    idle: Mutex<Vec<ProgramSession>>,
    incidents: Mutex<Incidents>,
    /// How often each kind of decision was asked for.
    asked: Mutex<BTreeMap<DecisionKind, u64>>,
    /// Has a process failed, or not started?
    lost: AtomicBool,
}

impl Pool {
    /// A pool without processes.
    pub fn new(program: Program) -> Arc<Pool> {
        Pool::with_transcript(program, None)
    }

    /// The same; all messages are written to a transcript, if there is one.
    pub fn with_transcript(program: Program, transcript: Option<Transcript>) -> Arc<Pool> {
        Arc::new(Pool {
            program,
            transcript,
            idle: Mutex::default(),
            incidents: Mutex::default(),
            asked: Mutex::default(),
            lost: AtomicBool::new(false),
        })
    }

    /// An idle process; it is started if there is none.
    pub(super) fn take(&self) -> Result<ProgramSession, ProgramError> {
        let waiting = lock(&self.idle).pop();
        waiting.map_or_else(|| ProgramSession::start(&self.program, self.transcript.clone()), Ok)
    }

    /// Takes back a process that has finished its game.
    pub(super) fn give_back(&self, session: ProgramSession) {
        lock(&self.idle).push(session);
    }

    /// Starts a process unless one is idle; it waits for its first game.
    ///
    /// # Errors
    /// It cannot be started, or does not introduce itself: the error names the command as the user wrote it.
    pub(super) fn try_out(&self) -> Result<(), String> {
        let session = self.take().map_err(|error| self.program_fault(&error))?;
        self.give_back(session);
        Ok(())
    }

    /// Why the program cannot play, with the end of its log.
    fn program_fault(&self, ProgramError { reason, last_words, .. }: &ProgramError) -> String {
        let command = self.program.command.join(" ");
        let mut text = match reason.contains(&command) {
            true => reason.clone(),
            false => format!("`{command}`: {reason}"),
        };
        if let Some(words) = last_words.lines().last() {
            text += &format!("; its last words: {words}");
        }
        // An interpreter is started even if the program that it is to run does not exist.
        let is_path = |word: &&String| {
            let path = Path::new(word.as_str());
            !word.starts_with('-') && path.extension().is_some() && !word.contains(char::is_whitespace)
        };
        let arguments = self.program.command.iter().skip(1);
        if let Some(none) = arguments.filter(is_path).find(|word| !Path::new(word).exists()) {
            text += &format!("; there is no file `{none}` in the folder in which the command is run");
        }
        text
    }

    pub(super) fn record(&self, incident: Incident) {
        let mut incidents = lock(&self.incidents);
        if incidents.faults.len() < KEPT {
            incidents.faults.push(incident);
        }
    }

    /// Notes a refused order. It is counted with those that were refused for the same reason, of which the one of the
    /// first game is kept, whichever thread plays it first.
    pub(super) fn refuse(&self, reason: &str, incident: Incident) {
        let refused = &mut lock(&self.incidents).refused;
        let full = refused.len() >= KEPT;
        match refused.entry(nameless(reason)) {
            Entry::Vacant(_) if full => {}
            Entry::Vacant(entry) => drop(entry.insert(incident)),
            Entry::Occupied(mut entry) => {
                let times = entry.get().times + incident.times;
                if (&incident.game, &incident.power) < (&entry.get().game, &entry.get().power) {
                    entry.insert(incident);
                }
                entry.get_mut().times = times;
            }
        }
    }

    pub(super) fn count(&self, asked: DecisionKind) {
        *lock(&self.asked).entry(asked).or_default() += 1;
    }

    pub(super) fn record_loss(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    pub(super) fn has_lost_one(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// How often each kind of decision was asked for.
    pub(super) fn asked(&self) -> BTreeMap<DecisionKind, u64> {
        lock(&self.asked).clone()
    }

    /// The incidents so far: first the faults of the program, in no particular order, then of each reason for refusing
    /// orders the first, with how often there was it.
    pub fn incidents(&self) -> Vec<Incident> {
        let incidents = lock(&self.incidents);
        incidents.faults.iter().chain(incidents.refused.values()).cloned().collect()
    }

    /// The ids of the idle processes.
    pub fn process_ids(&self) -> Vec<u32> {
        lock(&self.idle).iter().map(ProgramSession::process_id).collect()
    }
}

impl Pool {
    /// Ends every idle process.
    pub(crate) fn dismiss(&self) {
        let sessions = std::mem::take(&mut *lock(&self.idle));
        sessions.iter().for_each(ProgramSession::bid_farewell);
        // All of them have the same deadline, however many there are.
        let until = Instant::now() + FAREWELL;
        for session in sessions {
            session.quit(until);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.dismiss();
    }
}

/// A reason without what it quotes and names, so that the same fault in different orders is one kind.
fn nameless(reason: &str) -> String {
    let mut kind = String::new();
    for (i, part) in reason.split('`').enumerate() {
        if i % 2 == 0 {
            let is_name =
                |word: &&str| word.len() > 1 && word.chars().all(|c| !c.is_alphabetic() || c.is_uppercase());
            let words = part.split_inclusive(|c: char| !c.is_alphanumeric() && c != '/' && c != '.');
            words.filter(|word| !is_name(word)).for_each(|word| kind.push_str(word));
        }
    }
    kind
}
