//! A mesh of triangles that fills the faces, made from the map alone: if all its triangles run counter-clockwise, no
//! borders cross. By Tutte's theorem such a drawing always exists, with each vertex in the middle of its neighbours.
//!
//! ```text
//!    w ─────── w ─────── w     the boundary of a face, walked with the face on the left
//!    │ ╲       │ ╲       │
//!    │   ╲     │   ╲     │     a ring within, one vertex for each of the boundary, so that no edge of the mesh
//!    r ─────── r ─────── r     stands twice, whatever the face looks like
//!      ╲       │       ╱
//!        ╲     │     ╱
//!          ─── h ───           the hub
//! ```
//!
//! A face with islands is cut in two along *bridges*, from its outer boundary through one island after the other and
//! back to the outer boundary; each piece has a ring and a hub of its own. Beyond the edge of the board there is a
//! frame instead of ring and hub: there the boundary is one walk, which passes a bridge to each further cycle twice.

use std::ops::Range;

use crate::canvas::Plan;
use crate::geometry::{self, Point};
use crate::net::Vertex;
use upheaval_map::ids::ProvinceId;

/// Triangles over the vertices of a net and additional ones.
pub(super) struct Mesh<'a> {
    /// The board, and the net whose vertices come first.
    pub(crate) plan: Plan<'a>,
    /// The faces that it fills.
    pub(crate) faces: &'a [ProvinceId],
    /// Each counter-clockwise.
    pub(crate) triangles: Vec<[Vertex; 3]>,
    /// The triangles that fill each face.
    pub(crate) filled: Vec<(ProvinceId, Range<usize>)>,
    /// The hub of each face in one piece, with the face.
    pub(crate) hubs: Vec<(ProvinceId, Vertex)>,
    /// The vertices of the frame, clockwise, each with the vertex of the net that it is attached to.
    pub(crate) frame: Vec<(Vertex, Vertex)>,
    /// The total number of vertices.
    pub(crate) vertices: usize,
}

