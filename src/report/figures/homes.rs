//! The distances between the homes of the powers, year by year.

use crate::chart::panel::WIDTH;
use crate::chart::scale::counted;
use crate::chart::{Figure, FigureTable, LinePanel, LinePoint, LineSeries};
use crate::palette::Ink;
use crate::tally::ReportTally;
use crate::ways::Ways;
use crate::words::number;
use upheaval_map::ids::{Power, PowerNames};
use upheaval_map::topology::HomeDistances;

/// The distances from the homes of each power to those of the others; `None` where they never change.
pub(crate) fn figure(id: String, names: &PowerNames, tally: &ReportTally) -> Option<Figure> {
    let powers = names.powers();
    let (first, start) = tally.ways.first_key_value()?;
    let (last, _) = tally.ways.last_key_value()?;
    if tally.ways.values().all(|ways| ways.are_those_of(start)) {
        return None;
    }
    let mut table = FigureTable::default();
    table.head.extend(["Year".to_owned(), "Games".to_owned()]);
    table.head.extend(HomeDistances::pairs(powers).map(|pair| {
        let [a, b] = pair.map(|power| names.name(power)).map(|name| name.get(..3).unwrap_or(name));
        format!("{a} – {b}")
    }));
    for (year, ways) in &tally.ways {
        let mut row = vec![year.to_string(), ways.games.to_string()];
        row.extend((0..HomeDistances::pairs(powers).count()).map(|pair| words(ways, pair)));
        table.rows.push(row);
    }
    let lines = |power: Power| -> Vec<LineSeries> {
        let others = HomeDistances::pairs(powers).enumerate().filter(|(_, pair)| pair.contains(&power));
        let line = |(pair, [a, b]): (usize, [Power; 2])| {
            let other = if a == power { b } else { a };
            let point = |(year, ways): (&u16, &Ways)| {
                let value = ways.of(pair).mean()?;
                Some(LinePoint { year: *year, value, interval: None, range: None })
            };
            let points = tally.ways.iter().filter_map(point).collect();
            let other = names.info(other);
            LineSeries { name: other.name.clone(), ink: Ink::Power(other.clone()), points }
        };
        others.map(line).collect()
    };
    let all: Vec<(Power, Vec<LineSeries>)> = powers.iter().map(|power| (power, lines(power))).collect();
    let ends = all.iter().flat_map(|(_, lines)| lines).flat_map(|line| &line.points).map(|point| point.value);
    let [_, high] = counted(ends, 4);
    let panels = all.iter().map(|(power, series)| {
        LinePanel {
            title: names.name(*power),
            unit: "steps to the homes of each other power",
            width: WIDTH,
            years: [*first, *last],
            values: [0.0, high],
            series,
        }
        .draw()
    });
    Some(Figure {
        id,
        title: "Distances between the powers".to_owned(),
        caption: "Lines: the smallest number of steps from a home centre of one power to one of the other, by land or sea, \
                  regardless of units: the mean over all remaining pairs of homes, after the Winter of the year, over \
                  the games that reached it and have a path. If some have none, the table shows how many have one."
            .to_owned(),
        panels: panels.collect(),
        table,
    })
}

fn words(ways: &Ways, pair: usize) -> String {
    let way = ways.of(pair);
    match way.mean() {
        None => "no way".to_owned(),
        Some(mean) if way.games == ways.games => number(mean, 2),
        Some(mean) => format!("{} (in {} games)", number(mean, 2), way.games),
    }
}
