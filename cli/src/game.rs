//! `upheaval game`: a game by hand, kept in a folder (docs/gamemasters.md).

mod folder;
mod sheet;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use upheaval::ask::{Handicap, Observation};
use upheaval::game::{Referee, Stage};
use upheaval::game_record::{
    HostedError, HostedGame, Hosting, MissingOrders, NO_LAST_YEAR, Orders, ReadLine, Reader, heading_of,
};
use upheaval::ids::{Power, PowerNames};
use upheaval::report::post::{Post, PostFormat};

use self::folder::{GameFolder, heading, page, read_orders};
use self::sheet::OrderSheet;
use crate::common::StrictArgument;
use crate::failure::Failure;
use crate::output::{code, place_within, print, write_whole};
use crate::registry::{find_bot, find_power, find_variant};

/// Run a game by hand: begin it, take orders, settle phases
///
/// The folder of a game is the gamemaster's. Reports, pictures and pages hold no secret unless --gm is given.
#[derive(Args)]
pub(crate) struct GameArguments {
    #[command(subcommand)]
    command: GameCommand,
}

#[derive(Subcommand)]
enum GameCommand {
    /// Begin a game in a new folder
    New(NewGameArguments),
    /// Show the position, and who owes what
    Show(ShowArguments),
    /// Show how orders are read, and which are missing
    ///
    /// Exit code 1 if a line is refused.
    Check(OrdersArguments),
    /// Hand in orders for the phase, in place of earlier ones
    ///
    /// Orders of the powers that the file names are replaced. Exit code 1 if a line is refused.
    Orders(OrdersArguments),
    /// Settle one phase, and write its report, pictures and page
    Next(NextArguments),
    /// Take back the last phase; its orders are handed in again
    #[command(next_line_help = true)]
    Undo(FolderArgument),
    /// Settle the phase that was taken back last
    #[command(next_line_help = true)]
    Redo(FolderArgument),
    /// Print the game so far
    Log(ReaderArguments),
    /// Write the game into a file that can be replayed
    Export(ExportArguments),
}

#[derive(Args)]
struct FolderArgument {
    /// Folder of the game
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

#[derive(Args)]
struct NewGameArguments {
    /// Variant: id or file
    #[arg(value_name = "VARIANT")]
    variant: String,
    #[command(flatten)]
    folder: FolderArgument,
    /// Seats of bots, such as `ENGLAND=greedy,ITALY=random`; repeatable
    #[arg(long, value_name = "POWER=BOT", value_delimiter = ',')]
    bots: Vec<String>,
    /// Seed of the draws [default: drawn, and kept in the folder]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Last year of the game [default: none]
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(u16).range(1..=9999))]
    last_year: Option<u16>,
    /// Treatment of a power without orders
    #[arg(long, value_enum, default_value_t = Missing::Hold)]
    missing: Missing,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Missing {
    /// Its units hold
    Hold,
    /// Its units hold, and it cannot retreat or build in that season
    CivilDisorder,
}

#[derive(Args)]
struct ReaderArguments {
    #[command(flatten)]
    folder: FolderArgument,
    #[command(flatten)]
    reader: ReaderArgument,
}

/// For whom something is shown.
#[derive(Args)]
struct ReaderArgument {
    /// Show what this power may know
    #[arg(long, value_name = "POWER", conflicts_with = "gm")]
    power: Option<String>,
    /// Show everything, with the seed and all secrets
    #[arg(long)]
    gm: bool,
}

impl ReaderArgument {
    fn of(&self, powers: &PowerNames) -> Result<Reader, Failure> {
        Ok(match &self.power {
            Some(name) => Reader::Power(find_power(powers, name)?),
            None if self.gm => Reader::Gamemaster,
            None => Reader::Public,
        })
    }
}

