//! The rows that a game produces, as plain structs. [`super::schema`] describes the meaning of each column.

use std::cmp::Reverse;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use super::course::Course;
use super::text::Text;
use upheaval_engine::rules::conduct::Conduct;
pub use upheaval_engine::rules::event::EventKind;
use upheaval_engine::rules::position::{Phase, Season};
use upheaval_engine::rules::victory::Finish;
use upheaval_map::ids::{Designation, Power, Powers};
use upheaval_map::topology::Metrics;

/// All rows of a game, in the order in which they are written.
#[derive(Clone, Debug)]
pub struct GameRows {
    /// The game's row in `games`, with its rows in `seats`.
    pub game: GameRow,
    /// Its rows in `turns`.
    pub turns: Vec<TurnRow>,
    /// Its rows in `topology`.
    pub topology: Vec<TopologyRow>,
    /// Its rows in `maps`; empty unless the experiment asks for them.
    pub maps: Vec<MapRow>,
    /// Its rows in `distances`.
    pub distances: Vec<DistanceRow>,
    /// Its rows in `events`.
    pub events: Vec<EventRow>,
    /// Its rows in `orders`; empty unless the experiment logs orders.
    pub orders: Vec<OrderRow>,
}

impl GameRows {
    /// Their memory in bytes, except for long texts.
    pub(crate) fn memory(&self) -> usize {
        let GameRows { game, turns, topology, maps, distances, events, orders } = self;
        size_of::<GameRows>()
            + size_of_val(game.seats.rows())
            + turns.capacity() * size_of::<TurnRow>()
            + topology.capacity() * size_of::<TopologyRow>()
            + maps.capacity() * size_of::<MapRow>()
            + distances.capacity() * size_of::<DistanceRow>()
            + events.capacity() * size_of::<EventRow>()
            + orders.capacity() * size_of::<OrderRow>()
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum GameEnd {
    /// One power reached the centres it takes to win.
    Solo,
    /// The last year was over: a draw of the survivors (rules.md 3.3). In games of people: they agreed on one.
    Draw,
    /// No power was left that could win or share.
    Deserted,
    /// It is not over: a game of people whose file ends early.
    Unfinished,
    /// The experiment's rule about decided games stopped it.
    Stopped,
}

impl GameEnd {
    /// All ways to end, in the order of tables.
    pub const ALL: [GameEnd; 5] =
        [GameEnd::Solo, GameEnd::Draw, GameEnd::Deserted, GameEnd::Unfinished, GameEnd::Stopped];

    /// The end of a game that this power wins alone, or else these share.
    pub(crate) const fn of(winner: Option<Power>, draw: &[Power]) -> GameEnd {
        match (winner, draw) {
            (Some(_), _) => GameEnd::Solo,
            (None, []) => GameEnd::Deserted,
            (None, _) => GameEnd::Draw,
        }
    }

    /// The word in the `end` column.
    pub const fn name(self) -> &'static str {
        match self {
            GameEnd::Solo => "solo",
            GameEnd::Draw => "draw",
            GameEnd::Deserted => "deserted",
            GameEnd::Unfinished => "unfinished",
            GameEnd::Stopped => "stopped",
        }
    }
}

/// The outcome of a game for one power.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum SeatOutcome {
    /// Won alone.
    Won,
    /// Shared a draw.
    Drew,
    /// Still in play while another won, or outside of the draw.
    Survived,
    /// Neither unit nor centre left, and no share in a draw; or no power is left to win or share.
    Eliminated,
    /// Its bot was at fault and the experiment's policy is that it forfeits: it neither wins nor shares.
    Forfeited,
}

impl SeatOutcome {
    /// The word in the `outcome` column.
    pub const fn name(self) -> &'static str {
        match self {
            SeatOutcome::Won => "won",
            SeatOutcome::Drew => "drew",
            SeatOutcome::Survived => "survived",
            SeatOutcome::Eliminated => "eliminated",
            SeatOutcome::Forfeited => "forfeited",
        }
    }
}

/// The state of one power at the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    /// The game's number within its variant.
    pub game: u32,
    /// The power.
    pub power: Power,
    /// The bot that played it; shared, because the games of a run have few bots.
    pub bot: Arc<str>,
    /// Its outcome.
    pub outcome: SeatOutcome,
    /// Its place among the powers, from 1 ([`upheaval_engine::rules::victory`]).
    pub place: u8,
    /// Supply centres owned at the end.
    pub centres: u16,
    /// Units at the end.
    pub units: u16,
    /// The year in which the power was eliminated.
    pub eliminated_year: Option<u16>,
    /// The gravest fault of the bot in all attempts at the game.
    pub fault: Conduct,
    /// The number of faults in all attempts: each refused order, each late or missing reply.
    pub faults: u32,
}

