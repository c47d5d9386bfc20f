//! A possible answer of a seat, and its row in the table of orders.

use upheaval_engine::bot::Decision;
use upheaval_engine::rules::order::{AdjustmentOrder, Landing, Order, RetreatOrder, Route};
use upheaval_map::ids::{CoastId, Location, ProvinceId, UnitKind};
use upheaval_map::topology::{PlanarMap, Quake};

use crate::graph::Graph;

/// The meaning of a row of the table of orders; the codes are indices into [`OrderKind::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum OrderKind {
    /// Nothing is ordered or named.
    None,
    /// A unit holds.
    Hold,
    /// A unit moves.
    Move,
    /// An army moves by convoy.
    MoveByConvoy,
    /// A unit supports another in staying.
    SupportHold,
    /// A unit supports the move of another.
    SupportMove,
    /// A fleet convoys an army.
    Convoy,
    /// A unit supports the landing of an army.
    SupportLanding,
    /// An army becomes a fleet.
    Transform,
    /// An army boards a fleet.
    Embark,
    /// An army that is aboard lands.
    Land,
    /// A place in a list of retreats.
    ListPlace,
    /// A centre is named as exempt.
    Exempt,
    /// The exempt centre is announced.
    Announce,
    /// A dislodged unit retreats.
    Retreat,
    /// A unit is disbanded.
    Disband,
    /// An army is built.
    BuildArmy,
    /// A fleet is built.
    BuildFleet,
    /// A unit is removed.
    Remove,
    /// The army aboard a fleet is removed.
    RemoveArmy,
    /// A border is removed, and its flanks touch in its place.
    Separate,
    /// Two stretches of one face are joined.
    Release,
    /// A fleet takes a coast.
    Coast,
    /// A trapped fleet stays.
    Stay,
}

impl OrderKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [OrderKind; 24] = [
        OrderKind::None,
        OrderKind::Hold,
        OrderKind::Move,
        OrderKind::MoveByConvoy,
        OrderKind::SupportHold,
        OrderKind::SupportMove,
        OrderKind::Convoy,
        OrderKind::SupportLanding,
        OrderKind::Transform,
        OrderKind::Embark,
        OrderKind::Land,
        OrderKind::ListPlace,
        OrderKind::Exempt,
        OrderKind::Announce,
        OrderKind::Retreat,
        OrderKind::Disband,
        OrderKind::BuildArmy,
        OrderKind::BuildFleet,
        OrderKind::Remove,
        OrderKind::RemoveArmy,
        OrderKind::Separate,
        OrderKind::Release,
        OrderKind::Coast,
        OrderKind::Stay,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            OrderKind::None => "none",
            OrderKind::Hold => "hold",
            OrderKind::Move => "move",
            OrderKind::MoveByConvoy => "move-by-convoy",
            OrderKind::SupportHold => "support-hold",
            OrderKind::SupportMove => "support-move",
            OrderKind::Convoy => "convoy",
            OrderKind::SupportLanding => "support-landing",
            OrderKind::Transform => "transform",
            OrderKind::Embark => "embark",
            OrderKind::Land => "land",
            OrderKind::ListPlace => "list-place",
            OrderKind::Exempt => "exempt",
            OrderKind::Announce => "announce",
            OrderKind::Retreat => "retreat",
            OrderKind::Disband => "disband",
            OrderKind::BuildArmy => "build-army",
            OrderKind::BuildFleet => "build-fleet",
            OrderKind::Remove => "remove",
            OrderKind::RemoveArmy => "remove-army",
            OrderKind::Separate => "separate",
            OrderKind::Release => "release",
            OrderKind::Coast => "coast",
            OrderKind::Stay => "stay",
        }
    }
}

/// An answer to an ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// Nothing is ordered or named.
    None,
    /// The order of a unit.
    Order(Order),
    /// The army aboard a fleet lands.
    Land(Landing),
    /// A place in a list of retreats.
    Place(Location),
    /// A centre is named as exempt.
    Exempt(ProvinceId),
    /// The exempt centre is announced.
    Announce,
    /// The order of a dislodged unit, with the index of the unit among all dislodged units.
    Retreat { unit: u16, order: RetreatOrder },
    /// A build or removal.
    Adjust(AdjustmentOrder),
    /// A seismic order.
    Quake(Quake),
    /// The coast that a fleet takes.
    Coast(CoastId),
    /// A trapped fleet stays.
    Stay,
    /// A trapped fleet is disbanded.
    Disband,
}

/// A row of the table of orders.
pub(crate) type OrderRow = [i32; 6];

const NOTHING: i32 = -1;

