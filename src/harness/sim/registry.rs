//! The registry of variants and bots that experiments name: the variants that ship and variant files, kinds of bots,
//! and programs of any language.
//!
//! ```text
//!  Registry ── variant("black-hole") ─▶ Arc<Variant> ─┐
//!           ── bot("greedy") ─────────▶ BotMaker ─────┴▶ Experiment ─▶ Player
//! ```
//! A look-up does not change the registry: the experiment owns what it plays.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use super::bots::{BotRecipe, BotSection};
use super::experiment::{BotEntry, BotOrigin, Catalogue, LookupError, PLAIN, VariantEntry, is_plain};
use upheaval_engine::bot::{BotKind, BotMaker, BotSetting, Faculty, Handicap, Pace, Program, ProgramKind};
use upheaval_engine::diagnostic::{open_file, suggest};
use upheaval_engine::rules::variant::setting::Setting as Parameter;
use upheaval_engine::rules::variant::{Variant, VariantError};

/// The variants that ship, variant files, and bots of these kinds.
#[derive(Clone, Default)]
pub struct Registry {
    kinds: Vec<BotKind>,
    own: Vec<BotEntry>,
    programs: Option<ProgramKind>,
}

impl Registry {
    /// A registry with bots of these kinds, by their names, and no programs.
    pub fn new(kinds: impl IntoIterator<Item = BotKind>) -> Registry {
        Registry { kinds: kinds.into_iter().collect(), ..Registry::default() }
    }

    /// The same with a bot of the program that uses this library.
    ///
    /// # Errors
    /// Its name is invalid, or is that of another bot.
    pub fn with_own(mut self, bot: BotEntry) -> Result<Registry, String> {
        let name = &bot.name;
        if !is_plain(name) {
            return Err(format!("`{name}` is not a valid name for a bot: {PLAIN}"));
        }
        if self.bots().contains(name) {
            return Err(format!("there is already a bot `{name}`; give yours another name"));
        }
        self.own.push(bot);
        Ok(self)
    }

    /// The same registry, in which sections `[bots.NAME]` can name programs.
    pub fn with_programs(self, programs: ProgramKind) -> Registry {
        Registry { programs: Some(programs), ..self }
    }

    /// A maker of the bot that the canonical form of an experiment describes under this name.
    ///
    /// # Errors
    /// There is no such bot here, or it plays differently; the error says why.
    pub fn recreate(&self, name: &str, content: &Value) -> Result<BotMaker, String> {
        self.entry(name, content).map(|bot| bot.maker)
    }

    /// The bot that the canonical form of an experiment describes under this name, as the experiment had it.
    ///
    /// # Errors
    /// Those of [`Registry::recreate`].
    pub(crate) fn entry(&self, name: &str, content: &Value) -> Result<BotEntry, String> {
        if let Some(own) = self.own(name) {
            // Its content is chosen by its author: a handicap has its own section, and that has another name.
            return same(own.clone(), content);
        }
        let bot = if content.get("command").is_some() {
            let program = Program::deserialize(content);
            self.program(
                &program.map_err(|error| format!("the experiment does not describe its program: {error}"))?,
            )?
        } else if let Some(kind) = content["kind"].as_str() {
            let settings = content["settings"].as_object().into_iter().flatten();
            let settings = settings.filter_map(|(key, value)| Some((key.clone(), value.as_u64()?)));
            let blake3 = Some(content[WEIGHTS].as_str().unwrap_or_default());
            let weights = content[WEIGHTS_FILE].as_str().map(|path| WeightsFile { path, blake3 });
            self.tuned(kind, &settings.collect(), weights)?
        } else {
            let kind = self.kind(name);
            kind.ok_or_else(|| format!("there is no bot `{name}` here; it played as {content}"))?.into()
        };
        same(named(bot, name, handicap_of(content)), content)
    }

    fn own(&self, name: &str) -> Option<&BotEntry> {
        self.own.iter().find(|bot| bot.name == name)
    }

    fn kind(&self, name: &str) -> Option<BotKind> {
        self.kinds.iter().copied().find(|kind| kind.name == name)
    }

    /// The kind with this name, or why there is none.
    fn known_kind(&self, name: &str) -> Result<BotKind, String> {
        self.kind(name).ok_or_else(|| {
            format!("there is no kind `{name}`; {}", suggest(name, self.bots().iter().map(String::as_str)))
        })
    }

