//! The information in a run folder besides its balance: boards, settings and bots.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::chart::BoardMap;
use upheaval_analysis::balance::BalanceError;
use upheaval_analysis::balance::source::RunSource;
use upheaval_analysis::repeats::one_against_rest;
use upheaval_engine::rules::variant::Variant;
use upheaval_harness::sim::output::manifest::Manifest;
use upheaval_harness::sim::resolved::{Arm, ResolvedSeats};
use upheaval_harness::sim::{LineUpSchedule, Trust};

/// The known facts about the variant of an arm.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// The board, if the run folder contains the rules of the arm, or if a variant that ships has it.
    pub board: Option<Arc<BoardMap>>,
    /// The title of these rules, or the variant that they were made from.
    pub title: Option<String>,
}

/// A whole run on disk.
#[derive(Clone, Debug)]
pub(crate) struct ReportedRun {
    /// Its tables, arms and line-ups.
    pub source: RunSource,
    /// For each arm, the known facts about its variant.
    pub known: Vec<Known>,
    /// The bots, each with its version or command.
    pub bots: Vec<(String, String)>,
}

impl ReportedRun {
    /// Opens a run folder, and those by which the run was extended.
    pub(crate) fn open(
        first: &Path,
        others: &[impl AsRef<Path>],
        trust: Trust,
    ) -> Result<ReportedRun, BalanceError> {
        let source = RunSource::open_all(first, others, trust)?;
        let mut boards = Boards::new(&source.run.manifest);
        let known = source.run.arms().iter().map(|arm| boards.known(arm)).collect();
        let mut bots: Vec<(String, String)> = Vec::new();
        for bot in source.runs().flat_map(|(run, _)| &run.experiment.bots) {
            if !bots.iter().any(|(name, _)| *name == bot.name) {
                bots.push((bot.name.clone(), words(&bot.content)));
            }
        }
        Ok(ReportedRun { known, bots, source })
    }

    /// The number of games of all runs.
    pub(crate) fn games(&self) -> u64 {
        self.source.runs().map(|(run, _)| run.manifest.games).sum()
    }

    /// Is the run a tournament, which is about bots? It is if blocks alternate line-ups, or if each line-up has one bot
    /// against another bot in all other seats. Several runs together are always a tournament.
    pub(crate) fn is_tournament(&self) -> bool {
        match &self.source.run.experiment.seats {
            _ if !self.source.extensions.is_empty() => true,
            ResolvedSeats::LineUps { each_block: LineUpSchedule::InTurn, .. } => true,
            ResolvedSeats::LineUps { .. } => self.source.line_ups.iter().all(|of| one_against_rest(&of.bots)),
            _ => false,
        }
    }
}

/// Finds the boards of arms. Most arms share one, so each is laid out once.
struct Boards<'a> {
    manifest: &'a Manifest,
    shipped: Vec<Arc<Variant>>,
    /// By the map's hash and text; two maps may differ only in the positions of their provinces.
    laid_out: Vec<(Value, Option<String>, Arc<BoardMap>)>,
}

impl Boards<'_> {
    fn new(manifest: &Manifest) -> Boards<'_> {
        let shipped = Variant::shipped().filter_map(|id| Variant::find(id, Path::new("")).ok().flatten());
        Boards { manifest, shipped: shipped.map(Arc::new).collect(), laid_out: Vec::new() }
    }

    /// The known facts about an arm.
    fn known(&mut self, arm: &Arm) -> Known {
        let map = &arm.content["map"];
        let id = arm.base.as_ref().unwrap_or(&arm.id);
        let kept = self.kept(&arm.id, map);
        let board = kept.clone().or_else(|| self.shipped.iter().find(|variant| is_on(variant, map)).cloned());
        let titled = kept.as_ref().or_else(|| self.shipped.iter().find(|variant| variant.id == *id));
        Known {
            title: titled.map(|variant| variant.title.clone()).or(arm.base.clone()),
            board: board.map(|variant| self.laid_out(map, variant)),
        }
    }

    /// The variant of the stored rules. A folder of an older version has none, and rules with another map than the one
    /// played on do not describe it.
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

/// Is the variant played on the map with this hash?
fn is_on(variant: &Variant, map: &Value) -> bool {
    variant.content()["map"] == *map
}

/// A value as in the file; texts without their quotes.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The content of a bot, in a line.
fn words(content: &Value) -> String {
    let content = content.as_object().into_iter().flatten();
    content.map(|(key, value)| format!("{key} {}", plain(value))).collect::<Vec<_>>().join(", ")
}
