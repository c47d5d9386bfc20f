//! The army/fleet page, rules 1 to 4: armies board, sail and land. Battles are in `battles.rs`, rule 5 in
//! `ferry.rs`, rules 6 to 8 in `cli/tests/sessions/adjudicate_army_fleets.md`.

use crate::rules::army_fleets::at_sea::{ask, moves};
use serde_json::json;
use upheaval::ids::Power;

/// The result of one English order among these English units and one French unit.
fn english(units: &[&str], order: &str) -> String {
    moves(&[(Power::ENGLAND, units, &[order]), (Power::FRANCE, &["F MAO"], &[])]).word(order)
}

// ---- rule 1: embark ----

#[test]
fn army_fleet_rule_1_an_army_next_to_the_sea_boards_a_fleet_of_its_own_power() {
    moves(&[(Power::ENGLAND, &["A LON", "F ENG"], &["A LON E F ENG"])])
        .says(&[("A LON E F ENG", "ok")])
        .leaves(Power::ENGLAND, &["A/F ENG"]);
}

#[test]
fn army_fleet_rule_1_any_coast_of_the_province_will_do() {
    // Spain has two coasts, but an army is not on a coast.
    moves(&[(Power::ENGLAND, &["A SPA", "F WES"], &["A SPA E F WES"])]).leaves(Power::ENGLAND, &["A/F WES"]);
    moves(&[(Power::ENGLAND, &["A SPA", "F MAO"], &["A SPA E F MAO"])]).leaves(Power::ENGLAND, &["A/F MAO"]);
}

#[test]
fn army_fleet_rule_1_only_next_to_the_sea() {
    assert_eq!(english(&["A LON", "F IRI"], "A LON E F IRI"), "illegal", "not next to it");
    assert_eq!(english(&["A PAR", "F ENG"], "A PAR E F ENG"), "illegal", "inland");
    assert_eq!(english(&["A LON", "F ENG"], "A LON E F NTH"), "illegal", "no fleet there");
}

#[test]
fn army_fleet_rule_1_only_a_fleet_of_its_own_power() {
    let answer = moves(&[(Power::ENGLAND, &["A LON"], &["A LON E F ENG"]), (Power::FRANCE, &["F ENG"], &[])]);
    answer
        .says(&[("A LON E F ENG", "illegal")])
        .leaves(Power::ENGLAND, &["A LON"])
        .leaves(Power::FRANCE, &["F ENG"]);
}

#[test]
fn army_fleet_rule_1_only_an_army_boards() {
    assert_eq!(english(&["F LON", "F ENG"], "F LON E F ENG"), "illegal");
    assert_eq!(english(&["F NTH", "F ENG"], "F NTH E F ENG"), "illegal");
}

#[test]
fn army_fleet_rule_1_first_before_the_movement_so_that_the_province_is_empty() {
    // Unsupported, the German army would bounce off an army that held or failed to move.
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG", "F NTH"], &["A LON E F ENG", "F NTH S A LON"]),
        (Power::GERMANY, &["A YOR"], &["A YOR - LON"]),
    ])
    .says(&[("A LON E F ENG", "ok"), ("A YOR - LON", "ok"), ("F NTH S A LON", "void")])
    .leaves(Power::ENGLAND, &["A/F ENG", "F NTH"])
    .leaves(Power::GERMANY, &["A LON"]);
}

#[test]
fn army_fleet_rule_1_first_an_own_unit_may_follow_into_the_province() {
    moves(&[(Power::ENGLAND, &["A LON", "A YOR", "F ENG"], &["A LON E F ENG", "A YOR - LON"])])
        .leaves(Power::ENGLAND, &["A LON", "A/F ENG"]);
}

