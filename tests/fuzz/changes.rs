//! Entries of `[[changes]]` that people write: their sets, their files, and games by those that are sound.

use std::collections::BTreeMap;

use super::{inputs, scramble};
use crate::changes::{draw, with};
use crate::fuzz::files::changed;
use crate::helpers::seats;
use upheaval::game::{Game, Referee, Stage};
use upheaval::play::{Seats, play_stage};
use upheaval::rules::changes::{Names, parse_set};
use upheaval::rules::nature::Seeded;
use upheaval::topology::atlas;

/// The examples of the page and the ideas, each with the sections that belong to it.
fn examples() -> Vec<String> {
    let page = testkit::read("docs/changes.md");
    let blocks = page.split("```toml\n").skip(1).filter_map(|block| block.split_once("```"));
    let examples = blocks.map(|(block, _)| block.to_owned());
    let ideas = testkit::read("cli/src/new/ideas.toml");
    let ideas = ideas.split("\n\n# ").map(|idea| format!("# {idea}")).collect::<Vec<_>>();
    examples.filter(|block| block.contains("[[changes]]")).chain(ideas).collect()
}

#[test]
fn sets_of_any_text_are_read_or_refused_with_a_place_in_them() {
    let start = atlas::standard();
    let codes = draw::codes(&start, &[upheaval::topology::FaceKind::Land]);
    let (ids, groups) = (["first".to_owned(), "second".to_owned()], ["north".to_owned()]);
    let (mut sound, mut faulty) = (0, 0);
    let all = inputs("sets", 3_000);
    let are_many = all.are_many();
    for mut input in all {
        let names = draw::Names {
            codes: &codes,
            ids: &ids,
            earlier: 1,
            groups: &groups,
            powers: &[],
            terms: draw::Terms::All,
        };
        let mut bytes = draw::set(&mut input.dice, &names, 3).0.into_bytes();
        if input.number % 4 > 0 {
            scramble(&mut bytes, &mut input.dice);
        }
        let text = String::from_utf8_lossy(&bytes);
        let groups = BTreeMap::new();
        let known = ["first", "second"];
        let names = Names {
            map: start.map(),
            powers: start.power_names(),
            ids: &known,
            groups: &groups,
            entry: Some(1),
        };
        match parse_set(&text, &names) {
            Ok(set) => {
                sound += 1;
                assert_eq!(parse_set(&set.to_string(), &names), Ok(set), "{text}");
            }
            Err(faults) => {
                faulty += 1;
                assert!(
                    !faults.is_empty() && faults.iter().all(|fault| fault.at.end <= text.len()),
                    "{text}"
                );
            }
        }
    }
    assert!(sound > 0 && faulty > 0 || !are_many, "{sound} sound, {faulty} faulty");
}

#[test]
fn entries_of_any_text_are_refused_or_played() {
    let texts = examples();
    let (mut sound, mut faulty) = (0, 0);
    let all = inputs("entries", 400);
    let are_many = all.are_many();
    for mut input in all {
        let text = match texts.get(input.number as usize) {
            Some(text) => text.clone(),
            None => changed(&texts, &mut input),
        };
        let Ok(variant) = with(&text) else {
            faulty += 1;
            continue;
        };
        sound += 1;
        let last_year = variant.first_movement().year;
        let mut game = Game::new(variant, last_year);
        let (mut referee, mut nature) = (Referee::new(), Seeded { seed: input.number, block: 0 });
        let (mut bots, mut dice) = (seats::seven("random"), seats::dice(input.number));
        while game.stage() != Stage::Over {
            let mut seats = Seats { bots: &mut bots, dice: &mut dice };
            play_stage(&mut game, &mut referee, &mut seats, &mut nature, &mut ());
        }
        assert_eq!(game.terrain().chart().map().faults(), Vec::<String>::new(), "{text}");
    }
    assert!(sound > 0 && faulty > 0 || !are_many, "{sound} sound, {faulty} faulty");
}
