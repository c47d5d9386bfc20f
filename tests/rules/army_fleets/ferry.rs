//! The army/fleet page, rule 5: the fast ferry.

use crate::rules::army_fleets::at_sea::{answered, moves};
use serde_json::{Value, json};
use upheaval::ids::Power;

#[test]
fn army_fleet_rule_5_a_convoy_crosses_one_sea() {
    moves(&[(Power::ENGLAND, &["A LON", "F ENG"], &["A LON - BRE", "F ENG C A LON - BRE"])])
        .says(&[("A LON - BRE", "ok"), ("F ENG C A LON - BRE", "ok")])
        .leaves(Power::ENGLAND, &["A BRE", "F ENG"]);
}

#[test]
fn army_fleet_rule_5_and_no_more_than_one() {
    let orders = ["A LON - POR", "F ENG C A LON - POR", "F MAO C A LON - POR"];
    moves(&[(Power::ENGLAND, &["A LON", "F ENG", "F MAO"], &orders)])
        .says(&orders.map(|order| (order, "illegal")))
        .leaves(Power::ENGLAND, &["A LON", "F ENG", "F MAO"]);
}

#[test]
fn army_fleet_rule_5_for_an_army_of_any_power() {
    moves(&[
        (Power::ENGLAND, &["F ENG"], &["F ENG C A BEL - WAL"]),
        (Power::GERMANY, &["A BEL"], &["A BEL - WAL"]),
    ])
    .says(&[("A BEL - WAL", "ok")])
    .leaves(Power::GERMANY, &["A WAL"]);
}

#[test]
fn army_fleet_rule_5_without_a_convoy_order_the_army_stays() {
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &["A LON - BRE"]),
        (Power::GERMANY, &["A YOR"], &["A YOR - LON"]),
    ])
    .says(&[("A LON - BRE", "no convoy"), ("A YOR - LON", "bounce")])
    .leaves(Power::ENGLAND, &["A LON", "F ENG"]);
}

#[test]
fn army_fleet_rule_5_to_a_neighbour_by_via() {
    moves(&[(Power::ENGLAND, &["A PIC", "F ENG"], &["A PIC - BRE VIA", "F ENG C A PIC - BRE"])])
        .says(&[("A PIC - BRE VIA", "ok")])
        .leaves(Power::ENGLAND, &["A BRE", "F ENG"]);
    // It bounces and is aboard; an army that walks is not.
    moves(&[
        (Power::ENGLAND, &["A PIC", "F ENG"], &["A PIC - BRE VIA", "F ENG C A PIC - BRE"]),
        (Power::FRANCE, &["A BRE"], &[]),
    ])
    .leaves(Power::ENGLAND, &["A/F ENG"]);
    moves(&[(Power::ENGLAND, &["A PIC", "F ENG"], &["A PIC - BRE"]), (Power::FRANCE, &["A BRE"], &[])])
        .leaves(Power::ENGLAND, &["A PIC", "F ENG"]);
}

#[test]
fn army_fleet_rule_5_two_armies_change_places_by_ferry() {
    moves(&[
        (Power::ENGLAND, &["A PIC", "F ENG"], &["A PIC - BRE VIA", "F ENG C A PIC - BRE"]),
        (Power::FRANCE, &["A BRE"], &["A BRE - PIC"]),
    ])
    .leaves(Power::ENGLAND, &["A BRE", "F ENG"])
    .leaves(Power::FRANCE, &["A PIC"]);
}

#[test]
fn army_fleet_rule_5_an_army_that_cannot_land_is_aboard_a_fleet_of_its_power() {
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &["A LON - BRE", "F ENG C A LON - BRE"]),
        (Power::FRANCE, &["F BRE"], &[]),
    ])
    .says(&[("A LON - BRE", "bounce"), ("F ENG C A LON - BRE", "ok")])
    .leaves(Power::ENGLAND, &["A/F ENG"])
    .leaves(Power::FRANCE, &["F BRE"]);
}

