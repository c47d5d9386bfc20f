//! Chords of a polygon: which of them fit into it together, and the cells into which they divide it.

/// A cell: the positions of its corners on the polygon, in ascending order.
pub(crate) type PolygonCell = Vec<usize>;

/// A chord, between two corners of the polygon by position, with the cells on its two sides. Every chord comes after
/// those that it cuts off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chord {
    /// The lower position first.
    pub ends: [usize; 2],
    /// The indices of the cells.
    pub cells: [usize; 2],
}

/// A polygon that is divided by chords.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Division {
    /// The chords that fit.
    pub chords: Vec<Chord>,
    /// The cells; the last is the one at the first corner that no chord cuts off.
    pub cells: Vec<PolygonCell>,
}

/// Divides a polygon of `len` corners by chords between two corners, the lower position first. A chord that crosses
/// a shorter one, or connects corners that are next to each other, is left out.
pub(crate) fn divide(len: usize, mut wanted: Vec<[usize; 2]>) -> Division {
    wanted.sort_unstable_by_key(|&[a, b]| (b - a, a));
    wanted.dedup();
    // The next corner that is not cut off, and the chord that leads there.
    let mut next: Vec<(usize, Option<usize>)> = (1..=len).map(|i| (i, None)).collect();
    let mut is_cut_off = vec![false; len];
    let mut division = Division { chords: Vec::new(), cells: Vec::new() };
    for ends @ [a, b] in wanted {
        if is_cut_off[a] || is_cut_off[b] || next[a].0 == b || b - a == len - 1 {
            continue;
        }
        let cell = division.walk(&next, a, b);
        cell[1..cell.len() - 1].iter().for_each(|&corner| is_cut_off[corner] = true);
        next[a] = (b, Some(division.chords.len()));
        division.chords.push(Chord { ends, cells: [division.cells.len(); 2] });
        division.cells.push(cell);
    }
    let cell = division.walk(&next, 0, len - 1);
    division.cells.push(cell);
    division
}

impl Division {
    /// The corners from one to another, of a cell that is about to be added.
    fn walk(&mut self, next: &[(usize, Option<usize>)], from: usize, to: usize) -> PolygonCell {
        let (mut cell, mut at) = (vec![from], from);
        while at != to {
            let (corner, chord) = next[at];
            if let Some(chord) = chord {
                self.chords[chord].cells[1] = self.cells.len();
            }
            cell.push(corner);
            at = corner;
        }
        cell
    }
}
