//! The short table at the end of a run: per variant and power wins, draws, survivals, eliminations and mean centres,
//! the length of games, and changes of the land. Its memory does not grow with the number of games, and its sums are
//! whole numbers, so the result does not depend on how the games were distributed over threads.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::blocks::Blocks;
use crate::faults::Faults;
use crate::reading::{DetailTable, GameOfPart, MapState, PartTally, RunPart, RunTally, read};
use crate::table::{Table, power_width};
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::{GameEnd, GameRow, GameRows, SeatOutcome, TopologyRow};
use upheaval_harness::sim::Collect;
use upheaval_harness::sim::stored::{StoredError, StoredRun};
use upheaval_map::ids::{ByPower, Power, PowerNames, Powers};

/// The games of one power: for each question a number of games, and how these are distributed over blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerSummary {
    /// Games won alone.
    pub wins: Blocks,
    /// Draws shared.
    pub draws: Blocks,
    /// Games at whose end it has a unit.
    pub survivals: Blocks,
    /// Games at whose end it is eliminated: neither unit nor centre left
    /// ([`upheaval_harness::record::SeatRow::is_out`]).
    pub eliminations: Blocks,
    /// Final centres.
    pub centres: Blocks,
}

impl PowerSummary {
    fn all(&mut self) -> [&mut Blocks; 5] {
        let PowerSummary { wins, draws, survivals, eliminations, centres } = self;
        [wins, draws, survivals, eliminations, centres]
    }
}

/// The games of one variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantSummary {
    /// The variant.
    pub variant: String,
    /// Games.
    pub games: u64,
    /// Blocks of games that share one nature.
    pub blocks: u64,
    /// How they ended, in the order of [`GameEnd::ALL`].
    pub ends: [u64; GameEnd::ALL.len()],
    /// The powers.
    pub powers: ByPower<PowerSummary>,
    /// Game years begun.
    pub years: Blocks,
    /// The shortest game in years.
    pub shortest: u16,
    /// The longest.
    pub longest: u16,
    /// Land and extant centres year by year.
    pub land: Land,
    open: Option<u32>,
}

impl VariantSummary {
    fn new(variant: &str, powers: Powers) -> Self {
        VariantSummary {
            variant: variant.to_owned(),
            games: 0,
            blocks: 0,
            ends: [0; GameEnd::ALL.len()],
            powers: ByPower::new(powers),
            years: Blocks::default(),
            shortest: u16::MAX,
            longest: 0,
            land: Land::default(),
            open: None,
        }
    }

    /// Adds a game. The games of a block must be consecutive.
    pub(crate) fn add(&mut self, game: &GameRow, maps: impl IntoIterator<Item = impl Into<LandState>>) {
        if self.open != Some(game.block) {
            self.close_block();
            self.open = Some(game.block);
            self.blocks += 1;
        }
        self.games += 1;
        for (count, end) in self.ends.iter_mut().zip(GameEnd::ALL) {
            *count += u64::from(end == game.end);
        }
        self.years.add(u64::from(game.years));
        self.shortest = self.shortest.min(game.years);
        self.longest = self.longest.max(game.years);
        for (power, summary) in self.powers.iter_mut() {
            let seat = &game.seats[power];
            let is = |outcome| u64::from(seat.outcome == outcome);
            summary.wins.add(is(SeatOutcome::Won));
            summary.draws.add(is(SeatOutcome::Drew));
            summary.survivals.add(u64::from(seat.units > 0));
            summary.eliminations.add(u64::from(seat.is_out()));
            summary.centres.add(u64::from(seat.centres));
        }
        self.land.add(maps);
    }

    /// Everything as an object, on a board with these powers.
    fn to_json(&self, names: &PowerNames) -> Value {
        let ends = GameEnd::ALL.iter().zip(self.ends);
        let ends: Map<String, Value> = ends.map(|(end, n)| (end.name().to_owned(), n.into())).collect();
        let power = |(power, of): (Power, &PowerSummary)| {
            let value = json!({
                "wins": of.wins.rate(),
                "draws": of.draws.rate(),
                "survivals": of.survivals.rate(),
                "eliminations": of.eliminations.rate(),
                "centres": of.centres.mean(),
            });
            (names.name(power).to_owned(), value)
        };
        let powers: Map<String, Value> = self.powers.iter().map(power).collect();
        json!({
            "variant": self.variant,
            "games": self.games,
            "blocks": self.blocks,
            "ends": ends,
            "powers": powers,
            "years": {
                "mean": self.years.mean(),
                "shortest": (self.games > 0).then_some(self.shortest),
                "longest": self.longest,
            },
            "winters": self.land.to_json(),
        })
    }

