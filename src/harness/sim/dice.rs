//! The dice of the bots of a game.
//!
//! A bot has separate dice for each stage, keyed by block, game, seat, year, season and stage. The number of draws in
//! one stage therefore does not affect the next, and two games that differ in a rule have the same dice wherever their
//! positions are the same: they diverge where the positions do, and not at the first draw more or less.

use upheaval_engine::game::Game;
use upheaval_map::ids::{ByPower, Power, Powers};
use upheaval_map::rng::{Purpose, Stream, Streams};

/// The dice of the bots of a game.
#[derive(Clone, Debug)]
pub struct Dice {
    of: Throw,
    /// The streams of each seat, one stream for each moment of a game.
    seats: ByPower<Streams>,
}

/// The key of a game's dice, in addition to seat and moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Throw {
    seed: u64,
    block: u64,
    game: u64,
    /// The number of the attempt at the game, from 1.
    number: u8,
    /// The number of the future, from 0: the game itself.
    future: u32,
}

impl Throw {
    /// The streams of a seat for a purpose. The bot is not in the key: replacing one bot does not change the dice of
    /// the others.
    fn streams(&self, purpose: Purpose, power: Power) -> Streams {
        let variety = u64::from(self.future) << 8 | u64::from(self.number);
        let key = [self.block, self.game, power.index() as u64, variety];
        // The key of the first attempt at the game itself does not contain these numbers.
        let length = key.len() - usize::from(variety <= 1);
        Streams::keyed(self.seed, purpose, &key[..length])
    }

    fn dice(self, powers: Powers) -> Dice {
        let streams = |power| self.streams(Purpose::BotStage, power);
        Dice { of: self, seats: ByPower::from_fn(powers, streams) }
    }
}

impl Dice {
    /// The dice of the first attempt at a game of a block, under this root seed.
    pub(crate) fn new(seed: u64, block: u64, game: u64, powers: Powers) -> Dice {
        Throw { seed, block, game, number: 1, future: 0 }.dice(powers)
    }

    /// The dice of another attempt at the game, counted from 1.
    pub(crate) fn of_try(self, number: u8) -> Dice {
        let of = Throw { number, ..self.of };
        self.keyed(of)
    }

    /// The dice of another future of the game; 0 is the game itself.
    pub(crate) fn of_future(self, future: u32) -> Dice {
        let of = Throw { future, ..self.of };
        self.keyed(of)
    }

    fn keyed(self, of: Throw) -> Dice {
        if of == self.of { self } else { of.dice(self.seats.powers()) }
    }

    /// The draws of a seat before the game begins.
    pub(crate) fn opening(&self, power: Power) -> Stream {
        self.of.streams(Purpose::Bot, power).stream(0)
    }

    /// The draws of all seats before the game begins.
    pub fn openings(&self) -> ByPower<Stream> {
        ByPower::from_fn(self.seats.powers(), |power| self.opening(power))
    }

    /// Gives each seat its dice for the stage that the game waits for.
    pub fn hand_out(&self, game: &Game, seats: &mut ByPower<Stream>) {
        let moment = game.moment();
        for (power, dice) in seats.iter_mut() {
            *dice = self.seats[power].stream(moment);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use upheaval_engine::game::{Game, Referee};
    use upheaval_engine::rules::answers::Answers;
    use upheaval_engine::rules::nature::Seeded;
    use upheaval_engine::rules::variant::Variant;

    fn game() -> Game {
        let variant = Variant::find("standard", "".as_ref()).unwrap().unwrap();
        Game::new(Arc::new(variant), 1910)
    }

    /// Every unit holds.
    fn pass(game: &mut Game) {
        let mut nature = Seeded { seed: 1, block: 0 };
        game.settle(&mut Referee::new(), &Answers::none(game.powers()), &mut nature, &mut ());
    }

    #[test]
    fn each_game_seat_moment_try_and_future_has_dice_of_its_own() {
        let (first, mut later) = (game(), game());
        pass(&mut later);
        let mut seen = BTreeSet::new();
        for (block, number) in [(0, 0), (0, 1), (1, 1)] {
            for of_try in 1..4 {
                for future in 0..3 {
                    let dice = Dice::new(7, block, number, Powers::STANDARD).of_try(of_try).of_future(future);
                    let mut thrown = dice.openings();
                    for game in [None, Some(&first), Some(&later)] {
                        game.into_iter().for_each(|game| dice.hand_out(game, &mut thrown));
                        assert!(thrown.iter_mut().all(|(_, stream)| seen.insert(stream.next_u64())));
                    }
                }
            }
        }
    }

    #[test]
    fn what_was_drawn_in_a_stage_changes_nothing_in_the_next() {
        let (mut game, dice) = (game(), Dice::new(7, 0, 0, Powers::STANDARD));
        let [mut thrifty, mut wasteful] = [dice.openings(), dice.openings()];
        for _ in 0..3 {
            dice.hand_out(&game, &mut thrifty);
            dice.hand_out(&game, &mut wasteful);
            for power in game.powers() {
                assert_eq!(thrifty[power].next_u64(), wasteful[power].next_u64());
                (0..power.index()).for_each(|_| {
                    wasteful[power].next_u64();
                });
            }
            pass(&mut game);
        }
    }
}