/// The seats of a game: one for each power of its board, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRows {
    powers: Powers,
    rows: Box<[SeatRow]>,
}

impl SeatRows {
    /// The seats of a board from a function of the power.
    pub fn from_fn(powers: Powers, f: impl FnMut(Power) -> SeatRow) -> SeatRows {
        SeatRows { powers, rows: powers.iter().map(f).collect() }
    }

    /// These rows, if they are the seats of a board's powers in order.
    pub(crate) fn of_rows(powers: Powers, rows: Vec<SeatRow>) -> Option<SeatRows> {
        powers.iter().eq(rows.iter().map(|row| row.power)).then(|| SeatRows { powers, rows: rows.into() })
    }

    /// The powers of the board.
    pub fn powers(&self) -> Powers {
        self.powers
    }

    /// The rows in the order of the powers.
    pub fn rows(&self) -> &[SeatRow] {
        &self.rows
    }

    /// The powers with their seats, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Power, &SeatRow)> + Clone {
        self.rows.iter().map(|seat| (seat.power, seat))
    }

    /// The powers with their seats, mutable, in order.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (Power, &mut SeatRow)> {
        self.rows.iter_mut().map(|seat| (seat.power, seat))
    }
}

/// The seat of a power of the same board.
impl Index<Power> for SeatRows {
    type Output = SeatRow;
    fn index(&self, power: Power) -> &SeatRow {
        &self.rows[power.index()]
    }
}

impl IndexMut<Power> for SeatRows {
    fn index_mut(&mut self, power: Power) -> &mut SeatRow {
        &mut self.rows[power.index()]
    }
}

impl SeatRow {
    /// Is the power eliminated? It is if it has neither unit nor centre at the end, whatever its outcome: in a tie of
    /// all powers each shares in the draw, and each is eliminated (rules.md 4.13).
    pub fn is_out(&self) -> bool {
        self.outcome == SeatOutcome::Eliminated || (self.units == 0 && self.centres == 0)
    }

    /// Its finish, which determines its place.
    pub fn finish(&self) -> Finish {
        match (self.outcome, self.eliminated_year) {
            (SeatOutcome::Won, _) => Finish::Won,
            (SeatOutcome::Forfeited, _) => Finish::Forfeited,
            (SeatOutcome::Eliminated, year) => Finish::Fell(Reverse(year.unwrap_or(0))),
            (SeatOutcome::Drew | SeatOutcome::Survived, _) => Finish::Stood(Reverse(self.centres)),
        }
    }
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// The game's number within its variant.
    pub game: u32,
    /// Its block: games that share one nature.
    pub block: u32,
    /// Which of the run's line-ups plays.
    pub line_up: u16,
    /// Which rotation of the line-up it is.
    pub rotation: u8,
    /// How it ended.
    pub end: GameEnd,
    /// The power that won alone.
    pub winner: Option<Power>,
    /// How many powers shared the draw; 0 for a solo.
    pub draw_size: u8,
    /// The last phase that was played.
    pub last_phase: Phase,
    /// Game years begun.
    pub years: u16,
    /// Supply centres of the board before the game.
    pub board_centres: u16,
    /// Supply centres that the map still has at the end.
    pub extant_centres: u16,
    /// Supply centres that would have won at the end.
    pub centres_to_win: u16,
    /// Provinces that were turned into holes, including those that came back.
    pub holes: u16,
    /// How often the game was void and started again before this attempt.
    pub voided: u8,
    /// Hash of the final state.
    pub state_hash: u64,
    /// Its course.
    pub course: Course,
    /// Its outcome for each power.
    pub seats: SeatRows,
}

impl GameRow {
    /// Could it have gone differently on a slower or faster machine, because a bot was late or silent for too long?
    /// This includes a bot that broke the protocol, since the reader waits for the end of an unfinished line.
    pub fn hangs_on_time(&self) -> bool {
        self.seats
            .iter()
            .any(|(_, seat)| matches!(seat.fault, Conduct::Timeout | Conduct::Stall | Conduct::Protocol))
    }
}

