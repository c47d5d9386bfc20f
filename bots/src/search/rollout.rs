//! Rollouts: games continued from what a power knows, with its own candidate orders and sampled orders of the
//! others.

use std::mem;

use upheaval_engine::ask::{Handicap, Imagined, Observation};
use upheaval_engine::bot::{Bot, Decision, handicapped};
use upheaval_engine::game::{Ending, Game, Referee, Stage};
use upheaval_engine::ids::{ByPower, Location, Power, Powers, ProvinceSet, UnitKind};
use upheaval_engine::play::{Seats, ask, play_stage};
use upheaval_engine::rng::{Purpose, Stream};
use upheaval_engine::rules::answers::{Answers, Declarations};

use crate::Dumbbot;

/// The purpose of a stream of dice. Its number is part of the key.
#[derive(Clone, Copy)]
pub(super) enum StreamPurpose {
    /// Generating one of its own candidates.
    Candidate,
    /// Guessing the unknown parts of the game.
    Guess,
    /// The others' orders in a sample.
    Sample,
    /// The continuation of a rollout.
    Rollout,
    /// The final choice of a candidate.
    Choice,
    /// The order of equal candidates after a round.
    Round,
}

/// The stream for one part of a search. `root` is a draw from the seat's own dice.
pub(super) fn stream(root: u64, part: StreamPurpose, i: u64, power: Power) -> Stream {
    Stream::keyed(root, Purpose::Bot, &[part as u64, i, power.index() as u64])
}

/// Plays rollouts. Its bots and tables are reused.
pub(super) struct RolloutSimulator {
    bots: ByPower<Box<dyn Bot>>,
    referee: Referee,
    /// The current sample, in which all candidates are tried.
    scene: Option<Sample>,
    /// The final position of each candidate in it.
    ends: Vec<Game>,
    rating: Box<dyn Rating>,
}

/// A guess of the game with the others' orders.
struct Sample {
    imagined: Imagined,
    others: Box<Answers>,
    dice: ByPower<Stream>,
    power: Power,
    last_year: u16,
}

impl Default for RolloutSimulator {
    fn default() -> Self {
        RolloutSimulator::rated_by(Box::new(RuleOfThumb))
    }
}

/// The bots that play rollouts.
fn others(powers: Powers) -> ByPower<Box<dyn Bot>> {
    ByPower::from_fn(powers, |_| Box::new(Dumbbot::default()) as Box<dyn Bot>)
}

impl RolloutSimulator {
    /// A simulator whose final positions are rated by this.
    pub(super) fn rated_by(rating: Box<dyn Rating>) -> RolloutSimulator {
        let bots = others(Powers::STANDARD);
        RolloutSimulator { bots, referee: Referee::new(), scene: None, ends: Vec::new(), rating }
    }

    /// Guesses the game. Rollouts stop at the end of the `years`-th year, counting the current one as the
    /// first.
    pub(super) fn guess(&mut self, seen: &Observation<'_>, root: u64, sample: u64, years: u16) {
        self.seat(seen);
        self.scene = Some(Sample {
            imagined: seen.imagined(&mut stream(root, StreamPurpose::Guess, sample, seen.power)),
            others: Box::new(Answers::none(seen.powers())),
            // Every candidate gets the same dice, so that luck does not distort the comparison.
            dice: ByPower::from_fn(seen.powers(), |power| {
                stream(root, StreamPurpose::Rollout, sample, power)
            }),
            power: seen.power,
            last_year: seen.phase.year.saturating_add(years.max(1) - 1),
        });
    }

    /// Guesses the game and the others' orders in the movement that it waits for.
    pub(super) fn stage(&mut self, seen: &Observation<'_>, root: u64, sample: u64, years: u16) {
        self.guess(seen, root, sample, years);
        let Some(scene) = &mut self.scene else { return };
        let mut dice =
            ByPower::from_fn(seen.powers(), |power| stream(root, StreamPurpose::Sample, sample, power));
        let mut seats = Seats { bots: &mut self.bots, dice: &mut dice };
        scene.others = ask(&scene.imagined.game, &mut self.referee, &mut seats, &mut ());
        // Its own orders are those of a candidate, and nobody's exempt centre is guessed.
        scene.others.withdraw_orders(seen.power, seen.position.units_of(seen.power));
        scene.others.declared = Declarations::none(seen.powers());
    }

    /// Seats the bots of this board. The searcher's own bot has its handicap; those of others are unknown.
    fn seat(&mut self, seen: &Observation<'_>) {
        let denied = |power| if power == seen.power { seen.handicap } else { Handicap::NONE };
        let sits = self.bots.powers() == seen.powers()
            && self.bots.iter_mut().all(|(power, bot)| bot.handicap() == denied(power));
        if !sits {
            self.bots = others(seen.powers());
            self.bots[seen.power] = handicapped(Box::new(Dumbbot::default()), seen.handicap);
        }
    }

