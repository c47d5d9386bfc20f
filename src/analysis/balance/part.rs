//! One part of a run: its games, each year by year, and the powers that events struck.

use super::effect::{EffectTally, Query, Strikes};
use super::play::{Plays, SeasonPlay as PowerSeason};
use super::tally::{GameYear, Stretch, YearStanding, YearlyGame};
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::reader::{by_game, events, games, turns};
use upheaval_harness::record::regular::Readable;
use upheaval_harness::record::{EventKind, GameRow, SeatRow};
use upheaval_harness::sim::stored::{ManifestPart, StoredError, StoredRun};
use upheaval_map::ids::Power;

/// What a part contributes to one line-up.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineUpPart {
    /// Its games.
    pub stretch: Stretch,
    /// The effect of events in them, one tally for each kind analysed.
    pub effects: Vec<EffectTally>,
}

/// Reads a part of a run and returns the contribution of each line-up.
pub(crate) fn read(
    run: &StoredRun,
    part: &ManifestPart,
    line_ups: usize,
    query: &Query,
) -> Result<Vec<LineUpPart>, StoredError> {
    let arm = &run.arms()[part.arm];
    let powers = run.experiment.power_names();
    let [in_games, in_seats, in_turns, in_events] =
        ["games", "seats", "turns", "events"].map(|table| run.file(part, table));
    let rows = games(&in_games, &in_seats, powers)?;
    let mut courses = vec![YearlyGame::default(); rows.len()];
    let mut plays = vec![Plays::new(powers.powers().len()); rows.len()];
    let mut strikes = vec![Strikes::default(); if query.kinds.is_empty() { 0 } else { rows.len() }];
    let mut stray = None;
    let mut place = Places { rows: &rows, next: 0 };

    let fields = (
        turns::YEAR,
        turns::SEASON,
        turns::POWER,
        turns::CENTRES,
        turns::UNITS,
        turns::HOLDS,
        turns::MOVES,
        turns::SUPPORTS,
        turns::CONVOYS,
        turns::SPECIAL,
        turns::CHOICES,
    );
    let mut standings = Vec::new();
    by_game(&in_turns, powers, fields, |game, turns| {
        let Some(at) = place.of(game) else {
            stray = Some((&in_turns, game));
            return;
        };
        standings.clear();
        for &(year, season, power, centres, units, holds, moves, supports, convoys, special, choices) in turns
        {
            standings.push((year, season, power, centres, units));
            let orders = [holds, moves, supports, convoys, special];
            plays[at].season(power, PowerSeason { orders, choices });
        }
        courses[at] = course(arm.start(), &rows[at], &standings);
    })?;
    place.next = 0;
    let fields = (
        events::YEAR,
        events::SEASON,
        events::PHASE,
        events::KIND,
        events::PROVINCE,
        events::POWER,
        events::OTHER,
    );
    let homes = query.homes_of(arm);
    by_game(&in_events, powers, fields, |game, events| {
        let Some(at) = place.of(game) else {
            stray = Some((&in_events, game));
            return;
        };
        for (.., kind, _, by, from) in events {
            if let (EventKind::Captured, Some(by)) = (kind, by) {
                plays[at].capture(*by, *from);
            }
        }
        if let Some(strikes) = strikes.get_mut(at) {
            *strikes = query.strikes(arm, &homes, events);
        }
    })?;
    if let Some((path, game)) = stray {
        let what = format!("has game {game}, which is not in `games`");
        return Err(StoredError::Damaged { path: path.place(), what });
    }

    let empty =
        LineUpPart { effects: vec![EffectTally::default(); query.kinds.len()], ..LineUpPart::default() };
    let mut parts = vec![empty; line_ups];
    for (at, (row, course)) in rows.iter().zip(&courses).enumerate() {
        let Some(part_of) = parts.get_mut(usize::from(row.line_up)) else {
            let what = format!("has line-up {}, which the experiment does not have", row.line_up);
            return Err(StoredError::Damaged { path: in_games.place(), what });
        };
        if course.years.is_empty() {
            let what = format!("lacks the rows of game {}", row.game);
            return Err(StoredError::Damaged { path: in_turns.place(), what });
        }
        part_of.stretch.add(row, course, (arm.start(), &plays[at]));
        if let Some(strikes) = strikes.get(at) {
            query.tally(arm, row.block, course, strikes, &mut part_of.effects);
        }
    }
    Ok(parts)
}

/// The positions of games in the list, which has the same order as every table.
struct Places<'a> {
    rows: &'a [GameRow],
    next: usize,
}

impl Places<'_> {
    fn of(&mut self, game: u32) -> Option<usize> {
        let found = self.rows[self.next..].iter().position(|row| row.game == game)?;
        self.next += found + 1;
        Some(self.next - 1)
    }
}

/// A game year by year. The count of a year is taken after its Fall; for a year without one (a game that starts with a
/// Winter or ends in a Spring), it is taken after the year's last season.
fn course(start: u16, game: &GameRow, rows: &[(u16, Season, Power, u8, u8)]) -> YearlyGame {
    let mut years: Vec<GameYear> = Vec::new();
    // Has the year had its Fall?
    let mut counted: Option<u16> = None;
    for &(year, season, power, centres, units) in rows {
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

    #[test]
    fn the_count_of_a_year_is_that_after_its_fall() {
        let game = mock::game(0).game;
        let rows = |year, season, centres: u8| Power::STANDARD.map(|power| (year, season, power, centres, 0));
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
        let rows = |year, season, centres: u8| Power::STANDARD.map(|power| (year, season, power, centres, 0));
        let all = [rows(1899, Season::Winter, 3), rows(1900, Season::Winter, 5), rows(1901, Season::Fall, 7)]
            .concat();
        let course = course(1899, &game, &all);
        let centres: Vec<u16> = course.years.iter().map(|year| year.powers[0].centres).collect();
        assert_eq!(centres, [3, 5, 7]);
    }
}
