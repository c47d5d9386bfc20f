//! The operations that change the map. Each is all or nothing: every condition is checked before the first
//! link is touched, and an error leaves the map unchanged.
//!
//! | operation | effect | inverse |
//! |---|---|---|
//! | `collapse`, `void` | marks the face; the borders underneath stay | `restore` |
//! | `submerge` | makes land a sea | `raise` |
//! | `raise` | makes a sea land | `submerge` |
//! | `freeze` | makes a sea ice: ground for armies, no water | `thaw`, and `restore` if it is not a hole |
//! | `open` | makes an impassable face land | `reform` |
//! | `reform` | gives a face any kind, below a hole too | `reform` |
//! | `dig` | adds a canal to a land province | `fill` |
//! | `flip` | separates A and B, and connects C and D: the border A/B becomes a border C/D | the flip of the new border |
//! | `release` | connects A and C through B: a new border A/C joins two cycles of B | the flip of the new border |
//! | `split` | adds a border between the middles of two others | none |
//!
//! The names in the drawings are those in the code. The operations that leave all borders as they are have files
//! of their own, [`faces`] and [`canals`].

use std::sync::Arc;

use crate::ids::{MAX_PROVINCES, ProvinceId};
use crate::topology::half_edge::{BorderId, FaceData, FaceKind, FaceState, HalfEdge, HalfEdgeId};
use crate::topology::map::{CoastLabel, PlanarMap, Trace};
use crate::topology::waterway::{CanalEnd, Waterway};

mod canals;
mod faces;

/// Why an operation on the map cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SurgeryError {
    #[error("there is no province `{0}` on the map")]
    NoSuchFace(String),
    #[error("this fits {count} places: pick one with #1 to #{count}")]
    Ambiguous { count: usize },
    #[error("they cannot all be done together")]
    Contradiction,
    /// Another condition of the operation does not hold.
    #[error("{0}")]
    Refused(String),
}

/// The result of an operation on the map.
pub type Surgery<T = ()> = Result<T, SurgeryError>;

pub(super) fn refused<T>(message: String) -> Surgery<T> {
    Err(SurgeryError::Refused(message))
}

impl PlanarMap {
    fn expect_face(&self, id: ProvinceId) -> Surgery<&FaceData> {
        self.faces.get(id.index()).ok_or_else(|| SurgeryError::NoSuchFace(format!("#{}", id.0)))
    }

    /// Checks that these faces exist and have not collapsed.
    fn expect_borders(&self, faces: &[ProvinceId]) -> Surgery {
        faces.iter().try_for_each(|&id| match self.expect_face(id)?.state {
            FaceState::Collapsed => {
                refused(format!("{} has collapsed into a point and has no borders", self.name(id)))
            }
            FaceState::Open | FaceState::Void => Ok(()),
        })
    }

    fn outside<T>(&self, id: ProvinceId, purpose: &str) -> Surgery<T> {
        refused(format!("{} is the outside of the board and cannot {purpose}", self.name(id)))
    }

    /// The border that `SEPARATE a b CONNECT c d` means, as the half-edge of `a` (rules.md 8.1, 8.2).
    ///
    /// # Errors
    /// There is no such border, none has these flanks, or there are several and the index is missing or out
    /// of range.
    pub fn find_separation(
        &self,
        [a, b]: [ProvinceId; 2],
        [c, d]: [ProvinceId; 2],
        index: Option<usize>,
    ) -> Surgery<HalfEdgeId> {
        self.expect_borders(&[a, b, c, d])?;
        if a == b {
            return refused(format!("{} is named twice", self.name(a)));
        }
        let fitting = self.separations_of([a, b], [c, d]);
        if let Some(&side) = fitting.first() {
            return pick(&fitting, index).map(|found| found.copied().unwrap_or(side));
        }
        let [a_name, b_name, c, d] = [a, b, c, d].map(|id| self.name(id));
        let borders = self.stretches(a, b);
        if borders.is_empty() {
            return refused(format!("{a_name} and {b_name} share no border"));
        }
        let ends: Vec<String> = borders
            .iter()
            .filter_map(|&side| self.flanks(side))
            .map(|[end, start]| format!("{} and {}", self.name(end), self.name(start)))
            .collect();
        if ends.is_empty() {
            return self.no_flanks(a, b);
        }
        let found = ends.join(", or at ");
        refused(format!("{a_name} and {b_name} share no border that ends at {c} and {d}; it ends at {found}"))
    }

