//! Plays the games of an experiment through the real engine.

use std::cell::RefCell;
use std::sync::Arc;

use super::recorder::Recorder;
use super::runner::Play;
use super::schedule::GameSpec;
use crate::bot::{Bot, BotKind};
use crate::game::{Game, Referee, Seats, play};
use crate::ids::{ByPower, Power};
use crate::record::GameRecord;
use crate::rules::variant::Variant;

/// The variants and bots of an experiment, in its order.
pub struct Player {
    variants: Vec<Arc<Variant>>,
    bots: Vec<BotKind>,
}

impl Player {
    /// A player of these variants and bots, numbered as the experiment's games number them.
    pub fn new(variants: Vec<Arc<Variant>>, bots: Vec<BotKind>) -> Player {
        Player { variants, bots }
    }
}

thread_local! {
    /// Each thread's tables, kept from game to game.
    static REFEREE: RefCell<Referee> = RefCell::new(Referee::new());
}

impl Play for Player {
    fn play(&self, spec: &GameSpec) -> GameRecord {
        let variant = Arc::clone(&self.variants[spec.variant]);
        let mut bots: ByPower<Box<dyn Bot>> = ByPower::from_fn(|power| (self.bots[spec.seats[power]].make)());
        let mut dice = ByPower::from_fn(|power: Power| spec.dice(power));
        let mut nature = spec.nature();
        let mut game = Game::new(variant, spec.last_year);
        let mut recorder = Recorder::new(spec, &game);
        let seats = Seats { bots: &mut bots, dice: &mut dice };
        REFEREE.with_borrow_mut(|referee| play(&mut game, referee, seats, &mut nature, &mut recorder));
        recorder.finish(&game)
    }
}
