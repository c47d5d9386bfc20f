//! Racing: all settings play the same blocks, and a setting that is worse than the leader is dropped.
//!
//! ```text
//!  round 1: blocks 0 … first      all settings      ─▶ look: drop what is worse than the leader, or out of bounds
//!  round 2: … 2 · first           those that are left ─▶ look
//!  …        until one is left, the blocks are all played, or the budget is spent
//! ```
//! **Guarantee.** The best setting (within the bounds) is among those that are left with the requested confidence, over
//! all rounds, all settings and all bots together. It is lost only by an error in a test in which it takes part:
//! against whichever of the K − 1 others leads, in one of R rounds. Therefore each test has the level α / (R (K − 1)),
//! by Bonferroni. Where there are bounds, half of α is for these tests, a quarter for wrongly calling the best setting
//! out of bounds, and a quarter for wrongly calling another setting within them. Only a setting that is certainly
//! within the bounds can drop another: a setting outside of them may well be the fairest.
//!
//! Of several bots the worst counts: the bot with which a setting is least fair. A setting is worse than the leader if
//! there is a bot with which it is farther from equal shares than the leader is with *every* bot. All tests must agree
//! over the leader's bots, which needs no correction; the correction for the setting's bots is the number of bots.

use std::iter::successors;
use std::ops::Range;

use crate::tune::statistic::{BlockVectors, LEAST_BLOCKS, Limits, Mean};

/// The rules of a race.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceRules {
    /// How many settings there are; at least two.
    pub arms: usize,
    /// How many bots there are, of which the worst counts; at least one.
    pub bots: usize,
    /// The games in a block of a setting, over all bots.
    pub games: u64,
    /// The limits of each bound.
    pub bounds: Vec<Limits>,
    /// The blocks of the first round.
    pub first: u32,
    /// The most blocks of a setting.
    pub most: u32,
    /// The wanted probability that the best setting is among those that are left.
    pub confidence: f64,
    /// The most games, over all settings and bots.
    pub budget: u64,
}

impl RaceRules {
    /// The maximum number of rounds: a part of the error is reserved for each.
    pub fn rounds(&self) -> u32 {
        let doubled = successors(Some(self.first), |blocks| Some(blocks.saturating_mul(2)));
        doubled.take_while(|blocks| *blocks < self.most).count() as u32 + 1
    }

    fn alpha(&self) -> f64 {
        (1.0 - self.confidence) / f64::from(self.rounds())
    }

    /// The level of a test against the leader.
    pub fn level_of_worse(&self) -> f64 {
        let share = if self.bounds.is_empty() { 1.0 } else { 0.5 };
        share * self.alpha() / self.arms.saturating_sub(1).max(1) as f64
    }

    /// The level at which a setting is called outside of a bound, on one side of it.
    fn level_of_outside(&self) -> f64 {
        0.25 * self.alpha() / (2 * self.bots * self.bounds.len().max(1)) as f64
    }

    /// The level at which a setting is called within a bound, on one side of it. All tests must agree over the bounds
    /// of a setting, so the correction is for the number of settings alone.
    fn level_of_within(&self) -> f64 {
        0.25 * self.alpha() / self.arms as f64
    }
}

/// The data of a setting with one bot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SeenArm {
    /// The objective, by block.
    pub objective: BlockVectors,
    /// The measures that have bounds, by bound and by block.
    pub bounded: Vec<Vec<f64>>,
}

/// The status of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArmStanding {
    /// It cannot be distinguished from the best.
    Left,
    /// It was worse than the leader of a round.
    Worse {
        /// The round, from 0.
        round: u32,
        /// The leader.
        than: usize,
    },
    /// It was outside of a bound.
    Outside {
        /// The round, from 0.
        round: u32,
        /// The bound.
        bound: usize,
    },
}

/// Is a setting within the bounds, as far as a round can decide?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// It is.
    Sure,
    /// It may be.
    Open,
    /// It is not.
    Out(usize),
}

