//! Seats that give the orders of the record, in place of bots that do not play again.

use std::sync::Arc;

use super::decisions;
use super::form::{EventLine, OrderLine};
use super::told::Told;
use crate::sim::{RecordedGame, RecordedSeats};
use upheaval_engine::bot::{
    Bot, BotFault, Handicap, Observation, OrderSheet, RetreatChoice, Trapped, handicapped,
};
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::order::{AdjustmentOrder, RetreatOrder};
use upheaval_engine::rules::position::{Phase, PhaseKind};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;
use upheaval_map::ids::{ByPower, CoastId, Power, ProvinceId};
use upheaval_map::rng::Stream;
use upheaval_map::topology::Quake;

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
    fn lines(&mut self, seen: &Observation<'_>) -> Vec<OrderLine> {
        self.asked(seen);
        let lists = Phase { kind: PhaseKind::Retreats, ..seen.phase };
        let phases = match seen.listing.is_allowed() {
            // The lists of dislodged units are rows of the retreats.
            true => &[seen.phase, lists][..],
            false => &[seen.phase],
        };
        self.game.orders(phases, seen.power).map(OrderLine::from).collect()
    }

    fn asked(&mut self, seen: &Observation<'_>) {
        self.seat = Some((seen.power, seen.phase));
    }

    /// The events of the stage, with its declarations and choices.
    fn told<T>(&mut self, seen: &Observation<'_>, read: impl FnOnce(Told<'_>) -> T) -> T {
        self.asked(seen);
        let events: Vec<EventLine> = self.game.events(seen.phase).map(EventLine::from).collect();
        read(Told::new(&events, &seen.whole_game().world().terrain))
    }
}

impl Bot for Recorded {
    fn movement(&mut self, seen: &Observation<'_>, _: &mut Stream, sheet: &mut OrderSheet<'_>) {
        let lines = self.lines(seen);
        let Ok(orders) = decisions::movement(seen.whole_game(), &lines) else { return };
        for unit in *seen.position.units_of(seen.power) {
            sheet.write(unit, orders[unit]);
        }
        for &landing in orders.landings() {
            sheet.land(landing);
        }
        for (unit, places) in orders.retreats().iter() {
            sheet.list_retreats(unit, places.iter().copied());
        }
    }

    fn retreats(
        &mut self,
        seen: &Observation<'_>,
        _: &[RetreatChoice<'_>],
        _: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        let lines = self.lines(seen);
        let game = seen.whole_game();
        let Ok(decided) = decisions::retreats(game, &lines) else { return };
        let waiting = game.dislodged().dislodged.iter().zip(decided).enumerate();
        let own = waiting.filter(|(i, (dislodged, _))| {
            dislodged.unit.power == seen.power && !game.retreat_options(*i).is_empty()
        });
        orders.extend(own.map(|(_, (_, order))| order));
    }

    fn adjustments(
        &mut self,
        seen: &Observation<'_>,
        _: Owed,
        _: &[AdjustmentOrder],
        _: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        let mut lines = self.lines(seen);
        // Orders that were refused at once are faults; others were given, and refused when they were settled.
        let mut at_once = self.game.fault(seen.phase, seen.power).refused.len();
        for line in lines.iter_mut().filter(|line| line.was_refused()) {
            match at_once {
                0 => line.result.clear(),
                _ => at_once -= 1,
            }
        }
        if let Ok(mut decided) = decisions::adjustments(seen.whole_game(), &lines) {
            orders.append(&mut decided[seen.power]);
        }
    }

    fn exempt(&mut self, seen: &Observation<'_>, _: &mut Stream) -> Option<ProvinceId> {
        self.told(seen, |told| told.declared().exempt[seen.power])
    }

    fn announce(&mut self, seen: &Observation<'_>, _: &mut Stream) -> Announced {
        self.told(seen, |told| told.declared().announce[seen.power])
    }

    fn seismic(&mut self, seen: &Observation<'_>, _: &[Quake], _: &mut Stream) -> Option<SeismicOrder> {
        let lines = self.lines(seen);
        decisions::seismic(seen.whole_game(), &lines).ok()?[seen.power].take()
    }

    fn trapped(&mut self, seen: &Observation<'_>, fleet: ProvinceId, _: &mut Stream) -> Trapped {
        match self.told(seen, |told| told.disbanded().contains(fleet)) {
            true => Trapped::Disbands,
            false => Trapped::Stays,
        }
    }

    fn coast(&mut self, seen: &Observation<'_>, choice: &CoastChoice, _: &mut Stream) -> Option<CoastId> {
        self.told(seen, |told| told.coast(choice.fleet, &choice.coasts))
    }

    fn fault(&mut self) -> BotFault {
        self.seat.map(|(power, phase)| self.game.take_fault(phase, power)).unwrap_or_default()
    }
}
