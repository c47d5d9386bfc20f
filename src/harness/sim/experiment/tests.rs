//! Experiment files that are read. The faults of others are in `cli/tests/sessions/experiment_refused.md`.

mod line_ups;

use serde_json::{Value, json};

use super::*;
use crate::sim::mock::MockRegistry;
use upheaval_engine::bot::Conduct;
use upheaval_map::ids::{ByPower, Power, Powers};

const GOOD: &str = "name = \"x\"\nvariants = [\"standard\"]\ngames = 14\nseed = 1\nlast_year = 1930\n";
const SEATS: &str = "[seats]\nall = \"greedy\"\n";

fn check_with(text: &str, overrides: &Overrides) -> Result<Experiment, ExperimentError> {
    Experiment::check(&Source::new("e.toml", text), Path::new("dir"), overrides, &MockRegistry)
}

fn check(text: &str) -> Result<Experiment, ExperimentError> {
    check_with(text, &Overrides::default())
}

#[test]
fn a_good_file_is_read() {
    let e = check(&format!("{GOOD}threads = 3\nout = \"o\"\nlog.orders = true\n{SEATS}")).unwrap();
    assert_eq!(
        (e.resolved.name.as_str(), e.resolved.games, e.resolved.seed, e.resolved.last_year, e.threads),
        ("x", 14, 1, 1930, 3)
    );
    assert_eq!((e.out, e.resolved.log.orders), (PathBuf::from("o"), true));
    assert_eq!(*e.resolved.seating(), Seating::Fixed(ByPower::new(Powers::STANDARD)));
    let e = check(&format!("{GOOD}{SEATS}")).unwrap();
    assert_eq!((e.out, e.threads, e.resolved.log.orders), (PathBuf::from("results"), 0, false));
}

#[test]
fn no_text_makes_it_panic() {
    let good = format!("{GOOD}{SEATS}");
    for end in (0..good.len()).filter(|&i| good.is_char_boundary(i)) {
        let _ = check(&good[..end]);
        let _ = check(&format!("{}\u{0}ü{}", &good[..end], &good[end..]));
    }
    let swept = swept(&format!("[parameters]\nchanges.holes.of = \"sea\"\n{COUNT}{CHANGE}"));
    let set = ["sweep.0.values=[1]", "seats.x.y=2", "log.orders=true"].map(str::to_owned);
    let set = Overrides { set: set.to_vec(), ..Overrides::default() };
    for end in 0..swept.len() {
        let _ = check(&swept[..end]);
        let _ = check_with(&format!("{}\u{0}ü{}", &swept[..end], &swept[end..]), &set);
        let _ = check_with(&swept[..end], &set);
    }
    let _ = check(&"[".repeat(100_000));
    let _ = check(&format!("a = {}", "[".repeat(100_000)));
}

#[test]
fn arguments_override_the_file() {
    let out = PathBuf::from("elsewhere");
    let overrides = Overrides {
        seed: Some(9),
        games: Some(3),
        threads: Some(2),
        out: Some(out.clone()),
        ..Overrides::default()
    };
    let whole = format!("{GOOD}threads = 3\nout = \"o\"\n{SEATS}");
    let without = whole.replace("seed = 1\n", "").replace("games = 14\n", "");
    for text in [whole, without] {
        let e = check_with(&text, &overrides).unwrap();
        assert_eq!((e.resolved.seed, e.resolved.games, e.threads, &e.out), (9, 3, 2, &out));
    }
    let nowhere = Overrides { out: Some(PathBuf::new()), ..Overrides::default() };
    let error = check_with(&format!("{GOOD}{SEATS}"), &nowhere).unwrap_err().to_string();
    assert_eq!(error, "out: the folder's name is empty; `.` is this folder");
}

