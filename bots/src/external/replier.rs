//! A seat whose replies are produced in this process, for tests: the effect of a program's lines, without the program.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use upheaval_engine::bot::{Bot, Conduct, Observation, OrderSheet, RefusedOrder, RetreatChoice, Trapped};
use upheaval_engine::ids::{CoastId, ProvinceId};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::order::{AdjustmentOrder, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;
use upheaval_engine::topology::Quake;

use super::map;
use super::reply::{self, MovementReply};
use super::session::{Trouble, reply_of};

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

    fn movement_reply(&mut self, seen: &Observation<'_>) -> MovementReply {
        let orders = self.ask(seen);
        let (reply, refusals) = MovementReply::read(seen, &orders);
        self.count(&refusals);
        reply
    }

    fn count(&mut self, refusals: &[RefusedOrder]) {
        assert!(refusals.iter().all(|refusal| !refusal.reason.is_empty()), "{refusals:?}");
        self.outcome().refused += refusals.len() as u64;
    }
}

impl<F: FnMut(&Value, &Observation<'_>) -> Vec<u8> + Send> Bot for Replier<F> {
    fn movement(&mut self, seen: &Observation<'_>, _: &mut Stream, sheet: &mut OrderSheet<'_>) {
        self.movement_reply(seen).write(sheet);
    }

    fn exempt(&mut self, seen: &Observation<'_>, _: &mut Stream) -> Option<ProvinceId> {
        self.movement_reply(seen).exempt()
    }

    fn announce(&mut self, seen: &Observation<'_>, _: &mut Stream) -> Announced {
        self.movement_reply(seen).announce()
    }

    fn retreats(
        &mut self,
        seen: &Observation<'_>,
        choices: &[RetreatChoice<'_>],
        _: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        let texts = self.ask(seen);
        let (decided, refusals) = reply::retreats(seen, choices, &texts);
        self.count(&refusals);
        orders.extend(decided);
    }

    fn adjustments(
        &mut self,
        seen: &Observation<'_>,
        owed: Owed,
        builds: &[AdjustmentOrder],
        _: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        let texts = self.ask(seen);
        let (decided, refusals) = reply::adjustments(seen, owed, builds, &texts);
        self.count(&refusals);
        orders.extend(decided);
    }

    fn seismic(&mut self, seen: &Observation<'_>, _: &[Quake], _: &mut Stream) -> Option<SeismicOrder> {
        let texts = self.ask(seen);
        let (decided, refusals) = reply::seismic(seen, &texts);
        self.count(&refusals);
        decided
    }

    fn trapped(&mut self, seen: &Observation<'_>, fleet: ProvinceId, _: &mut Stream) -> Trapped {
        let texts = self.ask(seen);
        let (decided, refusals) = reply::trapped(seen, fleet, &texts);
        self.count(&refusals);
        decided
    }

    fn coast(&mut self, seen: &Observation<'_>, choice: &CoastChoice, _: &mut Stream) -> Option<CoastId> {
        let texts = self.ask(seen);
        let (decided, refusals) = reply::coast(seen, choice, &texts);
        self.count(&refusals);
        decided
    }
}
