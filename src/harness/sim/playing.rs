//! A game that is being played, stage by stage, into its record.

use std::sync::Arc;

use super::amended::{Amended, Amendment, Fate};
use super::dice::Dice;
use super::faults::{FaultPolicy, FaultRule};
use super::recorded::{RecordedGame, RecordedSeats};
use super::recorder::Recorder;
use super::schedule::GameSpec;
use crate::record::GameRows;
use upheaval_engine::bot::{Bot, BotMaker, WaitingSeat};
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::play::{Seats, close, open, open_seat, play_stage};
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::rng::Stream;

/// The means of playing games: their variant, the bots by number, and the policy for faults.
#[derive(Clone, Copy)]
pub(super) struct Means<'a> {
    pub variant: &'a Arc<Variant>,
    pub bots: &'a [BotMaker],
    pub faults: &'a FaultRule,
    /// The record from which seats decide.
    pub recorded: Option<&'a RecordedSeats>,
}

impl Means<'_> {
    fn bots_of(self, spec: &GameSpec, record: Option<&Arc<RecordedGame>>) -> ByPower<Box<dyn Bot>> {
        let recorded = |power| self.recorded?.seat(record?, power);
        let made = |power| recorded(power).unwrap_or_else(|| self.bots[spec.seats[power]].make());
        ByPower::from_fn(self.variant.terrain.powers(), made)
    }
}

/// A game that is being played.
pub(crate) struct Playing<'a> {
    spec: &'a GameSpec,
    means: Means<'a>,
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
    pub(super) fn new(spec: &'a GameSpec, means: Means<'a>, referee: &Referee) -> Box<Playing<'a>> {
        let game = begun(spec, means);
        let record = means.recorded.map(RecordedSeats::game);
        let number = record.as_ref().map_or(1, |record| record.attempt());
        let thrown = spec.dice().of_try(number);
        let recorder = Recorder::new(spec, &game);
        // In a box: a game has some kilobytes, which would be copied wherever it is passed on.
        let mut playing = Box::new(Playing {
            name: name(spec, number, &game),
            bots: means.bots_of(spec, record.as_ref()),
            dice: thrown.openings(),
            thrown,
            nature: spec.nature().into(),
            recorder: match &record {
                Some(record) => recorder.after_attempts(number - 1, record.earlier_faults()),
                None => recorder,
            },
            record,
            spec,
            means,
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
    pub(crate) fn look(&self) -> (u8, &Game, &GameRows) {
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
            let rule = self.means.faults;
            match rule.policy {
                FaultPolicy::Forfeit if rule.answers(fault) => {
                    self.recorder.forfeit(power);
                    self.bots[power] = Box::new(());
                }
                FaultPolicy::Replay if rule.answers(fault) && self.number < rule.tries => {
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
        self.game = begun(self.spec, self.means);
        self.name = name(self.spec, self.number, &self.game);
        self.recorder = self.recorder.begin_again(self.spec, &self.game);
        self.bots = self.means.bots_of(self.spec, self.record.as_ref());
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
fn begun(spec: &GameSpec, means: Means<'_>) -> Game {
    Game::new(Arc::clone(means.variant), spec.last_year).stopped_by(spec.terms.stop)
}

/// The name of a game for bots: `standard/12`, and `standard/12/2` in its second attempt.
fn name(spec: &GameSpec, number: u8, game: &Game) -> String {
    let id = &game.variant().id;
    if number <= 1 { format!("{id}/{}", spec.game) } else { format!("{id}/{}/{number}", spec.game) }
}
