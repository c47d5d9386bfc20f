//! The logged measures of a map: computed on first use, and cached with the map.

use crate::ids::{ByPower, CoastId, Location, MAX_PROVINCES, Power, Powers, ProvinceId, ProvinceSet};
use crate::topology::board::Board;
use crate::topology::graph::{Bits, Graph, GraphMetrics};

/// The measures of a map and of the movement on it. `src/harness/record/schema.rs` describes each in words.
///
/// ```
/// use upheaval_map::ids::ByPower;
/// use upheaval_map::topology::{Surveys, atlas, derive};
/// let chart = atlas::standard();
/// let homes = ByPower::from_fn(chart.powers(), |power| chart.homes(power));
/// let surveys = Surveys::default();
/// let survey = surveys.get(&chart, &derive(chart.map()), &homes);
/// assert!(survey.metrics().army_mean_degree().is_some_and(|degree| degree > 3.0));
/// assert!(survey.distances().get(0).is_some_and(|steps| steps > 1.0));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Metrics {
    /// Land provinces that a unit can be in.
    pub land: u16,
    /// Seas that a unit can be in.
    pub sea: u16,
    /// Impassable faces inside the board.
    pub impassable: u16,
    /// Faces beyond the edge of the board.
    pub outside: u16,
    /// Collapsed faces.
    pub holes: u16,
    /// Void faces.
    pub voids: u16,
    /// Borders of the underlying map, those of holes included.
    pub borders: u16,
    /// Corners of the underlying map.
    pub corners: u16,
    /// Connected components of the network of borders.
    pub components: u16,
    /// Groups of provinces between which no unit can move, by land or water.
    pub islands: u16,
    /// The graph of army moves: land provinces.
    pub army: GraphMetrics,
    /// The graph of fleet moves: seas and single coasts.
    pub fleet: GraphMetrics,
    /// Coasts of land provinces: places for a fleet that are not seas.
    pub coasts: u16,
    /// Land provinces with more than one coast.
    pub multi_coast: u16,
}

impl Metrics {
    /// How many provinces an army can move to, on average over the land; `None` without land.
    pub fn army_mean_degree(&self) -> Option<f32> {
        mean(2 * u32::from(self.army.edges), u32::from(self.land))
    }

    /// How many places a fleet can move to, on average over seas and coasts; `None` if there are none.
    pub fn fleet_mean_degree(&self) -> Option<f32> {
        mean(2 * u32::from(self.fleet.edges), u32::from(self.sea) + u32::from(self.coasts))
    }
}

pub(super) fn mean(sum: u32, count: u32) -> Option<f32> {
    (count > 0).then(|| (f64::from(sum) / f64::from(count)) as f32)
}

/// The distances between the home centres of each pair of powers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HomeDistances(Box<[Option<f32>]>);

impl HomeDistances {
    /// Each pair of powers once, in the order of the distances.
    pub fn pairs(powers: Powers) -> impl Iterator<Item = [Power; 2]> {
        powers.iter().flat_map(move |a| powers.iter().skip(a.index() + 1).map(move |b| [a, b]))
    }

    /// The distances in the order of [`HomeDistances::pairs`].
    pub fn from_list(list: Vec<Option<f32>>) -> HomeDistances {
        HomeDistances(list.into())
    }

    /// The distances in the order of [`HomeDistances::pairs`].
    pub fn values(&self) -> &[Option<f32>] {
        &self.0
    }

    /// The distance of the pair with this number in [`HomeDistances::pairs`]: the mean over all connected
    /// pairs of a home centre of the one power and one of the other; `None` if no pair is connected.
    #[inline]
    pub fn get(&self, pair: usize) -> Option<f32> {
        self.0.get(pair).copied().flatten()
    }

    /// Distances in a graph of provinces: a search from every home, until it has reached those of all later
    /// powers.
    pub(super) fn new<const WORDS: usize>(
        graph: &Graph<WORDS>,
        homes: &ByPower<ProvinceSet>,
    ) -> HomeDistances {
        let mut whose = [0; MAX_PROVINCES];
        for (power, of_power) in homes.iter() {
            of_power.iter().for_each(|home| whose[home.index()] = power.index() as u8);
        }
        let homes = ByPower::from_fn(homes.powers(), |power| Bits::<WORDS>::of_provinces(&homes[power]));
        // Sums of steps and numbers of connected pairs, from the homes of the first power to those of the
        // second.
        let n = homes.values().len();
        let mut sums = vec![(0u32, 0u32); n * n];
        let mut later = homes.values().iter().fold(Bits::EMPTY, |all, &of_power| all | of_power);
        for (of_first, sums) in homes.values().iter().zip(sums.chunks_mut(n)) {
            later -= *of_first;
            of_first.for_each(|home| {
                let mut wanted = later;
                let mut fronts = (0..).zip(graph.fronts(home));
                while !wanted.is_empty()
                    && let Some((step, front)) = fronts.next()
                {
                    (front & wanted).for_each(|met| {
                        let (steps, ways) = &mut sums[usize::from(whose[met])];
                        *steps += step;
                        *ways += 1;
                    });
                    wanted -= front;
                }
            });
        }
        let distance = |[a, b]: [Power; 2]| {
            let (steps, ways) = sums[a.index() * n + b.index()];
            mean(steps, ways)
        };
        HomeDistances(Self::pairs(homes.powers()).map(distance).collect())
    }
}

