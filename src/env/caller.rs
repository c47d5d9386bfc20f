//! The bot of a seat that the caller plays: it gives the answers that the caller has chosen.

use std::any::Any;

use upheaval_engine::bot::{
    Bot, BotFault, Conduct, Observation, OrderSheet, RefusedOrder, RetreatChoice, Trapped,
};
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::order::{AdjustmentOrder, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;
use upheaval_map::ids::{CoastId, Location, ProvinceId, ProvinceSet};
use upheaval_map::rng::Stream;
use upheaval_map::topology::Quake;

use crate::act::Act;
use crate::ask::{Ask, AskKind, Asks};

/// The caller's choice for one ask.
#[derive(Clone, Copy, Debug)]
struct Answer {
    /// The number of the ask among those of the seat.
    ask: usize,
    kind: AskKind,
    about: Option<ProvinceId>,
    act: Act,
}

/// Plays the answers that were stored in it.
#[derive(Default)]
pub(crate) struct Caller {
    answers: Vec<Answer>,
    fault: BotFault,
    /// Does it hold for the rest of the game, because its chooser has failed?
    gone: bool,
}

impl Caller {
    /// This bot as a caller's seat, if it is one.
    pub fn of(bot: &mut dyn Bot) -> Option<&mut Caller> {
        bot.as_any()?.downcast_mut()
    }

    /// Clears the stored answers.
    pub fn forget(&mut self) {
        self.answers.clear();
    }

    /// Stores the choices for its asks, one for each. A negative choice means no answer; an out-of-range
    /// choice counts as a refused order. Returns the number of these.
    pub fn answer(&mut self, asks: &Asks, own: &[Ask], choices: &[i32]) -> u32 {
        let before = self.fault.refused.len();
        for (number, (ask, &choice)) in own.iter().zip(choices).enumerate() {
            match u32::try_from(choice) {
                Ok(choice) if choice < ask.end - ask.begin => {
                    let act = asks.act(ask, choice);
                    self.answers.push(Answer { ask: number, kind: ask.kind, about: ask.about, act });
                }
                Ok(choice) => {
                    let reason = match ask.end - ask.begin {
                        0 => "there is nothing to choose".to_owned(),
                        count => format!("the choices are 0 to {}", count - 1),
                    };
                    self.fault.refused.push(RefusedOrder::new(format!("choice {choice}"), reason));
                }
                Err(_) => {}
            }
        }
        u32::try_from(self.fault.refused.len() - before).unwrap_or(u32::MAX)
    }

    /// Has it stopped giving orders in this game?
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    /// Its chooser has failed: it holds for the rest of the game.
    pub fn fail(&mut self, conduct: Conduct) {
        self.gone = true;
        self.fault.conduct = self.fault.conduct.or_graver(conduct);
    }

    fn find<T>(&self, kind: AskKind, about: Option<ProvinceId>, f: impl Fn(Act) -> Option<T>) -> Option<T> {
        let answer = self.answers.iter().find(|answer| (answer.kind, answer.about) == (kind, about));
        answer.and_then(|answer| f(answer.act))
    }
}

impl Bot for Caller {
    fn as_any(&mut self) -> Option<&mut dyn Any> {
        Some(self)
    }

    fn fault(&mut self) -> BotFault {
        std::mem::take(&mut self.fault)
    }

    fn movement(&mut self, _: &Observation<'_>, _: &mut Stream, sheet: &mut OrderSheet<'_>) {
        let mut landed = ProvinceSet::EMPTY;
        let mut place = None::<(ProvinceId, Vec<Location>)>;
        for &Answer { kind, about, act, .. } in &self.answers {
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
    }

    fn retreats(
        &mut self,
        _: &Observation<'_>,
        choices: &[RetreatChoice<'_>],
        _: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        // The asks are in the order of the choices.
        orders.extend((0..choices.len()).map(|i| {
            let answer = self.answers.iter().find(|answer| answer.ask == i)?;
            match answer.act {
                Act::Retreat { order, .. } => Some(order),
                _ => None,
            }
        }));
    }

    fn adjustments(
        &mut self,
        seen: &Observation<'_>,
        owed: Owed,
        _: &[AdjustmentOrder],
        _: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        let mut to_remove = match owed {
            Owed::Builds(_) => 0,
            Owed::Removals(count) => count,
        };
        for answer in &self.answers {
            let Act::Adjust(order) = answer.act else { continue };
            let removed = match order {
                AdjustmentOrder::Remove { at } => seen.position.unit(at).map_or(1, |unit| unit.count()),
                AdjustmentOrder::RemoveArmy { .. } => 1,
                _ => 0,
            };
            // An army is removed with its fleet, so fewer removals than asks may be enough.
            let is_too_much = removed > 0 && to_remove == 0;
            if !is_too_much && !orders.iter().any(|other| excludes(*other, order)) {
                to_remove = to_remove.saturating_sub(removed);
                orders.push(order);
            }
        }
    }

    fn seismic(&mut self, _: &Observation<'_>, _: &[Quake], _: &mut Stream) -> Option<SeismicOrder> {
        self.find(AskKind::Seismic, None, |act| match act {
            Act::Quake(quake) => Some(quake.into()),
            _ => None,
        })
    }

    fn trapped(&mut self, _: &Observation<'_>, fleet: ProvinceId, _: &mut Stream) -> Trapped {
        let chosen = self.find(AskKind::Trapped, Some(fleet), |act| match act {
            Act::Trapped(trapped) => Some(trapped),
            _ => None,
        });
        chosen.unwrap_or(Trapped::Stays)
    }

    fn exempt(&mut self, _: &Observation<'_>, _: &mut Stream) -> Option<ProvinceId> {
        self.find(AskKind::Exempt, None, |act| match act {
            Act::Exempt(centre) => Some(centre),
            _ => None,
        })
    }

    fn announce(&mut self, _: &Observation<'_>, _: &mut Stream) -> Announced {
        let announced = self.find(AskKind::Announce, None, |act| match act {
            Act::Announce => Some(Announced::Yes),
            _ => None,
        });
        announced.unwrap_or(Announced::No)
    }

    fn coast(&mut self, _: &Observation<'_>, choice: &CoastChoice, _: &mut Stream) -> Option<CoastId> {
        self.find(AskKind::Coast, Some(choice.fleet), |act| match act {
            Act::Coast(coast) => Some(coast),
            _ => None,
        })
    }
}

/// Writes the list of a unit, if one has been assembled.
fn list(place: &mut Option<(ProvinceId, Vec<Location>)>, sheet: &mut OrderSheet<'_>) {
    if let Some((unit, places)) = place.take() {
        sheet.list_retreats(unit, places);
    }
}

/// Do the two exclude each other?
fn excludes(first: AdjustmentOrder, second: AdjustmentOrder) -> bool {
    use AdjustmentOrder::{Build, Remove, RemoveArmy};
    match (first, second) {
        (Build { at: a, .. }, Build { at: b, .. }) => a.province == b.province,
        (Remove { at: a } | RemoveArmy { fleet: a }, Remove { at: b } | RemoveArmy { fleet: b }) => a == b,
        _ => false,
    }
}
