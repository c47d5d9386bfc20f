//! The army/fleet page, rule 5: the fast ferry.

use crate::rules::army_fleets::at_sea::{answered, moves};
use serde_json::{Value, json};
use upheaval::ids::Power::{England, France, Germany};

#[test]
fn army_fleet_rule_5_a_convoy_crosses_one_sea() {
    moves(&[(England, &["A LON", "F ENG"], &["A LON - BRE", "F ENG C A LON - BRE"])])
        .says(&[("A LON - BRE", "ok"), ("F ENG C A LON - BRE", "ok")])
        .leaves(England, &["A BRE", "F ENG"]);
}

#[test]
fn army_fleet_rule_5_and_no_more_than_one() {
    let orders = ["A LON - POR", "F ENG C A LON - POR", "F MAO C A LON - POR"];
    moves(&[(England, &["A LON", "F ENG", "F MAO"], &orders)])
        .says(&orders.map(|order| (order, "illegal")))
        .leaves(England, &["A LON", "F ENG", "F MAO"]);
}

#[test]
fn army_fleet_rule_5_for_an_army_of_any_power() {
    moves(&[(England, &["F ENG"], &["F ENG C A BEL - WAL"]), (Germany, &["A BEL"], &["A BEL - WAL"])])
        .says(&[("A BEL - WAL", "ok")])
        .leaves(Germany, &["A WAL"]);
}

#[test]
fn army_fleet_rule_5_without_a_convoy_order_the_army_stays() {
    moves(&[(England, &["A LON", "F ENG"], &["A LON - BRE"]), (Germany, &["A YOR"], &["A YOR - LON"])])
        .says(&[("A LON - BRE", "no convoy"), ("A YOR - LON", "bounce")])
        .leaves(England, &["A LON", "F ENG"]);
}

#[test]
fn army_fleet_rule_5_to_a_neighbour_by_via() {
    moves(&[(England, &["A PIC", "F ENG"], &["A PIC - BRE VIA", "F ENG C A PIC - BRE"])])
        .says(&[("A PIC - BRE VIA", "ok")])
        .leaves(England, &["A BRE", "F ENG"]);
    // It bounces and is aboard; an army that walks is not.
    moves(&[
        (England, &["A PIC", "F ENG"], &["A PIC - BRE VIA", "F ENG C A PIC - BRE"]),
        (France, &["A BRE"], &[]),
    ])
    .leaves(England, &["A/F ENG"]);
    moves(&[(England, &["A PIC", "F ENG"], &["A PIC - BRE"]), (France, &["A BRE"], &[])])
        .leaves(England, &["A PIC", "F ENG"]);
}

#[test]
fn army_fleet_rule_5_two_armies_change_places_by_ferry() {
    moves(&[
        (England, &["A PIC", "F ENG"], &["A PIC - BRE VIA", "F ENG C A PIC - BRE"]),
        (France, &["A BRE"], &["A BRE - PIC"]),
    ])
    .leaves(England, &["A BRE", "F ENG"])
    .leaves(France, &["A PIC"]);
}

#[test]
fn army_fleet_rule_5_an_army_that_cannot_land_is_aboard_a_fleet_of_its_power() {
    moves(&[
        (England, &["A LON", "F ENG"], &["A LON - BRE", "F ENG C A LON - BRE"]),
        (France, &["F BRE"], &[]),
    ])
    .says(&[("A LON - BRE", "bounce"), ("F ENG C A LON - BRE", "ok")])
    .leaves(England, &["A/F ENG"])
    .leaves(France, &["F BRE"]);
}

#[test]
fn army_fleet_rule_5_it_has_left_its_province_then() {
    // Friend and foe may enter, and a support in holding has nothing to support.
    moves(&[
        (England, &["A LON", "F ENG", "F NTH"], &["A LON - BRE", "F ENG C A LON - BRE", "F NTH S A LON"]),
        (France, &["F BRE"], &[]),
        (Germany, &["A YOR"], &["A YOR - LON"]),
    ])
    .says(&[("A YOR - LON", "ok"), ("F NTH S A LON", "void")])
    .leaves(England, &["A/F ENG", "F NTH"])
    .leaves(Germany, &["A LON"])
    .drives_out(&[]);
    moves(&[
        (England, &["A LON", "A YOR", "F ENG"], &["A LON - BRE", "F ENG C A LON - BRE", "A YOR - LON"]),
        (France, &["F BRE"], &[]),
    ])
    .leaves(England, &["A LON", "A/F ENG"]);
}

#[test]
fn army_fleet_rule_5_the_province_it_left_is_contested_when_two_bounce_there() {
    moves(&[
        (England, &["A LON", "F ENG"], &["A LON - BRE", "F ENG C A LON - BRE"]),
        (France, &["F BRE", "F NTH"], &["F NTH - LON"]),
        (Germany, &["A YOR"], &["A YOR - LON"]),
    ])
    .leaves(England, &["A/F ENG"])
    .contests(&["LON"]);
}

#[test]
fn army_fleet_rule_5_an_army_of_another_power_holds_where_it_started() {
    moves(&[
        (England, &["A WAL", "A BRE", "F ENG"], &["F ENG C A BEL - WAL"]),
        (Germany, &["A BEL"], &["A BEL - WAL"]),
    ])
    .says(&[("A BEL - WAL", "bounce")])
    .leaves(England, &["A BRE", "A WAL", "F ENG"])
    .leaves(Germany, &["A BEL"]);
}

