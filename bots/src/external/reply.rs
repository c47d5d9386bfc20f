//! From the texts of a reply to decisions. An order that cannot be followed is listed with the reason and has no
//! effect.

use upheaval_engine::ask::{Ask, Faculty, Observation, RetreatChoice, Retreats, Trapped};
use upheaval_engine::bot::{Decision, RefusedOrder};
use upheaval_engine::ids::ProvinceSet;
use upheaval_engine::reading::{
    self, Ground, Manner, MayDeclare, OrderText, Read, Refusal as Refused, Waiting,
};
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_engine::rules::order::{Order, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;

use super::request::as_retreats;

type Refusals = Vec<RefusedOrder>;

/// The decisions of a reply, in the order in which they are carried out. A reply to a movement request answers all
/// questions of the movement phase.
pub fn read(seen: &Observation<'_>, ask: &Ask, orders: &[String]) -> (Vec<Decision>, Refusals) {
    let chains = ConvoyChains::default();
    let (ground, lines) = (ground(seen, &chains), lines(seen, orders));
    let (read, words): (Vec<Read>, fn(&Refused) -> String) = match ask {
        Ask::Exempt(_) | Ask::Announce(_) | Ask::Movement(_) => return movement(seen, orders),
        Ask::Retreats(Retreats { choices }) => return retreats(seen, choices, orders),
        Ask::Adjustments(adjustments) => {
            (reading::adjustments(ground, &lines, &|_| adjustments.adjusting()).1, Refused::to_string)
        }
        Ask::Coast(choice) => {
            let choices = std::slice::from_ref(choice);
            (reading::coasts(seen.names(), choices, &lines).1, words_of_coasts)
        }
        Ask::Trapped(Trapped { fleet }) => {
            let own = ProvinceSet::single(*fleet);
            (reading::trapped(seen.names(), &|_| own, &lines).1, words_of_trapped)
        }
        Ask::Seismic(_) => {
            let map = seen.terrain().chart().map();
            let check = |_, order: &SeismicOrder| match map.allows(order.quake) {
                true => Ok(()),
                false => Err(Refused::NotAllowed),
            };
            (reading::seismic(seen.terrain(), &lines, &check).1, Refused::to_string)
        }
    };
    let decisions = read.iter().filter_map(|read| read.result.clone().ok()).collect();
    (decisions, refusals(read, orders, words))
}

fn words_of_coasts(refusal: &Refused) -> String {
    match refusal {
        Refused::NoChoice => "a fleet of `coasts` must be given a coast: F GAS COAST WC".to_owned(),
        Refused::NoCoast => "this is not one of the `options` of the fleet".to_owned(),
        other => other.to_string(),
    }
}

fn words_of_trapped(refusal: &Refused) -> String {
    match refusal {
        Refused::Text(_) | Refused::Twice => refusal.to_string(),
        _ => "a fleet of `trapped` is disbanded, F MUN D, or stays, F MUN H".to_owned(),
    }
}

/// Reads the orders of a movement phase.
fn movement(seen: &Observation<'_>, orders: &[String]) -> (Vec<Decision>, Refusals) {
    let may_declare = MayDeclare {
        listing: seen.listing,
        exempt: &|_| seen.exempt_choices,
        announce: &|_| seen.may_announce,
    };
    let ground = ground(seen, seen.chains);
    let read = reading::movement(ground, &lines(seen, orders), Manner::Player, may_declare).read;
    // Orders that could be read but cannot be followed.
    let mut besides = Refusals::new();
    let mut decisions = Vec::new();
    for read in &read {
        let refused = |reason| RefusedOrder { order: orders[read.line].clone(), reason };
        match &read.result {
            Ok(Decision::Order { order, .. }) if !seen.handicap.allows(*order) => {
                let denied = Faculty::needed_by(*order).map_or("", Faculty::name);
                besides.push(refused(format!("the bot plays without {denied}, as `newgame` says")));
            }
            Ok(Decision::Order { unit, order }) => {
                decisions.push(Decision::Order { unit: *unit, order: without_coast(*order) });
            }
            Ok(decision) => {
                if let Decision::List(listed) = decision {
                    let names = seen.names();
                    let passed_over = listed.passed_over.iter();
                    besides.extend(
                        passed_over.map(|(place, why)| refused(format!("{}: {why}", names.province(*place)))),
                    );
                }
                decisions.push(decision.clone());
            }
            Err(_) => {}
        }
    }
    let refused = refusals(read, orders, |refusal| match refusal {
        Refused::NotExempt => "only one of `exempt_choices` can be named, once".to_owned(),
        Refused::NothingToAnnounce => {
            "there is nothing to announce: no `may_announce` in the request".to_owned()
        }
        other => other.to_string(),
    });
    (decisions, [refused, besides].concat())
}

/// The retreats. Without any order the variant's rule decides everything; otherwise units that are left out disband, by
/// the protocol.
fn retreats(
    seen: &Observation<'_>,
    choices: &[RetreatChoice],
    orders: &[String],
) -> (Vec<Decision>, Refusals) {
    let (waiting, chains) = (as_retreats(choices), ConvoyChains::default());
    let can_go = |i: usize, to| choices[i].options.contains(&to);
    let waiting = Waiting { units: &waiting, can_go: &can_go };
    let (decided, read) =
        reading::retreats(ground(seen, &chains), &lines(seen, orders), Manner::Player, waiting);
    let refusals = refusals(read, orders, |refusal| match refusal {
        Refused::NoRetreat => "this is not one of the `options` of the unit".to_owned(),
        other => other.to_string(),
    });
    if decided.iter().all(Option::is_none) {
        return (Vec::new(), refusals);
    }
    let order = |(choice, order): (&RetreatChoice, Option<RetreatOrder>)| Decision::Retreat {
        unit: choice.unit,
        order: order.unwrap_or(RetreatOrder::Disband),
    };
    (choices.iter().zip(decided).map(order).collect(), refusals)
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
