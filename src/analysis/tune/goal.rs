//! The quantities that a search computes from a game: the objective, and the measures that have bounds or are in a
//! trade-off with it.

use upheaval_harness::record::{GameRow, GameRows, SeatOutcome};

use crate::balance::tally::FairnessMeasure;
use crate::tune::statistic::{BlockVectors, Limits};

upheaval_map::named! {
    /// A number of a game that is averaged.
    #[derive(PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Metric {
        /// Game years begun.
        Length = "length",
        /// Is it won alone? The mean is the share of such games.
        Solos = "solos",
        /// The share of the powers that have a unit on the board at the end.
        Survival = "survival",
        /// The centres of the first power at the end minus those of the second: the closer the game, the fewer.
        Lead = "lead",
        /// Supply centres that the map still has at the end.
        Land = "land",
        /// How often the lead passes to another power.
        LeadChanges = "lead_changes",
        /// Game years until the lead is decided, for games in which one power ends on top.
        Decided = "decided",
        /// The centres of the second power divided by those of the first, over the years.
        Closeness = "closeness",
        /// How far behind the winner was on average while it was behind, for games in which one power ends on top.
        Drama = "drama",
    }
}

impl Metric {
    /// The measures that are printed even if the file does not name them.
    pub(crate) const ALWAYS: [Metric; 5] =
        [Metric::Length, Metric::Solos, Metric::Survival, Metric::Lead, Metric::Land];

    /// Its meaning, in a few words.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Metric::Length => "game years begun",
            Metric::Solos => "share of games won alone",
            Metric::Survival => "share of powers with a unit at the end",
            Metric::Lead => "centres of the first power minus those of the second at the end",
            Metric::Land => "supply centres of the map at the end",
            Metric::LeadChanges => "changes of the lead",
            Metric::Decided => "game years until the lead is decided",
            Metric::Closeness => "centres of the second power divided by those of the first, over the years",
            Metric::Drama => "how far behind the power was that ends on top",
        }
    }

    /// The range of possible means. `years` is the number of years of the longest game.
    pub(crate) fn limits(self, low: f64, high: f64, years: u16) -> Limits {
        let most = match self {
            Metric::Solos | Metric::Survival | Metric::Closeness | Metric::Drama => 1.0,
            Metric::Length | Metric::Decided => f64::from(years),
            Metric::Lead | Metric::Land | Metric::LeadChanges => f64::INFINITY,
        };
        Limits { low, high, most }
    }

    /// The value of a game, as a whole number; `None` where it has no such value.
    fn of(self, game: &GameRow) -> Option<u64> {
        let seats = game.seats.rows();
        Some(match self {
            Metric::Length => u64::from(game.years),
            Metric::Solos => u64::from(seats.iter().any(|seat| seat.outcome == SeatOutcome::Won)),
            Metric::Survival => seats.iter().filter(|seat| seat.units > 0).count() as u64,
            Metric::Lead => {
                let (first, second) = seats.iter().fold((0, 0), |(first, second), seat| match seat.centres {
                    centres if centres > first => (centres, first),
                    centres => (first, second.max(centres)),
                });
                u64::from(first - second)
            }
            Metric::Land => u64::from(game.extant_centres),
            Metric::LeadChanges => u64::from(game.course.lead_changes),
            Metric::Decided => {
                let start = game.last_phase.year.saturating_sub(game.years);
                u64::from(game.course.decided?.saturating_sub(start))
            }
            Metric::Closeness => u64::from(game.course.closeness?),
            Metric::Drama => u64::from(game.course.drama?),
        })
    }

    /// The divisor that turns a sum of such whole numbers into the measure, on a board with this many powers.
    fn unit(self, powers: usize) -> f64 {
        match self {
            Metric::Survival => powers.max(1) as f64,
            Metric::Closeness | Metric::Drama => 1000.0,
            _ => 1.0,
        }
    }

    /// The contribution of each block to the mean over all games that have the measure: their mean is that mean, and
    /// their spread is that of the blocks (the ratio of two sums over blocks, linearised). Empty where no game has it.
    pub(crate) fn parts<'b>(self, powers: usize, blocks: impl IntoIterator<Item = &'b GoalSums>) -> Vec<f64> {
        let blocks: Vec<(f64, f64)> = blocks
            .into_iter()
            .map(|block| (block.aspects[self as usize] as f64 / self.unit(powers), block.count(self)))
            .collect();
        let Some(&(_, first)) = blocks.first() else { return Vec::new() };
        // Where all blocks have the same number of games the contributions are plain means.
        if first > 0.0 && blocks.iter().all(|(_, games)| *games == first) {
            return blocks.iter().map(|(sum, games)| sum / games).collect();
        }
        let (sum, games) = blocks.iter().fold((0.0, 0.0), |all, block| (all.0 + block.0, all.1 + block.1));
        if games == 0.0 {
            return Vec::new();
        }
        let (mean, each) = (sum / games, games / blocks.len() as f64);
        blocks.iter().map(|(sum, games)| mean + (sum - mean * games) / each).collect()
    }
}

