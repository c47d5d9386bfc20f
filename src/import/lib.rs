//! Imports existing boards as map files.
//!
//! A source is either a list of adjacencies (the `.map` files of DPjudge and of the Python package
//! `diplomacy`), for which a planar embedding is computed, or a drawing (GeoJSON, TopoJSON), whose shared
//! edges are the borders. The result is a map file that [`upheaval_map::topology::atlas`] accepts, and a note
//! on every decision.
//!
//! ```text
//!  .map ── listing ──▶ Sketch ── shape ──▶ graph ── planar ──▶ rotation ── fit, assemble ──▶ MapFile
//!  GeoJSON, TopoJSON ── geo ──▶ polygons ── edges that two share ─────────────────────────────▲
//! ```

mod coasts;
mod fill;
mod fit;
mod geo;
mod hints;
pub(crate) mod listing;
mod note;
mod places;
pub mod planar;
mod shape;
mod sketch;
mod source;
mod steps;
mod survey;

use upheaval_map::topology::{MapFile, atlas};

pub use crate::note::{ImportError, ImportNote};
pub use crate::sketch::{Sketch, SketchGround, SketchProvince, Station};
pub use hints::{FillerHint, Hints};
pub use source::{ImportSource, Imported, SourceFormat, text_of};
pub use steps::steps;

use crate::fit::AssemblyInput;
use crate::planar::Effort;
use crate::planar::rotation::Rotation;
use crate::shape::Fleets;

/// Imports a board.
///
/// # Errors
/// The file does not have the expected format, or describes no board that a map file can hold.
///
/// ```
/// use upheaval_import::{Hints, ImportSource, import};
/// let text = "
/// RED AA\nBLUE BB\n
/// COAST AA ABUTS BB SEA\nCOAST BB ABUTS AA SEA\nWATER SEA ABUTS AA BB";
/// let hints = Hints::default();
/// let source = ImportSource {
///     file: "isle.map", text, format: None, includes: &|name| Err(format!("no {name}")), hints: &hints, hint_file: "",
/// };
/// let imported = import(&source)?;
/// assert_eq!(imported.map.faces.len(), 3);
/// # Ok::<(), upheaval_import::ImportError>(())
/// ```
pub fn import(source: &ImportSource<'_>) -> Result<Imported, ImportError> {
    let source = &ImportSource { text: source.text.trim_start_matches('\u{feff}'), ..*source };
    let Some(format) = source.format.or_else(|| SourceFormat::of(source.text)) else {
        return Err(ImportError::file(
            source.file,
            "this is neither GeoJSON nor TopoJSON nor a list of adjacencies (`COAST GAS ABUTS BRE …`); give the \
             format with `--format`",
        ));
    };
    let mut imported = match format {
        SourceFormat::Map => from_listing(source)?,
        SourceFormat::GeoJson | SourceFormat::TopoJson => {
            let mut imported = geo::import(source, format)?;
            imported.notes.extend(source.hints.for_lists().into_iter().map(ImportNote::NotForDrawings));
            imported
        }
    };
    check(source.file, &imported.map)?;
    let unused = source.hints.fillers.keys().filter(|code| !imported.map.faces.contains_key(*code));
    imported.notes.extend(unused.map(|code| ImportNote::NoFiller(code.clone())));
    imported.notes = note::bounded(imported.notes);
    Ok(imported)
}

/// Checks the result as any map file is checked, before it is returned.
fn check(file: &str, map: &MapFile) -> Result<(), ImportError> {
    atlas::parse(file, &map.to_text()).map(drop).map_err(|error| unsound(file, error))
}

fn unsound(file: &str, error: atlas::AtlasError) -> ImportError {
    match error {
        atlas::AtlasError::Form { message, .. } => ImportError::file(file, message),
        atlas::AtlasError::Faults { faults, .. } => ImportError::faults(file, &faults),
    }
}

/// How much the search for crossings may do, for [`Effort::for_nodes`]: ten times what the boards need of which the
/// search is known to find the points.
const CROSSING_RATE: u64 = 600;

/// How much the search for an embedding may do: five times what the boards need that are known.
const FITTING_RATE: u64 = 200;

fn from_listing(source: &ImportSource<'_>) -> Result<Imported, ImportError> {
    let &ImportSource { file, hints, .. } = source;
    let mut notes = Vec::new();
    let sketch = listing::sketch(file, source.text, source.includes, &mut notes)?;
    hints.check(source.hint_file, |code| sketch.provinces.contains_key(code))?;
    let crossing = Effort::for_nodes(sketch.provinces.len(), CROSSING_RATE);
    let shape = survey::survey(source, &sketch, &mut notes, &crossing)?;
    // What a board of fifty provinces may take does not hurt a smaller one.
    let fitting = Effort::for_nodes(sketch.provinces.len().max(50), FITTING_RATE);
    let rotation = Rotation::of(shape.graph(), &fitting)
        .ok_or_else(|| ImportError::file(file, "the board is not planar"))?;
    let meetings = shape.meetings();
    let fleets = Fleets::of(&sketch, &shape, &meetings);
    let brief = AssemblyInput { file, sketch: &sketch, fleets: &fleets, hints };
    let mut best = fit::fit(brief, &shape, &meetings.later_neighbours(), rotation, &fitting)
        .map_err(|error| unsound(file, error))?;
    places::place(&mut best.file, hints.north.as_deref());
    notes.append(&mut best.notes);
    for node in shape.nodes().filter(|&node| shape.kind(node) == shape::NodeKind::Point) {
        let around = shape.names(shape.graph().neighbours(node));
        notes.push(ImportNote::Point { code: shape.code(node).to_owned(), around });
    }
    notes.extend(best.differences.into_iter().map(ImportNote::Differs));
    Ok(Imported { map: best.file, notes, steps: crossing.spent() + fitting.spent() })
}
