//! Further contents of a request: parameters, events of the map, and the memory of a variant.

use crate::helpers::shipped::{
    BLACK_HOLE, BLACK_HOLE_I, DELUGE_II, DOUBLE_REVERSIBLE, SCHIZO_II, SEISMIC_ACERUNNER,
};
use serde_json::{Value, json};
use upheaval::adjudicate::AdjudicationService;

// ---- parameters ----

#[test]
fn formats_2_the_schedule_of_a_deluge_is_a_parameter() {
    let founded = |parameters: Value| {
        let answer = DELUGE_II.answer(json!({"phase": "W1901A", "parameters": parameters,
            "powers": {"ENGLAND": {"units": ["A WAL"], "centers": ["EDI"]}}}));
        assert_eq!(answer["next"]["parameters"], parameters);
        answer["centers_after"]["ENGLAND"].clone()
    };
    assert_eq!(founded(json!({})), json!(["EDI"]));
    for key in ["schedule", "deluge.schedule"] {
        assert_eq!(founded(json!({key: "early-centres"})), json!(["EDI", "WAL"]), "{key}");
        assert_eq!(founded(json!({key: "ru10"})), json!(["EDI"]), "{key}");
    }
}

#[test]
fn any_parameter_of_any_sort_is_set_by_its_key_or_the_last_part_of_it() {
    let of = |variant: &str, parameters: Value| {
        let request = json!({"id": 1, "variant": variant, "phase": "F1902M", "parameters": parameters, "powers": {}, "orders": {}});
        let game =
            AdjudicationService::new().game(&request.to_string()).map_err(|error| error.to_string())?;
        let values = game.variant().parameters().into_iter().map(|p| (p.key, p.value));
        Ok::<_, String>(values.collect::<std::collections::BTreeMap<_, _>>())
    };
    let value =
        |variant: &str, parameters: Value, key: &str| of(variant, parameters).expect("sound")[key].clone();
    assert_eq!(value("black-hole", json!({"per_season": 3}), "holes.per_season"), "3");
    assert_eq!(value("schizo-ii", json!({"splits.per_season": 2}), "splits.per_season"), "2");
    assert_eq!(value("standard", json!({"rulebook": "1971"}), "rulebook"), "1971");
    assert_eq!(
        value("standard", json!({"rulebook": {"base": "2023", "paradox": "dptg"}}), "victory.rule"),
        "centre-majority"
    );
    assert_eq!(
        value("standard", json!({"last_winter": 1905, "rule": "last-survivor"}), "victory.last_winter"),
        "1905"
    );
    // `retreats` is a section, and `holes.retreats` a key of the variant.
    assert_eq!(value("black-hole", json!({"retreats": "unforetold"}), "holes.retreats"), "unforetold");
    let table = json!({"per_season": 1, "closure": "void", "retreats": "foretold", "seasons": "fall", "faces": "land"});
    assert_eq!(value("standard", json!({"holes": table}), "holes.seasons"), "fall");
    let error = |variant: &str, parameters: Value| of(variant, parameters).expect_err("refused");
    assert_eq!(
        error("schizo-ii", json!({"per_season": 2})),
        "`parameters.per_season`: ambiguous key, could be any of holes.per_season, splits.per_season; write the whole key"
    );
    assert!(error("standard", json!({"shedule": "ru10"})).contains("did you mean"));
    assert!(
        error("deluge-ii", json!({"schedule": "ru11"}))
            .contains("unknown word `ru11` for `deluge.schedule`; did you mean `ru10`?")
    );
    assert!(error("black-hole", json!({"per_season": 99})).contains("must be from 1 to 10, not 99"));
    assert!(error("black-hole", json!({"per_season": null})).contains("expected a value without `null`"));
    assert!(error("black-hole", json!({"per_season": 1, "holes.per_season": 2})).contains("is set twice"));
    assert!(error("standard", json!({"id": "x"})).contains("no such parameter"));
}

#[test]
fn a_rulebook_of_the_request_is_handed_on() {
    let answer = BLACK_HOLE
        .answer(json!({"variant": "standard", "rulebook": {"base": "1971", "support_coast": "ignore"},
        "phase": "S1901M", "powers": {"FRANCE": {"units": ["A PAR"]}}}));
    assert_eq!(answer["next"]["rulebook"], json!({"base": "1971", "support_coast": "ignore"}));
    assert!(BLACK_HOLE.refused(json!({"phase": "S1901M", "rulebook": "1066"})).starts_with("`rulebook`: "));
}

