//! The short table at the end of a run: per variant and power wins, draws, survivals, eliminations and mean centres,
//! the length of games, and changes of the land. Its memory does not grow with the number of games, and its sums are
//! whole numbers, so the result does not depend on how the games were distributed over threads.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::blocks::Blocks;
use crate::estimate::Estimate;
use crate::faults::Faults;
use crate::reading::{DetailTable, GameOfPart, MapState, PartTally, RunPart, RunTally, read};
use crate::table::{Table, power_width};
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::{GameEnd, GameRow, GameRows, SeatOutcome, TopologyRow};
use upheaval_harness::sim::Collect;
use upheaval_harness::sim::stored::{StoredError, StoredRun};
use upheaval_map::ids::{ByPower, Power, PowerNames};

/// A number of a table: a column of it as text, a key of its rows as JSON.
struct Figure {
    key: &'static str,
    heading: &'static str,
    estimate: Option<Estimate>,
    is_rate: bool,
}

impl Figure {
    /// A share of games, in percent as text.
    fn rate(key: &'static str, heading: &'static str, games: Blocks) -> Figure {
        Figure { key, heading, estimate: games.rate(), is_rate: true }
    }

    /// A mean over games.
    fn mean(key: &'static str, heading: &'static str, games: Blocks) -> Figure {
        Figure { key, heading, estimate: games.mean(), is_rate: false }
    }

    /// Its cell as text.
    fn text(&self) -> String {
        match self.estimate {
            Some(rate) if self.is_rate => rate.map(|share| 100.0 * share).with_bounds(1),
            Some(mean) => mean.with_bounds(2),
            None => "-".to_owned(),
        }
    }

    /// Its field as JSON.
    fn field(&self) -> (String, Value) {
        (self.key.to_owned(), json!(self.estimate))
    }
}

/// The games of one power: for each question a number of games, and how these are distributed over blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PowerSummary {
    /// Games won alone.
    wins: Blocks,
    /// Draws shared.
    draws: Blocks,
    /// Games at whose end it has a unit.
    survivals: Blocks,
    /// Games at whose end it is eliminated: neither unit nor centre left
    /// ([`upheaval_harness::record::SeatRow::is_out`]).
    eliminations: Blocks,
    /// Final centres.
    centres: Blocks,
}

impl PowerSummary {
    fn figures(&self) -> [Figure; 5] {
        [
            Figure::rate("wins", "wins % (95% CI)", self.wins),
            Figure::rate("draws", "draws % (95% CI)", self.draws),
            Figure::rate("survivals", "survives % (95% CI)", self.survivals),
            Figure::rate("eliminations", "out % (95% CI)", self.eliminations),
            Figure::mean("centres", "centres (95% CI)", self.centres),
        ]
    }

    fn close(&mut self) {
        let PowerSummary { wins, draws, survivals, eliminations, centres } = self;
        [wins, draws, survivals, eliminations, centres].into_iter().for_each(Blocks::close);
    }
}

/// The games of one variant; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VariantSummary {
    /// The variant.
    variant: String,
    /// How they ended, in the order of [`GameEnd::ALL`].
    ends: [u64; GameEnd::ALL.len()],
    /// The powers.
    powers: ByPower<PowerSummary>,
    /// Game years begun.
    years: Blocks,
    /// The shortest game in years.
    shortest: u16,
    /// The longest.
    longest: u16,
    /// Land and extant centres year by year.
    land: Land,
    open: Option<u32>,
}