#[test]
fn the_hash_knows_what_matters_and_nothing_else() {
    let hash = |text: &str| check(text).unwrap().resolved.canonical().hash;
    let good = format!("{GOOD}{SEATS}");
    let same = format!("# a comment\n{GOOD}threads = 3\nout = \"o\"\n[log]\norders = false\n{SEATS}");
    assert_eq!(hash(&good), hash(&same));
    for (piece, by) in [
        ("seed = 1", "seed = 2"),
        ("games = 14", "games = 15"),
        ("1930", "1931"),
        ("greedy", "random"),
        ("\"standard\"", "\"standard\", \"black-hole\""),
        ("name = \"x\"", "name = \"y\""),
        ("seed = 1", "seed = 1\nlog.orders = true"),
    ] {
        assert_ne!(hash(&good), hash(&good.replacen(piece, by, 1)), "{by}");
    }
    let resolved = check(&good).unwrap().resolved.canonical().text;
    let keys: Vec<_> = resolved.lines().filter(|l| l.starts_with("  \"")).collect();
    assert!(keys.is_sorted(), "{keys:?}");
    let resolved: Value = serde_json::from_str(&resolved).unwrap();
    let standard = MockRegistry.variant("standard", Path::new("")).unwrap();
    assert_eq!(resolved["variants"][0]["content"], standard.content, "the variant's whole content is in it");
}

#[test]
fn bots_of_ones_own_are_seated_by_their_names() {
    let own = "[bots.mine]\ncommand = [\"prog\", \"x\"]\nmove_ms = 9000\n[bots.deep]\nkind = \"greedy\"\nrollouts = 7\n";
    let with = |piece: &str, by: &str| {
        let seats =
            "[seats]\nlineup = [\"mine\", \"deep\", \"greedy\", \"mine\", \"mine\", \"mine\", \"mine\"]\n";
        check(&format!("{GOOD}{seats}{}", own.replace(piece, by))).unwrap()
    };
    let e = with("", "");
    let names: Vec<&str> = e.resolved.bots.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names, ["mine", "deep", "greedy"]);
    assert!(!e.is_repeatable(), "a bot under a clock");
    assert!(e.resolved.log.orders, "its orders are recorded, though the file does not ask for them");
    let twice = with("9000", "9000\nstall_ms = 18000");
    assert_eq!(
        e.resolved.canonical(),
        twice.resolved.canonical(),
        "a program has stalled after twice its time"
    );
    let other = with("rollouts = 7", "rollouts = 8");
    assert_ne!(e.resolved.canonical(), other.resolved.canonical(), "the settings are part of the hash");
    let unclocked = with("move_ms = 9000\n", "");
    assert!(!unclocked.is_repeatable(), "nobody says that it repeats");
    assert_eq!(unclocked.varying().map(|bot| bot.name.as_str()).collect::<Vec<_>>(), ["mine"]);
    let declared = with("move_ms = 9000", "repeats = true");
    assert_eq!((declared.is_repeatable(), declared.resolved.log.orders), (true, false));
    assert_ne!(declared.resolved.canonical(), unclocked.resolved.canonical(), "it is part of the hash");
}

#[test]
fn the_rule_about_faults_is_part_of_the_hash() {
    let with = |section: &str| check(&format!("{GOOD}{SEATS}{section}")).unwrap();
    let (none, hold) = (with(""), with("[faults]\npolicy = \"hold\"\n"));
    assert_eq!(none.resolved.canonical(), hold.resolved.canonical(), "what is the default may be said");
    let forfeit = with("[faults]\npolicy = \"forfeit\"\nanswers = [\"crash\", \"illegal\"]\n");
    assert_ne!(hold.resolved.canonical(), forfeit.resolved.canonical());
    let answers = vec![Conduct::Crash, Conduct::Illegal];
    assert_eq!(forfeit.resolved.faults, FaultRule::Forfeit { answers });
}

/// An experiment on both variants of the mock with this text in it.
fn swept(sections: &str) -> String {
    let good = GOOD.replace("[\"standard\"]", "[\"standard\", \"black-hole\"]");
    format!("{good}{SEATS}{sections}")
}

fn ids(text: &str) -> Vec<String> {
    check(text).unwrap().resolved.variants.into_iter().map(|arm| arm.id).collect()
}

const COUNT: &str = "[[sweep]]\nparameter = \"changes.holes.count\"\nvalues = [1, 2]\n";
const CHANGE: &str = "[[sweep]]\nparameter = \"changes.holes.change\"\nvalues = [\"collapse\", \"void\"]\n";

