//! From the texts of a reply to decisions. An order that cannot be followed is listed with the reason and has no
//! effect.

use upheaval_engine::ask::{Ask, Faculty, Observation, RetreatChoice, Retreats};
use upheaval_engine::bot::{Decision, RefusedOrder};
use upheaval_engine::reading::{OrderSource, Refusal};
use upheaval_engine::rules::notation::IllegalOrder;
use upheaval_engine::rules::order::{Order, RetreatOrder};

type Refusals = Vec<RefusedOrder>;

/// The decisions of a reply, in the order in which they are carried out. A reply to a movement request answers all
/// questions of the movement phase.
pub(super) fn read(seen: &Observation<'_>, ask: &Ask, orders: &[String]) -> (Vec<Decision>, Refusals) {
    let asks = match ask.is_of_movement() {
        true => seen.asks(),
        false => vec![ask.clone()],
    };
    // `besides` are orders that could be read but cannot be followed.
    let (mut decisions, mut refusals, mut besides) = (Vec::new(), Refusals::new(), Refusals::new());
    for (text, read) in orders.iter().zip(seen.read(orders, OrderSource::Player)) {
        match read.and_then(|decision| asked(&asks, decision)) {
            Ok(Decision::Order { order, .. }) if !seen.handicap.allows(order) => {
                let denied = Faculty::needed_by(order).map_or("", Faculty::name);
                let reason = format!("the bot plays without {denied}, as `newgame` says");
                besides.push(RefusedOrder::new(text, reason));
            }
            Ok(Decision::Order { unit, order }) => {
                decisions.push(Decision::Order { unit, order: without_coast(order) });
            }
            Ok(decision) => {
                if let Decision::List(listed) = &decision {
                    besides.extend(listed.passed_over.iter().map(|(place, why)| {
                        RefusedOrder::new(text, format!("{}: {why}", seen.names().province(*place)))
                    }));
                }
                decisions.push(decision);
            }
            Err(refusal) => refusals.push(RefusedOrder::new(text, words(ask, &refusal))),
        }
    }
    if let Ask::Retreats(Retreats { choices }) = ask {
        disband_the_others(choices, &mut decisions);
    }
    (decisions, [refusals, besides].concat())
}

/// The decision, if it answers one of these questions.
fn asked(asks: &[Ask], decision: Decision) -> Result<Decision, Refusal> {
    let refusal = match &decision {
        // A unit that can go nowhere is not among the `dislodged` of the request.
        Decision::Retreat { unit, .. } if !asks.iter().any(|ask| is_choice(ask, *unit)) => {
            IllegalOrder::NotDislodged.into()
        }
        _ if asks.iter().any(|ask| ask.takes(&decision)) => return Ok(decision),
        Decision::Exempt(_) => Refusal::NotExempt,
        Decision::Announce => Refusal::NothingToAnnounce,
        Decision::Coast { .. } => Refusal::NoChoice,
        Decision::DisbandTrapped(_) | Decision::KeepTrapped(_) => Refusal::NotTrapped,
        _ => Refusal::NotAsked,
    };
    Err(refusal)
}

fn is_choice(ask: &Ask, unit: usize) -> bool {
    matches!(ask, Ask::Retreats(Retreats { choices }) if choices.iter().any(|choice| choice.unit == unit))
}

/// A refusal in the words of the protocol.
fn words(ask: &Ask, refusal: &Refusal) -> String {
    let words = match (ask, refusal) {
        (_, Refusal::Text(_) | Refusal::Twice) => return refusal.to_string(),
        (Ask::Trapped(_), _) => "a fleet of `trapped` is disbanded, F MUN D, or stays, F MUN H",
        (Ask::Coast(_), Refusal::NoCoast) => "this is not one of the `options` of the fleet",
        (Ask::Coast(_), Refusal::NoChoice | Refusal::NotTrapped | Refusal::Illegal(_)) => {
            "a fleet of `coasts` must be given a coast: F GAS COAST WC"
        }
        (_, Refusal::NotExempt) => "only one of `exempt_choices` can be named, once",
        (_, Refusal::NothingToAnnounce) => "there is nothing to announce: no `may_announce` in the request",
        (_, Refusal::NoRetreat) => "this is not one of the `options` of the unit",
        _ => return refusal.to_string(),
    };
    words.to_owned()
}

/// Without any order the variant's rule decides all retreats; otherwise units that are left out disband, by the
/// protocol.
fn disband_the_others(choices: &[RetreatChoice], decisions: &mut Vec<Decision>) {
    if decisions.is_empty() {
        return;
    }
    let is_of = |choice: &RetreatChoice| {
        let unit = choice.unit;
        move |decision: &Decision| matches!(decision, Decision::Retreat { unit: of, .. } if *of == unit)
    };
    for choice in choices {
        if !decisions.iter().any(is_of(choice)) {
            decisions.push(Decision::Retreat { unit: choice.unit, order: RetreatOrder::Disband });
        }
    }
}

/// Bots support a move to a province, whichever coast it goes to: a named coast only needs to be one that can be
/// reached.
fn without_coast(order: Order) -> Order {
    match order {
        Order::SupportMove { unit, to, .. } => Order::SupportMove { unit, to, coast: None },
        other => other,
    }
}
