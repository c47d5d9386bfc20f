//! The data of the figures besides the balance of a run: changes of the map, captures of centres, and the map year by
//! year. Memory contains counts, never games.

use std::collections::BTreeMap;

use upheaval_analysis::balance::source::RunSource;
use upheaval_analysis::reading::{
    DetailTable, GameEvent, GameOfPart, HomeDistance, MapState, PartTally, RunPart, RunTally,
};
use upheaval_engine::rules::event::MapChange;
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::{EventKind, GameRow};
use upheaval_harness::sim::stored::StoredError;
use upheaval_map::ids::Power;
use upheaval_map::topology::{HomeDistances, whole_of};

/// A kind of event by which a board is coloured.
pub(crate) struct MarkInfo {
    /// The change of the map; `None` for the capture of a centre.
    change: Option<MapChange>,
    /// Its name in links.
    pub id: &'static str,
    /// What happens to a province.
    pub verb: &'static str,
    /// The number that is shown.
    pub counted: Counted,
}

/// The number of an event that is shown.
#[derive(Clone, Copy)]
pub(crate) enum Counted {
    /// The games in which it happened.
    Games,
    /// How often it happened in a game.
    Times,
}

const fn mark(change: Option<MapChange>, id: &'static str, verb: &'static str, counted: Counted) -> MarkInfo {
    MarkInfo { change, id, verb, counted }
}

/// The kinds of events, in the order of the figures.
pub(crate) const MARKS: [MarkInfo; 13] = [
    mark(Some(MapChange::Collapse), "collapsed", "collapsed", Counted::Games),
    mark(Some(MapChange::Void), "voided", "became a void", Counted::Games),
    mark(Some(MapChange::Submerge), "submerged", "sank", Counted::Games),
    mark(Some(MapChange::Raise), "raised", "rose from the sea", Counted::Games),
    mark(Some(MapChange::Freeze), "frozen", "froze over", Counted::Games),
    mark(Some(MapChange::Dig), "dug", "got a canal", Counted::Games),
    mark(Some(MapChange::Fill), "filled", "lost a canal", Counted::Games),
    mark(Some(MapChange::Restore), "restored", "came back", Counted::Games),
    mark(Some(MapChange::Split), "split", "were split", Counted::Games),
    mark(Some(MapChange::Ruin), "ruined", "ceased to be centres", Counted::Games),
    mark(Some(MapChange::Separate), "separated", "lost a border", Counted::Times),
    mark(Some(MapChange::Connect), "connected", "got a border", Counted::Times),
    mark(None, "captured", "was captured", Counted::Times),
];

/// The index of a kind of event in [`MARKS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(pub usize);

impl Mark {
    /// All of them, in the order of the figures.
    pub(crate) fn all() -> impl Iterator<Item = Mark> {
        (0..MARKS.len()).map(Mark)
    }

    /// The mark of a kind of event, if it has one.
    pub(crate) fn of(kind: EventKind) -> Option<Mark> {
        let change = kind.info().change;
        let is_marked = change.is_some() || kind == EventKind::Captured;
        Mark::all().find(|mark| is_marked && mark.info().change == change)
    }

    /// The title of its figure.
    pub(crate) fn title(self) -> String {
        match self.info().change {
            Some(_) => format!("Provinces that {}", self.info().verb),
            None => "Captures of centres".to_owned(),
        }
    }

    /// What is known about it.
    pub(crate) fn info(self) -> &'static MarkInfo {
        &MARKS[self.0]
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
pub(crate) type Marks = [Count; MARKS.len()];

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
    pub years: BTreeMap<u16, [Histogram; MEASURES.len()]>,
    /// By year: the distances between the homes of the powers after the year's Winter.
    pub ways: BTreeMap<u16, Ways>,
}

impl ReportTally {
    fn merge(&mut self, other: ReportTally) {
        self.games += other.games;
        for (province, marks) in other.provinces {
            let mine = self.provinces.entry(province).or_default();
            for (mine, theirs) in mine.iter_mut().zip(marks) {
                mine.games += theirs.games;
                mine.times += theirs.times;
            }
        }
        for (year, theirs) in other.years {
            let mine = self.years.entry(year).or_default();
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
            let count = &mut marks[mark.0];
            count.times += 1;
            count.games += u64::from(count.last.replace(game) != Some(game));
        }
    }

    /// Did this ever happen?
    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.provinces.values().any(|marks| marks[mark.0].times > 0)
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
            let histograms = years.entry(map.year).or_default();
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

// The distances between the homes of the powers: sums over games.

/// This many units of a sum make a step. They are whole numbers, so that the order of additions cannot affect them.
const STEP: f64 = 1e6;

/// The distances between the homes in all games at the end of a year.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ways {
    /// Games.
    pub games: u64,
    /// In the order of [`upheaval_map::topology::HomeDistances::pairs`].
    pairs: Vec<Way>,
}

/// The distance of two powers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Way {
    /// Games in which there is a path.
    pub games: u64,
    sum: u64,
}

impl Way {
    /// The mean over these games; `None` without any.
    pub(crate) fn mean(self) -> Option<f64> {
        (self.games > 0).then(|| self.sum as f64 / STEP / self.games as f64)
    }
}

impl Ways {
    /// Adds the distances of a game.
    pub(crate) fn add(&mut self, distances: &[Option<f32>]) {
        self.games += 1;
        self.pairs.resize(self.pairs.len().max(distances.len()), Way::default());
        for (way, distance) in self.pairs.iter_mut().zip(distances) {
            if let Some(distance) = distance {
                way.games += 1;
                way.sum += (f64::from(*distance) * STEP).round() as u64;
            }
        }
    }

