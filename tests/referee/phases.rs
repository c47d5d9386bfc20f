//! The contents of each phase: an answer settles the requested phase, and nothing of the next.

use crate::helpers::shipped::{
    BLACK_HOLE, BLACK_HOLE_I, DELUGE_II, DOUBLE_REVERSIBLE, SCHIZO_II, SEISMIC_1971, SEISMIC_ACERUNNER,
    Shipped,
};
use serde_json::{Value, json};

/// The answer to the `next` of an answer, with these orders.
#[track_caller]
fn go_on(variant: Shipped, answer: &Value, orders: Value) -> Value {
    let mut request = answer["next"].clone();
    request["orders"] = orders;
    variant.answer(request)
}

#[test]
fn after_a_fall_movement_nothing_of_the_winter_is_in_the_answer_though_nothing_is_owed() {
    // London sinks in Winter 1901, and no power can build or must remove.
    let moved = DELUGE_II.answer(json!({"phase": "F1901M",
        "powers": {"ENGLAND": {"units": ["A LON"], "centers": ["LON"]}, "TURKEY": {"units": ["A ANK"], "centers": ["ANK"]}}}));
    assert_eq!(moved["units_after"]["ENGLAND"], json!(["A LON"]));
    assert_eq!(moved["centers_after"]["ENGLAND"], json!(["LON"]));
    assert_eq!((&moved["next"]["phase"], &moved["next"]["map_events"]), (&json!("W1901A"), &json!([])));
    let winter = go_on(DELUGE_II, &moved, json!({}));
    assert_eq!((&winter["phase"], &winter["results"]), (&json!("W1901A"), &json!({})));
    assert_eq!(winter["units_after"].get("ENGLAND"), None, "it has drowned");
    assert_eq!(winter["next"]["phase"], json!("S1902M"));
    assert!(winter["next"]["map_events"].as_array().expect("a list").contains(&json!("submerge LON")));
}

#[test]
fn nothing_of_the_winter_is_in_the_answer_where_something_is_owed_either() {
    let moved = DELUGE_II.answer(json!({"phase": "F1901M",
        "powers": {"ENGLAND": {"units": ["A LON"], "centers": ["LON", "EDI"]}}}));
    assert_eq!(moved["units_after"]["ENGLAND"], json!(["A LON"]));
    assert_eq!(moved["next"]["phase"], json!("W1901A"));
    let winter = go_on(DELUGE_II, &moved, json!({"ENGLAND": ["A EDI B"]}));
    assert_eq!(winter["results"]["ENGLAND"]["A EDI B"], json!(["ok"]));
    assert_eq!(winter["units_after"]["ENGLAND"], json!(["A EDI"]));
}

#[test]
fn a_retreat_phase_exists_where_a_unit_can_retreat_and_owners_change_after_it() {
    let attack = |options: bool| {
        let closed = if options { json!([]) } else { json!(["A TUS", "A APU", "A ROM", "A PIE"]) };
        let mut units = vec![json!("A TYR"), json!("F TRI")];
        units.extend(closed.as_array().cloned().unwrap_or_default());
        json!({"phase": "F1901M", "variant": "standard",
            "powers": {"AUSTRIA": {"units": units, "centers": ["TRI"]}, "ITALY": {"units": ["A VEN"], "centers": ["VEN"]}},
            "orders": {"AUSTRIA": ["F TRI - VEN", "A TYR S F TRI - VEN"]}})
    };
    let moved = BLACK_HOLE.answer(attack(true));
    assert_eq!(
        moved["centers_after"],
        json!({"AUSTRIA": ["TRI"], "ITALY": ["VEN"]}),
        "the season is not over"
    );
    let next = &moved["next"];
    assert_eq!(next["phase"], json!("F1901R"));
    assert_eq!(
        next["powers"]["ITALY"]["retreats"],
        json!([{"unit": "A VEN", "from": "TRI", "options": ["APU", "PIE", "ROM", "TUS"]}])
    );
    let retreated = go_on(BLACK_HOLE, &moved, json!({"ITALY": ["A VEN R TUS"]}));
    assert_eq!(retreated["centers_after"], json!({"AUSTRIA": ["TRI", "VEN"]}));
    assert_eq!(retreated["next"]["phase"], json!("W1901A"));
    // Without options for retreats the season ends with the movement.
    let moved = BLACK_HOLE.answer(attack(false));
    assert_eq!(moved["dislodged"][0]["options"], json!([]));
    assert_eq!(moved["centers_after"]["AUSTRIA"], json!(["ROM", "TRI", "VEN"]));
    assert_eq!(moved["next"]["phase"], json!("W1901A"));
}

