//! The draws of `schizo-ii`, counted over many seeds, and a game that lasts for a century: rr07 rules 2 and 5; rules.md
//! 4.1, 4.2, 4.11.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::helpers::chances::uniform;
use crate::helpers::seats::{bots, draw_answer, play_out};
use crate::helpers::shipped::{SCHIZO_II, variant};
use crate::helpers::small_maps;
use crate::helpers::table::{Told, phase};
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::{Bot, Decision};
use upheaval::game::Game;
use upheaval::ids::{MAX_PROVINCES, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::rng::Stream;
use upheaval::rules::changes::Entry;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{HowMany, Nature, Seeded};
use upheaval::rules::position::{Phase, Position};
use upheaval::topology::{HalfEdgeId, MapEvent, NamedMap};

/// The standard board after these events.
fn ground(events: &[&str]) -> MapTables {
    let mut chart: NamedMap = variant("schizo-ii").terrain.chart().clone();
    for event in events {
        event.parse::<MapEvent>().unwrap().apply(&mut chart).unwrap();
    }
    MapTables::new(chart)
}

/// Where cards end a border across this province, over many blocks: the names of the opposite neighbours.
fn deals(terrain: &MapTables, province: &str, count: u64) -> Vec<[HalfEdgeId; 2]> {
    let province = terrain.names().find(province).unwrap();
    let deal = |block| Seeded { seed: 11, block }.ends(phase("S1903M"), terrain, province).expect("two ends");
    (0..count).map(deal).collect()
}

fn pairs(terrain: &MapTables, province: &str, each: u64) -> BTreeMap<[String; 2], u64> {
    let map = terrain.chart().map();
    let id = map.find(province).unwrap();
    let dealt: ProvinceSet = map.sides_of(id).map(|side| map.across(side)).collect();
    let names: Vec<&str> = dealt.iter().map(|id| map.name(id)).filter(|name| *name != "OUT").collect();
    let mut counts = BTreeMap::new();
    for a in &names {
        for b in names.iter().filter(|b| *b != a) {
            counts.insert([(*a).to_owned(), (*b).to_owned()], 0);
        }
    }
    for ends in deals(terrain, province, each * counts.len() as u64) {
        let pair = ends.map(|end| map.name(map.across(end)).to_owned());
        *counts.get_mut(&pair).unwrap_or_else(|| panic!("{pair:?} cannot be dealt")) += 1;
    }
    counts
}

// ---- rule 2 (iii), the cards ----

#[test]
fn schizo_ii_rule_2_iii_every_two_bordering_territories_are_equally_likely() {
    // Impassable ones are in the deal, the Outside is not, and a territory that meets the province twice has one card.
    for (events, provinces) in [
        (&[][..], &["BUR", "MUN", "BEL", "TUN", "NAF", "STP", "ARM", "SPA", "MAO"][..]),
        (&["void MAR", "void PAR"], &["BUR"]),
    ] {
        for province in provinces {
            let counts = pairs(&ground(events), province, 200);
            let p = uniform(counts.values());
            assert!(p > 0.001, "{province} after {events:?}: p = {p}");
            let impassable = ["SWI", "MAR", "PAR"].map(|name| counts.keys().any(|pair| pair[0] == name));
            assert!(*province != "BUR" || impassable == [true; 3], "{counts:?}");
        }
    }
}

#[test]
fn schizo_ii_rulings_4_11_of_two_stretches_with_one_territory_each_is_equally_likely() {
    let terrain = ground(&[]);
    let map = terrain.chart().map();
    for (province, twice) in [("SPA", "MAO"), ("MAO", "SPA")] {
        let mut stretches: BTreeMap<HalfEdgeId, u64> = BTreeMap::new();
        for end in deals(&terrain, province, 20_000).into_iter().flatten() {
            if map.name(map.across(end)) == twice {
                *stretches.entry(end).or_default() += 1;
            }
        }
        let p = uniform(stretches.values());
        assert!(stretches.len() == 2 && p > 0.001, "{province}: {stretches:?}");
    }
}

#[test]
fn schizo_ii_rulings_4_11_with_one_bordering_territory_both_ends_lie_on_it() {
    for (lines, province) in [
        (small_maps::POND, "AA"),
        ("AA land BB OUT\nBB sea OUT AA\nOUT outside AA BB", "AA"),
        ("OUT outside RIM\nRIM land OUT / ISLE\nISLE land RIM", "ISLE"),
    ] {
        let terrain = MapTables::new(small_maps::chart(lines));
        for [first, second] in deals(&terrain, province, 20) {
            assert_eq!(first, second);
            let mut chart = terrain.chart().clone();
            let [one, two] = chart.split(first, second).expect("it can be split");
            assert!(chart.map().faults().is_empty(), "{:?}", chart.map().faults());
            let across = |half| -> Vec<&str> {
                chart.map().sides_of(half).map(|side| chart.map().name(chart.map().across(side))).collect()
            };
            assert_eq!(across(one).len(), 2, "the first half is the piece in between");
            assert!(across(two).contains(&chart.map().name(one)));
        }
    }
}

#[test]
fn schizo_ii_rulings_4_11_what_nobody_but_the_outside_borders_is_not_split() {
    let terrain = MapTables::new(small_maps::chart("OUT outside RIM\nRIM land OUT"));
    let rim = terrain.chart().map().find("RIM").unwrap();
    assert_eq!(Seeded { seed: 1, block: 1 }.ends(phase("S1901M"), &terrain, rim), None);
}

#[test]
fn schizo_ii_rulings_1_6_the_border_ends_on_the_cycle_where_it_begins() {
    let terrain = MapTables::new(small_maps::chart(small_maps::NESTED));
    let map = terrain.chart().map();
    for province in ["SEA", "LAKE", "RIM", "ISLE"] {
        for [first, second] in deals(&terrain, province, 50) {
            assert!(map.cycle(first).any(|side| side == second));
            let mut chart = terrain.chart().clone();
            chart.split(first, second).expect("it can be split");
            assert!(chart.map().faults().is_empty(), "{province}");
        }
    }
}

#[test]
fn schizo_ii_rulings_4_11_the_half_in_which_the_unit_stays_is_a_fair_lot() {
    let terrain = ground(&["split BUR PAR MUN"]);
    let halves = ["BUR.1", "BUR.2"].map(|name| terrain.names().find(name).unwrap());
    let mut counts: BTreeMap<ProvinceId, u64> = BTreeMap::new();
    for block in 0..10_000 {
        let half = Seeded { seed: 2, block }.half(phase("S1903M"), &terrain, &halves).unwrap();
        *counts.entry(half).or_default() += 1;
    }
    assert_eq!(counts.len(), 2);
    assert!(uniform(counts.values()) > 0.001, "{counts:?}");
    let only = Seeded { seed: 2, block: 0 }.half(phase("S1903M"), &terrain, &halves[1..]);
    assert_eq!(only, Some(halves[1]));
}

// ---- rule 2, the draws ----

fn entry(id: &str) -> Entry {
    variant("schizo-ii").changes.entry(id).expect("an entry").clone()
}

#[test]
fn schizo_ii_rule_2_each_draw_is_uniform_and_halves_are_as_likely_as_provinces() {
    let terrain = ground(&["split BUR PAR MUN", "split BUR.2 BEL MUN", "void PAR", "void MAO"]);
    let open = terrain.board().passable();
    let holes = terrain.chart().map().holes() | ProvinceSet::single(terrain.names().find("TYR").unwrap());
    for (draw, eligible) in [("holes", open), ("splits", open), ("restores", holes)] {
        let mut counts: BTreeMap<ProvinceId, u64> = eligible.iter().map(|id| (id, 0)).collect();
        for block in 0..200 * eligible.len() as u64 {
            let drawn = Seeded { seed: 5, block }.faces(
                phase("F1905M"),
                &entry(draw),
                &terrain,
                &eligible,
                HowMany::Count(1),
            );
            *counts.get_mut(&drawn[0]).expect("only the eligible") += 1;
        }
        let p = uniform(counts.values());
        assert!(p > 0.001, "{draw}: p = {p}");
    }
}

#[test]
fn schizo_ii_rulings_4_2_the_draws_of_a_season_know_nothing_of_each_other() {
    let terrain = ground(&[]);
    let eligible = terrain.board().passable();
    let mut same = 0;
    for block in 0..7_500 {
        let drawn = ["holes", "splits", "restores"].map(|draw| {
            Seeded { seed: 5, block }.faces(
                phase("F1905M"),
                &entry(draw),
                &terrain,
                &eligible,
                HowMany::Count(1),
            )[0]
        });
        same += u32::from(drawn[0] == drawn[1]) + u32::from(drawn[1] == drawn[2]);
    }
    assert!((145..=260).contains(&same), "{same} of 15000 are the same; 200 are expected");
}

/// The chance of high cards for a province does not depend on the card of its neighbour, nor on the season before.
#[test]
fn schizo_ii_rulings_4_2_the_deal_is_made_anew_for_each_season_and_province() {
    let terrain = ground(&[]);
    let id = |name| terrain.names().find(name).unwrap();
    let map = terrain.chart().map();
    let first = |block, at, province| {
        let [end, _] = Seeded { seed: 3, block }.ends(phase(at), &terrain, id(province)).unwrap();
        map.across(end)
    };
    // Burgundy has eight neighbours, Gascony six; they share Paris and Marseilles.
    let (mut same_season, mut same_neighbour) = (0, 0);
    for block in 0..8_000 {
        same_season += u32::from(first(block, "S1903M", "BUR") == first(block, "F1903M", "BUR"));
        same_neighbour += u32::from(first(block, "S1903M", "BUR") == first(block, "S1903M", "GAS"));
    }
    assert!((870..=1130).contains(&same_season), "{same_season} of 8000; 1000 are expected");
    // Two of 48 pairs of neighbours are the same.
    assert!((265..=405).contains(&same_neighbour), "{same_neighbour} of 8000; 333 are expected");
}

// ---- long games ----

/// The exempt centre in each power's observation, phase by phase.
type Seen = Vec<(Power, Option<ProvinceId>)>;

/// A bot that holds or draws its orders, builds if it can, and records the exemptions in its observations.
struct Player {
    moves: bool,
    names: Option<&'static str>,
    seen: Arc<Mutex<Seen>>,
}

impl Bot for Player {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Movement(_) => {
                assert!(seen.powers().iter().all(|power| seen.announced(power).is_none()));
                assert!(seen.doomed.is_empty(), "nothing is foretold");
                self.seen.lock().unwrap().push((seen.power, seen.exempt));
                draw_answer(seen, ask, dice, answer, self.moves);
            }
            Ask::Exempt(_) => {
                if let Some(centre) = self.names.and_then(|name| seen.names().find(name)) {
                    answer.give(&Decision::Exempt(centre));
                }
            }
            _ => draw_answer(seen, ask, dice, answer, self.moves),
        }
    }
}

