//! Chooses among the embeddings of a board. Where two provinces separate the board, each part can be reflected and
//! the parts can change places, and a face between four provinces can be filled in two ways. The search chooses the
//! embedding that follows the hints and fits the listed moves best; if two fit equally well, the provinces are reported
//! as doubtful.

use std::collections::{BTreeMap, BTreeSet};

use crate::coasts::{Coasts, waterways};
use crate::fill::{FaceKey, FillGround, Filled, Filling, fill};
use crate::hints::Hints;
use crate::note::ImportNote;
use crate::planar::rotation::{Dart, Rotation, SeparatedPart, SeparatingPair, arranged, separating_pairs};
use crate::planar::{Effort, Node};
use crate::shape::{BoardShape, Fleets, NodeKind};
use crate::sketch::{Sketch, SketchGround, differences};
use upheaval_map::topology::atlas::AtlasError;
use upheaval_map::topology::{FaceEntry, FaceKind, MapFile, atlas};

/// The largest number of maps that are written in full to be compared move by move.
const MOST_MAPS: usize = 40;

/// How far an embedding is from what is wanted; the first number outweighs the second, and so on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Distance {
    /// Neighbours out of the order that the hints give, and provinces that should be at the Outside and are not.
    unfollowed: usize,
    /// Moves that differ.
    lost: usize,
    /// Waterways, three for each, and impassable faces.
    additions: usize,
    /// Second borders of two provinces.
    borders: usize,
}

/// An order of neighbours that a hint gives.
struct Around {
    province: Node,
    wanted: Vec<Node>,
}

/// The best embedding, filled and written as a map file. `later` has the neighbours of each node, each pair once
/// ([`PlanarGraph::later_neighbours`](crate::planar::PlanarGraph::later_neighbours)).
///
/// # Errors
/// The resulting map is not sound, or has more faces than a map can have.
pub(crate) fn fit(
    brief: AssemblyInput<'_>,
    shape: &BoardShape,
    later: &[Vec<Node>],
    rotation: Rotation,
    effort: &Effort,
) -> Result<Assembled, AtlasError> {
    let nodes: BTreeMap<&str, Node> = shape.nodes().map(|node| (shape.code(node), node)).collect();
    let found =
        |codes: &[String]| codes.iter().filter_map(|code| nodes.get(code.as_str()).copied()).collect();
    let hinted = brief.hints.around.iter().filter_map(|(code, wanted)| {
        Some(Around { province: *nodes.get(code.as_str())?, wanted: found(wanted) })
    });
    let outside: Vec<Node> = brief.hints.outside.as_deref().map_or_else(Vec::new, found);
    let ground = FillGround { shape, fleets: brief.fleets, later, hints: brief.hints, outside: &outside };
    let has_coasts = shape.nodes().any(|node| brief.fleets.landings(node).len() > 1);
    let around = hinted.collect();
    let mut search =
        Search { brief, ground, around, effort, maps_left: if has_coasts { MOST_MAPS } else { 0 } };
    let mut drawing = search.drawn(rotation, BTreeMap::new());
    search.improve(&mut drawing);
    let mut best = assemble(brief, drawing.filled.clone())?;
    let in_doubt = search.in_doubt(&drawing);
    let mut notes = search.not_followed(&drawing);
    notes.append(&mut best.notes);
    notes.extend(in_doubt);
    if brief.hints.around.is_empty()
        && let Some(code) = brief
            .sketch
            .provinces
            .keys()
            .find(|code| best.file.faces.get(*code).is_some_and(|face| face.neighbours().len() > 2))
    {
        notes.push(ImportNote::Reflection(code.clone()));
    }
    best.notes = notes;
    Ok(best)
}

/// An embedding with its filling.
#[derive(Clone)]
struct Drawing {
    rotation: Rotation,
    fillings: BTreeMap<FaceKey, Filling>,
    filled: Filled,
    distance: Distance,
    /// The distance with the moves counted on the map itself, where that has been done.
    exact: Option<Distance>,
}

/// A change of an embedding, with the nodes that are reflected or change their places.
struct Change {
    nodes: BTreeSet<Node>,
    rotation: Rotation,
}

