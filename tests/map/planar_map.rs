//! The planar map: the standard board, every operation, and the invariants of rules.md 1.7 after each.

use crate::helpers::charts::{after, apply, counts, report};
use crate::helpers::small_maps;
use upheaval::ids::{CoastId, Location};
use upheaval::rules::map_tables::MapTables;
use upheaval::topology::report::MapReport;
use upheaval::topology::{CoastFate, MapEvent, NamedMap};

fn coasts(report: &MapReport, face: &str) -> Vec<(String, String)> {
    let coasts = &report.faces[face].coasts;
    coasts.iter().map(|c| (c.name.clone().unwrap_or_default(), c.seas.join(" "))).collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
}

#[test]
fn ruling_1_1_the_standard_board_has_77_faces_225_borders_and_150_corners() {
    let chart = after(&[]);
    assert_eq!(chart.map().faults(), Vec::<String>::new());
    assert_eq!(counts(&chart), [77, 225, 150, 1]);
}

#[test]
fn ruling_1_1_mao_spa_is_the_only_doubled_pair() {
    let chart = after(&[]);
    let map = chart.map();
    let doubled: Vec<(&str, &str)> = map
        .faces()
        .flat_map(|(a, _)| map.faces().map(move |(b, _)| (a, b)))
        .filter(|&(a, b)| map.name(a) < map.name(b) && map.stretches(a, b).len() > 1)
        .map(|(a, b)| (map.name(a), map.name(b)))
        .collect();
    assert_eq!(doubled, [("MAO", "SPA")]);
}

#[test]
fn ruling_1_3_only_stp_spa_and_bul_have_two_coasts() {
    let report = report(&after(&[]));
    let several: Vec<&str> =
        report.faces.iter().filter(|(_, f)| f.coasts.len() > 1).map(|(n, _)| n.as_str()).collect();
    assert_eq!(several, ["BUL", "SPA", "STP"]);
    assert_eq!(coasts(&report, "STP"), pairs(&[("NC", "BAR"), ("SC", "BOT")]));
    assert_eq!(coasts(&report, "SPA"), pairs(&[("NC", "MAO"), ("SC", "LYO MAO WES")]));
    assert_eq!(coasts(&report, "BUL"), pairs(&[("EC", "BLA"), ("SC", "AEG")]));
    assert_eq!(coasts(&report, "KIE"), pairs(&[("", "BAL HEL")]));
    assert_eq!(coasts(&report, "CON"), pairs(&[("", "AEG BLA")]));
    assert_eq!(coasts(&report, "DEN"), pairs(&[("", "BAL HEL NTH SKA")]));
    assert_eq!(coasts(&report, "SWE"), pairs(&[("", "BAL BOT SKA")]));
}

#[test]
fn format_3_fleets_of_spain() {
    let report = report(&after(&[]));
    let spain = &report.faces["SPA"].fleet;
    assert_eq!(spain["NC"], ["GAS", "MAO", "POR"]);
    assert_eq!(spain["SC"], ["LYO", "MAO", "MAR", "POR", "WES"]);
    assert_eq!(report.faces["MAO"].fleet[""].join(" "), "BRE ENG GAS IRI NAF NAO POR SPA/NC SPA/SC WES");
    assert_eq!(report.faces["BUR"].army.join(" "), "BEL GAS MAR MUN PAR PIC RUH");
}

#[test]
fn ruling_9_exactly_four_isthmuses_on_the_standard_board() {
    let found: Vec<String> = report(&after(&[])).isthmuses.iter().map(|pair| pair.join(" ")).collect();
    assert_eq!(found, ["BUL CON", "DEN KIE", "DEN SWE", "POR SPA"]);
}

