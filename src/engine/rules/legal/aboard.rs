//! The additional legal orders under the army/fleet rules, and of armies that become fleets.
//!
//! ```text
//!   LON ──▶ ENG ──────────▶ MAO ──▶ POR        A LON E F ENG     board,
//!       E       A/F ENG - MAO    D             A/F ENG - MAO     sail one space,
//!                                              A MAO D POR       and land: in one season (army/fleet rule 4)
//! ```
//!
//! The action of an army aboard is a separate order beside the fleet's, and names the sea that the army lands
//! from. The adjudication decides whether the fleet gets there; an order is legal if it could succeed.

use super::chains::ConvoyChains;
use super::options::Options;
use super::shore::{boarders, shore_of};
use crate::rules::order::{Landing, Order};
use crate::rules::position::Position;
use upheaval_map::ids::{CoastId, Designation, Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::Board;

/// The landings of the army that is aboard the fleet here or could board it, in canonical order: from the
/// fleet's sea and from every sea that it could sail to. Empty if there is no such fleet.
pub fn landings<'a>(
    board: &'a Board,
    position: &Position,
    chains: &ConvoyChains,
    fleet: ProvinceId,
) -> impl Iterator<Item = Landing> + use<'a> {
    let power = position.unit(fleet).map(|unit| unit.power).filter(|_| chains.carriers.contains(fleet));
    let of = move |power: Power| {
        let seas = ProvinceSet::single(fleet) | (*board.seas_next_to(fleet) & *board.sea());
        seas.into_iter().flat_map(move |from| {
            shore_of(board, from).into_iter().map(move |to| Landing { power, from, to })
        })
    };
    power.into_iter().flat_map(of)
}

/// Is the landing one of those that [`landings`] lists for a fleet of its power? The landing may be
/// arbitrary.
pub fn is_legal_landing(board: &Board, position: &Position, chains: &ConvoyChains, landing: Landing) -> bool {
    !chains.own_landers(board, position, landing).is_empty()
        && shore_of(board, landing.from).contains(landing.to)
}

impl Options<'_> {
    /// The orders defined in this module, in canonical order.
    #[inline]
    pub(super) fn of_army_fleets(&self) -> impl Iterator<Item = Order> + use<'_> {
        // In most variants there are none, and this is called for every unit.
        self.chains.amphibious().then(|| self.list_of_army_fleets()).into_iter().flatten()
    }

    fn list_of_army_fleets(&self) -> impl Iterator<Item = Order> + use<'_> {
        let supports = self.landing_seas().into_iter().flat_map(|from| {
            self.backed_landings(from).into_iter().map(move |to| Order::SupportLanding { from, to })
        });
        let coasts = (0..self.coasts_to_take()).map(|coast| Order::Transform { coast: CoastId(coast) });
        let fleets = self.fleets_to_board().into_iter().map(|fleet| Order::Embark { fleet });
        supports.chain(coasts).chain(fleets)
    }

    /// The seas from which landings can be supported by this unit.
    fn landing_seas(&self) -> ProvinceSet {
        if self.chains.carriers.is_empty() {
            return ProvinceSet::EMPTY;
        }
        let mut seas = ProvinceSet::EMPTY;
        for to in *self.reach & *self.board.land() {
            seas |= *self.board.seas_next_to(to);
        }
        seas
    }

    /// The provinces in which this unit can support a landing from that sea. A pair has the strength of one
    /// unit: a fleet cannot support the landing of the army that it carries itself, and another unit lands
    /// from its sea only if the fleet is dislodged. An army cannot support a landing that only it could make.
    pub(super) fn backed_landings(&self, from: ProvinceId) -> ProvinceSet {
        let mut others = self.chains.landers(self.board, from);
        others.remove(self.at.province);
        let has_another = |fleet: &ProvinceId| {
            let mut boarders = boarders(self.board, self.position, *fleet);
            boarders.remove(self.at.province);
            self.position.laden().contains(*fleet) || !boarders.is_empty()
        };
        let sea = self.board.sea().contains(from);
        if !sea || from == self.at.province || !others.iter().any(|fleet| has_another(&fleet)) {
            return ProvinceSet::EMPTY;
        }
        shore_of(self.board, from) & *self.reach
    }

    /// The number of coasts on which an army can become a fleet; 0 if it cannot.
    pub(super) fn coasts_to_take(&self) -> u8 {
        match self.designation {
            Designation::Army if self.chains.transform => self.board.coasts(self.at.province),
            _ => 0,
        }
    }

    /// The seas with a fleet that the army can board.
    pub(super) fn fleets_to_board(&self) -> ProvinceSet {
        match (self.designation, self.position.unit(self.at.province)) {
            (Designation::Army, Some(unit)) => {
                self.chains.piers(self.board, self.at.province) & *self.position.units_of(unit.power)
            }
            _ => ProvinceSet::EMPTY,
        }
    }
}
