//! `upheaval replay`: games of a run, or from files, played again and compared; with `--at`, played on otherwise from a
//! moment on.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use upheaval::analysis::futures::render_pairs;
use upheaval::branch::{Fork, Moment, Otherwise, Replacement, Side};
use upheaval::game_record::{GameRecord, RunReplayer, SavedGame, replay};
use upheaval::ids::PowerNames;
use upheaval::rules::changes::Changes;
use upheaval::viewer::{self, Viewer};

use crate::common::{ProgramsArgument, StrictArgument};
use crate::failure::Failure;
use crate::output::{RECORD, code, lines, print, real_place, refuse_within, write_whole};
use crate::registry::{find_bot, find_power, find_record, registry};

/// The number of games that `--verify` plays again by default.
const SAMPLE: u64 = 256;

/// Play recorded games again: show, export, compare or change them
///
/// Exit code 1 if a game differs from its record.
#[derive(Args)]
#[command(group(ArgGroup::new("one-game").multiple(true)))]
pub(crate) struct ReplayArguments {
    /// Run folder, or a file that --export or `upheaval game` wrote
    #[arg(value_name = "FOLDER|FILE")]
    from: PathBuf,
    /// Game: its number, or arm and number, such as `black-hole/12`
    #[arg(value_name = "GAME", group = "one-game")]
    game: Option<String>,
    /// Print the game as text
    #[arg(long, group = "one-game")]
    text: bool,
    /// Write the game into a file that can be played again anywhere
    #[arg(long, value_name = "FILE", group = "one-game")]
    export: Option<PathBuf>,
    /// Write a game of `standard` in the format of the package `diplomacy`
    #[arg(long, value_name = "FILE", group = "one-game")]
    saved_game: Option<PathBuf>,
    /// Write an HTML page to step through the game
    #[arg(long, value_name = "FILE", group = "one-game")]
    html: Option<PathBuf>,
    /// Play games of the run again and compare every row
    #[arg(long, conflicts_with_all = ["one-game", "at"])]
    verify: bool,
    /// Approximate number of games to compare [default: 256]
    #[arg(long, value_name = "N", requires = "verify", conflicts_with = "all", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Compare all games
    #[arg(long, requires = "verify")]
    all: bool,
    #[command(flatten)]
    programs: ProgramsArgument,
    #[command(flatten, next_help_heading = "What if")]
    branch: BranchArguments,
}

/// Runs the command.
pub(crate) fn command(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    if arguments.verify {
        return verify(arguments);
    }
    if let Some(at) = arguments.branch.at {
        return what_if(arguments, at);
    }
    refuse_places(arguments)?;
    let kept = game(arguments)?;
    let files = play(arguments, &kept)?;
    let mut said = if arguments.text { kept.to_text() } else { summary(&kept) };
    for (what, path, text) in files {
        write_whole(path, &text)?;
        said += &format!("{what}: {}\n", path.display());
    }
    print(&said).map(|()| ExitCode::SUCCESS)
}

/// A file that is written: its name for messages, its place and its text.
type OutputFile<'a> = (&'static str, &'a Path, String);

/// Refuses to write one file over another, over the input, or into a run.
fn refuse_places(arguments: &ReplayArguments) -> Result<(), Failure> {
    let ReplayArguments { from, export, saved_game, html, .. } = arguments;
    let asked = [("--export", export), ("--saved-game", saved_game), ("--html", html)];
    let mut taken = vec![("the game itself", real_place(from))];
    for (option, path) in asked {
        let Some(path) = path else { continue };
        refuse_within(path, from)?;
        let place = real_place(path);
        if let Some((first, _)) = taken.iter().find(|(_, other)| *other == place) {
            let path = path.display();
            return Err(Failure::input(format!(
                "{option} would overwrite {first}: `{path}`; name another file"
            )));
        }
        taken.push((option, place));
    }
    Ok(())
}

/// The requested game, of a run or in a file.
fn game(arguments: &ReplayArguments) -> Result<GameRecord, Failure> {
    let from = &arguments.from;
    let name = from.display();
    match &arguments.game {
        Some(game) if from.is_file() => Err(Failure::input(format!(
            "`{name}` is a file with one game: remove `{game}`, or name a run folder"
        ))),
        Some(game) => {
            let again = open(arguments)?;
            Ok(again.game_record(&again.find(game)?)?)
        }
        None if from.join(RECORD).exists() => Err(Failure::input(format!(
            "`{name}` is the folder of a game by hand: name `{name}/{RECORD}`, which has its seed and all secrets, or show \
             it to players by `upheaval game log` or `upheaval game show --html`"
        ))),
        None if from.is_dir() => {
            let first = open(arguments)?.first().unwrap_or_else(|| "GAME".to_owned());
            Err(Failure::input(format!(
                "`{name}` is a folder: name one of its games, as in `upheaval replay {name} {first}`, or --verify"
            )))
        }
        None => find_record(from),
    }
}