struct Search<'a> {
    brief: AssemblyInput<'a>,
    ground: FillGround<'a>,
    around: Vec<Around>,
    effort: &'a Effort,
    maps_left: usize,
}

impl Search<'_> {
    fn drawn(&self, rotation: Rotation, fillings: BTreeMap<FaceKey, Filling>) -> Drawing {
        let filled = fill(self.ground, &rotation, &fillings, self.effort);
        let coasts = Coasts::of(self.ground.fleets, &filled.shape, &filled.rotation);
        let joins = coasts.joins(self.ground.hints, &filled.shape);
        let distance = Distance {
            unfollowed: filled.not_outside + self.out_of_order(&filled).iter().sum::<usize>(),
            lost: filled.lost,
            additions: 3 * joins.len() + filled.fillers.len(),
            borders: filled.borders,
        };
        Drawing { rotation, fillings, filled, distance, exact: None }
    }

    /// Counts the moves on the map, if some of its lands have several coasts; otherwise what fleets can do is known.
    fn measure(&mut self, drawing: &mut Drawing) -> Distance {
        if let Some(exact) = drawing.exact {
            return exact;
        }
        if self.maps_left == 0 {
            return drawing.distance;
        }
        self.maps_left -= 1;
        self.effort.spend(drawing.rotation.darts().len());
        let mut exact = drawing.distance;
        exact.lost =
            assemble(self.brief, drawing.filled.clone()).map_or(usize::MAX, |map| map.differences.len());
        drawing.exact = Some(exact);
        exact
    }

    /// For each hint on an order, the number of neighbours that are not where it says.
    fn out_of_order(&self, filled: &Filled) -> Vec<usize> {
        if self.around.is_empty() {
            return Vec::new();
        }
        let cycles = filled.rotation.cycles();
        let count = |hint: &Around| {
            let of_province = cycles.get(&hint.province).into_iter().flatten();
            let counts = of_province.map(|cycle| {
                let across: Vec<Node> = cycle.iter().map(|&dart| filled.rotation.target(dart)).collect();
                out_of_order(&across, &hint.wanted)
            });
            counts.min().unwrap_or(hint.wanted.len())
        };
        self.around.iter().map(count).collect()
    }

    fn improve(&mut self, drawing: &mut Drawing) {
        loop {
            let before = drawing.distance;
            self.improve_blocks(drawing);
            self.improve_parts(drawing);
            self.improve_fillings(drawing);
            let is_stuck =
                drawing.distance >= before && (before.unfollowed == 0 || !self.follow_by_two(drawing));
            if is_stuck || self.effort.is_used_up() {
                break;
            }
        }
    }

    /// Looks for a change after which others lead to a drawing that follows the hints better.
    fn follow_by_two(&mut self, drawing: &mut Drawing) -> bool {
        let pairs = separating_pairs(&drawing.rotation, self.effort);
        let mut rotations = self.reflected_blocks(drawing);
        rotations
            .extend(pairs.iter().flat_map(|pair| self.changes(drawing, pair)).map(|change| change.rotation));
        for rotation in rotations {
            if self.effort.is_used_up() {
                break;
            }
            let mut other = self.drawn(rotation, drawing.fillings.clone());
            self.improve_blocks(&mut other);
            self.improve_parts(&mut other);
            if other.distance.unfollowed < drawing.distance.unfollowed {
                *drawing = other;
                return true;
            }
        }
        false
    }

    fn reflected_blocks(&self, drawing: &Drawing) -> Vec<Rotation> {
        if self.around.is_empty() {
            return Vec::new();
        }
        drawing.rotation.blocks().iter().map(|block| drawing.rotation.reflected(block)).collect()
    }

    /// Takes a change if it is better.
    fn take(
        &mut self,
        drawing: &mut Drawing,
        rotation: Rotation,
        fillings: BTreeMap<FaceKey, Filling>,
    ) -> bool {
        let mut other = self.drawn(rotation, fillings);
        let (a, b) = (other.distance, drawing.distance);
        let is_close = (a.unfollowed, a.lost) <= (b.unfollowed, b.lost);
        let is_better = is_close && self.measure(&mut other) < self.measure(drawing);
        if is_better {
            *drawing = other;
        }
        is_better
    }

    fn is_done(&self, drawing: &Drawing) -> bool {
        let Distance { unfollowed, lost, additions, borders } = drawing.exact.unwrap_or(drawing.distance);
        unfollowed + lost + additions + borders == 0 || self.effort.is_used_up()
    }

    /// Only hints tell a block from its reflection.
    fn improve_blocks(&mut self, drawing: &mut Drawing) {
        if self.around.is_empty() {
            return;
        }
        for block in drawing.rotation.blocks() {
            if drawing.distance.unfollowed == 0 || self.effort.is_used_up() {
                return;
            }
            let rotation = drawing.rotation.reflected(&block);
            self.take(drawing, rotation, drawing.fillings.clone());
        }
    }

    fn improve_parts(&mut self, drawing: &mut Drawing) {
        let mut pairs = separating_pairs(&drawing.rotation, self.effort);
        let mut at = 0;
        while at < pairs.len() && !self.is_done(drawing) {
            let changes = self.changes(drawing, &pairs[at]);
            let fillings = drawing.fillings.clone();
            let is_better =
                changes.into_iter().any(|change| self.take(drawing, change.rotation, fillings.clone()));
            if is_better {
                // The same nodes separate every embedding of a block.
                pairs = separating_pairs(&drawing.rotation, self.effort);
            } else {
                at += 1;
            }
        }
    }

    /// The changes at two nodes: each part is reflected, two that follow one another change places, or all are put into
    /// the order of a hint.
    fn changes(&self, drawing: &Drawing, pair: &SeparatingPair) -> Vec<Change> {
        let rotation = &drawing.rotation;
        let parts = pair.parts(rotation, self.effort);
        let count = parts.len();
        let mut orders: Vec<Vec<(usize, bool)>> = Vec::new();
        let same: Vec<(usize, bool)> = (0..count).map(|i| (i, false)).collect();
        // To reflect the largest part is to reflect all the others, seen from behind; that makes a difference to hints.
        let largest =
            (0..count).max_by_key(|&i| (parts[i].inner.len(), i)).filter(|_| self.around.is_empty());
        for (i, part) in parts.iter().enumerate() {
            if Some(i) != largest && !part.is_edge() {
                let mut order = same.clone();
                order[i].1 = true;
                orders.push(order);
            }
        }
        if count > 2 {
            for i in 0..if count == 3 { 1 } else { count } {
                let mut order = same.clone();
                order.swap(i, (i + 1) % count);
                orders.push(order);
            }
            orders.extend(self.by_hint(rotation, &parts));
        }
        let change = |order: Vec<(usize, bool)>| {
            let moved = order.iter().enumerate().filter(|&(i, part)| *part != (i, false));
            let mut nodes: BTreeSet<Node> = moved
                .filter(|(_, (index, _))| Some(*index) != largest)
                .flat_map(|(_, (index, _))| parts[*index].inner.iter().map(|&dart| rotation.origin(dart)))
                .collect();
            if nodes.is_empty() {
                nodes.extend([0, 1].map(|side| rotation.origin(parts[0].at[side][0])));
            }
            Change { nodes, rotation: arranged(rotation, &parts, &order) }
        };
        orders.into_iter().map(change).filter(|change| change.rotation != *rotation).collect()
    }

    /// The parts in the order in which hints name the first neighbours in them.
    fn by_hint(&self, rotation: &Rotation, parts: &[SeparatedPart]) -> Vec<Vec<(usize, bool)>> {
        let mut orders = Vec::new();
        for side in [0, 1] {
            let node = rotation.origin(parts[0].at[side][0]);
            for hint in self.around.iter().filter(|hint| hint.province == node) {
                let rank = |part: &SeparatedPart| {
                    let across = part.at[side].iter().map(|&dart| rotation.target(dart));
                    across.filter_map(|node| hint.wanted.iter().position(|&wanted| wanted == node)).min()
                };
                let mut named: Vec<(usize, usize)> =
                    parts.iter().enumerate().filter_map(|(i, part)| Some((rank(part)?, i))).collect();
                let places: Vec<usize> = named.iter().map(|&(_, i)| i).collect();
                named.sort_unstable();
                // Round the second node, the parts come in the other order.
                if side == 1 {
                    named.reverse();
                }
                let mut order: Vec<(usize, bool)> = (0..parts.len()).map(|i| (i, false)).collect();
                for (place, (_, part)) in places.into_iter().zip(named) {
                    order[place].0 = part;
                }
                orders.push(order);
            }
        }
        orders
    }

    fn improve_fillings(&mut self, drawing: &mut Drawing) {
        for key in drawing.filled.open.clone() {
            if self.is_done(drawing) {
                break;
            }
            let mut fillings = drawing.fillings.clone();
            let filling = fillings.entry(key).or_insert(Filling::Borders);
            *filling = match filling {
                Filling::Borders => Filling::Filler,
                Filling::Filler => Filling::Borders,
            };
            self.take(drawing, drawing.rotation.clone(), fillings);
        }
    }

    /// The parts that would fit equally well the other way round.
    fn in_doubt(&mut self, drawing: &Drawing) -> Vec<ImportNote> {
        let mut drawing = drawing.clone();
        let mut changes = Vec::new();
        // The largest block stands for the reflection of the whole, which has a note of its own.
        let blocks = drawing.rotation.blocks();
        for block in blocks.iter().skip(usize::from(self.around.is_empty())) {
            let rotation = drawing.rotation.reflected(block);
            if rotation != drawing.rotation {
                let nodes = block.iter().map(|&dart| rotation.origin(dart)).collect();
                changes.push(Change { nodes, rotation });
            }
        }
        let boundaries = drawing.filled.boundaries();
        let mut notes = Vec::new();
        for pair in separating_pairs(&drawing.rotation, self.effort) {
            if self.effort.is_used_up() {
                break;
            }
            changes.extend(self.changes(&drawing, &pair));
            for change in changes.drain(..) {
                let mut other = self.drawn(change.rotation, drawing.fillings.clone());
                let is_equal = other.distance == drawing.distance
                    && other.filled.boundaries() != boundaries
                    && self.measure(&mut other) == self.measure(&mut drawing);
                if is_equal {
                    notes.push(ImportNote::InDoubt(self.ground.shape.names(change.nodes)));
                }
            }
        }
        notes
    }

    /// The hints that the drawing does not follow.
    fn not_followed(&self, drawing: &Drawing) -> Vec<ImportNote> {
        let mut notes = Vec::new();
        if drawing.filled.not_outside > 0 {
            let outside = drawing.filled.outside.clone().unwrap_or_default();
            let missing = self.ground.outside.iter().copied().filter(|node| !outside.contains(node));
            notes.push(ImportNote::NotOutside(self.ground.shape.names(missing)));
        }
        let counts = self.out_of_order(&drawing.filled);
        for (hint, _) in self.around.iter().zip(counts).filter(|(_, count)| *count > 0) {
            notes.push(ImportNote::NotAround(self.ground.shape.code(hint.province).to_owned()));
        }
        notes
    }
}

