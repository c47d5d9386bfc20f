//! A run folder read again: its bots and variants, and the rows of its games.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::faults::Faults;
use super::part_of_run::PartOfRun;
use super::scoring::Score;
use super::standings::{Counted, Standings};
use upheaval_harness::record::reader::{self, ReadError};
use upheaval_harness::record::regular::{Readable, RunFile};
use upheaval_harness::sim::output::manifest::{MANIFEST, Manifest};
use upheaval_harness::sim::output::{RESOLVED, read_json};

/// Why no standings can be made of a folder.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// It is no run folder.
    #[error("`{}` is no run folder: {why}; name the folder that `upheaval tournament` or `upheaval run` printed", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// It is a part of a run.
    #[error(transparent)]
    PartOfRun(#[from] PartOfRun),
    /// A table cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A game is not of this run.
    #[error("`{}` has a game with a bot that experiment.resolved.json does not name", .0.display())]
    Foreign(PathBuf),
}

/// A whole run on disk.
#[derive(Clone, Debug)]
pub struct StoredRun {
    path: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    bots: Vec<String>,
    variants: Vec<String>,
    counted: Counted,
    seed: u64,
}

impl StoredRun {
    /// Looks at a run folder.
    pub fn open(path: &Path) -> Result<StoredRun, StoredError> {
        let no_run = |why: String| StoredError::NoRun { path: path.to_owned(), why };
        let manifest: Manifest = read_json(path, MANIFEST).map_err(no_run)?;
        PartOfRun::refuse(path, &manifest)?;
        let resolved: Value = read_json(path, RESOLVED).map_err(no_run)?;
        let names = |list: &str, key: &str| -> Option<Vec<String>> {
            let items = resolved[list].as_array()?;
            items.iter().map(|item| item[key].as_str().map(str::to_owned)).collect()
        };
        let damaged = || no_run("`experiment.resolved.json` lacks bots, variants or seed".to_owned());
        Ok(StoredRun {
            path: path.to_owned(),
            bots: names("bots", "name").ok_or_else(damaged)?,
            variants: names("variants", "id").ok_or_else(damaged)?,
            seed: resolved["seed"].as_u64().ok_or_else(damaged)?,
            counted: counted(&resolved["seats"]["lineups"]),
            manifest,
        })
    }

    /// The standings of its games, and how its bots behaved.
    pub fn standings(&self, score: Score) -> Result<(Standings, Faults), StoredError> {
        let mut standings =
            Standings::new(self.bots.clone(), self.variants.clone(), self.counted, score, self.seed);
        let mut faults = Faults::default();
        for (variant, id) in self.variants.iter().enumerate() {
            let folder = format!("games/variant={id}/");
            for file in self.manifest.files.iter().filter(|file| file.path.starts_with(&folder)) {
                let part = RunFile::new(&self.path, &file.path);
                for game in reader::games(&part)? {
                    if !standings.add(variant, &game) {
                        return Err(StoredError::Foreign(part.place()));
                    }
                    faults.add(&game);
                }
            }
        }
        Ok((standings, faults))
    }
}

/// Where every one of several line-ups is one bot among six of another, what is asked is how the one does.
fn counted(line_ups: &Value) -> Counted {
    let one_among_six = |line_up: &Value| {
        let Some(bots) = line_up.as_array() else { return false };
        let count = |bot: &Value| bots.iter().filter(|other| *other == bot).count();
        bots.iter().any(|bot| count(bot) == 1) && bots.iter().any(|bot| count(bot) == 6)
    };
    match line_ups.as_array() {
        Some(list) if list.iter().all(one_among_six) => Counted::Alone,
        _ => Counted::EverySeat,
    }
}
