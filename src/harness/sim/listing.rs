//! Checks of a run folder against its experiment: the listed parts, each once, and the rules. These are all checks that
//! do not open a part.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::output::manifest::{MANIFEST, Manifest};
use super::output::{GIVEN, RESOLVED, part_name, tables};
use super::resolved::ANSWER;
use super::resolved::{Arm, ResolvedExperiment};
use super::schedule::{Chunk, Schedule};
use super::shard::Shard;
use crate::record::BEHAVIOUR_VERSION;

/// A fault of a file of a result folder, or of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file, by its path below the folder, or the folder.
    pub path: String,
    /// The fault.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.what)
    }
}

pub(super) fn fault(path: impl Into<String>, what: impl Into<String>) -> Fault {
    Fault { path: path.into(), what: what.into() }
}

/// The fault of a file without which there is no run, if it neither exists nor is listed.
pub(super) const NEEDED: &str = "is part of the run, and the manifest does not list it";

/// All faults in what a run says about itself. The hash is that of its resolved experiment.
pub(super) fn faults(manifest: &Manifest, experiment: &ResolvedExperiment, hash: &str) -> Vec<Fault> {
    let mut faults = doubled(manifest);
    faults.extend(identity(manifest, experiment, hash));
    faults.extend(rules(manifest, experiment));
    match Expected::new(manifest, experiment.clone()) {
        Ok(expected) => faults.extend(expected.lists(manifest)),
        Err(fault) => faults.push(fault),
    }
    faults
}

/// Files that are listed twice.
pub(super) fn doubled(manifest: &Manifest) -> Vec<Fault> {
    let mut listed = BTreeSet::from([MANIFEST]);
    let doubled = manifest.files.iter().filter(|entry| !listed.insert(&entry.path));
    doubled.map(|entry| fault(&entry.path, "is listed twice in the manifest")).collect()
}

/// Do manifest and experiment agree about the identity of the run?
pub(super) fn identity(manifest: &Manifest, experiment: &ResolvedExperiment, hash: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut differ = |path: &str, what: String| faults.push(fault(path, what));
    if hash != manifest.experiment_hash {
        differ(RESOLVED, format!("has the hash {hash}, but the manifest says {}", manifest.experiment_hash));
    }
    if experiment.name != manifest.experiment {
        let (own, theirs) = (&manifest.experiment, &experiment.name);
        differ(MANIFEST, format!("belongs to the experiment `{own}`, but {RESOLVED} belongs to `{theirs}`"));
    }
    let code = &manifest.code;
    let versions = (code.behaviour_version, code.schema_version);
    if versions != (experiment.behaviour_version, experiment.schema_version) {
        differ(MANIFEST, format!("has other versions of behaviour and schema than {RESOLVED}"));
    }
    if !manifest.complete {
        differ(MANIFEST, "states that the run is not complete".to_owned());
    }
    faults
}

/// Does the manifest contain the rules of each arm, those of the experiment, and no others? Rules of another behaviour
/// version are not checked: they may mean something else here.
pub(super) fn rules(manifest: &Manifest, experiment: &ResolvedExperiment) -> Vec<Fault> {
    if experiment.behaviour_version != BEHAVIOUR_VERSION {
        return Vec::new();
    }
    let of_arm = |arm: &Arm| {
        let why = arm.variant(manifest.rules.get(&arm.id)).err()?;
        Some(fault(MANIFEST, format!("does not hold the rules of `{}` that were played{why}", arm.id)))
    };
    let mut faults: Vec<Fault> = experiment.variants.iter().filter_map(of_arm).collect();
    let arms: BTreeSet<&str> = experiment.variants.iter().map(|arm| arm.id.as_str()).collect();
    let more = manifest.rules.keys().filter(|id| !arms.contains(id.as_str()));
    faults.extend(more.map(|id| fault(MANIFEST, format!("holds rules of `{id}`, which was not played"))));
    faults
}

/// The files that must exist according to the experiment.
pub(super) struct Expected {
    pub experiment: ResolvedExperiment,
    pub schedule: Schedule,
    /// Each part file with its table and chunk, in order of paths.
    pub parts: BTreeMap<String, (&'static str, Chunk)>,
}

impl Expected {
    /// The files by the experiment, unless it has many more parts than files are listed: then it does not belong to
    /// this run.
    pub(super) fn new(manifest: &Manifest, mut experiment: ResolvedExperiment) -> Result<Expected, Fault> {
        experiment.games = manifest.games_played(&experiment).map_err(|what| fault(MANIFEST, what))?;
        let all =
            experiment.variants.len() as u64 * u64::from(experiment.games.div_ceil(manifest.games_a_part));
        let parts = match &manifest.shard {
            None => all,
            Some(Shard::Nth { of, .. }) => all / u64::from(*of),
            Some(Shard::Chunks { chunks }) => all.min(chunks.count() as u64),
        };
        if parts > manifest.files.len() as u64 {
            let (each, files) = (manifest.games_a_part, manifest.files.len());
            let what = format!(
                "has {parts} parts of {each} games by the experiment, but lists {files} files in all"
            );
            return Err(fault(MANIFEST, what));
        }
        let schedule = Schedule::new(&experiment, manifest.games_a_part, manifest.shard.clone());
        let of_chunk = |chunk: Chunk| {
            let arm = experiment.variants[chunk.variant].id.clone();
            tables(experiment.log.logging(), experiment.log.maps())
                .map(move |table| (part_name(table, &arm, chunk.part), (table, chunk.clone())))
        };
        let parts = schedule.chunks().flat_map(of_chunk).collect();
        Ok(Expected { experiment, schedule, parts })
    }

    /// Does the manifest list exactly the required files?
    pub(super) fn lists(&self, manifest: &Manifest) -> Vec<Fault> {
        let listed: BTreeSet<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
        let answer = self.experiment.sequential.as_ref().map(|_| ANSWER);
        let needed = [GIVEN, RESOLVED].into_iter().chain(answer).chain(self.parts.keys().map(String::as_str));
        let missing = needed.filter(|path| !listed.contains(path));
        let mut faults: Vec<Fault> = missing.map(|path| fault(path, NEEDED)).collect();
        let known = |path: &str| {
            self.parts.contains_key(path) || [GIVEN, RESOLVED].contains(&path) || answer == Some(path)
        };
        let more = listed.iter().filter(|path| !known(path));
        faults.extend(more.map(|path| fault(*path, "is listed in the manifest, but is not part of the run")));
        if manifest.games != self.schedule.total() {
            let (says, are) = (manifest.games, self.schedule.total());
            faults.push(fault(MANIFEST, format!("says {says} games, but the experiment has {are}")));
        }
        faults
    }
}
