//! Long random sequences of quakes, several at once, on the standard board and on small maps with many islands.
//! Possible quakes and contradictions are determined a second time, from printed neighbour lists and by trying.
//!
//! `UPHEAVAL_SLOW_TESTS=1` tries all sequences, a larger number this many times as many.

use std::collections::{BTreeMap, BTreeSet};

use crate::helpers::charts::{counts, report};
use crate::helpers::small_maps::{self, ISLES};
use crate::map::quaking::{is_pinch, listed, season, shaken, try_quake};
use testkit::{amount, tries_all};
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::isthmus::{Matter, WaterwayOption, WaterwayQuestion};
use upheaval::topology::report::MapReport;
use upheaval::topology::{BorderId, HalfEdgeId, NamedMap, PlanarMap, Quake, Waterway, WaterwayRule, atlas};

/// A walk of random seasons from a chart; `check` sees each map, with the dice.
fn walks(
    start: &NamedMap,
    map: u64,
    sequences: u64,
    steps: usize,
    mut check: impl FnMut(&NamedMap, &mut Stream),
) {
    for sequence in 0..amount(sequences.div_ceil(3), sequences.div_ceil(2)) {
        let mut dice = Stream::keyed(4004, Purpose::Bot, &[map, sequence]);
        let mut chart = start.clone();
        for _ in 0..steps {
            check(&chart, &mut dice);
            let season = season(&chart, &mut dice, 7);
            chart.begin_change();
            if let Ok(after) = shaken(&chart, &season) {
                chart = after;
            }
        }
    }
}

fn bare_standard() -> NamedMap {
    let mut chart = atlas::standard();
    chart.set_waterways(Vec::new());
    chart
}

fn maps() -> Vec<(NamedMap, u64, usize)> {
    let small = [ISLES, small_maps::POND, small_maps::MELON, small_maps::NESTED, small_maps::RING];
    let mut maps: Vec<(NamedMap, u64, usize)> =
        small.into_iter().map(|lines| (small_maps::chart(lines), 40, 8)).collect();
    maps.push((bare_standard(), 4, 10));
    maps
}

// ---- possible quakes, from neighbour lists ----

/// Every quake as text, from the printed boundaries alone.
fn by_lists(report: &MapReport) -> Vec<String> {
    type Key = (u8, [String; 2], [String; 2]);
    let sorted = |x: &str, y: &str| {
        let mut pair = [x.to_owned(), y.to_owned()];
        pair.sort();
        pair
    };
    let mut places: BTreeMap<Key, usize> = BTreeMap::new();
    for (a, face) in &report.faces {
        for cycle in &face.boundaries {
            for (i, b) in cycle.iter().enumerate().filter(|(_, b)| *b > a && cycle.len() > 1) {
                let (c, d) = (&cycle[(i + 1) % cycle.len()], &cycle[(i + cycle.len() - 1) % cycle.len()]);
                *places.entry((0, sorted(a, b), sorted(c, d))).or_default() += 1;
            }
        }
        for (i, one) in face.boundaries.iter().enumerate() {
            for (x, y) in face.boundaries[..i].iter().flatten().flat_map(|y| one.iter().map(move |x| (x, y)))
            {
                *places.entry((1, sorted(a, a), sorted(x, y))).or_default() += 1;
            }
        }
    }
    let mut texts = Vec::new();
    for ((kind, [a, b], [c, d]), count) in places {
        for n in 1..=count {
            let index = if count > 1 { format!(" #{n}") } else { String::new() };
            texts.push(match kind {
                0 => format!("separate {a} {b} connect {c} {d}{index}"),
                _ => format!("connect {c} {d} through {a}{index}"),
            });
        }
    }
    texts
}

