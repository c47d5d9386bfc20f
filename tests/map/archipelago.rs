//! Denmark as an archipelago (rules.md 4.9), and fleets whose province was split or vanished and came back.

use crate::helpers::charts::{apply, report, with};
use crate::map::by_words::Movement;
use upheaval::ids::{CoastId, Location, ProvinceSet};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::map_tables::MapTables;
use upheaval::topology::report::MapReport;
use upheaval::topology::{BorderId, CoastFate, FaceState, MapEvent, Metrics, NamedMap, atlas, derive};

fn marked(mut chart: NamedMap) -> NamedMap {
    let denmark = chart.map().find("DEN").expect("a face");
    chart.set_archipelagos(ProvinceSet::single(denmark));
    chart
}

/// The standard board after these events, without the mark and with Denmark marked.
fn both(events: &[&str]) -> [NamedMap; 2] {
    [atlas::standard(), marked(atlas::standard())].map(|chart| with(chart, events))
}

fn reports(events: &[&str]) -> [MapReport; 2] {
    both(events).map(|chart| report(&chart))
}

/// The standard board with neither canals nor straits.
fn without_waterways() -> NamedMap {
    let text = std::fs::read_to_string("maps/standard.json").expect("the map file");
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for waterways in ["canals", "straits"] {
        json.as_object_mut().expect("an object").remove(waterways);
    }
    atlas::parse("dry.json", &json.to_string()).expect("a map")
}

/// The seas of each coast of a face.
fn coasts(report: &MapReport, face: &str) -> Vec<String> {
    report.faces[face].coasts.iter().map(|coast| coast.seas.join(" ")).collect()
}

/// The places that a fleet can reach from each coast of a face.
fn fleet(report: &MapReport, face: &str) -> Vec<String> {
    report.faces[face].fleet.values().map(|to| to.join(" ")).collect()
}

#[test]
fn on_the_standard_board_the_mark_changes_nothing() {
    let [plain, marked] = both(&[]);
    assert_eq!(report(&marked), report(&plain));
    let metrics = |chart: &NamedMap| Metrics::new(chart, &derive(chart.map()));
    assert_eq!(metrics(&marked), metrics(&plain));
}

#[test]
fn the_mark_is_part_of_the_hash_of_a_map_that_has_it() {
    let [plain, mut marked] = both(&[]);
    let denmark = marked.map().find("DEN").expect("a face");
    assert!(plain.map().archipelagos().is_empty());
    assert_eq!(*marked.map().archipelagos(), ProvinceSet::single(denmark));
    assert_ne!(marked.map().hash(), plain.map().hash());
    marked.set_archipelagos(ProvinceSet::EMPTY);
    assert_eq!(marked.map().hash(), plain.map().hash());
}

#[test]
fn a_province_whose_only_water_is_denmark_is_coastal_there() {
    let [plain, marked] = reports(&["collapse BAL", "collapse BOT"]);
    assert_eq!(marked.points, [[["BER", "PRU", "LVN", "STP", "FIN", "SWE", "DEN", "KIE"]]]);
    assert_eq!(fleet(&plain, "BER"), [""; 0], "no sea touches the point");
    assert_eq!(fleet(&marked, "BER"), ["DEN FIN KIE LVN PRU STP/SC SWE"]);
    assert_eq!(fleet(&marked, "DEN"), ["BER FIN HEL KIE LVN NTH PRU SKA STP/SC SWE"]);
    assert_eq!(coasts(&marked, "BER"), [""], "a coast, and no sea");
    let chart = &both(&["collapse BAL", "collapse BOT"])[1];
    let board = derive(chart.map());
    let [denmark, berlin] =
        ["DEN", "BER"].map(|name| Location::from(chart.map().find(name).expect("a face")));
    assert!(board.fleet_can_move(denmark, berlin) && board.fleet_can_move(berlin, denmark));
    assert!(board.seas_next_to(berlin.province).is_empty(), "Denmark convoys nobody");
}

