//! From the texts of a reply to decisions. What cannot be followed is listed with the reason and changes nothing.

use upheaval_engine::bot::{Observation, OrderSheet, RetreatChoice, Trapped};
use upheaval_engine::ids::{CoastId, Designation, ProvinceId, ProvinceSet};
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::notation::{Situation, WrittenOrder, WrittenSeismic};
use upheaval_engine::rules::order::{AdjustmentOrder, Order, Orders, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;

use super::request::as_retreats;

/// An order that was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The order as it was written.
    pub order: String,
    /// Why.
    pub reason: String,
}

type Refusals = Vec<Refusal>;

fn refuse(refusals: &mut Refusals, order: &str, reason: impl ToString) {
    refusals.push(Refusal { order: order.to_owned(), reason: reason.to_string() });
}

fn situation<'a>(seen: &Observation<'a>, chains: &'a ConvoyChains) -> Situation<'a> {
    Situation { board: seen.board, position: seen.position, chains, power: seen.power }
}

/// The exempt centre that a reply to a movement request names, if it may be named.
pub fn exempt(seen: &Observation<'_>, orders: &[String]) -> Option<ProvinceId> {
    orders.iter().find_map(|text| match WrittenOrder::parse(text, seen.names()) {
        Ok(WrittenOrder::Exempt { centre }) if seen.exempt_choices.contains(centre) => Some(centre),
        _ => None,
    })
}

/// Whether it has the exempt centre announced.
pub fn announce(seen: &Observation<'_>, orders: &[String]) -> Announced {
    let says = |text: &String| matches!(WrittenOrder::parse(text, seen.names()), Ok(WrittenOrder::Announce));
    if orders.iter().any(says) { Announced::Yes } else { Announced::No }
}

/// Writes the orders of a movement phase onto the sheet; those of the fleets before the landings, which hang on them.
pub fn movement(seen: &Observation<'_>, orders: &[String], sheet: &mut OrderSheet<'_>) -> Refusals {
    let mut refusals = Vec::new();
    let situation = situation(seen, seen.chains);
    let (mut ordered, mut landed) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
    let mut landings: Vec<(&String, WrittenOrder)> = Vec::new();
    let mut own = Orders::all_hold();
    let mut named = false;
    for text in orders {
        let written = match WrittenOrder::parse(text, seen.names()) {
            Ok(written) => written,
            Err(error) => {
                refuse(&mut refusals, text, error);
                continue;
            }
        };
        match written {
            WrittenOrder::Exempt { centre } if seen.exempt_choices.contains(centre) && !named => named = true,
            WrittenOrder::Exempt { .. } => {
                refuse(&mut refusals, text, "only one of `exempt_choices` can be named, once");
            }
            WrittenOrder::Announce if seen.may_announce => {}
            WrittenOrder::Announce => {
                refuse(&mut refusals, text, "there is nothing to announce: no `may_announce` in the request");
            }
            WrittenOrder::Disembark { .. } => landings.push((text, written)),
            _ => match written.resolve_by(&situation, seen.rulebook) {
                Ok((unit, _)) if ordered.contains(unit) => {
                    refuse(&mut refusals, text, "the unit has an order already; the first counts");
                }
                Ok((unit, order)) => {
                    let order = without_coast(order);
                    if sheet.write(unit, order) {
                        own[unit] = order;
                        ordered.insert(unit);
                    }
                }
                Err(error) => refuse(&mut refusals, text, error),
            },
        }
    }
    for (text, written) in landings {
        match written.resolve_landing(&situation, &own) {
            Ok(landing) if landed.contains(landing.fleet) => {
                refuse(&mut refusals, text, "the army has an order to land already; the first counts");
            }
            Ok(landing) => {
                if sheet.land(landing) {
                    landed.insert(landing.fleet);
                }
            }
            Err(error) => refuse(&mut refusals, text, error),
        }
    }
    refusals
}

/// Bots support a move to a province, whichever coast it goes to: a coast that is named is one that can be reached.
fn without_coast(order: Order) -> Order {
    match order {
        Order::SupportMove { unit, to, .. } => Order::SupportMove { unit, to, coast: None },
        other => other,
    }
}

