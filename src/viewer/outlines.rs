//! What happens to the map in a stage, as it is outlined on the board before it and on the one after it.

use crate::chronicle::StageRecord;
use crate::ids::ProvinceId;
use crate::picture::{Highlight, Place, Timing};
use crate::record::EventKind;
use crate::topology::{MapEvent, PlanarMap};

/// The outlines of a stage's events on a board.
pub(super) fn outlines(stage: &StageRecord, map: &PlanarMap, timing: Timing) -> Vec<Highlight> {
    let mut outlines: Vec<Highlight> = Vec::new();
    for event in &stage.events {
        let Some(kind) = event.kind() else { continue };
        let told = event.detail.as_deref();
        for place in places(kind, event.province.as_deref(), told, map, timing) {
            match outlines.iter_mut().find(|outline| outline.place == place) {
                Some(outline) => outline.title += &format!("; {event}"),
                None => outlines.push(Highlight { place, timing, title: event.to_string() }),
            }
        }
    }
    outlines
}

/// Where an event is seen on this board.
fn places(
    kind: EventKind,
    province: Option<&str>,
    detail: Option<&str>,
    map: &PlanarMap,
    timing: Timing,
) -> Vec<Place> {
    let find = |name: Option<&str>| name.and_then(|name| map.find(name));
    let of = |name: Option<&str>| find(name).map(Place::Province);
    match kind {
        EventKind::HoleDrawn | EventKind::SplitDrawn if timing == Timing::Coming => {
            of(province).into_iter().collect()
        }
        EventKind::Collapsed
        | EventKind::Voided
        | EventKind::Restored
        | EventKind::Submerged
        | EventKind::Opened
        | EventKind::CentreFounded => of(province).into_iter().collect(),
        EventKind::Split => [province, detail].into_iter().filter_map(of).collect(),
        EventKind::Separated | EventKind::Connected => {
            detail.and_then(|event| event.parse().ok()).map_or(Vec::new(), |event| quake(&event, map, timing))
        }
        _ => Vec::new(),
    }
}

/// The border that goes; afterwards the one that is new, or, where a face touches itself there, those that it parts.
fn quake(event: &MapEvent, map: &PlanarMap, timing: Timing) -> Vec<Place> {
    let pair = |names: &[String; 2]| -> Option<[ProvinceId; 2]> {
        Some([map.find(&names[0])?, map.find(&names[1])?])
    };
    let touch = |[a, b]: &[ProvinceId; 2]| a != b && map.sides_of(*a).any(|side| map.across(side) == *b);
    let (apart, together) = match event {
        MapEvent::Separate { apart, together, .. } => (pair(apart), pair(together)),
        MapEvent::Connect { together, through, .. } => (map.find(through).map(|id| [id, id]), pair(together)),
        _ => return Vec::new(),
    };
    let border = match timing {
        Timing::Coming => apart,
        Timing::Past => together,
    };
    match border.filter(touch) {
        Some(pair) => vec![Place::Between(pair)],
        None => {
            let mut faces: Vec<ProvinceId> = apart.into_iter().flatten().collect();
            faces.dedup();
            faces.into_iter().map(Place::Province).collect()
        }
    }
}
