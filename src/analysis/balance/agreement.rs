//! How the choice of bot affects the verdict: the line-ups of an arm side by side.
//!
//! Rules that favour a power in the hands of one bot may hurt it in those of another. A report on the fairness of rules
//! therefore has to say this first.

use serde::Serialize;

use super::cell::CellBalance;
use super::fairness::Fairness;
use super::source::LineUpSeating;
use super::tally::FairnessMeasure;
use upheaval_map::ids::Power;

/// A p-value below this shows a difference.
const LEVEL: f64 = 0.05;

/// What the line-ups of an arm say about one measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The arm.
    pub arm: String,
    /// The measure.
    pub measure: FairnessMeasure,
    /// Do they agree?
    pub verdict: AgreementVerdict,
    /// The powers that have more than an equal share with one line-up and less with another, both significantly.
    pub opposed: Vec<Power>,
    /// The view of each line-up. Line-ups in which every power has a bot of its own say nothing about the powers and
    /// are left out.
    pub line_ups: Vec<LineUpView>,
    /// How similarly two line-ups rank the powers.
    pub ranks: Vec<RankCorrelation>,
}

/// Do line-ups agree?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgreementVerdict {
    /// A power is ahead with one line-up and behind with another; or one line-up finds the powers unequal, another does
    /// not, and the intervals of their distances do not overlap.
    Disagree,
    /// All line-ups find the powers unequal, and some power is ahead with all of them or behind with all of them; or
    /// none finds them unequal.
    Agree,
    /// Neither agreement nor disagreement is shown.
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
    pub ahead: Vec<Power>,
    /// Those with less.
    pub behind: Vec<Power>,
}

/// How similarly two line-ups rank the powers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RankCorrelation {
    /// One line-up.
    pub line_up: usize,
    /// The other line-up.
    pub other: usize,
    /// Spearman's correlation of the shares, from −1 to 1; `None` where all powers are equal in one of them.
    pub correlation: Option<f64>,
}

impl Agreement {
    /// The verdict in a sentence.
    pub fn sentence(&self) -> String {
        let measure = self.measure.name();
        match (self.verdict, self.opposed.is_empty()) {
            (AgreementVerdict::Disagree, false) => format!(
                "The bots disagree: of {measure}, {} has more than an equal share with one line-up and less with another.",
                names(&self.opposed)
            ),
            (AgreementVerdict::Disagree, true) => {
                format!(
                    "The bots disagree: in {measure} the powers are unequal with one line-up, and closer to equal with another."
                )
            }
            (AgreementVerdict::Agree, _) => format!("The bots agree in {measure}."),
            (AgreementVerdict::Undecided, _) => {
                format!("It is not shown whether the bots agree in {measure}.")
            }
        }
    }
}

impl LineUpView {
    /// The view in words.
    pub fn words(&self) -> String {
        let mut words = match self.unequal {
            Some(true) => "the powers are unequal".to_owned(),
            Some(false) => "no difference between the powers is shown".to_owned(),
            None => "nothing can be tested".to_owned(),
        };
        for (side, powers) in [("ahead", &self.ahead), ("behind", &self.behind)] {
            if !powers.is_empty() {
                words += &format!("; {side}: {}", names(powers));
            }
        }
        words
    }
}

fn names(powers: &[Power]) -> String {
    powers.iter().map(|power| power.name()).collect::<Vec<_>>().join(", ")
}

/// What the line-ups of each arm say about each measure, for arms with at least two line-ups that say something about
/// the powers: arm by arm, the measures that they disagree in first.
pub fn agreements(cells: &[CellBalance]) -> Vec<Agreement> {
    let of_arm = cells.chunk_by(|a, b| a.arm == b.arm);
    of_arm
        .flat_map(|cells| {
            let cells: Vec<&CellBalance> =
                cells.iter().filter(|cell| cell.seating.seats != LineUpSeating::Fixed).collect();
            let measures = if cells.len() > 1 { &FairnessMeasure::ALL[..] } else { &[] };
            let mut of_arm: Vec<Agreement> =
                measures.iter().map(|&measure| agreement(&cells, measure)).collect();
            of_arm.sort_by_key(|of| of.verdict != AgreementVerdict::Disagree);
            of_arm
        })
        .collect()
}

fn agreement(cells: &[&CellBalance], measure: FairnessMeasure) -> Agreement {
    let line_ups: Vec<LineUpView> = cells.iter().map(|cell| view(cell, measure)).collect();
    let powers = cells[0].powers.powers();
    let with_any = |side: fn(&LineUpView) -> &Vec<Power>, power: Power| {
        line_ups.iter().any(|view| side(view).contains(&power))
    };
    let opposed: Vec<Power> = powers
        .iter()
        .filter(|&power| with_any(|view| &view.ahead, power) && with_any(|view| &view.behind, power))
        .collect();
    let parted = cells.iter().zip(&line_ups).any(|(one, unequal)| {
        cells.iter().zip(&line_ups).any(|(other, equal)| {
            unequal.unequal == Some(true)
                && equal.unequal == Some(false)
                && farther(one.fairness(measure), other.fairness(measure))
        })
    });
    let with_all = |side: fn(&LineUpView) -> &Vec<Power>| {
        powers.iter().any(|power| line_ups.iter().all(|view| side(view).contains(&power)))
    };
    let all = |unequal: bool| line_ups.iter().all(|view| view.unequal == Some(unequal));
    let verdict = if !opposed.is_empty() || parted {
        AgreementVerdict::Disagree
    } else if all(false) || all(true) && (with_all(|view| &view.ahead) || with_all(|view| &view.behind)) {
        AgreementVerdict::Agree
    } else {
        AgreementVerdict::Undecided
    };
    let pairs = (0..cells.len()).flat_map(|i| (i + 1..cells.len()).map(move |j| (i, j)));
    let ranks = pairs.map(|(i, j)| RankCorrelation {
        line_up: cells[i].line_up,
        other: cells[j].line_up,
        correlation: shares(cells[i].fairness(measure))
            .zip(shares(cells[j].fairness(measure)))
            .and_then(|(a, b)| spearman(&a, &b)),
    });
    Agreement { arm: cells[0].arm.clone(), measure, verdict, opposed, ranks: ranks.collect(), line_ups }
}

fn view(cell: &CellBalance, measure: FairnessMeasure) -> LineUpView {
    let fairness = cell.fairness(measure);
    let apart = |above: bool| {
        let powers = fairness.powers.iter().filter(|(_, of)| {
            of.is_some_and(|of| {
                of.p_holm.is_some_and(|p| p < LEVEL) && (of.difference.estimate > 0.0) == above
            })
        });
        powers.map(|(power, _)| power).collect()
    };
    LineUpView {
        line_up: cell.line_up,
        bots: cell.seating.bots.clone(),
        unequal: fairness.omnibus.map(|test| test.p < LEVEL),
        ahead: apart(true),
        behind: apart(false),
    }
}

/// Is the first one's interval of the distance from equal shares entirely above the second one's?
fn farther(one: &Fairness, other: &Fairness) -> bool {
    let interval = |of: &Fairness| of.distance?.corrected?.interval;
    interval(one).zip(interval(other)).is_some_and(|(one, other)| one.low > other.high)
}

fn shares(of: &Fairness) -> Option<Vec<f64>> {
    of.shares.as_ref().map(|shares| shares.iter().map(|(_, &share)| share).collect())
}

/// Spearman's rank correlation of two equally long lists of numbers; equal numbers share their mean rank. `None` where
/// all numbers of one list are equal.
pub fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
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