    fn close_block(&mut self) {
        if self.open.take().is_some() {
            self.powers.iter_mut().for_each(|(_, summary)| summary.all().into_iter().for_each(Blocks::close));
            self.years.close();
            self.land.close();
        }
    }

    /// Adds the games of another summary. Neither may begin or end within a block.
    pub fn merge(&mut self, mut other: VariantSummary) {
        self.close_block();
        other.close_block();
        self.games += other.games;
        self.blocks += other.blocks;
        self.ends.iter_mut().zip(other.ends).for_each(|(a, b)| *a += b);
        self.years.merge(other.years);
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        for (power, mine) in self.powers.iter_mut() {
            for (mine, theirs) in mine.all().into_iter().zip(other.powers[power].all()) {
                mine.merge(*theirs);
            }
        }
        self.land.merge(other.land);
    }
}

/// The legend: words and intervals of the table.
const LEGEND: &str = "
survives: has a unit at the end; out: has neither unit nor centre then, even if it shares in a draw of all
95% CI: Wilson's of rates, t or Hall's of means, over blocks: the games of a block share their catastrophes
";

const LAND: &str = "winter: provinces and centres of the map at its end, over the games that reached it\n";

/// The games of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The variants, in the order in which they came.
    pub variants: Vec<VariantSummary>,
}

impl Summary {
    /// Adds a game.
    pub(crate) fn add(&mut self, variant: &str, game: &GameRows) {
        self.add_stored(variant, &game.game, &game.topology);
    }

    /// Adds a game of which only its row and its maps are known.
    pub(crate) fn add_stored(
        &mut self,
        variant: &str,
        game: &GameRow,
        maps: impl IntoIterator<Item = impl Into<LandState>>,
    ) {
        self.variant(variant, game.seats.powers()).add(game, maps);
    }

    /// Adds another summary, under the condition of [`VariantSummary::merge`].
    pub fn merge(&mut self, other: Summary) {
        for theirs in other.variants {
            self.variant(&theirs.variant.clone(), theirs.powers.powers()).merge(theirs);
        }
    }

    fn variant(&mut self, name: &str, powers: Powers) -> &mut VariantSummary {
        let index = self.variants.iter().position(|v| v.variant == name).unwrap_or_else(|| {
            self.variants.push(VariantSummary::new(name, powers));
            self.variants.len() - 1
        });
        &mut self.variants[index]
    }

    /// The table as a list with an object for each variant or arm, on boards with these powers.
    pub fn to_json(&self, powers: &PowerNames) -> Value {
        self.variants.iter().map(|variant| variant.to_json(powers)).collect()
    }

    /// The table as plain text, on boards with these powers.
    pub fn render(&self, powers: &PowerNames) -> String {
        let mut text = String::new();
        for (i, variant) in self.variants.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            render(variant, powers, &mut text);
        }
        if !self.variants.is_empty() {
            text.push_str(LEGEND);
            if self.variants.iter().any(|variant| variant.land.changes()) {
                text.push_str(LAND);
            }
        }
        text
    }
}

