//! `seismic-1971`, rule by rule (Seismic; rules.md 8): phases, orders, strength, contradiction, worked cases. The fate
//! of fleets is in `fleets.rs`.

use crate::helpers::shipped::variant;
use crate::helpers::table::Table;
use upheaval::game::Stage;
use upheaval::ids::Power;
use upheaval::rules::notation::WrittenSeismic;
use upheaval::rules::rulebook::Rulebook;
use upheaval::rules::seismic::SeismicOutcome;
use upheaval::topology::{MapEvent, Quake};

/// Portugal and Brest as islands in the Mid-Atlantic.
const TWO_ISLANDS: [&str; 5] = [
    "separate POR SPA connect MAO MAO",
    "separate BRE GAS connect MAO PAR",
    "separate BRE PAR connect MAO PIC",
    "separate BRE PIC connect MAO ENG",
    "separate BRE ENG connect MAO MAO",
];

/// A unit and a centre for every power, each far from the quakes of the tests.
const EVERYBODY: [(Power, &[&str]); 7] = [
    (Power::AUSTRIA, &["A VIE"]),
    (Power::ENGLAND, &["A LVP"]),
    (Power::FRANCE, &["A PAR"]),
    (Power::GERMANY, &["A BER"]),
    (Power::ITALY, &["A ROM"]),
    (Power::RUSSIA, &["A MOS"]),
    (Power::TURKEY, &["A ANK"]),
];

fn new_game() -> Table {
    Table::new_game(variant("seismic-1971"), 1950)
}

/// A seismic phase in Spring 1905, after these events; every power may give an order.
fn phase_after(events: &[&str]) -> Table {
    Table::set_in(variant("seismic-1971"), "S1905E", events, &EVERYBODY, &[])
}

fn touch(table: &Table, a: &str, b: &str) -> bool {
    let map = table.game.terrain().chart().map();
    !map.stretches(table.id(a), table.id(b)).is_empty()
}

fn words(table: &Table, powers: &[Power]) -> Vec<&'static str> {
    powers.iter().map(|&power| table.shaken(power).expect("an order")).collect()
}

fn fault(table: &Table, text: &str) -> String {
    let written = WrittenSeismic::parse(text).expect("an order");
    written.resolve(table.game.terrain().chart().map()).expect_err("nothing that fits").to_string()
}

// ---- rule 1 ----

#[test]
fn seismic_1971_rule_1_the_1971_rulebook_applies() {
    assert_eq!(variant("seismic-1971").rulebook, Rulebook::R1971);
}

// ---- rule 2: the phases ----

#[test]
fn seismic_1971_rule_2_a_phase_after_spring_retreats_and_after_winter_adjustments() {
    let mut table = new_game();
    assert_eq!(table.phase(), "S1901M");
    table.move_all(&[]);
    assert_eq!(table.phase(), "S1901E");
    table.shake(&[]);
    assert_eq!(table.phase(), "F1901M");
    table.move_all(&["F KIE - DEN"]);
    assert_eq!(table.phase(), "W1901A", "none after Fall");
    table.adjust();
    assert_eq!(table.phase(), "W1901E");
    table.shake(&[]);
    assert_eq!(table.phase(), "S1902M");
}

#[test]
fn seismic_1971_rule_2_after_winter_even_if_nobody_has_anything_to_adjust() {
    let mut table = new_game();
    table.move_all(&[]).shake(&[]).move_all(&[]);
    assert_eq!((table.phase(), table.game.stage()), ("W1901E".to_owned(), Stage::Seismic));
}

#[test]
fn seismic_1971_rule_2_after_the_retreats_and_not_before() {
    let units: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["A BUR", "A PIC"]), (Power::GERMANY, &["A BEL", "A WAL"])];
    let mut table = Table::set_in(variant("seismic-1971"), "S1905M", &[], &units, &[]);
    table.move_all(&["A BUR - BEL", "A PIC S A BUR - BEL"]);
    assert_eq!(table.phase(), "S1905R");
    table.retreat(&["A BEL R HOL"]);
    assert_eq!(table.phase(), "S1905E");
    assert_eq!(table.units(Power::GERMANY), ["A HOL", "A WAL"]);
}

