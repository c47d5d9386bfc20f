//! `greedy` and `dumbbot` take armies across the water: bots that never embark would not test the army/fleet rules.

use std::collections::BTreeMap;

use crate::helpers::seats::{play_out, seven};
use crate::helpers::shipped::DELUGE_II;
use upheaval::game::Game;
use upheaval::ids::ProvinceSet;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::movement::Outcome;
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::Order;
use upheaval::rules::position::Phase;
use upheaval::rules::settlement::{Settled, Settlement};

/// How often each kind of passage occurred.
#[derive(Default, Debug)]
struct Passages {
    seen: BTreeMap<&'static str, usize>,
    landed: ProvinceSet,
}

impl Passages {
    fn note(&mut self, what: &'static str, times: usize) {
        *self.seen.entry(what).or_default() += times;
    }
}

impl Log for Passages {
    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Movement { position, orders, resolution, .. } = settlement.settled else { return };
        self.landed = ProvinceSet::EMPTY;
        for (fleet, to) in resolution.landed() {
            self.landed.insert(to);
            match resolution.embarked().iter().any(|army| orders[army] == Order::Embark { fleet }) {
                true if resolution.moved(fleet) => self.note("boards, sails and lands in one season", 1),
                true => {}
                false => self.note("lands an army aboard from before", 1),
            }
        }
        let sailed = position.laden().iter().filter(|&fleet| resolution.moved(fleet));
        self.note("sails with an army aboard from before", sailed.count());
        for unit in *position.occupied() {
            let done = usize::from(resolution.outcome(unit) == Some(Outcome::Succeeded));
            match orders[unit] {
                Order::Embark { .. } => self.note("boards", done),
                Order::SupportLanding { .. } => self.note("supports a landing", done),
                Order::Convoy { .. } => self.note("ferries", done),
                _ => {}
            }
        }
    }

    fn event(&mut self, _: Phase, _: &MapTables, event: &Event) {
        match event {
            Event::BecameFleet(..) => self.note("makes fleets of armies", 1),
            Event::Captured { centre, .. } if self.landed.contains(*centre) => {
                self.note("takes a centre by landing", 1);
            }
            _ => {}
        }
    }
}

#[test]
fn greedy_embarks_sails_lands_and_takes_centres_that_way() {
    embarks_sails_and_lands("greedy");
}

#[test]
fn dumbbot_embarks_sails_lands_and_takes_centres_that_way() {
    embarks_sails_and_lands("dumbbot");
}

fn embarks_sails_and_lands(name: &str) {
    let mut passages = Passages::default();
    for seed in 0..60 {
        let mut game = Game::new(DELUGE_II.variant(), 1910);
        play_out(&mut game, seven(name), seed, &mut Seeded { seed, block: 0 }, &mut passages);
    }
    for what in [
        "boards",
        "boards, sails and lands in one season",
        "sails with an army aboard from before",
        "lands an army aboard from before",
        "ferries",
        "supports a landing",
        "takes a centre by landing",
        "makes fleets of armies",
    ] {
        let times = passages.seen.get(what).copied().unwrap_or_default();
        assert!(times >= 3, "{name} {what} {times} times in 60 games");
    }
}
