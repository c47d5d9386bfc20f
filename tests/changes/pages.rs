//! The examples of docs/changes.md: each is a part of a file, and loads.

use super::{sound, with};
use crate::helpers::seats;
use upheaval::game::{Game, Referee, Stage};
use upheaval::play::{Seats, play_stage};
use upheaval::rules::nature::Seeded;

#[test]
fn every_example_of_the_page_loads_at_the_end_of_the_standard_rules() {
    let page = testkit::read("docs/changes.md");
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().expect("an end"));
    let mut loaded = 0;
    for block in blocks.filter(|block| block.starts_with("[[changes]]")) {
        let variant = with(block).unwrap_or_else(|error| panic!("{error}\n{block}"));
        let entries = block.matches("[[changes]]").count();
        assert_eq!(variant.changes.entries().len(), entries);
        assert_eq!(variant.changes.warnings(&variant.terrain, &variant.position), [""; 0], "{block}");
        loaded += 1;
    }
    assert!(loaded >= 11, "only {loaded} examples");
}

#[test]
fn every_idea_changes_the_map_of_a_game() {
    let text = testkit::read("cli/src/new/ideas.toml");
    let ideas: Vec<&str> = text.split("\n\n# ").collect();
    assert_eq!(ideas.len(), 8);
    for idea in ideas {
        let (sentence, entries) = idea.split_once('\n').expect("a sentence");
        let variant = sound(entries);
        assert_eq!(variant.changes.warnings(&variant.terrain, &variant.position), [""; 0], "{sentence}");
        let mut game = Game::new(variant, 1904);
        let start = game.terrain().hash();
        let (mut referee, mut nature) = (Referee::new(), Seeded { seed: 1, block: 0 });
        let (mut bots, mut dice) = (seats::seven("random"), seats::dice(1));
        let mut changed = 0;
        while game.stage() != Stage::Over {
            play_stage(
                &mut game,
                &mut referee,
                &mut Seats { bots: &mut bots, dice: &mut dice },
                &mut nature,
                &mut (),
            );
            changed += u32::from(game.terrain().hash() != start);
        }
        assert!(changed > 0, "{sentence}");
    }
}
