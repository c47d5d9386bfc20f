//! The changes of the map in a stage, as outlines on the board before it and on the board after it.

use upheaval_engine::rules::event::{EventInfo, MapChange};
use upheaval_harness::game_record::{EventLine, StageRecord};
use upheaval_map::ids::{PowerNames, ProvinceId};
use upheaval_map::topology::{MapEvent, PlanarMap};
use upheaval_picture::{DrawnPlace, Highlight, Timing};

/// The outlines of a stage's events on a board.
pub(super) fn outlines(
    stage: &StageRecord,
    powers: &PowerNames,
    map: &PlanarMap,
    timing: Timing,
) -> Vec<Highlight> {
    let (drawn, done): (Vec<&EventLine>, Vec<&EventLine>) =
        stage.events.iter().partition(|event| info(event).is_some_and(is_draw));
    let mut outlines: Vec<Highlight> = Vec::new();
    for event in done {
        for place in places(event, map, timing) {
            match outlines.iter_mut().find(|outline| outline.place == place) {
                Some(outline) => outline.title += &format!("; {}", event.display(powers)),
                None => outlines.push(Highlight { place, timing, title: event.display(powers).to_string() }),
            }
        }
    }
    // A draw is shown only if it had no effect: otherwise its effect is shown.
    for event in drawn {
        for place in places(event, map, timing) {
            if outlines.iter().all(|outline| outline.place != place) {
                outlines.push(Highlight { place, timing, title: event.display(powers).to_string() });
            }
        }
    }
    outlines
}

fn info(event: &EventLine) -> Option<&'static EventInfo> {
    Some(event.kind()?.info())
}

/// Is it a draw without an effect?
fn is_draw(info: &EventInfo) -> bool {
    !info.reveals.is_empty() && info.change.is_none()
}

/// The places of an event on this board.
fn places(event: &EventLine, map: &PlanarMap, timing: Timing) -> Vec<DrawnPlace> {
    let of = |name: &Option<String>| Some(DrawnPlace::Province(map.find(name.as_deref()?)?));
    let Some(info) = info(event) else { return Vec::new() };
    match info.change {
        None if is_draw(info) && timing == Timing::Coming => of(&event.province).into_iter().collect(),
        None => Vec::new(),
        Some(
            MapChange::Collapse
            | MapChange::Void
            | MapChange::Restore
            | MapChange::Submerge
            | MapChange::Open
            | MapChange::Found,
        ) => of(&event.province).into_iter().collect(),
        Some(MapChange::Split) => [&event.province, &event.detail].into_iter().filter_map(of).collect(),
        Some(MapChange::Separate | MapChange::Connect) => {
            let quake = event.detail.as_deref().and_then(|detail| detail.parse().ok());
            quake.map_or(Vec::new(), |event| self::quake(&event, map, timing))
        }
    }
}

/// The border that is removed; afterwards the new one, or, where a face touches itself there, the borders that it
/// separates.
fn quake(event: &MapEvent, map: &PlanarMap, timing: Timing) -> Vec<DrawnPlace> {
    let pair = |names: &[String; 2]| -> Option<[ProvinceId; 2]> {
        let mut pair = [map.find(&names[0])?, map.find(&names[1])?];
        // Two quakes at one border are shown at one place.
        pair.sort_unstable();
        Some(pair)
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
        Some(pair) => vec![DrawnPlace::Between(pair)],
        None => {
            let mut faces: Vec<ProvinceId> = apart.into_iter().flatten().collect();
            faces.dedup();
            faces.into_iter().map(DrawnPlace::Province).collect()
        }
    }
}
