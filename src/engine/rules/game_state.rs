//! The complete state of a game between two decisions, apart from the phase: the ground, the units, and the
//! memory of the variant's changes, which act on this state.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::rules::changes::{Coming, Fate, Passing, Stranded};
use crate::rules::decision::Decision;
use crate::rules::event::{Event, Log};
use crate::rules::map_tables::MapTables;
use crate::rules::nature::Nature;
use crate::rules::position::{Cargo, Dislodged, Phase, Position, Retreats, Unit};
use crate::rules::retreat;
use upheaval_map::ids::{
    ByPower, ByProvince, CoastId, Location, Power, PowerNames, ProvinceId, ProvinceSet, UnitKind,
};
use upheaval_map::topology::{Board, BorderId, CoastFate, FaceKind, FaceState, NamedMap, Surgery};

/// The state that rules and changes act on.
#[derive(Clone, Debug)]
pub struct GameState {
    /// The ground. Shared by all games on the same ground.
    pub terrain: Arc<MapTables>,
    /// Units and owners.
    pub position: Position,
    /// The units that must retreat, between a movement and its retreats.
    pub retreats: Retreats,
    /// Holes that have been announced and open after the retreats; units cannot retreat there (rules.md 4.3).
    pub doomed: ProvinceSet,
    /// The most recently opened holes.
    pub fresh_holes: ProvinceSet,
    /// All faces that have ever been holes. They are not part of the state: they show to guesses about exempt
    /// centres that a former hole was not exempt ([`crate::bot::Observation::imagined`]).
    pub past_holes: ProvinceSet,
    /// The exemption of each power (rules.md 4.5). This is secret: an observation shows a power only its own
    /// exemption, and announced ones of others.
    pub exemptions: ByPower<Exempted>,
    /// By entry of the variant: the places that it has changed and that are still so. Empty unless a set names some.
    pub held: Vec<ProvinceSet>,
    /// By entry of the variant: the places that it changed when it last acted. Empty unless a set names some.
    pub last_changed: Vec<ProvinceSet>,
    /// The provinces that were occupied at the end of each of the last Springs and Falls, the latest first. Empty unless a
    /// set depends on them.
    pub occupied_lately: Vec<ProvinceSet>,
    /// The changes with an end.
    pub passing: Vec<Passing>,
    /// The announced changes.
    pub coming: Vec<Coming>,
    /// Units that vanished with a hole and will return with it (rules.md 4.8).
    pub swallowed: Vec<Swallowed>,
    /// Units that wait for their retreats, and vanish with the place that they are in if they do not retreat.
    pub leaving: Vec<Swallowed>,
    /// The owner of each centre when it vanished (rules.md 4.10).
    pub last_owner: ByProvince<Option<Power>>,
    /// The last power to have a unit in each province after a Spring or Fall (rules.md 6.4).
    pub last_occupant: ByProvince<Option<Power>>,
    /// Fleets whose owner must choose a coast (rules.md 2.1, 2.3); meanwhile they are on the default coast.
    pub coast_choices: Vec<CoastChoice>,
    /// Newly trapped or converted units that their owners may disband (rules.md 8.8), with these owners.
    pub trapped: Vec<(ProvinceId, Power)>,
}

/// A unit that vanished with a hole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swallowed {
    /// The hole.
    pub hole: ProvinceId,
    /// The unit.
    pub unit: Unit,
    /// For a fleet: the components of the coast on which it was or to which it was ordered. Empty at sea.
    pub coast: Vec<BorderId>,
}

/// A fleet whose owner must choose its coast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoastChoice {
    /// The place of the fleet.
    pub fleet: ProvinceId,
    /// The owner.
    pub power: Power,
    /// The coasts to choose from, ascending.
    pub coasts: Vec<CoastId>,
    /// The coast that it is on if no choice is made.
    pub default: CoastId,
}

/// The fates of units that a change of the map forces out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fates {
    /// Of those that may not stay where they are.
    pub units: Fate,
    /// Of fleets without a coast.
    pub stranded: Stranded,
}

impl Fates {
    /// All are destroyed.
    pub const DESTROY: Fates = Fates { units: Fate::Destroy, stranded: Stranded::Destroy };
}