#[test]
fn what_is_listed_is_what_the_neighbour_lists_allow_and_reads_back() {
    for (number, (chart, sequences, steps)) in maps().into_iter().enumerate() {
        walks(&chart, number as u64, sequences, steps, |chart, _| {
            let (map, texts) = (chart.map(), listed(chart));
            assert_eq!(texts, by_lists(&report(chart)));
            for (&quake, text) in map.quakes().iter().zip(&texts) {
                assert_eq!(try_quake(chart, text), Ok(quake), "{text}");
                assert!(map.allows(quake), "{text}");
            }
        });
    }
}

#[test]
fn only_what_is_listed_is_allowed() {
    for (number, (chart, ..)) in maps().into_iter().take(5).enumerate() {
        walks(&chart, 10 + number as u64, 6, 6, |chart, _| {
            let map = chart.map();
            let all: BTreeSet<Quake> = map.quakes().into_iter().collect();
            let sides: Vec<HalfEdgeId> = map.borders().flat_map(BorderId::sides).collect();
            for border in map.borders() {
                let quake = Quake::Separation(border);
                assert_eq!(map.allows(quake), all.contains(&quake));
            }
            for (&x, &y) in sides.iter().flat_map(|x| sides.iter().map(move |y| (x, y))) {
                let quake = Quake::Release([x, y]);
                assert_eq!(map.allows(quake), all.contains(&quake));
            }
        });
    }
}

#[test]
fn what_is_listed_can_be_done_alone_and_keeps_every_face() {
    for (number, (chart, sequences, steps)) in maps().into_iter().enumerate() {
        let kinds =
            |report: &MapReport| -> Vec<&str> { report.faces.values().map(|face| face.kind).collect() };
        let steps = if tries_all() { steps } else { 2 };
        walks(&chart, 20 + number as u64, sequences / 2 + 1, steps, |chart, _| {
            let (map, before) = (chart.map(), report(chart));
            for quake in map.quakes() {
                let text = quake.event(map).to_string();
                let after = shaken(chart, &[quake]).unwrap_or_else(|e| panic!("{text}: {e}"));
                assert_ne!(after.map().hash(), map.hash(), "{text}");
                let [_, borders, _, components] = counts(chart);
                let expected = match quake {
                    Quake::Separation(_) if !is_pinch(quake, map) => [borders, components],
                    Quake::Separation(_) => [counts(&after)[1], components + 1],
                    Quake::Release(_) => [counts(&after)[1], components - 1],
                };
                assert_eq!([counts(&after)[1], counts(&after)[3]], expected, "{text}");
                if counts(&after)[1] == borders {
                    assert_eq!(kinds(&report(&after)), kinds(&before));
                }
                taken_back(chart, &before, quake, &after);
            }
        });
    }
}

/// The reverse of a quake gives the map as it was.
fn taken_back(chart: &NamedMap, before: &MapReport, quake: Quake, after: &NamedMap) {
    let (map, touched) = (chart.map(), quake.touched(chart.map()));
    let text = quake.event(map).to_string();
    let reverse: Vec<Quake> = match quake {
        Quake::Separation(_) if !is_pinch(quake, map) => vec![quake],
        _ => {
            // The faces that were driven apart touch again, at one place or another.
            let fits = |other: &Quake| {
                let back = other.touched(after.map());
                let same = |x: [_; 2], y: [_; 2]| x == y || x == [y[1], y[0]];
                same(back.apart, touched.together) && same(back.together, touched.apart)
            };
            after.map().quakes().into_iter().filter(fits).collect()
        }
    };
    let restores = |reverse: &Quake| {
        let back = shaken(after, &[*reverse]).expect("it is listed");
        back.map().hash() == map.hash() && report(&back) == *before
    };
    assert!(reverse.iter().any(restores), "{text} is not taken back");
}