// The distances of every node of a graph from some source nodes, kept up to date while the graph changes.
//
// The distance of a node from a source is one more than that of its neighbour nearest to the source; a
// source has distance 0 from itself. Only the true distances satisfy this. After a change, wrong distances
// are therefore corrected in two passes, each of which starts at the nodes whose neighbours changed and
// spreads from every node that it corrects:
//
// ```text
//   steps from S       A─B goes, A─D comes      1. raise: a node without a       2. lower: no node has more than
//                                                  neighbour nearer to S has one    one step more than a neighbour
//   S─A─B─C─D           S─A  B─C─D                 more than the nearest
//   0 1 2 3 4             ╰──────╯                 0 1  4 3 4  →  0 1  6 5 4        0 1  4 3 2
// ```
//
// After the first pass no distance is too small, because each node has a neighbour with a smaller one, which
// has another, and so on to the source. After the second pass no distance is too large, because none exceeds
// a neighbour's by more than one. In a component without the source the first pass would count up forever:
// there the distances are set to [`NO_WAY`] beforehand.
//
// The distances of one node from 32 sources form one row of bytes: the processor computes the minimum of two
// rows in one instruction.

/// The distance from a source that cannot be reached.
pub(super) const NO_WAY: u8 = u8::MAX;

/// The number of sources that share a row.
pub(super) const LANES: usize = 32;

/// The distances of a node from each source.
pub(super) type Steps = [u8; LANES];

/// The distances of every node from up to 32 sources.
#[derive(Clone)]
pub(super) struct Ways<const WORDS: usize> {
    /// The nodes that are sources, and the source of each lane.
    nodes: Bits<WORDS>,
    sources: [Option<u8>; LANES],
    steps: [[Steps; 64]; WORDS],
}

impl<const WORDS: usize> Ways<WORDS> {
    /// For a graph without nodes, with no source.
    pub(super) const NONE: Self =
        Ways { nodes: Bits::EMPTY, sources: [None; LANES], steps: [[[NO_WAY; LANES]; 64]; WORDS] };

    /// The distances of a node from each source; [`NO_WAY`] for unused lanes.
    #[inline]
    pub(super) fn steps(&self, node: usize) -> &Steps {
        &self.steps[node / 64 % WORDS][node % 64]
    }

    #[inline]
    fn steps_mut(&mut self, node: usize) -> &mut Steps {
        &mut self.steps[node / 64 % WORDS][node % 64]
    }

    /// The sources, by lane.
    pub(super) fn sources(&self) -> &[Option<u8>; LANES] {
        &self.sources
    }

    /// Updates the distances for a changed graph. `wanted` are its sources; those that are given a lane are
    /// removed from it. `changed` are the nodes whose neighbours have changed since the last update, and
    /// `pieces` are the components of the graph. Returns the nodes whose distances may have changed.
    pub(super) fn follow(
        &mut self,
        graph: &Graph<WORDS>,
        changed: Bits<WORDS>,
        pieces: &[Bits<WORDS>],
        wanted: &mut Bits<WORDS>,
    ) -> Bits<WORDS> {
        let begun = self.change_sources(wanted);
        let parted = if pieces.len() > 1 { self.part(pieces) } else { Bits::EMPTY };
        let raised = self.raise(graph, changed);
        let lowered = self.lower(graph, changed | begun);
        begun | parted | raised | lowered
    }

    /// The first pass: raises the distances of nodes that have no neighbour nearer to a source, until there
    /// are none. Nodes that gained no neighbours cannot have too large a distance afterwards. Returns the
    /// nodes that were raised.
    fn raise(&mut self, graph: &Graph<WORDS>, changed: Bits<WORDS>) -> Bits<WORDS> {
        let (mut todo, mut raised) = (changed, Bits::EMPTY);
        while !todo.is_empty() {
            let higher = todo.filter(|node| {
                let mut nearest = [NO_WAY; LANES];
                graph.row(node).for_each(|other| nearest = least(&nearest, self.steps(other)));
                let was = *self.steps(node);
                let now: Steps = std::array::from_fn(|lane| match was[lane] {
                    0 => 0, // A source has distance 0 from itself, and no other node has.
                    was => was.max(nearest[lane].saturating_add(1)),
                });
                *self.steps_mut(node) = now;
                differ(&was, &now)
            });
            raised |= higher;
            todo = graph.around(higher);
        }
        raised
    }

