//! Sets of provinces, and numbers for each province that are stored as sets: they count as lists and tables do.

use upheaval::ids::{ProvinceId, ProvinceSet};
use upheaval::rng::{Purpose, Stream};
use upheaval_map::tally::Tally;

#[test]
fn a_set_is_searched_and_counted_as_its_list_is() {
    let mut dice = Stream::keyed(3, Purpose::Bot, &[]);
    for round in 0..300 {
        let (end, often) = ([64, 128, 192, 256][round % 4], [1, 3, 16][round % 3]);
        let list: Vec<ProvinceId> =
            (0..=255).map(ProvinceId).filter(|id| id.index() < end && dice.below(16) < often).collect();
        let set: ProvinceSet = list.iter().copied().collect();
        for n in 0..=list.len() {
            assert_eq!(set.nth(n), list.get(n).copied());
        }
        let low = list.iter().filter(|id| id.0 < 128).count();
        assert_eq!((set.len(), set.low_len(), set.is_low()), (list.len(), low, low == list.len()));
    }
}

#[test]
fn a_tally_counts_as_a_table_does() {
    let mut dice = Stream::keyed(1, Purpose::Bot, &[]);
    let mut random = || (0..=255).map(ProvinceId).filter(|_| dice.below(3) == 0).collect::<ProvinceSet>();
    let (mut tally, mut table) = (Tally::default(), [0usize; 256]);
    for n in 0..255 {
        let provinces = if n % 5 == 0 { (0..=255).map(ProvinceId).collect() } else { random() };
        tally.add(provinces);
        provinces.iter().for_each(|province| table[province.index()] += 1);
        let mut some = random();
        if n % 3 == 0 {
            some = some.below(ProvinceId(128));
        }
        assert_eq!(tally.sum(&some), some.iter().map(|province| table[province.index()]).sum::<usize>());
        let province = ProvinceId(n);
        assert_eq!(usize::from(tally.of(province)), table[province.index()]);
        assert_eq!(tally.any().contains(province), table[province.index()] > 0);
        assert_eq!(tally.at_least_two().contains(province), table[province.index()] > 1);
    }
}

#[test]
fn the_larger_of_two_tallies_is_that_of_each_province() {
    let mut dice = Stream::keyed(2, Purpose::Bot, &[]);
    for _ in 0..200 {
        let mut random = || {
            let (mut tally, often) = (Tally::default(), dice.below(12));
            for _ in 0..dice.below(20) {
                tally.add((0..=255).map(ProvinceId).filter(|_| dice.below(12) < often).collect());
            }
            tally
        };
        let (one, mut other) = (random(), random());
        if one.of(ProvinceId(0)) % 2 == 0 {
            // Anything counted before clearing must not matter.
            let again = random();
            other.clear();
            other.raise_to(&again);
        }
        let mut both = one.clone();
        both.raise_to(&other);
        for province in (0..=255).map(ProvinceId) {
            assert_eq!(both.of(province), one.of(province).max(other.of(province)));
            assert_eq!(one.larger_than(&other).contains(province), one.of(province) > other.of(province));
        }
    }
}