#[test]
fn an_index_picks_the_place_in_print() {
    let mut seen = 0;
    walks(&small_maps::chart(ISLES), 30, 60, 8, |chart, _| {
        let (map, before) = (chart.map(), report(chart));
        for quake in map.quakes() {
            let text = quake.event(map).to_string();
            let Some((words, index)) = text.split_once(" #") else { continue };
            let (words, index): (Vec<&str>, usize) =
                (words.split(' ').collect(), index.parse().expect("a number"));
            // The position in the printed boundaries of the first-named face, which contains the result of the quake.
            let (reader, across, place, inserted) = match words[..] {
                ["separate", a, b, "connect", c, d] if c != d => (a, b, index, [c, d]),
                ["connect", a, c, "through", b] if a < b => {
                    let of_c = before.faces[c].boundaries.iter().flatten().filter(|x| *x == b).count();
                    (a, b, (index - 1) / of_c + 1, [c, c])
                }
                _ => continue,
            };
            let fits = |cycle: &[String], i: usize| {
                let n = cycle.len();
                let mut ends = [&*cycle[(i + 1) % n], &*cycle[(i + n - 1) % n]];
                ends.sort_unstable();
                cycle[i] == across && (words[0] == "connect" || ends == inserted)
            };
            let mut cycles = before.faces[reader].boundaries.clone();
            let places: Vec<(usize, usize)> = (0..cycles.len())
                .flat_map(|j| (0..cycles[j].len()).map(move |i| (j, i)))
                .filter(|&(j, i)| fits(&cycles[j], i))
                .collect();
            let (j, i) = places[place - 1];
            if words[0] == "separate" {
                cycles[j].remove(i);
            } else if cycles[j].len() == 1 {
                cycles[j].push(inserted[0].to_owned());
            } else {
                cycles[j].splice(i..=i, [across, inserted[0], across].map(str::to_owned));
            }
            for cycle in &mut cycles {
                let turns = 0..cycle.len();
                let best = turns.min_by_key(|&turn| [&cycle[turn..], &cycle[..turn]].concat()).unwrap_or(0);
                cycle.rotate_left(best);
            }
            cycles.sort();
            let after = report(&shaken(chart, &[quake]).expect("it is listed"));
            assert_eq!(after.faces[reader].boundaries, cycles, "{text}");
            seen += 1;
        }
    });
    assert!(seen > 100, "{seen}");
}

// ---- contradictions, by trying ----

/// The corners of a border: each as the lowest of the sides that end there.
fn corners(map: &PlanarMap, border: BorderId) -> Vec<HalfEdgeId> {
    border
        .sides()
        .into_iter()
        .map(|side| {
            let (mut lowest, mut at) = (side, map.next(side).twin());
            while at != side {
                lowest = lowest.min(at);
                at = map.next(at).twin();
            }
            lowest
        })
        .collect()
}

/// Is `then` still possible, at the same place, after `first`?
fn works_after(chart: &NamedMap, first: Quake, then: Quake) -> bool {
    let touched = then.touched(chart.map());
    let after = shaken(chart, &[first]).expect("it is listed");
    let places = |touched: upheaval::topology::Touched| {
        let sorted = |pair: [_; 2]| BTreeSet::from(pair);
        (sorted(touched.apart), sorted(touched.together))
    };
    after.map().allows(then) && places(then.touched(after.map())) == places(touched)
}

