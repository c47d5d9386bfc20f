//! `upheaval schema map|variant|experiment|tournament`: JSON Schemas of the files that people write, for editors.
//!
//! Those of maps and variants are made of the types that read them. Experiments and tournaments are read key by key, so
//! that a fault says what to write; `schema/run.rs` has their form as types, which the tests hold against the reader.

mod run;

use std::io;

use clap::{Args, ValueEnum};
use upheaval::rules::variant;
use upheaval::topology::atlas;

use crate::failure::Failure;
use crate::terminal::print;

/// Print the JSON Schema of a kind of file, for editors: it completes keys, and marks what is wrong.
#[derive(Args)]
pub struct SchemaArguments {
    /// The kind of file.
    #[arg(value_enum)]
    kind: FileKind,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FileKind {
    /// A board, in TOML or JSON.
    Map,
    /// A rule set.
    Variant,
    /// What `upheaval run` plays.
    Experiment,
    /// What `upheaval tournament` plays.
    Tournament,
}

/// Does what the arguments say.
pub fn command(arguments: &SchemaArguments) -> Result<(), Failure> {
    let schema = match arguments.kind {
        FileKind::Map => atlas::schema(),
        FileKind::Variant => variant::schema(),
        FileKind::Experiment => run::experiment(),
        FileKind::Tournament => run::tournament(),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(Failure::machine)? + "\n";
    print(&text, io::stdout().lock())
}
