//! Each possible fault of an experiment file, with the position and the message of its error.

mod line_ups;

use serde_json::{Value, json};

use super::*;
use crate::sim::mock::MockRegistry;
use upheaval_map::ids::{ByPower, Power, Powers};

const GOOD: &str = "name = \"x\"\nvariants = [\"standard\"]\ngames = 14\nseed = 1\nlast_year = 1930\n";
const SEATS: &str = "[seats]\nall = \"greedy\"\n";

fn check_with(text: &str, overrides: &Overrides) -> Result<Experiment, ExperimentError> {
    Experiment::check(&Source::new("e.toml", text), Path::new("dir"), overrides, &MockRegistry)
}

fn check(text: &str) -> Result<Experiment, ExperimentError> {
    check_with(text, &Overrides::default())
}

fn fault(text: &str) -> String {
    let error = check(text).unwrap_err().to_string();
    assert!(!error.contains('\n'), "{error}");
    error
}

/// The fault of a valid file in which a piece is replaced.
fn broken(piece: &str, by: &str) -> String {
    let good = format!("{GOOD}{SEATS}");
    assert!(good.contains(piece), "{piece}");
    fault(&good.replacen(piece, by, 1))
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
fn each_fault_has_its_line_and_says_what_would_be_right() {
    let cases = [
        (
            "seed = 1",
            "sed = 1",
            "e.toml:4:1: unknown key `sed`; did you mean `seed`? (known: name, variants, seed, last_year, \
          threads, out, log, stop, parameters, sweep, skip, bots, faults, games, seats)",
        ),
        ("seed = 1\n", "", "e.toml:1:1: `seed` is missing; add a line such as `seed = 1`"),
        ("games = 14\n", "", "e.toml:1:1: `games` is missing; add a line such as `games = 700`"),
        (
            "last_year = 1930\n",
            "",
            "e.toml:1:1: `last_year` is missing; add a line such as `last_year = 1930`",
        ),
        ("name = \"x\"\n", "", "e.toml:1:1: `name` is missing; add a line such as `name = \"first-try\"`"),
        (
            "seed = 1",
            "seed = -1",
            "e.toml:4:8: `seed` must be a whole number from 0 to 18446744073709551615, not -1",
        ),
        ("games = 14", "games = 0", "e.toml:3:9: `games` must be a whole number from 1 to 4294967295, not 0"),
        (
            "games = 14",
            "games = 1e3",
            "e.toml:3:9: `games` must be a whole number from 1 to 4294967295, not 1e3",
        ),
        ("games = 14", "games =", "e.toml:3:8: not valid TOML: "),
        ("games = 14", "games = 1\ngames = 2", "e.toml:4:1: not valid TOML: duplicate key"),
        (
            "last_year = 1930",
            "last_year = 1899",
            "e.toml:5:13: `last_year` 1899 is before `standard` starts: use \
          1901 or later",
        ),
        ("name = \"x\"", "name = \"../x\"", "e.toml:1:8: `name` becomes a folder's name: 1 to 64 letters"),
        ("[\"standard\"]", "[]", "e.toml:2:12: `variants` is empty; name at least one: black-hole, standard"),
        ("[\"standard\"]", "\"standard\"", "e.toml:2:12: `variants` must be a list, not \"standard\""),
        ("[\"standard\"]", "[1]", "e.toml:2:13: each of `variants` must be a text in quotes, not 1"),
        (
            "[\"standard\"]",
            "[\"standart\"]",
            "e.toml:2:13: unknown variant `standart`; did you mean `standard`? (known: \
          black-hole, standard)",
        ),
        (
            "[\"standard\"]",
            "[\"bad.toml\"]",
            "e.toml:2:13: variant `bad.toml` cannot be used: dir/bad.toml:3:1:; no",
        ),
        ("[\"standard\"]", "[\"standard\", \"standard\"]", "e.toml:2:25: variant `standard` is listed twice"),
        (
            "all = \"greedy\"",
            "all = \"gredy\"",
            "e.toml:7:7: unknown bot `gredy`; did you mean `greedy`? (known: greedy, random)",
        ),
        ("all = \"greedy\"", "", "e.toml:6:1: `seats` is empty; write `all = \"greedy\"`"),
        ("all = \"greedy\"", "all = 1", "e.toml:7:7: `seats.all` must be a text in quotes, not 1"),
        (
            "all = \"greedy\"",
            "FRANCE = \"greedy\"",
            "e.toml:6:1: `seats` has no bot for AUSTRIA, ENGLAND, GERMANY, ITALY, \
          RUSSIA, TURKEY; add them",
        ),
        (
            "all = \"greedy\"",
            "all = \"greedy\"\nFRANCE = \"random\"",
            "e.toml:8:1: `seats` has both all and a power",
        ),
        (
            "all = \"greedy\"",
            "France = \"greedy\"",
            "e.toml:7:1: unknown key `seats.France`; did you mean `FRANCE`?",
        ),
        (
            "all = \"greedy\"",
            "all = \"greedy\"\nrotate = true",
            "e.toml:8:10: `seats.rotate` needs a `lineup`, whose bots it rotates",
        ),
        (
            "all = \"greedy\"",
            "lineup = [\"greedy\"]",
            "e.toml:7:10: `seats.lineup` must name 7 bots, one for each power, not 1",
        ),
        (
            "[seats]\nall = \"greedy\"\n",
            "",
            "e.toml:1:1: `seats` is missing; add a line such as `seats.all = \"greedy\"`",
        ),
        ("[seats]\nall = \"greedy\"\n", "seats = 3", "e.toml:6:9: `seats` must be a table: `[seats]`, not 3"),
        (
            "seed = 1",
            "seed = 1\nthreads = 5000",
            "e.toml:5:11: `threads` must be a whole number from 0 to 1024, not 5000",
        ),
        ("seed = 1", "seed = 1\nout = \"\"", "e.toml:5:7: `out` is empty"),
        (
            "seed = 1",
            "seed = 1\nlog.order = true",
            "e.toml:5:5: unknown key `log.order`; did you mean `orders`?",
        ),
        ("seed = 1", "seed = 1\nlog.orders = 1", "e.toml:5:14: `log.orders` must be true or false, not 1"),
    ];
    for (piece, by, expected) in cases {
        let error = broken(piece, by);
        assert!(error.starts_with(expected), "\nexpected {expected}\n     got {error}");
    }
}

#[test]
fn no_text_makes_it_panic() {
    let good = format!("{GOOD}{SEATS}");
    for end in (0..good.len()).filter(|&i| good.is_char_boundary(i)) {
        let _ = check(&good[..end]);
        let _ = check(&format!("{}\u{0}ü{}", &good[..end], &good[end..]));
    }
    let swept = swept(&format!("[parameters]\nholes.faces = \"sea\"\n{PER_SEASON}{CLOSURE}"));
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
    let overrides = Overrides {
        seed: Some(9),
        games: Some(3),
        threads: Some(2),
        out: Some(PathBuf::from("elsewhere")),
        ..Overrides::default()
    };
    let e = check_with(&format!("{GOOD}threads = 3\nout = \"o\"\n{SEATS}"), &overrides).unwrap();
    assert_eq!((e.resolved.seed, e.resolved.games, e.threads, e.out), (9, 3, 2, PathBuf::from("elsewhere")));
    let without = format!("{GOOD}{SEATS}").replace("seed = 1\n", "").replace("games = 14\n", "");
    assert_eq!(check_with(&without, &overrides).unwrap().resolved.seed, 9);
    for (overrides, expected) in [
        (
            Overrides { games: Some(0), ..Overrides::default() },
            "games: `games` must be a whole number from 1 to 4294967295, not 0",
        ),
        (
            Overrides { threads: Some(1025), ..Overrides::default() },
            "threads: `threads` must be a whole number from 0 to 1024, not 1025",
        ),
        (Overrides { out: Some(PathBuf::new()), ..Overrides::default() }, "out: the folder's name is empty"),
    ] {
        let error = check_with(&format!("{GOOD}{SEATS}"), &overrides).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
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
    let mut sorted = keys.clone();
    sorted.sort();
    assert_eq!(keys, sorted);
    assert!(resolved.contains("\"first_phase\": \"S1901M\""), "the variant's whole content is in it");
}

#[test]
fn a_file_that_is_not_there_says_so() {
    let error =
        Experiment::read(Path::new("no/such.toml"), &Overrides::default(), &MockRegistry).unwrap_err();
    assert!(error.to_string().starts_with("cannot read `no/such.toml`: "), "{error}");
}

#[test]
fn bots_of_ones_own_are_seated_by_their_names() {
    let own = "[bots.mine]\ncommand = [\"prog\", \"x\"]\nmove_ms = 9000\n[bots.deep]\nkind = \"greedy\"\nrollouts = 7\n";
    let seats =
        "[seats]\nlineup = [\"mine\", \"deep\", \"greedy\", \"mine\", \"mine\", \"mine\", \"mine\"]\n";
    let e = check(&format!("{GOOD}{seats}{own}")).unwrap();
    let names: Vec<&str> = e.resolved.bots.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names, ["mine", "deep", "greedy"]);
    assert!(!e.is_repeatable(), "a bot under a clock");
    assert!(e.resolved.log.orders, "its orders are recorded, though the file does not ask for them");
    let program = &e.resolved.bots[0].content;
    assert!(program.as_str().is_some_and(|text| text.contains("Some(9000), stall_ms: 18000")), "{program}");
    let other = check(&format!("{GOOD}{seats}{}", own.replace("rollouts = 7", "rollouts = 8"))).unwrap();
    assert_ne!(e.resolved.canonical(), other.resolved.canonical(), "the settings are part of the hash");
    let unclocked = check(&format!("{GOOD}{seats}{}", own.replace("move_ms = 9000\n", ""))).unwrap();
    assert!(!unclocked.is_repeatable(), "nobody says that it repeats");
    assert_eq!(unclocked.varying().map(|bot| bot.name.as_str()).collect::<Vec<_>>(), ["mine"]);
    let declared =
        check(&format!("{GOOD}{seats}{}", own.replace("move_ms = 9000", "repeats = true"))).unwrap();
    assert_eq!((declared.is_repeatable(), declared.resolved.log.orders), (true, false));
    assert_ne!(declared.resolved.canonical(), unclocked.resolved.canonical(), "it is part of the hash");
}

#[test]
fn each_fault_of_a_bot_of_ones_own_has_its_line() {
    let cases = [
        (
            "[bots.mine]\n",
            "e.toml:8:1: `bots.mine.command` is missing; add a line such as `command = [\"python3\"",
        ),
        ("[bots.mine]\ncommand = []\n", "e.toml:9:11: `command` does not name a program"),
        (
            "[bots.mine]\ncommand = [\"x\"]\nmove_ms = 50\nrepeats = true\n",
            "e.toml:11:11: a bot under a clock may be late, so it cannot be declared to repeat",
        ),
        ("[bots.mine]\ncommand = \"x\"\n", "e.toml:9:11: `bots.mine.command` must be a list"),
        (
            "[bots.mine]\ncommand = [\"x\"]\nmove_m = 3\n",
            "e.toml:10:1: unknown key `bots.mine.move_m`; did you mean `move_ms`?",
        ),
        (
            "[bots.mine]\ncommand = [\"x\"]\nmove_ms = 50\nstall_ms = 50\n",
            "e.toml:11:12: `stall_ms` 50 must be more than `move_ms` 50",
        ),
        (
            "[bots.mine]\ncommand = [\"x\"]\nkind = \"greedy\"\n",
            "e.toml:10:8: a bot has a `command` or a `kind`, not both",
        ),
        ("[bots.greedy]\ncommand = [\"x\"]\n", "e.toml:8:7: `greedy` is the name of a bot that ships"),
        ("[bots.\"a b\"]\ncommand = [\"x\"]\n", "e.toml:8:7: `a b` is not a valid name for a bot"),
        (
            "[bots.deep]\nkind = \"greedy\"\nrollouts = \"many\"\n",
            "e.toml:10:12: `bots.deep.rollouts` must be a whole number",
        ),
        ("[bots.deep]\nkind = \"nobody\"\n", "e.toml:9:8: there is no kind `nobody`"),
        (
            "[faults]\npolicy = \"forfit\"\n",
            "e.toml:9:10: unknown word `forfit` for `faults.policy`; did you mean `forfeit`?",
        ),
        (
            "[faults]\nanswers = [\"crsh\"]\n",
            "e.toml:9:12: unknown word `crsh` for `faults.answers`; did you mean `crash`?",
        ),
        ("[faults]\nanswers = [\"ok\"]\n", "e.toml:9:12: unknown word `ok` for `faults.answers`"),
        (
            "[faults]\ntries = 3\n",
            "e.toml:9:9: `faults.tries` needs `policy = \"void-and-replay-same-line-up\"`",
        ),
        (
            "[faults]\npolicy = \"void-and-replay-same-line-up\"\ntries = 1\n",
            "e.toml:10:9: `faults.tries` must be",
        ),
    ];
    for (section, expected) in cases {
        let error = fault(&format!("{GOOD}{SEATS}{section}"));
        assert!(error.starts_with(expected), "{error}");
    }
    let unknown = fault(&format!("{GOOD}[seats]\nall = \"mind\"\n[bots.mine]\ncommand = [\"x\"]\n"));
    assert!(unknown.contains("unknown bot `mind`; did you mean `mine`?"), "{unknown}");
}

#[test]
fn the_rule_about_faults_is_part_of_the_hash() {
    let with = |section: &str| check(&format!("{GOOD}{SEATS}{section}")).unwrap();
    let (none, hold) = (with(""), with("[faults]\npolicy = \"hold\"\n"));
    assert_eq!(none.resolved.canonical(), hold.resolved.canonical(), "what is the default may be said");
    let forfeit = with("[faults]\npolicy = \"forfeit\"\nanswers = [\"crash\", \"illegal\"]\n");
    assert_ne!(hold.resolved.canonical(), forfeit.resolved.canonical());
    assert!(
        forfeit.resolved.faults.answers(upheaval_engine::bot::Conduct::Illegal)
            && !forfeit.resolved.faults.answers(upheaval_engine::bot::Conduct::Stall)
    );
}

/// An experiment on both variants of the mock with this text in it.
fn swept(sections: &str) -> String {
    let good = GOOD.replace("[\"standard\"]", "[\"standard\", \"black-hole\"]");
    format!("{good}{SEATS}{sections}")
}

fn ids(text: &str) -> Vec<String> {
    check(text).unwrap().resolved.variants.into_iter().map(|arm| arm.id).collect()
}

const PER_SEASON: &str = "[[sweep]]\nparameter = \"holes.per_season\"\nvalues = [1, 2]\n";
const CLOSURE: &str = "[[sweep]]\nparameter = \"holes.closure\"\nvalues = [\"collapse\", \"void\"]\n";

#[test]
fn sweeps_multiply_and_the_first_changes_slowest() {
    let expected = ["standard", "black-hole.per_season-1", "black-hole.per_season-2"];
    assert_eq!(ids(&swept(PER_SEASON)), expected);
    let expected = [
        "standard",
        "black-hole.per_season-1.closure-collapse",
        "black-hole.per_season-1.closure-void",
        "black-hole.per_season-2.closure-collapse",
        "black-hole.per_season-2.closure-void",
    ];
    assert_eq!(ids(&swept(&format!("{PER_SEASON}{CLOSURE}"))), expected);
    let experiment = check(&swept(PER_SEASON)).unwrap();
    let arm = &experiment.resolved.variants[2];
    let set: Vec<String> = arm.settings().map(|set| set.to_string()).collect();
    assert_eq!((arm.base.as_deref(), set), (Some("black-hole"), vec!["holes.per_season = 2".to_owned()]));
    let resolved: Value = serde_json::from_str(&experiment.resolved.canonical().text).unwrap();
    let entry = &resolved["variants"][2];
    assert_eq!(
        (&entry["base"], &entry["parameters"]),
        (&json!("black-hole"), &json!({ "holes.per_season": 2 }))
    );
    assert!(resolved["variants"][0].get("base").is_none(), "other parameters are unchanged");
}

#[test]
fn values_are_what_the_key_takes_and_ids_what_folders_can_be_called() {
    let of = |parameter: &str, values: &str| {
        let ids = ids(&swept(&format!("[[sweep]]\nparameter = \"{parameter}\"\n{values}\n")));
        ids.into_iter().skip(1).map(|id| id.replace("black-hole.", "")).collect::<Vec<_>>()
    };
    assert_eq!(
        of("holes.per_season", "range = { from = 1, to = 6, step = 2 }"),
        ["per_season-1", "per_season-3", "per_season-5"]
    );
    assert_eq!(of("holes.per_season", "range = { from = 3, to = 4 }"), ["per_season-3", "per_season-4"]);
    assert_eq!(
        of("holes.per_season", "range = { from = 0.1, to = 0.35, step = 0.1 }"),
        ["per_season-0.1", "per_season-0.2", "per_season-0.3"]
    );
    assert_eq!(of("holes.closure", "values = [true, false]"), ["closure-true", "closure-false"]);
    assert_eq!(
        of("holes.closure", "values = [[1], [2], { a = 1 }]"),
        ["closure-1", "closure-2", "closure-3"]
    );
    assert_eq!(
        of("holes.closure", "values = [\"maps/x.json\", \"y\"]"),
        ["closure-1", "closure-2"],
        "no folder's name"
    );
    assert_eq!(of("holes", "values = [{ per_season = 1 }]"), ["holes-1"], "a whole section");
    // A longer part of the key where two would be the same.
    let both = |a: &str, b: &str| {
        let sweep = |key: &str| {
            format!("[[sweep]]\nparameter = \"{key}\"\nvalues = [1]\nvariants = [\"black-hole\"]\n")
        };
        ids(&swept(&format!("{}{}", sweep(a), sweep(b))))[1].clone()
    };
    assert_eq!(both("holes.seasons", "splits.seasons"), "black-hole.holes.seasons-1.splits.seasons-1");
}

#[test]
fn a_sweep_is_over_the_variants_that_it_names_or_that_have_the_parameter() {
    let named = format!("{PER_SEASON}variants = [\"standard\", \"black-hole\"]\n");
    assert_eq!(ids(&swept(&named)).len(), 4, "standard has none by itself, and is given it");
    let one = format!("{PER_SEASON}variants = [\"standard\"]\n");
    assert_eq!(ids(&swept(&one)), ["standard.per_season-1", "standard.per_season-2", "black-hole"]);
}

#[test]
fn parameters_are_set_in_all_variants_that_have_them() {
    let text = swept("[parameters]\nholes.per_season = 2\nholes.closure = \"void\"\n");
    let experiment = check(&text).unwrap();
    assert_eq!(experiment.resolved.variants[0].content["set"], json!(null), "standard has none of them");
    let set = json!(["holes.per_season = 2", "holes.closure = \"void\""]);
    assert_eq!(experiment.resolved.variants[1].content["set"], set);
    assert_eq!(ids(&text), ["standard", "black-hole"], "no arm is made of it");
    assert_ne!(check(&swept("")).unwrap().resolved.canonical(), experiment.resolved.canonical());
    let with = swept(&format!("[parameters]\nholes.closure = \"void\"\n{PER_SEASON}"));
    let arm = &check(&with).unwrap().resolved.variants[1];
    assert_eq!(arm.content["set"], json!(["holes.closure = \"void\"", "holes.per_season = 1"]));
}

#[test]
fn each_fault_of_a_sweep_has_its_line_and_says_what_would_be_right() {
    let sweep = |lines: &str| format!("[[sweep]]\nparameter = \"holes.per_season\"\n{lines}\n");
    let cases = [
        (
            sweep("values = [1, 99]"),
            "e.toml:10:14: `holes.per_season = 99` cannot be set in `black-hole`: holes.per_season must be from 1 to 10",
        ),
        (
            sweep("range = { from = 9, to = 12 }"),
            "e.toml:10:9: `holes.per_season = 11` cannot be set in `black-hole`",
        ),
        (sweep(""), "e.toml:8:1: `sweep.values` is missing; add a line such as `values = [1, 2, 3]`"),
        (sweep("values = []"), "e.toml:10:10: `values` is empty"),
        (sweep("values = 1"), "e.toml:10:10: `sweep.values` must be a list, not 1"),
        (sweep("values = [1, 1]"), "e.toml:10:14: `1` is listed twice"),
        (
            sweep("values = [1]\nrange = { from = 1, to = 2 }"),
            "e.toml:11:9: a sweep has `values` or a `range`, not both",
        ),
        (sweep("range = { from = 3, to = 2 }"), "e.toml:10:26: the range ends at 2, before it starts at 3"),
        (sweep("range = { from = 1 }"), "e.toml:10:9: `sweep.range.to` is missing"),
        (sweep("range = { from = 1, to = 2, step = 0 }"), "e.toml:10:36: `step` must be more than 0"),
        (sweep("range = { from = 1, to = 9999999 }"), "e.toml:10:26: the range has more than 1000 values"),
        (
            sweep("values = [1]\nvariants = [\"standart\"]"),
            "e.toml:11:13: `standart` is not one of this experiment's `variants`; did you mean",
        ),
        (sweep("values = [1]\nvariants = []"), "e.toml:11:12: `variants` of a sweep is empty"),
        (sweep("values = [1]\nvalue = 2"), "e.toml:11:1: unknown key `sweep.value`; did you mean `values`?"),
        ("[[sweep]]\nvalues = [1]\n".to_owned(), "e.toml:8:1: `sweep.parameter` is missing"),
        (
            "[[sweep]]\nparameter = \"holes.per_seasons\"\nvalues = [1]\n".to_owned(),
            "e.toml:9:13: there is no parameter `holes.per_seasons`; did you mean `holes.per_season`?",
        ),
        (
            "[[sweep]]\nparameter = \"id\"\nvalues = [1]\n".to_owned(),
            "e.toml:9:13: there is no parameter `id`",
        ),
        (
            "[[sweep]]\nparameter = \"splits.faces\"\nvalues = [\"sea\"]\n".to_owned(),
            "e.toml:9:13: none of standard, black-hole has `splits.faces`; list the variants to sweep in `variants`",
        ),
        (
            "[sweep]\nparameter = \"holes.per_season\"\n".to_owned(),
            "e.toml:8:1: `sweep` must be a list; a list of tables is written `[[sweep]]`",
        ),
        (
            format!("{PER_SEASON}{PER_SEASON}"),
            "e.toml:12:13: `holes.per_season` is swept twice in `black-hole`",
        ),
        (
            format!("[parameters]\nholes.per_season = 1\n{PER_SEASON}"),
            "e.toml:11:13: `holes.per_season` is set in [parameters] and swept here",
        ),
        (
            "[parameters]\nholes.per_season = 11\n".to_owned(),
            "e.toml:9:20: `holes.per_season = 11` cannot be set in `black-hole`",
        ),
        ("[parameters]\nhole.per_season = 1\n".to_owned(), "e.toml:9:1: there is no parameter `hole`"),
        (
            "[parameters]\nsplits.faces = \"sea\"\n".to_owned(),
            "e.toml:9:16: none of standard, black-hole has `splits.faces`",
        ),
        (
            (0..4)
                .map(|i| {
                    format!(
                        "[[sweep]]\nparameter = \"holes.{}\"\nrange = {{ from = 1, to = 6 }}\n",
                        ["per_season", "closure", "retreats", "seasons"][i]
                    )
                })
                .collect(),
            "e.toml:17:1: the sweeps make more than 1000 arms",
        ),
    ];
    for (sections, expected) in cases {
        let error = fault(&swept(&sections));
        assert!(error.starts_with(expected), "\nexpected {expected}\n     got {error}");
    }
}

#[test]
fn what_is_set_on_the_command_line_is_checked_like_the_file() {
    let set = |settings: &[&str]| Overrides {
        set: settings.iter().map(|s| (*s).to_owned()).collect(),
        ..Overrides::default()
    };
    let good = swept(PER_SEASON);
    let e =
        check_with(&good, &set(&["games=70", "seats.all=random", "log.orders=true", "sweep.0.values=[3]"]))
            .unwrap();
    assert_eq!(
        (e.resolved.games, e.resolved.bots[0].name.as_str(), e.resolved.log.orders),
        (70, "random", true)
    );
    assert_eq!(e.resolved.variants[1].id, "black-hole.per_season-3");
    assert_eq!((e.given.as_str(), e.set.len()), (good.as_str(), 4));
    let same = check(&swept("[parameters]\nholes.per_season = 2\n")).unwrap();
    let e = check_with(&swept(""), &set(&["parameters.holes.per_season=2"])).unwrap();
    assert_eq!(e.resolved.canonical(), same.resolved.canonical(), "by what it does");
    for (setting, expected) in [
        ("games=0", "games=0: `games` must be a whole number from 1"),
        ("gams=7", "gams=7: unknown key `gams`; did you mean `games`?"),
        ("seats.all=gredy", "seats.all=gredy: unknown bot `gredy`"),
        ("sweep.0.values=[99]", "sweep.0.values=[99]: `holes.per_season = 99` cannot be set"),
        (
            "parameters.holes.per_season=2",
            "e.toml:9:13: `holes.per_season` is set in [parameters] and swept here",
        ),
        ("seed", "seed: expected KEY=VALUE"),
    ] {
        let error = check_with(&good, &set(&[setting])).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let error = check_with(&good.replace("1930", "1899"), &set(&["games=700"])).unwrap_err().to_string();
    assert!(error.starts_with("e.toml:5:13: `last_year` 1899"), "the line of the file as given: {error}");
}

#[test]
fn all_faults_of_a_file_come_at_once() {
    let text = "nme = \"x\"\nvariants = [\"standart\", \"black-hole\", 3]\ngames = 0\nseed = true\n\
                last_year = 1930\n[log]\norder = true\n[seats]\nall = \"gredy\"\n[bots.mine]\nmove_ms = 0\n\
                [faults]\npolicy = \"forgive\"\n[[sweep]]\nvalues = []\n";
    let error = check(text).unwrap_err().to_string();
    let expected = [
        "e.toml:1:1: unknown key `nme`; did you mean `name`?",
        "e.toml:2:13: unknown variant `standart`; did you mean `standard`?",
        "e.toml:2:39: each of `variants` must be a text in quotes, not 3",
        "e.toml:3:9: `games` must be a whole number from 1 to 4294967295, not 0",
        "e.toml:4:8: `seed` must be a whole number from 0 to 18446744073709551615, not true",
        "e.toml:7:1: unknown key `log.order`; did you mean `orders`?",
        "e.toml:9:7: unknown bot `gredy`; did you mean `greedy`?",
        "e.toml:10:1: `bots.mine.command` is missing",
        "e.toml:11:11: `bots.mine.move_ms` must be a whole number from 1 to 86400000, not 0",
        "e.toml:13:10: unknown word `forgive` for `faults.policy`",
        "e.toml:14:1: `sweep.parameter` is missing",
        "e.toml:15:10: `values` is empty",
    ];
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{error}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "expected {expected}\n     got {line}");
    }
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

#[test]
fn half_a_rule_about_decided_games_is_none() {
    let of = |rule: &str| fault(&format!("{GOOD}stop = {rule}\n{SEATS}"));
    assert!(
        of("{ lead = 6 }").contains("`stop.years` is missing; add a line such as `years = 3`"),
        "{}",
        of("{ lead = 6 }")
    );
    assert!(of("{ years = 6 }").contains("`stop.lead` is missing"), "{}", of("{ years = 6 }"));
    assert!(
        of("{}").contains("`stop` is empty; write `lead = 6` and `years = 3`, or `still = 5`"),
        "{}",
        of("{}")
    );
    assert!(of("{ lead = 0, years = 1 }").contains("1 to 1000"), "{}", of("{ lead = 0, years = 1 }"));
}

#[test]
fn each_fault_of_a_variant_file_has_a_line_with_its_place_in_that_file() {
    let text = format!("{GOOD}{SEATS}").replace("[\"standard\"]", "[\"faulty.toml\"]").replace("14", "0");
    let error = check(&text).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    let (own, faults) = lines.split_last().unwrap();
    assert!(own.starts_with("e.toml:3:9: "), "{error}");
    assert!(faults.iter().all(|line| line.starts_with("dir/faulty.toml:")), "{error}");
    let unknown = "dir/faulty.toml:2:1: unknown key `titel`; did you mean `title`?";
    assert!(faults.iter().any(|line| line.starts_with(unknown)), "{error}");
    assert!(faults.iter().any(|line| line.starts_with("dir/faulty.toml:3:7: ")), "{error}");
}

/// The faults of these sections, without the file's name.
fn faults(sections: &str, overrides: &Overrides) -> Vec<String> {
    let error = check_with(sections, overrides).unwrap_err().to_string();
    error.lines().map(|line| line.trim_start_matches("e.toml:").to_owned()).collect()
}

fn each_begins(text: &str, overrides: &Overrides, expected: &[&str]) {
    let found = faults(text, overrides);
    let is = found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| f.starts_with(e));
    assert!(is, "{text}\nexpected {expected:#?}\n     got {found:#?}");
}

