//! The locations of a file while it is read. Later lines can amend, rename and drop what earlier ones list, and each
//! such line must cost only what it changes. Locations are therefore numbered: a new code is a new text for the same
//! number.

use std::collections::{BTreeMap, BTreeSet};

use crate::steps::step;
use upheaval_map::ids::PowerEntry;

/// A location, an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct PlaceId(usize);

/// The units that an entry of a list of neighbours is valid for, told by its letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Movers {
    /// `SPA`.
    Both,
    /// `spa`.
    Armies,
    /// `Spa`.
    Fleets,
}

impl Movers {
    const ALL: [Movers; 3] = [Movers::Both, Movers::Armies, Movers::Fleets];

    /// The units that the letters of a code tell.
    pub(super) fn of(code: &str) -> Movers {
        let mut letters = code.chars();
        match letters.next() {
            Some(first) if first.is_lowercase() => Movers::Armies,
            Some(first)
                if first.is_uppercase()
                    && letters.clone().any(char::is_lowercase)
                    && !letters.any(char::is_uppercase) =>
            {
                Movers::Fleets
            }
            _ => Movers::Both,
        }
    }

    /// A code in capitals, written for these units.
    pub(super) fn written(self, code: &str) -> String {
        match self {
            Movers::Both => code.to_owned(),
            Movers::Armies => code.to_lowercase(),
            Movers::Fleets => {
                let mut letters = code.chars();
                letters.next().into_iter().chain(letters.flat_map(char::to_lowercase)).collect()
            }
        }
    }
}

#[derive(Default)]
pub(super) struct Place {
    /// In capitals.
    pub(super) code: String,
    /// The province, which is the location itself if it is not a coast.
    province: PlaceId,
    /// The coasts of a province.
    coasts: BTreeSet<PlaceId>,
    pub(super) name: Option<String>,
    listed: Option<Listed>,
    /// The neighbours: each with its province, so that all coasts of one can be found.
    pub(super) abuts: BTreeSet<(PlaceId, PlaceId, Movers)>,
    /// The locations that have this one as a neighbour.
    abutted_by: BTreeSet<PlaceId>,
}

/// The line that lists a location.
#[derive(Clone, Copy)]
pub(super) struct Listed {
    /// Lower case is for the inland of a province with several coasts.
    pub(super) case: Movers,
    pub(super) terrain: ListedTerrain,
    pub(super) line: usize,
}

/// The terrain of a location.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListedTerrain {
    /// `LAND`: armies.
    Land,
    /// `WATER`: fleets.
    Water,
    /// `COAST` and `PORT`: both.
    Coast,
    /// `SHUT`: neither.
    Shut,
}

/// The locations by code.
#[derive(Default)]
pub(super) struct PlaceIndex {
    ids: BTreeMap<String, PlaceId>,
    places: Vec<Place>,
}

impl PlaceIndex {
    /// The location with this code, in any case.
    pub(super) fn id(&mut self, code: &str) -> PlaceId {
        step();
        let code = code.to_uppercase();
        let id = match self.find(&code) {
            Some(id) => id,
            None => {
                let province = code.split_once('/').map(|(province, _)| self.id(province));
                let id = PlaceId(self.places.len());
                let province = province.unwrap_or(id);
                self.places.push(Place { code: code.clone(), province, ..Place::default() });
                self.ids.insert(code, id);
                id
            }
        };
        let province = self.province(id);
        if province != id {
            self.places[province.0].coasts.insert(id);
        }
        id
    }

    fn find(&self, code: &str) -> Option<PlaceId> {
        self.ids.get(code).copied()
    }

    /// The province of a location.
    pub(super) fn province(&self, id: PlaceId) -> PlaceId {
        self.places[id.0].province
    }

    /// The code of a location, in capitals.
    pub(super) fn code(&self, id: PlaceId) -> &str {
        &self.places[id.0].code
    }

    /// Gives a location its full name.
    pub(super) fn call(&mut self, id: PlaceId, name: String) {
        self.places[id.0].name = Some(name);
    }