#[test]
fn quakes_contradict_each_other_when_one_after_the_other_cannot_be_done() {
    let mut seen = [0; 3];
    for (number, (chart, sequences, steps)) in maps().into_iter().enumerate() {
        walks(&chart, 50 + number as u64, sequences, steps, |chart, dice| {
            let (map, all) = (chart.map(), chart.map().quakes());
            for _ in 0..60 {
                let (Some(&x), Some(&y)) = (dice.choose(&all), dice.choose(&all)) else { return };
                if x == y {
                    continue;
                }
                let meet =
                    |x: BorderId, y: BorderId| corners(map, x).iter().any(|at| corners(map, y).contains(at));
                let expected = match (x, y) {
                    (Quake::Separation(x), Quake::Separation(y)) => meet(x, y),
                    // A separation that merges a stretch leaves it under another name: only the other order is tried.
                    (Quake::Separation(border), Quake::Release(sides))
                    | (Quake::Release(sides), Quake::Separation(border)) => {
                        let release = Quake::Release(sides);
                        let merges = is_pinch(Quake::Separation(border), map)
                            && sides
                                .iter()
                                .any(|side| meet(side.border(), border) && side.border() != border);
                        !works_after(chart, release, Quake::Separation(border))
                            || !merges && !works_after(chart, Quake::Separation(border), release)
                    }
                    (Quake::Release(_), Quake::Release(_)) => {
                        !works_after(chart, x, y) || !works_after(chart, y, x)
                    }
                };
                let kind = [x, y].iter().filter(|q| matches!(q, Quake::Release(_))).count();
                seen[kind] += usize::from(expected);
                let texts = [x, y].map(|quake| quake.event(map).to_string());
                assert_eq!(x.contradicts(y, map), expected, "{texts:?}");
                assert_eq!(y.contradicts(x, map), expected, "{texts:?}");
                assert_eq!(shaken(chart, &[x, y]).is_err(), expected, "{texts:?}");
            }
        });
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
}

// ---- several at once ----

#[test]
fn what_would_cut_a_face_together_is_found_in_its_smallest_sets() {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, (chart, sequences, steps)) in maps().into_iter().enumerate() {
        walks(&chart, 70 + number as u64, sequences * 2, steps, |chart, dice| {
            let season = season(chart, dice, 9);
            let releases: Vec<usize> =
                (0..season.len()).filter(|&i| matches!(season[i], Quake::Release(_))).collect();
            let mut cutting: Vec<Vec<usize>> = Vec::new();
            for set in 0u32..1 << releases.len() {
                let members: Vec<usize> =
                    (0..releases.len()).filter(|i| set >> i & 1 != 0).map(|i| releases[i]).collect();
                let done: Vec<Quake> = (0..season.len())
                    .filter(|i| !releases.contains(i) || members.contains(i))
                    .map(|i| season[i])
                    .collect();
                if shaken(chart, &done).is_err() {
                    cutting.push(members);
                }
            }
            let all = cutting.clone();
            cutting.retain(|set| {
                !all.iter().any(|other| other != set && other.iter().all(|member| set.contains(member)))
            });
            cutting.sort();
            let mut found = chart.map().cutting_sets(&season);
            found.sort();
            assert_eq!(found, cutting);
            for set in found {
                *sizes.entry(set.len()).or_default() += 1;
            }
        });
    }
    assert!(sizes.get(&3).is_some_and(|&n| n > 10) && sizes.get(&4).is_some_and(|&n| n > 3), "{sizes:?}");
}

#[test]
fn several_at_once_are_the_same_in_any_order_and_one_after_the_other() {
    let mut in_turn = 0;
    for (number, (chart, sequences, steps)) in maps().into_iter().enumerate() {
        walks(&chart, 90 + number as u64, sequences, steps, |chart, dice| {
            let map = chart.map();
            let mut season = season(chart, dice, 7);
            let cut: BTreeSet<usize> = map.cutting_sets(&season).concat().into_iter().collect();
            season = (0..season.len()).filter(|i| !cut.contains(i)).map(|i| season[i]).collect();
            let texts: Vec<String> = season.iter().map(|quake| quake.event(map).to_string()).collect();
            let at_once = shaken(chart, &season).unwrap_or_else(|e| panic!("{texts:?}: {e}"));
            for _ in 0..3 {
                dice.shuffle(&mut season);
                let again = shaken(chart, &season).unwrap_or_else(|e| panic!("{texts:?}: {e}"));
                assert_eq!(again.map().hash(), at_once.map().hash(), "{texts:?}");
                assert_eq!(listed(&again), listed(&at_once), "{texts:?}");
            }
            // One after the other, unless two releases share a stretch, now or after a separation has merged two.
            let stretches: Vec<BorderId> = season
                .iter()
                .filter_map(|quake| if let Quake::Release(sides) = quake { Some(sides) } else { None })
                .flat_map(|sides| sides.map(HalfEdgeId::border))
                .collect();
            let shared = (1..stretches.len()).any(|i| stretches[..i].contains(&stretches[i]));
            let merged = season.iter().any(|&quake| {
                let Quake::Separation(border) = quake else { return false };
                let near = corners(map, border);
                let meets = |x: &BorderId| corners(map, *x).iter().any(|at| near.contains(at));
                is_pinch(quake, map) && stretches.iter().any(meets)
            });
            if shared || merged {
                return;
            }
            let mut one = chart.clone();
            while !season.is_empty() {
                let Some(next) = season.iter().position(|&quake| one.map().allows(quake)) else {
                    panic!("{texts:?}: nothing can be done next")
                };
                one = shaken(&one, &[season.remove(next)]).expect("it is allowed");
            }
            assert_eq!(one.map().hash(), at_once.map().hash(), "{texts:?}");
            in_turn += 1;
        });
    }
    assert!(in_turn > 300, "{in_turn}");
}

