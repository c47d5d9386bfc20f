//! Draws of nature, declarations and choices from a game record.

use std::sync::Arc;

use super::form::EventLine;
use crate::record::EventKind;
use upheaval_engine::ask::{Ask, Trapped};
use upheaval_engine::rules::decision::Decision;
use upheaval_engine::rules::game_state::CoastChoice;
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::rules::nature::{Draw, Nature};
use upheaval_engine::rules::position::Phase;
use upheaval_map::ids::{CoastId, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::{HalfEdgeId, MapEvent};

/// The draws in a stage's events. Any other content cannot be fed to the game; it is found when the
/// game reports different events.
pub(super) struct Told<'a> {
    events: &'a [EventLine],
    /// The terrain at the beginning of the stage.
    terrain: Arc<MapTables>,
}

impl<'a> Told<'a> {
    pub(super) fn new(events: &'a [EventLine], terrain: &Arc<MapTables>) -> Told<'a> {
        Told { events, terrain: Arc::clone(terrain) }
    }

    fn of(&self, kind: EventKind) -> impl Iterator<Item = &'a EventLine> {
        of(self.events, kind)
    }
}

fn of(events: &[EventLine], kind: EventKind) -> impl Iterator<Item = &EventLine> {
    events.iter().filter(move |event| event.kind == kind.name())
}

/// What a power declared, or chose for a fleet: its answer to this question, as far as it had an effect. `terrain` is
/// the one at the beginning of the stage.
pub(super) fn decided(
    events: &[EventLine],
    terrain: &MapTables,
    power: Power,
    ask: &Ask,
) -> Option<Decision> {
    let of_power = |event: &&EventLine| is_of(event, power, terrain);
    match ask {
        Ask::Exempt(_) => {
            let named = [EventKind::ExemptNamed, EventKind::ExemptChanged].map(|kind| of(events, kind));
            let own = named.into_iter().flatten().filter(of_power);
            own.filter_map(|event| province(event, terrain)).last().map(Decision::Exempt)
        }
        Ask::Announce(_) => {
            let mut announced = of(events, EventKind::ExemptAnnounced);
            announced.any(|event| of_power(&event)).then_some(Decision::Announce)
        }
        Ask::Coast(CoastChoice { fleet, coasts, .. }) => {
            let of_fleet = |event: &&EventLine| province(event, terrain) == Some(*fleet);
            let moved = of(events, EventKind::CoastMoved).find(of_fleet)?;
            let is_chosen = |&&coast: &&CoastId| {
                let place = terrain.names().location(Location { province: *fleet, coast }, UnitKind::Fleet);
                moved.detail.as_deref() == Some(&*place.to_string())
            };
            let coast = *coasts.iter().find(is_chosen)?;
            Some(Decision::Coast { fleet: *fleet, coast })
        }
        Ask::Trapped(Trapped { fleet }) => {
            let mut removed = of(events, EventKind::Removed);
            let is_removed = removed.any(|event| province(event, terrain) == Some(*fleet));
            is_removed.then_some(Decision::DisbandTrapped(*fleet))
        }
        Ask::Movement(_) | Ask::Poll(_) | Ask::Retreats(_) | Ask::Adjustments(_) | Ask::Seismic(_) => None,
    }
}

fn is_of(event: &EventLine, power: Power, terrain: &MapTables) -> bool {
    event.power.as_deref() == Some(terrain.power_names().name(power))
}

fn province(event: &EventLine, terrain: &MapTables) -> Option<ProvinceId> {
    terrain.chart().map().find(event.province.as_deref()?)
}

impl Nature for Told<'_> {
    fn faces(
        &mut self,
        _: Phase,
        draw: Draw,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        _: usize,
    ) -> Vec<ProvinceId> {
        let reveals =
            |event: &&EventLine| event.kind().is_some_and(|kind| kind.info().reveals.contains(&draw));
        let drawn = self.events.iter().filter(reveals).filter_map(|event| province(event, terrain));
        drawn.filter(|&face| eligible.contains(face)).collect()
    }

    fn exempt(&mut self, _: Phase, power: Power, _: &ProvinceSet) -> Option<ProvinceId> {
        let drawn = self.of(EventKind::ExemptDrawn).find(|event| is_of(event, power, &self.terrain))?;
        province(drawn, &self.terrain)
    }

    fn ends(&mut self, _: Phase, terrain: &MapTables, face: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        let drawn = self.of(EventKind::SplitDrawn).find(|event| province(event, terrain) == Some(face))?;
        let split: MapEvent = drawn.detail.as_deref()?.parse().ok()?;
        let ends = split.split_sides(terrain.chart()).ok()?;
        (terrain.chart().map().owner(ends[0]) == face).then_some(ends)
    }

    fn half(&mut self, _: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        let map = terrain.chart().map();
        self.of(EventKind::UnitDoubled).find_map(|event| {
            let stays = map.find(event.detail.as_deref()?)?;
            halves.contains(&stays).then_some(stays)
        })
    }
}
