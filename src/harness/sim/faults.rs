//! The policy for bots that are at fault: the section `[faults]` of an experiment file.
//!
//! ```toml
//! [faults]
//! policy = "hold"                                       # or "forfeit", or "void-and-replay-same-line-up"
//! answers = ["timeout", "crash", "stall", "protocol"]   # the faults that the policy answers; "illegal" may be added
//! tries = 3                                             # of a game, with the last policy
//! share = 0.1                                           # a bot that fails in more than this share of its games stops the run
//! ```
//! Faults that the policy does not answer are answered by `hold`. [`FaultCounts`] counts the games of each bot by its
//! gravest fault, and [`FailingBot`] is one that failed in too many of them.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use upheaval_engine::bot::{BotMaker, Conduct, Incident};
use upheaval_engine::diagnostic::Form;
use upheaval_engine::diagnostic::value::{Decimal, Placed, Whole};

use crate::record::GameRow;

/// The section `[faults]`: the policy for bots at fault.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Faults"))]
pub(crate) struct FaultKeys {
    /// Left out: `hold`.
    policy: Option<FaultPolicy>,
    /// The faults that the policy answers; for others, the units hold.
    answers: Option<Vec<Conduct>>,
    /// How often a void game is played again.
    tries: Option<Placed<Whole<2, 100>>>,
    /// The run is stopped by a bot that fails in more than this share of its games. Left out: 0.1; 1: by none.
    pub(super) share: Option<Decimal<0, 1_000_000>>,
}

/// The reaction to a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum FaultPolicy {
    /// Units without orders hold, and the game continues; a program that has exited is not asked again in this game.
    Hold,
    /// The power is not asked again: its units hold to the end of the game, nothing is built for it, and whatever the
    /// board shows, it neither wins nor shares a draw.
    Forfeit,
    /// The game is void. It is played again from the start, with the same line-up and nature, and other dice for the
    /// bots. The last attempt counts in any case, as under `hold`.
    #[serde(rename = "void-and-replay-same-line-up")]
    Replay,
}

/// The reaction to faults, and the faults that it answers, in the order of their names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "policy", rename_all = "kebab-case")]
pub enum FaultRule {
    /// Units without orders hold.
    #[default]
    Hold,
    /// The power is not asked again, and neither wins nor shares a draw.
    Forfeit {
        /// The faults.
        answers: Vec<Conduct>,
    },
    /// The game is void, and played again.
    #[serde(rename = "void-and-replay-same-line-up")]
    Replay {
        /// The faults.
        answers: Vec<Conduct>,
        /// The maximum number of attempts at a game.
        tries: u8,
    },
}

/// The share of its games in which a bot may fail, if a file does not give one.
pub const USUAL_SHARE: f64 = 0.1;

impl FaultRule {
    /// The rule of a file, which may have no section.
    pub(super) fn read(form: &Form<'_>, keys: Option<&Placed<FaultKeys>>) -> FaultRule {
        let Some(keys) = keys else { return FaultRule::default() };
        let policy = keys.policy.unwrap_or(FaultPolicy::Hold);
        let usual = || vec![Conduct::Timeout, Conduct::Crash, Conduct::Stall, Conduct::Protocol];
        let mut answers = keys.answers.clone().unwrap_or_else(usual);
        answers.sort_unstable_by_key(|fault| fault.name());
        answers.dedup();
        if let Some(tries) = &keys.tries
            && policy != FaultPolicy::Replay
            // A faulty key may be the policy.
            && form.is_sound(&keys.span())
        {
            form.fault(tries.span(), "`faults.tries` needs `policy = \"void-and-replay-same-line-up\"`");
        }
        let tries = keys.tries.as_ref().map_or(3, |tries| tries.short() as u8);
        match policy {
            FaultPolicy::Hold => FaultRule::Hold,
            FaultPolicy::Forfeit => FaultRule::Forfeit { answers },
            FaultPolicy::Replay => FaultRule::Replay { answers, tries },
        }
    }
}

/// Until a bot has played this many games, its failures are compared with this number of games: a bot is not judged by
/// its first game.
pub(super) const FEWEST: u64 = 20;

/// The games of a bot by its gravest fault in them, in the order of [`Conduct::ALL`].
pub type ByConduct = [u64; Conduct::ALL.len()];

/// The games of each bot by its gravest fault in them. A game counts for each power that the bot plays in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts(BTreeMap<String, ByConduct>);

