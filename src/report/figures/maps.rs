//! The map year by year.

use crate::chart::scale::{counted, rounded};
use crate::chart::{BoardMap, Cell, Figure, FigureTable, LinePanel, LinePoint, LineSeries, WIDTH, panels_of};
use crate::palette::Ink;
use crate::tally::{Count, Counted, Histogram, MARKS, MEASURES, Mark, MarkInfo, ReportTally, Ways};
use crate::words::number;
use upheaval_map::ids::{Power, PowerNames};
use upheaval_map::topology::HomeDistances;

/// The share of games inside the light band.
const HELD: f64 = 0.9;

/// The changes of a cell's map; `None` where it never changes.
pub(crate) fn map_figure(id: String, tally: &ReportTally) -> Option<Figure> {
    let (first, last) = (tally.years.keys().next()?, tally.years.keys().next_back()?);
    let changing: Vec<usize> = (0..MEASURES.len()).filter(|&i| changes(tally, i)).collect();
    if changing.is_empty() {
        return None;
    }
    let measures = changing.iter().map(|&i| format!("{} (5 % to 95 % of games)", MEASURES[i].0));
    let mut table = FigureTable::new(["Year", "Games"]).and(measures);
    for (year, histograms) in &tally.years {
        let mut row = vec![year.to_string(), histograms[0].games().to_string()];
        row.extend(changing.iter().map(|&i| words(&histograms[i])));
        table.rows.push(row);
    }
    let panels = changing.iter().map(|&i| {
        let (title, unit) = MEASURES[i];
        let points: Vec<LinePoint> =
            tally.years.iter().filter_map(|(year, all)| point(*year, &all[i])).collect();
        let ends = points.iter().flat_map(|p| p.range.into_iter().flatten().chain([p.value]));
        let [low, high] = counted(ends, 4);
        // A measure that falls to a small value is shown down to 0.
        let low = if low < high * 0.5 { low.min(0.0) } else { low };
        let series = &[LineSeries { name: title.to_owned(), ink: Ink::Series(2), points }];
        LinePanel { title, unit, width: WIDTH, years: [*first, *last], values: [low, high], series }.draw()
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
    Some(LinePoint { year, value: histogram.mean()?, range: Some(range), ..LinePoint::default() })
}

fn words(histogram: &Histogram) -> String {
    match point(0, histogram) {
        Some(LinePoint { value, range: Some([low, high]), .. }) => {
            format!("{} ({} to {})", number(value, 2), number(low, 2), number(high, 2))
        }
        _ => "–".to_owned(),
    }
}

// The distances between the homes of the powers, year by year.

/// The distances from the homes of each power to those of the others; `None` where they never change.
pub(crate) fn homes_figure(id: String, names: &PowerNames, tally: &ReportTally) -> Option<Figure> {
    let powers = names.powers();
    let (first, start) = tally.ways.first_key_value()?;
    let (last, _) = tally.ways.last_key_value()?;
    if tally.ways.values().all(|ways| ways.are_those_of(start)) {
        return None;
    }
    let pairs = HomeDistances::pairs(powers).map(|pair| {
        let [a, b] = pair.map(|power| names.name(power)).map(|name| name.get(..3).unwrap_or(name));
        format!("{a} – {b}")
    });
    let mut table = FigureTable::new(["Year", "Games"]).and(pairs);
    for (year, ways) in &tally.ways {
        let mut row = vec![year.to_string(), ways.games.to_string()];
        row.extend((0..HomeDistances::pairs(powers).count()).map(|pair| distance_words(ways, pair)));
        table.rows.push(row);
    }
    let lines = |power: Power| -> Vec<LineSeries> {
        let others = HomeDistances::pairs(powers).enumerate().filter(|(_, pair)| pair.contains(&power));
        let line = |(pair, [a, b]): (usize, [Power; 2])| {
            let other = if a == power { b } else { a };
            let point = |(year, ways): (&u16, &Ways)| {
                let value = ways.of(pair).mean()?;
                Some(LinePoint { year: *year, value, ..LinePoint::default() })
            };
            let points = tally.ways.iter().filter_map(point).collect();
            let other = names.info(other);
            LineSeries { name: other.name.clone(), ink: Ink::Power(other.clone()), points }
        };
        others.map(line).collect()
    };
    let all: Vec<_> = powers.iter().map(|power| (names.name(power), lines(power))).collect();
    let unit = "steps to the homes of each other power";
    Some(Figure {
        id,
        title: "Distances between the powers".to_owned(),
        caption: "Lines: the smallest number of steps from a home centre of one power to one of the other, by land or sea, \
                  regardless of units: the mean over all remaining pairs of homes, after the Winter of the year, over \
                  the games that reached it and have a path. If some have none, the table shows how many have one."
            .to_owned(),
        panels: panels_of(unit, [*first, *last], &all, |_| None),
        table,
    })
}

fn distance_words(ways: &Ways, pair: usize) -> String {
    let way = ways.of(pair);
    match way.mean() {
        None => "no path".to_owned(),
        Some(mean) if way.games == ways.games => number(mean, 2),
        Some(mean) => format!("{} (in {} games)", number(mean, 2), way.games),
    }
}

// Where the map changed and where centres were captured, on the board.

/// The value that gets the full colour for each mark, in the order of [`MARKS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scales([f64; MARKS.len()]);

impl Scales {
    /// Scales with round limits that contain all values of these cells: a colour means the same on all their boards.
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a ReportTally> + Clone) -> Scales {
        Scales(std::array::from_fn(|mark| {
            let mark = Mark(mark);
            let of = |tally: &'a ReportTally| {
                tally.provinces.values().map(move |m| value(tally, mark, &m[mark.0]))
            };
            let [_, high] = rounded(cells.clone().flat_map(of).chain([0.0]), 4);
            high
        }))
    }
}

