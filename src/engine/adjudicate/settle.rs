//! From a request to its answer: the position is set up, the phase settled by the same [`Game`] that bots play, and
//! the outcome read off.
//!
//! What the end of a season brings (owners in Fall, holes, coasts) comes with its last phase: with the retreats, or
//! with the movement if no dislodged unit has anywhere to go.

mod seismic;

use std::sync::Arc;

use serde_json::Value;

use super::answer::{Answer, DislodgedUnit, Results, StateAfter};
use super::request::Request;
use super::setup;
use super::{EventFault, RequestError};
use crate::game::{Game, Referee, Stage};
use crate::rules::event::{Event, Log};
use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::ConvoyChains;
use crate::rules::mechanism::Declarations;
use crate::rules::mechanism::exemption::Announced;
use crate::rules::movement::Outcome;
use crate::rules::nature::{Draw, Given};
use crate::rules::notation::{Situation, WrittenOrder, WrittenUnit};
use crate::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use crate::rules::position::{Cargo, Dislodged, Phase, PhaseKind};
use crate::rules::retreat::{Fault, RetreatOutcome};
use crate::rules::rulebook::ArmyFleets;
use crate::rules::terrain::Terrain;
use crate::rules::variant::Variant;
use crate::rules::world::{CoastChoice, Swallowed, World};
use upheaval_map::ids::{ByPower, Designation, Location, Power, ProvinceId, ProvinceSet};

/// An order that was understood: whose, under which key its result is written, and what it says.
struct Entry<T> {
    power: Power,
    key: String,
    order: T,
}

/// The orders of a request by power, as texts.
type Texts = Vec<(Power, Vec<String>)>;

pub(super) fn settle(
    request: &Request,
    variant: Arc<Variant>,
    referee: &mut Referee,
) -> Result<Answer, RequestError> {
    let phase: Phase = request.phase.parse()?;
    let mut setup = Setup::new(request, variant, phase)?;
    let orders = setup::by_power("orders", &request.orders)?
        .into_iter()
        .map(|(power, texts)| (power, texts.iter().map(|text| text.trim().to_owned()).collect()))
        .collect();
    match phase.kind {
        PhaseKind::Movement => setup.movement(&orders, referee),
        PhaseKind::Retreats => setup.retreats(&orders),
        PhaseKind::Adjustments => Ok(setup.adjustments(&orders)),
        PhaseKind::Seismic => setup.seismic(&orders),
    }
}

struct Setup<'a> {
    request: &'a Request,
    game: Game,
    nature: Given,
}

impl<'a> Setup<'a> {
    fn new(request: &'a Request, variant: Arc<Variant>, phase: Phase) -> Result<Self, RequestError> {
        let terrain = setup::terrain(request, &variant, phase)?;
        let mut world = World::new(Arc::clone(&terrain));
        world.retreats.contested = setup::provinces("contested", &request.contested, &terrain)?;
        let sunken = setup::sunken_centres(&variant, phase, &terrain);
        let mut waiting = Vec::new();
        for (power, entry) in setup::by_power("powers", &request.powers)? {
            setup::place_units(&mut world.position, power, entry, &terrain)?;
            setup::give_centres(&mut world, power, entry, &sunken)?;
            for entry in &entry.retreats {
                waiting.push(setup::dislodged(power, entry, &terrain)?);
            }
        }
        setup::give_lost_homes(&mut world);
        // Ascending provinces, as the movement phase lists them; several alike as `A MUN`, `A MUN#2` number them.
        waiting.sort_by_key(|unit| (unit.dislodged.at, unit.ordinal));
        for (i, unit) in waiting.into_iter().enumerate() {
            world.retreats.dislodged.push(unit.dislodged);
            world.retreats.ways.extend(unit.ways.map(|ways| (i, ways)));
        }
        let state = &request.state;
        // An empty entry remembers nothing, and does no harm.
        let empty = |value: &Value| match value {
            Value::Object(map) => map.is_empty(),
            Value::Array(list) => list.is_empty(),
            other => other.is_null(),
        };
        if state.waterways.as_ref().is_some_and(|value| !empty(value)) && variant.seismic().is_none() {
            return Err(RequestError::State { key: "waterways", variant: variant.id.clone() });
        }
        for (power, name) in setup::by_power("state.exempt", &state.exempt)? {
            let centre = setup::province("state.exempt", name, &terrain)?;
            if !terrain.homes()[power].contains(centre) {
                return Err(RequestError::NotHome { power: power.to_string(), name: name.clone() });
            }
            world.exemptions[power].centre = Some(centre);
        }
        if let Some(exemption) = variant.exemption() {
            exemption.offer_by_position(&mut world);
        }
        world.swallowed = setup::swallowed(request, &variant, &terrain)?;
        setup::seasons_aboard(request, &variant, &mut world)?;
        setup::last_occupants(request, &variant, &mut world)?;
        let nature = setup::nature(request, &variant, &mut world, phase)?;
        let game = Game::resumed(variant, u16::MAX, world, phase);
        Ok(Setup { request, game, nature })
    }

