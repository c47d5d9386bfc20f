//! Random changes of a map: changes of every kind, and several at once.

use crate::map::quaking::season;
use upheaval::ids::{ProvinceId, ProvinceSet};
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{CanalOrigin, FaceKind, HalfEdgeId, NamedMap, Waterway, WaterwayRule, atlas};

/// The kinds of changes: all operations on a map and on its annotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Collapse,
    Void,
    Restore,
    Submerge,
    Open,
    Split,
    Raise,
    Freeze,
    Reform,
    Quake,
    Dig,
    Fill,
    Archipelago,
    Centre,
    NoWaterways,
}

impl Kind {
    /// Every kind: those that change faces, the one that moves borders, and those of annotations.
    pub(crate) const ALL: [Kind; 15] = [
        Kind::Collapse,
        Kind::Void,
        Kind::Restore,
        Kind::Submerge,
        Kind::Open,
        Kind::Split,
        Kind::Raise,
        Kind::Freeze,
        Kind::Reform,
        Kind::Quake,
        Kind::Dig,
        Kind::Fill,
        Kind::Archipelago,
        Kind::Centre,
        Kind::NoWaterways,
    ];

    /// Any kind.
    pub(crate) fn drawn(dice: &mut Stream) -> Kind {
        Kind::among(Kind::ALL.len(), dice)
    }

    /// A kind that changes faces.
    pub(crate) fn of_faces(dice: &mut Stream) -> Kind {
        Kind::among(9, dice)
    }

    /// A kind that changes faces or moves borders.
    pub(crate) fn of_faces_and_borders(dice: &mut Stream) -> Kind {
        Kind::among(10, dice)
    }

    /// One of this many of the first kinds.
    fn among(first: usize, dice: &mut Stream) -> Kind {
        Kind::ALL[dice.below(first as u32) as usize]
    }

    /// Makes a change of this kind somewhere. Returns whether it succeeded; if not, the chart is as it was.
    pub(crate) fn happens(self, chart: &mut NamedMap, dice: &mut Stream) -> bool {
        let id = ProvinceId(dice.below(chart.map().faces().count() as u32) as u8);
        match self {
            Kind::Collapse => chart.collapse(id).is_ok(),
            Kind::Void => chart.void(id).is_ok(),
            Kind::Restore => {
                let ice = chart.map().of_kind(FaceKind::Ice);
                let holes: Vec<ProvinceId> = (chart.map().holes() | ice).iter().collect();
                dice.choose(&holes).is_some_and(|&hole| chart.restore(hole).is_ok())
            }
            Kind::Submerge => chart.submerge(id).is_ok(),
            Kind::Open => {
                let closed = chart.map().of_kind(FaceKind::Impassable).first();
                closed.is_some_and(|id| chart.open(id).is_ok())
            }
            Kind::Split => {
                let sides: Vec<HalfEdgeId> = chart.map().sides_of(id).collect();
                let mut side = || dice.choose(&sides).copied();
                side().zip(side()).is_some_and(|(first, second)| chart.split(first, second).is_ok())
            }
            Kind::Raise | Kind::Freeze => {
                let seas: Vec<ProvinceId> = chart.map().of_kind(FaceKind::Sea).iter().collect();
                let changes = |&sea: &ProvinceId| match self {
                    Kind::Raise => chart.raise(sea).is_ok(),
                    _ => chart.freeze(sea).is_ok(),
                };
                dice.choose(&seas).is_some_and(changes)
            }
            Kind::Reform => {
                let kinds = [FaceKind::Land, FaceKind::Sea, FaceKind::Ice, FaceKind::Impassable];
                dice.choose(&kinds).is_some_and(|&kind| chart.reform(id, kind).is_ok())
            }
            Kind::Dig => {
                let map = chart.map();
                let seas_of = |id| -> Vec<ProvinceId> {
                    let across: ProvinceSet = map.sides_of(id).map(|side| map.across(side)).collect();
                    (across & map.of_kind(FaceKind::Sea)).iter().collect()
                };
                let shores = map.of_kind(FaceKind::Land).iter().map(|id| (id, seas_of(id)));
                let shores: Vec<_> = shores.filter(|(_, seas)| seas.len() > 1).collect();
                let Some((id, seas)) = dice.choose(&shores) else { return false };
                let mut sea = || dice.choose(seas).copied();
                sea().zip(sea()).is_some_and(|(one, other)| chart.dig(*id, [one, other]).is_ok())
            }
            Kind::Fill => {
                let dug = |waterway: &Waterway| match waterway {
                    Waterway::Canal { province, origin: CanalOrigin::Dug, .. } => Some(*province),
                    _ => None,
                };
                let canals: Vec<ProvinceId> = chart.map().waterways().filter_map(dug).collect();
                dice.choose(&canals).is_some_and(|&id| chart.fill(id).is_ok())
            }
            Kind::Quake => {
                let quakes = chart.map().quakes();
                dice.choose(&quakes).is_some_and(|&quake| chart.quake(quake).is_ok())
            }
            Kind::Archipelago => {
                chart.set_archipelagos(ProvinceSet::single(id));
                true
            }
            Kind::Centre => {
                chart.found_centre(id, None);
                true
            }
            Kind::NoWaterways => {
                chart.set_waterways(Vec::new());
                true
            }
        }
    }
}

/// Several quakes at once, with the defaults for waterways; returns whether they could be done.
pub(crate) fn shakes(chart: &mut NamedMap, dice: &mut Stream) -> bool {
    let most = 1 + dice.below(7) as usize;
    let season = season(chart, dice, most);
    chart.shake(&season, &mut |_| None).is_ok()
}

/// Walks a chart through this number of changes from the standard board; `check` sees the chart before and after each.
/// Walks with an even number consist of quakes, which accumulate islands.
pub(crate) fn walk(
    number: u64,
    changes: usize,
    rule: WaterwayRule,
    mut check: impl FnMut(&NamedMap, &NamedMap),
) {
    let mut dice = Stream::keyed(4005, Purpose::Bot, &[number]);
    let mut chart = atlas::standard();
    chart.set_waterway_rule(rule);
    for _ in 0..changes {
        let before = chart.clone();
        chart.begin_change();
        for _ in 0..=dice.below(3) {
            if number.is_multiple_of(2) || dice.below(2) == 0 {
                shakes(&mut chart, &mut dice);
            } else {
                Kind::of_faces(&mut dice).happens(&mut chart, &mut dice);
            }
        }
        check(&before, &chart);
    }
}
