//! All that a game is between two decisions, but for the phase: the ground, the units, and what the variants'
//! mechanisms remember. The mechanisms act on this.

use std::collections::BTreeMap;
use std::sync::Arc;

mod exempted;

use serde::{Deserialize, Serialize};

pub use exempted::{Change, Exempted};

use super::event::{Event, Log};
use super::nature::Nature;
use super::position::{Phase, Position, Retreats, Unit};
use super::retreat;
use super::terrain::Terrain;
use upheaval_map::ids::{
    ByPower, ByProvince, CoastId, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind,
};
use upheaval_map::topology::{Board, BorderId, Chart, CoastFate, Surgery};

/// The state that rules and mechanisms act on.
#[derive(Clone, Debug)]
pub struct World {
    /// The ground. Shared with every game that stands on the same.
    pub terrain: Arc<Terrain>,
    /// Units and owners.
    pub position: Position,
    /// The units that must retreat, between a movement and its retreats.
    pub retreats: Retreats,
    /// Holes that are announced and open after the retreats: no retreat goes there (rules.md 4.3).
    pub doomed: ProvinceSet,
    /// The holes that opened last.
    pub fresh_holes: ProvinceSet,
    /// All faces that have been holes, whether they are still or not. No part of the state: what was a hole was not
    /// exempt, for those who guess at that ([`crate::bot::Observation::imagined`]).
    pub past_holes: ProvinceSet,
    /// What stands between each power and the holes (rules.md 4.5). Secret: an observation shows a power its own
    /// alone, and of others what they had announced.
    pub exemptions: ByPower<Exempted>,
    /// Units that are gone with a hole and come back with it (rules.md 4.8).
    pub swallowed: Vec<Swallowed>,
    /// Who owned each centre when it ceased to be (rules.md 4.10).
    pub last_owner: ByProvince<Option<Power>>,
    /// The power that was the last to have a unit in each province after a Spring or Fall (rules.md 6.4).
    pub last_occupant: ByProvince<Option<Power>>,
    /// Fleets whose owner must choose a coast (rules.md 2.1, 2.3); they stand on the default meanwhile.
    pub coast_choices: Vec<CoastChoice>,
    /// What becomes of fleets without a coast: a rule of the variant, not a part of the state. `None`: they are lost.
    pub coastless: Option<Coastless>,
    /// Fleets that have just been trapped and that their owners may disband (rules.md 8.8), with these.
    pub trapped: Vec<(ProvinceId, Power)>,
}

/// What becomes of a fleet whose province has no coast left (rules.md 8.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Coastless {
    /// It is trapped: it may only hold until a coast opens.
    Trapped,
    /// The same, or its owner disbands it at once.
    TrappedOrDisbanded,
}

/// A unit that is gone with a hole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swallowed {
    /// The hole.
    pub hole: ProvinceId,
    /// The unit.
    pub unit: Unit,
    /// Of a fleet: what the coast was made of that it stood on or was ordered to. Nothing at sea.
    pub coast: Vec<BorderId>,
}

/// A fleet whose owner must choose the coast it stands on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoastChoice {
    /// Where the fleet is.
    pub fleet: ProvinceId,
    /// Whose it is.
    pub power: Power,
    /// The coasts to choose from, ascending.
    pub coasts: Vec<CoastId>,
    /// The one it has if no choice is made.
    pub default: CoastId,
}

/// What surrounds a mechanism while it acts: when it is, who draws, who listens.
pub struct Scene<'a> {
    /// The phase.
    pub at: Phase,
    /// The source of random events.
    pub nature: &'a mut dyn Nature,
    /// Whoever keeps the log.
    pub log: &'a mut dyn Log,
}

impl World {
    /// A world on this ground with nothing on it.
    pub fn new(terrain: Arc<Terrain>) -> World {
        let powers = terrain.powers();
        World {
            terrain,
            position: Position::new(powers),
            retreats: Retreats::default(),
            doomed: ProvinceSet::EMPTY,
            fresh_holes: ProvinceSet::EMPTY,
            past_holes: ProvinceSet::EMPTY,
            exemptions: ByPower::new(powers),
            swallowed: Vec::new(),
            last_owner: ByProvince::filled(None),
            last_occupant: ByProvince::filled(None),
            coast_choices: Vec::new(),
            coastless: None,
            trapped: Vec::new(),
        }
    }

    /// The units on the board as text writes them, by power, sorted; no power without any.
    pub fn written_units(&self) -> BTreeMap<Power, Vec<String>> {
        let names = self.terrain.names();
        by_power(self.terrain.powers(), |power| {
            let units = self.position.units_of(power).iter();
            units.map(|at| self.position.unit_named(names, at).to_string()).collect()
        })
    }

