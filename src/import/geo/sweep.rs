//! A sweep over the edges of a drawing, from one side to the other (Shamos and Hoey 1976). It finds corners on edges of
//! other polygons, edges that cross, and the edge directly below every corner, in O(n log n) steps.
//!
//! ```text
//!      sweep ──▶
//!    ────────────────●         The edges under the sweep line are kept in their order along it. Whatever crosses or
//!        ●───────────●         touches lies side by side in this order before it does.
//!    ────────●───────
//! ```

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::geo::regions::{GeoPoint, turn};
use crate::steps::step;

/// A corner of a polygon, an index.
pub(super) type Vertex = usize;

/// Two edges that cross.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// The edges, as indices.
    pub(crate) edges: [usize; 2],
    /// Where they cross.
    pub(crate) at: GeoPoint,
}

/// What a sweep finds.
#[derive(Debug, Default)]
pub(super) struct SweptEdges {
    /// For each edge: the corners along it with its ends, in the order of the sweep.
    pub(crate) chains: Vec<Vec<Vertex>>,
    /// Edges that cross. Not every one is found, but some if there are any.
    pub(crate) crossings: Vec<Crossing>,
    /// For each corner: the part of an edge directly below it, in the order of the sweep.
    pub(crate) below: Vec<Option<[Vertex; 2]>>,
    /// For each corner: its place in the order of the sweep.
    pub(crate) order: Vec<usize>,
}

/// The slant of the sweep line. Edges of drawings are often upright, and hardly ever along this line.
const SLANT: f64 = 0.618_033_988_749_894_9;

/// The order of the sweep.
fn compared(a: GeoPoint, b: GeoPoint) -> Ordering {
    let key = |[x, y]: GeoPoint| x + SLANT * y;
    key(a).total_cmp(&key(b)).then(a[1].total_cmp(&b[1]))
}

/// The part of an edge between two corners.
struct Part {
    ends: [Vertex; 2],
    edge: usize,
}

/// A part under the sweep line.
#[derive(Clone, Copy, Debug)]
struct Active {
    ends: [GeoPoint; 2],
    part: usize,
}

impl Ord for Active {
    /// Below or above, where both are. It does not depend on the position of the sweep line as long as the two do not
    /// cross, and of two that cross one is taken out first.
    fn cmp(&self, other: &Active) -> Ordering {
        step();
        if self.part == other.part {
            return Ordering::Equal;
        }
        if compared(self.ends[0], other.ends[0]) == Ordering::Greater {
            return other.cmp(self).reverse();
        }
        let [from, to] = self.ends;
        let side = |at: GeoPoint| 0.0_f64.partial_cmp(&turn(from, to, at)).unwrap_or(Ordering::Equal);
        side(other.ends[0]).then_with(|| side(other.ends[1])).then(self.part.cmp(&other.part))
    }
}

impl PartialOrd for Active {
    fn partial_cmp(&self, other: &Active) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Active {
    fn eq(&self, other: &Active) -> bool {
        self.part == other.part
    }
}

impl Eq for Active {}

/// Sweeps over edges, each of which is listed once. Corners that are nearer to an edge than `near` are on it.
pub(super) fn sweep(points: &[GeoPoint], edges: &[[Vertex; 2]], near: f64) -> SweptEdges {
    let mut from_west: Vec<Vertex> = (0..points.len()).collect();
    from_west.sort_by(|&a, &b| compared(points[a], points[b]));
    let mut order = vec![0; points.len()];
    for (place, &vertex) in from_west.iter().enumerate() {
        order[vertex] = place;
    }
    let mut sweep = Sweep {
        points,
        near,
        parts: Vec::new(),
        begin: vec![Vec::new(); points.len()],
        end: vec![Vec::new(); points.len()],
        active: BTreeSet::new(),
        found: SweptEdges { below: vec![None; points.len()], ..SweptEdges::default() },
    };
    for (edge, &[a, b]) in edges.iter().enumerate() {
        let ends = if order[a] < order[b] { [a, b] } else { [b, a] };
        sweep.found.chains.push(vec![ends[0]]);
        sweep.add(Part { ends, edge });
    }
    let mut below: Vec<Option<usize>> = vec![None; points.len()];
    for &vertex in &from_west {
        below[vertex] = sweep.pass(vertex);
    }
    for (vertex, part) in below.into_iter().enumerate() {
        // A later corner may have cut the part: the first piece keeps its number.
        sweep.found.below[vertex] = part.map(|part| sweep.parts[part].ends);
    }
    sweep.found.order = order;
    sweep.found
}

struct Sweep<'a> {
    points: &'a [GeoPoint],
    near: f64,
    parts: Vec<Part>,
    /// The parts that begin at each corner.
    begin: Vec<Vec<usize>>,
    /// The parts that end at each corner, or ended there before they were cut.
    end: Vec<Vec<usize>>,
    active: BTreeSet<Active>,
    found: SweptEdges,
}

