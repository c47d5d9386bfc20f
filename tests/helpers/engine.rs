//! Experiments of the shipped variants and bots, with the player that plays them for real.
use std::fs;
use std::path::{Path, PathBuf};

use upheaval::bot::BotKind;
use upheaval::diagnostic::Source;
use upheaval::rules::variant::Variant;
use upheaval::sim::{Experiment, Overrides, Registry, RunReport};

pub fn variant(id: &str) -> Variant {
    Variant::find(id, Path::new("")).expect("sound").expect("shipped")
}

/// A bot of this crate, `search` with little to search.
pub fn kind(name: &str) -> BotKind {
    crate::helpers::quick::kind(name).expect("a bot of this crate")
}

/// The bots of this crate, `search` with little to search.
fn registry() -> Registry {
    Registry::new(upheaval_bots::KINDS.map(|shipped| kind(shipped.name)))
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

/// Every file of a run but the manifest, with its bytes.
pub fn files(run: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let (mut found, mut folders) = (Vec::new(), vec![run.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("manifest.json") {
                found.push((path.strip_prefix(run).unwrap().to_owned(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
