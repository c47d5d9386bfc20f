//! The bots that an experiment names: bots that ship, and those of its sections `[bots.NAME]`.

use std::path::Path;

use toml::Spanned;

use super::catalogue::{BotEntry, Catalogue};
use super::error::unusable;
use super::plain::{PLAIN, is_plain};
use crate::sim::bots;
use upheaval_engine::diagnostic::Diagnostic;
use upheaval_engine::diagnostic::table::Table;

/// The bots found so far, each once.
pub struct Bots<'a, C> {
    /// The experiment's own bots.
    described: Vec<BotEntry>,
    base: &'a Path,
    catalogue: &'a C,
    entries: Vec<BotEntry>,
}

impl<'a, C: Catalogue> Bots<'a, C> {
    /// No bots yet, for an experiment whose paths start at `base`.
    pub(super) fn new(root: &Table<'_>, base: &'a Path, catalogue: &'a C) -> Result<Self, Diagnostic> {
        let described = described(root, base, catalogue)?;
        Ok(Bots { described, base, catalogue, entries: Vec::new() })
    }

    /// All bots found, in the order in which they were found.
    pub(super) fn met(self) -> Vec<BotEntry> {
        self.entries
    }

    /// The index of the bot with this name, which is in this table.
    ///
    /// # Errors
    /// There is no such bot, or it cannot be used.
    pub fn index(&mut self, seats: &Table<'_>, name: &Spanned<&str>) -> Result<usize, Diagnostic> {
        let own = self.described.iter().find(|entry| entry.name == *name.get_ref());
        let entry = match own {
            Some(entry) => entry.clone(),
            None => self.catalogue.bot(name.get_ref(), self.base).map_err(|error| {
                let mut known = self.catalogue.bots();
                known.extend(self.described.iter().map(|entry| entry.name.clone()));
                unusable(seats, name.span(), "bot", name.get_ref(), error, &known)
            })?,
        };
        if let Some(index) = self.entries.iter().position(|known| known.name == entry.name) {
            return Ok(index);
        }
        self.entries.push(entry);
        Ok(self.entries.len() - 1)
    }
}

/// The bots of the sections `[bots.NAME]`, seated or not.
fn described(root: &Table<'_>, base: &Path, catalogue: &impl Catalogue) -> Result<Vec<BotEntry>, Diagnostic> {
    let mut entries = Vec::new();
    for section in bots::sections(root)? {
        let place = root.table("bots")?.and_then(|bots| bots.key(&section.name)).unwrap_or_default();
        if !is_plain(&section.name) {
            let message = format!("`{}` is not a valid name for a bot: {PLAIN}", section.name);
            return Err(root.fault(place, message));
        }
        if catalogue.bots().contains(&section.name) {
            let message = format!("`{}` is the name of a bot that ships; give yours another", section.name);
            return Err(root.fault(place, message));
        }
        let entry = catalogue
            .described(&section, base)
            .map_err(|error| unusable(root, place, "bot", &section.name, error, &catalogue.bots()))?;
        entries.push(entry);
    }
    Ok(entries)
}
