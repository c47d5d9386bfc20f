//! Outcomes and their reasons, derived from the settled tables on request.

use std::fmt;

use crate::rules::movement::{NONE, Piece, PieceList, Resolution, Role, Travel, Verdict};
use crate::rules::order::Orders;
use crate::rules::position::{Dislodged, Position, Retreats, Unit};
use arrayvec::ArrayVec;
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};

/// The outcome of a unit's order. It is a separate question whether the unit was also dislodged:
/// [`Resolution::dislodged_by`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The unit moved, its support was given, its convoy was intact, or it held.
    Succeeded,
    /// The move failed.
    Bounced(Bounce),
    /// The support was cut by the attack from this province.
    Cut {
        /// The origin of the attack.
        by: ProvinceId,
    },
    /// No complete route was ordered for the army, which therefore stayed.
    NoConvoy,
    /// For an army: its convoy was disrupted. For a fleet: it is the reason why the convoy was disrupted.
    Disrupted(Disruption),
    /// The order could not matter.
    Void(Void),
}

/// The reason why a move bounced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounce {
    /// The unit in the destination withstood the attack, or won the head-to-head battle.
    Defended {
        /// The original place of that unit: the destination.
        by: ProvinceId,
    },
    /// The unit in the destination stayed and belongs to the mover's own power.
    OwnUnit {
        /// The destination.
        at: ProvinceId,
    },
    /// Other units moved there with at least equal strength.
    Rivals(ProvinceSet),
    /// A paradox rule that makes every move of the paradox fail ([`super::super::rulebook::ParadoxRule`]).
    Paradox,
}

/// Why a convoy failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disruption {
    /// These fleets were dislodged.
    Dislodged(ProvinceSet),
    /// The convoy is part of a paradox.
    Paradox,
}

/// The provinces of a set, one after the other, as `name` gives them.
pub(crate) fn listed<S: fmt::Display>(set: ProvinceSet, name: impl Fn(ProvinceId) -> S) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        let mut texts = set.iter().map(&name);
        texts.next().map_or(Ok(()), |first| write!(f, "{first}"))?;
        texts.try_for_each(|text| write!(f, ", {text}"))
    })
}

impl Outcome {
    /// The result word (docs/adjudicate.md), without the `dislodged` that may follow it.
    pub const fn word(&self) -> &'static str {
        match self {
            Outcome::Succeeded => "ok",
            Outcome::Bounced(_) => "bounce",
            Outcome::Cut { .. } => "cut",
            Outcome::NoConvoy => "no convoy",
            Outcome::Disrupted(_) => "disrupted",
            Outcome::Void(_) => "void",
        }
    }

    /// The outcome as written after an order: `bounce with A MUN`. `unit` names the unit that was in a
    /// province when the orders were given.
    pub fn display<N, S>(self, unit: N) -> impl fmt::Display
    where
        N: Fn(ProvinceId) -> S,
        S: fmt::Display,
    {
        fmt::from_fn(move |f| match &self {
            Outcome::Succeeded => f.write_str("succeeded"),
            Outcome::Bounced(Bounce::Defended { by }) => write!(f, "bounce with {}", unit(*by)),
            Outcome::Bounced(Bounce::OwnUnit { at }) => {
                write!(f, "bounce with {} of the same power", unit(*at))
            }
            Outcome::Bounced(Bounce::Rivals(set)) => write!(f, "bounce with {}", listed(*set, &unit)),
            Outcome::Bounced(Bounce::Paradox) => f.write_str("bounce in a convoy paradox"),
            Outcome::Cut { by } => write!(f, "cut by {}", unit(*by)),
            Outcome::NoConvoy => f.write_str("no convoy was ordered"),
            Outcome::Disrupted(Disruption::Dislodged(set)) => {
                write!(f, "disrupted, dislodged was {}", listed(*set, &unit))
            }
            Outcome::Disrupted(Disruption::Paradox) => f.write_str("disrupted by a convoy paradox"),
            Outcome::Void(void) => write!(f, "void, {}", void.name()),
        })
    }
}

/// The attack that dislodged a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attack {
    /// Its origin.
    pub from: ProvinceId,
    /// Did it come by convoy?
    pub convoyed: bool,
}

impl Resolution {
    fn piece_in(&self, province: ProvinceId) -> Option<(u8, &Piece)> {
        let i = self.piece_at[province];
        (i != NONE).then(|| (i, self.piece(i)))
    }

    fn yes(&self, i: u8) -> bool {
        self.verdict[i as usize] == Verdict::Yes
    }

    /// Did the unit that was here move away?
    pub fn moved(&self, from: ProvinceId) -> bool {
        self.piece_in(from).is_some_and(|(i, piece)| piece.role == Role::Move && self.yes(i))
    }

