//! The drawing of a board that follows another: everything that is the same on both stays in place, and only moved
//! borders are drawn again.

use super::geometry::Point;
use super::net::{BENDS, Net, Vertex};
use super::settle::Pull;
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::HalfEdgeId;

/// A new end of a border is pulled to its old position as strongly as by this many neighbours.
const REMEMBERED: f64 = 0.6;

/// The known facts about the previous board.
pub(super) struct Before<'a> {
    pub net: &'a Net,
    pub at: &'a [Point],
}

/// The positions of the new net's vertices in the previous drawing.
pub(super) struct Follow<'a> {
    net: &'a Net,
    before: Before<'a>,
    /// For each corner of the new net: the same corner before.
    corners: Vec<Option<Vertex>>,
    pub pulls: Vec<Pull>,
}

impl<'a> Follow<'a> {
    /// Identifies what is the same.
    pub(crate) fn new(net: &'a Net, before: Before<'a>) -> Follow<'a> {
        let corners = same_corners(net, before.net);
        let pulls = vec![Pull::Free; net.len()];
        let mut follow = Follow { net, before, corners, pulls };
        follow.fix_corners();
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

    fn fix_corners(&mut self) {
        for v in self.net.corners() {
            if let Some(old) = self.corner_before(v) {
                self.fix(v, self.before.at[old as usize]);
            }
        }
    }

    /// The points of a border before, in the direction of its line.
    fn line_before(&self, line: &[Vertex]) -> Vec<Point> {
        line.iter().map(|&v| self.before.at[v as usize]).collect()
    }

    /// Borders whose ends are both in place stay; of other borders, points near such an end are remembered.
    fn fix_lines(&mut self) {
        for (border, line) in self.net.lines() {
            let old = self.before.net.line(border);
            if old.is_empty() || self.is_fixed(line[1]) {
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

    fn is_fixed(&self, v: Vertex) -> bool {
        matches!(self.pulls[v as usize], Pull::Fixed(_))
    }

    /// A border that was cut is still one line: the new corner is in its middle, and its two pieces are its halves.
    fn fix_cuts(&mut self) {
        for (border, line) in self.net.lines() {
            let old = self.before.net.line(border);
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
        let new = self.net.lines().filter(|&(border, _)| self.before.net.line(border).is_empty());
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
    let open = |face: &ProvinceId| {
        let mut vertices = net.cycles(*face).iter().flat_map(|cycle| net.ring(cycle));
        vertices.any(|v| !matches!(pulls[v as usize], Pull::Fixed(_) | Pull::Held(_)))
    };
    net.faces().filter(open).collect()
}
