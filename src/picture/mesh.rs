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
//! A face with islands is cut along *bridges* from cycle to cycle: its boundary is then one walk, which passes each
//! bridge twice. Beyond the edge of the board there is a frame instead of ring and hub.

use std::ops::Range;

use super::geometry::Point;
use super::net::{Net, Vertex};
use upheaval_map::ids::ProvinceId;

/// Triangles over the vertices of a net and additional ones.
#[derive(Debug, Default)]
pub(super) struct Mesh {
    /// Each counter-clockwise.
    pub triangles: Vec<[Vertex; 3]>,
    /// The triangles that fill each face.
    pub filled: Vec<(ProvinceId, Range<usize>)>,
    /// The hub of each face that has one, with the face.
    pub hubs: Vec<(ProvinceId, Vertex)>,
    /// The vertices of the frame, clockwise, each with the vertex of the net that it is attached to.
    pub frame: Vec<(Vertex, Vertex)>,
    /// The total number of vertices.
    pub vertices: usize,
}

impl Mesh {
    /// Fills these faces. `near` gives approximate positions of the net's vertices, so that bridges are short; `beyond`
    /// is the face outside of all.
    pub fn of(net: &Net, faces: &[ProvinceId], near: &[Point], beyond: ProvinceId) -> Mesh {
        let mut mesh = Mesh { vertices: net.len(), ..Mesh::default() };
        for &face in faces {
            let walk = mesh.walk(net, face, near);
            let ring: Vec<Vertex> = walk.iter().map(|_| mesh.vertex()).collect();
            let (n, first) = (walk.len(), mesh.triangles.len());
            for i in 0..n {
                let j = (i + 1) % n;
                mesh.triangles.push([walk[i], walk[j], ring[i]]);
                mesh.triangles.push([ring[i], walk[j], ring[j]]);
            }
            if face == beyond {
                mesh.frame = ring.into_iter().zip(walk).collect();
            } else {
                let hub = mesh.vertex();
                mesh.triangles.extend((0..n).map(|i| [ring[i], ring[(i + 1) % n], hub]));
                mesh.hubs.push((face, hub));
            }
            mesh.filled.push((face, first..mesh.triangles.len()));
        }
        mesh
    }

    fn vertex(&mut self) -> Vertex {
        self.vertices += 1;
        (self.vertices - 1) as Vertex
    }

    /// The boundary of a face as one closed walk. The longest cycle comes first; every other cycle is joined at its
    /// nearest point, by a bridge with a vertex in its middle.
    fn walk(&mut self, net: &Net, face: ProvinceId, near: &[Point]) -> Vec<Vertex> {
        let mut cycles: Vec<Vec<Vertex>> = net.cycles(face).iter().map(|cycle| net.ring(cycle)).collect();
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
