//! How far the powers are from equality, and which of them differ.

use crate::chart::{AxisLimits, Figure, FigureTable, HeatCell, HeatPanel, IntervalPanel, IntervalRow, Panel};
use crate::palette::Ink;
use crate::words::{self, capitalised, count, difference, list, maybe, maybe_p, number};
use upheaval_analysis::Estimate;
use upheaval_analysis::balance::Balance;
use upheaval_analysis::balance::cell::{CellBalance, PowerBalance};
use upheaval_analysis::balance::compare::{Comparison, Difference, MeasureDifference};
use upheaval_analysis::balance::fairness::{Fairness, LEVEL, PairDifference, Untested};
use upheaval_analysis::balance::ranking::{Grid, Ranked, Ranking};
use upheaval_analysis::balance::tally::FairnessMeasure;
use upheaval_map::ids::PowerNames;

/// The word for a value that is missing.
const NONE: &str = "–";

/// The distances from equal shares, a panel for each measure with a row for each cell.
pub(crate) fn distances(id: String, cells: &[(String, &CellBalance)]) -> Figure {
    let corrected = "Corrected (95 % interval)";
    let mut table = FigureTable::new([
        "Measure",
        "Arm",
        "Found",
        "By chance",
        corrected,
        "To change hands, %",
        "p (all equal)",
    ]);
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
        panels.extend(distance_panel(measure, &rows));
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
    [measure.name(), name, NONE, NONE, NONE, NONE, untested(fairness)].map(str::to_owned).to_vec()
}

/// Why there is no p.
const fn untested(fairness: &Fairness) -> &'static str {
    match fairness.untested {
        Some(Untested::NobodyHasAny) => "nobody has any",
        Some(Untested::TooFewBlocks) => "one block",
        None => NONE,
    }
}

fn distance_panel(measure: FairnessMeasure, rows: &[IntervalRow]) -> Option<Panel> {
    let (title, unit) = (&capitalised(measure.name()), "distance from equal shares");
    IntervalPanel { title, unit, limits: AxisLimits::FromZero, reference: None, digits: 3, rows }.draw()
}

/// All pairs of powers of a cell, in two measures.
pub(crate) fn pairs(id: String, cell: &CellBalance, powers: &PowerNames) -> Figure {
    let mut table = FigureTable::new(["Pair", "Measure", "Difference (95 % interval)", "p", "p after Holm"]);
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
        let (title, reference) = (&capitalised(measure.name()), Some((0.0, "equal")));
        let limits = AxisLimits::WithZero;
        panels.extend(IntervalPanel { title, unit, limits, reference, digits: 2, rows: &rows }.draw());
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
        sure: pair.p_holm.is_some_and(|p| p < LEVEL),
        ..IntervalRow::of(&name, Ink::of_power(ahead, powers), pair.difference, factor)
    }
}

// How often each power wins, draws and survives.

/// What is asked of a power: its title, its unit and its value, and whether it is a share of a total, of which each power
/// could have an equal part.
type Question = (&'static str, &'static str, fn(&PowerBalance) -> Option<Estimate>, bool);

const QUESTIONS: [Question; 5] = [
    ("Solos", "% of games won solo", |power| power.solos, true),
    ("Draw-size score", "% of points, 1/n to each of n in a draw", |power| power.score, true),
    ("Draws", "% of games shared in a draw", |power| power.draws, false),
    ("Survival", "% of games with a unit at the end", |power| power.survivals, false),
    ("Elimination", "% of games, neither unit nor centre left", |power| power.eliminations, false),
];

/// How many of them have a panel: eliminations are mostly the complement of survivals, and are only in the table.
const SHOWN: usize = 4;

/// The value of each power if all were equal.
pub(crate) fn equal(cell: &CellBalance, of: impl Fn(&PowerBalance) -> Option<Estimate>) -> f64 {
    cell.powers.values().filter_map(of).map(|of| of.estimate).sum::<f64>() / cell.powers.len() as f64
}

/// The rates of a cell.
pub(crate) fn rates_figure(id: String, cell: &CellBalance, powers: &PowerNames) -> Figure {
    let mut table = FigureTable::new(["Power"])
        .and(QUESTIONS.iter().map(|(title, ..)| format!("{title}, % (95 % interval)")))
        .and(["Score minus an equal share, % (95 % interval)", "p after Holm"]);
    let beyond = &cell.fairness(FairnessMeasure::Score).powers;
    for (power, of) in &cell.powers {
        let mut row = vec![power.clone()];
        row.extend(QUESTIONS.iter().map(|(_, _, value, _)| maybe(value(of), 100.0, 1)));
        row.push(beyond[power].map_or("–".to_owned(), |of| difference(of.difference, 100.0, 1)));
        row.push(maybe_p(beyond[power].and_then(|of| of.p_holm)));
        table.rows.push(row);
    }
    Figure {
        id,
        title: "Endings for each power".to_owned(),
        caption: format!(
            "Points: share of games. Bars: 95 % intervals by block. Dashed: the value of each power if all had the \
            same, 1/{} of the total. The table has eliminations too (neither unit nor centre at the \
             end, even if it shares in a draw of all), and for the score a test of each power against an equal \
             share in its block, with Holm’s correction for all powers, which finds none unless the test of all powers does.",
            cell.powers.len()
        ),
        panels: QUESTIONS[..SHOWN]
            .iter()
            .filter_map(|question| rates_panel(question, cell, powers))
            .collect(),
        table,
    }
}

