//! The options of a balance, and why a balance may be refused.

use std::fmt;

use crate::balance::effect::Whose;
use crate::balance::tally::FairnessMeasure;
use upheaval_harness::record::EventKind;
use upheaval_harness::record::reader::ReadError;
use upheaval_harness::sim::stored::{StoredError, Trust};

/// How far a power's shares with two line-ups may differ for the bots to agree, in parts of an equal share, if nothing
/// else is asked for: with seven powers, 3.6 of 100 points.
pub const MARGIN: f64 = 0.25;

/// What is asked of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceOptions {
    /// The arms, by id; empty for all.
    pub variants: Vec<String>,
    /// The line-ups, by number; empty for all.
    pub line_ups: Vec<usize>,
    /// The arm that the others are compared with; the first of those chosen if left out.
    pub against: Option<String>,
    /// The measure that arms are ranked by in text and pages.
    pub rank_by: FairnessMeasure,
    /// The kinds of events whose effect is estimated; empty for those that change a province.
    pub events: Vec<EventKind>,
    /// Whose province an event strikes.
    pub whose: Whose,
    /// How many years after an event the centres are counted.
    pub years: u16,
    /// The requested width of intervals of rates and scores.
    pub width: Option<f64>,
    /// The requested width of intervals of centres.
    pub width_centres: Option<f64>,
    /// How far a power's shares with two line-ups may differ for the bots to agree, in parts of an equal share.
    pub margin: f64,
    /// How much of the run folder is trusted without a check.
    pub trust: Trust,
}

impl Default for BalanceOptions {
    fn default() -> BalanceOptions {
        BalanceOptions {
            variants: Vec::new(),
            line_ups: Vec::new(),
            against: None,
            rank_by: FairnessMeasure::Score,
            events: Vec::new(),
            whose: Whose::Home,
            years: 2,
            width: None,
            width_centres: None,
            margin: MARGIN,
            trust: Trust::Nothing,
        }
    }
}

impl BalanceOptions {
    /// The requested width in a measure.
    pub(super) fn width(&self, measure: FairnessMeasure) -> Option<f64> {
        match measure {
            FairnessMeasure::Solos | FairnessMeasure::Score | FairnessMeasure::Survival => self.width,
            FairnessMeasure::Centres => self.width_centres,
        }
    }
}

/// Why a balance cannot be computed from a folder.
#[derive(Debug, thiserror::Error)]
pub enum BalanceError {
    /// The folder cannot be read as a whole run of this version.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Something that is asked for does not exist.
    #[error("{of}: {message}")]
    Choice {
        /// Which option.
        of: Selection,
        /// What is wrong, and what would be right.
        message: String,
    },
}

impl From<ReadError> for BalanceError {
    fn from(error: ReadError) -> BalanceError {
        BalanceError::Stored(error.into())
    }
}

impl BalanceError {
    /// Can the user avoid the error by asking for something else, rather than being faced with a failure of the
    /// machine?
    pub fn is_refusal(&self) -> bool {
        match self {
            BalanceError::Stored(error) => error.is_refusal(),
            BalanceError::Threads(_) => false,
            BalanceError::Choice { .. } => true,
        }
    }
}

/// A choice among the things that a run has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// [`BalanceOptions::variants`]
    Variant,
    /// [`BalanceOptions::line_ups`]
    LineUp,
    /// [`BalanceOptions::against`]
    Against,
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Selection::Variant => "variant",
            Selection::LineUp => "line-up",
            Selection::Against => "against",
        })
    }
}
