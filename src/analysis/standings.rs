//! Which bots are stronger, and how certain that is: the table at the end of a tournament, computed from stored games.
//!
//! Ratings are Plackett–Luce strengths on the scale of Elo: 400 points correspond to ten times the strength, 0 is the
//! mean of the bots. Their intervals, and the likelihood that one bot is stronger than another, come from a jackknife
//! over blocks: one block after the other is left out, and the ratings are fitted again. A block is left out as a
//! whole, with every variant, line-up and rotation in it.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use crate::blocks::mean_of_blocks;
use crate::estimate::Estimate;
use crate::faults::Faults;
use crate::plackett_luce::{RankingCounts, Sets, Strengths};
use crate::reading::{PartTally, RunPart, RunTally, read};
use crate::repeats::{Repeats, fingerprint, one_against_rest, shuffling_helps};
use crate::scoring::{Score, places};
use crate::table::{Table, counted, width_of};
use upheaval_harness::record::{GameRow, SeatRow};
use upheaval_harness::sim::extension;
use upheaval_harness::sim::labels::Labels;
use upheaval_harness::sim::resolved::ResolvedSeats;
use upheaval_harness::sim::stored::{StoredError, StoredRun};
use upheaval_map::ids::Power;

/// Which seats count for a bot's mean score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Counted {
    /// All.
    EverySeat,
    /// The seats in which the bot sits alone against another bot in all other seats: the score that those share says
    /// little about each of them.
    Alone,
}

/// The data of a game that standings keep.
#[derive(Clone, Debug)]
struct PlayedGame {
    variant: usize,
    block: u32,
    /// The same for the same game again.
    fingerprint: u64,
    /// In the order of the powers.
    seats: Box<[Seat]>,
}

/// A seat of a game, as standings keep it.
#[derive(Clone, Debug)]
struct Seat {
    bot: usize,
    place: u8,
    points: f64,
    won: bool,
    faults: u32,
}

/// Games by block, in the order of blocks.
type PlayedBlocks<'a> = Vec<Vec<&'a PlayedGame>>;

/// The games of a tournament, and the score that they are compared in.
#[derive(Clone, Debug)]
pub struct Standings {
    bots: Vec<String>,
    variants: Vec<String>,
    counted: Counted,
    score: Score,
    shuffling_helps: bool,
    /// The most points that a seat can have.
    most: f64,
    games: Vec<PlayedGame>,
}

/// A bot in a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandingsLine {
    /// Its name.
    pub bot: String,
    /// Its rating; without an interval where there are fewer than two blocks, or where the blocks repeat each other.
    pub rating: Estimate,
    /// Its mean score.
    pub score: Option<Estimate>,
    /// Seats in which it won alone.
    pub solos: u64,
    /// The mean place of its seats at the end, from 1.
    pub place: f64,
    /// Games in which it had a seat.
    pub games: u64,
    /// Replies that were refused.
    pub faults: u64,
}

/// The bots over some of the games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandingsSection {
    /// Which games these are, in words.
    pub title: String,
    /// The variant; nothing where they are of all variants.
    pub variant: Option<String>,
    /// How many games there are.
    pub games: usize,
    /// How many blocks they come from.
    pub blocks: usize,
    /// The bots, the strongest first.
    #[serde(rename = "bots")]
    pub lines: Vec<StandingsLine>,
    /// How many of the blocks differ.
    #[serde(skip)]
    pub repeats: Repeats,
    /// Too few blocks differ for likelihoods of superiority, or blocks repeat each other; null if enough differ.
    pub(crate) warning: Option<String>,
    /// For each bot, in the same order, how likely it is to be stronger than each other; empty with too few blocks that
    /// differ ([`Repeats::are_too_few`]).
    pub superior: Vec<Vec<f64>>,
    /// For each bot, the mean score alone against each other bot in all other seats; empty where no such games are
    /// counted.
    pub alone: Vec<Vec<Option<Estimate>>>,
    /// Where the score or the solos put two bots in the opposite order of their ratings: a sentence for each pair, and
    /// the reason.
    pub disagreements: Vec<String>,
}

impl Standings {
    /// No games yet.
    pub(crate) fn new(bots: Vec<String>, variants: Vec<String>, counted: Counted, score: Score) -> Self {
        Standings { bots, variants, counted, score, shuffling_helps: false, most: 0.0, games: Vec::new() }
    }

