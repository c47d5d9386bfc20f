//! Programs that wait for their next game, and their incidents.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use upheaval_engine::bot::{Incident, Program};

use super::process::FAREWELL;
use super::request::Asked;
use super::session::{ProgramSession, Trouble};
use super::transcript::Transcript;

/// The most faults that are kept in words.
const KEPT: usize = 1000;

/// All seats of one program. When it is dropped, it ends every waiting process.
pub struct Pool {
    program: Program,
    transcript: Option<Transcript>,
    idle: Mutex<Vec<ProgramSession>>,
    incidents: Mutex<Vec<Incident>>,
    /// How often each kind of decision was asked for.
    asked: Mutex<BTreeMap<Asked, u64>>,
    /// Has a process failed, or not started?
    lost: AtomicBool,
}

impl Pool {
    /// A pool without processes.
    pub fn new(program: Program) -> Arc<Pool> {
        Pool::noted(program, None)
    }

    /// The same; all messages are written to a transcript, if there is one.
    pub fn noted(program: Program, transcript: Option<Transcript>) -> Arc<Pool> {
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
    pub(super) fn take(&self) -> Result<ProgramSession, Trouble> {
        let waiting = lock(&self.idle).pop();
        waiting.map_or_else(|| ProgramSession::start(&self.program, self.transcript.clone()), Ok)
    }

    /// Takes back a process that has finished its game.
    pub(super) fn give_back(&self, session: ProgramSession) {
        lock(&self.idle).push(session);
    }

    pub(super) fn note(&self, incident: Incident) {
        let mut incidents = lock(&self.incidents);
        if incidents.len() < KEPT {
            incidents.push(incident);
        }
    }

    pub(super) fn count(&self, asked: Asked) {
        *lock(&self.asked).entry(asked).or_default() += 1;
    }

    pub(super) fn lose(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    pub(super) fn has_lost_one(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// How often each kind of decision was asked for.
    pub(super) fn asked(&self) -> BTreeMap<Asked, u64> {
        lock(&self.asked).clone()
    }

    /// The incidents so far, in no particular order.
    pub fn incidents(&self) -> Vec<Incident> {
        lock(&self.incidents).clone()
    }

    /// The ids of the idle processes.
    pub fn process_ids(&self) -> Vec<u32> {
        lock(&self.idle).iter().map(ProgramSession::process_id).collect()
    }
}

impl Pool {
    /// Ends every idle process.
    pub fn dismiss(&self) {
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
