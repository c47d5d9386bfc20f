//! Units and orders as texts of `upheaval`: `A PAR - BUR`, `F MAO - SPA/SC`.

use crate::board::Board;
use crate::order::{Kind, Order, Power, Province, Unit};

/// The kind of unit that a letter stands for.
pub fn kind(letter: &str) -> Option<Kind> {
    match letter {
        "A" => Some(Kind::Army),
        "F" => Some(Kind::Fleet),
        _ => None,
    }
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Army => "A",
        Kind::Fleet => "F",
    }
}

/// A power's unit of this text: `A PAR`, `F STP/NC`. The number of one of several alike is passed over.
pub fn unit(board: &Board, power: Power, text: &str) -> Option<Unit> {
    let (first, place) = text.split_once(' ')?;
    let place = place.split_once('#').map_or(place, |(place, _)| place);
    Some(Unit { power, kind: kind(first)?, place: board.place(place)? })
}

/// The text of a unit of this board.
pub fn unit_text(board: &Board, unit: Unit) -> Option<String> {
    Some(format!("{} {}", letter(unit.kind), board.text(unit.place)?))
}

/// The text of an order, which names no place that the board does not have. The seas of a convoy are left out.
pub fn order_text(board: &Board, order: &Order) -> Option<String> {
    let unit = |of: &Unit| unit_text(board, *of);
    let code = |of: &Province| board.code(*of);
    Some(match order {
        Order::Hold(of) => format!("{} H", unit(of)?),
        Order::Move(of, to) => format!("{} - {}", unit(of)?, board.text(*to)?),
        Order::SupportHold(of, other) => format!("{} S {}", unit(of)?, unit(other)?),
        Order::SupportMove(of, other, to) => format!("{} S {} - {}", unit(of)?, unit(other)?, code(to)?),
        Order::Convoy(of, army, to) => format!("{} C {} - {}", unit(of)?, unit(army)?, code(to)?),
        Order::MoveByConvoy(of, to, _) => format!("{} - {} VIA", unit(of)?, code(&to.province)?),
        Order::Retreat(of, to) => format!("{} R {}", unit(of)?, board.text(*to)?),
        Order::Disband(of) | Order::Remove(of) => format!("{} D", unit(of)?),
        Order::Build(of) => format!("{} B", unit(of)?),
        Order::Waive(_) => "WAIVE".to_owned(),
    })
}
