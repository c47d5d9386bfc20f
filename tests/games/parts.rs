//! A run whose parts are played elsewhere, in any order and on any number of threads, has the same bytes as a run that
//! is played here.

use std::path::Path;

use crate::helpers::engine::{experiment, files, registry};
use tempfile::tempdir;
use upheaval::sim::{Experiment, Part, RunPlan};
use upheaval::sim::{OutputError, RunFolder};

/// Two arms of a sweep with orders, in three parts each.
pub(super) fn small(out: &Path) -> Experiment {
    // A part has 256 games at most.
    let games = testkit::amount(518, 602).min(602);
    let text = format!(
        "name = \"parts\"\nvariants = [\"black-hole\"]\ngames = {games}\nseed = 4\nlast_year = 1901\n\
         log.orders = true\n[seats]\nlineup = [\"greedy\", \"random\", \"random\", \"hold\", \"random\", \"random\", \
         \"random\"]\n[[sweep]]\nparameter = \"changes.holes.count\"\nvalues = [1, 2]"
    );
    experiment(&text, out)
}

/// The parts of an experiment as other processes make them, in the order of the schedule, passed on as bytes.
pub(super) fn parts(experiment: &Experiment) -> Vec<Part> {
    first_parts(experiment, usize::MAX)
}

/// At most this many of the first parts.
fn first_parts(experiment: &Experiment, most: usize) -> Vec<Part> {
    let text = RunPlan::of(experiment).to_json();
    let worker = |at: usize| {
        let worker = RunPlan::read(&text).unwrap().worker(&registry()).unwrap();
        worker.play(at, 1 + at % 3, &()).unwrap().to_bytes()
    };
    let count = RunPlan::of(experiment).schedule().chunks().count().min(most);
    let backwards: Vec<Vec<u8>> = (0..count).rev().map(worker).collect();
    backwards.iter().rev().map(|bytes| Part::from_bytes(bytes).unwrap()).collect()
}

#[test]
fn parts_that_are_played_elsewhere_have_the_bytes_of_the_run() {
    let (here, elsewhere) = (tempdir().unwrap(), tempdir().unwrap());
    let report = small(here.path()).run(&()).unwrap();
    let experiment = small(elsewhere.path());
    let parts = parts(&experiment);
    assert_eq!(parts.len(), 6);
    let mut folder = RunFolder::create(&experiment).unwrap();
    parts[..2].iter().for_each(|part| folder.accept(part).unwrap());
    // The driver is killed and started again.
    drop(folder);
    let mut folder = RunFolder::create(&experiment).unwrap();
    assert_eq!(folder.taken(), 2);
    parts[2..].iter().for_each(|part| folder.accept(part).unwrap());
    let other = folder.finish().unwrap();
    assert_eq!(files(&report.path), files(&other.path));
    assert_eq!(report.manifest.files, other.manifest.files);
    assert!(other.manifest.repeatable);
}

#[test]
fn parts_of_a_shard_are_those_of_the_shard() {
    let (here, elsewhere) = (tempdir().unwrap(), tempdir().unwrap());
    let shard = |out: &Path| Experiment { shard: Some("2/4".parse().unwrap()), ..small(out) };
    let report = shard(here.path()).run(&()).unwrap();
    let experiment = shard(elsewhere.path());
    let mut folder = RunFolder::create(&experiment).unwrap();
    parts(&experiment).iter().for_each(|part| folder.accept(part).unwrap());
    assert_eq!(files(&report.path), files(&folder.finish().unwrap().path));
}

#[test]
fn a_part_that_is_not_the_next_of_the_run_is_refused() {
    let out = tempdir().unwrap();
    let experiment = small(out.path());
    let parts = first_parts(&experiment, 2);
    let mut folder = RunFolder::create(&experiment).unwrap();
    let refused = |folder: &mut RunFolder, part: &Part| match folder.accept(part) {
        Err(OutputError::OtherPart(fault)) => fault.split_once(": ").unwrap().1.to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&mut folder, &parts[1]), "it is chunk 1, but the next is 0");
    let with = |change: fn(&mut Part)| {
        let mut part = parts[0].clone();
        change(&mut part);
        part
    };
    let foreign = with(|part| part.head.experiment_hash = "00".to_owned());
    let own = &parts[0].head.experiment_hash;
    assert_eq!(refused(&mut folder, &foreign), format!("it belongs to the experiment 00, but this is {own}"));
    for part in [
        with(|part| part.head.variant = 1),
        with(|part| part.head.files[0].path = "../games/part-00000.parquet".to_owned()),
        with(|part| part.head.files[0].rows = Some(7)),
        with(|part| drop(part.head.files.pop())),
        with(|part| drop(part.bytes.pop())),
    ] {
        assert_eq!(refused(&mut folder, &part), "its files are not those of the chunk");
    }
    folder.accept(&parts[0]).unwrap();
}

#[test]
fn what_is_changed_on_its_way_is_found() {
    let out = tempdir().unwrap();
    let worker = RunPlan::of(&small(out.path())).worker(&registry()).unwrap();
    let bytes = worker.play(0, 1, &()).unwrap().to_bytes();
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    let files = bytes.len() - bytes.iter().position(|&byte| byte == b'\n').unwrap() - 1;
    let last = Part::from_bytes(&bytes).unwrap().head.files.pop().unwrap().path;
    let no_head = |why: &str| format!("the bytes do not begin with the head of a part: {why}");
    for (bytes, fault) in [
        (&changed[..], format!("`{last}` was changed in transit: its hash differs")),
        (
            &bytes[..bytes.len() - 1],
            format!("the part has {} bytes of files, but its head says {files}", files - 1),
        ),
        (b"no head", no_head("they have no line")),
        (b"{}\n", no_head("missing field `experiment_hash` (line 1, column 2)")),
    ] {
        assert_eq!(Part::from_bytes(bytes).expect_err("it is not a part").to_string(), fault);
    }
    assert_eq!(worker.play(6, 1, &()).unwrap_err().to_string(), "the plan has no part 6");
}

#[test]
fn a_bot_that_is_not_to_be_had_is_named() {
    let out = tempdir().unwrap();
    let plan = RunPlan::of(&small(out.path()));
    let none = upheaval::sim::Registry::default();
    let error = plan.worker(&none).err().unwrap().to_string();
    let what = error.split_once("; it played as ").map(|(what, _)| what);
    assert_eq!(what, Some("the bot `greedy` cannot play here: there is no bot `greedy` here"), "{error}");
}
