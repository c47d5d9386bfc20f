//! The command line around the commands: groups, examples, and corrections of mistyped words.
//! `cli/tests/examples.rs` runs the examples.

use std::ffi::OsString;
use std::fmt::Write;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use upheaval::diagnostic::{one_line, suggest};

/// The groups of commands in `upheaval --help`.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Run experiments", &["run", "join", "import", "tournament", "sprt", "ladder", "tune"]),
    ("Judge results", &["balance", "effect", "standings", "report", "verify"]),
    ("Play games", &["game", "replay", "adjudicate", "compliance", "daide"]),
    ("Make boards and files", &["map", "new", "variants", "bots", "schema", "completions", "man"]),
];

/// The command line of a parser with the additions of this module.
pub(crate) fn command<P: CommandFactory>() -> Command {
    let whole = dressed(P::command(), "");
    let template = template(&whole);
    whole.help_template(template)
}

/// A command with its additions, and its subcommands with theirs. `path` is what comes before its name.
fn dressed(mut command: Command, path: &str) -> Command {
    let path = format!("{path} {}", command.get_name()).trim().to_owned();
    let examples = examples(&path);
    if !examples.is_empty() {
        command = command.after_long_help(format!("Examples:\n{examples}"));
    }
    command.mut_subcommands(|inner| dressed(inner, &path))
}

/// The help of the program: each group of commands has a heading.
fn template(whole: &Command) -> String {
    let (header, name) = (whole.get_styles().get_header(), whole.get_styles().get_literal());
    let commands: Vec<&Command> = whole.get_subcommands().collect();
    let width = commands.iter().map(|command| command.get_name().len()).max().unwrap_or_default();
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n{header}{title}:{header:#}");
        for command in commands.iter().filter(|command| names.contains(&command.get_name())) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name}{:width$}{name:#}  {about}", command.get_name());
        }
    }
    text + &format!("\n{header}Options:{header:#}\n{{options}}{{after-help}}")
}

/// The mistake in the arguments on one line, with a correction for a mistyped word. `None`: help was asked for.
pub(crate) fn mistake(error: &clap::Error, arguments: &[OsString], whole: &Command) -> Option<String> {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return None;
    }
    Some(mistyped(error, meant(arguments, whole)).unwrap_or_else(|| said(error)))
}

/// The innermost command that the arguments name, with its words.
fn meant<'a>(arguments: &[OsString], whole: &'a Command) -> (String, &'a Command) {
    let words = arguments.iter().filter_map(|argument| argument.to_str());
    words.fold((whole.get_name().to_owned(), whole), |(path, command), word| {
        match command.find_subcommand(word) {
            Some(inner) => (format!("{path} {word}"), inner),
            None => (path, command),
        }
    })
}

/// The message for a word that is unknown: what was found, and the nearest of what could be there.
fn mistyped(error: &clap::Error, (path, command): (String, &Command)) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            let known = suggest(word, command.get_subcommands().map(Command::get_name));
            Some(format!("there is no command `{word}`; {known}"))
        }
        ErrorKind::UnknownArgument => {
            let flag = text(ContextKind::InvalidArg).filter(|flag| flag.starts_with("--"))?;
            let known: Vec<String> = command
                .get_arguments()
                .filter(|argument| !argument.is_hide_set())
                .filter_map(|argument| Some(format!("--{}", argument.get_long()?)))
                .collect();
            let known = suggest(flag, known.iter().map(String::as_str));
            Some(format!("`{path}` has no flag `{flag}`; {known}"))
        }
        ErrorKind::InvalidValue => {
            let (argument, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
            let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue) else { return None };
            let flag = argument.split_whitespace().next().unwrap_or(argument);
            let known = suggest(value, known.iter().map(String::as_str));
            (!value.is_empty()).then(|| format!("`{flag}` cannot be `{value}`; {known}"))
        }
        _ => None,
    }
}

/// The message of `clap`, without its usage lines.
fn said(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim);
    let said: Vec<&str> =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more ")).collect();
    let said = one_line(&said.join("\n")).replace(":;", ":");
    said.strip_prefix("error: ").unwrap_or(&said).to_owned()
}

/// The examples of a command by its words, such as `upheaval map check`: a line of words above some of them.
fn examples(command: &str) -> String {
    const ALL: &str = include_str!("help/examples.txt");
    let heading = format!("[{command}]");
    let below = ALL.lines().skip_while(|line| *line != heading).skip(1);
    below.take_while(|line| !line.starts_with('[')).collect::<Vec<_>>().join("\n")
}
