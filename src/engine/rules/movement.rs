//! Adjudication of the movement phase: a pure function of board, rulebook, position and orders.
//!
//! # What is decided
//!
//! Three kinds of yes-or-no questions, each of which depends on others:
//!
//! ```text
//!   move succeeds?   <- the supports of the move, of its rivals and of the defender; the move of the unit
//!                       that occupies the destination; whether rivals really arrive by their convoys
//!   support given?   <- whether an attacker on the supporter arrives; whether it dislodges the supporter
//!   convoy intact?   <- the moves against the convoying fleets
//! ```
//!
//! Each answer starts as unknown. The strength of an attack is then not a number but a range, from the
//! supports that are certainly given to those that are not certainly cut, and a move is decided as soon as
//! the ranges do not overlap. This is sound in any order, so the solver simply sweeps over the open
//! questions:
//!
//! 1. **Gather** (`gather.rs`): one pass over the units builds, for each province, the list of moves into it
//!    and, for each unit, the list of its supports. No later step looks at the orders again.
//! 2. **Sweep** (`decide.rs`): evaluate open questions until nothing changes. Nearly every position ends
//!    here.
//! 3. **Rings**: moves in a ring, each of which only waits for the next to leave, all succeed.
//! 4. **Core** (`core.rs`): the remaining questions depend on themselves. Take a knot of open questions that
//!    depends on nothing outside itself, and enumerate the answers that are consistent with the rules. If
//!    there is exactly one, it is the outcome. Otherwise, if a convoy is in the knot, it is a paradox and the
//!    rulebook's [`ParadoxRule`](super::rulebook::ParadoxRule) decides; if there is a landing that depends on
//!    its own fleet's move, it has no effect, unless all moves that can succeed at all can succeed together;
//!    else it is a circular movement and the moves succeed. Then continue to sweep.
//!
//! # Army/fleets
//!
//! An army that boards a fleet does so before anything moves: it is not a piece of its own, and its province
//! is empty. A landing is an additional piece, which attacks out of a sea and does not occupy a province
//! (`aboard.rs`):
//!
//! ```text
//!   landing arrives?   <- does the fleet that carries it get to the sea it lands from?
//! ```
//!
//! Nothing is allocated: an [`Adjudicator`] is a set of flat tables that are reused. Reasons are not computed
//! while deciding; [`Resolution::outcome`] derives them for a given unit on request.

mod aboard;
mod core;
mod decide;
mod gather;
mod outcome;

pub(crate) use crate::rules::movement::outcome::listed;
pub use crate::rules::movement::outcome::{Attack, Bounce, Disruption, Outcome, Void};

use crate::rules::order::{Boarding, Orders};
use crate::rules::position::Position;
use crate::rules::rulebook::Rulebook;
use upheaval_map::ids::{ByProvince, CoastId, Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::Board;

/// The number of pieces that can be adjudicated. Every map has the Outside, which cannot have a unit, so that
/// all units fit; landings count as long as there is room for them, which has been enough on every board so
/// far.
pub(crate) const MAX_PIECES: usize = 255;

/// The length of tables over pieces: one entry for each `u8`, so that no index is ever out of bounds.
const TABLE: usize = 256;

/// The index that represents no piece, and the end of every list of pieces.
const NONE: u8 = u8::MAX;

/// The answer to one question as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Open,
    No,
    Yes,
}

/// The action of a unit, after everything that cannot matter has been removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// It stays: it is ordered to hold, or its order is void ([`Piece::void`]).
    Hold,
    /// It moves to [`Piece::to`].
    Move,
    /// It supports the piece [`Piece::subject`], whose battle is in [`Piece::to`].
    Support,
    /// It convoys the piece [`Piece::subject`].
    Convoy,
}

/// How a move travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Travel {
    /// By land, or a fleet.
    Direct,
    /// By convoy or not at all.
    Convoy,
    /// By convoy, and by land once the convoy is disrupted.
    ConvoyElseWalk,
    /// It lands from the fleet that carries it, which is [`Piece::subject`].
    Ashore,
}

impl Travel {
    /// Does the move depend on fleets?
    #[inline]
    const fn needs_fleets(self) -> bool {
        !matches!(self, Travel::Direct)
    }

    /// Does the move use convoying fleets?
    #[inline]
    const fn by_fleets(self) -> bool {
        matches!(self, Travel::Convoy | Travel::ConvoyElseWalk)
    }
}

