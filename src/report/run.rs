//! What a run folder says of itself beyond its balance: which boards were played on, what is set, with which bots.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::chart::BoardMap;
use upheaval_analysis::balance::BalanceError;
use upheaval_analysis::balance::source::{LineUpFacts, RunSource};
use upheaval_engine::rules::variant::Variant;
use upheaval_harness::sim::Trust;
use upheaval_harness::sim::experiment::Deal;
use upheaval_harness::sim::output::manifest::Manifest;
use upheaval_harness::sim::resolved::{Arm, ResolvedSeats};

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
    pub fn open(path: &Path, trust: Trust) -> Result<Run, BalanceError> {
        let source = RunSource::open(path, trust)?;
        let mut boards = Boards::new(&source.run.manifest);
        let known = source.run.arms().iter().map(|arm| boards.known(arm)).collect();
        let bots = source.run.experiment.bots.iter().map(|bot| (bot.name.clone(), words(&bot.content)));
        Ok(Run { known, bots: bots.collect(), source })
    }

    /// Is the question of the run about its bots, rather than about its powers? It is where blocks play line-ups in turn,
    /// and where each of several line-ups is one bot against another in all other seats.
    pub fn is_tournament(&self) -> bool {
        let one_against_rest = |line_up: &LineUpFacts| {
            let count = |bot: &String| line_up.bots.iter().filter(|other| *other == bot).count();
            let has = |times: usize| line_up.bots.iter().any(|bot| count(bot) == times);
            has(1) && has(line_up.bots.len().saturating_sub(1))
        };
        match &self.source.run.experiment.seats {
            ResolvedSeats::LineUps { each_block: Deal::InTurn, .. } => true,
            ResolvedSeats::LineUps { .. } => self.source.line_ups.iter().all(one_against_rest),
            _ => false,
        }
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

    /// What is known of an arm.
    fn known(&mut self, arm: &Arm) -> Known {
        let map = &arm.content["map"];
        let base = arm.base.clone();
        let id = base.as_deref().unwrap_or(&arm.id);
        let kept = self.kept(&arm.id, map);
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

/// What decides how a bot plays, in a line.
fn words(content: &Value) -> String {
    let content = content.as_object().into_iter().flatten();
    content.map(|(key, value)| format!("{key} {}", plain(value))).collect::<Vec<_>>().join(", ")
}
