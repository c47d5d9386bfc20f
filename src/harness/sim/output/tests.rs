//! The run folder as a whole: bytes, refusals, full disks.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use super::manifest::Manifest;
use super::place::FoundRun;
use super::*;
use crate::record::parquet::read;
use crate::sim::runner::{RunError, run};
use crate::sim::{GameSpec, mock};

/// The longest games: the invented ones are shorter, but where games can be so long, a chunk has few of them.
const YEARS: u16 = 4096;

/// The games of a chunk: with orders, and without.
const CHUNKS: [u32; 2] = [8, 32];

fn experiment(seats: &str, games: u32, out: &Path) -> Experiment {
    let long = mock::with(&mock::experiment(seats, games), |resolved| {
        resolved.last_year = resolved.variants[0].first_year + YEARS - 1;
    });
    Experiment { out: out.to_owned(), ..long }
}

fn site_path(experiment: &Experiment) -> PathBuf {
    RunLocation::of(experiment).path
}

fn play<S: Storage>(
    folder: Result<RunFolder<S>, OutputError>,
    experiment: &Experiment,
    threads: usize,
) -> Result<RunReport, OutputError> {
    let mut folder = folder?;
    match run(&experiment.schedule(), threads, &mock::play, &mut folder, &()) {
        Ok(()) => folder.finish(),
        Err(RunError::Sink(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

fn play_on_disk(experiment: &Experiment, threads: usize) -> Result<RunReport, OutputError> {
    play(RunFolder::create(experiment), experiment, threads)
}

fn play_in<S: Storage>(storage: S, experiment: &Experiment) -> Result<RunReport, OutputError> {
    let folder = RunFolder::create_in(storage, experiment, RunLocation::of(experiment), Start::GoOn);
    play(folder, experiment, 2)
}

/// All files of a run but its manifest, which has times.
fn tables(report: &RunReport) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = testkit::files_below(&report.path);
    found.remove(Path::new(MANIFEST));
    found
}

#[test]
fn one_two_and_seven_threads_write_the_same_bytes() {
    for (seats, games) in [("orders", CHUNKS[0] + 6), ("rotated", CHUNKS[1] + 17)] {
        let runs: Vec<_> = [1, 2, 7]
            .map(|threads| {
                let dir = tempfile::tempdir().unwrap();
                tables(&play_on_disk(&experiment(seats, games, dir.path()), threads).unwrap())
            })
            .into();
        // Two parts of each table of two variants, and two files of the experiment.
        assert_eq!(runs[0].len(), if seats == "orders" { 30 } else { 26 });
        assert!(runs[0] == runs[1] && runs[0] == runs[2], "{seats}");
    }
}

#[test]
fn the_folder_is_as_described() {
    let dir = tempfile::tempdir().unwrap();
    let experiment = experiment("orders", 14, &dir.path().join("a/b"));
    let report = play_on_disk(&experiment, 2).unwrap();
    assert_eq!(
        report.path,
        dir.path().join("a/b").join(format!("mock-{}", &experiment.resolved.canonical().hash[..12]))
    );
    let manifest: Manifest = serde_json::from_slice(&fs::read(report.path.join(MANIFEST)).unwrap()).unwrap();
    assert_eq!(manifest, report.manifest);
    assert_eq!((manifest.games, manifest.files.len()), (28, 30));
    for file in &manifest.files {
        let bytes = fs::read(report.path.join(&file.path)).unwrap();
        assert_eq!(bytes.len() as u64, file.bytes, "{}", file.path);
        assert_eq!(blake3::hash(&bytes).to_hex().to_string(), file.blake3, "{}", file.path);
    }
    let resolved = fs::read(report.path.join("experiment.resolved.json")).unwrap();
    assert_eq!(blake3::hash(&resolved).to_hex().to_string(), manifest.experiment_hash);
    let (batches, metadata) = read(&report.path.join("games/variant=black-hole/part-00001.parquet")).unwrap();
    assert_eq!(batches.iter().map(|b| b.num_rows()).sum::<usize>(), 6);
    assert!(metadata.iter().any(|kv| kv.value.as_ref() == Some(&manifest.experiment_hash)));
    let hidden = fs::read_dir(dir.path().join("a/b")).unwrap().count();
    assert_eq!(hidden, 1, "nothing but the run folder stays");
}

/// A player that stops the run at a game of a variant.
fn stops_at(variant: usize, game: u32) -> impl Fn(&GameSpec) -> GameRows {
    move |spec| match (spec.variant, spec.game) == (variant, game) {
        true => panic!("a test's panic"),
        false => mock::play(spec),
    }
}

/// Plays until the run is stopped there.
fn play_until(experiment: &Experiment, variant: usize, game: u32) {
    let stopped = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let mut folder = RunFolder::create(experiment).unwrap();
        let _ = run(&experiment.schedule(), 2, &stops_at(variant, game), &mut folder, &());
    }));
    assert!(stopped.is_err());
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    names
}

