//! The one list of tables and columns. Arrow schemas, the fields that readers name, and `docs/schema.md` are derived
//! from it: the comment of a table or column is its meaning in all of these.
//!
//! ```text
//! /// The place of the power.                                             the meaning
//! PLACE "place": u8, "place from 1", UInt8 |r| r.place;
//! └ field  └ name └ type for readers  └ unit    └── how rows fill it ──┘
//! ```

use std::borrow::Cow;
use std::sync::Arc;

use arrow_schema::DataType;
use upheaval_engine::rules::conduct::Conduct;
use upheaval_engine::rules::position::{PhaseKind, Season};
use upheaval_map::ids::{Designation, Power, PowerNames};
use upheaval_map::topology::Metrics;
use upheaval_pages::{Number, Runs, Width};

use super::column::{
    Column, ColumnPiece, ColumnValues, Encoding, SweptColumn, SweptValue, TableFrame, TableRow, TableSchema,
    Word, count,
};
use super::reader::columns::Field;
use super::rows::{
    DistanceRow, EventKind, EventRow, GameEnd, GameRow, GameRows, MapRow, OrderRow, SeatOutcome, SeatRow,
    Text, TopologyRow, TurnRow,
};

const COUNT: &str = "count";
const NUMBER: &str = "number from 0";
const YEAR: &str = "game year";
const POWER: &str = "power";
const SEASON: &str = "S, F or W";
const PHASES: &str = "M, R, A or E";
const HASH: &str = "64-bit hash";

fn column(
    form: (DataType, bool),
    encoding: Encoding,
    fill: impl for<'a> Fn(&'a [GameRows]) -> ColumnPiece<'a> + Send + Sync + 'static,
) -> ColumnValues {
    ColumnValues { form, encoding, fill: Box::new(fill) }
}

fn values<R: TableRow, T: 'static>(
    get: impl Fn(&R) -> T + Send + Sync + 'static,
) -> impl Fn(&[GameRows]) -> Vec<T> + Send + Sync + 'static {
    move |games| {
        let mut values = Vec::with_capacity(count::<R>(games));
        games.iter().for_each(|game| values.extend(R::of(game).iter().map(&get)));
        values
    }
}

fn numbers<R: TableRow, T: Number>(
    form: (DataType, bool),
    encoding: Encoding,
    get: impl Fn(&R) -> T + Send + Sync + 'static,
) -> ColumnValues {
    let values = values(get);
    column(form, encoding, move |games| ColumnPiece::Numbers(Box::new(values(games))))
}

fn optional_u16<R: TableRow>(get: impl Fn(&R) -> Option<u16> + Send + Sync + 'static) -> ColumnValues {
    numbers((DataType::UInt16, true), Encoding::Numbers(Width::OfBits), get)
}

fn optional_f32<R: TableRow>(get: impl Fn(&R) -> Option<f32> + Send + Sync + 'static) -> ColumnValues {
    column((DataType::Float32, true), Encoding::Floats, move |games| {
        let mut values = Runs::default();
        games.iter().flat_map(R::of).for_each(|row| values.push(get(row), 1));
        ColumnPiece::Floats(values)
    })
}

fn word<R: TableRow, W: Word>(get: impl Fn(&R) -> W + Send + Sync + 'static) -> ColumnValues {
    numbers((DataType::Utf8, false), list::<W>(), move |row| get(row).place())
}

fn optional_word<R: TableRow, W: Word>(
    get: impl Fn(&R) -> Option<W> + Send + Sync + 'static,
) -> ColumnValues {
    numbers((DataType::Utf8, true), list::<W>(), move |row| get(row).map(W::place))
}

fn list<W: Word>() -> Encoding {
    Encoding::Words(W::ALL.iter().map(|word| word.text().into()).collect())
}

fn power<R: TableRow>(
    powers: &PowerNames,
    get: impl Fn(&R) -> Power + Send + Sync + 'static,
) -> ColumnValues {
    numbers((DataType::Utf8, false), names(powers), move |row| get(row).index() as u8)
}

