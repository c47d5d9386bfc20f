//! The rows that a game produces, as plain structs. [`super::schema`] describes the meaning of each column.
//! [`LeadHistory`] says how often the lead changed, when it was decided, how close and how dramatic it was.
//!
//! All of it is computed from the counts of centres, one for each year: the count after the Fall, or in a year without
//! a Fall the count of its last season. The start position is not a count. A power *leads* at a count if it has more
//! centres than any other; if several powers have the most, no power leads. The power *on top* is the winner of a solo,
//! else the power that leads at the last count.
//!
//! The measures are those of C. Browne's thesis (*Automatic Generation and Evaluation of Recombination Games*,
//! Queensland University of Technology 2008), adapted to several powers: the powers' shares of the owned centres
//! replace two players' estimated chances, and the counts replace moves. docs/measures.md describes the effect.

use std::cmp::Reverse;
use std::fmt;
use std::fmt::Write;
use std::ops::{Deref, Index, IndexMut};
use std::sync::Arc;

use arrayvec::ArrayString;
use upheaval_engine::rules::conduct::Conduct;
use upheaval_engine::rules::position::{Phase, Season};
use upheaval_engine::rules::victory::Finish;
use upheaval_map::ids::{Designation, Power, Powers};
use upheaval_map::named;
use upheaval_map::topology::Metrics;

pub use upheaval_engine::rules::event::EventKind;

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

named! {
    /// How a game ended.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum GameEnd {
        /// One power reached the centres it takes to win.
        Solo = "solo",
        /// The last year was over: a draw of the survivors (rules.md 3.3). In games of people: they agreed on one.
        Draw = "draw",
        /// No power was left that could win or share.
        Deserted = "deserted",
        /// It is not over: a game of people whose file ends early.
        Unfinished = "unfinished",
        /// The experiment's rule about decided games stopped it.
        Stopped = "stopped",
    }
}

impl GameEnd {
    /// The end of a game that this power wins alone, or else these share.
    pub(crate) const fn of(winner: Option<Power>, draw: &[Power]) -> GameEnd {
        match (winner, draw) {
            (Some(_), _) => GameEnd::Solo,
            (None, []) => GameEnd::Deserted,
            (None, _) => GameEnd::Draw,
        }
    }
}

named! {
    /// The outcome of a game for one power.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum SeatOutcome {
        /// Won alone.
        Won = "won",
        /// Shared a draw.
        Drew = "drew",
        /// Still in play while another won, or outside of the draw.
        Survived = "survived",
        /// Neither unit nor centre left, and no share in a draw; or no power is left to win or share.
        Eliminated = "eliminated",
        /// Its bot was at fault and the experiment's policy is that it forfeits: it neither wins nor shares.
        Forfeited = "forfeited",
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
    pub course: LeadHistory,
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
    /// What it has, and what has happened to it.
    pub counts: TurnCounts,
}

/// What a power has at the end of a season, and what has happened to it in the season.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TurnCounts {
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

/// The course of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeadHistory {
    /// How often the lead passed to another power.
    pub lead_changes: u8,
    /// The year from whose count on the power on top leads at every count; the year of the last count where it does not
    /// lead even then. `None` where no power is on top.
    pub decided: Option<u16>,
    /// The centres of the second power divided by those of the first, in thousandths, as a mean over the counts; `None`
    /// without a count.
    pub closeness: Option<u16>,
    /// The mean of √(how much the largest share exceeds its own) over the counts at which the power on top has fewer
    /// centres than another, in thousandths; 0 if there is no such count. `None` where no power is on top.
    pub drama: Option<u16>,
}

/// The power in the lead, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lead {
    /// The power with more centres than any other.
    pub power: Power,
    /// How many it has.
    pub first: u16,
    /// How many the next power has.
    pub second: u16,
}

/// The power in the lead, given the centres of the powers; `None` if several have the most, or no power has any.
pub(crate) fn lead(centres: impl Iterator<Item = (Power, u16)>) -> Option<Lead> {
    first(centres).filter(|lead| lead.first > lead.second)
}

/// The first power that has the most centres.
fn first(centres: impl Iterator<Item = (Power, u16)>) -> Option<Lead> {
    let mut best: Option<Lead> = None;
    for (power, count) in centres {
        match &mut best {
            Some(lead) if count <= lead.first => lead.second = lead.second.max(count),
            _ => best = Some(Lead { power, first: count, second: best.map_or(0, |lead| lead.first) }),
        }
    }
    best
}