/// The context of a change while it acts: the phase, the source of draws, and the log.
pub struct EventContext<'a> {
    /// The phase.
    pub at: Phase,
    /// The source of random events.
    pub nature: &'a mut dyn Nature,
    /// The log of the game.
    pub log: &'a mut dyn Log,
}

impl GameState {
    /// A world on this ground without units or owners.
    pub fn new(terrain: Arc<MapTables>) -> GameState {
        let powers = terrain.powers();
        GameState {
            terrain,
            position: Position::new(powers),
            retreats: Retreats::default(),
            doomed: ProvinceSet::EMPTY,
            fresh_holes: ProvinceSet::EMPTY,
            past_holes: ProvinceSet::EMPTY,
            exemptions: ByPower::new(powers),
            held: Vec::new(),
            last_changed: Vec::new(),
            occupied_lately: Vec::new(),
            passing: Vec::new(),
            coming: Vec::new(),
            swallowed: Vec::new(),
            leaving: Vec::new(),
            last_owner: ByProvince::filled(None),
            last_occupant: ByProvince::filled(None),
            coast_choices: Vec::new(),
            trapped: Vec::new(),
        }
    }

    /// A decision as text; `None` if it names no unit here.
    pub fn text_of(&self, decision: &Decision) -> Option<String> {
        let written = decision.written(&self.terrain, Some(&self.position), &self.retreats)?;
        Some(written.display(self.terrain.names()).to_string())
    }

    /// The units on the board as text, by power, sorted; powers without units are omitted.
    pub fn written_units(&self) -> BTreeMap<String, Vec<String>> {
        let names = self.terrain.names();
        by_name(self.terrain.power_names(), |power| {
            let units = self.position.units_of(power).iter();
            units.map(|at| self.position.unit_named(names, at).to_string()).collect()
        })
    }

    /// The owned centres by owner, sorted; powers without centres are omitted.
    pub fn written_centres(&self) -> BTreeMap<String, Vec<String>> {
        let names = self.terrain.names();
        by_name(self.terrain.power_names(), |power| {
            self.position.centres_of(power).iter().map(|id| names.province(id).to_owned()).collect()
        })
    }

    /// Logs the event.
    pub fn tell(&self, scene: &mut EventContext<'_>, event: &Event) {
        scene.log.event(scene.at, &self.terrain, event);
    }

    /// The army/fleets: first those on the board, by sea, then those that must retreat.
    pub(crate) fn army_fleets(&self) -> impl Iterator<Item = (ProvinceId, Unit)> {
        let standing = self.position.laden().iter().filter_map(|at| Some((at, self.position.unit(at)?)));
        let waiting = self.retreats.dislodged.iter().map(|dislodged| (dislodged.at, dislodged.unit));
        standing.chain(waiting.filter(|(_, unit)| unit.is_laden()))
    }

    /// The centres that holes spare.
    pub fn exempt_centres(&self) -> ProvinceSet {
        self.exemptions.iter().filter_map(|(_, exempted)| exempted.centre).collect()
    }

