//! The decisions of a game as its tables have them, for seats whose bots do not play again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::record::rows::REFUSED;
use crate::record::{EventKind, EventRow, OrderRow, SeatRows};
use upheaval_engine::bot::{Bot, BotFault, Conduct, RefusedOrder};
use upheaval_engine::rules::position::Phase;
use upheaval_map::ids::{ByPower, Power};

/// Makes the bot of a recorded seat.
type MakeSeat = dyn Fn(Arc<RecordedGame>, Power) -> Box<dyn Bot> + Send + Sync;

/// The recorded seats of a game, which is played any number of times, also at once.
#[derive(Clone)]
pub(crate) struct RecordedSeats {
    game: RecordedGame,
    make: Arc<MakeSeat>,
}

impl RecordedSeats {
    /// The seats of this game, made by a function.
    pub(crate) fn new(
        game: RecordedGame,
        make: impl Fn(Arc<RecordedGame>, Power) -> Box<dyn Bot> + Send + Sync + 'static,
    ) -> RecordedSeats {
        RecordedSeats { game, make: Arc::new(make) }
    }

    /// The record, for playing the game once.
    pub(super) fn game(&self) -> Arc<RecordedGame> {
        Arc::new(self.game.clone())
    }

    /// The bot of a seat that is played from this record; `None` if the seat is not.
    pub(super) fn seat(&self, game: &Arc<RecordedGame>, power: Power) -> Option<Box<dyn Bot>> {
        self.game.recorded[power].then(|| (self.make)(Arc::clone(game), power))
    }
}

/// The rows of a game that give the decisions of its powers, and the stage that is being played.
#[derive(Debug)]
pub(crate) struct RecordedGame {
    orders: Arc<[OrderRow]>,
    events: Arc<[EventRow]>,
    /// The seats that do not play again.
    recorded: ByPower<bool>,
    /// The attempt at the game that is recorded, from 1.
    attempt: u8,
    /// The gravest fault of each seat in the attempts before it, and their number.
    earlier: ByPower<(Conduct, u32)>,
    /// The rows before the current stage, with the faults in it that have been told.
    behind: Mutex<Behind>,
}

/// The same record before the first stage.
impl Clone for RecordedGame {
    fn clone(&self) -> RecordedGame {
        RecordedGame {
            orders: Arc::clone(&self.orders),
            events: Arc::clone(&self.events),
            recorded: self.recorded.clone(),
            earlier: self.earlier.clone(),
            attempt: self.attempt,
            behind: Mutex::default(),
        }
    }
}

/// How many rows are behind.
#[derive(Clone, Copy, Debug, Default)]
struct Behind {
    orders: usize,
    events: usize,
}

impl RecordedGame {
    /// The game of these rows, in which `recorded` are the seats that do not play again.
    pub(crate) fn new(
        orders: Vec<OrderRow>,
        events: Vec<EventRow>,
        seats: &SeatRows,
        voided: u8,
        recorded: ByPower<bool>,
    ) -> RecordedGame {
        let earlier = ByPower::from_fn(seats.powers(), |power| {
            let own = events.iter().filter(|event| event.power == Some(power)).filter_map(told);
            let here: u32 = own.map(|told| told.count()).sum();
            match seats[power].faults.saturating_sub(here) {
                0 => (Conduct::Ok, 0),
                // Nothing in this attempt is graver.
                before => (seats[power].fault, before),
            }
        });
        let (attempt, behind) = (voided.saturating_add(1), Mutex::default());
        RecordedGame { orders: orders.into(), events: events.into(), recorded, attempt, earlier, behind }
    }

    /// The attempt at the game that is recorded, from 1.
    pub(crate) fn attempt(&self) -> u8 {
        self.attempt
    }

    /// The gravest fault of each seat in the attempts before, and their number.
    pub(crate) fn earlier_faults(&self) -> &ByPower<(Conduct, u32)> {
        &self.earlier
    }

    fn behind(&self) -> MutexGuard<'_, Behind> {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A stage begins; these numbers of rows are behind.
    pub(super) fn enter(&self, orders: usize, events: usize) {
        *self.behind() = Behind { orders, events };
    }

    /// The orders of a power in the current stage, whose rows are of these phases.
    pub(crate) fn orders(&self, phases: &[Phase], power: Power) -> impl Iterator<Item = &OrderRow> {
        let rows = self.orders.get(self.behind().orders..).unwrap_or_default();
        rows.iter().take_while(|row| phases.contains(&row.phase)).filter(move |row| row.power == power)
    }

    /// The events of the current stage, which is of this phase.
    pub(crate) fn events(&self, phase: Phase) -> impl Iterator<Item = &EventRow> {
        let rows = self.events.get(self.behind().events..).unwrap_or_default();
        rows.iter().take_while(move |row| row.phase == phase)
    }

    /// The faults of a recorded seat in the answer that it has just given.
    pub(crate) fn take_fault(&self, phase: Phase, power: Power) -> BotFault {
        self.next_fault(&mut self.behind(), phase, power)
    }

    /// The same, before they are taken.
    pub(crate) fn fault(&self, phase: Phase, power: Power) -> BotFault {
        self.next_fault(&mut self.behind().clone(), phase, power)
    }

    fn next_fault(&self, behind: &mut Behind, phase: Phase, power: Power) -> BotFault {
        let mut fault = BotFault::default();
        while let Some(event) = self.events.get(behind.events).filter(|event| event.phase == phase)
            && let (Some(of), Some(told)) = (event.power, told(event))
        {
            let own = of == power;
            if self.recorded[of] && !own {
                break;
            }
            match told {
                Told::Refused(count) => {
                    let rows = self.orders.get(behind.orders..behind.orders + count).unwrap_or_default();
                    let are_told = rows.len() == count
                        && rows.iter().all(|row| row.power == of && &*row.result == REFUSED);
                    // Otherwise they are refused when they are settled.
                    if !are_told || (own && fault != BotFault::default()) {
                        break;
                    }
                    if own {
                        let reason = |row: &OrderRow| row.reason.as_deref().unwrap_or_default().to_owned();
                        let refused =
                            rows.iter().map(|row| RefusedOrder::new(row.order.to_string(), reason(row)));
                        fault.refused = refused.collect();
                    }
                    behind.orders += count;
                    behind.events += 1;
                }
                Told::Fault(conduct) => {
                    behind.events += 1;
                    if own {
                        fault.conduct = conduct;
                        break;
                    }
                }
            }
        }
        fault
    }
}

/// What an event says of a bot.
#[derive(Clone, Copy)]
enum Told {
    /// The number of its orders that were refused.
    Refused(usize),
    /// It was at fault.
    Fault(Conduct),
}

impl Told {
    /// How many faults these are.
    fn count(self) -> u32 {
        match self {
            Told::Refused(count) => u32::try_from(count).unwrap_or(u32::MAX),
            Told::Fault(_) => 1,
        }
    }
}

/// What an event says of a bot; `None` if it says nothing.
fn told(event: &EventRow) -> Option<Told> {
    let detail = event.detail.as_deref().filter(|_| event.kind == EventKind::BotFault)?;
    match Conduct::ALL.into_iter().find(|conduct| conduct.name() == detail) {
        Some(conduct) => Some(Told::Fault(conduct)),
        None => detail.split(' ').next()?.parse().ok().map(Told::Refused),
    }
}
