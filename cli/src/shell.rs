//! Support for shells: completions and man pages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output::print;

/// Print completions for a shell
#[derive(Args)]
pub(crate) struct CompletionsArguments {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the man page, or write the pages of all commands
#[derive(Args)]
pub(crate) struct ManArguments {
    /// Directory for the pages of all commands [default: print one page]
    folder: Option<PathBuf>,
}

/// Prints completions.
pub(crate) fn completions(arguments: &CompletionsArguments, mut whole: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut whole, "upheaval", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the page of the program, or writes the pages of all commands.
pub(crate) fn man(arguments: &ManArguments, whole: Command) -> Result<(), Failure> {
    let Some(folder) = &arguments.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(whole).render(&mut page).map_err(Failure::machine)?;
        return print(&String::from_utf8_lossy(&page));
    };
    let pages = write_pages(whole, folder).map_err(|error| {
        Failure::machine(format!("cannot write the man pages in `{}`: {error}", folder.display()))
    })?;
    print(&format!("{pages} pages in {}\n", folder.display()))
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
