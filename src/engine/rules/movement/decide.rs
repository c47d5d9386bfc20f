//! The rules as functions from known answers to new ones. Every function here returns `Yes` or `No` only if
//! the answer holds for all values of the open questions, so they can be called in any order.

use crate::rules::rulebook::{BeatenUnit, ParadoxRule, SeveralRoutes};
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::Board;

use super::gather::route_exists;
use super::{Adjudicator, NONE, Piece, Resolution, Role, Travel, Verdict};
use Verdict::{No, Open, Yes};

/// A strength that is known only within bounds.
#[derive(Clone, Copy)]
pub(super) struct Strength {
    pub(super) min: u8,
    pub(super) max: u8,
}

impl Strength {
    const ZERO: Strength = Strength { min: 0, max: 0 };
    const ONE: Strength = Strength { min: 1, max: 1 };

    /// The greater of two strengths.
    #[inline]
    fn or(self, other: Strength) -> Strength {
        Strength { min: self.min.max(other.min), max: self.max.max(other.max) }
    }

    #[inline]
    fn beats(self, other: Strength) -> Verdict {
        if self.min > other.max {
            Yes
        } else if self.max <= other.min {
            No
        } else {
            Open
        }
    }
}

impl Verdict {
    #[inline]
    pub(super) fn and(self, other: Verdict) -> Verdict {
        match (self, other) {
            (No, _) | (_, No) => No,
            (Yes, Yes) => Yes,
            _ => Open,
        }
    }

    #[inline]
    pub(super) fn not(self) -> Verdict {
        match self {
            Yes => No,
            No => Yes,
            Open => Open,
        }
    }

    /// The common answer of both cases, if there is one.
    #[inline]
    fn either(self, other: Verdict) -> Verdict {
        if self == other { self } else { Open }
    }
}

impl Resolution {
    #[inline]
    pub(super) fn piece(&self, i: u8) -> &Piece {
        &self.pieces[i as usize]
    }

