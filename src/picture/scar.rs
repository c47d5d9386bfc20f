//! Holes: the faces of a group of collapsed faces are contracted to a point, so that its neighbours touch.

use std::collections::BTreeSet;

use crate::canvas::{Canvas, Plan};
use crate::foam::{FaceTarget, Foam};
use crate::geometry::{self, Point, mean};
use crate::mesh::Mesh;
use crate::net::{BENDS, Net, Vertex, outlines};
use crate::pull::frame;
use crate::settle::{Pull, open_faces, settle};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{FaceState, HalfEdgeId, PlanarMap};

// Contracts a group of holes to a point where straight movement is blocked: its surroundings are laid out again.
//
// The group and its neighbours are filled with a mesh, as for a first board, and every edge within the group pulls
// many times as strongly as elsewhere. Borders never cross, whatever the weights, and the group becomes small. Only
// its direct surroundings move, or larger and larger surroundings if borders would cross.

/// How many times as strongly as others an edge within the group pulls.
const STRONG: f64 = 1000.0;
/// The number of attempts, each with larger surroundings.
const ATTEMPTS: usize = 12;
/// How often springs are loosened in one attempt.
const CONTRACTION_ROUNDS: usize = 3;
/// The part of the board's edge that a group at the edge occupies, where the whole edge is 8.
const ON_RIM: f64 = 0.008;

/// A group of holes in a drawing.
struct Group<'a> {
    faces: &'a [ProvinceId],
    /// In ascending order.
    vertices: &'a [Vertex],
    /// Its vertices on the edge of the board, counter-clockwise round the board.
    rim: &'a [Vertex],
    centre: Point,
}

