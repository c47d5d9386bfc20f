//! Plays the games of an experiment with the real engine: each by itself, or, if a bot decides for many seats at once
//! ([`Ensemble`]), many games in step.
//!
//! [`Playing`] is a game that is being played, stage by stage, into its record. [`RecordedGame`] has the decisions of a
//! game as its tables have them, for seats whose bots do not play again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use upheaval_engine::bot::{Bot, BotFault, BotMaker, Conduct, Ensemble, Incident, RefusedOrder, WaitingSeat};
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::play::{Seats, close, open, open_seat, play_stage};
use upheaval_engine::rules::position::Phase;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::rng::Stream;

use super::amended::{Amended, Amendment, Fate};
use super::dice::Dice;
use super::experiment::Experiment;
use super::faults::FaultRule;
use super::recorder::Recorder;
use super::runner::{Observer, Play, play_each};
use super::schedule::GameSpec;
use crate::record::rows::REFUSED;
use crate::record::{EventKind, EventRow, GameRows, OrderRow, SeatRows};

impl Experiment {
    /// Plays its games, on any number of threads at once.
    pub fn player(&self) -> Player {
        let bots: Vec<BotMaker> = self.bots.iter().map(|bot| bot.maker.clone()).collect();
        Player::new(self.variants.clone(), bots).with_faults(self.resolved.faults.clone())
    }

    /// Incidents of the programs that play, by bot; those of one bot are in no particular order.
    pub fn incidents(&self) -> BTreeMap<&str, Vec<Incident>> {
        self.makers().map(|(bot, _, maker)| (bot, maker.incidents())).collect()
    }
}

/// The number of games that are played in step if an ensemble has a seat. It is fixed, because a network may answer
/// differently if other boards are in the same batch.
const IN_STEP: usize = 128;

thread_local! {
    /// Each thread's tables, kept from game to game.
    static REFEREE: RefCell<Referee> = RefCell::new(Referee::new());
}

/// Sees a game before each stage and at its end, and may change or stop it.
pub(crate) type Steer<'a> = dyn FnMut(&mut Playing<'_>) -> ControlFlow<()> + 'a;

/// The variants and bots of an experiment, in its order.
#[derive(Clone)]
pub struct Player {
    variants: Vec<Arc<Variant>>,
    bots: Vec<BotMaker>,
    faults: FaultRule,
    /// The record from which seats decide.
    recorded: Option<RecordedSeats>,
}

impl Player {
    /// A player of these variants and bots, with the numbers of the experiment's games. Units of a bot at fault hold.
    pub fn new(variants: Vec<Arc<Variant>>, bots: Vec<impl Into<BotMaker>>) -> Player {
        let bots = bots.into_iter().map(Into::into).collect();
        Player { variants, bots, faults: FaultRule::default(), recorded: None }
    }

    /// The same for one game alone, in which some seats decide as its record says.
    pub(crate) fn with_record(self, recorded: RecordedSeats) -> Player {
        Player { recorded: Some(recorded), ..self }
    }

    /// The same with another policy for bots at fault.
    pub fn with_faults(self, faults: FaultRule) -> Player {
        Player { faults, ..self }
    }

    /// The variant of a game.
    pub(crate) fn variant(&self, spec: &GameSpec) -> &Arc<Variant> {
        &self.variants[spec.variant]
    }

    fn begin<'a>(&'a self, spec: &'a GameSpec) -> Box<Playing<'a>> {
        REFEREE.with_borrow(|referee| Playing::new(spec, self, referee))
    }

    fn bots_of(&self, spec: &GameSpec, record: Option<&Arc<RecordedGame>>) -> ByPower<Box<dyn Bot>> {
        let recorded = |power| self.recorded.as_ref()?.seat(record?, power);
        let made = |power| recorded(power).unwrap_or_else(|| self.bots[spec.seats[power]].make());
        ByPower::from_fn(self.variant(spec).terrain.powers(), made)
    }