#[test]
fn army_fleet_rule_1_first_the_province_is_contested_when_two_bounce_there() {
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &["A LON E F ENG"]),
        (Power::GERMANY, &["A YOR"], &["A YOR - LON"]),
        (Power::FRANCE, &["F NTH"], &["F NTH - LON"]),
    ])
    .says(&[("A YOR - LON", "bounce"), ("F NTH - LON", "bounce")])
    .contests(&["LON"]);
}

#[test]
fn army_fleet_rule_1_it_cannot_fail_though_province_and_fleet_are_attacked() {
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &["A LON E F ENG"]),
        (Power::GERMANY, &["A YOR", "F NTH"], &["A YOR - LON", "F NTH S A YOR - LON"]),
        (Power::FRANCE, &["F MAO", "F BRE"], &["F MAO - ENG", "F BRE S F MAO - ENG"]),
    ])
    .says(&[("A LON E F ENG", "ok")])
    .leaves(Power::GERMANY, &["A LON", "F NTH"])
    .drives_out(&["A/F ENG from MAO: IRI"]);
}

#[test]
fn army_fleet_rule_1_a_fleet_carries_one_army_so_that_of_two_neither_boards() {
    // Both stay in place, as units that hold: units that wanted to follow them do not get in.
    moves(&[
        (Power::ENGLAND, &["A LON", "A WAL", "F ENG"], &["A LON E F ENG", "A WAL E F ENG"]),
        (Power::GERMANY, &["A YOR"], &["A YOR - LON"]),
    ])
    .says(&[("A LON E F ENG", "void"), ("A WAL E F ENG", "void"), ("A YOR - LON", "bounce")])
    .leaves(Power::ENGLAND, &["A LON", "A WAL", "F ENG"]);
}

#[test]
fn army_fleet_rule_1_of_two_that_may_not_both_board_the_fleet_does_as_ordered() {
    // No army is aboard, so the fleet retreats to a coast like any other.
    moves(&[(
        Power::ENGLAND,
        &["A LON", "A WAL", "F ENG"],
        &["A LON E F ENG", "A WAL E F ENG", "F ENG - BRE"],
    )])
    .says(&[("F ENG - BRE", "ok")])
    .leaves(Power::ENGLAND, &["A LON", "A WAL", "F BRE"]);
}

#[test]
fn army_fleet_rule_1_two_armies_board_two_fleets() {
    moves(&[(Power::ENGLAND, &["A LON", "A WAL", "F ENG", "F NTH"], &["A LON E F NTH", "A WAL E F ENG"])])
        .leaves(Power::ENGLAND, &["A/F ENG", "A/F NTH"]);
}

#[test]
fn army_fleet_rule_1_an_army_does_not_board_an_army_fleet() {
    assert_eq!(english(&["A LON", "A/F ENG"], "A LON E F ENG"), "illegal");
    assert_eq!(english(&["A LON", "A/F ENG"], "A LON E A/F ENG"), "illegal");
}

#[test]
fn army_fleet_rule_1_nor_one_whose_army_lands_in_the_same_season() {
    moves(&[(Power::ENGLAND, &["A LON", "A/F ENG"], &["A LON E F ENG", "A ENG D PIC"])])
        .says(&[("A LON E F ENG", "illegal"), ("A ENG D PIC", "ok")])
        .leaves(Power::ENGLAND, &["A LON", "A PIC", "F ENG"]);
}

#[test]
fn army_fleet_rule_1_nor_a_fleet_in_a_coastal_province() {
    assert_eq!(english(&["A LON", "F WAL"], "A LON E F WAL"), "illegal");
}

#[test]
fn army_fleet_rule_1_a_fleet_over_a_sunken_province_is_at_sea_and_can_be_boarded() {
    let answer = ask(json!({
        "phase": "S1902M",
        "map_events": ["submerge LON"],
        "powers": {"ENGLAND": {"units": ["A YOR", "F LON"]}},
        "orders": {"ENGLAND": ["A YOR E F LON"]},
    }));
    answer.expect("an answer").leaves(Power::ENGLAND, &["A/F LON"]);
}

