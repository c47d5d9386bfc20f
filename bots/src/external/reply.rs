//! The replies of a program, from lines to decisions. A line that is not the expected reply is a fault of the program.
//! An order that cannot be followed is listed with the reason and has no effect.

use serde_json::{Value, json};
use upheaval_engine::ask::{Ask, Faculty, Observation, RetreatChoice, Retreats};
use upheaval_engine::bot::{Decision, RefusedOrder};
use upheaval_engine::diagnostic::{one_line, wording};
use upheaval_engine::reading::{OrderSource, Refusal};
use upheaval_engine::rules::notation::IllegalOrder;
use upheaval_engine::rules::order::{Order, RetreatOrder};

use super::transcript::short;

/// The version of the protocol.
pub(super) const PROTOCOL: u32 = 1;

/// The requirements on a reply: its `type`, and the fields that it must repeat.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ExpectedReply {
    kind: &'static str,
    fields: Vec<(&'static str, Value)>,
}

impl ExpectedReply {
    /// The reply of this type to a message, with these of its fields.
    pub(super) fn new(kind: &'static str, message: &Value, fields: &[&'static str]) -> ExpectedReply {
        ExpectedReply { kind, fields: fields.iter().map(|&field| (field, message[field].clone())).collect() }
    }

    /// The reply to a request for orders.
    pub(super) fn to_request(request: &Value) -> ExpectedReply {
        ExpectedReply::new("orders", request, &["game", "phase", "topology_hash"])
    }

    /// Its type.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// The message of a line, if it is this reply.
    ///
    /// # Errors
    /// The fault of the line.
    pub(super) fn check(&self, line: &[u8]) -> Result<Value, String> {
        let text = std::str::from_utf8(line).map_err(|_| "a line is not UTF-8 text".to_owned())?;
        if text.trim().is_empty() {
            return Err(format!("found an empty line, expected a line with `{}`", self.kind));
        }
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let fault = wording::of_json(&error);
            format!(
                "`{}` is not JSON: {fault}, at column {}; each line is one JSON object",
                short(text),
                error.column()
            )
        })?;
        let Some(object) = value.as_object() else {
            return Err(format!("`{}` is not a JSON object", short(text)));
        };
        match object.get("type").and_then(Value::as_str) {
            Some(kind) if kind == self.kind => {}
            Some(kind) => return Err(format!("`type` is `{}`, but must be `{}`", short(kind), self.kind)),
            None => return Err(format!("`type` is missing; it must be `{}`", self.kind)),
        }
        for (field, expected) in &self.fields {
            match object.get(*field) {
                Some(found) if found == expected => {}
                // Before the first game there is none to name.
                None if expected.is_null() => {}
                Some(found) => {
                    return Err(format!(
                        "`{field}` is {}, but must be {expected}, as in the request",
                        short(&found.to_string())
                    ));
                }
                None => {
                    return Err(format!("`{field}` is missing; it must be {expected}, as in the request"));
                }
            }
        }
        Ok(value)
    }
}

/// A program's description of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ProgramIdentity {
    /// Its name.
    pub name: String,
    /// Does it want the legal orders with each request?
    pub legal: bool,
    /// Does it want to receive the orders and their results?
    pub history: bool,
    /// Is it to be asked again whether it is ready, after `newgame`?
    pub ready_again: bool,
}

/// The identity of a program, from its reply to `hello`.
///
/// # Errors
/// The fault of the reply.
pub(super) fn read_identity(id: &Value) -> Result<ProgramIdentity, String> {
    let name = match &id["name"] {
        Value::String(name) if !name.trim().is_empty() => one_line(name),
        Value::Null => return Err("`name` is missing in `id`; expected a text".to_owned()),
        other => return Err(format!("`name` in `id` is {other}, but must be a text")),
    };
    let flag = |key: &str| match &id[key] {
        Value::Bool(flag) => Ok(*flag),
        Value::Null => Ok(false),
        other => Err(format!("`{key}` in `id` is {other}, but must be true or false")),
    };
    let (legal, history, ready_again) = (flag("legal")?, flag("history")?, flag("ready_again")?);
    match &id["protocol"] {
        Value::Null => {}
        protocol if *protocol == json!(PROTOCOL) => {}
        other => return Err(format!("`protocol` in `id` is {other}, but must be {PROTOCOL}")),
    }
    Ok(ProgramIdentity { name, legal, history, ready_again })
}

/// The most orders in a reply: no board needs more.
const MOST_ORDERS: usize = 1000;

/// The orders of a reply, as text.
///
/// # Errors
/// The fault of the reply.
pub(super) fn read_orders(reply: &Value) -> Result<Vec<String>, String> {
    let Some(list) = reply.get("orders") else {
        return Err(
            "`orders` is missing in `orders`; expected a list of texts, empty if all units hold".to_owned()
        );
    };
    let wrong = || format!("`orders` is {}, but must be a list of texts", short(&list.to_string()));
    let list = list.as_array().ok_or_else(wrong)?;
    if list.len() > MOST_ORDERS {
        return Err(format!(
            "found {} `orders` in a reply; no power needs more than {MOST_ORDERS}",
            list.len()
        ));
    }
    list.iter().map(|order| order.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

type Refusals = Vec<RefusedOrder>;

/// The decisions of a line that answers a request, as a seat takes them, and the orders that cannot be followed.
///
/// # Errors
/// The line is not a reply to the request; the error says why.
pub fn read_reply(
    request: &Value,
    line: &[u8],
    seen: &Observation<'_>,
    ask: &Ask,
) -> Result<(Vec<Decision>, Vec<RefusedOrder>), String> {
    let reply = ExpectedReply::to_request(request).check(line)?;
    Ok(read_decisions(seen, ask, &read_orders(&reply)?))
}

/// The decisions of a reply, in the order in which they are carried out. A reply to a movement request answers all
/// questions of the movement phase.
pub(super) fn read_decisions(
    seen: &Observation<'_>,
    ask: &Ask,
    orders: &[String],
) -> (Vec<Decision>, Refusals) {
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
                let reason = format!("this bot has no {denied} (`without` in `newgame`)");
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
        (Ask::Trapped(_), _) => "a fleet of `trapped` is either disbanded (F MUN D) or stays (F MUN H)",
        (Ask::Coast(_), Refusal::NoCoast) => "this is not one of the `options` of the fleet",
        (Ask::Coast(_), Refusal::NoChoice | Refusal::NotTrapped | Refusal::Illegal(_)) => {
            "expected the coast of a fleet of `coasts`, such as F GAS COAST WC"
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
