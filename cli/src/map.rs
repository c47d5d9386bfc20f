//! `upheaval map`: prints, lists or draws a board after a list of changes (docs/map-command.md); `upheaval map check`:
//! can a board be played on, and if not, how can it be corrected? `upheaval map import`: an existing board as a map
//! file (docs/maps.md).

mod position;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use upheaval::adjudicate::{Happened, MapEventError};
use upheaval::diagnostic::{Source, open_file};
use upheaval::import::{Hints, ImportSource, SourceFormat, import, text_of};
use upheaval::picture::{Layout, Style, strip, svg};
use upheaval::record::regular::{Access, NotRegular, open_below};
use upheaval::rules::notation::WrittenSeismic;
use upheaval::topology::atlas::{self, AtlasError};
use upheaval::topology::report::{self, MapReport};
use upheaval::topology::{FaceKind, MapEvent, NamedMap, derive};
use upheaval::viewer;

use self::position::WrittenPosition;
use crate::failure::Failure;
use crate::output::{FormatArgument, JsonArgument, code, lines, print, print_to, write_whole};
use crate::readable::screenful;
use crate::registry::{board_of_variant, find_board, named_map};

/// The board that is printed if none is named.
const STANDARD: &str = "standard";

/// Print or draw a board: adjacency, coasts, borders, points
///
/// Each --apply changes the board that is printed, by a hole, a split or a quake.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct MapArguments {
    #[command(subcommand)]
    command: Option<MapCommand>,
    /// Variant or board, by its name or file [default: standard]
    #[arg(value_name = "NAME|FILE", conflicts_with_all = ["variant", "map"])]
    board: Option<String>,
    /// Variant whose board is printed: id or file
    #[arg(long, value_name = "ID")]
    variant: Option<String>,
    /// Board: name or map file
    #[arg(long, value_name = "FILE", conflicts_with = "variant")]
    map: Option<String>,
    /// Request to `upheaval adjudicate`, or answer, whose position is drawn
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "variant", "map", "apply"])]
    position: Option<PathBuf>,
    /// Map change, such as `collapse MAR`, or JSON list of them; repeatable
    #[arg(long, value_name = "EVENT")]
    apply: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = MapFormat::Text)]
    format: MapFormat,
    #[command(flatten)]
    json: JsonArgument,
    /// Draw the last change as frames, before and after (needs --format svg)
    #[arg(long, requires = "apply")]
    frames: bool,
    /// List the provinces: code, name, kind, coasts, centre or home
    #[arg(long, conflicts_with = "frames")]
    list: bool,
}

#[derive(Subcommand)]
enum MapCommand {
    Check(CheckArguments),
    Import(ImportArguments),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MapFormat {
    /// JSON
    Json,
    /// Text
    Text,
    /// Picture
    Svg,
}

/// Runs the command.
pub(crate) fn command(arguments: &MapArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        Some(MapCommand::Check(arguments)) => check(arguments),
        Some(MapCommand::Import(arguments)) => import_board(arguments).map(|()| ExitCode::SUCCESS),
        None => print_board(arguments).map(|()| ExitCode::SUCCESS),
    }
}

fn print_board(arguments: &MapArguments) -> Result<(), Failure> {
    let format = if arguments.json.json { MapFormat::Json } else { arguments.format };
    let drawn = format == MapFormat::Svg;
    if arguments.frames && !drawn {
        return Err(Failure::input("`--frames` needs `--format svg`"));
    }
    if arguments.list && drawn {
        return Err(Failure::input("`--list` needs `--format text` or `--format json`"));
    }
    if let Some(path) = &arguments.position {
        return print_position(arguments, path, format);
    }
    let (name, mut chart) = board(arguments)?;
    let mut layout = drawn.then(|| Layout::of(&chart));
    let mut last = None;
    for text in &arguments.apply {
        let before = arguments.frames.then(|| chart.clone());
        let event = apply(text, &mut chart)?;
        let next = layout.as_ref().map(|layout| layout.next(&chart));
        last = layout.zip(before).map(|(layout, chart)| (layout, chart, event));
        layout = next;
    }
    let text = match format {
        MapFormat::Svg => layout.map(|layout| picture(&layout, &chart, last, &name)).transpose()?,
        format => Some(written(&chart, format, arguments.list)?),
    };
    print(&text.unwrap_or_default())
}

