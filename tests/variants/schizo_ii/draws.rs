//! The draws of `schizo-ii`, counted over many seeds, and games that last for a century: rr07 rules 2, 4 and 5;
//! rules.md 1.7, 4.1, 4.2, 4.10, 4.11.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::helpers::chances::uniform;
use crate::helpers::seats::{bots, draw_answer, play_out};
use crate::helpers::shipped::{SCHIZO_II, variant};
use crate::helpers::small_maps;
use crate::helpers::table::{Told, phase};
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::{Bot, Decision};
use upheaval::game::{Ending, Game};
use upheaval::ids::{MAX_PROVINCES, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::rng::Stream;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{Draw, Nature, Seeded};
use upheaval::rules::position::{Phase, Position};
use upheaval::rules::variant::Variant;
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
fn schizo_ii_rule_2_iii_second_sentence_every_two_bordering_territories_are_equally_likely() {
    for province in ["BUR", "MUN", "BEL"] {
        let counts = pairs(&ground(&[]), province, 200);
        let p = uniform(counts.values());
        assert!(p > 0.001, "{province}: p = {p}");
        assert!(counts.len() >= 30, "{province}: every ordered pair");
    }
}

#[test]
fn schizo_ii_rule_2_iii_third_sentence_impassable_provinces_are_in_the_deal() {
    let terrain = ground(&["void MAR", "void PAR"]);
    let counts = pairs(&terrain, "BUR", 200);
    let p = uniform(counts.values());
    assert!(p > 0.001, "p = {p}");
    for name in ["SWI", "MAR", "PAR"] {
        assert!(counts.iter().any(|(pair, &n)| pair[0] == name && n > 0), "{name}");
    }
}

#[test]
fn schizo_ii_rulings_4_11_the_outside_is_not_dealt() {
    // Pairs that name the Outside would not be in the table.
    let terrain = ground(&[]);
    let map = terrain.chart().map();
    for province in ["TUN", "NAF", "STP", "ARM"] {
        let mut sides = map.sides_of(map.find(province).unwrap());
        assert!(sides.any(|side| map.name(map.across(side)) == "OUT"));
        let p = uniform(pairs(&terrain, province, 200).values());
        assert!(p > 0.001, "{province}: p = {p}");
    }
}

#[test]
fn schizo_ii_rulings_4_11_a_territory_is_dealt_one_card_however_often_it_meets_the_province() {
    let terrain = ground(&[]);
    for (province, twice) in [("SPA", "MAO"), ("MAO", "SPA")] {
        let p = uniform(pairs(&terrain, province, 200).values());
        assert!(p > 0.001, "{province}: p = {p}");
        // And of its two stretches each is equally likely.
        let map = terrain.chart().map();
        let mut stretches: BTreeMap<HalfEdgeId, u64> = BTreeMap::new();
        for end in deals(&terrain, province, 20_000).into_iter().flatten() {
            if map.name(map.across(end)) == twice {
                *stretches.entry(end).or_default() += 1;
            }
        }
        assert_eq!(stretches.len(), 2);
        let p = uniform(stretches.values());
        assert!(p > 0.001, "{province}: p = {p}");
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

#[test]
fn schizo_ii_rule_2_each_draw_is_uniform_and_halves_are_as_likely_as_provinces() {
    let terrain = ground(&["split BUR PAR MUN", "split BUR.2 BEL MUN", "void PAR", "void MAO"]);
    let open = terrain.board().passable();
    let holes = terrain.chart().map().holes() | ProvinceSet::single(terrain.names().find("TYR").unwrap());
    for (draw, eligible) in [(Draw::Holes, open), (Draw::Splits, open), (Draw::Restores, holes)] {
        let mut counts: BTreeMap<ProvinceId, u64> = eligible.iter().map(|id| (id, 0)).collect();
        for block in 0..200 * eligible.len() as u64 {
            let drawn = Seeded { seed: 5, block }.faces(phase("F1905M"), draw, &terrain, &eligible, 1);
            *counts.get_mut(&drawn[0]).expect("only the eligible") += 1;
        }
        let p = uniform(counts.values());
        assert!(p > 0.001, "{draw:?}: p = {p}");
    }
}

#[test]
fn schizo_ii_rulings_4_2_the_draws_of_a_season_know_nothing_of_each_other() {
    let terrain = ground(&[]);
    let eligible = terrain.board().passable();
    let mut same = 0;
    for block in 0..7_500 {
        let drawn = [Draw::Holes, Draw::Splits, Draw::Restores]
            .map(|draw| Seeded { seed: 5, block }.faces(phase("F1905M"), draw, &terrain, &eligible, 1)[0]);
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

/// Checks the map at the end of every season.
#[derive(Default)]
struct Inspector {
    told: Told,
    most_faces: usize,
    seasons: usize,
    names: Vec<String>,
}

impl Log for Inspector {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        if let Event::Split(halves) = event {
            self.names.extend(halves.map(|half| terrain.chart().map().name(half).to_owned()));
        }
        self.told.event(at, terrain, event);
    }

    fn season(&mut self, _: Phase, terrain: &MapTables, position: &Position) {
        self.seasons += 1;
        let map = terrain.chart().map();
        self.most_faces = self.most_faces.max(map.faces().count());
        if self.seasons.is_multiple_of(10) {
            assert!(map.faults().is_empty(), "{:?}", map.faults());
        }
        let board = terrain.board();
        for at in *position.occupied() {
            let unit = position.unit(at).unwrap();
            assert!(board.passable().contains(at));
            let place = position.location(at).unwrap();
            assert!(unit.kind == upheaval::ids::UnitKind::Army || board.stations_of(at).any(|s| s == place));
        }
        for power in Powers::STANDARD {
            assert!(position.centres_of(power).is_subset(terrain.centres()));
        }
    }
}

/// The unchanged variant, except that no power wins before the end.
fn endless() -> Arc<Variant> {
    SCHIZO_II.changed("rule = \"unit-and-centre-majority\"", "rule = \"last-survivor\"\nlast_winter = 9999")
}

fn played(variant: Arc<Variant>, seed: u64, moves: bool, last_year: u16) -> (Game, Inspector, Seen) {
    let mut game = Game::new(variant, last_year);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let players = bots(|power| {
        let names = (power == Power::FRANCE).then_some("BRE");
        Player { moves, names, seen: Arc::clone(&seen) }
    });
    let mut log = Inspector::default();
    play_out(&mut game, players, seed, &mut Seeded { seed, block: 0 }, &mut log);
    let seen = seen.lock().unwrap().clone();
    (game, log, seen)
}

#[test]
fn schizo_ii_rulings_4_11_once_the_map_holds_256_faces_none_is_split_and_the_game_goes_on() {
    for (seed, moves) in [(1, false), (2, true)] {
        let (game, log, _) = played(endless(), seed, moves, 1999);
        let splits = |from: u16, to: u16| {
            let in_years =
                |(at, e): &&(Phase, Event)| matches!(e, Event::Split(_)) && (from..=to).contains(&at.year);
            log.told.events.iter().filter(in_years).count()
        };
        assert_eq!(game.phase().year, 1999, "it went on: {:?}", game.ending());
        assert_eq!(log.most_faces, MAX_PROVINCES);
        assert_eq!((splits(1901, 1999), splits(1992, 1999)), (MAX_PROVINCES - 77, 0));
        // Holes and restores continue as before.
        let of = |fits: &dyn Fn(&Event) -> bool| {
            log.told.events.iter().filter(|(at, e)| at.year > 1994 && fits(e)).count()
        };
        assert_eq!(of(&|e| matches!(e, Event::Voided(_))), 10);
        assert_eq!(of(&|e| matches!(e, Event::Restored(_))), 10);
        assert!(game.terrain().chart().map().faults().is_empty());
        // Eight from before 1905, and since then as many come back as vanish.
        assert_eq!(game.terrain().chart().map().holes().len(), 8);
        // rules.md 4.11: no name is used twice.
        let mut names = log.names.clone();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), log.names.len());
    }
}

#[test]
fn schizo_ii_games_of_random_orders_run_to_their_end_and_again_the_same() {
    let mut solos = 0;
    for seed in 0..12 {
        let (game, log, _) = played(variant("schizo-ii"), seed, true, 1925);
        let (_, again, _) = played(variant("schizo-ii"), seed, true, 1925);
        assert_eq!(log.told.events, again.told.events, "seed {seed}");
        solos += u32::from(matches!(game.ending(), Some(Ending::Solo(_))));
        // Rule 2: one hole and one split each season, and as many returns as losses since 1905.
        let count = |fits: &dyn Fn(&Event) -> bool| log.told.events.iter().filter(|(_, e)| fits(e)).count();
        let (holes, splits) =
            (count(&|e| matches!(e, Event::Voided(_))), count(&|e| matches!(e, Event::Split(_))));
        assert_eq!(holes, splits, "seed {seed}");
        let restored = count(&|e| matches!(e, Event::Restored(_)));
        assert_eq!(restored, holes.saturating_sub(8), "seed {seed}");
    }
    assert!(solos < 12, "some are drawn");
}

// ---- rule 5 ----

#[test]
fn schizo_ii_rule_5_the_exempt_centre_is_never_holed_and_nobody_else_is_shown_it() {
    for seed in 0..12 {
        let (game, log, seen) = played(endless(), seed, false, 1930);
        let centre = log.told.events.iter().find_map(|(_, e)| match e {
            Event::ExemptNamed(Power::FRANCE, centre) => Some(*centre),
            _ => None,
        });
        let centre = centre.expect("named");
        assert!(!log.told.events.iter().any(|(_, e)| *e == Event::Voided(centre)), "seed {seed}");
        assert_eq!(game.world().exempt_centres(), ProvinceSet::single(centre));
        for (power, exempt) in seen.iter().skip(Powers::STANDARD.len()) {
            assert_eq!(*exempt, (*power == Power::FRANCE).then_some(centre));
        }
    }
}

#[test]
fn schizo_ii_rule_5_the_name_of_the_exemption_is_told_to_the_log_alone() {
    let told = |names: Option<&'static str>| {
        let mut game = Game::new(variant("schizo-ii"), 1902);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let players = bots(|power| {
            let names = names.filter(|_| power == Power::FRANCE);
            Player { moves: false, names, seen: Arc::clone(&seen) }
        });
        let mut log = Told::default();
        play_out(&mut game, players, 1, &mut Seeded { seed: 1, block: 0 }, &mut log);
        log.events
            .into_iter()
            .filter(|(_, e)| matches!(e, Event::ExemptNamed(..) | Event::ExemptDrawn(..)))
            .count()
    };
    assert_eq!((told(Some("BRE")), told(None), told(Some("BER"))), (1, 0, 0), "none named, none exempt");
}