#[test]
fn seismic_1971_rule_2_units_are_built_before_the_earth_moves_in_winter() {
    let units: [(Power, &[&str]); 2] = [(Power::AUSTRIA, &["A TYR"]), (Power::ITALY, &["A ROM"])];
    let centres: [(Power, &[&str]); 2] = [(Power::AUSTRIA, &["TRI", "VIE"]), (Power::ITALY, &["ROM"])];
    let mut table = Table::set_in(variant("seismic-1971"), "F1905M", &[], &units, &centres);
    table.move_all(&[]);
    assert_eq!(table.phase(), "W1905A");
    assert_eq!(table.names(table.game.build_sites(Power::AUSTRIA)), ["TRI", "VIE"]);
}

#[test]
fn seismic_1971_rule_2_a_game_that_is_won_in_fall_has_no_phase_in_winter() {
    let mut table = new_game();
    let terrain = table.game.terrain().clone();
    let all: Vec<&str> = terrain.centres().iter().map(|id| terrain.names().province(id)).take(18).collect();
    table = Table::set_in(
        variant("seismic-1971"),
        "F1905M",
        &[],
        &[(Power::RUSSIA, &["A MOS"]), (Power::ITALY, &["F TYS"])],
        &[(Power::RUSSIA, &all)],
    );
    table.move_all(&[]);
    assert_eq!(table.game.stage(), Stage::Over);
}

// ---- rule 3: an order each ----

#[test]
fn seismic_1971_rule_3_each_power_may_order_one_event_and_none_need() {
    let mut table = new_game();
    table.move_all(&[]).shake(&[
        (Power::ENGLAND, "SEPARATE POR SPA CONNECT MAO MAO"),
        (Power::ITALY, "SEPARATE APU VEN CONNECT ADR ROM"),
        (Power::TURKEY, "SEPARATE ANK ARM CONNECT BLA SMY"),
    ]);
    assert_eq!(words(&table, &[Power::ENGLAND, Power::ITALY, Power::TURKEY]), ["ok"; 3]);
    assert_eq!(table.shaken(Power::FRANCE), None);
    assert!(touch(&table, "ADR", "ROM") && touch(&table, "BLA", "SMY") && !touch(&table, "POR", "SPA"));
}

#[test]
fn seismic_1971_rule_3_a_power_that_is_out_orders_nothing() {
    let units: [(Power, &[&str]); 2] = [(Power::AUSTRIA, &["A VIE"]), (Power::ITALY, &["A ROM"])];
    let mut table = Table::set_in(variant("seismic-1971"), "S1905E", &[], &units, &[]);
    table.shake(&[(Power::TURKEY, "SEPARATE POR SPA CONNECT MAO MAO")]);
    assert_eq!(table.shaken(Power::TURKEY), None);
    assert!(touch(&table, "POR", "SPA"));
}

#[test]
fn seismic_1971_rule_3_a_power_without_units_that_has_a_centre_orders() {
    let mut table = Table::set_in(
        variant("seismic-1971"),
        "S1905E",
        &[],
        &[(Power::ITALY, &["A ROM"])],
        &[(Power::TURKEY, &["ANK"])],
    );
    table.shake(&[(Power::TURKEY, "SEPARATE POR SPA CONNECT MAO MAO")]);
    assert_eq!(table.shaken(Power::TURKEY), Some("ok"));
}

// ---- rule 4: the two kinds ----

#[test]
fn seismic_1971_rule_4a_two_provinces_separate_and_the_two_at_their_ends_connect() {
    let mut table = phase_after(&[]);
    table.shake(&[(Power::ITALY, "SEPARATE AEG GRE CONNECT BUL ION")]);
    assert!(!touch(&table, "AEG", "GRE") && touch(&table, "BUL", "ION"));
    // Land or sea: two seas and two lands.
    table = phase_after(&[]);
    table.shake(&[(Power::AUSTRIA, "SEPARATE ADR ION CONNECT ALB APU")]);
    assert!(!touch(&table, "ADR", "ION") && touch(&table, "ALB", "APU"));
}

