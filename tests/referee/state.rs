//! The state in a request, and contradictions with the variant or within itself.

use serde_json::{Value, json};

use crate::helpers::shipped::{
    BLACK_HOLE, BLACK_HOLE_I, DELUGE_II, DOUBLE_REVERSIBLE, SCHIZO_II, SEISMIC_ACERUNNER, STANDARD,
};

#[test]
fn what_a_variant_does_not_remember_is_refused() {
    let france = |name: &str| json!({"FRANCE": name});
    for (variant, key, value) in [
        (STANDARD, "exempt", france("PAR")),
        (DOUBLE_REVERSIBLE, "exempt", france("PAR")),
        (STANDARD, "announced", france("PAR")),
        (STANDARD, "lapsed", json!(["FRANCE"])),
        (BLACK_HOLE, "may_change", france("PAR")),
        (BLACK_HOLE, "changed", json!(["FRANCE"])),
        (STANDARD, "opened", json!(["MUN"])),
        (BLACK_HOLE_I, "doomed", json!(["MUN"])),
        (SCHIZO_II, "swallowed", json!({"FRANCE": ["A MUN"]})),
        (STANDARD, "last_owner", json!({"MUN": "FRANCE"})),
        (STANDARD, "last_occupant", json!({"MUN": "FRANCE"})),
        (DELUGE_II, "waterways", json!([{"kind": "canal", "in": ["KIE"], "ends": ["BAL", "HEL"]}])),
        (STANDARD, "seasons_aboard", json!({"ENG": 1})),
        (DELUGE_II, "seasons_aboard", json!({"ENG": 1})),
    ] {
        let said = variant.refused(json!({"phase": "S1902M", "state": {key: value}}));
        assert!(said.starts_with(&format!("`state.{key}`: ")), "{said}");
        assert!(said.ends_with("does not use this key"), "{said}");
        let nothing = match value {
            Value::Array(_) => json!([]),
            _ => json!({}),
        };
        variant.answer(json!({"phase": "S1902M", "state": {key: nothing}}));
    }
}

#[test]
fn what_contradicts_itself_or_the_board_is_refused() {
    let exempt = json!({"FRANCE": "MAR"});
    for (variant, state, told) in [
        (
            BLACK_HOLE_I,
            json!({"exempt": exempt, "changed": ["FRANCE"], "may_change": {"FRANCE": "BRE"}}),
            "`state.may_change`: FRANCE has made its only change, as `state.changed` says",
        ),
        (
            BLACK_HOLE_I,
            json!({"exempt": exempt, "announced": {"FRANCE": "SIL"}}),
            "`state.announced`: SIL is not an existing home centre of FRANCE",
        ),
        (
            BLACK_HOLE_I,
            json!({"exempt": exempt, "may_change": {"FRANCE": "MUN"}}),
            "`state.may_change`: MUN is not an existing home centre of FRANCE",
        ),
        (
            BLACK_HOLE_I,
            json!({"last_owner": {"SIL": "FRANCE"}}),
            "`state.last_owner`: SIL is not a supply centre",
        ),
        (
            SEISMIC_ACERUNNER,
            json!({"exempt": exempt}),
            "`state.exempt`: seismic-acerunner does not use this key",
        ),
    ] {
        assert_eq!(variant.refused(json!({"phase": "S1902M", "state": state})), told);
    }
}

#[test]
fn ruling_7_whoever_is_out_or_has_lapsed_names_no_centre_with_the_first_orders() {
    let powers = json!({"FRANCE": {"units": ["A PAR"], "centers": ["PAR", "MAR"]}});
    let named = |state: Value, power: &str, order: &str| {
        let answer = BLACK_HOLE_I.answer(json!({"phase": "S1901M", "powers": powers, "state": state,
            "nature": {"seed": 3}, "orders": {power: [order]}}));
        let exempt = answer["next"]["state"]["exempt"].get(power).cloned();
        (answer["results"][power][order][0].clone(), exempt)
    };
    assert_eq!(named(json!({}), "FRANCE", "EXEMPT PAR"), (json!("ok"), Some(json!("PAR"))));
    assert_eq!(named(json!({"lapsed": ["FRANCE"]}), "FRANCE", "EXEMPT PAR"), (json!("illegal"), None));
    assert_eq!(named(json!({}), "TURKEY", "EXEMPT ANK"), (json!("illegal"), None));
    assert_eq!(named(json!({}), "TURKEY", "ANNOUNCE").0, json!("illegal"));
    let drawn =
        BLACK_HOLE.refused(json!({"phase": "S1901M", "powers": powers, "nature": ["exempt TURKEY ANK"]}));
    assert!(
        drawn.starts_with("`nature`: exempt TURKEY ANK: no exempt centre is drawn for that power now"),
        "{drawn}"
    );
    BLACK_HOLE.answer(json!({"phase": "S1901M", "powers": powers, "nature": ["exempt france mar"]}));
}

