//! The annotations of a map: powers and their homes, named coasts, canals, straits.

use std::collections::BTreeSet;

use super::super::half_edge::{BorderId, FaceKind};
use super::super::map::{CoastLabel, PlanarMap};
use super::super::map_file::{FaceEntry, MapFile, is_coordinate};
use super::super::waterway::Waterway;
use super::lists::Lists;
use crate::ids::{PowerEntry, PowerNames, ProvinceId};
use crate::letters;
use crate::topology::bearing::CoastName;

/// The powers of the board, if they are valid and match the homes.
pub(super) fn powers(file: &MapFile, faults: &mut Vec<String>) -> Option<PowerNames> {
    let homes: BTreeSet<&str> = file.faces.values().filter_map(|face| face.home.as_deref()).collect();
    for (name, face) in &file.faces {
        faults.extend(
            letters::fault(&face.name).map(|fault| format!("{}: `name`: {fault}", name.escape_debug())),
        );
        faults.extend(home_fault(name, face));
        if face.centre.is_some_and(|centre| !centre.into_iter().all(is_coordinate)) {
            faults.push(format!(
                "{}: `centre` is not a point (expected two numbers, east and north, each 0 or from 1e-100 to 1e9 in size)",
                name.escape_debug()
            ));
        }
    }
    let powers = match &file.powers {
        None if homes.is_empty() => return Some(PowerNames::standard()),
        None => PowerNames::of_names(homes.iter().copied()),
        Some(listed) => {
            faults.extend(listed.iter().flat_map(power_faults));
            PowerNames::new(listed.clone())
        }
    };
    let powers = powers.map_err(|error| faults.push(format!("powers: {error}"))).ok()?;
    for (name, face) in &file.faces {
        if let Some(Err(error)) = face.home.as_deref().map(|home| powers.named(home)) {
            faults.push(format!("{name}: home: {error}"));
        }
    }
    for power in powers.iter().filter(|name| !homes.contains(name)) {
        faults.push(format!(
            "powers: {power} does not have a home; write `home` {power} into a supply centre on land, or remove {power}"
        ));
    }
    Some(powers)
}

/// The fault of a face as a home or supply centre, if any.
fn home_fault(name: &str, face: &FaceEntry) -> Option<String> {
    if let FaceKind::Impassable | FaceKind::Outside | FaceKind::Point = face.kind
        && face.supply_centre
    {
        return Some(format!(
            "{name} cannot be a supply centre, because no unit can enter it; remove `supply_centre`"
        ));
    }
    let home = face.home.as_deref()?;
    if face.kind != FaceKind::Land {
        return Some(format!(
            "{name} is not land and cannot be a home of {home}, because units are built in homes"
        ));
    }
    (!face.supply_centre).then(|| {
        format!("{name} is a home of {home} and must be a supply centre; set `supply_centre` to true")
    })
}

/// The faults of a power's texts and colour.
fn power_faults(entry: &PowerEntry) -> Vec<String> {
    let PowerEntry { name, proper_name, adjective, colour, .. } = entry;
    let texts = [("proper_name", proper_name), ("adjective", adjective)].into_iter();
    let fault = |(key, text): (&str, &Option<String>)| {
        let fault = letters::fault(text.as_deref()?)?;
        Some(format!("powers: {}: `{key}`: {fault}", name.escape_debug()))
    };
    let colour = colour.as_ref().filter(|_| entry.rgb().is_none());
    let colour =
        colour.map(|text| format!("powers: {name}: `{text}` is not a colour (expected e.g. `#d55e00`)"));
    texts.filter_map(fault).chain(colour).collect()
}

/// A border given by the names of the province and the neighbour, and the number of the stretch, from 0.
struct Stretch<'a> {
    province: &'a str,
    neighbour: &'a str,
    index: usize,
}

