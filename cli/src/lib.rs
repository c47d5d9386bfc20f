//! The `upheaval` command line: arguments in, library calls, text out. It is the only crate that prints.
//!
//! Exit codes:
//!
//! - 0: success
//! - 1: runtime failure (disk, threads); a failed check (`verify`, `replay`, `run` of a folder, `compliance`,
//!   `map check`, a line of `adjudicate`); a bot that failed in too many games
//! - 2: invalid input or argument
//! - 101: the program panicked, which is a bug
//! - 130: interrupted
//!
//! An error is one line on standard error.
//!
//! A library target lets Cargo pipeline compilation; a binary target would have to wait for its dependencies to finish.

mod adjudicate;
mod balance;
mod common;
mod compliance;
mod daide;
mod effect;
mod elsewhere;
mod failure;
mod game;
mod help;
mod import;
mod join;
mod ladder;
mod list;
mod map;
mod new;
mod output;
mod plan;
mod progress;
mod readable;
mod registry;
mod replay;
mod report;
mod run;
mod schema;
mod shell;
mod sprt;
mod tournament;
mod tune;
mod verify;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};
use upheaval::sim::output::manifest::set_revision;
use upheaval_bots::external::guard::{self, GuardTask};

use crate::failure::Failure;

/// Play and analyse Diplomacy variants whose map changes during play.
#[derive(Parser)]
#[command(name = "upheaval", version)]
struct Arguments {
    /// Do not show progress
    #[arg(long, short, global = true, display_order = 901)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::RunArguments),
    Join(join::JoinArguments),
    Import(import::ImportArguments),
    Tournament(tournament::TournamentArguments),
    Sprt(sprt::SprtArguments),
    Ladder(ladder::LadderArguments),
    Tune(tune::TuneArguments),
    Balance(balance::BalanceArguments),
    Effect(effect::EffectArguments),
    Standings(tournament::StandingsArguments),
    Report(report::ReportArguments),
    Verify(verify::VerifyArguments),
    Game(game::GameArguments),
    Replay(replay::ReplayArguments),
    Adjudicate(adjudicate::AdjudicateArguments),
    Compliance(compliance::ComplianceArguments),
    Daide(daide::DaideArguments),
    Map(map::MapArguments),
    New(new::NewArguments),
    Variants(list::VariantsArguments),
    Bots(list::BotsArguments),
    Schema(schema::SchemaArguments),
    Completions(shell::CompletionsArguments),
    Man(shell::ManArguments),
}

/// The exit code after Ctrl-C or a request to end, as in shells.
const INTERRUPTED: i32 = 130;

/// The stack of the program, in bytes. The first thread has what the shell allows, which may be too little.
const STACK: usize = 8 << 20;

/// The exit code after a panic, as Rust has it.
const PANICKED: u8 = 101;

/// The program: it reads its arguments, and the result is its exit code.
pub fn main() -> ExitCode {
    match std::thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(program) {
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(PANICKED)),
        Err(error) => Failure::machine(error).report(),
    }
}

fn program() -> ExitCode {
    if let Some(task) = GuardTask::from_arguments(std::env::args_os()) {
        return run_guard(&task);
    }
    guard::guard_programs();
    if let Some(revision) = option_env!("UPHEAVAL_GIT") {
        set_revision(revision);
    }
    let done = |()| ExitCode::SUCCESS;
    let whole = help::command::<Arguments>();
    let given: Vec<OsString> = std::env::args_os().collect();
    let parsed = whole.clone().try_get_matches_from(&given);
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => match help::mistake(&error, &given, &whole) {
            Some(mistake) => return Failure::input(mistake).report(),
            None => error.exit(),
        },
    };
    if arguments.quiet {
        progress::silence();
    }
    // A process that is asked to end also ends the programs that it has started.
    let ended = on_end(|| {
        upheaval_bots::external::end_all();
        daide::end_child();
        std::process::exit(INTERRUPTED)
    });
    if let Err(error) = ended {
        return Failure::machine(error).report();
    }
    let result = match arguments.command {
        Command::Run(arguments) => run::command(&arguments),
        Command::Join(arguments) => join::command(&arguments).map(done),
        Command::Import(arguments) => import::command(&arguments).map(done),
        Command::Verify(arguments) => verify::command(&arguments),
        Command::Replay(arguments) => replay::command(&arguments),
        Command::Tournament(arguments) => tournament::command(&arguments).map(done),
        Command::Standings(arguments) => tournament::standings(&arguments).map(done),
        Command::Sprt(arguments) => sprt::command(&arguments).map(done),
        Command::Ladder(arguments) => ladder::command(&arguments).map(done),
        Command::Tune(arguments) => tune::command(&arguments).map(done),
        Command::Balance(arguments) => balance::command(&arguments).map(done),
        Command::Effect(arguments) => effect::command(&arguments).map(done),
        Command::Game(arguments) => game::command(&arguments),
        Command::Adjudicate(arguments) => adjudicate::command(&arguments),
        Command::Compliance(arguments) => compliance::command(&arguments),
        Command::Daide(arguments) => daide::command(&arguments).map(done),
        Command::Map(arguments) => map::command(&arguments),
        Command::New(arguments) => new::command(&arguments).map(done),
        Command::Report(arguments) => report::command(&arguments).map(done),
        Command::Schema(arguments) => schema::command(&arguments).map(done),
        Command::Variants(arguments) => list::variants(&arguments).map(done),
        Command::Bots(arguments) => list::bots(&arguments).map(done),
        Command::Completions(arguments) => shell::completions(&arguments, whole).map(done),
        Command::Man(arguments) => shell::man(&arguments, whole).map(done),
    };
    result.unwrap_or_else(|failure| failure.report())
}

/// Guards a program, and exits with its status.
fn run_guard(task: &GuardTask) -> ExitCode {
    let told = task.clone();
    let ended = on_end(move || {
        told.clear();
        std::process::exit(INTERRUPTED)
    });
    match ended.and_then(|()| task.run_guard()) {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Err(error) => Failure::machine(error).report(),
    }
}

/// Calls this function, on a thread of its own, when the process is asked to end: by Ctrl-C, a termination signal,
/// `SIGQUIT`, or a closed terminal.
///
/// # Errors
/// The system refuses.
#[cfg(unix)]
fn on_end(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])?;
    let waits = move || {
        if signals.forever().next().is_some() {
            end();
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(waits).map(|_| ())
}

#[cfg(not(unix))]
fn on_end(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut end = Some(end);
    ctrlc::set_handler(move || end.take().into_iter().for_each(|end| end())).map_err(io::Error::other)
}
