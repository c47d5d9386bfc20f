//! Positions of the faces of a board without coordinates, by Tutte's method (1963): every face is in the
//! middle of its neighbours, and those at the edge of the board are on a circle, so that no two borders
//! cross. Then the weights of long edges are increased, and crowded parts are spread.

use std::collections::{BTreeMap, BTreeSet};

use upheaval_map::topology::{FaceKind, MapFile};

/// Half the width of the board, in map units.
const RADIUS: f64 = 500.0;

/// The number of times that the weights of long edges are increased.
const ROUNDS: usize = 40;

/// The number of sweeps in a round; each sweep moves every face to the middle of its neighbours.
const SWEEPS: usize = 120;

/// Writes a centre for every face except the Outside into the file, with the given face in the north.
pub(crate) fn place(file: &mut MapFile, north: Option<&str>) {
    let codes: Vec<String> = file.faces.keys().cloned().collect();
    let index: BTreeMap<&str, usize> = codes.iter().enumerate().map(|(i, code)| (code.as_str(), i)).collect();
    let neighbours: Vec<Vec<usize>> = file
        .faces
        .values()
        .map(|face| {
            let all = face.neighbours().iter().chain(face.islands_ccw.iter().flatten());
            let of_face: BTreeSet<usize> = all.filter_map(|code| index.get(code.as_str()).copied()).collect();
            of_face.into_iter().collect()
        })
        .collect();
    let Some(rim) = rim(file, &index) else { return };
    let [outermost, ref ring] = rim;
    let mut at = positions(&neighbours, outermost[0], ring);
    if let Some(&north) = north.and_then(|code| index.get(code)) {
        let [x, y] = at[north];
        let (sin, cos) = libm::sincos(std::f64::consts::FRAC_PI_2 - libm::atan2(y, x));
        at.iter_mut().for_each(|at| *at = [cos * at[0] - sin * at[1], sin * at[0] + cos * at[1]]);
    }
    for (i, (_, face)) in file.faces.iter_mut().enumerate() {
        let rounded = at[i].map(|x| (10.0 * x).round() / 10.0);
        face.centre = (face.kind != FaceKind::Outside).then_some(rounded);
    }
}

/// The face that is drawn around all others, and the faces next to it in order.
fn rim(file: &MapFile, index: &BTreeMap<&str, usize>) -> Option<[Vec<usize>; 2]> {
    let outside = file.faces.iter().find(|(_, face)| face.kind == FaceKind::Outside);
    let longest =
        || file.faces.iter().max_by_key(|(code, face)| (face.neighbours().len(), std::cmp::Reverse(*code)));
    let (code, face) = outside.or_else(longest)?;
    let mut ring: Vec<usize> = Vec::new();
    for neighbour in face.neighbours() {
        let neighbour = *index.get(neighbour.as_str())?;
        if !ring.contains(&neighbour) {
            ring.push(neighbour);
        }
    }
    // Counter-clockwise round the Outside is clockwise round the board.
    ring.reverse();
    Some([vec![*index.get(code.as_str())?], ring])
}

fn positions(neighbours: &[Vec<usize>], outermost: usize, ring: &[usize]) -> Vec<[f64; 2]> {
    let count = neighbours.len();
    let mut at = vec![[0.0, 0.0]; count];
    let mut fixed = vec![false; count];
    fixed[outermost] = true;
    for (i, &face) in ring.iter().enumerate() {
        let angle = std::f64::consts::TAU * i as f64 / ring.len() as f64;
        at[face] = [RADIUS * libm::cos(angle), RADIUS * libm::sin(angle)];
        fixed[face] = true;
    }
    let mut weights: Vec<Vec<f64>> = neighbours.iter().map(|of_face| vec![1.0; of_face.len()]).collect();
    for round in 0..=ROUNDS {
        for _ in 0..SWEEPS {
            for face in (0..count).filter(|&face| !fixed[face]) {
                let (mut sum, mut total) = ([0.0, 0.0], 0.0);
                for (&other, &weight) in neighbours[face].iter().zip(&weights[face]) {
                    if other != outermost {
                        sum = [sum[0] + weight * at[other][0], sum[1] + weight * at[other][1]];
                        total += weight;
                    }
                }
                if total > 0.0 {
                    at[face] = sum.map(|x| x / total);
                }
            }
        }
        if round < ROUNDS {
            for face in 0..count {
                for (i, &other) in neighbours[face].iter().enumerate() {
                    let [dx, dy] = [0, 1].map(|k| at[face][k] - at[other][k]);
                    // Both ends see the same length, so the weights stay symmetric.
                    let pull = (libm::hypot(dx, dy) / (0.1 * RADIUS)).clamp(0.2, 5.0).sqrt();
                    weights[face][i] = (weights[face][i] * pull).clamp(1e-3, 1e3);
                }
            }
        }
    }
    at
}
