//! Armies aboard fleets, and armies that become fleets: what `greedy` makes of the water.
//!
//! A voyage is a fleet's way to a sea and an army's way ashore from there, in one season:
//!
//! ```text
//!   LON ──▶ ENG ──────────▶ MAO ──▶ POR
//!     boards       sails       lands          or stays aboard, to land from there later
//! ```

use upheaval::bot::Observation;
use upheaval::ids::{CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::Stream;
use upheaval::rules::legal::{is_legal, landings};
use upheaval::rules::order::Order;
use upheaval::rules::position::Season;

use super::plan::{Candidate, Means, worth};
use super::survey::{FAR, Survey};

/// What an army does aboard a fleet: where the fleet is now, and the sea where it is going to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Voyage {
    /// The fleet.
    pub fleet: ProvinceId,
    /// The sea it sails to, or stays in.
    pub sea: ProvinceId,
}

/// What it costs to take a fleet from its other business.
const COST_OF_A_FLEET: i32 = 6;

/// What it costs an army never to be one again.
const COST_OF_THE_ARMY: i32 = 12;

/// What it costs to risk that an army drowns.
const COST_OF_DROWNING: i32 = 60;

/// Would a unit drown there at the end of the year? In Spring there is time to leave.
pub fn drowns(seen: &Observation<'_>, kind: UnitKind, at: ProvinceId) -> bool {
    kind == UnitKind::Army && seen.phase.season == Season::Fall && seen.sinking.contains(at)
}

/// What it costs a unit that would drown where it is to try to go where it may not get.
pub fn risk(
    seen: &Observation<'_>,
    survey: &Survey,
    unit: ProvinceId,
    kind: UnitKind,
    to: ProvinceId,
) -> i32 {
    let own = *seen.position.units_of(seen.power);
    let met = survey.threats[to] > 0 || (*seen.position.occupied() - own).contains(to);
    if to != unit && met && drowns(seen, kind, unit) { COST_OF_DROWNING } else { 0 }
}

/// Adds the voyages of the army in this province, or of the army aboard the fleet there, and what comes of it as a fleet.
pub fn collect(
    seen: &Observation<'_>,
    survey: &Survey,
    unit: ProvinceId,
    dice: &mut Stream,
    candidates: &mut Vec<Candidate>,
) {
    if seen.position.laden().contains(unit) {
        voyages(seen, survey, unit, unit, 0, dice, candidates);
    } else if !seen.position.fleets().contains(unit) {
        for fleet in *seen.board.seas_next_to(unit) & *seen.position.units_of(seen.power) {
            if is_legal(seen.board, seen.position, seen.chains, unit, Order::Embark { fleet }) {
                voyages(seen, survey, unit, fleet, COST_OF_A_FLEET, dice, candidates);
            }
        }
        for coast in (0..seen.board.coasts(unit)).map(CoastId) {
            if is_legal(seen.board, seen.position, seen.chains, unit, Order::Transform { coast }) {
                let value = worth(seen, survey, unit, UnitKind::Fleet, unit) - COST_OF_THE_ARMY;
                let to = Location { province: unit, coast };
                candidates.push(Candidate { unit, to, means: Means::Transform, value });
            }
        }
    }
}

/// The voyages of the army aboard this fleet, or going aboard.
fn voyages(
    seen: &Observation<'_>,
    survey: &Survey,
    unit: ProvinceId,
    fleet: ProvinceId,
    cost: i32,
    dice: &mut Stream,
    candidates: &mut Vec<Candidate>,
) {
    let mut push = |sea: ProvinceId, to: ProvinceId, value: i32| {
        let means = Means::Voyage(Voyage { fleet, sea });
        let value = value - cost + dice.below(3) as i32;
        candidates.push(Candidate { unit, to: to.into(), means, value });
    };
    for sea in ProvinceSet::single(fleet) | (*seen.board.seas_next_to(fleet) & *seen.board.sea()) {
        push(sea, sea, worth_aboard(seen, survey, fleet, sea));
    }
    for landing in landings(seen.board, seen.chains, fleet) {
        // Across the sea where the fleet stands a convoy does as well, and the fleet may still be asked.
        let convoyed = unit != fleet && landing.from == fleet;
        if !convoyed && landing.to != unit {
            push(landing.from, landing.to, worth(seen, survey, unit, UnitKind::Army, landing.to));
        }
    }
}

/// What it is worth to have an army aboard in this sea at the end of the move.
fn worth_aboard(seen: &Observation<'_>, survey: &Survey, fleet: ProvinceId, sea: ProvinceId) -> i32 {
    let own = *seen.position.units_of(seen.power);
    let foreign = seen.position.occupied().contains(sea) && !own.contains(sea);
    let near = 4 * i32::from(FAR - survey.by_voyage[sea].min(FAR));
    near - 30 * i32::from(foreign) - i32::from(sea == fleet)
}
