//! The orders that a power can give now.

use std::fmt;

use super::Session;
use crate::ask::{Ask, Handicap, Observation};
use crate::game::Game;
use crate::rules::decision::Decision;
use upheaval_map::ids::Power;

/// One decision of a power; usually the action of one of its units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The subject of the decision: a unit (`A PAR`), a unit's list of retreats (`A PAR R`), a build site
    /// (`PAR`), or a word such as `EXEMPT`.
    pub subject: String,
    /// The legal orders; at least one.
    pub orders: Vec<LegalOrder>,
}

/// A legal order. It can be printed as text and read again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalOrder {
    /// Its text.
    pub text: String,
    /// Its meaning.
    pub decision: Decision,
}

impl fmt::Display for LegalOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl AsRef<str> for LegalOrder {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Session {
    /// The powers that can give orders now.
    pub fn awaited(&self) -> Vec<Power> {
        self.game.powers().iter().filter(|&power| awaits(&self.game, power)).collect()
    }

    /// Everything that a power can order now, choice by choice, in a canonical order. It may order as many of
    /// the builds as it is owed ([`Session::owed`]); any more are refused when the phase is settled. Where
    /// retreats are sent with the orders, a list may combine several of the places that are listed here one
    /// by one: `A PAR R PIC BRE`.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("standard", 1)?;
    /// let choices = game.legal_orders(Power::TURKEY);
    /// let ankara = &choices[0];
    /// assert_eq!(ankara.subject, "F ANK");
    /// let texts: Vec<String> = ankara.orders.iter().map(ToString::to_string).collect();
    /// assert_eq!(texts[..4], ["F ANK H", "F ANK - ARM", "F ANK - BLA", "F ANK - CON"]);
    /// assert_eq!(texts[4..], ["F ANK S A CON", "F ANK S F SEV - ARM", "F ANK S F SEV - BLA", "F ANK S A SMY - ARM",
    ///     "F ANK S A SMY - CON"]);
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn legal_orders(&self, power: Power) -> Vec<Choice> {
        let chains = self.chains();
        let seen = Observation::new(&self.game, &chains, power, Handicap::NONE);
        let mut asks = seen.asks();
        // The units come first.
        asks.sort_by_key(|ask| !matches!(ask, Ask::Movement(_)));
        let mut choices: Vec<Choice> = Vec::new();
        for ask in &asks {
            let mut last = None;
            ask.choices(&seen, |subject, decision| {
                // Decisions without a text are not possible.
                let Some(text) = self.game.world().text_of(&decision) else { return };
                let order = LegalOrder { text, decision };
                let same = last.replace(subject) == Some(subject);
                match choices.last_mut().filter(|_| same) {
                    Some(choice) => choice.orders.push(order),
                    None => choices.push(Choice { subject: subject.text(ask, *seen), orders: vec![order] }),
                }
            });
        }
        choices
    }
}

/// Is the power asked for anything that it can choose?
fn awaits(game: &Game, power: Power) -> bool {
    game.asks(power).iter().any(|ask| !matches!(ask, Ask::Seismic(_)) || !game.quakes().is_empty())
}
