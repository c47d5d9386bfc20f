//! The half-edges of a drawing: every edge of every polygon once, with the polygons on both sides; and the
//! faults of overlapping polygons.

use std::collections::BTreeMap;

use super::points::{GeoPoint, area, contains, turn};
use super::regions::Region;

/// A corner of a polygon, an index.
pub type Vertex = usize;

/// A polygon, or none.
pub type Label = Option<usize>;

/// The largest number of faults that are reported.
const MOST_FAULTS: usize = 12;

/// Points closer to each other than this fraction of the drawing's width are merged.
const NEAR: f64 = 1e-9;

/// The edges of a drawing.
#[derive(Debug)]
pub struct PolygonDrawing {
    /// The positions of the corners.
    pub points: Vec<GeoPoint>,
    /// The polygon left of each directed edge; both directions of each edge are present.
    pub left: BTreeMap<[Vertex; 2], Label>,
    /// The corners connected to each corner, counter-clockwise.
    pub around: Vec<Vec<Vertex>>,
}

impl PolygonDrawing {
    /// The edges of these polygons.
    ///
    /// # Errors
    /// The polygons overlap; each overlap is reported with a position.
    pub fn of(regions: &[Region]) -> Result<PolygonDrawing, Vec<String>> {
        let mut vertices = Vertices::of(regions);
        let rings = vertices.rings(regions);
        let mut faults = Vec::new();
        let mut drawing =
            PolygonDrawing { points: vertices.points, left: BTreeMap::new(), around: Vec::new() };
        for (region, rings) in rings.iter().enumerate() {
            for ring in rings {
                for (i, &a) in ring.iter().enumerate() {
                    let b = ring[(i + 1) % ring.len()];
                    if let Some(other) = drawing.left.insert([a, b], Some(region)).flatten() {
                        let [x, y] = drawing.middle(a, b);
                        faults.push(match other == region {
                            true => format!("{} crosses itself at ({x}, {y})", regions[region].code),
                            false => overlap(regions, [other, region], [x, y]),
                        });
                    }
                }
            }
        }
        drawing.find_crossings(regions, &mut faults);
        if faults.is_empty() {
            drawing.find_covered(regions, &rings, &mut faults);
        }
        if !faults.is_empty() {
            let more = faults.len().saturating_sub(MOST_FAULTS);
            faults.truncate(MOST_FAULTS);
            if more > 0 {
                faults.push(format!("and {more} faults more"));
            }
            return Err(faults);
        }
        let back: Vec<[Vertex; 2]> = drawing.left.keys().map(|&[a, b]| [b, a]).collect();
        back.into_iter().for_each(|edge| {
            drawing.left.entry(edge).or_insert(None);
        });
        drawing.around = vec![Vec::new(); drawing.points.len()];
        for &[a, b] in drawing.left.keys() {
            drawing.around[a].push(b);
        }
        for (a, around) in drawing.around.iter_mut().enumerate() {
            let from = drawing.points[a];
            let angle = |&b: &Vertex| {
                let to = drawing.points[b];
                libm::atan2(to[1] - from[1], to[0] - from[0])
            };
            around.sort_by(|x, y| angle(x).total_cmp(&angle(y)));
        }
        Ok(drawing)
    }

    fn middle(&self, a: Vertex, b: Vertex) -> GeoPoint {
        [0, 1].map(|k| (self.points[a][k] + self.points[b][k]) / 2.0)
    }

    /// The next edge along the face on the left.
    pub fn next(&self, [a, b]: [Vertex; 2]) -> [Vertex; 2] {
        let around = &self.around[b];
        let back = around.iter().position(|&at| at == a).unwrap_or(0);
        // The next one clockwise, as in `planar::rotation`.
        [b, around[(back + around.len() - 1) % around.len()]]
    }

    /// Crossing edges are those of overlapping polygons.
    fn find_crossings(&self, regions: &[Region], faults: &mut Vec<String>) {
        let mut edges: Vec<([Vertex; 2], Label)> =
            self.left.iter().map(|(&edge, &label)| (edge, label)).collect();
        let west = |&[a, b]: &[Vertex; 2]| self.points[a][0].min(self.points[b][0]);
        let east = |&[a, b]: &[Vertex; 2]| self.points[a][0].max(self.points[b][0]);
        edges.sort_by(|(x, _), (y, _)| west(x).total_cmp(&west(y)).then(x.cmp(y)));
        let mut told: Vec<[usize; 2]> = Vec::new();
        for (i, (first, one)) in edges.iter().enumerate() {
            for (second, other) in edges[i + 1..].iter().take_while(|(edge, _)| west(edge) <= east(first)) {
                if first.iter().any(|vertex| second.contains(vertex)) {
                    continue;
                }
                let [a, b] = first.map(|vertex| self.points[vertex]);
                let [c, d] = second.map(|vertex| self.points[vertex]);
                let apart = |x: f64, y: f64| (x > 0.0 && y < 0.0) || (x < 0.0 && y > 0.0);
                let crosses = apart(turn(a, b, c), turn(a, b, d)) && apart(turn(c, d, a), turn(c, d, b));
                let (Some(one), Some(other)) = (*one, *other) else { continue };
                let pair = [one.min(other), one.max(other)];
                if crosses && !told.contains(&pair) {
                    told.push(pair);
                    let part = turn(c, d, a) / (turn(c, d, a) - turn(c, d, b));
                    let at = [0, 1].map(|k| a[k] + part * (b[k] - a[k]));
                    faults.push(overlap(regions, pair, at));
                }
            }
        }
    }

