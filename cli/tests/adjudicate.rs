//! `upheaval adjudicate` from outside (docs/adjudicate.md): exact keys and values, and lines that are not requests.

use std::collections::BTreeMap;
use std::fs;

use crate::program::{Done, run, run_in};
use serde_json::{Value, json};
use upheaval::rules::variant::Variant;

fn adjudicate(requests: &[Value]) -> Vec<Value> {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let done = run(&["adjudicate"], input.as_bytes());
    assert_eq!((done.code, done.error.as_str()), (0, ""), "{}", done.out);
    let answers = done.json_lines();
    assert_eq!(answers.len(), requests.len());
    answers
}

fn one(request: Value) -> Value {
    adjudicate(&[request]).remove(0)
}

fn raw(input: &[u8]) -> Done {
    run(&["adjudicate"], input)
}

const FINE: &str = r#"{"id":"fine","phase":"S1901M","powers":{"FRANCE":{"units":["A PAR"]}},"orders":{}}"#;

// ---- exact answers ----

#[test]
fn the_request_of_the_formats_page_is_answered() {
    let request = r#"{"id": "x", "variant": "standard", "rulebook": "2023", "phase": "S1901M",
        "map_events": [],
        "powers": {"FRANCE": {"units": ["A PAR", "F MAO"], "centers": ["PAR"], "retreats": [{"unit": "A MUN", "from": "BUR"}]}},
        "contested": ["TYR"],
        "orders": {"FRANCE": ["A PAR - BUR", "F MAO - SPA/SC"]}}"#
        .replace('\n', " ");
    let done = raw(request.as_bytes());
    assert_eq!(done.code, 0);
    let expected = concat!(
        r#"{"id":"x","phase":"S1901M","#,
        r#""results":{"FRANCE":{"A PAR - BUR":["ok"],"F MAO - SPA/SC":["ok"]}},"#,
        r#""units_after":{"FRANCE":["A BUR","F SPA/SC"]},"dislodged":[],"contested":[],"#,
        r#""centers_after":{"FRANCE":["PAR"]},"#,
        r#""next":{"id":"x","variant":"standard","rulebook":"2023","parameters":{},"phase":"F1901M","map_events":[],"#,
        r#""state":{"eliminated":{"AUSTRIA":1901,"ENGLAND":1901,"GERMANY":1901,"ITALY":1901,"RUSSIA":1901,"#,
        r#""TURKEY":1901}},"powers":{"FRANCE":{"units":["A BUR","F SPA/SC"],"centers":["PAR"]}},"contested":[]}}"#,
        "\n"
    );
    assert_eq!(done.out, expected);
}

/// The answer of the page, with the units that lead to it.
#[test]
fn the_answer_of_the_formats_page_is_given_key_for_key() {
    let request = json!({"id": "x", "phase": "S1901M",
        "powers": {"FRANCE": {"units": ["A PAR", "F MAO", "A BUR", "A RUH"], "centers": ["PAR"]},
                   "ITALY": {"units": ["F WES", "A BOH", "A KIE"]},
                   "GERMANY": {"units": ["A MUN"]}, "AUSTRIA": {"units": ["A VIE", "A VEN"]}},
        "orders": {"FRANCE": ["A PAR - BUR", "F MAO - SPA/SC", "A BUR - MUN", "A RUH S A BUR - MUN"],
                   "ITALY": ["F WES - SPA/SC", "A BOH H"], "AUSTRIA": ["A VIE - TYR", "A VEN - TYR"]}});
    let done = raw(format!("{request}\n").as_bytes());
    let expected = concat!(
        r#"{"id":"x","phase":"S1901M","results":{"#,
        r#""AUSTRIA":{"A VIE - TYR":["bounce"],"A VEN - TYR":["bounce"]},"#,
        r#""FRANCE":{"A PAR - BUR":["ok"],"F MAO - SPA/SC":["bounce"],"A BUR - MUN":["ok"],"A RUH S A BUR - MUN":["ok"]},"#,
        r#""ITALY":{"F WES - SPA/SC":["bounce"],"A BOH H":["ok"]}},"#,
        r#""units_after":{"AUSTRIA":["A VEN","A VIE"],"FRANCE":["A BUR","A MUN","A RUH","F MAO"],"ITALY":["A BOH","A KIE","F WES"]},"#,
        r#""dislodged":[{"unit":"A MUN","power":"GERMANY","from":"BUR","options":["BER","SIL"]}],"#,
        r#""contested":["SPA","TYR"],"centers_after":{"FRANCE":["PAR"]},"#,
        r#""next":{"id":"x","variant":"standard","parameters":{},"phase":"S1901R","map_events":[],"state":{},"#,
        r#""powers":{"AUSTRIA":{"units":["A VEN","A VIE"],"centers":[]},"#,
        r#""FRANCE":{"units":["A BUR","A MUN","A RUH","F MAO"],"centers":["PAR"]},"#,
        r#""GERMANY":{"units":[],"centers":[],"#,
        r#""retreats":[{"unit":"A MUN","from":"BUR","options":["BER","SIL"]}]},"#,
        r#""ITALY":{"units":["A BOH","A KIE","F WES"],"centers":[]}},"contested":["SPA","TYR"]}}"#,
        "\n"
    );
    assert_eq!(done.out, expected);
}