    /// Changes the map and applies the consequences for units and owners: units whose face is gone, or that may no longer
    /// occupy it, suffer their fate; fleets find their coasts (rules.md 2), or suffer the fate of the stranded; units that
    /// wait for their retreat get their ways; centres that vanished lose their owner. Returns the result of `change`; an
    /// error leaves everything unchanged.
    pub fn change_map<T>(
        &mut self,
        scene: &mut EventContext<'_>,
        fates: Fates,
        change: impl FnOnce(&mut NamedMap) -> Surgery<T>,
    ) -> Surgery<T> {
        let changed = Arc::make_mut(&mut self.terrain).change(change)?;
        let terrain = Arc::clone(&self.terrain);
        let (board, chart) = (terrain.board(), terrain.chart());
        let before = board.former();
        self.past_holes |= chart.map().holes();
        // Elsewhere nothing changes, except for fleets that have not settled on a coast or have none.
        let choosing: ProvinceSet = self.coast_choices.iter().map(|choice| choice.fleet).collect();
        let trapped = *self.position.fleets() - *board.harbours();
        for at in *self.position.occupied() & (board.renewed() | choosing | trapped) {
            let Some(unit) = self.position.unit(at) else { continue };
            let was_trapped = before.coasts(at) == 0;
            let has_ground = match unit.kind {
                UnitKind::Army => board.land().contains(at),
                UnitKind::Fleet => {
                    board.passable().contains(at) && (was_trapped || !board.ice().contains(at))
                }
            };
            if !has_ground {
                self.force_out(scene, at, unit, fates.units);
            } else if unit.kind == UnitKind::Fleet {
                let place = Location { province: at, coast: unit.coast };
                let chooses = self.coast_choices.iter().any(|choice| choice.fleet == at);
                if !chooses && chart.is_unmoved(before, board, place) {
                    debug_assert_eq!(chart.coast_fate(before, board, place), CoastFate::Stays(unit.coast));
                    continue;
                }
                let coasts = self.take_choice(at, unit.coast);
                let fate = chart.coast_fate_in(before, board, at, &coasts, at);
                self.put_or_trap(scene, at, unit, fate, fates.stranded, was_trapped);
            }
        }
        // Those of an earlier change at the same point are out of date.
        self.retreats.ways.clear();
        for i in 0..self.retreats.dislodged.len() {
            self.find_ways(i, &terrain);
        }
        for power in terrain.powers() {
            for centre in *self.position.centres_of(power) - *terrain.centres() {
                self.position.set_owner(centre, None);
                // A submerged centre never comes back.
                let is_lost = board.sea().contains(centre)
                    && terrain.chart().info(centre).is_some_and(|info| !info.supply_centre);
                self.last_owner[centre] = Some(power).filter(|_| !is_lost);
                self.tell(scene, &Event::CentreLost(centre, power));
            }
        }
        Ok(changed)
    }

    /// Applies the fate of units that may not stay.
    pub(crate) fn strike(&mut self, scene: &mut EventContext<'_>, places: ProvinceSet, fate: Fate) {
        for at in places & *self.position.occupied() {
            if let Some(unit) = self.position.unit(at) {
                self.force_out(scene, at, unit, fate);
            }
        }
    }

    /// Applies the fate of a unit that may not stay in its place. If the place does not allow it, the unit is destroyed.
    fn force_out(&mut self, scene: &mut EventContext<'_>, at: ProvinceId, unit: Unit, fate: Fate) {
        let board = self.terrain.board();
        let becomes = match unit.kind {
            UnitKind::Army => (UnitKind::Fleet, board.sea().contains(at)),
            UnitKind::Fleet => (UnitKind::Army, board.ice().contains(at)),
        };
        match (fate, becomes) {
            (Fate::Convert | Fate::ConvertOrDisband, (kind, true)) => {
                self.convert(scene, at, Unit { kind, ..unit }, fate == Fate::ConvertOrDisband);
            }
            (Fate::Trap | Fate::TrapOrDisband, (UnitKind::Army, true)) => {
                self.trap(scene, at, unit, fate == Fate::TrapOrDisband);
            }
            (Fate::Retreat | Fate::Choose, _) => {
                self.take_choice(at, unit.coast);
                self.position.take(at);
                let dislodged = Dislodged { unit, at, attacker: None, attacker_convoyed: false };
                self.retreats.dislodged.push(dislodged);
                self.tell(scene, &Event::Dislodged(dislodged));
            }
            _ => {
                self.position.take(at);
                self.tell(scene, &Event::Destroyed(at, unit));
            }
        }
    }

    /// Makes a unit one of the other kind. An army aboard goes with its fleet.
    fn convert(&mut self, scene: &mut EventContext<'_>, at: ProvinceId, unit: Unit, may_disband: bool) {
        let unit = Unit { coast: CoastId::FIRST, ..unit.with_cargo(Cargo::Nothing) };
        self.position.place(at, unit);
        self.tell(scene, &Event::Converted(at, unit));
        if may_disband {
            self.trapped.push((at, unit.power));
        }
    }

    fn trap(&mut self, scene: &mut EventContext<'_>, at: ProvinceId, unit: Unit, may_disband: bool) {
        let unit = Unit { coast: CoastId::FIRST, ..unit };
        self.position.place(at, unit);
        self.tell(scene, &Event::Trapped(at, unit));
        if may_disband {
            self.trapped.push((at, unit.power));
        }
    }

    /// The coasts that a fleet may be on: its own, or those between which its owner has not yet chosen.
    pub(crate) fn take_choice(&mut self, fleet: ProvinceId, coast: CoastId) -> Vec<CoastId> {
        match self.coast_choices.iter().position(|choice| choice.fleet == fleet) {
            Some(i) => self.coast_choices.remove(i).coasts,
            None => vec![coast],
        }
    }

