//! Results, as text, JSON or files. All text of a command passes [`print`] on its way to a terminal: it may contain
//! names and lines from files that somebody else has written, so nothing in it may move the cursor, change colours or
//! reorder letters.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Value, json};
use upheaval::analysis::Faults;
use upheaval::bot::{Conduct, Incident};
use upheaval::diagnostic::one_line;
use upheaval::sim::output::manifest::{MANIFEST, Manifest};
use upheaval::sim::output::whole::{self, folder_of};

use crate::failure::Failure;
use crate::readable::readable;

/// The record of a game by hand in its folder.
pub(crate) const RECORD: &str = "game.json";

/// Prints text on standard output, for people or programs.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_to(text, io::stdout().lock())
}

/// Prints text there. A reader that has stopped reading (`upheaval … | head`) is not a failure.
pub(crate) fn print_to(text: &str, mut to: impl Write) -> Result<(), Failure> {
    match to.write_all(readable(text).as_bytes()).and_then(|()| to.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::machine(format!("cannot print: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// The exit code of a command that examines: 1 if it found a fault.
pub(crate) fn code(is_sound: bool) -> ExitCode {
    if is_sound { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// A line for each of these.
pub(crate) fn lines<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| format!("{item}\n")).collect()
}

/// The version of the objects that are described in docs/command-line.md.
const VERSION: u32 = 1;

/// The form of the result: for people, or for a program.
#[derive(Args)]
pub(crate) struct FormatArgument {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    json: JsonArgument,
}

/// The short form, for each command with a format that can be JSON.
#[derive(Args)]
pub(crate) struct JsonArgument {
    /// Short for `--format json`
    #[arg(long, display_order = 900, conflicts_with = "format")]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Words and tables for a terminal
    Text,
    /// JSON, as the command's page describes it
    Json,
}

impl FormatArgument {
    /// Is the result for a program?
    pub(crate) fn is_json(&self) -> bool {
        self.json.json || self.format == Format::Json
    }
}

/// Prints an object, with the version of its form.
pub(crate) fn print_json(mut object: Value) -> Result<(), Failure> {
    object["format"] = json!(VERSION);
    print(&pretty(&object)?)
}

/// JSON with a line for each value.
pub(crate) fn pretty(value: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(value).map_err(Failure::machine)? + "\n")
}

/// Why the games of a run are shown from its record, and not played again; empty if that is not so.
pub(crate) fn record_note(manifest: &Manifest) -> String {
    match &manifest.recorded[..] {
        [] => String::new(),
        bots => format!(
            "recorded: the orders of `{}`, because they are not declared to repeat; games are shown again from the record \
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

/// The line that says where the files of a run are, and how large.
pub(crate) fn files_line(folder: &Path, manifest: &Manifest) -> String {
    let bytes: u64 = manifest.files.iter().map(|file| file.bytes).sum();
    let rows: u64 = manifest.files.iter().filter_map(|file| file.rows).sum();
    format!("files: {} ({rows} rows, {:.1} MB)\n", folder.display(), bytes as f64 / 1e6)
}

/// Writes a file that is either complete or absent, even after a power failure.
pub(crate) fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    whole::write_whole(path, contents).map_err(|error| unwritten(path, &error))
}

/// Writes a file that is either complete or absent, where none exists yet.
pub(crate) fn create_whole(path: &Path, text: &str) -> Result<(), Failure> {
    whole::create_whole(path, text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::input(format!(
            "`{}` exists already and is not overwritten; choose another name, or move it away",
            path.display()
        )),
        _ => unwritten(path, &error),
    })
}

/// The real path of an existing or future file.
pub(crate) fn real_place(path: &Path) -> PathBuf {
    match (path.canonicalize(), folder_of(path).canonicalize(), path.file_name()) {
        (Ok(place), _, _) => place,
        (_, Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// A run folder contains only its own files; otherwise it is damaged.
pub(crate) fn refuse_within(place: &Path, folder: &Path) -> Result<(), Failure> {
    if !folder.join(MANIFEST).is_file() {
        return Ok(()); // not a run folder: that is reported later
    }
    match place_within(place, folder) {
        Some(above) => Err(Failure::input(format!(
            "`{}` is in the run folder, which `upheaval verify` would then report as damaged; choose a place outside it",
            above.display()
        ))),
        None => Ok(()),
    }
}

/// The real path of an existing or future file, as far as it exists, if that is in the folder.
pub(crate) fn place_within(place: &Path, folder: &Path) -> Option<PathBuf> {
    let (Ok(folder), Ok(place)) = (folder.canonicalize(), std::path::absolute(place)) else { return None };
    let above = place.ancestors().find_map(|above| above.canonicalize().ok()).unwrap_or(place);
    above.starts_with(&folder).then_some(above)
}

/// The error that a file or folder cannot be written.
pub(crate) fn unwritten(path: &Path, error: &io::Error) -> Failure {
    // The path that `tempfile` adds is that of its temporary file, which the user does not know.
    let error = error.to_string();
    let cause = error.split_once(" at path ").map_or(&*error, |(cause, _)| cause);
    Failure::machine(format!("cannot write `{}`: {cause}", path.display()))
}

/// The most reasons for refusing orders that are listed for a bot.
const REASONS: usize = 5;

/// The table of faults, and for each bot the first fault of each kind in words. The reasons for refusing orders are
/// kinds of their own, the most frequent first, each with the number of times.
pub(crate) fn faults_text(faults: &Faults, incidents: BTreeMap<&str, Vec<Incident>>) -> String {
    let mut text = faults.render();
    for (bot, kinds) in first_faults(incidents) {
        let (refused, others): (Vec<_>, Vec<_>) =
            kinds.iter().partition(|incident| incident.conduct == Conduct::Illegal);
        for first in others.into_iter().chain(refused.iter().copied().take(REASONS)) {
            let phase = first.phase.as_deref().unwrap_or("the start");
            let (game, power, name) = (&first.game, &first.power, first.conduct.name());
            // Of other faults, the first thousand are kept.
            let is_counted = first.conduct == Conduct::Illegal && first.times > 1;
            let often = if is_counted { format!(" {} times, first", first.times) } else { String::new() };
            let reason = one_line(&first.reason);
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{bot}: {name}{often} in {game}, {power}, {phase}: {reason}");
            if let Some(words) = first.last_words.lines().last() {
                let _ = writeln!(text, "{bot}: its last words: {words}");
            }
        }
        if let Some(rest @ [_, ..]) = refused.get(REASONS..) {
            let times: u64 = rest.iter().map(|incident| incident.times).sum();
            let reasons = rest.len();
            let _ = writeln!(text, "{bot}: illegal {times} times for {reasons} other reason(s)");
        }
    }
    text
}

/// The table as an object, and in `incidents` of each bot the first fault of each kind.
pub(crate) fn faults_json(faults: &Faults, incidents: BTreeMap<&str, Vec<Incident>>) -> Value {
    let mut object = faults.to_json();
    let incident = |bot: &str, first: &Incident| {
        json!({
            "bot": bot,
            "fault": first.conduct.name(),
            "game": first.game,
            "power": first.power,
            "phase": first.phase,
            "reason": first.reason,
            "last_words": first.last_words,
            "times": first.times,
        })
    };
    let of_bots = first_faults(incidents);
    let all = of_bots.iter().flat_map(|(bot, kinds)| kinds.iter().map(|first| incident(bot, first)));
    object["incidents"] = all.collect();
    object
}

/// Of each bot the first fault of each kind, counted, and each reason for refusing orders, the most frequent first.
fn first_faults<'a>(incidents: BTreeMap<&'a str, Vec<Incident>>) -> Vec<(&'a str, Vec<Incident>)> {
    let of_bot = |(bot, mut incidents): (&'a str, Vec<Incident>)| {
        // Within a game they are in order already.
        incidents.sort_by(|a, b| (&a.game, &a.power).cmp(&(&b.game, &b.power)));
        let mut kinds: Vec<Incident> = Vec::new();
        for conduct in Conduct::ALL {
            let mut of_kind = incidents.iter().filter(|incident| incident.conduct == conduct).cloned();
            if conduct == Conduct::Illegal {
                let from = kinds.len();
                kinds.extend(of_kind);
                kinds[from..].sort_by_key(|incident| Reverse(incident.times));
            } else if let Some(first) = of_kind.next() {
                let times = first.times + of_kind.map(|incident| incident.times).sum::<u64>();
                kinds.push(Incident { times, ..first });
            }
        }
        (bot, kinds)
    };
    incidents.into_iter().map(of_bot).collect()
}
