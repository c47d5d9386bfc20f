//! The net of borders as it is drawn: every border is a line of several points from corner to corner.

use crate::geometry;
use crate::geometry::Point;
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{BorderId, HalfEdgeId, PlanarMap};

/// A place where lines may bend or meet.
pub(super) type Vertex = u32;

/// The number of points of a border between its corners.
pub(super) const BENDS: usize = 3;

/// The vertices of each border. A net has no positions.
#[derive(Clone, Debug)]
pub(super) struct Net {
    /// By border, from the start of its even side to the end; empty for an id without a border. The line of a loop ends
    /// where it begins.
    lines: Vec<Vec<Vertex>>,
    /// The boundary cycles of each face, by province index: sides in their order.
    cycles: Vec<Vec<Vec<HalfEdgeId>>>,
    /// The number of corners: they come first, before the vertices within borders.
    corners: usize,
    vertices: usize,
}

impl Net {
    /// The net of a map.
    pub(crate) fn of(map: &PlanarMap) -> Net {
        let borders: Vec<BorderId> = map.borders().collect();
        let end = borders.iter().map(|border| border.sides()[1].index() + 1).max().unwrap_or(0);
        // The corner at which each side starts: the sides that start there are linked by `next(twin)`.
        let mut starts: Vec<Option<Vertex>> = vec![None; end];
        let mut corners = 0;
        for side in borders.iter().flat_map(|border| border.sides()) {
            if starts[side.index()].is_some() {
                continue;
            }
            let mut at = side;
            while starts[at.index()].is_none() {
                starts[at.index()] = Some(corners);
                at = map.next(at.twin());
            }
            corners += 1;
        }
        let mut vertices = corners;
        let mut lines = vec![Vec::new(); end / 2];
        for border in borders {
            let [side, twin] = border.sides();
            // A loop's twin starts at the same corner, which is not a true one.
            let (from, to) = (starts[side.index()].unwrap_or(0), starts[twin.index()].unwrap_or(0));
            let bends = (0..BENDS as Vertex).map(|bend| vertices + bend);
            lines[side.index() / 2] = std::iter::once(from).chain(bends).chain([to]).collect();
            vertices += BENDS as Vertex;
        }
        let cycles = map
            .faces()
            .map(|(id, _)| map.cycles_of(id).map(|head| map.cycle(head).collect()).collect())
            .collect();
        Net { lines, cycles, corners: corners as usize, vertices: vertices as usize }
    }

