//! Several quakes done at once (rules.md 8.5). The result depends neither on their order nor on names.
//!
//! ```text
//!   releases cut the borders     separations remove their     what was cut is joined: several islands
//!   at which they end            borders, and may merge       at one shore in the order in which
//!                                pieces                       they lie along it
//!     ──────── C ────────          ───┬──── C ────┬───        ───┬──── C ────┬───
//!     ~~~~~~ B ~~~~~~~~~~    →     ~~~│~~~~~~~~~~~│~~~   →    ~~~│~~~~~~~~~~~│~~~
//!     ~~ X ~~~~~~~~~ Y ~~          ~~ X ~~~~~~~~~ Y ~~        ~~ X ~~~~~~~~~ Y ~~
//! ```

use std::cmp::Ordering;

use super::bearing::Bearing;
use super::map::PlanarMap;
use super::quake::Quake;
use crate::ids::{ProvinceId, ProvinceSet};
use crate::topology::half_edge::{BorderId, FaceKind, HalfEdgeId};
use crate::topology::surgery::{CutBorder, Surgery, SurgeryError};

/// The position of the centre of a face, east and north.
pub(super) type Centres<'a> = &'a dyn Fn(ProvinceId) -> Option<[f64; 2]>;

/// The changes that a shake has made to borders.
#[derive(Debug)]
pub(super) struct Shaken {
    /// The borders at which releases end.
    pub(crate) stretches: Vec<Stretch>,
    /// The length of the map's trail after the cuts.
    pub(crate) cut: usize,
    /// The releases, each with the border that it created.
    pub(crate) made: Vec<(Quake, BorderId)>,
}

/// A border at which releases end.
#[derive(Debug)]
pub(super) struct Stretch {
    /// One of its sides, before it was cut.
    pub side: HalfEdgeId,
    /// The releases, in their order along this side.
    pub releases: Vec<Quake>,
    /// The pieces in the same order, one more than there are releases; for a loop, as many as releases, each
    /// after its release.
    pub pieces: Vec<BorderId>,
}

impl Stretch {
    /// The pieces before and after a release, along the half-edge.
    fn beside(&self, release: Quake) -> Option<[BorderId; 2]> {
        let (at, n) = (self.releases.iter().position(|&own| own == release)?, self.releases.len());
        let is_loop = self.pieces.len() == n;
        Some(match is_loop {
            true => [self.pieces[(at + n - 1) % n], self.pieces[at]],
            false => [self.pieces[at], self.pieces[at + 1]],
        })
    }
}

impl PlanarMap {
    /// Does all of these quakes at once; the map must allow each of them, and none may contradict another
    /// (rules.md 8.5). Their order does not matter.
    ///
    /// # Errors
    /// The quakes cannot all be done together; the map is then unchanged.
    pub(super) fn shake(&mut self, quakes: &[Quake], centres: Centres<'_>) -> Surgery<Shaken> {
        let allowed = quakes.iter().all(|&quake| self.allows(quake));
        if !allowed || self.contradictions(quakes).next().is_some() {
            return Err(SurgeryError::Contradiction);
        }
        let quakes = self.in_order(quakes);
        // No two of them contradict each other, so it takes three releases to cut a face.
        let releases = quakes.iter().filter(|quake| matches!(quake, Quake::Release(_))).count();
        let as_it_was = (releases > 2).then(|| self.clone());
        let result = self.try_to_shake(&quakes, centres);
        if let (Err(_), Some(before)) = (&result, as_it_was) {
            *self = before;
        }
        result
    }

    fn try_to_shake(&mut self, quakes: &[Quake], centres: Centres<'_>) -> Surgery<Shaken> {
        self.structure.outdate();
        let mut stretches = self.stretches_released(quakes, centres);
        // A separation may merge pieces, which removes their half-edges; the faces still identify them.
        let ends = |quake: &Quake| match *quake {
            Quake::Release(sides) => Some((*quake, sides.map(|side| (side, self.owner(side))))),
            Quake::Separation(_) => None,
        };
        let releases: Vec<_> = quakes.iter().filter_map(ends).collect();
        for stretch in &mut stretches {
            stretch.pieces = self.cut_into(stretch.side, stretch.releases.len());
        }
        let cut = self.trail.len();
        for &quake in quakes {
            if let Quake::Separation(border) = quake {
                self.flip(border.sides()[0])?;
            }
        }
        let mut shaken = Shaken { stretches, cut, made: Vec::with_capacity(releases.len()) };
        for (quake, ends) in releases {
            let [Some(a), Some(c)] = ends.map(|(side, face)| self.place(&shaken, quake, side, face)) else {
                return Err(SurgeryError::Contradiction);
            };
            if self.same_cycle(a.first.twin(), c.first.twin()) {
                return Err(SurgeryError::Contradiction);
            }
            let new = self.join(a, c);
            shaken.made.push((quake, new));
        }
        Ok(shaken)
    }