    fn no_flanks<T>(&self, a: ProvinceId, b: ProvinceId) -> Surgery<T> {
        let [a, b] = [a, b].map(|id| self.name(id));
        refused(format!("{a} and {b} meet all round: their border has no ends that could connect anything"))
    }

    /// Does the face exist with its borders, and is it not a point?
    pub(super) fn has_borders(&self, id: ProvinceId) -> bool {
        self.faces.get(id.index()).is_some_and(|face| face.state != FaceState::Collapsed)
    }

    /// The borders between the first two faces whose flanks are the other two, as half-edges of the first, in
    /// the order of the index.
    pub(super) fn separations_of(&self, [a, b]: [ProvinceId; 2], [c, d]: [ProvinceId; 2]) -> Vec<HalfEdgeId> {
        let fits = |&side: &HalfEdgeId| {
            self.flanks(side).is_some_and(|[end, start]| [end, start] == [c, d] || [end, start] == [d, c])
        };
        let mut borders = self.stretches(a, b);
        borders.retain(fits);
        borders
    }

    /// The stretches of `a` and of `c` that lie on different boundary cycles of `b`, in pairs, in the order
    /// of the index.
    pub(super) fn releases_of(&self, a: ProvinceId, c: ProvinceId, b: ProvinceId) -> Vec<[HalfEdgeId; 2]> {
        let (of_a, of_c) = (self.stretches(a, b), self.stretches(c, b));
        let pairs = of_a.iter().flat_map(|&x| of_c.iter().map(move |&y| [x, y]));
        pairs.filter(|&[x, y]| !self.same_cycle(x.twin(), y.twin())).collect()
    }

    /// A separation (rules.md 8.1): the border between A and B is removed, and the flanks C and D touch in
    /// its place. A flip of the new border undoes it exactly.
    ///
    /// ```text
    ///     C                         C
    ///  p ╲ ╱ n …              ╲     │ h     ╱
    ///     ●                    ╲    ●      ╱
    ///  A  │ h  B       →     A  ●───┴──●  B         (C above, D below, A left, B right)
    ///     ●                    ╱    │ t    ╲
    ///    ╱ ╲                  ╱     D       ╲
    ///     D
    /// ```
    ///
    /// If C and D are one face, it closes round A (or round B, or a group of provinces), which becomes an
    /// island in it; the merged stretches become one border each. [`PlanarMap::join`] undoes that.
    ///
    /// ```text
    ///  ~~~~~ C ~~~~~            ~~~~~ C ~~~~~~~~~
    ///  ╭─────┬──────╮           ╭─────╮~╭──────╮
    ///  │  A  │h  B  │     →     │  A  │~│  B   │
    ///  ╰─────┴──────╯           ╰─────╯~╰──────╯
    ///  ~~~~~ C ~~~~~            ~~~~~ C ~~~~~~~~~
    /// ```
    ///
    /// # Errors
    /// A loop has no flanks; a collapsed face has no borders.
    pub fn flip(&mut self, h: HalfEdgeId) -> Surgery {
        self.structure.outdate();
        let t = h.twin();
        let (a, b) = (self.owner(h), self.owner(t));
        let Some([c, d]) = self.flanks(h) else { return self.no_flanks(a, b) };
        self.expect_borders(&[a, b, c, d])?;
        if c == d {
            self.pinch_off(h, c);
            return Ok(());
        }
        let (p, n) = (self.prev(h), self.next(h));
        let (q, m) = (self.prev(t), self.next(t));
        self.replace_head(a, h, n);
        self.replace_head(b, t, m);
        self.link(p, n);
        self.link(q, m);
        // C meets the corner as twin(n) → twin(q), D as twin(m) → twin(p); the border is inserted in between.
        self.insert(h, c, n.twin(), q.twin());
        self.insert(t, d, m.twin(), p.twin());
        Ok(())
    }

    /// Separates a border with the same face `c` at both ends: the cycle of `c` is divided into two.
    fn pinch_off(&mut self, h: HalfEdgeId, c: ProvinceId) {
        let t = h.twin();
        let (a, b) = (self.owner(h), self.owner(t));
        let (p, n) = (self.prev(h), self.next(h));
        let (q, m) = (self.prev(t), self.next(t));
        self.remove_head(c, n.twin());
        self.replace_head(a, h, n);
        self.replace_head(b, t, m);
        self.link(p, n);
        self.link(q, m);
        self.link(n.twin(), p.twin());
        self.link(m.twin(), q.twin());
        self.add_head(c, n.twin());
        self.add_head(c, m.twin());
        self.free(h.border());
        self.merge(p, n);
        self.merge(q, m);
    }

