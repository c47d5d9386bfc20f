//! Positions with army/fleets as outside programs send them (docs/adjudicate.md), and their answers in short form.

use crate::helpers::name_of;
use std::sync::Arc;

use crate::helpers::shipped::{DELUGE_II, check};
use serde_json::{Value, json};
use upheaval::ids::Power;
use upheaval::rules::variant::Variant;

/// A power's units and orders.
pub(super) type HalfEdge<'a> = (Power, &'a [&'a str], &'a [&'a str]);

/// The text of the variant in which an army may end only this many movement phases aboard.
pub(super) fn deluge_with_limit(seasons: u8) -> String {
    DELUGE_II.text_with("max_seasons_aboard = \"unlimited\"", &format!("max_seasons_aboard = {seasons}"))
}

/// That variant.
pub(super) fn limited_to(seasons: u8) -> Arc<Variant> {
    check(deluge_with_limit(seasons)).expect("sound")
}

/// An answer, with questions to it.
#[derive(Debug)]
pub(super) struct Answered(pub Value);

/// The answer to a request whose `id` and `variant` are filled in, or the error.
pub(super) fn ask(request: Value) -> Result<Answered, String> {
    DELUGE_II.ask(request).map(Answered)
}

pub(super) fn answered(request: Value) -> Answered {
    ask(request).unwrap_or_else(|error| panic!("{error}"))
}

/// A movement phase of Spring 1901.
pub(super) fn moves(sides: &[HalfEdge<'_>]) -> Answered {
    let (mut powers, mut orders) = (json!({}), json!({}));
    for (power, units, texts) in sides {
        powers[name_of(*power)] = json!({ "units": units });
        orders[name_of(*power)] = json!(texts);
    }
    answered(json!({"phase": "S1901M", "powers": powers, "orders": orders}))
}

impl Answered {
    /// The result words of an order, of any power.
    pub(super) fn word(&self, order: &str) -> String {
        let results = self.0["results"].as_object().expect("results");
        let mut found = results.values().filter_map(|of_power| of_power.get(order));
        let words = found.next().unwrap_or_else(|| panic!("nobody ordered {order}: {:#}", self.0["results"]));
        words.as_array().expect("words").iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Why an order failed.
    pub(super) fn reason(&self, order: &str) -> String {
        let reasons = self.0["reasons"].as_object().expect("reasons");
        let mut found = reasons.values().filter_map(|of_power| of_power.get(order)?.as_str());
        found.next().unwrap_or_else(|| panic!("no reason for {order}: {:#}", self.0)).to_owned()
    }

    /// Asserts the result words of orders.
    #[track_caller]
    pub(super) fn says(&self, expected: &[(&str, &str)]) -> &Answered {
        for (order, word) in expected {
            assert_eq!(self.word(order), *word, "{order} in {:#}", self.0);
        }
        self
    }

    /// Asserts a power's units afterwards.
    #[track_caller]
    pub(super) fn leaves(&self, power: Power, units: &[&str]) -> &Answered {
        assert_eq!(texts(&self.0["units_after"][name_of(power)]), units, "{power:?} in {:#}", self.0);
        self
    }

    /// Asserts which units are dislodged: `A/F ENG from MAO: IRI NTH`.
    #[track_caller]
    pub(super) fn drives_out(&self, expected: &[&str]) -> &Answered {
        let listed = self.0["dislodged"].as_array().expect("a list").iter();
        let listed = listed.map(|entry| {
            let text = |key: &str| entry[key].as_str().expect("a text").to_owned();
            format!("{} from {}: {}", text("unit"), text("from"), texts(&entry["options"]).join(" "))
        });
        assert_eq!(listed.collect::<Vec<_>>(), expected, "in {:#}", self.0);
        self
    }

    /// Asserts which provinces a stand-off left empty.
    #[track_caller]
    pub(super) fn contests(&self, expected: &[&str]) -> &Answered {
        assert_eq!(texts(&self.0["contested"]), expected, "in {:#}", self.0);
        self
    }
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().map_or(&[][..], Vec::as_slice);
    list.iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
}
