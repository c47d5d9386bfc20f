//! The `upheaval` command line: arguments in, library calls, text out. The only place that prints.
//!
//! Exit codes: 0 done, 1 the machine failed (disk, threads) or a line could not be answered,
//! or a program does not comply, 2 the input or an
//! argument is at fault. An error is one line on standard error.

mod adjudicate;
mod compliance;
mod engine;
mod failure;
mod list;
mod map;
mod progress;
mod run;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::failure::Failure;

/// An engine and research harness for Diplomacy variants whose map changes during play.
#[derive(Parser)]
#[command(name = "upheaval", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::RunArguments),
    Adjudicate(adjudicate::AdjudicateArguments),
    Compliance(compliance::ComplianceArguments),
    Map(map::MapArguments),
    Variants(list::VariantsArguments),
    /// List the bots.
    Bots,
}

fn main() -> ExitCode {
    let done = |()| ExitCode::SUCCESS;
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if is_fault(&error) => return Failure::usage(&error).report(),
        Err(help) => help.exit(),
    };
    let result = match arguments.command {
        Command::Run(arguments) => run::command(&arguments).map(done),
        Command::Adjudicate(arguments) => adjudicate::command(&arguments),
        Command::Compliance(arguments) => compliance::command(&arguments),
        Command::Map(arguments) => map::command(&arguments).map(done),
        Command::Variants(arguments) => list::variants(&arguments).map(done),
        Command::Bots => list::bots().map(done),
    };
    result.unwrap_or_else(|failure| failure.report())
}

/// Is it a slip in the arguments, rather than help that was asked for?
fn is_fault(error: &clap::Error) -> bool {
    error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}