    /// Adds a game of a variant; `false` if a bot in it is unknown.
    pub(crate) fn add(&mut self, variant: usize, game: &GameRow) -> bool {
        let (places, points) = (places(game), self.score.points(game));
        let seat = |(power, seat): (Power, &SeatRow)| {
            Some(Seat {
                bot: self.bots.iter().position(|name| **name == *seat.bot)?,
                place: places[power],
                points: points[power],
                won: game.winner == Some(power),
                faults: seat.faults,
            })
        };
        let Some(seats) = game.seats.iter().map(seat).collect() else { return false };
        self.most = self.most.max(self.score.most(game));
        self.games.push(PlayedGame { variant, block: game.block, fingerprint: fingerprint(game), seats });
        true
    }

    /// The table of each variant, and a table of all variants where there are several.
    pub fn sections(&self) -> Vec<StandingsSection> {
        let all = (self.variants.len() > 1).then_some(None);
        (0..self.variants.len()).map(Some).chain(all).map(|variant| self.section(variant)).collect()
    }

    /// The table of a variant, or of all.
    fn section(&self, variant: Option<usize>) -> StandingsSection {
        let mut blocks: BTreeMap<u32, Vec<&PlayedGame>> = BTreeMap::new();
        for game in self.games.iter().filter(|game| variant.is_none_or(|of| game.variant == of)) {
            blocks.entry(game.block).or_default().push(game);
        }
        let blocks: PlayedBlocks<'_> = blocks.into_values().collect();
        let (count, games) = (blocks.len(), blocks.iter().map(Vec::len).sum::<usize>());
        let fingerprints =
            |games: &Vec<&PlayedGame>| games.iter().map(|game| game.fingerprint).collect::<Vec<_>>();
        let repeats = Repeats::of(self.shuffling_helps, blocks.iter().map(fingerprints));
        let strengths = self.ratings(&blocks);
        let score = |estimate: Estimate| repeats.known(estimate).within(0.0, self.most);
        let rating = |bot: usize| {
            let weights = self.weights(&[(bot, 1.0)]);
            strengths.as_ref().map_or(Estimate::alone(0.0), |of| repeats.known(of.estimate(&weights)))
        };
        let ratings: Vec<Estimate> = (0..self.bots.len()).map(rating).collect();
        let mut order: Vec<usize> = (0..self.bots.len()).collect();
        order.sort_by(|&a, &b| ratings[b].estimate.total_cmp(&ratings[a].estimate));
        let lines: Vec<StandingsLine> =
            order.iter().map(|&bot| self.line(bot, ratings[bot], score, &blocks)).collect();
        let superior = |a: usize, b: usize| {
            let weights = self.weights(&[(a, 1.0), (b, -1.0)]);
            strengths.as_ref().filter(|_| a != b).map_or(0.5, |of| of.above(&weights, count))
        };
        let name = variant.map(|of| self.variants[of].clone());
        StandingsSection {
            title: format!(
                "{}: {} in {}",
                name.as_deref().unwrap_or("all variants"),
                counted(games as u64, "game"),
                counted(count as u64, "block"),
            ),
            variant: name,
            games,
            blocks: count,
            repeats,
            warning: repeats.warning(),
            disagreements: match repeats.show_nothing() {
                true => Vec::new(),
                false => disagreements(&lines, self.score, self.counted),
            },
            lines,
            superior: if repeats.are_too_few() { Vec::new() } else { square(&order, superior) },
            alone: match self.counted {
                Counted::EverySeat => Vec::new(),
                Counted::Alone => square(&order, |a, b| self.alone(a, Some(b), &blocks).map(score)),
            },
        }
    }

    /// The ratings; `None` where they do not converge.
    fn ratings(&self, blocks: &PlayedBlocks<'_>) -> Option<Strengths> {
        let mut sets = Sets::new(self.bots.len());
        let order =
            |game: &&PlayedGame| game.seats.iter().map(|seat| (seat.bot, seat.place)).collect::<Vec<_>>();
        let choices: Vec<RankingCounts> =
            blocks.iter().map(|games| sets.count(games.iter().map(order))).collect();
        sets.fit_blocks(&choices)
    }

    /// The weights of all bots, of which these are not 0.
    fn weights(&self, of: &[(usize, f64)]) -> Vec<f64> {
        let mut weights = vec![0.0; self.bots.len()];
        of.iter().for_each(|(bot, weight)| weights[*bot] += weight);
        weights
    }

