//! Polygons with their properties, from GeoJSON.

use std::collections::BTreeMap;

use crate::note::ImportError;
use geojson::{FeatureCollection, GeoJson};
use serde::Deserialize;
use serde_json::{Map, Value};
use upheaval_map::ids::PowerEntry;
use upheaval_map::topology::{CanalEntry, FaceKind, is_coordinate};
use upheaval_map::wording;

// Points, rings, and their measures.

/// A point: east and north.
pub(super) type GeoPoint = [f64; 2];

/// The corners of a ring, the first of them once.
pub(super) type Ring = Vec<GeoPoint>;

/// A ring of points; a repetition of the first point at the end is dropped.
pub(super) fn closed(points: impl IntoIterator<Item = GeoPoint>) -> Ring {
    let mut ring: Ring = Vec::new();
    for point in points {
        if ring.last() != Some(&point) {
            ring.push(point);
        }
    }
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    ring
}

/// Twice the area to the left of the walk a, b, c: positive if it turns left.
pub(super) fn turn(a: GeoPoint, b: GeoPoint, c: GeoPoint) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The signed area of a ring, positive if it is counter-clockwise.
pub(super) fn area(ring: &[GeoPoint]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
}

/// The length of a ring.
pub(super) fn length(ring: &[GeoPoint]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| libm::hypot(a[0] - b[0], a[1] - b[1])).sum()
}

/// A point well inside rings of which the first encloses the others: the middle of the widest of several cuts
/// from west to east.
pub(super) fn within(rings: &[&[GeoPoint]]) -> GeoPoint {
    const CUTS: i32 = 16;
    let ys = || rings.iter().flat_map(|ring| ring.iter().map(|point| point[1]));
    let (low, high) = (ys().fold(f64::INFINITY, f64::min), ys().fold(f64::NEG_INFINITY, f64::max));
    let mut best = (f64::NEG_INFINITY, [0.0, 0.0]);
    for cut in 1..CUTS {
        let part = f64::from(cut) / f64::from(CUTS);
        let y = low + (high - low) * part;
        let mut crossed: Vec<f64> = Vec::new();
        for ring in rings {
            let next = ring.iter().cycle().skip(1);
            for (a, b) in ring.iter().zip(next).filter(|(a, b)| (a[1] > y) != (b[1] > y)) {
                crossed.push(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
            }
        }
        crossed.sort_by(f64::total_cmp);
        for pair in crossed.chunks_exact(2) {
            // A cut near the middle of the height is preferred to a slightly wider one near the ends.
            let room = (pair[1] - pair[0]) * (0.25 + part * (1.0 - part));
            if room > best.0 {
                best = (room, [(pair[0] + pair[1]) / 2.0, y]);
            }
        }
    }
    best.1
}

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
    pub(crate) code: String,
    /// Its properties.
    pub(crate) properties: Properties,
    /// Its polygons, which share edges: of each, the outer ring and the holes.
    pub(crate) polygons: Vec<Vec<Ring>>,
}

/// The properties of a polygon that are read; others are ignored.
#[derive(Deserialize, Clone, Debug)]
pub(super) struct Properties {
    /// The code; by default the feature's `id`.
    pub(crate) code: Option<String>,
    /// The full name.
    pub(crate) name: Option<String>,
    /// The terrain of the province.
    pub(crate) kind: FaceKind,
    /// Is it a supply centre?
    #[serde(default)]
    pub(crate) supply_centre: bool,
    /// The power whose home it is.
    pub(crate) home: Option<String>,
    /// Named coasts, each with the neighbours that make it up.
    #[serde(default)]
    pub(crate) coasts: BTreeMap<String, Vec<String>>,
    /// The position of its centre, unless it is in the middle.
    pub(crate) centre: Option<[f64; 2]>,
}

/// Further members beside the polygons, in the form of a map file.
#[derive(Deserialize, Debug, Default)]
pub(super) struct Extras {
    /// The powers.
    pub(crate) powers: Option<Vec<PowerEntry>>,
    /// Canals.
    #[serde(default)]
    pub(crate) canals: Vec<CanalEntry>,
    /// Straits.
    #[serde(default)]
    pub(crate) straits: Vec<[String; 2]>,
}

