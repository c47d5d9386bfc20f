//! The terms of an experiment's games, in addition to the seating: are choices counted, how often is the map recorded,
//! and when is a decided game stopped?
//!
//! ```toml
//! [log]
//! choices = true     # the column `choices` of `turns`
//! maps = true        # the table `maps`
//!
//! [stop]
//! lead = 6           # a power that is six centres ahead of any other …
//! years = 3          # … at the end of three consecutive years is declared the winner
//! still = 5          # where no centre count changes for five years, those left share a draw
//! ```

use super::file::RunKeys;
use upheaval_engine::diagnostic::Form;
use upheaval_engine::game::{StopLead, StopRule};

/// Are the choices of powers counted?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChoiceCounting {
    /// They are, in each movement phase.
    Counted,
    /// They are not.
    #[default]
    NotCounted,
}

/// How often the map is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MapLog {
    /// After each phase that has changed it, in the table `maps`, and at the end of each season.
    EachPhase,
    /// At the end of each season.
    #[default]
    EachSeason,
}

/// The terms of an experiment's games, in addition to the seating.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunOptions {
    /// Are the choices of powers counted?
    pub choices: ChoiceCounting,
    /// How often the map is recorded.
    pub maps: MapLog,
    /// When a decided game is stopped; by default never.
    pub stop: StopRule,
}

impl RunOptions {
    /// The terms that the sections `[log]` and `[stop]` give.
    pub(super) fn read(form: &Form<'_>, run: &RunKeys) -> Option<RunOptions> {
        let choices = if run.log.choices { ChoiceCounting::Counted } else { ChoiceCounting::NotCounted };
        let maps = if run.log.maps { MapLog::EachPhase } else { MapLog::EachSeason };
        Some(RunOptions { choices, maps, stop: stop(form, run)? })
    }
}

fn stop(form: &Form<'_>, run: &RunKeys) -> Option<StopRule> {
    let Some(keys) = &run.stop else { return Some(StopRule::default()) };
    let lead = match (keys.lead, keys.years) {
        (Some(centres), Some(years)) => Some(StopLead { centres: centres.short(), years: years.short() }),
        (None, None) => None,
        (Some(_), None) => return form.missing(keys.span(), "stop.years"),
        (None, Some(_)) => return form.missing(keys.span(), "stop.lead"),
    };
    if lead.is_none() && keys.still.is_none() {
        return form.missing(keys.span(), "stop.lead");
    }
    Some(StopRule { lead, still: keys.still.map(|still| still.short()) })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Experiment, ExperimentError, Overrides};
    use super::*;
    use crate::sim::ResolvedExperiment;
    use crate::sim::mock::MockRegistry;
    use upheaval_engine::diagnostic::Source;

    const GOOD: &str = "name = \"x\"\nvariants = [\"standard\"]\ngames = 14\nseed = 1\nlast_year = 1930\n";
    const SEATS: &str = "[seats]\nall = \"greedy\"\n";

    fn check(text: &str) -> Result<Experiment, ExperimentError> {
        Experiment::check(
            &Source::new("e.toml", text),
            Path::new("dir"),
            &Overrides::default(),
            &MockRegistry,
        )
    }

    fn fault(text: &str) -> String {
        check(text).unwrap_err().to_string()
    }

    #[test]
    fn a_rule_about_decided_games_and_a_count_of_choices_are_read_and_decide_the_hash() {
        let plain = check(&format!("{GOOD}{SEATS}")).unwrap();
        assert_eq!(plain.resolved.terms(), RunOptions::default());
        let read = check(&format!(
            "{GOOD}log.choices = true\nlog.maps = true\nstop = {{ lead = 6, years = 3, still = 5 }}\n{SEATS}"
        ))
        .unwrap();
        assert_eq!(
            (read.resolved.terms().choices, read.resolved.terms().maps),
            (ChoiceCounting::Counted, MapLog::EachPhase)
        );
        let rule = read.resolved.terms().stop;
        assert_eq!((rule.lead.map(|lead| (lead.centres, lead.years)), rule.still), (Some((6, 3)), Some(5)));
        assert_ne!(read.resolved.canonical().hash, plain.resolved.canonical().hash);
        let resolved = ResolvedExperiment::read(&read.resolved.canonical().text).unwrap();
        assert_eq!(
            (resolved.terms(), resolved.canonical().hash),
            (read.resolved.terms(), read.resolved.canonical().hash)
        );
    }

    #[test]
    fn half_a_rule_about_decided_games_is_none() {
        let of = |rule: &str| fault(&format!("{GOOD}stop = {rule}\n{SEATS}"));
        assert!(
            of("{ lead = 6 }").contains("`stop.years` is missing; add a line such as `years = 3`"),
            "{}",
            of("{ lead = 6 }")
        );
        assert!(of("{ years = 6 }").contains("`stop.lead` is missing"), "{}", of("{ years = 6 }"));
        assert!(
            of("{}").contains(
                "`stop.lead` is missing; add a line such as `lead = 6 with years = 3, or still = 5`"
            ),
            "{}",
            of("{}")
        );
        assert!(of("{ lead = 0, years = 1 }").contains("1 to 1000"), "{}", of("{ lead = 0, years = 1 }"));
    }
}
