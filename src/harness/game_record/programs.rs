//! Permissions for the programs that a run names. A run folder may come from anybody, and it names the commands that
//! played in it: playing its games again executes them, so each needs the user's permission.

use serde_json::Value;

use upheaval_engine::bot::BotMaker;

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
pub(crate) fn command_line(words: &[String]) -> String {
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
mod tests {
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