fn rates_panel(
    &(title, unit, value, shared): &Question,
    cell: &CellBalance,
    powers: &PowerNames,
) -> Option<Panel> {
    let row = |(power, of): (&String, &PowerBalance)| {
        Some(IntervalRow::of(power, Ink::of_power(power, powers), value(of)?, 100.0))
    };
    let rows: Vec<IntervalRow> = cell.powers.iter().filter_map(row).collect();
    let equal = shared.then(|| 100.0 * equal(cell, value));
    let name = equal.map(|equal| format!("1/{}: {}", cell.powers.len(), number(equal, 1)));
    let (limits, reference) = (AxisLimits::FromZero, equal.zip(name.as_deref()));
    IntervalPanel { title, unit, limits, reference, digits: 1, rows: &rows }.draw()
}

// One cell minus another, block by block.

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
pub(crate) fn differences_figure(
    id: String,
    comparison: &Comparison,
    names: [&String; 2],
    powers: &PowerNames,
) -> Figure {
    let difference = "Difference (95 % interval)";
    let mut table =
        FigureTable::new(["Measure", "Power", difference, "p", "p after Holm", "Detectable difference"]);
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
        let of_powers = of.powers.iter().map(|(power, difference)| (power.as_str(), difference.as_ref()));
        for (name, difference) in of_powers.chain([("all together", of.together.as_ref())]) {
            difference.into_iter().for_each(|difference| row(name, difference));
        }
        if let Some(distance) = of.distance {
            let name = format!("{}, distance from equal", of.measure.name());
            let mut row = vec![name, "all powers".to_owned(), words::difference(distance, 1.0, 4)];
            row.extend([NONE; 3].map(str::to_owned));
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
        panels: comparison.measures.iter().filter_map(|of| difference_panel(of, powers)).collect(),
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
    let measures = [FairnessMeasure::Solos, FairnessMeasure::Centres, FairnessMeasure::Survival];
    let words: Vec<String> = measures.into_iter().filter_map(of).collect();
    if words.is_empty() { String::new() } else { format!(" All powers together: {}.", words.join("; ")) }
}

fn difference_panel(of: &MeasureDifference, powers: &PowerNames) -> Option<Panel> {
    let (factor, unit) = shown(of.measure);
    let row = |(power, difference): (&String, &Option<Difference>)| {
        let Difference { difference, p_holm, .. } = difference.as_ref()?;
        let row = IntervalRow::of(power, Ink::of_power(power, powers), *difference, factor);
        Some(IntervalRow { sure: p_holm.is_some_and(|p| p < LEVEL), ..row })
    };
    let rows: Vec<IntervalRow> = of.powers.iter().filter_map(row).collect();
    let (title, unit) = (&capitalised(of.measure.name()), &format!("difference, {unit}"));
    let (limits, reference) = (AxisLimits::WithZero, Some((0.0, "no difference")));
    IntervalPanel { title, unit, limits, reference, digits: 2, rows: &rows }.draw()
}

// The arms from the fairest to the least fair, and a heat map for two swept parameters.

/// The ranking of a line-up. `name` gives the line-up, if there are several.
pub(crate) fn ranking_figure(id: String, name: &str, balance: &Balance, ranking: &Ranking) -> Figure {
    let others = FairnessMeasure::ALL.into_iter().filter(|measure| *measure != ranking.measure);
    let others: Vec<&Ranking> =
        others.filter_map(|measure| balance.ranking(ranking.line_up, measure)).collect();
    let mut table = FigureTable::new(["Arm", "Place", "Distance (95 % interval)", "Groups", "Id"])
        .and(others.iter().map(|of| format!("{}: distance, groups", capitalised(of.measure.name()))));
    let mut rows = Vec::new();
    for arm in &ranking.arms {
        let corrected = arm.corrected();
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
    let mut panels = Vec::from_iter(distance_panel(ranking.measure, &rows));
    panels.extend(balance.grids.iter().map(|grid| heat_map(grid, ranking)));
    Figure {
        id,
        title: format!("From the fairest to the least fair by {}{name}", ranking.measure.name()),
        caption: format!(
            "{} Distance of the powers’ shares from equal ones, minus what chance adds. Bars: a 95 % interval by block for each \
            arm. Filled: may be the fairest. Groups: arms that share a letter are not distinguished, arms that share \
             none are; all these statements together are correct in 95 % of runs.",
            ranking_sentence(ranking)
        ),
        panels,
        table,
    }
}

/// Which arms may be the fairest, in a sentence.
pub(crate) fn ranking_sentence(ranking: &Ranking) -> String {
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
    arm.corrected().map_or(NONE.to_owned(), |of| format!("{:.4} {}", of.estimate, arm.letters()))
}

fn heat_map(grid: &Grid, ranking: &Ranking) -> Panel {
    let heat = |arm: &Option<String>| {
        let ranked = ranking.arm(arm.as_ref()?)?;
        let value = ranked.corrected()?.estimate;
        let (name, words, mark) = (ranked.label.clone(), format!("{value:.4}"), ranked.letters());
        Some(HeatCell { name, value, words, mark })
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
