//! The requests to a program: a decision with everything that its power may see, as JSON, and the map as the program
//! knows it, first as a whole and then by its changes.

use serde_json::{Map, Value, json};
use upheaval_engine::ask::{Ask, Exempt, Observation, RetreatChoice, Retreating, Retreats, Trapped};
use upheaval_engine::bot::SettledStage;
use upheaval_engine::ids::{Designation, Location, ProvinceId, ProvinceSet};
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::changes::ComingChange;
use upheaval_engine::rules::game_state::CoastChoice;
use upheaval_engine::rules::legal;
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::rules::notation::{WrittenOrder, WrittenSeismic};
use upheaval_engine::topology::MapEvent;
use upheaval_engine::topology::report::MapReport;

/// The kind of decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum DecisionKind {
    /// Orders to all units, an exempt centre, an announcement.
    Movement,
    /// Orders to dislodged units.
    Retreats,
    /// Builds.
    Builds,
    /// Removals.
    Removals,
    /// A seismic order.
    Seismic,
    /// The coast of a fleet, or what becomes of one without a coast.
    Coasts,
}

impl DecisionKind {
    /// The kind of a question.
    pub(super) fn of(ask: &Ask) -> DecisionKind {
        match ask {
            Ask::Exempt(_) | Ask::Announce(_) | Ask::Poll(_) | Ask::Movement(_) => DecisionKind::Movement,
            Ask::Retreats(_) => DecisionKind::Retreats,
            Ask::Adjustments(adjustments) => match adjustments.owed() {
                Owed::Builds(_) => DecisionKind::Builds,
                Owed::Removals(_) => DecisionKind::Removals,
            },
            Ask::Seismic(_) => DecisionKind::Seismic,
            Ask::Coast(_) | Ask::Trapped(_) => DecisionKind::Coasts,
        }
    }

    /// The word in `asks`.
    pub(super) const fn name(self) -> &'static str {
        match self {
            DecisionKind::Builds | DecisionKind::Removals => "adjustments",
            other => other.plural(),
        }
    }

    /// What is counted, in words.
    pub(super) const fn plural(self) -> &'static str {
        match self {
            DecisionKind::Movement => "movement",
            DecisionKind::Retreats => "retreats",
            DecisionKind::Builds => "builds",
            DecisionKind::Removals => "removals",
            DecisionKind::Seismic => "seismic",
            DecisionKind::Coasts => "coasts",
        }
    }
}

/// The units and centres of all powers, as `upheaval adjudicate` takes them.
pub(super) fn powers(seen: &Observation<'_>) -> Value {
    let names = seen.names();
    let mut powers = Map::new();
    for power in seen.powers() {
        if seen.position.is_out(power) {
            continue;
        }
        let units = sorted(seen.position.units_of(power).iter().map(|at| unit_text(seen, at)));
        let centres = provinces(seen, *seen.position.centres_of(power));
        powers.insert(names.power(power).to_owned(), json!({ "units": units, "centers": centres }));
    }
    powers.into()
}

/// Adds the units that must retreat, with the places that they can go to, to the units and centres of their powers.
pub(super) fn retreating(units: &[Retreating], powers: &mut Value) {
    for Retreating { power, unit, options } in units {
        let told = json!({ "unit": unit, "options": options });
        let of_power = &mut powers[power];
        if of_power.is_null() {
            *of_power = json!({ "units": [], "centers": [] });
        }
        match &mut of_power["retreats"] {
            Value::Array(list) => list.push(told),
            first => *first = json!([told]),
        }
    }
}

/// A settled stage: the position, the orders, and their results.
pub(super) fn past(past: &SettledStage) -> Value {
    let mut powers = Map::new();
    for power in past.units.keys().chain(past.centres.keys()) {
        let of = |texts: Option<&Vec<String>>| sorted(texts.into_iter().flatten().cloned());
        let (units, centres) = (of(past.units.get(power)), of(past.centres.get(power)));
        powers.insert(power.clone(), json!({ "units": units, "centers": centres }));
    }
    let mut powers = Value::Object(powers);
    retreating(&past.retreats, &mut powers);
    let mut orders: Map<String, Value> = Map::new();
    for order in &past.orders {
        push(&mut orders, &order.power, json!({ "order": order.order, "result": order.words }));
    }
    json!({ "phase": past.phase.to_string(), "powers": powers, "orders": orders })
}