    fn line(
        &self,
        bot: usize,
        rating: Estimate,
        known: impl Fn(Estimate) -> Estimate,
        blocks: &PlayedBlocks<'_>,
    ) -> StandingsLine {
        let games = || blocks.iter().flatten();
        let seats = || games().flat_map(|game| &game.seats).filter(|seat| seat.bot == bot);
        StandingsLine {
            bot: self.bots[bot].clone(),
            rating,
            score: match self.counted {
                Counted::Alone => self.alone(bot, None, blocks),
                Counted::EverySeat => mean(blocks, |game, seat| game.seats[seat].bot == bot),
            }
            .map(known),
            place: seats().map(|seat| f64::from(seat.place) + 1.0).sum::<f64>()
                / seats().count().max(1) as f64,
            solos: seats().filter(|seat| seat.won).count() as u64,
            games: games().filter(|game| game.seats.iter().any(|seat| seat.bot == bot)).count() as u64,
            faults: seats().map(|seat| u64::from(seat.faults)).sum(),
        }
    }

    /// The mean score of a bot alone against another in all other seats, or against any other bots.
    fn alone(&self, bot: usize, among: Option<usize>, blocks: &PlayedBlocks<'_>) -> Option<Estimate> {
        mean(blocks, |game, at| {
            let mut others =
                game.seats.iter().enumerate().filter(|(seat, _)| *seat != at).map(|(_, seat)| seat.bot);
            game.seats[at].bot == bot
                && others.all(|other| other != bot && among.is_none_or(|among| other == among))
        })
    }

    /// Everything as an object: `score`, `counted`, and `sections` with a `warning` each, which is null where
    /// enough blocks differ.
    pub fn to_json(&self) -> Value {
        json!({ "score": self.score.name(), "counted": self.counted, "sections": self.sections() })
    }

    /// Everything as plain text.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for section in self.sections() {
            self.render_section(&section, &mut text);
            text.push('\n');
        }
        let seats = match self.counted {
            Counted::EverySeat => "each of its seats",
            Counted::Alone => "the seats of a bot that plays against another bot in all other seats",
        };
        text + &format!(
            "rating: Plackett–Luce over the finishing orders, 400 points correspond to ten times the strength, 0 is the mean; \
             its interval: jackknife over blocks\n\
             {}: the mean over {seats}; its interval: over blocks; games of one block share their catastrophes\n",
            self.score.name()
        )
    }

    fn render_section(&self, section: &StandingsSection, text: &mut String) {
        let StandingsSection { title, lines, superior, alone, disagreements, warning, .. } = section;
        let name = self.score.name();
        let width = width_of(lines.iter().map(|line| &line.bot), 7) + 2;
        let mean_text = |mean: Option<Estimate>| {
            mean.map_or("-".to_owned(), |mean| mean.with_bounds(self.score.decimals()))
        };
        let _ = writeln!(text, "{title}");
        let rating = ("rating (95% CI)".to_owned(), 24);
        let score = (format!("{name} (95% CI)"), 26);
        let counts = ["solos", "games", "faults"].map(|heading| (heading.to_owned(), 9));
        let mut table = Table::new(text, ("bot", width), [rating, score].into_iter().chain(counts));
        for line in lines {
            let rating = Estimate { estimate: unsigned(line.rating.estimate), ..line.rating };
            let counts = [line.solos, line.games, line.faults].map(|count| count.to_string());
            table.row(&line.bot, [rating.with_bounds(0), mean_text(line.score)].into_iter().chain(counts));
        }
        // A square of all bots: the bot of the row against the bot of the column.
        let square = |text: &mut String, column: usize, cell: &dyn Fn(usize, usize) -> String| {
            let mut table = Table::new(text, ("", width), lines.iter().map(|line| (&line.bot, column)));
            for (i, line) in lines.iter().enumerate() {
                table.row(&line.bot, (0..lines.len()).map(|j| cell(i, j)));
            }
        };
        for sentence in disagreements {
            let _ = writeln!(text, "{sentence}");
        }
        if let Some(warning) = warning {
            let _ = writeln!(text, "warning: {warning}");
        }
        if !superior.is_empty() {
            let _ = writeln!(
                text,
                "likelihood of superiority, %: the bot of the row is stronger than the bot of the column"
            );
            square(text, width.max(9), &|i, j| match i == j {
                true => "-".to_owned(),
                false => format!("{:.1}", 100.0 * superior[i][j]),
            });
        }
        if !alone.is_empty() {
            let _ =
                writeln!(text, "{name}: the bot of the row in one seat, the bot of the column in all others");
            square(text, width.max(24), &|i, j| mean_text(alone[i][j]));
        }
    }
}

/// The text without the sign of a zero.
fn unsigned(value: f64) -> f64 {
    if value.round() == 0.0 { 0.0 } else { value }
}

