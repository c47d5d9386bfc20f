//! `upheaval replay RUN GAME --at F1902 …`: what if a game had continued differently from a moment on?

use std::io;
use std::process::ExitCode;

use clap::Args;
use upheaval::analysis::futures::Futures;
use upheaval::branch::{EventWord, Fork, Moment, Otherwise, Replacement, Side};
use upheaval::diagnostic::suggest;
use upheaval::game_record::RunReplayer;
use upheaval::ids::PowerNames;
use upheaval::viewer;

use super::ReplayArguments;
use crate::failure::Failure;
use crate::file::{refuse_within, write_whole};
use crate::terminal::print;
use crate::{kinds, registry};

/// The change, and the moment from which it applies.
#[derive(Args)]
pub(super) struct BranchArguments {
    /// Change the game from this moment on: a season, `F1902`, or a phase, `S1903M`.
    #[arg(long, value_name = "MOMENT", requires_all = ["game", "otherwise"])]
    pub at: Option<Moment>,
    /// What nature draws instead: `collapse BUR` (or `hole`, `void`, `toggle`), `restore BUR`, `split BUR`. If several
    /// faces are drawn in the season, the last one is replaced. Or the only quake of the season: `separate POR SPA
    /// connect MAO MAO`.
    #[arg(long, value_name = "DRAW", group = "otherwise", requires = "at")]
    instead: Option<String>,
    /// Nature does not draw: `hole`, `restore` or `split`; or there is no `quake`.
    #[arg(long, value_name = "WORD", num_args = 0..=1, default_missing_value = "hole", group = "otherwise", requires = "at")]
    without: Option<EventWord>,
    /// Orders of a power in place of its own in the phase of `--at`: `FRANCE: A PAR - BUR, A MAR S A PAR - BUR`.
    #[arg(long, value_name = "ORDERS", group = "otherwise", requires = "at")]
    orders: Option<String>,
    /// Let another bot play a power from then on: `FRANCE=search`.
    #[arg(long, value_name = "POWER=BOT", group = "otherwise", requires = "at")]
    seat: Option<String>,
    /// How many futures of each side are played; with fewer than 20 no effect is printed.
    #[arg(long, value_name = "N", default_value_t = 200, requires = "at", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    futures: u32,
}

impl BranchArguments {
    fn otherwise(&self, powers: &PowerNames) -> Result<Otherwise, Failure> {
        let power = |name: &str| {
            let name = name.trim();
            powers.find(&name.to_ascii_uppercase()).ok_or_else(|| {
                let known = suggest(name, powers.iter());
                Failure::input(format!("there is no power `{name}` on this board; {known}"))
            })
        };
        if let Some(text) = &self.instead {
            return Otherwise::instead(text).map_err(|error| Failure::input(format!("--instead: {error}")));
        }
        if let Some(event) = self.without {
            return Ok(Otherwise::without(event));
        }
        if let Some(text) = &self.orders {
            let Some((name, orders)) = text.split_once(':') else {
                let what = "--orders takes a power and a colon before its orders: `FRANCE: A PAR - BUR, F BRE - MAO`";
                return Err(Failure::input(what));
            };
            let orders = orders.split([',', ';']).map(|order| order.trim().to_uppercase());
            let orders = orders.filter(|order| !order.is_empty()).collect();
            return Ok(Otherwise::Orders { power: power(name)?, orders });
        }
        let text = self.seat.as_deref().unwrap_or_default();
        let Some((name, bot)) = text.split_once('=') else {
            return Err(Failure::input("--seat takes a power and a bot: `FRANCE=search`"));
        };
        let known: Vec<_> = kinds().collect();
        let Some(kind) = known.iter().find(|kind| kind.name == bot.trim()) else {
            let known = suggest(bot, known.iter().map(|kind| kind.name));
            return Err(Failure::input(format!("--seat: there is no bot `{bot}`; {known}")));
        };
        Ok(Otherwise::Seat(Replacement {
            power: power(name)?,
            name: kind.name.to_owned(),
            maker: (*kind).into(),
        }))
    }
}

/// The bots that decided again after a change, and that they may decide otherwise the next time; empty if there are
/// none.
pub(crate) fn live_note(again: &RunReplayer) -> String {
    match &again.recorded()[..] {
        [] => String::new(),
        bots => format!(
            "`{}` decided again after the change; before it the decisions are those of the run. The part after it cannot be \
             repeated, and not all differences follow from the change\n",
            bots.join("`, `")
        ),
    }
}

/// Runs the command.
pub(super) fn command(arguments: &ReplayArguments, at: Moment) -> Result<ExitCode, Failure> {
    let taken = [&arguments.export, &arguments.saved_game].into_iter().flatten().next().is_some();
    if taken || arguments.text {
        return Err(Failure::input(
            "--text, --export and --saved-game write the unchanged game: leave --at out",
        ));
    }
    let again = RunReplayer::open(&arguments.from, &arguments.programs(), &registry())?;
    let game = arguments.game.as_deref().unwrap_or_default();
    again.find(game)?;
    let powers = again.run().experiment.power_names();
    let otherwise = arguments.branch.otherwise(powers)?;
    let fork = Fork::new(&again, game, at, otherwise)?;
    let pairs = fork.futures(arguments.branch.futures)?;
    let mut said = format!(
        "{game}, {at}: {}; {} {} of each side with the same dice, to the end of the game\n",
        fork.otherwise().words(powers),
        pairs.len(),
        if pairs.len() == 1 { "future" } else { "futures" },
    );
    let (was, is) = (fork.game_record(), fork.written(Side::Otherwise, 0)?);
    said += &format!("future 0, as it was: {}\nfuture 0, changed: {}\n", was.outcome(), is.outcome());
    said += &Futures::of(&pairs).render(powers);
    said += &live_note(&again);
    if let Some(path) = &arguments.html {
        refuse_within(path, &arguments.from)?;
        let page = viewer::beside(was, &is, fork.stage(), &fork.otherwise().words(powers), &again.recorded());
        let page = page.map_err(Failure::machine)?;
        write_whole(path, &page)?;
        said += &format!("page: {}\n", path.display());
    }
    print(&said, io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