// ---- rule 2: the pair ----

#[test]
fn army_fleet_rule_2_it_moves_from_sea_to_sea_with_what_it_carries() {
    moves(&[(Power::ENGLAND, &["A/F ENG"], &["A/F ENG - MAO"])])
        .says(&[("A/F ENG - MAO", "ok")])
        .leaves(Power::ENGLAND, &["A/F MAO"]);
}

#[test]
fn army_fleet_rule_2_f_in_an_order_is_the_same_fleet() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F IRI"], &["F ENG - MAO", "F IRI S A/F ENG - MAO"]),
        (Power::FRANCE, &["F MAO"], &[]),
    ])
    .says(&[("F ENG - MAO", "ok"), ("F IRI S A/F ENG - MAO", "ok")])
    .leaves(Power::ENGLAND, &["A/F MAO", "F IRI"]);
    moves(&[(Power::ENGLAND, &["F ENG"], &["A/F ENG - NTH"])]).leaves(Power::ENGLAND, &["F NTH"]);
}

#[test]
fn army_fleet_rule_2_it_never_enters_a_coastal_province() {
    let answer = moves(&[(Power::ENGLAND, &["A/F ENG"], &["A/F ENG - BRE"])]);
    answer.says(&[("A/F ENG - BRE", "illegal")]).leaves(Power::ENGLAND, &["A/F ENG"]);
}

#[test]
fn army_fleet_rule_2_nor_does_a_fleet_that_is_boarded_in_the_same_season() {
    // By itself the fleet's order is legal; with the army aboard it is a hold, which may be supported.
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG", "F NTH"], &["A LON E F ENG", "F ENG - BRE", "F NTH S A/F ENG"]),
        (Power::FRANCE, &["F IRI", "F MAO", "A GAS"], &["F MAO - ENG", "F IRI S F MAO - ENG", "A GAS - BRE"]),
    ])
    .says(&[
        ("F ENG - BRE", "void"),
        ("F NTH S A/F ENG", "ok"),
        ("F MAO - ENG", "bounce"),
        ("A GAS - BRE", "ok"),
    ])
    .leaves(Power::ENGLAND, &["A/F ENG", "F NTH"]);
}

#[test]
fn army_fleet_rule_2_it_never_convoys_another_army() {
    let orders = ["A/F ENG C A LON - BRE", "A LON - BRE"];
    let answer = moves(&[(Power::ENGLAND, &["A LON", "A/F ENG"], &orders)]);
    answer.says(&[("A/F ENG C A LON - BRE", "illegal"), ("A LON - BRE", "illegal")]);
    answer.leaves(Power::ENGLAND, &["A LON", "A/F ENG"]);
}

#[test]
fn army_fleet_rule_2_nor_does_a_fleet_that_is_boarded_in_the_same_season_convoy() {
    let orders = ["A WAL E F ENG", "F ENG C A LON - BRE", "A LON - BRE"];
    moves(&[(Power::ENGLAND, &["A LON", "A WAL", "F ENG"], &orders)])
        .says(&[("A WAL E F ENG", "ok"), ("F ENG C A LON - BRE", "void"), ("A LON - BRE", "no convoy")])
        .leaves(Power::ENGLAND, &["A LON", "A/F ENG"]);
}

#[test]
fn army_fleet_rule_2_an_army_that_boards_is_not_convoyed() {
    let orders = ["A LON E F ENG", "F NTH C A LON - BEL"];
    moves(&[(Power::ENGLAND, &["A LON", "F ENG", "F NTH"], &orders)])
        .says(&[("F NTH C A LON - BEL", "void")])
        .leaves(Power::ENGLAND, &["A/F ENG", "F NTH"]);
}