#[test]
fn fleets_pass_along_a_border_that_ends_at_denmark() {
    // Denmark extends to Berlin and is at the end of the border Kiel–Berlin, where the Baltic was.
    let [plain, marked] = reports(&["separate KIE BAL connect DEN BER", "void BAL"]);
    assert_eq!(marked.faces["BER"].boundaries, [["BAL", "DEN", "KIE", "MUN", "SIL", "PRU"]]);
    assert_eq!(fleet(&plain, "BER"), [""; 0]);
    assert_eq!(fleet(&marked, "BER"), ["DEN KIE"]);
    assert_eq!(fleet(&plain, "KIE"), ["DEN HEL HOL"]);
    assert_eq!(fleet(&marked, "KIE"), ["BER DEN HEL HOL"]);
}

#[test]
fn denmark_has_a_coast_when_no_sea_is_left_round_it() {
    let void = ["void BAL", "void HEL", "void NTH", "void SKA"];
    let [plain, marked] = reports(&void);
    assert_eq!(fleet(&plain, "DEN"), [""; 0]);
    assert_eq!(fleet(&plain, "KIE"), [""; 0]);
    assert_eq!(fleet(&plain, "SWE"), ["BOT FIN"]);
    assert_eq!(fleet(&marked, "DEN"), ["KIE SWE/SC"]);
    assert_eq!(fleet(&marked, "KIE"), ["DEN"]);
    assert_eq!(
        fleet(&marked, "SWE"),
        ["BOT FIN", "DEN"],
        "the Baltic lies between the two coasts as it is void"
    );

    // All seas except the Black Sea are one dry point: faces that touch it meet there, at the water of Denmark.
    let seas =
        plain.faces.iter().filter(|(name, face)| *name != "BLA" && matches!(face.kind, "sea" | "void"));
    let collapse: Vec<String> = seas.map(|(name, _)| format!("collapse {name}")).collect();
    let collapse: Vec<&str> = collapse.iter().map(String::as_str).collect();
    let [plain, marked] = reports(&collapse);
    assert_eq!(fleet(&plain, "DEN"), [""; 0]);
    assert_eq!(coasts(&marked, "DEN"), [""]);
    let reached = &fleet(&marked, "DEN")[0];
    for face in ["BER", "BRE", "LON", "NAF", "STP/NC", "STP/SC", "SYR", "TUN"] {
        assert!(reached.split(' ').any(|to| to == face), "{face} of {reached}");
    }
    assert!(!reached.contains("ANK"), "the Black Sea is another water");
}

#[test]
fn one_coast_of_denmark_reaches_every_sea_whatever_lies_between() {
    let plain = without_waterways();
    let with_mark = report(&marked(plain.clone()));
    let plain = report(&plain);
    assert_eq!(coasts(&plain, "DEN"), ["BAL", "HEL NTH SKA"]);
    assert_eq!(coasts(&with_mark, "DEN"), ["BAL HEL NTH SKA"]);
    assert_eq!(fleet(&with_mark, "DEN"), ["BAL HEL KIE NTH SKA SWE"]);

    // The strait ends with a split that cuts its border.
    let [plain, with_mark] = reports(&["split SWE DEN NWY"]);
    assert!(with_mark.waterways.iter().all(|way| way.kind != "strait"));
    assert_eq!(coasts(&plain, "DEN").len(), 2);
    assert_eq!(coasts(&with_mark, "DEN"), ["BAL HEL NTH SKA"]);

    // Three separate seas, one coast.
    let [_, with_mark] = reports(&["split SWE DEN NWY", "void NTH"]);
    assert_eq!(coasts(&with_mark, "DEN"), ["BAL HEL SKA"]);
}

#[test]
fn sweden_and_kiel_keep_one_coast_at_denmark() {
    let plain = without_waterways();
    let with_mark = report(&marked(plain.clone()));
    let plain = report(&plain);
    for (face, apart, together) in
        [("SWE", ["BAL BOT", "SKA"], "BAL BOT SKA"), ("KIE", ["BAL", "HEL"], "BAL HEL")]
    {
        let mut found = coasts(&plain, face);
        found.sort();
        assert_eq!(found, apart);
        assert_eq!(coasts(&with_mark, face), [together]);
    }
    assert_eq!(coasts(&with_mark, "CON").len(), 2, "far from Denmark");
}

