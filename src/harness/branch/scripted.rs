//! A bot that is made to order something else once.

use std::any::Any;

use upheaval_engine::bot::{
    Bot, Brief, Handicap, Lapse, Observation, OrderSheet, Past, RetreatChoice, Trapped, Verdict,
};
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::order::{AdjustmentOrder, Landing, Order, RetreatOrder};
use upheaval_engine::rules::position::Phase;
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;
use upheaval_map::ids::{CoastId, Power, ProvinceId};
use upheaval_map::rng::Stream;
use upheaval_map::topology::{MapEvent, Quake};

/// A bot whose units are ordered something else in one phase. It is asked all the same, with its own dice, and what it says
/// of its other units counts.
pub(super) struct Scripted {
    pub bot: Box<dyn Bot>,
    pub phase: Phase,
    pub orders: Vec<(ProvinceId, Order)>,
    pub landings: Vec<Landing>,
}

impl Bot for Scripted {
    fn movement(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>) {
        self.bot.movement(seen, dice, sheet);
        if seen.phase == self.phase {
            for &(unit, order) in &self.orders {
                sheet.write(unit, order);
            }
            for &landing in &self.landings {
                sheet.land(landing);
            }
        }
    }

    fn handicap(&self) -> Handicap {
        self.bot.handicap()
    }

    fn new_game(&mut self, power: Power) {
        self.bot.new_game(power);
    }

    fn briefed(&mut self, brief: &Brief<'_>, seen: &Observation<'_>, dice: &mut Stream) {
        self.bot.briefed(brief, seen, dice);
    }

    fn keeps_a_map(&self) -> bool {
        self.bot.keeps_a_map()
    }

    fn map_changed(&mut self, change: &MapEvent) {
        self.bot.map_changed(change);
    }

    fn keeps_a_record(&self) -> bool {
        self.bot.keeps_a_record()
    }

    fn settled(&mut self, past: &Past) {
        self.bot.settled(past);
    }

    fn game_over(&mut self, seen: &Observation<'_>, verdict: Verdict<'_>) {
        self.bot.game_over(seen, verdict);
    }

    fn as_any(&mut self) -> Option<&mut dyn Any> {
        self.bot.as_any()
    }

    fn lapse(&mut self) -> Lapse {
        self.bot.lapse()
    }

    fn retreats(
        &mut self,
        seen: &Observation<'_>,
        choices: &[RetreatChoice<'_>],
        dice: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        self.bot.retreats(seen, choices, dice, orders);
    }

    fn adjustments(
        &mut self,
        seen: &Observation<'_>,
        owed: Owed,
        builds: &[AdjustmentOrder],
        dice: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        self.bot.adjustments(seen, owed, builds, dice, orders);
    }

    fn exempt(&mut self, seen: &Observation<'_>, dice: &mut Stream) -> Option<ProvinceId> {
        self.bot.exempt(seen, dice)
    }

    fn announce(&mut self, seen: &Observation<'_>, dice: &mut Stream) -> Announced {
        self.bot.announce(seen, dice)
    }

    fn seismic(
        &mut self,
        seen: &Observation<'_>,
        quakes: &[Quake],
        dice: &mut Stream,
    ) -> Option<SeismicOrder> {
        self.bot.seismic(seen, quakes, dice)
    }

    fn trapped(&mut self, seen: &Observation<'_>, fleet: ProvinceId, dice: &mut Stream) -> Trapped {
        self.bot.trapped(seen, fleet, dice)
    }

    fn coast(&mut self, seen: &Observation<'_>, choice: &CoastChoice, dice: &mut Stream) -> Option<CoastId> {
        self.bot.coast(seen, choice, dice)
    }
}
