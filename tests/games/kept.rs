//! Records of games by earlier versions are played again, each to the last hash (`tests/replays`).

use std::collections::BTreeSet;
use std::fs;

use upheaval::game_record::{GameRecord, replay};
use upheaval::record::EventKind;
use upheaval::rules::variant::Variant;

/// The kept games, with their paths and texts.
fn kept_games() -> impl Iterator<Item = (String, String, GameRecord)> {
    fs::read_dir(testkit::path("tests/replays")).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let (name, text) = (path.display().to_string(), fs::read_to_string(&path).unwrap());
        let kept = GameRecord::parse(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        (name, text, kept)
    })
}

#[test]
fn every_game_that_is_kept_is_played_again() {
    let mut variants = BTreeSet::new();
    for (name, text, kept) in kept_games() {
        let mut stages = 0;
        let game = replay(&kept, kept.variant(&name).unwrap(), &mut |_| stages += 1)
            .unwrap_or_else(|mismatch| panic!("{name}: {mismatch}"));
        assert_eq!(format!("{:016x}", game.hash()), kept.end.state, "{name}");
        assert_eq!(stages, kept.stages.len() + 1, "{name}: each stage is shown, and the end");
        assert_eq!(kept.to_json(), text, "{name} is written as it was read");
        variants.insert(kept.rules.id);
    }
    let shipped: BTreeSet<String> = Variant::shipped().map(str::to_owned).collect();
    assert_eq!(variants, shipped, "one of each variant at least");
}

/// Why an event of the language of changes is missing.
const NEW: &str = "no variant that ships has such an entry";

/// Results that no kept game has, and why.
const NOWHERE: [(EventKind, &str); 10] = [
    (EventKind::PlaceChosen, NEW),
    (EventKind::Marked, NEW),
    (EventKind::Frozen, NEW),
    (EventKind::Thawed, NEW),
    (EventKind::Dug, NEW),
    (EventKind::Filled, NEW),
    (EventKind::Skipped, "no variant that ships changes a place that no longer fits"),
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
    for (_, _, kept) in kept_games() {
        for stage in kept.stages {
            kinds.extend(stage.events.into_iter().map(|event| event.kind));
            results.extend(stage.orders.into_iter().map(|line| line.result));
        }
        ends.insert(kept.end.end);
    }
    let missing = EventKind::ALL.into_iter().filter(|kind| !kinds.contains(kind.name()));
    assert!(missing.eq(NOWHERE.map(|(kind, _)| kind)), "{kinds:?}");
    assert!(results.iter().eq(RESULTS.iter()), "{results:?}");
    assert!(ends.iter().eq(&["draw", "solo"]), "{ends:?}");
}
