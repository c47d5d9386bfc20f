//! `upheaval join FOLDER…`: joins shards to their run.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use upheaval::sim::join::{join, still_missing};

use crate::failure::Failure;
use crate::output::{FormatArgument, lines, of_run, print, print_json};

/// Join the shards of a run into the whole run
///
/// The joined folder equals that of a run on one machine, byte for byte.
#[derive(Args)]
pub(crate) struct JoinArguments {
    /// Folders of all shards, in any order
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Only list the missing chunks, for `upheaval run --chunks`
    #[arg(long, conflicts_with = "out")]
    partial: bool,
    /// Split the list of missing chunks into at most N lines, for a job array
    #[arg(long, value_name = "N", requires = "partial", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pieces: u32,
    /// Parent directory for the run folder [default: that of the first shard]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgument,
}

/// Runs the command.
pub(crate) fn command(arguments: &JoinArguments) -> Result<(), Failure> {
    if arguments.partial {
        let missing = still_missing(&arguments.folders)?;
        let lists = missing.map_or_else(Vec::new, |missing| missing.pieces(arguments.pieces as usize));
        if arguments.format.is_json() {
            let lists: Vec<String> = lists.iter().map(ToString::to_string).collect();
            return print_json(json!({ "missing": lists }));
        }
        return print(&lines(lists));
    }
    let report = join(&arguments.folders, arguments.out.as_deref())?;
    if arguments.format.is_json() {
        return print_json(of_run(&report.path, &report.manifest));
    }
    let bytes: u64 = report.manifest.files.iter().map(|file| file.bytes).sum();
    let (games, path) = (report.manifest.games, report.path.display());
    print(&format!("{games} games\nfiles: {path} ({:.1} MB)\n", bytes as f64 / 1e6))
}
