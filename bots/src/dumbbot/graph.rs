//! Places and their neighbours as numbers, so that sums over neighbours are computed for all places in one
//! pass over a list of bytes.
//!
//! Places with equal numbers of neighbours are grouped and numbered in that order: a loop over a group knows
//! how many numbers each place reads, and the processor need not predict where a place's neighbours end.
//!
//! ```text
//!   neighbours   places        the list
//!   1            0 1           │4│9│                    place 0 is next to 4, place 1 to 9
//!   2            2 3 4         │3 5│2 8│0 7│            place 2 to 3 and 5 …
//!   3            5 …           │2 6 9│…
//! ```

/// The largest number of places of a graph: the number of values of a byte.
pub(super) const MOST: usize = 256;

/// An amount for each place, by number.
pub(super) type Amounts = [u32; MOST];

/// Places with their numbers.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    /// Numbers by index, in the order in which the places were given.
    pub numbers: Vec<u8>,
    /// Indices by number.
    order: Vec<usize>,
    runs: Vec<(usize, usize)>,
}

impl Numbered {
    /// Numbers places with these degrees; `None` if there are too many places.
    pub(super) fn by_degree(degrees: &[u8]) -> Option<Numbered> {
        if degrees.len() > MOST {
            return None;
        }
        // Counting sort: first count each degree, then compute where each begins, then place one by one.
        let mut next = [0; MOST];
        degrees.iter().for_each(|&degree| next[usize::from(degree)] += 1);
        let most = degrees.iter().copied().max().map_or(0, usize::from);
        let (mut runs, mut begin) = (Vec::with_capacity(most + 1), 0);
        for (degree, next) in next[..=most].iter_mut().enumerate().filter(|(_, places)| **places > 0) {
            let places = std::mem::replace(next, begin);
            runs.push((degree, places));
            begin += places;
        }
        let (mut numbers, mut order) = (vec![0; degrees.len()], vec![0; degrees.len()]);
        for (place, &degree) in degrees.iter().enumerate() {
            let number = &mut next[usize::from(degree)];
            (numbers[place], order[*number]) = (*number as u8, place);
            *number += 1;
        }
        Some(Numbered { numbers, order, runs })
    }
}

/// A graph. Sums over neighbours are [`u32`]: the caller ensures that they do not overflow.
#[derive(Clone, Debug)]
pub(super) struct AdjacencyGraph {
    /// The number of neighbours, and the number of consecutive places with that many.
    runs: Vec<(usize, usize)>,
    /// The neighbours of all places, concatenated.
    near: Vec<u8>,
    places: usize,
}

impl AdjacencyGraph {
    /// The graph of numbered places. `neighbours` appends the numbers of the neighbours of the place with
    /// this index to a list.
    pub(super) fn new(numbered: Numbered, mut neighbours: impl FnMut(usize, &mut Vec<u8>)) -> AdjacencyGraph {
        let Numbered { order, runs, .. } = numbered;
        let sum = runs.iter().map(|(degree, places)| degree * places).sum();
        let mut near = Vec::with_capacity(sum);
        order.iter().for_each(|&place| neighbours(place, &mut near));
        debug_assert_eq!(near.len(), sum);
        AdjacencyGraph { runs, near, places: order.len() }
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.places
    }

    /// The largest number of neighbours of a place.
    pub(super) fn most_neighbours(&self) -> usize {
        self.runs.last().map_or(0, |&(degree, _)| degree)
    }

    /// For each place, the sum of its neighbours' amounts.
    pub(super) fn sums(&self, amounts: &Amounts, sums: &mut Amounts) {
        let (mut near, mut sums) = (&self.near[..], &mut sums[..self.places]);
        for &(degree, places) in &self.runs {
            let (these, others) = near.split_at(degree * places);
            let (of_these, of_others) = sums.split_at_mut(places);
            match degree {
                0 => of_these.fill(0),
                1 => sum::<1>(these, amounts, of_these),
                2 => sum::<2>(these, amounts, of_these),
                3 => sum::<3>(these, amounts, of_these),
                4 => sum::<4>(these, amounts, of_these),
                5 => sum::<5>(these, amounts, of_these),
                6 => sum::<6>(these, amounts, of_these),
                7 => sum::<7>(these, amounts, of_these),
                8 => sum::<8>(these, amounts, of_these),
                9 => sum::<9>(these, amounts, of_these),
                10 => sum::<10>(these, amounts, of_these),
                11 => sum::<11>(these, amounts, of_these),
                12 => sum::<12>(these, amounts, of_these),
                _ => these
                    .chunks_exact(degree)
                    .zip(of_these)
                    .for_each(|(near, sum)| *sum = near.iter().map(|&to| amounts[usize::from(to)]).sum()),
            }
            (near, sums) = (others, of_others);
        }
    }
}

/// The sums of places with `N` neighbours each.
#[inline]
fn sum<const N: usize>(near: &[u8], amounts: &Amounts, sums: &mut [u32]) {
    for (near, sum) in near.as_chunks::<N>().0.iter().zip(sums) {
        *sum = near.iter().map(|&to| amounts[usize::from(to)]).sum();
    }
}