#[test]
fn army_fleet_rule_5_it_has_left_its_province_then() {
    // Any unit may enter, and a support to hold has nothing to support.
    moves(&[
        (
            Power::ENGLAND,
            &["A LON", "F ENG", "F NTH"],
            &["A LON - BRE", "F ENG C A LON - BRE", "F NTH S A LON"],
        ),
        (Power::FRANCE, &["F BRE"], &[]),
        (Power::GERMANY, &["A YOR"], &["A YOR - LON"]),
    ])
    .says(&[("A YOR - LON", "ok"), ("F NTH S A LON", "void")])
    .leaves(Power::ENGLAND, &["A/F ENG", "F NTH"])
    .leaves(Power::GERMANY, &["A LON"])
    .drives_out(&[]);
    moves(&[
        (
            Power::ENGLAND,
            &["A LON", "A YOR", "F ENG"],
            &["A LON - BRE", "F ENG C A LON - BRE", "A YOR - LON"],
        ),
        (Power::FRANCE, &["F BRE"], &[]),
    ])
    .leaves(Power::ENGLAND, &["A LON", "A/F ENG"]);
}

#[test]
fn army_fleet_rule_5_the_province_it_left_is_contested_when_two_bounce_there() {
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &["A LON - BRE", "F ENG C A LON - BRE"]),
        (Power::FRANCE, &["F BRE", "F NTH"], &["F NTH - LON"]),
        (Power::GERMANY, &["A YOR"], &["A YOR - LON"]),
    ])
    .leaves(Power::ENGLAND, &["A/F ENG"])
    .contests(&["LON"]);
}

#[test]
fn army_fleet_rule_5_an_army_of_another_power_holds_where_it_started() {
    moves(&[
        (Power::ENGLAND, &["A WAL", "A BRE", "F ENG"], &["F ENG C A BEL - WAL"]),
        (Power::GERMANY, &["A BEL"], &["A BEL - WAL"]),
    ])
    .says(&[("A BEL - WAL", "bounce")])
    .leaves(Power::ENGLAND, &["A BRE", "A WAL", "F ENG"])
    .leaves(Power::GERMANY, &["A BEL"]);
}

#[test]
fn army_fleet_rule_5_with_strength_one() {
    // It withstands one attacker, and is dislodged by two.
    let england: (&[&str], &[&str]) = (&["A WAL", "F ENG"], &["F ENG C A BEL - WAL"]);
    let one = moves(&[
        (Power::ENGLAND, england.0, england.1),
        (Power::GERMANY, &["A BEL", "A RUH"], &["A BEL - WAL", "A RUH S A BEL"]),
        (Power::FRANCE, &["A PIC"], &["A PIC - BEL"]),
    ]);
    one.says(&[("A PIC - BEL", "bounce"), ("A RUH S A BEL", "void")])
        .leaves(Power::GERMANY, &["A BEL", "A RUH"]);
    moves(&[
        (Power::ENGLAND, england.0, england.1),
        (Power::GERMANY, &["A BEL", "A RUH"], &["A BEL - WAL", "A RUH S A BEL"]),
        (Power::FRANCE, &["A PIC", "A BUR"], &["A PIC - BEL", "A BUR S A PIC - BEL"]),
    ])
    .drives_out(&["A BEL from PIC: HOL"]);
}

#[test]
fn army_fleet_rule_5_of_a_dislodged_ferry_the_own_army_retreats_with_it() {
    let france: (&[&str], &[&str]) = (&["F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]);
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &["A LON - PIC", "F ENG C A LON - PIC"]),
        (Power::GERMANY, &["A YOR"], &["A YOR - LON"]),
        (Power::FRANCE, france.0, france.1),
    ])
    .says(&[
        ("A LON - PIC", "disrupted"),
        ("F ENG C A LON - PIC", "disrupted dislodged"),
        ("A YOR - LON", "ok"),
    ])
    .drives_out(&["A/F ENG from MAO: IRI NTH"]);
    // A foreign army has never left.
    moves(&[
        (Power::ENGLAND, &["F ENG"], &["F ENG C A BEL - PIC"]),
        (Power::GERMANY, &["A BEL", "A RUH"], &["A BEL - PIC VIA", "A RUH - BEL"]),
        (Power::FRANCE, france.0, france.1),
    ])
    .says(&[("A BEL - PIC VIA", "disrupted"), ("A RUH - BEL", "bounce")])
    .leaves(Power::GERMANY, &["A BEL", "A RUH"])
    .drives_out(&["F ENG from MAO: IRI LON NTH PIC WAL"]);
}

