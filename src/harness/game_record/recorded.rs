//! Seats that give the orders of the record, in place of bots that do not play again.

use std::sync::Arc;

use super::decisions::was_given;
use super::form::{EventLine, OrderLine};
use super::told;
use crate::sim::{RecordedGame, RecordedSeats};
use upheaval_engine::ask::{Answer, Ask, Handicap, Observation};
use upheaval_engine::bot::{Bot, BotFault, Decision, handicapped};
use upheaval_engine::reading::{OrderSource, Refusal};
use upheaval_engine::rules::position::{Phase, PhaseKind};
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::rng::Stream;

/// The seats of a game that decide as its record says, with the handicap of each. Orders that cannot be read are left
/// out: then the game differs from its rows.
pub(super) fn recorded(game: RecordedGame, handicaps: ByPower<Handicap>) -> RecordedSeats {
    RecordedSeats::new(game, move |game, power| {
        let seat = Box::new(Recorded { game, seat: None });
        match handicaps[power] {
            handicap if handicap.is_none() => seat,
            handicap => handicapped(seat, handicap),
        }
    })
}

struct Recorded {
    game: Arc<RecordedGame>,
    /// The power, and the phase that it was last asked in.
    seat: Option<(Power, Phase)>,
}

impl Recorded {
    /// The orders of the power in the stage.
    fn lines(&self, seen: &Observation<'_>, ask: &Ask) -> Vec<OrderLine> {
        let lists = Phase { kind: PhaseKind::Retreats, ..seen.phase };
        let phases = match seen.listing.is_allowed() {
            // The lists of dislodged units are rows of the retreats.
            true => &[seen.phase, lists][..],
            false => &[seen.phase],
        };
        let mut lines: Vec<OrderLine> = self
            .game
            .orders(phases, seen.power)
            .map(|row| OrderLine::of(row, seen.names().powers()))
            .collect();
        if let Ask::Adjustments(_) = ask {
            // Orders that were refused at once are faults; others were given, and refused when they were settled.
            let mut at_once = self.game.fault(seen.phase, seen.power).refused.len();
            for line in lines.iter_mut().filter(|line| line.was_refused()) {
                match at_once {
                    0 => line.result.clear(),
                    _ => at_once -= 1,
                }
            }
        }
        lines
    }
}

impl Bot for Recorded {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        self.seat = Some((seen.power, seen.phase));
        if let Ask::Movement(_) | Ask::Poll(_) | Ask::Retreats(_) | Ask::Adjustments(_) | Ask::Seismic(_) =
            ask
        {
            let lines = self.lines(seen, ask);
            let given = lines.iter().filter(|line| was_given(seen.stage(), seen.listing, line));
            let texts: Vec<&str> = given.map(|line| line.order.as_str()).collect();
            let read: Result<Vec<Decision>, Refusal> =
                seen.read(&texts, OrderSource::Record).into_iter().collect();
            answer.give_all(ask, &read.unwrap_or_default());
            return;
        }
        let named = |row| EventLine::of(row, seen.names().powers());
        let events: Vec<EventLine> = self.game.events(seen.phase).map(named).collect();
        answer.give_all(ask, &told::decided(&events, seen.terrain(), seen.power, ask));
    }

    fn fault(&mut self) -> BotFault {
        self.seat.map(|(power, phase)| self.game.take_fault(phase, power)).unwrap_or_default()
    }
}
