//! One part of a run: its games, each year by year, and the powers that events struck.

use std::collections::BTreeMap;

use crate::balance::effect::{EffectTally, FirstEvents, Query};
use crate::balance::play::{Plays, SeasonPlay as PowerSeason};
use crate::balance::tally::{CellTally, GameYear, Stretch, YearStanding, YearlyGame};
use crate::reading::{DetailTable, GameEvent, GameOfPart, PartTally, PowerTurn, RunPart, RunTally};
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::{EventKind, GameRow, SeatRow};
use upheaval_harness::sim::stored::StoredError;
use upheaval_map::ids::Power;

/// What a part contributes to one line-up.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineUpPart {
    /// Its games.
    pub stretch: Stretch,
    /// The effect of events in them, one tally for each kind analysed.
    pub effects: Vec<EffectTally>,
}

/// The tallies of an arm, one for each line-up of all runs.
pub(crate) struct ArmTally<'a> {
    query: &'a Query,
    pub line_ups: Vec<(CellTally, Vec<EffectTally>)>,
}

impl ArmTally<'_> {
    /// No games yet.
    pub(crate) fn new(query: &Query, line_ups: usize) -> ArmTally<'_> {
        let empty = (CellTally::default(), vec![EffectTally::default(); query.kinds.len()]);
        ArmTally { query, line_ups: vec![empty; line_ups] }
    }
}

impl<'a> RunTally for ArmTally<'a> {
    type Part = ArmPart<'a>;

    fn new_part(&self, part: &RunPart<'_>) -> ArmPart<'a> {
        let (query, arm) = (self.query, part.arm());
        ArmPart {
            query,
            start: arm.start(),
            homes: query.homes_of(arm),
            games: Vec::new(),
            line_ups: vec![
                LineUpPart {
                    effects: vec![EffectTally::default(); query.kinds.len()],
                    ..LineUpPart::default()
                };
                part.line_ups.len()
            ],
        }
    }

    fn add(&mut self, part: &RunPart<'_>, counted: ArmPart<'a>) -> Result<(), StoredError> {
        for ((tally, effects), new) in self.line_ups[part.line_ups.clone()].iter_mut().zip(counted.line_ups) {
            tally.add(new.stretch);
            effects.iter_mut().zip(new.effects).for_each(|(effect, new)| effect.merge(new));
        }
        Ok(())
    }
}

/// The games of a part: each year by year, and the powers that events struck.
pub(crate) struct ArmPart<'a> {
    query: &'a Query,
    start: u16,
    /// The power of each home centre of the arm.
    homes: BTreeMap<String, Power>,
    /// What is known of each game besides its row.
    games: Vec<CountedGame>,
    line_ups: Vec<LineUpPart>,
}

/// What is known of a game besides its row.
struct CountedGame {
    course: YearlyGame,
    plays: Plays,
    struck: FirstEvents,
}

impl PartTally for ArmPart<'_> {
    fn needs(&self) -> Vec<DetailTable> {
        vec![DetailTable::Turns, DetailTable::Events]
    }

    fn games(&mut self, games: &[GameRow]) {
        let new = |game: &GameRow| CountedGame {
            course: YearlyGame::default(),
            plays: Plays::new(game.seats.powers().len()),
            struck: FirstEvents::default(),
        };
        self.games = games.iter().map(new).collect();
    }

    fn turns(&mut self, game: GameOfPart<'_>, rows: &[PowerTurn]) {
        let counted = &mut self.games[game.index];
        for turn in rows {
            let (orders, choices) = (turn.orders, turn.choices);
            counted.plays.season(turn.power, PowerSeason { orders, choices });
        }
        counted.course = course(self.start, game.row, rows);
    }

    fn events(&mut self, game: GameOfPart<'_>, rows: &[GameEvent]) {
        let counted = &mut self.games[game.index];
        for event in rows {
            if let (EventKind::Captured, Some(by)) = (event.kind, event.power) {
                counted.plays.capture(by, event.other);
            }
        }
        if !self.query.kinds.is_empty() {
            counted.struck = self.query.first_events(self.start, &self.homes, rows);
        }
    }

    fn end(&mut self, part: &RunPart<'_>, games: &[GameRow]) -> Result<(), StoredError> {
        for (row, CountedGame { course, plays, struck }) in games.iter().zip(std::mem::take(&mut self.games))
        {
            let Some(line_up) = self.line_ups.get_mut(usize::from(row.line_up)) else {
                let what = format!("has line-up {}, which the experiment does not have", row.line_up);
                return Err(part.damaged("games", what));
            };
            if course.years.is_empty() {
                return Err(part.damaged("turns", format!("lacks the rows of game {}", row.game)));
            }
            line_up.stretch.add(row, &course, (self.start, &plays));
            self.query.tally(self.start, row.block, &course, &struck, &mut line_up.effects);
        }
        Ok(())
    }
}

/// A game year by year. The count of a year is taken after its Fall; for a year without one (a game that starts with a
/// Winter or ends in a Spring), it is taken after the year's last season.
fn course(start: u16, game: &GameRow, rows: &[PowerTurn]) -> YearlyGame {
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

    fn rows(year: u16, season: Season, centres: u8) -> [PowerTurn; 7] {
        let turn =
            |power| PowerTurn { year, season, power, centres, units: 0, orders: [0; 5], choices: None };
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
}
