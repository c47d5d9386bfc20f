//! The data of the figures besides the balance of a run: changes of the map, captures of centres, and the map year by
//! year. It is read part by part on all threads; memory contains counts, never games.

use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

use super::measure::{MEASURES, home_rows, map_rows};
use super::run::ReportedRun;
use super::ways::Ways;
use upheaval_engine::rules::event::MapChange;
use upheaval_harness::record::reader::{ReadError, by_game, events, games};
use upheaval_harness::record::{EventKind, Text};
use upheaval_harness::sim::stored::{ManifestPart, StoredRun};
use upheaval_map::topology::whole_of;

/// The kinds of events by which a board is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// It collapsed: its neighbours met.
    Collapsed,
    /// It became a void.
    Voided,
    /// It sank.
    Submerged,
    /// It came back.
    Restored,
    /// It was split.
    Split,
    /// It lost a border.
    Separated,
    /// It got a border.
    Connected,
    /// Its centre was captured.
    Captured,
}

impl Mark {
    /// All of them, in the order of the figures.
    pub(crate) const ALL: [Mark; 8] = [
        Mark::Collapsed,
        Mark::Voided,
        Mark::Submerged,
        Mark::Restored,
        Mark::Split,
        Mark::Separated,
        Mark::Connected,
        Mark::Captured,
    ];

    fn of(kind: EventKind) -> Option<Mark> {
        if kind == EventKind::Captured {
            return Some(Mark::Captured);
        }
        match kind.info().change? {
            MapChange::Collapse => Some(Mark::Collapsed),
            MapChange::Void => Some(Mark::Voided),
            MapChange::Submerge => Some(Mark::Submerged),
            MapChange::Restore => Some(Mark::Restored),
            MapChange::Split => Some(Mark::Split),
            MapChange::Separate => Some(Mark::Separated),
            MapChange::Connect => Some(Mark::Connected),
            MapChange::Open | MapChange::Found => None,
        }
    }
}

/// How often an event happened to a province.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    /// Games in which it happened.
    pub games: u64,
    /// Occurrences, over all games.
    pub times: u64,
    /// The last game in which it happened, while games are counted.
    last: Option<u32>,
}

/// The events of one province, by mark.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marks([Count; Mark::ALL.len()]);

impl Marks {
    /// How often this happened to the province.
    pub(crate) fn of(&self, mark: Mark) -> Count {
        self.0[mark as usize]
    }
}

/// How many games had each value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Histogram(BTreeMap<u16, u64>);

impl Histogram {
    fn add(&mut self, value: u16) {
        *self.0.entry(value).or_default() += 1;
    }

    fn merge(&mut self, other: Histogram) {
        for (value, games) in other.0 {
            *self.0.entry(value).or_default() += games;
        }
    }

    /// The number of games.
    pub(crate) fn games(&self) -> u64 {
        self.0.values().sum()
    }

    /// Their mean; `None` without games.
    pub(crate) fn mean(&self) -> Option<f64> {
        let sum: u128 = self.0.iter().map(|(&value, &games)| u128::from(value) * u128::from(games)).sum();
        (self.games() > 0).then(|| sum as f64 / self.games() as f64)
    }

    /// The smallest value that this share of the games does not exceed; `None` without games.
    pub(crate) fn quantile(&self, share: f64) -> Option<f64> {
        let rank = (share * self.games() as f64).ceil().max(1.0) as u64;
        let mut below = 0;
        self.0.iter().find_map(|(&value, &games)| {
            below += games;
            (below >= rank).then_some(f64::from(value))
        })
    }
}

/// The counts of one cell: an arm and a line-up.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReportTally {
    /// Games.
    pub games: u64,
    /// By province of the board at the start.
    pub provinces: BTreeMap<String, Marks>,
    /// By year, and by measure in the order of [`MEASURES`]: the map after the year's Winter.
    pub years: BTreeMap<u16, Vec<Histogram>>,
    /// By year: the distances between the homes of the powers after the year's Winter.
    pub ways: BTreeMap<u16, Ways>,
}

impl ReportTally {
    fn merge(&mut self, other: ReportTally) {
        self.games += other.games;
        for (province, marks) in other.provinces {
            let mine = self.provinces.entry(province).or_default();
            for (mine, theirs) in mine.0.iter_mut().zip(marks.0) {
                mine.games += theirs.games;
                mine.times += theirs.times;
            }
        }
        for (year, theirs) in other.years {
            let mine = self.years.entry(year).or_insert_with(|| vec![Histogram::default(); MEASURES.len()]);
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| mine.merge(theirs));
        }
        for (year, theirs) in other.ways {
            self.ways.entry(year).or_default().merge(&theirs);
        }
    }

    /// Adds an event of a game.
    fn happened(&mut self, game: u32, rows: &[(EventKind, Option<Text>)]) {
        for (kind, province) in rows {
            let (Some(mark), Some(province)) = (Mark::of(*kind), province) else { continue };
            let province = whole_of(province);
            // A run has about a hundred provinces and millions of events: each name is created once.
            let marks = match self.provinces.get_mut(province) {
                Some(marks) => marks,
                None => self.provinces.entry(province.to_owned()).or_default(),
            };
            let count = &mut marks.0[mark as usize];
            count.times += 1;
            count.games += u64::from(count.last.replace(game) != Some(game));
        }
    }

    /// Did this ever happen?
    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.provinces.values().any(|marks| marks.of(mark).times > 0)
    }
}

