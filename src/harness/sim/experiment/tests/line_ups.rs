//! Line-ups: rotated or in fixed seats, one or several.

use super::*;
use crate::sim::mock;
use crate::sim::seating::{LineUpSchedule, LineUps, SeatOrder};
use crate::sim::{ResolvedExperiment, Schedule};

#[test]
fn games_of_a_line_up_come_in_whole_blocks() {
    let seats = |rotate: &str| {
        let bots = "\"greedy\", \"random\", \"greedy\", \"greedy\", \"greedy\", \"greedy\", \"greedy\"";
        format!("[seats]\nlineup = [{bots}]\n{rotate}")
    };
    let e = check(&format!("{GOOD}{}", seats(""))).unwrap();
    assert_eq!(*e.resolved.seating(), Seating::Rotated(vec![0, 1, 0, 0, 0, 0, 0].into()));
    let e = check(&format!("{GOOD}{}", seats("rotate = false"))).unwrap();
    assert_eq!(
        *e.resolved.seating(),
        Seating::Fixed(ByPower::from_fn(Powers::STANDARD, |power| usize::from(power == Power::ENGLAND)))
    );
    let text = format!("{}{}", GOOD.replace("14", "15"), seats("rotate = true"));
    assert_eq!(
        fault(&text),
        "e.toml:3:9: 15 games are not a whole number of blocks: a line-up has 7 rotations; use 14 or 21"
    );
    let five = Overrides { games: Some(5), ..Overrides::default() };
    assert_eq!(
        check_with(&text, &five).unwrap_err().to_string(),
        "games: 5 games are not a whole number of blocks: a line-up has 7 rotations; use 7"
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
    assert_eq!(*e.resolved.seating(), Seating::FixedLineUps(list.to_vec()));
    assert_eq!((e.resolved.seating().block(), e.resolved.seating().rotations()), (2, 1));
    let resolved = ResolvedExperiment::read(&e.resolved.canonical().text).unwrap();
    assert_eq!(resolved.seating(), e.resolved.seating(), "it is read as it was written");
    let games: Vec<_> = (0..4).map(|game| e.schedule().game(0, game)).collect();
    let facts = games.iter().map(|game| (game.block, game.line_up, game.rotation, game.seats.clone()));
    let [england, turkey] = list;
    let expected = [(0, 0, &england), (0, 1, &turkey), (1, 0, &england), (1, 1, &turkey)];
    assert!(facts.eq(expected.map(|(block, line_up, seats)| (block, line_up, 0, seats.clone()))));
    assert_eq!(games[0].nature().block, games[1].nature().block, "both meet the same catastrophes");
    assert_eq!(
        fault(&text.replace("games = 14", "games = 13")),
        "e.toml:3:9: 13 games are not a whole number of blocks: each of 2 line-ups plays a game; use 12 or 14"
    );
    let single = check(&text.replace(&format!(", {}", lists[1]), "")).unwrap();
    assert_eq!(*single.resolved.seating(), Seating::Fixed(england), "one of one is one");
}

#[test]
fn every_block_plays_all_of_several_line_ups() {
    let seven = |first: &str| format!("[\"{first}\"{}]", ", \"greedy\"".repeat(6));
    let seats =
        |lists: &[String], more: &str| format!("{GOOD}[seats]\nlineups = [{}]\n{more}", lists.join(", "));
    let both = [seven("greedy"), seven("random")];
    let e = check(&seats(&both, "")).unwrap();
    let list = vec![vec![0; 7], vec![1, 0, 0, 0, 0, 0, 0]];
    let (deal, order) = (LineUpSchedule::EveryBlock, SeatOrder::Listed);
    assert_eq!(*e.resolved.seating(), Seating::Rotated(LineUps { list, deal, order }));
    assert_eq!(e.resolved.seating().block(), 14);
    assert!(e.resolved.canonical().text.contains("\"each_block\": \"all\""));
    let one = check(&seats(&both[1..], "")).unwrap();
    let lineup = check(&format!("{GOOD}[seats]\nlineup = {}\n", both[1])).unwrap();
    assert_eq!(one.resolved.canonical(), lineup.resolved.canonical(), "one of one is one");
    let cases = [
        (seats(&[], ""), "e.toml:7:11: `seats.lineups` must have 1 to 1000 line-ups, not 0"),
        (
            seats(&["[\"greedy\"]".to_owned()], ""),
            "e.toml:7:12: `seats.lineups` must name 7 bots, one for each power, not 1",
        ),
        (
            seats(&["\"greedy\"".to_owned()], ""),
            "e.toml:7:12: each of `seats.lineups` must be a list, not \"greedy\"",
        ),
        (seats(&[seven("greedy"), seven("greedy")], ""), "e.toml:7:84: this line-up is listed twice"),
        (seats(&both, "all = \"greedy\"\n"), "e.toml:7:11: `seats` has both all and lineups"),
        (
            seats(&both, "").replace("games = 14", "games = 7"),
            "e.toml:3:9: 7 games are not a whole number of blocks: 2 line-ups in 7 rotations are 14 games; use 14",
        ),
    ];
    for (text, expected) in cases {
        let error = fault(&text);
        assert!(error.starts_with(expected), "\nexpected {expected}\n     got {error}");
    }
}

/// Seven different bots.
const SEVEN: &str = "lineup = [\"greedy\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\"]\n";

fn seven(games: u32, seats: &str) -> String {
    let kinds: Vec<String> =
        ["b", "c", "d", "e", "f", "g"].map(|name| format!("[bots.{name}]\nkind = \"greedy\"\n")).into();
    format!("{}[seats]\n{seats}{}", GOOD.replace("14", &games.to_string()), kinds.concat())
}

#[test]
fn the_order_of_the_seats_is_drawn_for_each_block() {
    const BLOCKS: u32 = 2000;
    let shuffled = check(&seven(BLOCKS * 7, &format!("{SEVEN}shuffle = true\n"))).unwrap();
    let schedule = shuffled.schedule();
    // By bot: how often it begins, and how often each other bot is its neighbour on the right.
    let (mut first, mut beside) = ([0u32; 7], [[0u32; 7]; 7]);
    let mut orders = std::collections::BTreeSet::new();
    for block in 0..BLOCKS {
        let games: Vec<_> = (0..7).map(|rotation| schedule.game(0, block * 7 + rotation)).collect();
        let order = games[0].seats.values().to_vec();
        for (by, game) in games.iter().enumerate() {
            assert_eq!((game.block, usize::from(game.rotation)), (block, by));
            let other_arm = schedule.game(1, game.game);
            assert_eq!((&game.seats, &game.names), (&other_arm.seats, &other_arm.names), "arms are paired");
            for power in Powers::STANDARD {
                assert_eq!(game.seats[power], order[(power.index() + by) % 7], "it moves on by a seat");
                assert_eq!(*game.names[power], *shuffled.resolved.bots[game.seats[power]].name);
            }
        }
        first[order[0]] += 1;
        (0..7).for_each(|seat| beside[order[seat]][order[(seat + 1) % 7]] += 1);
        orders.insert(order);
    }
    // 2000 of 5040 orders: 1652 different ones are expected, with a standard deviation of about 14.
    assert!((1580..1720).contains(&orders.len()), "{}", orders.len());
    // Five standard deviations of a binomial count: of a seventh, and of a sixth.
    assert!(first.iter().all(|n| n.abs_diff(BLOCKS / 7) < 78), "{first:?}");
    for (bot, counts) in beside.iter().enumerate() {
        let others = counts.iter().enumerate().filter(|(other, _)| *other != bot);
        assert!(others.map(|(_, n)| n).all(|n| n.abs_diff(BLOCKS / 6) < 84), "{bot}: {counts:?}");
    }
}

#[test]
fn an_order_depends_on_seed_and_block_alone() {
    let order = |experiment: &Experiment, game| experiment.schedule().game(0, game).names.values().to_vec();
    let one = check(&seven(70, &format!("{SEVEN}shuffle = true\n"))).unwrap();
    let more = mock::with(&one, |resolved| resolved.games = 700);
    let other_seed = mock::with(&one, |resolved| resolved.seed += 1);
    let listed = check(&seven(70, SEVEN)).unwrap();
    for block in 0..10 {
        assert_eq!(order(&one, block * 7), order(&more, block * 7), "not on the number of games");
    }
    assert!((0..10).any(|block| order(&one, block * 7) != order(&other_seed, block * 7)));
    assert!((0..10).all(|block| order(&listed, block * 7) == order(&listed, 0)), "as listed in every block");
    // Several line-ups of a block are shuffled alike, so that what differs between them is in the same seats.
    let lists = "lineups = [[\"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"greedy\"], [\"c\", \"c\", \"d\", \"e\", \"f\", \"g\", \"greedy\"]]\n";
    let two = check(&seven(140, &format!("{lists}shuffle = true\n"))).unwrap();
    for game in (0..140).filter(|game| game % 14 < 7) {
        let [one, other] = [order(&two, game), order(&two, game + 7)];
        let differing: Vec<_> = one.iter().zip(&other).filter(|(one, other)| one != other).collect();
        assert!(matches!(differing[..], [(one, other)] if (&**one, &**other) == ("b", "c")), "{game}");
    }
}

#[test]
fn shuffled_seats_are_part_of_the_canonical_form_and_listed_ones_leave_no_trace() {
    let with = |more: &str| check(&seven(14, &format!("{SEVEN}{more}"))).unwrap();
    let (listed, shuffled) = (with("").resolved.canonical(), with("shuffle = true\n").resolved.canonical());
    assert_eq!(with("shuffle = false\n").resolved.canonical(), listed);
    assert_ne!(shuffled.hash, listed.hash);
    assert!(!listed.text.contains("shuffle") && shuffled.text.contains("\"shuffle\": true"));
    for experiment in [with("shuffle = true\n"), with("")] {
        let resolved = ResolvedExperiment::read(&experiment.resolved.canonical().text).unwrap();
        assert_eq!(resolved.seating(), experiment.resolved.seating(), "it is read as it was written");
        assert_eq!(resolved.canonical(), experiment.resolved.canonical());
        let (schedule, again) = (experiment.schedule(), Schedule::new(&resolved, 1024, None));
        assert!((0..14).all(|game| schedule.game(1, game) == again.game(1, game)));
    }
    // One bot everywhere sits alike in every order.
    let all = |more: &str| check(&format!("{GOOD}[seats]\nall = \"greedy\"\n{more}")).unwrap();
    assert_eq!(all("shuffle = true\n").resolved.canonical(), all("").resolved.canonical());
}

#[test]
fn seats_that_are_fixed_are_not_shuffled() {
    let each: String = PowerNames::standard().iter().map(|power| format!("{power} = \"greedy\"\n")).collect();
    let twice = "lineups = [[\"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"greedy\"], [\"c\", \"b\", \"d\", \"e\", \"f\", \"g\", \"greedy\"]]\n";
    check(&seven(14, twice)).unwrap();
    for (text, expected) in [
        (
            seven(14, &format!("{SEVEN}rotate = false\nshuffle = true\n")),
            "e.toml:9:11: `seats.shuffle` and `rotate = false` exclude each other: the bots of a line-up that rotates \
             are shuffled, these keep their seats; remove one",
        ),
        (
            seven(14, &format!("{each}shuffle = true\n")),
            "e.toml:14:11: `seats.shuffle` and a bot for each power exclude each other",
        ),
        (
            seven(14, &format!("{SEVEN}shuffle = 3\n")),
            "e.toml:8:11: `seats.shuffle` must be true or false, not 3",
        ),
        (
            seven(14, &format!("{twice}shuffle = true\n")),
            "e.toml:7:54: this line-up is listed twice, in an order that does not matter if shuffled; list each once",
        ),
    ] {
        let error = fault(&text);
        assert!(error.starts_with(expected), "\nexpected {expected}\n     got {error}");
    }
}
