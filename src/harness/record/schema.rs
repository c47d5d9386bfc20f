//! The one list of tables and columns. Arrow schemas, file metadata and `docs/schema.md` are derived from it.

mod maps;

use std::borrow::Cow;

use super::column::{Column, ColumnValues, Fill, TableRow, TableSchema, Words};
use super::frame::{SweptColumn, SweptValue, TableFrame};
use super::rows::{EventRow, GameRow, GameRows, OrderRow, SeatRow, TurnRow};
use super::word::Word;
use upheaval_map::ids::{Power, PowerNames};

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
