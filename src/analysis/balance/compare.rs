//! Two cells side by side: what is the effect of another parameter, or of another line-up?

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;
use statrs::function::factorial::ln_binomial;

use crate::Estimate;
use crate::balance::cell::{Needed, needed};
use crate::balance::ranking::{ComparedCell, RankedCells};
use crate::balance::sample::{Sample, holm};
use crate::balance::tally::{BlockSums, FairnessMeasure};
use crate::estimate::{Spread, t_quantile, t_upper_of};
use upheaval_map::ids::Power;

/// A cell minus another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The arm.
    pub arm: String,
    /// Its line-up.
    pub line_up: usize,
    /// The arm it is compared with.
    pub against: String,
    /// The line-up of that arm.
    pub against_line_up: usize,
    /// How many blocks both cells have: these are paired. With 0 they have none in common, and the blocks of one cell
    /// are taken to be independent of those of the other.
    pub paired_blocks: u64,
    /// The differences by measure.
    pub measures: Vec<MeasureDifference>,
}

/// The differences in one measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureDifference {
    /// The measure.
    pub measure: FairnessMeasure,
    /// By power, with Holm's correction for all powers.
    pub powers: BTreeMap<String, Option<Difference>>,
    /// For all powers together: for solos, the share of games that end in one.
    pub together: Option<Difference>,
    /// For the corrected distances from equal shares. The interval is that of the ranking: it excludes 0 exactly where
    /// the two cells are distinguished there.
    pub distance: Option<Estimate>,
}

/// A difference of means per game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The difference.
    pub difference: Estimate,
    /// By a t test over blocks; `None` where a side has only one block, or no power on either side has any.
    pub p: Option<f64>,
    /// After Holm's correction for all powers, and of line-ups for all that are compared with the first one.
    pub p_holm: Option<f64>,
    /// The width of the interval divided by its width without pairing the blocks: 0.5 is worth four times the games.
    /// `None` where blocks are not paired, or where nothing varies.
    pub narrowed: Option<f64>,
    /// The smallest true difference that this number of blocks would show in four runs out of five, at the level of 5%.
    pub detectable: Option<f64>,
    /// How many games an interval of the requested width needs.
    pub needed: Option<Needed>,
}

/// One cell minus the other. `width` gives the requested width of an interval in each measure, `ranked` the cells among
/// which it is shown which are fairer.
pub(super) fn compare(
    one: &ComparedCell<'_>,
    other: &ComparedCell<'_>,
    width: impl Fn(FairnessMeasure) -> Option<f64>,
    ranked: &[RankedCells<'_>],
) -> Comparison {
    let common = common(one.blocks, other.blocks);
    let of_measure = |measure| {
        let ranked = ranked.iter().find(|ranked| ranked.measure == measure);
        let distance = ranked.and_then(|ranked| ranked.difference(one, other));
        MeasureDifference { distance, ..differences(one, other, &common, measure, width(measure)) }
    };
    Comparison {
        arm: one.arm.to_owned(),
        line_up: one.line_up,
        against: other.arm.to_owned(),
        against_line_up: other.line_up,
        paired_blocks: common.len() as u64,
        measures: FairnessMeasure::ALL.map(of_measure).into(),
    }
}

/// Corrects the p-values of comparisons by Holm's method, measure by measure, for all their powers together.
pub(super) fn correct(comparisons: &mut [Comparison]) {
    for measure in FairnessMeasure::ALL {
        let mut tested: Vec<&mut Difference> = comparisons
            .iter_mut()
            .map(|of| &mut of.measures[measure as usize].powers)
            .filter(|powers| powers.values().all(|of| of.is_some_and(|of| of.p.is_some())))
            .flat_map(|powers| powers.values_mut().filter_map(Option::as_mut))
            .collect();
        let values: Vec<f64> = tested.iter().filter_map(|of| of.p).collect();
        tested.iter_mut().zip(holm(&values)).for_each(|(of, p)| of.p_holm = Some(p));
    }
}

/// The blocks that both cells have with equal numbers of games.
pub(super) fn common<'a>(
    one: &'a [BlockSums],
    other: &'a [BlockSums],
) -> Vec<(&'a BlockSums, &'a BlockSums)> {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut pairs = Vec::new();
    while let (Some(a), Some(b)) = (one.peek(), other.peek()) {
        match a.block.cmp(&b.block) {
            Ordering::Less => drop(one.next()),
            Ordering::Greater => drop(other.next()),
            Ordering::Equal => {
                pairs.extend((a.games == b.games).then_some((*a, *b)));
                one.next();
                other.next();
            }
        }
    }
    pairs
}

