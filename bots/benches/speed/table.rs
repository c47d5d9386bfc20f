//! The table at the end of a run. `rows.txt` has a line for each row: the work, how its figure follows from benches, the
//! aim with its unit, and the bench of the crate `diplomacy` that does the same, if there is one.

use std::fmt::Write;

use super::findings::Findings;
use super::measured::Estimates;

/// The measurements of a run.
pub struct Run<'a> {
    pub estimates: &'a Estimates,
    pub findings: &'a Findings,
}

/// One row.
struct Row {
    work: &'static str,
    how: &'static str,
    benches: &'static str,
    at_least: bool,
    aim: f64,
    unit: &'static str,
    beside: Option<&'static str>,
}

impl Row {
    fn read(line: &'static str) -> Row {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [work, figure, aim, beside @ ..] = &parts[..] else { panic!("not a row: {line}") };
        let (how, benches) = figure.split_once(": ").expect("a figure");
        let words: Vec<&str> = aim.split(' ').collect();
        let ["at", bound, aim, unit] = words[..] else { panic!("not an aim: {line}") };
        let (at_least, aim) = (bound == "least", aim.parse().expect("a number"));
        Row { work, how, benches, at_least, aim, unit, beside: beside.first().copied() }
    }

    /// The figure in the row's unit, and if there are several benches the one that it comes from.
    fn figure(&self, run: &Run<'_>) -> Option<(f64, Option<&'static str>)> {
        let time = |bench: &str| run.estimates.nanoseconds(bench);
        let found = run.findings.figure(self.benches);
        let overhead = |ratio: f64| 100.0 * (ratio - 1.0);
        let figure = match self.how {
            "time" => time(self.benches)? / 1e3,
            "long time" => time(self.benches)? / 1e6,
            // Units of work per second.
            "rate" => 1e9 / time(self.benches)?,
            // Of two alternating tasks, the first to the second.
            "ratio" | "count" => found?,
            "speedup" => 1.0 / found?,
            "overhead" => overhead(found?),
            // Of the benches whose names begin like this.
            "most overhead" => overhead(run.findings.figures(self.benches).max_by(f64::total_cmp)?),
            "longest" => {
                let times = self.benches.split("; ").map(|bench| Some((time(bench)?, bench)));
                let times: Vec<(f64, &'static str)> = times.collect::<Option<_>>()?;
                let (ns, bench) = times.into_iter().max_by(|x, y| x.0.total_cmp(&y.0))?;
                return Some((ns / 1e3, Some(bench)));
            }
            other => panic!("`{other}` is not a way to a figure"),
        };
        Some((figure, None))
    }

    /// A figure with the row's unit.
    fn text(&self, figure: f64) -> String {
        match self.unit {
            "µs" | "ms" => format!("{figure:.2} {}", self.unit),
            "times" => format!("{figure:.3}"),
            "%" => format!("{figure:.0}%"),
            unit => format!("{figure:.0} {unit}"),
        }
    }
}

/// The table as Markdown.
pub struct Table {
    pub text: String,
    /// The rows without measurements.
    pub missing: Vec<&'static str>,
}

impl Table {
    /// Fills it.
    pub fn new(run: &Run<'_>) -> Table {
        let mut text =
            "| work | figure | target | met | crate `diplomacy` |\n|---|---|---|---|---|\n".to_owned();
        let mut missing = Vec::new();
        for row in include_str!("rows.txt").lines().map(Row::read) {
            let Some((figure, which)) = row.figure(run) else {
                missing.push(row.work);
                continue;
            };
            let which = which
                .and_then(|bench| bench.split_once('/'))
                .map_or(String::new(), |(_, name)| format!(" (`{name}`)"));
            let (met, bound) = match row.at_least {
                true => (figure >= row.aim, "at least"),
                false => (figure <= row.aim, "at most"),
            };
            let ratio = |bench| {
                let theirs = run.estimates.nanoseconds(bench)? / 1e3;
                Some(format!("{}, {:.1} times as long", row.text(theirs), theirs / figure))
            };
            let theirs = row.beside.and_then(ratio).unwrap_or_default();
            let (figure, aim, met) = (row.text(figure), row.text(row.aim), if met { "yes" } else { "no" });
            let _ = writeln!(text, "| {} | {figure}{which} | {bound} {aim} | {met} | {theirs} |", row.work);
        }
        Table { text, missing }
    }
}

/// The inputs of the measurements.
pub fn notes(run: &Run<'_>) -> String {
    run.findings.notes().iter().map(|note| format!("- {note}\n")).collect()
}

/// The times of every bench.
pub fn benches(run: &Run<'_>) -> String {
    let mut text = "| bench | 10th percentile of the samples | median |\n|---|---|---|\n".to_owned();
    let time = |ns: f64| match ns {
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.1} ms", ns / 1e6),
    };
    for (name, estimate) in run.estimates.iter() {
        let _ = writeln!(text, "| {name} | {} | {} |", time(estimate.undisturbed), time(estimate.median));
    }
    text
}
