//! Each fault an experiment file can have, with the place and the words of its error.

use super::*;
use crate::sim::mock::Shelf;

const GOOD: &str = "name = \"x\"\nvariants = [\"standard\"]\ngames = 14\nseed = 1\nlast_year = 1930\n";
const SEATS: &str = "[seats]\nall = \"greedy\"\n";

fn check_with(text: &str, overrides: &Overrides) -> Result<Experiment, ExperimentError> {
    Experiment::check(&Source::new("e.toml", text), Path::new("dir"), overrides, &Shelf)
}

fn check(text: &str) -> Result<Experiment, ExperimentError> {
    check_with(text, &Overrides::default())
}

fn fault(text: &str) -> String {
    let error = check(text).unwrap_err().to_string();
    assert!(!error.contains('\n'), "{error}");
    error
}

/// The fault of a good file in which a piece is replaced.
fn broken(piece: &str, by: &str) -> String {
    let good = format!("{GOOD}{SEATS}");
    assert!(good.contains(piece), "{piece}");
    fault(&good.replacen(piece, by, 1))
}

#[test]
fn a_good_file_is_read() {
    let e = check(&format!("{GOOD}threads = 3\nout = \"o\"\nlog.orders = true\n{SEATS}")).unwrap();
    assert_eq!((e.name.as_str(), e.games, e.seed, e.last_year, e.threads), ("x", 14, 1, 1930, 3));
    assert_eq!((e.out, e.logging), (PathBuf::from("o"), Logging::WithOrders));
    assert_eq!(e.seating, Seating::Fixed(ByPower([0; 7])));
    let e = check(&format!("{GOOD}{SEATS}")).unwrap();
    assert_eq!((e.out, e.threads, e.logging), (PathBuf::from("results"), 0, Logging::WithoutOrders));
}

