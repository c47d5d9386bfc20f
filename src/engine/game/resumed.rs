//! Games resumed in the middle, and the results of finished games for the powers.

use std::cmp::Reverse;
use std::sync::Arc;

use super::{AfterCoasts, EmptyWinters, Ending, Game, Stage};
use crate::rules::event::{Event, Log};
use crate::rules::finish::{self, Finish};
use crate::rules::game_state::GameState;
use crate::rules::mechanism::FirstOrders;
use crate::rules::position::{Phase, PhaseKind};
use crate::rules::variant::Variant;
use upheaval_map::ids::{ByPower, Power};

impl Ending {
    /// The corresponding log entry.
    pub(super) fn event(&self) -> Event {
        match self {
            Ending::Solo(winner) => Event::Won(*winner),
            Ending::Draw(powers) => Event::Drawn(powers.clone()),
        }
    }
}

impl Game {
    /// A game resumed with this world, before this phase.
    pub fn resumed(variant: Arc<Variant>, last_year: u16, mut world: GameState, phase: Phase) -> Game {
        let stage = match phase.kind {
            PhaseKind::Movement => Stage::Movement,
            PhaseKind::Seismic => Stage::Seismic,
            PhaseKind::Retreats => Stage::Retreats,
            PhaseKind::Adjustments => Stage::Adjustments,
        };
        let first_orders = match (variant.first_phase..=variant.first_movement()).contains(&phase) {
            true => FirstOrders::Yes,
            false => FirstOrders::No,
        };
        let powers = world.terrain.powers();
        world.coastless = variant.seismic().map(|seismic| seismic.coastless);
        Game {
            variant,
            last_year,
            world,
            phase,
            stage,
            first_orders,
            after_coasts: AfterCoasts::Seismic,
            eliminated: ByPower::new(powers),
            ending: None,
            empty_winters: EmptyWinters::Passed,
            watch: Default::default(),
        }
    }

    /// The same game, with these powers eliminated earlier, each in its year.
    pub fn with_eliminated(self, eliminated: ByPower<Option<u16>>) -> Game {
        Game { eliminated, ..self }
    }

    /// The same game, waiting for adjustments in every Winter, even without any possible build or required
    /// removal. The course of the game is unaffected; only empty Winters become stages of their own.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use upheaval_engine::game::{Game, Stage};
    /// # use upheaval_engine::prelude::*;
    /// let standard = Arc::new(Variant::find("standard", "".as_ref())?.expect("it ships"));
    /// let mut game = Game::new(standard, 1910).asking_every_winter();
    /// # use upheaval_engine::{game::Referee, rules::{answers::Answers, nature::Seeded}};
    /// # let (mut referee, mut nature) = (Referee::new(), Seeded { seed: 1, block: 0 });
    /// for _ in 0..2 {
    ///     // Every unit holds.
    ///     game.settle(&mut referee, &Answers::none(game.powers()), &mut nature, &mut ());
    /// }
    /// assert_eq!((game.phase().to_string().as_str(), game.stage()), ("W1901A", Stage::Adjustments));
    /// assert!(game.powers().iter().all(|power| !game.has_adjustments(power)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn asking_every_winter(self) -> Game {
        Game { empty_winters: EmptyWinters::Asked, ..self }
    }

    /// Ends the game after the phase that was played last, for a reason that is not on the board. Either its
    /// players agreed on an ending or one conceded, which is logged; or the game was abandoned and has no
    /// ending.
    pub fn stop(&mut self, last: Phase, ending: Option<Ending>, log: &mut dyn Log) {
        (self.phase, self.stage) = (last, Stage::Over);
        if let Some(ending) = ending {
            log.event(last, &self.world.terrain, &ending.event());
            self.ending = Some(ending);
        }
    }

    /// Is the game over because no power was left? Then every power is eliminated, even one with a centre but
    /// no unit after the last Winter of `last-survivor` (rules.md 4.13).
    pub fn is_deserted(&self) -> bool {
        matches!(&self.ending, Some(Ending::Draw(powers)) if powers.is_empty())
    }

    /// The year in which an eliminated power was eliminated; if no power was left, the last year for those
    /// eliminated then.
    pub fn eliminated_in(&self, power: Power) -> Option<u16> {
        self.eliminated[power].or_else(|| self.is_deserted().then_some(self.phase.year))
    }

    /// Each power's place in a game that is over, from 1 ([`crate::rules::finish`]).
    pub fn places(&self) -> ByPower<u8> {
        let position = &self.world.position;
        let shares =
            |power: Power| matches!(&self.ending, Some(Ending::Draw(powers)) if powers.contains(&power));
        finish::places(&ByPower::from_fn(self.powers(), |power| {
            if matches!(self.ending, Some(Ending::Solo(winner)) if winner == power) {
                Finish::Won
            } else if (position.is_out(power) || self.is_deserted()) && !shares(power) {
                Finish::Fell(Reverse(self.eliminated_in(power).unwrap_or(0)))
            } else {
                let centres = position.centres_of(power).len();
                Finish::Stood(Reverse(u16::try_from(centres).unwrap_or(u16::MAX)))
            }
        }))
    }
}
