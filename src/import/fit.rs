//! Chooses among the embeddings of a board. Where two provinces separate the board, either part can be
//! reflected, and a face between four provinces can be filled in two ways. The search chooses the embedding
//! that fits the listed moves best; if two fit equally well, the provinces are reported as doubtful.

use std::collections::{BTreeMap, BTreeSet};

use upheaval_map::topology::atlas::AtlasError;

use crate::assemble::{Assembled, AssemblyInput, FaceKey, Filling, assemble, big_faces, key_of};
use crate::note::ImportNote;
use crate::planar::graph::Node;
use crate::planar::rotation::{Dart, Rotation};
use crate::shape::BoardShape;

/// The largest number of improvements; the cost falls with each.
const MOST_ROUNDS: usize = 64;

/// The best embedding, filled and written as a map file.
///
/// # Errors
/// The resulting map is not sound, or has more faces than a map can have.
pub fn fit(
    brief: AssemblyInput<'_>,
    shape: &BoardShape,
    rotation: Rotation,
) -> Result<Assembled, AtlasError> {
    let mut search = Search { brief, shape, fillings: BTreeMap::new() };
    let (mut rotation, mut best) = search.upright(rotation)?;
    for _ in 0..MOST_ROUNDS {
        if let Some((turned, better)) = search.better_turn(&rotation, &best) {
            (rotation, best) = (turned, better);
        } else if let Some(better) = search.better_filling(&rotation, &best) {
            best = better;
        } else {
            break;
        }
    }
    for (side, turned) in turns(shape, &rotation) {
        let other = assemble(brief, shape, &turned, &search.fillings);
        if other.is_ok_and(|other| other.cost() == best.cost() && !is_alike(&other, &best)) {
            best.notes.push(ImportNote::InDoubt(shape.names(side)));
        }
    }
    if brief.hints.around.is_empty()
        && let Some(code) = brief
            .sketch
            .provinces
            .keys()
            .find(|code| best.file.faces.get(*code).is_some_and(|face| face.neighbours().len() > 2))
    {
        best.notes.push(ImportNote::Reflection(code.clone()));
    }
    Ok(best)
}

struct Search<'a> {
    brief: AssemblyInput<'a>,
    shape: &'a BoardShape,
    fillings: BTreeMap<FaceKey, Filling>,
}

impl Search<'_> {
    fn assemble(&self, rotation: &Rotation) -> Result<Assembled, AtlasError> {
        assemble(self.brief, self.shape, rotation, &self.fillings)
    }

    /// The embedding or its reflection, depending on the hints.
    fn upright(&self, rotation: Rotation) -> Result<(Rotation, Assembled), AtlasError> {
        let seen = self.assemble(&rotation)?;
        if seen.disordered > 0 {
            let mirrored = rotation.mirrored();
            let other = self.assemble(&mirrored)?;
            if other.disordered < seen.disordered {
                return Ok((mirrored, other));
            }
        }
        Ok((rotation, seen))
    }

    fn better_turn(&self, rotation: &Rotation, best: &Assembled) -> Option<(Rotation, Assembled)> {
        if best.cost() == (0, 0, 0) {
            return None;
        }
        turns(self.shape, rotation).into_iter().find_map(|(_, turned)| {
            let (turned, other) = self.upright(turned).ok()?;
            (other.cost() < best.cost()).then_some((turned, other))
        })
    }

    fn better_filling(&mut self, rotation: &Rotation, best: &Assembled) -> Option<Assembled> {
        for face in big_faces(rotation) {
            let key = key_of(rotation, &face);
            let before = self.fillings.get(&key).copied();
            let other = match before.unwrap_or(Filling::Borders) {
                Filling::Borders => Filling::Filler,
                Filling::Filler => Filling::Borders,
            };
            self.fillings.insert(key.clone(), other);
            if let Ok(better) = self.assemble(rotation)
                && better.cost() < best.cost()
            {
                return Some(better);
            }
            match before {
                Some(before) => self.fillings.insert(key, before),
                None => self.fillings.remove(&key),
            };
        }
        None
    }
}

