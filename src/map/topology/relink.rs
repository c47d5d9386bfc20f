//! The elementary steps of all operations on borders: linking half-edges, cutting a border, merging two. None
//! of them keeps the invariants on its own; [`super::surgery`] combines them.

use super::half_edge::{BorderId, HalfEdge, HalfEdgeId};
use super::map::{CoastLabel, PlanarMap, Trace};
use super::waterway::{CanalEnd, Waterway};
use crate::ids::ProvinceId;

/// A border cut in two, seen from its half-edge `first`: `first` keeps the id, `second` follows it.
pub(super) struct CutBorder {
    pub first: HalfEdgeId,
    pub second: HalfEdgeId,
}

impl PlanarMap {
    #[inline]
    pub(super) fn link(&mut self, from: HalfEdgeId, to: HalfEdgeId) {
        let side = self.side_mut(from);
        side.next = to;
        let face = side.face;
        self.touch.bounded.insert(face);
        self.touch.borders.insert(from.border());
        self.touch.borders.insert(to.border());
        self.side_mut(to).prev = from;
    }

    #[inline]
    pub(super) fn insert(
        &mut self,
        side: HalfEdgeId,
        face: ProvinceId,
        after: HalfEdgeId,
        before: HalfEdgeId,
    ) {
        self.touch.bounded.insert(face);
        for linked in [side, after, before] {
            self.touch.borders.insert(linked.border());
        }
        self.sides[side.index()] = Some(HalfEdge { face, next: before, prev: after });
        self.side_mut(after).next = side;
        self.side_mut(before).prev = side;
    }

    /// Are the two half-edges on one boundary cycle?
    pub fn same_cycle(&self, x: HalfEdgeId, y: HalfEdgeId) -> bool {
        self.cycle(x).any(|side| side == y)
    }

    /// Makes `stays` the representative of its cycle in place of `gone`.
    pub(super) fn replace_head(&mut self, face: ProvinceId, gone: HalfEdgeId, stays: HalfEdgeId) {
        let first = &mut self.at_mut(face).first_cycle;
        if *first == Some(gone) {
            *first = Some(stays);
        }
        for (_, head) in self.further_cycles.iter_mut().filter(|(_, head)| *head == gone) {
            *head = stays;
        }
    }

    /// Removes the cycle that `on` lies on.
    pub(super) fn remove_head(&mut self, face: ProvinceId, on: HalfEdgeId) {
        let Some(gone) = self.cycles_of(face).find(|&head| self.same_cycle(head, on)) else { return };
        let is_first = self.at(face).first_cycle == Some(gone);
        let further =
            self.further_cycles.iter().position(|&(of, head)| of == face && (is_first || head == gone));
        let next = further.map(|at| self.further_cycles.remove(at).1);
        if is_first {
            self.at_mut(face).first_cycle = next;
        }
    }

    /// Adds a new cycle, represented by this half-edge.
    pub(super) fn add_head(&mut self, face: ProvinceId, head: HalfEdgeId) {
        match &mut self.at_mut(face).first_cycle {
            Some(_) => self.further_cycles.push((face, head)),
            none => *none = Some(head),
        }
    }

    /// Takes the lowest unused border, or creates one. The caller fills in its half-edges.
    pub(super) fn new_border(&mut self) -> BorderId {
        if let Some(lowest) = (0..self.free_borders.len()).min_by_key(|&i| self.free_borders[i]) {
            return self.free_borders.swap_remove(lowest);
        }
        let border = BorderId((self.sides.len() / 2) as u16);
        self.sides.extend([None, None]);
        border
    }

    /// Marks a border as unused; coast names and waterways tied to it lose it.
    pub(super) fn free(&mut self, border: BorderId) {
        for side in border.sides() {
            self.sides[side.index()] = None;
        }
        self.touch.borders.insert(border);
        self.free_borders.push(border);
        self.trail.push(Trace::Freed(border));
        self.labels.retain(|label| label.border != border);
        self.waterways.retain_mut(|waterway| match waterway {
            Waterway::Canal { ends, .. } => {
                // An end that has been cut remains at its other pieces.
                let left =
                    ends.each_ref().map(|end| CanalEnd::at(end.borders().filter(|&own| own != border)));
                match left {
                    [Some(x), Some(y)] => {
                        *ends = [x, y];
                        true
                    }
                    _ => false,
                }
            }
            Waterway::Strait { border: own, .. } => *own != border,
            Waterway::Passage { .. } => true,
        });
    }