#[test]
fn each_fault_has_its_line_and_says_what_would_be_right() {
    let cases = [
        (
            "seed = 1",
            "sed = 1",
            "e.toml:4:1: unknown key `sed`; did you mean `seed`? (known: name, variants, parameters, \
          sweep, seats, games, bots, faults, seed, last_year, threads, out, log)",
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
            "e.toml:5:13: `last_year` 1899 is before `standard` starts: take \
          1901 or later",
        ),
        ("name = \"x\"", "name = \"../x\"", "e.toml:1:8: `name` becomes a folder's name: 1 to 64 letters"),
        ("[\"standard\"]", "[]", "e.toml:2:12: `variants` is empty; name one at least: black-hole, standard"),
        (
            "[\"standard\"]",
            "\"standard\"",
            "e.toml:2:12: `variants` must be a list of texts in quotes, not \"standard\"",
        ),
        ("[\"standard\"]", "[1]", "e.toml:2:13: `variants` must be a list of texts in quotes, not 1"),
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
        ("all = \"greedy\"", "", "e.toml:6:2: `seats` is empty; write `all = \"greedy\"`"),
        ("all = \"greedy\"", "all = 1", "e.toml:7:7: `seats.all` must be a text in quotes, not 1"),
        (
            "all = \"greedy\"",
            "FRANCE = \"greedy\"",
            "e.toml:6:2: `seats` has no bot for AUSTRIA, ENGLAND, GERMANY, ITALY, \
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
            "e.toml:8:10: `seats.rotate` needs a `lineup` of seven bots",
        ),
        (
            "all = \"greedy\"",
            "lineup = [\"greedy\"]",
            "e.toml:7:10: `seats.lineup` must name seven bots, not 1",
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
    let _ = check(&"[".repeat(100_000));
    let _ = check(&format!("a = {}", "[".repeat(100_000)));
}

#[test]
fn games_of_a_line_up_come_in_whole_blocks() {
    let seats = |rotate: &str| {
        let bots = "\"greedy\", \"random\", \"greedy\", \"greedy\", \"greedy\", \"greedy\", \"greedy\"";
        format!("[seats]\nlineup = [{bots}]\n{rotate}")
    };
    let e = check(&format!("{GOOD}{}", seats(""))).unwrap();
    assert_eq!(e.seating, Seating::Rotated([0, 1, 0, 0, 0, 0, 0].into()));
    let e = check(&format!("{GOOD}{}", seats("rotate = false"))).unwrap();
    assert_eq!(e.seating, Seating::Fixed(ByPower([0, 1, 0, 0, 0, 0, 0])));
    let text = format!("{}{}", GOOD.replace("14", "15"), seats("rotate = true"));
    assert_eq!(
        fault(&text),
        "e.toml:3:9: 15 games are no whole number of blocks: a line-up has 7 rotations; take 14 or 21"
    );
    let five = Overrides { games: Some(5), ..Overrides::default() };
    assert_eq!(
        check_with(&text, &five).unwrap_err().to_string(),
        "--games: 5 games are no whole number of blocks: a line-up has 7 rotations; take 7"
    );
}

#[test]
fn arguments_override_the_file() {
    let overrides =
        Overrides { seed: Some(9), games: Some(3), threads: Some(2), out: Some(PathBuf::from("elsewhere")), ..Overrides::default() };
    let e = check_with(&format!("{GOOD}threads = 3\nout = \"o\"\n{SEATS}"), &overrides).unwrap();
    assert_eq!((e.seed, e.games, e.threads, e.out), (9, 3, 2, PathBuf::from("elsewhere")));
    let without = format!("{GOOD}{SEATS}").replace("seed = 1\n", "").replace("games = 14\n", "");
    assert_eq!(check_with(&without, &overrides).unwrap().seed, 9);
    for (overrides, expected) in [
        (Overrides { games: Some(0), ..Overrides::default() }, "--games: at least 1 game"),
        (
            Overrides { threads: Some(1025), ..Overrides::default() },
            "--threads: 1025 threads are more than 1024",
        ),
        (
            Overrides { out: Some(PathBuf::new()), ..Overrides::default() },
            "--out: the folder's name is empty",
        ),
    ] {
        let error = check_with(&format!("{GOOD}{SEATS}"), &overrides).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn the_hash_knows_what_matters_and_nothing_else() {
    let hash = |text: &str| check(text).unwrap().hash();
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
    let resolved = check(&good).unwrap().resolved();
    let keys: Vec<_> = resolved.lines().filter(|l| l.starts_with("  \"")).collect();
    let mut sorted = keys.clone();
    sorted.sort();
    assert_eq!(keys, sorted);
    assert!(resolved.contains("\"a\": [\n"), "the variant's whole content is in it");
}

#[test]
fn a_file_that_is_not_there_says_so() {
    let error = Experiment::read(Path::new("no/such.toml"), &Overrides::default(), &Shelf).unwrap_err();
    assert!(error.to_string().starts_with("cannot read `no/such.toml`: "), "{error}");
}

#[test]
fn bots_of_ones_own_are_seated_by_their_names() {
    let own = "[bots.mine]\ncommand = [\"prog\", \"x\"]\nmove_ms = 9000\n[bots.deep]\nkind = \"greedy\"\nrollouts = 7\n";
    let seats =
        "[seats]\nlineup = [\"mine\", \"deep\", \"greedy\", \"mine\", \"mine\", \"mine\", \"mine\"]\n";
    let e = check(&format!("{GOOD}{seats}{own}")).unwrap();
    let names: Vec<&str> = e.bots.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names, ["mine", "deep", "greedy"]);
    assert!(!e.is_repeatable(), "a bot under a clock");
    let program = &e.bots[0].content;
    assert!(program.as_str().is_some_and(|text| text.contains("Some(9000), stall_ms: 18000")), "{program}");
    let other = check(&format!("{GOOD}{seats}{}", own.replace("rollouts = 7", "rollouts = 8"))).unwrap();
    assert_ne!(e.hash(), other.hash(), "the settings are part of the hash");
    let unclocked = check(&format!("{GOOD}{seats}{}", own.replace("move_ms = 9000\n", ""))).unwrap();
    assert!(unclocked.is_repeatable());
}

#[test]
fn each_fault_of_a_bot_of_ones_own_has_its_line() {
    let cases = [
        (
            "[bots.mine]\n",
            "e.toml:8:7: `bots.mine.command` is missing; add a line such as `command = [\"python3\"",
        ),
        ("[bots.mine]\ncommand = []\n", "e.toml:9:1: `command` names no program"),
        (
            "[bots.mine]\ncommand = \"x\"\n",
            "e.toml:9:11: `bots.mine.command` must be a list of texts in quotes",
        ),
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
        ("[bots.\"a b\"]\ncommand = [\"x\"]\n", "e.toml:8:7: `a b` is no name for a bot"),
        (
            "[bots.deep]\nkind = \"greedy\"\nrollouts = \"many\"\n",
            "e.toml:10:12: `bots.deep.rollouts` must be a whole number",
        ),
        (
            "[bots.deep]\nkind = \"nobody\"\n",
            "e.toml:8:7: bot `deep` cannot be used: there is no kind `nobody`",
        ),
        ("[faults]\npolicy = \"forfit\"\n", "e.toml:9:10: unknown policy `forfit`; did you mean `forfeit`?"),
        ("[faults]\nanswers = [\"crsh\"]\n", "e.toml:9:12: unknown fault `crsh`; did you mean `crash`?"),
        ("[faults]\nanswers = [\"ok\"]\n", "e.toml:9:12: unknown fault `ok`"),
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
        assert!(error.starts_with(expected), "{section}\n  {error}\n  {expected}");
    }
    let unknown = fault(&format!("{GOOD}[seats]\nall = \"mind\"\n[bots.mine]\ncommand = [\"x\"]\n"));
    assert!(unknown.contains("unknown bot `mind`; did you mean `mine`?"), "{unknown}");
}

#[test]
fn the_rule_about_faults_is_part_of_the_hash() {
    let with = |section: &str| check(&format!("{GOOD}{SEATS}{section}")).unwrap();
    let (none, hold) = (with(""), with("[faults]\npolicy = \"hold\"\n"));
    assert_eq!(none.hash(), hold.hash(), "what is the default may be said");
    let forfeit = with("[faults]\npolicy = \"forfeit\"\nanswers = [\"crash\", \"illegal\"]\n");
    assert_ne!(hold.hash(), forfeit.hash());
    assert!(
        forfeit.faults.answers(crate::bot::Conduct::Illegal)
            && !forfeit.faults.answers(crate::bot::Conduct::Stall)
    );
}