impl VariantSummary {
    /// Adds a game. The games of a block must be consecutive.
    fn add(&mut self, game: &GameRow, maps: impl IntoIterator<Item = impl Into<LandState>>) {
        if self.open.replace(game.block) != Some(game.block) {
            self.powers.iter_mut().for_each(|(_, summary)| summary.close());
            self.years.close();
            self.land.close();
        }
        self.ends[game.end as usize] += 1;
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

    /// The ways in which games can end, each with its number of games.
    fn ends(&self) -> impl Iterator<Item = (&'static str, u64)> {
        GameEnd::ALL.iter().map(|end| end.name()).zip(self.ends)
    }

    /// Everything as an object, on a board with these powers.
    fn to_json(&self, names: &PowerNames) -> Value {
        let ends: Map<String, Value> =
            self.ends().map(|(end, games)| (end.to_owned(), games.into())).collect();
        let power = |(power, of): (Power, &PowerSummary)| {
            (names.name(power).to_owned(), of.figures().iter().map(Figure::field).collect())
        };
        let powers: Map<String, Value> = self.powers.iter().map(power).collect();
        json!({
            "variant": self.variant,
            "games": self.years.games(),
            "blocks": self.years.blocks(),
            "ends": ends,
            "powers": powers,
            "years": { "mean": self.years.mean(), "shortest": self.shortest, "longest": self.longest },
            "winters": self.land.to_json(),
        })
    }

    fn render(&self, powers: &PowerNames, text: &mut String) {
        let (games, blocks) = (self.years.games(), self.years.blocks());
        let ends = self.ends().filter(|(_, games)| *games > 0).map(|(end, games)| format!("{games} {end}"));
        let ends: Vec<String> = ends.collect();
        let blocks = if blocks < games { format!(" in {blocks} blocks") } else { String::new() };
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}: {games} games{blocks} ({})", self.variant, ends.join(", "));
        let columns = PowerSummary::default().figures().map(|figure| (figure.heading, 23));
        let mut table = Table::new(text, ("power", power_width(powers.iter())), columns);
        for (power, of) in self.powers.iter() {
            table.row(powers.name(power), of.figures().map(|figure| figure.text()));
        }
        let years = Figure::mean("", "", self.years).text();
        let _ = writeln!(text, "length: {years} game years, from {} to {}", self.shortest, self.longest);
        self.land.render(text);
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
    variants: Vec<VariantSummary>,
}

impl Summary {
    /// Adds a game, of which only its row and its maps need be known.
    pub(crate) fn add(
        &mut self,
        variant: &str,
        game: &GameRow,
        maps: impl IntoIterator<Item = impl Into<LandState>>,
    ) {
        let index = self.variants.iter().position(|known| known.variant == variant).unwrap_or_else(|| {
            self.variants.push(VariantSummary {
                variant: variant.to_owned(),
                ends: [0; GameEnd::ALL.len()],
                powers: ByPower::new(game.seats.powers()),
                years: Blocks::default(),
                shortest: u16::MAX,
                longest: 0,
                land: Land::default(),
                open: None,
            });
            self.variants.len() - 1
        });
        self.variants[index].add(game, maps);
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
            variant.render(powers, &mut text);
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

// How many land provinces, sea provinces and centres the map has from year to year.

/// A moment: the start, or the end of a year's Winter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum When {
    /// Before the first season.
    Start,
    /// After the Winter of this year.
    Winter(u16),
}

/// The map at one such moment, over the games that reached it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MapThen {
    land: Blocks,
    sea: Blocks,
    /// Extant centres.
    centres: Blocks,
}

impl MapThen {
    fn figures(&self) -> [Figure; 3] {
        [
            Figure::mean("land", "land (95% CI)", self.land),
            Figure::mean("sea", "sea (95% CI)", self.sea),
            Figure::mean("centres", "centres on the map (95% CI)", self.centres),
        ]
    }
}

/// What is counted of the map of a game after a turn.
#[derive(Clone, Copy, Debug)]
pub struct LandState {
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
pub(crate) struct Land {
    years: BTreeMap<When, MapThen>,
    /// The land and sea provinces of the first game at its start.
    first: Option<(u16, u16)>,
    land_changes: bool,
    sea_changes: bool,
}

impl Land {
    /// Adds the maps of a game of the open block.
    fn add(&mut self, maps: impl IntoIterator<Item = impl Into<LandState>>) {
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
            let (land, sea) = *self.first.get_or_insert((row.land, row.sea));
            self.land_changes |= land != row.land;
            self.sea_changes |= sea != row.sea;
        }
    }

    /// Closes the block.
    fn close(&mut self) {
        for MapThen { land, sea, centres } in self.years.values_mut() {
            [land, sea, centres].into_iter().for_each(Blocks::close);
        }
    }

    /// Does the number of land or sea provinces ever change?
    fn changes(&self) -> bool {
        self.land_changes || self.sea_changes
    }

    /// The moments of the table, each with its year and the map; none if neither number ever changes.
    fn rows(&self) -> impl Iterator<Item = (Option<u16>, &MapThen)> {
        let year = |when: &When| match *when {
            When::Start => None,
            When::Winter(year) => Some(year),
        };
        self.years.iter().filter(|_| self.changes()).map(move |(when, then)| (year(when), then))
    }