fn render(v: &VariantSummary, powers: &PowerNames, text: &mut String) {
    let ends: Vec<String> = GameEnd::ALL
        .into_iter()
        .zip(v.ends)
        .filter(|(_, count)| *count > 0)
        .map(|(end, count)| {
            let words = match end {
                GameEnd::Solo => "solo",
                GameEnd::Draw => "draw",
                GameEnd::Deserted => "deserted",
                GameEnd::Unfinished => "unfinished",
                GameEnd::Stopped => "stopped",
            };
            format!("{count} {words}")
        })
        .collect();
    let blocks = if v.blocks < v.games { format!(" in {} blocks", v.blocks) } else { String::new() };
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{}: {} games{blocks} ({})", v.variant, v.games, ends.join(", "));
    let columns = [
        ("wins % (95% CI)", 23),
        ("draws % (95% CI)", 23),
        ("survives % (95% CI)", 23),
        ("out % (95% CI)", 23),
        ("centres (95% CI)", 23),
    ];
    let mut table = Table::new(text, ("power", power_width(powers.iter())), columns);
    for (power, of) in v.powers.iter() {
        let rates = [of.wins, of.draws, of.survivals, of.eliminations].map(percent);
        table.row(powers.name(power), rates.into_iter().chain([mean(of.centres)]));
    }
    if v.years.games() > 0 {
        let years = mean(v.years);
        let _ = writeln!(text, "length: {years} game years, from {} to {}", v.shortest, v.longest);
    }
    v.land.render(text);
}

fn percent(of: Blocks) -> String {
    of.rate().map_or("-".to_owned(), |rate| rate.map(|share| 100.0 * share).with_bounds(1))
}

fn mean(of: Blocks) -> String {
    of.mean().map_or("-".to_owned(), |mean| mean.with_bounds(2))
}

