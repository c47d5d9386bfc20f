//! Planar embeddings by the left-right test of de Fraysseix and Rosenstiehl, in the form of Brandes (2009): a
//! depth-first search orients the edges; each edge that leads back is put on one side of the tree, and two that overlap
//! without nesting are put on different sides; if that is possible, the sides give the order of the edges round each
//! node. The time grows as n log n, for the edges of each node are sorted.
//!
//! No well-kept crate gives an embedding: `rustworkx-core` only tests planarity.

use crate::planar::{Edge, Effort, Node, PlanarGraph};

/// The index of an edge in the list of edges.
type EdgeIndex = usize;

/// The index of a node among those of the graph.
type NodeIndex = usize;

/// The darts of an embedded graph: the edge `e` has the darts `2 e`, which leaves the first of its ends, and `2 e + 1`.
pub(crate) struct Embedding {
    /// The ends of each edge.
    pub(crate) ends: Vec<Edge>,
    /// For each dart, the next one counter-clockwise round the same node.
    pub(crate) after: Vec<usize>,
}

/// An embedding of the graph with these edges, which are distinct; `None` if it is not planar.
pub(crate) fn embed(edges: &[Edge], effort: &Effort) -> Option<Embedding> {
    effort.spend(edges.len());
    let mut test = LeftRight::new(edges);
    test.is_planar().then(|| test.embed())
}

/// Is the graph with these edges, which are distinct, planar?
pub fn is_planar(edges: &[Edge], effort: &Effort) -> bool {
    effort.spend(edges.len());
    LeftRight::new(edges).is_planar()
}

/// Edges that lead back on one side, from the one that ends highest to the one that ends lowest.
#[derive(Clone, Copy, Default)]
struct Interval {
    high: Option<EdgeIndex>,
    low: Option<EdgeIndex>,
}

impl Interval {
    fn is_empty(self) -> bool {
        self.high.is_none() && self.low.is_none()
    }
}

/// Two intervals that must be on different sides.
type ConflictPair = [Interval; 2];

const LEFT: usize = 0;
const RIGHT: usize = 1;

struct LeftRight {
    nodes: Vec<Node>,
    /// The edges of each node, with the node at the other end.
    around: Vec<Vec<(NodeIndex, EdgeIndex)>>,
    /// The edges that leave each node, once they are oriented; sorted by nesting.
    leaving: Vec<Vec<EdgeIndex>>,
    /// The end that an edge leaves, and the one to which it leads.
    tail: Vec<NodeIndex>,
    head: Vec<NodeIndex>,
    is_oriented: Vec<bool>,
    /// The distance of a node from its root in the search tree.
    height: Vec<Option<usize>>,
    parent: Vec<Option<EdgeIndex>>,
    roots: Vec<NodeIndex>,
    /// The height of the lowest node to which an edge leads back, and of the second lowest.
    low: Vec<usize>,
    second_low: Vec<usize>,
    nesting: Vec<isize>,
    /// The edge whose side an edge's own side is relative to.
    reference: Vec<Option<EdgeIndex>>,
    /// Is an edge on the other side than its reference?
    is_turned: Vec<bool>,
    /// For each edge, the returning edge that ends lowest.
    lowest: Vec<EdgeIndex>,
    /// The number of pairs below those of an edge.
    bottom: Vec<usize>,
    pairs: Vec<ConflictPair>,
}

impl LeftRight {
    fn new(edges: &[Edge]) -> LeftRight {
        let mut nodes: Vec<Node> = edges.iter().flatten().copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut index_of = vec![0; nodes.last().map_or(0, |node| node.index() + 1)];
        nodes.iter().enumerate().for_each(|(i, node)| index_of[node.index()] = i);
        let mut around = vec![Vec::new(); nodes.len()];
        for (e, ends) in edges.iter().enumerate() {
            let [a, b] = ends.map(|node| index_of[node.index()]);
            around[a].push((b, e));
            around[b].push((a, e));
        }
        let (n, m) = (nodes.len(), edges.len());
        LeftRight {
            nodes,
            around,
            leaving: vec![Vec::new(); n],
            tail: vec![0; m],
            head: vec![0; m],
            is_oriented: vec![false; m],
            height: vec![None; n],
            parent: vec![None; n],
            roots: Vec::new(),
            low: vec![0; m],
            second_low: vec![0; m],
            nesting: vec![0; m],
            reference: vec![None; m],
            is_turned: vec![false; m],
            lowest: vec![0; m],
            bottom: vec![0; m],
            pairs: Vec::new(),
        }
    }

