//! How the choice of bot affects the verdict: the line-ups of an arm side by side.
//!
//! Rules that favour a power in the hands of one bot may hurt it in those of another. A report on the fairness of rules
//! therefore has to say this first. One family of differences decides: those of the powers' shares between line-ups.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::balance::cell::{CellBalance, Needed, needed_for_equivalence};
use crate::balance::compare::{common, unpaired};
use crate::balance::fairness::{Fairness, LEVEL};
use crate::balance::ranking::{ComparedCell, pairs};
use crate::balance::sample::{Sample, holm};
use crate::balance::source::LineUpSeating;
use crate::balance::tally::{BlockSums, FairnessMeasure};
use upheaval_harness::record::GameEnd;

/// What the line-ups of an arm say about one measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The arm.
    pub arm: String,
    /// The measure.
    pub measure: FairnessMeasure,
    /// Do they agree?
    pub verdict: AgreementVerdict,
    /// The line-ups agree where every power's shares with any two of them are shown to differ by less than this part of
    /// the total.
    pub margin: f64,
    /// The p-value of "some power's shares with two line-ups differ by the margin or more": the greatest of all powers
    /// and pairs of line-ups, after Holm's correction for all measures and arms. `None` where it cannot be tested.
    pub p_equivalent: Option<f64>,
    /// The least p-value of "a power has the same share as with the first line-up", after Holm's correction for all
    /// powers and line-ups. `None` where it cannot be tested.
    pub p_different: Option<f64>,
    /// The powers whose share is shown to differ between the first line-up and another.
    pub different: Vec<String>,
    /// Those of them that have more than an equal share with one line-up and less with another, both significantly.
    pub opposed: Vec<String>,
    /// How many games of each line-up would show agreement in four runs of five, if the shares differ as they do here
    /// apart from chance. `None` where agreement is shown or cannot be tested, and where the shares differ by more than
    /// the margin: no number of games would do then.
    pub needed: Option<Needed>,
    /// The view of each line-up. Line-ups in which every power has a bot of its own say nothing about the powers and
    /// are left out.
    pub line_ups: Vec<LineUpView>,
    /// The line-ups two by two.
    pub pairs: Vec<LineUpPair>,
}

/// Do line-ups agree?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgreementVerdict {
    /// The share of some power is shown to differ, and agreement is not shown.
    Disagree,
    /// All shares are shown to differ by less than the margin.
    Agree,
    /// There are too few games to say.
    Undecided,
}

/// The view of one line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineUpView {
    /// The line-up's number.
    pub line_up: usize,
    /// Its bots.
    pub bots: Vec<String>,
    /// Are the powers shown to be unequal? `None` where nothing can be tested.
    pub unequal: Option<bool>,
    /// The powers that are shown to have more than an equal share, in their order.
    pub ahead: Vec<String>,
    /// Those with less.
    pub behind: Vec<String>,
}

/// Two line-ups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineUpPair {
    /// One line-up.
    pub line_up: usize,
    /// The other line-up.
    pub other: usize,
    /// Spearman's correlation of the shares, from −1 to 1; `None` where all powers are equal in one of them.
    pub correlation: Option<f64>,
    /// The power whose shares differ most; `None` where the shares cannot be compared.
    pub farthest: Option<Farthest>,
}

/// The power whose shares differ most between two line-ups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Farthest {
    /// The power.
    pub power: String,
    /// Its share with the one line-up minus its share with the other.
    pub difference: f64,
}

impl Agreement {
    /// The verdict in a sentence or two.
    pub fn sentence(&self) -> String {
        let measure = self.measure.name();
        let margin = format!("{:.1} points", 100.0 * self.margin);
        match self.verdict {
            AgreementVerdict::Disagree => {
                let (of, share) = if let [one] = &*self.different {
                    (one.clone(), "share")
                } else {
                    (self.different.join(", "), "shares")
                };
                let opposed = match self.opposed.join(", ") {
                    none if none.is_empty() => none,
                    of => format!(" More than an equal share with one, less with another: {of}."),
                };
                format!("The bots disagree in {measure}: line-ups differ in the {share} of {of}.{opposed}")
            }
            AgreementVerdict::Agree => format!(
                "The bots agree in {measure}: with any two line-ups, each power's shares of the whole differ by less than {margin}."
            ),
            AgreementVerdict::Undecided => self.undecided(measure, &margin),
        }
    }

