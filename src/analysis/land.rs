//! How many land provinces, sea provinces and centres the map has from year to year.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::Blocks;
use crate::reading::MapState;
use crate::table::Table;
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::TopologyRow;

/// A moment: the start, or the end of a year's Winter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Before the first season.
    Start,
    /// After the Winter of this year.
    Winter(u16),
}

/// The map at one such moment, over the games that reached it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapThen {
    /// Land provinces.
    pub land: Blocks,
    /// Sea provinces.
    pub sea: Blocks,
    /// Extant centres.
    pub centres: Blocks,
}

/// What is counted of the map of a game after a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LandState {
    turn: u16,
    year: u16,
    season: Season,
    land: u16,
    sea: u16,
    extant_centres: u16,
}

impl From<&TopologyRow> for LandState {
    fn from(row: &TopologyRow) -> LandState {
        let &TopologyRow { turn, year, season, extant_centres, ref map, .. } = row;
        LandState { turn, year, season, land: map.land, sea: map.sea, extant_centres }
    }
}

impl From<&MapState> for LandState {
    fn from(row: &MapState) -> LandState {
        let &MapState { turn, year, season, extant_centres, land, sea, .. } = row;
        LandState { turn, year, season, land, sea, extant_centres }
    }
}

/// The map from year to year.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Land {
    years: BTreeMap<When, MapThen>,
    /// The land and sea provinces of the first game at its start.
    first: Option<Provinces>,
    /// Does the number of land provinces ever change, and that of sea provinces?
    changes: Changes,
}

/// How many provinces a map has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Provinces {
    land: u16,
    sea: u16,
}

/// Which of the numbers change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Changes {
    land: bool,
    sea: bool,
}

impl Changes {
    /// Adds what differs between two maps.
    fn add(&mut self, one: Provinces, other: Provinces) {
        self.land |= one.land != other.land;
        self.sea |= one.sea != other.sea;
    }
}

impl Land {
    /// Adds the maps of a game of the open block.
    pub(crate) fn add(&mut self, maps: impl IntoIterator<Item = impl Into<LandState>>) {
        for row in maps {
            let row = row.into();
            let when = match (row.turn, row.season) {
                (0, _) => When::Start,
                (_, Season::Winter) => When::Winter(row.year),
                _ => continue,
            };
            let then = self.years.entry(when).or_default();
            then.land.add(u64::from(row.land));
            then.sea.add(u64::from(row.sea));
            then.centres.add(u64::from(row.extant_centres));
            let now = Provinces { land: row.land, sea: row.sea };
            self.changes.add(*self.first.get_or_insert(now), now);
        }
    }

    /// Closes the block.
    pub(crate) fn close(&mut self) {
        for then in self.years.values_mut() {
            then.land.close();
            then.sea.close();
            then.centres.close();
        }
    }

    /// Adds all blocks of another.
    pub fn merge(&mut self, other: Land) {
        self.close();
        self.changes.land |= other.changes.land;
        self.changes.sea |= other.changes.sea;
        if let (Some(mine), Some(theirs)) = (self.first, other.first) {
            self.changes.add(mine, theirs);
        }
        self.first = self.first.or(other.first);
        for (when, theirs) in other.years {
            let mine = self.years.entry(when).or_default();
            mine.land.merge(theirs.land);
            mine.sea.merge(theirs.sea);
            mine.centres.merge(theirs.centres);
        }
    }

    /// Does the number of land or sea provinces ever change?
    pub(crate) fn changes(&self) -> bool {
        self.changes.land || self.changes.sea
    }

    /// The map at one moment.
    pub fn at(&self, when: When) -> Option<&MapThen> {
        self.years.get(&when)
    }

    /// The table as a list: an object for each winter, of which the first is the start and has no year; empty where
    /// neither the land nor the sea ever changes.
    pub(super) fn to_json(&self) -> Value {
        let row = |(when, then): (&When, &MapThen)| {
            let year = match when {
                When::Start => None,
                When::Winter(year) => Some(year),
            };
            json!({
                "year": year,
                "games": then.land.games(),
                "land": then.land.mean(),
                "sea": then.sea.mean(),
                "centres": then.centres.mean(),
            })
        };
        match self.changes() {
            true => self.years.iter().map(row).collect(),
            false => json!([]),
        }
    }

