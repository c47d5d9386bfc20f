//! Experiments with the shipped variants and bots, and the player for real games.
use super::quick::kind;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use upheaval::diagnostic::Source;
use upheaval::ids::{ByPower, Powers};
use upheaval::sim::{Experiment, GameSpec, Overrides, Registry, RunLog, RunReport};

/// The bots of this crate, `search` with a minimal search.
pub fn registry() -> Registry {
    Registry::new(upheaval_bots::KINDS.map(|shipped| kind(shipped.name)))
}

/// A game of a player's first variant to 1901, with its first bot in every seat.
pub fn spec(powers: Powers, game: u32) -> GameSpec {
    GameSpec {
        variant: 0,
        game,
        block: game,
        line_up: 0,
        rotation: 0,
        seats: ByPower::from_fn(powers, |_| 0),
        names: Arc::new(ByPower::from_fn(powers, |_| "bot".into())),
        seed: 1,
        last_year: 1901,
        log: RunLog::ORDERS,
        stop: Default::default(),
    }
}

/// The experiment of this text.
pub fn experiment(text: &str, out: &Path) -> Experiment {
    let overrides = Overrides { out: Some(out.to_owned()), ..Overrides::default() };
    Experiment::check(&Source::new("e.toml", text), Path::new(""), &overrides, &registry()).expect("sound")
}

/// Plays an experiment into its run folder.
pub fn play(experiment: &Experiment, threads: usize) -> RunReport {
    Experiment { threads, ..experiment.clone() }.run(&()).expect("a run folder")
}

/// Every file of a run except the manifest, with its bytes.
pub fn files(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = testkit::files_below(run);
    files.retain(|path, _| !path.ends_with("manifest.json"));
    files
}