fn hidden(experiment: &Experiment, ending: &str) -> PathBuf {
    let name = site_path(experiment).file_name().unwrap().to_str().unwrap().to_owned();
    experiment.out.join(format!(".upheaval-partial-{name}{ending}"))
}

#[test]
fn a_run_that_was_stopped_goes_on_behind_what_is_finished() {
    // Chunks of 8 games: 8 and 6 of each variant. While one is being played, the one before is written.
    let clean = tempfile::tempdir().unwrap();
    let expected = tables(&play_on_disk(&experiment("orders", 14, clean.path()), 2).unwrap());
    for (variant, game, finished) in [(0, 3, 0), (0, 10, 1), (1, 3, 2), (1, 11, 3)] {
        let dir = tempfile::tempdir().unwrap();
        let experiment = experiment("orders", 14, &dir.path().join("out"));
        play_until(&experiment, variant, game);
        assert_eq!(experiment.out.exists(), finished > 0, "nothing finished leaves nothing");
        let mut folder = RunFolder::create(&experiment).unwrap();
        assert_eq!(folder.finished(), finished);
        let stored: Vec<_> = folder.stored().map(Result::unwrap).collect();
        let schedule = experiment.schedule();
        for (stored, chunk) in stored.iter().zip(schedule.chunks()) {
            let again: Vec<_> =
                chunk.games.clone().map(|game| mock::play(&schedule.game(chunk.variant, game))).collect();
            assert_eq!(stored.variant, chunk.variant);
            assert!(stored.iter().eq(again.iter().map(|record| (&record.game, record.topology.as_slice()))));
        }
        let played = std::sync::atomic::AtomicU64::new(0);
        let play = |spec: &GameSpec| {
            played.fetch_add(1, Ordering::Relaxed);
            mock::play(spec)
        };
        run(&schedule, 2, &play, &mut folder, &()).unwrap();
        let report = folder.finish().unwrap();
        assert_eq!(played.into_inner(), [28, 20, 14, 6][finished], "finished games are not played again");
        assert!(tables(&report) == expected, "the bytes of a run that was never stopped");
        assert_eq!(fs::read_dir(&experiment.out).unwrap().count(), 1);
    }
}

fn replaced(bytes: Vec<u8>, from: &str, to: &str) -> Option<Vec<u8>> {
    let text = String::from_utf8(bytes).unwrap();
    let changed = text.replace(from, to);
    assert_ne!(changed, text);
    Some(changed.into_bytes())
}

