//! The form of an answer.

use std::collections::BTreeMap;

use crate::adjudicate::position::LAST_YEAR;
use crate::adjudicate::request::{Chance, Happened, Id, PowerHoldings, Request};
use crate::adjudicate::{ground, memory};
use crate::ask::{Handicap, Observation};
use crate::game::{Ending, Game, Referee, Stage};
use crate::reading::Remark;
use crate::rules::settlement::SettledOrder;
use crate::rules::told::EventLine;
use serde::Serialize;
use serde_json::{Map, Value};
use upheaval_map::ids::Power;
use upheaval_map::topology::report::MapReport;

/// The result of a request. `docs/adjudicate.md` describes every key.
#[derive(Serialize, Debug, Clone)]
#[allow(missing_docs)]
pub struct Answer {
    pub id: Id,
    pub phase: String,
    /// The orders of each power as they were given, each with its result words.
    pub results: BTreeMap<String, Map<String, Value>>,
    /// By power: the orders that were not given in the notation, each with its key in `results`; omitted if there are
    /// none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub read: BTreeMap<String, BTreeMap<String, String>>,
    /// Sentences on what may not be meant; omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    pub units_after: BTreeMap<String, Vec<String>>,
    pub dislodged: Vec<DislodgedUnit>,
    pub contested: Vec<String>,
    pub centers_after: BTreeMap<String, Vec<String>>,
    /// All that happened in the phase, in order; omitted if nothing did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventLine>,
    /// A sentence on each of the events, in the same order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<String>,
    /// The legal orders of each power at the position, by unit. Present only on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<BTreeMap<String, Map<String, Value>>>,
    /// The fleets that had to choose; omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<FleetChoice>,
    /// The board, after a seismic phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<MapReport>,
    /// What else the variant remembers, in the form that a request takes; omitted if empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<StateAfter>,
    /// For each power, the reasons why orders failed. Present only on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<BTreeMap<String, Map<String, Value>>>,
    /// The next request, without orders, if the game continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<Request>>,
    /// How the game ended, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<EndingReport>,
}

impl Answer {
    /// The answer as one line of JSON, without its end.
    ///
    /// # Errors
    /// None that can occur: every key is a text.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// What a variant remembers after a phase.
#[derive(Serialize, Debug, Clone, PartialEq, Eq, Default)]
pub struct StateAfter {
    /// The units of each power that vanished with a hole, each named by the hole.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub swallowed: BTreeMap<String, Vec<String>>,
    /// How many movement phases the armies aboard have ended there, if the variant limits it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub seasons_aboard: BTreeMap<String, u8>,
}

/// A unit that must retreat.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct DislodgedUnit {
    pub unit: String,
    pub power: String,
    pub from: Option<String>,
    pub options: Vec<String>,
}

/// A fleet whose coast was divided or has vanished. If the request is repeated with one of the orders, the
/// phase is settled with that choice.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
pub struct FleetChoice {
    /// The fleet, without a coast: `F BUL`.
    pub unit: String,
    /// The owner.
    pub power: String,
    /// The orders that it can be given: `F BUL COAST SC`, or `F MUN D` for a trapped fleet.
    pub orders: Vec<String>,
}

/// How a game ended.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
pub struct EndingReport {
    /// The power that won alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// The powers that share a draw; empty if no power is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Vec<String>>,
    /// The place of every power, from 1; tied powers share a place.
    pub places: BTreeMap<String, u8>,
}

/// Results and reasons by power, gathered order by order.
#[derive(Default)]
pub(super) struct Results {
    pub words: BTreeMap<String, Map<String, Value>>,
    pub reasons: BTreeMap<String, Map<String, Value>>,
    /// The orders that were read otherwise than they were given.
    pub read: BTreeMap<String, BTreeMap<String, String>>,
    pub warnings: Vec<String>,
    /// How often each text of a power has occurred so far.
    times: BTreeMap<(String, String), usize>,
}

impl Results {
    /// Reserves the place of an order, so that results are in the order of the orders; ` #2` distinguishes
    /// the second of two equal texts. Returns the key.
    pub(super) fn reserve(&mut self, power: &str, text: &str) -> String {
        let of_power = self.words.entry(power.to_owned()).or_default();
        let n = self.times.entry((power.to_owned(), text.to_owned())).or_insert(0);
        let key = loop {
            *n += 1;
            let key = if *n == 1 { text.to_owned() } else { format!("{text} #{n}") };
            if !of_power.contains_key(&key) {
                break key; // unless an order is written like the key of a repeated one
            }
        };
        of_power.insert(key.clone(), Value::Array(Vec::new()));
        key
    }

