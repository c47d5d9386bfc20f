//! The answers in words: is a cell fair, which powers does it favour, and which arms differ?

use upheaval_analysis::balance::Balance;
use upheaval_analysis::balance::agreement::Agreement;
use upheaval_analysis::balance::cell::CellBalance;
use upheaval_analysis::balance::compare::{Comparison, Difference, MeasureDifference};
use upheaval_analysis::balance::fairness::{LEVEL, Untested, most_distance};
use upheaval_analysis::balance::omnibus::Method;
use upheaval_analysis::balance::source::LineUpSeating;
use upheaval_analysis::balance::tally::FairnessMeasure;
use upheaval_analysis::repeats::FEWEST_BLOCKS;

use crate::figures::differences::shown;
use crate::figures::rates::equal;
use crate::words::{count, difference, list, numeral, p};

/// A statement about a cell, or about two cells compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellVerdict {
    /// Its subject.
    pub about: String,
    /// A sentence or two.
    pub text: String,
}

/// About the fairness of a cell.
pub(crate) fn fairness(cell: &CellBalance) -> String {
    let fairness = cell.fairness(FairnessMeasure::Score);
    if fairness.untested == Some(Untested::NobodyHasAny) {
        return format!(
            "No power scored in any game, so there is nothing to test ({}, {}).",
            count(cell.games, "game"),
            count(cell.blocks, "block")
        );
    }
    let omnibus = match fairness.omnibus {
        Some(omnibus) if cell.blocks >= FEWEST_BLOCKS as u64 => omnibus,
        _ => {
            return format!(
                "Too few blocks ({}) for a verdict on fairness; {FEWEST_BLOCKS} are the least.",
                cell.blocks
            );
        }
    };
    let whose = if cell.seating.seats == LineUpSeating::Fixed {
        "powers, with the bots they have,"
    } else {
        "powers"
    };
    if omnibus.p >= LEVEL {
        let corrected = fairness.distance.and_then(|distance| distance.corrected);
        // Where games end alike, the powers hardly can differ, and a small distance says nothing of them.
        let small = corrected
            .filter(|_| cell.ended_alike().is_none())
            .and_then(|corrected| corrected.interval)
            // A bound at the end of what is possible says nothing.
            .filter(|of| of.high > 0.0 && of.high < most_distance(cell.powers.len()))
            .map(|of| match of.high < 0.001 {
                true => " The distance from equal shares is unlikely to exceed 0.001.".to_owned(),
                false => format!(" The distance from equal shares is unlikely to exceed {:.3}.", of.high),
            });
        let small = match cell.ended_alike() {
            Some((end, share)) => Some(format!(
                " This is not evidence of fairness: {:.1}\u{a0}% of the games ended alike ({}).",
                100.0 * share,
                end.name()
            )),
            None => small,
        };
        return format!(
            "No difference between the {} {whose} is shown ({}, {}).{}",
            numeral(cell.powers.len()),
            match omnibus.method {
                Method::AllEqual => "alike in every block".to_owned(),
                Method::Hotelling | Method::Permutation => p(omnibus.p),
            },
            count(cell.blocks, "block"),
            small.unwrap_or_default()
        );
    }
    let apart = |above: bool| -> Vec<String> {
        let mut powers: Vec<(&String, f64)> = fairness
            .apart(above)
            .filter_map(|power| Some((power, cell.powers[power].score?.estimate)))
            .collect();
        powers.sort_by(|a, b| if above { b.1.total_cmp(&a.1) } else { a.1.total_cmp(&b.1) });
        powers.iter().map(|(power, score)| format!("{power} ({:.1}\u{a0}%)", 100.0 * score)).collect()
    };
    let (ahead, behind) = (apart(true), apart(false));
    let mut text = format!(
        "Not fair. The {} {whose} do not score equally ({}).",
        numeral(cell.powers.len()),
        p(omnibus.p)
    );
    let level = format!("an equal share of {:.1}\u{a0}%", 100.0 * equal(cell, |power| power.score));
    text += &match (ahead.is_empty(), behind.is_empty()) {
        (true, true) => " It is not shown which of them differs from the rest.".to_owned(),
        (false, true) => format!(" More than {level}: {}.", list(&ahead)),
        (true, false) => format!(" Less than {level}: {}.", list(&behind)),
        (false, false) => format!(" More than {level}: {}. Less: {}.", list(&ahead), list(&behind)),
    };
    if let Some(distance) = fairness.distance {
        text += &format!(
            " {:.0}\u{a0}% of all points would have to change hands to make all powers equal.",
            100.0 * distance.to_move
        );
    }
    text
}