#[test]
fn every_result_word_of_a_movement() {
    let answer = one(json!({"id": 1, "phase": "S1901M",
        "powers": {"ENGLAND": {"units": ["A LON", "F NTH", "A WAL"]},
                   "FRANCE": {"units": ["F ENG", "F PIC", "A MAR", "A GAS"]},
                   "GERMANY": {"units": ["F SKA", "F HEL", "A MUN", "A RUH"]},
                   "ITALY": {"units": ["A PIE", "A BUR"]}},
        "orders": {"ENGLAND": ["A LON - HOL VIA", "F NTH C A LON - HOL", "A WAL - BRE VIA"],
                   "FRANCE": ["F PIC S F ENG - NTH", "A MAR S A GAS - BUR", "A GAS - BUR", "F ENG H"],
                   "GERMANY": ["F SKA - NTH", "F HEL S F SKA - NTH", "A MUN - SMY", "A RUH S A BUR - MUN"],
                   "ITALY": ["A PIE - MAR", "A BUR H"]}}));
    let results = &answer["results"];
    assert_eq!(results["ENGLAND"]["A LON - HOL VIA"], json!(["disrupted"]), "{answer}");
    assert_eq!(results["ENGLAND"]["A WAL - BRE VIA"], json!(["no convoy"]), "{answer}");
    assert_eq!(results["ENGLAND"]["F NTH C A LON - HOL"], json!(["disrupted", "dislodged"]), "{answer}");
    assert_eq!(results["FRANCE"]["A MAR S A GAS - BUR"], json!(["cut"]), "{answer}");
    assert_eq!(results["FRANCE"]["A GAS - BUR"], json!(["bounce"]), "{answer}");
    assert_eq!(results["GERMANY"]["A MUN - SMY"], json!(["illegal"]), "{answer}");
    assert_eq!(results["GERMANY"]["A RUH S A BUR - MUN"], json!(["void"]), "{answer}");
    assert_eq!(results["GERMANY"]["F SKA - NTH"], json!(["ok"]), "{answer}");
}

#[test]
fn the_same_order_twice_is_told_apart_and_the_first_counts() {
    let answer = one(json!({"id": 1, "phase": "S1901M", "powers": {"FRANCE": {"units": ["A PAR"]}},
        "orders": {"FRANCE": ["A PAR - BUR", "A PAR - BUR", "A PAR - GAS", "A PAR - BUR"]}}));
    let of_france = json!({"A PAR - BUR": ["ok"], "A PAR - BUR #2": ["illegal"], "A PAR - GAS": ["illegal"],
        "A PAR - BUR #3": ["illegal"]});
    assert_eq!(answer["results"]["FRANCE"], of_france);
    assert_eq!(answer["units_after"], json!({"FRANCE": ["A BUR"]}));
}

#[test]
fn what_is_not_legal_holds_and_says_so_even_when_dislodged() {
    let answer = one(json!({"id": 1, "phase": "S1901M",
        "powers": {"FRANCE": {"units": ["A PAR", "A BRE"]}, "GERMANY": {"units": ["A BUR", "A PIC"]}},
        "orders": {"FRANCE": ["A PAR - LON", "A BRE H", "A MAR H", "A BUR H", "sing a song", ""],
                   "GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"]}}));
    let of_france = json!({"A PAR - LON": ["illegal", "dislodged"], "A BRE H": ["ok"], "A MAR H": ["illegal"],
        "A BUR H": ["illegal"], "sing a song": ["illegal"], "": ["illegal"]});
    assert_eq!(answer["results"]["FRANCE"], of_france);
    assert_eq!(answer["dislodged"][0]["options"], json!(["GAS"]));
}