fn optional_power<R: TableRow>(
    powers: &PowerNames,
    get: impl Fn(&R) -> Option<Power> + Send + Sync + 'static,
) -> ColumnValues {
    numbers((DataType::Utf8, true), names(powers), move |row| get(row).map(|power| power.index() as u8))
}

fn names(powers: &PowerNames) -> Encoding {
    Encoding::Words(powers.iter().map(|name| name.to_owned().into()).collect())
}

fn text<R: TableRow>(get: impl Fn(&R) -> &str + Send + Sync + 'static) -> ColumnValues {
    column((DataType::Utf8, false), Encoding::Texts, move |games| {
        ColumnPiece::Texts(games.iter().flat_map(R::of).map(|row| Some(get(row))).collect())
    })
}

fn optional_text<R: TableRow>(get: impl Fn(&R) -> Option<&str> + Send + Sync + 'static) -> ColumnValues {
    column((DataType::Utf8, true), Encoding::Texts, move |games| {
        ColumnPiece::Texts(games.iter().flat_map(R::of).map(&get).collect())
    })
}

fn hash<R: TableRow>(encoding: Encoding, get: impl Fn(&R) -> u64 + Send + Sync + 'static) -> ColumnValues {
    let values = values(get);
    column((DataType::UInt64, false), encoding, move |games| ColumnPiece::Hashes(values(games)))
}

/// A row with the measures of a map.
trait OfMap: TableRow {
    /// What follows from the map.
    fn map(&self) -> &Arc<Metrics>;
}

impl OfMap for TopologyRow {
    fn map(&self) -> &Arc<Metrics> {
        &self.map
    }
}

impl OfMap for MapRow {
    fn map(&self) -> &Arc<Metrics> {
        &self.map
    }
}

/// A property of the map: computed once for all consecutive rows that share one.
fn of_map<R: OfMap, T: Copy + PartialEq>(get: impl Fn(&R) -> T, games: &[GameRows]) -> Runs<T> {
    let mut values = Runs::default();
    let one_map = |a: &R, b: &R| Arc::ptr_eq(a.map(), b.map());
    let rows = games.iter().flat_map(|game| R::of(game).chunk_by(one_map));
    rows.for_each(|rows| values.push(get(&rows[0]), rows.len()));
    values
}

fn map_u16<R: OfMap>(get: impl Fn(&R) -> u16 + Send + Sync + 'static) -> ColumnValues {
    let encoding = Encoding::Numbers(Width::OfBytes);
    column((DataType::UInt16, false), encoding, move |games| {
        ColumnPiece::Numbers(Box::new(of_map(&get, games)))
    })
}

fn map_f32<R: OfMap>(get: impl Fn(&R) -> Option<f32> + Send + Sync + 'static) -> ColumnValues {
    column((DataType::Float32, true), Encoding::Floats, move |games| ColumnPiece::Floats(of_map(&get, games)))
}

