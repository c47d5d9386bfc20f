//! Why a game does not go on otherwise.

use crate::game_record::AgainError;

/// Why a game cannot be branched, or not so.
#[derive(Debug, thiserror::Error)]
pub enum BranchError {
    /// It cannot be played again at all.
    #[error(transparent)]
    Again(#[from] AgainError),
    /// The game never came to that moment.
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
    /// Nature draws nothing of the sort then.
    #[error("{game}: nothing is drawn to {what} in {season}, so there is nothing to amend")]
    NothingDrawn {
        /// The game.
        game: String,
        /// What for: `become holes`.
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
        /// Why not.
        why: Why,
    },
    /// What is drawn instead is what was drawn.
    #[error("{game}: `{province}` was drawn in {season} as it is; name another, or leave it out")]
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
    /// No orders are given then.
    #[error(
        "{phase} waits for coasts of fleets alone, and no orders are given then; name another phase, such as S1903M"
    )]
    NoOrders {
        /// The phase.
        phase: String,
    },
    /// The season has no seismic phase.
    #[error("{game}: {season} has no seismic phase, so there is no quake to amend")]
    NoQuakes {
        /// The game.
        game: String,
        /// The season: `F1902`.
        season: String,
    },
    /// The bot that is to take a seat decides for many games at once.
    #[error(
        "the bot `{0}` decides for many games at once and cannot take a seat in the middle of one; name another"
    )]
    Ensemble(String),
    /// A bot did otherwise before the fork.
    #[error(
        "{game} is not repeatable: played again it stands otherwise before {phase}, although nothing was amended yet; a bot \
         answers otherwise than it did"
    )]
    NotRepeatable {
        /// The game.
        game: String,
        /// The phase.
        phase: String,
    },
    /// A bot was at fault, and the experiment's policy is that the game begins again.
    #[error("{game} was void and began again: no moment of it says where it was")]
    Void {
        /// The game.
        game: String,
    },
}

/// Why a province cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// There is none of this name.
    #[error("the map has no province of this name then")]
    Unknown,
    /// It is a hole already.
    #[error("it is a hole already")]
    Hole,
    /// It is a power's exempt centre.
    #[error("it is the exempt centre of a power")]
    Exempt,
    /// It is not of the sort that the variant draws.
    #[error("it is not of the sort that this variant draws")]
    Sort,
}