    fn is_planar(&mut self) -> bool {
        let (n, m) = (self.around.len(), self.head.len());
        if n > 2 && m > 3 * n - 6 {
            return false;
        }
        for root in 0..n {
            if self.height[root].is_none() {
                self.roots.push(root);
                self.orient(root);
            }
        }
        self.sort_leaving();
        let roots = self.roots.clone();
        roots.into_iter().all(|root| self.test(root))
    }

    fn height_of(&self, node: NodeIndex) -> usize {
        self.height[node].unwrap_or_default()
    }

    fn sort_leaving(&mut self) {
        for of_node in &mut self.leaving {
            of_node.sort_by_key(|&e| self.nesting[e]);
        }
    }

    /// The depth-first search. Not recursive, because a chain of provinces may be as long as the file.
    fn orient(&mut self, root: NodeIndex) {
        self.height[root] = Some(0);
        let mut stack = vec![(root, 0)];
        while let Some(&mut (node, ref mut next)) = stack.last_mut() {
            let Some(&(other, e)) = self.around[node].get(*next) else {
                stack.pop();
                if let (Some(e), Some(&(tail, _))) = (self.parent[node], stack.last()) {
                    self.finish_orienting(tail, e);
                }
                continue;
            };
            *next += 1;
            if self.is_oriented[e] {
                continue;
            }
            let here = self.height_of(node);
            self.is_oriented[e] = true;
            (self.tail[e], self.head[e]) = (node, other);
            self.leaving[node].push(e);
            (self.low[e], self.second_low[e]) = (here, here);
            match self.height[other] {
                None => {
                    self.parent[other] = Some(e);
                    self.height[other] = Some(here + 1);
                    stack.push((other, 0));
                }
                Some(height) => {
                    self.low[e] = height;
                    self.finish_orienting(node, e);
                }
            }
        }
    }

    /// Works out how deep an edge nests, and what it means for the edge above it.
    fn finish_orienting(&mut self, tail: NodeIndex, e: EdgeIndex) {
        let is_chordal = self.second_low[e] < self.height_of(tail);
        self.nesting[e] = 2 * self.low[e] as isize + isize::from(is_chordal);
        let Some(above) = self.parent[tail] else { return };
        let (low, second) = (self.low[e], self.second_low[e]);
        if low < self.low[above] {
            self.second_low[above] = self.low[above].min(second);
            self.low[above] = low;
        } else if low > self.low[above] {
            self.second_low[above] = self.second_low[above].min(low);
        } else {
            self.second_low[above] = self.second_low[above].min(second);
        }
    }

    /// Puts the returning edges of a tree on sides; `false` if that is not possible.
    fn test(&mut self, root: NodeIndex) -> bool {
        let mut stack = vec![(root, 0)];
        while let Some(&mut (node, ref mut next)) = stack.last_mut() {
            let Some(&e) = self.leaving[node].get(*next) else {
                stack.pop();
                if let (Some(e), Some(&(tail, _))) = (self.parent[node], stack.last()) {
                    self.drop_returns_to(tail, e);
                    if !self.integrate(tail, e) {
                        return false;
                    }
                }
                continue;
            };
            *next += 1;
            self.bottom[e] = self.pairs.len();
            if self.parent[self.head[e]] == Some(e) {
                stack.push((self.head[e], 0));
            } else {
                self.lowest[e] = e;
                let own = Interval { high: Some(e), low: Some(e) };
                self.pairs.push([Interval::default(), own]);
                if !self.integrate(node, e) {
                    return false;
                }
            }
        }
        true
    }

    /// Combines the returning edges of an edge with those of the edges before it at the same node.
    fn integrate(&mut self, tail: NodeIndex, e: EdgeIndex) -> bool {
        if self.low[e] >= self.height_of(tail) {
            return true;
        }
        let Some(above) = self.parent[tail] else { return true };
        if self.leaving[tail].first() == Some(&e) {
            self.lowest[above] = self.lowest[e];
            return true;
        }
        self.constrain(e, above)
    }

