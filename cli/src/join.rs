//! `upheaval join FOLDER…`: shards put together to the run that they are shards of.

use std::io;
use std::path::PathBuf;

use clap::Args;
use upheaval::sim::join::join;

use crate::failure::{Failure, print};

/// Put the shards of a run together: the folder that a run of all of it would have left, byte for byte.
#[derive(Args)]
pub struct JoinArguments {
    /// The folders of all shards, in any order.
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The folder in which the run folder is made; left out: where the first shard stands.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Does what the arguments say.
pub fn command(arguments: &JoinArguments) -> Result<(), Failure> {
    let report = join(&arguments.folders, arguments.out.as_deref())?;
    let bytes: u64 = report.manifest.files.iter().map(|file| file.bytes).sum();
    let (games, path) = (report.manifest.games, report.path.display());
    print(&format!("{games} games\nfiles: {path} ({:.1} MB)\n", bytes as f64 / 1e6), io::stdout().lock())
}
