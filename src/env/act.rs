//! The board as a graph, cached until the map changes, and possible answers as rows of the table of orders, which name
//! nodes of this graph.

use upheaval_engine::bot::Decision;
use upheaval_engine::rules::order::{AdjustmentOrder, Order, RetreatOrder, Route};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_map::ids::{ByProvince, CoastId, Location, ProvinceId, UnitKind};
use upheaval_map::named;
use upheaval_map::topology::{Board, PlanarMap, Quake};

use crate::ask::{Asks, Possible};

/// The nodes and edges of a board; nodes are numbered from 0.
pub(crate) struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<[i32; 5]>,
    rows: ByProvince<i32>,
    several: ByProvince<bool>,
}

/// The part of a node that is constant until the map changes.
pub(crate) struct Node {
    pub province: ProvinceId,
    pub terrain: i32,
    pub coasts: i32,
}

const SEA: i32 = 0;
const COAST: i32 = 1;
const INLAND: i32 = 2;

const BY_ARMY: i32 = 0;
const BY_FLEET: i32 = 1;

impl Graph {
    /// The node of a province; −1 for a face that no unit can be in.
    pub(crate) fn row(&self, province: ProvinceId) -> i32 {
        self.rows[province]
    }

    /// The coast of a place in a province with several; −1 otherwise.
    pub(crate) fn coast(&self, at: Location) -> i32 {
        if self.several[at.province] { i32::from(at.coast.0) } else { -1 }
    }
}

impl From<&Board> for Graph {
    fn from(board: &Board) -> Graph {
        let mut graph = Graph {
            nodes: Vec::with_capacity(board.passable().len()),
            edges: Vec::new(),
            rows: ByProvince::filled(-1),
            several: ByProvince::filled(false),
        };
        for province in board.passable() {
            let coasts = board.coasts(province);
            let terrain = match (board.sea().contains(province), coasts) {
                (true, _) => SEA,
                (false, 1..) => COAST,
                (false, 0) => INLAND,
            };
            graph.rows[province] = graph.nodes.len() as i32;
            graph.several[province] = coasts > 1;
            graph.nodes.push(Node { province, terrain, coasts: i32::from(coasts) });
        }
        // A province has about seven edges to others, for armies and fleets together.
        let mut edges = Vec::with_capacity(8 * graph.nodes.len());
        for node in &graph.nodes {
            let from = graph.row(node.province);
            let to = board.army_reach(node.province).iter();
            edges.extend(to.map(|to| [from, graph.row(to), BY_ARMY, -1, -1]));
        }
        for from in graph.nodes.iter().flat_map(|node| board.stations_of(node.province)) {
            let ways = board.fleet_moves(from).iter();
            edges.extend(ways.map(|to| {
                let (from_node, to_node) = (graph.row(from.province), graph.row(to.province));
                [from_node, to_node, BY_FLEET, graph.coast(from), graph.coast(to)]
            }));
        }
        graph.edges = edges;
        graph
    }
}

named! {
    /// The meaning of a row of the table of orders; the codes are indices into [`OrderKind::ALL`].
    pub enum OrderKind {
        /// Nothing is ordered or named.
        None = "none",
        /// A unit holds.
        Hold = "hold",
        /// A unit moves.
        Move = "move",
        /// An army moves by convoy.
        MoveByConvoy = "move-by-convoy",
        /// A unit supports another in staying.
        SupportHold = "support-hold",
        /// A unit supports the move of another.
        SupportMove = "support-move",
        /// A fleet convoys an army.
        Convoy = "convoy",
        /// A unit supports the landing of an army.
        SupportLanding = "support-landing",
        /// An army becomes a fleet.
        Transform = "transform",
        /// An army boards a fleet.
        Embark = "embark",
        /// An army that is aboard lands.
        Land = "land",
        /// A place in a list of retreats.
        ListPlace = "list-place",
        /// A centre is named as exempt.
        Exempt = "exempt",
        /// The exempt centre is announced.
        Announce = "announce",
        /// A dislodged unit retreats.
        Retreat = "retreat",
        /// A unit is disbanded.
        Disband = "disband",
        /// An army is built.
        BuildArmy = "build-army",
        /// A fleet is built.
        BuildFleet = "build-fleet",
        /// A unit is removed.
        Remove = "remove",
        /// The army aboard a fleet is removed.
        RemoveArmy = "remove-army",
        /// A border is removed, and its flanks touch in its place.
        Separate = "separate",
        /// Two stretches of one face are joined.
        Release = "release",
        /// A fleet takes a coast.
        Coast = "coast",
        /// A trapped fleet stays.
        Stay = "stay",
        /// An option of a poll.
        Ballot = "ballot",
    }
}

/// A row of the table of orders.
pub(crate) type OrderRow = [i32; 6];

const NOTHING: i32 = -1;

