//! A run as a report: one page of plain HTML with its figures as SVG, and the figures as files.
//!
//! [`run`] describes the experiment, [`tally`] and the analysis give the numbers, [`figures`] turns them into panels
//! and tables with [`chart`], and [`page`] assembles the page. The same run folders give the same bytes.

#![allow(clippy::disallowed_methods, reason = "steps of scales and contrasts of colours are rounded")]

pub mod chart;
pub(crate) mod figures;
pub(crate) mod page;
pub(crate) mod palette;
pub mod post;
pub(crate) mod run;
mod sections;
pub(crate) mod tally;
pub mod viewer;
pub(crate) mod words;

use std::path::Path;

use crate::chart::Figure;
use crate::page::Page;
use crate::run::ReportedRun;
use crate::sections::{Powers, ReportKind};
use crate::tally::ReportTallies;
use upheaval_analysis::balance::source::RunSource;
use upheaval_analysis::balance::{Balance, BalanceError, BalanceOptions};
use upheaval_analysis::scoring::Score;
use upheaval_analysis::standings::Standings;

pub use figures::play::effect_board;

/// The report of a run.
pub struct Report {
    page: Page,
}

impl Report {
    /// Reads a run folder, as far as the options ask for.
    pub fn of(folder: &Path, options: &BalanceOptions) -> Result<Report, BalanceError> {
        Report::of_all(folder, &[] as &[&Path], options)
    }

    /// The report of a tournament that was extended: of its first run and the others together.
    ///
    /// # Errors
    /// As [`Report::of`], or the folders are not of one tournament.
    pub fn of_all(
        first: &Path,
        others: &[impl AsRef<Path>],
        options: &BalanceOptions,
    ) -> Result<Report, BalanceError> {
        let run = ReportedRun::open(first, others, options.trust)?;
        if run.is_tournament() {
            // The page does not show the balance, but the chosen arms and line-ups must be in the run.
            options.check(&run.source)?;
            let RunSource { run: first, extensions, .. } = &run.source;
            let standings = Standings::of_all(first, extensions, Score::DrawSize)?.0.sections();
            return Ok(Report { page: ReportKind::Bots(&standings).page(&run) });
        }
        let mut tallies = ReportTallies::new(&run.source);
        let balance = Balance::of_run_with(&run.source, options, &mut tallies)?;
        let powers = Powers { run: &run, balance: &balance, tallies: &tallies };
        Ok(Report { page: ReportKind::Powers(powers).page(&run) })
    }

    /// The page.
    pub fn html(&self) -> String {
        self.page.html()
    }

    /// All figures with a drawing, in their order.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        let figures = self.page.sections.iter().flat_map(|section| &section.figures);
        figures.filter(|figure| !figure.panels.is_empty())
    }
}
