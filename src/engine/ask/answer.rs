//! The answer of a power to what it is asked.

use super::{Ask, Observation};
use crate::reading::Refusal;
use crate::rules::adjustment::Adjusting;
use crate::rules::answers::Answers;
use crate::rules::decision::Decision;
use crate::rules::refused::RefusedOrder;

/// A power's answer to the questions that it is asked together. A possible decision counts as soon as it is given, and
/// replaces an earlier one about the same; any other is refused and changes nothing. Answers of other powers are not
/// visible.
pub struct Answer<'a> {
    pub(super) seen: &'a Observation<'a>,
    asks: &'a [Ask],
    /// The answers of all powers, including this one.
    pub(super) answers: &'a mut Answers,
    /// The builds or removals that are left.
    pub(super) adjusting: Option<Adjusting>,
    pub(super) refused: Vec<RefusedOrder>,
}

impl<'a> Answer<'a> {
    /// The answer of the observing power to these questions. It is stored among those of the others.
    #[inline]
    pub fn new(seen: &'a Observation<'a>, asks: &'a [Ask], answers: &'a mut Answers) -> Answer<'a> {
        Answer { seen, asks, answers, adjusting: None, refused: Vec::new() }
    }

    /// The decisions that were refused.
    pub fn refused(&self) -> &[RefusedOrder] {
        &self.refused
    }

    /// The same, without the answer.
    pub(crate) fn into_refused(self) -> Vec<RefusedOrder> {
        self.refused
    }

    /// Gives a decision. Returns false and notes a refusal if it is not possible.
    pub fn give(&mut self, decision: &Decision) -> bool {
        match decision {
            Decision::Order { unit, order } => self.write(*unit, *order),
            Decision::Landing(landing) => self.land(*landing),
            Decision::List(list) => self.list_retreats(list.unit, list.places.iter().copied()),
            _ => match self.check(decision) {
                Ok(()) => {
                    self.answers.put(self.seen.power, decision);
                    true
                }
                Err(refusal) => {
                    self.refused.push(RefusedOrder::new(self.text(decision), refusal.to_string()));
                    false
                }
            },
        }
    }

    /// Gives those of the decisions that answer this question.
    pub fn give_all<'d>(&mut self, ask: &Ask, decisions: impl IntoIterator<Item = &'d Decision>) {
        for decision in decisions.into_iter().filter(|decision| ask.takes(decision)) {
            self.give(decision);
        }
    }

    /// May this decision be given, other than the orders of a movement?
    fn check(&mut self, decision: &Decision) -> Result<(), Refusal> {
        let asked = self.asks.iter().find(|ask| ask.takes(decision));
        asked.ok_or(Refusal::NotAsked)?.check(self, decision)
    }

    /// The decisions about a question so far.
    pub fn decided(&self, ask: &Ask) -> Vec<Decision> {
        ask.decided(self)
    }

    /// Takes back all decisions about a question.
    pub fn withdraw(&mut self, ask: &Ask) {
        ask.withdraw(self);
    }

    /// A decision in the notation, as a refusal names it.
    fn text(&self, decision: &Decision) -> String {
        let text = match decision {
            // A quake that is not on the map has no name on it.
            Decision::Seismic(_) => return "a seismic order".to_owned(),
            _ => self.seen.world().text_of(decision),
        };
        text.unwrap_or_else(|| "an order where no unit is".to_owned())
    }
}