    fn movement(&mut self, texts: &Texts, referee: &mut Referee) -> Result<Answer, RequestError> {
        let mut results = Results::default();
        let terrain = Arc::clone(&self.game.world().terrain);
        let before = self.game.world().position.clone();
        let chains = ConvoyChains::new(terrain.board(), &self.game.variant().rulebook, &before);
        let mut orders = Orders::all_hold();
        let mut declarations = Declarations::default();
        let mut understood: Vec<Entry<ProvinceId>> = Vec::new();
        let mut refused: Vec<Entry<Option<ProvinceId>>> = Vec::new();
        let (coasts, others) = sort_out(texts, &mut results);
        let mut landings: Vec<Entry<WrittenOrder>> = Vec::new();
        for Entry { power, key, order: text } in others {
            let situation = Situation { board: terrain.board(), position: &before, chains: &chains, power };
            let written = match WrittenOrder::parse(&text, terrain.names()) {
                Ok(written) => written,
                Err(error) => {
                    results.write(power, &key, &["illegal"], Some(error.to_string()));
                    refused.push(Entry { power, key, order: unit_of(&text, &situation, terrain.names()) });
                    continue;
                }
            };
            if let Some(declared) = self.declare(power, written, &mut declarations) {
                match declared {
                    Ok(()) => results.write(power, &key, &["ok"], None),
                    Err(reason) => results.write(power, &key, &["illegal"], Some(reason.to_owned())),
                }
                continue;
            }
            if matches!(written, WrittenOrder::Disembark { .. }) {
                landings.push(Entry { power, key, order: written });
                continue;
            }
            match written.resolve_by(&situation, &self.game.variant().rulebook) {
                Ok((unit, order)) if understood.iter().all(|given| given.order != unit) => {
                    orders[unit] = order;
                    understood.push(Entry { power, key, order: unit });
                }
                Ok(_) => {
                    let reason = "the unit has an order already; the first counts".to_owned();
                    results.write(power, &key, &["illegal"], Some(reason));
                }
                Err(error) => {
                    results.write(power, &key, &["illegal"], Some(error.to_string()));
                    refused.push(Entry { power, key, order: unit_of(&text, &situation, terrain.names()) });
                }
            }
        }
        let landings = self.land(landings, &chains, &mut orders, &mut results);
        let given = self.nature.holes.clone();
        let mut witness = Witness::default();
        self.game.settle_movement(referee, &orders, &declarations, &mut self.nature, &mut witness);
        self.check_drawn(&given, &witness, &terrain)?;
        let resolution = referee.resolution();
        let names = terrain.names();
        for Entry { power, key, order: unit } in &understood {
            let words: Vec<&str> = resolution.words(*unit).collect();
            let failed = resolution.outcome(*unit).filter(|outcome| *outcome != Outcome::Succeeded);
            let reason = failed.map(|outcome| outcome.display(|id| before.unit_named(names, id)).to_string());
            results.write(*power, key, &words, reason);
        }
        for Entry { power, key, order: fleet } in &landings {
            let Some(outcome) = resolution.landing_outcome(*fleet) else { continue };
            let failed = outcome != Outcome::Succeeded;
            let reason = failed.then(|| outcome.display(|id| before.unit_named(names, id)).to_string());
            results.write(*power, key, &[outcome.word()], reason);
        }
        for Entry { power, key, order: unit } in &refused {
            let ordered = |given: &Entry<ProvinceId>| Some(given.order) == *unit;
            if unit.is_some_and(|at| resolution.dislodged_by(at).is_some()) && !understood.iter().any(ordered)
            {
                results.write(*power, key, &["illegal", "dislodged"], None);
            }
        }
        let contested = resolution.contested();
        self.choose_coasts(&coasts, &mut results);
        let dislodged = self.list_dislodged(witness, names);
        let contested = sorted(contested.iter().map(|id| names.province(id).to_owned()));
        Ok(self.answer(results, dislodged, contested))
    }

