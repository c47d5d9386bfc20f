//! Planarity tests, embeddings and obstacles, against definitions that need no algorithm.

use std::collections::BTreeSet;

use proptest::prelude::*;
use upheaval::import::planar::Effort;
use upheaval::import::planar::left_right::is_planar;
use upheaval::import::planar::left_right::{branches, obstacle};
use upheaval::import::planar::rotation::Rotation;
use upheaval::import::planar::{Edge, Node, PlanarGraph};

fn no_limit() -> Effort {
    Effort::for_nodes(1000, 1_000_000)
}

fn pairs(nodes: u16) -> Vec<Edge> {
    (0..nodes).flat_map(|b| (0..b).map(move |a| [Node(a), Node(b)])).collect()
}

fn chosen(nodes: u16, bits: u32) -> Vec<Edge> {
    pairs(nodes).into_iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, pair)| pair).collect()
}

/// Has a graph of six nodes K5 or K3,3 as a minor (Wagner)? With six nodes, K3,3 is a part of the graph itself, and K5
/// is one after at most one edge has been contracted.
fn has_forbidden_minor(edges: &[Edge]) -> bool {
    let has = |edges: &BTreeSet<Edge>, a: Node, b: Node| edges.contains(&[a.min(b), a.max(b)]);
    let is_complete = |edges: &BTreeSet<Edge>, without: u16| {
        let nodes: Vec<Node> = (0..6).filter(|&node| node != without).map(Node).collect();
        nodes.iter().all(|&a| nodes.iter().all(|&b| a >= b || has(edges, a, b)))
    };
    let all: BTreeSet<Edge> = edges.iter().copied().collect();
    let splits = (0..64_u32).filter(|side| side.count_ones() == 3).any(|side| {
        let (these, those): (Vec<u16>, Vec<u16>) = (0..6).partition(|node| side >> node & 1 == 1);
        these.iter().all(|&a| those.iter().all(|&b| has(&all, Node(a), Node(b))))
    });
    let contracted = |&[kept, gone]: &Edge| {
        let moved = |node: Node| if node == gone { kept } else { node };
        let edges = all.iter().map(|pair| pair.map(moved)).filter(|[a, b]| a != b);
        let edges: BTreeSet<Edge> = edges.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        is_complete(&edges, gone.0)
    };
    splits || (0..6).any(|without| is_complete(&all, without)) || all.iter().any(contracted)
}

/// Is it an embedding of these edges in the plane, block by block? Every cycle of darts counts as a node.
fn is_embedding(rotation: &Rotation, edges: &[Edge]) -> bool {
    let mut drawn: Vec<Edge> = rotation
        .darts()
        .map(|dart| [rotation.origin(dart), rotation.target(dart)])
        .filter(|[a, b]| a < b)
        .collect();
    drawn.sort_unstable();
    let mut wanted = edges.to_vec();
    wanted.sort_unstable();
    let cycles: Vec<_> = rotation.cycles().into_iter().collect();
    let is_of_node = cycles
        .iter()
        .all(|(node, cycles)| cycles.iter().flatten().all(|&dart| rotation.origin(dart) == *node));
    let count: usize = cycles.iter().map(|(_, cycles)| cycles.len()).sum();
    drawn == wanted
        && is_of_node
        && count + rotation.faces().len() == edges.len() + 2 * rotation.blocks().len()
}

#[test]
fn every_graph_of_six_nodes_is_told_planar_or_not_and_drawn() {
    let effort = no_limit();
    // All of them if slow tests are run. 23 is odd, so that every edge is in half of those that are left.
    for bits in testkit::thinned(0..1 << 15, 23) {
        let edges = chosen(6, bits);
        let planar = is_planar(&edges, &effort);
        assert_eq!(planar, !has_forbidden_minor(&edges), "{edges:?}");
        let rotation = Rotation::of(&PlanarGraph::of(edges.iter().copied()), &effort);
        assert_eq!(rotation.is_some(), planar, "{edges:?}");
        if let Some(rotation) = rotation {
            assert!(is_embedding(&rotation, &edges), "{edges:?}");
        }
    }
}

fn graph(nodes: u16, edges: usize) -> impl Strategy<Value = Vec<Edge>> {
    prop::sample::subsequence(pairs(nodes), edges..edges + nodes as usize)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_not_planar_has_an_obstacle_of_which_no_edge_can_be_spared(edges in graph(24, 20)) {
        let effort = no_limit();
        let found = obstacle(&PlanarGraph::of(edges.iter().copied()), &effort);
        prop_assert_eq!(found.is_none(), is_planar(&edges, &effort));
        match found {
            Some(found) => {
                prop_assert!(found.iter().all(|edge| edges.contains(edge)));
                prop_assert!(!is_planar(&found, &effort));
                for gone in &found {
                    let rest: Vec<Edge> = found.iter().filter(|edge| *edge != gone).copied().collect();
                    prop_assert!(is_planar(&rest, &effort));
                }
                let graph = PlanarGraph::of(found.iter().copied());
                let degrees: Vec<usize> = branches(&found).into_iter().map(|node| graph.degree(node)).collect();
                prop_assert!([vec![4; 5], vec![3; 6]].contains(&degrees), "K5 or K3,3: {:?}", degrees);
            }
            None => {
                let rotation = Rotation::of(&PlanarGraph::of(edges.iter().copied()), &effort).expect("planar");
                prop_assert!(is_embedding(&rotation, &edges));
            }
        }
    }
}

#[test]
fn an_obstacle_is_whole_although_the_effort_is_used_up() {
    let edges = pairs(40);
    let effort = Effort::for_nodes(2, 1);
    let found = obstacle(&PlanarGraph::of(edges), &effort).expect("not planar");
    assert!(
        !is_planar(&found, &no_limit()),
        "it may have more edges than it needs, but it is no less than an obstacle"
    );
}