/// One power at the end of one season.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnRow {
    /// The game's number within its variant.
    pub game: u32,
    /// The turn: 0 is the start of the game, given as the Winter before it; each season adds 1.
    pub turn: u16,
    /// The year.
    pub year: u16,
    /// The season that ended.
    pub season: Season,
    /// The power.
    pub power: Power,
    /// Supply centres owned.
    pub centres: u8,
    /// Of these, its own home centres.
    pub home_centres: u8,
    /// Armies on the board, including those aboard fleets.
    pub armies: u8,
    /// Fleets on the board.
    pub fleets: u8,
    /// Units built in the season.
    pub built: u8,
    /// Units removed in adjustments of the season.
    pub removed: u8,
    /// Units dislodged in the season.
    pub dislodged: u8,
    /// Units lost without being removed by choice: disbanded in retreat, destroyed by the map, or lost with a hole.
    pub lost: u8,
    /// Units gained without being built: by a split, or returned with a hole.
    pub gained: u8,
    /// Units ordered to hold in the season's movement, including those without an order.
    pub holds: u8,
    /// Units ordered to move.
    pub moves: u8,
    /// Units ordered to support.
    pub supports: u8,
    /// Units ordered to convoy.
    pub convoys: u8,
    /// Orders that only a variant has.
    pub special: u8,
    /// The log10 of the number of joint orders that the power could have given in the season's movement, in hundredths;
    /// `None` where they are not counted, or there was no movement.
    pub choices: Option<u16>,
}

impl TurnRow {
    /// A row of zeros.
    pub fn blank(power: Power) -> TurnRow {
        TurnRow {
            game: 0,
            turn: 0,
            year: 0,
            season: Season::Winter,
            power,
            centres: 0,
            home_centres: 0,
            armies: 0,
            fleets: 0,
            built: 0,
            removed: 0,
            dislodged: 0,
            lost: 0,
            gained: 0,
            holds: 0,
            moves: 0,
            supports: 0,
            convoys: 0,
            special: 0,
            choices: None,
        }
    }
}

/// The map after a phase that has changed it.
#[derive(Clone, PartialEq, Debug)]
pub struct MapRow {
    /// The game's number within its variant.
    pub game: u32,
    /// The turn that the phase is part of.
    pub turn: u16,
    /// The phase.
    pub phase: Phase,
    /// How many events of the game there are up to the end of the phase.
    pub events: u32,
    /// Supply centres that exist.
    pub extant_centres: u16,
    /// Hash of the map.
    pub topology_hash: u64,
    /// What follows from the map.
    pub map: Arc<Metrics>,
}

/// The map at the end of one season.
#[derive(Clone, PartialEq, Debug)]
pub struct TopologyRow {
    /// The game's number within its variant.
    pub game: u32,
    /// The turn, as in [`TurnRow`].
    pub turn: u16,
    /// The year.
    pub year: u16,
    /// The season that ended.
    pub season: Season,
    /// Supply centres that still exist.
    pub extant_centres: u16,
    /// The number of these that a power owns.
    pub owned_centres: u16,
    /// Hash of the map.
    pub topology_hash: u64,
    /// The properties of the map alone. Rows of one map share it.
    pub map: Arc<Metrics>,
}

/// The distance between the homes of two powers since the end of a season: at the start, and whenever the map has
/// changed it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DistanceRow {
    /// The game's number within its variant.
    pub game: u32,
    /// The turn, as in [`TurnRow`].
    pub turn: u16,
    /// The first power of the pair.
    pub power: Power,
    /// The second, which is after the first in the order of the powers.
    pub other: Power,
    /// The mean number of steps from a home centre of the first power to one of the other; `None` where no path is
    /// left.
    pub distance: Option<f32>,
}

/// An event of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// The game's number within its variant.
    pub game: u32,
    /// The event's number within its game, from 0.
    pub sequence: u32,
    /// The phase in which it happened.
    pub phase: Phase,
    /// The kind of event.
    pub kind: EventKind,
    /// The province.
    pub province: Option<Text>,
    /// The power that it happened to, or that caused it.
    pub power: Option<Power>,
    /// The other power involved.
    pub other: Option<Power>,
    /// The kind of unit involved.
    pub unit: Option<Designation>,
    /// Details without a column of their own.
    pub detail: Option<Text>,
}

/// The result of an order that was refused.
pub(crate) const REFUSED: &str = "illegal";

/// One order and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRow {
    /// The game's number within its variant.
    pub game: u32,
    /// The phase that it was given in.
    pub phase: Phase,
    /// The power that gave it.
    pub power: Power,
    /// The unit: `A PAR`; `None` for an order to no unit.
    pub unit: Option<Text>,
    /// The whole order: `A PAR - BUR`.
    pub order: Text,
    /// The result words, separated by commas.
    pub result: Text,
    /// Why it failed.
    pub reason: Option<Text>,
}