/// The tallies of the selected arms of a run, one for each line-up of each arm: `tallies[arm][line_up]`.
pub(crate) fn tallies(
    run: &ReportedRun,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Vec<ReportTally>>, ReadError> {
    let source = &run.source;
    let (arms, line_ups) = (source.run.arms(), source.line_ups.len());
    let empty = || vec![vec![ReportTally::default(); line_ups]; arms.len()];
    let mut parts: Vec<(&StoredRun, Range<usize>, ManifestPart)> = Vec::new();
    for (run, line_ups) in source.runs() {
        let arms = arms.iter().enumerate().filter(|(_, arm)| wanted(&arm.id));
        let of_run = arms.flat_map(|(place, _)| run.parts(place));
        parts.extend(of_run.map(|part| (run, line_ups.clone(), part)));
    }
    parts
        .par_iter()
        .map(|(run, line_ups, part)| {
            let mut all = empty();
            for (tally, new) in
                all[part.arm][line_ups.clone()].iter_mut().zip(of_part(run, part, line_ups.len())?)
            {
                *tally = new;
            }
            Ok(all)
        })
        .try_reduce(empty, |mut a, b| {
            a.iter_mut().flatten().zip(b.into_iter().flatten()).for_each(|(a, b)| a.merge(b));
            Ok(a)
        })
}

/// The tallies of the line-ups in one part of the tables.
fn of_part(run: &StoredRun, part: &ManifestPart, line_ups: usize) -> Result<Vec<ReportTally>, ReadError> {
    let powers = run.experiment.power_names();
    let [in_games, in_seats, in_events, in_topology, in_distances] =
        ["games", "seats", "events", "topology", "distances"].map(|table| run.file(part, table));
    let mut tallies = vec![ReportTally::default(); line_ups];
    let mut line_up_of: BTreeMap<u32, usize> = BTreeMap::new();
    for game in games(&in_games, &in_seats, powers)? {
        let line_up = usize::from(game.line_up).min(tallies.len() - 1);
        line_up_of.insert(game.game, line_up);
        tallies[line_up].games += 1;
    }
    let line_up = |game: u32| line_up_of.get(&game).copied().unwrap_or(0);
    by_game(&in_events, powers, (events::KIND, events::PROVINCE), |game, rows| {
        tallies[line_up(game)].happened(game, rows);
    })?;
    map_rows(&in_topology, powers, |game, year, first, values| {
        let years = &mut tallies[line_up(game)].years;
        let histograms = years.entry(year).or_insert_with(|| vec![Histogram::default(); MEASURES.len()]);
        histograms[first..].iter_mut().zip(values).for_each(|(histogram, value)| histogram.add(*value));
    })?;
    home_rows(&in_topology, &in_distances, powers, |game, year, distances| {
        tallies[line_up(game)].ways.entry(year).or_default().add(distances);
    })?;
    Ok(tallies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_games_had() {
        let mut histogram = Histogram::default();
        (1..=20).for_each(|value| histogram.add(value));
        let at = |share| histogram.quantile(share).unwrap();
        assert_eq!((at(0.05), at(0.5), at(0.95), at(1.0)), (1.0, 10.0, 19.0, 20.0));
        assert_eq!(histogram.mean(), Some(10.5));
        assert_eq!((Histogram::default().mean(), Histogram::default().quantile(0.5)), (None, None));
    }

    #[test]
    fn a_half_counts_for_its_province_and_a_game_once() {
        let mut tally = ReportTally::default();
        let at = |name: &str| Some(Text::from(name));
        tally.happened(
            7,
            &[
                (EventKind::Voided, at("BUR.2.1")),
                (EventKind::Voided, at("BUR")),
                (EventKind::Built, at("PAR")),
                (EventKind::Won, None),
            ],
        );
        tally.happened(8, &[(EventKind::Voided, at("BUR.1"))]);
        let count = tally.provinces["BUR"].of(Mark::Voided);
        assert_eq!((count.games, count.times, tally.provinces.len()), (2, 3, 1));
        assert!(tally.has(Mark::Voided) && !tally.has(Mark::Captured));
    }
}
