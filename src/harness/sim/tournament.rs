//! Tournament files: which bots play each other, as an experiment with several line-ups.
//!
//! ```toml
//! name = "tournament"
//! variants = ["standard", "black-hole"]
//! entrants = ["greedy", "random", "hold"]
//! format = "one-against-rest"              # or "round-robin"
//! blocks = 7                              # of each variant
//! seed = 1
//! last_year = 1910
//! threads = 0
//! out = "results"
//! seats.shuffle = true                    # the order of the seats of a line-up is drawn for each block
//! ```
//! A block is one nature seed with all seat rotations of its line-ups, as many as there are powers. All variants play
//! the same blocks, and with `one-against-rest` every line-up plays every block.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::experiment::{
    Argument, Asked, Bots, Catalogue, Experiment, ExperimentError, Overrides, SeatOrderKeys,
};
use super::extension::{Played, fits};
use super::round_robin;
use super::seating::{LineUp, LineUpSchedule, LineUps, SeatOrder, Seating};
use super::stored::{StoredError, StoredRun};
use upheaval_engine::diagnostic::value::{Placed, Whole};
use upheaval_engine::diagnostic::{Form, Source};

/// The most entrants: each pair of them is a line-up.
const MOST_ENTRANTS: usize = 64;

/// The keys of tournaments only.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TournamentKeys {
    /// The bots that play each other, 2 to 64.
    #[cfg_attr(feature = "schema", schemars(length(min = 2, max = 64)))]
    entrants: Placed<Vec<Placed<String>>>,
    format: Placed<Format>,
    /// Blocks of each variant: a block is one nature seed with all rotations of a line-up.
    blocks: Placed<Whole<1, { u32::MAX as u64 }>>,
    #[serde(default)]
    seats: SeatOrderKeys,
}

/// The schema of tournament files.
#[cfg(feature = "schema")]
pub fn schema() -> serde_json::Value {
    super::experiment::schema_with::<TournamentKeys>("TournamentFile", "A tournament: its bots and variants.")
}

/// How entrants meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) enum Format {
    /// For each ordered pair: the first in one seat, and the second in all other seats.
    OneAgainstRest,
    /// All entrants at one table, or in turn as many as there are powers.
    RoundRobin,
}

impl Format {
    /// The line-ups of entrants 0 to `n - 1` at tables of this number of seats, over this number of blocks.
    pub(crate) fn line_ups(self, n: usize, seats: usize, blocks: u32) -> LineUps {
        let (list, deal) = match self {
            Format::OneAgainstRest => (pairs(n, seats), LineUpSchedule::EveryBlock),
            Format::RoundRobin => (round_robin::line_ups(n, seats, blocks as usize), LineUpSchedule::InTurn),
        };
        LineUps { list, deal, order: SeatOrder::Listed }
    }

    /// The number of blocks after which all entrants have sat equally often.
    pub(crate) const fn period(self, n: usize, seats: usize) -> u32 {
        match self {
            Format::OneAgainstRest => 1,
            Format::RoundRobin if seats.is_multiple_of(n) => 1,
            Format::RoundRobin => n as u32,
        }
    }
}

/// For each ordered pair, one seat of the first and all other seats of the second.
fn pairs(n: usize, seats: usize) -> Vec<LineUp> {
    let one_against_rest = |one, rest| {
        let mut line_up = vec![rest; seats];
        line_up[0] = one;
        line_up
    };
    (0..n).flat_map(|a| (0..n).filter(move |&b| b != a).map(move |b| one_against_rest(a, b))).collect()
}

/// Values of the caller that take the place of the file's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TournamentOverrides {
    /// Blocks of each variant.
    pub blocks: Option<u32>,
    /// The other values, as for runs; `games` is not used.
    pub run: Overrides,
}