#[test]
fn no_fault_is_only_the_consequence_of_another() {
    let sweep = |lines: &str| format!("[[sweep]]\nparameter = \"holes.per_season\"\n{lines}\n");
    let bot = |lines: &str| format!("[bots.x]\n{lines}\n");
    let cases: [(String, &[&str]); 23] = [
        (
            sweep("range = { from = \"1\", to = [] }"),
            &["10:18: `sweep.range.from` must be", "10:28: `sweep.range.to` must be"],
        ),
        (sweep("range = {}"), &["10:9: `sweep.range.from` is missing", "10:9: `sweep.range.to` is missing"]),
        (sweep("value = [1]"), &["10:1: unknown key `sweep.value`; did you mean `values`?"]),
        (
            sweep("values = [9999999999999999999, \"\"]"),
            &["10:11: each of `sweep.values` must be a whole number from -9223372036854775808"],
        ),
        (
            format!("{PER_SEASON}[[skip]]\nholes.per_season = [1, 99999999999999999999]\n"),
            &["12:24: each of `skip.holes.per_season` must be"],
        ),
        (format!("{}[[skip]]\nholes.per_season = 1\n", sweep("values = []")), &["10:10: `values` is empty"]),
        (
            format!("{}[[skip]]\nholes.per_season = 1\n", PER_SEASON.replace("season", "seasn")),
            &["9:13: there is no parameter `holes.per_seasn`; did you mean `holes.per_season`?"],
        ),
        ("stop = { lead = 6, yeers = 3 }\n".to_owned(), &["6:20: unknown key `stop.yeers`"]),
        ("stop = { stil = 3 }\n".to_owned(), &["6:10: unknown key `stop.stil`"]),
        ("[faults]\npolcy = \"hold\"\ntries = 3\n".to_owned(), &["9:1: unknown key `faults.polcy`"]),
        ("[faults]\npolicy = \"x\"\ntries = 3\n".to_owned(), &["9:10: unknown word `x`"]),
        (bot("kind = 1"), &["9:8: `bots.x.kind` must be a text in quotes, not 1"]),
        (bot("kind = \"greedy\"\nweights = 1"), &["10:11: `bots.x.weights` must be a text in quotes, not 1"]),
        (
            bot("kind = \"greedy\"\nrollouts = \"x\""),
            &["10:12: `bots.x.rollouts` must be a whole number from 1 to 1000, not \"x\""],
        ),
        (
            bot("kind = \"greedy\"\nweight = \"x\""),
            &[
                "10:1: unknown key `bots.x.weight`; did you mean `weights`? (known: kind, weights, without, rollouts)",
            ],
        ),
        (
            bot("kind = \"greedy\"\nrolouts = 99999999999999999999"),
            &["10:11: `bots.x.rolouts` must be a whole number from -9223372036854775808"],
        ),
        (bot("command = [\"x\"]\nmove_ms = -1\nstall_ms = 1"), &["10:11: `bots.x.move_ms` must be"]),
        (bot("command = [\"x\"]\nmove_ms = 0\nrepeats = true"), &["10:11: `bots.x.move_ms` must be"]),
        (bot("command = [1]"), &["9:12: each of `bots.x.command` must be a text in quotes, not 1"]),
        (bot("comand = [\"x\"]"), &["9:1: unknown key `bots.x.comand`; did you mean `command`?"]),
        (bot("knd = \"greedy\"\nrollouts = 3"), &["9:1: unknown key `bots.x.knd`; did you mean `kind`?"]),
        (bot("rollouts = 3"), &["8:1: `bots.x.command` is missing"]),
        (
            bot("kind = \"gredy\"\nmove_ms = 3\nrollouts = 0"),
            &["9:8: there is no kind `gredy`", "10:11: `bots.x` is not a program, so it has no `move_ms`"],
        ),
    ];
    for (sections, expected) in cases {
        let text = match sections.starts_with("stop") {
            true => swept("").replace("[seats]", &format!("{sections}[seats]")),
            false => swept(&sections),
        };
        each_begins(&text, &Overrides::default(), expected);
    }
    let seats: [(&str, &[&str]); 5] = [
        ("all = \"greedy\"\nsed = 2\n", &["8:1: unknown key `seats.sed`; known: all, lineup"]),
        ("al = \"greedy\"\n", &["7:1: unknown key `seats.al`; did you mean `all`?"]),
        (
            "FRANCE = 2\n",
            &["6:1: `seats` has no bot for AUSTRIA", "7:10: `seats.FRANCE` must be a text in quotes, not 2"],
        ),
        (
            "France = \"gredy\"\nITALY = \"gredy\"\n",
            &["7:1: unknown key `seats.France`; did you mean `FRANCE`?", "8:9: unknown bot `gredy`"],
        ),
        (
            "all = \"gredy\"\nlineup = [\"grdy\"]\nrotate = \"yes\"\nshuffle = true\n",
            &[
                "7:7: unknown bot `gredy`",
                "8:10: `seats.lineup` must name 7 bots",
                "8:10: `seats` has both all and lineup",
                "8:11: unknown bot `grdy`",
                "9:10: `seats.rotate` must be true or false",
            ],
        ),
    ];
    for (seats, expected) in seats {
        each_begins(&format!("{GOOD}[seats]\n{seats}"), &Overrides::default(), expected);
    }
}

