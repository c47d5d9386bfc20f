//! `upheaval adjudicate` as a referee: the examples of its page, one of them a whole game, and the adjudicator test
//! cases.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::run;
use serde_json::{Value, json};

fn adjudicate(requests: &[Value]) -> Vec<Value> {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let done = run(&["adjudicate"], input.as_bytes());
    assert_eq!((done.code, done.error.as_str()), (0, ""), "{}", done.out);
    let answers = done.json_lines();
    assert_eq!(answers.len(), requests.len());
    answers
}

/// JSON in the layout of the page: on one line if it fits, otherwise its parts on lines of their own.
fn lay_out(value: &Value, indent: usize, into: &mut String) {
    let whole = spaced(value);
    let (open, close, parts): (char, char, Vec<(String, &Value)>) = match value {
        _ if into.len() - into.rfind('\n').map_or(0, |at| at + 1) + whole.len() <= 115 => {
            return into.push_str(&whole);
        }
        Value::Object(map) => {
            let key = |key: &String| format!("{}: ", Value::from(key.as_str()));
            ('{', '}', map.iter().map(|(k, value)| (key(k), value)).collect())
        }
        Value::Array(list) => ('[', ']', list.iter().map(|value| (String::new(), value)).collect()),
        _ => return into.push_str(&whole),
    };
    into.push(open);
    for (i, (key, value)) in parts.into_iter().enumerate() {
        if i > 0 {
            into.push(',');
        }
        into.push_str(&format!("\n{}{key}", " ".repeat(indent + 1)));
        lay_out(value, indent + 1, into);
    }
    into.push(close);
}

/// JSON on a line, with spaces between its parts.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entry =
                |(key, value): (&String, &Value)| format!("{}: {}", Value::from(key.as_str()), spaced(value));
            format!("{{{}}}", map.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// The page with the answers of the program. The first of the blocks of JSON is a request, and so is the third, with
/// which a game begins; each is followed by its answer, and then come the orders of the next phase. Also the kinds of
/// phase that are answered.
fn page_as_answered(page: &str) -> (String, BTreeSet<String>) {
    let mut kinds = BTreeSet::new();
    let mut parts = page.split("```json\n");
    let mut text = parts.next().expect("a beginning").to_owned();
    let mut next = Value::Null;
    for (i, part) in parts.enumerate() {
        let (block, rest) = part.split_once("\n```").expect("an end of the block");
        text.push_str("```json\n");
        if i % 2 == 1 {
            let answer = adjudicate(&[std::mem::take(&mut next)]).remove(0);
            lay_out(&answer, 0, &mut text);
            next = answer["next"].clone();
            kinds.insert(answer["phase"].as_str().unwrap()[5..].to_owned());
        } else {
            let given: Value = serde_json::from_str(block).unwrap_or_else(|error| panic!("{error}: {block}"));
            match i {
                0 | 2 => next = given,
                _ => {
                    assert!(!next.is_null(), "the game is over before {block}");
                    next["orders"] = given;
                }
            }
            text.push_str(block);
        }
        text.push_str("\n```");
        text.push_str(rest);
    }
    assert!(next.is_null(), "the game of the page is not over: {next}");
    (text, kinds)
}

/// The examples of the page, one of them a whole game. `UPDATE_EXPECT=1` writes its answers again.
#[test]
fn the_examples_of_the_page_are_answered_as_the_page_says() {
    let page = "docs/adjudicate.md";
    let (expected, kinds) = page_as_answered(&testkit::read(page));
    expect_test::expect_file![testkit::path(page)].assert_eq(&expected);
    assert_eq!(kinds, ["A", "M", "R"].map(str::to_owned).into(), "phases of each kind are answered");
}

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
    for (record, answer) in records.iter().zip(answers) {
        assert_eq!(record["id"], answer["id"]);
        let mut wanted = record["expected"]["units_after"].clone();
        wanted.as_object_mut().unwrap().retain(|_, units| !units.as_array().unwrap().is_empty());
        assert_eq!(answer["units_after"], wanted, "{}", record["id"]);
        let dislodged = record["expected"]["dislodged"].as_object().unwrap().values();
        let mut wanted: Vec<&String> =
            dislodged.flat_map(|units| units.as_object().unwrap().keys()).collect();
        let told = answer["dislodged"].as_array().unwrap().iter();
        let mut told: Vec<&str> = told.map(|dislodged| dislodged["unit"].as_str().unwrap()).collect();
        wanted.sort();
        told.sort();
        assert_eq!(told, wanted, "{}", record["id"]);
    }
}
