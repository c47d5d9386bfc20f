//! The orders of `dumbbot` in clear positions, and orders that it never gives.

use std::sync::Arc;

use crate::helpers::quick::kind;
use crate::helpers::seats::{dice, play_out};
use crate::helpers::shipped;
use upheaval::bot::Bot;
use upheaval::game::{Game, Referee};
use upheaval::ids::{ByPower, Power, Powers, ProvinceSet};
use upheaval::play::{Seats, play_stage};
use upheaval::rules::event::Log;
use upheaval::rules::game_state::GameState;
use upheaval::rules::gazetteer::Gazetteer;
use upheaval::rules::nature::Seeded;
use upheaval::rules::notation::parse_unit;
use upheaval::rules::order::Order;
use upheaval::rules::position::Unit;
use upheaval::rules::settlement::{Settled, Settlement};
use upheaval::rules::variant::Variant;

fn dumbbots() -> ByPower<Box<dyn Bot>> {
    ByPower::from_fn(Powers::STANDARD, |_| (kind("dumbbot").make)())
}

/// Plays one stage from this position; returns the game afterwards.
fn after(variant: &str, phase: &str, units: &[(Power, &str)], centres: &[(Power, &str)], seed: u64) -> Game {
    let variant = shipped::variant(variant);
    let mut world = GameState::new(Arc::clone(&variant.terrain));
    let (names, board) = (variant.terrain.names(), variant.terrain.board());
    for &(power, text) in units {
        let (kind, at) = parse_unit(text, names, board).expect("a unit");
        world.position.place(at.province, Unit::new(kind, power, at.coast));
    }
    for &(power, name) in centres {
        world.position.set_owner(names.find(name).expect("a centre"), Some(power));
    }
    let mut game = Game::resumed(Arc::clone(&variant), 1910, world, phase.parse().expect("a phase"));
    let (mut bots, mut dice) = (dumbbots(), dice(seed));
    let seats = &mut Seats { bots: &mut bots, dice: &mut dice };
    play_stage(&mut game, &mut Referee::new(), seats, &mut Seeded { seed, block: 0 }, &mut ());
    game
}

fn names(game: &Game, places: ProvinceSet) -> Vec<String> {
    let names: &Gazetteer = game.terrain().names();
    let mut all: Vec<String> = places.iter().map(|at| names.province(at).to_owned()).collect();
    all.sort();
    all
}

#[test]
fn it_takes_a_centre_that_nobody_disputes() {
    for seed in 0..20 {
        let end = after("standard", "F1901M", &[(Power::ITALY, "A PIE")], &[], seed);
        let at = names(&end, *end.world().position.units_of(Power::ITALY));
        assert!(["MAR", "VEN"].contains(&at[0].as_str()), "seed {seed}: {at:?}");
    }
}

#[test]
fn two_against_one_it_drives_out_who_stands_on_a_centre() {
    let units = [(Power::FRANCE, "A BUR"), (Power::FRANCE, "A GAS"), (Power::ITALY, "A MAR")];
    let driven_out = (0..20).filter(|&seed| {
        let end = after("standard", "F1904M", &units, &[(Power::ITALY, "MAR"), (Power::ITALY, "VEN")], seed);
        let france = names(&end, *end.world().position.units_of(Power::FRANCE));
        france.contains(&"MAR".to_owned())
    });
    let count = driven_out.count();
    assert!(count >= 12, "{count} of 20");
}

#[test]
fn it_prefers_the_centre_of_the_larger_power() {
    let england = ["LON", "LVP", "EDI", "NWY", "SWE", "DEN", "HOL", "BEL"].map(|name| (Power::ENGLAND, name));
    let mut owners = england.to_vec();
    owners.push((Power::GERMANY, "KIE"));
    let units = [(Power::RUSSIA, "A RUH")];
    let taken = (0..20).filter(|&seed| {
        let end = after("standard", "F1904M", &units, &owners, seed);
        let at = names(&end, *end.world().position.units_of(Power::RUSSIA));
        at == ["BEL"] || at == ["HOL"]
    });
    assert!(taken.count() >= 15);
}

#[test]
fn an_army_leaves_what_is_about_to_sink() {
    // London sinks in the Winter of 1901, Yorkshire and Wales do not.
    for seed in 0..20 {
        let end =
            after("deluge-ii", "F1901M", &[(Power::ENGLAND, "A LON")], &[(Power::ENGLAND, "LON")], seed);
        let position = &end.world().position;
        let army = *position.units_of(Power::ENGLAND) - *position.fleets();
        let at = names(&end, army);
        assert!(!at.contains(&"LON".to_owned()), "seed {seed}: {at:?}");
    }
}

/// Counts orders that would obstruct each other.
#[derive(Default)]
struct Collisions {
    moves: u32,
    collisions: u32,
    swaps: u32,
}

impl Log for Collisions {
    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Movement { position, orders, .. } = settlement.settled else { return };
        for power in Powers::STANDARD {
            let own = *position.units_of(power);
            let mut goals = ProvinceSet::EMPTY;
            for unit in own {
                let goal = match orders[unit] {
                    Order::Move { to, .. } => to.province,
                    _ => unit,
                };
                let boards = matches!(orders[unit], Order::Embark { .. });
                self.moves += u32::from(goal != unit);
                self.collisions += u32::from(!boards && goals.contains(goal));
                if !boards {
                    goals.insert(goal);
                }
                let back = |at| matches!(orders[at], Order::Move { to, .. } if to.province == unit);
                self.swaps += u32::from(goal != unit && own.contains(goal) && back(goal));
            }
        }
    }
}

#[test]
fn its_units_never_stand_in_each_others_way() {
    let mut seen = Collisions::default();
    for id in Variant::shipped() {
        for seed in 0..10 {
            let mut game = Game::new(shipped::variant(id), 1912);
            play_out(&mut game, dumbbots(), seed, &mut Seeded { seed, block: 0 }, &mut seen);
        }
    }
    assert!(seen.moves > 10_000, "{}", seen.moves);
    assert_eq!((seen.collisions, seen.swaps), (0, 0));
}
