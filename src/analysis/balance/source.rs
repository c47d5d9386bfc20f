//! A run folder, as far as a balance needs to know it: its arms and line-ups, and what is asked of which.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::part_of_run::PartOfRun;
use upheaval_engine::diagnostic::suggest;
use upheaval_harness::record::SCHEMA_VERSION;
use upheaval_harness::record::reader::ReadError;
use upheaval_harness::record::regular::RunFile;
use upheaval_harness::sim::output::manifest::{MANIFEST, Manifest};
use upheaval_harness::sim::output::{RESOLVED, read_json};
use upheaval_map::ids::{ByPower, Power};

/// Why no balance can be made of a folder.
#[derive(Debug, thiserror::Error)]
pub enum BalanceError {
    /// It is no run folder.
    #[error("`{}` is no run folder: {why}; name the folder that `upheaval run` printed", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// It is a part of a run.
    #[error(transparent)]
    PartOfRun(#[from] PartOfRun),
    /// It was written by another version.
    #[error(
        "`{}` has schema version {found}, and this program reads {SCHEMA_VERSION}: read it with the version that wrote \
         it, or play the experiment again",
        path.display()
    )]
    Version {
        /// The folder.
        path: PathBuf,
        /// The version it has.
        found: u32,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A table does not fit the others.
    #[error("`{}` {what}: the folder is damaged; `upheaval verify` says where", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// What is asked for is not there.
    #[error("{flag}: {message}")]
    Argument {
        /// The flag.
        flag: &'static str,
        /// What is wrong and what would be right.
        message: String,
    },
}

/// How the bots of a line-up are seated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seats {
    /// The same bot plays every power.
    Alike,
    /// Unlike bots, each of which plays every power as often as any other.
    Rotated,
    /// Unlike bots, each with a power of its own.
    Fixed,
}

impl Seats {
    /// What is compared where powers are, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Seats::Alike => "the same bot plays every power, so differences are the powers'",
            Seats::Rotated => {
                "every power is played by each entry of the line-up as often, so differences are the powers', on \
                 average over these bots"
            }
            Seats::Fixed => {
                "each power is always played by the same of unlike bots: differences are of bots and powers together, \
                 and say nothing of the powers alone"
            }
        }
    }
}

/// A line-up of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineUpFacts {
    /// The seven bots, the first for AUSTRIA in the first rotation.
    pub bots: Vec<String>,
    /// How they are seated.
    pub seats: Seats,
}

/// An arm of a run: a variant with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Its name in tables and folders.
    pub id: String,
    /// The year before the first: that of the start position.
    pub start: u16,
    /// Its parameters, where it is one of a sweep.
    pub parameters: Value,
    /// The home centres of each power at the start.
    pub homes: ByPower<Vec<String>>,
}

/// A part file of each table, with the same games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The file's name, which is the same in every table.
    pub name: String,
    /// The part of `games`.
    pub games: RunFile,
    /// The part of `turns`.
    pub turns: RunFile,
    /// The part of `events`.
    pub events: RunFile,
}

/// A run folder.
#[derive(Clone, Debug)]
pub struct RunSource {
    /// Where it is.
    pub path: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    /// Its root seed.
    pub seed: u64,
    /// The last year that is played.
    pub last_year: u16,
    /// Its arms, the baseline first.
    pub arms: Vec<Arm>,
    /// Its line-ups.
    pub line_ups: Vec<LineUpFacts>,
    /// How many blocks each arm has.
    pub blocks: u32,
}

#[derive(Deserialize)]
struct Resolved {
    seed: u64,
    games: u32,
    last_year: u16,
    seats: Value,
    variants: Vec<ResolvedVariant>,
}

#[derive(Deserialize)]
struct ResolvedVariant {
    id: String,
    first_year: u16,
    #[serde(default)]
    parameters: Value,
    content: Value,
}

impl RunSource {
    /// Looks at a run folder.
    pub fn open(path: &Path) -> Result<RunSource, BalanceError> {
        let no_run = |why: String| BalanceError::NoRun { path: path.to_owned(), why };
        let manifest: Manifest = read_json(path, MANIFEST).map_err(no_run)?;
        PartOfRun::refuse(path, &manifest)?;
        let found = manifest.code.schema_version;
        if found != SCHEMA_VERSION {
            return Err(BalanceError::Version { path: path.to_owned(), found });
        }
        let resolved: Resolved = read_json(path, RESOLVED).map_err(no_run)?;
        let line_ups = line_ups(&resolved.seats)
            .ok_or_else(|| no_run(format!("`{RESOLVED}` does not say who plays in `seats`")))?;
        let block =
            if line_ups.iter().all(|l| l.seats == Seats::Fixed) || resolved.seats.get("AUSTRIA").is_some() {
                1
            } else if resolved.seats["each_block"] == "next" {
                Power::COUNT
            } else {
                Power::COUNT * line_ups.len()
            };
        let arms = resolved.variants.into_iter().map(|variant| Arm {
            homes: homes(&variant.content),
            id: variant.id,
            start: variant.first_year.saturating_sub(1),
            parameters: variant.parameters,
        });
        Ok(RunSource {
            path: path.to_owned(),
            seed: resolved.seed,
            last_year: resolved.last_year,
            arms: arms.collect(),
            line_ups,
            blocks: resolved.games.div_ceil(block as u32),
            manifest,
        })
    }

