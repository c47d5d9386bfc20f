//! Errors of the library as failures of a command: the library describes the fault, and this module adds the flag or
//! command that corrects it.

use std::fmt::Display;

use upheaval::analysis::balance::BalanceError;
use upheaval::archive::ArchiveError;
use upheaval::branch::BranchError;
use upheaval::diagnostic::{Diagnostic, Place};
use upheaval::game_record::{AgainError, FormError, quoted};
use upheaval::record::listed::ListedMismatch;
use upheaval::record::reader::ReadError;
use upheaval::record::regular::NotRegular;
use upheaval::sim::join::{JoinError, Missing};
use upheaval::sim::output::RESOLVED;
use upheaval::sim::output::manifest::MANIFEST;
use upheaval::sim::stored::RunFormFault;
use upheaval::sim::{ExperimentError, OutputError, RunError, StoredError};

use super::Failure;

/// The command that prints the name of the folder.
const PRINTED: &str = "`upheaval run` printed";

/// The flag that reads a damaged folder.
const ALL_THE_SAME: &str = "`--trust` reads the folder as it is";

impl From<ExperimentError> for Failure {
    fn from(error: ExperimentError) -> Failure {
        let line = |fault: &Diagnostic| match fault.place {
            Place::Setting(_) => format!("--set {fault}"),
            Place::Argument(_) => format!("--{fault}"),
            Place::File { .. } => fault.to_string(),
        };
        match &error {
            ExperimentError::Faults(faults) => Failure::Faults(faults.iter().map(line).collect()),
            ExperimentError::Source(_) => Failure::input(error),
        }
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Failure {
        let elsewhere = "choose another folder with --out";
        Failure::Input(match &error {
            OutputError::NotAFolder { .. } => format!("{error}; move it away or choose another with --out"),
            OutputError::Foreign { .. } => format!("{error}; move it away or {elsewhere}"),
            OutputError::OtherExperiment { path, name, hash, difference } => format!(
                "`{}` contains the run of another experiment, `{name}` {hash}; move it away or {elsewhere}; what differs: \
                 {difference}",
                path.display()
            ),
            OutputError::Changed { out, name, chunks, difference } => format!(
                "`{}` contains an unfinished run of `{name}` ({chunks} {} finished), but the experiment has changed \
                 since: undo the change to resume it, delete it and start again with --afresh, or {elsewhere}; \
                 what differs: {difference}",
                out.display(),
                if *chunks == 1 { "part is" } else { "parts are" }
            ),
            OutputError::OtherPart { .. } | OutputError::NoChunk { .. } => error.to_string(),
            OutputError::Busy(_) => format!("{error}; wait for it, or {elsewhere}"),
            OutputError::Touched { .. } => {
                return Failure::machine(format!(
                    "{error}: a bot of `[bots.NAME]` or another program changed it. The sound files of the run are kept; repeat the command once the cause is removed"
                ));
            }
            // A file that does not belong to a run is for the user to move away.
            OutputError::Read(_) | OutputError::Io { .. } if error.is_refusal() => error.to_string(),
            OutputError::Read(_) | OutputError::Io { .. } => return Failure::machine(error),
        })
    }
}

impl From<BranchError> for Failure {
    fn from(error: BranchError) -> Failure {
        match error {
            BranchError::Again(error) => error.into(),
            BranchError::NotRepeatable { .. } => Failure::machine(error),
            _ => Failure::input(error),
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

impl Failure {
    /// A run that has ended for another reason than its sink.
    pub(crate) fn of_run<E: Display>(error: RunError<E>) -> Failure {
        match error {
            RunError::Bot { .. } => Failure::input(error),
            RunError::Failing(failing) => Failure::machine(format!(
                "{failing}; what was played before is kept: start the same command again once the cause is removed, or resume with \
                 --recover"
            )),
            other => Failure::machine(other),
        }
    }
}

impl From<JoinError> for Failure {
    fn from(error: JoinError) -> Failure {
        match error {
            JoinError::Output(error) => error.into(),
            JoinError::Missing(Missing::Shards(_)) => Failure::Input(format!(
                "{error}; play them with `upheaval run FILE --shard I/N`, and name their folders too"
            )),
            JoinError::Missing(Missing::Chunks(ref list)) => Failure::Input(format!(
                "{error}; play them with `upheaval run FILE --chunks {list}`, and name their folders too"
            )),
            other => Failure::input(other),
        }
    }
}

impl From<StoredError> for Failure {
    fn from(error: StoredError) -> Failure {
        Failure::stored(error, PRINTED)
    }
}

impl Failure {
    /// The failure to read the folder of a run; `printed` is the command that prints its name.
    pub(crate) fn stored(error: StoredError, printed: &str) -> Failure {
        match &error {
            StoredError::NoRun { .. } => Failure::Input(format!("{error}; name the folder that {printed}")),
            StoredError::PartOfRun { .. } => Failure::Input(format!(
                "{error}; join all shards with `upheaval join`, and name the folder of the whole run"
            )),
            StoredError::Harmed { .. } => Failure::Machine(format!("{error}; {ALL_THE_SAME}")),
            StoredError::Read(ReadError::Io { source, .. }) if ListedMismatch::of(source).is_some() => {
                Failure::Machine(format!("{error}; {ALL_THE_SAME}"))
            }
            StoredError::Read(_) => Failure::machine(error),
            _ => Failure::input(error),
        }
    }
}

impl From<BalanceError> for Failure {
    fn from(error: BalanceError) -> Failure {
        match error {
            BalanceError::Stored(error) => error.into(),
            BalanceError::Choice { .. } => Failure::Input(format!("--{error}")),
            BalanceError::Threads(_) => Failure::machine(error),
        }
    }
}

impl From<AgainError> for Failure {
    fn from(error: AgainError) -> Failure {
        Failure::Input(match &error {
            AgainError::Stored(StoredError::NoRun { path, fault }) => {
                let what = match fault {
                    RunFormFault::Unreadable { file, source } => match NotRegular::of(source) {
                        Some(found) => format!("cannot be used: {found}"),
                        None => format!("has no `{file}`: {source}"),
                    },
                    RunFormFault::Damaged { file, what } if *file == MANIFEST => {
                        format!("has a damaged {file}: {what}")
                    }
                    RunFormFault::Damaged { file, what } => format!("has a {file} that {what}"),
                    RunFormFault::Changed { .. } => {
                        format!("has a {RESOLVED} that was changed: its hash is not the manifest's")
                    }
                };
                format!("`{}` {what}; name the folder that {PRINTED}", path.display())
            }
            AgainError::Programs { programs, .. } | AgainError::Future { programs, .. } => {
                let programs = programs.iter().filter(|program| !program.line.is_empty());
                let flags = programs.map(|program| format!("--allow-program {}", quoted(&program.line)));
                match &flags.collect::<Vec<_>>()[..] {
                    [] => error.to_string(),
                    flags => {
                        format!("{error}: if you trust the run and the program, add {}", flags.join(" "))
                    }
                }
            }
            AgainError::Schema { .. } | AgainError::Table { .. } => {
                format!("{error}; name the folder that {PRINTED}")
            }
            AgainError::Match(_) => format!("{error}; without --out its rows are compared"),
            AgainError::Stored(StoredError::Harmed { .. }) | AgainError::Differs { .. } => {
                return Failure::machine(error);
            }
            _ => error.to_string(),
        })
    }
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Failure {
        match error {
            ArchiveError::Output(error) => error.into(),
            ArchiveError::Name(_) => Failure::Input(format!("--name: {error}")),
            ArchiveError::ChangingBoard(_) => Failure::Input(format!("--variant: {error}")),
            ArchiveError::Threads { .. } => Failure::machine(error),
            other => Failure::input(other),
        }
    }
}

impl From<FormError> for Failure {
    fn from(error: FormError) -> Failure {
        Failure::Input(match &error {
            FormError::Json { .. } => {
                format!("{error}; a game is a file that `upheaval replay --export` wrote")
            }
            _ => error.to_string(),
        })
    }
}
