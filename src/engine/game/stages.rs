//! Parts of a season that only some variants have: armies aboard fleets, retreats sent with the orders, and the seismic
//! phase.

use std::sync::Arc;

use crate::game::{AfterCoasts, Game, Stage};
use crate::rules::changes::{Movement, Stranded};
use crate::rules::event::Event;
use crate::rules::game_state::{EventContext, Fates};
use crate::rules::map_tables::MapTables;
use crate::rules::movement::Resolution;
use crate::rules::order::{Listing, Order, Orders, RetreatOrder};
use crate::rules::position::{Cargo, Dislodged, PhaseKind, Position, Season, Unit};
use crate::rules::rulebook::ArmyFleets;
use crate::rules::seismic;
use crate::rules::seismic::{SeismicOrders, SettledSeismic};
use crate::rules::settlement::{Settled, Settlement};
use upheaval_map::ids::{ByPower, Location, Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::{NamedMap, Quake};

// The effect of a movement phase on armies that board fleets, land, or become fleets.

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

// Retreats sent with the orders, before it is known which units will be dislodged (rules.md 4.12): no
// retreat phase is needed, and the season continues at once.

impl Game {
    /// The ground on which lists are given, if it may differ from that of the retreats; coasts are then
    /// matched by name.
    pub(super) fn ground_of_lists(&self) -> Option<Arc<MapTables>> {
        (self.variant.listing() == Listing::Anywhere).then(|| Arc::clone(&self.world.terrain))
    }

    /// Settles the retreats of a movement by the lists that came with its orders; `ground` is the ground on
    /// which the lists were given, if it may have changed. If any unit is dislodged, this is the retreat
    /// phase of the season. Fleets that must choose a coast do so afterwards, because no retreat depends on
    /// it.
    pub(super) fn retreat_by_lists(
        &mut self,
        Movement { orders, resolution }: Movement<'_>,
        ground: Option<Arc<MapTables>>,
        scene: &mut EventContext<'_>,
    ) {
        let dislodged = self.world.retreats.dislodged.clone();
        if dislodged.is_empty() {
            // Contested provinces no longer matter.
            self.world.end_retreats();
            return self.after_retreats(scene);
        }
        self.phase.kind = PhaseKind::Retreats;
        scene.at = self.phase;
        let options: Vec<Vec<Location>> = (0..dislodged.len()).map(|i| self.retreat_options(i)).collect();
        // A list goes with its unit: the change of the map that forces a unit out may come after the unit's move.
        let list = |unit: &Dislodged| match unit.attacker {
            Some(_) => orders.retreats().of(unit.at),
            None => resolution.origin(unit.at).map_or(&[][..], |from| orders.retreats().of(from)),
        };
        let order = |(unit, options): (&Dislodged, &Vec<Location>)| match list(unit) {
            [] => None,
            list => {
                let open = self.first_open(options, list, ground.as_deref());
                // Staying is not a legal retreat: it marks a unit that has a list without an open place.
                Some(RetreatOrder::Retreat { to: open.unwrap_or(unit.at.into()) })
            }
        };
        let orders: Vec<Option<RetreatOrder>> = dislodged.iter().zip(&options).map(order).collect();
        drop(ground);
        self.retreat(&orders, &options, scene);
    }

    /// The first place of a list to which a dislodged unit with these options can retreat.
    fn first_open(
        &self,
        options: &[Location],
        list: &[Location],
        ground: Option<&MapTables>,
    ) -> Option<Location> {
        let Some(ground) = ground else {
            return list.iter().copied().find(|place| options.contains(place));
        };
        // As if the text were read now: a coast is found by name, or is the only one in reach.
        let names = self.world.terrain.names();
        list.iter().find_map(|&place| {
            let coast = ground.names().coast(place);
            let is_meant = |to: &&Location| {
                to.province == place.province
                    && coast.is_none_or(|coast| names.coast(**to).is_none_or(|name| name == coast))
            };
            let mut meant = options.iter().filter(is_meant);
            meant.next().copied().filter(|_| meant.next().is_none())
        })
    }
}

// The seismic phase: after the retreats of a season, or after the adjustments (rules.md 8.6).

impl Game {
    /// The seismic orders that the map and the variant allow now, in canonical order. Every power that is not eliminated
    /// may give one of them, or none.
    pub fn quakes(&self) -> &[Quake] {
        match (self.stage, &self.quakes) {
            (Stage::Seismic, Some(quakes)) => quakes,
            (Stage::Seismic, None) => self.terrain().quakes(),
            _ => &[],
        }
    }

    /// Is this one of [these orders](Game::quakes)?
    pub(crate) fn allows_quake(&self, quake: Quake) -> bool {
        match &self.quakes {
            Some(quakes) => quakes.contains(&quake),
            None => self.terrain().chart().map().allows(quake),
        }
    }

    /// Waits for seismic orders if any are possible now.
    pub(super) fn await_seismic(&mut self, scene: &mut EventContext<'_>) {
        let now = self.variant.changes.has_seismic_phase(self.phase);
        if now && !self.nobody_is_left() {
            self.phase.kind = PhaseKind::Seismic;
            self.stage = Stage::Seismic;
            self.quakes = self.variant.changes.quakes_in(&self.world);
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

    /// Settles a seismic phase. An order that the map or the variant does not allow is ignored.
    pub(super) fn settle_seismic(&mut self, orders: &SeismicOrders, scene: &mut EventContext<'_>) {
        let map = self.terrain().chart().map();
        let may = |power: Power| !self.world.position.is_out(power);
        let orders = ByPower::from_fn(self.powers(), |power| {
            orders[power].clone().filter(|order| may(power) && self.allows_quake(order.quake))
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
            let stranded = self.variant.changes.quakes().map_or(Stranded::Destroy, |quakes| quakes.stranded);
            let fates = Fates { stranded, ..Fates::DESTROY };
            if self.world.change_map(scene, fates, change).is_ok() {
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