/// Plays the game from its record, and makes the requested files.
fn play<'a>(arguments: &'a ReplayArguments, kept: &GameRecord) -> Result<Vec<OutputFile<'a>>, Failure> {
    let name = arguments.from.display().to_string();
    let variant = kept.variant(&name)?;
    let mut saved = arguments
        .saved_game
        .as_ref()
        .map(|_| SavedGame::of(kept, &variant))
        .transpose()
        .map_err(Failure::input)?;
    let mut page = arguments.html.as_ref().map(|_| Viewer::of(kept));
    let replayed = replay(kept, variant, &mut |game| {
        page.iter_mut().for_each(|viewer| viewer.record_state(game));
        saved.iter_mut().for_each(|saved| saved.record_state(game));
    });
    if let Err(mismatch) = replayed {
        let what = format!("{}/{}, {mismatch}", kept.game.variant, kept.game.game);
        return Err(Failure::machine(format!("`{name}` does not replay as recorded: {what}")));
    }
    let texts = [
        ("game", &arguments.export, arguments.export.as_ref().map(|_| kept.to_json())),
        ("saved game", &arguments.saved_game, saved.map(|saved| saved.to_json_line())),
        ("page", &arguments.html, page.map(|viewer| viewer.html())),
    ];
    Ok(texts.into_iter().filter_map(|(what, path, text)| Some((what, path.as_deref()?, text?))).collect())
}

fn summary(kept: &GameRecord) -> String {
    format!(
        "{}/{} replays as recorded: {} stages, the state's hash before each; {}, {}\n",
        kept.game.variant,
        kept.game.game,
        kept.stages.len(),
        kept.end.phase,
        kept.outcome(),
    )
}

fn open(arguments: &ReplayArguments) -> Result<RunReplayer, Failure> {
    Ok(RunReplayer::open(&arguments.from, &arguments.programs.programs(), &registry())?)
}

/// Refuses a run whose games may differ for reasons that are not in it.
pub(crate) fn refuse_unrepeatable(again: &RunReplayer, folder: &Path) -> Result<(), Failure> {
    match again.is_repeatable() {
        true => Ok(()),
        false => Err(Failure::input(format!(
            "`{}` is marked as not repeatable: a program was late, or was stopped by the watchdog",
            folder.display()
        ))),
    }
}

/// Which bots did not play again, and what to do if games differ.
pub(crate) fn notes(again: &RunReplayer, same: bool) -> String {
    let mut text = match &again.recorded()[..] {
        [] => String::new(),
        bots => format!("the decisions of `{}` are taken from the record of the run\n", bots.join("`, `")),
    };
    if !same && !again.hint().is_empty() {
        text += &format!("{}\n", again.hint());
    }
    text
}

fn verify(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    let folder = arguments.from.display();
    if arguments.from.is_file() {
        return Err(Failure::input(format!("`--verify` needs a run folder, but `{folder}` is a file")));
    }
    let again = open(arguments)?;
    refuse_unrepeatable(&again, &arguments.from)?;
    let sample = if arguments.all { again.games() } else { arguments.sample.unwrap_or(SAMPLE) };
    let (played, departed) = again.verify(sample)?;
    let said = match departed.len() {
        0 => format!("{folder}: {played} of {} games played again, all rows equal\n", again.games()),
        n => format!("{folder}: {n} of {played} games played again differ\n"),
    };
    print(&(lines(&departed) + &said + &notes(&again, departed.is_empty())))?;
    Ok(code(departed.is_empty()))
}

