//! The neighbour lists of a map file, and the constraints that each list puts on the others.
//!
//! Three consecutive entries X, G, Y in a list imply three corners: the list of G must contain the face
//! between Y and X. Therefore all other lists together determine the corners of a list, and where those form
//! closed boundaries, the correct list is known without reading the given one.

use std::collections::BTreeMap;

use crate::topology::half_edge::FaceKind;
use crate::topology::map_file::MapFile;

/// A face by its index in the order of the codes; an index beyond the faces is a word that does not name a
/// face.
pub(super) type FaceIndex = usize;

/// The neighbours along one boundary, counter-clockwise.
pub(super) type Cycle = Vec<FaceIndex>;

/// One entry of a list with the entries before and after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Met {
    pub(crate) before: FaceIndex,
    pub(crate) at: FaceIndex,
    pub(crate) after: FaceIndex,
    pub(crate) shape: StretchShape,
}

/// Whether a stretch ends in corners.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum StretchShape {
    /// From one corner to another.
    Arc,
    /// The one neighbour all round, without a corner.
    Loop,
}

impl Met {
    /// The entries of a list.
    pub(super) fn all_of(cycle: &[FaceIndex]) -> impl Iterator<Item = Met> {
        let n = cycle.len();
        let shape = if n == 1 { StretchShape::Loop } else { StretchShape::Arc };
        (0..n).map(move |i| Met {
            before: cycle[(i + n - 1) % n],
            at: cycle[i],
            after: cycle[(i + 1) % n],
            shape,
        })
    }

    /// The same stretch as the neighbour must list it; `face` is the face in whose list this entry is.
    pub(super) fn across(self, face: FaceIndex) -> Met {
        let [before, after] = match self.shape {
            StretchShape::Arc => [self.after, self.before],
            StretchShape::Loop => [face, face],
        };
        Met { before, at: face, after, shape: self.shape }
    }
}

/// The lists of a file.
pub(super) struct Lists {
    /// The codes of the faces, followed by the words that do not name a face.
    pub names: Vec<String>,
    /// How many of the names are faces.
    pub faces: usize,
    /// The boundaries of each face.
    pub cycles: Vec<Vec<Cycle>>,
    /// The Outside, if its list was left out.
    pub left_out: Option<FaceIndex>,
}

impl Lists {
    /// The lists of a file whose codes are in capitals. Faults that one list shows on its own are added to
    /// `faults`.
    pub(super) fn new(file: &MapFile, faults: &mut Vec<String>) -> Lists {
        let mut names: Vec<String> = file.faces.keys().cloned().collect();
        let faces = names.len();
        let mut left_out = None;
        let mut cycles = Vec::new();
        for (face, (name, entry)) in file.faces.iter().enumerate() {
            let given = entry.neighbours_ccw.as_ref();
            if given.is_none() && entry.kind == FaceKind::Outside && entry.islands_ccw.is_empty() {
                left_out = Some(face);
                cycles.push(Vec::new());
                continue;
            }
            if given.is_none() {
                let right = "only the Outside may omit it, together with `islands_ccw`";
                faults.push(format!("{name}: `neighbours_ccw` is missing; {right}"));
            }
            let mut of_face = Vec::new();
            for list in given.into_iter().chain(&entry.islands_ccw) {
                let mut cycle = Cycle::new();
                for word in list {
                    if word == name {
                        faults
                            .push(format!("{name} is listed as its own neighbour; remove it from its list"));
                        continue;
                    }
                    let known = names[..faces].binary_search(word).ok();
                    let known = known.or_else(|| names.iter().position(|name| name == word));
                    cycle.push(known.unwrap_or(names.len()));
                    if known.is_none() {
                        names.push(word.clone());
                    }
                }
                if cycle.is_empty() {
                    faults.push(format!("{name}: a boundary lists no neighbour"));
                } else {
                    of_face.push(cycle);
                }
            }
            cycles.push(of_face);
        }
        Lists { names, faces, cycles, left_out }
    }

    /// The name of a face, or the word that does not name one.
    pub(super) fn name(&self, face: FaceIndex) -> &str {
        &self.names[face]
    }