/// A value for each two of these bots.
fn square<T>(bots: &[usize], of: impl Fn(usize, usize) -> T) -> Vec<Vec<T>> {
    bots.iter().map(|&a| bots.iter().map(|&b| of(a, b)).collect()).collect()
}

/// The mean of the points of some seats.
fn mean(blocks: &PlayedBlocks<'_>, counts: impl Fn(&PlayedGame, usize) -> bool) -> Option<Estimate> {
    let sum = |games: &Vec<&PlayedGame>| {
        let seats = games.iter().flat_map(|&game| (0..game.seats.len()).map(move |seat| (game, seat)));
        seats
            .filter(|(game, seat)| counts(game, *seat))
            .fold((0.0, 0), |(sum, n), (game, seat)| (sum + game.seats[seat].points, n + 1))
    };
    mean_of_blocks(&blocks.iter().map(sum).collect::<Vec<(f64, u64)>>())
}

// Bots that rating, score and solos rank in different orders, and why.

/// How many pairs are reported at most.
const MOST: usize = 3;

/// A sentence for each pair of bots that the rating ranks opposite to the score or the solos, and the reason. Empty
/// where all agree. `lines` are in the order of ratings.
pub(crate) fn disagreements(lines: &[StandingsLine], score: Score, counted: Counted) -> Vec<String> {
    let mean = |line: &StandingsLine| line.score.map_or(0.0, |score| score.estimate);
    let rate = |line: &StandingsLine| line.solos as f64 / line.games.max(1) as f64;
    let pairs =
        (1..).zip(lines).flat_map(|(next, above)| lines[next..].iter().map(move |below| (above, below)));
    let disagrees = |(above, below): (_, _)| {
        let by = (mean(below) > mean(above), rate(below) > rate(above));
        (by != (false, false)).then_some((above, below, by))
    };
    let pairs: Vec<(&StandingsLine, &StandingsLine, (bool, bool))> = pairs.filter_map(disagrees).collect();
    let mut found: Vec<String> =
        pairs.iter().take(MOST).map(|(above, below, by)| sentence(above, below, score, *by)).collect();
    if pairs.len() > MOST {
        found.push(format!("and {} more pairs of bots", pairs.len() - MOST));
    }
    if !pairs.is_empty() {
        found.push(reason(score, counted, pairs.iter().any(|(_, _, (by_score, _))| *by_score)));
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
        "disagreement: the rating puts {first} before {second}{sure}, {by} {second} before {first}: {}; {}",
        figures(above),
        figures(below),
        first = above.bot,
        second = below.bot,
    )
}

fn reason(score: Score, counted: Counted, by_score: bool) -> String {
    let of_score = match score {
        Score::Solo => "only solos",
        Score::DrawSize => "only solos and shares of draws",
        _ => "centres at the end, and gives a solo everything",
    };
    let seats = match counted {
        Counted::Alone => {
            ", in the seats of a bot that is the only one of its name; the rating counts all seats"
        }
        Counted::EverySeat => "",
    };
    let of_score =
        if by_score { format!("; {} counts {of_score}{seats}", score.name()) } else { String::new() };
    format!(
        "why: the rating counts every place of a finishing order: a bot that is often second gains as much as one \
         that wins or is eliminated{of_score}"
    )
}

// Standings and bot faults of a run on disk.

impl Standings {
    /// The standings of a run's games, and the faults of its bots.
    ///
    /// # Errors
    /// A table cannot be read, or has games of another run.
    pub fn of(run: &StoredRun, score: Score) -> Result<(Standings, Faults), StoredError> {
        Standings::of_all(run, &[], score)
    }

    /// The standings of a tournament that was extended: of its first run and the others together. A block is the same
    /// set of catastrophes in all of them.
    ///
    /// # Errors
    /// As [`Standings::of`], or a run is not of the same tournament, or has a line-up that another has too.
    pub fn of_all(
        first: &StoredRun,
        others: &[StoredRun],
        score: Score,
    ) -> Result<(Standings, Faults), StoredError> {
        let runs: Vec<&StoredRun> = [first].into_iter().chain(others).collect();
        are_of_one_tournament(&runs)?;
        let mut bots: Vec<String> = Vec::new();
        for bot in runs.iter().flat_map(|run| &run.experiment.bots) {
            if !bots.contains(&bot.name) {
                bots.push(bot.name.clone());
            }
        }
        let arms = Labels::of(first.arms()).all().map(str::to_owned).collect();
        let alone = runs.iter().all(|run| counted_seats(&run.experiment.seats) == Counted::Alone);
        let counted = if alone { Counted::Alone } else { Counted::EverySeat };
        let shuffling_helps = runs.iter().any(|run| shuffling_helps(run.experiment.seating()));
        let mut standings = Standings { shuffling_helps, ..Standings::new(bots, arms, counted, score) };
        let mut faults = Faults::default();
        let parts = runs.into_iter().flat_map(RunPart::of_run);
        read(parts, &mut (&mut standings, &mut faults))?;
        Ok((standings, faults))
    }
}

