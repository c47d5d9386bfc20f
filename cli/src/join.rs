//! `upheaval join FOLDER…`: shards put together to the run that they are shards of.

use std::io;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use upheaval::sim::join::{join, still_missing};

use crate::failure::Failure;
use crate::format::{FormatArgument, of_run, print_json};
use crate::terminal::print;

/// Put the shards of a run together: the folder that a run of all of it would have left, byte for byte.
#[derive(Args)]
pub struct JoinArguments {
    /// The folders of all shards, in any order.
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Write nothing, and list the chunks that are missing, as `upheaval run --chunks` takes them; nothing where all are
    /// there.
    #[arg(long, conflicts_with = "out")]
    partial: bool,
    /// With `--partial`: the same chunks in this many lists at most, a line each, for the tasks of an array.
    #[arg(long, value_name = "N", requires = "partial", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pieces: u32,
    /// The folder in which the run folder is made; left out: where the first shard stands.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgument,
}

/// Does what the arguments say.
pub fn command(arguments: &JoinArguments) -> Result<(), Failure> {
    if arguments.partial {
        let missing = still_missing(&arguments.folders)?;
        let lists = missing.map_or_else(Vec::new, |missing| missing.pieces(arguments.pieces as usize));
        if arguments.format.is_json() {
            let lists: Vec<String> = lists.iter().map(ToString::to_string).collect();
            return print_json(json!({ "missing": lists }));
        }
        let text: String = lists.iter().map(|list| format!("{list}\n")).collect();
        return print(&text, io::stdout().lock());
    }
    let report = join(&arguments.folders, arguments.out.as_deref())?;
    if arguments.format.is_json() {
        return print_json(of_run(&report.path, &report.manifest));
    }
    let bytes: u64 = report.manifest.files.iter().map(|file| file.bytes).sum();
    let (games, path) = (report.manifest.games, report.path.display());
    print(&format!("{games} games\nfiles: {path} ({:.1} MB)\n", bytes as f64 / 1e6), io::stdout().lock())
}
