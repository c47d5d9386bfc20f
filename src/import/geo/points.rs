//! Points, rings, and their measures.

/// A point: east and north.
pub(super) type GeoPoint = [f64; 2];

/// The corners of a ring, the first of them once.
pub(super) type Ring = Vec<GeoPoint>;

/// A ring of points; a repetition of the first point at the end is dropped.
pub(super) fn closed(points: impl IntoIterator<Item = GeoPoint>) -> Ring {
    let mut ring: Ring = Vec::new();
    for point in points {
        if ring.last() != Some(&point) {
            ring.push(point);
        }
    }
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    ring
}

/// Twice the area to the left of the walk a, b, c: positive if it turns left.
pub(super) fn turn(a: GeoPoint, b: GeoPoint, c: GeoPoint) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The signed area of a ring, positive if it is counter-clockwise.
pub(super) fn area(ring: &[GeoPoint]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
}

/// The length of a ring.
pub(super) fn length(ring: &[GeoPoint]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| libm::hypot(a[0] - b[0], a[1] - b[1])).sum()
}

/// A point well inside rings of which the first encloses the others: the middle of the widest of several cuts
/// from west to east.
pub(super) fn within(rings: &[&[GeoPoint]]) -> GeoPoint {
    const CUTS: i32 = 16;
    let ys = || rings.iter().flat_map(|ring| ring.iter().map(|point| point[1]));
    let (low, high) = (ys().fold(f64::INFINITY, f64::min), ys().fold(f64::NEG_INFINITY, f64::max));
    let mut best = (f64::NEG_INFINITY, [0.0, 0.0]);
    for cut in 1..CUTS {
        let part = f64::from(cut) / f64::from(CUTS);
        let y = low + (high - low) * part;
        let mut crossed: Vec<f64> = Vec::new();
        for ring in rings {
            let next = ring.iter().cycle().skip(1);
            for (a, b) in ring.iter().zip(next).filter(|(a, b)| (a[1] > y) != (b[1] > y)) {
                crossed.push(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
            }
        }
        crossed.sort_by(f64::total_cmp);
        for pair in crossed.chunks_exact(2) {
            // A cut near the middle of the height is preferred to a slightly wider one near the ends.
            let room = (pair[1] - pair[0]) * (0.25 + part * (1.0 - part));
            if room > best.0 {
                best = (room, [(pair[0] + pair[1]) / 2.0, y]);
            }
        }
    }
    best.1
}