#[test]
fn a_fault_hides_no_fault_of_another_part() {
    let variants = "variants = [\"standart\", \"black-hole\"]";
    let sections = "[parameters]\nholes = {}\nhole.per_season = 1\nsplits.faces = \"sea\"\n\
         [[sweep]]\nparameter = \"holes.per_season\"\nvalues = []\n\
         [[sweep]]\nparameter = \"holes.closure\"\nvalues = [\"void\"]\nvariants = [\"standart\", \"black-hole\", \"black-hole\"]\n\
         [[sweep]]\nparameter = \"holes.seasons\"\nrange = { from = 0.1234567, to = 0.01234567, step = 0 }\n\
         [[sweep]]\nparameter = \"holes.retreats\"\nvalues = [1, 2]\n\
         [[skip]]\n[[skip]]\nholes.retreats = [3, 1, 4]\n[[skip]]\nholes.per_season = 1\n[[skip]]\nholes.retreats = []\n";
    let text = format!("{GOOD}[seats]\nFRANC = \"gredy\"\n{sections}")
        .replace("variants = [\"standard\"]", variants)
        .replace("1930", "1899");
    let expected = [
        "2:13: unknown variant `standart`",
        "5:13: `last_year` 1899 is before `black-hole` starts",
        "7:1: unknown key `seats.FRANC`",
        "9:9: `holes` is empty; set a parameter in it, or remove it",
        "10:1: there is no parameter `hole`",
        "14:10: `values` is empty",
        "18:39: variant `black-hole` is listed twice; list each once",
        "21:18: a number of a range has 6 decimals at most, not 7",
        "21:34: a number of a range has 6 decimals at most, not 8",
        "25:1: `skip` does not name a parameter",
        "27:19: `holes.retreats` is not swept over 3",
        "27:25: `holes.retreats` is not swept over 4",
        "31:18: `holes.retreats` is empty; give a value, or a list of them",
    ];
    each_begins(&text, &Overrides::default(), &expected);
}

