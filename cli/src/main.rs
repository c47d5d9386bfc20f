//! The `upheaval` command line: arguments in, library calls, text out. The only place that prints.
//!
//! Exit codes: 0 done, 1 the machine failed (disk, threads), 2 the input or an argument is at fault. An error
//! is one line on standard error.

mod engine;
mod failure;
mod progress;
mod run;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run(arguments) => run::command(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