/// Counts the faces at the end of every season, and keeps the names of all halves.
#[derive(Default)]
struct Inspector {
    told: Told,
    most_faces: usize,
    names: Vec<String>,
}

impl Log for Inspector {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        if let Event::Split(halves) = event {
            self.names.extend(halves.map(|half| terrain.chart().map().name(half).to_owned()));
        }
        self.told.event(at, terrain, event);
    }

    fn season(&mut self, at: Phase, terrain: &MapTables, position: &Position) {
        let map = terrain.chart().map();
        self.most_faces = self.most_faces.max(map.faces().count());
        if at.year.is_multiple_of(5) {
            assert_eq!(map.faults(), Vec::<String>::new());
        }
        let board = terrain.board();
        for at in *position.occupied() {
            let place = position.location(at).expect("a unit");
            let stands = !position.fleets().contains(at) || board.stations_of(at).any(|other| other == place);
            assert!(board.passable().contains(at) && stands, "{at:?}");
        }
        for power in Powers::STANDARD {
            assert!(position.centres_of(power).is_subset(terrain.centres()));
        }
    }
}

/// A game in which no power wins before the end, and France, if anybody, names an exempt centre.
fn played(seed: u64, moves: bool, last_year: u16, names: Option<&'static str>) -> (Game, Inspector, Seen) {
    let endless = "rule = \"last-survivor\"\nlast_winter = 9999";
    let mut game = Game::new(SCHIZO_II.changed("rule = \"unit-and-centre-majority\"", endless), last_year);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let players = bots(|power| {
        let names = names.filter(|_| power == Power::FRANCE);
        Player { moves, names, seen: Arc::clone(&seen) }
    });
    let mut log = Inspector::default();
    play_out(&mut game, players, seed, &mut Seeded { seed, block: 0 }, &mut log);
    let seen = seen.lock().unwrap().clone();
    (game, log, seen)
}