#[test]
fn an_attacker_that_came_by_convoy_is_told_in_the_next_request() {
    let moved = BLACK_HOLE.answer(json!({"phase": "S1901M", "variant": "standard",
        "powers": {"ENGLAND": {"units": ["A LON", "F NTH", "A HOL"]}, "FRANCE": {"units": ["A BEL"]}},
        "orders": {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "A HOL S A LON - BEL"]}}));
    let retreat = &moved["next"]["powers"]["FRANCE"]["retreats"][0];
    assert_eq!((&retreat["from"], &retreat["via_convoy"]), (&json!("LON"), &json!(true)));
}

#[test]
fn a_foretold_hole_is_drawn_with_the_movement_and_opens_with_the_retreats() {
    let moved = BLACK_HOLE.answer(json!({"phase": "S1902M", "nature": ["collapse SIL"],
        "powers": {"GERMANY": {"units": ["A MUN"]}, "FRANCE": {"units": ["A BUR", "A RUH", "A SIL"]}},
        "orders": {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]}}));
    assert_eq!(moved["next"]["state"]["doomed"], json!(["SIL"]));
    assert_eq!(moved["next"]["map_events"], json!([]));
    assert_eq!(moved["units_after"]["FRANCE"], json!(["A MUN", "A RUH", "A SIL"]));
    let retreated = go_on(BLACK_HOLE, &moved, json!({"GERMANY": ["A MUN R BOH"]}));
    assert_eq!(retreated["units_after"]["FRANCE"], json!(["A MUN", "A RUH"]));
    assert_eq!(retreated["next"]["map_events"], json!(["collapse SIL"]));
    assert_eq!(retreated["next"]["state"].get("doomed"), None);
}

#[test]
fn a_seismic_phase_is_asked_after_the_retreats_and_before_the_winter() {
    let powers = json!({"FRANCE": {"units": ["A PAR"], "centers": ["PAR"]}});
    let moved = SEISMIC_ACERUNNER.answer(json!({"phase": "F1901M", "powers": powers}));
    assert_eq!(moved["next"]["phase"], json!("F1901E"));
    let shaken = go_on(SEISMIC_ACERUNNER, &moved, json!({"FRANCE": ["SEPARATE POR SPA CONNECT MAO MAO"]}));
    assert_eq!(shaken["next"]["map_events"], json!(["separate POR SPA connect MAO MAO"]));
    assert_eq!(shaken["next"]["phase"], json!("W1901A"), "an empty Winter is a phase");
    let winter = go_on(SEISMIC_ACERUNNER, &shaken, json!({}));
    assert_eq!((winter.get("map"), &winter["next"]["phase"]), (None, &json!("S1902M")));
    // The other rule set has its second phase after the Winter.
    let moved = SEISMIC_1971.answer(json!({"phase": "F1901M", "powers": powers}));
    let winter = go_on(SEISMIC_1971, &moved, json!({}));
    assert_eq!((&moved["next"]["phase"], &winter["next"]["phase"]), (&json!("W1901A"), &json!("W1901E")));
}

