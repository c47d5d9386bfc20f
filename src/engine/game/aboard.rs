//! The effect of a movement phase on armies that board fleets, land, or become fleets.

use super::Game;
use crate::rules::event::Event;
use crate::rules::game_state::EventContext;
use crate::rules::movement::Resolution;
use crate::rules::order::{Order, Orders};
use crate::rules::position::{Cargo, Position, Unit};
use crate::rules::rulebook::ArmyFleets;
use upheaval_map::ids::{Power, ProvinceId};

impl Game {
    /// Logs which armies boarded, landed or became a fleet. `before` is the position before the movement.
    pub(super) fn tell_passages(
        &self,
        scene: &mut EventContext<'_>,
        before: &Position,
        orders: &Orders,
        resolution: &Resolution,
    ) {
        let power = |at: ProvinceId| before.unit(at).map(|unit| unit.power);
        let mut tell = |event: Option<Event>| {
            if let Some(event) = event {
                self.world.tell(scene, &event);
            }
        };
        let boarded = resolution.embarked().iter().filter_map(|army| match orders[army] {
            Order::Embark { fleet } => Some((army, fleet)),
            _ => None,
        });
        for (from, fleet) in boarded.chain(resolution.stranded()) {
            tell(power(from).map(|power| Event::Embarked { from, fleet, power }));
        }
        for (fleet, to) in resolution.landed() {
            tell(power(fleet).map(|power| Event::Landed { fleet, to, power }));
        }
        for at in resolution.transformed(orders) {
            tell(self.world.position.unit(at).map(|unit| Event::BecameFleet(at, unit)));
        }
    }

    /// Counts the season for every army aboard; an army that has been aboard for too long is lost (army/fleet
    /// rule 7).
    pub(super) fn count_seasons_aboard(&mut self, scene: &mut EventContext<'_>) {
        let ArmyFleets::Yes { max_seasons_aboard: most } = self.variant.rulebook.army_fleets else { return };
        let mut lost: Vec<(ProvinceId, Power)> = Vec::new();
        let mut count = |at: ProvinceId, unit: Unit| match unit.cargo {
            Cargo::Army { seasons } if most.is_some_and(|most| seasons >= most.get()) => {
                lost.push((at, unit.power));
                unit.with_cargo(Cargo::Nothing)
            }
            Cargo::Army { seasons } => unit.with_cargo(Cargo::Army { seasons: seasons.saturating_add(1) }),
            Cargo::Nothing => unit,
        };
        for dislodged in &mut self.world.retreats.dislodged {
            dislodged.unit = count(dislodged.at, dislodged.unit);
        }
        let position = &mut self.world.position;
        for fleet in *position.laden() {
            if let Some(unit) = position.unit(fleet) {
                position.place(fleet, count(fleet, unit));
            }
        }
        for (fleet, power) in lost {
            self.world.tell(scene, &Event::LostAtSea(fleet, power));
        }
    }
}