#[test]
fn seismic_1971_rule_4a_only_in_this_configuration() {
    let table = phase_after(&[]);
    assert!(fault(&table, "SEPARATE BUL GRE CONNECT SER ION").contains("AEG"));
    assert!(!fault(&table, "SEPARATE PAR MUN CONNECT BUR RUH").is_empty());
}

#[test]
fn seismic_1971_rule_4a_an_army_walks_over_the_new_border_and_not_over_the_old() {
    let mut table = Table::set_in(
        variant("seismic-1971"),
        "S1905E",
        &[],
        &[(Power::AUSTRIA, &["A ALB"]), (Power::ITALY, &["A VEN"])],
        &[(Power::ITALY, &["ROM"])],
    );
    table.shake(&[
        (Power::AUSTRIA, "SEPARATE ADR ION CONNECT ALB APU"),
        (Power::ITALY, "SEPARATE TYR VEN CONNECT PIE TRI"),
    ]);
    table.move_all(&["A ALB - APU"]);
    assert_eq!(table.units(Power::AUSTRIA), ["A APU"]);
    let tyrolia = table.id("TYR");
    assert!(!table.game.terrain().board().army_reach(table.id("VEN")).contains(tyrolia));
}

#[test]
fn seismic_1971_rule_4a_c_and_d_may_be_the_same_area() {
    let mut table = phase_after(&[]);
    table.shake(&[(Power::ENGLAND, "SEPARATE POR SPA CONNECT MAO MAO")]);
    let map = table.game.terrain().chart().map();
    assert_eq!(map.stretches(table.id("POR"), table.id("MAO")).len(), 1);
    assert!(!touch(&table, "POR", "SPA"), "an island");
    assert!(table.game.terrain().board().army_reach(table.id("POR")).is_empty());
}

#[test]
fn seismic_1971_rule_4a_an_ambiguous_order_is_void_unless_it_says_which() {
    // Brest, an island, at Portugal, which is at Gascony: the sea on either side of Portugal ends at both.
    let mut events = TWO_ISLANDS.to_vec();
    events.extend(["connect BRE POR through MAO", "connect GAS POR through MAO"]);
    let mut table = phase_after(&events);
    let map = table.game.terrain().chart().map();
    let order = |text: &str| WrittenSeismic::parse(text).expect("an order").resolve(map);
    let bare = "SEPARATE POR MAO CONNECT GAS BRE";
    assert!(order(bare).expect_err("it fits twice").is_ambiguous());
    let [one, other] = [1, 2].map(|n| order(&format!("{bare} #{n}")).expect("one place").quake);
    assert_ne!(one, other);
    assert!(order(&format!("{bare} #3")).is_err());
    // A release: Brest to Spain, whose two shores are on either side of Portugal.
    let apart = phase_after(&TWO_ISLANDS[1..]);
    let spain = WrittenSeismic::parse("CONNECT BRE SPA THROUGH MAO").expect("an order");
    let fault = spain.resolve(apart.game.terrain().chart().map()).expect_err("it fits twice");
    assert!(fault.is_ambiguous());
    // Different places are different orders: neither supports the other.
    table.shake(&[
        (Power::ENGLAND, "SEPARATE POR MAO CONNECT GAS BRE #1"),
        (Power::FRANCE, "SEPARATE POR MAO CONNECT GAS BRE #2"),
        (Power::GERMANY, "SEPARATE MAO POR CONNECT BRE GAS #2"),
    ]);
    assert_eq!(words(&table, &[Power::FRANCE, Power::GERMANY]), ["ok"; 2]);
}

