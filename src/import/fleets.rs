//! What the source says of fleets, by the nodes of the graph.

use std::collections::{BTreeMap, BTreeSet};

use crate::planar::graph::{Node, PlanarGraph, edge};
use crate::shape::BoardShape;
use crate::sketch::{Sketch, Station};

/// A place for fleets at a land province.
#[derive(Debug)]
pub(crate) struct CoastLanding {
    /// The name of the coast, if the province has several.
    pub coast: Option<String>,
    /// The provinces that a fleet can reach from it.
    pub reached: BTreeSet<Node>,
    /// The seas among them.
    pub seas: BTreeSet<Node>,
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
