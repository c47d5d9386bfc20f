//! `upheaval compliance CMD...`: checks a program that is to play, message by message.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};
use upheaval::bot::Guest;
use upheaval::game_record::replay;
use upheaval::sim::Program;
use upheaval_bots::external::Transcript;
use upheaval_bots::external::compliance::{Finding, Positions, Trial, examine};

use crate::failure::Failure;
use crate::output::{FormatArgument, code, lines, print, print_json};
use crate::registry::{find_record, find_variant};

/// Check that a program follows the bot protocol
///
/// The program receives every message of the protocol, and plays some years of every variant. Exit code 1 if anything
/// is wrong.
#[derive(Args)]
pub(crate) struct ComplianceArguments {
    /// Time limit for each answer, in milliseconds
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    stall_ms: u64,
    /// Play only this variant: id or file; repeatable [default: all]
    #[arg(long = "variant", value_name = "NAME|FILE")]
    variants: Vec<String>,
    /// Ask in the positions of a game that `replay --export` wrote; repeatable
    #[arg(long = "game", value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Seed of the games and seats
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write all messages to a file: sent `>`, received `<`, errors `!`
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Pass this environment variable to the program; repeatable
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
    /// Working directory of the program
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    format: FormatArgument,
    /// Program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Runs the command.
pub(crate) fn command(arguments: &ComplianceArguments) -> Result<ExitCode, Failure> {
    let guest = Guest { env: arguments.env.clone(), folder: arguments.folder.clone(), ..Guest::default() };
    let (command, stall_ms) = (arguments.command.clone(), arguments.stall_ms);
    let program = Program { command, stall_ms, guest, ..Program::default() };
    let file = |path: &PathBuf| {
        let file = std::fs::File::create(path)
            .map_err(|error| Failure::input(format!("cannot write `{}`: {error}", path.display())))?;
        Ok::<_, Failure>(Transcript::new(io::BufWriter::new(file)))
    };
    let trial = Trial {
        variants: arguments
            .variants
            .iter()
            .map(|name| find_variant(name).map(Arc::new))
            .collect::<Result<_, _>>()?,
        positions: arguments.games.iter().map(|path| positions(path)).collect::<Result<_, _>>()?,
        seed: arguments.seed,
        transcript: arguments.transcript.as_ref().map(file).transpose()?,
    };
    // A failure to print is reported after the tests.
    let mut printed = Ok(());
    let (mut findings, mut refused) = (Vec::new(), 0);
    let json = arguments.format.is_json();
    let sound = examine(&program, &trial, &mut |finding| {
        refused += finding.refused;
        if json {
            findings.push(object(finding));
        } else if printed.is_ok() {
            printed = print(&text(finding));
        }
    });
    printed?;
    if let Some(transcript) = &trial.transcript {
        transcript.finish().map_err(|error| Failure::machine(format!("the transcript: {error}")))?;
    }
    let code = code(sound);
    if json {
        return print_json(json!({ "sound": sound, "refused": refused, "parts": findings })).map(|()| code);
    }
    let more = "docs/bot-protocol.md has every message with examples";
    let closing = match (sound, refused) {
        (true, _) => "all checks passed\n".to_owned(),
        (false, 0) => format!("{more}\n"),
        (false, 1) => format!("an order was refused; {more}\n"),
        (false, refused) => format!("{refused} orders were refused; {more}\n"),
    };
    print(&closing).map(|()| code)
}

fn object(finding: &Finding) -> Value {
    let Finding { part, asked, refused, wrong } = finding;
    json!({ "part": part, "asked": asked, "refused": refused, "wrong": wrong })
}

/// The positions of a kept game.
fn positions(path: &Path) -> Result<Positions, Failure> {
    let kept = find_record(path)?;
    let name = format!("{}/{}", kept.game.variant, kept.game.game);
    let mut games = Vec::new();
    let replayed =
        replay(&kept, kept.variant(&path.display().to_string())?, &mut |game| games.push(game.clone()));
    if let Err(mismatch) = replayed {
        let file = path.display();
        return Err(Failure::input(format!("`{file}` does not replay as recorded: {name}, {mismatch}")));
    }
    // The last is the finished game.
    games.pop();
    Ok(Positions { name, games })
}

fn text(finding: &Finding) -> String {
    let asked = if finding.asked.is_empty() { String::new() } else { format!(" ({})", finding.asked) };
    if finding.wrong.is_empty() {
        return format!("ok     {}{asked}\n", finding.part);
    }
    let wrong = finding.wrong.iter().map(|wrong| format!("       {wrong}"));
    format!("WRONG  {}{asked}\n{}", finding.part, lines(wrong))
}