/// The quantity that is minimised.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Objective {
    /// The unfairness: the mean squared distance of the powers' shares in this measure from equal ones.
    Fairness(FairnessMeasure),
    /// The squared distance of a mean from a wanted value.
    Near {
        /// The measure.
        of: Metric,
        /// The wanted value.
        target: f64,
    },
}

/// The names of measures of fairness in files.
pub(crate) const fn name_of(measure: FairnessMeasure) -> &'static str {
    match measure {
        FairnessMeasure::Solos => "fairness.solos",
        FairnessMeasure::Score => "fairness.score",
        FairnessMeasure::Centres => "fairness.centres",
        FairnessMeasure::Survival => "fairness.survival",
    }
}

impl Objective {
    /// Is it computed from the shares of the powers?
    pub(crate) const fn is_share(self) -> bool {
        matches!(self, Objective::Fairness(_))
    }

    /// Its name, as the file has it.
    pub(crate) fn name(self) -> String {
        match self {
            Objective::Fairness(measure) => name_of(measure).to_owned(),
            Objective::Near { of, target } => format!("{} near {target}", of.name()),
        }
    }
}

/// The sums that are kept of a block: whole numbers, so that the order of games cannot affect them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalSums {
    /// Its games, those in which one power ends on top, and those in which centres were counted.
    pub counts: [u64; 3],
    /// The value of each power in the measure of fairness, in units of the measure; empty where fairness is not the
    /// objective.
    pub powers: Vec<u64>,
    /// The sum of each aspect, in the order of [`Metric::ALL`].
    pub aspects: [u64; Metric::ALL.len()],
}

