//! Why games of a run cannot be played again, and how one can differ.
//!
//! Permissions for the programs that a run names. A run folder may come from anybody, and it names the commands that
//! played in it: playing its games again executes them, so each needs the user's permission.

use std::path::PathBuf;

use crate::sim::StoredError;

/// Why the games of a folder cannot be played again, or why one of them cannot.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// It cannot be read as a run.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// It cannot be played again, at least not here and in this way.
    #[error("`{}` {what}", path.display())]
    Unplayable {
        /// The folder, or a file in it.
        path: PathBuf,
        /// The reason.
        what: String,
    },
    /// It is a match, whose test determines the number of games.
    #[error(
        "`{}` is a match, and its test determines the number of games; `upheaval sprt` with its file plays it again",
        .0.display()
    )]
    Match(PathBuf),
    /// To play it again means to start programs without permission.
    #[error(
        "`{}` was played by {}; programs that a run names are not started without permission",
        path.display(),
        all(programs)
    )]
    Programs {
        /// The folder.
        path: PathBuf,
        /// The programs.
        programs: Vec<NeededProgram>,
    },
    /// What follows a change is not in the record.
    #[error(
        "`{}` has only the recorded decisions of {}; after a change these bots must decide again, and programs that a \
         run names are not started without permission",
        path.display(),
        all(programs)
    )]
    Future {
        /// The folder.
        path: PathBuf,
        /// The bots.
        programs: Vec<NeededProgram>,
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

impl AgainError {
    /// A folder, or a file in it, that cannot be played again for this reason.
    pub(super) fn unplayable(path: impl Into<PathBuf>, what: impl Into<String>) -> AgainError {
        AgainError::Unplayable { path: path.into(), what: what.into() }
    }
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

/// The permission to start programs that are named by a run and not by the user: the command lines of those that may be
/// started, as [`command_line`] writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs(pub Vec<String>);

impl Programs {
    /// May this command be started?
    pub(crate) fn allows(&self, command: &[String]) -> bool {
        self.0.contains(&command_line(command))
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
        let allows = |line: &str| Programs(vec!["other".to_owned(), line.to_owned()]).allows(&command);
        assert!(allows("python3 bot.py"));
        assert!(!Programs::default().allows(&command));
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
