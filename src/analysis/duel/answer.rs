//! The answer of a match, in words and as the file of its run folder.

use std::fmt::Write;

use serde::Serialize;

use crate::duel::{DuelReport, MatchCourse};
use crate::estimate::{Estimate, Interval};
use crate::repeats::Shuffling;
use crate::sprt::{SprtQuestion, SprtVerdict, Test};
use upheaval_harness::sim::sequential::Sequential;

/// The answer of a match, as `answer.json` has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchAnswer {
    /// The two bots.
    pub bots: [String; 2],
    /// `H1`, `H0` or `undecided`.
    pub verdict: &'static str,
    /// The bot that scores more, where the interval of the difference says so.
    pub stronger: Option<String>,
    /// The score of the difference.
    pub score: &'static str,
    /// By how much a seat of the first scores more than one of the second.
    pub difference: Estimate,
    /// By how much the first leads in rating, in Elo.
    pub elo: Estimate,
    /// What must be said of blocks that repeat each other.
    pub warning: Option<String>,
    /// The evidence for each verdict at the end.
    pub evidence: MatchEvidence,
    /// The blocks that it took.
    pub blocks: u32,
    /// The question.
    pub question: Sequential,
    /// A sentence for each bot that failed in too many games for the answer to show how it plays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    #[serde(skip)]
    decimals: usize,
    #[serde(skip)]
    found: Option<SprtVerdict>,
    #[serde(skip)]
    show_nothing: bool,
    #[serde(skip)]
    test: Test,
}

/// The evidence for each verdict: a natural logarithm, which accepts H1 from −ln(alpha) on, and H0 from −ln(beta) on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchEvidence {
    /// For H1.
    #[serde(rename = "H1")]
    pub effect: f64,
    /// For H0.
    #[serde(rename = "H0")]
    pub baseline: f64,
}

impl MatchEvidence {
    /// That of a test.
    pub(crate) fn of(test: &Test) -> MatchEvidence {
        let [effect, baseline] = SprtVerdict::ALL.map(|verdict| test.evidence(verdict));
        MatchEvidence { effect, baseline }
    }
}

