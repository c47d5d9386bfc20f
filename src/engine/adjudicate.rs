//! Adjudicating positions from outside (docs/adjudicate.md): one JSON text in, one JSON text out.
//!
//! An [`AdjudicationService`] answers requests one by one. A request is validated completely before anything
//! is settled; a fault is reported in one line. An illegal order is not a fault of the request: it counts as
//! a hold and is reported as such.
//!
//! ```text
//!   request ─▶ parameters ─▶ Variant ─▶ setup: ground, retreats, memory, nature ─▶ a Game before its phase
//!                                                                                        │ settle
//!   next request, without orders ◀───────────────────────── next ◀──────────────── the Game after it
//! ```
//!
//! A service keeps no state of a game: the `next` part of the answer contains all of it, and is itself a
//! request once it has orders.

mod answer;
mod ground;
mod memory;
mod nature;
mod passing;
mod position;
mod request;
mod warnings;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::adjudicate::answer::Results;
use crate::adjudicate::ground::{by_power, names as names_of, sorted};
use crate::adjudicate::position::{Position, set_up};
use crate::diagnostic::{RootFolder, wording};
use crate::game::{Game, Referee, Stage};
use crate::reading::{Decision, OrderText, Refusal, Typed, is_coast_choice};
use crate::rules::answers::Answers;
use crate::rules::event::{Event, Log};
use crate::rules::game_state::CoastChoice;
use crate::rules::map_tables::MapTables;
use crate::rules::nature::Seeded;
use crate::rules::notation::WrittenSeismic;
use crate::rules::position::{Dislodged, Phase, PhaseKind};
use crate::rules::rulebook::Rulebook;
use crate::rules::settlement::{Settled, Settlement};
use crate::rules::told::EventLine;
use crate::rules::variant::{Variant, VariantError};
use crate::{reading, settle};
use serde::Deserialize;
use serde::de::{Error as _, IgnoredAny};
use upheaval_map::ids::{Location, Power, ProvinceSet};
use upheaval_map::topology::report::MapReport;

pub use crate::adjudicate::answer::{Answer, DislodgedUnit, EndingReport, FleetChoice, StateAfter};
pub(crate) use crate::adjudicate::ground::Happenings;
pub use crate::adjudicate::request::{
    Chance, DEEPEST, Happened, Id, LONGEST_REQUEST, MOST_ENTRIES, MOST_ORDERS, MapEventError, PowerHoldings,
    Request, RequestError, RetreatEntry, State, SwallowedEntry, SwallowedOnCoast,
};

/// The number of variants that a service keeps, each with its parameters and rulebook.
const KEPT: usize = 64;

/// Answers requests; caches the variants it has loaded and the tables that settling needs.
///
/// ```
/// use upheaval_engine::adjudicate::AdjudicationService;
/// let request = r#"{"id": 1, "phase": "S1901M", "powers": {"FRANCE": {"units": ["A PAR"]}},
///     "orders": {"FRANCE": ["A PAR - BUR"]}}"#;
/// let answer = AdjudicationService::new().answer(request)?;
/// assert_eq!(answer.units_after["FRANCE"], ["A BUR"]);
/// assert_eq!(answer.next.expect("the game goes on").phase, "F1901M");
/// # Ok::<(), upheaval_engine::adjudicate::RequestError>(())
/// ```
#[derive(Default)]
pub struct AdjudicationService {
    /// Keyed by the hash of name, parameters and rulebook: a request may write megabytes of them.
    variants: BTreeMap<[u8; 32], Arc<Variant>>,
    referee: Referee,
    /// Where requests may name files.
    root: RootFolder,
}

impl AdjudicationService {
    /// A service that has loaded nothing yet. Requests may name variant files in the working folder or below it.
    pub fn new() -> AdjudicationService {
        AdjudicationService::default()
    }

    /// The same, where requests may name variant files in this folder or below it, and no others.
    pub fn within(folder: impl Into<PathBuf>) -> AdjudicationService {
        AdjudicationService { root: RootFolder::new(folder), ..AdjudicationService::default() }
    }

    /// Answers one request given as JSON text.
    ///
    /// # Errors
    /// The request is invalid. Nothing is settled in that case.
    pub fn answer(&mut self, text: &str) -> Result<Answer, RequestError> {
        let (request, variant) = self.read(text)?;
        let Position { game, nature } = set_up(&request, variant)?;
        let position = Position { game: game.asking_every_winter(), nature };
        settle(&request, position, &mut self.referee)
    }

