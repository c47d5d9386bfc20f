//! Positions of the vertices: each is in the middle of its neighbours in the mesh (Tutte), pulled towards its wanted
//! position. A pull that makes borders cross is loosened; without any pull they cannot cross.

use std::collections::BTreeSet;

use crate::canvas::Plan;
use crate::geometry::{Point, mean, turn};
use crate::mesh::Mesh;
use crate::net::{BENDS, Net, Vertex};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::HalfEdgeId;

/// How a vertex is pulled to a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pull {
    /// Not at all.
    Free,
    /// As strongly as by this many neighbours there.
    Soft(Point, f64),
    /// It stays there, unless that makes borders cross.
    Fixed(Point),
    /// It stays there.
    Held(Point),
}

impl Pull {
    /// The position that it pulls to.
    pub(crate) fn target(self) -> Option<Point> {
        match self {
            Pull::Fixed(to) | Pull::Held(to) | Pull::Soft(to, _) => Some(to),
            Pull::Free => None,
        }
    }
}

/// A fixed vertex that is loosened is pulled as strongly as by this many neighbours.
const FIRM: f64 = 4.0;
/// How often edges that are too short are lengthened.
const SPREADINGS: usize = 8;
/// The approximate wanted length of an edge.
const WANTED_LENGTH: f64 = 20.0;
/// The weakest pull of an edge, relative to the strongest.
const LEAST_WEIGHT: f64 = 1e-2;
/// After this many rounds pulls below [`LITTLE`] are removed.
const LITTLE: f64 = 0.02;

/// Positions for the vertices of a mesh, `pulls` for the net's vertices first; the others are free, except for the
/// fixed frame. The edges of some triangles pull more strongly, by this factor. `None` if borders still cross after the
/// last round, or lie outside the canvas. The positions, and the pulls that are left, are those of the net's vertices.
pub(super) fn settle(
    mesh: &Mesh<'_>,
    pulls: &mut Vec<Pull>,
    (strong, by): (&[[Vertex; 3]], f64),
    rounds: usize,
) -> Option<Vec<Point>> {
    let Plan { net, canvas, beyond, .. } = mesh.plan;
    pulls.resize(mesh.vertices, Pull::Free);
    let neighbours = neighbours(mesh);
    let mut weights = even(&neighbours);
    for &[a, b, c] in strong {
        for (v, n) in [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)] {
            if let Ok(edge) = neighbours[v as usize].binary_search(&n) {
                weights[v as usize][edge] = by;
            }
        }
    }
    let mut at: Vec<Point> = start(pulls);
    for round in 0..rounds {
        relax(&neighbours, &weights, pulls, &mut at);
        let mut flawed = net.flaws(mesh.faces, &at, beyond);
        if flawed.is_empty() {
            at.truncate(net.len());
            pulls.truncate(net.len());
            return Some(at).filter(|at| canvas.holds(at));
        }
        if round % 4 == 3 {
            flawed.extend(folded(mesh, &at));
        }
        let around = || flawed.iter().flat_map(|&v| &neighbours[v as usize]);
        let near = flawed.iter().chain(around()).chain(around().flat_map(|&v| &neighbours[v as usize]));
        for vertex in near.copied().collect::<BTreeSet<Vertex>>() {
            let pull = &mut pulls[vertex as usize];
            *pull = match *pull {
                Pull::Soft(_, by) if by < LITTLE => Pull::Free,
                Pull::Soft(to, by) => Pull::Soft(to, by * 0.4),
                Pull::Fixed(to) if !is_frame(mesh, vertex) => Pull::Soft(to, FIRM),
                other => other,
            };
        }
    }
    pulls.truncate(net.len());
    None
}