/// Do two boards have the same boundaries?
fn is_alike(a: &Assembled, b: &Assembled) -> bool {
    let cycles = |assembled: &Assembled| {
        let map = assembled.chart.map();
        let of_face = |face| {
            let cycles = map.printed_cycles(face);
            cycles
                .iter()
                .map(|cycle| cycle.iter().map(|&side| map.name(map.across(side)).to_owned()).collect())
                .collect()
        };
        let faces = map.faces().map(|(id, face)| (face.name().to_owned(), of_face(id)));
        faces.collect::<BTreeMap<String, Vec<Vec<String>>>>()
    };
    cycles(a) == cycles(b)
}

/// The embeddings that result from reflecting one part, each with the nodes of the part.
fn turns(shape: &BoardShape, rotation: &Rotation) -> Vec<(Vec<Node>, Rotation)> {
    let mut found: Vec<(Vec<Node>, Rotation)> = Vec::new();
    let faces = rotation.faces();
    // The darts of each pair of nodes that are on several faces.
    let mut shared: BTreeMap<[Node; 2], Vec<[Dart; 2]>> = BTreeMap::new();
    for face in &faces {
        for (i, &x) in face.iter().enumerate() {
            for &y in &face[i + 1..] {
                let (a, b) = (rotation.origin(x), rotation.origin(y));
                if a != b {
                    let (pair, darts) = if a < b { ([a, b], [x, y]) } else { ([b, a], [y, x]) };
                    shared.entry(pair).or_default().push(darts);
                }
            }
        }
    }
    for (pair, corners) in shared {
        for (i, first) in corners.iter().enumerate() {
            for second in &corners[i + 1..] {
                let Some(side) = side_between(shape, rotation, pair, first[0], second[0]) else { continue };
                let turns = |dart: Dart| {
                    let ends = [rotation.origin(dart), rotation.target(dart)];
                    ends.iter().any(|node| side.nodes.contains(node)) || side.direct.contains(&dart)
                };
                if let Some(turned) = rotation.turned(pair, turns) {
                    found.push((side.nodes.into_iter().collect(), turned));
                }
            }
        }
    }
    found
}

/// One side of a closed curve through two nodes and two faces that they share.
struct Part {
    nodes: BTreeSet<Node>,
    /// Edges that connect the two nodes directly.
    direct: Vec<Dart>,
}

/// The part between two corners at the first of a pair of nodes; `None` if it is empty, everything, or a
/// single edge.
fn side_between(
    shape: &BoardShape,
    rotation: &Rotation,
    pair: [Node; 2],
    first: Dart,
    second: Dart,
) -> Option<Part> {
    // The face left of `first` comes immediately after it, counter-clockwise, followed by the part between
    // the two faces.
    let round = rotation.round(rotation.after(first));
    let end = round.iter().position(|&dart| dart == second)?;
    let between = &round[..=end];
    let direct: Vec<Dart> =
        between.iter().copied().filter(|&dart| rotation.target(dart) == pair[1]).collect();
    let mut nodes: BTreeSet<Node> = BTreeSet::new();
    let mut front: Vec<Node> =
        between.iter().map(|&dart| rotation.target(dart)).filter(|node| *node != pair[1]).collect();
    while let Some(node) = front.pop() {
        if nodes.insert(node) {
            front.extend(
                shape.graph.neighbours(node).filter(|next| !pair.contains(next) && !nodes.contains(next)),
            );
        }
    }
    let all = shape.graph.nodes().count() - 2;
    // A single province between the two is its own reflection.
    let count = nodes.len();
    // Reflecting the larger side is equivalent to reflecting the smaller one, seen from behind.
    if count == 0 || 2 * count > all || (between.len() < 2 && count < 2) {
        return None;
    }
    let direct = direct.iter().flat_map(|&dart| [dart, dart.twin()]).collect();
    Some(Part { nodes, direct })
}
