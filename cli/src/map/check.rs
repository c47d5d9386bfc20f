//! `upheaval map check FILE…`: can a board be played on, and if not, how can it be corrected?

use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::json;
use upheaval::diagnostic::Source;
use upheaval::topology::atlas::{self, AtlasError};
use upheaval::topology::{FaceKind, NamedMap};

use crate::failure::Failure;
use crate::terminal::{print, screenful};

/// Check map files: every fault is reported with its correction. Exit code 1 if anything is wrong.
#[derive(Args)]
pub(super) struct CheckArguments {
    /// The map files, TOML or JSON.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    format: CheckFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// For programs: for each file a line with `file`, `sound` and `faults`.
    Json,
    /// For people: a line for each fault, and one for the file.
    Text,
}

/// Runs the command.
pub(super) fn command(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    for path in &arguments.files {
        let source = Source::read(path).map_err(Failure::input)?;
        let checked = atlas::parse(source.name(), source.text());
        if checked.is_err() {
            code = ExitCode::from(1);
        }
        let text = match arguments.format {
            CheckFormat::Json => json_line(source.name(), &checked),
            CheckFormat::Text => text(source.name(), &checked),
        };
        print(&text, io::stdout().lock())?;
    }
    Ok(code)
}

fn json_line(file: &str, checked: &Result<NamedMap, AtlasError>) -> String {
    let faults: Vec<String> = match checked {
        Ok(_) => Vec::new(),
        Err(AtlasError::Faults { faults, .. }) => faults.clone(),
        Err(form @ AtlasError::Form { .. }) => vec![form.to_string()],
    };
    json!({ "file": file, "sound": checked.is_ok(), "faults": faults }).to_string() + "\n"
}

fn text(file: &str, checked: &Result<NamedMap, AtlasError>) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = match checked {
        Ok(chart) => writeln!(text, "{file}: sound ({})", sizes(chart)),
        Err(form @ AtlasError::Form { .. }) => {
            writeln!(text, "{}\n{file}: 1 fault", screenful(&form.to_string()))
        }
        Err(AtlasError::Faults { faults, .. }) => {
            for fault in faults {
                let _ = writeln!(text, "{file}: {}", screenful(fault));
            }
            let n = faults.len();
            writeln!(text, "{file}: {n} {}", if n == 1 { "fault" } else { "faults" })
        }
    };
    text
}

/// The contents of the board.
fn sizes(chart: &NamedMap) -> String {
    let of = |kind: FaceKind| chart.map().faces().filter(|(_, face)| face.kind() == kind).count();
    let (land, sea) = (of(FaceKind::Land), of(FaceKind::Sea));
    let impassable = match of(FaceKind::Impassable) {
        0 => String::new(),
        1 => ", beside an impassable face".to_owned(),
        n => format!(", beside {n} impassable faces"),
    };
    let centres = chart.centres().len();
    let powers = chart.power_names();
    format!(
        "{} provinces, {land} on land and {sea} at sea{impassable}; {centres} supply centres; powers {powers}",
        land + sea
    )
}
