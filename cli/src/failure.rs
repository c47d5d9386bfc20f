//! Why a command fails: the library describes the fault, and this module adds the flag or command that corrects it.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use upheaval::analysis::balance::BalanceError;
use upheaval::archive::ArchiveError;
use upheaval::branch::BranchError;
use upheaval::diagnostic::{Diagnostic, Place, one_line};
use upheaval::game_record::{AgainError, FormError, NeededProgram, quoted};
use upheaval::record::listed::ListedMismatch;
use upheaval::record::reader::ReadError;
use upheaval::rules::variant::VariantError;
use upheaval::sim::join::{JoinError, Missing};
use upheaval::sim::{ExperimentError, OutputError, PlayError, RunError, StoredError};

use crate::readable::{readable, screenful};

/// Why a command failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// A line for each fault.
    messages: Vec<String>,
    code: u8,
}

/// The exit code if the machine failed.
const MACHINE: u8 = 1;

/// The exit code if the input or an argument is at fault.
const INPUT: u8 = 2;

impl Failure {
    /// The fault of an input or argument.
    pub(crate) fn input(error: impl Display) -> Failure {
        Failure { messages: vec![error.to_string()], code: INPUT }
    }

    /// Several faults of an input.
    pub(crate) fn inputs(messages: impl IntoIterator<Item = String>) -> Failure {
        Failure { messages: messages.into_iter().collect(), code: INPUT }
    }

    /// A line for each fault.
    pub(crate) fn messages(&self) -> &[String] {
        &self.messages
    }

    /// A failure of the machine.
    pub(crate) fn machine(error: impl Display) -> Failure {
        Failure { messages: vec![error.to_string()], code: MACHINE }
    }

    /// The failure, followed by a correction.
    fn hinted(mut self, hint: &str) -> Failure {
        self.messages.iter_mut().for_each(|message| *message += &format!("; {hint}"));
        self
    }

    /// A run that has ended for another reason than its sink.
    pub(crate) fn of_run<E: Display>(error: RunError<E>) -> Failure {
        match error {
            RunError::Play(error) => error.into(),
            other => Failure::machine(other),
        }
    }

    /// Prints a line for each fault, and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        // In one write, because other processes may write to the same file, and a stream that removes colours would
        // split the text. If standard error is closed, only the exit code remains. Nothing is coloured if it is not a
        // terminal, or if NO_COLOR is set.
        let style = match anstream::AutoStream::choice(&std::io::stderr()) {
            anstream::ColorChoice::Never => Style::new(),
            _ => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        };
        let line = |message: &String| {
            let text = one_line(message);
            format!("{style}error:{style:#} {}\n", screenful(&readable(&text)))
        };
        let lines: String = self.messages.iter().map(line).collect();
        let _ = std::io::stderr().write_all(lines.as_bytes());
        ExitCode::from(self.code)
    }
}

/// The folder that commands about a run read.
pub(crate) const RUN_FOLDER: &str = "name the folder that `upheaval run` printed";

impl From<ExperimentError> for Failure {
    fn from(error: ExperimentError) -> Failure {
        let line = |fault: &Diagnostic| match fault.place {
            Place::Setting(_) => format!("--set {fault}"),
            Place::Argument(_) => format!("--{fault}"),
            Place::File { .. } => fault.to_string(),
        };
        match &error {
            ExperimentError::Faults(faults) => {
                Failure { messages: faults.iter().map(line).collect(), code: INPUT }
            }
            ExperimentError::Source(_) => Failure::input(error),
        }
    }
}

