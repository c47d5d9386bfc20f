//! Groups of holes are drawn as points, wherever they are, and their neighbours are not distorted.

use std::fmt;

use crate::helpers::charts::apply;
use crate::picture::drawn_soundly::{shipped, sound};
use testkit::{amount, thinned, tries_all};
use upheaval::ids::ProvinceId;
use upheaval::picture::{Layout, Point, geometry};
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{FaceKind, NamedMap, atlas};

/// A point is drawn as a disc 12 units wide; the board is 1000 wide.
const POINT: f64 = 12.0;

/// The distance of the farthest two points of these faces in the drawing.
fn diameter(layout: &Layout, group: &[ProvinceId]) -> f64 {
    let points: Vec<Point> = group.iter().flat_map(|&face| layout.shape(face).concat()).collect();
    let far = |p: &Point| points.iter().map(|q| p.distance(*q)).fold(0.0, f64::max);
    points.iter().map(far).fold(0.0, f64::max)
}

fn neighbours(chart: &NamedMap, face: ProvinceId) -> Vec<ProvinceId> {
    chart.map().sides_of(face).map(|side| chart.map().across(side)).collect()
}

/// Does the group enclose anything that does not belong to it?
fn goes_round(chart: &NamedMap, group: &[ProvinceId]) -> bool {
    let others: Vec<ProvinceId> =
        chart.map().faces().map(|(id, _)| id).filter(|id| !group.contains(id)).collect();
    let mut found = vec![others[0]];
    let mut next = 0;
    while next < found.len() {
        for face in neighbours(chart, found[next]) {
            if !group.contains(&face) && !found.contains(&face) {
                found.push(face);
            }
        }
        next += 1;
    }
    found.len() < others.len()
}

/// The drawing of a group.
struct Seen {
    holes: String,
    diameter: f64,
    /// The neighbouring faces that are hardly more than a line: a disc two units wide fits nowhere in them.
    spikes: Vec<String>,
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:.1} wide, along it {:?}", self.holes, self.diameter, self.spikes)
    }
}

fn look(start: &NamedMap, first: &Layout, group: &[ProvinceId]) -> Option<Seen> {
    let mut chart = start.clone();
    let names: Vec<&str> = group.iter().map(|&id| start.map().name(id)).collect();
    let fall = names.iter().all(|name| apply(&mut chart, &format!("collapse {name}")).is_ok());
    if !fall || goes_round(start, group) {
        return None;
    }
    let layout = first.next(&chart);
    sound(&layout, &chart, &names);
    let mut round: Vec<ProvinceId> = group.iter().flat_map(|&face| neighbours(start, face)).collect();
    round.sort_unstable();
    round.dedup();
    round.retain(|face| !group.contains(face) && *face != layout.beyond());
    round.retain(|&face| geometry::pole(&layout.shape(face)).1 < 1.0);
    let spikes = round.iter().map(|&face| start.map().name(face).to_owned()).collect();
    Some(Seen { holes: names.join(" "), diameter: diameter(&layout, group), spikes })
}

fn places(chart: &NamedMap) -> Vec<ProvinceId> {
    chart.map().faces().filter(|(_, face)| face.kind() != FaceKind::Outside).map(|(id, _)| id).collect()
}

fn pairs(chart: &NamedMap) -> Vec<Vec<ProvinceId>> {
    let mut pairs: Vec<Vec<ProvinceId>> = Vec::new();
    for a in places(chart) {
        let mut others = neighbours(chart, a);
        others.sort_unstable();
        others.dedup();
        pairs.extend(others.into_iter().filter(|&b| a < b).map(|b| vec![a, b]));
    }
    pairs
}

