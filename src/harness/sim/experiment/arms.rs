//! The arms of an experiment: its variants, with parameters set for all games (`[parameters]`) or swept (`[[sweep]]`).
//!
//! ```toml
//! variants = ["standard", "black-hole"]
//!
//! [parameters]                        # set in every variant that has them
//! holes.closure = "void"
//!
//! [[sweep]]
//! parameter = "holes.per_season"      # a key that `upheaval variants show` lists
//! values = [1, 2, 3]                  # or: range = { from = 1, to = 5, step = 2 }, also with decimals
//! variants = ["black-hole"]           # left out: every variant that has the parameter
//! ```
//! A variant that is swept is replaced by its arms; several sweeps multiply, the first changing slowest. Meaningless
//! combinations are left out:
//!
//! ```toml
//! [[skip]]                            # no arm with three holes that stay open
//! holes.per_season = 3                # a swept parameter with a value, or with a list of them
//! holes.closure = "void"
//! ```

mod range;
mod skip;

use std::ops::Range;
use std::path::Path;

use toml::{Spanned, Value};

use super::catalogue::{Catalogue, LookupError, Swept, VariantEntry};
use super::error::unusable;
use super::plain::is_plain;
use super::space::{Dimension, Space};
use super::{LongIds, Overrides};
use skip::{Skip, skips};
use upheaval_engine::diagnostic::table::Table;
use upheaval_engine::diagnostic::{Diagnostic, one_line, suggest};
use upheaval_engine::rules::variant::parameter;
use upheaval_engine::rules::variant::setting::{Setting, is_parameter};
use upheaval_map::ids::PowerNames;

/// The most arms of an experiment: a larger number is a mistake in a range.
const MOST_ARMS: usize = 1000;

/// The name of the variant in a pick, as if it were a parameter.
const VARIANT: &str = "variant";

/// A parameter whose value is set as a whole even if it is a table.
const WHOLE: &str = "rulebook";

/// A variant as the file names it.
struct Named<'a> {
    name: &'a str,
    entry: VariantEntry,
}

/// A parameter with a value that the file gives.
#[derive(Clone)]
struct Given {
    setting: Setting,
    place: Range<usize>,
}

/// A parameter with its values, and what each of them adds to the id of an arm.
struct Sweep {
    parameter: String,
    place: Range<usize>,
    values: Vec<(Given, String)>,
    /// For each variant of the file: is it swept?
    sweeps: Vec<bool>,
}

/// Reads the arms of an experiment whose paths start at `base`, with the powers of their boards.
pub(super) fn read(
    root: &Table<'_>,
    base: &Path,
    catalogue: &impl Catalogue,
    overrides: &Overrides,
) -> Result<(Vec<VariantEntry>, PowerNames), Diagnostic> {
    let (variants, powers) = variants(root, base, catalogue)?;
    let reader = Reader { root, base, catalogue, variants, long_ids: overrides.long_ids };
    let parameters = reader.parameters()?;
    let mut sweeps = reader.sweeps(&parameters)?;
    let skips = skips(root, &sweeps)?;
    let pick = overrides.pick.as_deref();
    let chosen = pick.map(|pick| reader.pick(pick, &mut sweeps)).transpose()?;
    let mut arms: Vec<VariantEntry> = Vec::new();
    for (variant, named) in reader.variants.iter().enumerate() {
        if chosen.is_some_and(|chosen| chosen != variant) {
            continue;
        }
        let set: Vec<&Given> =
            parameters.iter().filter(|(_, has)| has[variant]).map(|(given, _)| given).collect();
        let swept: Vec<&Sweep> = sweeps.iter().filter(|sweep| sweep.sweeps[variant]).collect();
        let before = arms.len();
        reader.multiply(named, &set, &swept, &skips, &mut arms)?;
        if arms.len() == before {
            let place = root.key("skip").unwrap_or_default();
            let message = format!("`skip` leaves no arm of `{}`; take one out", named.entry.id());
            return Err(root.fault(place, message));
        }
    }
    match arms.iter().find(|arm| *arm.power_names() != powers) {
        None => Ok((arms, powers)),
        Some(arm) => {
            let place = root.key("variants").unwrap_or_default();
            Err(root.fault(place, other_powers(arm, &powers)))
        }
    }
}

