//! Lists of retreat places that powers send with their orders, before it is known which units will be
//! dislodged (rules.md 4.12).

use upheaval_map::ids::{Location, ProvinceId};

/// The places that a list of retreats may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// There are no lists: powers are asked for retreats after the movement.
    None,
    /// Places to which the unit could move without a convoy on the current board. The retreats are on the
    /// same board, so that no other place can become a legal retreat.
    InReach,
    /// Any place but the unit's own, because the map may change between the movement and the retreats.
    Anywhere,
}

impl Listing {
    /// Are retreats sent with the orders?
    pub const fn is_allowed(self) -> bool {
        !matches!(self, Listing::None)
    }
}

/// For each unit the places to which it retreats if it is dislodged, the best first. All places are in one
/// flat table that is reused from phase to phase, so that the steady state allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct RetreatLists {
    /// Ascending by unit.
    lists: Vec<List>,
    /// The places of all lists, including replaced ones.
    places: Vec<Location>,
}

/// The range of a unit's places; never empty.
#[derive(Clone, Copy, Debug)]
struct List {
    unit: ProvinceId,
    from: usize,
    to: usize,
}

impl RetreatLists {
    /// Are there no lists?
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// The list of the unit in this province; empty if it has none.
    pub fn of(&self, unit: ProvinceId) -> &[Location] {
        match self.find(unit) {
            Ok(i) => self.places(self.lists[i]),
            Err(_) => &[],
        }
    }

    /// The units that have a list, ascending by province, each with its places.
    pub fn iter(&self) -> impl Iterator<Item = (ProvinceId, &[Location])> {
        self.lists.iter().map(|&list| (list.unit, self.places(list)))
    }

    /// Sets the list of a unit, replacing an earlier one. An empty list counts as no list.
    pub fn set(&mut self, unit: ProvinceId, places: impl IntoIterator<Item = Location>) {
        let from = self.places.len();
        self.places.extend(places);
        let list = List { unit, from, to: self.places.len() };
        match (self.find(unit), list.from == list.to) {
            (Ok(i), false) => self.lists[i] = list,
            (Err(i), false) => self.lists.insert(i, list),
            (Ok(i), true) => drop(self.lists.remove(i)),
            (Err(_), true) => {}
        }
    }

    /// Removes all lists and keeps the memory.
    pub fn clear(&mut self) {
        self.lists.clear();
        self.places.clear();
    }

    fn find(&self, unit: ProvinceId) -> Result<usize, usize> {
        self.lists.binary_search_by_key(&unit, |list| list.unit)
    }

    fn places(&self, list: List) -> &[Location] {
        &self.places[list.from..list.to]
    }
}

impl PartialEq for RetreatLists {
    /// Compares the lists, regardless of their storage.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for RetreatLists {}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(provinces: &[u8]) -> Vec<Location> {
        provinces.iter().map(|&id| ProvinceId(id).into()).collect()
    }

    #[test]
    fn the_last_list_of_a_unit_counts_and_one_without_places_is_none() {
        let mut lists = RetreatLists::default();
        lists.set(ProvinceId(7), places(&[1, 2]));
        lists.set(ProvinceId(3), places(&[4]));
        lists.set(ProvinceId(7), places(&[5, 1, 2]));
        assert_eq!(lists.of(ProvinceId(7)), places(&[5, 1, 2]));
        assert_eq!(lists.iter().map(|(unit, _)| unit.0).collect::<Vec<_>>(), [3, 7]);
        let mut same = RetreatLists::default();
        same.set(ProvinceId(3), places(&[4]));
        assert_ne!(lists, same);
        lists.set(ProvinceId(7), []);
        lists.set(ProvinceId(8), []);
        assert_eq!(lists, same);
        assert!(lists.of(ProvinceId(7)).is_empty() && !lists.is_empty());
        lists.clear();
        assert!(lists.is_empty());
    }
}
