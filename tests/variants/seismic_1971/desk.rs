//! Seismic events as outside programs see them: through [`AdjudicationService`] (docs/adjudicate.md; Seismic, rules.md
//! 8).

use crate::helpers::shipped::SEISMIC_1971;
use serde_json::{Value, json};

/// A request in the first seismic phase, in which four powers may order.
fn filled(mut request: Value) -> Value {
    let fields = request.as_object_mut().expect("an object");
    let powers = json!({
        "AUSTRIA": {"units": ["A VIE"], "centers": ["VIE"]},
        "ENGLAND": {"units": ["A LVP"], "centers": ["LVP"]},
        "FRANCE": {"units": ["A PAR"], "centers": ["PAR"]},
        "RUSSIA": {"units": ["A MOS"], "centers": ["MOS"]},
    });
    for (key, default) in [("phase", json!("S1901E")), ("powers", powers)] {
        fields.entry(key).or_insert(default);
    }
    request
}

fn answer(request: Value) -> Value {
    SEISMIC_1971.answer(filled(request))
}

fn refused(request: Value) -> String {
    SEISMIC_1971.refused(filled(request))
}

/// The words for one order of France.
fn word(request: Value, text: &str) -> Value {
    answer(request)["results"]["FRANCE"][text].clone()
}

const ISLAND: &str = "separate POR SPA connect MAO MAO";

#[test]
fn seismic_desk_after_a_seismic_phase_the_answer_has_the_map() {
    let seen = answer(json!({"orders": {"ENGLAND": ["SEPARATE POR SPA CONNECT MAO MAO"]}}));
    assert_eq!(seen["results"]["ENGLAND"]["SEPARATE POR SPA CONNECT MAO MAO"], json!(["ok"]));
    assert_eq!(
        seen["map"]["counts"],
        json!({"faces": 77, "borders": 223, "corners": 149, "components": 2}),
        "the two shores of Spain are one, and the island's has no corner, which counts as one"
    );
    assert_eq!(seen["map"]["faces"]["POR"]["boundaries"], json!([["MAO"]]));
    assert_eq!(seen["map"]["faces"]["POR"]["army"], json!([]));
    assert_eq!(seen["phase"], json!("S1901E"));
    // Without orders too, and in no other phase.
    assert_eq!(answer(json!({}))["map"]["counts"]["borders"], json!(225));
    assert_eq!(answer(json!({"phase": "S1901M"})).get("map"), None);
}

#[test]
fn seismic_desk_the_map_is_that_of_the_events_in_a_row() {
    let orders = json!({"FRANCE": ["CONNECT POR BRE THROUGH MAO"]});
    let done = answer(json!({"phase": "W1901E", "map_events": [ISLAND], "orders": orders}));
    let events = answer(json!({"map_events": [ISLAND, "connect POR BRE through MAO"]}));
    assert_eq!(done["map"], events["map"]);
    assert_eq!(done["map"]["faces"]["POR"]["army"], json!(["BRE"]));
}

#[test]
fn seismic_desk_rule_2_there_is_no_phase_in_fall() {
    let error = refused(json!({"phase": "F1901E"}));
    assert!(error.contains("seismic-1971"), "{error}");
    let error = refused(json!({"variant": "standard"}));
    assert!(error.contains("standard"), "{error}");
    assert!(SEISMIC_1971.ask(filled(json!({"phase": "W1901E"}))).is_ok());
}

#[test]
fn seismic_desk_rule_3_a_second_order_is_refused() {
    let (first, second) = ("SEPARATE POR SPA CONNECT MAO MAO", "SEPARATE BUL GRE CONNECT SER AEG");
    let seen = answer(json!({"orders": {"FRANCE": [first, second]}}));
    assert_eq!(seen["results"]["FRANCE"], json!({first: ["ok"], second: ["illegal"]}));
    assert!(seen["map"]["faces"]["BUL"]["army"].as_array().expect("a list").contains(&json!("GRE")));
    // An illegal order does not count: the next one does.
    let wrong = "SEPARATE PAR MUN CONNECT BUR RUH";
    let seen = answer(json!({"orders": {"FRANCE": [wrong, first]}}));
    assert_eq!(seen["results"]["FRANCE"], json!({wrong: ["illegal"], first: ["ok"]}));
}

#[test]
fn seismic_desk_rule_3_a_power_that_is_out_orders_nothing() {
    let seen = answer(json!({"orders": {"TURKEY": ["SEPARATE POR SPA CONNECT MAO MAO"]}}));
    assert_eq!(seen["results"]["TURKEY"]["SEPARATE POR SPA CONNECT MAO MAO"], json!(["illegal"]));
    assert_eq!(seen["map"]["faces"]["POR"]["army"], json!(["SPA"]));
}

