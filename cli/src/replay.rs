//! `upheaval replay`: games of a run, or kept in files, played again and compared.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use upheaval::chronicle::{Again, AgainError, Chronicle, SavedGame, replay};
use upheaval::viewer::Viewer;

use crate::engine::Shelf;
use crate::failure::{Failure, print};
use crate::file::write_whole;

/// How many games `--verify` plays again if it is not told.
const SAMPLE: u64 = 256;

/// Play games again and compare: a game of a run, one that was kept in a file, or many of a run. Exit code 1 if one goes
/// otherwise than it is written.
#[derive(Args)]
pub struct ReplayArguments {
    /// The folder of a run; or a file that --export wrote.
    #[arg(value_name = "FOLDER|FILE")]
    from: PathBuf,
    /// The game: its number, or arm and number, as in `black-hole/12`.
    #[arg(value_name = "GAME", conflicts_with = "verify")]
    game: Option<String>,
    /// Print the game as people write it.
    #[arg(long, conflicts_with = "verify")]
    text: bool,
    /// Write the game into a file that can be played again anywhere.
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    export: Option<PathBuf>,
    /// Write a game of `standard` as the Python package `diplomacy` saves games.
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    saved_game: Option<PathBuf>,
    /// Write the game as a page to step through: boards with orders, what happened, centres.
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    html: Option<PathBuf>,
    /// Play games of the run again, spread evenly over it, and compare every row of theirs.
    #[arg(long)]
    verify: bool,
    /// How many, about, in place of 256.
    #[arg(long, value_name = "N", requires = "verify", conflicts_with = "all", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// All of them.
    #[arg(long, requires = "verify")]
    all: bool,
}

/// Does what the arguments say.
pub fn command(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    if arguments.verify {
        return verify(arguments);
    }
    let name = arguments.from.display().to_string();
    let kept = match (&arguments.game, arguments.from.is_dir()) {
        (Some(game), _) => {
            let again = open(&arguments.from)?;
            let spec = again.find(game).map_err(Failure::input)?;
            again.chronicle(&spec).map_err(|error| match error {
                AgainError::Departed { .. } => Failure::machine(error),
                other => Failure::input(other),
            })?
        }
        (None, true) => {
            return Err(Failure::input(format!(
                "`{name}` is a folder: say which of its games, as in `upheaval replay {name} 0`, or --verify"
            )));
        }
        (None, false) => {
            let text = fs::read_to_string(&arguments.from)
                .map_err(|error| Failure::input(format!("cannot read `{name}`: {error}")))?;
            Chronicle::parse(&name, &text).map_err(Failure::input)?
        }
    };
    let variant = kept.variant(&name).map_err(Failure::input)?;
    let mut saved = match &arguments.saved_game {
        Some(path) => Some((path, SavedGame::of(&kept).map_err(Failure::input)?)),
        None => None,
    };
    let mut page = arguments.html.as_ref().map(|path| (path, Viewer::of(&kept)));
    let replayed = replay(&kept, variant, &mut |game| {
        if let Some((_, viewer)) = &mut page {
            viewer.look(game);
        }
        if let Some((_, saved)) = &mut saved {
            saved.look(game);
        }
    });
    let game = &kept.game;
    if let Err(departure) = replayed {
        let what = format!("{}/{}, {departure}", game.variant, game.game);
        return Err(Failure::machine(format!("`{name}` departs from the game that it says it is: {what}")));
    }
    if let Some(path) = &arguments.export {
        write_whole(path, &kept.to_json())?;
    }
    if let Some((path, saved)) = saved {
        write_whole(path, &saved.to_json_line())?;
    }
    if let Some((path, viewer)) = page {
        write_whole(path, &viewer.html())?;
    }
    let text = if arguments.text {
        kept.to_text()
    } else {
        let winner = kept.end.winner.map_or(String::new(), |winner| format!(" of {winner}"));
        format!(
            "{}/{} plays as it is written: {} stages, the state's hash before each; {}, {}{winner}\n",
            game.variant,
            game.game,
            kept.stages.len(),
            kept.end.phase,
            kept.end.end,
        )
    };
    print(&text, io::stdout().lock()).map(|()| ExitCode::SUCCESS)
}

fn open(folder: &Path) -> Result<Again, Failure> {
    let shelf = Shelf::default();
    Again::open(folder, |name, content| shelf.bot_of(name, content)).map_err(Failure::input)
}

fn verify(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    let again = open(&arguments.from)?;
    let folder = arguments.from.display();
    if !again.is_repeatable() {
        return Err(Failure::input(format!(
            "`{folder}` is marked as not repeatable: a program played under a clock, or was stopped by the watchdog"
        )));
    }
    let sample = if arguments.all { again.games() } else { arguments.sample.unwrap_or(SAMPLE) };
    let (played, departed) = again.verify(sample).map_err(Failure::input)?;
    let mut text = String::new();
    for departed in &departed {
        text += &format!("{departed}\n");
    }
    let games = again.games();
    text += &match departed.len() {
        0 => format!("{folder}: {played} of {games} games played again, every row as it is stored\n"),
        n => format!("{folder}: {n} of {played} games played again go otherwise\n"),
    };
    print(&text, io::stdout().lock())?;
    Ok(if departed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
