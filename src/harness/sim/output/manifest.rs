//! `manifest.json`: what made a run, where and when, and the files of the run. It is the only file of a run that
//! differs from machine to machine.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;
use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::record::{BEHAVIOUR_VERSION, SCHEMA_VERSION};
use crate::sim::experiment::Experiment;
use crate::sim::resolved::ResolvedExperiment;
use crate::sim::shard::Shard;
use upheaval_engine::diagnostic::wording;
use upheaval_engine::rules::variant::Files;
use upheaval_map::{letters, rng};

/// The file's name.
pub const MANIFEST: &str = "manifest.json";

/// The contents of `manifest.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Is the run complete? It always is, because the manifest is written last.
    pub complete: bool,
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's hash: BLAKE3 of `experiment.resolved.json`.
    pub experiment_hash: String,
    /// Would the same experiment give the same bytes? It would not where a bot is not declared to repeat its answers,
    /// or the watchdog ended one.
    pub repeatable: bool,
    /// The bots that are not declared to repeat their answers: their decisions are recorded, and games are played again
    /// from the record.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub recorded: Vec<String>,
    /// The program.
    pub code: Code,
    /// The machine.
    pub host: Host,
    /// Threads asked for; 0 for one per core.
    pub threads: usize,
    /// When the run started, in UTC.
    pub started: String,
    /// When it ended, in UTC.
    pub ended: String,
    /// Which shard of the run it is, if it is not the whole.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
    /// The settings that the command line changed in the experiment file, each `KEY=VALUE`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub set: Vec<String>,
    /// The origin of its games, if they were played by people and imported.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub import: Option<Import>,
    /// Games played, over all variants.
    pub games: u64,
    /// The number of games of its experiment after which a match was decided; left out if all were played.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decided_after: Option<u32>,
    /// Games of each part except a variant's last, which has the rest; at least 1.
    pub games_a_part: u32,
    /// The rules of each arm, as files: with them every game can be played again.
    pub rules: BTreeMap<String, Files>,
    /// All files except this one, with their paths below the run folder.
    pub files: Vec<FileEntry>,
}

/// The origin of the games of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The files, in the order in which their games are numbered.
    pub files: Vec<ImportedFile>,
    /// The treatment of games that differ from the rules: `left-out` or `kept`.
    pub mismatches: String,
    /// Games of the run that differ from the rules, and have the positions of their file.
    pub departed: u64,
    /// The number of games that were left out, by reason.
    pub left_out: BTreeMap<String, u64>,
}

/// A file of saved games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedFile {
    /// Its name, without the folder.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
    /// BLAKE3 of its bytes.
    pub blake3: String,
    /// How many games it has.
    pub games: u64,
    /// The lines of the games that were left out. The others are numbered in their order, file after file.
    pub left_out: Vec<u64>,
    /// The lines of the games that were played by another rulebook, by the switch in which it differs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub other_rules: BTreeMap<String, Vec<u64>>,
}

/// The program that made a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// Its version.
    pub version: String,
    /// The revision it was built from: that of the clone, or the one that the build received in `UPHEAVAL_REVISION`.
    pub revision: Option<String>,
    /// The schema's version.
    pub schema_version: u32,
    /// The behaviour's version.
    pub behaviour_version: u32,
    /// The random generator.
    pub rng: String,
    /// The version of the derivation of its streams.
    pub rng_derivation_version: u32,
}

/// The machine that made a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name, if it is known.
    pub name: Option<String>,
    /// Operating system and processor, as in `linux x86_64`.
    pub system: String,
    /// Cores that a program may use.
    pub cores: usize,
}

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its path below the run folder, with `/`.
    pub path: String,
    /// Its rows, if it is a table.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows: Option<u64>,
    /// Its bytes.
    pub bytes: u64,
    /// BLAKE3 of its bytes.
    pub blake3: String,
}

/// The revision that the program was built from, if it found one.
static BUILT_FROM: OnceLock<&'static str> = OnceLock::new();

/// Sets the revision that the program was built from, for all manifests that it writes. The first call counts. Programs
/// that use this library know their revision at build time; if the library determined it, each commit would recompile
/// it.
pub fn set_revision(revision: &'static str) {
    // A second call comes from another part of the same program.
    let _ = BUILT_FROM.set(revision);
}

impl Code {
    /// Is this the same version of the program? Its revision is not compared: the behaviour version is raised when the
    /// games of two revisions differ.
    pub(crate) fn is_version_of(&self, other: &Code) -> bool {
        let of_any_revision = |code: &Code| Code { revision: None, ..code.clone() };
        of_any_revision(self) == of_any_revision(other)
    }

