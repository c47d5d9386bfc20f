//! External bots: good ones play everything legally and repeatably, and the faults of bad ones are detected and harm no
//! other seat.
//!
//! The programs are in Python (`tests/bots/programs`, `bots/python`); without a `python3` these tests report that and
//! do nothing.

use crate::helpers::name_of;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::helpers::engine;
use crate::helpers::quick::kind;
use crate::helpers::shipped::variant;
use serde_json::Value;
use testkit::{has_python, runs_slow};
use upheaval::bot::{BotMaker, Conduct, Incident};
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::record::{GameRows, OrderRow, SeatOutcome, SeatRow};
use upheaval::rules::position::PhaseKind;
use upheaval::rules::variant::Variant;
use upheaval::sim::{FaultRule, GameSpec, Play, Player, Program};
use upheaval_bots::external::{Pool, Transcript, maker};

fn program(file: &str, arguments: &[&str]) -> Program {
    let path = testkit::path(file).display().to_string();
    let command = ["python3", &path].iter().chain(arguments).map(|&word| word.to_owned()).collect();
    Program { command, stall_ms: 5_000, ..Program::default() }
}

fn bad(what: &str, stall_ms: u64) -> Program {
    Program { stall_ms, ..program("tests/bots/programs/bad.py", &[what]) }
}

/// The program is in the seat of France, `random` in the others.
fn spec(game: u32, last_year: u16) -> GameSpec {
    GameSpec {
        seats: ByPower::from_fn(Powers::STANDARD, |power| usize::from(power == Power::FRANCE)),
        seed: 7,
        last_year,
        ..engine::spec(Powers::STANDARD, game)
    }
}

/// A player with the program as France, and its pool.
fn player(id: &str, program: Program) -> (Player, Arc<Pool>) {
    let pool = Pool::new(program);
    let makers: Vec<BotMaker> = vec![kind("random").into(), maker(&pool)];
    (Player::new(vec![variant(id)], makers), pool)
}

/// All recorded rows of a game.
fn text(record: &GameRows) -> String {
    format!("{record:?}")
}

/// The row of the program.
fn seat(record: &GameRows) -> &SeatRow {
    &record.game.seats[Power::FRANCE]
}

fn fault(record: &GameRows) -> Conduct {
    seat(record).fault
}

/// The orders of the program.
fn orders(record: &GameRows) -> impl Iterator<Item = &OrderRow> {
    record.orders.iter().filter(|row| row.power == Power::FRANCE)
}

/// Is an order one to hold?
fn holds(row: &OrderRow) -> bool {
    row.order.ends_with(" H")
}

/// Waits until no process of a group is left, or for some seconds. Dead grandchildren are reaped by the system's first
/// process, dead children by this process.
fn is_gone(group: u32) -> bool {
    let left = || {
        let listing = Command::new("ps").args(["-eo", "pgid=,ppid=,stat="]).output().expect("there is a ps");
        let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
        listing.lines().any(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [of_group, parent, state] = words[..] else { return false };
            let buried_by_others = state.starts_with('Z') && parent != std::process::id().to_string();
            of_group == group.to_string() && !buried_by_others
        })
    };
    let begun = Instant::now();
    while left() {
        if begun.elapsed() > Duration::from_secs(5) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    true
}

/// The process groups that a program has noted in this folder, one for each start.
fn groups_in(folder: &Path) -> Vec<u32> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().expect("a name of letters"));
    let groups = names.filter_map(|name| Some(name.strip_prefix("group-")?.parse().expect("a number")));
    groups.collect()
}

#[test]
fn the_example_plays_every_variant_legally_and_repeatably() {
    if !has_python() {
        return;
    }
    for id in testkit::thinned(Variant::shipped(), 4) {
        let (player, pool) = player(id, program("bots/python/random_bot.py", &[]));
        for game in 0..2 {
            let spec = spec(game, if testkit::tries_all() { 1906 } else { 1903 });
            let record = player.play(&spec);
            assert_eq!(pool.incidents(), [], "{id}");
            assert_eq!(fault(&record), Conduct::Ok, "{id}");
            assert_eq!(text(&record), text(&player.play(&spec)), "{id}: the same seed, the same game");
        }
        let processes = pool.process_ids();
        assert_eq!(processes.len(), 1, "{id}: one process plays game after game");
        drop((player, pool));
        assert!(is_gone(processes[0]), "{id}: it has gone");
    }
}