/// The subject of the sweeps, without the arms that they produce.
pub(super) fn space(root: &Table<'_>, base: &Path, catalogue: &impl Catalogue) -> Result<Space, Diagnostic> {
    let (variants, _) = variants(root, base, catalogue)?;
    let reader = Reader { root, base, catalogue, variants, long_ids: LongIds::Refused };
    let sweeps = reader.sweeps(&reader.parameters()?)?;
    let skips = skips(root, &sweeps)?;
    let ids = |of: &[bool]| {
        let named = reader.variants.iter().zip(of).filter(|(_, is)| **is);
        named.map(|(named, _)| named.entry.id().to_owned()).collect()
    };
    let dimension = |sweep: &Sweep| Dimension {
        parameter: sweep.parameter.clone(),
        values: sweep.values.iter().map(|(given, _)| given.setting.value.clone()).collect(),
        variants: ids(&sweep.sweeps),
    };
    Ok(Space {
        variants: ids(&vec![true; reader.variants.len()]),
        dimensions: sweeps.iter().map(dimension).collect(),
        skips: skips.into_iter().map(|skip| skip.0).collect(),
    })
}

fn variants<'a>(
    root: &Table<'a>,
    base: &Path,
    catalogue: &impl Catalogue,
) -> Result<(Vec<Named<'a>>, PowerNames), Diagnostic> {
    let list =
        root.texts("variants")?.ok_or_else(|| root.missing("variants", "variants = [\"standard\"]"))?;
    if list.get_ref().is_empty() {
        return Err(root.fault(
            list.span(),
            format!("`variants` is empty; name at least one: {}", catalogue.variants().join(", ")),
        ));
    }
    let mut entries: Vec<Named<'a>> = Vec::new();
    for name in list.get_ref() {
        let entry = catalogue.variant(name.get_ref(), base).map_err(|error| {
            unusable(root, name.span(), "variant", name.get_ref(), error, &catalogue.variants())
        })?;
        if !is_plain(entry.id()) {
            return Err(root.fault(
                name.span(),
                format!(
                    "variant `{}` has the id `{}`, which becomes a folder's name: letters, digits, `-`, `_` \
                     and `.` only",
                    name.get_ref(),
                    entry.id()
                ),
            ));
        }
        if entries.iter().any(|other| other.entry.id() == entry.id()) {
            return Err(root.fault(
                name.span(),
                format!("variant `{}` is listed twice; list each once and set `games` instead", entry.id()),
            ));
        }
        if let Some(first) = entries.first()
            && entry.power_names() != first.entry.power_names()
        {
            return Err(root.fault(name.span(), other_powers(&entry, first.entry.power_names())));
        }
        entries.push(Named { name: name.get_ref(), entry });
    }
    // The list is not empty.
    let powers = entries.first().map_or_else(PowerNames::standard, |first| first.entry.power_names().clone());
    Ok((entries, powers))
}

/// The fault of a variant whose board has other powers than the first.
fn other_powers(entry: &VariantEntry, powers: &PowerNames) -> String {
    format!(
        "`{}` has a board with the powers {}, but the first variant has one with {powers}: games of one experiment seat the same \
         powers, so give it an experiment of its own",
        entry.id(),
        entry.power_names()
    )
}

/// The context for reading the rest.
struct Reader<'a, C> {
    root: &'a Table<'a>,
    base: &'a Path,
    catalogue: &'a C,
    variants: Vec<Named<'a>>,
    long_ids: LongIds,
}

