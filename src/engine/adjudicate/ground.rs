//! The ground of a position: the map after its events (`map_events`), and the map events of a phase.
//!
//! Seismic events carry the waterway choices of the powers that ordered them, and those of one phase happen
//! at once. A list of such events therefore represents the successful orders of that phase, each given by a
//! different power, and their choices are put to the vote again.

use std::sync::Arc;

use super::request::{Happened, Request};
use super::{EventFault, RequestError, waterways};
use crate::changes::MapChanges;
use crate::rules::event::{Event, Log};
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::seismic::Waterways;
use crate::rules::notation::WrittenSeismic;
use crate::rules::position::{Phase, PhaseKind};
use crate::rules::seismic::{self, SeismicOrder, SeismicOrders, SeismicOutcome};
use crate::rules::settlement::{Settled, Settlement};
use crate::rules::variant::Variant;
use upheaval_map::ids::{Power, ProvinceSet};
use upheaval_map::topology::{MapEvent, NamedMap, Quake, SurgeryError};

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
    founded.iter().for_each(|centre| chart.found_centre(centre));
    let mut past_holes = ProvinceSet::EMPTY;
    for happened in &request.map_events {
        chart.begin_change();
        apply(happened, &mut chart)?;
        past_holes |= chart.map().holes();
    }
    if let Some(listed) = listed {
        let laid = waterways::read(listed, &chart).map_err(|message| RequestError::Waterways { message })?;
        chart.set_waterways(laid);
    }
    Ok((Arc::new(MapTables::new(chart)), past_holes))
}

/// The supply centres that rising water has created before the phase.
pub(super) fn founded(variant: &Variant, phase: Phase) -> ProvinceSet {
    // A seismic phase in Winter comes after the water has risen.
    let this_year =
        phase.kind == PhaseKind::Seismic && phase.season == crate::rules::position::Season::Winter;
    let before = phase.year.saturating_add(u16::from(this_year));
    variant.deluge().map_or(ProvinceSet::EMPTY, |deluge| deluge.founded_in(variant.first_phase.year..before))
}

/// Do straits and canals depend on isthmuses, so that a position must list them?
pub(super) fn has_isthmuses(variant: &Variant) -> bool {
    variant.seismic().is_some_and(|seismic| seismic.waterways == Waterways::Isthmuses)
}

/// Applies an event, or several simultaneous ones, to the chart.
fn apply(happened: &Happened, chart: &mut NamedMap) -> Result<(), RequestError> {
    let texts = happened.texts();
    let fault = |text: &str, reason: EventFault| RequestError::Event {
        field: "map_events",
        event: text.to_owned(),
        reason: Box::new(reason),
    };
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

/// Applies simultaneous seismic events, each as the order of one power.
fn shake(
    texts: &[String],
    chart: &mut NamedMap,
    fault: &dyn Fn(&str, EventFault) -> RequestError,
) -> Result<(), RequestError> {
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
    pub all: Vec<Happened>,
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
            let said = match order.wishes.is_empty() {
                true => {
                    others.any(|other| !other.wishes.is_empty())
                        || kept.iter().any(|k| k.quake == order.quake)
                }
                false => false,
            };
            if !said {
                kept.push(order);
            }
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
