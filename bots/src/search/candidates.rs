//! The candidates of `search`: its own answers to a question, as given by its policies under several dice.

use upheaval_engine::ask::{Answer, Ask, Observation};
use upheaval_engine::bot::{Bot, Decision};
use upheaval_engine::ids::Power;
use upheaval_engine::rules::answers::Answers;
use upheaval_engine::rules::order::AdjustmentOrder;

use super::rollout::{StreamPurpose, stream};
use crate::{Dumbbot, Greedy, Random};

/// One in this many joint orders of a movement is `greedy`'s.
const GREEDY_EVERY: u64 = 4;
/// One in this many is the adviser's, if there is one.
const ADVISED_EVERY: u64 = 2;

/// More tries than candidates, because some give the same answer again.
const TRIES: u64 = 3;

/// The answers that are compared, and the bots that give them.
#[derive(Default)]
pub(super) struct Candidates {
    answers: Vec<Vec<Decision>>,
    adviser: Option<Box<dyn Bot>>,
    pub policy: Dumbbot,
    greedy: Greedy,
    random: Random,
}

impl Candidates {
    /// A set of candidates of which, in movements, half are the adviser's.
    pub(super) fn advised(adviser: Box<dyn Bot>) -> Candidates {
        Candidates { adviser: Some(adviser), ..Candidates::default() }
    }

    /// A new game begins, in which the bot plays this power.
    pub(super) fn new_game(&mut self, power: Power) {
        if let Some(adviser) = &mut self.adviser {
            adviser.new_game(power);
        }
    }

    /// The author of a try. The first is the policy.
    fn author(&mut self, ask: &Ask, i: u64) -> &mut dyn Bot {
        match (ask, &mut self.adviser, i) {
            (Ask::Movement(_), Some(adviser), _) if i % ADVISED_EVERY == ADVISED_EVERY - 1 => {
                adviser.as_mut()
            }
            (Ask::Movement(_), Some(_), _) if i % (ADVISED_EVERY * GREEDY_EVERY) == 2 => &mut self.greedy,
            (Ask::Movement(_), None, _) if i % GREEDY_EVERY == GREEDY_EVERY - 1 => &mut self.greedy,
            (Ask::Movement(_), ..) => &mut self.policy,
            // Every other one is drawn among all legal answers, because the policies seldom give more than one here.
            (..) if i % 4 == 2 => &mut self.greedy,
            (..) if !i.is_multiple_of(4) => &mut self.random,
            _ => &mut self.policy,
        }
    }

    /// Collects different answers: at least one, at most this number.
    pub(super) fn collect(&mut self, seen: &Observation<'_>, ask: &Ask, root: u64, most: u32) {
        self.answers.clear();
        let mut answers = Answers::none(seen.powers());
        for i in 0..TRIES * u64::from(most.max(1)) {
            answers.clear();
            let mut dice = stream(root, StreamPurpose::Candidate, i, seen.power);
            let mut answer = Answer::new(seen, std::slice::from_ref(ask), &mut answers);
            self.author(ask, i).decide(seen, ask, &mut dice, &mut answer);
            let mut decided = answer.decided(ask);
            // The same builds or removals in another order are the same answer.
            decided.sort_by_key(adjustment);
            if !self.answers.contains(&decided) {
                self.answers.push(decided);
            }
            if self.answers.len() >= most as usize {
                break;
            }
        }
    }

    /// The number of candidates.
    pub(super) fn len(&self) -> usize {
        self.answers.len()
    }

    /// One of them.
    pub(super) fn get(&self, i: usize) -> &[Decision] {
        &self.answers[i]
    }
}

fn adjustment(decision: &Decision) -> Option<AdjustmentOrder> {
    match decision {
        Decision::Adjustment(order) => Some(*order),
        _ => None,
    }
}
