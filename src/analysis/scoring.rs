//! Scores of games, computed from what is stored about them.
//!
//! Each system is as published, with the 34 centres of the standard board replaced by those that the map still has at
//! the end ("extant") and the seven players by the powers of the game (Tribute's 66 and 6 refer to these numbers and
//! are scaled with them). docs/tournaments.md says the same for readers. A game without a sole winner is scored as a
//! draw of the powers whose outcome says so, a deserted game as a draw of no powers.

use upheaval_engine::rules::victory;
use upheaval_harness::record::{GameEnd, GameRow, SeatOutcome};
use upheaval_map::ids::{ByPower, Power, Powers};

upheaval_map::named! {
    /// A scoring system.
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Score {
        /// 1 for a solo.
        Solo = "solo",
        /// A. B. Calhamer's point count: a win is 1, a draw of n is 1/n each.
        DrawSize = "draw-size",
        /// The share of the centres in percent, 100 for a solo.
        CentreCount = "centre-count",
        /// The share of the squared centres in percent, 100 for a solo.
        SumOfSquares = "sum-of-squares",
        /// C-Diplo 100, by Bruno-André Giraudon (1992).
        CDiplo = "c-diplo",
        /// Carnage: places, then centres.
        Carnage = "carnage",
        /// Tribute, by Brandon Fogel (2020).
        Tribute = "tribute",
    }
}

/// The points of C-Diplo for the first three places.
const PODIUM: [f64; 3] = [38.0, 14.0, 7.0];
/// The points of Carnage for the last place; each place above is worth this many more.
const PLACE: f64 = 1000.0;
/// The centres and powers of the standard board, which Tribute's numbers refer to.
const STANDARD: (f64, f64) = (34.0, 7.0);
/// The points that Tribute shares among the powers in a draw on the standard board: with its centres they add up to
/// 100.
const SURVIVAL: f64 = 66.0;
/// Up to this number of centres Tribute's first power is paid nothing on the standard board.
const FREE_OF_TRIBUTE: f64 = 6.0;

impl Score {
    /// The system with this name.
    pub fn named(name: &str) -> Option<Score> {
        Score::ALL.into_iter().find(|score| score.name() == name)
    }

    /// How many of its decimal places are meaningful.
    pub const fn decimals(self) -> usize {
        match self {
            Score::Solo | Score::DrawSize => 3,
            Score::CentreCount | Score::SumOfSquares | Score::CDiplo | Score::Tribute => 2,
            Score::Carnage => 0,
        }
    }

    /// The total that the system gives to all powers in a game in which no power forfeits.
    pub(crate) fn total(self, game: &GameRow) -> f64 {
        let solo = game.winner.is_some();
        let (extant, powers) = (f64::from(game.extant_centres), game.seats.powers().len());
        let owned: f64 = game.seats.iter().map(|(_, seat)| f64::from(seat.centres)).sum();
        let centres = if solo { extant } else { owned };
        match self {
            Score::Solo => f64::from(u8::from(solo)),
            Score::DrawSize => f64::from(u8::from(matches!(game.end, GameEnd::Solo | GameEnd::Draw))),
            Score::CentreCount if solo => 100.0,
            Score::CentreCount if extant > 0.0 => 100.0 * owned / extant,
            Score::CentreCount => 0.0,
            Score::SumOfSquares => 100.0 * f64::from(u8::from(solo || owned > 0.0)),
            Score::CDiplo | Score::Carnage => self.for_places(powers) + centres,
            Score::Tribute if solo || game.end == GameEnd::Draw => survival(game) + centres,
            Score::Tribute => centres,
        }
    }

    /// The most that the system can give to all powers together in a game on the board of this one.
    pub(crate) fn most(self, game: &GameRow) -> f64 {
        let centres = f64::from(game.board_centres);
        match self {
            Score::Solo | Score::DrawSize => 1.0,
            Score::CentreCount | Score::SumOfSquares => 100.0,
            Score::CDiplo | Score::Carnage => self.for_places(game.seats.powers().len()) + centres,
            Score::Tribute => survival(game) + centres,
        }
    }

