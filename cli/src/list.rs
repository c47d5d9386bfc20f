//! `upheaval variants` and `upheaval bots`: what there is, each with a line of explanation; `upheaval variants show`:
//! one variant with its parameters.

use std::fmt::Write;
use std::io;

use clap::{Args, Subcommand};
use upheaval::rules::variant::Variant;
use upheaval::rules::variant::parameter::Parameter;

use crate::failure::{Failure, print};
use crate::map::find_variant;

/// List the variants, or show one with its parameters.
#[derive(Args)]
pub struct VariantsArguments {
    #[command(subcommand)]
    command: Option<VariantsCommand>,
}

#[derive(Subcommand)]
enum VariantsCommand {
    /// Print a variant: what it is, each of its parameters, and where that comes from.
    Show {
        /// A variant that ships, or the path of a variant file.
        variant: String,
    },
}

/// Lists the variants, or shows one.
pub fn variants(arguments: &VariantsArguments) -> Result<(), Failure> {
    match &arguments.command {
        None => list_variants(),
        Some(VariantsCommand::Show { variant }) => show(&find_variant(variant)?),
    }
}

fn show(variant: &Variant) -> Result<(), Failure> {
    let mut text =
        format!("{}: {}\n{}\nsource: {}\n", variant.id, variant.title, variant.summary, variant.source);
    for Parameter { key, value, values, meaning, source } in variant.parameters() {
        let source = source.unwrap_or("the file does not say");
        let _ = write!(text, "\n{key} = {value}\n    {meaning} ({values})\n    source: {source}\n");
    }
    print(&text, io::stdout().lock())
}

fn list_variants() -> Result<(), Failure> {
    let mut text = String::new();
    for id in Variant::shipped() {
        let variant = find_variant(id)?;
        let _ = writeln!(text, "{id:<20}{}: {}", variant.title, variant.summary);
    }
    print(&text, io::stdout().lock())
}

/// Lists the bots.
pub fn bots() -> Result<(), Failure> {
    let mut text = String::new();
    for kind in upheaval_bots::KINDS {
        let _ = writeln!(text, "{:<16}{}", kind.name, kind.description);
        for setting in kind.tuning.map_or(&[][..], |tuning| tuning.settings) {
            let upheaval::bot::Setting { name, meaning, least, most, default } = setting;
            let _ = writeln!(text, "{:<16}  {name} = {default}: {meaning} ({least} to {most})", "");
        }
    }
    print(&text, io::stdout().lock())
}
