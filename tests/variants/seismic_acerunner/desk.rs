//! `seismic-acerunner` in requests from outside programs (docs/adjudicate.md): its phases, options after orders,
//! trapped fleets, and `state.waterways`, without which a position does not determine its straits and canals.

use crate::helpers::shipped::SEISMIC_ACERUNNER;
use serde_json::{Value, json};
use upheaval::topology::atlas;

/// A request in the first seismic phase, in which France and Germany may order.
fn filled(mut request: Value) -> Value {
    let fields = request.as_object_mut().expect("an object");
    let powers = json!({"FRANCE": {"units": ["A PAR"]}, "GERMANY": {"units": ["A MUN"]}});
    for (key, default) in [("phase", json!("S1901E")), ("powers", powers)] {
        fields.entry(key).or_insert(default);
    }
    request
}

fn ask(request: Value) -> Result<Value, String> {
    SEISMIC_ACERUNNER.ask(filled(request))
}

fn answered(request: Value) -> Value {
    SEISMIC_ACERUNNER.answer(filled(request))
}

/// Germany's and France's orders in a seismic phase, after these events.
fn quake(events: &[&str], waterways: Value, germany: &[&str], france: &[&str]) -> Value {
    answered(json!({
        "map_events": events,
        "state": {"waterways": waterways},
        "orders": {"GERMANY": germany, "FRANCE": france},
    }))
}

fn waterways(answer: &Value) -> Vec<String> {
    let text = |way: &Value| {
        let list = |key: &str| {
            let words = way[key].as_array().expect("a list").iter();
            words.map(|word| word.as_str().expect("a word")).collect::<Vec<_>>().join(" ")
        };
        format!("{} {}: {}", way["kind"].as_str().expect("a word"), list("in"), list("ends"))
    };
    answer["map"]["waterways"].as_array().expect("a list").iter().map(text).collect()
}

// ---- rule 2: phases ----

#[test]
fn rule_2_there_is_an_e_phase_in_spring_and_in_fall_and_none_in_winter() {
    for phase in ["S1901E", "F1903E"] {
        assert!(answered(json!({"phase": phase}))["map"].is_object(), "{phase}");
    }
    let error = ask(json!({"phase": "W1901E"})).expect_err("no such phase");
    assert!(error.contains("seismic-acerunner"), "{error}");
    assert!(answered(json!({"phase": "S1901M"}))["map"].is_null(), "only with the E phase");
}

#[test]
fn rule_2_owners_are_recorded_with_the_fall_moves_and_not_by_the_e_phase() {
    let powers = json!({"FRANCE": {"units": ["A BEL"], "centers": ["PAR"]}});
    let moved = answered(json!({"phase": "F1901M", "powers": powers}));
    assert_eq!(moved["centers_after"]["FRANCE"], json!(["BEL", "PAR"]));
    let shaken = answered(json!({"phase": "F1901E", "powers": powers}));
    assert_eq!(shaken["centers_after"]["FRANCE"], json!(["PAR"]));
}

// ---- rules 6 and 9: orders and options ----

#[test]
fn ruling_8_3_orders_with_different_options_support_each_other() {
    let (strait, canal) =
        ("SEPARATE GAS SPA CONNECT MAO MAR STRAIT", "SEPARATE SPA GAS CONNECT MAR MAO CANAL SPA");
    let answer = answered(json!({
        "powers": {"FRANCE": {"units": ["A PAR"]}, "GERMANY": {"units": ["A MUN"]}, "ITALY": {"units": ["A ROM"]}},
        "orders": {"FRANCE": [strait], "GERMANY": [canal], "ITALY": ["SEPARATE GAS MAR CONNECT BUR SPA"]},
    }));
    assert_eq!(answer["results"]["FRANCE"][strait], json!(["ok"]));
    assert_eq!(answer["results"]["GERMANY"][canal], json!(["ok"]));
    assert_eq!(answer["results"]["ITALY"]["SEPARATE GAS MAR CONNECT BUR SPA"], json!(["bounce"]));
    assert_eq!(waterways(&answer), STANDARD, "a tie: none, for they shared a border");
}