/// Each program makes one mistake: its name, the fault, and a part of its message.
const WRONG: [(&str, Conduct, &str); 23] = [
    ("crash", Conduct::Crash, "with exit status: 1"),
    ("forks-and-dies", Conduct::Crash, "it exited when it received `orders?`, with exit status: 1"),
    ("die-in-the-middle", Conduct::Crash, "with exit status: 7"),
    ("exits-at-once", Conduct::Crash, "when it received `hello`, with exit status: 2"),
    ("hang", Conduct::Stall, "no `orders` for 3 s"),
    ("never-reads", Conduct::Stall, "no `id` for 60 s"),
    ("reads-hello-only", Conduct::Stall, "no `readyok` for 10 s"),
    ("no-newline", Conduct::Protocol, "17 bytes without an end of the line"),
    ("megabytes", Conduct::Protocol, "a line is longer than 1048576 bytes"),
    ("many-lines", Conduct::Protocol, "`thinking 0` is not JSON"),
    ("not-json", Conduct::Protocol, "`A PAR - BUR` is not JSON"),
    ("no-list", Conduct::Protocol, "must be a list of texts"),
    ("not-texts", Conduct::Protocol, "must be a list of texts"),
    ("thousands", Conduct::Protocol, "no power needs more than 1000"),
    ("wrong-game", Conduct::Protocol, "`game` is \"another\", but must be \"standard/0\""),
    ("wrong-phase", Conduct::Protocol, "`phase` is \"S1899M\", but must be \"S1901M\""),
    ("wrong-hash", Conduct::Protocol, "`topology_hash` is \"0\", but must be"),
    ("no-hash", Conduct::Protocol, "`topology_hash` is missing"),
    ("wrong-type", Conduct::Protocol, "`type` is `order`, but must be `orders`"),
    ("nameless", Conduct::Protocol, "`name` is missing in `id`"),
    ("forks", Conduct::Stall, "no `orders` for 3 s"),
    ("illegal", Conduct::Illegal, "`A XYZ - PAR`: "),
    ("illegal-twice", Conduct::Illegal, "duplicate order for this unit"),
];

/// What a program that gives each of its orders twice learns in a game: the reasons, and the kinds of decisions that it
/// was asked for.
#[derive(Default)]
struct Twice {
    reasons: BTreeSet<String>,
    asked: BTreeSet<String>,
}