    /// Notes how an order was read.
    pub(super) fn note(&mut self, power: &str, given: &str, text: &str, key: &str, remark: Option<Remark>) {
        if given != text {
            let read = self.read.entry(power.to_owned()).or_default();
            read.entry(given.to_owned()).or_insert_with(|| key.to_owned());
        }
        self.warnings.extend(remark.map(|remark| format!("{power} {given}: {remark}")));
    }

    /// Writes the result words of the order with this key and, if it failed, the reason.
    pub(super) fn write(&mut self, key: &str, SettledOrder { power, words, reason, .. }: SettledOrder) {
        self.words.entry(power.clone()).or_default().insert(key.to_owned(), words.into());
        if let Some(reason) = reason {
            self.reasons.entry(power).or_default().insert(key.to_owned(), reason.into());
        } else if let Some(reasons) = self.reasons.get_mut(&power) {
            reasons.shift_remove(key);
        }
    }
}

/// The legal orders of each power that has any, by unit or other subject.
pub(super) fn legal_orders(game: &Game, referee: &mut Referee) -> BTreeMap<String, Map<String, Value>> {
    referee.prepare(game);
    let mut all = BTreeMap::new();
    for power in game.powers() {
        let mut own = Map::new();
        for choice in Observation::new(game, referee.chains(), power, Handicap::NONE).all_choices() {
            let orders: Vec<Value> = choice.orders.into_iter().map(|order| order.text.into()).collect();
            own.insert(choice.subject, orders.into());
        }
        if !own.is_empty() {
            all.insert(game.power_names().name(power).to_owned(), own);
        }
    }
    all
}

// The next step after a phase: the next request, without orders, or the ending of the game.

/// The request for the phase that the game waits for. `happened` are the map events of the phase of `asked`,
/// `nature` the draws still to be made.
pub(super) fn request(asked: &Request, game: &Game, happened: Vec<Happened>, nature: Chance) -> Request {
    let map_events = asked.map_events.iter().cloned().chain(happened).collect();
    Request {
        id: asked.id.clone(),
        variant: asked.variant.clone(),
        rulebook: asked.rulebook.clone(),
        strict: asked.strict,
        legal: asked.legal,
        parameters: asked.parameters.clone(),
        last_year: asked.last_year,
        ..Request::of(game, map_events, nature)
    }
}

impl Request {
    /// The state of a game as text, after these map events and with these draws to come. The game must wait for orders
    /// other than choices of coasts.
    pub(crate) fn of(game: &Game, map_events: Vec<Happened>, nature: Chance) -> Request {
        let contested = match game.stage() {
            Stage::Retreats => ground::names(game.dislodged().contested, game.terrain()),
            _ => Vec::new(),
        };
        Request {
            id: Id::default(),
            variant: game.variant().id.clone(),
            rulebook: None,
            strict: false,
            legal: false,
            parameters: BTreeMap::new(),
            last_year: Some(game.last_year().max(game.phase().year)).filter(|&year| year < LAST_YEAR),
            phase: game.phase().to_string(),
            map_events,
            nature,
            state: memory::write(game),
            powers: powers(game),
            contested,
            orders: None,
        }
    }
}

/// The entries of all powers that have any units, centres or retreats.
fn powers(game: &Game) -> BTreeMap<String, PowerHoldings> {
    let world = game.world();
    let (mut units, mut centres) = (world.written_units(), world.written_centres());
    let mut entry = |power: Power| {
        let name = game.power_names().name(power);
        let entry = PowerHoldings {
            units: units.remove(name).unwrap_or_default(),
            centers: centres.remove(name).unwrap_or_default(),
            retreats: match game.stage() {
                Stage::Retreats => memory::write_retreats(game, power),
                _ => Vec::new(),
            },
        };
        (name.to_owned(), entry)
    };
    let has_any = |entry: &PowerHoldings| {
        !(entry.units.is_empty() && entry.centers.is_empty() && entry.retreats.is_empty())
    };
    game.powers().iter().map(&mut entry).filter(|(_, entry)| has_any(entry)).collect()
}

/// How a finished game ended.
pub(super) fn ending(game: &Game) -> Option<EndingReport> {
    let names = game.power_names();
    let name = |&power: &Power| names.name(power).to_owned();
    let (winner, draw) = match game.ending()? {
        Ending::Solo(winner) => (Some(name(winner)), None),
        Ending::Draw(powers) => (None, Some(powers.iter().map(name).collect())),
    };
    Some(EndingReport { winner, draw, places: names.by_name(game.places().into_iter()) })
}
