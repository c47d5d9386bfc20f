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
use super::reply;
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

    fn refused(&mut self, refusals: Vec<RefusedOrder>) {
        assert!(refusals.iter().all(|refusal| !refusal.reason.is_empty()), "{refusals:?}");
        self.outcome().refused += refusals.len() as u64;
    }
}

impl<F: FnMut(&Value, &Observation<'_>) -> Vec<u8> + Send> Bot for Replier<F> {
    fn movement(&mut self, seen: &Observation<'_>, _: &mut Stream, sheet: &mut OrderSheet<'_>) {
        let orders = self.ask(seen);
        let refusals = reply::movement(seen, &orders, sheet);
        self.refused(refusals);
    }

    fn exempt(&mut self, seen: &Observation<'_>, _: &mut Stream) -> Option<ProvinceId> {
        let orders = self.ask(seen);
        reply::exempt(seen, &orders)
    }

    fn announce(&mut self, seen: &Observation<'_>, _: &mut Stream) -> Announced {
        let orders = self.ask(seen);
        reply::announce(seen, &orders)
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
        self.refused(refusals);
        orders.extend(decided);
    }

    fn adjustments(
        &mut self,
        seen: &Observation<'_>,
        _: Owed,
        _: &[AdjustmentOrder],
        _: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        let texts = self.ask(seen);
        let (decided, refusals) = reply::adjustments(seen, &texts);
        self.refused(refusals);
        orders.extend(decided);
    }

    fn seismic(&mut self, seen: &Observation<'_>, _: &[Quake], _: &mut Stream) -> Option<SeismicOrder> {
        let texts = self.ask(seen);
        let (decided, refusals) = reply::seismic(seen, &texts);
        self.refused(refusals);
        decided
    }

    fn trapped(&mut self, seen: &Observation<'_>, fleet: ProvinceId, _: &mut Stream) -> Trapped {
        let texts = self.ask(seen);
        let (decided, refusals) = reply::trapped(seen, fleet, &texts);
        self.refused(refusals);
        decided
    }

    fn coast(&mut self, seen: &Observation<'_>, choice: &CoastChoice, _: &mut Stream) -> Option<CoastId> {
        let texts = self.ask(seen);
        let (decided, refusals) = reply::coast(seen, choice, &texts);
        self.refused(refusals);
        decided
    }
}
