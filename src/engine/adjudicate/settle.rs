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
use crate::reading::{Line, is_coast_choice};
use crate::rules::event::{Event, Log};
use crate::rules::gazetteer::Gazetteer;
use crate::rules::nature::{Draw, Given};
use crate::rules::position::{Cargo, Dislodged, Phase, PhaseKind};
use crate::rules::rulebook::ArmyFleets;
use crate::rules::terrain::Terrain;
use crate::rules::variant::Variant;
use crate::rules::world::{Swallowed, World};
use crate::settle::{self, LineOutcome, Settled, Surroundings, Unordered};
use upheaval_map::ids::{Location, Power, ProvinceId, ProvinceSet};

/// An order: whose, under which key its result is written, and what it says.
struct Entry {
    power: Power,
    key: String,
    text: String,
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
        let (coasts, others) = sort_out(texts, &mut results);
        let given = self.nature.holes.clone();
        let mut witness = Witness::default();
        let around = Surroundings { nature: &mut self.nature, log: &mut witness };
        let settled = settle::movement(&mut self.game, referee, &lines(&others), around);
        self.check_drawn(&given, &witness, &terrain)?;
        write(&mut results, &others, settled);
        let contested = referee.resolution().contested();
        self.choose_coasts(&coasts, ProvinceSet::EMPTY, &mut results);
        let names = terrain.names();
        let dislodged = self.list_dislodged(witness, names);
        let contested = sorted(contested.iter().map(|id| names.province(id).to_owned()));
        Ok(self.answer(results, dislodged, contested))
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
            let renamed = names.province(at) != before.province(at); // split since (rules.md 4.11)
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
        let (coasts, others) = sort_out(texts, &mut results);
        let given = self.nature.holes.clone();
        let mut witness = Witness::default();
        let around = Surroundings { nature: &mut self.nature, log: &mut witness };
        let settled = settle::retreats(&mut self.game, &lines(&others), around);
        self.check_drawn(&given, &witness, &terrain)?;
        write(&mut results, &others, settled);
        self.choose_coasts(&coasts, ProvinceSet::EMPTY, &mut results);
        Ok(self.answer(results, Vec::new(), Vec::new()))
    }

    fn adjustments(&mut self, texts: &Texts) -> Answer {
        let mut results = Results::default();
        let (coasts, others) = sort_out(texts, &mut results);
        let around = Surroundings { nature: &mut self.nature, log: &mut () };
        let settled = settle::adjustments(&mut self.game, &lines(&others), around);
        write(&mut results, &others, settled);
        self.choose_coasts(&coasts, ProvinceSet::EMPTY, &mut results);
        self.answer(results, Vec::new(), Vec::new())
    }

    /// Settles the coasts that must be chosen, if any, and writes what became of the orders that choose one; of the
    /// trapped fleets these are disbanded.
    fn choose_coasts(&mut self, orders: &[Entry], disbanded: ProvinceSet, results: &mut Results) {
        let around = Surroundings { nature: &mut self.nature, log: &mut () };
        let settled = settle::coasts(&mut self.game, &lines(orders), disbanded, around);
        write(results, orders, settled);
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

/// The orders as they are read.
fn lines(entries: &[Entry]) -> Vec<Line<'_>> {
    entries.iter().map(|entry| Line { power: entry.power, text: &entry.text }).collect()
}

/// Writes what came of these orders, and the units that left the board without one.
fn write(results: &mut Results, entries: &[Entry], Settled { outcomes, unordered }: Settled) {
    for LineOutcome { line, words, reason } in outcomes {
        let Entry { power, key, .. } = &entries[line];
        results.write(*power, key, &words, reason);
    }
    for Unordered { power, order, reason } in unordered {
        let key = results.reserve(power, &order);
        results.write(power, &key, &["disband"], Some(reason.to_owned()));
    }
}

/// Reserves a place among the results for every order, in order; apart from the others those that choose a coast.
fn sort_out(texts: &Texts, results: &mut Results) -> (Vec<Entry>, Vec<Entry>) {
    let all = texts.iter().flat_map(|(power, texts)| texts.iter().map(move |text| (*power, text)));
    all.map(|(power, text)| Entry { power, key: results.reserve(power, text), text: text.clone() })
        .partition(|entry| is_coast_choice(&entry.text))
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
