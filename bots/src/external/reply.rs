//! From the texts of a reply to decisions. An order that cannot be followed is listed with the reason and has no
//! effect.

use upheaval_engine::bot::{Faculty, Observation, OrderSheet, RefusedOrder, RetreatChoice, Trapped};
use upheaval_engine::ids::{CoastId, ProvinceId, ProvinceSet};
use upheaval_engine::reading::{
    self, Decision, Ground, Manner, MayDeclare, OrderText, Read, Refusal as Refused, Waiting,
};
use upheaval_engine::rules::adjustment::{Adjusting, Owed};
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::order::{AdjustmentOrder, Order, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;

use super::request::as_retreats;

type Refusals = Vec<RefusedOrder>;

/// The reply to a movement request, which several questions of the game refer to.
#[derive(Clone, Default)]
pub struct MovementReply {
    /// What counts, in the order in which it is carried out.
    decisions: Vec<Decision>,
}

impl MovementReply {
    /// Reads the orders of a movement phase.
    pub fn read(seen: &Observation<'_>, orders: &[String]) -> (MovementReply, Refusals) {
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
                    continue;
                }
                Ok(Decision::List(listed)) => {
                    let names = seen.names();
                    let passed_over = listed.passed_over.iter();
                    besides.extend(
                        passed_over.map(|(place, why)| refused(format!("{}: {why}", names.province(*place)))),
                    );
                }
                Ok(_) | Err(_) => {}
            }
            decisions.extend(read.result.as_ref().ok().cloned());
        }
        let refused = refusals(read, orders, |refusal| match refusal {
            Refused::NotExempt => "only one of `exempt_choices` can be named, once".to_owned(),
            Refused::NothingToAnnounce => {
                "there is nothing to announce: no `may_announce` in the request".to_owned()
            }
            other => other.to_string(),
        });
        (MovementReply { decisions }, [refused, besides].concat())
    }

    /// The exempt centre that it names.
    pub fn exempt(&self) -> Option<ProvinceId> {
        self.decisions.iter().find_map(|decision| match decision {
            Decision::Exempt(centre) => Some(*centre),
            _ => None,
        })
    }

    /// Does it announce the exempt centre?
    pub fn announce(&self) -> Announced {
        if self.decisions.contains(&Decision::Announce) { Announced::Yes } else { Announced::No }
    }

    /// Writes its orders onto the sheet.
    pub fn write(&self, sheet: &mut OrderSheet<'_>) {
        for decision in &self.decisions {
            match decision {
                Decision::Order { unit, order } => {
                    sheet.write(*unit, without_coast(*order));
                }
                Decision::Landing(landing) => {
                    sheet.land(*landing);
                }
                Decision::List(listed) => {
                    sheet.list_retreats(listed.unit, listed.places.iter().copied());
                }
                _ => {}
            }
        }
    }
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

/// The adjustments: those that can be carried out, where `owed` is what the power may build or must remove and `builds`
/// are all possible builds.
pub fn adjustments(
    seen: &Observation<'_>,
    owed: Owed,
    builds: &[AdjustmentOrder],
    orders: &[String],
) -> (Vec<AdjustmentOrder>, Refusals) {
    let chains = ConvoyChains::default();
    let site = |build: &AdjustmentOrder| match build {
        AdjustmentOrder::Build { at, .. } => Some(at.province),
        _ => None,
    };
    let sites = builds.iter().filter_map(site).collect();
    let adjusting = |power| Adjusting::new(power, owed, sites);
    let (mut decided, read) = reading::adjustments(ground(seen, &chains), &lines(seen, orders), &adjusting);
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
        Refused::Text(_) | Refused::Twice => refusal.to_string(),
        _ => "a fleet of `trapped` is disbanded, F MUN D, or stays, F MUN H".to_owned(),
    });
    (if disbanded.contains(fleet) { Trapped::Disbands } else { Trapped::Stays }, refusals)
}
