//! The hash of a map and its numbers of borders, corners and border graphs, which follow the map: after any changes
//! they are those that the definition gives.

use crate::map::walks::{Kind, shakes};
use testkit::amount;
use upheaval::ids::ProvinceId;
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{BorderId, HalfEdgeId, PlanarMap, Waterway, WaterwayRule, atlas};

/// The borders without corners.
fn loops(map: &PlanarMap) -> usize {
    map.borders().filter(|border| map.flanks(border.sides()[0]).is_none()).count()
}

#[test]
fn borders_corners_and_graphs_are_as_many_as_are_found_one_by_one() {
    let mut looped = 0;
    for game in 0..amount(15, 60) {
        let mut dice = Stream::keyed(game, Purpose::Nature("counts"), &[]);
        let mut chart = atlas::standard();
        for step in 0..60 {
            let kind = match dice.below(6) {
                0 | 1 => Kind::drawn(&mut dice),
                2 | 3 => Kind::Split,
                _ => Kind::Quake,
            };
            kind.happens(&mut chart, &mut dice);
            // Among the faults would be a number that differs from the one found one by one.
            assert_eq!(chart.map().faults(), Vec::<String>::new(), "game {game}, step {step}");
            looped += loops(chart.map());
        }
    }
    assert!(looped as u64 > amount(5, 20), "{looped}");
}

/// The hash, computed without a shortcut.
fn plainly(map: &PlanarMap) -> u64 {
    borders_hashed(map).wrapping_add(faces_hashed(map))
}

/// The part of the hash that depends on what the faces are made of.
fn faces_hashed(map: &PlanarMap) -> u64 {
    let hashes = map.faces().map(|(id, face)| {
        let is_marked = u64::from(map.archipelagos().contains(id));
        let made_of = is_marked << 16 | (face.kind() as u64) << 8 | face.state() as u64;
        Stream::ranked(made_of, face.key()).next_u64()
    });
    hashes.fold(0, u64::wrapping_add)
}

/// The part of the hash that depends on the borders.
fn borders_hashed(map: &PlanarMap) -> u64 {
    let at_waterway = at_waterways(map);
    // The names in order; from here on a face is its rank among them.
    let faces = map.names().sorted();
    let mut text: Vec<u8> = Vec::new();
    for &id in faces {
        text.extend(map.name(id).as_bytes());
        text.push(0);
    }
    // The rank of the face across, and whether a waterway ends or crosses there.
    let written =
        |&side: &HalfEdgeId| [map.rank(map.across(side)), u8::from(at_waterway.contains(&side.border()))];
    for &id in faces {
        let cycles = map.printed_cycles(id);
        let cycles = cycles.iter().map(|cycle| cycle.iter().flat_map(written).collect());
        let mut cycles: Vec<Vec<u8>> = cycles.collect();
        cycles.sort_unstable();
        text.push(cycles.len() as u8);
        for cycle in cycles {
            text.extend((cycle.len() as u16).to_le_bytes());
            text.extend(cycle);
        }
    }
    let hash = blake3::hash(&text);
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
}

/// The borders at which a waterway in force ends or that one crosses, tested border by border.
fn at_waterways(map: &PlanarMap) -> Vec<BorderId> {
    let lies_at = |border: &BorderId| {
        let owners = border.sides().map(|side| map.owner(side));
        map.waterways().any(|waterway| match waterway {
            Waterway::Canal { province, ends, .. } => {
                owners.contains(province) && ends.iter().any(|end| end.contains(*border))
            }
            Waterway::Strait { border: own, .. } => own == border,
            Waterway::Passage { province, seas } => {
                owners.contains(province) && seas.iter().any(|sea| owners.contains(sea))
            }
        })
    };
    map.borders().filter(lies_at).collect()
}

#[test]
fn what_faces_are_made_of_is_added_up_right_however_they_change() {
    let mut islands = 0;
    for game in 0..20 {
        let mut dice = Stream::keyed(game, Purpose::Nature("faces"), &[]);
        let mut chart = atlas::standard();
        for step in 0..60 {
            Kind::drawn(&mut dice).happens(&mut chart, &mut dice);
            let map = chart.map();
            // Earlier queries must not affect the result.
            if dice.below(3) > 0 {
                assert_eq!(map.hash(), plainly(map), "game {game}, step {step}");
            }
            islands += map.archipelagos().len();
        }
    }
    assert!(islands > 20, "{islands}");
}

/// The text of the borders that is hashed is made of the last one that was hashed.
#[test]
fn a_text_that_follows_its_map_is_the_one_written_anew() {
    let (mut several, mut looped, mut slept, mut split) = (0, 0, 0, 0);
    for (board, chart) in (0..).zip(atlas::shipped().filter_map(atlas::find)) {
        for game in 0..amount(4, 24) {
            let mut dice = Stream::keyed(game, Purpose::Nature("texts"), &[board]);
            let mut chart = chart.clone();
            if game % 2 == 0 {
                chart.set_waterway_rule(WaterwayRule::Isthmuses);
            }
            // If waterways are tied to their borders, the board has these, in force or asleep.
            let mut waterways = if game % 2 == 0 { 0 } else { chart.map().waterways().count() };
            for step in 0..40 {
                let mut changed = chart.clone();
                for _ in 0..1 + dice.below(3) {
                    if dice.below(3) > 0 {
                        changed.begin_change();
                    }
                    if dice.below(2) == 0 {
                        shakes(&mut changed, &mut dice);
                    } else {
                        let kind = Kind::drawn(&mut dice);
                        kind.happens(&mut changed, &mut dice);
                        waterways = if kind == Kind::NoWaterways { 0 } else { waterways };
                    }
                    // Sometimes nothing is queried for several steps.
                    if dice.below(2) == 0 {
                        assert_eq!(changed.map().hash(), plainly(changed.map()), "{board}, {game}, {step}");
                    }
                }
                // A clone is asked, so that the map has still to follow from where it was asked last.
                let map = changed.map();
                assert_eq!(map.clone().hash(), plainly(map), "{board}, {game}, {step}");
                several += map.faces().filter(|&(id, _)| map.cycles_of(id).count() > 1).count();
                looped += loops(map);
                slept += usize::from(map.waterways().count() < waterways);
                split += usize::from(map.faces().count() > chart.map().faces().count());
                chart = changed;
            }
        }
    }
    let seen = [several, looped, slept, split];
    assert!(
        seen.iter().all(|&times| times as u64 > amount(4, 20)),
        "islands, loops, waterways asleep, splits: {seen:?}"
    );
}

#[test]
fn a_text_is_written_anew_where_a_half_does_not_stand_where_the_whole_did() {
    let file = include_str!("../../maps/standard.json").replace("\"GAS\"", "\"BUR.0\"");
    let mut chart = atlas::parse("changed.json", &file).expect("it has another code and nothing else is new");
    for (name, keeps_order) in [("PAR", true), ("BUR", false)] {
        assert_eq!(chart.map().hash(), plainly(chart.map()), "before {name}");
        let before: Vec<ProvinceId> = chart.map().names().sorted().to_vec();
        chart.begin_change();
        let whole = chart.map().find(name).expect("a province");
        let sides: Vec<HalfEdgeId> = chart.map().sides_of(whole).collect();
        chart.split(sides[0], sides[2]).expect("they are two borders");
        let map = chart.map();
        let after: Vec<ProvinceId> =
            map.names().sorted().iter().copied().filter(|id| before.contains(id)).collect();
        assert_eq!(after == before, keeps_order, "{name}");
        assert_eq!(map.hash(), plainly(map), "{name}");
    }
}