/// A count as it is displayed: the percentage of games, or the times per game.
fn value(tally: &ReportTally, mark: Mark, count: &Count) -> f64 {
    let games = tally.games.max(1) as f64;
    match mark.info().counted {
        Counted::Times => count.times as f64 / games,
        Counted::Games => 100.0 * count.games as f64 / games,
    }
}

/// A figure for each mark that occurs in a cell. Without a board there is only the table. Boards are coloured by
/// `scales`.
pub(crate) fn board_figures(
    cell: &str,
    tally: &ReportTally,
    board: Option<&BoardMap>,
    scales: &Scales,
) -> Vec<Figure> {
    let seen = Mark::all().filter(|&mark| tally.has(mark));
    seen.map(|mark| board_figure(cell, tally, board, mark, scales.0[mark.0])).collect()
}

fn board_figure(cell: &str, tally: &ReportTally, board: Option<&BoardMap>, mark: Mark, most: f64) -> Figure {
    let (title, MarkInfo { id, counted, .. }) = (mark.title(), mark.info());
    let (unit, digits) = match counted {
        Counted::Games => ("% of games", 0),
        Counted::Times => ("times a game", 2),
    };
    let value = |count: &Count| value(tally, mark, count);
    let of = |province: &str| tally.provinces.get(province).map_or(Count::default(), |marks| marks[mark.0]);
    let counts = tally.provinces.iter().map(|(province, marks)| (province, marks[mark.0]));
    let mut ranked: Vec<(&String, Count)> = counts.filter(|(_, count)| count.times > 0).collect();
    ranked.sort_by(|a, b| value(&b.1).total_cmp(&value(&a.1)).then(a.0.cmp(b.0)));
    let row = |(province, count): &(&String, Count)| {
        vec![(*province).clone(), number(value(count), 2), count.games.to_string(), count.times.to_string()]
    };
    let mut table = FigureTable::new(["Province", unit, "Games", "Times"]);
    table.rows = ranked.iter().map(row).collect();
    let panels = board.map(|board| {
        board.draw(&title, unit, most, |province| {
            let count = of(province);
            let words =
                format!("{} {unit} (in {} of {} games)", number(value(&count), 2), count.games, tally.games);
            Cell { value: value(&count), words }
        })
    });
    let named =
        |(province, count): &(&String, Count)| format!("{province} ({})", number(value(count), digits));
    let top: Vec<String> = ranked.iter().take(3).map(named).collect();
    let place = match board {
        Some(_) => {
            "on the board at the start, in colours that mean the same for all arms and line-ups of this page; \
             halves of a split province count towards the whole"
        }
        None => {
            "as a table: the run folder does not contain the rules of this arm, which are needed to draw its board"
        }
    };
    Figure {
        id: format!("{id}-{cell}"),
        title,
        caption: format!("In {unit}, {place}. Most: {}.", top.join(", ")),
        panels: panels.into_iter().collect(),
        table,
    }
}