    /// Why neither is shown, and how many games would show agreement.
    fn undecided(&self, measure: &str, margin: &str) -> String {
        if let Some(Needed { blocks, games, more_games, .. }) = self.needed {
            return format!(
                "Too few games to say whether the bots agree in {measure} to within {margin}: about {blocks} blocks of each line-up ({games} games, {more_games} more) would be enough."
            );
        }
        let why = match self.p_equivalent {
            None => "nothing varies from block to block, or nearly all games ended alike".to_owned(),
            Some(_) => format!("as far as these games show, shares differ by more than {margin}"),
        };
        format!("It is not known whether the bots agree in {measure}: {why}.")
    }
}

impl LineUpView {
    /// The view in words.
    pub fn words(&self) -> String {
        let mut words = match self.unequal {
            Some(true) => "the powers are unequal".to_owned(),
            Some(false) => "the powers are not shown to be unequal".to_owned(),
            None => "too little varies for a test".to_owned(),
        };
        for (side, powers) in [("ahead", &self.ahead), ("behind", &self.behind)] {
            if !powers.is_empty() {
                words += &format!("; {side}: {}", powers.join(", "));
            }
        }
        words
    }
}

/// A cell with its blocks.
type Side<'a> = (&'a CellBalance, &'a ComparedCell<'a>);

