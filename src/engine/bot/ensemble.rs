//! Bots that decide for many seats at once: a neural network takes hardly longer for a hundred boards than
//! for one.
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
    /// Creates a seat. It returns the answers that [`Ensemble::decide`] has stored in it, and none if that
    /// was not called.
    fn seat(&self) -> Box<dyn Bot>;

    /// Decides the answers of these seats in the stage that their games wait for. Each seat was created by
    /// this ensemble; those of one game are consecutive, in the order of the powers. Seats that will not be
    /// asked anything are included.
    fn decide(&self, seats: Vec<WaitingSeat<'_>>);
}

/// A seat of an [`Ensemble`] in a game that waits for a stage.
pub struct WaitingSeat<'a> {
    /// The id of the game ([`Brief::game`](super::Brief::game)).
    pub name: &'a str,
    /// Its number in the run.
    pub number: u32,
    /// The game, including secrets: the ensemble is responsible for using only what the seat's power may see.
    pub game: &'a Game,
    /// The power.
    pub power: Power,
    /// The seat's own dice.
    pub dice: &'a mut Stream,
    /// The seat ([`Bot::as_any`]).
    pub bot: &'a mut dyn Bot,
}
