//! Bots use seismic orders deliberately: `greedy` and `dumbbot` bring centres into reach and cut off threats, `random`
//! draws every kind.

use std::collections::BTreeMap;

use crate::helpers::seats::{play_out, seven};
use crate::helpers::shipped::SEISMIC_1971;
use crate::helpers::table::Lists;
use upheaval::game::Game;
use upheaval::ids::Power;
use upheaval::rules::event::Log;
use upheaval::rules::nature::Seeded;
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

/// Compares a bot's order for a power in the last phase of a game, the same for several dice.
#[track_caller]
fn assert_orders(bot: &str, power: Power, units: &Lists<'_>, centres: &Lists<'_>, expected: Option<&str>) {
    let set = SEISMIC_1971.set("W1905E", &[], units, centres).game;
    for seed in 0..5 {
        let mut orders = Orders::default();
        let world = set.world().clone();
        let mut game = Game::resumed(SEISMIC_1971.variant(), 1905, world, set.phase());
        play_out(&mut game, seven(bot), seed, &mut Seeded { seed, block: 0 }, &mut orders);
        let given: Vec<&str> =
            orders.given.iter().filter(|(by, _)| *by == power).map(|(_, text)| text.as_str()).collect();
        assert_eq!(given, Vec::from_iter(expected), "{bot} for {power:?} with {units:?}");
    }
}

/// Budapest is the only centre that one order brings next to the Ukraine.
const BUDAPEST: Option<&str> = Some("separate GAL RUM connect BUD UKR");

const CONSTANTINOPLE: Option<&str> = Some("separate BUL CON connect AEG BLA");

#[test]
fn dumbbot_brings_a_centre_into_the_reach_of_its_unit_and_cuts_off_a_threat() {
    assert_orders("dumbbot", Power::RUSSIA, &[(Power::RUSSIA, &["A UKR"])], &[], BUDAPEST);
    let (threat, owner): (&Lists<'_>, &Lists<'_>) =
        (&[(Power::AUSTRIA, &["A BUL"])], &[(Power::TURKEY, &["CON"])]);
    assert_orders("dumbbot", Power::TURKEY, threat, owner, CONSTANTINOPLE);
    let (far, owner): (&Lists<'_>, &Lists<'_>) =
        (&[(Power::RUSSIA, &["A SEV"])], &[(Power::ENGLAND, &["LON"])]);
    assert_orders("dumbbot", Power::ENGLAND, far, owner, None);
}

#[test]
fn greedy_brings_a_centre_into_the_reach_of_its_unit() {
    let unit: &Lists<'_> = &[(Power::RUSSIA, &["A UKR"])];
    assert_orders("greedy", Power::RUSSIA, unit, &[], BUDAPEST);
    // Not one that it has.
    assert_orders("greedy", Power::RUSSIA, unit, &[(Power::RUSSIA, &["BUD"])], None);
}

#[test]
fn greedy_cuts_off_a_threat_to_its_centre() {
    let (threat, owner): (&Lists<'_>, &Lists<'_>) =
        (&[(Power::AUSTRIA, &["A BUL"])], &[(Power::TURKEY, &["CON"])]);
    assert_orders("greedy", Power::TURKEY, threat, owner, CONSTANTINOPLE);
    // A fleet at sea is a threat as well.
    let (threat, owner): (&Lists<'_>, &Lists<'_>) =
        (&[(Power::TURKEY, &["F ADR"])], &[(Power::ITALY, &["VEN"])]);
    assert_orders("greedy", Power::ITALY, threat, owner, Some("separate ADR VEN connect APU TRI"));
    // Where nothing helps it, it orders nothing.
    let (far, owner): (&Lists<'_>, &Lists<'_>) =
        (&[(Power::RUSSIA, &["A SEV"])], &[(Power::ENGLAND, &["LON"])]);
    assert_orders("greedy", Power::ENGLAND, far, owner, None);
}

#[test]
fn random_draws_every_kind_of_order_and_only_those_on_the_list() {
    let mut orders = Orders::default();
    for seed in 0..30 {
        let game = &mut Game::new(SEISMIC_1971.variant(), 1915);
        play_out(game, seven("random"), seed, &mut Seeded { seed, block: 0 }, &mut orders);
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
