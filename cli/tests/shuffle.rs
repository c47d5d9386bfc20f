//! `seats.shuffle`: the tables say who sat where.

use std::path::Path;

use upheaval::ids::PowerNames;
use upheaval::record::{GameRow, reader};

use crate::program::played;

fn games(run: &Path, arm: &str) -> Vec<GameRow> {
    let part = |table: &str| run.join(format!("{table}/variant={arm}/part-00000.parquet"));
    reader::games(&part("games"), &part("seats"), &PowerNames::standard()).unwrap()
}

#[test]
fn the_order_of_a_line_up_is_drawn_for_each_block_and_moves_on_within_it() {
    let (_dir, run) = played(
        "name = \"shuffled\"\nvariants = [\"standard\", \"black-hole\"]\ngames = 259\nseed = 1\nlast_year = 1901\n[seats]\n\
         lineup = [\"random\", \"dumbbot\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]\nshuffle = true\n",
    );
    let bots = |row: &GameRow| row.seats.iter().map(|(_, seat)| seat.bot.to_string()).collect::<Vec<_>>();
    let [one, other] = ["standard", "black-hole"].map(|arm| games(&run, arm));
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
