//! Random changes of a map, for tests: changes of every kind, and several at once.

use crate::ids::{ProvinceId, ProvinceSet};
use crate::rng::{Purpose, Stream};
use crate::topology::half_edge::{Face, FaceKind};
use crate::topology::map::PlanarMap;
use crate::topology::named_map::NamedMap;
use crate::topology::quake::Quake;
use crate::topology::surgery::Surgery;
use crate::topology::waterway::WaterwayRule;
use crate::topology::{HalfEdgeId, atlas};

/// Walks a chart through this number of changes from the standard board; `check` sees the chart before and
/// after each.
pub(super) fn walk(
    number: u64,
    changes: usize,
    rule: WaterwayRule,
    mut check: impl FnMut(&NamedMap, &NamedMap),
) {
    let mut dice = Stream::keyed(4005, Purpose::Bot, &[number]);
    let mut chart = atlas::standard();
    chart.set_waterway_rule(rule);
    // Some walks consist of quakes alone, which accumulate islands.
    let quakes_alone = number.is_multiple_of(2);
    for _ in 0..changes {
        let before = chart.clone();
        chart.begin_change();
        for _ in 0..=dice.below(3) {
            // A change that fails leaves the chart unchanged.
            let _ = if quakes_alone || dice.below(2) == 0 {
                let season = season(chart.map(), &mut dice);
                chart.shake(&season, &mut |_| None)
            } else {
                change(&mut chart, &mut dice)
            };
        }
        check(&before, &chart);
    }
}

/// Up to seven quakes, no two of which contradict each other; releases and quakes that make islands are
/// frequent.
pub(super) fn season(map: &PlanarMap, dice: &mut Stream) -> Vec<Quake> {
    let all = map.quakes();
    let is_rare = |quake: &&Quake| match quake {
        Quake::Separation(_) => {
            let [c, d] = quake.touched(map).together;
            c == d
        }
        Quake::Release(_) => true,
    };
    let rare: Vec<Quake> = all.iter().filter(is_rare).copied().collect();
    let mut season: Vec<Quake> = Vec::new();
    for _ in 0..=dice.below(7) {
        let from = if dice.below(3) == 0 { &rare } else { &all };
        if let Some(&quake) = dice.choose(from)
            && !season.iter().any(|&other| other == quake || other.contradicts(quake, map))
        {
            season.push(quake);
        }
    }
    season
}

/// A change of any other kind.
fn change(chart: &mut NamedMap, dice: &mut Stream) -> Surgery {
    let id = ProvinceId(dice.below(chart.map().faces().count() as u32) as u8);
    match dice.below(6) {
        0 => chart.collapse(id),
        1 => chart.void(id),
        2 => chart.submerge(id),
        3 => chart.open(id),
        4 => {
            let holes: Vec<ProvinceId> = chart.map().holes().iter().collect();
            dice.choose(&holes).map_or(Ok(()), |&hole| chart.restore(hole))
        }
        _ => {
            let sides: Vec<HalfEdgeId> = chart.map().sides_of(id).collect();
            let mut end = || sides[dice.below(sides.len() as u32) as usize];
            let ends = [end(), end()];
            chart.split(ends[0], ends[1]).map(drop)
        }
    }
}

// Changes of a map drawn at random, for tests.

/// The number of kinds of changes: all operations on a map and on its annotations.
pub(super) const KINDS: u32 = 10;

/// Makes a change of the kind with this number; returns whether it succeeded.
pub(super) fn change_of_kind(chart: &mut NamedMap, kind: u32, dice: &mut Stream) -> bool {
    let faces = chart.map().faces().count() as u32;
    let id = ProvinceId(dice.below(faces) as u8);
    match kind {
        0 => chart.collapse(id).is_ok(),
        1 => chart.void(id).is_ok(),
        2 => {
            let holes: Vec<_> = chart.map().holes().iter().collect();
            dice.choose(&holes).is_some_and(|&hole| chart.restore(hole).is_ok())
        }
        3 => chart.submerge(id).is_ok(),
        4 => {
            let impassable = |&(_, face): &(_, Face<'_>)| face.kind() == FaceKind::Impassable;
            let found = chart.map().faces().find(impassable).map(|(id, _)| id);
            found.is_some_and(|id| chart.open(id).is_ok())
        }
        5 => {
            let sides: Vec<_> = chart.map().sides_of(id).collect();
            let mut side = || dice.choose(&sides).copied();
            side().zip(side()).is_some_and(|(first, second)| chart.split(first, second).is_ok())
        }
        6 => {
            let quakes = chart.map().quakes();
            dice.choose(&quakes).is_some_and(|&quake| chart.quake(quake).is_ok())
        }
        7 => {
            chart.set_archipelagos(ProvinceSet::single(id));
            true
        }
        8 => {
            chart.found_centre(id);
            true
        }
        _ => {
            chart.set_waterways(Vec::new());
            true
        }
    }
}