impl Asks {
    /// The row of an answer; nodes are numbered within the game.
    pub(crate) fn row(
        &self,
        (about, answer): (Option<ProvinceId>, Possible),
        graph: &Graph,
        map: &PlanarMap,
    ) -> OrderRow {
        let rows = Rows { own: about.map_or(NOTHING, |at| graph.row(at)), graph };
        match answer {
            Possible::None => rows.plain(OrderKind::None),
            Possible::Order(order) => rows.order(order),
            Possible::Other(i) => rows.decision(&self.others[i as usize], map),
        }
    }
}

/// The rows of the answers of one ask.
#[derive(Clone, Copy)]
struct Rows<'a> {
    /// The node of the unit concerned.
    own: i32,
    graph: &'a Graph,
}

impl Rows<'_> {
    fn node(self, province: ProvinceId) -> i32 {
        self.graph.row(province)
    }

    fn row(self, kind: OrderKind, target: i32, third: i32, coast: i32) -> OrderRow {
        [kind as i32, self.own, target, third, NOTHING, coast]
    }

    fn plain(self, kind: OrderKind) -> OrderRow {
        self.row(kind, NOTHING, NOTHING, NOTHING)
    }

    fn to(self, kind: OrderKind, at: Location) -> OrderRow {
        self.row(kind, self.node(at.province), NOTHING, self.graph.coast(at))
    }

    fn of(self, kind: OrderKind, target: ProvinceId, third: ProvinceId) -> OrderRow {
        self.row(kind, self.node(target), self.node(third), NOTHING)
    }

    fn coast(self, kind: OrderKind, coast: CoastId) -> OrderRow {
        self.row(kind, NOTHING, NOTHING, i32::from(coast.0))
    }

    /// An order of a unit in a movement phase.
    #[inline(always)]
    fn order(self, order: Order) -> OrderRow {
        match order {
            Order::Hold => self.plain(OrderKind::Hold),
            Order::Move { to, route: Route::Direct } => self.to(OrderKind::Move, to),
            Order::Move { to, route: Route::Convoy } => self.to(OrderKind::MoveByConvoy, to),
            Order::SupportHold { unit } => self.of(OrderKind::SupportHold, unit, unit),
            Order::SupportMove { unit, to, .. } => self.of(OrderKind::SupportMove, to, unit),
            Order::Convoy { army, to } => self.of(OrderKind::Convoy, to, army),
            Order::SupportLanding { from, to } => self.of(OrderKind::SupportLanding, to, from),
            Order::Transform { coast } => self.coast(OrderKind::Transform, coast),
            Order::Embark { fleet } => self.row(OrderKind::Embark, self.node(fleet), NOTHING, NOTHING),
        }
    }

    /// Any other decision.
    fn decision(self, decision: &Decision, map: &PlanarMap) -> OrderRow {
        match *decision {
            Decision::Order { order, .. } => self.order(order),
            Decision::Landing(landing) => self.of(OrderKind::Land, landing.to, landing.from),
            Decision::List(ref list) => list
                .places
                .first()
                .map_or(self.plain(OrderKind::None), |&at| self.to(OrderKind::ListPlace, at)),
            Decision::Exempt(centre) => self.row(OrderKind::Exempt, self.node(centre), NOTHING, NOTHING),
            Decision::Announce => self.plain(OrderKind::Announce),
            Decision::Ballot(ref ballot) => {
                let province = map.find(&ballot.option).map_or(NOTHING, |at| self.node(at));
                self.row(OrderKind::Ballot, province, NOTHING, NOTHING)
            }
            Decision::Retreat { order: RetreatOrder::Disband, .. } => self.plain(OrderKind::Disband),
            Decision::Retreat { order: RetreatOrder::Retreat { to }, .. } => self.to(OrderKind::Retreat, to),
            Decision::Adjustment(order) => match order {
                AdjustmentOrder::Build { kind: UnitKind::Army, at } => self.to(OrderKind::BuildArmy, at),
                AdjustmentOrder::Build { kind: UnitKind::Fleet, at } => self.to(OrderKind::BuildFleet, at),
                AdjustmentOrder::Remove { at } => {
                    Rows { own: self.node(at), ..self }.plain(OrderKind::Remove)
                }
                AdjustmentOrder::RemoveArmy { fleet } => {
                    Rows { own: self.node(fleet), ..self }.plain(OrderKind::RemoveArmy)
                }
                AdjustmentOrder::Waive => self.plain(OrderKind::None),
            },
            Decision::Seismic(SeismicOrder { ref quake, .. }) => {
                let kind = match quake {
                    Quake::Separation(_) => OrderKind::Separate,
                    Quake::Release(_) => OrderKind::Release,
                };
                let touched = quake.touched(map);
                let node = |face| self.node(face);
                let ([a, b], [c, d]) = (touched.apart.map(node), touched.together.map(node));
                [kind as i32, a, b, c, d, NOTHING]
            }
            Decision::Coast { coast, .. } => self.coast(OrderKind::Coast, coast),
            Decision::KeepTrapped(_) => self.plain(OrderKind::Stay),
            Decision::DisbandTrapped(_) => self.plain(OrderKind::Disband),
        }
    }
}