    fn refer(&mut self, from: Option<EdgeIndex>, to: Option<EdgeIndex>) {
        if let Some(from) = from {
            self.reference[from] = to;
        }
    }

    fn constrain(&mut self, e: EdgeIndex, above: EdgeIndex) -> bool {
        let mut merged = ConflictPair::default();
        // The returning edges of `e` are all on the right.
        while self.pairs.len() > self.bottom[e] {
            let Some(mut pair) = self.pairs.pop() else { break };
            if !pair[LEFT].is_empty() {
                pair.reverse();
            }
            if !pair[LEFT].is_empty() {
                return false;
            }
            let Some(low) = pair[RIGHT].low else { continue };
            if self.low[low] > self.low[above] {
                if merged[RIGHT].is_empty() {
                    merged[RIGHT].high = pair[RIGHT].high;
                } else {
                    self.refer(merged[RIGHT].low, pair[RIGHT].high);
                }
                merged[RIGHT].low = pair[RIGHT].low;
            } else {
                self.reference[low] = Some(self.lowest[above]);
            }
        }
        // Those of the edges before it that overlap with them are on the left.
        while let Some(mut pair) =
            self.pairs.pop_if(|pair| pair.iter().any(|&side| is_in_conflict(&self.low, side, e)))
        {
            if is_in_conflict(&self.low, pair[RIGHT], e) {
                pair.reverse();
            }
            if is_in_conflict(&self.low, pair[RIGHT], e) {
                return false;
            }
            self.refer(merged[RIGHT].low, pair[RIGHT].high);
            if pair[RIGHT].low.is_some() {
                merged[RIGHT].low = pair[RIGHT].low;
            }
            if merged[LEFT].is_empty() {
                merged[LEFT].high = pair[LEFT].high;
            } else {
                self.refer(merged[LEFT].low, pair[LEFT].high);
            }
            merged[LEFT].low = pair[LEFT].low;
        }
        if !merged[LEFT].is_empty() || !merged[RIGHT].is_empty() {
            self.pairs.push(merged);
        }
        true
    }

    /// Takes the returning edges that end at the upper end of a tree edge off the stack.
    fn drop_returns_to(&mut self, tail: NodeIndex, e: EdgeIndex) {
        let here = self.height_of(tail);
        let lowest = |test: &LeftRight, pair: &ConflictPair| {
            pair.iter().filter_map(|side| side.low).map(|low| test.low[low]).min()
        };
        while let Some(pair) = self.pairs.last().copied()
            && lowest(self, &pair) == Some(here)
        {
            self.pairs.pop();
            if let Some(low) = pair[LEFT].low {
                self.is_turned[low] = true;
            }
        }
        if let Some(mut pair) = self.pairs.pop() {
            for [side, other] in [[LEFT, RIGHT], [RIGHT, LEFT]] {
                pair[side].high = self.above_returns(pair[side].high, tail);
                if let Some(low) = pair[side].low.filter(|_| pair[side].high.is_none()) {
                    self.reference[low] = pair[other].low;
                    self.is_turned[low] = true;
                    pair[side].low = None;
                }
            }
            self.pairs.push(pair);
        }
        // A tree edge is on the side of the returning edge that ends highest.
        if self.low[e] < here
            && let Some(pair) = self.pairs.last()
        {
            let [left, right] = pair.map(|side| side.high);
            let low = |high: Option<EdgeIndex>| high.map(|high| self.low[high]);
            self.reference[e] = if low(left) > low(right) { left } else { right };
        }
    }

    /// The first edge of an interval, from the highest, that does not end at this node.
    fn above_returns(&self, mut high: Option<EdgeIndex>, tail: NodeIndex) -> Option<EdgeIndex> {
        while let Some(e) = high.filter(|&e| self.head[e] == tail) {
            high = self.reference[e];
        }
        high
    }

    /// Is an edge on the left? Follows the references once, and keeps what it finds.
    fn is_left(&mut self, e: EdgeIndex) -> bool {
        let mut chain = vec![e];
        while let Some(next) = chain.last().and_then(|&last| self.reference[last]) {
            chain.push(next);
        }
        let mut is_left = false;
        while let Some(e) = chain.pop() {
            is_left ^= self.is_turned[e];
            self.is_turned[e] = is_left;
            self.reference[e] = None;
        }
        is_left
    }

