//! Stops games that are decided, as match programs do by adjudication. This is a rule of the organiser, not
//! of the game.

use serde::{Deserialize, Serialize};

use super::{Ending, Game, survivors};
use upheaval_map::ids::Power;

/// When a game is stopped. The rule is evaluated at the end of each year.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StopRule {
    /// A power has been this far ahead for long enough: it is declared the winner.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lead: Option<StopLead>,
    /// For this many years no power has gained or lost centres in total: the remaining powers share a draw.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub still: Option<u16>,
}

impl StopRule {
    /// Does the rule never stop a game?
    pub fn is_never(&self) -> bool {
        *self == StopRule::default()
    }
}

/// How far ahead a power must be, and for how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StopLead {
    /// Centres more than any other power.
    pub centres: u16,
    /// The number of consecutive year ends.
    pub years: u16,
}

/// The state of a rule after the years so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Watch {
    rule: StopRule,
    /// The power that is far enough ahead, and for how many years it has been.
    ahead: Option<(Power, u16)>,
    /// The centres at the end of the last year, and for how many years they have been unchanged.
    still: (Vec<u16>, u16),
    /// Was the game stopped?
    stopped: bool,
}

impl Game {
    /// The same game with this stop rule.
    pub fn stopped_by(mut self, rule: StopRule) -> Game {
        self.watch = Watch { rule, ..Watch::default() };
        self
    }

    /// Was it stopped by a rule before it was over?
    pub fn was_stopped(&self) -> bool {
        self.watch.stopped
    }

    /// The ending if the game is stopped at the end of this year.
    pub(super) fn stops(&mut self) -> Option<Ending> {
        let Watch { rule, ahead, still, stopped } = &mut self.watch;
        if rule.is_never() {
            return None;
        }
        let position = &self.world.position;
        let centres: Vec<u16> =
            position.powers().iter().map(|power| position.centres_of(power).len() as u16).collect(); // 255 provinces at most
        let leader = rule.lead.and_then(|lead| {
            let (first, most) = position.powers().iter().zip(&centres).max_by_key(|(_, count)| **count)?;
            let others = position.powers().iter().zip(&centres).filter(|(power, _)| *power != first);
            let second = others.map(|(_, count)| *count).max().unwrap_or(0);
            (most - second >= lead.centres).then_some(first)
        });
        *ahead = leader.map(|leader| match *ahead {
            Some((before, years)) if before == leader => (leader, years.saturating_add(1)),
            _ => (leader, 1),
        });
        still.1 = if still.0 == centres { still.1.saturating_add(1) } else { 0 };
        still.0 = centres;
        let ending = match (rule.lead, *ahead) {
            (Some(lead), Some((leader, years))) if years >= lead.years => Some(Ending::Solo(leader)),
            _ => rule.still.filter(|years| still.1 >= *years).map(|_| Ending::Draw(survivors(&self.world))),
        };
        *stopped = ending.is_some();
        ending
    }
}
