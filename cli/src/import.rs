//! `upheaval import FILE…`: imports games of people from files into a run folder.

use std::fmt::Write;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use upheaval::analysis::Closing;
use upheaval::archive::{
    Boards, HostedImport, ImportRequest, ImportSurvey, Notice, OnMismatch, OtherRules, TryRules,
};
use upheaval::diagnostic::open_file;
use upheaval::game_record::FORMAT;
use upheaval::sim::{RunLog, RunReport, VariantEntry};

use crate::common::ThreadsArgument;
use crate::failure::Failure;
use crate::output::{FormatArgument, RECORD, files_line, of_run, print, print_json};
use crate::registry::{find_bot, find_record, find_variant, registry};

/// Import games that people played into a run folder
///
/// Each game is played again by its orders and compared with its file phase by phase. A game that differs is reported
/// and skipped, unless --try-rules or --keep-mismatches applies.
#[derive(Args)]
pub(crate) struct ImportArguments {
    /// Files of the package `diplomacy` or of webDiplomacy, or a game by hand
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Parent directory for the run folder
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    /// Name of the run and of its players; the names of people are not read
    #[arg(long, value_name = "NAME", default_value = "people")]
    name: String,
    /// Variant whose rules the games follow: id or file [default: standard]
    #[arg(long, value_name = "NAME|FILE")]
    variant: Option<String>,
    /// For a game that differs, try the switches of the rulebook one at a time
    #[arg(long)]
    try_rules: bool,
    /// Keep games that differ, and continue from the positions of their file
    #[arg(long)]
    keep_mismatches: bool,
    /// Bot that decides for people where a game by hand is played otherwise
    #[arg(long, value_name = "BOT", default_value = "dumbbot")]
    stand_in: String,
    /// Also write the table `orders`
    #[arg(long)]
    orders: bool,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    format: FormatArgument,
}

/// Runs the command.
pub(crate) fn command(arguments: &ImportArguments) -> Result<(), Failure> {
    if let [file] = &arguments.files[..]
        && let Some(file) = hosted(file)
    {
        return import_hosted(arguments, &file);
    }
    let name = arguments.variant.as_deref().unwrap_or("standard");
    let survey = ImportSurvey::of(ImportRequest {
        files: arguments.files.clone(),
        name: arguments.name.clone(),
        variant: VariantEntry::new(find_variant(name)?),
        boards: if arguments.variant.is_some() { Boards::Any } else { Boards::Standard },
        try_rules: if arguments.try_rules { TryRules::Yes } else { TryRules::No },
        mismatches: if arguments.keep_mismatches { OnMismatch::Kept } else { OnMismatch::LeftOut },
        log: RunLog { orders: arguments.orders, ..RunLog::default() },
        threads: arguments.threads.count(),
        out: arguments.out.clone(),
    })?;
    let mut tables = Closing::default();
    let report = survey.write(&mut tables)?;
    match arguments.format.is_json() {
        true => print_json(object(&survey, &tables, &report)),
        false => print(&text(&survey, &tables, &report)),
    }
}

/// The file, if it has a game by hand; the name of its folder stands for it.
fn hosted(path: &Path) -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct Head {
        format: String,
    }
    let file = if path.is_dir() { path.join(RECORD) } else { path.to_owned() };
    let head: Head = serde_json::from_reader(BufReader::new(open_file(&file).ok()?)).ok()?;
    (head.format == FORMAT).then_some(file)
}

/// Imports a game by hand.
fn import_hosted(arguments: &ImportArguments, file: &Path) -> Result<(), Failure> {
    let record = find_record(file)?;
    let import = HostedImport {
        record: &record,
        file: &file.display().to_string(),
        name: arguments.name.clone(),
        stand_in: find_bot(&arguments.stand_in)?.name,
        registry: &registry(),
        out: arguments.out.clone(),
    };
    let report = import.write()?;
    match arguments.format.is_json() {
        true => print_json(of_run(&report.path, &report.manifest)),
        false => print(&format!(
            "imported: {}, {}\n{}",
            record.game.experiment,
            record.outcome(),
            files_line(&report.path, &report.manifest)
        )),
    }
}

fn object(survey: &ImportSurvey, tables: &Closing, report: &RunReport) -> Value {
    let notices = |notices: &[Notice]| -> Vec<Value> {
        let notice = |notice: &Notice| {
            json!({
                "file": notice.game.file.display().to_string(),
                "line": notice.game.line,
                "id": notice.game.id,
                "reason": notice.reason.name(),
                "what": notice.what,
                "switch": notice.rule.as_ref().map(|rule| rule.switch.to_string()),
                "agrees_until": notice.rule.as_ref().and_then(|rule| rule.until.clone()),
            })
        };
        notices.iter().map(notice).collect()
    };
    let mut object = of_run(&report.path, &report.manifest);
    object["arms"] = tables.summary.to_json(survey.power_names());
    object["games_read"] = survey.import.files.iter().map(|file| file.games).sum::<u64>().into();
    object["left_out"] = notices(&survey.left_out).into();
    let other_rules = survey.other_rules.iter().map(|OtherRules { game, switch }| {
        json!({
            "file": game.file.display().to_string(),
            "line": game.line,
            "id": game.id,
            "switch": switch.to_string(),
        })
    });
    object["other_rules"] = other_rules.collect();
    object["kept_mismatches"] = notices(&survey.departed).into();
    object
}

fn text(survey: &ImportSurvey, tables: &Closing, report: &RunReport) -> String {
    let mut text = String::new();
    let list = |text: &mut String, notices: &[Notice], fate: &str| {
        for notice in notices {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{fate}: {notice}");
        }
        if !notices.is_empty() {
            text.push('\n');
        }
    };
    list(&mut text, &survey.left_out, "skipped");
    list(&mut text, &survey.departed, "kept");
    for OtherRules { game, switch } in &survey.other_rules {
        let _ = writeln!(text, "other rules: {game}: `{switch}`");
    }
    if !survey.other_rules.is_empty() {
        text.push('\n');
    }
    text += &tables.summary.render(survey.power_names());
    let (import, games) = (&survey.import, survey.games());
    let read: u64 = import.files.iter().map(|file| file.games).sum();
    let _ = write!(text, "\nimported: {games} of {read} games");
    if import.departed > 0 {
        let _ = write!(text, ", {} of them with positions from their files", import.departed);
    }
    let reasons: Vec<String> =
        import.left_out.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    if !reasons.is_empty() {
        let _ = write!(text, "; skipped: {}", reasons.join(", "));
    }
    if !survey.other_rules.is_empty() {
        let _ = write!(text, "; by other rules: {}", survey.other_rules.len());
    }
    let by_one_switch = survey.left_out.iter().filter(|notice| notice.agrees_by_one_switch()).count();
    if by_one_switch > 0 {
        let _ =
            write!(text, "\n--try-rules imports {by_one_switch} more, each with the switch that it needs");
    }
    text + "\n" + &files_line(&report.path, &report.manifest)
}