    /// Plays a game that may be steered before each stage, and at its end. If it is stopped there is no record.
    pub(crate) fn play_steered(&self, spec: &GameSpec, steer: &mut Steer<'_>) -> Option<GameRows> {
        let mut game = [self.begin(spec)];
        loop {
            if steer(&mut game[0]).is_break() {
                return None;
            }
            if game[0].is_over() {
                let [game] = game;
                return Some(finish(game));
            }
            self.decide(&mut game);
            stage(&mut game[0]);
        }
    }

    /// Replaces the bot of a power in a game.
    pub(crate) fn reseat(game: &mut Playing<'_>, power: Power, maker: &BotMaker) {
        REFEREE.with_borrow(|referee| game.reseat(power, maker.make(), referee));
    }

    /// The ensembles that play, by the number of the bot.
    fn ensembles(&self) -> impl Iterator<Item = (usize, &dyn Ensemble)> {
        self.bots.iter().enumerate().filter_map(|(bot, maker)| Some((bot, maker.ensemble()?)))
    }

    /// Lets the ensembles decide for their seats in the stages that these games wait for.
    fn decide(&self, games: &mut [Box<Playing<'_>>]) {
        for (bot, ensemble) in self.ensembles() {
            let seats: Vec<WaitingSeat<'_>> = games.iter_mut().flat_map(|game| game.seats_of(bot)).collect();
            if !seats.is_empty() {
                ensemble.decide(seats);
            }
        }
    }

    /// Plays these games in step: one stage of each at a time. When a game is over the next one begins.
    fn play_in_step(&self, specs: &[GameSpec], observer: &dyn Observer) -> Option<Vec<GameRows>> {
        let mut records = Vec::with_capacity(specs.len());
        let mut waiting = specs.iter();
        let mut games: Vec<Box<Playing<'_>>> = Vec::new();
        loop {
            let room = IN_STEP - games.len();
            games.extend(waiting.by_ref().take(room).map(|spec| self.begin(spec)));
            if games.is_empty() {
                break;
            }
            if observer.stops() {
                return None;
            }
            self.decide(&mut games);
            games.par_iter_mut().for_each(|game| stage(game));
            for game in games.extract_if(.., |game| game.is_over()) {
                let spec = game.spec();
                let record = finish(game);
                observer.played(spec, &record.game);
                records.push(record);
            }
        }
        records.sort_unstable_by_key(|record| record.game.game);
        Some(records)
    }
}

/// Plays the stage that a game waits for.
fn stage(game: &mut Playing<'_>) {
    REFEREE.with_borrow_mut(|referee| game.stage(referee));
}

/// The record of a game that is over.
fn finish(game: Box<Playing<'_>>) -> GameRows {
    REFEREE.with_borrow(|referee| game.finish(referee))
}

impl Play for Player {
    fn play(&self, spec: &GameSpec) -> GameRows {
        let played = self.play_steered(spec, &mut |_| ControlFlow::Continue(()));
        played.unwrap_or_else(|| unreachable!("it has not been stopped"))
    }

    fn play_all(&self, specs: &[GameSpec], observer: &dyn Observer) -> Option<Vec<GameRows>> {
        match self.ensembles().next() {
            Some(_) => self.play_in_step(specs, observer),
            None => play_each(self, specs, observer),
        }
    }
}

/// A game that is being played.
pub(crate) struct Playing<'a> {
    spec: &'a GameSpec,
    player: &'a Player,
    /// The number of the attempt at the game, from 1.
    number: u8,
    /// The name of the game for bots.
    name: String,
    game: Game,
    recorder: Recorder,
    bots: ByPower<Box<dyn Bot>>,
    dice: ByPower<Stream>,
    /// The source of their dice.
    thrown: Dice,
    nature: Amended,
    /// The record from which seats decide.
    record: Option<Arc<RecordedGame>>,
}

