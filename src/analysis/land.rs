//! How much land and how many centres the map has from year to year.

use std::collections::BTreeMap;

use super::Blocks;
use super::table::Table;
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
    /// Extant centres.
    pub centres: Blocks,
}

/// The map from year to year.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Land {
    years: BTreeMap<When, MapThen>,
    /// The land of the first game at its start.
    first: Option<u16>,
    changes: bool,
}

impl Land {
    /// Adds the map of a game of the open block.
    pub fn add(&mut self, rows: &[TopologyRow]) {
        for row in rows {
            let when = match (row.turn, row.season) {
                (0, _) => When::Start,
                (_, Season::Winter) => When::Winter(row.year),
                _ => continue,
            };
            let then = self.years.entry(when).or_default();
            then.land.add(u64::from(row.map.land));
            then.centres.add(u64::from(row.extant_centres));
            self.changes |= *self.first.get_or_insert(row.map.land) != row.map.land;
        }
    }

    /// Closes the block.
    pub fn close(&mut self) {
        for then in self.years.values_mut() {
            then.land.close();
            then.centres.close();
        }
    }

    /// Adds all blocks of another.
    pub fn merge(&mut self, other: Land) {
        self.close();
        self.changes |=
            other.changes || (self.first.is_some_and(|_| other.first.is_some()) && self.first != other.first);
        self.first = self.first.or(other.first);
        for (when, theirs) in other.years {
            let mine = self.years.entry(when).or_default();
            mine.land.merge(theirs.land);
            mine.centres.merge(theirs.centres);
        }
    }

    /// Does the number of land provinces ever change?
    pub fn changes(&self) -> bool {
        self.changes
    }

    /// The map at one moment.
    pub fn at(&self, when: When) -> Option<&MapThen> {
        self.years.get(&when)
    }

    /// The table as plain text; empty where the land never changes.
    pub(super) fn render(&self, out: &mut String) {
        if !self.changes {
            return;
        }
        let columns = [("games", 10), ("land (95% CI)", 23), ("centres on the map (95% CI)", 31)];
        let mut table = Table::new(out, ("winter", 9), columns);
        for (when, then) in &self.years {
            let label = match when {
                When::Start => "start".to_owned(),
                When::Winter(year) => year.to_string(),
            };
            let mean = |of: Blocks| of.mean().map_or("-".to_owned(), |mean| mean.plus_minus(2));
            table.row(label, [then.land.games().to_string(), mean(then.land), mean(then.centres)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use upheaval_harness::sim::{Schedule, mock};
    use upheaval_map::topology::Metrics;

    fn row(turn: u16, year: u16, season: Season, land: u16) -> TopologyRow {
        let played = mock::play(&Schedule::new(&mock::experiment("fixed", 1)).game(0, 0));
        let first = played.topology[0].clone();
        let map = Arc::new(Metrics { land, ..(*first.map).clone() });
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
        assert_eq!(lines[1], ["start", "3", "50.00", "±0.00", "25.00", "±0.00"], "{text}");
        assert_eq!(lines[3][..3], ["1902", "2", "25.00"], "{text}");
        assert_eq!(lines.len(), 4, "{text}");
    }

    #[test]
    fn land_that_never_changes_is_no_table() {
        let (mut same, mut other) = (Land::default(), Land::default());
        same.add(&game(&[50, 50]));
        same.close();
        let mut text = String::new();
        same.render(&mut text);
        assert!(text.is_empty() && !same.changes(), "{text}");
        other.add(&game(&[50, 49]));
        same.merge(other);
        assert!(same.changes());
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
