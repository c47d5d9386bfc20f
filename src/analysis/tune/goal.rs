//! What a search looks at in a game: the objective, and the measures that have bounds or stand against it.

use upheaval_harness::record::{GameRow, GameRows, SeatOutcome};

use super::statistic::Series;
use crate::balance::tally::Measure;

/// A number that every game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// Game years begun.
    Length,
    /// Is it won alone? The share of games that are.
    Solos,
    /// The share of the powers that have a unit on the board at the end.
    Survival,
    /// The centres of the first power at the end less those of the second: the closer the game, the fewer.
    Lead,
    /// Supply centres that the map still has at the end.
    Land,
}

impl Aspect {
    /// All of them, in the order of tables.
    pub const ALL: [Aspect; 5] =
        [Aspect::Length, Aspect::Solos, Aspect::Survival, Aspect::Lead, Aspect::Land];

    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Aspect::Length => "length",
            Aspect::Solos => "solos",
            Aspect::Survival => "survival",
            Aspect::Lead => "lead",
            Aspect::Land => "land",
        }
    }

    /// What it is, in a few words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Aspect::Length => "game years begun",
            Aspect::Solos => "share of games won alone",
            Aspect::Survival => "share of powers with a unit at the end",
            Aspect::Lead => "centres of the first power less those of the second at the end",
            Aspect::Land => "supply centres of the map at the end",
        }
    }

    /// The value of a game, as a whole number.
    fn of(self, game: &GameRow) -> u64 {
        let seats = game.seats.rows();
        match self {
            Aspect::Length => u64::from(game.years),
            Aspect::Solos => u64::from(seats.iter().any(|seat| seat.outcome == SeatOutcome::Won)),
            Aspect::Survival => seats.iter().filter(|seat| seat.units > 0).count() as u64,
            Aspect::Lead => {
                let (first, second) = seats.iter().fold((0, 0), |(first, second), seat| match seat.centres {
                    centres if centres > first => (centres, first),
                    centres => (first, second.max(centres)),
                });
                u64::from(first - second)
            }
            Aspect::Land => u64::from(game.extant_centres),
        }
    }
}

/// What is to be small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// How unfair it is: the mean squared distance of the powers' shares in this measure from even ones.
    Fairness(Measure),
    /// How far the mean of this is from a wanted value, squared.
    Near {
        /// The measure.
        of: Aspect,
        /// The wanted value.
        target: f64,
    },
}

/// The names of measures of fairness in files.
pub const fn name_of(measure: Measure) -> &'static str {
    match measure {
        Measure::Solos => "fairness.solos",
        Measure::Score => "fairness.score",
        Measure::Centres => "fairness.centres",
        Measure::Survival => "fairness.survival",
    }
}

impl Objective {
    /// Its name, as the file has it.
    pub fn name(self) -> String {
        match self {
            Objective::Fairness(measure) => name_of(measure).to_owned(),
            Objective::Near { of, target } => format!("{} near {target}", of.name()),
        }
    }
}

/// What is kept of a block: whole numbers, so that the order of games cannot show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockSums {
    /// Its games.
    pub games: u32,
    /// What each power has of the measure of fairness, in the units in which that is summed; none where it is not the
    /// objective.
    pub powers: Vec<u64>,
    /// The sum of each aspect, in the order of [`Aspect::ALL`].
    pub aspects: [u64; Aspect::ALL.len()],
}