    /// The second pass: lowers the distances of nodes with a neighbour that is nearer to a source by more
    /// than one, beginning around these nodes. Returns the nodes that were lowered.
    fn lower(&mut self, graph: &Graph<WORDS>, begin: Bits<WORDS>) -> Bits<WORDS> {
        let (mut todo, mut lowered) = (begin, Bits::EMPTY);
        while !todo.is_empty() {
            let mut next = Bits::EMPTY;
            todo.for_each(|node| {
                let by_it = self.steps(node).map(|steps| steps.saturating_add(1));
                next |= graph.row(node).filter(|other| {
                    let was = *self.steps(other);
                    let now = least(&was, &by_it);
                    *self.steps_mut(other) = now;
                    differ(&was, &now)
                });
            });
            lowered |= next;
            todo = next;
        }
        lowered
    }

    /// Assigns lanes to wanted sources that have none, as long as lanes are available; lanes of unwanted
    /// sources are available. Returns the new sources.
    fn change_sources(&mut self, wanted: &mut Bits<WORDS>) -> Bits<WORDS> {
        if (self.nodes - *wanted).is_empty() && (*wanted - self.nodes).is_empty() {
            *wanted = Bits::EMPTY;
            return Bits::EMPTY;
        }
        let mut cleared = [0; LANES];
        for (source, cleared) in self.sources.iter_mut().zip(&mut cleared) {
            match *source {
                Some(node) if wanted.contains(usize::from(node)) => {
                    *wanted -= Bits::single(usize::from(node))
                }
                Some(_) => (*source, *cleared) = (None, NO_WAY),
                None => {}
            }
        }
        if cleared != [0; LANES] {
            for steps in self.steps.as_flattened_mut() {
                steps.iter_mut().zip(cleared).for_each(|(steps, cleared)| *steps |= cleared);
            }
        }
        self.nodes = self.sources.iter().flatten().map(|&node| usize::from(node)).collect();
        let mut begun = Bits::EMPTY;
        for lane in 0..LANES {
            if self.sources[lane].is_none()
                && let Some(node) = wanted.first()
            {
                *wanted -= Bits::single(node);
                self.sources[lane] = Some(node as u8);
                self.nodes |= Bits::single(node);
                self.steps_mut(node)[lane] = 0;
                begun |= Bits::single(node);
            }
        }
        begun
    }

    /// Marks other components as unreachable. Finding that out step by step would take as many steps as can
    /// be counted. Returns the nodes whose distances have changed.
    fn part(&mut self, pieces: &[Bits<WORDS>]) -> Bits<WORDS> {
        let mut parted = Bits::EMPTY;
        for piece in pieces {
            let apart = self.sources.map(|source| match source {
                Some(node) if piece.contains(usize::from(node)) => 0,
                _ => NO_WAY,
            });
            parted |= piece.filter(|node| {
                let was = *self.steps(node);
                let now = std::array::from_fn(|lane| was[lane] | apart[lane]);
                *self.steps_mut(node) = now;
                differ(&was, &now)
            });
        }
        parted
    }
}

/// The elementwise minimum of the distances.
#[inline]
fn least(a: &Steps, b: &Steps) -> Steps {
    std::array::from_fn(|lane| a[lane].min(b[lane]))
}

/// Do any distances differ?
#[inline]
fn differ(a: &Steps, b: &Steps) -> bool {
    (0..LANES).fold(0, |any, lane| any | (a[lane] ^ b[lane])) != 0
}

// The moves of units as graphs. They are read from the tables of a board and updated from those of the next
// board, which shows which rows have changed.
//
// The node of a province has the province's index. The same node is its first coast for fleets, which is
// usually the only one; further coasts are numbered after the provinces.

/// The coasts of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shores {
    /// The number of coasts of the land provinces.
    pub coasts: usize,
    /// Provinces with more than one coast.
    pub several: Bits<{ MAX_PROVINCES / 64 }>,
    /// Provinces with a place for a fleet: seas, and land that has a coast.
    afloat: Bits<{ MAX_PROVINCES / 64 }>,
    /// The highest node number in the graph of fleets, plus one.
    pub end: usize,
}

