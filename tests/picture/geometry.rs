//! Points, segments and polygons.

use upheaval::picture::Point;
use upheaval::picture::geometry::{area, centroid, contains, pole, segments_meet};

fn square(low: f64, high: f64) -> Vec<Point> {
    [(low, low), (high, low), (high, high), (low, high)].map(|(x, y)| Point::new(x, y)).to_vec()
}

#[test]
fn a_square() {
    let unit = square(0.0, 2.0);
    assert_eq!((area(&unit), centroid(&unit)), (4.0, Point::new(1.0, 1.0)));
    let (at, deep) = pole(std::slice::from_ref(&unit));
    assert!(at.distance(Point::new(1.0, 1.0)) < 0.05 && (deep - 1.0).abs() < 0.05);
    assert!(!contains(&[unit], Point::new(2.5, 1.0)));
}

#[test]
fn the_pole_of_a_ring_is_between_its_edges() {
    let ring = [square(0.0, 10.0), square(3.0, 9.0)];
    let (at, deep) = pole(&ring);
    assert!(contains(&ring, at) && (deep - 1.7).abs() < 0.2, "{at:?} {deep}");
    assert!(!contains(&ring, Point::new(5.0, 5.0)));
}

#[test]
fn segments_that_touch_meet() {
    let at = |x: f64, y: f64| Point::new(x, y);
    assert!(segments_meet(at(0.0, 0.0), at(2.0, 2.0), at(0.0, 2.0), at(2.0, 0.0)));
    assert!(segments_meet(at(0.0, 0.0), at(2.0, 0.0), at(1.0, 0.0), at(1.0, 5.0)));
    assert!(segments_meet(at(0.0, 0.0), at(2.0, 0.0), at(1.0, 0.0), at(3.0, 0.0)));
    assert!(!segments_meet(at(0.0, 0.0), at(2.0, 0.0), at(1.0, 0.1), at(1.0, 5.0)));
    assert!(!segments_meet(at(0.0, 0.0), at(2.0, 0.0), at(3.0, 0.0), at(5.0, 0.0)));
}

#[test]
fn a_thin_sliver_has_a_point_inside() {
    let sliver = vec![at(0.0, 0.0), at(100.0, 50.0), at(100.0, 50.001)];
    let (point, deep) = pole(std::slice::from_ref(&sliver));
    assert!(deep > 0.0 && contains(&[sliver], point));
    fn at(x: f64, y: f64) -> Point {
        Point::new(x, y)
    }
}