impl Twice {
    /// Plays a game with the program in the seat of France. Each second order must be in the next request or the
    /// result, once, and the table of orders, the count of faults and the incidents must have the same.
    fn play(&mut self, id: &str, game: u32, last_year: u16, schema: &jsonschema::Validator) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("transcript");
        let transcript = Transcript::new(std::fs::File::create(&path).unwrap());
        let bad = program("tests/bots/programs/bad.py", &["all-twice"]);
        let pool = Pool::with_transcript(bad, Some(transcript.clone()));
        let player = Player::new(vec![variant(id)], vec![kind("random").into(), maker(&pool)]);
        let record = player.play(&spec(game, last_year));
        transcript.finish().unwrap();
        let text = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
        let mut told: Vec<[String; 3]> = Vec::new();
        // The orders of the last reply, with their phase.
        let mut given: Vec<[String; 2]> = Vec::new();
        for line in std::fs::read_to_string(&path).unwrap().lines().filter(|line| !line.starts_with('!')) {
            let line: Value = serde_json::from_str(&line[2..]).unwrap();
            assert!(schema.is_valid(&line), "{id}: {line}");
            match line["type"].as_str() {
                Some("orders?" | "result") => {
                    let (before, refused) =
                        (told.len(), line.get("refused").map(|all| all.as_array().unwrap()));
                    let refused = refused.into_iter().flatten();
                    told.extend(refused.map(|of| ["phase", "order", "reason"].map(|key| text(of, key))));
                    let mut expected = given[given.len() / 2..].to_vec();
                    let mut found: Vec<[String; 2]> = told[before..]
                        .iter()
                        .map(|[phase, order, _]| [phase.clone(), order.clone()])
                        .collect();
                    expected.sort();
                    found.sort();
                    assert_eq!(found, expected, "{id}: {line}");
                    given.clear();
                    self.asked.extend(line.get("asks").map(|asks| asks.as_str().unwrap().to_owned()));
                }
                Some("orders") => {
                    let orders = line["orders"].as_array().unwrap().iter();
                    let phase = text(&line, "phase");
                    given = orders.map(|order| [phase.clone(), order.as_str().unwrap().to_owned()]).collect();
                }
                _ => {}
            }
        }
        assert!(told.len() > 20, "{id}: {}", told.len());
        let rows = orders(&record).filter(|row| &*row.result == "illegal");
        let text = |row: &OrderRow| {
            [row.phase.to_string(), row.order.to_string(), row.reason.as_deref().unwrap().to_owned()]
        };
        assert_eq!(rows.map(text).collect::<Vec<_>>(), told, "{id}: the same, in the same order");
        assert_eq!(seat(&record).faults as usize, told.len(), "{id}");
        let incidents = pool.incidents();
        let times: u64 = incidents.iter().map(|incident| incident.times).sum();
        assert_eq!(times as usize, told.len(), "{id}: {incidents:?}");
        self.reasons.extend(told.into_iter().map(|[_, _, reason]| reason));
    }
}

#[test]
fn the_next_request_has_the_orders_that_were_refused_and_the_reasons() {
    if !has_python() {
        return;
    }
    let schema = serde_json::from_str(&testkit::read("docs/bot-protocol.schema.json")).unwrap();
    let schema = jsonschema::draft202012::new(&schema).expect("the schema is sound");
    let mut twice = Twice::default();
    for (id, last_year) in [
        ("standard", 1908),
        ("black-hole", 1905),
        ("schizo-ii", 1908),
        ("seismic-1971", 1904),
        ("deluge-ii", 1908),
    ]
    .into_iter()
    .step_by(if testkit::tries_all() { 1 } else { 3 })
    {
        twice.play(id, 0, last_year, &schema);
    }
    let all = testkit::tries_all();
    // Few of the games have retreats.
    for game in 1..if all { 40 } else { 1 } {
        if twice.asked.iter().all(|kind| kind != "retreats") {
            twice.play("standard", game, 1906, &schema);
        }
    }
    let mut asked = twice.asked;
    asked.remove("coasts");
    if !all {
        asked.insert("retreats".to_owned());
    }
    assert_eq!(asked.iter().collect::<Vec<_>>(), ["adjustments", "movement", "retreats", "seismic"]);
    let reasons = [
        "duplicate order for this unit; the first one is used",
        "a power may give one seismic order; the first one is used",
        "duplicate list of retreats for this unit; the first one is used",
        "only one of `exempt_choices` can be named, once",
        "the province is occupied, by a unit or by an earlier build",
        "no build is left",
    ];
    for reason in &reasons[..if all { reasons.len() } else { 2 }] {
        assert!(twice.reasons.contains(*reason), "{reason}: {:?}", twice.reasons);
    }
}

/// Does it take seconds until the fault is detected?
fn is_waited_for(what: &str, conduct: Conduct) -> bool {
    conduct == Conduct::Stall || what == "no-newline"
}

#[test]
fn every_fault_is_found_out_and_the_game_goes_on() {
    if !has_python() {
        return;
    }
    let all = runs_slow("programs that are waited for");
    for (what, conduct, told) in
        WRONG.into_iter().filter(|(what, conduct, _)| all || !is_waited_for(what, *conduct))
    {
        let (player, pool) = player("standard", bad(what, 3_000));
        let begun = Instant::now();
        let record = player.play(&spec(0, 1902));
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}: {:?}", begun.elapsed());
        assert_eq!(fault(&record), conduct, "{what}: {:?}", pool.incidents());
        assert_eq!(record.game.last_phase.year, 1902, "{what}: played to its end");
        let others = Powers::STANDARD.iter().filter(|&power| power != Power::FRANCE);
        others.for_each(|power| assert_eq!(record.game.seats[power].fault, Conduct::Ok, "{what}: {power:?}"));
        let incidents = pool.incidents();
        let Some(Incident { reason, .. }) =
            incidents.iter().find(|i| i.conduct == conduct && i.reason.contains(told))
        else {
            panic!("{what}: {incidents:?} say nothing of `{told}`")
        };
        assert!(!reason.contains('\n'), "{what}: one line: {reason}");
        drop((player, pool));
    }
}

