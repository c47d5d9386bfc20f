//! Lists of retreats, where these are sent with the orders (rules.md 4.12): the lists of the bots that ship.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::helpers::seats::{dice, play_out, seven};
use crate::helpers::shipped::{SCHIZO_II, variant};
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{Location, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::play::{Seats, play_stage};
use upheaval::rules::answers::Answers;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::Orders;
use upheaval::rules::position::Phase;
use upheaval::rules::retreat;
use upheaval::rules::settlement::{Settled, Settlement};

/// A unit, the places that it can go to by itself, and its list.
struct Listed {
    phase: Phase,
    power: Power,
    ways: Vec<Location>,
    list: Vec<Location>,
}

/// All lists of a game.
#[derive(Default)]
struct Lists(Vec<Listed>);

impl Log for Lists {
    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Movement { position, orders, .. } = settlement.settled else { return };
        let (phase, terrain) = (settlement.at, settlement.terrain);
        for at in *position.occupied() {
            let unit = position.unit(at).expect("a unit");
            let ways = retreat::ways(terrain.board(), at, unit.kind, unit.coast).collect();
            let list = orders.retreats().of(at).to_vec();
            self.0.push(Listed { phase, power: unit.power, ways, list });
        }
    }
}

fn lists_of(id: &str, name: &str, years: u16) -> Vec<Listed> {
    let mut lists = Lists::default();
    for seed in 0..3 {
        let mut game = Game::new(variant(id), 1900 + years);
        play_out(&mut game, seven(name), seed, &mut Seeded { seed, block: 0 }, &mut lists);
    }
    assert!(lists.0.len() > 300);
    lists.0
}

#[test]
fn who_plays_with_care_lists_every_place_once() {
    for (name, years) in [("greedy", 8), ("dumbbot", 8), ("search", 3)] {
        for Listed { phase, ways, list, .. } in lists_of("schizo-ii", name, years) {
            let mut sorted = list.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, ways, "{name}, {phase}");
        }
    }
}

#[test]
fn no_two_lists_of_a_power_begin_with_one_place_while_there_is_another() {
    for name in ["greedy", "dumbbot"] {
        let lists = lists_of("schizo-ii", name, 8);
        let of_seasons = lists.chunk_by(|a, b| a.phase == b.phase);
        let mut shared = 0;
        for season in of_seasons {
            for power in Powers::STANDARD {
                let firsts = season.iter().filter(|listed| listed.power == power);
                let firsts: Vec<ProvinceId> =
                    firsts.filter_map(|listed| Some(listed.list.first()?.province)).collect();
                let different: BTreeSet<ProvinceId> = firsts.iter().copied().collect();
                shared += firsts.len() - different.len();
            }
        }
        let all = lists.len();
        assert!(shared * 20 < all, "{name}: {shared} of {all} lists begin as another does");
    }
}

#[test]
fn hold_lists_nothing_and_random_lists_by_its_dice() {
    assert!(lists_of("schizo-ii", "hold", 8).iter().all(|listed| listed.list.is_empty()));
    let lists = lists_of("schizo-ii", "random", 8);
    let (mut empty, mut whole, mut in_order) = (0, 0, 0);
    for Listed { ways, list, .. } in &lists {
        let places: BTreeSet<&Location> = list.iter().collect();
        assert!(places.len() == list.len() && list.iter().all(|place| ways.contains(place)));
        empty += usize::from(list.is_empty());
        whole += usize::from(list.len() == ways.len());
        in_order += usize::from(list.len() > 2 && list.is_sorted());
    }
    let all = lists.len();
    assert!(
        empty * 20 > all && whole * 20 > all && in_order * 4 < all,
        "{empty}, {whole}, {in_order} of {all}"
    );
}

#[test]
fn nobody_lists_anything_where_retreats_are_asked_for() {
    for name in upheaval_bots::KINDS.map(|kind| kind.name) {
        let lists = lists_of("black-hole-i", name, if name == "search" { 3 } else { 6 });
        assert!(lists.iter().all(|listed| listed.list.is_empty()), "{name}");
    }
}

/// The destination of each dislodged unit, in the order of the reports.
struct Went(Vec<(ProvinceId, Option<ProvinceId>)>, Orders);

impl Log for Went {
    fn event(&mut self, _: Phase, _: &MapTables, event: &Event) {
        match event {
            Event::Retreated(unit, to) => self.0.push((unit.at, Some(to.province))),
            Event::Disbanded(unit) => self.0.push((unit.at, None)),
            _ => {}
        }
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Movement { orders, .. } = settlement.settled else { return };
        self.1 = orders.clone();
    }
}

/// Bots that evaluate places list, more often than not, the place that they would choose if they were asked: they only
/// lack the final positions of all units.
#[test]
fn lists_lead_where_the_bot_would_retreat_if_it_were_asked() {
    let asked = SCHIZO_II.changed("sent = \"with-orders\"", "sent = \"after-movement\"");
    for (name, at_least) in [("greedy", 80), ("dumbbot", 60)] {
        let (mut same, mut all) = (0, 0);
        for seed in 0..12 {
            let mut game = Game::new(variant("schizo-ii"), 1912);
            let (mut bots, mut dice, mut nature) = (seven(name), dice(seed), Seeded { seed, block: 0 });
            let mut referee = Referee::new();
            while game.stage() != Stage::Over {
                let (world, phase) = (game.world().clone(), game.phase());
                let was_movement = game.stage() == Stage::Movement;
                let mut went = Went(Vec::new(), Orders::all_hold());
                let seats = &mut Seats { bots: &mut bots, dice: &mut dice };
                play_stage(&mut game, &mut referee, seats, &mut nature, &mut went);
                if !was_movement {
                    continue;
                }
                // The same movement, with the bots asked afterwards.
                let mut other = Game::resumed(Arc::clone(&asked), u16::MAX, world, phase);
                let answers = Answers { orders: went.1, ..Answers::none(Powers::STANDARD) };
                other.settle(&mut referee, &answers, &mut nature, &mut ());
                if other.stage() != Stage::Retreats {
                    continue;
                }
                let mut answered = Went(Vec::new(), Orders::all_hold());
                play_stage(&mut other, &mut referee, seats, &mut nature, &mut answered);
                all += went.0.len();
                same += went.0.iter().filter(|one| answered.0.contains(one)).count();
            }
        }
        assert!(all > 30 && same * 100 >= all * at_least, "{name}: {same} of {all}");
    }
}

#[test]
fn greedy_retreats_to_a_centre_that_it_can_take() {
    let variant = variant("schizo-ii");
    let names = variant.terrain.names();
    let mut lists = Lists::default();
    let mut game = Game::new(Arc::clone(&variant), 1901);
    let (mut bots, mut dice) = (seven("greedy"), dice(1));
    let seats = &mut Seats { bots: &mut bots, dice: &mut dice };
    play_stage(&mut game, &mut Referee::new(), seats, &mut Seeded { seed: 1, block: 0 }, &mut lists);
    let venice = names.find("VEN").expect("a province");
    let of_italy = lists.0.iter().filter(|listed| listed.power == Power::ITALY);
    let from_venice = |listed: &&Listed| {
        listed.ways.iter().map(|to| to.province).collect::<ProvinceSet>()
            == *variant.terrain.board().army_reach(venice)
    };
    let list = &of_italy.clone().find(from_venice).expect("an army in Venice").list;
    assert_eq!(names.province(list[0].province), "TRI", "{list:?}");
}
