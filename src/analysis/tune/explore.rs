//! Single settings, for a caller that decides itself where to look next: for spaces that are too large to play every
//! setting.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use crate::tune::file::{CheckedSearch, SeedStage};
use crate::tune::goal::{Aspect, GoalSums, series};
use crate::tune::play::GameTable;
use crate::tune::race::{UNKNOWN, worst};
use crate::tune::search::Task;
use crate::tune::statistic::{LEAST_BLOCKS, Mean};
use upheaval_engine::diagnostic::Source;
use upheaval_harness::sim::{Catalogue, ExperimentError, Observer, Overrides, RunError};

/// The number of blocks that exist.
const MOST_BLOCKS: u32 = 1_000_000;

/// One setting of a search, with the blocks played so far: no block is played twice.
pub struct TunedPoint {
    tuning: CheckedSearch,
    table: GameTable,
    /// By stage and bot.
    played: [Vec<BTreeMap<u32, GoalSums>>; 2],
}

/// The result of some blocks of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The bot with which it is worst in these blocks, by its index.
    pub bot: usize,
    /// The objective with that bot, as the contribution of each block: their mean is the unbiased objective, and the
    /// contributions of two settings on the same blocks are paired.
    pub parts: Vec<f64>,
    /// The objective with each bot.
    pub by_bot: Vec<Mean>,
    /// Every measure with the worst bot, in the order of [`Aspect::ALL`]; NaN where no game has it.
    pub aspects: Vec<Mean>,
    /// For each bound of the file, by how much its measure exceeds it, with the bot where this is largest: 0 or less is
    /// within the bound.
    pub beyond: Vec<Mean>,
}

/// Why blocks cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// There are too few of them.
    #[error("{found} blocks are too few for a squared distance: take at least {LEAST_BLOCKS}")]
    TooFew {
        /// How many.
        found: usize,
    },
    /// They are beyond the last block.
    #[error("there are {MOST_BLOCKS} blocks, from 0 on; block {end} does not exist")]
    Beyond {
        /// Where they end.
        end: u32,
    },
}

impl TunedPoint {
    /// The setting of a search file that the overrides pick ([`Overrides::pick`]).
    ///
    /// # Errors
    /// The file has a fault, or there is no such setting.
    pub fn check(
        source: &Source,
        base: &Path,
        overrides: &Overrides,
        catalogue: &impl Catalogue,
    ) -> Result<TunedPoint, ExperimentError> {
        let tuning = CheckedSearch::check(source, base, overrides, catalogue)?;
        let played = || vec![BTreeMap::new(); tuning.bots()];
        Ok(TunedPoint { table: GameTable::of(&tuning), played: [played(), played()], tuning })
    }

    /// The search, with this setting alone.
    pub fn tuning(&self) -> &CheckedSearch {
        &self.tuning
    }

    /// Checks that these blocks can be measured.
    ///
    /// # Errors
    /// They are too few, or they do not exist.
    pub fn look(blocks: &Range<u32>) -> Result<(), MeasureError> {
        match blocks {
            blocks if blocks.end > MOST_BLOCKS => Err(MeasureError::Beyond { end: blocks.end }),
            blocks if blocks.len() < LEAST_BLOCKS as usize => {
                Err(MeasureError::TooFew { found: blocks.len() })
            }
            _ => Ok(()),
        }
    }

    /// Plays those of these blocks that have not been played yet with all bots, on the threads of the file or the
    /// caller, and returns the result. The blocks must have passed [`TunedPoint::look`].
    ///
    /// # Errors
    /// The threads cannot be started, or the observer stopped it.
    pub fn measure(
        &mut self,
        stage: SeedStage,
        blocks: Range<u32>,
        observer: &dyn Observer,
    ) -> Result<Measured, RunError<MeasureError>> {
        TunedPoint::look(&blocks).map_err(RunError::Sink)?;
        let threads = self.tuning.experiment.threads;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("upheaval-{i}"))
            .build()
            .map_err(|source| RunError::Threads { threads, source })?;
        for (bot, played) in self.played[stage as usize].iter_mut().enumerate() {
            let wanted: Vec<u32> = blocks.clone().filter(|block| !played.contains_key(block)).collect();
            for stretch in wanted.chunk_by(|a, b| a + 1 == *b) {
                let task = Task { stage, bot, arm: 0, first: stretch[0], count: stretch.len() as u32 };
                let sums = pool.install(|| self.table.play(task, observer))?;
                played.extend(stretch.iter().copied().zip(sums));
            }
        }
        Ok(self.read(stage, &blocks))
    }

    fn read(&self, stage: SeedStage, blocks: &Range<u32>) -> Measured {
        let (powers, objective) = (self.tuning.powers(), self.tuning.objective);
        let nothing = Mean { mean: f64::NAN, sem: f64::NAN, blocks: 0 };
        let of = |bot: usize| self.played[stage as usize][bot].range(blocks.clone()).map(|(_, sums)| sums);
        let mut parts: Vec<Vec<f64>> = (0..self.tuning.bots())
            .map(|bot| series(objective, powers, of(bot)).pseudo_values().unwrap_or_default())
            .collect();
        let by_bot: Vec<Mean> = parts.iter().map(|parts| Mean::of(parts).unwrap_or(UNKNOWN)).collect();
        let (bot, _) = worst(&by_bot);
        let mean_of =
            |aspect: Aspect, bot: usize| Mean::of(&aspect.parts(powers, of(bot))).unwrap_or(nothing);
        let aspects = Aspect::ALL.map(|aspect| mean_of(aspect, bot)).to_vec();
        let limits = self.tuning.limits();
        let beyond = self.tuning.bounds.iter().zip(limits).map(|(bound, limits)| {
            let among = (0..self.tuning.bots()).map(|bot| mean_of(bound.of, bot));
            let beyond = among.map(|mean| Mean { mean: limits.beyond(mean.mean), ..mean });
            // A measure that no game has is not within any bound.
            let far = |mean: &Mean| if mean.mean.is_nan() { f64::INFINITY } else { mean.mean };
            beyond.max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(nothing)
        });
        let beyond = beyond.collect();
        Measured { bot, parts: parts.swap_remove(bot), by_bot, aspects, beyond }
    }
}