    /// Gives a location another code. All that is known of it stays.
    ///
    /// # Errors
    /// There is no such location, or another has the code.
    pub(super) fn rename(&mut self, old: &str, new: &str) -> Result<PlaceId, String> {
        step();
        let (old, new) = (old.to_uppercase(), new.to_uppercase());
        let is_known = |id: &PlaceId| {
            let place = &self.places[id.0];
            place.listed.is_some() || place.name.is_some() || !place.abutted_by.is_empty()
        };
        let Some(id) = self.find(&old).filter(is_known) else {
            return Err(format!("there is no `{old}` to rename"));
        };
        match self.find(&new) {
            Some(other) if other == id => return Ok(id),
            Some(other) if is_known(&other) => return Err(format!("`{new}` is a place already")),
            _ => {}
        }
        self.ids.remove(&old);
        self.ids.insert(new.clone(), id);
        self.places[id.0].code = new;
        Ok(id)
    }

    /// Lists a location: its terrain, and its neighbours if the line has any.
    pub(super) fn list(
        &mut self,
        code: &str,
        terrain: ListedTerrain,
        line: usize,
        has_neighbours: bool,
    ) -> PlaceId {
        let (id, case) = (self.id(code), Movers::of(code));
        let before = self.places[id.0].listed;
        if has_neighbours || before.is_none_or(|before| before.case != case) {
            self.forget_neighbours(id);
        }
        self.set(id, Listed { case, terrain, line });
        id
    }

    /// Lists a location again, with the terrain and the neighbours that it has; `None` if it is not listed.
    pub(super) fn amend(&mut self, code: &str, line: usize) -> Option<PlaceId> {
        let id = self.id(code);
        let terrain = self.places[id.0].listed?.terrain;
        self.set(id, Listed { case: Movers::of(code), terrain, line });
        Some(id)
    }

    fn set(&mut self, id: PlaceId, listed: Listed) {
        let before = self.places[id.0].listed.replace(listed);
        // A province that is listed again without coasts loses its coasts, and their neighbours are its own.
        if listed.case == Movers::Both && before.is_some_and(|before| before.case != Movers::Both) {
            for coast in std::mem::take(&mut self.places[id.0].coasts) {
                for other in self.forget(coast) {
                    self.join(other, id, Movers::Both);
                }
            }
        }
    }

    /// Adds a neighbour.
    pub(super) fn abut(&mut self, id: PlaceId, neighbour: &str) {
        let other = self.id(neighbour);
        self.join(id, other, Movers::of(neighbour));
    }

    fn join(&mut self, id: PlaceId, other: PlaceId, movers: Movers) {
        step();
        let province = self.province(other);
        self.places[id.0].abuts.insert((province, other, movers));
        self.places[other.0].abutted_by.insert(id);
    }

    /// Removes a neighbour, and with a province its coasts.
    pub(super) fn part(&mut self, id: PlaceId, neighbour: &str) {
        step();
        let Some(other) = self.find(&neighbour.to_uppercase()) else { return };
        let province = self.province(other);
        let gone: Vec<(PlaceId, PlaceId, Movers)> = match province == other {
            true => {
                let abuts = self.places[id.0].abuts.range((other, PlaceId(0), Movers::Both)..);
                abuts.take_while(|entry| entry.0 == other).copied().collect()
            }
            false => Movers::ALL.map(|movers| (province, other, movers)).to_vec(),
        };
        for entry in gone {
            step();
            self.places[id.0].abuts.remove(&entry);
            self.places[entry.1.0].abutted_by.remove(&id);
        }
    }

    fn forget_neighbours(&mut self, id: PlaceId) {
        for (_, other, _) in std::mem::take(&mut self.places[id.0].abuts) {
            step();
            self.places[other.0].abutted_by.remove(&id);
        }
    }

    /// Forgets a location; returns those that had it as a neighbour.
    fn forget(&mut self, id: PlaceId) -> BTreeSet<PlaceId> {
        self.forget_neighbours(id);
        let place = &mut self.places[id.0];
        (place.listed, place.name) = (None, None);
        let province = place.province;
        let around = std::mem::take(&mut place.abutted_by);
        for other in &around {
            step();
            for movers in Movers::ALL {
                self.places[other.0].abuts.remove(&(province, id, movers));
            }
        }
        around
    }

