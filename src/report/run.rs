//! What a run folder says of itself beyond its balance: which boards were played on, what is set, with which bots.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::chart::BoardMap;
use crate::analysis::balance::BalanceError;
use crate::analysis::balance::source::{Arm, RunSource};
use crate::rules::variant::Variant;
use crate::sim::output::{RESOLVED, read_json};

/// What is known of the variant of an arm.
#[derive(Clone, Debug)]
pub struct Known {
    /// The variant it is made of, where parameters are set.
    pub base: Option<String>,
    /// The board, where a variant that ships with the program is played on it.
    pub board: Option<Arc<BoardMap>>,
    /// The title of the variant that it is or is made of, where that ships with the program.
    pub title: Option<String>,
}

/// A part file of each table, with the same games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The arm's place.
    pub arm: usize,
    /// The part of `games`.
    pub games: PathBuf,
    /// The part of `events`.
    pub events: PathBuf,
    /// The part of `topology`.
    pub topology: PathBuf,
}

/// A whole run on disk.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its tables, arms and line-ups.
    pub source: RunSource,
    /// Of each arm, what is known of its variant.
    pub known: Vec<Known>,
    /// The bots, each with its version or command.
    pub bots: Vec<(String, String)>,
}

impl Run {
    /// Looks at a run folder.
    pub fn open(path: &Path) -> Result<Run, BalanceError> {
        let source = RunSource::open(path)?;
        // What the source could not read it would have refused.
        let resolved: Value = read_json(path, RESOLVED).unwrap_or_default();
        let shipped: Vec<Arc<Variant>> = Variant::shipped()
            .filter_map(|id| Variant::find(id, Path::new("")).ok().flatten())
            .map(Arc::new)
            .collect();
        let of =
            |arm: &Arm| resolved["variants"].as_array().into_iter().flatten().find(|v| v["id"] == *arm.id);
        // Arms mostly share a board: each is laid out once.
        let mut boards: Vec<(&Value, Option<Arc<BoardMap>>)> = Vec::new();
        let mut known = Vec::new();
        for arm in &source.arms {
            let entry = of(arm).unwrap_or(&Value::Null);
            let map = &entry["content"]["map"];
            let found = boards.iter().find(|(other, _)| *other == map).map(|(_, board)| board.clone());
            let board = found.unwrap_or_else(|| {
                let same = shipped.iter().find(|variant| variant.content()["map"] == *map);
                let board = same.map(|variant| Arc::new(BoardMap::of(Arc::clone(variant))));
                boards.push((map, board.clone()));
                board
            });
            known.push(self::known(entry, board, &shipped));
        }
        Ok(Run { known, bots: bots(&resolved["bots"]), source })
    }

    /// The parts of its tables.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for (place, arm) in self.source.arms.iter().enumerate() {
            for part in self.source.parts(arm) {
                let name = part.games.file_name().map(ToOwned::to_owned).unwrap_or_default();
                let topology =
                    self.source.path.join("topology").join(format!("variant={}", arm.id)).join(name);
                parts.push(Part { arm: place, games: part.games, events: part.events, topology });
            }
        }
        parts
    }
}

fn known(entry: &Value, board: Option<Arc<BoardMap>>, shipped: &[Arc<Variant>]) -> Known {
    let base = entry["base"].as_str().map(str::to_owned);
    let id = base.as_deref().or(entry["id"].as_str()).unwrap_or_default();
    Known {
        board,
        title: shipped.iter().find(|variant| variant.id == id).map(|variant| variant.title.clone()),
        base,
    }
}

/// A value as the file has it, texts without their quotes.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn bots(list: &Value) -> Vec<(String, String)> {
    let words = |bot: &Value| {
        let content = bot["content"].as_object().into_iter().flatten();
        content.map(|(key, value)| format!("{key} {}", plain(value))).collect::<Vec<_>>().join(", ")
    };
    list.as_array().into_iter().flatten().map(|bot| (plain(&bot["name"]), words(bot))).collect()
}