/// The information open to the power besides units and centres; empty parts are left out.
pub(super) fn circumstances(seen: &Observation<'_>, into: &mut Value) {
    let names = seen.names();
    for (key, set) in [("doomed", seen.doomed), ("sinking", seen.sinking())] {
        if !set.is_empty() {
            into[key] = provinces(seen, set).into();
        }
    }
    let coming = seen.coming().into_iter().map(|ComingChange { date, face, verb }| {
        json!({ "date": date.to_string(), "place": names.province(face), "change": verb.name() })
    });
    let coming: Vec<Value> = coming.collect();
    if !coming.is_empty() {
        into["coming"] = coming.into();
    }
    if let Some(centre) = seen.exempt {
        into["exempt"] = names.province(centre).into();
    }
    let announced: Map<String, Value> = seen
        .powers()
        .iter()
        .filter_map(|power| {
            Some((names.power(power).to_owned(), names.province(seen.announced(power)?).into()))
        })
        .collect();
    if !announced.is_empty() {
        into["announced"] = announced.into();
    }
    let mut swallowed: Map<String, Value> = Map::new();
    for gone in seen.swallowed {
        let text = format!("{} {}", gone.unit.designation(), names.province(gone.hole));
        push(&mut swallowed, names.power(gone.unit.power), text.into());
    }
    if !swallowed.is_empty() {
        into["swallowed"] = swallowed.into();
    }
}

/// Adds a value to the list with this key.
fn push(lists: &mut Map<String, Value>, key: &str, value: Value) {
    match lists.entry(key).or_insert_with(|| json!([])) {
        Value::Array(list) => list.push(value),
        _ => unreachable!("all values are lists"),
    }
}

/// The orders that were refused since the last message; they are left out if there are none.
pub(super) fn refused(refused: &mut Vec<Value>, into: &mut Value) {
    if !refused.is_empty() {
        into["refused"] = std::mem::take(refused).into();
    }
}

/// What may be chosen; `legal` adds the legal orders.
pub(super) fn choices(seen: &Observation<'_>, ask: &Ask, legal: bool, into: &mut Value) {
    match ask {
        Ask::Exempt(_) | Ask::Announce(_) | Ask::Poll(_) | Ask::Movement(_) => orders(seen, legal, into),
        Ask::Retreats(Retreats { choices }) => dislodged(seen, choices, into),
        Ask::Adjustments(adjustments) => match adjustments.owed() {
            Owed::Builds(count) => {
                let builds = adjustments.builds(seen.board);
                let written =
                    builds.iter().filter_map(|&build| WrittenOrder::from_adjustment(seen.position, build));
                let texts: Vec<String> =
                    written.map(|order| order.display(seen.names()).to_string()).collect();
                into["builds"] = count.into();
                into["sites"] = texts.into();
            }
            Owed::Removals(count) => into["removals"] = count.into(),
        },
        Ask::Coast(choice) => coast(seen, choice, into),
        Ask::Trapped(Trapped { fleet }) => {
            let fleet = format!("{} {}", Designation::Fleet, seen.names().province(*fleet));
            into["trapped"] = json!([fleet]);
        }
        Ask::Seismic(_) if legal => {
            let map = seen.terrain().chart().map();
            let texts =
                seen.quakes().iter().map(|&quake| WrittenSeismic::from_order(map, &quake.into()).to_string());
            into["quakes"] = texts.collect();
        }
        Ask::Seismic(_) => {}
    }
}

/// A movement phase.
fn orders(seen: &Observation<'_>, legal: bool, into: &mut Value) {
    let names = seen.names();
    let mut polls = Map::new();
    seen.each_ask(|ask| match ask {
        Ask::Exempt(Exempt { choices }) => {
            into["exempt_choices"] = provinces(seen, choices).into();
        }
        Ask::Announce(_) => into["may_announce"] = true.into(),
        Ask::Poll(poll) => {
            let options = poll.options.iter().map(|option| json!(**option)).collect();
            polls.insert(poll.topic.to_string(), options);
        }
        _ => {}
    });
    if seen.listing.is_allowed() {
        into["may_list_retreats"] = true.into();
    }
    if !polls.is_empty() {
        into["polls"] = polls.into();
    }
    if !legal {
        return;
    }
    let (mut all, mut landings, mut retreats) = (Map::new(), Map::new(), Map::new());
    let mut orders = Vec::new();
    for unit in *seen.position.units_of(seen.power) {
        let text = unit_text(seen, unit);
        seen.legal_orders(unit, &mut orders);
        let written = orders.iter().filter_map(|&order| WrittenOrder::from_order(seen.position, unit, order));
        let texts: Vec<String> = written.map(|order| order.display(names).to_string()).collect();
        all.insert(text.clone(), texts.into());
        if let Some(standing) = seen.position.unit(unit).filter(|_| seen.listing.is_allowed()) {
            let places = seen.ways_from(unit).map(|to| names.location(to, standing.kind).to_string());
            retreats.insert(text.clone(), sorted(places).into());
        }
        let ashore = legal::landings(seen.board, seen.position, seen.chains, unit);
        let texts: Vec<String> =
            ashore.map(|landing| WrittenOrder::from_landing(landing).display(names).to_string()).collect();
        if !texts.is_empty() {
            landings.insert(text, texts.into());
        }
    }
    into["legal"] = all.into();
    for (key, of_units) in [("landings", landings), ("retreats", retreats)] {
        if !of_units.is_empty() {
            into[key] = of_units.into();
        }
    }
}

