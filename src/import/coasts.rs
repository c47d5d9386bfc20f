//! The coasts of an embedded board: the stretches of water that form one coast in the source, their names,
//! and the waterways that join them.

use std::collections::{BTreeMap, BTreeSet};

use upheaval_map::topology::{CanalEntry, MapFile, NamedMap};

use crate::hints::Hints;
use crate::note::ImportNote;
use crate::planar::Node;
use crate::planar::rotation::{Dart, Rotation};
use crate::shape::{BoardShape, CoastLanding, Fleets, NodeKind};

/// A border of a province, distinguished from other borders with the same neighbour by the faces before and
/// after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Contact {
    before: Node,
    /// The neighbour.
    across: Node,
    after: Node,
}

/// A longest stretch of water round a land province.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Run {
    contacts: Vec<Contact>,
    /// The index of its coast among those of the province.
    coast: usize,
}

/// The stretches of water of every land province.
#[derive(Debug)]
pub(crate) struct Coasts {
    runs: BTreeMap<Node, Vec<Run>>,
    /// The names of coasts, if a province has several.
    names: BTreeMap<Node, Vec<String>>,
    /// Lands with several borders between them, of which a map file cannot say which a strait is at.
    doubled: BTreeSet<[Node; 2]>,
}

/// A waterway that joins two stretches of one coast, by the indices of the stretches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Join {
    /// A strait at the border of two lands.
    Strait([Node; 2]),
    /// A canal through a land.
    Canal {
        /// The land.
        through: Node,
        /// The stretches.
        runs: [usize; 2],
    },
}

impl Coasts {
    /// The coasts of a board according to its source.
    pub(crate) fn of(fleets: &Fleets, shape: &BoardShape, rotation: &Rotation) -> Coasts {
        let mut coasts = Coasts { runs: BTreeMap::new(), names: BTreeMap::new(), doubled: BTreeSet::new() };
        let seas_at = |point: Node| shape.graph().neighbours(point).any(|node| shape.is_sea(node));
        let is_water =
            |node: Node| shape.is_sea(node) || (shape.kind(node) == NodeKind::Point && seas_at(node));
        for (land, cycles) in rotation.cycles() {
            if !shape.is_land(land) {
                continue;
            }
            let mut met: BTreeSet<Node> = BTreeSet::new();
            let across = cycles.iter().flatten().map(|&dart| rotation.target(dart));
            coasts.doubled.extend(across.filter(|&node| !met.insert(node)).map(|node| [land, node]));
            let runs = cycles.iter().flat_map(|cycle| runs_of(cycle, rotation, is_water));
            let mut runs: Vec<Run> = runs.collect();
            let landings = fleets.landings(land);
            if landings.len() > 1 {
                for run in &mut runs {
                    run.coast = best_coast(landings, run, shape);
                }
                let names = landings.iter().filter_map(|landing| landing.coast.clone()).collect();
                coasts.names.insert(land, names);
            }
            coasts.runs.insert(land, runs);
        }
        coasts
    }

    /// Writes the names of coasts into the file.
    pub(crate) fn name(&self, bare: &NamedMap, shape: &BoardShape, file: &mut MapFile) {
        for (&land, names) in &self.names {
            let mut of_land: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for run in &self.runs[&land] {
                let seas = run.contacts.iter().filter(|contact| shape.is_sea(contact.across));
                let seas = seas.map(|contact| stretch(bare, shape, land, contact));
                of_land.entry(names[run.coast].clone()).or_default().extend(seas);
            }
            of_land.retain(|_, seas| !seas.is_empty());
            if !of_land.is_empty() {
                file.coasts.insert(shape.code(land).to_owned(), of_land);
            }
        }
    }
}

fn runs_of(cycle: &[Dart], rotation: &Rotation, is_water: impl Fn(Node) -> bool) -> Vec<Run> {
    let len = cycle.len();
    let across = |i: usize| rotation.target(cycle[i % len]);
    let start = (0..len).find(|&i| !is_water(across(i))).unwrap_or(0);
    let places: Vec<usize> = (start..start + len).collect();
    let runs = places.chunk_by(|&i, &j| is_water(across(i)) == is_water(across(j)));
    let contact =
        |&i: &usize| Contact { before: across(i + len - 1), across: across(i), after: across(i + 1) };
    let run = |run: &[usize]| Run { contacts: run.iter().map(contact).collect(), coast: 0 };
    runs.filter(|run| is_water(across(run[0]))).map(run).collect()
}