    /// The origin of the unit that moved into this province, and how it came.
    fn entered(&self, province: ProvinceId) -> Option<Attack> {
        let a = self.attackers(province).find(|&a| self.yes(a))?;
        Some(Attack { from: self.piece(a).at, convoyed: self.by_convoy(a) == Verdict::Yes })
    }

    /// The place before the movement of the unit that is here after it; `None` if there is none, or an army that landed.
    pub(crate) fn origin(&self, at: ProvinceId) -> Option<ProvinceId> {
        match self.attackers(at).find(|&a| self.yes(a)).map(|a| self.piece(a)) {
            Some(mover) => (mover.role == Role::Move).then_some(mover.at),
            None => self.piece_in(at).filter(|_| !self.vacated(at)).map(|_| at),
        }
    }

    /// Has the unit that was here left, by moving or by boarding a fleet?
    fn vacated(&self, from: ProvinceId) -> bool {
        self.piece_in(from)
            .is_some_and(|(i, piece)| piece.role == Role::Move && self.vacates(i) == Verdict::Yes)
    }

    /// The attack that dislodged the unit that was here, if it was dislodged.
    pub fn dislodged_by(&self, at: ProvinceId) -> Option<Attack> {
        let attack = self.entered(at)?;
        self.piece_in(at)?;
        if self.vacated(at) { None } else { Some(attack) }
    }

    /// The outcome of the order to the unit that was here; `None` if there was none.
    pub fn outcome(&self, at: ProvinceId) -> Option<Outcome> {
        if self.embarked().contains(at) {
            return Some(Outcome::Succeeded);
        }
        let (i, piece) = self.piece_in(at)?;
        Some(match piece.role {
            Role::Hold => piece.void.map_or(Outcome::Succeeded, Outcome::Void),
            Role::Support => self.support_outcome(i),
            Role::Convoy => self.convoy_outcome(piece),
            Role::Move => self.move_outcome(i),
        })
    }

    /// The outcome of the power's order to land from this sea; `None` if there was none.
    pub fn landing_outcome(&self, power: Power, sea: ProvinceId) -> Option<Outcome> {
        let i = self.landing_of(power, sea)?;
        let landing = self.piece(i);
        Some(match landing.void {
            Some(void) => Outcome::Void(void),
            None if self.gets_to_its_sea(i) == Verdict::No => Outcome::Void(Void::DidNotSail),
            None if self.arrives(i) == Verdict::No => Outcome::Void(Void::UndoesItself),
            None => self.move_outcome(i),
        })
    }

    fn support_outcome(&self, i: u8) -> Outcome {
        if self.yes(i) {
            return Outcome::Succeeded;
        }
        let support = self.piece(i);
        let cuts = |a: &u8| {
            let attacker = self.piece(*a);
            attacker.power != support.power
                && if attacker.at == support.to { self.yes(*a) } else { self.arrives(*a) == Verdict::Yes }
        };
        // The attacker that dislodged it, or else any.
        let by = self.attackers(support.at).filter(cuts).max_by_key(|&a| self.yes(a));
        Outcome::Cut { by: by.map_or(support.at, |a| self.piece(a).at) }
    }

    fn convoy_outcome(&self, fleet: &Piece) -> Outcome {
        if self.entered(fleet.at).is_some() {
            return Outcome::Disrupted(Disruption::Dislodged(ProvinceSet::single(fleet.at)));
        }
        let army = self.piece(fleet.subject);
        // If a paradox rule made the convoy fail, the attacked fleets are the cause.
        if self.struck.contains(army.at) && self.attackers(fleet.at).next().is_some() {
            Outcome::Disrupted(Disruption::Paradox)
        } else {
            Outcome::Succeeded
        }
    }

    fn move_outcome(&self, i: u8) -> Outcome {
        let piece = self.piece(i);
        if self.yes(i) {
            return Outcome::Succeeded;
        }
        if self.arrives(i) == Verdict::No {
            if piece.void == Some(Void::NoRoute) {
                return Outcome::NoConvoy;
            }
            let lost: ProvinceSet =
                self.fleets_of[i as usize].iter().filter(|&f| self.entered(f).is_some()).collect();
            return Outcome::Disrupted(if self.struck.contains(piece.at) || lost.is_empty() {
                Disruption::Paradox
            } else {
                Disruption::Dislodged(lost)
            });
        }
        let stays = piece.occupant != NONE && !self.vacated(piece.to);
        let swapped = piece.occupant != NONE && self.head_to_head(i) == Verdict::Yes;
        if stays || swapped {
            let defender = self.piece(piece.occupant);
            let attack = self.strength_against(i, defender.power).min;
            let hold = if defender.role == Role::Move && !swapped {
                1
            } else {
                self.strength(piece.occupant, None).min
            };
            if defender.power == piece.power {
                return Outcome::Bounced(Bounce::OwnUnit { at: piece.to });
            }
            if attack <= hold {
                return Outcome::Bounced(Bounce::Defended { by: piece.to });
            }
        }
        let attack = self.strength(i, None).min;
        let rivals: ProvinceSet = self
            .attackers(piece.to)
            .filter(|&a| a != i && (self.yes(a) || self.prevents(a).max >= attack))
            .map(|a| self.piece(a).at)
            .collect();
        Outcome::Bounced(if rivals.is_empty() {
            if stays { Bounce::Defended { by: piece.to } } else { Bounce::Paradox }
        } else {
            Bounce::Rivals(rivals)
        })
    }

