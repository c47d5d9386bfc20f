//! The failures of a command.

mod library;

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use upheaval::diagnostic::one_line;

use crate::terminal::{readable, screenful};

/// Why a command failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The input or an argument is at fault.
    Input(String),
    /// The input has several faults, of which each is a line.
    Faults(Vec<String>),
    /// The machine failed.
    Machine(String),
}

impl Failure {
    /// The fault of an input or argument.
    pub(crate) fn input(error: impl Display) -> Failure {
        Failure::Input(error.to_string())
    }

    /// A mistake in the arguments: the message of `clap`, without its usage lines.
    pub(crate) fn usage(error: &clap::Error) -> Failure {
        let text = error.to_string();
        let lines = text.lines().map(str::trim);
        let said: Vec<&str> =
            lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more ")).collect();
        let said = one_line(&said.join("\n")).replace(":;", ":");
        Failure::Input(said.strip_prefix("error: ").unwrap_or(&said).to_owned())
    }

    /// A failure of the machine.
    pub(crate) fn machine(error: impl Display) -> Failure {
        Failure::Machine(error.to_string())
    }

    /// Prints a line for each fault, and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (messages, code) = match self {
            Failure::Input(message) => (std::slice::from_ref(message), 2),
            Failure::Faults(messages) => (messages.as_slice(), 2),
            Failure::Machine(message) => (std::slice::from_ref(message), 1),
        };
        // In one write, because other processes may write to the same file, and a stream that removes colours would
        // split the text. If standard error is closed, only the exit code remains. Nothing is coloured if it is not a
        // terminal, or if NO_COLOR is set.
        let line = |message: &String| {
            let text = screenful(&readable(&one_line(message))).into_owned();
            match anstream::AutoStream::choice(&std::io::stderr()) {
                anstream::ColorChoice::Never => format!("error: {text}\n"),
                _ => {
                    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
                    format!("{red}error:{red:#} {text}\n")
                }
            }
        };
        let lines: String = messages.iter().map(line).collect();
        let _ = std::io::stderr().write_all(lines.as_bytes());
        ExitCode::from(code)
    }
}
