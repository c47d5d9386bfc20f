//! What a power may declare with the orders of a movement phase: its exempt centre (rr01, rules 6 and 7).

use super::{Answer, Observation, Question, Subject};
use crate::game::Game;
use crate::reading::Refusal;
use crate::rules::decision::Decision;
use crate::rules::mechanism::exemption::Announced;
use upheaval_map::ids::{Power, ProvinceSet};

/// The home centre that holes should spare: asked with the first orders, and when the choice may be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exempt {
    /// The centres of which one may be named; never empty.
    pub choices: ProvinceSet,
}

/// The announcement of the exempt centre.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Announce;

impl Question for Exempt {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Exempt)) {
        let choices = game.exempt_choices(power);
        if !choices.is_empty() {
            found(Exempt { choices });
        }
    }

    fn topic(&self) -> &str {
        "EXEMPT"
    }

    fn choices(&self, _: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        self.choices.iter().for_each(|centre| found(Subject::Power, Decision::Exempt(centre)));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Exempt(_))
    }

    fn check(&self, _: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        match decision {
            Decision::Exempt(centre) if self.choices.contains(*centre) => Ok(()),
            _ => Err(Refusal::NotExempt),
        }
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        answer.answers.declared.exempt[answer.seen.power].map(Decision::Exempt).into_iter().collect()
    }

    fn withdraw(&self, answer: &mut Answer<'_>) {
        answer.answers.declared.exempt[answer.seen.power] = None;
    }
}

impl Question for Announce {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Announce)) {
        if game.can_announce(power) {
            found(Announce);
        }
    }

    fn topic(&self) -> &str {
        "ANNOUNCE"
    }

    fn choices(&self, _: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        found(Subject::Power, Decision::Announce);
    }

    fn takes(&self, decision: &Decision) -> bool {
        *decision == Decision::Announce
    }

    fn check(&self, _: &mut Answer<'_>, _: &Decision) -> Result<(), Refusal> {
        Ok(())
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        match answer.answers.declared.announce[answer.seen.power] {
            Announced::Yes => vec![Decision::Announce],
            Announced::No => Vec::new(),
        }
    }

    fn withdraw(&self, answer: &mut Answer<'_>) {
        answer.answers.declared.announce[answer.seen.power] = Announced::No;
    }
}
