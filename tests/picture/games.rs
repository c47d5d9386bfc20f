//! Games of every variant are drawn, each board following the one before: the drawings are valid, however the map
//! changes.

use crate::helpers::quick::kind;
use crate::helpers::seats::dice;
use crate::helpers::shipped::variant;
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{ByPower, Powers};
use upheaval::picture::{Layout, geometry};
use upheaval::play::{Seats, play_stage};
use upheaval::rules::nature::Seeded;
use upheaval::rules::variant::Variant;
use upheaval::topology::FaceState;

/// Draws each new board of a game; returns their number.
fn boards(id: &str, seed: u64, last_year: u16) -> u64 {
    let mut game = Game::new(variant(id), last_year);
    let mut bots = ByPower::from_fn(Powers::STANDARD, |_| (kind("random").make)());
    let mut dice = dice(seed);
    let mut referee = Referee::new();
    let mut nature = Seeded { seed, block: 0 };
    let mut layout = Layout::of(game.terrain().chart());
    let (mut hash, mut drawn) = (game.terrain().hash(), 0);
    while game.stage() != Stage::Over {
        let mut seats = Seats { bots: &mut bots, dice: &mut dice };
        play_stage(&mut game, &mut referee, &mut seats, &mut nature, &mut ());
        if game.terrain().hash() == hash {
            continue;
        }
        hash = game.terrain().hash();
        let chart = game.terrain().chart();
        layout = layout.next(chart);
        drawn += 1;
        assert_eq!(layout.flaws(), 0, "{id}, seed {seed}, {}", game.phase());
        for (face, it) in chart.map().faces().filter(|&(face, _)| face != layout.beyond()) {
            let spot = layout.spot(face).expect("every face has a place");
            let inside = geometry::contains(&layout.shape(face), spot.middle);
            assert!(
                inside || it.state() == FaceState::Collapsed,
                "{id}, seed {seed}, {}: {}",
                game.phase(),
                it.name()
            );
        }
    }
    drawn
}

#[test]
fn games_of_every_variant_are_drawn_soundly() {
    let (last_year, few) = if testkit::tries_all() { (1905, 3) } else { (1901, 0) };
    for id in testkit::thinned(Variant::shipped(), 2) {
        let drawn = boards(id, 0, last_year);
        println!("{id}: {drawn} boards");
        assert_eq!(drawn > few, id != "standard", "{id}: {drawn} boards");
    }
}
