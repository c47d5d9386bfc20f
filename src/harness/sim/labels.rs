//! The display names of arms: only the differences between them (`holes 2 · void`).
//!
//! Ids are used in folders, tables and flags; they are complete and long. A label has a part for the variant if there
//! are arms of several, and one for each parameter whose values differ among the arms of that variant:
//!
//! - a word is shown alone (`void`), as long as no other parameter of the variant has the same value and it is not a
//!   word like `yes` that answers a question;
//! - everything else is preceded by the parameter's name: the last part of its key (`archipelagos 3`), with spaces for
//!   underscores; for the `count` of a change of the map the id of that change (`changes.holes.count` is `holes 2`); if
//!   two parameters would have the same name, the whole key, without the `changes` of a change.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::resolved::Arm;

/// The separator between two parts of a label.
const JOINT: &str = " · ";

/// Words that are meaningless without the question.
const ANSWERS: [&str; 9] = ["yes", "no", "none", "any", "all", "both", "unlimited", "on", "off"];

/// The longest list or table that is shown in a label; longer ones are shown by their index.
const LONGEST: usize = 24;

/// The labels of the arms of a run.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Labels {
    /// The id of each arm, and its label.
    arms: Vec<(String, String)>,
}

/// Arms of one variant that differ in parameters: the result of its sweeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweptVariant {
    /// The variant.
    pub base: String,
    /// The parameters in which its arms differ, in the order of the sweeps.
    pub parameters: Vec<SweptParameter>,
    /// Its arms by id, each with the index of its value of each parameter.
    pub arms: Vec<(String, Vec<usize>)>,
}

/// A parameter in which arms differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweptParameter {
    /// Its key.
    pub key: String,
    /// Its display name.
    pub name: String,
    /// Its values, in the order in which arms have them.
    pub values: Vec<String>,
    /// As parts of labels.
    parts: Vec<String>,
}

impl Labels {
    /// The labels of these arms.
    pub fn of(arms: &[Arm]) -> Labels {
        let variants = sweeps(arms);
        let base = |arm: &Arm| arm.base.clone().unwrap_or_else(|| arm.id.clone());
        let several = arms.iter().any(|arm| base(arm) != base(&arms[0]));
        let label = |arm: &Arm| {
            let mut parts = Vec::new();
            let of = variants.iter().find_map(|v| Some((v, v.arms.iter().find(|(id, _)| *id == arm.id)?)));
            if several || of.is_none() {
                parts.push(base(arm));
            }
            if let Some((variant, (_, places))) = of {
                parts.extend(variant.parameters.iter().zip(places).map(|(p, &place)| p.parts[place].clone()));
            }
            (arm.id.clone(), parts.join(JOINT))
        };
        let mut arms: Vec<(String, String)> = arms.iter().map(label).collect();
        // Two arms of one name would be worse than long names.
        let distinct: BTreeSet<&String> = arms.iter().map(|(_, label)| label).collect();
        if distinct.len() < arms.len() {
            arms.iter_mut().for_each(|(id, label)| label.clone_from(id));
        }
        Labels { arms }
    }

    /// The label of an arm; its id, if it is not one of these arms.
    pub fn label<'a>(&'a self, id: &'a str) -> &'a str {
        self.arms.iter().find(|(known, _)| known == id).map_or(id, |(_, label)| label)
    }

    /// All labels, in the order of the arms.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.arms.iter().map(|(_, label)| label.as_str())
    }
}

