//! Rankings and grids as text.

use std::fmt::Write;

use crate::balance::Balance;
use crate::balance::grid::Grid;
use crate::balance::ranking::{Ranked, Ranking};
use crate::balance::tally::FairnessMeasure;
use crate::balance::text::plural;
use crate::table::{Table, width_of};

pub(super) const LEGEND: &str = "\
groups: arms that share a letter are not distinguished, arms that share none are; all statements hold together at 95%\n";

/// The arms of each line-up from the fairest to the least fair, and a grid for two swept parameters.
pub(super) fn render(balance: &Balance, out: &mut String) {
    let by = balance.ranked_by;
    for ranking in balance.rankings.iter().filter(|ranking| ranking.measure == by) {
        render_ranking(balance, ranking, out);
        for grid in &balance.grids {
            render_grid(grid, ranking, out);
        }
        out.push('\n');
    }
}

fn render_ranking(balance: &Balance, ranking: &Ranking, out: &mut String) {
    let others = FairnessMeasure::ALL.into_iter().filter(|measure| *measure != ranking.measure);
    let others: Vec<(FairnessMeasure, &Ranking)> =
        others.filter_map(|measure| Some((measure, balance.ranking(ranking.line_up, measure)?))).collect();
    // Writing into a string cannot fail.
    let _ = writeln!(
        out,
        "fairest to least fair by {}, {}: {} arms over {} block{}",
        ranking.measure.name(),
        balance.line_up_label(ranking.line_up),
        ranking.arms.len(),
        ranking.blocks,
        plural(ranking.blocks)
    );
    let width = width_of(ranking.arms.iter().map(|arm| &arm.label), 3) + 2;
    let columns = [("distance (95% CI)".to_owned(), 26), ("groups".to_owned(), 8)];
    let columns =
        columns.into_iter().chain(others.iter().map(|(measure, _)| (measure.name().to_owned(), 20)));
    let mut table = Table::new(out, ("    arm", width + 4), columns);
    for arm in &ranking.arms {
        let place = arm.place.map_or("-".to_owned(), |place| place.to_string());
        let label = format!("{place:>2}  {}", arm.label);
        let other = |(_, of): &(FairnessMeasure, &Ranking)| of.arm(&arm.arm).map_or("-".to_owned(), short);
        let cells = [distance(arm), arm.letters()].into_iter().chain(others.iter().map(other));
        table.row(label, cells);
    }
    let _ = writeln!(out, "{}", fairest(ranking));
}

/// Which arm may be the fairest, in a sentence.
fn fairest(ranking: &Ranking) -> String {
    let labels: Vec<&str> = ranking.fairest().map(|arm| arm.label.as_str()).collect();
    match (labels.as_slice(), ranking.apart) {
        (_, None) if ranking.blocks < 2 => "one block does not show which is fairer".to_owned(),
        ([], _) => {
            "no arm has a distance: nobody has any of it, or nothing varies from block to block".to_owned()
        }
        ([one], _) => format!("{one} is shown to be the fairest of these"),
        (all, _) if all.len() == ranking.arms.len() => {
            "no arm is distinguished from the fairest, which does not show that they are equally fair"
                .to_owned()
        }
        ([first, rest @ ..], _) => format!("not told from {first}: {}", rest.join("; ")),
    }
}

/// The corrected distance with its interval; where the square is negative, chance explains all of it.
fn distance(arm: &Ranked) -> String {
    let corrected = arm.distance.and_then(|distance| distance.corrected);
    corrected.map_or("-".to_owned(), |corrected| corrected.with_bounds(4))
}

/// The same without bounds, with its groups.
fn short(arm: &Ranked) -> String {
    let corrected = arm.distance.and_then(|distance| distance.corrected);
    corrected.map_or("-".to_owned(), |of| format!("{:.4} {:<3}", of.estimate, arm.letters()))
}

fn render_grid(grid: &Grid, ranking: &Ranking, out: &mut String) {
    let Grid { variant, rows, columns, cells } = grid;
    let _ = writeln!(
        out,
        "\n{variant}: distance and groups by {} (down) and {} (across)",
        rows.name, columns.name
    );
    let width = |word: &String| word.chars().count().max(12) + 2;
    let label = width_of(rows.values.iter().chain([&rows.name]), 0) + 2;
    let headings = columns.values.iter().map(|value| (value.clone(), width(value)));
    let mut table = Table::new(out, (&rows.name, label), headings);
    for (value, row) in rows.values.iter().zip(cells) {
        let cell =
            |arm: &Option<String>| arm.as_ref().and_then(|arm| ranking.arm(arm)).map_or(String::new(), short);
        table.row(value, row.iter().map(cell));
    }
}