/// Positions for the vertices of a mesh in which only the fixed vertices are pulled. Edges that are too short get a
/// weaker pull, repeatedly: edges may have any weight without borders crossing.
pub(super) fn spread(mesh: &Mesh<'_>, pulls: &mut Vec<Pull>, sound: impl Fn(&[Point]) -> bool) -> Vec<Point> {
    pulls.resize(mesh.vertices, Pull::Free);
    for pull in pulls.iter_mut() {
        if let Pull::Soft(..) = pull {
            *pull = Pull::Free;
        }
    }
    let neighbours = neighbours(mesh);
    let mut weights = even(&neighbours);
    let mut at = start(pulls);
    relax(&neighbours, &weights, pulls, &mut at);
    let mut best = at.clone();
    for _ in 0..SPREADINGS {
        for (v, around) in neighbours.iter().enumerate() {
            for (weight, &n) in weights[v].iter_mut().zip(around) {
                let length = at[v].distance(at[n as usize]);
                *weight = (*weight * (length / WANTED_LENGTH).sqrt()).clamp(LEAST_WEIGHT, 1.0 / LEAST_WEIGHT);
            }
        }
        relax(&neighbours, &weights, pulls, &mut at);
        // Precision is limited: the last valid drawing is kept.
        if sound(&at) {
            best.clone_from(&at);
        }
    }
    best
}

/// Every edge pulls equally.
fn even(neighbours: &[Vec<Vertex>]) -> Vec<Vec<f64>> {
    neighbours.iter().map(|around| vec![1.0; around.len()]).collect()
}

fn is_frame(mesh: &Mesh<'_>, vertex: Vertex) -> bool {
    mesh.frame.iter().any(|&(frame, _)| frame == vertex)
}

/// The vertices of triangles that run the wrong way round.
fn folded(mesh: &Mesh<'_>, at: &[Point]) -> Vec<Vertex> {
    let wrong = |t: &&[Vertex; 3]| {
        let [a, b, c] = t.map(|v| at[v as usize]);
        turn(a, b, c) <= 0.0
    };
    mesh.triangles.iter().filter(wrong).flatten().copied().collect()
}

fn neighbours(mesh: &Mesh<'_>) -> Vec<Vec<Vertex>> {
    let mut neighbours: Vec<BTreeSet<Vertex>> = vec![BTreeSet::new(); mesh.vertices];
    for triangle in &mesh.triangles {
        for (i, &v) in triangle.iter().enumerate() {
            neighbours[v as usize].extend([triangle[(i + 1) % 3], triangle[(i + 2) % 3]]);
        }
    }
    neighbours.into_iter().map(|around| around.into_iter().collect()).collect()
}

fn start(pulls: &[Pull]) -> Vec<Point> {
    let known: Vec<Point> = pulls.iter().filter_map(|pull| pull.target()).collect();
    let middle = mean(&known).unwrap_or_default();
    pulls.iter().map(|pull| pull.target().unwrap_or(middle)).collect()
}

/// Solves for all vertices that are not fixed: the sum of the vectors to the neighbours, and of the pull, is zero.
/// Conjugate gradients, preconditioned by the diagonal, from where the vertices are.
fn relax(neighbours: &[Vec<Vertex>], weights: &[Vec<f64>], pulls: &[Pull], at: &mut [Point]) {
    let n = pulls.len();
    let fixed = |v: usize| matches!(pulls[v], Pull::Fixed(_) | Pull::Held(_)) || neighbours[v].is_empty();
    let pull = |v: usize| match pulls[v] {
        Pull::Soft(to, by) => (to, by),
        _ => (Point::default(), 0.0),
    };
    let unknown: Vec<usize> = (0..n).filter(|&v| !fixed(v)).collect();
    for v in 0..n {
        if let Pull::Fixed(to) | Pull::Held(to) = pulls[v] {
            at[v] = to;
        }
    }
    let diagonals: Vec<f64> = (0..n).map(|v| weights[v].iter().sum::<f64>() + pull(v).1).collect();
    let diagonal = |v: usize| diagonals[v];
    let around = |v: usize, of: &[Point]| {
        let edges = neighbours[v].iter().zip(&weights[v]);
        edges.fold(Point::default(), |sum, (&w, &weight)| sum + of[w as usize] * weight)
    };
    let mut residue = vec![Point::default(); n];
    for &v in &unknown {
        let (to, by) = pull(v);
        residue[v] = around(v, at) + to * by - at[v] * diagonal(v);
    }
    // The two coordinates are two systems with the same matrix.
    let mut aim: Vec<Point> = vec![Point::default(); n];
    let mut image: Vec<Point> = vec![Point::default(); n];
    for &v in &unknown {
        aim[v] = residue[v] * (1.0 / diagonal(v));
    }
    let product = |a: &[Point], b: &dyn Fn(usize) -> Point| {
        unknown.iter().fold(Point::default(), |sum, &v| {
            let b = b(v);
            Point::new(sum.x + a[v].x * b.x, sum.y + a[v].y * b.y)
        })
    };
    let mut old = product(&residue, &|v| residue[v] * (1.0 / diagonal(v)));
    let enough = 1e-26 * (old.x + old.y).max(1.0);
    for _ in 0..4 * unknown.len() {
        if old.x + old.y <= enough {
            break;
        }
        for &v in &unknown {
            image[v] = aim[v] * diagonal(v) - around(v, &aim);
        }
        let bent = product(&aim, &|v| image[v]);
        let ratio = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        let step = Point::new(ratio(old.x, bent.x), ratio(old.y, bent.y));
        for &v in &unknown {
            at[v] = at[v] + Point::new(aim[v].x * step.x, aim[v].y * step.y);
            residue[v] = residue[v] - Point::new(image[v].x * step.x, image[v].y * step.y);
        }
        let new = product(&residue, &|v| residue[v] * (1.0 / diagonal(v)));
        let turn = Point::new(ratio(new.x, old.x), ratio(new.y, old.y));
        for &v in &unknown {
            let down = residue[v] * (1.0 / diagonal(v));
            aim[v] = down + Point::new(aim[v].x * turn.x, aim[v].y * turn.y);
        }
        old = new;
    }
}