    /// The game that a request describes, waiting for the phase; the request needs no orders.
    ///
    /// ```
    /// use upheaval_engine::adjudicate::AdjudicationService;
    /// let request = r#"{"id": 1, "phase": "W1901A", "powers": {"FRANCE": {"centers": ["PAR"]}}}"#;
    /// let game = AdjudicationService::new().game(request)?;
    /// assert!(game.has_adjustments(upheaval_engine::ids::Power::FRANCE));
    /// # Ok::<(), upheaval_engine::adjudicate::RequestError>(())
    /// ```
    ///
    /// # Errors
    /// The request is invalid.
    pub fn game(&mut self, text: &str) -> Result<Game, RequestError> {
        let (request, variant) = self.read(text)?;
        Ok(set_up(&request, variant)?.game.asking_every_winter())
    }

    /// A request, with its variant.
    pub(crate) fn read(&mut self, text: &str) -> Result<(Request, Arc<Variant>), RequestError> {
        let request = parse(text)?;
        let variant = self.variant(&request)?;
        Ok((request, variant))
    }

    /// The variant with the request's parameters and rulebook.
    fn variant(&mut self, request: &Request) -> Result<Arc<Variant>, RequestError> {
        let key = serde_json::to_vec(&(&request.variant, &request.parameters, &request.rulebook))?;
        let key = *blake3::hash(&key).as_bytes();
        if let Some(variant) = self.variants.get(&key) {
            return Ok(Arc::clone(variant));
        }
        let variant = Arc::new(load(request, &self.root)?);
        if self.variants.len() >= KEPT {
            self.variants.clear();
        }
        self.variants.insert(key, Arc::clone(&variant));
        Ok(variant)
    }
}

impl Request {
    /// The game that goes on from here by the rules of `variant`, and the source of its draws: `nature` must be a seed.
    /// Orders are ignored.
    ///
    /// # Errors
    /// The request is invalid, or its game cannot go on.
    pub fn resume(&self, variant: Arc<Variant>) -> Result<(Game, Seeded), RequestError> {
        request::entries(self)?;
        if self.rulebook.is_some() {
            let fault = "a resumed game follows the rulebook of its variant; remove this key";
            return Err(RequestError::at("rulebook", fault));
        }
        let Chance::Seeded(nature) = &self.nature else {
            let fault = "a resumed game draws from a seed, as in `\"nature\": {\"seed\": 7}`";
            return Err(RequestError::at("nature", fault));
        };
        Ok((set_up(self, variant)?.game, nature.clone()))
    }
}

/// A request from its text.
pub(crate) fn parse(text: &str) -> Result<Request, RequestError> {
    request::text(text)?;
    let request =
        serde_json::from_str(text).map_err(|error| match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) if !text.trim_start().starts_with('{') => RequestError::form("a line holds a JSON object"),
            _ => error.into(),
        })?;
    request::entries(&request)?;
    Ok(request)
}

fn load(request: &Request, root: &RootFolder) -> Result<Variant, RequestError> {
    let name = request.variant.as_str();
    let known = |found: Result<Option<Variant>, VariantError>| {
        found.map_err(|error| RequestError::at("variant", error))?.ok_or_else(|| {
            let known = Variant::shipped().collect::<Vec<_>>().join(", ");
            RequestError::at("variant", format_args!("there is no variant `{name}`; there are {known}"))
        })
    };
    let mut variant = known(Variant::find_within(name, root, &[]))?;
    if !request.parameters.is_empty() {
        let settings = ground::settings(&request.parameters, &variant)?;
        variant = known(Variant::find_within(name, root, &settings))?;
    }
    if let Some(rulebook) = &request.rulebook {
        let rulebook: Rulebook = serde_json::from_value(rulebook.clone())
            .map_err(|error| RequestError::at("rulebook", wording::of_json(&error)))?;
        variant.rulebook = rulebook.with_units_of(&variant.rulebook);
    }
    Ok(variant)
}

/// The `id` of a text that may not be a valid request, so that an error can mention it.
pub fn id_of(text: &str) -> Option<Id> {
    #[derive(Deserialize)]
    struct Named {
        id: Id,
    }
    request::text(text).ok()?;
    Some(serde_json::from_str::<Named>(text).ok()?.id)
}