#[test]
fn ruling_1_4_the_marseilles_hole() {
    let before = report(&after(&[]));
    let after = report(&after(&["collapse MAR"]));
    assert_eq!(after.points, [[["BUR", "GAS", "SPA", "LYO", "PIE", "SWI"]]]);
    assert_eq!(after.faces["BUR"].coasts.len(), 1, "Burgundy gets a coast");
    assert_eq!(coasts(&after, "GAS"), pairs(&[("EC", "LYO"), ("WC", "MAO")]), "Gascony gets two coasts");
    assert_eq!(coasts(&after, "SPA"), pairs(&[("NC", "MAO"), ("SC", "LYO MAO WES")]));
    let gained = |face: &str| -> Vec<String> {
        let old = &before.faces[face].army;
        after.faces[face].army.iter().filter(|to| !old.contains(to)).cloned().collect()
    };
    assert_eq!(gained("BUR"), ["PIE", "SPA"]);
    assert_eq!(gained("GAS"), ["PIE"]);
    assert_eq!(gained("SPA"), ["BUR", "PIE"]);
    assert_eq!(after.faces["BUR"].fleet[""], ["GAS/EC", "LYO", "PIE", "SPA/SC"]);
    assert_eq!(after.faces["GAS"].fleet["EC"], ["BUR", "LYO", "PIE", "SPA/SC"]);
    assert_eq!(after.faces["GAS"].fleet["WC"], ["BRE", "MAO", "SPA/NC"]);
    assert_eq!(after.faces["LYO"].fleet[""].join(" "), "BUR GAS/EC PIE SPA/SC TUS TYS WES");
    assert_eq!(after.faces["MAR"].kind, "hole");
    assert!(!after.faces["MAR"].alive && after.faces["MAR"].army.is_empty());
}

#[test]
fn ruling_1_5_a_void_is_neither_way_nor_water() {
    let report = report(&after(&["void BOT"]));
    assert_eq!(report.faces["FIN"].coasts.len(), 0, "Finland's only water is gone");
    assert_eq!(coasts(&report, "STP"), pairs(&[("", "BAR")]));
    assert!(!report.faces["SWE"].fleet[""].contains(&"FIN".to_owned()));
    assert!(report.points.is_empty());
}

#[test]
fn ruling_1_7_portugal_made_an_island_and_released_to_brest() {
    let island = after(&["separate POR SPA connect MAO MAO"]);
    assert_eq!(counts(&island), [77, 223, 149, 2]);
    let seen = report(&island);
    assert_eq!(seen.faces["POR"].boundaries, [["MAO"]]);
    assert_eq!(seen.faces["MAO"].boundaries.len(), 2);
    assert_eq!(coasts(&seen, "SPA"), pairs(&[("", "LYO MAO WES")]));
    let peninsula = after(&["separate POR SPA connect MAO MAO", "connect POR BRE through MAO"]);
    assert_eq!(counts(&peninsula), [77, 225, 150, 1]);
    let seen = report(&peninsula);
    assert_eq!(seen.faces["POR"].army, ["BRE"]);
    assert_eq!(seen.faces["POR"].boundaries, [["BRE", "MAO"]]);
}

#[test]
fn a_flip_and_its_reverse_are_the_identity() {
    let before = report(&after(&[]));
    let there = after(&["separate BUL GRE connect SER AEG"]);
    assert_ne!(report(&there), before);
    let back = after(&["separate BUL GRE connect SER AEG", "separate SER AEG connect BUL GRE"]);
    assert_eq!(report(&back), before);
    let back = after(&["separate POR SPA connect MAO MAO", "connect POR SPA through MAO #1"]);
    assert_eq!(counts(&back), [77, 225, 150, 1]);
}

#[test]
fn seismic_1971_rule_5_the_barents_sea_enclosed_and_released() {
    let enclosed = [
        "separate STP BAR connect NWY OUT",
        "separate NWG BAR connect NWY OUT",
        "separate NWY BAR connect OUT OUT",
    ];
    let chart = after(&enclosed);
    let seen = report(&chart);
    assert_eq!(seen.faces["BAR"].boundaries, [["OUT"]]);
    assert!(seen.faces["BAR"].fleet[""].is_empty());
    let lake = after(&[&enclosed[..], &["connect BAR TUN through OUT"]].concat());
    assert_eq!(report(&lake).faces["BAR"].fleet[""], ["TUN/NC"], "a lake of its own, in the north of Tunis");
    assert_eq!(coasts(&report(&lake), "TUN"), pairs(&[("NC", "BAR"), ("NC2", "ION TYS WES")]));
}

