//! Results of the benches besides criterion's estimates.

use std::collections::BTreeMap;
use std::time::Duration;

use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;

/// Ratios of alternating measurements, counted bytes, and notes.
#[derive(Default)]
pub struct Findings {
    figures: BTreeMap<String, f64>,
    notes: Vec<String>,
}

impl Findings {
    /// A figure, by the name of its bench.
    pub fn figure(&self, bench: &str) -> Option<f64> {
        self.figures.get(bench).copied()
    }

    /// The figures of the benches whose names begin like this.
    pub fn figures<'a>(&'a self, begin: &'a str) -> impl Iterator<Item = f64> + 'a {
        self.figures.iter().filter(move |(bench, _)| bench.starts_with(begin)).map(|(_, &figure)| figure)
    }

    /// Keeps a figure.
    pub fn find(&mut self, bench: &str, figure: f64) {
        self.figures.insert(bench.to_owned(), figure);
    }

    /// Adds a note about the input of a measurement.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// The notes.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// A bench that alternates between two tasks, so that load on the machine affects both: criterion's estimate is of the
/// first, and the figure with the same name is the ratio of the first to the second.
pub fn paired(
    group: &mut BenchmarkGroup<'_, WallTime>,
    findings: &mut Findings,
    group_name: &str,
    name: &str,
    mut first: impl FnMut() -> Duration,
    mut second: impl FnMut() -> Duration,
) {
    let mut times = [Vec::new(), Vec::new()];
    group.bench_function(name, |b| {
        b.iter_custom(|iterations| {
            (0..iterations)
                .map(|_| {
                    let both = [first(), second()];
                    times.iter_mut().zip(both).for_each(|(times, time)| times.push(time.as_secs_f64()));
                    both[0]
                })
                .sum()
        });
    });
    let [first, second] = &mut times;
    if let Some((first, second)) = undisturbed(first).zip(undisturbed(second)) {
        findings.find(&format!("{group_name}/{name}"), first / second);
    }
}

/// The value below which a tenth of the times lie: other load makes a time longer and never shorter. `None` without
/// times.
pub fn undisturbed(times: &mut [f64]) -> Option<f64> {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 10).copied()
}
