//! How the choice of bot affects the verdict: the line-ups of an arm side by side.
//!
//! Rules that favour a power in the hands of one bot may hurt it in those of another. A report on the fairness of rules
//! therefore has to say this first. One family of differences decides: those of the powers' shares between line-ups.

use serde::Serialize;

use crate::balance::cell::CellBalance;
use crate::balance::compare::ComparedCell;
use crate::balance::equivalence::ShareDifference;
use crate::balance::fairness::{Fairness, LEVEL};
use crate::balance::holm::holm;
use crate::balance::needed::{Needed, needed_for_equivalence};
use crate::balance::source::LineUpSeating;
use crate::balance::tally::FairnessMeasure;
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
                let opposed = if self.opposed.is_empty() {
                    String::new()
                } else {
                    format!(
                        " More than an equal share with one, less with another: {}.",
                        self.opposed.join(", ")
                    )
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
                "Too few games to say whether the bots agree in {measure} to within {margin}: about {blocks} blocks of each line-up ({games} games, {more_games} more) would do."
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
            None => "nothing can be tested".to_owned(),
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
    let arms: Vec<Vec<Side<'_>>> = of_arms
        .map(|sides| {
            sides.iter().filter(|(cell, _)| cell.seating.seats != LineUpSeating::Fixed).copied().collect()
        })
        .filter(|sides: &Vec<Side<'_>>| sides.len() > 1)
        .collect();
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
        let pairs = (0..sides.len()).flat_map(|i| (i + 1..sides.len()).map(move |j| (i, j)));
        let pairs = pairs
            .map(|(i, j)| (i, j, ShareDifference::of(sides[i].1.blocks, sides[j].1.blocks, measure)))
            .collect();
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
        let different: Vec<String> = powers()
            .zip(p_different.iter().flatten())
            .filter(|(_, p)| **p < LEVEL)
            .map(|(power, _)| power.clone())
            .collect();
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
    values
        .iter()
        .map(|&own| count(&|other| other < own) + (count(&|other| other == own) + 1.0) / 2.0)
        .collect()
}

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
