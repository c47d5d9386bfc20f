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
use crate::finish::places;
use crate::plackett_luce::{RankingCounts, Sets, Strengths};
use crate::repeats::{Repeats, Shuffling, fingerprint};
use crate::scoring::Score;
use crate::table::{Table, width_of};
use upheaval_harness::record::{GameRow, SeatRow};
use upheaval_map::ids::Power;

mod disagreement;

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
struct Played {
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

/// The games of a tournament, and the score that they are compared in.
#[derive(Clone, Debug)]
pub struct Standings {
    bots: Vec<String>,
    variants: Vec<String>,
    counted: Counted,
    score: Score,
    shuffling: Shuffling,
    /// The most points that a seat can have.
    most: f64,
    games: Vec<Played>,
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

impl StandingsSection {
    /// What is printed in place of the likelihoods of superiority where too few blocks differ; and what is said of
    /// blocks that repeat each other.
    pub(crate) fn warning(&self) -> Option<String> {
        self.repeats.warning()
    }
}

impl Standings {
    /// No games yet.
    pub(crate) fn new(bots: Vec<String>, variants: Vec<String>, counted: Counted, score: Score) -> Self {
        Standings {
            bots,
            variants,
            counted,
            score,
            shuffling: Shuffling::default(),
            most: 0.0,
            games: Vec::new(),
        }
    }

    /// The same, of games for which shuffled seats are such a remedy.
    pub(crate) fn with(self, shuffling: Shuffling) -> Self {
        Standings { shuffling, ..self }
    }

    /// The same bots, arms and score, without games.
    pub(crate) fn without_games(&self) -> Standings {
        let (bots, arms) = (self.bots.clone(), self.variants.clone());
        Standings::new(bots, arms, self.counted, self.score).with(self.shuffling)
    }

    /// Adds the games of others with the same bots and arms.
    pub(crate) fn append(&mut self, mut others: Standings) {
        self.most = self.most.max(others.most);
        self.games.append(&mut others.games);
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
        self.games.push(Played { variant, block: game.block, fingerprint: fingerprint(game), seats });
        true
    }

    /// The table of each variant, and a table of all variants where there are several.
    pub fn sections(&self) -> Vec<StandingsSection> {
        let several = self.variants.len() > 1;
        let of_one = |(i, name): (usize, &String)| self.section(Some(name), |game| game.variant == i);
        let mut sections: Vec<StandingsSection> = self.variants.iter().enumerate().map(of_one).collect();
        if several {
            sections.push(self.section(None, |_| true));
        }
        sections
    }

    fn section(&self, variant: Option<&str>, of: impl Fn(&Played) -> bool) -> StandingsSection {
        let mut blocks: BTreeMap<u32, Vec<&Played>> = BTreeMap::new();
        for game in self.games.iter().filter(|game| of(game)) {
            blocks.entry(game.block).or_default().push(game);
        }
        let (count, games) = (blocks.len(), blocks.values().map(Vec::len).sum::<usize>());
        let repeats = Repeats::of(
            self.shuffling,
            blocks.values().map(|games| games.iter().map(|game| game.fingerprint)),
        );
        let strengths = self.ratings(&blocks);
        let rating = |bot: usize| {
            let weights = self.weights(&[(bot, 1.0)]);
            let known = strengths.as_ref().map(|of| of.estimate(&weights));
            known.unwrap_or(Estimate::alone(0.0))
        };
        let known = |estimate: Estimate| {
            if repeats.show_nothing() { Estimate::alone(estimate.estimate) } else { estimate }
        };
        let score = |estimate: Estimate| known(estimate).within(0.0, self.most);
        let ratings: Vec<Estimate> = (0..self.bots.len()).map(|bot| known(rating(bot))).collect();
        let mut order: Vec<usize> = (0..self.bots.len()).collect();
        order.sort_by(|&a, &b| ratings[b].estimate.total_cmp(&ratings[a].estimate));
        let lines: Vec<StandingsLine> =
            order.iter().map(|&bot| self.line(bot, ratings[bot], score, &blocks)).collect();
        let superior = |a: usize, b: usize| {
            let weights = self.weights(&[(a, 1.0), (b, -1.0)]);
            strengths.as_ref().filter(|_| a != b).map_or(0.5, |of| of.above(&weights, count))
        };
        let square = |of: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            order.iter().map(|&a| order.iter().map(|&b| of(a, b)).collect()).collect()
        };
        StandingsSection {
            title: format!(
                "{}: {games} game{} in {count} block{}",
                variant.unwrap_or("all variants"),
                if games == 1 { "" } else { "s" },
                if count == 1 { "" } else { "s" }
            ),
            variant: variant.map(str::to_owned),
            games,
            blocks: count,
            repeats,
            disagreements: match repeats.show_nothing() {
                true => Vec::new(),
                false => disagreement::sentences(&lines, self.score, self.counted),
            },
            lines,
            superior: if repeats.are_too_few() { Vec::new() } else { square(&superior) },
            alone: match self.counted {
                Counted::EverySeat => Vec::new(),
                Counted::Alone => order
                    .iter()
                    .map(|&a| order.iter().map(|&b| self.alone(a, Some(b), &blocks).map(score)).collect())
                    .collect(),
            },
        }
    }