impl<'a> Mesh<'a> {
    /// Fills these faces. `near` gives approximate positions of the net's vertices, so that bridges are short.
    pub(crate) fn of(plan: Plan<'a>, faces: &'a [ProvinceId], near: &[Point]) -> Mesh<'a> {
        let (triangles, filled, hubs, frame) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut mesh = Mesh { plan, faces, triangles, filled, hubs, frame, vertices: plan.net.len() };
        for &face in faces {
            let first = mesh.triangles.len();
            if face == plan.beyond {
                let walk = mesh.walk(near);
                let ring = mesh.fill(&walk);
                mesh.frame = ring.into_iter().zip(walk).collect();
            } else {
                let pieces = mesh.pieces(face, near);
                for walk in &pieces {
                    let ring = mesh.fill(walk);
                    let (n, hub) = (ring.len(), mesh.vertex());
                    mesh.triangles.extend((0..n).map(|i| [ring[i], ring[(i + 1) % n], hub]));
                    if pieces.len() == 1 {
                        mesh.hubs.push((face, hub));
                    }
                }
            }
            mesh.filled.push((face, first..mesh.triangles.len()));
        }
        mesh
    }

    /// Fills the strip between a walk and a new ring within it.
    fn fill(&mut self, walk: &[Vertex]) -> Vec<Vertex> {
        let ring: Vec<Vertex> = walk.iter().map(|_| self.vertex()).collect();
        let n = walk.len();
        for i in 0..n {
            let j = (i + 1) % n;
            self.triangles.push([walk[i], walk[j], ring[i]]);
            self.triangles.push([ring[i], walk[j], ring[j]]);
        }
        ring
    }

    /// The boundaries of the pieces of a face, each as one closed walk: its boundary, or with islands the two pieces
    /// that a line through all of them leaves, from west to east or from south to north. Each bridge has a vertex in
    /// its middle.
    fn pieces(&mut self, face: ProvinceId, near: &[Point]) -> Vec<Vec<Vertex>> {
        let Plan { net, beyond, .. } = self.plan;
        let mut cycles = net.rings(face);
        if cycles.len() < 2 {
            return cycles;
        }
        let outer = cycles.swap_remove(net.outer_cycle(face, beyond));
        let at = |v: Vertex| near[v as usize];
        let all = || cycles.iter().flatten().map(|&v| at(v));
        let extent = geometry::bounds(all()).map_or(Point::default(), |[low, high]| high - low);
        let along: fn(Point) -> f64 = if extent.x >= extent.y { |p| p.x } else { |p| p.y };
        // Each island from its first vertex along the line, with the number of its last.
        let mut islands: Vec<(Vec<Vertex>, usize)> = cycles
            .into_iter()
            .map(|mut ring| {
                let by = |&a: &usize, &b: &usize| along(at(ring[a])).total_cmp(&along(at(ring[b])));
                let first = (0..ring.len()).min_by(by).unwrap_or(0);
                ring.rotate_left(first);
                let last = (1..ring.len()).max_by(|&a, &b| along(at(ring[a])).total_cmp(&along(at(ring[b]))));
                (ring, last.unwrap_or(0))
            })
            .collect();
        let middle = |ring: &[Vertex]| ring.iter().map(|&v| along(at(v))).sum::<f64>() / ring.len() as f64;
        islands.sort_by(|a, b| middle(&a.0).total_cmp(&middle(&b.0)));
        let nearest = |to: Vertex, but: Option<usize>| {
            let free = (0..outer.len()).filter(|&i| Some(i) != but);
            free.min_by(|&a, &b| at(outer[a]).distance(at(to)).total_cmp(&at(outer[b]).distance(at(to))))
        };
        let (Some((first, _)), Some((last, end))) = (islands.first(), islands.last()) else {
            return vec![outer];
        };
        let from = nearest(first[0], None).unwrap_or(0);
        let to = nearest(last[*end], Some(from)).unwrap_or(0);
        let arc = |from: usize, to: usize| {
            let n = outer.len();
            (0..=(to + n - from) % n).map(move |i| (from + i) % n)
        };
        let mut one: Vec<Vertex> = arc(to, from).map(|i| outer[i]).collect();
        let mut other: Vec<Vertex> = Vec::new();
        for (ring, end) in &islands {
            let bridge = self.vertex();
            one.push(bridge);
            one.extend(&ring[..=*end]);
            // Backwards, because the other piece is walked from the last island to the first.
            other.push(bridge);
            other.push(ring[0]);
            other.extend(ring[*end..].iter().rev());
        }
        let bridge = self.vertex();
        one.push(bridge);
        other.push(bridge);
        other.reverse();
        other.splice(0..0, arc(from, to).map(|i| outer[i]));
        vec![one, other]
    }

    fn vertex(&mut self) -> Vertex {
        self.vertices += 1;
        (self.vertices - 1) as Vertex
    }

    /// The boundary of the face beyond as one closed walk. The longest cycle comes first; every other cycle is joined at
    /// its nearest point, by a bridge with a vertex in its middle.
    fn walk(&mut self, near: &[Point]) -> Vec<Vertex> {
        let mut cycles = self.plan.net.rings(self.plan.beyond);
        let longest = (0..cycles.len()).rev().max_by_key(|&i| cycles[i].len());
        let Some(longest) = longest else { return Vec::new() };
        let mut walk = cycles.swap_remove(longest);
        let known = |v: Vertex| near.get(v as usize).copied();
        let apart = |v: Vertex, w: Vertex| match (known(v), known(w)) {
            (Some(v), Some(w)) => v.distance(w),
            _ => f64::INFINITY,
        };
        while !cycles.is_empty() {
            let mut best = (f64::INFINITY, 0, 0, 0);
            for (number, cycle) in cycles.iter().enumerate() {
                for (j, &w) in cycle.iter().enumerate() {
                    for (i, &v) in walk.iter().enumerate() {
                        let far = apart(v, w);
                        if far < best.0 {
                            best = (far, number, i, j);
                        }
                    }
                }
            }
            let (_, number, i, j) = best;
            let cycle = cycles.swap_remove(number);
            let middle = self.vertex();
            let there = cycle[j..].iter().chain(&cycle[..=j]).copied();
            let over: Vec<Vertex> = std::iter::once(middle).chain(there).chain([middle, walk[i]]).collect();
            walk.splice(i + 1..i + 1, over);
        }
        walk
    }
}
