//! The destinations of a fleet, without a full list: most provinces have only one place for a fleet, and a
//! set of provinces is enough for those. Coasts are listed only for provinces with several.

use crate::ids::{CoastId, Location, ProvinceId, ProvinceIter, ProvinceSet};

/// The exact destinations of a fleet, sorted by province, then coast; see [`super::Board::fleet_moves`].
///
/// ```
/// use upheaval_map::ids::Location;
/// use upheaval_map::topology::{atlas, derive};
/// let chart = atlas::standard();
/// let board = derive(chart.map());
/// let portugal = chart.map().find("POR").unwrap();
/// let moves = board.fleet_moves(Location::from(portugal));
/// let named: Vec<&str> = moves.iter().map(|to| chart.map().name(to.province)).collect();
/// assert_eq!(named, ["MAO", "SPA", "SPA"]); // both coasts
/// assert_eq!((moves.len(), moves.get(1)), (3, moves.iter().nth(1)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FleetMoves<'a> {
    /// Provinces with only one place for a fleet.
    pub(super) plain: ProvinceSet,
    /// Coasts of the other provinces, sorted.
    pub(super) coasts: &'a [Location],
}

impl<'a> FleetMoves<'a> {
    /// Without a fleet there are no destinations.
    pub const NONE: FleetMoves<'static> = FleetMoves { plain: ProvinceSet::EMPTY, coasts: &[] };

    /// The number of destinations.
    #[inline]
    pub fn len(self) -> usize {
        self.plain.len() + self.coasts.len()
    }

    /// Are there none?
    #[inline]
    pub fn is_empty(self) -> bool {
        self.plain.is_empty() && self.coasts.is_empty()
    }

    /// Is this a destination?
    #[inline]
    pub fn contains(self, to: Location) -> bool {
        to.coast == CoastId::FIRST && self.plain.contains(to.province) || self.coasts.contains(&to)
    }

    /// The `n`-th destination, counted from 0.
    #[inline]
    pub fn get(self, n: usize) -> Option<Location> {
        for (coasts_before, &coast) in self.coasts.iter().enumerate() {
            let place = self.plain.below(coast.province).len() + coasts_before;
            if n < place {
                return self.plain.nth(n - coasts_before).map(Location::from);
            }
            if n == place {
                return Some(coast);
            }
        }
        self.plain.nth(n.checked_sub(self.coasts.len())?).map(Location::from)
    }

    /// All destinations, in order.
    #[inline]
    pub fn iter(self) -> FleetMovesIter<'a> {
        let mut plain = self.plain.iter();
        FleetMovesIter { next: plain.next(), plain, coasts: self.coasts }
    }
}

impl<'a> IntoIterator for FleetMoves<'a> {
    type Item = Location;
    type IntoIter = FleetMovesIter<'a>;
    #[inline]
    fn into_iter(self) -> FleetMovesIter<'a> {
        self.iter()
    }
}

impl PartialEq for FleetMoves<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// The destinations of a fleet in order.
#[derive(Clone, Debug)]
pub struct FleetMovesIter<'a> {
    /// The next province with only one place, followed by the remaining ones.
    next: Option<ProvinceId>,
    plain: ProvinceIter,
    coasts: &'a [Location],
}

impl Iterator for FleetMovesIter<'_> {
    type Item = Location;

    #[inline]
    fn next(&mut self) -> Option<Location> {
        if let Some((&coast, behind)) = self.coasts.split_first()
            && self.next.is_none_or(|plain| coast.province < plain)
        {
            self.coasts = behind;
            return Some(coast);
        }
        let plain = self.next?;
        self.next = self.plain.next();
        Some(plain.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_found_and_listed_in_one_order() {
        let at = |province, coast| Location { province: ProvinceId(province), coast: CoastId(coast) };
        for (plain, coasts) in [
            (vec![], vec![]),
            (vec![3, 70, 200], vec![]),
            (vec![], vec![at(5, 0), at(5, 2)]),
            (vec![3, 70, 200], vec![at(0, 1), at(64, 0), at(64, 1), at(199, 1), at(255, 0)]),
        ] {
            let moves =
                FleetMoves { plain: plain.iter().map(|&id| ProvinceId(id)).collect(), coasts: &coasts };
            let mut expected: Vec<Location> =
                plain.iter().map(|&id| at(id, 0)).chain(coasts.clone()).collect();
            expected.sort();
            assert_eq!(moves.iter().collect::<Vec<_>>(), expected);
            assert_eq!((moves.len(), moves.is_empty()), (expected.len(), expected.is_empty()));
            for n in 0..=expected.len() {
                assert_eq!(moves.get(n), expected.get(n).copied());
            }
            for to in (0..=u8::MAX).flat_map(|id| (0..3).map(move |coast| at(id, coast))) {
                assert_eq!(moves.contains(to), expected.contains(&to));
            }
        }
    }
}