    /// Understands the orders to land, now that the orders to the fleets are known; returns by the fleets' places those
    /// that count.
    fn land(
        &self,
        written: Vec<Entry<WrittenOrder>>,
        chains: &ConvoyChains,
        orders: &mut Orders,
        results: &mut Results,
    ) -> Vec<Entry<ProvinceId>> {
        let World { terrain, position, .. } = self.game.world();
        let mut understood = Vec::new();
        for Entry { power, key, order } in written {
            let situation = Situation { board: terrain.board(), position, chains, power };
            match order.resolve_landing(&situation, orders) {
                Ok(landing) if orders.landing(landing.fleet).is_none() => {
                    orders.land(landing);
                    understood.push(Entry { power, key, order: landing.fleet });
                }
                Ok(_) => {
                    let reason = "the army has an order to land already; the first counts".to_owned();
                    results.write(power, &key, &["illegal"], Some(reason));
                }
                Err(error) => results.write(power, &key, &["illegal"], Some(error.to_string())),
            }
        }
        understood
    }

    /// The units that must retreat, with where they can go. `before` are the names before the map changed, if it did.
    fn list_dislodged(&self, witness: Witness, before: &Gazetteer) -> Vec<DislodgedUnit> {
        let mut all = witness.dislodged;
        all.sort_by_key(|unit| unit.at);
        let names = self.game.terrain().names();
        let holes = self.game.terrain().chart().map().holes();
        let waiting = (self.game.stage() == Stage::Retreats).then(|| &self.game.dislodged().dislodged);
        let mut listed: Vec<DislodgedUnit> = Vec::with_capacity(all.len());
        for (i, was) in all.iter().enumerate() {
            let Dislodged { unit, at, attacker, .. } = *waiting.and_then(|units| units.get(i)).unwrap_or(was);
            let place = |coast| Location { province: at, coast };
            let renamed = names.province(at) != before.province(at); // split since (RULINGS 4.11)
            let text = if holes.contains(at) || renamed {
                before.unit(place(was.unit.coast), unit.designation()).to_string()
            } else {
                names.unit(place(unit.coast), unit.designation()).to_string()
            };
            let of_power = listed.iter().filter(|other| other.power == unit.power);
            let alike = of_power.filter(|other| other.unit.split('#').next() == Some(&text)).count();
            let options = if waiting.is_some() { self.game.retreat_options(i) } else { Vec::new() };
            listed.push(DislodgedUnit {
                unit: if alike == 0 { text } else { format!("{text}#{}", alike + 1) },
                power: unit.power,
                from: attacker.map(|from| before.province(from).to_owned()),
                options: sorted(options.iter().map(|&to| names.location(to, unit.kind).to_string())),
            });
        }
        listed
    }

