//! The half-edges of a drawing: every edge of every polygon once, with the polygons on both sides; and the
//! faults of overlapping polygons.

use std::collections::{BTreeMap, BTreeSet};

pub(super) use super::sweep::Vertex;
use super::sweep::{SweptEdges, sweep};
use crate::geo::regions::{GeoPoint, Region, area};
use crate::steps::step;

/// A polygon, or none.
pub(super) type Label = Option<usize>;

/// The largest number of faults that are reported.
const MOST_FAULTS: usize = 12;

/// Points closer to each other than this fraction of the drawing's width are merged.
const NEAR: f64 = 1e-9;

/// Faults of a drawing; the first are kept, and the others counted.
#[derive(Debug, Default)]
pub(super) struct DrawingFaults {
    told: Vec<String>,
    more: usize,
}

impl DrawingFaults {
    /// Adds a fault.
    pub(super) fn tell(&mut self, fault: impl FnOnce() -> String) {
        match self.told.len() < MOST_FAULTS {
            true => self.told.push(fault()),
            false => self.more += 1,
        }
    }

    /// The faults, if there are any.
    pub(super) fn into_result(mut self) -> Result<(), Vec<String>> {
        if self.more > 0 {
            self.told.push(format!("and {} more faults", self.more));
        }
        if self.told.is_empty() { Ok(()) } else { Err(self.told) }
    }
}

/// The edges of a drawing.
#[derive(Debug, Default)]
pub(super) struct PolygonDrawing {
    /// The positions of the corners.
    pub(crate) points: Vec<GeoPoint>,
    /// The polygon left of each directed edge; both directions of each edge are present.
    pub(crate) left: BTreeMap<[Vertex; 2], Label>,
    /// The corners connected to each corner, counter-clockwise.
    pub(crate) around: Vec<Vec<Vertex>>,
    /// For each directed edge, the next one along the face on its left.
    next: BTreeMap<[Vertex; 2], [Vertex; 2]>,
    /// Edges that a polygon has on both sides, and that are therefore no borders, with the polygon.
    inner: BTreeMap<[Vertex; 2], usize>,
    swept: SweptEdges,
}

/// What lies at the lower side of a boundary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Below {
    /// Nothing: it is at the rim of the drawing.
    Nothing,
    /// The face left of this edge.
    Face([Vertex; 2]),
    /// The inside of a polygon.
    Inside(usize),
}

impl PolygonDrawing {
    /// The edges of these polygons.
    ///
    /// # Errors
    /// The polygons overlap; each overlap is reported with a position.
    pub(super) fn of(regions: &[Region]) -> Result<PolygonDrawing, Vec<String>> {
        let mut vertices = Vertices::of(regions);
        let outlines: Vec<Vec<[Vertex; 2]>> =
            regions.iter().map(|region| cancelled(&vertices.edges(region)).0).collect();
        let mut edges: BTreeMap<[Vertex; 2], usize> = BTreeMap::new();
        for (region, outline) in outlines.iter().enumerate() {
            for &edge in outline {
                edges.entry(undirected(edge)).or_insert(region);
            }
        }
        let owners: Vec<usize> = edges.values().copied().collect();
        let edges: Vec<[Vertex; 2]> = edges.into_keys().collect();
        let Vertices { points, grid, .. } = vertices;
        let swept = sweep(&points, &edges, 2.0 * grid);
        let mut drawing = PolygonDrawing { points, swept, ..PolygonDrawing::default() };
        let mut faults = DrawingFaults::default();
        let mut told: BTreeSet<[usize; 2]> = BTreeSet::new();
        for crossing in &drawing.swept.crossings {
            let [a, b] = crossing.edges.map(|edge| owners[edge]);
            if told.insert([a.min(b), a.max(b)]) {
                faults.tell(|| overlap(regions, [a.min(b), a.max(b)], crossing.at));
            }
        }
        for (region, outline) in outlines.iter().enumerate() {
            drawing.outline(regions, region, outline, &edges, &mut faults);
        }
        faults.into_result()?;
        drawing.connect();
        Ok(drawing)
    }