    /// The number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.vertices
    }

    /// The corners.
    pub(crate) fn corners(&self) -> std::ops::Range<Vertex> {
        0..self.corners as Vertex
    }

    /// All borders with their lines.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (BorderId, &[Vertex])> {
        (0u16..)
            .map(BorderId::numbered)
            .zip(&self.lines)
            .filter(|(_, line)| !line.is_empty())
            .map(|(id, l)| (id, &l[..]))
    }

    /// The line of a border; empty if there is none.
    pub(crate) fn line(&self, border: BorderId) -> &[Vertex] {
        self.lines.get(border.index()).map_or(&[], |line| &line[..])
    }

    /// The line of a side, in the direction in which it is walked.
    pub(crate) fn walk(&self, side: HalfEdgeId) -> impl DoubleEndedIterator<Item = Vertex> + '_ {
        let line = self.line(side.border());
        let turned = side.index() % 2 == 1;
        let n = line.len();
        (0..n).map(move |i| line[if turned { n - 1 - i } else { i }])
    }

    /// The vertex where a side starts.
    pub(crate) fn start(&self, side: HalfEdgeId) -> Option<Vertex> {
        self.walk(side).next()
    }

    /// The boundary cycles of a face as sides.
    pub(crate) fn cycles(&self, face: ProvinceId) -> &[Vec<HalfEdgeId>] {
        self.cycles.get(face.index()).map_or(&[], |cycles| &cycles[..])
    }

    /// The boundary cycle of a face that goes round it, where the face beyond is outside of all: the others go round
    /// islands.
    pub(crate) fn outer_cycle(&self, face: ProvinceId, beyond: ProvinceId) -> usize {
        let mut owner: Vec<Option<ProvinceId>> = vec![None; self.lines.len() * 2];
        for face in self.faces() {
            self.cycles(face).iter().flatten().for_each(|side| owner[side.index()] = Some(face));
        }
        let (mut seen, mut next) = (vec![false; self.cycles.len()], vec![beyond]);
        let mut outer = 0;
        while let Some(at) = next.pop() {
            if std::mem::replace(&mut seen[at.index()], true) {
                continue;
            }
            for side in self.cycles(at).iter().flatten() {
                if owner[side.twin().index()] == Some(face) {
                    let of = |cycle: &Vec<HalfEdgeId>| cycle.contains(&side.twin());
                    outer = self.cycles(face).iter().position(of).unwrap_or(outer);
                } else {
                    next.extend(owner[side.twin().index()]);
                }
            }
        }
        outer
    }

    /// The faces by their index.
    pub(crate) fn faces(&self) -> impl Iterator<Item = ProvinceId> {
        (0..=u8::MAX).map(ProvinceId).take(self.cycles.len())
    }

    /// The vertices of a cycle of sides, each once.
    pub(crate) fn ring(&self, cycle: &[HalfEdgeId]) -> Vec<Vertex> {
        let mut ring = Vec::with_capacity(cycle.len() * (BENDS + 1));
        for &side in cycle {
            let walk = self.walk(side);
            let n = self.line(side.border()).len();
            ring.extend(walk.take(n.saturating_sub(1)));
        }
        ring
    }

    /// The boundary of a face as polygons, with the face on the left.
    pub(crate) fn polygons(&self, face: ProvinceId, at: &[Point]) -> Vec<Vec<Point>> {
        let points = |ring: Vec<Vertex>| ring.into_iter().map(|v| at[v as usize]).collect();
        self.rings(face).into_iter().map(points).collect()
    }

    /// The vertices of each cycle of a face.
    pub(crate) fn rings(&self, face: ProvinceId) -> Vec<Vec<Vertex>> {
        self.cycles(face).iter().map(|cycle| self.ring(cycle)).collect()
    }

    /// The vertices of all cycles of a face.
    pub(crate) fn vertices(&self, face: ProvinceId) -> impl Iterator<Item = Vertex> {
        self.cycles(face).iter().flat_map(|cycle| self.ring(cycle))
    }

    /// The area of a face.
    pub(crate) fn room(&self, face: ProvinceId, at: &[Point]) -> f64 {
        self.polygons(face, at).iter().map(|polygon| geometry::area(polygon)).sum()
    }

    /// The vertices that are joined to each vertex by a line.
    pub(crate) fn neighbours(&self) -> Vec<Vec<Vertex>> {
        let mut neighbours = vec![Vec::new(); self.len()];
        for (_, line) in self.lines() {
            for pair in line.windows(2) {
                neighbours[pair[0] as usize].push(pair[1]);
                neighbours[pair[1] as usize].push(pair[0]);
            }
        }
        neighbours
    }

    /// The faces at each vertex, in ascending order.
    pub(crate) fn faces_at(&self) -> Vec<Vec<ProvinceId>> {
        let mut faces = vec![Vec::new(); self.len()];
        for face in self.faces() {
            for vertex in self.vertices(face) {
                let here: &mut Vec<ProvinceId> = &mut faces[vertex as usize];
                if here.last() != Some(&face) {
                    here.push(face);
                }
            }
        }
        faces
    }

    /// The edges of a face's boundary.
    pub(crate) fn edges(&self, face: ProvinceId) -> Vec<[Vertex; 2]> {
        let mut edges = Vec::new();
        for &side in self.cycles(face).iter().flatten() {
            let walk: Vec<Vertex> = self.walk(side).collect();
            edges.extend(walk.windows(2).map(|pair| [pair[0], pair[1]]));
        }
        edges
    }

    /// The faults of a drawing of these faces: the vertices at which lines meet that should not, or at which a face is
    /// on the wrong side of its boundary. If it is empty, no borders touch, and every face is on the left of its sides.
    /// `beyond` is the face outside of all.
    pub(crate) fn flaws(&self, faces: &[ProvinceId], at: &[Point], beyond: ProvinceId) -> Vec<Vertex> {
        let mut flaws = self.crossings(faces, at);
        flaws.extend(self.turned(faces, at, beyond));
        flaws.sort_unstable();
        flaws.dedup();
        flaws
    }

    /// The vertices of these faces at which lines meet that should not.
    fn crossings(&self, faces: &[ProvinceId], at: &[Point]) -> Vec<Vertex> {
        let mut flaws = Vec::new();
        let place = |v: Vertex| at[v as usize];
        let mut edges: Vec<[Vertex; 2]> = faces.iter().flat_map(|&face| self.edges(face)).collect();
        edges.iter_mut().for_each(|edge| edge.sort_unstable());
        edges.sort_unstable();
        edges.dedup();
        // Sorted by their western ends, so that each is compared only with edges that it can meet.
        let west = |edge: &[Vertex; 2]| place(edge[0]).x.min(place(edge[1]).x);
        let east = |edge: &[Vertex; 2]| place(edge[0]).x.max(place(edge[1]).x);
        edges.sort_by(|a, b| west(a).total_cmp(&west(b)));
        for (i, &[a, b]) in edges.iter().enumerate() {
            if place(a) == place(b) {
                flaws.extend([a, b]);
            }
            for &[c, d] in edges[i + 1..].iter().take_while(|other| west(other) <= east(&[a, b])) {
                let shared =
                    if c == a || c == b { Some((c, d)) } else { Some((d, c)).filter(|_| d == a || d == b) };
                let meet = match shared {
                    None => geometry::segments_meet(place(a), place(b), place(c), place(d)),
                    // Two edges that share an end must not overlap.
                    Some((shared, far)) => {
                        let other = if shared == a { b } else { a };
                        let (x, y) = (place(other) - place(shared), place(far) - place(shared));
                        x.cross(y) == 0.0 && x.x * y.x + x.y * y.y >= 0.0
                    }
                };
                if meet {
                    flaws.extend([a, b, c, d]);
                }
            }
        }
        flaws
    }

    /// The vertices of those of these faces that are on the wrong side of their boundaries.
    fn turned(&self, faces: &[ProvinceId], at: &[Point], beyond: ProvinceId) -> Vec<Vertex> {
        let mut flaws = Vec::new();
        for &face in faces {
            let polygons = self.polygons(face, at);
            let outer: Vec<usize> =
                (0..polygons.len()).filter(|&i| geometry::area(&polygons[i]) > 0.0).collect();
            // One cycle goes round the face and all others round islands in it; for the face beyond the edge all cycles
            // are islands.
            let wrong = match outer[..] {
                [] => face != beyond,
                [outer] => {
                    let inside = |island: usize| {
                        geometry::contains(std::slice::from_ref(&polygons[outer]), polygons[island][0])
                    };
                    face == beyond || (0..polygons.len()).any(|i| i != outer && !inside(i))
                }
                _ => true,
            };
            let nested = |i: usize, j: usize| {
                i != j && geometry::contains(std::slice::from_ref(&polygons[j]), polygons[i][0])
            };
            let islands: Vec<usize> = (0..polygons.len()).filter(|i| !outer.contains(i)).collect();
            if wrong || islands.iter().any(|&i| islands.iter().any(|&j| nested(i, j))) {
                flaws.extend(self.vertices(face));
            }
        }
        flaws
    }
}

/// The outlines that these sides lie on, each from one side to the next, past the sides that belong to no outline.
pub(super) fn outlines(
    map: &PlanarMap,
    sides: impl Iterator<Item = HalfEdgeId>,
    is_outline: impl Fn(HalfEdgeId) -> bool,
) -> Vec<Vec<HalfEdgeId>> {
    let (mut seen, mut outlines) = (Vec::new(), Vec::new());
    for start in sides.filter(|&side| is_outline(side)) {
        let (mut side, mut outline) = (start, Vec::new());
        while !seen.contains(&side) {
            seen.push(side);
            outline.push(side);
            side = map.next(side);
            while !is_outline(side) {
                side = map.next(side.twin());
            }
        }
        if !outline.is_empty() {
            outlines.push(outline);
        }
    }
    outlines
}
