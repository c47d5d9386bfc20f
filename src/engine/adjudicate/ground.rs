//! The ground of a position: the map after its events (`map_events`), and the map events of a phase.
//!
//! Seismic events carry the waterway choices of the powers that ordered them, and those of one phase happen
//! at once. A list of such events therefore represents the successful orders of that phase, each given by a
//! different power, and their choices are put to the vote again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::adjudicate::request::{EventFault, Happened, MapEventError, Request, RequestError};
use crate::diagnostic::{suggest, wording};
use crate::rules::event::{Event, Log, MapChanges};
use crate::rules::map_tables::MapTables;
use crate::rules::notation::WrittenSeismic;
use crate::rules::position::Phase;
use crate::rules::seismic;
use crate::rules::seismic::{SeismicOrder, SeismicOrders, SeismicOutcome};
use crate::rules::settlement::{Settled, Settlement};
use crate::rules::variant::Waterways;
use crate::rules::variant::parameter::is_parameter;
use crate::rules::variant::setting::Setting;
use crate::rules::variant::{Variant, parameter};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use upheaval_map::ids::{Power, PowerNames, ProvinceId, ProvinceSet};
use upheaval_map::topology::{
    CanalEnd, CanalOrigin, Face, FaceKind, HalfEdgeId, MapEvent, NamedMap, PlanarMap, Quake, SplitEnd,
    SurgeryError, Waterway,
};

/// The ground before the phase: after the events of the request, and including the centres that have been
/// founded by then; and the faces that have ever been holes.
pub(super) fn terrain(
    request: &Request,
    variant: &Variant,
    phase: Phase,
) -> Result<(Arc<MapTables>, ProvinceSet), RequestError> {
    let founded = founded(variant, phase);
    let listed = request.state.waterways.as_ref().filter(|_| has_isthmuses(variant));
    if request.map_events.is_empty() && founded.is_empty() && listed.is_none() {
        return Ok((Arc::clone(&variant.terrain), ProvinceSet::EMPTY));
    }
    let mut chart = variant.terrain.chart().clone();
    founded.iter().for_each(|centre| chart.found_centre(centre, None));
    let mut past_holes = ProvinceSet::EMPTY;
    for happened in &request.map_events {
        chart.begin_change();
        happened.apply(&mut chart).map_err(|fault| RequestError::at("map_events", fault))?;
        past_holes |= chart.map().holes();
    }
    if let Some(listed) = listed {
        let laid = read(listed, &chart).map_err(|fault| RequestError::at("state.waterways", fault))?;
        chart.set_waterways(laid);
    }
    Ok((Arc::new(MapTables::new(chart)), past_holes))
}

/// The supply centres that schedules have founded before the phase.
pub(super) fn founded(variant: &Variant, phase: Phase) -> ProvinceSet {
    variant.changes.founded_before(variant.first_phase, phase, variant.terrain.chart().map())
}

/// Do straits and canals depend on isthmuses, so that a position must list them?
pub(super) fn has_isthmuses(variant: &Variant) -> bool {
    variant.waterways == Some(Waterways::Isthmuses)
}

impl Happened {
    /// Applies the event, or the simultaneous ones, to a board.
    ///
    /// # Errors
    /// A text is not an event, or an event is not possible on the board, which may then be half changed.
    pub fn apply(&self, chart: &mut NamedMap) -> Result<(), MapEventError> {
        let texts = self.texts();
        let fault = |text: &str, fault: EventFault| MapEventError::new(text, &fault);
        let Some(first) = texts.first() else { return Err(fault("[]", EventFault::Empty)) };
        let quakes = texts.iter().filter(|text| WrittenSeismic::is_one(text)).count();
        if quakes == 0 {
            for text in texts {
                let event: MapEvent = text.parse().map_err(|error| fault(text, EventFault::Text(error)))?;
                event.apply(chart).map_err(|error| fault(text, EventFault::Surgery(error)))?;
            }
            return Ok(());
        }
        if quakes < texts.len() {
            let other = texts.iter().find(|text| !WrittenSeismic::is_one(text)).unwrap_or(first);
            return Err(fault(other, EventFault::Mixed));
        }
        shake(texts, chart, &fault)
    }
}

