//! `upheaval map import`: a board that exists already, as a map file (docs/maps.md).

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use upheaval::import::{Hints, ImportSource, SourceFormat, import};

use crate::failure::Failure;
use crate::file::write_whole;
use crate::terminal::{print, readable};

/// Import a board that exists already: GeoJSON, TopoJSON, or a `.map` file of DPjudge or of the package `diplomacy`. The
/// map file goes to standard output, a line for everything that was decided to standard error.
#[derive(Args)]
pub struct ImportArguments {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A hint file, with facts that the file itself does not give (docs/maps.md).
    #[arg(long, value_name = "FILE")]
    hints: Option<PathBuf>,
    /// Write the map file here.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The format of the file, where it cannot be told from it.
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

/// Does what the arguments say.
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
    // A used file lies beside the one that uses it.
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
        // Where standard error is closed, the map is still there.
        let _ = writeln!(told, "{}", readable(&note.to_string()));
    }
    Ok(())
}

fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::input(format!("{name}: {error}")))?;
    Ok((name, text))
}
