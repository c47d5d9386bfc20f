use super::disagreement_tests::WHY;
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

const LIKELY: &str =
    "likelihood of superiority, %: the bot of the row is stronger than the bot of the column";

#[test]
fn the_same_games_give_the_same_text_on_any_number_of_threads() {
    let standings = standings(Counted::Alone, 2);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| standings.render())
    };
    let text = on(1);
    assert_eq!(text, on(3));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[3].starts_with("lame ") && lines[3].ends_with("0       20       20"), "{text}");
    let alone = "draw-size: the bot of the row in one seat, the bot of the column in all others";
    assert_eq!((lines[4], lines[8]), (LIKELY, alone));
}

/// The only section, and the lines of the text.
fn shown(standings: &Standings) -> (StandingsSection, Vec<String>) {
    (standings.sections().swap_remove(0), standings.render().lines().map(str::to_owned).collect())
}

/// This number of blocks of one game that the first of these bots wins, except for what `change` does.
fn won(blocks: u32, bots: [&str; 7], change: impl Fn(u32, &mut GameRow)) -> Standings {
    let names = vec![bots[0].into(), bots[1].into()];
    let mut standings = Standings::new(names, vec!["v".into()], Counted::EverySeat, Score::Solo);
    for block in 0..blocks {
        let mut game = seated(solo(34, 0, [18, 4, 4, 4, 4, 0, 0], [0; 7]), block, bots);
        change(block, &mut game);
        assert!(standings.add(0, &game));
    }
    standings
}

#[test]
fn one_block_has_no_intervals_and_a_strange_bot_is_refused() {
    let mut standings = won(1, ONE, |_, _| ());
    let strange = ["able", "lame", "lame", "strange", "lame", "lame", "lame"];
    assert!(!standings.add(0, &seated(draw(34, [5; 7], [0; 7]), 4, strange)));
    let [section] = &standings.sections()[..] else { panic!() };
    assert_eq!((section.lines[0].rating.interval, section.superior.len()), (None, 0));
    assert_eq!(standings.render().lines().next(), Some("v: 1 game in 1 block"));
}

#[test]
fn fewer_than_eight_blocks_print_a_warning_in_place_of_likelihoods() {
    let (few, enough) = (won(7, ONE, |_, _| ()), won(8, ONE, |_, _| ()));
    let [of_few, of_enough] = [&few, &enough].map(|standings| standings.to_json()["sections"][0].clone());
    let warning = "too few blocks (7) to decide which bot is stronger; at least 8 are needed";
    assert_eq!((&of_few["superior"], &of_few["warning"]), (&json!([]), &json!(warning)));
    // Eight coins on one side.
    assert_eq!(of_enough["superior"][0][1], 1.0 - 0.5_f64.powi(8));
    assert!(of_enough["warning"].is_null());
    let lines = |standings: &Standings| -> Vec<String> {
        standings.render().lines().skip(4).take(3).map(str::to_owned).collect()
    };
    let [of_few, of_enough] = [&few, &enough].map(lines);
    assert_eq!(of_few[..2], [format!("warning: {warning}"), String::new()]);
    let square = [["", "able", "lame"], ["able", "-", "99.6"]];
    let square = square.map(|[label, a, b]| format!("{label:9}{a:>9}{b:>9}"));
    assert_eq!((&of_enough[0][..], &of_enough[1..]), (LIKELY, &square[..]));
}

/// Two programs without dice on a variant without chance: every block is the same block.
#[test]
fn blocks_that_are_the_same_games_again_have_neither_intervals_nor_likelihoods() {
    let of = |different| shown(&won(20, ONE, |block, game| game.state_hash = u64::from(block) % different));
    for different in [1, 2] {
        let (section, lines) = of(different);
        assert!(section.superior.is_empty() && section.disagreements.is_empty(), "{different}");
        for line in &section.lines {
            assert_eq!((line.rating.interval, line.score.unwrap().interval), (None, None), "{different}");
        }
        assert_eq!(
            (section.repeats.distinct as u64, &section.warning),
            (different, &section.repeats.sentence())
        );
        assert_eq!(lines[4..6], [format!("warning: {}", section.warning.unwrap()), String::new()]);
    }
    // Where most blocks differ, they are evidence, and the others are counted.
    let (section, lines) = of(15);
    assert_eq!(section.warning, section.repeats.sentence());
    assert_eq!(lines[4..6], [format!("warning: {}", section.warning.unwrap()), LIKELY.to_owned()]);
}

#[test]
fn a_table_is_followed_by_the_pairs_of_which_score_and_rating_say_the_opposite() {
    let bots = ["bold", "steady", "steady", "steady", "steady", "steady", "steady"];
    // Of four games, `bold` wins one and is the first to be eliminated in the others, which are drawn.
    let (section, lines) = shown(&won(10, bots, |block, game| {
        if block % 4 > 0 {
            *game = seated(draw(34, [0, 6, 6, 6, 6, 5, 5], [1903, 0, 0, 0, 0, 0, 0]), block, bots);
        }
    }));
    let rows: Vec<_> = section.lines.iter().map(|line| (line.bot.as_str(), line.solos)).collect();
    assert_eq!(rows, [("steady", 0), ("bold", 3)]);
    assert_eq!(section.disagreements, disagreements(&section.lines, Score::Solo, Counted::EverySeat));
    assert_eq!(lines[4..6], section.disagreements);
    assert_eq!(lines[5], format!("{WHY}; solo counts only solos"));
}
