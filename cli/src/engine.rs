//! The seam between the command line and the game: what variants and bots there are, and who plays a game.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use upheaval::bot::BotKind;
use upheaval::rules::variant::Variant;
use upheaval::sim::{BotEntry, BotOrigin, Catalogue, Experiment, LookupError, Play, Player, VariantEntry};

use crate::failure::Failure;

/// The variants and bots of this build; keeps the variants that an experiment asked for.
#[derive(Default)]
pub struct Shelf {
    taken: RefCell<Vec<Arc<Variant>>>,
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
        let entry = VariantEntry {
            id: variant.id.clone(),
            first_year: variant.first_phase.year,
            content: variant.content(),
        };
        self.taken.borrow_mut().push(Arc::new(variant));
        Ok(entry)
    }

    fn bots(&self) -> Vec<String> {
        upheaval_bots::KINDS.iter().map(|kind| kind.name.to_owned()).collect()
    }

    fn bot(&self, name: &str, _base: &Path) -> Result<BotEntry, LookupError> {
        let kind = kind(name).ok_or(LookupError::Unknown)?;
        Ok(BotEntry {
            name: name.to_owned(),
            origin: BotOrigin::Shipped,
            content: json!({ "version": kind.version }),
        })
    }
}

fn kind(name: &str) -> Option<BotKind> {
    upheaval_bots::KINDS.into_iter().find(|kind| kind.name == name)
}

impl Shelf {
    /// What plays the games of an experiment that was read with this shelf, on all threads at once.
    pub fn player(&self, experiment: &Experiment) -> Result<Box<dyn Play>, Failure> {
        let missing = |what: &str, name: &str| Failure::input(format!("there is no {what} `{name}`"));
        let taken = self.taken.borrow();
        let variants = experiment.variants.iter().map(|entry| {
            let variant = taken.iter().find(|variant| variant.id == entry.id);
            variant.cloned().ok_or_else(|| missing("variant", &entry.id))
        });
        let bots = experiment.bots.iter().map(|bot| kind(&bot.name).ok_or_else(|| missing("bot", &bot.name)));
        Ok(Box::new(Player::new(variants.collect::<Result<_, _>>()?, bots.collect::<Result<_, _>>()?)))
    }
}
