//! Drawings: GeoJSON and TopoJSON. Polygons that share edges share borders; an area that no polygon covers is
//! impassable, or the Outside. A drawing has an orientation, so nothing is ambiguous.

mod drawing;
mod faces;
mod points;
mod regions;
mod topojson;

use upheaval_map::ids::MAX_PROVINCES;
use upheaval_map::topology::MapFile;

use crate::error::ImportError;
use crate::source::{ImportSource, Imported, SourceFormat};

/// Imports a drawing.
pub fn import(source: &ImportSource<'_>, format: SourceFormat) -> Result<Imported, ImportError> {
    let &ImportSource { file, text, hints, .. } = source;
    let (regions, extras) = match format {
        SourceFormat::TopoJson => topojson::read(file, text)?,
        _ => regions::read(file, text)?,
    };
    if regions.len() > MAX_PROVINCES {
        let message = format!("{} provinces; a map holds up to {MAX_PROVINCES} faces", regions.len());
        return Err(ImportError::file(file, message));
    }
    hints.check(source.hint_file, |code| regions.iter().any(|region| region.code == code))?;
    let faults = |faults| Err(ImportError::Faults { file: file.to_owned(), faults });
    let drawing = match drawing::PolygonDrawing::of(&regions) {
        Ok(drawing) => drawing,
        Err(found) => return faults(found),
    };
    let mut notes = Vec::new();
    let mut map: MapFile = match faces::faces(&regions, &drawing, hints, &mut notes) {
        Ok(map) => map,
        Err(found) => return faults(found),
    };
    map.powers = extras.powers;
    map.canals = extras.canals.into_iter().chain(hints.canals.iter().cloned()).collect();
    map.straits = extras.straits.into_iter().chain(hints.straits.iter().cloned()).collect();
    Ok(Imported { map, notes })
}
