//! Past turns: orders and results.

use crate::board::DaideBoard;
use crate::order::{DaideOrder, PowerToken};
use crate::position::DaidePosition;
use crate::reading::OrderReader;
use crate::sentence::Sentence;
use crate::token::Token;
use crate::token::words::{BNC, CUT, DSR, NSO, ORD, RET, SUC};
use crate::told;
use crate::turn::{DaideTurn, TurnPart};

/// A past turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PastTurn {
    /// The turn.
    pub turn: DaideTurn,
    /// The results of its orders: a message for each.
    pub results: Vec<Sentence>,
    /// The owners of the centres afterwards.
    pub owners: Sentence,
    /// The position afterwards.
    pub now: Sentence,
}

/// An order of a power, and the words for its result.
type OrderResult = (PowerToken, DaideOrder, Vec<Token>);

/// The results of a settled stage, a message for each order. `own` are the orders of the client: where it
/// named the seas of an army's route, the same seas are reported.
pub(crate) fn results(
    board: &DaideBoard,
    before: &DaidePosition,
    past: &told::SettledStage,
    (power, own): (PowerToken, &[DaideOrder]),
) -> Vec<Sentence> {
    let texts = past.orders.values().flatten().map(|settled| settled.order.as_str());
    let reader = OrderReader::new(board, before, texts);
    let mut told: Vec<OrderResult> = Vec::new();
    for (name, orders) in &past.orders {
        let Some(of) = board.power(name) else { continue };
        for settled in orders {
            let Some(order) = reader.read(of, &settled.order) else { continue };
            let Some(result) = result(&order, &settled.result) else { continue };
            let order = if of == power { as_given(order, own) } else { order };
            told.push((of, order, result));
        }
    }
    told.extend(waived(board, before, &told));
    // In the order of the powers' tokens.
    told.sort_by_key(|(power, ..)| *power);
    let message = |(_, order, result): &OrderResult| {
        let said = before.turn.write(Sentence::new(ORD));
        order.write(said).group(|s| s.words(result.iter().copied()))
    };
    told.iter().map(message).collect()
}

/// A waived build for each build that a power neither used nor waived: by the language's rules, each of a power's
/// builds has an order, and clients count on that.
fn waived(board: &DaideBoard, before: &DaidePosition, told: &[OrderResult]) -> Vec<OrderResult> {
    if before.turn.season != TurnPart::Winter {
        return Vec::new();
    }
    let of_builds = |order: &DaideOrder| matches!(order, DaideOrder::Build(_) | DaideOrder::Waive(_));
    let of_power = |power: PowerToken| {
        let builds = before.centres_of(power).saturating_sub(before.units_of(power).count());
        let ordered = told.iter().filter(|(of, order, _)| *of == power && of_builds(order)).count();
        let left = builds.saturating_sub(ordered);
        std::iter::repeat_n((power, DaideOrder::Waive(power), vec![SUC]), left)
    };
    board.powers().flat_map(of_power).collect()
}

/// The order as its power gave it, if it gave that order.
fn as_given(order: DaideOrder, own: &[DaideOrder]) -> DaideOrder {
    let same = |given: &&DaideOrder| match (&order, given) {
        (DaideOrder::MoveByConvoy(unit, to, _), DaideOrder::MoveByConvoy(given, given_to, _)) => {
            unit == given && to.province == given_to.province
        }
        _ => false,
    };
    own.iter().find(same).cloned().unwrap_or(order)
}

/// The language's result words for those of `upheaval`; `None` for an order that did not count.
fn result(order: &DaideOrder, words: &[String]) -> Option<Vec<Token>> {
    let mut result = Vec::new();
    for word in words {
        result.push(match (word.as_str(), order) {
            ("ok", _) => SUC,
            ("bounce", _) => BNC,
            // Two units that retreat to the same place are both lost.
            ("overlap", _) => BNC,
            ("cut", _) => CUT,
            ("disrupted", _) => DSR,
            // A convoy or support that matches no order of the other unit.
            ("no convoy" | "void", DaideOrder::Move(..)) => BNC,
            ("no convoy" | "void", _) => NSO,
            ("dislodged", _) => RET,
            // A unit that had to retreat and has no order is disbanded.
            ("disband", _) => SUC,
            // It did not count: another order replaced it, and is reported instead.
            _ => return None,
        });
    }
    Some(if result.is_empty() { vec![SUC] } else { result })
}
