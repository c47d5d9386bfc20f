//! The course of a game: how often the lead changed, when it was decided, how close and how dramatic it was.
//!
//! All of it is computed from the counts of centres, one for each year: the count after the Fall, or in a year without
//! a Fall the count of its last season. The start position is not a count. A power *leads* at a count if it has more
//! centres than any other; if several powers have the most, no power leads. The power *on top* is the winner of a solo,
//! else the power that leads at the last count.
//!
//! The measures are those of C. Browne's thesis (*Automatic Generation and Evaluation of Recombination Games*,
//! Queensland University of Technology 2008), adapted to several powers: the powers' shares of the owned centres
//! replace two players' estimated chances, and the counts replace moves. docs/measures.md describes the effect.

use super::rows::TurnRow;
use upheaval_engine::rules::position::Season;
use upheaval_map::ids::Power;

/// The course of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// How often the lead passed to another power.
    pub lead_changes: u8,
    /// The year from whose count on the power on top leads at every count; the year of the last count where it does not
    /// lead even then. `None` where no power is on top.
    pub decided: Option<u16>,
    /// The centres of the second power divided by those of the first, in thousandths, as a mean over the counts; `None`
    /// without a count.
    pub closeness: Option<u16>,
    /// The mean of √(how much the largest share exceeds its own) over the counts at which the power on top has fewer
    /// centres than another, in thousandths; 0 if there is no such count. `None` where no power is on top.
    pub drama: Option<u16>,
}

/// The power in the lead, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lead {
    /// The power with more centres than any other.
    pub power: Power,
    /// How many it has.
    pub first: u16,
    /// How many the next power has.
    pub second: u16,
}

/// The power in the lead, given the centres of the powers; `None` where several have the most, or no power has any.
pub(crate) fn lead(centres: impl Iterator<Item = (Power, u16)>) -> Option<Lead> {
    let mut best: Option<Lead> = None;
    let mut tied = false;
    for (power, count) in centres {
        match &mut best {
            Some(lead) if count < lead.first => lead.second = lead.second.max(count),
            Some(lead) if count == lead.first => (tied, lead.second) = (true, count),
            _ => {
                let second = best.map_or(0, |lead| lead.first);
                (best, tied) = (Some(Lead { power, first: count, second }), false);
            }
        }
    }
    best.filter(|lead| !tied && lead.first > 0)
}

impl Course {
    /// The course of a game with these rows of `turns`, won by this power alone, if there is a winner.
    pub(crate) fn of(rows: &[TurnRow], winner: Option<Power>) -> Course {
        let counts = counts(rows);
        if counts.is_empty() {
            return Course::default();
        }
        let leads: Vec<Option<Lead>> = counts
            .iter()
            .map(|rows| lead(rows.iter().map(|row| (row.power, u16::from(row.centres)))))
            .collect();
        let on_top = winner.or_else(|| leads.last().copied().flatten().map(|lead| lead.power));
        let leaders = leads.iter().flatten().map(|lead| lead.power);
        let lead_changes =
            leaders.clone().zip(leaders.skip(1)).filter(|(before, after)| before != after).count();
        let decided = on_top.and_then(|power| {
            let since = leads.iter().rposition(|lead| lead.is_none_or(|lead| lead.power != power));
            let from = since.map_or(0, |last| last + 1).min(counts.len().checked_sub(1)?);
            counts[from].first().map(|row| row.year)
        });
        Course {
            lead_changes: u8::try_from(lead_changes).unwrap_or(u8::MAX),
            decided,
            closeness: mean(counts.iter().filter_map(|rows| closeness(rows))),
            drama: on_top
                .map(|power| mean(counts.iter().filter_map(|rows| behind(rows, power))).unwrap_or(0)),
        }
    }
}

/// The rows of each year's count.
fn counts(rows: &[TurnRow]) -> Vec<&[TurnRow]> {
    let played = rows.iter().position(|row| row.turn > 0).map_or(&rows[..0], |first| &rows[first..]);
    let years = played.chunk_by(|a, b| a.year == b.year);
    let count = |year: &&'_ [TurnRow]| -> Option<(usize, usize)> {
        let season = match year.iter().any(|row| row.season == Season::Fall) {
            true => Season::Fall,
            false => year.last()?.season,
        };
        let first = year.iter().position(|row| row.season == season)?;
        Some((first, first + year[first..].iter().take_while(|row| row.season == season).count()))
    };
    years.filter_map(|year| count(&year).map(|(first, end)| &year[first..end])).collect()
}