#[test]
fn reasons_are_given_when_asked_for() {
    let input = json!({"id": 1, "phase": "S1901M",
        "powers": {"FRANCE": {"units": ["A PAR"]}, "GERMANY": {"units": ["A MUN"]}},
        "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}});
    let done = run(&["adjudicate", "--reasons"], format!("{input}\n").as_bytes());
    let answer = &done.json_lines()[0];
    assert_eq!(answer["reasons"]["FRANCE"]["A PAR - BUR"], "bounce with A MUN");
    assert_eq!(one(input)["reasons"], Value::Null);
}

// ---- retreats ----

#[test]
fn retreats_go_by_where_the_attacker_came_from_and_how() {
    let request = |retreat: Value, rulebook: &str| {
        json!({"id": 1, "phase": "S1901R", "rulebook": rulebook, "contested": ["PIC"],
            "powers": {"FRANCE": {"units": ["A PAR"], "retreats": [retreat]}, "ENGLAND": {"units": ["A BEL"]}},
            "orders": {"FRANCE": ["A BEL R HOL", "A BEL D"]}})
    };
    let plain = json!({"unit": "A BEL", "from": "HOL"});
    let convoyed = json!({"unit": "A BEL", "from": "HOL", "via_convoy": true});
    let none = json!({"unit": "A BEL"});
    for (retreat, rulebook, word) in [
        (plain, "2023", "illegal"),
        (convoyed.clone(), "2023", "ok"),
        (convoyed, "1971", "illegal"),
        (none, "2023", "ok"),
    ] {
        let answer = one(request(retreat.clone(), rulebook));
        assert_eq!(answer["results"]["FRANCE"]["A BEL R HOL"], json!([word]), "{retreat} {rulebook}");
    }
}

#[test]
fn retreats_go_by_the_options_that_are_listed() {
    let answer = one(json!({"id": 1, "phase": "S1901R",
        "powers": {"FRANCE": {"units": [], "retreats": [{"unit": "F BUL/SC", "options": ["GRE"]},
                              {"unit": "A MUN", "options": ["BUR", "SIL"]}]}},
        "orders": {"FRANCE": ["F BUL/SC R AEG", "F BUL/SC R GRE", "A MUN R SIL"]}}));
    let of_france = json!({"F BUL/SC R AEG": ["illegal"], "F BUL/SC R GRE": ["ok"], "A MUN R SIL": ["ok"]});
    assert_eq!(answer["results"]["FRANCE"], of_france);
    assert_eq!(answer["units_after"], json!({"FRANCE": ["A SIL", "F GRE"]}));
}

#[test]
fn of_several_alike_the_second_has_its_number_and_two_to_one_place_are_lost() {
    let request = |second: &str| {
        json!({"id": 1, "phase": "S1901R",
            "powers": {"FRANCE": {"retreats": [{"unit": "A MUN", "from": "BUR"}, {"unit": "A MUN", "from": "BOH"}]}},
            "orders": {"FRANCE": ["A MUN R SIL", second]}})
    };
    let apart = one(request("A MUN#2 R BUR"));
    assert_eq!(apart["units_after"], json!({"FRANCE": ["A BUR", "A SIL"]}));
    let together = one(request("A MUN#2 R SIL"));
    assert_eq!(
        together["results"]["FRANCE"],
        json!({"A MUN R SIL": ["overlap"], "A MUN#2 R SIL": ["overlap"]})
    );
    assert_eq!(together["units_after"], json!({}));
}

#[test]
fn fall_retreats_take_centres() {
    let answer = one(json!({"id": 1, "phase": "F1901R",
        "powers": {"FRANCE": {"centers": ["PAR"], "retreats": [{"unit": "A BUR", "from": "PIC"}]},
                   "GERMANY": {"centers": ["BEL", "MUN"]}},
        "orders": {"FRANCE": ["A BUR R BEL"]}}));
    assert_eq!(answer["centers_after"], json!({"FRANCE": ["BEL", "PAR"], "GERMANY": ["MUN"]}));
}

// ---- adjustments ----

#[test]
fn builds_waives_and_what_is_too_much() {
    let answer = one(json!({"id": 1, "phase": "W1901A",
        "powers": {"RUSSIA": {"units": ["A MOS"], "centers": ["MOS", "STP", "WAR", "SWE"]}},
        "orders": {"RUSSIA": ["F STP B", "F STP/NC B", "A SWE B", "WAIVE", "A WAR B", "WAIVE"]}}));
    let of_russia = json!({"F STP B": ["illegal"], "F STP/NC B": ["ok"], "A SWE B": ["illegal"], "WAIVE": ["ok"],
        "A WAR B": ["ok"], "WAIVE #2": ["illegal"]});
    assert_eq!(answer["results"]["RUSSIA"], of_russia);
    assert_eq!(answer["units_after"], json!({"RUSSIA": ["A MOS", "A WAR", "F STP/NC"]}));
}

#[test]
fn removals_that_nobody_ordered_are_automatic_and_told() {
    let answer = one(json!({"id": 1, "phase": "W1901A",
        "powers": {"ITALY": {"units": ["A ROM", "F TUN", "A MOS"], "centers": ["ROM"]}},
        "orders": {"ITALY": ["A ROM D"]}}));
    assert_eq!(answer["results"]["ITALY"], json!({"A ROM D": ["ok"], "A MOS D": ["disband"]}));
    assert_eq!(answer["units_after"], json!({"ITALY": ["F TUN"]}));
}

// ---- the map and nature ----

#[test]
fn map_events_have_happened_before() {
    let answer = one(json!({"id": 1, "phase": "S1902M", "map_events": ["collapse MAR"],
        "powers": {"FRANCE": {"units": ["A BUR", "F GAS/WC"]}},
        "orders": {"FRANCE": ["A BUR - PIE", "F GAS/WC - LYO", "F GAS/WC - MAO"]}}));
    let of_france = json!({"A BUR - PIE": ["ok"], "F GAS/WC - LYO": ["illegal"], "F GAS/WC - MAO": ["ok"]});
    assert_eq!(answer["results"]["FRANCE"], of_france);
}

#[test]
fn nature_happens_in_the_phase_and_only_where_it_is_given() {
    let request = |nature: Value| {
        json!({"id": 1, "variant": "black-hole", "phase": "F1901M", "nature": nature,
            "powers": {"FRANCE": {"units": ["A MAR", "F GAS"], "centers": ["MAR", "PAR"]}}, "orders": {}})
    };
    let holed = one(request(json!(["collapse MAR"])));
    assert_eq!(holed["units_after"], json!({"FRANCE": ["F GAS/WC"]}));
    assert_eq!(holed["centers_after"], json!({"FRANCE": ["PAR"]}));
    let calm = one(request(json!([])));
    assert_eq!(calm["units_after"], json!({"FRANCE": ["A MAR", "F GAS"]}));
    assert_eq!(calm["centers_after"], json!({"FRANCE": ["MAR", "PAR"]}));
}

#[test]
fn a_foretold_hole_is_no_retreat_in_either_phase() {
    let movement =
        one(json!({"id": 1, "variant": "black-hole", "phase": "S1902M", "nature": ["collapse SIL"],
        "powers": {"GERMANY": {"units": ["A MUN"]}, "FRANCE": {"units": ["A BUR", "A RUH"]}},
        "orders": {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]}}));
    assert_eq!(movement["dislodged"][0]["options"], json!(["BER", "BOH", "KIE", "TYR"]));
    let retreats =
        one(json!({"id": 1, "variant": "black-hole", "phase": "S1902R", "nature": ["collapse SIL"],
        "powers": {"GERMANY": {"retreats": [{"unit": "A MUN", "from": "BUR"}]},
                   "FRANCE": {"units": ["A MUN", "A RUH", "A SIL"]}},
        "orders": {"GERMANY": ["A MUN R BOH"]}}));
    assert_eq!(retreats["units_after"], json!({"FRANCE": ["A MUN", "A RUH"], "GERMANY": ["A BOH"]}));
}

#[test]
fn coasts_are_chosen_with_the_orders_of_the_phase() {
    let request = |choice: &str| {
        json!({"id": 1, "variant": "black-hole", "phase": "S1903M", "map_events": ["collapse SER", "collapse ALB"],
            "nature": ["collapse BLA"], "powers": {"TURKEY": {"units": ["F BUL/EC"]}}, "orders": {"TURKEY": [choice]}})
    };
    for (choice, word, stands) in [
        ("F BUL COAST SC", "ok", "F BUL/SC"),
        ("F BUL COAST WC", "ok", "F BUL/WC"),
        ("F BUL COAST NC", "illegal", "F BUL/WC"),
    ] {
        let answer = one(request(choice));
        assert_eq!(answer["results"]["TURKEY"][choice], json!([word]), "{answer}");
        assert_eq!(answer["units_after"], json!({"TURKEY": [stands]}));
    }
}

#[test]
fn adjustments_are_simultaneous_whoever_comes_first_in_the_alphabet() {
    for (builder, remover, centre) in [("TURKEY", "AUSTRIA", "CON"), ("AUSTRIA", "TURKEY", "BUD")] {
        let build = format!("A {centre} B");
        let answer = one(json!({"id": 1, "phase": "W1903A",
            "powers": {builder: {"centers": [centre]}, remover: {"units": [format!("A {centre}")]}},
            "orders": {builder: [build.clone()], remover: [format!("A {centre} D")]}}));
        assert_eq!(answer["results"][builder][&build], json!(["illegal"]), "{answer}");
        assert_eq!(answer["units_after"], json!({}));
    }
}

#[test]
fn listed_retreats_decide_and_several_alike_go_by_their_number() {
    let retreat = |retreats: Value, orders: Value| {
        one(
            json!({"id": 1, "phase": "S1901R", "powers": {"FRANCE": {"units": ["A BEL"]}, "GERMANY": {"retreats": retreats}},
            "orders": {"GERMANY": orders}}),
        )
    };
    // As a movement answer lists it after a dislodgement by convoy: the attacker's start is among the options.
    let answer =
        retreat(json!([{"unit": "A HOL", "from": "KIE", "options": ["KIE", "RUH"]}]), json!(["A HOL R KIE"]));
    assert_eq!(answer["units_after"]["GERMANY"], json!(["A KIE"]));
    let answer = retreat(
        json!([{"unit": "A MUN#2", "options": ["BER"]}, {"unit": "A MUN", "options": ["KIE"]}]),
        json!(["A MUN R KIE", "A MUN#2 R BER"]),
    );
    assert_eq!(answer["units_after"]["GERMANY"], json!(["A BER", "A KIE"]));
    let answer = retreat(json!([{"unit": "A HOL", "from": "KIE"}]), json!([]));
    assert_eq!(answer["results"]["GERMANY"], json!({"A HOL D": ["disband"]}));
}

#[test]
fn rulebooks_read_via_and_coasts_their_way() {
    let word = |rulebook: Value, units: Value, order: &str, others: Value| {
        let mut orders: Vec<Value> = others.as_array().cloned().unwrap_or_default();
        orders.insert(0, json!(order));
        let answer = one(json!({"id": 1, "phase": "S1901M", "rulebook": rulebook,
            "powers": {"FRANCE": {"units": units}}, "orders": {"FRANCE": orders}}));
        answer["results"]["FRANCE"][order][0].clone()
    };
    let via = |rulebook: Value| word(rulebook, json!(["A PAR"]), "A PAR - BUR VIA", json!([]));
    assert_eq!(via(json!("2023")), "illegal");
    assert_eq!(via(json!("1971")), "ok");
    assert_eq!(via(json!({"base": "2023", "via_without_route": "walk"})), "ok");
    let support = |rulebook: Value| {
        word(rulebook, json!(["F WES", "F GAS"]), "F WES S F GAS - SPA/SC", json!(["F GAS - SPA/NC"]))
    };
    assert_eq!(support(json!("2023")), "illegal");
    assert_eq!(support(json!({"base": "2023", "support_coast": "ignore"})), "ok");
}

#[test]
fn what_is_drawn_and_what_is_exempt_must_fit_the_variant() {
    let error = |change: Value| {
        let mut request = json!({"id": 1, "variant": "black-hole", "phase": "S1901M",
            "powers": {"FRANCE": {"units": ["A PAR"]}}, "orders": {}});
        for (key, value) in change.as_object().expect("an object") {
            request[key] = value.clone();
        }
        let answer = raw(format!("{request}\n").as_bytes()).json_lines().remove(0);
        answer["error"].as_str().unwrap_or("answered").to_owned()
    };
    assert!(error(json!({"nature": ["collapse PAR", "collapse BUR"]})).contains("at most 1 can be drawn"));
    assert!(
        error(json!({"phase": "W1901A", "nature": ["collapse PAR"]}))
            .contains("draws no such event in this phase")
    );
    assert!(
        error(json!({"state": {"exempt": {"FRANCE": "LON"}}}))
            .contains("LON is not an existing home centre of FRANCE")
    );
    assert_eq!(error(json!({"state": {"swallowed": {}}})), "answered");
    assert_eq!(error(json!({"nature": ["collapse PAR"]})), "answered");
}

// ---- lines that are not requests ----

#[test]
fn every_bad_line_is_answered_by_its_number_and_the_rest_go_on() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let long = format!(
        r#"{{"id":"long","phase":"S1901M","powers":{{}},"orders":{{}},"x":"{}"}}"#,
        "y".repeat(3_000_000)
    );
    let bad: Vec<Vec<u8>> = vec![
        b"rubbish".to_vec(),
        b"\xff\xfe{\"id\":3}".to_vec(),
        b"{".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"{}".to_vec(),
        deep.into_bytes(),
        b"\x00\x01\x02".to_vec(),
        br#"{"id":1,"phase":"X1901M","powers":{},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","powers":{"SPAIN":{}},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","powers":{"FRANCE":{"units":["A LON/NC"]}},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","powers":{"FRANCE":{"units":["F BUL"]}},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","powers":{"FRANCE":{"units":["A ZZZ"]}},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","powers":{"FRANCE":{"centers":["BUR"]}},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","powers":{},"orders":{"FRANCE":"A PAR H"}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","variant":"nonesuch","powers":{},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","rulebook":"1066","powers":{},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","map_events":["collapse ZZZ"],"powers":{},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","map_events":["collapse MAR","collapse MAR"],"powers":{},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","nature":["collapse MAR"],"powers":{},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901M","variant":"black-hole","nature":["collapse SWI"],"powers":{},"orders":{}}"#.to_vec(),
        br#"{"id":1,"phase":"S1901E","powers":{},"orders":{}}"#.to_vec(),
    ];
    let mut input = Vec::new();
    for line in &bad {
        input.extend_from_slice(line);
        input.push(b'\n');
        input.extend_from_slice(FINE.as_bytes());
        input.extend_from_slice(b"\r\n");
    }
    input.extend_from_slice(long.as_bytes());
    let done = raw(&input);
    assert_eq!((done.code, done.error.as_str()), (1, ""));
    let answers = done.json_lines();
    assert_eq!(answers.len(), 2 * bad.len() + 1);
    for (i, answer) in answers.iter().enumerate().take(2 * bad.len()) {
        if i % 2 == 0 {
            assert_eq!(answer["line"], i + 1, "{answer}");
            let error = answer["error"].as_str().unwrap();
            assert!(error.starts_with(&format!("line {}: ", i + 1)) && !error.contains('\n'), "{error}");
            assert!(error.len() < 500, "{} characters", error.len());
        } else {
            assert_eq!(answer["id"], "fine");
            assert_eq!(answer["units_after"], json!({"FRANCE": ["A PAR"]}));
        }
    }
    assert_eq!(answers[2 * bad.len()]["id"], "long");
}

