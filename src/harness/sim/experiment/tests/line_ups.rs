//! Line-ups: rotated or in fixed seats, one or several.

use super::*;
use crate::sim::{ResolvedExperiment, Schedule};

#[test]
fn games_of_a_line_up_come_in_whole_blocks() {
    let seats = |rotate: &str| {
        let bots = "\"greedy\", \"random\", \"greedy\", \"greedy\", \"greedy\", \"greedy\", \"greedy\"";
        format!("[seats]\nlineup = [{bots}]\n{rotate}")
    };
    let e = check(&format!("{GOOD}{}", seats(""))).unwrap();
    assert_eq!(e.seating, Seating::Rotated(vec![0, 1, 0, 0, 0, 0, 0].into()));
    let e = check(&format!("{GOOD}{}", seats("rotate = false"))).unwrap();
    assert_eq!(
        e.seating,
        Seating::Fixed(ByPower::from_fn(Powers::STANDARD, |power| usize::from(power == Power::ENGLAND)))
    );
    let text = format!("{}{}", GOOD.replace("14", "15"), seats("rotate = true"));
    assert_eq!(
        fault(&text),
        "e.toml:3:9: 15 games are not a whole number of blocks: a line-up has 7 rotations; take 14 or 21"
    );
    let five = Overrides { games: Some(5), ..Overrides::default() };
    assert_eq!(
        check_with(&text, &five).unwrap_err().to_string(),
        "games: 5 games are not a whole number of blocks: a line-up has 7 rotations; take 7"
    );
}

#[test]
fn several_line_ups_in_fixed_seats_play_a_game_of_each_block() {
    let one = |place: usize| {
        (0..7).map(|i| if i == place { "\"random\"" } else { "\"greedy\"" }).collect::<Vec<_>>()
    };
    let lists: Vec<String> = [1, 6].map(|place| format!("[{}]", one(place).join(", "))).into();
    let text = format!("{GOOD}[seats]\nlineups = [{}]\nrotate = false\n", lists.join(", "));
    let e = check(&text).unwrap();
    let seats = |of: Power| ByPower::from_fn(Powers::STANDARD, |power| usize::from(power == of));
    let list = [Power::ENGLAND, Power::TURKEY].map(seats);
    // The first bot that is named is the first of the list.
    assert_eq!(e.seating, Seating::FixedLineUps(list.to_vec()));
    assert_eq!((e.seating.block(), e.seating.rotations()), (2, 1));
    let resolved = ResolvedExperiment::read(&e.canonical().text).unwrap();
    assert_eq!(*resolved.seating(), e.seating, "it is read as it was written");
    let games: Vec<_> = (0..4).map(|game| Schedule::new(&e).game(0, game)).collect();
    let facts = games.iter().map(|game| (game.block, game.line_up, game.rotation, game.seats.clone()));
    let [england, turkey] = list;
    let expected = [(0, 0, &england), (0, 1, &turkey), (1, 0, &england), (1, 1, &turkey)];
    assert!(facts.eq(expected.map(|(block, line_up, seats)| (block, line_up, 0, seats.clone()))));
    assert_eq!(games[0].nature().block, games[1].nature().block, "both meet the same catastrophes");
    assert_eq!(
        fault(&text.replace("games = 14", "games = 13")),
        "e.toml:3:9: 13 games are not a whole number of blocks: each of 2 line-ups plays a game; take 12 or 14"
    );
    let single = check(&text.replace(&format!(", {}", lists[1]), "")).unwrap();
    assert_eq!(single.seating, Seating::Fixed(england), "one of one is one");
}

#[test]
fn every_block_plays_all_of_several_line_ups() {
    let seven = |first: &str| format!("[\"{first}\"{}]", ", \"greedy\"".repeat(6));
    let seats =
        |lists: &[String], more: &str| format!("{GOOD}[seats]\nlineups = [{}]\n{more}", lists.join(", "));
    let both = [seven("greedy"), seven("random")];
    let e = check(&seats(&both, "")).unwrap();
    let list = vec![vec![0; 7], vec![1, 0, 0, 0, 0, 0, 0]];
    assert_eq!(e.seating, Seating::Rotated(LineUps { list, deal: Deal::EveryBlock }));
    assert_eq!(e.seating.block(), 14);
    assert!(e.canonical().text.contains("\"each_block\": \"all\""));
    let one = check(&seats(&both[1..], "")).unwrap();
    let lineup = check(&format!("{GOOD}[seats]\nlineup = {}\n", both[1])).unwrap();
    assert_eq!(one.canonical(), lineup.canonical(), "one of one is one");
    let cases = [
        (seats(&[], ""), "e.toml:7:1: `seats.lineups` must have 1 to 1000 line-ups, not 0"),
        (
            seats(&["[\"greedy\"]".to_owned()], ""),
            "e.toml:7:12: `seats.lineups` must name 7 bots, one for each power, not 1",
        ),
        (
            seats(&["\"greedy\"".to_owned()], ""),
            "e.toml:7:12: `seats.lineups` must be a list of lists of texts in quotes",
        ),
        (seats(&[seven("greedy"), seven("greedy")], ""), "e.toml:7:84: this line-up is listed twice"),
        (seats(&both, "all = \"greedy\"\n"), "e.toml:7:1: `seats` has both all and lineups"),
        (
            seats(&both, "").replace("games = 14", "games = 7"),
            "e.toml:3:9: 7 games are not a whole number of blocks: 2 line-ups in 7 rotations are 14 games; take 14",
        ),
    ];
    for (text, expected) in cases {
        let error = fault(&text);
        assert!(error.starts_with(expected), "\nexpected {expected}\n     got {error}");
    }
}
