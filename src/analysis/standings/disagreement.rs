//! Bots that rating, score and solos rank in different orders, and why.

use crate::scoring::Score;
use crate::standings::{Counted, StandingsLine};

/// How many pairs are reported at most.
const MOST: usize = 3;

/// A sentence for each pair of bots that the rating ranks opposite to the score or the solos, and the reason. Empty
/// where all agree. `lines` are in the order of ratings.
pub(super) fn sentences(lines: &[StandingsLine], score: Score, counted: Counted) -> Vec<String> {
    let mean = |line: &StandingsLine| line.score.map_or(0.0, |score| score.estimate);
    let rate = |line: &StandingsLine| line.solos as f64 / line.games.max(1) as f64;
    let mut found = Vec::new();
    let (mut pairs, mut by_score, mut by_solos) = (0, false, false);
    for (i, above) in lines.iter().enumerate() {
        for below in &lines[i + 1..] {
            let (of_score, of_solos) = (mean(below) > mean(above), rate(below) > rate(above));
            if !of_score && !of_solos {
                continue;
            }
            pairs += 1;
            by_score |= of_score;
            by_solos |= of_solos;
            if pairs <= MOST {
                found.push(sentence(above, below, score, (of_score, of_solos)));
            }
        }
    }
    if pairs > MOST {
        found.push(format!("and {} more pairs of bots", pairs - MOST));
    }
    if by_score || by_solos {
        found.push(reason(score, counted, by_score));
    }
    found
}

fn sentence(
    above: &StandingsLine,
    below: &StandingsLine,
    score: Score,
    (by_score, by_solos): (bool, bool),
) -> String {
    let decimals = score.decimals();
    let by = match (by_score, by_solos) {
        (true, true) => format!("{} and solos put", score.name()),
        (true, false) => format!("{} puts", score.name()),
        _ => "solos put".to_owned(),
    };
    let figures = |line: &StandingsLine| {
        let mean = line.score.map_or("-".to_owned(), |mean| format!("{:.decimals$}", mean.estimate));
        format!(
            "{} has a mean place of {:.2}, {} solos in {} games and a score of {mean}",
            line.bot, line.place, line.solos, line.games
        )
    };
    let sure = match (above.rating.interval, below.rating.interval) {
        (Some(upper), Some(lower)) if upper.low <= lower.high => " (the intervals of the ratings overlap)",
        _ => "",
    };
    format!(
        "disagreement: the rating puts {} before {}{sure}, {by} {} before {}: {}; {}",
        above.bot,
        below.bot,
        below.bot,
        above.bot,
        figures(above),
        figures(below)
    )
}

fn reason(score: Score, counted: Counted, by_score: bool) -> String {
    let of_score = match score {
        Score::Solo => "solos alone",
        Score::DrawSize => "solos and shares of draws alone",
        _ => "centres at the end, and gives a solo everything",
    };
    let seats = match counted {
        Counted::Alone => ", in the seats where a bot is alone; the rating counts all seats",
        Counted::EverySeat => "",
    };
    let of_score =
        if by_score { format!("; {} counts {of_score}{seats}", score.name()) } else { String::new() };
    format!(
        "why: the rating counts every place of a finishing order, so that a bot that is often second gains as much as one \
         that wins or is eliminated{of_score}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Estimate, Interval};

    fn line(bot: &str, rating: f64, score: f64, solos: u64) -> StandingsLine {
        let interval = Some(Interval { low: rating - 5.0, high: rating + 5.0 });
        StandingsLine {
            bot: bot.to_owned(),
            rating: Estimate { estimate: rating, interval },
            score: Some(Estimate::alone(score)),
            solos,
            place: 3.0,
            games: 70,
            faults: 0,
        }
    }

    #[test]
    fn bots_that_all_measures_order_alike_are_passed_over() {
        let lines = [line("a", 100.0, 0.3, 9), line("b", 0.0, 0.2, 4), line("c", -100.0, 0.2, 4)];
        assert!(sentences(&lines, Score::DrawSize, Counted::EverySeat).is_empty());
    }

    #[test]
    fn a_steady_bot_before_one_that_wins_is_told_with_the_reason() {
        let lines = [line("steady", 20.0, 0.1, 1), line("bold", 13.0, 0.2, 9), line("last", -40.0, 0.0, 0)];
        let said = sentences(&lines, Score::DrawSize, Counted::EverySeat);
        assert_eq!(said.len(), 2, "{said:?}");
        let begins = "disagreement: the rating puts steady before bold (the intervals of the ratings overlap), draw-size and \
                      solos put bold before steady: steady has a mean place of 3.00, 1 solos in 70 games";
        assert!(said[0].starts_with(begins), "{}", said[0]);
        assert!(said[1].contains("draw-size counts solos and shares of draws alone"), "{}", said[1]);
        // Solos only, and ratings whose intervals do not overlap.
        let lines = [line("steady", 90.0, 0.3, 1), line("bold", -90.0, 0.2, 9)];
        let said = sentences(&lines, Score::SumOfSquares, Counted::EverySeat);
        assert!(said[0].contains("steady before bold, solos put bold before steady"), "{}", said[0]);
        assert!(!said[1].contains("sum-of-squares"), "{}", said[1]);
    }

    #[test]
    fn of_many_pairs_some_are_told_and_the_others_counted() {
        let lines: Vec<StandingsLine> =
            (0..5).map(|i| line(&format!("b{i}"), -f64::from(i), f64::from(i), 0)).collect();
        let said = sentences(&lines, Score::CentreCount, Counted::Alone);
        assert_eq!(said.len(), MOST + 2);
        assert_eq!(said[MOST], "and 7 more pairs of bots");
        assert!(said[MOST + 1].contains("in the seats where a bot is alone"));
    }
}