/// Applies a change to the board; returns it if it is a single one without options.
fn apply(text: &str, chart: &mut NamedMap) -> Result<Option<MapEvent>, Failure> {
    let parsed: Result<MapEvent, _> = text.parse();
    match parsed {
        Ok(event) => {
            let cannot = |error| Failure::input(format!("cannot apply `{event}`: {error}"));
            event.apply(chart).map_err(cannot)?;
            Ok(Some(event))
        }
        Err(_) if text.trim_start().starts_with('[') || WrittenSeismic::is_one(text) => {
            let malformed = |error| Failure::input(format!("--apply: expected a list of texts: {error}"));
            let happened: Happened = text.parse().map_err(malformed)?;
            happened.apply(chart).map_err(|MapEventError { text, fault }| {
                Failure::input(format!("cannot apply `{text}`: {fault}"))
            })?;
            Ok(None)
        }
        Err(error) => Err(Failure::input(error)),
    }
}

/// The board as text or JSON.
fn written(chart: &NamedMap, format: MapFormat, is_list: bool) -> Result<String, Failure> {
    let board = derive(chart.map());
    let list = || report::list_provinces(chart, &board);
    let measured = || MapReport::new(chart, &board);
    let json = |text: serde_json::Result<String>| Ok(text.map_err(Failure::machine)? + "\n");
    match (format, is_list) {
        (MapFormat::Json, true) => json(serde_json::to_string(&list())),
        (MapFormat::Json, false) => json(serde_json::to_string(&measured())),
        (_, true) => Ok(report::provinces_to_text(&list())),
        (_, false) => Ok(measured().to_text()),
    }
}

/// Prints the board of a position, or draws it with units, owners and orders.
fn print_position(arguments: &MapArguments, path: &Path, format: MapFormat) -> Result<(), Failure> {
    let WrittenPosition { game, orders, notes } = WrittenPosition::read(path)?;
    let text = match format {
        MapFormat::Svg => viewer::picture(&game, orders),
        format => written(game.terrain().chart(), format, arguments.list)?,
    };
    // If standard error is closed, the board is still printed.
    let _ = print_to(&lines(&notes), io::stderr().lock());
    print(&text)
}

/// The requested board, and its name.
fn board(arguments: &MapArguments) -> Result<(String, NamedMap), Failure> {
    match (&arguments.variant, &arguments.map) {
        (Some(variant), _) => board_of_variant(variant),
        (None, Some(map)) => named_map(map),
        (None, None) => find_board(arguments.board.as_deref().unwrap_or(STANDARD)),
    }
}

/// The board as a picture, or the effect of the last event, if there is one.
fn picture(
    layout: &Layout,
    chart: &NamedMap,
    last: Option<(Layout, NamedMap, Option<MapEvent>)>,
    variant: &str,
) -> Result<String, Failure> {
    let style = |title| Style { title, ..Style::default() };
    match last {
        None => Ok(svg::board(layout, chart, &style(format!("The board of {variant}")))),
        Some((before, old, Some(event))) => {
            let style = style(format!("{event}: the board of {variant} before and after"));
            Ok(strip::of_event((&before, &old), (layout, chart), &event, &style))
        }
        Some((_, _, None)) => Err(Failure::input("`--frames` shows a single change without options")),
    }
}

/// Check map files
///
/// Each fault is reported with its correction. Exit code 1 if a file has faults.
#[derive(Args)]
struct CheckArguments {
    /// Map files (TOML or JSON)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatArgument,
}

/// Checks the files.
fn check(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    let mut is_sound = true;
    for path in &arguments.files {
        let source = Source::read(path).map_err(Failure::input)?;
        let checked = atlas::parse(source.name(), source.text());
        is_sound &= checked.is_ok();
        let text = if arguments.format.is_json() { faults_json } else { faults_text };
        print(&text(source.name(), &checked))?;
    }
    Ok(code(is_sound))
}

fn faults_json(file: &str, checked: &Result<NamedMap, AtlasError>) -> String {
    let faults: Vec<String> = match checked {
        Ok(_) => Vec::new(),
        Err(AtlasError::Faults { faults, .. }) => faults.clone(),
        Err(form @ AtlasError::Form { .. }) => vec![form.to_string()],
    };
    json!({ "file": file, "sound": checked.is_ok(), "faults": faults }).to_string() + "\n"
}

