//! The seismic phase: after the retreats of a season, or after the adjustments (rules.md 8.6).

use super::{AfterCoasts, Game, Stage};
use crate::rules::event::Event;
use crate::rules::game_state::EventContext;
use crate::rules::position::{PhaseKind, Season};
use crate::rules::seismic::{self, SeismicOrders, SettledSeismic};
use crate::rules::settlement::{Settled, Settlement};
use upheaval_map::ids::{ByPower, Power, ProvinceSet};
use upheaval_map::topology::{NamedMap, Quake};

impl Game {
    /// The seismic orders that the map allows now, in canonical order. Every power that is not eliminated may
    /// give one of them, or none.
    pub fn quakes(&self) -> &[Quake] {
        match self.stage {
            Stage::Seismic => self.terrain().quakes(),
            _ => &[],
        }
    }

    /// Waits for seismic orders if any are possible now.
    pub(super) fn await_seismic(&mut self, scene: &mut EventContext<'_>) {
        let now = self.variant.seismic().is_some_and(|rule| rule.after.includes(self.phase.season));
        let somebody = self.powers().iter().any(|power| !self.world.position.is_out(power));
        if now && somebody {
            self.phase.kind = PhaseKind::Seismic;
            self.stage = Stage::Seismic;
        } else {
            self.end_season_or_year(scene);
        }
    }

    /// Ends the part before the next movement or the adjustments.
    pub(super) fn end_season_or_year(&mut self, scene: &mut EventContext<'_>) {
        match self.phase.season {
            Season::Spring | Season::Fall => self.end_season(scene),
            Season::Winter => self.end_year(scene),
        }
    }

    /// Settles a seismic phase. An order that the map does not allow is ignored.
    pub(super) fn settle_seismic(&mut self, orders: &SeismicOrders, scene: &mut EventContext<'_>) {
        let map = self.terrain().chart().map();
        let may = |power: Power| !self.world.position.is_out(power);
        let orders = ByPower::from_fn(self.powers(), |power| {
            orders[power].clone().filter(|order| may(power) && map.allows(order.quake))
        });
        let SettledSeismic { outcomes, standing } = seismic::settle(map, &orders);
        let told = |&quake: &Quake| {
            let touched = quake.touched(map);
            match quake {
                Quake::Separation(_) => Event::Separated(touched.apart, touched.together),
                Quake::Release(_) => Event::Released(touched.together, touched.apart[0]),
            }
        };
        let events: Vec<Event> = standing.iter().map(told).collect();
        let settled = Settled::Seismic { orders: &orders, outcomes: &outcomes };
        scene.log.settled(&Settlement { at: scene.at, terrain: self.terrain(), settled });
        if !standing.is_empty() {
            let change = |chart: &mut NamedMap| seismic::apply(chart, &orders, &standing);
            if self.world.change_map(scene, change).is_ok() {
                events.iter().for_each(|event| self.world.tell(scene, event));
            }
        }
        self.await_coasts(AfterCoasts::End, scene);
    }

    /// The trapped fleets that a power may disband.
    pub(crate) fn trapped_of(&self, power: Power) -> ProvinceSet {
        self.world.trapped.iter().filter(|&&(_, of)| of == power).map(|&(at, _)| at).collect()
    }
}