// The drawing of a board that follows another: everything that is the same on both stays in place, and only moved
// borders are drawn again.

/// A new end of a border is pulled to its old position as strongly as by this many neighbours.
const REMEMBERED: f64 = 0.6;

/// The positions of the new net's vertices in the previous drawing.
pub(super) struct Follow<'a> {
    net: &'a Net,
    /// The net of the board before, and the positions of its vertices.
    before: (&'a Net, &'a [Point]),
    /// For each corner of the new net: the same corner before.
    corners: Vec<Option<Vertex>>,
    pub(crate) pulls: Vec<Pull>,
}

impl<'a> Follow<'a> {
    /// Identifies what is the same.
    pub(crate) fn new(net: &'a Net, before: (&'a Net, &'a [Point])) -> Follow<'a> {
        let corners = same_corners(net, before.0);
        let old =
            |corner: &Option<Vertex>| corner.map_or(Pull::Free, |old| Pull::Fixed(before.1[old as usize]));
        let mut pulls: Vec<Pull> = corners.iter().map(old).collect();
        pulls.resize(net.len(), Pull::Free);
        let mut follow = Follow { net, before, corners, pulls };
        follow.fix_cuts();
        follow.fix_lines();
        follow
    }

    fn fix(&mut self, v: Vertex, to: Point) {
        self.pulls[v as usize] = Pull::Fixed(to);
    }

    fn corner_before(&self, v: Vertex) -> Option<Vertex> {
        self.corners.get(v as usize).copied().flatten()
    }

    /// The points of a border before, in the direction of its line.
    fn line_before(&self, line: &[Vertex]) -> Vec<Point> {
        line.iter().map(|&v| self.before.1[v as usize]).collect()
    }

    /// Borders whose ends are both in place stay; of other borders, points near such an end are remembered.
    fn fix_lines(&mut self) {
        for (border, line) in self.net.lines() {
            let old = self.before.0.line(border);
            if old.is_empty() || matches!(self.pulls[line[1] as usize], Pull::Fixed(_)) {
                continue;
            }
            let kept = |new: Vertex, old: Vertex| self.corner_before(new) == Some(old);
            let ends = [kept(line[0], old[0]), kept(line[BENDS + 1], old[BENDS + 1])];
            let points = self.line_before(old);
            for (i, &v) in line.iter().enumerate().take(BENDS + 1).skip(1) {
                self.pulls[v as usize] = match ends {
                    [true, true] => Pull::Fixed(points[i]),
                    [true, false] if i <= BENDS / 2 => Pull::Soft(points[i], REMEMBERED),
                    [false, true] if i > BENDS / 2 => Pull::Soft(points[i], REMEMBERED),
                    _ => Pull::Free,
                };
            }
        }
    }

    /// A border that was cut is still one line: the new corner is in its middle, and its two pieces are its halves.
    fn fix_cuts(&mut self) {
        for (border, line) in self.net.lines() {
            let old = self.before.0.line(border);
            if old.is_empty() {
                continue;
            }
            for turned in [false, true] {
                let [line, old]: [Vec<Vertex>; 2] = [line, old]
                    .map(|line| if turned { line.iter().rev().copied().collect() } else { line.to_vec() });
                let (from, cut) = (line[0], line[BENDS + 1]);
                let (begin, end) = (old[0], old[BENDS + 1]);
                if self.corner_before(from) != Some(begin) || self.corner_before(cut).is_some() {
                    continue;
                }
                let Some(piece) = self.piece(cut, end) else { continue };
                let points = self.line_before(&old);
                let place = |part: f64| along(&points, part);
                self.fix(cut, place(0.5));
                for i in 1..=BENDS {
                    let part = i as f64 / (BENDS + 1) as f64 * 0.5;
                    self.fix(line[i], place(part));
                    self.fix(piece[i], place(0.5 + part));
                }
            }
        }
    }

    /// The line of a new border, from this corner to the one that existed before.
    fn piece(&self, from: Vertex, to: Vertex) -> Option<Vec<Vertex>> {
        let new = self.net.lines().filter(|&(border, _)| self.before.0.line(border).is_empty());
        let mut both = new.flat_map(|(_, line)| [line.to_vec(), line.iter().rev().copied().collect()]);
        both.find(|line| line[0] == from && self.corner_before(line[BENDS + 1]) == Some(to))
    }
}

/// The point at a fraction of the length of a line.
fn along(line: &[Point], part: f64) -> Point {
    let length: f64 = line.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut left = length * part;
    for pair in line.windows(2) {
        let step = pair[0].distance(pair[1]);
        if step >= left && step > 0.0 {
            return pair[0].towards(pair[1], left / step);
        }
        left -= step;
    }
    line.last().copied().unwrap_or_default()
}

/// For each corner of the new net: the corresponding corner of the old net. At least two of its sides started there
/// before; if the third started elsewhere, the same three faces met there.
fn same_corners(new: &Net, old: &Net) -> Vec<Option<Vertex>> {
    let (new_starts, new_faces) = (starts(new), new.faces_at());
    let old_faces = old.faces_at();
    let mut same: Vec<Option<Vertex>> = new_starts
        .iter()
        .enumerate()
        .map(|(v, sides)| {
            let known: Vec<Vertex> = sides.iter().filter_map(|&side| old.start(side)).collect();
            let count = |c: Vertex| known.iter().filter(|&&other| other == c).count();
            let corner = known.iter().copied().max_by_key(|&c| (count(c), std::cmp::Reverse(c)))?;
            let (agree, faces) = (count(corner), &old_faces[corner as usize]);
            (agree >= 2 && (agree == known.len() || *faces == new_faces[v])).then_some(corner)
        })
        .collect();
    // A corner corresponds to at most one corner.
    for i in 0..same.len() {
        if same[i].is_some() && same[..i].contains(&same[i]) {
            same[i] = None;
        }
    }
    same
}

/// For each corner: the sides that start there.
fn starts(net: &Net) -> Vec<Vec<HalfEdgeId>> {
    let mut starts = vec![Vec::new(); net.corners().len()];
    for side in net.lines().flat_map(|(border, _)| border.sides()) {
        if let Some(v) = net.start(side) {
            starts[v as usize].push(side);
        }
    }
    starts
}

/// The faces with a free vertex.
pub(super) fn open_faces(net: &Net, pulls: &[Pull]) -> Vec<ProvinceId> {
    let is_open = |v: Vertex| !matches!(pulls[v as usize], Pull::Fixed(_) | Pull::Held(_));
    let open = |face: &ProvinceId| net.vertices(*face).any(is_open);
    net.faces().filter(open).collect()
}
