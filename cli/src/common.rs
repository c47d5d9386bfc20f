//! Flags that several commands share.

use std::path::PathBuf;

use clap::Args;
use upheaval::game_record::Programs;
use upheaval::reading::OrderForm;
use upheaval::sim::{Overrides, Start, Trust};

/// Values that override those of the file, and the treatment of earlier results.
#[derive(Args)]
pub(crate) struct Common {
    /// Root seed [overrides `seed`]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Parent directory for the run folder [overrides `out`]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Set a key of the file, such as `last_year=1910`; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Discard what an earlier attempt has written, and start again
    #[arg(long)]
    pub afresh: bool,
    /// Go on when a bot fails in too many games [overrides `faults.share`]
    #[arg(long)]
    pub recover: bool,
    /// Number of threads; 0 means one per core [overrides `threads`]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

impl Common {
    /// The values that override those of the file.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            seed: self.seed,
            threads: self.threads,
            out: self.out.clone(),
            set: self.set.clone(),
            share: self.recover.then_some(1.0),
            ..Overrides::default()
        }
    }

    /// The treatment of an interrupted run.
    pub(crate) fn start(&self) -> Start {
        if self.afresh { Start::Afresh } else { Start::GoOn }
    }
}

/// The programs that a run names and the user allows, for each command that plays its games again.
#[derive(Args)]
pub(crate) struct ProgramsArgument {
    /// Allow this bot program to start: its full command line; repeatable
    #[arg(long, value_name = "COMMAND")]
    allow_program: Vec<String>,
}

impl ProgramsArgument {
    /// Is any program allowed?
    pub(crate) fn is_given(&self) -> bool {
        !self.allow_program.is_empty()
    }

    /// The allowed programs.
    pub(crate) fn programs(&self) -> Programs {
        Programs(self.allow_program.clone())
    }
}

/// The number of threads, for each command without a file that could name it.
#[derive(Args)]
pub(crate) struct ThreadsArgument {
    /// Number of threads; 0 means one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
}

impl ThreadsArgument {
    /// Their number, 0 for one per core.
    pub(crate) fn count(&self) -> usize {
        usize::from(self.threads)
    }
}

/// The flag, for each command that reads orders as people type them.
#[derive(Args)]
pub(crate) struct StrictArgument {
    /// Read only orders in the notation, such as `A PAR - BUR`
    #[arg(long)]
    strict: bool,
}

impl StrictArgument {
    /// The form in which orders are read.
    pub(crate) fn form(&self) -> OrderForm {
        if self.strict { OrderForm::Notation } else { OrderForm::Typed }
    }
}

/// The flag, for each command that reads tables of a run.
#[derive(Args)]
pub(crate) struct TrustArgument {
    /// Skip all checks of the run folder: sizes, hashes and lists of files
    #[arg(long)]
    trust: bool,
}

impl TrustArgument {
    /// The files that are trusted.
    pub(crate) fn of(&self) -> Trust {
        if self.trust { Trust::Everything } else { Trust::Nothing }
    }
}
