//! Reads the tables of runs: each file is opened once, whatever is computed from it.
//!
//! ```text
//!             ┌─ games + seats ─▶ PartTally::new_part        several parts at a time, on all threads
//!  part files ┼─ turns, events, topology, distances ─▶ PartTally::turns, events, maps, distances
//!             └────────────────────────────────────▶ RunTally::add, part by part in their order
//! ```
//!
//! A [`RunTally`] is what a command computes from a run: standings, the closing table, a balance, the figures of a
//! report. Several are combined as a tuple, which is computed in the same pass. Of the tables with several rows for
//! each game, only those that a tally [needs](PartTally::needs) are opened, and no more than one game and one batch of
//! rows of a table is in memory.

use std::ops::Range;

use rayon::prelude::*;

use crate::faults::Faults;
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::reader::{self, Fields, by_game, distances, events, topology, turns};
use upheaval_harness::record::regular::Readable;
use upheaval_harness::record::{DistanceRow, EventKind, EventRow, GameRow, Text, TopologyRow, TurnRow};
use upheaval_harness::sim::resolved::Arm;
use upheaval_harness::sim::stored::{ManifestPart, StoredError, StoredRun};
use upheaval_map::ids::Power;

/// How many parts are read at once for each thread: enough that no thread waits, few enough that memory stays flat.
const AHEAD: usize = 2;

/// A table with several rows for each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetailTable {
    /// The powers after each turn.
    Turns,
    /// Events.
    Events,
    /// The map after each turn.
    Topology,
    /// Distances between the homes of powers.
    Distances,
}

/// A part of a run: consecutive games of one arm, in one file of each table.
#[derive(Clone, Debug)]
pub struct RunPart<'a> {
    /// The run.
    pub run: &'a StoredRun,
    /// The numbers of the run's line-ups among those of all runs that are read together.
    pub line_ups: Range<usize>,
    part: ManifestPart,
}

impl<'a> RunPart<'a> {
    /// The parts of an arm of a run, in their order.
    pub(crate) fn of_arm(
        run: &'a StoredRun,
        line_ups: Range<usize>,
        arm: usize,
    ) -> impl Iterator<Item = RunPart<'a>> {
        run.parts(arm).into_iter().map(move |part| RunPart { run, line_ups: line_ups.clone(), part })
    }

    /// The parts of all arms of a run, in their order, if its line-ups do not matter.
    pub(crate) fn of_run(run: &'a StoredRun) -> impl Iterator<Item = RunPart<'a>> {
        (0..run.arms().len()).flat_map(move |arm| RunPart::of_arm(run, 0..0, arm))
    }

    /// The index of the arm in the experiment.
    pub fn arm_index(&self) -> usize {
        self.part.arm
    }

    /// The arm.
    pub fn arm(&self) -> &'a Arm {
        &self.run.arms()[self.part.arm]
    }

    /// The error of a part whose tables do not fit together, or do not fit the experiment.
    pub(crate) fn damaged(&self, table: &str, what: String) -> StoredError {
        StoredError::Damaged { path: self.run.file(&self.part, table).place(), what }
    }

    /// The error of a part with a game of another run.
    pub(crate) fn foreign(&self) -> StoredError {
        StoredError::Foreign(self.run.file(&self.part, "seats").place())
    }
}

/// A game of a part that is read.
#[derive(Clone, Copy, Debug)]
pub struct GameOfPart<'a> {
    /// Its index in the part.
    pub index: usize,
    /// Its row.
    pub row: &'a GameRow,
}

/// What is counted of one part. The methods are called table by table, and for each table game by game, in the order of
/// games. A game without rows in a table is not passed on.
pub trait PartTally: Sized + Send {
    /// The tables that it needs besides `games` and `seats`.
    fn needs(&self) -> Vec<DetailTable> {
        Vec::new()
    }

    /// The games of the part, before their rows in other tables.
    fn games(&mut self, _games: &[GameRow]) {}

