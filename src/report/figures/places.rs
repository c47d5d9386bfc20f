//! Where the map changed and where centres were captured, on the board.

use crate::chart::scale::rounded;
use crate::chart::{BoardMap, Cell, Figure, FigureTable};
use crate::tally::{Count, Mark, ReportTally};
use crate::words::number;

/// The name of a mark, and whether occurrences are counted rather than games.
struct Words {
    id: &'static str,
    title: &'static str,
    unit: &'static str,
    times: bool,
}

/// The value that gets the full colour for each mark, in the order of [`Mark::ALL`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scales([f64; Mark::ALL.len()]);

impl Scales {
    /// Scales with round limits that contain all values of these cells: a colour means the same on all their boards.
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a ReportTally> + Clone) -> Scales {
        Scales(Mark::ALL.map(|mark| {
            let of = |tally: &'a ReportTally| {
                tally.provinces.values().map(move |m| value(tally, mark, &m.of(mark)))
            };
            let [_, high] = rounded(cells.clone().flat_map(of).chain([0.0]), 4);
            high
        }))
    }

    fn of_mark(&self, mark: Mark) -> f64 {
        self.0[mark as usize]
    }
}

/// A count as it is displayed: the percentage of games, or the times per game.
fn value(tally: &ReportTally, mark: Mark, count: &Count) -> f64 {
    let games = tally.games.max(1) as f64;
    if words(mark).times { count.times as f64 / games } else { 100.0 * count.games as f64 / games }
}

const fn words(mark: Mark) -> Words {
    let (id, title, unit, times) = match mark {
        Mark::Collapsed => ("collapsed", "Provinces that collapsed", "% of games", false),
        Mark::Voided => ("voided", "Provinces that became voids", "% of games", false),
        Mark::Submerged => ("submerged", "Provinces that sank", "% of games", false),
        Mark::Restored => ("restored", "Provinces that came back", "% of games", false),
        Mark::Split => ("split", "Provinces that were split", "% of games", false),
        Mark::Separated => ("separated", "Provinces that lost a border", "times a game", true),
        Mark::Connected => ("connected", "Provinces that got a border", "times a game", true),
        Mark::Captured => ("captured", "Captures of centres", "times a game", true),
    };
    Words { id, title, unit, times }
}

/// A figure for each mark that occurs in a cell. Without a board there is only the table. Boards are coloured by
/// `scales`.
pub(crate) fn figures(
    cell: &str,
    tally: &ReportTally,
    board: Option<&BoardMap>,
    scales: &Scales,
) -> Vec<Figure> {
    Mark::ALL
        .into_iter()
        .filter(|&mark| tally.has(mark))
        .map(|mark| figure(cell, tally, board, mark, scales.of_mark(mark)))
        .collect()
}

fn figure(cell: &str, tally: &ReportTally, board: Option<&BoardMap>, mark: Mark, most: f64) -> Figure {
    let Words { id, title, unit, times } = words(mark);
    let value = |count: &Count| value(tally, mark, count);
    let of = |province: &str| tally.provinces.get(province).map_or(Count::default(), |marks| marks.of(mark));
    let mut ranked: Vec<(&String, Count)> = tally
        .provinces
        .keys()
        .map(|province| (province, of(province)))
        .filter(|(_, count)| count.times > 0)
        .collect();
    ranked.sort_by(|a, b| value(&b.1).total_cmp(&value(&a.1)).then(a.0.cmp(b.0)));
    let table = FigureTable {
        head: ["Province", unit, "Games", "Times"].map(str::to_owned).to_vec(),
        rows: ranked
            .iter()
            .map(|(province, count)| {
                vec![
                    (*province).clone(),
                    number(value(count), 2),
                    count.games.to_string(),
                    count.times.to_string(),
                ]
            })
            .collect(),
    };

    let panels = board.map(|board| {
        board.draw(title, unit, most, |province| {
            let count = of(province);
            let words =
                format!("{} {unit} (in {} of {} games)", number(value(&count), 2), count.games, tally.games);
            Cell { value: value(&count), words }
        })
    });
    let top: Vec<String> = ranked
        .iter()
        .take(3)
        .map(|(province, count)| format!("{province} ({})", number(value(count), if times { 2 } else { 0 })))
        .collect();
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
        title: title.to_owned(),
        caption: format!("In {unit}, {place}. Most: {}.", top.join(", ")),
        panels: panels.into_iter().collect(),
        table,
    }
}
