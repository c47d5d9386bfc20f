//! The draws of a phase (`nature`): every draw by its name, or all by a seed; an inapplicable draw is an error.

use crate::helpers::shipped::{BLACK_HOLE, BLACK_HOLE_I, DOUBLE_REVERSIBLE, SCHIZO_II, Shipped};
use serde_json::{Value, json};

/// A German army in Munich is dislodged from Burgundy, and can go elsewhere.
fn munich(nature: Value) -> Value {
    json!({"phase": "S1905M", "nature": nature,
        "powers": {"GERMANY": {"units": ["A MUN"], "centers": ["BER"]}, "FRANCE": {"units": ["A BUR", "A RUH"], "centers": ["PAR"]}},
        "orders": {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]}})
}

/// All units are at their starting positions.
fn opening(variant: Shipped, phase: &str, nature: Value, orders: Value) -> Result<Value, String> {
    let game = upheaval::game::Game::new(variant.variant(), 1910);
    let mut request = super::first(&game, nature);
    request["phase"] = json!(phase);
    request["orders"] = orders;
    variant.ask(request)
}

// ---- by a seed ----

#[test]
fn a_seed_draws_as_a_run_does_and_goes_on_with_the_next_request() {
    let drawn = |nature: Value| {
        let answer = opening(BLACK_HOLE_I, "S1903M", nature, json!({})).expect("an answer");
        (answer["next"]["map_events"].clone(), answer["next"]["nature"].clone())
    };
    let (events, nature) = drawn(json!({"seed": 7}));
    assert_eq!(nature, json!({"seed": 7, "block": 0}));
    assert_eq!(drawn(nature).0, events, "block 0 is the first");
    assert_ne!(drawn(json!({"seed": 8})).0, events);
    assert_ne!(drawn(json!({"seed": 7, "block": 1})).0, events);
}

#[test]
fn a_seed_draws_exempt_centres_for_those_that_name_none() {
    let answer = opening(BLACK_HOLE, "S1901M", json!({"seed": 3}), json!({"FRANCE": ["EXEMPT MAR"]}));
    let exempt = answer.expect("an answer")["next"]["state"]["exempt"].clone();
    assert_eq!(exempt["FRANCE"], json!("MAR"));
    assert_eq!(exempt.as_object().map(serde_json::Map::len), Some(7));
}

#[test]
fn a_seed_that_is_none_is_refused() {
    for nature in [
        json!({"sed": 7}),
        json!({"seed": -1}),
        json!({"seed": "x"}),
        json!({"seed": 7, "blok": 1}),
        json!(7),
    ] {
        let error = opening(BLACK_HOLE, "S1901M", nature, json!({})).expect_err("refused");
        assert!(error.contains("`nature` is a list of draws"), "{error}");
    }
}

// ---- by names ----

#[test]
fn the_half_in_which_a_unit_stays_is_named() {
    let split = |nature: Value| {
        SCHIZO_II.ask(json!({"phase": "S1902M", "nature": nature,
            "powers": {"FRANCE": {"units": ["F SPA/SC"], "centers": ["SPA"]}, "TURKEY": {"units": ["A SYR"]}}}))
    };
    let units = |nature| split(nature).expect("an answer")["units_after"]["FRANCE"].as_array().map(Vec::len);
    let cut = "split SPA MAO#1 MAR";
    for nature in [json!([cut]), json!([cut, "stays SPA.1"]), json!([cut, "stays SPA.2"])] {
        assert_eq!(units(nature), Some(2), "it stays in the one, and a new one is in the other");
    }
    let error = |nature| split(nature).expect_err("refused");
    assert!(error(json!(["stays SPA.1"])).starts_with("`nature`: stays SPA.1: no unit can stay there"));
    assert!(error(json!([cut, "stays BUR.1"])).contains("no unit can stay there"));
    // One of these halves has no coast for the fleet.
    let inland = |half: &str| split(json!(["split SPA GAS MAR", format!("stays {half}")]));
    assert_eq!([inland("SPA.1"), inland("SPA.2")].iter().filter(|answer| answer.is_ok()).count(), 1);
}