    /// Takes down what a power declares besides its orders, or why it cannot; `None` for anything else.
    fn declare(
        &self,
        power: Power,
        written: WrittenOrder,
        declarations: &mut Declarations,
    ) -> Option<Result<(), &'static str>> {
        match written {
            WrittenOrder::Exempt { centre } => {
                let may =
                    declarations.exempt[power].is_none() && self.game.exempt_choices(power).contains(centre);
                Some(if may {
                    declarations.exempt[power] = Some(centre);
                    Ok(())
                } else {
                    Err(
                        "only a home centre, once, with the first orders of a variant that has it; or the last home \
                         centre, where the variant lets the choice be changed",
                    )
                })
            }
            WrittenOrder::Announce => Some(if self.game.can_announce(power) {
                declarations.announce[power] = Announced::Yes;
                Ok(())
            } else {
                Err("there is nothing to announce, or the variant keeps it a secret")
            }),
            _ => None,
        }
    }

    /// Of the holes that the request says were drawn, those that could not be when it came to that: a power has just
    /// named the centre as exempt, or its exemption did not end after all.
    fn check_drawn(
        &self,
        given: &[ProvinceId],
        witness: &Witness,
        before: &Terrain,
    ) -> Result<(), RequestError> {
        let was_drawn = |hole: &ProvinceId| witness.drawn.contains(hole) || self.nature.holes.contains(hole);
        let Some(&refused) = given.iter().find(|hole| !was_drawn(hole)) else { return Ok(()) };
        let name = before.chart().map().name(refused);
        let says =
            |text: &&String| text.split_whitespace().nth(1).is_some_and(|w| w.eq_ignore_ascii_case(name));
        Err(RequestError::Event {
            field: "nature",
            event: self.request.nature.iter().find(says).cloned().unwrap_or_default(),
            reason: Box::new(EventFault::NotEligible),
        })
    }

    fn retreats(&mut self, texts: &Texts) -> Result<Answer, RequestError> {
        let mut results = Results::default();
        let terrain = Arc::clone(&self.game.world().terrain);
        let position = self.game.world().position.clone();
        let chains = ConvoyChains::default();
        let waiting = self.game.dislodged().clone();
        let mut orders: Vec<Option<RetreatOrder>> = vec![None; waiting.dislodged.len()];
        let mut understood: Vec<Entry<usize>> = Vec::new();
        let (coasts, others) = sort_out(texts, &mut results);
        for Entry { power, key, order: text } in others {
            let situation = Situation { board: terrain.board(), position: &position, chains: &chains, power };
            let resolved = WrittenOrder::parse(&without_lost_coast(&text, &terrain), terrain.names())
                .map_err(|error| error.to_string())
                .and_then(|order| order.resolve_retreat(&situation, &waiting).map_err(|e| e.to_string()));
            match resolved {
                Ok((i, _)) if orders[i].is_some() => {
                    let reason = "the unit has an order already; the first counts".to_owned();
                    results.write(power, &key, &["illegal"], Some(reason));
                }
                Ok((i, order)) if self.can_retreat(i, order) => {
                    orders[i] = Some(order);
                    understood.push(Entry { power, key, order: i });
                }
                Ok(_) => {
                    let reason = "the unit cannot retreat there".to_owned();
                    results.write(power, &key, &["illegal"], Some(reason));
                }
                Err(reason) => results.write(power, &key, &["illegal"], Some(reason)),
            }
        }
        let given = self.nature.holes.clone();
        let mut witness = Witness::default();
        let outcomes = self.game.settle_retreats(&orders, &mut self.nature, &mut witness);
        self.check_drawn(&given, &witness, &terrain)?;
        for Entry { power, key, order: i } in &understood {
            let outcome = outcomes[*i];
            let failed = (outcome.word() != "ok").then_some(outcome);
            let reason = failed.map(|o| o.display(|id| terrain.names().province(id)).to_string());
            results.write(*power, key, &[outcome.word()], reason);
        }
        for (i, (dislodged, outcome)) in waiting.dislodged.iter().zip(&outcomes).enumerate() {
            if *outcome == RetreatOutcome::Lost(Fault::Missing) {
                let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
                let ordinal = waiting.ordinal(i);
                let unit = WrittenUnit { ordinal, ..WrittenUnit::new(dislodged.unit.designation(), at) };
                let reason = "disbanded: it has no valid order";
                write_disbandment(&mut results, terrain.names(), dislodged.unit.power, unit, reason);
            }
        }
        self.choose_coasts(&coasts, &mut results);
        Ok(self.answer(results, Vec::new(), Vec::new()))
    }

    fn can_retreat(&self, i: usize, order: RetreatOrder) -> bool {
        match order {
            RetreatOrder::Retreat { to } => self.game.retreat_options(i).contains(&to),
            RetreatOrder::Disband => true,
        }
    }

    fn adjustments(&mut self, texts: &Texts) -> Answer {
        let mut results = Results::default();
        let terrain = Arc::clone(&self.game.world().terrain);
        let before = self.game.world().position.clone();
        let chains = ConvoyChains::default();
        let mut orders: ByPower<Vec<AdjustmentOrder>> = ByPower::default();
        let mut understood: Vec<Entry<usize>> = Vec::new();
        let (coasts, others) = sort_out(texts, &mut results);
        for Entry { power, key, order: text } in others {
            let situation = Situation { board: terrain.board(), position: &before, chains: &chains, power };
            let resolved = WrittenOrder::parse(&text, terrain.names())
                .map_err(|error| error.to_string())
                .and_then(|order| order.resolve_adjustment(&situation).map_err(|e| e.to_string()));
            match resolved {
                Ok(order) => {
                    understood.push(Entry { power, key, order: orders[power].len() });
                    orders[power].push(order);
                }
                Err(reason) => results.write(power, &key, &["illegal"], Some(reason)),
            }
        }
        let adjusted = self.game.settle_adjustments(&orders, &mut self.nature, &mut Witness::default());
        for Entry { power, key, order: i } in &understood {
            let outcome = adjusted[*power].outcomes[*i];
            let reason = (outcome.word() != "ok").then(|| outcome.to_string());
            results.write(*power, key, &[outcome.word()], reason);
        }
        for (power, adjusted) in adjusted.iter() {
            for &(at, unit) in &adjusted.removed {
                let unit = WrittenUnit::new(unit.designation(), Location { province: at, coast: unit.coast });
                let reason = "removed: too few removals were ordered";
                write_disbandment(&mut results, terrain.names(), power, unit, reason);
            }
        }
        self.choose_coasts(&coasts, &mut results);
        self.answer(results, Vec::new(), Vec::new())
    }

    /// Settles the coasts that must be chosen, if any, and writes what became of the orders that choose one.
    fn choose_coasts(&mut self, orders: &[Entry<String>], results: &mut Results) {
        self.choose_coasts_and_disband(orders, ProvinceSet::EMPTY, results);
    }

    /// The same, where of the trapped fleets these are disbanded.
    fn choose_coasts_and_disband(
        &mut self,
        orders: &[Entry<String>],
        disbanded: ProvinceSet,
        results: &mut Results,
    ) {
        let terrain = Arc::clone(&self.game.world().terrain);
        let choices = self.game.coast_choices().to_vec();
        let mut chosen = vec![None; choices.len()];
        for Entry { power, key, order: text } in orders {
            let written = match WrittenOrder::parse(text, terrain.names()) {
                Ok(WrittenOrder::ChooseCoast { unit, coast }) if unit.kind == Designation::Fleet => {
                    Some((unit.place.province, coast))
                }
                Ok(_) => None,
                Err(error) => {
                    results.write(*power, key, &["illegal"], Some(error.to_string()));
                    continue;
                }
            };
            let choice = written.and_then(|(fleet, coast)| {
                let i = choices.iter().position(|c| c.fleet == fleet && c.power == *power)?;
                Some((i, coast, choices[i].coasts.contains(&coast)))
            });
            match choice {
                Some((i, coast, true)) if chosen[i].is_none() => {
                    chosen[i] = Some(coast);
                    results.write(*power, key, &["ok"], None);
                }
                Some(_) => {
                    let reason = "the fleet cannot take that coast".to_owned();
                    results.write(*power, key, &["illegal"], Some(reason));
                }
                None => {
                    let reason = "no fleet there had to choose a coast".to_owned();
                    results.write(*power, key, &["void"], Some(reason));
                }
            }
        }
        if self.game.stage() == Stage::Coasts {
            let mut chosen = chosen.into_iter();
            let choose = |_: &World, _: &CoastChoice| chosen.next().flatten();
            self.game.settle_coasts(&mut self.nature, &mut (), disbanded, choose);
        }
    }

    /// The units that are gone with holes, as a request names them, and how long armies have been aboard.
    fn state(&self) -> Option<StateAfter> {
        let world = self.game.world();
        let mut state = StateAfter::default();
        for Swallowed { hole, unit, coast } in &world.swallowed {
            let text = setup::swallowed_text(&world.terrain, *hole, *unit, coast);
            state.swallowed.entry(unit.power).or_default().push(text);
        }
        if let ArmyFleets::Yes { max_seasons_aboard: Some(_) } = self.game.variant().rulebook.army_fleets {
            for (at, unit) in world.army_fleets() {
                if let Cargo::Army { seasons } = unit.cargo {
                    state.seasons_aboard.insert(world.terrain.names().province(at).to_owned(), seasons);
                }
            }
        }
        (state != StateAfter::default()).then_some(state)
    }

    fn answer(&self, results: Results, dislodged: Vec<DislodgedUnit>, contested: Vec<String>) -> Answer {
        let world = self.game.world();
        Answer {
            id: self.request.id.clone(),
            phase: self.request.phase.clone(),
            results: results.words,
            units_after: world.written_units(),
            dislodged,
            contested,
            centers_after: world.written_centres(),
            state: self.state(),
            map: None,
            reasons: Some(results.reasons),
        }
    }
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

