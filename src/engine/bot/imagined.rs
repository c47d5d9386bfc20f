//! The game as one power knows it, for bots that think ahead: to be played on by the same engine, and gone afterwards.

use super::Observation;
use crate::game::Game;
use crate::rules::mechanism::exemption::Exempted;
use crate::rules::nature::Seeded;
use upheaval_map::ids::{Power, ProvinceId};
use upheaval_map::rng::Stream;

/// A game as a power imagines it. Nothing done to it touches the real one.
#[derive(Clone, Debug)]
pub struct Imagined {
    /// The game, with a guess in the place of each secret.
    pub game: Game,
    /// What may happen in it. It has nothing to do with what will happen.
    pub nature: Seeded,
}

impl Observation<'_> {
    /// The game as this power knows it: all that lies open and its own secrets as they are, and the secrets of others
    /// guessed with these dice, as is nature. Other dice give another guess.
    pub fn imagined(&self, dice: &mut Stream) -> Imagined {
        let mut game = self.game.clone();
        for power in Power::ALL {
            if power != self.power {
                let centre = self.guess_exempt(power, dice);
                let announced = self.announced[power];
                // Whether it may change, or has, would tell where the exempt centre was.
                game.exemptions_mut()[power] = Exempted { centre, announced, ..Exempted::default() };
            }
        }
        Imagined { game, nature: Seeded { seed: dice.next_u64(), block: 0 } }
    }

    /// The exempt centre that a power may well have: the one announced, or any home centre that has not been a hole
    /// yet. None before the first orders, and of who is out.
    fn guess_exempt(&self, power: Power, dice: &mut Stream) -> Option<ProvinceId> {
        if self.game.variant().exemption().is_none()
            || self.game.are_first_orders()
            || self.position.is_out(power)
        {
            return None;
        }
        let homes = self.homes[power];
        self.announced[power].or_else(|| homes.iter().nth(dice.below(homes.len() as u32) as usize))
    }
}
