//! Bots that wrap a bot.

/// Methods of [`Bot`](crate::bot::Bot), by name, that a bot leaves to the bot in one of its fields.
///
/// ```
/// use upheaval_engine::bot::{OrderSheet, delegate_bot};
/// use upheaval_engine::prelude::*;
///
/// /// Plays as another bot, and holds in the first year.
/// struct Late(Box<dyn Bot>);
///
/// impl Bot for Late {
///     fn movement(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>) {
///         if seen.phase.year > 1901 {
///             self.0.movement(seen, dice, sheet);
///         }
///     }
///
///     delegate_bot!(0: new_game, retreats, adjustments, seismic);
/// }
/// ```
#[macro_export]
macro_rules! delegate_bot {
    ($bot:tt: $($method:ident),+ $(,)?) => { $($crate::delegate_bot!(@$method $bot);)+ };
    (@new_game $bot:tt) => {
        fn new_game(&mut self, power: $crate::ids::Power) {
            self.$bot.new_game(power);
        }
    };
    (@briefed $bot:tt) => {
        fn briefed(
            &mut self,
            brief: &$crate::bot::Brief<'_>,
            seen: &$crate::bot::Observation<'_>,
            dice: &mut $crate::rng::Stream,
        ) {
            self.$bot.briefed(brief, seen, dice);
        }
    };
    (@keeps_a_map $bot:tt) => {
        fn keeps_a_map(&self) -> bool {
            self.$bot.keeps_a_map()
        }
    };
    (@map_changed $bot:tt) => {
        fn map_changed(&mut self, change: &$crate::topology::MapEvent) {
            self.$bot.map_changed(change);
        }
    };
    (@keeps_a_record $bot:tt) => {
        fn keeps_a_record(&self) -> bool {
            self.$bot.keeps_a_record()
        }
    };
    (@settled $bot:tt) => {
        fn settled(&mut self, past: &$crate::bot::Past) {
            self.$bot.settled(past);
        }
    };
    (@game_over $bot:tt) => {
        fn game_over(&mut self, seen: &$crate::bot::Observation<'_>, verdict: $crate::bot::Verdict<'_>) {
            self.$bot.game_over(seen, verdict);
        }
    };
    (@as_any $bot:tt) => {
        fn as_any(&mut self) -> Option<&mut dyn ::std::any::Any> {
            self.$bot.as_any()
        }
    };
    (@fault $bot:tt) => {
        fn fault(&mut self) -> $crate::bot::BotFault {
            self.$bot.fault()
        }
    };
    (@refused $bot:tt) => {
        fn refused(&mut self, phase: $crate::rules::position::Phase, refused: &[$crate::bot::RefusedOrder]) {
            self.$bot.refused(phase, refused);
        }
    };
    (@movement $bot:tt) => {
        fn movement(
            &mut self,
            seen: &$crate::bot::Observation<'_>,
            dice: &mut $crate::rng::Stream,
            sheet: &mut $crate::bot::OrderSheet<'_>,
        ) {
            self.$bot.movement(seen, dice, sheet);
        }
    };
    (@retreats $bot:tt) => {
        fn retreats(
            &mut self,
            seen: &$crate::bot::Observation<'_>,
            choices: &[$crate::bot::RetreatChoice<'_>],
            dice: &mut $crate::rng::Stream,
            orders: &mut Vec<Option<$crate::rules::order::RetreatOrder>>,
        ) {
            self.$bot.retreats(seen, choices, dice, orders);
        }
    };
    (@adjustments $bot:tt) => {
        fn adjustments(
            &mut self,
            seen: &$crate::bot::Observation<'_>,
            owed: $crate::rules::adjustment::Owed,
            builds: &[$crate::rules::order::AdjustmentOrder],
            dice: &mut $crate::rng::Stream,
            orders: &mut Vec<$crate::rules::order::AdjustmentOrder>,
        ) {
            self.$bot.adjustments(seen, owed, builds, dice, orders);
        }
    };
    (@exempt $bot:tt) => {
        fn exempt(
            &mut self,
            seen: &$crate::bot::Observation<'_>,
            dice: &mut $crate::rng::Stream,
        ) -> Option<$crate::ids::ProvinceId> {
            self.$bot.exempt(seen, dice)
        }
    };
    (@announce $bot:tt) => {
        fn announce(
            &mut self,
            seen: &$crate::bot::Observation<'_>,
            dice: &mut $crate::rng::Stream,
        ) -> $crate::rules::mechanism::exemption::Announced {
            self.$bot.announce(seen, dice)
        }
    };
    (@seismic $bot:tt) => {
        fn seismic(
            &mut self,
            seen: &$crate::bot::Observation<'_>,
            quakes: &[$crate::topology::Quake],
            dice: &mut $crate::rng::Stream,
        ) -> Option<$crate::rules::seismic::SeismicOrder> {
            self.$bot.seismic(seen, quakes, dice)
        }
    };
    (@trapped $bot:tt) => {
        fn trapped(
            &mut self,
            seen: &$crate::bot::Observation<'_>,
            fleet: $crate::ids::ProvinceId,
            dice: &mut $crate::rng::Stream,
        ) -> $crate::bot::Trapped {
            self.$bot.trapped(seen, fleet, dice)
        }
    };
    (@coast $bot:tt) => {
        fn coast(
            &mut self,
            seen: &$crate::bot::Observation<'_>,
            choice: &$crate::rules::world::CoastChoice,
            dice: &mut $crate::rng::Stream,
        ) -> Option<$crate::ids::CoastId> {
            self.$bot.coast(seen, choice, dice)
        }
    };
}