    /// The points of all places together, without those for centres.
    fn for_places(self, powers: usize) -> f64 {
        match self {
            Score::CDiplo => powers as f64 + PODIUM.iter().take(powers).sum::<f64>(),
            Score::Carnage => (1..=powers).map(|place| PLACE * place as f64).sum(),
            _ => 0.0,
        }
    }

    /// The points of each power in a game.
    pub fn points(self, game: &GameRow) -> ByPower<f64> {
        let powers = game.seats.powers();
        if let Some(winner) = game.winner {
            // Every system gives all points to a soloist.
            let all = self.total(game);
            return ByPower::from_fn(powers, |power| if power == winner { all } else { 0.0 });
        }
        // A power that forfeits gets nothing, and its centres belong to nobody.
        let forfeited = |power: Power| game.seats[power].outcome == SeatOutcome::Forfeited;
        let centres =
            |power: Power| if forfeited(power) { 0.0 } else { f64::from(game.seats[power].centres) };
        let draws = |power: Power| game.seats[power].outcome == SeatOutcome::Drew;
        // For playing, for centres and for the place.
        let placed = |playing: f64, bonus: &ByPower<f64>| {
            let of = |power: Power| playing + centres(power) + bonus[power];
            ByPower::from_fn(powers, |power| if forfeited(power) { 0.0 } else { of(power) })
        };
        let share = |whole: f64, of: f64| if whole > 0.0 { 100.0 * of / whole } else { 0.0 };
        match self {
            Score::Solo => ByPower::from_fn(powers, |_| 0.0),
            // Calhamer's own rule for tournaments: diplomaticon.com, "Discussing various scoring systems" (2021).
            Score::DrawSize => {
                let sharers = powers.iter().filter(|&power| draws(power)).count();
                ByPower::from_fn(powers, |power| if draws(power) { 1.0 / sharers as f64 } else { 0.0 })
            }
            // theembassydip.blogspot.com, "Tournament Scoring, part 4: Supply Centre Scoring" (2020): 12 of 34 centres
            // score 35.29 points.
            Score::CentreCount => {
                ByPower::from_fn(powers, |p| share(f64::from(game.extant_centres), centres(p)))
            }
            // The same page: the squares of the centres, as percentages of their sum.
            Score::SumOfSquares => {
                let whole = powers.iter().map(|power| centres(power).powi(2)).sum();
                ByPower::from_fn(powers, |power| share(whole, centres(power).powi(2)))
            }
            // world-diplomacy-database.com, scoring system 5, "C-Diplo 100": 1 for playing, 1 a centre, 38, 14 and 7
            // for the first places by centres, shared where they are tied; all points to a soloist.
            Score::CDiplo => {
                let bonus = shared(
                    powers,
                    // A power that forfeits is behind all others.
                    |power| if forfeited(power) { 0 } else { 1 + u32::from(game.seats[power].centres) },
                    |place| PODIUM.get(place).copied().unwrap_or(0.0),
                );
                placed(1.0, &bonus)
            }
            // webdiplomacy.net, forum thread 1325258: 7000, 6000 … 1000 by centres, then by order of elimination,
            // shared where tied; 1 a centre; all 28034 to a soloist.
            Score::Carnage => {
                let places = crate::scoring::places(game);
                let bonus = shared(
                    powers,
                    |power| u32::from(u8::MAX - places[power]),
                    |place| PLACE * (powers.len() - place) as f64,
                );
                placed(0.0, &bonus)
            }
            // windycityweasels.org, "Tribute Scoring System", and world-diplomacy-wiki.fandom.com of the same name: 1 a
            // centre; 66 shared by those in the draw, of which each pays the first 1 for every centre it has above 6,
            // at most all it has; tied firsts split the payments.
            Score::Tribute => tribute(game, centres, draws),
        }
    }
}

/// The points that Tribute shares among the powers in a draw: the same part of the board's centres as 66 of 34.
fn survival(game: &GameRow) -> f64 {
    SURVIVAL * f64::from(game.board_centres) / STANDARD.0
}

