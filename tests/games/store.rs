//! A run whose files the workers put into a store is a run folder, wherever its driver was killed.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs;
use std::path::Path;

use super::parts::{parts, small};
use tempfile::tempdir;
use upheaval::sim::output::ledger::{Found, Ledger, ToPut};
use upheaval::sim::output::manifest_name;
use upheaval::sim::plan::{Part, PartHead};
use upheaval::sim::stored::StoredRun;
use upheaval::sim::verify::verify;
use upheaval::sim::{Experiment, Site};

/// The files of the workers.
type Store = BTreeMap<String, Vec<u8>>;

fn put(store: &mut Store, files: Vec<ToPut>) {
    store.extend(files.into_iter().map(|file| (file.path, file.bytes)));
}

fn worked(store: &mut Store, part: Part) -> PartHead {
    store.extend(part.head.files.iter().map(|f| f.path.clone()).zip(part.bytes.iter().map(|b| b.to_vec())));
    part.head
}

fn resumed(experiment: &Experiment, store: &Store) -> Ledger {
    let mut ledger = Ledger::new(experiment).with_chunks_a_manifest(2);
    for number in 0.. {
        let Some(manifest) = store.get(&manifest_name(number)) else { break };
        let look = |paths: &[&str]| {
            Ok::<_, Infallible>(paths.iter().map(|path| store.get(*path).map(|b| Found::of(b))).collect())
        };
        let Ok(full) = ledger.resume(manifest, look);
        if !full {
            break;
        }
    }
    ledger
}

fn on_disk(store: &Store, folder: &Path) {
    for (path, bytes) in store {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
}

#[test]
fn what_lies_in_the_store_is_a_run_folder_wherever_the_driver_was_killed() {
    let dir = tempdir().unwrap();
    let experiment = small(Path::new("nowhere"));
    let parts = parts(&experiment);
    assert!(parts.len() > 4, "several manifests: {}", parts.len());
    for killed in 0..=parts.len() {
        let mut store = Store::new();
        let mut ledger = resumed(&experiment, &store);
        for (number, part) in parts.iter().enumerate() {
            if number == killed {
                ledger = resumed(&experiment, &store);
                assert_eq!(ledger.taken(), killed);
            }
            ledger.accept(worked(&mut store, part.clone())).unwrap();
            put(&mut store, ledger.full());
            put(&mut store, ledger.open().into_iter().collect());
        }
        put(&mut store, ledger.finish().unwrap());
        let folder =
            dir.path().join(killed.to_string()).join(Site::of(&experiment).path.file_name().unwrap());
        on_disk(&store, &folder);
        let report = verify(&folder).unwrap();
        assert_eq!(report.faults, []);
        let run = StoredRun::open(&folder).unwrap();
        assert_eq!(run.parts(0).len() + run.parts(1).len(), parts.len());
    }
}

/// The parts of an experiment, and a store with the files of the first four, which its ledger knows.
fn begun(experiment: &Experiment) -> (Vec<Part>, Store, Ledger) {
    let parts = parts(experiment);
    let mut store = Store::new();
    let mut ledger = resumed(experiment, &store);
    for part in &parts[..4] {
        ledger.accept(worked(&mut store, part.clone())).unwrap();
    }
    (parts, store, ledger)
}

#[test]
fn what_is_missing_in_the_store_is_played_again() {
    let experiment = small(Path::new("nowhere"));
    let (parts, mut store, ledger) = begun(&experiment);
    assert_eq!(ledger.finish().unwrap_err(), (4, parts.len()));
    let mut ledger = resumed(&experiment, &store);
    for part in &parts[..4] {
        ledger.accept(part.head.clone()).unwrap();
    }
    put(&mut store, ledger.full());
    assert_eq!(resumed(&experiment, &store).taken(), 4);
    let lost = &parts[3].head.files[1].path;
    store.get_mut(lost).unwrap().pop();
    assert_eq!(resumed(&experiment, &store).taken(), 3);
    store.remove(&parts[1].head.files[0].path);
    assert_eq!(resumed(&experiment, &store).taken(), 1);
    // A manifest of another run or program is ignored.
    for (from, to) in [("experiment_hash\":\"", "experiment_hash\":\"0"), ("program\":\"", "program\":\"x")] {
        let first = String::from_utf8(store[&manifest_name(0)].clone()).unwrap();
        let other = Store::from([(manifest_name(0), first.replacen(from, to, 1).into_bytes())]);
        assert_eq!(resumed(&experiment, &other).taken(), 0);
    }
}

#[test]
fn what_was_changed_in_the_store_is_played_again() {
    let experiment = small(Path::new("nowhere"));
    let (parts, mut store, mut ledger) = begun(&experiment);
    put(&mut store, ledger.full());
    assert_eq!(resumed(&experiment, &store).taken(), 4);
    // One bit of one file, whose path and length are as before.
    for changed in (0..4).rev() {
        for file in &parts[changed].head.files {
            let mut store = store.clone();
            let bytes = store.get_mut(&file.path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            assert_eq!(resumed(&experiment, &store).taken(), changed, "{}", file.path);
        }
    }
}

#[test]
fn two_drivers_write_the_same_manifests_whenever_they_start() {
    let experiment = small(Path::new("nowhere"));
    let (_, _, mut ledger) = begun(&experiment);
    let written = ledger.full().swap_remove(0);
    let first = written.bytes.split(|byte| *byte == b'\n').next().unwrap();
    let head: BTreeMap<String, String> = serde_json::from_slice(first).unwrap();
    assert_eq!(Vec::from_iter(head.keys()), ["experiment_hash", "program"], "no time");
}

#[test]
fn another_part_is_refused() {
    let experiment = small(Path::new("nowhere"));
    let parts = parts(&experiment);
    let mut ledger = Ledger::new(&experiment);
    assert_eq!(ledger.accept(parts[1].head.clone()), Err("it is chunk 1, but the next is 0".to_owned()));
    let mut head = parts[0].head.clone();
    head.files.swap(0, 1);
    assert_eq!(ledger.accept(head), Err("its files are not those of the chunk".to_owned()));
    let mut head = parts[0].head.clone();
    head.files[0].path = "../../games".to_owned();
    assert_eq!(ledger.accept(head), Err("its files are not those of the chunk".to_owned()));
    let mut head = parts[0].head.clone();
    head.experiment_hash.push('0');
    assert!(ledger.accept(head).unwrap_err().starts_with("it belongs to the experiment "));
}
