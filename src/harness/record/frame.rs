//! The context of the tables of an arm, in addition to the schema: the powers of its board, and the parameters that the
//! run sweeps.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use upheaval_map::ids::PowerNames;

/// The context of the tables of an arm, in addition to the schema.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFrame {
    /// The powers of the board, in the order of their rows.
    pub power_names: PowerNames,
    /// A column of `games` for each parameter that a sweep sets in any arm of the run, in the order of their keys.
    pub swept: Vec<SweptColumn>,
}

/// A swept parameter and its value in one arm.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptColumn {
    /// The key of the parameter: `holes.per_season`.
    pub parameter: String,
    /// Its value; the same kind in all arms of a run, so that their files have one schema.
    pub value: SweptValue,
}

/// The value of a swept parameter in an arm; `None` where the arm does not set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SweptValue {
    /// For a parameter whose values are all whole numbers.
    Whole(Option<u32>),
    /// For any other: a word as it is, everything else as JSON.
    Text(Option<String>),
}

impl TableFrame {
    /// The frame of a run without sweeps.
    pub fn new(power_names: PowerNames) -> TableFrame {
        TableFrame { power_names, swept: Vec::new() }
    }

    /// The frame of an arm, given the parameters that sweeps set in each arm of its run.
    pub(crate) fn of_arm<'a>(
        power_names: PowerNames,
        arms: impl Iterator<Item = Option<&'a Map<String, Value>>> + Clone,
        arm: usize,
    ) -> TableFrame {
        let keys: BTreeSet<&String> = arms.clone().flatten().flat_map(Map::keys).collect();
        let column = |parameter: &String| {
            let values = arms.clone().map(|set| set.and_then(|set| set.get(parameter)));
            let whole = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
            let own = values.clone().nth(arm).flatten();
            let value = match values.flatten().all(|value| whole(value).is_some()) {
                true => SweptValue::Whole(own.and_then(whole)),
                false => SweptValue::Text(own.map(text)),
            };
            SweptColumn { parameter: parameter.clone(), value }
        };
        TableFrame { power_names, swept: keys.into_iter().map(column).collect() }
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_swept_parameter_has_one_kind_of_value_in_all_arms() {
        let arms = [
            Some(json!({"holes.per_season": 1, "builds.sites": "home"})),
            None,
            Some(json!({"holes.per_season": 2})),
            Some(json!({"holes.chance": 0.5})),
            Some(json!({"holes.chance": 1})),
        ];
        let arms = arms.map(|arm| arm.and_then(|arm| arm.as_object().cloned()));
        let frame =
            |arm| TableFrame::of_arm(PowerNames::standard(), arms.iter().map(Option::as_ref), arm).swept;
        let swept = |arm| -> Vec<(String, SweptValue)> {
            frame(arm).into_iter().map(|column| (column.parameter, column.value)).collect()
        };
        let (text, whole) =
            (|text: &str| SweptValue::Text(Some(text.to_owned())), |n| SweptValue::Whole(Some(n)));
        let (sites, chance, holes) = ("builds.sites", "holes.chance", "holes.per_season");
        let row = |values: [SweptValue; 3]| {
            [sites, chance, holes].map(str::to_owned).into_iter().zip(values).collect::<Vec<_>>()
        };
        assert_eq!(swept(0), row([text("home"), SweptValue::Text(None), whole(1)]));
        assert_eq!(swept(1), row([SweptValue::Text(None), SweptValue::Text(None), SweptValue::Whole(None)]));
        assert_eq!(swept(2)[2].1, whole(2));
        assert_eq!(swept(3)[1].1, text("0.5"));
        assert_eq!(swept(4)[1].1, text("1"), "as the value of the other arm is not a whole number");
        assert_eq!(
            TableFrame::of_arm(PowerNames::standard(), [None].into_iter(), 0),
            TableFrame::new(PowerNames::standard())
        );
    }
}
