//! A tournament to which entrants are added. The games already played stay as they are, and a separate run has the new
//! line-ups; the standings are those of all its runs together.
//!
//! ```text
//!  runs ── Played::of() ─▶ Played ── tournament::check_extension() ─▶ Experiment      of the line-ups that are new
//!   └──────────────────────────────── fits() ────────────────────────────┘           is it the same tournament?
//! ```
//! The blocks of the new run have the natures of those of the old ones: nature knows no bots. So a block is the same
//! set of catastrophes in all runs of the tournament, and the games of an ordered pair are those of no other run.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::resolved::{BotNames, ResolvedExperiment, ResolvedSeats, difference};
use super::seating::SeatOrder;
use super::stored::{StoredError, StoredRun};

/// What the runs of a tournament have played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    line_ups: BTreeSet<BotNames>,
}

impl Played {
    /// What these runs have played.
    ///
    /// # Errors
    /// One is not the run of a tournament, or two have played the same line-up: its place among the runs, and what is
    /// wrong with it, as a sentence that lacks its subject.
    pub(crate) fn of<'a>(
        runs: impl IntoIterator<Item = &'a ResolvedExperiment>,
    ) -> Result<Played, (usize, String)> {
        let mut played = Played::default();
        for (place, run) in runs.into_iter().enumerate() {
            let lineups = line_ups(&run.seats);
            if lineups.is_empty() {
                let what = "is not the run of a tournament, in which different bots sit in all rotations";
                return Err((place, what.to_owned()));
            }
            if run.sequential.is_some() {
                return Err((place, "is a match, whose games decide its length".to_owned()));
            }
            if let Some(twice) = lineups.iter().find(|line_up| played.line_ups.contains(*line_up)) {
                let what = format!("has the line-up {}, which another of the runs has too", twice.join(" "));
                return Err((place, what));
            }
            played.line_ups.extend(lineups.iter().cloned());
        }
        Ok(played)
    }

    /// What these runs on disk have played.
    ///
    /// # Errors
    /// One is not the run of a tournament, or two have played the same line-up; the error gives the run's folder.
    pub fn of_stored(runs: &[&StoredRun]) -> Result<Played, StoredError> {
        Played::of(runs.iter().map(|run| &run.experiment))
            .map_err(|(place, what)| StoredError::NotOfTournament { path: runs[place].path.clone(), what })
    }

    /// Have they played this line-up?
    pub(super) fn has(&self, line_up: &BotNames) -> bool {
        self.line_ups.contains(line_up)
    }

    /// Has each bot of this line-up played in one of them?
    pub(super) fn has_bots_of(&self, line_up: &BotNames) -> bool {
        line_up.iter().all(|bot| self.line_ups.iter().flatten().any(|old| old == bot))
    }
}

/// The line-ups of a tournament; none if these are not the seats of one. A round robin whose entrants all sit in each
/// game equally often has one line-up.
fn line_ups(seats: &ResolvedSeats) -> &[BotNames] {
    match seats {
        ResolvedSeats::LineUps { lineups, .. } => lineups,
        ResolvedSeats::LineUp { lineup, .. } if lineup.iter().any(|bot| *bot != lineup[0]) => {
            std::slice::from_ref(lineup)
        }
        _ => &[],
    }
}

/// Makes sure that two runs are of one tournament: the same variants, seed, years and rules, seats shuffled in both or
/// in neither, and bots of one name are the same bot.
///
/// # Errors
/// They are not: in what they differ.
pub fn fits(first: &ResolvedExperiment, second: &ResolvedExperiment) -> Result<(), String> {
    let text = |of: &ResolvedExperiment, other: &ResolvedExperiment| {
        let is_shared = |bot: &Value| other.bots.iter().any(|known| bot["name"] == known.name.as_str());
        // A struct of numbers, texts and JSON values always serialises.
        let mut value = serde_json::to_value(of).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            ["name", "games", "seats", "log"].iter().for_each(|own| drop(fields.remove(*own)));
            let shuffle = of.seats.order() == SeatOrder::ShuffledByBlock;
            fields.insert("seats".to_owned(), json!({ "shuffle": shuffle }));
            if let Some(Value::Array(bots)) = fields.get_mut("bots") {
                bots.retain(is_shared);
                bots.sort_by_key(|bot| bot["name"].to_string());
            }
        }
        value.to_string()
    };
    let differs = difference(&text(first, second), &text(second, first));
    if differs.is_empty() { Ok(()) } else { Err(differs) }
}