// ---- events of the map ----

fn shaken(map_events: Value) -> Result<Value, String> {
    SEISMIC_ACERUNNER.ask(json!({"phase": "S1902E", "map_events": map_events,
        "powers": {"FRANCE": {"units": ["A PAR"]}, "GERMANY": {"units": ["A MUN"]}, "ITALY": {"units": ["A ROM"]}}}))
}

fn map(map_events: Value) -> Value {
    shaken(map_events).unwrap_or_else(|error| panic!("{error}"))["map"].clone()
}

#[test]
fn formats_2_a_seismic_event_carries_its_options() {
    let waterways = |event: &str| map(json!([event]))["waterways"].clone();
    let canal = json!({"kind": "canal", "in": ["MAR"], "ends": ["LYO", "MAO"]});
    let has = |event: &str| waterways(event).as_array().expect("a list").contains(&canal);
    assert!(has("separate GAS SPA connect MAO MAR canal MAR"));
    assert!(has("SEPARATE gas spa CONNECT mao mar AT mar spa CANAL mar"));
    assert!(!has("separate GAS SPA connect MAO MAR"));
    assert!(!has("separate GAS SPA connect MAO MAR strait"));
}

#[test]
fn formats_2_what_happened_at_once_is_a_list_and_is_put_to_the_vote_as_it_was() {
    let orders = json!({
        "FRANCE": ["SEPARATE GAS SPA CONNECT MAO MAR CANAL MAR"],
        "GERMANY": ["SEPARATE SPA GAS CONNECT MAR MAO STRAIT"],
        "ITALY": ["SEPARATE ADR ION CONNECT ALB APU"],
    });
    let powers = json!({"FRANCE": {"units": ["A PAR"]}, "GERMANY": {"units": ["A MUN"]}, "ITALY": {"units": ["A ROM"]}});
    let answer = SEISMIC_ACERUNNER.answer(json!({"phase": "S1902E", "powers": powers, "orders": orders}));
    let events = answer["next"]["map_events"].clone();
    assert_eq!(
        events,
        json!([[
            "separate GAS SPA connect MAO MAR canal MAR",
            "separate GAS SPA connect MAO MAR strait",
            "separate ADR ION connect ALB APU",
        ]])
    );
    assert_eq!(map(events), answer["map"], "one wish against one: none of both");
    // An event that several powers ordered without a wish occurs once.
    let orders = json!({"FRANCE": ["SEPARATE ADR ION CONNECT ALB APU"], "ITALY": ["SEPARATE ION ADR CONNECT ALB APU"]});
    let answer = SEISMIC_ACERUNNER.answer(json!({"phase": "S1902E", "powers": powers, "orders": orders}));
    assert_eq!(answer["next"]["map_events"], json!(["separate ADR ION connect ALB APU"]));
}

#[test]
fn formats_2_faults_in_map_events() {
    let fault = |map_events: Value| shaken(map_events).expect_err("refused");
    assert!(fault(json!([[]])).contains("a list of simultaneous events must not be empty"));
    let mixed = json!([["separate POR SPA connect MAO MAO", "collapse MAR"]]);
    assert_eq!(
        fault(mixed),
        "`map_events`: collapse MAR: simultaneous events must be all seismic or all of other kinds"
    );
    let both = json!([["separate BUL GRE connect SER AEG", "separate BUL AEG connect GRE CON"]]);
    assert!(fault(both).ends_with("they cannot all be done together"));
    let eight = Value::from(vec![json!("separate POR SPA connect MAO MAO"); 8]);
    assert!(fault(json!([eight])).contains("at most 7 simultaneous events"));
    assert!(fault(json!(["separate POR SPA connect MAO MAO bridge"])).contains("BRIDGE"));
    assert!(fault(json!(["separate PAR MUN connect BUR RUH"])).contains("share no border"));
    assert!(fault(json!([7])).contains("an event of `map_events` is a text"));
    // Other events happen at once, too.
    let holes = json!([["collapse MAR", "collapse BUR"], "restore MAR"]);
    assert!(BLACK_HOLE.ask(json!({"phase": "S1902M", "map_events": holes})).is_ok());
}

// ---- the memory of a variant ----

