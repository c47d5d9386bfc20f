//! The interface of bots: a bot is shown an [`Observation`] and answers what it is asked. It sees nothing else, and its
//! answers are checked before they count.

mod kind;

use std::any::Any;
use std::collections::BTreeMap;

use crate::game::Game;
use crate::rules::position::Phase;
use crate::rules::settlement::SettledOrder;
use crate::rules::variant::Variant;
use upheaval_map::ids::Power;
use upheaval_map::rng::Stream;
use upheaval_map::topology::MapEvent;

pub use crate::ask::{Answer, Ask, Faculty, Handicap, Imagined, Observation, RetreatChoice, Retreating};
pub use crate::bot::kind::{
    BotKind, BotMaker, BotSetting, Guest, LearnedWeights, Pace, Program, ProgramKind, Repeats, Tuning,
};
pub use crate::rules::conduct::{Conduct, RefusedOrder};
pub use crate::rules::decision::Decision;

/// Information about a game that begins, for bots that cannot look it up.
#[derive(Clone, Copy)]
pub struct Brief<'a> {
    /// The id of the game, unique within a run.
    pub game: &'a str,
    /// The rules.
    pub variant: &'a Variant,
    /// The last year to be played.
    pub last_year: u16,
}

/// The fault in a bot's last answer, if it is of a kind that the game itself cannot detect.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BotFault {
    /// The fault of the program; never [`Conduct::Illegal`], which follows from the orders below.
    pub conduct: Conduct,
    /// Orders that could not be read or followed.
    pub refused: Vec<RefusedOrder>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<'a> {
    /// One power won.
    Solo(Power),
    /// These powers share a draw; empty if no power is left.
    Draw(&'a [Power]),
}

/// A player of one power. One is created for each seat and thread, and plays many games in sequence.
///
/// `dice` is the seat's own stream, and in an experiment a different one in each stage: a bot that uses no
/// other randomness plays the same game again from the same seed.
///
/// ```
/// use upheaval_engine::prelude::*;
///
/// /// Orders at random, and leaves everything else to the rules.
/// struct Restless;
///
/// impl Bot for Restless {
///     fn decide(&mut self, _: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
///         if let Ask::Movement(_) = ask {
///             answer.draw(dice);
///         }
///     }
/// }
/// ```
///
/// A bot that wraps another one says so ([`Bot::inner`]), and has only the methods in which it differs:
///
/// ```
/// use upheaval_engine::prelude::*;
///
/// /// Plays as another bot, and holds in the first year.
/// struct Late(Box<dyn Bot>);
///
/// impl Bot for Late {
///     fn inner(&mut self) -> Option<&mut dyn Bot> {
///         Some(&mut *self.0)
///     }
///
///     fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
///         if seen.phase.year > 1901 {
///             self.0.decide(seen, ask, dice, answer);
///         }
///     }
/// }
/// ```
pub trait Bot: Send {
    /// Answers a question. The rules decide whatever the answer leaves open.
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        if let Some(inner) = self.inner() {
            inner.decide(seen, ask, dice, answer);
        }
    }

    /// The bot that it wraps, if it does.
    fn inner(&mut self) -> Option<&mut dyn Bot> {
        None
    }

    /// A new game begins, in which the bot plays this power.
    fn new_game(&mut self, power: Power) {
        if let Some(inner) = self.inner() {
            inner.new_game(power);
        }
    }

    /// Describes the new game: its rules, and the board as it is.
    fn briefed(&mut self, brief: &Brief<'_>, seen: &Observation<'_>, dice: &mut Stream) {
        if let Some(inner) = self.inner() {
            inner.briefed(brief, seen, dice);
        }
    }

    /// Does the bot want to be notified of changes of the map?
    fn keeps_a_map(&mut self) -> bool {
        self.inner().is_some_and(|inner| inner.keeps_a_map())
    }

    /// The map has changed. Called for bots that keep a map of their own, in the order of events.
    /// Simultaneous seismic events all refer to the map before them.
    fn map_changed(&mut self, change: &MapEvent) {
        if let Some(inner) = self.inner() {
            inner.map_changed(change);
        }
    }

    /// Does the bot want to be notified of orders and their results?
    fn keeps_a_record(&mut self) -> bool {
        self.inner().is_some_and(|inner| inner.keeps_a_record())
    }

    /// A stage was settled. Called for bots that keep a record, with the orders of all powers, which are
    /// public afterwards. Choices of coasts are not orders.
    fn settled(&mut self, past: &SettledStage) {
        if let Some(inner) = self.inner() {
            inner.settled(past);
        }
    }

    /// The game is over.
    fn game_over(&mut self, seen: &Observation<'_>, verdict: Verdict<'_>) {
        if let Some(inner) = self.inner() {
            inner.game_over(seen, verdict);
        }
    }

    /// The bot itself, if it is a seat of an [`Ensemble`], which thereby recognises its own seats.
    fn as_any(&mut self) -> Option<&mut dyn Any> {
        self.inner()?.as_any()
    }

    /// What the bot is denied ([`handicapped`]). It is not asked for anything denied, and such orders do not
    /// count.
    fn handicap(&mut self) -> Handicap {
        self.inner().map_or(Handicap::NONE, |inner| inner.handicap())
    }

    /// The fault in its answers since the last call, apart from decisions that its answer refused. A bot that is part of
    /// this program has no such faults.
    fn fault(&mut self) -> BotFault {
        self.inner().map_or_else(BotFault::default, |inner| inner.fault())
    }

    /// These orders of its last answer did not count, in this phase: those that it reported itself ([`Bot::fault`]) and
    /// those that its answer refused. Called at most once for each answer, and before the phase is settled.
    fn refused(&mut self, phase: Phase, refused: &[RefusedOrder]) {
        if let Some(inner) = self.inner() {
            inner.refused(phase, refused);
        }
    }
}

