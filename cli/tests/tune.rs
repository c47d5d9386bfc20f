//! `upheaval tune` from outside.

use std::path::Path;

use serde_json::Value;

use crate::program::{Done, desk, run_in, runs};

const FILE: &str = r#"
name = "holes"
variants = ["standard", "black-hole"]
seed = 7
last_year = 1903
[[sweep]]
parameter = "holes.closure"
values = ["collapse", "void"]
[tune]
objective = "fairness.centres"
bots = ["random"]
budget = 600
blocks = { first = 20, most = 100 }
check = { blocks = 20 }
within = { length = [1, 3] }
front = { land = "high", drama = "high" }
"#;

fn tune(dir: &Path, arguments: &[&str]) -> Done {
    run_in(dir, &[&["tune", "e.toml"], arguments].concat(), b"")
}

#[test]
fn a_search_prints_its_set_with_figures_of_fresh_games_and_leaves_a_folder() {
    let dir = desk(FILE);
    let done = tune(dir.path(), &["--threads", "1"]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.error.contains("round 1: "), "{}", done.error);
    let said = [
        "holes: the least fairness.centres of 3 settings among random, within length 1 to 3",
        " of 3 settings; on 20 fresh blocks:",
        "one step from the best: the change of the objective, paired by block",
        "the objective against land (high is better)",
        "the objective against drama (high is better)",
        "survival      lead      land     drama  within\n",
        "games to search and ",
        "files: results/holes-",
    ];
    for part in said {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    let [folder] = &runs(&dir.path().join("results"))[..] else { panic!("the journal is gone") };
    let files: Vec<_> = testkit::files_below(folder).into_keys().collect();
    let names = ["blocks.parquet", "rounds.parquet", "tune.json", "tune.toml", "tune.txt"];
    assert_eq!(files, names.map(std::path::PathBuf::from));
    let (batches, _) = upheaval::record::parquet::read(&folder.join("blocks.parquet")).unwrap();
    let schema = batches[0].schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let of_play = ["lead_changes", "decided", "closeness", "drama"];
    assert!(of_play.iter().all(|name| names.contains(name)), "though the file names one of them: {names:?}");
    // It is not played again, and on two threads the result would be the same.
    let again = tune(dir.path(), &[]);
    assert_eq!((again.out.as_str(), again.error.as_str()), (done.out.as_str(), ""));
    let other = tune(dir.path(), &["--threads", "2", "--out", "other"]);
    assert_eq!(other.out.replace("files: other", "files: results"), done.out);
    assert_eq!(testkit::files_below(&runs(&dir.path().join("other"))[0]), testkit::files_below(folder));
    let afresh = tune(dir.path(), &["--afresh"]);
    assert!(afresh.out == done.out && afresh.error.contains("round 1: "), "{}", afresh.error);
    let quiet = tune(dir.path(), &["--afresh", "--quiet"]);
    assert_eq!((quiet.out, quiet.error.as_str()), (done.out, ""));
}

#[test]
fn the_answer_as_json_is_of_the_form_that_the_docs_show() {
    let dir = desk(FILE);
    let done = tune(dir.path(), &["--format", "json"]);
    let answer: Value = serde_json::from_str(&done.out).unwrap();
    let schema: Value = serde_json::from_str(&testkit::read("docs/tune.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&answer).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{}", done.out);
    let mut strange = answer.clone();
    strange["beside"] = Value::from(1);
    assert!(!validator.is_valid(&strange), "the schema lists every key");
    let set = answer["set"].as_array().unwrap();
    assert!(set.contains(&answer["best"]));
    assert_ne!(answer["seed"], answer["check_seed"]);
}

/// If no setting is within the bounds, the answer shows by how much each is outside.
#[test]
fn where_no_setting_is_within_the_bounds_each_is_told_with_what_it_has() {
    let dir = desk(FILE);
    let done = tune(dir.path(), &["--set", "tune.within.length=[1, 2]", "--set", "tune.within.land=[1, 5]"]);
    assert!(
        done.out.contains("no setting is within the bounds: each of the 3 is outside of one"),
        "{}",
        done.out
    );
    for line in [
        "\nstandard               length 3.000 (standard error 0.000) among random, after 20 blocks\n",
        "\nblack-hole · collapse  length 3.000 (standard error 0.000) among random, after 20 blocks\n",
        "\n60 games to search and 0 to measure",
    ] {
        assert!(done.out.contains(line), "{line}: {}", done.out);
    }
}

#[test]
fn a_dry_run_lists_the_settings_and_plays_nothing() {
    let dir = desk(FILE);
    let done = tune(dir.path(), &["--dry-run", "--set", "tune.budget=900"]);
    assert!(done.out.contains("900 games at most"), "{} {}", done.out, done.error);
    assert!(done.out.contains("   1  standard\n   2  black-hole · collapse\n"), "{}", done.out);
    assert!(done.out.contains("the first round: 60 games; rounds: at most 4"), "{}", done.out);
    assert!(!dir.path().join("results").exists());
}

#[test]
fn a_search_that_cannot_be_run_is_refused_in_a_line() {
    let dir = desk(FILE);
    let refused = |arguments: &[&str]| tune(dir.path(), arguments).refusal().to_owned();
    assert!(refused(&["--set", "tune.budget=50"]).contains("does not suffice for the first round"));
    assert!(refused(&["--set", "tune.objective=fairness.scores"]).contains("did you mean `fairness.score`?"));
    assert!(refused(&["--set", "tune.check.seed=7"]).contains("is the seed of the search, 7"));
    std::fs::create_dir_all(dir.path().join("results")).unwrap();
    let folder = tune(dir.path(), &["--dry-run"]);
    let place = folder.out.lines().find_map(|line| line.strip_prefix("files: ")).unwrap();
    std::fs::create_dir_all(dir.path().join(place)).unwrap();
    assert!(refused(&[]).contains("is not an answer of this search"));
}

#[test]
fn the_search_that_ships_is_a_search() {
    let file = testkit::path("experiments/fair-holes.toml").display().to_string();
    let done = run_in(Path::new("."), &["tune", &file, "--dry-run"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(
        done.out.starts_with("fair-holes: the least fairness.score of 17 settings among greedy and dumbbot"),
        "{}",
        done.out
    );
}
