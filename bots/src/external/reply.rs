//! From the texts of a reply to decisions. An order that cannot be followed is listed with the reason and has no
//! effect.

use upheaval_engine::bot::{Faculty, Observation, OrderSheet, RefusedOrder, RetreatChoice, Trapped};
use upheaval_engine::ids::{CoastId, ProvinceId, ProvinceSet};
use upheaval_engine::reading::{
    self, Decision, Ground, Manner, MayDeclare, OrderText, Read, Refusal as Refused, Waiting,
};
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::notation::WrittenOrder;
use upheaval_engine::rules::order::{AdjustmentOrder, Order, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;

use super::request::as_retreats;

type Refusals = Vec<RefusedOrder>;

/// The exempt centre that a reply to a movement request names, if it may be named.
pub fn exempt(seen: &Observation<'_>, orders: &[String]) -> Option<ProvinceId> {
    orders.iter().find_map(|text| match WrittenOrder::parse(text, seen.names()) {
        Ok(WrittenOrder::Exempt { centre }) if seen.exempt_choices.contains(centre) => Some(centre),
        _ => None,
    })
}

/// Does the reply announce the exempt centre?
pub fn announce(seen: &Observation<'_>, orders: &[String]) -> Announced {
    let says = |text: &String| matches!(WrittenOrder::parse(text, seen.names()), Ok(WrittenOrder::Announce));
    if orders.iter().any(says) { Announced::Yes } else { Announced::No }
}

/// Writes the orders of a movement phase onto the sheet.
pub fn movement(seen: &Observation<'_>, orders: &[String], sheet: &mut OrderSheet<'_>) -> Refusals {
    let may_declare = MayDeclare {
        listing: seen.listing,
        exempt: &|_| seen.exempt_choices,
        announce: &|_| seen.may_announce,
    };
    let ground = ground(seen, seen.chains);
    let read = reading::movement(ground, &lines(seen, orders), Manner::Player, may_declare).read;
    // Orders that could be read but cannot be followed.
    let mut besides = Refusals::new();
    for read in &read {
        match &read.result {
            Ok(Decision::Order { order, .. }) if !seen.handicap.allows(*order) => {
                let denied = Faculty::needed_by(*order).map_or("", Faculty::name);
                let reason = format!("the bot plays without {denied}, as `newgame` says");
                besides.push(RefusedOrder { order: orders[read.line].clone(), reason });
            }
            Ok(Decision::Order { unit, order }) => {
                sheet.write(*unit, without_coast(*order));
            }
            Ok(Decision::Landing(landing)) => {
                sheet.land(*landing);
            }
            Ok(Decision::List(listed)) => {
                sheet.list_retreats(listed.unit, listed.places.iter().copied());
                besides.extend(listed.passed_over.iter().map(|(place, why)| RefusedOrder {
                    order: orders[read.line].clone(),
                    reason: format!("{}: {why}", seen.names().province(*place)),
                }));
            }
            Ok(_) | Err(_) => {}
        }
    }
    let refused = refusals(read, orders, |refusal| match refusal {
        Refused::NotExempt => "only one of `exempt_choices` can be named, once".to_owned(),
        Refused::NothingToAnnounce => {
            "there is nothing to announce: no `may_announce` in the request".to_owned()
        }
        other => other.to_string(),
    });
    [refused, besides].concat()
}

fn ground<'a>(seen: &Observation<'a>, chains: &'a ConvoyChains) -> Ground<'a> {
    Ground { terrain: seen.terrain(), position: seen.position, chains, rulebook: seen.rulebook }
}

fn lines<'a>(seen: &Observation<'_>, orders: &'a [String]) -> Vec<OrderText<'a>> {
    orders.iter().map(|text| OrderText { power: seen.power, text }).collect()
}

/// The orders that do not count, with the reasons in the words of the protocol.
fn refusals(read: Vec<Read>, orders: &[String], words: impl Fn(&Refused) -> String) -> Refusals {
    let refused = read.into_iter().filter_map(|read| Some((read.line, read.result.err()?)));
    refused.map(|(line, refusal)| RefusedOrder::new(&orders[line], words(&refusal))).collect()
}

/// Bots support a move to a province, whichever coast it goes to: a named coast only needs to be one that can be
/// reached.
fn without_coast(order: Order) -> Order {
    match order {
        Order::SupportMove { unit, to, .. } => Order::SupportMove { unit, to, coast: None },
        other => other,
    }
}

/// The retreats, one for each choice; for a unit without a valid order the variant's default applies.
pub fn retreats(
    seen: &Observation<'_>,
    choices: &[RetreatChoice<'_>],
    orders: &[String],
) -> (Vec<Option<RetreatOrder>>, Refusals) {
    let (waiting, chains) = (as_retreats(choices), ConvoyChains::default());
    let can_go = |i: usize, to| choices[i].options.contains(&to);
    let waiting = Waiting { units: &waiting, can_go: &can_go };
    let (decided, read) =
        reading::retreats(ground(seen, &chains), &lines(seen, orders), Manner::Player, waiting);
    let refusals = refusals(read, orders, |refusal| match refusal {
        Refused::NoRetreat => "this is not one of the `options` of the unit".to_owned(),
        other => other.to_string(),
    });
    (decided, refusals)
}

/// The adjustments. The game checks whether there are too many.
pub fn adjustments(seen: &Observation<'_>, orders: &[String]) -> (Vec<AdjustmentOrder>, Refusals) {
    let chains = ConvoyChains::default();
    let (mut decided, read) = reading::adjustments(ground(seen, &chains), &lines(seen, orders));
    (std::mem::take(&mut decided[seen.power]), refusals(read, orders, Refused::to_string))
}

/// The seismic order; the first valid one counts.
pub fn seismic(seen: &Observation<'_>, orders: &[String]) -> (Option<SeismicOrder>, Refusals) {
    let map = seen.terrain().chart().map();
    let check = |_, order: &SeismicOrder| match map.allows(order.quake) {
        true => Ok(()),
        false => Err(Refused::NotAllowed),
    };
    let (mut decided, read) = reading::seismic(seen.terrain(), &lines(seen, orders), &check);
    (decided[seen.power].take(), refusals(read, orders, Refused::to_string))
}

/// The coast that is chosen for a fleet.
pub fn coast(seen: &Observation<'_>, choice: &CoastChoice, orders: &[String]) -> (Option<CoastId>, Refusals) {
    let choices = std::slice::from_ref(choice);
    let (decided, read) = reading::coasts(seen.names(), choices, &lines(seen, orders));
    let refusals = refusals(read, orders, |refusal| match refusal {
        Refused::NoChoice => "a fleet of `coasts` must be given a coast: F GAS COAST WC".to_owned(),
        Refused::NoCoast => "this is not one of the `options` of the fleet".to_owned(),
        other => other.to_string(),
    });
    (decided[0], refusals)
}

/// The fate of a fleet that has lost its last coast.
pub fn trapped(seen: &Observation<'_>, fleet: ProvinceId, orders: &[String]) -> (Trapped, Refusals) {
    let own = ProvinceSet::single(fleet);
    let (disbanded, read) = reading::trapped(seen.names(), &|_| own, &lines(seen, orders));
    let refusals = refusals(read, orders, |refusal| match refusal {
        Refused::Text(error) => error.to_string(),
        _ => "a fleet of `trapped` is disbanded, F MUN D, or stays, F MUN H".to_owned(),
    });
    (if disbanded.contains(fleet) { Trapped::Disbands } else { Trapped::Stays }, refusals)
}