#[test]
fn denmark_as_a_hole_or_a_sea_is_like_any_other() {
    for event in ["collapse DEN", "void DEN", "submerge DEN"] {
        for more in [&[][..], &["collapse BAL"], &["collapse BAL", "collapse BOT"], &["void SKA"]] {
            let [plain, marked] = reports(&[&[event], more].concat());
            assert_eq!(marked, plain, "{event}, {more:?}");
        }
    }
    let [plain, marked] = reports(&["collapse BAL", "collapse BOT", "collapse DEN", "restore DEN"]);
    assert_ne!(marked, plain, "an archipelago again");
}

#[test]
fn both_halves_of_an_archipelago_are_archipelagos() {
    let chart = &both(&["split DEN SWE HEL"])[1];
    let names: Vec<&str> = chart.map().archipelagos().iter().map(|id| chart.map().name(id)).collect();
    assert_eq!(names, ["DEN.1", "DEN.2"]);
    let seen = report(chart);
    assert_eq!(seen.faces["DEN.1"].boundaries, [["DEN.2", "SWE", "SKA", "NTH", "HEL"]]);
    assert_eq!(fleet(&seen, "DEN.1"), ["DEN.2 HEL NTH SKA SWE"]);
    assert_eq!(fleet(&seen, "DEN.2"), ["BAL DEN.1 HEL KIE SWE"]);
    assert_eq!(coasts(&seen, "SWE"), ["BAL BOT SKA"], "the strait was cut");
}

/// The faces that holes open near Denmark.
const NORTH: [&str; 16] = [
    "BAL", "BAR", "BER", "BOT", "DEN", "FIN", "HEL", "HOL", "KIE", "LVN", "NTH", "NWG", "NWY", "SKA", "STP",
    "SWE",
];

/// A hole opens or closes somewhere, usually near Denmark.
fn draw_event(chart: &NamedMap, random: &mut Stream) -> MapEvent {
    let all: Vec<&str> =
        chart.map().faces().map(|(_, face)| face.name()).filter(|name| *name != "OUT").collect();
    let pool = if random.below(4) == 0 { &all[..] } else { &NORTH };
    let name = random.choose(pool).expect("a face").to_string();
    let face = chart.map().find(&name).and_then(|id| chart.map().face(id)).expect("a face");
    match random.below(3) {
        _ if face.state() != FaceState::Open => MapEvent::Restore(name),
        0 if name != "SWI" => MapEvent::Void(name),
        _ => MapEvent::Collapse(name),
    }
}

#[test]
fn random_holes_derive_as_the_words_say_and_the_mark_moves_no_army() {
    for sequence in 0..testkit::amount(60, 150) {
        let mut random = Stream::keyed(2026, Purpose::Bot, &[49, sequence]);
        let [mut plain, mut marked] = both(&[]);
        let mut done = Vec::new();
        for step in 0..10 {
            let event = draw_event(&plain, &mut random);
            for chart in [&mut plain, &mut marked] {
                event.apply(chart).unwrap_or_else(|e| panic!("{done:?}, {event}: {e}"));
            }
            done.push(event.to_string());
            check_mark(&plain, &marked, &done);
            if step % 5 == 4 {
                let report = report(&marked);
                let reported = Movement::reported(&report);
                assert_eq!(Movement::by_words(&report, &["DEN"]), [reported], "{done:?}");
            }
        }
    }
}

