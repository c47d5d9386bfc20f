//! A run as a report: one page of plain HTML with its figures as SVG, and the figures as files.
//!
//! [`run`] describes the experiment, [`tally`] and the analysis give the numbers, [`figures`] turns them into panels
//! and tables with [`chart`], and [`page`] assembles the page. The same run folder gives the same bytes.

pub mod chart;
mod effects;
pub mod figures;
pub mod measure;
pub mod page;
pub mod palette;
mod policy;
pub mod run;
mod sections;
pub mod tally;
pub mod verdict;
pub mod viewer;
pub mod ways;
pub mod words;

use std::path::Path;

use self::chart::Figure;
use self::page::Page;
use self::run::Run;
use self::sections::Study;
use upheaval_analysis::balance::{Balance, BalanceError, Options};
use upheaval_analysis::scoring::Score;
use upheaval_analysis::standings::Standings;

pub use effects::effect_board;

/// The report of a run.
pub struct Report {
    page: Page,
}

impl Report {
    /// Reads a run folder, as far as the options ask for.
    pub fn of(folder: &Path, options: &Options) -> Result<Report, BalanceError> {
        let run = Run::open(folder, options.trust)?;
        let balance = Balance::of_run(&run.source, options)?;
        let tallies = tally::tallies(&run, |arm| balance.cells.iter().any(|cell| cell.arm == arm))?;
        let standings = match run.is_tournament() {
            true => Standings::of(&run.source.run, Score::DrawSize)?.0.sections(),
            false => Vec::new(),
        };
        let study = Study { run: &run, balance: &balance, tallies: &tallies, standings: &standings };
        Ok(Report { page: study.page() })
    }

    /// The page.
    pub fn html(&self) -> String {
        self.page.html()
    }

    /// All figures with a drawing, in their order.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.page
            .sections
            .iter()
            .flat_map(|section| &section.figures)
            .filter(|figure| !figure.panels.is_empty())
    }
}