#[test]
fn army_fleet_rule_2_it_stands_in_sea_spaces_only() {
    let refused = |unit: &str| {
        let powers = json!({"ENGLAND": {"units": [unit]}});
        ask(json!({"phase": "S1901M", "powers": powers, "orders": {}})).expect_err(unit)
    };
    assert!(refused("A/F LON").contains("an army/fleet can only be at sea"), "{}", refused("A/F LON"));
    assert!(refused("A/F PAR").contains("an army/fleet can only be at sea"));
}

#[test]
fn army_fleet_rule_2_there_are_none_in_other_variants() {
    let request = |units: serde_json::Value, orders: serde_json::Value| {
        let powers = json!({"ENGLAND": {"units": units}});
        let orders = json!({"ENGLAND": orders});
        ask(json!({"phase": "S1901M", "variant": "standard", "powers": powers, "orders": orders}))
    };
    let error = request(json!(["A/F ENG"]), json!([])).expect_err("no such unit");
    assert!(error.contains("army/fleets"), "{error}");
    let answer = request(json!(["A LON", "F ENG"]), json!(["A LON E F ENG"])).expect("an answer");
    answer.says(&[("A LON E F ENG", "illegal")]).leaves(Power::ENGLAND, &["A LON", "F ENG"]);
}

// ---- rule 3: disembark ----

#[test]
fn army_fleet_rule_3_an_army_on_board_lands_in_a_province_next_to_the_sea() {
    for province in ["BRE", "GAS", "NAF", "POR", "SPA"] {
        let order = format!("A MAO D {province}");
        moves(&[(Power::ENGLAND, &["A/F MAO"], &[&order])])
            .says(&[(&order, "ok")])
            .leaves(Power::ENGLAND, &[&format!("A {province}"), "F MAO"]);
    }
}

#[test]
fn army_fleet_rule_3_only_in_land_next_to_the_sea() {
    assert_eq!(english(&["A/F ENG"], "A ENG D PAR"), "illegal", "inland");
    assert_eq!(english(&["A/F ENG"], "A ENG D LVP"), "illegal", "at another sea");
    assert_eq!(english(&["A/F ENG"], "A ENG D NTH"), "illegal", "a sea");
    assert_eq!(english(&["A/F ENG"], "A ENG - PIC"), "illegal", "that is not a move");
}

#[test]
fn army_fleet_rule_3_only_an_army_on_board() {
    assert_eq!(english(&["F ENG"], "A ENG D PIC"), "illegal");
    assert_eq!(english(&["A LON", "F ENG"], "A ENG D PIC"), "illegal", "it does not board");
    let foreign = moves(&[(Power::FRANCE, &[], &["A ENG D PIC"]), (Power::ENGLAND, &["A/F ENG"], &[])]);
    foreign.says(&[("A ENG D PIC", "illegal")]).leaves(Power::ENGLAND, &["A/F ENG"]);
    // If two armies try to board, neither is aboard.
    let orders = ["A LON E F ENG", "A WAL E F ENG", "A ENG D PIC"];
    moves(&[(Power::ENGLAND, &["A LON", "A WAL", "F ENG"], &orders)]).says(&[("A ENG D PIC", "void")]);
}

#[test]
fn army_fleet_rule_3_the_fleet_does_as_it_is_ordered_meanwhile() {
    // It supports another attack, and is not weaker because the army leaves.
    moves(&[
        (
            Power::ENGLAND,
            &["A/F ENG", "A WAL", "F BEL"],
            &["A ENG D PIC", "A/F ENG S F BEL - NTH", "F BEL - NTH"],
        ),
        (Power::GERMANY, &["F NTH"], &[]),
    ])
    .says(&[("A ENG D PIC", "ok"), ("A/F ENG S F BEL - NTH", "ok"), ("F BEL - NTH", "ok")])
    .leaves(Power::ENGLAND, &["A PIC", "A WAL", "F ENG", "F NTH"]);
}

