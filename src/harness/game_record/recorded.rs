//! Seats that give the orders of the record, in place of bots that do not play again.

use std::sync::Arc;

use super::decisions;
use super::form::{EventLine, OrderLine};
use super::told::Told;
use crate::sim::{RecordedGame, RecordedSeats};
use upheaval_engine::ask::{Answer, Ask, Handicap, Observation};
use upheaval_engine::bot::{Bot, BotFault, handicapped};
use upheaval_engine::rules::answers::Answers;
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
        let mut lines: Vec<OrderLine> = self.game.orders(phases, seen.power).map(OrderLine::from).collect();
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
        let game = seen.whole_game();
        if let Ask::Movement(_) | Ask::Retreats(_) | Ask::Adjustments(_) | Ask::Seismic(_) = ask {
            let given = decisions::given(game, &self.lines(seen, ask)).unwrap_or_default();
            answer.give_all(ask, given.iter().map(|(_, decision)| decision));
            return;
        }
        let events: Vec<EventLine> = self.game.events(seen.phase).map(EventLine::from).collect();
        let mut answers = Answers::none(seen.powers());
        Told::new(&events, &game.world().terrain).answer(game, &mut answers);
        let told = Answer::new(seen, std::slice::from_ref(ask), &mut answers);
        answer.give_all(ask, &told.decided(ask));
    }

    fn fault(&mut self) -> BotFault {
        self.seat.map(|(power, phase)| self.game.take_fault(phase, power)).unwrap_or_default()
    }
}
