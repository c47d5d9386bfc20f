//! Bots use seismic orders deliberately: `greedy` and `dumbbot` bring centres into reach and cut off threats, `random`
//! draws every kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::helpers::quick::kind;
use crate::helpers::seats::play_out;
use crate::helpers::shipped::SEISMIC_1971;
use upheaval::game::Game;
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::rules::event::Log;
use upheaval::rules::game_state::GameState;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::Seeded;
use upheaval::rules::notation::parse_unit;
use upheaval::rules::position::Unit;
use upheaval::rules::settlement::{Settled, Settlement};
use upheaval::topology::{MapEvent, Quake};

/// Every seismic order as text, with the power that gave it, and how many of them are not in the list of legal orders.
#[derive(Default)]
struct Orders {
    given: Vec<(Power, String)>,
    unlisted: u32,
}

impl Log for Orders {
    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Seismic { orders, .. } = settlement.settled else { return };
        let terrain = settlement.terrain;
        let map = terrain.chart().map();
        let listed = |quake: Quake| self.unlisted += u32::from(!terrain.quakes().contains(&quake));
        let given = orders.iter().filter_map(|(power, order)| Some((power, order.as_ref()?.quake)));
        let given: Vec<(Power, Quake)> = given.collect();
        given.iter().map(|&(_, quake)| quake).for_each(listed);
        self.given.extend(given.into_iter().map(|(power, quake)| (power, quake.event(map).to_string())));
    }
}

fn seated(bot: &str, game: &mut Game, seed: u64, orders: &mut Orders) {
    let bots = ByPower::from_fn(Powers::STANDARD, |_| (kind(bot).make)());
    play_out(game, bots, seed, &mut Seeded { seed, block: 0 }, orders);
}

/// A bot's orders for a power in the last phase of a game, for several dice.
fn orders_of(
    bot: &str,
    power: Power,
    events: &[&str],
    units: &[(Power, &str)],
    centres: &[(Power, &str)],
) -> Vec<String> {
    let variant = SEISMIC_1971.variant();
    let mut chart = variant.terrain.chart().clone();
    for event in events {
        event.parse::<MapEvent>().expect("an event").apply(&mut chart).expect("it fits");
    }
    let terrain = Arc::new(MapTables::new(chart));
    let mut world = GameState::new(Arc::clone(&terrain));
    for &(power, text) in units {
        let (kind, at) = parse_unit(text, terrain.names(), terrain.board()).expect("a unit");
        world.position.place(at.province, Unit::new(kind, power, at.coast));
    }
    for &(power, name) in centres {
        world.position.set_owner(terrain.names().find(name).expect("a centre"), Some(power));
    }
    let mut orders = Orders::default();
    for seed in 0..5 {
        let phase = "W1905E".parse().expect("a phase");
        let mut game = Game::resumed(Arc::clone(&variant), 1905, world.clone(), phase);
        seated(bot, &mut game, seed, &mut orders);
    }
    orders.given.into_iter().filter(|(by, _)| *by == power).map(|(_, text)| text).collect()
}

fn greedy_orders(
    power: Power,
    events: &[&str],
    units: &[(Power, &str)],
    centres: &[(Power, &str)],
) -> Vec<String> {
    orders_of("greedy", power, events, units, centres)
}

#[test]
fn dumbbot_brings_a_centre_into_the_reach_of_its_unit_and_cuts_off_a_threat() {
    let orders = |power, units: &[_], centres: &[_]| orders_of("dumbbot", power, &[], units, centres);
    let seen = orders(Power::RUSSIA, &[(Power::RUSSIA, "A UKR")], &[]);
    assert_eq!(seen, vec!["separate GAL RUM connect BUD UKR"; 5]);
    let seen = orders(Power::TURKEY, &[(Power::AUSTRIA, "A BUL")], &[(Power::TURKEY, "CON")]);
    assert_eq!(seen, vec!["separate BUL CON connect AEG BLA"; 5]);
    let seen = orders(Power::ENGLAND, &[(Power::RUSSIA, "A SEV")], &[(Power::ENGLAND, "LON")]);
    assert!(seen.is_empty(), "{seen:?}");
}

#[test]
fn greedy_brings_a_centre_into_the_reach_of_its_unit() {
    // Budapest is the only centre that one order brings next to the Ukraine.
    let seen = greedy_orders(Power::RUSSIA, &[], &[(Power::RUSSIA, "A UKR")], &[]);
    assert_eq!(seen, vec!["separate GAL RUM connect BUD UKR"; 5]);
}

#[test]
fn greedy_does_not_move_the_earth_for_a_centre_that_it_has() {
    let seen = greedy_orders(Power::RUSSIA, &[], &[(Power::RUSSIA, "A UKR")], &[(Power::RUSSIA, "BUD")]);
    assert!(seen.is_empty(), "{seen:?}");
}

#[test]
fn greedy_cuts_off_a_threat_to_its_centre() {
    let units = [(Power::AUSTRIA, "A BUL")];
    let seen = greedy_orders(Power::TURKEY, &[], &units, &[(Power::TURKEY, "CON")]);
    assert_eq!(seen, vec!["separate BUL CON connect AEG BLA"; 5]);
    // A fleet at sea is a threat as well.
    let seen = greedy_orders(Power::ITALY, &[], &[(Power::TURKEY, "F ADR")], &[(Power::ITALY, "VEN")]);
    assert_eq!(seen, vec!["separate ADR VEN connect APU TRI"; 5]);
}

#[test]
fn greedy_orders_nothing_where_nothing_helps_it() {
    let seen = greedy_orders(Power::ENGLAND, &[], &[(Power::RUSSIA, "A SEV")], &[(Power::ENGLAND, "LON")]);
    assert!(seen.is_empty(), "{seen:?}");
}

#[test]
fn random_draws_every_kind_of_order_and_only_those_on_the_list() {
    let mut orders = Orders::default();
    for seed in 0..30 {
        seated("random", &mut Game::new(SEISMIC_1971.variant(), 1915), seed, &mut orders);
    }
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, text) in &orders.given {
        let event: MapEvent = text.parse().expect("an event");
        let [kind, faces] = match &event {
            MapEvent::Separate { apart: [a, b], together: [c, d], .. } => [
                if c == d { "an island is made" } else { "two separate and two connect" },
                if [a, b, c, d].iter().any(|name| ["SWI", "OUT"].contains(&name.as_str())) {
                    "with SWI or OUT"
                } else {
                    ""
                },
            ],
            MapEvent::Connect { .. } => ["a release", ""],
            other => panic!("{other}"),
        };
        for kind in [kind, faces] {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    for kind in ["two separate and two connect", "an island is made", "a release", "with SWI or OUT"] {
        assert!(kinds.get(kind).copied().unwrap_or(0) >= 10, "{kind}: {kinds:?}");
    }
    assert_eq!(orders.unlisted, 0);
    // Each power gives orders.
    assert!(Power::STANDARD.iter().all(|power| orders.given.iter().any(|(by, _)| by == power)));
}
