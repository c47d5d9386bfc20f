//! Criterion's estimates of one run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

/// Where criterion writes: below the folder of all that is built.
pub fn folder() -> PathBuf {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tmp.parent().unwrap_or(tmp).join("criterion")
}

/// Medians of the time an iteration, by the benches' names.
#[derive(Default)]
pub struct Estimates(BTreeMap<String, f64>);

impl Estimates {
    /// Those that have been written since.
    pub fn written(since: SystemTime) -> Estimates {
        let mut estimates = Estimates::default();
        estimates.collect(&folder(), since);
        estimates
    }

    /// Looks for pairs of `benchmark.json` and `estimates.json`, of the newest run each.
    fn collect(&mut self, folder: &Path, since: SystemTime) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()) {
            match path.file_name().is_some_and(|name| name == "new") {
                true => self.0.extend(estimate(&path, since)),
                false => self.collect(&path, since),
            }
        }
    }

    /// The time an iteration of a bench.
    pub fn nanoseconds(&self, bench: &str) -> Option<f64> {
        self.0.get(bench).copied()
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, &ns)| (name.as_str(), ns))
    }
}

fn estimate(folder: &Path, since: SystemTime) -> Option<(String, f64)> {
    let file = folder.join("estimates.json");
    if fs::metadata(&file).ok()?.modified().ok()? < since {
        return None;
    }
    let json = |path: &Path| serde_json::from_str::<Value>(&fs::read_to_string(path).ok()?).ok();
    let name = json(&folder.join("benchmark.json"))?["full_id"].as_str()?.to_owned();
    Some((name, json(&file)?["median"]["point_estimate"].as_f64()?))
}
