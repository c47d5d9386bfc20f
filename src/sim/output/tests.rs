//! The run folder as a whole: bytes, refusals, full disks.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::manifest::Manifest;
use super::*;
use crate::record::parquet::read;
use crate::sim::runner::{RunError, run};
use crate::sim::{Schedule, mock};

fn experiment(seats: &str, games: u32, out: &Path) -> Experiment {
    Experiment { out: out.to_owned(), ..mock::experiment(seats, games) }
}

fn play<S: Storage>(
    folder: Result<RunFolder<S>, OutputError>,
    experiment: &Experiment,
    threads: usize,
) -> Result<RunReport, OutputError> {
    let mut folder = folder?;
    match run(&Schedule::new(experiment), threads, &mock::play, &mut folder, &()) {
        Ok(()) => folder.finish(),
        Err(RunError::Sink(error)) => Err(error),
        Err(RunError::Threads { .. }) => panic!("no threads"),
    }
}

fn play_on_disk(experiment: &Experiment, threads: usize) -> Result<RunReport, OutputError> {
    play(RunFolder::create(experiment), experiment, threads)
}

/// Every file below a folder, hidden ones too, with its bytes.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    found.push((path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap()))
                }
            }
        }
    }
    found.sort();
    found
}

fn tables(report: &RunReport) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = contents(&report.path);
    found.retain(|(path, _)| path != Path::new(MANIFEST));
    found
}

#[test]
fn one_two_and_seven_threads_write_the_same_bytes() {
    for (seats, games) in [("orders", 300), ("rotated", 1400)] {
        let runs: Vec<_> = [1, 2, 7]
            .map(|threads| {
                let dir = tempfile::tempdir().unwrap();
                tables(&play_on_disk(&experiment(seats, games, dir.path()), threads).unwrap())
            })
            .into();
        let files = if seats == "orders" { 12 } else { 10 };
        assert_eq!(runs[0].len(), files, "two variants of each table, two files of the experiment");
        assert!(runs[0] == runs[1] && runs[0] == runs[2], "{seats}");
    }
}

#[test]
fn the_folder_is_as_described() {
    let dir = tempfile::tempdir().unwrap();
    let experiment = experiment("orders", 300, &dir.path().join("a/b"));
    let report = play_on_disk(&experiment, 2).unwrap();
    assert_eq!(report.path, dir.path().join("a/b").join(format!("mock-{}", &experiment.hash()[..12])));
    let manifest: Manifest = serde_json::from_slice(&fs::read(report.path.join(MANIFEST)).unwrap()).unwrap();
    assert_eq!(manifest, report.manifest);
    assert_eq!((manifest.games, manifest.files.len()), (600, 12));
    for file in &manifest.files {
        let bytes = fs::read(report.path.join(&file.path)).unwrap();
        assert_eq!(bytes.len() as u64, file.bytes, "{}", file.path);
        assert_eq!(blake3::hash(&bytes).to_hex().to_string(), file.blake3, "{}", file.path);
    }
    let resolved = fs::read(report.path.join("experiment.resolved.json")).unwrap();
    assert_eq!(blake3::hash(&resolved).to_hex().to_string(), manifest.experiment_hash);
    let (batches, metadata) = read(&report.path.join("games/variant=black-hole/part-0.parquet")).unwrap();
    assert_eq!(batches.iter().map(|b| b.num_rows()).sum::<usize>(), 300);
    assert!(metadata.iter().any(|kv| kv.value.as_ref() == Some(&manifest.experiment_hash)));
    let hidden = fs::read_dir(dir.path().join("a/b")).unwrap().count();
    assert_eq!(hidden, 1, "nothing but the run folder stays");
}

