//! `upheaval map import`: an existing board as a map file (docs/maps.md).

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use upheaval::diagnostic::open_file;
use upheaval::import::{Hints, ImportSource, SourceFormat, import, text_of};
use upheaval::record::regular::{Access, NotRegular, open_below};

use crate::failure::Failure;
use crate::file::write_whole;
use crate::terminal::{print, readable};

/// Import an existing board: GeoJSON, TopoJSON, or a `.map` file of DPjudge or of the package `diplomacy`. The map file
/// is written to standard output, and a line for every decision to standard error.
#[derive(Args)]
pub(super) struct ImportArguments {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A hint file, with facts that the file itself does not give (docs/maps.md).
    #[arg(long, value_name = "FILE")]
    hints: Option<PathBuf>,
    /// Write the map file to this path.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The format of the file; left out: detected.
    #[arg(long, value_enum)]
    format: Option<ImportFormat>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImportFormat {
    /// A feature collection of polygons.
    Geojson,
    /// A topology of polygons with shared arcs.
    Topojson,
    /// A list of adjacencies.
    Map,
}

/// Runs the command.
pub(super) fn command(arguments: &ImportArguments) -> Result<(), Failure> {
    let (file, text) = read(&arguments.file)?;
    let (hint_file, hints) = match &arguments.hints {
        Some(path) => {
            let (name, text) = read(path)?;
            let hints = Hints::parse(&name, &text).map_err(Failure::input)?;
            (name, hints)
        }
        None => (String::new(), Hints::default()),
    };
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
        None => print(&map, io::stdout().lock())?,
    }
    let mut told = io::stderr().lock();
    for note in &imported.notes {
        // If standard error is closed, the map is still written.
        let _ = writeln!(told, "{}", readable(&note.to_string()));
    }
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