#[test]
fn nothing_is_left_of_a_program_and_of_what_it_started() {
    if !has_python() {
        return;
    }
    let all = runs_slow("programs that are waited for");
    let waited_for: &[&str] = if all { &["forks", "hang", "never-quits"] } else { &[] };
    for what in ["forks-and-dies", "megabytes"].iter().chain(waited_for) {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().display().to_string();
        let bad = program("tests/bots/programs/bad.py", &[what, &folder]);
        let (player, pool) = player("standard", Program { stall_ms: 3_000, ..bad });
        player.play(&spec(0, 1901));
        drop((player, pool));
        let (groups, own) = (groups_in(dir.path()), std::process::id());
        assert!(
            !groups.is_empty() && !groups.contains(&own),
            "{what}: it had a group of its own: {groups:?}"
        );
        for group in groups {
            assert!(is_gone(group), "{what}: something of group {group} is left");
        }
    }
}

#[test]
fn a_log_of_megabytes_holds_nobody_up() {
    if !has_python() {
        return;
    }
    let (player, pool) = player("standard", bad("noisy", 10_000));
    assert_eq!(fault(&player.play(&spec(0, 1901))), Conduct::Ok, "{:?}", pool.incidents());
}

#[test]
fn who_is_late_holds_for_the_phase_and_plays_on() {
    if !has_python() || !runs_slow("a program that is late") {
        return;
    }
    let program = Program { move_ms: Some(2_000), ..bad("slow", 10_000) };
    let (player, pool) = player("standard", program);
    let record = player.play(&spec(0, 1902));
    assert_eq!(fault(&record), Conduct::Timeout, "{:?}", pool.incidents());
    // Of four movement phases every other one is late; nothing else is wrong, and it is still the same process.
    assert_eq!(seat(&record).faults, 2, "{:?}", pool.incidents());
    assert!(record.game.hangs_on_time());
    assert_eq!(pool.process_ids().len(), 1);
    let moved =
        |phase: &str| orders(&record).filter(|row| row.phase.to_string() == phase && !holds(row)).count();
    assert_eq!((moved("F1901M"), moved("F1902M")), (0, 0), "its units held where it was late");
    assert!(moved("S1901M") + moved("S1902M") > 0, "and moved where it was not");
}

#[test]
fn hold_leaves_the_power_on_the_board() {
    if !has_python() {
        return;
    }
    let (player, _pool) = player("standard", bad("die-in-the-middle", 5_000));
    let record = player.play(&spec(0, 1904));
    assert_eq!(seat(&record).faults, 1, "told once");
    assert_ne!(seat(&record).outcome, SeatOutcome::Forfeited);
    // The third movement phase is that of Spring 1902.
    let after = orders(&record).filter(|row| row.phase.year > 1901 && row.phase.kind == PhaseKind::Movement);
    let after: Vec<&OrderRow> = after.collect();
    assert!(!after.is_empty() && after.iter().all(|row| holds(row)), "{after:?}");
    // The next game gets a new process, which crashes as well.
    let next = player.play(&spec(1, 1904));
    assert_eq!(fault(&next), Conduct::Crash);
    assert!(!orders(&next).all(holds), "it played at first");
}