#[test]
fn an_empty_input_and_empty_lines_are_no_fault() {
    for input in ["", "\n\n", " \t \r\n"] {
        let done = raw(input.as_bytes());
        assert_eq!((done.code, done.out.as_str(), done.error.as_str()), (0, "", ""), "{input:?}");
    }
    let done = raw(format!("\n{FINE}\n\nrubbish\n").as_bytes());
    let answers = done.json_lines();
    assert_eq!((done.code, answers.len()), (1, 2));
    assert_eq!(answers[1]["line"], 4, "empty lines count");
}

#[test]
fn a_request_is_answered_whole_or_not_at_all() {
    let done = raw(br#"{"id":7,"phase":"S1901M","powers":{"FRANCE":{"units":["A PAR","A ZZZ"]}},"orders":{"FRANCE":["A PAR - BUR"]}}"#);
    let answer = &done.json_lines()[0];
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["line", "error", "id"]);
    assert_eq!(answer["id"], 7);
}

#[test]
fn files_are_read_in_order_and_one_that_is_missing_stops_all() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    for (name, id) in [("a", "first"), ("b", "second")] {
        std::fs::write(path(name), FINE.replace("fine", id)).unwrap();
    }
    let done = run(&["adjudicate", &path("a"), &path("b")], b"");
    let ids: Vec<Value> = done.json_lines().iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, ["first", "second"]);
    let done = run(&["adjudicate", &path("a"), &path("nonesuch")], b"");
    assert!(done.refusal().contains("cannot read"), "{}", done.error);
}