    /// A list as the file would write it.
    pub(super) fn text(&self, cycle: &[FaceIndex]) -> String {
        cycle.iter().map(|&face| self.name(face)).collect::<Vec<_>>().join(" ")
    }

    /// Does the boundary consist only of the Outside, whose list was left out?
    pub(super) fn is_left_out(&self, cycle: &[FaceIndex]) -> bool {
        matches!(cycle, [face] if Some(*face) == self.left_out)
    }

    /// For each face, the entries that the lists of the others require in its own list, sorted.
    pub(super) fn asked_for(&self) -> Vec<Vec<Met>> {
        let mut asked = vec![Vec::new(); self.faces];
        for (face, cycles) in self.cycles.iter().enumerate() {
            for met in cycles.iter().flat_map(|cycle| Met::all_of(cycle)) {
                if let Some(of_neighbour) = asked.get_mut(met.at) {
                    of_neighbour.push(met.across(face));
                }
            }
        }
        asked.iter_mut().for_each(|of_face| of_face.sort_unstable());
        asked
    }

    /// The entries of a face's lists that no other list confirms, and those that are required but missing.
    pub(super) fn at_odds(&self, face: FaceIndex, asked: &[Met]) -> [Vec<Met>; 2] {
        let mut given: Vec<Met> = self.cycles[face].iter().flat_map(|cycle| Met::all_of(cycle)).collect();
        given.retain(|met| Some(met.at) != self.left_out);
        given.sort_unstable();
        [without(&given, asked), without(asked, &given)]
    }

    /// The boundaries that these entries form, if they form boundaries in exactly one way. If the Outside's
    /// list was left out, the Outside may be between any two entries that have it beside them.
    pub(super) fn boundaries(&self, asked: &[Met]) -> Option<Vec<Cycle>> {
        let mut cycles: Vec<Cycle> =
            asked.iter().filter(|met| met.shape == StretchShape::Loop).map(|met| vec![met.at]).collect();
        let arcs: Vec<Met> = asked.iter().copied().filter(|met| met.shape == StretchShape::Arc).collect();
        let mut by_start: BTreeMap<(FaceIndex, FaceIndex), usize> = BTreeMap::new();
        for (i, met) in arcs.iter().enumerate() {
            if by_start.insert((met.before, met.at), i).is_some() {
                return None;
            }
        }
        let behind_outside: Vec<usize> =
            (0..arcs.len()).filter(|&i| Some(arcs[i].before) == self.left_out).collect();
        let mut used = vec![false; arcs.len()];
        for start in 0..arcs.len() {
            if used[start] {
                continue;
            }
            let mut cycle = Cycle::new();
            let mut at = start;
            loop {
                used[at] = true;
                cycle.push(arcs[at].at);
                let after = arcs[at].after;
                let next = if Some(after) == self.left_out {
                    cycle.push(after);
                    let [one] = behind_outside[..] else { return None };
                    one
                } else {
                    *by_start.get(&(arcs[at].at, after))?
                };
                if next == start {
                    break;
                }
                if used[next] {
                    return None;
                }
                at = next;
            }
            cycles.push(cycle);
        }
        (!cycles.is_empty()).then_some(cycles)
    }
}

/// The items of the first sorted list that are not in the second, counted with multiplicity.
fn without(list: &[Met], other: &[Met]) -> Vec<Met> {
    let mut rest = other.iter().peekable();
    let mut left = Vec::new();
    for met in list {
        while rest.next_if(|other| *other < met).is_some() {}
        if rest.next_if_eq(&met).is_none() {
            left.push(*met);
        }
    }
    left
}

// Reconstructs the Outside's list if the file leaves it out, by walking along the unpaired half-edges.