/// The number of nodes that do not follow the one before them when a cycle is read from the first wanted one; 0 if they
/// all occur in this order.
fn out_of_order(cycle: &[Node], wanted: &[Node]) -> usize {
    let begins = (0..cycle.len()).filter(|&i| wanted.first() == Some(&cycle[i]));
    let count = |begin: usize| {
        let (mut at, mut count) = (0, 0);
        for node in &wanted[1..] {
            let places = (0..cycle.len()).filter(|i| cycle[(begin + i) % cycle.len()] == *node);
            let (mut first, mut next) = (None, None);
            for place in places {
                first = first.or(Some(place));
                next = next.or(Some(place).filter(|&place| place > at));
            }
            count += usize::from(next.is_none());
            at = next.or(first).unwrap_or(at);
        }
        count
    };
    begins.map(count).min().unwrap_or(wanted.len())
}

// From an embedding to a map file: coasts are named, and waterways added.

/// A map file made from an embedding, with its distance from the source.
#[derive(Clone, Debug)]
pub(crate) struct Assembled {
    /// The map file, without centres.
    pub(crate) file: MapFile,
    /// The moves that differ from those of the source.
    pub(crate) differences: Vec<String>,
    /// The decisions.
    pub(crate) notes: Vec<ImportNote>,
}

