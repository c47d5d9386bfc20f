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
    let single = check(&text.replace(&format!(", {}", lists[1]), "")).unwrap();
    assert_eq!(*single.resolved.seating(), Seating::Fixed(england), "one of one is one");
}

#[test]
fn every_block_plays_all_of_several_line_ups() {
    let seven = |first: &str| format!("[\"{first}\"{}]", ", \"greedy\"".repeat(6));
    let seats = |lists: &[String]| format!("{GOOD}[seats]\nlineups = [{}]\n", lists.join(", "));
    let both = [seven("greedy"), seven("random")];
    let e = check(&seats(&both)).unwrap();
    let list = vec![vec![0; 7], vec![1, 0, 0, 0, 0, 0, 0]];
    let (deal, order) = (LineUpSchedule::EveryBlock, SeatOrder::Listed);
    assert_eq!(*e.resolved.seating(), Seating::Rotated(LineUps { list, deal, order }));
    assert_eq!(e.resolved.seating().block(), 14);
    let again = ResolvedExperiment::read(&e.resolved.canonical().text).unwrap();
    assert_eq!(again.seating(), e.resolved.seating(), "it is read as it was written");
    let one = check(&seats(&both[1..])).unwrap();
    let lineup = check(&format!("{GOOD}[seats]\nlineup = {}\n", both[1])).unwrap();
    assert_eq!(one.resolved.canonical(), lineup.resolved.canonical(), "one of one is one");
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
    let kept = |text: &str| serde_json::from_str::<Value>(text).unwrap()["seats"]["shuffle"].clone();
    assert_eq!([kept(&listed.text), kept(&shuffled.text)], [json!(null), json!(true)]);
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