#[test]
fn a_key_of_the_state_that_is_none_is_refused() {
    let error = BLACK_HOLE.refused(json!({"phase": "S1902M", "state": {"exemt": {"FRANCE": "PAR"}}}));
    assert!(error.contains("unknown field `exemt`"), "{error}");
}

#[test]
fn a_change_of_an_exempt_centre_stands_open_by_the_state_or_else_by_the_position() {
    let word = |state: Value| {
        let mut exempt = json!({"exempt": {"FRANCE": "PAR"}});
        for (key, value) in state.as_object().expect("an object") {
            exempt[key] = value.clone();
        }
        // Paris is English, Brest is a hole that belonged to France, Marseilles is left.
        let answer = BLACK_HOLE_I.answer(json!({"phase": "S1903M", "map_events": ["collapse BRE"], "state": exempt,
            "powers": {"FRANCE": {"units": ["A MAR"], "centers": ["MAR"]}, "ENGLAND": {"units": ["A PAR"], "centers": ["PAR"]}},
            "orders": {"FRANCE": ["EXEMPT MAR", "ANNOUNCE"]}}));
        let told = |order: &str| answer["results"]["FRANCE"][order][0].clone();
        (told("EXEMPT MAR"), told("ANNOUNCE"), answer["next"]["state"].clone())
    };
    let (exempt, _, state) = word(json!({}));
    assert_eq!(exempt, json!("ok"), "by the position");
    assert_eq!((&state["exempt"], &state["changed"]), (&json!({"FRANCE": "MAR"}), &json!(["FRANCE"])));
    assert_eq!(state["announced"], json!({"FRANCE": "MAR"}));
    assert_eq!(word(json!({"may_change": {"FRANCE": "MAR"}})).0, json!("ok"));
    assert_eq!(word(json!({"may_change": {}})).0, json!("illegal"), "the state says that nobody may");
    assert_eq!(word(json!({"changed": ["FRANCE"]})).0, json!("illegal"), "it has made its change");
    assert_eq!(
        word(json!({"announced": {"FRANCE": "PAR"}, "may_change": {}})).1,
        json!("illegal"),
        "it is known"
    );
    let error = BLACK_HOLE_I.refused(json!({"phase": "S1903M", "state": {"changed": ["FRANCE"]}}));
    assert_eq!(error, "`state.changed`: FRANCE has no exempt centre in `state.exempt`");
}

#[test]
fn whose_a_centre_was_that_is_a_hole_is_remembered() {
    let back = |state: Value| {
        let answer = SCHIZO_II.answer(json!({"phase": "S1906M", "map_events": ["void MUN"], "state": state,
            "nature": ["void UKR", "restore MUN"],
            "powers": {"FRANCE": {"units": ["A GAS"], "centers": ["PAR"]}, "TURKEY": {"units": ["A SYR"]}}}));
        answer["centers_after"].clone()
    };
    assert_eq!(back(json!({"last_owner": {"MUN": "FRANCE"}})), json!({"FRANCE": ["MUN", "PAR"]}));
    assert_eq!(back(json!({"last_owner": {}})), json!({"FRANCE": ["PAR"]}), "it was nobody's");
    assert_eq!(back(json!({})), json!({"FRANCE": ["PAR"], "GERMANY": ["MUN"]}), "its home power's");
    let gone = SCHIZO_II.answer(json!({"phase": "F1902M", "nature": ["void MUN"],
        "powers": {"FRANCE": {"units": ["A MUN"], "centers": ["PAR"]}, "TURKEY": {"units": ["A SYR"], "centers": ["SMY"]}}}));
    assert_eq!(gone["next"]["state"]["last_owner"], json!({"MUN": "FRANCE"}));
    assert_eq!(gone["next"]["powers"]["FRANCE"]["centers"], json!(["PAR"]));
}