impl Sweep<'_> {
    fn add(&mut self, part: Part) {
        let [from, to] = part.ends;
        self.begin[from].push(self.parts.len());
        self.end[to].push(self.parts.len());
        self.parts.push(part);
    }

    fn active(&self, part: usize) -> Active {
        Active { ends: self.parts[part].ends.map(|vertex| self.points[vertex]), part }
    }

    /// Moves the sweep line over a corner; returns the part below the corner.
    fn pass(&mut self, vertex: Vertex) -> Option<usize> {
        for part in std::mem::take(&mut self.end[vertex]) {
            if self.parts[part].ends[1] == vertex {
                self.active.remove(&self.active(part));
                self.found.chains[self.parts[part].edge].push(vertex);
            }
        }
        let probe = Active { ends: [self.points[vertex]; 2], part: usize::MAX };
        while let Some(part) = self.beside(&probe).into_iter().flatten().find(|part| self.is_on(part, vertex))
        {
            self.cut(part, vertex);
        }
        let [below, above] = self.beside(&probe);
        let mut is_parted = false;
        for part in std::mem::take(&mut self.begin[vertex]) {
            is_parted |= self.insert(part);
        }
        if !is_parted {
            self.close(below, above);
        }
        below.map(|below| below.part)
    }

    /// The parts directly below and above.
    fn beside(&self, at: &Active) -> [Option<Active>; 2] {
        [self.active.range(..at).next_back().copied(), self.active.range(at..).next().copied()]
    }

    fn is_on(&self, part: &Active, vertex: Vertex) -> bool {
        if self.parts[part.part].ends.contains(&vertex) {
            return false;
        }
        let ([from, to], at) = (part.ends, self.points[vertex]);
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let length = libm::hypot(dx, dy);
        let along = ((at[0] - from[0]) * dx + (at[1] - from[1]) * dy) / length;
        turn(from, to, at).abs() / length <= self.near && along > 0.0 && along < length
    }

    /// Ends a part at a corner, where the rest of it begins.
    fn cut(&mut self, active: Active, vertex: Vertex) {
        self.active.remove(&active);
        let Part { ends, edge } = &mut self.parts[active.part];
        let (end, edge) = (std::mem::replace(&mut ends[1], vertex), *edge);
        self.found.chains[edge].push(vertex);
        self.add(Part { ends: [vertex, end], edge });
    }

    /// Puts a part under the sweep line unless it crosses another; was it put there?
    fn insert(&mut self, part: usize) -> bool {
        let active = self.active(part);
        let beside = self.beside(&active);
        match beside.into_iter().flatten().find_map(|other| self.crossing(&active, &other)) {
            // One of the two is left out, so that the order of the others stays right.
            Some(crossing) => {
                self.found.crossings.push(crossing);
                false
            }
            None => self.active.insert(active),
        }
    }

    /// Two parts have come side by side, because what was between them has ended.
    fn close(&mut self, below: Option<Active>, mut above: Option<Active>) {
        let Some(lower) = below else { return };
        while let Some(upper) = above
            && let Some(crossing) = self.crossing(&lower, &upper)
        {
            self.found.crossings.push(crossing);
            if !self.active.remove(&upper) {
                return;
            }
            above = self.active.range(lower..).find(|other| other.part != lower.part).copied();
        }
    }

    fn crossing(&self, first: &Active, second: &Active) -> Option<Crossing> {
        step();
        let [one, other] = [first, second].map(|active| &self.parts[active.part]);
        if one.ends.iter().any(|vertex| other.ends.contains(vertex)) {
            return None;
        }
        let ([a, b], [c, d]) = (first.ends, second.ends);
        let apart = |x: f64, y: f64| (x > 0.0 && y < 0.0) || (x < 0.0 && y > 0.0);
        let crosses = apart(turn(a, b, c), turn(a, b, d)) && apart(turn(c, d, a), turn(c, d, b));
        // An edge that ends on the other may reach beyond it by the rounding of its end.
        let ends_on = |active: &Active, part: &Part| part.ends.iter().any(|&end| self.is_on(active, end));
        if !crosses || ends_on(first, other) || ends_on(second, one) {
            return None;
        }
        let part = turn(c, d, a) / (turn(c, d, a) - turn(c, d, b));
        let at = [0, 1].map(|k| a[k] + part * (b[k] - a[k]));
        Some(Crossing { edges: [one.edge, other.edge], at })
    }
}
