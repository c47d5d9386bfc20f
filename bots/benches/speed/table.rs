//! The table at the end of a run.

use std::fmt::Write;

use super::rows::{ROWS, Run};

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
        for row in &ROWS {
            let Some((figure, which)) = row.figure.of(run) else {
                missing.push(row.work);
                continue;
            };
            let which = which
                .and_then(|bench| bench.split_once('/'))
                .map_or(String::new(), |(_, name)| format!(" (`{name}`)"));
            let met = if row.aim.met(figure) { "yes" } else { "no" };
            let ratio = |bench| {
                let theirs = run.estimates.nanoseconds(bench)? / 1e3;
                Some(format!("{}, {:.1} times as long", row.unit.text(theirs), theirs / figure))
            };
            let theirs = row.beside.and_then(ratio).unwrap_or_default();
            let (figure, aim) = (row.unit.text(figure), row.aim.text(row.unit));
            let _ = writeln!(text, "| {} | {figure}{which} | {aim} | {met} | {theirs} |", row.work);
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
