//! Bots that give scripted orders once.

use upheaval_engine::bot::{Bot, Faculty, Handicap, Observation, OrderSheet, RetreatChoice, delegate_bot};
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::order::{AdjustmentOrder, Landing, Order, RetreatOrder};
use upheaval_engine::rules::position::Phase;
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_map::ids::ProvinceId;
use upheaval_map::rng::Stream;
use upheaval_map::topology::Quake;

use crate::sim::Playing;

/// The scripted orders of a bot.
pub(super) enum Script {
    /// Orders of some units in a movement phase, and landings. The bot orders the others.
    Movement(Vec<(ProvinceId, Order)>, Vec<Landing>),
    /// Retreats of some of its units, in the order in which it is asked for them. The bot orders the others.
    Retreats(Vec<Option<RetreatOrder>>),
    /// All its builds or removals of a winter.
    Adjustments(Vec<AdjustmentOrder>),
    /// Its order in a seismic phase, or none.
    Seismic(Option<SeismicOrder>),
}

/// A bot with scripted orders in one phase. It is asked nevertheless, with its own dice.
pub(super) struct Scripted {
    pub bot: Box<dyn Bot>,
    pub phase: Phase,
    pub script: Script,
}

impl Scripted {
    /// The orders that replace the bot's, if this is the phase for them.
    fn script(&self, seen: &Observation<'_>) -> Option<&Script> {
        (seen.phase == self.phase).then_some(&self.script)
    }
}

impl Bot for Scripted {
    fn movement(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>) {
        self.bot.movement(seen, dice, sheet);
        if let Some(Script::Movement(orders, landings)) = self.script(seen) {
            for &(unit, order) in orders {
                sheet.write(unit, order);
            }
            for &landing in landings {
                sheet.land(landing);
            }
        }
    }

    fn retreats(
        &mut self,
        seen: &Observation<'_>,
        choices: &[RetreatChoice<'_>],
        dice: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        self.bot.retreats(seen, choices, dice, orders);
        if let Some(Script::Retreats(scripted)) = self.script(seen) {
            orders.resize(choices.len(), None);
            for (order, scripted) in orders.iter_mut().zip(scripted) {
                *order = scripted.or(*order);
            }
        }
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
        if let Some(Script::Adjustments(scripted)) = self.script(seen) {
            orders.clone_from(scripted);
        }
    }

    fn seismic(
        &mut self,
        seen: &Observation<'_>,
        quakes: &[Quake],
        dice: &mut Stream,
    ) -> Option<SeismicOrder> {
        let ordered = self.bot.seismic(seen, quakes, dice);
        match self.script(seen) {
            Some(Script::Seismic(scripted)) => scripted.clone(),
            _ => ordered,
        }
    }

    /// The bot's handicap; a bot that is scripted to give a seismic order may give it.
    fn handicap(&self) -> Handicap {
        let own = self.bot.handicap();
        match self.script {
            Script::Seismic(Some(_)) => own.iter().filter(|&denied| denied != Faculty::Seismic).collect(),
            _ => own,
        }
    }

    delegate_bot!(bot: new_game, briefed, keeps_a_map, map_changed, keeps_a_record, settled, game_over, as_any, fault, refused, exempt,
        announce, trapped, coast);
}

/// Makes this quake alone happen in the seismic phase that a game waits for, or none. The first power that is not
/// eliminated orders it, and no other power orders one.
pub(super) fn shake(playing: &mut Playing<'_>, quake: Option<SeismicOrder>) {
    let game = playing.look().1;
    let (phase, powers) = (game.phase(), game.powers());
    let giver = powers.iter().find(|&power| !game.world().position.is_out(power));
    for power in powers {
        let script = Script::Seismic(quake.clone().filter(|_| Some(power) == giver));
        playing.exchange(power, |bot| Box::new(Scripted { bot, phase, script }));
    }
}
