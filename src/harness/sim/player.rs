//! Plays the games of an experiment through the real engine.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::experiment::Experiment;
use super::faults::{FaultPolicy, FaultRule};
use super::recorder::Recorder;
use super::runner::Play;
use super::schedule::GameSpec;
use crate::record::GameRecord;
use upheaval_engine::bot::{Bot, BotMaker, Incident, Observation, OrderSheet};
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::play::{Seats, close, open, play_stage};
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::rng::{Purpose, Stream};

impl Experiment {
    /// Plays its games, on any number of threads at once.
    pub fn player(&self) -> Player {
        let variants = self.variants.iter().map(|entry| Arc::clone(&entry.variant)).collect();
        let bots: Vec<BotMaker> = self.bots.iter().map(|bot| bot.maker.clone()).collect();
        Player::new(variants, bots).with_faults(self.faults.clone())
    }

    /// What has been noticed about the programs that play, by bot, in no particular order within one.
    pub fn incidents(&self) -> BTreeMap<&str, Vec<Incident>> {
        self.bots.iter().map(|bot| (bot.name.as_str(), bot.maker.incidents())).collect()
    }
}

/// The variants and bots of an experiment, in its order.
pub struct Player {
    variants: Vec<Arc<Variant>>,
    bots: Vec<BotMaker>,
    faults: FaultRule,
}

impl Player {
    /// A player of these variants and bots, numbered as the experiment's games number them. What a bot does wrong holds.
    pub fn new(variants: Vec<Arc<Variant>>, bots: Vec<impl Into<BotMaker>>) -> Player {
        let bots = bots.into_iter().map(Into::into).collect();
        Player { variants, bots, faults: FaultRule::default() }
    }

    /// The same with another rule about bots that are at fault.
    pub fn with_faults(self, faults: FaultRule) -> Player {
        Player { faults, ..self }
    }

    /// The variant of a game.
    pub fn variant(&self, spec: &GameSpec) -> &Arc<Variant> {
        &self.variants[spec.variant]
    }

    /// Plays a game, and shows it before each stage and at the end, with what is recorded so far and which try of the game it is.
    pub fn play_before(&self, spec: &GameSpec, watch: &mut dyn FnMut(u8, &Game, &GameRecord)) -> GameRecord {
        let new = || Game::new(Arc::clone(self.variant(spec)), spec.last_year);
        let mut game = new();
        let mut recorder = Recorder::new(spec, &game);
        let mut number = 1;
        while self.attempt(spec, number, &mut recorder, &mut game, watch).is_none() {
            game = new();
            recorder = recorder.begin_again(spec, &game);
            number += 1;
        }
        watch(number, &game, recorder.record());
        recorder.finish(&game)
    }

    /// Plays one try of a game into its record; `None` if it is void.
    fn attempt(
        &self,
        spec: &GameSpec,
        number: u8,
        recorder: &mut Recorder,
        game: &mut Game,
        watch: &mut dyn FnMut(u8, &Game, &GameRecord),
    ) -> Option<()> {
        let mut bots: ByPower<Box<dyn Bot>> =
            ByPower::from_fn(game.powers(), |power| self.bots[spec.seats[power]].make());
        let mut dice = ByPower::from_fn(game.powers(), |power: Power| dice(spec, number, power));
        let mut nature = spec.nature();
        let mut seats = Seats { bots: &mut bots, dice: &mut dice };
        let name = name(spec, number, game);
        REFEREE.with_borrow_mut(|referee| {
            open(game, referee, &mut seats, &name);
            while game.stage() != Stage::Over {
                watch(number, game, recorder.record());
                play_stage(game, referee, &mut seats, &mut nature, recorder);
                for (power, fault) in recorder.take_faults() {
                    match self.faults.policy {
                        FaultPolicy::Forfeit if self.faults.answers(fault) => {
                            recorder.forfeit(power);
                            seats.bots[power] = Box::new(Absent);
                        }
                        FaultPolicy::Replay if self.faults.answers(fault) && number < self.faults.tries => {
                            return None;
                        }
                        _ => {}
                    }
                }
            }
            close(game, referee, &mut seats);
            Some(())
        })
    }
}

/// The dice of a seat: the first try has those of the game, each other its own.
fn dice(spec: &GameSpec, number: u8, power: Power) -> Stream {
    if number <= 1 {
        return spec.dice(power);
    }
    let key = [u64::from(spec.block), u64::from(spec.game), power.index() as u64, u64::from(number)];
    Stream::keyed(spec.seed, Purpose::Bot, &key)
}

/// What a game is called before bots: `standard/12`, and `standard/12/2` in its second try.
fn name(spec: &GameSpec, number: u8, game: &Game) -> String {
    let id = &game.variant().id;
    if number <= 1 { format!("{id}/{}", spec.game) } else { format!("{id}/{}/{number}", spec.game) }
}

/// Sits where a bot has forfeited: everything holds, and what must be decided is left to the rules.
struct Absent;

impl Bot for Absent {
    fn movement(&mut self, _: &Observation<'_>, _: &mut Stream, _: &mut OrderSheet<'_>) {}
}

thread_local! {
    /// Each thread's tables, kept from game to game.
    static REFEREE: RefCell<Referee> = RefCell::new(Referee::new());
}

impl Play for Player {
    fn play(&self, spec: &GameSpec) -> GameRecord {
        self.play_before(spec, &mut |_, _, _| {})
    }
}
