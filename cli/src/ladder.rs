//! `upheaval ladder VARIANT`: budget 2ᵏ against 2ᵏ⁻¹, rung by rung: does skill matter in a variant, and how much?

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::time::Instant;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use upheaval::analysis::ladder::{HIGHEST, Ladder, LadderPlan, Rung};
use upheaval::sim::VariantEntry;

use crate::common::ThreadsArgument;
use crate::failure::Failure;
use crate::output::{FormatArgument, faults_text, print, print_json};
use crate::progress::Progress;
use crate::registry::{find_bot, find_variant, kinds, registry};

/// Measure how much extra search helps in a variant
///
/// One seat plays with a budget of 2^K against all others with half of it, for increasing K. In a block the seat is
/// each power once, with the same map changes.
#[derive(Args)]
pub(crate) struct LadderArguments {
    /// Variant: id or file
    variant: String,
    /// First rung K: a budget of 2^K against half of it
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = rung())]
    from: u8,
    /// Last rung K
    #[arg(long, value_name = "K", default_value_t = 6, value_parser = rung())]
    to: u8,
    /// Bot that plays all seats
    #[arg(long, value_name = "KIND", default_value = "search")]
    bot: String,
    /// Setting that is the bot's budget [default: the first of `upheaval bots`]
    #[arg(long, value_name = "NAME")]
    budget: Option<String>,
    /// Number of blocks per rung
    #[arg(long, value_name = "N", default_value_t = 20)]
    blocks: u32,
    /// Length of a game in years, from the variant's first year
    #[arg(long, value_name = "N", default_value_t = 8)]
    years: u16,
    /// Root seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    format: FormatArgument,
}

/// The numbers of rungs.
fn rung() -> RangedU64ValueParser<u8> {
    RangedU64ValueParser::new().range(1..=u64::from(HIGHEST))
}

/// Plays all rungs, prints each as soon as it has been played, and then the verdict.
pub(crate) fn command(arguments: &LadderArguments) -> Result<(), Failure> {
    let LadderArguments { ref bot, from, to, blocks, years, seed, .. } = *arguments;
    let plan = LadderPlan {
        variant: VariantEntry::new(find_variant(&arguments.variant)?),
        kind: bot.clone(),
        setting: budget_of(bot, arguments.budget.as_deref())?,
        from,
        to,
        blocks,
        seed,
        years,
        threads: arguments.threads.count(),
    };
    let ladder = Ladder::new(plan, &registry()).map_err(Failure::input)?;
    let json = arguments.format.is_json();
    if !json {
        print(&ladder.heading())?;
    }
    let progress = Progress::start(ladder.games(), 0);
    let mut printed = Ok(());
    let mut begun = Instant::now();
    let tell = |rung: &Rung| {
        if printed.is_ok() {
            printed = progress.aside(|| {
                tell_time(rung, begun);
                if json { Ok(()) } else { print(&ladder.line(rung)) }
            });
        }
        begun = Instant::now();
    };
    let climbed = ladder.climb(tell, &progress);
    progress.end();
    printed?;
    let report = climbed.map_err(Failure::of_run)?;
    if json {
        return print_json(ladder.to_json(&report));
    }
    let mut text = format!("\n{}", ladder.verdict(&report));
    if report.faults.any() {
        text += &format!("\n{}", faults_text(&report.faults, BTreeMap::new()));
    }
    print(&text)
}

/// The speed of a rung, on standard error: it differs from machine to machine.
fn tell_time(rung: &Rung, begun: Instant) {
    let seconds = begun.elapsed().as_secs_f64();
    let Rung { budget, against, games, .. } = rung;
    let pace = *games as f64 / seconds.max(f64::MIN_POSITIVE);
    // If the times cannot be printed, the ladder continues.
    let _ = writeln!(
        io::stderr(),
        "{budget} over {against}: {games} games in {seconds:.1} s, {pace:.2} games a second"
    );
}

/// The setting that is a bot's budget: the named one, or its first.
fn budget_of(bot: &str, named: Option<&str>) -> Result<String, Failure> {
    let first = find_bot(bot)?.settings().first();
    match (named, first) {
        (Some(named), _) => Ok(named.to_owned()),
        (None, Some(first)) => Ok(first.name.to_owned()),
        (None, None) => {
            let tuned = kinds().filter(|kind| kind.tuning.is_some()).map(|kind| kind.name);
            let known = tuned.collect::<Vec<_>>().join(", ");
            Err(Failure::input(format!(
                "expected a bot with a setting for the budget, but `{bot}` has no settings; bots with settings: {known}"
            )))
        }
    }
}