// From a position to the answer: the phase is settled by the same [`Game`] that bots play, and the outcome
// is read from it.
//
// A phase ends where the game waits for another: the events at the end of a season (owners in Fall, holes,
// coasts) belong to its last phase, which is the retreats, or the movement if no dislodged unit has anywhere
// to go. Fleets that must choose a coast do not have a phase of their own; they choose with the orders of
// the phase.

/// An order: its power, the key of its result, and its text.
#[derive(Clone)]
struct Entry {
    power: Power,
    key: String,
    text: String,
}

/// Settles the phase of a request whose position has been set up.
fn settle(request: &Request, position: Position, referee: &mut Referee) -> Result<Answer, RequestError> {
    let orders = request.orders.as_ref().ok_or_else(|| serde_json::Error::missing_field("orders"))?;
    let names = position.game.power_names();
    let mut results = Results::default();
    results.warnings.extend(warnings::left_out(request, &position.game));
    let mut entries = Vec::new();
    let typing = reading::Typing::new(&position.game);
    for (power, texts) in by_power("orders", orders, names)? {
        for given in texts.iter().map(|text| text.trim()) {
            let typed = match request.strict {
                true => Ok(Typed { text: given.to_owned(), remark: None }),
                false => typing.read(power, given),
            };
            let name = names.name(power);
            match typed {
                Ok(Typed { text, remark }) => {
                    let key = results.reserve(name, &text);
                    results.note(name, given, &text, &key, remark);
                    entries.push(Entry { power, key, text });
                }
                Err(misread) => {
                    let key = results.reserve(name, given);
                    let line = OrderText { power, text: given };
                    results.write(&key, settle::before(line, &Err(misread.into()), names));
                }
            }
        }
    }
    let phase = position.game.phase();
    let legal = request.legal.then(|| answer::legal_orders(&position.game, referee));
    let witness = Witness::new(&position.game);
    let mut settling = Settling { position, witness, results, choices: Vec::new() };
    settling.settle(entries, referee);
    let Settling { position: Position { game, nature }, witness, mut results, choices } = settling;
    results.warnings.extend(nature.warnings());
    let (mut contested, mut dislodged) = (Vec::new(), Vec::new());
    if phase.kind == PhaseKind::Movement {
        contested = names_of(referee.resolution().contested(), &witness.before);
        dislodged =
            witness.listed.clone().unwrap_or_else(|| witness.list_dislodged(waiting(&game), game.terrain()));
    }
    let map = (phase.kind == PhaseKind::Seismic)
        .then(|| MapReport::new(game.terrain().chart(), game.terrain().board()));
    let nature = nature.rest(phase, &game)?;
    let ending = answer::ending(&game);
    let next = match ending {
        Some(_) => None,
        None => Some(Box::new(answer::request(request, &game, witness.happenings.all, nature))),
    };
    Ok(Answer {
        id: request.id.clone(),
        phase: request.phase.clone(),
        results: results.words,
        read: results.read,
        warnings: results.warnings,
        units_after: game.world().written_units(),
        dislodged,
        contested,
        centers_after: game.world().written_centres(),
        sentences: witness.events.iter().map(|event| event.display(game.power_names()).to_string()).collect(),
        events: witness.events,
        legal,
        choices,
        map,
        state: state(&game),
        reasons: Some(results.reasons),
        next,
        ending,
    })
}

/// A phase that is being settled.
struct Settling {
    position: Position,
    witness: Witness,
    results: Results,
    choices: Vec<FleetChoice>,
}

impl Settling {
    /// Settles the phase, and the choices about fleets in it.
    fn settle(&mut self, orders: Vec<Entry>, referee: &mut Referee) {
        let kind = self.position.game.phase().kind;
        let (coasts, others): (Vec<Entry>, Vec<Entry>) =
            orders.into_iter().partition(|entry| is_coast_choice(&entry.text));
        // Fleets that a seismic order leaves without a coast are disbanded by orders of the same phase.
        let is_later = |entry: &Entry| kind == PhaseKind::Seismic && !WrittenSeismic::is_one(&entry.text);
        let (later, now): (Vec<Entry>, Vec<Entry>) = others.into_iter().partition(is_later);
        let Position { game, nature } = &mut self.position;
        let before = (kind == PhaseKind::Movement).then(|| game.world().position.clone());
        let settled = settle::settle(game, referee, &lines(&now), nature.nature(), &mut self.witness);
        if let Some(before) = before {
            self.results.warnings.extend(warnings::unordered(&self.witness.before, &before, &settled.read));
        }
        // Reasons stand in this order: of what was refused, of what was carried out, of landings.
        let rank = |read: &Result<Decision, Refusal>| match read {
            Err(_) => 0,
            Ok(Decision::Landing(_)) => 2,
            Ok(_) => 1,
        };
        let mut ranked: Vec<_> = now.into_iter().zip(settled.orders).zip(&settled.read).collect();
        ranked.sort_by_key(|(_, read)| rank(read));
        let mut failed = Vec::new();
        for ((entry, settled), _) in ranked {
            let has_failed = settled.reason.is_some();
            self.results.write(&entry.key, settled);
            failed.extend(has_failed.then_some(entry));
        }
        for settled in settled.unordered {
            let key = self.results.reserve(&settled.power, &settled.order);
            self.results.write(&key, settled);
        }
        let read = reading::fleets(&self.position.game, &|_| ProvinceSet::EMPTY, &lines(&later));
        later.iter().zip(&read).for_each(|(entry, result)| self.write_one(entry, result));
        failed.extend(later);
        self.choose_coasts(coasts, failed, referee);
    }