impl<'a> Playing<'a> {
    /// A game at its start, which has been announced to the bots.
    pub(super) fn new(spec: &'a GameSpec, player: &'a Player, referee: &Referee) -> Box<Playing<'a>> {
        let game = begun(spec, player);
        let record = player.recorded.as_ref().map(RecordedSeats::game);
        let number = record.as_ref().map_or(1, |record| record.attempt);
        let thrown = spec.dice().of_try(number);
        let recorder = Recorder::new(spec, &game);
        // In a box: a game has some kilobytes, which would be copied wherever it is passed on.
        let mut playing = Box::new(Playing {
            name: name(spec, number, &game),
            bots: player.bots_of(spec, record.as_ref()),
            dice: thrown.openings(),
            thrown,
            nature: spec.nature().into(),
            recorder: match &record {
                Some(record) => recorder.after_attempts(number - 1, &record.earlier),
                None => recorder,
            },
            record,
            spec,
            player,
            number,
            game,
        });
        playing.open(referee);
        playing
    }

    /// Announces the game to the bots, and gives them their dice.
    fn open(&mut self, referee: &Referee) {
        open(&self.game, referee, &mut Seats { bots: &mut self.bots, dice: &mut self.dice }, &self.name);
        self.hand_out();
    }

    /// Gives the bots their dice for the stage that the game waits for.
    fn hand_out(&mut self) {
        self.thrown.hand_out(&self.game, &mut self.dice);
    }

    /// The identity of the game.
    pub(crate) fn spec(&self) -> &'a GameSpec {
        self.spec
    }

    /// The number of the attempt, the game, and the record so far.
    pub(crate) fn state(&self) -> (u8, &Game, &GameRows) {
        (self.number, &self.game, self.recorder.record())
    }

    /// Changes a draw of nature that has not been made yet.
    pub(crate) fn amend(&mut self, amendment: Amendment) {
        self.nature = Amended::from(self.spec.nature()).with(amendment);
    }

    /// The result of the amendment.
    pub(crate) fn fate(&self) -> &Fate {
        self.nature.fate()
    }

    /// Gives the bots the dice of another future, from the stage on that the game waits for; 0 is the game itself.
    pub(crate) fn throw(&mut self, future: u32) {
        self.thrown = self.thrown.clone().of_future(future);
        self.hand_out();
    }

    /// Replaces the bot of a power by one that already knows the game.
    pub(crate) fn exchange(&mut self, power: Power, by: impl FnOnce(Box<dyn Bot>) -> Box<dyn Bot>) {
        let bot = std::mem::replace(&mut self.bots[power], Box::new(()));
        self.bots[power] = by(bot);
    }

    /// Replaces the bot of a power by one that is informed of the current state of the game.
    pub(crate) fn reseat(&mut self, power: Power, bot: Box<dyn Bot>, referee: &Referee) {
        self.bots[power] = bot;
        let mut seats = Seats { bots: &mut self.bots, dice: &mut self.dice };
        open_seat(&self.game, referee, &mut seats, &self.name, power);
    }

    /// Is it over?
    pub(crate) fn is_over(&self) -> bool {
        self.game.stage() == Stage::Over
    }

    /// The seats that the bot of this number plays, for its ensemble.
    pub(crate) fn seats_of(&mut self, bot: usize) -> impl Iterator<Item = WaitingSeat<'_>> {
        let (spec, name, game) = (self.spec, self.name.as_str(), &self.game);
        let seats = self.bots.iter_mut().zip(self.dice.iter_mut());
        seats.filter(move |((power, _), _)| spec.seats[*power] == bot).map(
            move |((power, bot), (_, dice))| WaitingSeat {
                name,
                number: spec.game,
                game,
                power,
                dice,
                bot: bot.as_mut(),
            },
        )
    }

    /// Plays the stage that the game waits for. A void game is at its start afterwards.
    pub(crate) fn stage(&mut self, referee: &mut Referee) {
        if let Some(record) = &self.record {
            let GameRows { orders, events, .. } = self.recorder.record();
            record.enter(orders.len(), events.len());
        }
        let mut seats = Seats { bots: &mut self.bots, dice: &mut self.dice };
        play_stage(&mut self.game, referee, &mut seats, &mut self.nature, &mut self.recorder);
        for (power, fault) in self.recorder.take_faults() {
            match &self.player.faults {
                FaultRule::Forfeit { answers } if answers.contains(&fault) => {
                    self.recorder.forfeit(power);
                    self.bots[power] = Box::new(());
                }
                FaultRule::Replay { answers, tries } if answers.contains(&fault) && self.number < *tries => {
                    return self.begin_again(referee);
                }
                _ => {}
            }
        }
        self.hand_out();
    }

    /// The game is void: it is played from its start, with other dice.
    fn begin_again(&mut self, referee: &Referee) {
        self.number += 1;
        self.game = begun(self.spec, self.player);
        self.name = name(self.spec, self.number, &self.game);
        self.recorder = self.recorder.begin_again(self.spec, &self.game);
        self.bots = self.player.bots_of(self.spec, self.record.as_ref());
        self.thrown = self.thrown.clone().of_try(self.number);
        self.dice = self.thrown.openings();
        self.nature = self.spec.nature().into();
        self.open(referee);
    }

    /// The record of a finished game; its bots are informed of the end.
    pub(crate) fn finish(mut self: Box<Self>, referee: &Referee) -> GameRows {
        close(&self.game, referee, &mut Seats { bots: &mut self.bots, dice: &mut self.dice });
        self.recorder.finish(&self.game)
    }
}

