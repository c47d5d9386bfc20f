//! Retreats, where they are not sent with the orders.

use serde::{Deserialize, Serialize};

use super::{Answer, Observation, Question, Subject};
use crate::game::{Game, Stage};
use crate::reading::Refusal;
use crate::rules::decision::Decision;
use crate::rules::order::RetreatOrder;
use crate::rules::position::Dislodged;
use upheaval_map::ids::{Location, Power};

/// The orders of dislodged units.
#[derive(Clone, Debug)]
pub struct Retreats {
    /// The power's units that can retreat; never empty.
    pub choices: Vec<RetreatChoice>,
}

/// A dislodged unit and its options.
#[derive(Clone, Debug)]
pub struct RetreatChoice {
    /// Its index among all dislodged units.
    pub unit: usize,
    /// The unit.
    pub dislodged: Dislodged,
    /// Where it can retreat to, ascending; never empty.
    pub options: Vec<Location>,
}

impl Answer<'_> {
    /// Orders a dislodged unit. Returns false and notes a refusal if it cannot go there.
    pub fn retreat(&mut self, choice: &RetreatChoice, order: RetreatOrder) -> bool {
        self.give(&Decision::Retreat { unit: choice.unit, order })
    }
}

impl Question for Retreats {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Retreats)) {
        if game.stage() != Stage::Retreats {
            return;
        }
        let own = game.dislodged().dislodged.iter().enumerate().filter(|(_, of)| of.unit.power == power);
        let choices = own.map(|(unit, &dislodged)| RetreatChoice {
            unit,
            dislodged,
            options: game.retreat_options(unit),
        });
        let choices: Vec<RetreatChoice> = choices.filter(|choice| !choice.options.is_empty()).collect();
        if !choices.is_empty() {
            found(Retreats { choices });
        }
    }

    fn choices(&self, _: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        for &RetreatChoice { unit, ref options, .. } in &self.choices {
            let retreats = options.iter().map(|&to| RetreatOrder::Retreat { to });
            for order in retreats.chain([RetreatOrder::Disband]) {
                found(Subject::Dislodged(unit), Decision::Retreat { unit, order });
            }
        }
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Retreat { .. })
    }

    fn check(&self, _: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        let Decision::Retreat { unit, order } = decision else { return Err(Refusal::NotAsked) };
        let choice = self.choices.iter().find(|choice| choice.unit == *unit).ok_or(Refusal::NotAsked)?;
        match order {
            RetreatOrder::Retreat { to } if !choice.options.contains(to) => Err(Refusal::NoRetreat),
            RetreatOrder::Retreat { .. } | RetreatOrder::Disband => Ok(()),
        }
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        let orders = &answer.answers.retreats;
        let order = |choice: &RetreatChoice| {
            let (unit, order) = (choice.unit, orders.get(choice.unit).copied().flatten()?);
            Some(Decision::Retreat { unit, order })
        };
        self.choices.iter().filter_map(order).collect()
    }

    fn withdraw(&self, answer: &mut Answer<'_>) {
        for RetreatChoice { unit, .. } in &self.choices {
            if let Some(order) = answer.answers.retreats.get_mut(*unit) {
                *order = None;
            }
        }
    }
}

/// A unit that must retreat, and its options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retreating {
    /// Its power.
    pub power: String,
    /// The unit: `A MUN`, or `A MUN#2` for the second of two equal units.
    pub unit: String,
    /// Its options; empty if it is lost.
    pub options: Vec<String>,
}

impl Retreating {
    /// The units of all powers that must retreat, in the game's order.
    pub(crate) fn all(game: &Game) -> Vec<Retreating> {
        let (names, waiting) = (game.terrain().names(), game.dislodged());
        let units = waiting.dislodged.iter().enumerate();
        let told = units.map(|(i, dislodged)| {
            let place = Location { province: dislodged.at, coast: dislodged.unit.coast };
            let unit = names.unit(place, dislodged.unit.designation());
            let options = game.retreat_options(i);
            Retreating {
                power: names.power(dislodged.unit.power).to_owned(),
                unit: match waiting.ordinal(i) {
                    1 => unit.to_string(),
                    n => format!("{unit}#{n}"),
                },
                options: options
                    .into_iter()
                    .map(|to| names.location(to, dislodged.unit.kind).to_string())
                    .collect(),
            }
        });
        told.collect()
    }
}