fn centres(rows: &[TurnRow]) -> impl Iterator<Item = (Power, u16)> {
    rows.iter().map(|row| (row.power, row.counts.centres.into()))
}

impl LeadHistory {
    /// The course of a game with these rows of `turns`, won by this power alone, if there is a winner.
    pub(crate) fn of(rows: &[TurnRow], winner: Option<Power>) -> LeadHistory {
        let counts = counts(rows);
        if counts.is_empty() {
            return LeadHistory::default();
        }
        let leads: Vec<Option<Lead>> = counts.iter().map(|rows| lead(centres(rows))).collect();
        let on_top = winner.or_else(|| leads.last().copied().flatten().map(|lead| lead.power));
        let leaders = leads.iter().flatten().map(|lead| lead.power);
        let lead_changes =
            leaders.clone().zip(leaders.skip(1)).filter(|(before, after)| before != after).count();
        let decided = on_top.and_then(|power| {
            let since = leads.iter().rposition(|lead| lead.is_none_or(|lead| lead.power != power));
            let from = since.map_or(0, |last| last + 1).min(counts.len().checked_sub(1)?);
            counts[from].first().map(|row| row.year)
        });
        LeadHistory {
            lead_changes: u8::try_from(lead_changes).unwrap_or(u8::MAX),
            decided,
            closeness: mean(counts.iter().filter_map(|rows| closeness(rows))),
            drama: on_top
                .map(|power| mean(counts.iter().filter_map(|rows| behind(rows, power))).unwrap_or(0)),
        }
    }
}

/// The rows of each year's count.
fn counts(rows: &[TurnRow]) -> Vec<&[TurnRow]> {
    let played = rows.iter().position(|row| row.turn > 0).map_or(&rows[..0], |first| &rows[first..]);
    let years = played.chunk_by(|a, b| a.year == b.year);
    let count = |year: &&'_ [TurnRow]| -> Option<(usize, usize)> {
        let season = match year.iter().any(|row| row.season == Season::Fall) {
            true => Season::Fall,
            false => year.last()?.season,
        };
        let first = year.iter().position(|row| row.season == season)?;
        Some((first, first + year[first..].iter().take_while(|row| row.season == season).count()))
    };
    years.filter_map(|year| count(&year).map(|(first, end)| &year[first..end])).collect()
}

/// The centres of the second power divided by those of the first.
fn closeness(rows: &[TurnRow]) -> Option<f64> {
    let Lead { first, second, .. } = first(centres(rows)).filter(|lead| lead.first > 0)?;
    Some(f64::from(second) / f64::from(first))
}

/// The drama of a power that is behind another.
fn behind(rows: &[TurnRow], power: Power) -> Option<f64> {
    let owned: u32 = rows.iter().map(|row| u32::from(row.counts.centres)).sum();
    let most = rows.iter().map(|row| row.counts.centres).max()?;
    let own = rows.iter().find(|row| row.power == power)?.counts.centres;
    (own < most).then(|| (f64::from(most - own) / f64::from(owned)).sqrt())
}

/// The mean in thousandths.
fn mean(values: impl Iterator<Item = f64>) -> Option<u16> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| (1000.0 * sum / f64::from(count)).round() as u16)
}

/// The longest text that is stored in the row itself: `from BUR.1.2` and `A PAR - BUR` are.
const SHORT: usize = 16;

/// The longest text for which one formatting pass suffices.
const USUAL: usize = 96;

/// A text in a row. Nearly all texts are short and stored in the row itself: a text of every event must not require a
/// heap allocation.
#[derive(Clone, PartialEq, Eq)]
pub struct Text(Kept);

#[derive(Clone, PartialEq, Eq)]
enum Kept {
    /// A short text.
    Here(ArrayString<SHORT>),
    /// A long text.
    Elsewhere(Box<str>),
}

impl Text {
    /// The formatted value.
    pub(crate) fn of(value: impl fmt::Display) -> Text {
        let mut text = ArrayString::<USUAL>::new();
        match write!(text, "{value}") {
            Ok(()) => Text::from(&*text),
            Err(fmt::Error) => Text(Kept::Elsewhere(value.to_string().into_boxed_str())),
        }
    }
}

