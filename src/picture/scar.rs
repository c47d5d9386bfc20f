//! Holes: the faces of a group of collapsed ones are drawn together into a point, so that those round it touch.

use super::canvas::Canvas;
use super::foam::Foam;
use super::geometry::{self, Point, mean};
use super::net::{Net, Vertex};
use crate::ids::ProvinceId;
use crate::topology::{FaceState, PlanarMap};

/// How small a hole becomes, if nothing is in the way.
const SHRINKS_TO: f64 = 0.03;
/// How near to each other borders may come round a hole.
const CLEARANCE: f64 = 0.25;
/// How often every vertex is moved at most.
const ROUNDS: usize = 250;

/// A group of collapsed faces that lie side by side, and the point at which it is drawn.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scar {
    /// In ascending order.
    pub faces: Vec<ProvinceId>,
    pub at: Point,
}

/// Groups of collapsed faces that lie side by side, each in ascending order.
fn groups(map: &PlanarMap) -> Vec<Vec<ProvinceId>> {
    let collapsed = |id: ProvinceId| map.face(id).is_some_and(|face| face.state() == FaceState::Collapsed);
    let mut groups: Vec<Vec<ProvinceId>> = Vec::new();
    for (id, _) in map.faces().filter(|&(id, _)| collapsed(id)) {
        if groups.iter().flatten().any(|&other| other == id) {
            continue;
        }
        let mut group = vec![id];
        let mut next = 0;
        while next < group.len() {
            let around = map.sides_of(group[next]).map(|side| map.across(side));
            for face in around.filter(|&face| collapsed(face)).collect::<Vec<ProvinceId>>() {
                if !group.contains(&face) {
                    group.push(face);
                }
            }
            next += 1;
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

/// The same drawing with every group of collapsed faces as small as it can be, and the groups.
pub(super) fn draw_together(
    net: &Net,
    map: &PlanarMap,
    canvas: &Canvas,
    rest: &[Point],
    beyond: ProvinceId,
) -> (Vec<Point>, Vec<Scar>) {
    let groups = groups(map);
    if groups.is_empty() {
        return (rest.to_vec(), Vec::new());
    }
    let mut foam = Foam::new(net, rest.to_vec(), beyond, canvas.size);
    let mut scars = Vec::new();
    for group in groups {
        let sides = || group.iter().flat_map(|&face| net.cycles(face).iter().flatten());
        let mut vertices: Vec<Vertex> = sides().flat_map(|&side| net.walk(side)).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let centre = centre(net, map, canvas, rest, &group, &vertices);
        let aims: Vec<(Vertex, Point)> =
            vertices.iter().map(|&v| (v, centre.towards(rest[v as usize], SHRINKS_TO))).collect();
        draw_to(&mut foam, &aims);
        scars.push(Scar { faces: group, at: centre });
    }
    (foam.at, scars)
}

/// Moves vertices to where each should be, or as near as nothing is in the way.
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

/// Where a group goes: to its middle; on the edge of the board to the edge, into a corner of it first.
fn centre(
    net: &Net,
    map: &PlanarMap,
    canvas: &Canvas,
    rest: &[Point],
    group: &[ProvinceId],
    vertices: &[Vertex],
) -> Point {
    let place = |v: &Vertex| rest[*v as usize];
    let rim: Vec<Point> = vertices.iter().map(place).filter(|&p| canvas.on_rim(p)).collect();
    if let Some(corner) = rim.iter().copied().find(|&p| canvas.is_corner(p)) {
        return corner;
    }
    if let Some(middle) = mean(&rim) {
        return middle;
    }
    // The outline of all together. Islands that it goes round are cut out.
    let mut outline: Vec<Vec<Point>> = Vec::new();
    let edge = |side| !group.contains(&map.across(side));
    let mut seen = Vec::new();
    for start in group.iter().flat_map(|&face| map.sides_of(face)).filter(|&side| edge(side)) {
        if seen.contains(&start) {
            continue;
        }
        let mut cycle = Vec::new();
        let mut at = start;
        loop {
            seen.push(at);
            cycle.push(at);
            at = map.next(at);
            while !edge(at) {
                at = map.next(at.twin());
            }
            if at == start {
                break;
            }
        }
        outline.push(net.ring(&cycle).iter().map(place).collect());
    }
    geometry::pole(&outline).0
}