#[test]
fn seismic_1971_rule_4b_release_of_an_island() {
    let mut table = phase_after(&["separate POR SPA connect MAO MAO"]);
    table.shake(&[(Power::FRANCE, "CONNECT POR BRE THROUGH MAO")]);
    assert_eq!(table.shaken(Power::FRANCE), Some("ok"));
    let map = table.game.terrain().chart().map();
    assert_eq!(map.stretches(table.id("BRE"), table.id("MAO")).len(), 2, "the sea is on both sides");
}

#[test]
fn seismic_1971_rule_4b_only_of_what_is_cut_off_inside() {
    let table = phase_after(&[]);
    assert!(!fault(&table, "CONNECT POR BRE THROUGH MAO").is_empty());
    let table = phase_after(&["separate POR SPA connect MAO MAO"]);
    assert!(!fault(&table, "CONNECT POR PAR THROUGH MAO").is_empty(), "Paris is not at the sea");
    assert!(!fault(&table, "CONNECT GAS BRE THROUGH MAO").is_empty(), "both are on one shore");
}

#[test]
fn seismic_1971_ruling_8_1_a_group_of_provinces_is_released_by_any_of_them_at_the_shore() {
    // Portugal and Brest joined are one island in the Mid-Atlantic.
    let mut events = TWO_ISLANDS.to_vec();
    events.push("connect BRE POR through MAO");
    let mut table = phase_after(&events);
    table.shake(&[(Power::FRANCE, "CONNECT BRE PIC THROUGH MAO")]);
    assert_eq!(table.shaken(Power::FRANCE), Some("ok"));
    let land = *table.game.terrain().board().army_reach(table.id("BRE"));
    assert_eq!(table.names(land), ["PIC", "POR"]);
}

// ---- rule 5: Switzerland and the Outside; the Barents Sea ----

#[test]
fn seismic_1971_rule_5_switzerland_and_the_outside_take_part_and_stay_impassable() {
    let mut table = phase_after(&[]);
    table.shake(&[
        (Power::GERMANY, "SEPARATE BUR MUN CONNECT RUH SWI"),
        (Power::ITALY, "SEPARATE OUT TUN CONNECT ION NAF"),
    ]);
    assert_eq!(words(&table, &[Power::GERMANY, Power::ITALY]), ["ok"; 2]);
    assert!(touch(&table, "RUH", "SWI") && touch(&table, "NAF", "ION"));
    let board = table.game.terrain().board();
    assert!(!board.army_reach(table.id("RUH")).contains(table.id("SWI")));
    assert!(!board.passable().contains(table.id("OUT")));
}

#[test]
fn seismic_1971_rule_5_the_barents_sea_is_trapped_in_the_outside_with_a_fleet_and_becomes_a_lake() {
    let units: [(Power, &[&str]); 4] = [
        (Power::ENGLAND, &["F BAR", "A LVP"]),
        (Power::RUSSIA, &["A STP"]),
        (Power::ITALY, &["A NAF"]),
        (Power::FRANCE, &["A PAR"]),
    ];
    let mut table = Table::set_in(
        variant("seismic-1971"),
        "S1901M",
        &[],
        &units,
        &[
            (Power::ENGLAND, &["LON", "LVP"]),
            (Power::RUSSIA, &["STP"]),
            (Power::ITALY, &["TUN"]),
            (Power::FRANCE, &["PAR"]),
        ],
    );
    table.move_all(&[]).shake(&[
        (Power::ENGLAND, "SEPARATE STP BAR CONNECT NWY OUT"),
        (Power::RUSSIA, "SEPARATE NWG BAR CONNECT NWY OUT"),
    ]);
    assert_eq!(words(&table, &[Power::ENGLAND, Power::RUSSIA]), ["ok"; 2]);
    table.move_all(&[]);
    assert_eq!(table.phase(), "W1901E");
    table.shake(&[(Power::ENGLAND, "SEPARATE NWY BAR CONNECT OUT OUT")]);
    assert_eq!(table.shaken(Power::ENGLAND), Some("ok"));
    assert_eq!(table.units(Power::ENGLAND), ["A LVP", "F BAR"], "locked in, and at sea still");
    let board = table.game.terrain().board();
    let sea = table.id("BAR");
    assert!(board.fleet_reach(sea.into()).is_empty());
    table.move_all(&["A NAF - TUN"]).shake(&[(Power::ITALY, "CONNECT BAR TUN THROUGH OUT")]);
    assert_eq!(table.shaken(Power::ITALY), Some("ok"));
    assert!(touch(&table, "BAR", "TUN"));
    table.move_all(&["A TUN - NAF", "F BAR - TUN/NC"]);
    assert_eq!(table.units(Power::ENGLAND), ["A LVP", "F TUN/NC"], "the lake is its own coast");
}

