//! The measures of a map, computed a second time, slowly and only from the report of the board: distances by Floyd and
//! Warshall, cut vertices by removing each node.

use crate::helpers::name_of;
use std::collections::BTreeMap;

use upheaval::ids::{Power, Powers};
use upheaval::topology::report::{FaceReport, MapReport};
use upheaval::topology::{GraphMetrics, HomeDistances, Metrics};

/// Edges between places called by name.
pub(super) struct Graph {
    names: Vec<String>,
    /// Adjacency by number.
    beside: Vec<Vec<bool>>,
}

impl Graph {
    fn new(reach: &BTreeMap<String, Vec<String>>) -> Graph {
        let names: Vec<String> = reach.keys().cloned().collect();
        let beside = names.iter().map(|a| names.iter().map(|b| reach[a].contains(b)).collect()).collect();
        Graph { names, beside }
    }

    /// The graph with these edges between this many nodes, which are called by their numbers.
    pub(super) fn of_edges(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let is_edge = |a, b| edges.contains(&(a, b)) || edges.contains(&(b, a));
        let beside = (0..nodes).map(|a| (0..nodes).map(|b| is_edge(a, b)).collect()).collect();
        Graph { names: (0..nodes).map(|node| node.to_string()).collect(), beside }
    }

    fn number(&self, name: &str) -> usize {
        self.names.iter().position(|other| other == name).expect("a node")
    }

    /// Without one of its nodes.
    fn without(&self, node: usize) -> Graph {
        let left = |n: &usize| *n != node;
        let kept: Vec<usize> = (0..self.names.len()).filter(left).collect();
        let beside = kept.iter().map(|&a| kept.iter().map(|&b| self.beside[a][b]).collect()).collect();
        Graph { names: kept.iter().map(|&n| self.names[n].clone()).collect(), beside }
    }

    fn distances(&self) -> Vec<Vec<Option<u32>>> {
        let n = self.names.len();
        let step = |a: usize, b: usize| if a == b { Some(0) } else { self.beside[a][b].then_some(1) };
        let mut ways: Vec<Vec<Option<u32>>> = (0..n).map(|a| (0..n).map(|b| step(a, b)).collect()).collect();
        for through in 0..n {
            let onwards = ways[through].clone();
            for from in &mut ways {
                let Some(there) = from[through] else { continue };
                for (way, on) in from.iter_mut().zip(&onwards) {
                    let Some(on) = on else { continue };
                    *way = Some(way.map_or(there + on, |way| way.min(there + on)));
                }
            }
        }
        ways
    }

    fn pieces(&self) -> usize {
        let mut piece: Vec<usize> = (0..self.names.len()).collect();
        for (a, row) in self.beside.iter().enumerate() {
            for b in (0..row.len()).filter(|&b| row[b]) {
                let (from, to) = (piece[a], piece[b]);
                piece.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
            }
        }
        piece.sort_unstable();
        piece.dedup();
        piece.len()
    }

    pub(super) fn measured(&self) -> GraphMetrics {
        let pieces = self.pieces();
        let has_neighbour = |n: &usize| self.beside[*n].contains(&true);
        let cuts = (0..self.names.len())
            .filter(has_neighbour)
            .filter(|&n| self.without(n).pieces() > pieces)
            .count();
        GraphMetrics {
            edges: (self.beside.iter().flatten().filter(|edge| **edge).count() / 2) as u16,
            components: pieces as u16,
            diameter: self.distances().into_iter().flatten().flatten().max().unwrap_or(0) as u16,
            cut_vertices: cuts as u16,
        }
    }
}

/// The measures for the map of a report.
pub(super) fn measured(report: &MapReport) -> (Metrics, HomeDistances) {
    let open: BTreeMap<&String, &FaceReport> =
        report.faces.iter().filter(|(_, f)| matches!(f.kind, "land" | "sea" | "ice")).collect();
    let (mut army, mut fleet, mut any) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (&name, face) in &open {
        if face.kind != "sea" {
            army.insert(name.clone(), face.army.clone());
        }
        let mut reach = face.army.clone();
        for (coast, to) in &face.fleet {
            let place = if coast.is_empty() { name.clone() } else { format!("{name}/{coast}") };
            fleet.insert(place, to.clone());
            reach.extend(to.iter().filter_map(|to| to.split('/').next()).map(str::to_owned));
        }
        any.insert(name.clone(), reach);
    }
    let graphs = [&army, &fleet, &any].map(Graph::new);
    let any = &graphs[2];
    let (ways, is) =
        (any.distances(), |kind| report.faces.values().filter(|face| face.kind == kind).count() as u16);
    let homes = |power: Power| -> Vec<usize> {
        let power = name_of(power);
        let home = |(_, face): &(&&String, &&FaceReport)| {
            face.supply_centre && face.kind != "ice" && face.home.as_ref() == Some(&power)
        };
        open.iter().filter(home).map(|(name, _)| any.number(name)).collect()
    };
    let distance = |[a, b]: [Power; 2]| {
        let mut found = Vec::new();
        for from in homes(a) {
            found.extend(homes(b).into_iter().filter_map(|to| ways[from][to]));
        }
        let mean = f64::from(found.iter().sum::<u32>()) / found.len() as f64;
        (!found.is_empty()).then_some(mean as f32)
    };
    let distances = HomeDistances::pairs(Powers::STANDARD).map(distance);
    let coasts = |face: &FaceReport| if face.kind == "land" { face.fleet.len() as u16 } else { 0 };
    let metrics = Metrics {
        land: is("land") + is("ice"),
        sea: is("sea"),
        impassable: is("impassable"),
        outside: is("outside"),
        holes: is("hole"),
        voids: is("void"),
        borders: report.counts.borders as u16,
        corners: report.counts.corners as u16,
        components: report.counts.components as u16,
        islands: any.pieces() as u16,
        army: graphs[0].measured(),
        fleet: graphs[1].measured(),
        coasts: open.values().map(|face| coasts(face)).sum(),
        multi_coast: open.values().filter(|face| coasts(face) > 1).count() as u16,
    };
    (metrics, HomeDistances::from_list(distances.collect()))
}
