//! The bot of a seat that the caller plays: it gives the answers that the caller has chosen.

use std::sync::{Arc, Mutex, PoisonError};

use upheaval_engine::bot::{Bot, Observation, OrderSheet, RetreatChoice, Trapped};
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::order::{AdjustmentOrder, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;
use upheaval_map::ids::{CoastId, Location, ProvinceId, ProvinceSet};
use upheaval_map::rng::Stream;
use upheaval_map::topology::Quake;

use crate::act::Act;
use crate::ask::AskKind;

/// What the caller has chosen for one stage of one seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub kind: AskKind,
    pub about: Option<ProvinceId>,
    pub act: Act,
}

/// The answers of one seat, shared by the batch that fills them in and the bot that gives them.
#[derive(Clone, Default)]
pub(crate) struct Answers(Arc<Mutex<Vec<Answer>>>);

impl Answers {
    /// Reads or changes the answers. A game is played by one thread at a time, so that nobody waits.
    pub fn with<T>(&self, f: impl FnOnce(&mut Vec<Answer>) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn find<T>(&self, kind: AskKind, about: Option<ProvinceId>, f: impl Fn(Act) -> Option<T>) -> Option<T> {
        self.with(|answers| {
            let answer = answers.iter().find(|answer| (answer.kind, answer.about) == (kind, about));
            answer.and_then(|answer| f(answer.act))
        })
    }
}

/// Plays what its answers say.
pub(crate) struct Caller(pub Answers);

impl Bot for Caller {
    fn movement(&mut self, _: &Observation<'_>, _: &mut Stream, sheet: &mut OrderSheet<'_>) {
        self.0.with(|answers| {
            let mut landed = ProvinceSet::EMPTY;
            let mut place = None::<(ProvinceId, Vec<Location>)>;
            for &Answer { kind, about, act } in answers.iter() {
                match (act, about) {
                    (Act::Order(order), Some(unit)) => {
                        sheet.write(unit, order);
                    }
                    (Act::Land(landing), _) if !landed.contains(landing.from) => {
                        // Of two landings from one sea the first counts.
                        landed.insert(landing.from);
                        sheet.land(landing);
                    }
                    (Act::Place(to), Some(unit)) if kind == AskKind::List => match &mut place {
                        Some((of, places)) if *of == unit => {
                            if !places.contains(&to) {
                                places.push(to);
                            }
                        }
                        _ => {
                            list(&mut place, sheet);
                            place = Some((unit, vec![to]));
                        }
                    },
                    _ => {}
                }
            }
            list(&mut place, sheet);
        });
    }

    fn retreats(
        &mut self,
        _: &Observation<'_>,
        _: &[RetreatChoice<'_>],
        _: &mut Stream,
        orders: &mut Vec<RetreatOrder>,
    ) {
        // The asks are in the order of the choices.
        self.0.with(|answers| {
            orders.extend(answers.iter().filter_map(|answer| match answer.act {
                Act::Retreat(order) => Some(order),
                _ => None,
            }));
        });
    }

    fn adjustments(
        &mut self,
        _: &Observation<'_>,
        _: Owed,
        _: &[AdjustmentOrder],
        _: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        self.0.with(|answers| {
            for answer in answers.iter() {
                let Act::Adjust(order) = answer.act else { continue };
                if !orders.iter().any(|other| excludes(*other, order)) {
                    orders.push(order);
                }
            }
        });
    }

    fn seismic(&mut self, _: &Observation<'_>, _: &[Quake], _: &mut Stream) -> Option<SeismicOrder> {
        self.0.find(AskKind::Seismic, None, |act| match act {
            Act::Quake(quake) => Some(quake.into()),
            _ => None,
        })
    }

    fn trapped(&mut self, _: &Observation<'_>, fleet: ProvinceId, _: &mut Stream) -> Trapped {
        let chosen = self.0.find(AskKind::Trapped, Some(fleet), |act| match act {
            Act::Trapped(trapped) => Some(trapped),
            _ => None,
        });
        chosen.unwrap_or(Trapped::Stays)
    }

    fn exempt(&mut self, _: &Observation<'_>, _: &mut Stream) -> Option<ProvinceId> {
        self.0.find(AskKind::Exempt, None, |act| match act {
            Act::Exempt(centre) => Some(centre),
            _ => None,
        })
    }

    fn announce(&mut self, _: &Observation<'_>, _: &mut Stream) -> Announced {
        let announced = self.0.find(AskKind::Announce, None, |act| match act {
            Act::Announce => Some(Announced::Yes),
            _ => None,
        });
        announced.unwrap_or(Announced::No)
    }

    fn coast(&mut self, _: &Observation<'_>, choice: &CoastChoice, _: &mut Stream) -> Option<CoastId> {
        self.0.find(AskKind::Coast, Some(choice.fleet), |act| match act {
            Act::Coast(coast) => Some(coast),
            _ => None,
        })
    }
}

/// Writes the list of a unit that has been put together, if one has.
fn list(place: &mut Option<(ProvinceId, Vec<Location>)>, sheet: &mut OrderSheet<'_>) {
    if let Some((unit, places)) = place.take() {
        sheet.list_retreats(unit, places);
    }
}

/// Can the two not both be carried out?
fn excludes(first: AdjustmentOrder, second: AdjustmentOrder) -> bool {
    use AdjustmentOrder::{Build, Remove, RemoveArmy};
    match (first, second) {
        (Build { at: a, .. }, Build { at: b, .. }) => a.province == b.province,
        (Remove { at: a } | RemoveArmy { fleet: a }, Remove { at: b } | RemoveArmy { fleet: b }) => a == b,
        _ => false,
    }
}
