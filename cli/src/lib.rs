//! The `upheaval` command line: arguments in, library calls, text out. It is the only crate that prints.
//!
//! Exit codes: 0 done; 1 the machine failed (disk, threads), a line could not be answered, a program does not comply or
//! fails in too many games, a replay differs, a result folder is damaged or a map file is not sound; 2 the input or an
//! argument is wrong; 130 interrupted. An error is one line on standard error.
//!
//! It is a library so that it is compiled beside the crates that it depends on: a program begins when they have ended.

mod adjudicate;
mod balance;
mod blame;
mod common;
mod compliance;
mod daide;
mod effect;
mod elsewhere;
mod examples;
mod failure;
mod file;
mod format;
mod import;
mod join;
mod ladder;
mod list;
mod live;
mod map;
mod new;
mod plan;
mod progress;
mod readable;
mod replay;
mod report;
mod run;
mod schema;
mod shell;
mod signals;
mod sprt;
mod terminal;
mod tournament;
mod trust;
mod tune;
mod verify;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{FromArgMatches, Parser, Subcommand};

use upheaval::bot::BotKind;
use upheaval::sim::Registry;
use upheaval::sim::output::manifest::note_revision;
use upheaval_bots::external::guard::{self, GuardTask};

use crate::failure::Failure;

/// An engine and research harness for Diplomacy variants whose map changes during play.
#[derive(Parser)]
#[command(name = "upheaval", version)]
struct Arguments {
    /// Show no progress on standard error.
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::RunArguments),
    Join(join::JoinArguments),
    Import(import::ImportArguments),
    Verify(verify::VerifyArguments),
    Replay(replay::ReplayArguments),
    Tournament(tournament::TournamentArguments),
    Standings(tournament::StandingsArguments),
    Sprt(sprt::SprtArguments),
    Ladder(ladder::LadderArguments),
    Tune(tune::TuneArguments),
    Balance(balance::BalanceArguments),
    Effect(effect::EffectArguments),
    Adjudicate(adjudicate::AdjudicateArguments),
    Compliance(compliance::ComplianceArguments),
    Daide(daide::DaideArguments),
    Map(map::MapArguments),
    New(new::NewArguments),
    Report(report::ReportArguments),
    Schema(schema::SchemaArguments),
    Variants(list::VariantsArguments),
    Bots(list::BotsArguments),
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
        note_revision(revision);
    }
    let done = |()| ExitCode::SUCCESS;
    let whole = shell::command::<Arguments>();
    let parsed = shell::parse(std::env::args_os(), &whole);
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) if is_fault(&error) => return Failure::usage(&error).report(),
        Err(help) => help.exit(),
    };
    if arguments.quiet {
        progress::silence();
    }
    // A process that is asked to end also ends the programs that it has started.
    let ended = signals::on_end(|| {
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
    let ended = signals::on_end(move || {
        told.clear();
        std::process::exit(INTERRUPTED)
    });
    match ended.and_then(|()| task.run_guard()) {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Err(error) => Failure::machine(error).report(),
    }
}

/// The variants that ship, and the bots, with external programs.
fn registry() -> Registry {
    Registry::new(kinds()).with_programs(upheaval_bots::external::PROGRAMS)
}

/// The bots that ship, by name.
fn kinds() -> impl Iterator<Item = BotKind> {
    let mut kinds: Vec<BotKind> = upheaval_bots::KINDS.into_iter().chain(upheaval_learned::KINDS).collect();
    kinds.sort_by_key(|kind| kind.name);
    kinds.into_iter()
}

/// Is it a mistake in the arguments, rather than help that was asked for?
fn is_fault(error: &clap::Error) -> bool {
    error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}