const STANDARD: [&str; 3] = ["canal CON: AEG BLA", "canal KIE: BAL HEL", "strait DEN SWE: BAL SKA"];

#[test]
fn formats_1_words_that_are_no_options_make_an_order_illegal() {
    for tail in ["BRIDGE", "CANAL", "CANAL XXX", "AT MAR STRAIT", "STRAIT MAR"] {
        let order = format!("SEPARATE GAS SPA CONNECT MAO MAR {tail}");
        let answer = quake(&[], Value::Null, &[], &[&order]);
        assert_eq!(answer["results"]["FRANCE"][&order], json!(["illegal"]), "{tail}");
        assert!(answer["reasons"]["FRANCE"][&order].is_string());
    }
}

#[test]
fn rule_9_options_are_read_and_followed() {
    let order = "separate gas spa connect mao mar at spa mar canal mar";
    let answer = quake(&[], Value::Null, &[], &[order]);
    assert_eq!(answer["results"]["FRANCE"][order], json!(["ok"]));
    assert!(waterways(&answer).contains(&"canal MAR: LYO MAO".to_owned()));
    assert_eq!(answer["map"]["faces"]["MAR"]["coasts"].as_array().expect("a list").len(), 1);
}

/// The Gulf of Bothnia becomes a lake in Sweden.
const GULF_IN_SWEDEN: [&str; 4] = [
    "separate BOT FIN connect STP SWE",
    "separate BOT STP connect LVN SWE",
    "separate BOT LVN connect BAL SWE",
    "separate BAL BOT connect SWE SWE",
];

#[test]
fn ruling_8_7_a_canal_whose_end_seas_a_release_makes_adjacent_is_gone_by_rule_4() {
    let lake = json!([{"kind": "canal", "in": ["SWE"], "ends": ["BOT", "SKA"]}]);
    let released = |order: &str| waterways(&quake(&GULF_IN_SWEDEN, lake.clone(), &[order], &[]));
    assert_eq!(released("CONNECT BOT SKA THROUGH SWE"), [""; 0]);
    assert_eq!(released("CONNECT BOT SKA THROUGH SWE KEEP"), [""; 0], "nothing is asked");
    assert_eq!(
        released("CONNECT BAL BOT THROUGH SWE"),
        ["canal SWE: BOT SKA"],
        "another sea is not an end of it"
    );
    assert_eq!(released("CONNECT BOT NWY THROUGH SWE"), ["canal SWE: BOT SKA"], "a land does not join them");
}

#[test]
fn ruling_8_7_an_isthmus_that_is_cut_in_two_is_new_on_both_pieces() {
    let others = json!([{"kind": "canal", "in": ["KIE"], "ends": ["BAL", "HEL"]}]);
    let cut = |option: &str| {
        let order = format!("CONNECT BOT DEN THROUGH SWE{option}");
        let ways = waterways(&quake(&GULF_IN_SWEDEN, others.clone(), &[&order], &[]));
        ways.into_iter().filter(|way| !way.contains("KIE")).collect::<Vec<_>>()
    };
    let straits = ["strait DEN SWE: BAL BOT", "strait DEN SWE: BOT SKA"];
    assert_eq!(cut(""), [""; 0], "they shared a border before");
    assert_eq!(cut(" STRAIT"), straits, "both lie between these two: there is nothing to distinguish");
    assert_eq!(cut(" AT DEN SWE STRAIT"), straits);
    assert_eq!(cut(" CANAL SWE"), ["canal SWE: BAL BOT", "canal SWE: BOT SKA"]);
}

#[test]
fn ruling_8_7_an_option_that_fits_one_of_two_straits_alone_needs_no_name() {
    let two = json!([
        {"kind": "strait", "in": ["DEN", "SWE"], "ends": ["BAL", "SKA"]},
        {"kind": "strait", "in": ["DEN", "KIE"], "ends": ["BAL", "HEL"]},
    ]);
    let cut = |option: &str| {
        let order = format!("SEPARATE BAL DEN CONNECT KIE SWE{option}");
        waterways(&quake(&[], two.clone(), &[&order], &[]))
    };
    assert_eq!(cut(""), [""; 0]);
    assert_eq!(cut(" CANAL SWE"), ["canal SWE: BAL SKA"]);
    assert_eq!(cut(" CANAL SWE CANAL KIE"), ["canal KIE: BAL HEL", "canal SWE: BAL SKA"]);
    assert_eq!(cut(" AT DEN KIE CANAL KIE"), ["canal KIE: BAL HEL"]);
}

