//! Drawings of small boards by trial: every order round every node, every face as the Outside, and every set of second
//! borders. The importer's drawing is compared with the best of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use proptest::prelude::*;
use upheaval::import::ImportNote;

use super::{differences, imported};

type Pair = [usize; 2];
type Graph = Vec<BTreeSet<usize>>;

/// A board of a few provinces: pairs of neighbours, the seas, and the pairs of lands between which fleets pass.
#[derive(Debug)]
struct Small {
    graph: Graph,
    is_sea: Vec<bool>,
    passing: BTreeSet<Pair>,
}

fn code(node: usize) -> String {
    format!("N{node}")
}

impl Small {
    fn new(nodes: usize, choices: &[bool], seas: &[bool], passing: &[bool]) -> Small {
        let mut graph: Graph = vec![BTreeSet::new(); nodes];
        let pairs: Vec<Pair> = (0..nodes).flat_map(|b| (0..b).map(move |a| [a, b])).collect();
        for (&[a, b], _) in pairs.iter().zip(choices).filter(|(_, is_edge)| **is_edge) {
            graph[a].insert(b);
            graph[b].insert(a);
        }
        // The first two are homes, which are on land.
        let is_sea: Vec<bool> = (0..nodes).map(|node| node > 1 && seas[node]).collect();
        let lands = pairs.iter().filter(|[a, b]| graph[*a].contains(b) && !is_sea[*a] && !is_sea[*b]);
        let passing = lands.zip(passing).filter(|(_, passes)| **passes).map(|(pair, _)| *pair).collect();
        Small { graph, is_sea, passing }
    }

    fn edges(&self) -> usize {
        self.graph.iter().map(BTreeSet::len).sum::<usize>() / 2
    }

    /// Is it one block? Otherwise each block is drawn for itself, and the orders round a province are several.
    fn is_block(&self) -> bool {
        (0..self.graph.len()).all(|gone| {
            let begin = usize::from(gone == 0);
            let (mut seen, mut front) = (BTreeSet::from([gone, begin]), vec![begin]);
            while let Some(node) = front.pop() {
                front.extend(self.graph[node].iter().copied().filter(|&other| seen.insert(other)));
            }
            seen.len() == self.graph.len()
        })
    }

    fn passes(&self, a: usize, b: usize) -> bool {
        self.passing.contains(&[a.min(b), a.max(b)])
    }

    fn listing(&self) -> String {
        let mut text = "RED N0\nBLUE N1\n".to_owned();
        for (node, neighbours) in self.graph.iter().enumerate() {
            let names = neighbours.iter().map(|&other| match self.is_sea[node] || self.is_sea[other] {
                false if !self.passes(node, other) => code(other).to_lowercase(),
                _ => code(other),
            });
            let names: Vec<String> = names.collect();
            let kind = if self.is_sea[node] { "WATER" } else { "COAST" };
            let _ = writeln!(text, "{kind} {} ABUTS {}", code(node), names.join(" "));
        }
        text
    }

    /// Every embedding, by the neighbours round each node.
    fn embeddings(&self) -> Vec<Vec<Vec<usize>>> {
        let mut found = Vec::new();
        self.turn(&mut Vec::new(), &mut found);
        found
    }

    fn turn(&self, rounds: &mut Vec<Vec<usize>>, found: &mut Vec<Vec<Vec<usize>>>) {
        if rounds.len() == self.graph.len() {
            // Euler: only in the plane are there this number of faces.
            if self.graph.len() + faces(rounds).len() == self.edges() + 2 {
                found.push(rounds.clone());
            }
            return;
        }
        let neighbours: Vec<usize> = self.graph[rounds.len()].iter().copied().collect();
        let Some((&first, others)) = neighbours.split_first() else { return };
        for order in orders(others) {
            rounds.push([vec![first], order].concat());
            self.turn(rounds, found);
            rounds.pop();
        }
    }