    /// Forgets a location, and with a province its coasts; returns all of them.
    pub(super) fn drop(&mut self, code: &str) -> Vec<PlaceId> {
        step();
        let Some(id) = self.find(&code.to_uppercase()) else { return Vec::new() };
        let mut gone: Vec<PlaceId> = std::mem::take(&mut self.places[id.0].coasts).into_iter().collect();
        gone.push(id);
        gone.iter().for_each(|&id| drop(self.forget(id)));
        gone
    }

    /// The locations that are listed, by code.
    pub(super) fn listed(&self) -> impl Iterator<Item = (&Place, Listed)> {
        let places = self.ids.values().map(|id| &self.places[id.0]);
        places.filter_map(|place| Some((place, place.listed?)))
    }

    /// The terrain of a location, if it is listed.
    pub(super) fn terrain(&self, id: PlaceId) -> Option<ListedTerrain> {
        self.places[id.0].listed.map(|listed| listed.terrain)
    }
}

// The powers of a file while it is read, with what later lines take from them.

/// A power, a number that stays when other powers are removed.
pub(super) type PowerNumber = usize;

/// A power while it is read.
#[derive(Default)]
pub(super) struct RosterEntry {
    key: String,
    /// The names and the letter.
    pub(super) entry: PowerEntry,
    pub(super) homes: BTreeSet<PlaceId>,
    /// The centres that it owns at the start, if they are not its homes.
    pub(super) owns: BTreeSet<PlaceId>,
    /// The units by province.
    pub(super) units: BTreeMap<PlaceId, (char, PlaceId)>,
    homes_replaced: bool,
}

/// The powers in their order, and the unowned centres.
#[derive(Default)]
pub(super) struct Roster {
    pub(super) powers: BTreeMap<PowerNumber, RosterEntry>,
    numbers: BTreeMap<String, PowerNumber>,
    next: PowerNumber,
    /// Centres that are listed as unowned; they may include homes, which are not neutral.
    pub(super) unowned: BTreeSet<PlaceId>,
    /// Which power has a unit in a province.
    stationed: BTreeMap<PlaceId, PowerNumber>,
    /// The locations that are, or were, homes or centres of a power.
    held: BTreeSet<(PlaceId, PowerNumber)>,
}

/// The name by which the lines of a file refer to a power: DPjudge ignores these letters in names.
fn key(name: &str) -> String {
    name.to_uppercase().chars().filter(|c| !".:+-,".contains(*c)).collect()
}

/// A power with this name. Leading underscores only sort a power; `+` stands for a space, and in `U+S+A` for nothing.
fn named(name: &str) -> PowerEntry {
    let name = name.trim_start_matches('_').to_uppercase();
    let words: Vec<&str> = name.split('+').filter(|word| !word.is_empty()).collect();
    let is_initials = words.iter().all(|word| word.chars().count() == 1);
    let written = words.join(if is_initials { "" } else { "-" });
    let name: String = written.chars().filter(|c| !".:,".contains(*c)).collect();
    let is_abbreviated = written.contains('.');
    let proper_name = Some(if is_abbreviated { written } else { in_prose(&name) })
        .filter(|it| is_abbreviated || it.contains(' '));
    PowerEntry { name, proper_name, ..PowerEntry::default() }
}

/// `BRITISH-COLUMBIA` and `British+Columbian` as written in prose.
pub(super) fn in_prose(name: &str) -> String {
    let words = name.split(['-', '+', '_']).filter(|word| !word.is_empty());
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect()
        })
    };
    words.map(word).collect::<Vec<String>>().join(" ")
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
        self.powers.insert(number, RosterEntry { key, entry: named(name), ..RosterEntry::default() });
        number
    }

    /// Gives a power another name.
    ///
    /// # Errors
    /// Another power has the name.
    pub(super) fn rename(&mut self, number: PowerNumber, name: &str) -> Result<(), String> {
        let key = key(name);
        if self.numbers.get(&key).is_some_and(|&other| other != number) {
            return Err(format!("duplicate power {name}"));
        }
        if let Some(entry) = self.powers.get_mut(&number) {
            self.numbers.remove(&entry.key);
            self.numbers.insert(key.clone(), number);
            entry.key = key;
            entry.entry = named(name);
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
        if resets {
            entry.owns.clear();
        }
        for centre in centres {
            step();
            entry.owns.insert(centre);
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
                entry.owns.remove(&place);
            }
        }
    }
}