impl FaultCounts {
    /// Adds a game.
    pub fn add(&mut self, game: &GameRow) {
        for seat in game.seats.rows() {
            if !self.0.contains_key(&*seat.bot) {
                self.0.insert(seat.bot.to_string(), Default::default());
            }
            if let Some(counts) = self.0.get_mut(&*seat.bot) {
                counts[seat.fault as usize] += 1;
            }
        }
    }

    /// Adds the games of others.
    pub fn merge(&mut self, others: FaultCounts) {
        for (bot, counts) in others.0 {
            let sums = self.0.entry(bot).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// The bots and their games.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ByConduct)> {
        self.0.iter().map(|(bot, counts)| (bot.as_str(), counts))
    }

    /// The bots that failed in more than this share of their games, where those of a bot count as at least `fewest`.
    pub fn above(&self, share: f64, fewest: u64) -> impl Iterator<Item = FailureCount<'_>> {
        self.iter()
            .map(FailureCount::from)
            .filter(move |count| count.failed as f64 > share * count.games.max(fewest) as f64)
    }
}

/// The games of a bot, and those in which it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureCount<'a> {
    /// The bot.
    pub bot: &'a str,
    /// The games in which it failed.
    pub failed: u64,
    /// All its games.
    pub games: u64,
    by_conduct: &'a ByConduct,
}

impl<'a> From<(&'a str, &'a ByConduct)> for FailureCount<'a> {
    fn from((bot, by_conduct): (&'a str, &'a ByConduct)) -> FailureCount<'a> {
        let failures = Conduct::ALL.iter().zip(by_conduct).filter(|(conduct, _)| conduct.is_failure());
        let failed = failures.map(|(_, count)| count).sum();
        FailureCount { bot, failed, games: by_conduct.iter().sum(), by_conduct }
    }
}

/// `7 of its 7 games (crash 6, stall 1)`
impl fmt::Display for FailureCount<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailureCount { failed, games, .. } = self;
        let kinds = Conduct::ALL.iter().zip(self.by_conduct);
        let kinds = kinds.filter(|(conduct, count)| conduct.is_failure() && **count > 0);
        let kinds: Vec<String> =
            kinds.map(|(conduct, count)| format!("{} {count}", conduct.name())).collect();
        write!(f, "{failed} of its {games} games ({})", kinds.join(", "))
    }
}

/// A bot that failed in too many of its games.
#[derive(Clone, Debug, PartialEq)]
pub struct FailingBot {
    /// Its name.
    pub bot: String,
    /// Its command, if it is a program.
    pub command: Option<String>,
    /// In how many games it failed, and how.
    pub count: String,
    /// The largest share of failures with which a run goes on.
    pub share: f64,
    /// Its first failure, with the end of its log.
    pub first: Option<Incident>,
}

impl fmt::Display for FailingBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailingBot { bot, command, count, share, first } = self;
        write!(f, "the bot `{bot}`")?;
        if let Some(command) = command {
            write!(f, ", the program `{command}`,")?;
        }
        write!(f, " failed in {count}: `faults.share` allows a share of {share}")?;
        if let Some(Incident { conduct, game, power, phase, reason, last_words, .. }) = first {
            let phase = phase.as_deref().unwrap_or("the start");
            write!(f, "; {} in {game}, {power}, {phase}: {reason}", conduct.name())?;
            if let Some(words) = last_words.lines().last() {
                write!(f, "; its last words: {words}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for FailingBot {}

impl FailingBot {
    /// The bot that failed in more than this share of its games, if there is one; `makers` are the name, the content and
    /// the maker of each bot.
    pub(super) fn find<'a>(
        counts: &FaultCounts,
        share: f64,
        makers: impl Iterator<Item = (&'a str, &'a Value, &'a BotMaker)> + Clone,
    ) -> Option<FailingBot> {
        let mut above = counts.above(share, FEWEST).chain(counts.above(share, 0));
        let of = |name: &str| makers.clone().find(|(bot, ..)| *bot == name);
        let (count, (bot, content, maker)) = above.find_map(|count| Some((count, of(count.bot)?)))?;
        let words = content.get("command").and_then(Value::as_array);
        let words = words.map(|words| words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "));
        let failures = maker.incidents().into_iter().filter(|incident| incident.conduct.is_failure());
        let first = failures.min_by(|a, b| {
            // Of two numbers the longer is the larger.
            let key =
                |incident: &Incident| (incident.game.len(), incident.game.clone(), incident.power.clone());
            key(a).cmp(&key(b))
        });
        Some(FailingBot { bot: bot.to_owned(), command: words, count: count.to_string(), share, first })
    }
}
