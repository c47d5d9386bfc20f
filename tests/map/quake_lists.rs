//! The list of a map's quakes, which follows the map, and the order of some of them.

use crate::map::walks::walk;
use testkit::amount;
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{HalfEdgeId, PlanarMap, Quake, QuakeList, Touched, WaterwayRule};

/// Its index among the quakes with the same faces; `None` if it is the only one.
fn index(quake: Quake, map: &PlanarMap) -> Option<usize> {
    let text = quake.event(map).to_string();
    text.split_once(" #").map(|(_, index)| index.parse().expect("a number"))
}

#[test]
fn quakes_are_put_in_order_and_compared_as_each_by_itself() {
    let (mut pairs, mut alike, mut twice) = (0, 0, 0);
    for number in 0..amount(12, 40) {
        let mut dice = Stream::keyed(4007, Purpose::Bot, &[number]);
        // Walks with an even number consist of quakes: the codes are those of the board, none of which is a prefix of
        // another.
        walk(2 * number, 25, WaterwayRule::Tied, |_, chart| {
            let map = chart.map();
            let all = map.quakes();
            let drawn = dice.below(24) as usize;
            // Quakes from a few places, so that they interact; or from places that only an index distinguishes, if
            // there are any; or from anywhere.
            let indexed: Vec<Quake> =
                all.iter().copied().filter(|&quake| index(quake, map).is_some()).collect();
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
            alike += listed.iter().filter(|quake| indexed.contains(quake)).count();
            twice += quakes.len() - listed.len();
        });
    }
    let often = |count: usize, few: u64, many: u64| count as u64 > amount(few, many);
    assert!(
        often(pairs, 300, 1_000) && often(alike, 15, 50) && often(twice, 150, 500),
        "{pairs} {alike} {twice}"
    );
}

/// Every quake that the map allows, tested one by one, in canonical order by definition; with its index.
fn plainly(map: &PlanarMap) -> Vec<(Quake, Option<usize>)> {
    let mut all: Vec<Quake> =
        map.borders().map(Quake::Separation).filter(|&quake| map.allows(quake)).collect();
    for (face, _) in map.faces().filter(|&(face, _)| map.cycles_of(face).count() > 1) {
        let beyond: Vec<HalfEdgeId> = map.sides_of(face).map(HalfEdgeId::twin).collect();
        let pairs = beyond.iter().flat_map(|&x| beyond.iter().map(move |&y| Quake::Release([x, y])));
        all.extend(pairs.filter(|&quake| map.allows(quake)));
    }
    let mut all: Vec<_> = all.into_iter().map(|quake| (quake, index(quake, map))).collect();
    all.sort_by_cached_key(|&(quake, index)| {
        let Touched { apart, together } = quake.touched(map);
        let [apart, together] = [apart, together].map(|faces| {
            let mut ranks = faces.map(|face| map.rank(face));
            ranks.sort_unstable();
            ranks
        });
        (matches!(quake, Quake::Release(_)), apart, together, index)
    });
    all
}

#[test]
fn a_list_that_follows_a_map_is_that_of_the_map() {
    let (mut followed, mut releases, mut alike, mut again) = (0, 0, 0, 0);
    for number in 0..amount(20, 80) {
        let mut list: Option<QuakeList> = None;
        walk(number, 25, WaterwayRule::Tied, |before, after| {
            let own = list.get_or_insert_with(|| QuakeList::new(before.map()));
            own.follow(after.map());
            let (expected, indices): (Vec<Quake>, Vec<_>) = plainly(after.map()).into_iter().unzip();
            assert_eq!(own.as_slice(), expected);
            assert_eq!(after.map().quakes(), expected);
            followed += usize::from(after.map().remade().is_empty());
            again += usize::from(!after.map().remade().is_empty());
            releases += expected.iter().filter(|quake| matches!(quake, Quake::Release(_))).count();
            alike += indices.iter().flatten().count();
        });
    }
    let often = |count: usize, few: u64, many: u64| count as u64 > amount(few, many);
    assert!(
        often(followed, 125, 500)
            && often(again, 75, 300)
            && often(releases, 2_500, 10_000)
            && often(alike, 40, 400),
        "{followed} {again} {releases} {alike}"
    );
}