impl MatchAnswer {
    /// The answer of a match that ended with this report, to this question.
    pub(crate) fn of(report: &DuelReport, question: &Sequential) -> MatchAnswer {
        let DuelReport { verdict, test, bots, score, difference, elo, repeats, .. } = report;
        let [first, second] = bots;
        // Where no block differs from another, there is no interval. The verdict may say it then.
        let stronger = match (difference.interval, verdict) {
            (Some(Interval { low, .. }), _) if low > 0.0 => Some(first.clone()),
            (Some(Interval { high, .. }), _) if high < 0.0 => Some(second.clone()),
            (None, Some(SprtVerdict::Effect)) if question.baseline >= 0.0 => Some(first.clone()),
            (None, Some(SprtVerdict::Baseline)) if question.effect <= 0.0 => Some(second.clone()),
            _ => None,
        };
        MatchAnswer {
            bots: bots.clone(),
            verdict: match verdict {
                Some(SprtVerdict::Effect) => "H1",
                Some(SprtVerdict::Baseline) => "H0",
                None => "undecided",
            },
            stronger,
            score: score.name(),
            difference: *difference,
            elo: *elo,
            warning: repeats.sentence(),
            evidence: MatchEvidence::of(test),
            blocks: test.blocks(),
            question: question.clone(),
            warnings: report.faults.warnings(),
            decimals: score.decimals() + 1,
            found: *verdict,
            show_nothing: repeats.show_nothing(),
            test: *test,
        }
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        // Numbers and texts always serialise.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// The verdict, which bot is stronger and by how much, as plain text.
    pub fn render(&self, games: u32) -> String {
        let MatchAnswer { bots: [first, second], question, decimals, .. } = self;
        let Sequential { baseline, effect, .. } = question;
        let mut text: String = self.warnings.iter().map(|warning| format!("{warning}\n")).collect();
        // Writing into a string cannot fail.
        let _ = match self.found {
            Some(SprtVerdict::Effect) => {
                writeln!(text, "H1: {first} scores more than {second} by {effect} rather than {baseline}")
            }
            Some(SprtVerdict::Baseline) => {
                writeln!(text, "H0: {first} scores more than {second} by {baseline} rather than {effect}")
            }
            None if self.show_nothing => writeln!(text, "undecided"),
            None => writeln!(text, "undecided: {}", self.why_undecided()),
        };
        if let Some(warning) = &self.warning {
            let _ = writeln!(text, "warning: {warning}");
        }
        let _ = match &self.stronger {
            None if self.show_nothing => writeln!(text, "nothing is shown of which is stronger"),
            Some(bot) => {
                let other = if bot == first { second } else { first };
                writeln!(text, "{bot} is stronger than {other}")
            }
            None if self.difference.interval.is_some() => {
                writeln!(text, "neither is shown to be stronger: the interval of the difference contains 0")
            }
            None => writeln!(
                text,
                "neither is shown to be stronger: no block differs from another in {}",
                self.score
            ),
        };
        let _ = writeln!(
            text,
            "a seat of {first} scores {} more in {}{}; Elo {}{}",
            self.difference.signed(*decimals),
            self.score,
            if self.difference.interval.is_some() { ", 95% CI over blocks" } else { "" },
            self.elo.signed(0),
            match self.difference.interval {
                Some(_) => "\nboth account for when the match stopped",
                None => "",
            },
        );
        if let Some(ahead) = self.ahead_in_orders() {
            let _ = writeln!(
                text,
                "Elo rates the order in which powers finish, with centres and late eliminations: there {ahead} is ahead, but \
                 {} does not show it",
                self.score
            );
        }
        let _ = writeln!(text, "{} blocks, {games} games", self.blocks);
        text
    }

    /// Why the match ended without a verdict, and how many blocks would do.
    fn why_undecided(&self) -> String {
        /// The most blocks that a match may have.
        const MOST: f64 = 1_000_000.0;
        let question = self.test.question();
        let have = |verdict, name| {
            let (have, need) = (self.test.evidence(verdict), question.needed(verdict));
            // A zero has no sign.
            format!("{:.2} of {need:.2} for {name}", if have.abs() < 0.005 { 0.0 } else { have })
        };
        let why = format!(
            "the evidence is {} and {}",
            have(SprtVerdict::Effect, "H1"),
            have(SprtVerdict::Baseline, "H0")
        );
        let alike = if self.test.is_uniform() { ", and no block differs from another" } else { "" };
        match self.test.blocks_to_decide() {
            Some(blocks) if blocks > MOST => format!(
                "{why}{alike}; `baseline` and `effect` are too near to each other for any number of blocks like these"
            ),
            Some(blocks) => format!(
                "{why}{alike}; about {} blocks like these (`max_blocks`, or --blocks) would decide it",
                blocks.ceil()
            ),
            None => format!("{why}{alike}; more blocks (`max_blocks`, or --blocks) may decide it"),
        }
    }

    /// The bot whose lead in Elo is not 0 although the score does not say that it is stronger.
    fn ahead_in_orders(&self) -> Option<&str> {
        let [first, second] = &self.bots;
        let ahead = match self.elo.interval? {
            Interval { low, .. } if low > 0.0 => first,
            Interval { high, .. } if high < 0.0 => second,
            _ => return None,
        };
        (self.stronger.as_ref() != Some(ahead)).then_some(ahead)
    }
}

impl MatchCourse {
    /// The match of a run folder at its start, for its stored games; `None` where the run is not a match of this
    /// program.
    pub fn of_stored(
        bots: [String; 2],
        question: &Sequential,
        shuffling: Shuffling,
        seed: u64,
    ) -> Option<MatchCourse> {
        let Sequential { baseline, effect, alpha, beta, .. } = *question;
        let score = crate::scoring::Score::named(&question.score)?;
        Some(MatchCourse::new(SprtQuestion { baseline, effect, alpha, beta }, score, bots, shuffling, seed))
    }
}
