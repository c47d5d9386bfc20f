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
use upheaval_harness::record::{GameEnd, GameRow, SeatOutcome, TopologyRow};
use upheaval_harness::sim::Collect;
use upheaval_harness::sim::stored::{StoredError, StoredRun};
use upheaval_map::ids::{ByPower, Power, PowerNames};

/// A number of a table: a column of it as text, a key of its rows as JSON.
struct Figure {
    key: &'static str,
    heading: &'static str,
    /// Is it a share of games, in percent as text? Otherwise it is a mean over games.
    is_rate: bool,
}

impl Figure {
    fn estimate(&self, games: Blocks) -> Option<Estimate> {
        if self.is_rate { games.rate() } else { games.mean() }
    }

    /// Its cell as text.
    fn text(&self, games: Blocks) -> String {
        match self.estimate(games) {
            Some(rate) if self.is_rate => rate.map(|share| 100.0 * share).with_bounds(1),
            Some(mean) => mean.with_bounds(2),
            None => "-".to_owned(),
        }
    }

    /// Its field as JSON.
    fn field(&self, games: Blocks) -> (String, Value) {
        (self.key.to_owned(), json!(self.estimate(games)))
    }
}

/// What is counted of the games of a power: games won alone, draws shared, games at whose end it has a unit, games at
/// whose end it is eliminated, with neither unit nor centre ([`upheaval_harness::record::SeatRow::is_out`]), and its
/// final centres.
const OF_POWER: [Figure; 5] = [
    Figure { key: "wins", heading: "wins % (95% CI)", is_rate: true },
    Figure { key: "draws", heading: "draws % (95% CI)", is_rate: true },
    Figure { key: "survivals", heading: "survives % (95% CI)", is_rate: true },
    Figure { key: "eliminations", heading: "out % (95% CI)", is_rate: true },
    Figure { key: "centres", heading: "centres (95% CI)", is_rate: false },
];