/// The allowed and forbidden effects of the mark on a map.
fn check_mark(plain: &NamedMap, marked: &NamedMap, done: &[String]) {
    let map = marked.map();
    let boards = [plain, marked].map(|chart| derive(chart.map()));
    let [without, with] = &boards;
    assert_eq!((with.land(), with.sea()), (without.land(), without.sea()), "{done:?}");
    for (id, face) in map.faces() {
        let context = || format!("{} after {done:?}", face.name());
        assert_eq!(with.army_reach(id), without.army_reach(id), "{}", context());
        assert_eq!(with.seas_next_to(id), without.seas_next_to(id), "convoys: {}", context());
        assert!(without.fleet_reach_any(id).is_subset(with.fleet_reach_any(id)), "{}", context());
        assert!(without.coasts(id) == 0 || with.coasts(id) > 0, "{}", context());
    }
    let denmark = map.find("DEN").expect("a face");
    if with.land().contains(denmark) {
        let round: ProvinceSet = map.sides_of(denmark).map(|side| map.across(side)).collect();
        let reached = with.fleet_reach(Location::from(denmark));
        assert_eq!(with.coasts(denmark), 1, "{done:?}");
        assert!((round & with.passable()).is_subset(reached), "{done:?}");
        assert!(with.army_reach(denmark).is_subset(reached), "{done:?}");
    } else {
        assert_eq!(report(marked), report(plain), "{done:?}");
    }
}

fn change(terrain: &mut MapTables, events: &[&str]) {
    let done = terrain.change(|chart| events.iter().try_for_each(|event| apply(chart, event)));
    done.expect("every event was done");
}

/// The coast of a face that has a contact with this neighbour.
fn coast_at(terrain: &MapTables, face: &str, neighbour: &str) -> Location {
    let (map, board) = (terrain.chart().map(), terrain.board());
    let [province, across] = [face, neighbour].map(|name| map.find(name).expect("a face"));
    board
        .stations_of(province)
        .find(|&at| board.contacts(at).iter().any(|&side| map.across(side) == across))
        .unwrap_or_else(|| panic!("{face} has no coast at {neighbour}"))
}

/// The fate of a fleet on this coast of Spain in each half when Spain is split.
fn fates_in_halves(coast: &str, split: &str) -> [CoastFate; 2] {
    let mut terrain = MapTables::new(atlas::standard());
    let province = terrain.chart().map().find("SPA").expect("a face");
    let names = terrain.chart().coast_names(terrain.board(), province);
    let coast = names.iter().position(|name| name.to_string() == coast).expect("a coast");
    change(&mut terrain, &[split]);
    let fleet = Location { province, coast: CoastId(coast as u8) };
    let chart = terrain.chart();
    ["SPA.1", "SPA.2"].map(|half| {
        let now = chart.map().find(half).expect("a half");
        chart.coast_fate_in(terrain.board().former(), terrain.board(), fleet.province, &[fleet.coast], now)
    })
}

#[test]
fn ruling_4_11_a_fleet_in_a_half_is_on_the_part_of_its_coast_that_lies_there() {
    let [first, second] = [0, 1].map(|coast| CoastFate::Stays(CoastId(coast)));
    // The first half has a part of the north coast and all of the south coast, which is its first coast; the second
    // has the rest of the north coast.
    let split = "split SPA MAO#2 MAR";
    assert_eq!(fates_in_halves("SC", split), [first.clone(), CoastFate::Moves(CoastId(0))]);
    assert_eq!(fates_in_halves("NC", split), [second.clone(), first.clone()]);
    // The first half has all of the north coast, which is its first, and a part of the south coast; the second the
    // rest of the south coast.
    let split = "split SPA GAS WES";
    assert_eq!(fates_in_halves("SC", split), [second, first.clone()]);
    assert_eq!(fates_in_halves("NC", split), [first.clone(), CoastFate::Moves(CoastId(0))]);
    // The first half has no coast, the second has both as they were.
    assert_eq!(fates_in_halves("SC", "split SPA MAR GAS"), [CoastFate::Lost, first]);
}

