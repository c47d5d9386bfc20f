//! `upheaval verify FOLDER…`: are result folders complete and unharmed?

use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use upheaval::sim::verify::{Report, verify};

use crate::failure::{Failure, print};

/// Check that result folders (runs, tournaments, shards) are complete and unharmed: every file with its size, hash and rows,
/// every game of the schedule. Exit code 1 if anything is wrong.
#[derive(Args)]
pub struct VerifyArguments {
    /// The folders.
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

/// Does what the arguments say.
pub fn command(arguments: &VerifyArguments) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    for folder in &arguments.folders {
        let report = verify(folder).map_err(Failure::input)?;
        if !report.is_sound() {
            code = ExitCode::from(1);
        }
        print(&text(&folder.display().to_string(), &report), io::stdout().lock())?;
    }
    Ok(code)
}

fn text(folder: &str, report: &Report) -> String {
    let mut text = String::new();
    for fault in &report.faults {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{fault}");
    }
    let Some(manifest) = report.manifest.as_ref().filter(|_| report.is_sound()) else {
        let _ = match report.faults.len() {
            1 => writeln!(text, "{folder}: 1 fault"),
            n => writeln!(text, "{folder}: {n} faults"),
        };
        return text;
    };
    let shard = manifest.shard.as_ref().map_or(String::new(), |shard| format!("shard {shard}, "));
    let import = manifest.import.as_ref().map_or(String::new(), |import| {
        let files = import.files.len();
        format!(
            "imported games of {files} file{}, which are not played again; ",
            if files == 1 { "" } else { "s" }
        )
    });
    let (games, files) = (manifest.games, manifest.files.len());
    let (rows, bytes) = (report.rows, report.bytes as f64 / 1e6);
    let _ = writeln!(
        text,
        "{folder}: sound ({import}{shard}{games} games in {files} files, {rows} rows, {bytes:.1} MB: sizes, hashes, rows, games in \
         order, nothing else there)"
    );
    text
}