#[test]
fn each_value_that_a_variant_refuses_has_its_place() {
    let sections = format!(
        "[parameters]\nholes.retreats = 11\nholes.faces = 12\n{}[[sweep]]\nparameter = \"holes.seasons\"\n\
         values = [14, 4]\n",
        PER_SEASON.replace("1, 2", "1, 13, 3, 15")
    );
    let expected = [
        "9:18: `holes.retreats = 11` cannot be set in `black-hole`: holes.retreats must be from 1 to 10",
        "10:15: `holes.faces = 12` cannot be set in `black-hole`: holes.faces must be",
        "13:14: `holes.per_season = 13` cannot be set",
        "13:21: `holes.per_season = 15` cannot be set",
        "16:11: `holes.seasons = 14` cannot be set",
    ];
    each_begins(&swept(&sections), &Overrides::default(), &expected);
    let set = ["parameters.holes.faces=12", "sweep.0.values=[13, 3]"];
    let set = Overrides { set: set.map(str::to_owned).to_vec(), ..Overrides::default() };
    let sections = format!("[parameters]\nholes.retreats = 11\nholes.faces = 1\n{PER_SEASON}");
    let expected = [
        "9:18: `holes.retreats = 11` cannot",
        "parameters.holes.faces=12: `holes.faces = 12` cannot",
        "sweep.0.values=[13, 3]: `holes.per_season = 13` cannot",
    ];
    each_begins(&swept(&sections), &set, &expected);
}

