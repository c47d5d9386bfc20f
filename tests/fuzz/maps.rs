//! Changes of a map, one after another, with the derivation as oracle: the map is valid, and the tables that were
//! derived step by step equal those of a derivation from the whole map. One target compares after each change, in all
//! that is printed; the other writes no text, compares each 64th map, and finds the faulty change by a second walk.

use super::inputs;
use crate::helpers::drawn_events::draw_event;
use upheaval::ids::ProvinceId;
use upheaval::rng::Stream;
use upheaval::rules::map_tables::MapTables;
use upheaval::topology::report::MapReport;
use upheaval::topology::{FaceKind, MapEvent, Quake, atlas, derive};

/// Changes in a row.
const STEPS: usize = 24;

/// Boards of every size, to begin with.
fn boards() -> [MapTables; 4] {
    ["standard", "deluge", "ancient-mediterranean", "modern"].map(|name| {
        let text = testkit::read(&format!("maps/{name}.json"));
        MapTables::new(atlas::parse(name, &text).expect("a map that ships"))
    })
}

#[test]
fn surgeries_in_a_row_leave_what_a_whole_derivation_finds_and_refused_ones_change_nothing() {
    let boards = boards();
    let (mut done, mut refused) = (0_u64, 0_u64);
    let numbered = inputs("surgeries", 20);
    let are_many = numbered.are_many();
    for mut input in numbered {
        let mut terrain = input.dice.choose(&boards).expect("a board").clone();
        let mut events = Vec::new();
        for _ in 0..STEPS {
            let report = MapReport::new(terrain.chart(), terrain.board());
            let event = draw_event(&report, &mut input.dice);
            let parsed: MapEvent = event.parse().unwrap_or_else(|error| panic!("{event}: {error}"));
            let before = terrain.hash();
            events.push(event);
            match terrain.change(|chart| parsed.apply(chart)) {
                Ok(_) => done += 1,
                Err(_) => {
                    refused += 1;
                    assert_eq!(terrain.hash(), before, "{events:?}");
                    let after = MapReport::new(terrain.chart(), terrain.board());
                    assert_eq!(after, report, "{events:?}");
                }
            }
            let map = terrain.chart().map();
            assert_eq!(map.faults(), Vec::<String>::new(), "{events:?}");
            let step_by_step = MapReport::new(terrain.chart(), terrain.board());
            let whole = MapReport::new(terrain.chart(), &derive(map));
            assert_eq!(step_by_step, whole, "{events:?}");
        }
    }
    println!("{done} surgeries done, {refused} refused");
    assert!(done > 0 && refused > 0 || !are_many);
}

/// Changes of a walk: by then most of a board has changed, and splits have not filled it yet.
const WALK: usize = 256;

/// How many changes lie between two looks at the whole.
const BETWEEN: usize = 64;

/// How many changes lie between two of which it is looked at whether a refusal has changed anything.
const REFUSALS: usize = 8;