    /// The pair of half-edges that `CONNECT a c THROUGH b` means: a stretch of `a` and one of `c`, on two
    /// different boundary cycles of `b` (rules.md 8.1, 8.2). `a` and `c` may be given in either order.
    ///
    /// # Errors
    /// One of them does not border `b`, both lie on one cycle, or there are several pairs and the index is
    /// missing or out of range.
    pub fn find_release(
        &self,
        a: ProvinceId,
        c: ProvinceId,
        b: ProvinceId,
        index: Option<usize>,
    ) -> Surgery<[HalfEdgeId; 2]> {
        self.expect_borders(&[a, c, b])?;
        for (x, y) in [(a, c), (a, b), (c, b)] {
            if x == y {
                return refused(format!("{} is named twice", self.name(x)));
            }
        }
        for id in [a, c] {
            if self.stretches(id, b).is_empty() {
                return self.no_border(id, b);
            }
        }
        match pick(&self.releases_of(a, c, b), index)? {
            Some(pair) => Ok(*pair),
            None => self.not_an_island(a, c, b),
        }
    }

    pub(super) fn no_border<T>(&self, a: ProvinceId, b: ProvinceId) -> Surgery<T> {
        refused(format!("{} and {} share no border", self.name(a), self.name(b)))
    }

    fn not_an_island<T>(&self, a: ProvinceId, c: ProvinceId, b: ProvinceId) -> Surgery<T> {
        let [a, c, b] = [a, c, b].map(|id| self.name(id));
        refused(format!("{a} and {c} border {b} on the same boundary cycle, so neither is an island in it"))
    }

    /// A release (rules.md 8.1): A lies in an island inside B, and C borders B on another boundary cycle of
    /// B; A and C get a border, with B on both sides of it. A flip of the new border undoes the release.
    ///
    /// ```text
    ///  ▒▒▒▒ C ▒▒▒▒▒▒           ▒▒▒▒ C ▒▒▒▒▒▒
    ///  ─────c───────           ──c──●─k─●─c2─
    ///  ~~~ B ~~~~~~~           ~ B ~│   │~~~~
    ///  ~~╭──a──╮~~~~     →     ~~~~a│ A │a2~~
    ///  ~~│  A  │~~~~           ~~~~~│   │~~~~
    ///  ~~╰─────╯~~~~           ~~~~~╰───╯~~~~
    /// ```
    ///
    /// The borders of B with A and with C are cut before; the new border joins their pieces. Returns it.
    pub(super) fn join(&mut self, of_a: CutBorder, of_c: CutBorder) -> BorderId {
        let (fa, fc, b) = (self.owner(of_a.first), self.owner(of_c.first), self.across(of_c.first));
        self.remove_head(b, of_c.first.twin());
        let k = self.new_border();
        let [ka, kc] = k.sides();
        self.insert(ka, fa, of_a.first, of_a.second);
        self.insert(kc, fc, of_c.first, of_c.second);
        // B runs along A up to the new border, along C, all round, back along C, and along A again.
        self.link(of_a.second.twin(), of_c.first.twin());
        self.link(of_c.second.twin(), of_a.first.twin());
        k
    }

