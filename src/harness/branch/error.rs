//! Why a game cannot be branched.

use crate::game_record::AgainError;

/// Why a game cannot be branched, or not in this way.
#[derive(Debug, thiserror::Error)]
pub enum BranchError {
    /// It cannot be played again at all.
    #[error(transparent)]
    Again(#[from] AgainError),
    /// The game never reached that moment.
    #[error("{game} never waits for {phase}: it goes from {first} to {last}")]
    NoMoment {
        /// The game.
        game: String,
        /// The moment as it was asked for.
        phase: String,
        /// Its first phase.
        first: String,
        /// Its last phase.
        last: String,
    },
    /// Nature makes no such draw in this season.
    #[error("{game}: nothing is drawn to {what} in {season}, so there is nothing to change")]
    NothingDrawn {
        /// The game.
        game: String,
        /// The purpose of the draw: `become holes`.
        what: &'static str,
        /// The season: `F1902`.
        season: String,
    },
    /// The province cannot be drawn.
    #[error("{game}: `{province}` cannot be drawn in {season}: {why}")]
    Ineligible {
        /// The game.
        game: String,
        /// The province.
        province: String,
        /// The season: `F1902`.
        season: String,
        /// The reason.
        why: Why,
    },
    /// The new draw equals the actual one.
    #[error("{game}: `{province}` was drawn in {season} anyway; name another, or leave it out")]
    SameDraw {
        /// The game.
        game: String,
        /// The province.
        province: String,
        /// The season.
        season: String,
    },
    /// An order cannot be given.
    #[error("{game}, {phase}: the order `{order}`: {why}")]
    Order {
        /// The game.
        game: String,
        /// The phase.
        phase: String,
        /// The order.
        order: String,
        /// What is wrong with it.
        why: String,
    },
    /// No orders are given in this phase.
    #[error(
        "{phase} waits only for coasts of fleets, and no orders are given in it; name another phase, such as S1903M"
    )]
    NoOrders {
        /// The phase.
        phase: String,
    },
    /// The season has no seismic phase.
    #[error("{game}: {season} has no seismic phase, so there is no quake to change")]
    NoQuakes {
        /// The game.
        game: String,
        /// The season: `F1902`.
        season: String,
    },
    /// The bot that would take a seat decides for many games at once.
    #[error(
        "the bot `{0}` decides for many games at once and cannot take a seat in the middle of one; name another"
    )]
    Ensemble(String),
    /// A bot answered differently before the fork.
    #[error(
        "{game} is not repeatable: it differs before {phase} when it is played again, although nothing was changed yet; a bot \
         answers differently from the first time"
    )]
    NotRepeatable {
        /// The game.
        game: String,
        /// The phase.
        phase: String,
    },
    /// A bot was at fault, and by the experiment's policy the game was started again.
    #[error("{game} was void and was started again, so its moments are ambiguous")]
    Void {
        /// The game.
        game: String,
    },
}

/// Why a province cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// There is no province of this name.
    #[error("the map has no province of this name then")]
    Unknown,
    /// It is a hole already.
    #[error("it is a hole already")]
    Hole,
    /// It is a power's exempt centre.
    #[error("it is the exempt centre of a power")]
    Exempt,
    /// It is not of the kind that the variant draws.
    #[error("it is not of the kind that this variant draws")]
    Sort,
}