/// The centres of the second power divided by those of the first.
fn closeness(rows: &[TurnRow]) -> Option<f64> {
    let (mut first, mut second) = (0, 0);
    for centres in rows.iter().map(|row| row.centres) {
        if centres > first {
            (first, second) = (centres, first);
        } else {
            second = second.max(centres);
        }
    }
    (first > 0).then(|| f64::from(second) / f64::from(first))
}

/// The drama of a power that is behind another.
fn behind(rows: &[TurnRow], power: Power) -> Option<f64> {
    let owned: u32 = rows.iter().map(|row| u32::from(row.centres)).sum();
    let most = rows.iter().map(|row| row.centres).max()?;
    let own = rows.iter().find(|row| row.power == power)?.centres;
    (own < most).then(|| (f64::from(most - own) / f64::from(owned)).sqrt())
}

/// The mean in thousandths.
fn mean(values: impl Iterator<Item = f64>) -> Option<u16> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| (1000.0 * sum / f64::from(count)).round() as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_map::ids::Powers;

    /// A game in which three powers have these centres after each Fall, and the others none.
    fn game(years: &[[u8; 3]]) -> Vec<TurnRow> {
        let start = (0, 1900, Season::Winter, [3, 3, 4]);
        let season = |(i, centres): (usize, &[u8; 3])| {
            let (turn, year) = (i as u16 * 3, 1901 + i as u16);
            // Centres between the counts do not matter.
            [(Season::Spring, [9, 0, 0]), (Season::Fall, *centres), (Season::Winter, [0, 9, 0])]
                .into_iter()
                .zip(turn + 1..)
                .map(move |((season, centres), turn)| (turn, year, season, centres))
        };
        let seasons = [start].into_iter().chain(years.iter().enumerate().flat_map(season));
        seasons
            .flat_map(|(turn, year, season, centres)| {
                Powers::STANDARD.iter().map(move |power| TurnRow {
                    turn,
                    year,
                    season,
                    power,
                    centres: centres.get(power.index()).copied().unwrap_or(0),
                    ..TurnRow::blank(power)
                })
            })
            .collect()
    }

    #[test]
    fn the_lead_changes_where_another_leads_than_the_last_that_did() {
        let of = |years: &[[u8; 3]]| Course::of(&game(years), None).lead_changes;
        assert_eq!(of(&[[5, 4, 3], [6, 4, 3]]), 0);
        // With a tie no power leads, and after it the same power leads again.
        assert_eq!(of(&[[5, 4, 3], [5, 5, 3], [6, 5, 3]]), 0);
        assert_eq!(of(&[[5, 4, 3], [5, 5, 3], [5, 6, 3], [7, 6, 3]]), 2);
    }

    #[test]
    fn a_game_is_decided_when_nobody_takes_the_lead_any_more() {
        let of = |years: &[[u8; 3]], winner| Course::of(&game(years), winner).decided;
        assert_eq!(of(&[[5, 4, 3], [4, 5, 3], [4, 6, 3]], None), Some(1902));
        assert_eq!(of(&[[5, 4, 3], [6, 5, 3]], Some(Power::AUSTRIA)), Some(1901));
        // A power that ties for the lead at the end is not on top.
        assert_eq!(of(&[[5, 4, 3], [5, 5, 3]], None), None);
        // A winner without the most centres is decided at the last count.
        assert_eq!(of(&[[5, 4, 3], [5, 5, 3]], Some(Power::ENGLAND)), Some(1902));
        assert_eq!(Course::of(&game(&[]), None), Course::default());
    }

    #[test]
    fn close_games_have_a_second_near_the_first() {
        let of = |years: &[[u8; 3]]| Course::of(&game(years), None).closeness;
        assert_eq!(of(&[[5, 5, 3]]), Some(1000));
        assert_eq!(of(&[[8, 4, 2], [10, 10, 0], [10, 0, 0]]), Some(500));
    }

    #[test]
    fn a_winner_that_came_from_behind_is_drama() {
        let of = |years: &[[u8; 3]]| Course::of(&game(years), None).drama;
        assert_eq!(of(&[[8, 4, 4], [9, 4, 3]]), Some(0));
        // (8 − 4)/16 is ¼, whose root is ½.
        assert_eq!(of(&[[4, 8, 4], [9, 4, 3]]), Some(500));
        assert_eq!(of(&[[4, 8, 4], [8, 8, 0], [9, 4, 3]]), Some(500));
        assert_eq!(of(&[[8, 8, 0]]), None);
    }
}
