//! Drawings: GeoJSON and TopoJSON. Polygons that share edges share borders; an area that no polygon covers is
//! impassable, or the Outside. A drawing has an orientation, so nothing is ambiguous.

mod drawing;
mod faces;
mod regions;
mod sweep;

use upheaval_map::ids::MAX_PROVINCES;
use upheaval_map::topology::MapFile;

use self::regions::Region;
use crate::hints::Hints;
use crate::note::{ImportError, ImportNote};
use crate::source::{ImportSource, Imported, SourceFormat};

/// Imports a drawing.
pub(crate) fn import(source: &ImportSource<'_>, format: SourceFormat) -> Result<Imported, ImportError> {
    let &ImportSource { file, text, hints, .. } = source;
    let (regions, extras) = match format {
        SourceFormat::TopoJson => regions::read_topojson(file, text)?,
        _ => regions::read_geojson(file, text)?,
    };
    if regions.len() > MAX_PROVINCES {
        let message = format!("{} provinces; a map holds up to {MAX_PROVINCES} faces", regions.len());
        return Err(ImportError::file(file, message));
    }
    hints.check(source.hint_file, |code| regions.iter().any(|region| region.code == code))?;
    let (mut map, notes) = draw(&regions, hints).map_err(|faults| ImportError::faults(file, &faults))?;
    map.powers = extras.powers;
    map.canals = extras.canals.into_iter().chain(hints.canals.iter().cloned()).collect();
    map.straits = extras.straits.into_iter().chain(hints.straits.iter().cloned()).collect();
    Ok(Imported { map, notes, steps: 0 })
}

/// The board that polygons show. If some lie across longitude 180, they are joined there; where that gives no board,
/// the drawing is taken as it is.
fn draw(regions: &[Region], hints: &Hints) -> Result<(MapFile, Vec<ImportNote>), Vec<String>> {
    match regions::joined(regions) {
        Ok(None) => draw_flat(regions, hints),
        Ok(Some(joined)) => {
            draw_flat(&joined, hints).or_else(|faults| draw_flat(regions, hints).map_err(|_| faults))
        }
        Err(why) => draw_flat(regions, hints).map_err(|faults| std::iter::once(why).chain(faults).collect()),
    }
}

fn draw_flat(regions: &[Region], hints: &Hints) -> Result<(MapFile, Vec<ImportNote>), Vec<String>> {
    let drawing = drawing::PolygonDrawing::of(regions)?;
    let mut notes = Vec::new();
    let map = faces::faces(regions, &drawing, hints, &mut notes)?;
    Ok((map, notes))
}