#[test]
fn seismic_desk_rule_4_what_does_not_fit_is_illegal() {
    for text in [
        "SEPARATE PAR MUN CONNECT BUR RUH",
        "SEPARATE BUL GRE CONNECT SER ION",
        "SEPARATE BUL BUL CONNECT SER AEG",
        "SEPARATE BUL XYZ CONNECT SER AEG",
        "SEPARATE BUL GRE CONNECT SER",
        "CONNECT POR BRE THROUGH MAO",
        "CONNECT POR BRE",
        "A PAR H",
        "POR & SPA separate",
        "",
    ] {
        assert_eq!(word(json!({"orders": {"FRANCE": [text]}}), text), json!(["illegal"]), "{text}");
    }
}

#[test]
fn seismic_desk_rule_4_an_ambiguous_order_is_void_and_an_index_picks() {
    let events = json!([
        "separate BRE GAS connect MAO PAR",
        "separate BRE PAR connect MAO PIC",
        "separate BRE PIC connect MAO ENG",
        "separate BRE ENG connect MAO MAO",
    ]);
    let ask = |text: &str| {
        answer(json!({"map_events": events, "orders": {"FRANCE": [text]}}))["results"]["FRANCE"][text].clone()
    };
    assert_eq!(ask("CONNECT BRE SPA THROUGH MAO"), json!(["void"]));
    assert_eq!(ask("CONNECT BRE SPA THROUGH MAO #1"), json!(["ok"]));
    assert_eq!(ask("CONNECT SPA BRE THROUGH MAO #2"), json!(["ok"]));
    assert_eq!(ask("CONNECT BRE SPA THROUGH MAO #3"), json!(["illegal"]));
    // An ambiguous text is not an order: the next one counts.
    let texts = ["CONNECT BRE SPA THROUGH MAO", "CONNECT BRE GAS THROUGH MAO"];
    let seen = answer(json!({"map_events": events, "orders": {"FRANCE": texts}}));
    assert_eq!(seen["results"]["FRANCE"], json!({texts[0]: ["void"], texts[1]: ["ok"]}));
}

#[test]
fn seismic_desk_rules_6_and_7_the_worked_cases() {
    let (austria, turkey) = ("SEPARATE BUL GRE CONNECT SER AEG", "SEPARATE BUL AEG CONNECT GRE CON");
    let first = answer(json!({"orders": {"AUSTRIA": [austria], "ENGLAND": [turkey]}}));
    assert_eq!(first["results"]["AUSTRIA"][austria], json!(["bounce"]));
    assert_eq!(first["results"]["ENGLAND"][turkey], json!(["bounce"]));
    assert_eq!(first["map"], answer(json!({}))["map"]);
    let swapped = "SEPARATE GRE BUL CONNECT AEG SER";
    let second = answer(json!({"orders": {"AUSTRIA": [austria], "RUSSIA": [swapped], "ENGLAND": [turkey]}}));
    assert_eq!(second["results"]["AUSTRIA"][austria], json!(["ok"]));
    assert_eq!(second["results"]["RUSSIA"][swapped], json!(["ok"]));
    assert_eq!(second["results"]["ENGLAND"][turkey], json!(["bounce"]));
    let (iri, bre) = ("CONNECT POR IRI THROUGH MAO", "CONNECT BRE POR THROUGH MAO");
    let third = answer(json!({"map_events": [ISLAND], "orders": {"ENGLAND": [iri], "FRANCE": [bre]}}));
    assert_eq!(third["results"], json!({"ENGLAND": {iri: ["bounce"]}, "FRANCE": {bre: ["bounce"]}}));
}

#[test]
fn seismic_desk_rule_8_the_owner_chooses_the_coast_with_the_seismic_orders() {
    let ask = |orders: Value| {
        answer(json!({
            "map_events": [ISLAND],
            "powers": {"FRANCE": {"units": ["F GAS"]}, "ENGLAND": {"units": ["A LVP"]}},
            "orders": orders,
        }))
    };
    let release = "CONNECT POR GAS THROUGH MAO";
    let seen = ask(json!({"ENGLAND": [release]}));
    let coasts = seen["map"]["faces"]["GAS"]["coasts"].as_array().expect("a list").clone();
    assert_eq!(coasts.len(), 2);
    let default = seen["units_after"]["FRANCE"][0].as_str().expect("a unit").to_owned();
    let names: Vec<&str> = coasts.iter().map(|coast| coast["name"].as_str().expect("a name")).collect();
    let other = names.iter().find(|name| !default.ends_with(*name)).expect("another");
    let choice = format!("F GAS COAST {other}");
    let seen = ask(json!({"ENGLAND": [release], "FRANCE": [choice]}));
    assert_eq!(seen["results"]["FRANCE"][&choice], json!(["ok"]));
    assert_eq!(seen["units_after"]["FRANCE"], json!([format!("F GAS/{other}")]));
    // Nothing divides the coast: a provisional order that is not needed.
    let seen = ask(json!({"FRANCE": [choice]}));
    assert_ne!(seen["results"]["FRANCE"][&choice], json!(["ok"]));
    assert_eq!(seen["units_after"]["FRANCE"], json!(["F GAS"]));
}