/// Applies simultaneous seismic events, each as the order of one power.
fn shake(
    texts: &[String],
    chart: &mut NamedMap,
    fault: &dyn Fn(&str, EventFault) -> MapEventError,
) -> Result<(), MapEventError> {
    let powers = chart.powers();
    let mut orders = SeismicOrders::new(powers);
    let mut standing: Vec<Quake> = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let written = WrittenSeismic::parse(text).map_err(|error| fault(text, error.into()))?;
        let order = written.resolve(chart.map()).map_err(|error| fault(text, error.into()))?;
        if !chart.map().allows(order.quake) {
            return Err(fault(text, SurgeryError::Contradiction.into()));
        }
        if !standing.contains(&order.quake) {
            standing.push(order.quake);
        }
        let Some(giver) = powers.get(i) else {
            return Err(fault(text, EventFault::TooManyAtOnce(powers.len())));
        };
        orders[giver] = Some(order);
    }
    seismic::apply(chart, &orders, &standing).map_err(|error| fault(&texts.join(", "), error.into()))
}

/// Collects the map events of a game.
#[derive(Clone, Default)]
pub(crate) struct Happenings {
    pub(crate) all: Vec<Happened>,
    changes: MapChanges,
}

impl Happenings {
    /// Those of a game that goes on after these.
    pub(crate) fn after(all: &[Happened]) -> Happenings {
        Happenings { all: all.to_vec(), ..Happenings::default() }
    }
}

impl Log for Happenings {
    fn event(&mut self, _: Phase, terrain: &MapTables, event: &Event) {
        if let Some(change) = self.changes.of_event(terrain, event) {
            self.all.push(Happened::One(change.to_string()));
        }
    }

    /// Records the successful seismic orders. Among identical orders, those without a waterway choice are left out.
    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Seismic { orders, outcomes } = settlement.settled else { return };
        let is_done = |power: Power| outcomes[power] == Some(SeismicOutcome::Done);
        let done: Vec<&SeismicOrder> = orders
            .iter()
            .filter(|(power, _)| is_done(*power))
            .filter_map(|(_, order)| order.as_ref())
            .collect();
        let mut kept: Vec<&SeismicOrder> = Vec::with_capacity(done.len());
        for order in &done {
            let mut others = done.iter().filter(|other| other.quake == order.quake);
            let is_said = order.wishes.is_empty()
                && (others.any(|other| !other.wishes.is_empty())
                    || kept.iter().any(|other| other.quake == order.quake));
            kept.extend((!is_said).then_some(order));
        }
        let map = settlement.terrain.chart().map();
        let mut texts: Vec<String> =
            kept.into_iter().map(|order| WrittenSeismic::from_order(map, order).event_text()).collect();
        match texts.len() {
            0 => {}
            1 => self.all.extend(texts.pop().map(Happened::One)),
            _ => self.all.push(Happened::Together(texts)),
        }
    }
}

// Parameters of a request's variant: values that replace those in its file, as `--set` does in an
// experiment.
//
// A key is that of the file, such as `changes.new-centres.shift`, or only its last part where that is unambiguous:
// `shift`.

/// The settings for a request's parameters; `plain` is the variant without them.
pub(super) fn settings(
    parameters: &BTreeMap<String, Value>,
    plain: &Variant,
) -> Result<Vec<Setting>, RequestError> {
    let mut settings: Vec<Setting> = Vec::with_capacity(parameters.len());
    for (key, value) in parameters {
        let fault = |fault: String| RequestError::at(format_args!("parameters.{key}"), fault);
        let parameter = full_key(key, value, plain).map_err(fault)?;
        if settings.iter().any(|other| other.parameter == parameter) {
            return Err(fault(format!("`{parameter}` is set twice")));
        }
        let value = toml::Value::try_from(value).map_err(|_| {
            fault("expected a value without `null` and without numbers beyond 64 bits".to_owned())
        })?;
        settings.push(Setting { parameter, value });
    }
    Ok(settings)
}