// ---- rule 6: support ----

#[test]
fn seismic_1971_rule_6_the_same_order_by_two_powers_beats_one_that_contradicts_it() {
    let mut table = phase_after(&[]);
    table.shake(&[
        (Power::AUSTRIA, "SEPARATE BUL GRE CONNECT SER AEG"),
        (Power::RUSSIA, "SEPARATE BUL GRE CONNECT SER AEG"),
        (Power::TURKEY, "SEPARATE BUL AEG CONNECT GRE CON"),
    ]);
    assert_eq!(words(&table, &[Power::AUSTRIA, Power::RUSSIA, Power::TURKEY]), ["ok", "ok", "bounce"]);
}

#[test]
fn seismic_1971_ruling_8_3_orders_are_the_same_however_they_are_written() {
    for other in [
        "SEPARATE GRE BUL CONNECT SER AEG",
        "SEPARATE BUL GRE CONNECT AEG SER",
        "SEPARATE GRE BUL CONNECT AEG SER",
        "separate gre bul connect aeg ser",
    ] {
        let mut table = phase_after(&[]);
        table.shake(&[
            (Power::AUSTRIA, "SEPARATE BUL GRE CONNECT SER AEG"),
            (Power::RUSSIA, other),
            (Power::TURKEY, "SEPARATE BUL AEG CONNECT GRE CON"),
        ]);
        assert_eq!(
            words(&table, &[Power::AUSTRIA, Power::RUSSIA, Power::TURKEY]),
            ["ok", "ok", "bounce"],
            "{other}"
        );
    }
    let mut table = phase_after(&["separate POR SPA connect MAO MAO"]);
    table.shake(&[
        (Power::ENGLAND, "CONNECT POR IRI THROUGH MAO"),
        (Power::FRANCE, "CONNECT POR BRE THROUGH MAO"),
        (Power::GERMANY, "CONNECT BRE POR THROUGH MAO"),
    ]);
    assert_eq!(words(&table, &[Power::ENGLAND, Power::FRANCE, Power::GERMANY]), ["bounce", "ok", "ok"]);
}

#[test]
fn seismic_1971_rule_6_support_does_not_do_a_thing_twice() {
    let mut table = phase_after(&[]);
    let order = "SEPARATE POR SPA CONNECT MAO MAO";
    table.shake(&[(Power::ENGLAND, order), (Power::FRANCE, order), (Power::ITALY, order)]);
    assert_eq!(words(&table, &[Power::ENGLAND, Power::FRANCE, Power::ITALY]), ["ok"; 3]);
    let counts = table.game.terrain().chart().map().quakes().len();
    let once = phase_after(&["separate POR SPA connect MAO MAO"]);
    assert_eq!(counts, once.game.quakes().len());
}

// ---- rule 7: contradiction ----

#[test]
fn seismic_1971_rule_7_case_1_bulgaria_and_greece_both_fail() {
    let mut table = phase_after(&[]);
    table.shake(&[
        (Power::AUSTRIA, "SEPARATE BUL GRE CONNECT SER AEG"),
        (Power::TURKEY, "SEPARATE BUL AEG CONNECT GRE CON"),
    ]);
    assert_eq!(words(&table, &[Power::AUSTRIA, Power::TURKEY]), ["bounce"; 2]);
    assert_eq!(table.told.outcome(Power::AUSTRIA), Some(SeismicOutcome::Contradicted(Power::TURKEY)));
    assert!(touch(&table, "BUL", "GRE") && touch(&table, "BUL", "AEG"), "nothing moved");
}