    /// The table as a list: an object for each winter, of which the first is the start and has no year.
    fn to_json(&self) -> Value {
        let row = |(year, then): (Option<u16>, &MapThen)| -> Map<String, Value> {
            let games = [("year".to_owned(), json!(year)), ("games".to_owned(), json!(then.land.games()))];
            games.into_iter().chain(then.figures().iter().map(Figure::field)).collect()
        };
        self.rows().map(row).collect()
    }

    /// The table as plain text; empty if neither number ever changes. Sea provinces have a column if their number
    /// changes.
    fn render(&self, out: &mut String) {
        if !self.changes() {
            return;
        }
        let shown = |then: &MapThen| {
            then.figures().into_iter().filter(|figure| self.sea_changes || figure.key != "sea")
        };
        let figures =
            shown(&MapThen::default()).map(|figure| (figure.heading, figure.heading.len().max(21) + 4));
        let mut table = Table::new(out, ("winter", 9), [("games", 10)].into_iter().chain(figures));
        for (year, then) in self.rows() {
            let label = year.map_or("start".to_owned(), |year| year.to_string());
            let figures = shown(then).map(|figure| figure.text());
            table.row(label, [then.land.games().to_string()].into_iter().chain(figures));
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
        self.summary.add(arm, game, maps);
        self.faults.add(game);
    }

    fn played(&mut self, arm: &str, game: &GameRows) {
        self.summary.add(arm, &game.game, &game.topology);
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
impl PartTally for Vec<(GameRow, Vec<LandState>)> {
    fn needs(&self) -> Vec<DetailTable> {
        vec![DetailTable::Topology]
    }

    fn games(&mut self, games: &[GameRow]) {
        *self = games.iter().map(|game| (game.clone(), Vec::new())).collect();
    }

    fn maps(&mut self, game: GameOfPart<'_>, rows: &[MapState]) {
        self[game.index].1 = rows.iter().map(LandState::from).collect();
    }
}

impl RunTally for Closing {
    type Part = Vec<(GameRow, Vec<LandState>)>;

    fn new_part(&self, _: &RunPart<'_>) -> Self::Part {
        Vec::new()
    }

    fn add(&mut self, part: &RunPart<'_>, counted: Self::Part) -> Result<(), StoredError> {
        for (game, maps) in counted {
            self.summary.add(&part.arm().id, &game, maps);
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
        let mean =
            |when: When| land.years.get(&when).and_then(|then| then.land.mean()).map(|mean| mean.estimate);
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
        let mut land = Land::default();
        land.add(&game(&[50, 50]));
        land.close();
        let mut text = String::new();
        land.render(&mut text);
        assert!(text.is_empty() && !land.changes() && land.to_json() == json!([]), "{text}");
        land.add(&game(&[50, 49]));
        assert!(land.changes());
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
        let both = "winter games land (95% CI) sea (95% CI) centres on the map (95% CI)";
        let land = "winter games land (95% CI) centres on the map (95% CI)";
        for (now, heading, row) in [
            ((48, 21), both, "1901 2 48.00 21.00 24.00"),
            ((48, 19), land, "1901 2 48.00 24.00"),
            ((50, 17), both, "1901 2 50.00 17.00 25.00"),
        ] {
            let text = winters([(50, 19), now]);
            let lines: Vec<String> =
                text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
            assert_eq!((lines[0].as_str(), lines[2].as_str()), (heading, row));
        }
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
    fn every_game_is_counted_once() {
        let games = games(70);
        let mut whole = Summary::default();
        games.iter().for_each(|game| whole.add("standard", &game.game, &game.topology));
        let v = &whole.variants[0];
        assert_eq!((v.years.games(), v.years.blocks()), (70, 10));
        assert_eq!(v.ends.iter().sum::<u64>(), 70);
        let names = PowerNames::standard();
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
    }

    #[test]
    fn who_has_a_centre_and_no_unit_is_neither_a_survivor_nor_out() {
        let mut game = games(7).remove(0);
        let seat = &mut game.game.seats[Power::ITALY];
        (seat.outcome, seat.units, seat.centres) = (SeatOutcome::Survived, 0, 1);
        let mut summary = Summary::default();
        summary.add("deluge", &game.game, &game.topology);
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
        summary.add("double-reversible", &game.game, &game.topology);
        for (power, of) in summary.variants[0].powers.iter() {
            assert_eq!((of.draws.sum(), of.eliminations.sum(), of.survivals.sum()), (1, 1, 0), "{power:?}");
        }
    }

    #[test]
    fn no_games_are_no_lines() {
        assert_eq!(Summary::default().render(&PowerNames::standard()), "");
    }
}
