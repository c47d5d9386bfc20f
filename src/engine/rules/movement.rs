//! Adjudication of the movement phase: a pure function of board, rulebook, position and orders.
//!
//! # What is decided
//!
//! Three kinds of yes-or-no questions, each of which hangs on others:
//!
//! ```text
//!   move succeeds?   <- the supports of the move, of its rivals and of the defender; the move of the unit
//!                       that stands in the way; whether rivals really arrive by their convoys
//!   support given?   <- whether an attacker on the supporter arrives; whether it dislodges the supporter
//!   convoy intact?   <- the moves against the convoying fleets
//! ```
//!
//! Each answer starts as unknown. The strength of an attack is then not a number but a range, from the
//! supports that are surely given to those that are not surely cut, and a move is decided as soon as the
//! ranges do not overlap. That is sound in any order, so the solver merely sweeps over what is still open:
//!
//! 1. **Gather** (`gather.rs`): one pass over the units builds, for each province, the list of moves into it
//!    and, for each unit, the list of its supports. Nothing else looks at the orders again.
//! 2. **Sweep** (`decide.rs`): evaluate what is open until nothing changes. Nearly every position ends here.
//! 3. **Rings**: moves of which each only waits for the next to leave, round in a ring, all succeed.
//! 4. **Core** (`core.rs`): what is left hangs on itself. Take a knot of open questions that depends on
//!    nothing outside itself, and enumerate the answers that agree with the rules. Exactly one: it is the
//!    outcome. None or several: if a convoy is in the knot it is a paradox and the rulebook's
//!    [`ParadoxRule`](super::rulebook::ParadoxRule) speaks; if a landing is that hangs on its own fleet's move,
//!    it has no effect, unless all can succeed that can at all; else it is a circular movement and the moves succeed. Then sweep on.
//!
//! # Army/fleets
//!
//! An army that boards a fleet does so before anything moves: it is no piece of its own, and its province is empty. A
//! landing is a piece more, which attacks out of a sea and stands nowhere (`aboard.rs`):
//!
//! ```text
//!   landing arrives?   <- does the fleet that carries it get to the sea it lands from?
//! ```
//!
//! Nothing is allocated: an [`Adjudicator`] is a set of flat tables that are used again and again. Reasons
//! are not computed while deciding; [`Resolution::outcome`] works them out for the unit that is asked about.

mod aboard;
mod core;
mod decide;
mod gather;
mod outcome;
#[cfg(test)]
mod tests;
mod void;

pub use outcome::{Attack, Bounce, Disruption, Outcome};
pub use void::Void;

use crate::rules::boarding::Boarding;
use crate::rules::order::Orders;
use crate::rules::position::Position;
use crate::rules::rulebook::Rulebook;
use upheaval_map::ids::{ByProvince, CoastId, Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::Board;

/// How many pieces can be adjudicated. Every map has the Outside, where no unit can be, so that all units are among
/// them; landings on top of them count as long as there is room, which on no board so far has been short.
pub(crate) const MAX_PIECES: usize = 255;

/// The length of tables over pieces: one entry for each `u8`, so that no index is ever out of bounds.
const TABLE: usize = 256;

/// The index of no piece, and the end of every list of pieces.
const NONE: u8 = u8::MAX;

/// The answer to one question as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Open,
    No,
    Yes,
}

/// What a unit was ordered to do, once everything that cannot matter has been taken out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Stays: ordered to hold, or its order is void ([`Piece::void`]).
    Hold,
    /// Goes to [`Piece::to`].
    Move,
    /// Supports the piece [`Piece::subject`], whose battle is in [`Piece::to`].
    Support,
    /// Convoys the piece [`Piece::subject`].
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
    /// Ashore from the fleet that carries it, which is [`Piece::subject`].
    Ashore,
}

impl Travel {
    /// Does it go only if fleets do their part?
    #[inline]
    const fn needs_fleets(self) -> bool {
        !matches!(self, Travel::Direct)
    }

    /// Do fleets that convoy have a part in it?
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
    /// Destination of a move, or where the supported battle is.
    to: ProvinceId,
    to_coast: CoastId,
    power: Power,
    role: Role,
    travel: Travel,
    /// Does it leave its province even if its move fails? So does an army that a fleet of its own power ferries: it is
    /// aboard then (army/fleet rule 5).
    boards: bool,
    void: Option<Void>,
    /// The piece that is supported or convoyed; of a landing, the fleet. A support of landings counts for each of those
    /// that it names ([`Resolution::counts_for`]); this is one of them.
    subject: u8,
    /// For a move: the piece standing in its destination.
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

impl PieceList {
    const EMPTY: PieceList = PieceList { items: [0; MAX_PIECES], len: 0 };

    /// Adds a piece. No piece is put on one list twice, so there is always room.
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

/// How a movement phase came out. Filled by [`Adjudicator::resolve`].
#[derive(Clone)]
pub struct Resolution {
    /// The rules that these orders are judged by.
    rulebook: Rulebook,
    /// How many of the pieces are in use: first those of units in their provinces, then the landings.
    len: usize,
    /// How many of them are units in their provinces.
    standing: usize,
    /// The armies that went aboard a fleet before anything moved.
    boarding: Boarding,
    pieces: [Piece; TABLE],
    /// Those that move or land, ascending.
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
    /// The pieces whose `fleets_of` means something.
    has_fleets: ProvinceSet,
    /// The provinces with a fleet that convoys anything.
    convoying: ProvinceSet,
    /// The starts of armies whose convoy was struck by a paradox rule.
    struck: ProvinceSet,
    /// The provinces with an army.
    armies: ProvinceSet,
}

/// The solver with its tables. Make one for each thread and use it for every adjudication.
pub struct Adjudicator {
    resolution: Box<Resolution>,
    supports: PieceList,
    /// Fleets ordered to convoy.
    convoys: PieceList,
    /// Armies ordered to a neighbour by `VIA`, and armies ordered to where they cannot walk.
    via: PieceList,
    overseas: PieceList,
    /// Armies that travel by convoy.
    convoyed: PieceList,
    /// Pieces about which something is still open.
    open: PieceList,
}

impl Default for Adjudicator {
    fn default() -> Self {
        Adjudicator::new()
    }
}

impl Adjudicator {
    /// An adjudicator with empty tables. This allocates; [`Adjudicator::resolve`] does not.
    pub fn new() -> Self {
        Adjudicator {
            resolution: Box::new(Resolution::empty()),
            supports: PieceList::EMPTY,
            convoys: PieceList::EMPTY,
            via: PieceList::EMPTY,
            overseas: PieceList::EMPTY,
            convoyed: PieceList::EMPTY,
            open: PieceList::EMPTY,
        }
    }

    /// Settles the orders.
    ///
    /// The orders should be legal. One that makes no sense (a move to a place out of reach, a support of
    /// nothing) does no harm: the unit holds and its outcome is [`Outcome::Void`].
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
                self.resolution.break_knot(board, self.open.as_slice());
                // The knot's own answers are there now: take them off the list.
                self.drop_decided();
            }
        }
        &self.resolution
    }

    /// The outcome of the last call of [`Adjudicator::resolve`].
    pub fn resolution(&self) -> &Resolution {
        &self.resolution
    }
}