fn faults_text(file: &str, checked: &Result<NamedMap, AtlasError>) -> String {
    match checked {
        Ok(chart) => format!("{file}: sound ({})\n", sizes(chart)),
        Err(form @ AtlasError::Form { .. }) => format!("{}\n{file}: 1 fault\n", screenful(&form.to_string())),
        Err(AtlasError::Faults { faults, .. }) => {
            let n = faults.len();
            let faults = lines(faults.iter().map(|fault| format!("{file}: {}", screenful(fault))));
            format!("{faults}{file}: {n} fault{}\n", if n == 1 { "" } else { "s" })
        }
    }
}

/// The contents of the board.
fn sizes(chart: &NamedMap) -> String {
    let of = |kind: FaceKind| chart.map().faces().filter(|(_, face)| face.kind() == kind).count();
    let (land, sea, ice) = (of(FaceKind::Land), of(FaceKind::Sea), of(FaceKind::Ice));
    let frozen = if ice == 0 { String::new() } else { format!(", {ice} of ice") };
    let impassable = match of(FaceKind::Impassable) {
        0 => String::new(),
        1 => ", beside an impassable face".to_owned(),
        n => format!(", beside {n} impassable faces"),
    };
    let centres = chart.centres().len();
    let powers = chart.power_names();
    format!(
        "{} provinces, {land} on land and {sea} at sea{frozen}{impassable}; {centres} supply centres; powers {powers}",
        land + sea + ice
    )
}

/// Convert a board to a map file
///
/// Reads GeoJSON, TopoJSON, and `.map` files of DPjudge or of the package `diplomacy`. Prints a line for each decision
/// on standard error.
#[derive(Args)]
struct ImportArguments {
    /// File to convert
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File of facts that the board does not give
    #[arg(long, value_name = "FILE")]
    hints: Option<PathBuf>,
    /// Write the map to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Format of the board [default: detected]
    #[arg(long, value_enum)]
    format: Option<ImportFormat>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImportFormat {
    /// Feature collection of polygons
    Geojson,
    /// Topology of polygons with shared arcs
    Topojson,
    /// List of adjacencies
    Map,
}

/// Prints the imported board, or writes it into a file.
fn import_board(arguments: &ImportArguments) -> Result<(), Failure> {
    let (file, text) = read(&arguments.file)?;
    let (mut hint_file, mut hints) = (String::new(), Hints::default());
    if let Some(path) = &arguments.hints {
        let (name, text) = read(path)?;
        hints = Hints::parse(&name, &text).map_err(Failure::input)?;
        hint_file = name;
    }
    let folder = arguments.file.parent().unwrap_or(Path::new("")).to_owned();
    let includes = |name: &str| used(&folder, name);
    let format = arguments.format.map(|format| match format {
        ImportFormat::Geojson => SourceFormat::GeoJson,
        ImportFormat::Topojson => SourceFormat::TopoJson,
        ImportFormat::Map => SourceFormat::Map,
    });
    let source = ImportSource {
        file: &file,
        text: &text,
        format,
        includes: &includes,
        hints: &hints,
        hint_file: &hint_file,
    };
    let imported = import(&source).map_err(Failure::input)?;
    let map = imported.map.to_text();
    match &arguments.out {
        Some(out) => write_whole(out, &map)?,
        None => print(&map)?,
    }
    // If standard error is closed, the map is still written.
    let _ = print_to(&lines(&imported.notes), io::stderr().lock());
    Ok(())
}

/// The largest file that is read, in bytes: 64 MiB. No drawing with as many corners as are read needs more.
const MOST_BYTES: u64 = 64 << 20;

fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    let text = open_file(path).map_err(|error| error.to_string()).and_then(text_in);
    Ok((name.clone(), text.map_err(|error| Failure::input(format!("{name}: {error}")))?))
}

/// The text of a file that the imported file uses. It must be in the same folder, and no link: the imported file may be
/// a stranger's, and messages quote what they complain of.
fn used(folder: &Path, name: &str) -> Result<String, String> {
    if Path::new(name).components().count() != 1 {
        return Err("only a file in the same folder can be used".to_owned());
    }
    let file = open_below(folder, name, Access::Read).map_err(|error| match NotRegular::of(&error) {
        Some(NotRegular { found, .. }) => format!("it is {found}; only a regular file can be used"),
        None => error.to_string(),
    })?;
    text_in(file)
}

fn text_in(file: File) -> Result<String, String> {
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it has more than {MOST_BYTES} bytes"));
    }
    text_of(bytes)
}