#[derive(Args)]
struct ShowArguments {
    #[command(flatten)]
    folder: FolderArgument,
    #[command(flatten)]
    reader: ReaderArgument,
    /// Write the position as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the game so far as a page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// The orders for the current phase.
#[derive(Args)]
struct OrdersArguments {
    #[command(flatten)]
    folder: FolderArgument,
    /// File of orders besides those handed in, or `-` for standard input
    #[arg(value_name = "FILE")]
    orders: Option<PathBuf>,
    #[command(flatten)]
    strict: StrictArgument,
}

#[derive(Args)]
struct NextArguments {
    #[command(flatten)]
    given: OrdersArguments,
    /// Settle the phase although lines are refused: these units hold
    #[arg(long)]
    refused_hold: bool,
}

#[derive(Args)]
struct ExportArguments {
    #[command(flatten)]
    folder: FolderArgument,
    /// File to write
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also write the seed and all secrets
    #[arg(long)]
    gm: bool,
}

impl From<HostedError> for Failure {
    fn from(error: HostedError) -> Failure {
        match error {
            HostedError::Form(error) => error.into(),
            HostedError::Mismatch { .. } => Failure::machine(error),
            HostedError::Other { .. } => Failure::input(error),
        }
    }
}

/// Runs the command.
pub(crate) fn command(arguments: &GameArguments) -> Result<ExitCode, Failure> {
    let done = |()| ExitCode::SUCCESS;
    match &arguments.command {
        GameCommand::New(arguments) => begin(arguments).map(done),
        GameCommand::Show(arguments) => show(arguments).map(done),
        GameCommand::Check(arguments) => check(arguments, false),
        GameCommand::Orders(arguments) => check(arguments, true),
        GameCommand::Next(arguments) => next(arguments).map(done),
        GameCommand::Undo(FolderArgument { folder }) => undo(folder).map(done),
        GameCommand::Redo(FolderArgument { folder }) => redo(folder).map(done),
        GameCommand::Log(arguments) => log(arguments).map(done),
        GameCommand::Export(arguments) => export(arguments).map(done),
    }
}

/// The faults that `upheaval verify` reports of the folder of a game.
pub(crate) fn faults(path: &Path) -> Result<(HostedGame, Vec<String>), Failure> {
    let (folder, game) = GameFolder::open(path)?;
    let faults = folder.faults(&game)?;
    Ok((game, faults))
}

/// Opens a folder in which the command may write.
fn open(path: &Path) -> Result<(GameFolder, HostedGame), Failure> {
    let (folder, game) = GameFolder::open(path)?;
    folder.restore(&game)?;
    Ok((folder, game))
}

/// Refuses to write into the folder of the game.
fn refuse_inside(place: &Path, folder: &Path) -> Result<(), Failure> {
    match place_within(place, folder) {
        Some(_) => Err(Failure::input(format!(
            "`{}` is in the folder of the game, which has only files of its own; choose a place outside it",
            place.display()
        ))),
        None => Ok(()),
    }
}

fn begin(arguments: &NewGameArguments) -> Result<(), Failure> {
    let path = &arguments.folder.folder;
    let variant = Arc::new(find_variant(&arguments.variant)?);
    let first = variant.first_phase.year;
    if let Some(year) = arguments.last_year.filter(|year| *year < first) {
        return Err(Failure::input(format!("--last-year: {year} is before the first year, {first}")));
    }
    let mut bots = BTreeMap::new();
    for seat in &arguments.bots {
        let Some((power, bot)) = seat.split_once('=') else {
            return Err(Failure::input(format!(
                "--bots: expected a power and a bot, such as `ENGLAND=greedy`, not `{seat}`"
            )));
        };
        let power = find_power(variant.terrain.power_names(), power)?;
        if bots.insert(power, find_bot(bot.trim())?.name).is_some() {
            return Err(Failure::input(format!(
                "--bots: {} has two bots",
                variant.terrain.power_names().name(power)
            )));
        }
    }
    let seed = match arguments.seed {
        Some(seed) => seed,
        None => drawn_seed()?,
    };
    let place = std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let missing = match arguments.missing {
        Missing::Hold => MissingOrders::Hold,
        Missing::CivilDisorder => MissingOrders::CivilDisorder,
    };
    let last_year = arguments.last_year.unwrap_or(NO_LAST_YEAR);
    let game = HostedGame::new(Hosting { name: &name, variant, seed, last_year, bots, missing });
    GameFolder::create(path, &game)?;
    print(&format!("wrote {}: it is the gamemaster's, with the seed and all secrets\n\n", path.display()))?;
    print(&Post::now(&game, Reader::Public).render(PostFormat::Text))
}

/// A seed that nobody can guess.
fn drawn_seed() -> Result<u64, Failure> {
    getrandom::u64().map_err(Failure::machine)
}

fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    let (folder, game) = open(&arguments.folder.folder)?;
    let reader = arguments.reader.of(game.power_names())?;
    for path in [&arguments.svg, &arguments.html].into_iter().flatten() {
        refuse_inside(path, &arguments.folder.folder)?;
    }
    if arguments.svg.is_some() && arguments.svg == arguments.html {
        return Err(Failure::input("--svg and --html name the same file"));
    }
    let mut text = Post::now(&game, reader).render(PostFormat::Text);
    let orders = folder.handed_in(&game)?.orders;
    match reader {
        Reader::Power(power) => {
            text += &handed_in(&orders, |name| name == game.power_names().name(power));
            text += &exempt(&game, reader);
            text += &choices(&game, power);
        }
        Reader::Gamemaster => {
            text += &handed_in(&orders, |_| true);
            text += &exempt(&game, reader);
            if let Some(seed) = game.record().game.seed {
                let _ = writeln!(text, "\nSeed\n  {seed}");
            }
        }
        Reader::Public => {
            let names: Vec<&str> = orders.keys().map(|name| game.power_names().proper(name)).collect();
            if !names.is_empty() {
                let _ = writeln!(text, "\nHanded in\n  {}", names.join(", "));
            }
        }
    }
    let record = game.record().seen_by(reader);
    let from = record.stages.len();
    if let Some(path) = &arguments.svg {
        let board = page(&game, &record, from)?.boards().last();
        write_whole(path, board.unwrap_or_default())?;
        let _ = writeln!(text, "\npicture: {}", path.display());
    }
    if let Some(path) = &arguments.html {
        write_whole(path, page(&game, &record, 0)?.html())?;
        let _ = writeln!(text, "\npage: {}", path.display());
    }
    print(&text)
}

