//! What the greedy bot reads off the board before it decides: which centres it wants, how far they are, and
//! where the others could strike. All of it by province, made anew each phase, so that a board which changed
//! since the last one needs no special care.

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{ByProvince, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::topology::Board;

use crate::common::reach;

/// A distance longer than any on the board.
pub const FAR: u8 = 12;

/// The lie of the land for one power.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Extant centres that the power does not own and that are not about to vanish.
    pub wanted: ProvinceSet,
    /// Steps from each province to the nearest wanted centre, by land.
    pub by_land: ByProvince<u8>,
    /// The same for fleets; which coast is passed over.
    pub by_water: ByProvince<u8>,
    /// Steps from each sea to the nearest wanted centre on land, for an army aboard a fleet: by sea, and ashore.
    pub by_voyage: ByProvince<u8>,
    /// How many units of others could move to each province.
    pub threats: ByProvince<u8>,
}

impl Survey {
    /// Looks at the board.
    pub fn new(seen: &Observation<'_>) -> Survey {
        let wanted = (*seen.centres - *seen.position.centres_of(seen.power)) - seen.doomed - seen.sinking;
        let mut threats = ByProvince::filled(0u8);
        for at in *seen.position.occupied() - *seen.position.units_of(seen.power) {
            for to in reach(seen, at) {
                threats[to] = threats[to].saturating_add(1);
            }
        }
        let board = seen.board;
        Survey {
            wanted,
            by_land: distances(board, wanted & *board.land(), |from| *board.army_reach(from)),
            by_water: distances(board, wanted, |from| *board.fleet_reach_any(from)),
            by_voyage: match seen.rulebook.army_fleets.allowed() {
                true => distances(board, wanted & *board.land(), |from| *board.seas_next_to(from)),
                false => ByProvince::filled(FAR),
            },
            threats,
        }
    }

    /// Steps to the nearest wanted centre for a unit of this kind that carries nothing.
    pub fn distance(&self, kind: UnitKind, from: ProvinceId) -> u8 {
        match kind {
            UnitKind::Army => self.by_land[from],
            UnitKind::Fleet => self.by_water[from],
        }
    }
}

/// Breadth first from all goals at once. Neighbours are mutual, so the way there is the way back.
fn distances(
    board: &Board,
    goals: ProvinceSet,
    neighbours: impl Fn(ProvinceId) -> ProvinceSet,
) -> ByProvince<u8> {
    let mut steps = ByProvince::filled(FAR);
    let mut edge = goals & board.passable();
    let mut found = edge;
    for distance in 0..FAR {
        let mut next = ProvinceSet::EMPTY;
        for province in edge {
            steps[province] = distance;
            next |= neighbours(province);
        }
        edge = next - found;
        found |= edge;
    }
    steps
}
