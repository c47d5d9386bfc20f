//! Positions on coasts and borders: fleets, dislodged units, names of coasts, waterways.

use super::Layout;
use crate::geometry::{self, Area, Point};
use crate::spot::{CoastSpot, Spot};
use crate::style::{Footing, Stand};
use crate::view::View;
use upheaval_map::ids::{Location, ProvinceId, UnitKind};
use upheaval_map::topology::{Board, HalfEdgeId, NamedMap, Waterway};

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
        self.spot(at.province)?;
        self.coasts.iter().find(|(location, _)| *location == at).map(|(_, spot)| *spot)
    }

    /// The longest border of a coast, which represents it.
    pub(super) fn longest(&self, board: &Board, at: Location) -> Option<HalfEdgeId> {
        let length =
            |side: HalfEdgeId| self.curve(side).windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>();
        let contacts = board.contacts(at).iter().copied();
        contacts.max_by(|&a, &b| length(a).total_cmp(&length(b)))
    }

    /// Where a fleet is on a coast: between the shore and the middle of the province, as near to the middle of the
    /// longest border as it is free; without any such place, near the name of the coast, or where an army is.
    pub(super) fn mooring(
        &self,
        (longest, shore): (HalfEdgeId, &[HalfEdgeId]),
        (face, spot): (ProvinceId, &Spot),
        label: Point,
        is_free: impl Fn(Point) -> bool,
    ) -> Point {
        /// The distances from the shore, relative to the way to the middle of the province.
        const PARTS: [f64; 7] = [0.25, 0.35, 0.15, 0.45, 0.55, 0.7, 0.05];
        let (middle, shape) = (self.middle_of(longest), self.shape(face));
        let mut along: Vec<Point> = shore.iter().flat_map(|&side| self.curve(side)).collect();
        along.push(middle);
        along.sort_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle)));
        let places = || along.iter().flat_map(|p| PARTS.iter().map(|&part| p.towards(spot.middle, part)));
        // At a bay the direction towards the middle of the province may lead into water.
        let is_inside = |at: &Point| geometry::contains(&shape, *at);
        let free = |at: &Point| is_free(*at) && is_inside(at);
        // If there is no room towards the middle, there may be some round the name of the coast.
        let size = spot.unit_size();
        let round = || {
            (1..5).flat_map(|far| {
                ASIDE.map(|(right, up)| label + Point::new(right, up) * (size * 0.8 * f64::from(far)))
            })
        };
        let last = [spot.unit];
        places()
            .find(free)
            .or_else(|| round().find(free))
            .or_else(|| last.into_iter().find(free))
            .or_else(|| places().find(is_inside))
            .unwrap_or(label)
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

    /// The box that a unit takes up.
    pub fn unit_area(&self, board: &Board, stand: Stand) -> Option<Area> {
        let spot = self.spot(stand.at.province)?;
        Some(spot.unit_area(self.unit(board, stand)?, stand.kind.kind() == UnitKind::Fleet))
    }

    /// Would a unit cover the name of a province or coast, or the plate of another province, or stand beyond the edge
    /// of the board?
    pub fn is_in_the_way(&self, board: &Board, stand: Stand) -> bool {
        let of = stand.at.province;
        let is_own_plate = |area: &Area| self.spot(of).is_some_and(|spot| spot.plate == Some(*area));
        self.unit_area(board, stand).is_some_and(|unit| {
            let all = View { low: Point::default(), high: self.canvas.size };
            let words = self.words.iter().filter(|(face, area)| *face != of || !is_own_plate(area));
            !all.holds(unit.low())
                || !all.holds(unit.high())
                || words.clone().any(|(_, area)| area.meets(&unit))
        })
    }

    /// The middle of a border.
    pub(crate) fn middle_of(&self, side: HalfEdgeId) -> Point {
        let line = self.curve(side);
        line.get(line.len() / 2).copied().unwrap_or_default()
    }

    /// A place for the name of a coast: just inside its shore, as near to the middle of its longest border as there is
    /// room; if there is none, the place where most of the name is inside, or the middle of the province.
    pub(super) fn on_shore(
        &self,
        (longest, shore): (HalfEdgeId, &[HalfEdgeId]),
        (face, spot): (ProvinceId, &Spot),
        is_free: impl Fn(Point) -> bool,
    ) -> Point {
        /// The corners of the letters, and the middles of their upper and lower edges.
        const CORNERS: [(f64, f64); 6] =
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (0.0, 1.0), (0.0, -1.0)];
        let letters = spot.coast_letters();
        let (wide, high) = (letters * 0.85, letters * 0.55);
        let middle = self.middle_of(longest);
        let shape = self.shape(face);
        let inside = |p: Point| geometry::contains(&shape, p);
        let fits = |place: Point| {
            let corner = |&(right, up): &(f64, f64)| inside(place + Point::new(right * wide, up * high));
            let is_free = !spot.is_in_the_way_of(place, wide, high) && is_free(place);
            // Letters may be close to a border, if they do not cross it.
            let close = |&(right, up): &(f64, f64)| {
                inside(place + Point::new(right * letters * 0.7, up * letters * 0.4))
            };
            // A free place is better than any other, wherever the letters reach.
            CORNERS.iter().filter(|it| corner(it)).count()
                + CORNERS.len() * usize::from(CORNERS.iter().all(close))
                + (2 * CORNERS.len() + 1) * usize::from(is_free)
        };
        let mut best = (0, spot.middle);
        // If there is no room close to the shore, there may be some farther from it, or towards the middle.
        let near = || self.beside(shore, &[1.5, 1.1, 0.8, 0.5, 0.2, 0.05], [wide, high], middle);
        let farther =
            || self.beside(shore, &[2.2, 3.0, 4.0, 5.5, 1.3, 0.95, 0.9, 0.7, 0.6], [wide, high], middle);
        let inwards = || {
            let points = shore.iter().flat_map(|&side| self.curve(side));
            let places = points
                .flat_map(|p| [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].map(|part| p.towards(spot.middle, part)));
            let mut places: Vec<Point> = places.collect();
            places.sort_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle)));
            places
        };
        let passes: [&dyn Fn() -> Vec<Point>; 3] = [&near, &farther, &inwards];
        for pass in passes {
            for place in pass().into_iter().filter(|&place| inside(place)) {
                let fit = fits(place) + 1;
                if fit > best.0 {
                    best = (fit, place);
                }
                if fit == 4 * CORNERS.len() + 2 {
                    return place;
                }
            }
        }
        best.1
    }

    /// Places for letters beside a shore, at distances that are relative to what the letters need, the nearest to a
    /// point of the shore first.
    fn beside(
        &self,
        shore: &[HalfEdgeId],
        distances: &[f64],
        [wide, high]: [f64; 2],
        middle: Point,
    ) -> Vec<Point> {
        /// The distance from a hole within which a drawing belongs to its point.
        const POINT: f64 = 8.0;
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
                let parts = parts.iter().chain(distances);
                places.extend(parts.map(|part| (far, three[1] + left * (clear * part))));
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// The polyline of each branch of a waterway, from water to water: one branch, except for a canal with an end that
    /// was cut; none for a strait, which runs along its border.
    pub(crate) fn channels(&self, chart: &NamedMap, waterway: &Waterway) -> Vec<[Point; 3]> {
        let map = chart.map();
        let (province, [from, to]): (ProvinceId, [Vec<HalfEdgeId>; 2]) = match waterway {
            Waterway::Canal { province, ends, .. } => {
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
