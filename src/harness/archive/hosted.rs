//! A game by hand that is over, as a run of one game. Its orders are recorded, and where it is played otherwise, a bot
//! decides for people.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::saved::ArchiveError;
use crate::game_record::{GameRecord, NO_LAST_YEAR, PERSON, Replay};
use crate::sim::experiment::is_plain;
use crate::sim::{
    BotEntry, BotOrigin, BotRecipe, BotSection, Catalogue, Experiment, LookupError, Recorder, Registry,
    RunFolder, RunLog, RunReport, Seating, Sink as _, VariantEntry,
};
use upheaval_engine::ask::Handicap;
use upheaval_engine::bot::Repeats;
use upheaval_engine::rules::position::Phase;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::ByPower;

/// The record of a game by hand, and how its run is made.
pub struct HostedImport<'a> {
    /// The record.
    pub record: &'a GameRecord,
    /// Its file, for errors.
    pub file: &'a str,
    /// The name of the run.
    pub name: String,
    /// The kind of bot that decides for people.
    pub stand_in: &'a str,
    /// The bots that there are.
    pub registry: &'a Registry,
    /// The folder for the run folder.
    pub out: PathBuf,
}

impl HostedImport<'_> {
    /// Plays the game again, and writes its run.
    ///
    /// # Errors
    /// The game is not over, or differs from its record; its seats or the name are not possible; or the disk fails.
    pub fn write(&self) -> Result<RunReport, ArchiveError> {
        let HostedImport { record, file, .. } = self;
        let refused = |what: String| ArchiveError::Files(format!("`{file}` {what}"));
        let (Some(_), Some(seed)) = (record.game.missing, record.game.seed) else {
            return Err(refused("is not the gamemaster's record of a game by hand".to_owned()));
        };
        if !record.is_over() {
            return Err(refused("has a game that is not over: a run has whole games".to_owned()));
        }
        if !is_plain(&self.name) {
            return Err(ArchiveError::Name(self.name.clone()));
        }
        let experiment = self.experiment(seed)?;
        let mut folder = RunFolder::create(&experiment)?;
        let schedule = experiment.schedule();
        for chunk in schedule.chunks().skip(folder.finished()) {
            let spec = schedule.game(chunk.variant, chunk.games.start);
            let mismatch = |mismatch| refused(format!("does not replay as recorded: {mismatch}"));
            let variant = record.variant(file).map_err(|error| refused(error.to_string()))?;
            let mut replay = Replay::new(record, variant).map_err(mismatch)?;
            let mut recorder = Recorder::new(&spec, replay.game());
            while replay.step(&mut recorder).map_err(mismatch)? {}
            let game = replay.finish().map_err(mismatch)?;
            folder.take(&chunk, &[recorder.finish(&game)])?;
        }
        Ok(folder.finish()?)
    }

    /// The experiment with the seats of the game.
    fn experiment(&self, seed: u64) -> Result<Experiment, ArchiveError> {
        let record = self.record;
        let variant = record.variant(self.file).map_err(|error| ArchiveError::Files(error.to_string()))?;
        let names: BTreeSet<&String> = record.game.bots.values().collect();
        let bots = names.iter().map(|name| self.bot(name)).collect::<Result<Vec<BotEntry>, _>>()?;
        let powers = &record.power_names;
        let seat = |power| {
            let bot = record.game.bots.get(powers.name(power));
            names.iter().position(|name| Some(*name) == bot).unwrap_or_default()
        };
        let seating = Seating::Fixed(ByPower::from_fn(powers.powers(), seat));
        let end = record.end.phase.parse::<Phase>().map_or(record.last_year, |phase| phase.year);
        let last_year = if record.last_year == NO_LAST_YEAR { end } else { record.last_year };
        let variants = vec![VariantEntry::new(Variant::clone(&variant))];
        let mut experiment = Experiment {
            threads: 1,
            out: self.out.clone(),
            given: format!(
                "# The game by hand `{}`: this experiment cannot be run.\n",
                record.game.experiment
            ),
            ..Experiment::new(self.name.clone(), variants, bots, seating, 1, seed, last_year)
        };
        experiment.resolved.log = RunLog { orders: true, ..RunLog::default() };
        Ok(experiment)
    }

    /// The bot of a seat. Its orders are those of the record.
    fn bot(&self, name: &str) -> Result<BotEntry, ArchiveError> {
        let kind = if name == PERSON { self.stand_in } else { name };
        let recipe = BotRecipe::Kind { kind: kind.to_owned(), settings: BTreeMap::new(), weights: None };
        let section = BotSection { name: name.to_owned(), recipe, handicap: Handicap::NONE };
        let bot = self.registry.described(&section, "".as_ref()).map_err(|error| match error {
            LookupError::Unusable(why) => ArchiveError::Files(why),
            LookupError::Unknown | LookupError::Faults(_) => {
                ArchiveError::Files(format!("there is no bot `{kind}`"))
            }
        })?;
        Ok(BotEntry { origin: BotOrigin::Guest(Repeats::No), ..bot })
    }
}
