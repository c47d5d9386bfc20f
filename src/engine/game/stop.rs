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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{Referee, Stage};
    use crate::rules::answers::Answers;
    use crate::rules::nature::Seeded;
    use crate::rules::variant::Variant;

    /// The last year of a game in which all units hold, and whether it was stopped.
    fn held(rule: StopRule) -> (u16, bool, Option<Ending>) {
        let variant = Variant::find("standard", "".as_ref()).expect("sound").expect("shipped");
        let mut game = Game::new(Arc::new(variant), 1910).stopped_by(rule);
        let (mut referee, mut nature) = (Referee::new(), Seeded { seed: 1, block: 0 });
        let silence = Answers::none(game.powers());
        while game.stage() != Stage::Over {
            game.settle(&mut referee, &silence, &mut nature, &mut ());
        }
        (game.phase().year, game.was_stopped(), game.ending().cloned())
    }

    #[test]
    fn a_game_is_stopped_when_nothing_has_changed_for_long_enough() {
        let rule = |still| StopRule { still: Some(still), lead: None };
        let (year, stopped, ending) = held(rule(3));
        assert_eq!((year, stopped), (1904, true));
        assert!(matches!(ending, Some(Ending::Draw(left)) if left.len() == 7));
        assert_eq!(held(StopRule::default()).0, 1910);
        // The game's own last year comes first.
        assert_eq!((held(rule(9)).0, held(rule(9)).1), (1910, false));
    }

    #[test]
    fn a_game_is_stopped_when_one_power_is_far_enough_ahead_for_long_enough() {
        // Russia begins with one centre more than the others.
        let rule = |centres| StopRule { lead: Some(StopLead { centres, years: 2 }), still: None };
        assert_eq!(held(rule(1)), (1902, true, Some(Ending::Solo(Power::RUSSIA))));
        assert!(!held(rule(2)).1);
    }
}