fn last_part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// The full key in the file; the variant's own parameters take precedence.
fn full_key(key: &str, value: &Value, plain: &Variant) -> Result<String, String> {
    let is_short = |name: &&str| last_part(name) == key;
    let parameters = plain.parameters();
    let mut own: Vec<&str> = parameters.iter().map(|own| own.key.as_str()).filter(is_short).collect();
    if own.iter().any(|own| plain.states(own)) {
        own.retain(|own| plain.states(own));
    }
    // A section may have the same name as another section's key; only a table can replace a section.
    let is_section = !parameter::keys().any(|name| name == key) && !value.is_object();
    if is_parameter(key) && (key.contains('.') || !is_section || own.is_empty()) {
        return Ok(key.to_owned());
    }
    let all = || parameter::keys().filter(is_short).collect();
    let found: Vec<&str> = if own.is_empty() { all() } else { own };
    match found[..] {
        [only] => Ok(only.to_owned()),
        [] if key.contains('.') => Err(format!("a variant has no such parameter; {}", parameter::known(key))),
        [] => {
            let mut known: BTreeSet<&str> = parameters.iter().map(|own| last_part(&own.key)).collect();
            for name in parameter::keys() {
                known.insert(last_part(name));
            }
            Err(format!("a variant has no such parameter; {}", suggest(key, known)))
        }
        _ => Err(format!("ambiguous key, could be any of {}; write the whole key", found.join(", "))),
    }
}

// The straits and canals of a position (`state.waterways`), in the form in which a map is printed
// (docs/map-command.md).
//
// The printed form names seas rather than borders. Where a province meets a sea more than once, `#2` after
// the sea picks the stretch. Without it, the entry means the canal that the events of the request have made;
// else one beside an isthmus, where canals begin; else one that joins two shores. The same holds for the
// second province of a strait.
//
// A waterway ends at seas, at holes and ice that were seas, or at points, through which water meets water. The map may
// have others, because its file may lay them anywhere; these can be listed as well.

#[derive(Serialize, Deserialize)]
struct Entry {
    kind: String,
    r#in: Vec<String>,
    ends: [String; 2],
    #[serde(default, skip_serializing_if = "CanalOrigin::is_natural")]
    origin: CanalOrigin,
}

/// The straits and canals of a map in a form from which [`read`] restores each of them.
pub(super) fn write(map: &PlanarMap) -> Value {
    let entries: Vec<Entry> = map.waterways().filter_map(|waterway| written(waterway, map)).collect();
    // Plain strings cannot fail to serialise.
    serde_json::to_value(entries).unwrap_or_default()
}

