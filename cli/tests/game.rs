//! Games by hand: what a session on a page cannot show (`sessions/game.md`).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use upheaval::ask::{Handicap, Observation};
use upheaval::game::Referee;
use upheaval::game_record::{GameRecord, HostedGame, Orders, ReadLine};
use upheaval::prelude::{Decision, Purpose, Stream};
use upheaval::reading::OrderForm;
use upheaval::rules::adjustment::Owed;
use upheaval::rules::order::AdjustmentOrder;
use upheaval::rules::variant::Variant;

use crate::program::{Done, run_in, the_run};

/// `upheaval game …` in a folder.
fn game(dir: &Path, arguments: &[&str]) -> Done {
    run_in(dir, &[&["game"], arguments].concat(), b"")
}

/// The same; it must succeed.
fn done(dir: &Path, arguments: &[&str]) -> String {
    let done = game(dir, arguments);
    assert_eq!((done.code, &*done.error), (0, ""), "{arguments:?}: {}", done.out);
    done.out
}

fn record(dir: &Path) -> GameRecord {
    GameRecord::parse("game.json", &fs::read_to_string(dir.join("g/game.json")).unwrap()).unwrap()
}

fn hosted(dir: &Path) -> HostedGame {
    HostedGame::resume("game.json", record(dir)).unwrap()
}

/// The kind of a decision.
fn kind(decision: &Decision) -> &'static str {
    match decision {
        Decision::Order { .. } => "order",
        Decision::Landing(_) => "landing",
        Decision::List(_) => "list",
        Decision::Exempt(_) => "exempt",
        Decision::Announce => "announce",
        Decision::Ballot(_) => "ballot",
        Decision::Retreat { .. } => "retreat",
        Decision::Adjustment(AdjustmentOrder::Remove { .. } | AdjustmentOrder::RemoveArmy { .. }) => {
            "removal"
        }
        Decision::Adjustment(_) => "build",
        Decision::Seismic(_) => "seismic",
        Decision::Coast { .. } => "coast",
        Decision::DisbandTrapped(_) | Decision::KeepTrapped(_) => "trapped",
    }
}

/// A file of orders for the phase: one of the possible orders about each subject, as somebody types it.
fn orders(game: &HostedGame, dice: &mut Stream, asked: &mut BTreeSet<&'static str>) -> String {
    let mut referee = Referee::new();
    referee.prepare(game.game());
    let mut orders = Orders::new();
    for power in game.game().powers() {
        let seen = Observation::new(game.game(), referee.chains(), power, Handicap::NONE);
        let (Owed::Builds(mut owed) | Owed::Removals(mut owed)) = game.game().owed(power);
        let mut lines = Vec::new();
        for choice in seen.all_choices() {
            let order = dice.choose(&choice.orders).unwrap();
            if matches!(order.decision, Decision::Adjustment(_)) {
                let Some(left) = owed.checked_sub(1) else { continue };
                owed = left;
            }
            asked.insert(kind(&order.decision));
            // People write small letters, and arrows.
            lines.push(match dice.below(2) {
                0 => order.text.clone(),
                _ => order.text.to_lowercase().replace(" - ", "→"),
            });
        }
        orders.insert(game.power_names().name(power).to_owned(), lines);
    }
    // An army lands only if it is aboard, or is ordered there.
    let is_landing = |line: &ReadLine| line.meaning.as_ref().is_err_and(|fault| fault.why.contains("aboard"));
    let dropped: Vec<String> =
        game.check(&orders, OrderForm::Typed).into_iter().filter(is_landing).map(|line| line.given).collect();
    let mut text = format!("{}\n", game.game().phase());
    for (power, lines) in &orders {
        let lines: Vec<&str> =
            lines.iter().filter(|line| !dropped.contains(line)).map(String::as_str).collect();
        text += &format!("\n{power}\n{}\n", lines.join("\n"));
    }
    text
}

/// Plays a game by hand to the end of its last year.
fn play(variant: &str, seed: u64, years: u16, asked: &mut BTreeSet<&'static str>) {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let mut name = variant.to_owned();
    if Variant::shipped().all(|shipped| shipped != variant) {
        run_in(dir, &["new", "variant", "mine", "--from", variant], b"");
        name = "./mine-variant.toml".to_owned();
    }
    let rules = Variant::find(&name, dir).unwrap().unwrap();
    let last_year = (rules.first_movement().year + years - 1).to_string();
    done(dir, &["new", &name, "g", "--seed", &seed.to_string(), "--last-year", &last_year]);
    let mut dice = Stream::keyed(seed, Purpose::Bot, &[]);
    loop {
        let hosted = hosted(dir);
        if hosted.record().is_over() {
            break;
        }
        let text = orders(&hosted, &mut dice, asked);
        fs::write(dir.join("orders.txt"), &text).unwrap();
        let check = game(dir, &["check", "g", "orders.txt"]);
        assert_eq!((check.code, &*check.error), (0, ""), "{variant} {seed}: {text}\n{}", check.out);
        done(dir, &["next", "g", "orders.txt"]);
    }
    let verified = run_in(dir, &["verify", "g"], b"");
    assert_eq!(verified.code, 0, "{variant}: {}", verified.out);
    let replayed = run_in(dir, &["replay", "g/game.json", "--html", "page.html"], b"");
    assert_eq!(replayed.code, 0, "{variant}: {}", replayed.error);
    // A run has the same game, and every row of it is compared.
    let imported = run_in(dir, &["import", "g"], b"");
    assert_eq!(imported.code, 0, "{variant}: {}", imported.error);
    let run = the_run(dir);
    let again = run_in(dir, &["replay", run.to_str().unwrap(), "--verify"], b"");
    assert_eq!(again.code, 0, "{variant}: {}{}", again.out, again.error);
    // Undone and settled again, the last phase is the same.
    let before = fs::read(dir.join("g/game.json")).unwrap();
    done(dir, &["undo", "g"]);
    done(dir, &["redo", "g"]);
    assert!(fs::read(dir.join("g/game.json")).unwrap() == before, "{variant}");
}

/// Seeds by which the games of some variants have questions that are rare; `outvoted` is an idea of `upheaval new`.
const RARE: [(&str, u64, u16); 5] = [
    ("black-hole-i", 10, 3),
    ("deluge", 1, 2),
    ("schizo-ii", 1, 1),
    ("seismic-acerunner", 1, 1),
    ("outvoted", 1, 1),
];

#[test]
fn a_game_by_hand_has_every_kind_of_question() {
    let mut asked = BTreeSet::new();
    for (variant, seed, years) in RARE {
        play(variant, seed, years, &mut asked);
    }
    let all = [
        "announce", "ballot", "build", "coast", "exempt", "landing", "list", "order", "removal", "retreat",
        "seismic", "trapped",
    ];
    assert_eq!(asked, BTreeSet::from(all));
}

#[test]
fn a_game_of_each_variant_is_played_by_hand() {
    if testkit::runs_slow("a game by hand of each variant") {
        Variant::shipped().for_each(|variant| play(variant, 1, 2, &mut BTreeSet::new()));
    }
}