// ---- waterways ----

/// An answer that depends on the question alone.
fn answer(question: &WaterwayQuestion, salt: u32) -> Option<WaterwayOption> {
    use WaterwayOption::{Canal, Delete, Keep, Nothing, Strait, Terminus};
    let options: Vec<WaterwayOption> = match question.matter {
        Matter::NewIsthmus { between } => {
            let [low, high] = if between[0] < between[1] { between } else { [between[1], between[0]] };
            vec![Strait, Canal(low), Canal(high), Nothing]
        }
        Matter::StraitCut { through, .. } => {
            through.iter().map(Canal).chain([Delete]).chain(through.iter().map(Canal)).collect()
        }
        Matter::CanalMoved { .. } => vec![Keep, Delete, Keep],
        Matter::CanalForked { to, .. } => to.map(Terminus).to_vec(),
    };
    assert!(options.iter().all(|&option| question.matter.takes(option)));
    options.get(salt as usize % (options.len() + 1)).copied()
}

#[test]
fn waterways_stay_sound_and_do_not_hang_on_the_order_of_the_orders() {
    let mut chart = atlas::standard();
    chart.set_waterway_rule(WaterwayRule::Isthmuses);
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    for sequence in 0..amount(15, 60) {
        let mut dice = Stream::keyed(9009, Purpose::Bot, &[sequence]);
        let mut chart = chart.clone();
        for _ in 0..12 {
            let mut season = season(&chart, &mut dice, 7);
            let salt = dice.below(60);
            let mut answered = |question: &WaterwayQuestion| {
                *asked
                    .entry(match question.matter {
                        Matter::NewIsthmus { .. } => "new",
                        Matter::StraitCut { .. } => "cut",
                        Matter::CanalMoved { .. } => "moved",
                        Matter::CanalForked { .. } => "forked",
                    })
                    .or_default() += 1;
                assert!(!question.by.is_empty(), "somebody has brought it about: {question:?}");
                answer(question, salt)
            };
            let mut after = chart.clone();
            after.begin_change();
            if after.shake(&season, &mut answered).is_err() {
                assert_eq!(after.map().hash(), chart.map().hash());
                continue;
            }
            assert_eq!(after.map().faults(), Vec::<String>::new());
            let printed = report(&after);
            for way in &printed.waterways {
                let sea = |end: &String| printed.faces[end].kind == "sea";
                assert!(way.ends.len() == 2 && way.ends.iter().all(sea), "{way:?}");
                if way.kind == "strait" {
                    let between = [way.within[0].clone(), way.within[1].clone()];
                    assert!(printed.isthmuses.contains(&between), "{way:?}");
                }
            }
            dice.shuffle(&mut season);
            let mut again = chart.clone();
            again.shake(&season, &mut |question| answer(question, salt)).expect("as before");
            assert_eq!(report(&again), printed);
            assert_eq!(again.map().hash(), after.map().hash());
            chart = after;
        }
    }
    let often = |kind| asked.get(kind).is_some_and(|&n| n > if tries_all() { 5 } else { 0 });
    assert!(["new", "cut", "moved"].into_iter().all(often), "{asked:?}");
}