impl PartTally for Standings {
    fn end(&mut self, part: &RunPart<'_>, games: &[GameRow]) -> Result<(), StoredError> {
        if games.iter().all(|game| self.add(part.arm_index(), game)) { Ok(()) } else { Err(part.foreign()) }
    }
}

impl RunTally for Standings {
    type Part = Standings;

    fn new_part(&self, _: &RunPart<'_>) -> Standings {
        let (bots, arms) = (self.bots.clone(), self.variants.clone());
        Standings::new(bots, arms, self.counted, self.score)
    }

    fn add(&mut self, _: &RunPart<'_>, mut counted: Standings) -> Result<(), StoredError> {
        self.most = self.most.max(counted.most);
        self.games.append(&mut counted.games);
        Ok(())
    }
}

/// Makes sure that several runs are of one tournament, and that each line-up is in one of them. One run alone may be of
/// any kind.
pub(crate) fn are_of_one_tournament(runs: &[&StoredRun]) -> Result<(), StoredError> {
    if runs.len() < 2 {
        return Ok(());
    }
    extension::Played::of_stored(runs)?;
    for other in &runs[1..] {
        extension::fits(&runs[0].experiment, &other.experiment).map_err(|what| StoredError::Apart {
            first: runs[0].path.clone(),
            second: other.path.clone(),
            what,
        })?;
    }
    Ok(())
}

/// Where each of several line-ups has one bot alone and another in all other seats, the score of the single bot counts.
fn counted_seats(seats: &ResolvedSeats) -> Counted {
    match seats {
        ResolvedSeats::LineUps { lineups, .. } if lineups.iter().all(|bots| one_against_rest(bots)) => {
            Counted::Alone
        }
        _ => Counted::EverySeat,
    }
}

#[cfg(test)]
mod disagreement_tests {
    use super::*;
    use crate::estimate::{Estimate, Interval};

    pub(super) const WHY: &str = "why: the rating counts every place of a finishing order: a bot that is often second \
                                  gains as much as one that wins or is eliminated";

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
        assert!(disagreements(&lines, Score::DrawSize, Counted::EverySeat).is_empty());
    }

    #[test]
    fn a_steady_bot_before_one_that_wins_is_told_with_the_reason() {
        let lines = [line("steady", 20.0, 0.1, 1), line("bold", 13.0, 0.2, 9), line("last", -40.0, 0.0, 0)];
        let said = disagreements(&lines, Score::DrawSize, Counted::EverySeat);
        let first = "disagreement: the rating puts steady before bold (the intervals of the ratings overlap), draw-size and \
                     solos put bold before steady: steady has a mean place of 3.00, 1 solos in 70 games and a score of \
                     0.100; bold has a mean place of 3.00, 9 solos in 70 games and a score of 0.200";
        assert_eq!(said[0], first);
        assert_eq!(said[1], format!("{WHY}; draw-size counts only solos and shares of draws"));
        // Solos only, and ratings whose intervals do not overlap.
        let lines = [line("steady", 90.0, 0.3, 1), line("bold", -90.0, 0.2, 9)];
        let said = disagreements(&lines, Score::SumOfSquares, Counted::EverySeat);
        let first = "disagreement: the rating puts steady before bold, solos put bold before steady: steady has a mean \
                     place of 3.00, 1 solos in 70 games and a score of 0.30; bold has a mean place of 3.00, 9 solos in \
                     70 games and a score of 0.20";
        assert_eq!(said, [first, WHY]);
    }

    #[test]
    fn of_many_pairs_some_are_told_and_the_others_counted() {
        let lines: Vec<StandingsLine> =
            (0..5).map(|i| line(&format!("b{i}"), -f64::from(i), f64::from(i), 0)).collect();
        let said = disagreements(&lines, Score::CentreCount, Counted::Alone);
        let why = "centre-count counts centres at the end, and gives a solo everything, in the seats of a bot that is \
                   the only one of its name; the rating counts all seats";
        assert_eq!(said[MOST..], ["and 7 more pairs of bots".to_owned(), format!("{WHY}; {why}")]);
    }
}

#[cfg(test)]
mod tests;
