//! Measures of a graph: pieces, diameter, cut vertices.
//!
//! Each node has a row of bits that marks its neighbours, and any other set of nodes is such a row too. A
//! breadth-first search advances a front: the union of the rows of its nodes, less the nodes reached before,
//! is the next front. A search therefore visits every node once and never looks at single edges.
//!
//! ```text
//!      B───D            A B C D E F
//!     ╱     ╲        A  · B C · · ·       the front of step 1      · B C · · ·
//!    A       F       B  A · · D · ·       row B | row C            A · · D E ·
//!     ╲     ╱        C  A · · · E ·       not yet reached          · · · D E F
//!      C───E         D  · B · · · F       & of both: of step 2     · · · D E ·
//!                    E  · · C · · F
//!                    F  · · · D E ·
//! ```
//!
//! All measures of a component begin with one such search from a node near its centre: [`Graph::measure`]
//! takes the centres of a similar graph as hints. The hints affect only the running time.

use crate::ids::{ProvinceSet, set_operator};

// Small sets of numbers as rows of bits; union, intersection and count work on whole words.
//
// `ProvinceSet` is a separate type. It always has room for 256 provinces, whereas a row here has only as
// many words as its graph needs: two for most maps, up to twelve for the places of fleets.

/// A set of numbers less than 64 times the number of its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    pub(super) const EMPTY: Self = Bits([0; WORDS]);

    /// The set of one number.
    #[inline]
    pub(super) fn single(n: usize) -> Self {
        Bits(std::array::from_fn(|word| u64::from(word == n / 64) << (n % 64)))
    }

    /// The numbers that are in exactly one of the two sets.
    #[inline]
    pub(super) fn differences(self, other: Self) -> Self {
        (self - other) | (other - self)
    }

    /// The set with these words.
    #[inline]
    pub(super) const fn of_words(words: [u64; WORDS]) -> Self {
        Bits(words)
    }

    /// The same numbers in another number of words; all of them must fit.
    #[inline]
    pub(super) fn widened<const WIDE: usize>(&self) -> Bits<WIDE> {
        Bits(std::array::from_fn(|word| self.0.get(word).copied().unwrap_or(0)))
    }

    /// All numbers below this one.
    #[inline]
    pub(super) fn below(n: usize) -> Self {
        Bits(std::array::from_fn(|word| match n.saturating_sub(64 * word) {
            bits @ 0..64 => (1 << bits) - 1,
            _ => u64::MAX,
        }))
    }

    /// The provinces of a set by their indices, all of which must fit.
    #[inline]
    pub(super) fn of_provinces(set: &ProvinceSet) -> Self {
        Bits(set.words()).widened()
    }

    #[inline]
    pub(super) fn contains(&self, n: usize) -> bool {
        self.0[n / 64 % WORDS] >> (n % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub(super) fn intersects(&self, other: Self) -> bool {
        !(*self & other).is_empty()
    }

    /// The lowest number.
    #[inline]
    pub(super) fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    /// Calls the function for every number, from the lowest.
    #[inline]
    pub(super) fn for_each(self, mut f: impl FnMut(usize)) {
        for (word, mut bits) in self.0.into_iter().enumerate() {
            while bits != 0 {
                f(64 * word + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

impl<const WORDS: usize> Bits<WORDS> {
    /// The numbers for which the condition holds; it is evaluated from the lowest number on.
    #[inline]
    pub(super) fn filter(self, mut holds: impl FnMut(usize) -> bool) -> Self {
        let mut kept = self;
        for (word, kept) in kept.0.iter_mut().enumerate() {
            let mut bits = *kept;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                *kept &= !(u64::from(!holds(64 * word + bit as usize)) << bit);
                bits &= bits - 1;
            }
        }
        kept
    }
}

impl<const WORDS: usize> FromIterator<usize> for Bits<WORDS> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut all = Self::EMPTY;
        numbers.into_iter().for_each(|n| all.0[n / 64] |= 1 << (n % 64));
        all
    }
}

set_operator!([const WORDS: usize] Bits<WORDS>: BitOr bitor BitOrAssign bitor_assign |a, b| *a |= b);
set_operator!([const WORDS: usize] Bits<WORDS>: BitAnd bitand BitAndAssign bitand_assign |a, b| *a &= b);
set_operator!([const WORDS: usize] Bits<WORDS>: Sub sub SubAssign sub_assign |a, b| *a &= !b);

/// The number of searches for the diameter round one centre before a better centre is chosen.
const PATIENCE: usize = 5;

/// The measures of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphMetrics {
    /// The number of edges.
    pub edges: u16,
    /// The connected components.
    pub components: u16,
    /// The largest distance between two nodes of one component.
    pub diameter: u16,
    /// Nodes whose removal would disconnect their component.
    pub cut_vertices: u16,
}

/// An undirected graph, in rows of `WORDS` words.
#[derive(Clone)]
pub(super) struct Graph<const WORDS: usize> {
    pub(crate) nodes: Bits<WORDS>,
    /// The neighbours of every node, 64 nodes in each part; empty for indices that are not nodes.
    rows: [[Bits<WORDS>; 64]; WORDS],
}

impl<const WORDS: usize> Graph<WORDS> {
    /// The graph without nodes.
    pub(super) const EMPTY: Self = Graph { nodes: Bits::EMPTY, rows: [[Bits::EMPTY; 64]; WORDS] };

    /// The neighbours of a node.
    #[inline]
    pub(super) fn row(&self, node: usize) -> Bits<WORDS> {
        self.rows.as_flattened()[node % (64 * WORDS)] // the index is always within the rows, so no check is needed
    }

    /// Sets the neighbours of the nodes from 0 on. Returns the nodes whose neighbours changed.
    #[inline]
    pub(super) fn set_rows<T>(&mut self, from: &[T], row: impl Fn(usize, &T) -> Bits<WORDS>) -> Bits<WORDS> {
        let mut differ = [0; WORDS];
        for (word, (from, rows)) in from.chunks(64).zip(&mut self.rows).enumerate() {
            // Every row is written, changed or not, to avoid an unpredictable branch.
            for (bit, (from, old)) in from.iter().zip(rows).enumerate() {
                let new = row(64 * word + bit, from);
                differ[word] |= u64::from(*old != new) << bit;
                *old = new;
            }
        }
        Bits::of_words(differ)
    }

    /// The neighbours of a node, mutable.
    #[inline]
    pub(super) fn row_mut(&mut self, node: usize) -> &mut Bits<WORDS> {
        &mut self.rows.as_flattened_mut()[node % (64 * WORDS)]
    }

    /// The union of the neighbours of these nodes.
    #[inline]
    pub(super) fn around(&self, nodes: Bits<WORDS>) -> Bits<WORDS> {
        let mut around = Bits::EMPTY;
        nodes.for_each(|node| around |= self.row(node));
        around
    }

    /// Computes all measures. `middles` are hints for the centres; on return they are those of this graph,
    /// one for each component.
    pub(super) fn measure(&self, middles: &mut Bits<WORDS>) -> GraphMetrics {
        let (mut ends, mut components, mut diameter, mut cuts) = (0, 0, 0, 0);
        let mut left = self.nodes;
        let begin_with = std::mem::replace(middles, Bits::EMPTY);
        let mut levels = Vec::with_capacity(32);
        while let Some(start) = (left & begin_with).first().or_else(|| left.first()) {
            components += 1;
            let found = self.search(start, &mut left, &mut levels);
            (ends, cuts) = (ends + found.ends, cuts + found.cuts);
            *middles |= Bits::single(self.raise_to_diameter(&mut diameter, start, &mut levels));
        }
        let [edges, components, diameter, cut_vertices] = [ends / 2, components, diameter, cuts].map(narrow);
        GraphMetrics { edges, components, diameter, cut_vertices }
    }

    /// The nodes of each component.
    pub(super) fn pieces(&self) -> Vec<Bits<WORDS>> {
        let (mut left, mut pieces) = (self.nodes, Vec::with_capacity(4));
        while let Some(start) = left.first() {
            let mut piece = Bits::EMPTY;
            for front in self.fronts(start) {
                piece |= front;
                if piece == left {
                    break;
                }
            }
            left -= piece;
            pieces.push(piece);
        }
        pieces
    }

    /// The nodes at each distance from the given one, which is itself the first front.
    #[inline]
    pub(super) fn fronts(&self, start: usize) -> Fronts<'_, WORDS> {
        Fronts { graph: self, start: Bits::single(start), front: Bits::EMPTY, left: self.nodes }
    }

    /// Raises `found`, the largest diameter of the components so far, to the diameter of this component if
    /// that is greater. Returns a node near its centre, as a hint for a similar graph.
    ///
    /// Searching from every node would give the diameter, but few searches are enough. Nodes within `n` steps
    /// of a centre are at most `2n` apart. So the `levels` round a centre are examined from the outermost
    /// inwards, until no two of the remaining nodes can be further apart than a pair already found. If that
    /// takes long, the start was not central, and the midpoint of the longest path found so far is tried
    /// next.
    fn raise_to_diameter(&self, found: &mut usize, start: usize, levels: &mut Vec<Bits<WORDS>>) -> usize {
        let furthest = |node| self.fronts(node).enumerate().last().unwrap_or((0, Bits::single(node)));
        let (mut middle, mut longest, mut searches) = (start, (0, start, start), 0);
        *found = (*found).max(levels.len().saturating_sub(1));
        while let Some(level) = levels.pop() {
            if *found >= 2 * levels.len() {
                break;
            }
            let mut level = level;
            while let Some(node) = level.first() {
                level -= Bits::single(node);
                // Two nodes on this level could be one step further apart, but there may be no second node.
                if level.is_empty() && *found + 1 >= 2 * levels.len() {
                    break;
                }
                let (steps, others) = furthest(node);
                if steps > longest.0 {
                    longest = (steps, node, others.first().unwrap_or(node));
                }
                *found = (*found).max(steps);
                searches += 1;
                if searches == PATIENCE {
                    let (steps, end, other) = longest;
                    let at = |node, steps| self.fronts(node).nth(steps).unwrap_or(Bits::EMPTY);
                    middle = (at(end, steps / 2) & at(other, steps.div_ceil(2))).first().unwrap_or(start);
                    levels.clear();
                    levels.extend(self.fronts(middle));
                    break;
                }
            }
        }
        middle
    }

    /// Searches from the start, moves the nodes of its component from `left` to `levels`, by distance from
    /// the start. Returns the number of cut vertices.
    ///
    /// If a node is removed, all nodes at most as far from the start remain connected to the start, and so do
    /// those one step further that have another neighbour on the node's level. Only the node's own
    /// successors, which are reached through it alone, are in question: the node is a cut vertex if some of
    /// them cannot reach any of the other nodes, through each other and the nodes behind them.
    ///
    /// ```text
    ///   level 0   1     2   3
    ///                               B's own are C and D, because E is also reached through F. D reaches E, so F
    ///             B────C            and the start without B. C reaches no other node: B is a cut vertex.
    ///      start  │   D──╮          The start's own are B and F. If they were all its neighbours and reached each
    ///           ╲ │      │          other only through the start, it would be a cut vertex.
    ///           ╲ │      │          other only through the start, it would hold the piece together.
    ///             F────E─╯
    /// ```
    fn search(&self, start: usize, left: &mut Bits<WORDS>, levels: &mut Vec<Bits<WORDS>>) -> Found {
        levels.clear();
        let mut found = Found { ends: 0, cuts: 0 };
        // The last level, and all levels before it.
        let (mut level, mut before) = (Bits::single(start), Bits::EMPTY);
        *left -= level;
        loop {
            levels.push(level);
            let (mut once, mut twice) = (Bits::EMPTY, Bits::EMPTY);
            level.for_each(|node| {
                let row = self.row(node);
                found.ends += row.len();
                twice |= once & row;
                once |= row;
            });
            let next = once & *left;
            if next.is_empty() {
                return found;
            }
            *left -= next;
            // Most nodes with a single predecessor have a neighbour on their level with several.
            let by_many = next & twice;
            let by_one = next - by_many - self.around(by_many);
            if !by_one.is_empty() {
                let safe = before | level | next;
                level.for_each(|node| {
                    let own = self.row(node) & by_one;
                    if !own.is_empty() {
                        found.cuts += usize::from(self.is_cut(node, own, safe - own));
                    }
                });
            }
            before |= level;
            level = next;
        }
    }

    /// Are there successors of the node's own that cannot reach any of `safe` without it? If `safe` is empty,
    /// any disconnected pair counts.
    #[inline]
    fn is_cut(&self, node: usize, mut own: Bits<WORDS>, safe: Bits<WORDS>) -> bool {
        let without = Bits::single(node);
        let mut safe = safe - without;
        if safe.is_empty() {
            // For the start, its first neighbour serves as the safe node.
            safe = own.first().map_or(Bits::EMPTY, Bits::single);
            own -= safe;
        }
        while let Some(first) = own.first() {
            let (mut reached, mut front) = (Bits::single(first), Bits::single(first));
            loop {
                let mut around = Bits::EMPTY;
                front.for_each(|node| around |= self.row(node));
                around -= without;
                if around.intersects(safe) {
                    break;
                }
                front = around - reached;
                reached |= front;
                if front.is_empty() {
                    return true;
                }
            }
            safe |= reached;
            own -= reached;
        }
        false
    }
}

/// The results of a search.
struct Found {
    /// Ends of edges.
    ends: usize,
    /// Cut vertices.
    cuts: usize,
}

/// A breadth-first search, front by front.
pub(super) struct Fronts<'a, const WORDS: usize> {
    graph: &'a Graph<WORDS>,
    start: Bits<WORDS>,
    /// The last front; initially empty.
    front: Bits<WORDS>,
    /// The nodes not yet reached.
    left: Bits<WORDS>,
}

impl<const WORDS: usize> Iterator for Fronts<'_, WORDS> {
    type Item = Bits<WORDS>;

    #[inline]
    fn next(&mut self) -> Option<Bits<WORDS>> {
        let mut reached = self.start;
        self.front.for_each(|node| reached |= self.graph.row(node));
        self.front = reached & self.left;
        self.left -= self.front;
        (!self.front.is_empty()).then_some(self.front)
    }
}

/// A count in the width used by tables; no map comes near the limit.
pub(super) fn narrow(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
