//! The orders of a stage, from their texts.

use super::form::OrderLine;
use upheaval_engine::game::Game;
use upheaval_engine::rules::legal::{ConvoyChains, is_legal, is_legal_landing};
use upheaval_engine::rules::notation::{Situation, WrittenOrder, WrittenSeismic};
use upheaval_engine::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrders;
use upheaval_map::ids::ByPower;

/// Why an order cannot be followed: the order, and what is wrong with it.
pub(super) struct Unusable {
    pub order: String,
    pub why: String,
}

impl OrderLine {
    fn unusable(&self, why: impl ToString) -> Unusable {
        Unusable { order: format!("{} {}", self.power, self.order), why: why.to_string() }
    }

    fn parse(&self, game: &Game) -> Result<WrittenOrder, Unusable> {
        WrittenOrder::parse(&self.order, game.terrain().names()).map_err(|error| self.unusable(error))
    }
}

pub(super) fn movement(game: &Game, lines: &[OrderLine]) -> Result<Orders, Unusable> {
    let (board, position) = (game.terrain().board(), &game.world().position);
    let chains = ConvoyChains::new(board, &game.variant().rulebook, position);
    let situation = |power| Situation { board, position, chains: &chains, power };
    let mut orders = Orders::all_hold();
    let mut landings = Vec::new();
    for line in lines {
        let written = line.parse(game)?;
        if let WrittenOrder::Disembark { .. } = written {
            landings.push((line, written));
            continue;
        }
        let (unit, order) = written.resolve(&situation(line.power)).map_err(|error| line.unusable(error))?;
        if !is_legal(board, position, &chains, unit, order) {
            return Err(line.unusable("it is not legal"));
        }
        orders[unit] = order;
    }
    // Where an army lands from is known once the fleets' orders are.
    for (line, written) in landings {
        let landing =
            written.resolve_landing(&situation(line.power), &orders).map_err(|error| line.unusable(error))?;
        if !is_legal_landing(board, position, &chains, line.power, landing) {
            return Err(line.unusable("it is not legal"));
        }
        orders.land(landing);
    }
    Ok(orders)
}

/// One for each dislodged unit; `None` where none was given and the variant's rule decided.
pub(super) fn retreats(game: &Game, lines: &[OrderLine]) -> Result<Vec<Option<RetreatOrder>>, Unusable> {
    let (board, position) = (game.terrain().board(), &game.world().position);
    let chains = ConvoyChains::default();
    let mut orders = vec![None; game.dislodged().dislodged.len()];
    // One that went well without a reason was ordered so.
    for line in lines.iter().filter(|line| line.result == "overlap" || line.reason.is_none()) {
        let situation = Situation { board, position, chains: &chains, power: line.power };
        let resolved = line.parse(game)?.resolve_retreat(&situation, game.dislodged());
        let (index, order) = resolved.map_err(|error| line.unusable(error))?;
        orders[index] = Some(order);
    }
    Ok(orders)
}

pub(super) fn adjustments(
    game: &Game,
    lines: &[OrderLine],
) -> Result<ByPower<Vec<AdjustmentOrder>>, Unusable> {
    let (board, position) = (game.terrain().board(), &game.world().position);
    let chains = ConvoyChains::default();
    let mut orders: ByPower<Vec<AdjustmentOrder>> = ByPower::default();
    for line in lines.iter().filter(|line| !line.was_refused()) {
        let situation = Situation { board, position, chains: &chains, power: line.power };
        let order = line.parse(game)?.resolve_adjustment(&situation).map_err(|error| line.unusable(error))?;
        orders[line.power].push(order);
    }
    Ok(orders)
}

pub(super) fn seismic(game: &Game, lines: &[OrderLine]) -> Result<SeismicOrders, Unusable> {
    let map = game.terrain().chart().map();
    let mut orders = SeismicOrders::default();
    for line in lines {
        let written = WrittenSeismic::parse(&line.order).map_err(|error| line.unusable(error))?;
        orders[line.power] = Some(written.resolve(map).map_err(|error| line.unusable(error))?);
    }
    Ok(orders)
}
