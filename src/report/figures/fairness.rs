//! How far the powers are from equality, and which of them differ.

use crate::chart::scale::rounded;
use crate::chart::{Figure, FigureTable, IntervalPanel, IntervalRow, Panel};
use crate::palette::Ink;
use crate::words::{difference, maybe, maybe_p};
use upheaval_analysis::balance::cell::CellBalance;
use upheaval_analysis::balance::fairness::{Fairness, PairDifference, Untested};
use upheaval_analysis::balance::tally::FairnessMeasure;
use upheaval_map::ids::PowerNames;

/// The distances from equal shares, a panel for each measure with a row for each cell.
pub(crate) fn distances(id: String, cells: &[(String, &CellBalance)]) -> Figure {
    let head = [
        "Measure",
        "Arm",
        "Found",
        "By chance",
        "Corrected (95 % interval)",
        "To change hands, %",
        "p (all equal)",
    ];
    let mut table = FigureTable { head: head.map(str::to_owned).to_vec(), rows: Vec::new() };
    let mut panels = Vec::new();
    for measure in FairnessMeasure::ALL {
        let mut rows = Vec::new();
        for (place, (name, cell)) in cells.iter().enumerate() {
            let fairness = cell.fairness(measure);
            let Some(distance) = fairness.distance else {
                table.rows.push(without(measure, name, fairness));
                continue;
            };
            table.rows.push(vec![
                measure.name().to_owned(),
                name.clone(),
                format!("{:.4}", distance.found),
                distance.by_chance.map_or("–".to_owned(), |chance| format!("{chance:.4}")),
                maybe(distance.corrected, 1.0, 4),
                format!("{:.1}", 100.0 * distance.to_move),
                fairness.omnibus.map_or(untested(fairness).to_owned(), |omnibus| maybe_p(Some(omnibus.p))),
            ]);
            if let Some(corrected) = distance.corrected {
                rows.push(IntervalRow::of(name, Ink::Series(place), corrected, 1.0));
            }
        }
        if !rows.is_empty() {
            panels.push(distance_panel(measure, &rows));
        }
    }
    Figure {
        id,
        title: "Distance from equal shares".to_owned(),
        caption:
            "The root of the mean squared distance of the powers’ shares from equal ones, minus what chance \
        adds; 0 is perfectly fair. Bars: 95 % bootstrap intervals over blocks."
                .to_owned(),
        panels,
        table,
    }
}

/// The row of a measure without a distance.
fn without(measure: FairnessMeasure, name: &str, fairness: &Fairness) -> Vec<String> {
    let mut row = vec![measure.name().to_owned(), name.to_owned()];
    row.extend(["–"; 4].map(str::to_owned));
    row.push(untested(fairness).to_owned());
    row
}

/// Why there is no p.
const fn untested(fairness: &Fairness) -> &'static str {
    match fairness.untested {
        Some(Untested::NobodyHasAny) => "nobody has any",
        Some(Untested::TooFewBlocks) => "one block",
        None => "–",
    }
}

fn distance_panel(measure: FairnessMeasure, rows: &[IntervalRow]) -> Panel {
    let [_, high] = rounded(rows.iter().flat_map(IntervalRow::ends), 4);
    let title = capitalised(measure.name());
    IntervalPanel {
        title: &title,
        unit: "distance from equal shares",
        values: [0.0, high],
        reference: None,
        digits: 3,
        rows,
    }
    .draw()
}

/// All pairs of powers of a cell, in two measures.
pub(crate) fn pairs(id: String, cell: &CellBalance, powers: &PowerNames) -> Figure {
    let head = ["Pair", "Measure", "Difference (95 % interval)", "p", "p after Holm"];
    let mut table = FigureTable { head: head.map(str::to_owned).to_vec(), rows: Vec::new() };
    let mut panels = Vec::new();
    for (measure, factor, unit) in [
        (FairnessMeasure::Score, 100.0, "% of the points a game"),
        (FairnessMeasure::Centres, 1.0, "centres a game"),
    ] {
        let mut pairs: Vec<&PairDifference> = cell.fairness(measure).pairs.iter().collect();
        pairs.sort_by(|a, b| b.difference.estimate.abs().total_cmp(&a.difference.estimate.abs()));
        for pair in &pairs {
            table.rows.push(vec![
                format!("{} − {}", pair.power, pair.other),
                measure.name().to_owned(),
                difference(pair.difference, factor, 2),
                maybe_p(pair.p),
                maybe_p(pair.p_holm),
            ]);
        }
        let rows: Vec<IntervalRow> = pairs.iter().map(|pair| row(pair, factor, powers)).collect();
        if rows.is_empty() {
            continue;
        }
        let values = rounded(rows.iter().flat_map(IntervalRow::ends).chain([0.0]), 4);
        let title = capitalised(measure.name());
        panels.push(
            IntervalPanel {
                title: &title,
                unit,
                values,
                reference: Some((0.0, "equal")),
                digits: 2,
                rows: &rows,
            }
            .draw(),
        );
    }
    Figure {
        id,
        title: "Pairs of powers".to_owned(),
        caption: "The mean of the first power minus that of the second, with 95 % intervals by block, the greatest first. \
                  Filled: significant at 5 % in the test of all powers and after Holm’s correction for all pairs. Hollow: not significant."
            .to_owned(),
        panels,
        table,
    }
}

/// A pair, with the leading power first.
fn row(pair: &PairDifference, factor: f64, powers: &PowerNames) -> IntervalRow {
    let (ahead, behind, factor) = match pair.difference.estimate < 0.0 {
        true => (&pair.other, &pair.power, -factor),
        false => (&pair.power, &pair.other, factor),
    };
    let short = |name: &str| name.get(..3).unwrap_or(name).to_owned();
    let name = format!("{} − {}", short(ahead), short(behind));
    IntervalRow {
        sure: pair.p_holm.is_some_and(|p| p < 0.05),
        ..IntervalRow::of(&name, Ink::of_power(ahead, powers), pair.difference, factor)
    }
}

/// With a capital letter first.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
