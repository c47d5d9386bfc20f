//! `upheaval report DIR`: one self-contained page about a run, and its figures as files.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use upheaval::analysis::balance::BalanceOptions;
use upheaval::report::Report;

use crate::balance::{By, MarginArgument};
use crate::common::TrustArgument;
use crate::failure::{Failure, RUN_FOLDER};
use crate::output::{print, refuse_within, unwritten, write_whole};

/// Write a report of a run: one HTML page with plots and tables
///
/// The page needs neither network nor scripts. Several folders are one tournament, extended with `upheaval tournament
/// --extend`.
#[derive(Args)]
pub(crate) struct ReportArguments {
    /// Run folder, followed by the runs that extend it
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// File for the page [default: `pages/RUN.html` beside the run folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also write each figure as SVG into this directory
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    /// Variant or arm to include; repeatable [default: all]
    #[arg(long = "variant", value_name = "ID")]
    variants: Vec<String>,
    /// Line-up index, from 0; repeatable [default: all]
    #[arg(long = "line-up", value_name = "N")]
    line_ups: Vec<usize>,
    /// Arm that the others are compared with [default: the first]
    #[arg(long, value_name = "ID")]
    against: Option<String>,
    /// Measure by which arms are ranked, from fairest to least fair
    #[arg(long, value_name = "MEASURE", value_enum, default_value_t = By::Score)]
    rank_by: By,
    #[command(flatten)]
    margin: MarginArgument,
    /// Columns of panels in the figures of --svg
    #[arg(long, value_name = "N", default_value_t = 3, requires = "svg", value_parser = clap::value_parser!(u16).range(1..=12))]
    columns: u16,
    #[command(flatten)]
    trust: TrustArgument,
}

/// Runs the command.
pub(crate) fn command(arguments: &ReportArguments) -> Result<(), Failure> {
    let Some((first, others)) = arguments.folders.split_first() else { return Ok(()) };
    let page = match &arguments.out {
        Some(out) => out.clone(),
        None => among_pages(first, if others.is_empty() { ".html" } else { "-extended.html" })?,
    };
    for place in [Some(&page), arguments.svg.as_ref()].into_iter().flatten() {
        arguments.folders.iter().try_for_each(|folder| refuse_within(place, folder))?;
    }
    let options = BalanceOptions {
        variants: arguments.variants.clone(),
        line_ups: arguments.line_ups.clone(),
        against: arguments.against.clone(),
        rank_by: arguments.rank_by.measure(),
        margin: arguments.margin.margin,
        trust: arguments.trust.of(),
        ..BalanceOptions::default()
    };
    let report = Report::of_all(first, others, &options)?;
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
    print(&said, io::stdout().lock())
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
