//! The tables of a board: those that follow a map equal those of a full derivation after any sequence of changes, and
//! the destinations of a fleet are in one order however they are read.

use std::collections::BTreeMap;

use crate::helpers::small_maps;
use crate::map::walks::{Kind, shakes, walk};
use testkit::amount;
use upheaval::ids::{ByProvince, CoastId, Location, ProvinceId, ProvinceSet};
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{Board, ByHand, FleetMoves, NamedMap, WaterwayRule, atlas, derive};

/// One change of the chart, of any kind; most succeed.
fn change(chart: &mut NamedMap, dice: &mut Stream) -> bool {
    let kind = match dice.below(13) {
        0 | 1 => Kind::Collapse,
        2 => Kind::Void,
        3 | 4 => Kind::Restore,
        5 if dice.below(2) == 0 => Kind::Submerge,
        5 => Kind::Open,
        6 => Kind::Split,
        10 if dice.below(3) == 0 => Kind::Raise,
        10 => Kind::Freeze,
        11 if dice.below(2) == 0 => Kind::Reform,
        11 => Kind::Fill,
        12 => Kind::Dig,
        7 if dice.below(4) == 0 => {
            let marked = chart.map().faces().map(|(id, _)| id).filter(|_| dice.below(9) == 0).collect();
            chart.set_archipelagos(marked);
            return true;
        }
        _ => return shakes(chart, dice),
    };
    kind.happens(chart, dice)
}

/// Compares all queries about the board before a change.
fn compare_former(board: &Board, old: &Board) {
    assert_eq!(board.former().sea(), old.sea());
    for id in (0..=u8::MAX).map(ProvinceId) {
        assert_eq!(board.former().coasts(id), old.coasts(id), "{id:?}");
        for at in old.stations_of(id) {
            assert_eq!(board.former().contacts(at), old.contacts(at), "{at:?}");
        }
        let beyond = Location { province: id, coast: CoastId(old.coasts(id)) };
        assert_eq!(board.former().contacts(beyond), []);
        if !board.renewed().contains(id) {
            assert_eq!(board.coasts(id), old.coasts(id), "{id:?}");
        }
    }
}

#[test]
fn tables_that_follow_a_map_are_those_of_the_whole_derivation() {
    let mut done = 0;
    for name in atlas::shipped() {
        for game in 0..amount(4, 24) {
            let mut chart = atlas::find(name).expect("it ships");
            if game % 2 == 0 {
                chart.set_waterway_rule(WaterwayRule::Isthmuses);
            }
            let mut dice = Stream::keyed(21, Purpose::Bot, &[game]);
            let mut board = derive(chart.map());
            for _ in 0..60 {
                let old = derive(chart.map());
                chart.begin_change();
                let mut changed = ProvinceSet::EMPTY;
                for _ in 0..1 + dice.below(2) {
                    if change(&mut chart, &mut dice) {
                        done += 1;
                        changed |= *chart.map().remade();
                    }
                }
                board.follow(chart.map());
                assert!(changed.is_subset(&board.renewed()));
                let whole = derive(chart.map());
                if board != whole {
                    for id in (0..=u8::MAX).map(ProvinceId) {
                        let all = |board: &Board| {
                            let to = board
                                .stations_of(id)
                                .map(|at| board.fleet_moves(at).iter().collect::<Vec<_>>());
                            (*board.army_reach(id), *board.fleet_reach_any(id), to.collect::<Vec<_>>())
                        };
                        assert_eq!(all(&board), all(&whole), "{name}, {}", chart.map().name(id));
                    }
                    panic!("{name}: the tables differ");
                }
                compare_former(&board, &old);
                if dice.below(16) == 0 {
                    board = board.clone();
                }
            }
        }
    }
    assert!(done > amount(666, 4000), "only {done} changes could be done");
}

/// Every query about the destinations gives what this list of them does.
fn compare(moves: FleetMoves<'_>, expected: &[Location]) {
    assert_eq!(moves.iter().collect::<Vec<_>>(), expected);
    assert_eq!((moves.len(), moves.is_empty()), (expected.len(), expected.is_empty()));
    for n in 0..=expected.len() {
        assert_eq!(moves.get(n), expected.get(n).copied());
    }
    for province in (0..=u8::MAX).map(ProvinceId) {
        for coast in (0..3).map(CoastId) {
            let to = Location { province, coast };
            assert_eq!(moves.contains(to), expected.contains(&to));
        }
    }
}

/// Compares the destinations from each place with the places from which a fleet can come. Returns how many lists have
/// both coasts of provinces with several and other places.
fn compare_all(board: &Board) -> usize {
    let places: Vec<Location> = board.passable().iter().flat_map(|id| board.stations_of(id)).collect();
    let moves: BTreeMap<Location, Vec<Location>> =
        places.iter().map(|&at| (at, board.fleet_moves(at).iter().collect())).collect();
    let mut mixed = 0;
    for &from in &places {
        let expected: Vec<Location> = places.iter().copied().filter(|to| moves[to].contains(&from)).collect();
        let provinces: ProvinceSet = expected.iter().map(|to| to.province).collect();
        assert_eq!(provinces, *board.fleet_reach(from));
        compare(board.fleet_moves(from), &expected);
        let of_several = expected.iter().filter(|to| board.coasts(to.province) > 1).count();
        mixed += usize::from(of_several > 0 && of_several < expected.len());
    }
    mixed
}

#[test]
fn places_are_counted_found_and_listed_in_one_order() {
    let mut mixed = 0;
    for chart in
        atlas::shipped().filter_map(atlas::find).chain([small_maps::chart(&small_maps::ocean(15, 17))])
    {
        mixed += compare_all(&derive(chart.map()));
    }
    for number in 0..4 {
        walk(number, 10, WaterwayRule::Isthmuses, |_, chart| mixed += compare_all(&derive(chart.map())));
    }
    assert!(mixed > 500, "{mixed}");
    // Coasts in the first and in the last province, and nothing else.
    compare(FleetMoves::NONE, &[]);
    let at = |province, coast| Location { province: ProvinceId(province), coast: CoastId(coast) };
    for to in [vec![at(5, 0), at(5, 2)], vec![at(0, 1), at(64, 0), at(64, 1), at(199, 1), at(255, 0)]] {
        let mut coasts = ByProvince::filled(0);
        coasts[ProvinceId(9)] = 1;
        to.iter().for_each(|to| coasts[to.province] = 3);
        let board = Board::by_hand(ByHand {
            land: to.iter().map(|to| to.province).chain([ProvinceId(9)]).collect(),
            sea: ProvinceSet::EMPTY,
            army: ByProvince::filled(ProvinceSet::EMPTY),
            seas_next_to: ByProvince::filled(ProvinceSet::EMPTY),
            coasts,
            moves: BTreeMap::from([(at(9, 0), to.clone())]),
        });
        compare(board.fleet_moves(at(9, 0)), &to);
    }
}
