//! The one list of tables and columns. Arrow schemas, file metadata and `docs/schema.md` are derived from it.

use std::borrow::Cow;
use std::sync::Arc;

use upheaval_map::ids::{Power, PowerNames};
use upheaval_map::topology::{GraphMetrics, Metrics};

use super::column::{
    Column, ColumnValues, Fill, FillRuns, SweptColumn, SweptValue, TableFrame, TableRow, TableSchema, Word,
    Words,
};
use super::rows::{
    DistanceRow, EventRow, GameRow, GameRows, MapRow, OrderRow, SeatRow, TopologyRow, TurnRow,
};

const COUNT: &str = "count";
const NUMBER: &str = "number from 0";
const YEAR: &str = "game year";
const POWER: &str = "power";
const SEASON: &str = "S, F or W";
const HASH: &str = "64-bit hash";

const GAME: &str = "The game's number within its variant. With the partition's `variant` it is the key of \
                    the game in every table; the same number in another variant has the same seats and \
                    the same nature seed";

fn fill<R, T>(get: impl Fn(&R) -> T + Send + Sync + 'static) -> Fill<R, T> {
    Box::new(move |rows, values| values.extend(rows.iter().map(&get)))
}

fn u8<R>(get: impl Fn(&R) -> u8 + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::U8(fill(get))
}

fn u16<R>(get: impl Fn(&R) -> u16 + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::U16(fill(get))
}

fn u32<R>(get: impl Fn(&R) -> u32 + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::U32(fill(get))
}

fn hash<R>(get: impl Fn(&R) -> u64 + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::Hash(fill(get))
}

fn unique_hash<R>(get: impl Fn(&R) -> u64 + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::UniqueHash(fill(get))
}

fn optional_u16<R>(get: impl Fn(&R) -> Option<u16> + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::OptionalU16(fill(get))
}

fn optional_f32<R>(get: impl Fn(&R) -> Option<f32> + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::SharedOptionalF32(Box::new(move |rows, values| {
        rows.iter().for_each(|row| values.push(get(row), 1));
    }))
}

fn word<R, W: Word>(get: impl Fn(&R) -> W + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::Word(list::<W>(), fill(move |row| get(row).place()))
}

fn optional_word<R, W: Word>(get: impl Fn(&R) -> Option<W> + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::OptionalWord(list::<W>(), fill(move |row| get(row).map(W::place)))
}

fn list<W: Word>() -> Words {
    W::ALL.iter().map(|word| word.text().into()).collect()
}

fn power<R>(powers: &PowerNames, get: impl Fn(&R) -> Power + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::Word(names(powers), fill(move |row| get(row).index() as u8))
}

fn optional_power<R>(
    powers: &PowerNames,
    get: impl Fn(&R) -> Option<Power> + Send + Sync + 'static,
) -> ColumnValues<R> {
    ColumnValues::OptionalWord(names(powers), fill(move |row| get(row).map(|power| power.index() as u8)))
}

fn names(powers: &PowerNames) -> Words {
    powers.iter().map(|name| name.to_owned().into()).collect()
}

fn text<R>(get: impl Fn(&R) -> &str + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::Text(Box::new(get))
}

fn optional_text<R>(get: impl Fn(&R) -> Option<&str> + Send + Sync + 'static) -> ColumnValues<R> {
    ColumnValues::OptionalText(Box::new(get))
}

impl TableRow for GameRow {
    const TABLE: &'static str = "games";
    fn table(frame: &TableFrame) -> TableSchema<Self> {
        games(frame)
    }
    fn of(game: &GameRows) -> &[Self] {
        std::slice::from_ref(&game.game)
    }
}

