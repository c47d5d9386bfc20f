//! `--on`: a run whose games are played on other machines by an executor of the Python package.
//!
//! The package does all the work, so a run that was begun on the command line can be resumed from Python and vice
//! versa.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Args;

use crate::failure::Failure;

/// The exit status of the package after an error that it has reported. Python's own is 1.
const PACKAGE_FAILED: i32 = 3;

/// Where games are played.
#[derive(Args)]
pub struct Elsewhere {
    /// Play the games through the Python package, with one thread per task: `ray` starts a cluster here, `ray:ADDRESS`
    /// uses a running one, and `processes` uses processes of this machine. `UPHEAVAL_PYTHON` names the Python.
    #[arg(long, value_name = "EXECUTOR")]
    on: Option<String>,
    /// How many tasks run at once; by default three for each processor core of the cluster.
    #[arg(long, value_name = "N", requires = "on")]
    in_flight: Option<u32>,
}

/// The job.
pub struct Job<'a> {
    /// `run` or `tournament`.
    pub command: &'static str,
    /// The file.
    pub file: &'a Path,
    /// The root seed, in place of the file's.
    pub seed: Option<u64>,
    /// Games, or blocks, in place of the file's: the flag and its value.
    pub amount: (&'static str, Option<u32>),
    /// The folder for the run folder.
    pub out: Option<&'a Path>,
    /// Settings of the file.
    pub set: &'a [String],
    /// Are the leftovers of unfinished runs discarded?
    pub afresh: bool,
}

impl Job<'_> {
    /// Is the run written to a store, such as `s3://bucket/runs`, rather than to a folder?
    pub fn is_into_a_store(&self) -> bool {
        self.out.and_then(Path::to_str).is_some_and(|out| out.contains("://"))
    }
}

impl Elsewhere {
    /// Are the games to be played elsewhere?
    pub fn is_asked_for(&self) -> bool {
        self.on.is_some()
    }

    /// Plays the run elsewhere, if that is asked for.
    ///
    /// # Errors
    /// There is no such Python, or no package in it; or the run failed, which the package has reported. Or the run
    /// would be written to a store, which only workers of the package can do.
    pub fn play(&self, job: &Job<'_>) -> Option<Result<(), Failure>> {
        match &self.on {
            Some(on) => Some(self.start(on, job)),
            None if job.is_into_a_store() => Some(Err(Failure::Input(
                "`--out` is a URL: such runs are played through the Python package, with `--on ray` or `--on processes`"
                    .to_owned(),
            ))),
            None => None,
        }
    }

    fn start(&self, on: &str, job: &Job<'_>) -> Result<(), Failure> {
        let python = std::env::var_os("UPHEAVAL_PYTHON").unwrap_or_else(|| "python3".into());
        let mut command = Command::new(&python);
        // `-P`: files in the current folder are not modules.
        command.args(["-P", "-m", "upheaval", job.command]);
        let mut give = |flag: &str, value: Option<String>| {
            if let Some(value) = value {
                // A single word, so that a value that begins with a dash is not taken for a flag.
                command.arg(format!("{flag}={value}"));
            }
        };
        give("--on", Some(on.to_owned()));
        give("--in-flight", self.in_flight.map(|n| n.to_string()));
        give("--seed", job.seed.map(|seed| seed.to_string()));
        give(job.amount.0, job.amount.1.map(|amount| amount.to_string()));
        job.set.iter().for_each(|set| give("--set", Some(set.clone())));
        if let Some(out) = job.out {
            let mut word = OsString::from("--out=");
            word.push(out);
            command.arg(word);
        }
        if job.afresh {
            command.arg("--afresh");
        }
        command.arg("--").arg(job.file);
        if job.command == "tournament" && !job.is_into_a_store() {
            // Its standings are printed here, with the folder.
            command.stdout(Stdio::null());
        }
        let python = Path::new(&python).display();
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) if status.code() == Some(2) => {
                Err(Failure::Input(format!("`{python} -m upheaval` did not play the run; see above")))
            }
            Ok(status) if status.code() == Some(PACKAGE_FAILED) => {
                Err(Failure::Machine(format!("`{python} -m upheaval` failed; see above")))
            }
            Ok(status) => Err(Failure::Machine(format!(
                "`{python} -m upheaval` exited with {status}; `--on` needs the package `upheaval` in this Python, as \
                 docs/cluster.md explains"
            ))),
            Err(error) => Err(Failure::Machine(format!(
                "cannot start `{python}`: {error}; `--on` needs Python with the package `upheaval`, and UPHEAVAL_PYTHON \
                can name another Python"
            ))),
        }
    }
}