    /// The moves into a province.
    #[inline]
    pub(super) fn attackers(&self, province: ProvinceId) -> Attackers<'_> {
        Attackers { resolution: self, next: self.first_attacker[province] }
    }

    /// Does the unit arrive at the border of its destination?
    #[inline]
    pub(super) fn arrives(&self, i: u8) -> Verdict {
        match self.piece(i).travel {
            Travel::Convoy | Travel::Ashore => self.convoy[i as usize],
            Travel::Direct | Travel::ConvoyElseWalk => Yes,
        }
    }

    /// Does the unit leave its province?
    #[inline]
    pub(super) fn vacates(&self, i: u8) -> Verdict {
        if self.piece(i).boards { Yes } else { self.verdict[i as usize] }
    }

    /// Does the move go by convoy?
    #[inline]
    pub(super) fn by_convoy(&self, i: u8) -> Verdict {
        match self.piece(i).travel {
            Travel::Direct | Travel::Ashore => No,
            Travel::Convoy => Yes,
            Travel::ConvoyElseWalk => self.convoy[i as usize],
        }
    }

    /// Is the move a head-to-head battle with the unit in its destination? Not if either is convoyed.
    #[inline]
    pub(super) fn head_to_head(&self, i: u8) -> Verdict {
        let piece = self.piece(i);
        if piece.opposed { self.by_convoy(i).not().and(self.by_convoy(piece.occupant).not()) } else { No }
    }

    /// One plus the supports of this piece, except those of a power whose support does not count.
    #[inline]
    pub(super) fn strength(&self, i: u8, without: Option<Power>) -> Strength {
        let mut strength = Strength::ONE;
        let Piece { first_support: mut s, travel, .. } = *self.piece(i);
        while s != NONE {
            let support = self.piece(s);
            if Some(support.power) != without {
                let mut given = self.verdict[s as usize];
                if travel == Travel::Ashore {
                    given = given.and(self.counts_for(s, i));
                }
                match given {
                    Yes => {
                        strength.min += 1;
                        strength.max += 1;
                    }
                    Open => strength.max += 1,
                    No => {}
                }
            }
            s = support.next_support;
        }
        strength
    }

    /// The strength of a move against a unit that stays: zero against its own power, and supports of a power
    /// do not help to dislodge its own unit (6.D.10 to 6.D.15, 6.E.7).
    #[inline]
    pub(super) fn strength_against(&self, i: u8, defender: Power) -> Strength {
        if self.piece(i).power == defender { Strength::ZERO } else { self.strength(i, Some(defender)) }
    }

    /// Was the moving unit dislodged by the unit in its destination, in the way that leaves it without effect
    /// there (4.A.7)?
    #[inline]
    fn beaten(&self, i: u8) -> Verdict {
        let piece = self.piece(i);
        if !piece.opposed || piece.boards {
            return No;
        }
        let lost = self.verdict[piece.occupant as usize];
        match self.rulebook.beaten_unit {
            BeatenUnit::HeadToHead => lost.and(self.head_to_head(i)),
            // The opposing unit may also have come while this one left, one of them by convoy.
            BeatenUnit::Never => lost.and(self.verdict[i as usize].not()),
        }
    }

    /// The strength with which a move keeps others out of its destination.
    #[inline]
    pub(super) fn prevents(&self, i: u8) -> Strength {
        let without_effect = self.arrives(i).not();
        let without_effect = match without_effect {
            Yes => Yes,
            _ => match (without_effect, self.beaten(i)) {
                (_, Yes) => Yes,
                (No, No) => No,
                _ => Open,
            },
        };
        match without_effect {
            Yes => Strength::ZERO,
            No => self.strength(i, None),
            Open => Strength { min: 0, max: self.strength(i, None).max },
        }
    }

    /// The result of a move if the unit in its destination leaves, and if it stays after failing to leave.
    #[inline]
    fn leaves_and_stays(&self, i: u8, rivals: Strength) -> (Verdict, Verdict) {
        let piece = self.piece(i);
        let leaves = self.strength(i, None).beats(rivals);
        let defender = self.piece(piece.occupant).power;
        (leaves, self.strength_against(i, defender).beats(rivals.or(Strength::ONE)))
    }

    #[inline]
    fn rivals(&self, i: u8) -> Strength {
        let mut rivals = Strength::ZERO;
        for other in self.attackers(self.piece(i).to) {
            if other != i {
                rivals = rivals.or(self.prevents(other));
            }
        }
        rivals
    }

    /// Does the move succeed?
    pub(super) fn move_verdict(&self, i: u8) -> Verdict {
        let piece = self.piece(i);
        let arrives = self.arrives(i);
        if arrives == No {
            return No;
        }
        let alone = self.first_attacker[piece.to] == i && piece.next_attacker == NONE;
        let rivals = if alone { Strength::ZERO } else { self.rivals(i) };
        let v = piece.occupant;
        if v == NONE {
            return if alone { arrives } else { arrives.and(self.strength(i, None).beats(rivals)) };
        }
        let defender = self.piece(v);
        if defender.role != Role::Move {
            let attack = self.strength_against(i, defender.power);
            return arrives.and(attack.beats(rivals.or(self.strength(v, None))));
        }
        let head_to_head = self.head_to_head(i);
        let battle = || self.strength_against(i, defender.power).beats(rivals.or(self.strength(v, None)));
        let passage = || {
            let (leaves, stays) = self.leaves_and_stays(i, rivals);
            match self.vacates(v) {
                Yes => leaves,
                No => stays,
                Open => leaves.either(stays),
            }
        };
        arrives.and(match head_to_head {
            Yes => battle(),
            No => passage(),
            Open => battle().either(passage()),
        })
    }

    /// Does the move succeed exactly if the unit in its destination leaves?
    fn only_waits(&self, i: u8) -> bool {
        let piece = self.piece(i);
        piece.role == Role::Move
            && piece.occupant != NONE
            && self.piece(piece.occupant).role == Role::Move
            && self.vacates(piece.occupant) == Open
            && self.arrives(i) == Yes
            && self.head_to_head(i) == No
            && self.leaves_and_stays(i, self.rivals(i)) == (Yes, No)
    }

    /// Is the support given?
    ///
    /// It is cut by any foreign unit that arrives, except one that comes from the province at which the
    /// support is directed: that one must dislodge the supporter (6.D.2 to 6.D.6, 6.D.15 to 6.D.17).
    pub(super) fn support_verdict(&self, i: u8) -> Verdict {
        let support = self.piece(i);
        let mut given = Yes;
        for a in self.attackers(support.at) {
            let attacker = self.piece(a);
            if attacker.power == support.power {
                continue;
            }
            let mut cuts = if attacker.at == support.to { self.verdict[a as usize] } else { self.arrives(a) };
            if attacker.travel.by_fleets() && self.cannot_cut_by_convoy(a, i) {
                cuts = cuts.and(self.by_convoy(a).not());
            }
            match cuts {
                Yes => return No,
                Open => given = Open,
                No => {}
            }
        }
        given
    }

    /// Do the rules of 1971 or 1982 (4.A.2) protect this support from this attacker, if it is convoyed?
    fn cannot_cut_by_convoy(&self, attacker: u8, support: u8) -> bool {
        let Piece { to, at, subject, .. } = *self.piece(support);
        if self.armies.contains(at) {
            return false;
        }
        match self.rulebook.paradox {
            ParadoxRule::Szykman | ParadoxRule::Dptg => false,
            // An attack on a convoying fleet of its own.
            ParadoxRule::Xii5 => {
                self.piece(subject).role == Role::Move && self.fleets_of[attacker as usize].contains(to)
            }
            // Any action in a sea with a convoying fleet.
            ParadoxRule::Rule1982 => self.convoying.contains(to),
        }
    }

    /// Is the convoy of this army intact? For a landing: is its fleet there?
    pub(super) fn convoy_verdict(&self, board: &Board, i: u8) -> Verdict {
        if self.is_landing(i) {
            return self.gets_to_its_sea(i);
        }
        let Piece { at, to, .. } = *self.piece(i);
        let fleets = self.fleets_of[i as usize];
        let (mut lost, mut unsure) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        for fleet in fleets {
            match self.dislodged(fleet) {
                Yes => lost.insert(fleet),
                Open => unsure.insert(fleet),
                No => {}
            }
        }
        match self.rulebook.several_routes {
            SeveralRoutes::AllRoutes => match (lost.is_empty(), unsure.is_empty()) {
                (false, _) => No,
                (true, true) => Yes,
                (true, false) => Open,
            },
            SeveralRoutes::AnyRoute => {
                if lost.is_empty() && unsure.is_empty() {
                    Yes
                } else if !route_exists(board, at, to, fleets - lost) {
                    No
                } else if unsure.is_empty() || route_exists(board, at, to, fleets - lost - unsure) {
                    Yes
                } else {
                    Open
                }
            }
        }
    }

    /// Is the unit in this province, which does not move, dislodged?
    fn dislodged(&self, province: ProvinceId) -> Verdict {
        let mut dislodged = No;
        for a in self.attackers(province) {
            match self.verdict[a as usize] {
                Yes => return Yes,
                Open => dislodged = Open,
                No => {}
            }
        }
        dislodged
    }

    /// Evaluates all questions about a piece again; returns true if there is a new answer.
    #[inline]
    pub(super) fn reconsider(&mut self, board: &Board, i: u8) -> bool {
        let mut news = false;
        let piece = self.piece(i);
        let is_move = piece.role == Role::Move;
        if is_move && piece.travel.needs_fleets() && self.convoy[i as usize] == Open {
            let verdict = self.convoy_verdict(board, i);
            self.convoy[i as usize] = verdict;
            news |= verdict != Open;
        }
        if self.verdict[i as usize] == Open {
            let verdict = if is_move { self.move_verdict(i) } else { self.support_verdict(i) };
            self.verdict[i as usize] = verdict;
            news |= verdict != Open;
        }
        news
    }

    /// Is anything about this piece still open?
    #[inline]
    pub(super) fn is_open(&self, i: u8) -> bool {
        let piece = self.piece(i);
        self.verdict[i as usize] == Open
            || piece.role == Role::Move && piece.travel.needs_fleets() && self.convoy[i as usize] == Open
    }
}