/// A setting in a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The setting.
    pub arm: usize,
    /// The objective with each bot.
    pub figures: Vec<Mean>,
    /// The measures that have bounds, by bot and bound.
    pub bounded: Vec<Vec<Mean>>,
    /// Is it within the bounds?
    pub within: Within,
    /// The probability of looking this much worse than the leader if it were not worse; `None` for the leader, and
    /// where no setting leads.
    pub p: Option<f64>,
    /// Its status after the round.
    pub standing: ArmStanding,
}

impl Look {
    /// The bot with which it is farthest from equal shares, and the objective with that bot.
    pub(crate) fn worst(&self) -> (usize, Mean) {
        worst(&self.figures)
    }
}

/// A round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// How many blocks each setting had played.
    pub blocks: u32,
    /// Games of all settings up to then.
    pub games: u64,
    /// The leader; `None` where no setting is certainly within the bounds.
    pub leader: Option<usize>,
    /// The settings that took part, in their order.
    pub looks: Vec<Look>,
}

/// A race in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    rules: RaceRules,
    /// The status of each setting.
    pub(crate) standings: Vec<ArmStanding>,
    /// The rounds that are over.
    pub(crate) rounds: Vec<Round>,
    blocks: u32,
    games: u64,
}

impl Race {
    /// A race in which nothing is played yet.
    pub(crate) fn new(rules: RaceRules) -> Race {
        let standings = vec![ArmStanding::Left; rules.arms];
        Race { rules, standings, rounds: Vec::new(), blocks: 0, games: 0 }
    }

    /// The games of the rounds that are over.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The settings that are left, in their order.
    pub(crate) fn left(&self) -> impl Iterator<Item = usize> {
        (0..self.standings.len()).filter(|&arm| self.standings[arm] == ArmStanding::Left)
    }

    /// The blocks of the next round, which all remaining settings play with all bots; `None` where the race is over.
    pub(crate) fn next(&self) -> Option<Range<u32>> {
        let left = self.left().count() as u64;
        if left == 0 || (left == 1 && self.blocks > 0) || self.blocks >= self.rules.most {
            return None;
        }
        let aim = if self.blocks == 0 { self.rules.first } else { self.blocks.saturating_mul(2) };
        let wanted = aim.min(self.rules.most) - self.blocks;
        let of_block = left * self.rules.games.max(1);
        let affordable = self.rules.budget.saturating_sub(self.games) / of_block;
        let add = u32::try_from(affordable).unwrap_or(u32::MAX).min(wanted);
        // A round with hardly more blocks than the last one is not worth its share of the error.
        let worth = if self.blocks == 0 { add >= LEAST_BLOCKS } else { add > self.blocks / 5 };
        worth.then(|| self.blocks..self.blocks + add)
    }

    /// Judges the remaining settings by all blocks that they have played up to this one: `seen` by setting and bot.
    pub(crate) fn judge(&mut self, end: u32, seen: &[Vec<SeenArm>]) -> &Round {
        let round = self.rounds.len() as u32;
        let left: Vec<usize> = self.left().collect();
        let added = u64::from(end.saturating_sub(self.blocks)) * self.rules.games;
        self.games += added * left.len() as u64;
        self.blocks = end;
        let parts: Vec<Vec<Vec<f64>>> = left
            .iter()
            .map(|&arm| {
                seen[arm].iter().map(|seen| seen.objective.pseudo_values().unwrap_or_default()).collect()
            })
            .collect();
        let mut looks: Vec<Look> =
            left.iter().zip(&parts).map(|(&arm, parts)| self.begin(arm, &seen[arm], parts)).collect();
        // A setting with too little data can neither lead nor be worse.
        let can_lead = |look: &Look| look.within == Within::Sure && look.worst().1.mean.is_finite();
        let sure = looks.iter().enumerate().filter(|(_, look)| can_lead(look));
        let leader =
            sure.min_by(|(_, a), (_, b)| a.worst().1.mean.total_cmp(&b.worst().1.mean)).map(|(at, _)| at);
        for (at, look) in looks.iter_mut().enumerate() {
            if let Some(leader) = leader.filter(|&leader| leader != at) {
                look.p = Some(p_worse(&parts[at], &parts[leader]));
            }
            look.standing = match (look.within, look.p, leader) {
                (Within::Out(bound), _, _) => ArmStanding::Outside { round, bound },
                (_, Some(p), Some(leader)) if p < self.rules.level_of_worse() => {
                    ArmStanding::Worse { round, than: left[leader] }
                }
                _ => ArmStanding::Left,
            };
            self.standings[look.arm] = look.standing;
        }
        let leader = leader.map(|at| left[at]);
        self.rounds.push(Round { blocks: end, games: self.games, leader, looks });
        &self.rounds[self.rounds.len() - 1]
    }

