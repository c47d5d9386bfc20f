//! Why games of a run cannot be played again, and how one can differ.

use std::path::PathBuf;

use crate::record::BEHAVIOUR_VERSION;
use crate::sim::StoredError;
use crate::sim::output::RESOLVED;
use crate::sim::output::manifest::MANIFEST;

/// Why the games of a folder cannot be played again, or why one of them cannot.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// It cannot be read as a run.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// Another version has played it.
    #[error(
        "`{}` was played by behaviour version {found}, but this program plays {BEHAVIOUR_VERSION}: its games would differ here; \
         use the version that played it", path.display()
    )]
    Behaviour {
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
    /// The stored rules are not those that it was played by.
    #[error("`{}`: the rules of `{arm}` in {MANIFEST} are not those of {RESOLVED}{why}", path.display())]
    Rules {
        /// The folder.
        path: PathBuf,
        /// The arm.
        arm: String,
        /// A reason, if there is more to say.
        why: String,
    },
    /// A bot is not available as it was.
    #[error("`{}` was played by `{bot}`, which is not available here: {why}", path.display())]
    Bot {
        /// The folder.
        path: PathBuf,
        /// The bot.
        bot: String,
        /// The reason.
        why: String,
    },
    /// Its games were played by people.
    #[error(
        "`{}` was imported: people have played its games, so they are not played again from a seed; `upheaval verify` \
         checks the folder against its hashes, and the files that {MANIFEST} names can be imported again", .0.display()
    )]
    Imported(PathBuf),
    /// It is a match, whose test determines the number of games.
    #[error(
        "`{}` is a match, whose test determines the number of games; `upheaval sprt` with its file plays it again",
        .0.display()
    )]
    Match(PathBuf),
    /// To play it again means to start programs without permission.
    #[error(
        "`{}` was played by {}; programs that a run names are not started without permission", path.display(), all(programs)
    )]
    Programs {
        /// The folder.
        path: PathBuf,
        /// The programs.
        programs: Vec<NeededProgram>,
    },
    /// A program cannot be started.
    #[error("`{}` was played by `{bot}`, which cannot be started: {why}", path.display())]
    Start {
        /// The folder.
        path: PathBuf,
        /// The bot.
        bot: String,
        /// Why, with its command.
        why: String,
    },
    /// Bots have played in it that do not repeat their answers.
    #[error(
        "`{}` has the recorded decisions of `{bots}`, and cannot be played into another folder: without --out its rows are \
         compared with the record", path.display()
    )]
    Recorded {
        /// The folder.
        path: PathBuf,
        /// The bots.
        bots: String,
    },
    /// What follows a change is not in the record.
    #[error(
        "`{}` has only the recorded decisions of {}; after a change these bots must decide again, and nothing that a run names is \
         started without permission", path.display(), all(programs)
    )]
    Future {
        /// The folder.
        path: PathBuf,
        /// The bots.
        programs: Vec<NeededProgram>,
    },
    /// There is no such game.
    #[error("there is no game `{game}` in `{}`: {why}", path.display())]
    NoGame {
        /// The folder.
        path: PathBuf,
        /// The game as it was asked for.
        game: String,
        /// The games that exist.
        why: String,
    },
    /// When it was played again, it differed.
    #[error("`{}`: {departed}{}", path.display(), if hint.is_empty() { String::new() } else { format!("; {hint}") })]
    Differs {
        /// The folder.
        path: PathBuf,
        /// The game, and the difference.
        departed: Differs,
        /// What to do about bots that may not play as they did; empty if there are none.
        hint: String,
    },
}

/// A program that a game of a run was played by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededProgram {
    /// The bot's name in the experiment.
    pub bot: String,
    /// Its command line, as [`crate::game_record::command_line`] writes it; empty for a bot of another program that uses
    /// the library.
    pub line: String,
}

fn all(programs: &[NeededProgram]) -> String {
    let each = programs.iter().map(|NeededProgram { bot, line }| match line.is_empty() {
        true => format!("the bot `{bot}`, which is not available here"),
        false => format!("the program `{line}` of bot `{bot}`"),
    });
    each.collect::<Vec<_>>().join(" and ")
}

/// A game that differs from the run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game}: {what}")]
pub struct Differs {
    /// The game: `black-hole/12`.
    pub game: String,
    /// The difference: table, season and column, with both values.
    pub what: String,
}
