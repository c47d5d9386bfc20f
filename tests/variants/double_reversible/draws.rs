//! The draws of `double-reversible` (Double Reversible rule 3; rules.md 4.1, 4.2).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::helpers::chances::uniform;
use crate::helpers::seats::{bots, draw_answer, play_out};
use crate::helpers::shipped::variant;
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::Bot;
use upheaval::game::Game;
use upheaval::ids::{ProvinceId, ProvinceSet};
use upheaval::rng::Stream;
use upheaval::rules::changes::{Entry, FaceChange};
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{HowMany, Nature, Seeded};
use upheaval::rules::position::{Phase, Season};
use upheaval::rules::variant::Variant;
use upheaval::topology::FaceKind;

fn toggles(variant: &Variant) -> (&Entry, &FaceChange) {
    variant.changes.faces().next().expect("the variant toggles")
}

fn eligible(variant: &Arc<Variant>) -> ProvinceSet {
    variant.changes.eligible(toggles(variant).1, Game::new(Arc::clone(variant), 1910).world())
}

#[test]
fn double_reversible_rule_3_the_75_provinces_and_switzerland_may_be_drawn_holed_or_not() {
    let variant = variant("double-reversible");
    let game = Game::new(Arc::clone(&variant), 1910);
    let eligible = variant.changes.eligible(toggles(&variant).1, game.world());
    assert_eq!(eligible.len(), 76);
    let map = variant.terrain.chart().map();
    let faces = |kind| eligible.iter().filter(|&id| map.face(id).unwrap().kind() == kind).count();
    assert_eq!(faces(FaceKind::Impassable), 1, "Switzerland");
    assert_eq!(faces(FaceKind::Outside), 0, "the Outside is not a space");
    assert_eq!((faces(FaceKind::Land), faces(FaceKind::Sea)), (56, 19), "land and sea spaces alike");
    let mut world = game.world().clone();
    let mut chart = variant.terrain.chart().clone();
    for face in ["MAR", "SWI", "LYO"] {
        chart.collapse(map.find(face).unwrap()).unwrap();
    }
    world.terrain = Arc::new(MapTables::new(chart));
    assert_eq!(variant.changes.eligible(toggles(&variant).1, &world), eligible);
}

#[test]
fn double_reversible_rule_3_two_different_faces_each_equally_likely() {
    let variant = variant("double-reversible");
    let eligible = eligible(&variant);
    let at: Phase = "F1903M".parse().unwrap();
    let mut counts: BTreeMap<ProvinceId, u64> = eligible.iter().map(|id| (id, 0)).collect();
    let mut firsts = counts.clone();
    for seed in 0..20_000 {
        let drawn = Seeded { seed, block: 3 }.faces(
            at,
            toggles(&variant).0,
            &variant.terrain,
            &eligible,
            HowMany::Count(2),
        );
        assert!(drawn.len() == 2 && drawn[0] != drawn[1]);
        *firsts.get_mut(&drawn[0]).expect("eligible") += 1;
        drawn.iter().for_each(|id| *counts.get_mut(id).expect("eligible") += 1);
    }
    for counts in [counts, firsts] {
        let p = uniform(counts.values());
        assert!(p > 1e-3, "{p} {counts:?}");
    }
}

#[test]
fn double_reversible_rule_3_spring_and_fall_draw_on_their_own() {
    // Two of 76 faces; both seasons draw the same pair in one of 2850 blocks.
    let variant = variant("double-reversible");
    let eligible = eligible(&variant);
    let drawn = |block, at: &str| -> ProvinceSet {
        let at = at.parse().unwrap();
        let mut nature = Seeded { seed: 7, block };
        nature
            .faces(at, toggles(&variant).0, &variant.terrain, &eligible, HowMany::Count(2))
            .into_iter()
            .collect()
    };
    let same = |a: &str, b: &str| (0..400).filter(|&block| drawn(block, a) == drawn(block, b)).count();
    assert!(same("S1901M", "F1901M") < 4);
    assert!(same("S1901M", "S1902M") < 4);
    assert_eq!(same("S1901M", "S1901R"), 400, "the phase within the season does not matter");
}

/// The faces that toggle in each season of a game whose bots draw their orders, or hold.
#[derive(Default)]
struct Toggled(BTreeMap<(u16, Season), BTreeSet<String>>);

impl Log for Toggled {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        if let Event::Collapsed(face) | Event::Restored(face) = event {
            let name = terrain.names().province(*face).to_owned();
            self.0.entry((at.year, at.season)).or_default().insert(name);
        }
    }
}

#[test]
fn double_reversible_rulings_4_2_what_is_drawn_does_not_hang_on_what_is_ordered() {
    struct Dicer(bool);
    impl Bot for Dicer {
        fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
            draw_answer(seen, ask, dice, answer, self.0);
        }
    }
    let [still, moving] = [false, true].map(|moves| {
        let (mut game, mut log) = (Game::new(variant("double-reversible"), 1903), Toggled::default());
        play_out(&mut game, bots(|_| Dicer(moves)), 5, &mut Seeded { seed: 5, block: 0 }, &mut log);
        log.0
    });
    let both = still.iter().zip(&moving).filter(|(a, b)| a == b).count();
    assert!(still.len() >= 4 && both == still.len().min(moving.len()), "{still:?} {moving:?}");
    assert!(still.values().all(|names| names.len() == 2));
}
