//! `upheaval compliance CMD...`: what is wrong with a program that is to play, message by message.

use std::fmt::Write;
use std::io;
use std::process::ExitCode;

use clap::Args;
use clap::builder::PossibleValuesParser;
use upheaval::bot::Guest;
use upheaval::rules::variant::Variant;
use upheaval::sim::Program;
use upheaval_bots::external::compliance::{Finding, examine};

use crate::failure::Failure;
use crate::terminal::print;

/// Try a program as a bot: every message of the protocol, some years of every variant. Exit code 1 if anything is wrong.
#[derive(Args)]
pub struct ComplianceArguments {
    /// How long the program may be silent, in milliseconds.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    stall_ms: u64,
    /// Play this variant alone; may be given several times.
    #[arg(long = "variant", value_name = "ID", value_parser = PossibleValuesParser::new(Variant::shipped()))]
    variants: Vec<String>,
    /// Pass the program this variable of the environment, as `env` of `[bots.NAME]` does; may be given several times.
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
    /// Start the program in this folder, as `folder` of `[bots.NAME]` does.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    /// The program and its arguments, such as `python3 bots/python/random_bot.py`.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Does what the arguments say.
pub fn command(arguments: &ComplianceArguments) -> Result<ExitCode, Failure> {
    let guest = Guest { env: arguments.env.clone(), folder: arguments.folder.clone(), ..Guest::default() };
    let (command, stall_ms) = (arguments.command.clone(), arguments.stall_ms);
    let program = Program { command, move_ms: None, stall_ms, guest };
    // The first failure to print is told when the battery is over.
    let mut printed = Ok(());
    let sound = examine(&program, &arguments.variants, &mut |finding| {
        if printed.is_ok() {
            printed = print(&text(finding), io::stdout().lock());
        }
    });
    printed?;
    let (closing, code) = match sound {
        true => ("nothing is wrong\n", ExitCode::SUCCESS),
        false => ("docs/bot-protocol.md has every message with examples\n", ExitCode::from(1)),
    };
    print(closing, io::stdout().lock())?;
    Ok(code)
}

fn text(finding: &Finding) -> String {
    let asked = if finding.asked.is_empty() { String::new() } else { format!(" ({})", finding.asked) };
    if finding.wrong.is_empty() {
        return format!("ok     {}{asked}\n", finding.part);
    }
    let mut text = format!("WRONG  {}{asked}\n", finding.part);
    for wrong in &finding.wrong {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "       {wrong}");
    }
    text
}
