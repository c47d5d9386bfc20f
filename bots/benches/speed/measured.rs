//! Criterion's estimates of one run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use super::findings::undisturbed;

/// Where criterion writes: below the folder of build output.
pub fn folder() -> PathBuf {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tmp.parent().unwrap_or(tmp).join("criterion")
}

/// The times of a bench, in nanoseconds per unit of work: an iteration, or one of the elements that an iteration goes
/// over.
#[derive(Clone, Copy)]
pub struct Estimate {
    /// The value below which a tenth of the samples lie.
    pub undisturbed: f64,
    /// Criterion's median.
    pub median: f64,
}

/// The estimates of a run, by the benches' names.
#[derive(Default)]
pub struct Estimates(BTreeMap<String, Estimate>);

impl Estimates {
    /// The estimates written since.
    pub fn written(since: SystemTime) -> Estimates {
        let mut estimates = Estimates::default();
        estimates.collect(&folder(), since);
        estimates
    }

    /// Searches folders named `new`, each of which contains the newest run of a bench.
    fn collect(&mut self, folder: &Path, since: SystemTime) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()) {
            match path.file_name().is_some_and(|name| name == "new") {
                true => self.0.extend(estimate(&path, since)),
                false => self.collect(&path, since),
            }
        }
    }

    /// The time of a bench.
    pub fn nanoseconds(&self, bench: &str) -> Option<f64> {
        self.0.get(bench).map(|estimate| estimate.undisturbed)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Estimate)> {
        self.0.iter().map(|(name, &estimate)| (name.as_str(), estimate))
    }
}

fn estimate(folder: &Path, since: SystemTime) -> Option<(String, Estimate)> {
    if fs::metadata(folder.join("estimates.json")).ok()?.modified().ok()? < since {
        return None;
    }
    let json = |file: &str| serde_json::from_str::<Value>(&fs::read_to_string(folder.join(file)).ok()?).ok();
    let (bench, estimates, sample) = (json("benchmark.json")?, json("estimates.json")?, json("sample.json")?);
    let elements = bench["throughput"]["Elements"].as_f64().unwrap_or(1.0);
    let numbers = |key: &str| Some(sample[key].as_array()?.iter().filter_map(Value::as_f64));
    let mut times: Vec<f64> = numbers("times")?.zip(numbers("iters")?).map(|(t, n)| t / n).collect();
    let estimate = Estimate {
        undisturbed: undisturbed(&mut times)? / elements,
        median: estimates["median"]["point_estimate"].as_f64()? / elements,
    };
    Some((bench["full_id"].as_str()?.to_owned(), estimate))
}
