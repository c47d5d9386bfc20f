//! Files on disk: run folders, the journals of interrupted runs, game files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Input, corpus, inputs, mutate, scramble};
use crate::helpers::engine::{experiment, files, play};
use serde_json::Value;
use upheaval::analysis::balance::{Balance, BalanceOptions};
use upheaval::game_record::{GameRecord, Origin, game_record, replay};
use upheaval::record::GameRow;
use upheaval::sim::OutputError;
use upheaval::sim::runner::{Observer, RunError};
use upheaval::sim::stored::{StoredRun, Trust};
use upheaval::sim::verify::verify;
use upheaval::sim::{Experiment, GameSpec};

/// An experiment of three parts, each of which is played in a moment. A part of games that may be long has few of them,
/// and these end after the first year in which no count of centres changes.
fn small(out: &Path) -> Experiment {
    let text = "name = \"small\"\nvariants = [\"black-hole\"]\ngames = 10\nseed = 26\nlast_year = 9999\n\
                log.orders = true\nstop.still = 1\n[seats]\nall = \"hold\"\n";
    Experiment { threads: 1, ..experiment(text, out) }
}

/// Changes a file: a value of it where it is JSON, and its bytes; or cuts, empties or removes it.
fn damage(path: &Path, input: &mut Input) {
    let dice = &mut input.dice;
    let mut bytes = fs::read(path).expect("a file");
    let value: Option<Value> = serde_json::from_slice(&bytes).ok();
    match (dice.below(16), value) {
        (0, _) => return fs::remove_file(path).expect("it can be removed"),
        (1, _) => bytes.clear(),
        (2, _) => bytes.truncate(dice.below(bytes.len() as u32 + 1) as usize),
        (3..=11, Some(mut value)) => {
            mutate(&mut value, dice);
            bytes = value.to_string().into_bytes();
        }
        _ => scramble(&mut bytes, dice),
    }
    fs::write(path, bytes).expect("it can be written");
}

#[test]
fn a_damaged_run_folder_is_refused_or_says_what_the_sound_one_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = play(&small(folder.path()), 1).path;
    let sound = testkit::files_below(&run);
    let options = BalanceOptions::default();
    let told = Balance::of(&run, &options).expect("a sound run").to_json();
    let paths: Vec<&PathBuf> = sound.keys().collect();
    let (mut same, mut refused) = (0, 0);
    let numbered = inputs("run-folders", 100);
    let are_many = numbered.are_many();
    for mut input in numbered {
        let path = run.join(input.dice.choose(&paths).expect("a file"));
        damage(&path, &mut input);
        match Balance::of(&run, &options) {
            Ok(balance) => {
                same += 1;
                assert_eq!(balance.to_json(), told, "{}", path.display());
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
        // With a trusted folder anything may be read, and it is answered or refused as well. One way for each input.
        let trusting = |trust| {
            let _ = StoredRun::open_with(&run, trust);
            let _ = Balance::of(&run, &BalanceOptions { trust, ..BalanceOptions::default() });
        };
        match input.number % 3 {
            0 => trusting(Trust::Bytes),
            1 => trusting(Trust::Everything),
            _ => drop(verify(&run).expect("a folder that can be listed")),
        }
        fs::write(&path, &sound[path.strip_prefix(&run).expect("below the run")]).expect("it can be written");
    }
    assert!(refused > 0 && same > 0 || !are_many, "{refused} refused, {same} the same");
}

/// Stops a run after this many games.
struct After(AtomicUsize);

impl Observer for After {
    fn played(&self, _: &GameSpec, _: &GameRow) {
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
    }

    fn stops(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

#[test]
fn an_interrupted_run_with_a_damaged_file_ends_with_the_bytes_of_the_whole_run_or_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = files(&play(&small(&folder.path().join("whole")), 1).path);
    let begun = folder.path().join("begun");
    let stopped = small(&begun).run(&After(AtomicUsize::new(9)));
    assert!(matches!(stopped, Err(RunError::Interrupted)));
    let left = testkit::files_below(&begun);
    let paths: Vec<&PathBuf> = left.keys().collect();
    let (mut resumed, mut refused) = (0, 0);
    let numbered = inputs("journals", 30);
    let are_many = numbered.are_many();
    for mut input in numbered {
        let place = folder.path().join("again");
        for (path, bytes) in &left {
            let path = place.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, bytes).expect("it can be written");
        }
        let path = place.join(input.dice.choose(&paths).expect("a file"));
        damage(&path, &mut input);
        match small(&place).run(&()) {
            Ok(report) => {
                resumed += 1;
                assert!(files(&report.path) == whole, "{}", path.display());
            }
            Err(RunError::Sink(error)) => {
                refused += 1;
                let _: &OutputError = &error;
                assert!(!error.to_string().is_empty());
            }
            Err(error) => panic!("{error}"),
        }
        fs::remove_dir_all(&place).expect("it can be removed");
    }
    assert!(resumed > 0 || !are_many, "{resumed} resumed, {refused} refused");
}

#[test]
fn game_files_of_any_text_are_refused_or_played_again() {
    let kept = ["black-hole", "schizo-ii", "deluge-ii", "seismic-1971"].map(|id| {
        let text = format!(
            "name = \"kept\"\nvariants = [\"{id}\"]\ngames = 1\nseed = 26\nlast_year = 1902\nseats.all = \"greedy\"\n"
        );
        let experiment = experiment(&text, Path::new("."));
        let spec = experiment.schedule().game(0, 0);
        game_record(&Origin::from(&experiment), &experiment.player(), &spec).0.to_json()
    });
    let texts: Vec<String> = kept.into_iter().chain(corpus("game-files", &[])).collect();
    let values: Vec<Value> = texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    let (mut read, mut refused) = (0, 0);
    let inputs = inputs("game-files", 60);
    let are_many = inputs.are_many();
    for mut input in inputs {
        let dice = &mut input.dice;
        let mut text = dice.choose(&texts).expect("a game").clone();
        if dice.below(3) == 0 {
            let mut bytes = text.into_bytes();
            scramble(&mut bytes, dice);
            text = String::from_utf8_lossy(&bytes).into_owned();
        } else {
            let mut value = dice.choose(&values).expect("a game").clone();
            for _ in 0..1 + dice.below(3) {
                mutate(&mut value, dice);
            }
            text = value.to_string();
        }
        match GameRecord::parse("g.json", &text) {
            Ok(game_record) => {
                read += 1;
                if let Ok(variant) = game_record.variant("g.json") {
                    let _ = replay(&game_record, variant, &mut |_| {});
                }
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().split([' ', ':', '`']).any(|word| word == "g.json"), "{error}");
            }
        }
    }
    assert!(read > 0 && refused > 0 || !are_many, "{read} read, {refused} refused");
}
