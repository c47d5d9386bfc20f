//! Whole games of every variant, and crowded positions: in a mirror, with other codes, and both.
//!
//! `UPHEAVAL_SLOW_TESTS=1` plays all of them, a larger number this many times as many.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::helpers::shipped;
use crate::symmetry::decisions::crowd;
use crate::symmetry::image::{Image, map_file};
use crate::symmetry::lockstep::Lockstep;
use testkit::amount;
use upheaval::rng::{Purpose, Stream};

const STAGES: usize = 60;

/// The features of a variant besides supports and retreats.
const PARTS: [(&str, &[&str]); 9] = [
    ("standard", &[]),
    ("black-hole", &["holes", "exempt"]),
    ("black-hole-i", &["holes", "exempt"]),
    ("black-hole-ii", &["holes", "exempt"]),
    ("double-reversible", &["holes"]),
    ("schizo-ii", &["holes", "restores", "splits", "ends", "halves", "coasts"]),
    ("deluge-ii", &["landings"]),
    ("seismic-1971", &["shaken", "coasts"]),
    ("seismic-acerunner", &["shaken", "coasts"]),
];

/// A game from the start, and crowded positions from which some stages are played, in each of several images.
fn play(id: &str, images: &dyn Fn(&Value, &mut Stream) -> Image) {
    let variant = shipped::variant(id);
    let board = if id == "deluge-ii" { "deluge" } else { "standard" };
    let file = map_file(board);
    let army_fleets = variant.rulebook.army_fleets.allowed();
    let (mut stages, mut seen) = (0, BTreeMap::new());
    let mut go = |mut lockstep: Lockstep<'_>, most: usize| {
        stages += lockstep.play(most);
        for (what, count) in lockstep.seen {
            *seen.entry(what).or_default() += count;
        }
    };
    let (all, crowded) = (testkit::tries_all(), if testkit::tries_all() { 6 } else { 2 });
    for n in 0..amount(1, 6) {
        let mut dice = Stream::keyed(8701, Purpose::Bot, &[n]);
        let image = images(&file, &mut dice);
        let there = image.variant(id);
        let variants = [&variant, &there];
        let most = if all { STAGES } else { STAGES / 5 };
        go(Lockstep::new(&image, variants, Stream::keyed(n, Purpose::Bot, &[1])), most);
        let most = if all { STAGES / 4 } else { STAGES / 10 };
        for m in 0..crowded {
            let mut dice = Stream::keyed(n, Purpose::Bot, &[2, m]);
            let position = crowd(&variant.terrain, &mut dice, army_fleets);
            let at = ["S1907M", "F1903M", "S1902M"][m as usize % 3].parse().expect("a phase");
            go(Lockstep::resumed(&image, variants, at, &position, dice), most);
        }
    }
    assert!(stages > if all { 150 } else { 8 }, "{id}: only {stages} stages were played");
    let (_, parts) = PARTS.into_iter().find(|(of, _)| *of == id).expect("a variant that ships");
    // Only as many games as slow tests play can be required to have all of this.
    let common: &[&str] = if all { &["supports", "dislodged", "ok", "convoyed", "overlap"] } else { &["ok"] };
    for what in common.iter().chain(parts.iter().filter(|_| all)) {
        assert!(seen.get(what).is_some_and(|&count: &usize| count > 0), "{id}: {what} of {seen:?}");
    }
}

fn mirrored(_: &Value, _: &mut Stream) -> Image {
    Image::mirrored()
}

/// Two tests for each variant: one with other codes, and one with the mirror image, with unchanged and changed codes.
macro_rules! variants {
    ($($name:ident: $id:literal),* $(,)?) => {
        $(mod $name {
            use super::{Image, mirrored, play};

            #[test]
            fn what_is_renamed_is_played_alike() {
                play($id, &Image::renamed);
            }

            #[test]
            fn what_is_mirrored_is_played_alike() {
                play($id, &mirrored);
            }

            #[test]
            fn what_is_both_is_played_alike() {
                play($id, &Image::renamed_and_mirrored);
            }
        })*
    };
}

variants! {
    standard: "standard",
    black_hole: "black-hole",
    black_hole_i: "black-hole-i",
    black_hole_ii: "black-hole-ii",
    double_reversible: "double-reversible",
    schizo_ii: "schizo-ii",
    deluge_ii: "deluge-ii",
    seismic_1971: "seismic-1971",
    seismic_acerunner: "seismic-acerunner",
}
