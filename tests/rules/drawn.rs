//! Boards that no map could produce, and random positions, for the tests of the rules.

use std::collections::BTreeMap;

use upheaval::ids::{ByProvince, CoastId, Location, PowerNames, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::gazetteer::Gazetteer;
use upheaval::rules::position::{Cargo, Position, Unit};
use upheaval::rules::rulebook::{ArmyBecomesFleet, ArmyFleets, Rulebook};
use upheaval::topology::{Board, ByHand};

/// The rules with all interactions of armies and fleets enabled.
pub(super) const AMPHIBIOUS: Rulebook = Rulebook {
    army_fleets: ArmyFleets::Yes { max_seasons_aboard: None },
    army_becomes_fleet: ArmyBecomesFleet::Yes,
    ..Rulebook::R2023
};

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

/// Generated names for a board: `P17`, its coasts `C0`, `C1`.
pub(super) fn numbered(board: &Board) -> Gazetteer {
    let province = |p: ProvinceId| {
        let coasts = board.coasts(p);
        let names = (0..coasts).map(|c| format!("C{c}")).collect();
        (p, format!("P{}", p.0), if coasts > 1 { names } else { vec![] })
    };
    Gazetteer::new(board.passable().iter().map(province), PowerNames::standard())
}

/// Up to `n` random units, with more fleets at sea than a game would have.
pub(super) fn random_position(board: &Board, n: usize, stream: &mut Stream) -> Position {
    let mut position = Position::new(Powers::STANDARD);
    let places: Vec<ProvinceId> = board.passable().iter().collect();
    for _ in 0..n {
        let Some(&at) = stream.choose(&places) else { break };
        let stations: Vec<Location> = board.stations_of(at).collect();
        let fleet = board.sea().contains(at) || stream.below(3) == 0;
        let kind = if fleet { UnitKind::Fleet } else { UnitKind::Army };
        // Includes a fleet that has lost its coast (rules.md 8.8).
        let coast = match stream.choose(&stations) {
            Some(station) if fleet => station.coast,
            _ => CoastId::FIRST,
        };
        let power = Powers::STANDARD.get(stream.below(7) as usize).expect("a power");
        position.place(at, Unit::new(kind, power, coast));
    }
    position
}

/// A random position of three powers in which every third fleet at sea has an army aboard.
pub(super) fn laden_position(board: &Board, n: usize, stream: &mut Stream) -> Position {
    let mut position = random_position(board, n, stream);
    for at in *position.occupied() {
        let Some(unit) = position.unit(at) else { continue };
        position.place(
            at,
            Unit { power: Powers::STANDARD.get(unit.power.index() % 3).expect("a power"), ..unit },
        );
        if board.sea().contains(at) && stream.below(3) == 0 {
            position.set_cargo(at, Cargo::Army { seasons: 1 });
        }
    }
    position
}