fn games(frame: &TableFrame) -> TableSchema<GameRow> {
    let mut columns = vec![
        Column::new("game", NUMBER, GAME, u32(|r: &GameRow| r.game)),
        Column::new(
            "block",
            NUMBER,
            "Games of one block share the nature seed and differ only in line-up and rotation: means and \
             tests should work on blocks",
            u32(|r: &GameRow| r.block),
        ),
        Column::new(
            "line_up",
            NUMBER,
            "Which line-up plays, in the order of `experiment.resolved.json`; 0 in a run with one line-up",
            u16(|r: &GameRow| r.line_up),
        ),
        Column::new(
            "rotation",
            "seats",
            "The number of seats by which the line-up is rotated: the first power plays the line-up's entry of this number, \
             in the order of the block if seats are shuffled",
            u8(|r: &GameRow| r.rotation),
        ),
        Column::new(
            "end",
            "solo, draw, deserted, unfinished or stopped",
            "How the game ended; `draw`: the survivors share it after the last year, or all powers where none is \
             left and the variant says so, or in a game of people those that agreed on it; `deserted`: no power was \
             left who could win or share; `unfinished`: a game of people whose file ends before it was over; \
             `stopped`: the experiment's `stop` ended it, with a winner or a draw",
            word(|r: &GameRow| r.end),
        ),
        Column::new(
            "winner",
            POWER,
            "The power that won alone, or that was declared the winner of a stopped game; null without one",
            optional_power(&frame.power_names, |r: &GameRow| r.winner),
        ),
        Column::new(
            "draw_size",
            COUNT,
            "Powers that share the draw; 0 for a solo",
            u8(|r: &GameRow| r.draw_size),
        ),
        Column::new(
            "end_year",
            YEAR,
            "The year of the last phase played",
            u16(|r: &GameRow| r.last_phase.year),
        ),
        Column::new(
            "end_season",
            SEASON,
            "The season of the last phase played: spring, fall or winter",
            word(|r: &GameRow| r.last_phase.season),
        ),
        Column::new(
            "end_phase",
            PHASES,
            "The kind of the last phase played: movement, retreats, adjustments or seismic events",
            word(|r: &GameRow| r.last_phase.kind),
        ),
        Column::new("years", "game years", "Game years begun", u16(|r: &GameRow| r.years)),
        Column::new(
            "board_centres",
            COUNT,
            "Supply centres of the board before the game",
            u16(|r: &GameRow| r.board_centres),
        ),
        Column::new(
            "extant_centres",
            COUNT,
            "Supply centres that the map still has at the end, owned or not",
            u16(|r: &GameRow| r.extant_centres),
        ),
        Column::new(
            "centres_to_win",
            COUNT,
            "Supply centres that are a majority at the end; under `last-survivor` they win nothing",
            u16(|r: &GameRow| r.centres_to_win),
        ),
        Column::new(
            "holes",
            COUNT,
            "Provinces turned into holes during the game, including those that came back",
            u16(|r: &GameRow| r.holes),
        ),
        Column::new(
            "voided",
            COUNT,
            "Attempts at the game before this one that were void and played again, because a bot was at fault",
            u8(|r: &GameRow| r.voided),
        ),
        Column::new(
            "state_hash",
            HASH,
            "Hash of the final state: two runs of the same game agree on it",
            unique_hash(|r: &GameRow| r.state_hash),
        ),
        Column::new(
            "lead_changes",
            COUNT,
            "How often the lead, with more centres than any other at a year's count, passed to another power: \
             docs/measures.md",
            u8(|r: &GameRow| r.course.lead_changes),
        ),
        Column::new(
            "decided",
            YEAR,
            "The year from whose count on the winner, or else the leader at the end, leads at every count; null where \
             several have the most centres at the end",
            optional_u16(|r: &GameRow| r.course.decided),
        ),
        Column::new(
            "closeness",
            "share",
            "The centres of the second power divided by those of the first, as a mean over the years' counts; to three \
             digits",
            optional_f32(|r: &GameRow| r.course.closeness.map(|of| f32::from(of) / 1000.0)),
        ),
        Column::new(
            "drama",
            "root of a share",
            "By how much the winner, or else the leader at the end, was behind at the counts at which it was behind: the mean \
             root of the difference of shares of owned centres; 0 if it never was, null as `decided`; to three digits",
            optional_f32(|r: &GameRow| r.course.drama.map(|of| f32::from(of) / 1000.0)),
        ),
    ];
    columns.extend(frame.swept.iter().map(swept));
    TableSchema {
        name: GameRow::TABLE,
        about: "One row for each game, in the order of `game`. If the experiment sweeps parameters, a column for each \
                of them follows, named by its key in the variant file, such as `holes.per_season`: UInt32 if all of \
                its values are whole numbers, otherwise Utf8; null in the arms in which it is not swept.",
        columns,
    }
}

