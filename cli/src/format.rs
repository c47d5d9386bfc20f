//! How a result is printed: in words, or as one JSON object.

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use upheaval::sim::output::manifest::Manifest;

use crate::failure::Failure;
use crate::terminal::print;

/// The version of the objects that are described in docs/command-line.md.
const VERSION: u32 = 1;

/// Whether people or a program read the result.
#[derive(Args)]
pub(crate) struct FormatArgument {
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Words and tables for a terminal.
    Text,
    /// One JSON object, as docs/command-line.md describes it.
    Json,
}

impl FormatArgument {
    /// Is the result for a program?
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Prints an object, with the version of its form.
pub(crate) fn print_json(mut object: Value) -> Result<(), Failure> {
    object["format"] = json!(VERSION);
    let text = serde_json::to_string_pretty(&object).map_err(Failure::machine)? + "\n";
    print(&text, io::stdout().lock())
}

/// Why the games of a run are shown from its record, and not played again; empty if that is not so.
pub(crate) fn record_note(manifest: &Manifest) -> String {
    match &manifest.recorded[..] {
        [] => String::new(),
        bots => format!(
            "recorded: the orders of `{}`, whose answers are not declared to repeat; games are shown again from the record \
             (docs/bot-protocol.md)\n",
            bots.join("`, `")
        ),
    }
}

/// Where a run lies and what it is: the fields that all objects about a run folder share.
pub(crate) fn of_run(folder: &Path, manifest: &Manifest) -> Value {
    json!({
        "folder": folder.display().to_string(),
        "experiment": manifest.experiment,
        "experiment_hash": manifest.experiment_hash,
        "repeatable": manifest.repeatable,
        "recorded": manifest.recorded,
        "games": manifest.games,
        "files": manifest.files.len(),
        "rows": manifest.files.iter().filter_map(|file| file.rows).sum::<u64>(),
        "bytes": manifest.files.iter().map(|file| file.bytes).sum::<u64>(),
    })
}