impl<'a> Stretch<'a> {
    /// `MAO`, or `MAO#2` for the second stretch along it.
    fn read(province: &'a str, text: &'a str) -> Option<Stretch<'a>> {
        let (neighbour, index) = match text.split_once('#') {
            Some((name, number)) => (name, number.parse::<usize>().ok()?.checked_sub(1)?),
            None => (text, 0),
        };
        Some(Stretch { province, neighbour, index })
    }

    /// Do the lists contain this stretch?
    fn is_there(&self, lists: &Lists) -> bool {
        let find = |name: &str| lists.names[..lists.faces].iter().position(|known| known == name);
        let Some((province, neighbour)) = find(self.province).zip(find(self.neighbour)) else { return false };
        let stretches = lists.cycles[province].iter().flatten().filter(|&&face| face == neighbour);
        stretches.count() > self.index
    }

    /// The border on a map built from these lists.
    fn on(&self, map: &PlanarMap) -> Option<(ProvinceId, BorderId)> {
        let (province, neighbour) = (map.find(self.province)?, map.find(self.neighbour)?);
        Some((province, map.stretches(province, neighbour).get(self.index)?.border()))
    }
}

/// Checks that coasts, canals and straits refer to existing borders.
pub(super) fn check(file: &MapFile, lists: &Lists, faults: &mut Vec<String>) {
    for canal in &file.canals {
        faults.extend(land_fault(file, &canal.through, "a canal"));
        if canal.ends[0] == canal.ends[1] {
            faults.push(format!(
                "the canal through {} has only one end; expected two neighbours, or two stretches such as `{}#2`",
                canal.through, canal.ends[0]
            ));
        }
        faults.extend(canal.ends.iter().filter_map(|end| border_fault(lists, &canal.through, end)));
    }
    for [a, b] in &file.straits {
        faults.extend([a, b].into_iter().filter_map(|name| land_fault(file, name, "a strait")));
        faults.extend(border_fault(lists, a, b));
    }
    for (province, coasts) in &file.coasts {
        faults.extend(land_fault(file, province, "coasts"));
        for (name, contacts) in coasts {
            if let Err(error) = name.parse::<CoastName>() {
                faults.push(format!("coasts of {province}: {error}"));
            }
            if contacts.is_empty() {
                faults.push(format!(
                    "coasts of {province}: {name} has no borders; name the seas that it touches"
                ));
            }
            faults.extend(contacts.iter().filter_map(|contact| border_fault(lists, province, contact)));
        }
    }
}

/// Checks that a waterway or coast lies in a land province.
fn land_fault(file: &MapFile, name: &str, what: &str) -> Option<String> {
    let name = name.split_once('#').map_or(name, |(name, _)| name);
    let face = file.faces.get(name)?; // a name that is not a face does not have the border either
    (face.kind != FaceKind::Land).then(|| format!("{name} is not a land province and cannot have {what}"))
}

fn border_fault(lists: &Lists, province: &str, neighbour: &str) -> Option<String> {
    if Stretch::read(province, neighbour).is_some_and(|stretch| stretch.is_there(lists)) {
        return None;
    }
    let index = lists.names[..lists.faces].iter().position(|known| known == province);
    let Some(index) = index else {
        return Some(format!(
            "`{province}` is not a face of the map and does not have a border `{neighbour}`"
        ));
    };
    let around: Vec<String> = lists.cycles[index].iter().map(|cycle| lists.text(cycle)).collect();
    Some(format!(
        "{province} does not have a border `{neighbour}`; its neighbours are {}",
        around.join(" and ")
    ))
}

/// Adds the checked waterways and named coasts to the map.
pub(super) fn write_on(file: &MapFile, map: &mut PlanarMap) {
    map.structure = Default::default(); // the check of the borders filled the cache, and waterways are part of it
    let find = |map: &PlanarMap, province: &str, neighbour: &str| Stretch::read(province, neighbour)?.on(map);
    for canal in &file.canals {
        let ends = [0, 1].map(|i| find(map, &canal.through, &canal.ends[i]));
        if let [Some((province, x)), Some((_, y))] = ends {
            map.waterways.extend(Waterway::canal(province, [x, y]));
        }
    }
    for [a, b] in &file.straits {
        if let Some((_, border)) = find(map, a, b) {
            let provinces = border.sides().map(|side| map.owner(side));
            map.waterways.push(Waterway::Strait { border, provinces });
        }
    }
    for (province, coasts) in &file.coasts {
        for (name, contacts) in coasts {
            let Ok(name) = name.parse::<CoastName>() else { continue };
            let borders = contacts.iter().filter_map(|contact| find(map, province, contact));
            let labels = borders.map(|(province, border)| CoastLabel { province, name, border });
            let labels: Vec<_> = labels.collect();
            map.labels.extend(labels);
        }
    }
}