/// A swept parameter, which has one value in all rows.
fn swept(column: &SweptColumn) -> Column<GameRow> {
    let values = match &column.value {
        &SweptValue::Whole(value) => ColumnValues::SharedOptionalU32(Box::new(move |rows, values| {
            values.push(value, rows.len());
        })),
        SweptValue::Text(value) => {
            let (words, place) = (value.iter().cloned().map(Cow::Owned).collect(), value.as_ref().map(|_| 0));
            ColumnValues::OptionalWord(words, fill(move |_| place))
        }
    };
    let meaning =
        "The value that a sweep gave this parameter; null where the game's arm does not belong to the sweep";
    Column::new(column.parameter.clone(), "value of the parameter", meaning, values)
}

impl TableRow for SeatRow {
    const TABLE: &'static str = "seats";
    fn table(frame: &TableFrame) -> TableSchema<Self> {
        seats(&frame.power_names)
    }
    fn of(game: &GameRows) -> &[Self] {
        game.game.seats.rows()
    }
}

fn seats(powers: &PowerNames) -> TableSchema<SeatRow> {
    TableSchema {
        name: SeatRow::TABLE,
        about: "One row for each game and power, in this order: the outcome of the game for the power. With `winner`, \
                `board_centres` and `extant_centres` of `games` it has everything that a scoring system needs.",
        columns: vec![
            Column::new("game", NUMBER, GAME, u32(|r: &SeatRow| r.game)),
            Column::new("power", POWER, "The power", power(powers, |r: &SeatRow| r.power)),
            Column::new("bot", "bot", "The bot that played it", text(|r: &SeatRow| &r.bot)),
            Column::new(
                "outcome",
                "won, drew, survived, eliminated or forfeited",
                "The outcome for the power; `drew`: it shared, including a draw of all powers with none left; `eliminated`: \
                 neither unit nor centre left, or no power left to share; `forfeited`: its bot was at fault and lost all \
                 claims",
                word(|r: &SeatRow| r.outcome),
            ),
            Column::new(
                "place",
                "place from 1",
                "The winner before those that are there at the end, these by their centres, before the eliminated, later \
                 years first, before the forfeited; powers that are tied share the first of their places",
                u8(|r: &SeatRow| r.place),
            ),
            Column::new("centres", COUNT, "Supply centres at the end", u16(|r: &SeatRow| r.centres)),
            Column::new("units", COUNT, "Units at the end", u16(|r: &SeatRow| r.units)),
            Column::new(
                "eliminated_year",
                YEAR,
                "The year in which the power was eliminated; null if it was not, or came back; a power that is eliminated at the \
                 end has one, sharing in the draw or not",
                optional_u16(|r: &SeatRow| r.eliminated_year),
            ),
            Column::new(
                "fault",
                "ok, timeout, crash, stall, protocol or illegal",
                "The gravest fault of the power's bot in all attempts at the game; `ok`: none",
                word(|r: &SeatRow| r.fault),
            ),
            Column::new(
                "faults",
                COUNT,
                "Faults of the power's bot in all attempts at the game: refused orders, and replies that were late, \
                 unreadable or missing",
                u32(|r: &SeatRow| r.faults),
            ),
        ],
    }
}

const TURN: &str = "The turn within the game: 0 is the start, each season (S, F, W) adds 1";
const TURN_YEAR: &str = "The year of the season that ended; at turn 0 the year before the first";
const TURN_SEASON: &str = "The season that ended: S after the spring's moves, retreats and map events, F after \
                           the fall's and the count of centres, W after adjustments; at turn 0 W";

impl TableRow for TurnRow {
    const TABLE: &'static str = "turns";
    fn table(frame: &TableFrame) -> TableSchema<Self> {
        turns(&frame.power_names)
    }
    fn of(game: &GameRows) -> &[Self] {
        &game.turns
    }
}

