//! One thing that a power says, and its text.

use std::fmt;

use super::gazetteer::Gazetteer;
use super::map_tables::MapTables;
use super::notation::{Listed, WrittenList, WrittenOrder, WrittenPlace, WrittenSeismic, WrittenUnit};
use super::position::{Position, Retreats};
use super::seismic::SeismicOrder;
use crate::rules::order::{AdjustmentOrder, Ballot, Landing, Order, RetreatOrder};
use upheaval_map::ids::{CoastId, Designation, Location, ProvinceId};

/// One thing that a power says: an order, a choice, or a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The order of a unit in a movement phase.
    Order {
        /// The place of the unit.
        unit: ProvinceId,
        /// Its action.
        order: Order,
    },
    /// An army lands.
    Landing(Landing),
    /// The places to which a unit retreats if it is dislodged, where retreats are sent with the orders.
    List(Listed),
    /// A power names its exempt centre.
    Exempt(ProvinceId),
    /// A power has its exempt centre announced.
    Announce,
    /// A power picks one of the options of a poll.
    Ballot(Ballot),
    /// The order of a dislodged unit.
    Retreat {
        /// The unit's index in [`Retreats::dislodged`](super::position::Retreats::dislodged).
        unit: usize,
        /// Its action.
        order: RetreatOrder,
    },
    /// A build, a removal, or a build that is waived.
    Adjustment(AdjustmentOrder),
    /// A seismic order.
    Seismic(SeismicOrder),
    /// The coast of a fleet whose own coast split or vanished.
    Coast {
        /// The place of the fleet.
        fleet: ProvinceId,
        /// The coast it takes.
        coast: CoastId,
    },
    /// A trapped fleet is disbanded.
    DisbandTrapped(ProvinceId),
    /// A trapped fleet stays.
    KeepTrapped(ProvinceId),
}

/// A decision in the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// An order of the rules of Diplomacy, or a declaration.
    Order(WrittenOrder),
    /// A list of retreats.
    List(WrittenList),
    /// A seismic order.
    Seismic(WrittenSeismic),
    /// The answer to a poll.
    Ballot(Ballot),
}

impl Written {
    /// The unit that it orders.
    pub fn unit(&self) -> Option<WrittenUnit> {
        match self {
            Written::Order(order) => order.unit(),
            Written::List(list) => Some(list.unit),
            Written::Seismic(_) | Written::Ballot(_) => None,
        }
    }

    /// Its text.
    pub fn display<'a>(&'a self, names: &'a Gazetteer) -> impl fmt::Display + use<'a> {
        fmt::from_fn(move |f| match self {
            Written::Order(order) => write!(f, "{}", order.display(names)),
            Written::List(list) => write!(f, "{}", list.display(names)),
            Written::Seismic(order) => write!(f, "{order}"),
            Written::Ballot(ballot) => write!(f, "{ballot}"),
        })
    }
}

impl Decision {
    /// It in the notation, in the position in which it is made, if its text depends on that, and beside these units that
    /// wait for their retreats; `None` if it names no unit there.
    pub(crate) fn written(
        &self,
        terrain: &MapTables,
        position: Option<&Position>,
        waiting: &Retreats,
    ) -> Option<Written> {
        let fleet = |province| WrittenUnit {
            kind: Designation::Fleet,
            place: WrittenPlace { province, coast: None },
            ordinal: 1,
        };
        Some(Written::Order(match self {
            Decision::Order { unit, order } => WrittenOrder::from_order(position?, *unit, *order)?,
            Decision::Landing(landing) => WrittenOrder::from_landing(*landing),
            Decision::List(Listed { unit, places, .. }) => {
                let unit = WrittenUnit::standing(position?, *unit)?;
                let coast = |to: &Location| (unit.kind != Designation::Army).then_some(to.coast);
                let place = |to: &Location| WrittenPlace { province: to.province, coast: coast(to) };
                return Some(Written::List(WrittenList { unit, places: places.iter().map(place).collect() }));
            }
            Decision::Exempt(centre) => WrittenOrder::Exempt { centre: *centre },
            Decision::Announce => WrittenOrder::Announce,
            Decision::Ballot(ballot) => return Some(Written::Ballot(ballot.clone())),
            Decision::Retreat { unit, order } => {
                WrittenOrder::from_retreat(WrittenUnit::dislodged(waiting, *unit)?, *order)
            }
            Decision::Adjustment(order) => WrittenOrder::from_adjustment(position?, *order)?,
            Decision::Seismic(order) => {
                return Some(Written::Seismic(WrittenSeismic::from_order(terrain.chart().map(), order)));
            }
            Decision::Coast { fleet: at, coast } => {
                WrittenOrder::ChooseCoast { unit: fleet(*at), coast: *coast }
            }
            Decision::DisbandTrapped(at) => WrittenOrder::Disband { unit: fleet(*at) },
            Decision::KeepTrapped(at) => WrittenOrder::Hold { unit: fleet(*at) },
        }))
    }
}