impl<C: Catalogue> Reader<'_, C> {
    fn fault(&self, place: &Range<usize>, message: String) -> Diagnostic {
        self.root.fault(place.clone(), message)
    }

    fn ids(&self) -> String {
        self.variants.iter().map(|v| v.entry.id()).collect::<Vec<_>>().join(", ")
    }

    fn known(&self, key: &str, place: &Range<usize>) -> Result<(), Diagnostic> {
        if is_parameter(key) {
            return Ok(());
        }
        let message = format!(
            "there is no parameter `{key}`; {}; `upheaval variants show` lists those of a variant",
            suggest(key, parameter::keys())
        );
        Err(self.fault(place, message))
    }

    fn having(&self, parameter: &str) -> Vec<bool> {
        let has = |v: &Named<'_>| self.catalogue.has_parameter(v.name, self.base, parameter);
        self.variants.iter().map(has).collect()
    }

    /// The section `[parameters]`, with the variants that have each parameter.
    fn parameters(&self) -> Result<Vec<(Given, Vec<bool>)>, Diagnostic> {
        let Some(table) = self.root.table("parameters")? else { return Ok(Vec::new()) };
        let mut given = Vec::new();
        self.collect(&table, "", &mut given)?;
        let with_variants = |given: Given| {
            let parameter = &given.setting.parameter;
            let having = self.having(parameter);
            if having.contains(&true) {
                return Ok((given, having));
            }
            let message = format!(
                "none of {} has `{parameter}`: take it out, or give it to variants by name with a `[[sweep]]` over one value",
                self.ids()
            );
            Err(self.fault(&given.place, message))
        };
        given.into_iter().map(with_variants).collect()
    }

    fn collect(&self, table: &Table<'_>, prefix: &str, given: &mut Vec<Given>) -> Result<(), Diagnostic> {
        for key in table.keys() {
            let (path, place) = (format!("{prefix}{key}"), table.key(key).unwrap_or_default());
            self.known(&path, &place)?;
            let Some(value) = table.value(key)? else { continue };
            match table.table(key) {
                Ok(Some(below)) if path != WHOLE => self.collect(&below, &format!("{path}."), given)?,
                _ => {
                    let setting = Setting { parameter: path, value: value.get_ref().clone() };
                    given.push(Given { setting, place: value.span() });
                }
            }
        }
        Ok(())
    }

    fn sweeps(&self, set: &[(Given, Vec<bool>)]) -> Result<Vec<Sweep>, Diagnostic> {
        let mut sweeps: Vec<Sweep> = Vec::new();
        for table in self.root.list_of_tables("sweep")? {
            table.allow(&["parameter", "values", "range", "variants"])?;
            let parameter = table
                .text("parameter")?
                .ok_or_else(|| table.missing("parameter", "parameter = \"holes.per_season\""))?;
            self.known(parameter.get_ref(), &parameter.span())?;
            let name = (*parameter.get_ref()).to_owned();
            let swept = self.swept(&table, &parameter)?;
            let twice = |other: &[bool]| other.iter().zip(&swept).position(|(a, b)| *a && *b);
            let earlier =
                sweeps.iter().find_map(|s| twice(&s.sweeps).filter(|_| overlap(&s.parameter, &name)));
            if let Some(variant) = earlier {
                let id = self.variants[variant].entry.id();
                return Err(self
                    .fault(&parameter.span(), format!("`{name}` is swept twice in `{id}`; keep one sweep")));
            }
            let both =
                set.iter().find(|(g, has)| overlap(&g.setting.parameter, &name) && twice(has).is_some());
            if let Some((given, _)) = both {
                let message =
                    format!("`{}` is set in [parameters] and swept here; keep one", given.setting.parameter);
                return Err(self.fault(&parameter.span(), message));
            }
            let values = values(&table, &name)?;
            sweeps.push(Sweep { parameter: name, place: table.span(), values, sweeps: swept });
        }
        label(&mut sweeps);
        Ok(sweeps)
    }

    /// Keeps of each sweep only the picked value, and returns the picked variant.
    fn pick(&self, pick: &[Setting], sweeps: &mut [Sweep]) -> Result<usize, Diagnostic> {
        let fault = |message: String| self.fault(&self.root.key("sweep").unwrap_or_default(), message);
        let named =
            |parameter: &str| pick.iter().find(|set| set.parameter == parameter).map(|set| &set.value);
        let variant = match named(VARIANT).map(|value| (value, value.as_str())) {
            None if self.variants.len() == 1 => 0,
            None => return Err(fault(format!("name the `{VARIANT}`: {}", self.ids()))),
            Some((value, id)) => {
                let is = |v: &Named<'_>| Some(v.entry.id()) == id || Some(v.name) == id;
                let strange =
                    || fault(format!("there is no {VARIANT} {value} here; there are {}", self.ids()));
                self.variants.iter().position(is).ok_or_else(strange)?
            }
        };
        let known = |parameter: &str| parameter == VARIANT || sweeps.iter().any(|s| s.parameter == parameter);
        if let Some(strange) = pick.iter().find(|set| !known(&set.parameter)) {
            let names = suggest(&strange.parameter, sweeps.iter().map(|sweep| sweep.parameter.as_str()));
            return Err(fault(format!("`{}` is not swept; {names}", strange.parameter)));
        }
        for sweep in sweeps.iter_mut().filter(|sweep| sweep.sweeps[variant]) {
            let key = &sweep.parameter;
            let value = named(key).ok_or_else(|| fault(format!("no value is picked for `{key}`")))?;
            if sweep.values.iter().all(|(given, _)| given.setting.value != *value) {
                return Err(fault(format!("`{key}` is not swept over {value}")));
            }
            sweep.values.retain(|(given, _)| given.setting.value == *value);
        }
        Ok(variant)
    }

    /// The variants that a sweep applies to.
    fn swept(&self, table: &Table<'_>, parameter: &Spanned<&str>) -> Result<Vec<bool>, Diagnostic> {
        let Some(list) = table.texts("variants")? else {
            let having = self.having(parameter.get_ref());
            if having.contains(&true) {
                return Ok(having);
            }
            let message = format!(
                "none of {} has `{}`; list in `variants` those that are to have it, or take the sweep out",
                self.ids(),
                parameter.get_ref()
            );
            return Err(self.fault(&parameter.span(), message));
        };
        if list.get_ref().is_empty() {
            let message =
                "`variants` of a sweep is empty; leave it out for every variant that has the parameter"
                    .to_owned();
            return Err(self.fault(&list.span(), message));
        }
        let mut swept = vec![false; self.variants.len()];
        for name in list.get_ref() {
            let is_it = |v: &Named<'_>| v.name == *name.get_ref() || v.entry.id() == *name.get_ref();
            let Some(found) = self.variants.iter().position(is_it) else {
                let known = suggest(name.get_ref(), self.variants.iter().map(|v| v.name));
                let message =
                    format!("`{}` is not one of this experiment's `variants`; {known}", name.get_ref());
                return Err(self.fault(&name.span(), message));
            };
            swept[found] = true;
        }
        Ok(swept)
    }

    /// All arms of a variant: every combination of the values that it is swept over.
    fn multiply(
        &self,
        named: &Named<'_>,
        set: &[&Given],
        sweeps: &[&Sweep],
        skips: &[Skip],
        arms: &mut Vec<VariantEntry>,
    ) -> Result<(), Diagnostic> {
        let count = sweeps.iter().try_fold(1_usize, |count, sweep| count.checked_mul(sweep.values.len()));
        let count = count.filter(|count| arms.len().saturating_add(*count) <= MOST_ARMS);
        let Some(count) = count else {
            let place = sweeps.last().map_or(0..0, |sweep| sweep.place.clone());
            let message = format!("the sweeps make more than {MOST_ARMS} arms; take fewer values");
            return Err(self.fault(&place, message));
        };
        for number in 0..count {
            // The last sweep changes fastest.
            let mut rest = number;
            let mut chosen: Vec<&(Given, String)> = Vec::new();
            for sweep in sweeps.iter().rev() {
                chosen.insert(0, &sweep.values[rest % sweep.values.len()]);
                rest /= sweep.values.len();
            }
            if skips.iter().any(|skip| skip.is_of(&chosen)) {
                continue;
            }
            let mut id: String = [named.entry.id()]
                .into_iter()
                .chain(chosen.iter().map(|(_, label)| label.as_str()))
                .collect();
            if !is_plain(&id) && self.long_ids == LongIds::Numbered {
                id = format!("{}.{}", named.entry.id(), number + 1);
            }
            let swept: Vec<&Given> = chosen.iter().map(|(given, _)| given).collect();
            let entry = self.arm(named, &id, set, &swept)?;
            if !is_plain(&id) {
                let place = swept.last().map_or(0..0, |given| given.place.clone());
                let message = format!(
                    "the arm `{id}` becomes a folder's name, which has at most 64 letters: sweep fewer parameters at once, or \
                     give the variant a shorter id in a file of its own"
                );
                return Err(self.fault(&place, message));
            }
            arms.push(entry);
        }
        Ok(())
    }

    /// A variant with these parameters.
    fn arm(
        &self,
        named: &Named<'_>,
        id: &str,
        set: &[&Given],
        swept: &[&Given],
    ) -> Result<VariantEntry, Diagnostic> {
        let all: Vec<&Given> = set.iter().chain(swept).copied().collect();
        if all.is_empty() {
            return Ok(named.entry.clone());
        }
        let settings: Vec<Setting> = all.iter().map(|given| given.setting.clone()).collect();
        let with = |settings: &[Setting]| self.catalogue.variant_with(named.name, self.base, id, settings);
        let entry = with(&settings).map_err(|error| {
            // The culprit is the first value that no later value can make valid.
            let sound = (0..all.len()).rev().find(|&n| with(&settings[..n]).is_ok()).unwrap_or(0);
            let why = match error {
                LookupError::Unknown => "it is unknown".to_owned(),
                LookupError::Unusable(why) => one_line(&why),
            };
            let message = format!("`{}` cannot be set in `{}`: {why}", settings[sound], named.entry.id());
            self.fault(&all[sound].place, message)
        })?;
        if swept.is_empty() {
            return Ok(entry);
        }
        let parameters = swept.iter().map(|given| given.setting.clone()).collect();
        Ok(VariantEntry { swept: Some(Swept { base: named.entry.id().to_owned(), parameters }), ..entry })
    }
}