/// The moves into one province.
pub(super) struct Attackers<'a> {
    resolution: &'a Resolution,
    next: u8,
}

impl Iterator for Attackers<'_> {
    type Item = u8;
    #[inline]
    fn next(&mut self) -> Option<u8> {
        let i = self.next;
        if i == NONE {
            return None;
        }
        self.next = self.resolution.piece(i).next_attacker;
        Some(i)
    }
}

impl Adjudicator {
    /// Decides the easy questions and lists the others.
    pub(super) fn first_sweep(&mut self, board: &Board) {
        let r = &mut *self.resolution;
        for &i in self.supports.as_slice() {
            r.verdict[i as usize] = r.support_verdict(i);
            if r.verdict[i as usize] == Open {
                self.open.push(i);
            }
        }
        for &i in self.convoyed.as_slice() {
            if r.convoy[i as usize] == Open {
                r.convoy[i as usize] = r.convoy_verdict(board, i);
            }
        }
        for n in 0..r.moves.len {
            let i = r.moves.items[n];
            if r.is_landing(i) {
                r.convoy[i as usize] = r.gets_to_its_sea(i);
            }
            r.verdict[i as usize] = r.move_verdict(i);
            if r.is_open(i) {
                self.open.push(i);
            }
        }
    }

    /// Evaluates every open question again; returns true if there is a new answer.
    pub(super) fn sweep(&mut self, board: &Board) -> bool {
        let r = &mut *self.resolution;
        let mut news = false;
        let mut kept = 0;
        for n in 0..self.open.len {
            let i = self.open.items[n];
            news |= r.reconsider(board, i);
            self.open.items[kept] = i;
            kept += usize::from(r.is_open(i));
        }
        self.open.len = kept;
        news
    }

    /// Lets rings of moves succeed, each of which waits only for the next to leave (6.C.1); returns true if
    /// there was one. No other question can affect such a ring, so the search for knots would give the same
    /// answer.
    pub(super) fn turn_rings(&mut self) -> bool {
        let r = &mut *self.resolution;
        for &first in self.open.as_slice() {
            let mut i = first;
            for _ in 0..self.open.len {
                if !r.only_waits(i) {
                    break;
                }
                i = r.piece(i).occupant;
                if i == first {
                    loop {
                        r.verdict[i as usize] = Yes;
                        i = r.piece(i).occupant;
                        if i == first {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }
}
