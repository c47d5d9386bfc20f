//! The order in which the powers of a recorded game finished, as [`upheaval_engine::rules::finish`] defines it.

use upheaval_engine::rules::finish;
use upheaval_harness::record::GameRow;
use upheaval_map::ids::ByPower;

/// Each power's place, from 1; tied powers share the first of their places, as in 1, 2, 2, 4.
pub fn places(game: &GameRow) -> ByPower<u8> {
    finish::places(&ByPower::from_fn(game.seats.powers(), |power| game.seats[power].finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::tests::{draw, solo};
    use upheaval_harness::record::SeatOutcome;

    #[test]
    fn the_winner_then_those_who_stand_then_the_fallen() {
        assert_eq!(
            places(&draw(34, [9, 4, 0, 9, 12, 0, 0], [0, 0, 1904, 0, 0, 1907, 1904])).values(),
            [2, 4, 6, 2, 1, 5, 6]
        );
        // A winner may have fewer centres than another, and a power without a centre may not be eliminated yet.
        let mut game = solo(34, 1, [5, 4, 6, 0, 0, 0, 0], [0, 0, 0, 1902, 1902, 1903, 0]);
        assert_eq!(places(&game).values(), [3, 1, 2, 6, 6, 5, 4]);
        game.seats[upheaval_map::ids::Power::AUSTRIA].centres = 6;
        assert_eq!(places(&game).values(), [2, 1, 2, 6, 6, 5, 4]);
        game.seats[upheaval_map::ids::Power::AUSTRIA].outcome = SeatOutcome::Forfeited;
        assert_eq!(places(&game).values(), [7, 1, 2, 5, 5, 4, 3]);
    }
}