/// The source of a board and its hints.
#[derive(Clone, Copy)]
pub(crate) struct AssemblyInput<'a> {
    /// The file as errors name it.
    pub(crate) file: &'a str,
    /// The board of the source.
    pub(crate) sketch: &'a Sketch,
    /// The moves of its fleets.
    pub(crate) fleets: &'a Fleets,
    /// The hints.
    pub(crate) hints: &'a Hints,
}

/// Writes a filled embedding as a map file.
///
/// # Errors
/// The resulting map is not sound, or has more faces than a map can have.
pub(crate) fn assemble(brief: AssemblyInput<'_>, filled: Filled) -> Result<Assembled, atlas::AtlasError> {
    let Filled { mut shape, rotation, outside, fillers, .. } = filled;
    let named: BTreeMap<Node, String> = fillers
        .iter()
        .filter_map(|(node, around)| {
            let around = shape.names(around.iter().copied());
            let hinted = brief.hints.fillers.iter();
            let fits = hinted.filter(|(_, filler)| filler.around.iter().all(|name| around.contains(name)));
            let (code, _) = fits.max_by_key(|(_, filler)| filler.around.len())?;
            Some((*node, code.clone()))
        })
        .collect();
    shape.name_new(|node| named.get(&node).cloned());
    let mut notes = vec![match outside {
        Some(around) => ImportNote::Outside(shape.names(around)),
        None => ImportNote::NoOutside,
    }];
    notes.extend(fillers.into_iter().map(|(node, around)| ImportNote::Filler {
        code: shape.code(node).to_owned(),
        around: shape.names(around),
    }));
    let mut file = written(brief, &shape, &rotation);
    let bare = atlas::chart_of(brief.file, file.clone())?;
    let coasts = Coasts::of(brief.fleets, &shape, &rotation);
    coasts.name(&bare, &shape, &mut file);
    notes.extend(waterways(brief.hints, &coasts, &bare, &shape, &mut file));
    let chart = atlas::chart_of(brief.file, file.clone())?;
    let differences = differences(&chart, brief.sketch);
    Ok(Assembled { file, differences, notes })
}

