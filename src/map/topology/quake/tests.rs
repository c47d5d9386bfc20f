use super::super::test_walk::walk;
use super::super::waterway::WaterwayRule;
use super::*;
use crate::rng::{Purpose, Stream};

#[test]
fn quakes_are_put_in_order_and_compared_as_each_by_itself() {
    let (mut pairs, mut alike, mut twice) = (0, 0, 0);
    for number in 0..40 {
        let mut dice = Stream::keyed(4007, Purpose::Bot, &[number]);
        // Even-numbered walks consist of quakes alone: the codes are those of the board, none of which is a
        // prefix of another.
        walk(2 * number, 25, WaterwayRule::Tied, |_, chart| {
            let map = chart.map();
            let all = map.quakes();
            let drawn = dice.below(24) as usize;
            // Quakes from a few places, so that they interact; or from places that only an index
            // distinguishes, if there are any; or from anywhere.
            let indexed: Vec<Quake> =
                all.iter().copied().filter(|quake| quake.index(map).is_some()).collect();
            let from = match dice.below(3) {
                0 if !indexed.is_empty() => &indexed[..],
                1 => &all[..20.min(all.len())],
                _ => &all[..],
            };
            let mut draw = || from[dice.below(from.len() as u32) as usize];
            let quakes: Vec<Quake> = (0..drawn).map(|_| draw()).collect();

            let expected: Vec<[usize; 2]> = (0..drawn)
                .flat_map(|i| (i + 1..drawn).map(move |j| [i, j]))
                .filter(|&[i, j]| quakes[i].contradicts(quakes[j], map))
                .collect();
            assert_eq!(map.contradictions(&quakes).collect::<Vec<_>>(), expected);
            pairs += expected.len();

            let mut listed: Vec<Quake> = all.iter().copied().filter(|quake| quakes.contains(quake)).collect();
            assert_eq!(map.in_order(&quakes), listed);
            listed.sort_by_cached_key(|quake| quake.event(map).to_string());
            assert_eq!(map.in_order_of_texts(&quakes), listed);
            alike += listed.iter().filter(|quake| quake.index(map).is_some()).count();
            twice += quakes.len() - listed.len();
        });
    }
    assert!(pairs > 1_000 && alike > 50 && twice > 500, "{pairs} {alike} {twice}");
}
