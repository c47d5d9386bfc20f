//! Fleets whose coast split or vanished (rules.md 2.1, 2.3, 8.8).

use super::{Answer, Observation, Question, Subject};
use crate::game::{Game, Stage};
use crate::reading::Refusal;
use crate::rules::decision::Decision;
use crate::rules::game_state::CoastChoice;
use upheaval_map::ids::{Power, ProvinceId};

/// A fleet that has just lost its last coast, where the variant lets its owner choose (rules.md 8.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trapped {
    /// The place of the fleet.
    pub fleet: ProvinceId,
}

impl Question for CoastChoice {
    fn asked(game: &Game, power: Power, found: impl FnMut(CoastChoice)) {
        if game.stage() != Stage::Coasts {
            return;
        }
        game.coast_choices().iter().filter(|choice| choice.power == power).cloned().for_each(found);
    }

    fn choices(&self, _: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        let fleet = self.fleet;
        self.coasts.iter().for_each(|&coast| found(Subject::Fleet(fleet), Decision::Coast { fleet, coast }));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Coast { fleet, .. } if *fleet == self.fleet)
    }

    fn check(&self, _: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        match decision {
            Decision::Coast { coast, .. } if self.coasts.contains(coast) => Ok(()),
            _ => Err(Refusal::NoCoast),
        }
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        let coast = answer.answers.coast(self.fleet);
        coast.map(|coast| Decision::Coast { fleet: self.fleet, coast }).into_iter().collect()
    }

    fn withdraw(&self, answer: &mut Answer<'_>) {
        answer.answers.coasts.retain(|(fleet, _)| *fleet != self.fleet);
    }
}

impl Question for Trapped {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Trapped)) {
        if game.stage() != Stage::Coasts {
            return;
        }
        game.trapped_of(power).iter().for_each(|fleet| found(Trapped { fleet }));
    }

    fn choices(&self, _: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        found(Subject::Fleet(self.fleet), Decision::KeepTrapped(self.fleet));
        found(Subject::Fleet(self.fleet), Decision::DisbandTrapped(self.fleet));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::DisbandTrapped(fleet) | Decision::KeepTrapped(fleet) if *fleet == self.fleet)
    }

    fn check(&self, _: &mut Answer<'_>, _: &Decision) -> Result<(), Refusal> {
        Ok(())
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        vec![match answer.answers.disbanded.contains(self.fleet) {
            true => Decision::DisbandTrapped(self.fleet),
            false => Decision::KeepTrapped(self.fleet),
        }]
    }

    fn withdraw(&self, answer: &mut Answer<'_>) {
        answer.answers.disbanded.remove(self.fleet);
    }
}
