//! Bots that choose from the tables of a batch: one call decides for the seats of many games of a run.
//!
//! ```text
//!  waiting seats ─▶ list the asks of each ─▶ Seen: the tables ─▶ Chooser::choose() ─▶ answers in the seats
//!                                                  of all games        │ fails
//!                                                                      └─▶ each game alone: if it fails again,
//!                                                                          the game's seats are at fault
//! ```
//! [`chooser_seat`] lets a [`Chooser`] decide for a single seat, wherever bots play: in batches, imagined games and
//! answers to requests.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use upheaval_engine::ask::{Answer, Ask, Handicap, Observation, Public};
use upheaval_engine::bot::{Bot, BotFault, BotMaker, Conduct, Ensemble, Incident, WaitingSeat};
use upheaval_engine::game::Game;
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_map::ids::Power;
use upheaval_map::rng::Stream;

use crate::caller::{Asked, Caller, GameView, Questions};
use crate::observe::{Workers, fill, sizes_of};
use crate::slot::REFEREE;
use crate::tables::{PerTable, Sizes};

/// Chooses for many seats at once, from the same tables as the caller of a [`Batch`](crate::Batch).
pub trait Chooser: Send + Sync {
    /// Returns one choice for each ask, in the form that [`Batch::step`](crate::Batch::step) takes. For games
    /// to be reproducible, the result must depend only on the rows of the game, and [`Seen::uniform`] must be
    /// the only source of randomness.
    ///
    /// # Errors
    /// The chooser has failed.
    fn choose(&self, seen: Seen) -> Result<Vec<i32>, ChooserFailure>;
}

/// The input of a [`Chooser`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// The number of rows of each table.
    pub sizes: Sizes,
    /// The [tables](crate::tables), row by row, of all games with asks for it.
    pub tables: PerTable<Vec<i32>>,
    /// For each ask a number from 0 up to 1, drawn uniformly from the dice of its seat.
    pub uniform: Vec<f64>,
}

/// Why a [`Chooser`] has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChooserFailure {
    /// What was wrong, and what would be right.
    pub reason: String,
    /// A stack trace or similar, on several lines; may be empty.
    pub trace: String,
}

/// A maker of bots whose seats a chooser decides for.
///
/// If the chooser fails, it is called again for each game alone. If it fails again, or does not return one
/// choice for each ask, its seats in that game are at fault, like those of a program that exits
/// ([`Conduct::Crash`], [`Conduct::Protocol`]): they hold for the rest of the game. An out-of-range choice
/// counts as an illegal order.
pub fn chooser_bot(chooser: Arc<dyn Chooser>) -> BotMaker {
    let bot = Arc::new(ChooserBot { chooser, incidents: Mutex::default() });
    let incidents = Arc::clone(&bot);
    BotMaker::of_ensemble(bot).with_incidents(move || incidents.incidents())
}

struct ChooserBot {
    chooser: Arc<dyn Chooser>,
    incidents: Mutex<Vec<Incident>>,
}

/// The most incidents that are kept.
const MOST_INCIDENTS: usize = 1000;

/// The seats of one game.
struct AskedGame<'a> {
    name: &'a str,
    number: u32,
    game: &'a Game,
    /// The powers with their handicaps, their dice and their seats.
    seats: Vec<(Power, Handicap, &'a mut Stream, &'a mut Caller)>,
    questions: Questions,
    /// One number for each ask.
    uniform: Vec<f64>,
}