/// About the result of a comparison.
pub(crate) fn comparison(of: &Comparison) -> String {
    let mut found = Vec::new();
    for measure in &of.measures {
        found.extend(sure(measure));
    }
    let mut text = match found.is_empty() {
        true => "No power is shown to score differently.".to_owned(),
        false => format!("Sure differences in {}.", found.join("; in ")),
    };
    let distance = of.measures.iter().find(|m| m.measure == FairnessMeasure::Score).and_then(|m| m.distance);
    if let Some(distance) = distance {
        let words = match distance.interval {
            Some(of) if of.low > 0.0 => "It is less fair",
            Some(of) if of.high < 0.0 => "It is fairer",
            _ => "It is not shown to be fairer or less fair",
        };
        text += &format!(
            " {words}: distance of the scores from equal ones {}.",
            signed(&difference(distance, 1.0, 3))
        );
    }
    text
}

/// The significant differences in a measure.
fn sure(of: &MeasureDifference) -> Option<String> {
    if matches!(of.measure, FairnessMeasure::Solos | FairnessMeasure::Survival) {
        return None;
    }
    let (factor, unit) = shown(of.measure);
    let mut found: Vec<(&String, &Difference)> = of
        .powers
        .iter()
        .filter_map(|(power, difference)| Some((power, difference.as_ref()?)))
        .filter(|(_, difference)| difference.p_holm.is_some_and(|p| p < LEVEL))
        .collect();
    found.sort_by(|a, b| b.1.difference.estimate.abs().total_cmp(&a.1.difference.estimate.abs()));
    let words = |(power, of): &(&String, &Difference)| {
        format!("{power} {}", signed(&difference(of.difference, factor, if factor > 1.0 { 1 } else { 2 })))
    };
    (!found.is_empty()).then(|| {
        format!("{} ({unit}): {}", of.measure.name(), list(&found.iter().map(words).collect::<Vec<_>>()))
    })
}

/// About the agreement of an arm's line-ups.
fn agreement(of: &Agreement) -> String {
    let views = of.line_ups.iter().map(|view| format!("Line-up {}: {}.", view.line_up, view.words()));
    format!("{} {}", of.sentence(), views.collect::<Vec<_>>().join(" "))
}

/// With a sign in any case.
fn signed(text: &str) -> String {
    if text.starts_with('−') { text.to_owned() } else { format!("+{text}") }
}

/// All statements about a run. `name` gives the name of a cell by arm and line-up.
pub(crate) fn all(balance: &Balance, name: impl Fn(&str, usize) -> String) -> Vec<CellVerdict> {
    let bots = balance
        .agreement
        .iter()
        .map(|of| CellVerdict { about: balance.label(&of.arm).to_owned(), text: agreement(of) });
    let cells = balance
        .cells
        .iter()
        .map(|cell| CellVerdict { about: name(&cell.arm, cell.line_up), text: fairness(cell) });
    let pairs = balance.arms.iter().chain(&balance.line_ups).map(|of| {
        let (one, other) = (name(&of.arm, of.line_up), name(&of.against, of.against_line_up));
        CellVerdict { about: format!("{one} beside {other}"), text: comparison(of) }
    });
    // Effects of the choice of bots come first.
    bots.chain(cells).chain(pairs).collect()
}