/// The coast that a stretch of water belongs to: by the seas along it, then by the provinces at its ends.
fn best_coast(landings: &[CoastLanding], run: &Run, shape: &BoardShape) -> usize {
    let fits = |landing: &CoastLanding| {
        let along = run.contacts.iter().filter(|contact| shape.is_sea(contact.across));
        let (mut own, mut foreign) = (0, 0);
        for contact in along {
            *(if landing.seas.contains(&contact.across) { &mut own } else { &mut foreign }) += 1;
        }
        let ends = [run.contacts.first().map(|c| c.before), run.contacts.last().map(|c| c.after)];
        let met = ends.into_iter().flatten().filter(|end| landing.reached.contains(end));
        let not_met = 2 - met.count() as isize;
        // A coast whose only seas are these fits better than one that has others elsewhere.
        let elsewhere = landing.seas.len() as isize - own;
        (-10 * foreign + own, -not_met, -elsewhere)
    };
    let best = (0..landings.len()).max_by_key(|&i| (fits(&landings[i]), std::cmp::Reverse(i)));
    best.unwrap_or(0)
}

/// A border of a province as map files name it: `MAO`, or `MAO#2` where it meets the neighbour several times.
fn stretch(bare: &NamedMap, shape: &BoardShape, province: Node, contact: &Contact) -> String {
    let map = bare.map();
    let code = |node: Node| shape.code(node);
    let across = code(contact.across).to_owned();
    let (Some(own), Some(other)) = (map.find(code(province)), map.find(&across)) else { return across };
    let met = map.stretches(own, other);
    if met.len() < 2 {
        return across;
    }
    let fits = |&side: &_| {
        let name = |side| map.name(map.across(side));
        name(map.prev(side)) == code(contact.before) && name(map.next(side)) == code(contact.after)
    };
    match met.iter().position(fits) {
        None => across,
        Some(index) => format!("{across}#{}", index + 1),
    }
}

/// Adds the waterways that the hints name, and those that a coast of several stretches needs in addition.
/// Returns a note for each that no hint asked for.
pub(crate) fn waterways(
    hints: &Hints,
    coasts: &Coasts,
    bare: &NamedMap,
    shape: &BoardShape,
    file: &mut MapFile,
) -> Vec<ImportNote> {
    file.canals.clone_from(&hints.canals);
    file.straits.clone_from(&hints.straits);
    let mut notes = Vec::new();
    for join in coasts.joins(hints, shape) {
        match join {
            Join::Strait(lands) => {
                let strait = lands.map(|node| shape.code(node).to_owned());
                file.straits.push(strait.clone());
                notes.push(ImportNote::Strait(strait));
            }
            Join::Canal { through: land, runs: [i, j] } => {
                let runs = &coasts.runs[&land];
                let end = |run: &Run, first: bool| {
                    let is_sea = |contact: &&Contact| shape.is_sea(contact.across);
                    let mut seas = run.contacts.iter().filter(is_sea);
                    let sea = if first { seas.next() } else { seas.next_back() };
                    sea.or(run.contacts.first())
                        .map(|contact| stretch(bare, shape, land, contact))
                        .unwrap_or_default()
                };
                let through = shape.code(land).to_owned();
                let ends = [end(&runs[i], false), end(&runs[j], true)];
                file.canals.push(CanalEntry { through: through.clone(), ends: ends.clone() });
                notes.push(ImportNote::Canal { through, ends });
            }
        }
    }
    notes
}

impl Coasts {
    /// The waterways that coasts of several stretches need, beside those that the hints name.
    pub(crate) fn joins(&self, hints: &Hints, shape: &BoardShape) -> Vec<Join> {
        let mut joined = Joined::of(self, hints, shape);
        let mut joins = Vec::new();
        let several = || self.runs.iter().filter(|(_, runs)| runs.len() > 1);
        // A strait serves two provinces.
        for (&land, runs) in several() {
            for (i, j) in successive(runs) {
                let Some(neighbour) = between(&runs[i], &runs[j]).filter(|&node| {
                    shape.is_land(node) && node > land && !self.doubled.contains(&[land, node])
                }) else {
                    continue;
                };
                let facing = |run: &Run| run.contacts.last().is_some_and(|contact| contact.after == land);
                let theirs = &self.runs[&neighbour];
                let there = successive(theirs)
                    .into_iter()
                    .find(|&(k, l)| facing(&theirs[k]) && between(&theirs[k], &theirs[l]) == Some(land));
                let Some((k, l)) = there else { continue };
                if joined.are_apart(land, i, j) && joined.are_apart(neighbour, k, l) {
                    joined.join(land, i, j);
                    joined.join(neighbour, k, l);
                    joins.push(Join::Strait([land, neighbour]));
                }
            }
        }
        for (&land, runs) in several() {
            for (i, j) in successive(runs) {
                if joined.are_apart(land, i, j) {
                    joined.join(land, i, j);
                    joins.push(Join::Canal { through: land, runs: [i, j] });
                }
            }
        }
        joins
    }
}

