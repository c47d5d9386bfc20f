//! `upheaval replay`: games of a run, or from files, played again and compared.

mod branch;

pub(crate) use branch::live_note;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use upheaval::diagnostic::open_file;
use upheaval::game_record::{GameRecord, Programs, RunReplayer, SavedGame, replay};
use upheaval::viewer::Viewer;

use crate::failure::Failure;
use crate::file::{real_place, refuse_within, write_whole};
use crate::registry;
use crate::terminal::print;

/// How many games `--verify` plays again by default.
const SAMPLE: u64 = 256;

/// Play games again and compare: a game of a run, one from a file, or many of a run. Exit code 1 if one differs from
/// its record.
#[derive(Args)]
#[command(group(ArgGroup::new("one-game").multiple(true)))]
pub(crate) struct ReplayArguments {
    /// The folder of a run; or a file that --export wrote.
    #[arg(value_name = "FOLDER|FILE")]
    from: PathBuf,
    /// The game: its number, or arm and number, as in `black-hole/12`.
    #[arg(value_name = "GAME", group = "one-game")]
    game: Option<String>,
    /// Print the game as text.
    #[arg(long, group = "one-game")]
    text: bool,
    /// Write the game into a file that can be played again anywhere.
    #[arg(long, value_name = "FILE", group = "one-game")]
    export: Option<PathBuf>,
    /// Write a game of `standard` as the Python package `diplomacy` saves games.
    #[arg(long, value_name = "FILE", group = "one-game")]
    saved_game: Option<PathBuf>,
    /// Write the game as a page to step through: boards with orders, events, centres.
    #[arg(long, value_name = "FILE", group = "one-game")]
    html: Option<PathBuf>,
    /// Play games of the run again, spread evenly over it, and compare every row.
    #[arg(long, conflicts_with_all = ["one-game", "at"])]
    verify: bool,
    /// About how many games, in place of 256.
    #[arg(long, value_name = "N", requires = "verify", conflicts_with = "all", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// All of them.
    #[arg(long, requires = "verify")]
    all: bool,
    /// Start this program, which the run names as one of its bots; the whole command line, as the refusal prints it.
    /// May be given several times. Without it, nothing that a run names is started.
    #[arg(long, value_name = "COMMAND")]
    allow_program: Vec<String>,
    #[command(flatten, next_help_heading = "What if")]
    branch: branch::BranchArguments,
}

impl ReplayArguments {
    fn programs(&self) -> Programs {
        match self.allow_program.is_empty() {
            true => Programs::Refused,
            false => Programs::Allowed(self.allow_program.clone()),
        }
    }
}

/// Runs the command.
pub(crate) fn command(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    if arguments.verify {
        return verify(arguments);
    }
    if let Some(at) = arguments.branch.at {
        return branch::command(arguments, at);
    }
    refuse_places(arguments)?;
    let kept = game(arguments)?;
    let files = play(arguments, &kept)?;
    let mut said = if arguments.text { kept.to_text() } else { summary(&kept) };
    for File { what, path, text } in files {
        write_whole(path, &text)?;
        said += &format!("{what}: {}\n", path.display());
    }
    print(&said, io::stdout().lock()).map(|()| ExitCode::SUCCESS)
}

/// An output file.
struct File<'a> {
    what: &'static str,
    path: &'a Path,
    text: String,
}

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
            "`{name}` is a file with one game: leave `{game}` out, or name the folder of a run"
        ))),
        Some(game) => {
            let again = open(arguments)?;
            Ok(again.game_record(&again.find(game)?)?)
        }
        None if from.is_dir() => {
            let first = open(arguments)?.first().unwrap_or_else(|| "GAME".to_owned());
            Err(Failure::input(format!(
                "`{name}` is a folder: name one of its games, as in `upheaval replay {name} {first}`, or --verify"
            )))
        }
        None => read(from),
    }
}

/// Reads a game from a file.
pub(crate) fn read(file: &Path) -> Result<GameRecord, Failure> {
    let name = file.display();
    let text = open_file(file)
        .and_then(io::read_to_string)
        .map_err(|error| Failure::input(format!("cannot read `{name}`: {error}")))?;
    Ok(GameRecord::parse(&name.to_string(), &text)?)
}

/// Plays the game from its record, and makes the requested files.
fn play<'a>(arguments: &'a ReplayArguments, kept: &GameRecord) -> Result<Vec<File<'a>>, Failure> {
    let name = arguments.from.display().to_string();
    let variant = kept.variant(&name)?;
    let mut saved = match &arguments.saved_game {
        Some(path) => Some((path, SavedGame::of(kept, &variant).map_err(Failure::input)?)),
        None => None,
    };
    let mut page = arguments.html.as_ref().map(|path| (path, Viewer::of(kept)));
    let replayed = replay(kept, variant, &mut |game| {
        if let Some((_, viewer)) = &mut page {
            viewer.record_state(game);
        }
        if let Some((_, saved)) = &mut saved {
            saved.record_state(game);
        }
    });
    if let Err(mismatch) = replayed {
        let what = format!("{}/{}, {mismatch}", kept.game.variant, kept.game.game);
        return Err(Failure::machine(format!("`{name}` differs from the game that it claims to be: {what}")));
    }
    let game = arguments.export.iter().map(|path| File { what: "game", path, text: kept.to_json() });
    let saved =
        saved.iter().map(|(path, saved)| File { what: "saved game", path, text: saved.to_json_line() });
    let page = page.iter().map(|(path, viewer)| File { what: "page", path, text: viewer.html() });
    Ok(game.chain(saved).chain(page).collect())
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
    Ok(RunReplayer::open(&arguments.from, &arguments.programs(), &registry())?)
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
        bots => format!("the decisions of `{}` are those that the run recorded\n", bots.join("`, `")),
    };
    if !same && !again.hint().is_empty() {
        text += &format!("{}\n", again.hint());
    }
    text
}

fn verify(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    let folder = arguments.from.display();
    if arguments.from.is_file() {
        let what = "--verify plays games of a run; leave it out to play this one";
        return Err(Failure::input(format!("`{folder}` is a file: {what}")));
    }
    let again = open(arguments)?;
    refuse_unrepeatable(&again, &arguments.from)?;
    let sample = if arguments.all { again.games() } else { arguments.sample.unwrap_or(SAMPLE) };
    let (played, departed) = again.verify(sample)?;
    let mut text = String::new();
    for departed in &departed {
        text += &format!("{departed}\n");
    }
    let games = again.games();
    text += &match departed.len() {
        0 => format!("{folder}: {played} of {games} games played again, all rows equal\n"),
        n => format!("{folder}: {n} of {played} games played again differ\n"),
    };
    text += &notes(&again, departed.is_empty());
    print(&text, io::stdout().lock())?;
    Ok(if departed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