    /// The ratings; `None` where they do not converge.
    fn ratings(&self, blocks: &BTreeMap<u32, Vec<&Played>>) -> Option<Strengths> {
        let mut sets = Sets::new(self.bots.len());
        let choices: Vec<RankingCounts> = blocks
            .values()
            .map(|games| {
                sets.count(games.iter().map(|game| game.seats.iter().map(|seat| (seat.bot, seat.place))))
            })
            .collect();
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
        blocks: &BTreeMap<u32, Vec<&Played>>,
    ) -> StandingsLine {
        let games = || blocks.values().flatten();
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
    fn alone(
        &self,
        bot: usize,
        among: Option<usize>,
        blocks: &BTreeMap<u32, Vec<&Played>>,
    ) -> Option<Estimate> {
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
        let section = |section: &StandingsSection| {
            // A struct of numbers and strings always serialises.
            let mut value = serde_json::to_value(section).unwrap_or_default();
            value["warning"] = section.warning().into();
            value
        };
        let sections: Vec<Value> = self.sections().iter().map(section).collect();
        json!({ "score": self.score.name(), "counted": self.counted, "sections": sections })
    }

    /// Everything as plain text.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for section in self.sections() {
            self.render_section(&section, &mut text);
            text.push('\n');
        }
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "rating: Plackett–Luce over the finishing orders, 400 points correspond to ten times the strength, 0 is the mean; \
             its interval: jackknife over blocks"
        );
        let seats = match self.counted {
            Counted::EverySeat => "each of its seats",
            Counted::Alone => "the seat in which it is alone against another in all others",
        };
        let _ = writeln!(
            text,
            "{}: the mean over {seats}; its interval: over blocks; games of one block share their catastrophes",
            self.score.name()
        );
        text
    }

    fn render_section(&self, section: &StandingsSection, text: &mut String) {
        let StandingsSection { title, lines, superior, alone, disagreements, .. } = section;
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
        if let Some(warning) = section.warning() {
            let _ = writeln!(text, "warning: {warning}");
        }
        if !superior.is_empty() {
            let _ = writeln!(text, "likelihood of superiority, %: that the bot of the row is stronger");
            square(text, width.max(9), &|i, j| match i == j {
                true => "-".to_owned(),
                false => format!("{:.1}", 100.0 * superior[i][j]),
            });
        }
        if !alone.is_empty() {
            let _ =
                writeln!(text, "{name}: the bot of the row alone, the bot of the column in all other seats");
            square(text, width.max(24), &|i, j| mean_text(alone[i][j]));
        }
    }
}

/// The text without the sign of a zero.
fn unsigned(value: f64) -> f64 {
    if value.round() == 0.0 { 0.0 } else { value }
}

/// The mean of the points of some seats.
fn mean(blocks: &BTreeMap<u32, Vec<&Played>>, counts: impl Fn(&Played, usize) -> bool) -> Option<Estimate> {
    let sums: Vec<(f64, u64)> = blocks
        .values()
        .map(|games| {
            let seats = games.iter().flat_map(|game| (0..game.seats.len()).map(move |seat| (*game, seat)));
            seats
                .filter(|(game, seat)| counts(game, *seat))
                .fold((0.0, 0), |(sum, n), (game, seat)| (sum + game.seats[seat].points, n + 1))
        })
        .collect();
    mean_of_blocks(&sums)
}

#[cfg(test)]
mod tests;
