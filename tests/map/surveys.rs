//! The measures of a map: those of known maps, and those that follow a map from change to change.

use std::sync::Arc;

use crate::helpers::charts::{after, with};
use crate::helpers::small_maps;
use crate::map::walks::Kind;
use testkit::amount;
use upheaval::ids::{ByPower, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{Board, GraphMetrics, HomeDistances, Metrics, NamedMap, Surveys, atlas, derive};

// ---- known values ----

/// The measures of a chart.
fn measured(chart: &NamedMap) -> (Metrics, HomeDistances) {
    followed(&mut Surveys::default(), chart)
}

/// The distance that these steps in total and this number of connected pairs give.
fn mean(steps: usize, ways: usize) -> Option<f32> {
    (ways > 0).then(|| (steps as f64 / ways as f64) as f32)
}

/// Distances from sums of steps and numbers of connected pairs, for each pair of powers: `60/9 39/9 …`.
fn distances(pairs: &str) -> HomeDistances {
    let number = |text: &str| text.parse().expect("a number");
    let pair = |text: &str| text.split_once('/').map(|(steps, ways)| mean(number(steps), number(ways)));
    HomeDistances::from_list(pairs.split(' ').map(|text| pair(text).expect("two numbers")).collect())
}

fn graph([edges, components, diameter, cut_vertices]: [u16; 4]) -> GraphMetrics {
    GraphMetrics { edges, components, diameter, cut_vertices }
}

// The expected values were computed with the Python package NetworkX from `upheaval map --format json`.

#[test]
fn the_standard_board() {
    let (found, ways) = measured(&atlas::standard());
    assert_eq!((found.army_mean_degree(), found.fleet_mean_degree()), (Some(3.964_285_7), Some(4.406_25)));
    let expected = Metrics {
        land: 56,
        sea: 19,
        impassable: 1,
        outside: 1,
        holes: 0,
        voids: 0,
        borders: 225,
        corners: 150,
        components: 1,
        islands: 1,
        army: graph([111, 3, 10, 1]), // the continent, Great Britain, North Africa with Tunis; Spain
        fleet: graph([141, 1, 13, 1]), // Constantinople
        coasts: 45,
        multi_coast: 3,
    };
    let expected_ways = distances(
        "60/9 39/9 26/9 24/9 38/12 34/9 31/9 36/9 50/9 55/12 64/9 27/9 34/9 60/12 56/9 33/9 38/12 50/9 66/12 36/9 \
         39/12",
    );
    assert_eq!((found, ways), (expected, expected_ways));
}

#[test]
fn voids_that_cut_the_sea_into_five_pieces() {
    let (found, ways) = measured(&after(&["void NTH", "void BAL", "void ENG", "void IRI", "void NWG"]));
    assert_eq!((found.land, found.sea, found.voids, found.holes), (56, 14, 5, 0));
    assert_eq!((found.army, found.fleet), (graph([111, 3, 10, 1]), graph([96, 5, 9, 3])));
    assert_eq!((found.coasts, found.multi_coast, found.islands), (40, 6, 1));
    assert_eq!(found.fleet_mean_degree(), Some((2.0f64 * 96.0 / 54.0) as f32));
    let england: Vec<_> = (6..11).map(|pair| ways.get(pair)).collect();
    let expected = [(42, 9), (60, 9), (57, 9), (111, 12), (75, 9)].map(|(steps, ways)| mean(steps, ways));
    assert_eq!(england, expected);
}

#[test]
fn homes_that_are_holes_count_no_more_and_no_homes_have_no_distance() {
    let (found, ways) = measured(&after(&["collapse MAR", "collapse LON"]));
    assert_eq!((found.land, found.holes), (54, 2));
    assert_eq!((found.army, found.fleet), (graph([109, 3, 9, 1]), graph([145, 1, 13, 1])));
    assert_eq!((found.coasts, found.multi_coast), (45, 4));
    let [austria_france, england_france] = [1, 6].map(|pair| ways.get(pair));
    assert_eq!((austria_france, england_france), (mean(26, 6), mean(14, 4)));
    // Without the islands, and with Africa cut off from the rest.
    let gone =
        ["collapse EDI", "collapse LVP", "collapse LON", "void MAO", "void WES", "void TUN", "void NAF"];
    let (found, ways) = measured(&after(&gone));
    assert_eq!((found.army, found.fleet), (graph([104, 2, 10, 1]), graph([122, 2, 7, 1])));
    let of_england = |[a, b]: [Power; 2]| a == Power::ENGLAND || b == Power::ENGLAND;
    for (pair, powers) in HomeDistances::pairs(Powers::STANDARD).enumerate() {
        assert_eq!(ways.get(pair).is_none(), of_england(powers), "{powers:?}");
    }
}

#[test]
fn homes_with_no_way_between_them_have_no_distance() {
    // An island of two provinces, which are Austria's homes, and one of a single province, which is Turkey's.
    let mut file = small_maps::json(
        "OUT outside SEA\nSEA sea OUT / AA BB / CC\nAA land SEA BB\nBB land SEA AA\nCC land SEA",
    );
    for (home, power) in [("AA", "AUSTRIA"), ("BB", "AUSTRIA"), ("CC", "TURKEY")] {
        file["faces"][home]["home"] = power.into();
    }
    let chart = atlas::parse("small", &file.to_string()).unwrap_or_else(|e| panic!("{e}"));
    let pairs: Vec<_> = HomeDistances::pairs(chart.powers())
        .map(|pair| pair.map(|power| chart.power_names().name(power)))
        .collect();
    assert_eq!(pairs, [["AUSTRIA", "TURKEY"]], "nobody else has a home");
    let (found, ways) = measured(&chart);
    assert_eq!((found.army, found.fleet), (graph([1, 2, 1, 0]), graph([4, 1, 2, 1])));
    assert_eq!(ways.get(0), Some(2.0), "over the sea");
    assert_eq!((found.islands, found.components, found.coasts), (1, 3, 3));
    let (found, ways) = measured(&with(chart, &["void SEA"]));
    assert_eq!((found.army, found.fleet), (graph([1, 2, 1, 0]), graph([0, 0, 0, 0])));
    assert_eq!(ways.get(0), None);
    assert_eq!((found.islands, found.coasts, found.fleet_mean_degree()), (2, 0, None));
}

// ---- surveys that follow a map ----

fn homes(chart: &NamedMap) -> ByPower<ProvinceSet> {
    ByPower::from_fn(chart.powers(), |power| chart.homes(power))
}

/// The measures of a map that was measured before, as it is now.
fn followed(surveys: &mut Surveys, chart: &NamedMap) -> (Metrics, HomeDistances) {
    surveys.outdate();
    let survey = surveys.get(chart, &derive(chart.map()), &homes(chart));
    ((**survey.metrics()).clone(), (**survey.distances()).clone())
}

/// The measures of a map that was never measured before, and distances by a search from every home.
fn plainly(chart: &NamedMap) -> (Metrics, HomeDistances) {
    let board = derive(chart.map());
    let (metrics, _) = measured(chart);
    let homes = homes(chart);
    let distance = |[one, other]: [Power; 2]| {
        let (mut steps, mut ways) = (0, 0);
        for home in homes[one] {
            for (step, front) in fronts(&board, ProvinceSet::single(home)).into_iter().enumerate() {
                let met = (front & homes[other]).len();
                (steps, ways) = (steps + step * met, ways + met);
            }
        }
        mean(steps, ways)
    };
    let distances = HomeDistances::pairs(chart.powers()).map(distance).collect();
    (metrics, HomeDistances::from_list(distances))
}

/// The provinces at each number of steps of any unit from these.
fn fronts(board: &Board, from: ProvinceSet) -> Vec<ProvinceSet> {
    let (mut fronts, mut front, mut left) = (Vec::new(), from & board.passable(), board.passable());
    while !front.is_empty() {
        fronts.push(front);
        left -= front;
        let around = front.iter().map(|id| *board.army_reach(id) | *board.fleet_reach_any(id));
        front = around.fold(ProvinceSet::EMPTY, |all, reach| all | reach) & left;
    }
    fronts
}

#[test]
fn a_survey_that_follows_a_map_finds_what_a_new_one_finds() {
    let mut made = [0; Kind::ALL.len()];
    for game in 0..amount(8, 60) {
        let mut dice = Stream::keyed(game, Purpose::Nature("surveys"), &[]);
        let mut chart = atlas::standard();
        let mut surveys = Surveys::default();
        followed(&mut surveys, &chart);
        // In some games most changes are of one kind, until little is left of the board; other games mix all kinds.
        let only = (game % 3 == 0).then(|| Kind::of_faces_and_borders(&mut dice));
        for step in 0..40 {
            for _ in 0..1 + dice.below(3) {
                let kind = only.filter(|_| dice.below(8) > 0).unwrap_or_else(|| Kind::drawn(&mut dice));
                made[kind as usize] += usize::from(kind.happens(&mut chart, &mut dice));
            }
            assert_eq!(followed(&mut surveys, &chart), plainly(&chart), "game {game}, step {step}");
        }
    }
    assert!(made.iter().all(|&count| count as u64 > amount(2, 20)), "{made:?}");
}

#[test]
fn distances_follow_homes_that_change_on_the_same_map() {
    let chart = atlas::standard();
    let board = derive(chart.map());
    let mut dice = Stream::keyed(8, Purpose::Nature("surveys"), &[]);
    let mut surveys = Surveys::default();
    for step in 0..300 {
        let homes = ByPower::from_fn(chart.powers(), |power| match power {
            Power::AUSTRIA | Power::TURKEY => ProvinceSet::single(ProvinceId(dice.below(4) as u8)),
            _ => ProvinceSet::EMPTY,
        });
        surveys.outdate();
        let followed = surveys.get(&chart, &board, &homes).distances();
        let new = Surveys::default();
        assert_eq!(followed, new.get(&chart, &board, &homes).distances(), "step {step}: {homes:?}");
    }
}

#[test]
fn a_survey_follows_a_map_that_outgrows_its_tables_and_another_map() {
    let mut dice = Stream::keyed(7, Purpose::Nature("surveys"), &[]);
    let mut chart = atlas::standard();
    let mut surveys = Surveys::default();
    followed(&mut surveys, &chart);
    let mut homes_at_most = 0;
    // The tables are made for 128 provinces first.
    while chart.map().faces().count() < 150 {
        if Kind::Split.happens(&mut chart, &mut dice) {
            assert_eq!(followed(&mut surveys, &chart), plainly(&chart));
            homes_at_most = homes_at_most.max(homes(&chart).values().iter().map(ProvinceSet::len).sum());
        }
    }
    // The steps are counted from 32 homes at a time.
    assert!(homes_at_most > 32, "{homes_at_most}");
    assert_eq!(followed(&mut surveys, &atlas::standard()), plainly(&atlas::standard()));
}

/// Steps are counted in bytes, but not between as many provinces as a board can have.
#[test]
fn distances_on_the_largest_board_are_those_of_searches() {
    let mut file = small_maps::json(&small_maps::ocean(15, 17).replace("OUT outside", "OUT sea"));
    for (home, power) in [("C0201", "AUSTRIA"), ("C1416", "TURKEY"), ("C0816", "TURKEY")] {
        file["faces"][home]["home"] = power.into();
    }
    let mut chart = atlas::parse("largest", &file.to_string()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(derive(chart.map()).passable().len(), 256);
    let mut surveys = Surveys::default();
    for event in ["void C0501", "restore C0501", "collapse OUT", "void C0816"] {
        assert_eq!(followed(&mut surveys, &chart), plainly(&chart), "before {event}");
        chart = with(chart, &[event]);
    }
    assert_eq!(followed(&mut surveys, &chart), plainly(&chart));
}

#[test]
fn what_is_kept_between_maps_passes_on_to_clones_and_outlives_changes_that_nobody_measures() {
    let mut chart = atlas::standard();
    let surveys = Surveys::default();
    let board = derive(chart.map());
    let first = Arc::clone(surveys.get(&chart, &board, &homes(&chart)).distances());
    let mut changed = surveys.clone();
    for name in ["MAR", "BUR", "PAR"] {
        let id = chart.map().find(name).expect("a province");
        chart.collapse(id).expect("it is open");
        changed.outdate();
    }
    assert_eq!(followed(&mut changed, &chart), plainly(&chart));
    assert_eq!(homes(&chart)[Power::FRANCE].len(), 1);
    // The original of the clone has not changed, and another clone starts from it.
    assert!(Arc::ptr_eq(&first, surveys.get(&chart, &board, &homes(&chart)).distances()));
    let same = surveys.clone();
    let standard = atlas::standard();
    let again = same.get(&standard, &board, &homes(&standard));
    assert!(Arc::ptr_eq(&first, again.distances()), "distances that stay are shared");
}

#[test]
fn steps_over_pieces_that_part_and_join_again() {
    let mut chart = atlas::standard();
    let mut surveys = Surveys::default();
    followed(&mut surveys, &chart);
    let around = ["NAO", "IRI", "ENG", "NTH", "NWG", "MAO", "WES", "TYS", "ION"];
    for change in ["void", "restore"] {
        let mut islands = 0;
        for name in around {
            chart = with(chart, &[&format!("{change} {name}")]);
            let (metrics, distances) = followed(&mut surveys, &chart);
            islands = metrics.islands;
            assert_eq!((metrics, distances), plainly(&chart), "{change} {name}");
        }
        assert_eq!(islands > 1, change == "void", "{islands}");
    }
}