/// Gives the Outside the boundaries that the other lists leave unpaired.
///
/// A map in several pieces, such as unconnected islands, has one boundary for each piece. Two gaps in one
/// piece cannot both be the Outside, because no path connects them without crossing the piece.
pub(super) fn walk_round(lists: &mut Lists, faults: &mut Vec<String>) {
    let Some(outside) = lists.left_out else { return };
    let name = lists.name(outside).to_owned();
    let asked = lists.asked_for().swap_remove(outside);
    if asked.is_empty() {
        faults.push(format!(
            "{name}: no face lists it as a neighbour; remove it, or list it where the board ends"
        ));
        return;
    }
    let Some(cycles) = lists.boundaries(&asked) else {
        faults.push(format!(
            "{name}: its boundary cannot be derived from the other lists; give it a list `neighbours_ccw` of its own"
        ));
        return;
    };
    let piece_of = pieces(lists, outside);
    for (i, cycle) in cycles.iter().enumerate() {
        let same = cycles[..i].iter().find(|other| piece_of[other[0]] == piece_of[cycle[0]]);
        if let Some(other) = same {
            faults.push(format!(
                "{name}: the lists leave two gaps in one piece of the map, one beside `{}` and one beside `{}`; the \
                 Outside is one of them, and the other needs a face",
                lists.text(other),
                lists.text(cycle)
            ));
        }
    }
    lists.cycles[outside] = cycles;
    lists.left_out = None;
}

/// For each face, a number shared by the faces of its piece, which are those that can be reached without
/// crossing the Outside.
fn pieces(lists: &Lists, outside: FaceIndex) -> Vec<usize> {
    let mut piece_of: Vec<usize> = (0..lists.names.len()).collect();
    for (face, cycles) in lists.cycles.iter().enumerate() {
        for &other in cycles.iter().flat_map(Cycle::as_slice) {
            if face != outside && other != outside {
                let (from, to) = (piece_of[other], piece_of[face]);
                piece_of.iter_mut().filter(|piece| **piece == from).for_each(|piece| *piece = to);
            }
        }
    }
    piece_of
}

// Finds neighbour lists that cannot be right and suggests a correction: a list reversed, a neighbour
// missing, two neighbours swapped.
//
// A list is corrected where all other lists agree on it. Among several suspect lists, the one with the most
// contradictions is corrected first and the others are examined again, because one wrong list contradicts
// all its neighbours.

/// The longest list in which single entries are tried; no face of a playable board has that many neighbours.
const LONGEST: usize = 64;

/// Corrects the lists that the others determine and reports each in a sentence; then reports every remaining
/// contradiction, one sentence for each pair of faces.
pub(super) fn put_right(lists: &mut Lists, faults: &mut Vec<String>) {
    let mut corrected = vec![false; lists.faces];
    loop {
        let asked = lists.asked_for();
        let mut worst: Option<(usize, FaceIndex, Vec<Cycle>)> = None;
        for face in (0..lists.faces).filter(|&face| Some(face) != lists.left_out && !corrected[face]) {
            let odds: usize = lists.at_odds(face, &asked[face]).iter().map(Vec::len).sum();
            if odds == 0 || worst.as_ref().is_some_and(|&(most, ..)| most >= odds) {
                continue;
            }
            if let Some(mut right) = lists.boundaries(&asked[face]) {
                // If the Outside's list was left out, no other list can require that the Outside surrounds
                // the face.
                right.extend(lists.cycles[face].iter().filter(|cycle| lists.is_left_out(cycle)).cloned());
                worst = Some((odds, face, right));
            }
        }
        let Some((_, face, right)) = worst else { break };
        let right: Vec<Cycle> = right.iter().map(|cycle| begun_as(&lists.cycles[face], cycle)).collect();
        faults.push(sentence(lists, face, &right));
        lists.cycles[face] = right;
        corrected[face] = true;
    }
    let asked = lists.asked_for();
    let mut told: Vec<[FaceIndex; 2]> = Vec::new();
    for face in (0..lists.faces).filter(|&face| Some(face) != lists.left_out) {
        let [unanswered, _] = lists.at_odds(face, &asked[face]);
        for met in unanswered {
            let pair = [face.min(met.at), face.max(met.at)];
            if !told.contains(&pair) {
                told.push(pair);
                faults.push(at_odds(lists, face, met));
            }
        }
    }
}