    /// The part files of an arm, in order.
    pub fn parts(&self, arm: &Arm) -> Vec<Part> {
        let games = below("games", arm);
        let files = self.manifest.files.iter().filter_map(|file| file.path.strip_prefix(&games));
        let mut names: Vec<&str> = files.collect();
        names.sort_unstable();
        let part = |name: &str| {
            let of = |table: &str| self.file(table, arm, name);
            Part { name: name.to_owned(), games: of("games"), turns: of("turns"), events: of("events") }
        };
        names.into_iter().map(part).collect()
    }

    /// The part file of this name of a table.
    pub fn file(&self, table: &str, arm: &Arm, name: &str) -> RunFile {
        RunFile::new(&self.path, below(table, arm) + name)
    }

    /// The arms of these ids, all where none is named.
    pub fn chosen_arms(&self, ids: &[String]) -> Result<Vec<&Arm>, BalanceError> {
        let known = || self.arms.iter().map(|arm| arm.id.as_str());
        if let Some(strange) = ids.iter().find(|id| known().all(|known| known != id.as_str())) {
            let message = format!("this run has no `{strange}`; {}", suggest(strange, known()));
            return Err(BalanceError::Argument { flag: "--variant", message });
        }
        Ok(self.arms.iter().filter(|arm| ids.is_empty() || ids.contains(&arm.id)).collect())
    }
}

/// The folder of an arm's parts of a table, below the run folder.
fn below(table: &str, arm: &Arm) -> String {
    format!("{table}/variant={}/", arm.id)
}

/// The line-ups that the seats of a resolved experiment have.
fn line_ups(seats: &Value) -> Option<Vec<LineUpFacts>> {
    let seven = |list: Vec<Option<&str>>| -> Option<Vec<String>> {
        let bots: Option<Vec<String>> = list.into_iter().map(|bot| bot.map(str::to_owned)).collect();
        bots.filter(|bots| bots.len() == Power::COUNT)
    };
    let facts = |bots: Vec<String>, unlike| {
        let alike = bots.iter().all(|bot| *bot == bots[0]);
        LineUpFacts { bots, seats: if alike { Seats::Alike } else { unlike } }
    };
    let rotated = |list: &Value| {
        let bots = seven(list.as_array()?.iter().map(Value::as_str).collect())?;
        Some(facts(bots, Seats::Rotated))
    };
    if let Some(list) = seats.get("lineup") {
        return Some(vec![rotated(list)?]);
    }
    if let Some(all) = seats.get("lineups") {
        return all.as_array()?.iter().map(rotated).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty());
    }
    let bots = seven(Power::ALL.iter().map(|power| seats.get(power.name())?.as_str()).collect())?;
    Some(vec![facts(bots, Seats::Fixed)])
}

/// The homes that a variant's content names.
fn homes(content: &Value) -> ByPower<Vec<String>> {
    ByPower::from_fn(|power| {
        let names = content["homes"][power.name()].as_array().into_iter().flatten();
        names.filter_map(Value::as_str).map(str::to_owned).collect()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn seats_say_what_fairness_means() {
        let six = |other: &'static str| ["a", "a", "a", "a", "a", "a", other];
        let seats = |value: Value| -> Option<Vec<Seats>> {
            line_ups(&value).map(|all| all.iter().map(|line_up| line_up.seats).collect())
        };
        assert_eq!(seats(json!({ "lineup": six("b") })), Some(vec![Seats::Rotated]));
        assert_eq!(
            seats(json!({ "each_block": "all", "lineups": [six("a"), six("b")] })),
            Some(vec![Seats::Alike, Seats::Rotated])
        );
        let fixed = |other: &'static str| {
            let bots = Power::ALL.map(Power::name).into_iter().zip(six(other));
            Value::Object(bots.map(|(power, bot)| (power.to_owned(), bot.into())).collect())
        };
        assert_eq!(seats(fixed("b")), Some(vec![Seats::Fixed]));
        assert_eq!(seats(fixed("a")), Some(vec![Seats::Alike]));
        for bad in
            [json!({}), json!({ "lineup": ["a"] }), json!({ "lineups": [] }), json!({ "AUSTRIA": "a" })]
        {
            assert_eq!(seats(bad.clone()), None, "{bad}");
        }
    }
}
