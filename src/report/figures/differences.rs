//! One cell minus another, block by block.

use crate::chart::scale::rounded;
use crate::chart::{Figure, FigureTable, IntervalPanel, IntervalRow, Panel};
use crate::figures::fairness::capitalised;
use crate::palette::Ink;
use crate::words::{self, count, maybe_p};
use upheaval_analysis::balance::compare::{Comparison, Difference, MeasureDifference};
use upheaval_analysis::balance::tally::FairnessMeasure;
use upheaval_map::ids::PowerNames;

/// The display factor and unit of a measure.
pub(crate) fn shown(measure: FairnessMeasure) -> (f64, &'static str) {
    match measure {
        FairnessMeasure::Solos => (100.0, "% of games"),
        FairnessMeasure::Score => (100.0, "% of the points"),
        FairnessMeasure::Centres => (1.0, "centres"),
        FairnessMeasure::Survival => (100.0, "% of games"),
    }
}

/// The figure of a comparison. `names` are those of the two cells.
pub(crate) fn figure(id: String, comparison: &Comparison, names: [&str; 2], powers: &PowerNames) -> Figure {
    let head =
        ["Measure", "Power", "Difference (95 % interval)", "p", "p after Holm", "Least that would show"];
    let mut table = FigureTable { head: head.map(str::to_owned).to_vec(), rows: Vec::new() };
    for of in &comparison.measures {
        let (factor, unit) = shown(of.measure);
        let mut row = |name: &str, difference: &Difference| {
            table.rows.push(vec![
                format!("{}, {unit}", of.measure.name()),
                name.to_owned(),
                words::difference(difference.difference, factor, 2),
                maybe_p(difference.p),
                maybe_p(difference.p_holm),
                difference.detectable.map_or("–".to_owned(), |least| format!("{:.2}", least * factor)),
            ]);
        };
        for (power, difference) in &of.powers {
            if let Some(difference) = difference {
                row(power, difference);
            }
        }
        if let Some(together) = &of.together {
            row("all together", together);
        }
        if let Some(distance) = of.distance {
            let mut row =
                vec![format!("{}, distance from equal", of.measure.name()), "all powers".to_owned()];
            row.extend([words::difference(distance, 1.0, 4), "–".to_owned(), "–".to_owned(), "–".to_owned()]);
            table.rows.push(row);
        }
    }
    let paired = match comparison.paired_blocks {
        0 => "The two have no blocks in common, so they are treated as independent.".to_owned(),
        blocks => format!("Paired over {} of the same catastrophes.", count(blocks, "block")),
    };
    Figure {
        id,
        title: format!("{} minus {}", names[0], names[1]),
        caption: format!(
            "{paired} Bars: 95 % intervals by block. Filled: significant at 5 % after Holm’s correction for all \
            powers. Hollow: not significant.{}",
            together(comparison)
        ),
        panels: comparison.measures.iter().filter_map(|of| panel(of, powers)).collect(),
        table,
    }
}

/// The powers together; a panel with the same scale would show little about them.
fn together(comparison: &Comparison) -> String {
    let of = |measure: FairnessMeasure| {
        let found = comparison.measures.iter().find(|of| of.measure == measure)?.together?;
        let (factor, unit) = shown(measure);
        Some(format!("{}, {unit}: {}", measure.name(), words::difference(found.difference, factor, 2)))
    };
    let words: Vec<String> = [FairnessMeasure::Solos, FairnessMeasure::Centres, FairnessMeasure::Survival]
        .into_iter()
        .filter_map(of)
        .collect();
    if words.is_empty() { String::new() } else { format!(" All powers together: {}.", words.join("; ")) }
}

fn panel(of: &MeasureDifference, powers: &PowerNames) -> Option<Panel> {
    let (factor, unit) = shown(of.measure);
    let mut rows: Vec<IntervalRow> = Vec::new();
    for (power, difference) in &of.powers {
        let Some(difference) = difference else { continue };
        let sure = difference.p_holm.is_some_and(|p| p < 0.05);
        rows.push(IntervalRow {
            sure,
            ..IntervalRow::of(power, Ink::of_power(power, powers), difference.difference, factor)
        });
    }
    if rows.is_empty() {
        return None;
    }
    let values = rounded(rows.iter().flat_map(IntervalRow::ends).chain([0.0]), 4);
    let title = capitalised(of.measure.name());
    let unit = format!("difference, {unit}");
    let reference = Some((0.0, "no difference"));
    Some(IntervalPanel { title: &title, unit: &unit, values, reference, digits: 2, rows: &rows }.draw())
}
