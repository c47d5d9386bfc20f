//! Armies that become fleets: rule 2 of ru10, and ruling 6.6.

use crate::rules::army_fleets::at_sea::{ask, moves};
use serde_json::json;
use upheaval::ids::Power;

#[test]
fn deluge_ii_rule_2_first_sentence_an_army_in_a_coastal_province_turns_into_a_fleet() {
    moves(&[(Power::ENGLAND, &["A LON"], &["A LON T F"])])
        .says(&[("A LON T F", "ok")])
        .leaves(Power::ENGLAND, &["F LON"]);
}

#[test]
fn deluge_ii_rule_2_first_sentence_only_an_army_and_only_in_a_coastal_province() {
    moves(&[(Power::FRANCE, &["A PAR"], &["A PAR T F"])])
        .says(&[("A PAR T F", "illegal")])
        .leaves(Power::FRANCE, &["A PAR"]);
    moves(&[(Power::ENGLAND, &["F LON"], &["F LON T F"])]).says(&[("F LON T F", "illegal")]);
    // An army aboard is not in a coastal province.
    moves(&[(Power::ENGLAND, &["A/F ENG"], &["A ENG T F"])])
        .says(&[("A ENG T F", "illegal")])
        .leaves(Power::ENGLAND, &["A/F ENG"]);
}

#[test]
fn deluge_ii_rule_2_first_sentence_what_has_sunk_next_to_it_makes_a_coast() {
    let request = |events: &[&str]| {
        let answer = ask(json!({
            "phase": "S1902M",
            "map_events": events,
            "powers": {"GERMANY": {"units": ["A RUH"]}},
            "orders": {"GERMANY": ["A RUH T F"]},
        }));
        answer.expect("an answer")
    };
    request(&[]).says(&[("A RUH T F", "illegal")]);
    request(&["submerge HOL"]).says(&[("A RUH T F", "ok")]).leaves(Power::GERMANY, &["F RUH"]);
}

#[test]
fn deluge_ii_rule_2_first_sentence_instead_of_being_ordered_to_move_or_support() {
    moves(&[(Power::ENGLAND, &["A LON", "A YOR"], &["A LON T F", "A LON - WAL"])])
        .says(&[("A LON T F", "ok"), ("A LON - WAL", "illegal")])
        .leaves(Power::ENGLAND, &["A YOR", "F LON"]);
}

#[test]
fn deluge_ii_rule_2_second_sentence_unless_it_is_dislodged() {
    moves(&[
        (Power::ENGLAND, &["A LON"], &["A LON T F"]),
        (Power::GERMANY, &["A YOR", "F NTH"], &["A YOR - LON", "F NTH S A YOR - LON"]),
    ])
    .says(&[("A LON T F", "dislodged")])
    // It retreats as the army that it still is.
    .drives_out(&["A LON from YOR: WAL"]);
}

#[test]
fn deluge_ii_rule_2_second_sentence_an_attack_that_fails_does_not_matter() {
    moves(&[(Power::ENGLAND, &["A LON"], &["A LON T F"]), (Power::GERMANY, &["A YOR"], &["A YOR - LON"])])
        .says(&[("A LON T F", "ok"), ("A YOR - LON", "bounce")])
        .leaves(Power::ENGLAND, &["F LON"]);
}

#[test]
fn deluge_ii_ruling_6_6_it_may_be_supported_in_holding() {
    moves(&[
        (Power::ENGLAND, &["A LON", "A WAL"], &["A LON T F", "A WAL S A LON"]),
        (Power::GERMANY, &["A YOR", "F NTH"], &["A YOR - LON", "F NTH S A YOR - LON"]),
    ])
    .says(&[("A LON T F", "ok"), ("A WAL S A LON", "ok"), ("A YOR - LON", "bounce")])
    .leaves(Power::ENGLAND, &["A WAL", "F LON"]);
    // A support for a move of it would not count.
    moves(&[(Power::ENGLAND, &["A LON", "A YOR"], &["A LON T F", "A YOR S A LON - WAL"])])
        .says(&[("A YOR S A LON - WAL", "void")]);
}

#[test]
fn deluge_ii_ruling_6_6_where_there_are_several_coasts_the_order_names_one() {
    moves(&[(Power::RUSSIA, &["A STP"], &["A STP T F/NC"])]).leaves(Power::RUSSIA, &["F STP/NC"]);
    moves(&[(Power::RUSSIA, &["A STP"], &["A STP T F/SC"])]).leaves(Power::RUSSIA, &["F STP/SC"]);
    moves(&[(Power::RUSSIA, &["A STP"], &["A STP T F"])])
        .says(&[("A STP T F", "illegal")])
        .leaves(Power::RUSSIA, &["A STP"]);
    moves(&[(Power::RUSSIA, &["A STP"], &["A STP T F/WC"])]).says(&[("A STP T F/WC", "illegal")]);
}

#[test]
fn deluge_ii_ruling_6_6_during_the_season_it_is_an_army() {
    // It is supported as the army that stands there, whatever coast the fleet will be on.
    moves(&[
        (Power::RUSSIA, &["A STP", "A FIN"], &["A STP T F/SC", "A FIN S A STP"]),
        (Power::GERMANY, &["A MOS", "A LVN"], &["A MOS - STP", "A LVN S A MOS - STP"]),
    ])
    .says(&[("A FIN S A STP", "ok"), ("A MOS - STP", "bounce")])
    .leaves(Power::RUSSIA, &["A FIN", "F STP/SC"]);
}

#[test]
fn deluge_ii_rule_2_other_variants_do_not_have_it() {
    let answer = ask(json!({
        "phase": "S1901M",
        "variant": "standard",
        "powers": {"ENGLAND": {"units": ["A LON"]}},
        "orders": {"ENGLAND": ["A LON T F"]},
    }));
    answer.expect("an answer").says(&[("A LON T F", "illegal")]).leaves(Power::ENGLAND, &["A LON"]);
}