    /// Writes what follows from the meaning of an order.
    fn write_one(&mut self, entry: &Entry, read: &Result<Decision, Refusal>) {
        let line = OrderText { power: entry.power, text: &entry.text };
        self.results.write(&entry.key, settle::before(line, read, self.position.game.power_names()));
    }

    /// Settles the coasts that must be chosen, repeatedly if necessary, and writes the results of the orders
    /// that choose one. `others` are orders that have failed so far; any of them that disbands a fleet which
    /// has been trapped takes effect now.
    fn choose_coasts(&mut self, mut orders: Vec<Entry>, others: Vec<Entry>, referee: &mut Referee) {
        loop {
            self.choices.extend(choices(&self.position.game));
            let game = &self.position.game;
            let mut answers = referee.answers(game);
            self.disband_trapped(&others, &mut answers);
            let game = &self.position.game;
            let read = reading::fleets(game, &|_| ProvinceSet::EMPTY, &lines(&orders));
            for (entry, result) in orders.iter().zip(&read) {
                if let Ok(decision) = result {
                    answers.put(entry.power, decision);
                }
            }
            let waits = game.stage() == Stage::Coasts;
            if waits {
                settle::tell_refused(&mut self.witness, game, &lines(&orders), &read);
                let Position { game, nature } = &mut self.position;
                game.settle(referee, &answers, nature.nature(), &mut self.witness);
            }
            referee.give_back(answers);
            for (entry, result) in orders.iter().zip(&read) {
                match result {
                    // Of two coasts for one fleet the first counts.
                    Err(Refusal::CoastTwice) => self.write_one(entry, &Err(Refusal::NoCoast)),
                    result => self.write_one(entry, result),
                }
            }
            if self.position.game.stage() != Stage::Coasts {
                return;
            }
            // An order that fitted no fleet may fit one of those that choose now.
            let mut read = read.into_iter();
            orders.retain(|_| read.next().is_some_and(|result| result.is_err()));
        }
    }

    /// `F MUN D`: a fleet left without a coast is disbanded, if its owner may do so (rules.md 8.8). A fleet that is to
    /// stay needs no order. Writes the results of the orders that disband one.
    fn disband_trapped(&mut self, orders: &[Entry], answers: &mut Answers) {
        let game = &self.position.game;
        let read = reading::fleets(game, &|power| game.trapped_of(power), &lines(orders));
        for (entry, result) in orders.iter().zip(&read) {
            match result {
                Ok(decision @ Decision::DisbandTrapped(_)) => answers.put(entry.power, decision),
                Err(refusal) if refusal.is_second() => {}
                _ => continue,
            }
            self.write_one(entry, result);
        }
    }
}

/// The fleets for which the game waits, with what each can be ordered.
fn choices(game: &Game) -> Vec<FleetChoice> {
    if game.stage() != Stage::Coasts {
        return Vec::new();
    }
    let choice = |fleet, power, decisions: Vec<Decision>| FleetChoice {
        unit: format!("F {}", game.terrain().names().province(fleet)),
        power: game.power_names().name(power).to_owned(),
        orders: decisions.iter().filter_map(|decision| game.world().text_of(decision)).collect(),
    };
    let coasts = game.coast_choices().iter().map(|&CoastChoice { fleet, power, ref coasts, .. }| {
        let decisions = coasts.iter().map(|&coast| Decision::Coast { fleet, coast });
        choice(fleet, power, decisions.collect())
    });
    let disbands = |&(at, power)| choice(at, power, vec![Decision::DisbandTrapped(at)]);
    coasts.chain(game.trapped().iter().map(disbands)).collect()
}

