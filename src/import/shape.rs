//! A board as a graph: the kind of each node, and the adjacencies.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::planar::{Node, PlanarGraph, edge};
use crate::sketch::{Sketch, SketchGround, Station};

/// The largest number of provinces at a point of which each can have a second border with each.
const MOST_AT_POINT: usize = 8;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    /// A province.
    Province(SketchGround),
    /// A point at which more than three provinces meet.
    Point,
    /// An impassable face.
    Filler,
    /// Everything beyond the edge of the board.
    Outside,
}

/// The nodes of a board by index, and their adjacencies. A copy is cheap: only what differs is stored twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardShape {
    /// The codes of the first nodes; those that an embedding adds get theirs last.
    codes: Rc<Vec<String>>,
    kinds: Vec<NodeKind>,
    graph: Rc<PlanarGraph>,
}

impl BoardShape {
    /// The adjacencies.
    pub(crate) fn graph(&self) -> &PlanarGraph {
        &self.graph
    }

    /// The code of a node; empty if it has none yet.
    pub(crate) fn code(&self, node: Node) -> &str {
        self.codes.get(node.index()).map_or("", String::as_str)
    }

    /// The kind of a node.
    pub(crate) fn kind(&self, node: Node) -> NodeKind {
        self.kinds[node.index()]
    }

    /// Is it a land province?
    pub(crate) fn is_land(&self, node: Node) -> bool {
        self.kind(node) == NodeKind::Province(SketchGround::Land)
    }

    /// Is it a sea?
    pub(crate) fn is_sea(&self, node: Node) -> bool {
        self.kind(node) == NodeKind::Province(SketchGround::Sea)
    }

    /// All nodes.
    pub(crate) fn nodes(&self) -> impl ExactSizeIterator<Item = Node> + use<> {
        (0..self.kinds.len()).map(|index| Node(index as u16))
    }

    /// Adds a node without neighbours and without a code.
    pub(crate) fn add(&mut self, kind: NodeKind) -> Node {
        self.kinds.push(kind);
        Node((self.kinds.len() - 1) as u16)
    }

    /// Gives the nodes that have none yet their codes: the one that is wanted for a node, or `OUT`, `X1`, `P1` and so
    /// on, unless it is taken.
    pub(crate) fn name_new(&mut self, wanted: impl Fn(Node) -> Option<String>) {
        let codes = Rc::make_mut(&mut self.codes);
        let mut taken: BTreeSet<String> = codes.iter().cloned().collect();
        let mut last: BTreeMap<&str, usize> = BTreeMap::new();
        for index in codes.len()..self.kinds.len() {
            let letter = match self.kinds[index] {
                NodeKind::Outside => "OUT",
                NodeKind::Point => "P",
                NodeKind::Filler | NodeKind::Province(_) => "X",
            };
            let plain = Some(letter.to_owned()).filter(|_| self.kinds[index] == NodeKind::Outside);
            let code = wanted(Node(index as u16)).or(plain).filter(|code| !taken.contains(code));
            let numbers = last.entry(letter).or_default();
            let code = code.unwrap_or_else(|| {
                loop {
                    *numbers += 1;
                    let code = format!("{letter}{numbers}");
                    if !taken.contains(&code) {
                        break code;
                    }
                }
            });
            taken.insert(code.clone());
            codes.push(code);
        }
    }

    /// Adds a province without neighbours.
    pub(crate) fn add_province(&mut self, code: &str, ground: SketchGround) -> Node {
        Rc::make_mut(&mut self.codes).push(code.to_owned());
        let node = self.add(NodeKind::Province(ground));
        Rc::make_mut(&mut self.graph).add_node(node);
        node
    }

    /// Makes two nodes adjacent.
    pub(crate) fn connect(&mut self, a: Node, b: Node) {
        Rc::make_mut(&mut self.graph).add(edge(a, b));
    }

    /// Removes an adjacency.
    pub(crate) fn part(&mut self, a: Node, b: Node) {
        Rc::make_mut(&mut self.graph).remove(edge(a, b));
    }

    /// Makes these nodes meet at one point, in this order round it; those that are not consecutive meet only
    /// there.
    pub(crate) fn add_point(&mut self, around: &[Node]) -> Node {
        let point = self.add(NodeKind::Point);
        let graph = Rc::make_mut(&mut self.graph);
        for (i, &a) in around.iter().enumerate() {
            for (j, &b) in around.iter().enumerate().skip(i + 1) {
                let follow = j == i + 1 || (i == 0 && j == around.len() - 1);
                if !follow {
                    graph.remove(edge(a, b));
                }
            }
            graph.add(edge(a, point));
        }
        point
    }

