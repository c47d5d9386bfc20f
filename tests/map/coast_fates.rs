//! The fate of a fleet whose coast is cut, joined or split, or was away with its province (rules.md 2, 4.8, 4.9, 4.11),
//! and the numbers of coasts.

use crate::helpers::charts::{apply, face, report, with};
use crate::helpers::small_maps;
use crate::map::archipelago::marked;
use serde_json::json;
use upheaval::ids::{CoastId, Location, ProvinceId, UnitKind};
use upheaval::rules::map_tables::MapTables;
use upheaval::topology::{CoastFate, NamedMap, atlas, derive};

fn change(terrain: &mut MapTables, events: &[&str]) {
    let done = terrain.change(|chart| events.iter().try_for_each(|event| apply(chart, event)));
    done.expect("every event was done");
}

/// The fate of a fleet of this province in words.
fn in_words(terrain: &MapTables, province: ProvinceId, fate: CoastFate) -> String {
    let at = |coast| terrain.place(Location { province, coast }, UnitKind::Fleet);
    match fate {
        CoastFate::Stays(coast) => format!("stays on {}", at(coast)),
        CoastFate::Moves(coast) => format!("moves to {}", at(coast)),
        CoastFate::Choice { coasts, default } => {
            let mut coasts: Vec<String> = coasts.into_iter().map(at).collect();
            coasts.sort();
            format!("{}, or else {}", coasts.join(" or "), at(default))
        }
        CoastFate::Lost => "lost".to_owned(),
    }
}

#[test]
fn coasts_on_the_same_sea_are_numbered_alike_however_the_map_came_about() {
    let mut chart = small_maps::chart(small_maps::RING);
    for event in [
        "separate NN IN connect EE WW",
        "separate SS OUT connect EE WW",
        "separate OUT QQ connect EE EE #1",
        "separate SS WW connect EE IN",
    ] {
        apply(&mut chart, event).expect("done");
    }
    let before = report(&chart);
    apply(&mut chart, "connect IN QQ through EE #2").expect("done");
    apply(&mut chart, "separate IN QQ connect EE EE").expect("done");
    assert_eq!(report(&chart), before);
}

const LAKE_ON_AN_ISLAND: &str = "OUT outside RIM
RIM land OUT / SEA
SEA sea RIM / EAST WEST
EAST land SEA WEST / LAKE
WEST land EAST SEA
LAKE sea EAST";

/// The fate of a fleet on each coast of the face if the events happen in one change.
fn fates(chart: NamedMap, face: &str, events: &[&str]) -> Vec<CoastFate> {
    let mut terrain = MapTables::new(chart);
    let province = terrain.chart().map().find(face).expect("a face");
    change(&mut terrain, events);
    let fate = |coast| {
        let fleet = Location { province, coast: CoastId(coast) };
        terrain.chart().coast_fate(terrain.board().former(), terrain.board(), fleet)
    };
    (0..terrain.board().former().coasts(province)).map(fate).collect()
}

#[test]
fn ruling_2_1_a_coast_cut_in_two_by_a_release_leaves_the_choice_of_both_parts() {
    let chart = small_maps::chart(LAKE_ON_AN_ISLAND);
    let after = fates(chart, "EAST", &["connect EAST RIM through SEA"]);
    assert_eq!(after[0], CoastFate::Stays(CoastId(0)), "the lake");
    let CoastFate::Choice { coasts, .. } = &after[1] else { panic!("{after:?}") };
    assert_eq!(coasts[..], [CoastId(1), CoastId(2)]);
}

#[test]
fn ruling_2_2_fleets_on_coasts_that_become_one_stay_on_it() {
    let mut chart = small_maps::chart(LAKE_ON_AN_ISLAND);
    apply(&mut chart, "connect EAST RIM through SEA").expect("done");
    let after = fates(chart.clone(), "EAST", &["separate EAST RIM connect SEA SEA"]);
    assert_eq!(after, [0, 1, 1].map(|coast| CoastFate::Stays(CoastId(coast))));
    // Back and forth in one change: ids of borders are reused, and the coasts are nevertheless tracked.
    let there_and_back = ["separate EAST RIM connect SEA SEA", "connect EAST RIM through SEA"];
    let after = fates(chart, "EAST", &there_and_back);
    let CoastFate::Choice { coasts, .. } = &after[2] else { panic!("{after:?}") };
    assert_eq!(coasts[..], [CoastId(1), CoastId(2)]);
}

const LAKE_IN_THE_MIDDLE: &str = "OUT outside SEA
SEA sea OUT / AA BB AA CC
AA land SEA BB SEA CC / LAKE
BB land SEA AA
CC land SEA AA
LAKE sea AA";

