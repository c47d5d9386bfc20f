//! Units and orders in the text notation of `upheaval`: `A PAR - BUR`, `F MAO - SPA/SC`.

use crate::board::DaideBoard;
use crate::order::{DaideOrder, DaideUnit, PowerToken, ProvinceToken, UnitClass};

/// The kind of unit that a letter represents.
pub(crate) fn kind(letter: &str) -> Option<UnitClass> {
    match letter {
        "A" => Some(UnitClass::Army),
        "F" => Some(UnitClass::Fleet),
        _ => None,
    }
}

fn letter(kind: UnitClass) -> &'static str {
    match kind {
        UnitClass::Army => "A",
        UnitClass::Fleet => "F",
    }
}

/// A power's unit with this text: `A PAR`, `F STP/NC`. The number of one of several equal units is ignored.
pub(crate) fn unit(board: &DaideBoard, power: PowerToken, text: &str) -> Option<DaideUnit> {
    let (first, place) = text.split_once(' ')?;
    let place = place.split_once('#').map_or(place, |(place, _)| place);
    Some(DaideUnit { power, kind: kind(first)?, place: board.place(place)? })
}

/// The text of a unit of this board.
pub(crate) fn unit_text(board: &DaideBoard, unit: DaideUnit) -> Option<String> {
    Some(format!("{} {}", letter(unit.kind), board.text(unit.place)?))
}

/// The text of an order that names only places of the board. The seas of a convoy are left out.
pub(crate) fn order_text(board: &DaideBoard, order: &DaideOrder) -> Option<String> {
    let unit = |of: &DaideUnit| unit_text(board, *of);
    let code = |of: &ProvinceToken| board.code(*of);
    Some(match order {
        DaideOrder::Hold(of) => format!("{} H", unit(of)?),
        DaideOrder::Move(of, to) => format!("{} - {}", unit(of)?, board.text(*to)?),
        DaideOrder::SupportHold(of, other) => format!("{} S {}", unit(of)?, unit(other)?),
        DaideOrder::SupportMove(of, other, to) => format!("{} S {} - {}", unit(of)?, unit(other)?, code(to)?),
        DaideOrder::Convoy(of, army, to) => format!("{} C {} - {}", unit(of)?, unit(army)?, code(to)?),
        DaideOrder::MoveByConvoy(of, to, _) => format!("{} - {} VIA", unit(of)?, code(&to.province)?),
        DaideOrder::Retreat(of, to) => format!("{} R {}", unit(of)?, board.text(*to)?),
        DaideOrder::Disband(of) | DaideOrder::Remove(of) => format!("{} D", unit(of)?),
        DaideOrder::Build(of) => format!("{} B", unit(of)?),
        DaideOrder::Waive(_) => "WAIVE".to_owned(),
    })
}