/// A retreat phase.
fn dislodged(seen: &Observation<'_>, choices: &[RetreatChoice], into: &mut Value) {
    let waiting = seen.retreating();
    let listed = choices.iter().map(|choice| {
        let Retreating { unit, options, .. } = &waiting[choice.unit];
        let from = choice.dislodged.attacker.map(|from| seen.names().province(from));
        json!({ "unit": unit, "from": from, "options": sorted(options.iter().cloned()) })
    });
    into["dislodged"] = listed.collect();
}

/// A fleet whose coast must be chosen.
fn coast(seen: &Observation<'_>, choice: &CoastChoice, into: &mut Value) {
    let names = seen.names();
    let name = |coast| {
        let at = Location { province: choice.fleet, coast };
        names.coast(at).unwrap_or_default().to_owned()
    };
    let options: Vec<String> = choice.coasts.iter().map(|&coast| name(coast)).collect();
    let unit = format!("{} {}", Designation::Fleet, names.province(choice.fleet));
    into["coasts"] = json!([{ "unit": unit, "options": options, "default": name(choice.default) }]);
}

/// A unit on the board.
fn unit_text(seen: &Observation<'_>, at: ProvinceId) -> String {
    seen.position.unit_named(seen.names(), at).to_string()
}

/// The names of provinces, sorted.
fn provinces(seen: &Observation<'_>, set: ProvinceSet) -> Vec<String> {
    sorted(set.iter().map(|at| seen.names().province(at).to_owned()))
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

/// The state of the map that a program has received.
#[derive(Default)]
pub(super) struct KnownMap {
    sent: Option<(u64, ProvinceSet, MapReport)>,
    /// The events since.
    events: Vec<String>,
}

/// The hash of a map as messages have it.
pub(super) fn map_hash(terrain: &MapTables) -> String {
    format!("{:016x}", terrain.hash())
}

impl KnownMap {
    /// The whole map (docs/map-command.md).
    pub(super) fn whole(&mut self, terrain: &MapTables) -> Value {
        let report = MapReport::new(terrain.chart(), terrain.board());
        let value = to_value(&report);
        self.sent = Some((terrain.hash(), *terrain.centres(), report));
        self.events.clear();
        value
    }

    /// Records an event.
    pub(super) fn happened(&mut self, event: &MapEvent) {
        self.events.push(event.to_string());
    }

    /// The changes since the last message; `None` if there are none.
    pub(super) fn changes(&mut self, terrain: &MapTables) -> Option<Value> {
        let (hash, centres) = (terrain.hash(), *terrain.centres());
        let (old_hash, old_centres, before) = self.sent.as_ref()?;
        if (hash, centres) == (*old_hash, *old_centres) && self.events.is_empty() {
            return None;
        }
        let now = MapReport::new(terrain.chart(), terrain.board());
        let faces: Map<String, Value> = now
            .faces
            .iter()
            .filter(|(name, face)| before.faces.get(*name) != Some(face))
            .map(|(name, face)| (name.clone(), to_value(face)))
            .collect();
        let gone: Vec<&String> = before.faces.keys().filter(|name| !now.faces.contains_key(*name)).collect();
        let mut changes = json!({ "events": std::mem::take(&mut self.events), "faces": faces, "gone": gone });
        // Each changed short list is sent as a whole.
        for (key, is_changed, value) in [
            ("counts", now.counts != before.counts, to_value(&now.counts)),
            ("isthmuses", now.isthmuses != before.isthmuses, to_value(&now.isthmuses)),
            ("points", now.points != before.points, to_value(&now.points)),
            ("waterways", now.waterways != before.waterways, to_value(&now.waterways)),
        ] {
            if is_changed {
                changes[key] = value;
            }
        }
        self.sent = Some((hash, centres, now));
        Some(changes)
    }
}

fn to_value(part: &impl serde::Serialize) -> Value {
    // Structs of texts, numbers and lists always serialise.
    serde_json::to_value(part).unwrap_or_default()
}