/// A game at its start.
fn begun(spec: &GameSpec, player: &Player) -> Game {
    Game::new(Arc::clone(player.variant(spec)), spec.last_year).stopped_by(spec.stop)
}

/// The name of a game for bots: `standard/12`, and `standard/12/2` in its second attempt.
fn name(spec: &GameSpec, number: u8, game: &Game) -> String {
    let id = &game.variant().id;
    if number <= 1 { format!("{id}/{}", spec.game) } else { format!("{id}/{}/{number}", spec.game) }
}

/// Makes the bot of a recorded seat.
type MakeSeat = dyn Fn(Arc<RecordedGame>, Power) -> Box<dyn Bot> + Send + Sync;

/// The recorded seats of a game, which is played any number of times, also at once.
#[derive(Clone)]
pub(crate) struct RecordedSeats {
    game: RecordedGame,
    make: Arc<MakeSeat>,
}

impl RecordedSeats {
    /// The seats of this game, made by a function.
    pub(crate) fn new(
        game: RecordedGame,
        make: impl Fn(Arc<RecordedGame>, Power) -> Box<dyn Bot> + Send + Sync + 'static,
    ) -> RecordedSeats {
        RecordedSeats { game, make: Arc::new(make) }
    }

    /// The record, for playing the game once.
    pub(super) fn game(&self) -> Arc<RecordedGame> {
        Arc::new(self.game.clone())
    }

    /// The bot of a seat that is played from this record; `None` if the seat is not.
    pub(super) fn seat(&self, game: &Arc<RecordedGame>, power: Power) -> Option<Box<dyn Bot>> {
        self.game.recorded[power].then(|| (self.make)(Arc::clone(game), power))
    }
}

/// The rows of a game that give the decisions of its powers, and the stage that is being played.
#[derive(Debug)]
pub(crate) struct RecordedGame {
    orders: Arc<[OrderRow]>,
    events: Arc<[EventRow]>,
    /// The seats that do not play again.
    recorded: ByPower<bool>,
    /// The attempt at the game that is recorded, from 1.
    attempt: u8,
    /// The gravest fault of each seat in the attempts before it, and their number.
    earlier: ByPower<(Conduct, u32)>,
    /// The rows before the current stage, with the faults in it that have been told.
    behind: Mutex<Behind>,
}

/// The same record before the first stage.
impl Clone for RecordedGame {
    fn clone(&self) -> RecordedGame {
        RecordedGame {
            orders: Arc::clone(&self.orders),
            events: Arc::clone(&self.events),
            recorded: self.recorded.clone(),
            earlier: self.earlier.clone(),
            attempt: self.attempt,
            behind: Mutex::default(),
        }
    }
}

/// How many rows are behind.
#[derive(Clone, Copy, Debug, Default)]
struct Behind {
    orders: usize,
    events: usize,
}