    /// A program as a bot, with everything visible from outside that determines how it plays: its command, its times,
    /// and the files that the command names.
    fn program(&self, program: &Program) -> Result<BotEntry, String> {
        let programs = self.programs.ok_or("this program cannot start other programs as bots")?;
        let files: BTreeMap<&str, String> = program
            .command
            .iter()
            .filter(|word| Path::new(word).is_file())
            .filter_map(|word| Some((word.as_str(), hash_of(Path::new(word)).ok()?)))
            .collect();
        let mut content = json!(program);
        content["protocol"] = json!(programs.protocol);
        content["files"] = json!(files);
        let (name, origin) = (String::new(), BotOrigin::Guest(program.repeats));
        Ok(BotEntry { name, origin, content, pace: Pace::Slow, maker: (programs.make)(program) })
    }

    /// A bot of a kind, or of the program's own, with settings of its own and perhaps the weights of another file.
    fn tuned(
        &self,
        name: &str,
        given: &BTreeMap<String, u64>,
        weights: Option<WeightsFile<'_>>,
    ) -> Result<BotEntry, String> {
        let unlearned = || format!("`{name}` has no `weights`; remove the key");
        if let Some(own) = self.own(name) {
            if weights.is_some() {
                return Err(unlearned());
            }
            return match given.keys().next() {
                Some(key) => Err(format!("`{name}` has no settings, so there is no `{key}`")),
                None => Ok(BotEntry { content: json!({ "kind": name, "bot": own.content }), ..own.clone() }),
            };
        }
        let kind = self.known_kind(name)?;
        let settings = kind.settings();
        for (key, &value) in given {
            let Some(setting) = settings.iter().find(|setting| setting.name == *key) else {
                return Err(match settings {
                    [] => format!("`{name}` has no settings, so there is no `{key}`"),
                    _ => {
                        let known = settings.iter().map(|setting| setting.name);
                        format!("`{name}` has no setting `{key}`; {}", suggest(key, known))
                    }
                });
            };
            if !(setting.least..=setting.most).contains(&value) {
                let (least, most) = (setting.least, setting.most);
                return Err(format!("`{key}` must be a whole number from {least} to {most}, not {value}"));
            }
        }
        let value = |setting: &BotSetting| given.get(setting.name).copied().unwrap_or(setting.default);
        let values: Vec<u64> = settings.iter().map(value).collect();
        let named: BTreeMap<&str, u64> =
            settings.iter().map(|setting| setting.name).zip(values.iter().copied()).collect();
        let mut content = json!({ "kind": name, "version": kind.version, "settings": named });
        add_weights(&kind, &mut content);
        let maker = match (weights, kind.tuning) {
            (Some(file), _) => {
                let learned = kind.weights.ok_or_else(unlearned)?;
                let (bytes, hash) = file.read()?;
                content[WEIGHTS] = json!(hash);
                content[WEIGHTS_FILE] = json!(file.path);
                (learned.make)(bytes, &values).map_err(|why| format!("{}: {why}", file.path))?
            }
            (None, Some(tuning)) => BotMaker::new(move || (tuning.make)(&values)),
            (None, None) => kind.into(),
        };
        Ok(BotEntry { content, maker, ..kind.into() })
    }
}

/// The bot, if it still plays in the same way.
fn same(bot: BotEntry, content: &Value) -> Result<BotEntry, String> {
    match bot.content == *content {
        true => Ok(bot),
        false => Err(format!("it was {content}, but is {} in this program", bot.content)),
    }
}

/// The key of a handicap in the content of a bot. It is present only if something is denied.
const WITHOUT: &str = "without";

/// The bot under this name, with a handicap.
fn named(bot: BotEntry, name: &str, handicap: Handicap) -> BotEntry {
    let BotEntry { mut content, maker, .. } = bot;
    if !handicap.is_none() {
        content[WITHOUT] = handicap.iter().map(Faculty::name).collect();
    }
    BotEntry { name: name.to_owned(), content, maker: maker.without(handicap), ..bot }
}

/// The handicap in such a content.
pub(crate) fn handicap_of(content: &Value) -> Handicap {
    let words = content.get(WITHOUT).and_then(Value::as_array).into_iter().flatten();
    words.filter_map(|word| Faculty::deserialize(word).ok()).collect()
}

/// The bot of a kind without settings.
impl From<BotKind> for BotEntry {
    fn from(kind: BotKind) -> BotEntry {
        let mut content = json!({ "version": kind.version });
        add_weights(&kind, &mut content);
        let (name, origin) = (kind.name.to_owned(), BotOrigin::Shipped);
        BotEntry { name, origin, content, pace: kind.pace, maker: kind.into() }
    }
}

