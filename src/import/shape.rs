//! From a board without a shape to a graph that can be drawn: what is adjacent to what, in nodes.

use std::collections::BTreeMap;

use crate::crossings;
use crate::error::ImportError;
use crate::hints::{FillerHint, Hints};
use crate::note::Note;
use crate::planar::graph::{Edge, Graph, Node, edge};
use crate::planar::obstacle::branches;
use crate::sketch::{Ground, Sketch};

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A province.
    Province(Ground),
    /// A point at which more than three provinces meet.
    Point,
    /// A place that nobody can enter.
    Filler,
    /// What is beyond the edge of the board.
    Outside,
}

/// The nodes of a board, by their indices, and which of them are adjacent.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    codes: Vec<String>,
    kinds: Vec<Kind>,
    /// Which nodes are adjacent.
    pub graph: Graph,
}

impl Shape {
    /// The code of a node.
    pub fn code(&self, node: Node) -> &str {
        &self.codes[node.index()]
    }

    /// What a node stands for.
    pub fn kind(&self, node: Node) -> Kind {
        self.kinds[node.index()]
    }

    /// Is it a land province?
    pub fn is_land(&self, node: Node) -> bool {
        self.kind(node) == Kind::Province(Ground::Land)
    }

    /// Is it a sea?
    pub fn is_sea(&self, node: Node) -> bool {
        self.kind(node) == Kind::Province(Ground::Sea)
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.codes.len()).map(|index| Node(index as u16))
    }

    /// Adds a node that is adjacent to nothing. Its code is this one, or one like it that nothing has yet.
    pub fn add(&mut self, code: &str, kind: Kind) -> Node {
        let taken = |code: &str| self.codes.iter().any(|known| known == code);
        let numbered = || (1..).map(|i| format!("{code}{i}")).find(|code| !taken(code)).unwrap_or_default();
        let code = if kind != Kind::Filler && kind != Kind::Point && !taken(code) {
            code.to_owned()
        } else {
            numbered()
        };
        self.codes.push(code);
        self.kinds.push(kind);
        Node((self.codes.len() - 1) as u16)
    }

    /// Calls a node otherwise, unless something else is called so.
    pub fn call(&mut self, node: Node, code: &str) {
        if !self.codes.iter().any(|known| known == code) {
            code.clone_into(&mut self.codes[node.index()]);
        }
    }

    /// Makes these meet at one point, in this order round it: those that do not follow each other meet there alone.
    pub fn add_point(&mut self, around: &[Node]) -> Node {
        let point = self.add("P", Kind::Point);
        for (i, &a) in around.iter().enumerate() {
            for (j, &b) in around.iter().enumerate().skip(i + 1) {
                let follow = j == i + 1 || (i == 0 && j == around.len() - 1);
                if !follow {
                    self.graph.remove(edge(a, b));
                }
            }
            Graph::add(edge(a, point), &mut self.graph);
        }
        point
    }

    /// Are two nodes adjacent, by a border or at a point?
    pub fn are_adjacent(&self, a: Node, b: Node) -> bool {
        let at_point =
            |node: Node| self.graph.neighbours(node).filter(|&next| self.kind(next) == Kind::Point);
        self.graph.has(edge(a, b)) || at_point(a).any(|point| self.graph.has(edge(point, b)))
    }

    /// The codes of nodes.
    pub fn names(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<String> {
        nodes.into_iter().map(|node| self.code(node).to_owned()).collect()
    }

    /// The shape of a board, and which pairs it had to leave out.
    ///
    /// # Errors
    /// The board falls apart, or cannot be drawn in the plane.
    pub fn of(
        file: &str,
        sketch: &Sketch,
        hints: &Hints,
        notes: &mut Vec<Note>,
    ) -> Result<Shape, ImportError> {
        let mut shape = Shape::default();
        let mut nodes: BTreeMap<&str, Node> = BTreeMap::new();
        for (code, province) in &sketch.provinces {
            let node = shape.add(code, Kind::Province(province.ground));
            shape.graph.add_node(node);
            nodes.insert(code, node);
        }
        let is_land = |code: &str| sketch.ground(code) == Some(Ground::Land);
        let by_fleets = sketch.fleet.iter().map(|[from, to]| [&from.0, &to.0]);
        // A border of two lands is open to armies.
        let by_fleets = by_fleets.filter(|[a, b]| !(is_land(a) && is_land(b)));
        let by_armies = sketch.army.iter().chain(&sketch.touching).map(|[a, b]| [a, b]);
        for pair in by_armies.chain(by_fleets) {
            if let [Some(&a), Some(&b)] = pair.map(|code| nodes.get(code.as_str())) {
                Graph::add(edge(a, b), &mut shape.graph);
            }
        }
        for pair in &hints.leave_out {
            if let [Some(&a), Some(&b)] = pair.each_ref().map(|code| nodes.get(code.as_str())) {
                shape.graph.remove(edge(a, b));
                notes.push(Note::LeftOut(pair.clone()));
            }
        }
        for around in &hints.points {
            let around: Vec<Node> =
                around.iter().filter_map(|code| nodes.get(code.as_str()).copied()).collect();
            shape.add_point(&around);
        }
        shape.expect_one_piece(file)?;
        let mut shape = crossings::resolve(shape).map_err(|(shape, edges)| shape.not_planar(file, &edges))?;
        shape.call_points(hints);
        Ok(shape)
    }

    fn call_points(&mut self, hints: &Hints) {
        let points: Vec<Node> = self.nodes().filter(|&node| self.kind(node) == Kind::Point).collect();
        for point in points {
            let around = self.names(self.graph.neighbours(point));
            let fits = |filler: &FillerHint| filler.around.iter().all(|name| around.contains(name));
            if let Some((code, _)) = hints.fillers.iter().find(|(_, filler)| fits(filler)) {
                self.call(point, code);
            }
        }
    }

    fn expect_one_piece(&self, file: &str) -> Result<(), ImportError> {
        let mut components = self.graph.components();
        components.sort_by_key(|component| std::cmp::Reverse(component.len()));
        match &components[..] {
            [] => Err(ImportError::file(file, "no province is listed")),
            [_] => Ok(()),
            [_, apart, ..] => {
                let apart = self.names(apart.iter().copied().take(10));
                let message = format!(
                    "the board falls into {} parts: nothing leads from {} to the rest",
                    components.len(),
                    apart.join(" ")
                );
                Err(ImportError::file(file, message))
            }
        }
    }

    fn not_planar(&self, file: &str, edges: &[Edge]) -> ImportError {
        let doubt = self.names(branches(edges));
        let pairs: Vec<String> = edges.iter().take(12).map(|pair| self.names(*pair).join("-")).collect();
        let more = if edges.len() > pairs.len() { ", …" } else { "" };
        let message = format!(
            "the board is not planar: {} cannot all be adjacent as listed without borders that cross ({}{more}); name \
             with `points` in a hint file where four or more meet, or with `leave_out` what to do without",
            doubt.join(" "),
            pairs.join(", "),
        );
        ImportError::file(file, message)
    }
}
