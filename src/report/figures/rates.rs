//! How often each power wins, draws and survives.

use crate::chart::scale::rounded;
use crate::chart::{Figure, FigureTable, IntervalPanel, IntervalRow, Panel};
use crate::palette::Ink;
use crate::words::{difference, maybe, maybe_p, number};
use upheaval_analysis::Estimate;
use upheaval_analysis::balance::cell::{CellBalance, PowerBalance};
use upheaval_analysis::balance::tally::FairnessMeasure;
use upheaval_map::ids::PowerNames;

/// One question, asked of each power.
struct Question {
    title: &'static str,
    unit: &'static str,
    of: fn(&PowerBalance) -> Option<Estimate>,
    /// Is it a share of a total, of which each power could have an equal part?
    shared: bool,
}

const QUESTIONS: [Question; 5] = [
    Question { title: "Solos", unit: "% of games won alone", of: |power| power.solos, shared: true },
    Question {
        title: "Draw-size score",
        unit: "% of points, 1/n to each of n in a draw",
        of: |power| power.score,
        shared: true,
    },
    Question { title: "Draws", unit: "% of games shared in a draw", of: |power| power.draws, shared: false },
    Question {
        title: "Survival",
        unit: "% of games with a unit at the end",
        of: |power| power.survivals,
        shared: false,
    },
    Question {
        title: "Elimination",
        unit: "% of games, neither unit nor centre left",
        of: |power| power.eliminations,
        shared: false,
    },
];

/// How many of them have a panel: eliminations are mostly the complement of survivals, and are only in the table.
const SHOWN: usize = 4;

/// The value of each power if all were equal.
pub(crate) fn equal(cell: &CellBalance, of: impl Fn(&PowerBalance) -> Option<Estimate>) -> f64 {
    cell.powers.values().filter_map(of).map(|of| of.estimate).sum::<f64>() / cell.powers.len() as f64
}

/// The rates of a cell.
pub(crate) fn figure(id: String, cell: &CellBalance, powers: &PowerNames) -> Figure {
    let mut table = FigureTable { head: vec!["Power".to_owned()], rows: Vec::new() };
    table.head.extend(QUESTIONS.iter().map(|q| format!("{}, % (95 % interval)", q.title)));
    table.head.extend(["Score minus an equal share, % (95 % interval)", "p after Holm"].map(str::to_owned));
    let beyond = &cell.fairness(FairnessMeasure::Score).powers;
    for (power, of) in &cell.powers {
        let mut row = vec![power.clone()];
        row.extend(QUESTIONS.iter().map(|question| maybe((question.of)(of), 100.0, 1)));
        row.push(beyond[power].map_or("–".to_owned(), |of| difference(of.difference, 100.0, 1)));
        row.push(maybe_p(beyond[power].and_then(|of| of.p_holm)));
        table.rows.push(row);
    }
    Figure {
        id,
        title: "How games end for each power".to_owned(),
        caption: format!(
            "Points: share of games. Bars: 95 % intervals by block. Dashed: the value of each power if all had the \
            same, 1/{} of the total. The table has eliminations too (neither unit nor centre at the \
             end, even if it shares in a draw of all), and for the score a test of each power against an equal \
             share in its block, with Holm’s correction for all powers, which finds none unless the test of all powers does.",
            cell.powers.len()
        ),
        panels: QUESTIONS.iter().take(SHOWN).map(|question| panel(question, cell, powers)).collect(),
        table,
    }
}

fn panel(question: &Question, cell: &CellBalance, powers: &PowerNames) -> Panel {
    let rows: Vec<IntervalRow> = cell
        .powers
        .iter()
        .filter_map(|(power, of)| {
            Some(IntervalRow::of(power, Ink::of_power(power, powers), (question.of)(of)?, 100.0))
        })
        .collect();
    let equal = question.shared.then(|| 100.0 * equal(cell, question.of));
    let name = equal.map(|equal| format!("1/{}: {}", cell.powers.len(), number(equal, 1)));
    let [_, high] = rounded(rows.iter().flat_map(IntervalRow::ends).chain(equal), 4);
    IntervalPanel {
        title: question.title,
        unit: question.unit,
        values: [0.0, high],
        reference: equal.zip(name.as_deref()),
        digits: 1,
        rows: &rows,
    }
    .draw()
}
