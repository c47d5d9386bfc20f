//! Positions on coasts and borders: fleets, dislodged units, names of coasts, waterways.

use super::Layout;
use crate::geometry::{self, Point};
use crate::spot::{CoastSpot, Spot};
use crate::style::{Footing, Stand};
use upheaval_map::ids::{Location, ProvinceId, UnitKind};
use upheaval_map::topology::{Board, Chart, HalfEdgeId, Waterway};

/// The places beside a unit, relative to its size.
const ASIDE: [(f64, f64); 8] =
    [(2.0, -1.4), (-2.0, -1.4), (2.0, 1.6), (-2.0, 1.6), (2.8, 0.0), (-2.8, 0.0), (0.0, -2.4), (0.0, 2.4)];

/// A place beside a unit; further ones lie farther out.
fn aside(place: u8) -> Point {
    let (right, up) = ASIDE[usize::from(place) % ASIDE.len()];
    Point::new(right, up) * f64::from(1 + place / ASIDE.len() as u8)
}

impl Layout {
    /// The position of a coast of a province with several; `None` if the province has only one.
    pub fn coast(&self, board: &Board, at: Location) -> Option<CoastSpot> {
        if board.coasts(at.province) < 2 {
            return None;
        }
        let spot = self.spot(at.province)?;
        // The longest border represents the coast.
        let length =
            |side: HalfEdgeId| self.curve(side).windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>();
        let contacts = board.contacts(at).iter().copied();
        let longest = contacts.max_by(|&a, &b| length(a).total_cmp(&length(b)))?;
        let shore = self.middle_of(longest);
        let label = self.on_shore(longest, board.contacts(at), spot, at.province);
        // At a bay the direction towards the middle of the province may lead into water.
        let inwards = shore.towards(spot.middle, 0.25);
        let is_inside = geometry::contains(&self.shape(at.province), inwards);
        Some(CoastSpot { unit: if is_inside { inwards } else { label }, label })
    }

    /// The middle of a unit. Dislodged units stand aside, next to each other.
    pub fn unit(&self, board: &Board, Stand { kind, at, footing }: Stand) -> Option<Point> {
        let spot = self.spot(at.province)?;
        let coast = self.coast(board, at).filter(|_| kind.kind() == UnitKind::Fleet);
        let firm = coast.map_or(spot.unit, |coast| coast.unit);
        Some(match footing {
            Footing::Firm => firm,
            Footing::Dislodged(place) => firm + aside(place) * spot.unit_size(),
        })
    }

    /// The middle of a border.
    pub fn middle_of(&self, side: HalfEdgeId) -> Point {
        let line = self.curve(side);
        line.get(line.len() / 2).copied().unwrap_or_default()
    }

    /// A place for the name of a coast: just inside its shore, as near to the middle of its longest border as there is
    /// room; if there is none, the place where most of the name is inside, or the middle of the province.
    fn on_shore(&self, longest: HalfEdgeId, shore: &[HalfEdgeId], spot: &Spot, face: ProvinceId) -> Point {
        /// The distance from a hole within which a drawing belongs to its point.
        const POINT: f64 = 8.0;
        /// The corners of the letters, and the middles of their upper and lower edges.
        const CORNERS: [(f64, f64); 6] =
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (0.0, 1.0), (0.0, -1.0)];
        let letters = spot.coast_letters();
        let (wide, high) = (letters * 0.85, letters * 0.55);
        let middle = self.middle_of(longest);
        // Each with the distance of its shore from the middle.
        let mut places: Vec<(f64, Point)> = Vec::new();
        for curve in shore.iter().map(|&side| self.curve(side)) {
            let is_point = self.scars.iter().any(|scar| curve.iter().all(|p| p.distance(scar.at) < POINT));
            for three in curve.windows(3) {
                let along = three[2] - three[0];
                let left = Point::new(-along.y, along.x) * (1.0 / along.length().max(1e-9));
                // Names are wider than high: they need more distance beside a shore than below it.
                let clear = left.x.abs() * wide + left.y.abs() * high + 1.0;
                let far = middle.distance(three[1]);
                // If a shore is only the side of a point, there is room farther from it.
                let parts: &[f64] = if is_point { &[3.6, 2.8, 2.0] } else { &[] };
                let parts = parts.iter().chain(&[1.5, 1.1, 0.8, 0.5, 0.2, 0.05]);
                places.extend(parts.map(|part| (far, three[1] + left * (clear * part))));
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let shape = self.shape(face);
        let inside = |p: Point| geometry::contains(&shape, p);
        let fits = |place: Point| {
            let corner = |&(right, up): &(f64, f64)| inside(place + Point::new(right * wide, up * high));
            CORNERS.iter().filter(|it| corner(it)).count()
                + usize::from(!spot.is_in_the_way_of(place, wide, high))
        };
        let mut best = (0, spot.middle);
        for (_, place) in places.into_iter().filter(|&(_, place)| inside(place)) {
            let fit = fits(place) + 1;
            if fit > best.0 {
                best = (fit, place);
            }
            if fit == CORNERS.len() + 2 {
                break;
            }
        }
        best.1
    }

    /// The polyline of each branch of a waterway, from water to water: one branch, except for a canal with an end that
    /// was cut; none for a strait, which runs along its border.
    pub(crate) fn channels(&self, chart: &Chart, waterway: &Waterway) -> Vec<[Point; 3]> {
        let map = chart.map();
        let (province, [from, to]): (ProvinceId, [Vec<HalfEdgeId>; 2]) = match waterway {
            Waterway::Canal { province, ends } => {
                let side = |border| map.sides_of(*province).find(|side| side.border() == border);
                (*province, ends.each_ref().map(|end| end.borders().filter_map(side).collect()))
            }
            Waterway::Passage { province, seas } => {
                let to = |sea: ProvinceId| map.sides_of(*province).find(|&side| map.across(side) == sea);
                (*province, seas.map(|sea| to(sea).into_iter().collect()))
            }
            Waterway::Strait { .. } => return Vec::new(),
        };
        let Some(spot) = self.spot(province) else { return Vec::new() };
        let branch = |(from, to): (&HalfEdgeId, &HalfEdgeId)| {
            let [from, to] = [from, to].map(|&side| self.middle_of(side));
            [from, from.towards(to, 0.5).towards(spot.middle, 0.5), to]
        };
        from.iter().flat_map(|x| to.iter().map(move |y| (x, y))).map(branch).collect()
    }
}
