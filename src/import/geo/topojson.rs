//! The same for TopoJSON: rings are assembled from arcs. The crate `topojson` is not used, because its last
//! release requires an old version of `geojson` in addition.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::points::{GeoPoint, Ring, closed};
use super::regions::{Extras, MOST_CORNERS, Region, extras, parsed, region, too_many_corners, unlike};
use crate::error::ImportError;
use upheaval_map::wording;

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
pub(super) fn read(file: &str, text: &str) -> Result<(Vec<Region>, Extras), ImportError> {
    let topology: Topology = parsed(file, text)?;
    if topology.kind != "Topology" {
        return Err(ImportError::file(file, format!("its type is `{}`, not `Topology`", topology.kind)));
    }
    let arcs = points_of(file, &topology)?;
    let mut shapes = Shapes { file, arcs: &arcs, corners: 0, regions: Vec::new() };
    for (name, object) in topology.objects {
        let object: Object = serde_json::from_value(object).map_err(|error| {
            ImportError::file(file, format!("object `{name}`: {}", wording::of_json(&error)))
        })?;
        shapes.add(&name, object)?;
    }
    let extras = extras(file, topology.others)?;
    Ok((unlike(file, shapes.regions)?, extras))
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

/// The polygons of the objects read so far.
struct Shapes<'a> {
    file: &'a str,
    arcs: &'a [Vec<GeoPoint>],
    /// The number of their corners.
    corners: usize,
    regions: Vec<Region>,
}

impl Shapes<'_> {
    fn add(&mut self, name: &str, object: Object) -> Result<(), ImportError> {
        let file = self.file;
        let refused = |message: String| ImportError::file(file, format!("object `{name}`: {message}"));
        let polygons: Vec<Vec<Vec<i64>>> = match object.kind.as_str() {
            // The depth of nested collections is limited by the JSON parser.
            "GeometryCollection" => {
                return object.geometries.into_iter().try_for_each(|inner| self.add(name, inner));
            }
            "Polygon" => {
                vec![serde_json::from_value(object.arcs).map_err(|error| refused(wording::of_json(&error)))?]
            }
            "MultiPolygon" => {
                serde_json::from_value(object.arcs).map_err(|error| refused(wording::of_json(&error)))?
            }
            other => return Err(refused(format!("a `{other}` is not a polygon; every province is one"))),
        };
        for &index in polygons.iter().flatten().flatten() {
            let arc = self.arc(index).ok_or_else(|| refused(format!("there is no arc {index}")))?;
            self.corners = self.corners.saturating_add(arc.len());
        }
        if self.corners > MOST_CORNERS {
            return Err(too_many_corners(file, self.corners));
        }
        let ring = |indices: &Vec<i64>| -> Ring {
            let mut points = Vec::new();
            for &index in indices {
                let arc = self.arc(index).unwrap_or_default().iter().copied();
                match index < 0 {
                    true => points.extend(arc.rev()),
                    false => points.extend(arc),
                }
            }
            closed(points)
        };
        let shapes = polygons.iter().map(|polygon| polygon.iter().map(ring).collect()).collect();
        let id = object.id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
        let what = format!("polygon {} of `{name}`", self.regions.len() + 1);
        self.regions.push(region(file, &what, id, object.properties.unwrap_or_default(), shapes)?);
        Ok(())
    }

    /// An arc by its index; `~i` is arc i reversed.
    fn arc(&self, index: i64) -> Option<&[GeoPoint]> {
        let forward = if index < 0 { !index } else { index };
        usize::try_from(forward).ok().and_then(|i| self.arcs.get(i)).map(Vec::as_slice)
    }
}