    /// The adjacencies, and those of provinces that meet at a point, if they are not too many.
    pub(crate) fn meetings(&self) -> PlanarGraph {
        let mut graph = PlanarGraph::clone(&self.graph);
        for point in self.nodes().filter(|&node| self.kind(node) == NodeKind::Point) {
            let around: Vec<Node> = self.graph.neighbours(point).collect();
            if around.len() <= MOST_AT_POINT {
                for (i, &a) in around.iter().enumerate() {
                    around[..i].iter().for_each(|&b| graph.add(edge(a, b)));
                }
            }
        }
        graph
    }

    /// The codes of nodes.
    pub(crate) fn names(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<String> {
        nodes.into_iter().map(|node| self.code(node).to_owned()).collect()
    }
}

// What the source says of fleets, by the nodes of the graph.

/// A place for fleets at a land province.
#[derive(Debug)]
pub(crate) struct CoastLanding {
    /// The name of the coast, if the province has several.
    pub(crate) coast: Option<String>,
    /// The provinces that a fleet can reach from it.
    pub(crate) reached: BTreeSet<Node>,
    /// The seas among them.
    pub(crate) seas: BTreeSet<Node>,
}

/// The places for fleets at the lands of a board, and the seas along which fleets pass from one land to another.
#[derive(Debug)]
pub(crate) struct Fleets {
    landings: BTreeMap<Node, Vec<CoastLanding>>,
    /// For two lands in ascending order and a sea that is adjacent to both: the index of the pair, if fleets pass where
    /// the three meet.
    passages: BTreeMap<[Node; 3], usize>,
    /// For each pair of lands between which fleets pass, the number of moves that the source lists.
    moves: Vec<usize>,
}

impl Fleets {
    /// Reads the moves of fleets; `meetings` has the pairs of nodes that are adjacent or meet at a point.
    pub(crate) fn of(sketch: &Sketch, shape: &BoardShape, meetings: &PlanarGraph) -> Fleets {
        let nodes: BTreeMap<&str, Node> = shape.nodes().map(|node| (shape.code(node), node)).collect();
        let mut fleets = Fleets { landings: BTreeMap::new(), passages: BTreeMap::new(), moves: Vec::new() };
        for land in shape.nodes().filter(|&node| shape.is_land(node)) {
            let landing = |station: &Station| {
                let reached: BTreeSet<Node> = sketch
                    .fleet_from(station)
                    .filter_map(|(code, _)| nodes.get(code.as_str()).copied())
                    .collect();
                let seas = reached.iter().copied().filter(|&node| shape.is_sea(node)).collect();
                CoastLanding { coast: station.1.clone(), reached, seas }
            };
            let landings = sketch.stations_of(shape.code(land)).iter().map(landing).collect();
            fleets.landings.insert(land, landings);
        }
        let mut pairs: BTreeMap<[Node; 2], Vec<[&Station; 2]>> = BTreeMap::new();
        for [from, to] in &sketch.fleet {
            if let [Some(&a), Some(&b)] = [from, to].map(|(code, _)| nodes.get(code.as_str()))
                && shape.is_land(a)
                && shape.is_land(b)
                && meetings.has(edge(a, b))
            {
                pairs.entry(edge(a, b)).or_default().push([from, to]);
            }
        }
        for ([a, b], moves) in pairs {
            let pair = fleets.moves.len();
            fleets.moves.push(moves.len());
            let [fewer, other] = if meetings.degree(a) <= meetings.degree(b) { [a, b] } else { [b, a] };
            let seas = meetings.neighbours(fewer).filter(|&sea| shape.is_sea(sea));
            for sea in seas.filter(|&sea| meetings.has(edge(sea, other))) {
                let is_at = |station: &Station| {
                    let landings = nodes.get(station.0.as_str()).and_then(|land| fleets.landings.get(land));
                    let of_coast = landings.into_iter().flatten().find(|landing| landing.coast == station.1);
                    station.1.is_none() || of_coast.is_some_and(|landing| landing.seas.contains(&sea))
                };
                if moves.iter().any(|stations| stations.iter().all(|&station| is_at(station))) {
                    fleets.passages.insert([a, b, sea], pair);
                }
            }
        }
        fleets
    }

    /// The places for fleets at a land.
    pub(crate) fn landings(&self, land: Node) -> &[CoastLanding] {
        self.landings.get(&land).map_or(&[], Vec::as_slice)
    }

    /// The pair of lands between which fleets pass where these three meet, by index.
    pub(crate) fn passing(&self, lands: [Node; 2], sea: Node) -> Option<usize> {
        let [a, b] = edge(lands[0], lands[1]);
        self.passages.get(&[a, b, sea]).copied()
    }

    /// For each pair of lands between which fleets pass, the number of moves that the source lists.
    pub(crate) fn moves(&self) -> &[usize] {
        &self.moves
    }

    /// Are two seas at different coasts of a land, so that something must separate them?
    pub(crate) fn are_parted(&self, land: Node, seas: [Node; 2]) -> bool {
        let landings = self.landings(land);
        landings.len() > 1
            && !landings.iter().any(|landing| seas.iter().all(|sea| landing.seas.contains(sea)))
    }
}
