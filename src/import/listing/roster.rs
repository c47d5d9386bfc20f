//! The powers of a file while it is read, with what later lines take from them.

use std::collections::{BTreeMap, BTreeSet};

use super::place_index::{PlaceId, PlaceIndex};
use super::reader::{AdjacencyList, PowerListing};
use crate::steps::step;

/// A power, a number that stays when other powers are removed.
pub(super) type PowerNumber = usize;

/// A power while it is read.
#[derive(Default)]
pub(super) struct RosterEntry {
    key: String,
    /// The name, the adjective and the letter.
    pub listing: PowerListing,
    homes: BTreeSet<PlaceId>,
    owns: Option<BTreeSet<PlaceId>>,
    /// The units by province.
    units: BTreeMap<PlaceId, (char, PlaceId)>,
    homes_replaced: bool,
}

/// The powers in their order, and the unowned centres.
#[derive(Default)]
pub(super) struct Roster {
    powers: BTreeMap<PowerNumber, RosterEntry>,
    numbers: BTreeMap<String, PowerNumber>,
    next: PowerNumber,
    unowned: BTreeSet<PlaceId>,
    /// Which power has a unit in a province.
    stationed: BTreeMap<PlaceId, PowerNumber>,
    /// The locations that are, or were, homes or centres of a power.
    held: BTreeSet<(PlaceId, PowerNumber)>,
}

/// The name by which the lines of a file refer to a power: DPjudge ignores these letters in names.
fn key(name: &str) -> String {
    name.to_uppercase().chars().filter(|c| !".:+-,".contains(*c)).collect()
}

impl Roster {
    /// The power with this name.
    pub(super) fn find(&self, name: &str) -> Option<PowerNumber> {
        step();
        self.numbers.get(&key(name)).copied()
    }

    /// The power with this number.
    pub(super) fn power(&mut self, number: PowerNumber) -> Option<&mut RosterEntry> {
        step();
        self.powers.get_mut(&number)
    }

    /// Adds a power.
    pub(super) fn add(&mut self, name: &str) -> PowerNumber {
        let (number, key) = (self.next, key(name));
        self.next += 1;
        self.numbers.insert(key.clone(), number);
        let mut entry = RosterEntry { key, ..RosterEntry::default() };
        entry.listing.call(name);
        self.powers.insert(number, entry);
        number
    }

    /// Gives a power another name.
    ///
    /// # Errors
    /// Another power has the name.
    pub(super) fn rename(&mut self, number: PowerNumber, name: &str) -> Result<(), String> {
        let key = key(name);
        if self.numbers.get(&key).is_some_and(|&other| other != number) {
            return Err(format!("there is a power {name} already"));
        }
        if let Some(entry) = self.powers.get_mut(&number) {
            self.numbers.remove(&entry.key);
            self.numbers.insert(key.clone(), number);
            entry.key = key;
            (entry.listing.adjective, entry.listing.mark) = (None, None);
            entry.listing.call(name);
        }
        Ok(())
    }

    /// Removes a power.
    pub(super) fn remove(&mut self, number: PowerNumber) {
        step();
        if let Some(entry) = self.powers.remove(&number) {
            self.numbers.remove(&entry.key);
            for province in entry.units.keys() {
                self.stationed.remove(province);
            }
        }
    }

    /// All powers except these.
    pub(super) fn all_but(&self, kept: &BTreeSet<PowerNumber>) -> Vec<PowerNumber> {
        self.powers.keys().copied().filter(|number| !kept.contains(number)).collect()
    }

    /// Clears the list of homes of a power if `always`, or if no line has replaced the list yet.
    pub(super) fn replace_homes(&mut self, number: PowerNumber, always: bool) {
        if let Some(entry) = self.power(number) {
            if always || !entry.homes_replaced {
                entry.homes.clear();
            }
            entry.homes_replaced = true;
        }
    }

    /// The line of a power clears its list of homes if another line has replaced it.
    pub(super) fn begin_homes(&mut self, number: PowerNumber) {
        if let Some(entry) = self.power(number)
            && std::mem::take(&mut entry.homes_replaced)
        {
            entry.homes.clear();
        }
    }

    /// Adds or removes a home of a power, which is a centre in either case; without a power, an unowned centre.
    pub(super) fn set_home(&mut self, power: Option<PowerNumber>, place: PlaceId, is_home: bool) {
        step();
        match power {
            None if is_home => drop(self.unowned.insert(place)),
            None => drop(self.unowned.remove(&place)),
            Some(number) => {
                self.unowned.insert(place);
                self.held.insert((place, number));
                if let Some(entry) = self.powers.get_mut(&number) {
                    match is_home {
                        true => entry.homes.insert(place),
                        false => entry.homes.remove(&place),
                    };
                }
            }
        }
    }

    /// Gives a power centres at the start, in addition to or in place of those of earlier lines.
    pub(super) fn own(&mut self, number: PowerNumber, centres: impl Iterator<Item = PlaceId>, resets: bool) {
        let Some(entry) = self.powers.get_mut(&number) else { return };
        let owns = entry.owns.get_or_insert_default();
        if resets {
            owns.clear();
        }
        for centre in centres {
            step();
            owns.insert(centre);
            self.held.insert((centre, number));
        }
    }

    /// Puts a unit of a power into a province, in place of any other unit there.
    pub(super) fn station(&mut self, number: PowerNumber, kind: char, province: PlaceId, place: PlaceId) {
        step();
        if let Some(other) = self.stationed.insert(province, number)
            && let Some(entry) = self.powers.get_mut(&other)
        {
            entry.units.remove(&province);
        }
        if let Some(entry) = self.powers.get_mut(&number) {
            entry.units.insert(province, (kind, place));
        }
    }

    /// Removes all units of a power.
    pub(super) fn disband(&mut self, number: PowerNumber) {
        if let Some(entry) = self.powers.get_mut(&number) {
            for province in std::mem::take(&mut entry.units).into_keys() {
                step();
                self.stationed.remove(&province);
            }
        }
    }

    /// Forgets a location.
    pub(super) fn forget(&mut self, place: PlaceId) {
        step();
        self.unowned.remove(&place);
        if let Some(number) = self.stationed.remove(&place)
            && let Some(entry) = self.powers.get_mut(&number)
        {
            entry.units.remove(&place);
        }
        let holders: Vec<(PlaceId, PowerNumber)> =
            self.held.range((place, 0)..).take_while(|held| held.0 == place).copied().collect();
        for held in holders {
            step();
            self.held.remove(&held);
            if let Some(entry) = self.powers.get_mut(&held.1) {
                entry.homes.remove(&place);
                entry.owns.as_mut().map(|owns| owns.remove(&place));
            }
        }
    }

    /// Writes the powers and the unowned centres into a list.
    pub(super) fn write(self, places: &PlaceIndex, list: &mut AdjacencyList) {
        let codes = |of: &BTreeSet<PlaceId>| -> Vec<String> {
            of.iter().map(|&place| places.code(place).to_owned()).collect()
        };
        list.unowned = codes(&self.unowned);
        for entry in self.powers.into_values() {
            let units = entry.units.values();
            list.powers.push(PowerListing {
                homes: codes(&entry.homes),
                owns: entry.owns.as_ref().map(codes),
                units: units.map(|&(kind, place)| format!("{kind} {}", places.code(place))).collect(),
                ..entry.listing
            });
        }
    }
}
