//! Orders of a movement turn. Whether one is legal is for `upheaval` to say, which lists the legal orders of each unit;
//! what is wrong with one that is not, is found out here.

use std::collections::{BTreeMap, BTreeSet};

use super::taken::Taken;
use super::{Note, Scene};
use crate::notation::{order_text, unit_text};
use crate::order::{Kind, Order, Place, Province, Unit};
use crate::sentence::Sentence;
use crate::token::Shape;
use crate::token::words::MIS;

/// The orders, by unit.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// The legal orders of each own unit.
    legal: BTreeMap<Unit, BTreeSet<String>>,
    taken: Taken<String>,
}

impl Moves {
    pub fn new(scene: Scene<'_>, legal: &BTreeMap<String, Vec<String>>) -> Moves {
        let of = |unit: Unit| {
            let listed = unit_text(scene.board, unit).and_then(|text| legal.get(&text));
            (unit, listed.into_iter().flatten().cloned().collect())
        };
        Moves { legal: scene.position.units_of(scene.power).map(of).collect(), taken: Taken::new() }
    }

    pub fn take(&mut self, scene: Scene<'_>, order: &Order) -> Result<(), Note> {
        let (unit, meant) = meant(scene, order)?;
        let text = order_text(scene.board, &meant).ok_or(Note::NoProvince)?;
        if !self.legal.get(&unit).is_some_and(|legal| legal.contains(&text)) {
            return Err(Note::NotAdjacent);
        }
        self.taken.note(unit, order.clone(), text);
        Ok(())
    }

    pub fn take_back(&mut self, order: Option<&Order>) -> bool {
        self.taken.take_back(order)
    }

    fn missing(&self) -> impl Iterator<Item = Unit> {
        self.taken.missing(self.legal.keys())
    }

    pub fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    pub fn write_missing(&self) -> Sentence {
        self.missing().fold(Sentence::new(MIS), |said, unit| unit.write(said))
    }

    pub fn texts(&self) -> Vec<String> {
        self.taken.meant().map(|(_, text)| text.clone()).collect()
    }

    pub fn orders(&self) -> Vec<Order> {
        self.taken.given()
    }
}

/// The unit that an order is given to, and the order with every unit and coast as the position has them; or what is
/// wrong with it.
fn meant(scene: Scene<'_>, order: &Order) -> Result<(Unit, Order), Note> {
    let Some(unit) = order.unit() else { return Err(Note::WrongSeason) };
    if matches!(order, Order::Retreat(..) | Order::Disband(_) | Order::Build(_) | Order::Remove(_)) {
        return Err(Note::WrongSeason);
    }
    let unit = scene.own(unit)?;
    let other = |wanted: &Unit| scene.any(*wanted).ok_or(Note::NoUnit);
    let meant = match order {
        Order::Move(_, to) => Order::Move(unit, destination(scene, unit, *to)?),
        Order::SupportHold(_, supported) => Order::SupportHold(unit, other(supported)?),
        Order::SupportMove(_, supported, to) => Order::SupportMove(unit, other(supported)?, *to),
        Order::Convoy(_, army, to) => {
            if unit.kind != Kind::Fleet {
                return Err(Note::NoFleet);
            }
            if unit.place.province.ground().shape != Shape::Sea {
                return Err(Note::NotAtSea);
            }
            let army = scene.any(*army).filter(|army| army.kind == Kind::Army).ok_or(Note::NoArmy)?;
            Order::Convoy(unit, army, *to)
        }
        Order::MoveByConvoy(_, to, seas) => {
            if unit.kind != Kind::Army {
                return Err(Note::NoArmy);
            }
            check_way(scene, unit.place.province, to.province, seas)?;
            Order::MoveByConvoy(unit, *to, seas.clone())
        }
        _ => Order::Hold(unit),
    };
    Ok((unit, meant))
}

/// Where a move leads: for a fleet, to the coast that it can reach where the order names none.
fn destination(scene: Scene<'_>, unit: Unit, to: Place) -> Result<Place, Note> {
    if unit.kind == Kind::Army {
        return Ok(to.province.into());
    }
    match (to.coast, &scene.board.coasts_reached(unit.place, to.province)[..]) {
        (_, []) => Err(Note::NotAdjacent),
        (None, [one]) => Ok(Place { coast: *one, ..to }),
        (None, _) => Err(Note::Coast),
        (Some(_), [None]) => Ok(to.province.into()),
        (Some(_), _) => Ok(to),
    }
}

/// Do these seas lead from the one province to the other, with a fleet in each?
fn check_way(scene: Scene<'_>, from: Province, to: Province, seas: &[Province]) -> Result<(), Note> {
    let has_fleet = |sea| scene.position.units.get(sea).is_some_and(|unit: &Unit| unit.kind == Kind::Fleet);
    if seas.iter().any(|sea| sea.ground().shape != Shape::Sea) {
        return Err(Note::NotAtSea);
    }
    if !seas.iter().all(has_fleet) {
        return Err(Note::NoFleet);
    }
    let mut at = from;
    for &next in seas.iter().chain([&to]) {
        if !scene.board.by_water(at).contains(&next) {
            return Err(Note::NotAdjacent);
        }
        at = next;
    }
    Ok(())
}
