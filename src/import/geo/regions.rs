//! Polygons with their properties, from GeoJSON.

use std::collections::BTreeMap;

use geojson::{FeatureCollection, GeoJson};
use serde::Deserialize;
use serde_json::{Map, Value};
use upheaval_map::topology::{CanalEntry, KindEntry, PowerEntry, is_coordinate};
use upheaval_map::wording;

use super::points::{Ring, closed};
use crate::error::ImportError;

/// The largest number of corners that all polygons of a file may have together. It is compared before arcs are put
/// together: a topology of a megabyte can name an arc thousands of times.
pub(super) const MOST_CORNERS: usize = 500_000;

/// The fault of a file whose polygons have more corners.
pub(super) fn too_many_corners(file: &str, corners: usize) -> ImportError {
    ImportError::file(
        file,
        format!(
            "its polygons have {corners} corners or more, and at most {MOST_CORNERS} are read; simplify the drawing"
        ),
    )
}

/// A polygon and its properties.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The code of the province.
    pub code: String,
    /// Its properties.
    pub properties: Properties,
    /// Its polygons, which share edges: of each, the outer ring and the holes.
    pub polygons: Vec<Vec<Ring>>,
}

/// The properties of a polygon that are read; others are ignored.
#[derive(Deserialize, Clone, Debug)]
pub(super) struct Properties {
    /// The code; by default the feature's `id`.
    pub code: Option<String>,
    /// The full name.
    pub name: Option<String>,
    /// The terrain of the province.
    pub kind: KindEntry,
    /// Is it a supply centre?
    #[serde(default)]
    pub supply_centre: bool,
    /// The power whose home it is.
    pub home: Option<String>,
    /// Named coasts, each with the neighbours that make it up.
    #[serde(default)]
    pub coasts: BTreeMap<String, Vec<String>>,
    /// The position of its centre, unless it is in the middle.
    pub centre: Option<[f64; 2]>,
}

/// Further members beside the polygons, in the form of a map file.
#[derive(Deserialize, Debug, Default)]
pub(super) struct Extras {
    /// The powers.
    pub powers: Option<Vec<PowerEntry>>,
    /// Canals.
    #[serde(default)]
    pub canals: Vec<CanalEntry>,
    /// Straits.
    #[serde(default)]
    pub straits: Vec<[String; 2]>,
}

/// The polygons of a feature collection.
pub(super) fn read(file: &str, text: &str) -> Result<(Vec<Region>, Extras), ImportError> {
    // A truncated text is reported with its line.
    let value: GeoJson = parsed(file, text)?;
    let collection = FeatureCollection::try_from(value);
    let collection = collection
        .map_err(|error| ImportError::file(file, format!("not a GeoJSON feature collection: {error}")))?;
    let mut regions = Vec::new();
    let mut corners = 0;
    for (number, feature) in (1..).zip(collection.features) {
        let id = feature.id.map(|id| match id {
            geojson::feature::Id::String(text) => text,
            geojson::feature::Id::Number(number) => number.to_string(),
        });
        let what = format!("feature {number}");
        let geometry = feature.geometry.map(|geometry| geometry.value);
        let polygons: Vec<Vec<Ring>> = match geometry {
            Some(geojson::GeometryValue::Polygon { coordinates }) => vec![rings(coordinates)],
            Some(geojson::GeometryValue::MultiPolygon { coordinates }) => {
                coordinates.into_iter().map(rings).collect()
            }
            _ => {
                return Err(ImportError::file(
                    file,
                    format!("{what} is not a polygon; every province is one"),
                ));
            }
        };
        corners += polygons.iter().flatten().map(Vec::len).sum::<usize>();
        if corners > MOST_CORNERS {
            return Err(too_many_corners(file, corners));
        }
        let properties = feature.properties.unwrap_or_default();
        regions.push(region(file, &what, id, properties, polygons)?);
    }
    let extras = extras(file, collection.foreign_members.unwrap_or_default())?;
    Ok((unlike(file, regions)?, extras))
}

/// Parses a JSON text; an error gives the line of the fault.
pub(super) fn parsed<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, ImportError> {
    serde_json::from_str(text)
        .map_err(|error| ImportError::line(file, error.line(), wording::of_json(&error)))
}

fn rings(coordinates: Vec<Vec<geojson::Position>>) -> Vec<Ring> {
    let point = |position: &geojson::Position| {
        let at = |i: usize| position.as_slice().get(i).copied().unwrap_or(f64::NAN);
        [at(0), at(1)]
    };
    coordinates.iter().map(|ring| closed(ring.iter().map(point))).collect()
}

/// Assembles a region from its parts.
pub(super) fn region(
    file: &str,
    what: &str,
    id: Option<String>,
    properties: Map<String, Value>,
    polygons: Vec<Vec<Ring>>,
) -> Result<Region, ImportError> {
    let properties: Properties = serde_json::from_value(Value::Object(properties)).map_err(|error| {
        ImportError::file(
            file,
            format!(
                "{what}: its properties: {} (`kind` is land, sea or impassable)",
                wording::of_json(&error)
            ),
        )
    })?;
    let Some(code) = properties.code.clone().or(id) else {
        return Err(ImportError::file(file, format!("{what} has neither a property `code` nor an `id`")));
    };
    let what = format!("{what}, {code}");
    if !matches!(properties.kind, KindEntry::Land | KindEntry::Sea | KindEntry::Impassable) {
        return Err(ImportError::file(file, format!("{what}: `kind` is land, sea or impassable")));
    }
    if polygons.is_empty() || polygons.iter().any(Vec::is_empty) {
        return Err(ImportError::file(file, format!("{what} has no ring")));
    }
    // A hole with fewer is a way out and back.
    if polygons.iter().any(|rings| rings[0].len() < 3) {
        return Err(ImportError::file(file, format!("{what}: a polygon has at least three corners")));
    }
    if !polygons.iter().flatten().flatten().chain(&properties.centre).flatten().all(|&x| is_coordinate(x)) {
        let message = "one of its points is out of reach: a coordinate is 0, or from 1e-100 to 1e9 in size";
        return Err(ImportError::file(file, format!("{what}: {message}")));
    }
    Ok(Region { code, properties, polygons })
}

/// Powers and waterways beside the polygons.
pub(super) fn extras(file: &str, members: Map<String, Value>) -> Result<Extras, ImportError> {
    serde_json::from_value(Value::Object(members)).map_err(|error| {
        ImportError::file(file, format!("powers, canals or straits: {}", wording::of_json(&error)))
    })
}

/// Checks that no two polygons have the same code, regardless of case.
pub(super) fn unlike(file: &str, regions: Vec<Region>) -> Result<Vec<Region>, ImportError> {
    if regions.is_empty() {
        return Err(ImportError::file(file, "it contains no polygon"));
    }
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for region in &regions {
        if let Some(before) = seen.insert(region.code.to_uppercase(), &region.code) {
            let message = if before == region.code {
                format!("two polygons are called {before}")
            } else {
                format!("`{before}` and `{}` differ only in case; codes are in capital letters", region.code)
            };
            return Err(ImportError::file(file, message));
        }
    }
    Ok(regions)
}
