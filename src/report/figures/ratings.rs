//! The bots of a tournament: ratings, scores, and comparisons of each pair.

use crate::chart::scale::rounded;
use crate::chart::{Figure, FigureTable, HeatCell, HeatPanel, IntervalPanel, IntervalRow};
use crate::palette::Ink;
use crate::words::{count, estimate, maybe, thousands};
use upheaval_analysis::repeats::FEWEST_BLOCKS;
use upheaval_analysis::standings::{StandingsLine, StandingsSection};

/// The digits of a score between 0 and 1.
const DIGITS: usize = 3;

/// How likely the strongest bot is to be stronger than the next, in a sentence; with too few blocks, that this is not
/// known.
pub(crate) fn sentence(section: &StandingsSection) -> String {
    let [first, second, ..] = section.lines.as_slice() else {
        return format!("{}: only one bot played.", section.title);
    };
    let rated = format!("{} is rated highest: {}.", first.bot, estimate(first.rating, 1.0, 0));
    match section.superior.first().and_then(|row| row.get(1)) {
        None => format!("{rated} How sure it is that this bot is stronger than {} is not known.", second.bot),
        Some(&likely) if likely >= 0.975 => {
            format!("{rated} It is stronger than {}: likelihood {:.1}\u{a0}%.", second.bot, 100.0 * likely)
        }
        Some(&likely) => format!(
            "{rated} It is not shown to be stronger than {}: likelihood {:.1}\u{a0}%.",
            second.bot,
            100.0 * likely
        ),
    }
}

/// What is said in place of likelihoods where there are too few blocks for them.
pub(crate) fn warning(section: &StandingsSection) -> Option<String> {
    if let Some(sentence) = section.repeats.sentence() {
        return Some(format!("Warning: {sentence}."));
    }
    section.repeats.are_too_few().then(|| {
        format!(
            "Warning: {} say too little of which bot is stronger. With {FEWEST_BLOCKS} or more, the likelihoods of \
             superiority are shown here.",
            count(section.blocks as u64, "block")
        )
    })
}

/// Ratings and mean scores of all bots.
pub(crate) fn figure(id: String, section: &StandingsSection) -> Figure {
    let mut table = FigureTable::default();
    table.head.extend(
        ["Bot", "Rating (95 % interval)", "Draw-size score (95 % interval)", "Solos", "Games", "Faults"]
            .map(str::to_owned),
    );
    for line in &section.lines {
        let mut row = vec![line.bot.clone(), estimate(line.rating, 1.0, 0), maybe(line.score, 1.0, DIGITS)];
        row.extend([line.solos, line.games, line.faults].map(thousands));
        table.rows.push(row);
    }
    let rows = |of: &dyn Fn(&StandingsLine) -> Option<IntervalRow>| {
        section.lines.iter().filter_map(of).collect::<Vec<IntervalRow>>()
    };
    let ratings = rows(&|line| Some(IntervalRow::of(&line.bot, Ink::Text, line.rating, 1.0)));
    let scores = rows(&|line| Some(IntervalRow::of(&line.bot, Ink::Text, line.score?, 1.0)));
    let mut panels = vec![
        IntervalPanel {
            title: "Rating",
            unit: "Plackett–Luce, on the scale of Elo",
            values: rounded(ratings.iter().flat_map(IntervalRow::ends).chain([0.0]), 4),
            reference: Some((0.0, "mean")),
            digits: 0,
            rows: &ratings,
        }
        .draw(),
    ];
    if !scores.is_empty() {
        panels.push(
            IntervalPanel {
                title: "Draw-size score",
                unit: "points a game, 1/n to each of n in a draw",
                values: rounded(scores.iter().flat_map(IntervalRow::ends).chain([0.0]), 4),
                reference: None,
                digits: DIGITS,
                rows: &scores,
            }
            .draw(),
        );
    }
    Figure {
        id,
        title: format!("Ratings and scores, {}", section.title),
        caption: "Ratings are computed from the finishing orders: 400 points correspond to ten times the strength, 0 is the mean of the bots; \
                  bars are 95 % intervals: of ratings from a jackknife over blocks, of scores over blocks."
            .to_owned(),
        panels,
        table,
    }
}

/// A square of all bots. `cell` returns a value and its text by row and column.
fn square(
    section: &StandingsSection,
    [title, unit, columns]: [&str; 3],
    cell: impl Fn(usize, usize) -> Option<(f64, String)>,
) -> (HeatSquare, FigureTable) {
    let names: Vec<String> = section.lines.iter().map(|line| line.bot.clone()).collect();
    let mut table = FigureTable { head: vec!["Bot".to_owned()], rows: Vec::new() };
    table.head.extend(names.iter().map(|name| format!("{columns} {name}")));
    let mut cells = Vec::new();
    for (i, one) in names.iter().enumerate() {
        let found: Vec<_> = (0..names.len()).map(|j| cell(i, j)).collect();
        let words =
            |of: &Option<(f64, String)>| of.as_ref().map_or("–".to_owned(), |(_, words)| words.clone());
        table.rows.push([one.clone()].into_iter().chain(found.iter().map(words)).collect());
        let heat = |(other, of): (&String, &Option<(f64, String)>)| {
            let (value, words) = of.clone()?;
            // The interval is in the table.
            let words = words.split(' ').next().unwrap_or_default().to_owned();
            Some(HeatCell { name: format!("{one} {columns} {other}"), value, words, mark: String::new() })
        };
        cells.push(names.iter().zip(&found).map(heat).collect());
    }
    let texts = [title, unit, columns].map(str::to_owned);
    (HeatSquare { texts, names, cells }, table)
}

/// The data of a square's panel.
struct HeatSquare {
    texts: [String; 3],
    names: Vec<String>,
    cells: Vec<Vec<Option<HeatCell>>>,
}

impl HeatSquare {
    fn draw(&self) -> crate::chart::Panel {
        let [title, unit, columns] = &self.texts;
        let (rows, columns) = (("bot", &*self.names), (columns.as_str(), &*self.names));
        HeatPanel { title, unit, rows, columns, cells: &self.cells }.draw()
    }
}

/// Each bot against each other, as far as blocks and line-ups show it.
pub(crate) fn pairs(id: &str, section: &StandingsSection) -> Vec<Figure> {
    let mut figures = Vec::new();
    if !section.superior.is_empty() {
        let words = ["Likelihood of superiority", "% that the bot of the row is stronger", "than"];
        let (heat, table) = square(section, words, |i, j| {
            let value = 100.0 * section.superior.get(i)?.get(j)?;
            (i != j).then(|| (value, format!("{value:.1}")))
        });
        figures.push(Figure {
            id: format!("superior-{id}"),
            title: format!("Likelihood of superiority, {}", section.title),
            caption: "How likely the bot of the row has the higher true rating, by Student's t of the jackknifed difference."
                .to_owned(),
            panels: vec![heat.draw()],
            table,
        });
    }
    if !section.alone.is_empty() {
        let words = ["One against the rest", "draw-size score of the bot of the row", "against"];
        let (heat, table) = square(section, words, |i, j| {
            let score = (*section.alone.get(i)?.get(j)?)?;
            Some((score.estimate, estimate(score, 1.0, DIGITS)))
        });
        figures.push(Figure {
            id: format!("alone-{id}"),
            title: format!("Pairs by line-up, {}", section.title),
            caption: "The mean score of the bot of the row in one seat, with the bot of the column in all \
                      other seats. The table has 95 % intervals over blocks."
                .to_owned(),
            panels: vec![heat.draw()],
            table,
        });
    }
    figures
}