impl Act {
    /// The decision that it is, where `about` is the unit of the ask; `None` for one that says nothing, and for a place in
    /// a list.
    pub fn decision(self, about: Option<ProvinceId>) -> Option<Decision> {
        match self {
            Act::None | Act::Place(_) => None,
            Act::Order(order) => about.map(|unit| Decision::Order { unit, order }),
            Act::Land(landing) => Some(Decision::Landing(landing)),
            Act::Exempt(centre) => Some(Decision::Exempt(centre)),
            Act::Announce => Some(Decision::Announce),
            Act::Retreat { unit, order } => Some(Decision::Retreat { unit: unit.into(), order }),
            Act::Adjust(order) => Some(Decision::Adjustment(order)),
            Act::Quake(quake) => Some(Decision::Seismic(quake.into())),
            Act::Coast(coast) => about.map(|fleet| Decision::Coast { fleet, coast }),
            Act::Stay => about.map(Decision::KeepTrapped),
            Act::Disband => about.map(Decision::DisbandTrapped),
        }
    }

    /// Its row; nodes are numbered within the game. `about` is the unit of the ask.
    pub fn row(self, about: Option<ProvinceId>, graph: &Graph, map: &PlanarMap) -> OrderRow {
        let own = about.map_or(NOTHING, |at| graph.row(at));
        let node = |province| graph.row(province);
        let row = |kind: OrderKind, target, third, coast| [kind as i32, own, target, third, NOTHING, coast];
        let plain = |kind| row(kind, NOTHING, NOTHING, NOTHING);
        let to = |kind, at: Location| row(kind, node(at.province), NOTHING, graph.coast(at));
        match self {
            Act::None => plain(OrderKind::None),
            Act::Order(order) => match order {
                Order::Hold => plain(OrderKind::Hold),
                Order::Move { to: at, route: Route::Direct } => to(OrderKind::Move, at),
                Order::Move { to: at, route: Route::Convoy } => to(OrderKind::MoveByConvoy, at),
                Order::SupportHold { unit } => row(OrderKind::SupportHold, node(unit), node(unit), NOTHING),
                Order::SupportMove { unit, to, .. } => {
                    row(OrderKind::SupportMove, node(to), node(unit), NOTHING)
                }
                Order::Convoy { army, to } => row(OrderKind::Convoy, node(to), node(army), NOTHING),
                Order::SupportLanding { from, to } => {
                    row(OrderKind::SupportLanding, node(to), node(from), NOTHING)
                }
                Order::Transform { coast } => row(OrderKind::Transform, NOTHING, NOTHING, i32::from(coast.0)),
                Order::Embark { fleet } => row(OrderKind::Embark, node(fleet), NOTHING, NOTHING),
            },
            Act::Land(landing) => row(OrderKind::Land, node(landing.to), node(landing.from), NOTHING),
            Act::Place(at) => to(OrderKind::ListPlace, at),
            Act::Exempt(centre) => row(OrderKind::Exempt, node(centre), NOTHING, NOTHING),
            Act::Announce => plain(OrderKind::Announce),
            Act::Retreat { order: RetreatOrder::Disband, .. } => plain(OrderKind::Disband),
            Act::Retreat { order: RetreatOrder::Retreat { to: at }, .. } => to(OrderKind::Retreat, at),
            Act::Adjust(order) => match order {
                AdjustmentOrder::Build { kind: UnitKind::Army, at } => to(OrderKind::BuildArmy, at),
                AdjustmentOrder::Build { kind: UnitKind::Fleet, at } => to(OrderKind::BuildFleet, at),
                AdjustmentOrder::Remove { at } => [OrderKind::Remove as i32, node(at), -1, -1, -1, -1],
                AdjustmentOrder::RemoveArmy { fleet } => {
                    [OrderKind::RemoveArmy as i32, node(fleet), -1, -1, -1, -1]
                }
                AdjustmentOrder::Waive => plain(OrderKind::None),
            },
            Act::Quake(quake) => {
                let kind = match quake {
                    Quake::Separation(_) => OrderKind::Separate,
                    Quake::Release(_) => OrderKind::Release,
                };
                let touched = quake.touched(map);
                let ([a, b], [c, d]) = (touched.apart.map(node), touched.together.map(node));
                [kind as i32, a, b, c, d, NOTHING]
            }
            Act::Coast(coast) => row(OrderKind::Coast, NOTHING, NOTHING, i32::from(coast.0)),
            Act::Stay => plain(OrderKind::Stay),
            Act::Disband => plain(OrderKind::Disband),
        }
    }
}