/// Parts, concatenated. Formatting them would give the same text at three times the cost.
impl From<&[&str]> for Text {
    fn from(parts: &[&str]) -> Text {
        if parts.iter().map(|part| part.len()).sum::<usize>() > SHORT {
            return Text(Kept::Elsewhere(parts.concat().into_boxed_str()));
        }
        let mut short = ArrayString::new();
        parts.iter().for_each(|part| short.push_str(part));
        Text(Kept::Here(short))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(ArrayString::from(text).map_or_else(|_| Kept::Elsewhere(text.into()), Kept::Here))
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        match &self.0 {
            Kept::Here(text) => text,
            Kept::Elsewhere(text) => text,
        }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod course_tests {
    use super::*;
    use upheaval_map::ids::Powers;

    /// A game in which three powers have these centres after each Fall, and the others none.
    fn game(years: &[[u8; 3]]) -> Vec<TurnRow> {
        let start = (0, 1900, Season::Winter, [3, 3, 4]);
        let season = |(i, centres): (usize, &[u8; 3])| {
            let (turn, year) = (i as u16 * 3, 1901 + i as u16);
            // Centres between the counts do not matter.
            [(Season::Spring, [9, 0, 0]), (Season::Fall, *centres), (Season::Winter, [0, 9, 0])]
                .into_iter()
                .zip(turn + 1..)
                .map(move |((season, centres), turn)| (turn, year, season, centres))
        };
        let seasons = [start].into_iter().chain(years.iter().enumerate().flat_map(season));
        seasons
            .flat_map(|(turn, year, season, centres)| {
                Powers::STANDARD.iter().map(move |power| {
                    let centres = centres.get(power.index()).copied().unwrap_or(0);
                    let counts = TurnCounts { centres, ..TurnCounts::default() };
                    TurnRow { game: 0, turn, year, season, power, counts }
                })
            })
            .collect()
    }

    #[test]
    fn the_lead_changes_where_another_leads_than_the_last_that_did() {
        let of = |years: &[[u8; 3]]| LeadHistory::of(&game(years), None).lead_changes;
        assert_eq!(of(&[[5, 4, 3], [6, 4, 3]]), 0);
        // With a tie no power leads, and after it the same power leads again.
        assert_eq!(of(&[[5, 4, 3], [5, 5, 3], [6, 5, 3]]), 0);
        assert_eq!(of(&[[5, 4, 3], [5, 5, 3], [5, 6, 3], [7, 6, 3]]), 2);
    }

    #[test]
    fn a_game_is_decided_when_nobody_takes_the_lead_any_more() {
        let of = |years: &[[u8; 3]], winner| LeadHistory::of(&game(years), winner).decided;
        assert_eq!(of(&[[5, 4, 3], [4, 5, 3], [4, 6, 3]], None), Some(1902));
        assert_eq!(of(&[[5, 4, 3], [6, 5, 3]], Some(Power::AUSTRIA)), Some(1901));
        // A power that ties for the lead at the end is not on top.
        assert_eq!(of(&[[5, 4, 3], [5, 5, 3]], None), None);
        // A winner without the most centres is decided at the last count.
        assert_eq!(of(&[[5, 4, 3], [5, 5, 3]], Some(Power::ENGLAND)), Some(1902));
        assert_eq!(LeadHistory::of(&game(&[]), None), LeadHistory::default());
    }

    #[test]
    fn close_games_have_a_second_near_the_first() {
        let of = |years: &[[u8; 3]]| LeadHistory::of(&game(years), None).closeness;
        assert_eq!(of(&[[5, 5, 3]]), Some(1000));
        assert_eq!(of(&[[8, 4, 2], [10, 10, 0], [10, 0, 0]]), Some(500));
    }

    #[test]
    fn a_winner_that_came_from_behind_is_drama() {
        let of = |years: &[[u8; 3]]| LeadHistory::of(&game(years), None).drama;
        assert_eq!(of(&[[8, 4, 4], [9, 4, 3]]), Some(0));
        // (8 − 4)/16 is ¼, whose root is ½.
        assert_eq!(of(&[[4, 8, 4], [9, 4, 3]]), Some(500));
        assert_eq!(of(&[[4, 8, 4], [8, 8, 0], [9, 4, 3]]), Some(500));
        assert_eq!(of(&[[8, 8, 0]]), None);
    }
}

#[cfg(test)]
mod text_tests {
    use super::*;

    #[test]
    fn a_text_is_what_was_written_however_long() {
        for length in 0..2 * USUAL {
            let text = "Ä".repeat(length / 2) + &"x".repeat(length % 2);
            assert_eq!(*Text::of(&text), *text);
            assert_eq!(Text::of(&text), Text::from(&*text));
            assert_eq!(Text::of(format_args!("a {text}")), Text::from(["a ", &*text].as_slice()));
        }
        assert!(size_of::<Option<Text>>() <= 24);
    }
}
