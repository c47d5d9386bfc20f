//! Armies that board fleets and land from them.

use crate::rules::order::{Landing, Order, Orders};
use crate::rules::position::{Cargo, Position, Unit};
use crate::rules::rulebook::ArmyBecomesFleet;
use upheaval_map::ids::{ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::Board;

use super::{MAX_UNITS, NONE, Piece, Resolution, Role, Travel, Verdict, Void};

impl Resolution {
    /// Rule 1: who boards is aboard before anything moves. Of two armies ordered aboard one fleet neither is.
    pub(super) fn embark(&mut self, board: &Board, position: &Position, orders: &Orders) {
        let free = (*position.fleets() & *board.sea()) - *position.laden();
        let mut crowded = ProvinceSet::EMPTY;
        let mut boarding = ProvinceSet::EMPTY;
        let can_board = |army: ProvinceId, fleet: ProvinceId| {
            let power = |at| position.unit(at).map(|unit| unit.power);
            free.contains(fleet) && board.seas_next_to(army).contains(fleet) && power(army) == power(fleet)
        };
        let boarders = |army: ProvinceId| match orders[army] {
            Order::Embark { fleet } if can_board(army, fleet) => Some((army, fleet)),
            _ => None,
        };
        let armies = self.armies;
        for (_, fleet) in armies.iter().filter_map(boarders) {
            if boarding.contains(fleet) {
                crowded.insert(fleet);
            }
            boarding.insert(fleet);
        }
        self.boarded = boarding - crowded;
        let aboard = armies.iter().filter_map(boarders).filter(|(_, fleet)| !crowded.contains(*fleet));
        self.embarked = aboard.map(|(army, _)| army).collect();
    }

    /// Does the unit have an army aboard when the movement begins?
    pub(super) fn is_laden(&self, at: ProvinceId, unit: Unit) -> bool {
        unit.is_laden() || self.boarded.contains(at)
    }

    /// Makes the pieces of the landings (rule 3), behind those of the units.
    pub(super) fn land(&mut self, board: &Board, position: &Position, orders: &Orders) {
        for &Landing { fleet, from, to } in orders.landings() {
            let carrier = self.piece_at[fleet];
            let Some(unit) = position.unit(fleet).filter(|_| carrier != NONE && self.len < MAX_UNITS) else {
                continue;
            };
            let i = self.len as u8;
            self.len += 1;
            let Piece { at, to: goal, role, power, .. } = *self.piece(carrier);
            // Rule 4: from the sea that the fleet sails to, or where it stays.
            let there = if role == Role::Move { goal } else { at };
            let void = if !self.is_laden(fleet, unit) {
                Some(Void::NobodyAboard)
            } else if there != from || !board.sea().contains(from) {
                Some(Void::OtherSea)
            } else if !board.land().contains(to) || !board.fleet_reach_any(from).contains(to) {
                Some(Void::OutOfReach)
            } else {
                None
            };
            let mut piece = Piece { at: from, to, power, void, subject: carrier, ..Piece::EMPTY };
            if void.is_none() {
                self.moves.push(i);
                piece.role = Role::Move;
                piece.travel = Travel::Ashore;
                piece.next_attacker = self.first_attacker[to];
                self.first_attacker[to] = i;
            }
            self.pieces[i as usize] = piece;
            self.verdict[i as usize] = Verdict::Open;
            self.convoy[i as usize] = Verdict::Open;
        }
    }

    /// Is the piece an army that lands?
    pub(super) fn is_landing(&self, i: u8) -> bool {
        self.piece(i).travel == Travel::Ashore
    }

    /// Rule 4: does the fleet get to where the army lands from, or is it there?
    pub(super) fn gets_to_its_sea(&self, i: u8) -> Verdict {
        let carrier = self.piece(i).subject;
        if self.piece(carrier).role == Role::Move { self.verdict[carrier as usize] } else { Verdict::Yes }
    }

    /// The landing that a support is for: that of the army whose fleet is there already before that of one which is
    /// still to come. A fleet does not support the army that it carries itself.
    pub(super) fn landing_to_support(
        &self,
        supporter: u8,
        from: ProvinceId,
        to: ProvinceId,
    ) -> Result<u8, Void> {
        let mut landings = (self.standing as u8..self.len as u8).filter(|&i| {
            let landing = self.piece(i);
            landing.role == Role::Move
                && landing.at == from
                && landing.to == to
                && landing.subject != supporter
        });
        let first = landings.next().ok_or(Void::OtherOrder)?;
        let is_there = |&i: &u8| self.piece(self.piece(i).subject).at == from;
        Ok(Some(first).filter(is_there).or_else(|| landings.find(is_there)).unwrap_or(first))
    }

    /// Rule 5: an army that a fleet of its own power ferries has left its province, whether it can land or not.
    pub(super) fn board_ferry(&mut self, i: u8) {
        let piece = self.piece(i);
        let boards = self.rulebook.army_fleets.allowed()
            && piece.travel == Travel::Convoy
            && piece.void.is_none()
            && self.ferry(i).is_some();
        self.pieces[i as usize].boards = boards;
    }

    /// The fleet of its own power that an army is aboard if it cannot land: one that is not dislodged before one that
    /// is, then the first by province.
    pub(super) fn ferry(&self, i: u8) -> Option<ProvinceId> {
        let Piece { at, power, .. } = *self.piece(i);
        if !self.has_fleets.contains(at) {
            return None;
        }
        let own = |fleet: &ProvinceId| self.piece(self.piece_at[*fleet]).power == power;
        let fleets = || self.fleets_of[i as usize].iter().filter(own);
        let safe =
            |fleet: &ProvinceId| self.attackers(*fleet).all(|a| self.verdict[a as usize] != Verdict::Yes);
        fleets().find(safe).or_else(|| fleets().next())
    }

    /// The armies that a fleet of their own ferried and that could not land, with that fleet.
    pub fn stranded(&self) -> impl Iterator<Item = (ProvinceId, ProvinceId)> + use<'_> {
        (0..self.standing as u8).filter_map(|i| {
            let piece = self.piece(i);
            let stays = piece.boards && self.verdict[i as usize] != Verdict::Yes;
            if stays { self.ferry(i).map(|fleet| (piece.at, fleet)) } else { None }
        })
    }

    /// The armies that went aboard before anything moved, by where they stood.
    pub fn embarked(&self) -> &ProvinceSet {
        &self.embarked
    }

    /// The armies that landed: the province of the fleet at the beginning, and where they are now.
    pub fn landed(&self) -> impl Iterator<Item = (ProvinceId, ProvinceId)> + use<'_> {
        (self.standing as u8..self.len as u8).filter_map(|i| {
            let landing = self.piece(i);
            let landed = landing.role == Role::Move && self.verdict[i as usize] == Verdict::Yes;
            landed.then(|| (self.piece(landing.subject).at, landing.to))
        })
    }

    /// The piece of the army that was to land from the fleet which stood here.
    pub(super) fn landing_of(&self, fleet: ProvinceId) -> Option<u8> {
        let carrier = self.piece_at[fleet];
        (self.standing as u8..self.len as u8).find(|&i| carrier != NONE && self.piece(i).subject == carrier)
    }

    /// Puts the armies where they are when the movement is over but for those that landed: aboard. `position` is the
    /// one before.
    pub(super) fn load(&self, position: &mut Position, orders: &Orders) {
        for army in self.embarked {
            if let Order::Embark { fleet } = orders[army] {
                position.take(army);
                position.set_cargo(fleet, Cargo::Army { seasons: 0 });
            }
        }
        for (army, fleet) in self.stranded() {
            position.take(army);
            position.set_cargo(fleet, Cargo::Army { seasons: 0 });
        }
        for (fleet, _) in self.landed() {
            position.set_cargo(fleet, Cargo::Nothing);
        }
    }

    /// The armies that were to become fleets and were not dislodged (rules.md 6.6).
    pub fn transformed(&self, orders: &Orders) -> ProvinceSet {
        if self.rulebook.army_becomes_fleet == ArmyBecomesFleet::No {
            return ProvinceSet::EMPTY;
        }
        let ordered = |piece: &&Piece| {
            piece.void.is_none()
                && matches!(orders[piece.at], Order::Transform { .. })
                && self.dislodged_by(piece.at).is_none()
        };
        self.pieces[..self.standing].iter().filter(ordered).map(|piece| piece.at).collect()
    }

    /// Makes fleets of them.
    pub(super) fn transform(&self, position: &mut Position, orders: &Orders) {
        for at in self.transformed(orders) {
            if let (Order::Transform { coast }, Some(unit)) = (orders[at], position.unit(at)) {
                position.place(at, Unit::new(UnitKind::Fleet, unit.power, coast));
            }
        }
    }
}