/// Are the keys equal, or is one of them above the other?
fn overlap(a: &str, b: &str) -> bool {
    let within = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|r| r.is_empty() || r.starts_with('.'))
    };
    within(a, b) || within(b, a)
}

/// The values of a sweep; their parts of an id are filled in later.
fn values(table: &Table<'_>, parameter: &str) -> Result<Vec<(Given, String)>, Diagnostic> {
    let given = |value: Value, place: Range<usize>| {
        (Given { setting: Setting { parameter: parameter.to_owned(), value }, place }, String::new())
    };
    let values: Vec<(Given, String)> = match (table.values("values")?, table.table("range")?) {
        (Some(_), Some(range)) => {
            return Err(
                table.fault(range.span(), "a sweep has `values` or a `range`, not both; take one out")
            );
        }
        (None, None) => return Err(table.missing("values", "values = [1, 2, 3]")),
        (Some(values), None) if values.get_ref().is_empty() => {
            return Err(table.fault(values.span(), "`values` is empty; give at least one value"));
        }
        (Some(values), None) => values
            .into_inner()
            .into_iter()
            .map(|v| (v.span(), v.into_inner()))
            .map(|(s, v)| given(v, s))
            .collect(),
        (None, Some(range)) => {
            let place = range.span();
            range::numbers(&range)?.into_iter().map(|number| given(number, place.clone())).collect()
        }
    };
    for (i, (value, _)) in values.iter().enumerate() {
        if values[..i].iter().any(|(other, _)| other.setting == value.setting) {
            return Err(
                table.fault(value.place.clone(), format!("`{}` is listed twice", value.setting.value))
            );
        }
    }
    Ok(values)
}