#[test]
fn seismic_desk_rule_8_a_fleet_without_a_coast_stays_and_may_only_hold() {
    let powers = json!({
        "AUSTRIA": {"units": ["F TRI", "A VIE"], "centers": ["TRI"]},
        "ITALY": {"units": ["A VEN", "A TYR"], "centers": ["VEN"]},
    });
    let close = "SEPARATE TRI ADR CONNECT VEN ALB";
    let seen = answer(json!({"powers": powers, "orders": {"ITALY": [close]}}));
    assert_eq!(seen["units_after"]["AUSTRIA"], json!(["A VIE", "F TRI"]));
    assert_eq!(seen["map"]["faces"]["TRI"]["coasts"], json!([]));
    let closed = json!(["separate TRI ADR connect VEN ALB"]);
    let move_with = |orders: Value| {
        answer(json!({"phase": "F1901M", "map_events": closed, "powers": powers, "orders": orders}))
    };
    for (text, expected) in [
        ("F TRI H", "ok"),
        ("F TRI - ADR", "illegal"),
        ("F TRI - ALB", "illegal"),
        ("F TRI S A VIE", "illegal"),
        ("F TRI S A VIE - TYR", "illegal"),
    ] {
        let seen = move_with(json!({"AUSTRIA": [text]}));
        assert_eq!(seen["results"]["AUSTRIA"][text], json!([expected]), "{text}");
        assert_eq!(seen["units_after"]["AUSTRIA"], json!(["A VIE", "F TRI"]));
    }
    let attack = ["A VEN - TRI", "A TYR S A VEN - TRI"];
    let held = move_with(json!({"AUSTRIA": ["F TRI H", "A VIE S F TRI"], "ITALY": attack}));
    assert_eq!(held["results"]["AUSTRIA"], json!({"F TRI H": ["ok"], "A VIE S F TRI": ["ok"]}));
    let driven = move_with(json!({"AUSTRIA": ["F TRI H"], "ITALY": attack}));
    assert_eq!(
        driven["dislodged"],
        json!([{"unit": "F TRI", "power": "AUSTRIA", "from": "VEN", "options": []}])
    );
    // The 1971 rules do not allow it to be disbanded; and in Winter it counts as a unit.
    let refused = answer(json!({"powers": powers, "orders": {"ITALY": [close], "AUSTRIA": ["F TRI D"]}}));
    assert_ne!(refused["results"]["AUSTRIA"]["F TRI D"], json!(["ok"]));
    assert_eq!(refused["units_after"]["AUSTRIA"], json!(["A VIE", "F TRI"]));
    let removed = answer(json!({
        "phase": "W1901A", "map_events": closed, "powers": powers, "orders": {"AUSTRIA": ["F TRI D"]},
    }));
    assert_eq!(removed["results"]["AUSTRIA"]["F TRI D"], json!(["ok"]));
    assert_eq!(removed["units_after"]["AUSTRIA"], json!(["A VIE"]));
}

#[test]
fn seismic_desk_rule_8_a_trapped_fleet_is_freed_onto_the_coast_its_owner_names() {
    let open = json!({"RUSSIA": ["SEPARATE NWY OUT CONNECT BAR STP"], "FRANCE": ["SEPARATE FIN LVN CONNECT BOT STP"]});
    for name in ["NC", "SC"] {
        let mut orders = open.clone();
        let choice = format!("F STP COAST {name}");
        orders["RUSSIA"].as_array_mut().expect("a list").push(json!(choice));
        let seen = answer(json!({
            "map_events": ["separate BAR STP connect NWY OUT", "separate BOT STP connect FIN LVN"],
            "powers": {"RUSSIA": {"units": ["F STP"]}, "FRANCE": {"units": ["A PAR"]}},
            "orders": orders,
        }));
        assert_eq!(seen["results"]["RUSSIA"][&choice], json!(["ok"]), "{seen}");
        assert_eq!(seen["units_after"]["RUSSIA"], json!([format!("F STP/{name}")]));
    }
}

#[test]
fn seismic_desk_rule_9_the_waterways_are_the_passages() {
    let seen = answer(json!({}));
    let waterways = seen["map"]["waterways"].as_array().expect("a list");
    let provinces: Vec<&Value> = waterways.iter().map(|waterway| &waterway["in"]).collect();
    for province in ["CON", "DEN", "KIE", "NAP", "SWE"] {
        assert!(provinces.contains(&&json!([province])), "{province} in {provinces:?}");
    }
    assert_eq!(provinces.len(), 5, "{provinces:?}");
}

#[test]
fn seismic_desk_1971_a_waterway_option_is_without_effect() {
    let bare = answer(json!({"orders": {"FRANCE": ["SEPARATE ADR ION CONNECT ALB APU"]}}));
    let text = "SEPARATE ADR ION CONNECT ALB APU STRAIT";
    let seen = answer(json!({"orders": {"FRANCE": [text]}}));
    assert_eq!(seen["map"], bare["map"]);
}
