use super::super::quake::Touched;
use super::super::test_walk::walk;
use super::super::waterway::WaterwayRule;
use super::*;
use crate::ids::ProvinceSet;

/// Every quake that the map allows, tested one by one, in canonical order by definition.
fn plainly(map: &PlanarMap) -> Vec<Quake> {
    let mut all: Vec<Quake> =
        map.borders().map(Quake::Separation).filter(|&quake| map.allows(quake)).collect();
    let with_islands: ProvinceSet = map.further_cycles.iter().map(|&(face, _)| face).collect();
    for face in with_islands {
        let beyond: Vec<HalfEdgeId> = map.sides_of(face).map(HalfEdgeId::twin).collect();
        let pairs = beyond.iter().flat_map(|&x| beyond.iter().map(move |&y| Quake::Release([x, y])));
        all.extend(pairs.filter(|&quake| map.allows(quake)));
    }
    all.sort_by_cached_key(|quake| {
        let Touched { apart, together } = quake.touched(map);
        let is_release = matches!(quake, Quake::Release(_));
        (is_release, map.ranks(apart), map.ranks(together), quake.index(map))
    });
    all
}

#[test]
fn a_list_that_follows_a_map_is_that_of_the_map() {
    let (mut followed, mut releases, mut alike, mut again) = (0, 0, 0, 0);
    for number in 0..60 {
        let mut list: Option<QuakeList> = None;
        walk(number, 25, WaterwayRule::Tied, |before, after| {
            let own = list.get_or_insert_with(|| QuakeList::new(before.map()));
            own.follow(after.map());
            let expected = plainly(after.map());
            assert_eq!(own.as_slice(), expected);
            assert_eq!(after.map().quakes(), expected);
            followed += usize::from(after.map().remade().is_empty());
            again += usize::from(!after.map().remade().is_empty());
            releases += expected.iter().filter(|quake| matches!(quake, Quake::Release(_))).count();
            alike += expected.iter().filter(|quake| quake.index(after.map()).is_some()).count();
        });
    }
    assert!(
        followed > 500 && again > 300 && releases > 10_000 && alike > 500,
        "{followed} {again} {releases} {alike}"
    );
}