    /// Plays a candidate of a movement in the sample to the end.
    pub(super) fn play(&mut self, own: &[Decision]) {
        let Some(sample) = &self.scene else { return };
        let mut answers = sample.others.clone();
        own.iter().for_each(|decision| answers.put(sample.power, decision));
        let Imagined { mut game, mut nature } = sample.imagined.clone();
        game.settle(&mut self.referee, &answers, &mut nature, &mut ());
        let dice = sample.dice.clone();
        self.play_on(Imagined { game, nature }, dice);
    }

    /// The same for an answer to another question, to which the others' answers have not been sampled.
    pub(super) fn act(&mut self, own: &[Decision]) {
        let Some(sample) = &self.scene else { return };
        let Imagined { mut game, mut nature } = sample.imagined.clone();
        let (power, mut dice) = (sample.power, sample.dice.clone());
        let policy = mem::replace(&mut self.bots[power], Box::new(own.to_vec()));
        let mut seats = Seats { bots: &mut self.bots, dice: &mut dice };
        play_stage(&mut game, &mut self.referee, &mut seats, &mut nature, &mut ());
        self.bots[power] = policy;
        self.play_on(Imagined { game, nature }, dice);
    }

    fn play_on(&mut self, imagined: Imagined, mut dice: ByPower<Stream>) {
        let Some(sample) = &self.scene else { return };
        let Imagined { mut game, mut nature } = imagined;
        let mut seats = Seats { bots: &mut self.bots, dice: &mut dice };
        while goes_on(&game, sample.last_year) {
            play_stage(&mut game, &mut self.referee, &mut seats, &mut nature, &mut ());
        }
        self.ends.push(game);
    }

    /// The values of the candidates that were played in the sample, in order.
    pub(super) fn rated(&mut self, power: Power) -> Vec<f64> {
        let rated = self.rating.rate(&self.ends, power);
        self.ends.clear();
        rated
    }
}

fn goes_on(game: &Game, last_year: u16) -> bool {
    game.stage() != Stage::Over && game.phase().year <= last_year
}

/// Rates positions by the expected result of a power.
pub trait Rating: Send {
    /// The value of each of these games in its current state to the power: from 0 to 1, in the order given.
    fn rate(&mut self, games: &[Game], power: Power) -> Vec<f64>;
}

/// The power's share of the sum of squared strengths.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleOfThumb;

impl Rating for RuleOfThumb {
    fn rate(&mut self, games: &[Game], power: Power) -> Vec<f64> {
        games.iter().map(|game| rate(game, power)).collect()
    }
}

/// A centre, ...
const CENTRE: i64 = 10;
/// ... a unit, ...
const UNIT: i64 = 3;
/// ... and the deduction for a centre that others could enter in greater strength than could hold it.
const THREATENED: i64 = 4;

/// A win is 1, a loss 0; otherwise the value is the power's share of the sum of squared strengths: a large
/// power gains more by a centre than a small one, and any other large power reduces the shares of all.
fn rate(game: &Game, power: Power) -> f64 {
    if let Some(Ending::Solo(winner)) = game.ending() {
        return if *winner == power { 1.0 } else { 0.0 };
    }
    let strength = strengths(game);
    let all: i64 = strength.iter().map(|(_, strength)| strength * strength).sum();
    match all > 0 {
        true => (strength[power] * strength[power]) as f64 / all as f64,
        false => 0.0,
    }
}

/// The strength of each power: whole numbers, so that no sum depends on the order of the powers.
fn strengths(game: &Game) -> ByPower<i64> {
    let (board, position) = (game.terrain().board(), &game.world().position);
    let reaches = ByPower::from_fn(game.powers(), |power| {
        let mut once = ProvinceSet::EMPTY;
        let mut twice = ProvinceSet::EMPTY;
        for at in *position.units_of(power) {
            let Some(unit) = position.unit(at) else { continue };
            let mut near = match unit.kind {
                UnitKind::Army => *board.army_reach(at),
                UnitKind::Fleet => *board.fleet_reach(Location { province: at, coast: unit.coast }),
            };
            near.insert(at);
            twice |= once & near;
            once |= near;
        }
        [once, twice]
    });
    ByPower::from_fn(game.powers(), |power| {
        let centres = *position.centres_of(power) & *game.terrain().centres();
        let [own_once, own_twice] = reaches[power];
        let mut threatened = ProvinceSet::EMPTY;
        for (other, [once, twice]) in reaches.iter() {
            if other != power {
                threatened |= (*once - own_once) | (*twice - own_twice);
            }
        }
        let held = centres.len() as i64 * CENTRE + position.unit_count(power) as i64 * UNIT;
        held - (centres & threatened).len() as i64 * THREATENED
    })
}
