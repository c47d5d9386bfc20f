//! The first pass: from orders to linked pieces. Anything that cannot matter is removed here, once.

use crate::rules::legal::connected;
use crate::rules::order::{Boarding, Order, Orders, Route, can_sail};
use crate::rules::position::{Position, Unit};
use crate::rules::rulebook::{
    AdjacentConvoy, Fallback, OwnFleetImpliesVia, ParadoxRule, Rulebook, SeveralRoutes, SupportCoast,
};
use upheaval_map::ids::{ByProvince, CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::Board;

use super::{
    Adjudicator, MAX_PIECES, NONE, Piece, PieceList, Resolution, Role, TABLE, Travel, Verdict, Void,
};

impl Default for Resolution {
    fn default() -> Self {
        Resolution {
            rulebook: Rulebook::R2023,
            len: 0,
            standing: 0,
            boarding: Boarding::NOBODY,
            pieces: [Piece::EMPTY; TABLE],
            moves: PieceList::default(),
            piece_at: ByProvince::filled(NONE),
            first_attacker: ByProvince::filled(NONE),
            verdict: [Verdict::Open; TABLE],
            convoy: [Verdict::Open; TABLE],
            fleets_of: [ProvinceSet::EMPTY; TABLE],
            has_fleets: ProvinceSet::EMPTY,
            convoying: ProvinceSet::EMPTY,
            struck: ProvinceSet::EMPTY,
            armies: ProvinceSet::EMPTY,
        }
    }
}

/// Can the unit go from its place to the province under its own power, whatever the coast?
#[inline]
fn reaches(board: &Board, at: ProvinceId, unit: Unit, to: ProvinceId) -> bool {
    match unit.kind {
        UnitKind::Army => board.army_reach(at).contains(to),
        UnitKind::Fleet => {
            unit.coast.0 < board.coasts(at)
                && board.fleet_reach(Location { province: at, coast: unit.coast }).contains(to)
        }
    }
}

/// The meaning of an order to move, before convoys are known.
enum Going {
    /// To a neighbour, without mention of a convoy.
    Direct,
    /// To a neighbour, by convoy.
    Via,
    /// Not to a neighbour: by convoy or not at all.
    Overseas,
    /// The unit cannot move.
    Not(Void),
}

fn going(board: &Board, at: ProvinceId, unit: Unit, to: Location, route: Route) -> Going {
    match unit.kind {
        UnitKind::Fleet => {
            if can_sail(board, at, unit, to) {
                Going::Direct
            } else {
                Going::Not(Void::OutOfReach)
            }
        }
        UnitKind::Army if to.province == at || !board.land().contains(to.province) => {
            Going::Not(Void::OutOfReach)
        }
        UnitKind::Army => match (board.army_reach(at).contains(to.province), route) {
            (true, Route::Direct) => Going::Direct,
            (true, Route::Convoy) => Going::Via,
            (false, _) => Going::Overseas,
        },
    }
}

impl Adjudicator {
    /// Builds the pieces and their lists.
    pub(super) fn gather(
        &mut self,
        board: &Board,
        rulebook: &Rulebook,
        position: &Position,
        orders: &Orders,
    ) {
        let r = &mut *self.resolution;
        r.rulebook = *rulebook;
        r.len = 0;
        r.moves.len = 0;
        r.piece_at = ByProvince::filled(NONE);
        r.first_attacker = ByProvince::filled(NONE);
        r.has_fleets = ProvinceSet::EMPTY;
        r.convoying = ProvinceSet::EMPTY;
        r.struck = ProvinceSet::EMPTY;
        r.armies = *position.occupied() - *position.fleets();
        r.boarding = match rulebook.army_fleets.allowed() {
            true => Boarding::of(board, position, orders),
            false => Boarding::NOBODY,
        };
        for list in [
            &mut self.supports,
            &mut self.convoys,
            &mut self.via,
            &mut self.overseas,
            &mut self.convoyed,
            &mut self.open,
        ] {
            list.len = 0;
        }
        for at in (*position.occupied() - r.boarding.armies).iter().take(MAX_PIECES) {
            let Some(unit) = position.unit(at) else { continue };
            let i = r.len as u8;
            r.len += 1;
            r.piece_at[at] = i;
            let mut piece = Piece { at, to: at, power: unit.power, ..Piece::EMPTY };
            r.verdict[i as usize] = Verdict::Open;
            match orders[at] {
                Order::Hold => {}
                Order::Move { to, .. }
                    if r.boarding.is_laden(at, unit) && !board.sea().contains(to.province) =>
                {
                    piece.void = Some(Void::StaysAtSea);
                }
                Order::Move { to, route } => match going(board, at, unit, to, route) {
                    Going::Not(void) => piece.void = Some(void),
                    going => {
                        match going {
                            Going::Overseas => self.overseas.push(i),
                            Going::Via => self.via.push(i),
                            _ => {}
                        }
                        r.moves.push(i);
                        piece.role = Role::Move;
                        piece.to = to.province;
                        piece.to_coast = if unit.kind == UnitKind::Army { CoastId::FIRST } else { to.coast };
                        piece.next_attacker = r.first_attacker[to.province];
                        r.first_attacker[to.province] = i;
                    }
                },
                Order::SupportHold { unit: to }
                | Order::SupportMove { to, .. }
                | Order::SupportLanding { to, .. } => {
                    piece.to = to;
                    let of_itself = matches!(orders[at], Order::SupportMove { unit, .. } if unit == at);
                    if of_itself || to == at || !reaches(board, at, unit, to) {
                        piece.void = Some(Void::OutOfReach);
                    } else {
                        self.supports.push(i);
                    }
                }
                Order::Convoy { .. } => {
                    if r.boarding.is_laden(at, unit) {
                        piece.void = Some(Void::Laden);
                    } else if unit.kind == UnitKind::Fleet && board.sea().contains(at) {
                        self.convoys.push(i);
                    } else {
                        piece.void = Some(Void::NotAtSea);
                    }
                }
                Order::Transform { coast } => {
                    let can = rulebook.army_becomes_fleet.allowed(position, at)
                        && unit.kind == UnitKind::Army
                        && coast.0 < board.coasts(at);
                    piece.void = (!can).then_some(Void::NoCoast);
                }
                // Armies that can board are no longer pieces.
                Order::Embark { .. } => piece.void = Some(Void::CannotBoard),
            }
            r.pieces[i as usize] = piece;
        }
        r.standing = r.len;
        if rulebook.army_fleets.allowed() {
            r.land(board, position, orders);
        }

        for n in 0..r.moves.len {
            let i = r.moves.items[n] as usize;
            let Piece { at, to, travel, .. } = r.pieces[i];
            let occupant = r.piece_at[to];
            r.pieces[i].occupant = occupant;
            // A landing unit does not meet another on its way: the sea it lands from is occupied by its own
            // fleet.
            if occupant != NONE && travel != Travel::Ashore {
                let other = &r.pieces[occupant as usize];
                r.pieces[i].opposed = other.role == Role::Move && other.to == at;
            }
        }
        self.link_supports(board, position, orders);
        let r = &mut *self.resolution;
        if self.convoys.len > 0 {
            r.link_convoys(board, position, orders, self.convoys.as_slice());
        }
        self.settle_travel(board);
    }

    /// Links each support to the piece it supports, if that piece does what the support says.
    fn link_supports(&mut self, board: &Board, position: &Position, orders: &Orders) {
        let r = &mut *self.resolution;
        let mut kept = 0;
        for n in 0..self.supports.len {
            let i = self.supports.items[n];
            let Piece { at, to, .. } = r.pieces[i as usize];
            if let Order::SupportLanding { from, to } = orders[at] {
                if r.back_landings(i, from, to) {
                    self.supports.items[kept] = i;
                    kept += 1;
                } else {
                    r.pieces[i as usize].void = Some(Void::OtherOrder);
                }
                continue;
            }
            let (start, coast) = match orders[at] {
                Order::SupportMove { unit, coast, .. } => (unit, Some(coast)),
                _ => (to, None),
            };
            let subject = r.piece_at[start];
            let void = if subject == NONE {
                Some(Void::NoUnit)
            } else {
                let supported = &r.pieces[subject as usize];
                match (supported.role, coast) {
                    (Role::Move, None) => Some(Void::UnitMoves),
                    (Role::Move, Some(coast)) if supported.to == to => {
                        let kind = position.unit(start).map_or(UnitKind::Army, |unit| unit.kind);
                        let location = Location { province: to, coast: supported.to_coast };
                        (!coast_fits(board, r.rulebook.support_coast, coast, kind, location))
                            .then_some(Void::OtherCoast)
                    }
                    (_, Some(_)) => Some(Void::OtherOrder),
                    (_, None) => None,
                }
            };
            if void.is_some() {
                r.pieces[i as usize].void = void;
                continue;
            }
            r.tie_support(i, subject);
            self.supports.items[kept] = i;
            kept += 1;
        }
        self.supports.len = kept;
    }

    /// Decides which armies travel by convoy, now that all convoy orders are known.
    fn settle_travel(&mut self, board: &Board) {
        let r = &mut *self.resolution;
        for &i in self.overseas.as_slice() {
            let route = r.route_ordered(board, i);
            r.set_convoyed(i, Travel::Convoy, route);
            r.board_ferry(i);
            self.convoyed.push(i);
        }
        let disrupted = match r.rulebook.via_disrupted {
            Fallback::Stay => Travel::Convoy,
            Fallback::Walk => Travel::ConvoyElseWalk,
        };
        match r.rulebook.adjacent_convoy {
            AdjacentConvoy::Via => {
                for &i in self.via.as_slice() {
                    let route = r.route_ordered(board, i);
                    if route {
                        r.set_convoyed(i, disrupted, true);
                        r.board_ferry(i);
                    } else if r.rulebook.via_without_route == Fallback::Stay {
                        r.set_convoyed(i, Travel::Convoy, false);
                    } else {
                        continue;
                    }
                    self.convoyed.push(i);
                }
                if r.rulebook.own_fleet_implies_via == OwnFleetImpliesVia::Yes && !r.has_fleets.is_empty() {
                    for at in r.has_fleets {
                        let i = r.piece_at[at];
                        let Piece { power, travel, .. } = r.pieces[i as usize];
                        let own = |fleet: ProvinceId| r.pieces[r.piece_at[fleet] as usize].power == power;
                        if travel == Travel::Direct
                            && !self.via.as_slice().contains(&i)
                            && r.fleets_of[i as usize].iter().any(own)
                            && r.route_ordered(board, i)
                        {
                            r.set_convoyed(i, disrupted, true);
                            r.board_ferry(i);
                            self.convoyed.push(i);
                        }
                    }
                }
            }
            AdjacentConvoy::Opposite => {
                for at in r.has_fleets {
                    let i = r.piece_at[at];
                    let Piece { travel, opposed, .. } = r.pieces[i as usize];
                    if travel == Travel::Direct && opposed && r.route_ordered(board, i) {
                        r.set_convoyed(i, Travel::ConvoyElseWalk, true);
                        self.convoyed.push(i);
                    }
                }
            }
        }
        // If every route counts, or if convoyed provinces decide whether support is cut, fleets that are not
        // on any route are dropped (6.F.12).
        if r.rulebook.several_routes == SeveralRoutes::AllRoutes || r.rulebook.paradox == ParadoxRule::Xii5 {
            for &i in self.convoyed.as_slice() {
                let fleets = r.fleets_on_routes(board, i);
                r.fleets_of[i as usize] = fleets;
            }
        }
    }
}

/// 4.B.4: does the coast that a support names, if any, fit the supported move?
fn coast_fits(
    board: &Board,
    rule: SupportCoast,
    named: Option<CoastId>,
    kind: UnitKind,
    to: Location,
) -> bool {
    let matters = kind == UnitKind::Fleet && board.coasts(to.province) > 1;
    match (rule, named) {
        (SupportCoast::Ignore, _) => true,
        (SupportCoast::Match, None) => true,
        (SupportCoast::Match, Some(coast)) => !matters || coast == to.coast,
        (SupportCoast::Strict, None) => !matters,
        (SupportCoast::Strict, Some(coast)) => coast == to.coast,
    }
}

impl Resolution {
    /// Makes a piece the support of another.
    pub(super) fn tie_support(&mut self, i: u8, subject: u8) {
        let next_support = self.pieces[subject as usize].first_support;
        let piece = &mut self.pieces[i as usize];
        piece.role = Role::Support;
        piece.subject = subject;
        piece.next_support = next_support;
        self.pieces[subject as usize].first_support = i;
    }

    /// Links each convoying fleet to the army it convoys, if that army moves as the fleet's order says.
    fn link_convoys(&mut self, board: &Board, position: &Position, orders: &Orders, convoys: &[u8]) {
        for &i in convoys {
            let at = self.pieces[i as usize].at;
            let Order::Convoy { army, to } = orders[at] else { continue };
            let subject = self.piece_at[army];
            let is_army = position.unit(army).is_some_and(|unit| unit.kind == UnitKind::Army);
            let Piece { role, to: goal, .. } = self.pieces[subject as usize];
            let goes = role == Role::Move && goal == to;
            // Army/fleet rule 5: one fleet carries the army all the way.
            let short = self.rulebook.army_fleets.allowed()
                && [army, to].iter().any(|&shore| !board.seas_next_to(shore).contains(at));
            let piece = &mut self.pieces[i as usize];
            if subject == NONE || !is_army || !goes || short {
                piece.void = Some(match (subject, goes) {
                    (NONE, _) => Void::NoUnit,
                    (_, true) if is_army => Void::OutOfReach,
                    _ => Void::OtherOrder,
                });
                continue;
            }
            piece.role = Role::Convoy;
            piece.subject = subject;
            piece.to = to;
            self.convoying.insert(at);
            if !self.has_fleets.contains(army) {
                self.has_fleets.insert(army);
                self.fleets_of[subject as usize] = ProvinceSet::EMPTY;
            }
            self.fleets_of[subject as usize].insert(at);
        }
    }

    fn set_convoyed(&mut self, i: u8, travel: Travel, route: bool) {
        self.pieces[i as usize].travel = travel;
        self.convoy[i as usize] = if route { Verdict::Open } else { Verdict::No };
        if !route {
            self.pieces[i as usize].void = Some(Void::NoRoute);
            self.has_fleets.remove(self.pieces[i as usize].at);
        }
    }

    /// Do the fleets that convoy this army form a complete route?
    fn route_ordered(&self, board: &Board, i: u8) -> bool {
        let Piece { at, to, .. } = self.pieces[i as usize];
        self.has_fleets.contains(at) && route_exists(board, at, to, self.fleets_of[i as usize])
    }

    /// The fleets on any route that visits no sea twice.
    ///
    /// A fleet is on such a route exactly if it can reach the two ends by paths that share nothing else,
    /// which is so exactly if no single fleet, nor either end, cuts it off from both (Menger).
    fn fleets_on_routes(&self, board: &Board, i: u8) -> ProvinceSet {
        let Piece { at, to, .. } = self.pieces[i as usize];
        if !self.has_fleets.contains(at) {
            return ProvinceSet::EMPTY;
        }
        let fleets = self.fleets_of[i as usize];
        let (start, end) = (*board.seas_next_to(at), *board.seas_next_to(to));
        let reaches = |fleet: ProvinceId, goal: &ProvinceSet, without: Option<ProvinceId>| {
            let mut allowed = fleets;
            if let Some(sea) = without {
                allowed.remove(sea);
            }
            connected(board, &allowed, ProvinceSet::single(fleet)).intersects(goal)
        };
        fleets
            .iter()
            .filter(|&f| {
                reaches(f, &start, None)
                    && reaches(f, &end, None)
                    && fleets.iter().all(|cut| cut == f || reaches(f, &(start | end), Some(cut)))
            })
            .collect()
    }
}

/// Is there a chain of these fleets between the two provinces?
pub(super) fn route_exists(board: &Board, from: ProvinceId, to: ProvinceId, fleets: ProvinceSet) -> bool {
    let (start, end) = (fleets & *board.seas_next_to(from), fleets & *board.seas_next_to(to));
    if start.intersects(&end) {
        return true;
    }
    if start.is_empty() || end.is_empty() {
        return false;
    }
    connected(board, &fleets, start).intersects(&end)
}
