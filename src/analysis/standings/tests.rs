use super::*;
use crate::Interval;
use crate::scoring::tests::{draw, solo};

/// A game of these bots, the first in AUSTRIA's seat.
fn seated(mut game: GameRow, block: u32, bots: [&str; 7]) -> GameRow {
    (game.block, game.state_hash) = (block, u64::from(block));
    game.seats.iter_mut().for_each(|(power, seat)| seat.bot = bots[power.index()].into());
    game
}

const ONE: [&str; 7] = ["able", "lame", "lame", "lame", "lame", "lame", "lame"];
const OTHER: [&str; 7] = ["lame", "able", "able", "able", "able", "able", "able"];

/// Ten blocks: `able` alone wins in all but every fifth; `lame` alone is always eliminated.
fn standings(counted: Counted, variants: usize) -> Standings {
    let names = (0..variants).map(|i| format!("v{i}")).collect();
    let mut standings = Standings::new(vec!["lame".into(), "able".into()], names, counted, Score::DrawSize);
    for variant in 0..variants {
        for block in 0..10 {
            let game = match block % 5 {
                0 => draw(34, [2, 6, 6, 5, 5, 5, 5], [0; 7]),
                _ => solo(34, 0, [18, 3, 3, 3, 3, 2, 2], [0; 7]),
            };
            let mut game = seated(game, block, ONE);
            game.seats[Power::ITALY].faults = 2;
            assert!(standings.add(variant, &game));
            let game = draw(34, [0, 6, 6, 6, 6, 5, 5], [1903, 0, 0, 0, 0, 0, 0]);
            assert!(standings.add(variant, &seated(game, block, OTHER)));
        }
    }
    standings
}

#[test]
fn the_stronger_comes_first_with_what_it_did() {
    let [section] = &standings(Counted::Alone, 1).sections()[..] else { panic!("one variant, one table") };
    assert_eq!(section.title, "v0: 20 games in 10 blocks");
    let [able, lame] = &section.lines[..] else { panic!("two bots") };
    assert_eq!((able.bot.as_str(), able.solos, able.games, able.faults), ("able", 8, 20, 0));
    assert_eq!((lame.bot.as_str(), lame.solos, lame.games, lame.faults), ("lame", 0, 20, 20));
    let (rating, other) = (able.rating.estimate, lame.rating.estimate);
    assert!((rating + other).abs() < 1e-9 && rating > 100.0, "{able:?}");
    let Interval { low, high } = able.rating.interval.unwrap();
    assert!(low < rating && rating < high, "{able:?}");
    // Eight games of 1 and two of 1/7.
    assert!((able.score.unwrap().estimate - (8.0 + 2.0 / 7.0) / 10.0).abs() < 1e-12);
    assert_eq!(lame.score.unwrap().estimate, 0.0);
    assert!(section.superior[0][1] > 0.95 && section.superior[1][0] < 0.05, "{:?}", section.superior);
    assert_eq!(section.alone[0][1], able.score);
    assert_eq!((section.alone[0][0], section.alone[1][1]), (None, None));
}

#[test]
fn over_every_seat_the_scores_of_all_share_a_game() {
    let [section] = &standings(Counted::EverySeat, 1).sections()[..] else { panic!() };
    let [able, lame] = &section.lines[..] else { panic!() };
    // 7 seats of `able` in each block, and 7 of `lame`; all points of both games are awarded.
    let sum = able.score.unwrap().estimate * 7.0 + lame.score.unwrap().estimate * 7.0;
    assert!((sum - 2.0).abs() < 1e-12 && section.alone.is_empty());
}

#[test]
fn variants_have_their_tables_and_share_one() {
    let sections = standings(Counted::Alone, 2).sections();
    let titles: Vec<_> = sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(
        titles,
        ["v0: 20 games in 10 blocks", "v1: 20 games in 10 blocks", "all variants: 40 games in 10 blocks"]
    );
    // The same games twice in the same blocks add no information.
    assert_eq!(sections[0].lines[0].score, sections[2].lines[0].score);
    assert_eq!(sections[2].lines[0].games, 40);
}

#[test]
fn the_same_games_give_the_same_text_on_any_number_of_threads() {
    let standings = standings(Counted::Alone, 2);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| standings.render())
    };
    let text = on(1);
    assert_eq!(text, on(3));
    assert!(
        text.contains("likelihood of superiority")
            && text.contains("the bot of the row in one seat, the bot of the column in all others"),
        "{text}"
    );
    let lame = text.lines().find(|line| line.starts_with("lame")).unwrap();
    assert!(lame.ends_with("0       20       20"), "{text}");
}

