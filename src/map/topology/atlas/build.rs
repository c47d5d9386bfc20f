//! Builds the planar map from consistent neighbour lists.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::face::{FaceData, FaceKind, FaceState, Names};
use super::super::half_edge::{HalfEdge, HalfEdgeId};
use super::super::map::PlanarMap;
use super::super::map_file::MapFile;
use super::super::waterway::WaterwayRule;
use super::lists::{FaceIndex, Lists, Met};
use crate::ids::{ProvinceId, ProvinceSet};

/// A place on a boundary: face, boundary, position on the boundary.
type Place = (FaceIndex, usize, usize);

/// Pairs the half-edges and links them. `None` if a half-edge has no twin, which the check of the lists rules
/// out.
pub(super) fn planar_map(file: &MapFile, lists: &Lists) -> Option<PlanarMap> {
    let mut map = PlanarMap {
        structure: Default::default(),
        faces_hashed: Default::default(),
        names: Arc::new(Names::none()),
        faces: Vec::new(),
        sorted: Default::default(),
        further_cycles: Vec::new(),
        archipelagos: ProvinceSet::EMPTY,
        sides: Vec::new(),
        free_borders: Vec::new(),
        waterways: Vec::new(),
        waterway_rule: WaterwayRule::default(),
        labels: Vec::new(),
        trail: Vec::new(),
        touch: Default::default(),
    };
    let entries: Vec<(Place, Met)> = entries(lists);
    let mut waiting: BTreeMap<(FaceIndex, Met), Vec<Place>> = BTreeMap::new();
    for &(place, met) in entries.iter().rev() {
        waiting.entry((place.0, met)).or_default().push(place);
    }
    let mut side_at: BTreeMap<Place, HalfEdgeId> = BTreeMap::new();
    for &(place, met) in &entries {
        if side_at.contains_key(&place) {
            continue;
        }
        let across = (met.at, met.across(place.0));
        let free = waiting.get_mut(&across)?;
        let twin =
            std::iter::from_fn(|| free.pop()).find(|twin| !side_at.contains_key(twin) && *twin != place)?;
        let first = HalfEdgeId(u16::try_from(map.sides.len()).ok()?);
        side_at.insert(place, first);
        side_at.insert(twin, first.twin());
        map.sides.extend([None, None]);
    }
    let mut names = Names::none();
    for ((index, cycles), (name, entry)) in (0..=u8::MAX).zip(&lists.cycles).zip(&file.faces) {
        let id = ProvinceId(index);
        let kind = entry.kind.face_kind();
        // A point joins the faces that meet there, as a collapsed face does.
        let state = if kind == FaceKind::Point { FaceState::Collapsed } else { FaceState::Open };
        map.add_face(FaceData { state, ..FaceData::new(kind) });
        names.call(id, name);
        for (c, cycle) in cycles.iter().enumerate() {
            let side = |i: usize| side_at[&(id.index(), c, i % cycle.len())];
            for i in 0..cycle.len() {
                map.sides[side(i).index()] =
                    Some(HalfEdge { face: id, next: side(i + 1), prev: side(i + cycle.len() - 1) });
            }
            map.add_head(id, side(0));
        }
    }
    map.names = Arc::new(names);
    Some(map)
}

/// Every entry of the lists with its place, in order.
fn entries(lists: &Lists) -> Vec<(Place, Met)> {
    let mut entries = Vec::new();
    for (face, cycles) in lists.cycles.iter().enumerate() {
        for (c, cycle) in cycles.iter().enumerate() {
            entries.extend(Met::all_of(cycle).enumerate().map(|(i, met)| ((face, c, i), met)));
        }
    }
    entries
}
