//! Why games of a run cannot be played again, and how one can differ.
//!
//! Permissions for the programs that a run names. A run folder may come from anybody, and it names the commands that
//! played in it: playing its games again executes them, so each needs the user's permission.

use std::path::PathBuf;

use serde_json::Value;
use upheaval_engine::bot::BotMaker;

use crate::record::BEHAVIOUR_VERSION;
use crate::sim::StoredError;
use crate::sim::output::location::RESOLVED;
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
    /// Its command line, as [`command_line`] writes it; empty for a bot of another program that uses
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

/// The permission to start programs that are named by a run and not by the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Programs {
    /// None is started.
    #[default]
    Refused,
    /// The programs whose command lines, as [`command_line`] writes them, are in the list.
    Allowed(Vec<String>),
}

impl Programs {
    /// May this command be started?
    pub(crate) fn allows(&self, command: &[String]) -> bool {
        match self {
            Programs::Refused => false,
            Programs::Allowed(lines) => lines.contains(&command_line(command)),
        }
    }
}

/// A command as one line, each word quoted where a POSIX shell would need that. Two commands never have the same line,
/// and a line contains no control characters or other invisible characters.
pub fn command_line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a POSIX shell reads it; invisible characters are escaped (`$'\u001b'`).
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    let seen = |c: char| c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric();
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if word.chars().all(seen) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let escaped = word.chars().map(|c| match c {
        '\\' | '\'' => format!("\\{c}"),
        c if seen(c) => c.to_string(),
        c if u32::from(c) > 0xffff => format!("\\U{:08x}", u32::from(c)),
        c => format!("\\u{:04x}", u32::from(c)),
    });
    format!("$'{}'", escaped.collect::<String>())
}

/// The command of a bot that is a program, according to the canonical form of an experiment.
pub(super) enum Command {
    /// It is shipped with this program.
    Shipped,
    /// It is a program.
    Program(Vec<String>),
    /// It is a program whose command cannot be determined.
    Unsound,
}

impl Command {
    pub(super) fn of(content: &Value) -> Command {
        let Some(command) = content.get("command") else { return Command::Shipped };
        let words = command.as_array().filter(|words| !words.is_empty()).map(|words| words.iter());
        let words = words.and_then(|words| words.map(|word| word.as_str().map(str::to_owned)).collect());
        words.map_or(Command::Unsound, Command::Program)
    }
}

/// The substitute for a program that may not be started. No game in which it has a seat is played.
pub(super) fn withheld() -> BotMaker {
    BotMaker::new(|| Box::new(()))
}

#[cfg(test)]
mod programs_tests {
    use super::*;

    fn line(words: &[&str]) -> String {
        command_line(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_command_line_is_quoted_as_a_shell_reads_it() {
        assert_eq!(line(&["python3", "./my-bot.py", "--level=3"]), "python3 ./my-bot.py --level=3");
        assert_eq!(line(&["a b", "it's", "", "$HOME", "é~"]), r"'a b' 'it'\''s' '' '$HOME' 'é~'");
        assert_eq!(
            line(&["\u{1b}[2J'\\", "\u{202e}x", "\u{1f600}"]),
            r"$'\u001b[2J\'\\' $'\u202ex' $'\U0001f600'"
        );
        let alike =
            [&["a", "b"][..], &["a b"], &["'a b'"], &["a", "'b'"], &["$'a b'"], &["a\\ b"], &["a\u{a0}b"]];
        let mut lines: Vec<String> = alike.iter().map(|words| line(words)).collect();
        lines.sort();
        lines.dedup();
        assert_eq!(lines.len(), alike.len(), "{lines:?}");
    }

    #[test]
    fn a_permission_is_for_the_whole_command() {
        let command = ["python3".to_owned(), "bot.py".to_owned()];
        let allows =
            |line: &str| Programs::Allowed(vec!["other".to_owned(), line.to_owned()]).allows(&command);
        assert!(allows("python3 bot.py"));
        assert!(!Programs::Refused.allows(&command) && !Programs::Allowed(Vec::new()).allows(&command));
        for other in [
            "python3",
            "bot.py",
            "python3 bot.py ",
            "python3  bot.py",
            "python3 bot.py x",
            "'python3 bot.py'",
        ] {
            assert!(!allows(other), "{other}");
        }
    }
}
