//! The contents of an experiment, and where they come from: variants and bots by the names that its file gives them.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::sim::bots::BotSection;
use crate::sim::resolved::ResolvedBot;
use upheaval_engine::bot::{BotMaker, Pace, Repeats};
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

impl Swept {
    /// The parameters with their values.
    pub(crate) fn to_json(&self) -> Map<String, Value> {
        self.parameters.iter().map(|set| (set.parameter.clone(), json!(set.value))).collect()
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
}

/// The variants and bots that experiments can name. [`super::super::Registry`] is the one for real games; a look-up
/// does not change it.
pub trait Catalogue {
    /// The names of the variants that ship, for messages.
    fn variants(&self) -> Vec<String>;
    /// The variant of a name or path; paths start at `base`, the experiment file's folder.
    fn variant(&self, name: &str, base: &Path) -> Result<VariantEntry, LookupError>;
    /// Does this variant have a parameter? Called only for known variants.
    fn has_parameter(&self, _name: &str, _base: &Path, _parameter: &str) -> bool {
        false
    }
    /// The variant of a name or path with these parameters set, under this id.
    fn variant_with(
        &self,
        _name: &str,
        _base: &Path,
        _id: &str,
        _settings: &[Setting],
    ) -> Result<VariantEntry, LookupError> {
        Err(LookupError::Unusable("variants have no parameters here".to_owned()))
    }
    /// The names of the bots, for messages.
    fn bots(&self) -> Vec<String>;
    /// The bot of a name; paths start at `base`.
    fn bot(&self, name: &str, base: &Path) -> Result<BotEntry, LookupError>;
    /// The bot that a section `[bots.NAME]` describes; paths start at `base`.
    fn described(&self, _section: &BotSection, _base: &Path) -> Result<BotEntry, LookupError> {
        Err(LookupError::Unusable("bots cannot be described here".to_owned()))
    }
}
