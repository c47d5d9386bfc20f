//! The same for TopoJSON: rings are assembled from arcs. The crate `topojson` is not used, because its last
//! release requires an old version of `geojson` in addition.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::points::{GeoPoint, Ring, closed};
use super::regions::{Extras, Region, extras, parsed, region, unlike};
use crate::error::ImportError;

#[derive(Deserialize)]
struct Topology {
    #[serde(rename = "type")]
    kind: String,
    objects: Map<String, Value>,
    arcs: Vec<Vec<Vec<f64>>>,
    transform: Option<Transform>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Deserialize, Clone, Copy)]
struct Transform {
    scale: [f64; 2],
    translate: [f64; 2],
}

#[derive(Deserialize)]
struct Object {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    geometries: Vec<Object>,
    #[serde(default)]
    arcs: Value,
    #[serde(default)]
    properties: Option<Map<String, Value>>,
    id: Option<Value>,
}

/// The polygons of all objects of a topology.
pub fn read(file: &str, text: &str) -> Result<(Vec<Region>, Extras), ImportError> {
    let topology: Topology = parsed(file, text)?;
    if topology.kind != "Topology" {
        return Err(ImportError::file(file, format!("its type is `{}`, not `Topology`", topology.kind)));
    }
    let arcs = points_of(file, &topology)?;
    let mut regions = Vec::new();
    for (name, object) in topology.objects {
        let object: Object = serde_json::from_value(object)
            .map_err(|error| ImportError::file(file, format!("object `{name}`: {error}")))?;
        add(file, &name, object, &arcs, &mut regions)?;
    }
    let extras = extras(file, topology.others)?;
    Ok((unlike(file, regions)?, extras))
}

fn points_of(file: &str, topology: &Topology) -> Result<Vec<Vec<GeoPoint>>, ImportError> {
    let mut arcs = Vec::new();
    for (number, arc) in topology.arcs.iter().enumerate() {
        let mut at = [0.0, 0.0];
        let mut points = Vec::new();
        for point in arc {
            let [x, y, ..] = point[..] else {
                return Err(ImportError::file(
                    file,
                    format!("arc {number} contains something that is not a point"),
                ));
            };
            points.push(match topology.transform {
                // With a transform, each point is given relative to the one before.
                Some(Transform { scale, translate }) => {
                    at = [at[0] + x, at[1] + y];
                    [0, 1].map(|k| at[k] * scale[k] + translate[k])
                }
                None => [x, y],
            });
        }
        if points.is_empty() {
            return Err(ImportError::file(file, format!("arc {number} is empty")));
        }
        arcs.push(points);
    }
    Ok(arcs)
}

fn add(
    file: &str,
    name: &str,
    object: Object,
    arcs: &[Vec<GeoPoint>],
    regions: &mut Vec<Region>,
) -> Result<(), ImportError> {
    let refused = |message: String| ImportError::file(file, format!("object `{name}`: {message}"));
    let polygons: Vec<Vec<Vec<i64>>> = match object.kind.as_str() {
        // The depth of nested collections is limited by the JSON parser.
        "GeometryCollection" => {
            return object.geometries.into_iter().try_for_each(|inner| add(file, name, inner, arcs, regions));
        }
        "Polygon" => vec![serde_json::from_value(object.arcs).map_err(|error| refused(error.to_string()))?],
        "MultiPolygon" => serde_json::from_value(object.arcs).map_err(|error| refused(error.to_string()))?,
        other => return Err(refused(format!("a `{other}` is not a polygon; every province is one"))),
    };
    let ring = |indices: &Vec<i64>| -> Result<Ring, ImportError> {
        let mut points = Vec::new();
        for &index in indices {
            // `~i` is arc i reversed.
            let forward = if index < 0 { !index } else { index };
            let arc = usize::try_from(forward).ok().and_then(|i| arcs.get(i));
            let arc = arc.ok_or_else(|| refused(format!("there is no arc {index}")))?;
            if index < 0 {
                points.extend(arc.iter().rev().copied());
            } else {
                points.extend(arc.iter().copied());
            }
        }
        Ok(closed(points))
    };
    let mut shapes = Vec::new();
    for polygon in &polygons {
        shapes.push(polygon.iter().map(ring).collect::<Result<Vec<Ring>, ImportError>>()?);
    }
    let id = object.id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
    let what = format!("polygon {} of `{name}`", regions.len() + 1);
    regions.push(region(file, &what, id, object.properties.unwrap_or_default(), shapes)?);
    Ok(())
}
