//! Records of games by earlier versions are played again, each to the last hash (`tests/replays`).

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use upheaval::game_record::{GameRecord, replay};
use upheaval::record::EventKind;
use upheaval::rules::variant::Variant;

fn folder() -> PathBuf {
    testkit::path("tests/replays")
}

#[test]
fn every_game_that_is_kept_is_played_again() {
    let mut variants = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let (name, text) = (path.display().to_string(), fs::read_to_string(&path).unwrap());
        let kept = GameRecord::parse(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        let mut stages = 0;
        let game = replay(&kept, kept.variant(&name).unwrap(), &mut |_| stages += 1)
            .unwrap_or_else(|mismatch| panic!("{name}: {mismatch}"));
        assert_eq!(format!("{:016x}", game.hash()), kept.end.state, "{name}");
        assert_eq!(stages, kept.stages.len() + 1, "{name}: each stage is shown, and the end");
        assert_eq!(kept.to_json(), text, "{name} is written as it was read");
        variants.push(kept.rules.id);
    }
    variants.sort();
    variants.dedup();
    let mut shipped: Vec<&str> = Variant::shipped().collect();
    shipped.sort_unstable();
    assert_eq!(variants, shipped, "one of each variant at least");
}

/// Results that no kept game has, and why.
const NOWHERE: [(EventKind, &str); 3] = [
    (EventKind::LostAtSea, "no variant that ships has a limit of seasons aboard"),
    (EventKind::Waived, "no bot that ships waives"),
    (EventKind::BotFault, "no bot that ships is at fault"),
];

/// The results that the kept games have together; `illegal` is left out, because no bot that ships gives illegal
/// orders.
const RESULTS: [&str; 14] = [
    "bounce",
    "bounce,dislodged",
    "cut",
    "cut,dislodged",
    "disband",
    "dislodged",
    "disrupted",
    "disrupted,dislodged",
    "no convoy",
    "no convoy,dislodged",
    "ok",
    "overlap",
    "void",
    "void,dislodged",
];

#[test]
fn the_kept_games_have_all_that_can_happen() {
    let (mut kinds, mut results, mut ends) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let kept = GameRecord::parse("game.json", &fs::read_to_string(&path).unwrap()).unwrap();
        for stage in kept.stages {
            kinds.extend(stage.events.into_iter().map(|event| event.kind));
            results.extend(stage.orders.into_iter().map(|line| line.result));
        }
        ends.insert(kept.end.end);
    }
    for kind in EventKind::ALL {
        match NOWHERE.iter().find(|(nowhere, _)| *nowhere == kind) {
            Some((_, why)) => {
                assert!(!kinds.contains(kind.name()), "{} is there after all: {why}", kind.name())
            }
            None => assert!(kinds.contains(kind.name()), "no kept game has `{}`", kind.name()),
        }
    }
    assert!(results.iter().eq(RESULTS.iter()), "{results:?}");
    assert!(ends.contains("solo") && ends.contains("draw"), "{ends:?}");
}
