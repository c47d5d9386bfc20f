//! The decisions of a stage, from the texts of its orders.

use super::form::OrderLine;
use upheaval_engine::bot::Decision;
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::reading::{self, OrderSource, OrderText, Refusal};
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_engine::rules::order::Listing;
use upheaval_map::ids::Power;

/// Why an order cannot be followed: the order, and its fault.
pub(crate) struct Unusable {
    pub order: String,
    pub why: String,
}

/// What the orders of a record, or orders that look like them, say in the stage that the game waits for.
///
/// # Errors
/// The first text that is not a legal order.
pub(crate) fn given(game: &Game, lines: &[OrderLine]) -> Result<Vec<(Power, Decision)>, Unusable> {
    let names = game.power_names();
    let unusable = |power: &str, text: &str, why: String| Unusable { order: format!("{power} {text}"), why };
    let lines = lines.iter().filter(|line| was_given(game.stage(), game.variant().listing(), line)).map(
        |OrderLine { power, order, .. }| {
            let named = names.named(power).map_err(|error| unusable(power, order, error.to_string()))?;
            Ok(OrderText { power: named, text: order })
        },
    );
    let lines: Vec<OrderText<'_>> = lines.collect::<Result<_, _>>()?;
    let chains = match game.stage() {
        Stage::Movement => {
            let (board, rulebook) = (game.terrain().board(), &game.variant().rulebook);
            ConvoyChains::new(board, rulebook, &game.world().position)
        }
        _ => ConvoyChains::default(),
    };
    let read = reading::stage(game, &chains, &lines, OrderSource::Record);
    let decision = |(line, result): (&OrderText<'_>, Result<Decision, Refusal>)| {
        let refused = |why: Refusal| unusable(names.name(line.power), line.text, why.to_string());
        result.map(|decision| (line.power, decision)).map_err(refused)
    };
    lines.iter().zip(read).map(decision).collect()
}

/// Did the power give this order in a stage of this kind? Some lines are of units that were lost without one, and of
/// retreats that the variant prescribed.
pub(super) fn was_given(stage: Stage, listing: Listing, line: &OrderLine) -> bool {
    let is_given = match stage {
        Stage::Movement => !(listing.is_allowed() && line.disbands()),
        // A retreat that succeeded without a reason was ordered.
        Stage::Retreats => line.result == "overlap" || line.reason.is_none(),
        _ => true,
    };
    is_given && !line.was_refused()
}
