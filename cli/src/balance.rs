//! `upheaval balance FOLDER`: is a variant fair, which powers does it favour, and what is the effect of a parameter?

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use upheaval::analysis::balance::effect::AttributionRule;
use upheaval::analysis::balance::tally::FairnessMeasure;
use upheaval::analysis::balance::{Balance, BalanceOptions, MARGIN};
use upheaval::diagnostic::suggest;
use upheaval::record::EventKind;
use upheaval::rules::event::Subject;

use crate::failure::Failure;
use crate::terminal::print;
use crate::trust::TrustArgument;

/// Analyse the balance of a run on disk: rates and centres by power with 95% intervals, fairness, differences between
/// its arms and line-ups, the effects of events on the powers that they strike, and how many games are needed. Several
/// folders are one tournament to which entrants were added with `upheaval tournament --extend`.
#[derive(Args)]
pub(crate) struct BalanceArguments {
    /// The run folder, and those by which it was extended.
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The output: tables, or everything as JSON.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// A variant, or an arm of a sweep, to look at; may be given several times. Left out: all.
    #[arg(long = "variant", value_name = "ID")]
    variants: Vec<String>,
    /// A line-up to look at, counted from 0; may be given several times. Left out: all.
    #[arg(long = "line-up", value_name = "N")]
    line_ups: Vec<usize>,
    /// The arm that the others are compared with. Left out: the first.
    #[arg(long, value_name = "ID")]
    against: Option<String>,
    /// The measure that the arms of a sweep are ranked by, from the fairest to the least fair.
    #[arg(long, value_name = "MEASURE", value_enum, default_value_t = By::Score)]
    rank_by: By,
    /// A kind of event, such as `collapsed`, whose effect on the power that it strikes is estimated; may be given
    /// several times. Left out: those that change a province.
    #[arg(long = "event", value_name = "KIND", value_parser = kind)]
    events: Vec<EventKind>,
    /// The power that an event in a province strikes: the one whose home centre the province is, or the one that owns
    /// it.
    #[arg(long, value_enum, default_value_t = Of::Home)]
    whose: Of,
    /// How many years after an event the centres are counted.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    years: u16,
    /// Print how many games intervals of rates and scores of this width need: 0.02 is two percentage points from the
    /// lower bound to the upper.
    #[arg(long, value_name = "WIDTH", value_parser = width)]
    width: Option<f64>,
    /// Print how many games intervals of mean centres of this width need.
    #[arg(long, value_name = "WIDTH", value_parser = width)]
    width_centres: Option<f64>,
    #[command(flatten)]
    margin: MarginArgument,
    /// Threads; 0 for one per core. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    #[command(flatten)]
    trust: TrustArgument,
}

/// When line-ups agree.
#[derive(Args)]
pub(crate) struct MarginArgument {
    /// The bots agree if every power's shares of the total with two line-ups are shown to differ by less than this part
    /// of an equal share: with seven powers, 0.25 is 3.6 of 100 points.
    #[arg(long, value_name = "PART", default_value_t = MARGIN, value_parser = margin)]
    pub margin: f64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Tables for a terminal.
    Text,
    /// One JSON object, as docs/balance.md describes it.
    Json,
}

/// The measure that arms are ranked by.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum By {
    /// Games won alone.
    Solos,
    /// The draw-size score.
    Score,
    /// Centres at the end.
    Centres,
    /// A unit on the board at the end.
    Survival,
}

impl By {
    /// The measure of this name.
    pub(crate) fn measure(self) -> FairnessMeasure {
        match self {
            By::Solos => FairnessMeasure::Solos,
            By::Score => FairnessMeasure::Score,
            By::Centres => FairnessMeasure::Centres,
            By::Survival => FairnessMeasure::Survival,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Of {
    /// The power whose home centre it is, whoever owns it.
    Home,
    /// The power that owns it.
    Owner,
}

/// The kind of event of a name.
fn kind(name: &str) -> Result<EventKind, String> {
    let known = || EventKind::ALL.into_iter().filter(|kind| kind.info().subject == Subject::Province);
    known().find(|kind| kind.name() == name).ok_or_else(|| {
        if EventKind::ALL.into_iter().any(|kind| kind.name() == name) {
            return "this kind of event does not strike a province".to_owned();
        }
        format!("there is no such kind of event; {}", suggest(name, known().map(EventKind::name)))
    })
}

fn width(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(width) if f64::is_finite(width) && width > 0.0 => Ok(width),
        _ => Err("a width is a number above 0, such as 0.02".to_owned()),
    }
}

fn margin(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(margin) if 0.0 < margin && margin <= 1.0 => Ok(margin),
        _ => Err("a margin is a number above 0 and at most 1, an equal share, such as 0.25".to_owned()),
    }
}

/// Prints the balance of a folder.
pub(crate) fn command(arguments: &BalanceArguments) -> Result<(), Failure> {
    let options = BalanceOptions {
        variants: arguments.variants.clone(),
        line_ups: arguments.line_ups.clone(),
        against: arguments.against.clone(),
        rank_by: arguments.rank_by.measure(),
        events: arguments.events.clone(),
        whose: match arguments.whose {
            Of::Home => AttributionRule::Home,
            Of::Owner => AttributionRule::Owner,
        },
        years: arguments.years,
        width: arguments.width,
        width_centres: arguments.width_centres,
        margin: arguments.margin.margin,
        trust: arguments.trust.of(),
    };
    let Some((first, others)) = arguments.folders.split_first() else { return Ok(()) };
    let balance = Balance::on_threads(usize::from(arguments.threads), first, others, &options)?;
    let text = match arguments.format {
        Format::Text => balance.render(),
        Format::Json => balance.to_json(),
    };
    print(&text, io::stdout().lock())
}
