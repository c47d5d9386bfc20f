//! The seam between the command line and the game: what variants and bots there are, and who plays a game.

use std::path::Path;

use upheaval::sim::{BotEntry, Catalogue, Experiment, LookupError, Play, VariantEntry};

use crate::failure::Failure;

/// The variants and bots of this build.
pub struct Shelf;

impl Catalogue for Shelf {
    fn variants(&self) -> Vec<String> {
        Vec::new()
    }
    fn variant(&self, _name: &str, _base: &Path) -> Result<VariantEntry, LookupError> {
        Err(LookupError::Unknown)
    }
    fn bots(&self) -> Vec<String> {
        Vec::new()
    }
    fn bot(&self, _name: &str, _base: &Path) -> Result<BotEntry, LookupError> {
        Err(LookupError::Unknown)
    }
}

/// What plays the games of an experiment, on all threads at once.
pub fn player(_experiment: &Experiment) -> Result<Box<dyn Play>, Failure> {
    Err(Failure::input("this build has no game to play"))
}
