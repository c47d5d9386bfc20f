//! The answer of a match, in words and as the file of its run folder.

use std::fmt::Write;

use serde::Serialize;

use super::{DuelReport, MatchCourse};
use crate::estimate::{Estimate, Interval};
use crate::sprt::{LEAST_BLOCKS, SprtQuestion, SprtVerdict};
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
    /// The log-likelihood ratio at the end.
    pub ratio: f64,
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
}

impl MatchAnswer {
    /// The answer of a match that ended with this report, to this question.
    pub fn of(report: &DuelReport, question: &Sequential) -> MatchAnswer {
        let DuelReport { verdict, test, bots, score, difference, elo, repeats, .. } = report;
        let [first, second] = bots;
        // Where all blocks have the same difference, there is no interval: then as many coins fell on the same side.
        let bounds = match difference.interval {
            None if !repeats.show_nothing() && test.blocks() >= LEAST_BLOCKS => (test.mean(), test.mean()),
            None => (0.0, 0.0),
            Some(Interval { low, high }) => (low, high),
        };
        let stronger = match bounds {
            (low, _) if low > 0.0 => Some(first.clone()),
            (_, high) if high < 0.0 => Some(second.clone()),
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
            ratio: test.llr(),
            blocks: test.blocks(),
            question: question.clone(),
            warnings: report.faults.warnings(),
            decimals: score.decimals() + 1,
            found: *verdict,
            show_nothing: repeats.show_nothing(),
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
            None => writeln!(text, "undecided: more blocks (`max_blocks`, or --blocks) may decide it"),
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
            None => {
                writeln!(text, "neither is shown to be stronger: the interval of the difference contains 0")
            }
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
        let _ = writeln!(text, "{} blocks, {games} games", self.blocks);
        text
    }
}

impl MatchCourse {
    /// The match of a run folder at its start, for its stored games; `None` where the run is not a match of this
    /// program.
    pub fn of_stored(bots: [String; 2], question: &Sequential, seed: u64) -> Option<MatchCourse> {
        let Sequential { baseline, effect, alpha, beta, .. } = *question;
        let score = crate::scoring::Score::named(&question.score)?;
        Some(MatchCourse::new(SprtQuestion { baseline, effect, alpha, beta }, score, bots, seed))
    }
}