/// The orders that were handed in by these powers.
fn handed_in(orders: &Orders, is_shown: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    for (power, lines) in orders.iter().filter(|(power, _)| is_shown(power)) {
        let _ = writeln!(text, "\nHanded in by {power}");
        lines.iter().for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

/// The exempt centres of which this reader may know.
fn exempt(game: &HostedGame, reader: Reader) -> String {
    let (names, powers) = (game.game().terrain().names(), game.power_names());
    let chains = Referee::new();
    let of = |power: Power| {
        let seen = Observation::new(game.game(), chains.chains(), power, Handicap::NONE);
        Some(format!("  {}: {}\n", powers.info(power).proper_name, names.province(seen.exempt?)))
    };
    let lines: String =
        powers.powers().iter().filter(|&power| reader.may_know(power)).filter_map(of).collect();
    if lines.is_empty() { lines } else { format!("\nExempt in secret\n{lines}") }
}

/// Everything that a power may order now.
fn choices(game: &HostedGame, power: Power) -> String {
    let mut referee = Referee::new();
    if game.game().stage() == Stage::Movement {
        referee.prepare(game.game());
    }
    let seen = Observation::new(game.game(), referee.chains(), power, Handicap::NONE);
    let mut text = String::new();
    for choice in seen.all_choices() {
        if text.is_empty() {
            text += "\nPossible orders\n";
        }
        let orders: Vec<&str> = choice.orders.iter().map(|order| order.text.as_str()).collect();
        let _ = writeln!(text, "  {}", orders.join(", "));
    }
    text
}

/// The orders in a file.
fn sheet(path: &Path, game: &HostedGame) -> Result<OrderSheet, Failure> {
    OrderSheet::parse(&path.display().to_string(), &read_orders(path)?, game)
}

fn refuse_over(game: &HostedGame) -> Result<(), Failure> {
    match game.record().is_over() {
        true => Err(Failure::input(heading(game))),
        false => Ok(()),
    }
}

/// Prints how orders are read; keeps them if they are handed in.
fn check(arguments: &OrdersArguments, is_handed_in: bool) -> Result<ExitCode, Failure> {
    let (folder, game) = open(&arguments.folder.folder)?;
    refuse_over(&game)?;
    let earlier = folder.handed_in(&game)?;
    let (shown, all) = match &arguments.orders {
        Some(path) => {
            let later = sheet(path, &game)?;
            (Some(later.orders.clone()), earlier.replaced_by(later, game.power_names()))
        }
        None => (None, earlier),
    };
    if is_handed_in && arguments.orders.is_some() {
        folder.hand_in(&all.orders, &game)?;
    }
    let lines = game.check(&all.orders, arguments.strict.form());
    let is_shown = |power: Power| {
        let named = |orders: &Orders| orders.contains_key(game.power_names().name(power));
        game.bot(power).is_none() && shown.as_ref().is_none_or(named)
    };
    print(&checked(&game, &lines, is_shown))?;
    Ok(code(!lines.iter().any(|line| is_shown(line.power) && stops(line))))
}

/// Would the line stop `next`? A second order to a unit does not: the first one is used.
fn stops(line: &ReadLine) -> bool {
    line.meaning.as_ref().is_err_and(|fault| !fault.is_second)
}

/// How each line was read, and what is missing.
fn checked(game: &HostedGame, lines: &[ReadLine], is_shown: impl Fn(Power) -> bool) -> String {
    let powers = game.power_names();
    let open = game.left_open(lines);
    let mut text = format!("{}\n", heading(game));
    for power in powers.powers().iter().filter(|&power| is_shown(power)) {
        let own: Vec<&ReadLine> = lines.iter().filter(|line| line.power == power).collect();
        let open = open.iter().find(|(of, _)| *of == power);
        if own.is_empty() && open.is_none() {
            continue;
        }
        let _ = writeln!(text, "\n{}", powers.name(power));
        for line in own {
            let read = if line.given == line.text { String::new() } else { format!(" = {}", line.text) };
            let fault = match &line.meaning {
                Ok(_) => String::new(),
                Err(fault) if fault.is_second => format!(" (not used: {})", fault.why),
                Err(fault) => format!(" (refused: {})", fault.why),
            };
            let remark = line.remark.as_ref().map_or(String::new(), |remark| format!(" ({remark})"));
            let _ = writeln!(text, "  {}{read}{remark}{fault}", line.given);
        }
        if let Some((_, open)) = open {
            let _ = writeln!(text, "  no order: {}", open.join(", "));
        }
    }
    text
}

fn next(NextArguments { given, refused_hold }: &NextArguments) -> Result<(), Failure> {
    let (folder, mut game) = open(&given.folder.folder)?;
    refuse_over(&game)?;
    let mut all = folder.handed_in(&game)?;
    if let Some(path) = &given.orders {
        all = all.replaced_by(sheet(path, &game)?, game.power_names());
    }
    let lines = game.check(&all.orders, given.strict.form());
    let faults: Vec<String> = refused(&game, &lines, &all);
    if !faults.is_empty() && !refused_hold {
        let note = format!(
            "nothing is settled in {}: correct the orders, or add --refused-hold, with which such lines do not count",
            heading(&game)
        );
        return Err(Failure::inputs(faults.into_iter().chain([note])));
    }
    let mut orders = all.orders;
    let asked = game.due(Reader::Gamemaster);
    for power in asked.iter().map(|due| due.power) {
        if let Some(bot) = game.bot(power) {
            let mut bot = (find_bot(bot)?.make)();
            let lines = game.advice(power, &mut *bot);
            if !lines.is_empty() {
                orders.insert(game.power_names().name(power).to_owned(), lines);
            }
        }
    }
    game.settle(&orders, given.strict.form());
    folder.advance(&game)?;
    let mut text =
        Post::after(&game, Reader::Public).map_or(String::new(), |post| post.render(PostFormat::Text));
    if let Some(path) = folder.last_phase(&game) {
        let _ = writeln!(text, "\nwrote {}", path.display());
    }
    print(&text)
}

/// The lines that stop the phase, with their places.
fn refused(game: &HostedGame, lines: &[ReadLine], sheet: &OrderSheet) -> Vec<String> {
    let mut numbers: BTreeMap<Power, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for line in lines {
        let number = numbers.entry(line.power).or_default();
        let place = sheet.place(line.power, *number).unwrap_or_default();
        *number += 1;
        if let (true, Err(fault)) = (stops(line), &line.meaning) {
            let power = game.power_names().name(line.power);
            faults.push(format!("{place}: {power} {}: {}", line.given, fault.why));
        }
    }
    faults
}

fn undo(path: &Path) -> Result<(), Failure> {
    let (folder, game) = open(path)?;
    let Some(before) = folder.undo(&game)? else {
        return Err(Failure::input("there is nothing to undo: the game has just begun"));
    };
    print(&format!("the game waits again for {}; its orders are handed in\n", heading(&before)))
}

fn redo(path: &Path) -> Result<(), Failure> {
    let (folder, game) = open(path)?;
    let Some(after) = folder.redo(&game)? else {
        return Err(Failure::input("there is nothing to redo: no phase was taken back"));
    };
    print(&format!("{} is settled again; now: {}\n", heading_of(game.game()), heading(&after)))
}

fn log(arguments: &ReaderArguments) -> Result<(), Failure> {
    let (_, game) = open(&arguments.folder.folder)?;
    let reader = arguments.reader.of(game.power_names())?;
    print(&game.record().seen_by(reader).to_text())
}

fn export(arguments: &ExportArguments) -> Result<(), Failure> {
    let (_, game) = open(&arguments.folder.folder)?;
    refuse_inside(&arguments.file, &arguments.folder.folder)?;
    let record = game.record();
    if record.has_secrets() && !arguments.gm {
        return Err(Failure::input(
            "the game has secrets of powers, without which it cannot be replayed; --gm writes them, too",
        ));
    }
    let reader = if arguments.gm { Reader::Gamemaster } else { Reader::Public };
    write_whole(&arguments.file, record.seen_by(reader).to_json())?;
    print(&format!("game: {}\n", arguments.file.display()))
}