#[test]
fn the_exempt_centre_of_a_power_that_names_none_is_named() {
    let ask = |nature: Value, orders: Value| opening(BLACK_HOLE_I, "S1901M", nature, orders);
    let drawn = ask(json!(["exempt FRANCE PAR", "exempt ITALY ROM"]), json!({})).expect("an answer");
    assert_eq!(drawn["next"]["state"]["exempt"], json!({"FRANCE": "PAR", "ITALY": "ROM"}), "and no others");
    let error = |nature: Value, orders: Value| ask(nature, orders).expect_err("refused");
    let none = "no exempt centre is drawn for that power now";
    assert!(error(json!(["exempt FRANCE PAR"]), json!({"FRANCE": ["EXEMPT MAR"]})).contains(none));
    assert!(error(json!(["exempt FRANCE PAR", "exempt FRANCE MAR"]), json!({})).contains(none));
    assert!(
        error(json!(["exempt FRANCE LON"]), json!({}))
            .contains("exempt FRANCE LON: the face cannot be drawn")
    );
    assert!(error(json!(["exempt FRANCE XYZ"]), json!({})).contains("there is no province `XYZ`"));
    assert!(error(json!(["exempt SPAIN PAR"]), json!({})).contains("is not an event"));
    assert!(
        opening(BLACK_HOLE_I, "F1901M", json!(["exempt FRANCE PAR"]), json!({})).unwrap_err().contains(none)
    );
    // A power that names no centre has none in this variant, and that other variant has no exemptions.
    assert!(
        opening(SCHIZO_II, "S1901M", json!(["exempt FRANCE PAR"]), json!({})).unwrap_err().contains(none)
    );
    assert!(
        opening(DOUBLE_REVERSIBLE, "S1901M", json!(["exempt FRANCE PAR"]), json!({}))
            .unwrap_err()
            .contains(none)
    );
}

#[test]
fn what_the_rules_draw_after_the_retreats_waits_for_them_in_the_next_request() {
    let moved = BLACK_HOLE_I.answer(munich(json!(["void BOH"])));
    assert_eq!(moved["dislodged"][0]["options"], json!(["BER", "BOH", "KIE", "SIL", "TYR"]), "nobody knows");
    let mut request = moved["next"].clone();
    assert_eq!((&request["phase"], &request["nature"]), (&json!("S1905R"), &json!(["void BOH"])));
    request["orders"] = json!({"GERMANY": ["A MUN R BOH"]});
    let retreated = BLACK_HOLE_I.answer(request);
    assert_eq!(retreated["units_after"].get("GERMANY"), None, "it has gone down with Bohemia");
    assert_eq!(retreated["next"]["map_events"], json!(["void BOH"]));
    assert_eq!(retreated["next"].get("nature"), None);
}

