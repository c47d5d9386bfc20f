//! Orders of a retreat turn.

use std::collections::BTreeMap;

use super::taken::Taken;
use super::{OrderNote, Scene};
use crate::board::DaideBoard;
use crate::notation::order_text;
use crate::order::{DaideOrder, DaidePlace, DaideUnit, UnitClass};
use crate::position::DaidePosition;
use crate::sentence::Sentence;
use crate::token::words::MIS;

/// The orders, by unit.
#[derive(Clone, Debug)]
pub(super) struct Retreats {
    /// The units that must retreat, and their options.
    waiting: BTreeMap<DaideUnit, Vec<DaidePlace>>,
    /// The order as given, and as interpreted.
    taken: Taken<DaideOrder>,
}

impl Retreats {
    pub(super) fn new(scene: Scene<'_>) -> Retreats {
        let own = scene.position.retreats.iter().filter(|(unit, _)| unit.power == scene.power);
        let waiting = own.map(|(unit, options)| (*unit, options.clone())).collect();
        Retreats { waiting, taken: Taken::new() }
    }

    pub(super) fn take(&mut self, scene: Scene<'_>, order: &DaideOrder) -> Result<(), OrderNote> {
        let (DaideOrder::Retreat(wanted, _) | DaideOrder::Disband(wanted)) = order else {
            return Err(OrderNote::WrongSeason);
        };
        let waits = |unit: &&DaideUnit| {
            unit.kind == wanted.kind
                && unit.power == wanted.power
                && unit.place.province == wanted.place.province
                && (wanted.place.coast.is_none() || unit.place.coast == wanted.place.coast)
        };
        let Some((unit, options)) = self.waiting.iter().find(|(unit, _)| waits(unit)) else {
            return Err(scene.own(*wanted).map_or_else(|note| note, |_| OrderNote::NoRetreatNeeded));
        };
        let meant = match order {
            DaideOrder::Retreat(_, to) => DaideOrder::Retreat(*unit, chosen(*unit, *to, options)?),
            _ => DaideOrder::Disband(*unit),
        };
        self.taken.note(*unit, order.clone(), meant);
        Ok(())
    }

    pub(super) fn take_back(&mut self, order: Option<&DaideOrder>) -> bool {
        self.taken.take_back(order)
    }

    fn missing(&self) -> impl Iterator<Item = DaideUnit> {
        self.taken.missing(self.waiting.keys())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    pub(super) fn write_missing(&self, position: &DaidePosition) -> Sentence {
        self.missing().fold(Sentence::new(MIS), |said, unit| said.group(|s| position.write_retreat(unit, s)))
    }

    /// The orders to units with options: `upheaval` asks for no others.
    pub(super) fn texts(&self, board: &DaideBoard) -> Vec<String> {
        let asked = |unit: &DaideUnit| self.waiting.get(unit).is_some_and(|options| !options.is_empty());
        let taken = self.taken.meant().filter(|(unit, _)| asked(unit));
        taken.filter_map(|(_, meant)| order_text(board, meant)).collect()
    }
}

/// The option that is meant.
fn chosen(unit: DaideUnit, to: DaidePlace, options: &[DaidePlace]) -> Result<DaidePlace, OrderNote> {
    let mut fitting = options.iter().copied().filter(|option| {
        option.province == to.province
            && (unit.kind == UnitClass::Army || to.coast.is_none() || option.coast == to.coast)
    });
    match (fitting.next(), fitting.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(OrderNote::Coast),
        (None, _) => Err(OrderNote::NoRetreatThere),
    }
}