    /// Splits a province in two by a new border from the middle of one of its half-edges to the middle of
    /// another (rules.md 4.11). The first half runs counter-clockwise from the first given end to the second;
    /// it keeps the index, and islands inside the province. If both ends are on one half-edge, the first half
    /// is the piece in between. Both halves get new names, `BUR.1` and `BUR.2`.
    ///
    /// ```text
    ///      PAR                       PAR
    ///  ╭────┬─────╮             ╭────┬─first──╮
    ///  │          │             │    ╲        │
    ///  │   BUR    │       →     │BUR.1╲ BUR.2 │        split BUR PAR MUN: BUR.1 runs counter-clockwise
    ///  │          │             │      ╲      │        from the end at PAR to the end at MUN
    ///  ╰──────┬───╯             ╰───────┴─────╯
    ///        MUN                       MUN  second
    /// ```
    ///
    /// A canal goes to the half that has both its terminals (to the first half if both have them), otherwise
    /// it is removed, as is a strait whose border is cut. Both halves of an archipelago are archipelagos.
    ///
    /// # Errors
    /// The face is not open land, sea or ice, an end is at the Outside, the ends are on different cycles, there is
    /// no room for another face, or a name has been used before.
    pub fn split(&mut self, first: HalfEdgeId, second: HalfEdgeId) -> Surgery<[ProvinceId; 2]> {
        self.structure.outdate();
        let parent = self.owner(first);
        let face = *self.at(parent);
        let name = self.name(parent);
        match (face.kind, face.state) {
            (FaceKind::Outside, _) => return self.outside(parent, "be split"),
            (_, FaceState::Collapsed | FaceState::Void) => {
                return refused(format!("{name} is not open: it is a hole"));
            }
            (FaceKind::Impassable, _) => {
                return refused(format!("{name} is impassable and cannot be split"));
            }
            _ => {}
        }
        let [x, y] = [first, second].map(|end| self.across(end));
        if let Some(at) = [x, y].into_iter().find(|&id| !self.at(id).can_hold_an_end()) {
            return self.outside(at, "hold the end of a new border");
        }
        if self.owner(second) != parent || !self.same_cycle(first, second) {
            let [x, y] = [x, y].map(|id| self.name(id));
            return refused(format!(
                "{x} and {y} lie on different boundary cycles of {name}: a border between them would not split it"
            ));
        }
        let names = [1, 2].map(|half| format!("{name}.{half}"));
        if let Some(used) = names.iter().find(|half| self.find(half).is_some()) {
            return refused(format!("the name {used} has been used in this game"));
        }
        if self.faces.len() == MAX_PROVINCES {
            return refused(format!("the map already has {MAX_PROVINCES} faces, which is the maximum"));
        }
        let new = ProvinceId(self.faces.len() as u8);

        let canals = self.canals_of(parent);
        let cut_borders = [first.border(), second.border()];
        self.remove_head(parent, first);
        let is_loop = self.next(first) == first;
        // The new border arrives where the first part of each cut border ends and its second part begins.
        let one = self.cut(first);
        let two = if first != second {
            self.cut(second)
        } else if is_loop {
            // The two cuts of a loop leave two pieces: the one in between, and the rest.
            let rest = self.cut_loop(first);
            CutBorder { first, second: rest }
        } else {
            self.cut(one.second)
        };
        let [start_of_first, end_of_first, start_of_second, end_of_second] = if is_loop && first == second {
            [two.first, two.first, two.second, two.second]
        } else {
            [one.second, two.first, two.second, one.first]
        };
        let k = self.new_border();
        let [k1, k2] = k.sides();
        self.insert(k1, parent, end_of_first, start_of_first);
        self.insert(k2, new, end_of_second, start_of_second);
        // Across the cuts, the neighbours' half-edges are linked as `cut` left them.
        self.add_face(FaceData { first_cycle: Some(k2), ..face });
        let rest: Vec<HalfEdgeId> = self.cycle(k2).collect();
        for side in rest {
            self.side_mut(side).face = new;
            self.touch.bounded.insert(self.across(side));
        }
        self.touch.made.insert(parent);
        self.rehash(parent, u64::wrapping_sub);
        self.add_head(parent, k1);
        let called = Arc::make_mut(&mut self.names);
        for (half, name) in [parent, new].into_iter().zip(&names) {
            called.call(half, name);
        }
        if self.archipelagos.contains(parent) {
            self.archipelagos.insert(new);
        }
        [parent, new].into_iter().for_each(|half| self.rehash(half, u64::wrapping_add));

        self.labels.retain(|label| label.province != parent);
        self.settle_waterways_of_halves([parent, new], &cut_borders, &canals, [&one, &two]);
        Ok([parent, new])
    }
}

/// The only candidate, or the one with this index (from 1). `None` if there are no candidates and no index.
pub(crate) fn pick<T>(candidates: &[T], index: Option<usize>) -> Surgery<Option<&T>> {
    match (candidates, index) {
        ([], None) => Ok(None),
        ([one], None) => Ok(Some(one)),
        (_, None) => Err(SurgeryError::Ambiguous { count: candidates.len() }),
        (_, Some(index)) => match index.checked_sub(1).and_then(|i| candidates.get(i)) {
            None => refused(format!("#{index} is out of range: this fits {} place(s)", candidates.len())),
            found => Ok(found),
        },
    }
}

// The elementary steps of all operations on borders: linking half-edges, cutting a border, merging two. None
// of them keeps the invariants on its own; [`crate::topology::surgery`] combines them.

/// A border cut in two, seen from its half-edge `first`: `first` keeps the id, `second` follows it.
pub(super) struct CutBorder {
    pub(crate) first: HalfEdgeId,
    pub(crate) second: HalfEdgeId,
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
