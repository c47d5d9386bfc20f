//! The rows of the table: the work, the aim, and the computation of the figure from the benches of a run.

use super::findings::Findings;
use super::measured::Estimates;

/// One row.
pub struct Row {
    pub work: &'static str,
    pub figure: Figure,
    pub aim: Aim,
    pub unit: Unit,
    /// The bench of the crate `diplomacy` that does the same.
    pub beside: Option<&'static str>,
}

/// The computation of a figure; names are those of benches.
pub enum Figure {
    /// Time per unit of work, in microseconds.
    Time(&'static str),
    /// Time per unit of work that takes long, in milliseconds.
    LongTime(&'static str),
    /// The longest of several times.
    Longest(&'static [&'static str]),
    /// Units of work per second.
    Rate(&'static str),
    /// The ratio of two alternating tasks, the first to the second.
    Ratio(&'static str),
    /// How much faster: the inverse ratio.
    Speedup(&'static str),
    /// How much more: the ratio minus one.
    Overhead(&'static str),
    /// The largest of the overheads whose benches' names begin like this.
    MostOverhead(&'static str),
    /// A count.
    Count(&'static str),
}

/// The aim of a figure.
pub enum Aim {
    AtLeast(f64),
    AtMost(f64),
}

/// The unit of a figure.
#[derive(Clone, Copy)]
pub enum Unit {
    GamesPerSecond,
    PhasesPerSecond,
    Microseconds,
    Milliseconds,
    Times,
    Percent,
    Bytes,
}

use Aim::{AtLeast, AtMost};
use Figure::{Count, LongTime, Longest, MostOverhead, Overhead, Rate, Ratio, Speedup, Time};
use Unit::{Bytes, GamesPerSecond, Microseconds, Milliseconds, Percent, PhasesPerSecond, Times};

const fn row(work: &'static str, figure: Figure, aim: Aim, unit: Unit) -> Row {
    Row { work, figure, aim, unit, beside: None }
}

const fn beside(beside: &'static str, row: Row) -> Row {
    Row { beside: Some(beside), ..row }
}

/// All of them.
pub const ROWS: [Row; 49] = [
    row(
        "whole `random` games on `standard`, 1901 to 1910, not logged",
        Rate("random games to 1910/standard"),
        AtLeast(16_000.0),
        GamesPerSecond,
    ),
    row(
        "whole `greedy` games on `standard`, 1901 to 1910",
        LongTime("games to 1910 on standard/greedy"),
        AtMost(0.12),
        Milliseconds,
    ),
    row("whole `dumbbot` games", LongTime("games to 1910 on standard/dumbbot"), AtMost(0.5), Milliseconds),
    beside(
        "adjudicate random/crate diplomacy",
        row("adjudication: random", Time("adjudicate random/upheaval"), AtMost(0.8), Microseconds),
    ),
    beside(
        "adjudicate many conflicts/crate diplomacy",
        row(
            "adjudication: many conflicts",
            Time("adjudicate many conflicts/upheaval"),
            AtMost(1.0),
            Microseconds,
        ),
    ),
    beside(
        "adjudicate packed/crate diplomacy",
        row("adjudication: packed", Time("adjudicate packed/upheaval"), AtMost(1.3), Microseconds),
    ),
    row(
        "legal orders of all units: drawn",
        Time("legal orders of all units/drawn"),
        AtMost(1.5),
        Microseconds,
    ),
    row(
        "legal orders of all units: listed",
        Time("legal orders of all units/listed"),
        AtMost(4.0),
        Microseconds,
    ),
    ratio(
        "a phase of `black-hole`, relative to `standard`",
        "a phase, nothing drawn/black-hole to 1910",
        1.1,
    ),
    ratio("a phase of `black-hole-i`", "a phase, nothing drawn/black-hole-i to 1910", 1.4),
    ratio("a phase of `black-hole-ii`", "a phase, nothing drawn/black-hole-ii to 1910", 1.4),
    ratio("a phase of `double-reversible`", "a phase, nothing drawn/double-reversible to 1910", 1.4),
    ratio("a phase of `schizo-ii`", "a phase, nothing drawn/schizo-ii to 1910", 1.4),
    ratio("the same, games to 1930", "a phase, nothing drawn/schizo-ii to 1930", 1.4),
    ratio("a phase of `deluge-ii`", "a phase, nothing drawn/deluge-ii to 1910", 1.4),
    ratio("a phase of `seismic-1971`", "a phase, nothing drawn/seismic-1971 to 1910", 1.4),
    ratio("a phase of `seismic-acerunner`", "a phase, nothing drawn/seismic-acerunner to 1910", 1.4),
    ratio(
        "a `random` game to 1910, relative to one of `standard`: `black-hole`",
        "random games to 1910/black-hole",
        1.3,
    ),
    ratio("the same: `black-hole-i`", "random games to 1910/black-hole-i", 1.3),
    ratio("the same: `black-hole-ii`", "random games to 1910/black-hole-ii", 1.3),
    ratio("the same: `double-reversible`", "random games to 1910/double-reversible", 1.6),
    ratio("the same: `schizo-ii`", "random games to 1910/schizo-ii", 2.0),
    ratio("the same: `deluge-ii`", "random games to 1910/deluge-ii", 1.2),
    ratio("the same: `seismic-1971`", "random games to 1910/seismic-1971", 1.8),
    ratio("the same: `seismic-acerunner`", "random games to 1910/seismic-acerunner", 1.8),
    ratio("the same, logged: `black-hole`", "logged random games to 1910/black-hole", 1.4),
    ratio("logged: `black-hole-i`", "logged random games to 1910/black-hole-i", 1.4),
    ratio("logged: `black-hole-ii`", "logged random games to 1910/black-hole-ii", 1.4),
    ratio("logged: `double-reversible`", "logged random games to 1910/double-reversible", 1.7),
    ratio("logged: `schizo-ii`", "logged random games to 1910/schizo-ii", 2.2),
    ratio("logged: `deluge-ii`", "logged random games to 1910/deluge-ii", 1.4),
    ratio("logged: `seismic-1971`", "logged random games to 1910/seismic-1971", 2.0),
    ratio("logged: `seismic-acerunner`", "logged random games to 1910/seismic-acerunner", 2.0),
    row(
        "a change of the map with its tables: the slowest of collapse, restore, submerge, separate",
        Longest(&[
            "a change of the map/collapse",
            "a change of the map/restore",
            "a change of the map/submerge",
            "a change of the map/separate",
        ]),
        AtMost(0.6),
        Microseconds,
    ),
    row("the same: split", Time("a change of the map/split"), AtMost(1.2), Microseconds),
    row(
        "a map measured for `topology` after one change: the slowest kind",
        Longest(&[
            "a map measured/collapse",
            "a map measured/restore",
            "a map measured/submerge",
            "a map measured/split",
            "a map measured/separate",
        ]),
        AtMost(2.0),
        Microseconds,
    ),
    row(
        "a seismic season with seven orders: the slower rule set",
        Longest(&["a seismic season/seismic-1971", "a seismic season/seismic-acerunner"]),
        AtMost(2.7),
        Microseconds,
    ),
    row("two threads relative to one: `random`", Speedup("two threads/random"), AtLeast(1.95), Times),
    row("two threads relative to one: `greedy`", Speedup("two threads/greedy"), AtLeast(1.95), Times),
    row(
        "logging all but `orders`, relative to a `random` run not logged",
        Overhead("logged/random on standard"),
        AtMost(100.0 / 3.0),
        Percent,
    ),
    row(
        "logging all but `orders`, relative to a `greedy` run not logged",
        Overhead("logged/greedy on standard"),
        AtMost(5.0),
        Percent,
    ),
    row(
        "the same on the variant with the largest overhead: `random`",
        MostOverhead("logged/random on "),
        AtMost(100.0 / 3.0),
        Percent,
    ),
    row("the same: `greedy`", MostOverhead("logged/greedy on "), AtMost(5.0), Percent),
    row(
        "a game-year in `turns` and `topology`, `random` run",
        Count("bytes a game-year/random"),
        AtMost(350.0),
        Bytes,
    ),
    row("the same of a `greedy` run", Count("bytes a game-year/greedy"), AtMost(350.0), Bytes),
    encoding("encoding `turns`, rows to pages, relative to arrow's writer from arrays", "encoding/turns"),
    encoding("the same: `topology`", "encoding/topology"),
    encoding("the same: `events`", "encoding/events"),
    row(
        "movement phases of a batch of 256 games of `standard`, all seats the caller's, all tables written",
        Rate("a batch of 256 games, a movement phase/standard"),
        AtLeast(60_000.0),
        PhasesPerSecond,
    ),
];

const fn encoding(work: &'static str, bench: &'static str) -> Row {
    row(work, Ratio(bench), AtMost(1.0), Times)
}

const fn ratio(work: &'static str, bench: &'static str, aim: f64) -> Row {
    row(work, Ratio(bench), AtMost(aim), Times)
}

/// The measurements of a run.
pub struct Run<'a> {
    pub estimates: &'a Estimates,
    pub findings: &'a Findings,
}

impl Figure {
    /// The figure in the row's unit, and if there are several benches the one that it comes from.
    pub fn of(&self, run: &Run<'_>) -> Option<(f64, Option<&'static str>)> {
        let time = |bench: &&'static str| run.estimates.nanoseconds(bench);
        let only = |figure: Option<f64>| Some((figure?, None));
        match self {
            Time(bench) => only(time(bench).map(|ns| ns / 1e3)),
            LongTime(bench) => only(time(bench).map(|ns| ns / 1e6)),
            Longest(benches) => {
                let all: Vec<(f64, &'static str)> =
                    benches.iter().filter_map(|bench| Some((time(bench)?, *bench))).collect();
                let (ns, bench) = *all.iter().max_by(|x, y| x.0.total_cmp(&y.0))?;
                (all.len() == benches.len()).then_some((ns / 1e3, Some(bench)))
            }
            Rate(bench) => only(time(bench).map(|ns| 1e9 / ns)),
            Ratio(bench) | Count(bench) => only(run.findings.figure(bench)),
            Speedup(bench) => only(run.findings.figure(bench).map(|ratio| 1.0 / ratio)),
            Overhead(bench) => only(run.findings.figure(bench).map(|ratio| 100.0 * (ratio - 1.0))),
            MostOverhead(begin) => {
                let ratio = run.findings.figures(begin).max_by(f64::total_cmp);
                only(ratio.map(|ratio| 100.0 * (ratio - 1.0)))
            }
        }
    }
}

impl Aim {
    /// Is it met?
    pub fn met(&self, figure: f64) -> bool {
        match self {
            Aim::AtLeast(aim) => figure >= *aim,
            Aim::AtMost(aim) => figure <= *aim,
        }
    }

    /// In words.
    pub fn text(&self, unit: Unit) -> String {
        match self {
            Aim::AtLeast(aim) => format!("at least {}", unit.text(*aim)),
            Aim::AtMost(aim) => format!("at most {}", unit.text(*aim)),
        }
    }
}

impl Unit {
    /// A figure with its unit.
    pub fn text(self, figure: f64) -> String {
        match self {
            Unit::GamesPerSecond => format!("{figure:.0} games/s"),
            Unit::PhasesPerSecond => format!("{figure:.0} phases/s"),
            Unit::Microseconds => format!("{figure:.2} µs"),
            Unit::Milliseconds => format!("{figure:.2} ms"),
            Unit::Times => format!("{figure:.3}"),
            Unit::Percent => format!("{figure:.0}%"),
            Unit::Bytes => format!("{figure:.0} bytes"),
        }
    }
}
