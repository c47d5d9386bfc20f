//! The data of the figures besides the balance of a run: changes of the map, captures of centres, and the map year by
//! year. Memory contains counts, never games.

use std::collections::BTreeMap;

use crate::measure::{MEASURES, measures, winters};
use crate::ways::Ways;
use upheaval_analysis::balance::source::RunSource;
use upheaval_analysis::reading::{
    DetailTable, GameEvent, GameOfPart, HomeDistance, MapState, PartTally, RunPart, RunTally,
};
use upheaval_engine::rules::event::MapChange;
use upheaval_harness::record::{EventKind, GameRow};
use upheaval_harness::sim::stored::StoredError;
use upheaval_map::ids::Power;
use upheaval_map::topology::{HomeDistances, whole_of};

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

    /// Counts the events of a game.
    fn count_events(&mut self, game: u32, rows: &[GameEvent]) {
        for GameEvent { kind, province, .. } in rows {
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

/// The tallies of the arms of a run, one for each line-up of each arm.
pub(crate) struct ReportTallies(Vec<Vec<ReportTally>>);

impl ReportTallies {
    /// No games yet.
    pub(crate) fn new(source: &RunSource) -> ReportTallies {
        ReportTallies(vec![vec![ReportTally::default(); source.line_ups.len()]; source.run.arms().len()])
    }

    /// The tally of a line-up of an arm, by their numbers.
    pub(crate) fn of(&self, arm: usize, line_up: usize) -> &ReportTally {
        &self.0[arm][line_up]
    }
}

impl RunTally for ReportTallies {
    type Part = ReportPart;

    fn new_part(&self, part: &RunPart<'_>) -> ReportPart {
        let powers = part.run.experiment.power_names().powers();
        ReportPart {
            line_ups: vec![ReportTally::default(); part.line_ups.len()],
            winters: Vec::new(),
            pairs: HomeDistances::pairs(powers).zip(0..).collect(),
        }
    }

    fn add(&mut self, part: &RunPart<'_>, counted: ReportPart) -> Result<(), StoredError> {
        let mine = &mut self.0[part.arm_index()][part.line_ups.clone()];
        mine.iter_mut().zip(counted.line_ups).for_each(|(mine, new)| mine.merge(new));
        Ok(())
    }
}

/// The tallies of the line-ups in one part.
pub(crate) struct ReportPart {
    line_ups: Vec<ReportTally>,
    /// Of each game, the turns of the Winters with their years.
    winters: Vec<Vec<(u16, u16)>>,
    /// The index of each pair of powers in the order of [`HomeDistances::pairs`].
    pairs: BTreeMap<[Power; 2], usize>,
}

impl ReportPart {
    /// The tally of a game's line-up. A game with a line-up that the experiment does not have makes the balance fail,
    /// which is computed in the same pass.
    fn of(&mut self, game: &GameRow) -> &mut ReportTally {
        let last = self.line_ups.len() - 1;
        &mut self.line_ups[usize::from(game.line_up).min(last)]
    }
}

impl PartTally for ReportPart {
    fn needs(&self) -> Vec<DetailTable> {
        vec![DetailTable::Events, DetailTable::Topology, DetailTable::Distances]
    }

    fn games(&mut self, games: &[GameRow]) {
        self.winters = vec![Vec::new(); games.len()];
        games.iter().for_each(|game| self.of(game).games += 1);
    }

    fn events(&mut self, game: GameOfPart<'_>, rows: &[GameEvent]) {
        self.of(game.row).count_events(game.row.game, rows);
    }

    fn maps(&mut self, game: GameOfPart<'_>, rows: &[MapState]) {
        self.winters[game.index] = winters(rows).map(|map| (map.turn, map.year)).collect();
        let years = &mut self.of(game.row).years;
        for map in winters(rows) {
            let histograms =
                years.entry(map.year).or_insert_with(|| vec![Histogram::default(); MEASURES.len()]);
            histograms.iter_mut().zip(measures(map)).for_each(|(histogram, value)| histogram.add(value));
        }
    }

    fn distances(&mut self, game: GameOfPart<'_>, rows: &[HomeDistance]) {
        let mut now = vec![None; self.pairs.len()];
        let mut changes = rows.iter().peekable();
        for (turn, year) in std::mem::take(&mut self.winters[game.index]) {
            // A distance is valid until the next row of its pair.
            while let Some(change) = changes.next_if(|change| change.turn <= turn) {
                if let Some(&pair) = self.pairs.get(&[change.power, change.other]) {
                    now[pair] = change.distance;
                }
            }
            self.of(game.row).ways.entry(year).or_default().add(&now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_engine::rules::position::Season;
    use upheaval_harness::record::Text;

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
        let event = |kind, province: Option<&str>| GameEvent {
            year: 1901,
            season: Season::Fall,
            kind,
            province: province.map(Text::from),
            power: None,
            other: None,
        };
        let of_first = [
            event(EventKind::Voided, Some("BUR.2.1")),
            event(EventKind::Voided, Some("BUR")),
            event(EventKind::Built, Some("PAR")),
            event(EventKind::Won, None),
        ];
        tally.count_events(7, &of_first);
        tally.count_events(8, &[event(EventKind::Voided, Some("BUR.1"))]);
        let count = tally.provinces["BUR"].of(Mark::Voided);
        assert_eq!((count.games, count.times, tally.provinces.len()), (2, 3, 1));
        assert!(tally.has(Mark::Voided) && !tally.has(Mark::Captured));
    }
}