    /// Puts a unit into a province: a fleet according to the fate of its coast (rules.md 2), an army
    /// unconditionally.
    pub fn put_unit(&mut self, scene: &mut EventContext<'_>, at: ProvinceId, unit: Unit, fate: CoastFate) {
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

    /// [`GameState::put_unit`], unless the fleet is left without a coast, and the change lets such fleets live or it was
    /// trapped before: then it is trapped, and may only hold (rules.md 8.8).
    pub(crate) fn put_or_trap(
        &mut self,
        scene: &mut EventContext<'_>,
        at: ProvinceId,
        unit: Unit,
        fate: CoastFate,
        stranded: Stranded,
        was_trapped: bool,
    ) {
        if fate != CoastFate::Lost || !(was_trapped || stranded != Stranded::Destroy) {
            return self.put_unit(scene, at, unit, fate);
        }
        match stranded {
            _ if was_trapped => self.position.place(at, Unit { coast: CoastId::FIRST, ..unit }),
            Stranded::Convert | Stranded::ConvertOrDisband => {
                let army = Unit { kind: UnitKind::Army, ..unit };
                self.convert(scene, at, army, stranded == Stranded::ConvertOrDisband);
            }
            Stranded::Destroy | Stranded::Trap | Stranded::TrapOrDisband => {
                self.trap(scene, at, unit, stranded == Stranded::TrapOrDisband);
            }
        }
    }

    /// Forgets the choices about fleets that another change at the same point has destroyed, or has given a coast.
    pub(crate) fn forget_idle_choices(&mut self) {
        let (position, board) = (&self.position, self.terrain.board());
        let fleet =
            |at, power| position.unit(at).filter(|unit| unit.kind == UnitKind::Fleet && unit.power == power);
        self.coast_choices.retain(|choice| {
            fleet(choice.fleet, choice.power).is_some_and(|fleet| fleet.coast == choice.default)
        });
        // A converted unit is an army in a province, or a fleet at sea.
        self.trapped.retain(|&(at, power)| {
            let own = position.unit(at).filter(|unit| unit.power == power);
            own.is_some_and(|unit| {
                unit.kind == UnitKind::Army || board.coasts(at) == 0 || board.sea().contains(at)
            })
        });
    }

    /// Removes the trapped fleets that their owners disband.
    pub(crate) fn settle_trapped(&mut self, scene: &mut EventContext<'_>, disbanded: ProvinceSet) {
        for (at, power) in std::mem::take(&mut self.trapped) {
            if let Some(unit) = self.position.unit(at).filter(|_| disbanded.contains(at)) {
                self.position.take(at);
                self.tell(scene, &Event::Removed(power, at, unit));
            }
        }
    }

    /// Recomputes the ways of the `i`-th dislodged unit after a change of the map. A unit from a face where it can no
    /// longer be retreats as if the face were still as it was (rules.md 4.8); a fleet whose coast is divided may start
    /// from any part.
    fn find_ways(&mut self, i: usize, terrain: &MapTables) {
        let Dislodged { at, unit, attacker, .. } = self.retreats.dislodged[i];
        let before = terrain.board().former();
        let fate = |chart: &NamedMap, board: &Board| match unit.kind {
            UnitKind::Army => CoastFate::Stays(CoastId::FIRST),
            UnitKind::Fleet => chart.coast_fate(before, board, Location { province: at, coast: unit.coast }),
        };
        let board = terrain.board();
        // A trapped fleet that an attack has dislodged has no ways, whatever else changes.
        let was_forced = attacker.is_none() || !board.passable().contains(at);
        match reopened(terrain.chart(), at, unit.kind).filter(|_| was_forced) {
            Some(chart) => {
                let mut board = board.clone();
                board.follow(chart.map());
                let fate = fate(&chart, &board);
                self.wait_on(i, &board, fate);
            }
            None if unit.kind == UnitKind::Fleet => self.wait_on(i, board, fate(terrain.chart(), board)),
            None => {}
        }
    }

    /// Removes a dislodged unit that does not retreat: it disbands, or vanishes with the place that it had to leave.
    pub(crate) fn lose_dislodged(&mut self, scene: &mut EventContext<'_>, dislodged: Dislodged) {
        let Dislodged { at, unit, attacker, .. } = dislodged;
        let is_it = |gone: &Swallowed| gone.hole == at && gone.unit.power == unit.power && attacker.is_none();
        match self.leaving.iter().position(is_it) {
            Some(i) => {
                let gone = self.leaving.remove(i);
                self.tell(scene, &Event::Swallowed { face: at, entering_from: None, unit: gone.unit });
                self.swallowed.push(gone);
                self.sort_swallowed();
            }
            None => self.tell(scene, &Event::Disbanded(dislodged)),
        }
    }

    /// Forgets what only retreats need.
    pub(crate) fn end_retreats(&mut self) {
        self.retreats.clear();
        self.leaving.clear();
    }

    /// Sorts the units that vanished: the same set of them is the same state, in whatever order they vanished.
    pub(crate) fn sort_swallowed(&mut self) {
        self.swallowed.sort_by_key(|gone| (gone.hole, gone.unit.power, gone.unit.kind, gone.unit.coast));
    }

    /// Sets the coast of the `i`-th dislodged unit, and its ways from there on this ground: the board, or the
    /// board with the unit's own province opened.
    pub(crate) fn wait_on(&mut self, i: usize, ground: &Board, fate: CoastFate) {
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

    /// Applies the owners' choices of coasts; a missing or impossible one leaves the fleet on the default.
    /// `choose` is called once for each fleet.
    pub(crate) fn settle_coasts(
        &mut self,
        scene: &mut EventContext<'_>,
        choose: impl Fn(&CoastChoice) -> Option<CoastId>,
    ) {
        for choice in std::mem::take(&mut self.coast_choices) {
            let chosen = choose(&choice).filter(|coast| choice.coasts.contains(coast));
            self.position.set_coast(choice.fleet, chosen.unwrap_or(choice.default));
            if let Some(unit) = self.position.unit(choice.fleet) {
                self.tell(scene, &Event::CoastMoved(choice.fleet, unit));
            }
        }
    }
}

/// Lists by power, each sorted; empty lists are omitted.
fn by_name(names: &PowerNames, list: impl Fn(Power) -> Vec<String>) -> BTreeMap<String, Vec<String>> {
    let mut lists = names.by_name(names.powers().iter().map(|power| (power, list(power))));
    lists.retain(|_, list| !list.is_empty());
    lists.values_mut().for_each(|list| list.sort());
    lists
}

// The world's memory of exempt centres. The rules for them are in `src/engine/rules/changes/spared.rs`.

/// The exemption of a power.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exempted {
    /// The centre that holes spare.
    pub centre: Option<ProvinceId>,
    /// The centre that the power had announced as exempt. A later change is not public.
    pub announced: Option<ProvinceId>,
    /// The state of its one change.
    pub change: ExemptionChange,
}

/// A power's one change of its exempt centre (rr01, rule 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExemptionChange {
    /// It has had no occasion yet.
    #[default]
    NotYet,
    /// It may name this centre, its last, while it owns it and the exempt one is in foreign hands. If it
    /// misses the opportunity, it may get another one.
    Offered(ProvinceId),
    /// It has been made.
    Made,
    /// It can no longer be changed: the exemption has lapsed with its power (rr01, rule 8), permanently, even
    /// if that power returns.
    Lapsed,
}

/// The map on which a unit of this kind could be in the place: a hole is open, and the ground is the other one. `None` if
/// the unit can be there as it is.
pub(crate) fn reopened(chart: &NamedMap, at: ProvinceId, kind: UnitKind) -> Option<NamedMap> {
    let face = chart.map().face(at)?;
    let (is_hole, ground) = (face.state() != FaceState::Open, face.kind());
    let is_wrong =
        matches!((kind, ground), (UnitKind::Army, FaceKind::Sea) | (UnitKind::Fleet, FaceKind::Ice));
    if !is_hole && !is_wrong {
        return None;
    }
    let mut chart = chart.clone();
    if is_hole {
        chart.restore(at).ok()?;
    }
    match kind {
        UnitKind::Army if is_wrong => chart.raise(at).ok()?,
        UnitKind::Fleet if is_wrong => chart.thaw(at).ok()?,
        UnitKind::Army | UnitKind::Fleet => {}
    }
    Some(chart)
}
