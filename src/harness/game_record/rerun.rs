//! A whole run played again into another folder, from the contents of its own folder alone.

use std::path::PathBuf;

use super::again::Again;
use super::error::AgainError;
use crate::record::regular::{Readable, RunFile};
use crate::sim::output::GIVEN;
use crate::sim::resolved::Arm;
use crate::sim::{Experiment, FaultRule, Registry, Swept, VariantEntry};
use upheaval_engine::rules::variant::setting::Setting;

impl Again {
    /// The experiment of the run, to be played with this many threads into a run folder below `out`. Its rules are
    /// those in the folder, and its bots those of a registry.
    ///
    /// # Errors
    /// A program with a seat in it may not be started, a bot plays differently here, the file of the experiment cannot
    /// be read, or its tables have another schema version than this program writes.
    pub fn experiment(
        &self,
        out: PathBuf,
        threads: usize,
        registry: &Registry,
    ) -> Result<Experiment, AgainError> {
        self.permit_all()?;
        let run = self.run();
        let resolved = &run.experiment;
        if resolved.sequential.is_some() {
            return Err(AgainError::Match(run.path.clone()));
        }
        let entry = |bot: &crate::sim::resolved::ResolvedBot| {
            registry.entry(&bot.name, &bot.content).map_err(|why| AgainError::Bot {
                path: run.path.clone(),
                bot: bot.name.clone(),
                why,
            })
        };
        let given = RunFile::new(&run.path, GIVEN);
        let unreadable =
            |error| AgainError::Table { path: given.place(), what: format!("cannot be read: {error}") };
        Ok(Experiment {
            name: resolved.name.clone(),
            variants: run
                .arms()
                .iter()
                .zip(self.rules())
                .map(|(arm, rules)| VariantEntry {
                    variant: rules.clone(),
                    content: arm.content.clone(),
                    swept: swept(arm),
                })
                .collect(),
            power_names: resolved.power_names().clone(),
            bots: resolved.bots.iter().map(entry).collect::<Result<_, _>>()?,
            seating: resolved.seating().clone(),
            games: resolved.games,
            seed: resolved.seed,
            last_year: resolved.last_year,
            logging: resolved.log.logging(),
            terms: resolved.terms(),
            // It is played to its end, as it was.
            faults: FaultRule { share: 1.0, ..resolved.faults.clone() },
            sequential: None,
            threads,
            out,
            shard: run.manifest.shard.clone(),
            given: given.read_text().map_err(unreadable)?,
            set: run.manifest.set.clone(),
        })
    }
}

/// The sweep that an arm belongs to, if there is one.
fn swept(arm: &Arm) -> Option<Swept> {
    let setting = |(parameter, value): (&String, &serde_json::Value)| {
        // A value of a sweep was a TOML value, so it becomes one again.
        Some(Setting { parameter: parameter.clone(), value: toml::Value::try_from(value).ok()? })
    };
    let parameters = arm.parameters.iter().flatten().filter_map(setting).collect();
    Some(Swept { base: arm.base.clone()?, parameters })
}
