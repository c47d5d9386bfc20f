//! A setting as texts and tables name it: the variant, and the parameters that are swept in it.

use toml::Value;

use crate::tune::file::CheckedSearch;
use upheaval_harness::sim::labels::Labels;
use upheaval_harness::sim::resolved::Arm;

/// The name of the variant among the parameters.
pub(crate) const VARIANT: &str = "variant";

/// A setting.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedArm {
    /// The arm's id, as in tables and in folders of experiments.
    pub id: String,
    /// Its display name, as in balances and reports.
    pub label: String,
    /// Its values: the variant where there are several, and the parameters that are swept in it, in the order of the
    /// file.
    pub values: Vec<(String, Value)>,
}

impl TunedArm {
    /// The settings of a search.
    pub fn all(tuning: &CheckedSearch) -> Vec<TunedArm> {
        let labels = Labels::of(tuning.arms());
        let base = |arm: &Arm| arm.base.as_ref().unwrap_or(&arm.id).clone();
        let several = tuning.arms().iter().any(|arm| base(arm) != base(&tuning.arms()[0]));
        let of = |arm: &Arm| {
            let variant = several.then(|| (VARIANT.to_owned(), Value::String(base(arm))));
            let values = arm.settings().map(|set| (set.parameter, set.value));
            TunedArm {
                id: arm.id.clone(),
                label: labels.label(&arm.id).to_owned(),
                values: variant.into_iter().chain(values).collect(),
            }
        };
        tuning.arms().iter().map(of).collect()
    }

    /// The value of a parameter, if it has one.
    pub(crate) fn value(&self, parameter: &str) -> Option<&Value> {
        self.values.iter().find(|(name, _)| name == parameter).map(|(_, value)| value)
    }
}

/// The parameter in which two settings differ, if it is a single one and differs by one step: to the next value of a
/// number, or to any other word. Parameters that only one of them has belong to its variant and do not count.
pub(crate) fn one_step(arms: &[TunedArm], from: usize, to: usize) -> Option<String> {
    let (from, to) = (&arms[from], &arms[to]);
    let differs = |(name, value): &&(String, Value)| to.value(name).is_some_and(|other| other != value);
    let mut different = from.values.iter().filter(differs);
    let (name, value) = different.next()?;
    if different.next().is_some() {
        return None;
    }
    let other = to.value(name)?;
    if let (Value::Integer(a), Value::Integer(b)) = (value, other) {
        let (low, high) = (a.min(b), a.max(b));
        let between =
            |arm: &TunedArm| matches!(arm.value(name), Some(Value::Integer(n)) if low < n && n < high);
        if arms.iter().any(between) {
            return None;
        }
    }
    Some(name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(variant: &str, values: &[(&str, Value)]) -> TunedArm {
        let own = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let variant = (VARIANT.to_owned(), Value::from(variant));
        let [id, label] = [variant.1.to_string(), String::new()];
        TunedArm { id, label, values: [variant].into_iter().chain(own).collect() }
    }

    #[test]
    fn one_step_is_the_next_number_or_another_word_in_one_parameter() {
        let holes = |n: i64, closure: &str| {
            arm("black-hole", &[("changes.holes.count", n.into()), ("changes.holes.change", closure.into())])
        };
        let arms = [
            holes(1, "void"),
            holes(2, "void"),
            holes(3, "void"),
            holes(1, "collapse"),
            arm("standard", &[]),
        ];
        let step = |a, b| one_step(&arms, a, b);
        assert_eq!(step(0, 1).as_deref(), Some("changes.holes.count"));
        assert_eq!((step(0, 2), step(0, 0), step(1, 3)), (None, None, None));
        assert_eq!(step(0, 3).as_deref(), Some("changes.holes.change"));
        // The other variant has no holes, so the hole parameters of the first do not count.
        assert_eq!((step(0, 4).as_deref(), step(4, 2).as_deref()), (Some(VARIANT), Some(VARIANT)));
    }
}