    /// The rows of a game in the table `turns`.
    fn turns(&mut self, _game: GameOfPart<'_>, _rows: &[PowerTurn]) {}

    /// The rows of a game in the table `events`.
    fn events(&mut self, _game: GameOfPart<'_>, _rows: &[GameEvent]) {}

    /// The rows of a game in the table `topology`.
    fn maps(&mut self, _game: GameOfPart<'_>, _rows: &[MapState]) {}

    /// The rows of a game in the table `distances`.
    fn distances(&mut self, _game: GameOfPart<'_>, _rows: &[HomeDistance]) {}

    /// The games of the part, after all tables.
    ///
    /// # Errors
    /// The tables do not fit together, or do not fit the experiment.
    fn end(&mut self, _part: &RunPart<'_>, _games: &[GameRow]) -> Result<(), StoredError> {
        Ok(())
    }
}

/// What is computed from runs, part by part.
pub trait RunTally: Sync {
    /// What is counted of one part.
    type Part: PartTally;

    /// The count of a part, before it is read.
    fn new_part(&self, part: &RunPart<'_>) -> Self::Part;

    /// Adds what was counted of a part. Parts are added in their order.
    ///
    /// # Errors
    /// The part does not fit those before it, or not the experiment.
    fn add(&mut self, part: &RunPart<'_>, counted: Self::Part) -> Result<(), StoredError>;
}

/// Reads these parts on all threads, opening each file once, and adds them to a tally in their order. The result does
/// not depend on the number of threads.
///
/// # Errors
/// A table cannot be read, or the tables do not fit together.
pub(crate) fn read<'a, T: RunTally>(
    parts: impl IntoIterator<Item = RunPart<'a>>,
    tally: &mut T,
) -> Result<(), StoredError> {
    let parts: Vec<RunPart<'_>> = parts.into_iter().collect();
    // The parts that are read at once are added in their order before more are read.
    for parts in parts.chunks(AHEAD * rayon::current_num_threads()) {
        let read: Vec<T::Part> =
            parts.par_iter().map(|part| read_part(part, tally.new_part(part))).collect::<Result<_, _>>()?;
        parts.iter().zip(read).try_for_each(|(part, counted)| tally.add(part, counted))?;
    }
    Ok(())
}

/// Reads the files of a part.
fn read_part<T: PartTally>(part: &RunPart<'_>, mut tally: T) -> Result<T, StoredError> {
    let file = |table| part.run.file(&part.part, table);
    let powers = part.run.experiment.power_names();
    let games = reader::games(&file("games"), &file("seats"), powers)?;
    tally.games(&games);
    let needs = tally.needs();
    if needs.contains(&DetailTable::Turns) {
        rows_of(part, "turns", &games, TurnColumns, |game, rows| tally.turns(game, rows))?;
    }
    if needs.contains(&DetailTable::Events) {
        rows_of(part, "events", &games, EventColumns, |game, rows| tally.events(game, rows))?;
    }
    if needs.contains(&DetailTable::Topology) {
        rows_of(part, "topology", &games, MapColumns, |game, rows| tally.maps(game, rows))?;
    }
    if needs.contains(&DetailTable::Distances) {
        rows_of(part, "distances", &games, DistanceColumns, |game, rows| tally.distances(game, rows))?;
    }
    tally.end(part, &games)?;
    Ok(tally)
}

/// Passes on the rows of each game in a table, which has the same order of games as `games`.
fn rows_of<F: Fields>(
    part: &RunPart<'_>,
    table: &str,
    games: &[GameRow],
    columns: F,
    mut take: impl FnMut(GameOfPart<'_>, &[F::Row]),
) -> Result<(), StoredError> {
    let (mut next, mut stray) = (0, None);
    let file = part.run.file(&part.part, table);
    by_game(&file, part.run.experiment.power_names(), columns, |number, rows| {
        match games[next..].iter().position(|row| row.game == number) {
            Some(found) => {
                let index = next + found;
                next = index + 1;
                take(GameOfPart { index, row: &games[index] }, rows);
            }
            None => stray = Some(number),
        }
    })?;
    match stray {
        Some(game) => Err(part.damaged(table, format!("has game {game}, which is not in `games`"))),
        None => Ok(()),
    }
}

/// Rows as far as measures need them: each field is a column of the table.
macro_rules! rows {
    ($($(#[$about:meta])* $row:ident by $columns:ident of $table:ident: $of:ty {
        $($field:ident: $value:ty = $column:ident,)+
    })*) => {
        $($(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)] // as the columns of the table
        pub struct $row { $(pub $field: $value,)+ }

        struct $columns;
        impl Fields for $columns {
            type Table = $of;
            type Row = $row;
            fn names(&self) -> Vec<&'static str> {
                vec![$($table::$column.name),+]
            }
            fn rows(&self, columns: &reader::Columns<'_>) -> Result<Vec<$row>, String> {
                $(let mut $field = ($table::$column,).rows(columns)?.into_iter();)+
                let next = || Some($row { $($field: $field.next()?.0,)+ });
                Ok(std::iter::from_fn(next).collect())
            }
        })*
    };
}

rows! {
    /// A power after a turn.
    PowerTurn by TurnColumns of turns: TurnRow {
        year: u16 = YEAR, season: Season = SEASON, power: Power = POWER, centres: u8 = CENTRES, units: u8 = UNITS,
        holds: u8 = HOLDS, moves: u8 = MOVES, supports: u8 = SUPPORTS, convoys: u8 = CONVOYS, special: u8 = SPECIAL,
        choices: Option<f32> = CHOICES,
    }

    /// An event of a game.
    GameEvent by EventColumns of events: EventRow {
        year: u16 = YEAR, season: Season = SEASON, kind: EventKind = KIND, province: Option<Text> = PROVINCE,
        power: Option<Power> = POWER, other: Option<Power> = OTHER,
    }

    /// The map of a game after a turn.
    MapState by MapColumns of topology: TopologyRow {
        turn: u16 = TURN, year: u16 = YEAR, season: Season = SEASON, extant_centres: u16 = EXTANT_CENTRES,
        neutral_centres: u16 = NEUTRAL_CENTRES, land: u16 = LAND, sea: u16 = SEA, holes: u16 = HOLES, voids: u16 = VOIDS,
        islands: u16 = ISLANDS, coasts: u16 = COASTS, multi_coast: u16 = MULTI_COAST, borders: u16 = BORDERS,
        army_edges: u16 = ARMY_EDGES, army_components: u16 = ARMY_COMPONENTS, army_diameter: u16 = ARMY_DIAMETER,
        army_cut_vertices: u16 = ARMY_CUT_VERTICES, fleet_edges: u16 = FLEET_EDGES,
        fleet_components: u16 = FLEET_COMPONENTS, fleet_diameter: u16 = FLEET_DIAMETER,
        fleet_cut_vertices: u16 = FLEET_CUT_VERTICES,
    }

    /// A distance between the homes of two powers, from a turn on.
    HomeDistance by DistanceColumns of distances: DistanceRow {
        turn: u16 = TURN, power: Power = POWER, other: Power = OTHER, distance: Option<f32> = DISTANCE,
    }
}

impl PowerTurn {
    /// Its holds, moves, supports, convoys, and orders that only a variant has.
    pub(crate) fn orders(&self) -> [u8; 5] {
        [self.holds, self.moves, self.supports, self.convoys, self.special]
    }
}

/// Nothing is computed.
impl RunTally for () {
    type Part = ();

    fn new_part(&self, _: &RunPart<'_>) {}

    fn add(&mut self, _: &RunPart<'_>, (): ()) -> Result<(), StoredError> {
        Ok(())
    }
}

impl PartTally for () {}

/// Both are computed in the same pass.
impl<A: RunTally, B: RunTally> RunTally for (&mut A, &mut B) {
    type Part = (A::Part, B::Part);

    fn new_part(&self, part: &RunPart<'_>) -> Self::Part {
        (self.0.new_part(part), self.1.new_part(part))
    }

    fn add(&mut self, part: &RunPart<'_>, counted: Self::Part) -> Result<(), StoredError> {
        self.0.add(part, counted.0)?;
        self.1.add(part, counted.1)
    }
}

impl<A: PartTally, B: PartTally> PartTally for (A, B) {
    fn needs(&self) -> Vec<DetailTable> {
        [self.0.needs(), self.1.needs()].concat()
    }

    fn games(&mut self, games: &[GameRow]) {
        self.0.games(games);
        self.1.games(games);
    }

    fn turns(&mut self, game: GameOfPart<'_>, rows: &[PowerTurn]) {
        self.0.turns(game, rows);
        self.1.turns(game, rows);
    }

    fn events(&mut self, game: GameOfPart<'_>, rows: &[GameEvent]) {
        self.0.events(game, rows);
        self.1.events(game, rows);
    }

    fn maps(&mut self, game: GameOfPart<'_>, rows: &[MapState]) {
        self.0.maps(game, rows);
        self.1.maps(game, rows);
    }

    fn distances(&mut self, game: GameOfPart<'_>, rows: &[HomeDistance]) {
        self.0.distances(game, rows);
        self.1.distances(game, rows);
    }

    fn end(&mut self, part: &RunPart<'_>, games: &[GameRow]) -> Result<(), StoredError> {
        self.0.end(part, games)?;
        self.1.end(part, games)
    }
}

/// The games themselves.
impl PartTally for Vec<GameRow> {
    fn games(&mut self, games: &[GameRow]) {
        self.extend_from_slice(games);
    }
}

/// The faults of bots in the games.
impl RunTally for Faults {
    type Part = Faults;

    fn new_part(&self, _: &RunPart<'_>) -> Faults {
        Faults::default()
    }

    fn add(&mut self, _: &RunPart<'_>, counted: Faults) -> Result<(), StoredError> {
        self.merge(counted);
        Ok(())
    }
}

impl PartTally for Faults {
    fn games(&mut self, games: &[GameRow]) {
        games.iter().for_each(|game| self.add(game));
    }
}