/// The text of a comment: without the spaces around its lines, and the full stop at its end.
fn prose(comment: &'static str) -> &'static str {
    comment.trim().trim_end_matches('.')
}

/// Declares a table, or columns that several tables share. After `..` columns come that are made elsewhere.
macro_rules! table {
    (@values $filled:ty, $kind:ident |$r:ident| $get:expr) => {
        numbers((DataType::$kind, false), Encoding::Numbers(Width::OfBits), |$r: &$filled| $get)
    };
    (@values $filled:ty, $make:ident($($powers:expr)?) |$r:ident| $get:expr) => {
        $make($($powers,)? |$r: &$filled| $get)
    };
    (
        $(#[doc = $about:literal])*
        $table:ident of $row:ty, |$game:ident| $rows:expr, |$frame:ident| {
            $($column:tt)*
        }
    ) => {
        impl TableRow for $row {
            const TABLE: &'static str = stringify!($table);
            fn table(frame: &TableFrame) -> TableSchema {
                let about = concat!($($about, "\n"),*);
                TableSchema { name: Self::TABLE, about, columns: $table(frame), rows: count::<Self> }
            }
            fn of($game: &GameRows) -> &[Self] {
                $rows
            }
        }
        table! {
            $(#[doc = $about])*
            $table<> of $row as $row, |$frame| {
                /// The game's number within its variant. With the partition's `variant`, it is the key of the game in
                /// every table. The game with this number in another variant has the same seats and the same nature
                /// seed.
                GAME "game": u32, NUMBER, UInt32 |r| r.game;
                $($column)*
            }
        }
    };
    (
        $(#[doc = $about:literal])*
        $table:ident<$($any:ident: $bound:ident)?> of $row:ty as $filled:ty, |$frame:ident| {
            $(
                $(#[doc = $meaning:literal])*
                $field:ident $name:literal: $value:ty, $unit:expr,
                    $kind:ident $(($($powers:expr)?))? |$r:ident| $get:expr;
            )*
            $(.. $more:expr;)?
        }
    ) => {
        $(#[doc = $about])*
        pub mod $table {
            use super::*;
            $(
                $(#[doc = $meaning])*
                pub const $field: Field<$row, $value> = Field::new($name);
            )*

            /// Reads every column.
            #[cfg(test)]
            pub(in crate::record) fn read_all(columns: &crate::record::reader::Columns<'_>) -> Result<(), String> {
                $(columns.get::<$value>($name)?;)*
                Ok(())
            }
        }

        fn $table<$($any: $bound)?>($frame: &TableFrame) -> Vec<Column> {
            let columns = [$(Column {
                name: Cow::Borrowed($name),
                unit: $unit,
                meaning: prose(concat!($($meaning),*)),
                values: table!(@values $filled, $kind $(($($powers)?))? |$r| $get),
            }),*];
            columns.into_iter()$(.chain($more))?.collect()
        }
    };
}

table! {
    /// One row for each game, in the order of `game`. If the experiment sweeps parameters, a column for each of them
    /// follows. It is named by its key in the variant file, such as `changes.holes.count`. Its type is UInt32 if all of
    /// its values are whole numbers, otherwise Utf8. It is null in the arms that do not sweep the parameter.
    games of GameRow, |game| std::slice::from_ref(&game.game), |frame| {
        /// Games of one block share the nature seed and differ only in line-up and rotation: compute means and tests
        /// over blocks.
        BLOCK "block": u32, NUMBER, UInt32 |r| r.block;
        /// The line-up that plays, by its place in `experiment.resolved.json`; 0 in a run with one line-up.
        LINE_UP "line_up": u16, NUMBER, UInt16 |r| r.line_up;
        /// The number of seats by which the line-up is rotated: the first power plays the line-up's entry with this
        /// number, in the order of the block if seats are shuffled.
        ROTATION "rotation": u8, "seats", UInt8 |r| r.rotation;
        /// How the game ended; `draw`: the survivors share it after the last year, or all powers if none is left and
        /// the variant says so, or in a game of people the powers that agreed on it; `deserted`: no power was left that
        /// could win or share; `unfinished`: the file of a game of people ends before the game was over; `stopped`: the
        /// experiment's `stop` ended it, with a winner or a draw.
        END "end": GameEnd, "solo, draw, deserted, unfinished or stopped", word() |r| r.end;
        /// The power that won a solo, or that was declared the winner of a stopped game; null if there is none.
        WINNER "winner": Option<Power>, POWER, optional_power(&frame.power_names) |r| r.winner;
        /// Powers that share the draw; 0 for a solo.
        DRAW_SIZE "draw_size": u8, COUNT, UInt8 |r| r.draw_size;
        /// The year of the last phase that was played.
        END_YEAR "end_year": u16, YEAR, UInt16 |r| r.last_phase.year;
        /// The season of the last phase that was played: spring, fall or winter.
        END_SEASON "end_season": Season, SEASON, word() |r| r.last_phase.season;
        /// The kind of the last phase that was played: movement, retreats, adjustments or seismic events.
        END_PHASE "end_phase": PhaseKind, PHASES, word() |r| r.last_phase.kind;
        /// Game years that have begun.
        YEARS "years": u16, "game years", UInt16 |r| r.years;
        /// Supply centres of the board before the game.
        BOARD_CENTRES "board_centres": u16, COUNT, UInt16 |r| r.board_centres;
        /// Supply centres that the map still has at the end, owned or not.
        EXTANT_CENTRES "extant_centres": u16, COUNT, UInt16 |r| r.extant_centres;
        /// Supply centres that are a majority at the end; under `last-survivor` a majority does not win.
        CENTRES_TO_WIN "centres_to_win": u16, COUNT, UInt16 |r| r.centres_to_win;
        /// Provinces turned into holes during the game, including those that came back.
        HOLES "holes": u16, COUNT, UInt16 |r| r.holes;
        /// Earlier attempts at the game that were void because a bot was at fault, and were played again.
        VOIDED "voided": u8, COUNT, UInt8 |r| r.voided;
        /// Hash of the final state; every run of the same game has the same hash.
        STATE_HASH "state_hash": u64, HASH, hash(Encoding::UniqueHashes) |r| r.state_hash;
        /// How often the lead passed to another power; a power leads if it has more centres than any other at a year's
        /// count: docs/measures.md.
        LEAD_CHANGES "lead_changes": u8, COUNT, UInt8 |r| r.course.lead_changes;
        /// The first year from which the winner, or otherwise the leader at the end, leads at every count; null if
        /// several powers have the most centres at the end.
        DECIDED "decided": Option<u16>, YEAR, optional_u16() |r| r.course.decided;
        /// The centres of the second power divided by those of the first, as a mean over the years' counts, to three
        /// digits.
        CLOSENESS "closeness": Option<f32>, "share",
            optional_f32() |r| r.course.closeness.map(|of| f32::from(of) / 1000.0);
        /// How far the winner, or otherwise the leader at the end, was behind, as a mean over the counts at which it
        /// was behind: the square root of the difference between the shares of owned centres, to three digits; 0 if it
        /// never was behind, null if `decided` is null.
        DRAMA "drama": Option<f32>, "root of a share",
            optional_f32() |r| r.course.drama.map(|of| f32::from(of) / 1000.0);
        ..frame.swept.iter().map(swept);
    }
}

/// A swept parameter, which has one value in all rows.
fn swept(swept: &SweptColumn) -> Column {
    let values = match &swept.value {
        &SweptValue::Whole(value) => {
            let encoding = Encoding::Numbers(Width::OfBytes);
            column((DataType::UInt32, true), encoding, move |games| {
                let mut values = Runs::default();
                values.push(value, count::<GameRow>(games));
                ColumnPiece::Numbers(Box::new(values))
            })
        }
        SweptValue::Text(value) => {
            let words = Encoding::Words(value.iter().cloned().map(Cow::Owned).collect());
            let place = value.as_ref().map(|_| 0_u8);
            numbers((DataType::Utf8, true), words, move |_: &GameRow| place)
        }
    };
    Column {
        name: Cow::Owned(swept.parameter.clone()),
        unit: "value of the parameter",
        meaning: "The value that a sweep gave this parameter; null if the game's arm is not part of the sweep",
        values,
    }
}

table! {
    /// One row for each game and power, in this order: the outcome of the game for the power. With `winner`,
    /// `board_centres` and `extant_centres` of `games`, it has everything that a scoring system needs.
    seats of SeatRow, |game| game.game.seats.rows(), |frame| {
        /// The power.
        POWER "power": Power, POWER, power(&frame.power_names) |r| r.power;
        /// The bot that played it.
        BOT "bot": Arc<str>, "bot", text() |r| &r.bot;
        /// The outcome for the power; `drew`: it shared, possibly in a draw of all powers with none left; `eliminated`:
        /// it has neither unit nor centre left, or no power is left to share; `forfeited`: its bot was at fault, and it
        /// lost all claims.
        OUTCOME "outcome": SeatOutcome, "won, drew, survived, eliminated or forfeited", word() |r| r.outcome;
        /// The winner comes first, then the powers that are left at the end, by their centres, then the eliminated
        /// ones, later years first, then the forfeited ones; powers that are tied share the first of their places.
        PLACE "place": u8, "place from 1", UInt8 |r| r.place;
        /// Supply centres at the end.
        CENTRES "centres": u16, COUNT, UInt16 |r| r.centres;
        /// Units at the end.
        UNITS "units": u16, COUNT, UInt16 |r| r.units;
        /// The year in which the power was eliminated; null if it was not, or if it came back. A power that is
        /// eliminated at the end has a year, even if it shares in the draw.
        ELIMINATED_YEAR "eliminated_year": Option<u16>, YEAR, optional_u16() |r| r.eliminated_year;
        /// The gravest fault of the power's bot in all attempts at the game; `ok`: none.
        FAULT "fault": Conduct, "ok, timeout, crash, stall, protocol or illegal", word() |r| r.fault;
        /// Faults of the power's bot in all attempts at the game: refused orders, and replies that were late,
        /// unreadable or missing.
        FAULTS "faults": u32, COUNT, UInt32 |r| r.faults;
    }
}

table! {
    /// One row for each game, turn and power, in this order: the state of the power at the end of the season.
    /// Eliminated powers keep their rows, with zeros.
    turns of TurnRow, |game| &game.turns, |frame| {
        /// The turn within the game: 0 is the start, and each season (S, F, W) adds 1.
        TURN "turn": u16, NUMBER, UInt16 |r| r.turn;
        /// The year of the season that ended; at turn 0 the year before the first.
        YEAR "year": u16, YEAR, UInt16 |r| r.year;
        /// The season that ended: S after the spring's moves, retreats and map events, F after the fall's and the count
        /// of centres, W after adjustments; at turn 0 W.
        SEASON "season": Season, SEASON, word() |r| r.season;
        /// The power.
        POWER "power": Power, POWER, power(&frame.power_names) |r| r.power;
        /// Supply centres owned.
        CENTRES "centres": u8, COUNT, UInt8 |r| r.counts.centres;
        /// Supply centres owned that are home centres of the power itself.
        HOME_CENTRES "home_centres": u8, COUNT, UInt8 |r| r.counts.home_centres;
        /// Units on the board: armies and fleets together.
        UNITS "units": u8, COUNT, UInt8 |r| r.counts.armies.saturating_add(r.counts.fleets);
        /// Armies on the board, including those aboard a fleet.
        ARMIES "armies": u8, COUNT, UInt8 |r| r.counts.armies;
        /// Fleets on the board.
        FLEETS "fleets": u8, COUNT, UInt8 |r| r.counts.fleets;
        /// Units built in the season.
        BUILT "built": u8, COUNT, UInt8 |r| r.counts.built;
        /// Units removed in the season's adjustments.
        REMOVED "removed": u8, COUNT, UInt8 |r| r.counts.removed;
        /// Units dislodged in the season.
        DISLODGED "dislodged": u8, COUNT, UInt8 |r| r.counts.dislodged;
        /// Units that left the board in the season without an adjustment: disbanded after being dislodged, destroyed by
        /// the map, or gone with a hole.
        LOST "lost": u8, COUNT, UInt8 |r| r.counts.lost;
        /// Units that came onto the board in the season without being built: doubled by a split, or returned with a
        /// hole.
        GAINED "gained": u8, COUNT, UInt8 |r| r.counts.gained;
        /// Units that were ordered to hold in the season's movement, including those without a legal order.
        HOLDS "holds": u8, COUNT, UInt8 |r| r.counts.holds;
        /// Units that were ordered to move, including by convoy.
        MOVES "moves": u8, COUNT, UInt8 |r| r.counts.moves;
        /// Units that were ordered to support a unit that stays, moves or lands.
        SUPPORTS "supports": u8, COUNT, UInt8 |r| r.counts.supports;
        /// Fleets that were ordered to convoy.
        CONVOYS "convoys": u8, COUNT, UInt8 |r| r.counts.convoys;
        /// Orders that only a variant has: armies that embark, land or become fleets, and seismic orders.
        SPECIAL "special": u8, COUNT, UInt8 |r| r.counts.special;
        /// The logarithm of the number of sets of legal orders that the power could have given in the season's
        /// movement: the product over its units, to two digits. Null in seasons without movement, and unless the
        /// experiment sets `log.choices = true`.
        CHOICES "choices": Option<f32>, "log10", optional_f32() |r| r.counts.choices.map(|of| f32::from(of) / 100.0);
    }
}

table! {
    /// One row for each game and turn: the map at the end of the season. Every face counts in one of `land`, `sea`,
    /// `impassable`, `outside`, `holes` and `voids`; ice counts as land.
    ///
    /// The nodes of the *army graph* are the land provinces that a unit can be in; its edges join the provinces between
    /// which an army can move. Convoys do not count. The nodes of the *fleet graph* are the seas and the single coasts
    /// that a unit can be in: a land province with two coasts is two nodes, one without a coast is none. Its edges join
    /// the nodes between which a fleet can move. A *piece* of a graph is a maximal set of nodes that can all be reached
    /// from each other. The *diameter* is the greatest number of steps that a shortest path takes; in a graph of
    /// several pieces it is the greatest within a piece. A *cut vertex* is a node whose removal divides its piece.
    topology of TopologyRow, |game| &game.topology, |frame| {
        /// The turn, as in `turns`.
        TURN "turn": u16, NUMBER, UInt16 |r| r.turn;
        /// The year, as in `turns`.
        YEAR "year": u16, YEAR, UInt16 |r| r.year;
        /// The season, as in `turns`.
        SEASON "season": Season, SEASON, word() |r| r.season;
        /// Supply centres that exist, owned or not.
        EXTANT_CENTRES "extant_centres": u16, COUNT, UInt16 |r| r.extant_centres;
        /// Supply centres that exist and that a power owns.
        OWNED_CENTRES "owned_centres": u16, COUNT, UInt16 |r| r.owned_centres;
        /// Supply centres that exist without an owner: `extant_centres` minus `owned_centres`.
        NEUTRAL_CENTRES "neutral_centres": u16, COUNT, UInt16 |r| r.extant_centres.saturating_sub(r.owned_centres);
        /// Hash of the map: equal for equal maps, in every run and game.
        TOPOLOGY_HASH "topology_hash": u64, HASH, hash(Encoding::Hashes) |r| r.topology_hash;
        ..metrics::<TopologyRow>(frame);
    }
}

table! {
    /// The columns of `topology` and `maps` that follow from the map.
    metrics<R: OfMap> of TopologyRow as R, |_frame| {
        /// Land provinces that a unit can be in.
        LAND "land": u16, COUNT, map_u16() |r| r.map().land;
        /// Sea provinces that a unit can be in.
        SEA "sea": u16, COUNT, map_u16() |r| r.map().sea;
        /// Faces inside the board that no unit can enter, such as Switzerland.
        IMPASSABLE "impassable": u16, COUNT, map_u16() |r| r.map().impassable;
        /// Faces beyond the edge of the board.
        OUTSIDE "outside": u16, COUNT, map_u16() |r| r.map().outside;
        /// Faces that have collapsed: their neighbours meet.
        HOLES "holes": u16, COUNT, map_u16() |r| r.map().holes;
        /// Faces that are void: no unit can pass.
        VOIDS "voids": u16, COUNT, map_u16() |r| r.map().voids;
        /// Borders of the underlying map, including those of holes.
        BORDERS "borders": u16, COUNT, map_u16() |r| r.map().borders;
        /// Corners of the underlying map, where borders meet.
        CORNERS "corners": u16, COUNT, map_u16() |r| r.map().corners;
        /// Connected components of the net of borders.
        COMPONENTS "components": u16, COUNT, map_u16() |r| r.map().components;
        /// Parts of the board between which no unit can move by itself; 1 if the board is connected.
        ISLANDS "islands": u16, COUNT, map_u16() |r| r.map().islands;
        /// Coasts of land provinces; if a province has several, each counts.
        COASTS "coasts": u16, COUNT, map_u16() |r| r.map().coasts;
        /// Provinces with several coasts.
        MULTI_COAST "multi_coast": u16, COUNT, map_u16() |r| r.map().multi_coast;
        /// Edges of the army graph.
        ARMY_EDGES "army_edges": u16, COUNT, map_u16() |r| r.map().army.edges;
        /// Pieces of the army graph.
        ARMY_COMPONENTS "army_components": u16, COUNT, map_u16() |r| r.map().army.components;
        /// Mean number of edges at a node of the army graph; null if it has no nodes.
        ARMY_MEAN_DEGREE "army_mean_degree": Option<f32>, "edges", map_f32() |r| r.map().army_mean_degree();
        /// Diameter of the army graph.
        ARMY_DIAMETER "army_diameter": u16, COUNT, map_u16() |r| r.map().army.diameter;
        /// Cut vertices of the army graph.
        ARMY_CUT_VERTICES "army_cut_vertices": u16, COUNT, map_u16() |r| r.map().army.cut_vertices;
        /// Edges of the fleet graph.
        FLEET_EDGES "fleet_edges": u16, COUNT, map_u16() |r| r.map().fleet.edges;
        /// Pieces of the fleet graph.
        FLEET_COMPONENTS "fleet_components": u16, COUNT, map_u16() |r| r.map().fleet.components;
        /// Mean number of edges at a node of the fleet graph; null if it has no nodes.
        FLEET_MEAN_DEGREE "fleet_mean_degree": Option<f32>, "edges", map_f32() |r| r.map().fleet_mean_degree();
        /// Diameter of the fleet graph.
        FLEET_DIAMETER "fleet_diameter": u16, COUNT, map_u16() |r| r.map().fleet.diameter;
        /// Cut vertices of the fleet graph.
        FLEET_CUT_VERTICES "fleet_cut_vertices": u16, COUNT, map_u16() |r| r.map().fleet.cut_vertices;
    }
}

table! {
    /// One row for each game, turn and pair of powers whose distance has changed since the turn before, in this order;
    /// at turn 0 every pair has one. A distance holds until the next row of its pair.
    ///
    /// The *distance* of two powers is measured in the graph of all provinces that a unit can be in, with an edge where
    /// an army can move or a fleet can move, from any coast. It is the least number of such steps from a home centre of
    /// one power to a home centre of the other, regardless of units in between, as a mean over all pairs of such
    /// centres. A home centre does not count while it is a hole or a void, or if it sank. Pairs of centres without a
    /// path do not count.
    distances of DistanceRow, |game| &game.distances, |frame| {
        /// The turn, as in `turns`.
        TURN "turn": u16, NUMBER, UInt16 |r| r.turn;
        /// The first power of the pair.
        POWER "power": Power, POWER, power(&frame.power_names) |r| r.power;
        /// The second power of the pair, after the first in the order of the powers.
        OTHER "other": Power, POWER, power(&frame.power_names) |r| r.other;
        /// Their distance from the end of this turn on; null if no path is left.
        DISTANCE "distance": Option<f32>, "steps", optional_f32() |r| r.distance;
    }
}

table! {
    /// One row for each event, in the order of `game` and `sequence`.
    events of EventRow, |game| &game.events, |frame| {
        /// The event's number within its game.
        SEQUENCE "sequence": u32, NUMBER, UInt32 |r| r.sequence;
        /// The year of the phase.
        YEAR "year": u16, YEAR, UInt16 |r| r.phase.year;
        /// The season of the phase: spring, fall or winter.
        SEASON "season": Season, SEASON, word() |r| r.phase.season;
        /// The kind of the phase: movement, retreats, adjustments or seismic events.
        PHASE "phase": PhaseKind, PHASES, word() |r| r.phase.kind;
        /// The kind of event: see the list below.
        KIND "kind": EventKind, "kind of event", word() |r| r.kind;
        /// The province where it happened; null if there is none.
        PROVINCE "province": Option<Text>, "province", optional_text() |r| r.province.as_deref();
        /// The power that owned the unit or centre, or that made the choice; null if there is none.
        POWER "power": Option<Power>, POWER, optional_power(&frame.power_names) |r| r.power;
        /// The other power involved: the previous owner of a `captured` centre; null if there is none.
        OTHER "other": Option<Power>, POWER, optional_power(&frame.power_names) |r| r.other;
        /// The kind of unit involved; null if there is none.
        UNIT "unit": Option<Designation>, "A or F", optional_word() |r| r.unit;
        /// Details that no other column has.
        DETAIL "detail": Option<Text>, "text", optional_text() |r| r.detail.as_deref();
    }
}

table! {
    /// One row for each order, in the order of play. The table exists if the experiment sets `log.orders = true`, or if
    /// a bot is not declared to repeat its answers. A list of retreats that was sent with the orders is one row: in
    /// phase M, as `void` without a reason, if it was not needed, otherwise in phase R. A refused order has a row with
    /// its text as it was given, the result `illegal` and the reason. A power's refused orders come before the orders
    /// that were settled in the phase, and the unit has another row for the order that was settled instead.
    orders of OrderRow, |game| &game.orders, |frame| {
        /// The year of the phase.
        YEAR "year": u16, YEAR, UInt16 |r| r.phase.year;
        /// The season of the phase: spring, fall or winter.
        SEASON "season": Season, SEASON, word() |r| r.phase.season;
        /// The kind of the phase: movement, retreats, adjustments or seismic events.
        PHASE "phase": PhaseKind, PHASES, word() |r| r.phase.kind;
        /// The power that gave the order.
        POWER "power": Power, POWER, power(&frame.power_names) |r| r.power;
        /// The unit, as in `A PAR`; null for an order to no unit, such as WAIVE, and for a text that cannot be read.
        UNIT "unit": Option<Text>, "unit", optional_text() |r| r.unit.as_deref();
        /// The whole order, as in `A PAR - BUR`.
        ORDER "order": Text, "order", text() |r| &r.order;
        /// `ok`, or why it failed: bounce, cut, dislodged, disrupted, no convoy, void, illegal, disband, overlap;
        /// several words have commas between them.
        RESULT "result": Text, "result words", text() |r| &r.result;
        /// The power or unit that made it fail, or why it was refused; null if it did not fail.
        REASON "reason": Option<Text>, "text", optional_text() |r| r.reason.as_deref();
    }
}

table! {
    /// One row for each phase that has changed the map: the map at the end of the phase, whereas `topology` has the map
    /// at the end of the season. The table exists if the experiment sets `log.maps = true`. A game without changes of
    /// the map has no row.
    maps of MapRow, |game| &game.maps, |frame| {
        /// The turn that the phase is part of: the last row of a turn has the map of its row in `topology`.
        TURN "turn": u16, NUMBER, UInt16 |r| r.turn;
        /// The year of the phase.
        YEAR "year": u16, YEAR, UInt16 |r| r.phase.year;
        /// The season of the phase: spring, fall or winter.
        SEASON "season": Season, SEASON, word() |r| r.phase.season;
        /// The kind of the phase: movement, retreats, adjustments or seismic events.
        PHASE "phase": PhaseKind, PHASES, word() |r| r.phase.kind;
        /// Events of the game up to the end of the phase: the events with a smaller `sequence` in `events`.
        EVENTS "events": u32, COUNT, UInt32 |r| r.events;
        /// Supply centres that exist, owned or not.
        EXTANT_CENTRES "extant_centres": u16, COUNT, UInt16 |r| r.extant_centres;
        /// Hash of the map, as in `topology`.
        TOPOLOGY_HASH "topology_hash": u64, HASH, hash(Encoding::Hashes) |r| r.topology_hash;
        ..metrics::<MapRow>(frame);
    }
}
