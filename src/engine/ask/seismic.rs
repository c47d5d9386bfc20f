//! Seismic orders (rules.md 8).

use super::{Answer, Observation, Question, Subject};
use crate::game::{Game, Stage};
use crate::reading::Refusal;
use crate::rules::decision::Decision;
use upheaval_map::ids::Power;

/// A seismic order: one of all that the map allows, which are the same for every power
/// ([`Public::quakes`](super::Public::quakes)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seismic;

impl Question for Seismic {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Seismic)) {
        if game.stage() == Stage::Seismic && !game.world().position.is_out(power) {
            found(Seismic);
        }
    }

    fn topic(&self) -> &str {
        "SEISMIC"
    }

    fn choices(&self, seen: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        seen.quakes().iter().for_each(|&quake| found(Subject::Power, Decision::Seismic(quake.into())));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Seismic(_))
    }

    fn check(&self, answer: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        let map = answer.seen.terrain().chart().map();
        match decision {
            Decision::Seismic(order) if map.allows(order.quake) => Ok(()),
            _ => Err(Refusal::NotAllowed),
        }
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        answer.answers.seismic[answer.seen.power].clone().map(Decision::Seismic).into_iter().collect()
    }

    fn withdraw(&self, answer: &mut Answer<'_>) {
        answer.answers.seismic[answer.seen.power] = None;
    }
}
