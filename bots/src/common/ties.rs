//! Ties, which the dice break: nothing that a bot decides depends on names, numbers or the order of a list.

use upheaval_engine::rng::Stream;

/// The item with the least key; of several, each equally likely.
pub(crate) fn least<T, K: Ord>(
    items: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
    dice: &mut Stream,
) -> Option<T> {
    let mut best: Option<(K, T)> = None;
    // The number of items with the least key so far.
    let mut equals = 0;
    for item in items {
        let key = key(&item);
        match &best {
            Some((least, _)) if key > *least => continue,
            Some((least, _)) if key == *least => equals += 1,
            _ => equals = 1,
        }
        // The last of n items with the least key takes the place of the others in one of n cases.
        if equals == 1 || dice.below(equals) == 0 {
            best = Some((key, item));
        }
    }
    best.map(|(_, item)| item)
}

/// Sorts items by their keys; those with equal keys come in any order, each equally likely.
pub(crate) fn sort<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K, dice: &mut Stream) {
    items.sort_unstable_by_key(&key);
    items.chunk_by_mut(|a, b| key(a) == key(b)).for_each(|equals| dice.shuffle(equals));
}

#[cfg(test)]
mod tests {
    use upheaval_engine::rng::Purpose;

    use super::*;

    #[test]
    fn each_of_equal_items_is_the_least_equally_often() {
        let dice = &mut Stream::keyed(1, Purpose::Bot, &[]);
        let mut counts = [0; 6];
        for _ in 0..3_000 {
            counts[least(0..6, |n| n % 2, dice).expect("there are six")] += 1;
        }
        let [a, _, b, _, c, _] = counts;
        assert_eq!(a + b + c, 3_000, "{counts:?}");
        // Six standard errors.
        assert!([a, b, c].iter().all(|count| (845..1155).contains(count)), "{counts:?}");
        assert_eq!(least(0..0, |n| *n, dice), None);
    }

    #[test]
    fn equal_items_are_sorted_into_each_order_equally_often() {
        let dice = &mut Stream::keyed(1, Purpose::Bot, &[]);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut items = [(0, 'a'), (1, 'b'), (0, 'c'), (1, 'd'), (0, 'e')];
            sort(&mut items, |item| item.0, dice);
            assert!(items.is_sorted_by_key(|item| item.0), "{items:?}");
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 12, "{counts:?}");
        assert!(counts.values().all(|count| (372..628).contains(count)), "{counts:?}");
    }
}
