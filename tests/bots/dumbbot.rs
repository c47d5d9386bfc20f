//! The orders of `dumbbot` in clear positions, and orders that it never gives.

use crate::helpers::seats::{dice, play_out, seven};
use crate::helpers::shipped::{self, DELUGE_II, STANDARD, Shipped};
use crate::helpers::table::{Lists, Table};
use upheaval::game::Game;
use upheaval::ids::{Power, Powers, ProvinceSet};
use upheaval::play::{Seats, play_stage};
use upheaval::rules::event::Log;
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::Order;
use upheaval::rules::settlement::{Settled, Settlement};
use upheaval::rules::variant::Variant;

/// The units of a power after one stage from this position, under twenty seeds.
fn after(
    shipped: Shipped,
    phase: &str,
    units: &Lists<'_>,
    centres: &Lists<'_>,
    power: Power,
) -> impl Iterator<Item = Vec<String>> {
    (0..20).map(move |seed| {
        let Table { mut game, mut referee, .. } = shipped.set(phase, &[], units, centres);
        let (mut bots, mut dice) = (seven("dumbbot"), dice(seed));
        let seats = &mut Seats { bots: &mut bots, dice: &mut dice };
        play_stage(&mut game, &mut referee, seats, &mut Seeded { seed, block: 0 }, &mut ());
        let name = game.power_names().name(power).to_owned();
        game.world().written_units().remove(&name).unwrap_or_default()
    })
}

#[test]
fn it_takes_a_centre_that_nobody_disputes() {
    for units in after(STANDARD, "F1901M", &[(Power::ITALY, &["A PIE"])], &[], Power::ITALY) {
        assert!(units == ["A MAR"] || units == ["A VEN"], "{units:?}");
    }
}

#[test]
fn two_against_one_it_drives_out_who_stands_on_a_centre() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR", "A GAS"]), (Power::ITALY, &["A MAR"])];
    let of_france = after(STANDARD, "F1904M", units, &[(Power::ITALY, &["MAR", "VEN"])], Power::FRANCE);
    let driven_out = of_france.filter(|units| units.contains(&"A MAR".to_owned())).count();
    assert!(driven_out >= 12, "{driven_out} of 20");
}

#[test]
fn it_prefers_the_centre_of_the_larger_power() {
    let england: &[&str] = &["LON", "LVP", "EDI", "NWY", "SWE", "DEN", "HOL", "BEL"];
    let owners: &Lists<'_> = &[(Power::ENGLAND, england), (Power::GERMANY, &["KIE"])];
    let of_russia = after(STANDARD, "F1904M", &[(Power::RUSSIA, &["A RUH"])], owners, Power::RUSSIA);
    let taken = of_russia.filter(|units| *units == ["A BEL"] || *units == ["A HOL"]).count();
    assert!(taken >= 15, "{taken} of 20");
}

#[test]
fn an_army_leaves_what_is_about_to_sink() {
    // London sinks in the Winter of 1901, Yorkshire and Wales do not.
    let (units, owners): (&Lists<'_>, &Lists<'_>) =
        (&[(Power::ENGLAND, &["A LON"])], &[(Power::ENGLAND, &["LON"])]);
    for units in after(DELUGE_II, "F1901M", units, owners, Power::ENGLAND) {
        assert!(!units.contains(&"A LON".to_owned()), "{units:?}");
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
        for seed in 0..testkit::amount(2, 10) {
            let mut game = Game::new(shipped::variant(id), 1912);
            play_out(&mut game, seven("dumbbot"), seed, &mut Seeded { seed, block: 0 }, &mut seen);
        }
    }
    assert!(u64::from(seen.moves) > testkit::amount(2_000, 10_000), "{}", seen.moves);
    assert_eq!((seen.collisions, seen.swaps), (0, 0));
}