fn turns(powers: &PowerNames) -> TableSchema<TurnRow> {
    TableSchema {
        name: TurnRow::TABLE,
        about: "One row for each game, turn and power, in this order: the state of the power at the end of the season. \
                Eliminated powers keep their rows, with zeros.",
        columns: vec![
            Column::new("game", NUMBER, GAME, u32(|r: &TurnRow| r.game)),
            Column::new("turn", NUMBER, TURN, u16(|r: &TurnRow| r.turn)),
            Column::new("year", YEAR, TURN_YEAR, u16(|r: &TurnRow| r.year)),
            Column::new("season", SEASON, TURN_SEASON, word(|r: &TurnRow| r.season)),
            Column::new("power", POWER, "The power", power(powers, |r: &TurnRow| r.power)),
            Column::new("centres", COUNT, "Supply centres owned", u8(|r: &TurnRow| r.centres)),
            Column::new(
                "home_centres",
                COUNT,
                "Supply centres owned that are home centres of the power itself",
                u8(|r: &TurnRow| r.home_centres),
            ),
            Column::new(
                "units",
                COUNT,
                "Units on the board: armies and fleets together",
                u8(|r: &TurnRow| r.armies.saturating_add(r.fleets)),
            ),
            Column::new(
                "armies",
                COUNT,
                "Armies on the board, including those aboard a fleet",
                u8(|r: &TurnRow| r.armies),
            ),
            Column::new("fleets", COUNT, "Fleets on the board", u8(|r: &TurnRow| r.fleets)),
            Column::new("built", COUNT, "Units built in the season", u8(|r: &TurnRow| r.built)),
            Column::new(
                "removed",
                COUNT,
                "Units removed in the season's adjustments",
                u8(|r: &TurnRow| r.removed),
            ),
            Column::new("dislodged", COUNT, "Units dislodged in the season", u8(|r: &TurnRow| r.dislodged)),
            Column::new(
                "lost",
                COUNT,
                "Units that left the board in the season without an adjustment: disbanded after being \
                 dislodged, destroyed by the map, or gone with a hole",
                u8(|r: &TurnRow| r.lost),
            ),
            Column::new(
                "gained",
                COUNT,
                "Units that came onto the board in the season without being built: doubled by a split, or returned with \
                 a hole",
                u8(|r: &TurnRow| r.gained),
            ),
            Column::new(
                "holds",
                COUNT,
                "Units that were ordered to hold in the season's movement, including those without a legal order",
                u8(|r: &TurnRow| r.holds),
            ),
            Column::new(
                "moves",
                COUNT,
                "Units that were ordered to move, including by convoy",
                u8(|r: &TurnRow| r.moves),
            ),
            Column::new(
                "supports",
                COUNT,
                "Units that were ordered to support a unit that stays, moves or lands",
                u8(|r: &TurnRow| r.supports),
            ),
            Column::new("convoys", COUNT, "Fleets that were ordered to convoy", u8(|r: &TurnRow| r.convoys)),
            Column::new(
                "special",
                COUNT,
                "Orders that only a variant has: armies that embark, land or become fleets, and seismic orders",
                u8(|r: &TurnRow| r.special),
            ),
            Column::new(
                "choices",
                "log10",
                "The logarithm of how many sets of legal orders the power could have given in the season's movement: the \
                 product over its units; to two digits. Null in seasons without movement, and unless the experiment \
                 says `log.choices = true`",
                optional_f32(|r: &TurnRow| r.choices.map(|of| f32::from(of) / 100.0)),
            ),
        ],
    }
}

impl TableRow for EventRow {
    const TABLE: &'static str = "events";
    fn table(frame: &TableFrame) -> TableSchema<Self> {
        events(&frame.power_names)
    }
    fn of(game: &GameRows) -> &[Self] {
        &game.events
    }
}

const PHASE_SEASON: &str = "The season of the phase: spring, fall or winter";
const PHASE: &str = "The kind of the phase: movement, retreats, adjustments or seismic events";
const PHASES: &str = "M, R, A or E";