    /// Turns the sides into an order of the darts round each node.
    fn embed(mut self) -> Embedding {
        for e in 0..self.head.len() {
            if self.is_left(e) {
                self.nesting[e] = -self.nesting[e];
            }
        }
        self.sort_leaving();
        let (n, m) = (self.leaving.len(), self.head.len());
        let mut ring = Ring { after: (0..2 * m).collect(), before: (0..2 * m).collect() };
        for of_node in &self.leaving {
            of_node.windows(2).for_each(|pair| ring.put_clockwise(2 * pair[1], 2 * pair[0]));
        }
        // Where the next edge that returns to a node goes, on the left and on the right of its latest tree edge.
        let (mut left, mut right) = (vec![0; n], vec![0; n]);
        let mut stack: Vec<(NodeIndex, usize)> = self.roots.iter().rev().map(|&root| (root, 0)).collect();
        while let Some(&mut (node, ref mut next)) = stack.last_mut() {
            let Some(&e) = self.leaving[node].get(*next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            let (head, back) = (self.head[e], 2 * e + 1);
            if self.parent[head] == Some(e) {
                if let Some(&first) = self.leaving[head].first() {
                    ring.put_counter_clockwise(back, 2 * first);
                }
                (left[node], right[node]) = (2 * e, 2 * e);
                stack.push((head, 0));
            } else if self.is_turned[e] {
                ring.put_counter_clockwise(back, left[head]);
                left[head] = back;
            } else {
                ring.put_clockwise(back, right[head]);
            }
        }
        let ends = (0..m).map(|e| [self.tail[e], self.head[e]].map(|index| self.nodes[index])).collect();
        Embedding { ends, after: ring.after }
    }
}

/// The darts round each node, as rings.
struct Ring {
    after: Vec<usize>,
    before: Vec<usize>,
}

impl Ring {
    fn put_counter_clockwise(&mut self, dart: usize, other: usize) {
        let next = std::mem::replace(&mut self.after[other], dart);
        (self.after[dart], self.before[dart]) = (next, other);
        self.before[next] = dart;
    }

    fn put_clockwise(&mut self, dart: usize, other: usize) {
        self.put_counter_clockwise(dart, self.before[other]);
    }
}

/// Does an interval hold an edge that ends higher than the lowest that returns by way of `e`?
fn is_in_conflict(low: &[usize], interval: Interval, e: EdgeIndex) -> bool {
    interval.high.is_some_and(|high| low[high] > low[e])
}

// Why a graph is not planar: a non-planar part that is as small as possible.

/// The edges of a minimal non-planar part, a subdivision of K5 or K3,3 (Kuratowski): without any one of them
/// it would be planar. `None` if the graph is planar. When the effort is used up, the part may be larger than
/// necessary.
pub fn obstacle(graph: &PlanarGraph, effort: &Effort) -> Option<Vec<Edge>> {
    let mut rest: Vec<Edge> = graph.edges().collect();
    if is_planar(&rest, effort) {
        return None;
    }
    // A planar graph of n nodes has at most 3 n - 6 edges, so one more is enough.
    rest.truncate((3 * graph.nodes().count()).saturating_sub(5));
    // The shortest beginning of the list that is not planar ends with an edge of the part; this edge is kept, and those
    // after it are not needed.
    let mut kept: Vec<Edge> = Vec::new();
    while is_planar(&kept, effort) {
        if effort.is_used_up() {
            kept.append(&mut rest);
            break;
        }
        let is_enough = |count: usize| {
            let part: Vec<Edge> = kept.iter().chain(&rest[..count]).copied().collect();
            !is_planar(&part, effort)
        };
        let (mut planar, mut enough) = (0, rest.len());
        while enough - planar > 1 {
            let middle = usize::midpoint(planar, enough);
            *(if is_enough(middle) { &mut enough } else { &mut planar }) = middle;
        }
        rest.truncate(enough);
        kept.extend(rest.pop());
    }
    kept.sort_unstable();
    Some(kept)
}

/// The nodes with more than two of these edges: the five or six main nodes of an obstacle.
pub fn branches(edges: &[Edge]) -> Vec<Node> {
    let graph = PlanarGraph::of(edges.iter().copied());
    graph.nodes().filter(|&node| graph.neighbours(node).count() > 2).collect()
}
