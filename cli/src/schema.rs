//! `upheaval schema map|variant|experiment|tournament`: JSON Schemas of the files that people write, for editors.
//!
//! They are derived from the types that read these files.

use clap::{Args, ValueEnum};
use upheaval::rules::variant;
use upheaval::sim::{experiment, tournament};
use upheaval::topology::atlas;

use crate::failure::Failure;
use crate::output::{pretty, print};

/// Print the JSON Schema of a kind of file, for editors
#[derive(Args)]
pub(crate) struct SchemaArguments {
    /// Kind of file
    #[arg(value_enum)]
    kind: FileKind,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FileKind {
    /// A board, in TOML or JSON.
    Map,
    /// A rule set.
    Variant,
    /// The input of `upheaval run`.
    Experiment,
    /// The input of `upheaval tournament`.
    Tournament,
}

/// Runs the command.
pub(crate) fn command(arguments: &SchemaArguments) -> Result<(), Failure> {
    let schema = match arguments.kind {
        FileKind::Map => atlas::schema(),
        FileKind::Variant => variant::schema(),
        FileKind::Experiment => experiment::schema(),
        FileKind::Tournament => tournament::schema(),
    };
    print(&pretty(&schema)?)
}