fn events(powers: &PowerNames) -> TableSchema<EventRow> {
    TableSchema {
        name: EventRow::TABLE,
        about: "One row for each event, in the order of `game` and `sequence`.",
        columns: vec![
            Column::new("game", NUMBER, GAME, u32(|r: &EventRow| r.game)),
            Column::new(
                "sequence",
                NUMBER,
                "The event's number within its game",
                u32(|r: &EventRow| r.sequence),
            ),
            Column::new("year", YEAR, "The year of the phase", u16(|r: &EventRow| r.phase.year)),
            Column::new("season", SEASON, PHASE_SEASON, word(|r: &EventRow| r.phase.season)),
            Column::new("phase", PHASES, PHASE, word(|r: &EventRow| r.phase.kind)),
            Column::new(
                "kind",
                "kind of event",
                "The kind of event: see the list below",
                word(|r: &EventRow| r.kind),
            ),
            Column::new(
                "province",
                "province",
                "The province where it happened; null without one",
                optional_text(|r: &EventRow| r.province.as_deref()),
            ),
            Column::new(
                "power",
                POWER,
                "The power whose unit, centre or choice it was; null without one",
                optional_power(powers, |r: &EventRow| r.power),
            ),
            Column::new(
                "other",
                POWER,
                "The other power in it: of a `captured` centre its previous owner; null if there is none",
                optional_power(powers, |r: &EventRow| r.other),
            ),
            Column::new(
                "unit",
                "A or F",
                "The kind of unit in it; null if there is none",
                optional_word(|r: &EventRow| r.unit),
            ),
            Column::new(
                "detail",
                "text",
                "Details that the other columns have no place for",
                optional_text(|r: &EventRow| r.detail.as_deref()),
            ),
        ],
    }
}

impl TableRow for OrderRow {
    const TABLE: &'static str = "orders";
    fn table(frame: &TableFrame) -> TableSchema<Self> {
        orders(&frame.power_names)
    }
    fn of(game: &GameRows) -> &[Self] {
        &game.orders
    }
}

fn orders(powers: &PowerNames) -> TableSchema<OrderRow> {
    TableSchema {
        name: OrderRow::TABLE,
        about: "One row for each order, in the order of play; written if the experiment says `log.orders = true`, or \
                a bot is not declared to repeat its answers. A list of retreats that was sent with the orders is one \
                row: in phase M, as `void` without a reason, if it was not needed, otherwise in phase R. A refused \
                order has a row with its text as it was given, the result `illegal` and the reason. A power's refused \
                orders come before the orders that were settled in the phase, and the unit has another row for what \
                it did instead.",
        columns: vec![
            Column::new("game", NUMBER, GAME, u32(|r: &OrderRow| r.game)),
            Column::new("year", YEAR, "The year of the phase", u16(|r: &OrderRow| r.phase.year)),
            Column::new("season", SEASON, PHASE_SEASON, word(|r: &OrderRow| r.phase.season)),
            Column::new("phase", PHASES, PHASE, word(|r: &OrderRow| r.phase.kind)),
            Column::new("power", POWER, "Who gave the order", power(powers, |r: &OrderRow| r.power)),
            Column::new(
                "unit",
                "unit",
                "The unit, as in `A PAR`; null for an order to no unit, such as WAIVE, and for a text that cannot be read",
                optional_text(|r: &OrderRow| r.unit.as_deref()),
            ),
            Column::new(
                "order",
                "order",
                "The whole order, as in `A PAR - BUR`",
                text(|r: &OrderRow| &r.order),
            ),
            Column::new(
                "result",
                "result words",
                "`ok`, or why it failed: bounce, cut, dislodged, disrupted, no convoy, void, illegal, disband, \
                 overlap; several with a comma between them",
                text(|r: &OrderRow| &r.result),
            ),
            Column::new(
                "reason",
                "text",
                "The power or unit that made it fail, or why it was refused; null if it did not fail",
                optional_text(|r: &OrderRow| r.reason.as_deref()),
            ),
        ],
    }
}

impl TableRow for TopologyRow {
    const TABLE: &'static str = "topology";
    fn table(_: &TableFrame) -> TableSchema<Self> {
        topology()
    }
    fn of(game: &GameRows) -> &[Self] {
        &game.topology
    }
}

impl TableRow for MapRow {
    const TABLE: &'static str = "maps";
    fn table(_: &TableFrame) -> TableSchema<Self> {
        maps()
    }
    fn of(game: &GameRows) -> &[Self] {
        &game.maps
    }
}

/// A row with the measures of a map.
trait OfMap: 'static {
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

/// A column of a property of the map: computed once for all consecutive rows that share one.
fn of_map<R: OfMap, T: Copy + PartialEq + 'static>(
    get: impl Fn(&Metrics) -> T + Send + Sync + 'static,
) -> FillRuns<R, T> {
    Box::new(move |rows, values| {
        let one_map = |a: &R, b: &R| Arc::ptr_eq(a.map(), b.map());
        rows.chunk_by(one_map).for_each(|rows| values.push(get(rows[0].map()), rows.len()));
    })
}

