//! Changes of a map drawn at random, for tests.

use super::face::{Face, FaceKind};
use super::named_map::NamedMap;
use crate::ids::{ProvinceId, ProvinceSet};
use crate::rng::Stream;

/// The number of kinds of changes: all operations on a map and on its annotations.
pub(super) const KINDS: u32 = 10;

/// Makes a change of the kind with this number; returns whether it succeeded.
pub(super) fn change(chart: &mut NamedMap, kind: u32, dice: &mut Stream) -> bool {
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
