//! The language of map changes, docs/changes.md: sets and entries against a slow reference, games of random entries,
//! the faults of files, and the examples of the page.

mod ahead;
mod borders;
mod canals;
mod checks;
pub(crate) mod draw;
mod fates;
mod follow;
mod games;
mod hostile;
mod lasting;
mod measured;
mod old;
mod order;
mod pages;
mod pairs;
mod reference;
mod sets;
mod terms;

use std::path::Path;
use std::sync::Arc;

use upheaval::diagnostic::Source;
use upheaval::rules::variant::Variant;

/// The file of the standard rules with this text before its sources.
pub fn file_with(text: &str) -> String {
    let standard = testkit::read("variants/standard.toml").replacen("\"standard\"", "\"mine\"", 1);
    let (rules, _) = standard.split_once("[sources]").expect("sources");
    format!("{rules}{text}")
}

/// The standard rules with these entries.
pub fn with(entries: &str) -> Result<Arc<Variant>, String> {
    let source = Source::new("mine.toml", file_with(entries));
    Variant::check(&source, Path::new("")).map(Arc::new).map_err(|error| error.to_string())
}

/// The standard rules with these entries, which are sound.
pub fn sound(entries: &str) -> Arc<Variant> {
    with(entries).unwrap_or_else(|error| panic!("{error}\n{entries}"))
}
