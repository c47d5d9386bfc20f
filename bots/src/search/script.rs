//! The candidates of `search` in stages other than movement: its retreats, its adjustments, its seismic
//! order.

use upheaval_engine::bot::{Bot, Observation, OrderSheet, RetreatChoice};
use upheaval_engine::ids::Power;
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::order::{AdjustmentOrder, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::topology::Quake;

use super::rollout::{StreamPurpose, stream};
use crate::{Dumbbot, Greedy, Random};

/// More tries than candidates, because some give the same answer again.
const TRIES: u64 = 3;

/// An answer to one stage. As a bot, it gives this answer whatever it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Script {
    /// An order for each dislodged unit that can retreat.
    Retreats(Vec<Option<RetreatOrder>>),
    /// Builds or removals.
    Adjustments(Vec<AdjustmentOrder>),
    /// A seismic order, or none.
    Seismic(Option<SeismicOrder>),
}

impl Bot for Script {
    fn movement(&mut self, _: &Observation<'_>, _: &mut Stream, _: &mut OrderSheet<'_>) {}

    fn retreats(
        &mut self,
        _: &Observation<'_>,
        _: &[RetreatChoice<'_>],
        _: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        if let Script::Retreats(own) = self {
            orders.extend_from_slice(own);
        }
    }

    fn adjustments(
        &mut self,
        _: &Observation<'_>,
        _: Owed,
        _: &[AdjustmentOrder],
        _: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        if let Script::Adjustments(own) = self {
            orders.extend_from_slice(own);
        }
    }

    fn seismic(&mut self, _: &Observation<'_>, _: &[Quake], _: &mut Stream) -> Option<SeismicOrder> {
        match self {
            Script::Seismic(own) => own.clone(),
            _ => None,
        }
    }
}

/// The bots whose answers are compared.
#[derive(Default)]
pub struct Authors {
    dumbbot: Dumbbot,
    greedy: Greedy,
    random: Random,
}

impl Authors {
    /// The author of a try. The first is the policy; every other one is drawn among all legal answers,
    /// because the policies seldom give more than one answer here.
    fn author(&mut self, i: u64) -> &mut dyn Bot {
        match i % 4 {
            0 => &mut self.dumbbot,
            2 => &mut self.greedy,
            _ => &mut self.random,
        }
    }

    /// Different answers: at least one, at most this number.
    pub fn scripts(
        &mut self,
        power: Power,
        root: u64,
        most: u32,
        ask: impl Fn(&mut dyn Bot, &mut Stream) -> Script,
    ) -> Vec<Script> {
        let mut scripts = Vec::new();
        for i in 0..TRIES * u64::from(most.max(1)) {
            let script = ask(self.author(i), &mut stream(root, StreamPurpose::Candidate, i, power));
            if !scripts.contains(&script) {
                scripts.push(script);
            }
            if scripts.len() >= most as usize {
                break;
            }
        }
        scripts
    }
}
