//! `upheaval daide PROGRAM...`: a bot that plays by means of a DAIDE program (docs/daide.md).

mod bridge;
mod client;

use std::net::SocketAddr;

use clap::Args;
use upheaval_daide::server::TurnLimits;
use upheaval_daide::token::TokenNumber;

use crate::failure::Failure;

pub(crate) use client::end_child;

/// Let a DAIDE program play: this command acts as a bot on standard input and output, and as a server towards the
/// program.
#[derive(Args)]
pub(crate) struct DaideArguments {
    /// The address to listen on for the program, such as 127.0.0.1:16713. Left out: any free port of 127.0.0.1.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Announce this number of seconds for a movement to the program, and take the orders that it has given by then.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(1..=8191))]
    mtl: Option<i64>,
    /// The same for retreats.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(1..=8191))]
    rtl: Option<i64>,
    /// The same for builds and removals.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(1..=8191))]
    btl: Option<i64>,
    /// Write every message to standard error, as text.
    #[arg(long)]
    trace: bool,
    /// The program and its arguments, in which {host} and {port} stand for the address to connect to. If no argument
    /// contains {port}, -sHOST and -pPORT are added.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Runs the command.
pub(crate) fn command(arguments: &DaideArguments) -> Result<(), Failure> {
    let seconds = |limit: Option<i64>| limit.and_then(TokenNumber::new);
    let limits = TurnLimits {
        movement: seconds(arguments.mtl),
        retreats: seconds(arguments.rtl),
        builds: seconds(arguments.btl),
    };
    let trace = if arguments.trace { client::Trace::Shown } else { client::Trace::Hidden };
    bridge::Bridge::new(arguments.listen, arguments.command.clone(), limits, trace)?.run()
}
