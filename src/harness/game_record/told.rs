//! Draws of nature and declarations from a game record.

use std::sync::Arc;

use super::form::EventLine;
use crate::record::EventKind;
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::rules::answers::Answers;
use upheaval_engine::rules::decision::Decision;
use upheaval_engine::rules::nature::{Draw, Nature};
use upheaval_engine::rules::position::Phase;
use upheaval_engine::rules::terrain::Terrain;
use upheaval_map::ids::{CoastId, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::{HalfEdgeId, MapEvent};

/// The draws and declarations in a stage's events. Any other content cannot be fed to the game; it is found when the
/// game reports different events.
pub(super) struct Told<'a> {
    events: &'a [EventLine],
    /// The terrain at the beginning of the stage.
    terrain: Arc<Terrain>,
}

impl<'a> Told<'a> {
    pub fn new(events: &'a [EventLine], terrain: &Arc<Terrain>) -> Told<'a> {
        Told { events, terrain: Arc::clone(terrain) }
    }

    fn of(&self, kind: EventKind) -> impl Iterator<Item = &'a EventLine> {
        self.events.iter().filter(move |event| event.kind == kind.name())
    }

    /// Adds the declarations of the powers and the choices for their fleets, as far as they had an effect.
    pub fn answer(&self, game: &Game, answers: &mut Answers) {
        for kind in [EventKind::ExemptNamed, EventKind::ExemptChanged] {
            for event in self.of(kind) {
                if let (Some(power), Some(centre)) = (event.power, province(event, &self.terrain)) {
                    answers.put(power, &Decision::Exempt(centre));
                }
            }
        }
        for power in self.of(EventKind::ExemptAnnounced).filter_map(|event| event.power) {
            answers.put(power, &Decision::Announce);
        }
        for choice in game.coast_choices() {
            if let Some(coast) = self.coast(choice.fleet, &choice.coasts) {
                answers.put(choice.power, &Decision::Coast { fleet: choice.fleet, coast });
            }
        }
        if game.stage() == Stage::Coasts {
            let removed = self.of(EventKind::Removed).filter_map(|event| province(event, &self.terrain));
            answers.disbanded.extend(removed);
        }
    }

    /// The coast that was chosen for a fleet.
    fn coast(&self, fleet: ProvinceId, coasts: &[CoastId]) -> Option<CoastId> {
        let of_fleet = |event: &&EventLine| province(event, &self.terrain) == Some(fleet);
        let moved = self.of(EventKind::CoastMoved).find(of_fleet)?;
        coasts.iter().copied().find(|&coast| {
            let place = self.terrain.names().location(Location { province: fleet, coast }, UnitKind::Fleet);
            moved.detail.as_deref() == Some(&*place.to_string())
        })
    }
}

fn province(event: &EventLine, terrain: &Terrain) -> Option<ProvinceId> {
    terrain.chart().map().find(event.province.as_deref()?)
}

impl Nature for Told<'_> {
    fn faces(
        &mut self,
        _: Phase,
        draw: Draw,
        terrain: &Terrain,
        eligible: &ProvinceSet,
        _: usize,
    ) -> Vec<ProvinceId> {
        let reveals =
            |event: &&EventLine| event.kind().is_some_and(|kind| kind.info().reveals.contains(&draw));
        let drawn = self.events.iter().filter(reveals).filter_map(|event| province(event, terrain));
        drawn.filter(|&face| eligible.contains(face)).collect()
    }

    fn exempt(&mut self, _: Phase, power: Power, _: &ProvinceSet) -> Option<ProvinceId> {
        let drawn = self.of(EventKind::ExemptDrawn).find(|event| event.power == Some(power))?;
        province(drawn, &self.terrain)
    }

    fn ends(&mut self, _: Phase, terrain: &Terrain, face: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        let drawn = self.of(EventKind::SplitDrawn).find(|event| province(event, terrain) == Some(face))?;
        let split: MapEvent = drawn.detail.as_deref()?.parse().ok()?;
        let ends = split.split_sides(terrain.chart()).ok()?;
        (terrain.chart().map().owner(ends[0]) == face).then_some(ends)
    }

    fn half(&mut self, _: Phase, terrain: &Terrain, halves: &[ProvinceId]) -> Option<ProvinceId> {
        let map = terrain.chart().map();
        self.of(EventKind::UnitDoubled).find_map(|event| {
            let stays = map.find(event.detail.as_deref()?)?;
            halves.contains(&stays).then_some(stays)
        })
    }
}
