//! A match that stops when it is decided, as its run folder keeps it: what is asked, and how often it is looked.
//!
//! The experiment of a match has the games that may be needed at most. The manifest says after how many it was decided
//! (`decided_after`), and [`ANSWER`] what was found. The test itself is in the crate `upheaval-analysis`.

use serde::{Deserialize, Serialize};

/// The file of a match's run folder with what was found.
pub const ANSWER: &str = "answer.json";

/// All that decides when a match stops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sequential {
    /// How the bots are seated, by its name in match files.
    pub design: String,
    /// In what score they are compared, by its name.
    pub score: String,
    /// The difference under H0.
    pub baseline: f64,
    /// The difference under H1.
    pub effect: f64,
    /// How often H1 may be accepted where H0 holds.
    pub alpha: f64,
    /// How often H0 may be accepted where H1 holds.
    pub beta: f64,
    /// Games that are played between two looks: whole blocks, and a part of the run.
    pub games_a_look: u32,
}