    /// The fewest moves of fleets that a map of this board loses.
    fn fewest_lost(&self) -> usize {
        let lost = |rounds: Vec<Vec<usize>>| {
            // For each face, every way to divide it: the triangles, and whether a place for the Outside is left.
            let ways: Vec<Vec<BTreeSet<Pair>>> = faces(&rounds).iter().map(|face| self.ways(face)).collect();
            let served: BTreeSet<Pair> = ways.iter().flatten().flatten().copied().collect();
            2 * (self.passing.len() - served.len())
        };
        self.embeddings().into_iter().map(lost).min().expect("the board is planar")
    }

    /// For each set of chords of a face, the pairs that pass at one of the cells.
    fn ways(&self, face: &[usize]) -> Vec<BTreeSet<Pair>> {
        let len = face.len();
        let is_chord = |&[i, j]: &Pair| {
            j > i + 1 && j - i < len - 1 && face[i] != face[j] && self.graph[face[i]].contains(&face[j])
        };
        let chords: Vec<Pair> = (0..len).flat_map(|j| (0..j).map(move |i| [i, j])).filter(is_chord).collect();
        let crosses = |[a, b]: Pair, [c, d]: Pair| a < c && c < b && b < d || c < a && a < d && d < b;
        let sets = (0..1_u32 << chords.len()).map(|bits| {
            let chosen = chords.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1);
            chosen.map(|(_, &chord)| chord).collect::<Vec<Pair>>()
        });
        let fits = |set: &Vec<Pair>| set.iter().all(|&x| set.iter().all(|&y| !crosses(x, y)));
        let pairs = |set: Vec<Pair>| {
            let is_side =
                |i: usize, j: usize| j == i + 1 || (i == 0 && j == len - 1) || set.contains(&[i, j]);
            let mut pairs = BTreeSet::new();
            for (i, j, k) in (0..len).flat_map(|k| (0..k).flat_map(move |j| (0..j).map(move |i| (i, j, k)))) {
                if is_side(i, j) && is_side(j, k) && is_side(i, k) {
                    let corner = [face[i], face[j], face[k]];
                    for [a, b, sea] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]].map(|turn| turn.map(|at| corner[at]))
                    {
                        if self.is_sea[sea] && self.passes(a, b) {
                            pairs.insert([a.min(b), a.max(b)]);
                        }
                    }
                }
            }
            pairs
        };
        sets.filter(fits).map(pairs).collect()
    }
}

fn orders(items: &[usize]) -> Vec<Vec<usize>> {
    let Some((&first, rest)) = items.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in orders(rest) {
        for place in 0..=order.len() {
            let mut order = order.clone();
            order.insert(place, first);
            all.push(order);
        }
    }
    all
}

/// The faces, each with the nodes along it.
fn faces(rounds: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut seen = BTreeSet::new();
    let mut faces = Vec::new();
    for (a, round) in rounds.iter().enumerate() {
        for &b in round {
            let (mut face, mut dart) = (Vec::new(), (a, b));
            while seen.insert(dart) {
                face.push(dart.0);
                let round = &rounds[dart.1];
                let place = round.iter().position(|&node| node == dart.0).expect("a neighbour");
                dart = (dart.1, round[(place + round.len() - 1) % round.len()]);
            }
            if !face.is_empty() {
                faces.push(face);
            }
        }
    }
    faces
}

fn small(nodes: usize, most: usize) -> impl Strategy<Value = Small> {
    let pairs = nodes * (nodes - 1) / 2;
    let bools = |p: f64| prop::collection::vec(prop::bool::weighted(p), pairs);
    (bools(0.55), bools(0.4), bools(0.8))
        .prop_map(move |(choices, seas, passing)| Small::new(nodes, &choices, &seas, &passing))
        .prop_filter("a planar block with not too many embeddings", move |small| {
            small.edges() <= most && small.is_block() && !small.embeddings().is_empty()
        })
}

/// Do these neighbours have this order round a node, counter-clockwise?
fn is_round(round: &[usize], wanted: &[usize]) -> bool {
    let places: Vec<Option<usize>> = wanted.iter().map(|node| round.iter().position(|x| x == node)).collect();
    let Some(first) = places[0] else { return false };
    let turned: Vec<Option<usize>> =
        places.iter().map(|place| place.map(|place| (place + round.len() - first) % round.len())).collect();
    turned.iter().all(Option::is_some) && turned.is_sorted()
}