#[test]
fn seismic_1971_rule_7_case_2_seconded_by_russia_austria_succeeds_and_turkey_fails() {
    let mut table = new_game();
    table.move_all(&["A CON - BUL"]).shake(&[
        (Power::AUSTRIA, "SEPARATE BUL GRE CONNECT SER AEG"),
        (Power::RUSSIA, "SEPARATE GRE BUL CONNECT AEG SER"),
        (Power::TURKEY, "SEPARATE BUL AEG CONNECT GRE CON"),
    ]);
    assert_eq!(words(&table, &[Power::AUSTRIA, Power::RUSSIA, Power::TURKEY]), ["ok", "ok", "bounce"]);
    // Serbia is at the sea: the army is shut out of Greece, and moves to Serbia.
    let board = table.game.terrain().board();
    assert!(!board.army_reach(table.id("BUL")).contains(table.id("GRE")));
    assert_eq!(board.coasts(table.id("SER")), 1);
    table.move_all(&["A BUL - SER"]);
    assert!(table.units(Power::TURKEY).contains(&"A SER".to_owned()));
}

#[test]
fn seismic_1971_rule_7_case_3_two_releases_would_cut_the_mid_atlantic() {
    let mut table = new_game();
    table.move_all(&[]).shake(&[(Power::ENGLAND, "SEPARATE POR SPA CONNECT MAO MAO")]);
    table.move_all(&[]);
    assert_eq!(table.phase(), "W1901E");
    table.shake(&[
        (Power::ENGLAND, "CONNECT POR IRI THROUGH MAO"),
        (Power::FRANCE, "CONNECT POR BRE THROUGH MAO"),
    ]);
    assert_eq!(words(&table, &[Power::ENGLAND, Power::FRANCE]), ["bounce"; 2]);
    assert!(table.game.terrain().board().army_reach(table.id("POR")).is_empty(), "an island still");
}

#[test]
fn seismic_1971_rule_7_the_four_orders_against_bulgaria_and_greece_and_no_others() {
    let table = phase_after(&[]);
    let map = table.game.terrain().chart().map();
    let event: MapEvent = "separate BUL GRE connect AEG SER".parse().expect("an event");
    let quake = Quake::of_event(&event, map).expect("it fits");
    let against: Vec<String> = table
        .game
        .quakes()
        .iter()
        .filter(|other| quake.contradicts(**other, map))
        .map(|other| other.event(map).to_string())
        .collect();
    assert_eq!(
        against,
        [
            "separate AEG BUL connect CON GRE",
            "separate AEG GRE connect BUL ION",
            "separate BUL SER connect GRE RUM",
            "separate GRE SER connect ALB BUL",
        ]
    );
}

#[test]
fn seismic_1971_ruling_8_3_an_order_that_fails_itself_still_brings_down_an_equal_one() {
    // Round Bulgaria: Greece and the Aegean share a corner, the Aegean and Constantinople do, the outer two do not.
    let outer = "SEPARATE BUL GRE CONNECT SER AEG";
    let middle = "SEPARATE BUL AEG CONNECT GRE CON";
    let strong = "SEPARATE BUL CON CONNECT AEG BLA";
    let mut table = phase_after(&[]);
    table.shake(&[
        (Power::AUSTRIA, outer),
        (Power::TURKEY, middle),
        (Power::ENGLAND, strong),
        (Power::FRANCE, strong),
    ]);
    assert_eq!(
        words(&table, &[Power::AUSTRIA, Power::TURKEY, Power::ENGLAND, Power::FRANCE]),
        ["bounce", "bounce", "ok", "ok"]
    );
    assert_eq!(table.told.outcome(Power::AUSTRIA), Some(SeismicOutcome::Contradicted(Power::TURKEY)));
    let mut table = phase_after(&[]);
    table.shake(&[
        (Power::AUSTRIA, outer),
        (Power::TURKEY, middle),
        (Power::FRANCE, middle),
        (Power::ENGLAND, strong),
    ]);
    assert_eq!(
        words(&table, &[Power::AUSTRIA, Power::TURKEY, Power::FRANCE, Power::ENGLAND]),
        ["bounce", "ok", "ok", "bounce"]
    );
    let mut table = phase_after(&[]);
    table.shake(&[(Power::AUSTRIA, outer), (Power::TURKEY, middle), (Power::ENGLAND, strong)]);
    assert_eq!(words(&table, &[Power::AUSTRIA, Power::TURKEY, Power::ENGLAND]), ["bounce"; 3]);
    // Only a weaker order prevents neither of the two.
    let mut table = phase_after(&[]);
    table.shake(&[
        (Power::AUSTRIA, outer),
        (Power::ITALY, outer),
        (Power::TURKEY, middle),
        (Power::ENGLAND, strong),
        (Power::FRANCE, strong),
    ]);
    assert_eq!(
        words(&table, &[Power::AUSTRIA, Power::ITALY, Power::TURKEY, Power::ENGLAND, Power::FRANCE]),
        ["ok", "ok", "bounce", "ok", "ok"]
    );
}