/// Describes the faults in the lists of a face, given the right ones.
fn sentence(lists: &Lists, face: FaceIndex, right: &[Cycle]) -> String {
    let name = lists.name(face);
    let given = &lists.cycles[face];
    let mut wrong: Vec<&Cycle> = given.iter().collect();
    let mut wanted: Vec<&Cycle> = Vec::new();
    for cycle in right {
        match wrong.iter().position(|given| alike(given, cycle)) {
            Some(at) => drop(wrong.remove(at)),
            None => wanted.push(cycle),
        }
    }
    let unknown: Vec<&str> = wrong
        .iter()
        .flat_map(|cycle| cycle.iter())
        .filter(|&&f| f >= lists.faces)
        .map(|&f| lists.name(f))
        .collect();
    let text = |cycles: &[&Cycle]| {
        let texts: Vec<String> = cycles.iter().map(|cycle| format!("`{}`", lists.text(cycle))).collect();
        texts.join(" and ")
    };
    let said = match (&wrong[..], &wanted[..]) {
        _ if !unknown.is_empty() => {
            format!("{name}: its neighbour `{}` is not a face of the map", unknown.join("`, `"))
        }
        ([given], [cycle]) => of_one(lists, name, given, cycle),
        _ => format!("{name}: its neighbour lists contradict those of its neighbours"),
    };
    format!("{said}; its neighbours' lists require {}", text(&wanted))
}

/// Describes the fault in one list, given the right one.
fn of_one(lists: &Lists, name: &str, given: &Cycle, right: &Cycle) -> String {
    let reversed: Cycle = given.iter().rev().copied().collect();
    if alike(&reversed, right) {
        return format!("{name} seems to be reversed");
    }
    if right.len().max(given.len()) > LONGEST {
        return format!("{name}: its neighbour list contradicts those of its neighbours");
    }
    for (at, &entry) in right.iter().enumerate() {
        if given.len() + 1 == right.len() && alike(given, &without_entry(right, at)) {
            let [before, after] = [right.len() - 1, 1].map(|by| right[(at + by) % right.len()]);
            let (entry, before, after) = (lists.name(entry), lists.name(before), lists.name(after));
            return format!(
                "{name}: {entry} is missing between {before} and {after}, and {entry} names {name} as a neighbour"
            );
        }
    }
    for (at, &entry) in given.iter().enumerate() {
        if right.len() + 1 == given.len() && alike(&without_entry(given, at), right) {
            return format!("{name}: {} is one too many", lists.name(entry));
        }
    }
    for first in 0..given.len() {
        for second in first + 1..given.len() {
            let mut swapped = given.clone();
            swapped.swap(first, second);
            if given.len() == right.len() && alike(&swapped, right) {
                let [first, second] = [first, second].map(|at| lists.name(given[at]));
                return format!("{name}: {first} and {second} seem to be swapped");
            }
        }
    }
    format!("{name}: its neighbour list contradicts those of its neighbours")
}

/// Reports that two faces contradict each other.
fn at_odds(lists: &Lists, face: FaceIndex, met: Met) -> String {
    let Met { before, at, after, .. } = met;
    let [a, b] = [face, at].map(|face| lists.name(face));
    if at >= lists.faces {
        return format!(
            "{a}: its neighbour `{b}` is not a face of the map; give it a face, or write one of the faces"
        );
    }
    let names_it = lists.cycles[at].iter().flatten().any(|&other| other == face);
    if !names_it {
        return format!(
            "{a} names {b} as a neighbour, but {b} does not name {a}; one of the two lists is wrong"
        );
    }
    let [before, after] = [before, after].map(|face| lists.name(face));
    format!(
        "{a} meets {b} between {before} and {after}, but {b} nowhere meets {a} between {after} and {before}; one of these \
         lists, or of {before} and {after}, is wrong"
    )
}

/// Are the boundaries equal up to rotation?
fn alike(a: &[FaceIndex], b: &[FaceIndex]) -> bool {
    a.len() == b.len() && (0..a.len().max(1)).any(|by| a.iter().eq(b.iter().cycle().skip(by).take(b.len())))
}

fn without_entry(cycle: &[FaceIndex], at: usize) -> Cycle {
    [&cycle[..at], &cycle[at + 1..]].concat()
}

/// Rotates the boundary to begin at the same face as one of the given boundaries, so that the two can be
/// compared.
fn begun_as(given: &[Cycle], cycle: &[FaceIndex]) -> Cycle {
    let begins = |face: &FaceIndex| given.iter().any(|given| given.first() == Some(face));
    let at = cycle.iter().position(begins).unwrap_or(0);
    [&cycle[at..], &cycle[..at]].concat()
}
