//! A game that is being played, stage by stage, into its record.

use std::sync::Arc;

use super::faults::{FaultPolicy, FaultRule};
use super::recorder::Recorder;
use super::schedule::GameSpec;
use crate::record::GameRecord;
use upheaval_engine::bot::{Bot, BotMaker, Observation, OrderSheet, WaitingSeat};
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::play::{Seats, close, open, play_stage};
use upheaval_engine::rules::nature::Seeded;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::rng::{Purpose, Stream};

/// What games are played with: their variant, the bots that seats name by number, and what is done about faults.
#[derive(Clone, Copy)]
pub(super) struct Means<'a> {
    pub variant: &'a Arc<Variant>,
    pub bots: &'a [BotMaker],
    pub faults: &'a FaultRule,
}

impl Means<'_> {
    fn bots_of(self, spec: &GameSpec) -> ByPower<Box<dyn Bot>> {
        ByPower::from_fn(self.variant.terrain.powers(), |power| self.bots[spec.seats[power]].make())
    }
}

/// A game that is being played.
pub(super) struct Playing<'a> {
    spec: &'a GameSpec,
    means: Means<'a>,
    /// Which try of the game it is, from 1.
    number: u8,
    /// What it is called before bots.
    name: String,
    game: Game,
    recorder: Recorder,
    bots: ByPower<Box<dyn Bot>>,
    dice: ByPower<Stream>,
    nature: Seeded,
}

impl<'a> Playing<'a> {
    /// A game at its start, of which the bots have been told.
    pub fn new(spec: &'a GameSpec, means: Means<'a>, referee: &Referee) -> Playing<'a> {
        let game = Game::new(Arc::clone(means.variant), spec.last_year);
        let mut playing = Playing {
            name: name(spec, 1, &game),
            bots: means.bots_of(spec),
            dice: ByPower::from_fn(game.powers(), |power| dice(spec, 1, power)),
            nature: spec.nature(),
            recorder: Recorder::new(spec, &game),
            spec,
            means,
            number: 1,
            game,
        };
        playing.open(referee);
        playing
    }

    /// Tells the bots of the game.
    fn open(&mut self, referee: &Referee) {
        open(&self.game, referee, &mut Seats { bots: &mut self.bots, dice: &mut self.dice }, &self.name);
    }

    /// Which game it is.
    pub fn spec(&self) -> &'a GameSpec {
        self.spec
    }

    /// Which try of the game it is, the game, and what is recorded so far.
    pub fn look(&self) -> (u8, &Game, &GameRecord) {
        (self.number, &self.game, self.recorder.record())
    }

    /// Is it over?
    pub fn is_over(&self) -> bool {
        self.game.stage() == Stage::Over
    }

    /// The seats that the bot of this number plays, for its ensemble.
    pub fn seats_of(&mut self, bot: usize) -> impl Iterator<Item = WaitingSeat<'_>> {
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

    /// Plays the stage that the game waits for. A game that is void stands at its start afterwards.
    pub fn stage(&mut self, referee: &mut Referee) {
        let mut seats = Seats { bots: &mut self.bots, dice: &mut self.dice };
        play_stage(&mut self.game, referee, &mut seats, &mut self.nature, &mut self.recorder);
        for (power, fault) in self.recorder.take_faults() {
            let rule = self.means.faults;
            match rule.policy {
                FaultPolicy::Forfeit if rule.answers(fault) => {
                    self.recorder.forfeit(power);
                    self.bots[power] = Box::new(Absent);
                }
                FaultPolicy::Replay if rule.answers(fault) && self.number < rule.tries => {
                    return self.begin_again(referee);
                }
                _ => {}
            }
        }
    }

    /// The game is void: it is played from its start, with other dice.
    fn begin_again(&mut self, referee: &Referee) {
        self.number += 1;
        self.game = Game::new(Arc::clone(self.means.variant), self.spec.last_year);
        self.name = name(self.spec, self.number, &self.game);
        self.recorder = self.recorder.begin_again(self.spec, &self.game);
        self.bots = self.means.bots_of(self.spec);
        self.dice = ByPower::from_fn(self.game.powers(), |power| dice(self.spec, self.number, power));
        self.nature = self.spec.nature();
        self.open(referee);
    }

    /// The record of a game that is over, of which the bots are told.
    pub fn finish(mut self, referee: &Referee) -> GameRecord {
        close(&self.game, referee, &mut Seats { bots: &mut self.bots, dice: &mut self.dice });
        self.recorder.finish(&self.game)
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