#[test]
fn schizo_ii_rulings_4_11_once_the_map_holds_256_faces_none_is_split_and_the_game_goes_on() {
    let (game, mut log, _) = played(2, true, 1999, None);
    assert_eq!(game.phase().year, 1999, "it went on: {:?}", game.ending());
    let since = |year, fits: fn(&Event) -> bool| {
        log.told.events.iter().filter(|(at, event)| at.year >= year && fits(event)).count()
    };
    assert_eq!(log.most_faces, MAX_PROVINCES);
    let splits = [1901, 1992].map(|year| since(year, |event| matches!(event, Event::Split(_))));
    assert_eq!(splits, [MAX_PROVINCES - 77, 0]);
    // Holes and restores continue as before.
    assert_eq!(since(1995, |event| matches!(event, Event::Voided(_))), 10);
    assert_eq!(since(1995, |event| matches!(event, Event::Restored(_))), 10);
    // Eight from before 1905, and since then as many come back as vanish.
    let map = game.terrain().chart().map();
    assert_eq!((map.holes().len(), map.faults()), (8, Vec::new()));
    let count = log.names.len();
    log.names.sort();
    log.names.dedup();
    assert_eq!(log.names.len(), count, "no name is used twice");
}

// ---- rule 5 ----

#[test]
fn schizo_ii_rule_5_the_exempt_centre_is_told_to_its_power_and_the_log_and_none_is_drawn() {
    for (names, exempt) in [(Some("BRE"), Some("BRE")), (None, None), (Some("BER"), None)] {
        let (game, log, seen) = played(1, false, 1912, names);
        let exempt = exempt.map(|name| variant("schizo-ii").terrain.names().find(name).expect("a centre"));
        let of_exemption = |event: &Event| match event {
            Event::ExemptNamed(power, centre) | Event::ExemptDrawn(power, centre) => Some((*power, *centre)),
            _ => None,
        };
        let told: Vec<_> = log.told.events.iter().filter_map(|(_, event)| of_exemption(event)).collect();
        assert_eq!(told, Vec::from_iter(exempt.map(|centre| (Power::FRANCE, centre))), "{names:?}");
        assert_eq!(game.world().exempt_centres(), exempt.into_iter().collect());
        for (power, shown) in seen.iter().skip(Powers::STANDARD.len()) {
            assert_eq!(*shown, exempt.filter(|_| *power == Power::FRANCE), "{power:?}");
        }
    }
}
