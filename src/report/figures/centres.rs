//! Centres year by year.

use crate::chart::{Figure, FigureTable, LinePoint, LineSeries, panels_of};
use crate::palette::Ink;
use crate::words::{maybe, thousands};
use upheaval_analysis::Estimate;
use upheaval_analysis::balance::cell::{CellBalance, PowerYear};
use upheaval_map::ids::PowerNames;

/// The years of cells, from the first start to the last year of any.
fn years(cells: &[&CellBalance]) -> [u16; 2] {
    let all = || cells.iter().flat_map(|cell| &cell.years).map(|year| year.year);
    [all().min().unwrap_or(0), all().max().unwrap_or(0)]
}

fn points(cell: &CellBalance, power: &str, range: bool) -> Vec<LinePoint> {
    let point = |year: u16, of: &PowerYear| {
        let mean: Estimate = of.centres.mean?;
        let quantiles = of.centres.quantiles.filter(|_| range);
        Some(LinePoint {
            year,
            value: mean.estimate,
            interval: mean.interval.map(|of| [of.low, of.high]),
            range: quantiles.map(|q| [q.p5.estimate as f64, q.p95.estimate as f64]),
        })
    };
    cell.years.iter().filter_map(|year| point(year.year, &year.powers[power])).collect()
}

/// One cell: a panel for each power, all with the same scale.
pub(crate) fn figure(id: String, cell: &CellBalance, powers: &PowerNames) -> Figure {
    let line = |power: &String| {
        let (ink, points) = (Ink::of_power(power, powers), points(cell, power, true));
        vec![LineSeries { name: power.clone(), ink, points }]
    };
    let lines: Vec<_> = cell.powers.keys().map(|power| (power.as_str(), line(power))).collect();
    let of_power = |power| format!("{power}, mean; 5 %, 50 %, 95 % of games (95 % intervals)");
    let mut table = FigureTable::new(["Year", "Games running"]).and(cell.powers.keys().map(of_power));
    for year in &cell.years {
        let mut row = vec![year.year.to_string(), thousands(year.running)];
        row.extend(year.powers.values().map(|of| {
            let quantiles = of.centres.quantiles.map(|q| {
                format!("; {}", [q.p5, q.p50, q.p95].map(|quantile| quantile.to_string()).join(", "))
            });
            maybe(of.centres.mean, 1.0, 2) + &quantiles.unwrap_or_default()
        }));
        table.rows.push(row);
    }
    Figure {
        id,
        title: "Centres by year and power".to_owned(),
        caption: "Lines: mean centres at the year’s count over all games; a game that has ended keeps its final counts. Dark \
                  bands: 95 % intervals of the mean, by block. Light bands: 90 % of games lie inside; the table has \
                  intervals of their ends and of the median."
            .to_owned(),
        panels: panels_of("supply centres", years(&[cell]), &lines, |point| point.range),
        table,
    }
}

/// Several cells: a panel for each power with a line for each cell.
pub(crate) fn beside(id: String, cells: &[(String, &CellBalance)]) -> Figure {
    let all: Vec<&CellBalance> = cells.iter().map(|(_, cell)| *cell).collect();
    let lines = |power: &str| -> Vec<LineSeries> {
        let line = |(place, (name, cell)): (usize, &(String, &CellBalance))| LineSeries {
            name: name.clone(),
            ink: Ink::Series(place),
            points: points(cell, power, false),
        };
        cells.iter().enumerate().map(line).collect()
    };
    // All cells belong to one run.
    let of_run = || all.first().into_iter().flat_map(|cell| cell.powers.keys());
    let powers: Vec<_> = of_run().map(|power| (power.as_str(), lines(power))).collect();
    let names = cells.iter().map(|(name, _)| format!("{name}, mean (95 % interval)"));
    let mut table = FigureTable::new(["Power and year"]).and(names);
    let [first, last] = years(&all);
    for power in of_run() {
        for year in first..=last {
            let mut row = vec![format!("{power} {year}")];
            row.extend(all.iter().map(|cell| {
                let found = cell.years.iter().find(|of| of.year == year);
                maybe(found.and_then(|of| of.powers[power].centres.mean), 1.0, 2)
            }));
            table.rows.push(row);
        }
    }
    Figure {
        id,
        title: "Mean centres by year and power, side by side".to_owned(),
        caption: "Bands: 95 % intervals of each mean by block. Lines are paired block by block, so a difference may be \
        significant where bands overlap: see the figures of differences."
            .to_owned(),
        panels: panels_of("supply centres", [first, last], &powers, |point| point.interval),
        table,
    }
}
