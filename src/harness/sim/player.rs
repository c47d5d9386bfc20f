//! Plays the games of an experiment with the real engine: each by itself, or, where a bot decides for many seats at
//! once ([`Ensemble`]), many games in step.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::experiment::Experiment;
use rayon::prelude::*;

use super::faults::FaultRule;
use super::playing::{Means, Playing};
use super::recorded::RecordedSeats;
use super::runner::{Observer, Play, play_each};
use super::schedule::GameSpec;
use crate::record::GameRows;
use upheaval_engine::bot::{BotMaker, Ensemble, Incident, WaitingSeat};
use upheaval_engine::game::{Game, Referee};
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::Power;

impl Experiment {
    /// Plays its games, on any number of threads at once.
    pub fn player(&self) -> Player {
        let bots: Vec<BotMaker> = self.bots.iter().map(|bot| bot.maker.clone()).collect();
        Player::new(self.variants.clone(), bots).with_faults(self.resolved.faults.clone())
    }

    /// Incidents of the programs that play, by bot; those of one bot are in no particular order.
    pub fn incidents(&self) -> BTreeMap<&str, Vec<Incident>> {
        self.makers().map(|(bot, maker)| (bot.name.as_str(), maker.incidents())).collect()
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
        let recorded = self.recorded.as_ref();
        let means = Means { variant: self.variant(spec), bots: &self.bots, faults: &self.faults, recorded };
        REFEREE.with_borrow(|referee| Playing::new(spec, means, referee))
    }

    /// Plays a game, and shows it before each stage and at the end, with the record so far and the number of the
    /// attempt.
    pub(crate) fn play_before(
        &self,
        spec: &GameSpec,
        watch: &mut dyn FnMut(u8, &Game, &GameRows),
    ) -> GameRows {
        let played = self.play_steered(spec, &mut |game| {
            let (number, game, record) = game.look();
            watch(number, game, record);
            ControlFlow::Continue(())
        });
        played.unwrap_or_else(|| unreachable!("it has not been stopped"))
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
        self.play_before(spec, &mut |_, _, _| {})
    }

    fn play_all(&self, specs: &[GameSpec], observer: &dyn Observer) -> Option<Vec<GameRows>> {
        match self.ensembles().next() {
            Some(_) => self.play_in_step(specs, observer),
            None => play_each(self, specs, observer),
        }
    }
}