/// Fills in what each value adds to an arm's id: `.per_season-2`. The end of the key is taken with as many parts as are
/// needed to distinguish the parameters.
fn label(sweeps: &mut [Sweep]) {
    let last = |key: &str, parts: usize| {
        let all: Vec<&str> = key.split('.').collect();
        all[all.len().saturating_sub(parts)..].join(".")
    };
    let keys: Vec<String> = sweeps.iter().map(|sweep| sweep.parameter.clone()).collect();
    for sweep in sweeps {
        let key = &sweep.parameter;
        let is_own = |parts: &usize| {
            keys.iter().filter(|other| *other != key).all(|other| last(other, *parts) != last(key, *parts))
        };
        let parts = key.split('.').count();
        let name = last(key, (1..=parts).find(is_own).unwrap_or(parts));
        let words: Option<Vec<String>> =
            sweep.values.iter().map(|(value, _)| word(&value.setting.value)).collect();
        let distinct =
            |words: &Vec<String>| words.iter().enumerate().all(|(i, word)| !words[..i].contains(word));
        // If one value is not a word, all values are given by their index.
        let words = words
            .filter(distinct)
            .unwrap_or_else(|| (1..=sweep.values.len()).map(|n| n.to_string()).collect());
        for ((_, label), word) in sweep.values.iter_mut().zip(words) {
            *label = format!(".{name}-{word}");
        }
    }
}

/// A value as a part of an id, if it can be one.
fn word(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => return None,
    };
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    plain.then_some(text)
}