/// A bot that leaves everything to the rules: its units hold.
impl Bot for () {}

/// A bot that gives these decisions wherever it is asked for them.
impl Bot for Vec<Decision> {
    fn decide(&mut self, _: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        answer.give_all(ask, &*self);
    }
}

// Bots that decide for many seats at once: a neural network takes hardly longer for a hundred boards than
// for one.
//
// ```text
//  game 0 ─ its seats ─┐                         ┌─▶ seat: answers ─▶ the stage of game 0 is settled
//  game 1 ─ its seats ─┼─▶ Ensemble::decide() ───┼─▶ seat: answers ─▶ the stage of game 1 is settled
//  …                   ┘                         └─▶ …
// ```

/// A bot that decides for many seats at once, before the stages of their games.
pub trait Ensemble: Send + Sync {
    /// Creates a seat. It returns the answers that [`Ensemble::decide`] has stored in it, and none if that
    /// was not called.
    fn seat(&self) -> Box<dyn Bot>;

    /// Decides the answers of these seats in the stage that their games wait for. Each seat was created by
    /// this ensemble; those of one game are consecutive, in the order of the powers. Seats that will not be
    /// asked anything are included.
    fn decide(&self, seats: Vec<WaitingSeat<'_>>);
}

/// A seat of an [`Ensemble`] in a game that waits for a stage.
pub struct WaitingSeat<'a> {
    /// The id of the game ([`Brief::game`](Brief::game)).
    pub name: &'a str,
    /// Its number in the run.
    pub number: u32,
    /// The game, including secrets: the ensemble is responsible for using only what the seat's power may see.
    pub game: &'a Game,
    /// The power.
    pub power: Power,
    /// The seat's own dice.
    pub dice: &'a mut Stream,
    /// The seat ([`Bot::as_any`]).
    pub bot: &'a mut dyn Bot,
}

// Bots with a handicap.

/// The bot with an additional handicap; the bot itself if the handicap is empty.
pub fn handicapped(bot: Box<dyn Bot>, handicap: Handicap) -> Box<dyn Bot> {
    match handicap.is_none() {
        true => bot,
        false => Box::new(Handicapped { bot, handicap }),
    }
}

/// A bot with a handicap. It only declares the handicap and delegates everything else: the caller enforces
/// it.
struct Handicapped {
    bot: Box<dyn Bot>,
    handicap: Handicap,
}

impl Bot for Handicapped {
    fn inner(&mut self) -> Option<&mut dyn Bot> {
        Some(&mut *self.bot)
    }

    fn handicap(&mut self) -> Handicap {
        self.handicap.and(self.bot.handicap())
    }
}

// Faults of bots, in words.

/// A fault of a bot, described for people. The game itself records only its [`Conduct`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incident {
    /// The kind of fault.
    pub conduct: Conduct,
    /// The game.
    pub game: String,
    /// The power.
    pub power: String,
    /// The phase; `None` before the first.
    pub phase: Option<String>,
    /// What was wrong, and what would be right.
    pub reason: String,
    /// The end of the program's standard error, if the program has exited.
    pub last_words: String,
    /// How often this was wrong: of orders that were refused for the same reason only the first is described.
    pub times: u64,
}

// A settled stage as it is known to all powers: the position before it, orders and results.

/// A stage that was settled, in the texts of the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettledStage {
    /// The phase.
    pub phase: Phase,
    /// The units before the stage, by power; those that had to retreat are in `retreats`.
    pub units: BTreeMap<String, Vec<String>>,
    /// The owned centres before the stage, by owner.
    pub centres: BTreeMap<String, Vec<String>>,
    /// The units that had to retreat in the stage.
    pub retreats: Vec<Retreating>,
    /// The orders that were settled, each with its result. They include the orders that the rules gave to
    /// units without one, and removals by civil disorder.
    pub orders: Vec<SettledOrder>,
}

impl SettledStage {
    /// A stage that has not been settled yet.
    pub(crate) fn before(game: &Game) -> SettledStage {
        SettledStage {
            phase: game.phase(),
            units: game.world().written_units(),
            centres: game.world().written_centres(),
            retreats: Retreating::all(game),
            orders: Vec::new(),
        }
    }
}