impl GoalSums {
    /// The sums of a block's games.
    pub(crate) fn of(objective: Objective, games: &[GameRows]) -> GoalSums {
        let mut sums = GoalSums::default();
        for GameRows { game, .. } in games {
            let of = [true, game.course.decided.is_some(), game.course.closeness.is_some()];
            sums.counts.iter_mut().zip(of).for_each(|(sum, of)| *sum += u64::from(of));
            if let Objective::Fairness(measure) = objective {
                let own = measure.of(game);
                sums.powers.resize(own.len(), 0);
                sums.powers.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            let own = Metric::ALL.into_iter().map(|aspect| aspect.of(game).unwrap_or(0));
            sums.aspects.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        sums
    }

    /// As a line of whole numbers: the games, those with a power on top, those that were counted, the aspects, the
    /// powers.
    pub(crate) fn to_numbers(&self) -> Vec<u64> {
        self.counts.iter().chain(&self.aspects).chain(&self.powers).copied().collect()
    }

    /// The block of such a line, for a board with this many powers.
    pub(crate) fn of_numbers(numbers: &[u64], objective: Objective, powers: usize) -> Option<GoalSums> {
        let (&counts, rest) = numbers.split_first_chunk::<3>()?;
        let (&aspects, own) = rest.split_first_chunk()?;
        let wanted = if objective.is_share() { powers } else { 0 };
        let is_whole =
            (1..=u64::from(u32::MAX)).contains(&counts[0]) && counts.iter().all(|&of| of <= counts[0]);
        (own.len() == wanted && is_whole).then(|| GoalSums { counts, powers: own.to_vec(), aspects })
    }

    /// How many of its games have a measure.
    pub(crate) fn count(&self, aspect: Metric) -> f64 {
        let count = match aspect {
            Metric::Decided | Metric::Drama => 1,
            Metric::Closeness => 2,
            _ => 0,
        };
        self.counts[count] as f64
    }

    /// The mean of an aspect over its games that have it, on a board with this many powers; `None` where no game has
    /// it.
    pub(crate) fn mean(&self, aspect: Metric, powers: usize) -> Option<f64> {
        let count = Some(self.count(aspect)).filter(|&count| count > 0.0)?;
        Some(self.aspects[aspect as usize] as f64 / aspect.unit(powers) / count)
    }

    /// The mean value of each power over its games; empty where fairness is not the objective.
    pub(crate) fn of_powers(&self, objective: Objective) -> Vec<f64> {
        let Objective::Fairness(measure) = objective else { return Vec::new() };
        let unit = measure.unit() * self.counts[0].max(1) as f64;
        self.powers.iter().map(|&sum| sum as f64 / unit).collect()
    }
}

/// The contributions of these blocks to the objective, on a board with this many powers.
pub(crate) fn series<'b>(
    objective: Objective,
    powers: usize,
    blocks: impl IntoIterator<Item = &'b GoalSums>,
) -> BlockVectors {
    let width = if objective.is_share() { powers } else { 1 };
    let mut series = BlockVectors::new(width);
    for block in blocks {
        match objective {
            Objective::Fairness(_) => {
                let own = block.of_powers(objective);
                let total: f64 = own.iter().sum();
                let even = total / powers.max(1) as f64;
                series.push(own.into_iter().map(|own| own - even), total);
            }
            Objective::Near { of, target } => {
                // The mean of a measure that not every game has is a quotient, like a share.
                let part = block.count(of) / block.counts[0].max(1) as f64;
                series.push([block.mean(of, powers).map_or(0.0, |mean| (mean - target) * part)], part);
            }
        }
    }
    series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::statistic::Mean;
    use upheaval_harness::sim::mock;

    #[test]
    fn a_block_is_the_sum_of_its_games_and_comes_back_from_its_numbers() {
        let games: Vec<GameRows> = (0..7).map(mock::game).collect();
        for objective in [
            Objective::Fairness(FairnessMeasure::Centres),
            Objective::Near { of: Metric::Length, target: 10.0 },
        ] {
            let block = GoalSums::of(objective, &games);
            assert_eq!(GoalSums::of_numbers(&block.to_numbers(), objective, 7), Some(block.clone()));
            let numbers = block.to_numbers();
            assert_eq!(GoalSums::of_numbers(&numbers[..5], objective, 7), None);
            // More games with a power on top than games.
            let wrong = [&numbers[..1], &[8], &numbers[2..]].concat();
            assert_eq!(GoalSums::of_numbers(&wrong, objective, 7), None);
            let mean = |aspect: Metric| block.mean(aspect, 7).unwrap();
            let years: u64 = games.iter().map(|game| u64::from(game.game.years)).sum();
            assert!((mean(Metric::Length) - years as f64 / 7.0).abs() < 1e-12);
            let standing = games.iter().flat_map(|game| game.game.seats.rows()).filter(|seat| seat.units > 0);
            assert!((mean(Metric::Survival) - standing.count() as f64 / 49.0).abs() < 1e-12);
            // The mock's first game has no power on top.
            assert_eq!(block.counts, [7, 6, 7]);
            let years: u64 = games[1..].iter().map(|game| u64::from(game.game.years)).sum();
            assert!((mean(Metric::Decided) - years as f64 / 6.0).abs() < 1e-12);
        }
        let lead = |game: &GameRow| {
            let mut centres: Vec<u16> = game.seats.rows().iter().map(|seat| seat.centres).collect();
            centres.sort_unstable();
            u64::from(centres[6] - centres[5])
        };
        games.iter().for_each(|game| assert_eq!(Metric::Lead.of(&game.game), Some(lead(&game.game))));
    }

    /// The mean over the games that have a measure is the one that `upheaval balance` reports, whatever their number in
    /// a block.
    #[test]
    fn what_not_every_game_has_is_a_mean_over_those_that_have_it() {
        let games: Vec<GameRows> = (0..60).map(mock::game).collect();
        let objective = Objective::Fairness(FairnessMeasure::Score);
        let blocks: Vec<GoalSums> = games.chunks(3).map(|games| GoalSums::of(objective, games)).collect();
        let of = |value: fn(&GameRow) -> Option<f64>| {
            let values: Vec<f64> = games.iter().filter_map(|game| value(&game.game)).collect();
            values.iter().sum::<f64>() / values.len() as f64
        };
        let drama = of(|game| game.course.drama.map(|drama| f64::from(drama) / 1000.0));
        let decided = of(|game| game.course.decided.map(|year| f64::from(year - 1900)));
        let closeness = of(|game| game.course.closeness.map(|of| f64::from(of) / 1000.0));
        let changes = of(|game| Some(f64::from(game.course.lead_changes)));
        for (aspect, expected) in [
            (Metric::Drama, drama),
            (Metric::Decided, decided),
            (Metric::Closeness, closeness),
            (Metric::LeadChanges, changes),
        ] {
            let parts = aspect.parts(7, &blocks);
            assert_eq!(parts.len(), 20);
            let mean = parts.iter().sum::<f64>() / 20.0;
            assert!((mean - expected).abs() < 1e-12, "{aspect:?}: {mean} {expected}");
            // As an objective: its squared distance from the value, minus what chance adds.
            let near = series(Objective::Near { of: aspect, target: expected + 10.0 }, 7, &blocks);
            let figure = near.pseudo_values().and_then(|of| Mean::of(&of)).unwrap();
            assert!((figure.mean - 100.0).abs() < 1.0, "{aspect:?}: {figure:?}");
            let near = series(Objective::Near { of: aspect, target: expected }, 7, &blocks)
                .pseudo_values()
                .and_then(|of| Mean::of(&of))
                .unwrap();
            assert!(near.mean <= 0.0, "{near:?}: at the mean itself it is minus what chance adds");
        }
        // Without any such game there is no mean.
        let none = GoalSums { counts: [3, 0, 0], ..GoalSums::default() };
        assert_eq!((none.mean(Metric::Drama, 7), Metric::Drama.parts(7, [&none]).len()), (None, 0));
    }

    /// The objective is the square of the distance that `upheaval balance` reports, except that it can be negative.
    #[test]
    fn the_objective_is_the_corrected_distance_of_a_balance_squared() {
        let blocks: Vec<GoalSums> = (0..40)
            .map(|block| {
                let games: Vec<GameRows> = (7 * block..7 * block + 7).map(mock::game).collect();
                GoalSums::of(Objective::Fairness(FairnessMeasure::Centres), &games)
            })
            .collect();
        let own = series(Objective::Fairness(FairnessMeasure::Centres), 7, &blocks)
            .pseudo_values()
            .and_then(|of| Mean::of(&of))
            .unwrap();
        let of = |block: &GoalSums| {
            let centres = block.powers.clone();
            crate::balance::tally::BlockSums {
                block: 0,
                games: block.counts[0] as u32,
                sums: [centres.clone(), centres.clone(), centres.clone(), centres],
            }
        };
        let sums: Vec<_> = blocks.iter().map(of).collect();
        let (fairness, _) =
            crate::balance::fairness::fairness(&upheaval_map::ids::PowerNames::standard(), &sums, 1);
        let of_centres = fairness.iter().find(|of| of.measure == FairnessMeasure::Centres).unwrap();
        let distance = of_centres.distance.unwrap();
        let squared = distance.found.powi(2) - distance.by_chance.unwrap().powi(2);
        assert!(
            (own.mean - squared).abs() < 0.02 * distance.by_chance.unwrap().powi(2),
            "{} {squared}",
            own.mean
        );
    }
}
