//! The contents of an experiment, and where they come from: variants and bots by the names that its file gives them.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::file::{RunKeys, is_short};
use crate::sim::bots::BotSection;
use crate::sim::resolved::{Arm, ResolvedBot};
use upheaval_engine::bot::{BotMaker, BotSetting, Pace, Repeats};
use upheaval_engine::diagnostic::value::Placed;
use upheaval_engine::diagnostic::{Faults, Form, one_line, suggest};
use upheaval_engine::rules::variant::Variant;
use upheaval_engine::rules::variant::setting::Setting;
use upheaval_map::ids::PowerNames;

/// An arm of an experiment: one of its variants, with parameters.
#[derive(Clone, Debug)]
pub struct VariantEntry {
    /// The rules. Their id is the arm's name in tables and folders.
    pub variant: Arc<Variant>,
    /// Everything that determines how it plays ([`Variant::content`]). Part of the experiment's hash.
    pub content: Value,
    /// The variant and the parameters, if it comes from a sweep.
    pub swept: Option<Swept>,
}

impl VariantEntry {
    /// The arm that plays an unchanged variant.
    pub fn new(variant: Variant) -> VariantEntry {
        VariantEntry { content: variant.content(), variant: Arc::new(variant), swept: None }
    }

    /// Its name in tables and folders.
    pub fn id(&self) -> &str {
        &self.variant.id
    }

    /// The powers of its board.
    pub fn power_names(&self) -> &PowerNames {
        self.variant.terrain.power_names()
    }

    /// The year its games start in.
    pub fn first_year(&self) -> u16 {
        self.variant.first_phase.year
    }
}

/// The origin of an arm of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// The id of the variant that is swept.
    pub base: String,
    /// The parameters, in the order of the sweeps.
    pub parameters: Vec<Setting>,
}

impl From<VariantEntry> for Arm {
    fn from(entry: VariantEntry) -> Arm {
        let json = |set: &Setting| (set.parameter.clone(), json!(set.value));
        Arm {
            id: entry.id().to_owned(),
            first_year: entry.first_year(),
            parameters: entry.swept.as_ref().map(|swept| swept.parameters.iter().map(json).collect()),
            base: entry.swept.map(|swept| swept.base),
            content: entry.content,
        }
    }
}

/// A bot that an experiment seats.
#[derive(Clone, Debug)]
pub struct BotEntry {
    /// Its name in tables; names of bots are unique in an experiment.
    pub name: String,
    /// Is it a part of this program?
    pub origin: BotOrigin,
    /// Everything that determines how it plays. Part of the experiment's hash.
    pub content: Value,
    /// How long its games take. Not part of the hash by itself, because it follows from the kind of the bot.
    pub pace: Pace,
    /// Makes it, one for each seat.
    pub maker: BotMaker,
}

/// The source of a bot that an experiment seats: what its run folder does not say of it.
#[derive(Clone, Debug)]
pub struct BotSource {
    /// Is it a part of this program?
    pub origin: BotOrigin,
    /// How long its games take.
    pub pace: Pace,
    /// Makes it, one for each seat.
    pub maker: BotMaker,
}

impl BotEntry {
    /// The bot as the run folder has it, and its source.
    pub(crate) fn split(self) -> (ResolvedBot, BotSource) {
        let BotEntry { name, origin, content, pace, maker } = self;
        (ResolvedBot { name, content }, BotSource { origin, pace, maker })
    }
}

/// The origin of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BotOrigin {
    /// It is a part of this program.
    Shipped,
    /// It is the user's own: a separate program, or a part of the program that uses this library. Unless its author
    /// declares that its answers repeat, its orders are recorded.
    Guest(Repeats),
}

/// Why a name does not give a variant or bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupError {
    /// The name is unknown.
    Unknown,
    /// It exists but cannot be used, and why.
    Unusable(String),
    /// Its file has these faults.
    Faults(Faults),
}

/// The variants and bots that experiments can name. [`super::super::Registry`] is the one for real games; a look-up
/// does not change it.
pub trait Catalogue {
    /// The names of the variants that ship, for messages.
    fn variants(&self) -> Vec<String>;
    /// The variant of a name or path; paths start at `base`, the experiment file's folder.
    fn variant(&self, name: &str, base: &Path) -> Result<VariantEntry, LookupError>;
    /// Does this variant have a parameter? Called only for known variants.
    fn has_parameter(&self, name: &str, base: &Path, parameter: &str) -> bool;
    /// The variant of a name or path with these parameters set, under this id.
    fn variant_with(
        &self,
        name: &str,
        base: &Path,
        id: &str,
        settings: &[Setting],
    ) -> Result<VariantEntry, LookupError>;
    /// The names of the bots, for messages.
    fn bots(&self) -> Vec<String>;
    /// The bot of a name; paths start at `base`.
    fn bot(&self, name: &str, base: &Path) -> Result<BotEntry, LookupError>;
    /// The settings of a kind of bots, or why there is no such kind.
    fn settings(&self, kind: &str) -> Result<&'static [BotSetting], String>;
    /// The bot that a section `[bots.NAME]` describes; paths start at `base`.
    fn described(&self, section: &BotSection, base: &Path) -> Result<BotEntry, LookupError>;
}

