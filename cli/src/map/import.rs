//! `upheaval map import`: an existing board as a map file (docs/maps.md).

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use upheaval::import::{Hints, ImportSource, SourceFormat, import};

use crate::failure::Failure;
use crate::file::write_whole;
use crate::terminal::{print, readable};

/// Import an existing board: GeoJSON, TopoJSON, or a `.map` file of DPjudge or of the package `diplomacy`. The map file
/// is written to standard output, and a line for every decision to standard error.
#[derive(Args)]
pub struct ImportArguments {
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
pub fn command(arguments: &ImportArguments) -> Result<(), Failure> {
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
    // An included file must be in the same folder as the file that uses it.
    let includes = |name: &str| {
        let is_plain = Path::new(name).components().count() == 1;
        if !is_plain {
            return Err("only a file in the same folder can be used".to_owned());
        }
        std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string())
    };
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

fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::input(format!("{name}: {error}")))?;
    Ok((name, text))
}