/// The points of each power for its place: the greatest `by` has place 0, and tied powers share the points of the
/// places that they take.
fn shared(powers: Powers, by: impl Fn(Power) -> u32, worth: impl Fn(usize) -> f64) -> ByPower<f64> {
    ByPower::from_fn(powers, |power| {
        let count = |fits: &dyn Fn(u32) -> bool| powers.iter().filter(|&p| fits(by(p))).count();
        let (before, tied) = (count(&|other| other > by(power)), count(&|other| other == by(power)));
        (before..before + tied).map(&worth).sum::<f64>() / tied as f64
    })
}

fn tribute(game: &GameRow, centres: impl Fn(Power) -> f64, draws: impl Fn(Power) -> bool) -> ByPower<f64> {
    let powers = game.seats.powers();
    let within = || powers.iter().filter(|&power| draws(power));
    let most = within().map(|power| game.seats[power].centres).max().unwrap_or(0);
    let first = |power: Power| draws(power) && game.seats[power].centres == most;
    let (sharers, firsts) = (within().count(), within().filter(|&power| first(power)).count());
    let survival = survival(game) / sharers.max(1) as f64;
    // In the same proportion to a power's share of the board's centres as 6 to a seventh of 34.
    let share = f64::from(game.board_centres) / powers.len() as f64;
    let free = (FREE_OF_TRIBUTE * share / (STANDARD.0 / STANDARD.1)).round();
    let paid = (f64::from(most) - free).clamp(0.0, survival);
    let got = paid * (sharers - firsts) as f64 / firsts.max(1) as f64;
    ByPower::from_fn(powers, |power| match (draws(power), first(power)) {
        (false, _) => centres(power),
        (true, true) => centres(power) + survival + got,
        (true, false) => centres(power) + survival - paid,
    })
}

// The order in which the powers of a recorded game finished, as [`upheaval_engine::rules::victory`] defines it.

/// Each power's place, from 1; tied powers share the first of their places, as in 1, 2, 2, 4.
pub fn places(game: &GameRow) -> ByPower<u8> {
    victory::places(&ByPower::from_fn(game.seats.powers(), |power| game.seats[power].finish()))
}

#[cfg(test)]
mod finish_tests {
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use upheaval_harness::sim::mock;
    use upheaval_map::ids::PowerNames;

    /// A drawn game with these centres; a year says when a power was eliminated.
    pub(crate) fn draw(extant: u16, centres: [u16; 7], out: [u16; 7]) -> GameRow {
        let mut game = mock::game(0).game;
        (game.end, game.winner, game.extant_centres) = (GameEnd::Draw, None, extant);
        for (power, seat) in game.seats.iter_mut() {
            seat.centres = centres[power.index()];
            seat.eliminated_year = Some(out[power.index()]).filter(|&year| year > 0);
            seat.outcome = match seat.eliminated_year {
                Some(_) => SeatOutcome::Eliminated,
                None => SeatOutcome::Drew,
            };
        }
        game.draw_size = out.iter().filter(|&&year| year == 0).count() as u8;
        game
    }

    /// The same, won by this power.
    pub(crate) fn solo(extant: u16, winner: usize, centres: [u16; 7], out: [u16; 7]) -> GameRow {
        let mut game = draw(extant, centres, out);
        (game.end, game.winner, game.draw_size) =
            (GameEnd::Solo, Some(Powers::STANDARD.get(winner).expect("a power")), 0);
        for (power, seat) in game.seats.iter_mut() {
            match (power.index() == winner, seat.outcome) {
                (true, _) => seat.outcome = SeatOutcome::Won,
                (false, SeatOutcome::Drew) => seat.outcome = SeatOutcome::Survived,
                _ => {}
            }
        }
        game
    }

