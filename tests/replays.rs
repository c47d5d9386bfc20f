//! Games that an earlier version has written down are played again, each to the last hash (`tests/replays`).

use std::fs;
use std::path::{Path, PathBuf};

use upheaval::chronicle::{Chronicle, replay};
use upheaval::rules::variant::Variant;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replays")
}

#[test]
fn every_game_that_is_kept_is_played_again() {
    let mut variants = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let (name, text) = (path.display().to_string(), fs::read_to_string(&path).unwrap());
        let kept = Chronicle::parse(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        let mut stages = 0;
        let game = replay(&kept, kept.variant(&name).unwrap(), &mut |_| stages += 1)
            .unwrap_or_else(|departure| panic!("{name}: {departure}"));
        assert_eq!(format!("{:016x}", game.hash()), kept.end.state, "{name}");
        assert_eq!(stages, kept.stages.len() + 1, "{name}: each stage is shown, and the end");
        assert_eq!(kept.to_json(), text, "{name} is written as it was read");
        variants.push(kept.rules.id);
    }
    variants.sort();
    let mut shipped: Vec<&str> = Variant::shipped().collect();
    shipped.sort_unstable();
    assert_eq!(variants, shipped, "one of each variant");
}
