//! `upheaval report DIR`: one self-contained page about a run, and its figures as files.

use std::path::{Path, PathBuf};

use clap::Args;
use upheaval::report::Report;

use crate::balance::ComparisonArguments;
use crate::common::TrustArgument;
use crate::failure::{Failure, RUN_FOLDER};
use crate::output::{print, refuse_within, unwritten, write_whole};

/// Write a report of a run: one HTML page with plots and tables
///
/// The page needs neither network nor scripts. Several folders are one tournament, extended with `upheaval tournament
/// --extend`.
#[derive(Args)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    comparison: ComparisonArguments,
    /// File for the page [default: `pages/RUN.html` beside the run folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also write each figure as SVG into this directory
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    /// Columns of panels in the figures of --svg
    #[arg(long, value_name = "N", default_value_t = 3, requires = "svg", value_parser = clap::value_parser!(u16).range(1..=12))]
    columns: u16,
    #[command(flatten)]
    trust: TrustArgument,
}

/// Runs the command.
pub(crate) fn command(arguments: &ReportArguments) -> Result<(), Failure> {
    let Some((first, others)) = arguments.comparison.folders.split_first() else { return Ok(()) };
    let page = match &arguments.out {
        Some(out) => out.clone(),
        None => among_pages(first, if others.is_empty() { ".html" } else { "-extended.html" })?,
    };
    for place in [Some(&page), arguments.svg.as_ref()].into_iter().flatten() {
        arguments.comparison.folders.iter().try_for_each(|folder| refuse_within(place, folder))?;
    }
    let report = Report::of_all(first, others, &arguments.comparison.options(arguments.trust.of()))?;
    if let (None, Some(pages)) = (&arguments.out, page.parent()) {
        std::fs::create_dir_all(pages).map_err(|error| unwritten(pages, &error))?;
    }
    write_whole(&page, report.html())?;
    let mut said = format!("report: {}\n", page.display());
    if let Some(folder) = &arguments.svg {
        std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
        let mut count = 0;
        for figure in report.figures() {
            write_whole(&folder.join(format!("{}.svg", figure.id)), figure.file(arguments.columns.into()))?;
            count += 1;
        }
        said += &format!("figures: {} ({count} files)\n", folder.display());
    }
    print(&said)
}

/// `results/pages/x-0123.html` of `results/x-0123`: the page is in a folder of its own, so that `results/x-*` in a
/// shell matches only the run folder.
fn among_pages(folder: &Path, ending: &str) -> Result<PathBuf, Failure> {
    let folder = folder.canonicalize().map_err(|error| {
        Failure::input(format!("`{}` is not a run folder: {error}; {RUN_FOLDER}", folder.display()))
    })?;
    let mut name = folder.file_name().map(ToOwned::to_owned).unwrap_or_else(|| "run".into());
    name.push(ending);
    Ok(folder.with_file_name("pages").join(name))
}
