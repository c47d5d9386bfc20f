//! Map files of DPjudge and of the Python package `diplomacy`, which list adjacencies.
//!
//! A location is a province (`GAS`), a coast (`SPA/NC`), or the inland of a province with several coasts
//! (`spa`, in lower case). In a list of neighbours, upper case is for armies and fleets, lower case for
//! armies alone (`mar`), and a capital first letter for fleets alone (`Bal`).

mod place_index;
mod reader;

use std::collections::{BTreeMap, BTreeSet};

use crate::listing::reader::{AdjacencyList, ListedPlace, ListedTerrain};
use crate::note::{ImportError, ImportNote};
use crate::sketch::{Sketch, SketchGround, SketchProvince, Station};
use upheaval_map::ids::{MAX_POWERS, MAX_PROVINCES, PowerEntry};

pub(crate) use crate::listing::reader::{Includes, PowerListing, read};

// From statements to a sketch of the board: interprets the case of letters in the lists of neighbours.

/// The province and the coast of a location.
fn station(code: &str) -> Station {
    let code = code.to_uppercase();
    match code.split_once('/') {
        Some((province, coast)) => (province.to_owned(), Some(coast.to_owned())),
        None => (code, None),
    }
}

/// Is an entry of a list of neighbours valid for fleets?
fn is_for_fleets(entry: &str) -> bool {
    entry.starts_with(|c: char| !c.is_lowercase())
}

fn is_for_armies(entry: &str) -> bool {
    let mut letters = entry.chars();
    let is_title = letters.next().is_some_and(char::is_uppercase)
        && letters.clone().any(char::is_lowercase)
        && letters.all(|c| !c.is_uppercase());
    !is_title
}

impl AdjacencyList {
    /// The board that the file describes.
    ///
    /// # Errors
    /// A code is listed twice, a neighbour does not exist, a centre is not a province, or there are too many
    /// powers.
    pub(crate) fn sketch(&self, file: &str, notes: &mut Vec<ImportNote>) -> Result<Sketch, ImportError> {
        if self.places.is_empty() {
            return Err(ImportError::file(
                file,
                "no location is listed; a line such as `COAST GAS ABUTS BRE MAO PAR` lists one",
            ));
        }
        let provinces = self.provinces(file)?;
        if provinces.len() > MAX_PROVINCES {
            let message = format!("{} provinces; a map holds up to {MAX_PROVINCES} faces", provinces.len());
            return Err(ImportError::file(file, message));
        }
        let mut sketch = Sketch { provinces, powers: self.power_entries(file)?, ..Sketch::default() };
        self.centres(file, &mut sketch, notes)?;
        let known: BTreeSet<String> = self.places.iter().map(|place| place.code.to_uppercase()).collect();
        for place in &self.places {
            for entry in &place.abuts {
                let upper = entry.to_uppercase();
                if !known.contains(&upper) && !sketch.provinces.contains_key(&upper) {
                    let message = format!("`{}` abuts `{entry}`, which is not listed", place.code);
                    return Err(ImportError::line(file, place.line, message));
                }
            }
        }
        let on_land = self.places.iter().filter(|place| place.terrain == ListedTerrain::Land);
        let lands: BTreeSet<String> = on_land.map(|place| place.code.to_uppercase()).collect();
        for place in &self.places {
            moves_from(place, &lands, &mut sketch);
        }
        Ok(sketch)
    }

    fn provinces(&self, file: &str) -> Result<BTreeMap<String, SketchProvince>, ImportError> {
        let mut provinces: BTreeMap<String, SketchProvince> = BTreeMap::new();
        let mut coasts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for place in &self.places {
            let (code, coast) = station(&place.code);
            if let Some(coast) = coast {
                coasts.entry(code).or_default().push(coast);
                continue;
            }
            let ground = match place.terrain {
                ListedTerrain::Water => SketchGround::Sea,
                ListedTerrain::Shut => SketchGround::Shut,
                ListedTerrain::Land | ListedTerrain::Coast => SketchGround::Land,
            };
            let name = self.names.get(&code).cloned().unwrap_or_else(|| code.clone());
            let province =
                SketchProvince { name, ground, supply_centre: false, home: None, coasts: Vec::new() };
            if provinces.insert(code.clone(), province).is_some() {
                let message = format!("{code} is listed twice (codes that differ only in case are the same)");
                return Err(ImportError::line(file, place.line, message));
            }
        }
        for (code, mut coasts) in coasts {
            coasts.sort();
            match provinces.get_mut(&code) {
                Some(province) => province.coasts = coasts,
                None => {
                    let message =
                        format!("{code} has coasts, but its inland `{}` is not listed", code.to_lowercase());
                    return Err(ImportError::file(file, message));
                }
            }
        }
        Ok(provinces)
    }

