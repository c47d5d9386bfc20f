//! The orders received for a turn in which each unit has one.

use std::collections::BTreeMap;

use crate::order::{DaideOrder, DaideUnit};

/// Each unit's order as given, and its meaning.
#[derive(Clone, Debug)]
pub(super) struct Taken<M>(BTreeMap<DaideUnit, (DaideOrder, M)>);

impl<M> Taken<M> {
    /// No orders yet.
    pub(super) fn new() -> Taken<M> {
        Taken(BTreeMap::new())
    }

    /// Records a unit's order, replacing an earlier one.
    pub(super) fn note(&mut self, unit: DaideUnit, order: DaideOrder, means: M) {
        self.0.insert(unit, (order, means));
    }

    /// Withdraws the order that was given in these words, or all. Was there one?
    pub(super) fn take_back(&mut self, order: Option<&DaideOrder>) -> bool {
        let Some(order) = order else {
            self.0.clear();
            return true;
        };
        let unit = self.0.iter().find(|(_, (taken, _))| taken == order).map(|(unit, _)| *unit);
        unit.is_some_and(|unit| self.0.remove(&unit).is_some())
    }

    /// Those of these units that have no order.
    pub(super) fn missing<'a>(
        &'a self,
        units: impl Iterator<Item = &'a DaideUnit>,
    ) -> impl Iterator<Item = DaideUnit> {
        units.copied().filter(|unit| !self.0.contains_key(unit))
    }

    /// The units with the meanings of their orders.
    pub(super) fn meant(&self) -> impl Iterator<Item = (&DaideUnit, &M)> {
        self.0.iter().map(|(unit, (_, means))| (unit, means))
    }

    /// The orders as they were given.
    pub(super) fn given(&self) -> Vec<DaideOrder> {
        self.0.values().map(|(order, _)| order.clone()).collect()
    }
}