fn written(brief: AssemblyInput<'_>, shape: &BoardShape, rotation: &Rotation) -> MapFile {
    let powers = Some(brief.sketch.powers.clone()).filter(|powers| !powers.is_empty());
    let mut file = MapFile { powers, ..MapFile::default() };
    for (node, cycles) in rotation.cycles() {
        let code = shape.code(node);
        let across = |cycle: &Vec<Dart>| shape.names(cycle.iter().map(|&dart| rotation.target(dart)));
        let mut cycles: Vec<Vec<String>> = cycles.iter().map(across).collect();
        let first = cycles.remove(0);
        let kind = match shape.kind(node) {
            NodeKind::Province(SketchGround::Land) => FaceKind::Land,
            NodeKind::Province(SketchGround::Sea) => FaceKind::Sea,
            NodeKind::Province(SketchGround::Shut) | NodeKind::Filler => FaceKind::Impassable,
            NodeKind::Point => FaceKind::Point,
            NodeKind::Outside => FaceKind::Outside,
        };
        let province = brief.sketch.provinces.get(code);
        let name =
            province.map_or_else(|| filler_name(brief.hints, shape, node), |province| province.name.clone());
        let entry = FaceEntry {
            supply_centre: province.is_some_and(|province| province.supply_centre),
            home: province.and_then(|province| province.home.clone()),
            neighbours_ccw: Some(first),
            islands_ccw: cycles,
            ..FaceEntry::new(name, kind)
        };
        file.faces.insert(code.to_owned(), entry);
    }
    file
}

fn filler_name(hints: &Hints, shape: &BoardShape, node: Node) -> String {
    let code = shape.code(node);
    match (hints.fillers.get(code), shape.kind(node)) {
        (Some(filler), _) => filler.name.clone(),
        (None, NodeKind::Outside) => "Outside".to_owned(),
        (None, NodeKind::Point) => format!("Point {}", code.trim_start_matches('P')),
        (None, _) => format!("Impassable {}", code.trim_start_matches('X')),
    }
}
