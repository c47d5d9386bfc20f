//! The positions of the vertices on a first board, before they are smoothed.

use crate::canvas::{Canvas, FEW};
use crate::foam::{FaceTarget, Foam};
use crate::geometry::{self, Point};
use crate::mesh::Mesh;
use crate::net::{Net, Vertex};
use crate::pull::{bare_pulls, geographic_pulls, shore_pulls};
use crate::settle::{settle, spread};
use crate::shore::SurroundingFaces;
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::NamedMap;

/// How often pulls may be loosened.
pub(super) const ROUNDS: usize = 48;
/// The strengths with which shores are pulled, one after the other until no borders cross, and those of all other
/// pulls, relative to them.
const SHORES: [f64; 11] = [100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.001, 0.0];
const INNER: [f64; 5] = [1.0, 0.1, 0.01, 0.001, 0.0];
/// How often pulls may be loosened at each strength.
const SHORE_ROUNDS: usize = 6;
/// How often vertices are then moved towards their positions.
const APPROACHES: usize = 200;
/// The least area that a face within others wants, relative to an even share.
const WITHIN: f64 = 0.4;
/// The area that a face around others wants, relative to the one that it has.
const AROUND: f64 = 0.8;

/// How positions were found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// All vertices are pulled to the middle between centres.
    Geographic,
    /// Seas surround land: its shores run round its centres.
    Shores,
    /// Where there is room.
    Bare,
}

/// The positions on a first board.
pub(super) struct First<'a> {
    chart: &'a NamedMap,
    net: &'a Net,
    canvas: &'a Canvas,
    beyond: ProvinceId,
    faces: Vec<ProvinceId>,
    /// By vertex: where it should be.
    targets: &'a [Point],
    way: Way,
    /// By vertex.
    pub at: Vec<Point>,
}