    /// This program.
    pub(crate) fn here() -> Code {
        Code {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: option_env!("UPHEAVAL_REVISION").or(BUILT_FROM.get().copied()).map(str::to_owned),
            schema_version: SCHEMA_VERSION,
            behaviour_version: BEHAVIOUR_VERSION,
            rng: rng::ALGORITHM.to_owned(),
            rng_derivation_version: rng::DERIVATION_VERSION,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Code { version, revision, behaviour_version, schema_version, .. } = self;
        write!(f, "upheaval {version}")?;
        if let Some(revision) = revision {
            write!(f, " ({revision})")?;
        }
        write!(f, " of behaviour version {behaviour_version} and schema version {schema_version}")
    }
}

impl Manifest {
    /// The manifest of a run of this experiment that starts; its hash is given.
    pub(crate) fn start(experiment: &Experiment, hash: &str, now: SystemTime) -> Manifest {
        let schedule = experiment.schedule();
        Manifest {
            complete: true,
            experiment: experiment.resolved.name.clone(),
            experiment_hash: hash.to_owned(),
            repeatable: experiment.is_repeatable(),
            recorded: experiment.varying().map(|bot| bot.name.clone()).collect(),
            code: Code::here(),
            host: Host {
                name: host_name(),
                system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
                cores: std::thread::available_parallelism().map_or(1, usize::from),
            },
            threads: experiment.threads,
            started: utc(now),
            ended: String::new(),
            shard: experiment.shard.clone(),
            set: experiment.set.clone(),
            import: None,
            games: schedule.total(),
            decided_after: None,
            games_a_part: schedule.chunk_size(),
            rules: experiment.variants.iter().map(|arm| (arm.id.clone(), arm.files.clone())).collect(),
            files: Vec::new(),
        }
    }

    /// Games of each arm that were played: all games of the experiment, or the number after which a match was decided.
    ///
    /// # Errors
    /// It gives an impossible number: the error is a sentence without its subject.
    pub(crate) fn games_played(&self, experiment: &ResolvedExperiment) -> Result<u32, String> {
        let Some(games) = self.decided_after else { return Ok(experiment.games) };
        let whole_parts = games.is_multiple_of(self.games_a_part);
        let sound = experiment.sequential.is_some()
            && (1..=experiment.games).contains(&games)
            && (whole_parts || games == experiment.games);
        match sound {
            true => Ok(games),
            false => Err(format!(
                "has {games} in `decided_after`, which is not a number of games after which its match can be decided"
            )),
        }
    }

    /// The manifest of this text, which anybody may have written.
    ///
    /// # Errors
    /// It does not have the form of a manifest, a time in it is not one, or a text in it has characters that a terminal
    /// or a page acts on.
    pub fn read(text: &[u8]) -> Result<Manifest, String> {
        let form = |error: serde_json::Error| wording::of_json_at(&error);
        let manifest: Manifest = serde_json::from_slice(text).map_err(form)?;
        let mut faults = Vec::new();
        for (key, time) in [("started", &manifest.started), ("ended", &manifest.ended)] {
            if !is_time(time) {
                faults.push(format!("`{key}` is not a time such as 2026-01-31T23:59:59Z"));
            }
        }
        if manifest.games_a_part == 0 {
            faults.push("`games_a_part` is 0, but a part has at least one game".to_owned());
        }
        // Rules and settings are texts of several lines; rules are compared with the experiment.
        let shown = Manifest { rules: BTreeMap::new(), set: Vec::new(), ..manifest.clone() };
        unshown("", &serde_json::to_value(shown).map_err(form)?, &mut faults);
        let is_line = |c: char| matches!(c, '\n' | '\t');
        if manifest.set.iter().any(|set| letters::fault(&set.replace(is_line, " ")).is_some()) {
            faults.push("`set` has a control character".to_owned());
        }
        match faults.is_empty() {
            true => Ok(manifest),
            false => Err(letters::listed(&faults)),
        }
    }

    /// Notes the end of the run.
    pub(crate) fn end(&mut self, now: SystemTime) {
        self.ended = utc(now);
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
    }

    /// The file's text.
    pub(crate) fn to_json(&self) -> String {
        // A struct of strings and numbers always serialises; an empty manifest would be refused when read.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }
}

/// The texts of a value, and the keys of its tables, that cannot be shown. `at` is the key of the value.
fn unshown(at: &str, value: &Value, faults: &mut Vec<String>) {
    match value {
        Value::String(text) => faults.extend(letters::fault(text).map(|fault| format!("`{at}`: {fault}"))),
        Value::Array(values) => values.iter().for_each(|value| unshown(at, value, faults)),
        Value::Object(entries) => {
            for (key, value) in entries {
                let fault = letters::fault(key);
                faults.extend(fault.map(|fault| format!("`{at}`: a key in it is not shown: {fault}")));
                let key = key.escape_debug();
                let below = if at.is_empty() { key.to_string() } else { format!("{at}.{key}") };
                unshown(&below, value, faults);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Does a text have the form of [`utc`]?
pub(super) fn is_time(text: &str) -> bool {
    let digits = |c: char| if c.is_ascii_digit() { '0' } else { c };
    text.chars().map(digits).eq("0000-00-00T00:00:00Z".chars())
}

fn host_name() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| std::fs::read_to_string("/etc/hostname"))
        .or_else(|_| std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME")))
        .ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty() && letters::fault(name).is_none())
}

/// A time as `2026-01-31T23:59:59Z`.
fn utc(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn times_are_written_as_calendars_have_them() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(at(1_709_251_200), "2024-03-01T00:00:00Z");
        assert_eq!(at(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
        assert!(is_time(&at(0)) && !is_time("1970-01-01T00:00:00Z\u{1b}") && !is_time("now"));
    }
}