// ---- rule 8: fleets ----

#[test]
fn rule_8_a_fleet_on_a_divided_coast_says_where_it_goes() {
    let ask = |choice: &[&str]| {
        let orders = [&["SEPARATE BAL DEN CONNECT KIE SWE DELETE"], choice].concat();
        answered(json!({"powers": {"RUSSIA": {"units": ["F SWE"]}}, "orders": {"RUSSIA": orders}}))
    };
    assert_eq!(ask(&[])["units_after"]["RUSSIA"], json!(["F SWE/SC"]));
    let coasts = ask(&[])["map"]["faces"]["SWE"]["fleet"].clone();
    let other =
        coasts.as_object().expect("coasts").keys().find(|name| *name != "SC").expect("another").clone();
    let choice = format!("F SWE COAST {other}");
    let answer = ask(&[&choice]);
    assert_eq!(answer["results"]["RUSSIA"][&choice], json!(["ok"]));
    assert_eq!(answer["units_after"]["RUSSIA"], json!([format!("F SWE/{other}")]));
}

#[test]
fn rule_8_a_trapped_fleet_may_be_disbanded_with_the_order_that_traps_it() {
    let ask = |orders: &[&str]| {
        let orders = [&["SEPARATE BLA RUM CONNECT BUL SEV"], orders].concat();
        answered(json!({"powers": {"RUSSIA": {"units": ["F RUM", "A MOS"]}}, "orders": {"RUSSIA": orders}}))
    };
    assert_eq!(ask(&[])["units_after"]["RUSSIA"], json!(["A MOS", "F RUM"]));
    let answer = ask(&["F RUM D"]);
    assert_eq!(answer["results"]["RUSSIA"]["F RUM D"], json!(["ok"]));
    assert_eq!(answer["units_after"]["RUSSIA"], json!(["A MOS"]));
    assert_eq!(ask(&["A MOS D"])["results"]["RUSSIA"]["A MOS D"], json!(["void"]));
}

#[test]
fn rule_8_only_a_fleet_that_is_trapped_is_disbanded() {
    let answer =
        answered(json!({"powers": {"RUSSIA": {"units": ["F RUM"]}}, "orders": {"RUSSIA": ["F RUM D"]}}));
    assert_eq!(answer["results"]["RUSSIA"]["F RUM D"], json!(["void"]));
    assert_eq!(answer["units_after"]["RUSSIA"], json!(["F RUM"]));
}

#[test]
fn rule_8_a_trapped_fleet_in_a_position_holds_and_goes_nowhere() {
    let answer = answered(json!({
        "phase": "F1901M",
        "map_events": ["separate BLA RUM connect BUL SEV"],
        "powers": {"RUSSIA": {"units": ["F RUM", "A SEV"]}, "AUSTRIA": {"units": ["A BUD", "A SER"]}},
        "orders": {
            "RUSSIA": ["F RUM - BLA", "A SEV S F RUM"],
            "AUSTRIA": ["A BUD - RUM", "A SER S A BUD - RUM"],
        },
    }));
    assert_eq!(answer["results"]["RUSSIA"]["F RUM - BLA"], json!(["illegal"]));
    assert_eq!(answer["results"]["RUSSIA"]["A SEV S F RUM"], json!(["ok"]));
    assert_eq!(answer["units_after"]["RUSSIA"], json!(["A SEV", "F RUM"]));
}

// ---- state.waterways ----

