//! Drawings in longitudes and latitudes whose polygons lie across longitude 180. GeoJSON cuts such polygons in two (RFC
//! 7946, section 3.1.9); others let their longitudes go on beyond 180, or jump to -180. All become polygons in one
//! piece: the drawing is moved so that its edge is at a meridian that no polygon reaches.

use super::points::Ring;
use super::regions::Region;

/// Round the globe, in degrees.
const ROUND: f64 = 360.0;

/// The longest way along a parallel, in degrees, that an edge can take short across longitude 180.
const SHORT: f64 = 90.0;

/// The polygons of a drawing, moved by whole turns so that those across longitude 180 are in one piece; `None` if the
/// drawing is not in longitudes and latitudes, or has no polygon there.
///
/// # Errors
/// The polygons go round the globe, so that the drawing has no edge.
pub(super) fn joined(regions: &[Region]) -> Result<Option<Vec<Region>>, String> {
    let is_on_globe = |&[x, y]: &[f64; 2]| x.abs() <= ROUND && y.abs() <= ROUND / 4.0;
    if !regions.iter().flat_map(|region| region.polygons.iter().flatten().flatten()).all(is_on_globe) {
        return Ok(None);
    }
    let mut regions = regions.to_vec();
    let outlines = |region: &Region| -> Vec<[f64; 2]> {
        region.polygons.iter().filter_map(|rings| rings.first()).map(span).collect()
    };
    let spans = |regions: &[Region]| regions.iter().flat_map(outlines).collect::<Vec<[f64; 2]>>();
    let flat = spans(&regions);
    for ring in regions.iter_mut().flat_map(|region| region.polygons.iter_mut().flatten()) {
        *ring = unrolled(ring);
    }
    let whole = spans(&regions);
    let is_cut = |region: &Region| {
        let [west, east] = ends(&outlines(region));
        region.polygons.len() > 1 && east - west == ROUND
    };
    let [west, east] = ends(&flat);
    let half = ROUND / 2.0;
    if flat == whole && west >= -half && east <= half && !regions.iter().any(is_cut) {
        return Ok(None);
    }
    let edge = free_meridian(&whole).ok_or(
        "polygons lie across longitude 180, and the board goes round the globe; a drawing needs a meridian that no \
         polygon reaches, which becomes its edge",
    )?;
    let turns = |west: f64| ((west - edge) / ROUND).floor() * ROUND;
    // The first polygon stays where it is.
    let first = whole.first().map_or(0.0, |span| turns(span[0]));
    if flat == whole && whole.iter().all(|span| turns(span[0]) == first) {
        return Ok(None);
    }
    for region in &mut regions {
        for ring in region.polygons.iter_mut().flatten() {
            let moved = turns(span(ring)[0]) - first;
            ring.iter_mut().for_each(|point| point[0] -= moved);
        }
        if let Some(centre) = &mut region.properties.centre {
            centre[0] -= turns(centre[0]) - first;
        }
    }
    Ok(Some(regions))
}

/// A ring without jumps from one side of longitude 180 to the other. An edge from -180 to 180 is not a jump: it goes
/// along a parallel.
fn unrolled(ring: &Ring) -> Ring {
    let mut turns = 0.0;
    let mut whole: Ring = Vec::with_capacity(ring.len());
    let mut before: Option<f64> = None;
    for &[x, y] in ring {
        turns += before.map_or(0.0, |before| jump(before, x));
        before = Some(x);
        whole.push([x + turns, y]);
    }
    // A ring round a pole does not come back to its beginning.
    let back = ring.first().zip(ring.last()).map_or(0.0, |(first, last)| jump(last[0], first[0]));
    if turns + back == 0.0 { whole } else { ring.clone() }
}

/// The turn that makes the way between two longitudes short.
fn jump(from: f64, to: f64) -> f64 {
    let is_parallel = from.abs() == ROUND / 2.0 && to == -from;
    match to - from {
        way if is_parallel || way.abs() <= ROUND - SHORT => 0.0,
        way => -ROUND.copysign(way),
    }
}

fn span(ring: &Ring) -> [f64; 2] {
    ends(&ring.iter().map(|point| [point[0]; 2]).collect::<Vec<_>>())
}

/// The least and the greatest longitude of several spans.
fn ends(spans: &[[f64; 2]]) -> [f64; 2] {
    let west = spans.iter().map(|span| span[0]).fold(f64::INFINITY, f64::min);
    [west, spans.iter().map(|span| span[1]).fold(f64::NEG_INFINITY, f64::max)]
}

/// A meridian that no span reaches: the middle of the widest gap between them.
fn free_meridian(spans: &[[f64; 2]]) -> Option<f64> {
    let mut from_west: Vec<[f64; 2]> = spans
        .iter()
        .map(|&[west, east]| {
            let turns = (west / ROUND).floor() * ROUND;
            [west - turns, east - turns]
        })
        .collect();
    from_west.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let first = from_west.first()?[0];
    // What goes on beyond the end of the turn covers its beginning.
    let mut reached = ends(&from_west)[1] - ROUND;
    let mut widest: Option<[f64; 2]> = None;
    let turned = from_west.iter().copied().chain([[first + ROUND, first + ROUND]]);
    for [west, east] in turned {
        if west > reached && reached > f64::NEG_INFINITY && widest.is_none_or(|[a, b]| west - reached > b - a)
        {
            widest = Some([reached.max(first - ROUND), west]);
        }
        reached = reached.max(east);
    }
    widest.map(|[west, east]| (west + east) / 2.0)
}