/// The retreats, one for each choice; a unit without a valid order is for the variant's default.
pub fn retreats(
    seen: &Observation<'_>,
    choices: &[RetreatChoice<'_>],
    orders: &[String],
) -> (Vec<Option<RetreatOrder>>, Refusals) {
    let mut refusals = Vec::new();
    let (waiting, chains) = (as_retreats(choices), ConvoyChains::default());
    let situation = situation(seen, &chains);
    let mut decided = vec![None; choices.len()];
    for text in orders {
        let resolved = WrittenOrder::parse(text, seen.names())
            .map_err(|error| error.to_string())
            .and_then(|order| order.resolve_retreat(&situation, &waiting).map_err(|error| error.to_string()));
        match resolved {
            Ok((i, _)) if decided[i].is_some() => {
                refuse(&mut refusals, text, "the unit has an order already; the first counts");
            }
            Ok((i, RetreatOrder::Retreat { to })) if !choices[i].options.contains(&to) => {
                refuse(&mut refusals, text, "that is none of the `options` of the unit");
            }
            Ok((i, order)) => decided[i] = Some(order),
            Err(reason) => refuse(&mut refusals, text, reason),
        }
    }
    (decided, refusals)
}

/// The adjustments. Whether there are too many is for the game to see.
pub fn adjustments(seen: &Observation<'_>, orders: &[String]) -> (Vec<AdjustmentOrder>, Refusals) {
    let mut refusals = Vec::new();
    let chains = ConvoyChains::default();
    let situation = situation(seen, &chains);
    let mut decided = Vec::new();
    for text in orders {
        let resolved = WrittenOrder::parse(text, seen.names())
            .map_err(|error| error.to_string())
            .and_then(|order| order.resolve_adjustment(&situation).map_err(|error| error.to_string()));
        match resolved {
            Ok(order) => decided.push(order),
            Err(reason) => refuse(&mut refusals, text, reason),
        }
    }
    (decided, refusals)
}

/// The seismic order; the first that is one counts.
pub fn seismic(seen: &Observation<'_>, orders: &[String]) -> (Option<SeismicOrder>, Refusals) {
    let mut refusals = Vec::new();
    let map = seen.terrain().chart().map();
    let mut decided = None;
    for text in orders {
        let resolved = WrittenSeismic::parse(text)
            .map_err(|error| error.to_string())
            .and_then(|order| order.resolve(map).map_err(|error| error.to_string()));
        match resolved {
            Ok(_) if decided.is_some() => {
                refuse(&mut refusals, text, "a power has one seismic order; the first counts");
            }
            Ok(order) if !map.allows(order.quake) => {
                refuse(&mut refusals, text, "the map does not allow it");
            }
            Ok(order) => decided = Some(order),
            Err(reason) => refuse(&mut refusals, text, reason),
        }
    }
    (decided, refusals)
}

/// The coast that is chosen for a fleet.
pub fn coast(seen: &Observation<'_>, choice: &CoastChoice, orders: &[String]) -> (Option<CoastId>, Refusals) {
    let mut refusals = Vec::new();
    let mut decided = None;
    for text in orders {
        match WrittenOrder::parse(text, seen.names()) {
            Ok(WrittenOrder::ChooseCoast { unit, coast })
                if unit.kind == Designation::Fleet && unit.place.province == choice.fleet =>
            {
                if !choice.coasts.contains(&coast) {
                    refuse(&mut refusals, text, "that is none of the `options` of the fleet");
                } else if decided.is_some() {
                    refuse(&mut refusals, text, "the fleet has a coast already; the first counts");
                } else {
                    decided = Some(coast);
                }
            }
            Ok(_) => {
                refuse(&mut refusals, text, "a fleet of `coasts` is to be given a coast: F GAS COAST WC")
            }
            Err(error) => refuse(&mut refusals, text, error),
        }
    }
    (decided, refusals)
}

/// What becomes of a fleet that has lost its last coast.
pub fn trapped(seen: &Observation<'_>, fleet: ProvinceId, orders: &[String]) -> (Trapped, Refusals) {
    let mut refusals = Vec::new();
    let mut decided = Trapped::Stays;
    for text in orders {
        match WrittenOrder::parse(text, seen.names()) {
            Ok(WrittenOrder::Disband { unit }) if unit.place.province == fleet => decided = Trapped::Disbands,
            Ok(WrittenOrder::Hold { unit }) if unit.place.province == fleet => {}
            Ok(_) => {
                refuse(&mut refusals, text, "a fleet of `trapped` is disbanded, F MUN D, or stays, F MUN H")
            }
            Err(error) => refuse(&mut refusals, text, error),
        }
    }
    (decided, refusals)
}