/// Lists a unit that leaves the board without an order to.
fn write_disbandment(
    results: &mut Results,
    names: &Gazetteer,
    power: Power,
    unit: WrittenUnit,
    reason: &str,
) {
    let key = results.reserve(power, &WrittenOrder::Disband { unit }.display(names).to_string());
    results.write(power, &key, &["disband"], Some(reason.to_owned()));
}

/// Reserves a place among the results for every order, in order; apart from the others those that choose a coast.
fn sort_out(texts: &Texts, results: &mut Results) -> (Vec<Entry<String>>, Vec<Entry<String>>) {
    let all = texts.iter().flat_map(|(power, texts)| texts.iter().map(move |text| (*power, text)));
    all.map(|(power, text)| Entry { power, key: results.reserve(power, text), order: text.clone() })
        .partition(|entry| is_coast_choice(&entry.order))
}

/// The power's own unit that an order was meant for, as far as its first two words tell.
fn unit_of(text: &str, situation: &Situation<'_>, names: &Gazetteer) -> Option<ProvinceId> {
    let words: Vec<&str> = text.split_whitespace().take(2).collect();
    let at = WrittenUnit::parse(&words.join(" "), names).ok()?.place.province;
    situation.position.units_of(situation.power).contains(at).then_some(at)
}

