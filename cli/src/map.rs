//! `upheaval map`: prints, lists or draws a board after a list of events (docs/map-command.md); `map/` has its
//! subcommands.

mod check;

mod import;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use upheaval::diagnostic::{Source, suggest};
use upheaval::picture::{Layout, Style, strip, svg};
use upheaval::rules::variant::Variant;
use upheaval::topology::report::{self, MapReport};
use upheaval::topology::{MapEvent, NamedMap, atlas, derive};

use crate::failure::Failure;
use crate::terminal::print;

/// Print a board after a list of events, as text, JSON or a picture: adjacency, coasts, boundaries, points.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct MapArguments {
    #[command(subcommand)]
    command: Option<MapCommand>,
    /// The variant whose board it is: an id, or the path of a variant file.
    #[arg(long, value_name = "ID", default_value = "standard")]
    variant: String,
    /// The board alone, in place of a variant: one that ships, or the path of a map file.
    #[arg(long, value_name = "FILE", conflicts_with = "variant")]
    map: Option<String>,
    /// An event, such as `collapse MAR` or `separate POR SPA connect MAO MAO`; may be given several times.
    #[arg(long, value_name = "EVENT")]
    apply: Vec<String>,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = MapFormat::Text)]
    format: MapFormat,
    /// With `--format svg`: draw the last event as frames side by side, the board before and after it, cropped to the
    /// part that changes. A hole that opens or is restored, and faces that separate or connect, have a third frame
    /// half-way.
    #[arg(long, requires = "apply")]
    frames: bool,
    /// List the provinces: code, full name, kind, coasts, and whether each is a centre or home. As text or JSON.
    #[arg(long, conflicts_with = "frames")]
    list: bool,
}

#[derive(Subcommand)]
enum MapCommand {
    Check(check::CheckArguments),
    Import(import::ImportArguments),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MapFormat {
    /// For programs.
    Json,
    /// For people.
    Text,
    /// A picture: each event moves as little as possible of the drawing before it.
    Svg,
}

/// Runs the command.
pub(crate) fn command(arguments: &MapArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        Some(MapCommand::Check(arguments)) => check::command(arguments),
        Some(MapCommand::Import(arguments)) => import::command(arguments).map(|()| ExitCode::SUCCESS),
        None => print_board(arguments).map(|()| ExitCode::SUCCESS),
    }
}

fn print_board(arguments: &MapArguments) -> Result<(), Failure> {
    let drawn = arguments.format == MapFormat::Svg;
    if arguments.frames && !drawn {
        return Err(Failure::input("`--frames` needs `--format svg`"));
    }
    if arguments.list && drawn {
        return Err(Failure::input("a list of provinces is printed with `--format text` or `--format json`"));
    }
    let (name, mut chart) = board(arguments)?;
    let mut layout = drawn.then(|| Layout::of(&chart));
    let mut last = None;
    for text in &arguments.apply {
        let event: MapEvent = text.parse().map_err(Failure::input)?;
        let before = arguments.frames.then(|| chart.clone());
        event
            .apply(&mut chart)
            .map_err(|error| Failure::input(format!("cannot apply `{event}`: {error}")))?;
        let next = layout.as_ref().map(|layout| layout.next(&chart));
        last = layout.zip(before).map(|(layout, chart)| (layout, chart, event));
        layout = next;
    }
    let measured = || MapReport::new(&chart, &derive(chart.map()));
    let list = || report::list_provinces(&chart, &derive(chart.map()));
    let text = match arguments.format {
        MapFormat::Json if arguments.list => serde_json::to_string(&list()).map_err(Failure::machine)? + "\n",
        MapFormat::Text if arguments.list => report::provinces_to_text(&list()),
        MapFormat::Json => serde_json::to_string(&measured()).map_err(Failure::machine)? + "\n",
        MapFormat::Text => measured().to_text(),
        MapFormat::Svg => layout.map(|layout| picture(&layout, &chart, &last, &name)).unwrap_or_default(),
    };
    print(&text, io::stdout().lock())
}

/// The requested board, and its name.
fn board(arguments: &MapArguments) -> Result<(String, NamedMap), Failure> {
    match &arguments.map {
        Some(map) => Ok((name_of(map), find_map(map)?)),
        None => {
            let variant = find_variant(&arguments.variant)?;
            Ok((variant.id.clone(), variant.terrain.chart().clone()))
        }
    }
}

/// The name of a board: for a file, its name without folder and extension.
fn name_of(map: &str) -> String {
    let path = Path::new(map);
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The board of this name, or in this file.
pub(crate) fn find_map(name: &str) -> Result<NamedMap, Failure> {
    if let Some(chart) = atlas::find(name) {
        return Ok(chart);
    }
    if ![".toml", ".json"].iter().any(|ending| name.ends_with(ending)) {
        let known = suggest(name, atlas::shipped());
        return Err(Failure::input(format!(
            "there is no map `{name}`; {known}, or a path that ends in `.toml` or `.json`"
        )));
    }
    let source = Source::read(Path::new(name)).map_err(Failure::input)?;
    atlas::parse(source.name(), source.text()).map_err(Failure::input)
}

/// The board as a picture, or the effect of the last event, if there is one.
fn picture(
    layout: &Layout,
    chart: &NamedMap,
    last: &Option<(Layout, NamedMap, MapEvent)>,
    variant: &str,
) -> String {
    let style = |title| Style { title, ..Style::default() };
    match last {
        None => svg::board(layout, chart, &style(format!("The board of {variant}"))),
        Some((before, old, event)) => {
            let style = style(format!("{event}: the board of {variant} before and after"));
            strip::of_event((before, old), (layout, chart), event, &style)
        }
    }
}

/// The variant of this id, or in this file.
pub(crate) fn find_variant(name: &str) -> Result<Variant, Failure> {
    let unknown = || {
        let known: Vec<&str> = Variant::shipped().collect();
        Failure::input(format!(
            "there is no variant `{name}`; there are {}; a file is named by its path, such as `./{name}.toml`",
            known.join(", ")
        ))
    };
    Variant::find(name, Path::new("")).map_err(Failure::input)?.ok_or_else(unknown)
}
