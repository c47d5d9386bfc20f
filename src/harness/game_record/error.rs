//! Why games of a run cannot be played again, and how one can go otherwise.

use std::path::PathBuf;

use crate::record::{BEHAVIOUR_VERSION, SCHEMA_VERSION};
use crate::sim::StoredError;
use crate::sim::output::RESOLVED;
use crate::sim::output::manifest::MANIFEST;

/// Why the games of a folder cannot be played again, or not this one.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// It cannot be read as a run.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// Another version has played it.
    #[error(
        "`{}` was played by behaviour version {found}, and this program plays {BEHAVIOUR_VERSION}: its games go otherwise here; \
         use the version that played it", path.display()
    )]
    Behaviour {
        /// The folder.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Its tables are of another version.
    #[error(
        "`{}` has tables of schema version {found}, and this program has {SCHEMA_VERSION}: the two cannot be compared",
        path.display()
    )]
    Schema {
        /// The folder.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A file of a table is damaged.
    #[error("`{}` {what}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The rules that it keeps are not those that it was played by.
    #[error("`{}`: the rules of `{arm}` in {MANIFEST} are not those that {RESOLVED} was made of{why}", path.display())]
    Rules {
        /// The folder.
        path: PathBuf,
        /// The arm.
        arm: String,
        /// Why not, if there is more to say.
        why: String,
    },
    /// A bot is not to be had as it was.
    #[error("`{}` was played by `{bot}`, which is not to be had here: {why}", path.display())]
    Bot {
        /// The folder.
        path: PathBuf,
        /// The bot.
        bot: String,
        /// Why not.
        why: String,
    },
    /// People have played it.
    #[error(
        "`{}` was imported: people have played its games, so they are not played again from a seed; `upheaval verify` \
         holds the folder to its hashes, and the files that {MANIFEST} names can be imported again", .0.display()
    )]
    Imported(PathBuf),
    /// It is a match, whose test decides how many games there are.
    #[error(
        "`{}` is a match, whose test decides how many games there are; `upheaval sprt` with its file plays it again",
        .0.display()
    )]
    Match(PathBuf),
    /// To play it again is to start programs that nobody has permitted.
    #[error(
        "`{}` was played by {}; what a run names is not started without permission", path.display(), all(programs)
    )]
    Programs {
        /// The folder.
        path: PathBuf,
        /// The programs.
        programs: Vec<NeededProgram>,
    },
    /// There is no such game.
    #[error("there is no game `{game}` in `{}`: {why}", path.display())]
    NoGame {
        /// The folder.
        path: PathBuf,
        /// The game as it was asked for.
        game: String,
        /// Which there are.
        why: String,
    },
    /// It was played again, and goes otherwise.
    #[error("`{}`: {departed}{}", path.display(), if *repeatable { "" } else {
        " (the run is marked as not repeatable: a program played under a clock, or was stopped by the watchdog)"
    })]
    Differs {
        /// The folder.
        path: PathBuf,
        /// The game, and in what it differs.
        departed: Differs,
        /// Are the run's games decided by the experiment alone?
        repeatable: bool,
    },
}

/// A program that a game of a run was played by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededProgram {
    /// The bot's name in the experiment.
    pub bot: String,
    /// Its command line, as [`crate::game_record::command_line`] writes it.
    pub line: String,
}

fn all(programs: &[NeededProgram]) -> String {
    let each =
        programs.iter().map(|program| format!("the program `{}` of bot `{}`", program.line, program.bot));
    each.collect::<Vec<_>>().join(" and ")
}

/// A game that went otherwise than the run says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game}: {what}")]
pub struct Differs {
    /// The game: `black-hole/12`.
    pub game: String,
    /// In what it differs: table, season and column, with both values.
    pub what: String,
}