    /// Adds all games of another.
    pub(crate) fn merge(&mut self, other: &Ways) {
        self.games += other.games;
        self.pairs.resize(self.pairs.len().max(other.pairs.len()), Way::default());
        for (mine, theirs) in self.pairs.iter_mut().zip(&other.pairs) {
            mine.games += theirs.games;
            mine.sum += theirs.sum;
        }
    }

    /// The distance of the pair with this number in [`upheaval_map::topology::HomeDistances::pairs`].
    pub(crate) fn of(&self, pair: usize) -> Way {
        self.pairs.get(pair).copied().unwrap_or_default()
    }

    /// Are all distances those of another year, and is there always a path?
    pub(crate) fn are_those_of(&self, other: &Ways) -> bool {
        let always = |ways: &Ways, way: &Way| way.games == ways.games;
        self.pairs.iter().zip(&other.pairs).all(|(a, b)| {
            always(self, a) == always(other, b)
                && match (a.mean(), b.mean()) {
                    (Some(a), Some(b)) => (a - b).abs() < 1.0 / STEP,
                    (a, b) => a == b,
                }
        })
    }
}

// The measures of the map that are shown year by year.

/// The measures with their titles and units, in the order of the figures: those of faces, then those of the two graphs.
pub(crate) const MEASURES: [(&str, &str); 18] = [
    ("Extant centres", "supply centres"),
    ("Neutral centres", "extant supply centres without an owner"),
    ("Land", "provinces"),
    ("Sea", "provinces"),
    ("Holes", "provinces that collapsed"),
    ("Voids", "provinces"),
    ("Islands", "parts that no unit can move between by itself"),
    ("Coasts", "coasts of land provinces"),
    ("Several coasts", "provinces with more than one coast"),
    ("Borders", "borders of the underlying map"),
    ("Army graph", "edges: pairs that an army can move between"),
    ("Pieces of the army graph", "pieces"),
    ("Army diameter", "steps of the longest path"),
    ("Army cut vertices", "provinces whose loss disconnects the graph"),
    ("Fleet graph", "edges: pairs that a fleet can move between"),
    ("Pieces of the fleet graph", "pieces"),
    ("Fleet diameter", "steps of the longest path"),
    ("Fleet cut vertices", "places whose loss disconnects the graph"),
];

/// The values of the measures on a map, in their order.
pub(crate) fn measures(of: &MapState) -> impl Iterator<Item = u16> {
    let centres = [of.extant_centres, of.neutral_centres];
    let faces = [of.land, of.sea, of.holes, of.voids, of.islands, of.coasts, of.multi_coast, of.borders];
    let army = [of.army_edges, of.army_components, of.army_diameter, of.army_cut_vertices];
    let fleet = [of.fleet_edges, of.fleet_components, of.fleet_diameter, of.fleet_cut_vertices];
    centres.into_iter().chain(faces).chain(army).chain(fleet)
}

/// The maps after the Winters of a game. The first may be of the year before its first: if a year has two, the later
/// counts.
pub(crate) fn winters(maps: &[MapState]) -> impl Iterator<Item = &MapState> {
    let winters = maps.iter().filter(|map| map.season == Season::Winter);
    winters.map(|map| (map.year, map)).collect::<BTreeMap<u16, &MapState>>().into_values()
}

#[cfg(test)]
mod measure_tests {
    use super::*;

    fn map(turn: u16, year: u16, season: Season) -> MapState {
        MapState {
            turn,
            year,
            season,
            extant_centres: 34,
            neutral_centres: 12,
            land: 56,
            sea: 19,
            holes: 1,
            voids: 2,
            islands: 3,
            coasts: 4,
            multi_coast: 5,
            borders: 6,
            army_edges: 7,
            army_components: 8,
            army_diameter: 9,
            army_cut_vertices: 10,
            fleet_edges: 11,
            fleet_components: 12,
            fleet_diameter: 13,
            fleet_cut_vertices: 14,
        }
    }

    #[test]
    fn of_two_winters_in_a_year_the_later_counts() {
        let maps = [
            map(0, 1900, Season::Winter),
            map(1, 1900, Season::Winter),
            map(2, 1901, Season::Spring),
            map(3, 1901, Season::Winter),
            map(4, 1902, Season::Fall),
        ];
        let found: Vec<u16> = winters(&maps).map(|map| map.turn).collect();
        assert_eq!(found, [1, 3]);
    }

    #[test]
    fn each_measure_has_a_value() {
        let values: Vec<u16> = measures(&map(0, 1900, Season::Winter)).collect();
        assert_eq!(values, [34, 12, 56, 19, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
        assert_eq!(values.len(), MEASURES.len());
    }
}

#[cfg(test)]
mod ways_tests {
    use super::*;

    #[test]
    fn a_mean_is_of_the_games_with_a_way() {
        let mut one = Ways::default();
        one.add(&[Some(2.5), None, Some(1.0)]);
        let mut other = Ways::default();
        other.add(&[Some(3.0), None, None]);
        one.merge(&other);
        assert_eq!((one.games, one.of(0).games, one.of(0).mean()), (2, 2, Some(2.75)));
        assert_eq!((one.of(1).mean(), one.of(2).games, one.of(2).mean()), (None, 1, Some(1.0)));
        assert!(one.are_those_of(&one) && !one.are_those_of(&other));
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
        let mark = |kind| Mark::of(kind).unwrap();
        let count = tally.provinces["BUR"][mark(EventKind::Voided).0];
        assert_eq!((count.games, count.times, tally.provinces.len()), (2, 3, 1));
        assert!(tally.has(mark(EventKind::Voided)) && !tally.has(mark(EventKind::Captured)));
    }
}