/// Makes a change drawn at random, of any kind; was it done?
fn change(terrain: &mut MapTables, dice: &mut Stream) -> bool {
    let map = terrain.chart().map();
    let faces: Vec<ProvinceId> = map.faces().map(|(id, _)| id).collect();
    let id = *dice.choose(&faces).expect("a map has faces");
    match dice.below(21) {
        0 | 1 => terrain.change(|chart| chart.collapse(id)).is_ok(),
        2 => terrain.change(|chart| chart.void(id)).is_ok(),
        3..=5 => {
            let holes: Vec<ProvinceId> = (map.holes() | map.of_kind(FaceKind::Ice)).iter().collect();
            let hole = dice.choose(&holes).copied().unwrap_or(id);
            terrain.change(|chart| chart.restore(hole)).is_ok()
        }
        6 => terrain.change(|chart| chart.submerge(id)).is_ok(),
        7 => terrain.change(|chart| chart.open(id)).is_ok(),
        8 => {
            let sides: Vec<_> = map.sides_of(id).collect();
            let [first, second] = [(); 2].map(|()| dice.choose(&sides).copied());
            let Some((first, second)) = first.zip(second) else { return false };
            terrain.change(|chart| chart.split(first, second)).is_ok()
        }
        16 => terrain.change(|chart| chart.raise(id)).is_ok(),
        17 => terrain.change(|chart| chart.freeze(id)).is_ok(),
        18 => {
            let kinds = [
                FaceKind::Land,
                FaceKind::Sea,
                FaceKind::Impassable,
                FaceKind::Ice,
                FaceKind::Outside,
                FaceKind::Point,
            ];
            let Some(&kind) = dice.choose(&kinds) else { return false };
            terrain.change(|chart| chart.reform(id, kind)).is_ok()
        }
        19 => {
            let round: Vec<_> = map.sides_of(id).map(|side| map.across(side)).collect();
            let [one, other] = [(); 2].map(|()| dice.choose(&round).copied());
            let Some((one, other)) = one.zip(other) else { return false };
            terrain.change(|chart| chart.dig(id, [one, other])).is_ok()
        }
        20 => terrain.change(|chart| chart.fill(id)).is_ok(),
        // A border that may not be one that can be removed.
        9 => {
            let borders: Vec<_> = map.borders().collect();
            let Some(&border) = dice.choose(&borders) else { return false };
            terrain.change(|chart| chart.quake(Quake::Separation(border))).is_ok()
        }
        _ => {
            let Some(&quake) = dice.choose(terrain.quakes()) else { return false };
            terrain.change(|chart| chart.quake(quake)).is_ok()
        }
    }
}

/// What is wrong with a map, or with what was derived of it step by step.
fn fault(terrain: &MapTables) -> Option<String> {
    let map = terrain.chart().map();
    if let Some(fault) = map.faults().first() {
        return Some(fault.clone());
    }
    let whole = MapTables::new(terrain.chart().clone());
    if terrain.board() != whole.board() {
        return Some("another board than that of the whole map".to_owned());
    }
    if terrain.quakes() != whole.quakes() {
        return Some("other quakes than those of the whole map".to_owned());
    }
    (terrain.metrics() != whole.metrics()).then(|| "other measures than those of the whole map".to_owned())
}

/// Makes changes in a row and compares the map after each `between` of them: how many were done and refused, or the
/// number of the change after which a fault was seen, with the fault.
fn walk(mut terrain: MapTables, mut dice: Stream, between: usize) -> Result<[u64; 2], (usize, String)> {
    let mut count = [0, 0];
    for step in 1..=WALK {
        let before = (step % REFUSALS == 0).then(|| terrain.hash());
        let done = change(&mut terrain, &mut dice);
        count[usize::from(!done)] += 1;
        if !done && before.is_some_and(|before| before != terrain.chart().map().hash()) {
            return Err((step, "a change that was refused has changed the map".to_owned()));
        }
        if step % between == 0
            && let Some(fault) = fault(&terrain)
        {
            return Err((step, fault));
        }
    }
    Ok(count)
}

#[test]
fn long_walks_leave_what_a_whole_derivation_finds() {
    let boards = boards();
    let mut count = [0_u64; 2];
    let numbered = inputs("surgery-walks", 6);
    let are_many = numbered.are_many();
    for mut input in numbered {
        let terrain = input.dice.choose(&boards).expect("a board");
        match walk(terrain.clone(), input.dice.clone(), BETWEEN) {
            Ok(walked) => (0..2).for_each(|i| count[i] += walked[i]),
            Err(seen) => {
                let found = walk(terrain.clone(), input.dice.clone(), 1);
                panic!("seen after change {}: {}; looked at after each: {found:?}", seen.0, seen.1);
            }
        }
    }
    let [done, refused] = count;
    println!("{done} surgeries done, {refused} refused");
    assert!(done > 0 && refused > 0 || !are_many);
}
