//! From an embedding to a map file: coasts are named, and waterways added.

use std::collections::BTreeMap;

use upheaval_map::topology::{FaceEntry, KindEntry, MapFile, NamedMap, atlas};

use crate::coasts::{Coasts, waterways};
use crate::compare::{AdjacencyDifference, differences};
use crate::fill::Filled;
use crate::fleets::Fleets;
use crate::hints::Hints;
use crate::note::ImportNote;
use crate::planar::graph::Node;
use crate::planar::rotation::{Dart, Rotation};
use crate::shape::{BoardShape, NodeKind};
use crate::sketch::{Sketch, SketchGround};

/// A map file made from an embedding, with its distance from the source.
#[derive(Clone, Debug)]
pub(crate) struct Assembled {
    /// The map file, without centres.
    pub file: MapFile,
    /// The moves that differ from those of the source.
    pub differences: Vec<AdjacencyDifference>,
    /// The decisions.
    pub notes: Vec<ImportNote>,
}

/// The source of a board and its hints.
#[derive(Clone, Copy)]
pub(crate) struct AssemblyInput<'a> {
    /// The file as errors name it.
    pub file: &'a str,
    /// The board of the source.
    pub sketch: &'a Sketch,
    /// The moves of its fleets.
    pub fleets: &'a Fleets,
    /// The hints.
    pub hints: &'a Hints,
}

/// Writes a filled embedding as a map file.
///
/// # Errors
/// The resulting map is not sound, or has more faces than a map can have.
pub(crate) fn assemble(brief: AssemblyInput<'_>, filled: Filled) -> Result<Assembled, atlas::AtlasError> {
    let Filled { mut shape, rotation, outside, fillers, .. } = filled;
    let named: BTreeMap<Node, String> = fillers
        .iter()
        .filter_map(|(node, around)| {
            let around = shape.names(around.iter().copied());
            let hinted = brief.hints.fillers.iter();
            let fits = hinted.filter(|(_, filler)| filler.around.iter().all(|name| around.contains(name)));
            let (code, _) = fits.max_by_key(|(_, filler)| filler.around.len())?;
            Some((*node, code.clone()))
        })
        .collect();
    shape.name_new(|node| named.get(&node).cloned());
    let mut notes = vec![match outside {
        Some(around) => ImportNote::Outside(shape.names(around)),
        None => ImportNote::NoOutside,
    }];
    notes.extend(fillers.into_iter().map(|(node, around)| ImportNote::Filler {
        code: shape.code(node).to_owned(),
        around: shape.names(around),
    }));
    let maker = Maker { brief, shape: &shape, rotation: &rotation };
    let mut file = maker.write();
    let bare = atlas::chart_of(brief.file, file.clone())?;
    let coasts = Coasts::of(brief.fleets, &shape, &rotation);
    coasts.name(&bare, &shape, &mut file);
    notes.extend(waterways(brief.hints, &coasts, &bare, &shape, &mut file));
    let chart: NamedMap = atlas::chart_of(brief.file, file.clone())?;
    let differences = differences(&chart, brief.sketch);
    Ok(Assembled { file, differences, notes })
}

struct Maker<'a> {
    brief: AssemblyInput<'a>,
    shape: &'a BoardShape,
    rotation: &'a Rotation,
}

impl Maker<'_> {
    fn write(&self) -> MapFile {
        let mut file = MapFile { powers: Some(self.brief.sketch.powers.clone()), ..MapFile::default() };
        if self.brief.sketch.powers.is_empty() {
            file.powers = None;
        }
        for (node, cycles) in self.rotation.cycles() {
            let code = self.shape.code(node);
            let across =
                |cycle: &Vec<Dart>| self.shape.names(cycle.iter().map(|&dart| self.rotation.target(dart)));
            let mut cycles: Vec<Vec<String>> = cycles.iter().map(across).collect();
            let first = cycles.remove(0);
            let kind = match self.shape.kind(node) {
                NodeKind::Province(SketchGround::Land) => KindEntry::Land,
                NodeKind::Province(SketchGround::Sea) => KindEntry::Sea,
                NodeKind::Province(SketchGround::Shut) | NodeKind::Filler => KindEntry::Impassable,
                NodeKind::Point => KindEntry::Point,
                NodeKind::Outside => KindEntry::Outside,
            };
            let province = self.brief.sketch.provinces.get(code);
            let name = province.map_or_else(|| self.filler_name(node), |province| province.name.clone());
            let entry = FaceEntry {
                name,
                kind,
                supply_centre: province.is_some_and(|province| province.supply_centre),
                home: province.and_then(|province| province.home.clone()),
                neighbours_ccw: Some(first),
                islands_ccw: cycles,
                centre: None,
            };
            file.faces.insert(code.to_owned(), entry);
        }
        file
    }

    fn filler_name(&self, node: Node) -> String {
        let code = self.shape.code(node);
        match (self.brief.hints.fillers.get(code), self.shape.kind(node)) {
            (Some(filler), _) => filler.name.clone(),
            (None, NodeKind::Outside) => "Outside".to_owned(),
            (None, NodeKind::Point) => format!("Point {}", code.trim_start_matches('P')),
            (None, _) => format!("Impassable {}", code.trim_start_matches('X')),
        }
    }
}