/// A unit with its order. Pieces are numbered in the order of their provinces; lists of pieces are linked
/// through them, each ending in [`NONE`].
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Piece {
    at: ProvinceId,
    /// The destination of a move, or the province of the supported battle.
    to: ProvinceId,
    to_coast: CoastId,
    power: Power,
    role: Role,
    travel: Travel,
    /// Does it leave its province even if its move fails? This is also true for an army that a fleet of its
    /// own power ferries, because it is then aboard (army/fleet rule 5).
    boards: bool,
    void: Option<Void>,
    /// The piece that is supported or convoyed; for a landing, the fleet. A support of landings counts for
    /// each of those that it names ([`Resolution::counts_for`]); this is one of them.
    subject: u8,
    /// For a move: the piece in its destination.
    occupant: u8,
    /// For a move: is the occupant ordered to move the opposite way?
    opposed: bool,
    /// For a move: the next move to the same destination.
    next_attacker: u8,
    /// The first support for this piece (for its move, or for its staying). Landings from one sea into one province
    /// share the list.
    first_support: u8,
    /// For a support: the next support of the same piece.
    next_support: u8,
}

impl Piece {
    const EMPTY: Piece = Piece {
        at: ProvinceId(0),
        to: ProvinceId(0),
        to_coast: CoastId::FIRST,
        power: Power::AUSTRIA,
        role: Role::Hold,
        travel: Travel::Direct,
        boards: false,
        void: None,
        subject: NONE,
        occupant: NONE,
        opposed: false,
        next_attacker: NONE,
        first_support: NONE,
        next_support: NONE,
    };
}

/// A short list of pieces without allocation.
#[derive(Clone, Copy)]
struct PieceList {
    items: [u8; MAX_PIECES],
    len: usize,
}

impl Default for PieceList {
    fn default() -> PieceList {
        PieceList { items: [0; MAX_PIECES], len: 0 }
    }
}

impl PieceList {
    /// Adds a piece. A piece is added to a list at most once, so there is always room.
    #[inline]
    fn push(&mut self, piece: u8) {
        if let Some(slot) = self.items.get_mut(self.len) {
            *slot = piece;
            self.len += 1;
        }
    }

    #[inline]
    fn as_slice(&self) -> &[u8] {
        &self.items[..self.len]
    }
}

/// The outcome of a movement phase. Filled in by [`Adjudicator::resolve`].
#[derive(Clone)]
pub struct Resolution {
    /// The rules by which these orders are judged.
    rulebook: Rulebook,
    /// The number of pieces in use: first the units in their provinces, then the landings.
    len: usize,
    /// The number of units in their provinces.
    standing: usize,
    /// The armies that boarded a fleet before anything moved.
    boarding: Boarding,
    pieces: [Piece; TABLE],
    /// The pieces that move or land, ascending.
    moves: PieceList,
    /// The piece in a province.
    piece_at: ByProvince<u8>,
    /// The first move into a province.
    first_attacker: ByProvince<u8>,
    /// For a move: does it succeed? For a support: is it given?
    verdict: [Verdict; TABLE],
    /// For a move that travels by convoy: is its convoy intact? For a landing: is its fleet there?
    convoy: [Verdict; TABLE],
    /// For a move that travels by convoy: the fleets that convoy it.
    fleets_of: [ProvinceSet; TABLE],
    /// The pieces for which `fleets_of` is valid.
    has_fleets: ProvinceSet,
    /// The provinces with a fleet that convoys.
    convoying: ProvinceSet,
    /// The provinces of armies whose convoy a paradox rule made fail.
    struck: ProvinceSet,
    /// The provinces with an army.
    armies: ProvinceSet,
}

/// The solver with its tables. Create one for each thread and reuse it: creating one allocates, and
/// [`Adjudicator::resolve`] does not.
#[derive(Clone, Default)]
pub struct Adjudicator {
    resolution: Box<Resolution>,
    supports: PieceList,
    /// Fleets ordered to convoy.
    convoys: PieceList,
    /// Armies ordered to a neighbour by `VIA`, and armies ordered to a province that they cannot walk to.
    via: PieceList,
    overseas: PieceList,
    /// Armies that travel by convoy.
    convoyed: PieceList,
    /// Pieces with open questions.
    open: PieceList,
}

impl Adjudicator {
    /// Settles the orders.
    ///
    /// The orders should be legal. A meaningless order (a move to a place out of reach, a support of nothing)
    /// does no harm: the unit holds and its outcome is [`Outcome::Void`].
    pub fn resolve(
        &mut self,
        board: &Board,
        rulebook: &Rulebook,
        position: &Position,
        orders: &Orders,
    ) -> &Resolution {
        self.gather(board, rulebook, position, orders);
        self.first_sweep(board);
        while self.open.len > 0 {
            if !self.sweep(board) && !self.turn_rings() {
                // The next sweep removes the answers of the knot from the list.
                self.resolution.break_knot(board, self.open.as_slice());
            }
        }
        &self.resolution
    }

    /// The outcome of the last call of [`Adjudicator::resolve`].
    pub(crate) fn resolution(&self) -> &Resolution {
        &self.resolution
    }
}
