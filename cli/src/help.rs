//! The command line around the commands: groups, examples, `--json`, and corrections of mistyped words.
//! `cli/tests/examples.rs` runs the examples.

use std::ffi::OsString;
use std::fmt::Write;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use upheaval::diagnostic::{one_line, suggest};

/// The groups of commands in `upheaval --help`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Run,
    Judge,
    Play,
    Make,
}

impl Group {
    const ALL: [Group; 4] = [Group::Run, Group::Judge, Group::Play, Group::Make];

    /// The group of a command.
    fn of(command: &str) -> Group {
        match command {
            "run" | "join" | "import" | "tournament" | "sprt" | "ladder" | "tune" => Group::Run,
            "balance" | "effect" | "standings" | "report" | "verify" => Group::Judge,
            "replay" | "adjudicate" | "compliance" | "daide" => Group::Play,
            _ => Group::Make,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Group::Run => "Run experiments",
            Group::Judge => "Judge results",
            Group::Play => "Play games",
            Group::Make => "Make boards and files",
        }
    }
}

/// The command line of a parser with the additions of this module.
pub(crate) fn command<P: CommandFactory>() -> Command {
    let whole = dressed(P::command(), "");
    let template = template(&whole);
    whole.help_template(template)
}

/// A command with its additions, and its subcommands with theirs. `path` is what comes before its name.
fn dressed(mut command: Command, path: &str) -> Command {
    let path = format!("{path} {}", command.get_name()).trim().to_owned();
    if takes_json(&command) && !command.get_arguments().any(|argument| argument.get_id() == "json") {
        let json = Arg::new("json").long("json").action(ArgAction::SetTrue).display_order(900);
        command = command.arg(json.help("Short for `--format json`"));
    }
    if let Some(examples) = examples(path.strip_prefix("upheaval ").unwrap_or_default()) {
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
    for group in Group::ALL {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n{header}{}:{header:#}", group.title());
        for command in commands.iter().filter(|command| Group::of(command.get_name()) == group) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name}{:width$}{name:#}  {about}", command.get_name());
        }
    }
    text + &format!("\n{header}Options:{header:#}\n{{options}}{{after-help}}")
}

/// Does a command have a `--format` that can be `json`?
fn takes_json(command: &Command) -> bool {
    let formats = command.get_arguments().find(|argument| argument.get_id() == "format");
    formats.is_some_and(|format| format.get_possible_values().iter().any(|value| value.get_name() == "json"))
}

/// Parses the arguments. `--json` is read as `--format=json` by the commands that have both.
pub(crate) fn parse(arguments: &[OsString], whole: &Command) -> Result<ArgMatches, clap::Error> {
    let matches = whole.clone().try_get_matches_from(arguments)?;
    if !has_json(&matches) {
        return Ok(matches);
    }
    let mut arguments = arguments.to_vec();
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

/// The examples of a command by its name, such as `run` or `map check`: a line of words above each.
fn examples(command: &str) -> Option<&'static str> {
    Some(match command {
        "" => {
            "  upheaval run experiments/quickstart.toml
  upheaval balance results/quickstart-0123456789ab
  upheaval replay results/quickstart-0123456789ab black-hole/12 --html game.html"
        }
        "run" => {
            "  # the plan, and its cost
  upheaval run experiments/holes-per-season.toml --dry-run
  # the experiment with other games
  upheaval run experiments/holes-per-season.toml --seed 7 --games 210 --set last_year=1910
  # half of the games, on one of two machines
  upheaval run experiments/holes-per-season.toml --shard 1/2
  # a run again, from its folder
  upheaval run results/holes-per-season-0123456789ab"
        }
        "join" => {
            "  upheaval join results/x-0123456789ab.shard-1-of-2 results/x-0123456789ab.shard-2-of-2"
        }
        "import" => {
            "  upheaval import games.jsonl
  upheaval import games.jsonl --variant standard"
        }
        "verify" => {
            "  upheaval verify results/quickstart-0123456789ab
  upheaval verify results/holes-* --json"
        }
        "replay" => {
            "  # a game as a page, and as text
  upheaval replay results/quickstart-0123456789ab black-hole/12 --html game.html
  upheaval replay results/quickstart-0123456789ab black-hole/12 --text
  # what if another province had collapsed?
  upheaval replay results/quickstart-0123456789ab black-hole/12 --at F1902 --instead \"collapse BUR\" --futures 200
  # do the games of a run agree with its tables?
  upheaval replay --verify results/quickstart-0123456789ab"
        }
        "tournament" => {
            "  upheaval tournament experiments/tournament.toml
  upheaval tournament experiments/tournament.toml --blocks 20 --score carnage
  # only the games of an entrant that was added to the file
  upheaval tournament experiments/tournament.toml --extend results/tournament-0123456789ab"
        }
        "standings" => "  upheaval standings results/tournament-0123456789ab --score carnage",
        "sprt" => "  upheaval sprt experiments/sprt.toml",
        "ladder" => {
            "  upheaval ladder standard
  upheaval ladder standard --from 4 --to 6"
        }
        "tune" => {
            "  upheaval tune experiments/fair-holes.toml --dry-run
  upheaval tune experiments/fair-holes.toml"
        }
        "balance" => {
            "  upheaval balance results/holes-0123456789ab
  # one variant beside another, for a program
  upheaval balance results/holes-0123456789ab --variant standard --variant black-hole --json
  # how many games would an interval of two points need?
  upheaval balance results/holes-0123456789ab --width 0.02"
        }
        "effect" => "  upheaval effect results/holes-0123456789ab --variant black-hole --json",
        "adjudicate" => {
            "  upheaval adjudicate requests.jsonl
  echo '{\"id\": 1, \"phase\": \"S1901M\", \"powers\": {\"FRANCE\": {\"units\": [\"A PAR\"]}}, \"orders\": {}}' | upheaval adjudicate"
        }
        "compliance" => {
            "  upheaval compliance python3 bots/python/walker_bot.py
  upheaval compliance --variant standard python3 bots/python/random_bot.py
  upheaval compliance --json python3 bots/python/random_bot.py"
        }
        "daide" => "  upheaval daide -- ./old-bot -s{host} -p{port}",
        "map" => {
            "  upheaval map standard --apply \"collapse MAR\"
  upheaval map --apply \"collapse MAR\" --format svg --frames > hole.svg
  upheaval map --list --json"
        }
        "map check" => "  upheaval map check atlantis.toml",
        "map import" => "  upheaval map import board.map --out board.toml",
        "new map" => "  upheaval new map isles",
        "new variant" => "  upheaval new variant isles --map standard",
        "new experiment" => "  upheaval new experiment isles --variant black-hole",
        "new" => {
            "  upheaval new map mine
  upheaval new variant mine --map mine.toml
  upheaval new experiment mine --variant mine-variant.toml"
        }
        "report" => {
            "  upheaval report results/holes-0123456789ab
  upheaval report results/holes-0123456789ab --svg figures
  # a tournament and the run by which it was extended
  upheaval report results/tournament-0123456789ab results/tournament-ba9876543210"
        }
        "schema" => "  upheaval schema map > map.schema.json",
        "variants" => {
            "  upheaval variants
  upheaval variants show schizo-ii"
        }
        "variants show" => {
            "  upheaval variants show schizo-ii
  upheaval variants show black-hole --format toml > two-voids.toml"
        }
        "bots" => {
            "  upheaval bots
  upheaval bots --json"
        }
        "completions" => "  upheaval completions bash > ~/.local/share/bash-completion/completions/upheaval",
        "man" => {
            "  upheaval man | man -l -
  upheaval man ~/.local/share/man/man1"
        }
        _ => return None,
    })
}
