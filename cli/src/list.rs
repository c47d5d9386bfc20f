//! `upheaval variants` and `upheaval bots`: what there is, each with a line of explanation.

use std::fmt::Write;
use std::io;

use upheaval::rules::variant::Variant;

use crate::failure::{Failure, print};
use crate::map::find_variant;

/// Lists the variants.
pub fn variants() -> Result<(), Failure> {
    let mut text = String::new();
    for id in Variant::shipped() {
        let variant = find_variant(id)?;
        let _ = writeln!(text, "{id:<16}{}: {}", variant.title, variant.summary);
    }
    print(&text, io::stdout().lock())
}

/// Lists the bots.
pub fn bots() -> Result<(), Failure> {
    let mut text = String::new();
    for kind in upheaval_bots::KINDS {
        let _ = writeln!(text, "{:<16}{}", kind.name, kind.description);
    }
    print(&text, io::stdout().lock())
}
