//! Finds neighbour lists that cannot be right and suggests a correction: a list reversed, a neighbour
//! missing, two neighbours swapped.
//!
//! A list is corrected where all other lists agree on it. Among several suspect lists, the one with the most
//! contradictions is corrected first and the others are examined again, because one wrong list contradicts
//! all its neighbours.

use super::lists::{Cycle, FaceIndex, Lists, Met};

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
        _ => format!("{name}: its lists are not those that its neighbours ask for"),
    };
    format!("{said}; by its neighbours' lists {} would be right", text(&wanted))
}

/// Describes the fault in one list, given the right one.
fn of_one(lists: &Lists, name: &str, given: &Cycle, right: &Cycle) -> String {
    let reversed: Cycle = given.iter().rev().copied().collect();
    if alike(&reversed, right) {
        return format!("{name} seems to be reversed");
    }
    if right.len().max(given.len()) > LONGEST {
        return format!("{name}: its list is not the one that its neighbours ask for");
    }
    for (at, &entry) in right.iter().enumerate() {
        if given.len() + 1 == right.len() && alike(given, &without(right, at)) {
            let [before, after] = [right.len() - 1, 1].map(|by| right[(at + by) % right.len()]);
            let (entry, before, after) = (lists.name(entry), lists.name(before), lists.name(after));
            return format!(
                "{name}: {entry} is missing between {before} and {after}, and {entry} names {name} as a neighbour"
            );
        }
    }
    for (at, &entry) in given.iter().enumerate() {
        if right.len() + 1 == given.len() && alike(&without(given, at), right) {
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
    format!("{name}: its list is not the one that its neighbours ask for")
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

fn without(cycle: &[FaceIndex], at: usize) -> Cycle {
    [&cycle[..at], &cycle[at + 1..]].concat()
}

/// Rotates the boundary to begin at the same face as one of the given boundaries, so that the two can be
/// compared.
fn begun_as(given: &[Cycle], cycle: &[FaceIndex]) -> Cycle {
    let begins = |face: &FaceIndex| given.iter().any(|given| given.first() == Some(face));
    let at = cycle.iter().position(begins).unwrap_or(0);
    [&cycle[at..], &cycle[..at]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boundary_is_the_same_wherever_it_begins() {
        assert!(alike(&[1, 2, 3], &[3, 1, 2]) && alike(&[7], &[7]) && alike(&[], &[]));
        assert!(!alike(&[1, 2, 3], &[3, 2, 1]) && !alike(&[1, 2], &[1, 2, 2]));
        assert_eq!(begun_as(&[vec![1], vec![6, 5]], &[4, 5, 6]), [6, 4, 5]);
        assert_eq!(begun_as(&[vec![9]], &[4, 5, 6]), [4, 5, 6]);
    }
}