#[test]
fn army_fleet_rule_3_one_army_has_one_landing() {
    moves(&[(Power::ENGLAND, &["A/F ENG"], &["A ENG D PIC", "A ENG D BRE"])])
        .says(&[("A ENG D PIC", "ok"), ("A ENG D BRE", "illegal")])
        .leaves(Power::ENGLAND, &["A PIC", "F ENG"]);
}

#[test]
fn army_fleet_rule_3_an_army_may_land_where_it_boarded() {
    moves(&[(Power::ENGLAND, &["A LON", "F ENG"], &["A LON E F ENG", "A ENG D LON"])])
        .says(&[("A ENG D LON", "ok")])
        .leaves(Power::ENGLAND, &["A LON", "F ENG"]);
    // But its province was empty in the meantime, and a unit that moves there bounces off it like any other.
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &["A LON E F ENG", "A ENG D LON"]),
        (Power::GERMANY, &["A YOR"], &["A YOR - LON"]),
    ])
    .says(&[("A ENG D LON", "bounce"), ("A YOR - LON", "bounce")])
    .leaves(Power::ENGLAND, &["A/F ENG"])
    .contests(&["LON"]);
}

// ---- rule 4: all three in one season ----

#[test]
fn army_fleet_rule_4_board_sail_one_space_and_land() {
    let orders = ["A LON E F ENG", "A/F ENG - MAO", "A MAO D POR"];
    moves(&[(Power::ENGLAND, &["A LON", "F ENG"], &orders)])
        .says(&orders.map(|order| (order, "ok")))
        .leaves(Power::ENGLAND, &["A POR", "F MAO"]);
}

#[test]
fn army_fleet_rule_4_board_and_land_while_the_fleet_stays() {
    let orders = ["A LON E F ENG", "A ENG D BRE"];
    moves(&[(Power::ENGLAND, &["A LON", "F ENG"], &orders)]).leaves(Power::ENGLAND, &["A BRE", "F ENG"]);
}

#[test]
fn army_fleet_rule_4_sail_and_land_with_an_army_that_was_aboard() {
    moves(&[(Power::ENGLAND, &["A/F ENG"], &["A/F ENG - MAO", "A MAO D SPA"])])
        .leaves(Power::ENGLAND, &["A SPA", "F MAO"]);
}

#[test]
fn army_fleet_rule_4_the_order_of_the_orders_means_nothing() {
    let orders = ["A MAO D POR", "F ENG - MAO", "A LON E F ENG"];
    moves(&[(Power::ENGLAND, &["A LON", "F ENG"], &orders)]).leaves(Power::ENGLAND, &["A POR", "F MAO"]);
}

#[test]
fn army_fleet_rule_4_void_if_the_move_fails() {
    let orders = ["A LON E F ENG", "A/F ENG - MAO", "A MAO D POR"];
    let answer = moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &orders),
        (Power::FRANCE, &["F BRE"], &["F BRE - MAO"]),
    ]);
    answer.says(&[("A/F ENG - MAO", "bounce"), ("A MAO D POR", "void")]).leaves(Power::ENGLAND, &["A/F ENG"]);
    assert!(answer.reason("A MAO D POR").contains("did not get to the sea"));
}

#[test]
fn army_fleet_rule_4_a_void_landing_has_no_effect_where_it_was_to_be() {
    // Otherwise it neither keeps the unit out of Portugal nor cuts Gascony's support.
    for (landing, other) in [("A MAO D POR", "A SPA - POR"), ("A MAO D GAS", "A GAS S A PAR - BUR")] {
        let england = ["A/F ENG - MAO", landing];
        let france = ["F BRE - MAO", other, "A PAR - BUR"];
        moves(&[
            (Power::ENGLAND, &["A/F ENG"], &england),
            (Power::FRANCE, &["F BRE", "A GAS", "A PAR", "A SPA"], &france),
            (Power::GERMANY, &["A BUR"], &[]),
        ])
        .says(&[(landing, "void"), (other, "ok")])
        .contests(&["MAO"]);
    }
}