/// The same map after many separations that were taken back, so that nearly every border was touched since the change
/// began. Returns how many were not.
fn stirred(chart: &NamedMap) -> (NamedMap, usize) {
    let map = chart.map();
    let mut stirred = chart.clone();
    stirred.set_waterway_rule(WaterwayRule::Tied);
    let mut touched: BTreeSet<BorderId> = BTreeSet::new();
    for quake in map.quakes() {
        let Quake::Separation(border) = quake else { continue };
        let beside = border.sides().into_iter().flat_map(|side| [map.next(side), map.prev(side)]);
        let around: BTreeSet<BorderId> = beside.map(HalfEdgeId::border).chain([border]).collect();
        if !is_pinch(quake, map) && !around.is_subset(&touched) {
            // The second time puts the border back with its sides exchanged, the fourth as it was.
            for _ in 0..4 {
                stirred.quake(quake).expect("it is listed, and so is its reverse");
            }
            touched.extend(around);
        }
    }
    stirred.set_waterway_rule(WaterwayRule::Isthmuses);
    assert_eq!(stirred.map().hash(), map.hash());
    (stirred, map.borders().filter(|border| !touched.contains(border)).count())
}

/// Chooses water wherever it is possible, in one way or another.
fn advise(question: &WaterwayQuestion) -> Option<WaterwayOption> {
    match question.matter {
        Matter::NewIsthmus { between: [x, y] } if x.0 % 2 == 0 => Some(WaterwayOption::Canal(y)),
        Matter::NewIsthmus { .. } => Some(WaterwayOption::Strait),
        Matter::StraitCut { through, .. } => through.first().map(WaterwayOption::Canal),
        Matter::CanalForked { to: [_, last], .. } => Some(WaterwayOption::Terminus(last)),
        Matter::CanalMoved { .. } => None,
    }
}

/// Waterways and borders are examined only near a border that was touched; where nearly all were, the result is the same.
#[test]
fn only_what_is_near_a_touched_border_changes_with_waterways() {
    let (mut stood, mut gone, mut questions) = (0, 0, 0);
    let (mut borders, mut untouched) = (0, 0);
    for number in 0..amount(10, 100) {
        let mut dice = Stream::keyed(4006, Purpose::Bot, &[number]);
        let mut chart = atlas::standard();
        chart.set_waterway_rule(WaterwayRule::Isthmuses);
        for _ in 0..20 {
            chart.begin_change();
            let most = 1 + dice.below(7) as usize;
            let season = season(&chart, &mut dice, most);
            let (mut thorough, left) = stirred(&chart);
            (borders, untouched) = (borders + counts(&chart)[1], untouched + left);
            let waterways = |chart: &NamedMap| chart.map().waterways().cloned().collect::<Vec<Waterway>>();
            let before = waterways(&chart);
            let [(result, asked), (expected, all_asked)] = [&mut chart, &mut thorough].map(|chart| {
                let mut asked = Vec::new();
                let result = chart.shake(&season, &mut |question| {
                    asked.push(question.clone());
                    advise(question)
                });
                (result, asked)
            });
            assert_eq!((&result, &asked), (&expected, &all_asked));
            let after = waterways(&chart);
            assert_eq!(after, waterways(&thorough));
            assert_eq!(chart.map().hash(), thorough.map().hash());
            stood += before.iter().filter(|own| after.contains(own)).count();
            gone += before.iter().filter(|own| !after.contains(own)).count();
            questions += asked.len();
        }
    }
    let often = |count: usize, few: u64, many: u64| count as u64 > amount(few, many);
    assert!(
        often(stood, 300, 5_000) && often(gone, 25, 500) && often(questions, 50, 1_000),
        "{stood} {gone} {questions}"
    );
    assert!(50 * untouched < borders, "{untouched} of {borders}");
}
