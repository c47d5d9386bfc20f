//! The decisions of a stage, from the texts of its orders.

use super::form::OrderLine;
use upheaval_engine::bot::Decision;
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::reading::{self, Ground, Manner, MayDeclare, OrderText, Read, Waiting};
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_map::ids::{Power, ProvinceSet};

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
    let lines = lines.iter().filter(|line| was_given(game, line));
    let lines: Vec<OrderText<'_>> =
        lines.map(|line| OrderText { power: line.power, text: &line.order }).collect();
    let decision = |Read { line, result }| {
        let OrderText { power, text } = lines[line];
        let unusable =
            |why: reading::Refusal| Unusable { order: format!("{power} {text}"), why: why.to_string() };
        result.map(|decision| (power, decision)).map_err(unusable)
    };
    read(game, &lines).into_iter().map(decision).collect()
}

/// Did the power give this order? Some lines are of units that were lost without one, and of retreats that the variant
/// prescribed.
fn was_given(game: &Game, line: &OrderLine) -> bool {
    let is_given = match game.stage() {
        Stage::Movement => !(game.variant().listing().is_allowed() && line.disbands()),
        // A retreat that succeeded without a reason was ordered.
        Stage::Retreats => line.result == "overlap" || line.reason.is_none(),
        _ => true,
    };
    is_given && !line.was_refused()
}

fn read(game: &Game, lines: &[OrderText<'_>]) -> Vec<Read> {
    let (board, position, rulebook) =
        (game.terrain().board(), &game.world().position, &game.variant().rulebook);
    let chains = match game.stage() {
        Stage::Movement => ConvoyChains::new(board, rulebook, position),
        _ => ConvoyChains::default(),
    };
    let ground = Ground { terrain: game.terrain(), position, chains: &chains, rulebook };
    match game.stage() {
        Stage::Movement => {
            let listing = game.variant().listing();
            // The declarations of powers are kept among the events.
            let may_declare = MayDeclare { listing, exempt: &|_| ProvinceSet::EMPTY, announce: &|_| false };
            reading::movement(ground, lines, Manner::Record, may_declare).read
        }
        Stage::Retreats => {
            let waiting = Waiting { units: game.dislodged(), can_go: &|_, _| true };
            reading::retreats(ground, lines, Manner::Record, waiting).1
        }
        Stage::Adjustments => reading::adjustments(ground, lines, &|power| game.adjusting(power)).1,
        Stage::Seismic => reading::seismic(game.terrain(), lines, &|_, _| Ok(())).1,
        Stage::Coasts | Stage::Over => Vec::new(),
    }
}