/// Do these occur on a cycle in this order?
fn has_order(cycle: &[String], wanted: &[String]) -> bool {
    (0..cycle.len()).any(|turn| {
        let mut wanted = wanted.iter().peekable();
        for name in cycle[turn..].iter().chain(&cycle[..turn]) {
            wanted.next_if_eq(&name);
        }
        wanted.peek().is_none()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if testkit::tries_all() { 96 } else { 12 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_drawing_of_a_small_board_loses_fewer_moves(small in small(6, 10)) {
        let text = small.listing();
        let back = imported("small.map", &text, "").map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(differences(&back).len(), small.fewest_lost(), "{:?}\n{}", back.notes, text);
    }

    #[test]
    fn an_order_round_provinces_is_followed_if_any_drawing_has_it(
        small in small(6, 10),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 2),
    ) {
        let mut hints: Vec<(usize, Vec<usize>)> = Vec::new();
        let forks: Vec<usize> = (0..6).filter(|&node| small.graph[node].len() > 2).collect();
        prop_assume!(!forks.is_empty());
        for (node, order) in &picks {
            let node = forks[node.index(forks.len())];
            let neighbours: Vec<usize> = small.graph[node].iter().copied().collect();
            let all = orders(&neighbours);
            if hints.iter().all(|(other, _)| *other != node) {
                hints.push((node, all[order.index(all.len())].clone()));
            }
        }
        let holds = |rounds: &Vec<Vec<usize>>| hints.iter().all(|(node, wanted)| is_round(&rounds[*node], wanted));
        let can_be_followed = small.embeddings().iter().any(holds);
        let line = |(node, wanted): &(usize, Vec<usize>)| {
            let names: Vec<String> = wanted.iter().map(|&node| format!("{:?}", code(node))).collect();
            format!("{} = [{}]\n", code(*node), names.join(", "))
        };
        let text = format!("[around]\n{}", hints.iter().map(line).collect::<String>());
        let back = imported("small.map", &small.listing(), &text)
            .map_err(|error| TestCaseError::fail(format!("{error}\n{}", small.listing())))?;
        let is_followed = |(node, wanted): &(usize, Vec<usize>)| {
            let wanted: Vec<String> = wanted.iter().map(|&node| code(node)).collect();
            has_order(back.map.faces[&code(*node)].neighbours(), &wanted)
        };
        let unfollowed = hints.iter().filter(|hint| !is_followed(hint)).count();
        let told = back.notes.iter().filter(|note| matches!(note, ImportNote::NotAround(_))).count();
        prop_assert_eq!(told, unfollowed, "{}\n{}", &text, small.listing());
        // With second borders, more orders are possible than without.
        prop_assert!(unfollowed == 0 || !can_be_followed, "{}\n{}", text, small.listing());
    }

    #[test]
    fn an_outside_is_followed_if_any_drawing_has_a_face_with_its_provinces(
        small in small(6, 10),
        nodes in prop::sample::subsequence((0..6).collect::<Vec<usize>>(), 1..5),
    ) {
        let has_face = |rounds: &Vec<Vec<usize>>| {
            faces(rounds).iter().any(|face| face.len() > 2 && nodes.iter().all(|node| face.contains(node)))
        };
        let can_be_followed = small.embeddings().iter().any(has_face);
        let names: Vec<String> = nodes.iter().map(|&node| format!("{:?}", code(node))).collect();
        let text = format!("outside = [{}]", names.join(", "));
        let back = imported("small.map", &small.listing(), &text)
            .map_err(|error| TestCaseError::fail(format!("{error}\n{}", small.listing())))?;
        let is_followed = !back.notes.iter().any(|note| matches!(note, ImportNote::NotOutside(_)));
        prop_assert_eq!(is_followed, can_be_followed, "{}\n{}", text, small.listing());
    }
}