/// Two stretches of one sea become one border; the coast is known by the name of either.
#[test]
fn a_coast_keeps_its_name_where_two_of_its_borders_become_one() {
    for named in ["SEA#1", "SEA#2"] {
        let mut file = small_maps::json(LAKE_IN_THE_MIDDLE);
        file["coasts"] = json!({ "AA": { "WC": [named] } });
        let chart = atlas::parse("x.json", &file.to_string()).unwrap_or_else(|e| panic!("{e}"));
        let chart = with(chart, &["separate AA BB connect SEA SEA"]);
        let (board, [island, sea]) = (derive(chart.map()), ["AA", "SEA"].map(|name| face(&chart, name)));
        let is_outer = |at: Location| board.contacts(at).iter().any(|&side| chart.map().across(side) == sea);
        let outer = board.stations_of(island).position(is_outer).expect("a coast");
        assert_eq!(chart.coast_names(&board, island)[outer].to_string(), "WC", "{named}");
    }
}

#[test]
fn ruling_4_11_a_fleet_in_a_half_is_on_the_part_of_its_coast_that_lies_there() {
    for (split, coast, expected) in [
        // The first half has a part of the north coast and all of the south coast; the second has the rest.
        ("split SPA MAO#2 MAR", "SC", ["stays on SPA.1/EC", "moves to SPA.2"]),
        ("split SPA MAO#2 MAR", "NC", ["stays on SPA.1/WC", "stays on SPA.2"]),
        // The first half has all of the north coast and a part of the south coast; the second has the rest.
        ("split SPA GAS WES", "SC", ["stays on SPA.1/SC", "stays on SPA.2"]),
        ("split SPA GAS WES", "NC", ["stays on SPA.1/WC", "moves to SPA.2"]),
        // The first half has no coast, the second has both as they were.
        ("split SPA MAR GAS", "SC", ["lost", "stays on SPA.2/SC"]),
    ] {
        let mut terrain = MapTables::new(atlas::standard());
        let province = terrain.chart().map().find("SPA").expect("a face");
        let names = terrain.chart().coast_names(terrain.board(), province);
        let at = names.iter().position(|name| name.to_string() == coast).expect("a coast");
        change(&mut terrain, &[split]);
        let (chart, board) = (terrain.chart(), terrain.board());
        let fates = ["SPA.1", "SPA.2"].map(|half| {
            let now = chart.map().find(half).expect("a half");
            let coasts = [CoastId(at as u8)];
            in_words(&terrain, now, chart.coast_fate_in(board.former(), board, province, &coasts, now))
        });
        assert_eq!(fates, expected, "{split}: {coast}");
    }
}

/// A fleet on the coast of the face at this neighbour, after `before`, goes with its province and comes back after
/// `meanwhile`.
fn returned(face: &str, at: &str, before: &[&str], meanwhile: &[&str]) -> String {
    let mut terrain = MapTables::new(marked(atlas::standard()));
    change(&mut terrain, before);
    let (map, board) = (terrain.chart().map(), terrain.board());
    let [province, across] = [face, at].map(|name| map.find(name).expect("a face"));
    // A fleet at sea has no coast to remember.
    let is_sea = board.sea().contains(province);
    let there = |at: &Location| board.contacts(*at).iter().any(|&side| map.across(side) == across);
    let fleet = board.stations_of(province).find(|at| is_sea || there(at)).expect("a coast at the neighbour");
    let contacts = terrain.chart().coast_borders(board, fleet);
    let fate = |terrain: &MapTables| terrain.chart().coast_returned(terrain.board(), province, &contacts);
    assert_eq!(contacts.is_empty(), is_sea);
    change(&mut terrain, &[&format!("collapse {face}")]);
    assert_eq!(fate(&terrain), CoastFate::Lost);
    change(&mut terrain, meanwhile);
    change(&mut terrain, &[&format!("restore {face}")]);
    in_words(&terrain, province, fate(&terrain))
}

#[test]
fn ruling_4_8_a_fleet_that_comes_back_is_on_what_is_left_of_its_coast() {
    type Names = &'static [&'static str];
    let cases: [(&str, &str, Names, Names, &str); 10] = [
        ("GAS", "MAR", &["collapse MAR"], &[], "stays on GAS/EC"),
        ("GAS", "MAO", &["collapse MAR"], &[], "stays on GAS/WC"),
        ("GAS", "MAO", &["collapse MAR"], &["restore MAR"], "stays on GAS"),
        // Its coast is gone, and it takes another or is lost; in the second case there is the point of Marseilles.
        ("GAS", "MAR", &["collapse MAR"], &["restore MAR"], "moves to GAS"),
        ("GAS", "MAO", &[], &["void MAO", "collapse MAR"], "moves to GAS"),
        ("BER", "BAL", &[], &["void BAL"], "lost"),
        // Cut in two, with a sea on each: from north over west the south comes first.
        ("NWY", "BAR", &[], &["void NTH", "void NWG"], "NWY/EC or NWY/SC, or else NWY/SC"),
        // Denmark is an archipelago, and keeps the coast of Berlin (4.9).
        ("BER", "BAL", &[], &["collapse BAL", "collapse BOT"], "stays on BER"),
        ("DEN", "SWE", &[], &["void BAL", "void SKA", "collapse SWE"], "stays on DEN"),
        ("LYO", "SPA", &[], &["collapse WES"], "stays on LYO"),
    ];
    for (face, at, before, meanwhile, expected) in cases {
        assert_eq!(returned(face, at, before, meanwhile), expected, "{face} {at} {before:?} {meanwhile:?}");
    }
}
