//! `greedy` and `dumbbot` take armies across the water: bots that never embark would not test the army/fleet rules.

use crate::helpers::quick::kind;
use crate::helpers::seats::play_out;
use crate::helpers::shipped::DELUGE_II;
use upheaval::game::Game;
use upheaval::ids::{ByPower, Powers, ProvinceSet};
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
    embarked: u32,
    all_three_at_once: u32,
    laden_before_and_sailed: u32,
    laden_before_and_landed: u32,
    ferried: u32,
    landings_supported: u32,
    took_a_centre: u32,
    became_fleet: u32,
    landed: ProvinceSet,
}

impl Log for Passages {
    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Movement { position, orders, resolution, .. } = settlement.settled else { return };
        self.landed = ProvinceSet::EMPTY;
        for (fleet, to) in resolution.landed() {
            self.landed.insert(to);
            let boarded = resolution.embarked().iter().any(|army| orders[army] == Order::Embark { fleet });
            self.all_three_at_once += u32::from(boarded && resolution.moved(fleet));
            self.laden_before_and_landed += u32::from(!boarded);
        }
        let sailed = position.laden().iter().filter(|&fleet| resolution.moved(fleet));
        self.laden_before_and_sailed += sailed.count() as u32;
        for unit in *position.occupied() {
            let done = resolution.outcome(unit) == Some(Outcome::Succeeded);
            match orders[unit] {
                Order::Embark { .. } => self.embarked += u32::from(done),
                Order::SupportLanding { .. } => self.landings_supported += u32::from(done),
                Order::Convoy { .. } => self.ferried += u32::from(done),
                _ => {}
            }
        }
    }

    fn event(&mut self, _: Phase, _: &MapTables, event: &Event) {
        match event {
            Event::BecameFleet(..) => self.became_fleet += 1,
            Event::Captured { centre, .. } if self.landed.contains(*centre) => self.took_a_centre += 1,
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
        let bots = ByPower::from_fn(Powers::STANDARD, |_| (kind(name).make)());
        play_out(&mut game, bots, seed, &mut Seeded { seed, block: 0 }, &mut passages);
    }
    println!("{passages:?}");
    let Passages {
        embarked,
        all_three_at_once,
        laden_before_and_sailed,
        laden_before_and_landed,
        ferried,
        landings_supported,
        took_a_centre,
        became_fleet,
        ..
    } = passages;
    for (what, times) in [
        ("boards", embarked),
        ("boards, sails and lands in one season", all_three_at_once),
        ("sails with an army aboard from before", laden_before_and_sailed),
        ("lands an army aboard from before", laden_before_and_landed),
        ("ferries", ferried),
        ("supports a landing", landings_supported),
        ("takes a centre by landing", took_a_centre),
        ("makes fleets of armies", became_fleet),
    ] {
        assert!(times >= 3, "{name} {what} {times} times in 60 games");
    }
}
