//! Games year by year: the centres of the powers at the end of each year, whenever the games ended.

use crate::reading::PowerTurn;
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::{GameRow, SeatRow};

/// The state of one power at the end of a year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct YearStanding {
    /// Its centres.
    pub centres: u16,
    /// Does it have a unit or a centre?
    pub in_play: bool,
}

/// A game at the end of a year.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameYear {
    /// The powers in their order.
    pub powers: Vec<YearStanding>,
    /// Was the game still running?
    pub running: bool,
}

/// A game year by year: its final state stands for all later years.
pub(crate) type YearlyGame = Yearly<GameYear>;

/// A value for each year from the start on, and one value that stands for all later years.
///
/// A game that ended in 1908 thus has a value for 1920 although it does not know how long other games last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Yearly<T> {
    /// By year, from the start on.
    pub years: Vec<T>,
    /// In every later year.
    pub after: T,
}

impl<T: Clone> Yearly<T> {
    /// The value in a year, counted from the start.
    pub(crate) fn at(&self, year: usize) -> &T {
        self.years.get(year).unwrap_or(&self.after)
    }

    /// Adds another, year by year.
    pub(crate) fn add<U: Clone>(&mut self, other: &Yearly<U>, mut add: impl FnMut(&mut T, &U)) {
        if self.years.len() < other.years.len() {
            self.years.resize(other.years.len(), self.after.clone());
        }
        self.years.iter_mut().enumerate().for_each(|(year, mine)| add(mine, other.at(year)));
        add(&mut self.after, &other.after);
    }
}

/// A game year by year. The count of a year is taken after its Fall; for a year without one (a game that starts with a
/// Winter or ends in a Spring), it is taken after the year's last season.
pub(crate) fn course(start: u16, game: &GameRow, rows: &[PowerTurn]) -> YearlyGame {
    let mut years: Vec<GameYear> = Vec::new();
    // Has the year had its Fall?
    let mut counted: Option<u16> = None;
    for &PowerTurn { year, season, power, centres, units, .. } in rows {
        if counted == Some(year) && season != Season::Fall {
            continue;
        }
        if season == Season::Fall {
            counted = Some(year);
        }
        let at = usize::from(year.saturating_sub(start));
        if years.len() <= at {
            let blank =
                GameYear { powers: vec![YearStanding::default(); game.seats.rows().len()], running: true };
            let last = years.last().map_or(blank, |last| GameYear { running: true, ..last.clone() });
            years.resize(at + 1, last);
        }
        let standing = YearStanding { centres: u16::from(centres), in_play: centres > 0 || units > 0 };
        years[at].powers[power.index()] = standing;
    }
    let standing =
        |seat: &SeatRow| YearStanding { centres: seat.centres, in_play: seat.centres > 0 || seat.units > 0 };
    let powers = game.seats.rows().iter().map(standing).collect();
    YearlyGame { years, after: GameYear { powers, running: false } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_harness::sim::mock;
    use upheaval_map::ids::Power;

    fn rows(year: u16, season: Season, centres: u8) -> [PowerTurn; 7] {
        let turn = |power| PowerTurn {
            year,
            season,
            power,
            centres,
            units: 0,
            holds: 0,
            moves: 0,
            supports: 0,
            convoys: 0,
            special: 0,
            choices: None,
        };
        Power::STANDARD.map(turn)
    }

    #[test]
    fn the_count_of_a_year_is_that_after_its_fall() {
        let game = mock::game(0).game;
        let all = [
            rows(1900, Season::Winter, 3),
            rows(1901, Season::Spring, 1),
            rows(1901, Season::Fall, 4),
            rows(1901, Season::Winter, 2),
            rows(1902, Season::Spring, 9),
        ]
        .concat();
        let course = course(1900, &game, &all);
        let centres: Vec<u16> = course.years.iter().map(|year| year.powers[2].centres).collect();
        assert_eq!(centres, [3, 4, 9]);
        assert!(course.years.iter().all(|year| year.running) && !course.after.running);
        assert_eq!(course.at(20).powers[2].centres, game.seats[Power::FRANCE].centres);
    }

    #[test]
    fn a_game_that_starts_with_a_winter_has_a_count_of_its_year() {
        let game = mock::game(0).game;
        let all = [rows(1899, Season::Winter, 3), rows(1900, Season::Winter, 5), rows(1901, Season::Fall, 7)]
            .concat();
        let course = course(1899, &game, &all);
        let centres: Vec<u16> = course.years.iter().map(|year| year.powers[0].centres).collect();
        assert_eq!(centres, [3, 5, 7]);
    }

    #[test]
    fn what_ended_goes_on_as_it_ended() {
        let mut all: Yearly<i32> = Yearly::default();
        for (years, after) in [(vec![3, 5], 7), (vec![1, 1, 1, 1], 0), (vec![], 100)] {
            all.add(&Yearly { years, after }, |sum, value| *sum += value);
        }
        assert_eq!(all, Yearly { years: vec![104, 106, 108, 108], after: 107 });
        assert_eq!((*all.at(1), *all.at(9)), (106, 107));
    }
}