fn differences(
    one: &ComparedCell<'_>,
    other: &ComparedCell<'_>,
    common: &[(&BlockSums, &BlockSums)],
    measure: FairnessMeasure,
    width: Option<f64>,
) -> MeasureDifference {
    let any = |side: &ComparedCell<'_>| side.blocks.iter().any(|block| block.together(measure) > 0.0);
    let untested = !any(one) && !any(other);
    let of = |value: &dyn Fn(&BlockSums) -> f64| {
        let difference = if common.is_empty() {
            unpaired(Sample::of(one.blocks.iter().map(value))?, Sample::of(other.blocks.iter().map(value))?)
        } else {
            let pairs = || common.iter().map(|(a, b)| (value(a), value(b)));
            let games = f64::from(common[0].0.games);
            paired(
                Sample::of(pairs().map(|(a, b)| a - b))?,
                Sample::of(pairs().map(|(a, _)| a))?,
                Sample::of(pairs().map(|(_, b)| b))?,
                games,
                width,
            )
        };
        // Where no power on either side has any, nothing could have been seen, and a p of 1 would claim that equality
        // was seen.
        Some(if untested { Difference { p: None, detectable: None, ..difference } } else { difference })
    };
    let of_power = |power: Power| (power, of(&|block| block.means(measure)[power.index()]));
    let powers = one.powers.by_name(one.powers.powers().iter().map(of_power));
    MeasureDifference { measure, powers, together: of(&|block| block.together(measure)), distance: None }
}

fn paired(difference: Sample, one: Sample, other: Sample, games: f64, width: Option<f64>) -> Difference {
    let (spread, error) = (difference.spread(), difference.error());
    let apart = one.error().zip(other.error()).map(|(a, b)| a.hypot(b));
    let needed = |(width, variance)| needed(variance, difference.moments.blocks, games, width);
    Difference {
        difference: difference.estimate(),
        p: difference.p(),
        p_holm: None,
        narrowed: error.zip(apart).filter(|(_, apart)| *apart > 0.0).map(|(error, apart)| error / apart),
        detectable: error.map(|_| spread.map_or(0.0, detectable)),
        needed: width.zip(difference.variance()).map(needed),
    }
}

/// B. L. Welch's test and interval. Where neither side varies, t is undefined; then p is the probability that blocks
/// assigned to two sides at random are separated as these are, in either direction.
pub(super) fn unpaired(one: Sample, other: Sample) -> Difference {
    let difference = one.mean - other.mean;
    let alone = Difference {
        difference: Estimate::alone(difference),
        p: None,
        p_holm: None,
        narrowed: None,
        detectable: None,
        needed: None,
    };
    if one.moments.blocks < 2 || other.moments.blocks < 2 {
        return alone;
    }
    let Some(spread) = Spread::of_difference(&[one.moments, other.moments.times(-1.0)]) else {
        let p = if difference == 0.0 {
            1.0
        } else {
            2.0 * (-ln_binomial(one.moments.blocks + other.moments.blocks, one.moments.blocks)).exp()
        };
        return Difference { p: Some(p), detectable: Some(0.0), ..alone };
    };
    Difference {
        difference: spread.around(difference),
        p: Some(spread.p(difference)),
        detectable: Some(detectable(spread)),
        ..alone
    }
}

/// The smallest true difference that is found in four runs out of five at the level of 5%.
fn detectable(spread: Spread) -> f64 {
    (t_upper_of(spread.freedom) + t_quantile(0.8, spread.freedom)) * spread.error()
}

#[cfg(test)]
mod tests;
