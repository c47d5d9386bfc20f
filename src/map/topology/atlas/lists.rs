//! The neighbour lists of a map file, and the constraints that each list puts on the others.
//!
//! Three consecutive entries X, G, Y in a list imply three corners: the list of G must contain the face
//! between Y and X. Therefore all other lists together determine the corners of a list, and where those form
//! closed boundaries, the correct list is known without reading the given one.

use std::collections::BTreeMap;

use super::super::map_file::{KindEntry, MapFile};

/// A face by its index in the order of the codes; an index beyond the faces is a word that does not name a
/// face.
pub(super) type FaceIndex = usize;

/// The neighbours along one boundary, counter-clockwise.
pub(super) type Cycle = Vec<FaceIndex>;

/// One entry of a list with the entries before and after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Met {
    pub before: FaceIndex,
    pub at: FaceIndex,
    pub after: FaceIndex,
    pub shape: StretchShape,
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
            if given.is_none() && entry.kind == KindEntry::Outside && entry.islands_ccw.is_empty() {
                left_out = Some(face);
                cycles.push(Vec::new());
                continue;
            }
            if given.is_none() {
                let right = "only the Outside may leave it out, together with `islands_ccw`";
                faults.push(format!("{name}: `neighbours_ccw` is missing; {right}"));
            }
            let mut of_face = Vec::new();
            for list in given.into_iter().chain(&entry.islands_ccw) {
                let mut cycle = Cycle::new();
                for word in list {
                    if word == name {
                        faults.push(format!("{name} is named as its own neighbour; take it out of its list"));
                        continue;
                    }
                    let known = names[..faces].binary_search(word).ok();
                    cycle.push(known.unwrap_or_else(|| {
                        let of_words = names[faces..].iter().position(|known| known == word);
                        of_words.map_or_else(
                            || {
                                names.push(word.clone());
                                names.len() - 1
                            },
                            |i| faces + i,
                        )
                    }));
                }
                if cycle.is_empty() {
                    faults.push(format!("{name}: a boundary without a neighbour"));
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