/// The variants from which several of these arms were made, with the differences between those.
pub fn sweeps(arms: &[Arm]) -> Vec<SweptVariant> {
    let mut bases: Vec<&str> = Vec::new();
    for base in arms.iter().filter_map(|arm| arm.base.as_deref()) {
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
    bases.into_iter().filter_map(|base| swept(base, arms)).collect()
}

fn swept(base: &str, arms: &[Arm]) -> Option<SweptVariant> {
    let arms: Vec<(&str, &Map<String, Value>)> = arms
        .iter()
        .filter(|arm| arm.base.as_deref() == Some(base))
        .filter_map(|arm| Some((arm.id.as_str(), arm.parameters.as_ref()?)))
        .collect();
    let keys: Vec<&String> = arms.first()?.1.keys().collect();
    let values = |key: &String| {
        let mut values: Vec<&Value> = Vec::new();
        for value in arms.iter().filter_map(|(_, set)| set.get(key)) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    };
    let mut varying: Vec<(&String, Vec<&Value>)> =
        keys.into_iter().map(|key| (key, values(key))).filter(|(_, values)| values.len() > 1).collect();
    if varying.is_empty() {
        return None;
    }
    // In the order of the sweeps, of which the first changes slowest; a canonical form has its keys in alphabetical
    // order.
    let changes =
        |key: &String| arms.windows(2).filter(|pair| pair[0].1.get(key) != pair[1].1.get(key)).count();
    varying.sort_by_key(|(key, _)| changes(key));
    let short = |key: &str| {
        let mut parts = key.rsplit('.');
        match (parts.next(), parts.next()) {
            (Some("count"), Some(id)) => id.to_owned(),
            (last, _) => last.unwrap_or(key).replace('_', " "),
        }
    };
    let name = |key: &str| {
        let is_own = varying.iter().all(|(other, _)| other.as_str() == key || short(other) != short(key));
        if is_own { short(key) } else { key.trim_start_matches("changes.").replace(['.', '_'], " ") }
    };
    let speaks = |key: &str, word: &str| {
        word.starts_with(char::is_alphabetic)
            && !ANSWERS.contains(&word)
            && varying.iter().all(|(other, values)| {
                other.as_str() == key || values.iter().all(|value| value.as_str() != Some(word))
            })
    };
    let parameters = varying.iter().map(|(key, values)| {
        let words: Vec<String> = values.iter().enumerate().map(|(place, value)| word(value, place)).collect();
        let parts = values.iter().zip(&words).map(|(value, word)| match value {
            Value::String(text) if speaks(key, text) => text.clone(),
            _ => format!("{} {word}", name(key)),
        });
        SweptParameter { key: (*key).clone(), name: name(key), parts: parts.collect(), values: words }
    });
    let places = |set: &Map<String, Value>| -> Option<Vec<usize>> {
        varying
            .iter()
            .map(|(key, values)| values.iter().position(|value| Some(*value) == set.get(*key)))
            .collect()
    };
    Some(SweptVariant {
        base: base.to_owned(),
        parameters: parameters.collect(),
        arms: arms.iter().filter_map(|(id, set)| Some(((*id).to_owned(), places(set)?))).collect(),
    })
}

/// A short form of a value.
fn word(value: &Value, place: usize) -> String {
    match value {
        Value::String(text) if text.chars().count() <= LONGEST => text.clone(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::Array(values) if values.iter().all(Value::is_string) => {
            let text = values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
            if !text.is_empty() && text.chars().count() <= LONGEST { text } else { numbered(place) }
        }
        _ => numbered(place),
    }
}

/// A value without a short form is shown by its index among the values.
fn numbered(place: usize) -> String {
    format!("#{}", place + 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arm(base: &str, parameters: Value) -> Arm {
        let parameters = parameters.as_object().cloned();
        let set = parameters.iter().flatten().map(|(key, value)| format!(".{key}-{value}"));
        Arm {
            id: [base.to_owned()].into_iter().chain(set).collect(),
            first_year: 1901,
            base: parameters.as_ref().map(|_| base.to_owned()),
            parameters,
            content: Value::Null,
        }
    }

    fn labels(arms: &[Arm]) -> String {
        Labels::of(arms).all().collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_label_says_what_differs_and_nothing_else() {
        let holes = |n: u32, closure: &str| {
            let set = json!({
                "changes.holes.count": n, "changes.holes.change": closure, "changes.holes.of": "land - spared"
            });
            arm("black-hole", set)
        };
        let arms = [holes(1, "collapse"), holes(1, "void"), holes(2, "collapse"), holes(2, "void")];
        let expected = "holes 1 · collapse, holes 1 · void, holes 2 · collapse, holes 2 · void";
        assert_eq!(labels(&arms), expected);
        // Parts are in the order of the sweeps, whatever that of the keys.
        let turned = [(1, "collapse"), (1, "void"), (2, "collapse"), (2, "void")].map(|(n, closure)| {
            arm("x", json!({ "changes.holes.change": closure, "changes.holes.count": n }))
        });
        assert_eq!(labels(&turned), expected);
        assert_eq!(Labels::of(&arms).label(&arms[3].id), "holes 2 · void");
        assert_eq!(Labels::of(&arms[..1]).label("other"), "other");
    }

    #[test]
    fn variants_beside_each_other_are_named() {
        let standard = || arm("standard", Value::Null);
        let holes = |n: u32| arm("black-hole", json!({ "changes.holes.count": n }));
        assert_eq!(
            labels(&[standard(), holes(1), holes(2)]),
            "standard, black-hole · holes 1, black-hole · holes 2"
        );
        assert_eq!(labels(&[standard()]), "standard");
        assert_eq!(labels(&[standard(), holes(3)]), "standard, black-hole");
    }

    #[test]
    fn words_that_say_nothing_alone_have_their_name() {
        let [one, other] =
            [["yes", "fall", "spring"], ["no", "spring", "fall"]].map(|[fleets, seasons, toggles]| {
                arm(
                    "x",
                    json!({
                        "units.army_fleets": fleets, "changes.holes.seasons": seasons,
                        "changes.toggles.seasons": toggles
                    }),
                )
            });
        let expected = "army fleets yes · holes seasons fall · toggles seasons spring, \
                        army fleets no · holes seasons spring · toggles seasons fall";
        assert_eq!(labels(&[one, other]), expected);
        let list = |value: Value| arm("x", json!({ "board.archipelagos": value }));
        assert_eq!(
            labels(&[list(json!(["AEG"])), list(json!({ "a": 1 }))]),
            "archipelagos AEG, archipelagos #2"
        );
    }

    #[test]
    fn the_values_of_a_sweep_have_places() {
        let arms = [
            arm("x", json!({ "changes.holes.count": 2, "changes.holes.change": "void" })),
            arm("x", json!({ "changes.holes.count": 1, "changes.holes.change": "void" })),
            arm("x", json!({ "changes.holes.count": 1, "changes.holes.change": "collapse" })),
        ];
        let found = sweeps(&arms);
        let names = found[0].parameters.iter().map(|p| format!("{}: {}", p.name, p.values.join(" ")));
        assert_eq!(names.collect::<Vec<_>>(), ["holes: 2 1", "change: void collapse"]);
        let places: Vec<&[usize]> = found[0].arms.iter().map(|(_, places)| places.as_slice()).collect();
        assert_eq!(places, [&[0, 0][..], &[1, 0], &[1, 1]]);
    }
}