    fn is(score: Score, game: &GameRow, expected: [f64; 7]) {
        let points = score.points(game).values().to_vec();
        let near = points.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.006);
        assert!(near, "{}: {points:?} and not {expected:?}", score.name());
        assert!((points.iter().sum::<f64>() - score.total(game)).abs() < 1e-9, "{}", score.name());
        assert!(score.total(game) <= score.most(game), "{}", score.name());
    }

    #[test]
    fn a_draw_on_the_standard_board() {
        // The example of the page on supply centre scoring: England 12, Russia 9, Turkey 8, Italy 5.
        let game = draw(34, [0, 12, 0, 0, 5, 9, 8], [1903, 0, 1905, 1904, 0, 0, 0]);
        is(Score::Solo, &game, [0.0; 7]);
        is(Score::DrawSize, &game, [0.0, 0.25, 0.0, 0.0, 0.25, 0.25, 0.25]);
        is(Score::CentreCount, &game, [0.0, 35.294, 0.0, 0.0, 14.706, 26.471, 23.529]);
        is(Score::SumOfSquares, &game, [0.0, 45.860, 0.0, 0.0, 7.962, 25.796, 20.382]);
        is(Score::CDiplo, &game, [1.0, 51.0, 1.0, 1.0, 6.0, 24.0, 16.0]);
        is(Score::Carnage, &game, [1000.0, 7012.0, 3000.0, 2000.0, 4005.0, 6009.0, 5008.0]);
        // 66 / 4 = 16.5 each; Russia, Turkey and Italy pay 12 − 6 = 6 each.
        is(Score::Tribute, &game, [0.0, 46.5, 0.0, 0.0, 15.5, 19.5, 18.5]);
    }

    #[test]
    fn ties_share() {
        // The World Diplomacy Database's examples of C-Diplo.
        is(
            Score::CDiplo,
            &draw(34, [4, 0, 9, 7, 7, 3, 4], [0, 1905, 0, 0, 0, 0, 0]),
            [5.0, 1.0, 48.0, 18.5, 18.5, 4.0, 5.0],
        );
        is(Score::CDiplo, &draw(34, [5, 9, 4, 5, 3, 1, 7], [0; 7]), [9.5, 48.0, 5.0, 9.5, 4.0, 2.0, 22.0]);
        // webDiplomacy's example of Carnage: England 8, Russia 8, France 7, Turkey 6, Italy 4, Austria 1, Germany out.
        let game = draw(34, [1, 8, 7, 0, 4, 8, 6], [0, 0, 0, 1906, 0, 0, 0]);
        is(Score::Carnage, &game, [2001.0, 6508.0, 5007.0, 1000.0, 3004.0, 6508.0, 4006.0]);
        // Two firsts of 8: the other four pay 2 each, 4 to each first. 66 / 6 = 11.
        is(Score::Tribute, &game, [10.0, 23.0, 16.0, 0.0, 13.0, 23.0, 15.0]);
    }

    #[test]
    fn who_forfeits_gets_nothing_and_stands_behind_all_others() {
        let mut game = draw(34, [16, 10, 8, 0, 0, 0, 0], [0, 0, 0, 1903, 1903, 1903, 1903]);
        game.seats[Power::AUSTRIA].outcome = SeatOutcome::Forfeited;
        for score in Score::ALL {
            assert_eq!(score.points(&game)[Power::AUSTRIA], 0.0, "{}", score.name());
        }
        assert_eq!(Score::DrawSize.points(&game).values(), [0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0]);
        // 10 and 8 centres in the first two places.
        assert_eq!(Score::CDiplo.points(&game).values()[..3], [0.0, 1.0 + 10.0 + 38.0, 1.0 + 8.0 + 14.0]);
        assert_eq!(Score::Carnage.points(&game).values()[..3], [0.0, 7010.0, 6008.0]);
        let squares = Score::SumOfSquares.points(&game);
        assert!((squares[Power::ENGLAND] - 100.0 * 100.0 / 164.0).abs() < 1e-9);
    }

    #[test]
    fn a_solo_takes_all_that_there_is() {
        let game = solo(34, 5, [0, 3, 6, 4, 0, 18, 3], [1902, 0, 0, 0, 1904, 0, 0]);
        let all = [1.0, 1.0, 100.0, 100.0, 100.0, 28034.0, 100.0];
        let small = solo(25, 5, [0, 3, 3, 3, 0, 13, 3], [1902, 0, 0, 0, 1904, 0, 0]);
        let less = [1.0, 1.0, 100.0, 100.0, 91.0, 28025.0, 91.0];
        for ((score, all), less) in Score::ALL.into_iter().zip(all).zip(less) {
            is(score, &game, [0.0, 0.0, 0.0, 0.0, 0.0, all, 0.0]);
            is(score, &small, [0.0, 0.0, 0.0, 0.0, 0.0, less, 0.0]);
        }
    }

    #[test]
    fn a_map_with_twenty_centres_left_of_which_two_are_nobodys() {
        let game = draw(20, [10, 8, 0, 0, 0, 0, 0], [0, 0, 1904, 1904, 1904, 1905, 1906]);
        is(Score::CentreCount, &game, [50.0, 40.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        is(Score::SumOfSquares, &game, [60.976, 39.024, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // The third place is shared by the five powers without a centre.
        is(Score::CDiplo, &game, [49.0, 23.0, 2.4, 2.4, 2.4, 2.4, 2.4]);
        is(Score::Carnage, &game, [7010.0, 6008.0, 2000.0, 2000.0, 2000.0, 4000.0, 5000.0]);
        is(Score::Tribute, &game, [47.0, 37.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn on_a_board_of_its_own_tributes_numbers_are_of_its_centres_and_powers() {
        let names = PowerNames::of_names(["BLUE", "GREEN", "RED", "WHITE"]).expect("powers");
        let mut game = draw(17, [9, 4, 2, 2, 0, 0, 0], [0; 7]);
        let seat = |power: Power| {
            let of_seven = &game.seats[Power::STANDARD[power.index()]];
            upheaval_harness::record::SeatRow { power, ..of_seven.clone() }
        };
        game.seats = upheaval_harness::record::SeatRows::from_fn(names.powers(), seat);
        game.board_centres = 17;
        // 33 among four are 8.25 each; a first is free up to 6 · (17 / 4) / (34 / 7) = 5.25, rounded to 5: each other
        // pays it 4.
        let points = Score::Tribute.points(&game);
        assert_eq!(points.values(), [9.0 + 8.25 + 12.0, 4.0 + 4.25, 2.0 + 4.25, 2.0 + 4.25]);
        assert_eq!(Score::Tribute.total(&game), 50.0);
        // One for each place, the first three places, and the centres.
        assert_eq!(Score::CDiplo.points(&game).values(), [48.0, 19.0, 6.5, 6.5]);
        assert_eq!(Score::Carnage.points(&game).values(), [4009.0, 3004.0, 1502.0, 1502.0]);
    }

    #[test]
    fn tribute_costs_no_more_than_survival_gives() {
        // 66 / 7 = 9.43 each, and the first has 17 − 6 = 11 centres too many.
        let paid = 66.0 / 7.0;
        let game = draw(34, [17, 3, 3, 3, 3, 3, 2], [0; 7]);
        is(Score::Tribute, &game, [17.0 + 7.0 * paid, 3.0, 3.0, 3.0, 3.0, 3.0, 2.0]);
    }

    #[test]
    fn a_deserted_game_and_one_that_nobody_outlived() {
        let mut game = draw(0, [0; 7], [1903, 1904, 1904, 1904, 1904, 1904, 1905]);
        game.end = GameEnd::Deserted;
        for score in [Score::Solo, Score::DrawSize, Score::CentreCount, Score::SumOfSquares, Score::Tribute] {
            is(score, &game, [0.0; 7]);
        }
        is(Score::Carnage, &game, [1000.0, 4000.0, 4000.0, 4000.0, 4000.0, 4000.0, 7000.0]);
        let shared_by_all = draw(0, [0; 7], [0; 7]);
        is(Score::DrawSize, &shared_by_all, [1.0 / 7.0; 7]);
        is(Score::Tribute, &shared_by_all, [66.0 / 7.0; 7]);
    }

    #[test]
    fn the_scores_of_any_game_sum_to_what_the_system_says() {
        for game in (0..300).map(|i| mock::game(i).game) {
            for score in Score::ALL {
                let sum: f64 = score.points(&game).iter().map(|(_, points)| points).sum();
                assert!((sum - score.total(&game)).abs() < 1e-6, "{}: {sum}, {game:?}", score.name());
            }
        }
        assert!(Score::ALL.into_iter().all(|score| Score::named(score.name()) == Some(score)));
    }
}