/// An order to a unit that was driven out of a province that is a hole now: the coast it stood on is no more.
fn without_lost_coast(text: &str, terrain: &Terrain) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if let Some((code, _)) = words.get(1).and_then(|word| word.split_once('/')) {
        let map = terrain.chart().map();
        if map.find(&code.to_ascii_uppercase()).is_some_and(|id| map.holes().contains(id)) {
            words[1] = code;
        }
    }
    words.join(" ")
}

/// `F GAS COAST WC`, which is read only once the map has changed: the coast may not be there before.
fn is_coast_choice(text: &str) -> bool {
    text.split_whitespace().nth(2).is_some_and(|word| word.eq_ignore_ascii_case("COAST"))
}

/// Remembers the units that must retreat, those that are dislodged and not swallowed by a hole after all, and what was
/// drawn.
#[derive(Default)]
struct Witness {
    dislodged: Vec<Dislodged>,
    drawn: Vec<ProvinceId>,
}

impl Log for Witness {
    fn event(&mut self, _: Phase, _: &Terrain, event: &Event) {
        match event {
            Event::Dislodged(unit) => self.dislodged.push(*unit),
            Event::Swallowed { entering_from: Some(from), .. } => {
                self.dislodged.retain(|unit| unit.at != *from);
            }
            // In `double-reversible` a hole that is drawn comes back.
            _ if event.reveals(Draw::Holes) => self.drawn.extend(event.description().province),
            _ => {}
        }
    }
}