/// Notes a name in the file that does not give a variant or bot.
pub(super) fn unusable<T>(
    form: &Form<'_>,
    span: Range<usize>,
    what: &str,
    name: &str,
    error: LookupError,
    known: &[String],
) -> Option<T> {
    let message = match error {
        LookupError::Unknown => {
            format!("unknown {what} `{name}`; {}", suggest(name, known.iter().map(String::as_str)))
        }
        LookupError::Unusable(why) => format!("{what} `{name}` cannot be used: {}", one_line(&why)),
        LookupError::Faults(faults) => {
            form.add_of_file(span, &faults);
            return None;
        }
    };
    form.refuse(span, message)
}

/// The requirements on a name that can be part of a folder's name.
pub(in crate::sim) const PLAIN: &str = "1 to 64 letters, digits, `-`, `_` or `.`, not `-` or `.` first";

/// Can the text be part of a folder's name on every system?
pub(crate) fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && !text.starts_with(['.', '-'])
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}

/// The bots that an experiment names, each once: bots that ship, and those of its sections `[bots.NAME]`.
pub struct Bots<'a, C> {
    form: &'a Form<'a>,
    /// The experiment's own bots; `None` for those whose sections have faults.
    described: Vec<(String, Option<BotEntry>)>,
    base: &'a Path,
    catalogue: &'a C,
    entries: Vec<BotEntry>,
}

impl<'a, C: Catalogue> Bots<'a, C> {
    /// No bots yet, for an experiment whose paths start at `base`.
    pub(super) fn new(form: &'a Form<'a>, run: &RunKeys, base: &'a Path, catalogue: &'a C) -> Self {
        let mut described = Vec::new();
        let is_short = is_short(form, "bots", form.key("bots"), run.bots.len());
        for (name, keys) in run.bots.iter() {
            let entry = || {
                if !is_short {
                    return None;
                }
                let section = BotSection::read(form, name, keys, &|kind| catalogue.settings(kind));
                if !is_plain(name) {
                    return form
                        .refuse(name.span(), format!("`{}` is not a valid name for a bot: {PLAIN}", **name));
                }
                if catalogue.bots().contains(name) {
                    let message = format!("`{}` is the name of a bot that ships; give yours another", **name);
                    return form.refuse(name.span(), message);
                }
                let found = catalogue.described(&section?, base);
                let place = keys.weights().unwrap_or_else(|| name.span());
                found.map_or_else(|error| unusable(form, place, "bot", name, error, &catalogue.bots()), Some)
            };
            described.push((name.to_string(), entry()));
        }
        Bots { form, described, base, catalogue, entries: Vec::new() }
    }

    /// All bots found, in the order in which they were found.
    pub(super) fn met(self) -> Vec<BotEntry> {
        self.entries
    }

    /// The index of the bot with this name; `None`, with a fault in the form, if there is no such bot or it cannot be
    /// used.
    pub fn index(&mut self, name: &Placed<String>) -> Option<usize> {
        let entry = match self.described.iter().find(|(own, _)| *own == **name) {
            Some((_, entry)) => entry.clone()?,
            None => match self.catalogue.bot(name, self.base) {
                Ok(entry) => entry,
                Err(error) => {
                    let mut known = self.catalogue.bots();
                    known.extend(self.described.iter().map(|(own, _)| own.clone()));
                    return unusable(self.form, name.span(), "bot", name, error, &known);
                }
            },
        };
        if let Some(index) = self.entries.iter().position(|known| known.name == entry.name) {
            return Some(index);
        }
        self.entries.push(entry);
        Some(self.entries.len() - 1)
    }

    /// The indices of all bots with these names; `None` if one of them has a fault.
    pub fn indices(&mut self, names: &[Placed<String>]) -> Option<Vec<usize>> {
        // Each is looked up, so that all faults are found.
        let found: Vec<Option<usize>> = names.iter().map(|name| self.index(name)).collect();
        found.into_iter().collect()
    }
}