impl BlockSums {
    /// The sums of a block's games.
    pub fn of(objective: Objective, games: &[GameRows]) -> BlockSums {
        let mut sums = BlockSums::default();
        for GameRows { game, .. } in games {
            sums.games += 1;
            if let Objective::Fairness(measure) = objective {
                let own = measure.of(game);
                sums.powers.resize(own.len(), 0);
                sums.powers.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            sums.aspects.iter_mut().zip(Aspect::ALL).for_each(|(sum, aspect)| *sum += aspect.of(game));
        }
        sums
    }

    /// As a line of whole numbers: the games, the aspects, the powers.
    pub fn to_numbers(&self) -> Vec<u64> {
        let BlockSums { games, powers, aspects } = self;
        [u64::from(*games)].into_iter().chain(*aspects).chain(powers.iter().copied()).collect()
    }

    /// The block of such a line, of a board with this many powers.
    pub fn of_numbers(numbers: &[u64], objective: Objective, powers: usize) -> Option<BlockSums> {
        let (games, rest) = numbers.split_first()?;
        let (aspects, own) = rest.split_first_chunk()?;
        let wanted = if matches!(objective, Objective::Fairness(_)) { powers } else { 0 };
        let games = u32::try_from(*games).ok().filter(|&games| games > 0)?;
        (own.len() == wanted).then(|| BlockSums { games, powers: own.to_vec(), aspects: *aspects })
    }

    /// The mean of an aspect over its games, on a board with this many powers.
    pub fn mean(&self, aspect: Aspect, powers: usize) -> f64 {
        let games = f64::from(self.games.max(1));
        let mean = self.aspects[aspect as usize] as f64 / games;
        if aspect == Aspect::Survival { mean / powers.max(1) as f64 } else { mean }
    }

    /// The mean of what each power has over its games; none where no measure of fairness is the objective.
    pub fn of_powers(&self, objective: Objective) -> Vec<f64> {
        let Objective::Fairness(measure) = objective else { return Vec::new() };
        let unit = measure.unit() * f64::from(self.games.max(1));
        self.powers.iter().map(|&sum| sum as f64 / unit).collect()
    }
}

/// What these blocks say of the objective, on a board with this many powers.
pub fn series<'b>(
    objective: Objective,
    powers: usize,
    blocks: impl IntoIterator<Item = &'b BlockSums>,
) -> Series {
    let width = if matches!(objective, Objective::Fairness(_)) { powers } else { 1 };
    let mut series = Series::new(width);
    for block in blocks {
        match objective {
            Objective::Fairness(_) => {
                let own = block.of_powers(objective);
                let total: f64 = own.iter().sum();
                let even = total / powers.max(1) as f64;
                series.push(own.into_iter().map(|own| own - even), total);
            }
            Objective::Near { of, target } => series.push([block.mean(of, powers) - target], 1.0),
        }
    }
    series
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_harness::sim::mock;

    #[test]
    fn a_block_is_the_sum_of_its_games_and_comes_back_from_its_numbers() {
        let games: Vec<GameRows> = (0..7).map(mock::game).collect();
        for objective in
            [Objective::Fairness(Measure::Centres), Objective::Near { of: Aspect::Length, target: 10.0 }]
        {
            let block = BlockSums::of(objective, &games);
            assert_eq!(BlockSums::of_numbers(&block.to_numbers(), objective, 7), Some(block.clone()));
            assert_eq!(BlockSums::of_numbers(&block.to_numbers()[..5], objective, 7), None);
            let years: u64 = games.iter().map(|game| u64::from(game.game.years)).sum();
            assert!((block.mean(Aspect::Length, 7) - years as f64 / 7.0).abs() < 1e-12);
            let standing = games.iter().flat_map(|game| game.game.seats.rows()).filter(|seat| seat.units > 0);
            assert!((block.mean(Aspect::Survival, 7) - standing.count() as f64 / 49.0).abs() < 1e-12);
        }
        let lead = |game: &GameRow| {
            let mut centres: Vec<u16> = game.seats.rows().iter().map(|seat| seat.centres).collect();
            centres.sort_unstable();
            u64::from(centres[6] - centres[5])
        };
        games.iter().for_each(|game| assert_eq!(Aspect::Lead.of(&game.game), lead(&game.game)));
    }

    /// The objective is the square of the distance that `upheaval balance` tells, but for the cut at nought.
    #[test]
    fn the_objective_is_the_corrected_distance_of_a_balance_squared() {
        let blocks: Vec<BlockSums> = (0..40)
            .map(|block| {
                let games: Vec<GameRows> = (7 * block..7 * block + 7).map(mock::game).collect();
                BlockSums::of(Objective::Fairness(Measure::Centres), &games)
            })
            .collect();
        let own = series(Objective::Fairness(Measure::Centres), 7, &blocks).figure().unwrap();
        let of = |block: &BlockSums| {
            let centres = block.powers.clone();
            crate::balance::tally::BlockSums::of(
                0,
                block.games,
                [centres.clone(), centres.clone(), centres.clone(), centres],
            )
        };
        let sums: Vec<_> = blocks.iter().map(of).collect();
        let (fairness, _) = crate::balance::fairness::fairness(upheaval_map::ids::Powers::STANDARD, &sums, 1);
        let of_centres = fairness.iter().find(|of| of.measure == Measure::Centres).unwrap();
        let distance = of_centres.distance.unwrap();
        let squared = distance.found.powi(2) - distance.by_chance.unwrap().powi(2);
        assert!(
            (own.mean - squared).abs() < 0.02 * distance.by_chance.unwrap().powi(2),
            "{} {squared}",
            own.mean
        );
    }
}
