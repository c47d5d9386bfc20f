//! What a run folder says of itself beyond its balance: which boards were played on, what is set, with which bots.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::chart::BoardMap;
use upheaval_analysis::balance::BalanceError;
use upheaval_analysis::balance::source::{Arm, RunSource};
use upheaval_engine::rules::variant::Variant;
use upheaval_harness::record::regular::RunFile;
use upheaval_harness::sim::output::manifest::Manifest;
use upheaval_harness::sim::output::{RESOLVED, read_json};

/// What is known of the variant of an arm.
#[derive(Clone, Debug)]
pub struct Known {
    /// The variant it is made of, where parameters are set.
    pub base: Option<String>,
    /// The board, where the run folder keeps the rules of the arm, or a variant that ships is played on it.
    pub board: Option<Arc<BoardMap>>,
    /// The title that these rules have.
    pub title: Option<String>,
}

/// A part file of each table, with the same games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The arm's place.
    pub arm: usize,
    /// The part of `games`.
    pub games: RunFile,
    /// The part of `events`.
    pub events: RunFile,
    /// The part of `topology`.
    pub topology: RunFile,
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
        let of =
            |arm: &Arm| resolved["variants"].as_array().into_iter().flatten().find(|v| v["id"] == *arm.id);
        let mut boards = Boards::new(&source.manifest);
        let known = source.arms.iter().map(|arm| boards.known(&arm.id, of(arm).unwrap_or(&Value::Null)));
        let known = known.collect();
        Ok(Run { known, bots: bots(&resolved["bots"]), source })
    }

    /// The parts of its tables.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for (place, arm) in self.source.arms.iter().enumerate() {
            for part in self.source.parts(arm) {
                let topology = self.source.file("topology", arm, &part.name);
                parts.push(Part { arm: place, games: part.games, events: part.events, topology });
            }
        }
        parts
    }
}

/// Finds the boards of arms. Arms mostly share one: each is laid out once.
struct Boards<'a> {
    manifest: &'a Manifest,
    shipped: Vec<Arc<Variant>>,
    /// By the map's hash and text; two maps may differ in where their provinces lie alone.
    laid_out: Vec<(Value, Option<String>, Arc<BoardMap>)>,
}

impl Boards<'_> {
    fn new(manifest: &Manifest) -> Boards<'_> {
        let shipped = Variant::shipped().filter_map(|id| Variant::find(id, Path::new("")).ok().flatten());
        Boards { manifest, shipped: shipped.map(Arc::new).collect(), laid_out: Vec::new() }
    }

    /// What is known of an arm, by what the resolved experiment says of it.
    fn known(&mut self, arm: &str, entry: &Value) -> Known {
        let map = &entry["content"]["map"];
        let base = entry["base"].as_str().map(str::to_owned);
        let id = base.as_deref().unwrap_or(arm);
        let kept = self.kept(arm, map);
        let board = kept.clone().or_else(|| self.shipped.iter().find(|variant| is_on(variant, map)).cloned());
        let titled = kept.as_ref().or_else(|| self.shipped.iter().find(|variant| variant.id == id));
        Known {
            title: titled.map(|variant| variant.title.clone()),
            board: board.map(|variant| self.laid_out(map, variant)),
            base,
        }
    }

    /// The variant of the rules that the folder keeps. A folder of an older version has none; and what is not of the map
    /// that was played on is no picture of it.
    fn kept(&self, arm: &str, map: &Value) -> Option<Arc<Variant>> {
        let variant = self.manifest.rules.get(arm)?.check(arm).ok()?;
        is_on(&variant, map).then(|| Arc::new(variant))
    }

    fn laid_out(&mut self, map: &Value, variant: Arc<Variant>) -> Arc<BoardMap> {
        let text = &variant.files.map;
        if let Some((.., board)) = self.laid_out.iter().find(|(hash, of, _)| hash == map && of == text) {
            return Arc::clone(board);
        }
        let text = text.clone();
        let board = Arc::new(BoardMap::of(variant));
        self.laid_out.push((map.clone(), text, Arc::clone(&board)));
        board
    }
}

/// Is the variant played on the map of this hash?
fn is_on(variant: &Variant, map: &Value) -> bool {
    variant.content()["map"] == *map
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