fn maps() -> TableSchema<MapRow> {
    let mut columns = vec![
        Column::new("game", NUMBER, GAME, u32(|r: &MapRow| r.game)),
        Column::new(
            "turn",
            NUMBER,
            "The turn that the phase is part of, as in `topology`: its last row is the map of that row",
            u16(|r: &MapRow| r.turn),
        ),
        Column::new("year", YEAR, "The year of the phase", u16(|r: &MapRow| r.phase.year)),
        Column::new("season", SEASON, PHASE_SEASON, word(|r: &MapRow| r.phase.season)),
        Column::new("phase", PHASES, PHASE, word(|r: &MapRow| r.phase.kind)),
        Column::new(
            "events",
            COUNT,
            "Events of the game up to the end of the phase: those before this `sequence` in `events`",
            u32(|r: &MapRow| r.events),
        ),
        Column::new(
            "extant_centres",
            COUNT,
            "Supply centres that exist, owned or not",
            u16(|r: &MapRow| r.extant_centres),
        ),
        Column::new(
            "topology_hash",
            HASH,
            "Hash of the map, as in `topology`",
            hash(|r: &MapRow| r.topology_hash),
        ),
    ];
    columns.extend(face_columns());
    columns.extend(graph_columns());
    TableSchema {
        name: MapRow::TABLE,
        about: "One row for each phase that has changed the map: the map at the end of the phase, whereas `topology` \
                has the map at the end of the season. The table exists if the experiment says `log.maps = true`. A \
                game whose map never changes has no row.",
        columns,
    }
}

fn topology() -> TableSchema<TopologyRow> {
    let mut columns = vec![
        Column::new("game", NUMBER, GAME, u32(|r: &TopologyRow| r.game)),
        Column::new("turn", NUMBER, TURN, u16(|r: &TopologyRow| r.turn)),
        Column::new("year", YEAR, TURN_YEAR, u16(|r: &TopologyRow| r.year)),
        Column::new("season", SEASON, TURN_SEASON, word(|r: &TopologyRow| r.season)),
        Column::new(
            "extant_centres",
            COUNT,
            "Supply centres that exist, owned or not",
            u16(|r: &TopologyRow| r.extant_centres),
        ),
        Column::new(
            "owned_centres",
            COUNT,
            "Supply centres that exist and that a power owns",
            u16(|r: &TopologyRow| r.owned_centres),
        ),
        Column::new(
            "neutral_centres",
            COUNT,
            "Supply centres that exist without an owner: `extant_centres` minus `owned_centres`",
            u16(|r: &TopologyRow| r.extant_centres.saturating_sub(r.owned_centres)),
        ),
        Column::new(
            "topology_hash",
            HASH,
            "Hash of the map: equal for equal maps, in every run and game",
            hash(|r: &TopologyRow| r.topology_hash),
        ),
    ];
    columns.extend(face_columns());
    columns.extend(graph_columns());
    TableSchema {
        name: TopologyRow::TABLE,
        about: "One row for each game and turn: the map at the end of the season. Every face counts in one of `land`, \
                `sea`, `impassable`, `outside`, `holes` and `voids`.\n\
                \n\
                The nodes of the *army graph* are the land provinces that a unit can be in; its edges join those \
                between which an army can move. Convoys do not count. The nodes of the *fleet graph* are the seas and \
                the single coasts that a unit can be in (a land province with two coasts is two nodes, one without a \
                coast is none); its edges join those between which a fleet can move. A *piece* of a graph is a maximal \
                set of nodes that can all be reached from each other. The *diameter* is the greatest number of steps \
                that a shortest path takes; in a graph of several pieces it is the greatest within a piece. A *cut \
                vertex* is a node whose removal divides its piece.",
        columns,
    }
}

impl TableRow for DistanceRow {
    const TABLE: &'static str = "distances";
    fn table(frame: &TableFrame) -> TableSchema<Self> {
        distances(&frame.power_names)
    }
    fn of(game: &GameRows) -> &[Self] {
        &game.distances
    }
}

