//! Boards for the tests of the rules: the standard one, boards with holes, and boards that no map could
//! produce.

use std::collections::BTreeMap;

use super::gazetteer::Gazetteer;
use upheaval_map::ids::{ByProvince, CoastId, Location, ProvinceId, ProvinceSet};
use upheaval_map::rng::{Purpose, Stream};
use upheaval_map::topology::{Board, ByHand, atlas, derive};

/// The standard board and its names.
pub(super) fn standard() -> (Board, Gazetteer) {
    let chart = atlas::standard();
    let board = derive(chart.map());
    let names = Gazetteer::of(&chart, &board);
    (board, names)
}

/// The standard board with twelve holes, with or without closure.
pub(super) fn holed(seed: u64) -> (Board, Gazetteer) {
    let stream = &mut Stream::keyed(seed, Purpose::Holes, &[]);
    let mut chart = atlas::standard();
    let mut provinces: Vec<ProvinceId> = derive(chart.map()).passable().iter().collect();
    stream.shuffle(&mut provinces);
    for &province in &provinces[..12] {
        let made = if stream.below(2) == 0 { chart.collapse(province) } else { chart.void(province) };
        made.expect("an open province can become a hole");
    }
    let board = derive(chart.map());
    let names = Gazetteer::of(&chart, &board);
    (board, names)
}

/// A board unlike any real one: `n` provinces with random coasts and symmetric random neighbours.
pub(super) fn scrambled(n: u8, seed: u64) -> Board {
    let stream = &mut Stream::keyed(seed, Purpose::Bot, &[77]);
    let mut land = ProvinceSet::EMPTY;
    let mut sea = ProvinceSet::EMPTY;
    let mut coasts = ByProvince::filled(0u8);
    for province in (0..n).map(ProvinceId) {
        if stream.below(2) == 0 {
            land.insert(province);
            coasts[province] = stream.below(4) as u8;
        } else {
            sea.insert(province);
            coasts[province] = 1;
        }
    }
    let mut army = ByProvince::filled(ProvinceSet::EMPTY);
    let mut seas_next_to = ByProvince::filled(ProvinceSet::EMPTY);
    let mut moves: BTreeMap<Location, Vec<Location>> = BTreeMap::new();
    for a in (0..n).map(ProvinceId) {
        for b in (0..a.0).map(ProvinceId) {
            if stream.below(u32::from(n)) >= 5 {
                continue;
            }
            if land.contains(a) && land.contains(b) {
                army[a].insert(b);
                army[b].insert(a);
            }
            if coasts[a] == 0 || coasts[b] == 0 {
                continue;
            }
            let mut place = |province: ProvinceId| Location {
                province,
                coast: CoastId(stream.below(u32::from(coasts[province])) as u8),
            };
            let (from, to) = (place(a), place(b));
            moves.entry(from).or_default().push(to);
            moves.entry(to).or_default().push(from);
            if sea.contains(a) {
                seas_next_to[b].insert(a);
            }
            if sea.contains(b) {
                seas_next_to[a].insert(b);
            }
        }
    }
    Board::by_hand(ByHand { land, sea, army, seas_next_to, coasts, moves })
}
