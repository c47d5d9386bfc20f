//! `--on`: a run whose games are played on other machines by an executor of the Python package.
//!
//! The package does all the work, so a run that was begun on the command line can be resumed from Python and vice
//! versa.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use crate::common::Common;
use crate::failure::Failure;

/// The exit status of the package after an error that it has reported. Python's own is 1.
const PACKAGE_FAILED: i32 = 3;

/// Where games are played.
#[derive(Args)]
pub(crate) struct Elsewhere {
    /// Play through the Python package: `ray`, `ray:ADDRESS` or `processes`
    #[arg(long, value_name = "EXECUTOR", conflicts_with = "threads")]
    on: Option<String>,
    /// Number of concurrent tasks [default: three per core of the cluster]
    #[arg(long, value_name = "N", requires = "on")]
    in_flight: Option<u32>,
}

/// The job.
pub(crate) struct Job<'a> {
    /// `run`, `tournament` or `tune`.
    pub command: &'static str,
    /// The file.
    pub file: &'a Path,
    /// The flag that overrides the number of games or blocks, and its value.
    pub amount: (&'static str, Option<u32>),
    /// The flags that this command shares with others.
    pub common: &'a Common,
    /// The runs that a tournament extends.
    pub extend: &'a [PathBuf],
    /// Which of the two prints the result.
    pub telling: Telling,
}

/// Which program prints the result of what was played elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    /// The Python package.
    There,
    /// This one.
    Here,
}

impl Elsewhere {
    /// Are the games to be played elsewhere?
    pub(crate) fn is_asked_for(&self) -> bool {
        self.on.is_some()
    }

    /// Plays the run elsewhere, if that is asked for, and returns whether it is.
    ///
    /// # Errors
    /// There is no such Python, or no package in it; or the run failed, which the package has reported.
    pub(crate) fn play(&self, job: &Job<'_>) -> Result<bool, Failure> {
        let Some(on) = &self.on else { return Ok(false) };
        let python = std::env::var_os("UPHEAVAL_PYTHON").unwrap_or_else(|| "python3".into());
        let mut command = Command::new(&python);
        // `-P`: files in the current folder are not modules.
        command.args(["-P", "-m", "upheaval", job.command]);
        let numbers = [
            ("--in-flight", self.in_flight.map(u64::from)),
            ("--seed", job.common.seed),
            (job.amount.0, job.amount.1.map(u64::from)),
        ];
        let numbers = numbers.iter().filter_map(|(flag, n)| Some((*flag, n.as_ref()?.to_string().into())));
        let set = job.common.set.iter().map(|set| ("--set", set.into()));
        let out = job.common.out.iter().map(|out| ("--out", out.into()));
        let extend = job.extend.iter().map(|run| ("--extend", run.into()));
        for (flag, value) in
            [("--on", on.into())].into_iter().chain(numbers).chain(set).chain(out).chain(extend)
        {
            // A single word, so that a value that begins with a dash is not taken for a flag.
            let mut word = OsString::from(format!("{flag}="));
            word.push::<OsString>(value);
            command.arg(word);
        }
        for (flag, given) in [("--afresh", job.common.afresh), ("--recover", job.common.recover)] {
            if given {
                command.arg(flag);
            }
        }
        command.arg("--").arg(job.file);
        if job.telling == Telling::Here {
            command.stdout(Stdio::null());
        }
        let python = Path::new(&python).display();
        match command.status() {
            Ok(status) if status.success() => Ok(true),
            Ok(status) if status.code() == Some(2) => {
                Err(Failure::input(format!("`{python} -m upheaval` did not play the run; see above")))
            }
            Ok(status) if status.code() == Some(PACKAGE_FAILED) => {
                Err(Failure::machine(format!("`{python} -m upheaval` failed; see above")))
            }
            Ok(status) => Err(Failure::machine(format!(
                "`{python} -m upheaval` exited with {status}; `--on` needs the package `upheaval` in this Python, as \
                 docs/cluster.md explains"
            ))),
            Err(error) => Err(Failure::machine(format!(
                "cannot start `{python}`: {error}; `--on` needs Python with the package `upheaval`, and UPHEAVAL_PYTHON \
                can name another Python"
            ))),
        }
    }
}