fn distances(powers: &PowerNames) -> TableSchema<DistanceRow> {
    TableSchema {
        name: DistanceRow::TABLE,
        about: "One row for each game, turn and pair of powers whose distance has changed since the turn before, in \
                this order; at turn 0 every pair has one. A distance holds until the next row of its pair.\n\
                \n\
                The *distance* of two powers is measured in the graph of all provinces that a unit can be in, with an \
                edge where an army can move or a fleet can move, from any coast. It is the least number of such steps \
                from a home centre of one power to a home centre of the other, regardless of units in between, as a \
                mean over all pairs of such centres. A home centre does not count while it is a hole or a void, or if \
                it sank. Pairs of centres without a path do not count.",
        columns: vec![
            Column::new("game", NUMBER, GAME, u32(|r: &DistanceRow| r.game)),
            Column::new("turn", NUMBER, TURN, u16(|r: &DistanceRow| r.turn)),
            Column::new(
                "power",
                POWER,
                "The first power of the pair",
                power(powers, |r: &DistanceRow| r.power),
            ),
            Column::new(
                "other",
                POWER,
                "The second power of the pair, after the first in the order of the powers",
                power(powers, |r: &DistanceRow| r.other),
            ),
            Column::new(
                "distance",
                "steps",
                "Their distance from the end of this turn on; null where no path is left",
                ColumnValues::SharedOptionalF32(Box::new(|rows: &[DistanceRow], values| {
                    rows.iter().for_each(|row| values.push(row.distance, 1));
                })),
            ),
        ],
    }
}

fn face_columns<R: OfMap>() -> Vec<Column<R>> {
    let count = |name: &'static str, meaning: &'static str, get: fn(&Metrics) -> u16| {
        Column::new(name, COUNT, meaning, ColumnValues::SharedU16(of_map(get)))
    };
    vec![
        count("land", "Land provinces that a unit can be in", |map| map.land),
        count("sea", "Sea provinces that a unit can be in", |map| map.sea),
        count("impassable", "Faces inside the board that nobody can enter, such as Switzerland", |map| {
            map.impassable
        }),
        count("outside", "Faces beyond the edge of the board", |map| map.outside),
        count("holes", "Faces that have collapsed: their neighbours meet", |map| map.holes),
        count("voids", "Faces that are void: no unit can pass", |map| map.voids),
        count("borders", "Borders of the underlying map, including those of holes", |map| map.borders),
        count("corners", "Corners of the underlying map, where borders meet", |map| map.corners),
        count("components", "Connected components of the net of borders", |map| map.components),
        count(
            "islands",
            "Parts of the board between which no unit can move by itself; 1 if it is connected",
            |map| map.islands,
        ),
        count("coasts", "Coasts of land provinces; each counts where a province has several", |map| {
            map.coasts
        }),
        count("multi_coast", "Provinces with several coasts", |map| map.multi_coast),
    ]
}

fn graph_columns<R: OfMap>() -> Vec<Column<R>> {
    type Graph = fn(&Metrics) -> &GraphMetrics;
    type Mean = fn(&Metrics) -> Option<f32>;
    let graphs: [(&str, Graph, Mean); 2] = [
        ("army", |map| &map.army, Metrics::army_mean_degree),
        ("fleet", |map| &map.fleet, Metrics::fleet_mean_degree),
    ];
    let mut columns = Vec::new();
    for (kind, graph, mean_degree) in graphs {
        let count = |suffix: &str, meaning: String, get: fn(&GraphMetrics) -> u16| {
            let values = ColumnValues::SharedU16(of_map(move |map| get(graph(map))));
            Column::new(format!("{kind}_{suffix}"), COUNT, meaning, values)
        };
        columns.push(count("edges", format!("Edges of the {kind} graph"), |graph| graph.edges));
        columns.push(count("components", format!("Pieces of the {kind} graph"), |graph| graph.components));
        columns.push(Column::new(
            format!("{kind}_mean_degree"),
            "edges",
            format!("Edges at a node of the {kind} graph on average; null where it has no nodes"),
            ColumnValues::SharedOptionalF32(of_map(mean_degree)),
        ));
        columns.push(count("diameter", format!("Diameter of the {kind} graph"), |graph| graph.diameter));
        let cut = format!("Cut vertices of the {kind} graph");
        columns.push(count("cut_vertices", cut, |graph| graph.cut_vertices));
    }
    columns
}