// How many land provinces, sea provinces and centres the map has from year to year.

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
    pub(crate) fn to_json(&self) -> Value {
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
    pub(crate) fn render(&self, out: &mut String) {
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

// The tables at the end of a run.

/// The tables at the end of a run, built from its games one by one.
#[derive(Default)]
pub struct Closing {
    /// The closing table.
    pub summary: Summary,
    /// How bots behaved.
    pub faults: Faults,
}

impl Collect for Closing {
    fn kept(&mut self, arm: &str, game: &GameRow, maps: &[TopologyRow]) {
        self.summary.add_stored(arm, game, maps);
        self.faults.add(game);
    }

    fn played(&mut self, arm: &str, game: &GameRows) {
        self.summary.add(arm, game);
        self.faults.add(&game.game);
    }
}

impl Closing {
    /// The tables of a run's games, or of those of a shard.
    ///
    /// # Errors
    /// A table cannot be read.
    pub fn of(run: &StoredRun) -> Result<Closing, StoredError> {
        let mut tables = Closing::default();
        read(RunPart::of_run(run), &mut tables)?;
        Ok(tables)
    }
}

/// The games of a part, which are added one by one: a block may begin in one part and end in the next.
#[derive(Default)]
pub struct ClosingPart {
    games: Vec<(GameRow, Vec<LandState>)>,
}

impl PartTally for ClosingPart {
    fn needs(&self) -> Vec<DetailTable> {
        vec![DetailTable::Topology]
    }

    fn games(&mut self, games: &[GameRow]) {
        self.games = games.iter().map(|game| (game.clone(), Vec::new())).collect();
    }

    fn maps(&mut self, game: GameOfPart<'_>, rows: &[MapState]) {
        self.games[game.index].1 = rows.iter().map(LandState::from).collect();
    }
}

impl RunTally for Closing {
    type Part = ClosingPart;

    fn new_part(&self, _: &RunPart<'_>) -> ClosingPart {
        ClosingPart::default()
    }

    fn add(&mut self, part: &RunPart<'_>, counted: ClosingPart) -> Result<(), StoredError> {
        for (game, maps) in counted.games {
            self.summary.add_stored(&part.arm().id, &game, maps);
            self.faults.add(&game);
        }
        Ok(())
    }
}

#[cfg(test)]
mod land_tests {
    use std::sync::Arc;

    use super::*;
    use upheaval_harness::sim::mock;
    use upheaval_map::topology::Metrics;

    /// A row of a map with 19 seas.
    fn row(turn: u16, year: u16, season: Season, land: u16) -> TopologyRow {
        row_with(turn, year, season, land, 19)
    }

    fn row_with(turn: u16, year: u16, season: Season, land: u16, sea: u16) -> TopologyRow {
        let played = mock::play(&mock::experiment("fixed", 1).schedule().game(0, 0));
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

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_harness::record::SeatRow;
    use upheaval_harness::sim::mock;

    fn games(n: u32) -> Vec<GameRows> {
        let schedule = mock::experiment("rotated", n).schedule();
        (0..n).map(|g| mock::play(&schedule.game(0, g))).collect()
    }

    #[test]
    fn every_game_is_counted_once_and_merging_is_adding() {
        let games = games(70);
        let (mut whole, mut front, mut back) = (Summary::default(), Summary::default(), Summary::default());
        for (i, game) in games.iter().enumerate() {
            whole.add("standard", game);
            if i < 28 { front.add("standard", game) } else { back.add("standard", game) }
        }
        front.merge(back);
        whole.merge(Summary::default());
        let v = &whole.variants[0];
        assert_eq!((v.games, v.blocks), (70, 10));
        assert_eq!(v.ends.iter().sum::<u64>(), 70);
        let names = PowerNames::standard();
        assert_eq!(whole.render(&names), front.render(&names));
        for (power, summary) in v.powers.iter() {
            let count = |fits: &dyn Fn(&SeatRow) -> bool| {
                games.iter().filter(|game| fits(&game.game.seats[power])).count() as u64
            };
            assert_eq!(summary.wins.sum(), count(&|seat| seat.outcome == SeatOutcome::Won));
            assert_eq!(summary.draws.sum(), count(&|seat| seat.outcome == SeatOutcome::Drew));
            assert_eq!(summary.eliminations.sum(), count(&|seat| seat.outcome == SeatOutcome::Eliminated));
            assert_eq!(summary.survivals.sum(), count(&|seat| seat.units > 0));
            let sum: u32 = games.iter().map(|g| u32::from(g.game.seats[power].centres)).sum();
            assert!((summary.centres.mean().unwrap().estimate - f64::from(sum) / 70.0).abs() < 1e-12);
        }
        let json = &whole.to_json(&names)[0];
        assert_eq!(
            (&json["variant"], &json["games"], &json["blocks"]),
            (&json!("standard"), &json!(70), &json!(10))
        );
        let sum = |of: &Value| of.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
        assert_eq!(sum(&json["ends"]), 70);
        for (power, summary) in v.powers.iter() {
            let of = &json["powers"][names.name(power)];
            assert_eq!(of["wins"]["estimate"].as_f64(), summary.wins.rate().map(|rate| rate.estimate));
            assert_eq!(
                of["centres"]["low"].as_f64(),
                summary.centres.mean().unwrap().interval.map(|i| i.low)
            );
        }
        assert!(json["winters"][0]["games"] == 70, "the land of these games changes: {json}");
        let text = whole.render(&names);
        assert!(text.starts_with("standard: 70 games in 10 blocks ("), "{text}");
        assert!(text.contains("\nstart "), "the land of these games changes: {text}");
    }

    #[test]
    fn who_has_a_centre_and_no_unit_is_neither_a_survivor_nor_out() {
        let mut game = games(7).remove(0);
        let seat = &mut game.game.seats[Power::ITALY];
        (seat.outcome, seat.units, seat.centres) = (SeatOutcome::Survived, 0, 1);
        let mut summary = Summary::default();
        summary.add("deluge", &game);
        let italy = summary.variants[0].powers[Power::ITALY];
        assert_eq!((italy.survivals.sum(), italy.eliminations.sum(), italy.survivals.games()), (0, 0, 1));
    }

    #[test]
    fn ruling_4_13_in_a_tie_of_all_each_shares_in_the_draw_and_all_are_out() {
        let mut game = games(7).remove(0);
        (game.game.end, game.game.winner, game.game.draw_size) = (GameEnd::Draw, None, 7);
        for (_, seat) in game.game.seats.iter_mut() {
            (seat.outcome, seat.units, seat.centres) = (SeatOutcome::Drew, 0, 0);
        }
        let mut summary = Summary::default();
        summary.add("double-reversible", &game);
        for (power, of) in summary.variants[0].powers.iter() {
            assert_eq!((of.draws.sum(), of.eliminations.sum(), of.survivals.sum()), (1, 1, 0), "{power:?}");
        }
        assert!(
            summary
                .render(&PowerNames::standard())
                .contains("out: has neither unit nor centre then, even if it shares in a draw of all")
        );
    }

    #[test]
    fn no_games_are_no_lines() {
        assert_eq!(Summary::default().render(&PowerNames::standard()), "");
    }
}