/// A fleet on the coast of the face at this neighbour, after `before`, goes with its province and comes back after
/// `meanwhile`.
fn returned(face: &str, at: &str, before: &[&str], meanwhile: &[&str]) -> (MapTables, CoastFate) {
    let mut terrain = MapTables::new(marked(atlas::standard()));
    change(&mut terrain, before);
    let fleet = coast_at(&terrain, face, at);
    let contacts = terrain.chart().coast_borders(terrain.board(), fleet);
    assert!(!contacts.is_empty());
    change(&mut terrain, &[&format!("collapse {face}")]);
    assert_eq!(terrain.chart().coast_returned(terrain.board(), fleet.province, &contacts), CoastFate::Lost);
    change(&mut terrain, meanwhile);
    change(&mut terrain, &[&format!("restore {face}")]);
    let fate = terrain.chart().coast_returned(terrain.board(), fleet.province, &contacts);
    (terrain, fate)
}

#[test]
fn ruling_4_8_a_fleet_that_comes_back_is_on_what_is_left_of_its_coast() {
    let (terrain, fate) = returned("GAS", "MAR", &["collapse MAR"], &[]);
    assert_eq!(fate, CoastFate::Stays(coast_at(&terrain, "GAS", "MAR").coast));
    let (terrain, fate) = returned("GAS", "MAO", &["collapse MAR"], &[]);
    assert_eq!(fate, CoastFate::Stays(coast_at(&terrain, "GAS", "MAO").coast));
    let (_, fate) = returned("GAS", "MAO", &["collapse MAR"], &["restore MAR"]);
    assert_eq!(fate, CoastFate::Stays(CoastId(0)), "whatever its current name");
}

#[test]
fn ruling_4_8_a_fleet_whose_coast_is_gone_when_it_comes_back_takes_another_or_is_lost() {
    let (_, fate) = returned("GAS", "MAR", &["collapse MAR"], &["restore MAR"]);
    assert_eq!(fate, CoastFate::Moves(CoastId(0)));
    let (_, fate) = returned("GAS", "MAO", &[], &["void MAO", "collapse MAR"]);
    assert_eq!(fate, CoastFate::Moves(CoastId(0)), "its sea is void, and there is the point of Marseilles");
    let (_, fate) = returned("BER", "BAL", &[], &["void BAL"]);
    assert_eq!(fate, CoastFate::Lost);
}

#[test]
fn ruling_4_8_a_coast_cut_in_two_meanwhile_leaves_the_choice_of_both_parts() {
    let (terrain, fate) = returned("NWY", "BAR", &[], &["void NTH", "void NWG"]);
    let CoastFate::Choice { coasts, default } = fate else { panic!("{fate:?}") };
    assert_eq!(coasts, [CoastId(0), CoastId(1)]);
    assert_eq!(
        default,
        coast_at(&terrain, "NWY", "SKA").coast,
        "a sea on each, and from north over west the south comes first"
    );
}

#[test]
fn ruling_4_8_and_4_9_denmark_keeps_the_coast_of_berlin_for_a_fleet_that_comes_back() {
    let (_, fate) = returned("BER", "BAL", &[], &["collapse BAL", "collapse BOT"]);
    assert_eq!(fate, CoastFate::Stays(CoastId(0)));
    let (_, fate) = returned("DEN", "SWE", &[], &["void BAL", "void SKA", "collapse SWE"]);
    assert_eq!(fate, CoastFate::Stays(CoastId(0)));
}

#[test]
fn a_fleet_at_sea_has_no_coast_to_remember_and_comes_back_to_its_sea() {
    let mut terrain = MapTables::new(atlas::standard());
    let lions = Location::from(terrain.chart().map().find("LYO").expect("a sea"));
    let contacts = terrain.chart().coast_borders(terrain.board(), lions);
    assert_eq!(contacts, Vec::<BorderId>::new());
    let fate =
        |terrain: &MapTables| terrain.chart().coast_returned(terrain.board(), lions.province, &contacts);
    change(&mut terrain, &["collapse LYO"]);
    assert_eq!(fate(&terrain), CoastFate::Lost);
    change(&mut terrain, &["collapse WES", "restore LYO"]);
    assert_eq!(fate(&terrain), CoastFate::Stays(CoastId::FIRST));
}
