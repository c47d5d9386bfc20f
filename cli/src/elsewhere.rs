//! `--on`: a run whose games are played by an executor of the Python package, on other machines.
//!
//! The package does all of it, so that a run begun by the command line is resumed from Python and the other way round.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Args;

use crate::failure::Failure;

/// Where games are played.
#[derive(Args)]
pub struct Elsewhere {
    /// Play the games through the Python package, by one thread a task: on `ray`, a cluster that is started here, on
    /// `ray:ADDRESS`, one that is running, or on `processes`, processes of this machine. `UPHEAVAL_PYTHON` names the Python.
    #[arg(long, value_name = "EXECUTOR")]
    on: Option<String>,
    /// How many tasks are handed out at once; three for each processor core of the cluster if nothing is said.
    #[arg(long, value_name = "N", requires = "on")]
    in_flight: Option<u32>,
}

/// What is to be played.
pub struct Job<'a> {
    /// `run` or `tournament`.
    pub command: &'static str,
    /// The file.
    pub file: &'a Path,
    /// The root seed, in place of the file's.
    pub seed: Option<u64>,
    /// Games, or blocks, in place of the file's: the flag and its value.
    pub amount: (&'static str, Option<u32>),
    /// The folder in which the run folder is made.
    pub out: Option<&'a Path>,
    /// What is set in the file.
    pub set: &'a [String],
    /// Is what unfinished runs have left thrown away?
    pub afresh: bool,
}

impl Elsewhere {
    /// Has the run played elsewhere, if that is asked for.
    ///
    /// # Errors
    /// There is no such Python, or no package in it; or the run failed, of which the package has told.
    pub fn play(&self, job: &Job<'_>) -> Option<Result<(), Failure>> {
        self.on.as_ref().map(|on| self.start(on, job))
    }

    fn start(&self, on: &str, job: &Job<'_>) -> Result<(), Failure> {
        let python = std::env::var_os("UPHEAVAL_PYTHON").unwrap_or_else(|| "python3".into());
        let mut command = Command::new(&python);
        // `-P`: what lies in the current folder is no module.
        command.args(["-P", "-m", "upheaval", job.command]);
        let mut give = |flag: &str, value: Option<String>| {
            if let Some(value) = value {
                // One word, so that a value that begins with a dash is none.
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
        if job.command == "tournament" {
            // Its standings are printed here, with the folder.
            command.stdout(Stdio::null());
        }
        let python = Path::new(&python).display();
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            // The package's own word, or Python's where it has none.
            Ok(status) if status.code() == Some(2) => {
                Err(Failure::Input(format!("`{python} -m upheaval` did not play the run; see above")))
            }
            Ok(status) => Err(Failure::Machine(format!(
                "`{python} -m upheaval` ended with {status}; `--on` needs the package `upheaval` in this Python, as \
                 docs/cluster.md says"
            ))),
            Err(error) => Err(Failure::Machine(format!(
                "cannot start `{python}`: {error}; `--on` needs Python with the package `upheaval`, and UPHEAVAL_PYTHON \
                 names another Python"
            ))),
        }
    }
}