/// The polygons of a feature collection.
pub(super) fn read_geojson(file: &str, text: &str) -> Result<(Vec<Region>, Extras), ImportError> {
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
                let message = format!("{what} is not a polygon (expected a polygon for each province)");
                return Err(ImportError::file(file, message));
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
    let refused = |message: String| ImportError::file(file, format!("{what}{message}"));
    let properties: Properties = serde_json::from_value(Value::Object(properties)).map_err(|error| {
        let message = wording::of_json(&error);
        refused(format!(": its properties: {message} (`kind` is land, sea or impassable)"))
    })?;
    let code = properties.code.clone().or(id);
    let code = code.ok_or_else(|| refused(" has neither a property `code` nor an `id`".to_owned()))?;
    let mut numbers = polygons.iter().flatten().flatten().chain(&properties.centre).flatten();
    let fault = if !matches!(properties.kind, FaceKind::Land | FaceKind::Sea | FaceKind::Impassable) {
        ": `kind` is land, sea or impassable"
    } else if polygons.is_empty() || polygons.iter().any(Vec::is_empty) {
        " has no ring"
    // A hole with fewer is a way out and back.
    } else if polygons.iter().any(|rings| rings[0].len() < 3) {
        ": a polygon has at least three corners"
    } else if !numbers.all(|&x| is_coordinate(x)) {
        ": a coordinate is out of range (expected 0, or a magnitude from 1e-100 to 1e9)"
    } else {
        return Ok(Region { code, properties, polygons });
    };
    Err(refused(format!(", {code}{fault}")))
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

// The same for TopoJSON: rings are assembled from arcs. The crate `topojson` is not used, because its last
// release requires an old version of `geojson` in addition.

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
pub(super) fn read_topojson(file: &str, text: &str) -> Result<(Vec<Region>, Extras), ImportError> {
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
        let refused = |why: &str| Err(ImportError::file(file, format!("arc {number} {why}")));
        let mut at = [0.0, 0.0];
        let mut points = Vec::new();
        for point in arc {
            let [x, y, ..] = point[..] else { return refused("contains something that is not a point") };
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
            return refused("is empty");
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
        let not_arcs = |error| refused(wording::of_json(&error));
        let polygons: Vec<Vec<Vec<i64>>> = match object.kind.as_str() {
            // The depth of nested collections is limited by the JSON parser.
            "GeometryCollection" => {
                return object.geometries.into_iter().try_for_each(|inner| self.add(name, inner));
            }
            "Polygon" => vec![serde_json::from_value(object.arcs).map_err(not_arcs)?],
            "MultiPolygon" => serde_json::from_value(object.arcs).map_err(not_arcs)?,
            other => {
                return Err(refused(format!(
                    "a `{other}` is not a polygon (expected a polygon for each province)"
                )));
            }
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

// Drawings in longitudes and latitudes whose polygons lie across longitude 180. GeoJSON cuts such polygons in two (RFC
// 7946, section 3.1.9); others let their longitudes go on beyond 180, or jump to -180. All become polygons in one
// piece: the drawing is moved so that its edge is at a meridian that no polygon reaches.

/// Round the globe, in degrees.
const ROUND: f64 = 360.0;

/// The longest way along a parallel, in degrees, that an edge can take short across longitude 180.
const SHORT: f64 = 90.0;

/// The polygons of a drawing, moved by whole turns so that those across longitude 180 are in one piece; `None` if the
/// drawing is not in longitudes and latitudes, or has no polygon there.
///
/// # Errors
/// The polygons go round the globe, so that the drawing has no edge.
pub(super) fn joined(regions: &[Region]) -> Result<Option<Vec<Region>>, String> {
    let is_on_globe = |&[x, y]: &[f64; 2]| x.abs() <= ROUND && y.abs() <= ROUND / 4.0;
    if !regions.iter().flat_map(|region| region.polygons.iter().flatten().flatten()).all(is_on_globe) {
        return Ok(None);
    }
    let mut regions = regions.to_vec();
    let outlines = |region: &Region| -> Vec<[f64; 2]> {
        region.polygons.iter().filter_map(|rings| rings.first()).map(span).collect()
    };
    let spans = |regions: &[Region]| regions.iter().flat_map(outlines).collect::<Vec<[f64; 2]>>();
    let flat = spans(&regions);
    for ring in regions.iter_mut().flat_map(|region| region.polygons.iter_mut().flatten()) {
        *ring = unrolled(ring);
    }
    let whole = spans(&regions);
    let is_cut = |region: &Region| {
        let [west, east] = ends(&outlines(region));
        region.polygons.len() > 1 && east - west == ROUND
    };
    let [west, east] = ends(&flat);
    let half = ROUND / 2.0;
    if flat == whole && west >= -half && east <= half && !regions.iter().any(is_cut) {
        return Ok(None);
    }
    let edge = free_meridian(&whole).ok_or(
        "polygons lie across longitude 180, and the board goes round the globe; a drawing needs a meridian that no \
         polygon reaches, which becomes its edge",
    )?;
    let turns = |west: f64| ((west - edge) / ROUND).floor() * ROUND;
    // The first polygon stays where it is.
    let first = whole.first().map_or(0.0, |span| turns(span[0]));
    if flat == whole && whole.iter().all(|span| turns(span[0]) == first) {
        return Ok(None);
    }
    for region in &mut regions {
        for ring in region.polygons.iter_mut().flatten() {
            let moved = turns(span(ring)[0]) - first;
            ring.iter_mut().for_each(|point| point[0] -= moved);
        }
        if let Some(centre) = &mut region.properties.centre {
            centre[0] -= turns(centre[0]) - first;
        }
    }
    Ok(Some(regions))
}

/// A ring without jumps from one side of longitude 180 to the other. An edge from -180 to 180 is not a jump: it goes
/// along a parallel.
fn unrolled(ring: &Ring) -> Ring {
    let mut turns = 0.0;
    let mut whole: Ring = Vec::with_capacity(ring.len());
    let mut before: Option<f64> = None;
    for &[x, y] in ring {
        turns += before.map_or(0.0, |before| jump(before, x));
        before = Some(x);
        whole.push([x + turns, y]);
    }
    // A ring round a pole does not come back to its beginning.
    let back = ring.first().zip(ring.last()).map_or(0.0, |(first, last)| jump(last[0], first[0]));
    if turns + back == 0.0 { whole } else { ring.clone() }
}

/// The turn that makes the way between two longitudes short.
fn jump(from: f64, to: f64) -> f64 {
    let is_parallel = from.abs() == ROUND / 2.0 && to == -from;
    match to - from {
        way if is_parallel || way.abs() <= ROUND - SHORT => 0.0,
        way => -ROUND.copysign(way),
    }
}

fn span(ring: &Ring) -> [f64; 2] {
    ends(&ring.iter().map(|point| [point[0]; 2]).collect::<Vec<_>>())
}

/// The least and the greatest longitude of several spans.
fn ends(spans: &[[f64; 2]]) -> [f64; 2] {
    let west = spans.iter().map(|span| span[0]).fold(f64::INFINITY, f64::min);
    [west, spans.iter().map(|span| span[1]).fold(f64::NEG_INFINITY, f64::max)]
}

/// A meridian that no span reaches: the middle of the widest gap between them.
fn free_meridian(spans: &[[f64; 2]]) -> Option<f64> {
    let mut from_west: Vec<[f64; 2]> = spans
        .iter()
        .map(|&[west, east]| {
            let turns = (west / ROUND).floor() * ROUND;
            [west - turns, east - turns]
        })
        .collect();
    from_west.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let first = from_west.first()?[0];
    // What goes on beyond the end of the turn covers its beginning.
    let mut reached = ends(&from_west)[1] - ROUND;
    let mut widest: Option<[f64; 2]> = None;
    let turned = from_west.iter().copied().chain([[first + ROUND, first + ROUND]]);
    for [west, east] in turned {
        if west > reached && reached > f64::NEG_INFINITY && widest.is_none_or(|[a, b]| west - reached > b - a)
        {
            widest = Some([reached.max(first - ROUND), west]);
        }
        reached = reached.max(east);
    }
    widest.map(|[west, east]| (west + east) / 2.0)
}