impl<'a> AskedGame<'a> {
    /// The seats of each game that have not failed, without answers yet.
    fn all(seats: Vec<WaitingSeat<'a>>) -> Vec<AskedGame<'a>> {
        let mut games: Vec<AskedGame<'a>> = Vec::new();
        for WaitingSeat { name, number, game, power, dice, bot } in seats {
            let handicap = bot.handicap();
            let Some(caller) = Caller::of(bot) else { continue };
            caller.forget();
            if caller.is_gone() {
                continue;
            }
            match games.last_mut() {
                Some(last) if std::ptr::eq(last.game, game) => {
                    last.seats.push((power, handicap, dice, caller))
                }
                _ => games.push(AskedGame {
                    name,
                    number,
                    game,
                    seats: vec![(power, handicap, dice, caller)],
                    questions: Questions::default(),
                    uniform: Vec::new(),
                }),
            }
        }
        games
    }

    /// Lists the asks of its seats, and draws a number for each ask.
    fn ask(&mut self) {
        let powers = self.seats.iter().map(|&(power, handicap, ..)| (power, handicap));
        REFEREE.with_borrow_mut(|referee| self.questions.list(self.game, referee, powers));
        let mut seats = self.seats.iter_mut();
        for (asked, asks) in self.questions.of_seats() {
            if let Some((.., dice, _)) = seats.find(|(power, ..)| *power == asked.power) {
                self.uniform.extend(asks.iter().map(|_| uniform(dice)));
            }
        }
    }

    fn view(&self) -> GameView<'_> {
        GameView { number: self.number, game: Public::of(self.game), questions: &self.questions }
    }

    fn asks(&self) -> usize {
        self.questions.asks.list.len()
    }
}

