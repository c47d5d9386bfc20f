//! The seam between the command line and the game: what variants and bots there are, and who plays a game.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use upheaval::bot::{BotKind, BotMaker, Pace};
use upheaval::diagnostic::suggest;
use upheaval::rules::variant::setting::Setting;
use upheaval::rules::variant::{Variant, VariantError};
use upheaval::sim::{
    BotEntry, BotOrigin, BotRecipe, BotSection, Catalogue, Experiment, LookupError, Play, Player, Program,
    VariantEntry,
};
use upheaval_bots::external::{self, Incident, Pool};

use crate::failure::Failure;

/// The variants and bots of this build; keeps the variants that an experiment asked for, and the bots that it describes.
#[derive(Default)]
pub struct Shelf {
    taken: RefCell<Vec<Arc<Variant>>>,
    own: RefCell<Vec<OwnBot>>,
}

/// A bot of a section `[bots.NAME]`.
struct OwnBot {
    name: String,
    maker: BotMaker,
    /// The processes, if it is a program.
    pool: Option<Arc<Pool>>,
}

impl Catalogue for Shelf {
    fn variants(&self) -> Vec<String> {
        Variant::shipped().map(str::to_owned).collect()
    }

    fn variant(&self, name: &str, base: &Path) -> Result<VariantEntry, LookupError> {
        let variant = match Variant::find(name, base) {
            Ok(Some(variant)) => variant,
            Ok(None) => return Err(LookupError::Unknown),
            Err(error) => return Err(LookupError::Unusable(error.to_string())),
        };
        Ok(self.take(variant))
    }

    fn has_parameter(&self, name: &str, base: &Path, parameter: &str) -> bool {
        Variant::has(name, base, parameter).unwrap_or(false)
    }

    fn variant_with(
        &self,
        name: &str,
        base: &Path,
        id: &str,
        settings: &[Setting],
    ) -> Result<VariantEntry, LookupError> {
        match Variant::find_with(name, base, settings) {
            Ok(Some(variant)) => Ok(self.take(Variant { id: id.to_owned(), ..variant })),
            Ok(None) => Err(LookupError::Unknown),
            // The line is one of a text that nobody has seen.
            Err(VariantError::Fault(fault)) => Err(LookupError::Unusable(fault.message)),
            Err(error) => Err(LookupError::Unusable(error.to_string())),
        }
    }

    fn bots(&self) -> Vec<String> {
        upheaval_bots::KINDS.iter().map(|kind| kind.name.to_owned()).collect()
    }

    fn bot(&self, name: &str, _base: &Path) -> Result<BotEntry, LookupError> {
        let kind = kind(name).ok_or(LookupError::Unknown)?;
        let content = json!({ "version": kind.version });
        Ok(BotEntry { name: name.to_owned(), origin: BotOrigin::Shipped, content, pace: kind.pace })
    }

    fn described(&self, section: &BotSection, _base: &Path) -> Result<BotEntry, LookupError> {
        let (maker, pool, origin, content, pace) = match &section.recipe {
            BotRecipe::Program(program) => {
                let pool = Pool::new(program.clone());
                let origin = match program.move_ms {
                    Some(_) => BotOrigin::ProgramOnClock,
                    None => BotOrigin::Program,
                };
                (external::maker(&pool), Some(pool), origin, program_content(program), Pace::Slow)
            }
            BotRecipe::Kind { kind, settings } => {
                let (maker, content, pace) = tuned(kind, settings).map_err(LookupError::Unusable)?;
                (maker, None, BotOrigin::Shipped, content, pace)
            }
        };
        self.own.borrow_mut().push(OwnBot { name: section.name.clone(), maker, pool });
        Ok(BotEntry { name: section.name.clone(), origin, content, pace })
    }
}

fn kind(name: &str) -> Option<BotKind> {
    upheaval_bots::KINDS.into_iter().find(|kind| kind.name == name)
}

/// What decides how a program plays, as far as that can be seen from outside: its command, its times, and the files that
/// the command names.
fn program_content(program: &Program) -> Value {
    let files: BTreeMap<&str, String> = program
        .command
        .iter()
        .filter(|word| Path::new(word).is_file())
        .filter_map(|word| {
            Some((word.as_str(), blake3::hash(&std::fs::read(word).ok()?).to_hex().to_string()))
        })
        .collect();
    json!({
        "command": program.command,
        "move_ms": program.move_ms,
        "stall_ms": program.stall_ms,
        "protocol": external::PROTOCOL,
        "files": files,
    })
}

