//! `upheaval verify FOLDER…`: are result folders, and folders of games by hand, complete and undamaged?

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use upheaval::game_record::HostedGame;
use upheaval::sim::verify::{VerifyReport, verify};

use crate::failure::Failure;
use crate::game::faults;
use crate::output::{FormatArgument, RECORD, code, lines, pretty, print};

/// Check that result folders are complete and undamaged
///
/// Each file is compared with its listed size, hash and rows, and the games with the schedule; a game by hand is
/// replayed. Exit code 1 if a folder is damaged.
#[derive(Args)]
pub(crate) struct VerifyArguments {
    /// Run folders, or folders of `upheaval game`
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatArgument,
}

/// Runs the command.
pub(crate) fn command(arguments: &VerifyArguments) -> Result<ExitCode, Failure> {
    let mut is_sound = true;
    let mut entries = Vec::new();
    for folder in &arguments.folders {
        let name = folder.display().to_string();
        let (entry, text) = if folder.join(RECORD).exists() {
            let (game, faults) = faults(folder)?;
            is_sound &= faults.is_empty();
            (entry_of_game(&name, &faults), text_of_game(&name, &game, &faults))
        } else {
            let report = verify(folder).map_err(Failure::input)?;
            is_sound &= report.is_sound();
            (entry(&name, &report), text(&name, &report))
        };
        match arguments.format.is_json() {
            false => print(&text)?,
            true => entries.push(entry),
        }
    }
    if arguments.format.is_json() {
        print(&pretty(&entries)?)?;
    }
    Ok(code(is_sound))
}

fn entry_of_game(folder: &str, faults: &[String]) -> Value {
    json!({ "folder": folder, "sound": faults.is_empty(), "faults": faults, "games": 1 })
}

fn text_of_game(folder: &str, game: &HostedGame, faults: &[String]) -> String {
    let stages = game.record().stages.len();
    match faults.len() {
        0 => format!(
            "{folder}: sound (a game by hand: {stages} stages replay, and their files follow from them)\n"
        ),
        n => format!("{}{folder}: {n} fault{}\n", lines(faults), if n == 1 { "" } else { "s" }),
    }
}

fn entry(folder: &str, report: &VerifyReport) -> Value {
    let faults: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
    let manifest = report.manifest.as_ref();
    json!({
        "folder": folder,
        "sound": report.is_sound(),
        "faults": faults,
        "games": manifest.map(|manifest| manifest.games),
        "files": manifest.map(|manifest| manifest.files.len()),
        "rows": report.rows,
        "bytes": report.bytes,
    })
}

fn text(folder: &str, report: &VerifyReport) -> String {
    let faults = lines(&report.faults);
    let Some(manifest) = report.manifest.as_ref().filter(|_| report.is_sound()) else {
        let n = report.faults.len();
        return format!("{faults}{folder}: {n} fault{}\n", if n == 1 { "" } else { "s" });
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
    format!(
        "{faults}{folder}: sound ({import}{shard}{games} games in {files} files, {rows} rows, {bytes:.1} MB: sizes, hashes, \
         rows, games in order, no other files)\n"
    )
}
