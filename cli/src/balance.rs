//! `upheaval balance FOLDER`: is a variant fair, which powers does it favour, and what is the effect of a parameter?

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use upheaval::analysis::balance::effect::AttributionRule;
use upheaval::analysis::balance::tally::FairnessMeasure;
use upheaval::analysis::balance::{Balance, BalanceOptions, MARGIN};
use upheaval::diagnostic::suggest;
use upheaval::record::EventKind;
use upheaval::rules::event::Subject;
use upheaval::sim::Trust;

use crate::common::{ThreadsArgument, TrustArgument};
use crate::failure::Failure;
use crate::output::{FormatArgument, print};

/// Analyse the balance of a run
///
/// Prints rates and centres by power with 95 % intervals, fairness, differences between arms and line-ups, the effects
/// of events on the powers that they hit, and how many games are needed.
///
/// Several folders are one tournament, extended with `upheaval tournament --extend`.
#[derive(Args)]
pub(crate) struct BalanceArguments {
    #[command(flatten)]
    comparison: ComparisonArguments,
    #[command(flatten)]
    format: FormatArgument,
    /// Kind of event to study; repeatable [default: all that change a province]
    #[arg(long = "event", value_name = "KIND", value_parser = kind)]
    events: Vec<EventKind>,
    /// Power that an event is attributed to
    #[arg(long, value_enum, default_value_t = Of::Home)]
    whose: Of,
    /// Years after an event at which centres are counted
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    years: u16,
    /// Print the games needed for intervals of rates and scores this wide
    #[arg(long, value_name = "WIDTH", value_parser = width)]
    width: Option<f64>,
    /// Print the games needed for intervals of mean centres this wide
    #[arg(long, value_name = "WIDTH", value_parser = width)]
    width_centres: Option<f64>,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    trust: TrustArgument,
}

/// The games that are compared, and by which measure, for each command that prints a balance.
#[derive(Args)]
pub(crate) struct ComparisonArguments {
    /// Run folder, followed by the runs that extend it
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
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
    /// Part of an equal share by which line-ups that agree may differ
    #[arg(long, value_name = "PART", default_value_t = MARGIN, value_parser = margin)]
    margin: f64,
}

impl ComparisonArguments {
    /// The options that these flags set.
    pub(crate) fn options(&self, trust: Trust) -> BalanceOptions {
        BalanceOptions {
            variants: self.variants.clone(),
            line_ups: self.line_ups.clone(),
            against: self.against.clone(),
            rank_by: match self.rank_by {
                By::Solos => FairnessMeasure::Solos,
                By::Score => FairnessMeasure::Score,
                By::Centres => FairnessMeasure::Centres,
                By::Survival => FairnessMeasure::Survival,
            },
            margin: self.margin,
            trust,
            ..BalanceOptions::default()
        }
    }
}

/// The measure that arms are ranked by.
#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// Games won outright
    Solos,
    /// Draw-size score
    Score,
    /// Supply centres at the end
    Centres,
    /// Survival to the end
    Survival,
}

#[derive(Clone, Copy, ValueEnum)]
enum Of {
    /// The power whose home centre the province is
    Home,
    /// The power that owns the province
    Owner,
}

/// The kind of event of a name.
fn kind(name: &str) -> Result<EventKind, String> {
    let known = || EventKind::ALL.into_iter().filter(|kind| kind.info().subject == Subject::Province);
    known().find(|kind| kind.name() == name).ok_or_else(|| {
        if EventKind::ALL.into_iter().any(|kind| kind.name() == name) {
            return "expected a kind of event that happens to a province, such as `collapsed`".to_owned();
        }
        format!("there is no such kind of event; {}", suggest(name, known().map(EventKind::name)))
    })
}

fn width(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(width) if f64::is_finite(width) && width > 0.0 => Ok(width),
        _ => Err("expected a number above 0, such as 0.02".to_owned()),
    }
}

fn margin(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(margin) if 0.0 < margin && margin <= 1.0 => Ok(margin),
        _ => Err("expected a number above 0 and at most 1, such as 0.25".to_owned()),
    }
}

/// Prints the balance of a folder.
pub(crate) fn command(arguments: &BalanceArguments) -> Result<(), Failure> {
    let options = BalanceOptions {
        events: arguments.events.clone(),
        whose: match arguments.whose {
            Of::Home => AttributionRule::Home,
            Of::Owner => AttributionRule::Owner,
        },
        years: arguments.years,
        width: arguments.width,
        width_centres: arguments.width_centres,
        ..arguments.comparison.options(arguments.trust.of())
    };
    let Some((first, others)) = arguments.comparison.folders.split_first() else { return Ok(()) };
    let balance = Balance::on_threads(arguments.threads.count(), first, others, &options)?;
    let text = match arguments.format.is_json() {
        false => balance.render(),
        true => balance.to_json(),
    };
    print(&text)
}
