//! The arms of an experiment: its variants, with parameters set for all games (`[parameters]`) or swept (`[[sweep]]`).
//!
//! ```toml
//! variants = ["standard", "black-hole"]
//!
//! [parameters]                        # set in every variant that has them
//! changes.holes.change = "void"
//!
//! [[sweep]]
//! parameter = "changes.holes.count"   # a key that `upheaval variants show` lists
//! values = [1, 2, 3]                  # or: range = { from = 1, to = 5, step = 2 }, also with decimals
//! variants = ["black-hole"]           # left out: every variant that has the parameter
//! ```
//! A variant that is swept is replaced by its arms; several sweeps multiply, the first changing slowest. Meaningless
//! combinations are left out:
//!
//! ```toml
//! [[skip]]                            # no arm with three holes that stay open
//! changes.holes.count = 3             # a swept parameter with a value, or with a list of them
//! changes.holes.change = "void"
//! ```

use std::ops::Range;
use std::path::Path;

use super::catalogue::{Catalogue, LookupError, Swept, VariantEntry, is_plain, unusable};
use super::file::{RunKeys, SweepKeys, is_short};
use super::sweeps::{Given, MOST_ARMS, Skip, Space, Sweep, label, ranges_of, skips, values};
use super::{LongIds, Overrides};
use upheaval_engine::diagnostic::value::{Entries, Open, Placed};
use upheaval_engine::diagnostic::{Form, one_line, suggest};
use upheaval_engine::rules::variant::parameter;
use upheaval_engine::rules::variant::parameter::is_parameter;
use upheaval_engine::rules::variant::setting::Setting;
use upheaval_map::ids::PowerNames;

/// The name of the variant in a pick, as if it were a parameter.
const VARIANT: &str = "variant";

/// A parameter whose value is set as a whole even if it is a table.
const WHOLE: &str = "rulebook";

/// The number of refused values after which no more are looked for.
const MOST_REFUSED: usize = 50;

/// A parameter set for all games, and for each variant whether it has it.
type Set = (Given, Vec<bool>);

/// The arms made so far.
#[derive(Default)]
struct Arms {
    made: Vec<VariantEntry>,
    /// The places of values that a variant has refused.
    refused: Vec<Range<usize>>,
}

/// A variant as the file names it.
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) entry: VariantEntry,
}

/// The variants of an experiment.
pub(super) struct Variants<'a> {
    /// Those without faults.
    pub(super) found: Vec<Named<'a>>,
    /// Are these all?
    is_whole: bool,
}

impl Variants<'_> {
    /// The powers of their boards; `None` if no variant is found.
    pub(super) fn powers(&self) -> Option<&PowerNames> {
        self.found.first().map(|first| first.entry.power_names())
    }
}

/// The variants of an experiment whose paths start at `base`.
pub(super) fn variants<'a>(
    form: &Form<'_>,
    run: &'a RunKeys,
    base: &Path,
    catalogue: &impl Catalogue,
) -> Variants<'a> {
    let list = &run.variants;
    let mut entries: Vec<Named<'a>> = Vec::new();
    if list.is_empty() {
        let known = catalogue.variants().join(", ");
        form.fault(list.span(), format!("`variants` is empty; name at least one: {known}"));
    }
    if list.is_empty() || !is_short(form, "variants", Some(list.span()), list.len()) {
        return Variants { found: entries, is_whole: false };
    }
    for name in list.iter().filter(|name| form.is_sound(&name.span())) {
        let entry = match catalogue.variant(name, base) {
            Ok(entry) => entry,
            Err(error) => {
                unusable::<()>(form, name.span(), "variant", name, error, &catalogue.variants());
                continue;
            }
        };
        let first = entries.first().map(|first| first.entry.power_names());
        let message = if !is_plain(entry.id()) {
            format!(
                "variant `{}` has the id `{}`, which becomes a folder's name: letters, digits, `-`, `_` and `.` only",
                **name,
                entry.id()
            )
        } else if entries.iter().any(|other| other.entry.id() == entry.id()) {
            format!("variant `{}` is listed twice; list each once and set `games` instead", entry.id())
        } else if let Some(powers) = first.filter(|powers| entry.power_names() != *powers) {
            other_powers(&entry, powers)
        } else {
            entries.push(Named { name, entry });
            continue;
        };
        form.fault(name.span(), message);
    }
    Variants { is_whole: entries.len() == list.len(), found: entries }
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
pub(super) struct Reader<'a, C> {
    pub(super) form: &'a Form<'a>,
    pub(super) run: &'a RunKeys,
    pub(super) base: &'a Path,
    pub(super) catalogue: &'a C,
    pub(super) variants: &'a Variants<'a>,
}