/// Plays these orders of Germany one season after another, and after each asks for the map of the next phase with the
/// events so far and the waterways of the answer: it must be the same.
fn round_trip(orders: &[&str]) -> Value {
    let (mut events, mut ways): (Vec<String>, Value) = (Vec::new(), Value::Null);
    let mut map = Value::Null;
    for order in orders {
        let so_far: Vec<&str> = events.iter().map(String::as_str).collect();
        let answer = quake(&so_far, ways.clone(), &[order], &[]);
        assert_eq!(answer["results"]["GERMANY"][order], json!(["ok"]), "{order}: {}", answer["reasons"]);
        map = answer["map"].clone();
        ways = map["waterways"].clone();
        let words: Vec<&str> = order.split(' ').collect();
        let options = ["STRAIT", "CANAL", "NONE", "DELETE", "KEEP", "TERMINUS", "AT"];
        let end = words.iter().position(|word| options.contains(word)).unwrap_or(words.len());
        events.push(words[..end].join(" ").to_lowercase());
        let so_far: Vec<&str> = events.iter().map(String::as_str).collect();
        let again = quake(&so_far, ways.clone(), &[], &[])["map"].clone();
        assert_eq!(again["waterways"], ways, "after {order}");
        for (name, face) in map["faces"].as_object().expect("faces") {
            assert_eq!(again["faces"][name], *face, "{name} after {events:?}, {ways}");
        }
        assert_eq!(again, map, "after {order}");
    }
    map
}

#[test]
fn formats_2_state_waterways_round_trips_every_choice() {
    for option in ["", " STRAIT", " NONE", " CANAL MAR", " CANAL SPA"] {
        round_trip(&[&format!("SEPARATE GAS SPA CONNECT MAO MAR{option}")]);
    }
    for option in ["", " STRAIT", " NONE", " CANAL ALB"] {
        round_trip(&[&format!("SEPARATE ADR ION CONNECT ALB APU{option}")]);
    }
    for option in ["", " DELETE", " CANAL SWE"] {
        round_trip(&[&format!("SEPARATE BAL DEN CONNECT KIE SWE{option}")]);
    }
    for option in ["", " KEEP", " DELETE"] {
        let last = format!("SEPARATE HEL KIE CONNECT DEN NTH{option}");
        round_trip(&["SEPARATE HEL HOL CONNECT KIE NTH", &last]);
    }
    for option in ["", " TERMINUS NTH", " TERMINUS SKA"] {
        let last = format!("SEPARATE HEL KIE CONNECT NTH SKA{option}");
        round_trip(&[
            "SEPARATE DEN NTH CONNECT HEL SKA",
            "SEPARATE HEL HOL CONNECT KIE NTH",
            "SEPARATE DEN HEL CONNECT KIE SKA",
            &last,
        ]);
    }
    round_trip(&["SEPARATE BAL SWE CONNECT BOT DEN"]);
    round_trip(&["SEPARATE BAL SWE CONNECT BOT DEN", "SEPARATE BAL DEN CONNECT BOT KIE"]);
}

#[test]
fn formats_2_state_waterways_round_trips_where_both_ends_are_one_sea() {
    for option in ["", " STRAIT", " NONE", " CANAL BRE", " CANAL POR"] {
        let last = format!("CONNECT BRE POR THROUGH MAO{option}");
        round_trip(&["SEPARATE POR SPA CONNECT MAO MAO", &last]);
    }
}

#[test]
fn formats_2_a_sea_that_a_province_meets_twice_is_told_by_the_isthmus() {
    // Spain meets the Mid-Atlantic on both sides of Portugal; the canal begins beside Marseilles, the far one.
    for option in [" CANAL SPA", " CANAL MAR"] {
        let last = format!("SEPARATE GAS SPA CONNECT MAO MAR{option}");
        let map = round_trip(&[&last]);
        assert_eq!(map["isthmuses"].as_array().expect("a list").len(), 5);
    }
}

