//! Bots that decide for many seats at once: a network takes hardly longer for a hundred boards than for one.
//!
//! ```text
//!  game 0 ─ its seats ─┐                         ┌─▶ seat: answers ─▶ the stage of game 0 is settled
//!  game 1 ─ its seats ─┼─▶ Ensemble::decide() ───┼─▶ seat: answers ─▶ the stage of game 1 is settled
//!  …                   ┘                         └─▶ …
//! ```

use super::Bot;
use crate::game::Game;
use upheaval_map::ids::Power;
use upheaval_map::rng::Stream;

/// A bot that decides for many seats at once, before the stages of their games.
pub trait Ensemble: Send + Sync {
    /// A seat. It answers what [`Ensemble::decide`] has put into it, and says nothing where that was not called.
    fn seat(&self) -> Box<dyn Bot>;

    /// Decides what these seats answer in the stage that the game of each waits for. Each is a seat that this ensemble has
    /// made; those of one game lie together, in the order of the powers. Seats that are asked nothing are among them.
    fn decide(&self, seats: Vec<WaitingSeat<'_>>);
}

/// A seat of an [`Ensemble`] in a game that waits for a stage.
pub struct WaitingSeat<'a> {
    /// What the game is called ([`Brief::game`](super::Brief::game)).
    pub name: &'a str,
    /// Its number in the run.
    pub number: u32,
    /// The game, secrets and all: what the seat's power may see of it is for the ensemble to keep to.
    pub game: &'a Game,
    /// The power.
    pub power: Power,
    /// The seat's own dice.
    pub dice: &'a mut Stream,
    /// The seat ([`Bot::as_any`]).
    pub bot: &'a mut dyn Bot,
}