#[test]
fn a_phase_that_no_season_has_is_refused() {
    for phase in ["S1901A", "F1901A", "W1901M", "W1901R"] {
        let error = BLACK_HOLE_I.refused(json!({"phase": phase}));
        assert!(
            error.starts_with(&format!(
                "`phase`: {phase} does not exist; movements and retreats are in Spring"
            )),
            "{error}"
        );
    }
}

// ---- the end ----

#[test]
fn a_game_that_is_over_has_its_ending_and_the_places_of_all() {
    let centres = [
        "BEL", "BER", "BRE", "DEN", "EDI", "HOL", "KIE", "LON", "LVP", "MAR", "MUN", "NWY", "PAR", "POR",
        "SPA", "SWE", "TUN", "ROM",
    ];
    let answer = BLACK_HOLE.answer(json!({"variant": "standard", "phase": "F1905M",
        "state": {"eliminated": {"ENGLAND": 1904, "GERMANY": 1903}},
        "powers": {"FRANCE": {"units": ["A PAR"], "centers": centres},
            "ITALY": {"units": ["A VEN"], "centers": ["VEN", "NAP"]}, "TURKEY": {"units": ["A ANK"], "centers": ["ANK", "CON"]}}}));
    assert_eq!(answer.get("next"), None);
    assert_eq!(answer["ending"]["winner"], json!("FRANCE"));
    assert_eq!(answer["ending"].get("draw"), None);
    // Austria and Russia are eliminated from this season on.
    assert_eq!(
        answer["ending"]["places"],
        json!({"AUSTRIA": 4, "ENGLAND": 6, "FRANCE": 1, "GERMANY": 7, "ITALY": 2, "RUSSIA": 4, "TURKEY": 2})
    );
}

#[test]
fn the_last_year_ends_in_a_draw_after_its_winter() {
    let powers = json!({"FRANCE": {"units": ["A PAR"], "centers": ["PAR"]}, "ITALY": {"units": ["A VEN"], "centers": ["VEN"]}});
    let request = |phase: &str, last_year: u16| json!({"variant": "standard", "phase": phase, "last_year": last_year, "powers": powers});
    let moved = BLACK_HOLE.answer(request("F1901M", 1901));
    assert_eq!((&moved["next"]["last_year"], &moved["next"]["phase"]), (&json!(1901), &json!("W1901A")));
    let winter = go_on(BLACK_HOLE, &moved, json!({}));
    assert_eq!(winter["ending"]["draw"], json!(["FRANCE", "ITALY"]));
    assert_eq!(BLACK_HOLE.answer(request("W1901A", 1902))["next"]["phase"], json!("S1902M"));
    assert_eq!(BLACK_HOLE.refused(request("S1902M", 1901)), "`last_year`: 1901 is over in S1902M");
    assert!(
        BLACK_HOLE
            .refused(request("S1902M", 10_000))
            .starts_with("`last_year`: a year is a number up to 9999")
    );
    // Without one, the years end where they cannot be written any more.
    let mut last = request("W9999A", 9999);
    last.as_object_mut().expect("an object").remove("last_year");
    assert!(BLACK_HOLE.answer(last)["ending"]["draw"].is_array());
}

#[test]
fn a_board_that_nobody_is_left_on_is_a_draw_of_nobody_or_of_all() {
    let ending = |variant: &str| {
        let request = json!({"variant": variant, "phase": "F1905M", "map_events": [], "nature": ["collapse PAR"],
            "powers": {"FRANCE": {"units": ["A PAR"], "centers": ["PAR"]}}});
        BLACK_HOLE.answer(request)["ending"]["draw"].clone()
    };
    assert_eq!(ending("double-reversible").as_array().map(Vec::len), Some(7));
    let nobody = BLACK_HOLE.answer(json!({"phase": "S1905M", "nature": ["collapse PAR"],
        "powers": {"FRANCE": {"units": ["A PAR"], "centers": ["PAR"]}}}));
    assert_eq!(nobody["ending"]["draw"], json!([]));
}

