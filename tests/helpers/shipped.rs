//! The variants that ship, by name: their files with a change, and games from any position.

use std::path::Path;
use std::sync::Arc;

use upheaval::diagnostic::Source;
use upheaval::rules::variant::Variant;

use super::table::{Lists, Table};

/// A variant that ships, by its id.
#[derive(Clone, Copy)]
pub struct Shipped(&'static str);

pub const STANDARD: Shipped = Shipped("standard");
pub const BLACK_HOLE: Shipped = Shipped("black-hole");
pub const BLACK_HOLE_I: Shipped = Shipped("black-hole-i");
pub const DELUGE_II: Shipped = Shipped("deluge-ii");
pub const DOUBLE_REVERSIBLE: Shipped = Shipped("double-reversible");
pub const SCHIZO_II: Shipped = Shipped("schizo-ii");
pub const BLACK_HOLE_2012: Shipped = Shipped("black-hole-2012");
pub const DOUBLE_REVERSIBLE_2014: Shipped = Shipped("double-reversible-2014");
pub const SCHIZO: Shipped = Shipped("schizo");
pub const DELUGE: Shipped = Shipped("deluge");
pub const IMPASSABLE: Shipped = Shipped("impassable");
pub const SAHARA: Shipped = Shipped("sahara");
pub const SEISMIC_1971: Shipped = Shipped("seismic-1971");

/// The variant with this id that ships.
pub fn variant(id: &str) -> Arc<Variant> {
    Arc::new(Variant::find(id, Path::new("")).expect("sound").expect("shipped"))
}

/// The variant of a file's text, or the error.
pub fn check(text: String) -> Result<Arc<Variant>, String> {
    let source = Source::new("my.toml", text);
    Variant::check(&source, Path::new("")).map(Arc::new).map_err(|error| error.to_string())
}

impl Shipped {
    pub fn variant(self) -> Arc<Variant> {
        variant(self.0)
    }

    /// Its file's text.
    pub fn text(self) -> String {
        testkit::read(&format!("variants/{}.toml", self.0))
    }

    /// Its file's text with one change: at the first place that contains this.
    pub fn text_with(self, from: &str, to: &str) -> String {
        let text = self.text();
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    }

    /// The variant with one thing in its file changed.
    pub fn changed(self, from: &str, to: &str) -> Arc<Variant> {
        check(self.text_with(from, to)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A game from a given position: see [`Table::set_in`].
    pub fn set(self, phase: &str, map_events: &[&str], units: &Lists<'_>, centres: &Lists<'_>) -> Table {
        Table::set_in(self.variant(), phase, map_events, units, centres)
    }
}
