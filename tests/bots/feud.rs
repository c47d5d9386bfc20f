//! `feud` moves into no centre of a power but its rivals and leaders, as its settings say, and is `greedy` otherwise.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::helpers::quick::kind;
use crate::helpers::seats::{bots, dice, play_out};
use crate::helpers::shipped::variant;
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::Bot;
use upheaval::game::{Game, Referee};
use upheaval::ids::{ByPower, Power, Powers, ProvinceSet};
use upheaval::play::{Seats, play};
use upheaval::rng::Stream;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::Log;
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::Order;
use upheaval::rules::position::Phase;
use upheaval::rules::settlement::{Settled, Settlement};
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
    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Movement { position: seen, orders, .. } = settlement.settled else { return };
        let (phase, terrain) = (settlement.at, settlement.terrain);
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
            assert!(attacks.is_empty(), "{id}, seed {seed}: {:?} on {:?}", attacks[0].by, attacks[0].on);
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
                    assert_eq!(left, 0, "{id}, seed {seed}, {}: {by:?} has two rivals", pair[1].phase);
                }
            }
        }
    }
    assert!(changed > 5, "{changed} rivals lost their last centre");
    assert!(first.len() > 12, "rivals are always the same: {first:?}");
}

/// In 1901 the centres of FRANCE are the only ones of another power within two moves of ENGLAND's units, and those of
/// RUSSIA within two of TURKEY's.
#[test]
fn a_rival_has_a_centre_within_two_moves() {
    let mut others = BTreeSet::new();
    for seed in 0..8 {
        let attacks = feuds("standard", seed, 1, 0);
        let first = |by| attacks.iter().find(|attack| attack.by == by).map(|attack| attack.on);
        assert!(first(Power::ENGLAND).is_none_or(|rival| rival == Power::FRANCE), "seed {seed}");
        assert_eq!(first(Power::TURKEY), Some(Power::RUSSIA), "seed {seed}");
        others.extend(first(Power::GERMANY));
    }
    assert!(others.len() > 1, "{others:?}");
}

#[test]
fn in_a_new_game_it_has_new_rivals() {
    let bots = || bots(|_| Feud::new(FeudSettings::DEFAULT));
    let end = |bots: &mut ByPower<Box<dyn Bot>>, seed| {
        let mut game = Game::new(variant("standard"), 1906);
        let mut dice = dice(seed);
        let seats = Seats { bots, dice: &mut dice };
        play(&mut game, &mut Referee::new(), seats, &mut Seeded { seed, block: 0 }, &mut ());
        game.hash()
    };
    let mut again = bots();
    for seed in 0..6 {
        assert_eq!(end(&mut again, seed), end(&mut bots(), seed), "seed {seed}");
    }
}

/// A `feud` without rivals, whose answers other than moves are those of a `greedy` to which the centres of all others
/// are about to vanish.
struct Beside {
    feud: Feud,
    greedy: Greedy,
    answers: Arc<AtomicU32>,
}

fn doomed<'a>(seen: &Observation<'a>) -> Observation<'a> {
    let own = *seen.position.centres_of(seen.power);
    let owned =
        seen.powers().iter().fold(ProvinceSet::EMPTY, |all, power| all | *seen.position.centres_of(power));
    let mut altered = *seen;
    altered.doomed |= (owned - own) & *seen.centres;
    altered
}

impl Bot for Beside {
    fn new_game(&mut self, power: Power) {
        self.feud.new_game(power);
    }

    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        if let Ask::Retreats(_) | Ask::Adjustments(_) | Ask::Seismic(_) = ask {
            let (mut other, altered) = (Answers::none(seen.powers()), doomed(seen));
            let mut greedy = Answer::new(&altered, std::slice::from_ref(ask), &mut other);
            self.greedy.decide(&altered, ask, &mut dice.clone(), &mut greedy);
            self.feud.decide(seen, ask, dice, answer);
            assert_eq!(answer.decided(ask), greedy.decided(ask));
            self.answers.fetch_add(1, Ordering::Relaxed);
        } else {
            self.feud.decide(seen, ask, dice, answer);
        }
    }
}

#[test]
fn retreats_adjustments_and_seismic_orders_are_those_of_greedy_without_the_spared_centres() {
    let answers = Arc::new(AtomicU32::new(0));
    for seed in 0..3 {
        let mut game = Game::new(variant("seismic-1971"), 1910);
        // Three of `greedy` dislodge the others.
        let bots = ByPower::from_fn(Powers::STANDARD, |power| match power.index() < 3 {
            true => Box::new(Greedy::default()) as Box<dyn Bot>,
            false => Box::new(Beside {
                feud: Feud::new(FeudSettings { rivals: 0, leader: 0 }),
                greedy: Greedy::default(),
                answers: Arc::clone(&answers),
            }),
        });
        play_out(&mut game, bots, seed, &mut Seeded { seed, block: 0 }, &mut ());
    }
    assert!(answers.load(Ordering::Relaxed) > 100);
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
fn without_rivals_it_attacks_powers_that_lead_and_no_others() {
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
