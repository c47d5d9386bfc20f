//! The map year by year.

use crate::chart::panel::WIDTH;
use crate::chart::scale::counted;
use crate::chart::{Figure, FigureTable, LinePanel, LinePoint, LineSeries};
use crate::measure::MEASURES;
use crate::palette::Ink;
use crate::tally::{Histogram, ReportTally};
use crate::words::number;

/// The share of games inside the light band.
const HELD: f64 = 0.9;

/// The changes of a cell's map; `None` where it never changes.
pub(crate) fn figure(id: String, tally: &ReportTally) -> Option<Figure> {
    let (first, last) = (tally.years.keys().next()?, tally.years.keys().next_back()?);
    let changing: Vec<usize> = (0..MEASURES.len()).filter(|&i| changes(tally, i)).collect();
    if changing.is_empty() {
        return None;
    }
    let mut table = FigureTable::default();
    table.head.extend(["Year".to_owned(), "Games".to_owned()]);
    table.head.extend(changing.iter().map(|&i| format!("{} (5 % to 95 % of games)", MEASURES[i].name)));
    for (year, histograms) in &tally.years {
        let mut row = vec![year.to_string(), histograms[0].games().to_string()];
        row.extend(changing.iter().map(|&i| words(&histograms[i])));
        table.rows.push(row);
    }
    let panels = changing.iter().map(|&i| {
        let measure = MEASURES[i];
        let points: Vec<LinePoint> =
            tally.years.iter().filter_map(|(year, all)| point(*year, &all[i])).collect();
        let ends = points.iter().flat_map(|p| p.range.into_iter().flatten().chain([p.value]));
        let [low, high] = counted(ends, 4);
        // A measure that falls to a small value is shown down to 0.
        let low = if low < high * 0.5 { low.min(0.0) } else { low };
        let series = [LineSeries { name: measure.name.to_owned(), ink: Ink::Series(2), points }];
        LinePanel {
            title: measure.name,
            unit: measure.unit,
            width: WIDTH,
            years: [*first, *last],
            values: [low, high],
            series: &series,
        }
        .draw()
    });
    Some(Figure {
        id,
        title: "The map year by year".to_owned(),
        caption: "Lines: mean over the games that reached the Winter of the year. Bands: 90 % of games lie \
                  inside. Measures that never change are left out."
            .to_owned(),
        panels: panels.collect(),
        table,
    })
}

fn changes(tally: &ReportTally, measure: usize) -> bool {
    let ends = |of: fn(&Histogram, f64) -> Option<f64>, share| {
        tally.years.values().map(move |all| of(&all[measure], share))
    };
    let mut all = ends(Histogram::quantile, 0.0).chain(ends(Histogram::quantile, 1.0));
    let first = all.next();
    all.any(|value| Some(value) != first)
}

fn point(year: u16, histogram: &Histogram) -> Option<LinePoint> {
    let range = [histogram.quantile((1.0 - HELD) / 2.0)?, histogram.quantile((1.0 + HELD) / 2.0)?];
    Some(LinePoint { year, value: histogram.mean()?, interval: None, range: Some(range) })
}

fn words(histogram: &Histogram) -> String {
    match point(0, histogram) {
        Some(LinePoint { value, range: Some([low, high]), .. }) => {
            format!("{} ({} to {})", number(value, 2), number(low, 2), number(high, 2))
        }
        _ => "–".to_owned(),
    }
}
