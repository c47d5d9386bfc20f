//! The positions of everything on a board: the finished drawing and the questions that it can answer by itself.
//!
//! [`compute`] makes a drawing, [`first`] its beginning, [`arrange`] gives names and units room, [`crop`] shows a part
//! of a drawing, [`place`] finds places along borders and coasts. These and all other files that read a layout depend
//! on this one.

mod arrange;
mod compute;
mod place;

use super::canvas::Canvas;
use super::foam::FaceTarget;
use super::net::Net;
use super::scar::Scar;
use super::spot::{CoastSpot, Spot};
use super::view::View;
use crate::geometry::{Area, Point};
use upheaval_map::ids::{ByProvince, Location, ProvinceId};
use upheaval_map::topology::{HalfEdgeId, NamedMap};

/// The visible width of a border on each side of its line.
const BREADTH: f64 = 9.0;

/// The positions of everything on a board: x from 0 to the width, y from 0 to the height, north up.
///
/// ```
/// use upheaval_map::topology::atlas;
/// use upheaval_picture::{Layout, Style, svg};
/// let chart = atlas::standard();
/// let picture = svg::board(&Layout::of(&chart), &chart, &Style::default());
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) net: Net,
    pub(super) canvas: Canvas,
    pub(super) beyond: ProvinceId,
    /// By vertex: its position while no face is collapsed.
    rest: Vec<Point>,
    /// By vertex: its position.
    pub(super) at: Vec<Point>,
    /// By face.
    wishes: Vec<FaceTarget>,
    /// By face: a hash of its name, which identifies it on later boards.
    keys: Vec<u64>,
    /// The groups of collapsed faces.
    pub(super) scars: Vec<Scar>,
    /// By vertex: is the bend there rounded?
    pub(super) round: Vec<bool>,
    spots: ByProvince<Option<Spot>>,
    /// The positions of the coasts of provinces with several.
    coasts: Vec<(Location, CoastSpot)>,
    /// The names of provinces and coasts, and plates, each with its province.
    words: Vec<(ProvinceId, Area)>,
    /// The visible part, if not everything is visible.
    view: Option<View>,
}

impl Layout {
    /// The width of the board.
    pub fn width(&self) -> f64 {
        self.canvas.size.x
    }

    /// The height of the board.
    pub fn height(&self) -> f64 {
        self.canvas.size.y
    }

    /// The face beyond the edge of the board.
    pub fn beyond(&self) -> ProvinceId {
        self.beyond
    }

    /// The positions in a province; `None` without a face, and for the face beyond the edge unless units can be there.
    pub fn spot(&self, face: ProvinceId) -> Option<&Spot> {
        self.spots[face].as_ref()
    }

    /// The position of the centre that the map file gives a face; `None` if it gives none.
    pub fn home(&self, chart: &NamedMap, face: ProvinceId) -> Option<Point> {
        self.canvas.centre(chart, face)
    }

    /// The points at which groups of collapsed faces are drawn.
    pub fn scars(&self) -> Vec<Point> {
        self.scars.iter().map(|scar| scar.at).collect()
    }

    /// Is the face drawn as a point?
    pub(super) fn is_point(&self, face: ProvinceId) -> bool {
        self.scars.iter().any(|scar| scar.faces.contains(&face))
    }

    /// The boundary of a face, cycle by cycle, with the face on the left.
    pub fn outline(&self, face: ProvinceId) -> Vec<Vec<Point>> {
        self.net.polygons(face, &self.at)
    }

    /// A border, walked with the face of the side on the left.
    pub fn line(&self, side: HalfEdgeId) -> Vec<Point> {
        self.net.walk(side).map(|v| self.at[v as usize]).collect()
    }

    /// The faults of the drawing: the number of vertices at which borders cross or a face is on the wrong side. There
    /// are none on any board, which tests check.
    pub fn flaws(&self) -> usize {
        let faces: Vec<ProvinceId> = self.net.faces().collect();
        self.net.flaws(&faces, &self.at, self.beyond).len()
    }

    /// Is a point in the visible part?
    pub(super) fn sees(&self, point: Point) -> bool {
        self.view.is_none_or(|view| view.holds(point))
    }

    /// Is any part of a face visible? The test is approximate.
    pub(super) fn sees_face(&self, face: ProvinceId) -> bool {
        self.view.is_none_or(|view| {
            View::round(self.outline(face).into_iter().flatten()).is_some_and(|all| view.meets(all))
        })
    }

    /// Is any part of a border visible? The test is approximate.
    pub(super) fn sees_side(&self, side: HalfEdgeId) -> bool {
        self.view.is_none_or(|view| {
            View::round(self.line(side)).is_some_and(|line| view.grown(BREADTH).meets(line))
        })
    }
}