    /// The moves with this verdict, ascending. The list is built without a branch for each move, because a
    /// processor cannot predict which moves succeed.
    fn moves_that_came(&self, out: Verdict) -> PieceList {
        let mut list = PieceList::default();
        for &i in self.moves.as_slice() {
            list.items[list.len] = i;
            list.len += usize::from(self.verdict[i as usize] == out);
        }
        list
    }

    /// The provinces that a stand-off left empty; units cannot retreat there.
    pub fn contested(&self) -> ProvinceSet {
        let mut contested = ProvinceSet::EMPTY;
        for &i in self.moves_that_came(Verdict::No).as_slice() {
            let piece = self.piece(i);
            let vacant = piece.occupant == NONE || self.vacated(piece.to);
            if vacant && self.prevents(i).max > 0 && self.entered(piece.to).is_none() {
                contested.insert(piece.to);
            }
        }
        contested
    }

    /// Carries out the moves. `position` and `orders` must be those that were settled. Dislodged units are
    /// removed from the position and listed in ascending order of their provinces.
    pub fn apply_into(&self, position: &mut Position, orders: &Orders, retreats: &mut Retreats) {
        retreats.clear();
        retreats.contested = self.contested();
        let mut arrivals = ArrayVec::<(ProvinceId, Unit), { super::MAX_PIECES }>::new();
        if self.rulebook.army_fleets.allowed() {
            self.load(position, orders);
            for (fleet, to) in self.landed() {
                let power = self.piece(self.piece_at[fleet]).power;
                arrivals.push((to, Unit::army(power)));
            }
        }
        let mut entered = ProvinceSet::EMPTY;
        for &i in self.moves_that_came(Verdict::Yes).as_slice() {
            let Piece { at, to, to_coast: coast, travel, .. } = *self.piece(i);
            entered.insert(to);
            if travel != Travel::Ashore
                && let Some(unit) = position.take(at)
            {
                arrivals.push((to, Unit { coast, ..unit }));
            }
        }
        // A unit that is still where another arrives is dislodged.
        for at in entered & *position.occupied() {
            let (Some(attack), Some(unit)) = (self.entered(at), position.take(at)) else { continue };
            retreats.dislodged.push(Dislodged {
                unit,
                at,
                attacker: Some(attack.from),
                attacker_convoyed: attack.convoyed,
            });
        }
        for (to, unit) in &arrivals {
            position.place(*to, *unit);
        }
        self.transform(position, orders);
    }
}

// Orders that cannot matter, and the reasons.

upheaval_map::named! {
    /// Why an order could not matter.
    #[derive(Hash)]
    pub enum Void {
        /// The place is out of the unit's reach.
        OutOfReach = "out of reach",
        /// There is no unit to support or convoy.
        NoUnit = "no such unit",
        /// The supported unit moves, but the support is for holding.
        UnitMoves = "the supported unit moves",
        /// The supported or convoyed unit has a different order.
        OtherOrder = "the other unit's order is another",
        /// The supported fleet goes to another coast.
        OtherCoast = "the supported fleet goes to another coast",
        /// Only a fleet at sea can convoy.
        NotAtSea = "only a fleet at sea can convoy",
        /// No complete route was ordered.
        NoRoute = "no whole route was ordered",
        /// An army/fleet cannot enter a coastal province.
        StaysAtSea = "an army/fleet stays at sea",
        /// An army/fleet cannot convoy another army.
        Laden = "an army/fleet convoys no other army",
        /// The army has no such coast on which to become a fleet.
        NoCoast = "it has no such coast",
        /// The fleet is not there, belongs to another power, is at a coast, has an army aboard or is to take two.
        CannotBoard = "it cannot board that fleet",
        /// There is no army aboard that could land.
        NobodyAboard = "no army is aboard",
        /// The fleet is not ordered to the sea that the army is to land from.
        OtherSea = "the fleet is not ordered to the sea that the landing names",
        /// The fleet did not get to the sea that the army is to land from.
        DidNotSail = "the fleet did not get to the sea that the landing names",
        /// The landing would have kept its own fleet from that sea.
        UndoesItself = "the landing would keep its own fleet from the sea that it names",
    }
}