/// The change, and the moment from which it applies.
#[derive(Args)]
struct BranchArguments {
    /// Change the game from this season or phase on: `F1902` or `S1903M`
    #[arg(long, value_name = "MOMENT", requires_all = ["game", "otherwise"])]
    pub at: Option<Moment>,
    /// Replace the last draw, or quake, of the season: `[ENTRY:] collapse BUR`
    #[arg(long, value_name = "DRAW", group = "otherwise", requires = "at")]
    instead: Option<String>,
    /// Remove the draws or quakes of an entry of `changes` [default: the only one]
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "", group = "otherwise", requires = "at")]
    without: Option<String>,
    /// Replace the orders of a power: `FRANCE: A PAR - BUR, A MAR S A PAR - BUR`
    #[arg(long, value_name = "ORDERS", group = "otherwise", requires = "at")]
    orders: Option<String>,
    #[command(flatten)]
    strict: StrictArgument,
    /// Replace the bot of a power: `FRANCE=search`
    #[arg(long, value_name = "POWER=BOT", group = "otherwise", requires = "at")]
    seat: Option<String>,
    /// Number of futures per side; an effect is printed from 20 on
    #[arg(long, value_name = "N", default_value_t = 200, requires = "at", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    futures: u32,
}

impl BranchArguments {
    fn otherwise(&self, powers: &PowerNames, changes: &Changes) -> Result<Otherwise, Failure> {
        let power = |name: &str| find_power(powers, name);
        if let Some(text) = &self.instead {
            return Otherwise::instead(text, changes)
                .map_err(|error| Failure::input(format!("--instead: {error}")));
        }
        if let Some(name) = &self.without {
            let name = Some(name.as_str()).filter(|name| !name.is_empty());
            return Otherwise::without(name, changes)
                .map_err(|error| Failure::input(format!("--without: {error}")));
        }
        if let Some(text) = &self.orders {
            let Some((name, orders)) = text.split_once(':') else {
                return Err(Failure::input(format!(
                    "--orders: expected a power and its orders, such as `FRANCE: A PAR - BUR, F BRE - MAO`, not `{text}`"
                )));
            };
            let orders = orders.split([',', ';']).map(|order| order.trim().to_owned());
            let orders = orders.filter(|order| !order.is_empty()).collect();
            return Ok(Otherwise::Orders { power: power(name)?, orders, form: self.strict.form() });
        }
        let text = self.seat.as_deref().unwrap_or_default();
        let Some((name, bot)) = text.split_once('=') else {
            return Err(Failure::input(format!(
                "--seat: expected a power and a bot, such as `FRANCE=search`, not `{text}`"
            )));
        };
        let kind = find_bot(bot.trim())?;
        Ok(Otherwise::Seat(Replacement {
            power: power(name)?,
            name: kind.name.to_owned(),
            maker: kind.into(),
        }))
    }
}

/// The bots that decided again after a change, and that they may decide otherwise the next time; empty if there are
/// none.
pub(crate) fn live_note(again: &RunReplayer) -> String {
    match &again.recorded()[..] {
        [] => String::new(),
        bots => format!(
            "before the change, the decisions of `{}` are those of the run; after it, they are new. The part after the change \
             cannot be repeated, and some differences may have other causes\n",
            bots.join("`, `")
        ),
    }
}

/// Plays futures of the changed game, and prints the effect.
fn what_if(arguments: &ReplayArguments, at: Moment) -> Result<ExitCode, Failure> {
    let taken = [&arguments.export, &arguments.saved_game].into_iter().flatten().next().is_some();
    if taken || arguments.text {
        return Err(Failure::input(
            "`--at` cannot be used with `--text`, `--export` or `--saved-game`, which write the unchanged game",
        ));
    }
    let again = RunReplayer::open(&arguments.from, &arguments.programs.programs(), &registry())?;
    let game = arguments.game.as_deref().unwrap_or_default();
    let spec = again.find(game)?;
    let powers = again.run().experiment.power_names();
    let otherwise = arguments.branch.otherwise(powers, &again.variant(spec.variant).changes)?;
    let fork = Fork::new(&again, game, at, otherwise)?;
    let pairs = fork.futures(arguments.branch.futures)?;
    let mut said = format!(
        "{game}, {at}: {}; {} {} of each side with the same dice, to the end of the game\n",
        fork.otherwise.words(powers),
        pairs.len(),
        if pairs.len() == 1 { "future" } else { "futures" },
    );
    let (was, is) = (&fork.game_record, fork.written(Side::Otherwise, 0)?);
    said += &format!("future 0, as it was: {}\nfuture 0, changed: {}\n", was.outcome(), is.outcome());
    said += &render_pairs(&pairs, powers);
    said += &live_note(&again);
    if let Some(path) = &arguments.html {
        refuse_within(path, &arguments.from)?;
        let page = viewer::beside(was, &is, fork.stage, &fork.otherwise.words(powers), &again.recorded());
        let page = page.map_err(Failure::machine)?;
        write_whole(path, &page)?;
        said += &format!("page: {}\n", path.display());
    }
    print(&said)?;
    Ok(ExitCode::SUCCESS)
}