const RING: [&str; 3] =
    ["CONNECT BRE POR THROUGH MAO", "CONNECT BRE PIC THROUGH MAO", "CONNECT GAS POR THROUGH MAO"];

#[test]
fn seismic_1971_ruling_8_4_of_a_ring_of_releases_all_fail_if_they_are_equal() {
    let mut table = phase_after(&TWO_ISLANDS);
    table.shake(&[(Power::ENGLAND, RING[0]), (Power::FRANCE, RING[1]), (Power::GERMANY, RING[2])]);
    assert_eq!(words(&table, &[Power::ENGLAND, Power::FRANCE, Power::GERMANY]), ["bounce"; 3]);
    assert_eq!(table.told.outcome(Power::ENGLAND), Some(SeismicOutcome::WouldCut));
    // Any two of them are not a ring.
    for [x, y] in [[0, 1], [0, 2], [1, 2]] {
        let mut table = phase_after(&TWO_ISLANDS);
        table.shake(&[(Power::ENGLAND, RING[x]), (Power::FRANCE, RING[y])]);
        assert_eq!(words(&table, &[Power::ENGLAND, Power::FRANCE]), ["ok"; 2]);
    }
}

#[test]
fn seismic_1971_ruling_8_4_of_a_ring_of_releases_the_weakest_fail() {
    let mut table = phase_after(&TWO_ISLANDS);
    table.shake(&[
        (Power::ENGLAND, RING[0]),
        (Power::FRANCE, RING[1]),
        (Power::GERMANY, RING[2]),
        (Power::ITALY, RING[2]),
    ]);
    assert_eq!(
        words(&table, &[Power::ENGLAND, Power::FRANCE, Power::GERMANY, Power::ITALY]),
        ["bounce", "bounce", "ok", "ok"]
    );
    let mut table = phase_after(&TWO_ISLANDS);
    table.shake(&[
        (Power::ENGLAND, RING[0]),
        (Power::FRANCE, RING[1]),
        (Power::AUSTRIA, RING[1]),
        (Power::GERMANY, RING[2]),
        (Power::ITALY, RING[2]),
    ]);
    assert_eq!(
        words(&table, &[Power::ENGLAND, Power::FRANCE, Power::AUSTRIA, Power::GERMANY, Power::ITALY]),
        ["bounce", "ok", "ok", "ok", "ok"]
    );
    assert!(touch(&table, "BRE", "PIC") && touch(&table, "GAS", "POR") && !touch(&table, "BRE", "POR"));
}