#[test]
fn what_cannot_be_drawn_is_refused_and_never_passed_over() {
    let error = |variant: Shipped, phase: &str, nature: Value| {
        opening(variant, phase, nature.clone(), json!({})).expect_err(&nature.to_string())
    };
    let no_event = "the variant draws no such event in this phase";
    for (variant, phase, event) in [
        (BLACK_HOLE_I, "W1902A", "void MAR"),
        (BLACK_HOLE_I, "S1902M", "collapse MAR"),
        (BLACK_HOLE_I, "S1902M", "restore MAR"),
        (BLACK_HOLE_I, "S1902M", "submerge MAR"),
        (BLACK_HOLE_I, "S1902M", "separate POR SPA connect MAO MAO"),
        (BLACK_HOLE_I, "S1902M", "stays MAR"),
        (DOUBLE_REVERSIBLE, "S1902R", "collapse MAR"),
        (SCHIZO_II, "S1904M", "restore MAR"),
    ] {
        let expected = format!("`nature`: {event}: {no_event}");
        assert_eq!(error(variant, phase, json!([event])), expected, "{phase}");
    }
    let not_there =
        "the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant";
    for (variant, nature, wrong) in [
        (BLACK_HOLE_I, json!(["void SWI"]), "void SWI"),
        (DOUBLE_REVERSIBLE, json!(["restore MAR"]), "restore MAR"),
        (DOUBLE_REVERSIBLE, json!(["collapse MAR", "collapse MAR"]), "collapse MAR"),
        (SCHIZO_II, json!(["split BUR PAR MUN", "split BUR BEL MAR"]), "split BUR BEL MAR"),
    ] {
        assert_eq!(error(variant, "S1905M", nature), format!("`nature`: {wrong}: {not_there}"));
    }
    assert!(
        error(BLACK_HOLE_I, "S1902M", json!(["void MAR", "void PAR"])).contains("at most 1 can be drawn")
    );
    let three = json!(["collapse MAR", "collapse PAR", "collapse BUR"]);
    assert!(error(DOUBLE_REVERSIBLE, "S1902M", three).contains("collapse BUR: at most 2 can be drawn"));
    assert!(error(SCHIZO_II, "S1905M", json!(["split BUR PAR VIE"])).contains("BUR and VIE share no border"));
}

#[test]
fn in_a_retreat_phase_foretold_holes_are_those_of_the_state_or_of_the_list() {
    let ask = |state: Value, nature: Value| {
        BLACK_HOLE.ask(json!({"phase": "S1902R", "state": state, "nature": nature,
            "powers": {"GERMANY": {"units": ["A SIL"], "centers": ["BER"], "retreats": [{"unit": "A MUN", "from": "BUR"}]}}}))
    };
    let doomed = json!({"doomed": ["SIL"]});
    for (state, nature) in [
        (doomed.clone(), json!([])),
        (json!({}), json!(["collapse SIL"])),
        (doomed.clone(), json!(["collapse SIL"])),
    ] {
        let answer = ask(state, nature).expect("an answer");
        assert_eq!(answer["next"]["map_events"], json!(["collapse SIL"]));
        assert_eq!(answer["units_after"].get("GERMANY"), None);
    }
    assert!(ask(doomed, json!(["collapse TYR"])).unwrap_err().contains("at most 1 can be drawn"));
    let twice = json!(["collapse SIL", "collapse SIL"]);
    assert!(ask(json!({}), twice).unwrap_err().contains("the face cannot be drawn"));
    let refused = |names: &[&str]| ask(json!({"doomed": names}), json!([])).unwrap_err();
    assert!(refused(&["SWI"]).contains("`state.doomed`: SWI: the face cannot be drawn"));
    assert!(refused(&["SIL", "SIL"]).contains("`state.doomed`: SIL: the face cannot be drawn"));
    assert!(refused(&["SIL", "BUR"]).contains("`state.doomed`: BUR: at most 1 can be drawn"));
    let exempt = ask(json!({"doomed": ["PAR"], "exempt": {"FRANCE": "PAR"}}), json!([]));
    assert!(exempt.unwrap_err().contains("`state.doomed`: PAR: the face cannot be drawn"));
    for (phase, parameters) in
        [("S1902M", json!({})), ("W1902A", json!({})), ("S1902R", json!({"holes.seasons": "fall"}))]
    {
        let state = json!({"doomed": ["SIL"]});
        let other = BLACK_HOLE.refused(json!({"phase": phase, "parameters": parameters, "state": state}));
        assert!(other.contains(&format!("no hole is announced in {phase}")), "{other}");
    }
    let elsewhere = BLACK_HOLE_I.refused(json!({"phase": "S1902R", "state": {"doomed": ["SIL"]}}));
    assert_eq!(elsewhere, "`state.doomed`: black-hole-i does not use this key");
}