    /// Adds the edges of a polygon, cut at all corners on them.
    fn outline(
        &mut self,
        regions: &[Region],
        region: usize,
        outline: &[[Vertex; 2]],
        edges: &[[Vertex; 2]],
        faults: &mut DrawingFaults,
    ) {
        let mut cut = Vec::new();
        for &[a, b] in outline {
            let Ok(edge) = edges.binary_search(&undirected([a, b])) else { continue };
            let chain = &self.swept.chains[edge];
            let pairs = chain.windows(2).map(|pair| [pair[0], pair[1]]);
            match chain[0] == a {
                true => cut.extend(pairs),
                false => cut.extend(pairs.map(|[a, b]| [b, a])),
            }
        }
        let (cut, inner) = cancelled(&cut);
        self.inner.extend(inner.into_iter().map(|edge| (edge, region)));
        for [a, b] in cut {
            if let Some(other) = self.left.insert([a, b], Some(region)).flatten() {
                let at = [0, 1].map(|k| (self.points[a][k] + self.points[b][k]) / 2.0);
                faults.tell(|| overlap(regions, [other, region], at));
            }
        }
    }

    fn connect(&mut self) {
        let back: Vec<[Vertex; 2]> = self.left.keys().map(|&[a, b]| [b, a]).collect();
        for edge in back {
            self.left.entry(edge).or_insert(None);
        }
        self.around = vec![Vec::new(); self.points.len()];
        for &[a, b] in self.left.keys() {
            self.around[a].push(b);
        }
        for (a, around) in self.around.iter_mut().enumerate() {
            let from = self.points[a];
            let angle = |b: Vertex| {
                let to = self.points[b];
                libm::atan2(to[1] - from[1], to[0] - from[0])
            };
            let mut turned: Vec<(f64, Vertex)> = around.iter().map(|&b| (angle(b), b)).collect();
            turned.sort_by(|(x, _), (y, _)| x.total_cmp(y));
            *around = turned.into_iter().map(|(_, b)| b).collect();
            // The next one clockwise, as in `planar::rotation`.
            let previous = around.iter().cycle().skip(around.len().saturating_sub(1));
            self.next.extend(around.iter().zip(previous).map(|(&b, &next)| ([b, a], [a, next])));
        }
    }

    /// The next edge along the face on the left.
    pub(super) fn next(&self, edge: [Vertex; 2]) -> [Vertex; 2] {
        step();
        self.next[&edge]
    }

    /// Of the corners of a boundary, the one that comes first in the order of the sweep, as its place in that order,
    /// and what lies below it.
    pub(super) fn below(&self, boundary: &[[Vertex; 2]]) -> (usize, Below) {
        let order = &self.swept.order;
        let first = boundary.iter().map(|&[a, _]| a).min_by_key(|&a| order[a]).unwrap_or_default();
        let below = match self.swept.below[first] {
            None => Below::Nothing,
            Some(part) => match self.inner.get(&undirected(part)) {
                Some(&region) => Below::Inside(region),
                None => Below::Face(part),
            },
        };
        (order[first], below)
    }
}

fn undirected([a, b]: [Vertex; 2]) -> [Vertex; 2] {
    [a.min(b), a.max(b)]
}

/// The edges of a polygon without those that it runs out and back along, and those that it has on both sides, which
/// are returned as well.
fn cancelled(edges: &[[Vertex; 2]]) -> (Vec<[Vertex; 2]>, Vec<[Vertex; 2]>) {
    let mut runs: BTreeMap<[Vertex; 2], [usize; 2]> = BTreeMap::new();
    for &edge in edges {
        runs.entry(undirected(edge)).or_default()[usize::from(edge[0] > edge[1])] += 1;
    }
    let (mut left, mut inner) = (Vec::new(), Vec::new());
    for ([a, b], [out, back]) in runs {
        left.extend(std::iter::repeat_n([a, b], out.saturating_sub(back)));
        left.extend(std::iter::repeat_n([b, a], back.saturating_sub(out)));
        if out.min(back) > 0 {
            inner.push([a, b]);
        }
    }
    (left, inner)
}

/// The fault that two polygons overlap at a point, or that one crosses itself.
pub(super) fn overlap(regions: &[Region], [a, b]: [usize; 2], [x, y]: GeoPoint) -> String {
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
        let all = || regions.iter().flat_map(|region| region.polygons.iter().flatten().flatten());
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
        step();
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

    /// The edges of a polygon, with the polygon on their left: outer rings counter-clockwise, and holes clockwise.
    fn edges(&mut self, region: &Region) -> Vec<[Vertex; 2]> {
        let mut edges = Vec::new();
        for (i, ring) in region.polygons.iter().flat_map(|rings| rings.iter().enumerate()) {
            let mut vertices: Vec<Vertex> = ring.iter().map(|&point| self.vertex(point)).collect();
            if (area(ring) > 0.0) != (i == 0) {
                vertices.reverse();
            }
            let next = vertices.iter().cycle().skip(1);
            edges.extend(vertices.iter().zip(next).map(|(&a, &b)| [a, b]).filter(|[a, b]| a != b));
        }
        edges
    }
}