    /// The centres that are owned, by owner, sorted; no power without any.
    pub fn written_centres(&self) -> BTreeMap<Power, Vec<String>> {
        let names = self.terrain.names();
        by_power(self.terrain.powers(), |power| {
            self.position.centres_of(power).iter().map(|id| names.province(id).to_owned()).collect()
        })
    }

    /// Tells the log.
    pub fn tell(&self, scene: &mut Scene<'_>, event: &Event) {
        scene.log.event(scene.at, &self.terrain, event);
    }

    /// The army/fleets: first those that stand, by their seas, then those that must retreat.
    pub fn army_fleets(&self) -> impl Iterator<Item = (ProvinceId, Unit)> {
        let standing = self.position.laden().iter().filter_map(|at| Some((at, self.position.unit(at)?)));
        let waiting = self.retreats.dislodged.iter().map(|dislodged| (dislodged.at, dislodged.unit));
        standing.chain(waiting.filter(|(_, unit)| unit.is_laden()))
    }

    /// The centres that holes spare.
    pub fn exempt_centres(&self) -> ProvinceSet {
        self.exemptions.iter().filter_map(|(_, exempted)| exempted.centre).collect()
    }

    /// Changes the map and settles what follows for units and owners: who stands on a face that is gone or cannot
    /// stand there any more is destroyed, fleets find their coasts (rules.md 2), units that wait for their retreat
    /// find their ways, centres that ceased to be are nobody's. Returns what `change` returned; an error leaves
    /// everything as it was.
    pub fn change_map<T>(
        &mut self,
        scene: &mut Scene<'_>,
        change: impl FnOnce(&mut Chart) -> Surgery<T>,
    ) -> Surgery<T> {
        let changed = Arc::make_mut(&mut self.terrain).change(change)?;
        let terrain = Arc::clone(&self.terrain);
        let (board, chart) = (terrain.board(), terrain.chart());
        let before = board.former();
        self.past_holes |= chart.map().holes();
        // Elsewhere all is as it was, but for fleets that have not settled on a coast or have none.
        let choosing: ProvinceSet = self.coast_choices.iter().map(|choice| choice.fleet).collect();
        let trapped = *self.position.fleets() - *board.harbours();
        for at in *self.position.occupied() & (board.renewed() | choosing | trapped) {
            let Some(unit) = self.position.unit(at) else { continue };
            let drowned = unit.kind == UnitKind::Army && board.sea().contains(at);
            if drowned || !board.passable().contains(at) {
                self.position.take(at);
                self.tell(scene, &Event::Destroyed(at, unit));
            } else if unit.kind == UnitKind::Fleet {
                let place = Location { province: at, coast: unit.coast };
                let chooses = self.coast_choices.iter().any(|choice| choice.fleet == at);
                if !chooses && chart.is_unmoved(before, board, place) {
                    debug_assert_eq!(chart.coast_fate(before, board, place), CoastFate::Stays(unit.coast));
                    continue;
                }
                let coasts = self.take_choice(at, unit.coast);
                let fate = chart.coast_fate_in(before, board, at, &coasts, at);
                match (fate, self.coastless) {
                    (CoastFate::Lost, Some(rule)) => {
                        self.trap(scene, at, unit, rule, before.coasts(at) == 0);
                    }
                    (fate, _) => self.put_unit(scene, at, unit, fate),
                }
            }
        }
        for i in 0..self.retreats.dislodged.len() {
            self.find_ways(i, &terrain);
        }
        for power in terrain.powers() {
            for centre in *self.position.centres_of(power) - *terrain.centres() {
                self.position.set_owner(centre, None);
                self.last_owner[centre] = Some(power);
                self.tell(scene, &Event::CentreLost(centre, power));
            }
        }
        Ok(changed)
    }

    /// The coasts that a fleet may be on: the one it is on, or those between which it has still to choose.
    pub fn take_choice(&mut self, fleet: ProvinceId, coast: CoastId) -> Vec<CoastId> {
        match self.coast_choices.iter().position(|choice| choice.fleet == fleet) {
            Some(i) => self.coast_choices.remove(i).coasts,
            None => vec![coast],
        }
    }

    /// Puts a unit into a province: a fleet where the fate of its coast sends it (rules.md 2), an army as it is.
    pub fn put_unit(&mut self, scene: &mut Scene<'_>, at: ProvinceId, unit: Unit, fate: CoastFate) {
        match fate {
            CoastFate::Stays(coast) => self.position.place(at, Unit { coast, ..unit }),
            CoastFate::Moves(coast) => {
                let unit = Unit { coast, ..unit };
                self.position.place(at, unit);
                self.tell(scene, &Event::CoastMoved(at, unit));
            }
            CoastFate::Choice { coasts, default } => {
                self.position.place(at, Unit { coast: default, ..unit });
                self.coast_choices.push(CoastChoice { fleet: at, power: unit.power, coasts, default });
            }
            CoastFate::Lost => {
                self.position.take(at);
                self.tell(scene, &Event::CoastLost(at, unit));
            }
        }
    }

