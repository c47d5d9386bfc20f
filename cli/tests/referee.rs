//! `upheaval adjudicate` as a referee: the examples of its page, one of them a whole game, and a game line by line.

use std::io::{BufRead, BufReader, Write};

use crate::program::run;
use serde_json::{Value, json};

fn one(request: &Value) -> Value {
    let done = run(&["adjudicate"], format!("{request}\n").as_bytes());
    assert_eq!((done.code, done.error.as_str()), (0, ""), "{}", done.out);
    done.json_lines().remove(0)
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
/// which a game begins; each is followed by its answer, and then come the orders of the next phase.
fn page_as_answered(page: &str) -> String {
    let mut parts = page.split("```json\n");
    let mut text = parts.next().expect("a beginning").to_owned();
    let mut next = Value::Null;
    for (i, part) in parts.enumerate() {
        let (block, rest) = part.split_once("\n```").expect("an end of the block");
        text.push_str("```json\n");
        if i % 2 == 1 {
            let answer = one(&std::mem::take(&mut next));
            lay_out(&answer, 0, &mut text);
            next = answer["next"].clone();
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
    text
}

/// A program may wait for each answer before its next request, as a gamemaster does.
#[test]
fn each_line_is_answered_before_the_next_is_asked() {
    let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin("upheaval"))
        .arg("adjudicate")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut ask = program.stdin.take().unwrap();
    let mut answers = BufReader::new(program.stdout.take().unwrap()).lines();
    let mut request = json!({"id": 1, "variant": "deluge-ii", "phase": "W1900A", "nature": {"seed": 1},
        "powers": {"FRANCE": {"centers": ["PAR", "MAR", "BRE"]}, "TURKEY": {"centers": ["ANK", "CON", "SMY"]}}});
    let mut phases = Vec::new();
    let ending = loop {
        request["orders"] = match request["phase"].as_str() {
            Some("W1900A") => json!({"FRANCE": ["A PAR B", "F MAR B"], "TURKEY": ["A ANK B"]}),
            _ => json!({}),
        };
        writeln!(ask, "{request}").unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        phases.push(answer["phase"].as_str().unwrap().to_owned());
        match answer.get("next") {
            Some(next) => request = next.clone(),
            None => break answer["ending"].clone(),
        }
    };
    drop(ask);
    assert!(answers.next().is_none() && program.wait().unwrap().success());
    assert_eq!(phases.len() % 3, 1, "three phases a year, and the Winter before the first: {phases:?}");
    assert_eq!(ending["places"].as_object().map(serde_json::Map::len), Some(7));
}

/// The examples of the page, one of them a whole game. `UPDATE_EXPECT=1` writes its answers again.
#[test]
fn the_examples_of_the_page_are_answered_as_the_page_says() {
    let page = testkit::read("docs/adjudicate.md");
    let expected = page_as_answered(&page);
    if testkit::updates() && page != expected {
        std::fs::write(testkit::path("docs/adjudicate.md"), &expected).unwrap();
        return;
    }
    for (page, program) in page.lines().zip(expected.lines()) {
        assert_eq!(page, program);
    }
    assert_eq!(page, expected);
    for kind in ['M', 'R', 'A'] {
        assert!(page.contains(&format!("1901{kind}\"")), "no phase of this kind: {kind}");
    }
}
