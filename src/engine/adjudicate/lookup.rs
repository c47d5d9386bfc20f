//! Looks up names of powers and provinces in a request.

use std::collections::BTreeMap;

use super::RequestError;
use crate::rules::map_tables::MapTables;
use upheaval_map::ids::{Power, PowerNames, ProvinceId, ProvinceSet};
use upheaval_map::topology::{HalfEdgeId, PlanarMap};

/// The power with this name. `field` is the key of the request, for errors.
pub(super) fn power(field: &'static str, name: &str, names: &PowerNames) -> Result<Power, RequestError> {
    names.named(name).map_err(|error| RequestError::Power { field, message: error.to_string() })
}

/// The entries of a table, sorted by power.
pub(super) fn by_power<'a, T>(
    field: &'static str,
    entries: &'a BTreeMap<String, T>,
    names: &PowerNames,
) -> Result<Vec<(Power, &'a T)>, RequestError> {
    entries.iter().map(|(name, entry)| Ok((power(field, name, names)?, entry))).collect()
}

/// The province with this name, case-insensitive.
pub(super) fn province(field: &str, name: &str, terrain: &MapTables) -> Result<ProvinceId, RequestError> {
    let unknown = || RequestError::Province { field: field.to_owned(), name: name.to_owned() };
    terrain.names().find(&name.to_ascii_uppercase()).ok_or_else(unknown)
}

/// The provinces of these names.
pub(super) fn provinces(
    field: &str,
    names: &[String],
    terrain: &MapTables,
) -> Result<ProvinceSet, RequestError> {
    names.iter().map(|name| province(field, name, terrain)).collect()
}

/// The names of these provinces, sorted.
pub(super) fn names(places: impl IntoIterator<Item = ProvinceId>, terrain: &MapTables) -> Vec<String> {
    sorted(places.into_iter().map(|id| terrain.names().province(id).to_owned()))
}

/// Texts in alphabetical order.
pub(super) fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

/// A stretch of a province's boundary as text: the face across, followed by `#2` and so on if the two share
/// several stretches.
pub(super) fn stretch_named(map: &PlanarMap, side: HalfEdgeId) -> String {
    let across = map.name(map.across(side));
    let all = map.stretches(map.owner(side), map.across(side));
    match all.iter().position(|&stretch| stretch == side) {
        Some(i) if all.len() > 1 => format!("{across}#{}", i + 1),
        _ => across.to_owned(),
    }
}

/// The face across a stretch and, if the text gives one, the number of the stretch, from 1.
pub(super) fn across(map: &PlanarMap, text: &str) -> Result<(ProvinceId, Option<usize>), String> {
    let (name, index) = match text.split_once('#') {
        Some((name, digits)) => match digits.parse::<usize>() {
            Ok(index) if index > 0 => (name, Some(index)),
            _ => return Err(format!("`{text}`: `#` is followed by a number from 1")),
        },
        None => (text, None),
    };
    let face = map.find(&name.trim().to_ascii_uppercase());
    face.map(|face| (face, index)).ok_or_else(|| format!("`{name}` is not a province of the board"))
}

/// The stretches of a province that a text can mean; exactly one if it has a number.
pub(super) fn stretches(map: &PlanarMap, of: ProvinceId, text: &str) -> Result<Vec<HalfEdgeId>, String> {
    let (face, index) = across(map, text)?;
    let found = map.stretches(of, face);
    let Some(index) = index else { return Ok(found) };
    match found.get(index - 1) {
        Some(&side) => Ok(vec![side]),
        None => Err(format!("`{text}`: {} meets it {} time(s)", map.name(of), found.len())),
    }
}
