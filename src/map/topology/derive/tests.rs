//! Tables that follow a map equal those of a full derivation, after any sequence of changes.

use super::derive;
use crate::ids::{Location, ProvinceId, ProvinceSet};
use crate::rng::{Purpose, Stream};
use crate::topology::{Board, HalfEdgeId, NamedMap, Surgery, WaterwayRule, atlas};

/// One change of the chart, of any kind; most succeed.
fn change(chart: &mut NamedMap, dice: &mut Stream) -> Surgery {
    let faces = chart.map().faces().count() as u32;
    let id = ProvinceId(dice.below(faces) as u8);
    match dice.below(10) {
        0 | 1 => chart.collapse(id),
        2 => chart.void(id),
        3 => chart.restore(id),
        4 => {
            // Holes are restored more often than a uniform choice would.
            let holes: Vec<ProvinceId> = chart.map().holes().iter().collect();
            dice.choose(&holes).map_or(Ok(()), |&hole| chart.restore(hole))
        }
        5 if dice.below(2) == 0 => chart.submerge(id),
        5 => chart.open(id),
        6 => {
            let sides: Vec<HalfEdgeId> = chart.map().sides_of(id).collect();
            let ends = [0; 2].map(|_| dice.choose(&sides).copied());
            match ends {
                [Some(first), Some(second)] => chart.split(first, second).map(drop),
                _ => Ok(()),
            }
        }
        7 if dice.below(4) == 0 => {
            let marked = chart.map().faces().map(|(id, _)| id).filter(|_| dice.below(9) == 0).collect();
            chart.set_archipelagos(marked);
            Ok(())
        }
        _ => {
            let all = chart.map().quakes();
            let mut done = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let Some(&quake) = dice.choose(&all) else { continue };
                if done.iter().all(|&other| quake != other && !quake.contradicts(other, chart.map())) {
                    done.push(quake);
                }
            }
            chart.shake(&done, &mut |_| None)
        }
    }
}

/// Compares all queries about the board before a change.
fn former(board: &Board, old: &Board) {
    assert_eq!(board.former().sea(), old.sea());
    for id in (0..=u8::MAX).map(ProvinceId) {
        assert_eq!(board.former().coasts(id), old.coasts(id), "{id:?}");
        for at in old.stations_of(id) {
            assert_eq!(board.former().contacts(at), old.contacts(at), "{at:?}");
        }
        let beyond = Location { province: id, coast: crate::ids::CoastId(old.coasts(id)) };
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
        for game in 0..24 {
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
                    // A change that fails leaves the chart as it was.
                    if change(&mut chart, &mut dice).is_ok() {
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
                former(&board, &old);
                if dice.below(16) == 0 {
                    board = board.clone();
                }
            }
        }
    }
    assert!(done > 4000, "only {done} changes could be done");
}
