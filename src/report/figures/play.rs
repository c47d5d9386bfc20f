//! How cells play: their course, the orders that are used, and which power takes centres from which.

use crate::chart::scale::rounded;
use crate::chart::{Figure, FigureTable, HeatCell, HeatPanel, IntervalPanel, IntervalRow, Panel};
use crate::palette::Ink;
use crate::words::maybe;
use upheaval_analysis::Estimate;
use upheaval_analysis::balance::cell::CellBalance;
use upheaval_analysis::balance::play::{OrderShares, PlayMeasures, PowerPlay};
use upheaval_map::ids::PowerNames;

/// One measure of the course of games.
struct Measure {
    title: &'static str,
    unit: &'static str,
    of: fn(&PlayMeasures) -> Option<Estimate>,
    digits: usize,
}

const COURSE: [Measure; 4] = [
    Measure { title: "Lead changes", unit: "a game", of: |play| play.lead_changes, digits: 2 },
    Measure { title: "Decided", unit: "game years after the start", of: |play| play.decided, digits: 2 },
    Measure {
        title: "Closeness", unit: "second’s centres by first’s", of: |play| play.closeness, digits: 3
    },
    Measure { title: "Drama", unit: "root of the share behind", of: |play| play.drama, digits: 3 },
];

/// The courses of cells side by side.
pub(crate) fn course(id: String, cells: &[(String, &CellBalance)]) -> Figure {
    let mut table = FigureTable { head: vec!["Arm".to_owned()], rows: Vec::new() };
    table.head.extend(COURSE.iter().map(|of| format!("{} (95 % interval)", of.title)));
    table.head.extend(["Decided, % of the game", "Nobody on top, %", "From behind, %"].map(str::to_owned));
    for (name, cell) in cells {
        let play = &cell.play;
        let mut row = vec![name.clone()];
        row.extend(COURSE.iter().map(|of| maybe((of.of)(play), 1.0, of.digits)));
        row.extend([play.decided_share, play.undecided, play.comebacks].map(|of| maybe(of, 100.0, 1)));
        table.rows.push(row);
    }
    let panel = |of: &Measure| {
        let row = |(place, (name, cell)): (usize, &(String, &CellBalance))| {
            Some(IntervalRow::of(name, Ink::Series(place), (of.of)(&cell.play)?, 1.0))
        };
        let rows: Vec<IntervalRow> = cells.iter().enumerate().filter_map(row).collect();
        intervals(of.title, of.unit, of.digits, &rows)
    };
    Figure {
        id,
        title: "The course of games".to_owned(),
        caption: "A power leads if it has more centres than any other at a year’s count. A game is decided when the power \
                  that is on top at its end leads from then on. Closeness: the centres of the second divided by those \
        of the first. Drama: how far behind the power on top was while it was behind. Bars: 95 % intervals by block."
            .to_owned(),
        panels: COURSE.iter().filter_map(panel).collect(),
        table,
    }
}

fn intervals(title: &str, unit: &str, digits: usize, rows: &[IntervalRow]) -> Option<Panel> {
    if rows.is_empty() {
        return None;
    }
    let [_, high] = rounded(rows.iter().flat_map(IntervalRow::ends), 4);
    Some(IntervalPanel { title, unit, values: [0.0, high], reference: None, digits, rows }.draw())
}

/// The orders of the powers of a cell, and how many choices they have.
pub(crate) fn orders(id: String, cell: &CellBalance, powers: &PowerNames) -> Figure {
    let head =
        ["Power", "Holds, %", "Moves, %", "Supports, %", "Convoys, %", "Of the variant, %", "Choices, log10"];
    let mut table = FigureTable { head: head.map(str::to_owned).to_vec(), rows: Vec::new() };
    let mut row = |name: &str, of: &OrderShares, choices: Option<Estimate>| {
        let kinds = [of.holds, of.moves, of.supports, of.convoys, of.special];
        let mut row = vec![name.to_owned()];
        row.extend(kinds.map(|of| maybe(of, 100.0, 1)));
        row.push(maybe(choices, 1.0, 2));
        table.rows.push(row);
    };
    let play = &cell.play;
    for (power, of) in &play.powers {
        row(power, &of.orders, of.choices);
    }
    row("all", &play.orders, None);
    let of_powers = |of: &dyn Fn(&PowerPlay) -> Option<Estimate>, factor| {
        let row = |(power, play): (&String, _)| {
            Some(IntervalRow::of(power, Ink::of_power(power, powers), of(play)?, factor))
        };
        play.powers.iter().filter_map(row).collect::<Vec<IntervalRow>>()
    };
    let panels = [
        intervals("Supports", "% of orders", 1, &of_powers(&|play| play.orders.supports, 100.0)),
        intervals("Choices", "log10 of joint legal orders", 2, &of_powers(&|play| play.choices, 1.0)),
    ];
    Figure {
        id,
        title: "What powers order".to_owned(),
        caption: "Shares of the orders in movement phases, and the number of sets of legal orders that a power could have given, \
                  as a logarithm, if the experiment counts them (log.choices). Bars: 95 % intervals by block."
            .to_owned(),
        panels: panels.into_iter().flatten().collect(),
        table,
    }
}

/// Which power takes centres from which.
pub(crate) fn captures(id: String, cell: &CellBalance) -> Figure {
    let names: Vec<String> = cell.powers.keys().cloned().collect();
    let losers: Vec<String> = names.iter().cloned().chain(["nobody".to_owned()]).collect();
    let mut table = FigureTable { head: vec!["Taken by".to_owned()], rows: Vec::new() };
    table.head.extend(losers.iter().map(|name| format!("from {name}")));
    let mut cells = Vec::new();
    for (power, of) in &cell.play.captures {
        let of: Vec<Option<Estimate>> = of.from.values().copied().chain([of.from_nobody]).collect();
        let mut row = vec![power.clone()];
        row.extend(of.iter().map(|of| maybe(*of, 1.0, 2)));
        table.rows.push(row);
        let heat = |(of, loser): (&Option<Estimate>, &String)| {
            let value = (*of)?.estimate;
            let name = format!("{power} from {loser}");
            Some(HeatCell { name, value, words: format!("{value:.2}"), mark: String::new() })
        };
        cells.push(of.iter().zip(&losers).map(heat).collect::<Vec<_>>());
    }
    let panel = HeatPanel {
        title: "Captures",
        unit: "centres a game",
        rows: ("taken by", &names),
        columns: ("from", &losers),
        cells: &cells,
    };
    Figure {
        id,
        title: "Who takes from whom".to_owned(),
        caption: "Centres per game that the power of the row takes from the power of the column, or that had no owner; a centre \
                  taken twice counts twice. The table has 95 % intervals by block."
            .to_owned(),
        panels: vec![panel.draw()],
        table,
    }
}