impl Shores {
    /// The coasts of a board.
    pub(super) fn of(board: &Board) -> Shores {
        let (mut places, mut several, mut afloat) = (0, [0; MAX_PROVINCES / 64], [0; MAX_PROVINCES / 64]);
        for ((rows, several), afloat) in board.rows.chunks(64).zip(&mut several).zip(&mut afloat) {
            for (bit, row) in rows.iter().enumerate() {
                places += usize::from(row.coasts);
                *several |= u64::from(row.coasts > 1) << bit;
                *afloat |= u64::from(row.coasts > 0) << bit;
            }
        }
        let [several, afloat] = [several, afloat].map(Bits::of_words);
        let end = board.rows.len() + places - afloat.len();
        Shores { coasts: places - board.sea.len(), several, afloat, end }
    }
}

/// The differences between the graphs of a board and those of the board before.
pub(super) struct Differences<const WORDS: usize> {
    /// Has any row of [`Movement::army`] changed, or its nodes?
    pub army: bool,
    /// Has any row of [`Movement::fleet`] changed, or its nodes?
    pub fleet: bool,
    /// The changed rows of [`Movement::any`].
    pub any: Bits<WORDS>,
}

/// The graphs of a board, with provinces in sets of `WORDS` words and places for fleets in sets of `PLACES`
/// words.
#[derive(Clone)]
pub(super) struct Movement<const WORDS: usize, const PLACES: usize> {
    /// The graph of army moves: land provinces.
    pub army: Graph<WORDS>,
    /// The graph of fleet moves: seas and single coasts.
    pub fleet: Graph<PLACES>,
    /// The graph of moves of units of either kind between provinces.
    pub any: Graph<WORDS>,
    /// The fleet moves of which at least one end is a coast of a province with several.
    by_coast: Graph<PLACES>,
    /// The number of nodes, including unused ones.
    end: usize,
}

impl<const WORDS: usize, const PLACES: usize> Movement<WORDS, PLACES> {
    /// The graphs without nodes.
    pub(super) const EMPTY: Self = Movement {
        army: Graph::EMPTY,
        fleet: Graph::EMPTY,
        any: Graph::EMPTY,
        by_coast: Graph::EMPTY,
        end: 0,
    };

    /// Reads the graphs of a board, which must fit and must not have fewer provinces than the board before.
    /// Returns the differences.
    pub(super) fn read(&mut self, board: &Board, shores: &Shores) -> Differences<WORDS> {
        let Movement { army, fleet, any, by_coast, end } = self;
        link_coasts(by_coast, board, shores);
        let mut army_differs = army.set_rows(&board.rows, |_, row| Bits::of_provinces(&row.army));
        let any_differs = any
            .set_rows(&board.rows, |_, row| Bits::of_provinces(&row.army) | Bits::of_provinces(&row.fleet));
        let several = shores.several.widened();
        let mut fleet_differs = fleet.set_rows(&board.rows, |province, row| {
            let direct = if row.coasts > 1 { Bits::EMPTY } else { Bits::of_provinces(&row.fleet) - several };
            direct | by_coast.row(province)
        });
        for further in board.rows.len()..shores.end.max(*end) {
            let old = std::mem::replace(fleet.row_mut(further), by_coast.row(further));
            fleet_differs |= old.differences(by_coast.row(further));
        }
        *end = shores.end;
        any.nodes = Bits::of_provinces(&board.passable());
        let land = Bits::of_provinces(&board.land);
        army_differs |= std::mem::replace(&mut army.nodes, land).differences(land);
        let places = shores.afloat.widened() | (Bits::below(shores.end) - Bits::below(board.rows.len()));
        fleet_differs |= std::mem::replace(&mut fleet.nodes, places).differences(places);
        Differences { army: !army_differs.is_empty(), fleet: !fleet_differs.is_empty(), any: any_differs }
    }
}

/// Finds the fleet moves of which at least one end is a coast of a province with several.
fn link_coasts<const PLACES: usize>(links: &mut Graph<PLACES>, board: &Board, shores: &Shores) {
    links.nodes.for_each(|node| *links.row_mut(node) = Bits::EMPTY);
    links.nodes = Bits::EMPTY;
    // The node of the second coast of each province.
    let (mut seconds, mut next) = ([0u16; MAX_PROVINCES], board.rows.len() as u16);
    shores.several.for_each(|province| {
        seconds[province] = next;
        next += u16::from(board.rows[province].coasts) - 1;
    });
    let node = |Location { province, coast }| match coast {
        CoastId::FIRST => province.index(),
        CoastId(further) => usize::from(seconds[province.index()]) + usize::from(further) - 1,
    };
    shores.several.for_each(|province| {
        for coast in board.stations_of(ProvinceId(province as u8)) {
            let from = node(coast);
            for to in board.fleet_moves(coast) {
                let to = node(to);
                *links.row_mut(from) |= Bits::single(to);
                *links.row_mut(to) |= Bits::single(from);
                links.nodes |= Bits::single(from) | Bits::single(to);
            }
        }
    });
}
