//! The board as a graph: its nodes and edges, cached until the map changes.

use upheaval_map::ids::{ByProvince, Location, ProvinceId};
use upheaval_map::topology::Board;

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