    fn power_entries(&self, file: &str) -> Result<Vec<PowerEntry>, ImportError> {
        if !(2..=MAX_POWERS).contains(&self.powers.len()) {
            let message = format!("{} powers; a board has from 2 to {MAX_POWERS}", self.powers.len());
            return Err(ImportError::file(file, message));
        }
        let entry = |power: &PowerListing| PowerEntry {
            name: power.name.clone(),
            proper_name: power
                .proper_name
                .clone()
                .or_else(|| Some(in_prose(&power.name)).filter(|proper| proper.contains(' '))),
            adjective: power.adjective.as_deref().map(in_prose),
            mark: power.mark,
            colour: None,
        };
        Ok(self.powers.iter().map(entry).collect())
    }

    fn centres(
        &self,
        file: &str,
        sketch: &mut Sketch,
        notes: &mut Vec<ImportNote>,
    ) -> Result<(), ImportError> {
        let listed = self.powers.iter().flat_map(|power| {
            let owned = power.owns.iter().flatten().map(|centre| (centre, None));
            power.homes.iter().map(|home| (home, Some(&power.name))).chain(owned)
        });
        for (centre, power) in listed.chain(self.unowned.iter().map(|centre| (centre, None))) {
            let Some(province) = sketch.provinces.get_mut(centre) else {
                return Err(ImportError::file(
                    file,
                    format!("the centre {centre} is not a province of the board"),
                ));
            };
            province.supply_centre = true;
            match (&province.home, power) {
                (None, Some(power)) => province.home = Some(power.clone()),
                (Some(first), Some(power)) if first != power => {
                    notes.push(ImportNote::SharedHome {
                        centre: centre.clone(),
                        kept: first.clone(),
                        other: power.clone(),
                    });
                }
                _ => {}
            }
        }
        for power in &self.powers {
            if !power.units.is_empty() {
                notes.push(ImportNote::Units { power: power.name.clone(), units: power.units.clone() });
            }
        }
        Ok(())
    }
}

/// Notes the moves from a location; `lands` are the provinces without a coast.
fn moves_from(place: &ListedPlace, lands: &BTreeSet<String>, sketch: &mut Sketch) {
    let from = station(&place.code);
    let is_inland =
        sketch.provinces.get(&from.0).is_some_and(|province| !province.coasts.is_empty()) && from.1.is_none();
    for entry in &place.abuts {
        let to = station(entry);
        let (Some(a), Some(b)) = (sketch.provinces.get(&from.0), sketch.provinces.get(&to.0)) else {
            continue;
        };
        let (grounds, has_coasts) = ([a.ground, b.ground], !b.coasts.is_empty());
        if grounds.contains(&SketchGround::Shut) {
            sketch.touching.insert([from.0.clone(), to.0.clone()]);
            continue;
        }
        if grounds == [SketchGround::Land; 2] && from.1.is_none() && is_for_armies(entry) {
            sketch.army.insert([from.0.clone(), to.0.clone()]);
        }
        let lands = place.terrain == ListedTerrain::Land || lands.contains(&to.0);
        let named = to.1.is_some() || !has_coasts;
        if is_for_fleets(entry) && !is_inland && !lands && named {
            sketch.fleet.insert([from.clone(), to]);
        }
    }
}

/// `BRITISH-COLUMBIA` and `British+Columbian` as written in prose.
fn in_prose(name: &str) -> String {
    let words = name.split(['-', '+', '_']).filter(|word| !word.is_empty());
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect()
        })
    };
    words.map(word).collect::<Vec<String>>().join(" ")
}