    /// The place on this half-edge of this face at which a release ends, after cuts and merges.
    fn place(
        &self,
        shaken: &Shaken,
        release: Quake,
        side: HalfEdgeId,
        face: ProvinceId,
    ) -> Option<CutBorder> {
        let stretch = shaken.stretches.iter().find(|stretch| stretch.side.border() == side.border())?;
        let [before, behind] = stretch.beside(release)?;
        let of_face = |piece| self.side_of(self.merged_into(shaken.cut, piece), face);
        let [first, second] = if stretch.side == side { [before, behind] } else { [behind, before] };
        Some(CutBorder { first: of_face(first)?, second: of_face(second)? })
    }

    /// The borders at which these releases end, with the releases in their order along each. Several releases
    /// are sorted as their faces lie along the border, by centre: perpendicular to the line between the
    /// centres of the two faces of the border, or around the face that a loop encloses. Ties are broken by
    /// name.
    fn stretches_released(&self, quakes: &[Quake], centres: Centres<'_>) -> Vec<Stretch> {
        let mut all: Vec<(BorderId, Quake, HalfEdgeId)> = Vec::new();
        for &quake in quakes {
            if let Quake::Release([x, y]) = quake {
                all.extend([(x.border(), quake, y), (y.border(), quake, x)]);
            }
        }
        all.sort_by_key(|&(border, ..)| border); // stable: keeps the canonical order at each border
        let mut stretches = Vec::new();
        for at_one in all.chunk_by_mut(|(x, ..), (y, ..)| x == y) {
            let [side, twin] = at_one[0].0.sides();
            let side = if self.rank(self.owner(side)) < self.rank(self.owner(twin)) { side } else { twin };
            if at_one.len() > 1 {
                let along = self.along(side, centres);
                at_one.sort_by(|(.., x), (.., y)| along(*x, *y));
            }
            let releases = at_one.iter().map(|&(_, quake, _)| quake).collect();
            stretches.push(Stretch { side, releases, pieces: Vec::new() });
        }
        stretches
    }

    /// Returns the order in which the faces of two other half-edges lie along this one.
    fn along<'a>(
        &'a self,
        side: HalfEdgeId,
        centres: Centres<'a>,
    ) -> impl Fn(HalfEdgeId, HalfEdgeId) -> Ordering + 'a {
        // The Outside has no centre: its position is taken from the faces between which it is met.
        let lies = move |side: HalfEdgeId| {
            centres(self.owner(side)).or_else(|| {
                let [x, y] = self.flanks(side)?.map(centres);
                let ([x, y], [u, v]) = (x?, y?);
                Some([(x + u) / 2.0, (y + v) / 2.0])
            })
        };
        let is_loop = self.next(side) == side;
        let is_inside = is_loop && self.lies_inside(side);
        let middle = centres(if is_inside { self.owner(side) } else { self.across(side) });
        // A face is walked with itself on the left.
        let axis = match [side, side.twin()].map(lies) {
            [Some([x, y]), Some([u, v])] => [y - v, u - x],
            _ => [0.0, 0.0],
        };
        move |one, other| match middle.filter(|_| is_loop) {
            Some(middle) => {
                let [one, other] = [one, other]
                    .map(|side| lies(side).map_or(Bearing::NORTH, |at| Bearing::between(middle, at)));
                if is_inside { other.clockwise(&one) } else { one.clockwise(&other) }
            }
            None => {
                let [one, other] =
                    [one, other].map(|side| lies(side).map_or(0.0, |[x, y]| x * axis[0] + y * axis[1]));
                one.total_cmp(&other)
            }
        }
    }

    /// Is the face of a loop's half-edge the one that the loop encloses? The Outside is always on the other
    /// side.
    fn lies_inside(&self, side: HalfEdgeId) -> bool {
        let mut reached = ProvinceSet::single(self.owner(side));
        let mut front = vec![self.owner(side)];
        while let Some(id) = front.pop() {
            if self.at(id).kind == FaceKind::Outside {
                return false;
            }
            for beyond in self.sides_of(id).filter(|own| own.border() != side.border()) {
                let id = self.across(beyond);
                if !reached.contains(id) {
                    reached.insert(id);
                    front.push(id);
                }
            }
        }
        true
    }

    /// Cuts a border at this number of places, and returns the pieces along this half-edge.
    fn cut_into(&mut self, side: HalfEdgeId, places: usize) -> Vec<BorderId> {
        let is_loop = self.next(side) == side;
        let mut last = side;
        let mut pieces = vec![side.border()];
        for _ in usize::from(is_loop)..places {
            last = self.cut_off(last);
            pieces.push(last.border());
        }
        pieces
    }
}