impl<'a> First<'a> {
    /// Finds them, with the boundary of the board on the rim.
    pub(super) fn of(
        chart: &'a NamedMap,
        net: &'a Net,
        canvas: &'a Canvas,
        targets: &'a [Point],
        beyond: ProvinceId,
    ) -> First<'a> {
        let faces = net.faces().collect();
        let mut first = First { chart, net, canvas, beyond, faces, targets, way: Way::Bare, at: Vec::new() };
        let geographic = first.geographic();
        let far = geographic.as_ref().map(|at| first.misplaced(at));
        if let Some(at) = geographic {
            (first.at, first.way) = (at, Way::Geographic);
        }
        if far.is_none_or(|far| far > 0 && (first.is_small() || far > first.faces.len() / 12))
            && let Some(at) = first.by_shores()
            && far.is_none_or(|far| first.misplaced(&at) < far)
        {
            (first.at, first.way) = (at, Way::Shores);
        }
        if first.way == Way::Bare {
            first.at = first.bare();
        }
        first.at.truncate(net.len());
        first
    }

    /// Were the centres of no use?
    pub(super) fn is_bare(&self) -> bool {
        self.way == Way::Bare
    }

    /// The centres that their faces must contain.
    pub(super) fn homes(&self) -> Vec<(ProvinceId, Point)> {
        let is_kept = self.is_small() && self.way != Way::Bare;
        let home = |&face: &ProvinceId| Some((face, self.canvas.centre(self.chart, face)?));
        self.faces.iter().filter(|_| is_kept).filter_map(home).collect()
    }

    /// What the faces want, if it differs from what the positions give them.
    pub(super) fn adjust(&self, wishes: &mut [FaceTarget]) {
        let fair = self.canvas.size.x * self.canvas.size.y / wishes.len() as f64;
        match self.way {
            Way::Geographic => {}
            Way::Bare => wishes.iter_mut().for_each(|wish| *wish = FaceTarget { area: fair, home: None }),
            Way::Shores => {
                let surroundings = SurroundingFaces::new(self.chart, self.net, self.canvas, self.beyond);
                for (face, wish) in self.faces.iter().zip(wishes) {
                    if surroundings.has(*face) {
                        *wish = FaceTarget { area: wish.area * AROUND, home: None };
                    } else {
                        wish.area = wish.area.max(fair * WITHIN);
                    }
                }
            }
        }
    }

    /// Is every centre to lie in its face?
    fn is_small(&self) -> bool {
        self.faces.len() <= FEW
    }

    /// The number of centres outside of their faces.
    fn misplaced(&self, at: &[Point]) -> usize {
        let is_outside = |&&face: &&ProvinceId| {
            let home = self.canvas.centre(self.chart, face);
            home.is_some_and(|home| !geometry::contains(&self.net.polygons(face, at), home))
        };
        self.faces.iter().filter(|&&face| face != self.beyond).filter(is_outside).count()
    }

    fn is_on_canvas(&self, at: &[Point]) -> bool {
        self.canvas.holds(&at[..self.net.len()])
    }

    fn geographic(&self) -> Option<Vec<Point>> {
        let mesh = Mesh::of(self.net, &self.faces, self.targets, self.beyond);
        let mut pulls = geographic_pulls(self.chart, self.canvas, &mesh, self.targets);
        let settled = settle(self.net, &self.faces, &mesh, &mut pulls, (&[], 1.0), self.beyond, ROUNDS);
        settled.ok().filter(|at| self.is_on_canvas(at))
    }

    /// With shores round the centres of the faces that others surround. Pulls are weakened until no borders cross; then
    /// every vertex moves on to its position as far as nothing is in the way.
    fn by_shores(&self) -> Option<Vec<Point>> {
        let surroundings = SurroundingFaces::new(self.chart, self.net, self.canvas, self.beyond);
        let mut targets = self.targets.to_vec();
        surroundings.place(&mut targets);
        let mesh = Mesh::of(self.net, &self.faces, &targets, self.beyond);
        let strengths = SHORES.into_iter().flat_map(|shore| INNER.map(|inner| [shore, shore * inner]));
        let settled = |strengths: [f64; 2]| {
            let mut pulls = shore_pulls(&surroundings, &mesh, &targets, strengths);
            let settled =
                settle(self.net, &self.faces, &mesh, &mut pulls, (&[], 1.0), self.beyond, SHORE_ROUNDS);
            settled.ok().filter(|at| self.is_on_canvas(at))
        };
        let mut at = strengths.into_iter().find_map(settled)?;
        at.truncate(self.net.len());
        let on_rim = |&v: &Vertex| self.canvas.on_rim(targets[v as usize]);
        let vertices = 0..self.net.len() as Vertex;
        let mut straight = at.clone();
        vertices.clone().filter(on_rim).for_each(|v| straight[v as usize] = targets[v as usize]);
        if self.net.flaws(&self.faces, &straight, self.beyond).is_empty() {
            at = straight;
        }
        let movable: Vec<Vertex> = vertices.filter(|v| !on_rim(v)).collect();
        let mut foam = Foam::new(self.net, at, self.beyond, self.canvas.size);
        let home = |&face: &ProvinceId| Some((face, self.canvas.centre(self.chart, face)?));
        foam.keep_homes(self.faces.iter().filter_map(home));
        foam.approach(&movable, &targets, APPROACHES);
        Some(foam.at)
    }

    /// Geography does not help: vertices of the rim go to the rim, and all others where there is room.
    fn bare(&self) -> Vec<Point> {
        let mesh = Mesh::of(self.net, &self.faces, self.targets, self.beyond);
        let sound = |at: &[Point]| self.net.flaws(&self.faces, at, self.beyond).is_empty();
        let spread_out = |on_rim: bool| {
            let mut pulls = bare_pulls(self.canvas, self.net, &mesh, self.targets, on_rim, self.beyond);
            spread(&mesh, &mut pulls, sound)
        };
        let on_rim = spread_out(true);
        if sound(&on_rim) { on_rim } else { spread_out(false) }
    }
}