    /// Reports polygons that are covered: those inside another polygon and not in one of its holes.
    fn find_covered(&self, regions: &[Region], rings: &[Vec<Vec<Vertex>>], faults: &mut Vec<String>) {
        let outlines: Vec<Vec<Vec<GeoPoint>>> = rings
            .iter()
            .map(|rings| rings.iter().map(|ring| ring.iter().map(|&at| self.points[at]).collect()).collect())
            .collect();
        for inner in 0..regions.len() {
            let rings: Vec<&[GeoPoint]> = outlines[inner].iter().map(Vec::as_slice).collect();
            let at = super::points::within(&rings);
            for outer in (0..regions.len()).filter(|&outer| outer != inner) {
                let around = outlines[outer].iter().filter(|ring| contains(ring, at)).count();
                if around % 2 == 1 {
                    faults.push(overlap(regions, [inner, outer], at));
                }
            }
        }
    }
}

fn overlap(regions: &[Region], [a, b]: [usize; 2], [x, y]: GeoPoint) -> String {
    match a == b {
        true => format!("{} crosses itself at ({x}, {y})", regions[a].code),
        false => format!("{} and {} overlap at ({x}, {y})", regions[a].code, regions[b].code),
    }
}

/// The corners of all polygons, with coinciding ones merged.
struct Vertices {
    points: Vec<GeoPoint>,
    grid: f64,
    found: BTreeMap<[i64; 2], Vertex>,
}

impl Vertices {
    fn of(regions: &[Region]) -> Vertices {
        let all = || regions.iter().flat_map(|region| region.rings.iter().flatten());
        let span = |k: usize| {
            let high = all().map(|point| point[k]).fold(f64::NEG_INFINITY, f64::max);
            high - all().map(|point| point[k]).fold(f64::INFINITY, f64::min)
        };
        let grid = (span(0).max(span(1)) * NEAR).max(f64::MIN_POSITIVE);
        let mut vertices = Vertices { points: Vec::new(), grid, found: BTreeMap::new() };
        all().for_each(|&point| {
            vertices.vertex(point);
        });
        vertices
    }

    fn vertex(&mut self, point: GeoPoint) -> Vertex {
        let cell = point.map(|x| (x / self.grid).round() as i64);
        // Two nearby corners may be in neighbouring cells.
        for dx in -1..=1 {
            for dy in -1..=1 {
                if let Some(&found) =
                    self.found.get(&[cell[0].saturating_add(dx), cell[1].saturating_add(dy)])
                {
                    return found;
                }
            }
        }
        self.points.push(point);
        self.found.insert(cell, self.points.len() - 1);
        self.points.len() - 1
    }

    /// The rings of each polygon, outer ones counter-clockwise and holes clockwise, including every corner of
    /// any polygon on one of their edges.
    fn rings(&mut self, regions: &[Region]) -> Vec<Vec<Vec<Vertex>>> {
        let mut from_west: Vec<Vertex> = (0..self.points.len()).collect();
        from_west.sort_by(|&a, &b| self.points[a][0].total_cmp(&self.points[b][0]));
        let mut all = Vec::new();
        for region in regions {
            let mut rings = Vec::new();
            for (i, ring) in region.rings.iter().enumerate() {
                let mut vertices: Vec<Vertex> = ring.iter().map(|&point| self.vertex(point)).collect();
                vertices.dedup();
                if (area(ring) > 0.0) != (i == 0) {
                    vertices.reverse();
                }
                rings.push(self.with_corners(&vertices, &from_west));
            }
            all.push(rings);
        }
        all
    }

    fn with_corners(&self, ring: &[Vertex], from_west: &[Vertex]) -> Vec<Vertex> {
        let mut cut = Vec::new();
        for (i, &a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            let (p, q) = (self.points[a], self.points[b]);
            let (west, east) = (p[0].min(q[0]) - self.grid, p[0].max(q[0]) + self.grid);
            let first = from_west.partition_point(|&at| self.points[at][0] < west);
            let near = from_west[first..].iter().take_while(|&&at| self.points[at][0] <= east);
            let length = libm::hypot(q[0] - p[0], q[1] - p[1]);
            let along = |at: Vertex| {
                let r = self.points[at];
                ((r[0] - p[0]) * (q[0] - p[0]) + (r[1] - p[1]) * (q[1] - p[1])) / length
            };
            let is_on = |&&at: &&Vertex| {
                let off = turn(p, q, self.points[at]).abs() / length;
                at != a && at != b && off <= 2.0 * self.grid && along(at) > 0.0 && along(at) < length
            };
            let mut between: Vec<Vertex> = near.filter(is_on).copied().collect();
            between.sort_by(|&x, &y| along(x).total_cmp(&along(y)));
            cut.push(a);
            cut.extend(between);
        }
        cut
    }
}
