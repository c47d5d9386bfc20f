//! A match that stops when it is decided, in the form of its run folder: the hypotheses, and how often the test is
//! made.
//!
//! The experiment of a match has the maximum number of games. The manifest records after how many it was decided
//! (`decided_after`), and `answer.json` has the result. The test itself is in the crate `upheaval-analysis`.

use serde::{Deserialize, Serialize};

/// The file of a match's run folder with the result.
pub(crate) const ANSWER: &str = "answer.json";

/// Everything that determines when a match stops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sequential {
    /// How the bots are seated, by its name in match files.
    pub design: String,
    /// The score that they are compared in, by its name.
    pub score: String,
    /// The difference under H0.
    pub baseline: f64,
    /// The difference under H1.
    pub effect: f64,
    /// How often H1 may be accepted where H0 holds.
    pub alpha: f64,
    /// How often H0 may be accepted where H1 holds.
    pub beta: f64,
    /// Games that are played between two tests: whole blocks, and a part of the run.
    pub games_a_look: u32,
}
