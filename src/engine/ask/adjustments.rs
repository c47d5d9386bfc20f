//! Builds and removals.

use super::{Answer, Observation, Question, Subject};
use crate::game::{Game, Stage};
use crate::reading::Refusal;
use crate::rules::adjustment::{self, Adjusting, Owed};
use crate::rules::decision::Decision;
use crate::rules::order::AdjustmentOrder;
use upheaval_map::ids::{Power, ProvinceSet};
use upheaval_map::topology::Board;

/// The builds that a power may order, or the removals that it must.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Adjustments {
    power: Power,
    owed: Owed,
    /// Where it may build.
    sites: ProvinceSet,
}

impl Adjustments {
    /// How many builds or removals.
    pub fn owed(&self) -> Owed {
        self.owed
    }

    /// The possible builds in canonical order; none if units must be removed.
    pub fn builds(&self, board: &Board) -> Vec<AdjustmentOrder> {
        self.adjusting().builds(board)
    }

    /// The power's adjustments before its first order.
    pub(crate) fn adjusting(&self) -> Adjusting {
        Adjusting::new(self.power, self.owed, self.sites)
    }
}

impl Answer<'_> {
    /// Builds, removes, or waives. Returns false and notes a refusal if that is not possible, or more than is owed.
    pub fn adjust(&mut self, order: AdjustmentOrder) -> bool {
        self.give(&Decision::Adjustment(order))
    }
}

impl Question for Adjustments {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Adjustments)) {
        if game.stage() != Stage::Adjustments {
            return;
        }
        let adjusting = game.adjusting(power);
        if !adjusting.is_settled() {
            found(Adjustments { power, owed: adjusting.owed(), sites: *adjusting.sites() });
        }
    }

    /// The possible builds, each site with the builds there and the waiver; or the possible removals.
    fn choices(&self, seen: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        let mut found = |subject, order| found(subject, Decision::Adjustment(order));
        match self.owed {
            Owed::Builds(_) => {
                for site in self.sites {
                    let builds = adjustment::builds(seen.board, &ProvinceSet::single(site));
                    builds.into_iter().for_each(|build| found(Subject::Site(site), build));
                    found(Subject::Site(site), AdjustmentOrder::Waive);
                }
            }
            Owed::Removals(_) => {
                for at in *seen.position.units_of(self.power) {
                    found(Subject::Unit(at), AdjustmentOrder::Remove { at });
                    if seen.position.laden().contains(at) {
                        found(Subject::Unit(at), AdjustmentOrder::RemoveArmy { fleet: at });
                    }
                }
            }
        }
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Adjustment(_))
    }

    fn check(&self, answer: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        let Decision::Adjustment(order) = decision else { return Err(Refusal::NotAsked) };
        let left = answer.adjusting.get_or_insert_with(|| self.adjusting());
        Ok(left.take(answer.seen.board, answer.seen.position, *order)?)
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        answer.answers.adjustments[answer.seen.power].iter().copied().map(Decision::Adjustment).collect()
    }

    fn withdraw(&self, answer: &mut Answer<'_>) {
        answer.answers.adjustments[answer.seen.power].clear();
        answer.adjusting = None;
    }
}
