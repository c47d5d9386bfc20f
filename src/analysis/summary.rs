//! The short table at the end of a run: per variant and power wins, draws, eliminations and mean centres, and
//! how long games lasted. Its memory does not grow with the games, and its sums are whole numbers, so it is
//! the same however the games were shared out.

use std::fmt::Write;

use super::mean::{MeanInterval, Moments};
use super::wilson::{Interval, wilson};
use crate::ids::{ByPower, Power};
use crate::record::{GameEnd, GameRow, SeatOutcome};

/// What the games of one power were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerSummary {
    /// Games won alone.
    pub wins: u64,
    /// Draws shared.
    pub draws: u64,
    /// Games survived without a part in the result.
    pub survivals: u64,
    /// Games lost by elimination.
    pub eliminations: u64,
    /// Sums of final centres over the games of a block, for the games of a block share one nature and are not
    /// independent.
    block_centres: Moments,
    open_block: u64,
}

/// The games of one variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantSummary {
    /// The variant.
    pub variant: String,
    /// Games.
    pub games: u64,
    /// How they ended, in the order of [`GameEnd::ALL`].
    pub ends: [u64; GameEnd::ALL.len()],
    /// The powers.
    pub powers: ByPower<PowerSummary>,
    /// Game years begun.
    pub years: Moments,
    /// The shortest game in years.
    pub shortest: u16,
    /// The longest.
    pub longest: u16,
    open: Option<u32>,
}

impl VariantSummary {
    fn new(variant: &str) -> Self {
        VariantSummary {
            variant: variant.to_owned(),
            games: 0,
            ends: [0; GameEnd::ALL.len()],
            powers: ByPower::default(),
            years: Moments::default(),
            shortest: u16::MAX,
            longest: 0,
            open: None,
        }
    }

    /// Adds a game. The games of a block must come one after another.
    pub fn add(&mut self, game: &GameRow) {
        if self.open != Some(game.block) {
            self.close_block();
            self.open = Some(game.block);
        }
        self.games += 1;
        for (count, end) in self.ends.iter_mut().zip(GameEnd::ALL) {
            *count += u64::from(end == game.end);
        }
        self.years.add(u64::from(game.years));
        self.shortest = self.shortest.min(game.years);
        self.longest = self.longest.max(game.years);
        for (power, summary) in self.powers.iter_mut() {
            let seat = &game.seats[power];
            *match seat.outcome {
                SeatOutcome::Won => &mut summary.wins,
                SeatOutcome::Drew => &mut summary.draws,
                SeatOutcome::Survived => &mut summary.survivals,
                SeatOutcome::Eliminated => &mut summary.eliminations,
            } += 1;
            summary.open_block += u64::from(seat.centres);
        }
    }

    fn close_block(&mut self) {
        if self.open.take().is_some() {
            for (_, summary) in self.powers.iter_mut() {
                summary.block_centres.add(std::mem::take(&mut summary.open_block));
            }
        }
    }

    /// Adds the games of another summary. Neither may end or start within a block.
    pub fn merge(&mut self, mut other: VariantSummary) {
        self.close_block();
        other.close_block();
        self.games += other.games;
        self.ends.iter_mut().zip(other.ends).for_each(|(a, b)| *a += b);
        self.years.merge(&other.years);
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        for (power, mine) in self.powers.iter_mut() {
            let theirs = &other.powers[power];
            mine.wins += theirs.wins;
            mine.draws += theirs.draws;
            mine.survivals += theirs.survivals;
            mine.eliminations += theirs.eliminations;
            mine.block_centres.merge(&theirs.block_centres);
        }
    }

    /// The share of games that a power won alone.
    pub fn win_rate(&self, power: Power) -> Option<Interval> {
        wilson(self.powers[power].wins, self.games)
    }

    /// The share of games that a power drew.
    pub fn draw_rate(&self, power: Power) -> Option<Interval> {
        wilson(self.powers[power].draws, self.games)
    }

    /// The share of games in which a power was eliminated.
    pub fn elimination_rate(&self, power: Power) -> Option<Interval> {
        wilson(self.powers[power].eliminations, self.games)
    }

    /// The mean of a power's final centres, with a t interval over blocks.
    pub fn mean_centres(&self, power: Power) -> Option<MeanInterval> {
        let mut closed = self.clone();
        closed.close_block();
        let moments = closed.powers[power].block_centres;
        moments.interval(closed.games as f64 / moments.count.max(1) as f64)
    }
}

