//! The rows of games that sweeps and line-ups of `upheaval run` play, shuffled or not.

use std::path::Path;

use crate::program::played;
use upheaval::ids::{Power, PowerNames};
use upheaval::record::GameRow;
use upheaval::record::reader::games;

/// The games of an arm of a run.
fn rows(run: &Path, arm: &str) -> Vec<GameRow> {
    let part = |table| run.join(format!("{table}/variant={arm}/part-00000.parquet"));
    games(&*part("games"), &*part("seats"), &PowerNames::standard()).unwrap()
}

const HEAD: &str =
    "name = \"swept\"\nvariants = [\"standard\", \"black-hole\"]\nseed = 1\nlast_year = 1902\ngames = ";

#[test]
fn an_arm_with_the_variants_own_value_is_the_variant() {
    let plain = format!("{HEAD}7\nseats.all = \"random\"\n");
    let swept = format!("{plain}[[sweep]]\nparameter = \"changes.holes.count\"\nvalues = [1, 3]\n");
    let [(_plain, plain), (_swept, swept)] = [played(&plain), played(&swept)];
    let variant = rows(&plain, "black-hole");
    let [one, three] = ["1", "3"].map(|value| rows(&swept, &format!("black-hole.count-{value}")));
    assert_eq!(one, variant);
    let holes = |rows: &[GameRow]| rows.iter().map(|row| row.holes).max();
    assert_eq!(holes(&three), holes(&variant).map(|n| 3 * n));
}

#[test]
fn line_ups_in_fixed_seats_are_played_under_the_same_catastrophes() {
    let (_dir, run) = played(
        "name = \"fixed\"\nvariants = [\"black-hole\"]\ngames = 12\nseed = 1\nlast_year = 1903\n[seats]\nrotate = \
         false\nlineups = [[\"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"], [\"hold\", \
         \"greedy\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]]\n",
    );
    let games = rows(&run, "black-hole");
    let facts: Vec<_> = games.iter().map(|row| (row.block, row.line_up, row.rotation)).collect();
    assert_eq!(facts[..4], [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)]);
    for pair in games.chunks(2) {
        for power in PowerNames::standard().powers() {
            let bots = pair.iter().map(|row| &*row.seats[power].bot).collect::<Vec<_>>();
            assert_eq!(bots, ["hold", if power == Power::ENGLAND { "greedy" } else { "hold" }], "{power:?}");
        }
        assert_eq!(pair[0].holes, pair[1].holes, "a hole opens each season in both");
    }
}

#[test]
fn several_line_ups_are_played_in_every_block() {
    let seven = |first: &str| format!("[\"{first}\"{}]", ", \"hold\"".repeat(6));
    let (_dir, run) =
        played(&format!("{HEAD}28\nseats.lineups = [{}, {}]\n", seven("random"), seven("greedy")));
    for row in rows(&run, "standard") {
        assert_eq!((row.block, u32::from(row.line_up)), (row.game / 14, row.game / 7 % 2));
    }
}

#[test]
fn the_order_of_a_line_up_is_drawn_for_each_block_and_moves_on_within_it() {
    let (_dir, run) = played(
        "name = \"shuffled\"\nvariants = [\"standard\", \"black-hole\"]\ngames = 259\nseed = 1\nlast_year = 1901\n[seats]\n\
         lineup = [\"random\", \"dumbbot\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]\nshuffle = true\n",
    );
    let bots = |row: &GameRow| row.seats.iter().map(|(_, seat)| seat.bot.to_string()).collect::<Vec<_>>();
    let [one, other] = ["standard", "black-hole"].map(|arm| rows(&run, arm));
    let mut apart = [0; 7];
    for (block, other) in one.chunks(7).zip(other.chunks(7)) {
        let order = bots(&block[0]);
        let place = |bot: &str| order.iter().position(|seated| seated == bot).unwrap();
        apart[(place("dumbbot") + 7 - place("random")) % 7] += 1;
        for (by, (row, other)) in block.iter().zip(other).enumerate() {
            let moved_on: Vec<String> = (0..7).map(|seat| order[(seat + by) % 7].clone()).collect();
            assert_eq!(bots(row), moved_on, "block {}", row.block);
            assert_eq!(bots(other), moved_on, "the arms are paired");
        }
    }
    assert!(apart[0] == 0 && apart[1..].iter().all(|blocks| *blocks > 0), "all distances occur: {apart:?}");
}
