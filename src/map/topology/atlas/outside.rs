//! Reconstructs the Outside's list if the file leaves it out, by walking along the unpaired half-edges.

use super::lists::{Cycle, FaceIndex, Lists};

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
            "{name}: no face names it as a neighbour; take it out, or name it where the board ends"
        ));
        return;
    }
    let Some(cycles) = lists.boundaries(&asked) else {
        faults.push(format!(
            "{name}: its boundary cannot be told from the other lists; give it a list `neighbours_ccw` of its own"
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