/// The program of such a content.
fn program_of(content: &Value) -> Option<Program> {
    let words = content["command"].as_array()?.iter();
    Some(Program {
        command: words.map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        move_ms: content["move_ms"].as_u64(),
        stall_ms: content["stall_ms"].as_u64()?,
    })
}

/// A bot that ships with settings of its own, and what decides how it plays.
fn tuned(name: &str, given: &BTreeMap<String, u64>) -> Result<(BotMaker, Value, Pace), String> {
    let kind = kind(name).ok_or_else(|| {
        let known = upheaval_bots::KINDS.iter().map(|kind| kind.name);
        format!("there is no kind `{name}`; {}", suggest(name, known))
    })?;
    let settings = kind.tuning.map_or(&[][..], |tuning| tuning.settings);
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
    let value =
        |setting: &upheaval::bot::Setting| given.get(setting.name).copied().unwrap_or(setting.default);
    let values: Vec<u64> = settings.iter().map(value).collect();
    let named: BTreeMap<&str, u64> = settings.iter().map(|s| s.name).zip(values.iter().copied()).collect();
    let content = json!({ "kind": name, "version": kind.version, "settings": named });
    let maker = match kind.tuning {
        Some(tuning) => BotMaker::new(move || (tuning.make)(&values)),
        None => kind.into(),
    };
    Ok((maker, content, kind.pace))
}

impl Shelf {
    /// Keeps a variant, in place of another of the same id.
    fn take(&self, variant: Variant) -> VariantEntry {
        let entry = VariantEntry {
            id: variant.id.clone(),
            first_year: variant.first_phase.year,
            content: variant.content(),
            arm: None,
            files: variant.files.clone(),
        };
        let mut taken = self.taken.borrow_mut();
        taken.retain(|other| other.id != variant.id);
        taken.push(Arc::new(variant));
        entry
    }

    /// What plays the games of an experiment that was read with this shelf, on all threads at once.
    pub fn player(&self, experiment: &Experiment) -> Result<Box<dyn Play>, Failure> {
        let missing = |what: &str, name: &str| Failure::input(format!("there is no {what} `{name}`"));
        let (taken, own) = (self.taken.borrow(), self.own.borrow());
        let variants = experiment.variants.iter().map(|entry| {
            let variant = taken.iter().find(|variant| variant.id == entry.id);
            variant.cloned().ok_or_else(|| missing("variant", &entry.id))
        });
        let bots = experiment.bots.iter().map(|bot| match own.iter().find(|own| own.name == bot.name) {
            Some(own) => Ok(own.maker.clone()),
            None => kind(&bot.name).map(BotMaker::from).ok_or_else(|| missing("bot", &bot.name)),
        });
        let player = Player::new(variants.collect::<Result<_, _>>()?, bots.collect::<Result<Vec<_>, _>>()?);
        Ok(Box::new(player.with_faults(experiment.faults.clone())))
    }

    /// The bot that an experiment's canonical form describes, or why it is not to be had.
    pub fn bot_of(&self, name: &str, content: &Value) -> Result<BotMaker, String> {
        let same = |now: &Value, maker: BotMaker| match now == content {
            true => Ok(maker),
            false => Err(format!("it was {content}, and is {now} in this program")),
        };
        if content.get("command").is_some() {
            let program = program_of(content).ok_or("it is a program without a sound command")?;
            let pool = Pool::new(program.clone());
            let maker = external::maker(&pool);
            self.own.borrow_mut().push(OwnBot {
                name: name.to_owned(),
                maker: maker.clone(),
                pool: Some(pool),
            });
            return same(&program_content(&program), maker);
        }
        if let Some(kind) = content["kind"].as_str() {
            let settings = content["settings"].as_object().into_iter().flatten();
            let settings = settings.filter_map(|(key, value)| Some((key.clone(), value.as_u64()?)));
            let (maker, now, _) = tuned(kind, &settings.collect())?;
            return same(&now, maker);
        }
        let kind = kind(name).ok_or_else(|| format!("there is no bot `{name}` in this program"))?;
        same(&json!({ "version": kind.version }), kind.into())
    }

    /// What has been noticed about the programs that play, by bot.
    pub fn incidents(&self) -> BTreeMap<String, Vec<Incident>> {
        let own = self.own.borrow();
        let of = |bot: &OwnBot| Some((bot.name.clone(), bot.pool.as_ref()?.incidents()));
        own.iter().filter_map(of).collect()
    }
}