#[test]
fn a_fleet_that_is_gone_is_remembered_with_the_coast_it_stood_on() {
    let request = |phase: &str, events: Value, nature: Value, state: Value, powers: Value| json!({"phase": phase, "map_events": events, "nature": nature, "state": state, "powers": powers});
    let powers = json!({"FRANCE": {"units": ["F SPA/SC"], "centers": ["PAR"]}});
    let gone =
        DOUBLE_REVERSIBLE.answer(request("S1903M", json!([]), json!(["collapse SPA"]), json!({}), powers));
    assert_eq!(
        gone["next"]["state"]["swallowed"],
        json!({"FRANCE": ["F SPA/SC"]}),
        "plain as long as it says all"
    );
    // Portugal is a hole when Spain comes back: the two coasts are one, which keeps the old name.
    let stretches = |coast: Value| json!({"swallowed": {"FRANCE": [{"unit": "F SPA", "coast": coast}]}});
    let back = |coast: Value| {
        let powers = json!({"FRANCE": {"centers": ["PAR"]}});
        let events = json!(["collapse SPA"]);
        let answer = DOUBLE_REVERSIBLE.ask(request(
            "F1903M",
            events,
            json!(["restore SPA"]),
            stretches(coast),
            powers,
        ));
        answer.map(|answer| answer["units_after"]["FRANCE"][0].clone())
    };
    assert_eq!(back(json!(["LYO", "WES"])).unwrap(), json!("F SPA/SC"));
    assert_eq!(back(json!(["MAO#1"])).unwrap(), json!("F SPA/SC"), "the stretch south of Portugal");
    assert_eq!(back(json!(["MAO#2"])).unwrap(), json!("F SPA/NC"), "and that north of it");
    assert!(back(json!(["MAO"])).unwrap_err().contains("`MAO` meets SPA several times"));
    assert!(back(json!(["MAO#3"])).unwrap_err().contains("`MAO#3`: SPA meets it 2 time(s)"));
    assert!(back(json!(["BAR"])).unwrap_err().contains("`BAR` does not meet SPA"));
    assert!(back(json!(["XYZ"])).unwrap_err().contains("`XYZ` is not a province"));
    let army = json!({"swallowed": {"FRANCE": [{"unit": "A SPA", "coast": []}]}});
    let error =
        DOUBLE_REVERSIBLE.refused(request("F1903M", json!(["collapse SPA"]), json!([]), army, json!({})));
    assert!(error.contains("expected a fleet and its hole"), "{error}");
}

#[test]
fn years_of_elimination_are_remembered_until_a_power_is_back() {
    let powers = json!({"FRANCE": {"units": ["A PAR"], "centers": ["PAR"]}, "ITALY": {"units": ["A ROM"], "centers": ["ROM"]}});
    let answer = BLACK_HOLE.answer(json!({"variant": "standard", "phase": "F1905M", "powers": powers,
        "state": {"eliminated": {"AUSTRIA": 1902, "ITALY": 1903}}}));
    let eliminated = &answer["next"]["state"]["eliminated"];
    assert_eq!((&eliminated["AUSTRIA"], &eliminated["RUSSIA"]), (&json!(1902), &json!(1905)));
    assert_eq!(eliminated.get("ITALY"), None);
}

#[test]
fn armies_aboard_are_remembered_where_the_variant_limits_it_and_those_of_dislodged_fleets_too() {
    let powers = json!({
        "ENGLAND": {"units": ["A/F NTH"], "centers": ["EDI"]},
        "FRANCE": {"units": ["A/F ENG", "F HEL"], "centers": ["PAR"]},
    });
    let request = |parameters: Value, state: Value| {
        json!({"phase": "S1902M", "parameters": parameters, "powers": powers, "state": state,
            "orders": {"FRANCE": ["A/F ENG - NTH", "F HEL S A/F ENG - NTH"]}})
    };
    let state = json!({"seasons_aboard": {"NTH": 2, "ENG": 1}});
    let mut next = DELUGE_II.answer(request(json!({"max_seasons_aboard": 3}), state.clone()))["next"].clone();
    assert_eq!(next["phase"], json!("S1902R"));
    assert_eq!(next["state"]["seasons_aboard"], json!({"NTH": 2}), "of the fleet that stands there now");
    let retreat = &next["powers"]["ENGLAND"]["retreats"][0];
    assert_eq!((&retreat["unit"], &retreat["seasons_aboard"]), (&json!("A/F NTH"), &json!(3)));
    next["orders"] = json!({"ENGLAND": ["A/F NTH R NWG"]});
    let retreated = DELUGE_II.answer(next);
    assert_eq!(retreated["next"]["state"]["seasons_aboard"], json!({"NTH": 2, "NWG": 3}));
    assert!(
        DELUGE_II.refused(request(json!({}), state)).contains("does not use this key"),
        "there is no limit"
    );
}