/// The pairs of successive stretches of one coast, the closest first.
fn successive(runs: &[Run]) -> Vec<(usize, usize)> {
    let mut of_coast: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, run) in runs.iter().enumerate() {
        of_coast.entry(run.coast).or_default().push(i);
    }
    let round = |of_coast: &Vec<usize>| {
        let next = of_coast.iter().cycle().skip(1);
        of_coast.iter().copied().zip(next.copied()).collect::<Vec<_>>()
    };
    let mut pairs: Vec<(usize, usize)> =
        of_coast.values().filter(|of_coast| of_coast.len() > 1).flat_map(round).collect();
    pairs.sort_by_key(|&(i, j)| ((j + runs.len() - i) % runs.len(), i));
    pairs
}

/// All pairs of stretches of one coast.
fn pairs(runs: &[Run]) -> impl Iterator<Item = (usize, usize)> {
    let all = (0..runs.len()).flat_map(|i| (0..runs.len()).map(move |j| (i, j)));
    all.filter(|&(i, j)| i != j && runs[i].coast == runs[j].coast)
}

/// The only neighbour between the end of a stretch and the beginning of another, if there is exactly one.
fn between(first: &Run, second: &Run) -> Option<Node> {
    let (end, begin) = (first.contacts.last()?, second.contacts.first()?);
    (end.after == begin.before).then_some(end.after)
}

/// The stretches of a coast that are already joined: for each a lower one of its group, or itself.
struct Joined(BTreeMap<Node, Vec<usize>>);

impl Joined {
    /// Those joined by the waterways that the hints name.
    fn of(coasts: &Coasts, hints: &Hints, shape: &BoardShape) -> Joined {
        let mut joined =
            Joined(coasts.runs.iter().map(|(&land, runs)| (land, (0..runs.len()).collect())).collect());
        if hints.canals.is_empty() && hints.straits.is_empty() {
            return joined;
        }
        for (&land, runs) in coasts.runs.iter().filter(|(_, runs)| runs.len() > 1) {
            let code = shape.code(land);
            for canal in hints.canals.iter().filter(|canal| canal.through == code) {
                let ends = canal.ends.each_ref().map(|end| end.split('#').next().unwrap_or_default());
                for (i, j) in pairs(runs) {
                    let touches = |run: &Run, end: &str| {
                        run.contacts.iter().any(|contact| shape.code(contact.across) == end)
                    };
                    if touches(&runs[i], ends[0]) && touches(&runs[j], ends[1]) {
                        joined.join(land, i, j);
                    }
                }
            }
            let over = hints.straits.iter().filter_map(|[a, b]| match () {
                () if a == code => Some(b),
                () if b == code => Some(a),
                () => None,
            });
            for neighbour in over {
                for (i, j) in pairs(runs) {
                    if between(&runs[i], &runs[j]).is_some_and(|node| shape.code(node) == neighbour) {
                        joined.join(land, i, j);
                    }
                }
            }
        }
        joined
    }

    /// The first stretch of a group.
    fn group(&self, land: Node, mut run: usize) -> usize {
        let groups = &self.0[&land];
        while groups[run] != run {
            run = groups[run];
        }
        run
    }

    fn are_apart(&self, land: Node, i: usize, j: usize) -> bool {
        self.group(land, i) != self.group(land, j)
    }

    fn join(&mut self, land: Node, i: usize, j: usize) {
        let [first, second] = [self.group(land, i), self.group(land, j)];
        if let Some(groups) = self.0.get_mut(&land) {
            groups[first.max(second)] = first.min(second);
            // A shorter way for the next question.
            (groups[i], groups[j]) = (first.min(second), first.min(second));
        }
    }
}