#[test]
fn seismic_1971_rule_7b_a_separation_that_takes_away_a_stretch_of_a_release() {
    // The release of Portugal to Brest, and the separation of Brest from the Mid-Atlantic.
    let island = ["separate POR SPA connect MAO MAO"];
    let (release, away) = ("CONNECT POR BRE THROUGH MAO", "SEPARATE BRE MAO CONNECT ENG GAS");
    let mut table = phase_after(&island);
    table.shake(&[(Power::FRANCE, release), (Power::ENGLAND, away)]);
    assert_eq!(words(&table, &[Power::FRANCE, Power::ENGLAND]), ["bounce"; 2]);
    let mut table = phase_after(&island);
    table.shake(&[(Power::FRANCE, release), (Power::ENGLAND, away), (Power::GERMANY, away)]);
    assert_eq!(words(&table, &[Power::FRANCE, Power::ENGLAND, Power::GERMANY]), ["bounce", "ok", "ok"]);
}

#[test]
fn seismic_1971_ruling_8_5_all_that_stands_is_done_at_once_on_the_map_as_it_was() {
    // The second order would only be possible after the first: it is not an order on the current map.
    let table = phase_after(&[]);
    assert!(!fault(&table, "CONNECT POR BRE THROUGH MAO").is_empty());
    // Neighbouring orders without a common corner: neither obstructs the other.
    let mut table = phase_after(&[]);
    table.shake(&[
        (Power::AUSTRIA, "SEPARATE BUL GRE CONNECT SER AEG"),
        (Power::TURKEY, "SEPARATE BUL CON CONNECT AEG BLA"),
        (Power::FRANCE, "SEPARATE POR SPA CONNECT MAO MAO"),
    ]);
    assert_eq!(words(&table, &[Power::AUSTRIA, Power::TURKEY, Power::FRANCE]), ["ok"; 3]);
    let around = *table.game.terrain().board().army_reach(table.id("BUL"));
    assert_eq!(table.names(around), ["RUM", "SER"]);
}

// ---- ruling 9: Portugal ----

#[test]
fn seismic_1971_rule_4b_portugal_made_an_island_and_released_to_brest() {
    let units: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["A POR", "A SPA"]), (Power::ENGLAND, &["F MAO", "A LVP"])];
    let centres: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["POR", "SPA"]), (Power::ENGLAND, &["LON", "LVP"])];
    let mut table = Table::set_in(variant("seismic-1971"), "S1901M", &[], &units, &centres);
    table.move_all(&[]).shake(&[(Power::ENGLAND, "SEPARATE POR SPA CONNECT MAO MAO")]);
    // On an island: only the fleet takes the army off.
    assert!(table.game.terrain().board().army_reach(table.id("POR")).is_empty());
    table.move_all(&["A POR - GAS", "F MAO C A POR - GAS"]);
    assert_eq!(table.units(Power::FRANCE), ["A GAS", "A SPA"], "convoyed");
    assert_eq!(table.phase(), "W1901E");
    table.shake(&[(Power::FRANCE, "CONNECT POR BRE THROUGH MAO")]);
    table.move_all(&["A GAS - BRE"]).shake(&[]).move_all(&["A BRE - POR"]);
    assert_eq!(table.units(Power::FRANCE), ["A POR", "A SPA"]);
}

// ---- possible orders ----

#[test]
fn seismic_1971_the_legal_orders_are_listed_once_each_in_canonical_order() {
    let table = phase_after(&TWO_ISLANDS);
    let map = table.game.terrain().chart().map();
    let texts: Vec<String> = table.game.quakes().iter().map(|quake| quake.event(map).to_string()).collect();
    let mut sorted = texts.clone();
    // Separations first.
    sorted.sort_by_key(|text| (text.starts_with("connect"), text.clone()));
    sorted.dedup();
    assert_eq!(texts, sorted);
    assert!(texts.contains(&"connect BRE POR through MAO".to_owned()));
    for (text, &quake) in texts.iter().zip(table.game.quakes()) {
        let order = WrittenSeismic::parse(text).expect("an order").resolve(map).expect("it fits");
        assert_eq!(order.quake, quake, "{text}");
        assert_eq!(WrittenSeismic::from_order(map, &order).to_string(), text.to_uppercase());
    }
}

#[test]
fn seismic_1971_outside_its_phase_there_are_no_legal_orders() {
    let table = new_game();
    assert!(table.game.quakes().is_empty());
}
