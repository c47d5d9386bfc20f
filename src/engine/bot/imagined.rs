//! The game as one power knows it, for bots that think ahead: to be played on by the same engine, and gone afterwards.

use super::Observation;
use crate::game::{Game, StopRule};
use crate::rules::mechanism::exemption::{Changing, Lapse, Unnamed};
use crate::rules::nature::Seeded;
use crate::rules::world::{Change, Exempted};
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
        // Nor does it know when whoever has the game played would stop it.
        let mut game = self.game.clone().stopped_by(StopRule::default());
        for power in self.game.powers() {
            if power != self.power {
                let centre = self.guess_exempt(power, dice);
                let announced = self.announced(power);
                // Whether it may change, or has, would tell where the exempt centre was.
                game.exemptions_mut()[power] = Exempted { centre, announced, ..Exempted::default() };
            }
        }
        Imagined { game, nature: Seeded { seed: dice.next_u64(), block: 0 } }
    }

    /// The exempt centre that a power may well have: the one announced, or any home centre that was there from the start
    /// and, unless the choice can be changed, has never been a hole. None before the first orders and where the
    /// exemption has lapsed; and none may be the guess wherever a power need not have any, as likely as each centre.
    fn guess_exempt(&self, power: Power, dice: &mut Stream) -> Option<ProvinceId> {
        let variant = self.game.variant();
        let rule = variant.exemption().filter(|_| !self.game.are_first_orders())?;
        let world = self.game.world();
        // Everybody has seen a power go, and knows what lapses with it.
        let gone = self.position.is_out(power) || world.exemptions[power].change == Change::Lapsed;
        if gone && rule.lapse == Lapse::Eliminated {
            return None;
        }
        let homes = self.homes[power];
        if let Some(announced) = self.announced(power).filter(|&centre| homes.contains(centre)) {
            return Some(announced);
        }
        // The second half of a province that was split has no part in its exemption (rules.md 4.11).
        let mut likely = homes & variant.terrain.homes()[power];
        if rule.change == Changing::Never {
            likely -= world.past_holes;
        }
        let none = usize::from(rule.unnamed == Unnamed::None);
        likely.iter().nth(dice.below((likely.len() + none) as u32) as usize)
    }
}