    fn begin(&self, arm: usize, seen: &[SeenArm], parts: &[Vec<f64>]) -> Look {
        let nothing = Mean { blocks: self.blocks, ..UNKNOWN };
        let means = |of: &[Vec<f64>]| of.iter().map(|values| Mean::of(values).unwrap_or(nothing)).collect();
        let bounded: Vec<Vec<Mean>> = seen.iter().map(|seen| means(&seen.bounded)).collect();
        let within = self.within(&bounded);
        Look { arm, figures: means(parts), bounded, within, p: None, standing: ArmStanding::Left }
    }

    fn within(&self, bounded: &[Vec<Mean>]) -> Within {
        let mut sure = true;
        for means in bounded {
            for (bound, (mean, limits)) in means.iter().zip(&self.rules.bounds).enumerate() {
                // Nothing is known about a measure that no game has.
                if !mean.mean.is_finite() {
                    sure = false;
                    continue;
                }
                if limits.p_outside(*mean) < self.rules.level_of_outside() {
                    return Within::Out(bound);
                }
                sure &= limits.p_within(*mean) < self.rules.level_of_within();
            }
        }
        if sure { Within::Sure } else { Within::Open }
    }

    /// The setting that is listed first: the leader of the last round if it is left, else the one that looks best.
    pub(crate) fn favourite(&self) -> Option<usize> {
        let round = self.rounds.last()?;
        let left = round.looks.iter().filter(|look| look.standing == ArmStanding::Left);
        let best = || left.min_by(|a, b| a.worst().1.mean.total_cmp(&b.worst().1.mean)).map(|look| look.arm);
        round.leader.or_else(best)
    }
}

/// The figure of a setting without data: it is the last of all.
pub(crate) const UNKNOWN: Mean = Mean { mean: f64::INFINITY, sem: f64::INFINITY, blocks: 0 };

/// The bot with the largest of these means, the first where several are equal.
pub(crate) fn worst(figures: &[Mean]) -> (usize, Mean) {
    let worse =
        |worst: (usize, Mean), next: (usize, Mean)| if next.1.mean > worst.1.mean { next } else { worst };
    figures.iter().copied().enumerate().reduce(worse).unwrap_or((0, UNKNOWN))
}

/// The probability of a setting looking this much worse than another if it were not worse, from the blocks of both, bot
/// by bot.
fn p_worse(own: &[Vec<f64>], other: &[Vec<f64>]) -> f64 {
    let pair = |own: &[f64], other: &[f64]| {
        let differences: Vec<f64> = own.iter().zip(other).map(|(own, other)| own - other).collect();
        Mean::of(&differences).map_or(1.0, |mean| mean.p_above(0.0))
    };
    let against_all = |own: &Vec<f64>| other.iter().map(|other| pair(own, other)).fold(0.0, f64::max);
    let least = own.iter().map(against_all).fold(1.0, f64::min);
    (least * own.len() as f64).min(1.0)
}

#[cfg(test)]
mod tests;