#[test]
fn one_block_has_no_intervals_and_a_strange_bot_is_refused() {
    let mut standings =
        Standings::new(vec!["able".into(), "lame".into()], vec!["v".into()], Counted::EverySeat, Score::Solo);
    assert!(standings.add(0, &seated(solo(34, 0, [18, 4, 4, 4, 4, 0, 0], [0; 7]), 3, ONE)));
    let mut strange = ONE;
    strange[3] = "strange";
    assert!(!standings.add(0, &seated(draw(34, [5; 7], [0; 7]), 4, strange)));
    let [section] = &standings.sections()[..] else { panic!() };
    assert_eq!((section.lines[0].rating.interval, section.superior.len()), (None, 0));
    assert!(standings.render().starts_with("v: 1 game in 1 block\n"), "{}", standings.render());
}

#[test]
fn fewer_than_eight_blocks_print_a_warning_in_place_of_likelihoods() {
    let of = |blocks: u32| {
        let names = vec!["able".into(), "lame".into()];
        let mut standings = Standings::new(names, vec!["v".into()], Counted::EverySeat, Score::Solo);
        for block in 0..blocks {
            assert!(standings.add(0, &seated(solo(34, 0, [18, 4, 4, 4, 4, 0, 0], [0; 7]), block, ONE)));
        }
        standings
    };
    let sections = |standings: &Standings| standings.to_json()["sections"][0].clone();
    let (few, enough) = (of(7), of(8));
    assert_eq!(sections(&few)["superior"], serde_json::json!([]));
    assert!(sections(&few)["warning"].as_str().unwrap().starts_with("too few blocks (7)"));
    // Eight coins on one side.
    assert_eq!(sections(&enough)["superior"][0][1], 1.0 - 0.5_f64.powi(8));
    assert!(sections(&enough)["warning"].is_null());
    let (few, enough) = (few.render(), enough.render());
    assert!(few.contains("warning: too few blocks (7) to decide which bot is stronger"), "{few}");
    assert!(!few.contains("likelihood of superiority, %"), "{few}");
    assert!(enough.contains("likelihood of superiority, %") && !enough.contains("warning"), "{enough}");
    assert!(enough.contains("99.6"), "{enough}");
}

/// Two programs without dice on a variant without chance: every block is the same block.
#[test]
fn blocks_that_are_the_same_games_again_have_neither_intervals_nor_likelihoods() {
    let of = |different: u32| {
        let names = vec!["able".into(), "lame".into()];
        let mut standings = Standings::new(names, vec!["v".into()], Counted::EverySeat, Score::Solo);
        for block in 0..20 {
            let mut game = seated(solo(34, 0, [18, 4, 4, 4, 4, 0, 0], [0; 7]), block, ONE);
            game.state_hash = u64::from(block % different);
            assert!(standings.add(0, &game));
        }
        standings
    };
    for (different, said) in
        [(1, "all 20 blocks are the same games again"), (2, "the 20 blocks are 2 different ones")]
    {
        let standings = of(different);
        let [section] = &standings.sections()[..] else { panic!() };
        assert!(section.superior.is_empty() && section.disagreements.is_empty(), "{different}");
        for line in &section.lines {
            assert_eq!((line.rating.interval, line.score.unwrap().interval), (None, None), "{different}");
        }
        let text = standings.render();
        assert!(text.contains(&format!("warning: {said}")) && !text.contains("likelihood"), "{text}");
        assert!(standings.to_json()["sections"][0]["warning"].as_str().unwrap().starts_with(said));
    }
    // Where most blocks differ, they are evidence, and the others are counted.
    let text = of(15).render();
    assert!(text.contains("5 of the 20 blocks are the same games as an earlier one"), "{text}");
    assert!(text.contains("likelihood of superiority"), "{text}");
}

#[test]
fn a_table_is_followed_by_the_pairs_of_which_score_and_rating_say_the_opposite() {
    let names = vec!["bold".into(), "steady".into()];
    let mut standings = Standings::new(names, vec!["v".into()], Counted::EverySeat, Score::Solo);
    let bots = ["bold", "steady", "steady", "steady", "steady", "steady", "steady"];
    for block in 0..10 {
        // Of four games, `bold` wins one and is the first to be eliminated in the others, which are drawn.
        let game = match block % 4 {
            0 => solo(34, 0, [18, 3, 3, 3, 3, 2, 2], [0; 7]),
            _ => draw(34, [0, 6, 6, 6, 6, 5, 5], [1903, 0, 0, 0, 0, 0, 0]),
        };
        assert!(standings.add(0, &seated(game, block, bots)));
    }
    let text = standings.render();
    let said = "disagreement: the rating puts steady before bold";
    assert!(text.contains(said) && text.contains("solo and solos put bold before steady"), "{text}");
    assert!(text.contains("why: the rating counts every place of a finishing order"), "{text}");
}