/// The games of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The variants, in the order in which they came.
    pub variants: Vec<VariantSummary>,
}

impl Summary {
    /// Adds a game.
    pub fn add(&mut self, variant: &str, game: &GameRow) {
        self.variant(variant).add(game);
    }

    /// Adds another summary, under the condition of [`VariantSummary::merge`].
    pub fn merge(&mut self, other: Summary) {
        for theirs in other.variants {
            self.variant(&theirs.variant.clone()).merge(theirs);
        }
    }

    fn variant(&mut self, name: &str) -> &mut VariantSummary {
        let index = self.variants.iter().position(|v| v.variant == name).unwrap_or_else(|| {
            self.variants.push(VariantSummary::new(name));
            self.variants.len() - 1
        });
        &mut self.variants[index]
    }

    /// The table as plain text.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for (i, variant) in self.variants.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            render(variant, &mut text);
        }
        text
    }
}

fn render(v: &VariantSummary, text: &mut String) {
    let ends: Vec<String> = GameEnd::ALL
        .into_iter()
        .zip(v.ends)
        .filter(|(_, count)| *count > 0)
        .map(|(end, count)| {
            let words = match end {
                GameEnd::Solo => "solo",
                GameEnd::Draw => "draw",
                GameEnd::Deserted => "deserted",
            };
            format!("{count} {words}")
        })
        .collect();
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{}: {} games ({})", v.variant, v.games, ends.join(", "));
    let _ = writeln!(
        text,
        "{:<9}{:>24}{:>24}{:>24}{:>16}",
        "power", "wins % (95% CI)", "draws % (95% CI)", "out % (95% CI)", "centres (95%)"
    );
    for power in Power::ALL {
        let _ = writeln!(
            text,
            "{power:<9}{:>24}{:>24}{:>24}{:>16}",
            rate(v.win_rate(power)),
            rate(v.draw_rate(power)),
            rate(v.elimination_rate(power)),
            mean(v.mean_centres(power)),
        );
    }
    if let Some(years) = v.years.interval(1.0) {
        let _ =
            writeln!(text, "length: {} game years, from {} to {}", mean(Some(years)), v.shortest, v.longest);
    }
}

fn rate(interval: Option<Interval>) -> String {
    interval.map_or("-".to_owned(), |i| {
        format!("{:.1} ({:.1} to {:.1})", 100.0 * i.estimate, 100.0 * i.low, 100.0 * i.high)
    })
}

fn mean(interval: Option<MeanInterval>) -> String {
    match interval {
        None => "-".to_owned(),
        Some(i) if i.half_width.is_finite() => format!("{:.2} ±{:.2}", i.mean, i.half_width),
        Some(i) => format!("{:.2}", i.mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Schedule, mock};

    fn games(n: u32) -> Vec<GameRow> {
        let schedule = Schedule::new(&mock::experiment("rotated", n));
        (0..n).map(|g| mock::play(&schedule.game(0, g)).game).collect()
    }

    #[test]
    fn every_game_is_counted_once_and_merging_is_adding() {
        let games = games(70);
        let (mut whole, mut front, mut back) = (Summary::default(), Summary::default(), Summary::default());
        for (i, game) in games.iter().enumerate() {
            whole.add("standard", game);
            if i < 28 { front.add("standard", game) } else { back.add("standard", game) }
        }
        front.merge(back);
        whole.merge(Summary::default());
        let v = &whole.variants[0];
        assert_eq!(v.games, 70);
        assert_eq!(v.ends.iter().sum::<u64>(), 70);
        assert_eq!(whole.render(), front.render());
        for power in Power::ALL {
            let p = v.powers[power];
            assert_eq!(p.wins + p.draws + p.survivals + p.eliminations, 70);
            let sum: u32 = games.iter().map(|g| u32::from(g.seats[power].centres)).sum();
            assert!((v.mean_centres(power).unwrap().mean - f64::from(sum) / 70.0).abs() < 1e-12);
        }
        let text = whole.render();
        assert!(text.starts_with("standard: 70 games ("), "{text}");
        assert_eq!(text.lines().count(), 10, "{text}");
    }

    #[test]
    fn no_games_are_no_lines() {
        assert_eq!(Summary::default().render(), "");
    }
}
