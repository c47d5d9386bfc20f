//! `feud` goes only where the centres of its rivals, of leaders, and of nobody are, as its settings say.

use std::collections::BTreeSet;

use crate::helpers::quick::kind;
use crate::helpers::seats::play_out;
use crate::helpers::shipped::variant;
use upheaval::bot::Bot;
use upheaval::game::Game;
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::rules::event::Log;
use upheaval::rules::movement::Resolution;
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::{Order, Orders};
use upheaval::rules::position::{Phase, Position};
use upheaval::rules::terrain::Terrain;
use upheaval_bots::{Feud, FeudSettings, Greedy};

/// A power that moves a unit into a centre of another power, and the centres that each power has then.
struct Attack {
    by: Power,
    on: Power,
    centres: ByPower<usize>,
    phase: Phase,
}

/// All such moves of a game.
#[derive(Default)]
struct Attacks(Vec<Attack>);

impl Log for Attacks {
    fn movement(
        &mut self,
        phase: Phase,
        terrain: &Terrain,
        seen: &Position,
        orders: &Orders,
        _: &Resolution,
    ) {
        let owned = ByPower::from_fn(Powers::STANDARD, |power| *seen.centres_of(power) & *terrain.centres());
        let centres = ByPower::from_fn(Powers::STANDARD, |power| owned[power].len());
        for by in Powers::STANDARD.iter() {
            for unit in *seen.units_of(by) {
                let Order::Move { to, .. } = orders[unit] else { continue };
                let owner = Powers::STANDARD.iter().find(|&power| owned[power].contains(to.province));
                if let Some(on) = owner.filter(|&on| on != by) {
                    self.0.push(Attack { by, on, centres: centres.clone(), phase });
                }
            }
        }
    }
}

/// The attacks in a game to 1912 in which this bot plays all powers, and its end.
fn played(id: &str, seed: u64, bot: impl Fn() -> Box<dyn Bot>) -> (Vec<Attack>, Game) {
    let mut game = Game::new(variant(id), 1912);
    let bots = ByPower::from_fn(Powers::STANDARD, |_| bot());
    let mut attacks = Attacks::default();
    play_out(&mut game, bots, seed, &mut Seeded { seed, block: 0 }, &mut attacks);
    (attacks.0, game)
}

fn feuds(id: &str, seed: u64, rivals: usize, leader: usize) -> Vec<Attack> {
    played(id, seed, || Box::new(Feud::new(FeudSettings { rivals, leader }))).0
}

const PLACES: [&str; 3] = ["standard", "black-hole-ii", "seismic-1971"];

#[test]
fn without_rivals_and_leaders_it_attacks_nobody() {
    for id in PLACES {
        for seed in 0..4 {
            let attacks = feuds(id, seed, 0, 0);
            assert!(attacks.is_empty(), "{id}, seed {seed}: {} on {}", attacks[0].by, attacks[0].on);
        }
    }
}

#[test]
fn it_attacks_one_rival_until_this_has_no_centre_left_and_rivals_are_drawn() {
    let mut first = BTreeSet::new();
    let mut changed = 0;
    for id in PLACES {
        for seed in 0..8 {
            let attacks = feuds(id, seed, 1, 0);
            for by in Powers::STANDARD.iter() {
                let own: Vec<&Attack> = attacks.iter().filter(|attack| attack.by == by).collect();
                first.extend(own.first().map(|attack| (by, attack.on)));
                for pair in own.windows(2).filter(|pair| pair[0].on != pair[1].on) {
                    changed += 1;
                    let left = pair[1].centres[pair[0].on];
                    assert_eq!(left, 0, "{id}, seed {seed}, {}: {by} has two rivals", pair[1].phase);
                }
            }
        }
    }
    assert!(changed > 5, "{changed} rivals lost their last centre");
    // In 1901 ENGLAND has only FRANCE within two moves, and TURKEY only RUSSIA; the five others have more.
    assert!(first.len() > 12, "rivals are always the same: {first:?}");
}

#[test]
fn it_has_as_many_rivals_as_it_may_have() {
    let most = |rivals| {
        let attacks = feuds("standard", 3, rivals, 0);
        let on = |by| attacks.iter().filter(|a| a.by == by && a.phase.year < 1906).map(|a| a.on).collect();
        let counts = Powers::STANDARD.iter().map(|by| {
            let on: BTreeSet<Power> = on(by);
            on.len()
        });
        counts.max().unwrap()
    };
    assert_eq!([0, 1, 2].map(most), [0, 1, 2]);
    assert!(most(100) > 2);
}

#[test]
fn powers_that_lead_are_attacked_by_all() {
    let mut attackers = BTreeSet::new();
    for seed in 0..8 {
        for attack in feuds("standard", seed, 0, 120) {
            let owners = attack.centres.iter().filter(|(_, centres)| **centres > 0).count();
            assert!(100 * attack.centres[attack.on] * owners >= 120 * 34, "seed {seed}, {}", attack.phase);
            attackers.insert(attack.by);
        }
    }
    assert_eq!(attackers.len(), 7);
}

#[test]
fn if_every_power_leads_it_plays_as_greedy() {
    for id in PLACES {
        let feud = || Box::new(Feud::new(FeudSettings { rivals: 0, leader: 1 })) as Box<dyn Bot>;
        let greedy = || Box::new(Greedy::default()) as Box<dyn Bot>;
        assert_eq!(played(id, 5, feud).1.hash(), played(id, 5, greedy).1.hash(), "{id}");
    }
}

#[test]
fn its_settings_are_those_of_experiments() {
    let (id, feud) = ("standard", kind("feud"));
    let make = feud.tuning.unwrap().make;
    let hash = |bot: &dyn Fn() -> Box<dyn Bot>| played(id, 2, bot).1.hash();
    let by_default = hash(&|| (feud.make)());
    assert_eq!(hash(&|| make(&[])), by_default);
    assert_eq!(hash(&|| Box::new(Feud::new(FeudSettings::DEFAULT))), by_default);
    let other = FeudSettings { rivals: 2, leader: 150 };
    assert_eq!(hash(&|| make(&[2, 150])), hash(&|| Box::new(Feud::new(other))));
    assert_ne!(hash(&|| make(&[2, 150])), by_default);
}
