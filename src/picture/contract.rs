//! Contracts a group of holes to a point where straight movement is blocked: its surroundings are laid out again.
//!
//! The group and its neighbours are filled with a mesh, as for a first board, and every edge within the group pulls
//! many times as strongly as elsewhere. Borders never cross, whatever the weights, and the group becomes small. Only
//! its direct surroundings move, or larger and larger surroundings if borders would cross.

use super::canvas::Canvas;
use super::follow::open_faces;
use super::geometry::Point;
use super::mesh::Mesh;
use super::net::{BENDS, Net, Vertex};
use super::pull::frame;
use super::settle::{Pull, settle};
use upheaval_map::ids::ProvinceId;

/// How many times as strongly as others an edge within the group pulls.
const STRONG: f64 = 1000.0;
/// The number of attempts, each with larger surroundings.
const ATTEMPTS: usize = 12;
/// How often springs are loosened in one attempt.
const ROUNDS: usize = 3;
/// The part of the board's edge that a group at the edge occupies, where the whole edge is 8.
const ON_RIM: f64 = 0.008;

/// A group of holes in a drawing.
pub(super) struct Group<'a> {
    pub faces: &'a [ProvinceId],
    /// In ascending order.
    pub vertices: &'a [Vertex],
    /// Its vertices on the edge of the board, counter-clockwise round the board.
    pub rim: &'a [Vertex],
    pub centre: Point,
}

/// The positions when the group is almost a point, and the vertices that were free to move. `None` if borders cross.
pub(super) fn contract(
    net: &Net,
    canvas: &Canvas,
    at: &[Point],
    beyond: ProvinceId,
    group: &Group<'_>,
) -> Option<(Vec<Point>, Vec<Vertex>)> {
    let mut pulls = pulls(net, canvas, at, group);
    let held = |pulls: &[Pull], v: Vertex| matches!(pulls[v as usize], Pull::Held(_));
    for _ in 0..ATTEMPTS {
        let faces = open_faces(net, &pulls);
        let mesh = Mesh::of(net, &faces, at, beyond);
        pulls.resize(mesh.vertices, Pull::Free);
        frame(canvas, &mesh, at, &mut pulls);
        let strong = mesh.filled.iter().filter(|(face, _)| group.faces.contains(face));
        let strong = strong.flat_map(|(_, triangles)| mesh.triangles[triangles.clone()].iter().copied());
        let strong: Vec<[Vertex; 3]> = strong.collect();
        let settled = settle(net, &faces, &mesh, &mut pulls, (&strong, STRONG), beyond, ROUNDS);
        pulls.truncate(net.len());
        if let Ok(mut places) = settled
            && open_faces(net, &pulls).len() == faces.len()
            && canvas.holds(&places[..net.len()])
        {
            places.truncate(net.len());
            let free = |v: &Vertex| !matches!(pulls[*v as usize], Pull::Fixed(_)) && !held(&pulls, *v);
            return Some((places, (0..net.len() as Vertex).filter(free).collect()));
        }
    }
    None
}

/// Everything stays in place except the group and the bends of the lines that are attached to it.
fn pulls(net: &Net, canvas: &Canvas, at: &[Point], group: &Group<'_>) -> Vec<Pull> {
    let in_group = |v: Vertex| group.vertices.binary_search(&v).is_ok();
    let stay = |&place: &Point| if canvas.on_rim(place) { Pull::Held(place) } else { Pull::Fixed(place) };
    let mut pulls: Vec<Pull> = at.iter().map(stay).collect();
    group.vertices.iter().for_each(|&v| pulls[v as usize] = Pull::Free);
    // On the edge of the board in their order, near the centre.
    let place = canvas.rim_place(group.centre);
    let far = |v: Vertex| at[v as usize].distance(group.centre);
    let nearest = (0..group.rim.len()).min_by(|&a, &b| far(group.rim[a]).total_cmp(&far(group.rim[b])));
    for (i, &v) in group.rim.iter().enumerate() {
        let from = i as f64 - nearest.unwrap_or(0) as f64;
        let to = canvas.rim_point(place + from * ON_RIM / group.rim.len() as f64, 1.0);
        pulls[v as usize] = Pull::Held(to);
    }
    for (_, line) in net.lines() {
        let (bends, ends) = (&line[1..=BENDS], [line[0], line[BENDS + 1]]);
        if !ends.iter().any(|&v| in_group(v)) || bends.iter().any(|&v| in_group(v)) {
            continue;
        }
        if line.iter().all(|&v| canvas.on_rim(at[v as usize])) {
            let [from, to] = ends.map(|v| match pulls[v as usize] {
                Pull::Held(to) => canvas.rim_place(to),
                _ => canvas.rim_place(at[v as usize]),
            });
            for (&v, to) in bends.iter().zip(canvas.along_rim(from, Canvas::shorter_way(from, to), BENDS)) {
                pulls[v as usize] = Pull::Held(to);
            }
        } else {
            bends.iter().for_each(|&v| pulls[v as usize] = Pull::Free);
        }
    }
    pulls
}