// ---- DATC ----

/// The request for a record of the test cases; the contested provinces come from the answer to the movement before.
fn request(record: &Value, contested: &BTreeMap<&str, Value>) -> Value {
    let mut powers = record["powers"].clone();
    for (_, power) in powers.as_object_mut().unwrap() {
        let retreats: Vec<Value> = power["retreats"]
            .as_object()
            .unwrap()
            .keys()
            .map(|unit| {
                let by = &record["context"]["dislodged_by"][unit];
                let from = by["from"].as_str().unwrap()[2..].split('/').next().unwrap();
                json!({"unit": unit, "from": from, "via_convoy": by["via_convoy"]})
            })
            .collect();
        power["retreats"] = retreats.into();
    }
    let contested = record["prev"].as_str().map_or(json!([]), |before| contested[before].clone());
    json!({"id": record["id"], "phase": record["phase"], "powers": powers, "contested": contested,
        "orders": record["orders"]})
}

#[test]
fn every_case_of_the_adjudicator_test_cases_leaves_the_units_it_should() {
    let text = include_str!("../../tests/data/datc/datc_3_2.jsonl");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 193);
    let (retreats, others): (Vec<&Value>, Vec<&Value>) = records.iter().partition(|r| r["prev"].is_string());
    let requests: Vec<Value> = others.iter().map(|record| request(record, &BTreeMap::new())).collect();
    let mut answers = adjudicate(&requests);
    let contested = |answer: &Value| answer["contested"].clone();
    let contested: BTreeMap<&str, Value> = others
        .iter()
        .zip(&answers)
        .map(|(r, answer)| (r["id"].as_str().unwrap(), contested(answer)))
        .collect();
    for record in &retreats {
        // The record of 6.H.9 contradicts its own title: it says that the attacker's province is contested.
        if record["datc"] != "6.H.9" {
            assert_eq!(
                contested[record["prev"].as_str().unwrap()],
                record["context"]["contested"],
                "{record}"
            );
        }
    }
    let requests: Vec<Value> = retreats.iter().map(|record| request(record, &contested)).collect();
    answers.extend(adjudicate(&requests));
    let records: Vec<&Value> = others.into_iter().chain(retreats).collect();
    let mut faults = Vec::new();
    for (record, answer) in records.iter().zip(answers) {
        assert_eq!(record["id"], answer["id"]);
        let mut wanted = record["expected"]["units_after"].clone();
        wanted.as_object_mut().unwrap().retain(|_, units| !units.as_array().unwrap().is_empty());
        if wanted != answer["units_after"] {
            faults.push(format!("{}: {} instead of {wanted}", record["id"], answer["units_after"]));
        }
        let dislodged: Vec<String> = record["expected"]["dislodged"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|units| units.as_object().unwrap().keys().cloned())
            .collect();
        let mut told: Vec<String> = answer["dislodged"]
            .as_array()
            .unwrap()
            .iter()
            .map(|d| d["unit"].as_str().unwrap().to_owned())
            .collect();
        let mut wanted = dislodged;
        wanted.sort();
        told.sort();
        if wanted != told {
            faults.push(format!("{}: {told:?} are dislodged instead of {wanted:?}", record["id"]));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_a_hole_has_swallowed_is_in_the_answer_as_a_request_takes_it() {
    let request = |phase: &str, events: &str, nature: &str, state: &str, powers: &str, orders: &str| {
        format!(
            r#"{{"id":1,"variant":"double-reversible","phase":"{phase}","map_events":{events},"nature":{nature},"state":{state},"powers":{powers},"orders":{orders}}}"#
        )
    };
    let powers = r#"{"FRANCE":{"units":["F MAO","A GAS"]}}"#;
    let orders = r#"{"FRANCE":["F MAO - SPA/NC","A GAS - SPA"]}"#;
    let gone =
        run(&["adjudicate"], request("S1903M", "[]", r#"["collapse SPA"]"#, "{}", powers, orders).as_bytes());
    let state = gone.json_lines()[0]["state"].clone();
    assert_eq!(state, json!({"swallowed": {"FRANCE": ["A SPA", "F SPA/NC"]}}), "{}", gone.out);
    let back = request("F1903M", r#"["collapse SPA"]"#, r#"["restore SPA"]"#, &state.to_string(), "{}", "{}");
    let back = run(&["adjudicate"], back.as_bytes());
    let answer = &back.json_lines()[0];
    assert_eq!(answer.get("state"), None, "nothing is gone any more");
    let units: Vec<&Value> =
        answer["dislodged"].as_array().unwrap().iter().map(|unit| &unit["unit"]).collect();
    assert_eq!(units, ["A SPA", "F SPA/NC"]);
}

#[test]
fn of_several_alike_the_one_that_is_lost_is_named_by_its_number() {
    let request = |orders: Value| {
        json!({"id": 1, "variant": "double-reversible", "phase": "F1903R", "orders": {"GERMANY": orders},
            "powers": {"GERMANY": {"retreats": [{"unit": "A MUN", "from": null}, {"unit": "A MUN#2", "from": null}]}}})
    };
    let results = |orders: Value| one(request(orders))["results"]["GERMANY"].clone();
    assert_eq!(results(json!(["A MUN R TYR"])), json!({"A MUN R TYR": ["ok"], "A MUN#2 D": ["disband"]}));
    assert_eq!(results(json!(["A MUN#2 R TYR"])), json!({"A MUN#2 R TYR": ["ok"], "A MUN D": ["disband"]}));
    assert_eq!(results(json!([])), json!({"A MUN D": ["disband"], "A MUN#2 D": ["disband"]}));
}

#[test]
fn a_line_that_is_no_object_is_told_so() {
    for line in ["[]", "7", "null"] {
        let done = raw(line.as_bytes());
        assert!(
            done.json_lines()[0]["error"].as_str().unwrap().contains("a line holds a JSON object"),
            "{line}"
        );
    }
}

// ---- limits ----

#[test]
fn an_id_comes_back_as_it_was_written() {
    for id in [
        "18446744073709551616",
        "-9223372036854775809",
        "1.50",
        "1E400",
        r#""\u00e9""#,
        r#"{"a": [1.0, null]}"#,
    ] {
        let request = FINE.replace(r#""fine""#, id);
        let done = raw(request.as_bytes());
        assert!(done.out.starts_with(&format!(r#"{{"id":{id},"phase""#)), "{}", done.out);
        assert!(done.out.contains(&format!(r#""next":{{"id":{id},"#)), "{}", done.out);
        let refused = raw(request.replace("S1901M", "S1901X").as_bytes());
        assert!(refused.out.ends_with(&format!(",\"id\":{id}}}\n")), "{}", refused.out);
    }
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_is_answered() {
    let whole = |padding: usize| format!("{}{FINE}", " ".repeat(padding));
    let longest = format!(r#"{{"note": "{}", {}"#, "x".repeat((1 << 22) - FINE.len() - 12), &FINE[1..]);
    assert_eq!(longest.len(), 1 << 22);
    let longer = longest.replacen("xx", "xxx", 1);
    let input = format!("{longer}\n{longest}\r\n{}\n{}\n{FINE}", "\0".repeat(5 << 20), whole(1 << 23));
    let answers = raw(input.as_bytes()).json_lines();
    let errors: Vec<Option<&str>> = answers.iter().map(|answer| answer["error"].as_str()).collect();
    let too_long = |line: u64| format!("line {line}: not a request: longer than 4194304 bytes");
    assert_eq!(errors, [Some(&*too_long(1)), None, Some(&*too_long(3)), Some(&*too_long(4)), None]);
}

#[test]
fn a_request_with_more_than_a_game_can_bring_about_is_refused() {
    let refused = |key: &str, request: Value, found: u64, most: u64| {
        let done = raw(request.to_string().as_bytes());
        let error = format!("line 1: `{key}`: {found} entries; at most {most} are allowed");
        assert_eq!((done.code, &done.json_lines()[0]["error"]), (1, &json!(error)));
    };
    let many = |text: &'static str, n: usize| vec![text; n];
    let request = |france: Value, orders: Value| json!({"id": 1, "phase": "S1901M", "powers": {"FRANCE": france}, "orders": {"FRANCE": orders}});
    let paris = json!({"units": ["A PAR"]});
    refused("orders.FRANCE", request(paris.clone(), json!(many("A PAR H", 100_001))), 100_001, 100_000);
    refused("powers.FRANCE.units", request(json!({"units": many("A PAR", 1002)}), json!([])), 1002, 1000);
    refused("powers.FRANCE.centers", request(json!({"centers": many("PAR", 1003)}), json!([])), 1003, 1000);
    let answer = one(request(paris, json!(many("A PAR H", 100_000))));
    assert_eq!(answer["results"]["FRANCE"]["A PAR H #100000"], json!(["illegal"]));
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let named = |n: usize| FINE.replace(r#""fine""#, &deep(n));
    let noted = FINE.replace(r#"{"id""#, &format!(r#"{{"note":{},"id""#, deep(1000)));
    for text in ["[".repeat(100_000), named(127), noted] {
        let done = raw(text.as_bytes());
        assert_eq!(done.code, 1);
        assert!(done.out.contains("line 1: not a request: nested deeper than 127"), "{}", done.out);
    }
    assert_eq!(raw(named(126).as_bytes()).code, 0);
    // Brackets in a text are text.
    assert_eq!(raw(FINE.replace("fine", &r#"\"[{"#.repeat(200)).as_bytes()).code, 0);
}

/// A folder `served` with a variant on a board of its own, and the same files beside it.
fn two_folders() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let board = fs::read_to_string(testkit::path("maps/standard.json")).unwrap();
    for folder in ["served", "private"] {
        let folder = dir.path().join(folder);
        fs::create_dir(&folder).unwrap();
        let variant = Variant::shipped_text("standard").unwrap();
        assert!(variant.contains("map = \"standard\""));
        for (file, map) in [("mine", "board.json"), ("beside", "../private/board.json")] {
            let text = variant
                .replace("id = \"standard\"", "id = \"mine\"")
                .replace("map = \"standard\"", &format!("map = {map:?}"));
            fs::write(folder.join(format!("{file}.toml")), text).unwrap();
        }
        fs::write(folder.join("board.json"), &board).unwrap();
    }
    dir
}

/// A request names files of the working folder, or of the folder of `--variants`, and below; nothing else is opened.
#[test]
fn a_request_names_no_file_outside_of_the_folder_that_is_served() {
    let dir = two_folders();
    let answered = |flags: &[&str], folder: &str, variant: &str| {
        let request = FINE.replacen('{', &format!("{{\"variant\":{variant:?},"), 1);
        let done = run_in(&dir.path().join(folder), &[&["adjudicate"], flags].concat(), request.as_bytes());
        let line = done.json();
        match line["error"].as_str() {
            None => Ok(line["next"]["variant"].as_str().unwrap().to_owned()),
            Some(error) => Err(error.to_owned()),
        }
    };
    let outside = |found: Result<String, String>| {
        let error = found.unwrap_err();
        assert!(error.contains("a request may only name files in it"), "{error}");
    };
    let private = dir.path().join("private/mine.toml").display().to_string();
    let served = dir.path().join("served/mine.toml").display().to_string();
    // Without the flag: the working folder and below.
    assert_eq!(answered(&[], "served", "mine.toml").unwrap(), "mine.toml");
    assert_eq!(answered(&[], ".", "served/mine.toml").unwrap(), "served/mine.toml");
    assert_eq!(answered(&[], "served", &served).unwrap(), served);
    assert_eq!(answered(&[], ".", "served/beside.toml").unwrap(), "served/beside.toml");
    outside(answered(&[], "served", "../private/mine.toml"));
    outside(answered(&[], "served", &private));
    outside(answered(&[], "served", "/etc/passwd"));
    // Neither may the map of a variant file.
    outside(answered(&[], "served", "beside.toml"));
    for bounds in [&[][..], &["--request-ms", "60000"]] {
        let of_served = |flag: &str, folder: &str, variant: &str| {
            answered(&[&["--variants", flag], bounds].concat(), folder, variant)
        };
        assert_eq!(of_served("served", ".", "mine.toml").unwrap(), "mine.toml");
        assert_eq!(of_served("served", ".", "served/mine.toml").unwrap(), "served/mine.toml");
        assert_eq!(of_served("../served", "private", "mine.toml").unwrap(), "mine.toml");
        let absent = of_served("served", ".", "private/mine.toml").unwrap_err();
        assert!(
            absent.contains("cannot read `private/mine.toml`"),
            "it is looked for below the folder: {absent}"
        );
        outside(of_served("../served", "private", &private));
        assert_eq!(of_served("served", ".", "standard").unwrap(), "standard");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&private, dir.path().join("served/link.toml")).unwrap();
        outside(answered(&[], "served", "link.toml"));
    }
    // What there is elsewhere is not told.
    outside(answered(&[], "served", "../none/none.toml"));
}

/// A request of four megabytes, all orders.
fn large() -> String {
    let orders = vec!["A PAR S A MUN - BUR"; 25_000];
    let orders: BTreeMap<&str, Value> =
        ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
            .into_iter()
            .map(|power| (power, json!(orders)))
            .collect();
    json!({"id": "large", "phase": "S1901M", "powers": {}, "orders": orders}).to_string()
}

/// With a bound, a request that exceeds it is refused, and the lines after it are answered as without bounds.
#[test]
fn a_request_beyond_its_bounds_is_refused_and_the_next_is_answered() {
    let input = format!("{FINE}\n{}\n{FINE}\nnonsense\n", large());
    let done = run(&["adjudicate"], input.as_bytes());
    let unbounded: Vec<&str> = done.out.lines().collect();
    let bounded = |flags: &[&str]| {
        let done = run(&[&["adjudicate"], flags].concat(), input.as_bytes());
        assert_eq!((done.code, done.error.as_str()), (1, ""));
        done.out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(bounded(&["--request-ms", "600000"]), unbounded);
    assert_eq!(bounded(&["--request-mb", "4096"]), unbounded);
    let late = bounded(&["--request-ms", "1"]);
    let refused: Value = serde_json::from_str(&late[1]).unwrap();
    assert_eq!(refused["error"], "line 2: the request took more than 1 ms (`--request-ms`)");
    assert_eq!((&refused["id"], &refused["line"], late.len()), (&json!("large"), &json!(2), 4));
    if cfg!(target_os = "linux") {
        let small = bounded(&["--request-mb", "64"]);
        let refused: Value = serde_json::from_str(&small[1]).unwrap();
        assert_eq!(refused["error"], "line 2: the request needs more than 64 MB of memory (`--request-mb`)");
        assert_eq!([&small[0], &small[2], &small[3]], [unbounded[0], unbounded[2], unbounded[3]]);
    }
}