/// The units that vanished with holes, as a request names them, and how long armies have been aboard.
fn state(game: &Game) -> Option<StateAfter> {
    let world = game.world();
    let mut state = StateAfter { seasons_aboard: memory::all_aboard(game), ..StateAfter::default() };
    for gone in &world.swallowed {
        let text = memory::swallowed_text(&world.terrain, gone);
        state.swallowed.entry(game.power_names().name(gone.unit.power).to_owned()).or_default().push(text);
    }
    (state != StateAfter::default()).then_some(state)
}

/// The orders as lines to be read.
fn lines(entries: &[Entry]) -> Vec<OrderText<'_>> {
    entries.iter().map(|entry| OrderText { power: entry.power, text: &entry.text }).collect()
}

/// Records the units that must retreat (dislodged units that a hole has not swallowed after all) and the map
/// events.
struct Witness {
    dislodged: Vec<Dislodged>,
    /// The units whose retreats were sent with the orders; they are listed with their former places.
    listed: Option<Vec<DislodgedUnit>>,
    happenings: Happenings,
    events: Vec<EventLine>,
    /// The ground before the phase.
    before: Arc<MapTables>,
}

impl Witness {
    fn new(game: &Game) -> Witness {
        let before = Arc::clone(&game.world().terrain);
        let happenings = Happenings::default();
        Witness { dislodged: Vec::new(), listed: None, happenings, events: Vec::new(), before }
    }

    /// The dislodged units by province, with the possible retreats of those still there. `terrain` is the
    /// ground at that time; a unit whose province has been renamed since the orders keeps its name from before.
    fn list_dislodged(
        &self,
        now: impl Iterator<Item = (Dislodged, Vec<Location>)>,
        terrain: &MapTables,
    ) -> Vec<DislodgedUnit> {
        let before = self.before.names();
        let mut all = self.dislodged.clone();
        all.sort_by_key(|unit| unit.at);
        let now = now.map(Some).chain(std::iter::repeat(None));
        let names = terrain.names();
        let holes = terrain.chart().map().holes();
        let mut listed: Vec<DislodgedUnit> = Vec::with_capacity(all.len());
        for (was, now) in all.into_iter().zip(now) {
            let (Dislodged { unit, at, attacker, .. }, options) = now.unwrap_or((was, Vec::new()));
            let place = |coast| Location { province: at, coast };
            let renamed = names.province(at) != before.province(at); // split since (rules.md 4.11)
            let text = if holes.contains(at) || renamed {
                before.unit(place(was.unit.coast), unit.designation()).to_string()
            } else {
                names.unit(place(unit.coast), unit.designation()).to_string()
            };
            let power = terrain.power_names().name(unit.power);
            let of_power = listed.iter().filter(|other| other.power == power);
            let alike = of_power.filter(|other| other.unit.split('#').next() == Some(&text)).count();
            listed.push(DislodgedUnit {
                unit: if alike == 0 { text } else { format!("{text}#{}", alike + 1) },
                power: power.to_owned(),
                from: attacker.map(|from| before.province(from).to_owned()),
                options: sorted(options.iter().map(|&to| names.location(to, unit.kind).to_string())),
            });
        }
        listed
    }
}

/// The units that wait for their retreats, each with its options; empty if none has an option.
fn waiting(game: &Game) -> impl Iterator<Item = (Dislodged, Vec<Location>)> {
    let units = match game.stage() {
        Stage::Retreats => game.dislodged().dislodged.as_slice(),
        _ => &[],
    };
    units.iter().enumerate().map(|(i, &unit)| (unit, game.retreat_options(i)))
}

impl Log for Witness {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        self.events.push(EventLine::new(event.description(), terrain));
        match event {
            Event::Dislodged(unit) => self.dislodged.push(*unit),
            Event::Swallowed { entering_from: Some(from), .. } => {
                self.dislodged.retain(|unit| unit.at != *from);
            }
            _ => self.happenings.event(at, terrain, event),
        }
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        self.happenings.settled(settlement);
        if let Settled::Retreats { waiting, options, .. } = settlement.settled
            && !options.is_empty()
        {
            let units = waiting.dislodged.iter().copied().zip(options.iter().cloned());
            self.listed = Some(self.list_dislodged(units, settlement.terrain));
        }
    }
}