/// Why a tournament cannot be extended.
#[derive(Debug, thiserror::Error)]
pub enum ExtensionError {
    /// The file is at fault.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The runs are not of the tournament of the file.
    #[error(transparent)]
    Runs(#[from] StoredError),
}

/// Checks a tournament file, as a run of the line-ups that these runs have not played; `base` is the folder to which
/// the paths in the file are relative.
///
/// # Errors
/// The file is at fault, or nothing is new in it, or the runs are not of this tournament.
pub fn check_extension<C: Catalogue>(
    source: &Source,
    base: &Path,
    overrides: &TournamentOverrides,
    runs: &[StoredRun],
    catalogue: &C,
) -> Result<Experiment, ExtensionError> {
    let played = Played::of_stored(&runs.iter().collect::<Vec<_>>())?;
    let experiment = check_besides(source, base, overrides, Some(&played), catalogue)?;
    for run in runs {
        fits(&run.experiment, &experiment.resolved).map_err(|what| StoredError::Apart {
            first: source.name().into(),
            second: run.path.clone(),
            what,
        })?;
    }
    Ok(experiment)
}

/// Checks the text of a tournament file whose paths start at `base`.
pub fn check<C: Catalogue>(
    source: &Source,
    base: &Path,
    overrides: &TournamentOverrides,
    catalogue: &C,
) -> Result<Experiment, ExperimentError> {
    check_besides(source, base, overrides, None, catalogue)
}

/// The same, without the line-ups that were played already.
fn check_besides<C: Catalogue>(
    source: &Source,
    base: &Path,
    overrides: &TournamentOverrides,
    played: Option<&Played>,
    catalogue: &C,
) -> Result<Experiment, ExperimentError> {
    let plan = |asked: &mut Asked<'_, '_, C>, own: TournamentKeys| {
        let entrants = entrants(asked.form, &own.entrants, &mut asked.bots);
        let (form, seats, entrants) = (asked.form, asked.powers?.powers().len(), entrants?);
        if !form.is_sound(&own.format.span()) {
            return None;
        }
        let format = *own.format;
        fair(form, &own.blocks, format, [entrants.len(), seats])?;
        let blocks = own.blocks.small();
        let LineUps { list: all, deal, .. } = format.line_ups(entrants.len(), seats, blocks);
        let is_new = |line_up: &LineUp| {
            let line_up = line_up.iter().map(|&entrant| own.entrants[entrant].to_string()).collect();
            // In a round robin, the line-ups of known entrants depend on the number of entrants.
            played.is_none_or(|played| match format {
                Format::OneAgainstRest => !played.has(&line_up),
                Format::RoundRobin => !played.has_bots_of(&line_up),
            })
        };
        let new: Vec<bool> = all.iter().map(is_new).collect();
        let blocks = match deal {
            LineUpSchedule::EveryBlock => blocks,
            LineUpSchedule::InTurn => blocks_with(&new, blocks),
        };
        let list: Vec<LineUp> =
            all.into_iter().zip(new).filter(|(_, new)| *new).map(|(line_up, _)| line_up).collect();
        if list.is_empty() {
            let what = "nothing is new: all line-ups of these entrants were played already; add an entrant";
            return form.refuse(own.entrants.span(), what);
        }
        let named: Option<Vec<LineUp>> =
            list.iter().map(|line_up| line_up.iter().map(|&entrant| entrants[entrant]).collect()).collect();
        let order = own.seats.into();
        let seating = |list| Seating::Rotated(LineUps { list, deal, order });
        let block = seating(list).block();
        let Some(games) = blocks.checked_mul(block) else {
            let message = format!("{blocks} blocks of {block} games are too many for one run; use fewer");
            return form.refuse(own.blocks.span(), message);
        };
        Some((seating(named?), games, ()))
    };
    let argument = overrides.blocks.map(|blocks| Argument { name: "blocks", key: "blocks", value: blocks });
    Experiment::check_parts(source, base, &overrides.run, argument, catalogue, plan)
        .map(|(experiment, ())| experiment)
}

/// How many of this number of blocks play a new line-up, where each block plays the next one.
fn blocks_with(new: &[bool], blocks: u32) -> u32 {
    let count = |line_ups: &[bool]| line_ups.iter().filter(|new| **new).count() as u32;
    let all = new.len() as u32;
    blocks / all * count(new) + count(&new[..(blocks % all) as usize])
}

/// At least two different bots, as their indices; `None` for a bot that has a fault.
pub fn entrants<C: Catalogue>(
    form: &Form<'_>,
    list: &Placed<Vec<Placed<String>>>,
    bots: &mut Bots<'_, C>,
) -> Option<Vec<Option<usize>>> {
    let indices: Vec<Option<usize>> = list.iter().map(|name| bots.index(name)).collect();
    let mut seen = BTreeSet::new();
    let mut is_once = true;
    for (name, index) in list.iter().zip(&indices) {
        if index.is_some_and(|index| !seen.insert(index)) {
            form.fault(name.span(), format!("`{}` is listed twice", **name));
            is_once = false;
        }
    }
    match list.len() {
        2..=MOST_ENTRANTS => is_once.then_some(indices),
        n => form.refuse(list.span(), format!("`entrants` must name 2 to {MOST_ENTRANTS} bots, not {n}")),
    }
}

/// Checks that all entrants sit equally often.
fn fair(
    form: &Form<'_>,
    blocks: &Placed<Whole<1, { u32::MAX as u64 }>>,
    format: Format,
    [entrants, seats]: [usize; 2],
) -> Option<()> {
    let (count, period) = (blocks.small(), format.period(entrants, seats));
    if count.is_multiple_of(period) {
        return Some(());
    }
    let (below, above) = (count / period * period, count.div_ceil(period).saturating_mul(period));
    let near = if below == 0 { format!("{above}") } else { format!("{below} or {above}") };
    let message = format!(
        "{entrants} entrants at tables of {seats} sit equally often over a multiple of {period} blocks, not over {count}; \
         use {near}"
    );
    form.refuse(blocks.span(), message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::extension;
    use crate::sim::mock::MockRegistry;

    const GOOD: &str = "name = \"t\"\nvariants = [\"standard\", \"black-hole\"]\nentrants = [\"greedy\", \"random\"]\n\
                        format = \"one-against-rest\"\nblocks = 4\nseed = 1\nlast_year = 1930\n";

    fn checked(text: &str, blocks: Option<u32>) -> Result<Experiment, ExperimentError> {
        let overrides = TournamentOverrides { blocks, ..TournamentOverrides::default() };
        check(&Source::new("t.toml", text), Path::new(""), &overrides, &MockRegistry)
    }

    #[test]
    fn one_against_the_rest_plays_each_ordered_pair_in_every_block() {
        let tournament = checked(GOOD, None).unwrap();
        assert_eq!(tournament.resolved.games, 4 * 2 * 7);
        let Seating::Rotated(LineUps { list, deal, .. }) = tournament.resolved.seating() else { panic!() };
        assert_eq!(*list, [[0, 1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 0, 0]]);
        assert_eq!(*deal, LineUpSchedule::EveryBlock);
        assert_eq!(pairs(5, 7).len(), 20);
        assert_eq!(pairs(2, 3), [[0, 1, 1], [1, 0, 0]]);
        let round = checked(&GOOD.replace("one-against-rest", "round-robin"), None).unwrap();
        assert_eq!(round.resolved.games, 4 * 7);
        assert_ne!(round.resolved.canonical(), tournament.resolved.canonical());
        assert_eq!(checked(GOOD, Some(9)).unwrap().resolved.games, 9 * 2 * 7);
    }

    /// The games of a file beside those of runs of it with fewer entrants.
    fn extended(text: &str, runs: &[&Experiment]) -> Result<Experiment, ExperimentError> {
        let runs: Vec<_> = runs.iter().map(|run| run.resolved.clone()).collect();
        let played = Played::of(&runs).unwrap();
        let source = Source::new("t.toml", text);
        check_besides(&source, Path::new(""), &Default::default(), Some(&played), &MockRegistry)
    }

    fn with_entrants(entrants: &str) -> String {
        GOOD.replace("[\"greedy\", \"random\"]", entrants) + "[bots.third]\nkind = \"greedy\"\n"
    }

    /// The games of each line-up by the names of the bots, with the natures that they meet.
    fn games(experiments: &[&Experiment]) -> Vec<(Vec<String>, u32, u8)> {
        let mut games = Vec::new();
        for experiment in experiments {
            let schedule = experiment.schedule();
            games.extend((0..experiment.resolved.games).map(|game| {
                let spec = schedule.game(0, game);
                let names = spec.names.iter().map(|(_, name)| name.to_string()).collect();
                (names, spec.block, spec.rotation)
            }));
        }
        games.sort();
        games
    }

    #[test]
    fn what_is_added_to_a_tournament_makes_it_the_larger_one() {
        let small = checked(GOOD, None).unwrap();
        let larger = with_entrants("[\"greedy\", \"random\", \"third\"]");
        let added = extended(&larger, &[&small]).unwrap();
        assert_eq!(added.resolved.games, 4 * 4 * 7, "four of six ordered pairs");
        let whole = checked(&larger, None).unwrap();
        assert_eq!(games(&[&small, &added]), games(&[&whole]), "the same games under the same natures");
        assert_ne!(added.resolved.canonical().hash, whole.resolved.canonical().hash);
        extension::fits(&small.resolved, &added.resolved).unwrap();
        // The order in which entrants are named does not matter, and nothing is played twice.
        let turned = with_entrants("[\"third\", \"random\", \"greedy\"]");
        let again = extended(&turned, &[&small, &added]).unwrap_err().to_string();
        assert!(again.starts_with("t.toml:3:12: nothing is new: "), "{again}");
        assert_eq!(games(&[&small, &extended(&turned, &[&small]).unwrap()]), games(&[&whole]));
    }

    #[test]
    fn a_round_robin_is_extended_by_the_blocks_in_which_a_new_entrant_sits() {
        let robin = |entrants: &str, blocks: u32| {
            with_entrants(entrants)
                .replace("one-against-rest", "round-robin")
                .replace("= 4", &format!("= {blocks}"))
        };
        let small = checked(&robin("[\"greedy\", \"random\"]", 4), None).unwrap();
        let added = extended(&robin("[\"greedy\", \"random\", \"third\"]", 6), &[&small]).unwrap();
        assert_eq!(added.resolved.games, 6 * 7, "all three sit in each block");
        assert_eq!(blocks_with(&[true, false, true], 3), 2);
        assert_eq!(blocks_with(&[true, false, true], 7), 5);
        assert_eq!(blocks_with(&[false, true], u32::MAX), u32::MAX / 2);
    }

    #[test]
    fn a_tournament_whose_seats_are_shuffled_is_extended_in_the_same_orders() {
        let shuffled =
            |entrants: &str| with_entrants(entrants).replace("blocks", "seats.shuffle = true\nblocks");
        let small = checked(&shuffled("[\"greedy\", \"random\"]"), None).unwrap();
        let listed = checked(GOOD, None).unwrap();
        assert_ne!(games(&[&small]), games(&[&listed]), "other bots sit together");
        let larger = shuffled("[\"greedy\", \"random\", \"third\"]");
        let (added, whole) = (extended(&larger, &[&small]).unwrap(), checked(&larger, None).unwrap());
        assert_eq!(games(&[&small, &added]), games(&[&whole]), "the same games under the same natures");
        extension::fits(&small.resolved, &added.resolved).unwrap();
        let error = extension::fits(&listed.resolved, &added.resolved).unwrap_err();
        assert_eq!(error, "seats.shuffle: false → true");
    }
}