#[test]
fn only_what_is_whole_is_gone_on_with() {
    let clean = tempfile::tempdir().unwrap();
    let expected = tables(&play_on_disk(&experiment("orders", 14, clean.path()), 2).unwrap());
    // A part or the journal, what becomes of its bytes, and the parts that are still finished.
    type Damage = fn(Vec<u8>) -> Option<Vec<u8>>;
    const JOURNAL: &str = "";
    const ROWS: &str = "\"turns/variant=standard/part-00001.parquet\",\"rows\":";
    const REPEATS: [&str; 2] = ["{\"variant\":1,\"repeatable\":true", "{\"variant\":1,\"repeatable\":false"];
    const SEATS: [&str; 2] =
        ["seats/variant=standard/part-00001.parquet", "seats/variant=standard/../../part.parquet"];
    let damages: [(&str, Damage, usize); 9] = [
        ("games/variant=standard/part-00009.parquet", |_| Some(b"x".to_vec()), 3),
        ("turns/variant=standard/part-00001.parquet", |_| None, 1),
        ("events/variant=black-hole/part-00000.parquet", |bytes| Some(bytes.into_iter().rev().collect()), 2),
        (JOURNAL, |bytes| Some(bytes[..bytes.len() - 5].to_vec()), 2),
        (JOURNAL, |bytes| replaced(bytes, "version 0", "version 99"), 0),
        (JOURNAL, |_| Some(b"rubbish\n".to_vec()), 0),
        // The journal makes false statements about valid files.
        (JOURNAL, |bytes| replaced(bytes, ROWS, &format!("{ROWS}1")), 1),
        (JOURNAL, |bytes| replaced(bytes, REPEATS[0], REPEATS[1]), 2),
        (JOURNAL, |bytes| replaced(bytes, SEATS[0], SEATS[1]), 1),
    ];
    for (i, (file, damage, finished)) in damages.into_iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let experiment = experiment("orders", 14, dir.path());
        play_until(&experiment, 1, 11);
        let path = match file {
            JOURNAL => hidden(&experiment, ".journal"),
            part => hidden(&experiment, "").join(part),
        };
        match damage(fs::read(&path).unwrap_or_default()) {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let folder = RunFolder::create(&experiment).unwrap();
        assert_eq!(folder.finished(), finished, "damage {i}");
        assert!(tables(&play(Ok(folder), &experiment, 2).unwrap()) == expected, "damage {i}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}

#[test]
fn another_experiment_leaves_what_can_go_on_and_clears_what_cannot() {
    let dir = tempfile::tempdir().unwrap();
    let stopped = experiment("orders", 14, dir.path());
    play_until(&stopped, 1, 3);
    let rubbish = dir.path().join(".upheaval-partial-mock-1");
    fs::create_dir_all(rubbish.join("games")).unwrap();
    fs::write(rubbish.join("games/part"), "x").unwrap();
    fs::write(dir.path().join(".upheaval-partial-mock-1.journal"), "{\"experiment").unwrap();
    let living = dir.path().join(".upheaval-partial-mock-2.journal");
    let lock = fs::File::create(&living).unwrap();
    lock.lock().unwrap();
    let other = mock::with(&experiment("fixed", 5, dir.path()), |resolved| resolved.name = "other".into());
    play_on_disk(&other, 1).unwrap();
    let left = names(dir.path());
    assert_eq!(left.len(), 4, "the stopped run with its journal, the living one, the new run: {left:?}");
    assert!(hidden(&stopped, "").exists() && hidden(&stopped, ".journal").exists() && living.exists());
    assert_eq!(RunFolder::create(&stopped).unwrap().finished(), 2);
}

#[test]
fn beside_what_a_changed_experiment_has_not_finished_nothing_is_begun() {
    let dir = tempfile::tempdir().unwrap();
    let stopped = experiment("orders", 14, dir.path());
    play_until(&stopped, 1, 3);
    let changed = mock::with(&stopped, |resolved| (resolved.games, resolved.seed) = (15, 6));
    let error = RunFolder::create(&changed).err().expect("a refusal");
    assert!(error.is_refusal());
    assert_eq!(RunLocation::of(&changed).standing().unwrap_err().to_string(), error.to_string());
    assert_eq!(RunLocation::of(&stopped).standing().unwrap(), FoundRun::Chunks(2));
    let shard = Experiment { shard: Some("1/2".parse().unwrap()), ..changed.clone() };
    assert!(RunFolder::create(&shard).is_err(), "a shard of it does not have another name");
    // A run that is being played is not a leftover.
    let living = RunFolder::create(&stopped).unwrap();
    assert_eq!(RunLocation::of(&changed).standing().unwrap(), FoundRun::Nothing);
    assert!(matches!(RunLocation::of(&stopped).standing(), Err(OutputError::Busy(_))));
    drop(living);
    // The run that was begun is resumed.
    let begun = RunFolder::start(&changed, Start::Afresh);
    assert!(begun.is_ok() && !hidden(&stopped, ".journal").exists() && !hidden(&stopped, "").exists());
    drop(begun);
    play_until(&changed, 1, 3);
    let folder = RunFolder::start(&changed, Start::Afresh).unwrap();
    assert_eq!(folder.finished(), 0, "afresh is from the start");
}

#[test]
fn a_run_is_played_by_one_process_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let experiment = experiment("fixed", 5, dir.path());
    let first = RunFolder::create(&experiment).unwrap();
    let error = RunFolder::create(&experiment).err().expect("a refusal");
    assert!(error.is_refusal() && matches!(error, OutputError::Busy(_)), "{error}");
    assert!(play(Ok(first), &experiment, 1).is_ok(), "the first is not disturbed");
}

/// A disk that is full after this many bytes.
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
fn a_full_disk_is_one_line_and_costs_no_finished_chunk() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let experiment = experiment("orders", 14, &out);
    let whole = play_on_disk(&experiment, 2).unwrap();
    let expected = tables(&whole);
    let bytes_of = |part: &str| -> u64 {
        let files = whole.manifest.files.iter().filter(|file| file.path.contains(part));
        files.map(|file| file.bytes).sum()
    };
    let [bytes, tables_of_all, first, second] =
        ["", "variant=", "variant=standard/part-00000", "variant=standard/part-00001"].map(bytes_of);
    // The files of the experiment are written first.
    let before = bytes - tables_of_all;
    fs::remove_dir_all(&out).unwrap();
    // At the first file, in the first chunk, in the second one, in the last part, in the manifest.
    let (in_first, in_second) = (before + first / 2, before + first + second / 2);
    let rooms = [(0, 0), (100, 0), (in_first, 0), (in_second, 1), (bytes - 1, 3), (bytes + 10, 4)];
    for (room, finished) in rooms {
        let storage = Full(Arc::new(AtomicI64::new(room as i64)));
        let error = play_in(storage, &experiment).unwrap_err();
        assert!(!error.is_refusal());
        let text = error.to_string();
        let place =
            text.strip_prefix("cannot write `").and_then(|text| text.strip_suffix("`: no storage space"));
        assert!(
            place.is_some_and(|place| Path::new(place).starts_with(site_path(&experiment))),
            "{room}: {text}"
        );
        assert_eq!(out.exists(), finished > 0, "{room}: {:?}", names(dir.path()));
        if finished > 0 {
            let left = testkit::files_below(&hidden(&experiment, ""));
            assert_eq!(left.len(), 7 * finished, "{room}: parts of finished chunks alone");
            let folder = RunFolder::create(&experiment).unwrap();
            assert_eq!(folder.finished(), finished);
            assert!(tables(&play(Ok(folder), &experiment, 2).unwrap()) == expected, "{room}");
            fs::remove_dir_all(&out).unwrap();
        }
    }
    // An existing run survives the attempt to replace it.
    play_on_disk(&experiment, 2).unwrap();
    let storage = Full(Arc::new(AtomicI64::new(100)));
    play_in(storage, &experiment).unwrap_err();
    assert_eq!(tables(&whole), expected);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
}

/// A disk that remembers what was visible whenever names were made durable.
struct Watched;

/// What was visible when the names of a folder were made durable.
struct Settled {
    folder: PathBuf,
    names: Vec<String>,
    /// The journals of unfinished runs, by their texts.
    journals: Vec<String>,
}

/// For all tests at once; each has its own folders.
static SETTLED: Mutex<Vec<Settled>> = Mutex::new(Vec::new());

impl Storage for Watched {
    type File = fs::File;
    fn create(&self, path: &Path) -> io::Result<fs::File> {
        Disk.create(path)
    }
    fn sync(&self, file: &fs::File) -> io::Result<()> {
        Disk.sync(file)
    }
    fn sync_folder(folder: &Path) -> io::Result<()> {
        let out = folder.ancestors().find(|above| above.ends_with("a/b")).unwrap_or(folder);
        let journals = names(out).into_iter().filter(|name| name.ends_with(".journal"));
        let journals = journals.map(|name| fs::read_to_string(out.join(name)).unwrap()).collect();
        SETTLED.lock().unwrap().push(Settled { folder: folder.to_owned(), names: names(folder), journals });
        Disk::sync_folder(folder)
    }
}

/// After a power failure a journal does not list files whose names are lost, and the auxiliary files of a run are not
/// removed before the run is in its place.
#[test]
fn names_are_safe_before_anything_rests_on_them() {
    let dir = tempfile::tempdir().unwrap();
    let experiment = experiment("orders", 14, &dir.path().join("a/b"));
    let (out, hidden) = (experiment.out.clone(), hidden(&experiment, ""));
    let hidden_name = hidden.file_name().unwrap().to_str().unwrap().to_owned();
    for turn in ["a first time", "in place of an older run"] {
        SETTLED.lock().unwrap().retain(|of| !of.folder.starts_with(dir.path()));
        let report = play_in(Watched, &experiment).unwrap();
        let settled = SETTLED.lock().unwrap();
        let safe = |folder: &Path, name: &str, journal: &dyn Fn(&str) -> bool| {
            settled.iter().any(|of| {
                of.folder == folder
                    && of.names.iter().any(|there| there == name)
                    && !of.journals.is_empty()
                    && of.journals.iter().all(|text| journal(text))
            })
        };
        let parts: Vec<&FileEntry> =
            report.manifest.files.iter().filter(|file| file.rows.is_some()).collect();
        assert_eq!(parts.len(), 28);
        for part in parts {
            let mut above = hidden.clone();
            for name in part.path.split('/') {
                let unlisted = |text: &str| !text.contains(&part.path);
                assert!(
                    safe(&above, name, &unlisted),
                    "{turn}: `{name}` of {} before it is listed",
                    part.path
                );
                above.push(name);
            }
        }
        let empty = |text: &str| text.lines().count() == 1;
        let ended = |text: &str| text.lines().count() == 5;
        assert!(safe(&out, &hidden_name, &empty), "{turn}: the hidden folder");
        assert!(safe(&out, &format!("{hidden_name}.journal"), &empty), "{turn}: the journal");
        assert!(safe(&hidden, MANIFEST, &ended), "{turn}: the manifest");
        let run = report.path.file_name().unwrap().to_str().unwrap();
        assert!(safe(&out, run, &ended), "{turn}: the run is safe while its journal is still there");
        if turn == "a first time" {
            for (above, name) in [(dir.path().to_owned(), "a"), (dir.path().join("a"), "b")] {
                let made = settled.iter().any(|of| of.folder == above && of.names.iter().any(|n| n == name));
                assert!(made, "the folder `{name}` that was made for the run");
            }
        }
    }
}
