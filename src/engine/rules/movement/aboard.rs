//! Armies that board fleets and land from them.

use crate::rules::order::{Landing, Order, Orders};
use crate::rules::position::{Cargo, Position, Unit};
use crate::rules::rulebook::ArmyBecomesFleet;
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::Board;

use super::{MAX_PIECES, NONE, Piece, Resolution, Role, Travel, Verdict, Void};

impl Resolution {
    /// Creates the pieces of the landings (rule 3) after those of the units: one for each fleet that an order
    /// may refer to, or a void one.
    pub(super) fn land(&mut self, board: &Board, position: &Position, orders: &Orders) {
        for &landing in orders.landings() {
            let Landing { power, from, to } = landing;
            let on_shore = board.land().contains(to) && board.fleet_reach_any(from).contains(to);
            if !on_shore || !board.sea().contains(from) {
                self.push_landing(landing, NONE, Some(Void::OutOfReach));
                continue;
            }
            let fleets = self.boarding.landers(board, position, orders, power, from);
            if fleets.is_empty() {
                let void = self.why_nobody_lands(board, position, power, from);
                self.push_landing(landing, NONE, Some(void));
            }
            for fleet in fleets {
                self.push_landing(landing, self.piece_at[fleet], None);
            }
        }
    }

    /// Rule 4: no fleet with an army is ordered to be in that sea. Could there be one?
    fn why_nobody_lands(&self, board: &Board, position: &Position, power: Power, sea: ProvinceId) -> Void {
        let near = ProvinceSet::single(sea) | *board.seas_next_to(sea);
        let laden = *position.laden() | self.boarding.fleets;
        match (near & laden).intersects(position.units_of(power)) {
            true => Void::OtherSea,
            false => Void::NobodyAboard,
        }
    }

    fn push_landing(&mut self, Landing { power, from, to }: Landing, carrier: u8, void: Option<Void>) {
        if self.len >= MAX_PIECES {
            return;
        }
        let i = self.len as u8;
        self.len += 1;
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

    /// Is the piece an army that lands?
    pub(super) fn is_landing(&self, i: u8) -> bool {
        self.piece(i).travel == Travel::Ashore
    }

    /// Rule 4: does the fleet arrive at the sea that the army lands from, or is it already there?
    pub(super) fn gets_to_its_sea(&self, i: u8) -> Verdict {
        let carrier = self.piece(i).subject;
        if self.piece(carrier).role == Role::Move { self.verdict[carrier as usize] } else { Verdict::Yes }
    }

    /// Makes a piece the support of every landing from that sea into that province. Returns false if there is
    /// none except possibly that of the army that the piece carries itself.
    pub(super) fn back_landings(&mut self, supporter: u8, from: ProvinceId, to: ProvinceId) -> bool {
        let subject = self.landings_between(from, to).find(|&i| self.piece(i).subject != supporter);
        let Some(subject) = subject else { return false };
        self.tie_support(supporter, subject);
        let mut i = self.first_attacker[to];
        while i != NONE {
            let piece = &mut self.pieces[i as usize];
            if piece.travel == Travel::Ashore && piece.at == from {
                piece.first_support = supporter;
            }
            i = piece.next_attacker;
        }
        true
    }

    /// The landings from that sea into that province that are not void from the start.
    fn landings_between(&self, from: ProvinceId, to: ProvinceId) -> impl Iterator<Item = u8> {
        self.attackers(to).filter(move |&i| self.is_landing(i) && self.piece(i).at == from)
    }

    /// Does a support of landings count for this one (rule 3)? It counts for all landings that it names,
    /// except that a power supports its own army before all others unless its own landing is void. A fleet
    /// does not support the army that it carries itself.
    pub(super) fn counts_for(&self, support: u8, landing: u8) -> Verdict {
        let (power, Piece { at, to, power: of, subject, .. }) =
            (self.piece(support).power, *self.piece(landing));
        if subject == support {
            return Verdict::No;
        }
        if power == of {
            return Verdict::Yes;
        }
        let is_own = |&i: &u8| self.piece(i).power == power && self.piece(i).subject != support;
        let own = self.landings_between(at, to).filter(is_own);
        own.fold(Verdict::Yes, |counts, i| counts.and(self.arrives(i).not()))
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

    /// The fleet of its own power that an army is aboard if it cannot land: undislodged fleets come before
    /// dislodged ones, then the first by province.
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

    /// The armies that a fleet of their own power ferried and that could not land, with that fleet.
    pub fn stranded(&self) -> impl Iterator<Item = (ProvinceId, ProvinceId)> + use<'_> {
        (0..self.standing as u8).filter_map(|i| {
            let piece = self.piece(i);
            let stays = piece.boards && self.verdict[i as usize] != Verdict::Yes;
            if stays { self.ferry(i).map(|fleet| (piece.at, fleet)) } else { None }
        })
    }

    /// The armies that boarded before anything moved, by their original province.
    pub fn embarked(&self) -> &ProvinceSet {
        &self.boarding.armies
    }

    /// The armies that landed: the original province of the fleet, and the current province of the army.
    pub fn landed(&self) -> impl Iterator<Item = (ProvinceId, ProvinceId)> + use<'_> {
        (self.standing as u8..self.len as u8).filter_map(|i| {
            let landing = self.piece(i);
            let landed = landing.role == Role::Move && self.verdict[i as usize] == Verdict::Yes;
            landed.then(|| (self.piece(landing.subject).at, landing.to))
        })
    }

