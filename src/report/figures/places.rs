//! Where the map broke and where centres fell, on the board.

use crate::report::chart::scale::number;
use crate::report::chart::{BoardMap, Cell, Figure, Table};
use crate::report::tally::{Count, Mark, Tally};

/// What a mark is called, and whether its times are counted rather than its games.
struct Words {
    id: &'static str,
    title: &'static str,
    unit: &'static str,
    times: bool,
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

/// A figure for each mark that a cell has at all. Without a board that is known here only the table is there.
pub fn figures(cell: &str, tally: &Tally, board: Option<&BoardMap>) -> Vec<Figure> {
    Mark::ALL
        .into_iter()
        .filter(|&mark| tally.has(mark))
        .map(|mark| figure(cell, tally, board, mark))
        .collect()
}

fn figure(cell: &str, tally: &Tally, board: Option<&BoardMap>, mark: Mark) -> Figure {
    let Words { id, title, unit, times } = words(mark);
    let games = tally.games.max(1) as f64;
    let value =
        |count: &Count| if times { count.times as f64 / games } else { 100.0 * count.games as f64 / games };
    let of = |province: &str| tally.provinces.get(province).map_or(Count::default(), |marks| marks.of(mark));
    let mut ranked: Vec<(&String, Count)> = tally
        .provinces
        .keys()
        .map(|province| (province, of(province)))
        .filter(|(_, count)| count.times > 0)
        .collect();
    ranked.sort_by(|a, b| value(&b.1).total_cmp(&value(&a.1)).then(a.0.cmp(b.0)));
    let most = ranked.first().map_or(1.0, |(_, count)| value(count));
    let table = Table {
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
        board.draw(
            title,
            unit,
            most,
            |value| number(value, if times { 2 } else { 0 }),
            |province| {
                let count = of(province);
                let words = format!(
                    "{} {unit} (in {} of {} games)",
                    number(value(&count), 2),
                    count.games,
                    tally.games
                );
                Cell { value: value(&count), words }
            },
        )
    });
    let top: Vec<String> = ranked
        .iter()
        .take(3)
        .map(|(province, count)| format!("{province} ({})", number(value(count), if times { 2 } else { 0 })))
        .collect();
    let place = match board {
        Some(_) => "on the board as it is at the start; halves of a split province count for the whole",
        None => "as a table: the board of this variant is not one that the program knows",
    };
    Figure {
        id: format!("{id}-{cell}"),
        title: title.to_owned(),
        caption: format!("In {unit}, {place}. Most: {}.", top.join(", ")),
        panels: panels.into_iter().collect(),
        table,
    }
}
