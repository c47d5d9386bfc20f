//! Support for shells: the whole command with its examples, `--json`, completions and man pages.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Args, Command, CommandFactory};
use clap_complete::Shell;

use crate::examples;
use crate::failure::Failure;
use crate::terminal::print;

/// Print completions for a shell. docs/command-line.md says where to put them.
#[derive(Args)]
pub struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the man page of the program, or write the pages of all commands into a folder.
#[derive(Args)]
pub struct ManArguments {
    /// The folder, such as `~/.local/share/man/man1`. It is created if it does not exist.
    folder: Option<PathBuf>,
}

/// The command line of a parser with the additions of this module: examples, short help, and `--json`.
pub fn command<P: CommandFactory>() -> Command {
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

/// The arguments with `--json` expanded to `--format=json`, for the commands that have both.
pub fn written_out(arguments: impl Iterator<Item = OsString>, whole: &Command) -> Vec<OsString> {
    let mut at = whole;
    let mut ended = false;
    let written = arguments.map(|argument| {
        ended |= argument == "--";
        if let Some(inner) = argument.to_str().and_then(|name| at.find_subcommand(name)).filter(|_| !ended) {
            at = inner;
        }
        if argument == "--json" && !ended && takes_json(at) { "--format=json".into() } else { argument }
    });
    written.collect()
}

/// Prints completions.
pub fn completions(arguments: &CompletionsArguments, mut whole: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut whole, "upheaval", &mut script);
    print(&String::from_utf8_lossy(&script), io::stdout().lock())
}

/// Prints the page of the program, or writes the pages of all commands.
pub fn man(arguments: &ManArguments, whole: Command) -> Result<(), Failure> {
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
