//! The orders of a stage, from their texts.

use super::form::OrderLine;
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::reading::{
    self, Decision, Ground, Manner, MayDeclare, OrderText, Read, Refusal, Waiting,
};
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_engine::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrders;
use upheaval_map::ids::{ByPower, ProvinceId, ProvinceSet};

/// Why an order cannot be followed: the order, and its fault.
pub(crate) struct Unusable {
    pub order: String,
    pub why: String,
}

/// Some lines of a stage, as they are read.
struct Lines<'a>(Vec<OrderText<'a>>);

impl<'a> Lines<'a> {
    fn of(lines: impl IntoIterator<Item = &'a OrderLine>) -> Lines<'a> {
        Lines(lines.into_iter().map(|line| OrderText { power: line.power, text: &line.order }).collect())
    }

    /// All of them, or the fault of the first that cannot be followed.
    fn followed<T>(&self, decided: T, read: Vec<Read>) -> Result<T, Unusable> {
        let unusable = |line: usize, refusal: Refusal| {
            let OrderText { power, text } = self.0[line];
            Unusable { order: format!("{power} {text}"), why: refusal.to_string() }
        };
        match read.into_iter().find_map(|read| Some((read.line, read.result.err()?))) {
            Some((line, refusal)) => Err(unusable(line, refusal)),
            None => Ok(decided),
        }
    }
}

fn ground<'a>(game: &'a Game, chains: &'a ConvoyChains) -> Ground<'a> {
    Ground {
        terrain: game.terrain(),
        position: &game.world().position,
        chains,
        rulebook: &game.variant().rulebook,
    }
}

pub(super) fn movement(game: &Game, lines: &[OrderLine]) -> Result<Orders, Unusable> {
    let (board, position) = (game.terrain().board(), &game.world().position);
    let chains = ConvoyChains::new(board, &game.variant().rulebook, position);
    let listing = game.variant().listing();
    // Where retreats are sent with the orders, a unit that is dislodged without a list also has a line, which no power
    // gave.
    let is_given = |line: &&OrderLine| !(line.was_refused() || listing.is_allowed() && line.disbands());
    let lines = Lines::of(lines.iter().filter(is_given));
    // The declarations of powers are kept among the events.
    let may_declare = MayDeclare { listing, exempt: &|_| ProvinceSet::EMPTY, announce: &|_| false };
    let movement = reading::movement(ground(game, &chains), &lines.0, Manner::Record, may_declare);
    lines.followed(movement.orders, movement.read)
}

/// The decisions that some orders of a stage amount to.
pub(crate) enum Given {
    /// In a movement phase, with the units that they are for.
    Movement(Orders, Vec<ProvinceId>),
    /// In a retreat phase, one for each dislodged unit.
    Retreats(Vec<Option<RetreatOrder>>),
    /// In a winter.
    Adjustments(ByPower<Vec<AdjustmentOrder>>),
    /// In a seismic phase.
    Seismic(SeismicOrders),
    /// In a stage in which no orders are given.
    Nothing,
}

/// Reads some powers' orders for the stage that the game waits for.
///
/// # Errors
/// The first text that is not a legal order.
pub(crate) fn given(game: &Game, lines: &[OrderLine]) -> Result<Given, Unusable> {
    match game.stage() {
        Stage::Movement => some_movement(game, lines).map(|(orders, units)| Given::Movement(orders, units)),
        Stage::Retreats => retreats(game, lines).map(Given::Retreats),
        Stage::Adjustments => adjustments(game, lines).map(Given::Adjustments),
        Stage::Seismic => seismic(game, lines).map(Given::Seismic),
        Stage::Coasts | Stage::Over => Ok(Given::Nothing),
    }
}

/// Some powers' orders of a movement, and the units that they are for.
fn some_movement(game: &Game, lines: &[OrderLine]) -> Result<(Orders, Vec<ProvinceId>), Unusable> {
    let chains = ConvoyChains::new(game.terrain().board(), &game.variant().rulebook, &game.world().position);
    let lines = Lines::of(lines);
    let may_declare = MayDeclare {
        listing: game.variant().listing(),
        exempt: &|_| ProvinceSet::EMPTY,
        announce: &|_| false,
    };
    let movement = reading::movement(ground(game, &chains), &lines.0, Manner::Record, may_declare);
    let unit = |read: &Read| match read.result {
        Ok(Decision::Order { unit, .. }) => Some(unit),
        _ => None,
    };
    let units = movement.read.iter().filter_map(unit).collect();
    lines.followed((movement.orders, units), movement.read)
}

/// One for each dislodged unit; `None` where no order was given and the variant's rule decided.
pub(super) fn retreats(game: &Game, lines: &[OrderLine]) -> Result<Vec<Option<RetreatOrder>>, Unusable> {
    // A retreat that succeeded without a reason was ordered.
    let is_given =
        |line: &&OrderLine| !line.was_refused() && (line.result == "overlap" || line.reason.is_none());
    let lines = Lines::of(lines.iter().filter(is_given));
    let waiting = Waiting { units: game.dislodged(), can_go: &|_, _| true };
    let chains = ConvoyChains::default();
    let (orders, read) = reading::retreats(ground(game, &chains), &lines.0, Manner::Record, waiting);
    lines.followed(orders, read)
}

pub(super) fn adjustments(
    game: &Game,
    lines: &[OrderLine],
) -> Result<ByPower<Vec<AdjustmentOrder>>, Unusable> {
    let lines = Lines::of(lines.iter().filter(|line| !line.was_refused()));
    let chains = ConvoyChains::default();
    let (orders, read) =
        reading::adjustments(ground(game, &chains), &lines.0, &|power| game.adjusting(power));
    lines.followed(orders, read)
}

pub(super) fn seismic(game: &Game, lines: &[OrderLine]) -> Result<SeismicOrders, Unusable> {
    let lines = Lines::of(lines.iter().filter(|line| !line.was_refused()));
    let (orders, read) = reading::seismic(game.terrain(), &lines.0, &|_, _| Ok(()));
    lines.followed(orders, read)
}