#[test]
fn ruling_4_13_where_nobody_is_left_the_owner_of_a_centre_without_a_unit_is_out_with_the_others() {
    let answer = DELUGE_II.answer(json!({"phase": "W1908A", "map_events": ["open ICE", "open SWI"],
        "state": {"eliminated": {"ITALY": 1905}},
        "powers": {"FRANCE": {"units": [], "centers": ["SWI"]}}}));
    let mut places = json!({"AUSTRIA": 1, "ENGLAND": 1, "FRANCE": 1, "GERMANY": 1, "RUSSIA": 1, "TURKEY": 1});
    places["ITALY"] = json!(7);
    assert_eq!(answer["ending"], json!({"draw": [], "places": places}));
}

// ---- retreats that are sent with the orders ----

/// The dislodged units in an answer, and their options.
fn options(answer: &Value) -> Vec<String> {
    let all = answer["dislodged"].as_array().expect("a list");
    all.iter().map(|unit| format!("{}: {}", unit["unit"], unit["options"])).collect()
}

#[test]
fn ruling_4_12_where_retreats_are_sent_with_the_orders_units_are_listed_as_they_would_be_asked() {
    let attack = json!({"GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"], "FRANCE": ["A PAR R BRE"]});
    let powers = json!({"FRANCE": {"units": ["A PAR"], "centers": ["PAR"]},
        "GERMANY": {"units": ["A BUR", "A PIC", "A GAS"], "centers": ["MUN"]}});
    // A foretold hole, faces that toggle, and units that come back, all before the retreats.
    for (variant, nature, mut request, listed) in [
        (BLACK_HOLE, json!(["collapse BRE"]), json!({}), vec![r#""A PAR": []"#]),
        (BLACK_HOLE, json!(["collapse MUN"]), json!({}), vec![r#""A PAR": ["BRE"]"#]),
        (
            DOUBLE_REVERSIBLE,
            json!(["collapse BRE", "collapse BUR"]),
            json!({}),
            vec![r#""A PAR": ["BEL","MAR","MUN","RUH"]"#],
        ),
        (
            DOUBLE_REVERSIBLE,
            json!(["restore BRE"]),
            json!({"map_events": ["collapse BRE"], "state": {"swallowed": {"FRANCE": ["A BRE", "A BRE"]}}}),
            vec![r#""A BRE": []"#, r##""A BRE#2": []"##, r#""A PAR": ["BRE"]"#],
        ),
    ] {
        request["phase"] = json!("S1902M");
        request["nature"] = nature;
        request["powers"] = powers.clone();
        request["orders"] = attack.clone();
        let asked = options(&variant.answer(request.clone()));
        request["parameters"] = json!({"retreats.sent": "with-orders"});
        let sent = options(&variant.answer(request.clone()));
        assert_eq!(sent, listed, "{request}");
        assert_eq!(sent, asked, "{request}");
    }
}

#[test]
fn ruling_4_12_a_unit_whose_list_has_no_open_place_is_listed_as_gone_where_it_has_no_retreat() {
    let lost = |list: &[&str]| {
        let answer = SCHIZO_II.answer(json!({"phase": "S1902M",
            "powers": {"FRANCE": {"units": ["A POR"], "centers": ["POR"]}, "GERMANY": {"units": ["A SPA", "F MAO"], "centers": ["MUN"]}},
            "orders": {"FRANCE": list, "GERMANY": ["A SPA - POR", "F MAO S A SPA - POR"]}}));
        assert_eq!(options(&answer), [r#""A POR": []"#]);
        answer["results"]["FRANCE"].clone()
    };
    assert_eq!(lost(&[]), json!({"A POR D": ["disband"]}));
    assert_eq!(lost(&["A POR R SPA"]), json!({"A POR R SPA": ["void"], "A POR D": ["disband"]}));
}
