//! Map files of DPjudge and of the Python package `diplomacy`, which list adjacencies.
//!
//! A location is a province (`GAS`), a coast (`SPA/NC`), or the inland of a province with several coasts
//! (`spa`, in lower case). In a list of neighbours, upper case is for armies and fleets, lower case for
//! armies alone (`mar`), and a capital first letter for fleets alone (`Bal`).

mod place_index;
mod reader;

use std::collections::BTreeMap;

use crate::listing::place_index::{Listed, ListedTerrain, Movers, Place, PlaceIndex, Roster};
use crate::note::{ImportError, ImportNote};
use crate::sketch::{Sketch, SketchGround, SketchProvince, Station};
use upheaval_map::ids::MAX_POWERS;

pub(crate) use crate::listing::reader::Includes;

/// The board that a file describes, with the files that it includes. Notes name the statements for which a map file has
/// no place.
///
/// # Errors
/// A line is not a valid statement, an included file cannot be read, a neighbour does not exist, a centre is not a
/// province, or there are too many provinces or powers.
pub(crate) fn sketch(
    file: &str,
    text: &str,
    includes: &Includes<'_>,
    notes: &mut Vec<ImportNote>,
) -> Result<Sketch, ImportError> {
    let (places, roster) = reader::read(file, text, includes, notes)?;
    if places.listed().next().is_none() {
        return Err(ImportError::file(
            file,
            "no location is listed; a line such as `COAST GAS ABUTS BRE MAO PAR` lists one",
        ));
    }
    let provinces = provinces(file, &places)?;
    let powers = roster.powers.len();
    if !(2..=MAX_POWERS).contains(&powers) {
        let message = format!("{powers} powers; a board has from 2 to {MAX_POWERS}");
        return Err(ImportError::file(file, message));
    }
    let mut sketch = Sketch { provinces, ..Sketch::default() };
    centres(file, &places, &roster, &mut sketch, notes)?;
    for (place, Listed { case, line, .. }) in places.listed() {
        let missing = place.abuts.iter().find(|&&(_, other, _)| places.terrain(other).is_none());
        if let Some(&(_, other, movers)) = missing {
            let (own, entry) = (case.written(&place.code), movers.written(places.code(other)));
            let message = format!("`{own}` abuts `{entry}`, which is not listed");
            return Err(ImportError::line(file, line, message));
        }
    }
    for (place, listed) in places.listed() {
        moves_from(&places, place, listed, &mut sketch);
    }
    sketch.powers = roster.powers.into_values().map(|power| power.entry).collect();
    Ok(sketch)
}

/// The province and the coast of a location.
fn station(code: &str) -> Station {
    match code.split_once('/') {
        Some((province, coast)) => (province.to_owned(), Some(coast.to_owned())),
        None => (code.to_owned(), None),
    }
}

fn provinces(file: &str, places: &PlaceIndex) -> Result<BTreeMap<String, SketchProvince>, ImportError> {
    let mut provinces: BTreeMap<String, SketchProvince> = BTreeMap::new();
    let mut coasts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, listed) in places.listed() {
        let (code, coast) = station(&place.code);
        if let Some(coast) = coast {
            coasts.entry(code).or_default().push(coast);
            continue;
        }
        let ground = match listed.terrain {
            ListedTerrain::Water => SketchGround::Sea,
            ListedTerrain::Shut => SketchGround::Shut,
            ListedTerrain::Land | ListedTerrain::Coast => SketchGround::Land,
        };
        let name = place.name.clone().unwrap_or_else(|| code.clone());
        let province = SketchProvince { name, ground, supply_centre: false, home: None, coasts: Vec::new() };
        provinces.insert(code, province);
    }
    for (code, coasts) in coasts {
        let Some(province) = provinces.get_mut(&code) else {
            let inland = code.to_lowercase();
            return Err(ImportError::file(
                file,
                format!("{code} has coasts, but its inland `{inland}` is not listed"),
            ));
        };
        province.coasts = coasts;
    }
    Ok(provinces)
}

fn centres(
    file: &str,
    places: &PlaceIndex,
    roster: &Roster,
    sketch: &mut Sketch,
    notes: &mut Vec<ImportNote>,
) -> Result<(), ImportError> {
    let of_powers = roster.powers.values().flat_map(|power| {
        let homes = power.homes.iter().map(|home| (home, Some(&power.entry.name)));
        homes.chain(power.owns.iter().map(|centre| (centre, None)))
    });
    for (&centre, power) in of_powers.chain(roster.unowned.iter().map(|centre| (centre, None))) {
        let centre = places.code(centre);
        let Some(province) = sketch.provinces.get_mut(centre) else {
            let message = format!("the centre {centre} is not a province of the board");
            return Err(ImportError::file(file, message));
        };
        province.supply_centre = true;
        match (&province.home, power) {
            (None, Some(power)) => province.home = Some(power.clone()),
            (Some(first), Some(power)) if first != power => {
                let (kept, other) = (first.clone(), power.clone());
                notes.push(ImportNote::SharedHome { centre: centre.to_owned(), kept, other });
            }
            _ => {}
        }
    }
    for power in roster.powers.values().filter(|power| !power.units.is_empty()) {
        let units = power.units.values().map(|&(kind, place)| format!("{kind} {}", places.code(place)));
        notes.push(ImportNote::Units { power: power.entry.name.clone(), units: units.collect() });
    }
    Ok(())
}

/// Adds the moves from a location to a sketch.
fn moves_from(places: &PlaceIndex, place: &Place, listed: Listed, sketch: &mut Sketch) {
    let from = station(&place.code);
    let is_inland =
        sketch.provinces.get(&from.0).is_some_and(|province| !province.coasts.is_empty()) && from.1.is_none();
    for &(province, other, movers) in &place.abuts {
        let to = station(places.code(other));
        let (Some(a), Some(b)) = (sketch.provinces.get(&from.0), sketch.provinces.get(&to.0)) else {
            continue;
        };
        let (grounds, has_coasts) = ([a.ground, b.ground], !b.coasts.is_empty());
        if grounds.contains(&SketchGround::Shut) {
            sketch.touching.insert([from.0.clone(), to.0.clone()]);
            continue;
        }
        if grounds == [SketchGround::Land; 2] && from.1.is_none() && movers != Movers::Fleets {
            sketch.army.insert([from.0.clone(), to.0.clone()]);
        }
        let is_landlocked =
            [Some(listed.terrain), places.terrain(province)].contains(&Some(ListedTerrain::Land));
        let is_named = to.1.is_some() || !has_coasts;
        if movers != Movers::Armies && !is_inland && !is_landlocked && is_named {
            sketch.fleet.insert([from.clone(), to]);
        }
    }
}