#[test]
fn army_fleet_rule_4_void_if_the_fleet_is_ordered_elsewhere() {
    // The fleet sails on, and the landing names the sea that it leaves.
    let answer = moves(&[(Power::ENGLAND, &["A/F ENG"], &["A/F ENG - MAO", "A ENG D BRE"])]);
    answer.says(&[("A/F ENG - MAO", "ok"), ("A ENG D BRE", "void")]).leaves(Power::ENGLAND, &["A/F MAO"]);
    // The fleet sails to another sea than the landing names.
    let answer = moves(&[(Power::ENGLAND, &["A/F ENG"], &["A/F ENG - IRI", "A MAO D POR"])]);
    answer.says(&[("A MAO D POR", "void")]).leaves(Power::ENGLAND, &["A/F IRI"]);
    // The fleet stays.
    let answer = moves(&[(Power::ENGLAND, &["A/F ENG"], &["A MAO D POR"])]);
    answer.says(&[("A MAO D POR", "void")]).leaves(Power::ENGLAND, &["A/F ENG"]);
    assert!(answer.reason("A MAO D POR").contains("not ordered to the sea"));
}

#[test]
fn army_fleet_rule_4_void_for_the_sea_that_is_left_even_if_the_move_fails() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A/F ENG - MAO", "A ENG D BRE"]),
        (Power::FRANCE, &["F POR"], &["F POR - MAO"]),
    ])
    .says(&[("A/F ENG - MAO", "bounce"), ("A ENG D BRE", "void")])
    .leaves(Power::ENGLAND, &["A/F ENG"]);
}

#[test]
fn army_fleet_rule_4_a_sea_that_is_out_of_the_fleets_reach_is_none_to_land_from() {
    assert_eq!(english(&["A/F ENG"], "A WES D TUN"), "illegal");
}

#[test]
fn army_fleet_rule_4_of_two_army_fleets_meant_for_one_sea_the_one_that_stays_is_meant() {
    // In either order of the seas.
    for (stays, comes, province) in [("MAO", "ENG", "POR"), ("ENG", "MAO", "PIC"), ("NTH", "NWG", "HOL")] {
        let (pair, sails) = (format!("A/F {stays}"), format!("A/F {comes}"));
        let (sail, land) = (format!("A/F {comes} - {stays}"), format!("A {stays} D {province}"));
        moves(&[(Power::ENGLAND, &[&pair, &sails], &[&sail, &land])])
            .says(&[(&sail, "bounce"), (&land, "ok")])
            .leaves(Power::ENGLAND, &[&format!("A {province}"), &sails, &format!("F {stays}")]);
    }
}

#[test]
fn army_fleet_rule_4_two_armies_follow_one_another() {
    let orders = ["A/F MAO - WES", "A WES D TUN", "A/F ENG - MAO", "A MAO D POR"];
    let units: &[&str] = &["A/F ENG", "A/F MAO"];
    moves(&[(Power::ENGLAND, units, &orders)]).leaves(Power::ENGLAND, &["A POR", "A TUN", "F MAO", "F WES"]);
}

#[test]
fn army_fleet_rule_4_a_fleet_whose_order_is_void_stays_and_the_army_lands_from_there() {
    let orders = ["A LON E F ENG", "F ENG - BRE", "A ENG D PIC"];
    moves(&[(Power::ENGLAND, &["A LON", "F ENG"], &orders)])
        .says(&[("F ENG - BRE", "void"), ("A ENG D PIC", "ok")])
        .leaves(Power::ENGLAND, &["A PIC", "F ENG"]);
}

#[test]
fn formats_1_orders_are_read_in_small_letters_too() {
    let orders = ["a lon e f eng", "a/f eng - mao", "a mao d por"];
    moves(&[(Power::ENGLAND, &["A LON", "F ENG"], &orders)])
        .says(&orders.map(|order| (order, "ok")))
        .leaves(Power::ENGLAND, &["A POR", "F MAO"]);
}