#[test]
fn a_name_that_is_there_twice_is_refused() {
    for text in [
        r#"{"id": 1, "phase": "S1902M", "powers": {"FRANCE": {}, "FRANCE": {}}, "orders": {}}"#,
        r#"{"id": 1, "phase": "S1902M", "powers": {}, "orders": {"FRANCE": ["A PAR H"], "FRANCE": []}}"#,
        r#"{"id": 1, "phase": "S1902M", "powers": {}, "orders": {}, "state": {"eliminated": {"FRANCE": 1, "FRANCE": 2}}}"#,
        r#"{"id": 1, "phase": "S1902M", "powers": {}, "orders": {}, "state": {"may_change": {"FRANCE": "PAR", "FRANCE": "MAR"}}}"#,
        r#"{"id": 1, "phase": "S1902M", "powers": {}, "orders": {}, "parameters": {"a": [{"FRANCE": 1, "FRANCE": 2}]}}"#,
        r#"{"id": 1, "phase": "S1902M", "powers": {}, "orders": {}, "rulebook": {"FRANCE": 1, "FRANCE": 2}}"#,
    ] {
        let error =
            upheaval::adjudicate::AdjudicationService::new().answer(text).expect_err("refused").to_string();
        assert!(error.contains("the key `FRANCE` occurs twice"), "{error}");
    }
}

// ---- the combined memory of two mechanisms ----

#[test]
fn rr01_rule_6_a_face_that_came_back_neutral_is_nobodys_when_it_goes_again() {
    let exemption = json!({"unnamed": "drawn", "change": "last-home", "lapse": "never", "announce": "never"});
    let request = |phase: &str, nature: &str, state: Value, events: Value| {
        json!({"phase": phase, "nature": [nature], "map_events": events, "state": state,
            "parameters": {"exemption": exemption},
            "powers": {"FRANCE": {"units": ["A GAS"], "centers": ["BRE"]}, "ITALY": {"units": ["A PIE"], "centers": ["MAR"]}}})
    };
    let state = json!({"exempt": {"FRANCE": "MAR"}, "last_owner": {"PAR": "FRANCE"}, "may_change": {}});
    let events = json!(["collapse PAR"]);
    let mut back = DOUBLE_REVERSIBLE.answer(request("S1902M", "restore PAR", state, events))["next"].clone();
    assert_eq!(back["state"]["last_owner"], json!({}));
    back["nature"] = json!(["collapse PAR"]);
    let gone = DOUBLE_REVERSIBLE.answer(back);
    assert_eq!(gone["next"]["state"]["may_change"], json!({}), "the lost centre had no owner");
}

#[test]
fn double_reversible_rule_4_an_army_that_tries_to_land_in_a_hole_is_gone_from_its_fleet() {
    let request = |orders: Value| {
        json!({"phase": "S1902M", "parameters": {"army_fleets": "yes", "army_becomes_fleet": "no", "max_seasons_aboard": 5},
            "nature": ["collapse POR"], "state": {"seasons_aboard": {"MAO": 2}}, "orders": orders,
            "powers": {"FRANCE": {"units": ["A/F MAO"], "centers": ["PAR"]}, "ITALY": {"units": ["A SPA"], "centers": ["ROM"]}}})
    };
    let orders = json!({"FRANCE": ["A MAO D POR"], "ITALY": ["A SPA - POR"]});
    let answer = DOUBLE_REVERSIBLE.answer(request(orders));
    assert_eq!(answer["units_after"], json!({"FRANCE": ["F MAO"]}));
    assert_eq!(answer["state"]["swallowed"], json!({"FRANCE": ["A POR"], "ITALY": ["A POR"]}));
    let stayed = DOUBLE_REVERSIBLE.answer(request(json!({})));
    assert_eq!(stayed["units_after"]["FRANCE"], json!(["A/F MAO"]));
}

#[test]
fn an_army_fleet_that_is_gone_with_a_hole_keeps_its_time_aboard() {
    let request = json!({"phase": "S1902M",
        "parameters": {"army_fleets": "yes", "army_becomes_fleet": "no", "max_seasons_aboard": 5},
        "nature": ["collapse MAO"], "state": {"seasons_aboard": {"MAO": 3}},
        "powers": {"FRANCE": {"units": ["A/F MAO"], "centers": ["PAR"]}}});
    let mut next = DOUBLE_REVERSIBLE.answer(request)["next"].clone();
    let gone = &next["state"]["swallowed"]["FRANCE"][0];
    assert_eq!((&gone["unit"], &gone["seasons_aboard"]), (&json!("A/F MAO"), &json!(4)));
    next["nature"] = json!(["restore MAO"]);
    let back = DOUBLE_REVERSIBLE.answer(next);
    assert_eq!(back["units_after"], json!({"FRANCE": ["A/F MAO"]}));
    assert_eq!(back["next"]["state"]["seasons_aboard"], json!({"MAO": 4}));
}

#[test]
fn as_many_orders_alike_as_anybody_likes_are_told_apart_at_once() {
    let orders = vec!["A PAR H"; 100_000];
    let powers = json!({"FRANCE": {"units": ["A PAR"]}});
    let answer = STANDARD.answer(json!({"phase": "S1902M", "powers": powers, "orders": {"FRANCE": orders}}));
    let results = answer["results"]["FRANCE"].as_object().expect("an object");
    assert_eq!(results.len(), 100_000);
    assert_eq!((&results["A PAR H"], &results["A PAR H #100000"]), (&json!(["ok"]), &json!(["illegal"])));
}