#[test]
fn army_fleet_rule_5_two_fleets_that_ferry_one_army_are_two_ways() {
    let france: (&[&str], &[&str]) = (&["F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]);
    let orders = ["A LON - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"];
    // One of them is enough.
    moves(&[(Power::ENGLAND, &["A LON", "F ENG", "F NTH"], &orders), (Power::FRANCE, france.0, france.1)])
        .says(&[("A LON - BEL", "ok")])
        .leaves(Power::ENGLAND, &["A BEL", "F NTH"]);
    // An army that cannot land is aboard the fleet that is not dislodged.
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG", "F NTH"], &orders),
        (Power::GERMANY, &["A BEL"], &[]),
        (Power::FRANCE, france.0, france.1),
    ])
    .says(&[("A LON - BEL", "bounce")])
    .leaves(Power::ENGLAND, &["A/F NTH"])
    .drives_out(&["F ENG from MAO: IRI LON PIC WAL"]);
    // Or aboard the fleet of its own power.
    moves(&[
        (Power::ENGLAND, &["A LON", "F NTH"], &["A LON - BEL", "F NTH C A LON - BEL"]),
        (Power::GERMANY, &["A BEL", "F ENG"], &["F ENG C A LON - BEL"]),
    ])
    .leaves(Power::ENGLAND, &["A/F NTH"])
    .leaves(Power::GERMANY, &["A BEL", "F ENG"]);
}

#[test]
fn army_fleet_rule_5_the_ferried_army_attacks_like_any() {
    // With support it dislodges, and in any case it cuts.
    moves(&[
        (
            Power::ENGLAND,
            &["A LON", "F ENG", "A PIC"],
            &["A LON - BRE", "F ENG C A LON - BRE", "A PIC S A LON - BRE"],
        ),
        (Power::FRANCE, &["A BRE"], &[]),
    ])
    .leaves(Power::ENGLAND, &["A BRE", "A PIC", "F ENG"])
    .drives_out(&["A BRE from LON: GAS PAR"]);
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &["A LON - BRE", "F ENG C A LON - BRE"]),
        (Power::FRANCE, &["A BRE", "A PAR"], &["A BRE S A PAR - PIC", "A PAR - PIC"]),
        (Power::GERMANY, &["A PIC"], &[]),
    ])
    .says(&[("A BRE S A PAR - PIC", "cut"), ("A PAR - PIC", "bounce")])
    .leaves(Power::ENGLAND, &["A/F ENG"]);
}

#[test]
fn army_fleet_rule_5_a_ferry_in_a_convoy_paradox_takes_its_army_aboard() {
    // DATC 6.F.14: the army would cut the support for the attack on the fleet that carries it. It gives way, but it has
    // left Brest, and retreats with its fleet.
    moves(&[
        (Power::ENGLAND, &["F LON", "F WAL"], &["F LON S F WAL - ENG", "F WAL - ENG"]),
        (Power::FRANCE, &["A BRE", "A PAR", "F ENG"], &["A BRE - LON", "F ENG C A BRE - LON", "A PAR - BRE"]),
    ])
    .says(&[("A BRE - LON", "disrupted"), ("F WAL - ENG", "ok"), ("A PAR - BRE", "ok")])
    .leaves(Power::FRANCE, &["A BRE"])
    .drives_out(&["A/F ENG from WAL: IRI MAO NTH"]);
}

#[test]
fn army_fleet_rule_5_a_convoy_that_falls_back_on_walking_takes_nobody_aboard() {
    let request = |rulebook: Value| {
        answered(json!({
            "phase": "S1901M",
            "rulebook": rulebook,
            "powers": {"ENGLAND": {"units": ["A PIC", "F ENG"]}, "FRANCE": {"units": ["A BRE"]}},
            "orders": {"ENGLAND": ["A PIC - BRE VIA", "F ENG C A PIC - BRE"]},
        }))
    };
    request("2023".into()).leaves(Power::ENGLAND, &["A/F ENG"]);
    let walks = json!({"base": "2023", "via_disrupted": "walk"});
    request(walks).leaves(Power::ENGLAND, &["A PIC", "F ENG"]);
    request("1971".into()).leaves(Power::ENGLAND, &["A PIC", "F ENG"]);
}
