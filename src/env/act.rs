//! The row of a possible answer in the table of orders.

use upheaval_engine::bot::Decision;
use upheaval_engine::rules::order::{AdjustmentOrder, Order, RetreatOrder, Route};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_map::ids::{Location, ProvinceId, UnitKind};
use upheaval_map::topology::{PlanarMap, Quake};

use crate::ask::{Asks, Possible};
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
    /// An option of a poll.
    Ballot,
}

impl OrderKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [OrderKind; 25] = [
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
        OrderKind::Ballot,
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
            OrderKind::Ballot => "ballot",
        }
    }
}

/// A row of the table of orders.
pub(crate) type OrderRow = [i32; 6];

const NOTHING: i32 = -1;

impl Asks {
    /// The row of an answer; nodes are numbered within the game.
    pub fn row(
        &self,
        (about, answer): (Option<ProvinceId>, Possible),
        graph: &Graph,
        map: &PlanarMap,
    ) -> OrderRow {
        let own = about.map_or(NOTHING, |at| graph.row(at));
        let node = |province| graph.row(province);
        let row = |kind: OrderKind, target, third, coast| [kind as i32, own, target, third, NOTHING, coast];
        let plain = |kind| row(kind, NOTHING, NOTHING, NOTHING);
        let to = |kind, at: Location| row(kind, node(at.province), NOTHING, graph.coast(at));
        let of_unit = |order| match order {
            Order::Hold => plain(OrderKind::Hold),
            Order::Move { to: at, route: Route::Direct } => to(OrderKind::Move, at),
            Order::Move { to: at, route: Route::Convoy } => to(OrderKind::MoveByConvoy, at),
            Order::SupportHold { unit } => row(OrderKind::SupportHold, node(unit), node(unit), NOTHING),
            Order::SupportMove { unit, to, .. } => row(OrderKind::SupportMove, node(to), node(unit), NOTHING),
            Order::Convoy { army, to } => row(OrderKind::Convoy, node(to), node(army), NOTHING),
            Order::SupportLanding { from, to } => {
                row(OrderKind::SupportLanding, node(to), node(from), NOTHING)
            }
            Order::Transform { coast } => row(OrderKind::Transform, NOTHING, NOTHING, i32::from(coast.0)),
            Order::Embark { fleet } => row(OrderKind::Embark, node(fleet), NOTHING, NOTHING),
        };
        let other = match answer {
            Possible::None => None,
            Possible::Order(order) => return of_unit(order),
            Possible::Other(i) => self.others.get(i as usize),
        };
        let Some(decision) = other else { return plain(OrderKind::None) };
        match *decision {
            Decision::Order { order, .. } => of_unit(order),
            Decision::Landing(landing) => row(OrderKind::Land, node(landing.to), node(landing.from), NOTHING),
            Decision::List(ref list) => match list.places.first() {
                Some(&at) => to(OrderKind::ListPlace, at),
                None => plain(OrderKind::None),
            },
            Decision::Exempt(centre) => row(OrderKind::Exempt, node(centre), NOTHING, NOTHING),
            Decision::Announce => plain(OrderKind::Announce),
            Decision::Ballot(ref ballot) => {
                let province = map.find(&ballot.option).map_or(NOTHING, node);
                row(OrderKind::Ballot, province, NOTHING, NOTHING)
            }
            Decision::Retreat { order: RetreatOrder::Disband, .. } => plain(OrderKind::Disband),
            Decision::Retreat { order: RetreatOrder::Retreat { to: at }, .. } => to(OrderKind::Retreat, at),
            Decision::Adjustment(order) => match order {
                AdjustmentOrder::Build { kind: UnitKind::Army, at } => to(OrderKind::BuildArmy, at),
                AdjustmentOrder::Build { kind: UnitKind::Fleet, at } => to(OrderKind::BuildFleet, at),
                AdjustmentOrder::Remove { at } => [OrderKind::Remove as i32, node(at), -1, -1, -1, -1],
                AdjustmentOrder::RemoveArmy { fleet } => {
                    [OrderKind::RemoveArmy as i32, node(fleet), -1, -1, -1, -1]
                }
                AdjustmentOrder::Waive => plain(OrderKind::None),
            },
            Decision::Seismic(SeismicOrder { ref quake, .. }) => {
                let kind = match quake {
                    Quake::Separation(_) => OrderKind::Separate,
                    Quake::Release(_) => OrderKind::Release,
                };
                let touched = quake.touched(map);
                let ([a, b], [c, d]) = (touched.apart.map(node), touched.together.map(node));
                [kind as i32, a, b, c, d, NOTHING]
            }
            Decision::Coast { coast, .. } => row(OrderKind::Coast, NOTHING, NOTHING, i32::from(coast.0)),
            Decision::KeepTrapped(_) => plain(OrderKind::Stay),
            Decision::DisbandTrapped(_) => plain(OrderKind::Disband),
        }
    }
}