/// A number from 0 up to 1, with full precision.
pub(crate) fn uniform(dice: &mut Stream) -> f64 {
    (dice.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

impl Ensemble for ChooserBot {
    fn seat(&self) -> Box<dyn Bot> {
        Box::new(Caller::default())
    }

    fn decide(&self, seats: Vec<WaitingSeat<'_>>) {
        let mut games = AskedGame::all(seats);
        games.par_iter_mut().for_each(AskedGame::ask);
        games.retain(|game| game.asks() > 0);
        if games.is_empty() {
            return;
        }
        match self.choose(&games) {
            Ok(choices) => {
                let mut rest = choices.as_slice();
                for game in &mut games {
                    let own = rest.split_off(..game.asks()).unwrap_or_default();
                    self.answer(game, own);
                }
            }
            Err(fault) if games.len() == 1 => self.fail(&mut games[0], &fault),
            Err(_) => {
                for game in &mut games {
                    match self.choose(std::slice::from_ref(game)) {
                        Ok(choices) => self.answer(game, &choices),
                        Err(fault) => self.fail(game, &fault),
                    }
                }
            }
        }
    }
}

/// The fault of an answer as a whole.
type Fault = (Conduct, ChooserFailure);

impl ChooserBot {
    /// The choices for all asks in these games.
    fn choose(&self, games: &[AskedGame<'_>]) -> Result<Vec<i32>, Fault> {
        let views: Vec<GameView<'_>> = games.iter().map(AskedGame::view).collect();
        let uniform = games.iter().flat_map(|game| &game.uniform).copied().collect();
        chosen(&*self.chooser, seen_of(&views, uniform))
    }

    /// Stores the choices of a game in its seats.
    fn answer(&self, asked: &mut AskedGame<'_>, choices: &[i32]) {
        let mut seats = asked.seats.iter_mut();
        for (Asked { power, first }, asks) in asked.questions.of_seats() {
            let Some((.., caller)) = seats.find(|(of, ..)| *of == power) else { continue };
            let own = &choices[first as usize..][..asks.len()];
            let times = caller.answer(&asked.questions.asks, asks, own);
            if times > 0 {
                let wrong =
                    asks.iter().zip(own).find(|(ask, choice)| **choice >= (ask.end - ask.begin) as i32);
                let reason = wrong.map_or_else(String::new, |(ask, choice)| {
                    let most = ask.end - ask.begin - 1;
                    let kind = ask.kind.name();
                    format!("expected a choice from 0 to {most}, or -1 for none, for an ask of the kind `{kind}`, found {choice}")
                });
                let failure = ChooserFailure { reason, trace: String::new() };
                self.record((asked.name, asked.game), power, Conduct::Illegal, failure, times);
            }
        }
    }

    /// Marks the seats of a game as being at fault.
    fn fail(&self, asked: &mut AskedGame<'_>, (conduct, failure): &Fault) {
        for (power, .., caller) in &mut asked.seats {
            caller.fail(*conduct);
            self.record((asked.name, asked.game), *power, *conduct, failure.clone(), 1);
        }
    }

    fn record(
        &self,
        (name, game): (&str, &Game),
        power: Power,
        conduct: Conduct,
        ChooserFailure { reason, trace: last_words }: ChooserFailure,
        times: u32,
    ) {
        let mut incidents = self.incidents.lock().unwrap_or_else(PoisonError::into_inner);
        if incidents.len() < MOST_INCIDENTS {
            let phase = Some(game.phase().to_string());
            let power = game.power_names().name(power).to_owned();
            let (game, times) = (name.to_owned(), u64::from(times));
            incidents.push(Incident { conduct, game, power, phase, reason, last_words, times });
        }
    }

    fn incidents(&self) -> Vec<Incident> {
        self.incidents.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// One choice for each ask of these tables.
fn chosen(chooser: &dyn Chooser, seen: Seen) -> Result<Vec<i32>, Fault> {
    let asks = seen.sizes.asks;
    let choices = chooser.choose(seen).map_err(|failure| (Conduct::Crash, failure))?;
    if choices.len() == asks {
        return Ok(choices);
    }
    let reason = format!("expected {asks} choices, one for each ask, found {}", choices.len());
    Err((Conduct::Protocol, ChooserFailure { reason, trace: String::new() }))
}

/// The tables for these games, with a number for each ask.
pub(crate) fn seen_of(views: &[GameView<'_>], uniform: Vec<f64>) -> Seen {
    let sizes: Sizes = views.iter().copied().map(sizes_of).sum();
    let mut memory = sizes.cells().map(|cells| vec![-1; cells]);
    let filled = fill(&Workers::Around, views, memory.each_mut().map(Vec::as_mut_slice).into());
    debug_assert!(filled.is_ok(), "the tables have the sizes that they were made for");
    Seen { sizes, tables: memory.into(), uniform }
}

/// A bot that calls a chooser for its own seat alone each time it is asked. If the chooser fails, the bot
/// holds for the rest of the game. [`chooser_bot`](crate::chooser_bot) decides for many seats at once where
/// games are played in step.
pub fn chooser_seat(chooser: Arc<dyn Chooser>) -> Box<dyn Bot> {
    Box::new(Alone { chooser, questions: Questions::default(), caller: Caller::default() })
}

/// The view of a power of games that wait for orders of movement, one seat of each, for code that rates positions: its
/// units are listed as asks, without their legal orders.
pub fn positions(games: &[&Game], power: Power) -> Seen {
    let chains = ConvoyChains::default();
    let observe = |game: &&'_ Game| {
        let mut questions = Questions::default();
        questions.list_units_of(&Observation::new(game, &chains, power, Handicap::NONE));
        questions
    };
    let questions: Vec<Questions> = games.iter().map(observe).collect();
    let view = |(game, questions)| GameView { number: 0, game: Public::of(game), questions };
    let views: Vec<GameView<'_>> = games.iter().copied().zip(&questions).map(view).collect();
    seen_of(&views, Vec::new())
}

struct Alone {
    chooser: Arc<dyn Chooser>,
    questions: Questions,
    caller: Caller,
}

impl Alone {
    /// Lets the chooser decide the seat's asks in the stage that the game waits for.
    fn choose(&mut self, seen: &Observation<'_>, dice: &mut Stream) -> &mut Caller {
        self.caller.forget();
        if self.caller.is_gone() {
            return &mut self.caller;
        }
        let questions = &mut self.questions;
        questions.list_of(seen);
        let drawn = questions.asks.list.iter().map(|_| uniform(dice)).collect();
        match chosen(&*self.chooser, seen_of(&[GameView { number: 0, game: **seen, questions }], drawn)) {
            Ok(choices) => drop(self.caller.answer(&questions.asks, &questions.asks.list, &choices)),
            Err((conduct, _)) => self.caller.fail(conduct),
        }
        &mut self.caller
    }
}

impl Bot for Alone {
    fn new_game(&mut self, _: Power) {
        self.caller = Caller::default();
    }

    fn fault(&mut self) -> BotFault {
        self.caller.fault()
    }

    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        self.choose(seen, dice).decide(seen, ask, dice, answer);
    }
}
