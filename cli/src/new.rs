//! `upheaval new map|variant|experiment NAME`: a commented file to start from, which runs as it is.

use std::path::Path;

use clap::{Args, Subcommand};
use upheaval::diagnostic::Source;
use upheaval::ids::{Location, Power, UnitKind};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::variant::Variant;
use upheaval::topology::atlas;

use crate::failure::Failure;
use crate::output::{create_whole, print};
use crate::registry::{find_map, find_variant};

const MAP: &str = include_str!("new/map.toml");
const VARIANT: &str = include_str!("new/variant.toml");
const EXPERIMENT: &str = include_str!("new/experiment.toml");

/// The variant whose starting units are used for boards with its powers.
const REGULAR: &str = "standard";

/// The most years of a game in a new experiment.
const YEARS: u16 = 10;

/// Ideas for changes of the map: each begins with a comment of its name and a sentence.
const IDEAS: &str = include_str!("new/ideas.toml");

/// The longest name of a file.
const LONGEST: usize = 32;

/// Write a commented map, variant or experiment to start from
///
/// No file is overwritten.
#[derive(Args)]
pub(crate) struct NewArguments {
    #[command(subcommand)]
    command: NewCommand,
}

#[derive(Subcommand)]
enum NewCommand {
    /// Write NAME.toml, a board of five equal powers
    Map {
        /// Name: lower-case letters, digits and `-`
        name: String,
    },
    /// Write NAME-variant.toml, regular rules on a board
    Variant {
        /// Name: lower-case letters, digits and `-`
        name: String,
        /// Board: name or map file
        #[arg(long, value_name = "FILE", default_value = "standard")]
        map: String,
        /// Variant to copy (id or file), or idea: docs/changes.md has eight
        #[arg(long, value_name = "ID", conflicts_with = "map")]
        from: Option<String>,
    },
    /// Write NAME-experiment.toml, a hundred games of a variant
    Experiment {
        /// Name: lower-case letters, digits and `-`
        name: String,
        /// Variant: id or file
        #[arg(long, value_name = "ID", default_value = "standard")]
        variant: String,
    },
}

/// A file that will be written.
struct Draft {
    file: String,
    text: String,
    /// The command that comes next.
    next: String,
}

/// Runs the command.
pub(crate) fn command(arguments: &NewArguments) -> Result<(), Failure> {
    let draft = match &arguments.command {
        NewCommand::Map { name } => map(checked(name)?),
        NewCommand::Variant { name, from: Some(from), .. } => match idea(from) {
            Some(idea) => of_idea(checked(name)?, &idea)?,
            None => copied(checked(name)?, from)?,
        },
        NewCommand::Variant { name, map, from: None } => variant(checked(name)?, map)?,
        NewCommand::Experiment { name, variant } => experiment(checked(name)?, variant)?,
    };
    create_whole(Path::new(&draft.file), &draft.text)?;
    print(&format!("wrote {}\nnext: {}\n", draft.file, draft.next))
}

/// The name becomes the id of a variant and the beginning of a file's name.
fn checked(name: &str) -> Result<&str, Failure> {
    let is_of_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let begins_well = name.starts_with(|c: char| c.is_ascii_lowercase());
    if begins_well && name.len() <= LONGEST && name.bytes().all(is_of_name) {
        return Ok(name);
    }
    Err(Failure::input(format!(
        "expected a name of 1 to {LONGEST} lower-case letters, digits and `-` that begins with a letter, such as `mine`, not \
         `{name}`"
    )))
}

fn map(name: &str) -> Draft {
    let file = format!("{name}.toml");
    let text = MAP.replace("{{NAME}}", name);
    let next = format!("upheaval new variant {name} --map {file}");
    Draft { file, text, next }
}

fn variant(name: &str, map: &str) -> Result<Draft, Failure> {
    let file = format!("{name}-variant.toml");
    let text = filled(name, &file, map)?;
    checked_variant(name, file, text)
}

/// The file of a new variant on a board.
fn filled(name: &str, file: &str, map: &str) -> Result<String, Failure> {
    let text = VARIANT.replace("{{FILE}}", file).replace("{{NAME}}", name);
    Ok(text.replace("{{MAP}}", &quoted(map)?).replace("{{UNITS}}", &units(map)?))
}

/// An idea for a change of the map.
struct Idea {
    /// One sentence.
    sentence: &'static str,
    /// Its entries.
    entries: &'static str,
}

