//! The game as one power knows it, for bots that think ahead: the same engine plays it, and it is then
//! discarded.

use super::Observation;
use crate::game::{Game, StopRule};
use crate::rules::game_state::{Exempted, ExemptionChange};
use crate::rules::mechanism::exemption::{Changing, Lapse, Unnamed};
use crate::rules::nature::Seeded;
use upheaval_map::ids::{Power, ProvinceId};
use upheaval_map::rng::Stream;

/// A game as a power imagines it. Changes to it do not affect the real one.
#[derive(Clone, Debug)]
pub struct Imagined {
    /// The game, with a guess in place of each secret.
    pub game: Game,
    /// The random events of the imagined game, unrelated to those of the real one.
    pub nature: Seeded,
}

impl Observation<'_> {
    /// The game as this power knows it: all public information and its own secrets are kept, while the
    /// secrets of others and all random events are guessed with these dice. Different dice give a different
    /// guess.
    pub fn imagined(&self, dice: &mut Stream) -> Imagined {
        // Nor does the power know the rule by which the organiser would stop the game.
        let mut game = self.public.game.clone().stopped_by(StopRule::default());
        for power in self.public.game.powers() {
            if power != self.power {
                let centre = self.guess_exempt(power, dice);
                let announced = self.announced(power).filter(|_| centre.is_some());
                // Whether it may change or has changed would reveal the exempt centre.
                game.exemptions_mut()[power] = Exempted { centre, announced, ..Exempted::default() };
            }
        }
        Imagined { game, nature: Seeded { seed: dice.next_u64(), block: 0 } }
    }

    /// A plausible exempt centre of the power: the announced one, or any home centre that existed from the
    /// start and, unless the choice can be changed, has never been a hole. There is none before the first
    /// orders and where the exemption has lapsed. Where a power need not have one, `None` is as likely as
    /// each centre.
    fn guess_exempt(&self, power: Power, dice: &mut Stream) -> Option<ProvinceId> {
        let variant = self.public.game.variant();
        let rule = variant.exemption().filter(|_| !self.public.game.are_first_orders())?;
        let world = self.public.game.world();
        // All powers have seen a power's elimination, and know what lapses with it.
        let gone = self.position.is_out(power) || world.exemptions[power].change == ExemptionChange::Lapsed;
        if gone && rule.lapse == Lapse::Eliminated {
            return None;
        }
        let homes = self.homes[power];
        if let Some(announced) = self.announced(power).filter(|&centre| homes.contains(centre)) {
            return Some(announced);
        }
        // The second half of a split province has no part in its exemption (rules.md 4.11).
        let mut likely = homes & variant.terrain.homes()[power];
        if rule.change == Changing::Never {
            likely -= world.past_holes;
        }
        let none = usize::from(rule.unnamed == Unnamed::None);
        likely.iter().nth(dice.below((likely.len() + none) as u32) as usize)
    }
}