#[test]
fn values_are_what_the_key_takes_and_ids_what_folders_can_be_called() {
    for (parameter, values, expected) in [
        ("changes.holes.count", "range = { from = 1, to = 6, step = 2 }", "count-1 count-3 count-5"),
        ("changes.holes.count", "range = { from = 3, to = 4 }", "count-3 count-4"),
        (
            "changes.holes.count",
            "range = { from = 0.1, to = 0.35, step = 0.1 }",
            "count-0.1 count-0.2 count-0.3",
        ),
        ("changes.holes.change", "values = [true, false]", "change-true change-false"),
        ("changes.holes.change", "values = [[1], [2], { a = 1 }]", "change-1 change-2 change-3"),
        // A text that no folder can be called.
        ("changes.holes.change", "values = [\"maps/x.json\", \"y\"]", "change-1 change-2"),
        // A whole entry.
        ("changes.holes", "values = [{ count = 1 }]", "holes-1"),
    ] {
        let ids = ids(&swept(&format!("[[sweep]]\nparameter = \"{parameter}\"\n{values}\n")));
        let ids: Vec<String> = ids[1..].iter().map(|id| id.replace("black-hole.", "")).collect();
        assert_eq!(ids.join(" "), expected, "{values}");
    }
    // A longer part of the key where two would be the same.
    let sweep =
        |key: &str| format!("[[sweep]]\nparameter = \"{key}\"\nvalues = [1]\nvariants = [\"black-hole\"]\n");
    let both = ids(&swept(&format!("{}{}", sweep("changes.holes.seasons"), sweep("changes.splits.seasons"))));
    assert_eq!(both, ["standard", "black-hole.holes.seasons-1.splits.seasons-1"]);
}

#[test]
fn a_sweep_is_over_the_variants_that_it_names_or_that_have_the_parameter() {
    assert_eq!(ids(&swept(COUNT)).len(), 3);
    let named = format!("{COUNT}variants = [\"standard\", \"black-hole\"]\n");
    assert_eq!(ids(&swept(&named)).len(), 4, "standard has none by itself, and is given it");
}

#[test]
fn parameters_are_set_in_all_variants_that_have_them() {
    let text = swept("[parameters]\nchanges.holes.count = 2\nchanges.holes.change = \"void\"\n");
    let set = |text: &str| -> Vec<Value> {
        check(text).unwrap().resolved.variants.iter().map(|arm| arm.content["set"].clone()).collect()
    };
    assert_eq!(
        set(&text),
        [json!(null), json!(["changes.holes.count = 2", "changes.holes.change = \"void\""])]
    );
    assert_eq!(ids(&text), ["standard", "black-hole"], "no arm is made of it");
    assert_ne!(check(&swept("")).unwrap().resolved.canonical(), check(&text).unwrap().resolved.canonical());
    let with = set(&swept(&format!("[parameters]\nchanges.holes.change = \"void\"\n{COUNT}")));
    assert_eq!(with[1], json!(["changes.holes.change = \"void\"", "changes.holes.count = 1"]));
}

#[test]
fn a_rule_about_decided_games_and_a_count_of_choices_are_read_and_decide_the_hash() {
    let plain = check(&format!("{GOOD}{SEATS}")).unwrap();
    assert_eq!((plain.resolved.log, plain.resolved.stop), Default::default());
    let read = check(&format!(
        "{GOOD}log.choices = true\nlog.maps = true\nstop = {{ lead = 6, years = 3, still = 5 }}\n{SEATS}"
    ))
    .unwrap();
    assert_eq!(read.resolved.log, RunLog { orders: false, choices: true, maps: true });
    let rule = read.resolved.stop;
    assert_eq!((rule.lead.map(|lead| (lead.centres, lead.years)), rule.still), (Some((6, 3)), Some(5)));
    assert_ne!(read.resolved.canonical().hash, plain.resolved.canonical().hash);
    let resolved = ResolvedExperiment::read(&read.resolved.canonical().text).unwrap();
    assert_eq!(
        (resolved.log, resolved.stop, resolved.canonical().hash),
        (read.resolved.log, read.resolved.stop, read.resolved.canonical().hash)
    );
}
