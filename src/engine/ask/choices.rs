//! Everything that a power can order now, as text.

use std::fmt;

use crate::ask::{Ask, Observation};
use crate::rules::decision::Decision;

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

impl Observation<'_> {
    /// Everything that the power can order now, choice by choice, in a canonical order.
    pub fn all_choices(&self) -> Vec<Choice> {
        let mut asks = self.asks();
        // The units come first.
        asks.sort_by_key(|ask| !matches!(ask, Ask::Movement(_)));
        asks.iter().flat_map(|ask| self.choices(ask)).collect()
    }

    /// Everything that the power can answer to one of its questions.
    pub fn choices(&self, ask: &Ask) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut last = None;
        ask.choices(self, |subject, decision| {
            // Decisions without a text are not possible.
            let Some(text) = self.world().text_of(&decision) else { return };
            let order = LegalOrder { text, decision };
            let same = last.replace(subject) == Some(subject);
            match choices.last_mut().filter(|_| same) {
                Some(choice) => choice.orders.push(order),
                None => choices.push(Choice { subject: subject.text(ask, **self), orders: vec![order] }),
            }
        });
        choices
    }
}