impl RecordedGame {
    /// The game of these rows, in which `recorded` are the seats that do not play again.
    pub(crate) fn new(
        orders: Vec<OrderRow>,
        events: Vec<EventRow>,
        seats: &SeatRows,
        voided: u8,
        recorded: ByPower<bool>,
    ) -> RecordedGame {
        let earlier = ByPower::from_fn(seats.powers(), |power| {
            let own = events.iter().filter(|event| event.power == Some(power)).filter_map(fault_detail);
            let here: u32 = own.map(|told| told.count()).sum();
            match seats[power].faults.saturating_sub(here) {
                0 => (Conduct::Ok, 0),
                // Nothing in this attempt is graver.
                before => (seats[power].fault, before),
            }
        });
        let (attempt, behind) = (voided.saturating_add(1), Mutex::default());
        RecordedGame { orders: orders.into(), events: events.into(), recorded, attempt, earlier, behind }
    }

    fn behind(&self) -> MutexGuard<'_, Behind> {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A stage begins; these numbers of rows are behind.
    pub(super) fn enter(&self, orders: usize, events: usize) {
        *self.behind() = Behind { orders, events };
    }

    /// The orders of a power in the current stage, whose rows are of these phases.
    pub(crate) fn orders(&self, phases: &[Phase], power: Power) -> impl Iterator<Item = &OrderRow> {
        let rows = self.orders.get(self.behind().orders..).unwrap_or_default();
        rows.iter().take_while(|row| phases.contains(&row.phase)).filter(move |row| row.power == power)
    }

    /// The events of the current stage, which is of this phase.
    pub(crate) fn events(&self, phase: Phase) -> impl Iterator<Item = &EventRow> {
        let rows = self.events.get(self.behind().events..).unwrap_or_default();
        rows.iter().take_while(move |row| row.phase == phase)
    }

    /// The faults of a recorded seat in the answer that it has just given.
    pub(crate) fn take_fault(&self, phase: Phase, power: Power) -> BotFault {
        self.next_fault(&mut self.behind(), phase, power)
    }

    /// The same, before they are taken.
    pub(crate) fn fault(&self, phase: Phase, power: Power) -> BotFault {
        self.next_fault(&mut self.behind().clone(), phase, power)
    }

    fn next_fault(&self, behind: &mut Behind, phase: Phase, power: Power) -> BotFault {
        let mut fault = BotFault::default();
        while let Some(event) = self.events.get(behind.events).filter(|event| event.phase == phase)
            && let (Some(of), Some(told)) = (event.power, fault_detail(event))
        {
            let own = of == power;
            if self.recorded[of] && !own {
                break;
            }
            match told {
                FaultDetail::Refused(count) => {
                    let rows = self.orders.get(behind.orders..behind.orders + count).unwrap_or_default();
                    let are_told = rows.len() == count
                        && rows.iter().all(|row| row.power == of && &*row.result == REFUSED);
                    // Otherwise they are refused when they are settled.
                    if !are_told || (own && fault != BotFault::default()) {
                        break;
                    }
                    if own {
                        let reason = |row: &OrderRow| row.reason.as_deref().unwrap_or_default().to_owned();
                        let refused =
                            rows.iter().map(|row| RefusedOrder::new(row.order.to_string(), reason(row)));
                        fault.refused = refused.collect();
                    }
                    behind.orders += count;
                    behind.events += 1;
                }
                FaultDetail::Fault(conduct) => {
                    behind.events += 1;
                    if own {
                        fault.conduct = conduct;
                        break;
                    }
                }
            }
        }
        fault
    }
}

/// What an event says of a bot.
#[derive(Clone, Copy)]
enum FaultDetail {
    /// The number of its orders that were refused.
    Refused(usize),
    /// It was at fault.
    Fault(Conduct),
}

impl FaultDetail {
    /// How many faults these are.
    fn count(self) -> u32 {
        match self {
            FaultDetail::Refused(count) => u32::try_from(count).unwrap_or(u32::MAX),
            FaultDetail::Fault(_) => 1,
        }
    }
}

/// What an event says of a bot; `None` if it says nothing.
fn fault_detail(event: &EventRow) -> Option<FaultDetail> {
    let detail = event.detail.as_deref().filter(|_| event.kind == EventKind::BotFault)?;
    match Conduct::ALL.into_iter().find(|conduct| conduct.name() == detail) {
        Some(conduct) => Some(FaultDetail::Fault(conduct)),
        None => detail.split(' ').next()?.parse().ok().map(FaultDetail::Refused),
    }
}