/// What the line-ups of each arm say about each measure, for arms with at least two line-ups that say something about
/// the powers: arm by arm, the measures that they disagree in first. `margin` is in parts of an equal share.
pub(crate) fn agreements(cells: &[CellBalance], sides: &[ComparedCell<'_>], margin: f64) -> Vec<Agreement> {
    let sides: Vec<Side<'_>> = cells.iter().zip(sides).collect();
    let of_arms = sides.chunk_by(|(a, _), (b, _)| a.arm == b.arm);
    let is_seated = |(cell, _): &&Side<'_>| cell.seating.seats != LineUpSeating::Fixed;
    let mut arms: Vec<Vec<Side<'_>>> =
        of_arms.map(|sides| sides.iter().filter(is_seated).copied().collect()).collect();
    arms.retain(|sides| sides.len() > 1);
    let asked = arms.iter().flat_map(|sides| FairnessMeasure::ALL.map(|measure| (sides, measure)));
    let evidence: Vec<(&Vec<Side<'_>>, FairnessMeasure, Evidence)> =
        asked.map(|(sides, measure)| (sides, measure, Evidence::of(sides, measure, margin))).collect();
    // All statements that bots agree hold together. Those that cannot be tested count among them.
    let values: Vec<f64> = evidence.iter().map(|(.., of)| of.p_equivalent().unwrap_or(1.0)).collect();
    let level = LEVEL / evidence.len().max(1) as f64;
    let all = evidence.iter().zip(holm(&values));
    let mut all: Vec<Agreement> =
        all.map(|((sides, measure, of), p)| of.agreement(sides, *measure, p, level)).collect();
    for of_arm in all.chunk_by_mut(|a, b| a.arm == b.arm) {
        of_arm.sort_by_key(|of| of.verdict != AgreementVerdict::Disagree);
    }
    all
}

/// What is known of the shares of an arm with its line-ups.
struct Evidence {
    margin: f64,
    /// Did nearly all games of a line-up end alike and without a winner? Equal scores are not evidence then.
    alike: bool,
    /// The pairs of line-ups by their positions, with the differences of all powers; `None` where they cannot be
    /// compared.
    pairs: Vec<(usize, usize, Option<Vec<ShareDifference>>)>,
}

impl Evidence {
    fn of(sides: &[Side<'_>], measure: FairnessMeasure, margin: f64) -> Evidence {
        let of = |i: usize, j: usize| ShareDifference::of(sides[i].1.blocks, sides[j].1.blocks, measure);
        let pairs = pairs(sides.len()).map(|(i, j)| (i, j, of(i, j))).collect();
        let scored = matches!(measure, FairnessMeasure::Solos | FairnessMeasure::Score);
        let without_winner =
            |(cell, _): &Side<'_>| cell.ended_alike().is_some_and(|(end, _)| end != GameEnd::Solo);
        let alike = scored && sides.iter().any(without_winner);
        Evidence { margin: margin / sides[0].0.powers.len() as f64, alike, pairs }
    }

    /// All differences; `None` if some line-ups cannot be compared, and if equal scores are not evidence.
    fn all(&self) -> Option<Vec<ShareDifference>> {
        if self.alike {
            return None;
        }
        let all: Option<Vec<_>> = self.pairs.iter().map(|(.., of)| of.clone()).collect();
        all.map(|all| all.concat())
    }

    /// The p-value of "some shares differ by the margin or more". Every difference must be shown to be smaller, so the
    /// greatest value is that of the whole statement, without a correction (R. L. Berger, Technometrics 24, 1982).
    fn p_equivalent(&self) -> Option<f64> {
        let all = self.all()?;
        Some(all.iter().map(|of| of.p_equivalent(self.margin)).fold(0.0, f64::max))
    }

    /// The p-values of "a power has the same share as with the first line-up": by power, the least of all line-ups,
    /// after Holm's correction for all powers and line-ups.
    fn p_different(&self) -> Option<Vec<f64>> {
        let with_first: Vec<&Vec<ShareDifference>> =
            self.pairs.iter().filter(|(first, ..)| *first == 0).filter_map(|(.., of)| of.as_ref()).collect();
        let powers = with_first.first()?.len();
        let values: Vec<f64> = with_first.iter().flat_map(|of| of.iter().map(|of| of.p)).collect();
        let adjusted = holm(&values);
        let least = |power: usize| adjusted.iter().skip(power).step_by(powers).copied().fold(1.0, f64::min);
        Some((0..powers).map(least).collect())
    }

    fn agreement(
        &self,
        sides: &[Side<'_>],
        measure: FairnessMeasure,
        p_equivalent: f64,
        level: f64,
    ) -> Agreement {
        let cells: Vec<&CellBalance> = sides.iter().map(|(cell, _)| *cell).collect();
        let line_ups: Vec<LineUpView> = cells.iter().map(|cell| view(cell, measure)).collect();
        let powers = || cells[0].powers.keys();
        let p_equivalent = self.all().map(|_| p_equivalent);
        let p_different = self.p_different();
        let verdict = if p_equivalent.is_some_and(|p| p < LEVEL) {
            AgreementVerdict::Agree
        } else if p_different.iter().flatten().any(|&p| p < LEVEL) {
            AgreementVerdict::Disagree
        } else {
            AgreementVerdict::Undecided
        };
        let different = powers().zip(p_different.iter().flatten()).filter(|(_, p)| **p < LEVEL);
        let different: Vec<String> = different.map(|(power, _)| power.clone()).collect();
        let with_any = |side: fn(&LineUpView) -> &Vec<String>, power: &String| {
            line_ups.iter().any(|view| side(view).contains(power))
        };
        let is_opposed =
            |power: &&String| with_any(|view| &view.ahead, power) && with_any(|view| &view.behind, power);
        let pairs = self.pairs.iter().map(|(i, j, differences)| LineUpPair {
            line_up: cells[*i].line_up,
            other: cells[*j].line_up,
            correlation: shares(cells[*i].fairness(measure))
                .zip(shares(cells[*j].fairness(measure)))
                .and_then(|(a, b)| spearman(&a, &b)),
            farthest: differences.as_ref().and_then(|of| {
                let differences = powers().zip(of.iter().map(|of| of.difference));
                let farthest = differences.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()));
                farthest.map(|(power, difference)| Farthest { power: power.clone(), difference })
            }),
        });
        Agreement {
            arm: cells[0].arm.clone(),
            measure,
            verdict,
            margin: self.margin,
            p_equivalent,
            p_different: p_different.map(|of| of.into_iter().fold(1.0, f64::min)),
            opposed: different.iter().filter(is_opposed).cloned().collect(),
            different,
            needed: if verdict == AgreementVerdict::Agree { None } else { self.needed(sides, level) },
            pairs: pairs.collect(),
            line_ups,
        }
    }

    /// How many games would show agreement.
    fn needed(&self, sides: &[Side<'_>], level: f64) -> Option<Needed> {
        let blocks = sides.iter().map(|(cell, _)| cell.blocks).min()?;
        let room = self.all()?.iter().map(|of| of.room(self.margin)).fold(f64::INFINITY, f64::min);
        needed_for_equivalence(room, level, blocks, sides[0].0.games as f64 / sides[0].0.blocks as f64)
    }
}

fn view(cell: &CellBalance, measure: FairnessMeasure) -> LineUpView {
    let fairness = cell.fairness(measure);
    LineUpView {
        line_up: cell.line_up,
        bots: cell.seating.bots.clone(),
        unequal: fairness.unequal(),
        ahead: fairness.apart(true).cloned().collect(),
        behind: fairness.apart(false).cloned().collect(),
    }
}

fn shares(of: &Fairness) -> Option<Vec<f64>> {
    of.shares.as_ref().map(|shares| shares.values().copied().collect())
}

/// Spearman's rank correlation of two equally long lists of numbers; equal numbers share their mean rank. `None` where
/// all numbers of one list are equal.
pub(crate) fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let spread = (product(&a, &a) * product(&b, &b)).sqrt();
    (spread > 0.0).then(|| product(&a, &b) / spread)
}

/// The rank of each number, starting at 1.
fn ranks(values: &[f64]) -> Vec<f64> {
    let count = |is: &dyn Fn(f64) -> bool| values.iter().filter(|value| is(**value)).count() as f64;
    let rank = |&own: &f64| count(&|other| other < own) + (count(&|other| other == own) + 1.0) / 2.0;
    values.iter().map(rank).collect()
}

// Do two line-ups give a power the same share of the total? A test of a difference, and one of its absence.
//
// A difference that is not shown is not agreement: few games show nothing. Shares are called equal only where two
// one-sided t tests (D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987) show that they lie
// less than a margin apart.

/// How many events of the mean size are added to the spread of every power: one that was seen to win never or always
/// may be as many events away from it. 95% of samples with 2.7 expected events would have some, and 1.645² is 2.7.
const UNSEEN: f64 = 2.7;

/// The share of one power with one line-up minus its share with another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShareDifference {
    /// The difference.
    pub difference: f64,
    /// Two-sided, of "the difference is 0".
    pub p: f64,
    /// The standard error, including events that were not seen.
    error: f64,
    freedom: f64,
    /// Of how many blocks it is.
    blocks: f64,
}

impl ShareDifference {
    /// The differences of all powers. They are taken over the blocks that both sides have, block by block, or over all
    /// blocks where the two have none in common. `None` where a side has fewer than two blocks or nothing to share, or
    /// where no block differs from another.
    pub(crate) fn of(
        one: &[BlockSums],
        other: &[BlockSums],
        measure: FairnessMeasure,
    ) -> Option<Vec<ShareDifference>> {
        let common = common(one, other);
        if common.is_empty() {
            let (one, other) = (Linear::of(one.iter(), measure)?, Linear::of(other.iter(), measure)?);
            let (a, b) = (one.unseen(), other.unseen());
            let of = |power: usize| {
                let (one, other) = (one.sample(power)?, other.sample(power)?);
                let p = unpaired(one, other).p?;
                let squares = [one.square(a)?, other.square(b)?];
                let error = squares.iter().sum::<f64>().sqrt();
                let parts = squares[0].powi(2) / (one.moments.blocks - 1) as f64
                    + squares[1].powi(2) / (other.moments.blocks - 1) as f64;
                let freedom = if parts > 0.0 { error.powi(4) / parts } else { 1.0 };
                let blocks = one.moments.blocks.min(other.moments.blocks) as f64;
                Some(ShareDifference { difference: one.mean - other.mean, p, error, freedom, blocks })
            };
            return (0..one.powers()).map(of).collect::<Option<Vec<_>>>().filter(|all| varies(all));
        }
        let one = Linear::of(common.iter().map(|(one, _)| *one), measure)?;
        let other = Linear::of(common.iter().map(|(_, other)| *other), measure)?;
        let difference = one.minus(&other);
        let unseen = difference.unseen();
        let of = |power: usize| {
            let sample = difference.sample(power)?;
            let error = sample.square(unseen)?.sqrt();
            let (blocks, freedom) = (sample.moments.blocks as f64, sample.moments.blocks as f64 - 1.0);
            Some(ShareDifference { difference: sample.mean, p: sample.p()?, error, freedom, blocks })
        };
        (0..difference.powers()).map(of).collect::<Option<Vec<_>>>().filter(|all| varies(all))
    }

    /// The greater p-value of two one-sided t tests: of "the difference is not below the margin", and of "it is not
    /// above the margin below 0". If it is below 0.05, the true difference is smaller than the margin.
    pub(crate) fn p_equivalent(self, margin: f64) -> f64 {
        let t = (margin - self.difference.abs()) / self.error;
        StudentsT::new(0.0, 1.0, self.freedom).map_or(1.0, |student| student.sf(t))
    }

    /// How many standard deviations of a block lie between the difference, without what chance adds to it, and the
    /// margin. Negative where the difference is greater than the margin.
    pub(crate) fn room(self, margin: f64) -> f64 {
        let without_chance = (self.difference.powi(2) - self.error.powi(2)).max(0.0).sqrt();
        (margin - without_chance) / (self.error * self.blocks.sqrt())
    }
}

/// Where nothing varies, nothing says how far apart the shares may be.
fn varies(all: &[ShareDifference]) -> bool {
    all.iter().all(|of| of.error > 0.0)
}

impl Sample {
    /// The squared standard error of the mean, with this sum of squares added to that of the sample.
    fn square(self, unseen: f64) -> Option<f64> {
        let n = self.moments.blocks as f64;
        self.variance().map(|variance| variance / n + unseen / (n * (n - 1.0)))
    }
}

/// The shares of a side, each as the mean of a value of each block (linearised: the mean of `share + (x − share · Σx) /
/// mean Σx` is the share, and its variance over blocks is that of the share), by block, and by power.
struct Linear(Vec<Vec<f64>>);

impl Linear {
    fn of<'a>(blocks: impl Iterator<Item = &'a BlockSums>, measure: FairnessMeasure) -> Option<Linear> {
        let sums: Vec<Vec<f64>> = blocks.map(|block| block.totals(measure)).collect();
        let total: f64 = sums.iter().flatten().sum();
        if sums.len() < 2 || total <= 0.0 {
            return None;
        }
        let mean = total / sums.len() as f64;
        let share = |power: usize| sums.iter().map(|of| of[power]).sum::<f64>() / total;
        let shares: Vec<f64> = (0..sums[0].len()).map(share).collect();
        let block = |of: &Vec<f64>| {
            let all: f64 = of.iter().sum();
            of.iter().zip(&shares).map(|(x, share)| share + (x - share * all) / mean).collect()
        };
        Some(Linear(sums.iter().map(block).collect()))
    }

    fn powers(&self) -> usize {
        self.0[0].len()
    }

    fn minus(&self, other: &Linear) -> Linear {
        // Rounded: the residue of terms that should cancel would otherwise look like a difference that is certain in
        // every block.
        let less = |(a, b): (&f64, &f64)| ((a - b) * 1e12).round() / 1e12;
        let block = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(less).collect();
        Linear(self.0.iter().zip(&other.0).map(block).collect())
    }

    fn sample(&self, power: usize) -> Option<Sample> {
        Sample::of(self.0.iter().map(|of| of[power]))
    }

    /// The sum of squares of the events that were not seen: [`UNSEEN`] times Σd⁴ / Σd² of the distances of all powers
    /// from their means. For rare events it is the square of what one event moves, for normal values three times their
    /// variance.
    fn unseen(&self) -> f64 {
        let means: Vec<f64> =
            (0..self.powers()).map(|power| self.sample(power).map_or(0.0, |sample| sample.mean)).collect();
        let distances = self.0.iter().flat_map(|of| of.iter().zip(&means).map(|(x, mean)| x - mean));
        let (squares, fourths) = distances
            .map(|d| if d.abs() < 1e-9 { 0.0 } else { d * d })
            .fold((0.0, 0.0), |(squares, fourths), square| (squares + square, fourths + square * square));
        if squares > 0.0 { UNSEEN * fourths / squares } else { 0.0 }
    }
}

#[cfg(test)]
mod equivalence_tests;

#[cfg(test)]
mod tests {
    use super::spearman;

    #[test]
    fn ranks_correlate_as_spearman_has_it() {
        let near =
            |found: Option<f64>, known: f64| assert!((found.unwrap() - known).abs() < 1e-12, "{found:?}");
        near(spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 400.0]), 1.0);
        near(spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), -1.0);
        // Ranks 1, 2.5, 2.5, 4 beside 1, 3, 2, 4: 4.5 divided by the root of 4.5 times 5.
        near(spearman(&[0.0, 1.0, 1.0, 2.0], &[0.0, 2.0, 1.0, 3.0]), (4.5_f64 / 5.0).sqrt());
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
    }
}
