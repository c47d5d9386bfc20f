//! `upheaval ladder VARIANT`: budget 2ᵏ against 2ᵏ⁻¹, rung by rung: does skill matter in a variant, and how much?

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::time::Instant;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use upheaval::analysis::ladder::{HIGHEST, Ladder, LadderPlan, Rung};
use upheaval::bot::BotKind;
use upheaval::diagnostic::suggest;
use upheaval::sim::VariantEntry;

use crate::failure::Failure;
use crate::format::{FormatArgument, print_json};
use crate::map::find_variant;
use crate::progress::Progress;
use crate::terminal::print;
use crate::{blame, kinds, registry};

/// Play one seat with a budget of 2^K against all others with half of it, for one K after the other, and print whether
/// skill matters in a variant, and how much.
#[derive(Args)]
pub(crate) struct LadderArguments {
    /// A variant that ships, or the path of a variant file.
    variant: String,
    /// The first rung K: its budget is 2^K, and that of the others is half of it.
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = rung())]
    from: u8,
    /// The last rung K.
    #[arg(long, value_name = "K", default_value_t = 6, value_parser = rung())]
    to: u8,
    /// The kind of the bot.
    #[arg(long, value_name = "KIND", default_value = "search")]
    bot: String,
    /// The setting of the bot that is its budget; left out: the first that `upheaval bots` lists.
    #[arg(long, value_name = "NAME")]
    budget: Option<String>,
    /// Blocks of each rung: games in which the single seat is each power once, under the same catastrophes.
    #[arg(long, value_name = "N", default_value_t = 20)]
    blocks: u32,
    /// The years of a game, from the variant's first on.
    #[arg(long, value_name = "N", default_value_t = 8)]
    years: u16,
    /// The root seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; 0 for one per core. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = RangedU64ValueParser::<usize>::new().range(0..=1024))]
    threads: usize,
    #[command(flatten)]
    format: FormatArgument,
}

/// The numbers of rungs.
fn rung() -> RangedU64ValueParser<u8> {
    RangedU64ValueParser::new().range(1..=u64::from(HIGHEST))
}

/// Plays all rungs, prints each as soon as it has been played, and then the verdict.
pub(crate) fn command(arguments: &LadderArguments) -> Result<(), Failure> {
    let LadderArguments { bot, from, to, blocks, years, seed, threads, .. } = arguments;
    let plan = LadderPlan {
        variant: VariantEntry::new(find_variant(&arguments.variant)?),
        kind: bot.clone(),
        setting: budget_of(bot, arguments.budget.as_deref())?,
        from: *from,
        to: *to,
        blocks: *blocks,
        seed: *seed,
        years: *years,
        threads: *threads,
    };
    let ladder = Ladder::new(plan, &registry()).map_err(Failure::input)?;
    let json = arguments.format.is_json();
    if !json {
        print(&ladder.heading(), io::stdout().lock())?;
    }
    let progress = Progress::start(ladder.games(), 0);
    let mut printed = Ok(());
    let mut begun = Instant::now();
    let tell = |rung: &Rung| {
        if printed.is_ok() {
            printed = progress.aside(|| {
                tell_time(rung, begun);
                if json { Ok(()) } else { print(&ladder.line(rung), io::stdout().lock()) }
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
        text = format!("{text}\n{}", blame::text(&report.faults, BTreeMap::new()));
    }
    print(&text, io::stdout().lock())
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
    let unknown = || {
        let known = kinds().map(|kind| kind.name);
        Failure::input(format!("there is no bot `{bot}`; {}", suggest(bot, known)))
    };
    let kind: BotKind = kinds().find(|kind| kind.name == bot).ok_or_else(unknown)?;
    let first = kind.tuning.and_then(|tuning| tuning.settings.first());
    match (named, first) {
        (Some(named), _) => Ok(named.to_owned()),
        (None, Some(first)) => Ok(first.name.to_owned()),
        (None, None) => {
            let tuned = kinds().filter(|kind| kind.tuning.is_some()).map(|kind| kind.name);
            let known = tuned.collect::<Vec<_>>().join(", ");
            Err(Failure::input(format!(
                "`{bot}` has no settings and therefore no budget; bots with settings are {known}"
            )))
        }
    }
}
