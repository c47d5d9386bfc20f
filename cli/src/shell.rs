//! Support for shells: the whole command with its examples, `--json`, completions and man pages.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, CommandFactory};
use clap_complete::Shell;

use crate::examples;
use crate::failure::Failure;
use crate::terminal::print;

/// Print completions for a shell. docs/command-line.md says where to put them.
#[derive(Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the man page of the program, or write the pages of all commands into a folder.
#[derive(Args)]
pub(crate) struct ManArguments {
    /// The folder, such as `~/.local/share/man/man1`. It is created if it does not exist.
    folder: Option<PathBuf>,
}

/// The command line of a parser with the additions of this module: examples, short help, and `--json`.
pub(crate) fn command<P: CommandFactory>() -> Command {
    dressed(P::command(), "")
}

/// A command with its additions, and its subcommands with theirs. `path` is what comes before its name.
fn dressed(command: Command, path: &str) -> Command {
    let path = format!("{path} {}", command.get_name()).trim().to_owned();
    let mut command = brief(command).mut_args(brief_argument);
    if takes_json(&command) && !command.get_arguments().any(|argument| argument.get_id() == "json") {
        let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
        command = command.arg(json.help("Short for --format json"));
    }
    if let Some(examples) = examples::of(path.strip_prefix("upheaval ").unwrap_or_default()) {
        command = command.after_long_help(format!("Examples:\n{examples}"));
    }
    command.mut_subcommands(|inner| dressed(inner, &path))
}

/// Does a command have a `--format` that can be `json`?
fn takes_json(command: &Command) -> bool {
    let formats = command.get_arguments().find(|argument| argument.get_id() == "format");
    formats.is_some_and(|format| format.get_possible_values().iter().any(|value| value.get_name() == "json"))
}

/// Shows only the first sentence of a description with `-h`, and all of it with `--help`.
fn brief(command: Command) -> Command {
    match command.get_about().map(split) {
        Some((first, Some(all))) => command.about(first).long_about(all),
        _ => command,
    }
}

fn brief_argument(argument: Arg) -> Arg {
    match argument.get_help().map(split) {
        Some((first, Some(all))) if argument.get_long_help().is_none() => argument.help(first).long_help(all),
        _ => argument,
    }
}

/// The first sentence of a text, and the whole text if there is more.
fn split(text: &StyledStr) -> (String, Option<String>) {
    let text = text.to_string();
    let end =
        text.match_indices(". ").map(|(at, _)| at).find(|&at| text[at + 2..].starts_with(char::is_uppercase));
    match end {
        Some(end) => (text[..end].to_owned(), Some(text)),
        None => (text, None),
    }
}

/// Parses the arguments. `--json` is read as `--format=json` by the commands that have both.
pub(crate) fn parse(
    arguments: impl Iterator<Item = OsString>,
    whole: &Command,
) -> Result<ArgMatches, clap::Error> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let matches = whole.clone().try_get_matches_from(&arguments)?;
    if !has_json(&matches) {
        return Ok(matches);
    }
    // The first is the flag: further ones are arguments of the program that `compliance` tries.
    if let Some(flag) = arguments.iter_mut().find(|argument| *argument == "--json") {
        *flag = "--format=json".into();
    }
    whole.clone().try_get_matches_from(arguments)
}

/// Was `--json` given to the command or to one of its subcommands?
fn has_json(matches: &ArgMatches) -> bool {
    // A command without the flag answers with an error.
    let here = matches.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or(false);
    here || matches.subcommand().is_some_and(|(_, inner)| has_json(inner))
}

/// Prints completions.
pub(crate) fn completions(arguments: &CompletionsArguments, mut whole: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut whole, "upheaval", &mut script);
    print(&String::from_utf8_lossy(&script), io::stdout().lock())
}

/// Prints the page of the program, or writes the pages of all commands.
pub(crate) fn man(arguments: &ManArguments, whole: Command) -> Result<(), Failure> {
    let Some(folder) = &arguments.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(whole).render(&mut page).map_err(Failure::machine)?;
        return print(&String::from_utf8_lossy(&page), io::stdout().lock());
    };
    let pages = write_pages(whole, folder).map_err(|error| {
        Failure::machine(format!("cannot write the man pages in `{}`: {error}", folder.display()))
    })?;
    print(&format!("{pages} pages in {}\n", folder.display()), io::stdout().lock())
}

fn write_pages(whole: Command, folder: &Path) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let mut waiting = vec![whole.disable_help_subcommand(true)];
    waiting[0].build();
    let mut pages = 0;
    while let Some(command) = waiting.pop() {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
        waiting.extend(command.get_subcommands().cloned());
        let mut page = Vec::new();
        clap_mangen::Man::new(command).title(&name).render(&mut page)?;
        fs::write(folder.join(format!("{name}.1")), page)?;
        pages += 1;
    }
    Ok(pages)
}
