//! The differences between two experiments, path by path, in readable form: `games: 700 → 1400`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The longest value that is shown, in characters.
const LONGEST: usize = 60;

/// The most differences that are listed; the rest is only counted.
const MOST: usize = 8;

/// Every difference between two texts of `experiment.resolved.json`, in the order of their keys. `None` if one of them
/// is not such a text.
pub(crate) fn differences(old: &str, new: &str) -> Option<Vec<String>> {
    let (old, new): (Value, Value) = (serde_json::from_str(old).ok()?, serde_json::from_str(new).ok()?);
    let mut found = Vec::new();
    compare("", &old, &new, &mut found);
    Some(found)
}

/// The same on one line; if there are many, only the first of them.
pub(crate) fn in_a_line(old: &str, new: &str) -> String {
    let Some(all) = differences(old, new) else {
        return "it was left by another version of this program".to_owned();
    };
    let rest = all.len().saturating_sub(MOST);
    let mut told = all.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join("; ");
    if rest > 0 {
        told.push_str(&format!("; and {rest} more"));
    }
    told
}

fn compare(path: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            keys.into_iter().for_each(|key| pair(&below(key), a.get(key), b.get(key), found));
        }
        (Value::Array(a), Value::Array(b)) => match (named(a), named(b)) {
            (Some(left), Some(right)) => {
                let names: BTreeSet<&str> = left.keys().chain(right.keys()).map(String::as_str).collect();
                let before = found.len();
                for name in names {
                    pair(&format!("{path}[{name}]"), left.get(name), right.get(name), found);
                }
                if found.len() == before {
                    let order =
                        |items: &Map<String, Value>| items.keys().cloned().collect::<Vec<_>>().join(", ");
                    found.push(format!("{path}: in the order {} → {}", order(&left), order(&right)));
                }
            }
            _ if a.len() == b.len() && a.iter().chain(b).any(|item| item.is_array() || item.is_object()) => {
                let pairs = a.iter().zip(b).enumerate();
                pairs.for_each(|(i, (a, b))| compare(&format!("{path}[{i}]"), a, b, found));
            }
            _ => found.push(format!("{path}: {} → {}", shown(old), shown(new))),
        },
        _ => found.push(format!("{path}: {} → {}", shown(old), shown(new))),
    }
}

fn pair(path: &str, old: Option<&Value>, new: Option<&Value>, found: &mut Vec<String>) {
    match (old, new) {
        (Some(old), Some(new)) => compare(path, old, new, found),
        (Some(old), None) => found.push(format!("{path}: {} → nothing", shown(old))),
        (None, Some(new)) => found.push(format!("{path}: nothing → {}", shown(new))),
        (None, None) => {}
    }
}

/// The items of a list by their names, if each has a name of its own.
fn named(items: &[Value]) -> Option<Map<String, Value>> {
    let mut by_name = Map::new();
    for item in items {
        let name = ["id", "name", "kind"].iter().find_map(|key| item.get(key)?.as_str())?;
        if by_name.insert(name.to_owned(), item.clone()).is_some() {
            return None;
        }
    }
    Some(by_name)
}

/// A short form of a value.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Object(entries) if entries.len() > 3 => format!("{{{} keys}}", entries.len()),
        other => other.to_string(),
    };
    match text.chars().count() {
        n if n <= LONGEST => text,
        _ => text.chars().take(LONGEST).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(old: &Value, new: &Value) -> Vec<String> {
        differences(&old.to_string(), &new.to_string()).unwrap()
    }

    #[test]
    fn differences_are_told_path_by_path() {
        let old = serde_json::json!({
            "games": 700,
            "seed": 1,
            "seats": { "lineup": ["a", "b"] },
            "variants": [
                { "id": "x", "content": { "mechanisms": [{ "kind": "holes", "per_season": 1 }], "units": [["A"], ["B"]] } },
                { "id": "y", "content": 1 },
            ],
        });
        let mut new = old.clone();
        new["games"] = 1400.into();
        new["seats"]["lineup"][1] = "c".into();
        new["variants"][0]["content"]["mechanisms"][0]["per_season"] = 2.into();
        new["variants"][0]["content"]["units"][1] = serde_json::json!(["C"]);
        new["variants"][1]["id"] = "z".into();
        new["log"] = true.into();
        let expected = [
            "games: 700 → 1400",
            "log: nothing → true",
            "seats.lineup: [\"a\",\"b\"] → [\"a\",\"c\"]",
            "variants[x].content.mechanisms[holes].per_season: 1 → 2",
            "variants[x].content.units[1]: [\"B\"] → [\"C\"]",
            "variants[y]: {\"id\":\"y\",\"content\":1} → nothing",
            "variants[z]: nothing → {\"id\":\"z\",\"content\":1}",
        ];
        assert_eq!(told(&old, &new), expected);
        assert!(told(&old, &old).is_empty());
        let mut turned = old.clone();
        turned["variants"].as_array_mut().unwrap().reverse();
        assert_eq!(told(&old, &turned), ["variants: in the order x, y → y, x"]);
    }

    #[test]
    fn a_line_is_not_endless() {
        let many = |from: u32| {
            let entries: Map<String, Value> =
                (0..30).map(|i| (format!("k{i:02}"), (i + from).into())).collect();
            Value::Object(entries).to_string()
        };
        let line = in_a_line(&many(0), &many(1));
        assert!(line.starts_with("k00: 0 → 1; k01") && line.ends_with("; and 22 more"), "{line}");
        let long = "x".repeat(500);
        let told = told(&Value::from(long), &Value::from("y"));
        assert!(told[0].chars().count() < 80, "{told:?}");
        assert_eq!(in_a_line("", "{}"), "it was left by another version of this program");
    }
}