    /// Cuts a border in two at its middle. A loop cannot be cut once: it is left whole and represents both
    /// parts.
    ///
    /// ```text
    ///  ──── side ────     →     ─ first ─┬─ second ─        (across: second.twin, first.twin)
    /// ```
    pub(super) fn cut(&mut self, side: HalfEdgeId) -> CutBorder {
        if self.next(side) == side {
            return CutBorder { first: side, second: side };
        }
        CutBorder { first: side, second: self.cut_off(side) }
    }

    /// Cuts a border in two at its middle, or a loop into two consecutive borders; returns the second one.
    pub(super) fn cut_off(&mut self, side: HalfEdgeId) -> HalfEdgeId {
        let (face, across) = (self.owner(side), self.across(side));
        let (after, before) = (self.next(side), self.prev(side.twin()));
        let [s, t] = self.new_border().sides();
        self.insert(s, face, side, after);
        self.insert(t, across, before, side.twin());
        self.inherit(side.border(), s.border());
        s
    }

    /// Cuts a loop at two places: the half-edge becomes the piece in between, and the rest is returned. The
    /// rest is not yet linked on the loop's own face.
    pub(super) fn cut_loop(&mut self, side: HalfEdgeId) -> HalfEdgeId {
        let (face, across) = (self.owner(side), self.across(side));
        let [s, t] = self.new_border().sides();
        self.insert(s, face, side, side);
        self.insert(t, across, side.twin(), side.twin());
        self.inherit(side.border(), s.border());
        s
    }

    /// Merges two borders that follow each other on both sides, with no corner in between; the older id is
    /// kept.
    pub(super) fn merge(&mut self, x: HalfEdgeId, y: HalfEdgeId) {
        if x == y {
            return;
        }
        let (keep, gone) = if x.border() < y.border() { (x, y) } else { (y, x) };
        for (keep, gone) in [(keep, gone), (keep.twin(), gone.twin())] {
            let face = self.owner(gone);
            self.replace_head(face, gone, keep);
            let (before, after) = (self.prev(gone), self.next(gone));
            self.link(before, after);
        }
        let (keep, gone) = (keep.border(), gone.border());
        self.trail.push(Trace::Merged { kept: keep, gone });
        for i in 0..self.labels.len() {
            let kept = CoastLabel { border: keep, ..self.labels[i] };
            if self.labels[i].border == gone && !self.labels.contains(&kept) {
                self.labels[i] = kept;
            }
        }
        for waterway in &mut self.waterways {
            match waterway {
                Waterway::Canal { ends, .. } => {
                    ends.iter_mut().filter(|end| end.contains(gone)).for_each(|end| end.add(keep));
                }
                Waterway::Strait { border, .. } if *border == gone => *border = keep,
                Waterway::Strait { .. } | Waterway::Passage { .. } => {}
            }
        }
        let mut distinct: Vec<Waterway> = Vec::with_capacity(self.waterways.len());
        for waterway in std::mem::take(&mut self.waterways) {
            if !distinct.contains(&waterway) {
                distinct.push(waterway);
            }
        }
        self.waterways = distinct;
        self.free(gone);
    }

    /// Copies what is known about a cut border to its piece.
    pub(super) fn inherit(&mut self, old: BorderId, new: BorderId) {
        self.trail.push(Trace::Cut { whole: old, piece: new });
        for i in 0..self.labels.len() {
            if self.labels[i].border == old {
                self.labels.push(CoastLabel { border: new, ..self.labels[i] });
            }
        }
        // The water at the end of a canal is on both pieces (rules.md 1.3).
        for waterway in &mut self.waterways {
            if let Waterway::Canal { ends, .. } = waterway {
                ends.iter_mut().filter(|end| end.contains(old)).for_each(|end| end.add(new));
            }
        }
    }
}