#[test]
fn army_fleet_rule_5_with_strength_one() {
    // It withstands one, and is dislodged by two.
    let england: (&[&str], &[&str]) = (&["A WAL", "F ENG"], &["F ENG C A BEL - WAL"]);
    let one = moves(&[
        (England, england.0, england.1),
        (Germany, &["A BEL", "A RUH"], &["A BEL - WAL", "A RUH S A BEL"]),
        (France, &["A PIC"], &["A PIC - BEL"]),
    ]);
    one.says(&[("A PIC - BEL", "bounce"), ("A RUH S A BEL", "void")]).leaves(Germany, &["A BEL", "A RUH"]);
    moves(&[
        (England, england.0, england.1),
        (Germany, &["A BEL", "A RUH"], &["A BEL - WAL", "A RUH S A BEL"]),
        (France, &["A PIC", "A BUR"], &["A PIC - BEL", "A BUR S A PIC - BEL"]),
    ])
    .drives_out(&["A BEL from PIC: HOL"]);
}

#[test]
fn army_fleet_rule_5_of_a_dislodged_ferry_the_own_army_retreats_with_it() {
    let france: (&[&str], &[&str]) = (&["F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]);
    moves(&[
        (England, &["A LON", "F ENG"], &["A LON - PIC", "F ENG C A LON - PIC"]),
        (Germany, &["A YOR"], &["A YOR - LON"]),
        (France, france.0, france.1),
    ])
    .says(&[
        ("A LON - PIC", "disrupted"),
        ("F ENG C A LON - PIC", "disrupted dislodged"),
        ("A YOR - LON", "ok"),
    ])
    .drives_out(&["A/F ENG from MAO: IRI NTH"]);
    // A foreign army has never left.
    moves(&[
        (England, &["F ENG"], &["F ENG C A BEL - PIC"]),
        (Germany, &["A BEL", "A RUH"], &["A BEL - PIC VIA", "A RUH - BEL"]),
        (France, france.0, france.1),
    ])
    .says(&[("A BEL - PIC VIA", "disrupted"), ("A RUH - BEL", "bounce")])
    .leaves(Germany, &["A BEL", "A RUH"])
    .drives_out(&["F ENG from MAO: IRI LON NTH PIC WAL"]);
}

#[test]
fn army_fleet_rule_5_two_fleets_that_ferry_one_army_are_two_ways() {
    let france: (&[&str], &[&str]) = (&["F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]);
    let orders = ["A LON - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"];
    // One of them is enough.
    moves(&[(England, &["A LON", "F ENG", "F NTH"], &orders), (France, france.0, france.1)])
        .says(&[("A LON - BEL", "ok")])
        .leaves(England, &["A BEL", "F NTH"]);
    // Who cannot land is aboard the one that is not dislodged.
    moves(&[
        (England, &["A LON", "F ENG", "F NTH"], &orders),
        (Germany, &["A BEL"], &[]),
        (France, france.0, france.1),
    ])
    .says(&[("A LON - BEL", "bounce")])
    .leaves(England, &["A/F NTH"])
    .drives_out(&["F ENG from MAO: IRI LON PIC WAL"]);
    // Or aboard the one that is of its power.
    moves(&[
        (England, &["A LON", "F NTH"], &["A LON - BEL", "F NTH C A LON - BEL"]),
        (Germany, &["A BEL", "F ENG"], &["F ENG C A LON - BEL"]),
    ])
    .leaves(England, &["A/F NTH"])
    .leaves(Germany, &["A BEL", "F ENG"]);
}

#[test]
fn army_fleet_rule_5_the_ferried_army_attacks_like_any() {
    // With support it dislodges, and in any case it cuts.
    moves(&[
        (
            England,
            &["A LON", "F ENG", "A PIC"],
            &["A LON - BRE", "F ENG C A LON - BRE", "A PIC S A LON - BRE"],
        ),
        (France, &["A BRE"], &[]),
    ])
    .leaves(England, &["A BRE", "A PIC", "F ENG"])
    .drives_out(&["A BRE from LON: GAS PAR"]);
    moves(&[
        (England, &["A LON", "F ENG"], &["A LON - BRE", "F ENG C A LON - BRE"]),
        (France, &["A BRE", "A PAR"], &["A BRE S A PAR - PIC", "A PAR - PIC"]),
        (Germany, &["A PIC"], &[]),
    ])
    .says(&[("A BRE S A PAR - PIC", "cut"), ("A PAR - PIC", "bounce")])
    .leaves(England, &["A/F ENG"]);
}

#[test]
fn army_fleet_rule_5_a_ferry_in_a_convoy_paradox_takes_its_army_aboard() {
    // DATC 6.F.14: the army would cut the support for the attack on the fleet that carries it. It gives way, but it has
    // left Brest, and retreats with its fleet.
    moves(&[
        (England, &["F LON", "F WAL"], &["F LON S F WAL - ENG", "F WAL - ENG"]),
        (France, &["A BRE", "A PAR", "F ENG"], &["A BRE - LON", "F ENG C A BRE - LON", "A PAR - BRE"]),
    ])
    .says(&[("A BRE - LON", "disrupted"), ("F WAL - ENG", "ok"), ("A PAR - BRE", "ok")])
    .leaves(France, &["A BRE"])
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
    request("2023".into()).leaves(England, &["A/F ENG"]);
    let walks = json!({"base": "2023", "via_disrupted": "walk"});
    request(walks).leaves(England, &["A PIC", "F ENG"]);
    request("1971".into()).leaves(England, &["A PIC", "F ENG"]);
}