#[test]
fn long_files_are_refused_at_once() {
    let start = std::time::Instant::now();
    let names = "\"black-hole\", ".repeat(100_000);
    for (text, expected) in [
        (
            swept(&(0..30_000).map(|i| format!("[bots.b{i}]\nkind = \"greedy\"\n")).collect::<String>()),
            "e.toml:8:2: `bots` has at most 1000 entries, not 30000",
        ),
        (
            swept(&format!("{PER_SEASON}{}", "[[skip]]\nholes.per_season = 1\n".repeat(30_000))),
            "e.toml:11:3: `skip` has at most 1000 entries, not 30000",
        ),
        (
            swept("").replace("\"standard\", ", &names),
            "e.toml:2:12: `variants` has at most 1000 entries, not 100001",
        ),
        (
            swept(&format!("{PER_SEASON}variants = [{names}]\n")),
            "e.toml:11:12: `sweep.variants` has at most 1000 entries, not 100000",
        ),
        (
            swept("").replace("all = \"greedy\"", &format!("lineup = [{}]", "\"greedy\", ".repeat(100_000))),
            "e.toml:7:10: `seats.lineup` must name 7 bots, one for each power, not 100000",
        ),
        (
            swept("").replace("all = \"greedy\"", &format!("lineups = [{}]", "[\"x\"], ".repeat(100_000))),
            "e.toml:7:11: `seats.lineups` must have 1 to 1000 line-ups, not 100000",
        ),
    ] {
        assert_eq!(fault(&text), expected);
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
