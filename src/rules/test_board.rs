//! The standard board for the tests of the rules: derived here from the neighbour lists, for as long as the
//! planar map does not do it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::gazetteer::Gazetteer;
use crate::ids::{ByProvince, CoastId, Location, ProvinceId, ProvinceSet};
use crate::rng::{Purpose, Stream};
use crate::topology::Board;

/// The standard board and its names; the provinces in alphabetical order.
pub fn standard() -> (Board, Gazetteer) {
    let map: BTreeMap<String, Value> =
        serde_json::from_str(include_str!("../../maps/standard.json")).expect("the map is JSON");
    let codes: Vec<&str> = map.keys().map(String::as_str).collect();
    let id = |code: &str| ProvinceId(codes.iter().position(|&c| c == code).expect("a known code") as u8);
    let around: Vec<Vec<ProvinceId>> = map
        .values()
        .map(|face| {
            let list = face["neighbours_ccw"].as_array().expect("a list");
            list.iter().map(|code| id(code.as_str().expect("a code"))).collect()
        })
        .collect();
    let of_kind = |kind: &str| -> ProvinceSet {
        codes.iter().filter(|c| map[**c]["kind"] == kind).map(|c| id(c)).collect()
    };
    let (land, sea) = (of_kind("land"), of_kind("sea"));

    // Which coast each place in a land face's neighbour list belongs to.
    let mut runs: Vec<Vec<Option<u8>>> = vec![Vec::new(); codes.len()];
    let mut coasts = ByProvince::filled(0u8);
    for face in land {
        let ring = &around[face.index()];
        let start = (0..ring.len()).find(|&i| !sea.contains(ring[i])).unwrap_or(0);
        let mut of_place = vec![None; ring.len()];
        let mut count = 0;
        for step in 1..=ring.len() {
            let i = (start + step) % ring.len();
            if sea.contains(ring[i]) {
                let before = of_place[(start + step - 1) % ring.len()];
                of_place[i] = Some(before.unwrap_or(count));
                count = count.max(of_place[i].expect("just set") + 1);
            }
        }
        // The canals and the strait of RULINGS 1.3.
        if ["KIE", "CON", "DEN", "SWE"].contains(&codes[face.index()]) {
            of_place.iter_mut().flatten().for_each(|coast| *coast = 0);
            count = 1;
        }
        coasts[face] = count;
        runs[face.index()] = of_place;
    }

    let mut moves: BTreeMap<Location, Vec<Location>> = BTreeMap::new();
    let mut army = ByProvince::filled(ProvinceSet::EMPTY);
    let mut seas_next_to = ByProvince::filled(ProvinceSet::EMPTY);
    for face in land | sea {
        coasts[face] = if sea.contains(face) { 1 } else { coasts[face] };
        let ring = &around[face.index()];
        for (i, &other) in ring.iter().enumerate() {
            if sea.contains(other) {
                seas_next_to[face].insert(other);
            }
            let here = |coast: u8| Location { province: face, coast: CoastId(coast) };
            if sea.contains(face) && sea.contains(other) {
                moves.entry(here(0)).or_default().push(other.into());
            } else if sea.contains(other) {
                let coast = here(runs[face.index()][i].expect("a sea contact"));
                moves.entry(coast).or_default().push(other.into());
                moves.entry(other.into()).or_default().push(coast);
            } else if land.contains(face) && land.contains(other) {
                army[face].insert(other);
                let back = around[other.index()].iter().position(|&f| f == face).expect("mutual");
                let (n, m) = (ring.len(), around[other.index()].len());
                for (a, b) in [((i + n - 1) % n, (back + 1) % m), ((i + 1) % n, (back + m - 1) % m)] {
                    if let (Some(a), Some(b)) = (runs[face.index()][a], runs[other.index()][b]) {
                        moves
                            .entry(here(a))
                            .or_default()
                            .push(Location { province: other, coast: CoastId(b) });
                    }
                }
            }
        }
    }

    let names = |code: &str| -> Vec<String> {
        let face = id(code);
        let name = |coast: u8| {
            let touches = |sea: &str| {
                let of_coast = moves[&Location { province: face, coast: CoastId(coast) }].clone();
                of_coast.contains(&id(sea).into())
            };
            match code {
                "STP" => {
                    if touches("BAR") {
                        "NC"
                    } else {
                        "SC"
                    }
                }
                "SPA" => {
                    if touches("WES") {
                        "SC"
                    } else {
                        "NC"
                    }
                }
                "BUL" => {
                    if touches("BLA") {
                        "EC"
                    } else {
                        "SC"
                    }
                }
                _ => panic!("{code} has several coasts"),
            }
        };
        if coasts[face] < 2 { vec![] } else { (0..coasts[face]).map(|c| name(c).to_owned()).collect() }
    };
    let gazetteer = Gazetteer::new(codes.iter().map(|&code| (id(code), code, names(code))));
    (board(land, sea, army, seas_next_to, coasts, moves), gazetteer)
}

/// A board with no likeness to a real one: `n` provinces, coasts and neighbours as the dice fall, but mutual.
pub fn scrambled(n: u8, seed: u64) -> Board {
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
    board(land, sea, army, seas_next_to, coasts, moves)
}

fn board(
    land: ProvinceSet,
    sea: ProvinceSet,
    army: ByProvince<ProvinceSet>,
    seas_next_to: ByProvince<ProvinceSet>,
    coasts: ByProvince<u8>,
    moves: BTreeMap<Location, Vec<Location>>,
) -> Board {
    let mut board = Board {
        land,
        sea,
        army,
        fleet: ByProvince::filled(ProvinceSet::EMPTY),
        seas_next_to,
        first_station: ByProvince::filled(0),
        coasts,
        stations: vec![Default::default()],
        destinations: Vec::new(),
    };
    for province in land | sea {
        if coasts[province] > 0 {
            board.first_station[province] = board.stations.len() as u16;
        }
        for coast in 0..coasts[province] {
            let mut to =
                moves.get(&Location { province, coast: CoastId(coast) }).cloned().unwrap_or_default();
            to.sort();
            to.dedup();
            let begin = board.destinations.len() as u32;
            let reach: ProvinceSet = to.iter().map(|l| l.province).collect();
            board.fleet[province] |= reach;
            board.destinations.extend(to);
            let moves = (begin, board.destinations.len() as u32);
            // The type is private to the topology, its fields are not.
            board.stations.push(Default::default());
            let station = board.stations.last_mut().expect("just pushed");
            (station.reach, station.moves) = (reach, moves);
        }
    }
    board
}

#[test]
fn the_standard_board_is_the_standard_board() {
    let (board, names) = standard();
    let several: Vec<_> =
        board.land().iter().filter(|&p| board.coasts(p) > 1).map(|p| names.province(p)).collect();
    assert_eq!(several, ["BUL", "SPA", "STP"]);
    let spa = names.find("SPA").unwrap();
    let reach = |coast| {
        let at = Location { province: spa, coast: names.find_coast(spa, coast).unwrap() };
        board.fleet_moves(at).iter().map(|l| names.province(l.province)).collect::<Vec<_>>()
    };
    assert_eq!(reach("NC"), ["GAS", "MAO", "POR"]);
    assert_eq!(reach("SC"), ["LYO", "MAO", "MAR", "POR", "WES"]);
}