    /// The table as plain text; empty where neither number ever changes. Sea provinces have a column where their number
    /// changes.
    pub(super) fn render(&self, out: &mut String) {
        if !self.changes() {
            return;
        }
        let sea = self.changes.sea.then_some(("sea (95% CI)", 25));
        let columns = [("games", 10), ("land (95% CI)", 25)];
        let columns = columns.into_iter().chain(sea).chain([("centres on the map (95% CI)", 31)]);
        let mut table = Table::new(out, ("winter", 9), columns);
        for (when, then) in &self.years {
            let label = match when {
                When::Start => "start".to_owned(),
                When::Winter(year) => year.to_string(),
            };
            let mean = |of: Blocks| of.mean().map_or("-".to_owned(), |mean| mean.with_bounds(2));
            let sea = self.changes.sea.then(|| mean(then.sea));
            let cells = [then.land.games().to_string(), mean(then.land)];
            table.row(label, cells.into_iter().chain(sea).chain([mean(then.centres)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use upheaval_harness::sim::{Schedule, mock};
    use upheaval_map::topology::Metrics;

    /// A row of a map with 19 seas.
    fn row(turn: u16, year: u16, season: Season, land: u16) -> TopologyRow {
        row_with(turn, year, season, land, 19)
    }

    fn row_with(turn: u16, year: u16, season: Season, land: u16, sea: u16) -> TopologyRow {
        let played = mock::play(&Schedule::new(&mock::experiment("fixed", 1)).game(0, 0));
        let first = played.topology[0].clone();
        let map = Arc::new(Metrics { land, sea, ..(*first.map).clone() });
        TopologyRow { turn, year, season, extant_centres: land / 2, map, ..first }
    }

    fn game(land: &[u16]) -> Vec<TopologyRow> {
        let mut rows = vec![row(0, 1900, Season::Winter, 50)];
        for (&land, year) in land.iter().zip(1901..) {
            // Changes within the year are not part of it.
            rows.push(row(1, year, Season::Fall, 99));
            rows.push(row(2, year, Season::Winter, land));
        }
        rows
    }

    #[test]
    fn each_winter_has_the_mean_of_the_games_that_got_there() {
        let mut land = Land::default();
        land.add(&game(&[40, 30]));
        land.add(&game(&[44]));
        land.close();
        land.add(&game(&[42, 20]));
        let mean = |when: When| land.at(when).and_then(|then| then.land.mean()).map(|mean| mean.estimate);
        assert_eq!(mean(When::Start), Some(50.0));
        assert_eq!(mean(When::Winter(1901)), Some(42.0));
        assert_eq!(mean(When::Winter(1902)), Some(25.0));
        assert_eq!(mean(When::Winter(1903)), None);
        let mut text = String::new();
        land.render(&mut text);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["start", "3", "50.00", "25.00"], "{text}");
        assert_eq!(lines[3][..3], ["1902", "2", "25.00"], "{text}");
        assert_eq!(lines.len(), 4, "{text}");
        let json = land.to_json();
        assert_eq!((&json[0]["year"], &json[2]["year"]), (&json!(null), &json!(1902)));
        assert_eq!((&json[2]["games"], &json[2]["land"]["estimate"]), (&json!(2), &json!(25.0)));
    }

    #[test]
    fn land_that_never_changes_is_no_table() {
        let (mut same, mut other) = (Land::default(), Land::default());
        same.add(&game(&[50, 50]));
        same.close();
        let mut text = String::new();
        same.render(&mut text);
        assert!(text.is_empty() && !same.changes() && same.to_json() == json!([]), "{text}");
        other.add(&game(&[50, 49]));
        same.merge(other);
        assert!(same.changes());
    }

    #[test]
    fn seas_have_a_column_where_their_number_changes() {
        let winters = |provinces: [(u16, u16); 2]| {
            let mut land = Land::default();
            let rows = (0..).zip(provinces).map(|(turn, (on_land, at_sea))| {
                row_with(turn, 1900 + turn, Season::Winter, on_land, at_sea)
            });
            let rows: Vec<_> = rows.collect();
            land.add(&rows);
            land.close();
            land.add(&rows);
            let mut text = String::new();
            land.render(&mut text);
            text
        };
        let cells = |text: &str| -> Vec<Vec<String>> {
            text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
        };
        let floods = cells(&winters([(50, 19), (48, 21)]));
        assert!(floods[0].join(" ").contains("land (95% CI) sea (95% CI) centres"), "{floods:?}");
        assert_eq!(floods[2], ["1901", "2", "48.00", "21.00", "24.00"], "{floods:?}");
        let holes = winters([(50, 19), (48, 19)]);
        assert!(!holes.contains("sea"), "{holes}");
        let at_sea = winters([(50, 19), (50, 17)]);
        assert!(at_sea.contains("sea (95% CI)"), "{at_sea}");
    }

    #[test]
    fn merging_is_adding() {
        let games = [game(&[40, 30]), game(&[44]), game(&[42, 20])];
        let all = |games: &[Vec<TopologyRow>]| {
            let mut land = Land::default();
            for game in games {
                land.add(game);
                land.close();
            }
            land
        };
        let mut front = all(&games[..1]);
        front.merge(all(&games[1..]));
        assert_eq!(front, all(&games));
    }
}
