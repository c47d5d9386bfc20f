//! Orders of a movement turn. `upheaval` decides what is legal by listing the legal orders of each unit; this
//! module determines the fault of an illegal order.

use std::collections::{BTreeMap, BTreeSet};

use super::taken::Taken;
use super::{OrderNote, Scene};
use crate::notation::{order_text, unit_text};
use crate::order::{DaideOrder, DaidePlace, DaideUnit, ProvinceToken, UnitClass};
use crate::sentence::Sentence;
use crate::token::UnitAccess;
use crate::token::words::MIS;

/// The orders, by unit.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// The legal orders of each of the power's units.
    legal: BTreeMap<DaideUnit, BTreeSet<String>>,
    taken: Taken<String>,
}

impl Moves {
    pub(super) fn new(scene: Scene<'_>, legal: &BTreeMap<String, Vec<String>>) -> Moves {
        let of = |unit: DaideUnit| {
            let listed = unit_text(scene.board, unit).and_then(|text| legal.get(&text));
            (unit, listed.into_iter().flatten().cloned().collect())
        };
        Moves { legal: scene.position.units_of(scene.power).map(of).collect(), taken: Taken::new() }
    }

    pub(super) fn take(&mut self, scene: Scene<'_>, order: &DaideOrder) -> Result<(), OrderNote> {
        let (unit, meant) = meant(scene, order)?;
        let text = order_text(scene.board, &meant).ok_or(OrderNote::NoProvince)?;
        if !self.legal.get(&unit).is_some_and(|legal| legal.contains(&text)) {
            return Err(OrderNote::NotAdjacent);
        }
        self.taken.note(unit, order.clone(), text);
        Ok(())
    }

    pub(super) fn take_back(&mut self, order: Option<&DaideOrder>) -> bool {
        self.taken.take_back(order)
    }

    fn missing(&self) -> impl Iterator<Item = DaideUnit> {
        self.taken.missing(self.legal.keys())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    pub(super) fn write_missing(&self) -> Sentence {
        self.missing().fold(Sentence::new(MIS), |said, unit| unit.write(said))
    }

    pub(super) fn texts(&self) -> Vec<String> {
        self.taken.meant().map(|(_, text)| text.clone()).collect()
    }

    pub(super) fn orders(&self) -> Vec<DaideOrder> {
        self.taken.given()
    }
}

/// The unit that an order is given to, and the order with every unit and coast as in the position; or its
/// fault.
fn meant(scene: Scene<'_>, order: &DaideOrder) -> Result<(DaideUnit, DaideOrder), OrderNote> {
    let Some(unit) = order.unit() else { return Err(OrderNote::WrongSeason) };
    if matches!(
        order,
        DaideOrder::Retreat(..) | DaideOrder::Disband(_) | DaideOrder::Build(_) | DaideOrder::Remove(_)
    ) {
        return Err(OrderNote::WrongSeason);
    }
    let unit = scene.own(unit)?;
    let other = |wanted: &DaideUnit| scene.any(*wanted).ok_or(OrderNote::NoUnit);
    let meant = match order {
        DaideOrder::Move(_, to) => DaideOrder::Move(unit, destination(scene, unit, *to)?),
        DaideOrder::SupportHold(_, supported) => DaideOrder::SupportHold(unit, other(supported)?),
        DaideOrder::SupportMove(_, supported, to) => DaideOrder::SupportMove(unit, other(supported)?, *to),
        DaideOrder::Convoy(_, army, to) => {
            if unit.kind != UnitClass::Fleet {
                return Err(OrderNote::NoFleet);
            }
            if unit.place.province.ground().shape != UnitAccess::Sea {
                return Err(OrderNote::NotAtSea);
            }
            let army =
                scene.any(*army).filter(|army| army.kind == UnitClass::Army).ok_or(OrderNote::NoArmy)?;
            DaideOrder::Convoy(unit, army, *to)
        }
        DaideOrder::MoveByConvoy(_, to, seas) => {
            if unit.kind != UnitClass::Army {
                return Err(OrderNote::NoArmy);
            }
            check_way(scene, unit.place.province, to.province, seas)?;
            DaideOrder::MoveByConvoy(unit, *to, seas.clone())
        }
        _ => DaideOrder::Hold(unit),
    };
    Ok((unit, meant))
}

/// The destination of a move: for a fleet, the coast that it can reach if the order names none.
fn destination(scene: Scene<'_>, unit: DaideUnit, to: DaidePlace) -> Result<DaidePlace, OrderNote> {
    if unit.kind == UnitClass::Army {
        return Ok(to.province.into());
    }
    match (to.coast, &scene.board.coasts_reached(unit.place, to.province)[..]) {
        (_, []) => Err(OrderNote::NotAdjacent),
        (None, [one]) => Ok(DaidePlace { coast: *one, ..to }),
        (None, _) => Err(OrderNote::Coast),
        (Some(_), [None]) => Ok(to.province.into()),
        (Some(_), _) => Ok(to),
    }
}

/// Do these seas connect the two provinces, with a fleet in each?
fn check_way(
    scene: Scene<'_>,
    from: ProvinceToken,
    to: ProvinceToken,
    seas: &[ProvinceToken],
) -> Result<(), OrderNote> {
    let has_fleet =
        |sea| scene.position.units.get(sea).is_some_and(|unit: &DaideUnit| unit.kind == UnitClass::Fleet);
    if seas.iter().any(|sea| sea.ground().shape != UnitAccess::Sea) {
        return Err(OrderNote::NotAtSea);
    }
    if !seas.iter().all(has_fleet) {
        return Err(OrderNote::NoFleet);
    }
    let mut at = from;
    for &next in seas.iter().chain([&to]) {
        if !scene.board.by_water(at).contains(&next) {
            return Err(OrderNote::NotAdjacent);
        }
        at = next;
    }
    Ok(())
}