/// The games of one variant; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VariantSummary {
    /// The variant.
    variant: String,
    /// How they ended, in the order of [`GameEnd::ALL`].
    ends: [u64; GameEnd::ALL.len()],
    /// The powers, each with its games by [`OF_POWER`].
    powers: ByPower<[Blocks; OF_POWER.len()]>,
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
            self.powers.iter_mut().for_each(|(_, sums)| sums.iter_mut().for_each(Blocks::close));
            self.years.close();
            self.land.close();
        }
        self.ends[game.end as usize] += 1;
        self.years.add(u64::from(game.years));
        self.shortest = self.shortest.min(game.years);
        self.longest = self.longest.max(game.years);
        for (power, sums) in self.powers.iter_mut() {
            let seat = &game.seats[power];
            let is = |outcome| u64::from(seat.outcome == outcome);
            let (survives, is_out) = (u64::from(seat.units > 0), u64::from(seat.is_out()));
            let values =
                [is(SeatOutcome::Won), is(SeatOutcome::Drew), survives, is_out, u64::from(seat.centres)];
            sums.iter_mut().zip(values).for_each(|(sum, value)| sum.add(value));
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
        let power = |(power, sums): (Power, &[Blocks; OF_POWER.len()])| {
            let fields = OF_POWER.iter().zip(sums).map(|(figure, games)| figure.field(*games));
            (names.name(power).to_owned(), fields.collect())
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
        let columns = OF_POWER.map(|figure| (figure.heading, 23));
        let mut table = Table::new(text, ("power", power_width(powers.iter())), columns);
        for (power, sums) in self.powers.iter() {
            table.row(
                powers.name(power),
                OF_POWER.iter().zip(sums).map(|(figure, games)| figure.text(*games)),
            );
        }
        let years = self.years.mean().map_or("-".to_owned(), |mean| mean.with_bounds(2));
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

/// What is counted of the map at a moment: land provinces, sea provinces and extant centres.
const OF_MAP: [Figure; 3] = [
    Figure { key: "land", heading: "land (95% CI)", is_rate: false },
    Figure { key: "sea", heading: "sea (95% CI)", is_rate: false },
    Figure { key: "centres", heading: "centres on the map (95% CI)", is_rate: false },
];

/// The map at such a moment, over the games that reached it, by [`OF_MAP`].
type MapThen = [Blocks; OF_MAP.len()];

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
    /// By the year at whose end it was, after its Winter; no year for the start.
    years: BTreeMap<Option<u16>, MapThen>,
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
            let year = match (row.turn, row.season) {
                (0, _) => None,
                (_, Season::Winter) => Some(row.year),
                _ => continue,
            };
            let counts = [row.land, row.sea, row.extant_centres].map(u64::from);
            let then = self.years.entry(year).or_default();
            then.iter_mut().zip(counts).for_each(|(sum, count)| sum.add(count));
            let (land, sea) = *self.first.get_or_insert((row.land, row.sea));
            self.land_changes |= land != row.land;
            self.sea_changes |= sea != row.sea;
        }
    }

    /// Closes the block.
    fn close(&mut self) {
        self.years.values_mut().flatten().for_each(Blocks::close);
    }

    /// Does the number of land or sea provinces ever change?
    fn changes(&self) -> bool {
        self.land_changes || self.sea_changes
    }

    /// The moments of the table, each with its year and the map; none if neither number ever changes.
    fn rows(&self) -> impl Iterator<Item = (&Option<u16>, &MapThen)> {
        self.years.iter().filter(|_| self.changes())
    }

    /// The table as a list: an object for each winter, of which the first is the start and has no year.
    fn to_json(&self) -> Value {
        let row = |(year, then): (&Option<u16>, &MapThen)| -> Map<String, Value> {
            let games = [("year".to_owned(), json!(year)), ("games".to_owned(), json!(then[0].games()))];
            let fields = OF_MAP.iter().zip(then).map(|(figure, games)| figure.field(*games));
            games.into_iter().chain(fields).collect()
        };
        self.rows().map(row).collect()
    }

    /// The table as plain text; empty if neither number ever changes. Sea provinces have a column if their number
    /// changes.
    fn render(&self, out: &mut String) {
        if !self.changes() {
            return;
        }
        let is_shown = |figure: &Figure| self.sea_changes || figure.key != "sea";
        let figures = OF_MAP.iter().filter(|figure| is_shown(figure));
        let figures = figures.map(|figure| (figure.heading, figure.heading.len().max(21) + 4));
        let mut table = Table::new(out, ("winter", 9), [("games", 10)].into_iter().chain(figures));
        for (year, then) in self.rows() {
            let label = year.map_or("start".to_owned(), |year| year.to_string());
            let figures = OF_MAP.iter().zip(then).filter(|(figure, _)| is_shown(figure));
            let figures = figures.map(|(figure, games)| figure.text(*games));
            table.row(label, [then[0].games().to_string()].into_iter().chain(figures));
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
        let mean = |year: Option<u16>| Some(land.years.get(&year)?[0].mean()?.estimate);
        assert_eq!(mean(None), Some(50.0));
        assert_eq!(mean(Some(1901)), Some(42.0));
        assert_eq!(mean(Some(1902)), Some(25.0));
        assert_eq!(mean(Some(1903)), None);
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
    use upheaval_harness::record::{GameRows, SeatRow};
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
        for (power, [wins, draws, survivals, eliminations, centres]) in v.powers.iter() {
            let count = |fits: &dyn Fn(&SeatRow) -> bool| {
                games.iter().filter(|game| fits(&game.game.seats[power])).count() as u64
            };
            assert_eq!(wins.sum(), count(&|seat| seat.outcome == SeatOutcome::Won));
            assert_eq!(draws.sum(), count(&|seat| seat.outcome == SeatOutcome::Drew));
            assert_eq!(eliminations.sum(), count(&|seat| seat.outcome == SeatOutcome::Eliminated));
            assert_eq!(survivals.sum(), count(&|seat| seat.units > 0));
            let sum: u32 = games.iter().map(|g| u32::from(g.game.seats[power].centres)).sum();
            assert!((centres.mean().unwrap().estimate - f64::from(sum) / 70.0).abs() < 1e-12);
        }
        let json = &whole.to_json(&names)[0];
        assert_eq!(
            (&json["variant"], &json["games"], &json["blocks"]),
            (&json!("standard"), &json!(70), &json!(10))
        );
        let sum = |of: &Value| of.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
        assert_eq!(sum(&json["ends"]), 70);
        for (power, [wins, .., centres]) in v.powers.iter() {
            let of = &json["powers"][names.name(power)];
            assert_eq!(of["wins"]["estimate"].as_f64(), wins.rate().map(|rate| rate.estimate));
            assert_eq!(of["centres"]["low"].as_f64(), centres.mean().unwrap().interval.map(|i| i.low));
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
        let [_, _, survivals, eliminations, _] = summary.variants[0].powers[Power::ITALY];
        assert_eq!((survivals.sum(), eliminations.sum(), survivals.games()), (0, 0, 1));
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
        for (power, [_, draws, survivals, eliminations, _]) in summary.variants[0].powers.iter() {
            assert_eq!((draws.sum(), eliminations.sum(), survivals.sum()), (1, 1, 0), "{power:?}");
        }
    }

    #[test]
    fn no_games_are_no_lines() {
        assert_eq!(Summary::default().render(&PowerNames::standard()), "");
    }
}
