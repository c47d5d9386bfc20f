//! The bots of a tournament: ratings, scores, and comparisons of each pair.

use crate::chart::{AxisLimits, Figure, FigureTable, HeatCell, HeatPanel, IntervalPanel, IntervalRow};
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
        None => format!("{rated} The likelihood that it is stronger than {} is not known.", second.bot),
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
            "Warning: {} are too few to tell which bot is stronger. With {FEWEST_BLOCKS} or more, the likelihoods of \
             superiority are shown here.",
            count(section.blocks as u64, "block")
        )
    })
}

/// Ratings and mean scores of all bots.
pub(crate) fn figure(id: String, section: &StandingsSection) -> Figure {
    let mut table = FigureTable::new(["Bot", "Rating (95 % interval)", "Draw-size score (95 % interval)"])
        .and(["Solos", "Games", "Faults"]);
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
    let rating = IntervalPanel {
        title: "Rating",
        unit: "Plackett–Luce, on the scale of Elo",
        limits: AxisLimits::WithZero,
        reference: Some((0.0, "mean")),
        digits: 0,
        rows: &ratings,
    };
    let score = IntervalPanel {
        title: "Draw-size score",
        unit: "points a game, 1/n to each of n in a draw",
        reference: None,
        digits: DIGITS,
        rows: &scores,
        ..rating
    };
    Figure {
        id,
        title: format!("Ratings and scores, {}", section.title),
        caption: "Ratings are computed from the finishing orders: 400 points correspond to ten times the strength, 0 is the mean of the bots; \
                  bars are 95 % intervals: of ratings from a jackknife over blocks, of scores over blocks."
            .to_owned(),
        panels: [rating, score].iter().filter_map(IntervalPanel::draw).collect(),
        table,
    }
}

/// The figure of a square of all bots, as far as anything is known. `cell` returns a value and its text by row and
/// column.
fn square(
    section: &StandingsSection,
    [id, name]: [&str; 2],
    caption: &str,
    [title, unit, columns]: [&str; 3],
    cell: impl Fn(usize, usize) -> Option<(f64, String)>,
) -> Figure {
    let names: Vec<String> = section.lines.iter().map(|line| line.bot.clone()).collect();
    let mut table = FigureTable::new(["Bot"]).and(names.iter().map(|name| format!("{columns} {name}")));
    let mut cells = Vec::new();
    for (i, one) in names.iter().enumerate() {
        let found: Vec<_> = (0..names.len()).map(|j| cell(i, j)).collect();
        let words =
            |of: &Option<(f64, String)>| of.as_ref().map_or("–".to_owned(), |(_, words)| words.clone());
        table.rows.push([one.clone()].into_iter().chain(found.iter().map(words)).collect());
        let heat = |(other, of): (&String, &Option<(f64, String)>)| {
            let (value, words) = of.as_ref()?;
            // The interval is in the table.
            let words = words.split(' ').next().unwrap_or_default().to_owned();
            let name = format!("{one} {columns} {other}");
            Some(HeatCell { name, value: *value, words, mark: String::new() })
        };
        cells.push(names.iter().zip(&found).map(heat).collect());
    }
    let (rows, columns) = (("bot", &*names), (columns, &*names));
    Figure {
        id: id.to_owned(),
        title: format!("{name}, {}", section.title),
        caption: caption.to_owned(),
        panels: vec![HeatPanel { title, unit, rows, columns, cells: &cells }.draw()],
        table,
    }
}

/// Each bot against each other, as far as blocks and line-ups show it.
pub(crate) fn pairs(id: &str, section: &StandingsSection) -> Vec<Figure> {
    let mut figures = Vec::new();
    if !section.superior.is_empty() {
        let name = "Likelihood of superiority";
        figures.push(square(
            section,
            [&format!("superior-{id}"), name],
            "How likely the bot of the row has the higher true rating, by Student's t of the jackknifed difference.",
            [name, "% that the bot of the row is stronger", "than"],
            |i, j| {
                let value = 100.0 * section.superior.get(i)?.get(j)?;
                (i != j).then(|| (value, format!("{value:.1}")))
            },
        ));
    }
    if !section.alone.is_empty() {
        figures.push(square(
            section,
            [&format!("alone-{id}"), "Pairs by line-up"],
            "The mean score of the bot of the row in one seat, with the bot of the column in all \
             other seats. The table has 95 % intervals over blocks.",
            ["One against the rest", "draw-size score of the bot of the row", "against"],
            |i, j| {
                let score = (*section.alone.get(i)?.get(j)?)?;
                Some((score.estimate, estimate(score, 1.0, DIGITS)))
            },
        ));
    }
    figures
}
