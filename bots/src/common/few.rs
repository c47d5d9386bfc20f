//! How many units could go to each province, as far as it matters: exactly up to a few, and then "so many or more".
//!
//! The first set holds the provinces where any unit could go, the next those where two could, and so on. To add a unit moves
//! what it reaches up by one set; nothing is carried, and of three sets all stay in registers.

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{CoastId, Location, ProvinceId, ProvinceSet};

/// Counts up to `MOST`.
#[derive(Clone, Copy, Debug)]
pub struct Few<const MOST: usize>([ProvinceSet; MOST]);

impl<const MOST: usize> Few<MOST> {
    /// How many of the units in these provinces could move to each province.
    #[inline]
    pub fn reached_by(seen: &Observation<'_>, units: ProvinceSet) -> Self {
        let fleets = *seen.position.fleets();
        let mut few = Few([ProvinceSet::EMPTY; MOST]);
        (units - fleets).iter().for_each(|army| few.add(*seen.board.army_reach(army)));
        (units & fleets).iter().for_each(|fleet| {
            let coast = seen.position.unit(fleet).map_or(CoastId::FIRST, |unit| unit.coast);
            few.add(*seen.board.fleet_reach(Location { province: fleet, coast }));
        });
        few
    }

    #[inline]
    fn add(&mut self, provinces: ProvinceSet) {
        for n in (1..MOST).rev() {
            self.0[n] |= self.0[n - 1] & provinces;
        }
        self.0[0] |= provinces;
    }

    /// The provinces with any.
    #[inline]
    pub fn any(&self) -> ProvinceSet {
        self.0[0]
    }

    /// How many there are in a province, or `MOST` if there are more.
    #[inline]
    pub fn of(&self, province: ProvinceId) -> i32 {
        self.0.iter().map(|set| i32::from(set.contains(province))).sum()
    }
}