/// The keys of the hash of a bot's weights, and of their file where it is not the shipped one.
const WEIGHTS: &str = "weights";
const WEIGHTS_FILE: &str = "weights_file";

/// The largest file of weights, in bytes: 16 MiB.
const MOST_WEIGHTS: u64 = 16 << 20;

/// Adds the hash of the weights that a kind of bot has learned.
fn add_weights(kind: &BotKind, content: &mut Value) {
    if let Some(weights) = kind.weights {
        content[WEIGHTS] = json!(blake3::hash(weights.shipped).to_hex().to_string());
    }
}

/// A file of weights in place of the one that ships.
#[derive(Clone, Copy)]
struct WeightsFile<'a> {
    path: &'a str,
    /// The hash of the weights that an experiment was played with, if it was played.
    blake3: Option<&'a str>,
}

impl WeightsFile<'_> {
    /// Its bytes and their hash. Other bytes than those that were played with are not handed out, so that nothing
    /// interprets them.
    fn read(self) -> Result<(Vec<u8>, String), String> {
        let WeightsFile { path, blake3 } = self;
        let unread = |error: std::io::Error| format!("cannot read the weights in `{path}`: {error}");
        let mut bytes = Vec::new();
        let opened = open_file(Path::new(path)).map_err(unread)?;
        opened.take(MOST_WEIGHTS + 1).read_to_end(&mut bytes).map_err(unread)?;
        if bytes.len() as u64 > MOST_WEIGHTS {
            return Err(format!(
                "`{path}` has more than {MOST_WEIGHTS} bytes, the most that weights may have"
            ));
        }
        let found = blake3::hash(&bytes).to_hex().to_string();
        match blake3.filter(|played| *played != found) {
            Some(played) => Err(format!(
                "`{path}` has the hash {found}, but the experiment was played with weights of the hash {played}"
            )),
            None => Ok((bytes, found)),
        }
    }
}

/// The hash of a file's bytes; only a piece of the file is in memory at a time.
fn hash_of(file: &Path) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(std::fs::File::open(file)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// The variant that was looked up.
fn found(variant: Result<Option<Variant>, VariantError>) -> Result<Variant, LookupError> {
    match variant {
        Ok(variant) => variant.ok_or(LookupError::Unknown),
        Err(VariantError::Faults(faults)) => Err(LookupError::Faults(faults)),
        Err(error) => Err(LookupError::Unusable(error.to_string())),
    }
}

impl Catalogue for Registry {
    fn variants(&self) -> Vec<String> {
        Variant::shipped().map(str::to_owned).collect()
    }

    fn variant(&self, name: &str, base: &Path) -> Result<VariantEntry, LookupError> {
        found(Variant::find(name, base)).map(VariantEntry::new)
    }

    fn has_parameter(&self, name: &str, base: &Path, parameter: &str) -> bool {
        Variant::has(name, base, parameter).unwrap_or(false)
    }

    fn variant_with(
        &self,
        name: &str,
        base: &Path,
        id: &str,
        settings: &[Parameter],
    ) -> Result<VariantEntry, LookupError> {
        let variant = found(Variant::find_with(name, base, settings))?;
        Ok(VariantEntry::new(Variant { id: id.to_owned(), ..variant }))
    }

    fn bots(&self) -> Vec<String> {
        let own = self.own.iter().map(|bot| bot.name.clone());
        own.chain(self.kinds.iter().map(|kind| kind.name.to_owned())).collect()
    }

    fn bot(&self, name: &str, _base: &Path) -> Result<BotEntry, LookupError> {
        if let Some(own) = self.own(name) {
            return Ok(own.clone());
        }
        self.kind(name).map(BotEntry::from).ok_or(LookupError::Unknown)
    }

    fn settings(&self, kind: &str) -> Result<&'static [BotSetting], String> {
        if self.own(kind).is_some() {
            return Ok(&[]);
        }
        self.known_kind(kind).map(|kind| kind.settings())
    }

    fn described(&self, section: &BotSection, _base: &Path) -> Result<BotEntry, LookupError> {
        let bot = match &section.recipe {
            BotRecipe::Program(program) => self.program(program),
            BotRecipe::Kind { kind, settings, weights } => {
                let weights = weights.as_deref().map(|path| WeightsFile { path, blake3: None });
                self.tuned(kind, settings, weights)
            }
        };
        Ok(named(bot.map_err(LookupError::Unusable)?, &section.name, section.handicap))
    }
}