impl<C: Catalogue> Reader<'_, C> {
    pub(super) fn ids(&self) -> String {
        self.variants.found.iter().map(|v| v.entry.id()).collect::<Vec<_>>().join(", ")
    }

    /// The arms, all of which must seat the same powers.
    pub(super) fn arms(&self, overrides: &Overrides) -> Option<Vec<VariantEntry>> {
        let (parameters, mut sweeps, skips) = self.settings()?;
        let chosen = match overrides.pick.as_deref() {
            Some(_) if !self.variants.is_whole => return None,
            Some(pick) => Some(self.pick(pick, &mut sweeps)?),
            None => None,
        };
        let mut arms = Arms::default();
        let mut is_whole = self.variants.is_whole;
        for (variant, named) in self.variants.found.iter().enumerate() {
            if chosen.is_some_and(|chosen| chosen != variant) {
                continue;
            }
            let set: Vec<&Given> =
                parameters.iter().filter(|(_, has)| has[variant]).map(|(given, _)| given).collect();
            let swept: Vec<&Sweep> = sweeps.iter().filter(|sweep| sweep.sweeps[variant]).collect();
            let before = arms.made.len();
            let made = self.multiply(named, &set, &swept, &skips, overrides.long_ids, &mut arms);
            if made.is_some() && arms.made.len() == before {
                let place = self.form.key("skip").unwrap_or_default();
                let message = format!("`skip` leaves no arm of `{}`; remove one", named.entry.id());
                self.form.fault(place, message);
            }
            is_whole &= made.is_some();
        }
        let powers = self.variants.powers()?;
        match arms.made.iter().find(|arm| arm.power_names() != powers) {
            None => is_whole.then_some(arms.made),
            Some(arm) => self.form.refuse(self.run.variants.span(), other_powers(arm, powers)),
        }
    }

    /// The subject of the sweeps, without the arms that they produce.
    pub(super) fn space(&self) -> Option<Space> {
        let (_, sweeps, skips) = self.settings()?;
        let ids = self.variants.found.iter().map(|named| named.entry.id().to_owned()).collect();
        Some(ranges_of(ids, &sweeps, skips))
    }

    /// The parameters that are set and swept, and the combinations left out; `None` if one of them has a fault.
    fn settings(&self) -> Option<(Vec<Set>, Vec<Sweep>, Vec<Skip>)> {
        let (parameters, is_sound) = self.parameters();
        let sweeps = self.sweeps(&parameters);
        let skips = skips(self.form, self.run, &sweeps);
        let is_whole = is_sound && sweeps.len() == self.run.sweep.len() && skips.len() == self.run.skip.len();
        is_whole.then_some((parameters, sweeps, skips))
    }

    pub(super) fn is_known(&self, key: &str, place: &Range<usize>) -> bool {
        let is_known = is_parameter(key);
        if !is_known {
            let message = format!(
                "there is no parameter `{key}`; {}; `upheaval variants show` lists those of a variant",
                parameter::known(key)
            );
            self.form.fault(place.clone(), message);
        }
        is_known
    }

    /// For each variant: does it have the parameter?
    pub(super) fn having(&self, parameter: &str) -> Vec<bool> {
        let has = |v: &Named<'_>| self.catalogue.has_parameter(v.name, self.base, parameter);
        self.variants.found.iter().map(has).collect()
    }

    /// Do the variants lack a parameter that none of those found has?
    fn lack(&self, having: &[bool]) -> bool {
        self.variants.is_whole && !having.contains(&true)
    }

    /// The section `[parameters]` without its faults, and whether it has none.
    fn parameters(&self) -> (Vec<Set>, bool) {
        let mut given = Vec::new();
        let mut is_sound = self.collect(&self.run.parameters, "", &mut given);
        let mut found = Vec::new();
        if !is_short(self.form, "parameters", self.form.key("parameters"), given.len()) {
            return (found, false);
        }
        for given in given {
            let parameter = &given.setting.parameter;
            let having = self.having(parameter);
            if !self.lack(&having) {
                found.push((given, having));
                continue;
            }
            let message = format!(
                "none of {} has `{parameter}`: remove it, or give it to variants by name with a `[[sweep]]` over one value",
                self.ids()
            );
            self.form.fault(given.place.clone(), message);
            is_sound = false;
        }
        (found, is_sound)
    }

    /// Collects the parameters in a table without faults; returns whether all are.
    fn collect(&self, table: &Entries<Placed<Open>>, prefix: &str, given: &mut Vec<Given>) -> bool {
        let mut is_sound = true;
        for (key, value) in table.iter() {
            let path = format!("{prefix}{}", **key);
            if !self.is_known(&path, &key.span()) {
                is_sound = false;
                continue;
            }
            match &**value {
                _ if !self.form.is_sound(&value.span()) && !matches!(**value, Open::Table(_)) => {
                    is_sound = false;
                }
                Open::Table(below) if below.is_empty() && path != WHOLE => {
                    let message = format!("`{path}` is empty; set a parameter in it, or remove it");
                    self.form.fault(value.span(), message);
                    is_sound = false;
                }
                Open::Table(below) if path != WHOLE => {
                    is_sound &= self.collect(below, &format!("{path}."), given);
                }
                other => {
                    let setting = Setting { parameter: path, value: other.value() };
                    given.push(Given { setting, place: value.span() });
                }
            }
        }
        is_sound
    }

    /// The sweeps without faults, none of which is over a parameter that is set for all games.
    fn sweeps(&self, set: &[Set]) -> Vec<Sweep> {
        let mut sweeps: Vec<Sweep> = Vec::new();
        if is_short(self.form, "sweep", self.form.key("sweep"), self.run.sweep.len()) {
            for keys in &self.run.sweep {
                sweeps.extend(self.sweep(keys, set, &sweeps));
            }
        }
        label(&mut sweeps);
        sweeps
    }

    fn sweep(&self, keys: &Placed<SweepKeys>, set: &[Set], sweeps: &[Sweep]) -> Option<Sweep> {
        let (parameter, values) = (&keys.parameter, values(self.form, keys));
        let listed = keys.variants.as_ref().map(|list| self.listed(list));
        if !self.is_known(parameter, &parameter.span()) {
            return None;
        }
        let swept = match listed {
            Some(listed) => listed?,
            None => self.swept(parameter)?,
        };
        let twice = |other: &[bool]| other.iter().zip(&swept).position(|(a, b)| *a && *b);
        let mut earlier = sweeps.iter().filter(|sweep| overlap(&sweep.parameter, parameter));
        if let Some(variant) = earlier.find_map(|sweep| twice(&sweep.sweeps)) {
            let id = self.variants.found[variant].entry.id();
            let message = format!("`{}` is swept twice in `{id}`; keep one sweep", **parameter);
            return self.form.refuse(parameter.span(), message);
        }
        let both =
            set.iter().find(|(g, has)| overlap(&g.setting.parameter, parameter) && twice(has).is_some());
        if let Some((given, _)) = both {
            let message =
                format!("`{}` is set in [parameters] and swept here; keep one", given.setting.parameter);
            return self.form.refuse(parameter.span(), message);
        }
        Some(Sweep { parameter: parameter.to_string(), place: keys.span(), values: values?, sweeps: swept })
    }

    /// The variants that a sweep applies to if it lists none.
    fn swept(&self, parameter: &Placed<String>) -> Option<Vec<bool>> {
        let having = self.having(parameter);
        if !self.lack(&having) {
            return Some(having);
        }
        let message = format!(
            "none of {} has `{}`; list the variants to sweep in `variants`, or remove the sweep",
            self.ids(),
            **parameter
        );
        self.form.refuse(parameter.span(), message)
    }

    /// The variants that a sweep lists.
    fn listed(&self, list: &Placed<Vec<Placed<String>>>) -> Option<Vec<bool>> {
        if list.is_empty() {
            let message =
                "`variants` of a sweep is empty; leave it out for every variant that has the parameter";
            return self.form.refuse(list.span(), message);
        }
        if !is_short(self.form, "sweep.variants", Some(list.span()), list.len()) {
            return None;
        }
        let mut swept = vec![false; self.variants.found.len()];
        let mut is_sound = true;
        for name in list.iter() {
            let is_it = |v: &Named<'_>| v.name == **name || v.entry.id() == **name;
            let message = match self.variants.found.iter().position(is_it) {
                Some(found) if swept[found] => {
                    format!("variant `{}` is listed twice; list each once", **name)
                }
                Some(found) => {
                    swept[found] = true;
                    continue;
                }
                // It may be one that was not found.
                None if !self.variants.is_whole => continue,
                None => {
                    let known = suggest(name, self.variants.found.iter().map(|v| v.name));
                    format!("`{}` is not one of this experiment's `variants`; {known}", **name)
                }
            };
            self.form.fault(name.span(), message);
            is_sound = false;
        }
        is_sound.then_some(swept)
    }

    /// Keeps of each sweep only the picked value, and returns the picked variant.
    fn pick(&self, pick: &[Setting], sweeps: &mut [Sweep]) -> Option<usize> {
        let place = || self.form.key("sweep").unwrap_or_default();
        let refuse = |message: String| self.form.refuse(place(), message);
        let named =
            |parameter: &str| pick.iter().find(|set| set.parameter == parameter).map(|set| &set.value);
        let variant = match named(VARIANT).map(|value| (value, value.as_str())) {
            None if self.variants.found.len() == 1 => 0,
            None => return refuse(format!("name the `{VARIANT}`: {}", self.ids())),
            Some((value, id)) => {
                let is = |v: &Named<'_>| Some(v.entry.id()) == id || Some(v.name) == id;
                let strange =
                    || refuse(format!("there is no {VARIANT} {value} here; there are {}", self.ids()));
                self.variants.found.iter().position(is).or_else(strange)?
            }
        };
        let known = |parameter: &str| parameter == VARIANT || sweeps.iter().any(|s| s.parameter == parameter);
        if let Some(strange) = pick.iter().find(|set| !known(&set.parameter)) {
            let names = suggest(&strange.parameter, sweeps.iter().map(|sweep| sweep.parameter.as_str()));
            return refuse(format!("`{}` is not swept; {names}", strange.parameter));
        }
        for sweep in sweeps.iter_mut().filter(|sweep| sweep.sweeps[variant]) {
            let key = &sweep.parameter;
            let Some(value) = named(key) else { return refuse(format!("no value is picked for `{key}`")) };
            if sweep.values.iter().all(|(given, _)| given.setting.value != *value) {
                return refuse(format!("`{key}` is not swept over {value}"));
            }
            sweep.values.retain(|(given, _)| given.setting.value == *value);
        }
        Some(variant)
    }

    /// All arms of a variant: every combination of the values that it is swept over.
    fn multiply(
        &self,
        named: &Named<'_>,
        set: &[&Given],
        sweeps: &[&Sweep],
        skips: &[Skip],
        long_ids: LongIds,
        arms: &mut Arms,
    ) -> Option<()> {
        let mut is_whole = true;
        let count = sweeps.iter().try_fold(1_usize, |count, sweep| count.checked_mul(sweep.values.len()));
        let count = count.filter(|count| arms.made.len().saturating_add(*count) <= MOST_ARMS);
        let Some(count) = count else {
            let place = sweeps.last().map_or(0..0, |sweep| sweep.place.clone());
            let message = format!("the sweeps make more than {MOST_ARMS} arms; take fewer values");
            return self.form.refuse(place, message);
        };
        for number in 0..count {
            if arms.refused.len() >= MOST_REFUSED {
                return None;
            }
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
            if !is_plain(&id) && long_ids == LongIds::Numbered {
                id = format!("{}.{}", named.entry.id(), number + 1);
            }
            let swept: Vec<&Given> = chosen.iter().map(|(given, _)| given).collect();
            let Some(entry) = self.arm(named, &id, set, &swept, &mut arms.refused) else {
                is_whole = false;
                continue;
            };
            if !is_plain(&id) {
                let place = swept.last().map_or(0..0, |given| given.place.clone());
                let message = format!(
                    "the arm `{id}` becomes a folder's name, which has at most 64 letters: sweep fewer parameters at once, or \
                     give the variant a shorter id in a file of its own"
                );
                return self.form.refuse(place, message);
            }
            arms.made.push(entry);
        }
        is_whole.then_some(())
    }

    /// A variant with these parameters. Values that were refused before are left out, so that faults of others are
    /// found.
    fn arm(
        &self,
        named: &Named<'_>,
        id: &str,
        set: &[&Given],
        swept: &[&Given],
        refused: &mut Vec<Range<usize>>,
    ) -> Option<VariantEntry> {
        let given: Vec<&Given> = set.iter().chain(swept).copied().collect();
        if given.is_empty() {
            return Some(named.entry.clone());
        }
        let with = |given: &[&Given]| {
            let settings: Vec<Setting> = given.iter().map(|given| given.setting.clone()).collect();
            self.catalogue.variant_with(named.name, self.base, id, &settings).map_err(whys)
        };
        let mut left = given.clone();
        let entry = loop {
            left.retain(|given| !refused.contains(&given.place));
            if left.is_empty() {
                return None;
            }
            let whys = match with(&left) {
                Ok(entry) => break entry,
                Err(whys) => whys,
            };
            let without = |n: usize| [&left[..n], &left[n + 1..]].concat();
            let others: Vec<Vec<String>> =
                (0..left.len()).map(|n| with(&without(n)).err().unwrap_or_default()).collect();
            for why in whys {
                // The culprit is the last value without which this fault is gone, or the first value that no later
                // value can make valid.
                let culprit = (0..left.len()).rev().find(|&n| !others[n].contains(&why));
                let first = || (0..left.len()).rev().find(|&n| with(&left[..n]).is_ok()).unwrap_or(0);
                let Given { setting, place } = left[culprit.unwrap_or_else(first)];
                let message = format!("`{setting}` cannot be set in `{}`: {why}", named.entry.id());
                self.form.fault(place.clone(), message);
                refused.push(place.clone());
            }
        };
        if left.len() < given.len() {
            return None;
        }
        if swept.is_empty() {
            return Some(entry);
        }
        let parameters = swept.iter().map(|given| given.setting.clone()).collect();
        Some(VariantEntry { swept: Some(Swept { base: named.entry.id().to_owned(), parameters }), ..entry })
    }
}

/// Why a variant cannot be made.
fn whys(error: LookupError) -> Vec<String> {
    match error {
        LookupError::Unknown => vec!["it is unknown".to_owned()],
        LookupError::Unusable(why) => vec![one_line(&why)],
        // Their places are those of a text that the user has not seen.
        LookupError::Faults(faults) => faults.iter().map(|fault| fault.message.clone()).collect(),
    }
}

/// Are the keys equal, or is one of them above the other?
fn overlap(a: &str, b: &str) -> bool {
    let within = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|r| r.is_empty() || r.starts_with('.'))
    };
    within(a, b) || within(b, a)
}