/// The positions when the group is almost a point, and the vertices that were free to move. `None` if borders cross.
fn contract(plan: Plan<'_>, at: &[Point], group: &Group<'_>) -> Option<(Vec<Point>, Vec<Vertex>)> {
    let Plan { net, canvas, .. } = plan;
    let mut pulls = pulls(net, canvas, at, group);
    for _ in 0..ATTEMPTS {
        let faces = open_faces(net, &pulls);
        let mesh = Mesh::of(plan, &faces, at);
        pulls.resize(mesh.vertices, Pull::Free);
        frame(&mesh, at, &mut pulls);
        let strong = mesh.filled.iter().filter(|(face, _)| group.faces.contains(face));
        let strong = strong.flat_map(|(_, triangles)| mesh.triangles[triangles.clone()].iter().copied());
        let strong: Vec<[Vertex; 3]> = strong.collect();
        if let Some(places) = settle(&mesh, &mut pulls, (&strong, STRONG), CONTRACTION_ROUNDS)
            && open_faces(net, &pulls).len() == faces.len()
        {
            let free = |v: &Vertex| !matches!(pulls[*v as usize], Pull::Fixed(_) | Pull::Held(_));
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

/// The size of a hole, if nothing is in the way.
const SHRINKS_TO: f64 = 0.03;
/// A group wider than this is not a point.
const POINT: f64 = 12.0;
/// The distance from the middle within which a contracted group lies.
const RADIUS: f64 = 3.0;
/// How often the surroundings of such a group are smoothed.
const SMOOTHINGS: usize = 8;
/// The number of rounds each time.
const ROUNDS_OF_ONE: usize = 12;
/// The minimum distance of borders round such a group.
const CROWDED: f64 = 0.8;
/// No face needs more room than this, relative to its area without holes.
const ENOUGH: f64 = 0.7;
/// The minimum distance of borders round a hole.
const CLEARANCE: f64 = 0.25;
/// The maximum number of moves of each vertex.
const ROUNDS: usize = 250;

/// A group of adjacent collapsed faces, and the point at which it is drawn.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scar {
    /// In ascending order.
    pub(crate) faces: Vec<ProvinceId>,
    pub(crate) at: Point,
}

/// Groups of adjacent collapsed faces, each in ascending order.
fn groups(map: &PlanarMap) -> Vec<Vec<ProvinceId>> {
    let collapsed = |id: ProvinceId| map.face(id).is_some_and(|face| face.state() == FaceState::Collapsed);
    let mut groups: Vec<Vec<ProvinceId>> = Vec::new();
    for (id, _) in map.faces().filter(|&(id, _)| collapsed(id)) {
        if groups.iter().flatten().any(|&other| other == id) {
            continue;
        }
        let (mut group, mut next) = (BTreeSet::from([id]), vec![id]);
        while let Some(face) = next.pop() {
            let around = map.sides_of(face).map(|side| map.across(side));
            next.extend(around.filter(|&face| collapsed(face) && group.insert(face)));
        }
        groups.push(Vec::from_iter(group));
    }
    groups
}

/// The same drawing with every group of collapsed faces as small as possible, and the groups.
pub(super) fn draw_together(plan: Plan<'_>, rest: &[Point]) -> (Vec<Point>, Vec<Scar>) {
    let (Plan { net, canvas, beyond, .. }, map) = (plan, plan.chart.map());
    let groups = groups(map);
    if groups.is_empty() {
        return (rest.to_vec(), Vec::new());
    }
    let mut foam = Foam::new(net, rest.to_vec(), beyond, canvas.size);
    let wish = |face| FaceTarget { area: net.room(face, rest) * ENOUGH, home: None };
    let wishes: Vec<FaceTarget> = net.faces().map(wish).collect();
    let mut scars = Vec::new();
    let in_holes: BTreeSet<Vertex> = groups.iter().flatten().flat_map(|&face| foam.vertices(face)).collect();
    for group in groups {
        let sides = || group.iter().flat_map(|&face| net.cycles(face).iter().flatten());
        let vertices: BTreeSet<Vertex> = sides().flat_map(|&side| net.walk(side)).collect();
        let vertices = Vec::from_iter(vertices);
        let outline = outline(net, map, &group, rest);
        let place = |v: Vertex| rest[v as usize];
        let centre = centre(canvas, rest, &outline, &vertices);
        let mut islands = outline.clone();
        islands.retain(|cycle| geometry::area(cycle) < 0.0);
        let towards = |p: Point| nearest(&islands, p).unwrap_or(centre);
        // Round a corner of the board no straight way exists.
        let round_corner =
            |v: Vertex| canvas.on_rim(place(v)) && !canvas.on_rim(place(v).towards(centre, 0.5));
        let aims: Vec<(Vertex, Point)> = vertices
            .iter()
            .filter(|&&v| !round_corner(v))
            .map(|&v| (v, towards(place(v)).towards(place(v), SHRINKS_TO)))
            .collect();
        let mut scar = Scar { faces: group, at: towards(centre) };
        let before = foam.at.clone();
        let reaches = aims.len() == vertices.len() && (scar.faces.len() == 1 || is_star(&outline, centre));
        let rim = rim(net, map, &scar.faces, beyond).filter(|_| islands.is_empty());
        if reaches || rim.is_none() {
            draw_to(&mut foam, &aims);
        }
        let wide = vertices.iter().any(|&v| foam.at[v as usize].distance(centre) > POINT / 2.0);
        if let Some(rim) = rim.filter(|_| wide) {
            let group = Group { faces: &scar.faces, vertices: &vertices, rim: &rim, centre };
            if let Some((places, free)) = contract(plan, &before, &group) {
                foam.at = places;
                let stays = |v: Vertex| in_holes.contains(&v) || canvas.on_rim(rest[v as usize]);
                scar.at = tidy(&mut foam, &group, &free, &wishes, stays);
            } else if !reaches {
                draw_to(&mut foam, &aims);
            }
        }
        scars.push(scar);
    }
    (foam.at, scars)
}

/// Shrinks a contracted group to a point, and smooths its surroundings. Returns the position of the point.
fn tidy(
    foam: &mut Foam<'_>,
    group: &Group<'_>,
    free: &[Vertex],
    wishes: &[FaceTarget],
    stays: impl Fn(Vertex) -> bool,
) -> Point {
    let places: Vec<Point> = group.vertices.iter().map(|&v| foam.at[v as usize]).collect();
    let centre = if group.rim.is_empty() { mean(&places).unwrap_or(group.centre) } else { group.centre };
    let radius = places.iter().map(|p| p.distance(centre)).fold(0.0, f64::max);
    if radius > RADIUS {
        let aim = |p: &Point| centre.towards(*p, RADIUS / radius);
        let aims: Vec<(Vertex, Point)> = group.vertices.iter().copied().zip(places.iter().map(aim)).collect();
        draw_to(foam, &aims);
    }
    let mut round: Vec<Vertex> = free.to_vec();
    foam.keep_apart(CROWDED);
    for smoothing in 0..SMOOTHINGS {
        // Faces that gained by the hole are at rest; faces that lost press until they have their room again.
        let lacks = |&(face, wish): &(ProvinceId, &FaceTarget)| foam.room(face) < wish.area;
        let mut lacking = vec![FaceTarget::default(); wishes.len()];
        for (face, &wish) in (0..).map(ProvinceId).zip(wishes).filter(lacks) {
            lacking[face.index()] = wish;
            // If that does not help, the smoothing extends to the other side as well.
            if smoothing > 0 {
                round.extend(foam.vertices(face));
            }
        }
        round.retain(|&v| !stays(v));
        round.sort_unstable();
        round.dedup();
        foam.settle(&round, &lacking, ROUNDS_OF_ONE);
        if smoothing > 0 && lacking.iter().all(|wish| wish.area == 0.0) {
            break;
        }
    }
    centre
}

/// Moves vertices to their wanted positions, or as near as possible.
pub(super) fn draw_to(foam: &mut Foam<'_>, aims: &[(Vertex, Point)]) {
    foam.keep_apart(CLEARANCE);
    for _ in 0..ROUNDS {
        let mut moved = false;
        for &(v, aim) in aims {
            let way = aim - foam.at[v as usize];
            moved |= foam.push(v, way);
        }
        if !moved {
            break;
        }
    }
}

/// The position of a group: its middle, or the edge of the board for a group at the edge.
fn centre(canvas: &Canvas, rest: &[Point], outline: &[Vec<Point>], vertices: &[Vertex]) -> Point {
    let rim: Vec<Point> = vertices.iter().map(|&v| rest[v as usize]).filter(|&p| canvas.on_rim(p)).collect();
    if let Some(middle) = mean(&rim).filter(|&middle| canvas.on_rim(middle)) {
        return middle;
    }
    // Islands inside of it are cut out.
    let pole = geometry::pole(outline).0;
    rim.into_iter().min_by(|p, q| p.distance(pole).total_cmp(&q.distance(pole))).unwrap_or(pole)
}

/// The outline of all faces of a group together, cycle by cycle, with the group on the left.
fn outline(net: &Net, map: &PlanarMap, group: &[ProvinceId], at: &[Point]) -> Vec<Vec<Point>> {
    let sides = group.iter().flat_map(|&face| map.sides_of(face));
    let outlines = outlines(map, sides, |side| !group.contains(&map.across(side)));
    outlines.iter().map(|outline| net.ring(outline).iter().map(|&v| at[v as usize]).collect()).collect()
}

/// Is the whole outline visible from a place?
fn is_star(outline: &[Vec<Point>], from: Point) -> bool {
    outline.iter().flat_map(|cycle| geometry::edges(cycle)).all(|(a, b)| geometry::turn(from, a, b) >= 0.0)
}

/// The point of these cycles that is nearest to a place.
fn nearest(cycles: &[Vec<Point>], to: Point) -> Option<Point> {
    let points = cycles.iter().flat_map(|cycle| geometry::edges(cycle));
    let points = points.map(|(a, b)| geometry::nearest_on_segment(to, a, b));
    points.min_by(|a, b| a.distance(to).total_cmp(&b.distance(to)))
}

/// The vertices of a group on the edge of the board, counter-clockwise; `None` if it reaches the edge more than once.
fn rim(net: &Net, map: &PlanarMap, group: &[ProvinceId], beyond: ProvinceId) -> Option<Vec<Vertex>> {
    let at_edge = |side: &HalfEdgeId| map.across(*side) == beyond;
    let mut sides: Vec<HalfEdgeId> =
        group.iter().flat_map(|&face| map.sides_of(face)).filter(at_edge).collect();
    // A walk from the vertex that no other leads to.
    let ends: Vec<Option<Vertex>> = sides.iter().map(|side| net.walk(*side).last()).collect();
    let first = sides.iter().position(|&side| !ends.contains(&net.start(side)));
    let Some(first) = first else { return sides.is_empty().then(Vec::new) };
    let mut rim: Vec<Vertex> = net.walk(sides.swap_remove(first)).collect();
    while let Some(next) = sides.iter().position(|&side| net.start(side) == rim.last().copied()) {
        rim.extend(net.walk(sides.swap_remove(next)).skip(1));
    }
    sides.is_empty().then_some(rim)
}