impl From<VariantError> for Failure {
    fn from(error: VariantError) -> Failure {
        match &error {
            VariantError::Faults(faults) => {
                Failure { messages: faults.iter().map(Diagnostic::to_string).collect(), code: INPUT }
            }
            VariantError::Source(_) | VariantError::Map(_) => Failure::input(error),
        }
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Failure {
        match &error {
            OutputError::InTheWay { .. } => {
                Failure::input(error).hinted("move it away, or choose another directory with `--out`")
            }
            OutputError::Changed { .. } => Failure::input(error).hinted(
                "undo the change to resume the run, discard the run with `--afresh`, or choose another directory with \
                 `--out`",
            ),
            OutputError::Busy(_) => {
                Failure::input(error).hinted("wait for it, or choose another directory with `--out`")
            }
            OutputError::Touched { .. } => Failure::machine(error)
                .hinted("the intact files are kept: remove the cause, and repeat the command"),
            // A file that does not belong to a run is for the user to move away.
            OutputError::Read(_) | OutputError::Io { .. } if !error.is_refusal() => Failure::machine(error),
            _ => Failure::input(error),
        }
    }
}

impl From<BranchError> for Failure {
    fn from(error: BranchError) -> Failure {
        match error {
            BranchError::RunReplayer(error) => error.into(),
            BranchError::NotRepeatable { .. } => Failure::machine(error),
            _ => Failure::input(error),
        }
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Failure {
        match error {
            PlayError::Bot { .. } => Failure::input(error),
            PlayError::Failing(failing) => Failure::machine(failing).hinted(
                "the games played so far are kept: remove the cause and repeat the command, or resume with `--recover`",
            ),
            PlayError::Threads { .. } => Failure::machine(error),
        }
    }
}

impl From<RunError<OutputError>> for Failure {
    fn from(error: RunError<OutputError>) -> Failure {
        match error {
            RunError::Sink(error) => error.into(),
            other => Failure::of_run(other),
        }
    }
}

impl From<JoinError> for Failure {
    fn from(error: JoinError) -> Failure {
        let flag = match error {
            JoinError::Missing(Missing::Shards(_)) => "--shard I/N".to_owned(),
            JoinError::Missing(Missing::Chunks(ref list)) => format!("--chunks {list}"),
            JoinError::Output(error) => return error.into(),
            other => return Failure::input(other),
        };
        let hint = format!("play them with `upheaval run FILE {flag}`, and name their folders too");
        Failure::input(error).hinted(&hint)
    }
}

impl From<StoredError> for Failure {
    fn from(error: StoredError) -> Failure {
        let is_damaged = match &error {
            StoredError::Harmed { .. } => true,
            StoredError::Read(ReadError::Io { source, .. }) => ListedMismatch::of(source).is_some(),
            _ => false,
        };
        match &error {
            _ if is_damaged => Failure::machine(error).hinted("`--trust` reads the folder as it is"),
            StoredError::Read(_) => Failure::machine(error),
            StoredError::NoRun { .. } => Failure::input(error).hinted(RUN_FOLDER),
            StoredError::PartOfRun { .. } => Failure::input(error)
                .hinted("join all shards with `upheaval join`, and name the joined folder"),
            _ => Failure::input(error),
        }
    }
}

impl From<BalanceError> for Failure {
    fn from(error: BalanceError) -> Failure {
        match error {
            BalanceError::Stored(error) => error.into(),
            BalanceError::Choice { .. } => Failure::input(format!("--{error}")),
            BalanceError::Threads(_) => Failure::machine(error),
        }
    }
}

impl From<AgainError> for Failure {
    fn from(error: AgainError) -> Failure {
        match error {
            // Their rows are compared by the hash: `--trust` is not a flag of commands that play games again.
            AgainError::Stored(StoredError::Harmed { .. }) | AgainError::Differs { .. } => {
                Failure::machine(error)
            }
            AgainError::Stored(error) => error.into(),
            AgainError::Programs { ref programs, .. } | AgainError::Future { ref programs, .. } => {
                let flags = allowing(programs);
                let failure = Failure::input(&error);
                match flags.is_empty() {
                    true => failure,
                    false => failure.hinted(&format!("if you trust the run and the program, add {flags}")),
                }
            }
            AgainError::Match(_) => Failure::input(error).hinted("without `--out` its rows are compared"),
            _ => Failure::input(error),
        }
    }
}

/// The flags that allow these programs; empty if none of them can be started by its command line.
fn allowing(programs: &[NeededProgram]) -> String {
    let lines = programs.iter().filter(|program| !program.line.is_empty());
    let flags = lines.map(|program| format!("--allow-program {}", quoted(&program.line)));
    flags.collect::<Vec<_>>().join(" ")
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Failure {
        match error {
            ArchiveError::Output(error) => error.into(),
            ArchiveError::Name(_) => Failure::input(format!("--name: {error}")),
            ArchiveError::ChangingBoard(_) => Failure::input(format!("--variant: {error}")),
            ArchiveError::Threads(_) => Failure::machine(error),
            other => Failure::input(other),
        }
    }
}

impl From<FormError> for Failure {
    fn from(error: FormError) -> Failure {
        match &error {
            FormError::Json { .. } => Failure::input(error)
                .hinted("expected a file that `upheaval replay --export` or `upheaval game` wrote"),
            _ => Failure::input(error),
        }
    }
}