fn written(waterway: &Waterway, map: &PlanarMap) -> Option<Entry> {
    let name = |id| map.name(id).to_owned();
    match waterway {
        Waterway::Canal { province, ends, origin } => {
            let first = |end: &CanalEnd| map.sides_of(*province).find(|side| end.contains(side.border()));
            let [x, y] = ends.each_ref().map(first);
            let ends = [x?, y?].map(|side| SplitEnd::of(map, side).to_string());
            Some(Entry { kind: "canal".to_owned(), r#in: vec![name(*province)], ends, origin: *origin })
        }
        &Waterway::Strait { border, provinces: [first, _] } => {
            let side = border.sides().into_iter().find(|&side| map.owner(side) == first)?;
            let r#in = vec![name(first), SplitEnd::of(map, side).to_string()];
            let ends = map.flanks(side)?.map(name);
            Some(Entry { kind: "strait".to_owned(), r#in, ends, origin: CanalOrigin::Natural })
        }
        // Passages follow from the map.
        Waterway::Passage { .. } => None,
    }
}

/// The straits and canals of the position; all others are removed.
pub(super) fn read(value: &Value, chart: &NamedMap) -> Result<Vec<Waterway>, String> {
    let map = chart.map();
    let entries: Vec<Entry> = serde_json::from_value(value.clone())
        .map_err(|error| format!("expected waterways as a map is printed: {}", wording::of_json(&error)))?;
    let mut laid: Vec<Waterway> = Vec::with_capacity(entries.len());
    for entry in &entries {
        let fitting = fitting(entry, map)?;
        let unused: Vec<&Waterway> =
            fitting.iter().filter(|waterway| !laid.iter().any(|other| other.is_same(waterway))).collect();
        let best = unused.iter().copied().find(|waterway| has(map, waterway)).or(unused.first().copied());
        laid.extend(best.cloned().map(|waterway| waterway.with_origin(entry.origin))); // duplicates are merged
    }
    Ok(laid)
}

/// The waterways that an entry can mean, the likeliest first; at least one.
fn fitting(entry: &Entry, map: &PlanarMap) -> Result<Vec<Waterway>, String> {
    let find = |name: &String| across(map, name).map(|(face, _)| face);
    let ends = [find(&entry.ends[0])?, find(&entry.ends[1])?];
    let found = match (entry.kind.as_str(), &entry.r#in[..]) {
        ("canal", [through]) => {
            let through_id = find(through)?;
            let stretches = |end: &String| stretches(map, through_id, end);
            let found = canals(map, through_id, [stretches(&entry.ends[0])?, stretches(&entry.ends[1])?]);
            if found.is_empty() {
                return Err(format!("{through} does not lie on {} and {}", entry.ends[0], entry.ends[1]));
            }
            found
        }
        ("strait", [a, b]) => {
            let fits = |flanks: [ProvinceId; 2]| flanks == ends || flanks == [ends[1], ends[0]];
            let found: Vec<Waterway> = stretches(map, find(a)?, b)?
                .into_iter()
                .filter(|&side| map.flanks(side).is_some_and(fits))
                .map(|side| (side.border(), [map.owner(side), map.across(side)]))
                .map(|(border, provinces)| Waterway::Strait { border, provinces })
                .collect();
            if found.is_empty() {
                let [x, y] = &entry.ends;
                return Err(format!("{a} and {b} share no border from {x} to {y}"));
            }
            found
        }
        (kind, _) => {
            return Err(format!(
                "`{kind}` with these provinces is not a waterway; there are canals and straits"
            ));
        }
    };
    let is_water = |face: ProvinceId| {
        map.face(face)
            .is_some_and(|face| matches!(face.kind(), FaceKind::Sea | FaceKind::Ice | FaceKind::Point))
    };
    match (0..2).find(|&i| !is_water(ends[i])) {
        Some(i) if !found.iter().any(|waterway| has(map, waterway)) => {
            Err(format!("a waterway ends at seas and points, and {} is neither", entry.ends[i]))
        }
        _ => Ok(found),
    }
}

/// Is the waterway one of the map's?
fn has(map: &PlanarMap, waterway: &Waterway) -> bool {
    map.waterways().any(|own| own.is_same(waterway))
}

/// The canals through a province between one of the first stretches and one of the second: first those of the
/// map, whose ends may have been cut, then those beside an isthmus, then those that join two shores.
fn canals(map: &PlanarMap, province: ProvinceId, [xs, ys]: [Vec<HalfEdgeId>; 2]) -> Vec<Waterway> {
    let is_sea = |side: HalfEdgeId| map.face(map.across(side)).is_some_and(Face::is_open_sea);
    let round_one = |x: HalfEdgeId, y: HalfEdgeId| {
        let between = map.next(x);
        between != y
            && map.next(between) == y
            && map.face(map.across(between)).is_some_and(Face::is_open_land)
    };
    // Along the shore between the two.
    let along =
        |x: HalfEdgeId, y: HalfEdgeId| map.cycle(x).take_while(|&side| is_sea(side)).any(|side| side == y);
    let lies_on = |end: &CanalEnd, sides: &[HalfEdgeId]| sides.iter().any(|side| end.contains(side.border()));
    let fits = |waterway: &&Waterway| match waterway {
        Waterway::Canal { province: through, ends: [x, y], .. } => {
            let joins = |one: &[HalfEdgeId], other: &[HalfEdgeId]| lies_on(x, one) && lies_on(y, other);
            *through == province && (joins(&xs, &ys) || joins(&ys, &xs))
        }
        Waterway::Strait { .. } | Waterway::Passage { .. } => false,
    };
    let made: Vec<Waterway> = map.waterways().filter(fits).cloned().collect();
    let mut found: Vec<(bool, bool, Waterway)> = Vec::new();
    for &x in &xs {
        for &y in &ys {
            let Some(canal) = Waterway::canal(province, [x, y].map(HalfEdgeId::border)) else { continue };
            if !found.iter().any(|(.., other)| other.is_same(&canal)) {
                let beside_isthmus = round_one(x, y) || round_one(y, x);
                found.push((!beside_isthmus, along(x, y) || along(y, x), canal));
            }
        }
    }
    found.sort_by_key(|&(far, one_shore, _)| (far, one_shore));
    made.into_iter().chain(found.into_iter().map(|(.., canal)| canal)).collect()
}

// Looks up names of powers and provinces in a request.

/// The power with this name. `field` is the key of the request, for errors.
pub(super) fn power(field: &'static str, name: &str, names: &PowerNames) -> Result<Power, RequestError> {
    names.named(name).map_err(|error| RequestError::at(field, error))
}

/// The entries of a table, sorted by power.
pub(super) fn by_power<'a, T>(
    field: &'static str,
    entries: &'a BTreeMap<String, T>,
    names: &PowerNames,
) -> Result<Vec<(Power, &'a T)>, RequestError> {
    entries.iter().map(|(name, entry)| Ok((power(field, name, names)?, entry))).collect()
}

/// The province with this name, case-insensitive.
pub(super) fn province(field: &str, name: &str, terrain: &MapTables) -> Result<ProvinceId, RequestError> {
    let found = terrain.names().find(&name.to_ascii_uppercase());
    found.ok_or_else(|| RequestError::at(field, format_args!("`{name}` is not a province of the board")))
}

/// The provinces of these names.
pub(super) fn provinces(
    field: &str,
    names: &[String],
    terrain: &MapTables,
) -> Result<ProvinceSet, RequestError> {
    names.iter().map(|name| province(field, name, terrain)).collect()
}

/// The names of these provinces, sorted.
pub(super) fn names(places: impl IntoIterator<Item = ProvinceId>, terrain: &MapTables) -> Vec<String> {
    sorted(places.into_iter().map(|id| terrain.names().province(id).to_owned()))
}

/// Texts in alphabetical order.
pub(super) fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

/// The face across a stretch and, if the text gives one, the number of the stretch, from 1.
pub(super) fn across(map: &PlanarMap, text: &str) -> Result<(ProvinceId, Option<usize>), String> {
    let (name, index) = match text.split_once('#') {
        Some((name, digits)) => match digits.parse::<usize>() {
            Ok(index) if index > 0 => (name, Some(index)),
            _ => return Err(format!("`{text}`: `#` is followed by a number from 1")),
        },
        None => (text, None),
    };
    let face = map.find(&name.trim().to_ascii_uppercase());
    face.map(|face| (face, index)).ok_or_else(|| format!("`{name}` is not a province of the board"))
}

/// The stretches of a province that a text can mean; exactly one if it has a number.
pub(super) fn stretches(map: &PlanarMap, of: ProvinceId, text: &str) -> Result<Vec<HalfEdgeId>, String> {
    let (face, index) = across(map, text)?;
    let found = map.stretches(of, face);
    let Some(index) = index else { return Ok(found) };
    match found.get(index - 1) {
        Some(&side) => Ok(vec![side]),
        None => Err(format!("`{text}`: {} meets it {} time(s)", map.name(of), found.len())),
    }
}
