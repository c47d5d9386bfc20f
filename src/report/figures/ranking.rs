//! The arms from the fairest to the least fair, and a heat map for two swept parameters.

use crate::chart::scale::rounded;
use crate::chart::{Figure, FigureTable, HeatCell, HeatPanel, IntervalPanel, IntervalRow, Panel};
use crate::figures::fairness::capitalised;
use crate::palette::Ink;
use crate::words::{list, maybe};
use upheaval_analysis::balance::Balance;
use upheaval_analysis::balance::grid::Grid;
use upheaval_analysis::balance::ranking::{Ranked, Ranking};
use upheaval_analysis::balance::tally::FairnessMeasure;

const NONE: &str = "–";

/// The ranking of a line-up. `name` gives the line-up, if there are several.
pub(crate) fn figure(id: String, name: &str, balance: &Balance, ranking: &Ranking) -> Figure {
    let others = FairnessMeasure::ALL.into_iter().filter(|measure| *measure != ranking.measure);
    let others: Vec<&Ranking> =
        others.filter_map(|measure| balance.ranking(ranking.line_up, measure)).collect();
    let mut table = FigureTable::default();
    table.head.extend(["Arm", "Place", "Distance (95 % interval)", "Groups", "Id"].map(str::to_owned));
    table
        .head
        .extend(others.iter().map(|of| format!("{}: distance, groups", capitalised(of.measure.name()))));
    let mut rows = Vec::new();
    for arm in &ranking.arms {
        let corrected = arm.distance.and_then(|distance| distance.corrected);
        let mut row = vec![
            arm.label.clone(),
            arm.place.map_or(NONE.to_owned(), |place| place.to_string()),
            maybe(corrected, 1.0, 4),
            arm.letters(),
            arm.arm.clone(),
        ];
        row.extend(others.iter().map(|of| of.arm(&arm.arm).map_or(NONE.to_owned(), short)));
        table.rows.push(row);
        if let Some(corrected) = corrected {
            rows.push(IntervalRow {
                sure: arm.may_be_fairest,
                ..IntervalRow::of(&arm.label, Ink::Text, corrected, 1.0)
            });
        }
    }
    let mut panels = Vec::new();
    if !rows.is_empty() {
        let [_, high] = rounded(rows.iter().flat_map(IntervalRow::ends), 4);
        let title = capitalised(ranking.measure.name());
        let (unit, values) = ("distance from equal shares", [0.0, high]);
        panels.push(
            IntervalPanel { title: &title, unit, values, reference: None, digits: 3, rows: &rows }.draw(),
        );
    }
    panels.extend(balance.grids.iter().map(|grid| heat_map(grid, ranking)));
    Figure {
        id,
        title: format!("From the fairest to the least fair by {}{name}", ranking.measure.name()),
        caption: format!(
            "{} Distance of the powers’ shares from equal ones, minus what chance adds. Bars: 95 % intervals by block, each \
            alone. Filled: may be the fairest. Groups: arms that share a letter are not distinguished, arms that share \
             none are; all these statements together are correct in 95 % of runs.",
            sentence(ranking)
        ),
        panels,
        table,
    }
}

/// Which arms may be the fairest, in a sentence.
pub(crate) fn sentence(ranking: &Ranking) -> String {
    let labels: Vec<String> = ranking.fairest().map(|arm| arm.label.clone()).collect();
    match (labels.as_slice(), ranking.apart) {
        (_, None) => "One block does not show which arm is fairer.".to_owned(),
        ([], _) => "No arm has a distance: nothing varies from block to block.".to_owned(),
        ([one], _) => format!("The fairest of these is {one}."),
        (all, _) if all.len() == ranking.arms.len() => {
            "No arm is distinguished from the fairest, which does not show that they are equally fair."
                .to_owned()
        }
        ([first, rest @ ..], _) => format!("Not distinguished from {first}: {}.", list(rest)),
    }
}

fn short(arm: &Ranked) -> String {
    let corrected = arm.distance.and_then(|distance| distance.corrected);
    corrected.map_or(NONE.to_owned(), |of| format!("{:.4} {}", of.estimate, arm.letters()))
}

fn heat_map(grid: &Grid, ranking: &Ranking) -> Panel {
    let heat = |arm: &Option<String>| {
        let ranked = ranking.arm(arm.as_ref()?)?;
        let value = ranked.distance?.corrected?.estimate;
        Some(HeatCell {
            name: ranked.label.clone(),
            value,
            words: format!("{value:.4}"),
            mark: ranked.letters(),
        })
    };
    let cells: Vec<Vec<Option<HeatCell>>> =
        grid.cells.iter().map(|row| row.iter().map(heat).collect()).collect();
    HeatPanel {
        title: &format!("{}: {} by {}", grid.variant, grid.rows.name, grid.columns.name),
        unit: "distance from equal shares, groups",
        rows: (&grid.rows.name, &grid.rows.values),
        columns: (&grid.columns.name, &grid.columns.values),
        cells: &cells,
    }
    .draw()
}