    /// The armies that tried to land and failed: the original province of each one's fleet, and the intended
    /// destination.
    pub(crate) fn stayed_aboard(&self) -> impl Iterator<Item = (ProvinceId, ProvinceId)> + use<'_> {
        (self.standing as u8..self.len as u8).filter_map(|i| {
            let landing = self.piece(i);
            let tried = landing.void.is_none() && self.gets_to_its_sea(i) == Verdict::Yes;
            let stayed = tried && self.verdict[i as usize] != Verdict::Yes;
            stayed.then(|| (self.piece(landing.subject).at, landing.to))
        })
    }

    /// The piece of the power's order to land from this sea; if several fleets were to be there, that of the
    /// one that arrived.
    pub(super) fn landing_of(&self, power: Power, sea: ProvinceId) -> Option<u8> {
        let is_meant = |&i: &u8| (self.piece(i).power, self.piece(i).at) == (power, sea);
        let mut pieces = (self.standing as u8..self.len as u8).filter(is_meant);
        let first = pieces.next()?;
        let got_there = |&i: &u8| self.is_landing(i) && self.gets_to_its_sea(i) == Verdict::Yes;
        Some(Some(first).filter(got_there).or_else(|| pieces.find(got_there)).unwrap_or(first))
    }

    /// Puts the armies that did not land aboard their fleets at the end of the movement. `position` is the
    /// one before.
    pub(super) fn load(&self, position: &mut Position, orders: &Orders) {
        for army in self.boarding.armies {
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

    /// The armies that were to become fleets and were not dislodged (rules.md 6.6), or not even attacked (ru02).
    pub fn transformed(&self, orders: &Orders) -> ProvinceSet {
        if self.rulebook.army_becomes_fleet == ArmyBecomesFleet::No {
            return ProvinceSet::EMPTY;
        }
        let ordered = |piece: &&Piece| {
            piece.void.is_none()
                && matches!(orders[piece.at], Order::Transform { .. })
                && match self.rulebook.army_becomes_fleet {
                    ArmyBecomesFleet::OwnedCentres => {
                        self.attackers(piece.at).all(|a| self.arrives(a) != Verdict::Yes)
                    }
                    _ => self.dislodged_by(piece.at).is_none(),
                }
        };
        self.pieces[..self.standing].iter().filter(ordered).map(|piece| piece.at).collect()
    }

    /// Turns them into fleets.
    pub(super) fn transform(&self, position: &mut Position, orders: &Orders) {
        for at in self.transformed(orders) {
            if let (Order::Transform { coast }, Some(unit)) = (orders[at], position.unit(at)) {
                position.place(at, Unit::new(UnitKind::Fleet, unit.power, coast));
            }
        }
    }
}