#[test]
fn the_same_experiment_again_replaces_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let experiment = experiment("fixed", 20, dir.path());
    let first = play_on_disk(&experiment, 1).unwrap();
    let before = tables(&first);
    fs::remove_file(first.path.join("experiment.toml")).unwrap();
    let second = play_on_disk(&experiment, 2).unwrap();
    assert_eq!(tables(&second), before);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn what_is_not_this_run_is_refused_and_left_alone() {
    let refused = |prepare: &dyn Fn(&Path, &Experiment), out: &str, expected: &str| {
        let dir = tempfile::tempdir().unwrap();
        let experiment = experiment("fixed", 5, &dir.path().join(out));
        prepare(dir.path(), &experiment);
        let before = contents(dir.path());
        let error = play_on_disk(&experiment, 1).unwrap_err();
        assert!(error.is_refusal());
        let text = error.to_string();
        assert!(text.contains(expected) && !text.contains('\n'), "{text}");
        assert_eq!(contents(dir.path()), before);
    };
    refused(&|dir, _| fs::write(dir.join("out"), "x").unwrap(), "out", "out` is no folder");
    refused(&|dir, _| fs::write(dir.join("out"), "x").unwrap(), "out/deeper", "out` is no folder");
    refused(&|_, e| fs::write(super::path(e), "x").unwrap(), "", "is no folder");
    let foreign = |_: &Path, e: &Experiment| {
        fs::create_dir(super::path(e)).unwrap();
        fs::write(super::path(e).join("thesis.tex"), "x").unwrap();
    };
    refused(&foreign, "", "holds `thesis.tex`, which is no part of this run");
    let notes = |_: &Path, e: &Experiment| {
        let report = play_on_disk(e, 1).unwrap();
        fs::create_dir(report.path.join("games/mine")).unwrap();
        fs::write(report.path.join("games/mine/notes"), "x").unwrap();
    };
    refused(&notes, "", "holds `games/mine/notes`, which is no part of this run");
    let other = |_: &Path, e: &Experiment| {
        let other = Experiment { seed: 6, name: "other".into(), ..e.clone() };
        let report = play_on_disk(&other, 1).unwrap();
        fs::rename(report.path, super::path(e)).unwrap();
    };
    refused(&other, "", "holds the run of another experiment, `other` ");
    let half = |_: &Path, e: &Experiment| {
        fs::create_dir(super::path(e)).unwrap();
        fs::write(super::path(e).join(MANIFEST), "{\"complete\": tr").unwrap();
    };
    refused(&half, "", "holds `manifest.json`");
}

#[test]
fn leftovers_of_killed_runs_go_and_living_runs_stay() {
    let dir = tempfile::tempdir().unwrap();
    let dead = dir.path().join(".upheaval-partial-mock-1-99999999");
    fs::create_dir_all(dead.join("games")).unwrap();
    fs::write(dead.join("games/part"), "x").unwrap();
    fs::write(dir.path().join(".upheaval-partial-mock-1-99999999.lock"), "").unwrap();
    let alive = dir.path().join(".upheaval-partial-mock-1-88888888.lock");
    let lock = fs::File::create(&alive).unwrap();
    lock.lock().unwrap();
    fs::create_dir(dir.path().join(".upheaval-partial-mock-1-88888888")).unwrap();
    play_on_disk(&experiment("fixed", 5, dir.path()), 1).unwrap();
    assert!(!dead.exists());
    assert!(alive.exists() && dir.path().join(".upheaval-partial-mock-1-88888888").exists());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
}

/// A disk that is full after so many bytes.
struct Full(Arc<AtomicI64>);

struct FullFile(fs::File, Arc<AtomicI64>);

impl Storage for Full {
    type File = FullFile;
    fn create(&self, path: &Path) -> io::Result<FullFile> {
        Ok(FullFile(fs::File::create_new(path)?, self.0.clone()))
    }
    fn sync(&self, _: &FullFile) -> io::Result<()> {
        Ok(())
    }
}

impl Write for FullFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.1.fetch_sub(bytes.len() as i64, Ordering::Relaxed) < bytes.len() as i64 {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        self.0.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[test]
fn a_full_disk_is_one_line_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let experiment = experiment("orders", 300, &out);
    let whole = play_on_disk(&experiment, 2).unwrap();
    let bytes: u64 = whole.manifest.files.iter().map(|f| f.bytes).sum();
    fs::remove_dir_all(&out).unwrap();
    // At the first file, in the middle of the tables, in the last footer, in the manifest.
    for room in [0, 100, bytes / 4, bytes / 2, bytes - 1, bytes + 10] {
        let storage = Full(Arc::new(AtomicI64::new(room as i64)));
        let error = play(RunFolder::create_in(storage, &experiment), &experiment, 2).unwrap_err();
        let text = error.to_string();
        assert!(!error.is_refusal());
        assert!(text.starts_with("cannot write `") && text.contains("/mock-"), "{room}: {text}");
        assert!(text.ends_with("no storage space") && !text.contains("partial"), "{room}: {text}");
        assert!(!out.exists(), "{room}: {:?}", contents(&out));
    }
    // A run that is there outlives the attempt to replace it.
    let before = tables(&play_on_disk(&experiment, 2).unwrap());
    let storage = Full(Arc::new(AtomicI64::new(bytes as i64 / 2)));
    play(RunFolder::create_in(storage, &experiment), &experiment, 2).unwrap_err();
    assert_eq!(tables(&whole), before);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
}

#[test]
fn a_player_that_panics_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let experiment = experiment("fixed", 50, &dir.path().join("out"));
    let result = std::panic::catch_unwind(|| {
        let mut folder = RunFolder::create(&experiment).unwrap();
        let panics = |spec: &crate::sim::GameSpec| match spec.game {
            40 => panic!("a test's panic"),
            _ => mock::play(spec),
        };
        let _ = run(&Schedule::new(&experiment), 2, &panics, &mut folder, &());
    });
    assert!(result.is_err());
    assert!(!dir.path().join("out").exists());
}
