//! Seismic phases, one after the other, under both rule sets: several orders at once, many of them about the same
//! straits and canals, islands made and released, and the wishes for waterways.
//!
//! `UPHEAVAL_SLOW_TESTS=1` uses all the boards, a larger number this many times as many.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::helpers::shipped;
use crate::helpers::small_maps::{self, ISLES};
use crate::symmetry::decisions::{quakes, wish};
use crate::symmetry::image::{Image, map_file, parse};
use crate::symmetry::likeness::Likeness;
use testkit::amount;
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::seismic::{apply, settle};
use upheaval::topology::{NamedMap, Waterway, WaterwayRule};

/// How often each feature occurred.
type Seen = BTreeMap<&'static str, usize>;

/// Plays quakes on a board and its image side by side.
fn shake(
    image: &Image,
    mut here: NamedMap,
    mut there: NamedMap,
    seasons: usize,
    dice: &mut Stream,
    seen: &mut Seen,
) {
    for _ in 0..seasons {
        let (one, other) = (MapTables::new(here.clone()), MapTables::new(there.clone()));
        let likeness = Likeness::of(image, &one, &other);
        likeness.compare_boards();
        let mut orders = quakes(here.map(), dice);
        wish(&one, &mut orders, dice);
        let images = likeness.seismic(&orders);
        let (settled, settled_there) = (settle(here.map(), &orders), settle(there.map(), &images));
        assert_eq!(settled.outcomes, settled_there.outcomes);
        count(&settled.standing, &here, seen);
        here.begin_change();
        there.begin_change();
        apply(&mut here, &orders, &settled.standing).expect("it stands");
        apply(&mut there, &images, &settled_there.standing).expect("it stands");
        assert_eq!(here.map().faults(), Vec::<String>::new());
    }
    let (one, other) = (MapTables::new(here), MapTables::new(there));
    Likeness::of(image, &one, &other).compare_boards();
}

fn count(standing: &[upheaval::topology::Quake], chart: &NamedMap, seen: &mut Seen) {
    use upheaval::topology::Quake;
    let releases = standing.iter().filter(|quake| matches!(quake, Quake::Release(_))).count();
    *seen.entry("releases").or_default() += releases;
    *seen.entry("several releases at once").or_default() += usize::from(releases > 1);
    for way in chart.map().waterways() {
        let kind = match way {
            Waterway::Strait { .. } => "straits",
            Waterway::Canal { .. } => "canals",
            Waterway::Passage { .. } => "passages",
        };
        *seen.entry(kind).or_default() += 1;
    }
}

/// Compares the board of the file with its image after each season, for each of three images.
fn compare(
    file: &Value,
    prepare: &dyn Fn(&Image, bool) -> NamedMap,
    number: u64,
    games: u64,
    seen: &mut Seen,
) {
    for n in 0..amount(games / 5, 3 * games) {
        let mut dice = Stream::keyed(9870, Purpose::Bot, &[number, n]);
        let image = match n % 3 {
            0 => Image::renamed(file, &mut dice),
            1 => Image::mirrored(),
            _ => Image::renamed_and_mirrored(file, &mut dice),
        };
        let [here, there] = [false, true].map(|there| prepare(&image, there));
        shake(&image, here, there, 14, &mut dice, seen);
    }
}

/// Each of these must have occurred more often than that.
#[track_caller]
fn assert_often(seen: &Seen, least: &[(&str, usize)]) {
    // Without slow tests a twentieth at most is tried.
    let part = if testkit::tries_all() { 1 } else { 20 };
    for (what, least) in least {
        assert!(seen.get(what).is_some_and(|&times| times > least / part), "{what}: {seen:?}");
    }
}

fn of_variant(id: &str) -> Seen {
    let (file, mut seen) = (map_file("standard"), Seen::new());
    let variant = shipped::variant(id);
    let prepare = |image: &Image, there: bool| match there {
        false => variant.terrain.chart().clone(),
        true => image.variant(id).terrain.chart().clone(),
    };
    compare(&file, &prepare, 0, 30, &mut seen);
    seen
}

#[test]
fn ruling_8_7_what_is_shaken_in_a_mirror_or_by_other_names_is_shaken_alike() {
    assert_often(&of_variant("seismic-acerunner"), &[("straits", 200), ("canals", 400), ("releases", 20)]);
}

#[test]
fn seismic_1971_what_is_shaken_in_a_mirror_or_by_other_names_is_shaken_alike() {
    assert_often(&of_variant("seismic-1971"), &[("passages", 100), ("releases", 20)]);
}

#[test]
fn ruling_8_7_islands_and_lakes_in_a_mirror_or_by_other_names() {
    let mut seen = Seen::new();
    for (number, lines) in [ISLES, small_maps::NESTED, small_maps::RING].into_iter().enumerate() {
        let file = small_maps::json(lines);
        let prepare = |image: &Image, there: bool| {
            let mut chart = parse(&if there { image.map(&file) } else { file.clone() });
            chart.set_waterway_rule(WaterwayRule::Isthmuses);
            chart
        };
        compare(&file, &prepare, 1 + number as u64, 40, &mut seen);
    }
    assert_often(&seen, &[("several releases at once", 100), ("straits", 100), ("canals", 100)]);
}