/// The idea with this name.
fn idea(name: &str) -> Option<Idea> {
    IDEAS.split("\n\n# ").find_map(|idea| {
        let (sentence, entries) =
            idea.trim_start_matches("# ").strip_prefix(name)?.strip_prefix(": ")?.split_once('\n')?;
        Some(Idea { sentence, entries })
    })
}

/// Regular rules with the entries of an idea.
fn of_idea(name: &str, idea: &Idea) -> Result<Draft, Failure> {
    let file = format!("{name}-variant.toml");
    let text = filled(name, &file, REGULAR)?.replacen("a variant to be changed", idea.sentence, 1);
    let (rules, _) = text.split_once("# Every season a province falls").unwrap_or((&text, ""));
    let entries = idea.entries.trim_end();
    checked_variant(name, file, format!("{rules}# docs/changes.md explains every key.\n{entries}\n"))
}

/// The file of a variant under another name.
fn copied(name: &str, from: &str) -> Result<Draft, Failure> {
    let text = find_variant(from)?.files.variant;
    let named = |line: &str| match line.split(" = ").next() {
        Some(key @ ("id" | "title")) => format!("{key} = \"{name}\"\n"),
        _ => format!("{line}\n"),
    };
    // The keys before the first section; entries have ids of their own.
    let head = text.lines().take_while(|line| !line.starts_with('['));
    let rest = text.lines().skip_while(|line| !line.starts_with('[')).map(|line| format!("{line}\n"));
    checked_variant(name, format!("{name}-variant.toml"), head.map(named).chain(rest).collect())
}

/// Written files are valid: they are read like any other file.
fn checked_variant(name: &str, file: String, text: String) -> Result<Draft, Failure> {
    Variant::check(&Source::new(&*file, &*text), Path::new(""))?;
    let next = format!("upheaval new experiment {name} --variant {file}");
    Ok(Draft { file, text, next })
}

fn experiment(name: &str, variant: &str) -> Result<Draft, Failure> {
    let file = format!("{name}-experiment.toml");
    let last_year = find_variant(variant)?.first_movement().year.saturating_add(YEARS - 1);
    let text = EXPERIMENT
        .replace("{{FILE}}", &file)
        .replace("{{NAME}}", name)
        .replace("{{VARIANT}}", &quoted(variant)?)
        .replace("{{LAST_YEAR}}", &last_year.to_string());
    let next = format!("upheaval run {file}");
    Ok(Draft { file, text, next })
}

/// The starting units, a line for each power: those of regular Diplomacy on its boards; elsewhere one in each home,
/// with the fleet in the first home by code that has a coast.
fn units(map: &str) -> Result<String, Failure> {
    let regular = find_variant(REGULAR)?;
    let chart = find_map(map)?;
    let terrain = MapTables::new(chart);
    let lines = terrain.powers().iter().map(|power| {
        let units = match atlas::find(map) {
            Some(chart) if chart.power_names() == regular.terrain.power_names() => units_of(&regular, power),
            _ => units_in_homes(&terrain, power),
        };
        let units: Vec<String> = units.iter().map(|unit| format!("\"{unit}\"")).collect();
        format!("{} = [{}]\n", terrain.power_names().name(power), units.join(", "))
    });
    Ok(lines.collect())
}

fn units_of(variant: &Variant, power: Power) -> Vec<String> {
    let (position, names) = (&variant.position, variant.terrain.names());
    let standing = position.units_of(power).iter();
    let standing = standing.filter_map(|at| position.unit(at).zip(position.location(at)));
    standing.map(|(unit, at)| names.unit(at, unit.kind).to_string()).collect()
}

fn units_in_homes(terrain: &MapTables, power: Power) -> Vec<String> {
    let mut homes: Vec<Location> = terrain.homes()[power].iter().map(Location::from).collect();
    homes.sort_by_key(|home| terrain.names().province(home.province));
    let harbour = homes.iter().position(|home| terrain.board().coasts(home.province) > 0);
    let kind = |i: usize| if harbour == Some(i) { UnitKind::Fleet } else { UnitKind::Army };
    homes.iter().enumerate().map(|(i, home)| terrain.names().unit(*home, kind(i)).to_string()).collect()
}

/// A text in quotes, in the syntax of TOML and JSON.
fn quoted(text: &str) -> Result<String, Failure> {
    serde_json::to_string(text).map_err(Failure::machine)
}