    /// A fleet without a coast stays where it is and may only hold (rules.md 8.8).
    fn trap(
        &mut self,
        scene: &mut Scene<'_>,
        at: ProvinceId,
        unit: Unit,
        rule: Coastless,
        was_trapped: bool,
    ) {
        let unit = Unit { coast: CoastId::FIRST, ..unit };
        self.position.place(at, unit);
        if was_trapped {
            return;
        }
        self.tell(scene, &Event::Trapped(at, unit));
        if rule == Coastless::TrappedOrDisbanded {
            self.trapped.push((at, unit.power));
        }
    }

    /// Takes the trapped fleets off the board that their owners disband.
    pub fn settle_trapped(&mut self, scene: &mut Scene<'_>, disbanded: ProvinceSet) {
        for (at, power) in std::mem::take(&mut self.trapped) {
            if let Some(unit) = self.position.unit(at).filter(|_| disbanded.contains(at)) {
                self.position.take(at);
                self.tell(scene, &Event::Removed(power, at, unit));
            }
        }
    }

    /// Where the `i`-th dislodged unit can go, now that the map has changed. From a face that has become a hole it
    /// goes as if that stood open still (rules.md 4.8); a fleet whose coast is divided goes from any part.
    fn find_ways(&mut self, i: usize, terrain: &Terrain) {
        let dislodged = self.retreats.dislodged[i];
        let before = terrain.board().former();
        let fate = |chart: &Chart, board: &Board| {
            chart.coast_fate(before, board, Location { province: dislodged.at, coast: dislodged.unit.coast })
        };
        if terrain.board().passable().contains(dislodged.at) {
            if dislodged.unit.kind == UnitKind::Fleet {
                let fate = fate(terrain.chart(), terrain.board());
                self.wait_on(i, terrain.board(), fate);
            }
            return;
        }
        let mut chart = terrain.chart().clone();
        if chart.restore(dislodged.at).is_ok() {
            let mut board = terrain.board().clone();
            board.follow(chart.map());
            let fate = match dislodged.unit.kind {
                UnitKind::Fleet => fate(&chart, &board),
                UnitKind::Army => CoastFate::Stays(CoastId::FIRST),
            };
            self.wait_on(i, &board, fate);
        }
    }

    /// Sets the coast of the `i`-th dislodged unit, and its ways from there as they are on this ground: the board, or
    /// the board as it would be were the unit's own province open.
    pub fn wait_on(&mut self, i: usize, ground: &Board, fate: CoastFate) {
        let dislodged = &mut self.retreats.dislodged[i];
        let coasts = match fate {
            CoastFate::Stays(coast) | CoastFate::Moves(coast) => {
                dislodged.unit.coast = coast;
                vec![coast]
            }
            CoastFate::Choice { coasts, default } => {
                dislodged.unit.coast = default;
                coasts
            }
            CoastFate::Lost => Vec::new(),
        };
        let (at, kind) = (dislodged.at, dislodged.unit.kind);
        let ways = retreat::ways_across(ground, self.terrain.board(), at, kind, &coasts);
        self.retreats.ways.retain(|(unit, _)| *unit != i);
        self.retreats.ways.push((i, ways));
    }

    /// Makes the owners' choices of coasts; a missing or impossible one leaves the fleet on the default. `choose`
    /// is asked once for each.
    pub fn settle_coasts(
        &mut self,
        scene: &mut Scene<'_>,
        mut choose: impl FnMut(&World, &CoastChoice) -> Option<CoastId>,
    ) {
        for choice in std::mem::take(&mut self.coast_choices) {
            let chosen = choose(self, &choice).filter(|coast| choice.coasts.contains(coast));
            self.position.set_coast(choice.fleet, chosen.unwrap_or(choice.default));
            if let Some(unit) = self.position.unit(choice.fleet) {
                self.tell(scene, &Event::CoastMoved(choice.fleet, unit));
            }
        }
    }
}

/// Lists by power, each sorted, where they are not empty.
fn by_power(powers: Powers, list: impl Fn(Power) -> Vec<String>) -> BTreeMap<Power, Vec<String>> {
    let mut lists: BTreeMap<Power, Vec<String>> = powers.iter().map(|p| (p, list(p))).collect();
    lists.retain(|_, list| !list.is_empty());
    lists.values_mut().for_each(|list| list.sort());
    lists
}