/// Connected groups of three to six faces.
fn groups(chart: &NamedMap, many: u64) -> Vec<Vec<ProvinceId>> {
    let places = places(chart);
    let group = |number: u64| {
        let mut random = Stream::keyed(1971, Purpose::Bot, &[number]);
        let mut group = vec![places[random.below(places.len() as u32) as usize]];
        let size = 3 + random.below(4) as usize;
        while group.len() < size {
            let from = group[random.below(group.len() as u32) as usize];
            let around = neighbours(chart, from);
            let face = around[random.below(around.len() as u32) as usize];
            if !group.contains(&face) && places.contains(&face) {
                group.push(face);
            }
        }
        group
    };
    (0..many).map(group).collect()
}

/// The groups of a board that can collapse, as they are drawn.
fn seen(board: &str, of: impl Fn(&NamedMap) -> Vec<Vec<ProvinceId>>) -> Vec<Seen> {
    let start = atlas::find(board).unwrap();
    of(&start).iter().filter_map(|group| look(&start, shipped(board), group)).collect()
}

fn pairs_become_points(board: &str) {
    const EACH: usize = 16;
    let seen = seen(board, |chart| thinned(pairs(chart), EACH).collect());
    assert!(seen.len() > if tries_all() { 200 } else { 5 }, "{}", seen.len());
    let wide: Vec<&Seen> = seen.iter().filter(|it| it.diameter > POINT).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    if !tries_all() {
        return; // In so few, two are more than can be.
    }
    // A province that keeps only one border, like Portugal after the Mid-Atlantic and the Western Mediterranean, may be
    // distorted.
    let spikes: Vec<&Seen> = seen.iter().filter(|it| !it.spikes.is_empty()).collect();
    assert!(spikes.len() * 40 <= seen.len(), "{} of {}: {spikes:#?}", spikes.len(), seen.len());
}

#[test]
fn neighbours_on_the_standard_board_become_one_point() {
    pairs_become_points("standard");
}

#[test]
fn neighbours_on_the_deluge_board_become_one_point() {
    pairs_become_points("deluge");
}

#[test]
fn groups_of_three_to_six_become_points() {
    let many = amount(6, 60);
    let seen = seen("standard", |chart| groups(chart, many));
    if !tries_all() {
        return; // So few say nothing of how many stay wider.
    }
    assert!(seen.len() as u64 * 6 > many * 5, "{}", seen.len());
    // A group that takes a whole edge of the board and more, or that is winding, may stay wider.
    let wide: Vec<&Seen> = seen.iter().filter(|it| it.diameter > POINT).collect();
    assert!(wide.len() * 20 <= seen.len(), "{} of {}: {wide:#?}", wide.len(), seen.len());
}

#[test]
fn what_the_deluge_swallows_is_a_point() {
    let start = atlas::find("deluge").unwrap();
    let first = shipped("deluge");
    for names in [&["NTH", "LON"][..], &["SPA", "POR", "MAR", "GAS"]] {
        let group: Vec<ProvinceId> = names.iter().map(|name| start.map().find(name).unwrap()).collect();
        let seen = look(&start, first, &group).unwrap();
        assert!(seen.diameter < POINT && seen.spikes.is_empty(), "{seen:#?}");
    }
}

#[test]
fn holes_round_an_island_lie_close_to_it() {
    let start = atlas::standard();
    let mut chart = start.clone();
    let ring = ["MAR", "BUR", "MUN", "TYR", "PIE"];
    assert!(ring.iter().all(|name| apply(&mut chart, &format!("collapse {name}")).is_ok()));
    let layout = shipped("standard").next(&chart);
    sound(&layout, &chart, &ring);
    let island = layout.shape(start.map().find("SWI").unwrap());
    let edges = || island.iter().flat_map(|cycle| cycle.iter().zip(cycle.iter().cycle().skip(1)));
    for name in ring {
        for p in layout.shape(start.map().find(name).unwrap()).concat() {
            let far =
                edges().map(|(a, b)| geometry::distance_to_segment(p, *a, *b)).fold(f64::INFINITY, f64::min);
            assert!(far < 16.0, "{name} reaches {far} from Switzerland");
        }
    }
}