#[test]
fn forfeit_takes_the_power_out_of_the_result() {
    if !has_python() {
        return;
    }
    let faults = FaultRule::Forfeit { answers: vec![Conduct::Crash] };
    let (held, _) = player("standard", bad("die-in-the-middle", 5_000));
    let (forfeits, _pool) = player("standard", bad("die-in-the-middle", 5_000));
    let (held, record) = (held.play(&spec(0, 1902)), forfeits.with_faults(faults).play(&spec(0, 1902)));
    assert_eq!(seat(&held).outcome, SeatOutcome::Drew);
    assert_eq!(seat(&record).outcome, SeatOutcome::Forfeited);
    assert_eq!(record.game.draw_size, held.game.draw_size - 1, "the others share without it");
    // A fault that the policy does not answer leads to holding.
    let faults = FaultRule::Forfeit { answers: vec![Conduct::Stall] };
    let (player, _pool) = player("standard", bad("die-in-the-middle", 5_000));
    assert_eq!(text(&player.with_faults(faults).play(&spec(0, 1902))), text(&held));
}

#[test]
fn void_plays_the_same_game_again() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let once = program("tests/bots/programs/bad.py", &["crash-once", &dir.path().display().to_string()]);
    let faults = FaultRule::Replay { answers: vec![Conduct::Crash], tries: 3 };
    let (player_once, _pool) = player("black-hole", once);
    let record = player_once.with_faults(faults.clone()).play(&spec(0, 1902));
    assert_eq!(
        (record.game.voided, fault(&record)),
        (1, Conduct::Crash),
        "what was wrong with the void try is kept"
    );
    assert!(!orders(&record).all(holds), "France plays in the second");
    // The same nature: the same province falls first as in a game without any fault. Later holes also depend on the
    // exempt centres, which bots choose by their dice.
    let (good, _pool) = player("black-hole", program("bots/python/random_bot.py", &[]));
    let holes = |record: &GameRows| {
        let drawn = record.events.iter().filter(|e| e.kind.name() == "hole_drawn");
        drawn.map(|e| e.province.as_deref().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let undisturbed = good.play(&spec(0, 1902));
    assert_eq!(holes(&record)[0], holes(&undisturbed)[0]);
    assert_ne!(text(&record), text(&undisturbed), "other dice for the bots");
    // A program that fails in every attempt: after the last one the game counts as it is.
    let (always, _pool) = player("black-hole", bad("die-in-the-middle", 5_000));
    let always = always.with_faults(faults);
    let record = always.play(&spec(0, 1902));
    assert_eq!((record.game.voided, seat(&record).fault, seat(&record).faults), (2, Conduct::Crash, 3));
    assert_eq!(text(&record), text(&always.play(&spec(0, 1902))), "and is repeatable");
}

/// The kinds of messages, and parts of requests that are present only if they have content.
const SAID: &str = "hello|id|isready|readyok|newgame|orders? movement|orders? retreats|orders? adjustments|\
    orders? seismic|orders? coasts|orders|result|quit|changes|dislodged|doomed|sinking|swallowed|exempt_choices|\
    landings|may_list_retreats|retreats|history";

/// The lines that the program in the seat of France received and sent, in a game in which `random` plays the others.
fn talk(id: &str, last_year: u16) -> (GameRows, Vec<Value>) {
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("talk").display().to_string();
    let (player, pool) = player(id, program("tests/bots/programs/recorded.py", &[&mark]));
    let record = player.play(&spec(0, last_year));
    assert_eq!(pool.incidents(), [], "{id}");
    // The program has written all lines when it has exited.
    drop((player, pool));
    let files: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("one process: {files:?}") };
    let text = std::fs::read_to_string(file).unwrap();
    (record, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn history_has_every_order_with_its_result() {
    if !has_python() {
        return;
    }
    for id in ["standard", "black-hole", "seismic-1971"] {
        let (record, talk) = talk(id, 1904);
        let told = talk.iter().filter_map(|message| message.get("history")?.as_array()).flatten();
        let mut orders: Vec<(String, String, String, String)> = Vec::new();
        for past in told {
            for (power, of_power) in past["orders"].as_object().unwrap() {
                orders.extend(of_power.as_array().unwrap().iter().map(|order| {
                    let text = |value: &Value| value.as_str().unwrap().to_owned();
                    let words: Vec<String> = order["result"].as_array().unwrap().iter().map(text).collect();
                    (text(&past["phase"]), power.clone(), text(&order["order"]), words.join(","))
                }));
            }
        }
        // The table has no removals by civil disorder.
        orders.retain(|(phase, _, _, words)| !(phase.starts_with('W') && words == "disband"));
        let text = |row: &OrderRow| {
            (row.phase.to_string(), name_of(row.power), row.order.to_string(), row.result.to_string())
        };
        let rows = record.orders.iter().map(text);
        assert!(orders.len() > 150, "{id}: {}", orders.len());
        // How often each part occurs: one more often, the other less.
        let mut surplus = BTreeMap::<_, i32>::new();
        orders.into_iter().for_each(|order| *surplus.entry(order).or_default() += 1);
        rows.for_each(|row| *surplus.entry(row).or_default() -= 1);
        surplus.retain(|_, count| *count != 0);
        assert_eq!(surplus, BTreeMap::new(), "{id}");
    }
}

#[test]
fn isready_comes_again_after_newgame_if_the_program_asks_for_it() {
    if !has_python() {
        return;
    }
    let (_, talk) = talk("standard", 1901);
    let kinds: Vec<&str> = talk.iter().take(7).map(|message| message["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["hello", "id", "isready", "readyok", "newgame", "isready", "readyok"]);
    assert_eq!(talk[5], talk[2], "in the same words");
}

/// All messages in games of every variant conform to the schema.
#[test]
fn the_traffic_is_what_the_schema_says() {
    if !has_python() {
        return;
    }
    let schema: Value =
        serde_json::from_str(&testkit::read("docs/bot-protocol.schema.json")).expect("the schema is JSON");
    jsonschema::meta::validate(&schema).expect("the schema is a schema");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is sound");
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("talk").display().to_string();
    let everything_is_said = runs_slow("games until everything has been said");
    for id in testkit::thinned(Variant::shipped(), 4) {
        let (player, pool) = player(id, program("tests/bots/programs/recorded.py", &[&mark]));
        // The program has every seat, so it gets every kind of request; often if retreats depend on holes, which are
        // rare in random play.
        let (games, last_year) = match everything_is_said {
            true => (if id == "black-hole" { 8 } else { 2 }, 1912),
            false => (1, 1901),
        };
        for game in 0..games {
            player.play(&GameSpec {
                seats: ByPower::from_fn(Powers::STANDARD, |_| 1),
                ..spec(game, last_year)
            });
        }
        assert_eq!(pool.incidents(), [], "{id}");
    }
    let mut seen = BTreeSet::new();
    for file in std::fs::read_dir(dir.path()).unwrap() {
        let talk = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let mut counts = BTreeMap::<String, u32>::new();
        for line in talk.lines() {
            let message: Value = serde_json::from_str(line).unwrap();
            let count = counts.entry(format!("{} {}", message["type"], message["asks"])).or_default();
            *count += 1;
            // Most requests are alike: without slow tests a few of each kind in each variant are enough.
            if *count > 2 && !everything_is_said {
                continue;
            }
            if let Err(error) = validator.validate(&message) {
                panic!("{error} at {}: {}", error.instance_path(), &line[..line.len().min(600)]);
            }
            let kind = message["type"].as_str().unwrap().to_owned();
            let is_new = seen.insert(match message["asks"].as_str() {
                Some(asks) => format!("{kind} {asks}"),
                None => kind.clone(),
            });
            seen.extend(message.as_object().unwrap().keys().cloned());
            if !is_new {
                continue;
            }
            // A message with a part removed or added is refused, so the schema is strict.
            for key in ["type", "game"] {
                let mut without = message.clone();
                without.as_object_mut().unwrap().remove(key);
                assert!(!validator.is_valid(&without), "{kind} without `{key}`");
            }
            let mut more = message.clone();
            more["surplus"] = 1.into();
            assert!(!validator.is_valid(&more), "{kind} with a surplus");
        }
    }
    let missing: Vec<&str> = SAID.split('|').filter(|&what| !seen.contains(what)).collect();
    assert!(missing.is_empty() || !everything_is_said, "never said: {missing:?}");
}
