//! Places and their neighbours as numbers, so that what neighbours hold is summed up for all places in one run over a
//! list of bytes.
//!
//! Places with equally many neighbours stand together and are numbered in that order: then a loop over them knows how
//! many numbers each of them reads, and no processor has to guess where a place's neighbours end.
//!
//! ```text
//!   neighbours   places        the list
//!   1            0 1           │4│9│                    place 0 is next to 4, place 1 to 9
//!   2            2 3 4         │3 5│2 8│0 7│            place 2 to 3 and 5 …
//!   3            5 …           │2 6 9│…
//! ```

/// How many places a graph can have: as many as a byte has values.
pub const MOST: usize = 256;

/// An amount for each place, by number.
pub type Amounts = [u32; MOST];

/// Places that have their numbers.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// By index, as the places were given.
    pub numbers: Vec<u8>,
    /// By number.
    order: Vec<usize>,
    runs: Vec<(usize, usize)>,
}

impl Numbered {
    /// Numbers places that have so many neighbours each; nothing if there are too many places.
    pub fn by_degree(degrees: &[u8]) -> Option<Numbered> {
        if degrees.len() > MOST {
            return None;
        }
        // Sorted by counting: first how many have each degree, then where these begin, then one place after the other.
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

/// A graph. What is added up for places is a [`u32`]: who sums sees to it that nothing gets too large.
#[derive(Clone, Debug)]
pub struct Graph {
    /// How many neighbours, and how many places in a row have so many.
    runs: Vec<(usize, usize)>,
    /// The neighbours of all places, one after the other.
    near: Vec<u8>,
    places: usize,
}

impl Graph {
    /// The graph of numbered places. `neighbours` appends the numbers of a place's neighbours to a list, for the place with
    /// this index.
    pub fn new(numbered: Numbered, mut neighbours: impl FnMut(usize, &mut Vec<u8>)) -> Graph {
        let Numbered { order, runs, .. } = numbered;
        let sum = runs.iter().map(|(degree, places)| degree * places).sum();
        let mut near = Vec::with_capacity(sum);
        order.iter().for_each(|&place| neighbours(place, &mut near));
        debug_assert_eq!(near.len(), sum);
        Graph { runs, near, places: order.len() }
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.places
    }

    /// The most neighbours of a place.
    pub fn most_neighbours(&self) -> usize {
        self.runs.last().map_or(0, |&(degree, _)| degree)
    }

    /// For each place, the sum of its neighbours' amounts.
    pub fn sums(&self, amounts: &Amounts, sums: &mut Amounts) {
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