/// Seasons in which one order after another is given to the board, each with options of all kinds, some of which fit.
#[test]
fn formats_2_state_waterways_round_trips_through_long_games() {
    let mut dice = 1971_u64;
    let mut draw = |n: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % n
    };
    for _ in 0..12 {
        let mut chart = atlas::standard();
        let mut orders: Vec<String> = Vec::new();
        for _ in 0..10 {
            let map = chart.map();
            let quakes = map.quakes();
            // The ones that touch a coast matter.
            let picked = quakes[draw(quakes.len())];
            let touched = picked.touched(map);
            let [x, y] = touched.together.map(|id| map.name(id).to_owned());
            let event = picked.event(map);
            let options = [
                String::new(),
                " STRAIT".to_owned(),
                " NONE DELETE".to_owned(),
                format!(" CANAL {x}"),
                format!(" CANAL {y} TERMINUS {x}"),
            ];
            orders.push(format!("{}{}", event.to_string().to_uppercase(), options[draw(options.len())]));
            event.apply(&mut chart).expect("it is allowed");
        }
        let texts: Vec<&str> = orders.iter().map(String::as_str).collect();
        round_trip(&texts);
    }
}

#[test]
fn formats_2_the_state_counts_and_not_the_defaults_of_the_events() {
    let events = ["separate GAS SPA connect MAO MAR"];
    let none = quake(&events, Value::Null, &[], &[]);
    assert_eq!(waterways(&none), STANDARD, "events apply the defaults");
    let listed = json!([{"kind": "strait", "in": ["MAR", "SPA"], "ends": ["LYO", "MAO"]}]);
    assert_eq!(waterways(&quake(&events, listed, &[], &[])), ["strait MAR SPA: LYO MAO"], "and no others");
    assert_eq!(waterways(&quake(&events, json!([]), &[], &[])), [""; 0], "an empty list: none at all");
    let pinched = quake(&["separate ENG NTH connect BEL LON"], Value::Null, &[], &[]);
    assert!(waterways(&pinched).contains(&"strait BEL LON: ENG NTH".to_owned()));
}

#[test]
fn formats_2_fleets_sail_by_the_state() {
    let order = "F MAR - MAO";
    let ask = |ways: Value| {
        answered(json!({
            "phase": "F1901M",
            "map_events": ["separate GAS SPA connect MAO MAR"],
            "state": {"waterways": ways},
            "powers": {"FRANCE": {"units": ["F MAR"]}},
            "orders": {"FRANCE": [order]},
        }))
    };
    let answer = ask(json!([{"kind": "canal", "in": ["MAR"], "ends": ["LYO", "MAO"]}]));
    assert_eq!(answer["results"]["FRANCE"][order], json!(["ok"]));
}

#[test]
fn formats_2_faults_in_state_waterways() {
    let fault = |ways: Value| {
        let error = match ask(json!({"state": {"waterways": ways}})) {
            Err(error) => error,
            Ok(_) => panic!("no fault: {ways}"),
        };
        assert!(error.contains("waterways"), "{error}");
        error
    };
    let one =
        |kind: &str, within: &[&str], ends: [&str; 2]| json!([{"kind": kind, "in": within, "ends": ends}]);
    assert!(fault(one("canal", &["XXX"], ["BAL", "HEL"])).contains("XXX"));
    assert!(fault(one("canal", &["KIE"], ["BAL", "SKA"])).contains("KIE does not lie on"));
    assert!(fault(one("canal", &["KIE"], ["BAL", "BAL"])).contains("KIE does not lie on"));
    assert!(fault(one("canal", &["KIE"], ["BAL", "DEN"])).contains("DEN is neither"));
    assert!(fault(one("strait", &["DEN", "SWE"], ["BAL", "HEL"])).contains("share no border"));
    assert!(fault(one("strait", &["RUH", "MUN"], ["BUR", "KIE"])).contains("BUR is neither"));
    assert!(fault(one("bridge", &["DEN", "SWE"], ["BAL", "SKA"])).contains("is not a waterway"));
    assert!(fault(one("canal", &["DEN", "SWE"], ["BAL", "SKA"])).contains("is not a waterway"));
    fault(json!("none"));
    fault(json!([{"kind": "canal", "in": ["KIE"]}]));
    let error = ask(
        json!({"variant": "standard", "phase": "S1901M", "state": {"waterways": one("canal", &["KIE"], ["BAL", "HEL"])}}),
    );
    assert!(error.expect_err("not there").contains("waterways"));
}