#[test]
fn a_fleet_that_must_choose_is_told_with_its_choices() {
    let request = |orders: Value| {
        json!({"phase": "S1903M", "map_events": ["collapse SER", "collapse ALB"], "nature": ["collapse BLA"],
            "powers": {"TURKEY": {"units": ["F BUL/EC"], "centers": ["CON"]}}, "orders": orders})
    };
    let answer = BLACK_HOLE.answer(request(json!({})));
    assert_eq!(
        answer["choices"],
        json!([{"unit": "F BUL", "power": "TURKEY", "orders": ["F BUL COAST SC", "F BUL COAST WC"]}])
    );
    for order in ["F BUL COAST SC", "F BUL COAST WC"] {
        let chosen = BLACK_HOLE.answer(request(json!({"TURKEY": [order]})));
        assert_eq!(chosen["results"]["TURKEY"][order], json!(["ok"]));
        assert_eq!(chosen["units_after"]["TURKEY"], json!([order.replace(" COAST ", "/")]));
    }
    let trapped = SEISMIC_ACERUNNER.answer(json!({"phase": "S1901E",
        "powers": {"RUSSIA": {"units": ["F RUM", "A MOS"]}}, "orders": {"RUSSIA": ["SEPARATE BLA RUM CONNECT BUL SEV"]}}));
    assert_eq!(trapped["choices"], json!([{"unit": "F RUM", "power": "RUSSIA", "orders": ["F RUM D"]}]));
    assert_eq!(trapped["next"]["powers"]["RUSSIA"]["units"], json!(["A MOS", "F RUM"]));
}

#[test]
fn straits_and_canals_are_remembered_by_their_stretches() {
    // Portugal is made an island and joined to Brest: the canal through it has both its ends at one sea.
    let answer = SEISMIC_ACERUNNER.answer(json!({"phase": "S1902E", "map_events": ["separate POR SPA connect MAO MAO"],
        "powers": {"FRANCE": {"units": ["A PAR"]}}, "orders": {"FRANCE": ["CONNECT BRE POR THROUGH MAO CANAL BRE"]}}));
    let state = &answer["next"]["state"];
    let canal = json!({"kind": "canal", "in": ["BRE"], "ends": ["MAO#1", "MAO#2"]});
    let listed = state["waterways"].as_array().expect("a list");
    let same = |way: &Value| way["kind"] == canal["kind"] && way["in"] == canal["in"];
    let ends: Vec<&Value> = listed.iter().filter(|way| same(way)).map(|way| &way["ends"]).collect();
    assert!(ends == [&json!(["MAO#1", "MAO#2"])] || ends == [&json!(["MAO#2", "MAO#1"])], "{ends:?}");
    let ask = |waterways: Value| {
        let events = answer["next"]["map_events"].clone();
        SEISMIC_ACERUNNER
            .ask(json!({"phase": "S1903E", "map_events": events, "state": {"waterways": waterways},
            "powers": {"FRANCE": {"units": ["A PAR"]}}}))
    };
    assert_eq!(ask(state["waterways"].clone()).expect("an answer")["map"], answer["map"]);
    let wrong = json!([{"kind": "canal", "in": ["BRE"], "ends": ["MAO#1", "MAO#7"]}]);
    assert!(ask(wrong).unwrap_err().contains("`MAO#7`: BRE meets it"), "no such stretch");
}

/// A service keeps rules between requests, but no game.
#[test]
fn a_desk_answers_each_request_as_if_it_were_the_only_one() {
    let requests: Vec<String> = [json!({"schedule": "early-centres"}), json!({}), json!({"max_seasons_aboard": 1})]
        .into_iter()
        .map(|parameters| {
            let powers = json!({"ENGLAND": {"units": ["A WAL"], "centers": ["EDI"]}});
            json!({"id": 1, "variant": "deluge-ii", "phase": "W1901A", "parameters": parameters, "powers": powers, "orders": {}})
                .to_string()
        })
        .collect();
    let mut service = AdjudicationService::new();
    for _ in 0..3 {
        for request in &requests {
            let (one, other) = (
                service.answer(request).expect("fine"),
                AdjudicationService::new().answer(request).expect("fine"),
            );
            assert_eq!(one.centers_after.get("ENGLAND"), other.centers_after.get("ENGLAND"));
            assert_eq!(serde_json::to_value(one.next).unwrap(), serde_json::to_value(other.next).unwrap());
        }
    }
}
