//! What only a library can be asked of a damaged run; the rest is in `sessions/verify.md`.

use std::fs;
use std::path::Path;

use serde_json::Value;
use upheaval::sim::StoredRun;

use crate::program::{manifest, played};

/// Python reads tables as batches.
#[test]
fn a_table_of_another_run_is_not_read_in_batches() {
    let text = |seed: u32| {
        format!(
            "name = \"e\"\nvariants = [\"standard\"]\ngames = 7\nseed = {seed}\nlast_year = 1901\nseats.all = \"hold\"\n"
        )
    };
    let [(_own, run), (_other, other)] = [1, 2].map(|seed| played(&text(seed)));
    let part = "turns/variant=standard/part-00000.parquet";
    let hash = |run: &Path| manifest(run)["experiment_hash"].as_str().unwrap().to_owned();
    fs::copy(other.join(part), run.join(part)).unwrap();
    // The manifest lists the new bytes.
    let entry = |run: &Path| -> Value {
        manifest(run)["files"].as_array().unwrap().iter().find(|file| file["path"] == part).unwrap().clone()
    };
    let (own, new) = (entry(&run), entry(&other));
    let mut changed = manifest(&run);
    *changed["files"].as_array_mut().unwrap().iter_mut().find(|file| **file == own).unwrap() = new;
    fs::write(run.join("manifest.json"), changed.to_string()).unwrap();
    let read = StoredRun::open(&run).unwrap().batches("turns", None, &[]).map(drop);
    let refusal = format!(
        "cannot read `{}`: it is not a table of this run: it says {} in `upheaval.experiment_hash`, not {}",
        run.join(part).display(),
        hash(&other),
        hash(&run)
    );
    assert_eq!(read.unwrap_err().to_string(), refusal);
}