#[test]
fn ruling_4_11_splits() {
    let chart = after(&["split BUR PAR MUN"]);
    let seen = report(&chart);
    assert_eq!(counts(&chart), [78, 228, 152, 1]);
    assert_eq!(seen.faces["BUR.1"].boundaries, [["BUR.2", "PAR", "GAS", "MAR", "SWI", "MUN"]]);
    assert_eq!(seen.faces["BUR.2"].boundaries, [["BEL", "PIC", "PAR", "BUR.1", "MUN", "RUH"]]);
    let chart = after(&["split SPA MAO#2 MAR", "split SPA.1 SPA.2 WES"]);
    assert_eq!(counts(&chart)[0], 79);
    let island = after(&["separate POR SPA connect MAO MAO", "split POR MAO MAO"]);
    assert_eq!(report(&island).faces["POR.1"].boundaries, [["MAO", "POR.2"]]);
}

#[test]
fn errors_say_why_and_change_nothing() {
    let refused = |events: &[&str], bad: &str| {
        let mut chart = after(events);
        let before = report(&chart);
        let error = apply(&mut chart, bad).expect_err("refused");
        assert_eq!(report(&chart), before);
        error.to_string()
    };
    assert_eq!(refused(&["collapse MAR"], "collapse MAR"), "MAR has already collapsed");
    assert_eq!(refused(&[], "collapse OUT"), "OUT is the outside of the board and cannot collapse");
    assert_eq!(refused(&[], "restore MAR"), "MAR is not a hole: there is nothing to restore");
    assert_eq!(refused(&[], "void SWI"), "SWI is already impassable");
    assert_eq!(refused(&[], "submerge MAO"), "MAO is already a sea");
    assert_eq!(refused(&[], "open BUR"), "BUR is not impassable: there is nothing to open");
    assert_eq!(refused(&[], "open ICE"), "there is no province `ICE` on the map");
    assert_eq!(refused(&[], "separate PAR MUN connect BUR BUR"), "PAR and MUN share no border");
    assert_eq!(
        refused(&[], "separate BUL GRE connect SER CON"),
        "BUL and GRE share no border that ends at SER and CON; it ends at AEG and SER"
    );
    assert_eq!(
        refused(&[], "connect POR BRE through MAO"),
        "POR and BRE border MAO on the same boundary cycle, so neither is an island in it"
    );
    assert_eq!(refused(&[], "split SPA MAO MAR"), "this fits 2 places: pick one with #1 to #2");
    assert_eq!(refused(&[], "split SPA MAO#3 MAR"), "#3 is out of range: this fits 2 place(s)");
    assert_eq!(
        refused(&[], "split TUN OUT ION"),
        "OUT is the outside of the board and cannot hold the end of a new border"
    );
}

#[test]
fn ruling_1_3_a_canal_joins_whatever_water_stands_at_its_ends() {
    assert_eq!(coasts(&report(&after(&["collapse HEL"])), "KIE"), pairs(&[("", "BAL NTH")]));
    assert_eq!(coasts(&report(&after(&["submerge DEN"])), "KIE"), pairs(&[("", "BAL DEN HEL")]));
    assert_eq!(coasts(&report(&after(&["void BAL"])), "KIE"), pairs(&[("", "HEL")]));
    for hole in ["collapse SWE", "void SWE"] {
        assert_eq!(report(&after(&[hole])).faces["DEN"].coasts.len(), 1, "{hole}");
    }
    for hole in ["collapse DEN", "void DEN"] {
        assert_eq!(report(&after(&[hole])).faces["SWE"].coasts.len(), 1, "{hole}");
    }
}

/// The fate of a fleet on each coast of the face if the events happen in one change.
fn fates(chart: NamedMap, face: &str, events: &[&str]) -> Vec<CoastFate> {
    let mut terrain = MapTables::new(chart);
    let province = terrain.chart().map().find(face).expect("a face");
    let events: Vec<MapEvent> = events.iter().map(|event| event.parse().expect("an event")).collect();
    terrain
        .change(|chart| events.iter().try_for_each(|event| event.apply(chart)))
        .unwrap_or_else(|e| panic!("{e}"));
    let fate = |coast| {
        let fleet = Location { province, coast: CoastId(coast) };
        terrain.chart().coast_fate(terrain.board().former(), terrain.board(), fleet)
    };
    (0..terrain.board().former().coasts(province)).map(fate).collect()
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
